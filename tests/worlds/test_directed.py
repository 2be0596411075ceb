"""Gossip beyond symmetric matrices: directed graphs with balanced weights, column- and row-stochastic matrices."""

import copy
import re
from fractions import Fraction

import numpy as np
import pytest
from certified import file_of
from off_mean import both, dev, off, young

from fedtheory import claim, eq, le, use, verify
from fedtheory.engines.context import Docket
from fedtheory.engines.lemmas.compose import theorem
from fedtheory.errors import UsageError
from fedtheory.fedtheory_check import accepted
from fedtheory.gram.forms import Space
from fedtheory.gram.ratio import nonzero
from fedtheory.numbers import Floats, Fractions
from fedtheory.units import CURVATURE, STEP
from fedtheory.world import Free
from problems import (
    ColumnStochastic,
    Directed,
    Points,
    RowStochastic,
    Run,
    Smooth,
    between,
    positive,
)

LAM, OPEN, TAU = between(0, 1), between(0, 1, closed=False), positive()
KINDS = {"W": Directed("lam"), "A": ColumnStochastic(), "R": RowStochastic()}


def world(*names, f=None, clients_at=("v", "u"), lam=LAM, at=("w",), **more):
    """Points with some of the matrices above."""
    more |= {"lam": lam} if "W" in names else {}
    return Points(f, at=at, clients_at=clients_at, mixing={name: KINDS[name] for name in names}, **more)


ONE, PUSH, PULL, BOTH = world("W"), world("A"), world("R"), world("R", "A")
YOUNG = world("W", tau=TAU, beta=LAM)
STEPS = {"f": Smooth("L"), "clients_at": ("v", "s"), "at": (), "L": positive(CURVATURE), "eta": positive(STEP)}
SMOOTH = world("W", tau=TAU, lam=OPEN, **STEPS)
PUSHED, PUSH_PULL = world("A", **STEPS), world("R", "A", **STEPS)
TWO = Points(None, at=(), clients_at=("v", "u"), mixing={"W": Directed("lam"), "V": Directed("rho")}, lam=LAM, rho=LAM)
PAIR = Points(None, at=(), clients_at=("v", "u"), mixing={"W": Directed("lam"), "S": "rho"}, lam=LAM, rho=LAM)


def apart(x, u, v):
    return x.mean(x.sq(u - v))


def combine_then_adapt(x, s):
    g = x.f.grad(x.v)
    return le(s * dev(x, x.W(x.v) - x.eta * g), young(x, x.lam**2 * dev(x, x.v), x.eta**2 * dev(x, g)))


def tracking(x, s):
    after = x.W(x.v - x.eta * x.s)
    new = x.W(x.s) + x.f.grad(after) - x.f.grad(x.v)
    return le(s * dev(x, new), young(x, x.lam**2 * dev(x, x.s), x.L**2 * apart(x, after, x.v)))


def tracked_mean(mixed, tracked):
    """The tracker has the mean of the gradients for ever, where it begins with them."""

    def body(x, s):
        after = mixed(x)(x.v - x.eta * x.s)
        moved = x.f.grad(after) - x.f.grad(x.v)
        return eq(x.sq(x.mean_vec(tracked(x)(x.s) + moved) - x.mean_vec(x.s) - s * x.mean_vec(moved)), 0)

    return body


def heavy_ball(x, s):
    y = (1 + x.beta) * x.W(x.v) - x.beta * x.u
    return le(s * dev(x, y), young(x, (1 + x.beta) ** 2 * x.lam**2 * dev(x, x.v), x.beta**2 * dev(x, x.u)))


def commute(x, s):
    """Polynomials of one matrix."""
    one = x.v + 2 * x.W(x.v)
    other = x.v - x.W(x.W(x.v))
    return eq(apart(x, one - x.W(x.W(one)), s * (other + 2 * x.W(other))), 0)


