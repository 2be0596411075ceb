"""The bounds on the gradients in w_i and pi_i and on all of them, (43) to (45) (Appendix D); read as `gradients` says."""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.flame.constants import c2, own_lagrangian
from fedtheory.units import GRADIENT, LENGTH
from problems import Scalars, at_least, condition, positive

from ..one_client import EPS_MAX, LEAST_EPS, TERMWISE, VIRTUAL, least_eps, one_client, own, residual, update, update_to
from ..worlds import flame_steps
from .gradients import ACTUAL, FREE, NOT_TWICE, TWO, UNSELECTED, actual_theta, column

# the gradients in w_i and pi_i


@claim(
    "flame/eq43-a",
    world=one_client(at=("theta", "w_i", "w", "p", "v")),
    control=Control("half of it leaves a linear remainder", share="1/2"),
    step=True,
    note="By the definition of a derivative: with this gradient nothing is left of L_i(w_i + v) - L_i(w_i) but (lam alpha_i + "
    "rho)/2 |v|^2. For any pi_i^t = rho p.",
)
def eq43_a(x, share=1):
    Pi, a = x.rho * x.p, x.lam * x.alpha
    gradient = a * (x.w_i - x.theta) + Pi + x.rho * (x.w_i - x.w)
    gain = own_lagrangian(x, x.theta, x.w_i + x.v, Pi, x.w) - own_lagrangian(x, x.theta, x.w_i, Pi, x.w)
    return eq(gain - share * x.dot(gradient, x.v), (a + x.rho) / 2 * x.sq(x.v))


def local_gradient(x, state):
    """alpha_i lam (w_i - theta_i) + pi_i + rho (w_i - w)."""
    return column(x, x.lam * x.alpha) * (state.W - state.Theta) + state.Pi + x.rho * (state.W - state.w)


@claim(
    "flame/eq43-b",
    world=FREE,
    control=Control(NOT_TWICE, times=2),
    uses=("flame/eq25",),
    step=True,
    note=f"With (25). {VIRTUAL} Without (28) it is flame/eq43-b@free-start.",
)
def eq43_b(x, times=1):
    u, a = update(x), x.lam * x.alpha
    left = x.sq(a * (u.w_i - u.theta) + u.Pi + x.rho * (u.w_i - u.w))
    return eq(left, times * x.sq(x.rho * (u.w_i - u.w)))


@claim(
    "flame/eq43-b@free-start",
    world=flame_steps(steps=(1,), free_start=True),
    control=Control(NOT_TWICE, times=2),
    repair="flame/eq43-b",
    step=True,
    note="With any pi_i^0, as l1 has it, at t = 0 and wherever a client was not selected yet.",
)
def eq43_b_free_start(x, times=1):
    return eq(x.sq(local_gradient(x, x.state)), times * x.sq(x.rho * (x.state.W - x.state.w)))


@claim("flame/eq43-c", world=FREE, control=Control(NOT_TWICE, times=2), step=True, note=VIRTUAL)
def eq43_c(x, times=1):
    u = update(x)
    return eq(x.sq(x.rho * (u.w_i - u.w)), times * x.sq(x.rho * (u.w_i - u.w_i_next + u.w_i_next - u.w)))


def apart(x):
    """rho^2 |w_i^t - w^t|^2 and |w_i^{t+1} - w_i^t|^2."""
    return x.rho**2 * x.sq(x.state.W - x.state.w), x.sq(x.next.W - x.state.W)


@claim(
    "flame/eq43-d",
    world=flame_steps(steps=(1,)),
    control=Control("nor with one of each", two=1),
    repair="flame/eq43-d~repaired",
    uses=("flame/eq24",),
    step=True,
    note="As printed, without a square on |pi_i^{t+1} - pi_i^t|, which fails where this is large. With the square, for unselected "
    "clients: flame/eq43-d@squared.",
)
def eq43_d(x, two=2):
    left, local = apart(x)
    return le(left, two * x.rho**2 * local + two * x.sqrt(x.sq(x.next.Pi - x.state.Pi)))


@claim(
    "flame/eq43-d@squared",
    world=ACTUAL,
    control=Control("nor with one of each", two=1),
    repair="flame/eq43-d~repaired",
    step=True,
    note=f"With |pi_i^{{t+1}} - pi_i^t|^2. {UNSELECTED}",
)
def eq43_d_squared(x, two=2):
    left, local = apart(x)
    return le(left, two * x.rho**2 * local + two * x.sq(x.next.Pi - x.state.Pi))


