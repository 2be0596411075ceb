"""The methods in exact numbers: rational steps on Fractions and Gram arrays, invariants, Algorithm 2's step sizes."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from algorithm_rows import PROBLEMS, ROWS, WHOLE, M, arrays, begin, close, play, start

from fedtheory.algorithms import FLAME, FedADMM, FedAvg, FedAvgStored, FedProx, FedProxStored, PerFedAvg, PFedMe
from fedtheory.algorithms.scaffold import Scaffold
from fedtheory.engines.counterexamples.exact import replay
from fedtheory.errors import NotApplicable
from fedtheory.gram.forms import Rows, Space
from fedtheory.instance import Instance
from fedtheory.numbers import Floats, Fractions
from fedtheory.random import stream
from problems.clients.quadratic import QuadraticClients
from problems.worlds.abstract import AbstractClients
from problems.worlds.classes.curvature import SmoothConvex
from problems.worlds.quadratics import Quadratics
from proofs_checks.fedadmm.worlds import fedadmm_steps
from proofs_checks.flame.worlds import flame_steps


def test_step_sizes_of_algorithm_2():
    """gamma_k(a) = a/log2(k + 2) for k = 0, 1, 2 ..., where the print divides by zero at k = 0."""
    f = QuadraticClients(np.zeros((1, 1, 1)), np.full((1, 1), 1.0))  # gradient -1 everywhere
    alg = FedAvgStored(0.5)
    states = [alg.init(f)]
    for k in range(7):
        states.append(alg.step(f, states[-1], alg.draw(f, stream(0, k, "draw"))))
    steps = np.diff([s.W[0, 0] for s in states])
    assert close(steps, 0.5 / np.log2(np.arange(7) + 2))


def exact_clients(m=3, d=2):
    """Quadratics on Fractions."""
    rng, numbers = np.random.default_rng(0), Fractions()
    parts = [numbers.array(rng.integers(1, 6, (m, d))) for _ in range(3)]
    return Quadratics(
        *parts, numbers.array(np.zeros((1, d), dtype=int)), numbers.array(np.zeros(m, dtype=int)), numbers
    )


THIRD, HALF = Fraction(1, 3), Fraction(1, 2)
THIRDS = np.full(3, THIRD)
EXACT = {  # a method, and how many steps of it stay rational
    "fedavg": (FedAvg(THIRD, 2, S=2, alpha=1), 3),
    "fedprox": (FedProx(THIRD, 2, HALF, S=2, alpha=1), 3),
    "perfedavg": (PerFedAvg(THIRD, THIRD / 4, 2, S=2), 2),
    "perfedavg, difference": (PerFedAvg(THIRD, THIRD / 4, 1, S=2, hessian="difference", delta=THIRD), 2),
    "fedavg stored": (FedAvgStored(THIRD, 2, S=2, decreasing=False), 3),
    "fedavg stored, powers of two": (FedAvgStored(THIRD, S=2), 1),
    "fedprox stored": (FedProxStored(THIRD, THIRD, 2, S=2, decreasing=False), 3),
    "pfedme": (PFedMe(Fraction(2), HALF / 4, Fraction(1), 2, 2), 3),
    "pfedme, all": (PFedMe(Fraction(2), HALF / 4, Fraction(1), 2, 3), 3),
    "fedadmm": (FedADMM(THIRDS * 3, THIRDS, np.full(3, HALF), 2, S=2), 3),
    "fedadmm, all": (FedADMM(THIRDS * 3, THIRDS, np.full(3, HALF), 2), 3),
    "flame": (FLAME(Fraction(2), Fraction(3), THIRDS, S=2), 3),
    "flame, all": (FLAME(Fraction(2), Fraction(3), THIRDS), 3),
    "scaffold": (Scaffold(THIRD / 4, 2, eta_g=HALF, S=2), 3),
    "scaffold, gradient at x": (Scaffold(THIRD / 4, 2, S=2, control="i"), 3),
}


def as_floats(value):
    """A hyper-parameter, or an array of Fractions, in floats."""
    if isinstance(value, np.ndarray):
        return value.astype(float)
    return float(value) if isinstance(value, Fraction) else value


@pytest.mark.parametrize("name", EXACT)
def test_rational_steps_are_exact(name, backend):
    """On Fractions a step stays rational and is what the floats of every backend round to."""
    alg, steps = EXACT[name]
    f = exact_clients()
    w, W = (Fractions().array(np.arange(c * 2).reshape(c, 2)) for c in (1, 3))
    state = play(alg, f, begin(alg, f, w, W, W * 2), steps)
    assert all(type(v) is Fraction for v in state.w.flat)
    _, xp, device = backend
    g = QuadraticClients(*dense(f), xp=xp, device=device)
    floats = type(alg)(**{k: as_floats(v) for k, v in vars(alg).items()})
    w, W = (g.xp.asarray(a.astype(float), device=g.device) for a in (w, W))
    for field, value in arrays(play(floats, g, begin(floats, g, w, W, W * 2), steps)).items():
        assert close(getattr(state, field), value), field


def dense(f):
    """A_i and b_i of quadratics on Fractions, as floats."""
    at_zero = f.grad(Fractions().array(np.zeros((f.m, f.d), dtype=int)))
    eye = [f.grad(Fractions().array(np.tile(e, (f.m, 1)))) - at_zero for e in np.eye(f.d, dtype=int)]
    return np.stack(eye, axis=-1).astype(float), -at_zero.astype(float)


def test_log2_is_refused_where_it_is_not_rational():
    """In exact numbers the decreasing step size exists at powers of two alone."""
    f = exact_clients()
    alg = FedAvgStored(THIRD, S=2)
    zero = Fractions().array(np.zeros((3, 2), dtype=int))
    state = alg.init(f, zero[:1], zero)
    state = alg.step(f, state, alg.draw(f, stream(0, 0, "draw")))
    with pytest.raises(NotApplicable, match="log2"):
        alg.step(f, state, alg.draw(f, stream(0, 1, "draw")))


@pytest.mark.parametrize(
    "alg", [FedAvg(THIRD, 1, alpha=1), FedProx(THIRD, 1, THIRD, alpha=1), PFedMe(THIRD, THIRD, 2, 1, 2)]
)
def test_steps_run_on_gram_arrays(alg):
    """On abstract clients the new server vector is a rational combination of leaves."""
    space = Space()
    f = AbstractClients(space, 2, SmoothConvex("L"), SimpleNamespace(L=Fraction(1)))
    w = space.leaf("w")[None]
    state = alg.step(f, alg.init(f, w), alg.draw(f, stream(0, 0, "draw"))._replace(selected=np.ones(2, dtype=bool)))
    row = state.w.view(np.ndarray)[0]
    step = THIRD * (2 if isinstance(alg, PFedMe) else 1)  # beta
    assert isinstance(state.w, Rows) and row[0] == 1
    assert [abs(c) for c in row[1:4]] == [step / 2, step / 2, 0]


@pytest.mark.parametrize("k0", [1, 3])
def test_invariants_of_algorithm_2_are_exact(k0):
    """(3.16) at the states right after a communication, in Fractions; a state that breaks it is seen."""
    f, numbers = exact_clients(), Fractions()
    alg = FedAvgStored(THIRD, k0, S=2, decreasing=False)
    x = Instance(numbers, {"f": f, "m": f.m})
    state = alg.init(f, numbers.array(np.zeros((1, 2), dtype=int)), numbers.array(np.ones((3, 2), dtype=int)))
    assert alg.invariants(x, state) == ()
    for k in range(6):
        state = alg.step(f, state, alg.draw(f, stream(0, k, "draw")))
        relations = alg.invariants(x, state)
        assert len(relations) == (k % k0 == 0)
        for relation in relations:
            assert all(v == 0 for v in relation.lhs.flat)
            (broken,) = alg.invariants(x, state._replace(w=state.w + 1))
            assert any(v != 0 for v in broken.lhs.flat)


@pytest.mark.parametrize("row", ROWS)
def test_invariants_hold_at_reached_states(row):
    """Every relation at every state of a run on floats, to rounding of the terms it is made of."""
    f = PROBLEMS["softmax"](WHOLE)
    alg = ROWS[row](f.constants().L, WHOLE)
    x = Instance(Floats(), {"f": f, "m": M, **{k: v for k, v in vars(alg).items() if k != "m"}})
    state = start(alg, f)
    for k in range(5):
        state = alg.step(f, state, alg.draw(f, stream(6, k, "draw")))
        for r in alg.invariants(x, state):
            if r.op == "==":
                assert np.abs(r.lhs).max() <= 1e-20 * max(1.0, f.constants().L) ** 4
            elif alg.inner_steps is None:
                assert (r.lhs <= r.rhs * (1 + 1e-10) + 1e-20).all()


@pytest.mark.parametrize("world", [fedadmm_steps(), flame_steps()], ids=["fedadmm", "flame"])
def test_invariants_hold_exactly_after_adversarially_inexact_steps(world):
    """Lemma 7.1 of FedADMM and Lemma 2 of FLAME, in Fractions."""
    seen = 0
    for shape in world.shapes(2)[::7]:
        free = world.pick(next(world.sample(np.random.default_rng(1), shape, 1, 2)), 1)
        result = replay(lambda x: x.alg.invariants(x, x.next), world, free.map(Fraction))
        assert result.outcome in ("holds", "outside")
        seen += result.outcome == "holds"
    assert seen
