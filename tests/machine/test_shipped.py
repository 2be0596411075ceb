"""What a paper ships decides a claim only as long as the claim says what it said, and only where the checks accept it."""

import copy
import json
import subprocess

import pytest

from fedtheory import fedtheory_check
from fedtheory.cli import main
from fedtheory.drafts import load
from fedtheory.referee import ledger, shipped
from fedtheory.referee.decide import verify
from fedtheory.referee.shipped import PROVED, RECHECKED, SEARCHED, Shipped, in_lines, written
from fedtheory.registry import claim

OPTIONS = {"budget": "quick", "seed": 0, "backend": "numpy"}
DRAFT = """
from fedtheory import Control, claim, le, lt, use
from fedtheory.units import CURVATURE
from problems import Points, Scalars, SmoothStronglyConvex, condition, positive, real

FACTOR = 2
POWERS = {"high": 4, "low": 2}
TABLE = [1, 2, 3]


def inner(x):
    return x.a*x.b


def twice(x, share=1):
    return FACTOR*share*inner(x)


def below(x):
    return le(x.a, 3*x.b)


class Kept:
    scale = 5

    def of(self, x):
        return self.scale*x.a


KEPT = Kept()
AB = Scalars(a=positive(), b=positive())
UP = Scalars(a=positive(), b=positive(), given=(condition("a <= 3 b", below),))


@claim("draft/square", world=AB, control=Control("no square is so small", lambda x: le(x.a**2 + x.b**2, inner(x))))
def square(x, room=1):
    return le(room*twice(x), x.a**POWERS["low"] + x.b**2)


@claim("draft/under", world=UP, control=Control("b may be larger", lambda x: le(x.b, x.a)))
def under(x):
    return le(TABLE[0]*x.a - 3*x.b, 0)


@claim("draft/false", world=AB, control=Control("for a = b", lambda x: le(x.a**2 + x.b**2, inner(x))))
def false(x):
    return le(x.a**2 + x.b**2, twice(x))


@claim("draft/kept", world=AB, control=Control("for a = 1", lambda x: le(KEPT.of(x), x.a)))
def kept(x):
    return le(x.a, KEPT.of(x))


@claim("draft/step", world=Points(SmoothStronglyConvex("mu", "L"), optimum_of="f", mu=positive(CURVATURE),
           L=positive(CURVATURE), given=(condition("mu < L", lambda x: lt(x.mu, x.L)),)),
       control=Control("no step reaches w* from everywhere", lambda x: le(x.sq(x.w - x.w_star), 0)))
def step(x):
    after = x.w - 1/x.L*x.mean_vec(x.f.grad(x.w))
    return le(x.sq(after - x.w_star), (1 - x.mu/x.L)*x.sq(x.w - x.w_star))


@claim("draft/series", world=AB, control=Control("the other way", lambda x: le(x.exp(x.a), 1 + x.a + x.a**2/2)))
def series(x):
    return le(1 + x.a + x.a**2/2, x.exp(x.a))
"""
ALL = {"draft/square", "draft/under", "draft/false", "draft/kept", "draft/step", "draft/series"}
SQUARE, UNDER, FALSE, KEPT, STEP, SERIES = (
    {f"draft/{n}"} for n in ("square", "under", "false", "kept", "step", "series")
)
EDITS = [  # what stands there, what comes in its place, and the claims that say something else then
    ("FACTOR = 2", "FACTOR = 3", SQUARE | FALSE),
    ("FACTOR = 2", "FACTOR = 1", SQUARE | FALSE),
    ('"low": 2', '"low": 3', SQUARE),
    ('"low": 2', '"low": 1', SQUARE),
    ('POWERS["low"]', 'POWERS["high"]', SQUARE),
    ("TABLE = [1, 2, 3]", "TABLE = [2, 2, 3]", UNDER),
    ("TABLE = [1, 2, 3]", "TABLE = [4, 2, 3]", UNDER),
    ("TABLE[0]", "TABLE[1]", UNDER),
    ("TABLE[0]", "TABLE[2]", UNDER),
    ("    return x.a*x.b\n", "    return x.a*x.a\n", SQUARE | FALSE),
    ("    return x.a*x.b\n", "    return x.a*x.b*2\n", SQUARE | FALSE),
    ("    return x.a*x.b\n", "    return x.a + x.b\n", SQUARE | FALSE),
    ("share=1", "share=2", SQUARE | FALSE),
    ("FACTOR*share*inner(x)", "FACTOR*share*inner(x) + x.a", SQUARE | FALSE),
    ("FACTOR*share*inner(x)", "FACTOR/share*inner(x) - 1", SQUARE | FALSE),
    ("le(x.a, 3*x.b)", "le(x.a, 4*x.b)", UNDER),
    ("le(x.a, 3*x.b)", "lt(x.a, 3*x.b)", UNDER),
    ("le(x.a, 3*x.b)", "le(x.b, 3*x.a)", UNDER),
    ("scale = 5", "scale = 1", KEPT),
    ("scale = 5", "scale = 0", KEPT),
    ("self.scale*x.a", "self.scale*x.b", KEPT),
    ("AB = Scalars(a=positive(), b=positive())", "AB = Scalars(a=real(), b=positive())", SQUARE | FALSE | KEPT | SERIES),
    ("AB = Scalars(a=positive(), b=positive())", "AB = Scalars(a=positive(), b=real())", SQUARE | FALSE | KEPT | SERIES),
    ("AB = Scalars(a=positive(),", "AB = Scalars(c=positive(), a=positive(),", SQUARE | FALSE | KEPT | SERIES),
    ("UP = Scalars(a=positive()", "UP = Scalars(a=real()", UNDER),
    (', given=(condition("a <= 3 b", below),)', "", UNDER),
    ('condition("a <= 3 b", below)', 'condition("a <= 3 b", below), condition("a <= b", lambda x: le(x.a, x.b))', UNDER),
    ("room=1", "room=2", SQUARE),
    ("le(room*twice(x), x.a**P", "lt(room*twice(x), x.a**P", SQUARE),
    ("room*twice(x), x.a", "room*room*twice(x) + 1, x.a", SQUARE),
    ('**POWERS["low"] + x.b**2', '**POWERS["low"] + x.b**3', SQUARE),
    ('**POWERS["low"] + x.b**2', '**POWERS["low"] - x.b**2', SQUARE),
    ("x.a - 3*x.b, 0)", "x.a - 2*x.b, 0)", UNDER),
    ("x.a - 3*x.b, 0)", "x.a - 3*x.b, 1)", UNDER),
    ("x.a - 3*x.b, 0)", "x.a - 3*x.a, 0)", UNDER),
    ("le(x.a**2 + x.b**2, twice(x))", "le(x.a**2, twice(x))", FALSE),
    ("le(x.a**2 + x.b**2, twice(x))", "le(twice(x), x.a**2 + x.b**2)", FALSE),
    ("le(x.a**2 + x.b**2, twice(x))", "le(x.a**2 + x.b**2, 2*twice(x))", FALSE),
    ("return le(x.a, KEPT.of(x))", "return le(2*x.a, KEPT.of(x))", KEPT),
    ("return le(x.a, KEPT.of(x))", "return le(x.b, KEPT.of(x))", KEPT),
    ('SmoothStronglyConvex("mu", "L")', 'SmoothStronglyConvex("L", "mu")', STEP),
    ("lt(x.mu, x.L)", "le(x.mu, x.L)", STEP),
    ("lt(x.mu, x.L)", "lt(2*x.mu, x.L)", STEP),
    ("after = x.w - 1/x.L", "after = x.w - 2/x.L", STEP),
    ("after = x.w - 1/x.L", "after = x.w + 1/x.L", STEP),
    ("(1 - x.mu/x.L)*", "(1 - 2*x.mu/x.L)*", STEP),
    ("(1 - x.mu/x.L)*", "(1 - x.mu/x.L)**2*", STEP),
    ("x.f.grad(x.w))", "x.f.grad(x.w_star))", STEP),
    ("le(1 + x.a + x.a**2/2, x.exp(x.a))", "le(1 + x.a + x.a**2, x.exp(x.a))", SERIES),
    ("le(1 + x.a + x.a**2/2, x.exp(x.a))", "le(1 + x.a + x.b**2/2, x.exp(x.a))", SERIES),
    ("le(1 + x.a + x.a**2/2, x.exp(x.a))", "le(1 + x.a + x.a**2/2, x.exp(x.a + x.b))", SERIES),
    ("lambda x: le(x.b, x.a)", "lambda x: le(2*x.b, x.a)", UNDER),  # the control is what a search is held against
    ("lambda x: le(x.sq(x.w - x.w_star), 0)", "lambda x: le(0, x.sq(x.w - x.w_star))", STEP),
    ("\n\ndef inner", "\n# a comment\n\n\ndef inner", set()),
    ("    after =", "    # a comment\n    after =", set()),
]  # fmt: skip


