"""Parallelism of a scheduled round, exactly (Section VI-E): a share 1/(M + 1) of the clients starts at once.

Client k of K has no prior neighbour with the probability C(K - k, M)/C(K - 1, M), the value of (12) at m = 0, and starts at time 0
only then, for any N >= 1 and whichever prior neighbours are waited for. K is the size m of other papers.
"""

from functools import cache

from fedtheory import Control, claim, eq, lt
from fedtheory.random import stream
from fedtheory.schedules.rounds import RULES, starts, waiting
from problems import Scalars, Sequences, at_least, condition, positive

from .enumerated import prior_sets


def clients(x):
    """K as M + 1 + n."""
    return x.M + 1 + x.n


def number(x):
    """The sum of C(K - k, M)/C(K - 1, M): u_t is C(M + t, M), of client k = K - M - t; the last M clients have 0."""
    return (x.sum(lambda t: x.u[t], x.n) + x.u[x.n]) / x.u[x.n]


BINOMIALS = Sequences(
    "n",
    first=0,
    lengths=(0, 1, 2, 3),
    M=at_least(1),
    sequences={"u": positive()},
    given=(condition("C(M, M) = 1", lambda x: eq(x.u[0], 1)),),
    every=(
        condition(
            "(t + 1) C(M + t + 1, M) = (M + t + 1) C(M + t, M)",
            lambda x, t: eq((t + 1) * x.u[t + 1], (x.M + t + 1) * x.u[t]),
        ),
    ),
    example={"n": 3, "M": 1, "u": (1, 2, 3, 4)},
)


@claim(
    "dadpfl/exp-parallelism-def@number",
    latex=r"$\sum_{k=1}^{K}\binom{K-k}{M}\big/\binom{K-1}{M}=\frac{K}{M+1}$",
    world=BINOMIALS,
    control=Control("half a neighbour fewer", less=1),
    uses=("dadpfl/prop1",),
    step=True,
    note="How many clients have no prior neighbour, in the mean, for every K = M + 1 + n > M: by induction over n with the "
    "recursion of the binomial coefficients, also for a real M.",
)
def par0_number(x, less=0):
    return eq(number(x), clients(x) / (x.M + 1 - x.ratio(less, 2)))


@claim(
    "dadpfl/exp-parallelism-def@par0",
    latex=r"$\frac{1}{K}\sum_{k=1}^{K}\binom{K-k}{M}\big/\binom{K-1}{M}=\frac{1}{M+1}$",
    world=BINOMIALS,
    by=(par0_number,),
    control=Control("half a neighbour fewer", less=1),
    uses=("dadpfl/exp-parallelism-def@rounds",),
    note="The mean share of clients without a prior neighbour, which start at time 0, for every K = M + 1 + n > M. It has no N "
    "and no rule in it: a client without a prior neighbour waits for nobody, and one with prior neighbours waits for one of "
    "them at least where N >= 1, whichever it is.",
)
def par0(x, less=0):
    return eq(number(x) / clients(x), 1 / (x.M + 1 - x.ratio(less, 2)))


@claim(
    "dadpfl/exp-parallelism-m@par0",
    latex=r"$\frac{1}{(M+1)+1}<\frac{1}{M+1}$",
    world=Scalars(M=at_least(1)),
    control=Control("it falls by less than the half", lambda x: lt(1 / (x.M + 2), 1 / (x.M + 1) / 2)),
    uses=("dadpfl/exp-parallelism-def@par0",),
    note="The share of clients that start at time 0 falls with every further neighbour, for every N >= 1 and rule.",
)
def par0_falls(x):
    return lt(1 / (x.M + 2), 1 / (x.M + 1))


@cache
def started(K, M, N, rule):
    """The mean share of clients that start at time 0, over every choice of M neighbours for each of the K clients."""
    prior, rounds = prior_sets(K, M)
    start = starts(waiting(prior, N, rule, stream(0, 0, "enumerated")))
    return int((start == 0).sum()), K * rounds


@claim(
    "dadpfl/exp-parallelism-def@rounds",
    latex=r"$\mathbb{E}\,\frac{1}{K}|\{k:\text{k starts at }0\}|=\frac{1}{M+1}$",
    world=Scalars(sizes={"M": (1, 2, 3), "rest": (1, 2), "N": (1, 2, 3)}),
    control=Control("half a neighbour fewer", less=1),
    note="By the schedules themselves over every choice of M neighbours for each of K = M + rest clients, three rules each, up to "
    "K = 5; N > M is N = M. The rule at random has one choice a round: whether anybody is waited for does not hang on it.",
)
def par0_rounds(x, less=0):
    counted = ((rule, *started(x.M + x.rest, x.M, x.N, rule)) for rule in RULES)
    return tuple(eq(x.ratio(part, of), x.ratio(2, 2 * x.M + 2 - less), rule) for rule, part, of in counted)
