"""Methods with masks: the printed lines client by client, backends, permutations, what they cost, what they refuse."""

from types import SimpleNamespace

import numpy as np
import pytest
from algorithm_rows import WHOLE, M, arrays, close, frozen, play
from boxes import One
from sparse_boxes import SPARSE_BOXES
from sparse_rows import ON, ROWS, begin, biased, diagonal

from fedtheory._arrays import to_host
from fedtheory.algorithms.dadpfl import DADPFL
from fedtheory.algorithms.dispfl import DisPFL
from fedtheory.algorithms.feddst import FedDST
from fedtheory.algorithms.local import Local, LocalDraws
from fedtheory.algorithms.masks import first_masks, kept
from fedtheory.algorithms.pruning import Pruning
from fedtheory.algorithms.sparse import Masking
from fedtheory.errors import UsageError
from fedtheory.graphs import Graph, edges
from fedtheory.measure.observe import observers_of
from fedtheory.method import Watch
from fedtheory.problem import layers_of
from fedtheory.random import stream
from fedtheory.registry import methods
from fedtheory.runs import store
from fedtheory.runs.loop import run
from problems.clients.quadratic import QuadraticClients


def unstacked(state):
    """A state with a list of vectors for every stack."""
    out = SimpleNamespace(**state._asdict())
    for name, value in vars(out).items():
        if isinstance(value, np.ndarray) and value.ndim == 2:
            setattr(out, name, np.array(value[0]) if hasattr(out, "w") else [np.array(v) for v in value])
    return out


def cases(*names):
    """All rows on these problems; passes where there are samples."""
    return [(row, name) for row in ROWS for name in names if name != "wide" or "passes" not in row]


@pytest.mark.parametrize(("row", "name"), cases(*ON))
def test_rounds_follow_the_printed_lines_client_by_client(row, name):
    """Six rounds against the loop over clients and coordinates on the same draws; nothing is written in place."""
    f = ON[name](WHOLE)
    alg = ROWS[row](WHOLE)
    state = begin(alg, f)
    want, clients = unstacked(state), [One(ON[name](WHOLE[i : i + 1])) for i in range(M)]
    for t in range(6):
        draws = frozen(alg.draw(f, stream(1, t, "draw")))
        SPARSE_BOXES[type(alg).__name__](alg, clients, layers_of(f), want, draws)
        want.t += 1
        state = alg.step(f, frozen(state), draws)
    for field, got in arrays(state).items():
        if field != "load":
            expected = getattr(want, field)
            assert close(got, np.asarray(expected).reshape(got.shape), 1e-12), field
    if isinstance(alg, DADPFL):
        assert (state.t_star, state.time) == (want.t_star, want.time) and close(state.score, want.score, 1e-12)


@pytest.mark.parametrize("row", ROWS)
def test_one_client(row):
    """m = 1: nobody to hear, nothing to send but to a server, the same lines."""
    f = biased(WHOLE[:1])
    alg = ROWS[row](WHOLE[:1])
    state = begin(alg, f)
    want = unstacked(state)
    for t in range(3):
        draws = alg.draw(f, stream(2, t, "draw"))
        SPARSE_BOXES[type(alg).__name__](alg, [One(f)], layers_of(f), want, draws)
        want.t += 1
        state = alg.step(f, state, draws)
    got, expected = (state.w[0], want.w) if hasattr(state, "w") else (state.X[0], want.X[0])
    assert close(got, expected) and state.communications == 3
    assert hasattr(state, "w") or not state.load.any()


def permuted(value, order):
    """Draws or a state with the clients renamed: client order[j] becomes client j."""
    if isinstance(value, LocalDraws):
        rows = None if value.rows is None else value.rows[:, order]
        return LocalDraws(rows, None if value.active is None else value.active[:, order])
    if isinstance(value, tuple):
        named = {k: permuted(v, order) for k, v in value._asdict().items()}
        for pair in {"hears", "indices", "chance"} & set(named):
            named[pair] = None if getattr(value, pair) is None else getattr(value, pair)[order][:, order]
        if getattr(value, "rows", None) is not None:
            named["rows"] = value.rows[:, order]
        return type(value)(**named)
    return value[order] if isinstance(value, np.ndarray) and len(value) > 1 else value


