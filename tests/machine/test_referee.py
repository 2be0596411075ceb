"""The referee: order of the engines, order of precedence, what a proof and a refutation of one claim come to."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from fedtheory import Control, claim, le, verify
from fedtheory.engines.budget import BUDGETS, budget_named
from fedtheory.engines.context import Docket, Stage, always
from fedtheory.errors import UsageError
from fedtheory.referee import composition, order
from fedtheory.referee.decide import TIERS, ask, conclude
from fedtheory.referee.order import OF_LIMITS, ORDER, asked, beside, proving, table, with_installed
from fedtheory.verdict import CONTRADICTION, Evidence, Verdict
from problems import Points, Run, Scalars, condition, positive
from proofs_checks import claims

ROOT = Path(__file__).parents[2]
LATER = ("smaller_budget", "feasible", "tightness", "best_constant")  # not asked at quick of what nobody decides
UNKNOWN = {"satisfiable": None, "homogeneous": None, "met_in_experiments": None, "needed": None}
WITNESS = {"shape": {"m": 1}}
SAID = {
    "vacuous": Evidence("smt", "proves", [{}], hypotheses={"satisfiable": False}),
    "refuted": Evidence("falsify", "refutes", [{"m": 1}], witness=WITNESS),
    "proved": Evidence("lift", "proves"),
    "certified": Evidence("gram", "certifies", [{"m": 2}]),
    "supported": Evidence("falsify", "supports", [{"m": 3}]),
    "unknown": Evidence("falsify", "declines", reason="no power"),
}


@claim("draft/x", world=Scalars(a=positive(), b=positive()), control=Control("any", lambda x: le(x.a, x.b)))
def am_gm(x):
    return le(2 * x.sqrt(x.a * x.b), x.a + x.b)


def concluded(*said):
    """The verdict on what engines said."""
    v = Verdict("draft/x", hypotheses=dict(UNKNOWN))
    for e in said:
        v.take(e)
    conclude(v)
    return v


@pytest.mark.parametrize("verdict", SAID)
def test_each_verdict_alone(verdict):
    assert concluded(SAID[verdict]).verdict == verdict


@pytest.mark.parametrize("first, second", [("vacuous", "refuted"), ("vacuous", "proved"), ("refuted", "certified"),
                                           ("refuted", "supported"), ("proved", "certified"), ("certified", "supported"),
                                           ("supported", "unknown")])  # fmt: skip
def test_precedence(first, second):
    """In whatever order the engines said it."""
    for said in ((first, second), (second, first)):
        v = concluded(*(SAID[s] for s in said))
        assert (v.verdict, v.crashed) == (first, False)


@pytest.mark.parametrize("said", [("proved", "refuted"), ("refuted", "proved")])
def test_a_proof_that_meets_a_refutation_is_an_internal_error(said):
    v = concluded(*(SAID[s] for s in said))
    assert (v.verdict, v.crashed, v.tier) == ("unknown", True, None)
    assert v.reason == CONTRADICTION


TRIPLED = Run(None, at=("w",), step={"w": lambda x: 3 * x.w}, quantities={"M": lambda x: x.sq(x.w)})


@claim("draft/step", world=TRIPLED.one_step)
def tripled(x):
    return le(x.next.M, 2 * x.M)


@claim("draft/every", world=TRIPLED, by=(tripled,))
def tripled_every(x):
    return le(x.M[x.T], 2**x.T * x.M[0])


def test_what_is_proved_from_a_false_lemma_is_refuted():
    v = composition.verify(tripled_every)
    assert (v.verdict, v.trust, v.crashed) == ("refuted", "replayed", False)
    assert [e["verdict"] for e in v.given] == ["refuted"]


def test_what_is_proved_from_true_lemmas_and_refuted_is_an_internal_error():
    """The lemma's entry is made a proof here; no true one gives that."""
    entry = {**composition.verify(tripled_every).to_json(), "certificate": None}
    lemma = {"id": "draft/step", "verdict": "proved", "trust": "kernel"}
    said = composition.composed(entry, [lemma], {"draft/step": lemma})
    assert (said["verdict"], said["crashed"], said["reason"]) == ("unknown", True, CONTRADICTION)


