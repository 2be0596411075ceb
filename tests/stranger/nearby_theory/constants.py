"""Constants of the paper as functions of an instance."""


def factor(x):
    """q = 1 - eta (mu + lam), by which one gradient step on h_i contracts."""
    return 1 - x.eta * (x.mu + x.lam)


def longest_step(x):
    """1/(L + lam)."""
    return 1 / (x.mu + x.excess + x.lam)
