"""Steps of the proof of Theorem 4.1 c), printed as a second b): (7.23) to (7.25) (Section 7.4)."""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.fedadmm.conditions import PENALTY
from fedtheory.theory.fedadmm.rounds import tau
from fedtheory.units import CURVATURE, GRADIENT, LENGTH
from problems import Points, Scalars, at_least, condition, positive

from ..controls import EQUAL_PARTS, MINUS, NOT_TWICE
from ..lemma7_2.small import ACCURACY
from ..one_client import TERMWISE, free_update, one_client, own, update
from ..section2 import WEIGHTED_NOTE
from ..section4_1 import gradient
from ..worlds import fedadmm_steps, few_clients
from .worlds import SEVERAL

COUNTED = Scalars(sizes={"k": tuple(range(9)), "k0": (1, 2, 3, 4)})
FIRST = "l = (tau_{k+1} - 1) k_0; counted for k up to 8, k_0 up to 4."


def counts(x):
    """(k, k_0, tau_{k+1}, l)."""
    k, k0 = int(x.k), int(x.k0)
    return k, k0, tau(k + 1, k0), (tau(k + 1, k0) - 1) * k0


def whole(x, n):
    """A whole number as a number of the engine."""
    return x.ratio(n, 1)


@claim("fedadmm/eq7.23-a", world=COUNTED, control=Control("it begins a round earlier", back=2), step=True, note=FIRST)
def eq7_23_a(x, back=1):
    _, k0, t, first = counts(x)
    return eq(whole(x, first + 1), whole(x, (t - back) * k0 + 1))


@claim("fedadmm/eq7.23-b", world=COUNTED, control=Control("for k in K it is k + 1", less=1), step=True, note=FIRST)
def eq7_23_b(x, less=0):
    k, k0, t, _ = counts(x)
    return le(whole(x, (t - 1) * k0 + 1), whole(x, k + 1 - less))


@claim("fedadmm/eq7.23-c", world=COUNTED, control=Control("for k + 1 in K it is k + 1", less=1), step=True, note=FIRST)
def eq7_23_c(x, less=0):
    k, k0, t, _ = counts(x)
    return le(whole(x, k + 1), whole(x, t * k0 - less))


def rounded_up(p, q):
    """p/q with the bracket of Section 2.1, the largest whole number below p/q + 1."""
    return tau(p, q)


