"""A folder of Markdown as pages of the site: links between its files kept, tables that scroll, headings to link to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markupsafe import Markup

from ...errors import UsageError
from .mathematics import plain

if TYPE_CHECKING:
    from markdown_it.token import Token

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
SCROLLS = (  # what may be wider than the screen is reached by keyboards
    ("<table>", '<div class="scroll" tabindex="0" role="group" aria-label="table"><table>'), ("</table>", "</table></div>"),
    ("<pre>", '<pre tabindex="0">'),
)  # fmt: skip
NAMELESS = re.compile(r"<th[^>]*></th>")  # a column without a heading
FEW = 3  # parts of a page without a list of them


class Image(NamedTuple):
    """A picture of a page: its file, what is said of it, and the section that it stands in."""

    file: str
    said: str
    anchor: str


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
    images : list of Image
    parts : list of (anchor, heading)
        Its headings of the second level.
    """

    file: str
    title: str = ""
    html: Markup = field(default_factory=Markup)
    sections: list[tuple[str, str, str]] = field(default_factory=list)
    copied: dict[str, Path] = field(default_factory=dict)
    images: list[Image] = field(default_factory=list)
    parts: list[tuple[str, str]] = field(default_factory=list)

    @property
    def contents(self) -> list[tuple[str, str]]:
        """(anchor, heading) of its parts, where there are several."""
        return self.parts if len(self.parts) > FEW else []


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
    parser.add_render_rule("image", _image)
    tokens = parser.parse(path.read_text(encoding="utf-8"))
    page.title = path.stem
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        page.title, tokens = _text(tokens[1]), tokens[3:]
    _anchors(tokens)
    anchor = ""
    for k, token in enumerate(tokens):
        if token.type == "heading_open":
            anchor = str(token.attrGet("id"))
            page.parts += [(anchor, _text(tokens[k + 1]))] if token.tag == "h2" else []
        for child in token.children or ():
            if child.type == "link_open":
                _link(child, "href", path, folder, known, page)
            if child.type == "image" and (to := _link(child, "src", path, folder, known, page)):
                page.images.append(Image(to, child.content, anchor))
    page.sections = list(_sections(tokens, page.title))
    html = parser.renderer.render(tokens, parser.options, {})
    for bare, reached in SCROLLS:
        html = html.replace(bare, reached)
    page.html = Markup(NAMELESS.sub("<td></td>", html))
    return page


def _image(self: object, tokens: Sequence[Token], k: int, options: object, env: object) -> str:
    """A picture that leads to itself in full, for screens on which it is small."""
    own = Markup('<a class="picture" href="{}"><img src="{}" alt="{}" loading="lazy"></a>')
    return own.format(tokens[k].attrGet("src"), tokens[k].attrGet("src"), tokens[k].content)


def _text(token: Token) -> str:
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


def _anchors(tokens: list[Token]) -> None:
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


def _link(token: Token, name: str, path: Path, folder: Path, known: Mapping[Path, str], page: Document) -> str:
    """A link between files as one between pages; one to a file that is not in the site is none. The file that it leads to."""
    href = str(token.attrGet(name))
    target, _, anchor = unquote(href).partition("#")
    if OUTSIDE.match(href):
        if name == "src":  # a picture from elsewhere would be a request
            token.type = "text"
        return ""
    if not target:
        return ""
    at = (path.parent / target).resolve()
    own = page.file.count("/") * "../"
    if at in known:
        token.attrSet(name, own + known[at] + (f"#{anchor}" if anchor else ""))
    elif at.is_file() and at.suffix in KEPT and at.is_relative_to(folder.resolve()):
        to = f"docs/{at.relative_to(folder.resolve()).as_posix()}"
        page.copied[to] = at
        token.attrSet(name, own + to)
        return to
    elif name == "src":
        token.type = "text"
    else:
        token.attrs.pop(name)
    return ""


def _sections(tokens: list[Token], title: str) -> Iterator[tuple[str, str, str]]:
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
    """(title, link, picture) of a paper's tables, figures and rates: pages and pictures whose names begin with its id."""
    own = re.compile(rf"{re.escape(paper)}[_-]")
    out = []
    for page in docs:
        link = url(page.file)
        if own.match(page.file.rsplit("/", 1)[-1]):
            out.append((page.title, link, next((url(one.file) for one in page.images), "")))
        else:
            for one in page.images:
                if own.match(one.file.rsplit("/", 1)[-1]):
                    out.append((one.said, f"{link}#{url(one.anchor)}" if one.anchor else link, url(one.file)))
    return out
