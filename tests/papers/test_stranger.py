"""A stranger's package: installed, its paper and its method work in every command without a line of ours.

`installed` is what an installer leaves behind, a folder on the path with the package and its ``.dist-info``; so the tests
need no network and no build backend.
"""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STRANGER = ROOT / "tests" / "stranger"


def install(target, project, files):
    """Lay out a distribution in a folder: its files, and the metadata with its entry points."""
    for name, text in files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text(text)
    info = target / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    points = project.get("entry-points", {})
    lines = [line for group, of in points.items() for line in (f"[{group}]", *(f"{k} = {v}" for k, v in of.items()))]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return target


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """The package of tests/stranger, as installed."""
    project = tomllib.loads((STRANGER / "pyproject.toml").read_text())["project"]
    found = [p for p in STRANGER.rglob("*") if p.is_file() and "__pycache__" not in p.parts and p.parent != STRANGER]
    found += STRANGER.glob("*.py")
    files = {str(p.relative_to(STRANGER)): p.read_text() for p in found}
    return install(tmp_path_factory.mktemp("site"), project, files)


@pytest.fixture
def broken(tmp_path):
    """Install a package of one module, with one entry point."""

    def one(text, group="papers", entry="bad"):
        points = {f"fedtheory.{group}": {entry: "bad_package:given"}}
        project = {"name": "bad-package", "version": "1", "entry-points": points}
        return install(tmp_path / "site", project, {"bad_package.py": text})

    (tmp_path / "site").mkdir()
    return one


