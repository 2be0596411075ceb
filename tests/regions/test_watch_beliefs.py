"""What ``watch`` may say of a trace: nothing that a column it does not read, or a start that it does not have, would change."""

import numpy as np
import pytest
from test_watch import OPTIONS, clients, states, watched

from fedtheory.cli import main
from fedtheory.registry import method
from fedtheory.runs.loop import draws_of

OPTIONS["pfedme"] = {"lam": 5.0, "eta": 0.02, "R": 3, "beta": 1.0}
__all__ = ["clients"]


def pfedme(problem, rounds=4, S=None, **changes):
    """The server vectors of a run, made at other hyper-parameters than it will be watched with."""
    entry = method("pfedme")
    more = {} if S is None else {"S": S}
    algorithm, s = entry.make({**entry.defaults, **OPTIONS["pfedme"], **more, **changes}, problem)
    w = [s.w]
    for _ in range(rounds):
        s = algorithm.step(problem, s, draws_of(algorithm, problem, s, 0))
        w.append(s.w)
    return {
        "t": np.arange(rounds + 1),
        "communications": np.arange(rounds + 1),
        "w": np.concatenate([np.asarray(v) for v in w]),
    }


def said(capsys, *words):
    """(exit status, stdout, stderr)."""
    capsys.readouterr()
    return (main(["watch", *map(str, words)]), *capsys.readouterr())


@pytest.mark.parametrize("extra", ["Theta", "eps", "W of a row before"])
def test_a_column_that_is_not_read_hides_nothing(extra, clients, tmp_path, capsys):
    """FLAME's Theta of a million beside FedADMM's states, and what (3.7) and (7.6) do not read."""
    columns = states("fedadmm", clients)
    columns["Pi"] = columns["Pi"][:1] + (columns["Pi"] - columns["Pi"][:1]) * 0.999
    before, _ = watched("fedadmm", columns, tmp_path, capsys)
    assert before["(3.7)"].startswith("fails on this trace in row ")
    if extra == "Theta":
        columns["Theta"] = np.full_like(columns["W"], 1e6)
    elif extra == "eps":
        columns["eps"] = columns["eps"] + 1e6
    else:
        columns["w"] = columns["w"] + 1e6
    after, _ = watched("fedadmm", columns, tmp_path, capsys)
    assert after["(3.7)"] == before["(3.7)"]


def test_rounding_of_what_is_read_stays_room(clients, tmp_path, capsys):
    """States in single precision hold the same."""
    columns = states("fedadmm", clients)
    found, _ = watched("fedadmm", {k: np.asarray(v, dtype=np.float32) for k, v in columns.items()}, tmp_path, capsys)
    assert found["(3.7)"] == "holds on this trace"


def test_a_trace_that_begins_later_has_no_bound(clients, tmp_path, capsys):
    """Its tail holds or fails nothing that counts from t = 0; the whole one has its bounds."""
    columns = states("fedadmm", clients, rounds=8)
    whole, _ = watched("fedadmm", columns, tmp_path, capsys)
    names = ("objective f(w) - f*", "Lyapunov value of (4.4) - f*")
    assert {whole[n] for n in names} == {"holds on this trace"}
    tail, out = watched("fedadmm", {k: v[4:] for k, v in columns.items()}, tmp_path, capsys)
    assert not any(v.startswith("fails") for v in tail.values())
    assert {v for n, v in tail.items() if n.startswith(("objective", "Lyap", "mean move"))} <= {"no bound"}
    assert "lyapunov" not in out.lower() or "the trace begins at t = 4" in out or "needs the column moves" in out


def test_a_tail_with_its_own_moves(tmp_path, capsys):
    """A csv whose sums were kept from the start, cut: there is no value at the start to begin from."""
    lines = [
        "t,communications,objective,lyapunov,moves",
        *(f"{k},{k},{1 - k / 100},{2 - k / 50},{k / 50}" for k in range(60)),
    ]
    words = ["fedadmm", "--sigma", "6", "--given", "m=1", "--given", "r=2", "--optimal", "0"]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    assert "holds on this trace" in said(capsys, tmp_path / "t.csv", *words)[1]
    (tmp_path / "t.csv").write_text("\n".join([lines[0], *lines[41:]]))
    _, out, _ = said(capsys, tmp_path / "t.csv", *words)
    assert "fails" not in out and "holds" not in out and "the trace begins at t = 40" in out