def claims_of(folder, text):
    """The claims of a draft of this text, in a file of its own."""
    path = folder / f"draft_{len(list(folder.iterdir()))}.py"
    path.write_text(text)
    return load([str(path)])


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    """The claims as they were, what decided them, and their evidence as it is read from a file."""
    claims = claims_of(tmp_path_factory.mktemp("before"), DRAFT)
    entries = list(ledger.run(list(claims.values()), claims.__getitem__))
    text = in_lines(written(entries, claims, **OPTIONS)["draft"])
    return claims, {e["id"]: e for e in entries}, json.loads(text)


def test_what_is_re_checked_is_what_was_decided(before):
    """The same entries but for times; a proof by the checker, a counterexample by replay, a search by the search."""
    claims, entries, file = before
    got = {id: Shipped([file], OPTIONS).get(c) for id, c in claims.items()}
    assert {id: e["shipped"] for id, e in got.items() if e} == {
        **dict.fromkeys(SQUARE | UNDER | FALSE | KEPT | STEP, RECHECKED), **dict.fromkeys(SERIES, SEARCHED)
    }  # fmt: skip
    reports = [ledger.report([es[id] for id in claims], seed=0, budget="quick", complete=True) for es in (entries, got)]
    assert json.dumps(ledger.verdict_part(reports[0])["claims"]) == json.dumps(
        ledger.verdict_part(reports[1])["claims"]
    )
    assert reports[0]["answers"] == {"decided": list(claims)} and set(reports[1]["answers"]) == {RECHECKED, SEARCHED}
    assert got["draft/square"]["certificate"] == entries["draft/square"]["certificate"]


