"""The constants of the papers' theorems, measured on a problem: each with its value, what it is, and how it was found."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fedtheory.errors import UsageError
from fedtheory.measure.observe import distance_sq, objective
from fedtheory.runs.loop import number

from .clients.envelope import Envelope
from .clients.heterogeneity import gamma_f_sq, sigma_f_sq


class Measured(NamedTuple):
    """One constant.

    Attributes
    ----------
    value : float or ndarray (m,)
        One number, or one a client; None where it is unknown.
    label : str
        ``measured``, ``bound`` (a proved bound on the constant), ``infinite`` or ``unknown``.
    how : str
        One sentence.
    """

    value: Any
    label: str
    how: str


def measured(
    paper: str, problem: Any, *, lam: float | None = None, w0: Any = None, envelope: Any = None
) -> dict[str, Measured]:
    """What the theorems of a paper need of a problem, by the paper's names.

    Parameters
    ----------
    paper : {"pfedme", "fedadmm", "flame", "dadpfl"}
        Its catalogue in `fedtheory.theory` says what the names are.
    problem : Problem
    lam : float, optional
        Moreau parameter of pFedMe and FLAME; without it what depends on it is left out.
    w0 : array (1, d), optional
        Where the method starts; zero by default.
    envelope : Envelope, optional
        Of the problem at lam, where it is at hand: its optimum is kept.

    Examples
    --------
    >>> from problems.clients.quadratic import QuadraticClients
    >>> f = QuadraticClients([[[1.0]], [[3.0]]], [[0.0], [4.0]])
    >>> {k: float(v.value) for k, v in measured("dadpfl", f).items() if k in ("L", "gap")}
    {'L': 3.0, 'gap': 1.0}
    """
    if envelope is None and lam is not None and lam + problem.constants().mu > 0:
        envelope = Envelope(problem, lam)
    start = problem.xp.zeros((1, problem.d), dtype=problem.xp.float64, device=problem.device) if w0 is None else w0
    return {"pfedme": _pfedme, "fedadmm": _fedadmm, "flame": _flame, "dadpfl": _dadpfl}[paper](problem, envelope, start)


def about(how: str, name: str) -> str:
    """The part of a sentence on constants that is about `name`, L_i or mu_i; all of it where it is about both.

    Examples
    --------
    >>> about("L_i = 2, a bound; mu_i = 1, attained", "mu_i")
    'mu_i = 1, attained'
    """
    first, mark, second = how.partition("; mu_i")
    if not mark:
        return how
    return first if name == "L_i" else f"mu_i{second}"


def label(how: str, name: str) -> str:
    """``bound`` if the sentence about `name` calls it one, else ``measured``.

    Examples
    --------
    >>> label("L_i = 2, a bound; mu_i = 1, attained", "L_i"), label("L_i = 2, a bound; mu_i = 1, attained", "mu_i")
    ('bound', 'measured')
    """
    return "bound" if "bound" in about(how, name) else "measured"


def _smoothness(problem: Any) -> Measured:
    c = problem.constants()
    return Measured(c.L, label(c.how, "L_i") if np.isfinite(c.L) else "infinite", f"largest L_i: {about(c.how, 'L_i')}")


def _convexity(problem: Any) -> Measured:
    c = problem.constants()
    return Measured(c.mu, label(c.how, "mu_i"), f"smallest mu_i: {about(c.how, 'mu_i')}")


def _gap(problem: Any, start: Any, what: str) -> Measured:
    """Value at the start less the optimal one, or why there is none."""
    try:
        best = problem.optimum()
    except UsageError as error:
        return Measured(None, "unknown", str(error))
    value = number(objective(problem, start)) - best.f_star
    return Measured(value, "measured", f"{what}; {best.how}, |grad| = {best.residual:.2g} there")


def _variance(found: Any) -> Measured:
    """A supremum over all points as the theorems take it: the constant, or its proved bound."""
    if not np.isfinite(found.bound):
        return Measured(found.bound, "infinite", found.how)
    return Measured(found.bound, "measured" if found.exact else "bound", found.how)


def _pfedme(problem: Any, F: Any, start: Any) -> dict[str, Measured]:
    out = {
        "m": Measured(problem.m, "measured", "clients"),
        "L": _smoothness(problem),
        "mu": _convexity(problem),
        "sigma_f_sq": _variance(sigma_f_sq(problem)),
        "gamma_f_sq": _variance(gamma_f_sq(problem)),
    }
    if F is None:
        return out
    gap = _gap(F, start, "F(w_0) - F*")
    if gap.value is None:
        return {**out, "Delta_F": gap, "Delta_0": gap, "sigma_F1_sq": gap}
    best = F.optimum()
    G = F.grad(best.w_star)
    at_w_star = number(problem.xp.mean(problem.xp.sum(G * G, axis=-1)))
    return {
        **out,
        "sigma_F1_sq": Measured(at_w_star, "measured", "mean of |grad F_i(w*)|^2 at the computed w*"),
        "Delta_0": Measured(number(distance_sq(start, best.w_star)), "measured", f"|w_0 - w*|^2; {best.how}"),
        "Delta_F": gap,
    }


def _fedadmm(problem: Any, F: Any, start: Any) -> dict[str, Measured]:
    c = problem.constants()
    found = label(c.how, "L_i") if np.isfinite(c.L) else "infinite"
    return {
        "m": Measured(problem.m, "measured", "clients"),
        "r": Measured(c.L_i, found, about(c.how, "L_i")),
        "s": Measured(np.maximum(-c.mu_i, 0.0), label(c.how, "mu_i"), f"max(-mu_i, 0): {about(c.how, 'mu_i')}"),
        "d": Measured(problem.d, "measured", "dimension of the model"),
        "n": Measured(int(problem.n.sum()), "measured", "samples of all clients"),
        "gap_f": _gap(problem, start, "f(w^0) - f*"),
    }


def _flame(problem: Any, F: Any, start: Any) -> dict[str, Measured]:
    out = {"m": Measured(problem.m, "measured", "clients"), "L": _smoothness(problem)}
    if F is None:
        return out
    try:
        best = F.optimum()
    except UsageError as error:
        return {**out, "gap": Measured(None, "unknown", str(error))}
    value = number(objective(problem, start)) - best.f_star
    how = f"L^0 - F* at theta_i^0 = w_i^0 = w^0, where L^0 = f(w^0); {best.how}"
    return {**out, "gap": Measured(value, "measured", how)}


def _dadpfl(problem: Any, F: Any, start: Any) -> dict[str, Measured]:
    return {
        "m": Measured(problem.m, "measured", "clients"),
        "L": _smoothness(problem),
        "sigma_g_sq": _variance(sigma_f_sq(problem)),
        "sigma_l_sq": _variance(gamma_f_sq(problem)),
        "gap": _gap(problem, start, "f(omega^0) - min f"),
    }
