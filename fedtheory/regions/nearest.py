"""The nearest setting that meets conditions: the least change of some parameters in the logarithm."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..catalogue import Catalogue, Parameters, attempt
from ..gram.ratio import Ratio, at
from ..relation import Condition
from .advice import short
from .forms import EXPONENTIALS, Form, forms
from .intervals import clients

if TYPE_CHECKING:
    from ..quantity import Quantity, Values

SLACK = (1e-3, 1e-2, 1e-1)  # in the logarithm, inside of every boundary, so that short numbers can be had
DIGITS = 4
NOTHING = 1e6  # minus the logarithm of a sum without terms


@dataclass(frozen=True)
class Nearest:
    """A setting that meets the conditions, checked in exact arithmetic.

    Attributes
    ----------
    values : mapping of str to Fraction
        The parameters that may move, moved or not.
    distance : float
        Root of the sum of the squared natural logarithms of what they were multiplied by.
    """

    values: Mapping[str, Fraction]
    distance: float


def holds(condition: Condition, given: Mapping[str, Quantity], catalogue: Catalogue) -> bool | None:
    """Whether a condition holds for every client, exactly on Fractions; None where it has no value."""
    r, missing = attempt(condition.relation, Parameters(given, catalogue.derived))
    if missing:
        return None
    return bool(np.all(r.lhs <= r.rhs if r.op == "<=" else r.lhs < r.rhs))


def nearest(
    catalogue: Catalogue, conditions: Sequence[Condition], given: Values, names: Sequence[str]
) -> Nearest | None:
    """The nearest values of `names` at which the conditions hold, by a search; None where none was found.

    Parameters
    ----------
    given : mapping of str to number or ndarray (m,)
        Every parameter that the conditions need; those in `names` are positive.
    names : sequence of str
        The parameters that may move; those that count something stay whole numbers.

    Examples
    --------
    >>> from fedtheory.registry import paper
    >>> from fractions import Fraction
    >>> catalogue = paper("flame").catalogue()
    >>> given = {"m": Fraction(50), "lam": Fraction(5), "rho": Fraction(1, 100)}
    >>> found = nearest(catalogue, catalogue.conditions[2:3], given, ("rho", "lam"))
    >>> found.values["rho"] >= found.values["lam"] / 50
    True
    """
    start = {n: float(given[n]) for n in names}
    about = [f for f in forms(catalogue, conditions, given) if not f.missing]
    own = [f for f in about if f.depends_on() & set(names)]
    if any(not holds(f.condition, given, catalogue) for f in about if f not in own):
        return None  # whatever the parameters are
    if all(holds(f.condition, given, catalogue) for f in own):
        return Nearest({n: Fraction(given[n]) for n in names}, 0.0)
    for slack in SLACK:
        found = _search(own, given, start, slack)
        for values in _rounded(catalogue, own, given, start, found, slack):
            exact = {**given, **values}
            if all(holds(f.condition, exact, catalogue) for f in own):
                return Nearest(values, _distance(start, {n: float(v) for n, v in values.items()}))
    return None


def _distance(start: Mapping[str, float], at: Mapping[str, float]) -> float:
    return math.sqrt(sum(math.log(at[n] / start[n]) ** 2 for n in start))


def _search(
    own: Sequence[Form], given: Mapping[str, object], start: Mapping[str, float], slack: float
) -> dict[str, float]:
    """The least change at which every condition holds with some slack, in floats."""
    from scipy.optimize import minimize

    names = list(start)
    origin = np.array([math.log(start[n]) for n in names])
    gaps = _Gaps([g for f in own for g in _gaps(f, names, given)], len(names))

    def values(u: np.ndarray) -> np.ndarray:
        return gaps.values(origin + u) - slack

    constraints = {"type": "ineq", "fun": values, "jac": lambda u: gaps.slopes(origin + u)}
    best, least = np.zeros(len(names)), math.inf
    for first in _starts(len(names)):
        found = minimize(
            lambda u: float(u @ u), first, method="SLSQP", jac=lambda u: 2 * u, constraints=constraints,
            options={"maxiter": 200, "ftol": 1e-12},
        )  # fmt: skip
        if np.all(values(found.x) >= -slack / 2) and found.x @ found.x < least:
            best, least = found.x, float(found.x @ found.x)
    return {n: math.exp(s) for n, s in zip(names, origin + best, strict=True)}


def _starts(n: int) -> list[np.ndarray]:
    """Where it is, and some way along every parameter alone."""
    return [np.zeros(n), *(way * np.eye(n)[k] for k in range(n) for way in (-3.0, 3.0))]


class _Gap(NamedTuple):
    """One relation for one client, ``0 < sum of c_j e^{a_j u}``.

    Attributes
    ----------
    powers : list (terms, names)
    logs : list (terms,)
        Logarithms of the coefficients without their signs.
    positive : list (terms,) of bool
    """

    powers: list[list[int]]
    logs: list[float]
    positive: list[bool]


class _Gaps:
    """Relations as the logarithm of their positive terms over their negative ones, all at once; a sum without terms is e^-NOTHING.

    Parameters
    ----------
    gaps : sequence of _Gap
    names : int
        How many parameters move.
    """

    def __init__(self, gaps: Sequence[_Gap], names: int) -> None:
        powers: list[list[int]] = []
        logs: list[float] = []
        first: list[int] = []
        for sign in (True, False):
            for g in gaps:
                first.append(len(logs))
                own = [k for k, positive in enumerate(g.positive) if positive is sign]
                powers += [g.powers[k] for k in own] or [[0] * names]
                logs += [g.logs[k] for k in own] or [-NOTHING]
        self._powers = np.array(powers, dtype=np.float64).reshape(-1, names)
        self._logs, self._first = np.array(logs), np.array(first, dtype=int)
        self._many = np.diff([*first, len(logs)])

    def _sums(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(largest logarithm of a term, sum of the terms over it) of every sum, and every term over its largest one."""
        at = self._logs + self._powers @ u
        most = np.maximum.reduceat(at, self._first)
        weights = np.exp(at - np.repeat(most, self._many))
        return most, np.add.reduceat(weights, self._first), weights

    def values(self, u: np.ndarray) -> np.ndarray:
        """(gaps,) at logarithms of the parameters."""
        if not self._first.size:
            return np.zeros(0)
        most, total, _ = self._sums(u)
        positive, negative = np.split(most + np.log(total), 2)
        return positive - negative

    def slopes(self, u: np.ndarray) -> np.ndarray:
        """(gaps, names), their gradients."""
        if not self._first.size:
            return np.zeros((0, len(u)))
        _, total, weights = self._sums(u)
        positive, negative = np.split(np.add.reduceat(weights[:, None] * self._powers, self._first) / total[:, None], 2)
        return positive - negative


