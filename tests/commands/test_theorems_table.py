"""`fedtheory verify --theorems`: statements with their readings and repairs, sizes, and what is assumed."""

import pytest

from fedtheory import claim, le, registry
from fedtheory.cli import main
from fedtheory.show.theorems import called, lines, stated, theorems
from fedtheory.units import LENGTH
from problems import Points, Sequences, SmoothConvex, at_least, positive

ROWS = {
    "a/thm1": {"kind": "rate", "locator": "Section 4, Theorem 1, (3); proof Appendix B"},
    "a/eq3": {"kind": "rate", "locator": "Section 4, Theorem 1, (3)"},
    "a/thm2": {"kind": "implication", "locator": "Theorem 2"},
    "a/cond": {"kind": "condition", "locator": "Theorem 2"},
    "a/rem": {"kind": "rate", "locator": "Section 4, below Theorem 2"},
    "a/step": {"kind": "inequality", "locator": "Appendix B, proof of Theorem 1"},
}
BOUND = {
    "a/eq3": {"binding": "duplicate", "to": "a/thm1"}, "a/thm2": {"binding": "prose", "reason": "no formula"},
    "a/cond": {"binding": "duplicate", "to": "a/thm1"},
}  # fmt: skip
RUN = Sequences("T", sequences={"D": at_least(0, LENGTH**2)})
CLIENTS = Points(SmoothConvex("L"), sizes={"m": (1, 2), "S": (1, 2)}, L=positive())


def one(id, world=RUN, **options):
    return claim(id, world=world, **options)(lambda x: le(0, x.D[x.T]))


CLAIMS = {
    c.id: c for c in (
        one("a/thm1@early"), one("a/thm1"), one("a/thm1~repaired", CLIENTS), one("a/thm1@step", step=True), one("a/rem"),
        one("a/step", step=True),
    )
}  # fmt: skip


def entries(**changes):
    found = {id: {"id": id, "verdict": "proved", "trust": "kernel", "scope": "all", "assumed": []} for id in CLAIMS}
    found["a/thm1"] |= changes
    return found


def table(**changes):
    return stated(ROWS, BOUND, CLAIMS, entries(**changes))


def test_statements_with_their_readings_and_repairs():
    """As printed first, steps and remarks nowhere, what is bound otherwise beside what it is bound to."""
    rows = table()
    assert [(r.title, r.id, r.verdict) for r in rows] == [
        ("Theorem 1", "a/thm1", "proved"), ("", "a/thm1@early", "proved"), ("", "a/thm1~repaired", "proved"),
        ("Theorem 1", "a/eq3", "as thm1"), ("Theorem 2", "a/thm2", "prose"),
    ]  # fmt: skip
    assert [r.where for r in rows] == ["every T >= 1", "every T >= 1", "every m >= 1 and S", "-", "-"]


def test_what_is_left_out_is_left_out():
    """Of some claims of a paper nothing else is said, but for rows that say the same."""
    some = {id: e for id, e in entries().items() if id == "a/thm1"}
    assert [r.id for r in stated(ROWS, BOUND, CLAIMS, some)] == ["a/thm1", "a/eq3"]
    assert [r.id for r in stated(ROWS, BOUND, CLAIMS, {"a/rem": entries()["a/rem"]})] == []


@pytest.mark.parametrize("width", [40, 80, 200])
def test_nothing_is_cut(width):
    """What is assumed stands below its line, whole, however narrow the terminal is."""
    why = "the moon is round, which has been known for long and is said here at some length " * 3
    rows = table(trust="assumed", assumed=[{"why": why}])
    text = [line.plain for line in lines({"a": rows}, width)]
    assert "".join(text).replace(" ", "").count(why.replace(" ", "")) == 1
    head, paper, first, *_ = text
    assert " ".join(head.split()) == "statement claim verdict rests on for which lengths and clients" and paper == "a"
    assert first.split() == ["Theorem", "1", "thm1", "proved", "assumed", "every", "T", ">=", "1"]
    assert f"| Theorem 1 | `thm1` | proved | assumed | every T >= 1 | {why} |" in theorems(rows)


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("Section 3.2, Lemma 1; proof A.2", "Lemma 1"), ("App. -D, Lemma 3 (unnumbered display)", "Lemma 3"),
        ("Sec. V, before Theorem 3", ""), ("A.4.3, proof of Theorem 1", ""), ("Section 4, below Lemma 2", ""),
        ('Section 4.4, Theorem 2, display after "where"', ""), ("A.1, Proposition 2., first", "Proposition 2"), ("A.1", ""),
    ],
)  # fmt: skip
def test_what_stands_at_a_place(place, name):
    assert called(place) == name


def test_every_statement_of_the_papers_is_in_the_table():
    """A row of a statement that is no definition or condition is a claim, has readings, or says what it is bound to."""
    for name, paper in registry.papers().items():
        claims = registry.claims(name)
        all_of_it = {id: {"id": id, "verdict": "refuted", "trust": "", "scope": None} for id in claims}
        listed = {r.id for r in stated(paper.inventory(), paper.bindings(), claims, all_of_it)}
        told = {
            id
            for id, row in paper.inventory().items()
            if called(row["locator"]) and row["kind"] not in ("definition", "condition")
        }
        assert told and {id for id in told - listed if not (id in claims and claims[id].step)} == set(), name


def test_it_is_printed(capsys):
    """Of published claims and of drafts, in place of the screen; a word where nothing is a statement."""
    assert main(["verify", "shelf/descent", "--theorems"]) == 0
    out = capsys.readouterr().out
    assert out.split("\n")[2].split() == ["Lemma", "1.2.3", "descent", "proved", "kernel", "every", "m", ">=", "1"]
    assert "1 claims" not in out
    assert main(["verify", "pfedme/rem1-sampling-zero", "--theorems"]) == 0
    assert capsys.readouterr().out.strip() == "no theorem, lemma, corollary or proposition is among these claims"


def test_a_draft(tmp_path, capsys):
    """All that it claims but steps, with what is assumed."""
    (tmp_path / "own.py").write_text(
        "from fedtheory import assumed, claim, le\nfrom problems import Sequences, at_least\n"
        "W = Sequences('T', sequences={'D': at_least(0)})\n"
        "A = assumed('D falls by half', lambda x, t: le(2*x.D[t + 1], x.D[t]), would_be='own/step')\n"
        "@claim('own/all', world=W, by=(A,))\ndef whole(x):\n    return le(2**x.T*x.D[x.T], x.D[0])\n",
        encoding="utf-8",
    )
    assert main(["verify", str(tmp_path / "own.py"), "--theorems"]) == 0
    out = capsys.readouterr().out
    assert "-          all    proved   assumed   every T >= 1" in out and "    assumed: D falls by half" in out


@pytest.mark.parametrize("other", ["--all", "--refuted"])
def test_one_way_to_print(other, capsys):
    assert main(["verify", "shelf/descent", "--theorems", other]) == 2
    assert other in capsys.readouterr().err
