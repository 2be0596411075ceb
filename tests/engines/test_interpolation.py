"""The interpolation inequalities on functions of each class, just outside each class, and on Gram arrays.

Every sampled function is ``f(w) = c h(A w) + ridge/2 |w|^2``. Its value and gradient are taken at one computed
``z = A w``, so that they belong to a point of h next to ``A w``, at kinks too: the error of a slack is a few roundings
of the terms that it adds up.
"""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from fedtheory.gram.forms import Space
from problems.worlds.abstract import AbstractClients
from problems.worlds.classes.curvature import (
    Convex,
    Curvature,
    Smooth,
    SmoothConvex,
    SmoothStronglyConvex,
    StronglyConvex,
    WeaklyConvex,
    interpolation,
)

CLASSES = {c().name: c() for c in (Convex, StronglyConvex, Smooth, SmoothConvex, SmoothStronglyConvex, WeaklyConvex)}


class Shape(NamedTuple):
    """A function h of ``(..., n)``, one of its gradients, and the bounds of its curvature (None: kinks)."""

    value: Any
    slope: Any
    lower: Any
    upper: Any


def separable(value: Any, slope: Any, lower: Any, upper: Any) -> Shape:
    """The sum of one function of a number over the coordinates."""
    return Shape(lambda z: np.sum(value(z), axis=-1), slope, lower, upper)


def dot(u: Any, v: Any) -> Any:
    """Inner product over the last axis."""
    return np.sum(u * v, axis=-1)


def sq(z: Any) -> Any:
    """Squared norm with the coordinate axis kept."""
    return dot(z, z)[..., None]


def largest(z: Any) -> Any:
    """The coordinate vector of the first largest coordinate."""
    return np.eye(z.shape[-1], dtype=int)[np.argmax(z, axis=-1)]


RATIONAL = {
    "square": separable(lambda z: z * z / 2, lambda z: z, 1, 1),
    "huber": separable(lambda z: np.where(abs(z) <= 1, z * z, 2 * abs(z) - 1) / 2, lambda z: np.clip(z, -1, 1), 0, 1),
    "abs": separable(abs, np.sign, 0, None),
    "hinge": separable(lambda z: np.maximum(z, 0), lambda z: (z > 0) + 0 * z, 0, None),
    "max norm": Shape(lambda z: np.max(abs(z), axis=-1), lambda z: np.sign(z) * largest(abs(z)), 0, None),
    "bump": separable(lambda z: z * z / (1 + z * z), lambda z: 2 * z / (1 + z * z) ** 2, Fraction(-1, 2), 2),
    "radial bump": Shape(lambda z: 1 - 1 / (1 + dot(z, z)), lambda z: 2 * z / (1 + sq(z)) ** 2, Fraction(-1, 2), 2),
    "two wells": separable(lambda z: abs((z - 1) * (z + 1)) / 2, lambda z: np.sign(z * z - 1) * z, -1, None),
}
SHAPES = RATIONAL | {
    "radial bump": RATIONAL["radial bump"]._replace(value=lambda z: dot(z, z) / (1 + dot(z, z))),
    "softplus": separable(lambda z: np.logaddexp(0, z), expit, 0, 1 / 4),
    "pseudo-huber": separable(lambda z: z * z / (1 + np.sqrt(1 + z * z)), lambda z: z / np.sqrt(1 + z * z), 0, 1),
    "1 - cos": separable(lambda z: 2 * np.sin(z / 2) ** 2, np.sin, -1, 1),
    "norm": Shape(lambda z: np.sqrt(dot(z, z)), lambda z: z / np.sqrt(np.where(sq(z), sq(z), 1)), 0, None),
}
SMOOTH_CONVEX = ("softplus", "huber", "pseudo-huber")
KINKED = ("abs", "hinge", "max norm", "norm")
MEMBERS = [  # (class, shape, ridge as a multiple of c)
    *[("convex", s, 0) for s in (*SMOOTH_CONVEX, *KINKED)],
    *[("strongly convex", s, 1) for s in (*SMOOTH_CONVEX, *KINKED)],
    *[("smooth", s, 0) for s in ("1 - cos", "bump", "radial bump", "softplus", "huber")],
    ("smooth", "huber", -1),
    *[("smooth convex", s, 0) for s in (*SMOOTH_CONVEX, "square")],
    *[("smooth strongly convex", s, r) for s in SMOOTH_CONVEX for r in (1, Fraction(1, 50))],
    *[("weakly convex", s, 0) for s in ("1 - cos", "bump", "radial bump", "two wells")],
    *[("weakly convex", s, -1) for s in (*KINKED, "huber")],
]
EXACT = [row for row in MEMBERS if row[1] in RATIONAL]


