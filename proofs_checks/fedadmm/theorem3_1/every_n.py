"""Theorem 3.1 after any number of inner steps: an induction from one of them (Section 7.1)."""

from fedtheory import Control, claim, le, use
from fedtheory.theory.fedadmm.constants import inner_size
from problems import Run

from ..one_client import ONE, own
from ..section7 import eq7_3_b
from .inner import CLASS, GIVEN, NAMES, SETTING, distance_sq, following, inner, residual_sq
from .proof import s9, s13_gradient, turned

INNER_STEPS = Run(
    CLASS, at=("star", "w", "v"), start={"v": lambda x: x.w}, step={"v": lambda x: following(x, inner(x), x.v)}, index="n",
    first=0, lengths=(0, 1, 2, 3), given=GIVEN, sizes={"d": (1, 2), **ONE}, **own(*NAMES),
    quantities={
        "dist": lambda x: distance_sq(x, inner(x), x.v),
        "left": lambda x: residual_sq(x, inner(x), x.v),
        "turned": lambda x: x.sq(turned(x)),
    },
)  # fmt: skip
HALVED = Control("for s_i = r_i and rho = 4 the distance is halved exactly", share="9/10")
EVERY_N = f"From v_i^0 = w^{{tau_{{k+1}}}}, for every number n = kappa + 1 of steps and every dimension. {SETTING}"


@claim(
    "fedadmm/thm3.1-proof-s11",
    world=INNER_STEPS,
    by=(s9,),
    control=HALVED,
    uses=("fedadmm/thm3.1-proof-s10",),
    step=True,
    note=EVERY_N,
)
def s11(x, share=1):
    return le(x.dist[x.n], share * x.dist[0] / x.rho**x.n)


@claim("fedadmm/thm3.1-proof-s14", world=INNER_STEPS, by=(s11,), control=HALVED, step=True, note=EVERY_N)
def s14(x, share=1):
    size = inner_size(x)
    return le(size * x.dist[x.n], share * size / x.rho**x.n * x.dist[0])


@claim(
    "fedadmm/thm3.1~repaired",
    world=INNER_STEPS,
    by=(s13_gradient, use(eq7_3_b, w_1=turned, w_2=lambda x: x.sigma * (x.v - x.star), t=lambda x: 1), s14),
    control=Control("for n = 0 and a quadratic of curvature r_i = sigma_i/alpha_i it is attained", share="9/10"),
    note="With the logarithm rounded up, not what is under it: after n steps with varrho^n at least 2 (alpha_i^2 r_i^2 + "
    f"sigma_i^2) |w - v*|^2/eps, so n = kappa + 1. {EVERY_N}",
)
def thm3_1_repaired(x, share=1):
    return le(x.left[x.n], share * inner_size(x) * x.dist[0] / x.rho**x.n)
