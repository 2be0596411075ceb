"""Theorem 1 (a) for every T, at the steps that its proof chooses: (35) and the four terms from it (end of Section A.4.3)."""

from fractions import Fraction

from fedtheory import Control, claim, eq, le, use
from fedtheory.theory.pfedme.conditions import EQ_31
from fedtheory.theory.pfedme.constants import floor
from fedtheory.theory.pfedme.theorem1 import C1, C2, C3_kept, third_term
from fedtheory.theory.pfedme.theorem1 import rate as both_cases
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, VALUE
from problems import Scalars, at_least, condition, positive

from .every_T import GIVEN, LONG_RUN, eq35_repaired
from .jensen import averaged
from .rates import four_terms, logarithmic_step
from .statement import AT_MOST, thm1a_b_numbers
from .weights import decay


@claim(
    "pfedme/thm1a@chain",
    world=Scalars(
        **{name: at_least(0) for name in ("left", "start", "more_start", "errors", "more_errors", "right")},
        given=(
            condition("left <= start + errors", lambda x: le(x.left, x.start + x.errors)),
            condition(
                "both with what is more <= right",
                lambda x: le(x.start + x.more_start + x.errors + x.more_errors, x.right),
            ),
        ),
    ),
    control=Control("both may hold with equality", share="1/2"),
    step=True,
)
def thm1a_chain(x, share=1):
    return le(x.left, share * x.right)


def start(x):
    """mu_F Delta_0 e^{-eta_tilde mu_F T/2}."""
    return x.mu_F * decay(x) * x.D[0]


def errors(x, step):
    """C_1 + step C_2 + step^2/beta^2 C_3, with the L_F of (28)."""
    return floor(x, step, C3_kept(x, x.sigma_sq), C2(x, x.sigma_sq), C1(x))


def at_the_end(x):
    """2 C_2/(mu_F T), the exponential at the logarithm."""
    return 2 * C2(x, x.sigma_sq) / (x.mu_F * x.T)


def rate(x):
    """4000 times the four terms, the third with L_F."""
    return 4000 * four_terms(x.at(first=x.term_1), x.L_F * third_term(x, x.sigma_sq))


@claim(
    "pfedme/thm1a@larger-step",
    world=Scalars(
        **{name: at_least(0) for name in ("step", "more", "square", "linear", "C1")},
        beta=positive(),
    ),
    control=Control("errors that are all C_1 are equal", share="1/2"),
    step=True,
)
def thm1a_larger_step(x, share=1):
    larger = floor(x, x.step + x.more, x.square, x.linear, x.C1)
    return le(floor(x, x.step, x.square, x.linear, x.C1), share * larger)


CHAIN = {
    "left": lambda x: x.J,
    "start": start,
    "more_start": lambda x: x.term_1 + at_the_end(x) - start(x),
    "errors": lambda x: errors(x, x.eta_tilde),
    "more_errors": lambda x: errors(x, logarithmic_step(x)) - errors(x, x.eta_tilde),
    "right": rate,
}
LARGER = {
    "step": lambda x: x.eta_tilde,
    "more": lambda x: logarithmic_step(x) - x.eta_tilde,
    "square": lambda x: C3_kept(x, x.sigma_sq),
    "linear": lambda x: C2(x, x.sigma_sq),
    "C1": C1,
}


INITIAL = condition(
    "mu_F Delta_0 e^{-eta_tilde mu_F T/2} <= term_1 + 2 C_2/(mu_F T)", lambda x: le(start(x), x.term_1 + at_the_end(x))
)


@claim(
    "pfedme/thm1-proof-s14-a@initial",
    world=Scalars(mu_F=positive(CURVATURE), T=positive(), Delta_0=positive(LENGTH**2), C2=positive(GRADIENT**2)),
    control=Control("where the logarithm is above 1 both sides are equal", share="1/2"),
    step=True,
    note="What `there exists an eta` needs in the first case: at eta' = 2 ell/(mu_F T), ell = max{ln(mu_F^2 Delta_0 T/(2 C_2)), "
    "1}, the initial error mu_F Delta_0 e^{-ell} is at most 2 C_2/(mu_F T). In the second, at eta1_hat, it is the first term.",
)
def thm1_proof_s14_a_initial(x, share=1):
    minus_ell = x.minimum(x.log(2 * x.C2 / (x.mu_F**2 * x.Delta_0 * x.T)), -1)
    return le(x.mu_F * x.Delta_0 * x.exp(minus_ell), share * 2 * x.C2 / (x.mu_F * x.T))


