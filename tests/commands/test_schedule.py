"""fedtheory schedule: what it prints and writes, in time, and what it refuses."""

import json
import re
import time
from pathlib import Path

import pytest

from fedtheory.cli import main
from fedtheory.schedules.measures import DRAWS

SMALL = ["schedule", "--K", "12", "--draws", "200"]


def written(capsys, *words):
    """The JSON on stdout."""
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_one_setting_has_its_measures_at_the_top(capsys):
    """par0 is exact; wait and waves are means with errors."""
    data = written(capsys, "schedule", "--K", "100", "--M", "10", "--N", "5", "--draws", "1000")
    (row,) = data["rows"]
    assert data["par0"] == 1 / 11 and row["exact"] == ["par0"] and row["rule"] == "fastest"
    assert (data["waves"], data["wait"]) == (row["waves"], row["wait"])
    assert 8.8 < data["wait"] < 9.5 and 0 < row["wait_error"] < 0.1 and row["draws"] == 1000
    assert "par0" not in written(capsys, *SMALL, "--M", "3", "--N", "1,2")


def test_every_setting_of_the_figures_in_a_minute(tmp_path, capsys):
    """K = 100, five M, seven N, three rules, with the picture: 29 pairs, of which 24 wait. A fifth of the draws."""
    lists = ["--M", "5,10,20,50,99", "--N", "0,1,2,5,10,20,M", "--rule", "fastest,lowest,random"]
    began = time.monotonic()
    files = ["--json", str(tmp_path / "s.json"), "--plot", str(tmp_path / "s.svg")]
    assert main(["schedule", "--K", "100", *lists, *files, "--draws", str(DRAWS // 5)]) == 0
    assert time.monotonic() - began < 60 / 5
    data = json.loads((tmp_path / "s.json").read_text())
    at = {(r["M"], r["N"], r["rule"]): r for r in data["rows"]}
    assert len(at) == 29 * 3
    assert all(r["par0"] == (1 if r["N"] == 0 else 1 / (r["M"] + 1)) for r in at.values())
    assert all(r["wait"] <= at[r["M"], r["M"], r["rule"]]["wait"] for r in at.values())
    assert at[99, 99, "random"]["wait"] == 99 and at[99, 20, "fastest"]["wait"] == 20
    (fit, *_) = data["fits"]
    assert fit["M"] == [5, 10, 20, 50, 99] and 0.7 < fit["low"] < fit["exponent"] < fit["high"] < 0.85
    assert "N = M: wait ~ M^0.7" in capsys.readouterr().out
    picture = (tmp_path / "s.svg").read_text()
    for text in ("waits for the fastest N", "waits for N at random", "neighbours M", "N = 20", "[local trainings]"):
        assert text in picture, text


def test_the_example_in_full(tmp_path, capsys):
    """Who waits for whom in Figure 1, as its caption has it; bars and arrows in the picture."""
    data = written(capsys, "schedule", "--example")
    waits = {r["N"]: {c["client"]: c["waits_for"] for c in r["clients"] if c["waits_for"]} for r in data["rounds"]}
    assert waits == {0: {}, 1: {3: [2], 5: [1], 6: [1]}, 2: {3: [2], 5: [1], 6: [1, 5]}}
    assert main(["schedule", "--example", "--plot", str(tmp_path / "e.svg")]) == 0
    assert "N = 2: 3 waves" in (tmp_path / "e.svg").read_text()
    assert "6          1  1\n" in capsys.readouterr().out


def test_one_round_in_full(tmp_path, capsys):
    """Nobody waits for more than N, or for a later client, and everybody starts when those it waits for are done."""
    data = written(capsys, *SMALL, "--M", "5", "--N", "2,M", "--rule", "fastest,random", "--round")
    assert [(r["N"], r["rule"]) for r in data["rounds"]] == [(2, "fastest"), (2, "random"), (5, "fastest")]
    for r in data["rounds"]:
        start = {c["client"]: c["start"] for c in r["clients"]}
        for c in r["clients"]:
            assert len(c["waits_for"]) <= r["N"] and all(j < c["client"] for j in c["waits_for"])
            assert c["start"] == max((start[j] + 1 for j in c["waits_for"]), default=0)
    assert main([*SMALL, "--M", "2,3", "--N", "1", "--round", "--plot", str(tmp_path / "r.png")]) == 0


def test_pairs_above_m_are_left_out(capsys):
    """Of lists; an N that is above every M is refused."""
    data = written(capsys, *SMALL, "--M", "2,4", "--N", "1,3,M")
    assert [(r["M"], r["N"]) for r in data["rows"]] == [(2, 1), (2, 2), (4, 1), (4, 3), (4, 4)]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--M", "12"], "--M must be below K, as nobody is a neighbour of itself, got M = 12 and K = 12"),
        (["--M", "3", "--N", "4"], "--N must be at most M, the number of neighbours, got N = 4 and M = 3"),
        (["--M", "-1"], "--M must be at least 1, got -1"),
        (["--N", "-1"], "--N must be at least 0, got -1"),
        (["--N", "1.5"], "--N needs a whole number, got '1.5'"),
        (["--rule", "randm"], "--rule must be one of fastest, lowest, random, got 'randm'; did you mean random?"),
        (["--rule", "lowest,lowest"], "--rule has an entry twice"),
        (["--draws", "0"], "--draws must be at least 1, got 0"),
        (["--draws", str(10**12)], "fewer draws will do"),
        (["--example"], "--example has K = 6 and M = 2 of its own; leave --K out, got 12"),
        (["--plot", "s.txt"], "--plot FILE must end in .svg, .png, .pdf"),
        (["--json", "no/where.json"], "--json no/where.json cannot be written"),
    ],
)
def test_bad_words(words, message, capsys):
    """Status 2 and one line."""
    assert main(["schedule", "--K", "12", *words]) == 2
    said = capsys.readouterr().err
    assert message in said and said.count("\n") == 1


def test_the_page_shows_what_is_printed(capsys):
    """The first table of docs/schedule.md, the cost in Python, and the exponent."""
    page = (Path(__file__).parents[2] / "docs" / "schedule.md").read_text(encoding="utf-8")
    shown = re.search(r"prints\n\n```\n(.*?)```", page, re.S)[1]
    assert main(["schedule", "--K", "100", "--M", "10", "--N", "5", "--rule", "fastest,lowest,random"]) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        line.split() for line in shown.splitlines()
    ]
    exec(re.search(r"```python\n(.*?)```", page, re.S)[1], {})
    assert f"prints `{capsys.readouterr().out.strip()}`" in page
    assert main(["schedule", "--M", "5,10,20,50,99"]) == 0
    said = capsys.readouterr().out
    assert (
        "wait ~ M^0.766, 95 % interval 0.755 to 0.777" in said
        and "wait ~ M^0.766, 95 % interval 0.755 to 0.777" in page
    )
