"""Remarks of Section 3.2: the server step, minibatch gradients, and the count of inner steps for (7)."""

from dataclasses import dataclass, replace
from typing import Any

from fedtheory import Control, claim, eq, le
from fedtheory.theory.pfedme.conditions import LAM_2RHO
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import CURVATURE, GRADIENT, LENGTH
from problems import Points, Scalars, SmoothStronglyConvex, WeaklyConvex, at_least, condition, positive
from problems.worlds.classes.base import FunctionClass
from problems.worlds.classes.curvature import Curvature
from problems.worlds.derived import DerivedScalars, formula
from problems.worlds.function_world import FunctionWorld

from .worlds.round import pfedme_round


@claim(
    "pfedme/rem-beta-one",
    world=pfedme_round(WeaklyConvex("rho"), optimum_of=None, given=(LAM_2RHO,), R=(1, 2), **symbols("rho")),
    control=Control("for beta = 2 the server goes twice as far as the average of the selected models", beta=2),
    note="The server step of Algorithm 1 with beta = 1 is FedAvg's average of the models it receives, for every selection.",
)
def rem_beta_one(x, beta=1):
    alg = replace(x.alg, beta=beta)
    W = alg.local(x.f, x.state.w, x.error)[0][-1]
    return eq(x.E(lambda draw: x.sq(alg.step(x.f, x.state, draw).w - x.total_vec(W, over=draw.selected) / x.S)), 0)


@claim(
    "pfedme/sec32-s5",
    world=Points(None, at=("v",), clients_at=("G",), sizes={"S": (1, 2)}),
    control=Control(
        "a sum over the minibatch that is divided by the number of all samples is too small by the factor S/m",
        lambda x: eq(x.E(lambda D: x.dot(x.total_vec(x.G, over=D) / x.m, x.v)), x.dot(x.mean_vec(x.G), x.v)),
    ),
    note="G are the gradients of the m samples at a theta_i that does not depend on the minibatch, v is any direction. "
    "Minibatches of S samples are drawn without replacement; independent draws are averages of the case S = 1.",
)
def sec32_s5(x):
    return eq(x.E(lambda D: x.dot(x.total_vec(x.G, over=D) / x.S, x.v)), x.dot(x.mean_vec(x.G), x.v))


# x.f is now the inner objective (7), kappa its condition number; d is the diameter of the search space

SEARCH_SPACE = {"mu_0": positive(CURVATURE), "d": positive(LENGTH), "nu": positive(GRADIENT)}
LARGE_CURVATURE = {"mu": formula("10^70 mu_0", lambda x: x.ratio(10**70, 1) * x.mu_0)}
TWICE = condition("d >= 2 nu", lambda x: le(2 * x.nu, x.d))


@claim(
    "pfedme/rem-k-gd",
    world=DerivedScalars(LARGE_CURVATURE, given=(TWICE,), sizes={"kappa": (2, 10, 100)}, **SEARCH_SPACE),
    control=Control("no step at all leaves half of mu^2 d^2", steps=0),
    repair="pfedme/rem-k-gd~repaired",
    note="O(kappa log(d/nu)) with the constant 100, d >= 2 nu. A quadratic with the curvatures mu and kappa mu and equal parts "
    "of both: with any fixed step one of them shrinks by (kappa - 1)/(kappa + 1) a step at most. log(d/nu) knows nothing of "
    "the size of the gradient, about mu d at the start: no constant helps.",
)
def rem_k_gd(x, steps=100):
    kappa = x.ratio(x.kappa, 1)
    left_sq = (x.mu * x.d) ** 2 / 2 * x.exp(2 * steps * kappa * x.log(x.d / x.nu) * x.log((kappa - 1) / (kappa + 1)))
    return le(left_sq, x.nu**2)


@claim(
    "pfedme/rem-k-gd@step",
    world=Points(SmoothStronglyConvex("mu", "L"), optimum_of="f", sizes={"m": (1,)}, **symbols("mu", "L")),
    control=Control("a quadratic of curvature mu contracts by exactly 1 - 1/kappa a step", share="9/10"),
    step=True,
    note="A step of length 1/L, and what the distance says of the gradient.",
)
def rem_k_gd_step(x, share=1):
    g, contraction = x.f.grad(x.w), share * (1 - x.mu / x.L)
    return (
        le(x.sq(x.w - g / x.L - x.w_star), contraction**2 * x.sq(x.w - x.w_star), "one step"),
        le(x.sq(g), x.L**2 * x.sq(x.w - x.w_star), "gradient"),
    )


@claim(
    "pfedme/rem-k-gd@count",
    world=Scalars(surplus=positive(), ell=at_least(0)),
    control=Control(
        "(1 - 1/kappa)^kappa comes as near to 1/e as one likes, so with half the steps nearly sqrt(L d nu) remains",
        share="1/2",
    ),
    note="kappa = 1 + surplus; K = kappa log(L d/nu) steps leave a gradient of norm at most nu. Both sides over L d; `ell` is "
    "log(L d/nu), for nu <= L d.",
)
def rem_k_gd_count(x, share=1):
    kappa = 1 + x.surplus
    K = share * kappa * x.ell
    return le(x.exp(K * x.log(x.surplus / kappa)), x.exp(-x.ell))


