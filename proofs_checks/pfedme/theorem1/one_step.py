"""Theorem 1, one round: the auxiliary results (25) to (29) and their combination (30) (Section A.4.3).

(31) is in `step_size`, (32) and (33) are in `weights` and `along_runs`.
"""

from fedtheory import Control, claim, le, use
from fedtheory.theory.pfedme.conditions import EQ_31, SAMPLED, STEP_26, STEP_TILDE_LEMMA_5
from fedtheory.theory.pfedme.constants import (
    L_F,
    bound_lemma2a,
    diversity,
    eta_tilde,
    gap,
    kappa_F,
    mu_F,
    sampling,
    sigma_F1_sq,
)
from fedtheory.theory.pfedme.round import bound_23
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem1 import (
    C1,
    C2,
    C3,
    C1_brace,
    C2_brace,
    C3_brace,
    C3_kept,
    bracket,
    distance_sq,
    keep,
    noise,
)
from fedtheory.units import GRADIENT, LENGTH, VALUE
from problems import Points, StronglyConvex, at_least, condition, positive, real
from problems.worlds.derived import DerivedPoints, DerivedScalars

from ..lemma5.statement import OF_ALL_CLIENTS, all_rounds, drift, lemma5
from .worlds import ENVELOPE, far_rounds

CLIENTS = symbols("lam", "mu")
ROUND = symbols("eta_tilde", "beta", "R", "delta")
AT_A_POINT = {"f": StronglyConvex("mu"), "envelope": "lam", "optimum_of": "F"}


@claim(
    "pfedme/eq25",
    world=Points(**AT_A_POINT, sizes={"S": (1, 2, 3), "d": (1, 2)}, **CLIENTS),
    control=Control(
        "at w = w* the left side is q sigma_{F,1}^2 and the right side twice that, so two fifths of it is too little",
        share="2/5",
    ),
    uses=("pfedme/lemma2a",),
    step=True,
    note="At any w_t; an expectation over the history keeps the inequality. N = 1 makes the printed factor 0/0.",
)
def eq25(x, share=1):
    return le(sampling(x) * diversity(x, x.w), share * sampling(x) * bound_lemma2a(x, x.w))


def second_result(x, squares):
    """What (26) to (28) have in common, with `squares` for the bracket of their last term."""
    return x.eta_tilde * 16 * x.delta**2 * x.lam**2 / mu_F(x) + (
        x.eta_tilde**3 / x.beta**2 * 128 * L_F(x) ** 2 / mu_F(x) * squares
    )


def solver(x):
    """2 delta^2 lam^2/R."""
    return 2 * x.delta**2 * x.lam**2 / x.R


TIGHT_26 = Control(
    "a drift of this size and eta_tilde = 2/mu_F make both sides equal, so nine tenths are too little", share="9/10"
)


def eq26_with(x, drift, grad_sq, share):
    """(26) with `drift` for the mean of E|g_{i,r} - grad F_i|^2 and `grad_sq` for that of E|grad F_i|^2."""
    left = x.eta_tilde * (3 * x.eta_tilde + 2 / x.mu_F) * drift
    return le(left, share * second_result(x, 3 * grad_sq + solver(x)))


@claim(
    "pfedme/eq26@numbers",
    world=DerivedScalars(
        ENVELOPE,
        **CLIENTS,
        **{**ROUND, "beta": positive()},
        drift=real(GRADIENT**2),
        grad_sq=at_least(0, GRADIENT**2),
        given=(
            STEP_26,
            condition(
                "drift <= 2 lam^2 delta^2 + 16 L_F^2 eta_tilde^2/beta^2 (3 grad_sq + 2 lam^2 delta^2/R)",
                lambda x: le(x.drift, bound_23(x, x.grad_sq, x.eta_tilde)),
            ),
        ),
    ),
    control=TIGHT_26,
    step=True,
    note="Arithmetic of (26), of any two numbers with this inequality.",
)
def eq26_numbers(x, share=1):
    return eq26_with(x, x.drift, x.grad_sq, share)


SHORT_26 = condition("eta_tilde <= 2/mu_F", lambda x: le(eta_tilde(x), 2 / x.mu_F), "(26)")


