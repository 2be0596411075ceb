"""Checks certificate files of fedtheory with nothing but Python: python fedtheory_check.py FILE...

One line for every claim says whether its certificate is accepted, or why it is rejected. Exit status 0 if all are accepted,
1 if one is rejected, 2 if a file cannot be read. It needs no package and shares no code with what writes the certificates.
It believes of a file the hypotheses ("from"), the sides of every relation and the rows; it checks that the relations follow.

A file is {"schema": "fedtheory certificates", "version": 1, "paper": ..., "claims": [...]}; a claim has "id", "verdict"
(proved or certified), "scope" ("all" or a list) and "parts", each with "where" it holds. A part has "names", "facts" and
"relations", or consists of parts, {"each": [...]}, or splits on the sign of a polynomial, {"names", "split": p, "yes": a part
that may use the fact p >= 0 (from "case"), "no": a part that may use -p > 0}.

facts      {"says": "a*b - 1/2 > 0", "from": text}, a hypothesis, or {"says": ..., "by": terms}, a lemma: with the negation of
           what it says as the fact "not", a sum of terms that are not negative, one of them positive, vanishes. A term
           [c, {fact: power}, [q, ...]] is c times powers of facts times squares of the polynomials q; c is a rational of
           at least 0, or any polynomial where a fact of the term is an equation.
relations  {"lhs": form, "op": "<=", "rhs": form, "pieces": [...], "rows": {name: form}}: the pieces add up to rhs - lhs.
           A piece is {"times": [c, {fact: power}], "row": name} or {"times": ..., "square": vector}, or "times" alone;
           its factor is not negative. A row is a form that is known not to be negative. A form has coefficients by
           "G i j" (the inner product of unknown vectors i and j), "v k" (an unknown number) and "" (the constant), a
           vector by i: polynomials p, or [p, {fact: power}], p over powers of facts that cannot be zero.
"""

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]  # the folder of this file: in the package it has modules with names of Python's own

import json
import math
from fractions import Fraction

LARGEST_POWER, LARGEST_POLYNOMIAL = 200, 200_000
MALFORMED = (KeyError, ValueError, TypeError, IndexError, AttributeError, ZeroDivisionError, RecursionError)


class Rejected(Exception):
    """Why a certificate is not accepted."""


def require(truth, why):
    if not truth:
        raise Rejected(why)


def plus(p, q, c=1):
    """p + c q, where polynomials are coefficients by the powers of the names."""
    out = dict(p)
    for powers, value in q.items():
        out[powers] = out.get(powers, 0) + c * value
    return {powers: value for powers, value in out.items() if value}


def times(p, q):
    below, other = (math.lcm(*(value.denominator for value in r.values())) for r in (p, q))
    p, q = ({powers: int(value * n) for powers, value in r.items()} for r, n in ((p, below), (q, other)))
    out: dict = {}
    for a, x in p.items():
        for b, y in q.items():
            powers = tuple(map(int.__add__, a, b))
            out[powers] = out.get(powers, 0) + x * y
    require(len(out) <= LARGEST_POLYNOMIAL, "a polynomial is too long")
    return {a: Fraction(x, below * other) if below * other > 1 else x for a, x in out.items() if x}


def power(p, n):
    require(type(n) is int and 0 < n <= LARGEST_POWER, f"{n!r} is no power")
    return p if n == 1 else times(p, power(p, n - 1))


def rational(text):
    require(type(text) is str and text.removeprefix("-").replace("/", "", 1).isdecimal(), f"{text!r} is no rational")
    value = Fraction(text)
    return value.numerator if value.denominator == 1 else value