PLANTED = {  # world, body with a factor that makes it false
    "once": (ONE, lambda x, s: le(s * dev(x, x.W(x.v)), x.lam**2 * dev(x, x.v))),
    "twice": (ONE, lambda x, s: le(s * dev(x, x.W(x.W(x.v))), x.lam**4 * dev(x, x.v))),
    "three times": (ONE, lambda x, s: le(s * dev(x, x.W(x.W(x.W(x.v)))), x.lam**6 * dev(x, x.v))),
    "two matrices": (TWO, lambda x, s: le(s * dev(x, x.V(x.W(x.v))), x.lam**2 * x.rho**2 * dev(x, x.v))),
    "directed, then symmetric": (PAIR, lambda x, s: le(s * dev(x, x.S(x.W(x.v))), x.lam**2 * x.rho**2 * dev(x, x.v))),
    "the mean": (ONE, lambda x, s: eq(x.sq(x.mean_vec(x.W(x.v)) - s * x.mean_vec(x.v)), 0)),
    "what all share": (ONE, lambda x, s: eq(apart(x, x.W(x.v + x.w), x.W(x.v) + s * x.w), 0)),
    "linear": (ONE, lambda x, s: eq(apart(x, x.W(x.v - 2 * x.u), x.W(x.v) - 2 * s * x.W(x.u)), 0)),
    "nonexpansive": (ONE, lambda x, s: le(s * x.mean(x.sq(x.W(x.v))), x.mean(x.sq(x.v)))),
    "Cauchy, Schwarz": (world("W", lam=OPEN), lambda x, s: le(2 * s * both(x, x.W(x.v), x.u), x.lam * (dev(x, x.v) + dev(x, x.u)))),
    "the Laplacian": (ONE, lambda x, s: le(s * (1 - x.lam) * dev(x, x.v), both(x, x.v, x.v - x.W(x.v)))),
    "a difference": (ONE, lambda x, s: le(s * dev(x, x.v - x.W(x.v)), (1 + x.lam) ** 2 * dev(x, x.v))),
    "lazy": (ONE, lambda x, s: le(4 * s * dev(x, x.v + x.W(x.v)), 4 * (1 + x.lam) ** 2 * dev(x, x.v))),
    "polynomials commute": (ONE, commute),
    "heavy ball": (YOUNG, heavy_ball),
    "combine, then adapt": (SMOOTH, combine_then_adapt),
    "tracking": (SMOOTH, tracking),
    "the tracked mean": (SMOOTH, tracked_mean(lambda x: x.W, lambda x: x.W)),
    "pushed: the mean": (PUSH, lambda x, s: eq(x.sq(x.mean_vec(x.A(x.v)) - s * x.mean_vec(x.v)), 0)),
    "pushed: of what all share": (PUSH, lambda x, s: eq(x.sq(x.mean_vec(x.A(x.w)) - s * x.w), 0)),
    "pushed: linear": (PUSH, lambda x, s: eq(apart(x, x.A(x.v - 2 * x.w), x.A(x.v) - 2 * s * x.A(x.w)), 0)),
    "pushed: twice": (PUSH, lambda x, s: eq(x.sq(x.mean_vec(x.A(x.A(x.v) + x.u)) - s * x.mean_vec(x.v + x.u)), 0)),
    "gradient-push": (PUSHED, lambda x, s: eq(x.sq(x.mean_vec(x.A(x.v - x.eta * x.f.grad(x.s)))
        - x.mean_vec(x.v) + s * x.eta * x.mean_vec(x.f.grad(x.s))), 0)),
    "pulled: what all share": (PULL, lambda x, s: eq(apart(x, x.R(x.w + 0 * x.v), s * x.w), 0)),
    "pulled: consensus twice": (PULL, lambda x, s: eq(apart(x, x.R(x.R(x.v + x.w)), x.R(x.R(x.v)) + s * x.w), 0)),
    "pulled: what is not": (PULL, lambda x, s: eq(x.mean(x.sq(x.R(off(x, x.v)))), s * apart(x, x.R(x.v), x.mean_vec(x.v)))),
    "pushed: no longer than that": (PUSH, lambda x, s: le(s * x.mean(x.sq(x.A(x.v))), x.m * x.mean(x.sq(x.v)))),
    "pulled: no further than that": (PULL, lambda x, s: le(
        s * x.sq(x.R(x.v) - x.mean_vec(x.v)), (x.m - 1) * dev(x, x.v))),
    "pushed and pulled": (BOTH, lambda x, s: eq(x.sq(x.mean_vec(x.A(x.R(x.v))) - s * x.mean_vec(x.R(x.v))), 0)),
    "pushed and pulled, the tracked mean": (PUSH_PULL, tracked_mean(lambda x: x.R, lambda x: x.A)),
}  # fmt: skip
FALSE = {  # of some matrix of its kind
    "symmetric": (ONE, lambda x: eq(both(x, x.W(x.v), x.u), both(x, x.v, x.W(x.u)))),
    "symmetric, of an image": (ONE, lambda x: eq(both(x, x.v, x.W(x.W(x.v))), dev(x, x.W(x.v)))),
    "a square is positive": (ONE, lambda x: le(0, both(x, x.v, x.W(x.W(x.v))))),
    "positive": (ONE, lambda x: le(0, both(x, x.v, x.W(x.v)))),
    "along itself": (ONE, lambda x: le(both(x, x.v, x.W(x.v)), x.lam**2 * dev(x, x.v))),
    "along itself, downwards": (ONE, lambda x: le(-both(x, x.v, x.W(x.v)), x.lam**2 * dev(x, x.v))),
    "no less than lam": (ONE, lambda x: le(x.lam**2 * dev(x, x.v), dev(x, x.W(x.v)))),
    "Chebyshev": (ONE, lambda x: le(dev(x, 2 * x.W(x.W(x.v)) - x.lam**2 * x.v), x.lam**4 * dev(x, x.v))),
    "a square shortens": (ONE, lambda x: le(dev(x, x.v - x.W(x.W(x.v))), dev(x, x.v))),
    "commute": (TWO, lambda x: eq(apart(x, x.V(x.W(x.v)), x.W(x.V(x.v))), 0)),
    "commute, with a symmetric one": (PAIR, lambda x: eq(apart(x, x.S(x.W(x.v)), x.W(x.S(x.v))), 0)),
    "of one client": (ONE, lambda x: le(x.sq(off(x, x.W(x.v))), x.lam**2 * dev(x, x.v))),
    "pushed: consensus": (PUSH, lambda x: eq(apart(x, x.A(x.w), x.w), 0)),
    "pushed: consensus of a mean": (PUSH, lambda x: eq(apart(x, x.A(x.v - x.mean_vec(x.v)), x.A(x.v) - x.mean_vec(x.v)), 0)),
    "pushed: nonexpansive": (PUSH, lambda x: le(x.mean(x.sq(x.A(x.v))), x.mean(x.sq(x.v)))),
    "pushed: contracts": (PUSH, lambda x: le(dev(x, x.A(x.v)), dev(x, x.v))),
    "pushed: symmetric": (PUSH, lambda x: eq(x.mean(x.dot(x.A(x.v), x.u)), x.mean(x.dot(x.v, x.A(x.u))))),
    "pulled: the mean": (PULL, lambda x: eq(x.sq(x.mean_vec(x.R(x.v)) - x.mean_vec(x.v)), 0)),
    "pulled: the mean of deviations": (PULL, lambda x: eq(x.sq(x.mean_vec(x.R(off(x, x.v)))), 0)),
    "pulled: nonexpansive": (PULL, lambda x: le(x.mean(x.sq(x.R(x.v))), x.mean(x.sq(x.v)))),
    "pulled: contracts": (PULL, lambda x: le(dev(x, x.R(x.v)), dev(x, x.v))),
    "pulled: symmetric": (PULL, lambda x: eq(x.mean(x.dot(x.R(x.v), x.u)), x.mean(x.dot(x.v, x.R(x.u))))),
    "push-pull, the other way": (PUSH_PULL, lambda x: tracked_mean(lambda x: x.A, lambda x: x.R)(x, 1)),
    "pushed and pulled commute": (BOTH, lambda x: eq(apart(x, x.A(x.R(x.v)), x.R(x.A(x.v))), 0)),
}  # fmt: skip


