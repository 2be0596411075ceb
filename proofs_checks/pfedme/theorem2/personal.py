"""Theorem 2 (b), its proof: (45) and the last display of Section A.5, at every state."""

from typing import Any

from fedtheory import Control, claim, eq, le
from fedtheory.theory.pfedme.conditions import LAM_2L, LAM_8L_SQ, LAM_THEOREM_2
from fedtheory.theory.pfedme.constants import diversity, room, sigma_F2_sq
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import CURVATURE, GRADIENT, LENGTH
from problems import Points, Smooth, at_least, positive

from ..worlds.two_clients import Opposed

AT_W: dict[str, Any] = {"f": Smooth("L"), "envelope": "lam", "diversity": "sigma_f_sq", **symbols("lam", "L")}
# theta_tilde_i - theta_hat_i, and delta^2 less the mean of their squares
ANY_ERRORS: dict[str, Any] = {"clients_at": ("error",), "unused": at_least(0, LENGTH**2)}


def delta_sq(x):
    """delta^2: any number that is at least the mean of |theta_tilde_i - theta_hat_i|^2, as Lemma 1 makes it."""
    return x.mean(x.sq(x.error)) + x.unused


def bound_45(x, delta_sq, variance):
    """Right side of (45), with `variance` in place of sigma_{F,2}^2."""
    gradient = 2 / room(x) * x.sq(x.mean_vec(x.F.grad(x.w)))
    return 2 * delta_sq + gradient + 2 * variance / x.lam**2


@claim(
    "pfedme/eq45-a",
    world=Points(None, clients_at=("theta_tilde", "theta_hat")),
    control=Control("for theta_hat half way the left side is twice the mean", two=1),
    uses=("pfedme/prop3",),
    step=True,
    note="Any vectors.",
)
def eq45_a(x, two=2):
    parts = x.sq(x.theta_tilde - x.theta_hat) + x.sq(x.theta_hat - x.w)
    return le(x.mean(x.sq(x.theta_tilde - x.w)), two * x.mean(parts))


@claim(
    "pfedme/eq45-b",
    world=Points(Smooth("L"), envelope="lam", given=(LAM_2L,), **symbols("lam", "L"), **ANY_ERRORS),
    control=Control("errors of size delta make both sides equal", share="1/2"),
    uses=("pfedme/eq6", "pfedme/lemma1b"),
    step=True,
    note="By E|theta_tilde - theta_hat|^2 <= delta^2 (Lemma 1) and (6).",
)
def eq45_b(x, share=1):
    left = 2 * x.mean(x.sq(x.error) + x.sq(x.f.prox(x.w, x.lam) - x.w))
    return le(left, share * 2 * delta_sq(x) + 2 * x.mean(x.sq(x.F.grad(x.w))) / x.lam**2)


def eq45_c_with(x, variance):
    """Third inequality of (45), with `variance` in place of sigma_{F,2}^2."""
    left = 2 * x.delta**2 + 2 * x.mean(x.sq(x.F.grad(x.w))) / x.lam**2
    return le(left, bound_45(x, x.delta**2, variance))


LINEAR = "for linear clients whose slopes sum to zero the diversity is sigma_f^2, which two fifths of it cannot hold"


@claim(
    "pfedme/eq45-c",
    world=Points(given=(LAM_THEOREM_2,), **symbols("delta"), **AT_W),
    control=Control(LINEAR, share="2/5"),
    repair="pfedme/eq45-c~repaired",
    uses=("pfedme/lemma2b", "pfedme/lemma2b-proof-s3", "pfedme/thm2b-proof-s1-b"),
    step=True,
    note="Lemma 2 (b) has 2 sigma_{F,2}^2, with sigma_{F,2}^2 as its brace defines it.",
)
def eq45_c(x, share=1):
    return eq45_c_with(x, share * sigma_F2_sq(x))


@claim(
    "pfedme/eq45-c~repaired",
    world=Points(given=(LAM_8L_SQ,), **symbols("delta"), **AT_W),
    control=Control(LINEAR, twice="2/5"),
    uses=("pfedme/lemma2b", "pfedme/lemma2b-proof-s3", "pfedme/thm2b-proof-s1-b~repaired"),
    step=True,
    note="2 sigma_{F,2}^2 for sigma_{F,2}^2.",
)
def eq45_c_repaired(x, twice=2):
    return eq45_c_with(x, twice * sigma_F2_sq(x))


