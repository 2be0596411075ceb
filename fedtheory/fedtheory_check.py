"""Checks certificate files of fedtheory with nothing but Python: python fedtheory_check.py FILE...

One line for every claim says whether its certificate is accepted, or why it is rejected. Exit status 0 if all are accepted,
1 if one is rejected, 2 if a file cannot be read. It needs no package and shares no code with what writes the certificates.
docs/certificates.md has the format. A part has facts, hypotheses or lemmas with their proofs, and relations: the pieces of
each, products of facts times rows or squares, add up to the right less the left side.

It believes of a claim its hypotheses ("from"), the sides of every relation, the rows, and that the places ("where") of what is
proved, which it prints, are all that there are. Theorems that stand on lemmas, and those for every length, are checked by
fedtheory_check_theorems.py (with _forms.py, _means.py and _powers.py), limits by fedtheory_check_limits.py, beside this file.
"""

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]  # the folder of this file: in the package it has modules with names of Python's own

import functools
import importlib.util
import json
import math
from fractions import Fraction
from pathlib import Path

LARGEST_POWER, LARGEST_POLYNOMIAL = 200, 200_000
UNIT = {(): 1}
ONE_CLIENT, MORE_CLIENTS = ("m=1", "m=1, S=1"), ("every m, m >= 2", "every m and S, m >= 2")
MALFORMED = (OSError, KeyError, ValueError, TypeError, IndexError, AttributeError, ZeroDivisionError, RecursionError)


class Rejected(Exception):
    """Why a certificate is not accepted."""


def require(truth, why):
    if not truth:
        raise Rejected(why)


def plus(p, q, c=1):
    """p + c q, where polynomials are coefficients by their monomials: names in order, as often as their powers say."""
    return summed([p, {monomial: c * value for monomial, value in q.items()}])


def summed(polynomials):
    first, *others = polynomials or [{}]
    out = dict(first)
    for p in others:
        for monomial, value in p.items():
            out[monomial] = out[monomial] + value if monomial in out else value
    return out if all(out.values()) else {monomial: value for monomial, value in out.items() if value}


def times(p, q):
    if len(q) < len(p):
        p, q = q, p
    if len(p) == 1:
        ((a, x),) = p.items()
        if not a:
            return q if x == 1 else {b: x * y for b, y in q.items()}
        if x == 1:
            return {tuple(sorted(a + b)): y for b, y in q.items()}
    p, below = whole(p)
    q, other = whole(q)
    out: dict = {}
    for a, x in p.items():
        for b, y in q.items():
            monomial = tuple(sorted(a + b)) if a and b else a or b
            out[monomial] = out.get(monomial, 0) + x * y
    require(len(out) <= LARGEST_POLYNOMIAL, "a polynomial is too long")
    below *= other
    return {a: Fraction(x, below) if below > 1 else x for a, x in out.items() if x}


