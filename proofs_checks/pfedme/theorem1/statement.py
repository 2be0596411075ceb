"""Theorem 1 as Section 4 states it: (a) the rate of the averaged iterate, (b) the personalised models.

A rate is read as an inequality with an absolute constant, and O~ with a power of a logarithm as well, as in `rates`.
"""

from fedtheory import Control, claim, le, use
from fedtheory.theory.pfedme.conditions import EQ_31, LEAST_T, SAMPLED
from fedtheory.theory.pfedme.constants import eta1_hat, floor, gap, kappa_F, sampling, sigma_F1_sq
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem1 import (
    C1,
    C2,
    C3_kept,
    bound_models,
    distance_sq,
    initial,
    last_term,
    second_term,
    third_term,
)
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, VALUE
from problems import Scalars, at_least, condition, positive
from problems.worlds.derived import DerivedScalars, formula

from ..worlds.two_clients import SOLVED_EXACTLY
from .along_runs import right_35
from .rates import FOUR_TERMS, four_terms
from .worlds import ANY_SELECTION, ENVELOPE, ETA_LARGEST, L_BY_SPREAD, MU_FAR_OUT, NEARBY_SCALARS, long_run

# (a)


def lowest(x):
    """A lower bound on F(w_bar_T) - F(w*) at every step eta_tilde <= eta1_hat, for two clients and R = 2.

    The envelopes have the slopes h_1 = 3 mu/4 and h_2 = mu/2 (f_i'' = 3 mu and mu, lam = mu) and the gradients s and -s at
    w* = 0; delta = 0, S = N. A round is w -> a w + b with a = 1 - beta (1 - mean (1 - eta h_i)^2) and
    b = beta eta^2 s (h_1 - h_2)/2, so that w_t stays between w_0 >= s/mu and its limit v >= eta s (h_1 - h_2)/(4 h),
    h = (h_1 + h_2)/2. Either 2 eta beta h T <= 1/2, and w_t >= (1 - 2 eta beta h)^T w_0 >= w_0/2; or eta is larger, and
    w_t >= v >= s (h_1 - h_2)/(16 h^2 beta T). Any mean of the w_t obeys the same bounds.
    """
    h, difference = 5 * x.mu / 8, x.mu / 4
    return h / 2 * x.minimum(x.w0 / 2, x.s * difference / (16 * h**2 * x.beta * x.T)) ** 2


FAR_ENOUGH = condition("w_0 >= s/mu", lambda x: le(x.s, x.mu * x.w0))


@claim(
    "pfedme/thm1a-b",
    world=DerivedScalars(
        {**MU_FAR_OUT, "lam": formula("mu", lambda x: x.mu), **ENVELOPE, **SOLVED_EXACTLY},
        given=(LEAST_T, FAR_ENOUGH),
        sizes={"T": (8192,), "R": (2,)},
        mu_0=positive(CURVATURE),
        s=positive(GRADIENT),
        w0=positive(LENGTH),
        **symbols("beta"),
    ),
    control=Control(
        "without its third term the right side is exponentially small in T, and the left one is not", third=0
    ),
    repair="pfedme/thm1a-b~repaired",
    uses=("pfedme/thm1-proof-s15", "pfedme/thm1-proof-s16-b@step"),
    note="The third term lacks a factor L_F: in units of E/M^2 it is a squared length, not a value. Two clients for which "
    "the left side is bounded from below at every admissible step; it grows like mu_F times the third term, so that no "
    "constant helps. The constant is 10^6, with the square of a logarithm.",
)
def thm1a_b(x, third=1):
    logarithm = 1 + x.log(x.T * x.beta * kappa_F(x) * (1 + x.mu_F**2 * x.w0**2 / x.s**2))
    terms = initial(x, eta1_hat(x), x.w0**2, x.T) + third * logarithm**2 * third_term(x, x.s**2)
    return le(lowest(x), 10**6 * terms)


@claim(
    "pfedme/thm1a-b@numbers",
    world=FOUR_TERMS,
    control=Control("the last term alone is 16 lam^2 delta^2/mu_F on the left", constant=15),
    step=True,
    note="Arithmetic of the last step of (a): the right side of (35), with the C_3 that has L_F, against the four terms, the third "
    "times L_F; constant 4000, logarithms ell and ell^2, N >= 2. At the step 2 ell/(mu_F T), and with 2 C_2/(mu_F T) of the "
    "first case and `first`, the first term, of the second for the initial error: (35) grows with both, and neither case has more.",
)
def thm1a_b_numbers(x, constant=4000):
    c2 = C2(x, x.sigma_sq)
    start, step = x.first + 2 * c2 / (x.mu_F * x.T), 2 * x.ell / (x.mu_F * x.T)
    left = start + floor(x, step, C3_kept(x, x.sigma_sq), c2, C1(x))
    return le(left, constant * four_terms(x, x.L_F * third_term(x, x.sigma_sq)))


