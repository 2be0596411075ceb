"""Float-array clients: curvature bounds and where they are attained, the prox, the optimum, refusals."""

import array_api_strict
import numpy as np
import pytest
from client_cases import EPS, L2, NAMES, SMOOTH, C, build, close, place, points, samples

from fedtheory._arrays import to_host
from fedtheory.errors import UsageError
from problems.clients import newton
from problems.clients.least_squares import LeastSquaresClients
from problems.clients.logistic import LogisticClients, NonconvexLogisticClients
from problems.clients.margin import MarginClients
from problems.clients.one_variable import HuberClients, TanhClients
from problems.clients.quadratic import QuadraticClients
from problems.clients.softmax import SoftmaxClients
from problems.exact.least_squares import LeastSquares

LAM = np.array([0.5, 1.0, 2.0, 8.0, 30.0])


def spectrum(f, W):
    """Eigenvalues of every client's Hessian, increasing."""
    return np.linalg.eigvalsh(to_host(f.hessian(W)))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", SMOOTH)
def test_no_sampled_curvature_leaves_the_bounds(name, seed):
    """Eigenvalues at points of every size, and differences of gradients at both ends of long segments."""
    f, _ = build(name, seed=seed)
    L_i, mu_i = f.constants().L_i, f.constants().mu_i
    assert (mu_i >= np.asarray(f.floor)).all()
    slack = 1e-13 * (1 + L_i)
    for scale in (1e-3, 0.3, 1.0, 3.0, 30.0):
        W, V = points(f, seed, (20,), scale), points(f, seed + 9, (20,), scale)
        h = spectrum(f, W)
        assert (h[..., -1] <= L_i + slack).all() and (h[..., 0] >= mu_i - slack).all()
        length = ((W - V) ** 2).sum(-1)
        rise = ((f.grad(W) - f.grad(V)) * (W - V)).sum(-1) / length
        lost = 100 * EPS * (1 + L_i) * (1 + scale) / np.sqrt(length)  # the difference of two rounded gradients
        assert (rise <= L_i + lost).all() and (rise >= mu_i - lost).all()


def far(f, seed, scale):
    """One random direction for all clients, far out."""
    return scale * np.random.default_rng(seed).standard_normal((1, f.d))


def ratio(a, b):
    return np.abs(a / b - 1).max()


def test_where_the_constants_are_attained():
    """Every class at the points that `how` names; the bounds of the margin and of mixed labels are only bounds."""
    zero = np.zeros((1, 4))
    f = build("least squares")[0]
    h, k = spectrum(f, zero), f.constants()
    assert ratio(h[:, -1], k.L_i) < 1e-13 and ratio(h[:, 0], k.mu_i) < 1e-13 and (k.mu_i[[1, 4]] == L2).all()

    f = build("logistic")[0]
    assert ratio(spectrum(f, zero)[:, -1], f.constants().L_i) < 1e-13
    assert ratio(spectrum(f, far(f, 1, 1e4))[:, 0], L2) < 1e-13 and (f.constants().mu_i == L2).all()

    f = build("nonconvex logistic")[0]
    assert ratio(spectrum(f, zero)[:, -1], f.constants().L_i) < 1e-13
    w = far(f, 1, 1e4)
    w[0, 0] = 1.0
    h = spectrum(f, w)[:, 0]
    assert np.abs(h - f.constants().mu_i).max() < 1e-8 and (f.constants().mu_i == -L2 / 4).all()
    assert "the infimum, since every client" in f.constants().how

    f = build("softmax")[0]
    w = np.zeros((1, C, 4))
    w[0, 2, -1] = -50.0  # the constant column silences the third class
    h = spectrum(f, w.reshape(1, -1))
    assert ratio(h[:, -1], f.constants().L_i) < 1e-13 and np.abs(h[:, 0] - L2).max() < 1e-13
    assert "the supremum, since every client" in f.constants().how
    labels = [(X, y % 2) for X, y in samples("class")]
    two = SoftmaxClients(labels, classes=2, l2=L2)
    assert ratio(spectrum(two, np.zeros((1, 8)))[:, -1], two.constants().L_i) < 1e-13

    one = MarginClients([(X, 0 * y + 1) for X, y in samples("class")], classes=C, l2=L2, smoothing=1.5)
    h = spectrum(one, np.zeros((1, 12)))
    assert ratio(h[:, -1], one.constants().L_i) < 1e-13 and np.abs(h[:, 0] - L2).max() < 1e-13
    assert "attained at w = 0, since every client" in one.constants().how
    mixed = build("smooth margin")[0]
    h = spectrum(mixed, np.zeros((1, 12)))[:, -1]
    assert (h > mixed.constants().L_i * 0.3).all() and (h[:4] < mixed.constants().L_i[:4] * 0.99).all()
    assert "1 of 5 clients" in mixed.constants().how  # the client with one sample

    for name in ("huber", "tanh"):
        f = build(name)[0]
        assert ratio(spectrum(f, f.center[:, None])[:, -1], f.constants().L_i) < 1e-15
        assert np.abs(spectrum(f, np.full((1, 1), 1e3))[:, 0] - f.constants().mu_i).max() < 1e-15
    f = build("quadratic")[0]
    h, k = spectrum(f, np.zeros((1, 3))), f.constants()
    assert ratio(np.abs(h).max(-1), k.L_i) < 1e-13 and ratio(h[:, 0], k.mu_i) < 1e-12 and k.mu < 0