@dataclass(frozen=True)
class Conditioned(Curvature):
    """mu-strongly convex with condition number root^2, so that the method's sqrt(kappa) is rational."""

    @property
    def needs(self) -> tuple[str, ...]:
        return "mu", "root"

    def bounds(self, x: Any) -> tuple[Any, Any]:
        return x.mu, x.mu * x.root**2

    def bent(self) -> FunctionClass:
        return self

    def ridged(self) -> FunctionClass:
        return self


def energy(x, w, z):
    """h(w) - h(w*) + mu/2 |z - w*|^2."""
    return x.f.value(w) - x.f.value(x.w_star) + x.mu / 2 * x.sq(z - x.w_star)


@claim(
    "pfedme/rem-k-nesterov",
    world=DerivedScalars(LARGE_CURVATURE, given=(TWICE,), sizes={"root": (2, 3, 10)}, **SEARCH_SPACE),
    control=Control("no step at all leaves mu d", steps=0),
    repair="pfedme/rem-k-nesterov~repaired",
    uses=("pfedme/rem-k-nesterov@slowest",),
    note="O(sqrt(kappa) log(d/nu)) with the constant 100, d >= 2 nu, root = sqrt(kappa). Along a direction of curvature mu K steps "
    "leave (1 + K/root) (1 - 1/root)^K of the distance, rem-k-nesterov@slowest. As in rem-k-gd no constant helps.",
)
def rem_k_nesterov(x, steps=100):
    root = x.ratio(x.root, 1)
    return le(x.mu * x.d * x.exp(steps * root * x.log(x.d / x.nu) * x.log(1 - 1 / root)), x.nu)


@claim(
    "pfedme/rem-k-nesterov@slowest",
    world=Scalars(surplus=positive(), K=at_least(0), power=positive(), mu=positive(CURVATURE)),
    control=Control("the method moves, so the next iterate is not the one before", more=0),
    step=True,
    note="root = sqrt(kappa) = 1 + surplus, w* = 0 and `power` for (1 - 1/root)^K: from w_K and w_{K-1} of this form "
    "Nesterov's step with the momentum (root - 1)/(root + 1) and the step 1/L makes w_{K+1} of this form; for K = 0, w_{-1} = "
    "w_0, too.",
)
def rem_k_nesterov_slowest(x, more=1):
    """Two iterates of a quadratic of curvature mu, and the step from them."""
    root = 1 + x.surplus
    rate, L = 1 - 1 / root, x.mu * root**2

    def step(w, before):
        y = w + (root - 1) / (root + 1) * (w - before)
        return y - x.mu * y / L

    w, before = (1 + x.K / root) * x.power, (1 + (x.K - 1) / root) * x.power / rate
    return (
        eq(step(w, before), (1 + (x.K + more) / root) * x.power * rate, "from K to K + 1"),
        eq(step(x.ratio(1, 1), x.ratio(1, 1)), (1 + more / root) * rate, "the first step"),
    )


def between(x):
    """y, where Nesterov's method takes its gradient."""
    return (x.root * x.w + x.z) / (x.root + 1)


def w_next(x):
    """A gradient step from y."""
    y = between(x)
    return y - x.f.grad(y) / (x.mu * x.root**2)


def z_next(x):
    """The sequence that carries the momentum."""
    y = between(x)
    return x.z + ((y - x.z) - x.f.grad(y) / x.mu) / x.root


@claim(
    "pfedme/rem-k-nesterov@step",
    world=FunctionWorld(
        scalars={**symbols("mu"), "root": positive()},
        sizes={"m": (1,), "d": (1, 2)},
        f=Conditioned("smooth strongly convex", lower="mu", upper="mu root^2"),
        at=("w", "z"),
        optimum_of="f",
    ),
    control=Control(
        "from w = z a quadratic of curvature mu keeps half of (1 - 1/root)^2 + (1 - 1/root^2)^2 of its energy",
        share="1/2",
    ),
    step=True,
    note="root = sqrt(kappa), L = mu root^2.",
)
def rem_k_nesterov_step(x, share=1):
    """One step of Nesterov's method from any pair (w, z), and what the energy bounds."""
    L = x.mu * x.root**2
    return (
        le(energy(x, w_next(x), z_next(x)), share * (1 - 1 / x.root) * energy(x, x.w, x.z), "one step"),
        le(x.sq(x.f.grad(x.w)), 2 * L * energy(x, x.w, x.z), "gradient"),
        le(energy(x, x.w, x.w), L * x.sq(x.w - x.w_star), "start"),
    )
