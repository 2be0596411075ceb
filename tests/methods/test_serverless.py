"""Methods without a server, and Ditto: the printed lines client by client, permutations, backends, exact numbers, refusals."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from algorithm_rows import PROBLEMS, WHOLE, M, arrays, close, frozen, play, scale
from serverless_boxes import SERVERLESS_BOXES, clients_of
from serverless_rows import CASES, PASSES, ROWS, begin, unstacked

from fedtheory._arrays import to_host
from fedtheory.algorithms.beer import BEER
from fedtheory.algorithms.compression import Compressor, compressor_of
from fedtheory.algorithms.dfedavgm import DFedAvgM
from fedtheory.algorithms.dfedsam import DFedSAM
from fedtheory.algorithms.ditto import Ditto
from fedtheory.algorithms.gossipfl import GossipFL
from fedtheory.algorithms.local import Local, LocalDraws
from fedtheory.errors import UsageError
from fedtheory.graphs import Graph, edges
from fedtheory.random import stream
from problems.clients.quadratic import QuadraticClients


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


def exact_quadratics():
    """f_i(w) = (w - c_i)^T diag(a_i) (w - c_i)/2 on Fractions."""
    a = np.array([[Fraction(i + c + 1, 4) for c in range(2)] for i in range(3)], dtype=object)
    b = np.array([[Fraction(3 * i - c, 5) for c in range(2)] for i in range(3)], dtype=object)
    return SimpleNamespace(m=3, d=2, xp=np, device=None, grad=lambda W: a * W - b), a, b


RATIONAL = {
    "dfedavgm": lambda x, half, C: DFedAvgM(Local(x, 2, momentum=half, weight_decay=x), Graph("full"), compressor=C),
    "gossipfl": lambda x, half, C: GossipFL(Local(x, 2, decay=half), Graph("full"), keep=half),
    "beer": lambda x, half, C: BEER(Local(x, weight_decay=x), Graph("full"), gamma=half, compressor=C),
}


@pytest.mark.parametrize("kind", ["none", "top", "random"])
@pytest.mark.parametrize("name", RATIONAL)
def test_on_fractions_steps_are_exact(name, kind):
    """Weights 1/3 as Fractions: all stays rational, BEER's trackers have the mean gradient exactly, floats round to it."""
    f, a, b = exact_quadratics()
    floats = QuadraticClients(np.stack([np.diag(v) for v in a.astype(float)]), b.astype(float))
    V = np.full((3, 3), Fraction(1, 3), dtype=object)
    X0 = np.array([[Fraction(i - c) for c in range(2)] for i in range(3)], dtype=object)
    alg, near = (RATIONAL[name](x, h, Compressor(kind)) for x, h in ((Fraction(1, 7), Fraction(1, 2)), (1 / 7, 1 / 2)))
    state, other = alg.init(f, X0), near.init(floats, X0.astype(float))
    for t in range(4):
        draws = alg.draw(f, stream(0, t, "draw"))
        state, other = alg.step(f, state, draws._replace(V=V)), near.step(floats, other, draws)
        if name == "beer":
            assert (state.Y.sum(axis=0) == state.D.sum(axis=0)).all()
    assert all(isinstance(v, Fraction) for v in state.X.flat)
    assert close(state.X.astype(float), other.X)


class Plain:
    """A problem without `subset`."""

    def __init__(self, f):
        self._f = f

    def __getattr__(self, name):
        if name in ("subset", "_f"):
            raise AttributeError(name)
        return getattr(self._f, name)


@pytest.mark.parametrize("row", [r for r in (*ROWS, *PASSES) if r.startswith("ditto")])
def test_ditto_computes_the_selected_clients_alone(row):
    """A problem without `subset` computes all rows and masks them: the same states; nobody else's own model moves."""
    f = PROBLEMS["logistic"](WHOLE)
    alg = {**ROWS, **PASSES}[row](scale("logistic"), WHOLE)
    a, b = play(alg, f, begin(alg, f)), play(alg, Plain(f), begin(alg, f))
    assert close(b.w, a.w) and close(b.Own, a.Own)
    draws = alg.draw(f, stream(0, 0, "draw"))
    moved = (alg.step(f, a, draws).Own != a.Own).any(axis=1)
    assert (moved == draws.selected).all()


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
