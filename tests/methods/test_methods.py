"""One battery for all methods: a plain double loop, the fixed point, permutation of clients, backends, invariants."""

from fractions import Fraction

import numpy as np
import pytest

from fedtheory._arrays import to_host
from fedtheory.algorithms import FLAME, FedADMM, PFedMe
from fedtheory.algorithms.fedadmm import FedADMMDraws
from fedtheory.algorithms.flame import FLAMEDraws
from fedtheory.algorithms.pfedme import PFedMeDraws
from fedtheory.engines.exact import replay
from fedtheory.errors import UsageError
from fedtheory.numbers import Floats, Fractions
from problems.worlds.quadratics import Quadratics
from proofs_checks.fedadmm.worlds import fedadmm_steps
from proofs_checks.flame.worlds import flame_steps

METHODS = ("pfedme", "fedadmm", "flame")


def clients(m, d, seed, numbers=None):
    """Convex quadratic clients on some numbers."""
    numbers = numbers or Floats()
    rng = np.random.default_rng(seed)
    data = [rng.integers(1, 9, (m, d)) / 2.0, rng.integers(1, 5, (m, d)) * 1.0, rng.integers(-4, 5, (m, d)) * 1.0]
    h, v, b = (numbers.array(a) for a in data)
    return Quadratics(h, v, b, numbers.array(np.zeros((1, d))), numbers.array(np.zeros(m)), numbers)


def play(name, f, numbers, steps=3, select=None):
    """Run a method for a few steps and return its server vector and client vectors, on the host."""
    m, d = f.m, f.d
    select = np.ones(m, dtype=bool) if select is None else select
    mask = numbers.xp.asarray(select, device=numbers.device) if numbers.kind == "float" else select
    ones = numbers.array(select.astype(float))
    third = numbers.array(np.full(m, Fraction(1, m), dtype=object))
    start = numbers.array(np.arange(m * d, dtype=float).reshape(m, d))
    w0 = numbers.array(np.ones((1, d)))
    if name == "pfedme":
        alg = PFedMe(numbers.scalar(2), numbers.scalar(Fraction(1, 8)), numbers.scalar(1), 2, int(select.sum()))
        state = alg.init(f, w0)
        for _ in range(steps):
            state = alg.step(f, state, PFedMeDraws(ones, (0, 0)))
        return state, alg
    if name == "fedadmm":
        alg = FedADMM(third * 3, third, numbers.array(np.full(m, 0.5)), 2)
        state = alg.init(f, w0, start, third)
        for _ in range(steps):
            state = alg.step(f, state, FedADMMDraws(mask, 0))
        return state, alg
    alg = FLAME(numbers.scalar(2), numbers.scalar(3), third)
    state = alg.init(f, start, start * 0)
    for _ in range(steps):
        state = alg.step(f, state, FLAMEDraws(mask, 0))
    return state, alg


def host(a):
    """Floats on the host."""
    return np.asarray(to_host(a), dtype=float)


