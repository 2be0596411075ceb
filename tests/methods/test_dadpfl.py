"""Methods with masks: what they keep, how the readings of DA-DPFL differ, where they end."""

import numpy as np
import pytest
from algorithm_rows import WHOLE, M, arrays, close, play
from hypothesis import given, settings
from hypothesis import strategies as st
from sparse_rows import MASKS, OFTEN, ROWS, begin, biased, da, diagonal, rich

from fedtheory.algorithms.dadpfl import DADPFL
from fedtheory.algorithms.dispfl import DisPFL
from fedtheory.algorithms.feddst import FedDST
from fedtheory.algorithms.local import Local
from fedtheory.algorithms.masks import first_masks, kept
from fedtheory.algorithms.pruning import Pruning
from fedtheory.algorithms.sparse import Masking
from fedtheory.errors import UsageError
from fedtheory.graphs import Graph
from fedtheory.random import stream
from problems.clients.quadratic import QuadraticClients
from problems.clients.softmax import SoftmaxClients

# what always holds


@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(0, 2**32))
def test_support_and_counts(data, seed):
    """For all K, M, N and densities the models lie inside the masks; counts stay, or fall where it is pruned; biases stay."""
    K = data.draw(st.integers(2, 7))
    M_ = data.draw(st.integers(1, K - 1))
    rng = np.random.default_rng(seed)
    f = SoftmaxClients(
        [(np.c_[rng.standard_normal((4, 5)), np.ones(4)], np.arange(4) % 3) for _ in range(K)], classes=3
    )
    first = data.draw(st.sampled_from(["erk", "uniform"]))
    masking = Masking(data.draw(st.floats(0.1, 1)), alpha=data.draw(st.floats(0.05, 1)), T=6, first=first)
    local, graph = Local(0.3, 2, batch=2, momentum=0.5), Graph("random", M=M_)
    pruning = data.draw(st.sampled_from([None, Pruning(**OFTEN), Pruning(delta_pr=2.0)]))
    rule = data.draw(st.sampled_from(["fastest", "lowest", "random"]))
    algs = [DisPFL(local, graph, masking=masking), FedDST(local, masking=masking, interval=2, S=max(1, K - 1)),
            DADPFL(local, graph, N=data.draw(st.integers(0, M_)), rule=rule, masking=masking, pruning=pruning)]  # fmt: skip
    bias = f.layers[1].where
    for alg in algs:
        state, before = alg.init(f), None
        for t in range(5):
            state = alg.step(f, state, alg.draw(f, stream(seed, t, "draw")))
            X, count = state.w if hasattr(state, "w") else state.X, kept(state.mask)
            assert not X[~state.mask].any() and state.mask[:, bias].all()
            if before is not None:
                falls = isinstance(alg, DADPFL) and pruning is not None
                assert (count <= before).all() if falls else (count == before).all()
            before = count
        if isinstance(alg, DADPFL) and pruning is not None and pruning.eta_c == 1 and masking.density > 0.5:
            assert (before < sum(masking.counts(f))).all()  # it was pruned indeed


@pytest.mark.parametrize("row", ["dispfl", "dispfl, passes, uniform", "dispfl, ring, full gradients"])
def test_nobody_waits_and_nothing_is_pruned_is_dispfl(row):
    """N = 0 without further pruning on the draws of DisPFL: the same bits, and the same bytes."""
    f, alg = biased(WHOLE), ROWS[row](WHOLE)
    other = DADPFL(alg.local, alg.graph, N=0, masking=alg.masking, pruning=None)
    s, t = begin(alg, f), begin(other, f)
    for k in range(6):
        draws = alg.draw(f, stream(1, k, "draw"))
        more = other.draw(f, stream(1, k, "draw"))
        assert all(np.array_equal(getattr(draws, n), getattr(more, n)) for n in ("hears", "rows", "keys"))
        s, t = alg.step(f, s, draws), other.step(f, t, more)
    for field in ("X", "mask", "load"):
        assert (getattr(s, field) == getattr(t, field)).all(), field
    waits = DADPFL(alg.local, alg.graph, N=2, masking=alg.masking, pruning=None)
    assert not close(play(waits, f, begin(waits, f)).X, play(alg, f, begin(alg, f)).X, 1e-6)


