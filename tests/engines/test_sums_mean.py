"""Sums, products, powers and sums within sums as symbols mean what a body says: their values put in, at n and at n + 1."""

import random
from fractions import Fraction
from math import prod

import pytest
import z3

from fedtheory.claim import Claim
from fedtheory.engines.certificates.theorems import ANY_TIME, Closed
from fedtheory.engines.z3.index import ANY, OWN, Counted
from fedtheory.engines.z3.terms import bare, on
from fedtheory.engines.z3.trees import constants
from fedtheory.errors import NotApplicable
from fedtheory.relation import eq
from problems import Sequences, between, positive, real

WORLD = Sequences("T", sequences={"b": positive(), "e": real()}, q=between(0, 1), p=positive())
LONG = 4


class Numbers:
    """What a body is given, in numbers."""

    def __init__(self, rng, T):
        self.T = T
        self.q, self.p = (Fraction(rng.choice([0, 1, 2, 3]), 4), Fraction(rng.choice([1, 2, 5]), 3))
        self.b, self.e = (
            [Fraction(rng.randint(1, 5)) for _ in range(LONG + 2)],
            [Fraction(rng.randint(-4, 4)) for _ in range(LONG + 2)],
        )

    def sum(self, term, n):
        return sum((term(t) for t in range(n)), Fraction(0))

    def product(self, term, n, first=0):
        return prod((term(t) for t in range(first, n)), start=Fraction(1))


def drawn(rng, depth, indices):
    """A body, drawn, as a function of x and the indices of the sums around it; the last one is the innermost."""
    kind = rng.choice(["leaf", "leaf", "+", "*", "-", "sum", "sum", "fade", "tail", "product"] if depth else ["leaf"])
    if kind == "leaf":
        return leaf(rng, indices)
    if kind in "+*-":
        a, b = drawn(rng, depth - 1, indices), drawn(rng, depth - 1, indices)
        return {
            "+": lambda x, *t: a(x, *t) + b(x, *t),
            "-": lambda x, *t: a(x, *t) - b(x, *t),
            "*": lambda x, *t: a(x, *t) * b(x, *t),
        }[kind]
    inner, up, more = drawn(rng, depth - 1, indices + 1), rng.choice([None, -1]), rng.choice([0, 0, 1])

    def to(x, t):
        return (x.T if up is None or not t else t[up]) + more

    if kind == "sum":
        return lambda x, *t: x.sum(lambda s: inner(x, *t, s), to(x, t))
    if kind == "product":
        return lambda x, *t: x.product(lambda s: inner(x, *t, s), to(x, t))
    if kind == "tail":
        factor, begin = drawn(rng, depth - 1, indices + 1), rng.choice([0, 1, 1])
        return lambda x, *t: x.sum(
            lambda s: x.product(lambda r: factor(x, *t, r), to(x, t), s + begin) * inner(x, *t, s), to(x, t)
        )
    rate, ahead = rng.choice("qp"), rng.choice([0, 1])
    return lambda x, *t: x.sum(lambda s: getattr(x, rate) ** (to(x, t) - ahead - s) * inner(x, *t, s), to(x, t))


def leaf(rng, indices):
    """A number, an element, a power or an index, of the length or of the sums around it."""
    which = rng.randrange(-1, indices)
    at = rng.choice([0, 0, 1])
    kind = rng.choice(["b", "e", "q", "n", "power", "index"])

    def of(x, t):
        return x.T if which < 0 else t[which]

    return {
        "b": lambda x, *t: x.b[of(x, t) + at],
        "e": lambda x, *t: x.e[of(x, t)],
        "q": lambda x, *t: x.q,
        "n": lambda x, *t: Fraction(3, 2) * x.p,
        "power": lambda x, *t: x.q ** (of(x, t) + at),
        "index": lambda x, *t: of(x, t) * x.p,
    }[kind]


class Meaning:
    """The values of symbols by what they are called, for numbers and a length."""

    def __init__(self, called, x):
        self.of, self.x = {name: (kind, inside, to) for (kind, *_), (name, inside, *to) in called.items()}, x

    def value(self, term, places):
        """A term, with what the indices of sums are."""
        names = {}
        stack = [term]
        while stack:
            one = stack.pop()
            stack += one.children()
            if not one.children() and one.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                names[one.decl().name()] = one
        put = [(one, self.number(self.named(name, places))) for name, one in names.items()]
        found = z3.simplify(z3.substitute(term, *put))
        return Fraction(found.numerator_as_long(), found.denominator_as_long())

    @staticmethod
    def number(value):
        return z3.Q(Fraction(value).numerator, Fraction(value).denominator)

    def named(self, name, places):
        places = {"T": self.x.T, **places}
        if name in places:
            return places[name]
        if "[" in name:
            sequence, _, at = name.rstrip("]").partition("[")
            bare_name = at.strip("'")
            return getattr(self.x, sequence)[places[bare_name] + at.count("'")]
        if name in ("q", "p"):
            return getattr(self.x, name)
        kind, inside, to = self.of[name]
        if kind == "power":
            return self.value(inside, places) ** places[to[0]]
        last, of = (places[to[1]], to[-1]) if kind == "upto" else (self.x.T, kind)
        total = Fraction(of == "product")
        for s in range(last):
            term = self.value(inside, {**places, to[0]: s, OWN: total})
            total = {"faded": term, "sum": total + term, "product": total * term}[of]
        return total


