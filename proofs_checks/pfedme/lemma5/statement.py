"""Lemma 5: bounded client drift, and the bounds (21), (22), (23) of its proof at the method's iterates (Section A.4.2).

The drift of one client feeds on itself: errors of one sign add up over the local rounds. (21) and (22) lose this, and
(23) fails for a late round when R is large; the average over the rounds, which is Lemma 5, holds all the same.
"""

from fractions import Fraction

from fedtheory import Control, claim, le, use
from fedtheory.theory.pfedme.conditions import LAM_2L, STEP_LEMMA_5
from fedtheory.theory.pfedme.constants import L_F, eta_tilde
from fedtheory.theory.pfedme.round import bound_21, bound_22, bound_23, local_rounds
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import CURVATURE, STEP
from problems import Smooth, between, positive

from ..worlds.round import pfedme_round
from .all_rounds import DELTA, WITHIN_DELTA, eq22_every_R, eq23_every_R, lemma5_every_R, without_decay
from .local_step import error_sq, grad_sq, local_run, off, unrolling
from .unrolled import eq21_every_R, eq21_positive, eq21_powers, factor

# the selection plays no part, so S = 1


def all_rounds(*given, **options):
    """R local rounds on clients with rho = 0, Assumption 1(a), or rho = L, Assumption 1(b); any beta > 0, as Lemma 5 has it."""
    return local_run(
        STEP_LEMMA_5,
        *given,
        index="R",
        first=1,
        lengths=(1, 2, 3, 16),
        every=(WITHIN_DELTA,),
        beta=positive(),
        **DELTA,
        **options,
    )


OF_A_CLIENT = all_rounds()
OF_ALL_CLIENTS = {"V": lambda x: x.mean(off(x)), "G_sq": lambda x: x.mean(grad_sq(x)), "e_sq": error_sq}
IN_THE_MEAN = all_rounds(m=(1, 2, 3, 5), quantities=OF_ALL_CLIENTS)


def drift(x):
    """Mean over clients and local rounds of |g_{i,r} - grad F_i(w_t)|^2, the left side of Lemma 5."""
    return x.sum(lambda r: x.V[r], x.R) / x.R


def assumption_1b(R, **ranges):
    """R local rounds on clients of Assumption 1(b)."""
    given = (LAM_2L, STEP_LEMMA_5)
    return pfedme_round(Smooth("L"), optimum_of=None, given=given, R=R, S=(1,), **(symbols("L") | ranges))


def gradients_sq(x):
    """|grad F_i(w_t)|^2, ``(..., m)``."""
    return x.sq(x.F.grad(x.state.w))


def distances_sq(x):
    """|w_{i,r} - w_t|^2 for the local rounds r = 0 .. R-1."""
    return [x.sq(W - x.state.w) for W in local_rounds(x)[0][:-1]]


@claim(
    "pfedme/lemma5",
    world=IN_THE_MEAN,
    by=(lemma5_every_R,),
    control=Control(
        "with R = 1 the left side is lam^2 delta^2, and for small eta the right side twice that", share="2/5"
    ),
    uses=("pfedme/eq23", "pfedme/lemma5-proof-s7"),
    note="For every R and every number of clients. delta bounds E|theta_tilde - theta_hat|^2 by delta^2, as in Lemma 1; "
    "Section 3.2 prints the first moment.",
)
def lemma5(x, share=1):
    return le(drift(x), share * bound_23(x, x.G_sq))


def unrolled(x, total):
    """(21) for every local round r = 1 .. R-1 of every client, with `total` for its sum over r."""
    G_sq, away_sq = gradients_sq(x), distances_sq(x)
    right = bound_21(x, G_sq, total)
    return tuple(le(unrolling(x, away_sq[r - 1], G_sq, x.delta**2), right, f"r = {r}") for r in range(1, x.R))


def all_powers(x):
    """Sum of (2(1 + 1/R))^r for r < R."""
    return x.sum(lambda r: factor(x) ** r, x.R)


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


def sum_of_powers(f, n):
    """1 + f + ... + f^(n-1) in its closed form, which grows with n."""
    return (f**n - 1) / (f - 1)


@claim(
    "pfedme/eq21~repaired",
    world=OF_A_CLIENT,
    by=(
        use(eq21_positive, f=factor),
        use(eq21_powers, f=factor),
        use(eq21_every_R, n=lambda x, r: r, whole=lambda x, r: sum_of_powers(factor(x), x.R)),
    ),
    control=UNROLL,
    uses=("pfedme/eq20-e", "pfedme/lemma5-proof-s2-b"),
    step=True,
    note="(2(1 + 1/R))^r in place of 2(1 + 1/R)^r; the sum then grows like 2^R and no longer gives (22). For w_{i,r+1} at every "
    "r < R, of any client.",
)
def eq21_repaired(x, r, share=1):
    return le(unrolling(x, x.A[r], x.G_sq, x.delta**2), bound_21(x, x.G_sq, share * all_powers(x)))


def displaced(x, right):
    """(22) with its right side: |w_{i,r} - w_t|^2 <= `right` for r = 1 .. R-1."""
    return tuple(le(away_sq, right, f"r = {r}") for r, away_sq in enumerate(distances_sq(x)) if r)


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
    return displaced(x, share * bound_22(x, gradients_sq(x)))


@claim(
    "pfedme/eq22~repaired",
    world=OF_A_CLIENT,
    by=(use(eq22_every_R, n=lambda x, r: r + 1),),
    control=NEAR_START,
    uses=("pfedme/eq20-a",),
    step=True,
    note="lam^2 delta^2/4 in place of 2 lam^2 delta^2/R: the noise does not fall with R. For w_{i,r+1} at every r < R.",
)
def eq22_repaired(x, r, share=1):
    return le(x.A[r + 1], share * 8 * eta_tilde(x) ** 2 / x.beta**2 * without_decay(x))


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
    return each_round(x, share * bound_23(x, gradients_sq(x)))


@claim(
    "pfedme/eq23~repaired",
    world=OF_A_CLIENT,
    by=(use(eq23_every_R, n=lambda x, r: r + 1),),
    control=FIRST_ROUND,
    uses=("pfedme/eq19-c", "pfedme/eq22~repaired"),
    step=True,
    note="lam^2 delta^2/4 in place of 2 lam^2 delta^2/R, as in the repaired (22).",
)
def eq23_repaired(x, r, share=1):
    step_sq = 16 * eta_tilde(x) ** 2 * L_F(x) ** 2 / x.beta**2
    return le(x.V[r], share * (2 * x.lam**2 * x.delta**2 + step_sq * without_decay(x)))
