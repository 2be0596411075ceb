"""docs/own_data.md: its files are written as they stand, its commands run and print what it says, and so is what it claims."""

import os
import shlex
import subprocess
import sys

import numpy as np
import pytest
from written import DOCS, PART, agrees

from problems.data.datasets import load

ROOT = DOCS.parent
TEXT = (DOCS / "own_data.md").read_text(encoding="utf-8")


def test_every_command_prints_what_the_page_says(tmp_path):
    """In the order of the page; blocks of csv are files."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", "FEDTHEORY_CACHE": str(tmp_path / "cache")}
    commands = 0
    for name, kind, text in PART.findall(TEXT):
        if kind != "console":
            (tmp_path / (name or "block.py")).write_text(text)
            if kind == "python":
                subprocess.run([sys.executable, "block.py"], cwd=tmp_path, check=True)
            continue
        for block in text.split("$ ")[1:]:
            line, _, shown = block.partition("\n")
            words = [sys.executable, "-m", *shlex.split(line)]
            done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True)
            assert done.returncode == 0 and agrees(shown, done.stdout), f"{line}\n{done.stdout}\n{done.stderr}"
            commands += 1
    assert commands == 6


@pytest.mark.parametrize(
    ("text", "options", "X", "y"),
    [
        ("a,b,y\n1,2,3.5\n4,5,6\n", {}, [[1, 2], [4, 5]], [3.5, 6]),
        ("1,2,3.5\n4,5,6\n", {"target": 0}, [[2, 3.5], [5, 6]], [0, 1]),
        ("1,2,3.5\n4,5,6\n", {"target": 0, "task": "targets"}, [[2, 3.5], [5, 6]], [1, 4]),
        ("a,b,y\n1,2,cat\n4,5,ant\n", {"drop": "a"}, [[2], [5]], [1, 0]),
    ],
    ids=["names", "labels by position", "targets by word", "text"],
)
def test_what_the_page_says_of_csv(text, options, X, y, tmp_path):
    """Names, the target, what is left out, labels in the order of their names."""
    (tmp_path / "own.csv").write_text(text)
    data = load(tmp_path / "own.csv", **options)
    assert (data.X.tolist(), data.y.tolist()) == (X, y)


def test_what_the_page_says_of_npz(tmp_path):
    """More axes are flattened; whole numbers are labels, floats are targets."""
    X = np.arange(12.0).reshape(3, 2, 2)
    np.savez(tmp_path / "own.npz", X=X, y=np.array([5, 7, 5]), z=np.array([5.0, 7.0, 5.0]))
    labels, targets = load(tmp_path / "own.npz"), load(tmp_path / "own.npz", y="z")
    assert labels.X.tolist() == X.reshape(3, 4).tolist() and labels.y.tolist() == [0, 1, 0]
    assert targets.y.tolist() == [5.0, 7.0, 5.0] and targets.classes is None