@claim(
    "pfedme/thm2b-proof-s1-a",
    world=Points(None, at=(), clients_at=("G",)),
    control=Control("equal gradients have no variance", once=2),
    uses=("pfedme/lemma2b-proof-s3",),
    step=True,
    note="Any gradients.",
)
def thm2b_proof_s1_a(x, once=1):
    mean = x.mean_vec(x.G)
    return eq(x.mean(x.sq(x.G)), x.mean(x.sq(x.G - mean) + once * x.sq(mean)))


def second_moment(x, variance):
    """Last inequality of the display below (45), with `variance` in place of sigma_{F,2}^2."""
    mean_sq = x.sq(x.mean_vec(x.F.grad(x.w)))
    return le(diversity(x, x.w) + mean_sq, variance + x.lam**2 / room(x) * mean_sq)


@claim(
    "pfedme/thm2b-proof-s1-b",
    world=Points(given=(LAM_THEOREM_2,), **AT_W),
    control=Control(LINEAR, share="2/5"),
    repair="pfedme/thm2b-proof-s1-b~repaired",
    uses=("pfedme/lemma2b",),
    step=True,
    note="Lemma 2 (b) has 2 sigma_{F,2}^2, with sigma_{F,2}^2 as its brace defines it.",
)
def thm2b_proof_s1_b(x, share=1):
    return second_moment(x, share * sigma_F2_sq(x))


@claim(
    "pfedme/thm2b-proof-s1-b~repaired",
    world=Points(given=(LAM_8L_SQ,), **AT_W),
    control=Control(LINEAR, twice="2/5"),
    uses=("pfedme/lemma2b",),
    step=True,
    note="2 sigma_{F,2}^2 for sigma_{F,2}^2.",
)
def thm2b_proof_s1_b_repaired(x, twice=2):
    return second_moment(x, twice * sigma_F2_sq(x))


def personal_distance_sq(x):
    """Mean of |theta_tilde_i(w_t) - w_t|^2 for theta_tilde_i - theta_hat_i = error."""
    return x.mean(x.sq(x.f.prox(x.w, x.lam) + x.error - x.w))


@claim(
    "pfedme/thm2b-proof-s2",
    world=Opposed(
        scalars={**symbols("L"), "rise": positive(CURVATURE), "slope": positive(GRADIENT)},
        derived={"lam": lambda x: 3 * x.L + x.rise, "delta": lambda x: x.slope / (x.lam - x.L)},
        given=(LAM_THEOREM_2,),
        sizes={"m": (2,), "d": (1,)},
        f=Smooth("L"),
        envelope="lam",
        diversity="sigma_f_sq",
    ),
    control=Control("the errors have the size delta themselves, so half of the first term is too little", share="1/2"),
    repair="pfedme/thm2b-proof-s2~repaired",
    uses=("pfedme/eq45-a", "pfedme/eq45-b", "pfedme/eq45-c"),
    step=True,
    note="T = 1, started where two concave clients pull in opposite directions. The printed outer index i = 0 is t.",
)
def thm2b_proof_s2(x, share=1):
    return le(personal_distance_sq(x), bound_45(x, share * x.delta**2, sigma_F2_sq(x)))


@claim(
    "pfedme/thm2b-proof-s2~repaired",
    world=Points(given=(LAM_8L_SQ,), **ANY_ERRORS, **AT_W),
    control=Control(
        "at errors that lead away from w, as long as theta_hat_i - w, both sides are equal up to the diversity term",
        share="1/2",
    ),
    uses=("pfedme/eq45-a", "pfedme/eq45-b", "pfedme/eq45-c~repaired"),
    step=True,
    note="2 sigma_{F,2}^2 for sigma_{F,2}^2. Any errors of mean square at most delta^2; in every round, so for the mean over "
    "rounds.",
)
def thm2b_proof_s2_repaired(x, share=1):
    return le(personal_distance_sq(x), bound_45(x, share * delta_sq(x), 2 * sigma_F2_sq(x)))
