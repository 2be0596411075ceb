"""Remark 4.1: the probability that a client is selected within s_0 rounds (Section 4.2)."""

from itertools import combinations, product

from fedtheory import Control, claim, eq, le
from fedtheory.theory.fedadmm.rounds import covered
from problems import Scalars, Sequences, between, positive

# three rounds with sizes |Omega| of their own; every selection of a round is equally likely
ROUNDS = Scalars(sizes={"m": (1, 2, 3, 4), "S1": (1, 2, 3, 4), "S2": (1, 2, 3, 4), "S3": (1, 2, 3, 4)})


def selections(x, S):
    """Every selection of S of the m clients."""
    return list(combinations(range(x.m), S))


def missed(x, S):
    """P(i not in Omega) for client 0, counted over the selections."""
    cases = selections(x, S)
    return x.ratio(sum(0 not in omega for omega in cases), len(cases))


def missed_always(x):
    """P(i not in any Omega) for client 0, counted over the triples of independent selections."""
    cases = list(product(*(selections(x, S) for S in (x.S1, x.S2, x.S3))))
    return x.ratio(sum(all(0 not in omega for omega in triple) for triple in cases), len(cases))


def fails(x, s0=5):
    """Probability that s_0 independent uniform selections of 9 of 10 clients miss one: 10^-4 for s_0 = 5."""
    return 1 - covered(x, 10, 9, s0)


@claim(
    "fedadmm/rem4.1-a",
    world=Scalars(sizes={"groups": (1, 100, 10000, 30000)}),
    control=Control("with four rounds a group fails ten times as often", s0=4),
    repair="fedadmm/rem4.1-a~repaired",
    uses=("fedadmm/rem4.1-f", "fedadmm/rem4.1-a@one-group"),
    note="With probability at least 1/2, for the remark's own example s_0 = 5, |Omega| = 0.9 m, at m = 10. One group "
    "fails with probability 10^-4 (five rounds have to miss the same client), but the scheme asks it of every group: over n of "
    "them the probability is (1 - 10^-4)^n, at most 1/(1 + 10^-4 n), the right side, which tends to 0.",
)
def rem4_1_a(x, s0=5):
    return le(x.ratio(1, 2), 1 / (1 + int(x.groups) * fails(x, s0)))


@claim(
    "fedadmm/rem4.1-a~repaired",
    world=Scalars(sizes={"groups": (1, 10, 100)}),
    control=Control("groups do fail", times=0),
    note="At least 1 - n m (1 - |Omega|/m)^{s_0} over n groups, here for m = 10 and n up to 100: high where n is far below 10^4.",
)
def rem4_1_a_repaired(x, times=1):
    n = int(x.groups)
    return le(1 - times * 10 * n * x.ratio(1, 10**5), (1 - fails(x)) ** n)


@claim(
    "fedadmm/rem4.1-a@one-group",
    world=Scalars(sizes={"clients": (2, 3, 4, 5), "S": (1, 2, 3), "s0": (1, 2, 3)}),
    control=Control("one round reaches everybody only if all are selected", lambda x: eq(
        covered(x, int(x.clients), min(int(x.S), int(x.clients)), int(x.s0)), 1
    )),
    note="For all clients together and one group: the formula by inclusion and exclusion, which rem4.1-a takes, counted over all "
    "selections.",
)  # fmt: skip
def rem4_1_a_one_group(x):
    m, S, s0 = int(x.clients), min(int(x.S), int(x.clients)), int(x.s0)
    cases = list(product(combinations(range(m), S), repeat=s0))
    reached = sum(len(set().union(*rounds)) == m for rounds in cases)
    return eq(covered(x, m, S, s0), x.ratio(reached, len(cases)))


@claim(
    "fedadmm/rem4.1-c",
    world=ROUNDS,
    control=Control(
        "counting the last round twice changes the product whenever its factor lies strictly between 0 and 1", times=2
    ),
    step=True,
    note="s0 = 3 rounds with sizes of their own; both probabilities are counted.",
)
def rem4_1_c(x, times=1):
    return eq(1 - missed_always(x), 1 - missed(x, x.S1) * missed(x, x.S2) * missed(x, x.S3) ** times)


@claim(
    "fedadmm/rem4.1-d",
    world=ROUNDS,
    control=Control("for S < m a client is missed with probability 1 - S/m, not half of it", share="1/2"),
    step=True,
    note="s0 = 3 rounds with sizes of their own; the left side is counted.",
)
def rem4_1_d(x, share=1):
    counted = 1 - missed(x, x.S1) * missed(x, x.S2) * missed(x, x.S3)
    return eq(counted, 1 - (1 - x.S1 / x.m) * (1 - x.S2 / x.m) * share * (1 - x.S3 / x.m))


@claim(
    "fedadmm/rem4.1-e",
    world=Sequences("s0", q=between(0, 1, closed=False)),
    control=Control("a bound that falls twice as fast fails for the first round when q is small", rate=2),
    note="With q = |Omega|/m > 0 the probability (1 - q)^s0 of a miss in all of s0 rounds is at most 1/(1 + s0 q), for every s0, "
    "which tends to 0.",
)
def rem4_1_e(x, rate=1):
    return le((1 - x.q) ** x.s0 * (1 + x.s0 * rate * x.q), 1)


@claim(
    "fedadmm/rem4.1-f",
    world=Scalars(m=positive()),
    control=Control("four rounds give 1 - 10^-4", s0=4),
)
def rem4_1_f(x, s0=5):
    selected = 9 * x.m / 10
    return eq(1 - (1 - selected / x.m) ** s0, 1 - x.ratio(1, 10**5))
