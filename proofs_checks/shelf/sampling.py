"""Samples of the clients, uniformly and without replacement, and noise."""

from fedtheory import claim, eq, le
from fedtheory.units import CURVATURE, STEP
from problems import Points, Smooth, SmoothConvex, positive

SAMPLED = Points(None, at=(), clients_at=("v",), sizes={"S": (1, 2, 3)})
NOISY = Points(None, at=("g", "e"), eta=positive(STEP))


def sample(x, draw):
    return x.total_vec(x.v, over=draw) / x.S


def variance(x):
    return x.mean(x.sq(x.v - x.mean_vec(x.v)))


@claim(
    "shelf/sample-variance",
    world=Points(None, at=(), clients_at=("v",), sizes={"S": (1, 2, 3), "m": (2, 3, 4, 5)}),
    expect="proved",
)
def sample_variance(x):
    spread = x.E(lambda draw: x.sq(sample(x, draw) - x.mean_vec(x.v)))
    return eq((x.m - 1) * spread, (x.m / x.S - 1) * variance(x))


@claim("shelf/sample-bound", world=SAMPLED, expect="proved")
def sample_bound(x):
    return le(x.E(lambda draw: x.sq(sample(x, draw) - x.mean_vec(x.v))), variance(x) / x.S)


@claim("shelf/sample-square", world=SAMPLED, expect="proved")
def sample_square(x):
    return le(x.E(lambda draw: x.sq(sample(x, draw))), x.mean(x.sq(x.v)))


@claim("shelf/sample-moment", world=SAMPLED, expect="proved")
def sample_moment(x):
    mean = x.mean_vec(x.v)
    return eq(x.E(lambda draw: x.sq(sample(x, draw))), x.sq(mean) + x.E(lambda draw: x.sq(sample(x, draw) - mean)))


@claim("shelf/noise", world=NOISY, expect="proved")
def noise(x):
    one, other = (x.sq(x.eta * (x.g + sign * x.e)) for sign in (1, -1))
    return eq((one + other) / 2, x.eta**2 * (x.sq(x.g) + x.sq(x.e)))


@claim(
    "shelf/noisy-descent",
    world=Points(Smooth("L"), at=("w", "e"), L=positive(CURVATURE), eta=positive(STEP), sizes={"m": (1,)}),
    expect="proved",
)
def noisy_descent(x):
    g = x.f.grad(x.w)
    one, other = (x.f.value(x.w - x.eta * (g + sign * x.e)) for sign in (1, -1))
    bound = x.f.value(x.w) - x.eta * (1 - x.eta * x.L / 2) * x.sq(g) + x.eta**2 * x.L / 2 * x.sq(x.e)
    return le((one + other) / 2, bound)


@claim(
    "shelf/sgd-step",
    world=Points(SmoothConvex("L"), optimum_of="f", L=positive(CURVATURE), eta=positive(STEP)),
    expect="proved",
)
def sgd_step(x):
    after = x.mean(x.sq(x.w - x.eta * x.f.grad(x.w) - x.w_star))
    gap, noise_at = x.mean(x.f.value(x.w) - x.f.value(x.w_star)), x.mean(x.sq(x.f.grad(x.w_star)))
    return le(after, x.sq(x.w - x.w_star) - 2 * x.eta * (1 - 2 * x.eta * x.L) * gap + 2 * x.eta**2 * noise_at)


@claim("shelf/dissimilarity", world=Points(Smooth("L"), L=positive(CURVATURE)), expect="proved")
def dissimilarity(x):
    g = x.f.grad(x.w)
    mean = x.mean_vec(g)
    return eq(x.mean(x.sq(g)), x.sq(mean) + x.mean(x.sq(g - mean)))
