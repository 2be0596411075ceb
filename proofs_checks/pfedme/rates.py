"""Theorems 1 and 2 at their tightest (Sections 4, A.4, A.5): two clients of one variable, both sampled, solved exactly.

With S = N the theorems' expectations are over nothing. w_0 is 1 away from w*, or where a round leaves it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from fedtheory import Control, claim, le
from fedtheory.algorithms.pfedme import PFedMe, PFedMeDraws, PFedMeState
from fedtheory.measure.curves import running_mean, weighted_mean
from fedtheory.rates.record import EXPONENTIAL, LONGEST, POWER, Played, Rate, path
from fedtheory.theory.catalogue import Parameters
from fedtheory.theory.pfedme.catalogue import CATALOGUE
from fedtheory.theory.pfedme.conditions import LEAST_T, THEOREM_1, THEOREM_2
from fedtheory.theory.pfedme.constants import eta_tilde, largest_eta1, largest_eta2, room, sigma_F2_sq
from fedtheory.theory.pfedme.theorem1 import bound_35, bound_35_repaired, bound_models, least_T, least_T_at_step
from fedtheory.theory.pfedme.theorem2 import stationarity, stationarity_repaired
from fedtheory.units import CURVATURE, STEP
from problems import Points, SmoothBoundedBelow, positive
from problems.clients.one_variable import HuberClients
from problems.exact.bowls import Bowls

F = Fraction
ONE = F(1)
ROUNDS_2 = 2400  # of Theorem 2


def numbers(*values: int | str) -> tuple[Fraction, ...]:
    return tuple(F(v) for v in values)


def floats(x: dict[str, Any]) -> Parameters:
    """The same parameters on floats."""
    return Parameters({k: float(v) for k, v in x.items()}, CATALOGUE.derived)


def at_step(x: dict[str, Any], largest: Any, share: Fraction) -> dict[str, Any]:
    """With the local step a share of the largest one that a theorem allows."""
    return {**x, "eta": share * largest(Parameters(x, CATALOGUE.derived))}


# Theorem 1


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
    return {**x, "T": math.ceil(4 * T)}


def once(run: Any) -> Any:
    """A run from a setting and its constants, kept: several bounds stand over one run."""
    kept: dict[tuple[Any, ...], Any] = {}

    def found(s: Any, x: dict[str, Any]) -> Any:
        key = tuple(sorted(s.items()))
        if key not in kept:
            kept[key] = run(s, x)
        return kept[key]

    return found


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


AXES_REST = {
    "lam": numbers(1, 100, 10**4, 10**6, 10**8),
    "ratio": numbers(2, 5, 10),
    "beta": numbers(1, 2, 10),
    "R": numbers(2, 5, 20),
}
RATE_1 = "mu_F Delta_0 e^{-eta_tilde mu_F T/2} + eta_tilde^2/beta^2 C_3 + eta_tilde C_2 + C_1"
TWO = "two quadratics of one variable with curvatures 1 and `ratio` and minima at -`apart` and `apart`, w_0 = w* + 1, S = N = 2"
FAR = "with delta = 0 and S = N the terms in C_1 and C_2 are 0"
FALL = "e^{-eta_tilde mu_F T/2}"

# Theorem 2


def huber(s: Any) -> HuberClients:
    """Two equal Huber functions of curvature L around 0 with knee 1."""
    return HuberClients([0.0, 0.0], 1.0, float(s["L"]))


def theorem2(s: Any) -> dict[str, Any]:
    """Both clients are alike, so that sigma_f = 0; the envelope is Huber's again, of curvature lam L/(lam + L) and slope L."""
    lam, L = s["lam"], s["L"]
    curve = lam * L / (lam + L)
    knee = L / curve  # of the envelope
    far = s["far"] * knee
    inside = min(far, knee)
    x = {
        "L": L,
        "lam": lam,
        "beta": ONE,
        "R": 1,
        "S": 2,
        "m": 2,
        "delta": F(0),
        "sigma_f_sq": F(0),
        "Delta_F": curve * inside * (far - inside / 2),
        "start": far,
    }
    return {**at_step(x, largest_eta2, ONE), "T": ROUNDS_2}


