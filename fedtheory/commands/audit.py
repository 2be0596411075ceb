"""fedtheory audit: the papers' printed settings against their own theorems, and what the methods do there and nearby."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import UsageError
from ..files import check_folder, check_writable, tried, version, write_json
from ..formats import Json
from ..paper import Paper
from ..regions.audit import Line, Setting, lines
from ..registry import method, paper, papers
from ..results.spec import Spec
from ..runs.store import plain
from ..show.audit import NETWORKS, audit_table, notes_of, picture, runs_table
from ..show.plots import check_format
from ..show.regions import region
from .audit_runs import ROUNDS, Run, at_setting, shared
from .plan import specs
from .regions import theorems_of
from .tabulate import parameters_of, plan_of
from .terminal import INTERRUPTED, bar, consoles

LEGAL = "theory-legal"  # settings of our own, which no paper prints
SCHEMA = 1


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("audit")
    parser.add_argument("paper", nargs="?", help="one paper alone")
    parser.add_argument(
        "--no-runs", action="store_true", help="conditions alone; do not run the methods at both settings"
    )
    parser.add_argument("--json", metavar="FILE", help="everything, as JSON")
    parser.add_argument("--plot", metavar="FILE", help="the picture (svg, png or pdf)")
    parser.add_argument(
        "--write-settings", metavar="FOLDER", help="write FOLDER/PAPER.json, the audited.json of every paper"
    )
    parser.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    out, err = consoles(o.json)
    chosen = [paper(o.paper, "audit PAPER")] if o.paper else list(papers().values())
    chosen = [p for p in chosen if p.catalogue() is not None]
    if not chosen:
        raise UsageError(f"the paper {o.paper} has no catalogue of conditions")
    for path, option in ((o.json, "--json"), (o.plot, "--plot")):
        if path:
            check_writable(path, option)
    if o.plot:
        check_format(o.plot)
    if o.write_settings:
        check_folder(o.write_settings, "--write-settings")
    found: list[Line] = []
    settings: list[Setting] = []
    runs: dict[tuple[str, str], tuple[Run, Run | None]] = {}
    complete = False
    try:
        with bar(err, "audit") as progress:
            task = progress.add_task("", total=None)
            for p in chosen:
                progress.update(task, description=p.id)
                own = settings_of(p)
                settings += [s for s, _ in own]
                catalogue = p.catalogue()
                assert catalogue is not None
                mine = lines(catalogue, [s for s, _ in own], theorems_of(catalogue))
                found += mine
                if not o.no_runs:
                    for line, spec in _to_run(mine, own, p):
                        progress.update(task, description=f"{p.id}, {line.label}")
                        runs[p.id, line.label] = both(spec, line, p)
        complete = True
    except KeyboardInterrupt:
        err.print("interrupted; what follows is what was found so far", highlight=False)
    out.print(audit_table(found))
    if runs:
        out.print(runs_table(runs))
    for text in notes_of(settings, chosen):
        out.print(text, highlight=False, markup=False, soft_wrap=True)
    failed = []
    if o.json:
        failed.append(tried(lambda: write_json(o.json, plain(report(found, settings, runs, complete)), "audit")))
    if o.write_settings:
        failed.append(tried(lambda: _write(Path(o.write_settings), chosen, settings)))
    if o.plot:
        picture(found, o.plot)
    if any(failed):
        raise UsageError("; ".join(f for f in failed if f))
    return 0 if complete else INTERRUPTED


def settings_of(of: Paper) -> list[tuple[Setting, Spec | None]]:
    """The printed settings of a paper's own method, each once, with a run of it where there is one.

    Those of networks are left out (`notes_of`): of their clients no constants are known.
    """
    catalogue = of.catalogue()
    assert catalogue is not None
    found: dict[str, tuple[Setting, Spec | None]] = {}
    for name, table in of.experiments().items():
        plan, notes = plan_of(table, quick=False)
        if plan.get("backend") == NETWORKS:
            continue
        for spec in specs({**plan, "seeds": [0]}, f"{of.id}/{name}"):
            if method(spec.method).paper != of.id or spec.labels["setting"] == LEGAL:
                continue
            values = parameters_of(spec, catalogue)
            label, kind = spec.labels["problem"], spec.labels["setting"] or "as printed"
            key = str(
                (label, kind, spec.problem["m"], {k: v for k, v in values.items() if not isinstance(v, np.ndarray)})
            )
            note = "; ".join(n for n in notes if n.startswith(f"{label}: "))
            if key in found:
                s, first = found[key]
                if table["locator"] not in s.locator:
                    found[key] = dataclasses.replace(s, locator=f"{s.locator}; {table['locator']}"), first
                continue
            found[key] = Setting(of.id, label, kind, table["locator"], values, note), spec
    for s in of.settings().get("setting", []):
        one = Setting(of.id, s["label"], "as printed", s["locator"], s["values"], s.get("note", ""))
        found[s["label"]] = one, None
    return list(found.values())


def _to_run(found: Sequence[Line], own: Sequence[tuple[Setting, Spec | None]], of: Paper) -> list[tuple[Line, Spec]]:
    """One line a printed problem: that of the first theorem with a rate, with the run of its first setting."""
    catalogue = of.catalogue()
    assert catalogue is not None
    rates = {t.name for t in theorems_of(catalogue) if t.bounds}
    runs = {id(s): spec for s, spec in own}
    chosen: dict[str, tuple[Line, Spec]] = {}
    for line in found:
        spec = runs.get(id(line.example))
        if spec is not None and line.kind == "as printed" and rates & set(line.theorem.split("; ")):
            chosen.setdefault(line.label, (line, spec))
    return list(chosen.values())


def both(spec: Spec, line: Line, of: Paper) -> tuple[Run, Run | None]:
    """What the method does at the printed setting and at the nearest one that meets the theorem, if there is one."""
    catalogue = of.catalogue()
    assert catalogue is not None
    spec = dataclasses.replace(spec, rounds=ROUNDS, every=1, measure="bounds", stop="none")
    names = line.theorem.split("; ")
    bounds = [b for t in theorems_of(catalogue) if t.name in names for b in t.bounds]
    printed = at_setting(spec, catalogue, bounds, line.example.values)
    if line.nearest is None:
        return printed, None
    values = {k: float(v) for k, v in line.nearest.values.items() if float(v) != float(line.example.values[k])}
    options = method(spec.method).options
    moved = {k: int(v) if options[k].kind == "count" else v for k, v in values.items() if k in options}
    limits = {k: moved[o.at_most] for k, o in options.items() if o.at_most in moved}
    moved |= {k: min(spec.options[k], most) for k, most in limits.items() if spec.options[k] is not None}
    own = dataclasses.replace(spec, options={**spec.options, **moved})
    return printed, at_setting(own, catalogue, bounds, {**line.example.values, **values})


def report(
    found: Sequence[Line], settings: Sequence[Setting], runs: Mapping[tuple[str, str], Any], complete: bool
) -> Json:
    """The JSON of the audit."""
    rows = []
    for line in found:
        rows.append(
            {
                "paper": line.paper, "label": line.label, "kind": line.kind, "theorem": line.theorem,
                "settings": len(line.outcomes), "hold": sum(o.holds is True for o in line.outcomes),
                "failing": [{"condition": c, "least": a, "largest": b} for c, (a, b) in line.worst().items()],
                "undecided": [f"{c}: {why}" for c, why in line.undecided().items()],
                "nearest": None if line.nearest is None else {k: float(v) for k, v in line.nearest.values.items()},
                "distance": None if line.nearest is None else line.nearest.distance,
                "alone": "" if line.alone is None else f"{line.alone.name} = {line.alone.value:.6g}",
                "needs": "" if line.needs is None else region(line.needs),
            }
        )  # fmt: skip
    own = [
        {"paper": s.paper, "label": s.label, "kind": s.kind, "locator": s.locator, "values": dict(s.values)} for s in settings
    ]  # fmt: skip
    ran_rows = [
        {"paper": p, "label": label, "printed": run_json(a), "legal": run_json(b)} for (p, label), (a, b) in runs.items()
    ]  # fmt: skip
    return {
        "schema": SCHEMA, "version": version(), "complete": complete, "settings": own, "rows": rows, "runs": ran_rows,
    }  # fmt: skip


def run_json(run: Run | None) -> Json | None:
    """What a run did, as plain data."""
    return None if run is None else dataclasses.asdict(run)


def _write(folder: Path, chosen: Sequence[Paper], settings: Sequence[Setting]) -> None:
    """The settings of every paper, with the constants of one problem once."""
    folder.mkdir(exist_ok=True)
    for p in chosen:
        problems: dict[str, Json] = {}
        rows = []
        for s in (s for s in settings if s.paper == p.id):
            every = {k: shared(v) for k, v in s.values.items()}
            constants = {k: v for k, v in every.items() if isinstance(v, np.ndarray)}
            name = f"{s.label}, {s.kind}, m = {s.values['m']}"
            problems.setdefault(name, constants)
            values = {k: v for k, v in every.items() if k not in constants}
            rows.append({"label": s.label, "kind": s.kind, "locator": s.locator, "problem": name, "values": values})
        data = plain({"schema": SCHEMA, "problems": problems, "settings": rows})
        write_json(folder / f"{p.id}.json", data, "audited")