class Function(NamedTuple):
    """``c h(A w) + ridge/2 |w|^2``."""

    h: Shape
    A: Any
    c: Any
    ridge: Any

    def at(self, W: Any) -> tuple[Any, Any, Any]:
        """(points, gradients, values)."""
        z, c, ridge = W @ self.A.T, self.c, self.ridge
        return W, (self.h.slope(z) * c) @ self.A + W * ridge, self.h.value(z) * c + dot(W, W) * ridge / 2

    def sizes(self, W: Any) -> tuple[Any, Any, Any]:
        """The same with every summand replaced by its absolute value."""
        z, c, ridge = W @ self.A.T, abs(self.c), abs(self.ridge)
        grad = (abs(self.h.slope(z)) * c) @ abs(self.A) + abs(W) * ridge
        return abs(W), grad, abs(self.h.value(z)) * c + dot(W, W) * ridge / 2

    def bounds(self) -> tuple[Any, Any]:
        """Bounds of the curvature where c > 0, exact where A is a rotation."""
        n, d = self.A.shape
        norm_sq = 1 if n == d else float(np.linalg.eigvalsh(self.A.T @ self.A)[-1])
        lower = self.h.lower * self.c * norm_sq + self.ridge
        return lower, None if self.h.upper is None else self.h.upper * self.c * norm_sq + self.ridge


def narrowest(name: str, lower: Any, upper: Any) -> tuple[Any, Any]:
    """(mu, L) that the class reads off an instance whose scalars are as narrow as these curvatures allow."""
    L = upper if name != "smooth" else max(-lower, upper)
    return CLASSES[name].bounds(SimpleNamespace(mu=lower, L=L, rho=-lower))


def ordered_pairs(triple: tuple[Any, Any, Any]) -> tuple[Any, Any]:
    """The triples of x and of y that broadcast to all ordered pairs ``(N, N)``."""
    p, g, f = triple
    return (p[:, None], g[:, None], f[:, None]), (p[None], g[None], f[None])


def slacks(mu: Any, L: Any, f: Function, W: Any) -> Any:
    """Slacks of all ordered pairs, ``(N, N)``."""
    return interpolation(mu, L, dot, *ordered_pairs(f.at(W)))


def rounding(mu: float, L: float | None, f: Function, W: Any) -> Any:
    """A bound of the rounding error of `slacks`: no chain of operations is longer than n + d and some 16 more."""
    (px, gx, fx), (py, gy, fy) = ordered_pairs(f.sizes(W))
    X, G = px + py, gx + gy
    size = fx + fy + dot(gy, X)
    if L is None:
        size = size + abs(mu) * dot(X, X) / 2
    else:
        size = size + (dot(G, G) + abs(mu * L) * dot(X, X) + 2 * abs(mu) * dot(G, X)) / (2 * (L - mu))
    return 2 * (sum(f.A.shape) + 16) * np.finfo(float).eps * size + np.finfo(float).tiny  # tiny: underflow


def sample(rng: np.random.Generator, count: int, d: int) -> np.ndarray:
    """Points of magnitudes 0.01 to 30, some on the axes, each with a near neighbour."""
    W = rng.standard_normal((count, d)) * 10 ** rng.uniform(-2, 1.5, (count, 1))
    W = np.where(rng.random((count, d)) < 0.15, 0.0, W)
    return np.concatenate([W, W + rng.standard_normal((count, d)) * 10 ** rng.uniform(-4, -1, (count, 1))])


def matrix(rng: np.random.Generator, d: int, tall: bool) -> np.ndarray:
    """A rotation, or 3 d Gaussian rows."""
    return rng.standard_normal((3 * d, d)) if tall else np.linalg.qr(rng.standard_normal((d, d)))[0]


