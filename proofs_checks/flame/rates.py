"""Theorem 2 at its tightest (Section 4.4): quadratics of one variable, everyone selected, so that nothing is random.

With s = m every strategy has gamma_bar = 1 and c_4 = c_3.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from fedtheory import Control, claim, le
from fedtheory.algorithms.flame import FLAME, FLAMEDraws, FLAMEState
from fedtheory.catalogue import Parameters
from fedtheory.measure.curves import running_mean
from fedtheory.measure.observe import instance
from fedtheory.rates.record import POWER, Played, Rate, numbers, path, stacked
from fedtheory.theory.flame.catalogue import CATALOGUE
from fedtheory.theory.flame.conditions import THEOREM_2
from fedtheory.theory.flame.constants import lagrangian, lagrangian_gradient_sq, theorem2
from fedtheory.units import CURVATURE
from problems import Points, SmoothBoundedBelow, positive
from problems.exact.bowls import Bowls

from .theorem2.along_runs import gradient_in_theta_sq
from .theorem2.every_round import LAM_2L, RHO_5A
from .theorem2.every_T import constant

F = Fraction
LENGTH = 60  # rounds


def bowls(s: Any) -> Bowls:
    """Equal curvatures; minima `apart` to both sides of 0."""
    return Bowls((s["h"], s["h"]), (-s["apart"], s["apart"]))


def constants(s: Any) -> dict[str, Any]:
    half = F(1, 2)
    return {
        "m": 2,
        "S": 2,
        "alpha": half,
        "a_max": half,
        "L": s["h"],
        "lam": s["lam"],
        "rho": s["rho"],
        "eps": s.get("eps", F(0)),
    }


def run(s: Any, x: dict[str, Any], square: Any) -> tuple[np.ndarray, np.ndarray, float]:
    """(horizons, the mean over t < T of a square over m, L^0 - F*) from theta_i^0 = w_i^0 + `bent`, w_i^0 = 1."""
    exact, f = bowls(s), bowls(s).floats()
    method = FLAME(float(x["lam"]), float(x["rho"]), np.full(2, 0.5), S=2)
    W = np.ones((2, 1))
    states = stacked(list(path(method, f, method.init(f, W + float(s["bent"]), W), LENGTH)))
    y = instance(f, method)
    values = np.ravel(square(y, states)) / 2
    start = float(np.ravel(lagrangian(y, states))[0])
    return np.arange(1, LENGTH + 1), running_mean(values)[1:], start - float(exact.envelope(x["lam"]).least)


def playing(square: Any, right: Any) -> Any:
    """The mean over t < T of a square, under a bound that knows L^0 - F*."""

    def play(s: Any, x: dict[str, Any]) -> Played:
        T, left, gap = run(s, x, square)
        p = Parameters({k: float(v) for k, v in x.items()} | {"gap": gap}, CATALOGUE.derived)
        values = np.array([float(right(p, int(t))) for t in T])
        return Played(T, left, values, float(left[0]), 1.0)

    return play


def repaired_1(p: Any, T: int) -> Any:
    """c (gap/(s T) + 50 eps_max/(lam a_min)) with eps_max = 0."""
    return constant(p) * p.gap / (p.S * T)


def repaired_2(p: Any, T: int) -> Any:
    """10 lam a_max/gamma_bar gap/(s T) with gamma_bar = 1."""
    return 10 * p.lam * p.a_max * p.gap / (p.S * T)


def rounds_of(measure: Any, right: Any) -> Any:
    """Programs on T rounds of one client of any smooth function that is bounded below, with `right` over L^0 - L^T."""

    def program(s: Any, T: int) -> tuple[Any, dict[str, Any]]:
        world = Points(
            SmoothBoundedBelow("L"),
            at=(),
            clients_at=("Theta", "W"),
            sizes={"m": (1,), "d": (1, 2, 3)},
            **{name: positive(CURVATURE) for name in ("L", "lam", "rho")},
        )

        @claim("rates/rounds", world=world, control=Control("half", share=F(1, 2)))
        def body(x: Any, share: Any = 1) -> Any:
            y = x.at(alpha=np.array([F(1)], dtype=object), m=1, S=1, a_max=F(1))
            method = FLAME(x.lam, x.rho, F(1))
            Pi = (x.Theta - x.W) * x.lam
            Z = x.W + Pi / x.rho
            state, total = FLAMEState(x.Theta, x.W, Pi, Z, x.mean_vec(Z)), 0
            before = lagrangian(y, state)
            for _ in range(T):
                total = total + measure(y, state)
                state = method.step(x.f, state, FLAMEDraws(np.ones(1, dtype=bool), 0))
            return le(total / T, share * right(y) * (before - lagrangian(y, state)) / T)

        return body, {
            "L": s["h"] / 2,
            "lam": s["lam"] / 2,
            "rho": s["rho"],
        }  # alpha_i f_i and lam alpha_i of one of the two

    return program


AXES = {
    "lam": numbers("1/100", "1/10", "1/2", 1, 2, 5, 20),
    "rho": numbers("1/20", "1/4", "1/2", "3/4", 1, "5/4", 2, 5, 50),
    "h": numbers("1/100", "1/10", "1/2", 1, 2, 10),
    "apart": numbers(0, 1, 10),
    "bent": numbers(-20, -5, -1, 0, 1, 5, 20),
}
ALIKE = (
    "two quadratics of one variable of curvature h with minima at -`apart` and `apart`, w_i^0 = 1, theta_i^0 = 1 + `bent`, "
    "alpha_i = 1/2, s = m"
)
INEXACT = (
    "solved exactly, which meets every accuracy: eps_max is that of (13), and c_0 < 0, which the conditions allow, "
    "makes c_3 negative"
)
CLASS = "one L-smooth client that is bounded below, any theta_i^0 and w_i^0; L^0 - L^T in place of L^0 - F*"
EXACT = "solved exactly, eps_max = 0. Theorem 1 is about one update and has no rate"
FIRST = Rate(
    "theorem2-1-printed",
    "Theorem 2 1), (51)",
    "as printed",
    "1/(m T) sum over t < T of |grad L(P^t)|^2",
    "c_2 (L^0 - F*)/(s T c_1) + c_3 eps_max",
    "mixed units",
    ("flame/eq51",),
    "1/T to c_3 eps_max",
    POWER,
    THEOREM_2,
    {**AXES, "eps": numbers(0, 1, 100)},
    ALIKE,
    constants,
    playing(lagrangian_gradient_sq, theorem2),
    INEXACT,
    derived=CATALOGUE.derived,
)
SECOND = replace(
    FIRST,
    id="theorem2-2-printed",
    theorem="Theorem 2 2), (20)",
    left="1/(m T) sum over t < T of |grad L(Theta^t)|^2",
    printed="c_2 (L^0 - F*)/(s T c_1 gamma_bar) + c_4 eps_max",
    unit="(E/M)^2",
    claims=("flame/eq20",),
    play=playing(gradient_in_theta_sq, theorem2),
)
REPAIRED: dict[str, Any] = {
    "kind": "repaired",
    "axes": AXES,
    "remark": EXACT,
    "promise": "1/T",
    "conditions": (LAM_2L, RHO_5A),
    "over": CLASS,
}
SUM = "((L^0 - F*)/(s T) + 50 eps_max/(lam a_min))"
RATES = (
    FIRST,
    replace(
        FIRST,
        id="theorem2-1",
        theorem="Theorem 2 1)",
        claims=("flame/thm2a~repaired",),
        printed=f"(20 lam a_max + 40 (rho + 1/rho)) {SUM}",
        play=playing(lagrangian_gradient_sq, repaired_1),
        program=rounds_of(lagrangian_gradient_sq, constant),
        **REPAIRED,
    ),
    SECOND,
    replace(
        SECOND,
        id="theorem2-2",
        theorem="Theorem 2 2)",
        claims=("flame/thm2b~repaired",),
        printed=f"10 lam a_max/gamma_bar {SUM}",
        play=playing(gradient_in_theta_sq, repaired_2),
        program=rounds_of(gradient_in_theta_sq, lambda y: 10 * y.lam * y.a_max),
        **REPAIRED,
    ),
)
