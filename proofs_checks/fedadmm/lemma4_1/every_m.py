"""Lemma 4.1 and (7.15) for every number of clients, from one client and (7.5) (Section 7.3).

`credit` is what (3.4) to (3.6) leave over: it is not negative for a client that is selected, and 0 for the others.
"""

from fedtheory import Control, claim, eq, le, lemma
from fedtheory.premise import Inherent
from problems import Sequences

from ..controls import HALVES
from ..lemma7_1.every_m import AVERAGED, OF_AVERAGE, eq7_5_every_m, eq7_5_sum
from ..one_client import EVERY_UPDATE, drop, one_client, one_update, update
from ..summands import (
    EVERY_CLIENT,
    OWN,
    B,
    C,
    both_ways,
    left_over,
    meant,
    of_one,
    quantities,
    total,
    two_states,
)

BETWEEN = ("L", "L_between", "cross", "server")
NAMES = ("L", "L_next", "cross", "server", "move_sq", "spare", "credit")
NOTHING_LEFT = Control("without anything left over both sides may be equal", share="1/2")


def averaging_says(x, half=1):
    """(7.15) of one client."""
    return both_ways(x.L_between + half * x.server + x.b, x.L + x.cross)


@claim(
    "fedadmm/eq7.15-c@client",
    world=two_states(),
    control=HALVES,
    uses=("fedadmm/eq7.15-b",),
    step=True,
)
def eq7_15_c_client(x, half=1):
    return averaging_says(meant(x, *BETWEEN), half)


@claim(
    "fedadmm/eq7.15-c@numbers",
    world=of_one(eq7_15_c_client, averaging_says, *BETWEEN),
    control=HALVES,
    step=True,
)
def eq7_15_c_numbers(x, half=1):
    return averaging_says(x, half)


AVERAGING = {
    "sequences": quantities(*BETWEEN, "upload", "average"),
    "every": (OF_AVERAGE, lemma(eq7_15_c_numbers)),
    **B,
}


@claim(
    "fedadmm/eq7.15-c@sum",
    world=Sequences("m", **AVERAGING),
    control=HALVES,
    step=True,
)
def eq7_15_c_sum(x, half=1):
    left = total(x, "L_between") + half * total(x, "server") + x.m * x.b
    return both_ways(left, total(x, "L") + total(x, "cross"))


@claim(
    "fedadmm/eq7.15-c@every-m",
    world=Sequences("m", given=(AVERAGED, lemma(eq7_5_sum), lemma(eq7_5_every_m), lemma(eq7_15_c_sum)), **AVERAGING),
    control=HALVES,
    note=f"p_1^k, which is L(w^{{tau_{{k+1}}}}, W^k, Pi^k) - L^k, is -sigma/2 |w^{{tau_{{k+1}}}} - w^{{tau_k}}|^2. {EVERY_CLIENT} "
    "For any w in the place of w^{tau_k}: so the average minimises L, (3.10).",
)
def eq7_15_c_every_m(x, half=1):
    return both_ways(total(x, "L_between") + half * total(x, "server"), total(x, "L"))


def says(x):
    """Lemma 4.1 of one client."""
    spent = x.server + x.c / 4 * x.move_sq + x.spare + x.credit
    return le(x.L_next + spent + x.b, x.L + x.cross)


@claim(
    "fedadmm/lemma4.1@client",
    world=two_states(**C),
    control=Control(
        "a concave quadratic of curvature -r_i with phi_i turned by a quarter of g_i attains it", more="1/2"
    ),
    uses=("fedadmm/eq7.15-b", "fedadmm/eq7.17-b", "fedadmm/eq7.18-b"),
    step=True,
    note="One client, selected or not, between any two states: what these do not share with (3.4) to (3.6) stands in `credit`.",
)
def lemma4_1_client(x, more=0):
    y = meant(x, *NAMES)
    said = says(y)
    return le(said.lhs + more * x.sigma * y.move_sq, said.rhs)


@claim(
    "fedadmm/lemma4.1@credit",
    world=one_update(),
    control=Control("accuracies that are used up leave nothing", more="1/10"),
    uses=(
        "fedadmm/lemma4.1-proof-s8",
        "fedadmm/lemma4.1-proof-s10",
        "fedadmm/lemma7.1-proof-s15",
        "fedadmm/lemma7.1-proof-s16",
    ),
    step=True,
    note=f"The credit of a client that is selected, where (3.6) holds: neither part is negative. {EVERY_UPDATE}",
)
def lemma4_1_credit(x, more=0):
    return tuple(le(more * x.eps_next / x.sigma, part) for part in left_over(x, update(x), drop(x)))


@claim(
    "fedadmm/lemma4.1@credit-kept",
    world=one_client(at=("w", "w_next", "w_i", "p", "q"), names=OWN),
    control=Control("with another accuracy it is not", lambda x: no_credit(kept(x).at(q_next=x.p))),
    step=True,
    note="The credit of a client that is not selected, by (3.8), is 0.",
)
def lemma4_1_credit_kept(x):
    return no_credit(kept(x))


def no_credit(x):
    """The credit is 0."""
    return eq(meant(x, "credit").credit, 0)


def kept(x):
    """An instance in which the client keeps its parameters, (3.8)."""
    return x.at(w_i_next=x.w_i, p_next=x.p, q_next=x.q)


@claim(
    "fedadmm/lemma4.1@numbers",
    world=of_one(
        lemma4_1_client,
        says,
        *NAMES,
        stated=(
            Inherent("c <= c_i", "(4.4)", lambda x: le(0, x.spare)),
            Inherent("credit >= 0", "rows lemma4.1@credit and lemma4.1@credit-kept", lambda x: le(0, x.credit)),
        ),
        **C,
    ),
    control=NOTHING_LEFT,
    step=True,
    note="Row lemma4.1@client without what is not negative.",
)
def lemma4_1_numbers(x, share=1):
    return le(x.L_next + x.server + x.c / 4 * x.move_sq + x.b, share * (x.L + x.cross))


def gone(x):
    """sigma/2 |w^{tau_{k+1}} - w^{tau_k}|^2 + c/4 sum of |w_i^{k+1} - w_i^k|^2, the right side of Lemma 4.1."""
    return total(x, "server") + x.c / 4 * total(x, "move_sq")


CLIENTS = {
    "sequences": quantities("L", "L_next", "cross", "server", "move_sq", "upload", "average"),
    "every": (OF_AVERAGE, lemma(lemma4_1_numbers)),
    **B,
    **C,
}


@claim("fedadmm/lemma4.1@sum", world=Sequences("m", **CLIENTS), control=NOTHING_LEFT, step=True)
def lemma4_1_sum(x, share=1):
    return le(total(x, "L_next") + gone(x) + x.m * x.b, share * (total(x, "L") + total(x, "cross")))


@claim(
    "fedadmm/lemma4.1@every-m",
    world=Sequences("m", given=(AVERAGED, lemma(eq7_5_sum), lemma(eq7_5_every_m), lemma(lemma4_1_sum)), **CLIENTS),
    control=Control("without anything left over both sides may be equal", times=2),
    uses=("fedadmm/lemma4.1@credit", "fedadmm/lemma4.1@credit-kept"),
    note=f"{EVERY_CLIENT} For every selection, with what rows lemma4.1@credit and lemma4.1@credit-kept say of the clients, and "
    "0 <= c <= c_i. The sums of L and L_next are L_tilde^k + m b and L_tilde^{k+1} + m b.",
)
def lemma4_1_every_m(x, times=1):
    return le(times * gone(x), total(x, "L") - total(x, "L_next"))