def bodies(count, seed):
    rng = random.Random(seed)
    return [drawn(rng, rng.choice([2, 3, 3, 4]), 0) for _ in range(count)]


@pytest.mark.parametrize("seed", range(6))
def test_symbols_mean_what_the_body_says(seed):
    """At n and, in the symbols of n, at n + 1."""
    rng, seen = random.Random(seed), 0
    for body in bodies(60, seed):
        numbers = Counted("T", 1)
        try:
            terms = []
            for ahead in (0, 1):
                numbers.ahead = ahead
                x, _ = on(numbers, WORLD, {"T": 1})
                value = body(x)
                terms.append(bare(value.reshape(-1)[0] if hasattr(value, "reshape") else value))
        except NotApplicable:
            continue
        for n in (1, 2, 3):
            own = Numbers(rng, n)
            meaning = Meaning(numbers.called, own)
            for ahead, term in enumerate(terms):
                own.T = n + ahead
                says = body(own)
                own.T = n
                assert meaning.value(term, {}) == says, (term, n, ahead)
                seen += 1
    assert seen > 60


@pytest.mark.parametrize("seed", range(6))
def test_what_the_checker_is_told_means_the_same(seed):
    """Each sequence by its start and step, as the stand-alone checker reads them."""
    rng, seen = random.Random(seed), 0
    for body in bodies(60, seed):
        try:
            closed = Closed(Claim("means/one", lambda x, body=body: eq(body(x), 0), WORLD), {})
            numbers = Counted("T", 1, closed.called)
            value = body(on(numbers, WORLD, {"T": 1})[0])
            defined, names = closed.symbols()
        except Exception as error:  # which has no certificate
            assert isinstance(error, NotApplicable) or type(error).__name__ == "NotClosed", error
            continue
        bare(value.reshape(-1)[0] if hasattr(value, "reshape") else value)
        for n in (1, 3):
            own = Numbers(rng, n)
            meaning = Meaning(closed.called, own)
            tables = sequences(defined, names, own)
            for (kind, *_), (name, inside, *to) in closed.called.items():
                if kind in ("sum", "faded", "product") and not reads_others(closed, inside, to[0]):
                    assert tables(names[name].partition("[")[0], n) == meaning.named(name, {}), (name, defined)
                    seen += 1
    assert seen > 20


def reads_others(closed, inside, own):
    """Whether a term of a sum reads the index of one around it: it is no sequence of the length alone."""
    behind = {name: (kind, within, to) for (kind, *_), (name, within, *to) in closed.called.items()}
    for name in constants([inside]):
        kind, within, to = behind.get(name, ("", None, []))
        at = {"power": to[:1], "upto": to[1:2]}.get(kind, [])
        if ANY in name.replace(own, "") or any(one.startswith(ANY) and one != own for one in at):
            return True
        if kind in ("sum", "faded", "product") and reads_others(closed, within, to[0]):
            return True
    return False


def sequences(defined, names, own):
    """The elements of the sequences, from starts and steps in text."""

    def element(sequence, n):
        if sequence in ("b", "e"):
            return getattr(own, sequence)[n]
        start, step = defined[sequence]
        return quotient(start, n - 1) if n == 0 else quotient(step, n - 1)

    def quotient(text, t):
        top, below = (text, []) if isinstance(text, str) else text
        value = polynomial(top, t)
        for p, k in below:
            value /= polynomial(p, t) ** k
        return value

    def polynomial(text, t):
        total = Fraction(0)
        for term in text.replace(" - ", " + -").split(" + "):
            value = Fraction(1)
            for factor in term.split("*"):
                name, _, power = factor.partition("^")
                sign, name = (-1, name[1:]) if name.startswith("-") else (1, name)
                value *= sign * atom(names.get(name, name), t) ** int(power or 1)
            total += value
        return total

    def atom(name, t):
        if name == ANY_TIME or name.startswith(ANY):
            return Fraction(t)
        if "[" in name:
            sequence, _, at = name.rstrip("]").partition("[")
            return element(sequence, (own.T if at.strip("'") == "T" else t) + at.count("'"))
        if name in ("q", "p"):
            return getattr(own, name)
        return Fraction(own.T) if name == "T" else Fraction(name)

    return element
