"""Clients with weights, by which means are: matrices that leave them as they are, and what holds of plain means alone."""

import itertools
import re
from fractions import Fraction

import numpy as np
import pytest
from off_mean import both, dev, off, young

from fedtheory import claim, eq, le, use, verify
from fedtheory.engines.context import Docket
from fedtheory.engines.lemmas.compose import theorem
from fedtheory.errors import UsageError
from fedtheory.gram.generic_space import GenericSpace
from fedtheory.gram.ratio import at, nonzero, symbols
from fedtheory.numbers import Floats, Fractions
from fedtheory.units import CURVATURE, GRADIENT, STEP
from fedtheory.world import Free
from problems import (
    ColumnStochastic,
    ConvexLipschitz,
    Directed,
    Drawn,
    Points,
    RowStochastic,
    Run,
    Smooth,
    SmoothConvex,
    SmoothStronglyConvex,
    Varying,
    between,
    condition,
    last,
    positive,
    weights,
)

LAM, OPEN, TAU = between(0, 1), between(0, 1, closed=False), positive()
KINDS = {"A": Directed("lam"), "S": "lam", "R": RowStochastic(), "C": ColumnStochastic()}


def world(*names, f=None, clients_at=("v", "u"), at=("w",), lam=LAM, **more):
    """Points of clients with weights, and some of the matrices above."""
    more |= {"lam": lam} if {"A", "S"} & {*names} else {}
    return Points(f, at=at, clients_at=clients_at, mixing={k: KINDS[k] for k in names}, weights="pi", **more)


ROWS, REVERSIBLE, PUSH, PULL, NONE = world("A"), world("S"), world("C"), world("R"), world()
SHORT = condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1))
STEPS = {
    "f": Smooth("L"),
    "clients_at": ("v", "s"),
    "at": (),
    "L": positive(CURVATURE),
    "eta": positive(STEP),
    "lam": OPEN,
}
SMOOTH = world("A", tau=TAU, **STEPS)
YOUNG = world("A", tau=TAU)
CONVEX = world(f=SmoothConvex("L"), L=positive(CURVATURE), optimum_of="f", clients_at=())
STRONG = world(
    f=SmoothStronglyConvex("mu", "L"), mu=positive(CURVATURE), L=positive(CURVATURE), eta=positive(STEP), optimum_of="f",
    clients_at=(), given=(SHORT,),
)  # fmt: skip
TWO = Points(
    None, clients_at=("v", "u"), mixing={"A": Directed("lam"), "B": Directed("rho")}, lam=LAM, rho=LAM, weights="pi"
)  # fmt: skip


def apart(x, u, v):
    return x.mean(x.sq(u - v))


def adapted(x, s):
    g = x.f.grad(x.v)
    return le(s * dev(x, x.A(x.v - x.eta * g)), x.lam**2 * young(x, dev(x, x.v), x.eta**2 * dev(x, g)))


def tracked(x, s):
    moved = x.f.grad(x.A(x.v)) - x.f.grad(x.v)
    return eq(x.sq(x.mean_vec(x.A(x.s) + moved) - x.mean_vec(x.s) - s * x.mean_vec(moved)), 0)


def stepped(x, s):
    after = x.w - x.eta * x.mean_vec(x.f.grad(x.w))
    return le(s * x.sq(after - x.w_star), (1 - x.eta * x.mu) ** 2 * x.sq(x.w - x.w_star))


def gap(x):
    return x.mean(x.f.value(x.w) - x.f.value(x.w_star))


