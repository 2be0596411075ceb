"""A lemma's world has to fit where it is used: true uses are proved, and every planted misuse is told."""

import dataclasses
import re

import pytest

import fedtheory
from fedtheory import claim, eq, le, lemma, lt
from fedtheory.engines.docket import Docket
from fedtheory.engines.lift import lift
from fedtheory.engines.premises import follows, premises
from fedtheory.errors import UsageError
from fedtheory.referee.composition import with_lemmas
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP, VALUE
from problems import (
    Convex,
    Lojasiewicz,
    Points,
    Scalars,
    Sequences,
    Smooth,
    SmoothBoundedBelow,
    SmoothConvex,
    SmoothStronglyConvex,
    at_least,
    condition,
    positive,
    weights,
)
from problems.worlds.derived import DerivedPoints, DerivedScalars

AB = {"a": positive(), "b": positive()}
L = {"L": positive(CURVATURE)}
ORDER = condition("mu < L", lambda x: lt(x.mu, x.L))
TABLE: dict = {}


def made(id, world, **options):
    return claim("draft/" + re.sub(r"\W+", "-", id), world=world, **options)


def plant(id, first, world, *, here=None, used=None, **options):
    """A claim that is what a lemma says, in another world; `used` are arguments of `lemma`, `here` is what it claims."""
    body = here or first.body
    own = lemma(first, **(used or {}))
    if world.batched_scalars:
        TABLE[id] = made(id, dataclasses.replace(world, given=(*world.given, own)), **options)(body)
    else:
        TABLE[id] = made(id, world, given=(own,), **options)(body)


def slope(x):
    return x.mean_vec(x.f.grad(x.w))


# about numbers

tripled = made("tripled", DerivedScalars({"k": lambda x: 3 * x.a}, a=positive()))(lambda x: le(2 * x.a, x.k))
plant("a formula that is free", tripled, Scalars(a=positive(), k=positive()))
plant("another formula", tripled, DerivedScalars({"k": lambda x: x.a}, a=positive()))
plant("the same formula", tripled, DerivedScalars({"k": lambda x: x.a * 3}, a=positive()))

whole = made("whole", Scalars(alpha=weights(), sizes={"m": (1, 2)}))(lambda x: eq(x.total(x.alpha), 1))
plant("weights that are any numbers", whole, Scalars(alpha=positive(per_client=True), sizes={"m": (1, 2)}))
plant("weights", whole, Scalars(alpha=weights(), sizes={"m": (1, 2)}))

shared = made("shared", Scalars(a=positive()))(lambda x: eq(x.mean(x.a), x.a))
plant("one number for one a client", shared, Scalars(a=positive(per_client=True)))
plant("one number, chosen as one a client", shared, Scalars(s=positive(per_client=True), sizes={"m": (1, 2)}),
      here=lambda x: eq(x.mean(x.s), x.s), used={"at": {"a": lambda x: x.s}})  # fmt: skip

thrice = made("thrice", Scalars(a=positive(), sizes={"K": (1, 3)}))(lambda x: le((x.K - 1) * (x.K - 3) * x.a, 0))
plant("sizes of which one is not listed", thrice, Scalars(a=positive(), sizes={"K": (1, 3, 4)}))
plant("sizes alike", thrice, Scalars(a=positive(), sizes={"K": (1, 3)}))

alone = made("alone", Scalars(s=positive(per_client=True), sizes={"m": (1,)}))(lambda x: le(x.total(x.s), x.mean(x.s)))
plant("a lemma about one client", alone, Scalars(s=positive(per_client=True), sizes={"m": (1, 2)}))

apart = made("apart", Scalars(**AB))(lambda x: lt(0, (x.a - x.b) ** 6 / (x.a - x.b) ** 4))
plant("a lemma that is undefined somewhere", apart, Scalars(**AB), here=lambda x: lt(0, (x.a - x.b) ** 2),
      used={"says": lambda x: lt(0, (x.a - x.b) ** 2)})  # fmt: skip
LARGER = condition("a > b", lambda x: lt(x.b, x.a))
plant("a lemma that is defined where it is used", apart, Scalars(**AB, given=(LARGER,)),
      here=lambda x: lt(0, (x.a - x.b) ** 2))  # fmt: skip

