"""The clients behind the refutations of Theorem 2 of pFedMe do what the closed forms in the claims say they do."""

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from fedtheory.algorithms import PFedMe
from fedtheory.algorithms.pfedme import PFedMeDraws, PFedMeState
from fedtheory.instance import Instance
from fedtheory.numbers import Floats, Fractions
from fedtheory.theory.pfedme.constants import sigma_F2_sq
from fedtheory.theory.pfedme.theorem2 import C4
from problems.worlds.quadratics import Moreau, Quadratics
from proofs_checks import claims
from proofs_checks.pfedme.theorem2.along_runs import BIASED
from proofs_checks.pfedme.theorem2.cases import above, curvature, drift_constant, gradient_sq, resting_slope
from proofs_checks.pfedme.theorem2.statement import on_the_slope


def exact(a):
    return Fractions().array(np.array(a, dtype=object))


def test_a_huber_client_keeps_its_slope_for_all_rounds():
    """grad F = g in each of T rounds of the largest step, and Delta_F is the closed form, exactly."""
    x = SimpleNamespace(g=Fraction(3), L=Fraction(1, 2), lam=Fraction(2))
    T, eta = 6, 1 / (75 * x.lam**3)
    one = exact([[1]])
    f = Quadratics(one * x.L, one, one * 0, one * 0, one[..., 0] * 0, Fractions(), one * 0, one * (x.g / x.L))
    F = Moreau(f, x.lam, lambda u: Fractions().dot(u, u))
    alg, state = PFedMe(x.lam, eta, 1, 1, 1), PFedMeState(one * (x.g / x.L + x.g / x.lam + T * eta * x.g))
    assert (F.value(state.w) - F.value(one * 0))[0] == on_the_slope(x, T * eta * x.g)
    for _ in range(T):
        assert F.grad(state.w)[0, 0] == x.g
        state = alg.step(f, state, PFedMeDraws(exact([1]), (one * 0,)))


@pytest.mark.parametrize("share", [1, 0.5, 0.1, 0.02])
@pytest.mark.parametrize("G", [2e4, 4e5])
def test_no_step_beats_the_lower_bound(share, G):
    """Runs of the reading `exists` in two dimensions: the mean square of grad F stays above g^2, up to rounding."""
    lam, L, beta, g, T = 3.0, 1.0, 5.0, 1.0, 300
    q, limit = lam * L / (lam + L), 1 / (75 * lam**3)
    distance, local = 8 * beta * g**2 * T / (q * G), limit / (2 * beta)
    # the second coordinate is measured from the middle of the bend of f_1, prox(w) at w = 0
    f = Quadratics(
        curvature=np.array([[L, L], [L, 0.0]]), axis=np.array([[1.0, 0.0], [1.0, 0.0]]), far=np.zeros((2, 2)),
        slope=np.array([[0.0, G], [0.0, -G]]), center=np.array([[0.0, -G / lam], [0.0, G / lam]]), offset=np.zeros(2),
        numbers=Floats(), knee=np.array([[g / L, G / L], [g / L, 1.0]]),
    )  # fmt: skip
    F = Moreau(f, lam, lambda u: np.sum(u * u, axis=-1))
    alg = PFedMe(lam, share * limit / (2 * beta), beta, 2, 2)
    state = PFedMeState(np.array([[g / L + g / lam + distance, local * G / (2 - local * q)]]))
    squares, second = [], []
    for _ in range(T):
        gradient = np.mean(F.grad(state.w), axis=-2)
        squares.append(np.sum(gradient**2))
        second.append(gradient[1])
        state = alg.step(f, state, PFedMeDraws(np.ones(2), (0.0, 0.0)))
    assert np.mean(squares) >= g**2 * (1 - 1e-9)
    assert min(second) >= q * share * limit * G / (8 * beta) * (1 - 1e-6)  # G times the rounding of a difference


def test_a_round_leaves_the_start_of_the_biased_run():
    """w_{t+1} = w_t with grad F(w_t) > 0, in Fractions, and Assumption 3 holds where f_1 bends."""
    (point,) = BIASED.grid({"m": 2, "d": 1, "R": 2, "S": 2, "T": 1}, 1)
    free = next(BIASED.sample(np.random.default_rng(1), {"m": 2, "d": 1, "R": 2, "S": 2, "T": 1}, 1, 1))
    x = BIASED.build(BIASED.pick(free.replace(scalars=point), 0).map(Fraction), Fractions())
    states = x.expected(lambda state: state.w)
    assert states[0] == states[1]
    assert x.mean_vec(x.F.grad(x.w)) > 0
    assert all((r.lhs <= r.rhs).all() for r in x.given if "Assumption 3" in r.name)


@pytest.mark.parametrize("name", ["s6", "s7"])
def test_the_closed_forms_at_rest(name):
    """Slope, Delta_F and C_4 of the clients at rest are what the world of runs has, exactly; at s6 the step is the proof's."""
    world = claims()[f"pfedme/thm2-proof-{name}"].world
    (shape,) = world.shapes(2)
    x = world.scope({k: Fraction(3) for k in world.scalars}, shape, Fractions())
    run = {"lam": x.lam, "beta": Fraction(1), "a": x.a}
    free = next(iter(BIASED.sample(np.random.default_rng(1), {"m": 2, "d": 1, "R": 2, "S": 2, "T": 1}, 1, 1)))
    derived = {**BIASED.derived, "eta": lambda _: x.eta_tilde / 2}
    free = BIASED.pick(free.replace(scalars={k: np.array([[1.0]]) for k in run}), 0).map(Fraction).replace(scalars=run)
    y = replace(BIASED, derived=derived, given=()).build(free, Fractions())
    before, after = y.expected(lambda state: state.w)
    assert (before == after).all()
    assert y.mean_vec(y.F.grad(y.w))[0, 0] ** 2 == gradient_sq(x)
    lowest = y.w - (x.a - resting_slope(x)) / curvature(x)
    assert (y.mean_vec(y.F.grad(lowest)) == 0).all()
    assert (y.mean(y.F.value(y.w)) - y.mean(y.F.value(lowest)))[0] == above(x)
    y = Instance(Fractions(), {**y._names, "delta": Fraction(0)})
    assert C4(y, sigma_F2_sq(y))[0] == drift_constant(x)
    if name == "s6":
        assert x.T * drift_constant(x) * x.eta_tilde**3 == above(x)
