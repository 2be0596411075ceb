"""The explicit bounds of Theorems 1 and 2, and where legal settings are sought."""

from __future__ import annotations

from dataclasses import replace

from fedtheory.rates.record import EXPONENTIAL, POWER, Rate
from fedtheory.theory.pfedme.catalogue import CATALOGUE
from fedtheory.theory.pfedme.conditions import LEAST_T, THEOREM_1, THEOREM_2

from .theorem1 import tightest as first
from .theorem2 import tightest as second

RATE_1 = "mu_F Delta_0 e^{-eta_tilde mu_F T/2} + eta_tilde^2/beta^2 C_3 + eta_tilde C_2 + C_1"
TWO = "two quadratics of one variable with curvatures 1 and `ratio` and minima at -`apart` and `apart`, w_0 = w* + 1, S = N = 2"
FAR = "with delta = 0 and S = N the terms in C_1 and C_2 are 0. The statement hides constants; this is its last explicit inequality"
ORDERS = "is an order in the constants that the statement hides, so that no curve is its own"
FALL = "e^{-eta_tilde mu_F T/2}"
ALIKE = (
    "two equal Huber functions of one variable, curvature L, knee 1, started `far` knees of the envelope away, "
    "S = N = 2, R = beta = 1"
)
RATE_2 = "2 (Delta_F/(eta_tilde T) + eta_tilde^2/beta^2 C_4 + eta_tilde C_5 + C_6)"
STILL = "sigma_f = delta = 0, so that C_4 to C_6 are 0"
ANY = "clients that are alike, any L-smooth function that is bounded below; F(w_0) - F(w_T) in place of Delta_F, R = 1"
ONE_OF = Rate(
    "theorem1a",
    "Theorem 1 (a), (35)",
    "repaired",
    "F(w_bar_T) - F*",
    f"{RATE_1}, L_F C_3 for C_3",
    "E",
    ("pfedme/eq35~repaired",),
    FALL,
    EXPONENTIAL,
    (*THEOREM_1, LEAST_T),
    first.AXES_1,
    TWO,
    first.theorem1,
    first.play_a,
    f"{FAR}. Corollary 1 {ORDERS}; as claims it is `pfedme/cor1a` and `pfedme/cor1b`",
    derived=CATALOGUE.derived,
    aim="anywhere",
)
STATIONARY = Rate(
    "theorem2a",
    "Theorem 2 (a), twice (44)",
    "repaired",
    "mean over t < T of |grad F(w_t)|^2",
    f"{RATE_2}, L_F^2 C_4 for C_4, 2 sigma_{{F,2}}^2 in C_4 and C_5",
    "(E/M)^2",
    ("pfedme/eq44~repaired",),
    "1/T",
    POWER,
    THEOREM_2,
    second.AXES_2,
    ALIKE,
    second.theorem2,
    second.play_2,
    f"{STILL}. Corollary 2 {ORDERS}; as a claim it is `pfedme/cor2`",
    second.descent,
    ANY,
    derived=CATALOGUE.derived,
)
RESTS = "a round leaves w_0 exactly (checked on Fractions), so that the curve is level at every T"
RATES = (
    replace(
        ONE_OF,
        id="theorem1a-printed",
        kind="as printed",
        printed=RATE_1,
        claims=("pfedme/eq35",),
        axes=first.AXES_REST,
        clients="two quadratics of one variable, curvatures 10 lam and 10 lam `ratio`, minima at -1 and 1, S = N = 2",
        constants=lambda s: first.at_rest(s)[1],
        play=first.play_rest,
        remark=f"{RESTS}; C_3 has lost a factor L_F = lam, which shows where lam is large",
    ),
    ONE_OF,
    replace(
        ONE_OF,
        id="theorem1a-diabetes",
        kind="repaired, linear regression on diabetes",
        axes=first.AXES_DATA,
        clients="442 samples of diabetes, standardised, l2 = 1, five clients, iid, from w_0 = 0, R = 1, S = N",
        constants=first.on_data,
        play=first.play_data,
        remark="constants measured; `fedtheory run pfedme --data diabetes` in the README is such a run",
    ),
    replace(
        ONE_OF,
        id="theorem1-distance",
        theorem="Theorem 1, end of A.4",
        left="|w_T - w*|^2",
        printed=f"2/mu_F ({RATE_1}), L_F C_3 for C_3",
        unit="M^2",
        claims=("pfedme/thm1b-proof-s3-a~repaired",),
        remark=FAR,
        play=first.play_distance,
    ),
    replace(
        ONE_OF,
        id="theorem1b",
        theorem="Theorem 1 (b), with its constants",
        left="mean of |theta_tilde_i(w_T) - w*|^2",
        printed=f"9 times 2/mu_F ({RATE_1}) + 6 sigma_{{F,1}}^2/lam^2 + 3 delta^2, L_F C_3 for C_3",
        unit="M^2",
        claims=("pfedme/thm1b@every-T",),
        promise=f"{FALL} to a level",
        remark=FAR,
        play=first.play_b,
    ),
    replace(
        STATIONARY,
        id="theorem2a-printed",
        kind="as printed",
        printed=RATE_2,
        claims=("pfedme/eq44",),
        axes=second.AXES_REST_2,
        clients="one of slope 1 that bends with curvature lam/4 below w_0, and one of slope -b, b just below 1, S = N = 2",
        constants=second.rest2,
        play=second.play_rest2,
        remark=f"{RESTS}; C_4 has lost a factor L_F^2 = lam^2, which shows where lam is large",
        program=None,
    ),
    STATIONARY,
    replace(
        STATIONARY,
        id="theorem2b",
        theorem="Theorem 2 (b), (45) with (44)",
        left="mean over i, t < T of |theta_tilde_i(w_t) - w_t|^2",
        printed=f"2/(lam^2 - 8 L^2) {RATE_2} + 2 delta^2 + 4 sigma_{{F,2}}^2/lam^2, (44) repaired",
        unit="M^2",
        claims=("pfedme/thm2b-proof-s2~repaired", "pfedme/eq44~repaired"),
        play=second.play_2b,
        remark=f"{STILL}. The statement of (b) hides constants; this is its last explicit inequality",
        program=None,
    ),
)
