"""The proof of Lemma 1: e_1^t to e_4^t (Appendix C).

Each part is a sum over the clients, so that a step is judged for one client; what speaks of S^t is judged on runs.
"""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.flame.conditions import DESCENT
from fedtheory.theory.flame.constants import eps_coefficient, lagrangian, own_lagrangian
from fedtheory.theory.flame.symbols import symbols
from fedtheory.units import CURVATURE
from problems import Points, condition, positive

from ..one_client import NAMES, ONE, TERMWISE, least_eps, one_client, one_update, own, residual, update
from ..worlds import flame_steps

NOT_TWICE = "a number that need not be 0 is not twice itself"
HALF = "the square of the difference has the weight a half"
RUN = flame_steps(steps=(1,))
FREE = one_client()
ANY_UPDATE = f"{TERMWISE} Every update from (25)."


def e1(x):
    """L(Theta^{t+1}, W^{t+1}, Pi^{t+1}, w^{t+1}) - L(Theta^{t+1}, W^{t+1}, Pi^{t+1}, w^t)."""
    return lagrangian(x, x.next) - lagrangian(x, x.next._replace(w=x.state.w))


def e2(x):
    """L(Theta^{t+1}, W^{t+1}, Pi^{t+1}, w^t) - L(Theta^{t+1}, W^{t+1}, Pi^t, w^t)."""
    old = x.next._replace(w=x.state.w)
    return lagrangian(x, old) - lagrangian(x, old._replace(Pi=x.state.Pi))


def e3(x):
    """L(Theta^{t+1}, W^{t+1}, Pi^t, w^t) - L(Theta^{t+1}, W^t, Pi^t, w^t)."""
    old = x.state._replace(Theta=x.next.Theta)
    return lagrangian(x, old._replace(W=x.next.W)) - lagrangian(x, old)


def e4(x):
    """L(Theta^{t+1}, W^t, Pi^t, w^t) - L(Theta^t, W^t, Pi^t, w^t)."""
    return lagrangian(x, x.state._replace(Theta=x.next.Theta)) - lagrangian(x, x.state)


@claim(
    "flame/eq34-a",
    world=RUN,
    control=Control(NOT_TWICE, times=2),
    step=True,
    note="L^t is the value of (8) at the state of t, for the states that Algorithm 1 makes.",
)
def eq34_a(x, times=1):
    after, before = x.next, x.state
    left = lagrangian(x, after) - lagrangian(x, before)
    right = x.total(own_lagrangian(x, after.Theta, after.W, after.Pi, after.w))
    return eq(left, times * (right - x.total(own_lagrangian(x, before.Theta, before.W, before.Pi, before.w))))


@claim("flame/eq34-b", world=RUN, control=Control(NOT_TWICE, times=2), step=True)
def eq34_b(x, times=1):
    return eq(lagrangian(x, x.next) - lagrangian(x, x.state), e1(x) + e2(x) + e3(x) + times * e4(x))


# e_1^t: the server

MOVED = Points(None, at=("w", "w_next"), clients_at=("W", "P"), **symbols("rho"))


def pull(x, w):
    """<pi_i, w_i - w> + rho/2 |w_i - w|^2 with pi_i = rho P_i, all of L_i that depends on w."""
    return x.dot(x.rho * x.P, x.W - w) + x.rho / 2 * x.sq(x.W - w)


def against(x, w, w_next):
    """<pi_i + rho w_i - rho/2 (w + w_next), w - w_next>."""
    return x.dot(x.rho * (x.P + x.W) - x.rho / 2 * (w + w_next), w - w_next)


ANY_DUAL = "For any w_i^{t+1} and pi_i^{t+1} = rho P_i."


@claim(
    "flame/eq35-a",
    world=one_client(at=("theta", "w_i", "p", "w", "w_next")),
    control=Control(NOT_TWICE, times=2),
    step=True,
    note=f"{TERMWISE} For any states, pi_i = rho p.",
)
def eq35_a(x, times=1):
    Pi = x.rho * x.p
    left = own_lagrangian(x, x.theta, x.w_i, Pi, x.w_next) - own_lagrangian(x, x.theta, x.w_i, Pi, x.w)
    duals = x.dot(Pi, x.w_i - x.w_next) - x.dot(Pi, x.w_i - x.w)
    return eq(left, times * (duals + x.rho / 2 * (x.sq(x.w_i - x.w_next) - x.sq(x.w_i - x.w))))


