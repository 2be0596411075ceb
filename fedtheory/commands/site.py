"""fedtheory site: verdicts, proofs and docs as static pages."""

from __future__ import annotations

import argparse
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from .. import registry
from ..claim import Claim
from ..errors import UsageError
from ..files import check_folder, write_text
from ..formats import Document, Json
from ..paper import Paper
from .as_shipped import add_source, answers
from .known import Known
from .terminal import consoles

MARK = "fedtheory-site.json"  # by which a folder is known as a site that may be replaced
EXTRA = "fedtheory site needs the packages of the extra `site`: pip install 'fedtheory[site]'"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    site = commands.add_parser("site")
    site.add_argument("out", metavar="OUT", help="a folder that is empty, is not there yet, or is such a site")
    add_source(site)
    site.add_argument("--docs", metavar="FOLDER", help="Markdown to be pages of the site")
    site.add_argument("--title", default="fedtheory", help="of the site (default: fedtheory)")
    site.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    try:
        from ..show.site.build import Content, Site
        from ..show.site.documents import documents
        from .site_regions import audit, region
    except ImportError as error:
        raise UsageError(f"{EXTRA} ({error})") from error
    from ..show.errata import found_by
    from .empirical import verdicts

    check_free(Path(o.out))
    if o.docs and not Path(o.docs).is_dir():
        raise UsageError(f"--docs {o.docs} must be a folder with files of Markdown; there is none")
    out, err = consoles()
    known = Known(o.what)
    entries, claims, head, origin = answers(o, known, err, "site")
    papers = papers_of(entries)
    shipped = {f"papers/{p.id}.md": f"papers/{p.id}.html" for p in papers} | {"papers/overview.md": "index.html"}
    docs = documents(Path(o.docs), shipped) if o.docs else []
    bindings = {id: row for p in papers for id, row in p.bindings().items()}
    lines, _ = (
        ([], []) if origin else verdicts(os.devnull, [p.id for p in papers])
    )  # of no runs but those that the papers ship
    content = Content(
        papers, rows_of(entries, claims, papers), head, origin, docs,
        audits={p.id: audit(p) for p in papers}, files=known.files, title=o.title,
        regions={p.id: found for p in papers if (found := region(p))},
        notes=notes(papers, entries, claims, found_by(head, origin)),
        empirical={line["row"]: (line["verdict"], line["from"]) for line in lines},
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


def rows_of(entries: Sequence[Document], claims: Mapping[str, Claim], papers: Sequence[Paper]) -> Json:
    """The claims of a site by id, those of one paper together."""
    from ..show.site.claims import Row

    order = {p.id: k for k, p in enumerate(papers)}
    found = {e["id"]: Row(e, claims.get(e["id"])) for e in entries}
    return dict(sorted(found.items(), key=lambda pair: order[pair[1].paper]))


def papers_of(entries: Sequence[Document]) -> list[Paper]:
    """The papers of entries, the installed ones first in their order; a draft is one that has only its id."""
    ids = dict.fromkeys(e["id"].split("/")[0] for e in entries)
    installed = [p for id, p in registry.papers().items() if id in ids]
    return installed + [Paper(id, id, dict) for id in ids if id not in registry.papers()]


def notes(
    papers: Sequence[Paper], entries: Sequence[Document], claims: Mapping[str, Claim], said: str
) -> dict[str, str]:
    """By paper the note for its authors, of those in which something is wrong."""
    from ..show.errata import errata, faults

    wrong = [p for p in papers if faults(p, [e for e in entries if e["id"].split("/")[0] == p.id])]
    return {p.id: "\n".join(errata([p], entries, claims, said)) + "\n" for p in wrong}


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