PLANTED = {  # true for s = 1, and false for s a hundredth more
    "Jensen": (NONE, lambda x, s: le(s * x.sq(x.mean_vec(x.v)), x.mean(x.sq(x.v)))),
    "variance": (NONE, lambda x, s: eq(dev(x, x.v), x.mean(x.sq(x.v)) - s * x.sq(x.mean_vec(x.v)))),
    "Cauchy": (NONE, lambda x, s: le(2 * s * both(x, x.v, x.u), dev(x, x.v) + dev(x, x.u))),
    "nearest": (NONE, lambda x, s: le(s * dev(x, x.v), x.mean(x.sq(x.v - x.w)))),
    "of one client": (NONE, lambda x, s: eq(s * x.sq(x.v - x.w), x.sq(x.w - x.v))),
    "contraction": (ROWS, lambda x, s: le(s * dev(x, x.A(x.v)), x.lam**2 * dev(x, x.v))),
    "contraction of three rounds": (ROWS, lambda x, s: le(s * dev(x, x.A(x.A(x.A(x.v)))), x.lam**6 * dev(x, x.v))),
    "a reversible one": (REVERSIBLE, lambda x, s: le(s * dev(x, x.S(x.v)), x.lam**2 * dev(x, x.v))),
    "the mean": (ROWS, lambda x, s: eq(x.sq(x.mean_vec(x.A(x.A(x.v))) - s * x.mean_vec(x.v)), 0)),
    "what all share": (ROWS, lambda x, s: eq(apart(x, x.A(x.w + 0 * x.v), s * x.w), 0)),
    "linear": (ROWS, lambda x, s: eq(apart(x, x.A(2 * x.v - x.u), 2 * x.A(x.v) - s * x.A(x.u)), 0)),
    "no longer": (ROWS, lambda x, s: le(s * x.mean(x.sq(x.A(x.v))), x.mean(x.sq(x.v)))),
    "along itself": (ROWS, lambda x, s: le(s * both(x, x.v, x.A(x.v)), x.lam * dev(x, x.v))),
    "with another": (ROWS, lambda x, s: le(2 * s * both(x, x.u, x.A(x.v)), dev(x, x.u) + x.lam**2 * dev(x, x.v))),
    "after a move": (YOUNG, lambda x, s: le(s * dev(x, x.A(x.v) + x.u), young(x, x.lam**2 * dev(x, x.v), dev(x, x.u)))),
    "two matrices": (TWO, lambda x, s: le(s * dev(x, x.A(x.B(x.v))), x.lam**2 * x.rho**2 * dev(x, x.v))),
    "reversible": (REVERSIBLE, lambda x, s: eq(both(x, x.S(x.v), x.u), s * both(x, x.v, x.S(x.u)))),
    "a square is positive": (REVERSIBLE, lambda x, s: eq(both(x, x.v, x.S(x.S(x.v))), s * dev(x, x.S(x.v)))),
    "pushed": (PUSH, lambda x, s: eq(x.sq(x.mean_vec(x.C(x.v)) - s * x.mean_vec(x.v)), 0)),
    "pulled": (PULL, lambda x, s: eq(apart(x, x.R(x.v + x.w), x.R(x.v) + s * x.w), 0)),
    "adapt then combine": (SMOOTH, adapted),
    "trackers": (SMOOTH, tracked),
    "gradients": (SMOOTH, lambda x, s: le(
        s * apart(x, x.f.grad(x.A(x.v)), x.f.grad(x.mean_vec(x.v))), x.L**2 * x.lam**2 * dev(x, x.v))),
    "the mean of a step": (SMOOTH, lambda x, s: eq(
        x.sq(x.mean_vec(x.A(x.v - x.eta * x.f.grad(x.v))) - x.mean_vec(x.v) + s * x.eta * x.mean_vec(x.f.grad(x.v))), 0)),
    "at the minimiser": (CONVEX, lambda x, s: le(
        s * x.mean(x.sq(x.f.grad(x.w) - x.f.grad(x.w_star))), 2 * x.L * gap(x))),
    "gradient step": (STRONG, stepped),
}  # fmt: skip
FALSE = {  # of some weights, or of some matrix of its kind
    "reversible": (ROWS, lambda x: eq(both(x, x.A(x.v), x.u), both(x, x.v, x.A(x.u)))),
    "a square is positive": (ROWS, lambda x: le(0, both(x, x.v, x.A(x.A(x.v))))),
    "positive": (REVERSIBLE, lambda x: le(0, both(x, x.v, x.S(x.v)))),
    "along itself, by the square": (ROWS, lambda x: le(both(x, x.v, x.A(x.v)), x.lam**2 * dev(x, x.v))),
    "no less than lam": (ROWS, lambda x: le(x.lam**2 * dev(x, x.v), dev(x, x.A(x.v)))),
    "commute": (TWO, lambda x: eq(apart(x, x.A(x.B(x.v)), x.B(x.A(x.v))), 0)),
    "one client as two of equal weights": (NONE, lambda x: le(x.sq(off(x, x.v)), dev(x, x.v))),
    "one client as eight of equal weights": (NONE, lambda x: le(x.sq(off(x, x.v)), 7 * dev(x, x.v))),
    "one client as a thousand": (NONE, lambda x: le(x.sq(off(x, x.v)), 99 * dev(x, x.v))),
    "each contracts": (ROWS, lambda x: le(x.sq(off(x, x.A(x.v))), x.lam**2 * x.sq(off(x, x.v)))),
    "pushed: consensus": (PUSH, lambda x: eq(apart(x, x.C(x.w + 0 * x.v), x.w), 0)),
    "pushed: contracts": (PUSH, lambda x: le(dev(x, x.C(x.v)), dev(x, x.v))),
    "pulled: the mean": (PULL, lambda x: eq(x.sq(x.mean_vec(x.R(x.v)) - x.mean_vec(x.v)), 0)),
    "pulled: contracts": (PULL, lambda x: le(dev(x, x.R(x.v)), dev(x, x.v))),
    "pulled: nine times as long": (PULL, lambda x: le(x.mean(x.sq(x.R(x.v))), 9 * x.mean(x.sq(x.v)))),
    "the largest client": (NONE, lambda x: le(x.max(x.sq(x.v)), 100 * x.mean(x.sq(x.v)))),
}  # fmt: skip


