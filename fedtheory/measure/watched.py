"""A trace that was made elsewhere: read from a file, checked, and measured as far as its states and its columns go."""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._arrays import as_floats, to_host
from ..errors import NotApplicable, UsageError
from ..method import Method, Watch
from ..problem import Problem
from ..relation import Relation
from ..runs.loop import draws_of, number
from ..trace import Trace, read_npz
from .observe import instance, observers_of

if TYPE_CHECKING:
    from ..method import Algorithm
    from ..quantity import Quantity

COUNTS = ("t", "communications")
SCALARS = ("objective", "loss", "error", "grad_norm", "stationarity", "lyapunov", "moves")
SERVER, CLIENTS, EACH = "w", ("W", "Theta", "Pi", "Z"), ("eps",)  # (rows, d), (rows, m, d), (rows, m)
KNOWN = (*COUNTS, *SCALARS, SERVER, *CLIENTS, *EACH)
ROUNDING = 1e-9  # of the size of what is compared: traces are written in few digits, or in float32
SELECTIONS = 1000  # of clients that are tried for a step whose selection is not recorded, at most
SQUARED = 1e-12  # of the squared size of the states, whose differences are squared


class Absent(Exception):
    """What is asked for cannot be had, and why."""


class Part:
    """A state of a trace: its parts by the method's names, and no others."""

    def __init__(self, **parts: Any) -> None:
        self.__dict__.update(parts)

    def __getattr__(self, name: str) -> Any:
        raise Absent(f"the trace has no {name}")


class Unmeasured:
    """An objective that cannot be evaluated, and why."""

    def __init__(self, why: str) -> None:
        self.why = why

    def __getattr__(self, name: str) -> Any:
        raise Absent(self.why)


class Checked(NamedTuple):
    """One inequality along a trace: its name, its locator or what it is, what came of it, and both sides at the end."""

    name: str
    where: str
    outcome: str
    left: float | None = None
    right: float | None = None
    notes: tuple[str, ...] = ()


def read(path: str) -> dict[str, np.ndarray]:
    """The columns of a trace, npz or csv, in double precision.

    In a csv file the coordinates of w are columns ``w_0``, ``w_1`` and so on.

    Raises
    ------
    UsageError
        If the file cannot be read, or a column is no table of finite numbers of the same length as the others.
    """
    kind = Path(path).suffix
    if kind not in (".npz", ".csv"):
        raise UsageError(f"TRACE must end in .npz or .csv, got {path!r}")
    if not Path(path).is_file():
        raise UsageError(f"{path} is no file")
    found = read_npz(Path(path)) if kind == ".npz" else _csv(path)
    for one, other in (("error", "grad_norm"),):
        if one in found and other in found:
            raise UsageError(f"{path}: it has {one} and {other}, which are one quantity; leave one of them out")
    if not found:
        raise UsageError(f"{path}: it has no columns")
    for name, column in found.items():
        if column.dtype.kind not in "iufb":
            raise UsageError(f"{path}: the column {name} must hold numbers, got {column.dtype.name}")
    out = {name: np.asarray(column, dtype=np.float64) for name, column in found.items() if name in KNOWN}
    if not out:
        raise UsageError(f"{path}: none of its columns is known: {', '.join(found)}; known are {', '.join(KNOWN)}")
    rows = {name: len(column) if column.ndim else 0 for name, column in out.items()}
    if len(set(rows.values())) > 1 or not min(rows.values()):
        said = ", ".join(f"{name} {n}" for name, n in rows.items())
        raise UsageError(f"{path}: the columns must have the same number of rows, at least 1, got {said}")
    for name, column in out.items():
        bad = ~np.isfinite(column.reshape(len(column), -1)).all(axis=1)
        if bad.any():
            raise UsageError(f"{path}: {name} is not finite in row {int(np.argmax(bad))}")
    return out


def ignored(path: str, known: Mapping[str, np.ndarray]) -> list[str]:
    """The names of the file that are not read."""
    names = read_npz(Path(path)) if path.endswith(".npz") else _csv(path)
    return [name for name in names if name not in known]


