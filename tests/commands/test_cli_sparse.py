"""Methods with masks at the command line: run, resume, sweep, watch, what is refused."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fedtheory.algorithms.dadpfl import DADPFL
from fedtheory.cli import main
from fedtheory.runs import store

ROOT = Path(__file__).parents[2]
DATA = ["--data", "breast-cancer", "--with", "features=mean", "--standardise", "--l2", "0.1", "--m", "5", "--bias"]
OFTEN = ["--T", "8", "--delta-pr", "2", "--eta-c", "0.2", "--target", "0.95"]
BAD = {
    "a negative threshold": (["--wait", "-1"], "--wait must be at least 0, got -1"),
    "more than there are neighbours": (["--M", "2", "--wait", "3"], "DADPFL(N=...) must be at most M = 2"),
    "half a client": (["--wait", "0.5"], "--wait needs a whole number, got '0.5'"),
    "an unknown rule": (
        ["--rule", "fast"],
        "--rule must be one of fastest, lowest, random, got 'fast'; did you mean fastest?",
    ),
    "a sign for a vote": (["--vote", "<"], "--vote must be one of below, at-least, got '<'"),
    "no density": (["--density", "0"], "--density must be above 0 and at most 1, got 0"),
    "q below p": (["--q", "0.25"], "Pruning(q=...) must be above p = 0.5, got 0.25"),
    "no horizon": (["--T", "0"], "--T must be at least 1, got 0"),
    "an option of another method": (["--interval", "3"], "dadpfl has no option --interval"),
    "pruning without pruning": (
        ["--further", "false", "--eta-c", "0"],
        "--eta-c has no effect with --further false; leave it out",
    ),
    "its default all the same": (["--further", "true,false", "--delta-pr", "0.02"], "--delta-pr has no effect with"),
    "indices that wait for each other": (["--graph", "full", "--indices", "own"], "clients wait for each other: "),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case, tmp_path, capsys, monkeypatch):
    """One line on stderr that names what is wrong, exit status 2, nothing written."""
    words, message = BAD[case]
    monkeypatch.chdir(tmp_path)
    assert main(["run", "dadpfl", *DATA, "--rounds", "4", *words]) == 2
    err = capsys.readouterr().err
    assert message in err and "Traceback" not in err and not list(tmp_path.glob("*/*/run.json"))


def test_readings_are_options_of_the_run(tmp_path, capsys):
    """Every reading is recorded, and changes the run or does not, as its words say."""
    ends = {}
    for name, words in {
        "as it runs": [], "exponent": ["--exponent", "printed"], "vote": ["--vote", "below"],
        "nothing further": ["--further", "false"], "carry": ["--carry", "printed"],
    }.items():  # fmt: skip
        out = tmp_path / name
        often = OFTEN[:2] if name == "nothing further" else OFTEN
        assert main(["run", "dadpfl", *DATA, "--rounds", "8", *often, *words, "--out", str(out)]) == 0
        (path,) = out.glob("*/run.json")
        data = json.loads(path.read_text())
        assert all(data["inputs"]["options"][w.lstrip("-")] is not None for w in words[::2])
        ends[name] = data["results"]["last"]
    said = capsys.readouterr().out
    assert "Theorem 3, (13)" in said and "it is of dense models" in said
    assert ends["as it runs"]["density"] < ends["exponent"]["density"] == ends["nothing further"]["density"]
    assert ends["exponent"]["objective"] == ends["nothing further"]["objective"]
    assert ends["as it runs"]["t_star"] == 1 and ends["vote"]["t_star"] == 0 and ends["nothing further"]["t_star"] == 0
    assert ends["as it runs"]["score"] > 0 == ends["nothing further"]["score"]
    assert ends["as it runs"]["bytes"] < ends["nothing further"]["bytes"]
    assert ends["carry"]["objective"] != ends["as it runs"]["objective"]


def test_an_interrupted_run_exits_130_and_goes_on_to_the_same_bytes(tmp_path, monkeypatch):
    """Ctrl-C in the fifth round, after masks were pruned; the same command ends it bit for bit."""
    words = ["run", "dadpfl", *DATA, "--rounds", "8", *OFTEN, "--batch", "10"]
    assert main([*words, "--out", str(tmp_path / "whole")]) == 0
    real, steps = DADPFL.step, []

    def step(self, *args):
        steps.append(1)
        if len(steps) == 5:
            raise KeyboardInterrupt
        return real(self, *args)

    monkeypatch.setattr(DADPFL, "step", step)
    assert main([*words, "--out", str(tmp_path / "cut")]) == 130
    assert main([*words, "--out", str(tmp_path / "cut")]) == 0 and len(steps) == 9
    (whole,), (cut,) = ((tmp_path / folder).glob("*/run.json") for folder in ("whole", "cut"))
    for name in ("run.json", "trace.npz"):
        assert (whole.parent / name).read_bytes() == (cut.parent / name).read_bytes()
    density = np.load(whole.parent / "trace.npz")["density"]
    assert density[0] == 1 and density[4] < density[2] and (np.diff(density) <= 0).all()


def test_a_sweep_records_densities_whatever_is_measured(tmp_path):
    """Accuracies of mean and own models, the density, bytes and time of every run of a plan."""
    plan = tmp_path / "plan.toml"
    plan.write_text(
        'rounds = 3\nseeds = "0-1"\nmeasure = "accuracy"\n[[problem]]\ndata = "digits"\nm = 4\ntrain = 0.75\n'
        'partition = "shards"\n[[method]]\nname = "dadpfl"\nwait = [0, 2]\nT = 3\nbatch = 20\n'
        '[[method]]\nname = ["dispfl", "feddst"]\nbatch = 20\n'
    )
    assert main(["sweep", str(plan), "--jobs", "1", "--out", str(tmp_path / "runs")]) == 0
    found = list(store.runs(tmp_path / "runs").values())
    assert len(found) == 8
    for run in found:
        last = run["last"]
        assert 0 < last["density"] < 1 and last["bytes"] == run["bytes"] and 0 <= last["accuracy"] <= 1
        assert ("own_accuracy" in last) == (run["method"] != "feddst")
        if run["method"] == "dadpfl":
            assert (last["time"] == 3) == (run["options"]["wait"] == 0)


def test_watch_sets_a_trace_beside_theorem_3(tmp_path, capsys):
    """The conditions at the measured constants; a dense run without its own model in the mean has the bound, given sigma_p."""
    dense = ["--density", "1", "--further", "false", "--mean", "out", "--eta", "0.002", "--E", "1", "--decay", "1"]
    assert main(["run", "dadpfl", *DATA, "--rounds", "20", *dense, "--out", str(tmp_path)]) == 0
    (trace,) = tmp_path.glob("*/trace.npz")
    given = ["--given", "sigma_p_sq=1", "--given", "gap=0.5"]
    capsys.readouterr()
    assert main(["watch", str(trace), "dadpfl", *DATA, *dense, *given, "--json", str(tmp_path / "w.json")]) == 0
    rows = {r["where"]: r for r in json.loads((tmp_path / "w.json").read_text())["inequalities"]}
    assert rows["Theorem 3, (13)"]["outcome"] == "holds on this trace" and rows["Theorem 3, (13)"]["right"] > 1
    capsys.readouterr()
    assert main(["watch", str(trace), "dadpfl", *DATA, *dense[4:], *given]) == 0
    said = capsys.readouterr().out
    assert "it is of dense models" in said and "holds on this trace" not in said
    assert main(["watch", str(trace), "dadpfl", *DATA, *given]) == 0
    assert "condition: eta^2 <= 1/(12 mu^2 (M-1)(2M-1)) fails" in capsys.readouterr().out


def test_the_example_of_the_docs_prints_what_it_says(tmp_path):
    """The commands as they stand there, and the table that they end with."""
    text = (ROOT / "docs" / "run.md").read_text(encoding="utf-8").split("### Sparse models\n")[1]
    script, shown = re.search(r"```sh\n(.*?)```\n\n```\n(.*?)```", text, re.S).groups()
    own = f'fedtheory() {{ {shlex.quote(sys.executable)} -m fedtheory "$@"; }}\n'
    said = subprocess.run(
        ["bash", "-ec", own + script], cwd=tmp_path, capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"},
    ).stdout  # fmt: skip
    assert [line.split() for line in shown.strip().splitlines()] == [line.split() for line in said.splitlines()[-8:-1]]


def test_the_help_names_the_printed_reading_first(capsys):
    """As the table of the docs has them."""
    assert main(["run", "--help"]) == 0
    own = " ".join(next(p for p in capsys.readouterr().out.split("\n\n") if p.startswith("dadpfl:")).split())
    for option, choices in {
        "unit": "passes, steps", "vote": "below, at-least", "exponent": "printed, usual", "indices": "own, global",
        "carry": "printed, masked", "share": "kept, zero", "delta": "squared, plain", "intervals": "printed, coded",
        "bound": "printed, derived", "mean": "in, out", "rule": "fastest, lowest, random",
    }.items():  # fmt: skip
        assert re.search(rf"--{option} CHOICE [^-]*.*?: {choices} \(default", own), option