small_step = made(
    "small-step", Scalars(a=positive(), sizes={"K": (1, 3)}, given=(condition("K a <= 1", lambda x: le(x.K * x.a, 1)),))
)(lambda x: le(x.K * x.a**2, x.a))
UP_TO_ONE = condition("a <= 1", lambda x: le(x.a, 1))
plant(
    "a condition that holds at the first size",
    small_step,
    Scalars(a=positive(), sizes={"K": (1, 3)}, given=(UP_TO_ONE,)),
)
in_all = made(
    "in-all",
    Scalars(
        s=positive(per_client=True),
        sizes={"m": (1, 2)},
        given=(condition("sum s <= 1", lambda x: le(x.total(x.s), 1)),),
    ),
)(lambda x: le(x.total(x.s**2), 1))
EACH = condition("s_i <= 1", lambda x: le(x.s, 1))
plant(
    "a condition that holds for one client",
    in_all,
    Scalars(s=positive(per_client=True), sizes={"m": (1, 2)}, given=(EACH,)),
)

stated = made("stated", Scalars(**AB, given=(condition("a/(a-b)^2 > 0", lambda x: lt(0, x.a / (x.a - x.b) ** 2)),)))(
    lambda x: lt(0, (x.a - x.b) ** 2)
)
plant("a condition that is undefined somewhere", stated, Scalars(**AB))
plant("a condition that is stated", stated, stated.world)

listed = made("listed", Scalars(d=at_least(0), e=positive()))(lambda x: lt(0, (x.d - x.e) ** 4 / (x.d - x.e) ** 2))
TABLE["a lemma that is undefined at some element"] = made(
    "elements",
    Sequences("T", sequences={"D": at_least(0)}, e=positive(), every=(
        lemma(listed, lambda x, t: lt(0, (x.d - x.e) ** 2), at={"d": lambda x, t: x.D[t]}),)),
)(lambda x: lt(0, (x.D[0] - x.e) ** 2 + x.D[x.T]))  # fmt: skip


# about functions

monotone = made("monotone", Points(SmoothConvex("L"), at=("w", "v"), **L))(
    lambda x: le(0, x.dot(x.f.grad(x.w) - x.f.grad(x.v), x.w - x.v))
)
plant("a lemma about convex functions for smooth ones", monotone, Points(Smooth("L"), at=("w", "v"), **L))
plant("the same class", monotone, Points(SmoothConvex("L"), at=("w", "v"), **L))
plant("a class within the lemma's", monotone,
      Points(SmoothStronglyConvex("mu", "L"), at=("w", "v"), mu=positive(CURVATURE), **L))  # fmt: skip

lojasiewicz = made("pl", Points(Lojasiewicz("mu", "L"), mu=positive(CURVATURE), **L))(
    lambda x: le(2 * x.mu * (x.f.value(x.w) - x.f.infimum()), x.sq(x.f.grad(x.w)))
)
plant("a PL lemma for functions that are bounded below", lojasiewicz,
      Points(SmoothBoundedBelow("L"), mu=positive(CURVATURE), given=(ORDER,), **L))  # fmt: skip
plant("a lemma about convex functions for PL ones", monotone,
      Points(Lojasiewicz("mu", "L"), at=("w", "v"), mu=positive(CURVATURE), **L))  # fmt: skip

bounded = made("bounded", Points(SmoothConvex("L"), optimum_of="f", **L))(
    lambda x: le(x.sq(slope(x)), x.L**2 * x.sq(x.w - x.w_star))
)
plant("a smaller L", bounded, Points(SmoothConvex("L"), optimum_of="f", **L), used={"at": {"L": lambda x: x.L / 3}},
      here=lambda x: le(9 * x.sq(slope(x)), x.L**2 * x.sq(x.w - x.w_star)))  # fmt: skip
plant("any point for a minimiser", bounded, Points(SmoothConvex("L"), at=("w", "w_star"), **L))

