"""fedtheory watch: a run that was made elsewhere against the inequalities of its method's paper."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from rich.text import Text

from ..catalogue import evaluate
from ..errors import UsageError, did_you_mean
from ..files import check_writable, version, write_json
from ..formats import Json
from ..measure.curves import Setting, describe, panels_of
from ..measure.watched import (
    Absent,
    Checked,
    Part,
    Unmeasured,
    compared,
    ignored,
    invariants,
    measured_trace,
    one_step,
    read,
    shaped,
    states,
)
from ..method import Method, Watch
from ..paper import Paper
from ..registry import method
from ..results.finished import paper_of
from ..runs.store import plain
from ..show.runs import table
from ..show.tables import number as shown
from ..trace import Trace
from .experiment import Problems, is_network
from .options import grid, number
from .problem import add_arguments, place, problem_of
from .run import DEST, add_hyper_parameters
from .terminal import Parser, consoles

SCHEMA = 1
FAILING = ("fails", "unchecked")
NO_DATA = "needs the clients: give --data"
NO_MINIMISER = "the minimiser of a network is not known"
NO_ENVELOPE = "F(w) needs proximal points, and those of a network are not known"


def add_parser(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "watch", allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Referee a trace: an npz or csv file with, as far as they are known, t, communications, objective,\n"
        "loss (f where this is not the objective), error (|grad|^2) or grad_norm, stationarity, lyapunov, w (rows, d; in csv\n"
        "w_0, w_1, ...) and the clients' states (rows, m, d) by the paper's names: W, Theta, Pi, Z; eps (rows, m).\n"
        "With --data what is missing is measured at the recorded states, and so are the constants.",
    )  # fmt: skip
    parser.add_argument("trace", metavar="TRACE", help="npz or csv")
    parser.add_argument("method", metavar="METHOD", help="the method that made it, see below")
    add_arguments(parser)
    parser.add_argument("--seed", default="0", help="seed of the data (default: 0)")
    parser.add_argument(
        "--given",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a constant of the paper's catalogue, such as L=1",
    )
    parser.add_argument("--optimal", help="the least value of the objective")
    parser.add_argument("--json", metavar="FILE", help="what came of every inequality, as JSON")
    parser.add_argument(
        "--fail-on", choices=FAILING, help="exit 1 if an inequality fails, or if one fails or could not be checked"
    )
    parser.late = add_hyper_parameters
    parser.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    out, _ = consoles(o.json)
    entry = method(o.method)
    of = paper_of(entry)
    if o.json:
        check_writable(o.json)
    words = {k.removeprefix(DEST): v for k, v in vars(o).items() if k.startswith(DEST) and v is not None}
    ((_, options),) = grid([o.method], words, most=1)
    typed = dict(_given(o.given, of))
    columns = read(o.trace)
    left_out = ignored(o.trace, columns)
    if o.data:
        checked, said, trace, setting = _with_data(o, entry, of, options, columns, typed)
    else:
        columns = shaped(o.trace, columns, None, None)
        if "objective" not in columns and entry.lam is None and "loss" in columns:
            columns["objective"] = columns["loss"]
        if "objective" not in columns:
            raise UsageError(
                f"{o.trace}: it has no objective{_instead(entry, columns)}; with --data it is measured at w"
            )
        trace = Trace({n: c for n, c in columns.items() if c.ndim == 1}, "rounds")
        checked = [Checked("invariants", "of every reached state", f"not checked: {NO_DATA}")]
        said = []
        own = {k: v for k, v in options.items() if v is not None and of is not None and k in _names(of)}
        setting = Setting(None, _catalogue(of), {**own, **typed}, {"optimum": "give --optimal, or --data"})
    if o.optimal is not None:
        setting = Setting(number("optimal", o.optimal), setting.catalogue, setting.given, setting.why)
    found, lacking = panels_of(None if of is None else of.curves(), trace, setting)
    checked += [Checked(c.title, c.where, c.outcome, *c.last(), c.notes) for c in found]
    if checked:
        out.print(_table(checked))
    for c in checked:
        for note in c.notes:
            out.print(f"{c.name}: {note}", highlight=False, markup=False, soft_wrap=True)
    failing = (
        [describe(r) for r in evaluate(setting.catalogue, setting.given) if r.holds is False]
        if setting.catalogue
        else []
    )
    at = "condition at these estimates" if any("an estimate" in text for text in said) else "condition"
    for text in (*said, *(f"no panel: {t}" for t in lacking), *(f"{at}: {f}" for f in failing)):
        out.print(text, highlight=False, markup=False, soft_wrap=True)
    if left_out:
        near = "; ".join(f"{n}{did_you_mean(n, tuple(columns))}" for n in left_out)
        out.print(f"not read: {near}", highlight=False, markup=False, soft_wrap=True)
    if o.json:
        rows = [
            {"name": c.name, "where": c.where, "outcome": c.outcome, "left": c.left, "right": c.right, "notes": list(c.notes)}
            for c in checked
        ]  # fmt: skip
        whole = {"schema": SCHEMA, "version": version(), "trace": o.trace, "method": o.method, "rows": len(trace)}
        write_json(o.json, plain(whole | {"inequalities": rows}), "watch")
    kinds = {
        "fails" if c.outcome.startswith("fails") else "holds" if c.outcome.startswith("holds") else "" for c in checked
    }
    wrong = "fails" in kinds or (o.fail_on == "unchecked" and ("" in kinds or lacking))
    return 1 if o.fail_on and wrong else 0


def _instead(entry: Method, columns: Mapping[str, np.ndarray]) -> str:
    """Why the recorded loss is none."""
    if "loss" in columns and entry.lam is not None:
        return f" (loss is f(w), and the objective of {entry.name} is the mean of the clients' envelopes)"
    return ""


def _catalogue(of: Paper | None) -> Any:
    return None if of is None else of.catalogue()


def _names(of: Paper) -> Mapping[str, str]:
    catalogue = of.catalogue()
    return {} if catalogue is None else catalogue.parameters


def _given(words: list[str], of: Paper | None) -> Iterator[tuple[str, float]]:
    """The constants on the command line.

    Raises
    ------
    UsageError
        If a word is not NAME=VALUE, or the paper has no such constant.
    """
    known = {} if of is None else _names(of)
    seen = set()
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or not name or not value:
            raise UsageError(f"--given needs NAME=VALUE, got {word!r}")
        if name not in known:
            raise UsageError(
                f"--given {name}: the paper has no such constant{did_you_mean(name, known)}; it has {', '.join(known)}"
            )
        if name in seen:
            raise UsageError(f"--given {name} is given twice")
        seen.add(name)
        yield name, number(f"given {name}", value)


def _with_data(
    o: argparse.Namespace, entry: Method, of: Paper | None, options: dict[str, object], columns: Mapping[str, np.ndarray],
    typed: Mapping[str, float],
) -> tuple[list[Checked], list[str], Trace, Setting]:  # fmt: skip
    """What follows from the recorded states on the clients, and the constants that the bounds need."""
    from problems.build import build

    from .options import count

    seed = count("seed", o.seed, 0)
    data = problem_of(o)
    xp, device = place(o.backend, o.device)
    name = data.pop("data")
    problems = Problems(lambda s: build(name, seed=s, xp=xp, device=device, **data))
    setup = problems.setup(seed)
    problem = setup.problem
    algorithm, first = entry.make(dict(options), problem)
    shapes = shaped(o.trace, columns, problem.m, problem.d)
    if "w" not in shapes and "objective" not in shapes:
        raise UsageError(f"{o.trace}: it has no w and no objective{_instead(entry, shapes)}")
    lam = None if entry.lam is None else entry.lam(algorithm)
    network = is_network(setup.model)
    if network:
        objective: Any = problem if lam is None else Unmeasured(NO_ENVELOPE)
        best, no_optimum = None, NO_MINIMISER
    else:
        objective = problem if lam is None else problems.envelope(seed, lam)
        best, no_optimum = problems.optimum(seed, lam)
    found = states(shapes, problem)
    constants = _from_its_start(problems, seed, of, lam, found[0])
    watch = Watch(algorithm, problem, objective, found[0], None if best is None else best.w_star, seed)
    trace, said = measured_trace(shapes, found, entry, watch)
    said += [f"constant {name}: {c.how}" for name, c in constants.items() if c.label == "estimate"]
    if "objective" not in trace and not network:
        raise UsageError(f"{o.trace}: it has no objective, and no w at which it could be measured")
    given = {k: c.value for k, c in constants.items() if c.value is not None}
    given |= _of_run(entry, watch, trace, first)
    why = {k: c.how for k, c in constants.items() if c.label in ("infinite", "unknown")} | {"optimum": no_optimum}
    setting = Setting(None if best is None else best.f_star, _catalogue(of), {**given, **typed}, why)
    return [*compared(columns, trace), *invariants(found, watch), *one_step(found, watch)], said, trace, setting


def _from_its_start(problems: Problems, seed: int, of: Paper | None, lam: float | None, first: Part) -> Json:
    """The constants for a run from the first row; where that has no w, none of those that depend on the start."""
    own = problems.measured(seed, of, lam)
    w = vars(first).get("w")
    if w is not None:
        return problems.measured(seed, of, lam, start=w)
    problem = problems.setup(seed).problem
    elsewhere = problems.measured(
        seed, of, lam, start=problem.xp.ones((1, problem.d), dtype=getattr(problem, "dtype", None))
    )
    return {
        name: c if c.value is None or np.all(np.asarray(c.value) == np.asarray(elsewhere[name].value))
        else c._replace(value=None, label="unknown", how=f"{name} needs w of the first row")
        for name, c in own.items()
    }  # fmt: skip


def _of_run(entry: Method, watch: Watch, trace: Trace, first: Any) -> dict[str, object]:
    """The hyper-parameters by the paper's names; what needs a first state that the trace lacks is taken from the method's own."""
    try:
        return entry.given(watch, trace)
    except Absent:
        whole = Part(**{**first._asdict(), **vars(watch.first)})
        return entry.given(Watch(watch.method, watch.problem, watch.objective, whole, watch.w_star, watch.seed), trace)


def _table(checked: list[Checked]) -> object:
    out = table(
        "inequality",
        "in the paper",
        "",
        "left side at the end",
        "right side",
        right=("left side at the end", "right side"),
    )
    for c in checked:
        good, bad = c.outcome.startswith("holds"), c.outcome.startswith("fails")
        style = "green" if good else "bold red" if bad else "dim"
        out.add_row(Text(c.name), Text(c.where), Text(c.outcome, style), shown(c.left, 6), shown(c.right, 6))
    return out