def made(name, world, body, **more):
    return claim(f"directed/{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}", world=world, **more)(body)


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("name", PLANTED)
def test_what_is_true_is_proved_for_every_m_and_what_is_false_refuted(name):
    world, body = PLANTED[name]
    true = verify(made(name, world, lambda x: body(x, x.ratio(1, 1))))
    assert (true.verdict, true.trust) == ("proved", "kernel"), (true.verdict, true.reason)
    false = verify(made(name, world, lambda x: body(x, x.ratio(101, 100))))
    assert false.verdict == "refuted", (false.verdict, false.reason)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", FALSE)
def test_what_a_kind_does_not_have_is_refuted(name):
    false = verify(made(name, *FALSE[name]))
    assert false.verdict == "refuted", (false.verdict, false.reason)


@pytest.mark.parametrize("name", ["W", "R"])
def test_entries_are_not_negative(name):
    """Each client has a mean of vectors, no longer than the longest: of what is known of a kind that does not follow."""
    v = verify(made("largest", world(name), lambda x: le(x.sq(getattr(x, name)(x.v)), x.max(x.sq(x.v)))))
    assert v.verdict in ("supported", "unknown")


@pytest.mark.parametrize("numbers", [Floats(), Fractions()], ids=["floats", "fractions"])
def test_matrices_that_are_drawn(numbers):
    rng, reached, turned = np.random.default_rng(7), 0, 0
    everything = world("W", "A", "R")
    for m in (1, 2, 3, 5, 8):
        for free in everything.sample(rng, {"m": m, "d": 2}, 3, 20):
            for k in range(6):
                x = everything.build(everything.pick(free, k), numbers)
                eye = numbers.array(np.eye(m, dtype=int).astype(object))
                W, A, R = (np.asarray(of(eye), dtype=float).reshape(m, m) for of in (x.W, x.A, x.R))
                assert np.allclose([W.sum(0), W.sum(1), A.sum(0), R.sum(1)], 1)
                assert min(W.min(), A.min(), R.min()) >= -1e-12
                lam, largest = float(np.ravel(x.lam)[0]), np.linalg.norm(W - 1 / m, 2)
                assert largest <= lam * (1 + 1e-9) + 1e-12
                reached += largest >= lam * (1 - 1e-9) > 0
                turned += not np.allclose(W, W.T)
    assert reached > 5 and turned > 20


