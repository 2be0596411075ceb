"""Second part of (7.20) as printed: what L_tilde loses along a whole run is all of L_tilde^0 - f* (Section 7.3)."""

from fedtheory import claim
from fedtheory.limits import tends_to
from fedtheory.theory.fedadmm.conditions import PENALTY
from problems import Run, SmoothBoundedBelow, condition

from ..iterations import OF_ALL, QUANTITIES, SHRINKS, beside, dual, p_next
from ..one_client import ONE


def infimum(x):
    """f*. Unit E."""
    return x.total(x.alpha * x.f.infimum())


def server(x):
    """w^{tau_{k+1}} of (3.3), for one client."""
    return x.W + dual(x) / beside(x.sigma)


def at_server(quantity):
    """What reads w^{tau_{k+1}}, at that of (3.3)."""
    return lambda x: quantity(x.at(w_next=server(x)))


EVERY_TIME = Run(
    SmoothBoundedBelow("r"), at=("w",), clients_at=("W", "p", "q", "W_next", "q_next"), fresh=("W_next", "q_next"), index="K",
    sizes=ONE, step={"w": server, "W": lambda x: x.W_next, "p": at_server(p_next), "q": lambda x: x.q_next},
    obeys=(condition(SHRINKS.printed, at_server(SHRINKS.relation), SHRINKS.where),), given=(PENALTY,),
    quantities={"L": QUANTITIES["L"], "f_star": infimum}, **OF_ALL,
)  # fmt: skip


@claim(
    "fedadmm/eq7.20-b",
    world=EVERY_TIME,
    repair="fedadmm/eq7.20-b~repaired",
    step=True,
    note="The terms up to K add up to L_tilde^0 - L_tilde^K: the sum is the right side if and only if L_tilde^k tends to f*. False "
    "where nothing moves, at a stationary point that is no minimiser, for one client that is selected every time, k_0 = 1.",
)
def eq7_20_b(x):
    return tends_to(x.L, x.f_star)
