"""Every example in the README and in docstrings runs and prints what it says."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import fedtheory
import problems
from fedtheory import fedtheory_check
from fedtheory.cli import main

README = Path(__file__).parents[2] / "README.md"
MODULES = [
    m.name
    for p in (fedtheory, problems)
    for m in pkgutil.walk_packages(p.__path__, p.__name__ + ".")
    if m.name != "fedtheory.cli"
]


def lines(table):
    """The lines of a table as they are, but for spaces at their ends and for the time that a verdict took."""
    return [re.sub(r"\d+\.\d\ds", "0.00s", line.rstrip()) for line in table.strip().splitlines()]


def test_the_readme_lemma_prints_what_it_says(tmp_path, capsys):
    """The ten lines of the README and the table below them, on every processor: the witness comes from small rationals."""
    text = README.read_text(encoding="utf-8")
    (tmp_path / "my_lemma.py").write_text(re.search(r"```python\n(.*?)```", text, re.S)[1])
    assert main(["verify", str(tmp_path / "my_lemma.py")]) == 0
    shown = re.search(r"prints\n\n```\n(.*?)```", text, re.S)[1]
    assert lines(capsys.readouterr().out) == lines(shown)
    (tmp_path / "mended.py").write_text((tmp_path / "my_lemma.py").read_text().replace("2/x.L", "1/x.L"))
    main(["verify", str(tmp_path / "mended.py")])
    assert "proved" in capsys.readouterr().out


def test_the_readme_is_short_and_its_links_exist():
    """At most 120 lines; every relative link points at a file."""
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    for target in re.findall(r"\]\(([^)]+)\)", text):
        assert (README.parent / target).is_file(), target


HEADINGS = ("Verdicts changed", "Added", "Changed", "Removed", "Fixed")


def test_the_changelog_begins_with_changed_verdicts():
    """Each section of a release, in the order of RELEASING.md."""
    for section in (README.parent / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1:]:
        found = re.findall(r"^### (.*)$", section, re.M)
        assert found[0] == HEADINGS[0] and found == [h for h in HEADINGS if h in found], section[:40]


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name):
    """Examples in docstrings; those of networks where torch is installed."""
    if name.startswith("problems.networks"):
        pytest.importorskip("torch")
    _, _, beside = name.partition("fedtheory.fedtheory_check_")  # a file that stands beside the checker, in no package
    module = fedtheory_check.beside(beside) if beside else importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


def test_the_page_of_symbols_is_what_the_tables_say(capsys):
    """docs/notation.md holds what `fedtheory list --symbols` prints."""
    text = (README.parent / "docs" / "notation.md").read_text(encoding="utf-8")
    assert main(["list", "--symbols"]) == 0
    assert re.search(r"<!-- symbols -->\n(.*)<!-- end of symbols -->", text, re.S)[1] == capsys.readouterr().out


def test_the_python_of_the_questions_runs(capsys):
    """docs/questions.md: constants without the command line."""
    text = (README.parent / "docs" / "questions.md").read_text(encoding="utf-8")
    exec(re.search(r"```python\n(.*?)```", text, re.S)[1], {})
    assert "condition rho >= lam alpha" in capsys.readouterr().out
