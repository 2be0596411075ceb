"""Scheme 4.1 and (4.3): how long a client waits between two selections (Sections 4.2 and 7)."""

from itertools import pairwise, product

from fedtheory import Control, claim, eq, le
from problems import Scalars

THREE_GROUPS = {"s0": (1, 2, 3, 4)}


def histories(s0, groups=3):
    """Every 0/1 history of one client over `groups` groups of s_0 rounds in each of which it is selected at least once."""
    group = [h for h in product((0, 1), repeat=s0) if any(h)]
    return [sum(h, ()) for h in product(group, repeat=groups)]


def gaps(history):
    """The gaps u - v between consecutive selections of one client; it is in Omega^0."""
    at = [0, *(tau for tau, chosen in enumerate(history, 1) if chosen)]
    return [u - v for v, u in pairwise(at)]


@claim(
    "fedadmm/eq4.3",
    world=Scalars(sizes=THREE_GROUPS),
    control=Control("first of one group and last of the next are 2 s_0 - 1 apart", less=2),
    note="Counted over every history of a client over three groups of s_0 rounds, s_0 up to 4; two consecutive selections lie in "
    "one group or in two neighbouring ones.",
)
def eq4_3(x, less=0):
    s0 = int(x.s0)
    return le(x.ratio(max(max(gaps(h)) for h in histories(s0)), 1), x.ratio(2 * s0 - less, 1))


def waits(history):
    """For every round tau the number of rounds since the last selection, 0 in a round that selects the client."""
    last, out = 0, []
    for tau, chosen in enumerate(history, 1):
        last = tau if chosen else last
        out.append(tau - last)
    return out


@claim(
    "fedadmm/lemma7.2-proof-s18",
    world=Scalars(sizes=THREE_GROUPS),
    control=Control("a client may wait 2 s_0 - 2 rounds", less=3),
    uses=("fedadmm/eq4.3",),
    step=True,
    note="tau_{k+1} - tau_{k_i+1} is the number of rounds since the last selection. Counted over every history of a client over "
    "three groups, s_0 up to 4.",
)
def lemma7_2_proof_s18(x, less=0):
    s0 = int(x.s0)
    return le(x.ratio(max(max(waits(h)) for h in histories(s0)), 1), x.ratio(2 * s0 - less, 1))


@claim(
    "fedadmm/lemma7.2-proof-s17",
    world=Scalars(sizes={"s0": (2, 3)}),
    control=Control(
        "a client that is selected is not outside", lambda x: eq(x.ratio(contradictions(x, 1), 1), x.ratio(1, 2))
    ),
    repair="fedadmm/lemma7.2-proof-s17~repaired",
    step=True,
    note="Counted: rounds in which a client is not selected and yet, as printed, selected in the same round.",
)
def lemma7_2_proof_s17(x):
    return eq(x.ratio(contradictions(x, 0), 1), x.ratio(0, 1))


def contradictions(x, back):
    """Rounds with the client outside for which i in Omega fails, in that round or, with `back`, at its last selection."""
    count = 0
    for history in histories(int(x.s0)):
        selected = (1, *history)
        for tau, wait in enumerate(waits(history), 1):
            count += wait > 0 and not selected[tau - wait * back]
    return count


@claim(
    "fedadmm/lemma7.2-proof-s17~repaired",
    world=Scalars(sizes={"s0": (2, 3)}),
    control=Control("the printed index", back=0),
    step=True,
    note="i in Omega^{tau_{k_i+1}}, the round of its last selection.",
)
def lemma7_2_proof_s17_repaired(x, back=1):
    return eq(x.ratio(contradictions(x, back), 1), x.ratio(0, 1))


OFTEN = {"s0": (2, 3), "k0": (1, 2), "rounds": (2, 3, 4, 5)}
AT_K = "At k = k_0 rounds, the selection that the server makes at step k included."


def fewest(s0, rounds, k0=1):
    """The least number of updates of a client at the steps up to k, `k0` in each of the rounds and one at k itself."""
    return min(k0 * sum(h[:rounds]) + h[rounds] for h in histories(s0))


def printed_share(x, times=1):
    """k/(s_0 k_0), or a multiple of it."""
    return x.ratio(times * int(x.rounds), int(x.s0))


@claim(
    "fedadmm/lemma7.1-proof-s18",
    world=Scalars(sizes=OFTEN),
    control=Control("the last rounds of the groups are enough, so twice as many selections are not certain", times=2),
    repair="fedadmm/lemma7.1-proof-s18~repaired",
    step=True,
    note=f"{AT_K} A client that every group selects in its last round alone is selected (k/k_0 + 1)/s_0 times, rounded down, for "
    "every k. Omega^0 = [m] is not selected by the server, and (3.4) does not occur for it; with it counted the row is "
    "fedadmm/lemma7.1-proof-s18@start.",
)
def lemma7_1_proof_s18(x, times=1):
    return le(printed_share(x, times), x.ratio(fewest(int(x.s0), int(x.rounds)), 1))


@claim(
    "fedadmm/lemma7.1-proof-s18@start",
    world=Scalars(sizes=OFTEN),
    control=Control("twice as many are not certain", times=2),
    step=True,
    note=f"{AT_K} With Omega^0 counted as a selection.",
)
def lemma7_1_proof_s18_start(x, times=1):
    return le(printed_share(x, times), x.ratio(fewest(int(x.s0), int(x.rounds)) + 1, 1))


@claim(
    "fedadmm/lemma7.1-proof-s18~repaired",
    world=Scalars(sizes=OFTEN),
    control=Control("one more is too many", more=1),
    step=True,
    note=f"k/(s_0 k_0) rounded down. {AT_K}",
)
def lemma7_1_proof_s18_repaired(x, more=0):
    return le(x.ratio(int(x.rounds) // int(x.s0) + more, 1), x.ratio(fewest(int(x.s0), int(x.rounds)), 1))


@claim(
    "fedadmm/lemma7.1-proof-s19",
    world=Scalars(sizes=OFTEN),
    control=Control("four times as many updates are not certain", times=4),
    repair="fedadmm/lemma7.1-proof-s19~repaired",
    uses=("fedadmm/lemma7.1-proof-s18",),
    step=True,
    note="(3.4) occurs k_0 times a selection; at the steps up to k = k_0 rounds. With k_0 = 1 this is row lemma7.1-proof-s18. That "
    "eps_i tends to 0 all the same is fedadmm/eq7.8.",
)
def lemma7_1_proof_s19(x, times=1):
    return le(printed_share(x, times), x.ratio(fewest(int(x.s0), int(x.rounds), int(x.k0)), 1))


@claim(
    "fedadmm/lemma7.1-proof-s19~repaired",
    world=Scalars(sizes=OFTEN),
    control=Control("one more is too many where k_0 = 1", more=1),
    uses=("fedadmm/lemma7.1-proof-s18~repaired",),
    step=True,
    note="At least k_0 times k/(s_0 k_0) rounded down.",
)
def lemma7_1_proof_s19_repaired(x, more=0):
    k0 = int(x.k0)
    return le(x.ratio(k0 * (int(x.rounds) // int(x.s0)) + more, 1), x.ratio(fewest(int(x.s0), int(x.rounds), k0), 1))
