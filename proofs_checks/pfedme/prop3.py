"""Proposition 3: the square of a sum of M vectors (Section A.1)."""

from fedtheory import Control, claim, le
from problems import Points


@claim(
    "pfedme/prop3",
    world=Points(None, at=(), clients_at=("x",)),
    control=Control(
        "equal vectors attain it, so nine tenths of the bound is too little",
        lambda x: le(x.sq(x.total_vec(x.x)), 9 * x.m * x.total(x.sq(x.x)) / 10),
    ),
    note="M is the number of clients of the world.",
)
def prop3(x):
    return le(x.sq(x.total_vec(x.x)), x.m * x.total(x.sq(x.x)))
