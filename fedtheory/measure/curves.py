"""Measured curves of a trace, and over each the paper's explicit bound where its conditions hold, or why there is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import numpy as np

from ..catalogue import Catalogue, Parameters, Row, attempt, evaluate
from ..errors import UsageError
from ..figures import decimal
from ..quantity import Values
from ..relation import Condition
from ..trace import Trace

ROUNDING = 64 * np.finfo(np.float64).eps  # sums of m terms and of k steps are right to some dozen units of their scale
EVERY = "the left side of the theorem is a mean over every round; observe with every = 1"
START = "the bound counts from t = 0, and the trace begins at {}"
ONE_DRAW = "the bound is on an expectation over the selections; this is one draw"
COMPARED = re.compile(r"[<>]=?|==")  # the first of a condition as printed
TURNED = {"<": ">", "<=": ">="}
NO_RATE = "no installed paper states a rate for this method"


@dataclass(frozen=True)
class Setting:
    """What curves need besides the trace.

    Attributes
    ----------
    optimal : float or None
        The least value of the objective; None where it is not known.
    catalogue : Catalogue or None
        Of the method's paper; None for a method without one.
    given : mapping of str to number
        Hyper-parameters and constants by the paper's names.
    why : mapping of str to str
        Why a constant is infinite or unknown, by its name.
    """

    optimal: float | None = None
    catalogue: Catalogue | None = None
    given: Values = field(default_factory=dict)
    why: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Curve:
    """One panel of a picture.

    Attributes
    ----------
    name : str
        Of the column that it shows: objective, stationarity, error, lyapunov, moves or another one.
    title, unit : str
        What is measured, and its unit (E of values, M of vectors; empty where it has none).
    x, y : ndarray (rows,)
        Communications, and what is measured at each of them.
    left : ndarray (rows,) or None
        The left side of the theorem where it is not `y` itself: a running mean, nan where undefined.
    left_title : str
        What `left` is.
    bound : ndarray (rows,) or None
        The right side, nan where it is not claimed; None where a condition fails.
    where : str
        Locator of the bound.
    notes : tuple of str
        Which condition fails and by how much, why else there is no bound, or what the proof leaves out.
    outcome : str
        ``holds on this trace``, ``fails on this trace`` and where, or ``no bound``.
    threshold : float or None
        A level at which a stopping rule ends the run.
    """

    name: str
    title: str
    unit: str
    x: np.ndarray
    y: np.ndarray
    _: KW_ONLY
    left: np.ndarray | None = None
    left_title: str = ""
    bound: np.ndarray | None = None
    where: str = ""
    notes: tuple[str, ...] = ()
    outcome: str = "no bound"
    threshold: float | None = None

    def last(self) -> tuple[float, float | None]:
        """The left side of the theorem and its bound at the end."""
        y = self.y if self.left is None else self.left
        return float(y[-1]), None if self.bound is None else float(self.bound[-1])


class Lacking(Exception):
    """A column that a panel needs and a trace has not."""


class Columns(Trace):
    """A trace whose missing columns are told."""

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.columns:
            raise Lacking(name)
        return self.columns[name]


class View:
    """A trace with what its setting says, for the panels of a paper: gaps, conditions, bounds.

    Attributes
    ----------
    trace : Trace
    setting : Setting
    c, T : ndarray (rows,)
        Communications, and steps of the method.
    complete : bool
        Whether every step was observed.
    x : Parameters
        The parameters of the catalogue.
    rows : dict of Row
        Its constants and conditions at these, by name.
    lacking : list of str
        What panels need that cannot be drawn, a line each.
    """

    def __init__(self, trace: Trace, setting: Setting) -> None:
        self.trace, self.setting = Columns(trace.columns, trace.stopped), setting
        self.lacking: list[str] = []
        self.c, self.T = trace["communications"], trace["t"]
        self.complete = bool((np.diff(self.T) == 1).all())
        self.x = Parameters(setting.given, setting.catalogue.derived if setting.catalogue else {})
        self.rows: dict[str, Row] = {}
        if setting.catalogue:
            self.rows = {r.name: r for r in evaluate(setting.catalogue, setting.given)}

    def gap(self, name: str) -> np.ndarray:
        """A column less the optimal value, where that is known."""
        return self.trace[name] - (self.setting.optimal or 0.0)

    def minus(self, star: str) -> str:
        """The same in a title."""
        return "" if self.setting.optimal is None else f" - {star}"

    def scale(self, *names: str) -> float:
        """The size of the numbers that were added up, for the rounding of their differences."""
        return sum(float(np.max(np.abs(self.trace[n]))) for n in names) + abs(self.setting.optimal or 0.0)

    def conditions(
        self, stated: tuple[Condition, ...], unstated: tuple[Condition, ...] = ()
    ) -> tuple[bool, tuple[str, ...]]:
        """(whether the stated conditions hold, what to say about them)."""
        if self.setting.optimal is None:
            return False, (f"the optimal value is not known: {self.setting.why.get('optimum', 'it was not computed')}",)
        rows = [self.rows[c.printed] for c in stated]
        said = [describe(r, self.setting.why) for r in rows if not r.holds]
        proof = [self.rows[c.printed] for c in unstated if self.rows[c.printed].holds is False]
        said += [f"not stated by the theorem but used by its proof: {describe(r, self.setting.why)}" for r in proof]
        return all(r.holds for r in rows), tuple(said)

    def bound(self, curve: str, **more: Any) -> tuple[np.ndarray | None, str, tuple[str, ...]]:
        """(right sides, nan where not claimed, or None; locator; notes) of the catalogue's bound on a curve."""
        assert self.setting.catalogue is not None
        bound = next(b for b in self.setting.catalogue.bounds if b.curve == curve)
        holds, notes = self.conditions(bound.conditions, bound.unstated)
        x = Parameters({**self.setting.given, **more}, self.setting.catalogue.derived)
        least, missing = attempt(bound.least, x)
        values = [attempt(bound.right, x, int(t)) for t in self.T if t > 0]
        missing = missing or next((m for _, m in values if m), "")
        if missing:
            return None, bound.where, (*notes, *(() if notes else (f"the bound has no value: {missing}",)))
        if not holds:
            return None, bound.where, notes
        right = np.array([np.nan] * int(self.T[0] == 0) + [float(v) for v, _ in values])
        if least > self.T[-1]:
            late = f"claimed from T = {int(np.ceil(float(least)))} on; this run has T = {int(self.T[-1])}"
            return None, bound.where, (*notes, late)
        return np.where(float(least) <= self.T, right, np.nan), bound.where, notes

    def panel(
        self,
        name: str,
        title: str,
        unit: str,
        y: np.ndarray,
        *,
        left: np.ndarray | None = None,
        left_title: str = "",
        bound: np.ndarray | None = None,
        scale: float = 0.0,
        where: str = "",
        notes: tuple[str, ...] = (),
        threshold: float | None = None,
    ) -> Curve:
        """A curve over the communications, with what its left side and its bound, rounded at `scale`, come to.

        Bounds count from the start of a run: a trace that begins later has none.
        """
        if (self.T[0] != 0 or self.c[0] != 0) and (bound is not None or where):
            begins = f"t = {int(self.T[0])}" if self.T[0] != 0 else f"communication {int(self.c[0])}"
            bound, notes = None, (*notes, START.format(begins))
        said = outcome(y if left is None else left, bound, self.c, scale)
        return Curve(
            name, title, unit, self.c, y, left=left, left_title=left_title, bound=bound, where=where, notes=notes,
            outcome=said, threshold=threshold,
        )  # fmt: skip

    def drawn(self, *makes: Callable[[View], Curve | list[Curve]]) -> list[Curve]:
        """The panels that can be made of the columns that there are; what the others need is entered in `lacking`."""
        out: list[Curve] = []
        for make in makes:
            try:
                made = make(self)
            except Lacking as column:
                name = make.__name__.replace("_", " ")
                self.lacking.append(f"{name} needs the column {column}, which is neither in the trace nor measured")
                continue
            out += made if isinstance(made, list) else [made]
        return out

    def sampled(self) -> tuple[str, ...]:
        """A note where the bound is on an expectation."""
        return (ONE_DRAW,) if "S" in self.x and self.x.m != self.x.S else ()

    def measured(self, column: str, name: str) -> tuple[str, ...]:
        """A note where an accuracy in the bound is what this run showed, and not a guarantee."""
        return (f"{name} is the largest of this run, {self.trace[column].max():.3g}",) if column in self.trace else ()


