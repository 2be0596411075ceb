"""EF21 and error feedback with contractive compressors: smooth functions that need not be convex, every T and m."""

from fedtheory import claim, le, use
from fedtheory.units import CURVATURE, GRADIENT, STEP
from problems import Run, Scalars, Smooth, between, condition, positive

from ..compression import ef21_each, feedback_each
from ..sampling import dissimilarity
from ..smooth import descent, lipschitz_gradient, mean_is_smooth
from ..vectors import jensen

L, ETA = positive(CURVATURE), positive(STEP)


def value(x):
    """f(w)."""
    return x.mean(x.f.value(x.w))


def slope(x):
    """|grad f(w)|^2."""
    return x.sq(x.mean_vec(x.f.grad(x.w)))


# EF21: v_i is what the server knows of the gradient of client i, c_i the compressed difference


def along(x):
    """w after a round."""
    return x.w - x.eta * x.mean_vec(x.v)


def error(x):
    """Mean over clients of |v_i - grad f_i(w)|^2."""
    return x.mean(x.sq(x.v - x.f.grad(x.w)))


def compressed(x):
    """|c - (grad f_i(w_{t+1}) - v)|^2 <= r^2 |grad f_i(w_{t+1}) - v|^2."""
    g = x.f.grad(along(x))
    return le(x.sq(x.c - g + x.v), x.r**2 * x.sq(g - x.v))


R = between(0, 1, closed=False)
STEP_SIZE = condition("eta <= (1 - r)/L", lambda x: le(x.eta * x.L, 1 - x.r))
EF21 = Run(
    Smooth("L"), at=("w",), clients_at=("v", "c"), fresh=("c",), L=L, eta=ETA, r=R, given=(STEP_SIZE,),
    step={"w": along, "v": lambda x: x.v + x.c},
    obeys=(condition("|c - (grad f_i(w_{t+1}) - v)|^2 <= r^2 |grad f_i(w_{t+1}) - v|^2", compressed),),
    quantities={
        "e": value, "g": slope, "G": error, "moved": lambda x: x.sq(x.mean_vec(x.v)),
        "change": lambda x: x.mean(x.sq(x.f.grad(along(x)) - x.f.grad(x.w))),
    },
)  # fmt: skip


@claim("shelf/ef21-descent", world=EF21.one_step, expect="proved")
def ef21_descent(x):
    return le(x.next.e, x.e - x.eta / 2 * (x.g + (1 - x.eta * x.L) * x.moved - x.G))


def weight(x):
    """eta/(2 (1 - r))."""
    return x.eta / (2 * (1 - x.r))


@claim("shelf/ef21-coefficients", world=Scalars(L=L, eta=ETA, r=R, given=(STEP_SIZE,)), expect="proved")
def ef21_coefficients(x):
    return le(weight(x) * x.r**2 / (1 - x.r) * x.L**2 * x.eta**2, x.eta / 2 * (1 - x.eta * x.L))


@claim(
    "shelf/ef21-round",
    world=EF21,
    by=(
        ef21_descent,
        use(ef21_each, h=lambda x: x.v, u=lambda x: x.f.grad(x.w), v=lambda x: x.f.grad(along(x))),
        use(lipschitz_gradient, v=along),
        ef21_coefficients,
    ),
    expect="proved",
)
def ef21_round(x, t):
    return le(x.e[t + 1] + weight(x) * x.G[t + 1] + x.eta / 2 * x.g[t], x.e[t] + weight(x) * x.G[t])


@claim("shelf/ef21-rounds", world=EF21, by=(ef21_round,), expect="proved")
def ef21_rounds(x):
    gained = x.eta / 2 * x.sum(lambda t: x.g[t], x.T)
    return le(x.e[x.T] + weight(x) * x.G[x.T] + gained, x.e[0] + weight(x) * x.G[0])


# error feedback: e_i is what client i has not sent yet, c_i what it sends of e_i + eta grad f_i(w)


def virtual(x):
    """w less the mean of what is not sent yet."""
    return x.w - x.mean_vec(x.u)


def held(x):
    """Mean over clients of |e_i|^2."""
    return x.mean(x.sq(x.u))


