"""Constants of pFedMe (arXiv:2006.08848) as functions of an instance.

Symbols: N of the paper is m; eta_tilde = eta beta R is the step size of the global update (Section A.4.1).
"""

from __future__ import annotations

from typing import Any

from ..claim import le, lt
from .catalogue import Catalogue, Condition, Constant


def L_F(x: Any) -> Any:
    """Smoothness of the Moreau envelope, lam (Proposition 1). Unit E/M^2."""
    return x.lam


def mu_F(x: Any) -> Any:
    """Strong convexity of the Moreau envelope, lam mu/(lam + mu) (Proposition 1). Unit E/M^2."""
    return x.lam * x.mu / (x.lam + x.mu)


def eta_tilde(x: Any) -> Any:
    """Step size of the global update, eta beta R (Section A.4.1). Unit M^2/E."""
    return x.eta * x.beta * x.R


def eta1_hat(x: Any) -> Any:
    """Largest global step size of Theorem 1, 1/(6 L_F (3 + 128 kappa_F/beta)) (31); needs L_F, mu_F, beta."""
    return 1 / (6 * x.L_F * (3 + 128 * (x.L_F / x.mu_F) / x.beta))


def delta_sq_lemma1a(x: Any) -> Any:
    """delta^2 of Lemma 1, case Assumption 1(a), as printed: nu stands unsquared. Not homogeneous in units."""
    return 2 / (x.lam + x.mu) ** 2 * (x.gamma_f_sq / x.batch + x.nu)


def sigma_F1_sq(x: Any) -> Any:
    """sigma_{F,1}^2 = mean of |grad F_i(w*)|^2 (Lemma 2 (a)), ``(..., 1)``. Unit (E/M)^2."""
    return x.mean(x.sq(x.F.grad(x.w_star)))


def sigma_F2_sq(x: Any) -> Any:
    """sigma_{F,2}^2 = lam^2/(lam^2 - 8 L^2) sigma_f^2 (Lemma 2 (b)), ``(..., 1)``. Unit (E/M)^2."""
    return x.sigma_f_sq * (x.lam**2 / (x.lam**2 - 8 * x.L**2))


def diversity(x: Any, w: Any) -> Any:
    """Mean of |grad F_i(w) - grad F(w)|^2, left side of Lemma 2, ``(..., 1)``. Unit (E/M)^2."""
    G = x.F.grad(w)
    return x.mean(x.sq(G - x.mean_vec(G)))


def gap(x: Any, w: Any) -> Any:
    """F(w) - F(w*), ``(..., 1)``. Unit E."""
    return x.mean(x.F.value(w) - x.F.value(x.w_star))


def drift(x: Any) -> Any:
    """Mean over clients and local rounds of |g_{i,r} - grad F_i(w_t)|^2, left side of Lemma 5, ``(..., 1)``."""
    G = x.F.grad(x.state.w)
    gradients = x.alg.local(x.f, x.state.w, x.error)[1]
    return x.mean(sum(x.sq(g - G) for g in gradients)) / x.R


def eta2_hat(x: Any) -> Any:
    """Largest global step size of Theorem 2, 1/(75 L_F lam^2) (43), as printed; not a step size in units."""
    return 1 / (75 * x.L_F * x.lam**2)


CATALOGUE = Catalogue(
    parameters={
        "L": "smoothness of f_i", "mu": "strong convexity of f_i", "lam": "Moreau parameter", "eta": "local step size",
        "beta": "server relaxation", "R": "local rounds", "S": "sampled clients", "m": "clients (N)", "T": "rounds",
        "delta": "accuracy of the personalised model", "sigma_f_sq": "diversity bound of Assumption 3",
    },
    constants=(
        Constant("L_F", "Proposition 1", L_F),
        Constant("mu_F", "Proposition 1", mu_F),
        Constant("kappa_F", "Theorem 1", lambda x: x.L_F / x.mu_F),
        Constant("eta_tilde", "A.4.1", eta_tilde),
        Constant("eta1_hat", "Theorem 1, (31)", eta1_hat),
        Constant("largest eta of Theorem 1", "Theorem 1", lambda x: eta1_hat(x) / (x.beta * x.R)),
        Constant("least T of Theorem 1", "Theorem 1", lambda x: 2 / (eta1_hat(x) * x.mu_F)),
        Constant("eta2_hat", "Theorem 2, (43)", eta2_hat),
        Constant("largest eta of Theorem 2", "Theorem 2", lambda x: eta2_hat(x) / (x.beta * x.R)),
        Constant("sigma_F2_sq", "Lemma 2 (b)", sigma_F2_sq),
        Constant("sampling factor (N/S - 1)/(N - 1)", "Lemma 4", lambda x: (x.m / x.S - 1) / (x.m - 1)),
        Constant("neighbourhood lam^2 delta^2/mu_F", "Remark 1", lambda x: x.lam**2 * x.delta**2 / x.mu_F),
    ),
    conditions=(
        Condition("lam > 2 L", "Proposition 1 (non-convex)", lambda x: lt(2 * x.L, x.lam)),
        Condition("lam > 2 sqrt(2) L, squared", "Lemma 2 (b)", lambda x: lt(8 * x.L**2, x.lam**2)),
        Condition("beta >= 1", "Theorems 1, 2", lambda x: le(1, x.beta)),
        Condition("S <= N", "Algorithm 1", lambda x: le(x.S, x.m)),
        Condition("eta_tilde <= beta/(2 L_F)", "Lemma 5", lambda x: le(eta_tilde(x), x.beta / (2 * x.L_F))),
        Condition("eta <= eta1_hat/(beta R)", "Theorem 1", lambda x: le(x.eta, eta1_hat(x) / (x.beta * x.R))),
        Condition("T >= 2/(eta1_hat mu_F)", "Theorem 1", lambda x: le(2 / (eta1_hat(x) * x.mu_F), x.T)),
        Condition("lam^2 - 8 L^2 >= 1", "Theorem 2", lambda x: le(1, x.lam**2 - 8 * x.L**2)),
        Condition("eta <= eta2_hat/(beta R)", "Theorem 2", lambda x: le(x.eta, eta2_hat(x) / (x.beta * x.R))),
    ),
    derived={"L_F": L_F, "mu_F": mu_F},
)  # fmt: skip
