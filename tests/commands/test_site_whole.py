"""The site of all papers in a browser: every page fits a phone and is silent; those of each kind are accessible by axe.

FEDTHEORY_SITE is a folder with that site, where it is there already: `fedtheory site FOLDER --docs docs`.
"""

import os
import shutil
from pathlib import Path

import pytest
from site_browser import SCHEMES, SIZES, barriers, look, said_of, shape, started, width
from site_pages import compiles, complaints

from fedtheory.cli import main
from fedtheory.registry import papers

pytest.importorskip("jinja2")
pytest.importorskip("latex2mathml")
DOCS = Path(__file__).parents[2] / "docs"
pytestmark = [
    pytest.mark.slow,  # minutes; the site of a draft: test_site_browser.py
    pytest.mark.xdist_group("site"),
    pytest.mark.skipif(not DOCS.is_dir(), reason="the docs are in the repository alone"),
]
CLAIMS = {
    "counterexample": "<h2>Counterexample</h2>", "proof": '<div class="proof', "assumed": "Assumed, not proved",
    "tree": '<ul class="tree">', "misprint": "<h2>Misprint</h2>", "repair": "<h2>Repair</h2>", "coq": "for Coq",
}  # fmt: skip
DOCUMENTS = ("check", "site", "rates", "tables", "choosing", "schedule", "tables/pfedme_table1", "tables/verdicts")
PAPERS = tuple(f"papers/{id}.html" for id in papers())
PLAIN = ("index.html", "search.html", "docs.html", *PAPERS, *(f"docs/{d}.html" for d in DOCUMENTS))
LONG = {
    "papers/dadpfl.html",
    "papers/fedadmm.html",
    "papers/pfedme.html",
}  # minutes each: at either width in one scheme
LOOKS = [
    (page, size, scheme) for page in PLAIN for size in SIZES for scheme in SCHEMES
    if page not in LONG or (size == "phone") == (scheme == "light")
]  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The site of all papers with the docs."""
    if given := os.environ.get("FEDTHEORY_SITE"):
        return Path(given).resolve()
    out = tmp_path_factory.mktemp("whole") / "site"
    assert main(["site", str(out), "--docs", str(DOCS)]) == 0
    return out


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium."""
    found = started()
    yield found
    found.quit()


def claim_with(whole, what):
    """A claim's page that has something on it."""
    found = sorted((whole / "claims").rglob("*.html"))
    return next(p for p in found if not p.name.endswith(".proof.html") and what in p.read_text(encoding="utf-8"))


def in_order(browser, path, size, scheme):
    """It fits, and axe finds nothing."""
    look(browser, path, size, scheme)
    assert width(browser) <= SIZES[size][0]
    assert barriers(browser) == []


@pytest.mark.parametrize("page, size, scheme", LOOKS)
def test_a_page(browser, whole, page, size, scheme):
    """The overview, the search, papers, docs."""
    in_order(browser, whole / page, size, scheme)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("what", CLAIMS)
def test_a_claim(browser, whole, what, size, scheme):
    """A claim's page with each of the things that one can have."""
    in_order(browser, claim_with(whole, CLAIMS[what]), size, scheme)


def test_every_page_fits_a_phone(browser, whole):
    """Unfolded, without a word on the console and without a request elsewhere."""
    shape(browser, "phone")
    wrong = []
    for path in sorted(whole.rglob("*.html")):
        wrong += [(path.relative_to(whole), said) for said in said_of(browser, path)]
        if (wide := width(browser)) > SIZES["phone"][0]:
            wrong.append((path.relative_to(whole), f"is {wide} wide"))
    assert wrong == []


def test_every_page_is_in_order(whole):
    """HTML by the rules, links that lead somewhere, headings in order."""
    assert list(complaints(whole)) == []


def test_every_paper_has_all_of_it(whole):
    """Its errata, what does not hold, its map, its tables and figures; a page a claim."""
    for id, paper in papers().items():
        text = (whole / "papers" / f"{id}.html").read_text(encoding="utf-8")
        assert len(list((whole / "claims" / id).glob("*.html"))) >= len(paper.claims())
        assert ("regions/" in text) == (whole / "regions" / f"{id}.svg").is_file() == bool(paper.audited())
        assert (f'href="../errata/{id}.tex"' in text) == ('id="refuted"' in text)
        tables = [f"docs/tables/{id}_{name}.html" for name in paper.experiments()]
        assert [t for t in tables if (whole / t).is_file() and f"../{t}" not in text] == []


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("id", papers())
def test_the_note_for_the_authors_compiles(whole, tmp_path, id):
    """Of every paper in which something is wrong."""
    note = whole / "errata" / f"{id}.tex"
    if not note.is_file():
        assert "does not hold" not in (whole / "papers" / f"{id}.html").read_text(encoding="utf-8")
        return
    compiles(tmp_path, note.read_text(encoding="utf-8"))
