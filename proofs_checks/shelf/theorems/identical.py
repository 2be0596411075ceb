"""Local SGD on identical data: convex functions, every number of steps T and of clients m, means taken whenever one likes.

L n_i or its opposite, equally likely, is the error of a client's gradient, and L q or its opposite the mean of these, as in
unbiased.py.
Where all clients have one function, gradients of it are cocoercive in the mean over any two of them, which is all that the drift
takes of it ("alike"); with clients that differ the distance to w* has the same bound, given the drift.
"""

from fedtheory import claim, le
from fedtheory.units import CURVATURE, GRADIENT, STEP
from problems import Run, SmoothStronglyConvex, condition, positive

L, MU, ETA, SIGMA = positive(CURVATURE), positive(CURVATURE), positive(STEP), positive(GRADIENT)


def mean_model(x):
    """The mean of the models."""
    return x.mean_vec(x.v)


def apart(x, v):
    """Vectors of the clients less their mean."""
    return v - x.mean_vec(v)


def cocoercive(x):
    """What two clients with one function have, in the mean over both."""
    g = apart(x, x.f.grad(x.v))
    return le(x.mean(x.sq(g)), x.L * x.mean(x.dot(g, apart(x, x.v))))


def local(x, sign):
    """v_i after a step, where nothing is averaged."""
    own = x.f.grad(x.v) + sign * x.L * apart(x, x.n)
    return x.v - x.eta * (own + sign * x.L * x.q)


SPREAD = {"V": lambda x: x.mean(x.sq(apart(x, x.v)))}
OF_STEPS = {"at": ("q",), "clients_at": ("v", "n"), "fresh": ("q", "n"), "L": L, "mu": MU, "eta": ETA, "sigma": SIGMA}


def length(x):
    """Of an error over L, at most."""
    return x.sigma / x.L


NOISE = (
    condition("E|L n_i|^2 <= sigma^2", lambda x: le(x.sq(x.L * x.n), x.sigma**2)),
    condition("m E|L q|^2 <= sigma^2", lambda x: le(x.m * x.sq(x.L * x.q), x.sigma**2)),
)
DRIFT = Run(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", outcomes=(1, -1), step={"v": local}, quantities=SPREAD, index="n_steps",
    given=(condition("eta <= 2/L", lambda x: le(x.eta * x.L, 2)),),
    obeys=(*NOISE, condition("alike", cocoercive)), reach={"n": length, "q": length}, **OF_STEPS,
)  # fmt: skip


@claim("shelf/identical-step", world=DRIFT.one_step, expect="proved")
def identical_step(x):
    return le(x.next.V, x.V + x.eta**2 * x.sigma**2)


@claim("shelf/identical-drift", world=DRIFT, by=(identical_step,), expect="proved")
def identical_drift(x):
    return le(x.V[x.n_steps], x.V[0] + x.n_steps * x.eta**2 * x.sigma**2)


def kept(x, sign):
    """v_i after a step, where any part of what lies apart from the mean stays: all of it, or nothing where models are averaged."""
    moved = mean_model(x) - x.eta * (x.mean_vec(x.f.grad(x.v)) + sign * x.L * x.q)
    return moved + apart(x, x.y) + sign * apart(x, x.z)


LOCAL = Run(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", at=("q",), clients_at=("v", "y", "z"), fresh=("q", "y", "z"), outcomes=(1, -1),
    L=L, mu=MU, eta=ETA, sigma=SIGMA, B=positive(), step={"v": kept}, obeys=NOISE[1:], reach={"q": length},
    quantities={**SPREAD, "D": lambda x: x.sq(mean_model(x) - x.w_star)},
    given=(condition("eta <= 1/(4L)", lambda x: le(4 * x.eta * x.L, 1)),),
    every=(condition("V_t <= B eta^2 sigma^2", lambda x, t: le(x.V[t], x.B * x.eta**2 * x.sigma**2)),),
)  # fmt: skip


@claim("shelf/local-sgd-step", world=LOCAL.one_step, expect="proved")
def local_sgd_step(x):
    return le(x.m * x.next.D, x.m * ((1 - x.eta * x.mu) * x.D + 2 * x.eta * x.L * x.V) + x.eta**2 * x.sigma**2)


@claim("shelf/local-sgd", world=LOCAL, by=(local_sgd_step,), expect="proved")
def local_sgd(x):
    floor = 2 * x.B * x.eta**2 * x.sigma**2 * x.L / x.mu + x.eta * x.sigma**2 / (x.mu * x.m)
    return le(x.D[x.T], (1 - x.eta * x.mu) ** x.T * x.D[0] + floor)
