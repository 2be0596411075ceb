"""Operators, short subgradients, quadratic upper bounds, restricted secants, indicators, support functions."""

import dataclasses
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planted_classes import PLANTED

from fedtheory import claim, le, verify
from fedtheory._arrays import to_host
from fedtheory.errors import UsageError
from fedtheory.gram.forms import Space
from fedtheory.numbers import Floats, Fractions
from fedtheory.units import CURVATURE, GRADIENT
from problems import (
    Cocoercive,
    CocoerciveStronglyMonotone,
    Convex,
    ConvexIndicator,
    ConvexLipschitz,
    ConvexQG,
    ConvexSupport,
    LipschitzMap,
    LipschitzMonotone,
    LipschitzOperator,
    LipschitzStronglyMonotone,
    Monotone,
    Nonexpansive,
    Points,
    RsiEb,
    Smooth,
    SmoothBoundedBelow,
    SmoothConvex,
    SmoothConvexLipschitz,
    StronglyMonotone,
    Together,
    positive,
)
from problems.worlds.abstract import AbstractClients
from problems.worlds.classes.base import FunctionClass, Known
from problems.worlds.classes.curvature import Curvature
from problems.worlds.classes.turns import Turned
from problems.worlds.conditions import holds

OPERATORS = (
    Monotone(), StronglyMonotone(), Cocoercive(), LipschitzOperator(), LipschitzMap(), Nonexpansive(), LipschitzMonotone(),
    LipschitzStronglyMonotone(), CocoerciveStronglyMonotone(),
)  # fmt: skip
STEEP = (ConvexLipschitz(), SmoothConvexLipschitz())
AROUND = (ConvexQG(), RsiEb())
UNDRAWN = (ConvexIndicator(), ConvexIndicator("D"), ConvexSupport(), ConvexSupport("M"))
CLASSES = (*OPERATORS, *STEEP, *AROUND, *UNDRAWN)
VALUES = {"mu": "1/4", "L": "5/2", "beta": "1/3", "M": "3/2", "D": "2"}


def scalars(f):
    return {name: positive() for name in f.needs}


def world_of(f, optimum=None):
    around = {"optimum_of": "f", "sizes": {"m": (1,)}} if f in AROUND else {"optimum_of": optimum}
    return Points(f, at=("w", "v"), **around, **scalars(f))


def instances(world, seed, count=3):
    """A few instances of several shapes, as free data in short rationals."""
    rng = np.random.default_rng(seed)
    every = world.shapes(3)
    for k in rng.permutation(len(every))[:3]:
        for free in world.sample(rng, every[k], 1, count):
            for index in range(count):
                one = world.pick(free, index)
                short = {n: world.admit(n, np.round(np.clip(v, -9, 9) * 8) / 8) for n, v in one.vectors.items()}
                yield one.replace(vectors=short, scalars={n: Fraction(VALUES[n]) for n in one.scalars})


def known(x, points, i):
    """What is known of a client at some points; operators have no values."""
    at = [(np.broadcast_to(p, (x.f.m, p.shape[-1])), x.f.grad(p)) for p in points]
    valued = not isinstance(x.f, Turned)
    values = [x.f.value(p) if valued else np.zeros(x.f.m) for p in points]
    triples = [(p[i], g[i], v[i]) for (p, g), v in zip(at, values, strict=True)]
    return Known(i, triples, None, lambda u, v: np.sum(u * v))


@pytest.mark.parametrize("f", CLASSES, ids=lambda f: f.name)
def test_it_is_a_function_class(f):
    """Every class has all that a world asks for, and says where its inequalities are from."""
    assert isinstance(f, FunctionClass)
    assert f.source and f.name
    assert set(f.draw(np.random.default_rng(0), 2, 3, 2)) == set(f.data)


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("optimum", [None, "f"])
@pytest.mark.parametrize("f", [*OPERATORS, *STEEP, *AROUND], ids=lambda f: f.name)
@settings(deadline=None, max_examples=8)
@given(seed=st.integers(0, 2**32 - 1))
def test_clients_are_members_and_satisfy_the_inequalities_exactly(f, optimum, seed):
    """In Fractions, without any tolerance: the conditions by construction, and with them every inequality."""
    world = world_of(f, optimum)
    for free in instances(world, seed):
        x = world.build(free.map(Fraction), Fractions())
        assert all(holds(r).all() for r in x.given)
        points = [x.w, x.v, (x.w + x.v) / 2, *([x.w_star] if world.optimum_of else [])]
        for i in range(x.f.m):
            assert all(form >= 0 for _, form in f.inequalities(x, known(x, points, i)))