def made(name, world, body, **more):
    return claim(f"weights/{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}", world=world, **more)(body)


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("name", PLANTED)
def test_what_is_true_is_proved_for_all_weights_and_what_is_false_refuted(name):
    world, body = PLANTED[name]
    true = verify(made(name, world, lambda x: body(x, x.ratio(1, 1))))
    assert (true.verdict, true.trust, true.scope) == ("proved", "kernel", "all"), (true.verdict, true.reason)
    false = verify(made(name, world, lambda x: body(x, x.ratio(101, 100))))
    assert false.verdict == "refuted", (false.verdict, false.reason)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", FALSE)
def test_what_some_weights_or_matrices_do_not_have_is_refuted(name):
    false = verify(made(name, *FALSE[name]))
    assert false.verdict == "refuted", (false.verdict, false.reason)


def test_weights_are_uneven_where_equal_ones_would_not_do():
    """The mean by weights, with one client of three that has little."""
    v = verify(made("uneven", NONE, lambda x: le(x.sq(off(x, x.v)), 7 * dev(x, x.v))))
    assert v.witness is not None and len({*np.ravel(v.witness["free"]["pi"])}) > 1


# what numbers have


@pytest.mark.parametrize("numbers", [Floats(), Fractions()], ids=["floats", "fractions"])
def test_matrices_that_are_drawn(numbers):
    rng, reached, uneven, turned = np.random.default_rng(7), 0, 0, 0
    everything = world("A", "S", "C", "R")
    for m in (1, 2, 3, 5, 8):
        for free in everything.sample(rng, {"m": m, "d": 2}, 3, 20):
            for k in range(8):
                x = everything.build(everything.pick(free, k), numbers)
                eye = numbers.array(np.eye(m, dtype=int).astype(object))
                A, S, C, R = (np.asarray(of(eye), dtype=float).reshape(m, m) for of in (x.A, x.S, x.C, x.R))
                p = np.asarray(x.mean_vec(eye), dtype=float).ravel()
                assert np.allclose([A.sum(1), S.sum(1), R.sum(1)], 1) and np.isclose(p.sum(), 1) and p.min() > 0
                assert np.allclose([p @ A, p @ S, p @ C], p)
                assert min(A.min(), S.min(), C.min(), R.min()) >= -1e-12
                assert np.allclose(p[:, None] * S, (p[:, None] * S).T)
                root, lam = np.sqrt(p), float(np.ravel(x.lam)[0])
                largest = [np.linalg.norm(root[:, None] * (W - p) / root, 2) for W in (A, S)]
                assert max(largest) <= lam * (1 + 1e-9) + 1e-12
                reached += max(largest) >= lam * (1 - 1e-9) > 0
                uneven += np.ptp(p) > 1e-3
                turned += not np.allclose(p[:, None] * A, (p[:, None] * A).T)
    assert reached > 10 and uneven > 30 and turned > 10


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("m", [2, 3, 4])
def test_what_is_known_of_a_generic_client_is_true_by_weights(kind, m):
    """Every inequality, and the bound on what deviates from one client, with a whole n of at least 1/p_i in the place of m."""
    of_kind, found = world(kind), 0
    for free in of_kind.sample(np.random.default_rng(m), {"m": m, "d": 2}, 2, 4):
        for k in range(4):
            y = of_kind.build(of_kind.pick(free, k), Fractions())
            unit = np.array([[Fraction(int(i == j)) for j in range(m)] for i in range(m)], dtype=object)
            n = max(2, -(-1 // min(np.ravel(y.mean_vec(unit)))))
            space = GenericSpace(symbols(["m"]))
            lam = {"lam": np.ravel(y.lam)[0]} if "lam" in of_kind.scalars else {}
            x = of_kind.abstract(lam, {"m": 1, "d": 1}, space)
            W, W_ = getattr(x, kind), getattr(y, kind)
            for u in (x.v, x.v - 2 * x.u, x.v + x.w):
                W(W(u))
            leaves = {"v[0]": y.v, "u[0]": y.u, "w": y.w}

            def rows(u, leaves=leaves, space=space, y=y):
                """Vectors ``(m, d)`` of a row of the generic client."""
                out = np.full((m, 2), Fraction(0), dtype=object)
                for c, name in zip(np.ravel(u.view(np.ndarray)), space.leaves, strict=False):
                    if nonzero(c):
                        own = leaves[name.removeprefix("mean ")]
                        out = out + Fraction(str(c)) * (y.mean_vec(own) if name.startswith("mean ") else own)
                return out

            for u, mixed in W.mixed:
                plain = rows(u)
                (name,) = [
                    name
                    for c, name in zip(np.ravel(mixed.view(np.ndarray)), space.leaves, strict=False)
                    if nonzero(c) and not name.startswith("mean ")
                ]
                leaves[name] = np.asarray(W_(plain)) - y.mean_vec(plain)
                assert (rows(mixed) == leaves[name]).all()
            for name, form in space.inequalities:
                each = [Fraction(0)] * m
                for key, c in form.clean().items():
                    c = at(c, {"m": Fraction(n)}) if hasattr(c, "top") else Fraction(c)
                    one, other = (rows(np.eye(len(space.leaves), dtype=int)[i]) for i in key[1:3])
                    dots = y.dot(one, other)
                    dots = [np.ravel(y.mean(dots))[0]] * m if key[0] == "M" else dots
                    each = [e + c * d for e, d in zip(each, dots, strict=True)]
                assert min(each) >= 0, name
                found += max(each) > 0
            for u, i in itertools.product((y.v, y.u - y.v), range(m)):
                assert np.dot((u - y.mean_vec(u))[i], (u - y.mean_vec(u))[i]) <= (n - 1) * np.ravel(dev(y, u))[0]
    assert found


def test_the_mean_is_by_weights():
    vectors = {"pi": [[1], [-2], [0]], "v": [[6], [0], [12]], "u": [[0], [1], [0]], "w": [[5]]}
    free = Free({"m": 3, "d": 1}, {}, {k: np.array(v, dtype=object).astype(object) for k, v in vectors.items()})
    x = NONE.build(free.map(Fraction), Fractions())
    assert [*np.ravel(x.mean_vec(x.v)), *np.ravel(x.mean(x.sq(x.u)))] == [Fraction(9, 2), Fraction(1, 2)]
    assert [*np.ravel(x.mean_vec(x.w))] == [5]


@pytest.mark.parametrize("f", [Smooth("L"), SmoothConvex("L")], ids=str)
def test_relatives_minimise_the_mean_by_weights(f):
    """Clients with several bends have arrays with more axes, beside which the weights stand at those of the clients."""
    shapes = 0
    for kind in world(f=f, L=positive(CURVATURE), optimum_of="f", clients_at=()).relatives():
        for shape in kind.shapes(2):
            for free in kind.sample(np.random.default_rng(3), shape, 2, 5):
                x = kind.build(free, Floats())
                g = x.f.grad(x.w_star)
                assert np.allclose(x.mean_vec(g), 0, atol=1e-6 * (1 + np.abs(g).max()))
                shapes += 1
    assert shapes


# along runs


def run(kind, step=None, quantities=None, *, f=None, at=(), clients_at=("v",), of="pi", **more):
    mixing = {"mixing": {"A": kind}, "lam": OPEN} if kind else {}
    quantities = quantities or {"V": lambda x: dev(x, x.v), "Q": lambda x: x.sq(x.mean_vec(x.v))}
    step = step or {"v": lambda x: x.A(x.v)}
    return Run(f, at=at, clients_at=clients_at, step=step, quantities=quantities, weights=of, **mixing, **more)


FIXED, SYMMETRIC, CHANGING, PLAIN = (
    run(Directed("lam")), run("lam"), run(Varying(Directed("lam"))), run(Directed("lam"), of=""),
)  # fmt: skip
RANDOM = run(Drawn(Directed("lam")), {"v": lambda x, A: A(x.v)}, {"V": lambda x: dev(x, x.v)})
SUBGRADIENTS = run(
    Directed("lam"), {"v": lambda x: x.A(x.v - x.eta * x.f.grad(x.v))},
    {"V": lambda x: dev(x, x.v), "D": lambda x: x.sq(x.mean_vec(x.v) - x.u),
     "e": lambda x: x.mean(x.f.value(x.mean_vec(x.v)) - x.f.value(x.u))},
    f=ConvexLipschitz("M"), at=("u",), M=positive(GRADIENT), eta=positive(STEP),
)  # fmt: skip


def of_step(world, body=lambda x: le(x.next.V, x.lam**2 * x.V), called="step"):
    return claim(f"weights/{called}", world=world.one_step)(body)


def of_points(kind, own="pi"):
    points = Points(None, at=(), clients_at=("u",), mixing={"A": kind}, lam=OPEN, weights=own)
    body = lambda x: le(dev(x, x.A(x.u)), x.lam**2 * dev(x, x.u))  # noqa: E731
    return use(claim("weights/points", world=points)(body), u=lambda x: x.v)


def rate(x, s=1):
    return le(s * x.V[x.T], (x.lam**2) ** x.T * x.V[0])


def gaps(x, s=1):
    c, noise = 2 / (1 - x.lam), 3 + 2 * (x.lam / (1 - x.lam)) ** 2
    total = 2 * x.eta * x.sum(lambda t: x.e[t], x.T)
    return le(x.D[x.T] + c * x.V[x.T] + total, x.D[0] + c * x.V[0] + (2 - s) * noise * x.T * x.eta**2 * x.M**2)


CONSENSUS = of_step(SUBGRADIENTS, lambda x: le(x.next.V, x.lam * x.V + x.lam**2 / (1 - x.lam) * x.eta**2 * x.M**2))
DESCENT = of_step(
    SUBGRADIENTS, lambda x: le(x.next.D + 2 * x.eta * x.e, x.D + 3 * x.eta**2 * x.M**2 + 2 * x.V), "descent"
)
FOR_EVER = {
    "consensus": (FIXED, (of_step(FIXED),), rate),
    "consensus, by points": (FIXED, (of_points(Directed("lam")),), rate),
    "consensus of a reversible one": (SYMMETRIC, (of_points(Directed("lam")),), rate),
    "consensus, by another name of the weights": (FIXED, (of_points(Directed("lam"), "p"),), rate),
    "consensus, other matrices": (CHANGING, (of_step(CHANGING),), rate),
    "consensus, drawn matrices": (RANDOM, (of_step(RANDOM),), rate),
    "the mean": (FIXED, (), lambda x, s=1: eq(s * x.Q[x.T], x.Q[0])),
    "the mean, other matrices": (CHANGING, (), lambda x, s=1: eq(s * x.Q[x.T], x.Q[0])),
    "subgradients": (SUBGRADIENTS, (CONSENSUS, DESCENT), gaps),
}


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", FOR_EVER)
def test_what_is_true_of_every_length_is_proved_and_what_is_false_refuted(name):
    world, by, body = FOR_EVER[name]
    true = verify(made(f"run, {name}", world, body, by=by))
    assert (true.verdict, true.trust, true.scope) == ("proved", "kernel", "all"), true.reason
    share = (19, 10) if body is gaps else (101, 100)
    false = verify(made(f"run, {name}, false", world, lambda x: body(x, x.ratio(*share)), by=by))
    assert false.verdict == "refuted", (false.verdict, false.reason)


RANGES = {"mu": positive(CURVATURE), "L": positive(CURVATURE), "eta": positive(STEP)}
STRONG_RUN = {
    "f": SmoothStronglyConvex("mu", "L"), "at": ("w", "z"), "clients_at": ("y",), "index": "K", "given": (SHORT,),
    "start": {"y": lambda x: x.w}, "step": {"y": lambda x: x.y - x.eta * (x.f.grad(x.y) - x.f.grad(x.z))},
    "quantities": {"B": lambda x: x.sq(x.y - x.z), "D": lambda x: x.sq(x.w - x.z)}, **RANGES,
}  # fmt: skip
LOCALLY = Run(**STRONG_RUN, sizes={"m": (1,)})
ROUND = {
    "f": SmoothStronglyConvex("mu", "L"), "optimum_of": "f", "clients_at": ("y",), "given": (SHORT,),
    "sizes": {"K": (1, 2), "m": (1, 2)},
    "within": {"y": last(LOCALLY, "y", z=lambda x: x.w_star)}, "step": {"w": lambda x: x.mean_vec(x.y)},
    "quantities": {"D": lambda x: x.sq(x.w - x.w_star), "B": lambda x: x.mean(x.sq(x.y - x.w_star))}, **RANGES,
}  # fmt: skip


@pytest.mark.in_turn(2)
def test_rounds_of_local_steps():
    """The mean by weights of what K local steps with the optimal shifts come to, for every T and K."""
    local = claim("weights/local", world=LOCALLY.one_step)(lambda x: le(x.next.B, (1 - x.eta * x.mu) * x.B))
    steps = claim("weights/locals", world=LOCALLY, by=(local,))(
        lambda x: le(x.B[x.K], x.exp(-x.eta * x.mu * x.K) * x.D)
    )
    world, jensen = Run(**ROUND, weights="p"), Points(None, at=("z",), clients_at=("y",), weights="q")
    mean = claim("weights/jensen", world=jensen)(lambda x: le(x.sq(x.mean_vec(x.y) - x.z), x.mean(x.sq(x.y - x.z))))
    by = (steps, use(mean, z=lambda x: x.w_star))

    def rate(x, s=1):
        return le(s * x.D[x.T], x.exp(-x.eta * x.mu * x.K * x.T) * x.D[0])

    once = claim("weights/round", world=world, by=by)(lambda x, t: le(x.D[t + 1], x.exp(-x.eta * x.mu * x.K) * x.D[t]))
    true = verify(made("rounds", world, rate, by=(once,)))
    assert (true.verdict, true.scope) == ("proved", "all"), true.reason
    false = verify(made("rounds, false", world, lambda x: rate(x, x.ratio(101, 100)), by=(once,)))
    assert false.verdict == "refuted", (false.verdict, false.reason)


MISUSES = {
    "a step with plain means": (FIXED, of_step(PLAIN)),
    "a step by weights": (PLAIN, of_step(FIXED)),
    "points with plain means": (FIXED, of_points(Directed("lam"), "")),
    "points by weights": (PLAIN, of_points(Directed("lam"))),
    "a run with plain means": (FIXED, made("a plain run", PLAIN, rate, by=(of_step(PLAIN),))),
    "a run by weights": (PLAIN, made("a run", FIXED, rate, by=(of_step(FIXED),))),
    "a reversible one": (FIXED, of_points("lam")),
}


@pytest.mark.parametrize("name", MISUSES)
def test_a_lemma_about_other_means_says_nothing(name):
    world, by = MISUSES[name]
    misused = made(f"misuse, {name}", world, rate, by=(by,))
    assert theorem(misused, Docket()).outcome != "proves"
    assert verify(misused).verdict == "unknown"


# what is refused, and what is not certified


def test_of_few_clients_nothing_is_certified():
    """What explicit clients have holds of equal weights."""
    plain = Points(None, clients_at=("v",))
    norms = lambda x: le(x.norm(x.mean_vec(x.v)), x.mean(x.norm(x.v)))  # noqa: E731
    assert verify(made("norms", plain, norms)).verdict == "certified"
    by_weights = verify(made("norms by weights", NONE, norms))
    assert by_weights.verdict == "supported"
    assert any("only equal ones can be listed" in e.reason for e in by_weights.evidence)


COUNTING = {
    "m": (ROWS, lambda x: le(dev(x, x.A(x.v)), x.m * dev(x, x.v))),
    "N": (ROWS, lambda x: le(dev(x, x.A(x.v)), x.N * dev(x, x.v))),
    "of the functions": (SMOOTH, lambda x: le(0, x.f.m * dev(x, x.v))),
    "total": (ROWS, lambda x: le(0, x.total(x.sq(x.v)))),
    "total_vec": (ROWS, lambda x: le(0, x.sq(x.total_vec(x.v)))),
    "hidden": (ROWS, lambda x: le(0, x.without(["weights of the clients"]).m * dev(x, x.v))),
    "a condition": (world("A", given=(condition("lam <= 1/m", lambda x: le(x.lam * x.m, 1)),)), lambda x: le(0, x.lam)),
    "a quantity": (run("lam", quantities={"V": lambda x: x.m * dev(x, x.v)}), lambda x: le(0, x.V[x.T])),
    "a step": (run("lam", {"v": lambda x: x.v / x.m}), lambda x: le(0, x.V[x.T])),
    "a formula": (run("lam", derived={"k": lambda x: x.m}), lambda x: le(0, x.k * x.V[x.T])),
    "every": (run("lam", every=(condition("m", lambda x, t: le(x.V[t], x.m)),)), lambda x: le(0, x.V[x.T])),
}


@pytest.mark.parametrize("name", COUNTING)
def test_nothing_counts_clients(name):
    with pytest.raises(UsageError, match="clients have weights in this world, and no number of them"):
        verify(made(f"counting, {name}", *COUNTING[name]))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"weights": 3}, "weights='pi', got 3"),
        ({"weights": "v"}, "the name 'v' means two things, a client vector and the weights of the clients"),
        ({"noise": lambda x: x.L}, "there is no noise="),
        ({"participation": "independent", "p": between(0, 1)}, "there is no participation="),
        ({"diversity": "b"}, "there is no diversity="),
        ({"sizes": {"S": (1,)}}, "there is no S="),
        ({"b": positive(per_client=True)}, "b is a number of each client"),
        ({"b": weights()}, "b is a number of each client"),
    ],
)
def test_what_is_refused(more, said):
    with pytest.raises(UsageError, match=said):
        Points(Smooth("L"), clients_at=("v",), L=positive(CURVATURE), **{"weights": "pi", **more})


def test_what_runs_refuse():
    several = {**STRONG_RUN, "sizes": {"m": (1, 2)}}
    within = {"within": {"y": last(Run(**several), "y", z=lambda x: x.w_star)}, "sizes": {"K": (1, 2)}}
    with pytest.raises(UsageError, match="a run within a step is of one client"):
        Run(**{**ROUND, **within}, weights="p")
    with pytest.raises(UsageError, match="beside which there is no selection="):
        run("lam", {"v": lambda x: x.v}, selection="chosen")
    with pytest.raises(UsageError, match="must be without weights of its clients"):
        last(FIXED, "v")
