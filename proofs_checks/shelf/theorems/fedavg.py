"""FedAvg and SCAFFOLD with K local gradient steps and all clients: smooth functions that need not be convex, every K, T, m."""

from fedtheory import claim, le, use
from fedtheory.units import GRADIENT, LENGTH, STEP
from problems import Points, Run, Scalars, Smooth, at_least, condition, last, positive

from ..sampling import dissimilarity
from .local_steps import ETA, HALF, STEPS, L, local_drift_of_K


def grad(x):
    """grad f_i(w)."""
    return x.f.grad(x.w)


def value(x):
    """f(w)."""
    return x.mean(x.f.value(x.w))


def slope(x):
    """|grad f(w)|^2."""
    return x.sq(x.mean_vec(grad(x)))


def none(x):
    """0."""
    return x.w - x.w


def along(x):
    """What the K local steps of a client come to: y and K equal ones."""
    return x.y + x.eta * x.K * grad(x)


@claim(
    "shelf/local-descent",
    world=Points(Smooth("L"), clients_at=("y",), L=L, eta=ETA, K=at_least(1)),
    expect="proved",
)
def local_descent(x):
    move = x.mean_vec(along(x))
    step = x.eta * x.K
    gained = step / 2 * slope(x) + (1 - step * x.L) / (2 * step) * x.sq(move)
    return le(x.mean(x.f.value(x.w - move)), value(x) - gained + x.mean(x.sq(x.y)) / (2 * step))


ALIKE = condition("mean |grad f_i - grad f|^2 <= zeta^2", lambda x, t: le(x.H[t], x.zeta**2))
FEDAVG = Run(
    Smooth("L"), at=("w",), clients_at=("y",), L=L, eta=ETA, zeta=positive(GRADIENT), sizes={"K": (1, 2), "m": (2, 3)},
    within={"y": last(STEPS, "y", h=none)}, step={"w": lambda x: x.w - x.mean_vec(along(x))}, given=(HALF,), every=(ALIKE,),
    quantities={
        "e": value, "g": slope, "H": lambda x: x.mean(x.sq(grad(x) - x.mean_vec(grad(x)))), "G": lambda x: x.mean(x.sq(grad(x))),
        "Y": lambda x: x.mean(x.sq(x.y)), "moved": lambda x: x.sq(x.mean_vec(along(x))),
    },
)  # fmt: skip


@claim("shelf/fedavg-round", world=FEDAVG, by=(local_descent, use(local_drift_of_K, h=none)), expect="proved")
def fedavg_round(x, t):
    return le(x.e[t + 1], x.e[t] - x.eta * x.K / 2 * x.g[t] + 2 * x.eta**3 * x.K**3 * x.L**2 / 3 * x.G[t])


@claim(
    "shelf/fedavg@spread",
    world=Scalars(
        L=L, zeta=positive(GRADIENT), step=positive(STEP), **{name: at_least(0, GRADIENT**2) for name in ("g", "G", "H")},
        given=(
            condition("step <= 1/(2 L)", lambda x: le(2 * x.step * x.L, 1)),
            condition("G <= g + H", lambda x: le(x.G, x.g + x.H)),
            condition("H <= zeta^2", lambda x: le(x.H, x.zeta**2)),
        ),
    ),
    expect="proved",
)  # fmt: skip
def spread_of_the_gradients(x):
    weight = 2 * x.step**3 * x.L**2 / 3
    return le(weight * x.G, x.step / 6 * x.g + weight * x.zeta**2)


def at_t(*names):
    """The step, and quantities of a round."""
    return {"step": lambda x: x.eta * x.K, **{name: lambda x, t, name=name: getattr(x, name)[t] for name in names}}


@claim(
    "shelf/fedavg@falls", world=FEDAVG, by=(fedavg_round, dissimilarity, use(spread_of_the_gradients, **at_t("g", "G", "H"))),
    expect="proved",
)  # fmt: skip
def fedavg_falls(x, t):
    return le(x.e[t + 1] + x.eta * x.K / 3 * x.g[t], x.e[t] + 2 * x.eta**3 * x.K**3 * x.L**2 / 3 * x.zeta**2)


@claim("shelf/fedavg", world=FEDAVG, by=(fedavg_falls,), expect="proved")
def fedavg(x):
    gained = x.eta * x.K / 3 * x.sum(lambda t: x.g[t], x.T)
    return le(x.e[x.T] + gained, x.e[0] + 2 * x.eta**3 * x.K**3 * x.L**2 / 3 * x.zeta**2 * x.T)


# SCAFFOLD: L c_i is the control of a client


