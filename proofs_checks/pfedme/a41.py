"""The updates re-written (Section A.4.1)."""

from dataclasses import replace
from itertools import pairwise

from fedtheory import Control, claim, eq, lt
from fedtheory.theory.pfedme.constants import eta_tilde
from fedtheory.theory.pfedme.round import same, sampled
from fedtheory.units import CURVATURE, LENGTH
from problems import Points, Scalars, WeaklyConvex, at_least, condition, positive

from .worlds.round import pfedme_round

PROP_1 = condition("lam > 2 rho (Proposition 1)", lambda x: lt(2 * x.rho, x.lam))
ROUND = pfedme_round(WeaklyConvex("rho"), optimum_of=None, given=(PROP_1,), R=(1, 2), rho=positive(CURVATURE))

ALL_CLIENTS = replace(ROUND, sizes={**ROUND.sizes, "S": (1,)})  # where the selection plays no part


def local_rounds(x):
    """Iterates and gradients of the method's local rounds."""
    return x.alg.local(x.f, x.state.w, x.error)


def s2_a(x, share):
    """eta times the sum of gradients is `share` times the sum of the differences of the iterates."""
    iterates, gradients = local_rounds(x)
    moved = sum(a - b for a, b in pairwise(iterates))
    return same(x, x.eta * sum(gradients), share * moved)


@claim(
    "pfedme/a41-s2-a",
    world=ALL_CLIENTS,
    control=Control("the sums are equal, so one is not twice the other", lambda x: s2_a(x, 2)),
    step=True,
    note="g without the step size eta that its underbrace includes, as in every later line.",
)
def a41_s2_a(x):
    return s2_a(x, 1)


def telescope(x, share):
    """The sum of w_r - w_{r+1} over r = 0 .. R-1 is `share` times w_0 - w_R, for any vectors."""
    W = (x.w0, x.w1, x.w2, x.w3)[: x.R + 1]
    return same(x, sum(a - b for a, b in pairwise(W)), share * (W[0] - W[-1]))


@claim(
    "pfedme/a41-s2-b",
    world=Points(None, at=(), clients_at=("w0", "w1", "w2", "w3"), sizes={"R": (1, 2, 3)}),
    control=Control("the sum is w_0 - w_R itself, not twice it", lambda x: telescope(x, 2)),
    step=True,
)
def a41_s2_b(x):
    return telescope(x, 1)


@claim(
    "pfedme/a41-s2-c",
    world=ALL_CLIENTS,
    control=Control(
        "the local rounds start at w_t, not at 2 w_t",
        lambda x: same(x, local_rounds(x)[0][0] - local_rounds(x)[0][-1], 2 * x.state.w - local_rounds(x)[0][-1]),
    ),
    step=True,
)
def a41_s2_c(x):
    first, last = local_rounds(x)[0][0], local_rounds(x)[0][-1]
    return same(x, first - last, x.state.w - last)


def envelope_slope(x, h):
    """lam (w - prox(w)) for the function h/2 |theta|^2 of one variable."""
    return x.lam * (x.w - x.lam * x.w / (x.lam + h))


def mean_of_g(x):
    """E g over the two samples h/2 |theta|^2 and (h + rise)/2 |theta|^2, each alone a minibatch, solved exactly."""
    return (envelope_slope(x, x.h) + envelope_slope(x, x.h + x.rise)) / 2


@claim(
    "pfedme/a41-s3",
    world=Scalars(
        lam=positive(CURVATURE), h=at_least(0, CURVATURE), rise=positive(CURVATURE), w=positive(LENGTH)
    ),
    control=Control(
        "samples of nearly one curvature give nearly the gradient, so the mean of g is not below half of it",
        lambda x: lt(2 * mean_of_g(x), envelope_slope(x, x.h + x.rise / 2)),
    ),
    note="Read as: g can be biased. Two samples of curvatures h < h + rise, minibatches of one sample, inner problems "
    "solved exactly: E g lies strictly below grad F_i at every w > 0. Without sampling noise and error there is none.",
)  # fmt: skip
def a41_s3(x):
    return lt(mean_of_g(x), envelope_slope(x, x.h + x.rise / 2))


def averaged(x, S, relax):
    """(1 - beta) w + beta times the mean of the selected client vectors is w - `relax` times the mean difference."""
    after = (1 - x.beta) * x.w + x.beta / x.S * x.total_vec(x.W, over=S)
    return x.sq(after - (x.w - relax / x.S * x.total_vec(x.w - x.W, over=S)))


@claim(
    "pfedme/a41-s4-b",
    world=Points(None, clients_at=("W",), sizes={"S": (1, 2, 3)}, beta=positive()),
    control=Control(
        "the difference is taken with the factor beta, not 2 beta",
        lambda x: eq(x.E(lambda S: averaged(x, S, 2 * x.beta)), 0),
    ),
    step=True,
    note="For every selection; any client vectors.",
)
def a41_s4_b(x):
    return eq(x.E(lambda S: averaged(x, S, x.beta)), 0)


def s4_c(x, step):
    """E |w_t - beta/S sum (w_t - w_{i,R}) - (w_t - step g_t)|^2, zero if equal for every selection."""
    iterates, gradients = local_rounds(x)
    moved = x.state.w - iterates[-1]
    return x.E(
        lambda draw: x.sq(
            x.beta / x.S * x.total_vec(moved, over=draw.selected) - step * sampled(x, gradients, draw.selected)
        )
    )


@claim(
    "pfedme/a41-s4-c",
    world=ROUND,
    control=Control("the step is eta beta R, not twice it", lambda x: eq(s4_c(x, 2 * eta_tilde(x)), 0)),
    uses=("pfedme/a41-s2-a", "pfedme/a41-s2-b", "pfedme/a41-s2-c"),
    step=True,
    note="For every selection.",
)
def a41_s4_c(x):
    return eq(s4_c(x, eta_tilde(x)), 0)
