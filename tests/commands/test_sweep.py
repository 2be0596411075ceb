"""`fedtheory sweep`, `merge` and `results`: the grid of a plan, the same bytes on every way, what is refused, what is exported."""

import csv
import importlib.util
import json
from pathlib import Path

import pytest

from fedtheory.cli import main
from fedtheory.commands import plan, sweep, work
from fedtheory.errors import UsageError
from fedtheory.registry import method
from fedtheory.runs import code, store

PLAN = """
rounds = 3
seeds = [0, 1]
measure = "accuracy"
[[problem]]
label = "cancer"
data = "breast-cancer"
features = "mean"
standardise = true
l2 = 0.01
m = 3
train = 0.75
[[method]]
name = "fedavg"
eta = [0.1, 0.2]
E = 2
[[method]]
name = "pfedme"
R = 2
inner = "gradient"
inner-steps = 2
inner-eta = 0.05
batch = 5
rounds = 2
"""
RUNS = 6


@pytest.fixture
def at(tmp_path):
    """A plan in a file, and how a sweep of it is asked for."""
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)

    def go(out, *more, text=None):
        if text is not None:
            path.write_text(text)
        return main(["sweep", str(path), "--out", str(tmp_path / out), "--jobs", "1", *more])

    return go


def tree(folder):
    """Every file by its name, with its bytes; of times only that they are there."""
    files = sorted(p for p in Path(folder).rglob("*") if p.is_file())
    return {str(p.relative_to(folder)): b"" if p.name == "timing.json" else p.read_bytes() for p in files}


def test_the_grid_of_a_plan():
    """Lists are axes, of problems, of hyper-parameters and of seeds; a method may have its own rounds and problems."""
    found = plan.specs(
        {
            "seeds": "3-5", "rounds": 7, "stop": "none",
            "problem": [{"data": "digits", "m": [2, 4], "label": "a"}, {"data": "diabetes", "label": "b"}],
            "method": [
                {"name": ["fedavg", "fedprox"], "eta": [0.1, 1]},
                {"name": "fedadmm", "on": "b", "rounds": 2, "setting": "as printed", "label": "ADMM"},
            ],
        },
        "here",
    )  # fmt: skip
    assert len(found) == 2 * 2 * 3 * 3 + 3
    assert {(s.method, s.options["eta"]) for s in found[:36]} == {
        (n, e) for n in ("fedavg", "fedprox") for e in (0.1, 1.0)
    }
    assert {s.seed for s in found} == {3, 4, 5} and {s.problem["m"] for s in found} == {2, 4, 20}
    assert {(s.rounds, s.problem["data"]) for s in found[36:]} == {(2, "diabetes")}
    assert found[-1].labels == {"problem": "b", "method": "ADMM", "setting": "as printed", "axes": {}}
    assert found[0].labels["axes"] == {"m": 2, "eta": 0.1}
    assert found[-1].options["k0"] == 10 and found[-1].stop == "none"


