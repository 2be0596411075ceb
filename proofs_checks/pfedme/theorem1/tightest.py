"""Theorem 1 on runs that can be played (Sections 4 and A.4): two clients of one variable, or real data; solved exactly.

With S = N the theorem's expectations are over nothing. w_0 is 1 away from w*, or where a round leaves it.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from fedtheory.algorithms.pfedme import PFedMe, PFedMeDraws, PFedMeState
from fedtheory.catalogue import Parameters
from fedtheory.measure.curves import weighted_mean
from fedtheory.rates.record import LONGEST, Played, numbers, once, path
from fedtheory.theory.pfedme.catalogue import CATALOGUE
from fedtheory.theory.pfedme.constants import eta_tilde, largest_eta1
from fedtheory.theory.pfedme.theorem1 import bound_35, bound_35_repaired, bound_models, least_T, least_T_at_step
from problems.build import build
from problems.clients.envelope import Envelope
from problems.exact.bowls import Bowls

from ..measured import measured

F = Fraction
ONE = F(1)


def floats(x: dict[str, Any]) -> Parameters:
    """The same parameters on floats."""
    return Parameters({k: float(v) for k, v in x.items()}, CATALOGUE.derived)


def at_step(x: dict[str, Any], largest: Any, share: Fraction) -> dict[str, Any]:
    """With the local step a share of the largest one that a theorem allows."""
    return {**x, "eta": share * largest(Parameters(x, CATALOGUE.derived))}


def bowls(s: Any) -> Bowls:
    """Curvatures 1 and `ratio`, minima `apart` to both sides of 0."""
    return Bowls((ONE, s["ratio"]), (-s["apart"], s["apart"]))


def theorem1(s: Any) -> dict[str, Any]:
    f = bowls(s)
    envelope = f.envelope(s["lam"])
    x = {
        "L": f.L,
        "mu": f.mu,
        "lam": s["lam"],
        "beta": s["beta"],
        "R": s["R"],
        "S": 2,
        "m": 2,
        "delta": F(0),
        "sigma_F1_sq": envelope.spread_sq,
        "Delta_0": ONE,
    }
    x = at_step(x, largest_eta1, s["share"])
    full = Parameters(x, CATALOGUE.derived)
    T = max(least_T(full), least_T_at_step(full))
    return {**x, "T": math.ceil(5 * T)}


@once
def run1(s: Any, x: dict[str, Any]) -> tuple[Any, Any, np.ndarray, np.ndarray] | None:
    """(the parameters on floats, the method, horizons, w_t - w*)."""
    if x["T"] > LONGEST:
        return None
    f, rounds = bowls(s), int(x["T"])
    star = float(f.envelope(s["lam"]).w_star)
    p = floats(x)
    method = PFedMe(p.lam, p.eta, p.beta, int(p.R), 2)
    start = PFedMeState(np.array([[star + 1.0]]))
    away = np.array([s.w[0, 0] - star for s in path(method, f.floats(), start, rounds)])
    return p, method, np.arange(1, rounds + 1), away


def claimed(p: Any, T: np.ndarray, left: np.ndarray, right: Any, start: float) -> Played:
    """Both sides from the least T of the theorem on."""
    on = max(least_T(p), least_T_at_step(p)) <= T
    values = np.array([right(p, int(t)) for t in T[on]])
    return Played(T[on], left[on], values, start, float(eta_tilde(p) * p.mu_F / 2))


def play_a(s: Any, x: dict[str, Any]) -> Played | None:
    """F(w_bar_T) - F*, the mean with the weights alpha_t."""
    found = run1(s, x)
    if found is None:
        return None
    p, _, T, away = found
    curve = float(bowls(s).envelope(s["lam"]).mean_h)
    w_bar = weighted_mean(away, 1 - float(eta_tilde(p) * p.mu_F / 2))[1:]
    return claimed(p, T, curve / 2 * w_bar**2, bound_35_repaired, curve / 2)


def repaired_distance(p: Any, T: Any) -> Any:
    return 2 / p.mu_F * bound_35_repaired(p, T)


def play_distance(s: Any, x: dict[str, Any]) -> Played | None:
    """|w_T - w*|^2."""
    found = run1(s, x)
    if found is None:
        return None
    p, _, T, away = found
    return claimed(p, T, away[1:] ** 2, repaired_distance, 1.0)


def play_b(s: Any, x: dict[str, Any]) -> Played | None:
    """Mean of |theta_tilde_i(w_T) - w*|^2."""
    found = run1(s, x)
    if found is None:
        return None
    p, _, T, away = found
    f = bowls(s)
    star = float(f.envelope(s["lam"]).w_star)
    points = (away + star)[:, None, None]
    theta = f.floats().prox(points, p.lam)[..., 0] - star
    left = (theta**2).mean(axis=-1)

    def right(p: Any, T: int) -> Any:
        return bound_models(p, repaired_distance(p, T), p.sigma_F1_sq)

    return claimed(p, T, left[1:], right, float(left[0]))


AXES_1 = {
    "lam": numbers("1/1000", "1/100", "1/10", 1, 10),
    "ratio": numbers(1, 2, 10, 100),
    "apart": numbers(0, "1/10", 1, 10),
    "beta": numbers(1, 10, 100, 10**4, 10**6),
    "R": numbers(1, 2),
    "share": numbers("1/2", 1),
}


def at_rest(s: Any) -> tuple[Bowls, dict[str, Any], Fraction]:
    """(two clients, the constants of Theorem 1, where a round leaves w), all exact: curvatures of order lam/10."""
    lam = s["lam"]
    f = Bowls((10 * lam, 10 * lam * s["ratio"]), (-ONE, ONE))
    envelope = f.envelope(lam)
    x = {
        "L": f.L,
        "mu": f.mu,
        "lam": lam,
        "beta": s["beta"],
        "R": s["R"],
        "S": 2,
        "m": 2,
        "delta": F(0),
        "sigma_F1_sq": envelope.spread_sq,
    }
    x = at_step(x, largest_eta1, ONE)
    method = PFedMe(lam, x["eta"], x["beta"], int(x["R"]), 2)

    def after(w: Fraction) -> Fraction:
        draws = PFedMeDraws(np.ones(2, dtype=bool), (0,) * int(x["R"]))
        return method.step(f, PFedMeState(np.array([[w]], dtype=object)), draws).w[0, 0]

    low, high = after(F(0)), after(ONE)
    rest = low / (1 - (high - low))  # a round is affine in w
    assert after(rest) == rest, "a round from rest moves"
    x["Delta_0"] = (rest - envelope.w_star) ** 2
    full = Parameters(x, CATALOGUE.derived)
    return f, {**x, "T": math.ceil(100 * max(least_T(full), least_T_at_step(full)))}, rest


def play_rest(s: Any, x: dict[str, Any]) -> Played:
    """The run rests, so that its curve is level: F(w_bar_T) - F* = F(w_0) - F*."""
    f, x, rest = at_rest(s)
    envelope, p = f.envelope(s["lam"]), floats(x)
    T = np.unique(np.round(np.geomspace(float(least_T_at_step(p)) + 1, x["T"], 60))).astype(int)
    gap = float(envelope.mean(rest) - envelope.least)
    right = np.array([float(bound_35(p, int(t))) for t in T])
    return Played(T, np.full(len(T), gap), right, gap, float(eta_tilde(p) * p.mu_F / 2))


@cache
def diabetes() -> Any:
    """Linear regression on the diabetes data: five clients, standardised, l2 = 1."""
    return build("diabetes", m=5, l2=1.0, seed=0, standardise=True).problem


@cache
def facts(lam: Fraction) -> tuple[Envelope, dict[str, Any]]:
    """The envelopes, and the constants of Theorem 1 from w_0 = 0 as they were measured, each the Fraction of a float."""
    f = diabetes()
    envelope = Envelope(f, float(lam))
    found = measured(f, envelope, np.zeros((1, f.d)))
    return envelope, {name: F(found[name].value) for name in ("L", "mu", "sigma_F1_sq", "Delta_0")}


def on_data(s: Any) -> dict[str, Any]:
    x = {**facts(s["lam"])[1], "lam": s["lam"], "beta": s["beta"], "R": 1, "S": 5, "m": 5, "delta": F(0)}
    x = at_step(x, largest_eta1, s["share"])
    full = Parameters(x, CATALOGUE.derived)
    return {**x, "T": math.ceil(5 * max(least_T(full), least_T_at_step(full)))}


def play_data(s: Any, x: dict[str, Any]) -> Played | None:
    """F(w_bar_T) - F* as `play_a` has it, on data."""
    if x["T"] > LONGEST:
        return None
    p, f, (envelope, _) = floats(x), diabetes(), facts(s["lam"])
    best = envelope.optimum()
    method = PFedMe(p.lam, p.eta, p.beta, 1, 5)
    away = np.array([(state.w - best.w_star)[0] for state in path(method, f, method.init(f), int(x["T"]))])
    keep = 1 - float(eta_tilde(p) * p.mu_F / 2)
    w_bar = np.stack([weighted_mean(column, keep) for column in away.T], axis=-1)[1:]
    left = envelope.value(best.w_star + w_bar[:, None, :]).mean(axis=-1) - best.f_star
    start = float(envelope.value(best.w_star + away[None, :1])[0].mean()) - best.f_star
    return claimed(p, np.arange(1, len(away)), left, bound_35_repaired, start)


AXES_DATA = {
    "lam": numbers("1/100", "1/10", 1, 10),
    "beta": numbers(1, 100, 10**4),
    "share": numbers("1/2", 1),
}
AXES_REST = {
    "lam": numbers(1, 100, 10**4, 10**6, 10**8),
    "ratio": numbers(2, 5, 10),
    "beta": numbers(1, 2, 10),
    "R": numbers(2, 5, 20),
}
