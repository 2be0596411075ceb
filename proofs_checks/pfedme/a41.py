"""The updates re-written (Section A.4.1): the local rounds, the bias of g, and the server step as a gradient step."""

from itertools import pairwise

from fedtheory import Control, claim, eq, lt
from fedtheory.theory.pfedme.conditions import LAM_2RHO
from fedtheory.theory.pfedme.constants import eta_tilde
from fedtheory.theory.pfedme.round import g_t, local_rounds, same
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import CURVATURE, LENGTH
from problems import Points, Scalars, WeaklyConvex, at_least, positive

from .worlds.round import pfedme_round


def rounds(**sizes):
    """One global round on clients of either case of Assumption 1."""
    given = (LAM_2RHO,)
    return pfedme_round(
        WeaklyConvex("rho"), optimum_of=None, given=given, R=(1, 2), beta=positive(), **sizes, **symbols("rho")
    )


@claim(
    "pfedme/a41-s2-a",
    world=rounds(S=(1,)),
    control=Control("the sums are equal, so one is not twice the other", factor=2),
    step=True,
    note="g without the step size eta that its underbrace includes, as in every later line.",
)
def a41_s2_a(x, factor=1):
    iterates, gradients = local_rounds(x)
    return same(x, x.eta * sum(gradients), factor * sum(a - b for a, b in pairwise(iterates)))


@claim(
    "pfedme/a41-s2-b",
    world=Points(None, at=(), clients_at=("w0", "w1", "w2", "w3"), sizes={"R": (1, 2, 3)}),
    control=Control("the sum is w_0 - w_R itself, not twice it", factor=2),
    step=True,
    note="For any vectors w_0 .. w_R.",
)
def a41_s2_b(x, factor=1):
    W = (x.w0, x.w1, x.w2, x.w3)[: x.R + 1]
    return same(x, sum(a - b for a, b in pairwise(W)), factor * (W[0] - W[-1]))


@claim(
    "pfedme/a41-s2-c",
    world=rounds(S=(1,)),
    control=Control("the local rounds start at w_t, not at 2 w_t", factor=2),
    step=True,
)
def a41_s2_c(x, factor=1):
    W = local_rounds(x)[0]
    return same(x, W[0] - W[-1], factor * x.state.w - W[-1])


def envelope_slope(x, h):
    """lam (w - prox(w)) for the function h/2 |theta|^2 of one variable."""
    return x.lam * (x.w - x.lam * x.w / (x.lam + h))


@claim(
    "pfedme/a41-s3",
    world=Scalars(**symbols("lam"), h=at_least(0, CURVATURE), rise=positive(CURVATURE), w=positive(LENGTH)),
    control=Control(
        "samples of nearly one curvature give nearly the gradient, so the mean of g is not below half of it", factor=2
    ),
    note="Read as: g can be biased. Two samples of curvatures h < h + rise, minibatches of one sample, inner problems "
    "solved exactly: E g lies strictly below grad F_i at every w > 0. Without sampling noise and error there is none.",
)
def a41_s3(x, factor=1):
    mean_of_g = (envelope_slope(x, x.h) + envelope_slope(x, x.h + x.rise)) / 2
    return lt(factor * mean_of_g, envelope_slope(x, x.h + x.rise / 2))


@claim(
    "pfedme/a41-s4-b",
    world=Points(None, clients_at=("W",), sizes={"S": (1, 2, 3)}, beta=positive()),
    control=Control("the difference is taken with the factor beta, not 2 beta", factor=2),
    step=True,
    note="For every selection; any client vectors.",
)
def a41_s4_b(x, factor=1):
    def apart(S):
        averaged = (1 - x.beta) * x.w + x.beta / x.S * x.total_vec(x.W, over=S)
        return averaged - (x.w - factor * x.beta / x.S * x.total_vec(x.w - x.W, over=S))

    return eq(x.E(lambda S: x.sq(apart(S))), 0)


@claim(
    "pfedme/a41-s4-c",
    world=rounds(),
    control=Control("the step is eta beta R, not twice it", factor=2),
    uses=("pfedme/a41-s2-a", "pfedme/a41-s2-b", "pfedme/a41-s2-c"),
    step=True,
    note="For every selection.",
)
def a41_s4_c(x, factor=1):
    moved, g = x.state.w - local_rounds(x)[0][-1], g_t(x)

    def apart(draw):
        return x.beta / x.S * x.total_vec(moved, over=draw.selected) - factor * eta_tilde(x) * g(draw)

    return eq(x.E(lambda draw: x.sq(apart(draw))), 0)
