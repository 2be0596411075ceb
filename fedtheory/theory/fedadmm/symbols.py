"""Symbols of FedADMM (Zhou and Li, Federated Learning via Inexact ADMM), each once: unit, range, meaning."""

from __future__ import annotations

from fractions import Fraction

from ...symbols import Symbol, Symbols
from ...units import CURVATURE, GRADIENT, LENGTH, NUMBER, VALUE
from ...world import Scalar, at_least, between, positive, weights

symbols = Symbols(
    m=Symbol("clients", at_least(1), whole=True),
    alpha=Symbol("weight of the client (default 1/m)", weights(), "alpha_i"),
    r=Symbol("Lipschitz constant of the gradient", positive(CURVATURE, per_client=True), "r_i"),
    s=Symbol("weak convexity, Hess f_i >= -s_i I (default 0)", at_least(0, CURVATURE, per_client=True), "s_i"),
    sigma=Symbol("penalty", positive(CURVATURE, per_client=True), "sigma_i"),
    sigma0=Symbol("factor of sigma_i = sigma0 r_i/m, in place of sigma", positive(), "-"),
    nu=Symbol("accuracy factor in [1/2, 1)", between(Fraction(1, 2), 1, per_client=True), "nu_i"),
    eps=Symbol("accuracy of (3.5)", positive(GRADIENT**2, per_client=True), "epsilon_i"),
    root_eps=Symbol("square root of eps_i^0", positive(GRADIENT, per_client=True), "-"),
    rho=Symbol("factor rho > 1 in the penalty of Theorem 3.1", Scalar(NUMBER, low=1)),
    k0=Symbol("iterations between communications", at_least(1), "k_0", whole=True),
    S=Symbol("selected clients", at_least(1), "|Omega|", whole=True),
    s0=Symbol("selection cycle", at_least(1), "s_0", whole=True),
    gap=Symbol("L_tilde^0 - f*", at_least(0, VALUE), "-"),
    gap_f=Symbol("f(w^0) - f*, in place of gap", at_least(0, VALUE), "-"),
    dist_sq=Symbol("|w - v_i^*|^2 at the start of the inner steps", positive(LENGTH**2), "-"),
    d=Symbol("dimension (n in the paper)", Scalar(NUMBER, low=1, closed=True), "n", whole=True),
    n=Symbol("samples (d in the paper)", Scalar(NUMBER, low=1, closed=True), "d", whole=True),
)
