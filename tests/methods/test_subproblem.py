"""Inexact subproblems: accuracies are met with no gradient too many, errors have the size that is allowed."""

from fractions import Fraction

import numpy as np
import pytest
from algorithm_rows import ALPHA, EPS, NU, PROBLEMS, WHOLE, Counted, M, close, play

from fedtheory._arrays import add_scaled, to_host
from fedtheory.algorithms import FLAME, FedADMM, PFedMe
from fedtheory.instance import Instance
from fedtheory.numbers import Floats
from fedtheory.random import stream


@pytest.mark.parametrize("name", ["least squares", "softmax", "huber"])
def test_accuracies_are_met(name):
    """(8), (3.5) and (13) hold where the steps suffice, and the number of gradients is the least that they need."""
    f = PROBLEMS[name](WHOLE)
    L = f.constants().L
    w = np.full((1, f.d), 0.7)
    pfedme = PFedMe(2 * L, 0.1 / L, 1.0, 1, M, K=100, inner_eta=1 / (3 * L), nu=0.01 * L, everyone=True)
    theta = play(pfedme, f, pfedme.init(f, w), 1).Theta
    assert (f.residual(theta, w, 2 * L) <= 0.01 * L).all()
    admm = FedADMM(0.5 * L, 0.2, 0.9, r=L, inner_steps=100)
    x = Instance(Floats(), {"f": f, "m": M})
    state = admm.init(f, w, np.repeat(w, M, axis=0), 1e-3 * L**2)
    for k in range(4):
        state = admm.step(f, state, admm.draw(f, stream(0, k, "draw")))
        assert admm.invariants(x, state)[1].op == "<="
        phi = f.grad(state.W) * 0.2 + state.Pi
        assert (np.sum(phi**2, axis=-1) <= state.eps * (1 + 1e-12)).all()
    flame = FLAME(2 * L, L, 0.2, H=100, eta=1 / (3 * L), eps=1e-4 * L**2)
    before = flame.init(f, np.repeat(w, M, axis=0), np.repeat(w + 1, M, axis=0))
    after = play(flame, f, before, 1)
    assert ((0.2 * f.residual(after.Theta, before.W, 2 * L)) ** 2 <= 1e-4 * L**2).all()
    for alg, loose in ((pfedme, {"nu": 1e9}), (flame, {"eps": 1e12})):
        lazy = type(alg)(**{**vars(alg), **loose})
        counted = Counted(f)
        play(lazy, counted, before if alg is flame else lazy.init(counted, w), 1)
        assert counted.gradients == 1  # the test of the starting point


@pytest.mark.parametrize("name", ["softmax", "quadratic", "huber"])
def test_adversarial_errors_have_the_allowed_size(name):
    """|theta_tilde - theta_hat| = delta, and (3.5) and (13) hold with equality along the caller's direction."""
    f = PROBLEMS[name](WHOLE)
    L = f.constants().L
    w, direction = np.full((1, f.d), 0.3), np.arange(1.0, M * f.d + 1).reshape(M, f.d)
    pfedme = PFedMe(2 * L, 0.1, 1.0, 1, M, delta=0.25, everyone=True)
    draws = pfedme.draw(f, stream(0, 0, "draw"))._replace(error=(-direction,))
    gap = pfedme.step(f, pfedme.init(f, w), draws).Theta - f.prox(w, 2 * L)
    assert close(gap, -direction / np.linalg.norm(direction, axis=-1, keepdims=True) / 4)
    admm = FedADMM(L, ALPHA, NU, adversarial=True)
    state = admm.init(f, w, np.repeat(w, M, axis=0), EPS)
    after = admm.step(f, state, admm.draw(f, stream(0, 0, "draw"))._replace(error=direction))
    phi = f.grad(after.W) * ALPHA[:, None] + after.Pi
    assert close(np.sum(phi**2, axis=-1), after.eps) and close(after.eps, EPS * NU)
    assert (np.sum(phi * direction, axis=-1) > 0).all()
    flame = FLAME(2 * L, L, ALPHA, eps=EPS, decay=0.5)
    state = flame.init(f, np.repeat(w, M, axis=0), np.repeat(w, M, axis=0))
    state = play(flame, f, state, 2)
    after = flame.step(f, state, flame.draw(f, stream(0, 2, "draw")))
    residual = ALPHA * f.residual(after.Theta, state.W, 2 * L)
    assert close(residual**2, EPS / 4, 1e-11)


def test_a_direction_of_length_zero_is_no_error():
    """Zero rows stay zero; a number in place of the error as well."""
    f = PROBLEMS["quadratic"](WHOLE)
    alg = PFedMe(2.0, 0.1, 1.0, 1, M, delta=0.25)
    exact = PFedMe(2.0, 0.1, 1.0, 1, M)
    draws = exact.draw(f, stream(0, 0, "draw"))
    want = exact.step(f, exact.init(f), draws).w
    for error in (0.0, np.zeros((M, f.d))):
        assert close(alg.step(f, alg.init(f), draws._replace(error=(error,))).w, want)


@pytest.mark.parametrize("name", ["numpy", "array_api_strict", "torch"])
def test_a_scaled_sum_takes_the_memory_of_its_last_term_alone(name):
    """A + s B for numbers and columns s, in B's memory where it is that of floats; A never changes."""
    xp = pytest.importorskip(name)
    a, b = np.arange(6.0).reshape(3, 2), np.ones((3, 2))
    for first, s in ((a, 0.3), (a[:1], 0.3), (a, 2), (a, np.array([[0.1], [0.2], [0.3]]))):
        A, B = xp.asarray(first.copy()), xp.asarray(b.copy())
        got = add_scaled(A, s if np.ndim(s) == 0 else xp.asarray(s), B)
        assert np.abs(to_host(got) - (first + b * s)).max() <= 1e-15
        assert (to_host(A) == first).all()
        assert (got is B) == (isinstance(s, float) and name != "array_api_strict")
    wide = add_scaled(xp.asarray(a), 0.5, xp.asarray(b[:1]))
    assert (to_host(wide) == a + 0.5).all()
    exact = np.array([[Fraction(1, 3)]], dtype=object)
    assert add_scaled(exact, Fraction(1, 7), exact)[0, 0] == Fraction(8, 21)
    assert exact[0, 0] == Fraction(1, 3)