REFUSED = {
    "no problem": ({"method": {"name": "fedavg"}}, "here: the plan has no table [[problem]]"),
    "no method": ({"problem": {"data": "digits"}}, "here: the plan has no table [[method]]"),
    "no data": ({"problem": {"m": 3}, "method": {"name": "fedavg"}}, "a [[problem]] has no data"),
    "no name": ({"problem": {"data": "digits"}, "method": {"eta": 1}}, "a [[method]] has no name"),
    "unknown word": ({"rouns": 3}, "the plan has no 'rouns', only rounds"),
    "unknown method": ({"problem": {"data": "digits"}, "method": {"name": "fedvag"}}, "did you mean fedavg"),
    "unknown option": ({"problem": {"data": "digits"}, "method": {"name": "fedavg", "etta": 1}}, "did you mean eta"),
    "out of range": ({"problem": {"data": "digits"}, "method": {"name": "fedavg", "eta": -1}}, "--eta must be positive, got -1"),
    "rounds": ({"rounds": 0, "problem": {"data": "digits"}, "method": {"name": "fedavg"}}, "--rounds must be at least 1, got 0"),
    "seeds": ({"seeds": [1, 1], "problem": {"data": "digits"}, "method": {"name": "fedavg"}}, "seeds must be different"),
    "seeds in words": ({"seeds": "5-3", "problem": {"data": "digits"}, "method": {"name": "fedavg"}}, "--seeds must be at least 5"),
    "stop": ({"stop": "5.2x", "problem": {"data": "digits"}, "method": {"name": "fedavg"}}, "--stop needs a number"),
    "measure": ({"measure": "acuracy", "problem": {"data": "digits"}, "method": {"name": "fedavg"}}, "did you mean accuracy"),
    "on": ({"problem": {"data": "digits", "label": "a"}, "method": {"name": "fedavg", "on": "b"}}, "on names no problem: 'b'"),
    "m": ({"problem": {"data": "digits", "m": 0}, "method": {"name": "fedavg"}}, "--m must be at least 1, got 0"),
    "l2": ({"problem": {"data": "digits", "l2": -1}, "method": {"name": "fedavg"}}, "--l2 must be at least 0, got -1"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_plan_is_refused_in_one_line(case):
    given, said = REFUSED[case]
    with pytest.raises(UsageError) as refused:
        plan.specs(given, "here")
    assert said in str(refused.value) and "\n" not in str(refused.value)


LATE = {
    "unknown data": (PLAN.replace("breast-cancer", "breast_cancer"), "did you mean breast-cancer"),
    "unknown option of a problem": (PLAN.replace("standardise", "standardize"), "did you mean standardise"),
    "share out of range": (PLAN.replace("0.75", "1.5"), "must be below 1, got 1.5"),
    "batch too large": (PLAN.replace("batch = 5", "batch = 500"), "--batch of pfedme must be at most"),
    "more selected than clients": (PLAN.replace("E = 2", "E = 2\nS = 4"), "--S must be at most the 3 clients, got 4"),
    "accuracies without test samples": (PLAN.replace("train = 0.75\n", ""), "needs train, the share for training"),
    "no TOML": ("rounds = ", "plan.toml: Invalid value"),
}


@pytest.mark.parametrize("case", LATE)
def test_what_does_not_fit_is_refused_before_anything_runs(case, at, tmp_path, capsys):
    text, said = LATE[case]
    assert at("runs", text=text) == 2
    assert said in capsys.readouterr().err and not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    "more, said",
    [
        (["--shard", "3/2"], "--shard must be i/N with 1 <= i <= N"), (["--shard", "half"], "got 'half'"),
        (["--jobs", "0"], "--jobs must be at least 1, got 0"), (["--scheduler", "x"], "give one of them"),
    ],
)  # fmt: skip
def test_options_are_refused(more, said, at, capsys):
    assert at("runs", *more) == 2
    assert said in capsys.readouterr().err


def test_the_same_bytes_in_processes_in_shards_and_again(at, tmp_path, capsys):
    """One process, two processes, two shards brought together, and the same command once more."""
    assert at("one") == 0
    assert f"{RUNS} runs in {tmp_path}/one: {RUNS} run now" in capsys.readouterr().out
    whole = tree(tmp_path / "one")
    assert len([name for name in whole if name.endswith("run.json")]) == RUNS
    assert main(["sweep", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "two"), "--jobs", "2"]) == 0
    assert tree(tmp_path / "two") == whole
    assert at("a", "--shard", "1/2") == at("b", "--shard", "2/2") == 0
    assert set(tree(tmp_path / "a")) | set(tree(tmp_path / "b")) == set(whole)
    assert not set(tree(tmp_path / "a")) & set(tree(tmp_path / "b"))
    assert main(["merge", str(tmp_path / "a"), str(tmp_path / "b"), "--out", str(tmp_path / "both")]) == 0
    assert tree(tmp_path / "both") == whole
    capsys.readouterr()
    assert at("one") == 0
    assert f"{RUNS} at hand" in capsys.readouterr().out and tree(tmp_path / "one") == whole


