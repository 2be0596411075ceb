"""Matrices that are others at every step: what is true of any sequence is proved, what is true of one matrix alone is not."""

from functools import partial

import numpy as np
import pytest
from spreads import LAM, OPEN, dev, off

from fedtheory import claim, eq, le, use, verify
from fedtheory.engines.context import Docket
from fedtheory.engines.lemmas.compose import theorem
from fedtheory.engines.prove.listed import at_each_size
from fedtheory.errors import UsageError
from fedtheory.limits import stationary, summable, tends_to
from fedtheory.numbers import Floats
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from problems import (
    ColumnStochastic,
    ConvexLipschitz,
    Directed,
    Points,
    RowStochastic,
    Run,
    Smooth,
    Varying,
    condition,
    last,
    positive,
)

KINDS = {"symmetric": Varying("lam"), "directed": Varying(Directed("lam"))}
FALSE = {"refuted", "unknown"}


def gossip(kind, f=None, *, step=None, quantities=None, lam=LAM, at=("v",), **more):
    return Run(
        f, at=(), clients_at=at, mixing={"W": kind}, lam=lam, step=step or {"v": lambda x: x.W(x.v)},
        quantities={"V": lambda x: dev(x, x.v), **(quantities or {})}, **more,
    )  # fmt: skip


def made(name, world, by, body):
    return claim(f"varying/{name.replace(', ', '-').replace(' ', '-')}", world=world, by=by)(body)


def tracked(x):
    """A step of gradient tracking: the models after it."""
    return x.W(x.v) - x.eta * x.y


# what is true of every sequence of matrices, by one lemma about a step

