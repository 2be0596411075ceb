"""Methods without a server, and Ditto: the printed lines client by client, what they keep, where they end, what they cost."""

from types import SimpleNamespace

import numpy as np
import pytest
from algorithm_rows import PROBLEMS, WHOLE, M, arrays, close, frozen, play, quadratics, scale
from hypothesis import given, settings
from hypothesis import strategies as st
from serverless_boxes import SERVERLESS_BOXES, clients_of

from fedtheory._arrays import to_host
from fedtheory.algorithms.beer import BEER
from fedtheory.algorithms.compression import KINDS, Compressor, compressor_of, largest_entries
from fedtheory.algorithms.dfedavgm import DFedAvgM
from fedtheory.algorithms.dfedsam import DFedSAM
from fedtheory.algorithms.ditto import Ditto
from fedtheory.algorithms.gossipfl import GossipFL
from fedtheory.algorithms.local import Local, LocalDraws
from fedtheory.errors import UsageError
from fedtheory.graphs import Graph, edges
from fedtheory.measure.observe import observers_of
from fedtheory.method import Watch
from fedtheory.random import stream
from fedtheory.registry import methods
from fedtheory.runs import store
from fedtheory.runs.loop import run
from problems.clients.quadratic import QuadraticClients


def graph(kind, c, **options):
    """A graph of the clients; for one client one without neighbours."""
    if len(c) == 1:
        return Graph("full")
    return edges([(0, 1), (1, 2), (1, 3), (3, 4)]) if kind == "tree" else Graph(kind, **options)


def rich(L, E=3, **options):
    """Local steps with everything."""
    return Local(0.3 / L, E, **{"batch": 3, "momentum": 0.7, "weight_decay": 0.05, "decay": 0.8, **options})


ROWS = {
    "dfedavgm": lambda L, c: DFedAvgM(rich(L), graph("ring", c)),
    "dfedavgm, full gradients": lambda L, c: DFedAvgM(Local(0.2 / L, 2, momentum=0.9), graph("tree", c)),
    "dfedavgm, top": lambda L, c: DFedAvgM(rich(L), graph("full", c), compressor=Compressor("top")),
    "dfedavgm, random": lambda L, c: DFedAvgM(rich(L), graph("ring", c, redraw=True), compressor=Compressor("random")),
    "dfedavgm, quantised": lambda L, c: DFedAvgM(rich(L), graph("groups", c), compressor=Compressor("quantised", 1 / 16)),
    "dfedsam": lambda L, c: DFedSAM(rich(L), graph("ring", c), rho=0.1),
    "dfedsam, tree": lambda L, c: DFedSAM(rich(L, 2, batch=None), graph("tree", c), rho=0.5),
    "gossipfl": lambda L, c: GossipFL(rich(L), graph("groups", c)),
    "gossipfl, random graph": lambda L, c: GossipFL(rich(L, momentum=0), graph("random", c, M=2 if len(c) > 1 else None), keep=0.3),
    "beer": lambda L, c: BEER(Local(0.1 / L, batch=3, weight_decay=0.05, decay=0.9), graph("ring", c), gamma=0.3),
    "beer, full gradients": lambda L, c: BEER(Local(0.1 / L), graph("tree", c), gamma=0.2),
    "beer, random": lambda L, c: BEER(Local(0.1 / L), graph("full", c), gamma=0.2, compressor=Compressor("random", 0.7)),
    "beer, quantised": lambda L, c: BEER(Local(0.1 / L), graph("groups", c), gamma=0.2, compressor=Compressor("quantised", 1 / 16)),
    "ditto": lambda L, c: Ditto(rich(L), 2, lam=L, S=min(3, len(c))),
    "ditto, equal weights": lambda L, c: Ditto(rich(L, 1, momentum=0), 3, lam=0.1 * L, alpha=1),
}  # fmt: skip
PASSES = {
    "dfedavgm, passes": lambda L, c: DFedAvgM(rich(L, 2, passes=True), graph("ring", c)),
    "gossipfl, passes": lambda L, c: GossipFL(rich(L, 1, passes=True), graph("groups", c)),
    "ditto, passes": lambda L, c: Ditto(rich(L, 2, passes=True), 1, lam=L, S=min(2, len(c))),
}
SAMPLES = ("least squares", "logistic", "softmax")  # problems whose clients have samples of unequal number
CASES = [(r, n) for r in ROWS for n in PROBLEMS] + [(r, n) for r in PASSES for n in SAMPLES]