class Part:
    """Facts in some names, of which the lemmas have been checked, and what they say of signs."""

    def __init__(self, names, cases):
        require(isinstance(names, list) and len(set(names)) == len(names), "the names are not distinct")
        require(all(type(n) is str and n[:1].isalpha() and not set(n) & set(" +-*/^") for n in names), "a bad name")
        self.at = {name: k for k, name in enumerate(names)}
        self.cases, self.facts, self.powers = cases, [], {}

    def polynomial(self, text):
        """Terms such as -3/2*a^2*b[0], with + and - between them."""
        require(type(text) is str, f"{text!r} is no polynomial")
        out: dict = {}
        for term in text.replace(" - ", " + -").split(" + "):
            value, powers = -1 if term.startswith("-") else 1, [0] * len(self.at)
            for factor in term.removeprefix("-").split("*"):
                name, _, n = factor.partition("^")
                if name in self.at:
                    require(n == "" or (n.isdecimal() and 0 < int(n) <= LARGEST_POWER), f"{factor!r} is no power")
                    powers[self.at[name]] += int(n or 1)
                else:
                    require(not factor.startswith("-"), f"{text!r} is no polynomial")
                    value = value * rational(factor)
            out[tuple(powers)] = out.get(tuple(powers), 0) + value
        return plus(out, {})

    def fact(self, place):
        require(place.isdecimal() and int(place) < len(self.facts), f"there is no fact {place} before this")
        return self.facts[int(place)]

    def raised(self, place, n):
        if (place, n) not in self.powers:
            self.powers[place, n] = power(self.fact(place)[0], n)
        return self.powers[place, n]

    def read_fact(self, data):
        """Enter a hypothesis, or a lemma after its proof is checked."""
        text, op, zero = data["says"].rsplit(" ", 2)
        require(zero == "0" and op in (">", ">=", "==", "!="), f"{data['says']!r} is no fact")
        fact = self.polynomial(text), op
        if "by" in data:
            require("from" not in data, "a fact is a hypothesis or a lemma")
            self.check_lemma(fact, data["by"], data["says"])
        else:
            require(type(data["from"]) is str and data["from"], f"{data['says']} comes from nowhere")
            require(data["from"] != "case" or self.said(*fact) in self.cases, f"{data['says']} is not the case")
        self.facts.append(fact)

    def said(self, p, op):
        """A fact in a form that does not depend on the order of the names."""
        return frozenset((frozenset((n, a[k]) for n, k in self.at.items() if a[k]), c) for a, c in p.items()), op

    def check_lemma(self, fact, terms, says):
        """The negation of a fact leads to 0 > 0."""
        p, op = fact
        minus = plus({}, p, -1)
        negation = {">": (minus, ">="), ">=": (minus, ">"), "==": (p, "!="), "!=": (p, "==")}[op]
        total: dict = {}
        positive = False
        for term in terms:
            require(2 <= len(term) <= 3, f"{says}: a term has two or three entries")
            value, ops = self.polynomial(term[0]), []
            for place, n in term[1].items():
                poly, own = negation if place == "not" else self.fact(place)
                value = times(value, power(poly, n) if place == "not" else self.raised(place, n))
                require(own != "!=" or n % 2 == 0, f"{says}: an odd power of what is not zero has no sign")
                ops.append(own)
            squares = term[2] if len(term) == 3 else []
            for q in squares:
                value = times(value, power(self.polynomial(q), 2))
            if "==" not in ops:
                c = rational(term[0])
                require(c >= 0, f"{says}: a negative weight")
                positive |= c > 0 and not squares and ">=" not in ops
            total = plus(total, value)
        require(positive, f"{says}: no term of the proof is positive")
        require(not total, f"{says}: the terms of the proof do not cancel")

    def ratio(self, data):
        """(numerator, powers of facts below it)."""
        if type(data) is str:
            return self.polynomial(data), {}
        text, below = data
        for place, n in below.items():
            require(self.raised(place, n) and self.fact(place)[1] in (">", "!="), f"fact {place} may be zero")
        return self.polynomial(text), below

    def factor(self, data):
        """(numerator, powers of facts below it, sign) of the factor of a piece; the sign is >, >= or ==."""
        c, facts = data
        value, ops = self.polynomial(c), {self.fact(place)[1] for place in facts}
        below = self.ratio(["1", {place: -n for place, n in facts.items() if n < 0}])[1]
        for place, n in facts.items():
            require(self.fact(place)[1] != "!=" or n % 2 == 0, "an odd power of what is not zero has no sign")
            value = value if n < 0 else times(value, self.raised(place, n))
        if "==" in ops:
            return {}, below, "=="
        require(rational(c) >= 0, "a piece is negative")
        return value, below, ">" if rational(c) > 0 and ">=" not in ops else ">="

    def check_relation(self, data):
        """The right less the left side is the sum of the pieces."""
        op = data["op"]
        sums: dict = {}
        require(op in ("<=", "<", "=="), f"{op!r} is no relation")

        def add(key, quotient, sign):
            if quotient[0]:
                sums.setdefault(key, []).append((*quotient, sign))

        def product(one, other):
            powers = {place: one[1].get(place, 0) + other[1].get(place, 0) for place in {**one[1], **other[1]}}
            return times(one[0], other[0]), powers

        for side, sign in (("rhs", 1), ("lhs", -1)):
            for key, c in data[side].items():
                add(entry(key), self.ratio(c), sign)
        rows, strict = data.get("rows", {}), False
        for piece in data["pieces"]:
            value, below, own = self.factor(piece["times"])
            require(op != "==" or own == "==", "a piece of an equation is not zero")
            require(set(piece) - {"row"} == {"times"} or set(piece) == {"times", "square"}, "a piece has one form")
            if "row" in piece:
                for key, c in rows[piece["row"]].items():
                    add(entry(key), product((value, below), self.ratio(c)), -1)
            elif "square" in piece:
                vector = [(entry(f"v {i}")[1], self.ratio(c)) for i, c in piece["square"].items()]
                for i, a in vector:
                    left = product((value, below), a)
                    for j, b in vector:
                        add(("G", min(i, j), max(i, j)), product(left, b), -1)
            else:
                strict |= own == ">"
                add(("",), (value, below), -1)
        require(op != "<" or strict, "a strict inequality without a positive constant")
        for key, terms in sums.items():
            require(not self.added(terms), f"the pieces do not add up to the right less the left side at {key}")

    def added(self, terms):
        """The numerator of a sum of quotients."""
        common: dict = {}
        for _, below, _ in terms:
            for place, n in below.items():
                common[place] = max(n, common.get(place, 0))
        total: dict = {}
        for top, below, sign in terms:
            for place, n in common.items():
                if n > below.get(place, 0):
                    top = times(top, self.raised(place, n - below.get(place, 0)))
            total = plus(total, top, sign)
        return total


