"""Measured heterogeneity: closed forms, infinite cases with their reason, searches between a value and a bound."""

import math

import numpy as np
import pytest
from client_cases import L2, build, close, points, samples

from fedtheory._arrays import to_host
from fedtheory.errors import UsageError
from problems.clients import heterogeneity
from problems.clients.envelope import Envelope
from problems.clients.heterogeneity import gamma_f_sq, sigma_F1_sq, sigma_F2_sq, sigma_f_sq
from problems.clients.least_squares import LeastSquaresClients
from problems.clients.logistic import LogisticClients
from problems.clients.one_variable import HuberClients, TanhClients
from problems.clients.quadratic import QuadraticClients

BOUNDED = ("logistic", "nonconvex logistic", "softmax", "margin", "smooth margin")


def spread(f, w):
    """mean_i |grad f_i - grad f|^2 on the host."""
    G = to_host(f.grad(w))
    return ((G - G.mean(axis=-2, keepdims=True)) ** 2).sum(-1).mean(-1)


def test_least_squares_with_unequal_hessians_has_infinite_diversity(backend):
    """The reason names a client; equal Hessians give the exact constant, wherever it is measured."""
    f, _ = build("least squares", backend)
    out = sigma_f_sq(f)
    assert out.value == out.bound == math.inf and out.exact and "infinite: the Hessian of client 4" in out.how
    w = points(f)[:1, :]
    assert spread(f, 1e8 * w) > 1e12 * spread(f, w)
    _, xp, device = backend
    X = np.random.default_rng(0).standard_normal((6, 3))
    data = [(X if i % 2 else -X, np.arange(6.0) * i) for i in range(4)]
    same = LeastSquaresClients(data, l2=L2, xp=xp, device=device)
    out = sigma_f_sq(same)
    assert out.exact and "Hessians are equal" in out.how
    for scale in (0.0, 1.0, 100.0):
        assert spread(same, points(same, scale=scale)[:1, :]) == pytest.approx(out.value, rel=1e-11)


def test_one_client_and_the_late_client():
    """m = 1 is no diversity; a difference in the last of many blocks is seen."""
    assert sigma_f_sq(LeastSquaresClients([(np.eye(2), np.ones(2))])).value == 0
    A = np.repeat(np.eye(2)[None], 50, axis=0)
    assert sigma_f_sq(QuadraticClients(A, np.zeros((50, 2)))).value == 0
    A[-1, 0, 0] += 1e-9
    assert "client 49" in sigma_f_sq(QuadraticClients(A, np.zeros((50, 2)))).how


