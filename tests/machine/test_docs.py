"""Every example in the README and in docstrings runs and prints what it says."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import fedtheory
import problems
from fedtheory.cli import main

README = Path(__file__).parents[2] / "README.md"
MODULES = [
    m.name
    for p in (fedtheory, problems)
    for m in pkgutil.walk_packages(p.__path__, p.__name__ + ".")
    if m.name != "fedtheory.cli"
]


def verdict_of(line):
    """A row's id, verdict and tier, and whether it shows a witness; the figures may differ between processors."""
    return (*line.split()[:3], "fails: m=1" in line)


def test_the_readme_lemma_prints_what_it_says(tmp_path, capsys):
    """The ten lines of the README and the table below them."""
    text = README.read_text(encoding="utf-8")
    (tmp_path / "my_lemma.py").write_text(re.search(r"```python\n(.*?)```", text, re.S)[1])
    assert main(["verify", str(tmp_path / "my_lemma.py")]) == 0
    printed = [verdict_of(line) for line in capsys.readouterr().out.strip().splitlines()]
    shown = [verdict_of(line) for line in re.search(r"prints\n\n```\n(.*?)```", text, re.S)[1].strip().splitlines()]
    assert printed == shown
    (tmp_path / "mended.py").write_text((tmp_path / "my_lemma.py").read_text().replace("2/x.L", "1/x.L"))
    main(["verify", str(tmp_path / "mended.py")])
    assert "proved" in capsys.readouterr().out


def test_the_readme_is_short_and_its_links_exist():
    """At most 120 lines; every relative link points at a file."""
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    for target in re.findall(r"\]\(([^)]+)\)", text):
        assert (README.parent / target).is_file(), target


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name):
    """Examples in docstrings."""
    assert doctest.testmod(importlib.import_module(name)).failed == 0