def test_units_and_controls_say_nothing_of_the_claim():
    assert concluded(Evidence("units", "supports"), Evidence("control", "refutes")).verdict == "unknown"


def test_scopes_and_tiers():
    assert (concluded(SAID["refuted"]).tier, concluded(SAID["refuted"]).scope) == ("exact", [{"m": 1}])
    assert (concluded(SAID["proved"]).tier, concluded(SAID["proved"]).scope) == ("lift", "all")
    assert (concluded(SAID["certified"]).tier, concluded(SAID["certified"]).scope) == ("certificate", [{"m": 2}])
    assert concluded(Evidence("expectation", "certifies", [])).tier == "enumeration"
    assert (concluded(SAID["supported"]).tier, concluded(SAID["supported"]).scope) == ("falsify", [{"m": 3}])
    assert concluded(SAID["unknown"]).reason == "no power" and concluded().reason == "no engine decided it"


def test_what_an_engine_says_beside_its_outcome_is_entered():
    rest = Evidence("control", "refutes")
    v = concluded(
        Evidence("smt", "silent", hypotheses={"satisfiable": True}, figures={"trials": 7, "min_slack": 0.5}),
        Evidence("falsify", "supports", "all", rests_on=(rest,), figures={"min_slack": 0.25}),
    )
    assert [e.engine for e in v.evidence] == ["control", "falsify"]
    assert (v.trials, v.min_slack, v.hypotheses["satisfiable"]) == (7, 0.25, True)
    assert v.to_json()["evidence"][0] == {
        "engine": "control",
        "outcome": "refutes",
        "scope": "all",
        "numbers": {},
        "reason": "",
    }


def test_an_engine_that_declines_keeps_the_next_running(monkeypatch):
    """Every engine is asked, in order, whatever the ones before declined."""
    asked = []

    def declining(name):
        def engine(claim, docket):
            asked.append((name, len(docket.found)))
            return Evidence(name, "declines", reason=f"{name} does not apply")

        return engine

    names = [stage.name for stage in ORDER]
    monkeypatch.setattr(order, "ORDER", tuple(replace(stage, engine=declining(stage.name)) for stage in ORDER))
    v = verify(am_gm)
    assert v.verdict == "unknown" and "symbolic does not apply; inner_products does not apply" in v.reason
    assert asked == [(name, k) for k, name in enumerate(n for n in names if n not in LATER)]


def test_a_new_engine_is_one_line(monkeypatch):
    def oracle(claim, docket):
        return Evidence("oracle", "proves", reason="it knows")

    monkeypatch.setattr(order, "ORDER", (Stage("oracle", oracle, always, "it is asked first"), *ORDER))
    v = verify(am_gm)
    assert (v.verdict, v.tier, v.scope) == ("proved", "oracle", "all")
    assert "lift" not in [e.engine for e in v.evidence]  # what is proved is not proved again


def test_engines_are_not_asked_about_an_empty_region():
    never = condition("a < a", lambda x: le(x.a + 1, x.a))
    for world in (Scalars(a=positive(), given=(never,)), Points(None, clients_at=("u",), a=positive(), given=(never,))):
        v = verify(claim("draft/empty", world=world)(lambda x: le(x.a, 2 * x.a)))
        assert (v.verdict, v.tier) == ("vacuous", "smt")
        assert {e.engine for e in v.evidence} <= {"units", "smt"}


def test_a_crash_keeps_what_was_said_before(monkeypatch):
    broken = Stage("broken", lambda claim, docket: 1 / 0, always, "it divides by zero")
    monkeypatch.setattr(order, "ORDER", (*(stage for stage in ORDER if stage.name == "units"), broken))
    v = verify(am_gm)
    assert (v.verdict, v.crashed) == ("unknown", True) and "ZeroDivisionError" in v.reason
    assert [(e.engine, e.outcome) for e in v.evidence] == [("units", "supports"), ("referee", "fails")]