PLAIN = partial(gossip, quantities={"A": lambda x: x.sq(x.mean_vec(x.v)), "Q": lambda x: x.mean(x.sq(x.v))})
CONVEX = {"f": ConvexLipschitz("M"), "lam": OPEN, "eta": positive(STEP), "M": positive(GRADIENT)}
AFTER = partial(gossip, **CONVEX, step={"v": lambda x: x.W(x.v - x.eta * x.f.grad(x.v))})
BESIDE = partial(gossip, **CONVEX, step={"v": lambda x: x.W(x.v) - x.eta * x.f.grad(x.v)})
LAZY = partial(gossip, a=LAM, step={"v": lambda x: x.v + x.a * (x.W(x.v) - x.v)})
TWICE = partial(gossip, step={"v": lambda x: x.W(x.W(x.v))})
OPENED = partial(gossip, lam=OPEN, quantities={"R": lambda x: x.mean(x.sq(x.v - x.W(x.v)))})
BALL = partial(
    gossip, at=("v", "b"), step={"v": lambda x: x.W(x.b), "b": lambda x: x.v}, quantities={"B": lambda x: dev(x, x.b)}
)
TRACKING = partial(
    gossip, f=Smooth("L"), at=("v", "y"), lam=OPEN, eta=positive(STEP), L=positive(CURVATURE),
    step={"v": tracked, "y": lambda x: x.W(x.y) + x.f.grad(tracked(x)) - x.f.grad(x.v)},
    quantities={
        "Y": lambda x: dev(x, x.y), "B": lambda x: x.sq(x.mean_vec(x.y) - x.mean_vec(x.f.grad(x.v))),
        "D": lambda x: x.mean(x.sq(x.f.grad(tracked(x)) - x.f.grad(x.v))),
    },
)  # fmt: skip
COIN = partial(gossip, outcomes=(1, 0), step={"v": lambda x, s: x.W(x.v) if s else x.v})
MEMORY = partial(
    gossip, at=("v", "u"), start={"v": lambda x: x.u},
    quantities={"C": lambda x: x.mean(x.dot(off(x, x.v), off(x, x.u))), "U": lambda x: dev(x, x.u)},
)  # fmt: skip
TRUE = {
    "consensus": (PLAIN, lambda x: le(x.next.V, x.lam**2 * x.V), lambda x, s: le(s * x.V[x.T], (x.lam**2) ** x.T * x.V[0])),
    "the mean": (PLAIN, None, lambda x, s: eq(s * x.A[x.T], x.A[0])),
    "lengths": (PLAIN, lambda x: le(x.next.Q, x.Q), lambda x, s: le(s * x.Q[x.T], x.Q[0])),
    "sum": (OPENED, lambda x: le(x.next.V, x.lam**2 * x.V), lambda x, s: le(
        s * (x.V[x.T] + (1 - x.lam**2) * x.sum(lambda t: x.V[t], x.T)), x.V[0])),
    "after": (AFTER, lambda x: le(x.next.V, x.lam * x.V + x.lam**2 / (1 - x.lam) * x.eta**2 * x.M**2), lambda x, s: le(
        x.V[x.T], x.lam**x.T * x.V[0] + (3 - 2 * s) * (x.lam * x.eta * x.M / (1 - x.lam)) ** 2)),
    "beside": (BESIDE, lambda x: le(x.next.V, x.lam * x.V + x.eta**2 * x.M**2 / (1 - x.lam)), lambda x, s: le(
        x.V[x.T], x.lam**x.T * x.V[0] + (3 - 2 * s) * (x.eta * x.M / (1 - x.lam)) ** 2)),
    "lazy": (LAZY, lambda x: le(x.next.V, (1 - x.a * (1 - x.lam)) ** 2 * x.V), lambda x, s: le(
        s * x.V[x.T], ((1 - x.a * (1 - x.lam)) ** 2) ** x.T * x.V[0])),
    "twice": (TWICE, lambda x: le(x.next.V, x.lam**4 * x.V), lambda x, s: le(s * x.V[x.T], (x.lam**4) ** x.T * x.V[0])),
    "two states": (BALL, lambda x: le(x.next.V + x.next.B, x.V + x.lam**2 * x.B), lambda x, s: le(
        s * (x.V[x.T] + x.B[x.T]), x.V[0] + x.B[0])),
    "tracked": (TRACKING, lambda x: eq(x.next.B, x.B), lambda x, s: eq(s * x.B[x.T], x.B[0])),
    "tracked, alone": (TRACKING, None, lambda x, s: eq(s * x.B[x.T], x.B[0])),
    "models": (TRACKING, lambda x: le(x.next.V, x.lam * x.V + x.eta**2 / (1 - x.lam) * x.Y), lambda x, s: le(
        x.V[x.T] + (1 - x.lam) * x.sum(lambda t: x.V[t], x.T),
        x.V[0] + (3 - 2 * s) * x.eta**2 / (1 - x.lam) * x.sum(lambda t: x.Y[t], x.T))),
    "a coin": (COIN, lambda x: le(x.next.V, (1 + x.lam**2) / 2 * x.V), lambda x, s: le(
        s * x.V[x.T], ((1 + x.lam**2) / 2) ** x.T * x.V[0])),
}  # fmt: skip
LOOSE = {"after", "beside", "models"}  # false by much: what one inequality adds to another is no equality
OF_SYMMETRIC = {"moves": (
    OPENED, lambda x: le(x.next.V + (1 - x.lam) / (1 + x.lam) * x.R, x.V), lambda x, s: le(
        s * (x.V[x.T] + (1 - x.lam) / (1 + x.lam) * x.sum(lambda t: x.R[t], x.T)), x.V[0]))}  # fmt: skip
CASES = [(kind, name) for kind in KINDS for name in TRUE] + [("symmetric", name) for name in OF_SYMMETRIC]


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(("kind", "name"), CASES)
def test_what_is_true_of_every_sequence_is_proved_and_what_is_false_refuted(kind, name):
    run, lemma, body = (TRUE | OF_SYMMETRIC)[name]
    world = run(KINDS[kind])
    by = () if lemma is None else (made(f"{name}, step", world.one_step, (), lemma),)
    true = verify(made(name, world, by, lambda x: body(x, 1)))
    assert (true.verdict, true.trust, true.scope) == ("proved", "kernel", "all"), true.reason
    s = (3, 2) if name in LOOSE else (101, 100)
    false = verify(made(f"{name}, false", world, by, lambda x: body(x, x.ratio(*s))))
    assert false.verdict == "refuted", (false.verdict, false.reason)


