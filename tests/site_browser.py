"""A headless Chromium that looks at pages of a site, and axe-core that looks for what keeps people out.

Chromium and its driver are looked for on the PATH; axe-core where FEDTHEORY_AXE says axe.min.js is, in node_modules of the working
directory, and in the package axe-playwright-python, of which nothing else is used.
"""

import json
import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

CHROMIUM, DRIVER = shutil.which("chromium") or shutil.which("chromium-browser"), shutil.which("chromedriver")
SIZES = {"phone": (390, 844), "desktop": (1280, 900)}
SCHEMES = ("light", "dark")
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
PATIENCE = 600  # seconds, for the longest page on a busy machine


def axe():
    """The text of axe.min.js, or None."""
    spec = find_spec("axe_playwright_python")
    package = [Path(folder) / "axe.min.js" for folder in (spec.submodule_search_locations if spec else ())]
    named = [Path(os.environ[name]) for name in ("FEDTHEORY_AXE",) if name in os.environ]
    found = [p for p in (*named, Path("node_modules/axe-core/axe.min.js"), *package) if p.is_file()]
    return found[0].read_text(encoding="utf-8") if found else None


def started():
    """A browser that logs what it says and what it asks for; a reason to skip where there is none."""
    webdriver = pytest.importorskip("selenium.webdriver")
    if not (CHROMIUM and DRIVER):
        pytest.skip("chromium and chromedriver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    found = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    found.set_page_load_timeout(PATIENCE)
    found.set_script_timeout(PATIENCE)
    found.command_executor.client_config.timeout = PATIENCE
    return found


def shape(browser, size="desktop", scheme="light"):
    """Set the width and the scheme of the screen."""
    width, height = SIZES[size]
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def look(browser, path, size="desktop", scheme="light", query=""):
    """Open a page; nothing is said on the console, and nothing but files of the site is asked for."""
    shape(browser, size, scheme)
    assert list(said_of(browser, path, query)) == []


def said_of(browser, path, query=""):
    """What is wrong with opening a page: words on the console, requests elsewhere."""
    browser.get(path.as_uri() + query)
    yield from (line["message"] for line in browser.get_log("browser"))
    asked = [json.loads(line["message"])["message"] for line in browser.get_log("performance")]
    urls = [m["params"]["request"]["url"] for m in asked if m["method"] == "Network.requestWillBeSent"]
    yield from (f"asks for {url}" for url in urls if not url.startswith("file:"))
    if not urls:
        yield "asks for nothing"


def width(browser):
    """That of the page, or of the screen as a phone has it zoomed out for the page, with all unfolded that can be."""
    browser.execute_script("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    return browser.execute_script("return Math.max(document.documentElement.scrollWidth, window.innerWidth)")


def barriers(browser):
    """(rule, places) of every violation on the page that is open, with all unfolded that can be; axe has to be at hand."""
    text = axe()
    if text is None:
        pytest.skip("axe-core is not at hand: pip install axe-playwright-python, or npm install axe-core")
    width(browser)
    browser.execute_script(text)
    within = (
        "{include: document, exclude: [['math > mrow']]}"  # whose thousands of signs have the colours of the formula
    )
    run = (
        f"axe.run({within}, {{preload: false, runOnly: {list(RULES)}, resultTypes: ['violations']}}).then(arguments[0])"
    )
    found = browser.execute_async_script(run)
    assert found["passes"]
    return [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found["violations"]]