def test_there_are_fifty_edits():
    """As many as are asked for, each of which can be made."""
    assert sum(bool(changed) for _, _, changed in EDITS) >= 50 and all(old in DRAFT for old, _, _ in EDITS)


@pytest.mark.parametrize(("old", "new", "changed"), EDITS)
def test_an_edited_claim_has_no_evidence(before, tmp_path, old, new, changed):
    """Of its helpers, conditions, constants, world or control; the others have theirs, also where lines have moved."""
    claims = claims_of(tmp_path, DRAFT.replace(old, new))
    own = Shipped([before[2]], OPTIONS)
    assert {id for id, c in claims.items() if not own.stands(c)} == changed
    assert all(own.get(claims[id]) is None for id in changed)


def damaged(file, id, edit):
    """Evidence that was edited by hand, with a check that fits."""
    out = copy.deepcopy(file)
    one = out["claims"][id]
    edit(one)
    one["check"] = shipped.digest({name: one[name] for name in ("says", "entry", "proof")})
    return out


def other_witness(one):
    one["entry"]["witness"]["scalars"] = {"a": "1", "b": "1"}


def no_proof(one):
    one["proof"] = None


def proof_of_another(one):
    one["proof"]["id"] = "draft/other"


def weaker_facts(one):
    one["proof"]["parts"][0]["facts"] = []


def other_verdict(one):
    one["entry"] |= {"verdict": "certified", "scope": [{"m": 1}]}


def other_trials(one):
    for e in one["entry"]["evidence"]:
        e["numbers"] = {**e["numbers"], "trials": 7}


def other_slack(one):
    for e in one["entry"]["evidence"]:
        e["numbers"] = {**e["numbers"], "min_slack": 0.5}


@pytest.mark.parametrize(("id", "edit"), [
    ("draft/false", other_witness), ("draft/square", no_proof), ("draft/square", proof_of_another),
    ("draft/under", weaker_facts), ("draft/step", other_verdict), ("draft/series", other_trials),
    ("draft/series", other_slack),
])  # fmt: skip
def test_evidence_that_does_not_hold_is_none(before, id, edit):
    """The claim is decided, whatever a file says."""
    claims, _, file = before
    assert Shipped([file], OPTIONS).get(claims[id]) is not None
    assert Shipped([damaged(file, id, edit)], OPTIONS).get(claims[id]) is None


def test_a_search_may_lose_an_instance_at_an_edge(before):
    """Another processor rounds otherwise; a hundredth of the instances and no more."""
    claims, _, file = before

    def other(share):
        def edit(one):
            for e in one["entry"]["evidence"]:
                if "trials" in e["numbers"]:
                    e["numbers"] = {**e["numbers"], "trials": round(share * e["numbers"]["trials"]), "replays": 1}

        return edit

    assert Shipped([damaged(file, "draft/series", other(1.005))], OPTIONS).get(claims["draft/series"])
    assert not Shipped([damaged(file, "draft/series", other(1.05))], OPTIONS).get(claims["draft/series"])