def sent(x):
    """|c - (e + eta grad f_i(w))|^2 <= (1 - delta) |e + eta grad f_i(w)|^2."""
    whole = x.u + x.eta * x.f.grad(x.w)
    return le(x.sq(x.c - whole), (1 - x.delta) * x.sq(whole))


DELTA = between(0, 1, closed=False)
SHORT = condition("eta <= delta/(4L)", lambda x: le(4 * x.eta * x.L, x.delta))
ALIKE = condition("mean |grad f_i - grad f|^2 <= zeta^2", lambda x, t: le(x.H[t], x.zeta**2))
FEEDBACK = Run(
    Smooth("L"), at=("w",), clients_at=("u", "c"), fresh=("c",), L=L, eta=ETA, delta=DELTA, zeta=positive(GRADIENT),
    given=(SHORT,), every=(ALIKE,),
    step={"w": lambda x: x.w - x.mean_vec(x.c), "u": lambda x: x.u + x.eta * x.f.grad(x.w) - x.c},
    obeys=(condition("|c - (e + eta grad f_i(w))|^2 <= (1 - delta) |e + eta grad f_i(w)|^2", sent),),
    quantities={
        "e": lambda x: x.mean(x.f.value(virtual(x))), "g": slope, "M": lambda x: x.sq(x.mean_vec(x.u)),
        "there": lambda x: x.sq(x.mean_vec(x.f.grad(virtual(x)))),
        "change": lambda x: x.sq(x.mean_vec(x.f.grad(x.w) - x.f.grad(virtual(x)))), "U": held,
        "G": lambda x: x.mean(x.sq(x.f.grad(x.w))),
        "H": lambda x: x.mean(x.sq(x.f.grad(x.w) - x.mean_vec(x.f.grad(x.w)))),
    },
)  # fmt: skip


@claim(
    "shelf/feedback-descent",
    world=FEEDBACK,
    by=(
        use(descent, w=virtual, v=lambda x: virtual(x) - x.eta * x.mean_vec(x.f.grad(x.w))),
        use(mean_is_smooth, v=virtual),
        use(jensen, v=lambda x: x.u),
    ),
    expect="proved",
)
def feedback_descent(x, t):
    gained = x.eta / 2 * (1 - x.eta * x.L) * x.g[t]
    return le(x.e[t + 1], x.e[t] - gained + x.eta * x.L**2 / 2 * x.U[t])


@claim(
    "shelf/feedback-held",
    world=FEEDBACK,
    by=(use(feedback_each, e=lambda x: x.u, g=lambda x: x.f.grad(x.w)), dissimilarity),
    expect="proved",
)
def feedback_held(x, t):
    added = 2 / x.delta * x.eta**2 * (x.g[t] + x.zeta**2)
    return le(x.U[t + 1], (1 - x.delta / 2) * x.U[t] + added)


def feedback_weight(x):
    """eta L^2/delta."""
    return x.eta * x.L**2 / x.delta


@claim("shelf/feedback-coefficients", world=Scalars(L=L, eta=ETA, delta=DELTA, given=(SHORT,)), expect="proved")
def feedback_coefficients(x):
    return le(feedback_weight(x) * 2 / x.delta * x.eta**2, x.eta / 8)


@claim(
    "shelf/feedback-round", world=FEEDBACK, by=(feedback_descent, feedback_held, feedback_coefficients), expect="proved"
)
def feedback_round(x, t):
    floor = 2 * x.eta**3 * x.L**2 / x.delta**2 * x.zeta**2
    left = x.e[t + 1] + feedback_weight(x) * x.U[t + 1] + x.eta / 4 * x.g[t]
    return le(left, x.e[t] + feedback_weight(x) * x.U[t] + floor)


@claim("shelf/feedback-rounds", world=FEEDBACK, by=(feedback_round,), expect="proved")
def feedback_rounds(x):
    floor = 2 * x.eta**3 * x.L**2 / x.delta**2 * x.zeta**2
    left = x.e[x.T] + feedback_weight(x) * x.U[x.T] + x.eta / 4 * x.sum(lambda t: x.g[t], x.T)
    return le(left, x.e[0] + feedback_weight(x) * x.U[0] + floor * x.T)