@pytest.mark.parametrize(
    ("m", "reach", "along", "turn", "moved"),
    [
        (2, (1, 1, 0), (0, 0), (0, 0), (0, 1)),
        (2, (-1, -1, 0), (0, 0), (0, 0), (1, 0)),
        (3, (1, 1, 1), (0, 0, 0), (0, 0, 0), (2, 0, 1)),
        (3, (1, -1, 0), (1, -1, 0), (0, 1, -1), (2, 0, 1)),
        (3, (1, -1, 0), (0, 1, -1), (1, -1, 0), (1, 2, 0)),
        (4, (1, 1, 1), (0, 0, 0, 0), (0, 0, 0, 0), (3, 0, 1, 2)),
        (4, (1, 1, 1), (0, 0, 0, 0), (1, 0, 0, -1), (2, 0, 1, 3)),
    ],
)
def test_permutations_are_among_them(m, reach, along, turn, moved):
    """At lam = 1 every singular value is as large as its bound; two reflections are a cycle of three clients."""
    data = {"W_reach": reach, "W_along": along, "W_turn": turn, "v": range(m), "u": range(m), "w": (0,)}
    vectors = {name: np.array([[Fraction(c)] for c in of], dtype=object) for name, of in data.items()}
    x = ONE.build(Free({"m": m, "d": 1}, {"lam": Fraction(1)}, vectors), Fractions())
    assert [int(c) for c in np.ravel(x.W(x.v))] == [*moved]


def terms(rows, space):
    """Of each vector its coefficients, by the names of the leaves."""
    return [{space.leaves[k]: c for k, c in enumerate(row) if nonzero(c)} for row in rows.view(np.ndarray)]


def rows_at(rows, space, at):
    """Vectors as numbers, where the leaves are known."""
    return np.array([sum((c * at[leaf] for leaf, c in row.items()), start=at["w"] * 0) for row in terms(rows, space)])


