"""Lemma 5: bounded client drift, and the bounds (21), (22), (23) of its proof at the method's iterates (Section A.4.2).

The drift of one client feeds on itself: errors of one sign add up over the local rounds. (21) and (22) lose this, and
(23) fails for a late round when R is large; the average over the rounds, which is Lemma 5, holds all the same.
"""

from dataclasses import replace
from fractions import Fraction

from fedtheory import Control, claim, le, lt
from fedtheory.theory.pfedme.constants import L_F, drift, eta_tilde
from fedtheory.theory.pfedme.round import bound_22, bound_23
from fedtheory.units import CURVATURE
from fedtheory.units import STEP as STEP_SIZE
from problems import Smooth, WeaklyConvex, between, condition, positive

from ..worlds.round import pfedme_round

STEP = condition("eta_tilde <= beta/(2 L_F)", lambda x: le(eta_tilde(x), x.beta / (2 * L_F(x))))

# rho-weakly convex clients with lam > 2 rho: the convex ones of Assumption 1(a) and the L-smooth ones of 1(b), lam > 2 L
GIVEN = (condition("lam > 2 rho (Proposition 1)", lambda x: lt(2 * x.rho, x.lam)), STEP)
GIVEN_1B = (condition("lam > 2 L (Proposition 1)", lambda x: lt(2 * x.L, x.lam)), STEP)


def local_rounds(f, given, R, **scalars):
    """R local rounds of every client; the selection plays no part."""
    world = pfedme_round(f, optimum_of=None, given=given, R=R, **scalars)
    return replace(world, sizes={**world.sizes, "S": (1,)})


def either(*R):
    """R local rounds on clients of Assumption 1(a) or 1(b)."""
    return local_rounds(WeaklyConvex("rho"), GIVEN, R, rho=positive(CURVATURE))


def smooth(*R):
    """R local rounds on clients of Assumption 1(b)."""
    return local_rounds(Smooth("L"), GIVEN_1B, R, L=positive(CURVATURE))


def grad_sq(x):
    """|grad F_i(w_t)|^2, ``(..., m)``."""
    return x.sq(x.F.grad(x.state.w))


def drifts(x):
    """|w_{i,r} - w_t|^2 and |g_{i,r} - grad F_i(w_t)|^2 of the local rounds r = 0 .. R-1."""
    iterates, gradients = x.alg.local(x.f, x.state.w, x.error)
    G = x.F.grad(x.state.w)
    return [x.sq(W - x.state.w) for W in iterates[:-1]], [x.sq(g - G) for g in gradients]


def bound(x):
    """Right side of Lemma 5."""
    noise = x.lam**2 * x.delta**2
    return 2 * noise + 16 * L_F(x) ** 2 * eta_tilde(x) ** 2 / x.beta**2 * (3 * x.mean(grad_sq(x)) + 2 * noise / x.R)


@claim(
    "pfedme/lemma5",
    world=either(1, 2, 3, 16),
    control=Control(
        "with R = 1 the left side is lam^2 delta^2, and for small eta the right side twice that",
        lambda x: le(drift(x), 2 * bound(x) / 5),
    ),
    uses=("pfedme/eq23", "pfedme/lemma5-proof-s7"),
    note="delta bounds E|theta_tilde - theta_hat|^2 by delta^2, as in Lemma 1; Section 3.2 prints the first moment.",
)
def lemma5(x):
    return le(drift(x), bound(x))


def unrolled(x, total):
    """(21) for every local round r = 1 .. R-1 of every client, with `total` for the sum over r."""
    G_sq, distance_sq = grad_sq(x), drifts(x)[0]
    noise = 4 * x.eta**2 * x.lam**2 * x.delta**2
    step_sq = eta_tilde(x) ** 2 / x.beta**2
    right = (6 * step_sq / x.R * G_sq + 4 * step_sq * x.lam**2 * x.delta**2 / x.R**2) * total
    growth = 2 * (1 + 1 / x.R)
    return tuple(
        le(growth * distance_sq[r - 1] + 2 * (1 + 2 * x.R) * x.eta**2 * G_sq + noise, right, f"r = {r}")
        for r in range(1, x.R)
    )


def geometric(x, ratio):
    """Sum of ratio^r for r = 0 .. R-1."""
    return sum(ratio**r for r in range(x.R))


UNROLL = Control(
    "at r = 1 the left side is 2(1 + 2R) eta^2 G + 4 eta^2 lam^2 delta^2, which a hundredth of the bound cannot hold",
    lambda x: unrolled(x, 2 * geometric(x, 1 + 1 / x.R) / 100),
)


