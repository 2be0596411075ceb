"""fedtheory site: verdicts, proofs and docs as static pages."""

from __future__ import annotations

import argparse
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .. import registry
from ..claim import Claim
from ..errors import UsageError
from ..files import check_folder, version, write_text
from ..paper import Paper
from .as_shipped import AS_SHIPPED, decided
from .known import Known
from .terminal import consoles

MARK = "fedtheory-site.json"  # by which a folder is known as a site that may be replaced
EXTRA = "fedtheory site needs the packages of the extra `site`: pip install 'fedtheory[site]'"


def add_parser(commands: Any) -> None:
    """Add the command."""
    site = commands.add_parser("site")
    site.add_argument("out", metavar="OUT", help="a folder that is empty, is not there yet, or is such a site")
    site.add_argument(
        "what", nargs="*", metavar="ID|PATTERN|FILE.py|FOLDER/", help="claims (default: all) or files with claims"
    )
    site.add_argument("--paper", action="append", metavar="PAPER", help="claims of one paper; may stand several times")
    site.add_argument("--from", dest="report", metavar="REPORT.json", help="take the verdicts of a report")
    site.add_argument("--docs", metavar="FOLDER", help="Markdown to be pages of the site")
    site.add_argument("--title", default="fedtheory", help="of the site (default: fedtheory)")
    site.add_argument("--jobs", type=int, help="processes (default: one a core when there are many claims)")
    site.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    try:
        from ..show.site.build import Content, Site
        from ..show.site.documents import documents
    except ImportError as error:
        raise UsageError(f"{EXTRA} ({error})") from error
    if o.jobs is not None and o.jobs < 1:
        raise UsageError(f"--jobs must be at least 1, got {o.jobs}")
    check_free(Path(o.out))
    out, err = consoles()
    known = Known(o.what)
    entries, claims, head, origin = _from(o, known) if o.report else _decided(o, known, err)
    papers = papers_of(entries)
    shipped = {f"papers/{p.id}.md": f"papers/{p.id}.html" for p in papers} | {"papers/overview.md": "index.html"}
    docs = documents(Path(o.docs), shipped) if o.docs else []
    bindings = {id: row for p in papers for id, row in p.bindings().items()}
    content = Content(
        papers, rows_of(entries, claims, papers), head, origin, docs,
        audits={p.id: _audit(p) for p in papers}, files=known.files, title=o.title,
        errata={id: row["erratum"] for id, row in bindings.items() if "erratum" in row},
    )  # fmt: skip
    with replaced(Path(o.out)) as folder:
        Site(content, folder).write()
        write_text(folder / MARK, json.dumps({"schema": 1, **head, "claims": len(entries)}) + "\n")
    files = [p for p in Path(o.out).rglob("*") if p.is_file()]
    size = sum(p.stat().st_size for p in files)
    out.print(f"{len(entries)} claims, {len(files)} files, {size / 1e6:.1f} MB: {Path(o.out) / 'index.html'}",
              highlight=False, markup=False, soft_wrap=True)  # fmt: skip
    return 0


def rows_of(
    entries: Sequence[Mapping[str, Any]], claims: Mapping[str, Claim], papers: Sequence[Paper]
) -> dict[str, Any]:
    """The claims of a site by id, those of one paper together."""
    from ..show.site.claims import Row

    order = {p.id: k for k, p in enumerate(papers)}
    found = {e["id"]: Row(e, claims.get(e["id"])) for e in entries}
    return dict(sorted(found.items(), key=lambda pair: order[pair[1].paper]))


def papers_of(entries: Sequence[Mapping[str, Any]]) -> list[Paper]:
    """The papers of entries, the installed ones first in their order; a draft is one that has only its id."""
    ids = dict.fromkeys(e["id"].split("/")[0] for e in entries)
    installed = [p for id, p in registry.papers().items() if id in ids]
    return installed + [Paper(id, id, dict) for id in ids if id not in registry.papers()]


def _decided(o: argparse.Namespace, known: Known, err: Any) -> tuple[list[Any], dict[str, Claim], dict[str, Any], str]:
    """Entries of the claims that are asked for, re-checked or decided."""
    selected = {c.id: c for paper in o.paper or [None] for c in known.select(paper)}
    entries = decided(known, list(selected.values()), err, "site", o.jobs)
    for e in entries:
        e["hypotheses"]["met_in_experiments"] = known.met(e["id"])
    head = {"version": version(), "budget": AS_SHIPPED["budget"], "seed": AS_SHIPPED["seed"]}
    return entries, selected, head, ""


def _from(o: argparse.Namespace, known: Known) -> tuple[list[Any], dict[str, Claim], dict[str, Any], str]:
    """Entries of a report, with the claims that say the same now as when it was written.

    Raises
    ------
    UsageError
        If the report is not as it was written, or has none of the claims.
    """
    from ..referee import ledger
    from ..referee.cache import Sources

    report = ledger.read_report(o.report)
    entries = [e for e in report["claims"] if not o.paper or e["id"].split("/")[0] in o.paper]
    if known.patterns:
        named = {c.id for c in known.select()}
        entries = [e for e in entries if e["id"] in named]
    if not entries:
        raise UsageError(f"--from {o.report} has none of the claims that are asked for")
    if edited := [e["id"] for e in entries if e.get("edited")]:
        raise UsageError(f"--from {o.report}: these entries are not as they were written: {', '.join(edited)}")
    claims: dict[str, Claim] = {}
    for e in entries:
        try:
            claims[e["id"]] = known.claim(e["id"])
        except UsageError:  # of a draft that is not named, or gone
            continue
    listed = list(claims.values())
    options = {"budget": report["budget"], "seed": report["seed"], "backend": "numpy"}
    keys = ledger.keys(listed, known.sources, Sources(), known.certificates(listed), **options)
    same = {e["id"]: claims[e["id"]] for e in entries if e.get("key") and keys.get(e["id"]) == e["key"]}
    head = {name: report[name] for name in ("version", "budget", "seed")}
    return entries, same, head, f", from the report {Path(o.report).name}, of which nothing was re-checked"


def _audit(paper: Paper) -> Sequence[Any]:
    """The printed settings of a paper against its theorems."""
    from ..regions.audit import lines
    from .audit import settings_of
    from .regions import theorems_of

    catalogue = paper.catalogue()
    if catalogue is None:
        return ()
    return lines(catalogue, [s for s, _ in settings_of(paper)], theorems_of(catalogue))


def check_free(out: Path) -> None:
    """Raise UsageError unless a site may be written at `out`."""
    check_folder(str(out), "OUT")
    if out.is_dir() and any(out.iterdir()) and not (out / MARK).is_file():
        raise UsageError(f"OUT must be a folder that is empty or a site that fedtheory wrote, got {out}")


@contextmanager
def replaced(out: Path) -> Iterator[Path]:
    """A folder beside `out` to write a site in; it takes the place of `out` at the end, and is removed on an error.

    Raises
    ------
    UsageError
        If it cannot be written.
    """
    at = Path(os.path.realpath(out))
    temporary, old = (at.with_name(f"{at.name}.{os.getpid()}.{end}") for end in ("tmp", "old"))
    try:
        temporary.mkdir()
        yield temporary
        if at.is_dir():
            os.replace(at, old)
        os.replace(temporary, at)
    except OSError as error:
        if old.is_dir() and not at.exists():
            os.replace(old, at)
        raise UsageError(f"{out} cannot be written: {error.strerror or error}") from error
    finally:
        for left in (temporary, old):
            shutil.rmtree(left, ignore_errors=True)
