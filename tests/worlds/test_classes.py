"""One battery for every function class: members by construction, on every number type, with their inequalities."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fedtheory import claim, le, verify
from fedtheory._arrays import to_host
from fedtheory.errors import UsageError
from fedtheory.gram.forms import Space
from fedtheory.numbers import Balls, Floats, Fractions, ball
from fedtheory.units import CURVATURE
from problems import (
    Convex,
    Lojasiewicz,
    Points,
    Smooth,
    SmoothBoundedBelow,
    SmoothConvex,
    SmoothStronglyConvex,
    StronglyConvex,
    WeaklyConvex,
    positive,
)
from problems.worlds.abstract import AbstractClients
from problems.worlds.classes.base import FunctionClass, Known
from problems.worlds.conditions import holds

SCALARS = {name: positive(CURVATURE) for name in ("mu", "L", "rho", "lam")}
CLASSES = (
    Convex(), StronglyConvex(), Smooth(), SmoothConvex(), SmoothStronglyConvex(), WeaklyConvex(), Lojasiewicz(),
    SmoothBoundedBelow(),
)  # fmt: skip
TASKS = (
    {},
    {"optimum_of": "f"},
    {"envelope": "lam"},
    {"envelope": "lam", "optimum_of": "F"},
    {"diversity": "sigma_sq"},
)
REJECTED = {"the inner problem is strongly convex", "w_star is a minimiser"}  # what a draw need not meet


def world_of(f, **options):
    """Functions of a class at two points, with the scalars that it needs."""
    needs = {*f.needs, *([options["envelope"]] if "envelope" in options else [])}
    return Points(f, at=("w", "v"), **options, **{name: SCALARS[name] for name in SCALARS if name in needs})


def instances(world, seed, count, shapes=None):
    """A few instances of several shapes, as free data in short rationals."""
    rng = np.random.default_rng(seed)
    every = world.shapes(3)
    for k in rng.permutation(len(every))[: shapes or 3]:
        for free in world.sample(rng, every[k], 1, count):
            for index in range(count):
                one = world.pick(free, index)
                short = {n: world.admit(n, np.round(np.clip(v, -9, 9) * 8) / 8) for n, v in one.vectors.items()}
                scalars = {"mu": 0.25, "L": 2.5, "rho": 0.5, "lam": 4.0}
                yield one.replace(vectors=short, scalars={n: scalars[n] for n in one.scalars})


@pytest.mark.parametrize("f", CLASSES, ids=lambda f: f.name)
def test_it_is_a_function_class(f):
    """Every class has all that a world asks for, and says where its inequalities are from."""
    assert isinstance(f, FunctionClass)
    assert f.source and f.reading and f.name
    assert set(f.draw(np.random.default_rng(0), 2, 3, 2)) == set(f.data)
    assert f"clients {f.name}" in world_of(f).hypotheses()


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("task", TASKS, ids=str)
@pytest.mark.parametrize("f", CLASSES, ids=lambda f: f.name)
@settings(deadline=None, max_examples=8)
@given(seed=st.integers(0, 2**32 - 1))
def test_clients_are_members_and_satisfy_the_inequalities_exactly(f, task, seed):
    """In Fractions, without any tolerance: the conditions by construction, and with them every inequality."""
    world = world_of(f, **task)
    for free in instances(world, seed, 2):
        x = world.build(free.map(Fraction), Fractions())
        failing = {r.name for r in x.given if not holds(r).all()}
        assert failing <= REJECTED
        if failing:
            continue
        for p in (x.w, x.v, *([x.w_star] if world.optimum_of else [])):
            assert not f.bounded_below or (x.f.infimum() <= x.f.value(p)).all()
        assert all(form >= 0 for form in forms(f, x))
        if f.bounded_below:
            assert (x.f.value(x.f.minimiser()) == x.f.infimum()).all()
        if world.optimum_of == "f":
            assert (x.mean(x.f.value(x.w_star)) <= x.mean(x.f.value(x.w))).all()


def forms(f, x):
    """The inequalities of a class at three points of every client."""
    where = [x.w, x.v, (x.w + x.v) / 2]
    at = [(np.broadcast_to(p, (x.f.m, p.shape[-1])), x.f.grad(p), x.f.value(p)) for p in where]
    for i in range(x.f.m):
        infimum = x.f.infimum()[i] if f.bounded_below else None
        known = Known(i, [(p[i], g[i], v[i]) for p, g, v in at], infimum, lambda u, v: np.sum(u * v))
        yield from (form for _, form in f.inequalities(x, known))


@pytest.mark.parametrize("task", TASKS, ids=str)
@pytest.mark.parametrize("f", CLASSES, ids=lambda f: f.name)
def test_backends_and_balls_agree_with_fractions(f, task, backend):
    """The same clients on float64 arrays of every backend, in balls, and in Fractions.

    Free data are multiples of 1/8 up to 9, so that values are sums of some hundred terms of at most 10^5.
    """
    _, xp, device = backend
    world = world_of(f, **task)
    for free in instances(world, 5, 2):
        x = world.build(free.map(Fraction), Fractions())
        y = world.build(free.replace(vectors={k: v[None] for k, v in free.vectors.items()}), Floats(xp, device))
        z = world.build(free.map(Fraction), Balls())
        for part in ("value", "grad", "infimum") if f.bounded_below else ("value", "grad"):
            exact, floats, balls = (getattr(a.f, part)(*([] if part == "infimum" else [a.w])) for a in (x, y, z))
            assert np.allclose(to_host(floats)[0], np.asarray(exact, dtype=float), rtol=1e-9, atol=1e-7)
            assert all(ball(b).overlaps(ball(e)) for b, e in zip(balls.flat, exact.flat, strict=True))


@pytest.mark.parametrize("f", CLASSES, ids=lambda f: f.name)
def test_abstract_clients_add_exactly_these_inequalities(f):
    """One row for every inequality that the class states, at every point that was looked at."""
    space = Space()
    x = SimpleNamespace(mu=Fraction(1), L=Fraction(3), rho=Fraction(2))
    clients = AbstractClients(space, 2, f, x)
    for k in range(3):
        clients.grad(space.leaf(f"w{k}")[None])
    space.close()
    dot = lambda u, v: space.numbers.dot(u, v)[()]  # noqa: E731
    known = [Known(i, clients._points[i], clients._infimum[i] if f.bounded_below else None, dot) for i in range(2)]
    expected = [form.clean() for one in known for _, form in f.inequalities(x, one)]
    assert [form.clean() for _, form in space.inequalities] == expected
    assert len({name for name, _ in space.inequalities}) == len(expected) > 0


@pytest.mark.parametrize("f", [f for f in CLASSES if f.needs], ids=lambda f: f.name)
def test_a_missing_scalar_is_named(f):
    """The message names the class, the scalar and how to add it."""
    with pytest.raises(UsageError, match=rf"Points\({f.name}\) needs the scalar {f.needs[0]}=..., for instance"):
        Points(f)


def test_only_necessary_inequalities_are_declared():
    """It stands in the hypotheses of a claim; a class with sufficient ones says nothing."""
    assert any("only necessary" in line for line in world_of(Lojasiewicz()).hypotheses())
    for f in CLASSES:
        assert world_of(f).sufficient == f.sufficient == (f.name != Lojasiewicz().name)
        assert f.sufficient or any(f.source in line for line in world_of(f).hypotheses())


def test_what_is_no_class_is_refused():
    """A class itself, or its name, instead of an instance."""
    for wrong in ("convex", Convex, 3):
        with pytest.raises(UsageError, match="must be a function class such as Convex"):
            Points(wrong)


@pytest.mark.parametrize("f", [f for f in CLASSES if not f.bounded_below], ids=lambda f: f.name)
def test_no_infimum_without_a_bound_below(f):
    """A body that asks for it is told which classes have one."""
    body = claim("draft/infimum", world=world_of(f))(lambda x: le(x.f.infimum(), x.f.value(x.w)))
    with pytest.raises(UsageError, match="SmoothBoundedBelow"):
        verify(body)


@pytest.mark.parametrize("made", [lambda: SmoothConvex(3), lambda: StronglyConvex("2x"), lambda: Smooth("-L")])
def test_a_bound_is_the_name_of_a_scalar(made):
    with pytest.raises(UsageError, match="the name of a scalar of the world"):
        made()