def _gaps(f: Form, names: Sequence[str], given: Mapping[str, object]) -> list[_Gap]:
    """The relations of a condition, which has polynomials only, in the parameters that move.

    An exponential is taken at its value where they start: a condition with one is met by moving the others.
    """
    out = []
    for values in clients({n: given[n] for n in f.depends_on()}):
        numbers = {n: (_sign(v), _log(abs(v))) for n, v in values.items() if n not in names}
        for name, exponent in f.exponents.items():
            at_start = at(exponent, {**dict.fromkeys((*f.names, *EXPONENTIALS), Fraction(0)), **values})
            numbers[name] = 1, float(at_start)
        for _, gap in f.pieces:
            if isinstance(gap, Ratio):
                out.append(_terms(gap, names, numbers))
    return out


def _terms(gap: Ratio, names: Sequence[str], numbers: Mapping[str, tuple[int, float]]) -> _Gap:
    """The terms in the parameters that move, with the signs and logarithms of the other ones in their coefficients."""
    own = gap.sign.context().names()
    powers, logs, positive = [], [], []
    for exponents, c in gap.sign.terms():
        degrees = {n: int(e) for n, e in zip(own, exponents, strict=True) if e}
        fixed = [(*numbers[n], e) for n, e in degrees.items() if n not in names]
        sign = math.prod((s**e for s, _, e in fixed), start=1 if c > 0 else -1)
        if sign:
            powers.append([degrees.get(n, 0) for n in names])
            logs.append(_log(abs(Fraction(int(c.p), int(c.q)))) + sum(log * e for _, log, e in fixed))
            positive.append(sign > 0)
    return _Gap(powers, logs, positive)


def _sign(value: Fraction) -> int:
    return int(value > 0) - int(value < 0)


def _log(value: Fraction) -> float:
    """The logarithm of a number of at least 0, however large or small; of 0, which has no sign, any number."""
    return math.log(value.numerator) - math.log(value.denominator) if value else 0.0


def _rounded(
    catalogue: Catalogue, own: Sequence[Form], given: Values, start: Mapping[str, float],
    found: Mapping[str, float], slack: float,
) -> list[dict[str, Fraction]]:  # fmt: skip
    """Short numbers near the solution, whole ones where the parameter counts something; the others are sought again then."""
    whole = [n for n in start if catalogue.symbols[n].whole]
    out = []
    for round_ in (round, math.floor, math.ceil) if whole else (round,):
        fixed = {n: Fraction(max(1, round_(found[n]))) for n in whole}
        others = {n: start[n] for n in start if n not in whole}
        near = _search(own, {**given, **fixed}, others, slack) if whole and others else found
        values = {n: Fraction(given[n]) if near[n] == start[n] else short(Fraction(near[n]), DIGITS) for n in others}
        out.append({n: fixed.get(n, values.get(n, Fraction(0))) for n in start})
    return sorted(out, key=lambda v: _distance(start, {n: float(q) for n, q in v.items()}))