@claim(
    "fedadmm/eq7.23-d",
    world=COUNTED,
    control=Control("k/k_0 rounded down misses the round that has begun", down=1),
    step=True,
    note=f"The number of rounds that have begun in the first l + 1 steps. {FIRST}",
)
def eq7_23_d(x, down=0):
    _, k0, _, first = counts(x)
    begun = sum(j % k0 == 0 for j in range(first + 1))
    return eq(whole(x, begun), whole(x, (first + 1) // k0 if down else rounded_up(first + 1, k0)))


PRINTED_SIGN = "(l + 1)/k_0 is tau_{k+1} - 1 + 1/k_0; with the printed sign the bracket is a round less. "


def beside(x, sign, less=0):
    """tau_{k+1} - 1 + sign/k_0 with the bracket of Section 2.1, printed with sign -1; `less` rounds less."""
    _, k0, t, _ = counts(x)
    return whole(x, rounded_up((t - 1 - less) * k0 + sign, k0))


@claim(
    "fedadmm/eq7.23-e",
    world=COUNTED,
    control=Control("nor with one round less", less=1),
    repair="fedadmm/eq7.23-e~repaired",
    step=True,
    note=PRINTED_SIGN + FIRST,
)
def eq7_23_e(x, less=0):
    _, k0, _, first = counts(x)
    return eq(whole(x, rounded_up(first + 1, k0)), beside(x, -1, less))


@claim(
    "fedadmm/eq7.23-e~repaired",
    world=COUNTED,
    control=MINUS,
    step=True,
    note=f"With tau_{{k+1}} - 1 + 1/k_0. {FIRST}",
)
def eq7_23_e_repaired(x, sign=1):
    _, k0, _, first = counts(x)
    return eq(whole(x, rounded_up(first + 1, k0)), beside(x, sign))


@claim(
    "fedadmm/eq7.23-f",
    world=COUNTED,
    control=Control("nor with one round less", less=1),
    repair="fedadmm/eq7.23-f~repaired",
    step=True,
    note=PRINTED_SIGN + FIRST,
)
def eq7_23_f(x, less=0):
    return eq(beside(x, -1, less), whole(x, counts(x)[2]))


@claim(
    "fedadmm/eq7.23-f~repaired",
    world=COUNTED,
    control=MINUS,
    step=True,
    note=f"With tau_{{k+1}} - 1 + 1/k_0. {FIRST}",
)
def eq7_23_f_repaired(x, sign=1):
    return eq(beside(x, sign), whole(x, counts(x)[2]))


@claim(
    "fedadmm/thm4.1-proof-s15",
    world=free_update(),
    control=Control("the dual variable itself need not be small", lambda x: eq(
        x.sq(x.sigma * (update(x).move - update(x).away)), x.sq(update(x).Pi_next)
    )),
    uses=("fedadmm/lemma7.2-proof-s13", "fedadmm/lemma7.2-proof-s14", "fedadmm/lemma7.2-proof-s16"),
    step=True,
    note="The two sides differ by sigma_i (w_i^{l+1} - w_i^l) - sigma_i (w_i^{l+1} - w^{tau_{l+1}}) + pi_i^{l+1} - "
    f"pi_i^l, all of which tend to 0 by (7.19). {TERMWISE}",
)  # fmt: skip
def thm4_1_proof_s15(x):
    u = update(x)
    return eq(x.sq(u.Pi_next - shifted(x, u) - (x.sigma * (u.move - u.away) + u.turn)), 0)


def shifted(x, u, sign=1):
    """sigma_i (away - move) - turn + pi_i^{l+1}."""
    return x.sigma * (u.away - u.move) - sign * u.turn + u.Pi_next


@claim(
    "fedadmm/thm4.1-proof-s16",
    world=free_update(),
    control=Control("the turn of pi_i is taken off", sign=-1),
    step=True,
    note=f"{TERMWISE} With pi_i^{{l+1}} - pi_i^l, of which (7.4) misprints the second term.",
)
def thm4_1_proof_s16(x, sign=1):
    u = update(x)
    return eq(x.sq(shifted(x, u, sign) - (x.sigma * (u.W - u.w) + u.Pi)), 0)


LATER = few_clients(convex=True, given=(PENALTY,), steps=(2,), k0=(2,))
AT_1 = "At k = 1, k_0 = 2, where l = 0. "


@claim(
    "fedadmm/thm4.1-proof-s18",
    world=LATER,
    control=Control("nor three quarters of it", times="3/4"),
    repair="fedadmm/thm4.1-proof-s18~repaired",
    uses=("fedadmm/eq7.23-b",),
    step=True,
    note=AT_1 + "l + 1 is the smaller index, so that epsilon_i^{l+1} is the larger accuracy.",
)
def thm4_1_proof_s18(x, times=1):
    return le(times * x.state.eps, x.next.eps)


@claim(
    "fedadmm/thm4.1-proof-s18~repaired",
    world=few_clients(),
    control=Control("a client that is not selected keeps its accuracy", share="9/10"),
    step=True,
    note="epsilon_i^{k+1} <= epsilon_i^{l+1}: from each step to the next it does not grow.",
)
def thm4_1_proof_s18_repaired(x, share=1):
    return x.each_step(lambda before, after: le(after.eps, share * before.eps))


PAIR = one_client(
    at=("w_i", "w_l", "p", "p_l", "w"),
    given=(
        condition("|phi_i^{k+1}|^2 <= epsilon_i^{k+1}", lambda x: le(x.sq(x.sigma * x.p), x.eps), "(7.6)"),
        condition("|phi_i^{l+1}|^2 <= epsilon_i^{l+1}", lambda x: le(x.sq(x.sigma * x.p_l), x.eps_l), "(7.6)"),
        condition("epsilon_i^{k+1} <= epsilon_i^{l+1}", lambda x: le(x.eps, x.eps_l)),
    ),
    names=("r", "sigma", "alpha", "eps"),
    eps_l=positive(GRADIENT**2),
)
ANY_PAIR = "For one client at any two states with (7.6); w^{tau_{l+1}} = w^{tau_{k+1}} = w."


def duals(x):
    """(pi_i^{k+1}, pi_i^{l+1}, phi_i^{k+1} - phi_i^{l+1}, g_i^{k+1} - g_i^{l+1})."""
    g, g_l = x.alpha * x.f.grad(x.w_i), x.alpha * x.f.grad(x.w_l)
    phi, phi_l = x.sigma * x.p, x.sigma * x.p_l
    return phi - g, phi_l - g_l, phi - phi_l, g - g_l


@claim("fedadmm/thm4.1-proof-s19", world=PAIR, control=NOT_TWICE, step=True, note=ANY_PAIR)
def thm4_1_proof_s19(x, times=1):
    Pi, Pi_l, change, turn = duals(x)
    return eq(x.sq(Pi - Pi_l), times * x.sq(change - turn))


def gradient_part(x, three=3):
    """three alpha_i^2 r_i^2 |w_i^{k+1} - w_i^{l+1}|^2."""
    return three * (x.alpha * x.r) ** 2 * x.sq(x.w_i - x.w_l)


@claim(
    "fedadmm/thm4.1-proof-s20",
    world=PAIR,
    control=EQUAL_PARTS[3],
    uses=("fedadmm/eq7.3-c", "fedadmm/eq7.6-b"),
    step=True,
    note=ANY_PAIR,
)
def thm4_1_proof_s20(x, three=3):
    _, _, change, turn = duals(x)
    return le(x.sq(change - turn), three * (x.eps + x.eps_l) + gradient_part(x, three))


@claim(
    "fedadmm/thm4.1-proof-s21",
    world=LATER,
    control=Control("nor with the smaller factor", six=5),
    repair="fedadmm/thm4.1-proof-s21~repaired",
    uses=("fedadmm/thm4.1-proof-s18",),
    step=True,
    note=AT_1
    + "epsilon_i^{l+1} is larger than epsilon_i^{k+1} for a client that was selected; the terms in w_i are one.",
)
def thm4_1_proof_s21(x, six=6):
    early, late = x.state, x.next
    square = 3 * (x.alpha * x.r) ** 2 * x.sq(late.W - early.W)
    split = 3 * (x.alpha * x.r) ** 2 * x.sq(late.W - late.w + early.w - early.W)
    return eq(3 * late.eps + 3 * early.eps + square, six * late.eps + split)


@claim(
    "fedadmm/thm4.1-proof-s21~repaired",
    world=PAIR,
    control=Control("equal accuracies need six", six=5),
    uses=("fedadmm/thm4.1-proof-s18~repaired",),
    step=True,
    note=f"At most, with 6 epsilon_i^{{l+1}}. {ANY_PAIR}",
)
def thm4_1_proof_s21_repaired(x, six=6):
    split = 3 * (x.alpha * x.r) ** 2 * x.sq((x.w_i - x.w) + (x.w - x.w_l))
    return le(3 * x.eps + 3 * x.eps_l + gradient_part(x), six * x.eps_l + split)


@claim(
    "fedadmm/thm4.1-proof-s22",
    world=PAIR,
    control=Control("opposite differences attain it", six=5),
    uses=("fedadmm/eq7.3-b",),
    step=True,
    note=ANY_PAIR,
)
def thm4_1_proof_s22(x, six=6):
    split = 3 * (x.alpha * x.r) ** 2 * x.sq((x.w_i - x.w) + (x.w - x.w_l))
    right = six * (x.alpha * x.r) ** 2 * (x.sq(x.w_i - x.w) + x.sq(x.w_l - x.w))
    return le(6 * x.eps + split, 6 * x.eps + right)


@claim(
    "fedadmm/thm4.1-proof-s23",
    world=Scalars(
        **own("r", "alpha", "eps"), away_sq=at_least(0, LENGTH**2), away_l_sq=at_least(0, LENGTH**2),
        step=positive(LENGTH**2), level=positive(GRADIENT**2),
        given=(
            ACCURACY,
            condition("|w_i^{k+1} - w^{tau_{k+1}}|^2 <= step", lambda x: le(x.away_sq, x.step)),
            condition("|w_i^{l+1} - w^{tau_{l+1}}|^2 <= step", lambda x: le(x.away_l_sq, x.step)),
        ),
    ),
    control=Control("all of them may be that large", share="9/10"),
    uses=("fedadmm/eq7.8", "fedadmm/eq7.21-e", "fedadmm/lemma7.2-proof-s16"),
    step=True,
    note="It is at most 6 level + 12 alpha_i^2 r_i^2 step.",
)  # fmt: skip
def thm4_1_proof_s23(x, share=1):
    ar_sq = (x.alpha * x.r) ** 2
    return le(6 * x.eps + 6 * ar_sq * (x.away_sq + x.away_l_sq), share * (6 * x.level + 12 * ar_sq * x.step))


@claim(
    "fedadmm/eq7.24",
    world=Points(None, at=(), clients_at=("first", "turn"), r=positive(CURVATURE)),
    control=EQUAL_PARTS[2],
    uses=("fedadmm/thm4.1-proof-s15", "fedadmm/eq7.5", "fedadmm/thm4.1-proof-s22", "fedadmm/thm4.1-proof-s18~repaired"),
    step=True,
    note="|sum pi_i^{k+1}|^2 is at most 2 |sum pi_i^{l+1}|^2, which the first of the two displays makes small, and "
    "2 m times the sum of |pi_i^{k+1} - pi_i^{l+1}|^2, which the second does, with row thm4.1-proof-s18 repaired.",
)
def eq7_24(x, two=2):
    whole_turn = two * x.m * x.total(x.sq(x.turn))
    return le(x.sq(x.total_vec(x.first + x.turn)), two * x.sq(x.total_vec(x.first)) + whole_turn)


def products(x, state):
    """g_i of every client."""
    return x.alpha[..., None] * x.f.grad(state.W)


@claim(
    "fedadmm/eq7.25-b",
    world=Points(None, at=(), clients_at=("g", "Pi")),
    control=Control("the difference is not twice it", times=2),
    uses=("fedadmm/eq7.24",),
    step=True,
    note="The two sides differ by the sum of the pi_i, which (7.24) makes small. Any g_i and pi_i of every client, those of every "
    "run among them.",
)
def eq7_25_b(x, times=1):
    return eq(x.sq(x.total_vec(x.g + x.Pi) - x.total_vec(x.g)), times * x.sq(x.total_vec(x.Pi)))


@claim(
    "fedadmm/eq7.25-c",
    world=free_update(),
    control=Control("phi_i is not twice itself", times=2),
    uses=("fedadmm/eq7.6-b",),
    step=True,
    note=TERMWISE,
)
def eq7_25_c(x, times=1):
    u = update(x)
    return eq(x.sq(u.g_next + u.Pi_next - times * u.phi_next), 0)


@claim(
    "fedadmm/eq7.25-d",
    world=fedadmm_steps(m=(1, 2, 3)),
    control=Control("clients may use up their accuracies along one direction", share="1/4"),
    uses=("fedadmm/eq7.6-b", "fedadmm/eq7.8", "fedadmm/eq7.3-c"),
    step=True,
    note="|sum of phi_i|^2 is at most m times the sum of the epsilon_i, which tend to 0 by (7.8), not (7.7).",
)
def eq7_25_d(x, share=1):
    phi = products(x, x.next) + x.next.Pi
    return le(x.sq(x.total_vec(phi)), share * x.m * x.total(x.next.eps))


@claim(
    "fedadmm/thm4.1-proof-s25",
    world=SEVERAL,
    control=Control("equal quadratics of curvature L attain it", two="9/5"),
    uses=("fedadmm/eq7.25-b", "fedadmm/eq7.25-c", "fedadmm/eq7.25-d", "fedadmm/eq7.21-e"),
    step=True,
    note="|grad f(w)|^2 is at most 2 |sum of g_i|^2, which (7.25) makes small, and 2 m L^2 times the sum of |w_i - w|^2. "
    f"{WEIGHTED_NOTE}",
)
def thm4_1_proof_s25(x, two=2):
    spread = two * x.m * x.L**2 * x.total(x.sq(x.W - x.w))
    return le(x.sq(gradient(x, x.w)), two * x.sq(gradient(x, x.W)) + spread)
