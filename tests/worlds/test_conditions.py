"""Conditions at points and vectors: met by the search, listed by the replay, premises of certificates and of the lift."""

import math
import operator
from fractions import Fraction

import numpy as np
import pytest

from fedtheory import Control, claim, eq, le, lt, verify
from fedtheory.engines.context import Docket
from fedtheory.engines.counterexamples import exact
from fedtheory.engines.counterexamples.witness import free_of
from fedtheory.engines.prove.listed import certify
from fedtheory.engines.prove.symbolic import lift
from fedtheory.errors import UsageError
from fedtheory.numbers import Fractions
from fedtheory.relation import Relation
from fedtheory.units import CURVATURE, LENGTH
from problems import Convex, Points, Scalars, Smooth, StronglyConvex, condition, positive
from problems.exact.evaluate import evaluate
from problems.worlds.conditions import holds, met, names_of
from problems.worlds.derived import DerivedPoints
from proofs_checks.fedadmm.worlds import fedadmm_steps
from proofs_checks.pfedme.worlds.two_clients import HuberAndLinear

TWO = {"at": ("w", "v")}
BELOW = condition("f_i(v) <= f_i(w)", lambda x: le(x.f.value(x.v), x.f.value(x.w)))
ON_AVERAGE = condition("f(v) <= f(w)", lambda x: le(x.mean(x.f.value(x.v)), x.mean(x.f.value(x.w))))
STRICTLY = condition("f_i(v) < f_i(w)", lambda x: lt(x.f.value(x.v), x.f.value(x.w)))
LEVEL = condition("f_i(v) = f_i(w)", lambda x: eq(x.f.value(x.v), x.f.value(x.w)))
NEAR = condition("|v - w| <= |w|/100", lambda x: le(10_000 * x.sq(x.v - x.w), x.sq(x.w)))


def descends(x):
    """The gradient of every client at w points away from v."""
    return le(x.dot(x.f.grad(x.w), x.v - x.w), 0)


def descends_on_average(x):
    """The same for the mean of strongly convex clients, with the quadratic."""
    return le(x.dot(x.mean_vec(x.f.grad(x.w)), x.v - x.w) + x.mu / 2 * x.sq(x.v - x.w), 0)


def decided(world, body, **options):
    """The verdict on a planted claim."""
    return verify(claim("planted/condition", world=world)(body), **options)


NEEDED = {
    "every client": (Points(Convex(), given=(BELOW,), **TWO), Points(Convex(), **TWO), descends),
    "strictly": (Points(Convex(), given=(STRICTLY,), **TWO), Points(Convex(), **TWO), descends),
    "as an equality": (Points(Convex(), given=(LEVEL,), **TWO), Points(Convex(), **TWO), descends),
    "on average": (
        Points(StronglyConvex("mu"), given=(ON_AVERAGE,), mu=positive(CURVATURE), **TWO),
        Points(StronglyConvex("mu"), mu=positive(CURVATURE), **TWO),
        descends_on_average,
    ),
}


@pytest.mark.parametrize("name", NEEDED)
def test_proved_with_it_and_refuted_without(name):
    """The premise is a row of the certificate, for all parameters and any number of clients."""
    within, without, body = NEEDED[name]
    v = decided(within, body)
    assert (v.verdict, v.scope) == ("proved", "all"), v.reason
    assert any("given 0.0" in str(e.numbers) for e in v.evidence if e.engine == "lift")
    assert v.trials > 300 or name == "as an equality"
    assert any(within.given[0].printed == line for line in within.hypotheses())
    assert certify(claim("planted/c", world=within)(body), Docket()).outcome == "certifies"
    assert decided(without, body).verdict == "refuted"


def test_a_witness_meets_it_exactly():
    """The replay lists it among the conditions, client by client."""
    world = Points(Convex(), given=(BELOW,), **TWO)
    body = lambda x: le(x.sq(x.f.grad(x.v)), x.sq(x.f.grad(x.w)))  # noqa: E731
    v = decided(world, body)
    assert v.verdict == "refuted"
    again = exact.replay(body, world, free_of(v.witness, world))
    listed = [side for side in again.given if side.name == BELOW.printed]
    assert again.outcome == "refutes" and len(listed) == v.witness["shape"]["m"]
    assert all(side.truth for side in again.given)


