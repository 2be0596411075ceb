"""The command line: verify, constants, replay, explain, list. The one place that composes fedtheory, problems and proofs_checks."""

from __future__ import annotations

import argparse
import fnmatch
import json
import sys
from pathlib import Path
from typing import Any

from .claim import Claim
from .commands import constants as constants_command
from .commands import data as data_command
from .commands import mutants as mutants_command
from .commands import run as run_command
from .commands.terminal import Parser, consoles
from .errors import UsageError, did_you_mean
from .verdict import VERDICTS

INTERRUPTED = 130


def main(argv: list[str] | None = None) -> int:
    """Run one command; 0 completed, 1 short of an expectation, 2 usage, 3 an engine crashed, 130 interrupted."""
    parser = _parser()
    try:
        options, unknown = parser.parse_known_args(argv)
        if unknown:
            near = did_you_mean(unknown[0].split("=")[0], options.known)
            raise UsageError(f"unrecognized arguments: {' '.join(unknown)}{near}")
        return int(options.run(options))
    except SystemExit as stop:
        return int(stop.code or 0)
    except UsageError as error:
        print(f"fedtheory: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("fedtheory: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="fedtheory", description="Referee for federated-optimisation theory.")
    commands = parser.add_subparsers(required=True, metavar="{verify,run,constants,data,mutants,replay,explain,list}")

    verify = commands.add_parser("verify", help="decide claims")
    verify.add_argument(
        "what", nargs="*", metavar="ID|PATTERN|FILE.py", help="claims (default: all) or files with claims"
    )
    verify.add_argument("--paper", help="claims of one paper only")
    verify.add_argument("--budget", default="quick", help="quick, standard or deep (default: quick)")
    verify.add_argument("--seed", type=int, default=0, help="seed of the search (default: 0)")
    verify.add_argument("--backend", default="numpy", help="numpy, cupy or torch (default: numpy)")
    verify.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    verify.add_argument("--json", metavar="FILE", help="write the report")
    verify.add_argument("--resume", action="store_true", help="take over the claims that --json FILE already holds")
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
    verify.set_defaults(run=_verify)

    replay = commands.add_parser("replay", help="re-evaluate a counterexample of a report exactly")
    replay.add_argument("report", metavar="REPORT.json")
    replay.add_argument("id", metavar="ID")
    replay.add_argument(
        "file", nargs="*", metavar="FILE.py", help="where the claim is, if it is not one of the papers'"
    )
    replay.set_defaults(run=_replay)

    explain = commands.add_parser("explain", help="formula, hypotheses, body and witness of one claim")
    explain.add_argument("id", metavar="ID")
    explain.add_argument("file", nargs="*", metavar="FILE.py")
    explain.set_defaults(run=_explain)

    for command in (run_command, constants_command, data_command, mutants_command):
        command.add_parser(commands)

    listing = commands.add_parser("list", help="claims by id")
    listing.add_argument("what", nargs="*", metavar="PATTERN|FILE.py")
    listing.add_argument("--paper")
    listing.set_defaults(run=_list)
    for one in commands.choices.values():
        one.set_defaults(known=tuple(one._option_string_actions))
    return parser


def published(id: str) -> Claim:
    """One of the papers' claims; a worker process finds its claim here."""
    from proofs_checks import claims

    return claims()[id]


def _claims(what: list[str], paper: str | None) -> tuple[list[Claim], dict[str, Claim], bool]:
    """(selected claims, all known claims, whether they all are the papers')."""
    from proofs_checks import claims

    from .ledger import load_file, select

    files = [w for w in what if w.endswith(".py")]
    patterns = [w for w in what if not w.endswith(".py")]
    own: dict[str, Claim] = {}
    for f in files:
        own |= load_file(f)
    known = own if files and not patterns else {**claims(), **own}
    return select(known, patterns, paper), {**claims(), **own}, not files


def stored_certificates() -> dict[str, Any]:
    """Certificates that come with the package."""
    from importlib import resources

    out: dict[str, Any] = {}
    folder = resources.files("proofs_checks").joinpath("certificates")
    if folder.is_dir():
        for f in sorted(folder.iterdir(), key=lambda p: p.name):
            if f.name.endswith(".json"):
                out |= json.loads(f.read_text(encoding="utf-8"))
    return out


