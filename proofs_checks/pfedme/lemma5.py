"""Lemma 5: bounded client drift, and the unrolling (21) in its proof (Section A.4.2)."""

from fedtheory import Control, claim, le, lt
from fedtheory.theory.pfedme import L_F, drift, eta_tilde
from fedtheory.units import CURVATURE
from problems import WeaklyConvex, condition, positive
from problems.steps import pfedme_round

# rho-weakly convex clients with lam > 2 rho: the convex ones of Assumption 1(a) and the L-smooth ones of 1(b), lam > 2 L
GIVEN = (
    condition("lam > 2 rho (Proposition 1)", lambda x: lt(2 * x.rho, x.lam)),
    condition("eta_tilde <= beta/(2 L_F)", lambda x: le(eta_tilde(x), x.beta / (2 * L_F(x)))),
)


def bound(x):
    """Right side of Lemma 5."""
    grad_sq = x.mean(x.sq(x.F.grad(x.state.w)))
    noise = x.lam**2 * x.delta**2
    return 2 * noise + 16 * L_F(x) ** 2 * eta_tilde(x) ** 2 / x.beta**2 * (3 * grad_sq + 2 * noise / x.R)


@claim(
    "pfedme/lemma5",
    world=pfedme_round(WeaklyConvex("rho"), optimum_of=None, given=GIVEN, R=(1, 2, 3, 8), rho=positive(CURVATURE)),
    control=Control(
        "with R = 1 the left side is lam^2 delta^2, and for small eta the right side twice that",
        lambda x: le(drift(x), 2 * bound(x) / 5),
    ),
    note="delta bounds E|theta_tilde - theta_hat|^2 by delta^2, as in Lemma 1; Section 3.2 prints the first moment.",
)
def lemma5(x):
    return le(drift(x), bound(x))


def unrolled(x, total):
    """(21) for every local round r = 1 .. R-1 of every client, with `total` for the sum over r."""
    G_sq = x.sq(x.F.grad(x.state.w))
    iterates = x.alg.local(x.f, x.state.w, x.error)[0]
    noise = 4 * x.eta**2 * x.lam**2 * x.delta**2
    step_sq = eta_tilde(x) ** 2 / x.beta**2
    right = (6 * step_sq / x.R * G_sq + 4 * step_sq * x.lam**2 * x.delta**2 / x.R**2) * total
    growth = 2 * (1 + 1 / x.R)
    return tuple(
        le(growth * x.sq(iterates[r - 1] - x.state.w) + 2 * (1 + 2 * x.R) * x.eta**2 * G_sq + noise, right, f"r = {r}")
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
    world=pfedme_round(WeaklyConvex("rho"), optimum_of=None, given=GIVEN, R=(2, 3, 6, 12), rho=positive(CURVATURE)),
    control=UNROLL,
    repair="pfedme/eq21~repaired",
    step=True,
    note="The stated reason is the unrolling of (20), a_r <= 2(1 + 1/R) a_{r-1} + b, whose sum has the power r on the "
    "factor 2 as well. Read at the iterates of the method itself, r = 1 .. R-1.",
)
def eq21(x):
    return unrolled(x, sum(2 * (1 + 1 / x.R) ** r for r in range(x.R)))


@claim(
    "pfedme/eq21~repaired",
    world=pfedme_round(WeaklyConvex("rho"), optimum_of=None, given=GIVEN, R=(2, 3, 6, 12), rho=positive(CURVATURE)),
    control=UNROLL,
    step=True,
    note="(2(1 + 1/R))^r in place of 2(1 + 1/R)^r; the sum then grows like 2^R and no longer gives (22).",
)
def eq21_repaired(x):
    return unrolled(x, geometric(x, 2 * (1 + 1 / x.R)))
