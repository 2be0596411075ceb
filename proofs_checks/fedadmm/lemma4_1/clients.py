"""The proof of Lemma 4.1 client by client: u_i^k of p_2^k and v_i^k of p_3^k (Section 7.3)."""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.fedadmm.constants import decrease, eps_weight, own_lagrangian
from problems import Scalars

from ..controls import HALVES, NOT_TWICE, USED_UP
from ..lemma7_1.proof import young
from ..one_client import EVERY_UPDATE, TERMWISE, drop, free_update, one_update, own, update
from ..worlds import few_clients
from .gap import p2, p3


def u_i(x, u):
    """L(w^{tau_{k+1}}, w_i^{k+1}, pi_i^k) - L(w^{tau_{k+1}}, w_i^k, pi_i^k)."""
    return own_lagrangian(x, u.w, u.W_next, u.Pi) - own_lagrangian(x, u.w, u.W, u.Pi)


def of_others(x, each):
    """A number of every client, 0 for those in Omega^{tau_{k+1}}."""
    return x.xp.where(x.next.selected, each * 0, each)


def client_moves(x):
    """u_i^k of every client."""
    return own_lagrangian(x, x.next.w, x.next.W, x.state.Pi) - own_lagrangian(x, x.next.w, x.state.W, x.state.Pi)


@claim(
    "fedadmm/lemma4.1-proof-s3",
    world=few_clients(),
    control=Control("clients that are selected move", lambda x: eq(client_moves(x), 0)),
    uses=("fedadmm/eq7.9",),
    step=True,
)
def lemma4_1_proof_s3(x):
    return eq(of_others(x, client_moves(x)), 0)


@claim(
    "fedadmm/eq7.16",
    world=free_update(),
    control=HALVES,
    step=True,
    note=f"An identity, which needs no (7.3). {EVERY_UPDATE}",
)
def eq7_16(x, half=1):
    u = update(x)
    left = x.sigma / 2 * x.sq(u.away) - x.sigma / 2 * x.sq(u.W - u.w)
    return eq(left, x.dot(u.move, x.sigma * u.away) - half * x.sigma / 2 * x.sq(u.move))


def losses(x, u):
    """alpha_i f_i(w_i^{k+1}) - alpha_i f_i(w_i^k)."""
    return x.alpha * (x.f.value(u.W_next) - x.f.value(u.W))


def second_line(x, u):
    """The second expression in the chain for u_i^k."""
    return losses(x, u) + x.dot(u.move, u.Pi) + x.sigma / 2 * (x.sq(u.away) - x.sq(u.W - u.w))


def third_line(x, u):
    """The third one."""
    return losses(x, u) + x.dot(u.move, u.Pi_next) - x.sigma / 2 * x.sq(u.move)


def fourth_line(x, u, half=1):
    """The fourth one."""
    return half * (x.alpha * x.r - x.sigma) / 2 * x.sq(u.move) + x.dot(u.move, u.g_next + u.Pi_next)


def fifth_line(x, u):
    """The fifth one."""
    return (x.alpha * x.r - x.sigma) / 2 * x.sq(u.move) + x.dot(u.move, u.phi_next)


def quarters(x, u, three=3):
    """(three alpha_i r_i - 2 sigma_i)/4 |w_i^{k+1} - w_i^k|^2."""
    return (three * x.alpha * x.r - 2 * x.sigma) / 4 * x.sq(u.move)


@claim("fedadmm/lemma4.1-proof-s4", world=free_update(), control=NOT_TWICE, step=True, note=EVERY_UPDATE)
def lemma4_1_proof_s4(x, times=1):
    u = update(x)
    return eq(u_i(x, u), times * second_line(x, u))


@claim(
    "fedadmm/lemma4.1-proof-s5",
    world=free_update(),
    control=NOT_TWICE,
    uses=("fedadmm/eq7.16",),
    step=True,
    note=EVERY_UPDATE,
)
def lemma4_1_proof_s5(x, times=1):
    u = update(x)
    return eq(second_line(x, u), times * third_line(x, u))


@claim(
    "fedadmm/lemma4.1-proof-s6",
    world=free_update(),
    control=Control("a concave quadratic of curvature -r_i attains it", lambda x: le(
        third_line(x, update(x)), fourth_line(x, update(x)) - x.alpha * x.r / 4 * x.sq(update(x).move)
    )),
    uses=("fedadmm/eq7.1-b",),
    step=True,
    note=EVERY_UPDATE,
)  # fmt: skip
def lemma4_1_proof_s6(x):
    u = update(x)
    return le(third_line(x, u), fourth_line(x, u))


@claim("fedadmm/lemma4.1-proof-s7", world=free_update(), control=NOT_TWICE, step=True, note=EVERY_UPDATE)
def lemma4_1_proof_s7(x, times=1):
    u = update(x)
    return eq(fourth_line(x, u), times * fifth_line(x, u))


@claim(
    "fedadmm/lemma4.1-proof-s8",
    world=free_update(),
    control=Control("for phi_i along the move Young's inequality is attained", whole="9/10"),
    uses=("fedadmm/eq7.3-a",),
    step=True,
    note=EVERY_UPDATE,
)
def lemma4_1_proof_s8(x, whole=1):
    u = update(x)
    return le(fifth_line(x, u), quarters(x, u) + whole * x.sq(u.phi_next) / (x.alpha * x.r))


@claim(
    "fedadmm/lemma4.1-proof-s9",
    world=one_update(),
    control=USED_UP["9/10"],
    uses=("fedadmm/eq7.6-b",),
    step=True,
    note=EVERY_UPDATE,
)
def lemma4_1_proof_s9(x, share=1):
    u = update(x)
    ar = x.alpha * x.r
    return le(quarters(x, u) + x.sq(u.phi_next) / ar, quarters(x, u) + share * x.eps_next / ar)


