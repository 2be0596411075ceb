"""Lies are never believed, true statements beside them never doubted; every label is checked in plain Python first."""

import itertools
import json
import math
import os
import random
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from lies import EMPTY, LIES, NOT_A_STATEMENT, SATISFIABLE, TIME_LIMIT

from fedtheory import verify
from fedtheory.engines.counterexamples.exact import replay
from fedtheory.engines.counterexamples.witness import free_of
from fedtheory.errors import UsageError
from problems.worlds.function_world import FunctionWorld
from problems.worlds.region import Region

ROWS = {row.name: row for row in LIES}
STORED: dict = {}  # certificates, shared by the seeds

WRONG_TODAY: dict[str, str] = {}


# what the referee answers


def answer(row, seed=0):
    """The verdict at the quick budget, "UsageError" or "crash", and what it rests on."""
    planted = None
    try:
        planted = row.build()
        v = verify(planted, budget="quick", seed=seed, stored=STORED)
    except UsageError as error:
        if "\n" in str(error):
            return "crash", f"a message of several lines: {error}"
        if planted is not None and planted.id not in str(error):
            return "crash", f"a message that does not name the claim: {error}"
        return "UsageError", str(error)
    except Exception as error:
        return "crash", f"{type(error).__name__}: {error}"
    if v.crashed:
        return "crash", v.reason
    if v.verdict == "refuted":
        again = replay(planted.body, planted.world, free_of(v.witness, planted.world), planted.id)
        if again.outcome != "refutes":
            return "crash", f"refuted, and its witness replays as {again.outcome}: {again.reason}"
    return v.verdict, v.reason or str(v.witness or v.scope)


def apart(name, seed):
    """The answer of a process of its own, which may be ended."""
    here = Path(__file__)
    code = f"import json, test_lies as t; print(json.dumps(t.answer(t.ROWS[{name!r}], {seed})))"
    path = os.pathsep.join(map(str, (here.parents[2], here.parents[1], here.parent)))
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True,
            timeout=TIME_LIMIT, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "crash", f"no answer within {TIME_LIMIT} seconds"
    if done.returncode:
        return "crash", done.stderr[-500:]
    return tuple(json.loads(done.stdout.splitlines()[-1]))


class Endless(Exception):
    """An ordinary row that takes longer than the slow ones may."""