def _csv(path: str) -> dict[str, np.ndarray]:
    try:
        with open(path, newline="", encoding="utf-8") as file:
            lines = [line for line in csv.reader(file) if line]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    if len(lines) < 2:
        raise UsageError(f"{path}: it needs a line of names and a line of numbers at least")
    head, *body = lines
    for k, line in enumerate(body, 2):
        if len(line) != len(head):
            raise UsageError(f"{path}: line {k} has {len(line)} entries, its head has {len(head)}")
    columns = {}
    twice = sorted({n.strip() for n in head if [m.strip() for m in head].count(n.strip()) > 1})
    if twice:
        raise UsageError(f"{path}: two columns are called {twice[0]!r}; which of them is meant?")
    for j, name in enumerate(head):
        try:
            columns[name.strip()] = np.array([float(line[j]) for line in body])
        except ValueError:
            bad = next(k for k, line in enumerate(body, 2) if not _is_number(line[j]))
            raise UsageError(f"{path}: line {bad}: {name} must be a number, got {body[bad - 2][j]!r}") from None
    parts = sorted((int(n[2:]), n) for n in columns if n.startswith("w_") and n[2:].isdigit())
    if parts:
        if [k for k, _ in parts] != list(range(len(parts))):
            raise UsageError(
                f"{path}: the coordinates of w must be w_0 ... w_{len(parts) - 1}, got {parts[-1][1]} among them"
            )
        columns["w"] = np.stack([columns.pop(n) for _, n in parts], axis=1)
    return columns


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def shaped(path: str, columns: Mapping[str, np.ndarray], m: int | None, d: int | None) -> dict[str, np.ndarray]:
    """The columns in the shapes of states: w ``(rows, 1, d)``, one a client ``(rows, m, d)``, counts whole and in order.

    Raises
    ------
    UsageError
        If a shape does not fit, a count is no whole number, or the rows are not in order.
    """
    out = dict(columns)
    rows = len(next(iter(out.values())))
    for name in COUNTS:
        out.setdefault(name, out["t"] if name == "communications" else np.arange(rows, dtype=np.float64))
        steps = np.diff(out[name])
        if out[name].ndim != 1 or (out[name] % 1 != 0).any() or (out[name] < 0).any():
            raise UsageError(f"{path}: {name} must hold whole numbers from 0 on, one a row")
        if (steps < 0).any() or (name == "t" and (steps == 0).any()):
            raise UsageError(
                f"{path}: {name} must {'grow' if name == 't' else 'not fall'} from row to row, see row {int(np.argmin(steps)) + 1}"
            )
    for name in (n for n in SCALARS if n in out):
        if out[name].ndim != 1:
            raise UsageError(f"{path}: {name} must be one number a row, got shape {out[name].shape}")
    if SERVER in out:
        w = out[SERVER]
        w = w[:, None, :] if w.ndim == 2 else w
        if w.ndim != 3 or w.shape[1] != 1 or (d is not None and w.shape[2] != d):
            raise UsageError(
                f"{path}: w must have the shape (rows, {'d' if d is None else d}), got {out[SERVER].shape}"
            )
        out[SERVER] = w
    for name in (n for n in (*CLIENTS, *EACH) if n in out):
        wanted = (m, d) if name in CLIENTS else (m,)
        own = out[name].shape[1:]
        if len(own) != len(wanted) or any(b is not None and a != b for a, b in zip(own, wanted, strict=True)):
            said = ", ".join(letter if n is None else str(n) for letter, n in zip("md", wanted, strict=False))
            raise UsageError(f"{path}: {name} must have the shape (rows, {said}), got {out[name].shape}")
    if "grad_norm" in out:
        out.setdefault("error", out.pop("grad_norm") ** 2)
    return out


def states(columns: Mapping[str, np.ndarray], problem: Problem) -> list[Part]:
    """The state of every row, of the parts that the trace has, as arrays of the problem."""
    names = [n for n in (SERVER, *CLIENTS, *EACH) if n in columns]
    where = {"dtype": getattr(problem, "dtype", None), "device": problem.device}
    out = []
    for k in range(len(columns["t"])):
        count = int(columns["t"][k])
        counts = {"t": count, "k": count, "communications": int(columns["communications"][k])}
        out.append(Part(**counts, **{n: problem.xp.asarray(columns[n][k], **where) for n in names}))
    return out


