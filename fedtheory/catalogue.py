"""Named constants, conditions and explicit rates of a paper, evaluated from whatever parameters are at hand.

A parameter is one number, or an array ``(m,)`` with one entry a client; a condition on clients holds where it holds for
every one of them, and is shown for the client with the least margin.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from .relation import Condition, Relation
from .symbols import Symbols

if TYPE_CHECKING:
    from .quantity import Named, Quantity, Values

LARGEST_ROUNDS = 2**900
ROUNDING = 1e-12  # of a relative margin
OUT_OF_RANGE = "out of the range of floats"


class MissingParameter(KeyError):
    """A formula asks for a parameter that was not given."""


class Parameters:
    """Parameters by the paper's name, with constants that stand in for parameters that were not given."""

    def __init__(
        self, given: Mapping[str, Quantity], derived: Mapping[str, Callable[[Named], Any]] | None = None
    ) -> None:
        self._given = dict(given)
        self._derived = dict(derived or {})

    def __contains__(self, name: object) -> bool:
        return name in self._given

    def __getattr__(self, name: str) -> Any:
        given = self.__dict__.get("_given", {})
        if name in given:
            return given[name]
        if name in self.__dict__.get("_derived", {}):
            return self._derived[name](self)
        raise MissingParameter(name)

    def ratio(self, p: int, q: int) -> Quantity:
        """The quotient p/q, exact unless a parameter is given as floats."""
        exact = not any(isinstance(v, (float, np.ndarray)) for v in self._given.values())
        return Fraction(p, q) if exact else p / q

    def min(self, s: Quantity) -> Any:
        """Least entry of a number or of one number a client."""
        return np.min(s) if isinstance(s, np.ndarray) else s

    def max(self, s: Quantity) -> Any:
        """Largest entry of a number or of one number a client."""
        return np.max(s) if isinstance(s, np.ndarray) else s

    def total(self, s: Quantity) -> Quantity:
        """Sum over the m clients of one number a client, or of a number that stands for each of them."""
        return np.sum(s) if isinstance(s, np.ndarray) else s * self.m

    def exp(self, s: Any) -> float:
        """Exponential in float64; inf above its range."""
        try:
            return math.exp(s)
        except OverflowError:
            return math.inf if s > 0 else 0.0

    def log(self, s: Any) -> float:
        """Natural logarithm in float64; -inf at zero."""
        return math.log(s) if s > 0 else -math.inf


@dataclass(frozen=True)
class Constant:
    """A constant: name, locator in the paper, the formula, and a condition without which it is not defined."""

    name: str
    where: str
    formula: Callable[[Named], Quantity]
    under: Condition | None = None


def never(x: Named) -> Quantity:
    """No lower limit on the rounds."""
    return 0


@dataclass(frozen=True)
class Bound:
    """An explicit inequality of a theorem, as printed.

    Attributes
    ----------
    curve : str
        The measured curve that it stands over, such as objective or stationarity.
    left : str
        Its left side.
    where : str
        Locator in the paper.
    right : callable
        (x, T) to the right side after T steps of the method.
    printed : str
        The right side as printed.
    conditions : tuple of Condition
        The conditions that the theorem states, of those in the catalogue.
    unstated : tuple of Condition
        Conditions that its proof uses and the theorem does not state.
    least : callable
        x to the number of rounds from which on the inequality is claimed.
    free : tuple of (str, callable) or None
        A step size that the theorem leaves to the user, and x to the largest one that it allows.
    """

    curve: str
    left: str
    where: str
    right: Callable[[Named, Any], Quantity]
    printed: str
    conditions: tuple[Condition, ...] = ()
    unstated: tuple[Condition, ...] = ()
    least: Callable[[Named], Any] = never
    free: tuple[str, Callable[[Named], Any]] | None = None


@dataclass(frozen=True)
class Theorem:
    """What a theorem asks of the parameters, for regions and the audit of experiments.

    Attributes
    ----------
    name : str
        As it is called in the paper; a repaired one says so.
    conditions : tuple of Condition
        All that it states, of those in the catalogue.
    proof : tuple of Condition
        What its proof uses and it does not state.
    bounds : tuple of Bound
        Its explicit inequalities.
    """

    name: str
    conditions: tuple[Condition, ...]
    proof: tuple[Condition, ...] = ()
    bounds: tuple[Bound, ...] = ()