# what is true of one matrix, and of two that come after one another is not

MOVES = partial(gossip, quantities={"R": lambda x: dev(x, x.v - x.W(x.v))})
TWO = {"lengths": (2,), "first": 2}
CHEBYSHEV = partial(
    gossip, at=("v", "b"), step={"v": lambda x: 2 * x.W(x.v) - x.b, "b": lambda x: x.v}, start={"b": lambda x: 0 * x.v}
)
IMAGE = partial(gossip, at=("v", "u"), quantities={"K": lambda x: x.mean(x.sq(x.W(x.u)))})
BEGUN = partial(
    gossip, at=("v", "u", "b"), step={"v": lambda x: x.W(x.v), "b": lambda x: x.b}, start={"b": lambda x: x.W(x.u)},
    quantities={"B": lambda x: x.mean(x.sq(x.b - x.W(x.u)))},
)  # fmt: skip
KNOWN = partial(
    gossip, c=positive(LENGTH), every=(condition("R_t <= c^2", lambda x, t: le(x.R[t], x.c**2)),),
    quantities={"R": lambda x: x.mean(x.sq(x.W(x.v) - x.v))},
)  # fmt: skip
OBEYED = partial(
    gossip, c=positive(LENGTH), quantities={"R": lambda x: x.mean(x.sq(x.W(x.v) - x.v))},
    obeys=(condition("|W v - v| <= c", lambda x: le(x.mean(x.sq(x.W(x.v) - x.v)), x.c**2)),),
)  # fmt: skip
CHOSEN = partial(
    gossip, either={"k": (0, 1, 2)}, quantities={"R": lambda x: dev(x, x.v - x.W(x.v))},
    step={"v": lambda x: (x.v, x.W(x.v), x.W(x.W(x.v)))[x.k]},
)  # fmt: skip
PINNED = partial(
    gossip, at=("v", "r"), quantities={"Z": lambda x: x.mean(x.sq(x.W(x.r) - x.r))},
    obeys=(condition("W r = r", lambda x: eq(x.mean(x.sq(x.W(x.r) - x.r)), 0)),),
)  # fmt: skip
AVERAGED = partial(
    gossip, at=("v", "vb"), means={"vb": ("v", lambda x, t: 1)},
    quantities={"J": lambda x: dev(x, x.W(x.vb)), "B": lambda x: dev(x, x.vb)},
)  # fmt: skip
ONE_ALONE = {
    "moves contract": (MOVES, lambda x, t: le(x.R[t + 1], x.lam**2 * x.R[t])),
    "moves shrink": (MOVES, lambda x: le(x.R[x.T], x.R[0])),
    "moves shrink, chosen": (CHOSEN, lambda x: le(x.R[x.T], x.R[0])),
    "symmetric twice": (partial(MEMORY, **TWO), lambda x: eq(x.C[2], x.V[1])),
    "squares": (partial(MEMORY, **TWO), lambda x: le(0, x.C[2])),
    "log-convex": (partial(MEMORY, **TWO), lambda x: le(2 * x.V[1], x.V[0] + x.V[2])),
    "accelerated": (CHEBYSHEV, lambda x: le(x.V[x.T], (x.T + 1) ** 2 * x.V[0])),
    "accelerated, two steps": (partial(CHEBYSHEV, **TWO), lambda x: le(x.V[2], 9 * x.V[0])),
    "as at the start": (BEGUN, lambda x: eq(x.B[x.T], 0)),
    "as at the start, at t": (BEGUN, lambda x, t: eq(x.B[t], 0)),
    "known at T": (KNOWN, lambda x: le(x.R[x.T], x.c**2)),
    "obeyed at T": (OBEYED, lambda x: le(x.R[x.T], x.c**2)),
    "pinned at T": (PINNED, lambda x: eq(x.Z[x.T], 0)),
    "of the mean": (AVERAGED, lambda x: eq(x.J[0], x.J[x.T])),
    "an image": (IMAGE, lambda x: eq(x.K[x.T], x.K[0])),
    "an image, at t": (IMAGE, lambda x, t: le(x.K[t + 1], x.K[t])),
}  # fmt: skip
OF_LARGE_BOUNDS = {
    "log-convex",
    "accelerated",
    "accelerated, two steps",
    "pinned at T",
}  # others than a certificate looks at
WRITTEN_WITHOUT_AN_INDEX = {"pinned at T", "of the mean", "an image", "an image, at t"}  # where the matrix is one


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", ONE_ALONE)
def test_what_is_true_of_one_matrix_alone_is_refuted(name):
    run, body = ONE_ALONE[name]
    found = made(name, run(KINDS["symmetric"]), (), body)
    assert theorem(found, Docket()).outcome != "proves"
    assert name in OF_LARGE_BOUNDS or at_each_size(found, Docket()).outcome != "certifies"
    assert verify(found).verdict in (FALSE if name == "pinned at T" else {"refuted"})
    if name in WRITTEN_WITHOUT_AN_INDEX:
        with pytest.raises(UsageError, match="is one number, constant along a run"):
            verify(made(f"{name}, one matrix", run("lam"), (), body))
    else:
        assert verify(made(f"{name}, one matrix", run("lam"), (), body)).verdict != "refuted"


