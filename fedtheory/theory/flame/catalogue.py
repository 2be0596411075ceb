"""What the theorems of FLAME need, for `fedtheory constants` and for curves: constants, conditions, explicit rates."""

from __future__ import annotations

from fractions import Fraction

from ...catalogue import Bound, Catalogue, Constant, Theorem
from .conditions import CONDITIONS, LAM_2L, LEMMA_1, LEMMA_1_REPAIRED, PROPOSITION_3, THEOREM_2
from .constants import c1, c2, c3, c4, descent_coefficient, eps_coefficient, theorem2
from .symbols import symbols

STATIONARITY = Bound(
    "stationarity", "1/(mT) sum of |grad L(P^t)|^2", "Theorem 2 1), (51)", theorem2,
    "c_2 (L^0 - F*)/(s T c_1) + c_3 eps_max", THEOREM_2, (PROPOSITION_3,),
)  # fmt: skip

CATALOGUE = Catalogue(
    symbols=symbols,
    names=("m", "alpha", "L", "lam", "rho", "S", "gap", "target", "eps", "gamma", "mu",),
    constants=(
        Constant("c_0", "Theorem 2", eps_coefficient),
        Constant("c_1", "Theorem 2", c1),
        Constant("c_2", "Theorem 2", c2),
        Constant("c_3", "Theorem 2", c3),
        Constant("c_4", "Theorem 2", c4),
        Constant("coefficient of the moves in (16)", "Lemma 1", descent_coefficient),
        Constant("1/(2 alpha^2 (L^2 + lam^2))", "Theorem 1, (14)", lambda x: 1 / (2 * x.alpha**2 * (x.L**2 + x.lam**2))),
        Constant("1/mu^2", "Theorem 1, (14)", lambda x: 1 / x.mu**2),
        Constant("rounds for the target", "Theorem 2 1), (19)", lambda x: c2(x) * x.gap / (
            x.S * c1(x) * (x.target - (2 + c2(x) * eps_coefficient(x) / c1(x)) * x.eps))),
    ),
    conditions=CONDITIONS,
    derived={"alpha": lambda x: 1 / x.m},
    bounds=(STATIONARITY,),
    settings={"lam": 5, "rho": Fraction(1, 100), "m": 50},
    setting="Section 5.2.1",
    exact={"eps": 0},
    most={"S": lambda x: x.m},
    theorems=(
        Theorem("Proposition 1, non-convex", (LAM_2L,)),
        Theorem("Lemma 1", LEMMA_1, (PROPOSITION_3,)),
        Theorem("Lemma 1, repaired, with descent", LEMMA_1_REPAIRED),
        Theorem("Theorem 2", THEOREM_2, (PROPOSITION_3,), (STATIONARITY,)),
    ),
    tuned=("rho", "lam", "S"),
)  # fmt: skip
