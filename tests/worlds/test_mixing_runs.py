"""One gossip matrix along runs of any length: what is true is proved, what is false by a little is not."""

from dataclasses import replace

import pytest

from fedtheory import claim, eq, le, use, verify
from fedtheory.engines.context import Docket
from fedtheory.engines.lemmas.compose import theorem
from fedtheory.errors import UsageError
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from problems import ConvexLipschitz, Points, Run, Smooth, between, condition, positive

LAM, OPEN = between(0, 1), between(0, 1, closed=False)


def dev(x, u):
    """The mean squared distance from the mean."""
    return x.mean(x.sq(u - x.mean_vec(u)))


def gossip(f=None, *, step=None, quantities=None, lam=LAM, at=("v",), **more):
    return Run(
        f, at=(), clients_at=at, mixing={"W": "lam"}, lam=lam, step=step or {"v": lambda x: x.W(x.v)},
        quantities={"V": lambda x: dev(x, x.v), **(quantities or {})}, **more,
    )  # fmt: skip


MATRIX = {"at": (), "clients_at": ("u",), "mixing": {"W": "lam"}}
shorter = claim("gossip/shorter", world=Points(None, **MATRIX, lam=LAM))(
    lambda x: le(dev(x, x.W(x.u)), x.lam**2 * dev(x, x.u))
)
PLAIN = gossip(quantities={"A": lambda x: x.sq(x.mean_vec(x.v)), "Q": lambda x: x.mean(x.sq(x.v))})
OF_PLAIN = use(shorter, u=lambda x: x.v)
CONVEX = {"f": ConvexLipschitz("M"), "lam": OPEN, "eta": positive(STEP), "M": positive(GRADIENT)}
AFTER = gossip(**CONVEX, step={"v": lambda x: x.W(x.v - x.eta * x.f.grad(x.v))})
BESIDE = gossip(**CONVEX, step={"v": lambda x: x.W(x.v) - x.eta * x.f.grad(x.v)})
LAZY = gossip(a=LAM, step={"v": lambda x: x.v + x.a * (x.W(x.v) - x.v)})
TWICE = gossip(step={"v": lambda x: x.W(x.W(x.v))})
OPENED = gossip(lam=OPEN, quantities={"R": lambda x: x.mean(x.sq(x.v - x.W(x.v)))})
BALL = gossip(
    at=("v", "b"), step={"v": lambda x: x.W(x.b), "b": lambda x: x.v}, quantities={"B": lambda x: dev(x, x.b)}
)


def tracked(x):
    """A step of gradient tracking: the models after it."""
    return x.W(x.v) - x.eta * x.y


TRACKING = gossip(
    Smooth("L"), at=("v", "y"), lam=OPEN, eta=positive(STEP), L=positive(CURVATURE),
    step={"v": tracked, "y": lambda x: x.W(x.y) + x.f.grad(tracked(x)) - x.f.grad(x.v)},
    quantities={
        "Y": lambda x: dev(x, x.y), "B": lambda x: x.sq(x.mean_vec(x.y) - x.mean_vec(x.f.grad(x.v))),
        "D": lambda x: x.mean(x.sq(x.f.grad(tracked(x)) - x.f.grad(x.v))),
    },
)  # fmt: skip


def lemma(name, world, body):
    return claim(f"gossip/step-{name}", world=world.one_step)(body)


