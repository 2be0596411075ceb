"""The formats of files: schemas that are published as they are checked, and damaged files that are refused in one line."""

import copy
import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
import valid
from jsonschema import Draft7Validator, ValidationError

from fedtheory import UsageError, formats
from fedtheory.cli import main
from fedtheory.commands import tabulate
from fedtheory.commands.plan import specs
from fedtheory.commands.work import Work
from fedtheory.runs import store
from proofs_checks import papers

ROOT = Path(__file__).parents[2]
REPORT = {
    "schema": 1,
    "claims": [
        {
            "id": "a/b", "verdict": "refuted", "uses": ["a/c"], "min_slack": -0.5, "hypotheses": {"satisfiable": True},
            "evidence": [{"engine": "smt", "outcome": "refutes", "scope": "all", "numbers": {}, "reason": ""}],
            "witness": {"shape": {"m": 1}, "scalars": {"L": "1/2", "alpha": ["1"]}, "free": {"w": [["0"]]}, "lhs": ["0.1", "0.2"]},
        }
    ],
}  # fmt: skip


def rules(schema):
    """The words of a schema and of those in it."""
    if isinstance(schema, dict):
        for word, value in schema.items():
            named = word in ("properties", "definitions")
            yield from (one for part in value.values() for one in rules(part)) if named else (word, *rules(value))
    elif isinstance(schema, list):
        for value in schema:
            yield from rules(value)


@pytest.mark.parametrize("name", formats.NAMES)
def test_a_shipped_schema(name):
    """It is a JSON Schema, the page names it, and it has no rule of which the check says nothing."""
    Draft7Validator.check_schema(formats.schema(name))
    file = f"{name}-{formats.VERSIONS.get(name, formats.VERSION)}.json"
    assert f"fedtheory/schemas/{file}" in (ROOT / "docs" / "schemas.md").read_text(encoding="utf-8")
    spoken = {"required", "type", "enum", "pattern"}
    silent = {"$schema", "title", "description", "properties", "definitions", "items", "additionalProperties", "$ref"}
    assert set(rules(formats.schema(name))) <= spoken | silent


def test_every_schema_has_a_name():
    """Of no other version either."""
    assert {p.name for p in formats.FOLDER.iterdir()} == {
        f"{n}-{formats.VERSIONS.get(n, formats.VERSION)}.json" for n in formats.NAMES
    }


@pytest.mark.parametrize("paper", papers(), ids=lambda p: p.id)
def test_our_own_papers_are_valid(paper):
    """Their TOML files and stored certificates, also by a library that knows nothing of ours."""
    folder = ROOT / "proofs_checks" / paper.id
    files = sorted(folder.glob("*.toml"))
    assert {"paper", "inventory"} <= {file.stem for file in files}
    for file in files:
        valid.validator(file.stem).validate(read(file))
    for file in sorted(folder.glob("experiments/*.toml")):
        valid.validator("experiment").validate(read(file))
        valid.validator("plan").validate(read(file)["plan"])
    valid.validator("stored_certificates").validate(paper.certificates())
    valid.validator("audited").validate(paper.audited() or {"schema": 1, "problems": {}, "settings": []})


def read(file):
    """What a TOML file holds."""
    return tomllib.loads(file.read_text(encoding="utf-8"))


PLAN = """
rounds = 1
every = 0
[[problem]]
data = "breast-cancer"
m = 2
[[method]]
name = "fedavg"
eta = [0.1, 1e300]
E = 2
"""
SMALL = """
title = "a small table"
locator = "Table 1"
shows = "accuracy"
row = [{row = "FedAvg", method = "FedAvg", column = "accuracy_pooled", printed = 90}]
show = {column = "accuracy_pooled"}
[plan]
rounds = 1
measure = "accuracy"
problem = {label = "Cancer", data = "breast-cancer", m = 2, train = 0.75}  # one table stands for a list of one
method = {label = "FedAvg", name = "fedavg", eta = 0.1, E = 1}
"""


