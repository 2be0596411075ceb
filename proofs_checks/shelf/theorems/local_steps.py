"""Local gradient steps of any client, any number of them: how far they go, and how far their gradients drift.

With a vector h of each client, which is 0 in FedAvg and the difference of the controls in SCAFFOLD, a local step from w - s
goes along ``grad f_i(w - s) + L h``; s is what the steps so far come to, y what their sum differs by from equal steps.
"""

from fedtheory import claim, le, use
from fedtheory.units import CURVATURE, STEP
from problems import Points, Run, Scalars, Smooth, at_least, condition, positive

from ..recursions import majorant
from ..vectors import of_a_sum_each, split

L, ETA = positive(CURVATURE), positive(STEP)
HALF = condition("eta <= 1/(2 K L)", lambda x: le(2 * x.eta * x.L * x.K, 1))


def first(x):
    """grad f_i(w) + L h_i."""
    return x.f.grad(x.w) + x.L * x.h


def now(x):
    """grad f_i(w - s_i) + L h_i."""
    return x.f.grad(x.w - x.s) + x.L * x.h


def drifted(x):
    """eta times the difference of the two."""
    return x.eta * (now(x) - first(x))


def local(index, given, **options):
    """Local steps of one client, any of them."""
    return Run(
        Smooth("L"), at=("w",), clients_at=("s", "y", "h"), L=L, eta=ETA, index=index, sizes={"m": (1,)}, given=given,
        start={"s": lambda x: x.w - x.w, "y": lambda x: x.w - x.w},
        step={"s": lambda x: x.s + x.eta * now(x), "y": lambda x: x.y + drifted(x)},
        quantities={
            "a": lambda x: x.sq(x.s), "b": lambda x: x.sq(x.y), "c": lambda x: x.sq(now(x) - first(x)),
            "g": lambda x: x.sq(first(x)), "v": lambda x: x.sq(now(x)),
        }, **options,
    )  # fmt: skip


UP_TO_K = condition("n <= K", lambda x: le(x.n, x.K))
FIRST_STEPS = local("n", (HALF, UP_TO_K), K=at_least(1), first=0, lengths=(0, 1, 2, 3))
STEPS = local("K", (HALF,))


@claim(
    "shelf/local-change",
    world=Points(Smooth("L"), at=("w",), clients_at=("s", "h"), L=L, eta=ETA),
    expect="proved",
)
def local_change(x):
    return le(x.sq(now(x) - first(x)), x.L**2 * x.sq(x.s))


def kept(x, t):
    """What a step makes of |s|^2, in Young's inequality with tau = 1/(t + 1)."""
    return (t + 2) * (1 / (t + 1) + 2 * x.eta**2 * x.L**2)


SHORT = {"L": L, "eta": ETA, "K": at_least(1)}
BEFORE_K = condition("t + 1 <= K", lambda x: le(x.t + 1, x.K))
AT_T = {"t": lambda x, t: t}


def tau(x, t):
    """1/(t + 1)."""
    return 1 / (t + 1)


@claim("shelf/local-step-squared", world=Scalars(**SHORT, given=(HALF,)), expect="proved")
def local_step_squared(x):
    return le(x.eta**2 * x.L**2 * x.K**2, x.ratio(1, 4))


@claim(
    "shelf/local-reach-coefficients",
    world=Scalars(t=at_least(0), **SHORT, given=(HALF, BEFORE_K)),
    by=(local_step_squared,),
    expect="proved",
)
def local_reach_coefficients(x):
    return le(kept(x, x.t) * 4 * x.t**2 + 2 * (x.t + 2), 4 * (x.t + 1) ** 2)


@claim("shelf/local-drift-coefficients", world=Scalars(t=at_least(0)), expect="proved")
def local_drift_coefficients(x):
    return le((x.t + 2) / (x.t + 1) * 4 * x.t**4 / 3 + 4 * x.t**2 * (x.t + 2), 4 * (x.t + 1) ** 4 / 3)


@claim(
    "shelf/local-reach",
    world=FIRST_STEPS,
    by=(
        use(of_a_sum_each, u=lambda x: x.s, v=lambda x: x.eta * now(x), tau=tau),
        use(split, v=now, g=first),
        local_change,
        use(local_reach_coefficients, **AT_T),
        use(
            majorant, A=lambda x, t: x.a[t], X=lambda x: x.eta**2 * x.g, c=kept, b=lambda x, t: 2 * (t + 2),
            q=lambda x, t: 4 * t**2,
        ),
    ),
    expect="proved",
)  # fmt: skip
def local_reach(x):
    return le(x.a[x.n], 4 * x.eta**2 * x.n**2 * x.g)


@claim(
    "shelf/local-drift",
    world=FIRST_STEPS,
    by=(
        use(of_a_sum_each, u=lambda x: x.y, v=drifted, tau=tau),
        local_change,
        use(local_reach, n=lambda x, t: t),
        use(local_drift_coefficients, **AT_T),
        use(
            majorant, A=lambda x, t: x.b[t], X=lambda x: x.eta**4 * x.L**2 * x.g, c=lambda x, t: (t + 2) / (t + 1),
            b=lambda x, t: 4 * t**2 * (t + 2), q=lambda x, t: 4 * t**4 / 3,
        ),
    ),
    expect="proved",
)  # fmt: skip
def local_drift(x):
    return le(x.b[x.n], 4 * x.eta**4 * x.L**2 * x.n**4 * x.g / 3)


@claim(
    "shelf/local-drift-of-K",
    world=STEPS,
    by=(use(local_drift, n=lambda x: x.K, K=lambda x: x.K),),
    expect="proved",
)
def local_drift_of_K(x):
    return le(x.b[x.K], 4 * x.eta**4 * x.L**2 * x.K**4 * x.g / 3)
