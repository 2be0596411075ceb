"""Constants of theorems, measured on a problem: each with its value, what it is, and how it was found.

Which of them a paper needs, under which names, its own folder says; here is what such functions are made of.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from fedtheory.checks import initial
from fedtheory.errors import UsageError
from fedtheory.measure.observe import objective
from fedtheory.problem import Problem
from fedtheory.runs.loop import number

from .clients.envelope import Envelope
from .clients.heterogeneity import Measured as Supremum


class Measured(NamedTuple):
    """One constant.

    Attributes
    ----------
    value : float or ndarray (m,)
        One number, or one a client; None where it is unknown.
    label : str
        ``measured``, ``estimate`` (at one point, where the constant is a supremum over all), ``bound`` (a proved bound on the
        constant), ``infinite`` or ``unknown``.
    how : str
        One sentence.
    """

    value: Any
    label: str
    how: str


Measure = Callable[[Problem, Envelope | None, Any], dict[str, Measured]]


def measured(
    measure: Measure | None,
    problem: Problem,
    *,
    lam: float | None = None,
    envelope: Envelope | None = None,
    start: Any = None,
) -> dict[str, Measured]:
    """What the theorems of a paper need of a problem, by the paper's names.

    Parameters
    ----------
    measure : callable or None
        Of the paper's record: from the problem, its clients' envelopes (or None) and the start of methods, ``(1, d)``. None
        measures the number of clients alone.
    problem : Problem
    lam : float, optional
        Moreau parameter; without it there are no envelopes.
    envelope : Envelope, optional
        Of the problem at lam, where it is at hand: its optimum is kept.
    start : array (1, d), optional
        Where the run began; where methods begin by default.

    Examples
    --------
    >>> from problems.clients.quadratic import QuadraticClients
    >>> f = QuadraticClients([[[1.0]], [[3.0]]], [[0.0], [4.0]])
    >>> measured(lambda f, F, start: {"L": smoothness(f), "gap": gap(f, start, "f(0) - f*")}, f)["gap"].value
    1.0
    """
    if envelope is None and lam is not None and lam + problem.constants().mu > 0:
        envelope = Envelope(problem, lam)
    if measure is None:
        return {"m": clients(problem)}
    return measure(problem, envelope, initial("measured(...)", None, problem, 1) if start is None else start)


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
    """``estimate`` or ``bound`` if the sentence about `name` calls it one, else ``measured``.

    Examples
    --------
    >>> label("L_i = 2, a bound; mu_i = 1, attained", "L_i"), label("L_i = 2, a bound; mu_i = 1, attained", "mu_i")
    ('bound', 'measured')
    """
    said = about(how, name)
    return "estimate" if "an estimate" in said else "bound" if "bound" in said else "measured"


def clients(problem: Problem) -> Measured:
    """Their number m."""
    return Measured(problem.m, "measured", "clients")


def smoothness(problem: Problem) -> Measured:
    """The largest L_i, or why it is infinite."""
    c = problem.constants()
    return Measured(c.L, label(c.how, "L_i") if np.isfinite(c.L) else "infinite", f"largest L_i: {about(c.how, 'L_i')}")


def convexity(problem: Problem) -> Measured:
    """The smallest mu_i; negative for a weakly convex client."""
    c = problem.constants()
    return Measured(c.mu, label(c.how, "mu_i"), f"smallest mu_i: {about(c.how, 'mu_i')}")


def gap(problem: Problem, start: Any, what: str) -> Measured:
    """Value at the start less the optimal one, or why there is none."""
    try:
        best = problem.optimum()
    except UsageError as error:
        return Measured(None, "unknown", str(error))
    value = number(objective(problem, start)) - best.f_star
    return Measured(value, "measured", f"{what}; {best.how}, |grad| = {best.residual:.2g} there")


def variance(found: Supremum) -> Measured:
    """A supremum over all points as the theorems take it: the constant, or its proved bound."""
    if "an estimate" in found.how:
        return Measured(found.value, "estimate", found.how)
    if not np.isfinite(found.bound):
        return Measured(found.bound, "infinite", found.how)
    return Measured(found.bound, "measured" if found.exact else "bound", found.how)