def aside(x):
    """The mean of the controls less that of the client, over L."""
    return x.mean_vec(x.c) - x.c


def direction(x):
    """The first local step over eta."""
    return grad(x) + x.L * aside(x)


def controlled(x):
    """What the K local steps of a client come to."""
    return x.y + x.eta * x.K * direction(x)


def server(x):
    """w after a round."""
    return x.w - x.mean_vec(controlled(x))


def mean_gradient(x):
    """The mean of the gradients of a client's local steps."""
    return grad(x) + x.y / (x.eta * x.K)


def off(x):
    """Mean over clients of |L c_i - grad f_i(w)|^2."""
    return x.mean(x.sq(x.L * x.c - grad(x)))


QUARTER = condition("eta <= 1/(4 K L)", lambda x: le(4 * x.eta * x.L * x.K, 1))
SCAFFOLD = Run(
    Smooth("L"), at=("w",), clients_at=("y", "c"), L=L, eta=ETA, sizes={"K": (1, 2), "m": (2, 3)}, given=(QUARTER,),
    within={"y": last(STEPS, "y", h=aside)}, step={"w": server, "c": lambda x: mean_gradient(x) / x.L},
    quantities={
        "e": value, "g": slope, "C": off, "D": lambda x: x.mean(x.sq(direction(x))), "Y": lambda x: x.mean(x.sq(x.y)),
        "moved": lambda x: x.sq(x.mean_vec(controlled(x))),
    },
)  # fmt: skip


@claim("shelf/scaffold-directions", world=Points(Smooth("L"), clients_at=("c",), L=L), expect="proved")
def scaffold_directions(x):
    return le(x.mean(x.sq(direction(x))), slope(x) + off(x))


@claim(
    "shelf/scaffold-controls",
    world=Points(Smooth("L"), at=("w", "v"), clients_at=("y",), L=L, eta=ETA, K=at_least(1)),
    expect="proved",
)
def scaffold_controls(x):
    bound = 2 * x.mean(x.sq(x.y)) / (x.eta * x.K) ** 2 + 2 * x.L**2 * x.sq(x.v - x.w)
    return le(x.mean(x.sq(mean_gradient(x) - x.f.grad(x.v))), bound)


def weight(x):
    """eta^3 K^3 L^2."""
    return x.eta**3 * x.K**3 * x.L**2


@claim(
    "shelf/scaffold@weights",
    world=Scalars(
        L=L, step=positive(STEP), **{name: at_least(0, GRADIENT**2) for name in ("g", "C", "C_next", "D")},
        Y=at_least(0, LENGTH**2), moved=at_least(0, LENGTH**2),
        given=(
            condition("step <= 1/(4 L)", lambda x: le(4 * x.step * x.L, 1)),
            condition("the controls after a round", lambda x: le(x.C_next, 2 * x.Y / x.step**2 + 2 * x.L**2 * x.moved)),
            condition("the drift of K steps", lambda x: le(x.Y, 4 * x.step**4 * x.L**2 / 3 * x.D)),
            condition("the first steps", lambda x: le(x.D, x.g + x.C)),
        ),
    ),
    expect="proved",
)  # fmt: skip
def scaffold_weights(x):
    s, weight = x.step, x.step**3 * x.L**2
    rest = 5 * weight / 6 * x.D
    return (
        le(weight * x.C_next + x.Y / (2 * s), rest + (1 - s * x.L) / (2 * s) * x.moved, "drift"),
        le(rest, s / 4 * x.g + weight * x.C, "first steps"),
    )


OF_A_ROUND = {**at_t("g", "C", "D", "Y", "moved"), "C_next": lambda x, t: x.C[t + 1]}


@claim(
    "shelf/scaffold-round",
    world=SCAFFOLD,
    by=(
        local_descent, use(local_drift_of_K, h=aside), scaffold_directions, use(scaffold_controls, v=server),
        use(scaffold_weights, **OF_A_ROUND),
    ),
    expect="proved",
)  # fmt: skip
def scaffold_round(x, t):
    return le(x.e[t + 1] + weight(x) * x.C[t + 1] + x.eta * x.K / 4 * x.g[t], x.e[t] + weight(x) * x.C[t])


@claim("shelf/scaffold", world=SCAFFOLD, by=(scaffold_round,), expect="proved")
def scaffold(x):
    gained = x.eta * x.K / 4 * x.sum(lambda t: x.g[t], x.T)
    return le(x.e[x.T] + weight(x) * x.C[x.T] + gained, x.e[0] + weight(x) * x.C[0])