def begin(alg, f):
    """A first state with models that differ between clients."""
    rng = np.random.default_rng(3)
    w, W = (f.xp.asarray(rng.standard_normal((size, f.d)) / 2, device=f.device) for size in (1, f.m))
    return alg.init(f, w, W) if isinstance(alg, Ditto) else alg.init(f, W)


def unstacked(state):
    """A state with a list of vectors for every stack, a vector for that of a server."""
    out = SimpleNamespace(**state._asdict())
    for name, value in vars(out).items():
        if isinstance(value, np.ndarray) and name != "load":
            setattr(out, name, np.array(value[0]) if name == "w" else [np.array(v) for v in value])
    return out


@pytest.mark.parametrize(("row", "name"), CASES)
def test_steps_follow_the_printed_lines_client_by_client(row, name):
    """A few rounds against the double loop over clients on the same draws; nothing is written in place."""
    f, L = PROBLEMS[name](WHOLE), scale(name)
    alg = {**ROWS, **PASSES}[row](L, WHOLE)
    state = begin(alg, f)
    want, clients = unstacked(state), clients_of(PROBLEMS[name], M)
    for t in range(5):
        draws = frozen(alg.draw(f, stream(1, t, "draw")))
        SERVERLESS_BOXES[type(alg).__name__](alg, clients, want, draws)
        want.t += 1
        state = alg.step(f, frozen(state), draws)
    for field, got in arrays(state).items():
        if field != "load":
            expected = getattr(want, field)
            assert close(got, [expected] if field == "w" else np.stack(expected), 1e-12), field


@pytest.mark.parametrize("row", [*ROWS, *PASSES])
def test_one_client(row):
    """m = 1 is the same box, and nothing is sent but to a server."""
    c = WHOLE[:1]
    f, L = PROBLEMS["softmax"](c), scale("softmax")
    alg = {**ROWS, **PASSES}[row](L, c)
    state = begin(alg, f)
    want = unstacked(state)
    for t in range(3):
        draws = alg.draw(f, stream(2, t, "draw"))
        SERVERLESS_BOXES[type(alg).__name__](alg, clients_of(PROBLEMS["softmax"], 1), want, draws)
        want.t += 1
        state = alg.step(f, state, draws)
    got, want = (state.w, want.w) if hasattr(state, "w") else (state.X, want.X[0])
    assert close(got, [want], 1e-12) and state.communications == 3
    assert not getattr(state, "load", np.zeros(1)).any()


def permuted(value, order):
    """Draws or a state with the clients renamed: client order[j] becomes client j."""
    if isinstance(value, LocalDraws):
        rows = None if value.rows is None else value.rows[:, order]
        return LocalDraws(rows, None if value.active is None else value.active[:, order])
    if isinstance(value, tuple):
        named = {k: permuted(v, order) for k, v in value._asdict().items()}
        if "V" in named:
            named["V"] = value.V[order][:, order]
        if "b" in named:
            named["b"] = value.b
        return type(value)(**named)
    if not isinstance(value, np.ndarray) or len(value) == 1:
        return value
    return value[order]


@pytest.mark.parametrize("row", [*ROWS, *PASSES])
def test_a_permutation_of_the_clients_permutes_the_run(row):
    """Renaming the clients in problem and draws renames the models and the loads."""
    order = np.array([3, 0, 4, 2, 1])
    L = scale("softmax")
    f, g = PROBLEMS["softmax"](WHOLE), PROBLEMS["softmax"](order)
    a, b = ({**ROWS, **PASSES}[row](L, c) for c in (WHOLE, order))
    s = begin(a, f)
    t = permuted(s, order)
    for k in range(4):
        draws = a.draw(f, stream(4, k, "draw"))
        s, t = a.step(f, s, draws), b.step(g, t, permuted(draws, order))
    for field, value in arrays(permuted(s, order)).items():
        assert close(arrays(t)[field], value), field