@pytest.fixture
def limited():
    """Interrupt a row after the time limit."""

    def stop(*_):
        raise Endless(f"no answer within {TIME_LIMIT} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(TIME_LIMIT)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def listed(names):
    """One test a row; those that are wrong today are expected to fail."""
    return pytest.mark.parametrize("name", [
        pytest.param(n, marks=[pytest.mark.xfail(strict=True, reason=WRONG_TODAY[n])] if n in WRONG_TODAY else [])
        for n in names
    ])  # fmt: skip


@listed([name for name, row in ROWS.items() if not row.slow])
def test_answer(name, limited):
    got, why = answer(ROWS[name])
    assert got in ROWS[name].allowed, f"{name}: {got}, {why[:400]}"


@pytest.mark.slow
@listed([name for name, row in ROWS.items() if not row.slow and row.truth is False])
def test_answer_at_another_seed(name, limited):
    """What is refused before anything is drawn is refused again."""
    got, why = answer(ROWS[name], 1)
    assert got in ROWS[name].allowed, f"{name}: {got}, {why[:400]}"


@pytest.mark.in_turn(2)
@listed([name for name, row in ROWS.items() if row.slow])
def test_answer_in_time(name):
    got, why = apart(name, 0)
    assert got in ROWS[name].allowed, f"{name}: {got}, {why[:400]}"


# the labels, without the engines


class Whole(int):
    """A count whose quotients are exact."""

    def __truediv__(self, other):
        return (Fraction(int(self), other) if other else math.nan) if isinstance(other, int) else NotImplemented

    def __rtruediv__(self, other):
        return (Fraction(other, int(self)) if self else math.nan) if isinstance(other, int) else NotImplemented

    def __add__(self, other):
        return Whole(int(self) + other) if isinstance(other, int) else NotImplemented

    def __sub__(self, other):
        return Whole(int(self) - other) if isinstance(other, int) else NotImplemented

    def __rsub__(self, other):
        return Whole(other - int(self)) if isinstance(other, int) else NotImplemented

    def __mul__(self, other):
        return Whole(int(self) * other) if isinstance(other, int) else NotImplemented

    def __pow__(self, other):
        return Whole(int(self) ** other) if isinstance(other, int) and other >= 0 else NotImplemented

    __radd__, __rmul__ = __add__, __mul__
    __hash__ = int.__hash__


class Function:
    """A function of one variable by its piecewise linear derivative, exactly."""

    def __init__(self, slope):
        self.knots = [(Fraction(u), Fraction(g)) for u, g in slope.knots]
        self.left, self.right = Fraction(slope.left), Fraction(slope.right)

    def pieces(self):
        """(from, to, point, slope there, curvature) of every linear piece of the derivative."""
        (u0, g0), (u1, g1) = self.knots[0], self.knots[-1]
        yield None, u0, u0, g0, self.left
        for (p, a), (q, b) in itertools.pairwise(self.knots):
            yield p, q, p, a, (b - a) / (q - p)
        yield u1, None, u1, g1, self.right

    def grad(self, u):
        _, _, p, g, h = next(t for t in self.pieces() if t[1] is None or u <= t[1])
        return g + h * (u - p)

    def value(self, u):
        """The integral of the derivative from 0."""
        ends = sorted({Fraction(0), u, *(k for k, _ in self.knots if min(u, 0) < k < max(u, 0))})
        area = sum((q - p) * (self.grad(p) + self.grad(q)) / 2 for p, q in itertools.pairwise(ends))
        return area if u >= 0 else -area

    def prox(self, u, lam):
        """The p with lam (p - u) + f'(p) = 0; lam is above minus every curvature."""
        for a, b, p, g, h in self.pieces():
            root = (lam * u - g + h * p) / (lam + h)
            if (a is None or a <= root) and (b is None or root <= b):
                return root
        raise AssertionError

    def curvatures(self):
        return [h for *_, h in self.pieces()]


class Functions:
    """One function a client."""

    def __init__(self, slopes):
        self.each = [Function(s) for s in slopes]

    def _at(self, W, read):
        W = np.broadcast_to(W, (len(self.each), 1))
        return np.array([read(f, i, W[i, 0]) for i, f in enumerate(self.each)], dtype=object)

    def value(self, W):
        return self._at(W, lambda f, i, u: f.value(u))

    def grad(self, W):
        return self._at(W, lambda f, i, u: f.grad(u))[:, None]

    def prox(self, W, lam):
        lams = np.broadcast_to(np.asarray(lam, dtype=object), (len(self.each),))
        return self._at(W, lambda f, i, u: f.prox(u, lams[i]))[:, None]


class Envelopes:
    """Their Moreau envelopes."""

    def __init__(self, f, lam):
        self.f, self.lam = f, lam

    def value(self, W):
        P = self.f.prox(W, self.lam)
        return self.f.value(P) + self.lam * np.sum((W - P) ** 2, axis=-1) / 2

    def grad(self, W):
        lam = np.asarray(self.lam, dtype=object)
        return (W - self.f.prox(W, self.lam)) * (lam[:, None] if lam.ndim else lam)


SIZES = ("m", "d", "S", "R", "N", "n", "k0", "steps", "select", "batch")


class Plain:
    """The names of a body, in Fractions (or floats, where a part of a tuple is undefined); nothing of the engines."""

    def __init__(self, names, exact=True):
        self.exact = exact
        self.__dict__.update({k: self._read(k, v) for k, v in names.items() if k not in ("f", "part")})
        self.clients = len(names.get("f", ())) or max(
            [len(v) for k, v in names.items() if isinstance(v, list) and k != "f"], default=1
        )
        if "m" not in names:
            self.m = Whole(self.clients)
        if "N" not in names:
            self.N = self.m
        if "d" not in names:
            vectors = [v for k, v in names.items() if k != "f" and isinstance(v, list) and isinstance(v[0], list)]
            self.d = Whole(len(vectors[0][0]) if vectors else 1)
        if "f" in names:
            self.f = Functions(names["f"])
            if "lam" in names:
                self.F = Envelopes(self.f, self.lam)

    def _read(self, name, value):
        if isinstance(value, list):
            out = np.array(value, dtype=object)
            return np.frompyfunc(Fraction, 1, 1)(out) if self.exact else out.astype(float)
        if not isinstance(value, (int, Fraction)):
            return value
        if name in SIZES and isinstance(value, int):
            return Whole(value)
        return Fraction(value) if self.exact else np.float64(value)

    def dot(self, u, v):
        return np.sum(u * v, axis=-1)

    def sq(self, u):
        return self.dot(u, u)

    def mean(self, s):
        return np.sum(s, axis=-1, keepdims=True) / s.shape[-1] if np.ndim(s) else s

    def total(self, s, *, over=None):
        return np.sum(s if over is None else s * over, axis=-1, keepdims=True)

    def mean_vec(self, u):
        return np.sum(u, axis=-2, keepdims=True) / u.shape[-2]

    def total_vec(self, u, *, over=None):
        return np.sum(u if over is None else u * over[:, None], axis=-2, keepdims=True)

    def E(self, fn):
        masks = [np.array([Fraction(i in c) for i in range(self.clients)], dtype=object)
                 for c in itertools.combinations(range(self.clients), self.S)]  # fmt: skip
        return sum(fn(mask) for mask in masks) / Fraction(len(masks))

    def ratio(self, p, q):
        return Fraction(p, q)

    def min(self, s):
        return np.min(s, axis=-1, keepdims=True)

    def max(self, s):
        return np.max(s, axis=-1, keepdims=True)

    def minimum(self, a, b):
        return np.minimum(a, b)

    def maximum(self, a, b):
        return np.maximum(a, b)

    def sqrt(self, s):
        return np.sqrt(np.float64(s))

    def exp(self, s):
        return np.exp(np.float64(s))

    def log(self, s):
        return np.log(np.float64(s)) if s > 0 else np.float64(math.nan)


def true(relation):
    """Whether every entry of one relation holds."""
    a, b = relation.lhs, relation.rhs
    return bool(np.all(a <= b if relation.op == "<=" else a < b if relation.op == "<" else a == b))


def relations(found):
    return found if isinstance(found, tuple) else (found,)


def members(world, x, slopes):
    """Whether the functions are of the world's class, and w_star a minimiser where there is one."""
    lower, upper = world.f.bounds(x)
    for i, f in enumerate(x.f.each):
        low, high = (np.broadcast_to(b, (len(slopes),))[i] if b is not None else None for b in (lower, upper))
        assert all(low <= h and (high is None or h <= high) for h in f.curvatures())
    if world.optimum_of:
        F = x.F if world.optimum_of == "F" else x.f
        assert np.sum(F.grad(x.w_star)) == 0
        least = np.sum(F.value(x.w_star))
        assert all(least <= np.sum(F.value(np.array([[Fraction(k, 4)]], dtype=object))) for k in range(-60, 61))
    if world.diversity:
        points = [np.array([[u]], dtype=object) for f in x.f.each for u, _ in f.knots]
        assert all(f.left == f.right == 0 for f in x.f.each)
        spread = [x.mean(x.sq(x.f.grad(p) - x.mean_vec(x.f.grad(p)))) for p in points]
        assert max(s[0] for s in spread) <= getattr(x, world.diversity)


@pytest.mark.parametrize("name", [n for n, row in ROWS.items() if row.at is not None])
def test_label_at_its_point(name):
    """A counterexample meets the conditions and fails the claim; a point of satisfiable conditions meets them and the claim."""
    row = ROWS[name]
    exact = "part" not in row.at
    x = Plain(row.at, exact)
    body = row.make() if row.make else row.body
    with np.errstate(all="ignore"):
        found = relations(body(x))
    if row.truth is False:
        assert not true(found[row.at["part"]]) if not exact else not all(map(true, found))
    else:
        assert all(map(true, found))
    try:
        world = row.place.world()
    except UsageError:
        return  # a name with two meanings
    for scalar, spec in world.scalars.items():
        for r in spec.relations(scalar, getattr(x, scalar)) if not spec.weight else ():
            assert true(r), r
        assert not spec.weight or (sum(getattr(x, scalar)) == 1 and all(a > 0 for a in getattr(x, scalar)))
    for c in world.given:
        assert all(map(true, relations(c.relation(x)))), c.printed
    unlisted = "unlisted" in name or row.truth == SATISFIABLE
    assert unlisted or all(getattr(x, k) in v for k, v in world.sizes.items() if isinstance(getattr(x, k, None), Whole))
    if isinstance(world, FunctionWorld) and world.f is not None:
        members(world, x, row.at["f"])


def some(rng, *size):
    """A small random quotient, or an array of them."""
    if not size:
        return Fraction(rng.choice([0, 1, 1, 2, 3, 5, 8]), rng.choice([1, 2, 3, 8])) * rng.choice([-1, 1])
    return [some(rng, *size[1:]) for _ in range(size[0])]


def scalar(rng, spec, m):
    low = Fraction(spec.low)
    if spec.per_client:
        values = [scalar(rng, _shared(spec), m) for _ in range(m)]
        return [v / sum(values) for v in values] if spec.weight else values
    step = Fraction(rng.choice([1, 1, 2, 3, 10, 10**6]), rng.choice([1, 2, 3, 7, 10**6]))
    if spec.closed and rng.random() < 0.2:
        return low
    return low + step if spec.high is None else low + (Fraction(spec.high) - low) * step / (1 + step)


def _shared(spec):
    return type(spec)(spec.unit, spec.low, spec.high, spec.closed)


def function(rng, low, high):
    """A random function with curvatures in [low, high], as knots of its derivative."""
    from lies import Slope

    high = low + 10 if high is None else high
    between = lambda: low + (high - low) * Fraction(rng.choice([0, 0, 1, 2, 4, 4]), 4)  # noqa: E731
    knots = [(some(rng), some(rng))]
    for _ in range(rng.choice([0, 1, 2, 4])):
        width = abs(some(rng)) + Fraction(1, 4)
        knots.append((knots[-1][0] + width, knots[-1][1] + width * between()))
    return Slope(tuple(knots), between(), between())


def instance(rng, world):
    """A random point of a world, or None where it does not meet the conditions."""
    shapes = world.shapes(9) or [{}]
    shape = rng.choice(shapes)
    m = shape.get("m", 1)
    names = {k: v for k, v in shape.items() if k not in ("m", "d")}
    names |= {k: scalar(rng, s, m) for k, s in world.scalars.items()}
    formulas = getattr(world, "derived", {})
    if isinstance(world, FunctionWorld):
        if world.f is not None and (world.optimum_of or world.diversity) and m > 1:
            return None
        d = 1 if world.f is not None else shape.get("d", 1)
        names |= {k: some(rng, 1, d) for k in world.at} | {k: some(rng, m, d) for k in world.clients_at}
        names.setdefault("m", m)
        if world.f is not None:
            lower, upper = world.f.bounds(Plain(names))
            lower, upper = (np.broadcast_to(b, (m,)) if b is not None else [None] * m for b in (lower, upper))
            if any(u is not None and u < v for u, v in zip(upper, lower, strict=True)):
                return None
            names["f"] = [function(rng, v, u) for v, u in zip(lower, upper, strict=True)]
            if world.diversity:
                names[world.diversity] = 0  # one client
    elif any(s.per_client for s in world.scalars.values()) or "m" in shape:
        names["m"] = m
    x = Plain(names)
    for name, fn in formulas.items():
        setattr(x, name, fn(x))
    if isinstance(world, FunctionWorld) and world.optimum_of:
        zeros = [np.array([[u]], dtype=object) for u in zeros_of(x.f.each[0])]
        if not zeros:
            return None
        x.w_star = min(zeros, key=lambda z: x.f.value(z)[0])
        if x.f.each[0].left < 0 or x.f.each[0].right < 0:
            return None
    try:
        return x if all(true(r) for c in world.given for r in relations(c.relation(x))) else None
    except ZeroDivisionError:
        return None


def zeros_of(f):
    """Where the derivative vanishes, a point of every piece."""
    for a, b, p, g, h in f.pieces():
        root = p - g / h if h else (p if g == 0 else None)
        if root is not None and (a is None or a <= root) and (b is None or root <= b):
            yield root


@pytest.mark.parametrize("name", [n for n, row in ROWS.items() if row.truth in (True, SATISFIABLE) and not row.slow])
def test_label_of_a_true_one(name):
    """It holds at many random points, of functions that no engine draws."""
    row = ROWS[name]
    try:
        world = row.place.world()
    except UsageError:
        pytest.skip("the world refuses a name")
    if not isinstance(world, Region) or type(world).__name__ not in (
        "Region",
        "FunctionWorld",
        "DerivedRegion",
        "DerivedFunctionWorld",
    ):
        pytest.skip("a run of a method")
    if "huge" in name or "10^30" in str(world.given) or any(c.printed[4:5] == "=" for c in world.given):
        pytest.skip("no random point is there")
    rng = random.Random(name)
    held = 0
    for _ in range(300):
        x = instance(rng, world)
        if x is None:
            continue
        try:
            with np.errstate(all="ignore"):
                found = relations((row.make() if row.make else row.body)(x))
        except (ArithmeticError, TypeError):  # undefined there, or no business of Fractions
            continue
        if any(v != v for r in found for side in (r.lhs, r.rhs) for v in np.asarray(side, dtype=object).flat):
            continue  # undefined there
        rounded = any(
            isinstance(v, float) for r in found for s in (r.lhs, r.rhs) for v in np.asarray(s, dtype=object).flat
        )
        assert all(map(true, found)) or rounded, (name, x.__dict__)
        held += 1
        if held == 60:
            break
    assert held or row.truth == SATISFIABLE or row.cause == "crash", "no point was drawn"


def test_the_table_is_complete():
    assert len(LIES) >= 150 and len(ROWS) == len(LIES)
    causes = {row.cause for row in LIES}
    assert causes == {"names", "domain", "expectation", "reading", "lucky", "scalars", "irrational", "search", "crash"}
    for cause in causes:
        truths = [row.truth for row in LIES if row.cause == cause]
        assert truths.count(True) + truths.count(SATISFIABLE) >= 4 and truths.count(False) >= 4
    assert all(row.why and row.truth in (True, False, NOT_A_STATEMENT, SATISFIABLE, EMPTY) for row in LIES)
    assert set(WRONG_TODAY) <= set(ROWS)