@once
def run2(s: Any, x: dict[str, Any]) -> tuple[Any, np.ndarray, np.ndarray]:
    """(the parameters on floats, horizons, w_t)."""
    p, rounds = floats(x), int(x["T"])
    method = PFedMe(p.lam, p.eta, p.beta, int(p.R), 2)
    states = path(method, huber(s), PFedMeState(np.array([[float(x["start"])]])), rounds)
    return p, np.arange(1, rounds + 1), np.array([state.w[0, 0] for state in states])


def play_2(s: Any, x: dict[str, Any]) -> Played:
    """The mean over t < T of |grad F(w_t)|^2."""
    p, T, w = run2(s, x)
    theta = huber(s).prox(w[:, None, None], p.lam)[:, 0, 0]
    square = (p.lam * (w - theta)) ** 2
    right = np.array([stationarity_repaired(p, int(t)) for t in T])
    return Played(T, running_mean(square)[1:], right, float(square[0]), 1.0)


def play_2b(s: Any, x: dict[str, Any]) -> Played:
    """The mean over t < T and the clients of |theta_tilde_i(w_t) - w_t|^2, under (45) with (44)."""
    p, T, w = run2(s, x)
    theta = huber(s).prox(w[:, None, None], p.lam)[:, 0, 0]
    square = (w - theta) ** 2
    more = 2 * p.delta**2 + 4 * sigma_F2_sq(p) / p.lam**2
    right = np.array([2 / room(p) * stationarity_repaired(p, int(t)) + more for t in T])
    return Played(T, running_mean(square)[1:], right, float(square[0]), 1.0)


AXES_2 = {
    "lam": numbers("11/10", "3/2", 2, 3),
    "L": numbers("1/100", "1/20", "1/8", "1/4", "1/2"),
    "far": numbers("1/4", 1, 2, 4, 16),
}
ALIKE = (
    "two equal Huber functions of one variable, curvature L, knee 1, started `far` knees of the envelope away, "
    "S = N = 2, R = beta = 1"
)
RATE_2 = "2 (Delta_F/(eta_tilde T) + eta_tilde^2/beta^2 C_4 + eta_tilde C_5 + C_6)"


class Bend:
    """The two clients of `worlds.two_clients.HuberAndLinear` as a round from w = 0 sees them: one bends, the other is linear."""

    m, d = 2, 1

    def __init__(self, L: Fraction, center: Fraction, b: Fraction) -> None:
        self.L, self.center, self.b = L, center, b

    def prox(self, W: Any, lam: Any) -> Any:
        """Of the quadratic piece, and of the line of slope -b."""
        w = W + np.array([[0], [0]], dtype=object)
        return np.array(
            [[(self.L * self.center + lam * w[0, 0]) / (self.L + lam)], [w[1, 0] + self.b / lam]], dtype=object
        )


def rest2(s: Any) -> dict[str, Any]:
    """The constants of Theorem 2 on the clients on which (44) falls, with the gradient at w = 0, which a round leaves."""
    lam, a, R = s["lam"], ONE, int(s["R"])
    L = lam / 4
    x = {"L": L, "lam": lam, "beta": s["beta"], "R": s["R"], "S": 2, "m": 2, "delta": F(0)}
    x = at_step(x, largest_eta2, ONE)
    curve = lam * L / (lam + L)
    b = a * sum((1 - x["eta"] * curve) ** r for r in range(R)) / R
    f = Bend(L, -a / curve, b)
    method, draws = PFedMe(lam, x["eta"], x["beta"], R, 2), PFedMeDraws(np.ones(2, dtype=bool), (0,) * R)
    w = np.array([[F(0)]], dtype=object)
    assert method.step(f, PFedMeState(w), draws).w[0, 0] == 0, "a round from rest moves"
    x |= {"sigma_f_sq": ((a + b) / 2) ** 2, "grad_sq": ((a - b) / 2) ** 2}
    x["Delta_F"] = (a - b) ** 2 / (4 * curve)  # F' = (a - b)/2 at w falls to 0 with the curvature curve/2
    return {**x, "T": math.ceil(s["length"] / (eta_tilde(Parameters(x, CATALOGUE.derived)) * curve))}