def test_the_first_masks_and_the_zeros_of_their_models():
    """Without masks the first round draws them: ERK by layers, another one for every client, the start masked."""
    f = biased(WHOLE)
    for name, alg in (("X", ROWS["dispfl"](WHOLE)), ("X", da(WHOLE)), ("w", ROWS["feddst"](WHOLE))):
        first = alg.init(f, np.ones((1 if name == "w" else M, f.d)))
        assert first.mask is None
        draws = alg.draw(f, stream(0, 0, "draw"))
        masks = first_masks(draws.keys, f.layers, alg.masking.counts(f))
        assert (masks.sum(axis=1) == 9 + 3).all() and (name == "w" or len(np.unique(masks, axis=0)) > 1)
        given_ = alg.init(f, np.ones((1 if name == "w" else M, f.d)), masks)
        for field, value in arrays(alg.step(f, first, draws)).items():
            assert np.array_equal(value, getattr(alg.step(f, given_, draws), field)), field


# readings


def run_of(alg, rounds=6, f=None):
    """Masks' counts along a run, and its last state."""
    f = biased(WHOLE) if f is None else f
    state, counts = begin(alg, f), []
    for k in range(rounds):
        state = alg.step(f, state, alg.draw(f, stream(3, k, "draw")))
        counts.append(kept(state.mask)[:, 0].tolist())
    return counts, state


def test_vote_below_is_round_one_always():
    """Every score of round 1 is 1, so no vote is given: `below` decides there for every threshold, `at-least` later."""
    for delta_pr in (1e-6, 0.5, 0.999):
        below, state = run_of(da(WHOLE, {"delta_pr": delta_pr, "vote": "below"}), 2)
        assert state.t_star == 1
        _, state = run_of(da(WHOLE, {"delta_pr": delta_pr}), 1)
        assert state.t_star == 0
    _, state = run_of(da(WHOLE, {"delta_pr": 0.5}), 6)
    assert state.t_star > 1
    assert below[0] != below[1]  # and pruning begins in round 2


def test_readings_differ_exactly_where_said():
    """Two readings agree to the bit before the first round that they read differently, and not in it."""

    def masks_of(rounds, **options):
        pruning = {k: options.pop(k) for k in list(options) if k in Pruning.__dataclass_fields__}
        return run_of(da(WHOLE, pruning, **options), rounds)[1]

    def same(rounds, one, other):
        a, b = masks_of(rounds, **one), masks_of(rounds, **other)
        return bool((a.X == b.X).all() and (a.mask == b.mask).all())

    # the exponent matters when Algorithm 2 is first called, in round 2
    assert same(1, {}, {"exponent": "printed"}) and not same(2, {}, {"exponent": "printed"})
    # as printed it never prunes
    assert same(6, {"exponent": "printed"}, {"target": 1e-9})
    # the bound is one at q = 1, another at q = 2
    assert same(6, {}, {"bound": "derived"})
    assert not same(2, {"p": 1.0, "q": 2.0}, {"p": 1.0, "q": 2.0, "bound": "derived"})
    # intervals: t* = 1 and b = 2.5 give 4 as printed and 3 as coded, (1 + 2.5)/1.3 rounded after round 1
    long = {"b": 2.5, "c": 1.3}
    assert same(3, long, long | {"intervals": "coded"}) and not same(4, long, long | {"intervals": "coded", "c": 3.0})
    # Delta decides t* alone
    score = {"delta_pr": 0.2, "delta_v": 0.5}
    assert masks_of(6, **score).t_star != masks_of(6, **score, delta="plain").t_star
    # what is dropped and not carried matters in the second round, through the means
    assert not same(1, {}, {"carry": "printed"}) and (masks_of(1).mask == masks_of(1, carry="printed").mask).all()
    # the own model in the mean, from the first round
    assert not same(1, {}, {"mean": "out"})
    # s_k as printed goes on below the target
    assert same(1, {}, {"share": "kept"}) and not same(6, {"target": 0.5}, {"target": 0.5, "share": "kept"})
    # passes and steps
    assert not same(1, {"local": rich(2, passes=True)}, {"local": rich(2)})
    # rules agree where nobody waits, and where all are waited for
    for rule in ("lowest", "random"):
        assert same(4, {"N": 0}, {"N": 0, "rule": rule}) and same(4, {}, {"rule": rule})
    assert not same(4, {"N": 1}, {"N": 1, "rule": "random"})


