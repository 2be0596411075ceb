"""What is off the mean of the clients, as statements about gossip have it."""


def off(x, v):
    return v - x.mean_vec(v)


def dev(x, v):
    """The mean squared distance from the mean."""
    return x.mean(x.sq(off(x, v)))


def both(x, u, v):
    return x.mean(x.dot(off(x, u), off(x, v)))


def young(x, one, other):
    return (1 + x.tau) * one + (1 + 1 / x.tau) * other