def test_every_stage_says_when_and_why():
    """Once each, in words; the files are those of the engines."""
    for stages in (ORDER, OF_LIMITS):
        assert len({stage.name for stage in stages}) == len(stages)
        for stage in stages:
            assert stage.because and stage.when.__doc__ and stage.engine.__module__.startswith("fedtheory.engines.")
            rests_on = sys.modules[stage.engine.__module__].__doc__.partition("Rests on")[2]
            assert re.search("[Cc]omplete|not a proof|never a proof", rests_on), stage.name


def test_reports_have_the_names_that_the_stages_have():
    """What the papers' evidence holds is what some stage says, and the tiers are of these names."""
    said = {name for stage in (*ORDER, *OF_LIMITS) for name in stage.reported}
    files = [json.loads(path.read_text()) for path in ROOT.glob("proofs_checks/*/evidence.json")]
    found = {e["engine"] for file in files for one in file["claims"].values() for e in one["entry"]["evidence"]}
    assert len(found) > 10 and found <= said and set(TIERS) <= said
    assert beside() == {"units", "control", "exhibit", "tight"}


def test_the_page_has_the_order():
    """docs/deciding.md holds what `fedtheory list --engines` prints, apart from installed engines."""
    page = (ROOT / "docs" / "deciding.md").read_text(encoding="utf-8")
    tables = re.findall(r"<!-- engines -->\n(.*?)\n<!-- end of engines -->", page, re.S)
    assert tables == [table(ORDER), table(OF_LIMITS)]


def installed_as(monkeypatch, *stages):
    """As if a package gave these."""
    monkeypatch.setattr("fedtheory.registry.engines", lambda: {stage.name: stage for stage in stages})
    with_installed.cache_clear()


def test_an_installed_engine_stands_where_it_says(monkeypatch):
    """A proof is made again by those that prove alone, whatever else is installed."""
    knows = Stage("oracle", lambda claim, docket: Evidence("oracle", "silent"), always, "it knows")
    looks = replace(knows, name="looker", searches=True, before="units")
    installed_as(monkeypatch, knows, looks)
    names = [stage.name for stage in asked(am_gm)]
    assert names[0] == "looker" and names[names.index("oracle") + 1] == "search"
    assert [stage.name for stage in proving(am_gm)] == names[1 : names.index("search")]


@pytest.mark.parametrize("more, said", [
    ({"name": "search"}, "an installed engine is called 'search'"),
    ({"before": "serch"}, "must name a stage, got 'serch'; did you mean search?"),
])  # fmt: skip
def test_an_installed_engine_that_has_no_place_is_refused(more, said, monkeypatch):
    stage = Stage("oracle", lambda claim, docket: Evidence("oracle", "silent"), always, "it knows")
    installed_as(monkeypatch, replace(stage, **more))
    with pytest.raises(UsageError, match=re.escape(said)):
        asked(am_gm)


@pytest.fixture(autouse=True)
def order_anew():
    """No installed engine of another test."""
    yield
    with_installed.cache_clear()


def test_engines_cannot_change_what_was_found():
    docket = Docket()
    assert docket.after(SAID["proved"]).proved and not docket.proved and docket.found == ()
    with pytest.raises(AttributeError):
        docket.found = ()


def test_a_thorough_budget_goes_on_after_a_proof():
    """The best constant is sought, and sizes are listed as well."""
    assert [b.thorough for b in BUDGETS.values()] == [False, True, True]
    v = Verdict("pfedme/prop1b", hypotheses=dict(UNKNOWN))
    ask(claims()["pfedme/prop1b"], Docket(BUDGETS["standard"], stored={}), v)
    assert {"lift", "gram", "best"} <= {e.engine for e in v.evidence}


def test_a_budget_is_named():
    with pytest.raises(UsageError, match="quick"):
        budget_named("quikc")