@pytest.mark.parametrize("f", [*OPERATORS, *STEEP, *AROUND], ids=lambda f: f.name)
def test_floats_agree_with_fractions(f, backend):
    """The same clients on float64 arrays of every backend and in Fractions, with the resolvent as it is defined."""
    _, xp, device = backend
    world = world_of(f)
    for free in instances(world, 5):
        x = world.build(free.map(Fraction), Fractions())
        y = world.build(free.replace(vectors={k: v[None] for k, v in free.vectors.items()}), Floats(xp, device))
        assert np.allclose(to_host(y.f.grad(y.w))[0], np.asarray(x.f.grad(x.w), dtype=float), rtol=1e-9, atol=1e-7)
        if f not in AROUND:
            lam = Fraction(7)
            theta = x.f.prox(x.w, lam)
            assert (theta + x.f.grad(theta) / lam == x.w + theta * 0).all()


@pytest.mark.parametrize("f", OPERATORS, ids=lambda f: f.name)
def test_membership_of_an_affine_operator_is_decided_exactly(f):
    """Members and others among turns of a plane by a and b, against the inequalities at all that matters: one direction."""
    rng = np.random.default_rng(0)
    x = SimpleNamespace(mu=Fraction(1, 2), L=Fraction(2), beta=Fraction(1, 2))
    p, q, zero = (np.array([[Fraction(v) for v in row]], dtype=object) for row in ((3, 4), (-4, 3), (0, 0)))
    seen = {True: 0, False: 0}
    for _ in range(300):
        a, b = (np.array([[Fraction(int(rng.integers(-10, 11)), 4)]], dtype=object) for _ in range(2))
        f_ab = Turned(a, b, p, q, zero, zero, Fractions())
        member = all(holds(r).all() for r in f.membership_of(f_ab, x))
        x.f = f_ab
        at = known(x, [zero, p], 0)
        assert member == all(form >= 0 for _, form in f.inequalities(x, at)), (a, b)
        seen[member] += 1
    assert min(seen.values()) > 10


@pytest.mark.parametrize("f", CLASSES, ids=lambda f: f.name)
def test_abstract_clients_add_exactly_these_inequalities(f):
    """One row for every inequality that the class states; a function with a minimiser has it among its points."""
    space = Space()
    x = SimpleNamespace(**{name: Fraction(value) for name, value in VALUES.items()})
    clients = AbstractClients(space, 1, f, x)
    if f in AROUND:
        clients.declare(space.leaf("w_star")[None], space.centered_for("g_star", 1))
    for k in range(3):
        clients.grad(space.leaf(f"w{k}")[None])
    space.close()
    dot = lambda u, v: space.numbers.dot(u, v)[()]  # noqa: E731
    expected = [form.clean() for _, form in f.inequalities(x, Known(0, clients._points[0], None, dot))]
    assert [form.clean() for _, form in space.inequalities] == expected
    assert len({name for name, _ in space.inequalities}) == len(expected) > 0


def without(f, word):
    """The class less one kind of its inequalities."""

    def rest(self, x, client):
        return ((label, form) for label, form in type(f).inequalities(self, x, client) if word not in label.split())

    less = type("Less", (type(f),), {"inequalities": rest})
    return less(**vars(f))


NEEDED = {  # a word of a label, and a planted statement that needs it
    ("monotone", "monotone"): "firm",
    ("monotone", "strongly monotone"): "strong",
    ("cocoercive", "cocoercive"): "cocoercive",
    ("Lipschitz", "Lipschitz"): "length",
    ("Lipschitz", "nonexpansive"): "map",
    ("monotone", "Lipschitz strongly monotone"): "strong",
    ("Lipschitz", "Lipschitz strongly monotone"): "length",
    ("cocoercive", "cocoercive strongly monotone"): "far step",
    ("monotone", "cocoercive strongly monotone"): "strong",
    ("short", "short subgradients"): "short",
    ("short", "short gradients"): "difference",
    ("growth", "quadratic upper bound"): "upper",
    ("secant", "restricted secant"): "secant",
    ("error", "restricted secant"): "error",
    ("normal", "indicator"): "firm",
    ("diameter", "indicator"): "diameter",
    ("short", "support"): "short",
    ("attained", "support"): "homogeneous",
    ("largest", "support"): "subadditive",
}


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("row", NEEDED, ids=" of ".join)
def test_each_inequality_is_needed(row):
    """Without it a statement about the class that is proved with it is not."""
    word, kind = row
    world, bodies = PLANTED[kind]
    body = claim("planted/needed", world=world)(lambda x: bodies[NEEDED[row]](x))
    assert verify(body).verdict in ("proved", "certified")
    if hasattr(world, "common"):
        less = dataclasses.replace(world, common=tuple((name, without(f, word)) for name, f in world.common))
    else:
        less = dataclasses.replace(world, f=without(world.f, word))
    assert verify(dataclasses.replace(body, world=less)).verdict not in ("proved", "certified")


