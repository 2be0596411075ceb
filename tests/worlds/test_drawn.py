"""Matrices that are drawn at every step: their second moments are known, and nothing else is."""

from functools import partial

import numpy as np
import pytest
from spreads import LAM, OPEN, dev, off

from fedtheory import claim, eq, le, use, verify
from fedtheory.engines.context import Docket
from fedtheory.engines.lemmas.compose import theorem
from fedtheory.engines.prove.listed import at_each_size
from fedtheory.engines.prove.symbolic import lift
from fedtheory.errors import UsageError
from fedtheory.limits import summable, tends_to
from fedtheory.numbers import Floats
from fedtheory.units import CURVATURE, GRADIENT, STEP
from problems import (
    ColumnStochastic,
    Convex,
    ConvexLipschitz,
    Directed,
    Drawn,
    Points,
    Run,
    Smooth,
    Varying,
    condition,
    last,
    positive,
)

KINDS = {"symmetric": Drawn("lam"), "directed": Drawn(Directed("lam"))}
FALSE = {"refuted", "unknown"}


def cent(x, n):
    return x.ratio(n, 100)


def gossip(kind=KINDS["symmetric"], f=None, *, step=None, quantities=None, lam=LAM, clients_at=("v",), **more):
    mixing = {"W": kind, **more.pop("mixing", {})}
    return Run(
        f, at=more.pop("at", ()), clients_at=clients_at, mixing=mixing, lam=lam, step=step or {"v": lambda x, W: W(x.v)},
        quantities={"V": lambda x: dev(x, x.v), **(quantities or {})}, **more,
    )  # fmt: skip


def made(name, world, by, body):
    return claim(f"drawn/{name.replace(', ', '-').replace(' ', '-')}", world=world, by=by)(body)


# one step: what is true of the second moments, with a factor that makes it false by a little

