"""Who works in a round, on which samples, and that nobody else does."""

import numpy as np
import pytest
from algorithm_rows import EPS, PROBLEMS, ROWS, WHOLE, Counted, M, arrays, close, play, scale, start

from fedtheory.algorithms import FLAME, FedADMM, FedAvg, PerFedAvg, PFedMe
from fedtheory.algorithms.participation import cover, minibatches
from fedtheory.random import stream

WORK = {  # gradients, their rows, gathers, proxes of one step
    "fedavg": (2, 6, 0, 0),
    "fedavg, minibatches": (3, 6, 3, 0),
    "fedavg stored": (1, 3, 0, 0),
    "fedprox": (3, 9, 3, 0),
    "fedprox stored": (1, 3, 0, 0),
    "perfedavg": (4, 12, 4, 0),
    "perfedavg, hessian": (4, 12, 6, 0),
    "pfedme": (0, 0, 0, 2),
    "pfedme, gradients": (9, 18, 3, 0),
    "pfedme, everyone": (4, 20, 0, 0),
    "fedadmm": (0, 0, 0, 1),
    "fedadmm, one gradient": (1, 5, 0, 0),
    "fedadmm, scheme 4.1": (2, 4, 0, 0),
    "flame": (0, 0, 0, 1),
    "flame, gradients": (3, 15, 3, 0),
    "flame, biased": (3, 8, 3, 0),
}


@pytest.mark.parametrize("row", WORK)
def test_no_gradient_too_many(row):
    """One step takes the gradients of the box, of the selected clients alone, and gathers a minibatch once."""
    f = PROBLEMS["softmax"](WHOLE)
    alg = ROWS[row](scale("softmax"), WHOLE)
    state = start(alg, f)
    if row == "fedadmm, scheme 4.1":
        state = state._replace(eps=state.eps * 0)
    counted = Counted(f)
    after = alg.step(counted, state, alg.draw(f, stream(0, 0, "draw")))
    assert tuple(counted.count.values()) == WORK[row]
    assert close(after.w, alg.step(f, state, alg.draw(f, stream(0, 0, "draw"))).w)


class Plain:
    """A problem without `subset`."""

    def __init__(self, f):
        self._f = f

    def __getattr__(self, name):
        if name in ("subset", "_f"):
            raise AttributeError(name)
        return getattr(self._f, name)


@pytest.mark.parametrize("row", ROWS)
def test_masking_and_leaving_out_are_the_same(row):
    """A problem without `subset` computes all rows and masks them: the same states."""
    f = PROBLEMS["logistic"](WHOLE)
    alg = ROWS[row](scale("logistic"), WHOLE)
    a, b = play(alg, f, start(alg, f)), play(alg, Plain(f), start(alg, f))
    for field, value in arrays(a).items():
        assert close(arrays(b)[field], value), field


def test_pfedme_everyone_leaves_the_server_alone():
    """Whether the others work too does not reach the server; the personal models are those of the whole problem."""
    f = PROBLEMS["softmax"](WHOLE)
    options = {"lam": 2.0, "eta": 0.1, "beta": 1.5, "R": 1, "S": 2, "K": 4, "inner_eta": 0.2, "batch": 3}
    some, all_ = PFedMe(**options), PFedMe(**options, everyone=True)
    a, b = (play(alg, f, start(alg, f)) for alg in (some, all_))
    assert close(a.w, b.w) and a.Theta is None and b.Theta.shape == b.W.shape == (M, f.d)
    draws = some.draw(f, stream(1, 2, "draw"))
    before = play(some, f, start(some, f), 2)
    assert close(some.personal(f, before, draws), b.Theta)
    assert not close(some.personal(f, before), b.Theta)


def test_personal_models():
    """pFedMe: the prox at w; Per-FedAvg: one gradient step from w, of all samples or of the minibatch; FLAME: theta_i."""
    f, w = PROBLEMS["logistic"](WHOLE), np.full((1, 3), 0.5)
    pfedme = PFedMe(2.0, 0.1, 1.0, 1, 2, delta=0.1)
    assert close(pfedme.personal(f, pfedme.init(f, w)), f.prox(w, 2.0))
    perfedavg = PerFedAvg(0.1, 0.2, 1, batch=2)
    state, draws = perfedavg.init(f, w), perfedavg.draw(f, stream(0, 0, "draw"))
    assert close(perfedavg.personal(f, state), w - 0.2 * f.grad(w))
    assert close(perfedavg.personal(f, state, draws), w - 0.2 * f.grad(w, draws.rows[0]))
    flame = FLAME(1.0, 1.0, 0.2)
    state = play(flame, f, flame.init(f), 1)
    assert flame.personal(f, state) is state.Theta


# participation and minibatches


def test_selection_is_uniform_and_of_size_s():
    """Every pair of five clients is equally likely: 10 pairs, 4000 draws, five standard deviations."""
    f, alg = PROBLEMS["huber"](WHOLE), FedAvg(0.1, 1, S=2)
    masks = np.array([alg.draw(f, stream(0, t, "draw")).selected for t in range(4000)])
    assert (masks.sum(axis=1) == 2).all()
    counts = np.unique(masks @ 2 ** np.arange(M), return_counts=True)[1]
    assert len(counts) == 10 and np.abs(counts - 400).max() <= 5 * np.sqrt(4000 * 0.1 * 0.9)


