"""Lemma 1: descent of the augmented Lagrangian in one round (Section 4.4, proof in Appendix C), and (39)."""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.flame.conditions import DESCENT
from fedtheory.theory.flame.constants import descent_coefficient, eps_coefficient, lagrangian, own_lagrangian
from fedtheory.units import LENGTH
from problems import Scalars, at_least

from ..one_client import LEAST_EPS, TERMWISE, VIRTUAL, least_eps, one_client, own, residual, update
from ..worlds import flame_steps
from .proof import young_weight


def moves(x):
    """|w_i^{t+1} - w_i^t|^2 and |theta_i^{t+1} - theta_i^t|^2, ``(..., m)`` each."""
    return x.sq(x.next.W - x.state.W), x.sq(x.next.Theta - x.state.Theta)


def change(x):
    """L^{t+1} - L^t."""
    return lagrangian(x, x.next) - lagrangian(x, x.state)


def printed(x, weight):
    """Right side of (16), with a weight of eps_i."""
    dW, dTheta = moves(x)
    return x.total(descent_coefficient(x) * (dW + dTheta) + weight * x.eps, over=x.selected)


def repaired(x, factor=1):
    """Right side with the coefficients that the proof's own steps give; `factor` on the descent (lam alpha_i + rho)/2."""
    dW, dTheta = moves(x)
    a = x.lam * x.alpha
    coupling = 2 * a**2 / x.rho
    in_w = coupling - factor * (a + x.rho) / 2
    in_theta = coupling + x.alpha * (x.L - x.lam) / 2 + a / 4
    return x.total(in_w * dW + in_theta * dTheta + x.eps / a, over=x.selected)


TWICE = Control(
    "the step in w_i lowers the function by exactly (lam alpha_i + rho)/2 |dw_i|^2, which twice that overstates when m >= 2",
    lambda x: le(change(x), repaired(x, 2)),
)


@claim(
    "flame/lemma1",
    world=flame_steps(given=(DESCENT,)),
    control=TWICE,
    repair="flame/lemma1~repaired",
    uses=("flame/eq25", "flame/eq39-a"),
    note="The sum over selected clients is read to include the last term; the start satisfies (28). The conditions leave the "
    "weight of eps negative, so that a round in which nothing moves fails.",
)
def lemma1(x):
    return le(change(x), printed(x, eps_coefficient(x)))


@claim(
    "flame/lemma1@exact",
    world=flame_steps(given=(DESCENT,), exact=True),
    control=TWICE,
    repair="flame/lemma1~repaired",
    uses=("flame/eq25",),
    note="Subproblems solved exactly, eps = 0: the failure does not hang on the sign of the weight of eps.",
)
def lemma1_exact(x):
    return le(change(x), printed(x, 0))


@claim(
    "flame/lemma1~repaired",
    world=flame_steps(),
    control=TWICE,
    uses=("flame/eq25", "flame/lemma1~repaired-client"),
    note="Coefficients (2 lam^2 alpha^2/rho - (lam alpha + rho)/2) of |dw_i|^2, (2 lam^2 alpha^2/rho + alpha (L - lam)/2 + "
    "lam alpha/4) of |dtheta_i|^2 and 1/(lam alpha) of eps_i; no condition on rho is needed for the inequality. Client by client, "
    "for every m, it is flame/lemma1~repaired-client; by (35) what the server does only lowers L.",
)
def lemma1_repaired(x):
    return le(change(x), repaired(x))


def own_change(x, u):
    """L_i(theta_i^{t+1}, w_i^{t+1}, pi_i^{t+1}, w^t) - L_i(theta_i^t, w_i^t, pi_i^t, w^t), a client's part of e_2 + e_3 + e_4."""
    after = own_lagrangian(x, u.theta_next, u.w_i_next, u.Pi_next, u.w)
    return after - own_lagrangian(x, u.theta, u.w_i, u.Pi, u.w)


@claim(
    "flame/lemma1~repaired-client",
    world=one_client(),
    control=Control("with a fifth of its weight an error along the move of a flat client is too large", weight="1/5"),
    uses=("flame/eq36-d", "flame/eq37-e", "flame/eq38-c"),
    step=True,
    note=f"A client's part of e_2 + e_3 + e_4 under the coefficients of flame/lemma1~repaired. {VIRTUAL} {LEAST_EPS}",
)
def lemma1_repaired_client(x, weight=1):
    u, a = update(x), x.lam * x.alpha
    coupling = 2 * a**2 / x.rho
    in_w, in_theta = coupling - (a + x.rho) / 2, coupling + x.alpha * (x.L - x.lam) / 2 + a / 4
    return le(own_change(x, u), in_w * x.sq(u.local) + in_theta * x.sq(u.moved) + weight * least_eps(x) / a)