PAIR = partial(
    gossip, clients_at=("v", "u"), step={"v": lambda x, W: W(x.v), "u": lambda x, W: W(x.u)},
    quantities={"U": lambda x: dev(x, x.u), "P": lambda x: x.mean(x.dot(off(x, x.v), off(x, x.u)))},
)  # fmt: skip
MEMORY = partial(
    gossip, clients_at=("v", "u"), quantities={
        "U": lambda x: dev(x, x.u), "C": lambda x: x.mean(x.dot(off(x, x.v), off(x, x.u))),
        "A": lambda x: x.mean(x.sq(x.v)), "Q": lambda x: x.sq(x.mean_vec(x.v)),
    },
)  # fmt: skip
LAZY = partial(gossip, a=OPEN, step={"v": lambda x, W: x.v + x.a * (W(x.v) - x.v)})
AFTER_ONE = partial(gossip, mixing={"U": "rho"}, rho=LAM, step={"v": lambda x, W: W(x.U(x.v))})
AFTER_ANY = partial(gossip, mixing={"U": Varying("rho")}, rho=LAM, step={"v": lambda x, W: W(x.U(x.v))})
SUBGRADIENT = partial(
    gossip, f=ConvexLipschitz("M"), at=("u",), lam=OPEN, eta=positive(STEP), M=positive(GRADIENT),
    step={"v": lambda x, W: W(x.v - x.eta * x.f.grad(x.v))}, quantities={
        "D": lambda x: x.sq(x.mean_vec(x.v) - x.u), "G": lambda x: dev(x, x.f.grad(x.v)),
        "e": lambda x: x.mean(x.f.value(x.mean_vec(x.v)) - x.f.value(x.u)),
    },
)  # fmt: skip
HEAVY = partial(
    gossip, clients_at=("v", "b"), beta=LAM, tau=positive(), quantities={"B": lambda x: dev(x, x.b)},
    step={"v": lambda x, W: (1 + x.beta) * W(x.v) - x.beta * x.b, "b": lambda x, W: x.v},
)  # fmt: skip
SHARED = partial(
    gossip, at=("w",), step={"v": lambda x, W: W(x.v + x.w) - W(x.w), "w": lambda x, W: W(x.w)},
    quantities={"B": lambda x: x.sq(x.w), "M": lambda x: x.sq(x.mean_vec(x.v) - x.w)},
)  # fmt: skip
SUMS = partial(gossip, clients_at=("v", "u"), step={"v": lambda x, W: W(x.v + x.u) - W(x.u)})
NEWER = partial(
    gossip, clients_at=("v", "n"), fresh=("n",), tau=positive(), step={"v": lambda x, W: W(x.v) + x.n},
    quantities={"n2": lambda x: dev(x, x.n)},
)  # fmt: skip
TWO_BACK = partial(MEMORY, step={"v": lambda x, W: W(x.v), "u": lambda x, W: x.v})
STEPS = {
    "shared": (SHARED, lambda x, s: eq(s * x.next.B, x.B)),
    "shared and not": (SHARED, lambda x, s: eq(s * x.next.M, x.M)),
    "of a part": (SHARED, lambda x, s: le(s * x.next.V, x.lam**2 * x.V)),
    "of sums": (SUMS, lambda x, s: le(s * x.next.V, x.lam**2 * x.V)),
    "errors": (NEWER, lambda x, s: le(s * x.next.V, (1 + x.tau) * x.lam**2 * x.V + (1 + 1 / x.tau) * x.n2)),
    "two back": (TWO_BACK, lambda x, s: le(s * x.next.C, x.lam * x.V)),
    "contracts": (PAIR, lambda x, s: le(s * x.next.V, x.lam**2 * x.V)),
    "products": (PAIR, lambda x, s: le(s * x.next.P, x.lam**2 * (x.V + x.U) / 2)),
    "products below": (PAIR, lambda x, s: le(-x.lam**2 * (x.V + x.U) / 2, s * x.next.P)),
    "the mean": (MEMORY, lambda x, s: eq(s * x.next.Q, x.Q)),
    "lengths": (MEMORY, lambda x, s: le(s * x.next.A, x.A)),
    "lengths of parts": (MEMORY, lambda x, s: le(s * x.next.A, x.Q + x.lam**2 * x.V)),
    "lazy": (LAZY, lambda x, s: le(s * x.next.V, (1 - x.a * (1 - x.lam)) ** 2 * x.V)),
    "after one": (AFTER_ONE, lambda x, s: le(s * x.next.V, x.lam**2 * x.rho**2 * x.V)),
    "after any": (AFTER_ANY, lambda x, s: le(s * x.next.V, x.lam**2 * x.rho**2 * x.V)),
    "subgradients": (SUBGRADIENT, lambda x, s: le(s * x.next.V, x.lam * x.V + x.lam**2 / (1 - x.lam) * x.eta**2 * x.G)),
    "heavy ball": (HEAVY, lambda x, s: le(
        s * x.next.V, (1 + x.tau) * (1 + x.beta) ** 2 * x.lam**2 * x.V + (1 + 1 / x.tau) * x.beta**2 * x.B)),
}  # fmt: skip
LISTED = {  # for all parameters more is asked than is found
    "along": (MEMORY, lambda x, s: le(s * x.next.C, x.lam * (x.V + x.U) / 2)),
}


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", STEPS | LISTED)
def test_what_is_true_in_the_mean_over_a_draw(name, kind):
    run, body = (STEPS | LISTED)[name]
    world = run(KINDS[kind]).one_step
    true = verify(made(name, world, (), lambda x: body(x, 1)))
    assert (true.verdict, true.trust) == ("certified" if name in LISTED else "proved", "kernel"), true.reason
    false = verify(made(f"{name}, false", world, (), lambda x: body(x, cent(x, 101))))
    assert false.verdict == "refuted", (false.verdict, false.reason)


# runs


def decays(x, s=1):
    return le(s * x.V[x.T], (x.lam**2) ** x.T * x.V[0])


def decentralised(x, s=1):
    c, noise = 2 / (1 - x.lam), 3 + 2 * (x.lam / (1 - x.lam)) ** 2
    gaps = 2 * x.eta * x.sum(lambda t: x.e[t], x.T)
    return le(x.D[x.T] + c * x.V[x.T] + gaps, x.D[0] + c * x.V[0] + s * noise * x.T * x.eta**2 * x.M**2)