@claim(
    "flame/eq35-b", world=MOVED, control=Control(NOT_TWICE, times=2), step=True, note=f"In the mean over i. {ANY_DUAL}"
)
def eq35_b(x, times=1):
    return eq(x.mean(pull(x, x.w_next) - pull(x, x.w)), times * x.mean(against(x, x.w, x.w_next)))


@claim(
    "flame/eq35-c",
    world=MOVED,
    control=Control(HALF, half=2),
    uses=("flame/eq12-b",),
    step=True,
    note=f"With w^{{t+1}} of (12). {ANY_DUAL}",
)
def eq35_c(x, half=1):
    w_next = x.mean_vec(x.W + x.P)
    return eq(x.mean(against(x, x.w, w_next)), -half * x.rho / 2 * x.sq(w_next - x.w))


@claim(
    "flame/lemma1-proof-s1",
    world=Points(None, at=("w", "w_next"), **symbols("rho")),
    control=Control("it is 0 only where the server stays", lambda x: le(x.rho * x.m / 2 * x.sq(x.w_next - x.w), 0)),
    step=True,
)
def lemma1_proof_s1(x):
    return le(-x.rho * x.m / 2 * x.sq(x.w_next - x.w), 0)


# e_2^t: the dual variables


def outside(x, each):
    """Sum over the clients that are not selected."""
    return x.total(x.xp.where(x.next.selected, each * 0, each))


def along(x):
    """<pi_i^{t+1} - pi_i^t, w_i^{t+1} - w^t>."""
    return x.dot(x.next.Pi - x.state.Pi, x.next.W - x.state.w)


@claim(
    "flame/eq36-a",
    world=one_client(at=("theta", "theta_next", "w_i", "w")),
    control=Control(NOT_TWICE, times=2),
    step=True,
    note=ANY_UPDATE,
)
def eq36_a(x, times=1):
    u = update(x)
    new = own_lagrangian(x, u.theta_next, u.w_i_next, u.Pi_next, u.w)
    old = own_lagrangian(x, u.theta_next, u.w_i_next, u.Pi, u.w)
    return eq(new - old, times * x.dot(u.turn, u.w_i_next - u.w))


@claim("flame/eq36-b", world=RUN, control=Control(NOT_TWICE, times=2), step=True, note="On runs, for every S^t.")
def eq36_b(x, times=1):
    return eq(x.total(along(x)), outside(x, along(x)) + times * x.total(along(x), over=x.selected))


@claim(
    "flame/eq36-f",
    world=RUN,
    control=Control("dual variables of selected clients turn", lambda x: eq(x.total(along(x)), 0)),
    step=True,
    note="On runs, for every S^t.",
)
def eq36_f(x):
    return eq(outside(x, along(x)), 0)


@claim(
    "flame/eq36-c",
    world=FREE,
    control=Control(NOT_TWICE, times=2),
    uses=("flame/eq36-f",),
    step=True,
    note=f"{ANY_UPDATE} Of clients outside S^t both sides have nothing.",
)
def eq36_c(x, times=1):
    u = update(x)
    return eq(x.dot(u.turn, u.w_i_next - u.w), times * x.sq(u.turn) / x.rho)


@claim(
    "flame/eq36-d",
    world=FREE,
    control=Control(NOT_TWICE, times=2),
    uses=("flame/eq25",),
    step=True,
    note=ANY_UPDATE,
)
def eq36_d(x, times=1):
    u, a = update(x), x.lam * x.alpha
    return eq(x.sq(u.turn) / x.rho, times * a**2 / x.rho * x.sq(u.moved - u.local))