def whole(p):
    """(a polynomial with whole coefficients, by what it is divided)."""
    if {*map(type, p.values())} <= {int}:
        return p, 1
    below = math.lcm(*[value.denominator for value in p.values()])
    return {a: value.numerator * (below // value.denominator) for a, value in p.items()}, below


def power(p, n):
    require(type(n) is int and 0 < n <= LARGEST_POWER, f"{n!r} is no power")
    return p if n == 1 else times(p, power(p, n - 1))


def rational(text):
    require(type(text) is str and text.removeprefix("-").replace("/", "", 1).isdecimal(), f"{text!r} is no rational")
    value = Fraction(text) if "/" in text else int(text)
    return value.numerator if value.denominator == 1 else value


def polynomial(text, called):
    """Terms such as -3/2*a^2*b[0], with + and - between them; `called` says of a name what it is called, or None."""
    require(type(text) is str, f"{text!r} is no polynomial")
    p, names = written(text)
    to = {name: own for name in names if (own := called(name)) != name}
    require(None not in to.values(), f"{text!r} has a name that is not known")
    return renamed(p, to) if to else p


def renamed(p, to):
    return summed([{tuple(sorted([to.get(name, name) for name in a])): x} for a, x in p.items()])


@functools.cache
def written(text):
    """(the polynomial, with the names as they are written, and these names): most texts stand in many places."""
    out: list = []
    for term in text.replace(" - ", " + -").split(" + "):
        value, names = -1 if term.startswith("-") else 1, []
        for factor in term.removeprefix("-").split("*"):
            name, _, n = factor.partition("^")
            if name[:1].isalpha():
                require(n == "" or (n.isdecimal() and 0 < int(n) <= LARGEST_POWER), f"{factor!r} is no power")
                names += [name] * int(n or 1)
            else:
                require(not factor.startswith("-"), f"{text!r} is no polynomial")
                value = value * rational(factor)
        out.append({tuple(sorted(names)): value})
    return summed(out), {name for p in out for a in p for name in a}


def scaled(p):
    """(a rational, the polynomial over it): the same for all multiples, whole and with no common divisor."""
    q, below = whole(p)
    lead = math.gcd(*q.values()) * (1 if q[max(q)] > 0 else -1)
    q = q if lead == 1 else {a: c // lead for a, c in q.items()}
    return lead if below == 1 else Fraction(lead, below), frozenset(q.items())


def normal(p):
    """The same for all positive multiples."""
    lead, q = scaled(p)
    return lead > 0, q


def over(p, n=1):
    """1/p^n; a quotient is a polynomial, and powers of polynomials below it."""
    require(p and type(n) is int and 0 < n <= LARGEST_POWER, "a division by zero")
    lead, q = scaled(p)
    return {(): 1 if lead == 1 else Fraction(1, lead**n)}, ({q: n} if len(q) > 1 or p.keys() != {()} else {})


def product(a, b):
    if not (a[1] and b[1]):
        return times(a[0], b[0]), a[1] or b[1]
    return times(a[0], b[0]), {p: a[1].get(p, 0) + b[1].get(p, 0) for p in {**a[1], **b[1]}}


def added(quotients):
    """The sum of quotients."""
    if len(quotients) == 1:
        return quotients[0] if quotients[0][0] else ({}, {})
    belows = [below for _, below in quotients]
    common = {**belows[0]} if belows else {}
    if belows.count(common) == len(belows):
        total = summed([top for top, _ in quotients])
    else:
        for below in belows:
            common |= {p: max(n, common.get(p, 0)) for p, n in below.items()}
        total = over_all(quotients, sorted(common.items(), key=lambda own: -len(own[0])))
    return total, common if total else {}


def over_all(quotients, common):
    """The sum of quotients times all that is common to them. A monomial is a whole number here, with as many bits for each name as
    the longest monomial of the sum needs, and coefficients are whole."""
    tops, divisors = [top for top, _ in quotients], [dict(p) for p, _ in common]  # which are whole
    most = max((len(a) for top in tops for a in top), default=0)
    most += sum(n * max(map(len, p)) for p, (_, n) in zip(divisors, common, strict=True))
    names = sorted({name for p in (*tops, *divisors) for a in p for name in a})
    bits = most.bit_length()
    at = {name: 1 << bits * k for k, name in enumerate(names)}

    def packed(p, c=1):
        out: dict = {}
        for a, value in p.items():
            key = sum(map(at.__getitem__, a))
            out[key] = out.get(key, 0) + value.numerator * (c // value.denominator)
        return out

    below = math.lcm(*(value.denominator for top in tops for value in top.values()))
    found = horner(
        [(packed(top, below), own) for top, own in quotients],
        [(*own, packed(p)) for own, p in zip(common, divisors, strict=True)],
    )
    total = {}
    for key, value in found.items():
        powers = [key >> bits * k & (1 << bits) - 1 for k in range(len(names))]
        a = tuple(name for name, n in zip(names, powers, strict=True) for _ in range(n))
        total[a] = Fraction(value, below) if below > 1 else value
    return total


def horner(quotients, common):
    """The sum of quotients times p^n for every (divisor, n, p), p being the divisor packed: from its highest power down."""
    if not common:
        return summed([top for top, _ in quotients])
    (divisor, most, p), *others = common
    by: dict = {}
    for top, below in quotients:
        by.setdefault(below.get(divisor, 0), []).append((top, below))
    total: dict = {}
    for n in range(most + 1):
        out: dict = {}
        for a, x in total.items():
            for b, y in p.items():
                out[a + b] = out.get(a + b, 0) + x * y
        require(len(out) <= LARGEST_POLYNOMIAL, "a polynomial is too long")
        for a, x in horner(by[n], others).items() if n in by else ():
            out[a] = out.get(a, 0) + x
        total = {a: x for a, x in out.items() if x}
    return total


def less(a, b):
    return added([a, product(({(): -1}, {}), b)])


def equal(a, b):
    return a == b or not less(a, b)[0]


def put(value, at):
    """A quotient with quotients in the place of names."""
    if not at:
        return value

    def of(p):
        terms = []
        for monomial, c in p.items():
            term: tuple = {tuple(name for name in monomial if name not in at): c}, {}
            for name in monomial:
                term = product(term, at[name]) if name in at else term
            terms.append(term)
        return added(terms)

    kept = {p: n for p, n in value[1].items() if not any(name in at for a, _ in p for name in a)}
    out = product(of(value[0]), (UNIT, kept))
    for p, n in ((p, n) for p, n in value[1].items() if p not in kept):
        top, below = of(dict(p))
        inverse = over(top)
        for q, k in below.items():
            inverse = product(inverse, (power(dict(q), k), {}))
        for _ in range(n):
            out = product(out, inverse)
    return out


def signed(value):
    """A polynomial with the sign of a quotient."""
    top = value[0]
    for p, n in value[1].items():
        top = times(top, dict(p)) if n % 2 else top
    return top


class Part:
    """Facts in some names, of which the lemmas have been checked, and what they say of signs."""

    def __init__(self, names, cases=(), admits=None, called=str):
        require(isinstance(names, list) and len(set(names)) == len(names), "the names are not distinct")
        require(all(type(n) is str and n[:1].isalpha() and not set(n) & set(" +-*/^") for n in names), "a bad name")
        self.called = {name: called(name) for name in names}
        self.cases, self.admits, self.facts, self.powers, self.read = cases, admits, [], {}, {}

    def polynomial(self, text):
        if text not in self.read:
            self.read[text] = polynomial(text, self.called.get)
        return self.read[text]

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
            case = (frozenset(fact[0].items()), op) in self.cases
            require(data["from"] != "case" or case, f"{data['says']} is not the case")
            require(case or self.admits is None or self.admits(data, *fact), f"{data['says']} is not known there")
        self.facts.append(fact)

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
        """A quotient over powers of facts."""
        out: tuple = self.polynomial(data if type(data) is str else data[0]), {}
        for place, n in {} if type(data) is str else data[1].items():
            require(self.fact(place)[1] in (">", "!="), f"fact {place} may be zero")
            out = product(out, over(self.fact(place)[0], n))
        return out

    def factor(self, data):
        """(the factor of a piece, its sign: >, >= or ==)."""
        c, facts = data
        ops = {self.fact(place)[1] for place in facts}
        below = self.ratio(["1", {place: -n for place, n in facts.items() if n < 0}])
        value = self.polynomial(c)
        for place, n in facts.items():
            require(self.fact(place)[1] != "!=" or n % 2 == 0, "an odd power of what is not zero has no sign")
            value = value if n < 0 else times(value, self.raised(place, n))
        if "==" in ops:
            return ({}, {}), "=="
        require(rational(c) >= 0, "a piece is negative")
        return product((value, {}), below), ">" if rational(c) > 0 and ">=" not in ops else ">="

    def form(self, data):
        return {entry(key): self.ratio(c) for key, c in data.items()}

    def gap(self, data):
        """The right less the left side of a relation, as quotients to be added."""
        sums = {key: [c] for key, c in self.form(data["rhs"]).items()}
        for key, c in self.form(data["lhs"]).items():
            sums.setdefault(key, []).append(product(({(): -1}, {}), c))
        return sums

    def check_relation(self, data):
        """The right less the left side is the sum of the pieces."""
        op, sums = data["op"], self.gap(data)
        require(op in ("<=", "<", "=="), f"{op!r} is no relation")
        rows, strict = data.get("rows", {}), False
        for piece in data["pieces"]:
            value, own = self.factor(piece["times"])
            value = product(value, ({(): -1}, {}))
            require(op != "==" or own == "==", "a piece of an equation is not zero")
            require(set(piece) - {"row"} == {"times"} or set(piece) == {"times", "square"}, "a piece has one form")
            if "row" in piece:
                for key, c in rows[piece["row"]].items():
                    sums.setdefault(entry(key), []).append(product(value, self.ratio(c)))
            elif "square" in piece:
                vector = [(entry(f"v {i}")[1], self.ratio(c)) for i, c in piece["square"].items()]
                for k, (i, a) in enumerate(vector):
                    left = product(value, a)
                    sums.setdefault(("G", i, i), []).append(product(left, a))
                    left = product(left, ({(): 2}, {}))
                    for j, b in vector[k + 1 :]:
                        sums.setdefault(("G", min(i, j), max(i, j)), []).append(product(left, b))
            else:
                strict |= own == ">"
                sums.setdefault(("",), []).append(value)
        require(op != "<" or strict, "a strict inequality without a positive constant")
        apart = [key for key, terms in sums.items() if added(terms)[0]]
        require(not apart, f"the pieces do not add up to the right less the left side at {apart}")


@functools.cache
def entry(text):
    """("G", i, j) with i <= j, ("v", k) or ("",)."""
    kind, *places = text.split(" ")
    require(len(places) == {"": 0, "v": 1, "G": 2}.get(kind), f"{text!r} is no entry of a form")
    require(all(p.isdecimal() and str(int(p)) == p for p in places), f"{text!r} is no entry of a form")
    require([*places] == sorted(places, key=int), f"{text!r} is called otherwise")  # a form has every entry once
    return (kind, *map(int, places))


def leaves(data, cases=(), *how):
    """The parts of which one consists, checked: (Part, data)."""
    if "each" in data:
        require(data["each"], "a part of nothing")
        return [found for each in data["each"] for found in leaves(each, cases, *how)]
    part = Part(data["names"], cases, *how)
    if "split" in data:
        p = part.polynomial(data["split"])
        yes = leaves(data["yes"], (*cases, (frozenset(p.items()), ">=")), *how)
        return yes + leaves(data["no"], (*cases, (frozenset(plus({}, p, -1).items()), ">")), *how)
    for fact in data["facts"]:
        part.read_fact(fact)
    require(data["relations"], "a part without a relation")
    for relation in data["relations"]:
        part.check_relation(relation)
    return [(part, data)]


@functools.cache
def beside(what):
    """What checks theorems, or limits, in the file beside this one, with what stands here."""
    sys.modules["fedtheory_check"] = sys.modules[__name__]
    file = Path(__file__).with_name(f"fedtheory_check_{what}.py")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise Rejected(f"{file.name} is not beside this file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check_claim(claim, earlier):
    """A line on what was accepted, and what the claim is to later ones; raises Rejected."""
    verdict, scope, parts = claim["verdict"], claim["scope"], claim["parts"]
    where = [part["where"] for part in parts]
    require(verdict in ("proved", "certified"), f"{verdict!r} has no certificate")
    require((verdict == "proved") == (scope == "all"), "what is proved holds for all, what is certified is listed")
    if claim.get("theorem"):
        require(verdict == "proved", "a theorem for every length is proved or nothing")
        data = {**claim["theorem"], "parts": parts}
        if "limits" in data:
            return f"limits {len(data['limits'])}, from lemmas {len(data['uses'])}", beside("limits").Limits(
                data, earlier
            )
        found = beside("theorems").Theorem(data, earlier)
        return f"proved for every {found.index} >= {found.first}, from lemmas {len(claim['theorem']['uses'])}", found
    require(parts, "there is nothing in it")
    require(all(a not in where[:k] for k, a in enumerate(where)), "two parts for one place")
    require(scope == "all" or where == scope, "the parts are not those of the scope")
    found = [leaf for part in parts for leaf in leaves(part)]
    relations = sum(len(data["relations"]) for _, data in found)
    lemmas = sum("by" in fact for _, data in found for fact in data["facts"])
    if verdict == "proved":
        places = [*map(str, where), *claim.get("undefined", ())]
        for chosen in claim.get("choices") or [""]:  # at a step
            own = [place.removesuffix(chosen).removesuffix(", ") for place in places if place.endswith(chosen)]
            check_places([place or "all" for place in own], claim.get("clients", "any"))
    where += [f"{claim['clients']} of the clients"] if "clients" in claim else []
    where += [f"undefined at {place}" for place in claim.get("undefined", ())]
    at = f" for {'; '.join(where)}" if verdict == "proved" and where != ["all"] else ""
    return f"{verdict}{at}, parts {len(parts)}, relations {relations}, lemmas {lemmas}", found


def check_places(where, clients):
    """The places of what is proved are all that there are: everywhere, or one client and every other number of them."""
    require(where and {*where} <= {"all", *ONE_CLIENT, *MORE_CLIENTS}, "what is proved has a part at listed parameters")
    require(clients in ("any", "one", "several"), f"{clients!r} is no number of clients")
    one, more = (any(place in kind for place in where) for kind in (ONE_CLIENT, MORE_CLIENTS))
    whole = {"any": one == more, "one": not more, "several": not one}[clients]
    require(whole, "one client needs every other number of them, and these need it")


def accepted(claim: dict, earlier: dict | None = None) -> tuple[bool, str]:
    """(whether the certificate of one claim is accepted, what or why); `earlier` has those that were, and gets it."""
    earlier = {} if earlier is None else earlier
    try:
        said, earlier[claim["id"]] = check_claim(claim, earlier)
        return True, said
    except (Rejected, *MALFORMED) as why:
        return False, str(why) if isinstance(why, Rejected) else f"malformed: {type(why).__name__}: {why}"


def main(files: list[str]) -> int:
    status = 0
    for file in files:
        try:
            with open(file, encoding="utf-8") as stream:
                data = json.load(stream)
            if data["schema"] != "fedtheory certificates" or data["version"] != 2 or type(data["claims"]) is not list:
                raise ValueError("not a certificate file of version 2")
            ids = [claim["id"] for claim in data["claims"]]
        except MALFORMED as error:
            sys.stdout.write(f"cannot be read: {file}: {getattr(error, 'strerror', None) or error}\n")
            status = 2
            continue
        earlier: dict = {}
        for k, claim in enumerate(data["claims"]):
            good, why = accepted(claim, earlier) if ids.index(ids[k]) == k else (False, "the id stands twice")
            sys.stdout.write(f"{'accepted' if good else 'rejected'} {ids[k]}: {why}\n")
            status = status if good else max(status, 1)
    return status if files else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
