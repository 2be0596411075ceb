"""Facts that the proof of Lemma 5 uses below (22): sizes of the step and of a geometric sum (Section A.4.2)."""

from fedtheory import Control, claim, eq, le, lt, use
from fedtheory.theory.pfedme.constants import L_F, eta_tilde
from fedtheory.theory.pfedme.symbols import symbols
from problems import Scalars, Sequences, at_least, condition, positive, real

LIMIT_SQ = condition("eta_tilde^2 <= beta^2/(4 L_F^2)", lambda x: le(eta_tilde(x) ** 2, x.beta**2 / (4 * L_F(x) ** 2)))


def growth(x):
    """1 + 1/R."""
    return 1 + 1 / x.R


def powers(x):
    """Sum of (1 + 1/R)^r for r = 0 .. R-1."""
    return x.sum(lambda r: growth(x) ** r, x.R)


def e(x):
    """e."""
    return x.exp(x.ratio(1, 1))


def steps(*given):
    """Local steps and any server relaxation beta > 0, below 1 as well."""
    return Scalars(**symbols("lam", "eta"), beta=positive(), **symbols("R"), given=given)


REAL_R = Scalars(**symbols("R"))
EVERY_R = Sequences("R")
NOT_TWICE = Control("a positive number is not twice itself", factor=2)


@claim(
    "pfedme/lemma5-proof-s1-a",
    world=steps(LIMIT_SQ),
    control=NOT_TWICE,
    step=True,
)
def lemma5_proof_s1_a(x, factor=1):
    step_sq = eta_tilde(x) ** 2 / (x.beta**2 * x.R**2)
    return eq(2 * x.eta**2 * L_F(x) ** 2, factor * 2 * L_F(x) ** 2 * step_sq)


@claim(
    "pfedme/lemma5-proof-s1-b",
    world=steps(LIMIT_SQ),
    control=Control("at the limit of the step size both sides are equal", share="9/10"),
    step=True,
)
def lemma5_proof_s1_b(x, share=1):
    step_sq = eta_tilde(x) ** 2 / (x.beta**2 * x.R**2)
    return le(2 * L_F(x) ** 2 * step_sq, share / (2 * x.R**2))


@claim(
    "pfedme/lemma5-proof-s1-c",
    world=REAL_R,
    control=Control("for R = 1 both sides are equal", share="9/10"),
    step=True,
)
def lemma5_proof_s1_c(x, share=1):
    return le(1 / (2 * x.R**2), share / (2 * x.R))


@claim(
    "pfedme/lemma5-proof-s2-a",
    world=steps(),
    control=NOT_TWICE,
    step=True,
)
def lemma5_proof_s2_a(x, factor=1):
    return eq(2 * (1 + 2 * x.R) * x.eta**2, factor * 2 * (1 + 2 * x.R) * eta_tilde(x) ** 2 / (x.beta**2 * x.R**2))


@claim(
    "pfedme/lemma5-proof-s2-b",
    world=steps(),
    control=Control("for R = 1 both sides are equal", share="9/10"),
    uses=("pfedme/lemma5-proof-s3",),
    step=True,
)
def lemma5_proof_s2_b(x, share=1):
    left = 2 * (1 + 2 * x.R) * eta_tilde(x) ** 2 / (x.beta**2 * x.R**2)
    return le(left, share * 6 * eta_tilde(x) ** 2 / (x.beta**2 * x.R))


@claim(
    "pfedme/lemma5-proof-s3",
    world=REAL_R,
    control=Control("for R = 1 both sides are 3", share="9/10"),
    step=True,
)
def lemma5_proof_s3(x, share=1):
    return le((1 + 2 * x.R) / x.R, share * 3)


@claim(
    "pfedme/lemma5-proof-s5",
    world=Sequences("n", x=real(), given=(condition("x is not 1", lambda x: lt(0, (x.x - 1) ** 2)),)),
    control=Control("for n = 1 both sides are 1", factor=2),
    step=True,
    note="For every n >= 1 and every real x; at x = 1 the right side is 0/0.",
)
def lemma5_proof_s5(x, factor=1):
    return eq(x.sum(lambda i: x.x**i, x.n), factor * (x.x**x.n - 1) / (x.x - 1))


