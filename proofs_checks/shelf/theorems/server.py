"""FedProx and FedDyn with exact proximal steps, and FedAvg with one step of S sampled clients: convex functions, every T and m."""

from fedtheory import claim, le
from fedtheory.units import CURVATURE, STEP
from problems import Convex, Run, SmoothStronglyConvex, StronglyConvex, condition, positive

L, MU, LAM, ETA = positive(CURVATURE), positive(CURVATURE), positive(CURVATURE), positive(STEP)


def distance(x):
    """|w - w*|^2."""
    return x.sq(x.w - x.w_star)


def proximal(x):
    """The mean of the proximal points of the clients."""
    return x.mean_vec(x.f.prox(x.w, x.lam))


def envelope_gap(x):
    """F(w) - F(w*), of the mean of the Moreau envelopes."""
    return x.mean(x.F.value(x.w) - x.F.value(x.w_star))


FEDPROX = Run(
    Convex(),
    envelope="lam",
    optimum_of="F",
    lam=LAM,
    step={"w": proximal},
    quantities={"D": distance, "e": envelope_gap},
)


@claim("shelf/fedprox-step", world=FEDPROX.one_step, expect="proved")
def fedprox_step(x):
    return le(x.next.D + 2 / x.lam * x.next.e, x.D), le(x.next.e, x.e)


@claim("shelf/fedprox", world=FEDPROX, by=(fedprox_step,), expect="proved")
def fedprox(x):
    return le(x.D[x.T] + 2 / x.lam * x.T * x.e[x.T], x.D[0])


FEDPROX_STRONG = Run(
    StronglyConvex("mu"),
    envelope="lam",
    optimum_of="F",
    lam=LAM,
    mu=MU,
    step={"w": proximal},
    quantities={"D": distance},
)


@claim("shelf/fedprox-strong-step", world=FEDPROX_STRONG.one_step, expect="proved")
def fedprox_strong_step(x):
    return le(x.next.D, (x.lam / (x.lam + x.mu)) ** 2 * x.D)


@claim("shelf/fedprox-strong", world=FEDPROX_STRONG, by=(fedprox_strong_step,), expect="proved")
def fedprox_strong(x):
    return le(x.D[x.T], ((x.lam / (x.lam + x.mu)) ** 2) ** x.T * x.D[0])


# FedDyn: h_i is the gradient of client i at its model, w what the server sends


def corrected(x):
    """Where a client begins, w + h_i/lam."""
    return x.w + x.h / x.lam


def model(x):
    """Its model, the minimiser of f_i - <h_i, .> + lam/2 |. - w|^2."""
    return x.f.prox(corrected(x), x.lam)


def dual(x):
    """h_i after a round, h_i - lam (model - w)."""
    return x.lam * (corrected(x) - model(x))


def served(x):
    """w after a round."""
    return x.mean_vec(model(x)) - x.mean_vec(dual(x)) / x.lam


def from_optimum(x):
    """Mean of |w + h_i/lam - w* - grad f_i(w*)/lam|^2."""
    return x.mean(x.sq(corrected(x) - x.w_star - x.f.grad(x.w_star) / x.lam))


FEDDYN = Run(
    Convex(), clients_at=("h",), optimum_of="f", lam=LAM, step={"w": served, "h": dual},
    quantities={"D": from_optimum, "r": lambda x: x.mean(x.sq(model(x) - served(x)))},
)  # fmt: skip


@claim("shelf/feddyn-step", world=FEDDYN.one_step, expect="proved")
def feddyn_step(x):
    return le(x.next.D + x.r, x.D)


@claim("shelf/feddyn", world=FEDDYN, by=(feddyn_step,), expect="proved")
def feddyn(x):
    return le(x.D[x.T] + x.sum(lambda t: x.r[t], x.T), x.D[0])


# FedSGD: one gradient step of S of the m clients, drawn anew in every round


def noise(x):
    """Mean of |grad f_i(w*)|^2."""
    return x.mean(x.sq(x.f.grad(x.w_star)))


FEDSGD = Run(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", L=L, mu=MU, eta=ETA, sizes={"S": (1, 2), "m": (2, 3)},
    given=(condition("eta <= 1/(2L)", lambda x: le(2 * x.eta * x.L, 1)),),
    step={"w": lambda x, draw: x.w - x.eta * x.total_vec(x.f.grad(x.w), over=draw) / x.S},
    quantities={"D": distance, "n": noise},
)  # fmt: skip


@claim("shelf/fedsgd-step", world=FEDSGD.one_step, expect="proved")
def fedsgd_step(x):
    return le(x.next.D, (1 - x.eta * x.mu) * x.D + 2 * x.eta**2 / x.S * x.n)


@claim("shelf/fedsgd", world=FEDSGD, by=(fedsgd_step,), expect="proved")
def fedsgd(x):
    return le(x.D[x.T], (1 - x.eta * x.mu) ** x.T * x.D[0] + 2 * x.eta * x.n / (x.mu * x.S))