@dataclass(frozen=True)
class Catalogue:
    """What a paper's theorems need: symbols, constants, conditions, explicit rates; `names` are the symbols that are asked for."""

    symbols: Symbols
    names: tuple[str, ...]
    constants: tuple[Constant, ...]
    conditions: tuple[Condition, ...]
    derived: Mapping[str, Callable[[Named], Any]]
    bounds: tuple[Bound, ...] = ()
    settings: Values = field(default_factory=dict)  # the paper's own experiment
    setting: str = ""  # where the paper has it
    exact: Values = field(default_factory=dict)  # what accuracies are where subproblems are solved exactly
    most: Mapping[str, Callable[[Named], Any]] = field(default_factory=dict)  # the largest value that the clients allow
    stands_for: Mapping[str, str] = field(default_factory=dict)  # a setting that another parameter, if given, replaces
    theorems: tuple[Theorem, ...] = ()
    tuned: tuple[str, ...] = ()  # what a user of the method sets, besides the rounds; the others are of the problem
    rounds: str = ""  # the parameter that counts rounds, where conditions have one

    @property
    def letters(self) -> dict[str, str]:
        """Parameters by the paper's own letter, where that is another one."""
        printed = {self.symbols[n].printed: n for n in self.names}
        return {letter: n for letter, n in printed.items() if letter.isidentifier() and letter not in self.names}

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters with their meaning."""
        return self.symbols.meanings(*self.names)

    @property
    def zero(self) -> frozenset[str]:
        """Parameters that may be 0; the others are positive."""
        return frozenset(n for n in self.names if (s := self.symbols[n].scalar).closed and s.low == 0)


@dataclass(frozen=True)
class Row:
    """One evaluated line.

    Attributes
    ----------
    kind : "constant" or "condition"
    name, where : str
    value : number, array (m,) or None
        Of a constant.
    lhs, op, rhs, holds, margin
        Of a condition; margin is (rhs - lhs)/|rhs|, None where rhs = 0.
    missing : str
        The parameter that is needed, or why the formula has no value.
    client : int or None
        The client with the least margin, where the condition is one on clients.
    """

    kind: str
    name: str
    where: str
    value: Any = None
    lhs: Any = None
    op: str = ""
    rhs: Any = None
    holds: bool | None = None
    margin: Any = None
    missing: str = ""
    client: int | None = None


def evaluate(catalogue: Catalogue, given: Mapping[str, Quantity]) -> Iterator[Row]:
    """Every constant and condition at the given parameters, exactly on Fractions; what has no value says why."""
    x = Parameters(given, catalogue.derived)
    for c in catalogue.constants:
        value, missing = attempt(c.formula, x)
        stated = attempt(c.under.relation, x)[0] if c.under else None
        if c.under and stated is not None and not _decided(c.under, stated).holds:
            value, missing = None, f"not defined: {c.under.printed} fails"
        yield Row("constant", c.name, c.where, value=value, missing=missing)
    yield from (row_of(k, x) for k in catalogue.conditions)


def row_of(k: Condition, x: Parameters) -> Row:
    """One condition, at its worst client; what has no value says why."""
    r, missing = attempt(k.relation, x)
    return _decided(k, r) if r is not None else Row("condition", k.printed, k.where, missing=missing)


def attempt(formula: Callable[..., object], *args: object) -> tuple[Any, str]:
    """(value, "") of a formula, or (None, why it has none)."""
    try:
        with np.errstate(divide="raise", invalid="ignore", over="ignore"):
            value = formula(*args)
    except MissingParameter as name:
        return None, f"needs {name.args[0]}"
    except (ZeroDivisionError, FloatingPointError):
        return None, "division by zero"
    except OverflowError:
        return None, OUT_OF_RANGE
    sides = (value.lhs, value.rhs) if isinstance(value, Relation) else (value,)
    if any(isinstance(v, (float, np.ndarray)) and np.isnan(np.asarray(v, dtype=np.float64)).any() for v in sides):
        return None, "not defined here (inf - inf or 0 inf)"
    return value, ""


def _decided(k: Condition, r: Relation) -> Row:
    """The condition at its worst client, the first of those that only rounding tells apart."""
    lhs, rhs, client = r.lhs, r.rhs, None
    if isinstance(lhs, np.ndarray) or isinstance(rhs, np.ndarray):
        left, right = (np.ravel(a).astype(np.float64) for a in np.broadcast_arrays(lhs, rhs))
        with np.errstate(invalid="ignore"):
            scaled = (right - left) / np.where((right == 0) | np.isinf(right), 1, abs(right))
        scaled = np.where(np.isnan(scaled), -np.inf, scaled)  # inf <= inf has no margin
        met = left <= right if r.op == "<=" else left < right
        worst = int(np.argmin(scaled))
        alike = (met == met[worst]) & ((scaled == scaled[worst]) | (scaled <= scaled[worst] + ROUNDING))
        client = int(np.argmax(alike))
        lhs, rhs = left[client], right[client]
    holds = lhs <= rhs if r.op == "<=" else lhs < rhs
    margin = (rhs - lhs) / abs(rhs) if rhs and abs(rhs) != math.inf else None
    return Row("condition", k.printed, k.where, None, lhs, r.op, rhs, bool(holds), margin, "", client)


@dataclass(frozen=True)
class Promise:
    """What a bound promises at the given parameters.

    Attributes
    ----------
    bound : Bound
    failing, unknown : tuple of Row
        Stated conditions that fail, and those that could not be evaluated.
    unstated : tuple of Row
        Conditions that the proof uses, the theorem does not state, and that fail.
    values : tuple of float
        The right side at the horizons asked for.
    limit : float or None
        The right side as T goes to infinity.
    least : float or None
        Rounds from which on the inequality is claimed.
    rounds : float or None
        Least T with a right side of at most the accuracy; inf if there is none, None if none was asked for.
    chosen : (str, float) or None
        The step that was chosen for the fewest rounds, where it is left to the user.
    missing : str
        Why there is no value.
    """

    bound: Bound
    failing: tuple[Row, ...]
    unknown: tuple[Row, ...]
    unstated: tuple[Row, ...]
    values: tuple[float, ...] = ()
    limit: float | None = None
    least: float | None = None
    rounds: float | None = None
    chosen: tuple[str, float] | None = None
    missing: str = ""


def promise(
    catalogue: Catalogue,
    bound: Bound,
    given: Values,
    *,
    accuracy: float | None = None,
    horizons: tuple[int, ...] = (),
    best: bool = False,
) -> Promise:
    """Evaluate one bound: the conditions that fail, some values, its limit, and the rounds it promises for an accuracy.

    With `best` the step that the theorem leaves free is the one with the fewest rounds among the largest allowed one
    times 2^(-j/4), j = 0 ... 160; without an accuracy the largest one.
    """
    chosen = None
    if best and bound.free is not None:
        name, largest = bound.free
        top, missing = attempt(lambda x: float(largest(x)), Parameters(given, catalogue.derived))
        if not missing:
            try:
                chosen = (name, _best_step(catalogue, bound, given, name, top, accuracy))
            except OverflowError:
                return Promise(bound, (), (), (), missing=OUT_OF_RANGE)
            given = {**given, name: chosen[1]}
    x = Parameters(given, catalogue.derived)
    rows = {r.name: r for r in evaluate(catalogue, given)}
    failing = tuple(rows[c.printed] for c in bound.conditions if rows[c.printed].holds is False)
    unknown = tuple(rows[c.printed] for c in bound.conditions if rows[c.printed].holds is None)
    unstated = tuple(rows[c.printed] for c in bound.unstated if rows[c.printed].holds is False)
    least, missing = attempt(bound.least, x)
    values = [attempt(bound.right, x, T) for T in (*horizons, math.inf)]
    missing = missing or next((m for _, m in values if m), "")
    if missing:
        return Promise(bound, failing, unknown, unstated, chosen=chosen, missing=missing)
    try:
        *some, limit = (float(v) for v, _ in values)
        rounds = None if accuracy is None else least_rounds(lambda T: bound.right(x, T), accuracy, float(least))
        return Promise(bound, failing, unknown, unstated, tuple(some), limit, float(least), rounds, chosen)
    except OverflowError:
        return Promise(bound, failing, unknown, unstated, chosen=chosen, missing=OUT_OF_RANGE)


def _best_step(
    catalogue: Catalogue, bound: Bound, given: Mapping[str, Quantity], name: str, top: float, accuracy: float | None
) -> float:
    """The step with the fewest rounds for the accuracy; the largest one where there is no accuracy or none reaches it."""
    if accuracy is None:
        return top
    given = {k: float(v) if isinstance(v, Fraction) else v for k, v in given.items()}

    def rounds(step: float) -> float:
        x = Parameters({**given, name: step}, catalogue.derived)
        least, missing = attempt(bound.least, x)
        limit, also = attempt(bound.right, x, math.inf)
        if missing or also or limit is None:
            return math.inf
        return least_rounds(lambda T: bound.right(x, T), accuracy, float(least))

    return min((top * 2 ** (-j / 4) for j in range(161)), key=rounds)


def least_rounds(right: Callable[[int], Any], accuracy: float, least: float = 0.0) -> float:
    """The least whole T of at least `least` with ``right(T) <= accuracy``, for a decreasing right side; inf if none.

    Examples
    --------
    >>> least_rounds(lambda T: 50 / T, 0.5)
    100.0
    >>> least_rounds(lambda T: 1 + 50 / T, 0.5)
    inf
    """
    if least == math.inf or not right(math.inf) <= accuracy:  # type: ignore[arg-type]
        return math.inf
    low = max(1, math.ceil(least))
    if right(low) <= accuracy:
        return float(low)
    high = 2 * low
    while not right(high) <= accuracy:
        if high > LARGEST_ROUNDS:
            return math.inf
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if right(middle) <= accuracy else (middle, high)
    return float(high)
