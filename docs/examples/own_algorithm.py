"""A method that is not in this package: FedAvg with momentum at the server, its state as vectors, its step in the body.

fedtheory verify own_algorithm.py
"""

from fedtheory import Control, claim, le
from fedtheory.units import CURVATURE, STEP
from problems import Points, SmoothConvex, between, condition, positive

# the state is the server model w and the last model u; beta is the momentum, eta the local step, two local steps
HEAVY_BALL = Points(
    SmoothConvex("L"),
    at=("w", "u"),
    optimum_of="f",
    L=positive(CURVATURE),
    eta=positive(STEP),
    beta=between(0, 1),
    given=(condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1)),),
)


def round_of(x):
    """(w, the mean of the local models) to the next w."""
    W = x.w
    for _ in range(2):
        W = W - x.eta * x.f.grad(W)
    return x.mean_vec(W) + x.beta * (x.w - x.u)


@claim(
    "example/momentum", world=HEAVY_BALL, expect="proved",
    control=Control("the momentum counts", share=0),
)  # fmt: skip
def momentum(x, share=1):
    """|w+ - w|^2 <= 2 beta^2 |w - u|^2 + 8 eta^2 mean |grad f_i(w)|^2."""
    moved = share * 2 * x.beta**2 * x.sq(x.w - x.u) + 8 * x.eta**2 * x.mean(x.sq(x.f.grad(x.w)))
    return le(x.sq(round_of(x) - x.w), moved)


@claim("example/one-too-good", world=HEAVY_BALL, expect="refuted")
def too_good(x):
    """The same without the factor 2 on both parts."""
    moved = x.beta**2 * x.sq(x.w - x.u) + 4 * x.eta**2 * x.mean(x.sq(x.f.grad(x.w)))
    return le(x.sq(round_of(x) - x.w), moved)
