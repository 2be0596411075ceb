"""Lemma 5: bounded client drift, and the bounds (21), (22), (23) of its proof at the method's iterates (Section A.4.2).

The drift of one client feeds on itself: errors of one sign add up over the local rounds. (21) and (22) lose this, and
(23) fails for a late round when R is large; the average over the rounds, which is Lemma 5, holds all the same.
"""

from fractions import Fraction

from fedtheory import Control, claim, le, lemma
from fedtheory.theory.pfedme.conditions import LAM_2L, LAM_2RHO, STEP_LEMMA_5
from fedtheory.theory.pfedme.constants import L_F, drift, eta_tilde
from fedtheory.theory.pfedme.round import bound_21, bound_22, bound_23, local_rounds
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import CURVATURE, STEP
from problems import Smooth, WeaklyConvex, between

from ..worlds.round import pfedme_round
from .all_rounds import eq22_every_R, eq23_every_R, lemma5_every_R
from .local_step import unrolling
from .unrolled import eq21_every_R

# the selection plays no part, so S = 1


def points(x, r):
    """The points of the local round r, as `local_step` calls them."""
    errors = {"e": x.error[r]} if r < x.R else {}
    return {"w": x.state.w, "w_r": local_rounds(x)[0][r], **errors}


def up_to_R(first):
    """The lengths `first` to R - 1."""
    return lambda x: range(first, x.R)


def assumption_1(R):
    """R local rounds on clients with rho = 0, Assumption 1(a), or rho = L, Assumption 1(b)."""
    given = (LAM_2RHO, STEP_LEMMA_5)
    return pfedme_round(WeaklyConvex("rho"), optimum_of=None, given=given, R=R, S=(1,), **symbols("rho"))


def assumption_1b(R, **ranges):
    """R local rounds on clients of Assumption 1(b)."""
    given = (LAM_2L, STEP_LEMMA_5)
    return pfedme_round(Smooth("L"), optimum_of=None, given=given, R=R, S=(1,), **(symbols("L") | ranges))


def grad_sq(x):
    """|grad F_i(w_t)|^2, ``(..., m)``."""
    return x.sq(x.F.grad(x.state.w))


def distances_sq(x):
    """|w_{i,r} - w_t|^2 for the local rounds r = 0 .. R-1."""
    return [x.sq(W - x.state.w) for W in local_rounds(x)[0][:-1]]


@claim(
    "pfedme/lemma5",
    world=assumption_1(R=(1, 2, 3, 16)),
    control=Control(
        "with R = 1 the left side is lam^2 delta^2, and for small eta the right side twice that", share="2/5"
    ),
    uses=("pfedme/eq23", "pfedme/lemma5-proof-s7"),
    given=(lemma(lemma5_every_R, along=points, at={"n": lambda x: x.R}),),
    note="delta bounds E|theta_tilde - theta_hat|^2 by delta^2, as in Lemma 1; Section 3.2 prints the first moment.",
)
def lemma5(x, share=1):
    return le(drift(x), share * bound_23(x, x.mean(grad_sq(x))))


def unrolled(x, total):
    """(21) for every local round r = 1 .. R-1 of every client, with `total` for its sum over r."""
    G_sq, away_sq = grad_sq(x), distances_sq(x)
    right = bound_21(x, G_sq, total)
    return tuple(le(unrolling(x, away_sq[r - 1], G_sq, x.delta**2), right, f"r = {r}") for r in range(1, x.R))


def all_powers(x):
    """Sum of (2(1 + 1/R))^r for r < R."""
    return sum((2 * (1 + 1 / x.R)) ** r for r in range(x.R))


UNROLL = Control(
    "at r = 1 the left side is 2(1 + 2R) eta^2 G + 4 eta^2 lam^2 delta^2, which a hundredth of the bound cannot hold",
    share="1/100",
)


@claim(
    "pfedme/eq21",
    world=assumption_1b(R=(2, 3, 6, 12)),
    control=UNROLL,
    repair="pfedme/eq21~repaired",
    uses=("pfedme/eq20-e", "pfedme/lemma5-proof-s2-b"),
    step=True,
    note="The stated reason is the unrolling of (20), a_r <= 2(1 + 1/R) a_{r-1} + b, whose sum has the power r on the "
    "factor 2 as well. Read at the iterates of the method itself, r = 1 .. R-1, under Assumption 1(b).",
)
def eq21(x, share=1):
    return unrolled(x, share * sum(2 * (1 + 1 / x.R) ** r for r in range(x.R)))