@pytest.mark.parametrize("f", [ConvexLipschitz(), ConvexQG()], ids=lambda f: f.name)
def test_the_inequalities_of_convexity_are_needed(f):
    """f(v) >= f(w) + <grad f(w), v - w> does not follow from the others."""
    world = world_of(f, "f")
    below = lambda x: le(x.f.value(x.w) + x.dot(x.f.grad(x.w), x.v - x.w), x.f.value(x.v))  # noqa: E731
    assert verify(claim("planted/convex", world=world)(below)).verdict == "proved"
    own = [word for word in ("short", "growth") if any(word == k for k, _ in NEEDED)]

    def rest(self, x, client):
        return ((label, form) for label, form in type(f).inequalities(self, x, client) if set(label.split()) & set(own))

    less = dataclasses.replace(world, f=type("Less", (type(f),), {"inequalities": rest})(**vars(f)))
    assert verify(claim("planted/convex", world=less)(below)).verdict not in ("proved", "certified")


def random_points(seed, n=4, d=2):
    rng = np.random.default_rng(seed)
    whole = lambda *size: np.vectorize(lambda k: Fraction(int(k), 2), otypes=[object])(rng.integers(-6, 7, size))  # noqa: E731
    return whole(n, d), whole(n, d), whole(n), whole(60, d)


def meets(f, x, points, grads, values):
    """Whether every inequality holds, with a margin where gradients differ."""
    at = Known(0, list(zip(points, grads, values, strict=True)), None, lambda u, v: np.sum(u * v))
    return all(form > 0 for _, form in f.inequalities(x, at))


def affine(points, grads, values, z):
    """The largest of the affine functions at z, and its gradient."""
    heights = [v + np.sum(g * (z - p)) for p, g, v in zip(points, grads, values, strict=True)]
    k = max(range(len(heights)), key=heights.__getitem__)
    return heights[k], grads[k]


def test_short_subgradients_are_sufficient():
    """The largest of the affine functions is a member with these gradients and values, wherever the inequalities hold."""
    f, x, found = ConvexLipschitz(), SimpleNamespace(M=Fraction(4)), 0
    for seed in range(3000):
        points, grads, values, others = random_points(seed, 3)
        if not meets(f, x, points, grads, values):
            continue
        found += 1
        for p, g, v in zip(points, grads, values, strict=True):
            assert affine(points, grads, values, p)[0] == v and (affine(points, grads, values, p)[1] == g).all()
        assert all(np.sum(affine(points, grads, values, z)[1] ** 2) <= x.M**2 for z in others)
    assert found > 10


def test_a_quadratic_upper_bound_is_sufficient():
    """The largest of the affine functions and of a flat parabola is below the upper one, with one minimiser and these values."""
    f, x, found = ConvexQG(), SimpleNamespace(L=Fraction(4)), 0
    for seed in range(6000):
        points, grads, values, others = random_points(seed, 3)
        grads[0], values = grads[0] * 0, abs(values)
        values[0] = Fraction(0)
        if not meets(f, x, points, grads, values):
            continue
        found += 1
        star, eps = points[0], Fraction(1, 10**4)
        for z in [*others, *points]:
            height = max(affine(points, grads, values, z)[0], eps / 2 * np.sum((z - star) ** 2))
            assert 0 <= height <= x.L / 2 * np.sum((z - star) ** 2)
        for p, v in zip(points, values, strict=True):
            assert max(affine(points, grads, values, p)[0], eps / 2 * np.sum((p - star) ** 2)) == v
    assert found > 10


# what is refused


