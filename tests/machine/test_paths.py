"""Files and modules that pages and docstrings name are there."""

import ast
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("fedtheory", "problems", "proofs_checks")
FILE = re.compile(r"(?<![\w./-])((?:" + "|".join((*PACKAGES, "tests", "docs", "benchmarks")) + r")/[\w./*-]*\w)")
MODULE = re.compile(r"`((?:" + "|".join(PACKAGES) + r")(?:\.\w+)+)[(`]")
GROUPS = re.findall(r'entry-points\."([\w.]+)"', (ROOT / "pyproject.toml").read_text())
PAGES = [p for p in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")) if p.name != "CHANGELOG.md"]


def docstrings(file):
    """The docstrings of a module, and of what is in it."""
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    return "\n".join(filter(None, (ast.get_docstring(node) for node in nodes if isinstance(node, kinds))))


def is_there(name):
    """Whether there is a file or a folder of a name, in which words in capitals stand for any."""
    pattern = re.sub(r"[A-Z]{2,}", "*", name) if not (ROOT / name).exists() else name
    return any(ROOT.glob(pattern))


def is_importable(name):
    """Whether a dotted name is a module, something in one, a file of a package, or a group of entry points.

    A module that needs what is not installed (torch, say) is there as a file.
    """
    parts = name.split(".")
    if (ROOT / "/".join(parts)).with_suffix(".py").is_file():
        return True
    for k in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:k]))
        except ImportError:
            continue
        for part in parts[k:]:
            found = getattr(found, part, None)
        return found is not None or name in (*GROUPS, "problems.py")
    return False


def missing(text):
    """What a text names that is not there."""
    return [n for n in FILE.findall(text) if not is_there(n)] + [
        n for n in MODULE.findall(text) if not is_importable(n)
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_what_a_page_names_is_there(page):
    assert not missing(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("package", PACKAGES)
def test_what_docstrings_name_is_there(package):
    texts = {file: docstrings(file) for file in (ROOT / package).rglob("*.py")}
    assert not {str(file.relative_to(ROOT)): found for file, text in texts.items() if (found := missing(text))}


def test_what_is_not_there_is_found():
    text = "see fedtheory/engines/fits.py, `fedtheory.engines.fits`, `fedtheory.claim.clam` and docs/claims.md"
    assert missing(text) == ["fedtheory/engines/fits.py", "fedtheory.engines.fits", "fedtheory.claim.clam"]
