"""The site in a browser: search, filters, both widths, both schemes, no error, no request elsewhere, accessible by axe.

Chromium and its driver are looked for on the PATH; axe-core, a package of npm, where FEDTHEORY_AXE says axe.min.js is, or in
node_modules of the working directory. FEDTHEORY_SITE is a folder with a site to look at in place of one of a draft.
"""

import json
import os
import shutil
from pathlib import Path

import pytest
from site_pages import DRAFT

from fedtheory.cli import main

pytest.importorskip("jinja2")
pytest.importorskip("latex2mathml")
webdriver = pytest.importorskip("selenium.webdriver")
WebDriverWait = pytest.importorskip("selenium.webdriver.support.ui").WebDriverWait
CHROMIUM, DRIVER = shutil.which("chromium") or shutil.which("chromium-browser"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed")
AXE = Path(os.environ.get("FEDTHEORY_AXE", "node_modules/axe-core/axe.min.js"))
SIZES = {"phone": (390, 844), "desktop": (1280, 900)}
KINDS = ("overview", "search", "paper", "refuted", "proved", "docs")


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
        (folder / "docs" / "guide.md").write_text("# Guide\n\n## Zebras\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
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
        "docs": one("docs", "<table>"),
    }  # fmt: skip


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium that logs what it says and what it asks for."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    found = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield found
    found.quit()


def look(browser, path, size="desktop", scheme="light", query=""):
    """Open a page; nothing is said on the console, and nothing but files of the site is asked for."""
    width, height = SIZES[size]
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    browser.get(path.as_uri() + query)
    assert browser.get_log("browser") == []
    asked = [json.loads(line["message"])["message"] for line in browser.get_log("performance")]
    urls = [m["params"]["request"]["url"] for m in asked if m["method"] == "Network.requestWillBeSent"]
    assert urls and not [url for url in urls if not url.startswith("file:")]


def shown(browser):
    """The ids of the claims that the table shows."""
    found = (
        "[...document.querySelectorAll('#claims tbody tr')].filter(r => r.offsetHeight).map(r => r.cells[0].innerText)"
    )
    return browser.execute_script(f"return {found}")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_it_fits(browser, made, kind, size):
    """No page is wider than the screen."""
    look(browser, pages(made)[kind], size)
    wide, screen = browser.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
    assert wide <= screen == SIZES[size][0]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_it_is_accessible(browser, made, kind, scheme):
    """By axe-core, with its rules for contrast, in both schemes."""
    if not AXE.is_file():
        pytest.skip("axe-core is not at hand: npm install axe-core")
    look(browser, pages(made)[kind], "phone", scheme)
    browser.execute_script(AXE.read_text(encoding="utf-8"))
    browser.set_script_timeout(120)
    found = browser.execute_async_script("axe.run({preload: false}).then(arguments[0])")
    told = [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found["violations"]]
    assert told == [] and found["passes"]


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