@claim(
    "pfedme/eq21",
    world=smooth(2, 3, 6, 12),
    control=UNROLL,
    repair="pfedme/eq21~repaired",
    uses=("pfedme/eq20-e", "pfedme/lemma5-proof-s2-b"),
    step=True,
    note="The stated reason is the unrolling of (20), a_r <= 2(1 + 1/R) a_{r-1} + b, whose sum has the power r on the "
    "factor 2 as well. Read at the iterates of the method itself, r = 1 .. R-1, under Assumption 1(b).",
)
def eq21(x):
    return unrolled(x, sum(2 * (1 + 1 / x.R) ** r for r in range(x.R)))


@claim(
    "pfedme/eq21~repaired",
    world=either(2, 3, 6, 12),
    control=UNROLL,
    uses=("pfedme/eq20-e", "pfedme/lemma5-proof-s2-b"),
    step=True,
    note="(2(1 + 1/R))^r in place of 2(1 + 1/R)^r; the sum then grows like 2^R and no longer gives (22).",
)
def eq21_repaired(x):
    return unrolled(x, geometric(x, 2 * (1 + 1 / x.R)))


def displaced(x, right):
    """|w_{i,r} - w_t|^2 <= `right` for r = 1 .. R-1."""
    return tuple(le(d, right, f"r = {r}") for r, d in enumerate(drifts(x)[0]) if r)


def without_decay(x):
    """3 |grad F_i(w_t)|^2 + lam^2 delta^2/4: the bracket of (22) and (23) whose noise does not fall with R."""
    return 3 * grad_sq(x) + x.lam**2 * x.delta**2 / 4


NEAR_START = Control(
    "at r = 1 the left side is eta^2 |grad F_i - lam e|^2, which a hundredth of the bound cannot hold for R = 2",
    lambda x: displaced(x, bound_22(x, grad_sq(x)) / 100),
)


@claim(
    "pfedme/eq22@iterates",
    world=smooth(2, 3, 20),
    control=NEAR_START,
    repair="pfedme/eq22~repaired",
    uses=("pfedme/eq20-e", "pfedme/eq21", "pfedme/eq22"),
    step=True,
    note="What (20) to (22) say of the method: |w_{i,r} - w_t|^2 for r = 1 .. R-1 against the right side of (22), under "
    "Assumption 1(b). Errors of one sign move w_{i,r} by about r eta lam delta, and r^2 outgrows 16 R; for L near lam/2 "
    "it fails from R = 12 on.",
)
def eq22_iterates(x):
    return displaced(x, bound_22(x, grad_sq(x)))


@claim(
    "pfedme/eq22~repaired",
    world=either(2, 3, 16),
    control=NEAR_START,
    uses=("pfedme/eq20-a",),
    step=True,
    note="lam^2 delta^2/4 in place of 2 lam^2 delta^2/R: the noise does not fall with R.",
)
def eq22_repaired(x):
    return displaced(x, 8 * eta_tilde(x) ** 2 / x.beta**2 * without_decay(x))


def each_round(x, right):
    """|g_{i,r} - grad F_i(w_t)|^2 <= `right` for r = 0 .. R-1."""
    return tuple(le(d, right, f"r = {r}") for r, d in enumerate(drifts(x)[1]))


FIRST_ROUND = Control(
    "at r = 0 the left side is lam^2 delta^2, and for small eta the right side twice that",
    lambda x: each_round(x, 2 * bound_23(x, grad_sq(x)) / 5),
)


@claim(
    "pfedme/eq23",
    world=local_rounds(
        Smooth("L"), GIVEN_1B, (2, 24, 26), lam=between(1, Fraction(101, 100), CURVATURE),
        L=between(Fraction(12, 25), Fraction(1, 2), CURVATURE), eta=between(Fraction(1, 54), Fraction(1, 48), STEP_SIZE),
    ),
    control=FIRST_ROUND,
    repair="pfedme/eq23~repaired",
    uses=("pfedme/eq19-c", "pfedme/eq22@iterates"),
    step=True,
    note="For every client and every r = 0 .. R-1, under Assumption 1(b). Looked at with lam near 1, which is no "
    "restriction by the units, L near lam/2 and eta near 1/(2 R L_F): there errors of one sign take the last rounds "
    "beyond the bound once R >= 15.",
)  # fmt: skip
def eq23(x):
    return each_round(x, bound_23(x, grad_sq(x)))


@claim(
    "pfedme/eq23~repaired",
    world=either(2, 3, 16),
    control=FIRST_ROUND,
    uses=("pfedme/eq19-c", "pfedme/eq22~repaired"),
    step=True,
    note="lam^2 delta^2/4 in place of 2 lam^2 delta^2/R, as in the repaired (22).",
)
def eq23_repaired(x):
    step_sq = 16 * eta_tilde(x) ** 2 * L_F(x) ** 2 / x.beta**2
    return each_round(x, 2 * x.lam**2 * x.delta**2 + step_sq * without_decay(x))
