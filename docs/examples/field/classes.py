"""Several functions, sets and operators in one world: composite steps, splittings, projections, saddle points."""

from fedtheory import le
from problems import (
    Cocoercive,
    Convex,
    ConvexIndicator,
    ConvexLipschitz,
    LipschitzMonotone,
    Monotone,
    Nonexpansive,
    SmoothConvex,
    SmoothStronglyConvex,
    StronglyMonotone,
    Together,
    between,
    condition,
)  # fmt: skip

from .pair import ETA, MU, SHORT, G, L, R, pair

COMPOSITE = Together({"f": SmoothConvex("L"), "h": Convex()}, at=("w", "v"), L=L)


@pair("fista-composite", COMPOSITE)
def fista(x, s=1):
    """Beck, Teboulle (2009), Lemma 2.3: after a proximal gradient step f + h is below any v, up to distances."""
    p = x.h.prox(x.w - x.f.grad(x.w) / x.L, x.L)
    own, other = x.f.value(p) + x.h.value(p), x.f.value(x.v) + x.h.value(x.v)
    return le(own + s * x.L / 2 * x.sq(p - x.v), other + x.L / 2 * x.sq(x.w - x.v))


@pair("proximal-gradient-contraction", Together({"f": SmoothStronglyConvex("mu", "L"), "h": Convex()}, at=("w", "v"), mu=MU, L=L,
                                                eta=ETA, given=(SHORT,)))  # fmt: skip
def proximal_gradient(x, s=1):
    """Taylor, Hendrickx, Glineur (2018); a proximal gradient step contracts by 1 - eta mu."""
    p, q = (x.h.prox(w - x.eta * x.f.grad(w), 1 / x.eta) for w in (x.w, x.v))
    return le(s * x.sq(p - q), (1 - x.eta * x.mu) ** 2 * x.sq(x.w - x.v))


@pair("frank-wolfe-step", Together({"f": SmoothConvex("L"), "C": ConvexIndicator("D")}, zero_of=("f", "C"), L=L, D=R,
                                   gamma=between(0, 1, closed=False)))  # fmt: skip
def frank_wolfe(x, s=1):
    """Jaggi (2013), the step of Frank and Wolfe: the gap falls by the factor 1 - gamma, up to gamma^2 L D^2/2."""
    y, least = x.C.where_grad(-x.f.grad(x.w)), x.f.value(x.w_star)
    after = x.f.value(x.w + x.gamma * (y - x.w)) - least
    return le(
        s * after + x.C.value(x.w) - x.C.value(x.w_star),
        (1 - x.gamma) * (x.f.value(x.w) - least) + x.gamma**2 * x.L * x.D**2 / 2,
    )


@pair(
    "projected-subgradient",
    Together({"f": ConvexLipschitz("M"), "C": ConvexIndicator()}, zero_of=("f", "C"), M=G, eta=ETA, lam=L),
)
def projected_subgradient(x, s=1):
    """Bubeck (2015), Theorem 3.2: a projected subgradient step gains 2 eta times the gap, up to eta^2 M^2."""
    after = x.C.prox(x.w - x.eta * x.f.grad(x.w), x.lam)
    gap = x.f.value(x.w) - x.f.value(x.w_star)
    return le(x.sq(after - x.w_star) + 2 * s * x.eta * gap, x.sq(x.w - x.w_star) + x.eta**2 * x.M**2)


@pair("douglas-rachford", Together({"f": Convex(), "h": Convex()}, at=("w", "v"), lam=L))
def douglas_rachford(x, s=1):
    """Lions, Mercier (1979): the operator of Douglas and Rachford is firmly nonexpansive."""

    def step(w):
        p = x.h.prox(w, x.lam)
        return w + x.f.prox(2 * p - w, x.lam) - p

    moved = step(x.w) - step(x.v)
    return le(s * x.sq(moved), x.dot(moved, x.w - x.v))


@pair("peaceman-rachford", Together({"f": SmoothStronglyConvex("mu", "L"), "h": Convex()}, at=("w", "v"), mu=MU, L=L, lam=L,
                                    given=(condition("lam >= L", lambda x: le(x.L, x.lam)),)))  # fmt: skip
def fedsplit(x, s=1):
    """Giselsson, Boyd (2017); FedSplit: reflected proximal steps contract by (lam - mu)/(lam + mu) for lam >= L."""

    def step(w):
        p = 2 * x.h.prox(w, x.lam) - w
        return 2 * x.f.prox(p, x.lam) - p

    moved = x.sq(step(x.w) - step(x.v))
    return le(s * (x.lam + x.mu) ** 2 * moved, (x.lam - x.mu) ** 2 * x.sq(x.w - x.v))


@pair("extragradient", Together({"A": LipschitzMonotone("L")}, zero_of=("A",), L=L, eta=ETA), false="unknown")
def extragradient(x, s=1):
    """Korpelevich (1976): an extragradient step takes (1 - eta^2 L^2) |w - y|^2 from the squared distance to w*."""
    y = x.w - x.eta * x.A.grad(x.w)
    after = x.w - x.eta * x.A.grad(y)
    return le(x.sq(after - x.w_star) + s * (1 - x.eta**2 * x.L**2) * x.sq(x.w - y), x.sq(x.w - x.w_star))


@pair("forward-backward", Together({"A": Monotone(), "B": Cocoercive("beta")}, at=("w", "v"), beta=ETA, eta=ETA, given=(
    condition("eta <= 2 beta", lambda x: le(x.eta, 2 * x.beta)),)))  # fmt: skip
def forward_backward(x, s=1):
    """Bauschke, Combettes (2011): the forward-backward operator is nonexpansive for eta <= 2 beta."""
    p, q = (x.A.prox(w - x.eta * x.B.grad(w), 1 / x.eta) for w in (x.w, x.v))
    return le(s * x.sq(p - q), x.sq(x.w - x.v))


@pair("strongly-monotone-resolvent", Together({"A": StronglyMonotone("mu")}, at=("w", "v"), mu=MU, lam=L))
def resolvent(x, s=1):
    """Rockafellar (1976): the resolvent of a strongly monotone operator contracts by lam/(lam + mu)."""
    p, q = x.A.prox(x.w, x.lam), x.A.prox(x.v, x.lam)
    return le(s * (x.lam + x.mu) ** 2 * x.sq(p - q), x.lam**2 * x.sq(x.w - x.v))


@pair("krasnoselskii-mann", Together({"T": Nonexpansive()}, fixed_of="T", theta=between(0, 1, closed=False)))
def krasnoselskii_mann(x, s=1):
    """Mann (1953): an averaged step takes theta (1 - theta) |T w - w|^2 from the squared distance."""
    moved = x.T.grad(x.w) - x.w
    after = x.sq(x.w + x.theta * moved - x.w_star)
    return le(after + s * x.theta * (1 - x.theta) * x.sq(moved), x.sq(x.w - x.w_star))
