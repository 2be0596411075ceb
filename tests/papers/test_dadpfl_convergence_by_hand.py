"""DA-DPFL's convergence theory recomputed without the claims: its bound, a round, random neighbours, the theorem that holds."""

import math
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest

from proofs_checks import claims


def bound(mu, eta, M, E, gap, T, local=0.0, spread=0.0, personal=0.0):
    """The right side of (13), typed from the paper."""
    S1 = 2 * eta**2 * M * (M - 1) * (math.exp((3 * M + 2) * E / (4 * (M**2 - 1))) - 1)
    S2 = local / (2 * M - 1) + 3 * (2 * spread + personal)
    divisor = eta - 6 * S1 * (mu - eta)
    drift = 3 * mu**2 * eta**3 * (3 * M + 2) * E / (2 * (M + 1) * M) * (local + spread)
    return 2 / (T * divisor) * gap + 2 / divisor * ((mu - eta) * S1 * S2 + drift), divisor


@pytest.mark.parametrize("T", [1, 10**6, 10**12])
def test_the_bound_is_negative_at_an_allowed_step(T):
    """M = 2, E_l = 5, eta at the limit of Theorem 3: below 0 for every T, and so below any squared norm."""
    eta = math.sqrt(1 / (12 * 1 * 3))
    right, divisor = bound(1, eta, 2, 5, gap=1, T=T, local=1, spread=1, personal=1)
    assert divisor < 0 and right < 0


def test_the_setting_of_the_experiments():
    """M = 10, E_l = 5, eta = 0.1: the divisor changes its sign between mu = 0.118 and 0.119, the step allows 0.22."""
    assert bound(0.118, 0.1, 10, 5, 1, 1)[1] > 0 > bound(0.119, 0.1, 10, 5, 1, 1)[1]
    assert 0.1**2 <= 1 / (12 * 0.22**2 * 9 * 19) and 0.1**2 > 1 / (12 * 0.221**2 * 9 * 19)


def walked(start, own):
    """What three clients have walked before and after training, one after the other, where each averages all models."""
    models, before = list(start), []
    for k in range(3):
        before.append(sum(models) / 3)
        models[k] = before[-1] + own
    return before, models


def test_a_round_of_three_goes_further_than_lemma_2_says():
    """With a constant gradient a round is 37/27 of E_l steps and not 4/3, in the mean over all orders."""
    first, after = walked([Fraction(0)] * 3, Fraction(1))
    second = [sum(walked([after[j] for j in order], 1)[0]) / 3 for order in permutations(range(3))]
    assert sum(second) / 6 - sum(first) / 3 == Fraction(37, 27)


@pytest.mark.parametrize(("K", "M"), [(4, 2), (6, 2), (6, 4), (7, 3)])
def test_moments_of_random_neighbours(K, M):
    """rho V, and for the mean of the models (rho - rho^2) V/K, by all neighbourhoods of each client."""
    v = np.random.default_rng(K * 10 + M).normal(size=K)
    rho, V, w = (K - 1 - M) / ((M + 1) * (K - 1)), v.var(), v.mean()
    mixed = [
        [(v[k] + sum(v[list(N)])) / (M + 1) - w for N in combinations([j for j in range(K) if j != k], M)]
        for k in range(K)
    ]
    assert np.mean([np.mean(np.square(one)) for one in mixed]) == pytest.approx(rho * V)
    assert sum(np.var(one) for one in mixed) / K**2 + np.mean([np.mean(one) for one in mixed]) ** 2 == pytest.approx(
        (rho - rho**2) * V / K
    )


@pytest.mark.parametrize(("K", "M", "E"), [(5, 2, 1), (8, 3, 4)])
def test_the_repaired_theorem_along_runs(K, M, E):
    """Quadratics with minimisers of their own, 400 runs: the mean of |grad f|^2 is below the bound, and this not far above it."""
    rng = np.random.default_rng(7)
    mu, T = 1.0, 60
    eta = 1 / (8 * mu)  # of a round
    centres, X = rng.normal(size=K), np.repeat(rng.normal(size=(1, K)) * 2, 400, axis=0)
    spread, w0 = mu**2 * centres.var(), X[0].mean()
    gap = mu / 2 * (w0 - centres.mean()) ** 2  # f less its minimum
    total = 0.0
    V0 = X[0].var()
    for _ in range(T):
        total += np.mean((mu * (X.mean(1) - centres.mean())) ** 2)
        mixed = np.empty_like(X)
        for r, k in np.ndindex(X.shape):
            N = rng.choice(np.delete(np.arange(K), k), M, replace=False)
            mixed[r, k] = (X[r, k] + X[r, N].sum()) / (M + 1)
        for _ in range(E):
            mixed = mixed - eta / E * mu * (mixed - centres)
        X = mixed
    right = 8 * (gap + mu * V0) / (eta * T) + (48 * mu * eta + 168 * mu**2 * eta**2) * spread
    assert right / 10_000 < total / T <= right


def test_rows_of_the_theory_are_claims():
    """The theorem and each of its lemmas has a claim as printed, and one that is its repair."""
    for id in ("eq13", "eq17", "eq27", "lemma3", "eq42"):
        assert claims()[f"dadpfl/{id}"].repair in claims()


def test_a_masked_round_by_hand():
    """dadpfl/thm3~masks, one round of one local step: all 81 choices of M = 2 neighbours of K = 4 clients, masks that differ,
    f_k(w) = sum of sin(a_k w + c_k), L = 1, from random models inside of their masks; without masks nothing is added."""
    rng = np.random.default_rng(16)
    K, M, d, eta = 4, 2, 3, 1 / 16
    used = []
    for dense in (False, True) * 20:
        a, c = rng.uniform(0.3, 1, (K, d)), rng.uniform(0, 6, (K, d))

        def value(w, a=a, c=c):
            return np.sin(a * w + c).sum(axis=-1).mean()

        def grad(W, a=a, c=c):
            return a * np.cos(a * W + c)

        mask = np.ones((K, d), bool) if dense else rng.random((K, d)) < 0.5
        W = rng.standard_normal((K, d)) * mask * rng.choice([0.1, 3])
        w = W.mean(axis=0)
        G = (grad(w).mean(axis=0) ** 2).sum()
        spread = ((grad(w) - grad(w).mean(axis=0)) ** 2).sum(axis=1).mean()
        moved, cut, height, apart = [], [], [], []
        for choice in product(*[list(combinations([j for j in range(K) if j != k], M)) for k in range(K)]):
            heard = [[k, *N] for k, N in enumerate(choice)]
            plain = np.array([W[j].mean(axis=0) for j in heard])
            kept = np.array([mask[j].sum(axis=0) for j in heard])
            begun = np.where(kept > 0, np.array([W[j].sum(axis=0) for j in heard]) / np.maximum(kept, 1), 0) * mask
            g = grad(begun)
            after = begun - eta * g * mask
            moved.append(((begun - plain) ** 2).sum(axis=1).mean())
            cut.append(((g * ~mask) ** 2).sum(axis=1).mean())
            height.append(value(after.mean(axis=0)))
            apart.append(((after - after.mean(axis=0)) ** 2).sum(axis=1).mean())
        left = np.mean(height) + np.mean(apart) + eta / 4 * G
        masks = 4 * eta * np.mean(cut) + 3 * np.mean(moved) / eta
        V = ((W - w) ** 2).sum(axis=1).mean()
        assert left <= value(w) + V + (6 * eta**2 + 48 * eta**3) * spread + masks + 1e-12
        assert (masks < 1e-20) == dense
        used.append(masks)
    assert max(used) > 1
