"""Intervals of one parameter against the conditions themselves, in exact arithmetic."""

import json
import math
import random
from fractions import Fraction as F

import numpy as np
import pytest

from fedtheory import Condition, le, lt
from fedtheory.catalogue import Catalogue, Parameters
from fedtheory.commands.regions import conditions_of
from fedtheory.fedtheory_check import accepted
from fedtheory.regions.advice import fewest, inside, short, shorts, suggestion
from fedtheory.regions.closed import NO_FORM, closed_form
from fedtheory.regions.empty import Emptiness, certificate_at, contradictory, emptiness
from fedtheory.regions.forms import forms
from fedtheory.regions.intervals import solve, whole_numbers
from fedtheory.registry import paper
from fedtheory.symbols import Symbol, Symbols
from fedtheory.world import positive

GIVEN = {
    "pfedme": {"L": 1, "mu": "1/2", "lam": 15, "eta": "1/200", "beta": 2, "R": 20, "S": 5, "m": 20, "T": 800, "sigma_f_sq": 1},
    "fedadmm": {"m": 64, "r": 3, "s": 1, "sigma0": "1/5", "nu": "19/20", "S": 32},
    "flame": {"m": 50, "lam": 5, "rho": "1/100", "L": 1, "S": 10},
    "dadpfl": {"m": 100, "M": 10, "eta": "1/10", "E_l": 5, "L": 1},
}  # fmt: skip
ALONE = {
    "fedadmm": [{"m": 64, "r": 3, "alpha": "1/64", "sigma": 1, "nu": "19/20", "S": 32}],
    "flame": [{"m": 50, "alpha": "1/20", "lam": 5, "rho": 2, "L": 1, "S": 10}],
}
REASONS = ("stands in an exponential",)
PARAMETERS = [
    (id, name, given) for id, first in GIVEN.items() for given in (first, *ALONE.get(id, [])) for name in given
]  # fmt: skip


def drawn(given, rng):
    """The parameters moved by powers of two, the whole ones to whole numbers."""
    out = {}
    for name, value in given.items():
        moved = F(value) * F(2) ** rng.randint(-6, 6)
        out[name] = max(F(round(moved)), F(1)) if isinstance(value, int) and name in "mSRTMk0E_l" else moved
    return out


def direct(condition, given, catalogue):
    """Whether a condition holds on Fractions; what is undefined does not hold. Within 1e-9 of a boundary with exp, None."""
    try:
        r = condition.relation(Parameters(given, catalogue.derived))
    except ZeroDivisionError:
        return False
    floats = isinstance(r.lhs, float) or isinstance(r.rhs, float)
    if floats and not math.isinf(r.rhs) and math.isclose(r.lhs, r.rhs, rel_tol=1e-9, abs_tol=1e-9):
        return None
    return r.lhs <= r.rhs if r.op == "<=" else r.lhs < r.rhs


def about(id, name, given):
    """(condition, form) of every condition on a parameter."""
    catalogue = paper(id).catalogue()
    found = forms(catalogue, conditions_of(catalogue), {k: v for k, v in given.items() if k != name}, name)
    return catalogue, [f for f in found if name in f.depends_on()]


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(("id", "name", "given"), PARAMETERS)
def test_every_parameter_of_every_condition_is_exact_or_has_a_reason(id, name, given):
    """At 60 random rational settings each: membership is that of the condition itself at points all over and at the ends."""
    rng = random.Random(f"{id} {name}")
    for _ in range(60):
        own = drawn(given, rng)
        catalogue, found = about(id, name, own)
        for f in found:
            s = solve([f], name, own)
            if s.undecided:
                why = s.undecided[0].missing
                assert any(r in why for r in REASONS) or (why == "division by zero" and own["M"] == 1), why
                continue
            points = [F(2) ** rng.randint(-40, 40) * rng.randint(1, 9) for _ in range(4)]
            for i in s.intervals:
                for root, closed in ((i.low, i.low_closed), (i.high, i.high_closed)):
                    if root is None or root.value == 0:
                        continue
                    low, high = root.between(512)
                    points += [low * (1 - F(1, 10**25)), high * (1 + F(1, 10**25))]
                    if root.value is not None:
                        points.append(root.value)
                        said = direct(f.condition, {**own, name: root.value}, catalogue)
                        assert said in (closed, None), (f.condition.printed, root.value)
            for q in points:
                expected = direct(f.condition, {**own, name: q}, catalogue)
                assert expected is None or (q in s) == expected, (f.condition.printed, name, own, q)