@pytest.mark.parametrize("name", ["softmax", "huber"])
@pytest.mark.parametrize("row", ROWS)
def test_backends_give_the_same_iterates(row, name, backend):
    """One seed: the same draws, graphs and iterates everywhere; shapes, dtype and device stay."""
    _, xp, device = backend
    f, host = PROBLEMS[name](WHOLE, xp=xp, device=device), PROBLEMS[name](WHOLE)
    alg = ROWS[row](host.constants().L, WHOLE)
    first = begin(alg, f)
    state = play(alg, f, first)
    want = arrays(play(alg, host, begin(alg, host)))
    for field, value in state._asdict().items():
        if hasattr(value, "shape"):
            assert close(to_host(value), want[field]), field
            before = getattr(first, field)
            assert value.shape == before.shape and value.dtype == before.dtype and type(value) is type(before)


class Bowls:
    """h_i |w - c_i|^2/2 in single precision."""

    xp, device, m, d = np, None, 5, 2

    def __init__(self):
        self.n = np.array([3, 4, 5, 3, 4])
        self.c = np.arange(10, dtype=np.float32).reshape(5, 2)
        self.h = np.array([1, 2, 4, 1, 2], dtype=np.float32)[:, None]

    def grad(self, W):
        return self.h * (W - self.c)

    def minibatch(self, rows):
        return self


@pytest.mark.parametrize("row", [*ROWS, *PASSES])
def test_single_precision_stays_and_halves_the_bytes(row):
    """No hyper-parameter, matrix or mask lifts float32 to float64."""
    f = Bowls()
    alg = {**ROWS, **PASSES}[row](4.0, np.arange(5))
    loads = []
    for dtype in (np.float32, np.float64):
        W = np.arange(10).reshape(5, 2).astype(dtype)
        state = play(alg, f, alg.init(f, W[:1], W) if isinstance(alg, Ditto) else alg.init(f, W))
        if dtype is np.float32:
            assert all(v.dtype == np.float32 for k, v in arrays(state).items() if k != "load")
        loads.append(getattr(state, "load", None))
    if loads[0] is not None and "top" not in row and "quantised" not in row and not row.startswith("beer"):
        assert close(loads[0] * 2, loads[1])


# the draws


@pytest.mark.parametrize("batch", [1, 3, 4])
def test_a_pass_takes_every_sample_once(batch):
    """n_i // batch minibatches a pass of each client, no sample twice in a pass; those who have finished wait."""
    f = PROBLEMS["softmax"](WHOLE)
    local = Local(0.1, 2, passes=True, batch=batch)
    rows, active = local.draw(f, stream(0, 0, "draw"))
    steps = f.n // batch
    assert rows.shape == (2 * steps.max(), M, batch) and (active.sum(axis=0) == 2 * steps).all()
    assert (local.each(f) == 2 * steps).all()
    for i, n in enumerate(f.n):
        for half in np.split(np.arange(len(rows)), 2):
            seen = rows[half][active[half, i], i].reshape(-1)
            assert len(set(seen)) == len(seen) == n // batch * batch and seen.max() < n
    again = local.draw(f, stream(0, 0, "draw"))
    assert (again.rows == rows).all() and (local.draw(f, stream(0, 1, "draw")).rows != rows).any()


def test_every_order_of_a_pass_is_as_likely():
    """Four samples in minibatches of two: the first one is each of six pairs equally often."""
    f = PROBLEMS["softmax"](WHOLE[:1])
    local, count = Local(0.1, 1, passes=True, batch=2), np.zeros(16)
    for t in range(3000):
        count[sum(2 ** local.draw(f, stream(0, t, "draw")).rows[0, 0])] += 1
    assert (count > 0).sum() == 6 and np.abs(count[count > 0] - 500).max() <= 5 * np.sqrt(3000 / 6 * 5 / 6)