def describe(row: Row, why: Mapping[str, str] | None = None) -> str:
    """A condition that fails or is not decided, and by how much, in a line.

    Examples
    --------
    >>> describe(Row("condition", "beta >= 1", "Theorem 1", None, 1, "<=", 0.5, False, -1.0))
    'beta >= 1 fails: 0.5 >= 1 is off by 0.5, 1 times the left side'
    >>> describe(Row("condition", "a < b", "Theorem 1", None, 1, "<", -3.0, False, -1.3))
    'a < b fails: 1 < -3 is off by 4'
    """
    if row.holds is None:
        name = row.missing.removeprefix("needs ")
        return f"{row.name} is not decided: {(why or {}).get(name, row.missing)}"
    who = "" if row.client is None else f" for client {row.client}"
    left, right = decimal(row.lhs or 0, 4), decimal(row.rhs or 0, 4)  # -0.0 is 0
    written = COMPARED.search(row.name)
    turned = written is not None and written[0] in (">", ">=")  # a relation as data has its smaller side first
    shown = f"{right} {TURNED.get(row.op, row.op)} {left}" if turned else f"{left} {row.op} {right}"
    sides = f"{row.name} fails{who}: {shown}"
    reason = next((f" ({said})" for name, said in (why or {}).items() if name in row.name.replace("^2", "_sq")), "")
    if row.margin is None:
        return sides + reason
    off = f"{sides} is off by {decimal(abs(row.rhs - row.lhs), 3)}"
    if row.rhs < 0:  # no share of it says how far the other one is
        return off
    return f"{off}, {decimal(abs(row.margin), 3)} times the {'left' if turned else 'right'} side"


