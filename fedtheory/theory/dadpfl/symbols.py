"""Symbols of DA-DPFL (Long, Wang, Anagnostopoulos, Bi), each once: unit, range, meaning."""

from __future__ import annotations

from ...symbols import Symbol, Symbols
from ...units import CURVATURE, GRADIENT, STEP, VALUE
from ...world import at_least, positive

symbols = Symbols(
    m=Symbol("clients (K)", at_least(1), "K", whole=True),
    M=Symbol("neighbours", at_least(1), whole=True),
    L=Symbol("Lipschitz constant of the gradient (mu in the paper)", positive(CURVATURE), "mu"),
    eta=Symbol("step size", positive(STEP)),
    E_l=Symbol("local steps", at_least(1), whole=True),
    sigma_l_sq=Symbol("local variance", at_least(0, GRADIENT**2), "sigma_l^2"),
    sigma_g_sq=Symbol("global variance", at_least(0, GRADIENT**2), "sigma_g^2"),
    sigma_p_sq=Symbol("variance of personalisation", at_least(0, GRADIENT**2), "sigma_p^2"),
    gap=Symbol("E f(omega^0) - min f", at_least(0, VALUE), "-"),
)