def test_methods_of_one_seed_select_the_same_clients():
    """The selection is drawn first, so that batch sizes and errors do not change it."""
    f = PROBLEMS["softmax"](WHOLE)
    algs = [
        FedAvg(0.1, 2, S=2),
        FedAvg(0.1, 5, S=2, batch=3),
        PFedMe(2.0, 0.1, 1.0, 2, 2, delta=0.1),
        FLAME(1.0, 1.0, 0.2, S=2),
    ]
    for t in range(5):
        masks = [np.asarray(alg.draw(f, stream(9, t, "draw")).selected, dtype=bool) for alg in algs]
        assert all((m == masks[0]).all() for m in masks)


def test_minibatches_with_replacement():
    """Every position of a client's own samples is equally likely and independent; the ranges are the clients'."""
    f = PROBLEMS["softmax"](WHOLE)
    rows = minibatches(stream(0, 0, "x"), "X", f, (3000,), 2, True)
    assert (
        rows.shape == (3000, M, 2) and (rows.min(axis=(0, 2)) == 0).all() and (rows.max(axis=(0, 2)) == f.n - 1).all()
    )
    pairs = np.unique(rows[:, 0, 0] * 4 + rows[:, 0, 1], return_counts=True)[1]
    assert len(pairs) == 16 and np.abs(pairs - 3000 / 16).max() <= 5 * np.sqrt(3000 / 16)


def test_minibatches_without_replacement():
    """Every subset of two of a client's four samples is equally likely, and none is repeated."""
    f = PROBLEMS["softmax"](WHOLE)
    rows = minibatches(stream(0, 0, "x"), "X", f, (3000,), 2, False)
    assert (rows[..., 0] != rows[..., 1]).all() and (rows < f.n[:, None]).all() and rows.min() == 0
    sets = np.unique(2 ** rows[:, 0, 0] + 2 ** rows[:, 0, 1], return_counts=True)[1]
    assert len(sets) == 6 and np.abs(sets - 500).max() <= 5 * np.sqrt(3000 / 6 * 5 / 6)
    whole = minibatches(stream(0, 0, "x"), "X", f, (), 4, False)
    assert (np.sort(whole[0]) == np.arange(4)).all()


@pytest.mark.parametrize(("m", "S", "s0"), [(5, 2, 3), (7, 2, 4), (6, 2, 3), (4, 4, 1), (9, 4, 5)])
def test_scheme_4_1_reaches_everybody_in_every_cycle(m, S, s0):
    """S clients every time, and all of them in each group of s0 selections; not in every shifted group."""
    rng, seen, order = np.random.default_rng(0), [], set()
    for _ in range(40):
        unseen = np.ones(m, dtype=bool)
        for place in range(s0):
            selected = cover(rng.permutation(m), unseen, s0 - place, S)
            assert selected.sum() == S
            unseen &= ~selected
            seen.append(selected)
            order.add(selected.tobytes())
        assert not unseen.any()
    assert len(order) > 1 or m == S
    if S * (s0 - 1) < m and s0 > 1:
        shifted = [np.any(seen[k : k + s0], axis=0).all() for k in range(1, len(seen) - s0, s0)]
        assert not all(shifted)


def test_fedadmm_selects_where_it_averages():
    """Omega is constant between communications, follows Scheme 4.1 from one to the next, and the others stay."""
    f = PROBLEMS["huber"](WHOLE)
    alg = FedADMM(1.0, 0.2, 0.9, 3, S=2, s0=3, r=2.0, inner_steps=1)
    state, cycle = alg.init(f, None, np.arange(5.0)[:, None], EPS), []
    for k in range(18):
        after = alg.step(f, state, alg.draw(f, stream(0, k, "draw")))
        assert after.communications == k // 3 + 1 and after.selected.sum() == 2
        assert (after.selected == state.selected).all() or k % 3 == 0
        still = ~after.selected
        assert (after.W[still] == state.W[still]).all() and (after.eps[still] == state.eps[still]).all()
        assert (after.eps[~still] == state.eps[~still] * 0.9).all()
        if k % 3 == 0:
            cycle.append(after.selected)
        state = after
    assert np.any(cycle[:3], axis=0).all() and np.any(cycle[3:], axis=0).all()


def test_the_biased_selection_takes_the_largest_gradients():
    """s of the c candidates, those with the largest |grad f_i(theta_i) + lam (theta_i - w_i)|; nobody else moves."""
    f = PROBLEMS["quadratic"](WHOLE)
    alg = FLAME(1.0, 1.0, 0.2, S=2, candidates=4, H=1, eta=0.1)
    state = start(alg, f)
    for t in range(10):
        draws = alg.draw(f, stream(3, t, "draw"))
        after = alg.step(f, state, draws)
        size = np.linalg.norm(f.grad(state.Theta) + state.Theta - state.W, axis=-1)
        size[~draws.selected] = -1
        assert draws.selected.sum() == 4 and set(np.flatnonzero(after.selected)) == set(np.argsort(size)[-2:])
        assert (np.any(after.Theta != state.Theta, axis=-1) == after.selected).all()
        state = after