def play_rest2(s: Any, x: dict[str, Any]) -> Played:
    """The run rests, so that the mean over t < T of |grad F(w_t)|^2 is |grad F(w_0)|^2."""
    p, level = floats(x), float(x["grad_sq"])
    T = np.geomspace(1, x["T"], 60).round()
    right = np.array([float(stationarity(p, float(t))) for t in T])
    return Played(T, np.full(len(T), level), right, level, 1.0)


AXES_REST_2 = {
    "lam": numbers(2, 10, 100, 1000, 10**4),
    "beta": numbers(1, 2, 10),
    "R": numbers(2, 5, 20),
    "length": numbers(100, 10**4, 10**6),
}


def descent(s: Any, T: int) -> tuple[Any, dict[str, Any]]:
    """T rounds with R = 1 of clients that are alike, any smooth function that is bounded below: (44) with sigma_f = delta = 0."""
    step = eta_tilde(Parameters(theorem2(s), CATALOGUE.derived))
    world = Points(
        SmoothBoundedBelow("L"),
        envelope="lam",
        at=("w",),
        sizes={"m": (1,), "d": (1, 2, 3)},
        L=positive(CURVATURE),
        lam=positive(CURVATURE),
        eta_tilde=positive(STEP),
    )

    @claim("rates/descent", world=world, control=Control("half", share=F(1, 2)))
    def body(x: Any, share: Any = 1) -> Any:
        w, total = x.w, 0
        for _ in range(T):
            G = x.mean_vec(x.F.grad(w))
            total, w = total + x.sq(G), w - x.eta_tilde * G
        fall = x.mean(x.F.value(x.w)) - x.mean(x.F.value(w))
        return le(total / T, share * 2 * fall / (x.eta_tilde * T))

    return body, {"L": s["L"], "lam": s["lam"], "eta_tilde": step}


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
    AXES_1,
    TWO,
    theorem1,
    play_a,
    FAR,
    derived=CATALOGUE.derived,
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
    AXES_2,
    ALIKE,
    theorem2,
    play_2,
    "sigma_f = delta = 0, so that C_4 to C_6 are 0",
    descent,
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
        axes=AXES_REST,
        clients="two quadratics of one variable, curvatures 10 lam and 10 lam `ratio`, minima at -1 and 1, S = N = 2",
        constants=lambda s: at_rest(s)[1],
        play=play_rest,
        remark=f"{RESTS}; C_3 has lost a factor L_F = lam, which shows where lam is large",
    ),
    ONE_OF,
    replace(
        ONE_OF,
        id="theorem1-distance",
        theorem="Theorem 1, end of A.4",
        left="|w_T - w*|^2",
        printed=f"2/mu_F ({RATE_1}), L_F C_3 for C_3",
        unit="M^2",
        claims=("pfedme/thm1b-proof-s3-a~repaired",),
        play=play_distance,
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
        play=play_b,
    ),
    replace(
        STATIONARY,
        id="theorem2a-printed",
        kind="as printed",
        printed=RATE_2,
        claims=("pfedme/eq44",),
        axes=AXES_REST_2,
        clients="one of slope 1 that bends with curvature lam/4 below w_0, and one of slope -b, b just below 1, S = N = 2",
        constants=rest2,
        play=play_rest2,
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
        play=play_2b,
        program=None,
    ),
)