def test_what_is_true_of_two_matrices_is_certified():
    """A second step of acceleration is 4 W_1 W_0 - I, and so 5 times as long at most."""
    world = partial(CHEBYSHEV, **TWO)(KINDS["symmetric"])
    assert verify(made("accelerated by 5", world, (), lambda x: le(x.V[2], 25 * x.V[0]))).verdict == "certified"
    below = verify(made("accelerated by less", world, (), lambda x: le(10 * x.V[2], 249 * x.V[0])))
    assert below.verdict == "refuted"


RATE = PLAIN(KINDS["symmetric"])
TRIED = {
    "consensus": (RATE, lambda x, s: le(s * x.V[x.T], (x.lam**2) ** x.T * x.V[0])),
    "directed": (PLAIN(KINDS["directed"]), lambda x, s: le(s * x.V[x.T], (x.lam**2) ** x.T * x.V[0])),
    "moved at T": (MOVES(KINDS["symmetric"]), lambda x, s: le(
        s * x.R[x.T], (1 + x.lam) ** 2 * (x.lam**2) ** x.T * x.V[0])),
    "an average": (AVERAGED(KINDS["symmetric"]), lambda x, s: le(s * x.J[x.T], x.lam**2 * x.B)),
    "a coin": (COIN(KINDS["symmetric"], lengths=(1, 2)), lambda x, s: le(
        s * x.V[x.T], ((1 + x.lam**2) / 2) ** x.T * x.V[0])),
}  # fmt: skip


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TRIED)
def test_a_rate_is_certified_before_there_is_a_lemma(name):
    world, body = TRIED[name]
    assert verify(made(f"{name}, tried", world, (), lambda x: body(x, 1))).verdict == "certified"
    false = verify(made(f"{name}, tried, false", world, (), lambda x: body(x, x.ratio(101, 100))))
    assert false.verdict == "refuted", (false.verdict, false.reason)


# lemmas

MATRIX = Points(None, at=(), clients_at=("u",), mixing={"W": "lam"}, lam=LAM)
shorter = made("shorter", MATRIX, (), lambda x: le(dev(x, x.W(x.u)), x.lam**2 * dev(x, x.u)))
keeps = made("keeps", MATRIX, (), lambda x: le(
    dev(x, x.W(x.u - x.W(x.u))), x.lam**2 * dev(x, x.u - x.W(x.u))))  # fmt: skip