@claim(
    "pfedme/eq21~repaired",
    world=assumption_1(R=(2, 3, 6, 12)),
    control=UNROLL,
    uses=("pfedme/eq20-e", "pfedme/lemma5-proof-s2-b"),
    given=(
        lemma(
            eq21_every_R,
            along=points,
            at={"n": lambda x, r: r - 1, "whole": lambda x, r: all_powers(x)},
            over=up_to_R(1),
        ),
    ),
    step=True,
    note="(2(1 + 1/R))^r in place of 2(1 + 1/R)^r; the sum then grows like 2^R and no longer gives (22).",
)
def eq21_repaired(x, share=1):
    return unrolled(x, share * all_powers(x))


def displaced(x, right):
    """(22) with its right side: |w_{i,r} - w_t|^2 <= `right` for r = 1 .. R-1."""
    return tuple(le(away_sq, right, f"r = {r}") for r, away_sq in enumerate(distances_sq(x)) if r)


def without_decay(x):
    """3 |grad F_i(w_t)|^2 + lam^2 delta^2/4: the bracket of (22) and (23) whose noise does not fall with R."""
    return 3 * grad_sq(x) + x.lam**2 * x.delta**2 / 4


NEAR_START = Control(
    "at r = 1 the left side is eta^2 |grad F_i - lam e|^2, which a hundredth of the bound cannot hold for R = 2",
    share="1/100",
)


@claim(
    "pfedme/eq22@iterates",
    world=assumption_1b(R=(2, 3, 20)),
    control=NEAR_START,
    repair="pfedme/eq22~repaired",
    uses=("pfedme/eq20-e", "pfedme/eq21", "pfedme/eq22"),
    step=True,
    note="What (20) to (22) say of the method: |w_{i,r} - w_t|^2 for r = 1 .. R-1 against the right side of (22), under "
    "Assumption 1(b). Errors of one sign move w_{i,r} by about r eta lam delta, and r^2 outgrows 16 R; for L near lam/2 "
    "it fails from R = 12 on.",
)
def eq22_iterates(x, share=1):
    return displaced(x, share * bound_22(x, grad_sq(x)))


@claim(
    "pfedme/eq22~repaired",
    world=assumption_1(R=(2, 3, 16)),
    control=NEAR_START,
    uses=("pfedme/eq20-a",),
    given=(lemma(eq22_every_R, along=points, at={"n": lambda x, r: r}, over=up_to_R(1)),),
    step=True,
    note="lam^2 delta^2/4 in place of 2 lam^2 delta^2/R: the noise does not fall with R.",
)
def eq22_repaired(x, share=1):
    return displaced(x, share * 8 * eta_tilde(x) ** 2 / x.beta**2 * without_decay(x))


def each_round(x, right):
    """(23) with its right side: |g_{i,r} - grad F_i(w_t)|^2 <= `right` for r = 0 .. R-1."""
    G = x.F.grad(x.state.w)
    return tuple(le(x.sq(g - G), right, f"r = {r}") for r, g in enumerate(local_rounds(x)[1]))


FIRST_ROUND = Control(
    "at r = 0 the left side is lam^2 delta^2, and for small eta the right side twice that", share="2/5"
)


@claim(
    "pfedme/eq23",
    world=assumption_1b(
        R=(2, 24, 26),
        lam=between(1, Fraction(101, 100), CURVATURE),
        L=between(Fraction(12, 25), Fraction(1, 2), CURVATURE),
        eta=between(Fraction(1, 54), Fraction(1, 48), STEP),
    ),
    control=FIRST_ROUND,
    repair="pfedme/eq23~repaired",
    uses=("pfedme/eq19-c", "pfedme/eq22@iterates"),
    step=True,
    note="For every client and every r = 0 .. R-1, under Assumption 1(b). Looked at with lam near 1, which is no "
    "restriction by the units, L near lam/2 and eta near 1/(2 R L_F): there errors of one sign take the last rounds "
    "beyond the bound once R >= 15.",
)
def eq23(x, share=1):
    return each_round(x, share * bound_23(x, grad_sq(x)))


@claim(
    "pfedme/eq23~repaired",
    world=assumption_1(R=(2, 3, 16)),
    control=FIRST_ROUND,
    uses=("pfedme/eq19-c", "pfedme/eq22~repaired"),
    given=(lemma(eq23_every_R, along=points, at={"n": lambda x, r: r + 1}, over=up_to_R(0)),),
    step=True,
    note="lam^2 delta^2/4 in place of 2 lam^2 delta^2/R, as in the repaired (22).",
)
def eq23_repaired(x, share=1):
    step_sq = 16 * eta_tilde(x) ** 2 * L_F(x) ** 2 / x.beta**2
    return each_round(x, share * (2 * x.lam**2 * x.delta**2 + step_sq * without_decay(x)))
