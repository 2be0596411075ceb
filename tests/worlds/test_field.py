"""docs/field.md: statements of the field have the verdicts of its tables, as they are and off by a little."""

import re
from collections import Counter
from pathlib import Path

import pytest

from fedtheory import verify
from fedtheory.drafts import load

DOCS = Path(__file__).parents[2] / "docs"
FILES = DOCS / "examples" / "field"
PAGE = (DOCS / "field.md").read_text(encoding="utf-8")
LINES = re.findall(r"^\| \[`([\w-]+)`\]\(examples/field/(\w+)\.py\) \| (.*) \| (\w+) \| (\w+) \|$", PAGE, re.M)
ROWS = {name: verdicts for name, _, _, *verdicts in LINES}
AT_LEAST = {
    "norms": 11,
    "noise": 6,
    "rounds": 6,
    "own_steps": 6,
    "coordinates": 8,
    "gossip": 5,
    "weights": 10,
    "classes": 5,
    "delays": 8,
    "rates": 6,
    "recursions": 9,
    "others": 6,
}


@pytest.fixture(scope="module")
def claims():
    """All claims of the folder."""
    return load([str(FILES)])


def test_the_tables_are_about_the_files(claims):
    """Every claim of a file is in a table, with its statement and what is expected of it, and links to the file."""
    assert len(LINES) == len(ROWS) and set(claims) == {
        f"field/{name}{tail}" for name in ROWS for tail in ("", "-false")
    }
    assert PAGE.count("\n| [") == len(LINES)
    for name, file, words, *verdicts in LINES:
        pair = [claims[f"field/{name}{tail}"] for tail in ("", "-false")]
        assert [one.expect for one in pair] == verdicts, name
        assert words.replace("\\|", "|") == pair[0].body.__doc__, name
        assert re.search(rf'"(field/)?{name}"', (FILES / f"{file}.py").read_text(encoding="utf-8")), name


def test_the_counts_of_the_page():
    """Of verdicts, and of statements by what they need."""
    true, false = (Counter(column) for column in zip(*ROWS.values(), strict=True))
    said = f"{len(ROWS)} statements: {true['proved']} proved, {true['certified']} certified and {true['supported']} supported"
    assert said in PAGE and f"{false['refuted']} are refuted and {false['unknown']} is unknown" in PAGE
    assert not set(true) - {"proved", "certified", "supported"} and not set(false) - {"refuted", "unknown"}
    of_files = Counter(file for _, file, *_ in LINES)
    assert set(of_files) == set(AT_LEAST) and all(of_files[file] >= n for file, n in AT_LEAST.items())


@pytest.mark.in_turn(6)
@pytest.mark.parametrize("name", ROWS)
def test_the_verdicts(name, claims):
    """As the tables have them."""
    found = [verify(claims[f"field/{name}{tail}"]).verdict for tail in ("", "-false")]
    assert found == ROWS[name], found
