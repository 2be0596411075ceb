"""Facts that the proof of Lemma 5 uses below (22): sizes of the step and of a geometric sum (Section A.4.2)."""

from typing import Any

from fedtheory import Control, claim, eq, le
from fedtheory.theory.pfedme.constants import L_F, eta_tilde
from fedtheory.units import CURVATURE, STEP
from problems import Scalars, at_least, condition, positive

LIMIT_SQ = condition("eta_tilde^2 <= beta^2/(4 L_F^2)", lambda x: le(eta_tilde(x) ** 2, x.beta**2 / (4 * L_F(x) ** 2)))
SCALARS: dict[str, Any] = {"lam": positive(CURVATURE), "eta": positive(STEP), "beta": positive(), "R": at_least(1)}
REAL_R = Scalars(R=at_least(1))
INTEGER_R = Scalars(sizes={"R": (1, 2, 3, 5, 8, 20, 100)})


def twice(x, pair):
    """An equation made wrong: twice the left side."""
    left, right = pair(x)
    return eq(2 * left, right)


def tighter(x, pair):
    """An inequality made wrong where it is attained: nine tenths of the right side."""
    left, right = pair(x)
    return le(10 * left, 9 * right)


def s1_a(x):
    step_sq = eta_tilde(x) ** 2 / (x.beta**2 * x.R**2)
    return 2 * x.eta**2 * L_F(x) ** 2, 2 * L_F(x) ** 2 * step_sq


@claim(
    "pfedme/lemma5-proof-s1-a",
    world=Scalars(**SCALARS, given=(LIMIT_SQ,)),
    control=Control("a positive number is not twice itself", lambda x: twice(x, s1_a)),
    step=True,
)
def lemma5_proof_s1_a(x):
    return eq(*s1_a(x))


def s1_b(x):
    return s1_a(x)[1], 1 / (2 * x.R**2)


@claim(
    "pfedme/lemma5-proof-s1-b",
    world=Scalars(**SCALARS, given=(LIMIT_SQ,)),
    control=Control("at the limit of the step size both sides are equal", lambda x: tighter(x, s1_b)),
    step=True,
)
def lemma5_proof_s1_b(x):
    return le(*s1_b(x))


def s1_c(x):
    return 1 / (2 * x.R**2), 1 / (2 * x.R)


@claim(
    "pfedme/lemma5-proof-s1-c",
    world=REAL_R,
    control=Control("for R = 1 both sides are equal", lambda x: tighter(x, s1_c)),
    step=True,
)
def lemma5_proof_s1_c(x):
    return le(*s1_c(x))


def s2_a(x):
    factor = 2 * (1 + 2 * x.R)
    return factor * x.eta**2, factor * eta_tilde(x) ** 2 / (x.beta**2 * x.R**2)


@claim(
    "pfedme/lemma5-proof-s2-a",
    world=Scalars(**SCALARS),
    control=Control("a positive number is not twice itself", lambda x: twice(x, s2_a)),
    step=True,
)
def lemma5_proof_s2_a(x):
    return eq(*s2_a(x))


def s2_b(x):
    return s2_a(x)[1], 6 * eta_tilde(x) ** 2 / (x.beta**2 * x.R)


@claim(
    "pfedme/lemma5-proof-s2-b",
    world=Scalars(**SCALARS),
    control=Control("for R = 1 both sides are equal", lambda x: tighter(x, s2_b)),
    uses=("pfedme/lemma5-proof-s3",),
    step=True,
)
def lemma5_proof_s2_b(x):
    return le(*s2_b(x))


def s3(x):
    return (1 + 2 * x.R) / x.R, 3


@claim(
    "pfedme/lemma5-proof-s3",
    world=REAL_R,
    control=Control("for R = 1 both sides are 3", lambda x: tighter(x, s3)),
    step=True,
)
def lemma5_proof_s3(x):
    return le(*s3(x))


def s4_a(x):
    ratio = 1 + 1 / x.R
    return sum(ratio**r for r in range(x.R)), (ratio**x.R - 1) / (1 / x.R)


@claim(
    "pfedme/lemma5-proof-s4-a",
    world=INTEGER_R,
    control=Control("a positive number is not twice itself", lambda x: twice(x, s4_a)),
    uses=("pfedme/lemma5-proof-s5",),
    step=True,
)
def lemma5_proof_s4_a(x):
    return eq(*s4_a(x))


def s4_b(x):
    return s4_a(x)[1], (x.exp(x.R / x.R) - 1) / (1 / x.R)


@claim(
    "pfedme/lemma5-proof-s4-b",
    world=INTEGER_R,
    control=Control(
        "(1 + 1/R)^R comes near e: for R = 100 the sides differ by less than a hundredth", lambda x: tighter(x, s4_b)
    ),
    uses=("pfedme/lemma5-proof-s6~repaired",),
    step=True,
    note="The fact it uses is needed at x = 1 only, where its repair holds.",
)
def lemma5_proof_s4_b(x):
    return le(*s4_b(x))


def s4_c(x):
    return (x.exp(x.R / x.R) - 1) / (1 / x.R), 2 * x.R


@claim(
    "pfedme/lemma5-proof-s4-c",
    world=REAL_R,
    control=Control("e - 1 is above 8/5", lambda x: le(5 * s4_c(x)[0], 4 * s4_c(x)[1])),
    step=True,
)
def lemma5_proof_s4_c(x):
    return le(*s4_c(x))


def s5(x):
    ratio = x.a - x.b
    return sum(ratio**i for i in range(x.n)), (ratio**x.n - 1) / (ratio - 1)


@claim(
    "pfedme/lemma5-proof-s5",
    world=Scalars(a=at_least(0), b=at_least(0), sizes={"n": (1, 2, 3, 4, 5)}),
    control=Control("for n = 1 both sides are 1", lambda x: twice(x, s5)),
    step=True,
    note="x = a - b is any real number; at x = 1 the right side is 0/0.",
)
def lemma5_proof_s5(x):
    return eq(*s5(x))


def s6(x):
    return (1 + (x.a - x.b) / x.n) ** x.n, x.exp(x.a - x.b)


ANY_X: dict[str, Any] = {"a": at_least(0), "b": at_least(0)}
POWERS = {"n": (1, 2, 3, 4, 10)}
AT_ZERO = Control("at x = 0 both sides are 1", lambda x: tighter(x, s6))


@claim(
    "pfedme/lemma5-proof-s6",
    world=Scalars(**ANY_X, sizes=POWERS),
    control=AT_ZERO,
    repair="pfedme/lemma5-proof-s6~repaired",
    step=True,
    note="For any real x = a - b, as printed: for even n and x far below -n the left side is large.",
)
def lemma5_proof_s6(x):
    return le(*s6(x))


@claim(
    "pfedme/lemma5-proof-s6~repaired",
    world=Scalars(**ANY_X, sizes=POWERS, given=(condition("x >= -n", lambda x: le(x.b, x.n + x.a)),)),
    control=AT_ZERO,
    step=True,
    note="With x >= -n; the proof of Lemma 5 uses x = 1.",
)
def lemma5_proof_s6_repaired(x):
    return le(*s6(x))
