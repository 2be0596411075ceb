"""Symbols of FLAME (Zhu, Zeng, Wang, Sun, Peng), each once: unit, range, meaning."""

from __future__ import annotations

from ...symbols import Symbol, Symbols
from ...units import CURVATURE, GRADIENT, VALUE
from ...world import at_least, positive, weights

symbols = Symbols(
    m=Symbol("clients", at_least(1), whole=True),
    alpha=Symbol("weight of the client (default 1/m)", weights(), "alpha_i"),
    L=Symbol("smoothness of f_i", positive(CURVATURE)),
    lam=Symbol("Moreau parameter", positive(CURVATURE), "lambda"),
    rho=Symbol("penalty", positive(CURVATURE)),
    S=Symbol("selected clients", at_least(1), "s", whole=True),
    eps=Symbol("largest eps_i^t", at_least(0, GRADIENT**2), "epsilon_max"),
    root_eps=Symbol("square root of eps_i^t", positive(GRADIENT, per_client=True), "-"),
    gap=Symbol("L^0 - F*", at_least(0, VALUE), "-"),
    target=Symbol("accuracy sought for the mean squared gradient", positive(GRADIENT**2), "epsilon"),
    gamma=Symbol("least relative skew (18)", positive(), "gamma_bar"),
    weak=Symbol("weak convexity of f (Proposition 1)", positive(CURVATURE), "-"),
    mu=Symbol("strong convexity of L_i in theta_i (Theorem 1)", positive(CURVATURE)),
)
