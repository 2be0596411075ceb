"""Traces that were made elsewhere: what a right implementation meets and a wrong one does not."""

import json

import array_api_compat.numpy as xp
import numpy as np
import pytest
import valid

from fedtheory.cli import main
from fedtheory.registry import method
from fedtheory.runs.loop import draws_of
from problems.build import build

DATA = {"m": 2, "standardise": True, "l2": 0.1}
WORDS = ["--data", "breast-cancer", "--m", "2", "--standardise", "--l2", "0.1"]
OPTIONS = {"fedadmm": {"sigma0": 2.6, "k0": 2, "nu": 0.9}, "flame": {"rho": 5.0, "lam": 8.0}}
FIELDS = {"fedadmm": ("W", "Pi", "Z", "eps"), "flame": ("Theta", "W", "Pi", "Z")}


@pytest.fixture(scope="module")
def clients():
    return build("breast-cancer", seed=0, xp=xp, device=None, **DATA).problem


def states(name, problem, rounds=6):
    """The states of a run, as a user's own loop would keep them."""
    entry = method(name)
    algorithm, s = entry.make({**entry.defaults, **OPTIONS[name]}, problem)
    found = [s]
    while s.communications < rounds:
        s = algorithm.step(problem, s, draws_of(algorithm, problem, s, 0))
        found.append(s)
    out = {f: np.stack([np.asarray(getattr(s, f)) for s in found]) for f in FIELDS[name]}
    out["w"] = np.stack([np.asarray(s.w)[0] for s in found])
    out["t"] = np.array([getattr(s, "k", getattr(s, "t", 0)) for s in found])
    out["communications"] = np.array([s.communications for s in found])
    return out


def watched(name, columns, tmp_path, capsys, *more):
    """(outcome by inequality, everything that was printed)."""
    np.savez(tmp_path / "t.npz", **columns)
    typed = [w for k, v in OPTIONS[name].items() for w in (f"--{k}", str(v))]
    assert (
        main(["watch", str(tmp_path / "t.npz"), name, *WORDS, *typed, "--json", str(tmp_path / "w.json"), *more]) == 0
    )
    data = json.loads((tmp_path / "w.json").read_text())
    valid.validator("watch").validate(data)
    assert data["rows"] == len(columns["t"])
    return {i["name"]: i["outcome"] for i in data["inequalities"]}, capsys.readouterr().out


@pytest.mark.parametrize(("name", "held"), [
    ("fedadmm", ("(3.7)", "(7.6)", "objective f(w) - f*", "Lyapunov value of (4.4) - f*", "mean move, right side of Lemma 4.1")),
    ("flame", ("(25)", "|grad L(P)|^2/m", "augmented Lagrangian L - F*")),
])  # fmt: skip
def test_a_right_implementation_holds_what_the_paper_says(name, held, clients, tmp_path, capsys):
    """Invariants and bounds at a legal setting."""
    found, _ = watched(name, states(name, clients), tmp_path, capsys)
    assert {found[n] for n in held} == {"holds on this trace"}


def test_a_wrong_dual_step_is_found(clients, tmp_path, capsys):
    """pi_i moves half as far as (3.6) has it: (3.7) no longer holds, and the row is named."""
    columns = states("fedadmm", clients)
    columns["Pi"] = columns["Pi"][:1] + (columns["Pi"] - columns["Pi"][:1]) / 2
    found, _ = watched("fedadmm", columns, tmp_path, capsys)
    assert found["(3.7)"].startswith("fails on this trace in row ")


def test_a_run_that_goes_uphill_fails_its_bound(clients, tmp_path, capsys):
    """The rows in reverse: the Lyapunov value rises, against Lemma 4.1 summed."""
    columns = states("fedadmm", clients)
    for n in ("w", "W", "Pi", "Z", "eps"):
        columns[n] = columns[n][::-1]
    found, _ = watched("fedadmm", columns, tmp_path, capsys)
    assert found["Lyapunov value of (4.4) - f*"].startswith("fails on this trace at communication ")


def test_a_recorded_loss_that_is_another_function_is_found(clients, tmp_path, capsys):
    """The objective of the file against f at its own w; the right one agrees."""
    columns = states("fedadmm", clients)
    right = np.array([float(np.mean(clients.value(w[None]))) for w in columns["w"]])
    found, _ = watched("fedadmm", columns | {"objective": right}, tmp_path, capsys)
    assert found["recorded objective"] == "holds on this trace"
    found, _ = watched("fedadmm", columns | {"objective": 2 * right}, tmp_path, capsys)
    assert found["recorded objective"].startswith("fails on this trace in row ")


def test_what_the_trace_lacks_is_named(clients, tmp_path, capsys):
    """Without the duals neither the invariants nor the Lyapunov value; a column of another name is not read."""
    columns = {k: v for k, v in states("fedadmm", clients).items() if k not in ("Pi", "eps")}
    found, out = watched("fedadmm", columns | {"Wo": columns["t"]}, tmp_path, capsys)
    assert found["invariants"] == "not checked: the trace has no Pi" and "Lyapunov value of (4.4) - f*" not in found
    assert "lyapunov is not measured: the trace has no Pi" in out and "not read: Wo" in out


def test_a_csv_of_losses_needs_no_data(tmp_path, capsys):
    """Moves that are larger than (L_tilde^0 - f*)/k fail (7.20); smaller ones hold; constants come from the command line."""
    lines = ["t,communications,objective,lyapunov,moves", "0,0,1.0,2.0,0", "1,1,0.9,1.9,{}", "2,2,0.8,1.8,{}"]
    words = ["--sigma", "6", "--given", "m=1", "--given", "r=2", "--optimal", "0"]
    for moves, outcome in (
        ((0.1, 0.2), "holds on this trace"),
        ((3.0, 6.0), "fails on this trace at communication 1: 3 > 2"),
    ):
        (tmp_path / "t.csv").write_text("\n".join(lines).format(*moves))
        assert main(["watch", str(tmp_path / "t.csv"), "fedadmm", *words]) == 0
        out = capsys.readouterr().out
        assert outcome in next(line for line in out.splitlines() if line.startswith("mean move")), out
        assert "not checked: needs the clients: give --data" in out


def test_a_csv_of_points_is_measured_on_data(clients, tmp_path, capsys):
    """Coordinates w_0 ... w_29 of a run give the objective and its gradient."""
    columns = states("fedadmm", clients)
    table = np.column_stack([columns["t"], columns["communications"], columns["w"]])
    head = ",".join(["t", "communications", *(f"w_{j}" for j in range(30))])
    np.savetxt(tmp_path / "t.csv", table, delimiter=",", header=head, comments="")
    assert main(["watch", str(tmp_path / "t.csv"), "fedavg", *WORDS]) == 0
    out = capsys.readouterr().out
    best = clients.optimum().f_star
    last = float(np.mean(clients.value(columns["w"][-1][None]))) - best
    row = next(line for line in out.splitlines() if line.startswith("objective f(w) - f*"))
    assert float(row.split()[-2]) == pytest.approx(last, rel=1e-4)


def test_rows_without_steps_are_counted(tmp_path, capsys):
    """Communications alone, which may repeat: the rows are the steps."""
    (tmp_path / "t.csv").write_text("communications,objective\n0,1\n0,0.9\n1,0.8\n")
    assert main(["watch", str(tmp_path / "t.csv"), "fedadmm", "--sigma", "6"]) == 0
    assert "objective f(w)" in capsys.readouterr().out
