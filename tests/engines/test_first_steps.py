"""The first steps of a run are a run of that many, but for means over the steps and where something reads the length."""

import pytest

from fedtheory import claim, eq, le, use
from fedtheory.engines.context import Docket
from fedtheory.engines.lemmas.compose import theorem
from fedtheory.referee.composition import verify
from problems import Run, Sequences, condition, real

MEAN = {"w_bar": ("w", lambda x, t: 1)}
QUANTITIES = {"p": lambda x: x.dot(x.w, x.g), "G": lambda x: x.sq(x.g)}
AT_MEAN = {**QUANTITIES, "P": lambda x: x.dot(x.w_bar, x.g), "c": lambda x: x.dot(x.w - x.w_bar, x.g)}
AVERAGED = Run(None, at=("w", "w_bar", "g"), means=MEAN, step={"w": lambda x: x.w + x.g}, quantities=AT_MEAN)
WEIGHTED = Run(
    None, at=("w", "w_bar", "g"), means={"w_bar": ("w", lambda x, t: x.T - t)}, step={"w": lambda x: x.w + x.g}, quantities=AT_MEAN
)  # fmt: skip
ELSEWHERE = Run(
    None, at=("w", "w_bar", "g"), means=MEAN, step={"w": lambda x: x.w + x.g},
    quantities={**QUANTITIES, "M": lambda x: x.dot(x.w_bar, x.g)},
)  # fmt: skip
SHORTER = Run(None, at=("w", "g"), step={"w": lambda x: x.w + x.g / x.T}, quantities=QUANTITIES)
ADDED = condition("D_{t+1} = D_t + a", lambda x, t: eq(x.D[t + 1], x.D[t] + x.a))


def made(name, world, body, *by):
    return claim(f"first/{name}", world=world, by=by)(body)


MEAN_IS = made("mean-is", AVERAGED, lambda x: eq(x.T * x.P, x.sum(lambda t: x.p[t], x.T)))
ADDS_UP = made(
    "adds",
    Sequences("T", sequences={"D": real()}, a=real(), every=(ADDED,)),
    lambda x: eq(x.D[x.T], x.D[0] + x.T * x.a),
)
STEP = made("step", SHORTER, lambda x, t: eq(x.p[t + 1], x.p[t] + x.G / x.T))
SUMMED = made(
    "summed", SHORTER, lambda x: eq(x.p[x.T], x.p[0] + x.G), STEP,
    use(ADDS_UP, D=lambda x, t: x.p[t], a=lambda x: x.G / x.T),
)  # fmt: skip
AT_T = made("at-t", AVERAGED, lambda x, t: eq(2 * x.c[t], 2 * t * x.G - (x.T - 1) * x.G))
MEAN_AT = made("mean-at", AVERAGED, lambda x: eq(2 * x.P, 2 * x.p[0] + (x.T - 1) * x.G))


def one_more(x, t):
    return t + 1


# false from two steps on, as the mean of p is p_0 + (T - 1) G/2 and the steps of SHORTER are G/T long

FALSE = {
    "the mean is the start": made("start", AVERAGED, lambda x: eq(x.P, x.p[0])),
    "the mean is below the last": made("last", AVERAGED, lambda x: le(x.p[x.T - 1], x.P)),
    "weights by the length": made("weights", WEIGHTED, lambda x: eq(x.P, x.p[0])),
    "the start is the mean": made("begin", AVERAGED, lambda x: eq(x.c[0], 0), MEAN_IS),
    "steps by the length": made(
        "steps", SHORTER, lambda x: eq(x.sum(lambda t: x.p[t], x.T), x.T * x.p[0] + (x.T - 1) * x.G), SUMMED
    ),
    "the first of these": made("one", SHORTER, lambda x: eq(x.p[1], x.p[0] + x.G), SUMMED),
    "a mean of fewer steps": made(
        "fewer", AVERAGED, lambda x, t: eq(2 * x.P, 2 * x.p[0] + t * x.G), use(MEAN_AT, T=one_more)
    ),
    "in another run": made(
        "other", ELSEWHERE, lambda x, t: eq(2 * x.M, 2 * x.p[0] + t * x.G), use(MEAN_AT, T=one_more)
    ),
    "of every t": made("every", AVERAGED, lambda x, t: eq(2 * x.c[t], t * x.G), use(AT_T, T=one_more)),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_not_proved(name):
    """By the engine alone, as a search refutes it."""
    assert theorem(FALSE[name], Docket()).outcome != "proves"
    assert verify(FALSE[name]).verdict == "refuted"


def test_what_fails_beyond_any_search_is_not_proved():
    """The mean is p_0 + (T - 1) G/2, and the sum of p over the steps of SHORTER is T p_0 + (T - 1) G/2."""
    far = made("far", AVERAGED, lambda x: le(x.P, x.p[0] + 1000 * x.G))
    assert verify(far).verdict != "proved"
    short = made(
        "far-steps", SHORTER, lambda x: le(x.T * x.p[0] + (x.T - 1) * x.G, 1000 * x.G + x.sum(lambda t: x.p[t], x.T)), SUMMED
    )  # fmt: skip
    assert verify(short).verdict != "proved"


TRUE = {
    "a mean is a sum": MEAN_IS,
    "steps by the length": SUMMED,
    "beside a mean": made("beside", AVERAGED, lambda x: eq(x.p[x.T], x.p[0] + x.T * x.G)),
    "a lemma about it": made("lemma", AVERAGED, lambda x: eq(x.sum(lambda t: x.c[t], x.T), 0), MEAN_IS),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_proved(name):
    """A mean is one number for the whole run, of which sums over its first steps are proved by induction."""
    found = verify(TRUE[name])
    assert found.verdict == "proved", found.reason
