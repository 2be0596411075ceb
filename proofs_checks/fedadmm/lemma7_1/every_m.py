"""(7.5) for every number of clients, from one client and (3.3) (Section 7.2)."""

from fedtheory import Control, claim, lemma
from problems import Sequences, condition

from ..summands import EVERY_CLIENT, B, both_ways, meant, of_one, quantities, total, two_states

NAMES = ("cross", "upload", "average")
ITS_OWN = Control("every client has its b", times=2)


def says(x, times=1):
    """What a client adds to (7.5) and to both sides of (3.3)."""
    return both_ways(x.cross + x.upload, x.average + times * x.b)


@claim(
    "fedadmm/eq7.5@client",
    world=two_states(),
    control=ITS_OWN,
    step=True,
    note="A client's part of (7.5) and of the two sides of (3.3), times w^{tau_{k+1}} - w^{tau_k}.",
)
def eq7_5_client(x, times=1):
    return says(meant(x, *NAMES), times)


@claim("fedadmm/eq7.5@numbers", world=of_one(eq7_5_client, says, *NAMES), control=ITS_OWN, step=True)
def eq7_5_numbers(x, times=1):
    return says(x, times)


OF_AVERAGE = lemma(eq7_5_numbers)
AVERAGED = condition(
    "(3.3), or w^{tau_{k+1}} = w^{tau_k}", lambda x: both_ways(total(x, "upload"), total(x, "average"))
)
CLIENTS = {"sequences": quantities(*NAMES), "every": (OF_AVERAGE,), **B}


@claim("fedadmm/eq7.5@sum", world=Sequences("m", **CLIENTS), control=ITS_OWN, step=True)
def eq7_5_sum(x, times=1):
    return both_ways(total(x, "cross") + total(x, "upload"), total(x, "average") + times * x.m * x.b)


@claim(
    "fedadmm/eq7.5@every-m",
    world=Sequences("m", given=(AVERAGED, lemma(eq7_5_sum)), **CLIENTS),
    control=ITS_OWN,
    note=f"Times w^{{tau_{{k+1}}}} - w^{{tau_k}}, as (7.15) needs it: the sum over the clients is 0. {EVERY_CLIENT}",
)
def eq7_5_every_m(x, times=1):
    return both_ways(total(x, "cross"), times * x.m * x.b)
