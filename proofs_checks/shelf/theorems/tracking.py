"""Gradient tracking, mixings that may be others at every step: smooth functions, every T and m, clients that differ in any way."""

from fedtheory import claim, le, use
from problems import Run, Scalars, Smooth, condition

from ..consensus import changes_spread, mixed_moved, mixed_sum, spread
from ..recursions import two_recursions
from .mixing import ETA, MIXES, OF_THE_MEAN, L, P, mean_descent, mixed


def tracker(x):
    """h_i, which has the mean of the gradients: grad f_i(v_i) + L u_i less the mean of these."""
    return x.f.grad(x.v) + x.L * (x.u - x.mean_vec(x.u))


def models(x):
    """v_i after a step."""
    return mixed(x, x.v, x.z) - x.eta * tracker(x)


def change(x):
    """grad f_i(v_i) after a step less that before it."""
    return x.f.grad(models(x)) - x.f.grad(x.v)


def left_over(x):
    """u_i after a step: mixed(h)_i - grad f_i(v_i) before it, over L."""
    return (mixed(x, tracker(x), x.L * x.s) - x.f.grad(x.v)) / x.L


MIXES_TRACKERS = condition(
    "the mixing shrinks the spread of the trackers by 1 - p",
    lambda x: le(spread(x, x.L * x.s), (1 - x.p) * spread(x, tracker(x))),
)
SHORT = condition("eta <= p^2/(24L)", lambda x: le(24 * x.eta * x.L, x.p**2))
TRACKING = Run(
    Smooth("L"), at=(), clients_at=("v", "u", "z", "s"), fresh=("z", "s"), L=L, eta=ETA, p=P, given=(SHORT,),
    step={"v": models, "u": left_over}, obeys=(MIXES, MIXES_TRACKERS),
    quantities={
        **OF_THE_MEAN, "B": lambda x: spread(x, tracker(x)), "moved": lambda x: x.sq(x.mean_vec(x.f.grad(x.v))),
        "away": lambda x: x.mean(x.sq(models(x) - x.v)), "changed": lambda x: spread(x, change(x)),
    },
)  # fmt: skip


@claim(
    "shelf/tracking-change",
    world=TRACKING,
    by=(use(changes_spread, v=models, w=lambda x: x.v), use(mixed_moved, h=tracker)),
    expect="proved",
)
def tracking_change(x, t):
    return le(x.changed[t], x.L**2 * (6 * x.V[t] + 3 * x.eta**2 * x.B[t] + x.eta**2 * x.moved[t]))


@claim(
    "shelf/tracking-trackers",
    world=TRACKING,
    by=(use(mixed_sum, v=tracker, z=lambda x: x.L * x.s, g=change), tracking_change),
    expect="proved",
)
def tracking_trackers(x, t):
    added = 6 * x.V[t] + 3 * x.eta**2 * x.B[t] + x.eta**2 * x.moved[t]
    return le(x.B[t + 1], (1 - x.p / 2) * x.B[t] + 3 * x.L**2 / x.p * added)


@claim(
    "shelf/tracking-models",
    world=TRACKING,
    by=(use(mixed_sum, g=lambda x: -x.eta * tracker(x)),),
    expect="proved",
)
def tracking_models(x, t):
    return le(x.V[t + 1], (1 - x.p / 2) * x.V[t] + 3 * x.eta**2 / x.p * x.B[t])


def a(x):
    """2 eta L^2/p."""
    return 2 * x.eta * x.L**2 / x.p


def b(x):
    """14 eta^3 L^2/p^3."""
    return 14 * x.eta**3 * x.L**2 / x.p**3


OF_TRACKING = Scalars(L=L, eta=ETA, p=P, given=(SHORT,))


@claim("shelf/tracking-step-squared", world=OF_TRACKING, expect="proved")
def tracking_step_squared(x):
    return le(576 * x.eta**2 * x.L**2, x.p**4)


@claim("shelf/tracking-coefficients", world=OF_TRACKING, by=(tracking_step_squared,), expect="proved")
def tracking_coefficients(x):
    of_models = le(18 * x.L**2 / x.p * b(x) + x.eta * x.L**2 / 2, a(x) * x.p / 2, "spread of the models")
    of_trackers = le(3 * x.eta**2 / x.p * a(x) + 9 * x.L**2 * x.eta**2 / x.p * b(x), b(x) * x.p / 2, "of the trackers")
    return of_models, of_trackers, le(3 * x.L**2 * x.eta**2 / x.p * b(x), x.eta / 2 * (1 - x.eta * x.L), "of the mean")


@claim(
    "shelf/tracking-spreads",
    world=TRACKING,
    by=(
        tracking_models,
        tracking_trackers,
        tracking_coefficients,
        use(
            two_recursions, a=a, b=b, f=lambda x, t: x.V[t], g=lambda x, t: x.B[t], h=lambda x, t: x.moved[t],
            f_next=lambda x, t: x.V[t + 1], g_next=lambda x, t: x.B[t + 1], k=lambda x: 1 - x.p / 2,
            l=lambda x: 3 * x.eta**2 / x.p, n=lambda x: 3 * x.L**2 / x.p, s=lambda x: x.eta**2,
            u=lambda x: a(x) - x.eta * x.L**2 / 2, w=lambda x: x.eta / 2 * (1 - x.eta * x.L),
        ),
    ),
    expect="proved",
)  # fmt: skip
def tracking_spreads(x, t):
    kept = (a(x) - x.eta * x.L**2 / 2) * x.V[t] + b(x) * x.B[t]
    return le(a(x) * x.V[t + 1] + b(x) * x.B[t + 1], kept + x.eta / 2 * (1 - x.eta * x.L) * x.moved[t])


@claim("shelf/tracking-round", world=TRACKING, by=(mean_descent, tracking_spreads), expect="proved")
def tracking_round(x, t):
    left = x.e[t + 1] + a(x) * x.V[t + 1] + b(x) * x.B[t + 1] + x.eta / 2 * x.g[t]
    return le(left, x.e[t] + a(x) * x.V[t] + b(x) * x.B[t])


@claim("shelf/gradient-tracking", world=TRACKING, by=(tracking_round,), expect="proved")
def gradient_tracking(x):
    left = x.e[x.T] + a(x) * x.V[x.T] + b(x) * x.B[x.T] + x.eta / 2 * x.sum(lambda t: x.g[t], x.T)
    return le(left, x.e[0] + a(x) * x.V[0] + b(x) * x.B[0])
