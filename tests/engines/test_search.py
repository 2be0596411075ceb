"""The search: small rationals first, the same witness everywhere, random hunts for what is rare, and the power of both."""

import dataclasses
from fractions import Fraction

import numpy as np
import pytest
from planted import FALSE, HARD, TRUE

from fedtheory import Control, claim, eq, le, lt, verify
from fedtheory.engines.budget import BUDGETS, Search
from fedtheory.engines.context import Docket
from fedtheory.engines.counterexamples.exact import judge, replay
from fedtheory.engines.counterexamples.hunt import Hunt, ranked
from fedtheory.engines.counterexamples.refutation import shrink, simplicity
from fedtheory.engines.counterexamples.witness import free_of
from fedtheory.engines.search.engine import power, search, searched
from fedtheory.engines.search.parameters import _given_points
from fedtheory.engines.search.small import simple
from fedtheory.errors import NotApplicable
from fedtheory.numbers import Floats
from fedtheory.testing import assert_holds
from fedtheory.units import CURVATURE, LENGTH
from fedtheory.verdict import Evidence
from fedtheory.world import Free
from problems import Points, Scalars, Smooth, SmoothConvex, SmoothStronglyConvex, condition, positive

NO = Control("a and b are any numbers", lambda x: le(x.a, x.b))
PAIR = Scalars(a=positive(), b=positive())
STRONG = Points(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", mu=positive(CURVATURE), L=positive(CURVATURE),
    given=(condition("mu < L", lambda x: lt(x.mu, x.L)),),
)  # fmt: skip


def pair(body, control=NO, world=PAIR):
    return claim("draft/x", world=world, control=control)(body)


def too_long(x):
    after = x.w - 2 / x.L * x.mean_vec(x.f.grad(x.w))
    return le(x.sq(after - x.w_star), (1 - x.mu / x.L) * x.sq(x.w - x.w_star))


def test_a_simple_false_claim_has_one_witness_for_every_seed_and_backend(backend):
    """So the README is true on every processor."""
    _, xp, device = backend
    c = claim("draft/step", world=STRONG)(too_long)
    witnesses = [verify(c, seed=seed, xp=xp, device=device).witness for seed in (0, 1, 2)]
    assert all(w["scalars"] == {"mu": "1", "L": "2"} and (w["lhs"], w["rhs"]) == ("1", "1/2") for w in witnesses)
    assert witnesses[0] == witnesses[1] == witnesses[2]


def test_simple_instances_are_exact_and_small():
    hunt = Hunt(too_long, STRONG)
    seen = simple(hunt, 500, 2, 2)
    assert seen.refuting and all(slack < 0 for slack, _ in seen.refuting)
    allowed = {Fraction(n, 2) for n in (-4, -2, -1, 0, 1, 2, 4)}
    for _, free in seen.refuting:
        assert free.shape == {"m": 1, "d": 1}
        assert {v for a in free.vectors.values() for v in a.flat} <= allowed
        assert replay(too_long, STRONG, free).outcome == "refutes"


def test_a_strict_relation_fails_where_floats_cannot_tell():
    """1/3 + 1/3 + 1/3 < 1 is decided exactly, whatever the rounding."""
    seen = simple(Hunt(lambda x: lt(x.a / 3 + x.a / 3 + x.a / 3, x.a), PAIR), 500, 2, 2)
    assert len(seen.refuting) == seen.judged > 0


def test_simple_instances_decide_no_true_claim():
    for c in TRUE:
        assert not simple(Hunt(c.body, c.world, owner=c.id), 200, 2, 2).refuting, c.id


def test_what_is_rare_is_left_to_the_hunt():
    """No small rational violates it; the random search walks there."""
    c = next(c for c in FALSE if c.id == "planted/kappa-root-far")
    seen = searched(c, c.body, Docket())
    assert not seen.simple.refuting and seen.simple.trials and seen.refutes and seen.hunt.refuted is not None


