"""What the commands show: runs, curves under their bounds, constants with their source, promises, data sets."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from ..figures import decimal
from .fitted import Fitted
from .tables import number

if TYPE_CHECKING:
    from ..catalogue import Promise, Row
    from ..measure.curves import Curve
    from ..results.finished import Finished


def table(*columns: str, right: Iterable[str] = ()) -> Table:
    """An empty table without a frame."""
    out = Fitted()
    for name in columns:
        out.add_column(name, justify="right" if name in right else "left", no_wrap=name in right, overflow="fold")
    return out


def varied(done: Sequence[Finished]) -> list[str]:
    """The hyper-parameters in which runs of one method differ."""
    out: dict[str, None] = {}
    for f in done:
        for g in done:
            if f.plan.method == g.plan.method:
                out |= {k: None for k, v in f.plan.options.items() if g.plan.options[k] != v}
    return list(out)


def label_of(f: Finished, names: Iterable[str]) -> str:
    """Method and varied hyper-parameters, without the seed.

    Runs of one label differ in their seeds alone.
    """
    own = [f"{k} = {shown(f.plan.options[k])}" for k in names if f.plan.options.get(k) is not None]
    return ", ".join([f.plan.method, *own])


def caption(done: Sequence[Finished]) -> str:
    """What all runs have in common, in a line."""
    data = {str(f.plan.data["data"]): None for f in done}
    seeds = dict.fromkeys(f.plan.seed for f in done)
    said = f"{', '.join(data)}, m = {done[0].plan.data['m']}, {done[0].plan.data['model']}"
    return f"{said}, seed{'s' if len(seeds) > 1 else ''} {', '.join(map(str, seeds))}"


def shown(value: object) -> str:
    """A hyper-parameter in a line."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def run_tables(done: Sequence[Finished], width: int) -> list[Table]:
    """One line a run, where it ended and why, with mean and deviation of several seeds; two tables where one is too wide."""
    names = varied(done)
    ends = ("communications", "steps", "stopped by")
    figures: tuple[str, ...] = ("objective", *_serverless(done), "gap", "|grad|^2", "seconds", "f* seconds")
    if all(f.plan.measure != "bounds" for f in done):
        figures = ("objective", *_serverless(done), *_measured(done), "seconds")
    lines = [_ended(f, names) for f in done]
    for label in dict.fromkeys(label_of(f, names) for f in done):
        own = [f for f in done if label_of(f, names) == label]
        if len(own) > 1:
            lines += _over_seeds(own, names)
    head = ("method", *names, "seed")
    right = (*names, "seed", *ends[:2], *figures)
    whole = _of(lines, (*head, *ends, *figures), right)
    if (
        sum(max(cell_len(c) for c in (line[0], *line[1])) + 2 for line in _columns(lines, (*head, *ends, *figures))) - 2
        <= width
    ):
        return [whole]
    return [_of(lines, (*head, *ends), right), _of(lines, (*head, *figures), right)]


def _columns(lines: Sequence[dict[str, str]], names: Sequence[str]) -> list[tuple[str, list[str]]]:
    return [(n, [line.get(n, "-") for line in lines]) for n in names]


def _of(lines: Sequence[dict[str, str]], names: Sequence[str], right: Sequence[str]) -> Table:
    out = Table(box=None, pad_edge=False, header_style="bold")
    for name in names:
        out.add_column(name, justify="right" if name in right else "left", no_wrap=name in right, overflow="fold")
    for line in lines:
        out.add_row(*(Text(line.get(n, "-")) for n in names))
    return out