@claim(
    "flame/eq36-e",
    world=FREE,
    control=Control("moves with rho times one and minus the other equal attain it", share="9/10"),
    uses=("flame/eq23",),
    step=True,
    note=f"{ANY_UPDATE} (23) with k = rho, which has a unit that k has not.",
)
def eq36_e(x, share=1):
    u, a = update(x), x.lam * x.alpha
    parts = x.sq(u.moved) + x.sq(u.local) / x.rho
    return le(a**2 / x.rho * x.sq(u.moved - u.local), share * a**2 * (1 + x.rho) / x.rho * parts)


# e_3^t: the local models


def second_line_e3(x, u):
    """The first expression of (37)."""
    coupling = x.lam * x.alpha / 2 * (x.sq(u.theta_next - u.w_i_next) - x.sq(u.theta_next - u.w_i))
    duals = x.dot(u.Pi, u.w_i_next - u.w) - x.dot(u.Pi, u.w_i - u.w)
    return coupling + duals + x.rho / 2 * (x.sq(u.w_i_next - u.w) - x.sq(u.w_i - u.w))


def third_line_e3(x, u):
    """The second one."""
    coupling = x.lam * x.alpha / 2 * x.dot(2 * u.theta_next - u.w_i - u.w_i_next, -u.local)
    return coupling + x.dot(u.Pi, u.local) + x.rho / 2 * x.dot(u.w_i_next + u.w_i - 2 * u.w, u.local)


def fourth_line_e3(x, u):
    """The third one."""
    a = x.lam * x.alpha
    vector = (a + x.rho) / 2 * (u.w_i_next + u.w_i) - a * u.theta_next + u.Pi - x.rho * u.w
    return x.dot(vector, u.local)


def fifth_line_e3(x, u):
    """The fourth one."""
    whole = x.lam * x.alpha + x.rho
    return x.dot(whole / 2 * (u.w_i_next + u.w_i) - whole * u.w_i_next, u.local)


@claim("flame/eq37-a", world=FREE, control=Control(NOT_TWICE, times=2), step=True, note=ANY_UPDATE)
def eq37_a(x, times=1):
    u = update(x)
    new = own_lagrangian(x, u.theta_next, u.w_i_next, u.Pi, u.w)
    return eq(new - own_lagrangian(x, u.theta_next, u.w_i, u.Pi, u.w), times * second_line_e3(x, u))


@claim("flame/eq37-b", world=FREE, control=Control(NOT_TWICE, times=2), step=True, note=ANY_UPDATE)
def eq37_b(x, times=1):
    u = update(x)
    return eq(second_line_e3(x, u), times * third_line_e3(x, u))


@claim(
    "flame/eq37-c",
    world=FREE,
    control=Control(NOT_TWICE, times=2),
    uses=("flame/alg1-l18",),
    step=True,
    note=f"{ANY_UPDATE} Of clients outside S^t, whose w_i stays, both sides are 0.",
)
def eq37_c(x, times=1):
    u = update(x)
    return eq(third_line_e3(x, u), times * fourth_line_e3(x, u))


@claim(
    "flame/eq37-d", world=FREE, control=Control(NOT_TWICE, times=2), uses=("flame/eq26",), step=True, note=ANY_UPDATE
)
def eq37_d(x, times=1):
    u = update(x)
    return eq(fourth_line_e3(x, u), times * fifth_line_e3(x, u))


@claim("flame/eq37-e", world=FREE, control=Control(HALF, half=2), step=True, note=ANY_UPDATE)
def eq37_e(x, half=1):
    u = update(x)
    return eq(fifth_line_e3(x, u), -half * (x.lam * x.alpha + x.rho) / 2 * x.sq(u.local))


# e_4^t: the personalised models


def losses(x, u):
    """The first expression of (38)."""
    coupling = x.lam / 2 * (x.sq(u.theta_next - u.w_i) - x.sq(u.theta - u.w_i))
    return x.alpha * (x.f.value(u.theta_next) - x.f.value(u.theta) + coupling)


def by_smoothness(x, u, share=1):
    """The second one."""
    linear = x.alpha * x.dot(x.f.grad(u.theta_next), u.moved) + share * x.L * x.alpha / 2 * x.sq(u.moved)
    return linear + x.lam * x.alpha / 2 * x.dot(u.theta_next + u.theta - 2 * u.w_i, u.moved)