@pytest.mark.parametrize(
    "head", ["t,objective,objective", "t,objective, objective ", "t,w_0,w_0,objective", "t,error,grad_norm"]
)
def test_one_name_is_one_column(head, tmp_path, capsys):
    """Two of one name, or of one quantity, are refused."""
    (tmp_path / "t.csv").write_text(head + "\n" + ",".join("0" for _ in head.split(",")) + "\n")
    status, _, err = said(capsys, tmp_path / "t.csv", "fedadmm")
    assert status == 2 and ("two columns are called" in err or "are one quantity" in err)


@pytest.mark.parametrize("name", ["flame", "fedadmm", "pfedme", "fedavg", "scaffold"])
@pytest.mark.parametrize("more", [(), ("lyapunov",), ("stationarity",), ("moves",)])
def test_missing_columns_are_named(name, more, tmp_path, capsys):
    """No method's panels end in a traceback, and FLAME's say what they need."""
    columns = ("objective", *more)
    np.savez(
        tmp_path / "t.npz",
        t=np.arange(4),
        communications=np.arange(4),
        **{n: np.array([3.0, 2, 1.5, 1.2]) for n in columns},
    )
    words = {"flame": ("--lam", "1", "--rho", "8", "--given", "m=2"), "fedadmm": ("--sigma", "6")}.get(name, ())
    status, out, err = said(capsys, tmp_path / "t.npz", name, *words)
    assert status == 0 and not err
    if name == "flame" and "lyapunov" not in columns:
        assert "no panel: lagrangian needs the column lyapunov" in out
    if name == "flame" and "stationarity" not in columns:
        assert "no panel: stationarity needs the column stationarity" in out


def test_fail_on(tmp_path, capsys):
    """Exit 1 where an inequality fails; with unchecked also where one has no answer."""
    lines = ["t,communications,objective,lyapunov,moves", "0,0,1.0,2.0,0", "1,1,0.9,1.9,{0}", "2,2,0.8,1.8,{0}"]
    words = ["fedadmm", "--sigma", "6", "--given", "m=1", "--given", "r=2", "--optimal", "0"]
    for moves, more, wanted in ((3, [], 0), (3, ["--fail-on", "fails"], 1), (0.1, ["--fail-on", "fails"], 0),
                                (0.1, ["--fail-on", "unchecked"], 1)):  # fmt: skip
        (tmp_path / "t.csv").write_text("\n".join(lines).format(moves))
        assert said(capsys, tmp_path / "t.csv", *words, *more)[0] == wanted


WRONG = {
    "the step": {"eta": 0.021}, "the weight": {"lam": 5.1}, "a local round less": {"R": 2}, "the server's step": {"beta": 1.1},
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_pfedme_is_seen_in_round_1(wrong, clients, tmp_path, capsys):
    """Long before its theorems claim anything; the right one holds."""
    found, _ = watched("pfedme", pfedme(clients), tmp_path, capsys)
    assert found["one step"] == "holds on this trace"
    found, _ = watched("pfedme", pfedme(clients, **WRONG[wrong]), tmp_path, capsys)
    assert found["one step"].startswith("fails on this trace in row 1, by ")


def test_a_selection_that_is_not_recorded_is_looked_for(clients, tmp_path, capsys):
    """One of two clients: some selection makes the step, of a wrong one none."""
    columns = pfedme(clients, S=1)
    found, _ = watched("pfedme", columns, tmp_path, capsys, "--S", "1")
    assert found["one step"] == "holds on this trace"
    found, _ = watched("pfedme", pfedme(clients, S=1, eta=0.03), tmp_path, capsys, "--S", "1")
    assert found["one step"].startswith("fails on this trace in row 1")
    found, _ = watched("pfedme", columns, tmp_path, capsys, "--S", "1", "--batch", "5")
    assert found["one step"].startswith("not checked: the minibatches")


def test_a_run_from_elsewhere_has_bounds_from_its_own_start(clients, tmp_path, capsys, monkeypatch):
    """Delta_0 of Theorem 1 is that of the first row, and not of the start of our own runs; without w there is none."""
    from fedtheory.commands import watch

    found, real = [], watch.panels_of
    monkeypatch.setattr(
        watch, "panels_of", lambda panels, trace, setting: found.append(setting) or real(panels, trace, setting)
    )
    w = np.ones((3, clients.d))
    for scale in (0.0, 7.0):
        watched("pfedme", {"t": np.arange(3), "w": w * scale}, tmp_path, capsys)
    watched("pfedme", {"t": np.arange(3), "objective": np.array([3.0, 2, 1])}, tmp_path, capsys)
    at_zero, at_seven, unknown = (setting.given.get("Delta_0") for setting in found)
    assert at_seven > 49 * clients.d / 2 > at_zero and unknown is None
    assert found[2].why["Delta_0"] == "Delta_0 needs w of the first row"
