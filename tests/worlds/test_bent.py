"""Clients with several bends: values, gradients and proxes are those of one function, which is in its class."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from fedtheory.engines.counterexamples.hunt import Hunt
from fedtheory.engines.counterexamples.witness import free_of, text
from fedtheory.numbers import Balls, Floats, Fractions
from fedtheory.relation import le
from fedtheory.units import CURVATURE
from fedtheory.world import Free, positive
from problems import Convex, Points, Smooth, SmoothConvex, SmoothStronglyConvex, StronglyConvex, WeaklyConvex
from problems.worlds.bent import Bent
from problems.worlds.classes.curvature import interpolation

CLASSES = [Convex(), StronglyConvex(), Smooth(), SmoothConvex(), SmoothStronglyConvex(), WeaklyConvex()]
EXACT = Fractions()


def quarters(v):
    return Fraction(round(4 * float(v)), 4)


def instances(f, seed=0, m=2, **options):
    """Instances in quarters, where the conditions hold."""
    named = {k: positive(CURVATURE) for k in f.needs} | ({"lam": positive(CURVATURE)} if "envelope" in options else {})
    world = Points(f, at=("w",), sizes={"m": (m,), "d": (1,)}, **options, **named)
    (bent,) = world.relatives()
    rng = np.random.default_rng(seed)
    scalars = {"mu": Fraction(1, 3), "L": Fraction(2), "rho": Fraction(3, 2), "lam": Fraction(7, 4)}
    for _ in range(200):
        free = bent.pick(
            Free({"m": m, "d": 1}, {k: scalars[k] for k in named}, bent.draw_vectors(rng, {"m": m, "d": 1}, 1)), 0
        )
        free = free.replace(vectors={k: np.frompyfunc(quarters, 1, 1)(v) for k, v in free.vectors.items()})
        x = world.build(free, EXACT)
        if all(
            np.all(r.lhs <= r.rhs if r.op == "<=" else r.lhs < r.rhs if r.op == "<" else r.lhs == r.rhs)
            for r in x.given
        ):
            yield world, free, x


def spots(x):
    """The knots, what is between them and what is beyond."""
    knots = sorted({x.f.center[0, 0] + k for k in x.f.knots[0]})
    inner = [(a + 2 * b) / 3 for a, b in itertools.pairwise(knots)]
    return sorted([knots[0] - 9, knots[0] - Fraction(1, 2), *knots, *inner, knots[-1] + Fraction(1, 3), knots[-1] + 9])


def at(u):
    return np.array([[u]], dtype=object)


@pytest.mark.parametrize("f", CLASSES, ids=lambda f: f.name)
def test_one_function_of_its_class(f):
    """The value is the integral of the gradient, and the inequality of the class holds between all points."""
    seen = 0
    for _, _, x in itertools.islice(instances(f), 8):
        points = spots(x)
        G, V = ([fn(at(u)) for u in points] for fn in (x.f.grad, x.f.value))
        for j, (a, b) in enumerate(itertools.pairwise(points)):  # linear between two of them
            assert np.all(V[j + 1] - V[j] == ((G[j] + G[j + 1]) * (b - a) / 2)[:, 0])
        mu, L = f.bounds(x)
        for i in range(x.f.m):
            triples = [(u, g[i, 0], v[i]) for u, g, v in zip(points, G, V, strict=True)]
            for p, q in itertools.permutations(triples, 2):
                assert interpolation(mu, L, lambda a, b: a * b, p, q) >= 0
        seen += 1
    assert seen == 8


@pytest.mark.parametrize("f", [f for f in CLASSES if not f.nonconvex], ids=lambda f: f.name)
def test_prox(f):
    for _, _, x in itertools.islice(instances(f, envelope="lam", optimum_of="F"), 8):
        for u in spots(x):
            p = x.f.prox(at(u), x.lam)
            assert np.all(x.lam * (p - u) + x.f.grad(p) == 0)
        assert np.all(x.mean_vec(x.F.grad(x.w_star)) == 0)


@pytest.mark.parametrize("f", CLASSES, ids=lambda f: f.name)
@pytest.mark.parametrize("m", [1, 2])
def test_minimiser(f, m):
    """No point is below w_star where the conditions hold; where only those of the minimum fail, some point is."""
    found = list(itertools.islice(instances(f, seed=m, m=m, optimum_of="f"), 10))
    assert len(found) >= 3
    for _, _, x in found:
        least = x.mean(x.f.value(x.w_star))[0]
        dense = [a + (b - a) * Fraction(k, 7) for a, b in itertools.pairwise(spots(x)) for k in range(8)]
        assert all(x.mean(x.f.value(at(u)))[0] >= least for u in dense)


def test_no_minimiser():
    """A well beyond a hill: deep enough, and the centre is no minimiser."""
    one = np.frompyfunc(Fraction, 1, 1)
    for depth, minimal in ((Fraction(2), True), (Fraction(9, 4), False)):
        knots = one(np.array([[-1, 0, 1, 1 + depth, 9]], dtype=object))
        pieces = one(np.array([[1, 1, 1, -1, 1, 1]], dtype=object))
        zero = one(np.zeros((1, 1), dtype=object))
        f = Bent(pieces, knots, zero, zero, zero[0], EXACT)
        given = f.at_minimum(
            Points(None, sizes={"m": (1,), "d": (1,)}).build(Free({"m": 1, "d": 1}, {}, {"w": zero}), EXACT)
        )
        assert all(np.all(r.lhs <= r.rhs) for r in given) == minimal
        assert all(f.value(at(Fraction(k, 4)))[0] >= 0 for k in range(-20, 60)) == minimal


def test_diversity():
    for f in (SmoothConvex(), Smooth()):
        for _, _, x in itertools.islice(instances(f, diversity="s"), 5):
            spread = [x.mean(x.sq(x.f.grad(at(u)) - x.mean_vec(x.f.grad(at(u)))))[0] for u in spots(x)]
            assert max(spread) == x.s[0]


def test_same_on_every_kind_of_numbers():
    world, free, x = next(instances(SmoothStronglyConvex(), optimum_of="f"))
    for numbers in (Floats(), Balls()):
        y = world.build(free.map(float) if numbers.kind == "float" else free, numbers)
        for name in ("value", "grad"):
            got, want = (np.ravel(getattr(z.f, name)(z.w)) for z in (y, x))
            assert np.allclose([float(v) for v in got], [float(v) for v in want], rtol=1e-12, atol=1e-12)


def test_a_witness_is_read_back():
    world, free, _ = next(instances(Smooth()))
    data = {"shape": free.shape, "scalars": {k: text(v) for k, v in free.scalars.items()},
            "free": {k: text(v) for k, v in free.vectors.items()}}  # fmt: skip
    again = free_of(data, world)
    assert all(np.array_equal(v, again.vectors[k]) for k, v in free.vectors.items())


def test_found_by_a_search():
    """The mirrored slope is no smaller: false of functions that lean, true of all others that are drawn."""
    world = Points(SmoothConvex("L"), optimum_of="f", L=positive(CURVATURE), sizes={"m": (1,), "d": (1,)})

    def body(x):
        return le(x.sq(x.f.grad(2 * x.w_star - x.w)), x.sq(x.f.grad(x.w)))

    assert Hunt(body, world).run(2000, 1, 0).refuted is None
    assert Hunt(body, world.relatives()[0]).run(2000, 1, 0).refuted is not None
