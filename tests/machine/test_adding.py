"""Every recipe of docs/adding.md: its files are laid out as they stand and its commands run."""

import importlib
import os
import re
import subprocess
import sys
import tomllib
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from installed import installed

from fedtheory import claim, le, lt
from fedtheory.engines import budget
from fedtheory.engines.context import Docket
from fedtheory.testing import clients, states
from problems import Scalars, SmoothConvex, positive

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "adding.md").read_text(encoding="utf-8")
RECIPES = {part.split("\n", 1)[0]: part for part in TEXT.split("\n## ")[1:]}
FILE = re.compile(r"^`([\w./]+)`:\n\n```\w+\n(.*?)^```", re.S | re.M)
COMMANDS = re.compile(r"^```sh\n(.*?)^```", re.S | re.M)
SAYS = {  # what a command prints, as far as a reader is promised it
    "fedtheory verify lemmas/ --json report.json": "proved",
    "fedtheory explain draft/step lemmas/": "lemmas/step.py",
    "fedtheory mutants report.json lemmas/ --operators bound": "bound",
    "fedtheory list --paper ball --where": "ball_paper/lemma1.py",
    "fedtheory verify --paper ball --page ball.md": "proved",
    "fedtheory constants ball --L 4 --eta 1": "eta <= 2/L",
    "fedtheory run momentum --data breast-cancer --standardise --l2 0.01 --m 5 --rounds 5 --beta 0.9": "momentum",
    "fedtheory new class lipschitz": "wrote lipschitz.py",
    "fedtheory verify lipschitz.py": "1 proved, 1 supported",
    "fedtheory verify subgradient.py": "refuted",
    "python pseudo_huber.py": "objective",
    "fedtheory list --engines": "| ones | `ones` | Always. | the least of all instances | ones |\n| units |",
    "fedtheory verify strict.py --json report.json": "refuted",
    "python -m json.tool report.json": '"engine": "ones",\n                    "outcome": "refutes"',
}


def test_every_command_says_something():
    """The table above is about the page."""
    shown = {line for part in RECIPES.values() for block in COMMANDS.findall(part) for line in block.splitlines()}
    assert shown - {"pip install ."} == set(SAYS)


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("title", RECIPES)
def test_recipe(title, tmp_path):
    """The files, then the commands in their order."""
    files = FILE.findall(RECIPES[title])
    assert files
    for name, text in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "200"}
    for command in [line for block in COMMANDS.findall(RECIPES[title]) for line in block.splitlines()]:
        if command == "pip install .":
            installed(tmp_path, tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"])
            continue
        program, *words = command.split()
        start = [sys.executable, "-m", "fedtheory.cli"] if program == "fedtheory" else [sys.executable]
        done = subprocess.run([*start, *words], env=environment, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        assert SAYS[command] in done.stdout, f"{command}\n{done.stdout}"


def test_the_method_of_the_page_runs_exactly(tmp_path, monkeypatch):
    """On clients that hypothesis draws, in fractions, as `fedtheory.testing.states` takes a method."""
    text = dict(FILE.findall(RECIPES["A method"]))["momentum.py"]
    (tmp_path / "momentum.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    momentum = importlib.import_module("momentum")
    method = momentum.Momentum(Fraction(1, 8), 2, Fraction(1, 2))

    @settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
    @given(states(method, clients(SmoothConvex("L"), L=positive())))
    def moves(run):
        assert all((a.w - b.w == b.v).all() for a, b in pairwise(run.states))

    moves()


def test_the_proposer_of_the_page(monkeypatch):
    """docs/architecture.md: one of ours as it is written there, with its counts; the driver judges, shrinks and names it."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", page, re.S)
    columns = [int(k) for k in re.search(r"class Equal\(Effort\): values = By\((.*?)\)", page)[1].split(",")]
    counts = type("Equal", (budget.Effort,), {"values": budget.By(*columns)})
    monkeypatch.setattr(budget, "Equal", counts, raising=False)
    module = {"__name__": "fedtheory.engines.search.equal"}
    exec(block, module)
    ab = Scalars(a=positive(), b=positive())
    strict = claim("draft/strict", world=ab)(lambda x: lt(2 * x.a * x.b, x.a**2 + x.b**2))
    loose = claim("draft/loose", world=ab)(lambda x: le(2 * x.a * x.b, x.a**2 + x.b**2))
    said = [module["equal"](one, Docket()) for one in (strict, loose)]
    assert [(e.engine, e.outcome) for e in said] == [("equal", "refutes"), ("equal", "silent")]
    assert said[0].witness["scalars"] == {"a": "1", "b": "1"} and module["equal"].__doc__
