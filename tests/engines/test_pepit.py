"""Least provable factors of the certificate program against PEPit, and both against the literature's closed forms.

PEPit maximises over Gram matrices where `best_factor` minimises over multipliers. Its default solver SCS, a first-order
method whose preset stops near 1e-5, is run to the 1e-8 at which Clarabel stops: 1e-6 leaves room for both.
"""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from fedtheory.engines.certificates.sdp.program import best_factor
from fedtheory.gram.forms import Space
from problems.worlds.abstract import AbstractClients
from problems.worlds.classes.curvature import Curvature
from problems.worlds.quadratics import Moreau

PEPit = pytest.importorskip("PEPit")
functions = pytest.importorskip("PEPit.functions")
proximal_step = pytest.importorskip("PEPit.primitive_steps").proximal_step

pytestmark = pytest.mark.filterwarnings("error:Solution may be inaccurate")  # an SCS that has not converged

REL = 1e-6
L = Fraction(3)
MU = Fraction(1, 10)


def agree(ours, theirs, closed_form):
    """Assert that both computed values and the closed form are the same number."""
    assert ours is not None
    assert ours == pytest.approx(theirs, rel=REL, abs=0)
    assert ours == pytest.approx(float(closed_form), rel=REL, abs=0)


def solve(pep):
    """PEPit's optimal value."""
    return pep.solve(verbose=0, wrapper="cvxpy", solver="SCS", eps_abs=1e-8, eps_rel=1e-8)


def sq(space, u):
    """Squared norms ``(m,)`` of rows ``(m, size)``."""
    return space.numbers.dot(u, u)


def within(space, m, mu, smooth):
    """m abstract clients with these curvature bounds, shared or one a client."""
    bounds = Curvature("", lower="mu", upper=None if smooth is None else "L")
    return AbstractClients(space, m, bounds, SimpleNamespace(mu=mu, L=smooth))


def abstract(mu, smooth, *, minimiser=True):
    """A space, one client with these curvature bounds, its minimiser or None, and a start."""
    space = Space(16)
    f = within(space, 1, mu, smooth)
    x_star = None
    if minimiser:
        x_star = space.leaf("x_star")[None]
        f.declare(x_star, space.zero()[None])
    return space, f, x_star, space.leaf("x0")[None]


def declared(function_class, **parameters):
    """The same in PEPit, with |x0 - x*|^2 <= 1."""
    pep = PEPit.PEP()
    f = pep.declare_function(function_class, **{k: float(v) for k, v in parameters.items()})
    x_star, x0 = f.stationary_point(), pep.set_initial_point()
    pep.set_initial_condition((x0 - x_star) ** 2 <= 1)
    return pep, f, x_star, x0


def factor(space, f, x_star, x0, x, metric):
    """Least tau with f(x) - f* (metric "value") or |x - x*|^2 ("distance") <= tau |x0 - x*|^2."""
    lhs = (f.value(x) - f.value(x_star) if metric == "value" else sq(space, x - x_star))[0]
    space.close()
    return best_factor(lhs, sq(space, x0 - x_star)[0], space)


def worst(pep, f, x_star, x, metric):
    """PEPit's worst case of the same metric."""
    pep.set_performance_metric(f(x) - f(x_star) if metric == "value" else (x - x_star) ** 2)
    return solve(pep)


def gradient_descent(f, x, n, step):
    """n steps of either library's arrays; `f` is the gradient."""
    for _ in range(n):
        x = x - step * f(x)
    return x


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_gradient_descent_on_smooth_convex_functions(n):
    """f(x_n) - f* <= L/(4 n + 2) |x0 - x*|^2 with step 1/L, sharp (Drori, Teboulle 2014, Theorem 3.1)."""
    space, f, x_star, x0 = abstract(0, L)
    ours = factor(space, f, x_star, x0, gradient_descent(f.grad, x0, n, 1 / L), "value")
    pep, g, y_star, y0 = declared(functions.SmoothConvexFunction, L=L)
    theirs = worst(pep, g, y_star, gradient_descent(g.gradient, y0, n, float(1 / L)), "value")
    agree(ours, theirs, L / (4 * n + 2))


