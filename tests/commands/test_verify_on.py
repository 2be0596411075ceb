"""`fedtheory verify --on`: every claim on a user's files, rows as they come, and nothing lost on the way."""

import json

import numpy as np
import pytest

from fedtheory.cli import main
from fedtheory.show.on_data import NOT_APPLICABLE, Columns, summary
from fedtheory.show.verdicts import FEW
from problems.exact import evaluate as evaluation
from proofs_checks import claims

OUTCOMES = ("holds on these data", "fails on these data", "outside", "domain", "undecided", NOT_APPLICABLE)
FLAME = """
cond-lemma1@more cond-rho@section5 eq14-a@literal eq14-b@literal eq18@box eq19 eq19@exact eq19@positive eq20 eq20@exact
eq25@free-start eq26@unselected eq27-a@unselected eq38-d eq38-d@positive eq39-a eq39-b eq39-c eq41-a eq41-b eq42-c
eq42-c@virtual eq43-b@free-start eq43-d eq43-d@squared eq43-e eq44-b eq45-b eq45-b@virtual eq46 eq47 eq47@exact eq48
eq49 eq51 eq52-b eq52-b@virtual eq54-a eq54-a@weights eq54-b eq55 eq56 eq57 lemma1 lemma1@exact lemma1@positive
lemma3@free-start prop1a rem-assump1-models rem-gamma-larger rem-inner-iterations rem-intro-biased
rem-moreau-limit rem-thm1-estimate@ranking rem-thm2-assumptions rem-thm2-rate-p rem-thm2-rate-theta sec43-s1
thm1-proof-s1-b thm2-c0@positive eq4 rem-moreau-smooth rem-thm2-gamma eq20@positive eq39-a@positive eq46@positive
eq47@positive eq48@positive eq49@positive eq54-a@positive eq55@positive eq56@positive eq57@positive
"""
REFUTED = {
    "pfedme/rem1-neighbourhood@points",
    *(f"flame/{id}" for id in FLAME.split()),
    "fedadmm/cor4.1-proof-s9",
    "fedadmm/eq3.17",
    "fedadmm/eq4.6-a",
    "fedadmm/eq7.20-a",
    "fedadmm/eq7.20-b",
    "fedadmm/eq7.23-e",
    "fedadmm/eq7.23-f",
    "fedadmm/eq7.6-b@section5.2",
    "fedadmm/exp-setup-benchmark@first-step",
    "fedadmm/exp-setup-ex1-noniid",
    "fedadmm/exp-setup-params@theorem3.1",
    "fedadmm/exp-setup-params@theorem4.1",
    "fedadmm/lemma4.1@section5.2",
    "pfedme/cor1a@every-step",
    "pfedme/cor1b@at-rest",
    "fedadmm/lemma7.1-proof-s13",
    "fedadmm/lemma7.1-proof-s17",
    "fedadmm/lemma7.1-proof-s18",
    "fedadmm/lemma7.1-proof-s19",
    "fedadmm/lemma7.1-proof-s8",
    "fedadmm/lemma7.1-proof-s9",
    "fedadmm/lemma7.2-proof-s17",
    "fedadmm/lemma7.2-proof-s2",
    "fedadmm/lemma7.2-proof-s3",
    "fedadmm/rem4.1-a",
    "fedadmm/sec1.2-s1",
    "fedadmm/sec3.3-s1",
    "fedadmm/thm3.1",
    "fedadmm/thm3.1-proof-s7",
    "fedadmm/thm4.1-proof-s18",
    "fedadmm/thm4.1-proof-s21",
    "pfedme/eq16@assumption1b",
    "pfedme/eq29",
    "dadpfl/eq19@every-step",
}  # of those that data speak of
TABLE = "length,width,target\n1,2,3\n2,1,4\n0,1,1.5\n1,1,2\n3,1,5.5\n1,4,2\n2,2,2\n5,1,0.5\n1,3,9\n"


def deficient(path):
    """An npz file whose third feature is the sum of the others, as one-hot columns are."""
    X = np.random.default_rng(0).standard_normal((8, 3))
    X[:, 2] = X[:, 0] + X[:, 1]
    np.savez(path, X=X, y=X @ [1.0, 2.0, 3.0] + X[:, 0] ** 2)