@claim(
    "pfedme/eq26",
    world=all_rounds(SHORT_26, m=(1, 2, 3, 5), quantities=OF_ALL_CLIENTS, derived=ENVELOPE, **symbols("mu")),
    by=(
        lemma5,
        use(eq26_numbers, eta_tilde=eta_tilde, drift=drift, grad_sq=lambda x: x.G_sq),
    ),
    control=TIGHT_26,
    uses=("pfedme/thm1-proof-s1",),
    step=True,
    note="From Lemma 5, as the text has it, under the two step-size conditions that it names; both follow from (31). For every R "
    "and N, at the method's local rounds; mu_F is that of any mu.",
)
def eq26(x, share=1):
    return eq26_with(x.at(eta_tilde=eta_tilde(x)), drift(x), x.G_sq, share)


@claim(
    "pfedme/eq27",
    world=Points(None, at=(), clients_at=("u", "u_star"), sizes={"d": (1, 2)}, **CLIENTS, **ROUND),
    control=Control("for u* = u/2 both sides are equal with the factor 6, so 5 is too little", six=5),
    step=True,
    note="For any vectors, grad F_i(w_t) = lam u_i and grad F_i(w*) = lam u*_i. The stated reason, "
    "E|X|^2 = E|X - E X|^2 + |E X|^2, is about other quantities; |a|^2 <= 2|a - b|^2 + 2|b|^2 (Proposition 3) gives it.",
)
def eq27(x, six=6):
    G, Gs = x.lam * x.u, x.lam * x.u_star
    parts = x.mean(six * x.sq(G - Gs) + six * x.sq(Gs))
    return le(second_result(x, x.mean(3 * x.sq(G)) + solver(x)), second_result(x, parts + solver(x)))


def bound_28(x, distance, sigma_sq, twelve=12):
    """Right side of (28), with `distance` for E[F(w_t) - F(w*)] and `sigma_sq` for sigma_{F,1}^2."""
    return second_result(x, twelve * L_F(x) * distance + 2 * noise(x, sigma_sq))


@claim(
    "pfedme/eq28",
    world=Points(**AT_A_POINT, sizes={"d": (1, 2)}, **CLIENTS, **ROUND),
    control=Control(
        "for clients of curvature far above lam, equal ones, both sides are nearly equal with 12, so 10 is too little",
        twelve=10,
    ),
    uses=("pfedme/prop2a", "pfedme/thm1-proof-s2"),
    step=True,
    note="What it rests on is Proposition 2 for every F_i, as in the proof of Lemma 2 (a), and sum grad F_i(w*) = 0.",
)
def eq28(x, twelve=12):
    G, Gs = x.F.grad(x.w), x.F.grad(x.w_star)
    bound_27 = second_result(x, x.mean(6 * x.sq(G - Gs) + 6 * x.sq(Gs)) + solver(x))
    return le(bound_27, bound_28(x, gap(x, x.w), sigma_F1_sq(x), twelve))


@claim(
    "pfedme/thm1-proof-s2",
    world=Points(**AT_A_POINT, sizes={"d": (1, 2)}, **CLIENTS),
    control=Control(
        "for clients of curvature far above lam both sides are nearly equal, so nine tenths are too little",
        share="9/10",
    ),
    uses=("pfedme/prop2a",),
    step=True,
)
def thm1_proof_s2(x, share=1):
    return le(x.sq(x.mean_vec(x.F.grad(x.w))), share * 2 * L_F(x) * gap(x, x.w))


def eq29_with(x, distance, sigma_sq, C3, share=1):
    """(29) with `C3` for the constant of its last term: the right side of (28) against a `share` of that of (29)."""
    middle = x.eta_tilde**2 / x.beta * 768 * kappa_F(x) * x.L_F * distance
    bound_29 = x.eta_tilde * C1(x) + middle + x.eta_tilde**3 / x.beta**2 * C3(x, sigma_sq)
    return le(bound_28(x, distance, sigma_sq), share * bound_29)


TIGHT_29 = (
    "at eta_tilde = beta/(2 L_F) both sides are equal with the right constant, so nine tenths of it are too little"
)


@claim(
    "pfedme/eq29",
    world=DerivedPoints(ENVELOPE, **AT_A_POINT, sizes={"d": (1,)}, **CLIENTS, **ROUND, given=(STEP_TILDE_LEMMA_5,)),
    control=Control(TIGHT_29, lambda x: eq29_with(x, gap(x, x.w), sigma_F1_sq(x), C3_kept, x.ratio(9, 10))),
    repair="pfedme/eq29~repaired",
    step=True,
    note="The last term of (28) is 256 L_F kappa_F (...)/R; (29) has 256 kappa_F (...)/R, which is less for L_F > 1.",
)
def eq29(x):
    return eq29_with(x, gap(x, x.w), sigma_F1_sq(x), C3)


