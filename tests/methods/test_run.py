"""The driver loop, what is observed, and runs on disk."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from fedtheory._arrays import to_host
from fedtheory.algorithms import FLAME, FedADMM, FedAvg, FedAvgStored, FedProxStored, PerFedAvg, PFedMe
from fedtheory.errors import UsageError
from fedtheory.measure.observe import distance_sq, error, instance, objective, observers_of
from fedtheory.method import Method, Watch
from fedtheory.registry import methods
from fedtheory.runs import store
from fedtheory.runs.loop import number, run
from fedtheory.theory.fedadmm import constants as of_fedadmm
from fedtheory.theory.fedadmm.observe import residuals, stationarity
from fedtheory.theory.flame import constants as of_flame
from fedtheory.trace import Trace, read_npz, write_npz
from problems.clients.envelope import Envelope
from problems.clients.logistic import LogisticClients
from problems.clients.quadratic import QuadraticClients

M, D = 4, 3
EPS = np.finfo(np.float64).eps


def quadratics(**where):
    """Strongly convex quadratics of different curvature."""
    rng = np.random.default_rng(3)
    B, b = rng.standard_normal((M, D, D)), rng.standard_normal((M, D))
    return QuadraticClients(B @ B.mT / D + 0.2 * np.eye(D), b, **where)


def samples(**where):
    """Logistic clients of unequal size."""
    rng = np.random.default_rng(4)
    return LogisticClients([(rng.standard_normal((n, D)), np.arange(n) % 2) for n in (5, 6, 8, 5)], l2=0.1, **where)


def fedadmm(problem, **options):
    """FedADMM with sigma_i = r_i/2 and three iterations between communications."""
    r = problem.constants().L_i
    m = problem.m
    return FedADMM(r / 2, np.full(m, 1 / m), np.full(m, 0.9), 3, S=2, **options)


METHODS = {
    "fedadmm": fedadmm,
    "fedadmm by gradients": lambda p: fedadmm(p, r=p.constants().L_i, inner_steps=2),
    "fedadmm scheme 4.1": lambda p: fedadmm(p, s0=3),
    "pfedme": lambda p: PFedMe(2.0, 0.05, 1.5, 2, 2, K=3, inner_eta=0.1, batch=2),
    "pfedme everyone": lambda p: PFedMe(2.0, 0.05, 1.5, 2, 2, everyone=True),
    "flame": lambda p: FLAME(1.0, 0.5, np.full(p.m, 1 / p.m), S=2, H=3, eta=0.1, batch=3, candidates=3),
    "fedavg": lambda p: FedAvg(0.1, 2, S=2, batch=2),
    "fedavg stored": lambda p: FedAvgStored(0.2, 3, S=2),
    "fedprox stored": lambda p: FedProxStored(0.2, 1e-3, 3, S=2),
    "perfedavg": lambda p: PerFedAvg(0.1, 0.05, 2, S=2, hessian="product"),
}


ENTRIES = {
    kind: methods()[name]
    for kind, name in {
        "FedADMM": "fedadmm", "PFedMe": "pfedme", "FLAME": "flame", "FedAvg": "fedavg", "FedAvgStored": "fedavg-stored",
        "FedProxStored": "fedprox-stored", "PerFedAvg": "perfedavg",
    }.items()
}  # fmt: skip


def observed(method, problem, seed=0):
    """Observers and folds of a method."""
    entry = ENTRIES[type(method).__name__]
    lam = None if entry.lam is None else entry.lam(method)
    objective = problem if lam is None else Envelope(problem, lam)
    w_star = problem.xp.zeros((1, problem.d), dtype=problem.xp.float64, device=problem.device)
    watch = Watch(method, problem, objective, method.init(problem), w_star, seed)
    return {"observers": observers_of(entry, watch), "folds": entry.folds(watch)}


def test_rounds_are_communications_and_every_selects_them():
    """FedADMM with k0 = 3: a row at the start, one a communication, the last iteration communicates."""
    p = quadratics()
    method = fedadmm(p)
    trace = run(method, p, method.init(p), rounds=5, seed=0, observers={"f": lambda s: objective(p, s.w)})
    assert trace["communications"].tolist() == [0, 1, 2, 3, 4, 5]
    assert trace["t"].tolist() == [0, 1, 4, 7, 10, 13]
    assert trace.stopped == "rounds" and trace.state.k == 13
    rows = run(method, p, method.init(p), rounds=5, seed=0, every=2, observers={})["communications"]
    assert rows.tolist() == [0, 2, 4, 5]
    assert run(method, p, method.init(p), rounds=5, seed=0, every=0, observers={})["communications"].tolist() == [0, 5]
    assert run(method, p, method.init(p), rounds=0, seed=0, observers={})["communications"].tolist() == [0]


@pytest.mark.parametrize("name", METHODS)
def test_observing_changes_no_iterate(name):
    """The last state is the same bit for bit with every observer, some of the rounds, and none."""
    p = samples()
    method = METHODS[name](p)
    states = []
    for every in (1, 3, 0):
        watched = observed(method, p, 5) if every else {"observers": {}}
        states.append(run(method, p, method.init(p), rounds=7, seed=5, every=every, **watched).state)
    one, *others = (store.flatten(s, "s") for s in states)
    for other in others:
        assert one.keys() == other.keys() and all((one[k] == other[k]).all() for k in one)


def test_the_rule_stops_a_run_and_a_value_that_is_not_finite_too():
    """The reason is in the trace; a start that meets the rule communicates nothing."""
    p = quadratics()
    method = FedAvg(0.1, 1)
    observers = {"error": lambda s: error(p, s.w)}
    trace = run(method, p, method.init(p), rounds=500, seed=0, observers=observers, stop=lambda s: error(p, s.w) < 1e-3)
    assert trace.stopped == "rule" and trace["error"][-1] < 1e-3 <= trace["error"][-2]
    at_once = run(method, p, trace.state, rounds=1000, seed=0, observers={}, stop=lambda s: True)
    assert len(at_once) == 1
    method = FedAvg(1e200, 1)
    with np.errstate(all="ignore"):
        trace = run(method, p, method.init(p), rounds=50, seed=0, observers=observers)
    assert trace.stopped == "error is not finite after 1 communications" and len(trace) == 2


@pytest.mark.parametrize("argument", ["rounds", "every"])
@pytest.mark.parametrize("value", [-1, 1.5, "3", True, None, float("nan")])
def test_the_loop_refuses_what_is_no_count(argument, value):
    """One line with the argument, the rule and the value."""
    p = quadratics()
    method = FedAvg(0.1, 1)
    with pytest.raises(UsageError, match=rf"run\({argument}=...\) must be an integer of at least 0, got"):
        run(method, p, method.init(p), **{"rounds": 2, "every": 1, "seed": 0, "observers": {}, argument: value})


class Interrupting:
    """A method that is interrupted in its step number `at`."""

    def __init__(self, method, at):
        self.method, self.left = method, at

    def __getattr__(self, name):
        return getattr(self.method, name)

    def step(self, *args):
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return self.method.step(*args)


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("at", [1, 4])
def test_an_interrupted_run_goes_on_to_the_same_bytes(name, at, tmp_path, backend):
    """The checkpoint goes through the disk; the traces agree in every bit, on every backend."""
    _, xp, device = backend
    p = samples(xp=xp, device=device)
    method, inputs = METHODS[name](p), {"method": name}
    options = {"rounds": 5, "seed": 2, **observed(method, p, 2)}
    whole = run(method, p, method.init(p), **options)

    def save(checkpoint):
        store.save_checkpoint(tmp_path, inputs, checkpoint)

    with pytest.raises(KeyboardInterrupt):
        run(Interrupting(method, at), p, method.init(p), save=save, **options)
    resume = store.load_checkpoint(tmp_path, inputs, method.init(p), p)
    assert resume.state.communications == resume.rows[-1]["communications"]
    resumed = run(method, p, method.init(p), resume=resume, **options)
    for trace, file in ((whole, "whole"), (resumed, "resumed")):
        write_npz(tmp_path / file, trace.columns)
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "resumed").read_bytes()
    one, other = (store.flatten(t.state, "s") for t in (whole, resumed))
    assert one.keys() == other.keys() and all((one[k] == other[k]).all() for k in one)


def test_npz_has_no_dates_and_no_objects(tmp_path, monkeypatch):
    """Two writings an hour apart have the same bytes; Python objects are refused both ways."""
    import time

    arrays = {"b": np.arange(3), "a": np.array([1.5, np.inf])}
    write_npz(tmp_path / "1", arrays)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 3600)
    monkeypatch.setattr(time, "localtime", lambda *a: time.gmtime(now + 3600))
    write_npz(tmp_path / "2", dict(reversed(arrays.items())))
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    assert all((read_npz(tmp_path / "1")[k] == arrays[k]).all() for k in arrays)
    with pytest.raises(ValueError, match="allow_pickle"):
        write_npz(tmp_path / "3", {"a": np.array([object()])})
    np.savez(tmp_path / "4.npz", a=np.array([{}], dtype=object))
    with pytest.raises(UsageError, match=r"4\.npz: cannot be read"):
        read_npz(tmp_path / "4.npz")


def test_a_trace_has_columns_of_one_length():
    """Lengths that differ are refused with the lengths."""
    with pytest.raises(UsageError, match=r"columns of one length, got \{'t': 2, 'f': 3\}"):
        Trace({"t": np.arange(2), "f": np.arange(3.0)}, "rounds")


def finished(folder, inputs, values=(2.0, 1.0)):
    """A small finished run on disk."""
    trace = Trace({"t": np.arange(len(values)), "objective": np.array(values)}, "rounds")
    return store.save(folder, inputs, trace, {"last": np.inf}, {"seconds": 1.0})


def test_a_run_is_kept_under_the_hash_of_its_inputs(tmp_path):
    """Nothing but the three files; the order of the inputs does not matter, their values do; the first writing stays."""
    inputs = {"method": "flame", "options": {"lam": 5.0, "S": None}}
    path = finished(tmp_path, inputs)
    assert sorted(f.name for f in path.iterdir()) == ["run.json", "timing.json", "trace.npz"]
    assert [f.name for f in tmp_path.iterdir()] == [store.key(inputs)]
    trace, results = store.load(tmp_path, dict(reversed(inputs.items())))
    assert trace["objective"].tolist() == [2.0, 1.0] and results == {"last": "inf"} and trace.stopped == "rounds"
    assert store.load(tmp_path, {**inputs, "method": "pfedme"}) is None
    before = (path / "trace.npz").read_bytes()
    finished(tmp_path, inputs, (9.0,))
    assert (path / "trace.npz").read_bytes() == before and len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("run.json", b"{oops", "run.json: cannot be read"),
        ("run.json", b"[]", "run.json: not this run of schema 1"),
        ("run.json", json.dumps({"schema": 2}).encode(), "run.json: not this run of schema 1"),
        ("run.json", None, "run.json: cannot be read"),
        ("trace.npz", b"PK", "trace.npz: cannot be read"),
        ("trace.npz", None, "trace.npz: cannot be read"),
    ],
)
def test_a_damaged_run_is_said_to_be_one(tmp_path, file, content, message):
    """A usage error that names the file."""
    path = finished(tmp_path, {"a": 1})
    (path / file).unlink()
    if content is not None:
        (path / file).write_bytes(content)
    with pytest.raises(UsageError, match=message):
        store.load(tmp_path, {"a": 1})


def test_a_damaged_checkpoint_is_said_to_be_one(tmp_path):
    """Bytes that are no archive, and an archive of something else."""
    p, inputs = quadratics(), {"a": 1}
    method = FedAvg(0.1, 1)
    path = store.partial(tmp_path, inputs)
    path.mkdir()
    (path / "checkpoint.npz").write_bytes(b"no")
    with pytest.raises(UsageError, match="cannot be read"):
        store.load_checkpoint(tmp_path, inputs, method.init(p), p)
    write_npz(path / "checkpoint.npz", {"x": np.zeros(1)})
    with pytest.raises(UsageError, match="not a checkpoint of this run"):
        store.load_checkpoint(tmp_path, inputs, method.init(p), p)


def flame_state(p, rng, method):
    """A FLAME state with unrelated vectors."""
    state = method.init(p, rng.standard_normal((M, D)), rng.standard_normal((M, D)))
    return state._replace(Pi=rng.standard_normal((M, D)), w=rng.standard_normal((1, D)))


def test_the_gradient_of_flames_lagrangian_is_its_gradient(rng):
    """Central differences of step 1 are exact for the quadratic Lagrangian, so only rounding remains."""
    p = quadratics()
    method = FLAME(1.5, 0.7, np.array([0.1, 0.2, 0.3, 0.4]))
    state, x = flame_state(p, rng, method), instance(p, method)
    total, size = 0.0, 0.0
    for name in ("w", "Theta", "W", "Pi"):
        a = getattr(state, name)
        for k in np.ndindex(a.shape):
            unit = np.zeros(a.shape)
            unit[k] = 1.0
            high, low = (number(of_flame.lagrangian(x, state._replace(**{name: a + s * unit}))) for s in (1, -1))
            total += ((high - low) / 2) ** 2
            size = max(size, abs(high), abs(low))
    entries = 3 * M * D + D
    assert abs(number(of_flame.lagrangian_gradient_sq(x, state)) - total) <= 100 * entries * EPS * size**2


def test_stationarity_of_fedadmm_is_zero_at_the_stationary_point_and_nowhere_near(rng):
    """Definition 4.1: w_i = w = w*, pi_i = -alpha_i grad f_i(w*); each row sees its own perturbation."""
    p = quadratics()
    method = fedadmm(p)
    w = p.optimum().w_star
    state = method.init(p, w, np.broadcast_to(w, (M, D)).copy())
    tiny = 100 * M * D * EPS**2 * number(np.sum(p.grad(w) ** 2))
    assert number(stationarity(p, method, state)) <= max(tiny, 1e-28)
    step = rng.standard_normal((M, D))
    for row, moved in enumerate((state._replace(Pi=state.Pi + step - step.mean(axis=0)), state._replace(w=w + 1.0))):
        rows = [number(a) for a in residuals(p, method, moved)]
        assert rows[row] > 0.1 and rows[1 - row] <= max(tiny, 1e-28) and rows[2] <= max(tiny, 1e-28)
    assert number(residuals(p, method, state._replace(Pi=state.Pi + 1.0))[2]) == pytest.approx(M**2 * D)


def test_fedadmms_lyapunov_value_adds_the_weighted_accuracies():
    """At W = w the Lagrangian is f, and (4.4) adds nu/((1 - nu) alpha r) + 10 (1 + nu)/(sigma (1 - nu)) times eps."""
    p = quadratics()
    method = fedadmm(p)
    r = p.constants().L_i
    state = method.init(p, eps0=2.0)
    weight = 0.9 / (0.1 * r / M) + 10 * 1.9 / (r / 2 * 0.1)
    expected = p.value(state.w).mean() + 2 * weight.sum()
    assert number(of_fedadmm.lyapunov(instance(p, method, r=r), state)) == pytest.approx(expected, rel=50 * EPS)


def test_the_objective_and_its_gradient():
    """The mean value, the gradient of it by exact differences, the distance."""
    p = quadratics()
    w = np.array([[1.0, -2.0, 0.5]])
    slope = [(number(objective(p, w + e)) - number(objective(p, w - e))) / 2 for e in np.eye(D)[:, None, :]]
    assert number(error(p, w)) == pytest.approx(np.dot(slope, slope), rel=1e3 * EPS)
    assert number(distance_sq(w, w * 0)) == 5.25


@pytest.mark.parametrize("name", ["fedadmm by gradients", "flame", "pfedme", "fedavg stored"])
def test_every_backend_observes_the_same(name, backend):
    """Same draws, same observations to the rounding of a few rounds."""
    _, xp, device = backend
    here, there = samples(), samples(xp=xp, device=device)
    traces = []
    for p in (here, there):
        method = METHODS[name](p)
        traces.append(run(method, p, method.init(p), rounds=3, seed=1, **observed(method, p, 1)))
    one, other = traces
    assert set(one.columns) == set(other.columns)
    for column in one.columns:
        assert np.allclose(one[column], other[column], rtol=1e4 * EPS, atol=1e4 * EPS)


def test_the_inexactness_of_a_run_is_measured():
    """delta_sq, eps_max and excess against their definitions, recomputed from the states."""
    p = samples()
    method = METHODS["pfedme"](p)
    trace = run(method, p, method.init(p), rounds=2, seed=1, **observed(method, p, 1))
    assert (trace["delta_sq"] > 0).all()
    exact = PFedMe(2.0, 0.05, 1.5, 2, 2)
    assert "delta_sq" not in run(exact, p, exact.init(p), rounds=1, seed=1, **observed(exact, p, 1))
    method = FLAME(1.0, 0.5, np.full(M, 1 / M), H=2, eta=0.1)
    trace = run(method, p, method.init(p), rounds=1, seed=1, **observed(method, p, 1))
    left = (p.grad(trace.state.Theta) + trace.state.Theta) / M  # W^0 = 0
    assert trace["eps_max"][-1] == pytest.approx((left**2).sum(axis=-1).max(), rel=100 * EPS)
    method = fedadmm(p, r=p.constants().L_i, inner_steps=1)
    trace = run(method, p, method.init(p, eps0=1e-9), rounds=1, seed=1, **observed(method, p, 1))
    phi = p.grad(trace.state.W) / M + trace.state.Pi
    assert trace["excess"][-1] == pytest.approx(((phi**2).sum(axis=-1) / trace.state.eps).max(), rel=100 * EPS)
    assert trace["excess"][-1] > 1


def test_personalised_methods_minimise_the_mean_envelope():
    """The records of pFedMe and FLAME say at which lam; the others minimise the mean of the clients themselves."""
    p = quadratics()
    for name, make in METHODS.items():
        entry = ENTRIES[type(make(p)).__name__]
        assert (entry.lam is not None) == name.startswith(("pfedme", "flame"))
    w, method = np.ones((1, D)), PFedMe(2.0, 0.1, 1.0, 1, 2)
    found = observed(method, p)["observers"]["objective"](method.init(p, w))
    theta = p.prox(w, 2.0)
    assert number(found) == pytest.approx((p.value(theta) + ((theta - w) ** 2).sum(axis=-1)).mean(), rel=1e-14)


def test_a_method_without_a_server_vector_is_measured_where_its_record_says():
    """`at` gives the point of the objective and of its gradient."""
    p = quadratics()
    entry = Method("mean", lambda o, p: None, {}, at=lambda s: s.W.mean(axis=0, keepdims=True))
    W = np.arange(M * D, dtype=float).reshape(M, D)
    found = observers_of(entry, Watch(None, p, p, None))
    state = SimpleNamespace(W=W)
    mean = W.mean(axis=0, keepdims=True)
    assert number(found["objective"](state)) == number(objective(p, mean))
    assert number(found["error"](state)) == number(error(p, mean))


def test_numbers_come_to_the_host(backend):
    """One entry of any shape; more than one is an error."""
    _, xp, device = backend
    xp = np if xp is None else xp
    a = xp.asarray([[2.5]], dtype=xp.float64, **({} if device is None else {"device": device}))
    assert number(a) == 2.5 and number(3) == 3.0 and to_host(a).shape == (1, 1)
    with pytest.raises(ValueError):
        number(xp.asarray([1.0, 2.0]))