SQUARES = np.arange(24.0).reshape(8, 3) ** 2
DATA = {
    "t.csv": lambda path: path.write_text(TABLE),
    "deficient.npz": deficient,
    "text labels.npz": lambda path: np.savez(path, X=SQUARES, y=np.array(["a", "b"] * 4)),
    "huge.npz": lambda path: np.savez(path, X=1e150 * SQUARES, y=np.arange(8.0) ** 3),
    "zero.npz": lambda path: np.savez(path, X=np.zeros((6, 2)), y=np.zeros(6)),
}


def on(path, capsys, *words):
    """(exit status, the rows by id, stdout, stderr)."""
    report = path.with_suffix(".json")
    status = main(["verify", *words, "--on", str(path), "--json", str(report)])
    out, err = capsys.readouterr()
    return status, {r["id"]: r for r in json.loads(report.read_text())["results"]}, out, err


@pytest.mark.in_turn(4)
@pytest.mark.parametrize(
    ("name", "m"),
    [("t.csv", 1), ("t.csv", 2), ("deficient.npz", 3), ("text labels.npz", 4)],
)
def test_every_claim(name, m, tmp_path, capsys):
    """All published claims have an outcome, only what is refuted fails, and a row without a figure says why."""
    DATA[name](tmp_path / name)
    status, rows, out, err = on(tmp_path / name, capsys, "--m", str(m))
    assert (status, err) == (0, "") and set(rows) == set(claims())
    assert {id for id, row in rows.items() if row["outcome"] == "fails on these data"} <= REFUTED
    for id, row in rows.items():
        assert row["outcome"] in OUTCOMES and (row["note"] or row["slacks"])
        assert (row["outcome"] == NOT_APPLICABLE) != (f"\n{id} " in out)
    last = out.splitlines()
    assert last[-1].startswith(f"{len(rows)} claims: ") and "--all prints every row" in last[-2]


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", ["huge.npz", "zero.npz"])
def test_extreme_data(name, tmp_path, capsys):
    """Some claims of every kind of world: what cannot be drawn in such units is outside."""
    DATA[name](tmp_path / name)
    words = ("flame/*", "fedadmm/*", "pfedme/lemma*", "pfedme/eq10", "pfedme/eq11", "--m", "2")
    status, rows, _, err = on(tmp_path / name, capsys, *words)
    assert (status, err) == (0, "") and {r["outcome"] for r in rows.values()} <= set(OUTCOMES)


HEAD = """
from fedtheory import Control, claim, le
from problems import Points, SmoothStronglyConvex, positive
WORLD = Points(SmoothStronglyConvex("mu", "L"), optimum_of="f", mu=positive(), L=positive())
SEEN = []
"""
CLAIM = (
    '@claim("draft/{id}", world=WORLD, control=Control("none", lambda x: le(1, 0)))\ndef {id}(x):\n    return {body}\n'
)
NO_LONGER = "le(x.sq(x.w - x.w_star), x.sq(x.w - x.w_star) + x.L)"


def draft(folder, **bodies):
    """A user's file with a claim a body."""
    path = folder / "mine.py"
    path.write_text(HEAD + "".join(CLAIM.format(id=id, body=body) for id, body in bodies.items()))
    return str(path)


@pytest.fixture
def table(tmp_path):
    """A user's csv file."""
    DATA["t.csv"](tmp_path / "t.csv")
    return tmp_path / "t.csv"