@pytest.mark.parametrize("row", ROWS)
def test_a_permutation_of_the_clients_permutes_the_run(row):
    """Renaming the clients in problem and draws renames models, masks, loads; first masks are drawn here."""
    order = np.array([3, 0, 4, 2, 1])
    f, g = biased(WHOLE), biased(order)
    a, b = ROWS[row](WHOLE), ROWS[row](order)
    s = a.init(f)
    t = permuted(s, order)
    for k in range(4):
        draws = a.draw(f, stream(4, k, "draw"))
        s, t = a.step(f, s, draws), b.step(g, t, permuted(draws, order))
    for field, value in arrays(permuted(s, order)).items():
        assert close(arrays(t)[field], value), field


@pytest.mark.parametrize(("row", "name"), cases("biased", "wide"))
def test_backends_give_the_same_iterates(row, name, backend):
    """One seed: the same draws, masks and iterates everywhere; shapes, dtype and device stay."""
    _, xp, device = backend
    f, host = ON[name](WHOLE, xp=xp, device=device), ON[name](WHOLE)
    alg = ROWS[row](WHOLE)
    first = begin(alg, f)
    state, want = play(alg, f, first, 4), arrays(play(alg, host, begin(alg, host), 4))
    for field, value in state._asdict().items():
        if hasattr(value, "shape"):
            assert close(to_host(value), want[field]), field
            before = getattr(first, field)
            assert value.shape == before.shape and value.dtype == before.dtype and type(value) is type(before), field


class Bowls:
    """h_i |w - c_i|^2/2 in single precision, without `subset`."""

    xp, device, m, d = np, None, 5, 6

    def __init__(self):
        self.n = np.array([3, 4, 5, 3, 4])
        self.c = np.random.default_rng(0).standard_normal((5, 6)).astype(np.float32)
        self.h = np.array([1, 2, 4, 1, 2], dtype=np.float32)[:, None]

    def grad(self, W):
        return self.h * (W - self.c)

    def minibatch(self, rows):
        return self


@pytest.mark.parametrize("row", ROWS)
def test_single_precision_stays(row):
    """No hyper-parameter, mask or mean lifts float32 to float64; a problem without `subset` is computed whole."""
    f, alg = Bowls(), ROWS[row](WHOLE)
    start = np.ones((1 if isinstance(alg, FedDST) else 5, 6), dtype=np.float32)
    whole = QuadraticClients(f.h[:, :, None] * np.eye(6), f.h * f.c)
    state, other = alg.init(f, start), alg.init(whole, start.astype(float))
    for t in range(3):
        draws = alg.draw(f, stream(1, t, "draw"))
        state = alg.step(f, state, draws)
        nothing = LocalDraws(*(None if v is None else v * 0 for v in draws.local[:1]), draws.local.active)
        draws = draws._replace(local=nothing, rows=None if draws.rows is None else draws.rows * 0)
        if isinstance(alg, FedDST) and draws.rest.rows is not None:
            draws = draws._replace(rest=LocalDraws(draws.rest.rows * 0, draws.rest.active))
        other = alg.step(whole, other, draws)  # of one sample a client
    assert all(v.dtype == np.float32 for k, v in arrays(state).items() if k in ("X", "w", "X0"))
    name = "w" if hasattr(state, "w") else "X"
    if getattr(alg, "alpha", 1) is not None:  # else weighed by numbers of samples, which are others there
        assert close(getattr(state, name), getattr(other, name), 1e-4) and (state.mask == other.mask).all()


# what is measured, what it costs