def lattice(d: int) -> np.ndarray:
    """Rational points around 0, at both kinks and beyond them, ``(N, d)``."""
    line = [Fraction(k, 8) for k in (-24, -9, -8, -7, -1, 0, 1, 2, 5, 8, 11, 16)]
    points = [[x] for x in line] if d == 1 else [[x, y] for x in line[::2] for y in line[1::2]]
    return np.array(points, dtype=object)


def identity(d: int) -> np.ndarray:
    """The rational identity."""
    return np.array([[Fraction(int(i == j)) for j in range(d)] for i in range(d)], dtype=object)


draws = {
    "seed": st.integers(0, 2**32 - 1),
    "d": st.sampled_from((1, 2, 5)),
    "log_c": st.floats(-3, 3),
}


@pytest.mark.parametrize(("name", "shape", "ridge"), MEMBERS)
@settings(deadline=None, max_examples=12)
@given(tall=st.booleans(), **draws)
def test_members_satisfy_the_inequality(name, shape, ridge, seed, d, log_c, tall):
    """No slack of a function of the class is below zero by more than its rounding."""
    rng, c = np.random.default_rng(seed), 10.0**log_c
    f = Function(SHAPES[shape], matrix(rng, d, tall and shape != "square"), c, float(ridge) * c)
    mu, L = narrowest(name, *f.bounds())
    W = sample(rng, 20, d)
    assert np.all(slacks(mu, L, f, W) >= -rounding(mu, L, f, W))


@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize(("name", "shape", "ridge"), EXACT)
def test_rational_members_satisfy_the_inequality_exactly(name, shape, ridge, d):
    """Slacks on Fractions are non-negative without any tolerance, and some are positive."""
    c = Fraction(3, 7)
    f = Function(RATIONAL[shape], identity(d), c, c * ridge)
    found = slacks(*narrowest(name, *f.bounds()), f, lattice(d))
    assert all(isinstance(s, Fraction | int) for s in found.flat)
    assert np.min(found) >= 0
    assert np.max(found) > 0 or shape == "square"


OUTSIDE = [  # (class, its scalars, shape, (c, ridge) that miss a bound by the factor k > 1 or altogether)
    ("convex", dict(), "1 - cos", lambda k: (1, 0)),
    ("convex", dict(), "bump", lambda k: (1, 0)),
    ("convex", dict(), "abs", lambda k: (-1, 0)),
    ("convex", dict(), "square", lambda k: (-1, 0)),
    ("strongly convex", dict(mu=1), "huber", lambda k: (1, 1 / k)),
    ("strongly convex", dict(mu=1), "abs", lambda k: (1, 1 / k)),
    ("strongly convex", dict(mu=1), "square", lambda k: (1 / k, 0)),
    ("smooth", dict(L=1), "1 - cos", lambda k: (k, 0)),
    ("smooth", dict(L=1), "huber", lambda k: (k, 0)),
    ("smooth", dict(L=1), "huber", lambda k: (-k, 0)),
    ("smooth", dict(L=1), "abs", lambda k: (k, 0)),
    ("smooth", dict(L=2), "bump", lambda k: (k, 0)),
    ("smooth convex", dict(L=1), "softplus", lambda k: (4 * k, 0)),
    ("smooth convex", dict(L=1), "pseudo-huber", lambda k: (k, 0)),
    ("smooth convex", dict(L=1), "abs", lambda k: (k, 0)),
    ("smooth convex", dict(L=1), "1 - cos", lambda k: (1, 0)),
    ("smooth convex", dict(L=1), "square", lambda k: (k, 0)),
    ("smooth strongly convex", dict(mu=1, L=3), "huber", lambda k: (1, 1 / k)),
    ("smooth strongly convex", dict(mu=1, L=3), "huber", lambda k: (2 * k, 1)),
    ("smooth strongly convex", dict(mu=1, L=3), "softplus", lambda k: (8 * k, 1)),
    ("smooth strongly convex", dict(mu=1, L=3), "square", lambda k: (3 * k, 0)),
    ("weakly convex", dict(rho=1), "two wells", lambda k: (k, 0)),
    ("weakly convex", dict(rho=1), "1 - cos", lambda k: (k, 0)),
    ("weakly convex", dict(rho=1), "bump", lambda k: (2 * k, 0)),
    ("weakly convex", dict(rho=1), "huber", lambda k: (1, -k)),
    ("weakly convex", dict(rho=1), "abs", lambda k: (-1, 0)),
]


