"""Moreau envelopes: gradient, curvature attained, minimiser, prox of the envelope, subsets and minibatches."""

import numpy as np
import pytest
from client_cases import EPS, L2, SIZES, SMOOTH, build, close, place, points, samples

from fedtheory._arrays import to_host
from fedtheory.errors import UsageError
from fedtheory.problem import Constants
from problems.clients import newton
from problems.clients.envelope import Envelope
from problems.clients.heterogeneity import sigma_F1_sq, sigma_f_sq
from problems.clients.least_squares import LeastSquaresClients
from problems.clients.margin import MarginClients
from problems.clients.quadratic import QuadraticClients
from problems.exact.least_squares import LeastSquares

LAM = np.array([0.5, 1.0, 2.0, 8.0, 30.0])


@pytest.mark.parametrize("name", SMOOTH)
def test_the_gradient_is_the_derivative_of_the_value(name, backend):
    """lam (w - prox) against central differences of F along random directions; F is below f."""
    f, _ = build(name, backend)
    F = Envelope(f, place(f, LAM))
    W, V = points(f, scale=2.0), points(f, 2)
    h = 1e-5
    slope = to_host(F.value(W + h * V) - F.value(W - h * V)) / (2 * h)
    G = to_host(F.grad(W))
    size = 1 + np.abs(to_host(F.value(W))).max() + LAM.max()
    assert np.abs(slope - (G * to_host(V)).sum(-1)).max() <= size * (20 * EPS / h + 100 * h**2)
    Theta = f.prox(W, place(f, LAM))
    close(G, LAM[:, None] * to_host(W - Theta))
    close(G, f.grad(Theta), scale=size, ulps=400)
    assert (to_host(F.value(W)) <= to_host(f.value(W))).all()


@pytest.mark.parametrize("name", SMOOTH)
def test_hessians_and_products(name, backend):
    """Products against central differences of the gradient, dense against products."""
    f, _ = build(name, backend)
    F = Envelope(f, place(f, LAM))
    W, V = points(f), points(f, 2)
    h = 1e-6
    HV = F.hessian_product(W, V)
    difference = to_host(F.grad(W + h * V) - F.grad(W - h * V)) / (2 * h)
    size = LAM.max() * (1 + np.abs(to_host(V)).max())
    assert np.abs(difference - to_host(HV)).max() <= size * (20 * EPS / h + 1e4 * h**2)
    H = to_host(F.hessian(W))
    close((H @ to_host(V)[..., None])[..., 0], HV, scale=size)
    close(F.mean_hessian(W[:1, :]), to_host(F.hessian(W[:1, :])).mean(axis=0), scale=size)


@pytest.mark.parametrize("name", SMOOTH)
def test_curvature_stays_within_the_constants_and_attains_them(name):
    """At w = theta + grad f(theta)/lam the envelope has the transformed curvature of f at theta."""
    f, _ = build(name)
    F = Envelope(f, LAM)
    k, of = F.constants(), f.constants()
    assert (k.L_i <= LAM).all() and (k.mu_i >= F.floor - 1e-15).all()
    for scale in (0.1, 1.0, 30.0):
        Theta = points(f, 4, (10,), scale)
        h = np.linalg.eigvalsh(F.hessian(Theta + f.grad(Theta) / LAM[:, None]))
        assert (h[..., -1] <= k.L_i * (1 + 1e-12)).all() and (h[..., 0] >= k.mu_i - 1e-12 * LAM).all()
        below = np.linalg.eigvalsh(f.hessian(Theta))
        close(h, LAM[:, None] * below / (LAM[:, None] + below), scale=LAM.max(), ulps=1000)
    assert np.abs(k.mu_i - LAM * of.mu_i / (LAM + of.mu_i)).max() < 1e-15


def test_the_envelope_of_a_kinked_loss_has_smoothness_lam():
    """Proposition 1's L_F = lam is the limit L = inf."""
    plain = MarginClients(samples("class"), classes=3, l2=0.5)
    k = Envelope(plain, LAM).constants()
    assert (k.L_i == LAM).all() and np.abs(k.mu_i - LAM * 0.5 / (LAM + 0.5)).max() < 1e-15


def test_a_weakly_convex_client_and_its_penalty():
    """Negative mu_F, and a Lipschitz constant that counts it; lam <= -mu is refused."""
    f, _ = build("nonconvex logistic")
    F = Envelope(f, L2 / 4 * 1.25)  # mu_F = lam (-L2/4)/(lam - L2/4) = -5 L2/4, beyond lam
    assert np.abs(F.constants().mu_i + 5 * L2 / 4).max() < 1e-12 and (F.constants().L_i == -F.constants().mu_i).all()
    with pytest.raises(UsageError, match="exceed -mu_i"):
        Envelope(f, L2 / 4)


