"""The pages of a site as trees: what is wrong with any of them, and a draft to make a site of."""

import itertools
import re
import subprocess
from pathlib import Path
from urllib.parse import unquote, urlsplit

import html5lib

XHTML = "{http://www.w3.org/1999/xhtml}"
LOADED = {"link": "href", "script": "src", "img": "src", "source": "src", "iframe": "src", "form": "action"}
DRAFT = """
from fedtheory import Control, claim, le, lt
from fedtheory.units import CURVATURE
from problems import Points, Scalars, SmoothStronglyConvex, condition, positive

ONE = Scalars(a=positive(CURVATURE), b=positive(CURVATURE))
CONVEX = Points(SmoothStronglyConvex("mu", "L"), optimum_of="f", mu=positive(CURVATURE), L=positive(CURVATURE),
                given=(condition("mu < L", lambda x: lt(x.mu, x.L)),))

@claim("draft/lemma1", world=ONE, repair="draft/lemma1~repaired", latex="$a b \\\\le \\\\frac{a^2}{4}$ & <more>",
       locator="Section 2, Lemma 1", control=Control("it has a square", lambda x: le(x.a*x.b, 0)))
def lemma1(x):
    return le(x.a*x.b, x.a**2/4)

@claim("draft/lemma1~repaired", world=ONE, latex="$a b \\\\le \\\\frac{a^2}{4}$", note="with b squared as well",
       locator="Section 2, Lemma 1")
def repaired(x):
    return le(x.a*x.b, (x.a**2 + x.b**2)/2)

@claim("draft/cocoercive", world=CONVEX, locator="Section 2, Lemma 2", uses=["draft/lemma1~repaired"])
def cocoercive(x):
    g = x.mean_vec(x.f.grad(x.w))
    return le(x.mu*x.sq(x.w - x.w_star), x.dot(g, x.w - x.w_star))
"""


def compiles(folder, text):
    """Whether pdflatex takes a document."""
    (folder / "note.tex").write_text(text, encoding="utf-8")
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "note.tex"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace", timeout=300)
    assert done.returncode == 0, re.findall(r"(?m)^!.*\n.*\n.*", done.stdout)


def trees(folder):
    """(path, tree) of every page; one that HTML does not allow is an error."""
    for path in sorted(Path(folder).rglob("*.html")):
        yield path, html5lib.HTMLParser(strict=True).parse(path.read_text(encoding="utf-8"))


def elements(tree, *names):
    """Elements of HTML by name, in their order."""
    wanted = {XHTML + name for name in names}
    return [e for e in tree.iter() if e.tag in wanted]


def complaints(folder):
    """What is wrong with the pages of a site, a line each."""
    pages = dict(trees(folder))
    anchors = {path.resolve(): {e.get("id") for e in tree.iter() if e.get("id")} for path, tree in pages.items()}
    for path, tree in pages.items():
        for said in (*_links(path, tree, anchors), *_loads(tree), *_headings(tree), *_reachable(tree)):
            yield f"{path.relative_to(folder)}: {said}"


def _links(path, tree, anchors):
    for a in elements(tree, "a"):
        url = urlsplit(a.get("href") or "")
        if url.scheme or url.netloc or not a.get("href"):
            continue
        at = (path.parent / unquote(url.path)).resolve() if url.path else path.resolve()
        if not at.is_file():
            yield f"leads to {a.get('href')}, which is not there"
        elif url.fragment and unquote(url.fragment) not in anchors.get(at, ()):
            yield f"leads to {a.get('href')}, where no element has that id"


def _loads(tree):
    """What a browser would ask another machine for."""
    for e in tree.iter():
        name = LOADED.get(str(e.tag).removeprefix(XHTML))
        if name and re.match(r"[a-z]+:|//", e.get(name) or ""):
            yield f"loads {e.get(name)}"
    for script in elements(tree, "script"):
        if not script.get("src"):
            yield "has a script within the page"


def _headings(tree):
    levels = [int(e.tag[-1]) for e in elements(tree, "h1", "h2", "h3", "h4", "h5", "h6")]
    if levels.count(1) != 1 or levels[0] != 1:
        yield f"has the headings {levels}"
    for before, after in itertools.pairwise(levels):
        if after > before + 1:
            yield f"has a heading of level {after} below one of level {before}"


def _reachable(tree):
    ids = [e.get("id") for e in tree.iter() if e.get("id")]
    if len(ids) != len(set(ids)):
        yield f"has an id twice: {[i for i in set(ids) if ids.count(i) > 1]}"
    links = elements(tree, "a")
    if links[0].get("href") != "#main" or "main" not in ids:
        yield "does not begin with a link to its content"
    for e in elements(tree, "img"):
        if e.get("alt") is None:
            yield "has a picture without words for it"