@pytest.mark.parametrize(("id", "name", "given"), PARAMETERS)
def test_a_condition_flips_at_the_ends_of_its_intervals(id, name, given):
    """Just inside it holds, just outside it fails, in Fractions."""
    own = {k: F(v) for k, v in given.items()}
    catalogue, found = about(id, name, own)
    for f in found:
        for i in solve([f], name, own).intervals:
            for root, side in ((i.low, 1), (i.high, -1)):
                if root is None or root.value == 0:
                    continue
                low, high = root.between(512)
                within, beyond = (high, low) if side > 0 else (low, high)
                step = 1 + side * F(1, 10**9)
                assert direct(f.condition, {**own, name: within * step}, catalogue) in (True, None)
                assert direct(f.condition, {**own, name: beyond / step}, catalogue) in (False, None)


@pytest.mark.parametrize(("id", "name", "given"), PARAMETERS)
def test_closed_forms_are_the_ends(id, name, given):
    """A formula, read as Python, has the value of the end; there is one wherever the degree is at most two."""
    own = {k: F(v) for k, v in given.items()}
    catalogue, found = about(id, name, own)
    values = {k: float(v) for k, v in own.items()} | {"sqrt": math.sqrt, "exp": math.exp}
    values |= {k: float(v(Parameters(own))) for k, v in catalogue.derived.items() if k == "alpha" and k not in own}
    for f in found:
        for i in solve([f], name, own).intervals:
            for root in (i.low, i.high):
                if root is None or root.value == 0:
                    continue
                said = closed_form(f, name, root, own)
                if NO_FORM in said:
                    assert int(said.split()[-1]) > 2
                elif "signs" not in said:
                    assert eval(said.replace("^", "**"), {}, values) == pytest.approx(float(root), rel=1e-9), said


def toy(*conditions, **more):
    """A catalogue with parameters a and b."""
    symbols = Symbols(a=Symbol("a", positive()), b=Symbol("b", positive()))
    return Catalogue(symbols, ("a", "b"), (), conditions, {}, **more)


def region(*conditions, name="a", **given):
    catalogue = toy(*conditions)
    return solve(forms(catalogue, conditions, given, name), name, given)


def test_what_is_undefined_belongs_to_no_interval():
    """A cancelled divisor, and a pole: a/a <= 1 where a is not zero; 1/(a - 2) <= 1 outside of [2, 3)."""
    pole = Condition("pole", "", lambda x: le(1 / (x.a - 2), 1))
    s = region(pole)
    assert [(i.low.value, i.low_closed, i.high and i.high.value, i.high_closed) for i in s.intervals] == [
        (0, False, 2, False), (3, True, None, False),
    ]  # fmt: skip
    cancelled = Condition("cancelled", "", lambda x: le((x.a - 2) * (x.a - 2) / (x.a - 2), x.a))
    s = region(cancelled)
    assert F(2) not in s and F(1) in s and F(3) in s and len(s.intervals) == 2


def test_a_single_point_and_an_empty_region():
    """a <= b and b <= a leave b; a < b and b < a nothing, and both are named."""
    up, down = Condition("a <= b", "", lambda x: le(x.a, x.b)), Condition("b <= a", "", lambda x: le(x.b, x.a))
    (only,) = region(up, down, b=F(3)).intervals
    assert only.low.value == only.high.value == 3 and only.low_closed and only.high_closed
    assert (only.below, only.above) == (("b <= a",), ("a <= b",)) and suggestion(only) == 3 and inside(only) == [3]
    below, above = Condition("a < b", "", lambda x: lt(x.a, x.b)), Condition("b < a", "", lambda x: lt(x.b, x.a))
    easy = Condition("a < 9", "", lambda x: lt(x.a, 9))
    s = region(easy, below, above, b=F(3))
    assert s.intervals == () and s.conflict == ("a < b", "b < a")


def test_z3_says_of_which_conditions_no_parameters_are_left():
    """a < b and b < a contradict each other for all; a < b and a > 1 at b = 1 alone."""
    below, above = Condition("a < b", "", lambda x: lt(x.a, x.b)), Condition("b < a", "", lambda x: lt(x.b, x.a))
    one = Condition("a > 1", "", lambda x: lt(1, x.a))
    found = forms(toy(below, above, one), (below, above, one), {"a": F(1), "b": F(1)})
    assert contradictory(found[:2], (), ()) is True and contradictory(found[1:], (), ()) is False
    assert contradictory([*forms(toy(), (Condition("c", "", lambda x: le(x.c, 1)),), {}), *found[:2]], (), ()) is None