def paid(x, weight):
    """The decrease of the accuracy times a weight."""
    return -weight * drop(x)


def from_p2(x):
    """nu_i/((1 - nu_i) alpha_i r_i)."""
    return x.nu / ((1 - x.nu) * x.alpha * x.r)


def from_p3(x):
    """10 (1 + nu_i)/(sigma_i (1 - nu_i))."""
    return 10 * (1 + x.nu) / (x.sigma * (1 - x.nu))


@claim(
    "fedadmm/lemma4.1-proof-s10",
    world=one_update(),
    control=Control("for epsilon_i^{k+1} = nu_i epsilon_i^k both sides are equal", share="9/10"),
    step=True,
    note=EVERY_UPDATE,
)
def lemma4_1_proof_s10(x, share=1):
    u = update(x)
    return le(quarters(x, u) + x.eps_next / (x.alpha * x.r), quarters(x, u) + share * paid(x, from_p2(x)))


@claim("fedadmm/eq7.17-a", world=few_clients(), control=NOT_TWICE, step=True)
def eq7_17_a(x, times=1):
    return eq(p2(x), times * x.total(client_moves(x)))


@claim(
    "fedadmm/eq7.17-b",
    world=one_update(),
    control=Control("one part less of alpha_i r_i is too little", three=2),
    uses=tuple(f"fedadmm/lemma4.1-proof-s{n}" for n in (3, 4, 5, 6, 7, 8, 9, 10)),
    step=True,
    note=f"{TERMWISE} Of a client that is not selected both sides are 0.",
)
def eq7_17_b(x, three=3):
    u = update(x)
    return le(u_i(x, u), quarters(x, u, three) + paid(x, from_p2(x)))


def v_i(x, u):
    """L(w^{tau_{k+1}}, w_i^{k+1}, pi_i^{k+1}) - L(w^{tau_{k+1}}, w_i^{k+1}, pi_i^k)."""
    return own_lagrangian(x, u.w, u.W_next, u.Pi_next) - own_lagrangian(x, u.w, u.W_next, u.Pi)


TRUE_V = "With pi_i^{k+1} in the first term of v_i^k, which is printed with pi_i^k twice and would be 0. "


def client_turns(x):
    """v_i^k of every client."""
    return own_lagrangian(x, x.next.w, x.next.W, x.next.Pi) - own_lagrangian(x, x.next.w, x.next.W, x.state.Pi)


@claim(
    "fedadmm/lemma4.1-proof-s12",
    world=few_clients(),
    control=Control("dual variables of clients that are selected turn", lambda x: eq(client_turns(x), 0)),
    uses=("fedadmm/eq7.9",),
    step=True,
    note=TRUE_V,
)
def lemma4_1_proof_s12(x):
    return eq(of_others(x, client_turns(x)), 0)


@claim(
    "fedadmm/lemma4.1-proof-s13",
    world=free_update(),
    control=NOT_TWICE,
    step=True,
    note=TRUE_V + EVERY_UPDATE,
)
def lemma4_1_proof_s13(x, times=1):
    u = update(x)
    return eq(v_i(x, u), times * x.dot(u.away, u.turn))


@claim("fedadmm/lemma4.1-proof-s14", world=free_update(), control=NOT_TWICE, step=True, note=EVERY_UPDATE)
def lemma4_1_proof_s14(x, times=1):
    u = update(x)
    return eq(x.dot(u.away, u.turn), times * x.sq(u.turn) / x.sigma)


@claim(
    "fedadmm/lemma4.1-proof-s15",
    world=one_update(),
    control=Control("with 3/4 it fails for exact updates", five=3),
    uses=("fedadmm/eq7.7",),
    step=True,
    note=EVERY_UPDATE,
)
def lemma4_1_proof_s15(x, five=5):
    u = update(x)
    return le(x.sq(u.turn) / x.sigma, young(x, u, five) / x.sigma + paid(x, from_p3(x)))


@claim("fedadmm/eq7.18-a", world=few_clients(), control=NOT_TWICE, step=True, note=TRUE_V)
def eq7_18_a(x, times=1):
    return eq(p3(x), times * x.total(client_turns(x)))


@claim(
    "fedadmm/eq7.18-b",
    world=one_update(),
    control=Control("with 3/4 it fails for exact updates", five=3),
    uses=tuple(f"fedadmm/lemma4.1-proof-s{n}" for n in (12, 13, 14, 15)),
    step=True,
    note=f"{TRUE_V}{TERMWISE} Of a client that is not selected both sides are 0.",
)
def eq7_18_b(x, five=5):
    u = update(x)
    return le(v_i(x, u), young(x, u, five) / x.sigma + paid(x, from_p3(x)))


@claim(
    "fedadmm/lemma4.1-proof-s18",
    world=Scalars(**own("r", "sigma", "alpha", "nu")),
    control=Control("the factors of c_i belong to 5, not to 3", five=3),
    step=True,
    note="The coefficients: that of a client's last term is its entry of the minimum c over 4, and those of epsilon_i are "
    "the ones of (4.4).",
)
def lemma4_1_proof_s18(x, five=5):
    ar = x.alpha * x.r
    last = (2 * x.sigma - 3 * ar) / 4 - five * ar**2 / (4 * x.sigma)
    return eq(last, decrease(x) / 4, "c/4"), eq(from_p2(x) + from_p3(x), eps_weight(x), "epsilon_i")
