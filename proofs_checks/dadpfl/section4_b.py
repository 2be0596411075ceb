"""Section IV-B and Figure 1: who waits for whom, over all rounds of a few clients.

Reuse indices are those of one order of all clients, N_k = G_k, as in Figure 1 and in the analysis; what happens where every
client draws indices of its own, as lines 6 to 9 of Algorithm 1 have it, is a reading. K is M + rest.
"""

from functools import cache

import numpy as np

from fedtheory import Control, claim, eq, le, lt
from fedtheory.algorithms.waiting import prior_of_own, schedule
from fedtheory.errors import UsageError
from fedtheory.schedules.rounds import given, one
from problems import Scalars, at_least, condition

from .enumerated import played

PRIOR = {3: (2,), 5: (1,), 6: (1, 5)}  # of Figure 1, as its caption has it; it leaves out the later neighbours
FIRST = (1, 2, 4)
AWAITED = {3: {2}, 5: {1}, 6: {1}}  # at N = 1
FIGURE = Scalars(sizes={"node": (1, 2, 3, 4, 5, 6)})
ROUNDS = Scalars(sizes={"M": (1, 2), "rest": (1, 2)})
WAITED = Scalars(sizes={"M": (1, 2), "rest": (1, 2), "N": (1, 2)})


@cache
def figure(N):
    """Of each node of Figure 1 when it starts, and for whom it waits."""
    found = one(given({k - 1: [j - 1 for j in PRIOR.get(k, ())] for k in range(1, 7)}), N, "fastest")
    return {k: (start, {j + 1 for j in of}) for k, (start, of) in enumerate(found, 1)}


def apart(of, expected):
    """How many clients are in one of two sets alone."""
    return len(of ^ expected)


@claim("dadpfl/fig1-s1", world=FIGURE, control=Control("with N = 1 nodes 3, 5 and 6 wait", N=1))
def nobody_waits(x, N=0):
    start, of = figure(N)[x.node]
    return eq(start, 0), eq(len(of), 0)


@claim("dadpfl/fig1-s2", world=FIGURE, control=Control("with N = 2 node 6 waits for 5 as well", N=2))
def one_is_awaited(x, N=1):
    start, of = figure(N)[x.node]
    return eq(apart(of, AWAITED.get(x.node, set())), 0), eq(min(start, 1), int(x.node not in FIRST))


@claim(
    "dadpfl/fig1-s3",
    world=Scalars(sizes={"node": (6,)}),
    control=Control("with N = 1 it waits for 1 alone", N=1),
    note="That 1 and 5 are its prior neighbours is taken from the caption, which has them nowhere else; decided is that N = 2 "
    "awaits both.",
)
def two_are_awaited(x, N=2):
    return eq(apart(figure(N)[x.node][1], {1, 5}), 0)


@claim(
    "dadpfl/rem2-a",
    world=FIGURE,
    control=Control("with N = 0 nobody waits", N=0),
    uses=("dadpfl/fig1-s2",),
    note="At N = 1 of the figure.",
)
def first_ones(x, N=1):
    start, of = figure(N)[x.node]
    late = int(x.node not in FIRST)
    return eq(min(start, 1), late), eq(min(len(of), 1), late)


@claim(
    "dadpfl/rem2-b",
    world=Scalars(sizes={"node": (5, 6)}),
    control=Control("with N = 2 node 6 trains after them", N=2),
    note="At N = 1 of the figure: in tandem is read as starting at the same time. With N = 2 node 6 starts after node 3 "
    "has ended.",
)
def in_tandem(x, N=1):
    return eq(figure(N)[x.node][0], figure(N)[3][0])