closer = lemma("closer", PLAIN, lambda x: le(x.next.V, x.lam**2 * x.V))
no_longer = lemma("no-longer", PLAIN, lambda x: le(x.next.Q, x.Q))
moved = lemma("moved", OPENED, lambda x: le(x.next.V + (1 - x.lam) / (1 + x.lam) * x.R, x.V))
after = lemma("after", AFTER, lambda x: le(x.next.V, x.lam * x.V + x.lam**2 / (1 - x.lam) * x.eta**2 * x.M**2))
beside = lemma("beside", BESIDE, lambda x: le(x.next.V, x.lam * x.V + x.eta**2 * x.M**2 / (1 - x.lam)))
lazy = lemma("lazy", LAZY, lambda x: le(x.next.V, (1 - x.a * (1 - x.lam)) ** 2 * x.V))
twice = lemma("twice", TWICE, lambda x: le(x.next.V, x.lam**4 * x.V))
ball = lemma("ball", BALL, lambda x: le(x.next.V + x.next.B, x.V + x.lam**2 * x.B))
kept = lemma("kept", TRACKING, lambda x: eq(x.next.B, x.B))
tracker = lemma("tracker", TRACKING, lambda x: le(x.next.Y, x.lam * x.Y + x.D / (1 - x.lam)))
models = lemma("models", TRACKING, lambda x: le(x.next.V, x.lam * x.V + x.eta**2 / (1 - x.lam) * x.Y))

THEOREMS = {
    "consensus": (PLAIN, (closer,), lambda x, s: le(s * x.V[x.T], (x.lam**2) ** x.T * x.V[0])),
    "by points": (PLAIN, (OF_PLAIN,), lambda x, s: le(s * x.V[x.T], (x.lam**2) ** x.T * x.V[0])),
    "the mean": (PLAIN, (), lambda x, s: eq(s * x.A[x.T], x.A[0])),
    "lengths": (PLAIN, (no_longer,), lambda x, s: le(s * x.Q[x.T], x.Q[0])),
    "sum": (OPENED, (lemma("open", OPENED, lambda x: le(x.next.V, x.lam**2 * x.V)),), lambda x, s: le(
        s * (x.V[x.T] + (1 - x.lam**2) * x.sum(lambda t: x.V[t], x.T)), x.V[0])),
    "moves": (OPENED, (moved,), lambda x, s: le(
        s * (x.V[x.T] + (1 - x.lam) / (1 + x.lam) * x.sum(lambda t: x.R[t], x.T)), x.V[0])),
    "after": (AFTER, (after,), lambda x, s: le(
        x.V[x.T], x.lam**x.T * x.V[0] + (2 - s) * (x.lam * x.eta * x.M / (1 - x.lam)) ** 2)),
    "beside": (BESIDE, (beside,), lambda x, s: le(
        x.V[x.T], x.lam**x.T * x.V[0] + (2 - s) * (x.eta * x.M / (1 - x.lam)) ** 2)),
    "beside, summed": (BESIDE, (beside,), lambda x, s: le(
        x.V[x.T] + (1 - x.lam) * x.sum(lambda t: x.V[t], x.T), x.V[0] + (2 - s) * x.T * x.eta**2 * x.M**2 / (1 - x.lam))),
    "lazy": (LAZY, (lazy,), lambda x, s: le(s * x.V[x.T], ((1 - x.a * (1 - x.lam)) ** 2) ** x.T * x.V[0])),
    "twice": (TWICE, (twice,), lambda x, s: le(s * x.V[x.T], (x.lam**4) ** x.T * x.V[0])),
    "two states": (BALL, (ball,), lambda x, s: le(s * (x.V[x.T] + x.B[x.T]), x.V[0] + x.B[0])),
    "tracked": (TRACKING, (kept,), lambda x, s: eq(s * x.B[x.T], x.B[0])),
    "tracked, alone": (TRACKING, (), lambda x, s: eq(s * x.B[x.T], x.B[0])),
    "trackers": (TRACKING, (tracker,), lambda x, s: le(
        x.Y[x.T] + (1 - x.lam) * x.sum(lambda t: x.Y[t], x.T), x.Y[0] + (2 - s) * x.sum(lambda t: x.D[t], x.T) / (1 - x.lam))),
    "models": (TRACKING, (models,), lambda x, s: le(
        x.V[x.T] + (1 - x.lam) * x.sum(lambda t: x.V[t], x.T),
        x.V[0] + (2 - s) * x.eta**2 / (1 - x.lam) * x.sum(lambda t: x.Y[t], x.T))),
}  # fmt: skip
LOOSE = {
    "after",
    "beside",
    "beside, summed",
    "trackers",
    "models",
}  # false by much: what one inequality adds to another is no equality