@pytest.mark.parametrize("f", [Monotone(), RsiEb()], ids=lambda f: f.name)
def test_there_are_no_values(f):
    """Of operators, and of functions whose values are not known."""
    body = claim("draft/values", world=world_of(f))(lambda x: le(x.f.value(x.w), x.f.value(x.v)))
    with pytest.raises(UsageError, match=r"x\.f\.value needs"):
        verify(body)


def test_what_a_world_does_not_have_is_refused():
    """Sets without names, minimisers that are not there, envelopes of operators, and functions with an infimum among others."""
    with pytest.raises(UsageError, match="write Together"):
        Points(ConvexIndicator())
    with pytest.raises(UsageError, match=r"needs optimum_of='f' and sizes=\{'m': \(1,\)\}"):
        Points(ConvexQG(), L=positive(CURVATURE))
    with pytest.raises(UsageError, match="has no envelope"):
        Points(Monotone(), envelope="lam", lam=positive(CURVATURE))
    with pytest.raises(UsageError, match="its own minimiser"):
        Together({"f": ConvexQG(), "h": Convex()}, zero_of=("f", "h"), L=positive(CURVATURE))
    with pytest.raises(UsageError, match="is not convex"):
        Together({"f": Smooth(), "h": Convex()}, zero_of=("f", "h"), L=positive(CURVATURE))
    with pytest.raises(UsageError, match="functions with an infimum"):
        Together({"f": SmoothBoundedBelow()}, L=positive(CURVATURE))
    with pytest.raises(UsageError, match="needs the scalar M"):
        Together({"f": ConvexLipschitz()})
    with pytest.raises(UsageError, match="must name functions"):
        Together({"f": Convex()}, zero_of=("h",))
    with pytest.raises(UsageError, match="must name a map"):
        Together({"A": Monotone()}, fixed_of="A")
    with pytest.raises(UsageError, match="maps points to points"):
        Together({"T": Nonexpansive()}, zero_of=("T",))
    with pytest.raises(UsageError, match="m is 1"):
        Together({"f": Convex()}, sizes={"m": (2,)})
    with pytest.raises(UsageError, match="two things"):
        Together({"w": Convex()})
    with pytest.raises(UsageError, match="must be classes by name"):
        Together({})
    with pytest.raises(UsageError, match="must be a function class"):
        Together({"f": "convex"})


def test_no_search_supports_what_it_has_only_some_clients_for():
    """A statement without a certificate stays open where the search has only some of a class, whatever its control."""
    world = Points(ConvexLipschitz(), at=("w", "v"), M=positive(GRADIENT))
    body = claim("planted/root", world=world)(lambda x: le(x.exp(x.sqrt(x.sq(x.f.grad(x.w))) - x.M), 1))
    v = verify(body)
    assert v.verdict == "unknown" and "the search has only some" in v.reason


def test_one_step_units():
    """SmoothConvex beside a convex function: the certificate is exact, and what it says of the units holds."""
    world = Together({"f": SmoothConvex(), "h": Convex()}, zero_of=("f", "h"), L=positive(CURVATURE))
    body = lambda x: le(x.sq(x.h.prox(x.w - x.f.grad(x.w) / x.L, x.L) - x.w_star), x.sq(x.w - x.w_star))  # noqa: E731
    v = verify(claim("planted/units", world=world)(body))
    assert v.verdict == "proved" and v.hypotheses["homogeneous"] is True


@dataclasses.dataclass(frozen=True)
class Flat(Curvature):
    """A class that says something of the first client alone."""

    sufficient = False
    source = "by definition"

    def inequalities(self, x, client):
        yield from super().inequalities(x, client)
        if client.i == 0:
            yield from ((f"{a} flat", -client.dot(g, g)) for a, (_, g, _) in enumerate(client.points))


def test_a_class_says_the_same_of_every_client():
    """One client stands for all in a proof, and is the first: what is said of that one would be proved of each."""
    one = claim("draft/flat", world=Points(Flat("convex", upper="L"), L=positive(CURVATURE)))(
        lambda x: le(x.mean(x.sq(x.f.grad(x.w))), 0)
    )
    with pytest.raises(UsageError, match=r"draft/flat: a class says the same of every client.*client\.own\(x\.G\)"):
        verify(one)
    known = Known(1, [], None, lambda u, v: 0)
    assert known.own(np.array([3, 5])) == 5 and known.own(7) == 7