@cache
def tally(K, M, N):
    """Counts over all clients and rounds, by what they are of."""
    out = dict.fromkeys(("clients", "late", "slowest", "empty", "wrong", "short", "units", "largest", "rounds"), 0)
    out["fewest"] = M
    for hears, prior, plan in played(K, M, N):
        last = [max(plan.start[of], default=-1) for of in hears]
        awaited = [max(plan.start[of], default=-1) for of in plan.waited]
        number = plan.waited.sum(axis=1)
        all_prior = (hears == prior).all(axis=1)
        out["clients"] += K
        out["rounds"] += 1
        out["late"] += int((plan.start > 0).sum())
        out["slowest"] += int((plan.start != np.array(last) + 1)[all_prior].sum())  # awaits the slowest, and does not
        out["empty"] += int((plan.start > 0)[number == 0].sum())  # has nobody to wait for, and is late
        out["wrong"] += int((plan.start != np.array(awaited) + 1).sum())  # starts at another time than after its last
        out["short"] += int((number != np.minimum(N, prior.sum(axis=1))).sum())
        out["units"] += plan.units
        out["largest"] += int(plan.start.max())
        out["fewest"] = min(out["fewest"], int(number.min()))
    return out


@claim(
    "dadpfl/rem2-c",
    world=ROUNDS,
    control=Control("with N = 1 clients wait", N=1),
    note="K <= 4, every choice of neighbours.",
)
def parallel(x, N=0):
    return eq(tally(x.M + x.rest, x.M, N)["late"], 0)


@claim(
    "dadpfl/sec4b-s5",
    world=Scalars(sizes={"M": (2,), "rest": (1, 2)}),
    control=Control("with N = 1 it waits for the fastest", N=1),
    note="Before the threshold N comes in, which is N = M; K <= 4, every choice of M = 2 neighbours.",
)
def awaits_the_slowest(x, N=2):
    return eq(tally(x.M + x.rest, x.M, N)["slowest"], 0)


@claim(
    "dadpfl/sec4b-s6@equal",
    latex=r"$\lvert\mathcal{N}_{(a)k}^{(*)t}\rvert=N$",
    world=WAITED,
    control=Control("one more", lambda x: eq(tally(x.M + x.rest, x.M, min(x.N, x.M))["fewest"], min(x.N, x.M) + 1)),
    repair="dadpfl/sec4b-s6~repaired",
    note="As printed, an equation; the sentence has 'at most'. Client 1 has no prior neighbour, so that N = 0 alone is "
    "left. N > M is N = M.",
)
def as_many_as_n(x):
    N = min(x.N, x.M)
    return eq(tally(x.M + x.rest, x.M, N)["fewest"], N)


@claim(
    "dadpfl/sec4b-s6~repaired",
    latex=r"$\lvert\mathcal{N}_{(a)k}^{(*)t}\rvert=\min(N,\lvert\mathcal{N}_{(a)k}^{t}\rvert)$",
    world=WAITED,
    control=Control(
        "one fewer is awaited where there are two",
        lambda x: eq(tally(x.M + x.rest, x.M, 1)["largest"], tally(x.M + x.rest, x.M, x.M)["largest"]),
    ),
    note="N, or all prior neighbours where there are fewer: over all rounds, K <= 4.",
)
def at_most_n(x):
    return eq(tally(x.M + x.rest, x.M, min(x.N, x.M))["short"], 0)


@claim(
    "dadpfl/sec4b-s8",
    world=WAITED,
    control=Control("everybody starts at once", lambda x: eq(tally(x.M + x.rest, x.M, min(x.N, x.M))["late"], 0)),
    note="Over all rounds, K <= 4.",
)
def starts_at_once(x):
    return eq(tally(x.M + x.rest, x.M, min(x.N, x.M))["empty"], 0)


@claim(
    "dadpfl/sec4b-s9",
    world=WAITED,
    control=Control("nobody of the prior set delays", lambda x: eq(tally(x.M + x.rest, x.M, min(x.N, x.M))["late"], 0)),
    note="A client starts when the last of those for whom it waits has trained, and at once where there are none, whoever "
    "is in its posterior set: over all rounds, K <= 4.",
)
def delayed_by_the_prior_set(x):
    return eq(tally(x.M + x.rest, x.M, min(x.N, x.M))["wrong"], 0)


