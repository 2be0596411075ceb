"""A site written into a folder: an overview, a page a paper, a page a claim, all claims to be searched, pages of documentation."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined

from ...formats import Json
from ...paper import Paper
from ...verdict import TRUST as TRUSTS
from ..tables import TRUST
from . import claims
from .claims import KINDS, LONG, MEANS, Row
from .documents import Document, pictures
from .mathematics import plain, printed
from .papers import Beside, Page, Region, verdicts_of

ASSETS = ("site.css", "search.js", "icon.svg")


@dataclass(frozen=True)
class Content:
    """All that a site is made of.

    Attributes
    ----------
    papers : list of Paper
    rows : dict of Row
        The claims of all of them by id, in the order of their papers.
    head : dict
        Of a report: version, budget and seed.
    origin : str
        Where the verdicts come from, where they were not decided or re-checked for the site.
    documents : list of Document
    audits : dict
        By paper its printed settings against its theorems.
    regions : dict of Region
        By paper where its theorems apply.
    notes : dict of str
        By paper a note for its authors, in LaTeX; none where nothing is wrong.
    empirical : dict
        By the id of an empirical row (verdict, why).
    errata : dict
        By the id of a row how its misprint is read.
    files : list of str
        Files of drafts, which command lines have to name.
    title : str
    """

    papers: Sequence[Paper]
    rows: Mapping[str, Row]
    head: Mapping[str, Any]
    origin: str = ""
    documents: Sequence[Document] = ()
    audits: Mapping[str, Sequence[object]] = field(default_factory=dict)
    regions: Mapping[str, Region] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    empirical: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    errata: Mapping[str, str] = field(default_factory=dict)
    files: Sequence[str] = ()
    title: str = "fedtheory"


class Site:
    """Writes a `Content` into a folder."""

    def __init__(self, content: Content, folder: Path) -> None:
        self.content, self.folder = content, folder
        docs = list(content.documents)
        self.papers = []
        for paper in content.papers:
            own = {id: row for id, row in content.rows.items() if row.paper == paper.id}
            beside = Beside(
                content.audits.get(paper.id, ()), pictures(docs, paper.id, quote), content.regions.get(paper.id),
                content.empirical, bool(content.notes.get(paper.id)),
            )  # fmt: skip
            self.papers.append(Page(paper, own, beside))
        self.above = claims.above(content.rows)
        self.made = Environment(
            loader=PackageLoader("fedtheory", "templates/site"), autoescape=True, undefined=StrictUndefined,
            trim_blocks=True, lstrip_blocks=True,
        )  # fmt: skip
        self.made.globals.update(site=self._site(), verdicts=verdicts_of(content.rows), means=MEANS)

    def _site(self) -> Json:
        head, content = self.content.head, self.content
        return {
            "title": content.title, "papers": self.papers, "documents": content.documents, "rows": content.rows,
            "version": head["version"], "budget": head["budget"], "seed": head["seed"], "origin": content.origin,
        }  # fmt: skip

    def write(self) -> None:
        """Write every page."""
        found = {row.entry["trust"] for row in self.content.rows.values()}
        trust = {t: TRUST[t] for t in TRUSTS if t in found and t}
        self._page("index.html", "index.html", papers=self.papers, total=len(self.content.rows), trust=trust)
        for page in self.papers:
            self._page("paper.html", page.file, paper=page)
            if page.beside.region:
                self._text(page.region_file, page.beside.region.svg)
            if page.beside.note:
                self._text(page.note_file, self.content.notes[page.id])
        for row in self.content.rows.values():
            self._claim(row)
        self._search(list(trust))
        if self.content.documents:
            self._documents()
        for name in ASSETS:
            source, _, _ = self.made.loader.get_source(self.made, name)  # type: ignore[union-attr]
            self._text(name, source)

    def _page(self, template: str, file: str, **what: object) -> None:
        root = file.count("/") * "../"
        self._text(file, self.made.get_template(template).render(root=root, here=file, **what))

    def _text(self, file: str, text: str) -> None:
        at = self.folder / file
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_text(text, encoding="utf-8")

    def _claim(self, row: Row) -> None:
        e, rows = row.entry, self.content.rows
        lines = claims.proof(e)
        long = f"{row.file.removesuffix('.html')}.proof.html" if len(lines) > LONG else ""
        code = claims.coq(e)
        coq = f"coq/{row.paper}/{row.name}.v" if code else ""
        base = re.split(r"[@~]", row.id)[0]
        if code:
            self._text(coq, code)
        if long:
            self._page("proof.html", long, row=row, proof=lines)
        given = [(g["id"], rows.get(g["id"]), g) for g in e.get("given", ())]
        self._page(
            "claim.html", row.file, row=row, printed=printed(e["latex"]), note=printed(e["note"]), facts=list(claims.facts(row)),
            hypotheses=claims.hypotheses(row.claim), assumed=claims.assumed(e), given=given,
            witness=claims.witness(row), repair=rows.get(e["repair"]["id"]) if e["repair"] else None,
            repaired=printed(e["repair"]["latex"]) if e["repair"] else "", erratum=printed(self.content.errata.get(base, "")),
            proof=lines, long="../../" + quote(long) if long else "", lines=len(lines),
            spread=any("spread" in str(line) for _, line in lines), coq="../../" + quote(coq) if coq else "",
            tree=claims.tree(row.id, rows), above=self.above.get(row.id, []),
            near=[r for id, r in rows.items() if id != row.id and re.split(r"[@~]", id)[0] == base],
            body=claims.body(row.claim), evidence=claims.evidence(e), commands=claims.commands(row, self._files(row)),
        )  # fmt: skip

    def _files(self, row: Row) -> Sequence[str]:
        """The files that a command line names for a claim: none of a published one."""
        return self.content.files if any(p.id == row.paper and not p.package for p in self.content.papers) else ()

    def _search(self, trust: Sequence[str]) -> None:
        rows = list(self.content.rows.values())
        kinds = [k for k in KINDS if any(r.kind == k for r in rows)]
        filters = [
            ("paper", [p.id for p in self.papers]), ("verdict", verdicts_of(self.content.rows)), ("trust", trust),
            ("kind", kinds),
        ]  # fmt: skip
        self._page("search.html", "search.html", rows=rows, filters=filters)
        found = {"claims": [words(r) for r in rows], "sections": list(self._sections())}
        self._text("index.js", f'"use strict";\nconst siteIndex = {json.dumps(found, ensure_ascii=False)};\n')

    def _sections(self) -> Iterator[tuple[str, str, str]]:
        for page in self.content.documents:
            for anchor, heading, text in page.sections:
                title = page.title if heading == page.title else f"{page.title}: {heading}"
                url = quote(page.file) + (f"#{quote(anchor)}" if anchor else "")
                yield url, title, f"{title} {text}".lower()

    def _documents(self) -> None:
        folders: dict[str, list[Document]] = {}
        for page in self.content.documents:
            folders.setdefault("/".join(page.file.split("/")[1:-1]), []).append(page)
            self._page("document.html", page.file, page=page)
            for to, source in page.copied.items():
                at = self.folder / to
                at.parent.mkdir(parents=True, exist_ok=True)
                at.write_bytes(source.read_bytes())
        self._page("docs.html", "docs.html", folders=[self._folder(*pair) for pair in sorted(folders.items())])

    def _folder(self, name: str, pages: Sequence[Document]) -> tuple[str, list[tuple[str, str, str]]]:
        """(heading, (paper, title, link) of each page) of a folder, whose README.md gives it its title."""
        titles = [p.title for p in pages if p.file.endswith("/README.html")]
        known = {p.id for p in self.papers}
        listed = []
        for page in sorted(pages, key=lambda p: not p.file.endswith("/README.html")):
            id = re.split(r"[_-]", page.file.rsplit("/", 1)[-1])[0]
            listed.append((id if id in known else "", page.title, quote(page.file)))
        return (titles[0] if titles and name else name.capitalize() or "Guides"), listed


def words(row: Row) -> str:
    """What a claim is found by, in small letters."""
    e = row.entry
    said = (row.id, e["locator"], e["verdict"], row.kind, plain(e["latex"]), e["latex"], e["note"], row.line)
    return " ".join(dict.fromkeys(filter(None, said))).lower()