def test_a_climb_may_go_another_way():
    """Of two edits that are nearly as good: a hundredth of the least slack and no more."""

    def said(slack):
        return {
            "engine": "falsify",
            "outcome": "supports",
            "scope": "all",
            "reason": "",
            "numbers": {"trials": 9, "min_slack": slack},
        }

    assert shipped._searches_alike(said(0.5), said(0.504)) and shipped._searches_alike(said(None), said(None))
    assert not any(
        shipped._searches_alike(said(a), said(b)) for a, b in ((0.5, 0.51), (0.5, None), (0.0, 0.1), (0.5, -0.5))
    )


def other_way(one):
    for e in one["entry"]["evidence"]:
        e["numbers"] = {**e["numbers"], "how": "by heart"}


def kernel(one):
    one["entry"]["trust"] = "kernel"


def test_what_has_a_solvers_word_is_proved_again(before, monkeypatch):
    """By the engines that prove, which must say the same; where there is a certificate after all, the claim is decided."""
    claims = before[0]
    with monkeypatch.context() as without:
        without.setattr(fedtheory_check, "accepted", lambda *_: (False, "no certificate is accepted"))
        entries = list(ledger.run([claims["draft/square"]], claims.__getitem__))
        file = json.loads(in_lines(written(entries, claims, **OPTIONS)["draft"]))
        got = Shipped([file], OPTIONS).get(claims["draft/square"])
        assert (got["shipped"], got["trust"], got["evidence"]) == (
            PROVED,
            "z3",
            file["claims"]["draft/square"]["entry"]["evidence"],
        )
        for edit in (other_way, kernel):
            assert Shipped([damaged(file, "draft/square", edit)], OPTIONS).get(claims["draft/square"]) is None
    assert Shipped([file], OPTIONS).get(claims["draft/square"]) is None


EMPTY = """
from fedtheory import Control, claim, le, lt
from problems import Scalars, condition, positive


@claim("draft/empty", world=Scalars(a=positive(), given=(condition("a < 0", lambda x: lt(x.a, 0)),)),
       control=Control("a is positive", lambda x: le(x.a, 0)))
def empty(x):
    return le(x.a, 1)
"""


def test_that_conditions_cannot_hold_together_is_proved_again(tmp_path):
    """And not where the claim, or what was said of it, is another."""
    claims = claims_of(tmp_path, EMPTY)
    entries = list(ledger.run(list(claims.values()), claims.__getitem__))
    file = json.loads(in_lines(written(entries, claims, **OPTIONS)["draft"]))
    got = Shipped([file], OPTIONS).get(claims["draft/empty"])
    assert got["verdict"] == "vacuous" and got["shipped"] == PROVED
    reports = [ledger.report([e], seed=0, budget="quick", complete=True) for e in (entries[0], got)]
    assert json.dumps(reports[0]["claims"]) == json.dumps(reports[1]["claims"])
    other = claims_of(tmp_path, EMPTY.replace("lt(x.a, 0)", "lt(x.a, 2)"))
    assert Shipped([file], OPTIONS).get(other["draft/empty"]) is None
    forged = damaged(file, "draft/empty", lambda one: one.update(says=shipped.says(other["draft/empty"])))
    assert Shipped([forged], OPTIONS).get(other["draft/empty"]) is None
    assert Shipped([damaged(file, "draft/empty", other_verdict)], OPTIONS).get(claims["draft/empty"]) is None


@pytest.mark.parametrize("id", ["flame/rem-thm2-rate-p", "flame/rem-thm2-rate-theta"])
def test_a_limit_that_a_run_at_rest_refutes_is_replayed_there(id):
    """Where nothing moves; another state, at which something does, refutes nothing."""
    found = claim(id)
    entry = ledger.entry(verify(found))
    file = json.loads(in_lines(written([entry], {id: found}, **OPTIONS)["flame"]))
    got = Shipped([file], OPTIONS).get(found)
    assert got["verdict"] == "refuted" and got["shipped"] == RECHECKED and got["witness"] == entry["witness"]
    moved = damaged(file, id, lambda one: one["entry"]["witness"]["free"].update(Theta=[["5"]]))
    assert Shipped([moved], OPTIONS).get(found) is None


def test_evidence_of_other_options_or_engines_is_none(before, monkeypatch):
    """Another seed, another budget, an engine that was edited, a letter that was lost."""
    claims, _, file = before
    square = claims["draft/square"]
    for name, value in (("seed", 1), ("budget", "standard"), ("backend", "torch")):
        assert Shipped([file], {**OPTIONS, name: value}).get(square) is None
    lost = json.loads(json.dumps(file).replace('"proved"', '"certified"', 1))
    assert Shipped([lost], OPTIONS).get(square) is None
    monkeypatch.setattr(shipped, "engines", lambda: "others")
    assert Shipped([file], OPTIONS).get(square) is None


