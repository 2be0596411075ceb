"""Claims about every length that fail beyond the listed ones: certificates at these do not hide it."""

from fractions import Fraction

import pytest

import fedtheory
from fedtheory import claim, eq, le
from fedtheory.engines.counterexamples.witness import free_of
from fedtheory.errors import UsageError
from problems import Run, Sequences, Smooth, at_least, between, condition, last, positive

D = {"D": at_least(0)}
FALLS = condition("D_{t+1} <= D_t", lambda x, t: le(x.D[t + 1], x.D[t]))
CONTRACTS = condition("D_{t+1} <= q D_t", lambda x, t: le(x.D[t + 1], x.q * x.D[t]))
GROWS = condition("D_{t+1} <= D_t + e", lambda x, t: le(x.D[t + 1], x.D[t] + x.e))
FREE = Sequences("T", a=positive())
FALLING = Sequences("T", sequences=D, every=(FALLS,))
CONTRACTION = Sequences("T", q=between(0, 1, closed=False), sequences=D, every=(CONTRACTS,))
GROWTH = Sequences("T", e=positive(), sequences=D, every=(GROWS,))
RATIO = Sequences("T", q=between(0, 1, closed=False))

FALSE = {
    "T a <= 3 a": (FREE, lambda x: le(x.T * x.a, 3 * x.a)),
    "T^2 a <= 4 T a": (FREE, lambda x: le(x.T**2 * x.a, 4 * x.T * x.a)),
    "2^T a <= 2 T^2 a": (
        Sequences("T", a=positive(), first=1, lengths=(1, 2, 3, 4)),
        lambda x: le(2**x.T * x.a, 2 * x.T**2 * x.a),
    ),
    "sum_t D_t <= 3 D_0": (FALLING, lambda x: le(x.sum(lambda t: x.D[t], x.T), 3 * x.D[0])),
    "sum_t q^t <= 1 + q + q^2 + q^3": (
        RATIO,
        lambda x: le(x.sum(lambda t: x.q**t, x.T), 1 + x.q + x.q**2 + x.q**3 / 2),
    ),
    "D_T <= D_0 + 3 e": (GROWTH, lambda x: le(x.D[x.T], x.D[0] + 3 * x.e)),
    "sum of contractions": (CONTRACTION, lambda x: le(x.sum(lambda t: x.D[t], x.T), (1 + x.q + x.q**2) * x.D[0])),
}
TRUE = {
    "sum_t D_t <= T D_0": (FALLING, lambda x: le(x.sum(lambda t: x.D[t], x.T), x.T * x.D[0])),
    "D_T <= D_0 + T e": (GROWTH, lambda x: le(x.D[x.T], x.D[0] + x.T * x.e)),
    "T a <= T^2 a": (FREE, lambda x: le(x.T * x.a, x.T**2 * x.a)),
    "q^T <= 1/T": (Sequences("T", q=between(0, Fraction(1, 2), closed=False)), lambda x: le(x.T * x.q**x.T, 1)),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_beyond_the_listed_lengths_is_refuted_there(name):
    world, body = FALSE[name]
    c = claim("draft/longer", world=world)(body)
    v = fedtheory.verify(c)
    assert v.verdict == "refuted", (v.verdict, v.scope, v.reason)
    assert v.witness["shape"]["T"] > max(world.sizes["T"])
    assert free_of(v.witness, world).shape == v.witness["shape"]


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_at_every_length_is_not_refuted(name):
    world, body = TRUE[name]
    v = fedtheory.verify(claim("draft/longer", world=world)(body))
    assert v.verdict in ("proved", "certified"), (v.verdict, v.reason)


@pytest.mark.parametrize(
    "more", [{"D4": at_least(1)}, {"derived": {"D17": lambda x: x.D[0]}}, {"sequences": {**D, "D9": at_least(0)}}]
)
def test_what_an_element_is_called_is_no_other_name(more):
    with pytest.raises(UsageError, match="is what an element of a sequence is called"):
        Sequences("T", **{"sequences": D, **more})


def test_lengths_that_the_body_does_not_take_are_left_out():
    table = (0, 1, 3, 6)
    grows = condition("D_{t+1} <= D_t + (t + 1) c", lambda x, t: le(x.D[t + 1], x.D[t] + (t + 1) * x.c))
    world = Sequences("T", sequences=D, c=positive(), every=(grows,))
    v = fedtheory.verify(
        claim("draft/table", world=world)(lambda x: le(x.exp(x.D[x.T]), x.exp(x.D[0] + table[x.T] * x.c)))
    )
    assert v.verdict == "certified" and {shape["T"] for shape in v.scope} <= set(range(len(table))), (v.reason, v.scope)


@pytest.mark.parametrize("power", [lambda n: n**n, lambda n: 10**n])
def test_powers_that_are_too_large_there_are_left_out(power):
    """Integers of millions of digits, from which neither z3 nor the fast rationals come back."""
    world = Sequences("T", sequences=D, q=between(0, 1))
    v = fedtheory.verify(claim("draft/power", world=world)(lambda x: le(x.q ** power(x.T), x.exp(x.q))))
    assert v.verdict in ("supported", "certified"), v.reason


def test_an_instance_may_be_longer_than_what_is_listed():
    world = Sequences("T", sequences=D, every=(FALLS,), given=(condition("T >= 5", lambda x: le(5, x.T)),))
    v = fedtheory.verify(claim("draft/long", world=world)(lambda x: le(5 * x.D[x.T], x.T * x.D[x.T])))
    assert v.verdict == "proved", v.reason


# runs, and steps of a run within each step, which are listed up to 3 and up to 2

AWAY = {"eta": positive(), "start": {"w": lambda x: x.w - x.w}, "step": {"w": lambda x: x.w - x.eta * x.h}}
STRAIGHT = Run(None, at=("w", "h"), quantities={"a": lambda x: x.sq(x.w), "g": lambda x: x.sq(x.h)}, **AWAY)
WITHIN = Run(
    None, at=("h",), clients_at=("w",), index="K", sizes={"m": (1,)}, quantities={"a": lambda x: x.sq(x.w)}, **AWAY
)
EXPANDING = Run(
    Smooth("L"), at=("w", "v"), sizes={"m": (1,)}, L=positive(), eta=positive(),
    given=(condition("eta <= 1/(4 L)", lambda x: le(4 * x.eta * x.L, 1)),),
    step={"w": lambda x: x.w - x.eta * (x.f.grad(x.w) - x.f.grad(x.v))}, quantities={"D": lambda x: x.sq(x.w - x.v)},
)  # fmt: skip


def rounds(*steps):
    return Run(
        None, at=("h", "v"), clients_at=("w",), within={"w": last(WITHIN, "w")}, eta=positive(), sizes={"K": steps, "m": (1, 2)},
        step={"v": lambda x: x.mean_vec(x.w)}, quantities={"a": lambda x: x.mean(x.sq(x.w)), "g": lambda x: x.sq(x.h)},
    )  # fmt: skip


NEAR = condition("|n| <= eps", lambda x: le(x.sq(x.n), x.eps**2))


def errors(step, **more):
    """A run from 0, on which an error of at most eps is added at every step."""
    return Run(
        None, at=("w", "n"), fresh=("n",), eps=positive(), sizes={"m": (1,)}, obeys=(NEAR,), start={"w": lambda x: x.w - x.w},
        step={"w": step}, quantities={"a": lambda x: x.sq(x.w)}, **more,
    )  # fmt: skip


LATE_RUNS = {
    "|w_T| <= 50 eps": ("T", errors(lambda x: x.w + x.n), lambda x: le(x.a[x.T], 2500 * x.eps**2)),
    "E|w_T|^2 <= (3 + T/2) eps^2": (
        "T", errors(lambda x, sign: x.w + sign * x.n, outcomes=(1, -1)), lambda x: le(2 * x.a[x.T], (6 + x.T) * x.eps**2)),
    "|w_T|^2 <= 8 T eta^2 |h|^2": ("T", STRAIGHT, lambda x: le(x.a[x.T], 8 * x.T * x.eta**2 * x.g)),
    "|w_T - v|^2 <= (1 + 4 T) |w_0 - v|^2": ("T", EXPANDING, lambda x: le(x.D[x.T], (1 + 4 * x.T) * x.D[0])),
    "|w_K|^2 <= 8 K eta^2 |h|^2": ("K", rounds(1, 2), lambda x, t: le(x.a[t], 8 * x.K * x.eta**2 * x.g)),
}  # fmt: skip


@pytest.mark.parametrize("name", LATE_RUNS)
def test_what_fails_along_longer_runs_is_refuted_there(name):
    index, world, body = LATE_RUNS[name]
    v = fedtheory.verify(claim("draft/longer-run", world=world)(body))
    assert v.verdict == "refuted", (v.verdict, v.scope, v.reason)
    assert v.witness["shape"][index] > max(world.sizes[index])
    assert free_of(v.witness, world).shape == v.witness["shape"]


def test_one_step_within_is_no_other_number_of_them():
    v = fedtheory.verify(claim("draft/one-step", world=rounds(1))(lambda x, t: eq(x.a[t], x.eta**2 * x.g)))
    assert v.verdict in ("certified", "proved"), v.reason