def by_residual(x, u, half=1):
    """The third one."""
    return x.dot(residual(x, u.theta_next), u.moved) + half * x.alpha * (x.L - x.lam) / 2 * x.sq(u.moved)


def young_weight(x):
    """(1 - rho^2)/rho^2 lam^2 alpha_i^2 - (L alpha_i + rho)/2, twice which stands for k of (22)."""
    return (1 - x.rho**2) / x.rho**2 * (x.lam * x.alpha) ** 2 - (x.L * x.alpha + x.rho) / 2


def by_young(x, u, weight, eps):
    """The fourth one, with a weight of eps."""
    return (young_weight(x) + x.alpha * (x.L - x.lam) / 2) * x.sq(u.moved) + weight * eps


@claim("flame/eq38-a", world=FREE, control=Control(NOT_TWICE, times=2), step=True, note=ANY_UPDATE)
def eq38_a(x, times=1):
    u = update(x)
    new = own_lagrangian(x, u.theta_next, u.w_i, u.Pi, u.w)
    return eq(new - own_lagrangian(x, u.theta, u.w_i, u.Pi, u.w), times * losses(x, u))


@claim(
    "flame/eq38-b",
    world=FREE,
    control=Control("a concave quadratic of curvature -L attains it", share="9/10"),
    uses=("flame/eq21",),
    step=True,
    note=f"{ANY_UPDATE} The first inequality; the text calls it the second.",
)
def eq38_b(x, share=1):
    u = update(x)
    return le(losses(x, u), by_smoothness(x, u, share))


@claim("flame/eq38-c", world=FREE, control=Control(HALF, half=2), step=True, note=ANY_UPDATE)
def eq38_c(x, half=1):
    u = update(x)
    return eq(by_smoothness(x, u), by_residual(x, u, half))


@claim(
    "flame/eq38-d",
    world=one_client(given=(DESCENT,), names=(*NAMES, "eps")),
    control=Control("nor with half of the weight of eps", share="1/2"),
    repair="flame/eq38-d~repaired",
    uses=("flame/eq22",),
    step=True,
    note=f"{TERMWISE} (22) needs a positive k, here twice (1/rho^2 - 1) lam^2 alpha_i^2 - (L alpha_i + rho)/2, which the "
    "conditions of Lemma 1 leave negative, for rho >= 1 always. Then eps_i^t, here `eps` more than the left side of (13), has a "
    "negative weight. Where k is positive: flame/eq38-d@positive.",
)
def eq38_d(x, share=1):
    u = update(x)
    return le(by_residual(x, u), by_young(x, u, share * eps_coefficient(x), least_eps(x) + x.eps))


@claim(
    "flame/eq38-d~repaired",
    world=Points(
        None, at=("residual", "move"), sizes=ONE, k=positive(CURVATURE), **own("eps"),
        given=(condition("|k residual|^2 <= eps", lambda x: le(x.sq(x.k * x.residual), x.eps), "(13)"),),
    ),
    control=Control("an error along the move attains it", share="9/10"),
    uses=("flame/eq22",),
    step=True,
    note=f"{TERMWISE} With the bracket of (38), where it is positive, as k, and the weight 1/(4 k) of eps. The gradient at "
    "theta_i^{t+1} is k times `residual`, any vector that meets (13); what both sides have besides is left out.",
)  # fmt: skip
def eq38_d_repaired(x, share=1):
    return le(x.dot(x.k * x.residual, x.move), x.k * x.sq(x.move) + share * x.eps / (4 * x.k))


@claim(
    "flame/eq38-e",
    world=one_update(),
    control=Control(NOT_TWICE, times=2),
    step=True,
    note=ANY_UPDATE,
)
def eq38_e(x, times=1):
    u = update(x)
    whole = (1 - x.rho**2) / x.rho**2 * (x.lam * x.alpha) ** 2 - (x.lam * x.alpha + x.rho) / 2
    right = whole * x.sq(u.moved) + eps_coefficient(x) * x.eps
    return eq(by_young(x, u, eps_coefficient(x), x.eps), times * right)
