"""Steps of the proof of Lemma 7.1 (Section 7.2)."""

from fedtheory import Control, claim, eq, le
from problems import Scalars

from ..controls import PLUS, USED_UP
from ..one_client import EVERY_UPDATE, SHRINKS, drop, free_update, one_update, own, update
from ..worlds import fedadmm_steps, few_clients, outside

UNSELECTED = (
    "From k to k + 1, for the clients outside Omega^{tau_{k+1}}; so for every step since k_i, and since 0 for k_i = -1."
)
MOVES = "clients that are selected move"


def unchanged(x, *parts):
    """A relation for each named part of the state: it is the same after a step for every client that is not selected."""

    def apart(before, after, part):
        change = getattr(after, part) - getattr(before, part)
        change = change if part == "eps" else x.sq(change)
        return x.xp.where(after.selected, change * 0, change)

    return tuple(r for part in parts for r in x.each_step(lambda b, a, part=part: eq(apart(b, a, part), 0, part)))


@claim(
    "fedadmm/eq7.9",
    world=few_clients(),
    control=Control(MOVES, lambda x: eq(x.total(x.sq(x.next.W - x.state.W)), 0)),
    step=True,
    note=UNSELECTED,
)
def eq7_9(x):
    return unchanged(x, "eps", "W", "Pi", "Z")


def message_gap_sq(x, state, factor=1):
    """|z_i - sigma_i w_i - pi_i|^2, ``(..., m)``."""
    return x.sq(state.Z - factor * state.W * x.sigma[..., None] - state.Pi)


@claim(
    "fedadmm/lemma7.1-proof-s2",
    world=few_clients(),
    control=Control("the message is sigma_i w_i + pi_i, not 2 sigma_i w_i + pi_i", factor=2),
    uses=("fedadmm/eq7.9",),
    step=True,
    note=f"{UNSELECTED} With (3.7) for every client at the state before.",
)
def lemma7_1_proof_s2(x, factor=1):
    def of(before, after):
        return eq(outside(x, message_gap_sq(x, after, factor), after.selected), 0)

    return x.each_step(of)


@claim(
    "fedadmm/lemma7.1-proof-s3",
    world=few_clients(),
    control=Control(MOVES, lambda x: eq(x.total(x.sq(x.next.Z - x.state.Z)), 0)),
    uses=("fedadmm/eq7.9",),
    step=True,
    note=UNSELECTED,
)
def lemma7_1_proof_s3(x):
    return unchanged(x, "Z")


@claim(
    "fedadmm/lemma7.1-proof-s5",
    world=few_clients(steps=(1,)),
    control=Control("the message is sigma_i w_i + pi_i, not 2 sigma_i w_i + pi_i", factor=2),
    step=True,
    note="At k = 0.",
)
def lemma7_1_proof_s5(x, factor=1):
    return eq(message_gap_sq(x, x.state, factor), 0)


@claim(
    "fedadmm/lemma7.1-proof-s6",
    world=few_clients(),
    control=Control(MOVES, lambda x: eq(x.total(x.sq(message(x, x.next) - message(x, x.state))), 0)),
    uses=("fedadmm/eq7.9",),
    step=True,
    note=UNSELECTED,
)
def lemma7_1_proof_s6(x):
    def of(before, after):
        return eq(outside(x, x.sq(message(x, after) - message(x, before)), after.selected), 0)

    return x.each_step(of)


def message(x, state):
    """sigma_i w_i + pi_i."""
    return x.sigma[..., None] * state.W + state.Pi


@claim(
    "fedadmm/lemma7.1-proof-s7",
    world=few_clients(),
    control=Control("the message is sigma_i w_i + pi_i, not 2 sigma_i w_i + pi_i", factor=2),
    step=True,
    note="(3.7) at every state of a run.",
)
def lemma7_1_proof_s7(x, factor=1):
    return x.each_step(lambda before, after: eq(message_gap_sq(x, after, factor), 0, f"k + 1 = {after.k}"))


def printed_sum(x):
    """sum of sigma_i (z_i^k - w^{tau_{k+1}})."""
    return x.total_vec(x.sigma[..., None] * (x.state.Z - x.next.w))


