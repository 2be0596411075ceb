"""`fedtheory verify --overview`: statements, steps, readings, repairs and what is assumed, counted from the report alone."""

import pytest

from fedtheory.cli import main
from fedtheory.registry import claims, papers
from fedtheory.show.overview import overview, statements

ONE = "dadpfl"


def report(**verdicts):
    """All claims of a paper as proved, but for those that are named."""
    entries = [{"id": id, "verdict": "proved", "repair": None, "assumed": []} for id in claims(ONE)]
    by_id = {e["id"]: e for e in entries}
    for name, change in verdicts.items():
        by_id[f"{ONE}/{name}"].update(change)
    return {"budget": "quick", "seed": 0, "claims": entries}


def page(found):
    return overview([papers()[ONE]], claims(ONE), found)


def test_what_falls_is_told():
    """A statement, a step and what is assumed stand in the paragraph, and the counts are those of the report."""
    repair = {"id": f"{ONE}/thm3~repaired", "verdict": "proved"}
    text = page(report(
        eq13={"verdict": "refuted", "repair": repair}, eq43={"verdict": "refuted"},
        lemma3={"assumed": [{"why": "that the moon is round"}]},
    ))  # fmt: skip
    assert "As printed is refuted: Theorem 3 (`eq13`; in its place `thm3~repaired`, proved)." in text
    assert "Steps of proofs that are refuted: `eq43`; 0 of 1 have a repair." in text
    assert "Assumed on the way: that the moon is round." in text
    (row,) = (line for line in text.splitlines() if line.startswith(f"| {ONE} "))
    _, _, printed, steps, readings, repairs, assumed, _ = (cell.strip() for cell in row.split("|"))
    assert printed.startswith("1 refuted, ") and steps.startswith("1 refuted, ") and assumed == "1"
    assert readings == f"{sum('@' in id and '~' not in id for id in claims(ONE))} proved"
    assert repairs == f"{sum('~' in id for id in claims(ONE))} proved"


def test_nothing_falls():
    """No word of a refutation where the report has none."""
    text = page(report())
    assert "refuted" not in text and "Assumed" not in text


def test_statements_are_no_steps_and_no_readings():
    """Theorems and lemmas as printed."""
    found = report()
    called = statements(papers()[ONE], {e["id"]: e for e in found["claims"]}, claims(ONE))
    assert called[f"{ONE}/eq13"] == "Theorem 3" and called[f"{ONE}/eq27"] == "Lemma 2"
    assert not [id for id in called if "@" in id or "~" in id or claims(ONE)[id].step]


@pytest.mark.parametrize("more", [["--paper", ONE], [f"{ONE}/eq13"], ["--changed"]])
def test_it_is_of_all_papers(more, tmp_path, capsys):
    """A part of the claims makes no overview."""
    assert main(["verify", *more, "--overview", str(tmp_path / "o.md")]) == 2
    assert "--overview" in capsys.readouterr().err and not (tmp_path / "o.md").exists()
