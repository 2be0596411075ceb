"""Decentralised gradient descent and gradient tracking: smooth functions that need not be convex, every T and m.

A mixing is whatever keeps the mean and shrinks the spread by 1 - p; it may be another one at every step.
"""

from fedtheory import claim, le, use
from fedtheory.units import CURVATURE, GRADIENT, STEP
from problems import Points, Run, Scalars, Smooth, between, condition, positive

from ..consensus import mixed_sum, spread

L, ETA, P = positive(CURVATURE), positive(STEP), between(0, 1, closed=False)


def mean_model(x):
    """The mean of the models."""
    return x.mean_vec(x.v)


def at_mean(x):
    """grad f_i at the mean of the models."""
    return x.f.grad(mean_model(x))


def mixed(x, v, z):
    """The vectors z moved to the mean of v."""
    return x.mean_vec(v) + z - x.mean_vec(z)


MIXES = condition("the mixing shrinks the spread by 1 - p", lambda x: le(spread(x, x.z), (1 - x.p) * spread(x, x.v)))
OF_THE_MEAN = {
    "V": lambda x: spread(x, x.v), "e": lambda x: x.mean(x.f.value(mean_model(x))), "g": lambda x: x.sq(x.mean_vec(at_mean(x))),
}  # fmt: skip
SHORT = condition("eta <= p/(5L)", lambda x: le(5 * x.eta * x.L, x.p))
ALIKE = condition("mean |grad f_i - grad f|^2 <= zeta^2", lambda x, t: le(x.H[t], x.zeta**2))
DSGD = Run(
    Smooth("L"), at=(), clients_at=("v", "z"), fresh=("z",), L=L, eta=ETA, p=P, zeta=positive(GRADIENT),
    step={"v": lambda x: mixed(x, x.v, x.z) - x.eta * x.f.grad(x.v)}, obeys=(MIXES,), given=(SHORT,), every=(ALIKE,),
    quantities={
        **OF_THE_MEAN, "H": lambda x: x.mean(x.sq(at_mean(x) - x.mean_vec(at_mean(x)))),
        "B": lambda x: spread(x, x.f.grad(x.v)),
    },
)  # fmt: skip


@claim("shelf/gradients-spread", world=Points(Smooth("L"), at=(), clients_at=("v",), L=L), expect="proved")
def gradients_spread(x):
    g = at_mean(x)
    bound = 2 * x.L**2 * spread(x, x.v) + 2 * x.mean(x.sq(g - x.mean_vec(g)))
    return le(spread(x, x.f.grad(x.v)), bound)


def mean_step(x):
    """f at the mean of the models after a step."""
    return x.mean(x.f.value(mean_model(x) - x.eta * x.mean_vec(x.f.grad(x.v))))


def mean_bound(x):
    """f at the mean of the models, less what the gradient gains and with what the spread costs."""
    gained = x.eta / 2 * x.sq(x.mean_vec(at_mean(x)))
    return x.mean(x.f.value(mean_model(x))) - gained + x.eta / 2 * x.L**2 * spread(x, x.v)


OF_MODELS = {"at": (), "clients_at": ("v",), "L": L, "eta": ETA}


@claim("shelf/mean-descent", world=Points(Smooth("L"), **OF_MODELS), expect="proved")
def mean_descent(x):
    return le(mean_step(x), mean_bound(x) - x.eta / 2 * (1 - x.eta * x.L) * x.sq(x.mean_vec(x.f.grad(x.v))))


@claim(
    "shelf/mean-short-step",
    world=Points(
        Smooth("L"), given=(condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1)),), **OF_MODELS
    ),
    expect="proved",
)  # fmt: skip
def mean_short_step(x):
    return le(mean_step(x), mean_bound(x))


@claim(
    "shelf/dsgd-spread",
    world=DSGD,
    by=(gradients_spread, use(mixed_sum, g=lambda x: -x.eta * x.f.grad(x.v))),
    expect="proved",
)
def dsgd_spread(x, t):
    kept = 1 - x.p / 2 + 6 * x.eta**2 * x.L**2 / x.p
    return le(x.V[t + 1], kept * x.V[t] + 6 * x.eta**2 * x.zeta**2 / x.p)


def dsgd_weight(x):
    """2 eta L^2/p."""
    return 2 * x.eta * x.L**2 / x.p


def floor(x):
    """12 eta^3 L^2 zeta^2/p^2."""
    return 12 * x.eta**3 * x.L**2 * x.zeta**2 / x.p**2


OF_DSGD = Scalars(L=L, eta=ETA, p=P, given=(SHORT,))


@claim("shelf/dsgd-step-squared", world=OF_DSGD, expect="proved")
def dsgd_step_squared(x):
    return le(25 * x.eta**2 * x.L**2, x.p**2)


@claim("shelf/dsgd-coefficients", world=OF_DSGD, by=(dsgd_step_squared,), expect="proved")
def dsgd_coefficients(x):
    return le(6 * x.eta**2 * x.L**2 / x.p * dsgd_weight(x) + x.eta * x.L**2 / 2, dsgd_weight(x) * x.p / 2)


@claim("shelf/dsgd-round", world=DSGD, by=(dsgd_spread, mean_short_step, dsgd_coefficients), expect="proved")
def dsgd_round(x, t):
    left = x.e[t + 1] + dsgd_weight(x) * x.V[t + 1] + x.eta / 2 * x.g[t]
    return le(left, x.e[t] + dsgd_weight(x) * x.V[t] + floor(x))


@claim("shelf/dsgd", world=DSGD, by=(dsgd_round,), expect="proved")
def dsgd(x):
    left = x.e[x.T] + dsgd_weight(x) * x.V[x.T] + x.eta / 2 * x.sum(lambda t: x.g[t], x.T)
    return le(left, x.e[0] + dsgd_weight(x) * x.V[0] + floor(x) * x.T)
