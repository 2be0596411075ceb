"""Theorem 2 on runs that can be played (Sections 4 and A.5): two clients of one variable, both sampled, solved exactly."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from fedtheory import Control, claim, le
from fedtheory.algorithms.pfedme import PFedMe, PFedMeDraws, PFedMeState
from fedtheory.catalogue import Parameters
from fedtheory.measure.curves import running_mean
from fedtheory.rates.record import Played, numbers, once, path
from fedtheory.theory.pfedme.catalogue import CATALOGUE
from fedtheory.theory.pfedme.constants import eta_tilde, largest_eta2, room, sigma_F2_sq
from fedtheory.theory.pfedme.theorem2 import stationarity, stationarity_repaired
from fedtheory.units import CURVATURE, STEP
from problems import Points, SmoothBoundedBelow, positive
from problems.clients.one_variable import HuberClients

from ..theorem1.tightest import ONE, F, at_step, floats

ROUNDS_2 = 2400


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