def test_what_is_proved_empty_has_a_certificate_that_the_checker_accepts():
    """For all parameters, or at given numbers of the others; what is not empty has none, nor what z3 alone decides."""
    below, above = Condition("a < b", "", lambda x: lt(x.a, x.b)), Condition("b < a", "", lambda x: lt(x.b, x.a))
    far = Condition("a < 1/(2 b)", "", lambda x: lt(x.a, 1 / (2 * x.b)))
    found = forms(toy(below, above, far), (below, above, far), {"a": F(1), "b": F(1)})
    every = emptiness(found[:2], (), ())
    assert (every.empty, every.trust) == (True, "kernel") and accepted(every.certificate)[0]
    assert "a - b <= 0" in json.dumps(every.certificate) or "a - b > 0" in json.dumps(every.certificate)
    changed = json.loads(json.dumps(every.certificate).replace("a - b", "a - 2*b"))
    assert not accepted(changed)[0]
    assert emptiness([found[0], found[2]], (), ()) == Emptiness(False, "z3")
    at = [found[1], found[2]]  # b < a < 1/(2 b): empty from b = 1/sqrt(2) on
    assert emptiness(at, (), ()) == Emptiness(False, "z3") and certificate_at(at, "a", {"b": F(1, 2)}, (), ()) is None
    assert accepted(certificate_at(at, "a", {"b": F(1)}, (), ()))[0]
    assert accepted(certificate_at(at, "a", {"b": np.array([0.5, 1.0])}, (), ()))[0]  # empty for the second client
    ones = Condition("a <= 1", "", lambda x: le(x.a, 1)), Condition("a >= 1", "", lambda x: le(1, x.a))
    touching = forms(toy(*ones), ones, {"a": F(1)})
    assert emptiness(touching, (), ()).empty is False and certificate_at(touching, "a", {}, (), ()) is None  # a = 1
    low = Condition("a < 1", "", lambda x: lt(x.a, 1))
    assert emptiness(forms(toy(low), (low,), {"a": F(1)}), ("a",), ()).trust == "kernel"  # a whole number is at least 1


def test_irrational_ends_are_enclosed():
    """a^2 < 2, open at both ends, and a^3 <= 2."""
    square, cube = Condition("s", "", lambda x: lt(x.a**2, 2)), Condition("c", "", lambda x: le(x.a**3, 2))
    (i,) = region(square).intervals
    low, high = i.high.between(512)
    assert low**2 < 2 < high**2 and high - low < F(1, 10**100) and i.high.value is None
    assert F(141421356, 10**8) in i and F(141421357, 10**8) not in i
    (f,) = forms(toy(cube), (cube,), {}, "a")
    assert closed_form(f, "a", region(cube).intervals[0].high, {}) == "(2)^(1/3)"
    assert [i.above for i in region(square, cube).intervals] == [("c",)]


def test_whole_numbers_and_suggestions_are_inside():
    """Least and largest whole numbers of open and closed intervals; short numbers that are inside."""
    band = Condition("band", "", lambda x: (lt(x.b, x.a), le(x.a, 7)))
    (i,) = region(band, b=F(3)).intervals
    assert whole_numbers(i) == (4, 7) and suggestion(i, whole=True) == 7 and inside(i, whole=True) == [4, 5, 6, 7]
    (i,) = region(band, b=F("6.95")).intervals
    assert whole_numbers(i) == (7, 7) and suggestion(i) == 7
    (i,) = region(Condition("open", "", lambda x: lt(x.b, x.a)), b=F(3)).intervals
    assert whole_numbers(i) == (4, None) and suggestion(i) == 4
    (i,) = region(Condition("none", "", lambda x: (lt(3, x.a), lt(x.a, 4)))).intervals
    assert suggestion(i, whole=True) is None
    (i,) = region(Condition("below", "", lambda x: le(x.a, F(647727, 10**5) + F(1, 10**9)))).intervals
    assert suggestion(i) == 5 and list(shorts(F("6.4772701")))[7] == F("6.47")
    for q in (F(1, 3), F(99999, 10), F(1, 10**30), F(10**30) / 7):
        assert abs(short(q, 3) - q) <= q / 200


