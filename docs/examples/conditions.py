"""Conditions of a paper as claims about scalars: which step sizes does a theorem leave, and does one condition imply another?

fedtheory verify conditions.py
"""

from fedtheory import claim, le, lt
from fedtheory.units import CURVATURE, STEP
from problems import Scalars, condition, positive

L, MU, ETA = positive(CURVATURE), positive(CURVATURE), positive(STEP)
ORDER = condition("mu < L", lambda x: lt(x.mu, x.L))


@claim(
    "example/implied", expect="proved",
    world=Scalars(L=L, mu=MU, eta=ETA, given=(ORDER, condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1)))),
)  # fmt: skip
def implied(x):
    """eta <= 1/L is enough for eta <= 2/(mu + L)."""
    return le(x.eta * (x.mu + x.L), 2)


@claim(
    "example/empty", expect="vacuous",
    world=Scalars(L=L, mu=MU, eta=ETA, given=(ORDER, condition("eta >= 1/mu", lambda x: le(1, x.eta * x.mu)),
                                 condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1)))),
)  # fmt: skip
def empty(x):
    """A theorem that asks for both speaks of nothing."""
    return le(x.eta * x.L, 1)