def test_the_diversity_of_huber_clients_is_exact():
    """Never exceeded on a fine grid, and reached on it."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        f = HuberClients(3 * rng.standard_normal(6), rng.random(6) + 0.1, rng.random(6) + 0.1)
        on_grid = spread(f, np.linspace(-15, 15, 20001)[:, None, None]).max()
        out = sigma_f_sq(f)
        assert out.exact and on_grid <= out.value * (1 + 1e-14) and on_grid >= out.value * (1 - 1e-2)


@pytest.mark.parametrize("name", BOUNDED)
def test_bounded_gradients_enclose_the_suprema(name):
    """The search beats random points; nothing exceeds the bound."""
    f, _ = build(name)
    sigma, gamma = sigma_f_sq(f), gamma_f_sq(f)
    for out in (sigma, gamma):
        assert 0 < out.value <= out.bound < math.inf and not out.exact and "search" in out.how
    for scale in (0.1, 1.0, 10.0, 1000.0):
        W = points(f, 3, (50,), scale)
        assert spread(f, W[:, :1, :]).max() <= min(sigma.value * 1.02, sigma.bound)
        variance = f.sample_variance(W).max(axis=-1)
        assert (variance <= gamma.bound).all() and (variance <= gamma.value * 1.1).all()
    assert sigma_f_sq(f).value == sigma.value  # the search is reproducible


@pytest.mark.parametrize("name", ["softmax", "margin"])
def test_the_search_runs_on_every_backend(name, backend, monkeypatch):
    """A short search starts from the same points, and finds at least what they have."""
    monkeypatch.setattr(heterogeneity, "CLIMB", 2)
    monkeypatch.setattr(heterogeneity, "DIRECTIONS", 2)
    f, g = build(name, backend)[0], build(name)[0]
    for measure in (sigma_f_sq, gamma_f_sq):
        assert measure(f).value == pytest.approx(measure(g).value, rel=1e-9)
        assert measure(f).bound == pytest.approx(measure(g).bound, rel=1e-13)


def test_searches_reach_known_suprema():
    """Opposed clients: tanh at +-1 between distant centres, one logistic sample each, both gradients saturated."""
    f = TanhClients([-50.0, 50.0], 1.0, 1.0)
    out = sigma_f_sq(f)
    assert out.bound == 1 and out.value == pytest.approx(1, rel=1e-12)
    two = LogisticClients([([[1.0]], [1]), ([[1.0]], [0])])
    assert sigma_f_sq(two).value == 0.25  # the gradients always differ by 1
    one = LogisticClients([([[1.0], [1.0]], [1, 0])])
    assert gamma_f_sq(one).value == pytest.approx(0.25, rel=1e-12)
    uneven = LogisticClients([([[1.0], [-3.0]], [1, 1])])
    on_grid = uneven.sample_variance(np.linspace(-5, 5, 100001)[:, None, None]).max()
    assert gamma_f_sq(uneven).value == pytest.approx(on_grid, rel=1e-3) and gamma_f_sq(uneven).bound == 5


def test_sample_variances_are_those_of_a_plain_loop():
    """One problem a sample."""
    for name in ("least squares", "logistic", "nonconvex logistic", "softmax", "margin"):
        f, _ = build(name)
        W = points(f)
        want = []
        for i in range(f.m):
            each = [f.subset(np.array([i])).minibatch(np.array([[j]])).grad(W[i : i + 1])[0] for j in range(f.n[i])]
            want.append(((np.array(each) - np.mean(each, axis=0)) ** 2).sum(-1).mean())
        close(f.sample_variance(W), np.array(want))


def test_gradient_noise_of_least_squares():
    """Infinite unless the samples of a client are equal up to sign, padding not counted; 0 without samples."""
    assert gamma_f_sq(build("least squares")[0]).value == math.inf
    x = np.array([1.0, 2.0])
    equal = LeastSquaresClients([(np.array([x, -x, x]), [1.0, 1.0, 4.0]), (np.array([x, x]), [0.0, 1.0])])
    out = gamma_f_sq(equal)
    assert out.exact and equal.store.width.tolist() == [3, 3]
    variances = [((np.array([1.0, -1.0, 4.0]) - 4 / 3) ** 2).mean() * 5, 1.25]
    assert out.value == pytest.approx(max(variances), rel=1e-14)
    for w in (points(equal), points(equal, scale=100.0)):
        assert to_host(equal.sample_variance(w)) == pytest.approx(variances, rel=1e-9)
    for name in ("quadratic", "huber", "tanh"):
        assert gamma_f_sq(build(name)[0]).value == 0


def test_measures_at_points_and_refusals(backend):
    """The largest value at the given points; nan, shapes and penalties are refused."""
    f, _ = build("logistic", backend)
    W = points(f, lead=(7,))[:, :1, :]
    out = sigma_f_sq(f, at=W)
    assert out.value == pytest.approx(spread(f, W).max(), rel=1e-13) and not out.exact
    assert gamma_f_sq(f, at=W).value == pytest.approx(to_host(f.sample_variance(W)).max(), rel=1e-13)
    for at in (W * math.nan, W[..., :2]):
        with pytest.raises(UsageError):
            sigma_f_sq(f, at=at)
    L = f.constants().L
    for lam in (math.sqrt(8) * L, -100.0, math.nan, math.inf):
        with pytest.raises(UsageError, match=r"2 sqrt\(2\) L"):
            sigma_F2_sq(f, lam)
    with pytest.raises(UsageError, match="clients with samples"):
        gamma_f_sq(Envelope(f, 1.0))


def test_sigma_F_of_quadratics_by_hand():
    """Equal Hessians h: grad F_i = lam/(h + lam) (h w - b_i), so sigma_{F,1}^2 is the variance of b times that squared."""
    b = np.array([[1.0], [4.0], [7.0]])
    f = QuadraticClients(np.full((3, 1, 1), 2.0), b)
    assert sigma_F1_sq(f, 6.0).value == pytest.approx((6 / 8) ** 2 * 6, rel=1e-13)
    out = sigma_F2_sq(f, 6.0)
    assert out.exact and out.value == pytest.approx(36 / (36 - 32) * 6, rel=1e-13)
    assert sigma_F2_sq(QuadraticClients([[[1.0]], [[2.0]]], b[:2]), 6.0).value == math.inf


@pytest.mark.parametrize("name", ["least squares", "logistic", "softmax"])
def test_lemma_2_holds_with_the_measured_constants(name):
    """Lemma 2 (a) of pFedMe at random points, with sigma_{F,1}^2 at the computed w*."""
    f, _ = build(name)
    lam = 2.0
    F, out = Envelope(f, lam), sigma_F1_sq(f, lam)
    best = F.optimum()
    assert out.exact and best.residual < 1e-14
    for scale in (0.1, 1.0, 10.0):
        w = points(f, 5, (20,), scale)[:, :1, :]
        gap = F.value(w).mean(-1) - best.f_star
        assert (spread(F, w) <= 4 * lam * gap + 2 * out.value).all()
    assert out.value == pytest.approx((to_host(F.grad(best.w_star)) ** 2).sum(-1).mean(), rel=1e-13)


def test_identical_clients_have_no_heterogeneity():
    """i.i.d. in the strictest sense: sigma_{F,1}^2 vanishes."""
    one = samples("sign", sizes=(9,))[0]
    f = LogisticClients([one, one, one], l2=0.1)
    assert sigma_f_sq(f).value < 1e-30 and sigma_F1_sq(f, 1.0).value < 1e-28