@claim(
    "flame/eq43-d~repaired",
    world=FREE,
    control=TWO,
    uses=("flame/eq27-a", "flame/eq24"),
    step=True,
    note=f"With |pi_i^{{t+1}} - pi_i^t|^2. {VIRTUAL}",
)
def eq43_d_repaired(x, two=2):
    u = update(x)
    return le(x.rho**2 * x.sq(u.w_i - u.w), two * (x.rho**2 * x.sq(u.local) + x.sq(u.turn)))


@claim(
    "flame/eq43-e",
    world=flame_steps(steps=(1,)),
    control=Control("nor with half of the last terms", four=2),
    repair="flame/eq43-e~repaired",
    uses=("flame/eq25", "flame/eq24"),
    step=True,
    note="As printed, without a square on |pi_i^{t+1} - pi_i^t|, which fails where this is small.",
)
def eq43_e(x, four=4):
    _, local = apart(x)
    a = x.lam * x.alpha
    right = (2 * x.rho**2 + four * a**2) * local + four * a**2 * x.sq(x.next.Theta - x.state.Theta)
    return le(2 * x.rho**2 * local + 2 * x.sqrt(x.sq(x.next.Pi - x.state.Pi)), right)


@claim(
    "flame/eq43-e~repaired",
    world=FREE,
    control=Control("moves of equal length and opposite direction attain it", four="7/2"),
    uses=("flame/eq25", "flame/eq24"),
    step=True,
    note=f"With |pi_i^{{t+1}} - pi_i^t|^2; of unselected clients both sides are 0. {VIRTUAL}",
)
def eq43_e_repaired(x, four=4):
    u, a = update(x), x.lam * x.alpha
    right = (2 * x.rho**2 + four * a**2) * x.sq(u.local) + four * a**2 * x.sq(u.moved)
    return le(2 * x.rho**2 * x.sq(u.local) + 2 * x.sq(u.turn), right)


@claim(
    "flame/eq44-a",
    world=one_client(at=("theta", "w_i", "w", "p", "v")),
    control=Control("half of it leaves a linear remainder", share="1/2"),
    step=True,
    note="L_i is linear in pi_i: with the gradient w_i - w nothing is left of L_i(pi_i + rho v) - L_i(pi_i). For any pi_i^t = "
    "rho p.",
)
def eq44_a(x, share=1):
    Pi, move = x.rho * x.p, x.rho * x.v
    gain = own_lagrangian(x, x.theta, x.w_i, Pi + move, x.w) - own_lagrangian(x, x.theta, x.w_i, Pi, x.w)
    return eq(gain, share * x.dot(x.w_i - x.w, move))


@claim(
    "flame/eq44-b",
    world=ACTUAL,
    control=Control("nor with half of it", share="1/2"),
    repair="flame/eq44-b@virtual",
    uses=("flame/eq43-d", "flame/eq43-e"),
    step=True,
    note=UNSELECTED,
)
def eq44_b(x, share=1):
    left, local = apart(x)
    a = x.lam * x.alpha
    right = (2 * x.rho**2 + 4 * a**2) * local + 4 * a**2 * x.sq(x.next.Theta - x.state.Theta)
    return le(left / x.rho**2, share * right / x.rho**2)


@claim(
    "flame/eq44-b@virtual",
    world=FREE,
    control=Control("for rho near 0 moves of equal length attain it", share="9/10"),
    uses=("flame/eq43-d~repaired", "flame/eq43-e~repaired"),
    step=True,
    note=VIRTUAL,
)
def eq44_b_virtual(x, share=1):
    u, a = update(x), x.lam * x.alpha
    right = (2 * x.rho**2 + 4 * a**2) * x.sq(u.local) + 4 * a**2 * x.sq(u.moved)
    return le(x.sq(u.w_i - u.w), share * right / x.rho**2)


@claim(
    "flame/eq45-b@local",
    world=FREE,
    control=Control("for rho near 0 moves of equal length attain it", share="9/10"),
    uses=("flame/eq44-b@virtual",),
    step=True,
    note=f"With the gradient in pi_i, as (40) adds them. {VIRTUAL}",
)
def eq45_b_local(x, share=1):
    u, a = update(x), x.lam * x.alpha
    right = (2 * x.rho**2 + 4 * a**2) * x.sq(u.local) + 4 * a**2 * x.sq(u.moved)
    return le((x.rho**2 + 1) * x.sq(u.w_i - u.w), share * (1 + 1 / x.rho**2) * right)


# all of them


MOVES = ("theta", "theta_next", "w_i", "w_i_next")


def measure(x, u):
    """|grad_{theta_i} L|^2 + |grad_{w_i} L|^2 + |grad_{pi_i} L|^2 at t, a client's part of (40)."""
    return x.sq(residual(x, u.theta)) + (x.rho**2 + 1) * x.sq(u.w_i - u.w)


