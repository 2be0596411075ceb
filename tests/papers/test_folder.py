"""A folder with a paper.toml is a paper: what it may lack, and what is said of a wrong one."""

import itertools

import pytest

from fedtheory.errors import UsageError
from fedtheory.folder import in_package
from proofs_checks import papers

CLAIM = """
from fedtheory import claim, le
from problems import Scalars, positive

@claim("small/one", world=Scalars(a=positive()))
def one(x):
    return le(0, x.a)
"""
TOML = 'id = "small"\ntitle = "Small"\n'
ROW = '[[row]]\nid = "small/one"\nkind = "lemma"\nlocator = "Lemma 1"\nformula = "$0 < a$"\n'
COUNT = itertools.count()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Write a package of a name of its own; its files by name."""

    def package(**files):
        name = f"small_paper_{next(COUNT)}"
        (tmp_path / name).mkdir()
        for file, text in {"__init__.py": "", "paper.toml": TOML, **files}.items():
            (tmp_path / name / file).write_text(text)
        monkeypatch.syspath_prepend(str(tmp_path))
        return name

    return package


def test_a_paper_needs_no_inventory(folder):
    """Claims alone; nothing else is there."""
    paper = in_package(folder(**{"lemma1.py": CLAIM}))
    assert (paper.id, paper.title, paper.authors, paper.formulas) == ("small", "Small", "", "")
    assert list(paper.claims()) == ["small/one"] and paper.claims()["small/one"].locator == ""
    assert paper.inventory() == paper.bindings() == paper.certificates() == {}
    assert paper.catalogue() is paper.symbols() is paper.curves() is paper.measured() is None


def test_a_claim_takes_what_its_row_says(folder):
    """Formula, locator and kind."""
    claim = in_package(folder(**{"lemma1.py": CLAIM, "inventory.toml": ROW})).claims()["small/one"]
    assert (claim.latex, claim.locator, claim.kind) == ("$0 < a$", "Lemma 1", "lemma")


def test_one_claim_in_two_modules(folder):
    """A module may import another one's claim; two claims of one id are refused with both places."""
    name = folder(**{"a.py": CLAIM, "b.py": "from .a import one\n"})
    assert list(in_package(name).claims()) == ["small/one"]
    name = folder(**{"a.py": CLAIM, "b.py": CLAIM})
    with pytest.raises(UsageError, match=rf"two claims are called small/one: {name}/a\.py:5 and {name}/b\.py:5"):
        in_package(name).claims()


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"paper.toml": TOML + 'autors = "A"\n'}, "did you mean authors"),
        ({"paper.toml": TOML + "reference = 3\n"}, "got reference = 3"),
        ({"paper.toml": 'id = "small"\n'}, "has no title"),
        ({"paper.toml": "id = \n"}, "paper.toml: Invalid value"),
        ({"paper.toml": TOML.replace("small", "Small-1")}, "small letters and digits, got 'Small-1'"),
        ({"inventory.toml": ROW + ROW}, "the row 'small/one' is there twice"),
        ({"inventory.toml": '[[row]]\nid = "small/one"\n'}, r"inventory.toml: kind is missing at row\[0\]"),
        ({"symbols.py": "x = 1\n"}, "does not define symbols"),
        ({"paper.toml": TOML + 'formulas = "no_such_package"\n'}, "no_such_package is no package"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(files, message, folder):
    """One sentence with the file."""
    name = folder(**files)
    with pytest.raises(UsageError, match=message):
        paper = in_package(name)
        paper.inventory()
        paper.symbols()


def test_our_papers_bring_symbols_and_a_catalogue():
    """Every folder of ours has its formulas in fedtheory/theory."""
    for paper in (p for p in papers() if p.id != "shelf"):  # of lemmas, which have neither
        assert paper.authors and paper.reference and paper.symbols() and paper.catalogue(), paper.id
        assert set(paper.catalogue().names) <= set(paper.symbols())