@claim(
    "flame/lemma1~repaired-sharp",
    world=one_client(),
    control=Control("the step in w_i lowers the function by exactly half of (lam alpha_i + rho) |dw_i|^2", half=2),
    uses=("flame/eq36-d", "flame/eq37-e", "flame/eq38-c"),
    step=True,
    note="Before any use of Young's inequality: e_2 + e_3 + e_4 of a client with its residual as it is. Where f_i is a quadratic "
    f"of curvature -L it is attained. {VIRTUAL}",
)
def lemma1_repaired_sharp(x, half=1):
    u, a = update(x), x.lam * x.alpha
    turn = a**2 / x.rho * x.sq(u.moved - u.local)
    bend = x.alpha * (x.L - x.lam) / 2 * x.sq(u.moved)
    error = x.dot(residual(x, u.theta_next), u.moved)
    return le(own_change(x, u), turn - half * (a + x.rho) / 2 * x.sq(u.local) + bend + error)


@claim(
    "flame/lemma1~repaired-printed",
    world=one_client(),
    control=Control("moves with rho times one and minus the other equal attain (36)", share="9/10"),
    uses=("flame/eq36-e", "flame/eq37-e", "flame/eq38-c", "flame/eq38-d~repaired"),
    step=True,
    note="What (36) and (37) give with the printed coefficients: own change <= (coefficient of (16)) (|dw_i|^2 + |dtheta_i|^2) + "
    "<r, dtheta_i> - k |dtheta_i|^2, r the residual of (13) and k the bracket of (38). Where k > 0 the last two terms are at most "
    f"eps/(4 k), flame/eq38-d~repaired: (16) with this weight of eps, and for exact solutions (16) itself. {TERMWISE} {VIRTUAL}",
)
def lemma1_repaired_printed(x, share=1):
    u = update(x)
    young = descent_coefficient(x) * (x.sq(u.local) + x.sq(u.moved))
    error = x.dot(residual(x, u.theta_next), u.moved) - young_weight(x) * x.sq(u.moved)
    short = (1 - share) * (x.lam * x.alpha) ** 2 * (1 + x.rho) / x.rho * (x.sq(u.moved) + x.sq(u.local) / x.rho)
    return le(own_change(x, u), young + error - short)


# (39)


def plugged_in(x, weight):
    """First right side of (39), for every selected client in one sum."""
    dW, dTheta = moves(x)
    a = x.lam * x.alpha
    young = a**2 * (1 + x.rho) / x.rho * (dTheta + dW / x.rho)
    local = -(a + x.rho) / 2 * dW
    personal = ((1 - x.rho**2) / x.rho**2 * a**2 - (a + x.rho) / 2) * dTheta
    return server(x) + x.total(young + local + personal + weight * x.eps, over=x.selected)


def server(x):
    """-rho m/2 |w^{t+1} - w^t|^2."""
    return -x.rho * x.m / 2 * x.sq(x.next.w - x.state.w)


@claim(
    "flame/eq39-a",
    world=flame_steps(given=(DESCENT,), steps=(1,)),
    control=Control("nor with half of the weight", share="1/2"),
    repair="flame/lemma1~repaired",
    uses=("flame/eq35-c", "flame/eq36-e", "flame/eq37-e", "flame/eq38-e"),
    step=True,
    note="The start satisfies (28). As (38), which it takes over.",
)
def eq39_a(x, share=1):
    return le(change(x), plugged_in(x, share * eps_coefficient(x)))


TERMS = Scalars(
    dw_sq=at_least(0, LENGTH**2),
    dtheta_sq=at_least(0, LENGTH**2),
    **own("L", "lam", "rho", "alpha", "eps"),
    given=(DESCENT,),
)


def separate(x):
    """The moves in the first right side of (39), for one client."""
    a = x.lam * x.alpha
    young = a**2 * (1 + x.rho) / x.rho * (x.dtheta_sq + x.dw_sq / x.rho)
    personal = ((1 - x.rho**2) / x.rho**2 * a**2 - (a + x.rho) / 2) * x.dtheta_sq
    return young - (a + x.rho) / 2 * x.dw_sq + personal


@claim(
    "flame/eq39-b",
    world=TERMS,
    control=Control("nor is twice the weight the same", times=2),
    repair="flame/eq39-b~repaired",
    step=True,
    note=f"{TERMWISE} alpha_i in the last numerator is alpha_i^2 in every other line; the moves agree.",
)
def eq39_b(x, times=1):
    moves = descent_coefficient(x) * (x.dw_sq + x.dtheta_sq)
    return eq(separate(x) + times * eps_coefficient(x) * x.eps, moves + eps_coefficient(x) / x.alpha * x.eps)


@claim(
    "flame/eq39-b~repaired",
    world=TERMS,
    control=Control("the coefficient of the moves is not twice that", times=2),
    step=True,
    note=f"{TERMWISE} With alpha_i^2, which makes the terms in eps the same; the coefficients of the moves are left.",
)
def eq39_b_repaired(x, times=1):
    return eq(separate(x), times * descent_coefficient(x) * (x.dw_sq + x.dtheta_sq))


@claim(
    "flame/eq39-c~repaired",
    world=flame_steps(given=(DESCENT,), steps=(1,), m=(1, 2, 3)),
    control=Control("where the server moves, twice of what it gains is more", times=2),
    uses=("flame/lemma1-proof-s1",),
    step=True,
    note="With alpha_i^2 on both sides.",
)
def eq39_c_repaired(x, times=0):
    shown = printed(x, eps_coefficient(x))
    return le(server(x) + shown, times * server(x) + shown)
