"""Theorems about runs that are false since what is chosen, or new, after a step is another choice or another vector."""

from dataclasses import replace

import pytest

from fedtheory import claim, eq, le
from fedtheory.engines.context import Docket
from fedtheory.referee.decide import proof
from problems import Run, condition, positive

HALVED = {"W": lambda x: x.where(x.chosen, x.W / 2, x.W)}
SOME = Run(
    None, at=(), clients_at=("W",), selection="chosen", step=HALVED, sizes={"m": (1, 2, 3), "d": (1, 2)}, index="T",
    quantities={"S": lambda x: x.total(x.sq(x.W), over=x.chosen), "A": lambda x: x.total(x.sq(x.W))},
)  # fmt: skip
EITHER = Run(
    None, at=("w",), step={"w": lambda x: x.w * x.k}, either={"k": (0, 1)}, sizes={"d": (1, 2)}, index="T",
    quantities={"K": lambda x: x.k * x.sq(x.w), "A": lambda x: x.sq(x.w)},
)  # fmt: skip
DRAWN = Run(
    None, at=(), clients_at=("z", "y", "o", "u"), fresh=("u",), step={"z": lambda x, draw: x.where(draw, x.y, x.o)},
    quantities={
        "A": lambda x: x.mean(x.dot(x.z, x.u)), "Y": lambda x: x.mean(x.dot(x.y, x.u)),
        "O": lambda x: x.mean(x.dot(x.o, x.u)),
    },
    sizes={"m": (1, 2, 3), "d": (1, 2), "S": (1, 2)}, index="T",
)  # fmt: skip
STAYS = Run(
    None, at=("w", "v", "u"), fresh=("u",), step={"w": lambda x, draw: x.v + draw * x.v}, outcomes=(1, -1),
    quantities={"A": lambda x: x.dot(x.w, x.u), "V": lambda x: x.dot(x.v, x.u)}, sizes={"m": (1,), "d": (1, 2)}, index="T",
)  # fmt: skip


def each(x):
    """Its own scalar times the server's point."""
    return (x.a[..., None] if getattr(x.a, "ndim", 0) else x.a) * x.w


SUMMED = Run(
    None, at=("w",), clients_at=("V",), step={"w": lambda x, draw: x.total_vec(x.V, over=draw) / x.S}, a=positive(per_client=True),
    quantities={"I": lambda x: x.mean(x.dot(each(x), x.w)), "J": lambda x: x.mean(x.dot(each(x), x.mean_vec(x.V)))},
    sizes={"m": (1, 2, 3), "d": (1, 2), "S": (1, 2)}, index="T",
)  # fmt: skip

FALSE = {
    "a sum over the drawn times itself is its mean squared": (SUMMED, lambda x, t: eq(x.I[t + 1], x.J[t + 1])),
    "those selected now are those selected next": (SOME, lambda x, t: eq(4 * x.S[t + 1], x.S[t])),
    "they are no more": (SOME, lambda x, t: le(x.S[t + 1], x.S[t])),
    "the same value is chosen again": (EITHER, lambda x, t: eq(x.K[t + 1], x.K[t])),
    "what is new is known before the selection": (
        DRAWN,
        lambda x, t: eq(x.m * x.A[t + 1], x.S * x.Y[t + 1] + (x.m - x.S) * x.O[t + 1]),
    ),
    "what is new is known before the draw": (STAYS, lambda x, t: eq(x.A[t + 1], x.V[t + 1])),
}


@pytest.mark.parametrize("what", FALSE)
def test_it_is_not_proved(what):
    run, body = FALSE[what]
    v = proof(claim(f"next/{what.replace(' ', '-')}", world=run)(body), Docket())
    assert v.verdict == "unknown" and v.reason


def test_what_is_selected_now_is_known():
    v = proof(claim("next/all", world=SOME)(lambda x, t: eq(x.A[t + 1], x.A[t] - 3 * x.S[t] / 4)), Docket())
    assert v.verdict == "proved"


HALF = Run(None, at=("w",), step={"w": lambda x: x.w / 2}, quantities={"A": lambda x: x.sq(x.w)}, sizes={"d": (1, 2)})
NEAR = Run(
    None, at=("w", "e"), fresh=("e",), step={"w": lambda x: x.w / 2 + x.e},
    quantities={"A": lambda x: x.sq(x.w), "Y": lambda x: x.sq(x.e)},
    obeys=(condition("|e| <= 1", lambda x: le(x.sq(x.e), 1)),), sizes={"d": (1, 2)},
)  # fmt: skip
STEP = claim("next/half", world=HALF.one_step)(lambda x: eq(4 * x.next.A, x.A))
SMALL = claim("next/small", world=NEAR.one_step)(lambda x: le(x.Y, 1))
REFUSED = {
    "one step by a lemma": (HALF.one_step, STEP, lambda x: le(5 * x.next.A, x.A), "takes no lemmas"),
    "any error by one of at most 1": (replace(NEAR, obeys=()), SMALL, lambda x, t: le(x.Y[t], 1), "(a number, <e, e>)"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_said_why_a_lemma_is_not_used(what):
    """In words; where the condition that a lemma rests on has a number in it as well."""
    world, lemma, body, why = REFUSED[what]
    v = proof(claim("next/refused", world=world, by=(lemma,))(body), Docket())
    assert v.verdict == "unknown" and why in v.reason, v.reason