@claim(
    "dadpfl/rem2-d",
    world=Scalars(
        K=at_least(1),
        M=at_least(0),
        N=at_least(0),
        given=(
            condition("M < K", lambda x: lt(x.M, x.K), "Section IV-B"),
            condition("N = M = K", lambda x: (eq(x.N, x.M), eq(x.M, x.K))),
        ),
    ),
    control=Control("the last client waits for one", lambda x: eq(x.N, 1)),
    repair="dadpfl/rem2-d~repaired",
    note="Nobody has K neighbours among K clients: Section IV-B has M < K.",
)
def sequential(x):
    return eq(x.N, x.K - 1)  # the last client waits for all others


@cache
def alone(K, N):
    """The starts of K clients who all hear each other."""
    (only,) = played(K, K - 1, N)
    return tuple(int(s) for s in only[2].start)


@claim(
    "dadpfl/rem2-d~repaired",
    latex=r"$N=M=K-1$ transits DA-DPFL to a sequential FL",
    world=Scalars(sizes={"K": (3, 4, 5, 6, 8)}),
    control=Control("one fewer is awaited", less=1),
    note="One client at a time: client k starts at k - 1, where all hear each other and wait for all before them.",
)
def sequential_repaired(x, less=0):
    return tuple(eq(start, k) for k, start in enumerate(alone(x.K, x.K - 1 - less)))


@claim(
    "dadpfl/exp-delay-multiplier@one-plus",
    latex=r"time of a round $=$ (1 + mean maximum waiting time) $\times$ that of traditional decentralized FL",
    world=WAITED,
    control=Control(
        "without the 1",
        lambda x: eq(
            tally(x.M + x.rest, x.M, min(x.N, x.M))["units"], tally(x.M + x.rest, x.M, min(x.N, x.M))["largest"]
        ),
    ),
    note="The factor is 1 + wait and not wait, in units of one local training: over all rounds, K <= 4.",
)
def multiplier(x):
    found = tally(x.M + x.rest, x.M, min(x.N, x.M))
    return eq(found["units"], found["rounds"] + found["largest"])


OTHERS = {1: (2, 3), 2: (1, 3), 3: (1, 2)}


@cache
def ended(hears, indices):
    """1 where the round of three clients with one neighbour each ends; 0 where it has a circle, and two wait for ever."""
    heard, own = np.zeros((3, 3), dtype=bool), np.zeros((3, 3), dtype=int)
    for k in (1, 2, 3):
        heard[k - 1, OTHERS[k][hears[k - 1]] - 1] = True
        own[k - 1] = OTHERS[k][indices[k - 1]] - 1
    order = np.arange(3)
    try:
        schedule(prior_of_own(heard, order, own), order, 1)
    except UsageError:
        return 0
    return 1


CHOSEN = Scalars(sizes={name: (0, 1) for name in ("G1", "G2", "G3", "N1", "N2", "N3")})


@claim(
    "dadpfl/alg1-l10@own-indices",
    latex=r"every client that waits in line 11 comes to train",
    world=CHOSEN,
    control=Control("no round ends", lambda x: eq(ended((x.G1, x.G2, x.G3), (x.N1, x.N2, x.N3)), 0)),
    repair="dadpfl/alg1-l10~repaired",
    note="Lines 6 to 9 as printed: client k draws an index set N_k and a bijection to G_k of its own. Three clients, M = N "
    "= 1; G_k and N_k are the first or the second of the two others. Two clients can each be prior to the other, and "
    "wait for ever.",
)
def ends(x):
    return eq(ended((x.G1, x.G2, x.G3), (x.N1, x.N2, x.N3)), 1)


@claim(
    "dadpfl/alg1-l10~repaired",
    latex=r"with $\mathcal{N}_k^t=\mathcal{G}_k^t$ and one order of all clients every client starts, at $K-1$ at the latest",
    world=Scalars(sizes={"M": (1, 2), "rest": (1, 2), "N": (0, 1, 2)}),
    control=Control("nobody is late", lambda x: eq(tally(x.M + x.rest, x.M, min(x.N, x.M))["largest"], 0)),
    note="One order of the reuse indices for all, as in Figure 1: over all rounds, K <= 4.",
)
def ends_repaired(x):
    found = tally(x.M + x.rest, x.M, min(x.N, x.M))
    return le(found["largest"], (x.M + x.rest - 1) * found["rounds"])
