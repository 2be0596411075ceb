"""Theorem 3 at its tightest: clients that are alike, dense masks, nobody waits, one first model (Section V).

All models are then one: nothing is random, (8) to (11) hold with every variance, and they are taken as 0.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from fedtheory import Control, claim, le
from fedtheory.algorithms.dadpfl import DADPFL
from fedtheory.algorithms.local import Local
from fedtheory.algorithms.sparse import Masking
from fedtheory.catalogue import Parameters
from fedtheory.graphs import Graph
from fedtheory.measure.curves import running_mean
from fedtheory.rates.record import POWER, Played, Rate, numbers, path
from fedtheory.relation import Condition
from fedtheory.theory.dadpfl.conditions import DIVISOR, STEP_LEMMAS, STEP_REPAIRED, THEOREM_3
from fedtheory.theory.dadpfl.constants import theorem3
from fedtheory.units import CURVATURE, STEP
from problems import Points, SmoothBoundedBelow, positive
from problems.exact.bowls import Bowls

F = Fraction
K, M = 4, 2
LENGTH, SHORTER = 120, 24  # rounds


def constants(s: Any) -> dict[str, Any]:
    """Those of the theorem; f = L w^2/2 from w = 1."""
    variances = {name: F(0) for name in ("sigma_l_sq", "sigma_g_sq", "sigma_p_sq")}
    return {"m": K, "M": M, "L": s["L"], "eta": s["eta"] / s["L"], "E_l": s["E_l"], "gap": s["L"] / 2, **variances}


def slopes(x: dict[str, Any], rounds: int) -> np.ndarray:
    """|grad f(w^t)|^2 at the mean model for t = 0, 1, ..."""
    f = Bowls((x["L"],) * K, (F(0),) * K).floats()
    method = DADPFL(
        Local(float(x["eta"]), int(x["E_l"])), Graph("random", M=M), N=0, masking=Masking(1.0, alpha=1e-9), pruning=None
    )
    states = path(method, f, method.init(f, np.ones((K, 1))), rounds)
    return float(x["L"]) ** 2 * np.array([s.X.mean() ** 2 for s in states])


def play_printed(s: Any, x: dict[str, Any]) -> Played:
    """The least |grad f(w^t)|^2 for t < T under (13)."""
    p, square = Parameters({k: float(v) for k, v in x.items()}), slopes(x, SHORTER)
    T = np.arange(1, SHORTER + 1)
    right = np.array([theorem3(p, int(t)) for t in T])
    return Played(T, np.minimum.accumulate(square)[:-1], right, float(square[0]), 1.0)


def play_repaired(s: Any, x: dict[str, Any]) -> Played:
    """The mean over t < T of |grad f(w^t)|^2; f(w^T) is at least min f."""
    square = slopes(x, LENGTH)
    T = np.arange(1, LENGTH + 1)
    right = 8 * float(x["gap"]) / (float(x["eta"] * x["E_l"]) * T)
    return Played(T, running_mean(square)[1:], right, float(square[0]), 1.0)


ENOUGH = Condition("M >= 2", "Theorem 3, repaired", lambda x: le(2, x.M))


def descent(s: Any, T: int) -> tuple[Any, dict[str, Any]]:
    """T rounds of clients that are alike, of any smooth function that is bounded below, with E_l = 1."""
    world = Points(
        SmoothBoundedBelow("L"), at=("w",), sizes={"m": (1,), "d": (1, 2, 3)}, L=positive(CURVATURE), eta=positive(STEP)
    )

    @claim("rates/descent", world=world, control=Control("half", share=F(1, 2)))
    def body(x: Any, share: Any = 1) -> Any:
        w, total = x.w, 0
        for _ in range(T):
            g = x.mean_vec(x.f.grad(w))
            total, w = total + x.sq(g), w - x.eta * g
        return le(total / T, share * 8 * x.mean(x.f.value(x.w) - x.f.value(w)) / (x.eta * T))

    return body, {"L": s["L"], "eta": s["eta"] / s["L"]}


STEPS = {"L": numbers("1/100", "1/10", 1, 10, 100), "E_l": numbers(1, 3, 5)}
ALIKE = (
    f"K = {K} clients L w^2/2, M = {M} neighbours, N = 0, dense masks, all models 1 at the start, all sigma = 0; "
    "`eta` in units of 1/L"
)
PRINTED = Rate(
    "theorem3-printed",
    "Theorem 3, (13)",
    "as printed",
    "min over t < T of |grad f(w^t)|^2",
    "2 (f(w^0) - min f)/(T (eta - 6 S_1 (mu - eta))) + S_3",
    "(E/M)^2",
    ("dadpfl/eq13",),
    "1/T to S_3",
    POWER,
    THEOREM_3,
    {**STEPS, "eta": numbers("1/100", "1/50", "1/20", "1/10", "3/20", "1/6")},
    ALIKE,
    constants,
    play_printed,
    "at steps that it allows its divisor, and with it the bound, may be negative, at every T, "
    "so that `T sufficiently large` does not help",
    aim="anywhere",
)
RATES = (
    PRINTED,
    replace(
        PRINTED,
        id="theorem3-positive",
        kind="with a positive divisor and the step of the lemmas",
        claims=("dadpfl/eq13@positive-divisor",),
        conditions=(*THEOREM_3, STEP_LEMMAS, DIVISOR),
        remark="mu - eta has two units: with eta above mu what is divided by grows; at the first T, "
        "for (13) without its `T sufficiently large`",
        axes={**PRINTED.axes, "eta": numbers("1/100", "1/50", "1/20", "1/10", "11/100")},
    ),
    Rate(
        "theorem3",
        "Theorem 3",
        "repaired",
        "mean over t < T of |grad f(w^t)|^2",
        "8 (f(w^0) - min f)/(eta E_l T) + (48 mu eta E_l + 168 (mu eta E_l)^2) sigma_g^2",
        "(E/M)^2",
        ("dadpfl/thm3~repaired",),
        "1/T",
        POWER,
        (ENOUGH, STEP_REPAIRED),
        {**STEPS, "E_l": numbers(1), "eta": numbers("1/1000", "1/100", "1/50", "1/20", "1/10", "1/8")},
        ALIKE,
        constants,
        play_repaired,
        "with sigma_g = 0 and one first model. With masks, `dadpfl/thm3~masks`, the right side has what they took and moved "
        "along the run, so that it is known after it; the order of Remark 4 is a claim, `dadpfl/rem4-b`, and no curve",
        descent,
        "clients that are alike, any L-smooth function that is bounded below; f(w^0) - f(w^T) in place of f(w^0) - min f",
    ),
)
