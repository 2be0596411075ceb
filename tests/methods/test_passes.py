"""What local steps count: methods with passes against a plain loop, one client after the other."""

import numpy as np
import pytest
from algorithm_rows import PROBLEMS, WHOLE, M

from fedtheory.algorithms import FLAME, FedAvg, FedProx, Gong, PFedMe, Scaffold
from fedtheory.algorithms.flame import METHOD as FLAME_METHOD
from fedtheory.algorithms.passes import draw_batches
from fedtheory.errors import UsageError
from fedtheory.random import stream
from problems.clients.margin import MarginClients

ETA, RHO, LAM = 0.1, 0.5, 2.0


def clients():
    """Clients of 4 to 9 samples, so that with minibatches of two they take different numbers of steps."""
    return PROBLEMS["softmax"](WHOLE)


def loop(f, i, start, draws, direction):
    """The steps of client i by the rows that it is active in."""
    z = start.copy()
    for h, rows in enumerate(draws.rows):
        if draws.active is None or draws.active[h, i]:
            z = z - ETA * direction(f.subset(np.array([i])).minibatch(rows[i : i + 1]).grad(z[None])[0], z)
    return z


def test_flame_around_both_anchors_by_a_plain_loop():
    """Two rounds of H = 2 passes: l12 around w_i^t or w^t, l14 to l16, l5."""
    f, rng = clients(), np.random.default_rng(0)
    Theta0, W0 = rng.standard_normal((2, M, f.d))
    ends = {}
    for anchor in ("local", "broadcast"):
        alg = FLAME(LAM, RHO, 0.2, H=2, eta=ETA, batch=2, passes=True, anchor=anchor)
        state = alg.init(f, Theta0, W0)
        Theta, W, Pi, w = state.Theta.copy(), state.W.copy(), state.Pi.copy(), state.w[0]
        for t in range(2):
            draws = alg.draw(f, stream(3, t, "draw"))
            assert len(draws.rows) == 2 * (f.n // 2).max() and not draws.active.all()
            state = alg.step(f, state, draws)
            for i in range(M):
                around = W[i] if anchor == "local" else w
                Theta[i] = loop(f, i, Theta[i], draws, lambda g, z, a=around: g + LAM * (z - a))
            W = (0.2 * LAM * Theta + RHO * w - Pi) / (0.2 * LAM + RHO)
            Pi = Pi + RHO * (W - w)
            w = (W + Pi / RHO).mean(axis=0)
        np.testing.assert_allclose(state.Theta, Theta, atol=1e-12)
        np.testing.assert_allclose(state.w[0], w, atol=1e-12)
        ends[anchor] = w
    assert np.abs(ends["local"] - ends["broadcast"]).max() > 1e-3


def test_the_others_by_a_plain_loop():
    """FedAvg, FedProx, Gong from w and from z_i, SCAFFOLD with each client's own K, pFedMe's inner problem."""
    f, rng = clients(), np.random.default_rng(1)
    w, C = rng.standard_normal((1, f.d)), rng.standard_normal((M, f.d))
    for alg, state, one in (
        (FedAvg(ETA, 2, batch=2, passes=True, alpha=1), None, lambda g, z: g),
        (FedProx(ETA, 2, 3.0, batch=2, passes=True, alpha=1), None, lambda g, z: g + 3.0 * (z - w[0])),
    ):
        state = alg.init(f, w)
        draws = alg.draw(f, stream(0, 0, "draw"))
        own = np.stack([loop(f, i, w[0], draws, one) for i in range(M)])
        np.testing.assert_allclose(alg.step(f, state, draws).w[0], own.mean(axis=0), atol=1e-12)
    for start in ("broadcast", "local"):
        alg = Gong(ETA, 2, RHO, batch=2, passes=True, start=start)
        state = alg.init(f, w, C)._replace(Z=C)
        draws = alg.draw(f, stream(0, 0, "draw"))
        own = np.stack(
            [
                loop(f, i, w[0] if start == "broadcast" else C[i], draws, lambda g, z, i=i: g + C[i] + RHO * (z - w[0]))
                for i in range(M)
            ]
        )
        np.testing.assert_allclose(alg.step(f, state, draws).Z, own, atol=1e-12)
    alg = Scaffold(ETA, 2, batch=2, passes=True)
    state = alg.init(f, w, C)
    draws = alg.draw(f, stream(0, 0, "draw"))
    own = np.stack([loop(f, i, w[0], draws, lambda g, z, i=i: g - C[i] + C.mean(axis=0)) for i in range(M)])
    K = 2 * (f.n // 2)[:, None]
    np.testing.assert_allclose(alg.step(f, state, draws).C, C - C.mean(axis=0) + (w - own) / (K * ETA), atol=1e-12)
    alg = PFedMe(LAM, 0.3, 1.0, 1, M, K=2, inner_eta=ETA, batch=2, passes=True)
    draws = alg.draw(f, stream(0, 0, "draw"))
    own = np.stack([loop(f, i, w[0], draws, lambda g, z: g + LAM * (z - w[0])) for i in range(M)])
    after = (w - 0.3 * LAM * (w - own)).mean(axis=0)
    np.testing.assert_allclose(alg.step(f, alg.init(f, w), draws).w[0], after, atol=1e-12)


def test_passes_need_a_minibatch_and_a_count():
    for wrong in (lambda: FedAvg(0.1, 1, passes=True), lambda: FLAME(1.0, 1.0, 0.2, batch=2, passes=True)):
        with pytest.raises(UsageError, match="passes=True"):
            wrong()
    with pytest.raises(UsageError, match="must be one of local, broadcast"):
        FLAME(1.0, 1.0, 0.2, anchor="server")


def test_flame_starts_as_the_code_does():
    """Random theta_i^0 within 1/sqrt(p), the same in every run; pi_i^0 = 0, w^0 = 0."""
    f = clients()
    o = {name: option.default for name, option in FLAME_METHOD.options.items()} | {"start": "random"}
    states = [FLAME_METHOD.make(o, f)[1] for _ in range(2)]
    assert (states[0].Theta == states[1].Theta).all() and (states[0].Pi == 0).all() and (states[0].w == 0).all()
    assert (
        0 < np.abs(states[0].Theta).max() <= f.store.p**-0.5 and len(np.unique(states[0].Theta)) == states[0].Theta.size
    )


def test_slope_and_loss_of_the_hinge_in_place_are_the_other_ones():
    """To the bit, at one point, at one a client, at several, and on minibatches."""
    rng = np.random.default_rng(2)
    data = [(rng.standard_normal((n, 5)), rng.integers(4, size=n)) for n in (7, 30, 12, 3)]
    fast, plain = (MarginClients(data, classes=4, l2=0.1) for _ in range(2))
    plain.in_place = False
    rows = np.array([[0, 1], [2, 2], [5, 1], [0, 2]])
    for shape in ((4, 20), (1, 20), (3, 4, 20)):
        W = rng.standard_normal(shape)
        assert (fast.grad(W) == plain.grad(W)).all() and (fast.grad(W, rows) == plain.grad(W, rows)).all()
        assert (fast.value(W) == plain.value(W)).all()


def test_a_pass_is_in_the_order_of_its_keys_and_equal_keys_change_nothing():
    """Samples that there are not have one key; whatever their order, what is drawn is what a stable sort draws."""
    f = clients()
    rows, active = draw_batches(stream(3, 0, "draw"), "FedAvg", f, 2, 2, False, True)
    again, H = stream(3, 0, "draw"), int((f.n // 2).max())
    for e in range(2):
        keys = again.random((f.m, int(f.n.max())))
        for i, n in enumerate(f.n):
            own = np.argsort(keys[i, :n], kind="stable")[: n // 2 * 2].reshape(-1, 2)
            assert (rows[e * H : e * H + len(own), i] == own).all() and active[e * H : e * H + len(own), i].all()