def test_constants_say_where_they_are_only_bounds():
    """Without a half-space, a feature that stands alone, or smoothness."""
    X = np.array([[1.0, 0.0], [-1.0, 1.0], [0.0, -1.0]])
    y = np.array([0, 1, 2])
    f = SoftmaxClients([(X, y), (X[:1], y[:1])], classes=3)
    assert "the supremum for the 1 of 2 clients" in f.constants().how
    g = NonconvexLogisticClients([(X, y > 0), (X[1:2], y[1:2])], l2=1.0)
    assert "the infimum for the 1 of 2 clients" in g.constants().how
    assert "only a bound" in MarginClients([(X, y)], classes=3, smoothing=2.0).constants().how
    assert "only a bound" in MarginClients([(X[:1], y[:1])], classes=3, smoothing=1.0).constants().how
    plain = MarginClients([(X, y)], classes=3, l2=0.5).constants()
    assert np.inf == plain.L and plain.mu == 0.5 and "not smooth" in plain.how
    padded = SoftmaxClients([(-X[:1] - 3, y[:1]), (np.abs(X[:2]) + 1, y[:2])], classes=3)
    assert "since every client" in padded.constants().how


def test_least_squares_constants_are_those_of_the_exact_problem():
    """Rational enclosures of the same eigenvalues; n_i < p gives exactly l2."""
    data = samples("real", sizes=(9, 6, 2))
    f, exact = LeastSquaresClients(data).constants(), LeastSquares(data).constants()
    for i, e in enumerate(exact):
        assert float(e.L_lower) * (1 - 1e-13) <= f.L_i[i] <= float(e.L_upper) * (1 + 1e-13)
        assert float(e.mu_lower) * (1 - 1e-13) <= f.mu_i[i] <= float(e.mu_upper) * (1 + 1e-13)
    assert f.mu_i[2] == 0


def rounding(f, Theta, W, lam):
    """What the rounding of the gradient may leave of a residual: eps times the sizes of its terms."""
    size = f.constants().L_i[:, None] * (1 + np.abs(Theta)) + np.asarray(lam)[..., None] * (np.abs(Theta) + np.abs(W))
    return 40 * EPS * np.sqrt((size**2).sum(-1))


@pytest.mark.parametrize("name", SMOOTH)
def test_the_prox_solves_its_problem_to_machine_precision(name, backend):
    """Residual, the same from its definition, and no better point nearby; one lam or one a client, instances."""
    f, _ = build(name, backend)
    W, Q = points(f, scale=2.0), points(f, 3, (2,))
    for lam in (0.7, place(f, LAM)):
        Theta = f.prox(W, lam)
        host = [to_host(a) for a in (Theta, W, f.grad(Theta))]
        lams = np.broadcast_to(to_host(lam) if hasattr(lam, "shape") else lam, (f.m,))
        by_hand = np.sqrt(((host[2] + lams[:, None] * (host[0] - host[1])) ** 2).sum(-1))
        close(f.residual(Theta, W, lam), by_hand)
        assert (by_hand <= rounding(f, host[0], host[1], lams)).all()

        def inner(T, lams=lams, w=host[1]):
            return to_host(f.value(T)) + lams * ((to_host(T) - w) ** 2).sum(-1) / 2

        for size in (1e-3, 0.3, 3.0):
            assert (inner(Theta + points(f, 7, scale=size)) > inner(Theta)).all()
    both = f.prox(Q, 0.7)
    for a in range(2):
        close(both[a, ...], f.prox(Q[a, ...], 0.7), ulps=10**4)
    close(f.prox(Q[0, :1, :], 0.7), f.prox(Q[0, :1, :] + 0 * W, 0.7), ulps=10**4)


