"""Lemma 4: diversity under client sampling (Section A.4.2)."""

from fedtheory import Control, claim, le
from fedtheory.theory.pfedme.conditions import LAM_2RHO
from fedtheory.theory.pfedme.constants import diversity, sampling
from fedtheory.theory.pfedme.round import sampling_error
from fedtheory.theory.pfedme.symbols import symbols
from problems import Points, WeaklyConvex


@claim(
    "pfedme/lemma4",
    world=Points(
        WeaklyConvex("rho"),
        envelope="lam",
        sizes={"S": (1, 2, 3, 4)},
        given=(LAM_2RHO,),
        **symbols("lam", "rho"),
    ),
    control=Control(
        "S = 1 gives the whole variance on the left, so half of the printed factor is too small", share="1/2"
    ),
    note="N = 1 makes the printed factor 0/0. Printed without hypotheses: clients of either case of Assumption 1, with the "
    "condition under which Proposition 1 gives F_i a gradient.",
)
def lemma4(x, share=1):
    return le(sampling_error(x, x.F.grad(x.w)), share * sampling(x) * diversity(x, x.w))