@claim(
    "pfedme/thm1a-b@eta",
    world=long_run(ETA_LARGEST, (EQ_31, LEAST_T), {**L_BY_SPREAD, **SOLVED_EXACTLY}, rounds=256, **NEARBY_SCALARS),
    control=Control(
        "in the mean of nearly equal weights w_0 keeps a part 1/(eta_tilde mu_F T), and e^{-eta_tilde mu_F T/2} is less",
        share="1/2",
    ),
    repair="pfedme/thm1-proof-s15~repaired",
    note="At the proof's step eta_tilde = eta1_hat. w_bar_T with the weights that the statement prints, (1 - eta "
    "mu_F/2)^{-(t+1)} with the local step eta: they are nearly equal, and w_0 leaves a part 1/T of itself in the mean. "
    "C_3 with the L_F of (28).",
)
def thm1a_b_eta(x, share=1):
    right = share * right_35(x, C3_kept)  # first, as in `along_runs`
    weights = [1 / (1 - x.eta * x.mu_F / 2) ** (t + 1) for t in range(x.T)]
    total = sum(weights)
    return le(x.E(lambda h: gap(x, sum(s.w * a for s, a in zip(h.states, weights, strict=False)) / total)), right)


# (b): sigma_{F,1}^2/lam^2 + delta^2 holds what the drift does, so that the third term of (a) is not needed


@claim(
    "pfedme/thm1b@long-runs",
    world=long_run(ETA_LARGEST, (EQ_31, LEAST_T), L_BY_SPREAD, sizes=ANY_SELECTION, **NEARBY_SCALARS),
    control=Control(
        "where the method rests with errors that point away from w*, which are aligned with theta_hat_i - w*, the squares of "
        "their sums are more than the sums of their squares",
        constant=1,
    ),
    uses=("pfedme/thm1b",),
    note="How small the constant can be, on runs of 48 rounds of quadratic clients on a line, lam < mu/4 and beta >= 1000, any of "
    "them sampled, at the proof's step eta1_hat: 2 without logarithms, since at w_T = w* the models are sigma_{F,1}/lam + delta "
    "away, 2 at most, and 1 is refuted.",
)
def thm1b_long_runs(x, constant=2):
    sigma_sq = sigma_F1_sq(x)
    start = initial(x, eta1_hat(x), distance_sq(x, x.state), x.T)
    terms = start + second_term(x, sigma_sq, x.S) + third_term(x, sigma_sq) + last_term(x)
    right = constant * (terms / x.mu_F + sigma_sq / x.lam**2 + x.delta**2)
    theta_tilde = x.expected(lambda last: x.mean(x.sq(x.f.prox(last.w, x.lam) + x.error[0] - x.w_star)))[-1]
    return le(theta_tilde, right)


# any step of at most 2 ell/(mu_F T), as both choices are; mu_F Delta_0 e^{-eta' mu_F T/2} is 2 C_2/(mu_F T) at most in the
# first case, and the first term in the second
ANY_STEP = {
    **FOUR_TERMS.scalars,
    **symbols("eta_tilde"),
    "start": at_least(0, VALUE),
    "third": at_least(0, VALUE),
}
AT_MOST = condition("eta_tilde <= 2 ell/(mu_F T), in both cases", lambda x: le(x.eta_tilde * x.mu_F * x.T, 2 * x.ell))
SMALL_DRIFT = condition(
    "768 eta_tilde L_F kappa_F <= beta, from (31)", lambda x: le(768 * x.eta_tilde * x.lam**2, x.beta * x.mu_F)
)
OF_THE_PROOF = (
    *FOUR_TERMS.given,
    AT_MOST,
    condition(
        "start <= first + 2 C_2/(mu_F T), in both cases",
        lambda x: le(x.start, x.first + 2 * C2(x, x.sigma_sq) / (x.mu_F * x.T)),
    ),
    SMALL_DRIFT,
)


def bound_34(x):
    """2/mu_F times (35) with the C_3 that holds, and `start` for its initial error."""
    return 2 / x.mu_F * (x.start + floor(x, x.eta_tilde, C3_kept(x, x.sigma_sq), C2(x, x.sigma_sq), C1(x)))


def models(x, constant, distance):
    """The last inequality of the proof of (b), with `distance` for E|w_T - w*|^2."""
    terms = four_terms(x, x.third) / x.mu_F + x.sigma_sq / x.lam**2 + x.delta**2
    return le(bound_models(x, distance, x.sigma_sq), constant * terms)