def test_passes_and_steps_differ_only_where_said():
    """Without minibatches a pass is a step, to the bit; with one minibatch as large as everybody's samples it is too."""
    f = PROBLEMS["logistic"](WHOLE)
    W = np.ones((M, f.d))
    ends = [
        play(alg, f, alg.init(f, W)).X
        for alg in (DFedAvgM(Local(0.1, 3, passes=p), Graph("ring")) for p in (True, False))
    ]
    assert (ends[0] == ends[1]).all()
    batches = [
        play(alg, f, alg.init(f, W)).X
        for alg in (DFedAvgM(Local(0.1, 3, passes=p, batch=2), Graph("ring")) for p in (True, False))
    ]
    assert np.abs(batches[0] - batches[1]).max() > 1e-3


def test_the_graph_is_drawn_first():
    """Methods of one seed have one graph, whatever their minibatches and compressors."""
    f = PROBLEMS["softmax"](WHOLE)
    g = Graph("groups", M=1)
    algs = [
        DFedAvgM(Local(0.1), g),
        DFedAvgM(Local(0.1, 3, batch=2), g, compressor=Compressor("random")),
        DFedSAM(Local(0.1, 2, batch=1, passes=True), g, rho=1.0),
        BEER(Local(0.1), g, gamma=0.1),
        GossipFL(Local(0.1), g, weights="metropolis"),
    ]
    for t in range(4):
        V = [alg.draw(f, stream(7, t, "draw")).V for alg in algs]
        assert all((v == V[0]).all() for v in V)


