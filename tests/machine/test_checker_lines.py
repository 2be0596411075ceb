"""docs/certificates.md says what the lines of the stand-alone checker are for: every function once, with the lines that it has."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "fedtheory").glob("fedtheory_check*.py"))
ROW = re.compile(r"\| (?P<rule>.+) \| (?P<file>fedtheory_check\w*\.py): (?P<names>[^|]+) \| (?P<lines>\d+) \|")
LARGE = {"Theorem", "Limits"}  # classes of which every method stands by itself


def rows_of(text):
    """(file, names, lines) of every row of the table."""
    return [(m["file"], re.findall(r"`(\w+)`", m["names"]), int(m["lines"])) for m in ROW.finditer(text)]


def lines_of(file):
    """How many lines each function of a file has, by its name."""
    own = ast.parse(file.read_text()).body
    defined = [n for n in own if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.name not in LARGE]
    methods = [m for n in own if isinstance(n, ast.ClassDef) and n.name in LARGE for m in n.body]
    nodes = defined + [m for m in methods if isinstance(m, ast.FunctionDef)]
    assert len({n.name for n in nodes}) == len(nodes)
    return {n.name: n.end_lineno - n.lineno + 1 for n in nodes}


TEXT = (ROOT / "docs" / "certificates.md").read_text()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_function_stands_in_one_row_with_its_lines(file):
    lines, rows = lines_of(file), [row for row in rows_of(TEXT) if row[0] == file.name]
    assert sorted(name for _, names, _ in rows for name in names) == sorted(lines)
    assert [count for *_, count in rows] == [sum(lines[name] for name in names) for _, names, _ in rows]


def test_the_whole_is_said():
    whole = sum(len(file.read_text().splitlines()) for file in FILES)
    assert f"Of the checker's {whole:,} lines" in TEXT
    decision = (ROOT / "docs" / "decisions" / "11-one-model.md").read_text()
    assert f"| the stand-alone checker | 300, one file | {whole:,}, ten files |" in decision


def test_a_row_that_forgets_a_function_is_found():
    file, names, lines = rows_of(TEXT)[0]
    assert lines != sum(lines_of(ROOT / "fedtheory" / file)[name] for name in names[1:])
