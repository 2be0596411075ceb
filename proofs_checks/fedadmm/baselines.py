"""The baselines as Algorithm 2 prints them, and their step size (Sections 3.5 and 5.3)."""

from fedtheory import Control, claim, eq, lt
from fedtheory.units import CURVATURE, STEP
from problems import Points, Scalars, Smooth, SmoothStronglyConvex, positive

from .controls import PLUS
from .one_client import ONE


def printed_step(x, W, w, sign):
    """w_i + sign mu (w_i - w) - gamma/m grad f_i(w_i), with step = gamma/m and the number mu called pull."""
    return W + sign * x.pull * (W - w) - x.step * x.f.grad(W)


def proximal_step(x, W, w):
    """A gradient step of length gamma/m on f_i(z) + (pull/step)/2 |z - w|^2, whose second term is a proximal one."""
    return W - x.step * (x.f.grad(W) + x.pull / x.step * (W - w))


SCALARS = {"r": positive(CURVATURE), "step": positive(STEP), "pull": positive()}
PULLED = Points(
    SmoothStronglyConvex("mu", "r"), at=("w",), clients_at=("W",), sizes=ONE, mu=positive(CURVATURE), **SCALARS
)


@claim(
    "fedadmm/eq3.17",
    world=PULLED,
    control=Control("without the term there is no pull towards w at all", sign=0),
    repair="fedadmm/eq3.17~repaired",
    note="Section 3.5 describes it: a gradient step on f_i with a proximal term of any positive weight "
    "around w^{tau_{k+1}}, which is printed w_{k+1}^tau. The printed sign pushes w_i away from w.",
)
def eq3_17(x, sign=1):
    return eq(x.sq(printed_step(x, x.W, x.w, sign) - proximal_step(x, x.W, x.w)), 0)


@claim(
    "fedadmm/eq3.17~repaired",
    world=Points(Smooth("r"), at=("w",), clients_at=("W",), **SCALARS),
    control=PLUS,
    note="With -mu (w_i^k - w^{tau_{k+1}}).",
)
def eq3_17_repaired(x, sign=-1):
    return eq(x.sq(printed_step(x, x.W, x.w, sign) - proximal_step(x, x.W, x.w)), 0)


SELECTED = Points(None, at=(), clients_at=("W", "other"), sizes={"m": (2, 3), "S": (1, 2)})


@claim(
    "fedadmm/sec3.5-s2",
    world=SELECTED,
    control=Control(
        "the average over all clients does change",
        lambda x: eq(x.E(lambda S: x.sq(x.mean_vec(replaced(x, S)) - x.mean_vec(x.W))), 0),
    ),
    note="With any other vectors at the clients that are not selected the average (3.15) is the same; (3.3) and (3.14) change, "
    "which is the control.",
)
def sec3_5_s2(x):
    return eq(x.E(lambda S: x.sq(x.total_vec(replaced(x, S), over=S) / x.S - x.total_vec(x.W, over=S) / x.S)), 0)


def replaced(x, S):
    """w_i of the selected clients and other vectors of the others."""
    return x.W * S[..., None] + x.other * (1 - S[..., None])


@claim(
    "fedadmm/exp-setup-benchmark@first-step",
    world=Scalars(sizes={"k": (0,)}, a=positive()),
    control=Control("log_2 of 1 is 0", times=-1),
    repair="fedadmm/exp-setup-benchmark@second-step",
    note="That gamma_k(a) = a/log_2(k+1) is a number needs log_2(k+1) > 0, and Algorithm 2 begins with k = 0, where 2^0 = k + 1.",
)
def first_step(x, times=1):
    return lt(x.a, x.a * (1 + times * exponent(x)))


@claim(
    "fedadmm/exp-setup-benchmark@second-step",
    world=Scalars(sizes={"k": (1, 3, 7, 15)}, a=positive()),
    control=Control("the logarithm is positive, not negative", times=-1),
    note="From k = 1 on; at k = 1, 3, 7, 15, where the logarithm is whole.",
)
def second_step(x, times=1):
    return lt(x.a, x.a * (1 + times * exponent(x)))


def exponent(x):
    """log_2(k + 1) of a k that is a power of two less one."""
    return int(x.k + 1).bit_length() - 1