def outcome(left: np.ndarray, right: np.ndarray | None, x: np.ndarray, scale: float) -> str:
    """Whether every defined left side is at most its right side, up to the rounding of numbers of the size `scale`.

    Examples
    --------
    >>> outcome(np.array([1.0, 3.0]), np.array([2.0, 2.0]), np.array([0, 1]), 3.0)
    'fails on this trace at communication 1: 3 > 2'
    """
    if right is None:
        return "no bound"
    both = np.isfinite(left) & np.isfinite(right)
    over = both & (left > right + ROUNDING * scale)
    if over.any():
        k = int(np.argmax(over))
        return f"fails on this trace at communication {int(x[k])}: {left[k]:.6g} > {right[k]:.6g}"
    return "holds on this trace" if both.any() else "no bound"


def running_mean(y: np.ndarray) -> np.ndarray:
    """Means of y_0 ... y_{T-1} at position T; nan at 0.

    Examples
    --------
    >>> running_mean(np.array([4.0, 2.0, 0.0]))
    array([nan,  4.,  3.])
    """
    return np.concatenate([[np.nan], np.cumsum(y)[:-1] / np.arange(1, len(y))])


def weighted_mean(y: np.ndarray, ratio: float) -> np.ndarray:
    """Means of y_0 ... y_{T-1} with weights alpha_t = ratio^-(t+1) at position T; nan at 0.

    Examples
    --------
    >>> weighted_mean(np.array([4.0, 1.0, 0.0]), 0.5)
    array([nan,  4.,  2.])
    """
    out, mean, weight = np.full(len(y), np.nan), 0.0, 0.0
    for t, entry in enumerate(y[:-1]):
        weight = weight * ratio + 1  # A_{t+1}/alpha_t, bounded where alpha_t itself overflows
        mean += (entry - mean) / weight
        out[t + 1] = mean
    return out


Panels = Callable[[View], list[Curve]]


def plain(v: View) -> list[Curve]:
    """The panels of a method without a paper: the objective, and its squared gradient."""
    out = [v.panel("objective", f"objective f(w){v.minus('f*')}", "E", v.gap("objective"), notes=(NO_RATE,))]
    if "error" in v.trace:
        out.append(v.panel("error", "|grad f(w)|^2", "(E/M)^2", v.trace["error"], notes=(NO_RATE,)))
    return out


def curves(panels: Panels | None, trace: Trace, setting: Setting) -> list[Curve]:
    """The panels of one run.

    Parameters
    ----------
    panels : callable or None
        Of the method's paper, from its record; None for a method without one.
    trace : Trace
        With the columns of `fedtheory.measure.observe.observers_of` and of the record's folds.
    setting : Setting

    Raises
    ------
    UsageError
        If the trace has no objective, and there is no paper to say what else to show.
    """
    if panels is None and "objective" not in trace:
        raise UsageError("`curves(trace=...)` must have an objective, got a trace without one.")
    return panels_of(panels, trace, setting)[0]


def panels_of(panels: Panels | None, trace: Trace, setting: Setting) -> tuple[list[Curve], list[str]]:
    """(the panels of one run, what others need that it has not)."""
    view = View(trace, setting)
    try:
        return (panels or plain)(view), view.lacking
    except Lacking as column:  # of a panel that asks for no help
        return [], [*view.lacking, f"the panels of this method need the column {column}"]