def entry(text):
    """("G", i, j) with i <= j, ("v", k) or ("",)."""
    kind, *places = text.split(" ")
    require(len(places) == {"": 0, "v": 1, "G": 2}.get(kind), f"{text!r} is no entry of a form")
    require(all(p.isdecimal() and str(int(p)) == p for p in places), f"{text!r} is no entry of a form")
    return (kind, *sorted(int(p) for p in places))


def check_part(data, cases=()):
    """Check one part and those of which it consists; how many lemmas and relations it has."""
    if "each" in data:
        require(data["each"], "a part of nothing")
        counts = [check_part(each, cases) for each in data["each"]]
        return sum(c[0] for c in counts), sum(c[1] for c in counts)
    part = Part(data["names"], cases)
    if "split" in data:
        p = part.polynomial(data["split"])
        yes = check_part(data["yes"], (*cases, part.said(p, ">=")))
        no = check_part(data["no"], (*cases, part.said(plus({}, p, -1), ">")))
        return yes[0] + no[0], yes[1] + no[1]
    for fact in data["facts"]:
        part.read_fact(fact)
    require(data["relations"], "a part without a relation")
    for relation in data["relations"]:
        part.check_relation(relation)
    return sum("by" in f for f in data["facts"]), len(data["relations"])


def words(text):
    """The names in a polynomial."""
    factors = text.replace(" - ", " + ").replace(" + ", "*").replace("-", "").split("*")
    return {f.partition("^")[0] for f in factors if f[:1].isalpha()}


def side(text, below=()):
    """A polynomial that does not depend on the order of names, and the names by which it is divided."""
    names = sorted(words(text))
    p = Part(names, ()).polynomial(text)
    return {tuple((n, k) for n, k in zip(names, a, strict=False) if k): c for a, c in p.items()}, frozenset(below)