def test_bytes_of_the_busiest_node_by_densities():
    """Numbers that masks keep, and a bit a coordinate, to and from every neighbour; new densities of those who were waited for."""
    f = diagonal(np.ones((6, 16)), np.ones((6, 16)))
    masks = first_masks(np.arange(6), layers_of(f), [8])
    ring = DisPFL(Local(0.1), Graph("ring"), masking=Masking(0.5))
    state = play(ring, f, ring.init(f, None, masks), 3)
    assert (state.load == 3 * 4 * (8 * 8 + 2)).all()
    assert methods()["dispfl"].cost(ring, f, state) == {"gradients": 6 * 3 * 2, "bytes": 3 * 4 * 66}
    star = DisPFL(Local(0.1), edges([(0, 1), (0, 2), (0, 3)]), masking=Masking(0.5))
    assert play(star, f, star.init(f, None, masks), 1).load.tolist() == [6 * 66, 2 * 66, 2 * 66, 2 * 66, 0, 0]
    feddst = FedDST(Local(0.1, 2), masking=Masking(0.5), interval=2, S=2, alpha=1)
    state = play(feddst, f, feddst.init(f, None, masks[:1]), 3)
    assert methods()["feddst"].cost(feddst, f, state) == {"gradients": 2 * (2 * 3 + 1), "bytes": 3 * 2 * 2 * 66}
    # a chain in which everybody waits for the one before: half of what is sent has the new density
    pairs = Graph("pairs", pairs=tuple((j, j + 1) for j in range(5)))
    alg = DADPFL(
        Local(0.5), pairs, masking=Masking(0.5, T=9), pruning=Pruning(delta_pr=2.0, eta_c=3.0, gamma=1.0, target=0.99)
    )
    state = alg.init(f, np.random.default_rng(0).standard_normal((6, 16)), masks)
    for k in range(2):
        draws = alg.draw(f, stream(0, k, "draw"))._replace(order=np.arange(6))
        before, state = state, alg.step(f, state, draws)
    old, new = kept(before.mask)[:, 0] * 8 + 2, kept(state.mask)[:, 0] * 8 + 2
    assert (new < old).any() and state.time == 12
    moved = state.load - before.load
    assert moved.tolist() == [new[0], *(new[:4] + new[1:5]), new[4]]


def test_what_is_recorded():
    """Mean model and own models, density, time with waiting; the hyper-parameters by the names of the paper's catalogue."""
    f = biased(WHOLE)
    entry = methods()["dadpfl"]
    alg, first = entry.make({**entry.defaults, "wait": 1, "T": 9}, f)
    watch = Watch(alg, f, f, first)
    assert set(observers_of(entry, watch)) == {"objective", "error", "own_objective", "consensus"}
    state = play(alg, f, first, 3)
    got = {k: float(np.asarray(of(state)).item()) for k, of in {**observers_of(entry, watch), **entry.numbers}.items()}
    assert got["density"] == state.mask.mean() < 1 and got["time"] == state.time > 3 and got["t_star"] == state.t_star
    assert got["bytes"] == state.load.max() == entry.cost(alg, f, state)["bytes"]
    assert close(got["own_objective"], f.value(state.X).mean())
    assert entry.models(alg, f, state)["own"] is state.X
    assert entry.given(watch, None) == {"m": 5, "eta": 0.1, "E_l": 5, "M": 4}


@pytest.mark.parametrize("name", ["dadpfl", "dispfl", "feddst"])
def test_an_interrupted_run_goes_on_to_the_same_bytes(name, tmp_path, backend):
    """A checkpoint between two rounds goes through the disk, masks and votes as well; the traces agree in every bit."""
    _, xp, device = backend
    f = biased(WHOLE, xp=xp, device=device)
    entry = methods()[name]
    alg, first = entry.make(
        {**entry.defaults, "batch": 2, "T": 6, **({"delta-pr": 2.0} if name == "dadpfl" else {})}, f
    )
    options = {"seed": 2, "observers": observers_of(entry, Watch(alg, f, f, first))}
    whole = run(alg, f, first, rounds=6, **options)
    kept_ = []

    class Until:
        def __getattr__(self, name):
            return getattr(alg, name)

        def step(self, problem, state, draws):
            if state.t == 3:
                raise KeyboardInterrupt
            return alg.step(problem, state, draws)

    def save(checkpoint):
        kept_.append(store.save_checkpoint(tmp_path, {"n": name}, checkpoint))

    with pytest.raises(KeyboardInterrupt):
        run(Until(), f, first, rounds=6, save=save, **options)
    resumed = run(alg, f, first, rounds=6, resume=store.load_checkpoint(tmp_path, {"n": name}, first, f), **options)
    assert kept_ and all((whole[k] == resumed[k]).all() for k in whole.columns)
    one, other = (store.flatten(t.state, "s") for t in (whole, resumed))
    assert one.keys() == other.keys() and all((one[k] == other[k]).all() for k in one)


# what they refuse

