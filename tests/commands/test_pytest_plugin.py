"""The pytest plugin, as a user runs it: claims of drafts, of installed papers and in test modules are items."""

import importlib.util
import json
import os
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from forked import forked

from fedtheory import UsageError, claim
from problems import Scalars, positive
from proofs_checks import claims

ROOT = Path(__file__).parents[2]
HEAD = """
from fedtheory import Control, claim, le
from problems import Scalars, positive

AB = Scalars(a=positive(), b=positive())
"""
PROVED = """
@claim("draft/am-gm", world=AB)
def am_gm(x):
    return le(2*x.a*x.b, x.a**2 + x.b**2)
"""
SUPPORTED = """
BELOW = Control("the series is below", lambda x: le(x.exp(x.a), 1 + x.a + x.a**2/2))

@claim("draft/series", world=AB, control=BELOW)
def series(x):
    return le(1 + x.a + x.a**2/2, x.exp(x.a))
"""
REFUTED = """
@claim("draft/halves", world=AB, latex="$a^2 + b^2 \\\\leq 2 a b$"{more})
def halves(x):
    return le(x.a**2 + x.b**2, 2*x.a*x.b)
"""
THREE = HEAD + PROVED + SUPPORTED + REFUTED.format(more="")
UNKNOWN = (
    HEAD + '\n@claim("draft/same", world=AB)\ndef same(x):\n    return le(x.exp(x.a)*x.exp(x.b), x.exp(x.a + x.b))\n'
)
COMPOSED = (
    HEAD
    + """
@claim("draft/step", world=AB)
def step(x):
    return le(x.b, 2*x.a)

@claim("draft/theorem", world=AB, by=(step,))
def theorem(x):
    return le(0, 3*x.a)
"""
)
NEEDS_XDIST = pytest.mark.skipif(importlib.util.find_spec("xdist") is None, reason="pytest-xdist is not installed")


@pytest.fixture
def run(tmp_path):
    """Run pytest in a folder with these files: (exit status, what it printed)."""

    def run(*words, **files):
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(text)
        environment = {
            **os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "150",
            "PYTEST_ADDOPTS": "",
        }  # fmt: skip
        start = ["-p", "fedtheory.commands.pytest_plugin", "--tb=short", "-rA", "--assert=plain"]
        done = forked(lambda: pytest.main([*start, *words]), cwd=tmp_path, env=environment)
        return done.returncode, done.stdout + done.stderr

    return run


def test_pytest_finds_the_plugin_by_its_entry_point():
    """The name that the distribution announces is a module with the hooks."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert import_module(project["entry-points"]["pytest11"]["fedtheory"]).pytest_collect_file


def test_it_costs_nothing_where_there_are_no_claims():
    """With the plugin loaded, and no file with claims, nothing heavy has been imported."""
    code = "import sys, fedtheory.commands.pytest_plugin; print(sorted({'numpy', 'flint', 'scipy', 'z3'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "[]\n"


def test_a_refuted_claim_fails_with_its_witness(run):
    """Proved and supported pass; the message has the formula, both sides and the replay."""
    status, said = run("three.py", three=THREE)
    assert status == 1 and "2 passed" in said and "1 failed" in said
    for part in ("PASSED three.py::draft/am-gm", "PASSED three.py::draft/series", "FAILED three.py::draft/halves - refuted",
                 "$a^2 + b^2 \\leq 2 a b$", "witness:", "<= 20 fails",
                 "fedtheory replay report.json draft/halves three.py"):  # fmt: skip
        assert part in said, part


def test_selection_and_the_last_failures(run):
    """-k, a node id, and --lf, which takes the refuted claim alone."""
    assert "1 passed, 2 deselected" in run("three.py", "-k", "am-gm", three=THREE)[1]
    assert "1 passed" in run("three.py::draft/series")[1]
    run("three.py")
    status, said = run("three.py", "--lf")
    assert status == 1 and "1 failed, 2 deselected" in said


@NEEDS_XDIST
def test_with_xdist(run):
    """Two workers come to the same."""
    status, said = run("-p", "xdist", "-n", "2", "three.py", three=THREE)
    assert status == 1 and "2 passed" in said and "1 failed" in said and "<= 20 fails" in said


def test_jobs_decide_the_same(run):
    """Two processes of our own."""
    status, said = run("--fedtheory-jobs", "2", "--fedtheory-no-cache", "three.py", three=THREE)
    assert status == 1 and "2 passed" in said and "<= 20 fails" in said


@pytest.mark.parametrize(
    "text, status, message",
    [
        (HEAD + "def claim(:\n", 2, "wrong.py:6: SyntaxError"),
        ("# fedtheory without claim(\n", 2, "wrong.py: no claim in this file"),
        ("import fedtheory\n", 5, "no tests ran"),
        (HEAD + PROVED + PROVED, 2, "two claims are called draft/am-gm"),
        (HEAD + PROVED.replace("2*x.a", "0.5*x.a"), 2, "holds the float 0.5"),
        (HEAD + PROVED.replace("draft/am-gm", "pfedme/lemma1a"), 2, "is a published claim"),
    ],
    ids=["syntax", "none", "no claim", "twice", "float", "published"],
)
def test_files_that_cannot_be_collected(run, text, status, message):
    """Pytest's own error of collection, in one clear line, without a traceback of ours."""
    got, said = run("wrong.py", wrong=text)
    assert got == status and message in said and "Traceback" not in said, said


