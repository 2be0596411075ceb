"""What may be chosen at a step: which values it may have, and what a search that has only some of it supports."""

from fractions import Fraction

import pytest

from fedtheory import UsageError, claim, le, verify
from problems import Run, condition, last

BITS = ("p", "q", "r", "u")
HISTORY = {
    "start": {"w": lambda x: 0 * x.n, "u": lambda x: 0 * x.n}, "outcomes": (1, -1), "sizes": {"m": (1,)},
    "quantities": {"P": lambda x: x.dot(x.u, x.n), "n2": lambda x: x.sq(x.n)},
}  # fmt: skip
WALK = {"w": lambda x, s: x.w + s * x.n}


def run(either, step):
    return Run(None, at=("w",), either=either, sizes={"m": (1,)}, step=step, quantities={"A": lambda x: x.sq(x.w)})


def doubled_at(place, either):
    """A step that doubles w where every choice is at its place, and that does nothing elsewhere."""
    want = [values[k] for values, k in zip(either.values(), place, strict=True)]
    return run(either, {"w": lambda x: 2 * x.w if [getattr(x, name) for name in either] == want else x.w})


@pytest.mark.parametrize("values", [(), 2, "ab", ("a", "b"), (0, Fraction(1, 2)), (0.5, 1), (1, True), (1, 1), [0, 1]])
def test_a_choice_is_one_of_some_whole_numbers(values):
    """A proof has every value as a size of its own; of a fraction it would be another one."""
    with pytest.raises(UsageError, match=r"either=\.\.\.\): c must be any of some whole numbers"):
        run({"c": values}, {"w": lambda x: x.c * x.w})


@pytest.mark.parametrize("k", range(16))
def test_a_search_comes_to_each_of_a_few(k):
    bits = doubled_at([k >> i & 1 for i in range(4)], dict.fromkeys(BITS, (0, 1)))
    for name, world in {"one": doubled_at([k], {"c": tuple(range(16))}), "four": bits}.items():
        assert verify(claim(f"choices/{name}", world=world.one_step)(lambda x: le(x.next.A, x.A))).verdict == "refuted"


@pytest.mark.parametrize("either", [{"c": tuple(range(200))}, dict.fromkeys(BITS, (0, 1, 2))], ids=["one", "four"])
def test_of_many_a_search_supports_nothing(either):
    rare = doubled_at([len(values) - 1 for values in either.values()], either)
    for world, body in ((rare.one_step, lambda x: le(x.next.A, x.A)), (rare, lambda x: le(x.A[x.T], x.A[0]))):
        assert verify(claim("choices/rare", world=world)(body)).verdict in ("refuted", "unknown")


def test_the_quotient_of_a_choice_is_exact():
    thirds = run({"c": (1, 2)}, {"w": lambda x: x.w * (x.c / 3)}).one_step
    assert verify(claim("choices/thirds", world=thirds)(lambda x: le(9 * x.next.A, 4 * x.A))).verdict == "proved"
    assert verify(claim("choices/sixths", world=thirds)(lambda x: le(9 * x.next.A, 3 * x.A))).verdict == "refuted"


INNER = Run(
    None, at=("y", "g"), fresh=("g",), step={"y": lambda x: x.g}, start={"y": lambda x: 0 * x.g}, index="K",
    quantities={"Y": lambda x: x.sq(x.y)}, sizes={"m": (1,)},
)  # fmt: skip
FOLLOWS = {
    "a choice": Run(
        None, at=("n", "w", "u"), either={"c": (1, -1)}, step={**WALK, "u": lambda x, s: x.u + x.c * x.w}, **HISTORY
    ),
    "a point that is new": Run(
        None, at=("n", "w", "u", "g"), fresh=("g",), step={**WALK, "u": lambda x, s: x.u + x.dot(x.g, x.w)[..., None] * x.n},
        obeys=(condition("|g| <= |n|", lambda x: le(x.sq(x.g), x.sq(x.n))),), **HISTORY,
    ),
    "a point that is new within": Run(
        None, at=("n", "w", "u", "y", "g"), step={**WALK, "u": lambda x, s: x.u + x.dot(x.y, x.w)[..., None] * x.n},
        within={"y": last(INNER, "y")}, **{**HISTORY, "sizes": {"m": (1,), "K": (1, 2)}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", FOLLOWS)
def test_what_may_depend_on_the_draws_before_is_not_supported(what):
    """Of u, that grows along w as the draws before have made it, the mean over them is not 0."""
    v = verify(claim("choices/follows", world=FOLLOWS[what])(lambda x: le(x.P[x.T] + x.n2, x.n2)))
    assert v.verdict in ("refuted", "unknown"), v.reason
    assert v.verdict == "refuted" or "may depend on the draws before" in v.reason
