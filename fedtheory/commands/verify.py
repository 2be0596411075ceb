"""fedtheory verify: decide claims."""

from __future__ import annotations

import argparse
import fnmatch
import os
from pathlib import Path
from typing import Any

from ..claim import Claim
from ..errors import UsageError
from ..verdict import VERDICTS
from .known import chosen_claims, published, stored_certificates
from .terminal import INTERRUPTED, bar, consoles

MANY = 40  # claims from which on processes pay


def add_parser(commands: Any) -> None:
    """Add the command."""
    verify = commands.add_parser("verify", help="decide claims")
    verify.add_argument(
        "what", nargs="*", metavar="ID|PATTERN|FILE.py", help="claims (default: all) or files with claims"
    )
    verify.add_argument("--paper", help="claims of one paper only")
    verify.add_argument("--budget", default="quick", help="quick, standard or deep (default: quick)")
    verify.add_argument("--seed", type=int, default=0, help="seed of the search (default: 0)")
    verify.add_argument("--backend", default="numpy", help="numpy, cupy or torch (default: numpy)")
    verify.add_argument("--jobs", type=int, help="processes (default: one a core when there are many claims)")
    verify.add_argument("--json", metavar="FILE", help="write the report")
    verify.add_argument("--resume", action="store_true", help="take over the claims that --json FILE already holds")
    verify.add_argument("--page", metavar="FILE", help="write the whole --paper as a page (markdown)")
    verify.add_argument("--plot", metavar="FILE", help="draw the verdicts (svg, png or pdf)")
    verify.add_argument("--expect", metavar="LEDGER", help="exit 1 where verdicts fall short of this report")
    verify.add_argument("--fail-on", choices=VERDICTS, help="exit 1 if a claim gets this verdict")
    verify.add_argument(
        "--coverage", action="store_true", help="how many rows of the inventories are bound; verifies nothing"
    )
    verify.add_argument("--on", metavar="DATA", help="evaluate exactly on real clients: diabetes or breast-cancer")
    verify.add_argument("--m", type=int, default=3, help="clients for --on (default: 3)")
    verify.add_argument(
        "--write-certificates", metavar="DIR", help="store the certificates that were found, one file a paper"
    )
    verify.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    from .. import files
    from .._arrays import backend
    from ..referee import ledger
    from ..referee.budget import budget_named
    from ..show import tables as report

    out, err = consoles()
    if o.coverage:
        return _coverage(out)
    budget_named(o.budget)
    backend(o.backend)
    if o.jobs is not None and o.jobs < 1:
        raise UsageError(f"--jobs must be at least 1, got {o.jobs}")
    if o.seed < 0:
        raise UsageError(f"--seed must be at least 0, got {o.seed}")
    if o.resume and not o.json:
        raise UsageError("--resume needs --json FILE, the report to take over")
    selected, known, published_only = chosen_claims(o.what, o.paper)
    if o.on:
        return _on(o, selected, out, err)
    expected = ledger.read_report(o.expect) if o.expect else None
    done: dict[str, Any] = {}
    if o.json:
        files.check_writable(o.json)
        if o.resume and Path(o.json).exists():
            before = ledger.read_report(o.json)
            if (before["seed"], before["budget"], before["version"]) != (o.seed, o.budget, files.version()):
                raise UsageError(f"--resume: {o.json} was written with another seed, budget or version")
            done = {e["id"]: e for e in before["claims"]}
    if o.plot:
        from ..show.plots import check_format

        check_format(o.plot)
    if o.page:
        if o.paper is None or o.what:
            raise UsageError(
                f"--page {o.page} needs --paper NAME and all of its claims, got {' '.join(o.what) or 'no paper'}"
            )
        files.check_writable(o.page, "--page")
    jobs = o.jobs or (cores() if len(selected) > MANY and not o.write_certificates else 1)
    stored = stored_certificates()
    entries: list[dict[str, Any]] = []
    complete = False
    try:
        with bar(err, "verify") as progress:
            task = progress.add_task("", total=len(selected))
            stream = ledger.run(
                selected, budget=o.budget, seed=o.seed, backend=o.backend, jobs=jobs, stored=stored, done=done,
                find=published if published_only else None, progress=lambda id: progress.update(task, description=id),
            )  # fmt: skip
            for e in stream:
                entries.append(e)
                progress.advance(task)
        complete = True
    except KeyboardInterrupt:
        err.print("interrupted; the claims so far are kept" + (f" in {o.json}; go on with --resume" if o.json else ""))
    ledger.with_repairs(entries, known)
    if o.json:
        files.write_json(o.json, ledger.report(entries, seed=o.seed, budget=o.budget, complete=complete))
    if o.write_certificates:
        _write_certificates(Path(o.write_certificates), stored)
    out.print(report.verdict_table(entries))
    out.print(report.summary(entries))
    if o.plot:
        from ..show.plots import verdicts

        verdicts(entries, o.plot)
    if o.page and complete:
        _write_page(o, ledger.report(entries, seed=o.seed, budget=o.budget, complete=True))
    if not complete:
        return INTERRUPTED
    crashed = [e for e in entries if e.get("crashed")]
    for e in crashed:
        err.print(f"fedtheory: {e['id']}: {e['reason']}", style="red")
    status = 3 if crashed else 0
    short: list[str] = []
    if expected is not None:

        def chosen(id: str) -> bool:
            patterns = [w for w in o.what if not w.endswith(".py")]
            in_paper = o.paper in (None, id.split("/")[0])
            return in_paper and (not o.what or any(fnmatch.fnmatchcase(id, p) for p in patterns))

        short = ledger.differences(expected, entries, budget=o.budget, chosen=chosen)
    if o.fail_on:
        short += [f"{e['id']}: {e['verdict']}" for e in entries if e["verdict"] == o.fail_on]
    for line in short:
        err.print(f"fedtheory: {line}", highlight=False)
    return status or (1 if short else 0)


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _write_page(o: argparse.Namespace, report: dict[str, Any]) -> None:
    from proofs_checks import TITLES, bindings, claims, inventory

    from ..files import write_text
    from ..show.page import page

    own = {id: c for id, c in claims().items() if id.startswith(f"{o.paper}/")}
    write_text(o.page, page(TITLES[o.paper], inventory(o.paper), bindings(o.paper), own, report))


