"""Lifted certificates: proofs for all parameters and every number of clients, and what must not be proved."""

from dataclasses import replace
from fractions import Fraction

import pytest
from planted import FALSE, HARD, TRUE

from fedtheory import Control, claim, eq, le, lt
from fedtheory.engines.budget import BUDGETS
from fedtheory.engines.certificates.sdp import multipliers, positivity
from fedtheory.engines.certificates.signs import Signs
from fedtheory.engines.context import Docket
from fedtheory.engines.prove import symbolic as lifting
from fedtheory.engines.prove.symbolic import lift
from fedtheory.errors import NotApplicable
from fedtheory.gram.ratio import Ratio, at, factors, symbols
from fedtheory.units import CURVATURE
from problems import Convex, Points, Scalars, StronglyConvex, condition, positive
from proofs_checks import claims

NO = Control("not used here", lambda x: le(1, 0))
PROVED = ["prop1a", "prop1b", "prop1c", "lemma2a", "lemma2b", "lemma4"]


def thorough(stored=None):
    """A docket that lets sizes be listed, with the limits of the quick budget."""
    return Docket(replace(BUDGETS["quick"], thorough=True), stored={} if stored is None else stored)


def lifted(body, world, stored=None):
    return lift(claim("draft/x", world=world, control=NO)(body), thorough(stored))


@pytest.mark.parametrize("name", PROVED)
def test_published_lemmas_are_proved_for_every_parameter_and_number_of_clients(name, certificates):
    e = lift(claims()[f"pfedme/{name}"], thorough(dict(certificates)))
    assert (e.outcome, e.scope) == ("proves", "all"), e.reason


def test_the_multiplier_is_a_function_of_the_parameters():
    e = lift(claims()["pfedme/lemma2a"], thorough())
    assert e.numbers["multipliers"]["every m, m >= 2"] == [{"mean of interpolation[0] 1 0": "4*lam"}]


@pytest.mark.parametrize("case", [*FALSE, *HARD], ids=lambda c: c.id)
def test_no_planted_false_claim_is_proved(case):
    assert lift(case, thorough()).outcome == "declines"


def test_some_planted_true_claims_are_proved():
    proved = [c.id for c in TRUE if lift(c, thorough()).outcome == "proves"]
    assert len(proved) >= 5, proved


VECTORS = Points(None, at=("w",), clients_at=("u",))


def jensen(x):
    return le(x.sq(x.mean_vec(x.u)), x.mean(x.sq(x.u)))


def variance(x):
    return eq(x.mean(x.sq(x.u - x.mean_vec(x.u))), x.mean(x.sq(x.u)) - x.sq(x.mean_vec(x.u)))


def cauchy_schwarz_over_m(x):
    return le(x.sq(x.total_vec(x.u)), x.m * x.total(x.sq(x.u)))


def one_client_in_the_total(x):
    return le(x.sq(x.u), x.total(x.sq(x.u)))


def deviation_of_one(x):  # attained: one client away from all others
    return le(x.m * x.sq(x.u - x.mean_vec(x.u)), (x.m - 1) * x.total(x.sq(x.u - x.mean_vec(x.u))))


@pytest.mark.parametrize("body", [jensen, variance, cauchy_schwarz_over_m, one_client_in_the_total, deviation_of_one])
def test_facts_about_any_vectors(body):
    e = lifted(body, VECTORS)
    assert e.outcome == "proves", e.reason
    assert e.engine == ("symbolic" if body is variance else "lift")


def too_small_a_total(x):
    return le(x.sq(x.total_vec(x.u)), (x.m - Fraction(1, 100)) * x.total(x.sq(x.u)))


def deviation_too_tight(x):
    return le(x.m * x.sq(x.u - x.mean_vec(x.u)), (x.m - 2) * x.total(x.sq(x.u - x.mean_vec(x.u))))


def builtin_sum(x):
    return le(sum(x.sq(x.u)), x.sq(x.mean_vec(x.u)) * 100)


def array_sum(x):
    return le(x.total(x.sq(x.u)), x.xp.sum(x.sq(x.u), axis=-1, keepdims=True))


def vector_sum(x):
    return le(x.sq(x.xp.sum(x.u, axis=-2, keepdims=True)), x.mean(x.sq(x.u)))


def counted_by_shape(x):  # a generic client has length one
    return le(x.mean(x.sq(x.u)) * x.u.shape[-2], x.mean(x.sq(x.u)))


def counted_by_len(x):
    return le(x.mean(x.sq(x.u)) * len(x.sq(x.u)), x.mean(x.sq(x.u)))


def every_client_is_the_first(x):
    return le(x.sq(x.u), x.sq(x.u[..., :1, :]))


def extreme(x):
    return le(x.max(x.sq(x.u)), x.mean(x.sq(x.u)))


@pytest.mark.parametrize(
    "body",
    [
        too_small_a_total, deviation_too_tight, builtin_sum, array_sum, vector_sum, counted_by_shape, counted_by_len,
        every_client_is_the_first, extreme,
    ],
)  # fmt: skip
def test_what_holds_for_one_client_only_is_not_proved(body):
    assert lifted(body, VECTORS).outcome == "declines"


def test_a_branch_on_a_parameter_is_not_proved():
    world = Points(None, clients_at=("u",), lam=positive())

    def branching(x):
        return le(x.sq(x.u), x.sq(x.u) * (2 if x.lam > 1 else 1))

    def truth(x):
        return le(x.sq(x.u) * (1 if x.lam - 1 else 2), x.sq(x.u))

    assert lifted(branching, world).outcome == "declines"
    assert lifted(truth, world).outcome == "declines"


