"""Float-array clients: a plain loop over clients and samples, complex steps, curvature, prox, padding, subsets, refusals."""

import tracemalloc

import numpy as np
import pytest
from client_cases import (
    EPS,
    L2,
    MODELS,
    NAMES,
    OTHERS,
    SIZES,
    SMOOTH,
    build,
    close,
    complex_step,
    place,
    points,
    samples,
)

from fedtheory._arrays import to_host
from fedtheory.errors import UsageError
from problems.clients import store as stacked
from problems.clients.least_squares import LeastSquaresClients


@pytest.mark.parametrize("name", NAMES)
def test_value_and_gradient_are_those_of_a_plain_loop(name, backend):
    """A loop over clients and samples; its gradient by complex steps."""
    f, plain = build(name, backend)
    W = points(f)
    host = to_host(W)
    close(f.value(W), np.array([fn(w) for fn, w in zip(plain, host, strict=True)]))
    close(f.grad(W), np.array([complex_step(fn, w) for fn, w in zip(plain, host, strict=True)]))
    assert f.grad(W).device == W.device


@pytest.mark.parametrize("name", NAMES)
def test_instances_broadcast_and_a_server_vector_stands_for_all(name, backend):
    """(..., m, d) goes instance by instance; (..., 1, d) is m equal vectors."""
    f, _ = build(name, backend)
    W, w, V = points(f, lead=(2, 3)), points(f, 2)[:1, :], points(f, 3)
    every = w + 0 * V
    for op in (f.value, f.grad, lambda W: f.hessian_product(W, V), f.hessian, f.sample_variance):
        out = to_host(op(W))
        for a in range(2):
            for b in range(3):
                close(op(W[a, b, ...]), out[a, b])
        close(op(w), op(every))


@pytest.mark.parametrize("name", SMOOTH)
def test_hessians_are_derivatives_of_the_gradient(name, backend):
    """Products against central differences; the dense Hessian and that of the mean against products."""
    f, _ = build(name, backend)
    W, V = points(f), points(f, 2)
    h = 1e-6
    HV = f.hessian_product(W, V)
    difference = to_host(f.grad(W + h * V) - f.grad(W - h * V)) / (2 * h)
    size = 1 + np.abs(difference).max()
    assert np.abs(difference - to_host(HV)).max() <= size * (4 * EPS / h + 100 * h**2)
    H = to_host(f.hessian(W))
    close(HV, (H @ to_host(V)[..., None])[..., 0])
    w = W[:1, :]
    close(f.mean_hessian(w), to_host(f.hessian(w)).mean(axis=0))


@pytest.mark.parametrize("sizes", [(4, 4, 4, 4, 4), (9, 3, 5, 2, 7)], ids=["equal", "unequal"])
def test_a_subset_is_kept_until_another_one_is_asked_for(sizes, monkeypatch):
    """With its samples, which are gathered once; and to the same bytes as where nothing is kept."""
    kind, options = MODELS["softmax"][1], MODELS["softmax"][4]
    f = MODELS["softmax"][0](samples(kind, sizes=sizes), l2=L2, **options)
    chosen = np.array([4, 0, 2])
    some, W = f.subset(chosen), points(f)[chosen]
    gathered, taken = [], stacked.Store._take
    monkeypatch.setattr(stacked.Store, "_take", lambda store, pick: gathered.append(pick.size) or taken(store, pick))
    first = some.grad(W)
    assert gathered
    before = len(gathered)
    assert f.subset(chosen.astype(np.int32)) is some and (some.grad(W) == first).all() and len(gathered) == before
    chosen[0] = 3  # the caller's own array, which is no selection that was asked for
    other = f.subset(chosen)
    assert other is not some and other.n.tolist() == [sizes[i] for i in (3, 0, 2)]
    one = f.subset(np.array([1], dtype=np.int64))
    assert f.subset(np.array([1, 0], dtype=np.int32)).m == 2 and one.m == 1  # the same bytes
    monkeypatch.setattr(stacked, "KEPT", 0)
    assert (f.subset(np.array([4, 0, 2])).grad(W) == first).all()


