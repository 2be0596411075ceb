"""Checks certificate files of fedtheory with nothing but Python: python fedtheory_check.py FILE...

One line for every claim says whether its certificate is accepted, or why it is rejected. Exit status 0 if all are accepted,
1 if one is rejected, 2 if a file cannot be read. It needs no package and shares no code with what writes the certificates.
docs/certificates.md has the format. A part has facts, hypotheses or lemmas with their proofs, and relations: the pieces of
each, products of facts times rows or squares, add up to the right less the left side.

It believes of a claim its hypotheses ("from"), the sides of every relation, the rows, and that the places ("where") of what is
proved, which it prints, are all that there are. Of a theorem it believes what is stated of its numbers and the model: which
forms are not negative, the quantities, and where the points go in a step. It computes what each lemma says where it is used,
that its hypotheses hold there, and the statement at the first length and at the next one.
"""

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]  # the folder of this file: in the package it has modules with names of Python's own

import json
import math
import re
from fractions import Fraction
from types import MappingProxyType

LARGEST_POWER, LARGEST_POLYNOMIAL = 200, 200_000
MALFORMED = (KeyError, ValueError, TypeError, IndexError, AttributeError, ZeroDivisionError, RecursionError)
ELEMENT, QUOTE = re.compile(r"(\w+)\[('*)([\w:]+)('*)\]"), "'"  # D[T'] is the element of D at T + 1, D['T] at T - 1
ANY, EARLIER, ONE = "t:any", "s:any", ({(): 1}, {})  # any index below the length, and any below that
IMPLIES = {">": (">",), ">=": (">=", ">"), "==": ("==",), "!=": ("!=", ">")}


class Rejected(Exception):
    """Why a certificate is not accepted."""


def require(truth, why):
    if not truth:
        raise Rejected(why)


def plus(p, q, c=1):
    """p + c q, where polynomials are coefficients by their monomials: names in order, as often as their powers say."""
    out = dict(p)
    for monomial, value in q.items():
        out[monomial] = out.get(monomial, 0) + c * value
    return {monomial: value for monomial, value in out.items() if value}


def times(p, q):
    below, other = (math.lcm(*(value.denominator for value in r.values())) for r in (p, q))
    p, q = ({a: int(value * n) for a, value in r.items()} for r, n in ((p, below), (q, other)))
    out: dict = {}
    for a, x in p.items():
        for b, y in q.items():
            monomial = tuple(sorted(a + b)) if a and b else a or b
            out[monomial] = out.get(monomial, 0) + x * y
    require(len(out) <= LARGEST_POLYNOMIAL, "a polynomial is too long")
    return {a: Fraction(x, below * other) if below * other > 1 else x for a, x in out.items() if x}


def power(p, n):
    require(type(n) is int and 0 < n <= LARGEST_POWER, f"{n!r} is no power")
    return p if n == 1 else times(p, power(p, n - 1))


def rational(text):
    require(type(text) is str and text.removeprefix("-").replace("/", "", 1).isdecimal(), f"{text!r} is no rational")
    value = Fraction(text)
    return value.numerator if value.denominator == 1 else value


def polynomial(text, called):
    """Terms such as -3/2*a^2*b[0], with + and - between them; `called` says of a name what it is called, or None."""
    require(type(text) is str, f"{text!r} is no polynomial")
    out: dict = {}
    for term in text.replace(" - ", " + -").split(" + "):
        value, names = -1 if term.startswith("-") else 1, []
        for factor in term.removeprefix("-").split("*"):
            name, _, n = factor.partition("^")
            if (own := called(name)) is not None:
                require(n == "" or (n.isdecimal() and 0 < int(n) <= LARGEST_POWER), f"{factor!r} is no power")
                names += [own] * int(n or 1)
            else:
                require(not factor.startswith("-"), f"{text!r} is no polynomial")
                value = value * rational(factor)
        monomial = tuple(sorted(names))
        out[monomial] = out.get(monomial, 0) + value
    return plus(out, {})


