"""Methods without a server on the command line: the example of docs/run.md, graphs of files, plans, what is refused."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fedtheory.cli import main

ROOT = Path(__file__).parents[2]
DATA = ["--data", "breast-cancer", "--standardise", "--l2", "0.1", "--m", "6"]


def results(folder):
    """What is kept of every run of a folder, by the method and its graph."""
    found = (json.loads(p.read_text()) for p in Path(folder).glob("*/run.json"))
    return {(r["inputs"]["method"], r["inputs"]["options"].get("graph")): r for r in found}


def test_the_example_of_the_docs_prints_what_it_says(tmp_path):
    """The commands as they stand there, a file of pairs among them; times are left out."""
    text = (ROOT / "docs" / "run.md").read_text(encoding="utf-8").split("### Without a server\n")[1]
    script, shown = re.search(r"```sh\n(.*?)```\n\n```\n(.*?)```", text, re.S).groups()
    own = f'fedtheory() {{ {shlex.quote(sys.executable)} -m fedtheory "$@"; }}\n'
    said = subprocess.run(
        ["bash", "-ec", own + script], cwd=tmp_path, capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"},
    ).stdout  # fmt: skip
    for line in shown.strip().splitlines():
        assert any(printed.split()[: len(line.split())] == line.split() for printed in said.splitlines()), line


def test_bytes_of_a_run_are_those_of_its_busiest_client(tmp_path, capsys):
    """A star: the hub hears and is heard by five. A file of other pairs under the same name is another run."""
    star, out = tmp_path / "star.txt", tmp_path / "runs"
    star.write_text("0 1\n0 2\n0 3\n0 4\n0 5\n")
    words = ["run", "dfedavgm", *DATA, "--rounds", "3", "--graph", str(star), "--out", str(out)]
    assert main(words) == 0
    star.write_text("0 1\n")
    assert main(words) == 0
    found = results(out)
    assert {r["results"]["bytes"] for r in found.values()} == {3 * 10 * 30 * 8, 3 * 2 * 30 * 8}
    assert ("dfedavgm", "star.txt: 0-1 0-2 0-3 0-4 0-5") in found
    assert main(["run", "ditto,fedavg", *DATA, "--rounds", "3", "--S", "2", "--out", str(out)]) == 0
    found = results(out)
    assert found["ditto", None]["results"]["bytes"] == found["fedavg", None]["results"]["bytes"] == 3 * 2 * 2 * 30 * 8
    assert found["ditto", None]["results"]["gradients"] == 3 * 2 * 5


def test_a_plan_has_graphs(tmp_path, monkeypatch, capsys):
    """Kinds and files in a list; both models are in the trace."""
    monkeypatch.chdir(tmp_path)
    Path("pair.txt").write_text("0 1 # and nobody else\n")
    Path("plan.toml").write_text(
        'rounds = 2\nseeds = "0-1"\n[[problem]]\ndata = "breast-cancer"\nm = 4\n'
        '[[method]]\nname = "beer"\ngraph = ["ring", "groups", "pair.txt"]\n'
        '[[method]]\nname = "gossipfl"\nM = 2\ngraph = "random"\n'
    )
    assert main(["sweep", "plan.toml", "--jobs", "1"]) == 0
    assert set(results("runs")) == {
        ("beer", "ring"), ("beer", "groups"), ("beer", "pair.txt: 0-1"), ("gossipfl", "random"),
    }  # fmt: skip
    for folder in Path("runs").glob("*/trace.npz"):
        assert {"objective", "error", "own_objective", "consensus"} <= set(np.load(folder))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["beer", "--graph", "rign"], "--graph must be one of random, groups, ring, full, or a file"),
        (["beer", "--graph", "rign"], "got 'rign'; did you mean ring?"),
        (["beer", "--graph", "random", "--M", "2"], "BEER needs a symmetric doubly stochastic mixing matrix, and that of a random"),
        (["dfedsam", "--graph", "one.txt"], "DFedSAM needs a symmetric doubly stochastic mixing matrix, and that of a file of"),
        (["gossipfl", "--graph", "random", "--M", "6"], "--graph random must have M below the number of clients, M <= 5, got"),
        (["gossipfl", "--graph", "far.txt"], "--graph far.txt must join clients 0 to 5, got client 6"),
        (["gossipfl", "--graph", "bad.txt"], "bad.txt, line 2: must be two clients such as 0 1 or 0 > 1, got '1 x'"),
        (["gossipfl", "--graph", "ring", "--M", "3"], "--M of --graph ring must be even"),
        (["gossipfl", "--graph", "full", "--M", "3"], "--M goes with --graph random, groups or ring, got --graph full"),
        (["dfedavgm", "--momentum", "1"], "--momentum must be at least 0 and below 1, got 1"),
        (["dfedavgm", "--unit", "epochs"], "--unit must be one of passes, steps, got 'epochs'"),
        (["dfedavgm", "--ratio", "0.5"], "--ratio goes with --compress top, random, quantised, got --compress none"),
        (["beer", "--momentum", "0.5"], "beer has no option --momentum"),
        (["beer", "--redraw", "never"], "--redraw must be one of round, once, got 'never'"),
        (["ditto", "--batch", "95"], "--batch of ditto must be at most 94"),
    ],
)  # fmt: skip
def test_refused(words, message, tmp_path, monkeypatch, capsys):
    """One line, status 2, and nothing written."""
    monkeypatch.chdir(tmp_path)
    Path("one.txt").write_text("0 > 1\n")
    Path("far.txt").write_text("0 6\n")
    Path("bad.txt").write_text("0 1\n1 x\n")
    assert main(["run", *words, *DATA, "--rounds", "2"]) == 2
    said = capsys.readouterr().err
    assert message in said and said.count("\n") == 1 and not Path("runs").exists()