def test_ids_are_unique_over_files(run):
    """Two files with one id are an error; a claim that is imported from a neighbour is an item of its own file only."""
    status, said = run("one.py", "two.py", one=HEAD + PROVED, two=HEAD + PROVED)
    assert status == 2 and "two claims are called draft/am-gm" in said
    status, said = run("one.py", "two.py", two="from .one import am_gm\n" + HEAD + SUPPORTED)
    assert status == 0 and "2 passed" in said


def test_expected_refutations_are_strict_xfails(run):
    """Of the claim itself; one that is proved although it is expected to be refuted fails, and so does one not decided."""
    status, said = run("one.py", one=HEAD + REFUTED.format(more=', expect="refuted"'))
    assert status == 0 and "1 xfailed" in said and "<= 20 fails" in said
    for text in (HEAD + PROVED, UNKNOWN):
        status, said = run("one.py", one=text.replace("world=AB", 'world=AB, expect="refuted"'))
        assert status == 1 and "expected refuted, got" in said and "1 failed" in said
    status, said = run("one.py", one=HEAD + SUPPORTED.replace("world=AB", 'world=AB, expect="proved"'))
    assert status == 1 and "expected proved, got supported" in said


def test_expectations_of_a_ledger(run, tmp_path):
    """--expect: what is refuted there xfails, what is proved there has to be, at the same budget."""
    rows = [{"id": f"draft/{name}", "verdict": v} for name, v in (("halves", "refuted"), ("series", "proved"))]
    for budget, failed in (("quick", 1), ("standard", 0)):
        (tmp_path / "ledger.json").write_text(json.dumps({"schema": 1, "budget": budget, "claims": rows}))
        status, said = run("three.py", "--expect", "ledger.json", three=THREE)
        assert status == failed and "1 xfailed" in said and f"{2 - failed} passed" in said
    (tmp_path / "ledger.json").write_text("{")
    status, said = run("three.py", "--expect", "ledger.json")
    assert status == 4 and "ERROR: --expect ledger.json:1: not JSON" in said


def test_undecided_claims_fail_or_skip(run):
    """By an option."""
    status, said = run("one.py", one=UNKNOWN)
    assert status == 1 and "unknown draft/same" in said
    status, said = run("one.py", "--fedtheory-unknown", "skip")
    assert status == 0 and "1 skipped" in said


@pytest.mark.parametrize(
    "words, message",
    [(["--fedtheory-jobs", "0"], "--fedtheory-jobs must be at least 1, got 0"),
     (["--fedtheory-seed", "-1"], "--fedtheory-seed must be at least 0, got -1"),
     (["--fedtheory-budget", "large"], "--fedtheory-budget: invalid choice: 'large'")],
)  # fmt: skip
def test_options_that_cannot_be_used(run, words, message):
    """In one line of pytest's own."""
    status, said = run(*words, "three.py", three=THREE)
    assert status == 4 and message in said


def test_claims_and_test_functions_side_by_side(run, tmp_path):
    """A draft may have test functions, a test module claims, items when asked for; other files of the folder are left alone."""
    both = HEAD + PROVED + "def test_it():\n    assert am_gm.id\n"
    status, said = run("lemma.py", lemma=both, other=HEAD + REFUTED.format(more=""))
    assert status == 0 and "2 passed" in said
    status, said = run("test_lemma.py", test_lemma=both)
    assert status == 0 and "1 passed" in said and "draft/am-gm" not in said
    status, said = run("test_lemma.py", "--fedtheory")
    assert status == 0 and "PASSED test_lemma.py::draft/am-gm" in said and "2 passed" in said
    (tmp_path / "notes.py").write_text("# fedtheory has claim( somewhere\n")
    status, said = run("--fedtheory", "--ignore", "lemma.py")
    assert status == 1 and "2 passed" in said and "FAILED other.py::draft/halves" in said


@pytest.mark.parametrize("words", [("-k", "theorem"), ("--fedtheory-jobs", "2"), ("--fedtheory-no-cache",)])
@pytest.mark.parametrize("name", ["theorem", "test_theorem"])
def test_a_claim_is_no_stronger_than_its_lemmas(run, name, words):
    """Whether they are items, or not."""
    asked = ("--fedtheory",) if name.startswith("test_") else ()
    status, said = run(f"{name}.py", *asked, *words, **{name: COMPOSED})
    assert status == 1 and f"FAILED {name}.py::draft/theorem" in said
    assert "it holds given draft/step, which is refuted" in said


def test_every_published_claim_is_one_item(run):
    """`pytest --pyargs proofs_checks --fedtheory`."""
    status, said = run("--pyargs", "proofs_checks", "--fedtheory", "--collect-only", "-q", "-q", "--no-header")
    assert status == 0
    counts = [int(line.rpartition(" ")[2]) for line in said.splitlines() if ".py: " in line]
    assert sum(counts) == len(claims())


def test_an_expectation_is_a_verdict():
    """Anything else is refused where the claim is made."""
    with pytest.raises(
        UsageError, match=r"claim draft/x: expect=.* must be one of vacuous, .*'refutd'; did you mean refuted"
    ):
        claim("draft/x", world=Scalars(a=positive()), expect="refutd")
