"""Lemma 1: how far the delta-approximate personalised model is from the exact one; the remark on delta (Section 3.2)."""

from fedtheory import Control, claim, le
from fedtheory.theory.pfedme.conditions import LAM_L
from fedtheory.theory.pfedme.section3 import delta_sq, delta_sq_lemma1a, delta_sq_lemma1b
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import CURVATURE, GRADIENT, LENGTH
from problems import Smooth, StronglyConvex, positive
from problems.worlds.derived import DerivedScalars, formula

from ..worlds.minibatch import minibatch

CHAIN = tuple(f"pfedme/lemma1a-proof-{step}" for step in ("s3-a", "s3-b", "s3-c", "s3-d", "s4-a", "s4-b"))


def error_sq(x):
    """E |theta_tilde - theta_hat|^2 over minibatches."""
    return x.E(lambda D: x.sq(x.theta_tilde(D) - x.theta_hat))


def squared_a(x):
    """Right side of Lemma 1 (a) with nu squared."""
    return delta_sq(x.lam + x.mu, x.gamma_f_sq / x.batch, x.nu)


def squared_b(x):
    """Right side of Lemma 1 (b) with nu squared."""
    return delta_sq(x.lam - x.L, x.gamma_f_sq / x.batch, x.nu)


QUARTER_A = Control(
    "without sampling noise the distance is nu/(lam + mu) for a client of curvature mu, so a quarter of the bound fails",
    lambda x: le(error_sq(x), squared_a(x) / 4),
)
QUARTER_B = Control(
    "without sampling noise the distance is nu/(lam - L) for a client of curvature -L, so a quarter of the bound fails",
    lambda x: le(error_sq(x), squared_b(x) / 4),
)


@claim(
    "pfedme/lemma1a",
    world=minibatch(StronglyConvex("mu"), **symbols("mu")),
    control=QUARTER_A,
    repair="pfedme/lemma1a~repaired",
    uses=CHAIN,
    note="(8) bounds the norm of the gradient by nu, the lemma adds nu to a squared norm. The minibatch that defines "
    "theta_tilde is the one whose noise is averaged, as in Algorithm 1, line 7.",
)
def lemma1a(x):
    return le(error_sq(x), delta_sq_lemma1a(x))


@claim(
    "pfedme/lemma1a~repaired",
    world=minibatch(StronglyConvex("mu"), **symbols("mu"), each_sample=True),
    control=QUARTER_A,
    note="nu squared, and every sample function mu-strongly convex: the noise is then compared at theta_hat, which does "
    "not depend on the minibatch. Without the second change it stays false, see lemma1a@squared.",
)
def lemma1a_repaired(x):
    return le(error_sq(x), squared_a(x))


@claim(
    "pfedme/lemma1b",
    world=minibatch(Smooth("L"), **symbols("L"), given=(LAM_L,)),
    control=QUARTER_B,
    repair="pfedme/lemma1b~repaired",
    uses=("pfedme/lemma1b-proof-s1", *CHAIN),
    note="nu stands unsquared as in case (a). The minibatch that defines theta_tilde is the one whose noise is averaged.",
)
def lemma1b(x):
    return le(error_sq(x), delta_sq_lemma1b(x))


@claim(
    "pfedme/lemma1b~repaired",
    world=minibatch(Smooth("L"), **symbols("L"), each_sample=True, given=(LAM_L,)),
    control=QUARTER_B,
    note="nu squared, and every sample function L-smooth. Without the second change it stays false, see lemma1b@squared.",
)
def lemma1b_repaired(x):
    return le(error_sq(x), squared_b(x))


# delta^2 brought down to any target by |D| and nu alone, half of it for each, for the smaller one of the two curvatures
ENOUGH = formula(
    "1 + 4 gamma_f^2/((lam - L)^2 target)", lambda x: 1 + 4 * x.gamma_f_sq / ((x.lam - x.L) ** 2 * x.target)
)
LAM_ABOVE_L = {"lam": formula("L + above", lambda x: x.L + x.above)}
ANY_TARGET = {**symbols("mu", "L"), "above": positive(CURVATURE), "gamma_f_sq": positive(GRADIENT**2)}
NEARLY_USED_UP = (
    "for large gamma_f^2 both shares are nearly used up in case (b), so nine tenths of the target are too little"
)


@claim(
    "pfedme/rem-lemma1-delta",
    world=DerivedScalars(
        {
            **LAM_ABOVE_L,
            "batch": ENOUGH,
            "nu": formula("(lam - L)^2 target/4", lambda x: (x.lam - x.L) ** 2 * x.target / 4),
        },
        given=(LAM_L,),
        target=positive(LENGTH**2),
        **ANY_TARGET,
    ),
    control=Control(NEARLY_USED_UP, share="9/10"),
    uses=("pfedme/lemma1a", "pfedme/lemma1b"),
    note="Read as: the delta^2 of Lemma 1, as printed, is brought below any target by |D| and nu alone, which are given here. It "
    "speaks of the formulas; Lemma 1 itself is refuted, and its repaired form has nu squared, rem-lemma1-delta@squared.",
)
def rem_lemma1_delta(x, share=1):
    return le(delta_sq_lemma1a(x), share * x.target, "case (a)"), le(delta_sq_lemma1b(x), share * x.target, "case (b)")


@claim(
    "pfedme/rem-lemma1-delta@squared",
    world=DerivedScalars(
        {
            **LAM_ABOVE_L,
            "target": formula("root^2", lambda x: x.root**2),
            "batch": ENOUGH,
            "nu": formula("(lam - L) root/2", lambda x: (x.lam - x.L) * x.root / 2),
        },
        given=(LAM_L,),
        root=positive(LENGTH),
        **ANY_TARGET,
    ),
    control=Control(NEARLY_USED_UP, share="9/10"),
    uses=("pfedme/lemma1a~repaired", "pfedme/lemma1b~repaired"),
    note="With nu squared, as in the repaired Lemma 1.",
)
def rem_lemma1_delta_squared(x, share=1):
    return le(squared_a(x), share * x.target, "case (a)"), le(squared_b(x), share * x.target, "case (b)")
