"""60 lines as printed: what becomes of each, and the table of docs/check.md that counts them."""

import re
import tomllib
from pathlib import Path

import pytest

from fedtheory.commands.check import taken_names
from fedtheory.errors import UsageError
from fedtheory.latex.line import read_line
from proofs_checks import papers

LINES = tomllib.loads(Path(__file__).with_name("printed.toml").read_text(encoding="utf-8"))["line"]
PAGE = Path(__file__).parents[2] / "docs" / "check.md"
OUTCOMES = ("read", "asks", "refused")
TITLES = {"pfedme": "pFedMe", "fedadmm": "FedADMM", "flame": "FLAME", "dadpfl": "DA-DPFL", "": "well-known ones"}


def of(row):
    return row["of"].split("/")[0] if "/" in row["of"] else ""


def table():
    """The table of the page."""
    out = ["| lines of | | read as meant | asked back | refused with the place |", "|---|---|---|---|---|"]
    for name, title in [*TITLES.items(), (None, "all")]:
        own = [row for row in LINES if name in (None, of(row))]
        out.append(f"| {title} | {len(own)} | " + " | ".join(str(sum(o in r for r in own)) for o in OUTCOMES) + " |")
    return "\n".join(out)


@pytest.mark.parametrize("row", LINES, ids=[row["of"] for row in LINES])
def test_a_printed_line(row):
    """It has one reading, which is the one that was compared with the print; or it asks, or it is refused with the place."""
    options = {name: row[name] for name in ("where", "functions") if name in row}
    try:
        found = read_line(row["line"], taken=taken_names(), **options)
    except UsageError as error:
        said, shown, mark = str(error).split("\n")
        assert said == row.get("refused") or [said] == row.get("asks")
        assert mark.strip() == "^" and len(mark) <= len(shown)
    else:
        assert list(found.readings) == row.get("asks", [row.get("read")])


def test_the_lines_of_the_papers_are_those_at_fixed_places_of_their_inventories():
    for paper in papers():
        own = [row for row in LINES if of(row) == paper.id]
        kinds = ("inequality", "identity")
        rows = [
            row
            for row in paper.inventory().values()
            if row["kind"] in kinds and re.fullmatch(r"\$[^$]+\$", row["formula"])
        ]
        chosen = [rows[int(len(rows) / 10 * k + len(rows) / 20)] for k in range(10)] if own else []
        assert [(row["of"], row["line"]) for row in own] == [
            (row["id"], row["formula"].strip("$").replace(r"\Vert", r"\|")) for row in chosen
        ]


def test_the_page_has_the_table_of_these_lines():
    assert len(LINES) == 60 and table() in PAGE.read_text(encoding="utf-8"), table()
