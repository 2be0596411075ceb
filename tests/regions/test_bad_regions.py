"""Bad input of --solve, --map, audit and watch: one clear line, exit status 2."""

import numpy as np
import pytest

from fedtheory.cli import main

FLAME = ["constants", "flame", "--L", "1", "--m", "50", "--lam", "5"]
WATCH = ["watch", "t.npz", "fedadmm"]
DATA = ["--data", "breast-cancer", "--standardise", "--m", "2", "--l2", "0.1"]
CASES = {
    "no parameter to solve for": ([*FLAME, "--solve"], "--solve needs a value, got ''"),
    "an option in place of one": ([*FLAME, "--solve", "--rho", "1"], "--solve needs a value, got '--rho'"),
    "unknown parameter": (
        [*FLAME, "--solve", "rhoo"],
        "--solve needs a parameter, got 'rhoo'; did you mean rho?; it takes m",
    ),
    "parameter of another paper": ([*FLAME, "--solve", "beta"], "--solve needs a parameter, got 'beta'"),
    "two parameters": ([*FLAME, "--solve", "rho", "--solve", "lam"], "--solve is given twice"),
    "in no condition": ([*FLAME, "--solve", "gap"], "--solve gap: no condition of flame is about gap"),
    "nothing given": (
        ["constants", "flame", "--solve", "S"],
        "no condition of flame is about S with these numbers; not given: --L, ",
    ),
    "contradictory values": (
        ["constants", "flame", "--m", "3", "--S", "4", "--solve", "rho"],
        "--S must be at most 3 with 3 clients, got 4",
    ),
    "a value that is none": (
        [*FLAME, "--rho", "one", "--solve", "lam"],
        "--rho needs a number such as 0.01 or 1/3, got 'one'",
    ),
    "solve and map": (
        [*FLAME, "--solve", "rho", "--map", "lam", "rho"],
        "--solve and --map are two questions; ask one at a time",
    ),
    "one axis": ([*FLAME, "--map", "lam"], "--map needs 2 values, got 'lam'"),
    "one axis twice": ([*FLAME, "--map", "lam", "lam"], "--map needs two different parameters, got lam twice"),
    "unknown axis": ([*FLAME, "--map", "lam", "roh"], "--map needs a parameter, got 'roh'; did you mean rho?"),
    "axes in no condition": (
        [*FLAME, "--map", "gap", "target"],
        "--map gap target: no condition of Theorem 2 is about these",
    ),
    "a value twice": (
        [*FLAME, "--map", "L", "lam", "--lam", "3"],
        "--lam is given twice",
    ),
    "a point beyond the picture": (
        ["constants", "flame", "--L", "1", "--m", "5", "--rho", "1", "--lam", "1e400", "--map", "lam", "rho"],
        "--map lam rho: given, one of them is 0 or out of the range of floats",
    ),
    "unknown theorem": (
        [*FLAME, "--map", "lam", "rho", "--theorem", "Theorem 3"],
        "with descent, Theorem 2, got 'Theorem 3'; did you mean Theorem 2?",
    ),
    "a theorem without a map": ([*FLAME, "--theorem", "Theorem 2"], "--theorem Theorem 2 goes with --map X Y"),
    "a picture without a map": ([*FLAME, "--plot", "a.svg"], "--plot a.svg goes with --map X Y"),
    "a picture of no format": (
        [*FLAME, "--map", "lam", "rho", "--plot", "a.gif"],
        "--plot FILE must end in .svg, .png, .pdf, got 'a.gif'",
    ),
    "a picture in no folder": ([*FLAME, "--map", "lam", "rho", "--plot", "no/a.svg"], "no/a.svg"),
    "data without a name": (
        ["constants", "flame", "--data", "--solve", "rho"],
        "argument --data: expected one argument",
    ),
    "audit of no paper": (
        ["audit", "flam"],
        "audit PAPER must be one of dadpfl, fedadmm, flame, pfedme, shelf, got 'flam'; did you mean flame",
    ),
    "audit to a folder": (["audit", "dadpfl", "--json", "."], "--json"),
    "audit, picture of no format": (
        ["audit", "dadpfl", "--plot", "a.txt"],
        "--plot FILE must end in .svg, .png, .pdf, got 'a.txt'",
    ),
    "watch without a file": (["watch", "none.npz", "fedadmm"], "none.npz is no file"),
    "watch another format": (["watch", "t.txt", "fedadmm"], "TRACE must end in .npz or .csv, got 't.txt'"),
    "watch an unknown method": (["watch", "t.npz", "fedadm"], "did you mean fedadmm"),
    "watch a damaged file": (
        ["watch", "damaged.npz", "fedadmm"],
        "damaged.npz: cannot be read: it is no npz file, or is truncated",
    ),
    "watch a trace without objective": ([*WATCH], "t.npz: it has no objective; with --data it is measured at w"),
    "watch without known columns": (
        ["watch", "other.npz", "fedadmm"],
        "other.npz: none of its columns is known: a, b; known are t, communications",
    ),
    "watch columns of two lengths": (
        ["watch", "lengths.npz", "fedadmm"],
        "the columns must have the same number of rows, at least 1, got objective 2, w 3",
    ),
    "watch a column of texts": (
        ["watch", "texts.npz", "fedadmm"],
        "texts.npz: the column objective must hold numbers, got str",
    ),
    "watch nan": (["watch", "nan.npz", "fedadmm"], "nan.npz: objective is not finite in row 1"),
    "watch rows out of order": (["watch", "order.npz", "fedadmm"], "order.npz: t must grow from row to row, see row 1"),
    "watch halves of a step": (
        ["watch", "halves.npz", "fedadmm"],
        "halves.npz: t must hold whole numbers from 0 on, one a row",
    ),
    "watch another dimension": ([*WATCH, *DATA], "t.npz: w must have the shape (rows, 30), got (3, 5)"),
    "watch other clients": (
        ["watch", "clients.npz", "fedadmm", *DATA],
        "clients.npz: W must have the shape (rows, 2, 30), got (1, 3, 30)",
    ),
    "watch a table as objective": (
        ["watch", "table.npz", "fedadmm"],
        "table.npz: objective must be one number a row, got shape (2, 2)",
    ),
    "watch a constant of no paper": ([*WATCH, "--given", "lam=3"], "--given lam: the paper has no such constant"),
    "watch a constant without value": ([*WATCH, "--given", "gap"], "--given needs NAME=VALUE, got 'gap'"),
    "watch a constant twice": ([*WATCH, "--given", "gap=1", "--given", "gap=2"], "--given gap is given twice"),
    "watch a wrong hyper-parameter": ([*WATCH, "--nu", "2"], "--nu must be at least 1/2 and below 1, got 2"),
    "watch the option of another method": ([*WATCH, "--lam", "2"], "fedadmm has no option --lam"),
    "watch a list": ([*WATCH, "--nu", "0.5,0.6"], "these lists ask for 2 runs; at most 1 at a time"),
    "watch csv without numbers": (
        ["watch", "head.csv", "fedadmm"],
        "head.csv: it needs a line of names and a line of numbers at least",
    ),
    "watch csv with a word": (
        ["watch", "word.csv", "fedadmm"],
        "word.csv: line 3: objective must be a number, got 'x'",
    ),
    "watch csv with a short line": (
        ["watch", "short.csv", "fedadmm"],
        "short.csv: line 2 has 1 entries, its head has 2",
    ),
    "watch csv with a hole in w": (
        ["watch", "hole.csv", "fedadmm"],
        "hole.csv: the coordinates of w must be w_0 ... w_1, got w_2 among them",
    ),
    "watch the loss of envelopes": (
        ["watch", "loss.csv", "flame"],
        "no objective (loss is f(w), and the objective of flame is the mean of the clients' envelopes)",
    ),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The files of the cases."""
    monkeypatch.chdir(tmp_path)
    np.savez("t.npz", w=np.zeros((3, 5)))
    np.savez("other.npz", a=np.zeros(3), b=np.zeros(3))
    np.savez("lengths.npz", objective=np.zeros(2), w=np.zeros((3, 5)))
    np.savez("texts.npz", objective=np.array(["a", "b"]))
    np.savez("nan.npz", objective=np.array([0.0, np.nan]))
    np.savez("order.npz", objective=np.zeros(2), t=np.array([1, 0]))
    np.savez("halves.npz", objective=np.zeros(2), t=np.array([0, 0.5]))
    np.savez("clients.npz", w=np.zeros((1, 30)), W=np.zeros((1, 3, 30)))
    np.savez("table.npz", objective=np.zeros((2, 2)))
    (tmp_path / "damaged.npz").write_bytes(b"PK")
    (tmp_path / "head.csv").write_text("t,objective\n")
    (tmp_path / "word.csv").write_text("t,objective\n0,1\n1,x\n")
    (tmp_path / "short.csv").write_text("t,objective\n0\n")
    (tmp_path / "hole.csv").write_text("w_0,w_2\n0,1\n")
    (tmp_path / "loss.csv").write_text("t,loss\n0,1\n1,2\n")


@pytest.mark.parametrize("case", CASES)
def test_bad_input(case, folder, capsys):
    """One line that names the argument, the rule and the value."""
    words, message = CASES[case]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert message in said and len(said.strip().splitlines()) == 1, said