def measured_trace(
    columns: Mapping[str, np.ndarray], found: Sequence[Part], entry: Method, watch: Watch
) -> tuple[Trace, list[str]]:
    """(the trace with every column that its states give, what could not be measured and for want of what)."""
    kept = {n: columns[n] for n in (*COUNTS, *SCALARS) if n in columns and n != "loss"}
    lacking: dict[str, str] = {}
    for name, observe in observers_of(entry, watch).items():
        values = _along(lambda s, f=observe: f(s), found)  # type: ignore[misc]
        if isinstance(values, str):
            lacking[name] = values
        else:
            kept[name] = values
    complete = bool((np.diff(columns["t"]) == 1).all()) and columns["t"][0] == 0
    for name, fold in entry.folds(watch).items():
        if not complete:
            lacking[name] = "the trace has not every step from 0 on"
            continue
        try:
            total, rows = 0.0, [0.0]
            for before, after in itertools.pairwise(found):
                total = number(fold(total, before, after))
                rows.append(total)
            kept[name] = np.array(rows)
        except Absent as why:
            lacking[name] = str(why)
    said = [f"{name} is not measured: {why}" for name, why in lacking.items() if name not in kept]
    return Trace(kept, "rounds"), said


def _along(observe: Callable[[Any], Quantity], found: Sequence[Part]) -> np.ndarray | str:
    """The values of an observer, or why there are none."""
    try:
        return np.array([number(observe(s)) for s in found])
    except (Absent, UsageError) as why:
        return str(why)


def compared(columns: Mapping[str, np.ndarray], trace: Trace) -> list[Checked]:
    """Recorded figures against those that follow from the recorded states."""
    out = []
    for name in ("objective", "error", "stationarity", "lyapunov"):
        if name in columns and name in trace and columns[name] is not trace[name]:
            apart = np.abs(columns[name] - trace[name]) / np.maximum(np.abs(trace[name]), 1e-300)
            k = int(np.argmax(apart))
            fine = apart[k] <= 1e3 * ROUNDING
            said = (
                "holds on this trace"
                if fine
                else f"fails on this trace in row {k}: {columns[name][k]:.6g} and {trace[name][k]:.6g}"
            )
            out.append(Checked(f"recorded {name}", "as it follows from the recorded states", said))
    return out


def invariants(found: Sequence[Part], watch: Watch) -> list[Checked]:
    """What the paper derives for every state that the method reaches, row by row, up to rounding."""
    x = instance(watch.problem, watch.method)
    worst: dict[str, tuple[float, int]] = {}
    try:
        for k, state in enumerate(found):
            relations = watch.method.invariants(x, state)
            rooms = _rooms(lambda s: watch.method.invariants(x, s), relations, state)
            for j, (r, room) in enumerate(zip(relations, rooms, strict=True)):
                slack = _slack(r, room)
                name = r.name or f"invariant {j + 1}"
                if name not in worst or slack < worst[name][0]:
                    worst[name] = slack, k
    except (Absent, NotApplicable, AttributeError, TypeError) as why:
        return [Checked("invariants", "of every reached state", f"not checked: {why}")]
    out = []
    for name, (slack, k) in worst.items():
        said = "holds on this trace" if slack >= 0 else f"fails on this trace in row {k}, by {-slack:.3g}"
        out.append(Checked(name, "of every reached state", said))
    return out