ENVELOPE = {"lam": positive(CURVATURE), **L}
stationary = made("stationary", Points(SmoothConvex("L"), optimum_of="F", envelope="lam", **ENVELOPE))(
    lambda x: eq(x.sq(x.mean_vec(x.F.grad(x.w_star))), 0)
)
plant(
    "the minimiser of another function",
    stationary,
    Points(SmoothConvex("L"), optimum_of="f", envelope="lam", **ENVELOPE),
)
formula = made("formula", Points(Convex(), envelope="lam", lam=positive(CURVATURE)))(
    lambda x: eq(x.sq(x.F.grad(x.w)), x.lam**2 * x.sq(x.w - x.f.prox(x.w, x.lam)))
)
plant("another envelope", formula,
      Points(Convex(), envelope="rho", lam=positive(CURVATURE), rho=positive(CURVATURE)))  # fmt: skip

server = made("server", Points(None, at=("v",)))(lambda x: eq(x.sq(x.mean_vec(x.v)), x.sq(x.v)))
plant("a vector a client", server, Points(None, at=(), clients_at=("v",)))

diverse = made("diverse", Points(Smooth("L"), diversity="sigma", **L))(
    lambda x: le(x.mean(x.sq(x.f.grad(x.w) - slope(x))), x.sigma)
)
plant("a bound that nobody states", diverse, Points(Smooth("L"), sigma=positive(GRADIENT**2), **L))

plant("another envelope, chosen", formula, Points(Convex(), envelope="lam", lam=positive(CURVATURE)),
      here=lambda x: eq(x.sq(x.F.grad(x.w)), 4 * x.lam**2 * x.sq(x.w - x.f.prox(x.w, 2 * x.lam))),
      used={"at": {"lam": lambda x: 2 * x.lam}})  # fmt: skip
one = made("one", Points(None, at=(), clients_at=("v",), sizes={"m": (1,)}))(
    lambda x: le(x.sq(x.total_vec(x.v)), x.total(x.sq(x.v)))
)
plant("clients of which the lemma has one", one, Points(None, at=(), clients_at=("v",)))
steps = made("steps", Points(None, at=("v",), sizes={"K": (1,)}))(lambda x: le(x.K * x.sq(x.v), x.sq(x.v)))
plant("more steps than the lemma's", steps, Points(None, at=("v",), sizes={"K": (3,)}))

# several lemmas of one claim


def away(x):
    return x.sq(x.w - x.w_star)


def size(x):
    return x.sq(slope(x))


def at_optimum(x):
    return x.mean(x.sq(x.f.grad(x.w_star)))


def all_of(x):
    return x.mean(x.sq(x.f.grad(x.w)))


def gap(x):
    return x.mean(x.f.value(x.w) - x.f.value(x.w_star))


def grown(x, of):
    return of(x.at(w=x.w * (1 + (x.K - 1) * (x.K - 2))))


of_f = made("of-f", Points(SmoothConvex("L"), optimum_of="f", envelope="lam", **ENVELOPE))(
    lambda x: le(size(x), x.L**2 * away(x))
)
of_F = made("of-F", Points(SmoothConvex("L"), optimum_of="F", envelope="lam", **ENVELOPE))(lambda x: le(0, away(x)))
TABLE["minimisers of two functions"] = made(
    "two-minimisers",
    Scalars(D=at_least(0, LENGTH**2), G=at_least(0, GRADIENT**2), **ENVELOPE, given=(
        lemma(of_f, lambda x: le(x.G, x.L**2 * x.D), meaning={"G": size, "D": away}),
        lemma(of_F, lambda x: le(0, x.D), meaning={"D": away}))),
)(lambda x: le(x.G, x.L**2 * x.D))  # fmt: skip
no_noise = made("no-noise", Points(SmoothConvex("L"), optimum_of="f", sizes={"m": (1,)}, **L))(
    lambda x: le(at_optimum(x), 0)
)
any_m = made("any-m", Points(SmoothConvex("L"), optimum_of="f", **L))(
    lambda x: le(all_of(x), 4 * x.L * gap(x) + 2 * at_optimum(x))
)
TABLE["one client in one lemma, any in the next"] = made(
    "two-sizes",
    Scalars(V=at_least(0, GRADIENT**2), Q=at_least(0, GRADIENT**2), e=at_least(0, VALUE), **L, given=(
        lemma(no_noise, lambda x: le(x.V, 0), meaning={"V": at_optimum}),
        lemma(any_m, lambda x: le(x.Q, 4 * x.L * x.e + 2 * x.V), meaning={"V": at_optimum, "Q": all_of, "e": gap}))),
)(lambda x: le(x.Q, 4 * x.L * x.e))  # fmt: skip
grows = made("grows", Points(None, at=("w",), sizes={"K": (1, 2, 3)}))(
    lambda x: le(x.sq(x.w * (1 + (x.K - 1) * (x.K - 2))), (1 + 99 * (x.K - 1) * (x.K - 2)) * x.sq(x.w))
)
TABLE["a relation that is another one at the third size"] = made(
    "third",
    Sequences("T", sequences={"D": at_least(0, LENGTH**2)}, every=(
        lemma(grows, lambda x, t: le(x.D[t + 1], x.D[t]), meaning={"D": lambda x: x.sq(x.w)}, then=grown),)),
)(lambda x: le(x.D[x.T], x.D[0]))  # fmt: skip


