"""The command line: bad input gets one clear line and the right exit status; the report round-trips."""

import json
import re

import pytest

from fedtheory.cli import main

HEAD = """
from fedtheory import Control, claim, eq, le, lt
from fedtheory.units import CURVATURE
from problems import Convex, Points, Scalars, between, condition, positive
AB = Scalars(a=positive(), b=positive())
BAD = Control("a square is not negative", lambda x: le(x.a**2 + x.b**2, 0))
"""


def own(body, world="AB", control="BAD", id="draft/mine"):
    """A user's file with one claim."""
    return f"{HEAD}\n@claim({id!r}, world={world}, control={control})\ndef mine(x):\n    return {body}\n"


CASES = {
    "unknown id": (["verify", "pfedme/lema2a"], "no claim is called 'pfedme/lema2a'; did you mean pfedme/lemma2a"),
    "pattern without hit": (["verify", "nosuch/*"], "no claim is called 'nosuch/*'"),
    "unknown paper": (["verify", "--paper", "pfedm"], "got 'pfedm'; did you mean pfedme"),
    "unknown budget": (["verify", "--budget", "quik"], "--budget must be one of quick, standard, deep, got 'quik'"),
    "unknown backend": (["verify", "--backend", "numpie"], "--backend must be one of numpy, torch, cupy, got 'numpie'"),
    "negative seed": (["verify", "--seed", "-1"], "--seed must be at least 0, got -1"),
    "seed is no number": (["verify", "--seed", "x"], "argument --seed: invalid int value: 'x'"),
    "no processes": (["verify", "--jobs", "0"], "--jobs must be at least 1, got 0"),
    "unknown command": (["verfy"], "invalid choice: 'verfy'"),
    "unknown option": (["verify", "--sed", "1", "--zeal"], "--zeal"),
    "unknown verdict": (["verify", "--fail-on", "wrong"], "argument --fail-on: invalid choice: 'wrong'"),
    "json into no folder": (["verify", "--json", "{tmp}/no/r.json"], "r.json cannot be written"),
    "json is a folder": (["verify", "--json", "{tmp}"], "is a folder"),
    "resume without report": (["verify", "--resume"], "--resume needs --json FILE"),
    "picture of unknown format": (["verify", "--plot", "{tmp}/v.doc"], "--plot FILE must end in .svg, .png, .pdf"),
    "expected ledger missing": (["verify", "--expect", "{tmp}/none.json"], "none.json: no such file"),
    "expected ledger broken": (["verify", "--expect", "{tmp}/broken.json"], "broken.json:1: not JSON"),
    "expected ledger of another kind": (
        ["verify", "--expect", "{tmp}/list.json"],
        "not a fedtheory report of schema 1",
    ),
    "expected ledger with a strange verdict": (["verify", "--expect", "{tmp}/strange.json"], "expected one of"),
    "file missing": (["verify", "{tmp}/none.py"], "none.py: no such file"),
    "file with a syntax error": (["verify", "{tmp}/syntax.py"], "syntax.py:1: SyntaxError"),
    "file that raises": (["verify", "{tmp}/raises.py"], "raises.py:2: ZeroDivisionError: division by zero"),
    "file without a claim": (["verify", "{tmp}/empty.py"], "no claim in this file"),
    "float literal": (["verify", "{tmp}/float.py"], "the body holds the float 0.5; write a quotient"),
    "malformed id": (["verify", "{tmp}/id.py"], "claim id must look like paper/name"),
    "wrong shape": (["verify", "{tmp}/shape.py"], "the lhs has shape (3, 1, 3) for 3 instances with m=2"),
    "body returns a number": (
        ["verify", "{tmp}/number.py"],
        "the body must return le(a, b), lt(a, b) or eq(a, b), got int",
    ),
    "body raises": (["verify", "{tmp}/body.py"], "the body raises KeyError at line 10: 'c'"),
    "unknown name": (["verify", "{tmp}/name.py"], "this world has no name 'bb' (it has a, b;"),
    "nan in a range": (["verify", "{tmp}/nan.py"], "a scalar's high=... must be a finite number, got nan"),
    "empty range": (["verify", "{tmp}/range.py"], "a scalar needs low < high, got low=2 and high=1"),
    "world is no world": (["verify", "{tmp}/world.py"], "world=... must be a world such as Scalars(...)"),
    "class without its scalar": (["verify", "{tmp}/needs.py"], "needs the scalar mu=..."),
    "replay of no report": (["replay", "{tmp}/none.json", "a/b"], "none.json: no such file"),
    "replay of an unknown id": (["replay", "{tmp}/report.json", "pfedme/lema1a"], "did you mean pfedme/lemma1a"),
    "replay without witness": (["replay", "{tmp}/report.json", "pfedme/prop1a"], "has no witness to replay"),
    "replay of a broken witness": (
        ["replay", "{tmp}/forged.json", "pfedme/lemma1a"],
        'expected an exact number "p/q", got "one" at claims[1].witness.scalars.lam',
    ),
    "explain of an unknown id": (["explain", "pfedme/lemma9"], "no claim is called 'pfedme/lemma9'"),
    "unknown data": (["verify", "pfedme/lemma2a", "--on", "diabets"], "diabets"),
    "no clients": (["verify", "pfedme/lemma2a", "--on", "diabetes", "--m", "0"], "got 0"),
}