def test_the_fewest_rounds_are_no_more_than_anywhere_on_a_fine_grid():
    """Theorem 1 at its best step, against 2,000 steps of the interval."""
    catalogue = paper("pfedme").catalogue()
    given = {k: F(v) for k, v in GIVEN["pfedme"].items() if k not in ("eta", "T")}
    given |= {"delta": F(0), "sigma_F1_sq": F(1), "Delta_0": F(1), "Delta_F": F(1)}
    theorem = next(t for t in catalogue.theorems if t.name == "Theorem 1")
    s = solve(forms(catalogue, theorem.conditions[:-1], given, "eta"), "eta", given)
    best = fewest(catalogue, theorem.bounds[:1], given, "eta", s.intervals, 0.1)
    assert best.value in s
    from fedtheory.regions.advice import rounds_of

    top = float(s.intervals[0].high)
    numbers = {k: float(v) for k, v in given.items()}
    steps = [top * 10 ** (-6 * k / 2000) for k in range(2001)]
    least = min(rounds_of(best.bound, Parameters({**numbers, "eta": e}, catalogue.derived), 0.1) for e in steps)
    assert best.rounds <= 1.02 * least


def test_a_bound_below_zero_promises_nothing():
    """Theorem 3 of DA-DPFL where it divides by a negative number: no rounds, and those found lie where it does not."""
    catalogue = paper("dadpfl").catalogue()
    given = {"m": F(100), "M": F(10), "E_l": F(5), "L": F(1), "gap": F(1)}
    given |= {f"sigma_{k}_sq": F(0) for k in "lgp"}
    (theorem,) = (t for t in catalogue.theorems if t.name == "Theorem 3")
    s = solve(forms(catalogue, theorem.conditions, given, "eta"), "eta", given)
    best = fewest(catalogue, theorem.bounds, given, "eta", s.intervals, 0.1)
    assert best.rounds > 1000 and best.value < F(19, 10000)


@pytest.mark.parametrize("id", GIVEN)
def test_theorems_stand_on_their_bounds_conditions_and_tune_known_parameters(id):
    """What a bound asks for its theorem states; the tuned parameters and the rounds are of the catalogue."""
    catalogue = paper(id).catalogue()
    for t in catalogue.theorems:
        assert all(set(b.conditions) <= set(t.conditions) for b in t.bounds)
    assert {*catalogue.tuned, *filter(None, [catalogue.rounds])} <= set(catalogue.parameters)
    assert {b.where for b in catalogue.bounds} <= {b.where for t in catalogue.theorems for b in t.bounds}


def test_the_repaired_rates_of_pfedme_by_hand():
    """(35) with L_F C_3, and twice (44) with L_F^2 C_4 and 2 sigma_{F,2}^2, on Fractions."""
    catalogue = paper("pfedme").catalogue()
    given = {"L": F(1), "mu": F(1, 2), "lam": F(4), "eta": F(1, 10), "beta": F(2), "R": F(3), "S": F(5), "m": F(20)}
    given |= {"delta": F(1, 3), "sigma_F1_sq": F(7), "sigma_f_sq": F(5), "Delta_0": F(11), "Delta_F": F(13)}
    x = Parameters(given, catalogue.derived)
    rates = {t.name: t.bounds[0].right for t in catalogue.theorems if t.bounds}
    step, C3 = F(3, 5), 256 * (63 + F(16, 9)) * 9 / 3
    more = rates["Theorem 1, repaired"](x, math.inf) - rates["Theorem 1"](x, math.inf)
    assert more == pytest.approx(float((4 - 1) * step**2 / 4 * C3), rel=1e-12)
    variance = 2 * 10  # sigma_{F,2}^2 = 5 16/8
    C4, C5 = F(16) * (9 * variance + F(32, 9)) / 3, 3 * F(4) * variance / 2 * F(3, 19)
    assert rates["Theorem 2, repaired"](x, 6) == 2 * (13 / (step * 6) + step**2 / 4 * 16 * C4 + step * C5 + F(32, 9))


def test_the_descent_of_flames_repaired_lemma_is_that_its_coefficients_are_negative():
    """2 a^2/rho - (a + rho)/2 and 2 a^2/rho + alpha (L - lam)/2 + a/4 with a = lam alpha, at 1,000 random settings."""
    catalogue, rng = paper("flame").catalogue(), random.Random(0)
    in_w, in_theta = next(t for t in catalogue.theorems if "repaired" in t.name).conditions[:2]
    for _ in range(1000):
        given = {n: F(2) ** rng.randint(-6, 6) * rng.randint(1, 7) for n in ("lam", "rho", "L", "alpha")}
        a, x = given["lam"] * given["alpha"], Parameters(given)
        coupling = 2 * a**2 / given["rho"]
        assert direct(in_w, given, catalogue) == (coupling - (a + given["rho"]) / 2 < 0)
        in_theta_coefficient = coupling + x.alpha * (x.L - x.lam) / 2 + a / 4
        assert direct(in_theta, given, catalogue) == (in_theta_coefficient < 0)