def test_conjugate_gradients_find_the_same_prox_and_optimum(monkeypatch):
    """The path of large dimensions, and blocks of clients."""
    for name in ("softmax", "logistic", "smooth margin"):
        f = build(name)[0]
        W = points(f)
        Theta, star = f.prox(W, LAM), f.optimum()
        with monkeypatch.context() as patched:
            patched.setattr(newton, "DENSE_PROX", 0)
            patched.setattr(newton, "DENSE_OPTIMUM", 0)
            g = build(name)[0]
            close(g.prox(W, LAM), Theta, ulps=2000)
            again = g.optimum()
        assert "conjugate" in again.how and np.abs(again.w_star - star.w_star).max() < 1e-13
        assert again.residual < 1e-14


def test_the_prox_of_a_weakly_convex_client_needs_a_penalty_above_its_curvature():
    """lam > -mu_i works however close; lam = -mu_i is refused."""
    f = build("nonconvex logistic")[0]
    W = points(f)
    Theta = f.prox(W, L2 / 4 * 1.01)
    assert (f.residual(Theta, W, L2 / 4 * 1.01) < 1e-13).all()
    for lam in (L2 / 4, 0.0, -1.0):
        with pytest.raises(UsageError, match="must exceed -mu_i"):
            f.prox(W, lam)
    q = build("quadratic")[0]
    assert (q.residual(q.prox(points(q), 0.26), points(q), 0.26) < 1e-12).all()
    with pytest.raises(UsageError, match="exceed -mu_i"):
        q.prox(points(q), 0.25)
    strong = LeastSquaresClients(samples("real", sizes=(9, 8)), l2=1.0)  # a penalty may even be negative
    W = points(strong)
    assert (strong.residual(strong.prox(W, -0.5), W, -0.5) < 1e-13).all()


def test_closed_forms_against_linear_solves():
    """Least squares client by client; Huber's prox by Newton's method."""
    data = samples("real")
    f = LeastSquaresClients(data, l2=L2)
    W = points(f)
    for i, (X, y) in enumerate(data):
        H = X.T @ X / len(y) + (L2 + LAM[i]) * np.eye(4)
        assert np.abs(f.prox(W, LAM)[i] - np.linalg.solve(H, X.T @ y / len(y) + LAM[i] * W[i])).max() < 1e-14
    h = build("huber")[0]
    W = points(h, scale=3.0)
    close(h.prox(W, LAM), newton.prox(h, W, LAM), ulps=50)


@pytest.mark.parametrize("name", [n for n in SMOOTH if n != "quadratic"])
def test_the_optimum_is_stationary_to_machine_precision(name, backend):
    """The mean gradient vanishes, f_star is the value there, and no other point is better where f is convex."""
    f, _ = build(name, backend)
    best = f.optimum()
    slope = to_host(f.grad(best.w_star)).mean(axis=0)
    assert best.residual == pytest.approx(np.linalg.norm(slope), abs=20 * EPS * f.constants().L)
    assert best.residual <= 40 * EPS * f.constants().L * (1 + np.linalg.norm(to_host(best.w_star)))
    assert best.f_star == pytest.approx(to_host(f.value(best.w_star)).mean(), rel=1e-14)
    assert best.w_star.device == points(f).device and tuple(best.w_star.shape) == (1, f.d)
    assert ("stationary" in best.how) == (name == "nonconvex logistic")
    assert "unique" in best.how or name == "nonconvex logistic"
    for scale in (1e-3, 0.1, 1.0):
        near = to_host(f.value(best.w_star + points(f, 3, (30,), scale)[:, :1, :])).mean(axis=-1)
        assert (near > best.f_star).all()
    assert f.optimum() is best


