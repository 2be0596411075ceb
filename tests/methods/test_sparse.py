"""Methods with masks: the printed lines client by client, what they keep, how their readings differ, where they end."""

from types import SimpleNamespace

import array_api_strict
import numpy as np
import pytest
from algorithm_rows import PROBLEMS, WHOLE, M, arrays, close, frozen, play, scale
from boxes import One
from hypothesis import given, settings
from hypothesis import strategies as st
from sparse_boxes import SPARSE_BOXES

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
from problems.clients.softmax import SoftmaxClients


def biased(clients, **where):
    """Softmax clients of unequal size with five features and a bias, which masks keep."""
    rng = np.random.default_rng(2)
    data = [(np.concatenate([rng.standard_normal((n, 5)), np.ones((n, 1))], axis=1), np.arange(n) % 3) for n in (4, 9, 5, 7, 4)]
    return SoftmaxClients([data[i] for i in clients], classes=3, l2=0.1, **where)


def wide(clients, **where):
    """Quadratics of twelve variables."""
    rng = np.random.default_rng(6)
    B, b = rng.standard_normal((M, 12, 12)), rng.standard_normal((M, 12))
    return QuadraticClients((B @ B.mT / 12 + 0.3 * np.eye(12))[clients], b[clients], **where)


ON = {"biased": biased, "wide": wide, "least squares": PROBLEMS["least squares"]}
OFTEN = {"delta_pr": 2.0, "eta_c": 0.2, "target": 0.9}  # everybody votes in the first round; prunes in all from the second
MASKS = Masking(0.6, alpha=0.4, T=7)


def rich(E=3, **options):
    """Local steps with everything, of a size that fits all three problems."""
    return Local(0.15, E, **{"batch": 3, "momentum": 0.5, "weight_decay": 0.05, "decay": 0.8, **options})


def graph(c, **options):
    """A random graph of M = 3 neighbours; for one client one without."""
    return Graph("full") if len(c) == 1 else Graph("random", M=3, **options)


def da(c, pruning=OFTEN, **options):
    """DA-DPFL that prunes often."""
    return DADPFL(options.pop("local", rich()), options.pop("graph", graph(c)), masking=MASKS, **options,
                  pruning=None if pruning is None else Pruning(**{**OFTEN, **pruning}))  # fmt: skip


ROWS = {
    "dispfl": lambda c: DisPFL(rich(), graph(c), masking=MASKS),
    "dispfl, passes, uniform": lambda c: DisPFL(rich(2, passes=True), graph(c), masking=Masking(0.4, first="uniform", T=3)),
    "dispfl, ring, full gradients": lambda c: DisPFL(Local(0.1, 2), Graph("full" if len(c) == 1 else "ring"), masking=MASKS),
    "feddst": lambda c: FedDST(rich(), masking=MASKS, interval=2, S=min(3, len(c))),
    "feddst, equal weights, at the end": lambda c: FedDST(rich(2), masking=MASKS, interval=1, before=2, alpha=1),
    "feddst, passes": lambda c: FedDST(rich(3, passes=True), masking=MASKS, interval=1, before=1, S=min(2, len(c))),
    "dadpfl": lambda c: da(c),
    "dadpfl, no further": lambda c: da(c, None, N=None if len(c) == 1 else 2),
    "dadpfl, nobody waits": lambda c: da(c, N=0),
    "dadpfl, full, all wait": lambda c: da(c, graph=Graph("full")),
    "dadpfl, lowest": lambda c: da(c, N=min(1, len(c) - 1), rule="lowest"),
    "dadpfl, random": lambda c: da(c, N=min(2, len(c) - 1), rule="random"),
    "dadpfl, indices of ones own": lambda c: da(c, N=0, indices="own"),
    "dadpfl, out of its mean": lambda c: da(c, mean="out"),
    "dadpfl, carried": lambda c: da(c, carry="printed"),
    "dadpfl, passes": lambda c: da(c, local=rich(1, passes=True)),
    "dadpfl, plain delta, few votes": lambda c: da(c, {"delta": "plain", "delta_pr": 0.4, "delta_v": 0.3}),
    "dadpfl, vote below": lambda c: da(c, {"vote": "below", "delta_pr": 0.01}),
    "dadpfl, coded intervals": lambda c: da(c, {"intervals": "coded", "b": 1.5, "c": 1.6}),
    "dadpfl, printed exponent": lambda c: da(c, {"exponent": "printed"}),
    "dadpfl, derived bound": lambda c: da(c, {"bound": "derived", "p": 1.0, "q": 2.0}),
    "dadpfl, share kept": lambda c: da(c, {"share": "kept", "target": 0.55}),
    "dadpfl, as printed": lambda c: da(c, {"vote": "below", "exponent": "printed", "share": "kept", "eta_c": 1.0}, N=0,
                                       indices="own", carry="printed"),
}  # fmt: skip
DADPFLS = [row for row in ROWS if row.startswith("dadpfl")]


