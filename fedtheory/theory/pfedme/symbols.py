"""Symbols of pFedMe (arXiv:2006.08848), each once: unit, range, meaning. docs/notation.md has them beside the other papers'."""

from __future__ import annotations

from ...symbols import Symbol, Symbols
from ...units import CURVATURE, GRADIENT, LENGTH, STEP, VALUE
from ...world import at_least, positive

symbols = Symbols(
    L=Symbol("smoothness of f_i", positive(CURVATURE)),
    mu=Symbol("strong convexity of f_i", positive(CURVATURE)),
    rho=Symbol(
        "weak convexity of f_i: f_i + rho/2 |.|^2 is convex; 0 in Assumption 1(a), L in 1(b)", positive(CURVATURE), "-"
    ),
    lam=Symbol("Moreau parameter", positive(CURVATURE), "lambda"),
    L_F=Symbol("smoothness of F_i, lam (Proposition 1)", positive(CURVATURE)),
    mu_F=Symbol("strong convexity of F_i (Proposition 1)", positive(CURVATURE)),
    m=Symbol("clients (N)", at_least(1), "N", whole=True),
    N=Symbol("clients, where claims about their number take it as a parameter", at_least(1), whole=True),
    S=Symbol("sampled clients", at_least(1), whole=True),
    R=Symbol("local rounds", at_least(1), whole=True),
    T=Symbol("rounds", at_least(1), whole=True),
    batch=Symbol("size of a minibatch", at_least(1), "|D|", whole=True),
    eta=Symbol("local step size", positive(STEP)),
    eta_tilde=Symbol("step size of the global update, eta beta R (A.4.1)", positive(STEP)),
    eta1_hat=Symbol("largest global step size of Theorem 1 (31)", positive(STEP), "eta_hat_1"),
    eta2_hat=Symbol("largest global step size of Theorem 2 (43)", positive(STEP), "eta_hat_2"),
    beta=Symbol("server relaxation", at_least(1)),
    delta=Symbol("accuracy of the personalised model", at_least(0, LENGTH)),
    nu=Symbol("accuracy of (8)", at_least(0, GRADIENT)),
    gamma_f_sq=Symbol("variance bound of Assumption 2", at_least(0, GRADIENT**2), "gamma_f^2"),
    sigma_f_sq=Symbol("diversity bound of Assumption 3", at_least(0, GRADIENT**2), "sigma_f^2"),
    sigma_F1_sq=Symbol("mean of |grad F_i(w*)|^2", at_least(0, GRADIENT**2), "sigma_{F,1}^2"),
    Delta_0=Symbol("|w_0 - w*|^2", at_least(0, LENGTH**2)),
    Delta_F=Symbol("F(w_0) - F*", at_least(0, VALUE)),
    C1=Symbol("C_1 of (30)", at_least(0, VALUE), "C_1"),
    C2=Symbol("C_2 of (30)", positive(GRADIENT**2), "C_2"),
    C3=Symbol("C_3 of (30)", at_least(0, VALUE * CURVATURE**2), "C_3"),
    C4=Symbol("C_4 of (42), in the unit that (44) needs", positive(GRADIENT**2 * CURVATURE**2), "C_4"),
    C5=Symbol("C_5 of (42), in the unit that (44) needs", positive(GRADIENT**2 * CURVATURE), "C_5"),
    C6=Symbol("C_6 of (42)", at_least(0, GRADIENT**2), "C_6"),
)