def test_every_kind_of_file_that_is_written_is_valid(tmp_path, monkeypatch, capsys):
    """Each format that a command writes; the fixture `schemas` looks at each file."""
    monkeypatch.chdir(tmp_path)
    before = valid.SEEN.copy()
    written = ["--json", "r.json", "--write-proofs", "p", "--write-certificates", "c", "--write-evidence", "e"]
    assert main(["verify", "flame/lemma1", *written]) == 0
    assert main(["verify", "flame/lemma1", "--on", "diabetes", "--json", "on.json"]) == 0
    assert main(["mutants", "r.json", "--operators", "bound", "--json", "m.json"]) == 0
    (tmp_path / "plan.toml").write_text(PLAN)
    assert main(["sweep", "plan.toml", "--out", "runs", "--jobs", "1"]) == 0
    assert main(["results", "runs", "--write", "results.json"]) == 0
    import fedtheory.commands.table  # noqa: F401  # which takes names of tabulate as they are

    monkeypatch.setattr(tabulate, "all_of_them", lambda: {"pfedme/small": tomllib.loads(SMALL)})
    assert main(["table", "pfedme/small", "--out", "runs", "--jobs", "1", "--write", "table.json"]) == 0
    assert main(["table", "--verdicts", "--out", "runs", "--write", "v.json"]) == 0
    run = next((tmp_path / "runs").glob("*/trace.npz"))
    assert main(["watch", str(run), "fedavg", "--json", "w.json"]) == 0
    assert main(["schedule", "--K", "6", "--M", "2", "--draws", "10", "--json", "s.json"]) == 0
    Work("runs").fail(specs(tomllib.loads(PLAN), "here")[0], ValueError("no"))
    assert set(formats.NAMES) - set(valid.SEEN - before) == {*BY_HAND, "audit", "audited"}  # test_audit_settings.py


BY_HAND = {"paper", "inventory", "bindings", "settings", "empirical", "experiment", "plan"}