def begin(alg, f):
    """A first state with models and masks that differ between clients."""
    rng = np.random.default_rng(3)
    count = 1 if isinstance(alg, FedDST) else f.m
    W = f.xp.asarray(rng.standard_normal((count, f.d)) / 2, device=f.device)
    masks = first_masks(np.arange(count) + 5, layers_of(f), alg.masking.counts(f))
    return alg.init(f, W, f.xp.asarray(masks, device=f.device))


def unstacked(state):
    """A state with a list of vectors for every stack."""
    out = SimpleNamespace(**state._asdict())
    for name, value in vars(out).items():
        if isinstance(value, np.ndarray) and value.ndim == 2:
            setattr(out, name, np.array(value[0]) if hasattr(out, "w") else [np.array(v) for v in value])
    return out


@pytest.mark.parametrize("name", ON)
@pytest.mark.parametrize("row", ROWS)
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
            assert close(got, np.stack(expected) if got.ndim == 2 and field != "w" and not hasattr(want, "w") else
                         np.asarray(expected).reshape(got.shape), 1e-12), field  # fmt: skip
    if isinstance(alg, DADPFL):
        assert (state.t_star, state.time) == (want.t_star, want.time)


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


@pytest.mark.parametrize("name", ["biased", "wide"])
@pytest.mark.parametrize("row", ROWS)
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
    state = play(alg, f, alg.init(f, start))
    assert all(v.dtype == np.float32 for k, v in arrays(state).items() if k in ("X", "w", "X0"))
    whole = QuadraticClients(f.h[:, :, None] * np.eye(6), f.h * f.c)
    if not alg.local.passes:  # samples are counted there
        other = play(alg, whole, alg.init(whole, start.astype(float)))
        name = "w" if hasattr(state, "w") else "X"
        assert close(getattr(state, name), getattr(other, name), 1e-4) and (state.mask == other.mask).all()


# what always holds


@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(0, 2**32))
def test_support_and_counts(data, seed):
    """For all K, M, N and densities the models lie inside the masks; counts stay, or fall where it is pruned; biases stay."""
    K = data.draw(st.integers(2, 7))
    M_ = data.draw(st.integers(1, K - 1))
    rng = np.random.default_rng(seed)
    f = SoftmaxClients([(np.c_[rng.standard_normal((4, 5)), np.ones(4)], np.arange(4) % 3) for _ in range(K)], classes=3)
    masking = Masking(data.draw(st.floats(0.1, 1)), alpha=data.draw(st.floats(0.05, 1)), T=6, first=data.draw(st.sampled_from(["erk", "uniform"])))
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
    with pytest.raises(AssertionError):
        assert below[0] == below[1]  # and pruning begins in round 2


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
    score = {"delta_pr": 0.45, "delta_v": 0.3}
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
        assert not same(4, {"N": 1}, {"N": 1, "rule": rule})


def test_indices_of_ones_own_end_the_run():
    """As printed, clients wait for each other before long; with N = 0 the reading runs."""
    alg = da(WHOLE, graph=Graph("full"), indices="own")
    with pytest.raises(UsageError, match="clients wait for each other: .*--indices global"):
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


def diagonal(h, c):
    """Quadratics with Hessian diag(h_i) and minimisers c_i."""
    return QuadraticClients(h[..., None] * np.eye(h.shape[1]), h * c)