@pytest.mark.parametrize(
    "step", [1 / L, 2 / (L + MU), Fraction(19, 10) / L], ids=["1 over L", "2 over L+mu", "1.9 over L"]
)
@pytest.mark.parametrize("n", [1, 2])
def test_gradient_descent_on_smooth_strongly_convex_functions(n, step):
    """|x_n - x*|^2 contracts by max(|1 - step mu|, |1 - step L|)^2 a step."""
    space, f, x_star, x0 = abstract(MU, L)
    ours = factor(space, f, x_star, x0, gradient_descent(f.grad, x0, n, step), "distance")
    pep, g, y_star, y0 = declared(functions.SmoothStronglyConvexFunction, mu=MU, L=L)
    theirs = worst(pep, g, y_star, gradient_descent(g.gradient, y0, n, float(step)), "distance")
    agree(ours, theirs, max((1 - step * MU) ** 2, (1 - step * L) ** 2) ** n)


@pytest.mark.parametrize("n", [1, 2])
def test_values_of_gradient_descent_on_smooth_strongly_convex_functions(n):
    """f(x_n) - f* with step 1/L: L/2 over the sum of (1 - mu/L)^-k, k = 0..2 n (Kim 2024, arXiv 2412.04427)."""
    space, f, x_star, x0 = abstract(MU, L)
    ours = factor(space, f, x_star, x0, gradient_descent(f.grad, x0, n, 1 / L), "value")
    pep, g, y_star, y0 = declared(functions.SmoothStronglyConvexFunction, mu=MU, L=L)
    theirs = worst(pep, g, y_star, gradient_descent(g.gradient, y0, n, float(1 / L)), "value")
    agree(ours, theirs, L / 2 / sum((1 - MU / L) ** -k for k in range(2 * n + 1)))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_proximal_point_method_on_convex_functions(n):
    """f(x_n) - f* <= 1/(4 gamma n) |x0 - x*|^2 (Taylor, Hendrickx, Glineur 2017, composite methods, Theorem 4.1)."""
    gamma = Fraction(7, 5)
    space, f, x_star, x0 = abstract(0, None)
    x = x0
    for _ in range(n):
        x = f.prox(x, 1 / gamma)
    ours = factor(space, f, x_star, x0, x, "value")
    pep, g, y_star, y0 = declared(functions.ConvexFunction)
    y = y0
    for _ in range(n):
        y, _, _ = proximal_step(y, g, float(gamma))
    agree(ours, worst(pep, g, y_star, y, "value"), 1 / (4 * gamma * n))


