"""Roots of numbers in proofs, r >= 0 with r^2 = u: what is false by a little is refuted, what is nowhere says nothing."""

import pytest

from fedtheory import claim, eq, le, lt, verify
from problems import Points, Scalars, condition, positive, real

ONE, TWO, ANY = Scalars(a=positive()), Scalars(a=positive(), b=positive()), Scalars(a=real(), b=real())
ORDERED = Scalars(a=positive(), b=positive(), given=(condition("a <= b", lambda x: le(x.a, x.b)),))


def root(x, n):
    return x.sqrt(x.ratio(n, 1))


def phi(x):
    return (1 + root(x, 5)) / 2


def tuned(x):
    """The best step of a/eta + b eta."""
    return x.sqrt(x.a / x.b)


# (world, true, false)
PLANTED = {
    "two means": (TWO, lambda x: le(2 * x.sqrt(x.a * x.b), x.a + x.b),
                  lambda x: le(200 * x.sqrt(x.a * x.b), 99 * (x.a + x.b))),
    "of a sum": (TWO, lambda x: le(x.sqrt(x.a + x.b), x.sqrt(x.a) + x.sqrt(x.b)),
                 lambda x: le(x.sqrt(x.a) + x.sqrt(x.b), x.sqrt(x.a + x.b))),
    "conjugates": (TWO, lambda x: eq((x.sqrt(x.a) - x.sqrt(x.b)) * (x.sqrt(x.a) + x.sqrt(x.b)), x.a - x.b),
                   lambda x: eq((x.sqrt(x.a) - x.sqrt(x.b)) ** 2, x.a - x.b)),
    "of two, above": (ONE, lambda x: le(root(x, 2), x.ratio(141421357, 10**8)),
                      lambda x: le(root(x, 2), x.ratio(141421356, 10**8))),
    "of two, below": (ONE, lambda x: le(x.ratio(141421356, 10**8), root(x, 2)),
                      lambda x: le(x.ratio(141421357, 10**8), root(x, 2))),
    "golden": (ONE, lambda x: eq(phi(x) ** 2, phi(x) + 1), lambda x: eq(phi(x) ** 3, 2 * phi(x) + 2)),
    "monotone": (ORDERED, lambda x: le(x.sqrt(x.a), x.sqrt(x.b)), lambda x: le(x.sqrt(x.b), x.sqrt(x.a))),
    "tuned": (TWO, lambda x: eq(x.a / tuned(x) + x.b * tuned(x), 2 * x.sqrt(x.a * x.b)),
              lambda x: le(100 * (x.a / tuned(x) + x.b * tuned(x)), 199 * x.sqrt(x.a * x.b))),
    "nested": (ONE, lambda x: eq(x.sqrt(x.sqrt(x.a)) ** 4, x.a), lambda x: eq(x.sqrt(x.sqrt(x.a)) ** 2, x.a)),
    "where it is": (ANY, lambda x: le(0, x.a - x.b + x.sqrt(x.a - x.b)), lambda x: le(0, x.sqrt(x.a - x.b) - x.a + x.b)),
    "absolute": (ANY, lambda x: le(x.a, x.sqrt(x.a**2)), lambda x: eq(x.a, x.sqrt(x.a**2))),
    "not negative": (ANY, lambda x: le(0, x.sqrt(x.a)), lambda x: lt(0, x.sqrt(x.a))),
    "of a square": (ONE, lambda x: eq(x.sqrt(x.a**2 + 2 * x.a + 1), x.a + 1), lambda x: eq(x.sqrt(x.a**2 + 1), x.a + 1)),
    "Pythagoras": (TWO, lambda x: le(x.a + x.b, root(x, 2) * x.sqrt(x.a**2 + x.b**2)),
                   lambda x: le(x.a + x.b, x.ratio(14, 10) * x.sqrt(x.a**2 + x.b**2))),
    "concave": (TWO, lambda x: le((x.sqrt(x.a) + x.sqrt(x.b)) / 2, x.sqrt((x.a + x.b) / 2)),
                lambda x: le(x.sqrt((x.a + x.b) / 2), (x.sqrt(x.a) + x.sqrt(x.b)) / 2)),
    "tangent": (ONE, lambda x: le(x.sqrt(x.a), (x.a + 1) / 2), lambda x: le(x.sqrt(x.a), (x.a + x.ratio(99, 100)) / 2)),
}  # fmt: skip


def verdict(world, body):
    return verify(claim("planted/root", world=world)(body))


@pytest.mark.parametrize("name", PLANTED)
def test_no_verdict_is_wrong(name):
    world, true, false = PLANTED[name]
    said = verdict(world, true)
    assert said.verdict == "proved", (said.verdict, said.reason)
    said = verdict(world, false)
    assert said.verdict == "refuted", (said.verdict, said.reason)


@pytest.mark.parametrize("nowhere", [
    lambda x: le(x.sqrt(-x.a), -1), lambda x: (le(0, x.a), le(x.sqrt(-x.a - x.b), x.b)), lambda x: lt(x.sqrt(-x.a - 1), x.a),
])  # fmt: skip
def test_of_what_is_defined_nowhere_nothing_is_proved(nowhere):
    said = verdict(TWO, nowhere)
    assert said.verdict == "unknown" and "undefined wherever" in said.reason


def test_a_lemma_with_a_root_is_used_nowhere():
    """It may be undefined there: a theorem for every length has no roots, and a lemma with one is refused."""
    less = claim("planted/lemma", world=ANY)(lambda x: le(0, x.sqrt(x.a)))
    theorem = claim("planted/theorem", world=ANY, by=(less,))(lambda x: le(0, x.a))
    said = verify(theorem)
    assert said.verdict == "refuted" or ("root" in said.reason and said.verdict == "unknown"), said.reason


def test_roots_of_vectors_are_roots_of_inner_products():
    pair = Points(None, at=("u", "v"))
    true = verdict(pair, lambda x: le(x.dot(x.u, x.v), x.sqrt(x.sq(x.u)) * x.sqrt(x.sq(x.v))))
    assert true.verdict == "proved"
