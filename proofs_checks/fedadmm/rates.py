"""Theorem 3.1 along the inner steps (3.12), and (7.20), the only rate that the proof of Theorem 4.1 has (Sections 3.4 and 7.3).

Theorems 4.1 and 4.2 and Corollary 4.1 state limits.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from fedtheory import Control, claim, le, lt
from fedtheory.algorithms.fedadmm import FedADMM, FedADMMDraws, FedADMMState
from fedtheory.catalogue import Parameters
from fedtheory.measure.observe import instance
from fedtheory.rates.record import EXPONENTIAL, POWER, Played, Rate, numbers, path, stacked
from fedtheory.relation import Condition
from fedtheory.theory.fedadmm.catalogue import CATALOGUE
from fedtheory.theory.fedadmm.conditions import CONTRACTS, INNER, THEOREM_4_1
from fedtheory.theory.fedadmm.constants import c, decrease, inner_size, lagrangian, lyapunov, mean_move
from fedtheory.units import CURVATURE
from problems import Points, SmoothBoundedBelow, positive
from problems.exact.bowls import Bowls

from .theorem3_1.inner import inner, inner_world, promised, residual_sq, steps

F = Fraction
LENGTH, INNER_STEPS = 80, 24


# Theorem 3.1


def one(s: Any) -> dict[str, Any]:
    """One client h w^2/2 with -s <= h <= r = 1 and alpha = 1, and the penalty as a multiple of the least one."""
    least = s["s"] + s["rho"] / 2
    return {"alpha": F(1), "m": 1, "r": F(1), "s": s["s"], "rho": s["rho"], "sigma": s["times"] * least}


def play_inner(literal: bool) -> Any:
    """The squared left side of (3.5) after n steps from w, v_i^* = 0; the numerator of (3.13) over powers of varrho."""

    def play(s: Any, x: dict[str, Any]) -> Played | None:
        h = -s["s"] + s["share"] * (1 + s["s"])
        sigma, rho = x["sigma"], x["rho"]
        v = (1 - (h + sigma) / (1 + sigma)) ** np.arange(INNER_STEPS + 1)
        left = np.array([float(((h + sigma) * u) ** 2) for u in v])
        top = float(inner_size(Parameters(x)))
        n = np.arange(INNER_STEPS + 1)
        if not literal:
            on = slice(0, None)
            right = top / float(rho) ** n
        else:  # 0 <= n - 1 <= kappa < n for an eps with the bracket varrho^(n+1) - 1, which is above varrho^n
            if rho < 2:
                return None
            on = slice(1, None)
            right = top / (float(rho) ** (n + 1) - 1)
        return Played(n[on], left[on], right[on], float(left[0]), math.log(float(rho)))

    return play


def inner_program(s: Any, n: int) -> tuple[Any, dict[str, Any]]:
    """n steps of one client of any smooth function of curvature at least -s."""

    @claim("rates/inner", world=inner_world(), control=Control("half", share=F(1, 2)))
    def body(x: Any, share: Any = 1) -> Any:
        start = inner(x)
        return le(x.rho**n * residual_sq(x, start, steps(x, start, n)), share * promised(x, start))

    p = one(s)
    return body, {**{name: p[name] for name in ("r", "sigma", "rho")}, "s": max(p["s"], F(1, 10**6)), "alpha": F(1)}


SHARES = {
    "s": numbers("1/1000", "1/4", "1/2", "3/4", 1),
    "rho": numbers("11/10", "3/2", 2, 3, 4, 6, 9, 20),
    "times": numbers(1, "11/10", "3/2", 2),
    "share": numbers(0, "1/4", "1/2", 1),
}
CONCAVE = "one client h w^2/2 with r = alpha = 1 and h between -s (`share` = 0) and r (`share` = 1); sigma is `times` the least one"

# (7.20)


def bowls(s: Any) -> Bowls:
    """Two quadratics with minima to both sides of 0."""
    return Bowls((F(1), s["ratio"]), (-s["apart"], s["apart"]))


def penalties(s: Any) -> dict[str, Any]:
    """Those of Theorem 4.1, r the largest curvature for both."""
    f = bowls(s)
    return {"m": 2, "alpha": F(1, 2), "r": f.L, "sigma": s["sigma0"] * f.L / 2, "nu": F(1, 2), "S": 2}


def moves(y: Any, states: Any, factor: int) -> np.ndarray:
    """sigma/2 |w^{tau_{k+1}} - w^{tau_k}|^2 + factor c/4 sum_i |w_i^{k+1} - w_i^k|^2 for k = 0, 1, ..."""
    dw, dW = np.diff(states.w, axis=0), np.diff(states.W, axis=0)
    server = float(np.sum(y.sigma)) / 2 * (dw**2).sum(axis=(1, 2))
    return server + factor * float(c(y)[0]) / 4 * (dW**2).sum(axis=(1, 2))


def play_moves(factor: int) -> Any:
    """Their mean over the first iterations, w^{tau_0} = w^{tau_1}, under (L_tilde^0 - f*)/k."""

    def play(s: Any, x: dict[str, Any]) -> Played:
        exact, f = bowls(s), bowls(s).floats()
        r = np.full(2, float(x["r"]))
        method = FedADMM(np.full(2, float(x["sigma"])), np.full(2, 0.5), np.full(2, 0.5), int(s["k0"]))
        W0 = np.ones((2, 1)) * (1 + float(s["apart"]))
        first = method.init(f, None, W0, 1e-12)
        first = first._replace(w=(first.Z.sum(axis=0) / method.sigma.sum())[None])
        y = instance(f, method, r=r)
        states = stacked(list(path(method, f, first, LENGTH)))
        gap = float(np.ravel(lyapunov(y, first))[0]) - float(exact.least)
        T = np.arange(1, LENGTH + 1)
        made = moves(y, states, factor)
        right = np.array([mean_move(Parameters({"gap": gap}), int(k)) for k in T])
        return Played(T, np.cumsum(made) / T, right, float(made[0]), 1.0)

    return play


def moving(s: Any, T: int) -> tuple[Any, dict[str, Any]]:
    """T iterations of one client of any smooth function that is bounded below, L^0 - L^T on the right; eps_i is 0."""
    world = Points(
        SmoothBoundedBelow("r"),
        at=(),
        clients_at=("W0",),
        sizes={"m": (1,), "d": (1, 2, 3)},
        r=positive(CURVATURE),
        sigma=positive(CURVATURE),
    )

    @claim("rates/moves", world=world, control=Control("half", share=F(1, 2)))
    def body(x: Any, share: Any = 1) -> Any:
        alone = np.array([F(1)], dtype=object)
        y = x.at(alpha=alone, m=1)
        method = FedADMM(x.sigma, F(1), F(1, 2))
        Pi = -x.f.grad(x.W0)
        Z = x.W0 * x.sigma + Pi
        zero = np.array([F(0)], dtype=object)
        state, total = FedADMMState(x.mean_vec(Z) / x.sigma, x.W0, Pi, Z, zero), 0
        before = lagrangian(y, state)
        for _ in range(T):
            after = method.step(x.f, state, FedADMMDraws(np.ones(1, dtype=bool), 0))
            whole = x.sigma / 2 * x.sq(after.w - state.w) + decrease(y) / 4 * x.total(x.sq(after.W - state.W))
            total, state = total + whole, after
        return le(total / T, share * (before - lagrangian(y, state)) / T)

    p = penalties(s)
    return body, {"r": p["r"] / 2, "sigma": p["sigma"]}  # alpha_i f_i of one of the two


AXES = {
    "ratio": numbers("1/100", "1/10", "1/2", 1),
    "apart": numbers(0, 1, 10),
    "sigma0": numbers("26/10", 3, 4, 6, 8, 12, 20, 50),
    "k0": numbers(1, 2, 5),
}
RATIO = (
    "two quadratics of one variable with curvatures 1 and `ratio` and minima at -`apart` and `apart`, sigma_i = `sigma0` r/m, "
    "everyone selected"
)
STEPPED = Rate(
    "theorem3.1",
    "Theorem 3.1, (3.13)",
    "repaired",
    "|alpha g_i(v^n) + pi_i + sigma_i (v^n - w)|^2 after n steps",
    "2 (alpha^2 r^2 + sigma^2) |w - v*|^2/varrho^n",
    "(E/M)^2",
    ("fedadmm/thm3.1~repaired",),
    "varrho^-n",
    EXPONENTIAL,
    (INNER, CONTRACTS, Condition("rho > 1", "Theorem 3.1", lambda x: lt(1, x.rho))),
    SHARES,
    CONCAVE,
    one,
    play_inner(False),
    "varrho is `rho`; the logarithm is rounded up",
    inner_program,
    "one client of curvature between -s and r, any w and v*",
    "inner steps",
    CATALOGUE.derived,
)
MOVED = Rate(
    "theorem4.1",
    "Theorem 4.1, (7.20)",
    "repaired",
    "mean move over j < k, right side of Lemma 4.1",
    "(L_tilde^0 - f*)/k",
    "E",
    ("fedadmm/eq7.20-b~repaired",),
    "1/k",
    POWER,
    THEOREM_4_1,
    AXES,
    RATIO,
    penalties,
    play_moves(1),
    "solved exactly with eps_i^0 = 10^-12; with the c/4 of Lemma 4.1. "
    "Theorems 4.1 and 4.2 and Corollary 4.1 state limits, no other rate",
    moving,
    "one r-smooth client that is bounded below, any w_i^0; L^0 - L^k in place of L_tilde^0 - f*, eps_i = 0",
    "iterations",
    CATALOGUE.derived,
)
RATES = (
    replace(
        STEPPED,
        id="theorem3.1-printed",
        kind="as printed",
        claims=("fedadmm/thm3.1",),
        play=play_inner(True),
        program=None,
        aim="anywhere",
        printed="eps_i, of which kappa of (3.13) is just below n",
        promise="eps_i",
        remark="the steps l = 0, 1, ... up to kappa, which need not be whole; eps_i with a bracket varrho^(n+1) - 1, "
        "so that these are n",
    ),
    STEPPED,
    replace(
        MOVED,
        id="theorem4.1-printed",
        kind="as printed",
        claims=("fedadmm/eq7.20-a",),
        play=play_moves(2),
        program=None,
        remark="solved exactly with eps_i^0 = 10^-12; (7.20) prints c/2 where Lemma 4.1 has c/4",
    ),
    MOVED,
)