@claim(
    "pfedme/lemma5-proof-s4-a",
    world=EVERY_R,
    by=(use(lemma5_proof_s5, n=lambda x: x.R, x=lambda x: 1 + 1 / x.R),),
    control=NOT_TWICE,
    step=True,
)
def lemma5_proof_s4_a(x, factor=1):
    return eq(powers(x), factor * (growth(x) ** x.R - 1) / (1 / x.R))


@claim(
    "pfedme/lemma5-proof-s6@powers",
    world=Sequences("n", c=at_least(0)),
    control=Control("for c = 0 both sides are 1", share="9/10"),
    step=True,
    note="For every n, by induction, with x = c n >= 0.",
)
def lemma5_proof_s6_powers(x, share=1):
    return le((1 + x.c) ** x.n, share * x.exp(x.c * x.n))


@claim(
    "pfedme/lemma5-proof-s6@monotone",
    world=Scalars(z=at_least(0), given=(condition("z <= 1", lambda x: le(x.z, 1)),)),
    control=Control("for z = 1 both sides are equal", share="9/10"),
    step=True,
)
def lemma5_proof_s6_monotone(x, share=1):
    return le(x.exp(x.z), share * e(x))


@claim(
    "pfedme/lemma5-proof-s6@at-1",
    world=Sequences("n", c=at_least(0), given=(condition("c n <= 1", lambda x: le(x.c * x.n, 1)),)),
    by=(lemma5_proof_s6_powers, use(lemma5_proof_s6_monotone, z=lambda x: x.c * x.n)),
    control=Control("(1 + 1/n)^n comes near e", share="4/5"),
    step=True,
    note="What Lemma 5 needs of row lemma5-proof-s6: (1 + 1/n)^n <= e for every n.",
)
def lemma5_proof_s6_at_1(x, share=1):
    return le((1 + x.c) ** x.n, share * e(x))


@claim(
    "pfedme/lemma5-proof-s4-b",
    world=EVERY_R,
    by=(use(lemma5_proof_s6_at_1, n=lambda x: x.R, c=lambda x: 1 / x.R),),
    control=Control("(1 + 1/R)^R comes near e: for R = 100 the sides differ by less than a hundredth", share="9/10"),
    step=True,
)
def lemma5_proof_s4_b(x, share=1):
    return le((growth(x) ** x.R - 1) / (1 / x.R), share * (e(x) - 1) / (1 / x.R))


@claim(
    "pfedme/lemma5-proof-s4-c",
    world=REAL_R,
    control=Control("e - 1 is above 8/5", share="4/5"),
    step=True,
)
def lemma5_proof_s4_c(x, share=1):
    return le((e(x) - 1) / (1 / x.R), share * 2 * x.R)


def any_x(*given):
    """x = a - b is any real number, with some powers n."""
    return Scalars(a=at_least(0), b=at_least(0), sizes={"n": (1, 2, 3, 4, 10)}, given=given)


AT_ZERO = Control("at x = 0 both sides are 1", share="9/10")


@claim(
    "pfedme/lemma5-proof-s6",
    world=any_x(),
    control=AT_ZERO,
    repair="pfedme/lemma5-proof-s6~repaired",
    step=True,
    note="For any real x = a - b, as printed: for even n and x far below -n the left side is large.",
)
def lemma5_proof_s6(x, share=1):
    return le((1 + (x.a - x.b) / x.n) ** x.n, share * x.exp(x.a - x.b))


@claim(
    "pfedme/lemma5-proof-s6~repaired",
    world=Scalars(
        a=at_least(0), b=at_least(0), n=at_least(1), given=(condition("x > -n", lambda x: lt(x.b, x.n + x.a)),)
    ),
    control=AT_ZERO,
    step=True,
    note="With x > -n, for any real n >= 1, (1 + x/n)^n = exp(n ln(1 + x/n)); at x = -n the left side is 0. The proof of Lemma "
    "5 uses x = 1.",
)
def lemma5_proof_s6_repaired(x, share=1):
    return le(x.exp(x.n * x.log(1 + (x.a - x.b) / x.n)), share * x.exp(x.a - x.b))
