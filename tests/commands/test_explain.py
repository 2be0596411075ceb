"""What `fedtheory explain` says beside the verdict: scalars that nothing reads, certified points, weights as they are used."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from fedtheory import claim, le
from fedtheory.cli import main
from fedtheory.show.points import points_of
from fedtheory.wellformed.unread import unread
from problems import Points, Scalars, Sequences, SmoothConvex, at_least, condition, positive
from proofs_checks import claims

DRAFT = """
from fedtheory import claim, le
from fedtheory.units import CURVATURE
from problems import Points, Scalars, SmoothConvex, condition, positive, weights

@claim("draft/weights", world=Scalars(alpha=weights(), spare=positive(), sizes={"m": (2,)}))
def of_weights(x):
    return le(x.total(x.alpha**2), x.ratio(1, 2))

@claim("draft/certified", world=Points(SmoothConvex("L"), L=positive(CURVATURE), alpha=weights()))
def certified(x):
    g = x.f.grad(x.w)
    return le(x.sq(x.total_vec(x.alpha[..., None]*g)), x.total(x.alpha*x.sq(g)))
"""


TAKEN = """
from fedtheory import assumed, claim, le
from problems import Sequences, at_least, between

WORLD = Sequences("T", q=between(0, 1, closed=False), sequences={"D": at_least(0)})
STEP = assumed("the step at t", lambda x, t: le(x.D[t + 1], x.q*x.D[t]), would_be="draft/one-step")

@claim("draft/falls", world=WORLD, by=(STEP,))
def falls(x):
    return le(x.D[x.T], x.q**x.T*x.D[0])
"""


@pytest.fixture
def draft(tmp_path, monkeypatch):
    """A file with a refuted claim about weights and a certified one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "draft.py").write_text(DRAFT)


def test_weights_of_a_witness_sum_to_one(draft, capsys):
    """In the line of the verdict, in the report and in the explanation; and the report is replayed as it stands."""
    assert main(["verify", "draft/weights", "draft.py", "--json", "r.json"]) == 0
    shown = capsys.readouterr().out
    witness = json.loads(Path("r.json").read_text())["claims"][0]["witness"]
    first, second = witness["scalars"]["alpha"]
    assert f"m=2 alpha=({first},{second})" in shown and (first, second) == ("1/11", "10/11")
    assert main(["replay", "r.json", "draft/weights", "draft.py"]) == 0
    assert "101/121 <= 1/2 FAILS" in capsys.readouterr().out
    assert main(["explain", "draft/weights", "draft.py"]) == 0
    assert f"alpha = [{first}, {second}]" in capsys.readouterr().out


def test_what_nothing_reads_is_named(draft, capsys):
    """Once, and the verdict is the same."""
    assert main(["explain", "draft.py"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("unread:")]
    assert lines == ["unread:     spare (declared in the world, read by nothing)"]


def test_the_points_of_a_certificate_are_named(draft, capsys):
    """Every parameter at which it stands, weights divided by their sum."""
    assert main(["verify", "draft/certified", "draft.py", "--json", "r.json"]) == 0
    scope = {e["id"]: e["scope"] for e in json.loads(Path("r.json").read_text())["claims"]}["draft/certified"]
    capsys.readouterr()
    assert main(["explain", "draft/certified", "draft.py"]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("at:"))
    for point in scope:
        alpha = [Fraction(a) for a in point["alpha"]]
        assert f"({point['L']}, ({', '.join(str(a / sum(alpha)) for a in alpha)}))" in line
    assert line.startswith("at:         (L, alpha) in {") and len(scope) == 6


def test_what_is_assumed_is_named(tmp_path, capsys):
    """With the row that would prove it."""
    (tmp_path / "taken.py").write_text(TAKEN)
    assert main(["explain", str(tmp_path / "taken.py")]) == 0
    shown = capsys.readouterr().out
    assert "assumed:    the step at t, which draft/one-step would prove (draft/falls)\n" in shown
    assert "rests on:   assumed (what is assumed and not proved)\n" in shown


def test_many_points_are_counted():
    """The first few are written out."""
    scope = [{"m": 1, "L": str(k)} for k in range(1, 10)]
    assert points_of({"verdict": "certified", "scope": scope}) == "L in {1, 2, 3, 4, 5, 6} and 3 more"
    assert points_of({"verdict": "proved", "scope": "all"}) == points_of({"verdict": "supported", "scope": scope}) == ""
    assert points_of({"verdict": "certified", "scope": [{"parameters": "all", "sizes": "R = 2"}]}) == ""
    assert points_of({"verdict": "certified", "scope": [{"m": 1}, {"m": 2}]}) == ""


A, AB = {"a": positive()}, {"a": positive(), "b": positive()}
READ = {
    "by the body": Scalars(**A),
    "by a condition": Scalars(given=(condition("b < a", lambda x: le(x.b, x.a)),), **AB),
    "by the class": Points(SmoothConvex("L"), L=positive(), **A),
    "by an envelope": Points(SmoothConvex("L"), envelope="lam", L=positive(), lam=positive(), **A),
    "by a condition at points": Points(None, given=(condition("c", lambda x: le(x.sq(x.w), x.b)),), **AB),
    "at every t": Sequences(
        "T", sequences={"D": at_least(0)}, every=(condition("c", lambda x, t: le(x.D[t + 1], x.b)),), **AB
    ),
}


@pytest.mark.parametrize("case", READ)
def test_what_is_read_is_not_named(case):
    """Whoever reads it."""
    assert unread(claim("draft/a", world=READ[case])(lambda x: le(0, x.a))) == []


def test_a_method_s_own_parameters_are_not_named():
    """They are read by its steps."""
    assert unread(claims()["fedadmm/lemma4.1"]) == []