def test_rows_come_as_they_are_known(table, capsys, monkeypatch):
    """When a claim is looked at, the row of the one before has been written."""
    real, before = evaluation.evaluate, []

    def evaluate(c, *args, **options):
        before.append(capsys.readouterr().out)
        return real(c, *args, **options)

    monkeypatch.setattr(evaluation, "evaluate", evaluate)
    file = draft(table.parent, first=NO_LONGER, second=NO_LONGER, third=NO_LONGER)
    assert main(["verify", file, "--on", str(table)]) == 0
    assert "client 2: L in" in before[0] and "least slack" in before[0] and "draft/" not in before[0]
    assert [text.split()[0] for text in before[1:]] == ["draft/first", "draft/second"]
    assert capsys.readouterr().out.splitlines()[-1] == "3 claims: 3 hold"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('le(x.L, {}["c"])', "error: claim draft/second: the body raises KeyError at line"),
        ("le(x.w[..., :1].sum(axis=-1), x.L)", "the body reads coordinates of a vector"),
        ("le(x.L, x.L) if SEEN.append(1) or len(SEEN) % 2 else le(x.L, x.mu)", "the body keeps state"),
        ('le(x.L, __import__("sys").exit(0))', "the body ends the program: SystemExit: 0"),
        ("3", "the body must return le(a, b), lt(a, b) or eq(a, b), got int"),
        ("le(x.nu, x.L)", "this world has no name 'nu'"),
    ],
)
def test_a_bad_claim_costs_itself_only(body, said, table, capsys):
    """The others have their rows, stderr says in one line what is wrong, and the report that it is not complete."""
    file = draft(table.parent, first=NO_LONGER, second=body, third=NO_LONGER)
    found, rows, out, err = on(table, capsys, file)
    assert found == 2 and said in err and len(err.splitlines()) == 1
    assert set(rows) == {"draft/first", "draft/third"} and out.splitlines()[-1] == "2 claims: 2 hold"
    assert json.loads(table.with_suffix(".json").read_text())["complete"] is False


def test_a_fault_of_our_own_costs_its_claim_only(table, capsys, monkeypatch):
    """Exit status 3, as of a crash of `verify`."""
    real = evaluation.evaluate

    def evaluate(c, *args, **options):
        return real(c, *args, **options) if c.id != "draft/second" else 1 / 0

    monkeypatch.setattr(evaluation, "evaluate", evaluate)
    status, rows, _, err = on(table, capsys, draft(table.parent, first=NO_LONGER, second=NO_LONGER, third=NO_LONGER))
    assert status == 3 and set(rows) == {"draft/first", "draft/third"}
    assert "draft/second: it cannot be evaluated: ZeroDivisionError" in err and len(err.splitlines()) == 1


def test_an_interruption_keeps_the_rows(table, capsys, monkeypatch):
    """Exit status 130, and the report has them."""
    real = evaluation.evaluate

    def evaluate(c, *args, **options):
        if c.id == "draft/second":
            raise KeyboardInterrupt
        return real(c, *args, **options)

    monkeypatch.setattr(evaluation, "evaluate", evaluate)
    status, rows, out, err = on(table, capsys, draft(table.parent, first=NO_LONGER, second=NO_LONGER))
    assert status == 130 and set(rows) == {"draft/first"} and "draft/first" in out
    assert err == "interrupted; 1 of 2 claims were evaluated\n"


def test_few_claims_have_a_row_each(table, capsys):
    """Also those of which the data say nothing; with --all however many there are."""
    _, rows, out, _ = on(table, capsys, "flame/eq2[45]")
    assert all(f"\n{id} " in out for id in rows) and "--all" not in out
    _, rows, out, _ = on(table, capsys, "pfedme/lemma1*", "--all")
    assert all(f"\n{id} " in out for id in rows) and len(rows) > FEW


ROWS = [
    {"id": "a/long-name-of-a-claim@reading", "outcome": "holds on these data", "instances": ["holds"], "slacks": [0.5], "note": ""},
    {"id": "a/b", "outcome": "outside", "instances": ["outside"], "slacks": [], "note": "client 0 has features of rank below 3, "
     "so it is not strongly convex"},
]  # fmt: skip


@pytest.mark.parametrize("width", [40, 60, 80, 120, 10_000])
def test_rows_fit(width):
    """A line is longer than the terminal only where an id is, and a note is whole."""
    columns = Columns([r["id"] for r in ROWS], width)
    lines = [columns.title().plain, *(line.plain for r in ROWS for line in columns.lines(r))]
    assert all(len(line) <= max(width, 51) for line in lines)
    assert "client 0 has features of rank below 3, so it is not strongly convex" in " ".join(" ".join(lines).split())


def test_no_rows_are_counted():
    """Where everything failed or nothing began."""
    assert [line.plain for line in summary([], every=False)] == ["0 claims: none evaluated"]