def _ended(f: Finished, names: Sequence[str]) -> dict[str, str]:
    last = f.trace.last()
    stopped = {"rule": f"|grad|^2 <= {f.results['stop_at']:.4g}" if f.results["stop_at"] else "", "rounds": "--rounds"}
    return {
        "method": f.plan.method, **{k: shown(f.plan.options.get(k, "-")) for k in names}, "seed": str(f.plan.seed),
        "communications": str(int(last["communications"])), "steps": str(int(last["t"])),
        "stopped by": stopped.get(f.trace.stopped, f.trace.stopped),
        "objective": number(last["objective"], 8), "gap": number(_gap(f), 4),
        "|grad|^2": number(last.get(f.entry.slope), 4),
        **{name: number(last.get(name), 4) for name in (*_serverless([f]), *_measured([f]))},
        "seconds": "loaded" if f.seconds is None else f"{f.seconds:.2f}",
        "f* seconds": "-" if f.optimum_seconds is None else f"{f.optimum_seconds:.2f}",
    }  # fmt: skip


def _measured(done: Sequence[Finished]) -> list[str]:
    """Columns of accuracies and of estimates."""
    kinds = ("accuracy", "estimate")
    return list(dict.fromkeys(n for f in done for n in f.trace.columns if n.endswith(kinds) or n == "error"))


def _serverless(done: Sequence[Finished]) -> list[str]:
    """Columns of methods without a server: what the clients' own models come to, and how far apart they are."""
    return [n for n in ("own_objective", "consensus") if any(n in f.trace.columns for f in done)]


def reference_table(found: Sequence[Mapping[str, Mapping[str, float]]]) -> Table:
    """What accuracies are to be set beside, over seeds."""
    out = table("beside it", "accuracy", "std", "seeds", right=("accuracy", "std", "seeds"))
    for name in found[0]:
        shares = [one[name]["accuracy"] for one in found]
        spread_ = number(statistics.stdev(shares), 4) if len(shares) > 1 else "-"
        out.add_row(name, number(statistics.fmean(shares), 4), spread_, str(len(shares)))
    return out


def _gap(f: Finished) -> float | None:
    return None if f.setting.optimal is None else f.trace.last()["objective"] - f.setting.optimal


def _deviation(values: Sequence[float]) -> float:
    """The standard deviation; of a run that left the numbers none."""
    return statistics.stdev(values) if all(map(math.isfinite, values)) else math.nan


def _last(name: str, f: Finished) -> float | None:
    return f.trace.last().get(name)


def _over_seeds(own: Sequence[Finished], names: Sequence[str]) -> Iterator[dict[str, str]]:
    """Mean and standard deviation of the seeds of one configuration."""
    take = {
        "communications": lambda f: f.trace.last()["communications"], "steps": lambda f: f.trace.last()["t"],
        "objective": lambda f: f.trace.last()["objective"], "gap": _gap, "|grad|^2": lambda f: f.trace.last().get(f.entry.slope),
    }  # fmt: skip
    take |= {name: partial(_last, name) for name in (*_serverless(own), *_measured(own))}
    values = {k: [get(f) for f in own] for k, get in take.items()}
    for name, of in (("mean", statistics.fmean), ("std", _deviation)):
        line = dict.fromkeys(("stopped by", "seconds", "f* seconds"), "")
        line |= {
            "method": own[0].plan.method,
            "seed": name,
            **{k: shown(own[0].plan.options.get(k, "-")) for k in names},
        }
        yield line | {k: number(None if None in v else of(v), 4) for k, v in values.items()}


def bound_table(curves: Iterable[Curve]) -> Table:
    """One line a curve: the end of it, the theorem's bound there, whether it held."""
    out = table("curve", "at the end", "bound", "theorem", "", right=("at the end", "bound"))
    for c in curves:
        left, right = c.last()
        style = "green" if c.outcome.startswith("holds") else "bold red" if c.outcome.startswith("fails") else "dim"
        title = c.title if c.left is None else f"{c.title}: {c.left_title}"
        unit = f" [{c.unit}]" if c.unit else ""
        out.add_row(Text(title + unit), number(left, 6), number(right, 6), Text(c.where), Text(c.outcome, style))
    return out