def scaled(p):
    """(a rational, the polynomial over it): the same for all multiples."""
    lead = Fraction(p[max(p)])
    return lead, frozenset((a, c / lead) for a, c in p.items())


def normal(p):
    """The same for all positive multiples."""
    lead, q = scaled(p)
    return lead > 0, q


def over(p, n=1):
    """1/p^n; a quotient is a polynomial, and powers of polynomials below it."""
    require(p and type(n) is int and 0 < n <= LARGEST_POWER, "a division by zero")
    lead, q = scaled(p)
    return {(): 1 / lead**n}, ({q: n} if dict(q).keys() != {()} else {})


def product(a, b):
    return times(a[0], b[0]), {p: a[1].get(p, 0) + b[1].get(p, 0) for p in {**a[1], **b[1]}}


def added(quotients):
    """The sum of quotients."""
    common: dict = {}
    for _, below in quotients:
        for p, n in below.items():
            common[p] = max(n, common.get(p, 0))
    total: dict = {}
    for top, below in quotients:
        for p, n in common.items():
            if n > below.get(p, 0):
                top = times(top, power(dict(p), n - below.get(p, 0)))
        total = plus(total, top)
    return total, common if total else {}


def less(a, b):
    return added([a, product(({(): -1}, {}), b)])


def put(value, at):
    """A quotient with quotients in the place of names."""

    def of(p):
        terms = []
        for monomial, c in p.items():
            term = {tuple(name for name in monomial if name not in at): c}, {}
            for name in monomial:
                term = product(term, at[name]) if name in at else term
            terms.append(term)
        return added(terms)

    out = of(value[0])
    for p, n in value[1].items():
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
        self.cases, self.admits, self.facts, self.powers = cases, admits, [], {}

    def polynomial(self, text):
        return polynomial(text, self.called.get)

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
        out = self.polynomial(data if type(data) is str else data[0]), {}
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

    def form(self, data, sign=1):
        return {entry(key): product(({(): sign}, {}), self.ratio(c)) for key, c in data.items()}

    def gap(self, data):
        """The right less the left side of a relation, as quotients to be added."""
        sums: dict = {}
        for form in (self.form(data["rhs"]), self.form(data["lhs"], -1)):
            for key, c in form.items():
                sums.setdefault(key, []).append(c)
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
                for i, a in vector:
                    left = product(value, a)
                    for j, b in vector:
                        sums.setdefault(("G", min(i, j), max(i, j)), []).append(product(left, b))
            else:
                strict |= own == ">"
                sums.setdefault(("",), []).append(value)
        require(op != "<" or strict, "a strict inequality without a positive constant")
        for key, terms in sums.items():
            require(not added(terms)[0], f"the pieces do not add up to the right less the left side at {key}")


def entry(text):
    """("G", i, j) with i <= j, ("v", k) or ("",)."""
    kind, *places = text.split(" ")
    require(len(places) == {"": 0, "v": 1, "G": 2}.get(kind), f"{text!r} is no entry of a form")
    require(all(p.isdecimal() and str(int(p)) == p for p in places), f"{text!r} is no entry of a form")
    return (kind, *sorted(int(p) for p in places))


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


MINUS, ALONE = ({(): -1}, {}), (False, False)


def product_of(powers):
    out = {(): 1}
    for p, n in powers:
        out = times(out, power(p, n))
    return out


def names_in(value):
    return {name for p in (value[0], *map(dict, value[1])) for monomial in p for name in monomial}


def facts_of(op, value):
    """(what is the same for all positive multiples, operator) of what a quotient says that is compared with 0."""
    p, found = signed(value), {(normal(dict(p)), "!=") for p in value[1]}
    if (
        op in (">", ">=") and len(p) == 2 and p.get((), 0) < 0 < min(c for a, c in p.items() if a)
    ):  # a - 1 >= 0, so a > 0
        found.add((normal({a: c for a, c in p.items() if a}), ">"))
    return found | ({(normal(p), op)} if p else set())


