"""Vectors: Young, Jensen, variances and the identities that every proof uses."""

from fedtheory import claim, eq, le
from problems import Points, at_least, between, positive

TWO = Points(None, at=("u", "v"))
THREE = Points(None, at=("u", "v", "w"))
TAU = Points(None, at=("u", "v"), tau=positive())
CLIENTS = Points(None, at=(), clients_at=("v",))
AROUND = Points(None, at=("u",), clients_at=("v",))


@claim("shelf/young", world=TAU, expect="proved")
def young(x):
    return le(2 * x.dot(x.u, x.v), x.tau * x.sq(x.u) + x.sq(x.v) / x.tau)


@claim("shelf/of-a-sum", world=TAU, expect="proved")
def of_a_sum(x):
    return le(x.sq(x.u + x.v), (1 + x.tau) * x.sq(x.u) + (1 + 1 / x.tau) * x.sq(x.v))


@claim("shelf/of-a-sum-below", world=TAU, expect="proved")
def of_a_sum_below(x):
    return le((1 - x.tau) * x.sq(x.u) + (1 - 1 / x.tau) * x.sq(x.v), x.sq(x.u + x.v))


@claim("shelf/of-three", world=THREE, expect="proved")
def of_three(x):
    return le(x.sq(x.u + x.v + x.w), 3 * (x.sq(x.u) + x.sq(x.v) + x.sq(x.w)))


@claim("shelf/polar", world=TWO, expect="proved")
def polar(x):
    return eq(2 * x.dot(x.u, x.v), x.sq(x.u) + x.sq(x.v) - x.sq(x.u - x.v))


@claim("shelf/three-points", world=THREE, expect="proved")
def three_points(x):
    return eq(2 * x.dot(x.u - x.v, x.w - x.u), x.sq(x.w - x.v) - x.sq(x.u - x.v) - x.sq(x.w - x.u))


@claim("shelf/parallelogram", world=TWO, expect="proved")
def parallelogram(x):
    return eq(x.sq(x.u + x.v) + x.sq(x.u - x.v), 2 * x.sq(x.u) + 2 * x.sq(x.v))


@claim("shelf/between", world=Points(None, at=("u", "v"), theta=at_least(0)), expect="proved")
def between_two(x):
    return eq(
        x.sq((1 - x.theta) * x.u + x.theta * x.v),
        (1 - x.theta) * x.sq(x.u) + x.theta * x.sq(x.v) - x.theta * (1 - x.theta) * x.sq(x.u - x.v),
    )


@claim("shelf/momentum", world=Points(None, at=("u", "v"), beta=between(0, 1)), expect="proved")
def momentum(x):
    return le(x.sq(x.beta * x.u + (1 - x.beta) * x.v), x.beta * x.sq(x.u) + (1 - x.beta) * x.sq(x.v))


@claim("shelf/jensen", world=CLIENTS, expect="proved")
def jensen(x):
    return le(x.sq(x.mean_vec(x.v)), x.mean(x.sq(x.v)))


@claim("shelf/square-of-a-sum", world=CLIENTS, expect="proved")
def square_of_a_sum(x):
    return le(x.sq(x.total_vec(x.v)), x.m * x.total(x.sq(x.v)))


@claim("shelf/variance", world=CLIENTS, expect="proved")
def variance(x):
    mean = x.mean_vec(x.v)
    return eq(x.mean(x.sq(x.v - mean)), x.mean(x.sq(x.v)) - x.sq(mean))


@claim("shelf/bias-variance", world=AROUND, expect="proved")
def bias_variance(x):
    mean = x.mean_vec(x.v)
    return eq(x.mean(x.sq(x.v - x.u)), x.mean(x.sq(x.v - mean)) + x.sq(mean - x.u))


@claim("shelf/mean-is-nearest", world=AROUND, expect="proved")
def mean_is_nearest(x):
    return le(x.mean(x.sq(x.v - x.mean_vec(x.v))), x.mean(x.sq(x.v - x.u)))


@claim("shelf/of-a-sum-each", world=Points(None, at=(), clients_at=("u", "v"), tau=positive()), expect="proved")
def of_a_sum_each(x):
    return le(x.sq(x.u + x.v), (1 + x.tau) * x.sq(x.u) + (1 + 1 / x.tau) * x.sq(x.v))


@claim("shelf/split", world=Points(None, at=(), clients_at=("v", "g")), expect="proved")
def split(x):
    return le(x.sq(x.v), 2 * x.sq(x.v - x.g) + 2 * x.sq(x.g))