@pytest.mark.parametrize("name", METHODS)
def test_double_loop(name):
    """The stacked step against clients and coordinates one by one, in the paper's own lines."""
    m, d = 3, 2
    f = clients(m, d, 5)
    state, _ = play(name, f, Floats(), steps=1)
    A = [np.column_stack([f.grad(np.tile(e, (m, 1)))[i] - f.slope[i] for e in np.eye(d)]) for i in range(m)]
    b, eye = f.slope, np.eye(d)
    if name == "pfedme":
        W = []
        for i in range(m):
            w = np.ones(d)
            for _ in range(2):
                theta = np.linalg.solve(A[i] + 2 * eye, 2 * w - b[i])
                w = w - 2 * (w - theta) / 8
            W.append(w)
        want = np.mean(W, axis=0)
        got = state.w[0]
    else:
        start = np.arange(m * d, dtype=float).reshape(m, d)
        if name == "fedadmm":
            pi = [-(A[i] @ start[i] + b[i]) / m for i in range(m)]
            w = sum(start[i] + pi[i] for i in range(m)) / m
            want = [np.linalg.solve(A[i] / m + eye, w - pi[i] - b[i] / m) for i in range(m)]
        else:
            pi = [2 * start[i] / m for i in range(m)]
            w = sum(pi[i] / 3 for i in range(m)) / m
            theta = [np.linalg.solve(A[i] + 2 * eye, -b[i]) for i in range(m)]
            want = [(2 / m * theta[i] + 3 * w - pi[i]) / (2 / m + 3) for i in range(m)]
        got = state.W
    assert np.allclose(got, want, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", METHODS)
def test_permutation_of_clients(name):
    """Renaming the clients renames the client vectors and leaves the server vector."""
    f = clients(3, 2, 5)
    order = np.array([2, 0, 1])
    g = Quadratics(f.curvature[order], f.axis[order], f.slope[order], f.center, f.offset[order], f.numbers)
    if name == "pfedme":
        a, b = play(name, f, Floats())[0], play(name, g, Floats())[0]
        assert np.allclose(a.w, b.w, rtol=1e-12)
        return
    select = np.array([True, False, True])
    a = play(name, f, Floats(), steps=1, select=select)[0]
    start = np.arange(6.0).reshape(3, 2)
    numbers = Floats()
    third = numbers.array(np.full(3, 1 / 3))
    if name == "fedadmm":
        alg = FedADMM(third * 3, third, numbers.array(np.full(3, 0.5)), 2)
        b = alg.step(g, alg.init(g, np.ones((1, 2)), start[order], third), FedADMMDraws(select[order], 0))
    else:
        alg = FLAME(2.0, 3.0, third)
        b = alg.step(g, alg.init(g, start[order], start[order] * 0), FLAMEDraws(select[order], 0))
    assert np.allclose(a.W[order], b.W, rtol=1e-12) and np.allclose(a.w, b.w, rtol=1e-12)


@pytest.mark.parametrize("name", METHODS)
def test_backends_and_fractions_give_the_same_iterates(name, backend):
    """Every backend follows the exact iterates."""
    _, xp, device = backend
    numbers = Floats(xp, device)
    got = host(play(name, clients(3, 2, 5, numbers), numbers)[0].w)
    want = host(play(name, clients(3, 2, 5, Fractions()), Fractions())[0].w)
    assert np.allclose(got, want, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", METHODS)
def test_fixed_point_and_one_client(name):
    """A method that starts at the solution of one client's problem stays there."""
    f = clients(1, 2, 5)
    A = np.column_stack([f.grad(e[None])[0] - f.slope[0] for e in np.eye(2)])
    w_star = np.linalg.solve(A, -f.slope[0])[None]
    one = np.ones(1)
    if name == "pfedme":
        alg = PFedMe(2.0, 0.1, 1.0, 2, 1)
        after = alg.step(f, alg.init(f, w_star), PFedMeDraws(one, (0, 0)))
    elif name == "fedadmm":
        alg = FedADMM(one, one, one / 2)
        after = alg.step(f, alg.init(f, w_star, w_star, one), FedADMMDraws(np.array([True]), 0))
    else:
        alg = FLAME(2.0, 3.0, one)
        after = alg.step(f, alg.init(f, w_star, w_star), FLAMEDraws(np.array([True]), 0))
    assert np.allclose(after.w, w_star, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("world", [fedadmm_steps(), flame_steps()], ids=["fedadmm", "flame"])
def test_invariants_hold_exactly_at_reached_states(world):
    """Lemma 7.1 of FedADMM and Lemma 2 of FLAME hold in Fractions after adversarially inexact steps."""
    seen = 0
    for shape in world.shapes(2)[::7]:
        free = world.pick(next(world.sample(np.random.default_rng(1), shape, 1, 2)), 1)
        result = replay(lambda x: x.alg.invariants(x, x.next), world, free.map(Fraction))
        assert result.outcome in ("holds", "outside")
        seen += result.outcome == "holds"
    assert seen


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PFedMe(-1.0, 0.1, 1.0, 1, 1), r"PFedMe\(lam=...\) must be positive, got -1.0"),
        (lambda: PFedMe(1.0, float("nan"), 1.0, 1, 1), r"PFedMe\(eta=...\) must be positive, got nan"),
        (lambda: PFedMe(1.0, 0.1, 1.0, 0, 1), r"PFedMe\(R=...\) must be an integer of at least 1, got 0"),
        (lambda: PFedMe(1.0, 0.1, 1.0, 1, 2.5), r"PFedMe\(S=...\) must be an integer"),
        (lambda: PFedMe(1.0, 0.1, 1.0, 1, 4).init(clients(3, 2, 1), np.ones((1, 2))), r"at most 3, got 4"),
        (
            lambda: FedADMM(np.array([1.0, 0.0]), np.ones(2), np.ones(2)),
            r"FedADMM\(sigma=...\) must be positive, got 0.0",
        ),
        (lambda: FLAME(1.0, -2.0, np.ones(2)), r"FLAME\(rho=...\) must be positive, got -2.0"),
    ],
)
def test_bad_hyper_parameters(make, message):
    """The error shows the call, the rule and the value."""
    with pytest.raises(UsageError, match=message):
        make()
