"""What the theorems of FedADMM need, for `fedtheory constants` and for curves: constants, conditions, explicit rates."""

from __future__ import annotations

from fractions import Fraction

from ...catalogue import Bound, Catalogue, Constant, Theorem
from .conditions import CONDITIONS, CONTRACTS, SELECTED, THEOREM_4_1
from .constants import (
    decrease,
    eps_weight,
    error_target,
    inner_steps,
    mean_move,
    penalty,
    sigma_least,
    start_gap,
    varrho,
)
from .symbols import symbols

MOVES = Bound(
    "moves", "mean over j < k of sigma/2 |w^{tau_{j+1}} - w^{tau_j}|^2 + c/4 sum_i |w_i^{j+1} - w_i^j|^2",
    "Lemma 4.1, (7.20)", mean_move, "(L_tilde^0 - f*)/k", THEOREM_4_1,
)  # fmt: skip

CATALOGUE = Catalogue(
    symbols=symbols,
    names=("m", "alpha", "r", "sigma", "nu", "S", "s0", "s", "gap", "eps", "dist_sq", "d", "n", "sigma0", "k0", "gap_f",),
    constants=(
        Constant("least sigma_i", "Theorem 4.1", sigma_least),
        Constant("c of the client", "Lemma 4.1, (4.4)", decrease),
        Constant("weight of eps_i", "Lemma 4.1, (4.4)", eps_weight),
        Constant("probability of a selection in s0 rounds", "Remark 4.1", lambda x: 1 - (1 - x.S / x.m) ** int(x.s0)),
        Constant("largest varrho", "Theorem 3.1", varrho),
        Constant("kappa before its bracket", "Theorem 3.1, (3.13)", inner_steps),
        Constant("largest Error at the stop", "(5.1)", error_target),
    ),
    conditions=CONDITIONS,
    derived={"alpha": lambda x: 1 / x.m, "s": lambda x: 0, "sigma": penalty, "gap": start_gap},
    bounds=(MOVES,),
    settings={"sigma0": Fraction(1, 5), "nu": Fraction(19, 20), "k0": 10, "m": 64, "S": 32},
    setting="Sections 5.2 and 5.4 a)",
    most={"S": lambda x: x.m},
    stands_for={"sigma0": "sigma"},
    theorems=(
        Theorem("Theorem 3.1", (CONTRACTS,)),
        Theorem("Theorem 4.1", (*THEOREM_4_1, SELECTED), bounds=(MOVES,)),
    ),
    tuned=("sigma0", "sigma", "nu", "S"),
)  # fmt: skip