FIXED, VARIES = MOVES("lam"), MOVES(KINDS["symmetric"])
of_one = made("of one", FIXED.one_step, (), lambda x: le(x.next.V, x.lam**2 * x.V))
moves_of_one = made("moves of one", FIXED.one_step, (), lambda x: le(x.next.R, x.lam**2 * x.R))
of_any = made("of any", VARIES.one_step, (), lambda x: le(x.next.V, x.lam**2 * x.V))


def decays(x):
    return le(x.V[x.T], (x.lam**2) ** x.T * x.V[0])


def moves_decay(x):
    return le(x.R[x.T], (x.lam**2) ** x.T * x.R[0])


FITS = {
    "points": (VARIES, use(shorter, u=lambda x: x.v)),
    "a step with one matrix": (VARIES, of_one),
    "a step with any": (FIXED, of_any),
}


@pytest.mark.parametrize("name", FITS)
def test_a_lemma_about_a_step_is_used_at_every_step(name):
    world, by = FITS[name]
    v = verify(made(f"fits, {name}", world, (by,), decays))
    assert (v.verdict, v.trust) == ("proved", "kernel"), v.reason


MISUSES = {
    "a step with one matrix": (moves_of_one, moves_decay),
    "at the move": (use(shorter, u=lambda x: x.v - x.W(x.v)), moves_decay),
    "at the next move": (use(shorter, u=lambda x: x.next.v - x.v), moves_decay),
    "of the move": (use(keeps, u=lambda x: x.v), moves_decay),
    "the next matrix": (use(shorter, u=lambda x: x.v, W=lambda x: x.next.W), decays),
    "a theorem about one matrix": (made("one", FIXED, (of_one,), decays), decays),
}


@pytest.mark.parametrize("name", MISUSES)
def test_what_a_lemma_says_of_one_step_is_not_said_of_two(name):
    by, body = MISUSES[name]
    found = theorem(made(f"misuse, {name}", VARIES, (by,), body), Docket())
    assert found.outcome != "proves", name
    if body is moves_decay:
        assert verify(made(f"misuse, {name}", VARIES, (by,), body)).verdict == "refuted"


def test_a_theorem_about_any_sequence_is_used_for_its_own_run_alone():
    said = made("any", VARIES, (of_any,), decays)
    assert verify(made("again", VARIES, (said,), decays)).verdict == "proved"
    assert verify(made("elsewhere", FIXED, (said,), decays)).verdict in FALSE


def test_limits_of_any_sequence():
    world = OPENED(KINDS["symmetric"])
    step = made("limit, step", world.one_step, (), lambda x: le(x.next.V + (1 - x.lam) / (1 + x.lam) * x.R, x.V))
    summed = made("limit, sum", world, (step,), lambda x: le(
        x.V[x.T] + (1 - x.lam) / (1 + x.lam) * x.sum(lambda t: x.R[t], x.T), x.V[0]))  # fmt: skip
    finite = made("summable", world, (summed,), lambda x: summable(x.R, (1 + x.lam) / (1 - x.lam) * x.V[0]))
    vanish = made("vanishes", world, (finite,), lambda x: tends_to(x.R))
    assert verify(vanish).verdict == "proved"
    kept = verify(made("stationary", world, (vanish,), lambda x: stationary("v", x.R)))
    assert kept.verdict == "unknown" and "reads another vector" in kept.reason
    assert verify(made("half a limit", world, (finite,), lambda x: tends_to(x.V, 1))).verdict in FALSE


def test_a_matrix_may_depend_on_the_draws_before():
    """What is false of matrices that do is not proved, and what a search finds true of others is not supported."""
    world = gossip(
        KINDS["symmetric"], at=("v", "u"), outcomes=(1, -1), step={"v": lambda x, s: s * x.W(x.v)},
        quantities={"Q": lambda x: x.mean(x.dot(off(x, x.u), x.W(x.v)))},
    )  # fmt: skip
    found = made("after draws", world, (), lambda x, t: eq(x.Q[t + 1], 0))
    assert verify(found).verdict == "unknown"
    assert "W may depend on the draws before" in world.partly


# other kinds, and what is refused

