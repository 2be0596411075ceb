"""Theorem 2 of pFedMe as functions of an instance (arXiv:2006.08848, Sections 4 and A.5).

The braces of (42) are here as printed (`C4_brace` ...), with the powers of the step inside; `C4`, `C6` of
`fedtheory.theory.pfedme.constants` and `C5` below leave them out, as (44) needs it. sigma_{F,2}^2 is passed as `variance`, so that
a scalar may stand for it.
"""

from __future__ import annotations

from typing import Any

from ...relation import Relation, le
from .constants import C4 as C4
from .constants import C6 as C6
from .constants import L_F
from .constants import sampling_printed as sampling


def ratio(x: Any, p: int, q: int) -> Any:
    """p/q as a number of the engine, where a quotient of plain integers would be a float. Unit 1."""
    return p * (x.lam / x.lam) / q


def lam_condition(x: Any) -> Relation:
    """lam >= sqrt(8 L^2 + 1), squared: lam^2 - 8 L^2 >= 1 (Theorem 2). A number is compared with E^2/M^4."""
    return le(1, x.lam**2 - 8 * x.L**2)


def step_limit(x: Any) -> Any:
    """eta2_hat = 1/(75 L_F lam^2) of (43) with L_F = lam (Proposition 1). Not a step size in units."""
    return 1 / (75 * L_F(x) * x.lam**2)


def C5(x: Any, variance: Any) -> Any:
    """C_5 = 3/2 L_F sigma_{F,2}^2 (N/S - 1)/(N - 1), without eta_tilde^2. Unit E^3/M^4."""
    return 3 * L_F(x) * variance / 2 * sampling(x)


def C4_brace(x: Any, step: Any, variance: Any) -> Any:
    """C_4 as its underbrace in (42) has it, with eta_tilde^3/beta^2."""
    return step**3 / x.beta**2 * C4(x, variance)


def C5_brace(x: Any, step: Any, variance: Any) -> Any:
    """C_5 as its underbrace in (42) has it, with eta_tilde^2."""
    return step**2 * C5(x, variance)


def C6_brace(x: Any, step: Any) -> Any:
    """C_6 as its underbrace in (42) has it, with eta_tilde."""
    return step * C6(x)


def Delta_F(start: Any, infimum: Any) -> Any:
    """F(w_0) - F*; Theorem 2 has no minimiser, F* is the infimum. Unit E."""
    return start - infimum


def at_t_star(x: Any, per_round: Any) -> Any:
    """Expectation of a quantity ``(..., T)`` at a round t* drawn uniformly from 0 .. T-1; the client axis counts rounds."""
    return x.total(per_round / x.N)


def case1(x: Any) -> Relation:
    """First case of the proof: min(a, b) <= eta2_hat, for a^3 = beta^2 Delta_F/(T C_4) and b^2 = Delta_F/(T C_5)."""
    return le(x.minimum(x.a, x.b), x.eta2_hat)


def case2(x: Any) -> tuple[Relation, Relation]:
    """Second case of the proof: eta2_hat <= a and eta2_hat <= b, with a and b as in `case1`."""
    return le(x.eta2_hat, x.a), le(x.eta2_hat, x.b)
