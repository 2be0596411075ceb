"""Vectors of clients that a matrix mixes: how far they are from their mean, and the bounds of a spectrum."""

from problems import between

LAM, OPEN = between(0, 1), between(0, 1, closed=False)


def off(x, u):
    """What a client's vector is beside the mean."""
    return u - x.mean_vec(u)


def dev(x, u):
    """The mean squared distance from the mean."""
    return x.mean(x.sq(off(x, u)))