SHORTER = lambda x: le(x.next.V, x.lam**2 * x.V)  # noqa: E731
NEARER = lambda x: le(x.next.V, x.lam * x.V + x.lam**2 / (1 - x.lam) * x.eta**2 * x.M**2)  # noqa: E731
BETTER = lambda x: le(x.next.D + 2 * x.eta * x.e, x.D + 3 * x.eta**2 * x.M**2 + 2 * x.V)  # noqa: E731
RUNS = {
    "consensus": (gossip, (SHORTER,), decays, (101, 100)),
    "the mean": (MEMORY, (), lambda x, s=1: eq(s * x.Q[x.T], x.Q[0]), (101, 100)),
    "sum": (partial(gossip, lam=OPEN), (SHORTER,), lambda x, s=1: le(
        s * (x.V[x.T] + (1 - x.lam**2) * x.sum(lambda t: x.V[t], x.T)), x.V[0]), (101, 100)),
    "after any": (AFTER_ANY, (lambda x: le(x.next.V, x.lam**2 * x.rho**2 * x.V),), lambda x, s=1: le(
        s * x.V[x.T], (x.lam**2 * x.rho**2) ** x.T * x.V[0]), (101, 100)),
    "consensus of subgradients": (SUBGRADIENT, (NEARER,), lambda x, s=1: le(
        x.V[x.T], x.lam**x.T * x.V[0] + s * (x.lam * x.eta * x.M / (1 - x.lam)) ** 2), (1, 100)),
    "subgradients": (SUBGRADIENT, (NEARER, BETTER), decentralised, (1, 10)),
}  # fmt: skip


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", RUNS)
def test_what_is_true_in_the_mean_over_all_draws(name, kind):
    run, lemmas, body, s = RUNS[name]
    world = run(KINDS[kind])
    by = tuple(made(f"{name}, step {k}", world.one_step, (), lemma) for k, lemma in enumerate(lemmas))
    true = verify(made(f"{name}, T", world, by, body))
    assert (true.verdict, true.trust, true.scope) == ("proved", "kernel", "all"), true.reason
    false = verify(made(f"{name}, T, false", world, by, lambda x: body(x, x.ratio(*s))))
    assert false.verdict == "refuted", (false.verdict, false.reason)


def test_limits():
    world = gossip(lam=OPEN)
    step = made("limit, step", world.one_step, (), SHORTER)
    summed = made("limit, sum", world, (step,), lambda x: le(
        x.V[x.T] + (1 - x.lam**2) * x.sum(lambda t: x.V[t], x.T), x.V[0]))  # fmt: skip
    finite = made("summable", world, (summed,), lambda x: summable(x.V, x.V[0] / (1 - x.lam**2)))
    assert verify(made("limit", world, (finite,), lambda x: tends_to(x.V))).verdict == "proved"
    assert verify(made("limit, false", world, (finite,), lambda x: tends_to(x.V, 1))).verdict in FALSE


# what is no second moment, and what is true of each of two outcomes alone

