"""Clients that mix their models: what a mixing does to the spread, and a step after it."""

from fedtheory import claim, le
from fedtheory.units import CURVATURE, STEP
from problems import Points, Smooth, between, condition, positive


def spread(x, v):
    """The mean square distance to the mean."""
    return x.mean(x.sq(v - x.mean_vec(v)))


MIXES = condition("the mixing shrinks the spread by q", lambda x: le(spread(x, x.y), x.q * spread(x, x.v)))
MIXED = {"q": between(0, 1), "s": positive(), "given": (MIXES,)}


@claim(
    "shelf/consensus-step",
    world=Points(None, at=(), clients_at=("v", "y", "g"), eta=positive(STEP), **MIXED),
    expect="proved",
)
def consensus_step(x):
    bound = (1 + x.s) * x.q * spread(x, x.v) + (1 + 1 / x.s) * x.eta**2 * spread(x, x.g)
    return le(spread(x, x.y - x.eta * x.g), bound)


@claim("shelf/spread-of-a-sum", world=Points(None, at=(), clients_at=("v", "g"), s=positive()), expect="proved")
def spread_of_a_sum(x):
    return le(spread(x, x.v + x.g), (1 + x.s) * spread(x, x.v) + (1 + 1 / x.s) * spread(x, x.g))


@claim("shelf/spread-is-less", world=Points(None, at=(), clients_at=("v",)), expect="proved")
def spread_is_less(x):
    return le(spread(x, x.v), x.mean(x.sq(x.v)))


@claim(
    "shelf/models-spread", world=Points(Smooth("L"), at=(), clients_at=("v",), L=positive(CURVATURE)), expect="proved"
)
def models_spread(x):
    return le(x.sq(x.mean_vec(x.f.grad(x.v) - x.f.grad(x.mean_vec(x.v)))), x.L**2 * spread(x, x.v))


P = between(0, 1, closed=False)
SHRINKS = condition("the mixing shrinks the spread by 1 - p", lambda x: le(
    spread(x, x.z), (1 - x.p) * spread(x, x.v)))  # fmt: skip


@claim("shelf/mixed-sum", world=Points(None, at=(), clients_at=("v", "z", "g"), p=P, given=(SHRINKS,)), expect="proved")
def mixed_sum(x):
    return le(spread(x, x.z + x.g), (1 - x.p / 2) * spread(x, x.v) + 3 / x.p * spread(x, x.g))


@claim(
    "shelf/mixed-moved",
    world=Points(None, at=(), clients_at=("v", "z", "h"), eta=positive(STEP), p=P, given=(SHRINKS,)),
    expect="proved",
)
def mixed_moved(x):
    mixed = x.mean_vec(x.v) + x.z - x.mean_vec(x.z)
    bound = 3 * (2 - x.p) * spread(x, x.v) + 3 * x.eta**2 * spread(x, x.h) + x.eta**2 * x.sq(x.mean_vec(x.h))
    return le(x.mean(x.sq(mixed - x.eta * x.h - x.v)), bound)


@claim(
    "shelf/changes-spread",
    world=Points(Smooth("L"), at=(), clients_at=("v", "w"), L=positive(CURVATURE)),
    expect="proved",
)
def changes_spread(x):
    return le(spread(x, x.f.grad(x.v) - x.f.grad(x.w)), x.L**2 * x.mean(x.sq(x.v - x.w)))