# compressors


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([k for k in KINDS if k != "none"]), st.integers(1, 12), st.integers(0, 2**32), st.floats(0.05, 1.0)
)
def test_compressors_are_contractions(kind, d, seed, ratio):
    """|C(x) - x|^2 <= (1 - k/d) |x|^2 for the largest entries, below |x|^2 for any; zero stays, and so does the sign."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((3, d)) * rng.integers(0, 2, (3, d))
    C = Compressor(kind, ratio)
    got = C.apply(X, C.draw(rng, 3, d))
    left, whole = ((got - X) ** 2).sum(axis=1), (X**2).sum(axis=1)
    assert (left <= (1 - C.kept(d) / d) * whole * (1 + 1e-12) if kind == "top" else left <= whole * (1 + 1e-12)).all()
    assert (got * X >= 0).all() and not C.apply(X * 0, C.draw(rng, 3, d)).any()
    if kind != "quantised":
        assert ((got == X) | (got == 0)).all() and (np.count_nonzero(got, axis=1) <= C.kept(d)).all()


def test_the_largest_entries_of_each_row(backend):
    """As many as asked for, of equal ones the first, a number of their own for each row; zero of them too."""
    _, xp, device = backend
    xp = xp or np
    A = np.array([[1.0, 2.0, 2.0, 2.0], [0.0, 0.0, 0.0, 0.0], [4.0, 3.0, 2.0, 1.0], [1.0, 1.0, 5.0, 1.0]])
    k = np.array([2, 3, 0, 4])
    want = [[0, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0], [1, 1, 1, 1]]
    got = to_host(largest_entries(xp.asarray(A, device=device), k))
    assert got.astype(int).tolist() == want


# where they end


def gap(f, X):
    """f at the mean model, and the largest f at an own one, less the optimum."""
    best = f.optimum().f_star
    mean = X.mean(axis=0, keepdims=True)
    return float(f.value(mean).mean()) - best, max(float(f.value(x[None]).mean()) for x in X) - best


def after(alg, f, rounds):
    """The models after so many rounds from zero."""
    return play(alg, f, alg.init(f), rounds, seed=0).X


@pytest.mark.parametrize(
    "compressor", [Compressor("top"), Compressor("random"), Compressor("quantised", 1 / 16), Compressor()]
)
@pytest.mark.parametrize("kind", ["ring", "tree", "full"])
def test_beer_reaches_the_optimum_with_a_constant_step(kind, compressor):
    """Clients of different minimisers, every graph and compressor: mean and own models, to rounding; every tracker ends at zero."""
    f = quadratics(WHOLE)
    alg = BEER(Local(0.1 / f.constants().L), graph(kind, WHOLE), gamma=0.3, compressor=compressor)
    state = play(alg, f, alg.init(f), 2500, seed=0)
    assert max(gap(f, state.X)) <= 1e-11
    assert np.abs(state.Y).max() <= 1e-5


DECAYING = {
    "dfedavgm": lambda local: DFedAvgM(local, Graph("ring")),
    "dfedavgm, groups": lambda local: DFedAvgM(local, Graph("groups")),
    "dfedavgm, top": lambda local: DFedAvgM(local, Graph("full"), compressor=Compressor("top")),
    "dfedsam": lambda local: DFedSAM(local, Graph("ring"), rho=1e-6),
    "gossipfl": lambda local: GossipFL(local, Graph("ring")),
    "gossipfl, groups": lambda local: GossipFL(local, Graph("groups")),
}
EXACT = ("dfedavgm, top",)  # on the full graph one step is a step on the mean, but for what is not sent


@pytest.mark.parametrize("name", [n for n in DECAYING if n not in EXACT])
def test_a_decaying_step_reaches_the_optimum_and_a_constant_one_does_not(name):
    """One full gradient a round on clients of different minimisers: a constant step leaves a bias of its own size, which a decaying
    one takes along until it is as small as 1 - decay."""
    f = quadratics(WHOLE)
    L = f.constants().L
    start = gap(f, np.zeros((M, f.d)))[0]
    found = {}
    for decay in (1, 0.999):
        alg = DECAYING[name](Local(0.5 / L, momentum=0.0, decay=decay))
        found[decay] = max(gap(f, after(alg, f, 7000)))
    assert found[0.999] <= 1e-5 * start < 1e-3 * start <= found[1]


def test_the_full_graph_is_gradient_descent():
    """Uniform weights of everybody: one local step a round is a step of gradient descent on the mean, to the optimum."""
    f = quadratics(WHOLE)
    eta = 1 / f.constants().L
    alg = DFedAvgM(Local(eta, momentum=0.9), Graph("full"))  # of one step momentum says nothing
    w = np.zeros((1, f.d))
    for _ in range(50):
        w = w - eta * f.grad(w).mean(axis=0, keepdims=True)
    assert close(after(alg, f, 50), np.repeat(w, M, axis=0))
    assert max(gap(f, after(alg, f, 600))) <= 1e-12


def test_momentum_is_polyaks_on_one_client():
    """z^{h+1} = z^h - eta g + beta (z^h - z^{h-1}), to the optimum of an ill-conditioned client in fewer steps."""
    A = np.diag([1.0, 0.01])[None]
    f = QuadraticClients(A, np.array([[1.0, 1.0]]))
    ends = [
        play(alg, f, alg.init(f), 1).X
        for alg in (DFedAvgM(Local(1.0, 150, momentum=beta), Graph("full")) for beta in (0.0, 0.8))
    ]
    left = [np.abs(f.grad(X)).max() for X in ends]
    assert left[1] <= 0.01 * left[0]


def test_ditto_ends_at_the_prox_of_the_optimum():
    """One full gradient a round: w at the optimum, every own model at the minimiser of f_i + lam/2 |v - w*|^2."""
    f = quadratics(WHOLE)
    L = f.constants().L
    alg = Ditto(Local(0.5 / L), 2, lam=0.7, alpha=1)
    state = play(alg, f, alg.init(f), 3000, seed=0)
    w_star = f.optimum().w_star
    assert close(state.w, w_star, 1e-10) and close(state.Own, f.prox(w_star, 0.7), 1e-10)
    assert close(alg.personal(f, state), state.Own)


def test_sam_ends_where_the_gradient_uphill_vanishes():
    """rho moves the end by its own order: on one quadratic client, |A (z + delta) - b| = 0 at a distance rho from the minimiser."""
    f = QuadraticClients(np.diag([2.0, 1.0])[None], np.array([[1.0, 1.0]]))
    alg = DFedSAM(Local(0.05, 5), Graph("full"), rho=0.3)
    state = play(alg, f, alg.init(f), 400, seed=0)
    far = np.linalg.norm(state.X[0] - f.optimum().w_star[0])
    assert 0 < far <= 0.3 and np.isfinite(state.X).all()
    still = alg.init(f, f.optimum().w_star)
    assert close(play(alg, f, still, 3).X, f.optimum().w_star)  # no way uphill where the gradient is zero


# what they keep


@settings(max_examples=25, deadline=None)
@given(
    st.integers(2, 9),
    st.integers(0, 2**32),
    st.sampled_from(KINDS),
    st.sampled_from(["ring", "groups", "full"]),
    st.booleans(),
)
def test_the_trackers_of_beer_have_the_mean_gradient(m, seed, compressor, kind, noisy):
    """In every round, whatever is compressed, with minibatches that of the gradients used; and the mean of X moves along it."""
    rng = np.random.default_rng(seed)
    f = QuadraticClients(np.stack([np.diag(a) for a in rng.uniform(0.1, 1, (m, 3))]), rng.standard_normal((m, 3)))
    alg = BEER(
        Local(0.2, batch=2 if noisy else None, weight_decay=0.1),
        Graph(kind),
        gamma=0.4,
        compressor=Compressor(compressor),
    )
    state = alg.init(f, rng.standard_normal((m, 3)))
    for t in range(6):
        before, state = state, alg.step(f, state, alg.draw(f, stream(seed, t, "draw")))
        assert close(state.Y.mean(axis=0), state.D.mean(axis=0), 1e-13)
        assert close(state.X.mean(axis=0), before.X.mean(axis=0) - 0.2 * before.Y.mean(axis=0), 1e-13)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 9), st.integers(0, 2**32), st.sampled_from(["ring", "groups", "full"]))
def test_doubly_stochastic_mixing_keeps_the_mean_of_what_was_trained(m, seed, kind):
    """Of DFedAvgM's and DFedSAM's models the mean is that after local training; GossipFL's mixing keeps it too."""
    rng = np.random.default_rng(seed)
    f = QuadraticClients(np.stack([np.diag(a) for a in rng.uniform(0.1, 1, (m, 3))]), rng.standard_normal((m, 3)))
    W, g = rng.standard_normal((m, 3)), Graph(kind)
    for alg in (DFedAvgM(Local(0.2, 2), g), DFedSAM(Local(0.2, 2), g, rho=0.1)):
        state = play(alg, f, alg.init(f, W), 2, seed=seed)
        assert close(state.X.mean(axis=0), state.Z.mean(axis=0), 1e-13)
    flat = QuadraticClients(np.zeros((m, 3, 3)), np.zeros((m, 3)))
    gossip = GossipFL(Local(0.2), g)
    assert close(play(gossip, flat, gossip.init(flat, W), 3, seed=seed).X.mean(axis=0), W.mean(axis=0), 1e-13)


