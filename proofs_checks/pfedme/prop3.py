"""Proposition 3: the square of a sum of M vectors (Section A.1)."""

from fedtheory import Control, claim, le
from problems import Points


@claim(
    "pfedme/prop3",
    world=Points(None, at=(), clients_at=("x",)),
    control=Control("equal vectors attain it, so nine tenths of the bound is too little", share="9/10"),
    note="M is the number of clients of the world.",
)
def prop3(x, share=1):
    return le(x.sq(x.total_vec(x.x)), share * x.m * x.total(x.sq(x.x)))