ordered = made("ordered", Points(SmoothStronglyConvex("mu", "L"), optimum_of="f", mu=positive(CURVATURE), **L))(
    lambda x: le(0, (x.L - x.mu) * away(x))
)
AMOUNT = {"D": at_least(0, LENGTH**2)}


def no_less(x):
    return le(0, (x.L - x.mu) * x.D)


TABLE["a class of no functions"] = made(
    "no-functions",
    Scalars(**AMOUNT, **L, given=(lemma(ordered, no_less, meaning={"D": away}, at={"mu": lambda x: 2 * x.L}),)),
)(lambda x: le(x.D, 0))
TABLE["a class that may have no functions"] = made(
    "any-mu", Scalars(**AMOUNT, mu=positive(CURVATURE), **L, given=(lemma(ordered, no_less, meaning={"D": away}),))
)(no_less)
TABLE["a class that has functions"] = made(
    "ordered-mu",
    Scalars(**AMOUNT, mu=positive(CURVATURE), **L, given=(ORDER, lemma(ordered, no_less, meaning={"D": away}))),
)(no_less)
weighed = made("weighed", Points(None, at=("w",), alpha=weights()))(
    lambda x: eq(x.total(x.alpha) * x.sq(x.w), x.sq(x.w))
)
TABLE["weights that are chosen"] = made(
    "chosen-weights",
    Scalars(D=at_least(0), given=(lemma(
        weighed, lambda x: eq(x.total(x.alpha) * x.D, x.D), meaning={"D": lambda x: x.sq(x.w)}, at={"alpha": lambda x: 3}),)),
)(lambda x: le(x.D, 0))  # fmt: skip


def after(x, of):
    return of(x.at(w=x.w - slope(x) * x.eta))


RATE = {"mu": positive(CURVATURE), **L}
ONE_OVER_L = {"eta": lambda x: 1 / x.L}
at_the_step = made("at-the-step", DerivedPoints(ONE_OVER_L, SmoothStronglyConvex("mu", "L"), optimum_of="f", **RATE))(
    lambda x: le(after(x, away), (1 - x.mu / x.L) * away(x))
)
contracts = lemma(at_the_step, lambda x, t: le(x.D[t + 1], (1 - x.mu / x.L) * x.D[t]), meaning={"D": away}, then=after)
TABLE["a step that is a formula in the lemma, and any here"] = made(
    "any-step",
    Sequences(
        "T", sequences={"D": at_least(0, LENGTH**2)}, every=(contracts,), given=(ORDER,), eta=positive(STEP), **RATE
    ),
)(lambda x: le(x.D[x.T], (1 - x.mu / x.L) ** x.T * x.D[0]))
TABLE["a step that is not named here"] = made(
    "the-step", Sequences("T", sequences={"D": at_least(0, LENGTH**2)}, every=(contracts,), given=(ORDER,), **RATE)
)(lambda x: le(x.D[x.T], (1 - x.mu / x.L) ** x.T * x.D[0]))

TRUE = (
    "the same formula", "weights", "sizes alike", "a lemma that is defined where it is used", "a condition that is stated",
    "the same class", "a class that has functions", "a class within the lemma's", "a step that is not named here",
)  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_a_lemma_that_fits_is_used(name):
    v = fedtheory.verify(TABLE[name])
    assert v.verdict in ("proved", "certified"), v.reason