def _rooms(at: Callable[[Part], Sequence[Relation]], relations: Sequence[Relation], state: Part) -> list[object]:
    """What rounding of the entries of a state may do to each relation, by what the relation reads of it alone.

    A part that is doubled, and one that is 0, change a squared difference by the square of the part's own term: the sum of
    these terms is the difference with absolute values. A part that is not read changes nothing and gives no room, however
    large it is; no room is larger than the square of the largest entry of what is read allows.
    """
    parts = {n: v for n, v in vars(state).items() if hasattr(v, "shape")}
    terms: list[Any] = [0.0 for _ in relations]
    linear: list[Any] = [0.0 for _ in relations]
    largest = [0.0 for _ in relations]
    for name, value in parts.items():
        twice, never = (at(Part(**{**vars(state), name: value * k})) for k in (2, 0))
        for j, r in enumerate(relations):
            one, two, none = (as_floats(q.lhs) - as_floats(q.rhs) for q in (r, twice[j], never[j]))
            if not (np.array_equal(two, one) and np.array_equal(none, one)):
                largest[j] = max(largest[j], float(np.max(np.abs(to_host(value)))))
                terms[j] = terms[j] + np.sqrt(np.abs(two + none - 2 * one) / 2)
                linear[j] = linear[j] + np.abs(two - none) / 2
    out = []
    for r, term, straight, most in zip(relations, terms, linear, largest, strict=True):
        curved = SQUARED * np.minimum(term**2, most**2)
        relative = np.abs(as_floats(r.lhs)) + np.abs(as_floats(r.rhs))
        out.append(ROUNDING * (relative + np.where(curved > 0, 0.0, straight)) + curved)
    return out


def _slack(r: Relation, room: object) -> float:
    """How far the worst client is from breaking a relation, negative where it does by more than rounding."""
    lhs, rhs = (as_floats(s) for s in (r.lhs, r.rhs))
    gap = np.abs(lhs - rhs) if r.op == "==" else lhs - rhs
    over = gap - room
    k = int(np.argmax(over))
    return -float(np.ravel(gap)[k]) if np.ravel(over)[k] > 0 else math.inf


def one_step(found: Sequence[Part], watch: Watch) -> list[Checked]:
    """Whether every recorded state follows from the one before by a step of the method, for one selection at least.

    The recorded parts are compared, up to rounding; rows of which the next step is not recorded say nothing.
    """
    name, where = "one step", "of the method, row to row"
    method, problem = watch.method, watch.problem
    pairs = [(k, a, b) for k, (a, b) in enumerate(itertools.pairwise(found)) if b.t == a.t + 1]
    if not pairs:
        return [Checked(name, where, "not checked: no two rows are one step apart")]
    if getattr(method, "batch", None) is not None or getattr(method, "delta", None) is not None:
        return [Checked(name, where, "not checked: the minibatches and errors of the run are not recorded")]
    least, largest = math.inf, 0.0
    try:
        for k, before, after in pairs:
            least, largest = math.inf, 0.0
            draws = draws_of(method, problem, before, watch.seed)
            for chosen in _selections(draws, method, problem):
                apart, size = _apart(method.step(problem, before, chosen), after)
                if apart < least:
                    least, largest = apart, size
                if least <= SQUARED * largest:
                    break
            if least > SQUARED * largest:
                return [Checked(name, where, f"fails on this trace in row {k + 1}, by {math.sqrt(least):.3g}")]
    except (Absent, NotApplicable, AttributeError, TypeError, UsageError) as why:
        return [Checked(name, where, f"not checked: {why}")]
    return [Checked(name, where, "holds on this trace")]


def _selections(draws: Any, method: Algorithm, problem: Problem) -> Iterator[object]:
    """The draws of a step at every selection of as many clients."""
    selected = getattr(draws, "selected", None)
    if selected is None:
        yield draws
        return
    chosen = np.asarray(to_host(selected))
    m, S = len(chosen), int(chosen.sum())
    if math.comb(m, S) > SELECTIONS:
        raise Absent(f"the selections are not recorded, and {math.comb(m, S)} are possible")
    for clients in itertools.combinations(range(m), S):
        mask = np.isin(np.arange(m), clients)
        yield draws._replace(selected=problem.xp.asarray(mask.astype(chosen.dtype), device=problem.device))


def _apart(made: object, after: Part) -> tuple[float, float]:
    """(the largest squared distance between parts of two states, the squared size of what was compared)."""
    apart, size = 0.0, 0.0
    for name in (SERVER, *CLIENTS):
        own, recorded = getattr(made, name, None), vars(after).get(name)
        if own is None or recorded is None:
            continue
        u, v = np.asarray(to_host(own)), np.asarray(to_host(recorded))
        apart = max(apart, float(np.sum((u - v) ** 2)))
        size = max(size, float(np.sum(u**2)), float(np.sum(v**2)))
    return apart, size