def test_indices_of_ones_own_end_the_run():
    """As printed, clients wait for each other before long; with N = 0 the reading runs."""
    alg = da(WHOLE, graph=Graph("full"), indices="own")
    with pytest.raises(UsageError, match=r"clients wait for each other: .*--indices global"):
        run_of(alg, 6)
    assert run_of(da(WHOLE, N=0, indices="own"))[0] == run_of(da(WHOLE, N=0))[0]


def test_carried_weights_outside_the_mask():
    """As printed, models have numbers outside of their masks, against Assumption 3."""
    _, state = run_of(da(WHOLE, carry="printed"), 2)
    assert state.X[~state.mask].any()


def test_who_has_not_moved_does_not_vote():
    """Delta_0^1 = 0 divides by zero in (4); there the client gives no vote, and nothing is not finite."""
    f = QuadraticClients(np.stack([np.eye(6)] * 5), np.zeros((5, 6)))
    alg = DADPFL(Local(0.1), Graph("ring"), masking=MASKS, pruning=Pruning(delta_pr=1e6))
    state = play(alg, f, alg.init(f), 5)
    assert state.t_star == 0 and not state.X.any() and not state.delta.any()


# where it ends


def test_dadpfl_reaches_the_masked_optimum():
    """Strongly convex clients with one mask, T = 1 (no exchange), everybody heard, decreasing steps: the minimiser inside the mask.

    Clients wait for each other, and the step size falls to 1e-4 of the first.
    """
    rng = np.random.default_rng(4)
    B, b = rng.standard_normal((M, 8, 8)), rng.standard_normal((M, 8))
    A = B @ B.mT / 8 + 0.5 * np.eye(8)
    f = QuadraticClients(A, b)
    mask = np.array([True, True, False, True, False, True, True, False])
    alg = DADPFL(
        Local(0.5 / f.constants().L, decay=0.99), Graph("full"), N=2, masking=Masking(5 / 8, T=1), pruning=None
    )
    state = alg.init(f, None, np.repeat(mask[None], M, axis=0))
    inside = np.ix_(mask, mask)
    w = np.zeros(8)
    w[mask] = np.linalg.solve(A.mean(axis=0)[inside], b.mean(axis=0)[mask])
    gaps = []
    for t in range(900):
        state = alg.step(f, state, alg.draw(f, stream(0, t, "draw")))
        gaps.append(np.abs(state.X - w).max())
    assert (state.mask == mask).all() and gaps[-1] < 2e-3 < 0.05 < gaps[20]
    assert np.abs(f.optimum().w_star - w).max() > 0.05  # which is not the minimiser of all


def test_pruning_on_the_way_ends_at_the_masked_optimum_of_the_last_masks():
    """Separate coordinates: after pruning each kept coordinate goes to the weighted mean of the minimisers of who keeps it."""
    rng = np.random.default_rng(8)
    c = np.repeat(rng.standard_normal((1, 10)) * 3, M, axis=0)
    f = diagonal(rng.uniform(0.5, 1, (M, 10)), c)
    alg = DADPFL(
        Local(0.5, 2), Graph("ring"), masking=Masking(0.8, T=30), pruning=Pruning(delta_pr=0.5, eta_c=0.2, target=0.5)
    )
    state = play(alg, f, alg.init(f), 120)
    assert state.t_star > 1 and (kept(state.mask) < 8).all()
    assert close(
        state.X, np.where(state.mask, c, 0), 1e-10
    )  # one minimiser: the masked optimum is exact, for all masks


def test_dispfl_and_feddst_reach_theirs():
    """The same for DisPFL and FedDST on clients with one minimiser, where masks stop at T."""
    rng = np.random.default_rng(9)
    c = np.repeat(rng.standard_normal((1, 10)) * 3, M, axis=0)
    f = diagonal(rng.uniform(0.5, 1, (M, 10)), c)
    dispfl = DisPFL(Local(0.5, 2), Graph("ring"), masking=Masking(0.6, T=20))
    state = play(dispfl, f, dispfl.init(f), 100)
    assert close(state.X, np.where(state.mask, c, 0), 1e-10)
    feddst = FedDST(Local(0.5, 2), masking=Masking(0.6, T=20), interval=4, S=3, alpha=1)
    state = play(feddst, f, feddst.init(f), 100)
    assert close(state.w, np.where(state.mask, c[:1], 0), 1e-10) and state.mask.sum() == 6
    assert set(np.flatnonzero(state.mask[0])) & set(np.argsort(-abs(c[0]))[:3])  # the largest stay