@pytest.mark.parametrize("h", [Fraction(1, 2), Fraction(1), Fraction(3, 2)], ids=["h=0.5", "h=1", "h=1.5"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_gradient_norm_on_smooth_functions(n, h):
    """The least |grad f(x_k)|^2 of n steps h/L is at most 4 L (f(x_0) - f(x_n))/(n min(4 h - h^3, 4 h - h^2)).

    Abbaszadehpeivasti, de Klerk, Zamani (2022), for their sum without the last term, which bounds f(x_n) - f*.
    """
    space, f, _, x0 = abstract(-L, L, minimiser=False)
    least = space.value("least")
    for k in range(n + 1):
        x = gradient_descent(f.grad, x0, k, h / L)
        space.nonnegative(f"least {k}", sq(space, f.grad(x)) - least)
    space.close()
    ours = best_factor(least, (f.value(x0) - f.value(x))[0], space)

    pep = PEPit.PEP()
    g = pep.declare_function(functions.SmoothFunction, L=float(L))
    y0 = pep.set_initial_point()
    for k in range(n + 1):
        y = gradient_descent(g.gradient, y0, k, float(h / L))
        pep.set_performance_metric(g.gradient(y) ** 2)
    pep.set_initial_condition(g(y0) - g(y) <= 1)
    agree(ours, solve(pep), 4 * L / (n * min(4 * h - h**3, 4 * h - h**2)))


PROX = [  # (class in PEPit, its parameters, mu, L)
    ("StronglyConvexFunction", {"mu": MU}, MU, None),
    ("StronglyConvexFunction", {"mu": L}, L, None),
    ("SmoothStronglyConvexFunction", {"mu": MU, "L": L}, MU, L),
    ("SmoothFunction", {"L": Fraction(1, 2)}, -Fraction(1, 2), Fraction(1, 2)),
]


@pytest.mark.parametrize("gamma", [Fraction(1, 2), Fraction(7, 5)])
@pytest.mark.parametrize(("name", "parameters", "mu", "smooth"), PROX)
def test_contraction_of_the_prox(name, parameters, mu, smooth, gamma):
    """|prox(x) - prox(y)|^2 <= |x - y|^2/(1 + gamma mu)^2, an expansion where mu < 0."""
    space, f, _, x = abstract(mu, smooth, minimiser=False)
    y = space.leaf("y")[None]
    gap = sq(space, f.prox(x, 1 / gamma) - f.prox(y, 1 / gamma))[0]
    space.close()
    ours = best_factor(gap, sq(space, x - y)[0], space)

    pep = PEPit.PEP()
    g = pep.declare_function(getattr(functions, name), **{k: float(v) for k, v in parameters.items()})
    u, v = pep.set_initial_point(), pep.set_initial_point()
    pep.set_initial_condition((u - v) ** 2 <= 1)
    pep.set_performance_metric((proximal_step(u, g, float(gamma))[0] - proximal_step(v, g, float(gamma))[0]) ** 2)
    agree(ours, solve(pep), 1 / (1 + gamma * mu) ** 2)


@pytest.mark.parametrize("n", [1, 2])
def test_gradient_descent_on_the_mean_of_two_clients(n):
    """Clients of their own mu_i and L_i contract with the means of both bounds."""
    mu, smooth = np.array([MU, Fraction(1, 2)], dtype=object), np.array([L, Fraction(2)], dtype=object)
    step = 2 / (L + 1)
    space = Space(16)
    f = within(space, 2, mu, smooth)
    x_star, g_star, x0 = (space.leaf(name) for name in ("x_star", "g_star", "x0"))
    f.declare(x_star[None], np.stack([g_star, -g_star]))
    x = gradient_descent(lambda x: np.sum(f.grad(x), axis=0, keepdims=True) / 2, x0[None], n, step)
    space.close()
    ours = best_factor(sq(space, x - x_star)[0], sq(space, x0 - x_star)[()], space)

    pep = PEPit.PEP()
    kind = functions.SmoothStronglyConvexFunction
    first, second = (pep.declare_function(kind, mu=float(a), L=float(b)) for a, b in zip(mu, smooth, strict=True))
    g = (first + second) / 2
    y_star, y0 = g.stationary_point(), pep.set_initial_point()
    pep.set_initial_condition((y0 - y_star) ** 2 <= 1)
    theirs = worst(pep, g, y_star, gradient_descent(g.gradient, y0, n, float(step)), "distance")
    agree(ours, theirs, max((1 - step * mu.mean()) ** 2, (1 - step * smooth.mean()) ** 2) ** n)


def test_gradient_step_on_the_mean_of_two_moreau_envelopes():
    """A step 1/lam contracts by 1 - mean(mu_i/(lam + mu_i)), the mean strong convexity of the envelopes over lam."""
    mu, lam = np.array([MU, Fraction(1)], dtype=object), Fraction(2)
    space = Space(16)
    f = within(space, 2, mu, None)
    F = Moreau(f, lam, lambda u: sq(space, u))
    w_star, g_star, w0 = (space.leaf(name) for name in ("w_star", "g_star", "w0"))
    f.declare_prox(w_star[None], lam, np.stack([g_star, -g_star]))
    w = w0 - np.sum(F.grad(w0[None]), axis=0) / 2 / lam
    space.close()
    ours = best_factor(sq(space, w - w_star)[()], sq(space, w0 - w_star)[()], space)

    pep = PEPit.PEP()
    clients = [pep.declare_function(functions.StronglyConvexFunction, mu=float(a)) for a in mu]
    v_star, h_star, v0 = PEPit.Point(), PEPit.Point(), pep.set_initial_point()
    for g, slope in zip(clients, (h_star, -h_star), strict=True):
        g.add_point((v_star - slope / float(lam), slope, PEPit.Expression()))
    pep.set_initial_condition((v0 - v_star) ** 2 <= 1)
    first, second = (proximal_step(v0, g, float(1 / lam))[0] for g in clients)
    pep.set_performance_metric(((first + second) / 2 - v_star) ** 2)
    agree(ours, solve(pep), (1 - np.mean(mu / (lam + mu))) ** 2)


def test_no_factor_without_smoothness():
    """f(x0) - f* of convex functions has no bound in |x0 - x*|^2, and none is returned."""
    space, f, x_star, x0 = abstract(0, None)
    assert factor(space, f, x_star, x0, x0, "value") is None