def test_merge_refuses_two_versions_of_one_run(at, tmp_path, capsys):
    assert at("a") == at("b") == 0
    one = next((tmp_path / "b").glob("*/trace.npz"))
    one.write_bytes(one.read_bytes()[:-1])
    assert main(["merge", str(tmp_path / "b"), "--out", str(tmp_path / "a")]) == 2
    assert "differ; a run is the same everywhere" in capsys.readouterr().err
    assert main(["merge", str(tmp_path / "none"), "--out", str(tmp_path / "a")]) == 2
    assert "is no folder of runs" in capsys.readouterr().err


def test_a_failed_run_is_kept_with_its_traceback_and_retried_when_asked(at, tmp_path, capsys, monkeypatch):
    """It is not run again by itself; the others are not touched."""
    assert at("whole") == 0
    real = work.execute

    def broken(plan, problems, folder):
        if plan.method == "pfedme" and plan.seed == 1:
            raise ZeroDivisionError("on purpose")
        return real(plan, problems, folder)

    monkeypatch.setattr(work, "execute", broken)
    assert at("runs") == sweep.FAILED
    said = capsys.readouterr()
    assert "5 run now, 1 failed" in said.out and "ZeroDivisionError: on purpose" in said.err
    kept = json.loads(next((tmp_path / "runs").glob("*.failed.json")).read_text())
    assert kept["run"]["seed"] == 1 and "in broken" in kept["traceback"]
    monkeypatch.setattr(work, "execute", real)
    assert at("runs") == sweep.FAILED
    assert "5 at hand, 1 failed" in capsys.readouterr().out
    assert at("runs", "--retry") == 0
    assert tree(tmp_path / "runs") == tree(tmp_path / "whole")


def test_a_run_whose_workers_die_is_kept_as_failed(at, tmp_path, capsys, monkeypatch):
    def deadly(work, items, jobs, *, died, cost):
        for k, item in enumerate(items):
            yield k, died(item) if k == 0 else work(item)

    with monkeypatch.context() as m:
        m.setattr(sweep, "each", deadly)
        assert at("runs") == sweep.FAILED
    assert "worker processes died over this run" in capsys.readouterr().err
    assert at("runs", "--retry") == 0


def test_changed_code_is_another_run(at, tmp_path, capsys, monkeypatch):
    """A run of other code is never passed off as one of this code."""
    assert at("runs") == 0
    monkeypatch.setattr(work, "code_of", lambda entry: "other code")
    capsys.readouterr()
    assert at("runs") == 0
    assert f"{RUNS} run now" in capsys.readouterr().out and len(store.runs(tmp_path / "runs")) == 2 * RUNS


def test_the_digest_of_code_follows_imports(tmp_path, monkeypatch):
    """A change of the method, or of what it imports, is another digest; one elsewhere is not."""
    package = tmp_path / "sweeps_own"
    package.mkdir()
    for name, text in (
        ("__init__", ""),
        ("method", "from .helper import step\n"),
        ("helper", "step = 1\n"),
        ("other", ""),
    ):
        (package / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))

    def fresh():
        code.digest.cache_clear()
        return code.digest("sweeps_own.method")

    first = fresh()
    (package / "other.py").write_text("x = 1\n")
    assert fresh() == first
    (package / "helper.py").write_text("step = 2\n")
    assert fresh() != first
    for module in (
        "fedtheory.algorithms.fedavg",
        "fedtheory.runs.loop",
        "problems.clients.softmax",
        "problems.data.split",
    ):
        assert code.source(module) is not None
    reached = {"fedtheory.engines.search.engine", "fedtheory.show.plots"} & closure(method("fedavg").make.__module__)
    assert reached == set()
    assert {"fedtheory.runs.loop", "fedtheory.algorithms.participation"} <= closure("fedtheory.algorithms.fedavg")


def closure(name):
    """The modules of ours that a run of a method depends on."""
    todo, seen = [*code.LOOP, name], set()
    while todo:
        one = todo.pop()
        file = code.source(one)
        if file is not None and one not in seen and one.startswith(("fedtheory", "problems")):
            seen.add(one)
            todo += code.imports(one, file, file.read_bytes())
    return seen


