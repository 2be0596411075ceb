"""fedtheory verify: decide claims."""

from __future__ import annotations

import argparse
import fnmatch
import os
from pathlib import Path
from typing import Any

from .. import registry
from ..claim import Claim
from ..errors import UsageError
from ..verdict import VERDICTS
from .coverage import coverage
from .known import Known
from .on_data import on_data
from .problem import add_data
from .terminal import INTERRUPTED, bar, consoles

MANY = 40  # claims from which on processes pay


def add_parser(commands: Any) -> None:
    """Add the command."""
    verify = commands.add_parser("verify", help="decide claims")
    verify.add_argument(
        "what", nargs="*", metavar="ID|PATTERN|FILE.py|FOLDER/", help="claims (default: all) or files with claims"
    )
    verify.add_argument("--paper", help="claims of one paper only")
    verify.add_argument("--budget", default="quick", help="quick, standard or deep (default: quick)")
    verify.add_argument("--seed", type=int, default=0, help="seed of the search (default: 0)")
    verify.add_argument("--backend", default="numpy", help="numpy, cupy or torch (default: numpy)")
    verify.add_argument("--jobs", type=int, help="processes (default: one a core when there are many claims)")
    verify.add_argument("--json", metavar="FILE", help="write the report")
    verify.add_argument("--resume", action="store_true", help="take over the claims that --json FILE already holds")
    verify.add_argument("--all", action="store_true", help="print every row (default: what is not true, and counts)")
    verify.add_argument("--page", metavar="FILE", help="write the whole --paper as a page (markdown)")
    verify.add_argument("--plot", metavar="FILE", help="draw the verdicts (svg, png or pdf)")
    verify.add_argument("--expect", metavar="LEDGER", help="exit 1 where verdicts fall short of this report")
    verify.add_argument("--fail-on", choices=VERDICTS, help="exit 1 if a claim gets this verdict")
    verify.add_argument(
        "--coverage", action="store_true", help="how many rows of the inventories are bound; verifies nothing"
    )
    verify.add_argument(
        "--write-certificates", metavar="DIR", help="store the certificates that were found, one file a paper"
    )
    data = verify.add_argument_group("claims on data")
    data.add_argument(
        "--on",
        metavar="NAME|FILE",
        help="evaluate exactly on least-squares clients of a data set (fedtheory data status)",
    )
    data.add_argument("--m", type=int, default=3, help="clients (default: 3)")
    add_data(data)
    verify.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    out, err = consoles()
    if o.coverage:
        return coverage(out)
    _check(o)
    known = Known(o.what)
    selected = known.select(o.paper)
    return on_data(o, selected, out, err) if o.on else _decide(o, known, selected, out, err)


def _check(o: argparse.Namespace) -> None:
    """Raise UsageError unless the options fit together."""
    from .. import files
    from .._arrays import backend
    from ..referee.budget import budget_named

    budget_named(o.budget, "--budget")
    backend(o.backend, "--backend")
    if o.jobs is not None and o.jobs < 1:
        raise UsageError(f"--jobs must be at least 1, got {o.jobs}")
    if o.seed < 0:
        raise UsageError(f"--seed must be at least 0, got {o.seed}")
    if o.resume and not o.json:
        raise UsageError("--resume needs --json FILE, the report to take over")
    if o.json:
        files.check_writable(o.json)
    if o.plot:
        from ..show.plots import check_format

        check_format(o.plot)
    if o.page:
        if o.paper is None or o.what:
            raise UsageError(
                f"--page {o.page} needs --paper NAME and all of its claims, got {' '.join(o.what) or 'no paper'}"
            )
        files.check_writable(o.page, "--page")


def _decide(o: argparse.Namespace, known: Known, selected: list[Claim], out: Any, err: Any) -> int:
    """Decide the claims, write what is asked for, and compare with what is expected."""
    from ..referee import ledger
    from ..show.verdicts import verdict_lines

    expected = ledger.read_report(o.expect) if o.expect else None
    done = _taken_over(o)
    stored = known.certificates(selected)
    jobs = o.jobs or (cores() if len(selected) > MANY else 1)
    entries: list[dict[str, Any]] = []
    complete = False
    try:
        with bar(err, "verify") as progress:
            task = progress.add_task("", total=len(selected))
            for e in ledger.run(
                selected, known.claim, budget=o.budget, seed=o.seed, backend=o.backend, jobs=jobs, stored=stored,
                done=done, progress=lambda id: progress.update(task, description=id),
            ):  # fmt: skip
                entries.append(e)
                progress.advance(task)
        complete = True
    except KeyboardInterrupt:
        err.print("interrupted; the claims so far are kept" + (f" in {o.json}; go on with --resume" if o.json else ""))
    ledger.with_repairs(entries, {c.id: c for c in selected})
    report = ledger.report(entries, seed=o.seed, budget=o.budget, complete=complete)
    _write(o, report, stored)
    for line in verdict_lines(entries, out.width, every=o.all):
        out.print(line, soft_wrap=True)
    if not complete:
        return INTERRUPTED
    crashed = [e for e in entries if e.get("crashed")]
    for e in crashed:
        err.print(f"fedtheory: {e['id']}: {e['reason']}", style="red")
    short = _short_of(o, known, entries, expected)
    for missed in short:
        err.print(f"fedtheory: {missed}", highlight=False)
    return 3 if crashed else 1 if short else 0


def _taken_over(o: argparse.Namespace) -> dict[str, Any]:
    """The entries by id that ``--resume`` takes over."""
    from .. import files
    from ..referee import ledger

    if not o.resume or not Path(o.json).exists():
        return {}
    before = ledger.read_report(o.json)
    if (before["seed"], before["budget"], before["version"]) != (o.seed, o.budget, files.version()):
        raise UsageError(f"--resume: {o.json} was written with another seed, budget or version")
    return {e["id"]: e for e in before["claims"]}


def _write(o: argparse.Namespace, report: dict[str, Any], stored: dict[str, Any]) -> None:
    """The files that are asked for; a page only of a complete run."""
    from .. import files

    if o.json:
        files.write_json(o.json, report)
    if o.write_certificates:
        folder = Path(o.write_certificates)
        folder.mkdir(parents=True, exist_ok=True)
        for paper in sorted({key.split("/")[0] for key in stored}):
            own = {key: stored[key] for key in sorted(stored) if key.split("/")[0] == paper}
            files.write_json(folder / f"{paper}.json", own)
    if o.plot:
        from ..show.dots import verdicts

        verdicts(report["claims"], o.plot)
    if o.page and report["complete"]:
        from ..show.page import page

        files.write_text(o.page, page(registry.paper(o.paper), registry.claims(o.paper), report))


def _short_of(
    o: argparse.Namespace, known: Known, entries: list[dict[str, Any]], expected: dict[str, Any] | None
) -> list[str]:
    """What falls short of ``--expect`` and ``--fail-on``, a line each."""
    from ..referee import ledger

    def chosen(id: str) -> bool:
        in_paper = o.paper in (None, id.split("/")[0])
        return in_paper and (not o.what or any(fnmatch.fnmatchcase(id, p) for p in known.patterns))

    short = [] if expected is None else ledger.differences(expected, entries, budget=o.budget, chosen=chosen)
    return short + [f"{e['id']}: {e['verdict']}" for e in entries if e["verdict"] == o.fail_on]


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
