"""Fixed points and monotone inclusions of PEPit's list, with the rates that are known to be tight.

References stand in PEPit's examples of the same names (github.com/PerformanceEstimation/PEPit, 0.5). The resolvent J of gamma A
is ``x.A.prox(w, 1/gamma)``.
"""

from fedtheory import le
from fedtheory.units import CURVATURE
from problems import (
    Cocoercive,
    ConvexIndicator,
    LipschitzMap,
    LipschitzMonotone,
    Monotone,
    Nonexpansive,
    SmoothStronglyConvex,
    StronglyMonotone,
    Together,
    between,
    positive,
)  # fmt: skip

from .pair import listed, pair

MAP = Together({"T": Nonexpansive()}, fixed_of="T")


def halpern(n):
    def body(x, share=1):
        w = x.w
        for i in range(n):
            w = x.w / (i + 2) + x.T.grad(w) * x.ratio(i + 1, i + 2)
        return le(x.sq(w - x.T.grad(w)), share * x.ratio(4, (n + 1) ** 2) * x.sq(x.w - x.w_star))

    return body


pair("halpern_iteration", MAP)(halpern(4))
pair("low-dimensional-halpern_iteration", MAP)(halpern(3))


@pair("krasnoselskii_mann_constant_step_sizes", MAP)
def mann(x, share=1, n=3):
    """n = 3 and gamma = 3/4: (1/(n + 1)) (n/(n + 1))^n/(4 gamma (1 - gamma))."""
    gamma, w = x.ratio(3, 4), x.w
    for _ in range(n):
        w = (1 - gamma) * w + gamma * x.T.grad(w)
    tau = x.ratio(n**n, (n + 1) ** (n + 1)) / (4 * gamma * (1 - gamma))
    return le(x.sq(w - x.T.grad(w)) / 4, share * tau * x.sq(x.w - x.w_star))


@pair("krasnoselskii_mann_increasing_step_sizes", MAP)
def increasing(x, share=1, n=3):
    """PEPit has a number only, 0.11963 at n = 3."""
    w = x.w
    for i in range(n):
        w = w / (i + 2) + x.T.grad(w) * x.ratio(i + 1, i + 2)
    return le(x.sq(w - x.T.grad(w)) / 4, share * x.ratio(11967, 100000) * x.sq(x.w - x.w_star))


@pair(
    "optimal_contractive_halpern_iteration",
    Together({"T": LipschitzMap("L")}, fixed_of="T", L=between(0, 1, closed=False)),
)
def contractive(x, share=1, n=1):
    """With gamma = 1/L > 1; the rate is free of quotients by gamma - 1."""
    gamma, w = 1 / x.L, x.w
    for i in range(n):
        phi = sum(gamma ** (2 * k) for k in range(i + 2))
        w = x.w / phi + (1 - 1 / phi) * x.T.grad(w)
    return le(
        x.sq(w - x.T.grad(w)),
        share * ((1 + 1 / gamma) / sum(gamma**k for k in range(n + 1))) ** 2 * x.sq(x.w - x.w_star),
    )


# monotone inclusions

ZERO = Together({"A": Monotone()}, zero_of=("A",), lam=positive(CURVATURE))


def proximal(n):
    def body(x, share=1):
        w = x.w
        for _ in range(n):
            before, w = w, x.A.prox(w, x.lam)
        return le(x.sq(w - before), share * x.ratio((n - 1) ** (n - 1), n**n) * x.sq(x.w - x.w_star))

    return body


pair("operator-proximal_point", ZERO)(proximal(4))
pair("low-dimensional-proximal_point", ZERO)(proximal(3))


@pair("operator-accelerated_proximal_point", ZERO)
def accelerated(x, share=1, n=4):
    y, before, older = x.w, x.w, x.w
    for i in range(n):
        w = x.A.prox(y, x.lam)
        y, last, before, older = w + x.ratio(i, i + 2) * (w - before) - x.ratio(i, i + 2) * (before - older), y, w, y
    return le(x.sq(w - last), share * x.ratio(1, n**2) * x.sq(x.w - x.w_star))


@pair(
    "optimal_strongly_monotone_proximal_point",
    Together(
        {"A": StronglyMonotone("mu")},
        zero_of=("A",),
        mu=positive(CURVATURE),
        lam=positive(CURVATURE),
        **listed(mu="1/20", lam=1),
    ),
)
def optimal(x, share=1, n=2):
    """With the step 1/lam and mu in its units."""
    mu = x.mu / x.lam

    def phi(k):
        return sum(((1 + 2 * mu) ** (2 * j) for j in range(k + 1)), 0 * mu)

    w, y, older = x.w, x.w, x.w
    for i in range(n):
        after = x.A.prox(y, x.lam)
        ahead = after + (phi(i) - 1) / phi(i + 1) * (after - w) - 2 * mu * phi(i) / phi(i + 1) * (y - after)
        ahead = ahead + (1 + 2 * mu) * phi(i - 1) / phi(i + 1) * (older - w)
        w, older, y = after, y, ahead
    return le(x.sq(older - w), share * (1 / sum((1 + 2 * mu) ** k for k in range(n))) ** 2 * x.sq(x.w - x.w_star))


