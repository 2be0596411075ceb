"""Clients of every class beside plain functions of one client's w, and the rounding that tests allow."""

import numpy as np

from fedtheory._arrays import to_host
from problems.clients.least_squares import LeastSquaresClients
from problems.clients.logistic import LogisticClients, NonconvexLogisticClients
from problems.clients.margin import MarginClients
from problems.clients.one_variable import HuberClients, TanhClients
from problems.clients.quadratic import QuadraticClients
from problems.clients.softmax import SoftmaxClients

EPS = np.finfo(float).eps
SIZES = (7, 3, 12, 5, 1)  # three widths: 12 and 7, 5 and 3, 1
P, C = 4, 3
L2 = 0.3


def samples(kind, seed=0, sizes=SIZES, p=P):
    """Clients with a constant column, so that the samples of each lie in a half-space."""
    rng = np.random.default_rng(seed)
    out = []
    for n in sizes:
        X = np.concatenate([rng.standard_normal((n, p - 1)), np.ones((n, 1))], axis=1)
        y = {"real": rng.standard_normal(n), "sign": rng.integers(0, 2, n), "class": rng.integers(0, C, n)}[kind]
        out.append((X, y))
    return out


def square(z, y, k):
    return (z[0] - y) ** 2 / 2


def logistic(z, y, k):
    return np.log(1 + np.exp(z[0])) - y * z[0]


def cross_entropy(z, y, k):
    return np.log(np.exp(z).sum()) - z[int(y)]


def margin(z, y, k):
    """The hinge is that of the real part, so that a complex step sees its slope."""
    total = 0
    for c in range(C):
        u = 1 - z[int(y)] + z[c]
        if c != y and u.real > 0:
            eps = k.get("smoothing")
            total = total + (u if eps is None else u - eps / 2 if u.real > eps else u * u / (2 * eps))
    return total / C


def ridge(w):
    return L2 / 2 * (w * w).sum()


def bounded(w):
    return L2 / 2 * (w * w / (1 + w * w)).sum()


MODELS = {
    "least squares": (LeastSquaresClients, "real", square, ridge, {}),
    "logistic": (LogisticClients, "sign", logistic, ridge, {}),
    "nonconvex logistic": (NonconvexLogisticClients, "sign", logistic, bounded, {}),
    "softmax": (SoftmaxClients, "class", cross_entropy, ridge, {"classes": C}),
    "margin": (MarginClients, "class", margin, ridge, {"classes": C}),
    "smooth margin": (MarginClients, "class", margin, ridge, {"classes": C, "smoothing": 1.5}),
}
OTHERS = ("quadratic", "huber", "tanh")
NAMES = (*MODELS, *OTHERS)
SMOOTH = [n for n in NAMES if n != "margin"]


def sample_loss(name, X, y, w):
    """Loss of one client in a plain loop over its samples; w may be complex."""
    _, _, loss, penalty, options = MODELS[name]
    w = w.reshape(options.get("classes", 1), -1)
    total = 0
    for x, t in zip(X, y, strict=True):
        total = total + loss(w @ x, t, options)
    return total / len(y) + penalty(w)


def build(name, backend=("numpy", None, None), seed=0, sizes=SIZES):
    """(problem, [plain function of one client's w])."""
    _, xp, device = backend
    where = {"xp": xp, "device": device}
    rng = np.random.default_rng(seed)
    m = len(sizes)
    if name in MODELS:
        cls, kind, _, _, options = MODELS[name]
        data = samples(kind, seed, sizes)
        return cls(data, l2=L2, **options, **where), [lambda w, d=d: sample_loss(name, *d, w) for d in data]
    if name == "quadratic":
        A, b, c = rng.standard_normal((m, 3, 3)), rng.standard_normal((m, 3)), rng.standard_normal(m)
        A = A @ A.mT + 0.1 * np.eye(3)
        A[-1] = np.diag([-0.25, 1.0, 2.0])
        return QuadraticClients(A, b, c, **where), [lambda w, i=i: w @ A[i] @ w / 2 - b[i] @ w + c[i] for i in range(m)]
    centers, widths, scales = rng.standard_normal(m), rng.random(m) + 0.2, rng.random(m) + 0.5

    def huber(w, i):
        u = w[0] - centers[i]
        u = -u if u.real < 0 else u
        k, s = widths[i], scales[i]
        return s * u * u / 2 if u.real <= k else s * k * (u - k / 2)

    def tanh(w, i):
        return scales[i] * widths[i] ** 2 * np.log(np.cosh((w[0] - centers[i]) / widths[i]))

    cls, plain = (HuberClients, huber) if name == "huber" else (TanhClients, tanh)
    return cls(centers, widths, scales, **where), [lambda w, i=i: plain(w, i) for i in range(m)]


def points(problem, seed=1, lead=(), scale=1.0):
    """Client vectors on the problem's device."""
    W = scale * np.random.default_rng(seed).standard_normal((*lead, problem.m, problem.d))
    return place(problem, W)


def place(problem, a):
    return problem.xp.asarray(a, device=problem.device)


def complex_step(fn, w):
    """Gradient of a plain function to the last digits."""
    h = 1e-30
    return np.array([fn(w + 1j * h * e).imag / h for e in np.eye(len(w))])


def close(a, b, scale=1.0, ulps=200):
    """Equal up to the rounding of a few hundred operations on numbers of the given size."""
    a, b = to_host(a), to_host(b)
    assert a.shape == b.shape
    size = max(scale, float(np.abs(b).max(initial=0)))
    assert np.abs(a - b).max(initial=0) <= ulps * EPS * size