def test_dadpfl_reaches_the_masked_optimum():
    """Strongly convex clients with one mask, T = 1 (no exchange), everybody heard, decreasing steps: the minimiser inside the mask.

    Clients wait for each other, and the step size falls to 1e-4 of the first.
    """
    rng = np.random.default_rng(4)
    B, b = rng.standard_normal((M, 8, 8)), rng.standard_normal((M, 8))
    A = B @ B.mT / 8 + 0.5 * np.eye(8)
    f = QuadraticClients(A, b)
    mask = np.array([True, True, False, True, False, True, True, False])
    alg = DADPFL(Local(0.5 / f.constants().L, decay=0.99), Graph("full"), N=2, masking=Masking(5 / 8, T=1), pruning=None)
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
    alg = DADPFL(Local(0.5, 2), Graph("ring"), masking=Masking(0.8, T=30), pruning=Pruning(delta_pr=0.5, eta_c=0.2, target=0.5))
    state = play(alg, f, alg.init(f), 120)
    assert state.t_star > 1 and (kept(state.mask) < 8).all()
    assert close(state.X, np.where(state.mask, c, 0), 1e-10)  # one minimiser: the masked optimum is exact, for all masks


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
    alg = DADPFL(Local(0.5), pairs, masking=Masking(0.5, T=9), pruning=Pruning(delta_pr=2.0, eta_c=3.0, gamma=1.0, target=0.99))
    state = alg.init(f, np.random.default_rng(0).standard_normal((6, 16)), masks)
    for k in range(3):
        draws = alg.draw(f, stream(0, k, "draw"))._replace(order=np.arange(6))
        before, state = state, alg.step(f, state, draws)
    old, new = kept(before.mask)[:, 0] * 8 + 2, kept(state.mask)[:, 0] * 8 + 2
    assert (new < old).any() and state.time == 18
    moved = state.load - before.load
    assert moved.tolist() == [new[0], *(new[:4] + new[1:5]), new[4]]


def test_what_is_recorded():
    """Mean model and own models, density, time with waiting; the hyper-parameters by the names of the paper's catalogue."""
    f = biased(WHOLE)
    entry = methods()["dadpfl"]
    alg, first = entry.make({**entry.defaults, "wait": 1, "T": 9}, f)
    watch = Watch(alg, f, f, first)
    observers = observers_of(entry, watch)
    assert set(observers) == {"objective", "error", "own_objective", "consensus", "density", "time"}
    state = play(alg, f, first, 3)
    got = {k: float(np.asarray(of(state)).item()) for k, of in observers.items()}
    assert got["density"] == state.mask.mean() < 1 and got["time"] == state.time > 3
    assert close(got["own_objective"], f.value(state.X).mean())
    assert entry.models(alg, f, state)["own"] is state.X
    assert entry.given(watch, None) == {"m": 5, "eta": 0.1, "E_l": 5, "M": 4}


@pytest.mark.parametrize("name", ["dadpfl", "dispfl", "feddst"])
def test_an_interrupted_run_goes_on_to_the_same_bytes(name, tmp_path, backend):
    """A checkpoint between two rounds goes through the disk, masks and votes as well; the traces agree in every bit."""
    _, xp, device = backend
    f = biased(WHOLE, xp=xp, device=device)
    entry = methods()[name]
    alg, first = entry.make({**entry.defaults, "batch": 2, "T": 6, **({"delta-pr": 2.0} if name == "dadpfl" else {})}, f)
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
    (lambda f: Pruning(exponent="print"), r"Pruning\(exponent=...\) must be one of printed, usual.*did you mean printed"),
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
    (lambda f: DADPFL(L, G).init(f, None, np.ones((5, f.d))), r"DADPFL.init\(masks0=...\) must be a boolean array \(5, 18\)"),
    (lambda f: DisPFL(L, G).init(f, None, np.ones((4, f.d), bool)), r"must be a boolean array \(5, 18\), got \(4, 18\)"),
    (lambda f: FedDST(L).init(f, None, "mask"), r"FedDST.init\(mask0=...\) must be a boolean array \(1, 18\), got str"),
    (lambda f: FedDST(L, interval=0), r"FedDST\(interval=...\) must be an integer of at least 1, got 0"),
    (lambda f: FedDST(Local(0.1, 3), before=4), r"FedDST\(before=...\) must be an integer of at least 1 and at most 3, got 4"),
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


def test_strict_namespace_is_there():
    """The battery of backends has the strict one."""
    assert array_api_strict.__name__
