"""Step-size conditions in the proof of Theorem 1: (31) and what it implies (Section A.4.3)."""

from fedtheory import Control, claim, le
from fedtheory.theory.pfedme import eta1_hat
from fedtheory.units import CURVATURE, STEP
from problems import Scalars, at_least, condition, positive

L_ABOVE_MU = condition("L_F >= mu_F", lambda x: le(x.mu_F, x.L_F))
THEOREM_1 = Scalars(L_F=positive(CURVATURE), mu_F=positive(CURVATURE), beta=at_least(1), given=(L_ABOVE_MU,))


@claim(
    "pfedme/cond-eta1-a",
    world=THEOREM_1,
    control=Control(
        "for kappa_F = 1 and large beta eta1_hat is 1/(18 L_F), above 1/(20 L_F)",
        lambda x: le(eta1_hat(x), 1 / (20 * x.L_F)),
    ),
    step=True,
)
def cond_eta1_a(x):
    return le(eta1_hat(x), x.beta / (2 * x.L_F))


@claim(
    "pfedme/cond-eta1-b",
    world=THEOREM_1,
    control=Control(
        "for kappa_F = 1 and large beta eta1_hat is 1/(18 mu_F), above 1/(20 mu_F)",
        lambda x: le(eta1_hat(x), 1 / (20 * x.mu_F)),
    ),
    step=True,
)
def cond_eta1_b(x):
    return le(eta1_hat(x), 2 / x.mu_F)


def bracket(x):
    """2 - 6 eta_tilde L_F (3 + 128 kappa_F/beta)."""
    return 2 - 6 * x.eta_tilde * x.L_F * (3 + 128 * (x.L_F / x.mu_F) / x.beta)


@claim(
    "pfedme/thm1-proof-s4-b",
    world=Scalars(
        L_F=positive(CURVATURE),
        mu_F=positive(CURVATURE),
        beta=at_least(1),
        eta_tilde=positive(STEP),
        given=(L_ABOVE_MU, condition("(31)", lambda x: le(x.eta_tilde, eta1_hat(x)))),
    ),
    control=Control(
        "at equality in (31) the bracket is exactly 1, so 11/10 is too much",
        lambda x: le(11, 10 * bracket(x)),
    ),
    step=True,
)
def thm1_proof_s4_b(x):
    return le(1, bracket(x))
