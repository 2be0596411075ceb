"""`fedtheory list`: columns that fit, and nothing imported that it has no use for."""

import subprocess
import sys

import pytest

from fedtheory.show.listing import columns

HEAVY = ("scipy", "sympy", "z3", "clarabel", "matplotlib", "torch", "rich.table")
ROWS = [
    {"id": "a/first", "kind": "lemma", "locator": "Section 2, Lemma 1, the second of its displayed formulas", "printed": "x" * 90},
    {"id": "a/second~repaired", "kind": "proof step", "locator": "(7)", "printed": "y"},
]  # fmt: skip


@pytest.mark.parametrize("width", [50, 60, 80, 120])
def test_every_line_fits(width):
    """Columns go before a line is too long; what is cut is marked, ids never are."""
    head, first, second = columns(ROWS, width)
    assert max(map(len, (head, first, second))) <= width and first.endswith("…")
    assert head.startswith("id ") and first.startswith("a/first ") and second.startswith("a/second~repaired ")
    assert ("kind" in head) == ("locator" in head) == (width > 60)


def test_a_pipe_gets_all_of_it():
    """Nothing is cut there."""
    assert all(
        cell in line for row, line in zip(ROWS, list(columns(ROWS, 100_000))[1:], strict=True) for cell in row.values()
    )


def test_a_place_is_never_cut():
    """A path that is cut would be of no use."""
    rows = [{"id": "a/b", "kind": "lemma", "locator": "(1)", "where": "a/" * 30 + "b.py:7"}]
    assert list(columns(rows, 40)) == ["id   where", "a/b  " + rows[0]["where"]]


@pytest.mark.parametrize(
    ("words", "absent"),
    [(["--version"], ("numpy", *HEAVY)), (["--help"], ("numpy", *HEAVY)), (["list"], HEAVY), (["list", "--where"], HEAVY)],
    ids=str,
)  # fmt: skip
def test_what_is_not_needed_is_not_imported(words, absent):
    """A list of claims costs no engine, the help no command."""
    code = f"import sys; from fedtheory.cli import main; main({words}); sys.exit(sorted({set(absent)} & set(sys.modules)) or 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