TWICE = partial(gossip, step={"v": lambda x, W: W(W(x.v))})
THEN_ONE = partial(gossip, mixing={"U": "rho"}, rho=LAM, step={"v": lambda x, W: x.U(W(x.v))})
LONG = partial(gossip, quantities={"r": lambda x: x.sqrt(dev(x, x.v))})
VALUES = partial(gossip, f=Convex(), quantities={"a": lambda x: x.mean(x.f.value(x.v))})
SLOPES = partial(gossip, f=Smooth("L"), L=positive(CURVATURE), quantities={"g": lambda x: x.mean(x.sq(x.f.grad(x.v)))})
TRACKING = partial(
    gossip, f=Smooth("L"), clients_at=("v", "y"), L=positive(CURVATURE),
    step={"v": lambda x, W: W(x.v) - x.y, "y": lambda x, W: W(x.y) + x.f.grad(W(x.v) - x.y) - x.f.grad(x.v)},
)  # fmt: skip
SCALED = partial(gossip, clients_at=("v", "u"), step={"v": lambda x, W: W(x.v) + x.mean(x.sq(W(x.v)))[..., None] * x.u})
REFUSED = {
    "twice": (TWICE, lambda x: le(x.next.V, x.lam**4 * x.V)),
    "twice, less": (TWICE, lambda x: le(x.next.V, x.lam**2 * x.V)),
    "another matrix after it": (THEN_ONE, lambda x: le(x.next.V, x.lam**2 * x.rho**2 * x.V)),
    "roots": (LONG, lambda x: le(x.next.r, x.lam * x.r)),
    "squares of roots": (LONG, lambda x: le(x.next.V, x.next.r**2)),
    "values": (VALUES, lambda x: le(x.next.a, x.a)),
    "gradients": (SLOPES, lambda x: le(x.next.g, 2 * x.g + 2 * x.L**2 * x.V)),
    "trackers": (TRACKING, lambda x: le(x.next.V, 2 * x.V)),
    "a number that is drawn": (SCALED, lambda x: le(x.next.V, 4 * x.V)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_second_moment_is_not_proved(name):
    run, body = REFUSED[name]
    found = made(name, run().one_step, (), body)
    for engine in (lift, at_each_size):
        assert engine(found, Docket()).outcome not in ("proves", "certifies")
    assert verify(found).verdict in FALSE


def test_a_search_of_pairs_supports_nothing():
    """What is true of two outcomes, |W v| being always the same, need not be of three."""
    world = gossip()
    assert world.partly == "W is one of two matrices at every step of the search" == world.one_step.partly
    unproved = verify(made("without a lemma", world, (), decays))
    assert unproved.verdict == "unknown"


# lemmas

MATRIX = Points(None, at=(), clients_at=("u",), mixing={"W": "lam"}, lam=LAM)
of_each = made("of each", MATRIX, (), lambda x: le(dev(x, x.W(x.u)), x.lam**2 * dev(x, x.u)))
VARIES = Run(
    None, at=(), clients_at=("v",), mixing={"W": Varying("lam")}, lam=LAM, step={"v": lambda x: x.W(x.v)},
    quantities={"V": lambda x: dev(x, x.v)},
)  # fmt: skip
of_any = made("of any", VARIES.one_step, (), SHORTER)
of_drawn = made("of drawn", gossip().one_step, (), SHORTER)
value_there = made("a value there", Points(Convex(), at=(), clients_at=("u", "q")), (), lambda x: le(
    x.mean(x.f.value(x.u)), x.mean(x.f.value(x.q)) + x.mean(x.dot(x.f.grad(x.u), x.u - x.q))))  # fmt: skip
CONDITION = condition("|a| <= |b|", lambda x: le(x.mean(x.sq(x.a)), x.mean(x.sq(x.b))))
SHORT = Points(None, at=(), clients_at=("a", "b"), given=(CONDITION,))
shorter = made("shorter", SHORT, (), lambda x: le(x.mean(x.dot(x.a, x.b)), x.mean(x.sq(x.b))))
young = made("young", Points(None, at=(), clients_at=("a", "b")), (), lambda x: le(
    2 * x.mean(x.dot(x.a, x.b)), x.mean(x.sq(x.a)) + x.mean(x.sq(x.b))))  # fmt: skip
WITH_ONE = gossip(mixing={"U": "lam"})
MISUSES = {
    "a condition of each of two outcomes": (MEMORY(), use(shorter, a=lambda x: x.next.v, b=lambda x: 2 * x.v)),
    "a matrix at a draw": (WITH_ONE, use(of_each, u=lambda x: x.next.v, W=lambda x: x.U)),
    "a step at a draw": (gossip(clients_at=("v", "u")), use(of_drawn, v=lambda x: x.next.v)),
    "of every matrix": (gossip(), use(of_each, u=lambda x: x.v)),
    "of a step with any": (gossip(), of_any),
    "of a draw with any": (VARIES, of_drawn),
    "a theorem": (VARIES, made("theorem", gossip(), (of_drawn,), decays)),
    "a function at a draw": (VALUES(), use(value_there, u=lambda x: x.next.v, q=lambda x: x.v)),
}


@pytest.mark.parametrize("name", MISUSES)
def test_a_lemma_about_other_matrices_is_not_used(name):
    world, by = MISUSES[name]
    found = theorem(made(f"misuse, {name}", world, (by,), decays), Docket())
    assert found.outcome == "declines", name


def test_a_lemma_about_all_vectors_is_used_after_a_draw():
    """What is linear in inner products is so in the mean."""
    step = use(young, a=lambda x: x.next.v, b=lambda x: x.u)
    world = MEMORY(
        quantities={
            "A": lambda x: x.mean(x.sq(x.v)),
            "c": lambda x: x.mean(x.dot(x.v, x.u)),
            "B": lambda x: x.mean(x.sq(x.u)),
        }
    )
    assert (
        verify(made("after a draw", world, (step,), lambda x, t: le(2 * x.c[t + 1], x.A[t + 1] + x.B))).verdict
        == "proved"
    )
    less = made("after a draw, false", world, (step,), lambda x, t: le(cent(x, 202) * x.c[t + 1], x.A[t + 1] + x.B))
    assert verify(less).verdict == "refuted"


def test_a_theorem_is_used_in_its_own_run():
    world = gossip()
    said = made("said", world, (made("said, step", world.one_step, (), SHORTER),), decays)
    assert verify(made("again", world, (said,), decays)).verdict == "proved"


# what is drawn, and what is refused


def test_pairs_have_the_bound_in_the_mean():
    world = gossip(lam=OPEN)
    for shape, at in (({"m": 4, "d": 1}, world.one_step), ({"m": 4, "d": 1, "T": 3}, world)):
        free = next(iter(at.sample(np.random.default_rng(1), shape, 1, 200)))
        names, _, _ = at.prepared(free, Floats())
        entries, lam = names["W"].entries, float(free.scalars["lam"])
        assert entries.shape == (200, *((4,) if "T" in shape else ()), 2, 4, 4)
        assert entries.min() >= -1e-12 and np.allclose(entries.sum(-1), 1) and np.allclose(entries.sum(-2), 1)
        part = entries - 1 / 4
        square = (part.swapaxes(-1, -2) @ part).mean(axis=-3)
        assert np.linalg.eigvalsh(square).max() <= lam**2 + 1e-12
        own = np.abs(np.linalg.eigvalsh(part)).max(axis=-1)
        assert own.max() > lam + 1e-6  # one of two may be further from the mean than in the mean


def test_what_is_refused():
    world = gossip()
    assert any("drawn whatever was drawn before, with E|W u|^2 <= lam^2 |u|^2" in one for one in world.assumptions())
    assert "It is one of two, as likely as not" in world.reading()
    beside = "is drawn at every step, beside which nothing is drawn or chosen"
    either = {"step": {"v": lambda x, W: W(x.v)}}
    for more in (
        {"outcomes": (1, -1)}, {"sizes": {"S": (1,)}}, {"either": {"k": (0, 1)}}, {"selection": "chosen"},
        {"mixing": {"U": Drawn("lam")}}, {"participation": "independent", "p": LAM},
        {"clients_at": ("v", "b"), "means": {"b": ("v", lambda x, t: 1)}},
    ):  # fmt: skip
        with pytest.raises(UsageError, match=beside):
            gossip(**either, **more)
    for kind in (ColumnStochastic(), 1):
        with pytest.raises(UsageError, match=r"Drawn\(kind\) needs the name of a scalar"):
            Drawn(kind)
    for kind in (Directed, ColumnStochastic):
        with pytest.raises(
            UsageError, match="a matrix that is drawn is doubly stochastic, and another one at every step"
        ):
            kind(*(("lam",) if kind is Directed else ()), random=True)
    with pytest.raises(UsageError, match="only a Run has steps"):
        Points(None, at=(), clients_at=("v",), mixing={"W": Drawn("lam")}, lam=LAM)
    with pytest.raises(UsageError, match="must be without draws"):
        last(world, "v")
    for reads in (lambda x: le(dev(x, x.W(x.v)), x.V), lambda x: le(x.E(lambda W: dev(x, W(x.v))), x.V)):
        with pytest.raises(UsageError, match=r"what is drawn is a matrix|a matrix that is drawn is what a step takes"):
            verify(made("reads", world.one_step, (), reads))
    with pytest.raises(UsageError, match="a matrix that is drawn is what a step takes"):
        verify(made("by its name", gossip(step={"v": lambda x: x.W(x.v)}).one_step, (), SHORTER))