@pytest.mark.parametrize("row", [r for r in ROWS if r.startswith("beer")])
def test_the_invariant_of_beer_is_a_relation(row):
    """The printed invariant, evaluated at a reached state."""
    from fedtheory.measure.observe import instance

    f = PROBLEMS["quadratic"](WHOLE)
    alg = ROWS[row](scale("quadratic"), WHOLE)
    state = play(alg, f, begin(alg, f), 4)
    (relation,) = alg.invariants(instance(f, alg), state)
    assert np.abs(np.asarray(relation.lhs, dtype=float)).max() <= 1e-20


# what is measured, what it costs


@pytest.mark.parametrize("name", ["dfedavgm", "dfedsam", "gossipfl", "beer"])
def test_mean_model_and_own_models_are_both_measured(name):
    """The objective at the mean model, the mean of f_i at the own ones, how far these are apart; the models by name."""
    f = PROBLEMS["logistic"](WHOLE)
    entry = methods()[name]
    alg, first = entry.make({**entry.defaults, "eta": 0.5}, f)
    observers = observers_of(entry, Watch(alg, f, f, first))
    assert set(observers) == {"objective", "error", "own_objective", "consensus"}
    state = play(alg, f, first, 3)
    mean = state.X.mean(axis=0, keepdims=True)
    got = {k: float(of(state)[0]) for k, of in observers.items()}
    want = {
        "objective": f.value(mean).mean(),
        "error": (f.grad(mean).mean(axis=0) ** 2).sum(),
        "own_objective": f.value(state.X).mean(),
        "consensus": ((state.X - mean) ** 2).sum(axis=1).mean(),
    }
    assert all(close(got[k], want[k]) for k in want) and got["consensus"] > 0
    found = entry.models(alg, f, state)
    assert set(found) == ({"own", "local"} if hasattr(state, "Z") else {"own"}) and found["own"] is state.X


