"""The bounds on the four gradients of the augmented Lagrangian, (41) to (45) and the display (52) (Appendix D).

The lines have theta_i^{t+1}, w_i^{t+1}, pi_i^{t+1} of all clients. A row is judged as printed, for the sequence that Algorithm 1
generates, in which unselected clients stay; `@virtual` reads them as what every client would get if it were selected.
"""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.flame.symbols import symbols
from fedtheory.units import GRADIENT
from problems import Points, Scalars, at_least, positive

from ..one_client import EPS_MAX, LEAST_EPS, TERMWISE, VIRTUAL, least_eps, one_client, residual, update
from ..worlds import flame_steps

NOT_TWICE = "a number that need not be 0 is not twice itself"
ACTUAL = flame_steps(steps=(1,), m=(2, 3))
FREE = one_client()
UNSELECTED = "A client outside S^t does not move, and its gradient need not be 0."
TWO = Control("equal parts attain it", two="9/5")


def column(x, s):
    """A number of every client as a factor of its vector."""
    return s[..., None]


# the gradient in w

SERVER = Points(None, at=("v",), clients_at=("W", "P"), **symbols("rho"))


def server_gradient(x, W, Pi, w):
    """- sum of pi_i + rho (w_i - w), the gradient of (8) in w."""
    return -x.total_vec(Pi + x.rho * (W - w))


def printed_sum(x):
    """Sum of rho (w_i^t - w^t) - pi_i^t, as (41) has it."""
    return x.total_vec(x.rho * (x.state.W - x.state.w) - x.state.Pi)


@claim(
    "flame/eq41-a",
    world=flame_steps(steps=(1,)),
    control=Control("nor with the square on the right", squared=1),
    repair="flame/eq41-a~repaired",
    step=True,
    note="As printed, without a square on the right and with the sign of pi_i turned; both sides squared. By (12) the gradient "
    "in w is 0, and the printed vector is -2 times the sum of pi_i.",
)
def eq41_a(x, squared=0):
    left, right = x.sq(server_gradient(x, x.state.W, x.state.Pi, x.state.w)), x.sq(printed_sum(x))
    return eq(left, right) if squared else eq(left**2, right)


@claim(
    "flame/eq41-a~repaired",
    world=SERVER,
    control=Control("half of it leaves a linear remainder", share="1/2"),
    step=True,
    note="By the definition of a derivative: with the gradient -sum of (pi_i + rho (w_i - w)) nothing is left of L(v) - L(w) but "
    "rho m/2 |v - w|^2, for any w (here 0) and pi_i = rho P_i.",
)
def eq41_a_repaired(x, share=1):
    Pi, w = x.rho * x.P, 0 * x.v

    def part(w):
        return x.total(x.dot(Pi, x.W - w) + x.rho / 2 * x.sq(x.W - w))

    rest = part(x.v) - part(w) - share * x.dot(server_gradient(x, x.W, Pi, w), x.v - w)
    return eq(rest, x.m * x.rho / 2 * x.sq(x.v - w))


@claim(
    "flame/eq41-b",
    world=flame_steps(steps=(1,)),
    control=Control("nor is the sum of the dual variables 0", lambda x: eq(x.sq(x.total_vec(x.state.Pi)), 0)),
    repair="flame/eq41-b~repaired",
    step=True,
    note="Of the printed vector, whose pi_i has the wrong sign.",
)
def eq41_b(x):
    return eq(x.sq(printed_sum(x)), 0)


@claim(
    "flame/eq41-b~repaired",
    world=SERVER,
    control=Control("with the printed sign it is -2 times the sum of pi_i", sign=-1),
    uses=("flame/eq12-b",),
    step=True,
    note="The sum of rho (w_i^t - w^t) + pi_i^t, with w^t of (12) and pi_i = rho P_i.",
)
def eq41_b_repaired(x, sign=1):
    w = x.mean_vec(x.W + x.P)
    return eq(x.sq(x.total_vec(x.rho * (x.W - w) + sign * x.rho * x.P)), 0)


# the gradients in theta_i


def bend_sq(x, u):
    """alpha_i^2 |grad f_i(theta_i^{t+1}) - grad f_i(theta_i^t)|^2."""
    return x.alpha**2 * x.sq(x.f.grad(u.theta_next) - x.f.grad(u.theta))


def spring_sq(x, u):
    """alpha_i^2 lam^2 |theta_i^{t+1} - theta_i^t|^2."""
    return (x.alpha * x.lam) ** 2 * x.sq(u.moved)


def split(x, u, two=2):
    """The second expression of (42)."""
    change = residual(x, u.theta) - residual(x, u.theta_next)
    return two * x.sq(change) + 2 * x.sq(residual(x, u.theta_next))


@claim("flame/eq42-b", world=FREE, control=TWO, uses=("flame/eq24",), step=True, note=VIRTUAL)
def eq42_b(x, two=2):
    u = update(x)
    return le(x.sq(residual(x, u.theta)), split(x, u, two))


def actual_theta(x):
    """alpha_i (grad f_i + lam (. - w_i^t)) at theta_i^{t+1} and at theta_i^t, and the parts of their difference."""
    alpha = column(x, x.alpha)
    bend = alpha * (x.f.grad(x.next.Theta) - x.f.grad(x.state.Theta))
    spring = alpha * x.lam * (x.next.Theta - x.state.Theta)
    before = alpha * (x.f.grad(x.state.Theta) + x.lam * (x.state.Theta - x.state.W))
    return before + bend + spring, before, bend, spring