@pytest.mark.parametrize("name", [n for n in SMOOTH if n in MODELS])
def test_minibatches_and_subsets(name, backend):
    """A minibatch has the samples that its rows name; a subset has the clients that it names, in that order."""
    cls, kind, _, _, options = MODELS[name]
    data = samples(kind)
    _, xp, device = backend
    f = cls(data, l2=L2, xp=xp, device=device, **options)
    rows = np.random.default_rng(5).integers(0, np.array(SIZES)[:, None], (len(SIZES), 4))
    W, V = points(f), points(f, 2)
    f.prox(W, 1.0), f.constants(), f.optimum()  # what these keep stays with f
    for chosen in ([3, 0, 2], [1], [4, 4, 0, 1, 2, 3], list(range(5))):
        some = f.subset(np.array(chosen))
        again = cls([data[i] for i in chosen], l2=L2, xp=xp, device=device, **options)
        Ws, Vs = (place(f, to_host(a)[chosen]) for a in (W, V))
        batch, by_hand = some.minibatch(rows[chosen]), [(data[i][0][rows[i]], data[i][1][rows[i]]) for i in chosen]
        for got, want in ((some, again), (batch, cls(by_hand, l2=L2, xp=xp, device=device, **options))):
            assert got.n.tolist() == want.n.tolist() and got.m == len(chosen)
            close(got.value(Ws), want.value(Ws))
            close(got.grad(Ws), want.grad(Ws))
            close(got.hessian_product(Ws, Vs), want.hessian_product(Ws, Vs))
            close(got.prox(Ws, 1.0), want.prox(Ws, 1.0))
            close(got.constants().L_i, want.constants().L_i)
            close(got.optimum().w_star, want.optimum().w_star, ulps=10**4)
        close(some.grad(Ws, rows[chosen]), batch.grad(Ws))
        close(some.hessian_product(Ws, Vs, rows[chosen]), batch.hessian_product(Ws, Vs))
        close(some.subset(np.array([0])).grad(Ws[:1, :]), to_host(some.grad(Ws))[:1])


@pytest.mark.parametrize("name", OTHERS)
def test_functions_without_samples_have_one_each(name, backend):
    """A subset takes clients; a minibatch is the problem itself."""
    f, _ = build(name, backend)
    W = points(f)
    assert f.n.tolist() == [1] * f.m
    zero = np.zeros((f.m, 2), dtype=int)
    close(f.grad(W, zero), f.grad(W))
    close(f.hessian_product(W, W, zero), f.hessian_product(W, W))
    chosen = np.array([2, 0])
    close(f.subset(chosen).grad(place(f, to_host(W)[chosen])), to_host(f.grad(W))[chosen])
    with pytest.raises(UsageError, match="n_i - 1"):
        f.grad(W, zero + 1)


@pytest.mark.parametrize("name", [n for n in SMOOTH if n in MODELS])
def test_blocks_change_nothing(name, monkeypatch):
    """Blocks of single clients give what one block gives, dense Hessians and instances included."""
    f, _ = build(name)
    W, V, Q = points(f), points(f, 2), points(f, 4, lead=(2,))
    lam = np.array([0.5, 1.0, 2.0, 3.0, 4.0])
    ops = [
        f.value(W), f.grad(W), f.grad(W[:1]), f.grad(Q), f.hessian_product(W, V), f.hessian(W), f.mean_hessian(W[:1]),
        f.prox(W, lam), f.constants().L_i, f.constants().mu_i, f.sample_variance(W),
    ]  # fmt: skip
    rows = np.random.default_rng(5).integers(0, np.array(SIZES)[:, None], (len(SIZES), 4))
    ops += [f.grad(W, rows), f.minibatch(rows).subset(np.array([2, 0])).grad(W[:2])]
    ops += [f.minibatch(rows).minibatch(rows[:, :2] * 0 + [0, 2]).grad(W)]
    monkeypatch.setattr(stacked, "HOST_BLOCK", 1)
    monkeypatch.setattr(stacked, "GATHERED", 1)
    monkeypatch.setattr("problems.clients.spectra.HESSIANS", 1)
    g, _ = build(name)
    assert len(list(g.store.blocks())) == g.m
    again = [
        g.value(W), g.grad(W), g.grad(W[:1]), g.grad(Q), g.hessian_product(W, V), g.hessian(W), g.mean_hessian(W[:1]),
        g.prox(W, lam), g.constants().L_i, g.constants().mu_i, g.sample_variance(W),
    ]  # fmt: skip
    again += [g.grad(W, rows), g.minibatch(rows).subset(np.array([2, 0])).grad(W[:2])]
    again += [g.minibatch(rows).minibatch(rows[:, :2] * 0 + [0, 2]).grad(W)]
    assert g.minibatch(rows).store.X is g.store.X
    for a, b in zip(ops, again, strict=True):
        close(a, b)