@pytest.fixture
def folder(tmp_path):
    """Broken ledgers and user files."""
    witness = {"shape": {"m": 1}, "scalars": {"lam": "1"}, "free": {}}
    claims = [
        {"id": "pfedme/prop1a", "verdict": "certified", "witness": None},
        {"id": "pfedme/lemma1a", "verdict": "refuted", "witness": witness},
    ]
    files = {
        "broken.json": "{oops", "list.json": "[]", "report.json": json.dumps({"schema": 1, "claims": claims}),
        "forged.json": json.dumps({"schema": 1, "claims": claims}).replace('"lam": "1"', '"lam": "one"'),
        "strange.json": json.dumps({"schema": 1, "claims": [{"id": "a/b", "verdict": "fine"}]}),
        "syntax.py": "def (", "raises.py": "x = 1\ny = x / 0\n", "empty.py": "x = 1\n",
        "float.py": own("le(0.5 * x.a, x.b)"), "id.py": own("le(x.a, x.b)", id="mine"),
        "number.py": own("3"), "body.py": own("le({}['c'], x.b)"), "name.py": own("le(x.bb, x.b)"),
        "shape.py": own("le(x.w * x.w, x.sq(x.w))", world="Points(Convex(), sizes={'d': (3,)})", control="None"),
        "nan.py": own("le(x.a, x.b)", world="Scalars(a=between(0, float('nan')), b=positive())"),
        "range.py": own("le(x.a, x.b)", world="Scalars(a=between(2, 1), b=positive())"),
        "world.py": own("le(x.a, x.b)", world="None"),
        "needs.py": own("le(x.a, x.b)", world="Points(__import__('problems').StronglyConvex('mu'))"),
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("case", CASES)
def test_bad_input(case, folder, capsys):
    """One line on stderr that names what is wrong, exit status 2, nothing written."""
    arguments, message = CASES[case]
    before = sorted(folder.iterdir())
    assert main([a.replace("{tmp}", str(folder)) for a in arguments]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert len(err.strip().splitlines()) == 1 and "Traceback" not in err
    assert sorted(folder.iterdir()) == before


def run_own(tmp_path, capsys, text, *options):
    """Verify a user's file and return (exit status, report entry, stdout, stderr)."""
    (tmp_path / "mine.py").write_text(text)
    status = main(["verify", str(tmp_path / "mine.py"), "--json", str(tmp_path / "r.json"), *options])
    out = capsys.readouterr()
    return status, json.loads((tmp_path / "r.json").read_text())["claims"][0], out.out, out.err


def test_contradictory_hypotheses_are_vacuous(tmp_path, capsys):
    """Conditions that cannot hold together leave nothing to claim."""
    world = "Scalars(a=positive(), b=positive(), given=(lambda x: lt(x.a, x.b), lambda x: lt(x.b, x.a)))"
    status, entry, _, _ = run_own(tmp_path, capsys, own("le(x.a, x.b)", world=world))
    assert (status, entry["verdict"], entry["hypotheses"]["satisfiable"]) == (0, "vacuous", False)


def test_a_control_that_stands_means_no_power(tmp_path, capsys):
    """A search that cannot refute the control supports nothing."""
    text = own("le(1 + x.a + x.a**2/2, x.exp(x.a))", control="Control('not false', lambda x: le(0, x.a))")
    status, entry, out, _ = run_own(tmp_path, capsys, text)
    assert (status, entry["verdict"]) == (0, "unknown")
    assert "no power" in entry["reason"] and "no power" in out


def test_a_product_of_inner_products_is_declined_by_gram_alone(tmp_path, capsys):
    """Another engine proves it; the evidence says why there is no certificate at listed parameters."""
    text = own(
        "le(x.dot(x.w, x.v)**2, x.sq(x.w)*x.sq(x.v))", world="Points(None, at=('w', 'v'))",
        control="Control('equal vectors give equality', lambda x: le(2*x.dot(x.w, x.v)**2, x.sq(x.w)*x.sq(x.v)))",
    )  # fmt: skip
    _, entry, _, _ = run_own(tmp_path, capsys, text)
    assert entry["verdict"] == "proved"
    assert any(e["engine"] == "lift" and "inner product" in e["reason"] for e in entry["evidence"])


def test_a_crashing_engine_is_one_line_and_status_3(tmp_path, capsys, monkeypatch):
    """The claim becomes unknown with the traceback in the report, the run goes on."""
    from fedtheory.engines.counterexamples.hunt import Hunt

    monkeypatch.setattr(Hunt, "run", lambda *a, **k: 1 / 0)
    status, entry, _, err = run_own(tmp_path, capsys, own("le(x.a, x.a)"))
    assert (status, entry["verdict"]) == (3, "unknown")
    assert "Traceback" in entry["evidence"][-1]["reason"]
    assert "ZeroDivisionError" in err and "Traceback" not in err


def test_interrupted_runs_keep_their_claims_and_resume(tmp_path, capsys, monkeypatch):
    """Ctrl-C writes a report with complete: false; --resume takes it over."""
    from fedtheory.referee import decide

    real = decide.verify
    seen = []

    def interrupt(claim, **options):
        if len(seen) == 2:
            raise KeyboardInterrupt
        seen.append(claim.id)
        return real(claim, **options)

    path = str(tmp_path / "r.json")
    monkeypatch.setattr(decide, "verify", interrupt)
    assert main(["verify", "pfedme/prop1*", "--afresh", "--json", path]) == 130
    partial = json.loads((tmp_path / "r.json").read_text())
    assert partial["complete"] is False and len(partial["claims"]) == 2
    seen.clear()
    assert main(["verify", "pfedme/prop1*", "--afresh", "--json", path, "--resume"]) == 0
    assert len(seen) == 1 and json.loads((tmp_path / "r.json").read_text())["complete"] is True
    assert main(["verify", "pfedme/prop1*", "--afresh", "--json", path, "--resume", "--seed", "1"]) == 2
    capsys.readouterr()


def test_expectations(tmp_path, capsys):
    """A contradiction, a weaker verdict and a missing id fail; another budget forgives weakness."""
    path = tmp_path / "r.json"
    assert main(["verify", "pfedme/lemma3~repaired", "pfedme/lemma1a", "--json", str(path)]) == 0
    data = json.loads(path.read_text())
    same = ["verify", "pfedme/lemma3~repaired", "pfedme/lemma1a", "--expect", str(path)]
    assert main(same) == 0

    def expect(**changes):
        changed = {
            **data,
            "claims": [{**c, **changes.get(c["id"], {})} for c in data["claims"]],
            **changes.get("top", {}),
        }
        path.write_text(json.dumps(changed))
        capsys.readouterr()
        status = main(same)
        return status, capsys.readouterr().err

    assert expect(**{"pfedme/lemma3~repaired": {"verdict": "refuted"}})[0] == 1
    status, err = expect(**{"pfedme/lemma3~repaired": {"verdict": "proved"}})
    assert status == 1 and "weaker" in err
    assert expect(**{"pfedme/lemma3~repaired": {"verdict": "proved"}, "top": {"budget": "deep"}})[0] == 0
    assert main(["verify", "pfedme/lemma1a", "--fail-on", "refuted"]) == 1


def test_verify_replay_explain_list_coverage(tmp_path, capsys):
    """The commands a referee uses, end to end, in two processes and with a picture."""
    report, picture = str(tmp_path / "r.json"), tmp_path / "v.svg"
    options = ["--json", report, "--jobs", "2", "--plot", str(picture)]
    assert main(["verify", "pfedme/lemma1a", "flame/lemma1", *options]) == 0
    out = capsys.readouterr().out
    assert re.search(r"pfedme/lemma1a +refuted +replayed +exact", out) and "4 claims: 2 certified, 2 refuted" in out
    assert picture.read_text().startswith("<?xml")
    entries = {c["id"]: c for c in json.loads((tmp_path / "r.json").read_text())["claims"]}
    assert entries["pfedme/lemma1a"]["repair"]["verdict"] == "certified"
    assert main(["replay", report, "pfedme/lemma1a"]) == 0
    assert "FAILS" in capsys.readouterr().out
    assert main(["explain", "pfedme/lemma1a"]) == 0
    out = capsys.readouterr().out
    assert "25 <= 5 fails" in out and "return le(error_sq(x), delta_sq_lemma1a(x))" in out and "repair:" in out
    assert main(["list", "--paper", "flame"]) == 0
    assert "flame/eq24" in capsys.readouterr().out
    assert main(["verify", "--coverage"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"pfedme +all +319", out)
    assert "hollow   fedadmm/eq7.10-c: its conclusion is the hypothesis" in out