@pytest.mark.parametrize(
    "impossible",
    [
        condition("f(v) < f(v)", lambda x: lt(x.f.value(x.v), x.f.value(x.v))),
        condition("|w|^2 < 0", lambda x: lt(x.sq(x.w), 0)),
        condition("f(w) < f(v) < f(w)", lambda x: (lt(x.f.value(x.w), x.f.value(x.v)), lt(x.f.value(x.v), x.f.value(x.w)))),
    ],
    ids=lambda c: c.printed,
)  # fmt: skip
@pytest.mark.parametrize(
    "body",
    [
        lambda x: le(x.f.value(x.w) + x.dot(x.f.grad(x.w), x.v - x.w), x.f.value(x.v)),  # true without it
        lambda x: le(x.sq(x.w), 0),  # false without it
    ],
    ids=["true", "false"],
)
@pytest.mark.parametrize("budget", ["quick", "standard"])
def test_conditions_that_nothing_meets_prove_nothing(impossible, body, budget):
    """A contradiction would prove anything; so would a relaxed condition prove a claim about nothing."""
    world = Points(Convex(), given=(impossible,), sizes={"m": (1, 2), "d": (1,)}, **TWO)
    control = Control("false without the condition", lambda x: le(x.sq(x.w), 0))
    v = verify(claim("planted/empty", world=world, control=control)(body), budget=budget)
    assert v.verdict in ("unknown", "vacuous"), v.verdict
    assert v.witness is None and v.trials == 0
    assert any("no draw met" in e.reason and impossible.printed in e.reason for e in v.evidence)


def test_contradictory_premises_do_not_prove():
    """Rows that contradict each other give a certificate of anything; without an instance it does not count."""
    apart = condition("|v - w|^2 <= -lam^2", lambda x: le(x.sq(x.v - x.w) + x.lam**2, 0))
    world = Points(Convex(), given=(apart,), lam=positive(LENGTH), **TWO)
    c = claim("planted/contradiction", world=world)(lambda x: le(x.lam**2, 0))
    found = (lift(c, Docket()), certify(c, Docket()))
    assert any(e.outcome in ("proves", "certifies") for e in found)
    v = verify(c)
    assert v.verdict == "unknown" and "no instance is known" in v.reason
    assert v.hypotheses["satisfiable"] is None


@pytest.mark.parametrize(
    "picked",
    [
        condition("f_1(v) <= f_1(w)", lambda x: le(x.f.value(x.v)[..., :1], x.f.value(x.w)[..., :1])),
        condition("f_1(v) <= f_1(w)", lambda x: le(x.f.value(x.v[..., :1, :])[..., 0:1], x.f.value(x.w)[..., 0:1])),
        condition("m f(v) <= sum f_i(w)", lambda x: le(x.xp.sum(x.f.value(x.v)), x.xp.sum(x.f.value(x.w)))),
    ],
    ids=["first", "first by slices", "sum"],
)
def test_a_premise_about_some_clients_is_not_taken_for_all(picked):
    """One generic client may not stand for a premise that picks or counts clients by other means than the instance's."""
    world = Points(Convex(), given=(picked,), **TWO)
    c = claim("planted/picked", world=world)(descends)
    assert lift(c, Docket()).outcome == "declines"
    assert verify(c).verdict == "refuted"


def test_rejection_reaches_the_boundary():
    """Less than one draw in ten is near; edits stay inside and find the violation at the boundary, and only there."""
    world = Points(None, given=(NEAR,), **TWO)
    for share, verdict in ((Fraction(989, 1000), "certified"), (Fraction(992, 1000), "refuted")):
        p, q = share.numerator, share.denominator
        v = decided(world, lambda x, p=p, q=q: le(x.ratio(p, q) * x.sq(x.w), x.dot(x.w, x.v)))
        assert v.verdict == verdict, v.reason


def test_draws_and_edits_are_inside():
    """Every instance of a sample and of an edit meets the condition; scalars that would break it are not kept."""
    world = Points(Smooth("L"), given=(BELOW, condition("L |w|^2 <= 1", lambda x: le(x.L * x.sq(x.w), 1))), **TWO,
                   L=positive(CURVATURE))  # fmt: skip
    rng = np.random.default_rng(0)
    seen = 0
    for shape in world.shapes(2):
        for free in world.sample(rng, shape, 3, 10):
            assert met(world, free).all() and free.vectors["w"].shape[0] == 10
            edits = world.mutate(rng, world.pick(free, 0), 10)
            assert met(world, edits).all()
            seen += 1
    assert seen > 10


def test_nothing_changes_without_conditions_at_points():
    """The draws of a world with conditions on scalars are those of one without any."""
    plain = Points(Smooth("L"), **TWO, L=positive(CURVATURE))
    stated = Points(
        Smooth("L"), given=(condition("L <= 10^12", lambda x: le(x.L, 10**12)),), **TWO, L=positive(CURVATURE)
    )
    a, b = (next(iter(w.sample(np.random.default_rng(4), w.shapes(2)[-1], 1, 3))) for w in (plain, stated))
    assert stated.at_points == () and stated.on_scalars == stated.given
    assert all(np.array_equal(a.vectors[k], b.vectors[k]) for k in a.vectors)