def test_a_proof_is_cross_checked_briefly_and_at_random_only():
    docket, whole = Docket().cross_check(), BUDGETS["quick"].instances
    assert (docket.limits.simple, docket.limits.replays, docket.limits.instances) == (0, 1, whole // Search.checked)
    body = pair(lambda x: le(x.a, x.a + x.b))
    proof = Evidence("smt", "proves")
    assert search(body, Docket().after(proof)).figures["trials"] < search(body, Docket()).figures["trials"] / 2


CONVEX = Points(SmoothConvex("L"), optimum_of="f", L=positive(CURVATURE))
GAPS = {
    "the gap": lambda x, k: le(
        k * x.sq(x.mean_vec(x.f.grad(x.w))), 2 * x.L * x.mean(x.f.value(x.w) - x.f.value(x.w_star))
    ),
    "cocoercive": lambda x, k: le(k * x.sq(g := x.mean_vec(x.f.grad(x.w))), x.L * x.dot(g, x.w - x.w_star)),
}


@pytest.mark.parametrize("name", GAPS)
@pytest.mark.parametrize("k", [2, 5, 400])
def test_a_cross_check_sees_past_the_noise_of_what_cancels(name, k):
    """Near the minimiser both sides are rounding, and by their slack such instances come first."""
    for seed in (0, 4, 8, 13):
        docket = Docket(seed=seed).cross_check()
        assert search(claim("draft/lie", world=CONVEX)(lambda x: GAPS[name](x, k)), docket).outcome == "refutes"
        assert search(claim("draft/step", world=CONVEX)(lambda x: GAPS[name](x, 1)), docket).witness is None


def test_rounding_noise_leads_nowhere():
    """An equality in floats looks violated; every negative slack is replayed and the claim stands."""
    noisy = pair(lambda x: le((x.a + x.b) ** 2, x.a**2 + 2 * x.a * x.b + x.b**2))
    seen = searched(noisy, noisy.body, Docket())
    assert seen.hunt.judged and not seen.refutes and (seen.hunt.min_slack or 0) >= 0


def test_conditions_are_met_while_searching():
    world = Scalars(a=positive(), b=positive(), given=(condition("a <= b", lambda x: le(x.a, x.b)),))
    free = Free({}, {"a": np.array([[1.0], [2.0]]), "b": np.array([[2.0], [1.0]])})
    batch = ranked(lambda x: le(x.b, x.a), world, free, Floats(), "")
    assert batch.met.tolist() == [True, False] and batch.slack[0] == -1 / 3 and np.isinf(batch.slack[1])


def test_sides_that_are_undefined_are_counted_and_refute_nothing():
    c = pair(lambda x: le(x.log(x.a - x.b), x.a))
    e = search(c, Docket())
    assert "a side is undefined at" in e.figures["domain"] and e.witness is None


def test_conditions_that_no_draw_meets_are_declined():
    narrow = condition("a = b", lambda x: (lt(x.a, x.b), lt(x.b, x.a)))
    c = pair(lambda x: le(x.a, x.b), world=Scalars(a=positive(), b=positive(), given=(narrow,)))
    with pytest.raises(NotApplicable):
        searched(c, c.body, Docket())
    e = search(c, Docket())
    assert (e.engine, e.outcome) == ("falsify", "declines") and "no draw" in e.reason


def test_a_search_that_found_nothing_is_silent_until_its_control_is_asked():
    c = pair(lambda x: le(2 * x.sqrt(x.a * x.b), x.a + x.b))
    e = search(c, Docket())
    assert e.outcome == "silent" and e.numbers["trials"] == e.figures["trials"] > 0
    said = power(c, Docket().after(e))
    assert (said.outcome, said.rests_on[0].engine, said.rests_on[0].outcome) == ("supports", "control", "refutes")
    weak = dataclasses.replace(c, control=Control("true", lambda x: le(x.a, x.a + x.b)))
    left = power(weak, Docket().after(e))
    assert (left.engine, left.outcome) == ("control", "declines")
    assert left.reason == "no power: the search did not refute the control (true)"
    assert power(c, Docket()).outcome == "silent"


DEFAULT = {
    "tight": (lambda x: le(2 * x.sqrt(x.a * x.b), x.a + x.b), "by default: the right side halved"),
    "never within a factor of two": (lambda x: le(x.sqrt(x.a), 9 * x.sqrt(x.a)), "by default: the sign turned"),
    "an equality": (lambda x: eq(x.sqrt(x.a * x.a), x.a), "by default: the right side halved"),
    "no power": (lambda x: le(0 * x.sqrt(x.a), 0 * x.b), None),
}


@pytest.mark.parametrize("name", DEFAULT)
def test_a_claim_without_a_control_is_held_against_a_default_one(name):
    body, because = DEFAULT[name]
    bare = dataclasses.replace(pair(body), control=None)
    said = power(bare, Docket().after(search(bare, Docket())))
    if because is None:
        assert said.outcome == "declines" and said.reason == (
            "no power: the search did not refute the control (by default: the right side halved, by default: the sign turned), "
            'so give one that you know to be false: control=Control("why", share="9/10") for def body(x, share=1), '
            'or Control("why", body)'
        )
    else:
        assert said.outcome == "supports" and said.rests_on[0].reason == f"the control is refuted: {because}"


@pytest.mark.parametrize("case", [*FALSE[:6], *HARD[:3]], ids=lambda c: c.id)
def test_the_hunt_is_deterministic(case):
    seen = [searched(case, case.body, Docket(seed=3)).hunt for _ in range(2)]
    assert (seen[0].trials, seen[0].min_slack, seen[0].worst) == (seen[1].trials, seen[1].min_slack, seen[1].worst)


def test_a_witness_keeps_refuting_while_it_shrinks():
    c = pair(lambda x: le(x.a, x.b))
    free = Free({}, {"a": Fraction(31415926, 10**7), "b": Fraction(1234567, 10**9)})
    small, result = shrink(c, free)
    assert result.outcome == "refutes" and simplicity(small) < simplicity(free)
    assert simplicity(small) <= (2, 4)


def test_a_witness_may_change_its_units():
    """lam = 1/10 and eta = 10 become numbers that are shorter to read."""
    c = claim("draft/units", world=Scalars(lam=positive(CURVATURE), mu=positive(CURVATURE)))(
        lambda x: le(21 * x.lam, 10 * x.mu)
    )
    small, _ = shrink(c, Free({}, {"lam": Fraction(1, 20), "mu": Fraction(1, 10)}))
    assert simplicity(small)[1] <= 2


def test_a_witness_is_told_in_units_in_which_its_parameters_are_one():
    """delta = 3500 is 1 in another unit of length, and lam is 1 again in another unit of f."""
    c = claim("draft/units", world=Scalars(lam=positive(CURVATURE), delta=positive(LENGTH), low=positive(LENGTH)))(
        lambda x: le(x.lam * x.low**2, x.lam * x.delta**2)
    )
    small, _ = shrink(c, Free({}, {"lam": Fraction(1), "delta": Fraction(3571), "low": Fraction(2 * 3571)}))
    assert small.scalars == {"lam": 1, "delta": 1, "low": 2}


def test_a_witness_is_replayed_once_at_every_instance(monkeypatch):
    c = pair(lambda x: le(x.a, x.b))
    free = Free({}, {"a": Fraction(31415926, 10**7), "b": Fraction(1234567, 10**9)})
    asked = []

    def judged(body, world, instance, owner):
        asked.append(tuple(instance.scalars.values()))
        return judge(body, world, instance, owner)

    monkeypatch.setattr("fedtheory.engines.counterexamples.refutation.judge", judged)
    known = {}
    assert shrink(c, free, known)[0] == shrink(c, free, known)[0]
    assert len(asked) == len(set(asked)) == len(known) > 5


def test_rational_parameters_go_on_where_they_stopped():
    few = STRONG.grid({"m": 1, "d": 1}, 3)
    more = STRONG.grid({"m": 1, "d": 1}, 9)
    assert len(more) == 9 and more[:3] == few and len({tuple(row.values()) for row in more}) == 9
    again = Points(STRONG.f, optimum_of="f", given=STRONG.given, **STRONG.scalars)
    assert more == again.grid({"m": 1, "d": 1}, 9)


def test_the_witness_is_that_of_the_report():
    v = verify(claim("draft/step", world=STRONG)(too_long))
    result = replay(too_long, STRONG, free_of(v.witness, STRONG))
    assert result.outcome == "refutes" and str(result.worst.rhs) == v.witness["rhs"]


def test_no_points_are_given_where_no_draw_meets_their_conditions():
    """|w|^2 > 10^9 |w|^2 + 1 is met nowhere; an instance without its points could not be built."""
    nowhere = condition("far", lambda x: le(10**9 * x.sq(x.w) + 1, x.sq(x.w)))
    world = Points(Smooth("L"), L=positive(CURVATURE), given=(nowhere,))
    assert list(_given_points(world, BUDGETS["quick"])) == []
    assert list(_given_points(Points(Smooth("L"), L=positive(CURVATURE)), BUDGETS["quick"]))


def test_ratios_of_whole_numbers_of_numpy():
    """As those of Python."""
    body = lambda x: le(x.ratio(np.int64(2), np.int32(1)) * x.a * x.b, x.a**2 + x.b**2)  # noqa: E731
    v = verify(claim("draft/whole", world=Scalars(a=positive(), b=positive()))(body))
    assert v.verdict == "proved", v.reason


def test_a_backend_without_large_integers_leaves_a_batch_to_numpy():
    """torch takes no whole number beyond 64 bits."""
    import array_api_strict as xp

    def refused(x):
        if not isinstance(x.a, np.ndarray):
            raise OverflowError("int too big to convert")
        return le(x.a * 10**70, x.b)

    (free,) = PAIR.sample(np.random.default_rng(0), {}, 1, 8)
    here, there = (ranked(refused, PAIR, free, Floats(space), "") for space in (None, xp))
    assert (here.slack == there.slack).all() and here.met.all() and there.met.all()


def test_numbers_of_thousands_of_digits_are_shown_and_support_nothing():
    """Python writes no integer of more than 4300 digits, and no float is as large."""
    huge = 10**5000
    found = verify(pair(lambda x: le(x.a**4, 10**3000 * x.a**3), None, Scalars(a=positive())))
    assert found.verdict == "refuted" and "e+" in str(found.witness["lhs"])
    found = verify(pair(lambda x: le(x.a**2, huge * x.a), None))
    assert found.verdict == "unknown" and "floats" in found.reason
    assert verify(pair(lambda x: (le(x.b, huge * x.b), le(huge * x.a, x.a)), None)).verdict == "refuted"
    with pytest.raises(AssertionError, match=r"e\+5000"):
        assert_holds(le(Fraction(huge), 1))
