"""A folder of Markdown as pages of the site: links between its files kept, tables that scroll, headings to link to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markupsafe import Markup

from ...errors import UsageError
from .mathematics import plain

OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.I)
KEPT = (
    ".svg",
    ".png",
    ".py",
    ".toml",
    ".json",
    ".csv",
    ".tex",
)  # files beside the pages that are copied when linked to
PICTURES = (".svg", ".png")


@dataclass
class Document:
    """One page.

    Attributes
    ----------
    file : str
        Of the page, from the root of the site on.
    title : str
    html : Markup
        Its content, without the title.
    sections : list of (anchor, heading, words)
        For the search.
    copied : dict
        Files that it shows or links to: where from, by where to.
    """

    file: str
    title: str = ""
    html: Markup = field(default_factory=Markup)
    sections: list[tuple[str, str, str]] = field(default_factory=list)
    copied: dict[str, Path] = field(default_factory=dict)


def documents(folder: Path, papers: Mapping[str, str]) -> list[Document]:
    """The pages of a folder and of those in it, in the order of their names.

    Parameters
    ----------
    folder : Path
    papers : dict
        Pages of the site that stand in place of files: by the path in the folder, such as ``papers/x.md``.

    Raises
    ------
    UsageError
        If there is no Markdown in it.
    """
    found = sorted(p for p in folder.rglob("*.md") if p.relative_to(folder).as_posix() not in papers)
    if not found:
        raise UsageError(f"--docs {folder} has no file of Markdown")
    known = {p.resolve(): f"docs/{p.relative_to(folder).with_suffix('.html').as_posix()}" for p in found}
    known |= {(folder / name).resolve(): page for name, page in papers.items()}
    return [_document(p, folder, known) for p in found]


def _document(path: Path, folder: Path, known: Mapping[Path, str]) -> Document:
    page = Document(known[path.resolve()])
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(path.read_text(encoding="utf-8"))
    page.title = path.stem
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        page.title, tokens = _text(tokens[1]), tokens[3:]
    _anchors(tokens)
    for token in tokens:
        for child in token.children or ():
            if child.type == "link_open":
                _link(child, "href", path, folder, known, page)
            if child.type == "image":
                _link(child, "src", path, folder, known, page)
    page.sections = list(_sections(tokens, page.title))
    html = parser.renderer.render(tokens, parser.options, {})
    wrapped = '<div class="scroll" tabindex="0" role="region" aria-label="table"><table>'
    page.html = Markup(html.replace("<table>", wrapped).replace("</table>", "</table></div>"))
    return page


def _text(token: Any) -> str:
    """The words of a heading or a paragraph."""
    return "".join(c.content for c in token.children or () if c.type in ("text", "code_inline", "softbreak"))


def slug(heading: str) -> str:
    """The anchor of a heading, as code hosts make it.

    Examples
    --------
    >>> slug("What is not guessed?")
    'what-is-not-guessed'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def _anchors(tokens: list[Any]) -> None:
    """An id for every heading; a first-level one further down is made a second-level one, and none leaves a level out."""
    seen: dict[str, int] = {}
    level = 1
    for k, token in enumerate(tokens):
        if token.type != "heading_open":
            continue
        level = max(2, min(int(token.tag[1]), level + 1))
        token.tag = tokens[k + 2].tag = f"h{level}"
        name = slug(_text(tokens[k + 1])) or "section"
        seen[name] = seen.get(name, -1) + 1
        token.attrSet("id", f"{name}-{seen[name]}" if seen[name] else name)


def _link(token: Any, name: str, path: Path, folder: Path, known: Mapping[Path, str], page: Document) -> None:
    """A link between files as one between pages; one to a file that is not in the site is none."""
    href = str(token.attrGet(name))
    target, _, anchor = unquote(href).partition("#")
    if OUTSIDE.match(href):
        if name == "src":  # a picture from elsewhere would be a request
            token.type = "text"
        return
    if not target:
        return
    at = (path.parent / target).resolve()
    own = page.file.count("/") * "../"
    if at in known:
        token.attrSet(name, own + known[at] + (f"#{anchor}" if anchor else ""))
    elif at.is_file() and at.suffix in KEPT and at.is_relative_to(folder.resolve()):
        to = f"docs/{at.relative_to(folder.resolve()).as_posix()}"
        page.copied[to] = at
        token.attrSet(name, own + to)
    elif name == "src":
        token.type = "text"
    else:
        token.attrs.pop(name)


def _sections(tokens: list[Any], title: str) -> Iterator[tuple[str, str, str]]:
    """(anchor, heading, words) of every section."""
    anchor, heading, words = "", title, list[str]()
    for k, token in enumerate(tokens):
        if token.type == "heading_open":
            yield anchor, heading, " ".join(words)
            anchor, heading, words = str(token.attrGet("id")), _text(tokens[k + 1]), []
        elif token.type == "inline":
            words.append(plain(_text(token)))
    yield anchor, heading, " ".join(words)


def pictures(docs: list[Document], paper: str, url: Callable[[str], str]) -> list[tuple[str, str, str]]:
    """(title, link, picture) of the pages of a paper's tables, figures and rates: those whose name begins with its id."""
    out = []
    for page in docs:
        name = page.file.rsplit("/", 1)[-1]
        if re.match(rf"{re.escape(paper)}[_-]", name):
            shown = [url(to) for to in page.copied if to.endswith(PICTURES)]
            out.append((page.title, url(page.file), shown[0] if shown else ""))
    return out