def ways_of(p, op):
    """The facts of which each says that p op 0."""
    q = normal(p), normal(plus({}, p, -1))
    if op in (">", ">="):
        return {(q[0], own) for own in IMPLIES[op]} | ({(r, "==") for r in q} if op == ">=" else set())
    square = {(normal(times(p, p)), ">")} if op == "!=" else set()
    return {(r, own) for r in q for own in IMPLIES[op]} | square


def values_of(part, data):
    """What the relations of a part say of numbers, as (operator, quotient)."""
    for relation in data["relations"]:
        gap = part.gap(relation)
        if set(gap) <= {("",)}:
            yield {"<=": ">=", "<": ">", "==": "=="}[relation["op"]], added(gap.get(("",), []))


def sum_of(forms):
    """The sum of forms, without what is zero."""
    sums: dict = {}
    for form in forms:
        for key, c in form.items():
            sums.setdefault(key, []).append(c)
    return {key: c for key, terms in sums.items() if (c := added(terms))[0]}


def times_form(c, form):
    return {key: product(c, v) for key, v in form.items()}


def image(form, vectors, values):
    """A form with vectors in the place of vectors, and forms in that of values."""
    out = []
    for (kind, *places), c in form.items():
        if kind == "v":
            out.append(times_form(c, values[places[0]]))
        elif kind == "G":
            i, j = (vectors[k].items() for k in places)
            out += [{("G", *sorted((a, b))): product(c, product(x, y))} for a, x in i for b, y in j]
        else:
            out.append({("",): c})
    return sum_of(out)