def test_kinds_of_conditions():
    """By the names that they use, also behind a function; derived scalars are scalars."""

    def near(x):
        return le(x.sq(x.v - x.w), x.radius**2)

    world = DerivedPoints(
        {"radius": lambda x: 2 * x.lam}, Convex(), given=(near, condition("radius <= 8", lambda x: le(x.radius, 8))),
        lam=positive(LENGTH), **TWO,
    )  # fmt: skip
    assert [c.printed for c in world.at_points] == ["near"]
    assert [c.printed for c in world.on_scalars] == ["radius <= 8"]
    assert names_of(world.at_points[0]) == ["v", "w", "radius"]
    free = world.pick(next(iter(world.sample(np.random.default_rng(0), world.shapes(1)[0], 1, 2))), 0)
    x = world.build(free.map(Fractions().scalar), Fractions())  # a draw in floats is one that meets them
    assert "near" in {r.name for r in x.given}


def test_a_name_that_is_nowhere():
    """The message lists scalars, points and functions, and the nearest name."""
    with pytest.raises(UsageError, match=r"scalars m, d, N, lam; points w, w2, w_star; functions f.*did you mean w"):
        Points(Convex(), at=("w", "w2"), optimum_of="f", lam=positive(),
               given=(condition("|w1| <= 1", lambda x: le(x.sq(x.w1), 1)),))  # fmt: skip
    with pytest.raises(UsageError, match=r"no name 'F' \(it has scalars m, d, N; points w; functions f\)"):
        Points(Convex(), given=(condition("F <= 0", lambda x: le(x.F.value(x.w), 0)),))
    with pytest.raises(UsageError, match=r"no name 'lm' \(it has scalars lam\); did you mean lam"):
        Scalars(lam=positive(), given=(condition("lm <= 1", lambda x: le(x.lm, 1)),))


def test_a_world_with_clients_of_its_own_refuses():
    """It would build them without a look at the condition."""
    still = condition("grad f(w) = 0", lambda x: eq(x.sq(x.f.grad(x.w)), 0))
    with pytest.raises(UsageError, match="HuberAndLinear takes conditions on its scalars only, got 'grad f"):
        HuberAndLinear(given=(still,), f=Smooth("L"), envelope="lam", sizes={"m": (2,)})


def test_a_condition_on_a_state():
    """In a world of steps a condition may look at what the world adds to its instances."""
    small = condition("|W| <= 1", lambda x: le(x.sq(x.state.W), 1))
    world = fedadmm_steps(given=(small,), steps=(1,))
    assert world.at_points == world.given
    free = next(iter(world.sample(np.random.default_rng(2), world.shapes(1)[0], 4, 3)))
    assert met(world, free).all()


def test_on_data():
    """Points are drawn until they meet it, and the replay lists it; one that none meets says so."""
    world = Points(Smooth("L"), given=(ON_AVERAGE,), L=positive(CURVATURE), **TWO)
    c = claim("planted/data", world=world)(lambda x: le(x.mean(x.f.value(x.v)), 2 * x.mean(x.f.value(x.w))))
    results = evaluate(c, "diabetes", instances=4)
    assert {r.outcome for r in results} == {"holds"}
    assert all(any(s.name == ON_AVERAGE.printed for s in r.replay.given) for r in results)
    never = condition("f(v) < 0", lambda x: lt(x.mean(x.f.value(x.v)), 0))
    c = claim("planted/never", world=Points(Smooth("L"), given=(never,), L=positive(CURVATURE), **TWO))(c.body)
    (result,) = evaluate(c, "diabetes", instances=1)
    assert result.outcome == "outside" and "f(v) < 0" in result.reason


@pytest.mark.parametrize("op", ["<=", "<", "=="])
@pytest.mark.parametrize("q", ["1/3", "2/3", "1/10", "1/2", "-1/3", "7", "1/3000000007", "0"])
def test_floats_are_compared_to_fractions_exactly(op, q):
    """As Python compares them, one by one: also the floats next to the fraction, on either side of it."""
    bound = Fraction(q)
    near = float(bound)
    values = np.array(
        [near, *(math.nextafter(near, to) for to in (-math.inf, math.inf)), -1e300, 1e300, 0.0, np.inf, np.nan]
    )
    compare = {"<=": operator.le, "<": operator.lt, "==": operator.eq}[op]
    floats = values.tolist()
    assert holds(Relation(bound, op, values)).tolist() == [compare(bound, v) for v in floats]
    assert holds(Relation(values, op, bound)).tolist() == [compare(v, bound) for v in floats]
