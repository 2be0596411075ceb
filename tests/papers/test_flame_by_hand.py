"""FLAME's refutations recomputed without the claims, and its repaired Theorem 2 along runs, with its slack."""

import itertools
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from fedtheory.algorithms import FLAME
from fedtheory.algorithms.flame import FLAMEDraws
from fedtheory.instance import Instance
from fedtheory.measure.observe import instance
from fedtheory.numbers import Fractions
from fedtheory.theory.flame.constants import c1, c2, c3, eps_coefficient, lagrangian, lagrangian_gradient_sq
from problems import LeastSquaresClients
from problems.data.generators import example5_1
from problems.worlds.quadratics import Quadratics

NUMBERS = Fractions()


def array(values):
    """A Fraction array ``(m,)``."""
    return NUMBERS.array(np.array([Fraction(v) for v in values], dtype=object))


def on_a_line(curvature, slope=None):
    """Clients h_i/2 theta^2 + b_i theta of one variable."""
    m = len(curvature)
    column = [array(v)[:, None] for v in (curvature, [1] * m, slope or [0] * m)]
    return Quadratics(*column, array([0])[:, None], array([0] * m), NUMBERS)


def scene(f, lam, rho, L=None):
    """FLAME with equal weights and exact numbers, and the instance of its formulas."""
    alpha = array([Fraction(1, f.m)] * f.m)
    alg = FLAME(Fraction(lam), Fraction(rho), alpha)
    names = {"f": f, "lam": alg.lam, "rho": alg.rho, "alpha": alpha, "L": Fraction(L or 0)}
    return alg, Instance(NUMBERS, names)


def one_round(alg, f, Theta, W, error=None):
    """P^0 and P^1 with everyone selected; `error` is the residual of (13)."""
    m = f.m
    Theta, W, E = (array(v)[:, None] for v in (Theta, W, error or [0] * m))
    before = alg.init(f, Theta, W)
    return before, alg.step(f, before, FLAMEDraws(np.ones(m, dtype=bool), E))


def rise(x, before, after):
    """L^1 - L^0."""
    return (lagrangian(x, after) - lagrangian(x, before))[0]


def test_nothing_moves_and_lemma_1_asks_for_a_fall():
    """f = 0 at rest with lam = alpha = 1, rho = 2, L = 1 and eps = 1: the right side of (16) is -4/9."""
    f = on_a_line([0])
    alg, x = scene(f, 1, 2, 1)
    before, after = one_round(alg, f, [0], [0])
    (weight,) = eps_coefficient(x)
    assert rise(x, before, after) == 0 > weight == Fraction(-4, 9)
    left, right = Fraction(3, 4), Fraction(3, 2)  # lam^2 alpha^2 (1 + rho)/rho^2 < (lam alpha + rho)/2
    assert left < right and alg.rho >= alg.lam


def test_the_lagrangian_rises_with_exact_solutions():
    """f = -3/8 theta^2, lam = 1, rho = 2: from theta^0 = 1, w_1^0 = 0 L rises by 1/8, and the gradient is not 0."""
    f = on_a_line([Fraction(-3, 4)])
    alg, x = scene(f, 1, 2, Fraction(3, 4))
    before, after = one_round(alg, f, [1], [0])
    assert after.Theta[0, 0] == 0 and rise(x, before, after) == Fraction(1, 8)
    assert lagrangian_gradient_sq(x, before)[0] > 0 and c1(x)[0] > 0


def test_theorem_2_fails_where_c_0_is_positive():
    """Thirty equal clients, lam = 7/50, rho = 1/29, L = 1/100, errors of size sqrt(eps): (19) fails for T = 1."""
    m, eps = 30, Fraction(1, 4)
    f = on_a_line([0] * m)
    alg, x = scene(f, Fraction(7, 50), Fraction(1, 29), Fraction(1, 100))
    a = alg.lam / m
    assert a**2 * (1 + alg.rho) / alg.rho**2 < (a + alg.rho) / 2 and alg.rho >= a
    assert min(eps_coefficient(x)) > 0 < min(c1(x))
    before, after = one_round(alg, f, [0] * m, [0] * m, [Fraction(1, 2)] * m)
    residual = (f.grad(after.Theta) + alg.lam * (after.Theta - before.W)) / m
    assert (residual**2 == eps).all()
    bound = c2(x)[0] / (m * c1(x)[0]) * -rise(x, before, after) + c3(x) * eps
    assert lagrangian_gradient_sq(x, before)[0] / m > bound


def test_exact_solutions_keep_theorem_2_there():
    """The same clients with exact solutions, curved and apart: (19) holds for T = 1."""
    m = 30
    f = on_a_line([Fraction(k % 3 - 1, 100) for k in range(m)], [Fraction(k - 15) for k in range(m)])
    alg, x = scene(f, Fraction(7, 50), Fraction(1, 29), Fraction(1, 100))
    before, after = one_round(alg, f, [Fraction(k, 7) for k in range(m)], [Fraction(k**2 % 11) for k in range(m)])
    bound = c2(x)[0] / (m * c1(x)[0]) * -rise(x, before, after)
    assert lagrangian_gradient_sq(x, before)[0] / m <= bound


