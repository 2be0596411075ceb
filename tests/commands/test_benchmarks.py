"""The benchmarks measure the work they name, and say so when a limit is broken."""

import doctest
import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fedtheory import registry, verify
from fedtheory.engines.counterexamples import hunt
from fedtheory.engines.search import engine
from fedtheory.random import stream
from problems.clients.least_squares import LeastSquaresClients
from problems.clients.linear_models import LinearModelClients

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT))  # last, so that installed packages come before this checkout's

from benchmarks import __main__ as command  # noqa: E402
from benchmarks import convex, fresh, kills, least_squares, networks, pfedme, referee  # noqa: E402
from benchmarks.rates import Rates  # noqa: E402
from benchmarks.report import Row  # noqa: E402

SIZES = [30] * 100


@pytest.fixture
def here(monkeypatch):
    """Measurements in this process, where they are quick; memory means nothing then."""
    for module in (pfedme, least_squares, convex, networks, referee):
        monkeypatch.setattr(module, "fresh", lambda f, **a: {"baseline": 0, **f(**a)})


def counted(monkeypatch, kind):
    """(clients, samples of one client) of every gradient call from here on."""
    calls, plain = [], LinearModelClients.grad

    def grad(self, W, rows=None):
        if rows is None:
            calls.append((self.m, int(self.n[0])))
        return plain(self, W, rows)

    monkeypatch.setattr(kind, "grad", grad)
    return calls


def test_a_round_takes_the_gradients_it_says(monkeypatch):
    """100 clients x R x K minibatch gradients a round: one pass that is not counted, one that is."""
    calls = counted(monkeypatch, pfedme.SoftmaxClients)
    found = pfedme.round_point(sizes=SIZES, repeats=1)
    assert set(calls) == {(100, 20)}
    assert sum(m for m, _ in calls) == 2 * found["gradients"] == 20_000
    assert found["round"] > 0 and found["bare"] > 0


def test_the_bare_work_is_that_of_a_round():
    """The minibatches of a round's draws, all scores exponentiated, and the product back."""
    problem = pfedme.clients(SIZES)
    bare = pfedme.Bare(problem)
    bare()
    draws = pfedme.METHOD.draw(problem, stream(0, 0, "draw"))
    assert draws.rows.shape == (20, 100, 20)
    batch = problem.minibatch(draws.rows[-1])
    assert np.array_equal(bare.X, batch.store.X)
    X = batch.store.X.reshape(100, 20, 60)
    S = np.exp(bare.W @ X.swapaxes(1, 2))
    assert np.allclose(bare.S, S, rtol=1e-13, atol=0)
    assert np.allclose(bare.G, S @ X, rtol=0, atol=20 * 2**-50 * np.abs(S @ np.abs(X)).max())


def test_the_run_learns_and_is_evaluated():
    """Every tenth round and the start; the objective falls."""
    found = pfedme.run_point(sizes=SIZES, rounds=10)
    assert found["evaluations"] == 2
    assert found["first"] == pytest.approx(math.log(10), rel=1e-12)  # at w = 0 every label has probability 1/10
    assert found["last"] < found["first"]
    assert found["seconds"] > 0 and found["cpu"] > 0


@pytest.mark.parametrize(("method", "first"), [("FedADMM", 1), ("FLAME", 0)])
def test_one_gradient_a_round(monkeypatch, method, first):
    """FedADMM takes one more for its first dual variables; two passes follow the first rounds."""
    calls = counted(monkeypatch, LeastSquaresClients)
    found = least_squares.point(method, m=7, repeats=1, n=4, d=3)
    assert calls == [(7, 4)] * (first + least_squares.FIRST + 2)
    assert found["finite"] and found["data"] == 8 * 7 * 4 * (3 + 1)