def test_a_report_says_which_sources_decided(monkeypatch):
    """So that a verdict can be cited: as evidence is shipped under the same hash."""
    said = ledger.report([], seed=0, budget="quick", complete=True)["environment"]
    assert said["sources"] == shipped.engines() and len(said["sources"]) == 40
    monkeypatch.setattr(ledger, "engines", lambda: "others")
    assert ledger.report([], seed=0, budget="quick", complete=True)["environment"]["sources"] == "others"


def test_the_engines_are_all_that_decides():
    """No module that a decision imports is left out of their hash."""
    code = (
        "import sys, proofs_checks; from fedtheory.referee.decide import verify; c = proofs_checks.claims();"
        "[verify(c[i]) for i in ('pfedme/lemma1a', 'pfedme/eq35', 'fedadmm/lemma4.1', 'flame/lemma1')];"
        "print(*[m for m in sys.modules if m.split('.')[0] in ('fedtheory', 'problems')])"
    )
    import sys

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = [m.split(".") for m in done.stdout.split()]
    shown = ("tables", "verdicts", "show", "symbols")  # words for people
    papers = ("theory", "rates")  # which papers import; what a claim reads of them is in the hash of the claim
    aside = [m for m in loaded if m[0] == "fedtheory" and len(m) > 1 and m[1] in shipped.ASIDE and m[1] not in papers]
    assert [m for m in aside if m[-1] not in shown] == []


def test_the_command_says_what_was_re_checked(monkeypatch, tmp_path, capsys):
    """A paper's evidence as the command writes it; --afresh decides all, with the same verdicts."""
    from fedtheory import registry

    words = ["verify", "pfedme/lemma1a", "pfedme/prop1a", "pfedme/rem-lemma2-tight", "--no-cache"]
    assert main([*words, "--afresh", "--write-evidence", str(tmp_path / "e"), "--json", str(tmp_path / "a.json")]) == 0
    capsys.readouterr()
    file = json.loads((tmp_path / "e" / "pfedme.json").read_text())
    paper = registry.paper("pfedme")
    monkeypatch.setattr(registry, "paper", lambda id: paper.__class__(**{**vars(paper), "evidence": lambda: file}))
    assert main([*words, "--json", str(tmp_path / "b.json")]) == 0
    assert "3 re-checked, 1 searched again, 0 decided" in capsys.readouterr().err
    a, b = (json.loads((tmp_path / f"{name}.json").read_text()) for name in "ab")
    assert (
        ledger.verdict_part(a) == ledger.verdict_part(b)
        and set(b["answers"]) == {RECHECKED, SEARCHED}
        and b["guards"] == {}
    )

    def decided(*_):
        raise AssertionError("decided again")

    monkeypatch.setattr(ledger, "_decided", decided)
    assert main(["export", "pfedme/lemma1a", "--coq", str(tmp_path / "a.v")]) == 0
    assert "Qed" in (tmp_path / "a.v").read_text()


def git(folder, *words):
    subprocess.run(
        ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@t", *words], check=True, capture_output=True
    )


def test_changed_is_what_says_something_else(before, tmp_path, monkeypatch):
    """Against the evidence at a revision; where the engines are others, one claim of each kind as well."""
    from fedtheory import registry
    from fedtheory.commands import touched
    from fedtheory.commands.known import Known
    from fedtheory.errors import UsageError

    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    git(folder, "init")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "no evidence")
    (folder / "evidence.json").write_text(in_lines(before[2]))
    git(folder, "add", ".")
    git(folder, "commit", "-m", "evidence")
    monkeypatch.setattr(touched, "find_spec", lambda name: type("Spec", (), {"origin": str(folder / "__init__.py")}))
    monkeypatch.setattr(registry, "paper", lambda id: type("Paper", (), {"package": "paper"}))
    known = Known()
    known._own = {}
    claims = claims_of(tmp_path, DRAFT.replace("scale = 5", "scale = 6"))
    monkeypatch.setattr(Known, "claim", lambda self, id: claims[id])
    got, said = touched.touched(list(claims.values()), known, "HEAD")
    assert [c.id for c in got] == ["draft/kept"] and said == "1 of 6 claims say something else than at HEAD"
    with pytest.raises(UsageError, match="no evidence of draft"):
        touched.touched(list(claims.values()), known, "HEAD~1")
    monkeypatch.setattr(touched, "engines", lambda: "others")
    got, said = touched.touched(list(claims.values()), known, "HEAD")
    assert {"draft/kept", "draft/false"} < {c.id for c in got} and "the engines are others" in said