def check_minimiser(name, backend):
    """Residual at machine precision by its definition, and no better point nearby."""
    f, _ = build(name, backend)
    F = Envelope(f, place(f, LAM))
    best = F.optimum()
    G = to_host(F.grad(best.w_star)).mean(axis=0)
    size = LAM.max() * (1 + np.abs(to_host(best.w_star)).max())
    assert np.linalg.norm(G) <= 20 * EPS * size and best.residual <= 20 * EPS * size
    assert best.f_star == pytest.approx(to_host(F.value(best.w_star)).mean(), rel=1e-13)
    for scale in (1e-2, 1.0):
        near = to_host(F.value(best.w_star + points(f, 3, (10,), scale)[:, :1, :])).mean(axis=-1)
        assert (near > best.f_star).all()
    assert ("stationary" in best.how) == (name in ("nonconvex logistic", "quadratic"))


@pytest.mark.parametrize("name", SMOOTH)
def test_the_minimiser_of_the_mean_envelope(name):
    """Of every class."""
    check_minimiser(name, ("numpy", None, None))


def test_the_minimiser_on_every_backend(backend):
    """Newton's method over a closed-form prox, and over Newton's method."""
    for name in ("least squares", "logistic"):
        check_minimiser(name, backend)


def test_the_minimiser_of_least_squares_envelopes_is_the_exact_one():
    """Against rational arithmetic."""
    data = samples("real", sizes=(6, 5, 9))
    exact = LeastSquares(data).optimum_of_envelope(2).astype(float)
    assert np.abs(Envelope(LeastSquaresClients(data), 2.0).optimum().w_star - exact).max() < 1e-14


def test_large_dimensions_give_the_same(monkeypatch):
    """Products and the minimiser by conjugate gradients."""
    f, _ = build("softmax")
    W, V = points(f), points(f, 2)
    HV, best = Envelope(f, LAM).hessian_product(W, V), Envelope(f, LAM).optimum()
    monkeypatch.setattr(newton, "DENSE_PROX", 0)
    monkeypatch.setattr(newton, "DENSE_OPTIMUM", 0)
    monkeypatch.setattr("problems.clients.spectra.HESSIANS", 1)
    F = Envelope(f, LAM)
    close(F.hessian_product(W, V), HV, scale=LAM.max(), ulps=4000)
    again = F.optimum()
    assert np.abs(again.w_star - best.w_star).max() < 1e-13 and again.residual < 1e-14
    close(F.mean_hessian(W[:1]), F.hessian(W[:1]).mean(axis=0))


def test_the_prox_of_an_envelope_is_two_penalties_in_series(backend):
    """Its residual vanishes; one penalty or one a client."""
    for name in ("logistic", "least squares"):
        f, _ = build(name, backend)
        F = Envelope(f, place(f, LAM))
        W = points(f)
        for outer in (0.7, place(f, LAM[::-1].copy())):
            assert (to_host(F.residual(F.prox(W, outer), W, outer)) < 1e-13).all()


def test_subsets_minibatches_and_instances(backend):
    """The envelope of a subset, of a minibatch, and of instances."""
    f, _ = build("logistic", backend)
    F = Envelope(f, place(f, LAM))
    W, Q = points(f), points(f, lead=(2,))
    chosen = np.array([3, 1])
    close(F.subset(chosen).grad(place(f, to_host(W)[chosen])), to_host(F.grad(W))[chosen])
    rows = np.random.default_rng(5).integers(0, np.array(SIZES)[:, None], (5, 4))
    close(F.grad(W, rows), Envelope(f.minibatch(rows), place(f, LAM)).grad(W))
    for a in range(2):
        close(F.grad(Q)[a, ...], F.grad(Q[a, ...]), scale=LAM.max())
        close(F.value(Q)[a, ...], F.value(Q[a, ...]))


class Mine:
    """What a user writes: f_i(w) = a_i |w|^2/2 - b_i w, with no more than the protocol."""

    xp, device, m, d, n = np, "cpu", 2, 1, np.ones(2, dtype=np.int64)
    a, b = np.array([[1.0], [3.0]]), np.array([[2.0], [-1.0]])

    def value(self, W):
        return (self.a * W * W / 2 - self.b * W)[..., 0]

    def grad(self, W, rows=None):
        return self.a * W - self.b

    def hessian_product(self, W, V, rows=None):
        return self.a * V

    def hessian(self, W):
        return self.a[..., None] + 0 * W[..., None]

    def prox(self, W, lam):
        lam = np.reshape(lam, (-1, 1))
        return (lam * W + self.b) / (lam + self.a)

    def constants(self):
        return Constants(self.a[:, 0], self.a[:, 0], "by hand")


def test_the_protocol_is_enough():
    """An envelope and the measures ask a problem for nothing else."""
    F, same = Envelope(Mine(), 2.0), Envelope(QuadraticClients(Mine.a[..., None], Mine.b), 2.0)
    w = np.array([[0.7]])
    for a, b in ((F.value(w), same.value(w)), (F.grad(w), same.grad(w)), (F.hessian(w), same.hessian(w))):
        close(a, b)
    close(F.optimum().w_star, same.optimum().w_star)
    assert sigma_F1_sq(Mine(), 2.0).value == pytest.approx(sigma_F1_sq(same.problem, 2.0).value, rel=1e-13)
    assert sigma_f_sq(Mine()).bound == np.inf
    with pytest.raises(UsageError, match=r"`Mine.prox\(lam=...\)` must exceed"):
        Envelope(Mine(), -1.0)