def weighed_sum(x, weight=1):
    """sum of z_i^k - sigma_i w^{tau_{k+1}}."""
    return x.total_vec(x.state.Z - weight * x.sigma[..., None] * x.next.w)


def gap_sum(x):
    """Left side of (7.5)."""
    return x.total_vec(x.sigma[..., None] * (x.state.W - x.next.w) + x.state.Pi)


AT_START = few_clients(convex=True, steps=(1,))
AVERAGED = few_clients(steps=(1, 3))
SLIP = "sigma_i stands in front of the bracket, where z_i^k = sigma_i w_i^k + pi_i^k has it already. At k = 0."
TWICE = "w^{tau_{k+1}} has the weight sigma_i, not 2 sigma_i"


@claim(
    "fedadmm/lemma7.1-proof-s8",
    world=AT_START,
    control=Control("a sum that is 0 is not twice another", lambda x: eq(x.sq(gap_sum(x) - 2 * printed_sum(x)), 0)),
    repair="fedadmm/lemma7.1-proof-s8~repaired",
    step=True,
    note=SLIP,
)
def lemma7_1_proof_s8(x):
    return eq(x.sq(gap_sum(x) - printed_sum(x)), 0)


@claim(
    "fedadmm/lemma7.1-proof-s8~repaired",
    world=AVERAGED,
    control=Control(TWICE, weight=2),
    uses=("fedadmm/lemma7.1-proof-s7",),
    step=True,
    note="The sum of z_i^k - sigma_i w^{tau_{k+1}}.",
)
def lemma7_1_proof_s8_repaired(x, weight=1):
    return eq(x.sq(gap_sum(x) - weighed_sum(x, weight)), 0)


@claim(
    "fedadmm/lemma7.1-proof-s9",
    world=AT_START,
    control=Control("nor is the sum without w zero", lambda x: eq(x.sq(x.total_vec(x.state.Z)), 0)),
    repair="fedadmm/lemma7.1-proof-s9~repaired",
    step=True,
    note=SLIP,
)
def lemma7_1_proof_s9(x):
    return eq(x.sq(printed_sum(x)), 0)


@claim(
    "fedadmm/lemma7.1-proof-s9~repaired",
    world=AVERAGED,
    control=Control(TWICE, weight=2),
    step=True,
    note="The sum of z_i^k - sigma_i w^{tau_{k+1}}.",
)
def lemma7_1_proof_s9_repaired(x, weight=1):
    return eq(x.sq(weighed_sum(x, weight)), 0)


@claim(
    "fedadmm/eq7.10-b",
    world=free_update(),
    control=Control("the dual variable moves along with w_i, not against it", sign=-1),
    step=True,
    note=EVERY_UPDATE,
)
def eq7_10_b(x, sign=1):
    u = update(x)
    return eq(x.sq(u.g_next + u.Pi_next - (u.g_next + u.Pi + sign * x.sigma * u.away)), 0)


@claim(
    "fedadmm/eq7.10-c",
    world=one_update(),
    control=USED_UP["1/4"],
    uses=("fedadmm/eq7.10-b",),
    step=True,
    note=f"{EVERY_UPDATE} It is (3.5), not (3.4), that gives it.",
)
def eq7_10_c(x, share=1):
    u = update(x)
    return le(x.sq(u.g_next + u.Pi + x.sigma * u.away), share * x.eps_next)


@claim(
    "fedadmm/lemma7.1-proof-s13",
    world=few_clients(convex=True, steps=(1,)),
    control=Control("half of the right side is even less", lambda x: le(2 * turn_sq(x), sum_sq(x, 1))),
    repair="fedadmm/lemma7.1-proof-s13~repaired",
    uses=("fedadmm/eq7.6-b",),
    step=True,
    note="From (7.6) the difference is phi_i^{k+1} - phi_i^k - (g_i^{k+1} - g_i^k): with the printed sign the right side is "
    "smaller where the two point apart. At k = 0, where phi_i^0 = 0. pi_i^k in place of the w_i^k that (7.4) misprints.",
)
def lemma7_1_proof_s13(x):
    return le(turn_sq(x), sum_sq(x, 1))


