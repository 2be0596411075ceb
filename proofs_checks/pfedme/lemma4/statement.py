"""Lemma 4: diversity under client sampling (Section A.4.2)."""

from fedtheory import Control, claim, le
from fedtheory.theory.pfedme.constants import diversity, sampling
from fedtheory.theory.pfedme.round import sampling_error
from fedtheory.theory.pfedme.symbols import symbols
from problems import Convex, Points


@claim(
    "pfedme/lemma4",
    world=Points(Convex(), envelope="lam", sizes={"S": (1, 2, 3, 4)}, **symbols("lam")),
    control=Control(
        "S = 1 gives the whole variance on the left, so half of the printed factor is too small", share="1/2"
    ),
    note="N = 1 makes the printed factor 0/0. Any gradients are those of envelopes of convex clients.",
)
def lemma4(x, share=1):
    return le(sampling_error(x, x.F.grad(x.w)), share * sampling(x) * diversity(x, x.w))