def fedtheory(site, *words, cwd=None, **more):
    """Run the command line in a process of its own, with the folder on the path."""
    path = os.pathsep.join([str(site), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **more}
    return subprocess.run(
        [sys.executable, "-m", "fedtheory.cli", *map(str, words)], env=environment, cwd=cwd or ROOT, capture_output=True,
        text=True,
    )  # fmt: skip


def out_of(site, *words, **more):
    """What a command prints that succeeds."""
    done = fedtheory(site, *words, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def report(installed, tmp_path_factory):
    """The report and the page of the stranger's paper, decided in two processes."""
    folder = tmp_path_factory.mktemp("report")
    out_of(
        installed, "verify", "--paper", "nearby", "--page", folder / "p.md", "--jobs", "2", "--json", folder / "r.json",
        "--write-certificates", folder / "certificates",
    )  # fmt: skip
    return folder


def test_it_is_listed(installed):
    """With what its inventory says, and where each claim stands."""
    listed = out_of(installed, "list", "--paper", "nearby", "--where")
    assert re.search(r"nearby/lemma1 +inequality +Lemma 1 +nearby_paper/lemma1\.py:13", listed)
    assert "nearby/prop1~repaired" in listed
    assert "pfedme/lemma5" in (everything := out_of(installed, "list")) and "nearby/prop1 " in everything
    assert re.search(r"nearby +all +4 +2 +0 +1 +1", out_of(installed, "verify", "--coverage"))


def test_it_is_judged_like_any_other(report):
    """Verdicts, repair, sources from its package on, and a page with every row."""
    entries = {e["id"]: e for e in json.loads((report / "r.json").read_text())["claims"]}
    verdicts = {id: e["verdict"] for id, e in entries.items()}
    assert verdicts == {"nearby/lemma1": "proved", "nearby/prop1": "refuted", "nearby/prop1~repaired": "proved"}
    assert entries["nearby/prop1"]["repair"]["verdict"] == "proved"
    assert entries["nearby/lemma1"]["source"] == "nearby_paper/lemma1.py:13"
    page = (report / "p.md").read_text()
    assert page.startswith("# Nearby: personal models near a common one\n\nN. Obody: not published.\n")
    assert "| `def1` |" in page and "### nearby/prop1" in page and "| `exp1` |" in page


def test_its_counterexample_replays(installed, report):
    """From the report alone."""
    said = out_of(installed, "replay", report / "r.json", "nearby/prop1")
    assert "nearby/prop1: refuted, exactly" in said


def test_mutants_reach_its_formulas(installed, report, tmp_path):
    """Functions of its package of formulas are edited, in worker processes."""
    options = ("--paper", "nearby", "--jobs", "2", "--json", tmp_path / "m.json")
    out_of(installed, "mutants", report / "r.json", *options)
    mutants = json.loads((tmp_path / "m.json").read_text())["mutants"]
    assert any("in factor" in m["change"] and m["outcome"] == "refuted" for m in mutants)


def test_its_constants(installed):
    """Its catalogue, evaluated exactly."""
    said = out_of(installed, "constants", "nearby", "--eta", "1/10", "--lam", "2", "--mu", "1", "--excess", "3")
    assert re.search(r"\bq\b.*0\.7\b", said) and "0 conditions fail" in said


def test_its_method_runs(installed, tmp_path):
    """On real data, with an option of its own; a finished run is kept."""
    words = ("run", "nearby", "--data", "breast-cancer", "--standardise", "--l2", "0.1", "--m", "3", "--rounds", "5")
    said = out_of(installed, *words, "--E", "2", "--out", tmp_path / "runs")
    assert "nearby" in said and len(list((tmp_path / "runs").glob("*/run.json"))) == 1


def test_without_plugins(installed):
    """FEDTHEORY_NO_PLUGINS=1 leaves our own papers."""
    done = fedtheory(installed, "verify", "--paper", "nearby", FEDTHEORY_NO_PLUGINS="1")
    assert done.returncode == 2 and "--paper must be one of" in done.stderr and "nearby," not in done.stderr


def test_a_misspelt_paper(installed):
    """The nearest installed one is named."""
    done = fedtheory(installed, "verify", "--paper", "nearbi")
    assert done.returncode == 2 and "did you mean nearby?" in done.stderr


RECORD = "from fedtheory.paper import Paper\n"
BROKEN = {
    "import error": ("import nosuch\n", "bad_package:given (bad-package) cannot be loaded: ModuleNotFoundError"),
    "no function": ("given = 3\n", "bad_package:given (bad-package) cannot be loaded: TypeError"),
    "it exits": ("import sys\nsys.exit(0)\n", "bad_package:given (bad-package) cannot be loaded: SystemExit"),
    "no records": ("def given():\n    return ['a']\n", "bad_package:given (bad-package) must give Paper records, got 'a'"),
    "a malformed id": (
        RECORD + "def given():\n    return [Paper('Not OK', 'T', dict)]\n",
        "(bad-package) cannot be loaded: the id of a paper is of small letters and digits, got 'Not OK'",
    ),
    "an id twice": (
        RECORD + "def given():\n    return [Paper('pfedme', 'T', dict)]\n",
        "two installed packages have a paper 'pfedme', fedtheory and bad-package",
    ),
    "claims that are none": (
        RECORD + "def given():\n    return [Paper('bad', 'T', lambda: {'bad/x': 1}, package='bad_package')]\n",
        "paper bad (bad_package) must give its claims by their ids, bad/..., got 'bad/x': 1",
    ),
    "claims that raise": (
        RECORD + "def given():\n    return [Paper('bad', 'T', lambda: 1/0, package='bad_package')]\n",
        "the claims of paper bad (bad_package) cannot be loaded: ZeroDivisionError",
    ),
    "no paper.toml": (
        "from fedtheory.folder import in_package\ndef given():\n    return [in_package('json')]\n",
        "(bad-package) cannot be loaded: json has no paper.toml",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_package_is_one_line_that_names_it(case, broken):
    """Exit status 2; and without plugins the command works."""
    text, message = BROKEN[case]
    site = broken(text)
    done = fedtheory(site, "list")
    assert done.returncode == 2 and message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1 and not done.stdout
    if case == "import error":
        assert "FEDTHEORY_NO_PLUGINS=1" in done.stderr
        assert "flame/eq24" in out_of(site, "list", "--paper", "flame", FEDTHEORY_NO_PLUGINS="1")


def test_our_entry_point_has_no_name_that_others_may_take(broken):
    """An entry point of a stranger that is called as ours is a stranger's."""
    site = broken("import nosuch\n", entry="builtin")
    assert fedtheory(site, "list").returncode == 2
    assert fedtheory(site, "list", "--paper", "flame", FEDTHEORY_NO_PLUGINS="1").returncode == 0
