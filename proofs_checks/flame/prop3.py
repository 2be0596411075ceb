"""Proposition 3: Jensen's inequalities (Appendix A)."""

from fedtheory import Control, claim, le
from problems import Points


@claim(
    "flame/eq24",
    world=Points(None, at=(), clients_at=("theta",)),
    control=Control(
        "equal vectors give equality",
        lambda x: le(x.sq(x.total_vec(x.theta)), 9 * x.m * x.total(x.sq(x.theta)) / 10),
    ),
)
def eq24(x):
    return le(x.sq(x.total_vec(x.theta)), x.m * x.total(x.sq(x.theta)))
