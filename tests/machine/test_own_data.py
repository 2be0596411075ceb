"""docs/own_data.md: its files are written as they stand, its commands run and print what it says, and so is what it claims."""

import os
import runpy
import shlex

import numpy as np
import pytest
from forked import forked
from written import DOCS, PART, agrees

from fedtheory.cli import main
from fedtheory.errors import UsageError
from problems.data.datasets import clients, count_clients, load

ROOT = DOCS.parent
TEXT = (DOCS / "own_data.md").read_text(encoding="utf-8")


def test_every_command_prints_what_the_page_says(tmp_path):
    """In the order of the page; blocks of csv are files."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", "FEDTHEORY_CACHE": str(tmp_path / "cache")}
    commands = 0
    for name, kind, text in PART.findall(TEXT):
        if kind != "console":
            (tmp_path / (name or "block.py")).parent.mkdir(exist_ok=True)
            (tmp_path / (name or "block.py")).write_text(text)
            if kind == "python":
                done = forked(lambda: not runpy.run_path("block.py"), cwd=tmp_path)
                assert done.returncode == 0, done.stderr
            continue
        for block in text.split("$ ")[1:]:
            line, _, shown = block.partition("\n")
            program, *words = shlex.split(line)
            assert program == "fedtheory"
            done = forked(lambda words=words: main(words), cwd=tmp_path, env=environment)
            assert done.returncode == 0 and agrees(shown, done.stdout), f"{line}\n{done.stdout}\n{done.stderr}"
            commands += 1
    assert commands == 9


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


FL = "site,a,b,y\n10,1,2,3.5\n9,2,1,4\n10,3,5,1.5\n9,4,2,2.5\n10,5,1,0.5\n"


def test_a_column_says_who_holds_what(tmp_path):
    """In the order of numbers; it is no feature; the rows are those of the file."""
    (tmp_path / "fl.csv").write_text(FL)
    parts, table = clients(tmp_path / "fl.csv", 2, client="site")
    assert [X.tolist() for X, _ in parts] == [[[2, 1], [4, 2]], [[1, 2], [3, 5], [5, 1]]]
    assert [y.tolist() for _, y in parts] == [[4, 2.5], [3.5, 1.5, 0.5]]
    assert table.name == "by site: 9, 10" and count_clients(tmp_path / "fl.csv", client="site") == 2
    by_position, _ = clients(tmp_path / "fl.csv", 2, client=0)
    assert [X.tolist() for X, _ in by_position] == [X.tolist() for X, _ in parts]


def test_an_array_says_who_holds_what(tmp_path):
    """Text or numbers, one a sample."""
    X, y = np.arange(6.0).reshape(3, 2), np.array([0.5, 1, 2])
    np.savez(tmp_path / "fl.npz", X=X, y=y, who=np.array(["b", "a", "b"]))
    parts, _ = clients(tmp_path / "fl.npz", 2, client="who")
    assert [p.tolist() for p, _ in parts] == [[[2, 3]], [[0, 1], [4, 5]]]


def test_a_file_a_client(tmp_path):
    """Numbers in names are numbers; labels are those of all files together."""
    for name, text in (("c10", "a,y\n1,x\n2,z\n"), ("c9", "a,y\n3,z\n")):
        (tmp_path / f"{name}.csv").write_text(text)
    parts, table = clients(tmp_path, 2)
    assert [(X.tolist(), y.tolist()) for X, y in parts] == [([[3]], [1]), ([[1], [2]], [0, 1])]
    assert table.name.endswith(": c9, c10")


@pytest.mark.parametrize(
    ("files", "options", "said"),
    [
        ({"t.csv": FL}, {"name": "t.csv", "client": "sit"}, "no column called 'sit'; did you mean site"),
        ({"t.csv": FL}, {"name": "t.csv", "client": "y"}, "column 3 (y) is the target"),
        ({"t.csv": FL}, {"name": "t.csv", "client": "site", "m": 3}, "must be 2, the clients by site, got 3"),
        ({"t.csv": FL}, {"name": "t.csv", "client": "site", "partition": "iid"}, "leave partition out"),
        ({"t.csv": FL.replace("9,4", ",4")}, {"name": "t.csv", "client": "site"}, "line 5: the client is missing"),
        (
            {"f/a.csv": "a,y\n1,2\n", "f/b.csv": "b,y\n1,2\n"},
            {"name": "f"},
            "b.csv has the columns b, y, and a.csv has a, y",
        ),
        ({"f/a.csv": "1,2\n", "f/b.csv": "1,1,2\n"}, {"name": "f"}, "b.csv has 2 features, and a.csv has 1"),
        ({"f/a.csv": "1,2\n", "f/b.csv": "1,\n"}, {"name": "f"}, "line 1 of b.csv: the target is missing"),
        ({"f/a.csv": "1,2\n", "f/b.npz": ""}, {"name": "f"}, "arrays (.npz) and tables (.csv)"),
        ({"f/a.txt": ""}, {"name": "f"}, "has no file that ends with .csv"),
        ({}, {"name": "g/"}, "there is no folder g"),
    ],
)
def test_clients_of_ones_own_that_cannot_be(files, options, said, tmp_path, monkeypatch):
    """One line with the file, the line and the rule."""
    monkeypatch.chdir(tmp_path)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with pytest.raises(UsageError) as refused:
        clients(**{"m": 2, **options})
    assert said in str(refused.value)