@pytest.mark.parametrize("kind", [*KINDS.values(), "lam"], ids=str)
@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_what_is_known_without_numbers_is_true_of_matrices_that_are_drawn(kind, m):
    """Every inequality, exactly, with what a matrix of numbers makes of the same vectors in the place of the unknown ones."""
    of_kind = Points(None, clients_at=("v", "u"), mixing={"W": kind}, lam=LAM)
    found = 0
    for free in of_kind.sample(np.random.default_rng(m), {"m": m, "d": 2}, 2, 4):
        for k in range(4):
            one, space = of_kind.pick(free, k), Space()
            y = of_kind.build(one, Fractions())
            x = of_kind.abstract({"lam": np.ravel(y.lam)[0]}, {"m": m, "d": 2}, space)
            for u in (x.v, x.w + 0 * x.v, x.v - 2 * x.u, x.v + x.w):
                x.W(x.W(u)), x.W(off(x, u))
            at = {f"{name}[{i}]": getattr(y, name)[i] for name in ("v", "u") for i in range(m)} | {"w": y.w[0]}
            for u, mixed in x.W.mixed:
                plain = rows_at(u, space, at)
                made = y.W(plain) - y.mean_vec(plain)
                alone = ((row, of) for row, of in zip(terms(mixed, space), made, strict=True) if len(row) == 1)
                at |= {leaf: of / c for row, of in alone for leaf, c in row.items()}
                assert (rows_at(mixed, space, at) == made).all()
            for name, form in space.inequalities:
                dots = {key: np.dot(*(at[space.leaves[k]] for k in key[1:])) for key in form.clean()}
                value = sum(c * dots[key] for key, c in form.clean().items())
                assert value >= 0, name
                found += value > 0
    assert found or m == 1


# along runs


def run(kind, step=None, quantities=None, *, at=("v",), f=None, **more):
    more |= {"lam": OPEN} if isinstance(kind, str | Directed) else {}
    mixing = kind if isinstance(kind, dict) else {"W": kind}
    quantities = quantities or {"V": lambda x: dev(x, x.v), "Q": lambda x: x.sq(x.mean_vec(x.v))}
    return Run(
        f, at=(), clients_at=at, mixing=mixing, step=step or {"v": lambda x: x.W(x.v)}, quantities=quantities, **more
    )


def pulled(x):
    """The models after a step of push-pull."""
    return x.R(x.v - x.eta * x.y)


DIRECTED, SYMMETRIC, COLUMNS, ROWS = (run(k) for k in (Directed("lam"), "lam", ColumnStochastic(), RowStochastic()))
TRACKING = run(
    {"R": RowStochastic(), "A": ColumnStochastic()},
    {"v": pulled, "y": lambda x: x.A(x.y) + x.f.grad(pulled(x)) - x.f.grad(x.v)},
    {"B": lambda x: x.sq(x.mean_vec(x.y) - x.mean_vec(x.f.grad(x.v)))},
    at=("v", "y"), f=Smooth("L"), L=positive(CURVATURE), eta=positive(STEP),
)  # fmt: skip
ALIKE = Run(
    None, at=("w",), clients_at=("v",), mixing={"W": RowStochastic()}, start={"v": lambda x: x.w + 0 * x.v},
    step={"v": lambda x: x.W(x.v)}, quantities={"V": lambda x: dev(x, x.v)},
)  # fmt: skip


def of_step(world, body):
    return claim("directed/step", world=world.one_step)(body)


def of_points(kind, body=lambda x: le(dev(x, x.W(x.u)), x.lam**2 * dev(x, x.u))):
    more = {"lam": OPEN} if isinstance(kind, str | Directed) else {}
    points = Points(None, at=(), clients_at=("u",), mixing={"W": kind}, **more)
    return use(claim("directed/points", world=points)(body), u=lambda x: x.v)


def rate(x, s=1):
    return le(s * x.V[x.T], (x.lam**2) ** x.T * x.V[0])


def mean_kept(x, s=1):
    return eq(s * x.Q[x.T], x.Q[0])


CLOSER = of_step(DIRECTED, lambda x: le(x.next.V, x.lam**2 * x.V))
FOR_EVER = {
    "consensus": (DIRECTED, (CLOSER,), rate),
    "consensus, by points": (DIRECTED, (of_points(Directed("lam")),), rate),
    "consensus of a symmetric one, as it is directed": (SYMMETRIC, (of_points(Directed("lam")),), rate),
    "the mean": (DIRECTED, (), mean_kept),
    "the mean, pushed": (COLUMNS, (), mean_kept),
    "the mean of the trackers": (TRACKING, (), lambda x, s=1: eq(s * x.B[x.T], x.B[0])),
}


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", FOR_EVER)
def test_what_is_true_of_every_length_is_proved_and_what_is_false_refuted(name):
    world, by, body = FOR_EVER[name]
    true = verify(made(f"run, {name}", world, body, by=by))
    assert (true.verdict, true.trust, true.scope) == ("proved", "kernel", "all"), true.reason
    false = verify(made(f"run, {name}, false", world, lambda x: body(x, x.ratio(101, 100)), by=by))
    assert false.verdict == "refuted", (false.verdict, false.reason)