PUSHED = Run(
    None, at=(), clients_at=("v",), mixing={"A": Varying(ColumnStochastic())}, step={"v": lambda x: x.A(x.v)},
    quantities={"M": lambda x: x.sq(x.mean_vec(x.v)), "V": lambda x: dev(x, x.v)},
)  # fmt: skip
PULLED = Run(
    None, at=(), clients_at=("v",), mixing={"R": Varying(RowStochastic())}, step={"v": lambda x: x.R(x.v)},
    quantities={"M": lambda x: x.sq(x.mean_vec(x.v)), "V": lambda x: dev(x, x.v)},
)  # fmt: skip
spreads = made("spreads", PULLED.one_step, (), lambda x: le(x.next.V, (x.m - 1) * x.V))
OTHERS = {
    "mass": (PUSHED, lambda x: eq(x.M[x.T], x.M[0]), {"proved"}),
    "more mass": (PUSHED, lambda x: eq(x.ratio(101, 100) * x.M[x.T], x.M[0]), {"refuted"}),
    "pushed apart": (PUSHED, lambda x: le(x.V[x.T], x.V[0]), {"refuted"}),
    "spread": (PULLED, lambda x: le(x.V[x.T], (x.m - 1) ** x.T * x.V[0]), {"proved"}),
    "spread less": (PULLED, lambda x: le(x.V[x.T], (x.m - x.ratio(101, 100)) ** x.T * x.V[0]), {"refuted"}),
    "pulled mean": (PULLED, lambda x: eq(x.M[x.T], x.M[0]), {"refuted"}),
    "pulled apart": (PULLED, lambda x: le(x.V[x.T], x.V[0]), {"refuted"}),
}


@pytest.mark.parametrize("name", OTHERS)
def test_rows_or_columns_alone(name):
    world, body, verdicts = OTHERS[name]
    by = (spreads,) if name == "spread" else ()
    assert verify(made(name, world, by, body)).verdict in verdicts


def test_the_matrices_of_a_search_are_others_at_every_step():
    world = gossip(KINDS["symmetric"], lam=OPEN)
    shape = {"m": 3, "d": 1, "T": 4}
    free = next(iter(world.sample(np.random.default_rng(0), shape, 1, 50)))
    assert free.vectors["W_reach"].shape == (50, 5, 2, 1) and free.vectors["W_along"].shape == (50, 5, 3, 1)
    names, _, _ = world.prepared(free, Floats())
    entries, lam = names["W"].entries, np.max(free.scalars["lam"])
    assert (
        entries.min() >= -1e-12 and np.allclose(entries.sum(-1), 1) and np.allclose(entries, entries.swapaxes(-1, -2))
    )
    assert np.abs(np.linalg.eigvalsh(entries - 1 / 3)).max() <= lam + 1e-12
    differ = np.abs(entries[:, :1] - entries).max(axis=(1, 2, 3)) > 0
    assert 10 < differ.sum() < 50  # and now and then they are the same


def test_what_changes_is_said_and_refused_where_there_is_no_run():
    world = gossip(KINDS["symmetric"])
    assert "W, which is new at every step" in world.assumptions()
    assert "W at a step of a run is made of its own rows" in world.reading()
    with pytest.raises(UsageError, match="W is another matrix at every step, and only a Run has steps"):
        Points(None, at=(), clients_at=("v",), mixing={"W": Varying("lam")}, lam=LAM)
    with pytest.raises(UsageError, match=r"Varying\(kind\) needs the name of a scalar"):
        Varying(1)
    with pytest.raises(UsageError, match="without matrices that change"):
        last(world, "v")
    with pytest.raises(UsageError, match="bounded by the scalar rho"):
        gossip(Varying("rho"))
    for reads in (lambda x: le(x.next.R, x.R), lambda x: le(dev(x, x.next.W(x.v)), x.V)):
        with pytest.raises(UsageError, match=r"what x\.W is at the next step is not known"):
            verify(made("next", MOVES(KINDS["symmetric"]).one_step, (), reads))