def test_another_process_checks_what_it_writes(tmp_path):
    """As every process does: against a schema that asks for more, the same command ends with the place, its file written."""
    shutil.copytree(formats.FOLDER, tmp_path / "schemas")
    path = tmp_path / "schemas" / "report-1.json"
    path.write_text(path.read_text().replace('"claims",\n  "schema"', '"claims",\n  "schema",\n  "author"'))
    code = f"import sys; from pathlib import Path; from fedtheory import cli, formats; formats.FOLDER = Path({str(path.parent)!r})"
    words = [sys.executable, "-c", f"{code}; sys.exit(cli.main())", "verify", "pfedme/prop1a", "--json", "r.json"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr.endswith("AssertionError: r.json: not of the published format report: author is missing\n")
    assert json.loads((tmp_path / "r.json").read_text())["claims"][0]["id"] == "pfedme/prop1a"


def changed(*path, to):
    """The report above with another value at a path."""
    data = copy.deepcopy(REPORT)
    at = data
    for part in path[:-1]:
        at = at[part]
    at[path[-1]] = to
    return data


CLAIM = ("claims", 0)
DAMAGED = [
    ("report", [], "expected an object, got an array"),
    ("report", {"claims": []}, "schema is missing"),
    ("report", changed("schema", to=2), "expected 1, got 2 at schema"),
    ("report", changed("schema", to=True), "expected 1, got true at schema"),
    ("report", changed(*CLAIM, "verdict", to="true"), 'got "true" at claims[0].verdict'),
    ("report", changed(*CLAIM, "uses", to="a/c"), 'expected an array, got "a/c" at claims[0].uses'),
    (
        "report",
        changed(*CLAIM, "min_slack", to="small"),
        'expected a number or null, got "small" at claims[0].min_slack',
    ),
    ("report", changed(*CLAIM, "evidence", 0, "outcome", to="wins"), 'got "wins" at claims[0].evidence[0].outcome'),
    (
        "report",
        changed(*CLAIM, "witness", "shape", "m", to=1.5),
        "a whole number, got 1.5 at claims[0].witness.shape.m",
    ),
    ("report", changed(*CLAIM, "witness", "scalars", "L", to=0.5), "got 0.5 at claims[0].witness.scalars.L"),
    (
        "report",
        changed(*CLAIM, "witness", "free", "w", to=[["0.5"]]),
        'number "p/q", got "0.5" at claims[0].witness.free.w[0][0]',
    ),
    ("paper", {"id": "a"}, "title is missing"),
    ("inventory", {"row": [{"id": "a/b", "formula": "", "locator": ""}]}, "kind is missing at row[0]"),
    ("inventory", {"row": {"id": "a/b"}}, "expected an array, got an object at row"),
    ("bindings", {"a/b": {"to": "a/c"}}, "binding is missing at a/b"),
    ("evidence", {"schema": "fedtheory evidence", "version": 1}, "engines is missing"),
    ("stored_certificates", {"a/b {}": [{"0 1": 0.5}]}, "expected a text, got 0.5 at a/b {}[0].0 1"),
    ("run", {"schema": 1, "inputs": {}, "stopped": "", "results": {}}, "is missing at inputs"),
    (
        "certificates",
        {"schema": "fedtheory certificates", "version": 3, "paper": "", "claims": []},
        "expected 2, got 3 at version",
    ),
    ("settings", {"setting": [{"label": "a", "locator": "b"}]}, "values is missing at setting[0]"),
    ("audited", {"schema": 1, "problems": {}, "settings": {}}, "expected an array, got an object at settings"),
    ("audit", {"schema": 1, "version": "", "complete": 1}, "is missing"),
    (
        "schedule",
        {"schema": 1, "version": "", "K": 6, "draws": 0, "seed": 0, "rows": [], "fits": [], "rounds": [{"M": 2}]},
        "N is missing at rounds[0]",
    ),
    (
        "watch",
        {"schema": 1, "version": "", "trace": "", "method": "", "rows": "3", "inequalities": []},
        'got "3" at rows',
    ),
    ("mutants", {"schema": 1, "seed": 0}, "budget is missing"),
    ("on_data", {"schema": 1, "on": "diabetes", "m": 2.5}, "clients is missing"),
    ("trace", {"t": [0, 1], "communications": [0, 1]}, "objective is missing"),
    ("trace", {"t": [0, 1.5], "communications": [0, 1], "objective": [1.0, 0.5]}, "a whole number, got 1.5 at t[1]"),
    ("timing", {"seconds": "1", "optimum_seconds": None, "environment": {}}, 'expected a number, got "1" at seconds'),
    ("failed", {"run": {}, "error": "", "traceback": ""}, "problem is missing at run"),
    ("references", {"majority": {"accuracy": "0.5"}}, 'expected a number, got "0.5" at majority.accuracy'),
    ("results", {"run": "0"}, "expected an array, got an object"),
    ("results", [{"run": "0", "seed": "1"}], 'expected a whole number, got "1" at [0].seed'),
    ("table", [{"problem": "a", "setting": "", "row": "b"}], "figure is missing at [0]"),
    ("plan", {"problem": [{"m": 2}], "method": []}, "data is missing at problem[0]"),
    ("plan", {"rounds": 1.5, "problem": [], "method": []}, "expected a whole number or a text, got 1.5 at rounds"),
    ("experiment", {"title": "T", "locator": "", "shows": "bars", "show": {}, "plan": {}}, 'got "bars" at shows'),
    ("figures", {"schema": 1, "stood_in": [], "cells": [{"problem": "a"}]}, "method is missing at cells[0]"),
    ("verdicts", [{"row": "a/b", "verdict": "reproduced"}], "from is missing at [0]"),
    ("empirical", {"a/b": {"tests": [{"left": "c"}]}}, "column is missing at a/b.tests[0]"),
]


def test_every_format_has_a_damaged_case():
    """One of the list above at least."""
    assert {name for name, _, _ in DAMAGED} == set(formats.NAMES)


@pytest.mark.parametrize(("name", "data", "message"), DAMAGED, ids=lambda v: v if isinstance(v, str) else "")
def test_damaged_data_are_refused_in_one_line(name, data, message):
    """By the check where the file is read, which names the place; and by the published schema as well."""
    with pytest.raises(UsageError) as refused:
        formats.check(data, name, f"file.json: not a {name}")
    said = str(refused.value)
    assert said.startswith(f"file.json: not a {name}: ") and message in said and "\n" not in said, said
    with pytest.raises(ValidationError):
        valid.validator(name).validate(data)


def test_what_is_not_damaged_is_accepted():
    """Also with a name that a newer version may add."""
    for data in (REPORT, changed("newer", to=3), changed(*CLAIM, "newer", to={})):
        formats.check(data, "report", "file.json")
        valid.validator("report").validate(data)


TABLE = 'title = "T"\nlocator = ""\nshows = "curves"\nshow = {}\n'
PAPER = {  # a file of a paper, what stands in it, and what is said where it is read
    "bindings.toml": ('["damaged/1"]\nto = "x"\n', "bindings.toml: binding is missing at damaged/1"),
    "certificates.json": ("{", "certificates.json: cannot be read"),
    "inventory.toml": ('[[row]]\nid = "damaged/1"\n', "inventory.toml: kind is missing at row[0]"),
    "settings.toml": ('[[setting]]\nlabel = "a"\n', "settings.toml: locator is missing at setting[0]"),
    "audited.json": ("[]", "audited.json: expected an object, got an array"),
    "empirical.toml": (
        '["damaged/1"]\nfull = "yes"\n',
        'empirical.toml: expected a truth value, got "yes" at damaged/1.full',
    ),
    "experiments/fig1.toml": ('title = "T"\n', "fig1.toml: locator is missing"),
    "experiments/fig2.toml": (
        f"{TABLE}plan = {{problem = [], method = [{{}}]}}\n",
        "fig2.toml: its plan: name is missing at method[0]",
    ),
    "experiments/fig3.toml": ("title =", "fig3.toml: Invalid value"),
}


@pytest.mark.parametrize("file", PAPER)
def test_a_damaged_paper_is_named(file, tmp_path, monkeypatch):
    """The file and the place, in one line."""
    from fedtheory.folder import in_package

    folder = tmp_path / f"damaged_{Path(file).stem}"
    (folder / "experiments").mkdir(parents=True)
    text, said = PAPER[file]
    for name, content in (("__init__.py", ""), ("paper.toml", 'id = "damaged"\ntitle = "D"\n'), (file, text)):
        (folder / name).write_text(content)
    monkeypatch.syspath_prepend(str(tmp_path))
    paper = in_package(folder.name)
    with pytest.raises(UsageError) as refused:
        getattr(paper, file.partition("/")[0].partition(".")[0])()
    assert said in str(refused.value) and "\n" not in str(refused.value)


RUNS = {  # a file of a finished run, what stands in it, and what `fedtheory results` or `table` says
    "run.json": ('{"schema": 1}', "run.json: inputs is missing; remove the folder to run again"),
    "trace.npz": ({"t": [0], "communications": [0]}, "trace.npz: objective is missing; remove the folder to run again"),
    "timing.json": ('{"seconds": 1}', "timing.json: optimum_seconds is missing; remove the folder to run again"),
}


@pytest.mark.parametrize("file", RUNS)
def test_a_damaged_run_of_a_folder_is_named(file, tmp_path, monkeypatch, capsys):
    """Where runs are listed, and where a table takes one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.toml").write_text(PLAN)
    assert main(["sweep", "plan.toml", "--out", "runs", "--jobs", "1"]) == 0
    path = next((tmp_path / "runs").glob(f"*/{file}"))
    content, said = RUNS[file]
    path.write_text(content) if isinstance(content, str) else np.savez(path, **content)
    with pytest.raises(UsageError) as refused:
        store.by_key("runs", path.parent.name)
    assert said in str(refused.value) and "\n" not in str(refused.value)
    capsys.readouterr()
    assert main(["results", "runs"]) == (2 if file == "run.json" else 0)
    assert (said in capsys.readouterr().err) == (file == "run.json")