def test_results_are_filtered_and_exported(at, tmp_path, capsys):
    assert at("runs") == 0
    folder, files = str(tmp_path / "runs"), {s: str(tmp_path / f"out{s}") for s in (".json", ".csv", ".tex")}
    capsys.readouterr()
    chosen = ["--where", "method=fedavg", "--where", "eta=0.2", "--columns", "method,seed,eta,last.accuracy,gradients"]
    assert main(["results", folder, *chosen, *(w for f in files.values() for w in ("--write", f))]) == 0
    assert "2 runs" in capsys.readouterr().out
    rows = json.loads(Path(files[".json"]).read_text())
    assert [(r["method"], r["seed"], r["option.eta"]) for r in rows] == [("fedavg", 0, 0.2), ("fedavg", 1, 0.2)]
    assert rows[0]["gradients"] == 3 * 2 * 3 and 0.8 < rows[0]["last.accuracy"] <= 1
    with open(files[".csv"]) as file:
        assert [float(r["last.accuracy"]) for r in csv.DictReader(file)] == [r["last.accuracy"] for r in rows]
    text = Path(files[".tex"]).read_text()
    assert text.startswith(r"\begin{tabular}{lrrrr}") and "last.accuracy" in text and text.count(r"\\") == 3


@pytest.mark.parametrize(
    "more, said",
    [
        (["--where", "metod=x"], "did you mean method"), (["--where", "method"], "--where needs NAME=VALUE"),
        (["--columns", "acuracy"], "no run has 'acuracy'"), (["--columns", "accuracy"], "one of last.accuracy, best.accuracy"),
        (["--write", "x.txt"], "ends in .json, .csv, .tex, .parquet"),
    ],
)  # fmt: skip
def test_results_refuse_in_one_line(more, said, at, tmp_path, capsys):
    assert at("runs") == 0
    assert main(["results", str(tmp_path / "runs"), *more]) == 2
    assert said in capsys.readouterr().err


def test_results_as_parquet(at, tmp_path, capsys):
    """With pyarrow the columns come back; without it one line says what to install."""
    assert at("runs") == 0
    file = tmp_path / "out.parquet"
    status = main(["results", str(tmp_path / "runs"), "--write", str(file)])
    if importlib.util.find_spec("pyarrow") is None:
        assert status == 2 and "pip install pyarrow" in capsys.readouterr().err
        return
    from pyarrow import parquet

    assert status == 0 and parquet.read_table(file).num_rows == RUNS


def test_the_same_bytes_on_a_cluster(at, tmp_path, capsys):
    """A local scheduler with two workers; without dask one line says what to install."""
    line = ["sweep", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "far")]
    if importlib.util.find_spec("distributed") is None:
        assert main([*line, "--scheduler", "tcp://127.0.0.1:1"]) == 2
        assert 'pip install "fedtheory[cluster]"' in capsys.readouterr().err
        return
    from distributed import LocalCluster

    assert at("near") == 0
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        assert main([*line, "--scheduler", cluster.scheduler_address]) == 0
        claims = ["verify", "flame/eq24", "flame/lemma1@exact", "--no-cache", "--json", str(tmp_path / "far.json")]
        assert main([*claims, "--scheduler", cluster.scheduler_address]) == 0
        mutants = [
            "mutants",
            str(tmp_path / "far.json"),
            "flame/eq24",
            "--no-cache",
            "--json",
            str(tmp_path / "m.json"),
        ]
        assert main([*mutants, "--scheduler", cluster.scheduler_address]) == 0
    assert tree(tmp_path / "far") == tree(tmp_path / "near")
    assert main([*claims[:-1], str(tmp_path / "near.json")]) == 0
    near, far = (
        {c["id"]: (c["verdict"], c["witness"]) for c in json.loads((tmp_path / f"{n}.json").read_text())["claims"]}
        for n in ("near", "far")
    )
    assert near == far and len(near) == 3


def test_no_scheduler_at_the_address(at, tmp_path, capsys, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("fedtheory.processes.cluster.SECONDS", 1)
    assert (
        main(["sweep", str(tmp_path / "plan.toml"), "--scheduler", "tcp://127.0.0.1:1", "--out", str(tmp_path / "x")])
        == 2
    )
    assert "cannot be reached" in capsys.readouterr().err