@claim(
    "pfedme/thm1b@sampling",
    world=Scalars(N=at_least(2), **symbols("S"), given=(SAMPLED,)),
    control=Control("for N = 2 both sides are equal", share="9/10"),
    step=True,
)
def thm1b_sampling(x, share=1):
    return le(sampling(x), share * 2 * (x.N / x.S - 1) / x.N)


@claim(
    "pfedme/thm1b@step",
    world=Scalars(
        **symbols("eta_tilde", "mu_F", "T"),
        ell=at_least(1),
        linear=at_least(0, GRADIENT**2),
        start=at_least(0, VALUE),
        first=at_least(0, VALUE),
        given=(
            AT_MOST,
            condition(
                "start <= first + 2 linear/(mu_F T)", lambda x: le(x.start, x.first + 2 * x.linear / (x.mu_F * x.T))
            ),
        ),
    ),
    control=Control("for ell = 1 both sides are equal", share="9/10"),
    step=True,
)
def thm1b_step(x, share=1):
    return le(x.start + x.eta_tilde * x.linear, share * (x.first + 4 * x.ell * x.linear / (x.mu_F * x.T)))


def drift_34(x, squares):
    """eta_tilde^2/beta^2 C_3 with L_F, for `squares` in place of 3 sigma_{F,1}^2 + delta^2 lam^2/R."""
    return x.eta_tilde**2 / x.beta**2 * 256 * x.lam**2 / x.mu_F * squares


@claim(
    "pfedme/thm1b@drift",
    world=Scalars(
        **symbols("eta_tilde", "lam", "mu_F", "beta"), squares=at_least(0, GRADIENT**2), given=(SMALL_DRIFT,)
    ),
    control=Control("at the limit of the step both sides are equal", share="9/10"),
    step=True,
)
def thm1b_drift(x, share=1):
    return le(drift_34(x, x.squares), share * x.mu_F * x.squares / (2304 * x.lam**2))


TERMS = {
    **{name: at_least(0, VALUE) for name in ("begun", "drift", "first", "chosen", "second", "third", "last")},
    **{name: at_least(0, LENGTH**2) for name in ("spread", "error")},
}


@claim(
    "pfedme/thm1b@terms",
    world=Scalars(
        **symbols("mu_F"),
        **TERMS,
        given=(
            condition("begun <= first + chosen", lambda x: le(x.begun, x.first + x.chosen)),
            condition("chosen <= 48 second", lambda x: le(x.chosen, 48 * x.second)),
            condition(
                "drift <= mu_F (3 spread + error)/2304", lambda x: le(x.drift, x.mu_F * (3 * x.spread + x.error) / 2304)
            ),
        ),
    ),
    control=Control("without the other terms they are 6 spread and 1000 spread", constant=5),
    step=True,
    note="`spread` is sigma_{F,1}^2/lam^2, and `error` delta^2.",
)
def thm1b_terms(x, constant=1000):
    left = 18 / x.mu_F * (x.begun + x.drift + 16 * x.last) + 6 * x.spread + 3 * x.error
    return le(left, constant * ((x.first + x.second + x.third + x.last) / x.mu_F + x.spread + x.error))


def linear(x):
    """C_2."""
    return C2(x, x.sigma_sq)


def squares(x):
    """3 sigma_{F,1}^2 + delta^2 lam^2/R."""
    return 3 * x.sigma_sq + x.delta**2 * x.lam**2 / x.R


AT_TERMS = {
    "begun": lambda x: x.start + x.eta_tilde * linear(x),
    "drift": lambda x: drift_34(x, squares(x)),
    "chosen": lambda x: 4 * x.ell * linear(x) / (x.mu_F * x.T),
    "second": lambda x: x.ell * second_term(x, x.sigma_sq, x.S),
    "third": lambda x: x.ell**2 * x.third,
    "last": last_term,
    "spread": lambda x: x.sigma_sq / x.lam**2,
    "error": lambda x: x.delta**2,
}
ONE_OF_SIX = Control(
    "at w_T = w* there are 6 sigma_{F,1}^2/lam^2 on the left, and one on the right", constant=2, away=0
)


@claim(
    "pfedme/thm1b@from-34",
    world=DerivedScalars(FOUR_TERMS.derived, **ANY_STEP, given=OF_THE_PROOF),
    by=(
        thm1b_sampling,
        use(thm1b_step, linear=linear),
        use(thm1b_drift, squares=squares),
        use(thm1b_terms, **AT_TERMS),
    ),
    control=ONE_OF_SIX,
    step=True,
    note="Arithmetic of the last inequality of the proof at the bound of (34), with the C_3 that has L_F: for any numbers `start` "
    "with these inequalities, with the constant 1000 and the logarithm ell. The third term is not needed, `third` is any number: "
    "sigma_{F,1}^2/lam^2 + delta^2 is more than what the drift does.",
)
def thm1b_from_34(x, constant=1000, away=1):
    return models(x, constant, away * bound_34(x))