@claim(
    "pfedme/eq29~repaired",
    world=DerivedScalars(
        ENVELOPE,
        given=(STEP_TILDE_LEMMA_5,),
        **CLIENTS,
        **ROUND,
        distance=at_least(0, VALUE),
        sigma_sq=at_least(0, GRADIENT**2),
    ),
    control=Control(TIGHT_29, share="9/10"),
    step=True,
    note="The last term keeps its L_F.",
)
def eq29_repaired(x, share=1):
    return eq29_with(x, x.distance, x.sigma_sq, C3_kept, share)


def eq30_a_with(x, times):
    """(30), first inequality, for a round `times` as fast."""
    w, sigma_sq = x.state, sigma_F1_sq(x)
    after = x.E(lambda h: distance_sq(x, h.states[1]))
    bound = (
        keep(x, times) * distance_sq(x, w)
        - x.eta_tilde * bracket(x) * gap(x, w.w)
        + x.eta_tilde * C1(x)
        + x.eta_tilde**2 * C2(x, sigma_sq)
        + x.eta_tilde**3 / x.beta**2 * C3(x, sigma_sq)
    )
    return le(after, bound)


FOUR_TIMES_AS_FAST = Control(
    "one exact gradient step on a quadratic of curvature mu_F contracts by (1 - eta_tilde mu_F)^2, not four times as fast",
    times=4,
)


@claim(
    "pfedme/eq30-a",
    world=far_rounds(1),
    control=FOUR_TIMES_AS_FAST,
    repair="pfedme/eq30-a~repaired",
    uses=("pfedme/lemma3~repaired", "pfedme/eq25", "pfedme/eq29"),
    step=True,
    note="What is substituted is (29), not (28). Under Assumption 1(a), (31) and beta >= 1; the braces are read as they "
    "stand, with their powers of the step. The third has lost the L_F of (28); searched with exact inner solutions and "
    "S = N, where the other two vanish.",
)
def eq30_a(x, times=1):
    return eq30_a_with(x, times)


ANY_NUMBERS = DerivedScalars(
    ENVELOPE,
    given=(EQ_31, SAMPLED),
    **CLIENTS,
    **ROUND,
    N=at_least(2),
    **symbols("S"),
    distance=at_least(0, VALUE),
    Delta=at_least(0, LENGTH**2),
    sigma_sq=at_least(0, GRADIENT**2),
)


def eq30_b_with(x, c1, c2, c3, share):
    """(30), second inequality, with the constants as given and `share` of the distance in function value kept."""
    start, step = keep(x) * x.Delta, x.eta_tilde
    braces = C1_brace(x) + C2_brace(x, x.sigma_sq) + C3_brace(x, x.sigma_sq)
    return le(
        start - step * bracket(x) * x.distance + braces,
        start - share * step * x.distance + step * c1 + step**2 * c2 + step**3 / x.beta**2 * c3,
    )


TOO_MUCH_KEPT = Control(
    "with S = 1 and equality in (31) the bracket is exactly 1, so 11/10 of the distance is too much", share="11/10"
)


@claim(
    "pfedme/eq30-b",
    world=ANY_NUMBERS,
    control=TOO_MUCH_KEPT,
    uses=("pfedme/eq30-a", "pfedme/thm1-proof-s3", "pfedme/thm1-proof-s4-a", "pfedme/thm1-proof-s4-b"),
    step=True,
    note="Read with C_1, C_2, C_3 without the powers of the step in their braces, which are misprinted definitions; with them "
    "the line is false, eq30-b@literal. This line multiplies eta_tilde, eta_tilde^2 and eta_tilde^3/beta^2 in.",
)
def eq30_b(x, share=1):
    return eq30_b_with(x, C1(x), C2(x, x.sigma_sq), C3(x, x.sigma_sq), share)


@claim(
    "pfedme/eq30-b@literal",
    world=ANY_NUMBERS,
    control=TOO_MUCH_KEPT,
    repair="pfedme/eq30-b",
    step=True,
    note="C_1, C_2, C_3 as braced, with the powers of eta_tilde, which this line multiplies in once more.",
)
def eq30_b_literal(x, share=1):
    return eq30_b_with(x, C1_brace(x), C2_brace(x, x.sigma_sq), C3_brace(x, x.sigma_sq), share)
