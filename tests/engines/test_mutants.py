"""Mutants: what is generated, what the search says of it, and how a survivor is explained."""

import json

import pytest

from fedtheory import Control, claim, eq, le
from fedtheory.cli import main
from fedtheory.mutants.edits import bound_sign, mutants
from fedtheory.mutants.judge import judge, shares
from fedtheory.units import CURVATURE
from problems import Points, Scalars, at_least, condition, positive
from proofs_checks import claims

NO = Control("not used here", lambda x: le(1, 0))


def square(x):
    return x.a**2 + x.b**2


@claim(
    "draft/am-gm",
    world=Scalars(a=positive(), b=positive(), given=(condition("a <= b", lambda x: le(x.a, x.b)),)),
    control=NO,
)
def am_gm(x):
    return le(2 * x.a * x.b, square(x))


def by_operator(c, tightness=None):
    out = {}
    for m in mutants(c, tightness):
        out.setdefault(m.operator, []).append(m)
    return out


def test_every_operator_finds_its_sites():
    found = by_operator(am_gm, 0.98)
    assert [m.change for m in found["bound"]] == [
        "right side times 1/2", "right side times 441/500, nine tenths of what is attained",
    ]  # fmt: skip
    assert {m.change for m in found["exponent"]} == {
        "x.a ** 2: exponent + 1 in square, on the right side", "x.b ** 2: exponent + 1 in square, on the right side",
    }  # fmt: skip
    assert [m.change for m in found["sign"]] == [
        "x.a ** 2 + x.b ** 2: sign of the second term in square, on the right side"
    ]
    assert [m.change for m in found["hypothesis"]] == ["without a <= b"]


def test_the_false_ones_are_refuted_and_the_needless_hypothesis_is_advice():
    judged = [judge(m) for m in mutants(am_gm, 0.98)]
    assert {j.operator: j.outcome for j in judged if j.operator != "hypothesis"} == {
        "bound": "refuted", "exponent": "refuted", "sign": "refuted",
    }  # fmt: skip
    (advice,) = [j for j in judged if j.operator == "hypothesis"]
    assert (advice.outcome, advice.reason) == ("still true", "proved (smt)")
    assert shares(judged)["bound"]["refuted"] == 2


def test_an_edit_does_not_leak_into_the_claim_itself():
    before = am_gm.body.__globals__["square"]
    list(mutants(am_gm))
    assert am_gm.body.__globals__["square"] is before and before.__code__ is square.__code__


def test_a_factor_that_both_sides_share_is_changed_on_one_of_them():
    @claim("draft/shared", world=Scalars(a=positive(), b=positive()), control=NO)
    def shared(x):
        return le(square(x), 2 * square(x))

    found = by_operator(shared)["exponent"]
    assert len(found) == 4 and {m.change.rsplit("the ", 1)[1] for m in found} == {"left side", "right side"}
    assert {judge(m).outcome for m in found} == {"refuted"}


def test_extremes_are_exchanged():
    @claim("draft/extreme", world=Scalars(a=positive(), b=positive()), control=NO)
    def extreme(x):
        return le(x.minimum(x.a, x.b), x.maximum(x.a, x.b))

    found = by_operator(extreme)["extreme"]
    assert len(found) == 2
    assert {judge(m).outcome for m in found} == {"still true"}  # min <= min and max <= max


def test_a_negative_right_side_is_doubled():
    @claim("draft/negative", world=Scalars(a=positive()), control=NO)
    def negative(x):
        return le(-x.a, -x.a)

    assert bound_sign(negative) == -1
    (m,) = by_operator(negative)["bound"]
    assert m.change == "right side times 2" and judge(m).outcome == "refuted"


def test_a_range_is_dropped():
    @claim("draft/range", world=Scalars(beta=at_least(1)), control=NO)
    def ranged(x):
        return le(1, x.beta)

    (m,) = by_operator(ranged)["hypothesis"]
    assert m.change == "without beta >= 1" and judge(m).outcome == "refuted"


def test_a_body_that_an_edit_breaks_is_invalid():
    @claim("draft/units", world=Points(None, at=("w",), lam=positive(CURVATURE)), control=NO)
    def broken(x):
        return eq(x.sq(x.w + x.w), 4 * x.sq(x.w))

    outcomes = {j.operator: j.outcome for j in map(judge, mutants(broken))}
    assert outcomes["bound"] == outcomes["sign"] == "refuted"


@pytest.mark.parametrize("id", ["pfedme/lemma2a", "pfedme/prop1c", "pfedme/thm1-proof-s4-b"])
def test_bounds_of_published_lemmas_are_refuted_when_halved(id):
    halved = [m for m in mutants(claims()[id]) if m.operator == "bound"]
    for m in halved:
        assert judge(m).outcome in ("refuted", "still true")


def test_the_command_prints_shares_and_advice(tmp_path, capsys):
    report, out = tmp_path / "r.json", tmp_path / "m.json"
    assert main(["verify", "pfedme/cond-eta1-b", "--json", str(report)]) == 0
    assert main(["mutants", str(report), "--json", str(out), "--survivors"]) == 0
    said = capsys.readouterr().out
    assert "bound" in said and "advice  pfedme/cond-eta1-b without beta >= 1: not needed" in said
    data = json.loads(out.read_text())
    assert {m["id"] for m in data["mutants"]} == {"pfedme/cond-eta1-b"}


@pytest.mark.parametrize(
    "argv", [["mutants", "missing.json"], ["mutants", "REPORT", "no/such"], ["mutants", "REPORT", "--jobs", "0"],
             ["mutants", "REPORT", "--budget", "fast"], ["mutants", "REPORT", "--seed", "-1"]],
)  # fmt: skip
def test_bad_input_is_one_line(argv, tmp_path, capsys):
    report = tmp_path / "r.json"
    assert main(["verify", "pfedme/cond-eta1-b", "--json", str(report)]) == 0
    capsys.readouterr()
    assert main([str(report) if a == "REPORT" else a for a in argv]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