AT_THE_STEP = {**LONG_RUN, "ell": 2, "term_1": 1}


@claim(
    "pfedme/thm1a-b~repaired",
    world=averaged(
        given=(*GIVEN, AT_MOST, INITIAL),
        ell=at_least(1),
        term_1=at_least(0, VALUE),
        example=AT_THE_STEP,
    ),
    by=(
        eq35_repaired,
        use(thm1a_larger_step, **LARGER),
        use(thm1a_b_numbers, first=lambda x: x.term_1),
        use(thm1a_chain, **CHAIN),
    ),
    control=Control("errors that do not change reach lam^2 delta^2/mu_F, the fourth term", share="1/10000"),
    note="The third term times L_F. For every T, R, S, N and dimension: 4000 times the terms, with ell and ell^2 for logarithms. "
    "Both choices of the step meet the two conditions: eta' = 2 ell/(mu_F T) with any `term_1`, since e^{-ell} is at most "
    "2 C_2/(mu_F^2 Delta_0 T); eta1_hat <= eta' with the first term for it.",
)
def thm1a_b_repaired(x, share=1):
    return le(x.J, share * rate(x))


# the two cases, each at its step

AT_ELL = {  # mu_F = 15/16, eta_tilde = 1/32, in numbers that floats hold exactly
    **{"T": 72, "m": 2, "S": 2, "R": 1, "d": 1, "lam": 1, "mu": 15, "beta": 2**20},
    **{"eta": Fraction(1, 2**25), "delta": 1, "ell": Fraction(135, 128)},
}
LOGARITHMIC = condition("eta_tilde = 2 ell/(mu_F T)", lambda x: eq(x.eta_tilde * x.mu_F * x.T, 2 * x.ell))


@claim(
    "pfedme/thm1-proof-s14-a~repaired",
    world=averaged(
        given=(EQ_31, LOGARITHMIC, INITIAL),
        ell=at_least(1),
        term_1=at_least(0, VALUE),
        example={**AT_ELL, "term_1": 1},
    ),
    by=(eq35_repaired,),
    control=Control(
        "errors that do not change reach lam^2 delta^2/mu_F, of which the right side has 16 times", share="1/50"
    ),
    uses=("pfedme/thm1-proof-s13",),
    step=True,
    note="With the C_3 that has L_F. For every T, R, S, N and dimension. The step is eta' for "
    "ell = max{ln(mu_F^2 Delta_0 T/(2 C_2)), 1}; then `term_1` is 0, as the exponential is at most 2 C_2/(mu_F^2 Delta_0 T).",
)
def thm1_proof_s14_a_repaired(x, share=1):
    return le(x.J, share * (x.term_1 + at_the_end(x) + errors(x, x.eta_tilde)))


def second_case(x):
    """mu_F Delta_0 e^{-eta_tilde mu_F T/2} and the rate of both cases."""
    return start(x) + both_cases(x, x.ell, C3_kept(x, x.sigma_sq), C2(x, x.sigma_sq), C1(x))


@claim(
    "pfedme/thm1-proof-s15~repaired",
    world=averaged(given=(*GIVEN, AT_MOST), ell=at_least(1), example={**LONG_RUN, "ell": 2}),
    by=(eq35_repaired, use(thm1a_larger_step, **LARGER)),
    control=Control(
        "errors that do not change reach lam^2 delta^2/mu_F, of which the right side has 16 times", share="1/50"
    ),
    step=True,
    note="With the C_3 that has L_F, the constant 4 and the logarithms ell and ell^2, eta' = 2 ell/(mu_F T). At every step up to "
    "eta1_hat, so at eta1_hat; for every T, R, S, N and dimension. Where every client is sampled C_2 = 0, and the case holds with "
    "any ell >= eta1_hat mu_F T/2.",
)
def thm1_proof_s15_repaired(x, share=1):
    return le(x.J, share * second_case(x))