def test_a_side_that_is_undefined_everywhere_is_not_proved():
    world = Points(None, clients_at=("u",), lam=positive())
    e = lifted(lambda x: le(x.sq(x.u), x.sq(x.u) / (x.lam - x.lam)), world)
    assert (e.outcome, e.reason) == ("declines", "a side is undefined for all parameters")


@pytest.mark.parametrize("k, expected", [(4, "proves"), (Fraction(399, 100), "declines")])
def test_the_constant_of_smoothness_of_the_envelope_is_sharp(k, expected):
    world = Points(Convex(), envelope="lam", at=("w", "v"), lam=positive(CURVATURE))

    def body(x):
        return le(4 * x.sq(x.F.grad(x.w) - x.F.grad(x.v)), k * x.lam**2 * x.sq(x.w - x.v))

    assert lifted(body, world).outcome == expected


def test_conditions_decide_signs():
    world = {"a": positive(), "b": positive()}
    ordered = Scalars(given=(condition("a < b", lambda x: lt(x.a, x.b)),), **world)
    free = Scalars(**world)
    p = symbols(["a", "b"])
    for value, where, positive_there in ((p["b"] - p["a"], ordered, True), (p["b"] - p["a"], free, False)):
        assert Signs(where, {}, (), 100_000).positive(value) is positive_there
    signs = Signs(ordered, {}, (), 100_000)
    assert signs.defined(1 / (p["b"] - p["a"]))
    assert not Signs(free, {}, (), 100_000).defined(1 / (p["b"] - p["a"]))
    assert signs.nonnegative((p["a"] - p["b"]) ** 2) and not signs.positive(p["a"] - p["b"])


def test_a_closed_range_includes_its_end():
    from fedtheory.world import Scalar

    world = Scalars(a=Scalar(low=0, closed=True))
    a = symbols(["a"])["a"]
    signs = Signs(world, {}, (), 100_000)
    assert signs.nonnegative(a) and not signs.positive(a) and not signs.defined(1 / a)


def test_stored_multipliers_are_checked_not_believed(monkeypatch):
    c, stored = claims()["pfedme/lemma2a"], {}
    assert lift(c, thorough(stored)).outcome == "proves"
    monkeypatch.setattr(lifting, "propose", lambda *a: None)
    assert lift(c, thorough(dict(stored))).outcome == "proves"
    wrong = {k: [{name: "3*lam" for name in m} for m in v] for k, v in stored.items()}
    assert lift(c, thorough(wrong)).outcome == "declines"


@pytest.mark.parametrize(
    "text", ["__import__('os')", "lam.__class__", "lam if lam else 1", "open", "lam**lam", "1.5", ""]
)
def test_multipliers_are_arithmetic_only(text):
    with pytest.raises(NotApplicable):
        multipliers.parse(text, symbols(["lam"]))


def test_rational_functions_are_exact():
    a, b = symbols(["a", "b"]).values()
    assert a - a == Fraction(0) and not isinstance(a / a, Ratio)
    assert at((a + b) / (a - b), {"a": Fraction(1, 2), "b": Fraction(3)}) == Fraction(-7, 5)
    constant, parts = factors((a * a - b * b) / (2 * a))
    assert constant == Fraction(1, 2) and sorted(e for _, e in parts) == [-1, 1, 1]
    with pytest.raises(ZeroDivisionError):
        at(1 / (a - b), {"a": Fraction(1), "b": Fraction(1)})
    with pytest.raises(NotApplicable):
        bool(a < b)


def test_without_z3_simple_signs_still_prove(monkeypatch):
    def missing():
        raise NotApplicable("no z3")

    monkeypatch.setattr(Signs, "_unsat", lambda self, p, op: missing())
    assert lifted(jensen, VECTORS).outcome == "proves"
    assert lift(claims()["pfedme/lemma2b"], Docket(replace(BUDGETS["quick"], rlimit=1))).outcome == "declines"


def test_strong_convexity_needs_its_modulus():
    world = Points(StronglyConvex("mu"), at=("w", "v"), mu=positive(CURVATURE))

    def monotone(x, factor=1):
        return le(factor * x.mu * x.sq(x.w - x.v), x.dot(x.f.grad(x.w) - x.f.grad(x.v), x.w - x.v))

    assert lifted(monotone, world).outcome == "proves"
    assert lifted(lambda x: monotone(x, Fraction(11, 10)), world).outcome == "declines"


def test_multipliers_have_to_be_nonnegative_and_defined_on_the_region():
    world = Scalars(a=positive(), b=positive())
    p, signs = symbols(["a", "b"]), Signs(world, {}, (), 100_000)
    a, b = p["a"], p["b"]
    square, rows = {("G", 0, 0): Fraction(1)}, {"f": {("G", 0, 0): Fraction(1)}}

    def proved(target, multiplier):
        return positivity.proves(target, rows, {"f": multiplier}, signs)

    assert proved(square, Fraction(1)) and proved({("G", 0, 0): a}, a)
    assert not proved({("G", 0, 0): Fraction(-1)}, Fraction(-1))  # what is left is zero
    assert not proved({("G", 0, 0): a - b}, a - b)
    assert not proved({("G", 0, 0): 1 / (a - b) ** 2}, 1 / (a - b) ** 2)
    assert not positivity.proves({**square, (): Fraction(-1)}, rows, {}, signs)


def test_a_search_that_divides_by_zero_makes_no_side_undefined(monkeypatch):
    """Else a case would be left out, and the others be all that there are."""

    def divides(target, setting, known):
        raise ZeroDivisionError

    true = claim("draft/true", world=Points(None, at=("u",)))(lambda x: le(0, x.sq(x.u)))
    assert lift(true, Docket()).outcome == "proves"
    monkeypatch.setattr(lifting, "_prove", divides)
    assert lift(true, Docket()).outcome == "declines"