def test_rank_deficient_and_separable_problems():
    """The least-norm solution, said to be it; an infimum that is not attained is refused."""
    X, y = np.array([[1.0, 0.0], [2.0, 0.0]]), np.array([3.0, 6.0])
    best = LeastSquaresClients([(X, y)]).optimum()
    assert np.abs(best.w_star - [[3.0, 0.0]]).max() < 1e-14 and "least norm" in best.how and "rank 1 of 2" in best.how
    mixed = np.array([[1.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    flat = LogisticClients([(mixed, np.array([1, 0, 1]))]).optimum()
    assert flat.residual < 1e-15 and "rank 1 of 2" in flat.how and flat.w_star[0, 1] == 0
    with pytest.raises(UsageError, match="l2 > 0"):
        LogisticClients([(X, np.array([1, 1]))]).optimum()
    with pytest.raises(UsageError, match="l2 > 0"):
        SoftmaxClients([(np.eye(2), np.array([0, 1]))], classes=2).optimum()
    with pytest.raises(UsageError, match="l2 > 0"):
        NonconvexLogisticClients([(X, np.array([1, 1]))]).optimum()
    with pytest.raises(UsageError, match="convex mean"):
        QuadraticClients([[[-1.0]]], [[0.0]]).optimum()
    with pytest.raises(UsageError, match="bounded below"):
        QuadraticClients([[[1.0, 0], [0, 0]]], [[0.0, 1.0]]).optimum()
    flat = HuberClients([-5.0, 5.0], 1.0, 1.0).optimum()
    assert flat.residual == 0 and "interval" in flat.how and flat.f_star == pytest.approx(4.5)


def test_an_optimum_that_is_not_there_is_sought_once(monkeypatch):
    problem = LogisticClients([(np.array([[1.0, 0.0], [2.0, 0.0]]), np.array([1, 1]))])
    sought = []
    found = newton.minimise
    monkeypatch.setattr(newton, "minimise", lambda *given: sought.append(1) or found(*given))
    for _ in range(3):
        with pytest.raises(UsageError, match="l2 > 0"):
            problem.optimum()
    assert len(sought) == 1


def test_the_optimum_of_badly_conditioned_least_squares_is_the_exact_one():
    """Against the rational solution, at a condition number of 1e10."""
    rng = np.random.default_rng(0)
    data = [(rng.standard_normal((8, 3)) * [1.0, 1e-3, 1e-5], rng.standard_normal(8)) for _ in range(3)]
    exact = LeastSquares(data).optimum().astype(float)
    best = LeastSquaresClients(data).optimum()
    assert np.abs(best.w_star / exact - 1).max() < 1e-6 and best.residual < 1e-15


BAD = {
    "no client": (LogisticClients, ([],), {}, "at least one client"),
    "no pair": (LogisticClients, ([np.ones(3)],), {}, r"pairs \(X, y\)"),
    "nan": (LeastSquaresClients, ([([[np.nan]], [1.0])],), {}, "finite"),
    "inf target": (LeastSquaresClients, ([([[1.0]], [np.inf])],), {}, "finite"),
    "empty client": (LeastSquaresClients, ([(np.ones((0, 2)), np.ones(0))],), {}, "n_i >= 1"),
    "length": (LeastSquaresClients, ([(np.ones((3, 2)), np.ones(2))],), {}, "n_i >= 1"),
    "features": (LeastSquaresClients, ([(np.ones((1, 2)), [1.0]), (np.ones((1, 3)), [1.0])],), {}, "for client 1"),
    "text": (LeastSquaresClients, ([([["a"]], [1.0])],), {}, "real numbers"),
    "l2": (LeastSquaresClients, ([([[1.0]], [1.0])],), {"l2": -1.0}, r"l2=.*at least 0, got -1"),
    "l2 nan": (LogisticClients, ([([[1.0]], [1.0])],), {"l2": np.nan}, "l2="),
    "labels": (LogisticClients, ([([[1.0], [1.0]], [0, -1])],), {}, "labels 0 and 1, or -1 and"),
    "half label": (LogisticClients, ([([[1.0]], [0.5])],), {}, "labels"),
    "class": (SoftmaxClients, ([([[1.0]], [3])],), {"classes": 3}, "from 0 to 2, got 3"),
    "negative class": (MarginClients, ([([[1.0]], [-1])],), {"classes": 3}, "from 0 to 2"),
    "real class": (SoftmaxClients, ([([[1.0]], [0.5])],), {"classes": 3}, "integer labels"),
    "classes": (SoftmaxClients, ([([[1.0]], [0])],), {"classes": 1}, "classes=.*at least 2"),
    "smoothing": (MarginClients, ([([[1.0]], [0])],), {"classes": 2, "smoothing": 0.0}, "smoothing="),
    "A": (QuadraticClients, (np.ones((2, 2)), np.ones((2, 2))), {}, r"\(m, d, d\)"),
    "asymmetric": (QuadraticClients, ([[[1.0, 2.0], [0.0, 1.0]]], np.ones((1, 2))), {}, "symmetric"),
    "b nan": (QuadraticClients, ([[[1.0]]], [[np.nan]]), {}, r"b=.*finite"),
    "c": (QuadraticClients, ([[[1.0]]], [[1.0]], [1.0, 2.0]), {}, r"c=.*\(1,\)"),
    "knee": (HuberClients, ([0.0], [0.0], [1.0]), {}, "knees=.*positive"),
    "center": (TanhClients, ([np.inf], [1.0], [1.0]), {}, "centers=.*finite"),
    "lengths": (TanhClients, ([0.0, 1.0], [1.0, 1.0, 1.0], [1.0]), {}, "one length"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_data_are_refused(case):
    """One line that names the argument, the rule and the value."""
    cls, args, options, message = BAD[case]
    with pytest.raises(UsageError, match=message) as caught:
        cls(*args, **options)
    assert "\n" not in str(caught.value) and str(caught.value).startswith(f"`{cls.__name__}")


@pytest.mark.parametrize("name", NAMES)
def test_bad_points_rows_clients_and_penalties_are_refused(name, backend):
    """Shapes, ranges and types of what a method hands in."""
    f, _ = build(name, backend)
    W = points(f)
    for call in (f.value, f.grad, f.hessian, lambda V: f.hessian_product(W, V)):
        for shape in ((f.m, f.d + 1), (f.m + 1, f.d), (f.d,)):
            with pytest.raises(UsageError, match=r"\(W\)` must be"):
                call(f.xp.zeros(shape, dtype=f.xp.float64, device=f.device))
    with pytest.raises(UsageError, match=r"\(W\)` must be"):
        f.grad([0.0])
    zero = np.zeros((f.m, 2), dtype=int)
    for rows, message in (
        (zero - 1, "n_i - 1"), (zero + f.n[:, None], "n_i - 1"), (zero[:-1], "integers"), (zero[0], "integers"),
        (zero * 1.0, "integers"), (zero[:, :0], "integers"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=message):
            f.minibatch(rows)
    for chosen, message in (
        ([], "S >= 1"),
        ([0.5], "integers"),
        ([f.m], "m - 1"),
        ([-1], "m - 1"),
        ([[0]], "integers"),
    ):
        with pytest.raises(UsageError, match=message):
            f.subset(np.array(chosen))
    with pytest.raises(UsageError, match="smoothing" if name == "margin" else "must be finite"):
        f.prox(W, np.nan)
    with pytest.raises(UsageError, match="smoothing" if name == "margin" else "a number or"):
        f.prox(W, np.ones(f.m + 1))
    with pytest.raises(UsageError, match="finite"):
        f.residual(W, W, np.inf)
    with pytest.raises(UsageError, match="number"):
        f.residual(W, W, "one")


def test_bad_stacks_are_refused():
    """What could not be held without a copy, and arrays of two libraries."""
    X, y = np.ones((2, 3, 4)), np.ones((2, 3))
    for bad, message in (
        ((X[0], y), "m, n, p"), ((X, y[:1]), "m, n, p"), ((X.astype(np.float32), y), "float64"),
        ((X[:, :, ::2], y), "contiguous"), ((X, array_api_strict.ones((2, 3))), "one library"),
        ((X * np.nan, y), "finite"), ((X.tolist(), y), "one library"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=message):
            LeastSquaresClients.stacked(*bad)
    with pytest.raises(UsageError, match="labels"):
        LogisticClients.stacked(X, y + 1)
    with pytest.raises(UsageError, match="classes"):
        SoftmaxClients.stacked(X, y, classes=0)


def test_the_margin_loss_is_the_one_of_torch():
    """Value and subgradient of multi_margin_loss with p = 1, off the kinks."""
    torch = pytest.importorskip("torch")
    f = MarginClients(samples("class"), classes=C)
    W = points(f)
    for i, (X, y) in enumerate(samples("class")):
        w = torch.tensor(W[i].reshape(C, -1), requires_grad=True)
        loss = torch.nn.functional.multi_margin_loss(torch.tensor(X) @ w.T, torch.tensor(y))
        loss.backward()
        assert abs(float(loss.detach()) - f.value(W)[i]) < 1e-14
        assert np.abs(w.grad.numpy().ravel() - f.grad(W)[i]).max() < 1e-15
    kink = MarginClients([([[1.0]], [0])], classes=2)
    assert (kink.grad(np.array([[1.0, 0.0]])) == 0).all()  # the flat side


def test_smoothing_is_the_moreau_envelope_of_the_hinge():
    """h_eps(u) = min_v max(0, v) + (u - v)^2/(2 eps), by a fine grid; it tends to the plain loss from below."""
    plain = MarginClients([([[1.0]], [0])], classes=2)
    v = np.linspace(-6, 6, 240001)
    for eps in (0.5, 2.0):
        f = MarginClients([([[1.0]], [0])], classes=2, smoothing=eps)
        for u in (-1.0, 0.0, 0.3, 0.5, 1.9, 2.0, 4.0):
            w = np.array([[0.0, u - 1]])
            want = (np.maximum(0, v) + (u - v) ** 2 / (2 * eps)).min() / 2
            assert abs(f.value(w)[0] - want) < 1e-8
            assert 0 <= plain.value(w)[0] - f.value(w)[0] <= eps / 4