def constants_table(rows: Iterable[Row]) -> Table:
    """Constants with their values, conditions with both sides, whether they hold, and the relative margin.

    A constant of the clients is shown as its range, a condition on them for the client with the least margin.
    """
    out = table(
        "", "value or left side", "", "right side", "", "margin", "in the paper", right=("value or left side", "margin")
    )
    for r in rows:
        if r.missing:
            out.add_row(Text(r.name), Text(r.missing, "dim"), "", "", "", "", Text(r.where))
        elif r.kind == "constant":
            out.add_row(Text(r.name), spread(r.value), "", "", "", "", Text(r.where))
        else:
            verdict = Text("holds", "green") if r.holds else Text("fails", "bold red")
            margin = "-" if r.margin is None else signed(r.margin)
            who = "" if r.client is None else f" (client {r.client})"
            sides = (spread(r.lhs), r.op, spread(r.rhs))
            out.add_row(Text(r.name + who), *sides, verdict, margin, Text(r.where))
    return out


HORIZONS = (100, 10_000, 1_000_000)


def promise_table(promises: Iterable[Promise], accuracy: float | None) -> Table:
    """What the explicit rates promise: values at some T, the limit, and the rounds for an accuracy.

    A theorem of which a condition fails promises nothing.
    """
    asked = [] if accuracy is None else [f"T for {accuracy:g}"]
    at = [f"T = 1e{len(str(T)) - 1}" for T in HORIZONS]
    out = table("left side", "theorem", "conditions", *at, "limit", *asked, "", right=(*at, "limit", *asked))
    for p in promises:
        count = len(p.failing)
        said = "hold" if not count and not p.unknown else f"{count} fail" if count else "not decided"
        style = "green" if said == "hold" else "bold red" if count else "yellow"
        values = ["-"] * len(at)
        if not p.missing and not count:
            values = [number(v, 4) if (p.least or 0) <= T else "-" for T, v in zip(HORIZONS, p.values, strict=True)]
        remarks = [p.missing] if p.missing else []
        if p.chosen:
            remarks.append(
                f"{p.chosen[0]} = {p.chosen[1]:.4g}, the {'largest' if accuracy is None else 'best'} allowed"
            )
        if p.least is not None and p.least > 1:
            remarks.append(f"claimed from T = {math.ceil(p.least)} on")
        rounds = [] if accuracy is None else [rounds_of(p)]
        out.add_row(
            Text(p.bound.left), Text(p.bound.where), Text(said, style), *values, number(None if count else p.limit, 4), *rounds,
            Text("; ".join(remarks)),
        )  # fmt: skip
    return out


def rounds_of(p: Promise) -> str:
    """Rounds for the accuracy; none where a condition fails, so that nothing is promised."""
    if p.rounds is None or p.failing:
        return "-"
    return "never" if p.rounds == math.inf else f"{p.rounds:.6g}"


def source_table(rows: Iterable[tuple[str, object, str, str]]) -> Table:
    """Parameters: name, value, whether given, measured or a bound, and how."""
    out = table("parameter", "value", "", "how", right=("value",))
    for name, value, label, how in rows:
        out.add_row(name, spread(value), Text(label, "yellow" if label in ("infinite", "unknown") else ""), Text(how))
    return out


def spread(value: Any) -> str:
    """A number, or the range of one number a client."""
    if value is None:
        return "-"
    if getattr(value, "ndim", 0):
        ends = dict.fromkeys(number(float(v), 6) for v in (value.min(), value.max()))
        return " .. ".join(ends)
    return decimal(value, 6) if isinstance(value, Fraction) else number(float(value), 6)


def signed(margin: float | Fraction) -> str:
    """A relative margin with its sign."""
    said = decimal(margin, 3)
    return said if said.startswith("-") else f"+{said}"


def data_table(rows: Iterable[Any]) -> Table:
    """Data sets: whether they are at hand, and how to get them."""
    out = table("data set", "kind", "file", "", "digest", "where it goes, how to get it")
    for r in rows:
        there = Text("here", "green") if r.present else Text("missing", "yellow")
        advice = r.how if r.path == "-" else f"{r.path} <- {r.how}" if not r.present else r.path
        out.add_row(r.name, r.kind, r.file, there, r.digest, Text(advice))
    return out