def test_the_fast_path_of_softmax_is_the_array_api_path():
    """In place or not; moderate scores, and scores that need the shift."""
    f, _ = build("softmax")
    slow, _ = build("softmax")
    slow.in_place = False
    rows = np.random.default_rng(5).integers(0, np.array(SIZES)[:, None], (len(SIZES), 4))
    batch, slow_batch = f.minibatch(rows), slow.minibatch(rows)
    for scale in (1.0, 1e3):
        W, Q = points(f, scale=scale), points(f, lead=(2,), scale=scale)
        before = W.copy()
        for _ in range(2):  # what the first call keeps does not change the second
            for a, b in ((f, slow), (batch, slow_batch)):
                close(a.grad(W), b.grad(W), scale=scale)
                close(a.grad(Q), b.grad(Q), scale=scale)
        assert (before == W).all()
    assert np.isfinite(f.grad(points(f, scale=1e306))).all()


def test_padding_is_at_most_the_data():
    """The power law of pFedMe's set, 250 to 25,810 samples, and the worst sizes for a bucket."""
    rng = np.random.default_rng(0)
    law = np.clip((np.exp(4 + 2 * rng.standard_normal(100)).astype(int) + 50) * 5, 250, 25810)
    law[:2] = 250, 25810
    for n in (law, np.array([2, 1, 1, 1]), np.array([4, 2, 1]), rng.integers(1, 10**5, 1000), np.array([1])):
        width = stacked.widths(n)
        assert (width >= n).all() and (width <= 2 * n).all() and set(width) <= set(n)
    clients = [(np.ones((k, 2)), np.ones(k)) for k in law]
    f = LeastSquaresClients(clients)
    assert f.store.X.shape[0] == stacked.widths(law).sum() <= 2 * law.sum()
    assert len(set(f.store.width)) <= np.log2(25810 / 250) + 1
    close(f.value(np.zeros((1, 2))), np.full(100, 0.5))
    close(f.grad(np.zeros((1, 2))), np.full((100, 2), -1.0), ulps=law.max())  # a sum of as many terms
    assert f.n.tolist() == law.tolist()


def test_a_stack_is_held_without_a_copy_and_used_with_little_memory():
    """Value, gradient, minibatch and L_i of a stack take little memory beside it."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((1500, 50, 100)), rng.standard_normal((1500, 50))
    W = rng.standard_normal((1500, 100))
    rows = rng.integers(0, 50, (1500, 5))
    tracemalloc.start()
    f = LeastSquaresClients.stacked(X, y)
    G, v = f.grad(W), f.value(W[:1])
    f.grad(W, rows)
    f.subset(np.arange(0, 1500, 2)).grad(W[::2])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert np.shares_memory(f.store.X, X)
    assert peak <= 0.3 * X.nbytes
    assert np.abs(G[7] - X[7].T @ (X[7] @ W[7] - y[7]) / 50).max() < 1e-12
    assert abs(v[7] - ((X[7] @ W[0] - y[7]) ** 2).sum() / 100) < 1e-12 * v[7]


@pytest.mark.parametrize("name", list(MODELS))
def test_a_stack_is_the_list_of_its_clients(name, backend):
    """The same problem from arrays on the device."""
    cls, kind, _, _, options = MODELS[name]
    data = samples(kind, sizes=(4, 4, 4))
    _, xp, device = backend
    xp = np if xp is None else xp
    X, y = (xp.asarray(np.stack([d[i] for d in data]), device=device) for i in (0, 1))
    f, g = cls.stacked(X, y, l2=L2, **options), cls(data, l2=L2, xp=xp, device=device, **options)
    W = points(g)
    close(f.value(W), g.value(W))
    close(f.grad(W), g.grad(W))
