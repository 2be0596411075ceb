"""E_l^* against the exact mean displacement of a round in which clients wait (Lemma 2).

All clients have one constant gradient, so that every local step moves by the same vector, and E_l local steps by 1. Client k
then takes the mean of itself and M neighbours, of which the prior ones have trained already: it ends at 1 + (sum over its prior
neighbours of where they end)/(M + 1) from where all stood, each of the K - 1 others being a neighbour with probability M/(K -
1). Indices are assigned anew in every round, so that every round moves the mean model as far as the first one, before and after
the means (28) alike. The paper lets every prior neighbour have moved by 1 only.
"""

from fractions import Fraction
from functools import cache

from fedtheory import Control, claim, eq, le, lt
from problems import Scalars, Sequences, positive

from .enumerated import neighbourhoods

ROUNDS = Scalars(sizes={"M": (1, 2, 3), "rest": (1, 2, 3)})


@cache
def moved(K, M):
    """The mean displacement over all clients and choices of neighbours, in units of E_l local steps."""
    K, M = int(K), int(M)
    ends: list[Fraction] = []
    for k, choices in enumerate(neighbourhoods(K, M)):
        prior = sum((sum((ends[j] for j in chosen if j < k), Fraction(0)) for chosen in choices), Fraction(0))
        ends.append(1 + prior / len(choices) / (M + 1))
    return sum(ends, Fraction(0)) / K


def exactly(x, value):
    """A quotient as a number of the instance."""
    return x.ratio(value.numerator, value.denominator)


def reuse(x):
    """M/((M + 1)(K - 1)): the weight that client k gives each earlier one, in the mean over its neighbours."""
    return x.M / ((x.M + 1) * (x.M + x.rest - 1))


@claim(
    "dadpfl/lemma2-s2@displacement",
    latex=r"the mean displacement of a round is that of $E_{l}^{*}=\frac{3M+2}{2(M+1)}E_{l}$ local steps",
    world=ROUNDS,
    control=Control("that of E_l steps", lambda x: eq(exactly(x, moved(x.M + x.rest, x.M)), 1)),
    repair="dadpfl/lemma2-s2~displacement",
    uses=("dadpfl/lemma2-proof-s12",),
    note="For one constant gradient, N = M, dense masks, K = M + rest: right for two clients only, where nobody takes a "
    "model that itself has come from one of this round.",
)
def displacement(x):
    return eq(exactly(x, moved(x.M + x.rest, x.M)), (3 * x.M + 2) / (2 * (x.M + 1)))


@claim(
    "dadpfl/lemma2-s2~displacement",
    latex=r"$E_{l}^{*}=\frac{(1+a)^{K}-1}{aK}E_{l}$, $a=\frac{M}{(M+1)(K-1)}$",
    world=ROUNDS,
    control=Control("one client fewer", less=1),
    note="For one constant gradient, N = M, dense masks, by all choices of neighbours of K <= 6 clients; for every K from "
    "the recursion: lemma2-s2@recursion.",
)
def displacement_repaired(x, less=0):
    K = x.M + x.rest
    a = reuse(x)
    return eq(exactly(x, moved(K, x.M)), ((1 + a) ** (K - less) - 1) / (a * (K - less)))


@claim(
    "dadpfl/lemma2-s2@at-least",
    latex=r"$\frac{3M+2}{2(M+1)}\leq$ the mean displacement of a round, in units of $E_l$ local steps",
    world=ROUNDS,
    control=Control(
        "it is below it", lambda x: lt((3 * x.M + 2) / (2 * (x.M + 1)), exactly(x, moved(x.M + x.rest, x.M)))
    ),
    note="The printed number is a lower bound on it, and never more than it: K <= 6.",
)
def displacement_below(x):
    return le((3 * x.M + 2) / (2 * (x.M + 1)), exactly(x, moved(x.M + x.rest, x.M)))


@claim(
    "dadpfl/lemma2-s2@recursion",
    latex=r"$y_{n+1}=1+a\sum_{k\leq n}y_k$ and $\frac1n\sum_{k\leq n}y_k=\frac{(1+a)^n-1}{an}$ for $y_k=(1+a)^{k-1}$",
    world=Sequences("n", a=positive()),
    control=Control("without the models of this round", lambda x: eq((1 + x.a) ** x.n, 1 + x.a * x.n)),
    step=True,
    note="Where client k ends in the mean over its neighbours, for any number n of clients: these y_k meet the recursion, "
    "which has no others.",
)
def recursion(x):
    summed = x.sum(lambda t: (1 + x.a) ** t, x.n)
    return eq((1 + x.a) ** x.n, 1 + x.a * summed), eq(summed, ((1 + x.a) ** x.n - 1) / x.a)