def cost(name, m=6, rounds=3, **options):
    """Gradients and bytes of a run."""
    rng = np.random.default_rng(0)
    f = (
        PROBLEMS["softmax"](WHOLE)
        if m == M
        else QuadraticClients(np.stack([np.eye(4)] * m), rng.standard_normal((m, 4)))
    )
    entry = methods()[name]
    alg, first = entry.make({**entry.defaults, **options}, f)
    return entry.cost(alg, f, play(alg, f, first, rounds)), f.d


def test_bytes_and_gradients_of_the_busiest_node():
    """Sent and received over the run: whole vectors, compressed ones, masks, two messages of BEER; a hub; a server."""
    d, number = 4, 8
    assert cost("dfedavgm", E=5)[0] == {"gradients": 6 * 5 * 3, "bytes": 3 * 4 * d * number}
    assert cost("dfedsam", E=5)[0] == {"gradients": 2 * 6 * 5 * 3, "bytes": 3 * 4 * d * number}
    assert cost("dfedavgm", graph="full")[0]["bytes"] == 3 * 10 * d * number
    assert cost("dfedavgm", graph="star: 0-1 0-2 0-3")[0]["bytes"] == 3 * 6 * d * number
    assert cost("dfedavgm", compress="random")[0]["bytes"] == 3 * 4 * d * number / 2
    assert cost("dfedavgm", compress="top")[0]["bytes"] == 3 * 4 * (d * number / 2 + 1)  # and which, a bit an entry
    assert cost("dfedavgm", compress="quantised")[0]["bytes"] == 3 * 4 * (d * number / 2 + number)  # and the unit
    assert cost("beer", compress="random")[0] == {"gradients": 6 * 3, "bytes": 3 * 4 * d * number}  # two halves
    assert cost("ditto", S=2)[0] == {"gradients": 2 * 5 * 3, "bytes": 3 * 2 * 2 * d * number}
    (found, _), f = cost("gossipfl", M=2), QuadraticClients(np.stack([np.eye(4)] * 6), np.zeros((6, 4)))
    entry = methods()["gossipfl"]
    alg, _ = entry.make({**entry.defaults, "M": 2}, f)
    kept = sum(int(alg.draw(f, stream(1, t, "draw")).b.sum()) for t in range(3))
    assert found["bytes"] == 4 * kept * number
    n = PROBLEMS["softmax"](WHOLE).n
    assert cost("dfedavgm", m=M, batch=2, E=3)[0]["gradients"] == 3 * 3 * int((n // 2).sum())
    assert cost("dfedavgm", m=M, batch=2, E=3, unit="steps")[0]["gradients"] == 3 * 3 * M


@pytest.mark.parametrize("name", ["dfedavgm", "dfedsam", "gossipfl", "beer", "ditto"])
def test_an_interrupted_run_goes_on_to_the_same_bytes(name, tmp_path, backend):
    """A checkpoint between two rounds goes through the disk; the traces agree in every bit."""
    _, xp, device = backend
    f = PROBLEMS["logistic"](WHOLE, xp=xp, device=device)
    entry = methods()[name]
    alg, first = entry.make({**entry.defaults, "batch": 2}, f)
    options = {"seed": 2, "observers": observers_of(entry, Watch(alg, f, f, first))}
    whole = run(alg, f, first, rounds=6, **options)
    kept = []

    class Stop(Exception):
        pass

    class Until:
        def __getattr__(self, name):
            return getattr(alg, name)

        def step(self, problem, state, draws):
            if state.t == 3:
                raise KeyboardInterrupt
            return alg.step(problem, state, draws)

    with pytest.raises(KeyboardInterrupt):
        run(
            Until(),
            f,
            first,
            rounds=6,
            save=lambda c: kept.append(store.save_checkpoint(tmp_path, {"n": name}, c)),
            **options,
        )
    resumed = run(alg, f, first, rounds=6, resume=store.load_checkpoint(tmp_path, {"n": name}, first, f), **options)
    assert kept and all((whole[k] == resumed[k]).all() for k in whole.columns)
    one, other = (store.flatten(t.state, "s") for t in (whole, resumed))
    assert one.keys() == other.keys() and all((one[k] == other[k]).all() for k in one)


# what they refuse

L_ = Local(0.1)
BAD = [
    (lambda f: Local(0.0), r"Local\(eta=...\) must be positive, got 0.0"),
    (lambda f: Local(0.1, 0), r"Local\(E=...\) must be an integer of at least 1, got 0"),
    (lambda f: Local(0.1, momentum=-0.1), r"Local\(momentum=...\) must be at least 0 and below 1, got -0.1"),
    (lambda f: Local(0.1, weight_decay=-1), r"Local\(weight_decay=...\) must be at least 0"),
    (lambda f: Local(0.1, decay=1.5), r"Local\(decay=...\) must be at most 1, got 1.5"),
    (lambda f: Local(0.1, decay=0), r"Local\(decay=...\) must be positive, got 0"),
    (lambda f: Local(0.1, passes=1), r"Local\(passes=...\) must be True or False, got 1"),
    (lambda f: Local(0.1, batch=0), r"Local\(batch=...\) must be an integer of at least 1, got 0"),
    (
        lambda f: Local(0.1, passes=True, batch=5).draw(f, stream(0, 0, "x")),
        r"Local\(batch=..., passes=True\) needs clients of at least 5 samples, and client 0 has 4",
    ),
    (
        lambda f: Compressor("tpo"),
        r"Compressor\(kind=...\) must be one of none, top, .*, got 'tpo'; did you mean top\?",
    ),
    (lambda f: Compressor("top", 2), r"Compressor\(ratio=...\) must be at most 1, got 2"),
    (
        lambda f: compressor_of({"compress": "none", "ratio": 0.5}),
        r"--ratio goes with --compress top, random, quantised, got --compress none",
    ),
    (
        lambda f: BEER(Local(0.1, momentum=0.5), Graph("ring"), gamma=1),
        r"BEER\(local=...\) must be one step without momentum",
    ),
    (lambda f: BEER(L_, Graph("ring"), gamma=0), r"BEER\(gamma=...\) must be positive, got 0"),
    (
        lambda f: BEER(L_, Graph("random", M=2), gamma=1).init(f),
        r"BEER needs a symmetric doubly stochastic mixing matrix, and",
    ),
    (
        lambda f: BEER(L_, edges([(0, 1)], directed=True), gamma=1).init(f),
        r"BEER needs a symmetric doubly stochastic mixing matrix, and that of a file of directed pairs, is none",
    ),
    (
        lambda f: DFedAvgM(L_, Graph("random", M=2)).init(f),
        r"DFedAvgM needs a symmetric doubly stochastic mixing matrix",
    ),
    (
        lambda f: DFedSAM(L_, Graph("random", M=2), rho=1).init(f),
        r"DFedSAM needs a symmetric doubly stochastic mixing matrix",
    ),
    (
        lambda f: DFedSAM(L_, edges([(0, 1), (1, 2)]), rho=1, weights="uniform").init(f),
        r"DFedSAM needs .*, and uniform weights give none .*; take metropolis",
    ),
    (
        lambda f: GossipFL(L_, Graph("random", M=2), weights="metropolis").init(f),
        r"GossipFL\(weights='metropolis'\) needs clients that hear each other",
    ),
    (
        lambda f: GossipFL(L_, Graph("random", M=5)).init(f),
        r"GossipFL\(graph=...\) must have M below .*, M <= 4, got M = 5",
    ),
    (lambda f: DFedAvgM(L_, Graph("ring")).init(f, np.ones((2, 3))), r"DFedAvgM.init\(X0=...\) must be an array"),
    (lambda f: Ditto(L_, 0, lam=1), r"Ditto\(E_own=...\) must be an integer of at least 1, got 0"),
    (
        lambda f: Ditto(L_, 1, lam=1, S=6).init(f),
        r"Ditto\(S=...\) must be an integer of at least 1 and at most 5, got 6",
    ),
]


@pytest.mark.parametrize(("make", "message"), BAD, ids=[f"{k}" for k in range(len(BAD))])
def test_refused(make, message):
    """The call as typed, the rule and the value."""
    with pytest.raises(UsageError, match=message):
        make(PROBLEMS["logistic"](WHOLE))