class Limit:
    """The last part of a limit: a rule by its name, whose finite parts have the very relations that it asks for.

    It believes of a file which sequences a lemma says tend to 0 or stay bounded. A name with [ or :, and the index, changes
    along a run; any other is a number.
    """

    def __init__(self, said, parts):
        self.said, self.parts, self.index, self.time = said, parts, said["index"], said["time"]
        self.null, self.bounded = said["names"]["null"], said["names"]["bounded"]
        require(all(type(why) is str and why for why in (*self.null.values(), *self.bounded.values())), "from nowhere")
        self.of, self.now = said["of"], side(said["of"])

    def check(self):
        by = getattr(self, f"by_{self.said['rule']}", None)
        require(by is not None and by(), f"the parts are not what {self.said['rule']} rests on")

    def part(self, role):
        (part,) = (q for q in self.parts if q["where"] == self.said["parts"][role] and "limit" not in q)
        return part

    def stated(self, role):
        """(left side, sign, right side) of every relation of a part."""
        out = []
        for part in self.part(role)["each"]:
            (r,), both = part["relations"], []
            for form in (r["lhs"], r["rhs"]):
                text, below = form[""] if type(form.get("")) is list else (form.get("", "0"), {})
                facts = [part["facts"][int(k)]["says"] for k in below]
                require(
                    set(form) <= {""} and all(f.endswith(" > 0") for f in facts), "a side of a limit may be undefined"
                )
                both.append(side(text, {n for f in facts for n in words(f[:-4])}))
            out.append((both[0], r["op"], both[1]))
        return out

    def varies(self, name):
        return "[" in name or ":" in name or name == self.index

    def number(self, one, *allowed):
        names = one[1].union(n for powers in one[0] for n, _ in powers) - set(allowed)
        return not any(self.varies(n) for n in names)

    def vanishes(self, one):
        """Every term has a factor that tends to 0, and no other factor changes but those that stay bounded."""
        good = self.number(({}, one[1]))
        for powers in one[0]:
            parts = [n.partition("[") for n, _ in powers if self.varies(n)]
            here = {n if at.strip("'").removesuffix("]").strip("'") == self.time else "" for n, _, at in parts}
            good = good and here & set(self.null) and here <= set(self.bounded)
        return bool(good)

    def shifted(self, to):
        return side(self.of.replace(f"[{self.time}]", to))

    def sums(self):
        """(whether the left side is the sum of the sequence, the right side) of a part with one relation."""
        ((left, op, right),) = self.stated("sum")
        ((((name, a),), c),) = left[0].items()
        term = self.part("sum")["sums"][name].replace("sum:index:1", self.time)
        return (op, a, c, left[1]) == ("<=", 1, 1, frozenset()) and side(term) == self.now, right

    def by_null(self):
        return self.vanishes(self.now)

    def by_squeezed(self):
        *low, (left, op, bound) = self.stated("bound")
        under = low == [((plus({}, bound[0], -1), bound[1]), "<=", self.now)] and left == self.now
        names = sorted(words(self.of))
        square = power(Part(names, ()).polynomial(self.of), 2)
        own = {tuple((n, k) for n, k in zip(names, a, strict=False) if k): c for a, c in square.items()}
        return op == "<=" and (under or (not low and left == (own, frozenset()))) and self.vanishes(bound)

    def by_summable(self):
        good, right = self.sums()
        return good and self.stated("sign") == [(ZERO, "<=", self.now)] and self.number(right)

    def by_least(self):
        good, right = self.sums()
        return good and self.number(right, self.index)

    def by_bounded(self):
        (low, _, a), (b, _, high) = self.stated("within")
        return a == b == self.now and self.number(low) and self.number(high) and self.signs("within")

    def by_converges(self):
        (after, _, a), (low, _, b) = self.stated("falls")
        return (
            after == self.shifted(f"[{self.time}']") and a == b == self.now and self.number(low) and self.signs("falls")
        )

    def by_linear(self):
        ((left, _, right),) = self.stated("power")
        ((name, base),) = self.part("power")["powers"].items()
        start, q = self.shifted("0"), side(base)
        grown = {tuple(sorted((*powers, (name, 1)))): c for powers, c in start[0].items()}
        good = (
            left == self.shifted(f"[{self.index}]")
            and right == (grown, frozenset())
            and self.signs("power")
            and self.number(q)
        )
        return (
            good
            and [(ZERO, "<=", self.now)] == self.stated("sign")
            and self.stated("ratio") == [(ZERO, "<=", q), (q, "<", ONE)]
        )

    def by_stationary(self):
        return self.said["points"] and self.said["residuals"] and all(n in self.null for n in self.said["residuals"])

    def signs(self, role):
        return all(op == "<=" for _, op, _ in self.stated(role))


ZERO, ONE = side("0"), side("1")


def check_claim(claim):
    """A line on what was accepted; raises Rejected."""
    verdict, scope, parts = claim["verdict"], claim["scope"], claim["parts"]
    where = [part["where"] for part in parts]
    require(parts, "there is nothing in it")
    require(all(a not in where[:k] for k, a in enumerate(where)), "two parts for one place")
    require(verdict in ("proved", "certified"), f"{verdict!r} has no certificate")
    require((verdict == "proved") == (scope == "all"), "what is proved holds for all, what is certified is listed")
    require(scope == "all" or where == scope, "the parts are not those of the scope")
    counts = [check_part(part) for part in parts if "limit" not in part]
    for part in parts:
        if "limit" in part:
            Limit(part["limit"], parts).check()
    lemmas, relations = (sum(c[k] for c in counts) for k in (0, 1))
    return f"{verdict}, parts {len(parts)}, relations {relations}, lemmas {lemmas}"


def accepted(claim: dict) -> tuple[bool, str]:
    """(whether the certificate of one claim is accepted, what or why)."""
    try:
        return True, check_claim(claim)
    except (Rejected, *MALFORMED) as why:
        return False, str(why) if isinstance(why, Rejected) else f"malformed: {type(why).__name__}: {why}"


def main(files: list[str]) -> int:
    status = 0
    for file in files:
        try:
            with open(file, encoding="utf-8") as stream:
                data = json.load(stream)
            if data["schema"] != "fedtheory certificates" or data["version"] != 1 or type(data["claims"]) is not list:
                raise ValueError("not a certificate file of version 1")
            ids = [claim["id"] for claim in data["claims"]]
        except (OSError, *MALFORMED) as error:
            sys.stdout.write(f"cannot be read: {file}: {getattr(error, 'strerror', None) or error}\n")
            status = 2
            continue
        for k, claim in enumerate(data["claims"]):
            good, why = accepted(claim) if ids.index(ids[k]) == k else (False, "the id stands twice")
            sys.stdout.write(f"{'accepted' if good else 'rejected'} {ids[k]}: {why}\n")
            status = status if good else max(status, 1)
    return status if files else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