SPLIT = {"beta": positive(1 / CURVATURE), "mu": positive(CURVATURE), "lam": positive(CURVATURE)}


def relaxed(x, theta):
    """One step of Douglas-Rachford splitting from w and from v: the difference."""
    after = []
    for w in (x.w, x.v):
        b = x.B.prox(w, x.lam)
        a = x.A.prox(2 * b - w, x.lam)
        after.append(w - theta * (b - a))
    return after[0] - after[1]


@pair(
    "douglas_rachford_splitting_2",
    Together(
        {"A": Cocoercive("beta"), "B": StronglyMonotone("mu")},
        at=("w", "v"),
        **listed(beta="6/5", mu="1/10", lam="10/3"),
        **SPLIT,
    ),
)
def splitting_2(x, share=1):
    """alpha = 3/10, theta = 3/2."""
    theta, mu = x.ratio(3, 2), x.mu / x.lam
    tau = (1 - theta * mu / (mu + 1)) ** 2
    return le(x.sq(relaxed(x, theta)), share * tau * x.sq(x.w - x.v))


@pair(
    "operator-douglas_rachford_splitting",
    Together(
        {"A": LipschitzMonotone("L"), "B": StronglyMonotone("mu")},
        at=("w", "v"),
        **listed(L=1, mu="1/10", lam="10/13"),
        L=positive(CURVATURE),
        mu=positive(CURVATURE),
        lam=positive(CURVATURE),
    ),
)
def splitting(x, share=1):
    """alpha = 13/10, theta = 9/10; the rate 0.9287707 rounded up. Only necessary inequalities: it cannot be refuted at 99 %."""
    return le(x.sq(relaxed(x, x.ratio(9, 10))), share * x.ratio(92878, 100000) * x.sq(x.w - x.v))


@pair(
    "operator-three_operator_splitting",
    Together(
        {"A": Monotone(), "B": Cocoercive("beta"), "C": SmoothStronglyConvex("mu", "L")},
        at=("w", "v"),
        **listed(beta=1, mu="1/10", L=1, lam="10/9"),
        L=positive(CURVATURE),
        **SPLIT,
    ),
)
def three(x, share=1):
    """alpha = 9/10, theta = 13/10; PEPit has a number only, 0.779689."""
    after = []
    for w in (x.w, x.v):
        b = x.B.prox(w, x.lam)
        a = x.A.prox(2 * b - w - x.C.grad(b) / x.lam, x.lam)
        after.append(w - x.ratio(13, 10) * (b - a))
    return le(x.sq(after[0] - after[1]), share * x.ratio(77970, 100000) * x.sq(x.w - x.v))


def inequality(kind):
    """A variational inequality over a convex set."""
    return Together({"F": kind, "C": ConvexIndicator()}, zero_of=("F", "C"), **listed(L=1), L=positive(CURVATURE))


@pair("optimistic_gradient", inequality(LipschitzMonotone("L")))
def optimistic(x, share=1, n=2):
    """gamma = 1/(4 L); PEPit has a number only, 0.333271 at n = 2. Only necessary inequalities: it cannot be refuted at 99 %."""
    gamma = 1 / (4 * x.L)
    w = x.C.prox(x.w, 1 / gamma)
    tilde, V = w, x.F.grad(w)
    for _ in range(n):
        before, old = tilde, V
        tilde = x.C.prox(w - gamma * V, 1 / gamma)
        V = x.F.grad(tilde)
        w = tilde + gamma * (old - V)
    return le(x.sq(tilde - before), share * x.ratio(33330, 100000) * x.sq(x.w - x.w_star))


@pair("past_extragradient", inequality(LipschitzMonotone("L")))
def past(x, share=1, n=2):
    """gamma = 1/(4 L); PEPit has a number only, 0.280354 at n = 2. Only necessary inequalities: it cannot be refuted at 99 %."""
    gamma = 1 / (4 * x.L)
    w = x.C.prox(x.w, 1 / gamma)
    V = x.F.grad(w)
    for _ in range(n):
        V = x.F.grad(x.C.prox(w - gamma * V, 1 / gamma))
        before, w = w, x.C.prox(w - gamma * V, 1 / gamma)
    return le(x.sq(w - before), share * x.ratio(28040, 100000) * x.sq(x.w - x.w_star))