def test_an_unselected_client_breaks_42():
    """Two clients theta^2/2 - theta, the second one unselected and off its solution: its gradient exceeds any small eps."""
    f = on_a_line([1, 1], [-1, -1])
    alg, _ = scene(f, 2, 4)
    before = alg.init(f, array([0, 5])[:, None], array([0, 0])[:, None])
    after = alg.step(f, before, FLAMEDraws(np.array([True, False]), array([0, 0])[:, None]))
    gradient = (f.grad(before.Theta) + alg.lam * (before.Theta - before.W)) / 2
    assert (after.Theta - before.Theta)[1, 0] == 0 and gradient[1, 0] ** 2 == 49


def test_a_free_start_stays_below_the_least_value():
    """f = 0, pi_2^0 = 4 = -pi_1^0, the first client selected: L^1 < 0 = F*, against Lemma 3 without (28)."""
    f = on_a_line([0, 0])
    alg, x = scene(f, 1, 2)
    Theta, W, Pi0 = (array(v)[:, None] for v in ([0, 0], [0, -2], [0, 4]))
    before = alg.init(f, Theta, W, Pi0=Pi0)
    after = alg.step(f, before, FLAMEDraws(np.array([True, False]), array([0, 0])[:, None]))
    assert lagrangian(x, after)[0] < 0


def largest(g, C, s):
    """The s clients of C with the largest g, equal ones by position."""
    return sorted(C, key=lambda i: (-g[i], i))[:s]


@pytest.mark.parametrize(("m", "c", "s"), [(3, 2, 1), (4, 3, 2), (5, 3, 2), (5, 4, 1), (4, 4, 3)])
def test_the_relative_skew_of_the_box(m, c, s):
    """Over all candidate sets: the skew of the gradients is at least 1, and (17) is 0 for a client that is never selected."""
    rng = np.random.default_rng(7)
    for g in ([1] * m, list(range(m)), *rng.integers(0, 9, (20, m)).tolist()):
        picks = [largest(g, C, s) for C in itertools.combinations(range(m), c)]
        mean = Fraction(sum(g[i] for S in picks for i in S), s * comb(m, c))
        assert mean >= Fraction(sum(g), m)
    picks = [largest(list(range(m)), C, s) for C in itertools.combinations(range(m), c)]
    assert sum(0 in S for S in picks) == 0  # client 0 has the least gradient; d_i = 0 for all others makes (17) 0


def safe_run(S, rounds=60, biased=False):
    """A run with lam = 2 L and rho = 5 lam alpha, exact solutions: (instance, states, method)."""
    problem = LeastSquaresClients(example5_1(8, d=4, least=10, most=20))
    lam = 2 * problem.constants().L
    alg = FLAME(lam, 5 * lam / problem.m, np.full(problem.m, 1 / problem.m))
    x = instance(problem, alg)
    state, states = alg.init(problem, np.ones((problem.m, problem.d))), []
    rng = np.random.default_rng(11)
    for _ in range(rounds):
        states.append(state)
        g = x.sq((problem.grad(state.Theta) + lam * (state.Theta - state.W)) / problem.m)
        order = np.argsort(-g) if biased else rng.permutation(problem.m)
        mask = np.isin(np.arange(problem.m), order[:S])
        state = alg.step(problem, state, FLAMEDraws(mask, 0))
    return x, [*states, state], alg


def test_repaired_theorem_2_along_a_run_of_everyone():
    """1/(m T) sum |grad L(P)|^2 <= 40 (rho + 1/rho) (L^0 - L^T)/(s T), with room, and L falls in every round."""
    x, states, alg = safe_run(8)
    falls = [float((lagrangian(x, a) - lagrangian(x, b))[0]) for a, b in itertools.pairwise(states)]
    assert min(falls) > 0
    measured = sum(float(lagrangian_gradient_sq(x, s)[0]) for s in states[:-1]) / x.m
    promised = 40 * (alg.rho + 1 / alg.rho) * sum(falls) / x.m
    assert 0 < measured < promised / 2


def test_repaired_theorem_2_along_a_biased_run():
    """The three of eight clients with the largest gradients: the bound on |grad L(Theta)|^2 with gamma = 1, round by round."""
    x, states, alg = safe_run(3, biased=True)
    for a, b in itertools.pairwise(states):
        fall = float((lagrangian(x, a) - lagrangian(x, b))[0])
        g = x.sq((x.f.grad(a.Theta) + alg.lam * (a.Theta - a.W)) * x.alpha[:, None])
        assert 3 * float(np.mean(g)) / (10 * alg.lam * float(x.alpha[0])) <= fall