class Theorem:
    """A statement about numbers for every length: what is known of these, and the parts that show it."""

    def __init__(self, data, earlier):
        self.index, self.first, self.model, self.names = (data[k] for k in ("index", "first", "model", "names"))
        require(type(self.first) is int and self.first >= 0, "a length is a whole number")
        self.defined, self.shown, self.quotients, self.kept = {}, set(), [], {}
        self.rows = [set() for _ in self.states()]  # on which it rests, of each state
        for name, definition in data["defined"].items():
            self.defined[name] = tuple(map(self.quotient, definition))
            require(all(self.index not in names_in(q) for q in self.defined[name]), f"{name} depends on the length")
        self.statement = [(op, self.quotient(value)) for op, value in data["statement"]]
        self.stated = [(scope, op, self.quotient(value)) for scope, op, value, _ in data["stated"]]
        self.known = [*self.stated, ("length", ">=", ({(self.index,): 1, (): -self.first}, {}))]
        for state in self.states():
            self.check_step(state)
        kinds = (
            {(bool(state["sizes"]), "m" in state["at"]) for state in self.model["states"]} if self.model else {ALONE}
        )
        more = facts_of(">=", ({("m",): 1, (): -2}, {}))
        several = kinds == {(True, False)} and any(more & facts_of(op, q) for _, op, q in self.stated)
        require(
            several or kinds in ({ALONE}, {(True, False), (False, True)}), "one client, and every other number of them"
        )
        for use in data["uses"]:
            for part in use["parts"]:
                self.check(part)
            self.known += self.said(use, earlier)
        for part in data["parts"]:
            self.check(part)
        way = tuple(data["by"])
        require(way in (("base", "step"), ("direct",), ("any",)), "a base needs its step, and a step its base")
        contexts = {part["context"] for part in data["parts"]}
        at_t = all(ANY in " ".join(names_in(value)) for _, value in self.statement)
        require(at_t or way != ("any",), "at any t nothing is said of a length at which there is none")
        require(self.statement and (way == ("any",) or contexts >= set(way)), "nothing is shown of a base or of a step")
        reads = [scope == "t" and self.index in names_in(value) for scope, _, value in self.stated]
        require(len(way) == 1 or not any(reads), "what holds at every t depends on the length")
        for context in way:
            for op, value in self.statement:
                there = self.shows(op, self.moved(value, self.end(context)), context)
                require(there, f"the statement is not what is shown ({context})")
        self.scope = "t" if way == ("any",) else "length"

    def quotient(self, data):
        text, below = (data, []) if type(data) is str else data
        out = polynomial(text, self.called), {}
        for p, n in below:
            out = product(out, over(polynomial(p, self.called), n))
        return out

    def form(self, data):
        return {entry(key): self.quotient(c) for key, c in data.items()}

    def called(self, name):
        """What a name of the file stands for: some for elements of sequences."""
        return self.names.get(name, name if name[:1].isalpha() else None)

    def moved(self, value, shift, at=MappingProxyType({})):
        """A quotient with indices at other places, and others in the place of names and sequences."""
        found = {name: self.instance(name, shift, at) for name in names_in(value)}
        return put(value, {name: to for name, to in found.items() if to})

    def instance(self, name, shift, at):
        """What stands for a name; None for itself."""
        if name in at:
            return at[name]
        if name in shift:
            place, k = shift[name]
            return plus({(place,): 1} if place else {}, {(): k}), {}
        if not (element := ELEMENT.fullmatch(name)):
            return None
        sequence, back, place, ahead = element.groups()
        to, k = shift.get(place, (None, int(place)) if place.isdecimal() else (place, 0))
        k += len(ahead) - len(back)
        own = at.get((sequence,), [(ONE, sequence)])
        return added([product(self.moved(c, {ANY: (to, k)}), self.element(s, to, k) if s else ONE) for c, s in own])

    def element(self, sequence, place, k):
        """The element of a sequence; of one that is defined by that before it, and by its start."""
        if sequence in self.defined and (k > 0 or place is None):
            start, step = self.defined[sequence]
            return start if k == 0 else self.moved(step, {ANY: (place, k - 1)})
        return {(f"{sequence}[{k if place is None else QUOTE * -k + place + QUOTE * k}]",): 1}, {}

    def end(self, context):
        """Where the length is."""
        return {"base": {self.index: (None, self.first)}, "step": {self.index: (self.index, 1)}}.get(context, {})

    def facts(self, context):
        """What is known in a context, as (operator, quotient)."""
        at = {
            "base": [(None, j) for j in range(self.first)],
            "step": [(self.index, 0)],
            "any": [(ANY, 0), (EARLIER, 0)],
        }
        at["direct"] = [(self.index, -1)] * min(self.first, 1)
        for scope, op, value in self.known:
            for t in at.get(context, ()) if scope == "t" else [(None, 0) if scope == "start" else (ANY, 0)]:
                yield op, self.moved(value, {**self.end(context), ANY: t})
        for _, value in self.statement:  # which is claimed where it, and every term of its sums, is defined
            for p in [*self.moved(value, self.end(context))[1], *self.below(value)]:
                yield "!=", (dict(p), {})
        if context == "step":
            yield ">=", ({(self.index,): 1, (): -self.first}, {})
        for a, b in ((ANY, self.index), (EARLIER, ANY)) if context == "any" else ():
            yield from ((">=", ({(a,): 1}, {})), (">=", ({(b,): 1, (a,): -1, (): -1}, {})))

    def below(self, value, seen=()):
        """What stands below in the terms of the sequences of a quotient that are defined."""
        names = {match[1] for name in names_in(value) if (match := ELEMENT.fullmatch(name))} & set(self.defined)
        for name in names.difference(seen):
            yield from self.defined[name][1][1]
            yield from self.below(self.defined[name][1], (*seen, *names))

    def known_in(self, context):
        """The same, with what was shown; in a step also the statement, where that is defined."""
        now = context, len(self.known)
        if now not in self.kept:
            self.kept[now] = {(context, *fact) for own, value in self.facts(context) for fact in facts_of(own, value)}
        known = self.kept[now] | {fact for fact in self.shown if fact[0] == context}
        before = [(signed(v), op) for scope, op, v in self.stated if scope == "given" and self.index in names_in(v)]
        before += [(dict(p), "!=") for _, value in self.statement for p in value[1]]
        if context == "step" and all(any((context, *fact) in known for fact in ways_of(*one)) for one in before):
            shorter = [*self.statement, *((op, value) for scope, op, value in self.known if scope == "length")]
            known |= {(context, *fact) for own, value in shorter for fact in facts_of(own, value)}
        return known

    def holds(self, p, op, context):
        """Whether a fact is known in a context."""
        if p.keys() <= {()}:
            c = p.get((), 0)
            return {">": c > 0, ">=": c >= 0, "==": c == 0, "!=": c != 0}[op]
        known = self.known_in(context)
        if any((context, *fact) in known for fact in ways_of(p, op)) or self.of_power(p, op, context):
            return True
        if op == "==" or len(p) < 2 or (len({c > 0 for c in p.values()}) > 1 or (op != "!=" and min(p.values()) < 0)):
            return False  # else it is a sum of products of names, of one sign
        positive = {name: self.holds({(name,): 1}, ">", context) for name in names_in((p, {}))}
        least = all(yes or self.holds({(name,): 1}, ">=", context) for name, yes in positive.items())
        return least and (op == ">=" or any(all(positive[name] for name in a) for a in p))

    def of_power(self, p, op, context):
        """What is known of q^n by what is known of q."""
        names, c = max(p.items())
        element = ELEMENT.fullmatch(names[0]) if len(names) == 1 else None
        start, step = self.defined.get(element[1], (None, None)) if element else (None, None)
        own = f"{element[1]}[{ANY}]" if element else ""
        if start != ONE or any(a.count(own) != 1 for a in step[0]):
            return False
        q = {tuple(name for name in a if name != own): x for a, x in step[0].items()}, step[1]
        if any(ELEMENT.fullmatch(name) or name in (ANY, self.index) for name in names_in(q)):
            return False
        if len(p) == 1 and c > 0:
            return self.holds(signed(q), op, context)
        below = signed(less(ONE, q))
        signs = (plus({}, below, -1),) if c > 0 else (signed(q), below)
        return op == ">=" and p == {names: c, (): -c} and all(self.holds(s, op, context) for s in signs)

    def check(self, data):
        """Check a part, with hypotheses that are known in its context; what it shows is known from then on."""
        context = data["context"]

        def admits(fact, p, op):
            roots = [(polynomial(text, self.called), n) for text, n in fact.get("root", ())]  # p is their square
            square = normal(product_of([*roots, *roots])) if roots else None
            return self.holds(p, op, context) or (
                square == normal(p) and all(self.holds(q, "!=", context) for q, _ in roots)
            )

        for part, own in leaves(data, (), admits, self.called):
            require(not any(relation.get("rows") for relation in own["relations"]), "a row among numbers")
            for op, value in values_of(part, own) if not part.cases else []:
                self.shown |= {(context, *fact) for fact in facts_of(op, value)}
                self.quotients.append((context, op, value))

    def shows(self, op, value, context):
        """Whether a quotient has a sign in a context: it is one that was shown, or its polynomial has it."""
        same = (v for at, own, v in self.quotients if (at, own) == (context, op))
        return self.holds(signed(value), op, context) or any(not less(value, v)[0] for v in same)

    def check_step(self, state):
        """The quantities after a step are those before it with its points moved, in the mean over the draws."""
        now, after = (
            {name: self.form(f) for name, f in state["forms"].items() if (QUOTE in name) is later}
            for later in (False, True)
        )
        moves = [self.substitution(draw) for draw in state["moves"] or []]
        after |= {
            name: form for name, form in now.items() if not ELEMENT.fullmatch(name)
        }  # and what is one number stays it
        for name, form in after.items() if moves else ():
            there = [
                times_form(({(): Fraction(1, len(moves))}, {}), image(now[name.replace(QUOTE, "")], *move))
                for move in moves
            ]
            require(not sum_of([*there, times_form(MINUS, form)]), f"{name} is something else after the step")

    def substitution(self, draw):
        """(vectors, forms of values) that stand for others."""
        vectors = {int(i): {int(j): self.quotient(c) for j, c in v.items()} for i, v in draw["leaves"].items()}
        return vectors, {int(i): self.form(data) for i, data in draw["values"].items()}

    def asks(self, why, op, value, context):
        """What a lemma asks holds where it is used, and is defined there."""
        context = "any" if ANY in names_in(value) else context
        for p in value[1]:
            require(self.holds(dict(p), "!=", context), f"{why}: a divisor may vanish")
        require(self.shows(op, value, context), f"{why}: a condition is not shown to hold")

    def said(self, use, earlier):
        """What a lemma says where it is used: (scope, operator, quotient) of everything."""
        why, at = str(use["lemma"] or "an identity"), {name: self.quotient(q) for name, q in use["at"].items()}
        at |= {(name,): [(self.quotient(c), s) for c, s in by] for name, by in use["sequences"].items()}
        lemma, place = use["lemma"], tuple(use["place"])
        if isinstance(lemma, dict):  # which is proved here
            why, lemma = "what is shown on the way", [leaf for part in lemma["parts"] for leaf in leaves(part)]
        elif lemma is not None:
            lemma = earlier[lemma]
        for name, by in at.items() if place[0] == ANY else ():
            require(
                type(name) is str or all(ANY not in names_in(c) for c, _ in by), f"{why}: {name} depends on the length"
            )
        if use["states"]:
            return self.of_forms(use, lemma, at, why)
        inner, scope = ("any", "t") if place[0] == ANY else ("length", "length")
        if not isinstance(lemma, Theorem):
            for part, own in lemma:
                self.hypotheses(part, own, at, inner, why)
            said = [(op, self.moved(v, {}, at)) for part, own in lemma for op, v in values_of(part, own)]
            return self.written(use, said, scope, why)
        shift = {lemma.index: place}
        if lemma.model is not None and all(map(same_state, self.states(), lemma.states())):
            own = {name for state in lemma.states() for name in state["names"]}
            require(
                len(self.states()) == len(lemma.states()) and not own & set(at), f"{why}: it is about another model"
            )
            at = {name: q for name, q in at.items() if name not in lemma.model["quantities"]}
            at |= {(name,): [(ONE, name)] for name in lemma.model["quantities"]}
        elif lemma.model is not None:
            lost = {name for name in lemma.model["quantities"] if name not in at and (name,) not in at}
            at |= {name: ({(name + "#lost",): 1}, {}) for name in lost}  # of which nothing is known
            at |= {(name,): [(ONE, name + "#lost")] for name in lost}
            self.same_run(lemma, use, at, lost, why)
        t = {**shift, ANY: (EARLIER if inner == "any" else ANY, 0)}
        self.asks(why, ">=", (plus({(place[0],): 1}, {(): place[1] - lemma.first}), {}), inner)
        for name, (start, step) in lemma.defined.items():
            for k, value in (("0", start), (ANY + QUOTE, step)):
                gap = less(self.moved(({(f"{name}[{k}]",): 1}, {}), t, at), self.moved(value, t, at))
                require((name,) in at and not gap[0], f"{why}: {name} is something else here")
        for kind, op, value in lemma.stated:
            self.asks(why, op, self.moved(value, t if kind == "t" else shift, at), "any" if kind == "t" else inner)
        t = {**shift, ANY: (ANY, 0)}
        require(lemma.scope != "t" or place == (self.index, 0), f"{why}: at every t below another length")
        said = [(op, self.moved(v, t, at)) for op, v in lemma.statement]
        return self.written(use, said, "t" if lemma.scope == "t" else scope, why)

    def states(self):
        return self.model["states"] if self.model else []

    def same_run(self, lemma, use, at, lost, why):
        """The quantities of another run are what they are said to be in this one, before and after a step, and at the start."""
        require(self.model is not None, f"{why}: it is about a run")
        shift = {lemma.index: tuple(use["place"])}
        for k, (state, own) in enumerate(zip(self.model["states"], use["run"], strict=True)):
            theirs = lemma.model["states"][own["state"]]
            require(
                (theirs["sizes"], theirs["at"]) == (state["sizes"], state["at"]), f"{why}: other numbers of clients"
            )
            move, size = self.substitution(own), {name: self.quotient(n) for name, n in state["at"].items()}
            here = {name: put(q, size) if type(name) is str else q for name, q in at.items()}
            for name in lemma.rows[own["state"]]:
                self.rows[k].add(own["rows"][name])
                there = image(self.at_names(lemma.form(theirs["rows"][name]), here, shift), *move)
                same = sum_of([there, times_form(MINUS, self.form(state["rows"][own["rows"][name]]))])
                require(not same, f"{why} rests on {name}, which is not known of the run")
            for of in ("forms", "begun"):
                mine = {name: self.form(data) for name, data in state[of].items()}
                fixed = all(ANY not in names_in(c) for form in mine.values() for c in form.values())
                require(fixed or use["place"][0] != ANY, f"{why}: at a length t, of what depends on t")
                for name, data in theirs[of].items():
                    if name.partition("[")[0] not in lost:
                        there = image(self.at_names(lemma.form(data), here, shift), *move)
                        value = put(self.moved(({(name,): 1}, {}), {}, at), size)
                        same = sum_of([there, times_form(MINUS, self.as_form(value, mine))])
                        require(not same, f"{why}: {name} is something else in the run")

    def as_form(self, value, quantities):
        """A combination of quantities as a form."""
        out = []
        for monomial, c in value[0].items():
            own = [name for name in monomial if name in quantities]
            require(len(own) <= 1, "a product of quantities")
            rest = {tuple(name for name in monomial if name not in quantities): c}, value[1]
            out.append(times_form(rest, quantities[own[0]] if own else {("",): ONE}))
        return sum_of(out)

    def written(self, use, said, scope, why):
        """What is said, as the file writes it."""
        values = [(op, self.quotient(value)) for op, value in use["values"]]
        same = [op == own and not less(v, value)[0] for (op, v), (own, value) in zip(said, values, strict=True)]
        require(all(same), f"{why} says something else")
        return [(scope, op, value) for op, value in values]

    def hypotheses(self, part, data, at, context, why, known=frozenset(), shift=MappingProxyType({})):
        """The hypotheses of a part of a lemma hold where it is used."""
        require(not part.cases, f"{why}: it has cases")
        for (p, op), fact in zip(part.facts, data["facts"], strict=True):
            if "from" in fact and not ways_of(p, op) & known:
                self.asks(why, op, self.moved(self.moved((p, {}), {}, at), shift), context)

    def of_forms(self, use, lemma, at, why):
        """What a lemma about forms says in every state of the model, as a combination of the quantities there."""
        says = [(op, {name: self.quotient(c) for name, c in by.items()}) for op, by in use["says"]]
        more = {
            fact for state in self.model["states"] for p in state["sizes"] for fact in facts_of(">=", self.quotient(p))
        }
        for k, (state, own) in enumerate(zip(self.model["states"], use["states"], strict=True)):
            forms = {name: self.form(data) for name, data in state[use["of"]].items()}
            rows = {name: self.form(data) for name, data in state["rows"].items()}
            size = {name: self.quotient(n) for name, n in state["at"].items()}
            here = {name: q if type(name) is tuple else put(q, size) for name, q in at.items()}
            total = [
                [
                    times_form(product(MINUS, put(c, size)), forms[name] if name else {("",): ONE})
                    for name, c in by.items()
                ]
                for _, by in says
            ]
            if lemma:
                part, data = lemma[own["part"]]
                sizes = {fact for p in state["sizes"] for fact in facts_of(">=", self.quotient(p))}
                self.hypotheses(part, data, at, "any", why, sizes)
                require([{"<=": ">=", "==": "=="}[r["op"]] for r in data["relations"]] == [op for op, _ in says], why)
                share = {(): Fraction(1, len(own["draws"]))}, {}
                for draw, named in zip(own["draws"], own["rows"], strict=True):
                    self.rows[k] |= set(named.values())
                    move = self.substitution(draw)
                    for relation, terms in zip(data["relations"], total, strict=True):
                        for name, row in relation.get("rows", {}).items():
                            there = image(self.at_names(part.form(row), here), *move)
                            same = sum_of([there, times_form(MINUS, rows[named[name]])])
                            require(not same, f"{why} rests on {name}, which is not known of the model")
                        gap = sum_of([{key: c} for key, cs in part.gap(relation).items() for c in cs])
                        there = image(self.at_names(gap, here), *move)
                        terms.append(times_form(share, self.averaged(there, state, why) if own["mean"] else there))
            require(not any(map(sum_of, total)), f"what {why} says is something else in the quantities")
        values = [
            (op, added([product(c, ({(name,) if name else (): 1}, {})) for name, c in by.items()])) for op, by in says
        ]
        if use["of"] == "begun":
            return [("start", op, value) for op, value in values]
        out = [("t", op, value) for op, value in values]
        if any(QUOTE in name for _, by in says for name in by):
            return out
        try:  # what is about one state holds in the last one as well, where what it asks does
            for own in use["states"] if lemma else ():
                self.hypotheses(*lemma[own["part"]], at, "length", why, more, {ANY: (self.index, 0)})
        except Rejected:
            return out
        for op, value in values:
            out.append(("t", op, self.moved(value, {ANY: (ANY, 1)})))
            out.append(("length", op, self.moved(value, {ANY: (self.index, 0)})))
        return out

    def at_names(self, form, at, shift=MappingProxyType({})):
        return {key: self.moved(c, shift, at) for key, c in form.items()}

    def averaged(self, form, state, why):
        """A form of one client in the mean over the clients: deviations have products with deviations alone."""
        own, out = {int(k): spread for k, spread in state["own"].items()}, []
        for key, c in form.items():
            kind, *places = key
            require(not names_in(c) & set(state["each"]), f"{why}: a mean of what has a factor of each client")
            require(kind != "G" or not set(places) & set(own.values()), f"{why}: a mean of means")
            if kind == "v":
                key = ("v", state["means"].get(str(places[0]), places[0]))
            elif kind == "G" and set(places) & set(own):
                key = ("G", *sorted(own[k] for k in places)) if set(places) <= set(own) else None
            out += [{key: c}] if key else []
        return sum_of(out)