def test_the_copy_reads_all_data():
    """Blocks of the buffer's size, the last one shorter."""
    X = np.arange(2.5 * least_squares.BUFFER / 8)
    copy = least_squares.Copy(X, X[:3])
    copy()
    size = least_squares.BUFFER // 8
    assert np.array_equal(copy.buffer[3 : size // 2], X[2 * size + 3 :])
    assert np.array_equal(copy.buffer[size // 2 :], X[size + size // 2 : 2 * size])
    assert np.array_equal(copy.buffer[:3], X[:3])


def test_memory_is_that_of_the_measurement_alone():
    """The data are in the peak, and what this process holds is not: 400 clients are 16 MB."""
    here = np.ones(400 * 2**20 // 8)
    found = fresh.fresh(least_squares.point, method="FLAME", m=400, repeats=1)
    assert found["data"] < least_squares.used(found) < 3 * found["data"]
    assert found["baseline"] < here.nbytes


def test_a_measurement_has_one_thread(monkeypatch):
    """BLAS reads its number of threads when it is loaded."""
    asked = {}

    def run(call, **options):
        asked.update(options["env"])
        return subprocess.CompletedProcess(call, 0, json.dumps({"baseline": 1}))

    monkeypatch.setattr(subprocess, "run", run)
    assert fresh.fresh(least_squares.point) == {"baseline": 1}
    assert {asked[name] for name in fresh.THREADS} == {"1"}
    assert asked["OPENBLAS_NUM_THREADS"] == asked["OMP_NUM_THREADS"] == "1"


def test_a_measurement_that_fails_is_no_figure(capfd):
    """Its complaint goes through to stderr."""
    with pytest.raises(fresh.Failed, match="ended with status 1"):
        fresh.fresh(least_squares.point, method="FLAME", m=0, repeats=1)
    assert "UsageError" in capfd.readouterr().err


def test_quick_benchmarks_end_in_figures(here, monkeypatch, tmp_path, capsys):
    """Every figure is finite and has a limit; the status is 1 exactly where one is broken."""
    monkeypatch.setattr(pfedme, "QUICK", 30)
    monkeypatch.setattr(least_squares, "QUICK", (20, 60))
    monkeypatch.setattr(referee, "QUICK", 600)
    monkeypatch.setattr(kills, "AT_CALLS", 20)  # how many kills there are is test_sweep_killed's
    monkeypatch.setattr(kills, "AT_RANDOM", 10)
    status = command.main(["--quick", "--plot", str(tmp_path / "s.svg")])
    out, err = capsys.readouterr()
    words = out.split()
    count = 3 + 4 + 5 + 4 * kills.possible() + 2 * networks.installed()
    assert words.count("pass") + words.count("BROKEN") == count
    assert status == int("BROKEN" in words)
    assert "nan" not in words and "load" in words
    assert "FLAME, 60 clients" in err and "20 rounds" in err
    assert "slope one" in (tmp_path / "s.svg").read_text(encoding="utf-8")


def test_convex_rounds_are_set_beside_the_machine(here, monkeypatch):
    """Throughput and shares of the rates of the same run; the gradients are those that are counted."""
    first, second = convex.benchmark(True, lambda _: None)
    assert first.passed and second.passed and first.value > 0 and second.value > 0
    assert "GB/s of a copy" in first.how and "GFLOP/s of one product" in second.how
    squares, softmax = counted(monkeypatch, convex.LeastSquaresClients), counted(monkeypatch, convex.SoftmaxClients)
    found = convex.point(quick=True, repeats=1, backend="numpy", device="")
    assert squares == [(200, 50)] * 2  # one pass is not counted
    assert softmax == [(10, 40)] * (2 * convex.R * convex.K)
    assert found["bytes"] == 8 * 200 * 50 * 101
    assert found["flops"] == convex.R * convex.K * 10 * 40 * (2 * 64 * 10 + 2 * 64 * 10)  # scores, and the product back


def test_rates_are_of_the_work_they_name():
    """A copy reads and writes every number; a product of order n takes 2 n^3 operations."""
    rates = Rates(np, np.float64, None, quick=True)
    rates.source[:] = 7
    rates.cases["copy"]()
    assert (rates.target == 7).all()
    rates.cases["product"]()
    found = rates.measured({"copy": 0.5, "product": 2.0})
    assert found == {"bandwidth": 2 * 2 * 8 * rates.numbers, "rate": rates.order**3}


def test_growth_is_a_slope():
    """Memory and time of quadratic growth have slope 2; the figures at the most clients are ratios."""
    points = [
        {
            "m": m,
            "peak": 5 * m**2 + 1,
            "baseline": 1,
            "data": 4 * m**2,
            "round": 3e-6 * m,
            "copy": 1e-6 * m,
            "fastest": 1e-6 * m**2,
        }
        for m in (10, 100, 1000)
    ]
    memory, time, *growth = least_squares.rows("FLAME", points)
    assert (memory.value, round(time.value, 12)) == (1.25, 3.0)
    assert [round(g.value, 12) for g in growth] == [2, 2] and not any(g.passed for g in growth)
    assert doctest.testmod(least_squares).failed == 0


@pytest.mark.parametrize(("value", "status"), [(2.5, 0), (2.501, 1), (math.nan, 1)])
def test_a_broken_limit_is_an_exit_status(monkeypatch, capsys, value, status):
    """At the limit passes; above it, and what is no number, does not."""
    monkeypatch.setattr(pfedme, "benchmark", lambda quick, say: [Row("a", 1, 2, "s"), Row("b", value, 2.5, "x")])
    assert command.main(["pfedme"]) == status
    assert ("BROKEN" in capsys.readouterr().out) == bool(status)


@pytest.mark.parametrize(
    "words",
    [["pfedm"], ["convex", "--backend", "cup"], ["pfedme", "--plot", "a.svg"], ["least-squares", "--plot", "a.doc"]],
)
def test_usage(words, capsys):
    """One line, before anything is measured."""
    with pytest.raises(SystemExit) as end:
        command.main(words)
    assert end.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_plain_loop_over_networks_is_the_round():
    """Both give the same vectors, on the same minibatches; the figures count what is done."""
    torch = pytest.importorskip("torch")
    from problems.networks import TorchProblem, initialised, mlp

    draws = np.random.default_rng(0)
    data = [(draws.standard_normal((20, 30)), draws.integers(10, size=20)) for _ in range(networks.M)]
    model = initialised(mlp(30, 10, hidden=4), 0).double()
    problem = TorchProblem(model, torch.nn.functional.cross_entropy, data)
    loop, state = networks.Loop(problem, model), networks.METHOD.init(problem)
    for _ in range(3):
        loop()
        state = networks.METHOD.step(problem, state, fresh_draws(problem, state))
    for got, want in ((loop.Theta, state.Theta), (loop.W, state.W), (loop.Pi, state.Pi), (loop.w[None], state.w)):
        np.testing.assert_allclose(got, want, atol=1e-12)


def fresh_draws(problem, state):
    """The draws of a round, those of the loop."""
    return networks.METHOD.draw(problem, stream(0, state.t, "draw"))


def test_networks_are_measured_where_torch_is_installed(monkeypatch, capsys):
    """By default they are left out without torch; asked for by name they say how to install it."""
    monkeypatch.setattr(networks, "installed", lambda: False)
    with pytest.raises(SystemExit):
        command.main(["networks"])
    assert 'pip install "fedtheory[torch]"' in capsys.readouterr().err


def test_a_round_of_networks_has_its_figures(here, capsys):
    """One client and one repeat, in this process."""
    pytest.importorskip("torch")
    rows = [networks.Row("x", *v, "x") for v in ((0.9, networks.RATIO), (1.1, networks.RATIO))]
    assert [r.passed for r in rows] == [True, False]
    found = networks.round_point(m=1, repeats=1, device="cpu")
    assert found["d"] == 79_510 and found["flops"] == 2 * 100 * (2 * 79_400 + 1000) and found["round"] > 0


def test_the_search_is_metered():
    """The instances of the search of a claim and of its control, and no others; afterwards everything is as it was."""
    before = engine.searched, hunt.ranked
    with referee.metered() as meter:
        v = verify(registry.claim("pfedme/eq18-c@assumption1b"))
    assert v.verdict == "supported" and v.trials < meter["instances"] < 3 * v.trials
    assert 0 < meter["ranking"] < meter["searching"]
    assert (engine.searched, hunt.ranked) == before