@pytest.mark.parametrize(("name", "scalars", "shape", "factors"), OUTSIDE)
@settings(deadline=None, max_examples=12)
@given(seed=draws["seed"], d=draws["d"], k=st.floats(1.1, 3.0), log_scale=st.floats(-2, 2))
def test_functions_outside_violate_it(name, scalars, shape, factors, seed, d, k, log_scale):
    """A curvature beyond a bound makes some slack negative by more than its rounding."""
    rng, scale = np.random.default_rng(seed), 10.0**log_scale
    c, ridge = factors(k)
    f = Function(SHAPES[shape], matrix(rng, d, False), c * scale, ridge * scale)
    mu, L = CLASSES[name].bounds(SimpleNamespace(**{s: v * scale for s, v in scalars.items()}))
    line = np.linspace(-3.5, 3.5, 29)[:, None] * f.A[0]  # along the first z, through kinks and flat parts
    W = np.concatenate([sample(rng, 10, d), line, line / 30])
    assert np.any(slacks(mu, L, f, W) < -rounding(mu, L, f, W))


@pytest.mark.parametrize(("mu", "L"), [(0, None), (-2, None), (3, None), (0, 5), (-5, 5), (1, 5), (-2, 5)])
@pytest.mark.parametrize("h", [Fraction(k, 2) for k in (-12, -10, -4, -1, 0, 1, 2, 6, 10, 11)])
def test_slack_of_a_quadratic(mu, L, h):
    """A quadratic of curvature h has slack (h - mu)(L - h)/(2(L - mu)) |x - y|^2: zero at a bound, negative beyond."""
    W = lattice(2)
    found = slacks(mu, L, Function(RATIONAL["square"], identity(2), h, Fraction(0)), W)
    factor = (h - mu) / 2 if L is None else (h - mu) * (L - h) / (2 * (L - mu))
    dx = W[:, None] - W[None]
    assert np.all(found == dot(dx, dx) * factor)


@pytest.mark.parametrize(
    ("function_class", "expected"),
    [
        (Convex(), (0, None)),
        (StronglyConvex("nu"), (2, None)),
        (Smooth("r"), (-3, 3)),
        (SmoothConvex("r"), (0, 3)),
        (SmoothStronglyConvex("nu", "r"), (2, 3)),
        (WeaklyConvex("nu"), (-2, None)),
    ],
)
def test_classes_read_their_scalars_by_name(function_class, expected):
    """Each class has the bounds of its definition, under the names that it was given."""
    assert function_class.bounds(SimpleNamespace(nu=2, r=3)) == expected


@pytest.mark.parametrize(("name", "shape", "ridge"), EXACT)
def test_abstract_clients_add_these_inequalities(name, shape, ridge):
    """The forms on Gram arrays, evaluated at a function's points, gradients and values, are its slacks."""
    f = Function(RATIONAL[shape], identity(2), Fraction(2), ridge * Fraction(2))
    mu, L = narrowest(name, *f.bounds())
    W = lattice(2)[[3, 10, 29]]
    space = Space(8)
    bounds = Curvature("", lower="mu", upper=None if L is None else "L")
    clients = AbstractClients(space, 1, bounds, SimpleNamespace(mu=mu, L=L))
    for k in range(len(W)):
        clients.grad(space.leaf(f"w{k}")[None])
    space.close()
    _, grads, values = f.at(W)
    vectors = {f"w{k}": W[k] for k in range(3)} | {f"g{k}[0]": grads[k] for k in range(3)}
    leaves = [vectors[leaf] for leaf in space.leaves]

    def at_point(key: Any) -> Any:
        return dot(leaves[key[1]], leaves[key[2]]) if key[0] == "G" else values[key[1]]

    found = [sum(c * at_point(key) for key, c in form.clean().items()) for _, form in space.inequalities]
    expected = slacks(mu, L, f, W)
    assert found == [expected[a, b] for a in range(3) for b in range(3) if a != b]