def _verify(o: argparse.Namespace) -> int:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from . import ledger, report
    from ._arrays import backend
    from .referee import budget_named

    out, err = consoles()
    if o.coverage:
        return _coverage(out)
    budget_named(o.budget)
    backend(o.backend)
    if o.jobs < 1:
        raise UsageError(f"--jobs must be at least 1, got {o.jobs}")
    if o.seed < 0:
        raise UsageError(f"--seed must be at least 0, got {o.seed}")
    if o.resume and not o.json:
        raise UsageError("--resume needs --json FILE, the report to take over")
    selected, known, published_only = _claims(o.what, o.paper)
    if o.on:
        return _on(o, selected, out, err)
    expected = ledger.read_report(o.expect) if o.expect else None
    done: dict[str, Any] = {}
    if o.json:
        ledger.check_writable(o.json)
        if o.resume and Path(o.json).exists():
            before = ledger.read_report(o.json)
            if (before["seed"], before["budget"], before["version"]) != (o.seed, o.budget, ledger.version()):
                raise UsageError(f"--resume: {o.json} was written with another seed, budget or version")
            done = {e["id"]: e for e in before["claims"]}
    if o.plot:
        from .plots import check_format

        check_format(o.plot)
    stored = stored_certificates()
    entries: list[dict[str, Any]] = []
    complete = False
    bar = Progress(
        TextColumn("verify"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"),
        console=err, transient=True,
        disable=not err.is_terminal,
    )  # fmt: skip
    try:
        with bar:
            task = bar.add_task("", total=len(selected))
            stream = ledger.run(
                selected, budget=o.budget, seed=o.seed, backend=o.backend, jobs=o.jobs, stored=stored, done=done,
                find=published if published_only else None, progress=lambda id: bar.update(task, description=id),
            )  # fmt: skip
            for e in stream:
                entries.append(e)
                bar.advance(task)
        complete = True
    except KeyboardInterrupt:
        err.print("interrupted; the claims so far are kept" + (f" in {o.json}; go on with --resume" if o.json else ""))
    ledger.with_repairs(entries, known)
    if o.json:
        ledger.write_json(o.json, ledger.report(entries, seed=o.seed, budget=o.budget, complete=complete))
    if o.write_certificates:
        _write_certificates(Path(o.write_certificates), stored)
    out.print(report.verdict_table(entries))
    out.print(report.summary(entries))
    if o.plot:
        from .plots import verdicts

        verdicts(entries, o.plot)
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


def _write_certificates(folder: Path, stored: dict[str, Any]) -> None:
    from .ledger import write_json

    folder.mkdir(parents=True, exist_ok=True)
    papers: dict[str, dict[str, Any]] = {}
    for key in sorted(stored):
        papers.setdefault(key.split("/")[0], {})[key] = stored[key]
    for paper, certificates in papers.items():
        write_json(str(folder / f"{paper}.json"), certificates)


def _coverage(out: Any) -> int:
    from proofs_checks import PAPERS, bindings, claims, inventory

    from .report import coverage_table

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

    from problems.data import federated
    from problems.least_squares import LeastSquares
    from problems.on_data import evaluate

    from . import ledger
    from .witness import text

    if o.json:
        ledger.check_writable(o.json)
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
        ledger.write_json(o.json, data)
    return 0


def _replay(o: argparse.Namespace) -> int:
    from .engines.exact import replay
    from .errors import did_you_mean
    from .ledger import read_report
    from .report import short_side
    from .witness import free_of

    data = read_report(o.report)
    by_id = {e["id"]: e for e in data["claims"]}
    if o.id not in by_id:
        raise UsageError(f"{o.report} has no claim {o.id!r}{did_you_mean(o.id, by_id)}")
    if not by_id[o.id].get("witness"):
        raise UsageError(f"{o.id} is {by_id[o.id]['verdict']} in {o.report} and has no witness to replay")
    _, known, _ = _claims(o.file, None) if o.file else _claims([], None)
    if o.id not in known:
        raise UsageError(f"no claim is called {o.id!r} here; name its file: fedtheory replay {o.report} {o.id} FILE.py")
    result = replay(known[o.id].body, known[o.id].world, free_of(by_id[o.id]["witness"]), o.id)
    for side in result.given:
        print(f"given     {side.name}: {short_side(side.lhs)} {side.op} {short_side(side.rhs)} {_truth(side.truth)}")
    for side in result.relations:
        print(
            f"relation  {side.name or o.id}: {short_side(side.lhs)} {side.op} {short_side(side.rhs)} {_truth(side.truth)}"
        )
    print(f"{o.id}: {'refuted, exactly' if result.outcome == 'refutes' else result.outcome + ' ' + result.reason}")
    return 0 if result.outcome == "refutes" else 1


def _truth(truth: bool | None) -> str:
    return {True: "holds", False: "FAILS", None: "is not decided"}[truth]


def _explain(o: argparse.Namespace) -> int:
    from . import ledger, report

    out, _ = consoles()
    selected, known, _ = _claims([o.id, *o.file], None)
    entries = [e for e in ledger.run(selected, stored=stored_certificates())]
    ledger.with_repairs(entries, known)
    for e in entries:
        if fnmatch.fnmatchcase(e["id"], o.id):
            report.explain(known[e["id"]], e, out)
    return 0


def _list(o: argparse.Namespace) -> int:
    from rich.table import Table
    from rich.text import Text

    out, _ = consoles()
    table = Table(box=None, pad_edge=False, header_style="bold")
    selected = _claims(o.what, o.paper)[0]
    for name, width in (("id", max(len(c.id) for c in selected)), ("kind", 10), ("locator", 24), ("printed", 20)):
        table.add_column(name, no_wrap=True, overflow="ellipsis", min_width=width)
    for c in selected:
        table.add_row(c.id, c.kind, Text(c.locator), Text(c.latex))
    out.print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