def test_clients_that_are_alike_stay_so_where_rows_sum_to_one():
    by = of_step(ALIKE, lambda x: le(x.next.V, x.m * x.V))
    true = verify(made("run, alike", ALIKE, lambda x: eq(x.V[x.T], 0), by=(by,)))
    assert (true.verdict, true.trust, true.scope) == ("proved", "kernel", "all"), true.reason


MEAN = of_points(ColumnStochastic(), lambda x: eq(x.sq(x.mean_vec(x.W(x.u)) - x.mean_vec(x.u)), 0))
BY_A_SYMMETRIC_STEP = of_step(SYMMETRIC, lambda x: le(x.next.V, x.lam**2 * x.V))
MISUSES = {
    "a symmetric one": (DIRECTED, of_points("lam"), rate),
    "a step of a symmetric one": (DIRECTED, BY_A_SYMMETRIC_STEP, rate),
    "a theorem about a symmetric one": (DIRECTED, use(made("a symmetric run", SYMMETRIC, rate, by=(BY_A_SYMMETRIC_STEP,))), rate),
    "columns for rows": (ROWS, MEAN, mean_kept),
    "directed for columns": (COLUMNS, of_points(Directed("lam")), lambda x: le(x.V[x.T], x.V[0])),
}  # fmt: skip


@pytest.mark.parametrize("name", MISUSES)
def test_a_lemma_about_one_kind_says_nothing_of_others(name):
    world, by, body = MISUSES[name]
    misused = made(f"misuse, {name}", world, body, by=(by,))
    assert theorem(misused, Docket()).outcome != "proves"
    assert verify(misused).verdict in ("refuted", "unknown")


def squared(kind, of):
    """A run that only a symmetric matrix keeps as short as it was, with the claim at a rate."""
    world = run(kind, {"v": lambda x: x.v - x.W(x.W(x.v))}, {"V": lambda x: dev(x, x.v)})
    by = of_step(world, lambda x: le(x.next.V, of(x) * x.V))
    return file_of(made("squared", world, lambda x: le(x.V[x.T], of(x) ** x.T * x.V[0]), by=(by,)))


def test_the_checker_takes_no_symmetry_of_a_directed_matrix():
    """The model of a run says what is known of its matrices, and the step of another kind rests on more."""
    of_symmetric = squared("lam", lambda x: x.lam + 1 - x.lam)
    of_directed = squared(Directed("lam"), lambda x: (1 + x.lam**2) ** 2)

    def last_is_accepted(claims, model):
        *lemmas, last = copy.deepcopy(claims)
        last["theorem"]["model"] = model
        earlier = {}
        assert all(accepted(one, earlier)[0] for one in lemmas)
        return accepted(last, earlier)

    models = [of[-1]["theorem"]["model"] for of in (of_symmetric, of_directed)]
    assert "symmetric" in str(models[0]["states"]) and "is symmetric" not in str(models[1]["states"])
    assert all(last_is_accepted(of_directed, model)[0] for model in models)  # what is symmetric is directed
    assert last_is_accepted(of_symmetric, models[0])[0] and not last_is_accepted(of_symmetric, models[1])[0]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Directed("rho"), r"bounded by the scalar rho=between\(0, 1\), which is not there"),
        (Directed(1), r"bounded by the scalar 1=between\(0, 1\), which is not there"),
        (Directed, r"of other kinds are Directed\('lam'\), ColumnStochastic\(\) and RowStochastic\(\)"),
        (None, "must be the names of matrices with those of their scalars"),
    ],
)
def test_what_is_refused(kind, said):
    with pytest.raises(UsageError, match=said):
        Points(None, at=(), clients_at=("v",), mixing={"W": kind}, lam=LAM)


def test_names_of_free_data_mean_one_thing():
    with pytest.raises(UsageError, match="the name 'W_turn' means two things"):
        Points(None, at=(), clients_at=("W_turn",), mixing={"W": Directed("lam")}, lam=LAM)
