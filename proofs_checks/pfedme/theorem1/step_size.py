"""Step-size conditions in the proof of Theorem 1: (31), what it implies and what it is for (Section A.4.3)."""

from fedtheory import Control, claim, le
from fedtheory.theory.pfedme.constants import eta1_hat
from fedtheory.theory.pfedme.theorem1 import bracket as overbrace
from fedtheory.theory.pfedme.theorem1 import sampling
from fedtheory.units import CURVATURE, STEP
from problems import Scalars, at_least, condition, positive

L_ABOVE_MU = condition("L_F >= mu_F", lambda x: le(x.mu_F, x.L_F))
EQ_31 = condition("(31)", lambda x: le(x.eta_tilde, eta1_hat(x)))
S_UP_TO_N = condition("S <= N", lambda x: le(x.S, x.N))
CURVATURES = {"L_F": positive(CURVATURE), "mu_F": positive(CURVATURE), "beta": at_least(1)}
CLIENTS = {"N": at_least(2), "S": at_least(1)}
THEOREM_1 = Scalars(**CURVATURES, given=(L_ABOVE_MU,))
UNDER_31 = Scalars(**CURVATURES, eta_tilde=positive(STEP), given=(L_ABOVE_MU, EQ_31))


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


def both(x, lemma5, eq26):
    """eta_tilde <= eta1_hat <= both limits."""
    return le(x.eta_tilde, eta1_hat(x)), le(eta1_hat(x), lemma5), le(eta1_hat(x), eq26)


@claim(
    "pfedme/cond-eta1",
    world=UNDER_31,
    control=Control(
        "for kappa_F = 1 and large beta eta1_hat is 1/(18 mu_F), above 1/(20 mu_F)",
        lambda x: both(x, x.beta / (2 * x.L_F), 1 / (20 * x.mu_F)),
    ),
    uses=("pfedme/cond-eta1-a", "pfedme/cond-eta1-b"),
    step=True,
)
def cond_eta1(x):
    return both(x, x.beta / (2 * x.L_F), 2 / x.mu_F)


@claim(
    "pfedme/thm1-proof-s1",
    world=Scalars(
        mu_F=positive(CURVATURE), eta_tilde=positive(STEP),
        given=(condition("eta_tilde <= 2/mu_F", lambda x: le(x.eta_tilde, 2 / x.mu_F)),),
    ),
    control=Control(
        "at eta_tilde = 2/mu_F the left side is 8/mu_F, above 7/mu_F",
        lambda x: le(3 * x.eta_tilde + 2 / x.mu_F, 7 / x.mu_F),
    ),
    step=True,
)  # fmt: skip
def thm1_proof_s1(x):
    return le(3 * x.eta_tilde + 2 / x.mu_F, 8 / x.mu_F)


@claim(
    "pfedme/thm1-proof-s3",
    world=Scalars(**CLIENTS, given=(S_UP_TO_N,)),
    control=Control("S = 1 makes the quotient 1, so nine tenths are too little", lambda x: le(10 * sampling(x), 9)),
    step=True,
    note="For real N >= 2 and 1 <= S <= N; N = 1 makes it 0/0.",
)
def thm1_proof_s3(x):
    return le(sampling(x), 1)


def bracket(x, three=3):
    """2 - 6 eta_tilde L_F (3 + 128 kappa_F/beta)."""
    return 2 - 6 * x.eta_tilde * x.L_F * (three + 128 * (x.L_F / x.mu_F) / x.beta)


@claim(
    "pfedme/thm1-proof-s4-a",
    world=Scalars(**CURVATURES, **CLIENTS, eta_tilde=positive(STEP), given=(L_ABOVE_MU, EQ_31, S_UP_TO_N)),
    control=Control(
        "S = 1 makes both sides equal, so 29/10 in place of 3 is too little",
        lambda x: le(bracket(x, (0 * x.N + 29) / 10), overbrace(x)),
    ),
    uses=("pfedme/thm1-proof-s3",),
    step=True,
    note="For real N >= 2 and 1 <= S <= N.",
)
def thm1_proof_s4_a(x):
    return le(bracket(x), overbrace(x))


@claim(
    "pfedme/thm1-proof-s4-b",
    world=UNDER_31,
    control=Control(
        "at equality in (31) the bracket is exactly 1, so 11/10 is too much",
        lambda x: le(11, 10 * bracket(x)),
    ),
    step=True,
)
def thm1_proof_s4_b(x):
    return le(1, bracket(x))