OTHER = Run(
    None, at=(), clients_at=("v",), mixing={"W": "rho"}, lam=OPEN, rho=OPEN, step={"v": lambda x: x.W(x.v)},
    quantities={"V": lambda x: dev(x, x.v)},
)  # fmt: skip


def made(name, world, by, body):
    return claim(f"gossip/{name.replace(', ', '-').replace(' ', '-')}", world=world, by=by)(body)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", THEOREMS)
def test_what_is_true_of_every_length_is_proved_and_what_is_false_refuted(name):
    world, by, body = THEOREMS[name]
    true = verify(made(name, world, by, lambda x: body(x, 1)))
    assert (true.verdict, true.trust, true.scope) == ("proved", "kernel", "all"), true.reason
    s = (199, 100) if name in LOOSE else (101, 100)
    false = verify(made(f"{name}, false", world, by, lambda x: body(x, x.ratio(*s))))
    assert false.verdict == "refuted", (false.verdict, false.reason)


TWO = Run(
    None, at=(), clients_at=("v",), mixing={"W": "lam", "U": "rho"}, lam=OPEN, rho=OPEN, step={"v": lambda x: x.W(x.v)},
    quantities={"V": lambda x: dev(x, x.v), "P": lambda x: x.mean(x.dot(x.v - x.mean_vec(x.v), x.U(x.v)))},
)  # fmt: skip
of = Points(None, **MATRIX, lam=OPEN)
contracts = claim("gossip/contracts", world=of)(lambda x: le(dev(x, x.W(x.u)), x.lam**2 * dev(x, x.u)))
THREE = Points(None, at=(), clients_at=("u", "q"), mixing={"W": "lam"}, lam=OPEN)
symmetric = claim("gossip/symmetric", world=THREE)(
    lambda x: eq(x.mean(x.dot(x.W(x.u), x.q)), x.mean(x.dot(x.u, x.W(x.q))))
)


def u_is(fn=lambda x: x.v, **more):
    return use(contracts, u=fn, **more)


def rate(of):
    return lambda x: le(x.V[x.T], of(x) ** x.T * x.V[0])


CONSENSUS = made("consensus", PLAIN, (closer,), rate(lambda x: x.lam**2))
MISUSES = {
    "a smaller bound": (TWO, u_is(lam=lambda x: x.lam / 2), rate(lambda x: x.lam**2 / 4)),
    "the bound of another": (TWO, u_is(lam=lambda x: x.rho), rate(lambda x: x.rho**2)),
    "another matrix": (TWO, u_is(W=lambda x: x.U, lam=lambda x: x.rho), rate(lambda x: x.rho**2)),
    "both of two": (TWO, u_is(W=lambda x: x.U), rate(lambda x: x.lam**2 * x.rho**2)),
    "a function": (TWO, u_is(W=lambda x: lambda u: u / 2), rate(lambda x: x.lam**2 / 4)),
    "a vector": (TWO, u_is(W=lambda x: x.v), rate(lambda x: x.lam**2 / 4)),
    "of a multiple": (TWO, u_is(lambda x: 2 * x.v), rate(lambda x: x.lam**2 / 4)),
    "of what it made": (TWO, u_is(lambda x: x.W(x.v)), rate(lambda x: x.lam**4)),
    "matrices commute": (
        TWO, use(symmetric, u=lambda x: x.v, q=lambda x: x.U(x.v)), lambda x: eq(x.P[x.T], x.lam**x.T * x.P[0])),
    "a theorem about another run": (OTHER, use(CONSENSUS), rate(lambda x: x.lam**2)),
    "a theorem with a smaller bound": (PLAIN, use(CONSENSUS, lam=lambda x: x.lam / 2), rate(lambda x: x.lam**2 / 4)),
    "of other gradients": (AFTER, use(shorter, u=lambda x: x.v), rate(lambda x: x.lam**2)),
}  # fmt: skip


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", MISUSES)
def test_a_lemma_about_matrices_says_nothing_of_others(name):
    world, by, body = MISUSES[name]
    assert verify(made(f"misuse, {name}", world, (by,), body)).verdict in ("refuted", "unknown")


