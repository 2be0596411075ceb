"""The proof of Lemma 4.1 as a whole: p_1^k + p_2^k + p_3^k, p_1^k, and what they come to (Section 7.3)."""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.fedadmm.constants import eps_weight, lagrangian, own_lagrangian
from fedtheory.units import CURVATURE
from problems import Points, positive

from ..controls import HALVES, NOT_TWICE
from ..one_client import ONE, TERMWISE, one_client
from ..worlds import fedadmm_steps, few_clients

AT_REST = few_clients(steps=(2,), k0=(2,))  # the step from k = 1, which is not in K
AVERAGED = few_clients(steps=(1, 3))  # the steps from k = 0 and k = 2, which are in K


def p1(x):
    """L(w^{tau_{k+1}}, W^k, Pi^k) - L^k (7.12)."""
    return lagrangian(x, x.state._replace(w=x.next.w)) - lagrangian(x, x.state)


def p2(x):
    """L(w^{tau_{k+1}}, W^{k+1}, Pi^k) - L(w^{tau_{k+1}}, W^k, Pi^k) (7.12)."""
    moved = x.state._replace(w=x.next.w)
    return lagrangian(x, moved._replace(W=x.next.W)) - lagrangian(x, moved)


def p3(x):
    """L^{k+1} - L(w^{tau_{k+1}}, W^{k+1}, Pi^k) (7.12)."""
    return lagrangian(x, x.next) - lagrangian(x, x.next._replace(Pi=x.state.Pi))


@claim("fedadmm/eq7.11", world=few_clients(), control=NOT_TWICE, step=True)
def eq7_11(x, times=1):
    return eq(lagrangian(x, x.next), lagrangian(x, x.state) + p1(x) + p2(x) + times * p3(x))


@claim(
    "fedadmm/lemma4.1-proof-s1",
    world=AT_REST,
    control=Control("w^{tau_{k+1}} need not be 0", lambda x: eq(x.sq(x.next.w), 0)),
    step=True,
    note="At k = 1, k_0 = 2.",
)
def lemma4_1_proof_s1(x):
    return eq(x.sq(x.next.w - x.state.w), 0)


def server_move_sq(x):
    """|w^{tau_{k+1}} - w^{tau_k}|^2."""
    return x.sq(x.next.w - x.state.w)


@claim(
    "fedadmm/eq7.13-b",
    world=AT_REST,
    control=Control("the value itself need not be 0", lambda x: eq(lagrangian(x, x.state), 0)),
    uses=("fedadmm/lemma4.1-proof-s1",),
    step=True,
    note="At k = 1, k_0 = 2.",
)
def eq7_13_b(x):
    return eq(p1(x), 0)


@claim(
    "fedadmm/eq7.13-c",
    world=AT_REST,
    control=Control("w^{tau_{k+1}} need not be 0", lambda x: eq(0, -x.total(x.sigma) / 2 * x.sq(x.next.w))),
    uses=("fedadmm/lemma4.1-proof-s1",),
    step=True,
    note="At k = 1, k_0 = 2.",
)
def eq7_13_c(x):
    return eq(0, -x.total(x.sigma) / 2 * server_move_sq(x))


SERVER = Points(None, at=("w", "w_next", "w_i"), sizes=ONE, sigma=positive(CURVATURE))


@claim(
    "fedadmm/eq7.14",
    world=SERVER,
    control=HALVES,
    step=True,
    note="For any three vectors.",
)
def eq7_14(x, half=1):
    move, gap = x.w_next - x.w, x.w_i - x.w_next
    left = x.sigma / 2 * x.sq(gap) - x.sigma / 2 * x.sq(x.w_i - x.w)
    return eq(left, x.dot(move, -x.sigma * gap) - half * x.sigma / 2 * x.sq(move))


MOVED = one_client(at=("w", "w_next", "w_i", "p"))


def own_p1(x):
    """A client's summand of the second expression for p_1^k, with pi_i^k = sigma_i p."""
    return x.dot(x.w_next - x.w, -x.sigma * x.p) + x.sigma / 2 * (x.sq(x.w_i - x.w_next) - x.sq(x.w_i - x.w))


@claim(
    "fedadmm/eq7.15-a",
    world=MOVED,
    control=NOT_TWICE,
    step=True,
    note=TERMWISE,
)
def eq7_15_a(x, times=1):
    Pi = x.sigma * x.p
    return eq(own_lagrangian(x, x.w_next, x.w_i, Pi) - own_lagrangian(x, x.w, x.w_i, Pi), times * own_p1(x))


@claim(
    "fedadmm/eq7.15-b",
    world=MOVED,
    control=HALVES,
    uses=("fedadmm/eq7.14",),
    step=True,
    note=TERMWISE,
)
def eq7_15_b(x, half=1):
    move = x.w_next - x.w
    gap = -x.sigma * x.p - x.sigma * (x.w_i - x.w_next)
    return eq(own_p1(x), x.dot(move, gap) - half * x.sigma / 2 * x.sq(move))


@claim(
    "fedadmm/eq7.15-c",
    world=AVERAGED,
    control=HALVES,
    uses=("fedadmm/eq7.5", "fedadmm/eq7.14"),
    step=True,
    note="At k = 0 and k = 2, of K for k_0 = 1 and 2.",
)
def eq7_15_c(x, half=1):
    sigma = x.sigma[..., None]
    gap = x.total_vec(-x.state.Pi - sigma * (x.state.W - x.next.w))
    squares = x.total(x.sigma / 2 * server_move_sq(x))
    return eq(x.dot(x.next.w - x.state.w, gap) - squares, -half * x.total(x.sigma) / 2 * server_move_sq(x))


@claim(
    "fedadmm/lemma4.1-proof-s17",
    world=fedadmm_steps(m=(1, 2, 3)),
    control=Control("four times the last sum is too much for exact quadratic clients", factor=4),
    uses=("fedadmm/eq7.11", "fedadmm/eq7.13-b", "fedadmm/eq7.15-c", "fedadmm/eq7.17-b", "fedadmm/eq7.18-b"),
    step=True,
)
def lemma4_1_proof_s17(x, factor=1):
    ar = x.alpha * x.r
    last = x.total(((2 * x.sigma - 3 * ar) / 4 - 5 * ar**2 / (4 * x.sigma)) * x.sq(x.next.W - x.state.W))
    accuracy = x.total(eps_weight(x) * (x.next.eps - x.state.eps))
    return le(p1(x) + p2(x) + p3(x), -x.total(x.sigma) / 2 * server_move_sq(x) - accuracy - factor * last)
