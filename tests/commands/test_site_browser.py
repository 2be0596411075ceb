"""The site in a browser: search, filters, both widths, both schemes, no error, no request elsewhere, accessible by axe.

It is one of a draft; FEDTHEORY_SITE is a folder with another one to look at. The site of all papers: `test_site_whole.py`.
"""

import os
from pathlib import Path

import pytest
from site_browser import SCHEMES, SIZES, barriers, look, started, width
from site_pages import DRAFT

from fedtheory.cli import main

pytest.importorskip("jinja2")
pytest.importorskip("latex2mathml")
webdriver = pytest.importorskip("selenium.webdriver")
WebDriverWait = pytest.importorskip("selenium.webdriver.support.ui").WebDriverWait
KINDS = ("overview", "search", "paper", "refuted", "proved", "docs", "document")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A site, and the pages that are looked at."""
    if given := os.environ.get("FEDTHEORY_SITE"):
        out = Path(given).resolve()
    else:
        folder = tmp_path_factory.mktemp("browsed")
        out = folder / "site"
        (folder / "lemmas.py").write_text(DRAFT, encoding="utf-8")
        (folder / "docs").mkdir()
        table = "| a | |\n|---|---|\n| 1 | 2 |\n\n"
        text = f"# Guide\n\n## Zebras\n\n{table}words\n\n{table}```sh\nfedtheory {'and more ' * 30}\n```\n"
        (folder / "docs" / "guide.md").write_text(text)
        assert main(["site", str(out), str(folder / "lemmas.py"), "--docs", str(folder / "docs")]) == 0
    return out


def pages(out):
    """A page of each kind."""

    def one(part, word):
        found = sorted(p for p in (out / part).rglob("*.html") if not p.name.endswith(".proof.html"))
        return next(p for p in found if word in p.read_text(encoding="utf-8"))

    return {
        "overview": out / "index.html", "search": out / "search.html", "paper": one("papers", ""),
        "refuted": one("claims", "<h2>Counterexample</h2>"), "proved": one("claims", '<div class="proof'),
        "docs": out / "docs.html", "document": one("docs", "<table>"),
    }  # fmt: skip


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium."""
    found = started()
    yield found
    found.quit()


def shown(browser):
    """The ids of the claims that the table shows."""
    found = (
        "[...document.querySelectorAll('#claims tbody tr')].filter(r => r.offsetHeight).map(r => r.cells[0].innerText)"
    )
    return browser.execute_script(f"return {found}")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_it_fits_and_is_accessible(browser, made, kind, size, scheme):
    """No page is wider than the screen; nothing is found by axe-core, with its rules for contrast."""
    look(browser, pages(made)[kind], size, scheme)
    assert width(browser) <= SIZES[size][0]
    assert barriers(browser) == []


@pytest.mark.parametrize(
    "style, rule", [("p { color: #ccc !important }", "color-contrast"), ("main { width: 600px }", "")]
)
def test_what_keeps_people_out_is_seen(browser, made, style, rule):
    """The looks at the pages can fail: grey words on white, a page that is wider than the phone."""
    look(browser, made / "index.html", "phone")
    browser.execute_script(
        "document.head.append(Object.assign(document.createElement('style'), {textContent: arguments[0]}))", style
    )
    if rule:
        assert rule in [name for name, _ in barriers(browser)]
    else:
        assert width(browser) > SIZES["phone"][0]


def test_mathematics_is_set(browser, made):
    """A statement is MathML that the browser draws, not text."""
    look(browser, pages(made)["proved"])
    boxes = "[...document.querySelectorAll('main math')].map(m => [m.offsetWidth || m.getBoundingClientRect().width])"
    assert browser.execute_script(f"return {boxes}")


def test_search_and_filters(browser, made):
    """Words and choices leave the rows that have them, also those of a link; what is chosen stays in the address."""
    look(browser, made / "search.html")
    every = shown(browser)
    total = browser.execute_script("return siteIndex.claims.length")
    assert len(every) == total
    look(browser, made / "search.html", query="?verdict=refuted")
    refuted = shown(browser)
    assert 0 < len(refuted) < total and f"{len(refuted)} of {total}" in browser.find_element("id", "count").text
    browser.find_element("id", "words").send_keys(refuted[0])
    assert refuted[0] in shown(browser) and "q=" in browser.current_url
    browser.find_element("id", "words").send_keys(" nosuchword")
    assert shown(browser) == []
    browser.find_element("css selector", "button[type=reset]").click()
    WebDriverWait(browser, 20).until(lambda b: len(shown(b)) == total)


def test_search_from_any_page(browser, made):
    """The form at the head of a claim's page leads to the table, and the docs are found as well."""
    look(browser, pages(made)["refuted"], "phone")
    word = "Zebras" if "FEDTHEORY_SITE" not in os.environ else "convex"
    browser.find_element("id", "find").send_keys(word + "\n")
    wait = WebDriverWait(browser, 20)
    wait.until(lambda b: b.current_url.split("?")[0].endswith("/search.html") and b.find_element("id", "hits").text)
    hits = browser.find_element("id", "hits")
    assert "of the docs" in hits.text
    hits.find_element("tag name", "summary").click()
    hits.find_element("tag name", "a").click()
    wait.until(lambda b: "/docs/" in b.current_url)


def test_by_keyboard(browser, made):
    """The first stop of the Tab key leads to the content; a slash goes to the search."""
    look(browser, made / "search.html")
    keys = webdriver.common.keys.Keys
    browser.find_element("tag name", "body").send_keys(keys.TAB)
    assert browser.switch_to.active_element.text == "Skip to the content"
    browser.switch_to.active_element.send_keys(keys.ENTER)
    assert browser.current_url.endswith("#main")
    browser.find_element("tag name", "body").send_keys("/")
    assert browser.switch_to.active_element.get_attribute("id") == "words"


def test_without_scripts(browser, made):
    """Every claim is in the table, and no control that would do nothing is shown."""
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        look(browser, made / "search.html")
        rows = browser.find_elements("css selector", "#claims tbody tr")
        assert rows and not browser.find_element("id", "filters").is_displayed() and rows[0].is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