def test_a_lemma_is_used_for_the_matrix_that_is_named():
    renamed = Run(
        None, at=(), clients_at=("v",), mixing={"U": "rho"}, rho=OPEN, step={"v": lambda x: x.U(x.v)},
        quantities={"V": lambda x: dev(x, x.v)},
    )  # fmt: skip
    by = u_is(W=lambda x: x.U, lam=lambda x: x.rho)
    true = verify(made("renamed", renamed, (by,), rate(lambda x: x.rho**2)))
    assert (true.verdict, true.trust) == ("proved", "kernel"), true.reason
    nameless = verify(made("nameless", renamed, (u_is(),), rate(lambda x: x.rho**2)))
    assert nameless.verdict != "proved" and "a scalar lam, which is nothing in the model" in nameless.reason


def engine(name, world, by, body):
    """What the theorem engine says by itself: a search refutes what is false of the lengths that it looks at."""
    return theorem(made(name, world, by, body), Docket())


def off(x, u):
    return u - x.mean_vec(u)


@pytest.mark.parametrize("of", [lambda x: x.vb, lambda x: x.W(x.vb), lambda x: x.W(x.W(x.vb))])
def test_what_a_matrix_makes_of_a_mean_over_the_steps_depends_on_the_draws(of):
    world = Run(
        None, at=(), clients_at=("v", "vb"), means={"vb": ("v", lambda x, t: 1)}, mixing={"W": "lam"}, lam=LAM, outcomes=(1, -1),
        step={"v": lambda x, s: s * x.v}, quantities={"P": lambda x: x.mean(x.dot(off(x, x.v), off(x, of(x))))},
    )  # fmt: skip
    assert engine("of a mean", world, (), lambda x, t: eq(x.P[t + 1], 0)).outcome != "proves"


def averaging(quantity, **more):
    return Run(
        None, at=(), clients_at=("v",), p=LAM, step={"v": lambda x: x.p * x.mean_vec(x.v) + (1 - x.p) * x.v},
        quantities={"Q": quantity}, **more,
    )  # fmt: skip


def test_a_theorem_about_one_client_says_nothing_of_means_over_many():
    same = lambda x: eq(x.Q[x.T], x.Q[0])  # noqa: E731
    alone = made("alone", averaging(lambda x: x.sq(x.v), sizes={"m": (1,)}), (), same)
    assert verify(alone).verdict == "proved"
    assert engine("many", averaging(lambda x: x.mean(x.sq(x.v))), (alone,), same).outcome != "proves"


def test_what_points_obey_is_not_said_of_the_last_state():
    world = Run(
        None, at=("v",), a=positive(), c=positive(LENGTH), step={"v": lambda x: x.a * x.v}, quantities={"V": lambda x: x.sq(x.v)},
        obeys=(condition("|v| <= c", lambda x: le(x.sq(x.v), x.c**2)),),
    )  # fmt: skip
    short = lemma("short", world, lambda x: le(x.V, x.c**2))
    assert engine("at t", world, (short,), lambda x, t: le(x.V[t], x.c**2)).outcome == "proves"
    assert engine("at T", world, (short,), lambda x: le(x.V[x.T], x.c**2)).outcome != "proves"
    signed = replace(world, quantities={"P": lambda x: x.c**2 - x.sq(x.v)})
    assert engine("sign", signed, (), lambda x: le(0, x.P[x.T])).outcome != "proves"


def test_names_of_matrices_are_suggested():
    with pytest.raises(UsageError, match=r"the lemma has no V \(it has lam, u, W\)"):
        use(contracts, V=lambda x: x.W)