@pytest.mark.parametrize("name", [name for name in TABLE if name not in TRUE])
def test_a_lemma_that_does_not_fit_is_told(name):
    """By the engine that looks at lemmas, whatever a search comes upon."""
    c = TABLE[name]
    said = (follows if c.given else premises)(c, Docket())
    assert said.outcome == "declines" and said.doubt and said.reason
    assert fedtheory.verify(c).verdict in ("unknown", "refuted")


def test_a_lemma_that_does_not_fit_makes_nothing_vacuous():
    """With a = b the lemma says that 0 < 0: it is not met where it is used, and the claim's own condition can hold."""
    c = made(
        "never",
        Scalars(a=positive(), given=(lemma(apart, lambda x: lt(0, (x.a - x.b) ** 2), at={"b": lambda x: x.a}),)),
    )
    assert fedtheory.verify(c(lambda x: le(2 * x.a, x.a))).verdict == "unknown"


def test_a_lemma_is_the_claim_of_its_id():
    """In the same world as well."""
    below = made("below", Scalars(**AB, given=(condition("a <= b", lambda x: le(x.a, x.b)),)))(lambda x: le(x.a, x.b))
    other = dataclasses.replace(below, world=Scalars(**AB))
    user = made("user", Scalars(**AB, given=(lemma(other),)))(lambda x: le(x.a, x.b))
    with pytest.raises(UsageError, match="is another claim than the one of that id"):
        with_lemmas([below, user], {"draft/below": below}.get)


LENGTHS = {
    "one length": (Sequences("T", a=positive(), lengths=(1,)), lambda x: le(x.T * x.a, x.a)),
    "no step": (Sequences("T", a=positive(), first=0, lengths=(0,)), lambda x: le(x.T * x.a, 0)),
    "elements": (
        Sequences("T", sequences={"D": at_least(0)}, lengths=(1,), every=(condition("", lambda x, t: le(x.D[t + 1], 3 * x.D[t])),)),
        lambda x: le(x.D[x.T], 3 * x.D[0]),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LENGTHS)
def test_the_lengths_that_are_listed_are_not_all(name):
    """Only a proof for a symbolic length is one for every length."""
    world, body = LENGTHS[name]
    c = made("length", world)(body)
    assert lift(c, Docket()).outcome != "proves" and fedtheory.verify(c).verdict != "proved"


EVEN = condition("3 eta L = 1", lambda x: eq(3 * x.eta * x.L, 1))
SHORTER = {
    "a sum that ends before it begins": lambda x: le(
        x.sum(lambda t: x.D[t], x.T - 3) + 3, x.sum(lambda t: x.D[t], x.T)
    ),
    "a power of zero": lambda x: le(x.T - 1, (x.eta - x.eta) ** (x.T - 1)),
    "a power that may be of zero": lambda x: lt(
        0, (3 * x.eta * x.L - 1) ** 2 + ((3 * x.eta * x.L - 1) ** (x.T - 1)) ** 2
    ),
    "a negative power": lambda x: le((x.D[0] - 1) ** (x.T - 2) * (x.D[0] - 1) ** 2, (x.D[0] - 1) ** x.T),
}


@pytest.mark.parametrize("name", SHORTER)
def test_what_is_shorter_than_the_length_may_be_nothing(name):
    """At lengths of one and two: sums are empty, and 0^0 is one."""
    world = Sequences("T", sequences={"D": at_least(1)}, eta=positive(STEP), **L, given=(EVEN,))
    assert fedtheory.verify(made("shorter", world)(SHORTER[name])).verdict != "proved"


def test_powers_below_the_length_are_proved_where_they_are_powers():
    world = Sequences("T", q=positive())
    v = fedtheory.verify(made("power", world)(lambda x: eq(x.q ** (x.T - 1) * x.q, x.q**x.T)))
    assert v.verdict == "proved", v.reason


def test_a_proof_is_searched_where_draws_do_not_meet_an_equation():
    """Small rationals do, such as c = 1/2."""
    world = Points(None, at=("v",), a=positive(), c=positive(), given=(condition("4 c = 2", lambda x: eq(4 * x.c, 2)),))
    v = fedtheory.verify(made("met", world)(lambda x: le(x.a * x.sq(x.v), 2 * x.c * x.a * x.sq(x.v))))
    assert v.verdict == "proved" and v.trials > 0
