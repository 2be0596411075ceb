"""Proposition 3: Jensen's inequalities, (24) (Appendix A)."""

from fedtheory import Control, claim, le
from problems import Points


@claim(
    "flame/eq24",
    world=Points(None, at=(), clients_at=("theta",)),
    control=Control("equal vectors give equality", share="9/10"),
)
def eq24(x, share=1):
    return le(x.sq(x.total_vec(x.theta)), share * x.m * x.total(x.sq(x.theta)))