L = Local(0.1)
G = Graph("random", M=3)
BAD = [
    (lambda f: Masking(0.0), r"Masking\(density=...\) must be positive, got 0.0"),
    (lambda f: Masking(1.1), r"Masking\(density=...\) must be at most 1, got 1.1"),
    (lambda f: Masking(alpha=2), r"Masking\(alpha=...\) must be at most 1, got 2"),
    (lambda f: Masking(T=0), r"Masking\(T=...\) must be an integer of at least 1, got 0"),
    (lambda f: Masking(first="erc"), r"Masking\(first=...\) must be one of erk, uniform, got 'erc'; did you mean erk"),
    (lambda f: Pruning(delta_pr=0), r"Pruning\(delta_pr=...\) must be positive, got 0"),
    (lambda f: Pruning(delta_v=1.5), r"Pruning\(delta_v=...\) must be at most 1, got 1.5"),
    (lambda f: Pruning(b=-1), r"Pruning\(b=...\) must be at least 0"),
    (lambda f: Pruning(c=0.0), r"Pruning\(c=...\) must be positive, got 0.0"),
    (lambda f: Pruning(eta_c=-0.5), r"Pruning\(eta_c=...\) must be at least 0"),
    (lambda f: Pruning(p=2.0), r"Pruning\(q=...\) must be above p = 2.0, got 1.0"),
    (lambda f: Pruning(beta=float("nan")), r"Pruning\(beta=...\) must be positive, got nan"),
    (lambda f: Pruning(vote="<"), r"Pruning\(vote=...\) must be one of below, at-least, got '<'"),
    (
        lambda f: Pruning(exponent="print"),
        r"Pruning\(exponent=...\) must be one of printed, usual.*did you mean printed",
    ),
    (lambda f: DADPFL(L, G, N=-1), r"DADPFL\(N=...\) must be an integer of at least 0, got -1"),
    (lambda f: DADPFL(L, G, N=True), r"DADPFL\(N=...\) must be an integer of at least 0, got True"),
    (lambda f: DADPFL(L, G, rule="slowest"), r"DADPFL\(rule=...\) must be one of fastest, lowest, random"),
    (lambda f: DADPFL(L, G, indices="each"), r"DADPFL\(indices=...\) must be one of own, global"),
    (lambda f: DADPFL(L, G, mean="both"), r"DADPFL\(mean=...\) must be one of in, out"),
    (lambda f: DADPFL(L, G, carry="all"), r"DADPFL\(carry=...\) must be one of printed, masked"),
    (lambda f: DADPFL(L, G, N=4).init(f), r"DADPFL\(N=...\) must be at most M = 3, the neighbours of a client, got 4"),
    (lambda f: DADPFL(L, Graph("random", M=5)).init(f), r"DADPFL\(graph=...\) must have M below the number of clients"),
    (lambda f: DisPFL(L, Graph("random", M=5)).init(f), r"DisPFL\(graph=...\) must have M below the number of clients"),
    (lambda f: DADPFL(L, G).init(f, np.zeros((1, f.d))), r"DADPFL.init\(X0=...\) must be an array \(..., 5, 18\)"),
    (
        lambda f: DADPFL(L, G).init(f, None, np.ones((5, f.d))),
        r"DADPFL.init\(masks0=...\) must be a boolean array \(5, 18\)",
    ),
    (
        lambda f: DisPFL(L, G).init(f, None, np.ones((4, f.d), bool)),
        r"must be a boolean array \(5, 18\), got \(4, 18\)",
    ),
    (lambda f: FedDST(L).init(f, None, "mask"), r"FedDST.init\(mask0=...\) must be a boolean array \(1, 18\), got str"),
    (lambda f: FedDST(L, interval=0), r"FedDST\(interval=...\) must be an integer of at least 1, got 0"),
    (
        lambda f: FedDST(Local(0.1, 3), before=4),
        r"FedDST\(before=...\) must be an integer of at least 1 and at most 3, got 4",
    ),
    (lambda f: FedDST(L, S=6).init(f), r"FedDST\(S=...\) must be an integer of at least 1 and at most 5, got 6"),
    (lambda f: FedDST(L, alpha=-1), r"FedDST\(alpha=...\) must be positive, got -1"),
    (lambda f: DADPFL(Local(0.1, batch=2), G).draw(Plain(), stream(0, 0, "x")), r"needs clients with samples"),
]


class Plain:
    """Clients without samples."""

    m, d = 5, 4


@pytest.mark.parametrize(("make", "message"), BAD, ids=[f"{i}" for i in range(len(BAD))])
def test_bad_hyper_parameters(make, message):
    """One line: the call as typed, the rule, the value."""
    with pytest.raises(UsageError, match=message) as caught:
        make(biased(WHOLE))
    assert "\n" not in str(caught.value)
