"""What --expect and --resume believe of a report: no verdict of another statement, of a claim that is gone, or of a hand."""

import json
from pathlib import Path

import pytest

from fedtheory.cli import main

HEAD = """
from fractions import Fraction
from fedtheory import Control, claim, le
from problems import Scalars, between, condition, positive
SHARE = 2
AB = Scalars(a=positive(), b=positive())
"""
BODY = """
@claim("draft/{name}", world=AB, control=Control("a bound of none", lambda x: le(x.a + x.b, 0)))
def {name}(x):
    return le({left}, {right})
"""
ONE = HEAD + BODY.format(name="one", left="2*x.a*x.b", right="x.a**2 + x.b**2")
TWO = BODY.format(name="two", left="x.a", right="SHARE*x.a")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A folder of two files of one paper part, and the report on them."""
    monkeypatch.chdir(tmp_path)
    Path("d").mkdir()
    Path("d/one.py").write_text(ONE + TWO)
    Path("d/three.py").write_text(HEAD + BODY.format(name="three", left="0", right="x.a"))
    assert main(["verify", "d/", "--json", "r.json"]) == 0
    return tmp_path


def said(capsys, *words):
    """(exit status, stderr)."""
    capsys.readouterr()
    return main(["verify", *words]), capsys.readouterr().err


GONE = "draft/two: expected proved, missing"
OTHER = "draft/two: expected proved of another statement"
EDITS = {
    "the same": (lambda t: t, None),
    "layout and comments": (lambda t: t.replace("return le(x.a,", '"""Why."""  # so\n    return le( x.a,'), None),
    "gone": (lambda t: t.replace(TWO, ""), GONE),
    "renamed": (lambda t: t.replace("draft/two", "draft/too"), GONE),
    "another side": (lambda t: t.replace("SHARE*x.a)", "3*x.a)"), OTHER),
    "another number": (lambda t: t.replace("SHARE = 2", "SHARE = 5"), OTHER),
    "another order of sides": (lambda t: t.replace("le(x.a, SHARE*x.a)", "le(-SHARE*x.a, x.a)"), OTHER),
    "another world": (lambda t: t.replace("AB = Scalars(a=positive(), b", "AB = Scalars(a=between(1, 2), b"), OTHER),
    "a helper": (lambda t: t.replace("SHARE*x.a)", "made(x))") + "\ndef made(x):\n    return 4*x.a\n", OTHER),
    "a condition": (lambda t: t.replace('"draft/two", world=AB', '"draft/two", world=Scalars(a=positive(), b=positive(), given=('
                    'condition("a <= b", lambda x: le(x.a, x.b)),))'), OTHER),
}  # fmt: skip


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("words", [("d/one.py",), ("d/",), ("d/one.py", "d/three.py")], ids=lambda w: " ".join(w))
def test_expect_looks_at_statements(edit, words, files, capsys):
    """With FILE and with FOLDER; the claims of a file that is not asked for are not missed."""
    change, told = EDITS[edit]
    Path("d/one.py").write_text(change(ONE + TWO))
    status, err = said(capsys, *words, "--expect", "r.json")
    assert status == (told is not None) and (told or "") in err
    assert ("draft/three" in err) is False


def test_a_file_that_is_gone_is_missed_in_its_folder(files, capsys):
    """And in the file that has taken its place."""
    Path("d/three.py").unlink()
    assert said(capsys, "d/", "--expect", "r.json") == (1, "fedtheory: draft/three: expected proved, missing\n")
    Path("d/one.py").rename("d/other.py")
    Path("d/other.py").write_text(ONE)
    assert "draft/two: expected proved, missing" in said(capsys, "d/other.py", "--expect", "r.json")[1]


def test_a_report_without_statements_is_compared_by_ids(files, capsys):
    """One of an earlier version."""
    report = json.loads(Path("r.json").read_text())
    for e in report["claims"]:
        del e["statement"], e["check"]
    Path("old.json").write_text(json.dumps(report))
    Path("d/one.py").write_text((ONE + TWO).replace("SHARE = 2", "SHARE = 5"))
    assert said(capsys, "d/", "--expect", "old.json")[0] == 0


EDITED = {
    "verdict": lambda e: e.update(verdict="proved", trust="kernel"),
    "trust": lambda e: e.update(trust="kernel"),
    "scope": lambda e: e.update(scope="all"),
    "witness": lambda e: e["witness"].update(lhs="0/1") if e["witness"] else e.update(witness=None, reason="so"),
    "a number": lambda e: e.update(trials=10**9),
    "evidence": lambda e: e["evidence"].pop(),
    "statement": lambda e: e.update(statement="0" * 40),
    "no checksum": lambda e: e.pop("check"),
}


@pytest.mark.parametrize("edit", EDITED)
def test_resume_believes_no_edited_entry(edit, files, capsys):
    """It is decided again, or left out where it is not asked for, and named."""
    Path("d/bad.py").write_text(HEAD + BODY.format(name="bad", left="2*x.a", right="x.a"))
    words = ("d/bad.py", "--no-cache", "--json", "bad.json")
    assert said(capsys, *words)[0] == 0
    true = Path("bad.json").read_text()
    assert "1 verdict from the report" in said(capsys, *words, "--resume")[1]
    report = json.loads(true)
    EDITED[edit](report["claims"][0])
    Path("bad.json").write_text(json.dumps(report))
    status, err = said(capsys, *words, "--resume")
    assert status == 0 and "draft/bad: the report's entry is not as it was written; decided again" in err
    again = json.loads(Path("bad.json").read_text())
    assert again["claims"] == json.loads(true)["claims"] and again["claims"][0]["verdict"] == "refuted"


def test_an_edited_entry_that_is_not_asked_for_leaves(tmp_path, capsys):
    """A published claim that stands in the report beside others."""
    path = tmp_path / "r.json"
    assert said(capsys, "flame/eq24", "pfedme/lemma1a", "--json", str(path))[0] == 0
    report = json.loads(path.read_text())
    (e,) = (e for e in report["claims"] if e["id"] == "flame/eq24")
    e["trust"] = "replayed"
    path.write_text(json.dumps(report))
    err = said(capsys, "pfedme/lemma1a", "--json", str(path), "--resume")[1]
    assert "flame/eq24: left out of the report" in err
    assert all(e["id"] != "flame/eq24" for e in json.loads(path.read_text())["claims"])