@claim(
    "flame/eq42-c",
    world=ACTUAL,
    control=Control("nor with a little less of eps", two=1),
    repair="flame/eq42-c~repaired",
    uses=("flame/eq13-b",),
    step=True,
    note=f"{UNSELECTED} (13) speaks of selected clients. For those, and in the other reading: flame/eq42-c@virtual.",
)
def eq42_c(x, two=2):
    after, before, bend, spring = actual_theta(x)
    left = 2 * x.sq(before - after) + 2 * x.sq(after)
    return le(left, 2 * x.sq(bend) + 4 * x.sq(spring) + two * x.eps)


@claim(
    "flame/eq42-c@virtual",
    world=FREE,
    control=Control("nor with a little less of eps", two=1),
    repair="flame/eq42-c~repaired",
    uses=("flame/eq13-b", "flame/eq24"),
    step=True,
    note=f"{LEAST_EPS} |a + b|^2 <= 2 |a|^2 + 2 |b|^2 doubles both parts; printed, only the second one is doubled. Fails for L > "
    f"lam/2.",
)
def eq42_c_virtual(x, two=2):
    u = update(x)
    return le(split(x, u), 2 * bend_sq(x, u) + 4 * spring_sq(x, u) + two * least_eps(x))


@claim(
    "flame/eq42-c~repaired",
    world=FREE,
    control=Control("for curvature lam and an accuracy that is used up both sides are equal", four="7/2"),
    uses=("flame/eq13-b", "flame/eq24"),
    step=True,
    note=f"4 in place of the first 2, for updates under (13). {VIRTUAL} {LEAST_EPS}",
)
def eq42_c_repaired(x, four=4):
    u = update(x)
    return le(split(x, u), four * (bend_sq(x, u) + spring_sq(x, u)) + 2 * least_eps(x))


@claim(
    "flame/eq42-d",
    world=FREE,
    control=Control("a quadratic of curvature L attains it", share="9/10"),
    step=True,
    note=VIRTUAL,
)
def eq42_d(x, share=1):
    u = update(x)
    bound = 2 * x.alpha**2 * (x.L**2 + 2 * x.lam**2) * x.sq(u.moved)
    return le(2 * bend_sq(x, u) + 4 * spring_sq(x, u) + 2 * least_eps(x), share * bound + 2 * least_eps(x))


@claim(
    "flame/eq52-b",
    world=ACTUAL,
    control=Control("nor with a little less of eps", two=1),
    repair="flame/eq52-b~repaired",
    uses=("flame/eq42-c", "flame/eq42-d"),
    step=True,
    note=UNSELECTED,
)
def eq52_b(x, two=2):
    _, before, _, spring = actual_theta(x)
    moved = x.alpha**2 * x.L**2 * x.sq(x.next.Theta - x.state.Theta)
    return le(x.total(x.sq(before)), x.total(2 * moved + 4 * x.sq(spring) + two * x.eps))


def theta_bound(x, u):
    """2 alpha_i^2 (L^2 + 2 lam^2) |theta_i^{t+1} - theta_i^t|^2."""
    return 2 * x.alpha**2 * (x.L**2 + 2 * x.lam**2) * x.sq(u.moved)


@claim(
    "flame/eq52-b@virtual",
    world=FREE,
    control=Control("nor with a little less of eps", two=1),
    repair="flame/eq52-b~repaired",
    uses=("flame/eq42-c@virtual",),
    step=True,
    note=f"{LEAST_EPS} {TERMWISE} For L = lam and f of curvature L, an error of the size of the move makes 9 of 8. With exact "
    "solutions it holds, flame/eq52-b@exact.",
)
def eq52_b_virtual(x, two=2):
    u = update(x)
    return le(x.sq(residual(x, u.theta)), theta_bound(x, u) + two * least_eps(x))


@claim(
    "flame/eq52-b@exact",
    world=FREE,
    control=Control("a quadratic of curvature 2 lam attains three quarters of it", share="7/10"),
    uses=("flame/eq31-c",),
    step=True,
    note="With exact solutions: the gradient at theta_i^t less the residual, which is 0 for them, is within the printed "
    f"constant, as (L + lam)^2 <= 2 (L^2 + 2 lam^2). {TERMWISE} {VIRTUAL}",
)
def eq52_b_exact(x, share=1):
    u = update(x)
    return le(x.sq(residual(x, u.theta) - residual(x, u.theta_next)), share * theta_bound(x, u))


@claim(
    "flame/eq52-b~repaired",
    world=FREE,
    control=Control("for curvature lam and an accuracy that is used up both sides are equal", four="7/2"),
    uses=("flame/eq42-b", "flame/eq42-c~repaired"),
    step=True,
    note=f"4 alpha_i^2 (L^2 + lam^2) in place of 2 alpha_i^2 (L^2 + 2 lam^2). {TERMWISE} {VIRTUAL} {LEAST_EPS}",
)
def eq52_b_repaired(x, four=4):
    u = update(x)
    bound = four * x.alpha**2 * (x.L**2 + x.lam**2) * x.sq(u.moved)
    return le(x.sq(residual(x, u.theta)), bound + 2 * least_eps(x))


ACCURACIES = Scalars(
    moves=at_least(0, GRADIENT**2), eps=positive(GRADIENT**2), eps_max=positive(GRADIENT**2),
    given=(EPS_MAX,),
)  # fmt: skip


@claim(
    "flame/eq52-c",
    world=ACCURACIES,
    control=Control("an accuracy may be the largest one", two="9/5"),
    step=True,
    note=TERMWISE,
)
def eq52_c(x, two=2):
    return le(x.moves + 2 * x.eps, x.moves + two * x.eps_max)