def coupling(x):
    """4 lam^2 alpha_i^2 (1 + 1/rho^2)."""
    return 4 * (x.lam * x.alpha) ** 2 * (1 + 1 / x.rho**2)


def collected(x, theta_weight, moved_sq, local_sq, eps, two=2):
    """Second expression of (45), with the weight of |theta_i^{t+1} - theta_i^t|^2 that comes from (42)."""
    return (coupling(x) + theta_weight) * moved_sq + (coupling(x) + 2 * x.rho**2 + 2) * local_sq + two * eps


@claim(
    "flame/eq45-b",
    world=ACTUAL,
    control=Control("nor with a little less of eps", two=1),
    repair="flame/eq45-b~repaired",
    uses=("flame/eq42-c", "flame/eq43-d", "flame/eq44-b"),
    step=True,
    note=UNSELECTED,
)
def eq45_b(x, two=2):
    _, before, _, _ = actual_theta(x)
    apart_sq, local = apart(x)
    left = x.sq(before) + apart_sq + apart_sq / x.rho**2
    theta_weight = 2 * x.alpha**2 * (x.L**2 + 2 * x.lam**2)
    return le(x.total(left), x.total(collected(x, theta_weight, x.sq(x.next.Theta - x.state.Theta), local, x.eps, two)))


@claim(
    "flame/eq45-b@virtual",
    world=one_client(at=MOVES, given=(condition("L >= 10 lam", lambda x: le(10 * x.lam, x.L)),)),
    control=Control("nor with a little less of eps", two=1),
    repair="flame/eq45-b~repaired",
    uses=("flame/eq42-c@virtual", "flame/eq43-e~repaired", "flame/eq44-b@virtual"),
    step=True,
    note=f"{LEAST_EPS} {TERMWISE} The error of (42) is paid by the other terms unless L is well above lam; here L >= 10 lam.",
)
def eq45_b_virtual(x, two=2):
    u = update_to(x)
    theta_weight = 2 * x.alpha**2 * (x.L**2 + 2 * x.lam**2)
    return le(measure(x, u), collected(x, theta_weight, x.sq(u.moved), x.sq(u.local), least_eps(x), two))


@claim(
    "flame/eq45-b~repaired",
    world=one_client(at=MOVES),
    control=Control("for curvature lam and an accuracy that is used up the first two sides are equal", four="7/2"),
    uses=("flame/eq52-b~repaired", "flame/eq43-e~repaired", "flame/eq44-b@virtual"),
    step=True,
    note="4 alpha_i^2 (L^2 + lam^2) in place of 2 alpha_i^2 (L^2 + 2 lam^2); the two relations add up to the display. "
    f"{TERMWISE} {VIRTUAL} {LEAST_EPS}",
)
def eq45_b_repaired(x, four=4):
    u = update_to(x)
    personal = four * x.alpha**2 * (x.L**2 + x.lam**2) * x.sq(u.moved) + 2 * least_eps(x)
    local = coupling(x) * (x.sq(u.moved) + x.sq(u.local)) + (2 * x.rho**2 + 2) * x.sq(u.local)
    return (
        le(x.sq(residual(x, u.theta)), personal, "in theta_i"),
        le((x.rho**2 + 1) * x.sq(u.w_i - u.w), local, "in w_i and pi_i"),
    )


class Largest:
    """The instance with alpha_max for alpha."""

    def __init__(self, x):
        self.lam, self.rho, self.L, self.alpha = x.lam, x.rho, x.L, x.alpha_max


@claim(
    "flame/eq45-c",
    world=Scalars(
        **own("L", "lam", "rho", "alpha", "eps"), alpha_max=positive(), eps_max=positive(GRADIENT**2),
        dtheta_sq=at_least(0, LENGTH**2), dw_sq=at_least(0, LENGTH**2),
        given=(
            condition("alpha_i <= alpha_max", lambda x: le(x.alpha, x.alpha_max)),
            EPS_MAX,
        ),
    ),
    control=Control("for large L the weight of |theta_i^{t+1} - theta_i^t|^2 is c_2 but for a small part", share="9/10"),
    step=True,
    note=TERMWISE,
)  # fmt: skip
def eq45_c(x, share=1):
    theta_weight = 2 * x.alpha**2 * (x.L**2 + 2 * x.lam**2)
    left = collected(x, theta_weight, x.dtheta_sq, x.dw_sq, x.eps)
    return le(left, share * c2(Largest(x)) * (x.dtheta_sq + x.dw_sq) + 2 * x.eps_max)