def turn_sq(x):
    """|pi_i^{k+1} - pi_i^k|^2."""
    return x.sq(x.next.Pi - x.state.Pi)


def sum_sq(x, sign):
    """|g_i^{k+1} - g_i^k + sign (phi_i^{k+1} - phi_i^k)|^2."""
    alpha = x.alpha[..., None]
    g, g_next = alpha * x.f.grad(x.state.W), alpha * x.f.grad(x.next.W)
    return x.sq(g_next - g + sign * (g_next + x.next.Pi - g - x.state.Pi))


@claim(
    "fedadmm/lemma7.1-proof-s13~repaired",
    world=free_update(),
    control=PLUS,
    uses=("fedadmm/eq7.6-b",),
    step=True,
    note=f"With - in front of phi_i^{{k+1}} - phi_i^k, an equality. {EVERY_UPDATE}",
)
def lemma7_1_proof_s13_repaired(x, sign=-1):
    u = update(x)
    return le(x.sq(u.turn), x.sq(u.g_next - u.g + sign * (u.phi_next - u.phi)))


def young(x, u, five):
    """five/4 alpha_i^2 r_i^2 |w_i^{k+1} - w_i^k|^2."""
    return x.ratio(five, 4) * (x.alpha * x.r) ** 2 * x.sq(u.move)


@claim(
    "fedadmm/lemma7.1-proof-s14",
    world=one_update(),
    control=Control("with 3/4 the gradient part alone is too large", five=3),
    uses=("fedadmm/eq7.3-b",),
    step=True,
    note=EVERY_UPDATE,
)
def lemma7_1_proof_s14(x, five=5):
    u = update(x)
    change = u.phi_next - u.phi
    return le(x.sq(u.g_next - u.g + change), young(x, u, five) + 5 * x.sq(change))


@claim(
    "fedadmm/lemma7.1-proof-s15",
    world=one_update(),
    control=Control("opposite phi_i^{k+1} and phi_i^k need nearly all of it", ten=5),
    uses=("fedadmm/eq7.3-b", "fedadmm/eq7.6-b"),
    step=True,
    note=EVERY_UPDATE,
)
def lemma7_1_proof_s15(x, ten=10):
    u = update(x)
    first = young(x, u, 5)
    return le(first + 5 * x.sq(u.phi_next - u.phi), first + ten * (x.eps_next + x.eps))


@claim(
    "fedadmm/lemma7.1-proof-s16",
    world=Scalars(**own("nu", "eps"), eps_next=own("eps")["eps"], given=(SHRINKS,)),
    control=Control("for epsilon_i^{k+1} = nu_i epsilon_i^k both sides are equal", ten=9),
    step=True,
    note="The first term is the same on both sides.",
)  # fmt: skip
def lemma7_1_proof_s16(x, ten=10):
    return le(10 * (x.eps_next + x.eps), -ten * (1 + x.nu) / (1 - x.nu) * drop(x))


@claim(
    "fedadmm/lemma7.1-proof-s17",
    world=fedadmm_steps(convex=True, steps=(1,), m=(2, 3)),
    control=Control("nor is any multiple of it", times=2),
    repair="fedadmm/lemma7.1-proof-s17~repaired",
    step=True,
    note="pi_i^{k+1} of a client that is not selected is pi_i^k, here -g_i^0; it is the difference that is 0. At k = 0.",
)  # fmt: skip
def lemma7_1_proof_s17(x, times=1):
    return eq(outside(x, x.sq(times * x.next.Pi), x.next.selected), 0)


@claim(
    "fedadmm/lemma7.1-proof-s17~repaired",
    world=few_clients(),
    control=Control(MOVES, lambda x: eq(x.total(x.sq(x.next.Pi - x.state.Pi)), 0)),
    uses=("fedadmm/eq7.9",),
    step=True,
    note="pi_i^{k+1} - pi_i^k = 0, and w_i^{k+1} - w_i^k = 0: with the same epsilon_i both sides of (7.7) are 0.",
)
def lemma7_1_proof_s17_repaired(x):
    return unchanged(x, "Pi", "W")
