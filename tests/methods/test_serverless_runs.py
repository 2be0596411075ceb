"""Runs of methods without a server, and of Ditto: where they end, what they keep, what is measured of them, what they cost."""

import numpy as np
import pytest
from algorithm_rows import PROBLEMS, WHOLE, M, close, play, quadratics, scale
from hypothesis import given, settings
from hypothesis import strategies as st
from serverless_rows import ROWS, begin, graph

from fedtheory.algorithms.beer import BEER
from fedtheory.algorithms.compression import KINDS, Compressor
from fedtheory.algorithms.dfedavgm import DFedAvgM
from fedtheory.algorithms.dfedsam import DFedSAM
from fedtheory.algorithms.ditto import Ditto
from fedtheory.algorithms.gossipfl import GossipFL
from fedtheory.algorithms.local import Local
from fedtheory.algorithms.mixing import matrix
from fedtheory.graphs import Graph
from fedtheory.measure.observe import observers_of
from fedtheory.method import Watch
from fedtheory.random import stream
from fedtheory.registry import methods
from fedtheory.runs import store
from fedtheory.runs.loop import run
from problems.clients.quadratic import QuadraticClients

# where they end


def gap(f, X):
    """f at the mean model, and the largest f at an own one, less the optimum."""
    best = f.optimum().f_star
    mean = X.mean(axis=0, keepdims=True)
    return float(f.value(mean).mean()) - best, max(float(f.value(x[None]).mean()) for x in X) - best


def after(alg, f, rounds):
    """The models after so many rounds from zero."""
    return play(alg, f, alg.init(f), rounds, seed=0).X


@pytest.mark.in_turn(3)
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
    "dfedsam": lambda local: DFedSAM(local, Graph("ring"), rho=1e-6),
    "gossipfl": lambda local: GossipFL(local, Graph("ring")),
    "gossipfl, groups": lambda local: GossipFL(local, Graph("groups")),
}


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", DECAYING)
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


def test_algorithm_2_mixes_moves_and_not_models():
    """x_i + sum_j V_ij Q(z_j - x_j), even with all of a move: the optimum on the full graph, each client's own minimiser where
    pairs change, and infinity on a ring, where V has a negative eigenvalue."""
    f = quadratics(WHOLE)
    L, own = f.constants().L, np.linalg.solve(f.A, f.b[..., None])[..., 0]
    whole = Compressor("top", 1)
    assert max(gap(f, after(DFedAvgM(Local(0.5 / L), Graph("full"), compressor=whole), f, 4000))) <= 1e-12
    assert close(after(DFedAvgM(Local(0.5 / L), Graph("groups"), compressor=whole), f, 4000), own, 1e-12)
    assert np.linalg.eigvalsh(matrix(Graph("ring").draw(None, M), "metropolis")).min() < 0
    assert np.abs(after(DFedAvgM(Local(0.5 / L), Graph("ring"), compressor=whole), f, 400)).max() > 1e6
    assert max(gap(f, after(DFedAvgM(Local(0.5 / L, decay=0.999), Graph("ring")), f, 4000))) < 1e-3  # Algorithm 1 there


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