def same_state(one, other):
    """Whether two states have the same quantities of the same leaves: they are of one model."""
    return all(one[k] == other[k] for k in ("where", "sizes", "at", "each", "forms", "begun"))


def check_claim(claim, earlier):
    """A line on what was accepted, and what the claim is to later ones; raises Rejected."""
    verdict, scope, parts = claim["verdict"], claim["scope"], claim["parts"]
    where = [part["where"] for part in parts]
    require(verdict in ("proved", "certified"), f"{verdict!r} has no certificate")
    require((verdict == "proved") == (scope == "all"), "what is proved holds for all, what is certified is listed")
    if claim.get("theorem"):
        require(verdict == "proved", "a theorem for every length is proved or nothing")
        found = Theorem({**claim["theorem"], "parts": parts}, earlier)
        return f"proved for every {found.index} >= {found.first}, from lemmas {len(claim['theorem']['uses'])}", found
    require(parts, "there is nothing in it")
    require(all(a not in where[:k] for k, a in enumerate(where)), "two parts for one place")
    require(scope == "all" or where == scope, "the parts are not those of the scope")
    found = [leaf for part in parts for leaf in leaves(part)]
    relations = sum(len(data["relations"]) for _, data in found)
    lemmas = sum("by" in fact for _, data in found for fact in data["facts"])
    if verdict == "proved":
        check_places([*where, *claim.get("undefined", ())], claim.get("clients", "any"))
    where += [f"{claim['clients']} of the clients"] if "clients" in claim else []
    where += [f"undefined at {place}" for place in claim.get("undefined", ())]
    at = f" for {'; '.join(where)}" if verdict == "proved" and where != ["all"] else ""
    return f"{verdict}{at}, parts {len(parts)}, relations {relations}, lemmas {lemmas}", found


def check_places(where, clients):
    """The places of what is proved are all that there are: everywhere, or one client and every other number of them."""
    require(all(type(place) is str for place in where), "what is proved has a part at listed parameters")
    one, more = (
        {place.partition(", S=")[0] for place in where if place.startswith(kind)} for kind in ("m=1", "every m")
    )
    require(clients in ("any", "one", "several"), f"{clients!r} is no number of clients")
    whole = {"any": bool(one) == bool(more), "one": not more, "several": not one}[clients]
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
        except (OSError, *MALFORMED) as error:
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