def _write_certificates(folder: Path, stored: dict[str, Any]) -> None:
    from ..files import write_json

    folder.mkdir(parents=True, exist_ok=True)
    papers: dict[str, dict[str, Any]] = {}
    for key in sorted(stored):
        papers.setdefault(key.split("/")[0], {})[key] = stored[key]
    for paper, certificates in papers.items():
        write_json(str(folder / f"{paper}.json"), certificates)


def _coverage(out: Any) -> int:
    from proofs_checks import PAPERS, bindings, claims, inventory

    from ..show.tables import coverage_table

    bound = {p: bindings(p) for p in PAPERS}
    out.print(coverage_table({p: inventory(p) for p in PAPERS}, claims(), bound))
    for rows in bound.values():
        for id, row in rows.items():
            if "erratum" in row:
                out.print(f"erratum  {id}: {row['erratum']}", highlight=False)
    return 0


def _on(o: argparse.Namespace, selected: list[Claim], out: Any, err: Any) -> int:
    from rich.progress import track
    from rich.table import Table

    from problems.exact.evaluate import evaluate
    from problems.exact.least_squares import LeastSquares
    from problems.exact.small import federated

    from .. import files
    from ..referee import ledger
    from ..referee.witness import text

    if o.json:
        files.check_writable(o.json)
    constants = LeastSquares(federated(o.on, o.m)).constants()
    for i, k in enumerate(constants):
        L, mu = (f"[{float(a):.10g}, {float(b):.10g}]" for a, b in ((k.L_lower, k.L_upper), (k.mu_lower, k.mu_upper)))
        out.print(f"client {i}: L in {L}, mu in {mu}", highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("id", f"on {o.on}, m = {o.m}", "instances", "least slack", "note"):
        table.add_column(name)
    rows = []
    for c in track(selected, "verify", console=err, transient=True, disable=not err.is_terminal):
        results = evaluate(c, o.on, m=o.m, seed=o.seed)
        outcomes = [r.outcome for r in results]
        worst = "refutes" if "refutes" in outcomes else "holds" if "holds" in outcomes else outcomes[0]
        slacks = [r.slack for r in results if r.slack is not None]
        note = next((r.reason for r in results if r.reason), "")
        said = {"holds": "holds on these data", "refutes": "fails on these data"}.get(worst, worst)
        table.add_row(c.id, said, str(len(results)), f"{min(slacks):.3g}" if slacks else "-", note)
        rows.append({"id": c.id, "outcome": said, "instances": outcomes, "slacks": slacks, "note": note})
    out.print(table)
    if o.json:
        names = ("L_lower", "L_upper", "mu_lower", "mu_upper")
        clients = [{n: text(getattr(k, n)) for n in names} for k in constants]
        data = {"schema": ledger.SCHEMA, "on": o.on, "m": o.m, "seed": o.seed, "clients": clients, "results": rows}
        files.write_json(o.json, data)
    return 0
