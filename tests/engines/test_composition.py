"""Theorems for every length, and theorems that are given lemmas: true ones are proved, planted false ones never are."""

from dataclasses import replace
from fractions import Fraction

import pytest

import fedtheory
from fedtheory import Control, claim, eq, le, lemma, lt
from fedtheory.engines.docket import Docket
from fedtheory.engines.induction import induction
from fedtheory.errors import UsageError
from fedtheory.fedtheory_check import accepted
from fedtheory.premise import Change, Following, Inherent
from fedtheory.referee import decide, ledger
from fedtheory.referee.composition import compose, with_lemmas
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP, VALUE
from problems import (
    Points,
    Scalars,
    Sequences,
    SmoothConvex,
    SmoothStronglyConvex,
    at_least,
    between,
    condition,
    positive,
)
from problems.worlds.derived import DerivedScalars

SHARE = between(0, 1, closed=False)
D = {"D": at_least(0)}
CONTRACTS = condition("D_{t+1} <= q D_t", lambda x, t: le(x.D[t + 1], x.q * x.D[t]))
CONTRACTION = Sequences("T", q=SHARE, sequences=D, every=(CONTRACTS,))
UP_TO_ONE = condition("a <= 1", lambda x: le(x.a, 1))
SMALL = Sequences("T", a=positive(), given=(UP_TO_ONE,))


def made(body, world, id="draft/x", **options):
    return claim(id, world=world, **options)(body)


# a theorem of gradient descent from its one step

STEP_SIZE = condition("eta L <= 1", lambda x: le(x.eta * x.L, 1))
RANGES = {"mu": positive(CURVATURE), "L": positive(CURVATURE), "eta": positive(STEP)}


def away(x):
    return x.sq(x.w - x.w_star)


def after_a_step(x, of):
    return of(x.at(w=x.w - x.mean_vec(x.f.grad(x.w)) * x.eta))


def after_no_step(x, of):
    return of(x)


def contracts(x, t, share=1):
    return le(x.D[t + 1], (1 - share * x.eta * x.mu) * x.D[t])


def one_step(share=1, given=(STEP_SIZE,), id="draft/one-step"):
    world = Points(SmoothStronglyConvex("mu", "L"), optimum_of="f", given=given, **RANGES)
    return made(lambda x: le(after_a_step(x, away), (1 - share * x.eta * x.mu) * away(x)), world, id)


def descent(first, says=contracts, *, given=(STEP_SIZE,), then=after_a_step, id="draft/descent", **options):
    used = lemma(first, says, meaning={"D": away}, then=then)
    order = condition("mu < L", lambda x: lt(x.mu, x.L))
    world = Sequences("T", sequences={"D": at_least(0, LENGTH**2)}, every=(used,), given=(*given, order), **RANGES)
    return made(lambda x: le(x.D[x.T], x.exp(-x.eta * x.mu * x.T) * x.D[0]), world, id, **options)


def test_a_rate_for_every_number_of_steps_from_one_step():
    v = fedtheory.verify(descent(one_step()))
    assert (v.verdict, v.trust, v.tier, v.scope) == ("proved", "kernel", "induction", "all")
    assert v.given == [{"id": "draft/one-step", "verdict": "proved", "trust": "kernel"}]
    assert accepted(v.certificate)[0]


TRUE = {
    "geometric sum": made(
        lambda x: eq(x.sum(lambda t: x.q**t, x.T), (1 - x.q**x.T) / (1 - x.q)),
        Sequences("T", q=SHARE, first=0, lengths=(0, 1, 2)),
    ),
    "contraction": made(lambda x: le(x.D[x.T], x.q**x.T * x.D[0]), CONTRACTION),
    "bernoulli": made(lambda x: le(1 + x.T * x.a, (1 + x.a) ** x.T), SMALL),
    "exponential": made(lambda x: le((1 - x.a) ** x.T, x.exp(-x.a * x.T)), SMALL),
    "telescoping": made(
        lambda x: le(x.sum(lambda t: x.e[t], x.T) + x.D[x.T], x.D[0]),
        Sequences("T", sequences={**D, "e": at_least(0)}, every=(condition("", lambda x, t: le(x.D[t + 1] + x.e[t], x.D[t])),)),
    ),
    "a window of the sum": made(
        lambda x: le(x.sum(lambda t: x.D[t], x.T - 1), x.sum(lambda t: x.D[t], x.T)), Sequences("T", sequences=D)
    ),
    "exp at numbers": made(lambda x: (le(x.exp(1), 3), le(2 * x.exp(-1), 1)), Scalars(a=positive())),
    "a logarithm": made(lambda x: le(x.log(1 + x.a), x.a), Scalars(a=positive())),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_true_ones_are_proved(name):
    v = fedtheory.verify(TRUE[name])
    assert (v.verdict, v.scope) == ("proved", "all"), v.reason
    assert v.trust == "kernel"


def twice(f):
    """A sum over two indices that both run below the length."""
    return lambda x: x.sum(lambda t: x.sum(lambda s: f(x, t, s), x.T), x.T)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda x, t, s: x.D[t] * x.D[s], lambda x, t, s: x.D[s] * x.D[s]),
        (lambda x, t, s: x.D[t] * x.D[s], lambda x, t, s: x.D[t] * x.D[t]),
        (lambda x, t, s: x.q**t * x.q**s, lambda x, t, s: x.q**s * x.q**s),
        (lambda x, t, s: x.D[t + 1] * x.D[s], lambda x, t, s: x.D[t] * x.D[t + 1]),
        (lambda x, t, s: x.D[t] / (1 + x.D[s]), lambda x, t, s: x.D[s] / (1 + x.D[s])),
    ],
)
def test_a_sum_within_a_sum_has_an_index_of_its_own(one, other):
    """At no length is the square of a sum the sum of squares; what is hidden up to length three is not proved for all."""
    world = Sequences("T", sequences={"D": at_least(0)}, q=SHARE)
    same = made(lambda x: eq(twice(one)(x), twice(one)(x)), world)
    assert fedtheory.verify(same).verdict == "proved"
    lie = made(lambda x: eq(twice(one)(x), twice(other)(x)), world)
    assert induction(lie, Docket()).outcome == "declines" and fedtheory.verify(lie).verdict == "refuted"
    hidden = made(lambda x: eq((x.T - 1) * (x.T - 2) * (x.T - 3) * (twice(one)(x) - twice(other)(x)), 0), world)
    assert induction(hidden, Docket()).outcome == "declines" and fedtheory.verify(hidden).verdict != "proved"


@pytest.mark.parametrize("name", ["j", "t", "k", "index"])
def test_no_name_of_the_length_is_that_of_an_index_of_a_sum(name):
    """The sum of D[t] is not n D[n]."""
    world = Sequences(name, sequences={"D": at_least(0)})

    def body(x):
        n = getattr(x, name)
        return eq(x.sum(lambda t: x.D[t], n), x.sum(lambda t: x.D[n], n))

    lie = made(body, world)
    assert induction(lie, Docket()).outcome == "declines" and fedtheory.verify(lie).verdict == "refuted"


HALF_AT_ONCE = condition("a T >= 1", lambda x: le(1, x.a * x.T))
SHIFTED = made(lambda x: le(x.D[x.T], x.q * x.D[0]), CONTRACTION, "draft/shifted")
LATER = made(lambda x: le(x.D[x.T], x.q**2 * x.D[0]), replace(CONTRACTION, first=2, sizes={"T": (2, 3)}), "draft/later")
FALSE_STEP = one_step(share=3, id="draft/false-step")
CONVEX = made(
    lambda x: le(x.sq(x.mean_vec(x.f.grad(x.w))), 2 * x.mu * x.mean(x.f.value(x.w) - x.f.value(x.w_star))),
    Points(SmoothConvex("mu"), optimum_of="f", mu=positive(CURVATURE)), "draft/convex",
)  # fmt: skip
CONVEX_AT = lemma(
    CONVEX, lambda x, t: le(x.g[t], 2 * x.mu * x.e[t]),
    meaning={
        "g": lambda x: x.sq(x.mean_vec(x.f.grad(x.w))),
        "e": lambda x: x.mean(x.f.value(x.w) - x.f.value(x.w_star)),
    },
)  # fmt: skip
ONE = descent(one_step())
ALSO = lemma(one_step(), contracts, meaning={"D": lambda x: away(x)}, then=after_a_step)
ZERO_STEP = made(
    lambda x: le(away(x), after_no_step(x, away)), Points(SmoothStronglyConvex("mu", "L"), optimum_of="f", **RANGES),
    "draft/no-step",
)  # fmt: skip
SQUARED = made(
    lambda x: le(after_a_step(x, away) ** 2, away(x) ** 2), one_step().world, "draft/squared",
    control=Control("a step that is no step leaves the distance", lambda x: le(away(x) ** 2, 0)),
)  # fmt: skip
SCALAR_STEP = made(
    lambda x: le(x.D_next, (1 - x.eta * x.mu) * x.D),
    Scalars(
        D=at_least(0, LENGTH**2), D_next=at_least(0, LENGTH**2), **RANGES,
        given=(
            STEP_SIZE, condition("mu < L", lambda x: lt(x.mu, x.L)),
            lemma(one_step(), lambda x: le(x.D_next, (1 - x.eta * x.mu) * x.D),
                  meaning={"D": away, "D_next": Following(away, after_a_step)}),
        ),
    ), "draft/scalar-step",
)  # fmt: skip
BOUNDED = made(
    lambda x: le(x.J, 1), Scalars(J=at_least(0), given=(Inherent("J <= 1", "", lambda x: le(x.J, 1)),)), "draft/bounded"
)
LOGARITHM = made(lambda x: le(x.log(x.z - 1), x.z - 2), Scalars(z=at_least(0)), "draft/logarithm")
FALSE = {
    "a power too many": made(lambda x: le(x.D[x.T], x.q ** (x.T + 1) * x.D[0]), CONTRACTION),
    "an index off by one": made(lambda x: le(x.D[x.T - 1], x.q**x.T * x.D[0]), CONTRACTION),
    "a sum that is one short": made(
        lambda x: eq(x.sum(lambda t: x.q**t, x.T - 1), (1 - x.q**x.T) / (1 - x.q)), Sequences("T", q=SHARE)
    ),
    "a base that fails": made(lambda x: le(x.T, x.T**2 - 1), Sequences("T", a=positive())),
    "true from two on": made(lambda x: le(x.T + 1, x.T**2), Sequences("T", a=positive())),
    "a step that needs more": made(lambda x: le(x.D[x.T], (x.q / 2) ** x.T * 2 * x.D[0]), CONTRACTION),
    "twice as fast": made(lambda x: le((1 - x.a) ** x.T, x.exp(-2 * x.a * x.T)), SMALL),
    "a condition on the length": made(
        lambda x: le(3 * (1 - x.a) ** x.T, 1), Sequences("T", a=positive(), given=(UP_TO_ONE, HALF_AT_ONCE))
    ),
    "a side that is undefined on the way": made(
        lambda x: le((x.T - 3) / (x.T - 3) * (x.T - 2) * (x.T - 3), (x.T - 3) ** 2 + 1), Sequences("T", a=positive())
    ),
    "terms that depend on the length": made(
        lambda x: le(x.sum(lambda t: x.D[t] / x.T, x.T), x.D[0] / 2), CONTRACTION
    ),
    "strict from not strict": made(lambda x: lt(x.D[x.T], x.q**x.T * x.D[0]), CONTRACTION),
    "another relation's domain": made(lambda x: (le(x.log(x.a - 1), x.a), le(1, x.a)), Scalars(a=positive())),
    "a false lemma": descent(FALSE_STEP, lambda x, t: contracts(x, t, 3)),
    "another relation than the lemma's": descent(one_step(), lambda x, t: contracts(x, t, 2)),
    "a lemma beyond its condition": descent(one_step(), given=(condition("eta L <= 2", lambda x: le(x.eta * x.L, 2)),)),
    "a lemma of another step": descent(
        one_step(), then=lambda x, of: of(x.at(w=x.w - x.mean_vec(x.f.grad(x.w)) * x.eta / 2))
    ),
    "a lemma about other quantities": descent(one_step(), lambda x, t: le(2 * x.D[t + 1] / 3, x.D[t] / 2)),
    "two meanings of a quantity": made(
        lambda x: le(x.D[x.T], x.D[0] / 2),
        replace(ONE.world, every=(*ONE.world.every, ALSO)),
    ),
    "a lemma of another step size": made(
        lambda x: le(x.D[x.T], x.exp(-x.mu * x.T / x.L) * x.D[0]),
        replace(
            ONE.world,
            every=(
                lemma(
                    one_step(), contracts, meaning={"D": away}, then=after_a_step, at={"eta": lambda x, t: 1 / x.L}
                ),
            ),
        ),
    ),
    "lemmas of two steps": made(
        lambda x: le(x.D[x.T], x.D[0] / 2),
        replace(ONE.world, every=(*ONE.world.every, lemma(
            ZERO_STEP, lambda x, t: le(x.D[t], x.D[t + 1]), meaning={"D": away}, then=after_no_step))),
    ),
    "a quantity that is chosen": made(
        lambda x: le(x.D_next, x.a),
        Scalars(D_next=at_least(0), a=at_least(0), **RANGES, given=(*ONE.world.given, lemma(
            SCALAR_STEP, at={"D": lambda x: x.a / 2}))),
    ),
    "a quantity that is a formula": made(
        lambda x: le(x.D_next, 0),
        DerivedScalars({"D": lambda x: 0 * x.eta}, D_next=at_least(0), **RANGES, given=(*ONE.world.given, lemma(
            one_step(), lambda x: le(x.D_next, (1 - x.eta * x.mu) * x.D),
            meaning={"D": away, "D_next": Following(away, after_a_step)}))),
    ),
    "squares of quantities": made(
        lambda x: le(x.D[x.T], x.D[0]),
        replace(ONE.world, every=(lemma(SQUARED, lambda x, t: le(x.D[t + 1] ** 2, x.D[t] ** 2), meaning={"D": away},
                                        then=after_a_step),)),
    ),
    "a stated fact about what is chosen": made(
        lambda x: le(x.a, 1), Scalars(a=at_least(0), given=(lemma(BOUNDED, at={"J": lambda x: x.a}),))
    ),
    "a logarithm where there is none": made(
        lambda x: le(1, x.a), Sequences("T", a=at_least(0), given=(lemma(LOGARITHM, at={"z": lambda x: x.a}),))
    ),
    "a lemma of greater length": made(
        lambda x: le(x.D[x.T], x.q**2 * x.D[0]), replace(CONTRACTION, given=(lemma(LATER),))
    ),
    "a lemma about another sequence": made(
        lambda x: le(x.e[x.T], x.q * x.e[0]),
        Sequences("T", q=SHARE, sequences={**D, "e": at_least(0)}, every=(CONTRACTS,),
                  given=(lemma(SHIFTED, lambda x: SHIFTED.body(x.at(D=x.e))),)),
    ),
    "a lemma whose sequence is not stated": made(
        lambda x: le(x.D[x.T], x.q * x.D[0]), replace(CONTRACTION, every=(), given=(lemma(SHIFTED),))
    ),
    "two classes of functions": made(
        lambda x: le(x.D[x.T], x.D[0]),
        Sequences(
            "T", sequences={"D": at_least(0, LENGTH**2), "g": at_least(0, GRADIENT**2), "e": at_least(0, VALUE)},
            every=(*ONE.world.every, CONVEX_AT), given=ONE.world.given, **RANGES,
        ),
    ),
}  # fmt: skip


# false from some length on that is not among the listed ones
AT_LISTED_LENGTHS = ("a condition on the length", "a side that is undefined on the way")


@pytest.mark.parametrize("name", FALSE)
def test_false_ones_are_not(name):
    """`two classes` is true for another reason, and refused for this one."""
    v = fedtheory.verify(FALSE[name])
    assert v.verdict != "proved", v.evidence
    assert v.verdict in ("refuted", "unknown") or name in AT_LISTED_LENGTHS
    assert not v.crashed, v.evidence[-1].reason


def test_a_lemma_about_squares_of_quantities_is_not_used():
    """It holds of numbers, and says nothing where the quantities are expectations."""
    squares = made(lambda x: le(x.D[x.T] ** 2, x.D[0] ** 2), ONE.world, "draft/squares")
    assert fedtheory.verify(squares).verdict == "proved"
    v = decide.verify(made(squares.body, replace(ONE.world, given=(*ONE.world.given, lemma(squares)))))
    assert v.verdict == "unknown" and "is not affine, so it says nothing of expectations" in v.reason


def test_a_quantity_is_in_its_range_by_what_it_means():
    """-|w_t - w*|^2 is not at least 0, whatever the world of the sequence says."""
    world = descent(one_step()).world
    used = lemma(
        one_step(),
        lambda x, t: le((1 - x.eta * x.mu) * x.D[t], x.D[t + 1]),
        meaning={"D": lambda x: -away(x)},
        then=after_a_step,
    )
    v = decide.verify(made(lambda x: le(0, x.D[x.T]), replace(world, every=(used,))))
    assert v.verdict == "unknown" and "its condition D range is not met" in v.reason
    assert decide.verify(made(lambda x: le(0, x.D[x.T]), world)).verdict == "proved"


LONG = (condition("a T >= 50", lambda x: le(50, x.a * x.T)), UP_TO_ONE)


@pytest.mark.parametrize(
    ("example", "verdict"), [(None, "unknown"), ({"T": 64, "a": 1}, "proved"), ({"T": 4, "a": 1}, "unknown")]
)
def test_a_proof_may_not_be_about_nothing(example, verdict):
    """Conditions that the lengths at hand do not meet need an example, which meets them."""
    v = fedtheory.verify(
        made(lambda x: le(50 * x.a, x.a * x.T), Sequences("T", a=positive(), given=LONG, example=example))
    )
    assert v.verdict == verdict and ("proof would be about nothing" in v.reason) is (verdict == "unknown")


def test_conditions_that_contradict_each_other_are_vacuous_at_every_length():
    above = condition("a >= 2", lambda x: le(2, x.a))
    assert (
        fedtheory.verify(made(lambda x: le(x.a, x.T), Sequences("T", a=positive(), given=(UP_TO_ONE, above)))).verdict
        == "vacuous"
    )


@pytest.mark.parametrize(
    ("example", "said"),
    [
        ({"T": 4, "b": 1}, "example has 'b', no scalar or sequence"),
        ({"a": 1}, "example needs a length T of at least 1, got None"),
    ],
)
def test_an_example_names_what_is_there(example, said):
    with pytest.raises(fedtheory.UsageError, match=said):
        Sequences("T", a=positive(), example=example)


# a lemma about any step: f(w_{t+1}) <= f(w_t) + <grad f(w_t), w_{t+1} - w_t> + L/2 |w_{t+1} - w_t|^2


def level(x):
    return x.mean(x.f.value(x.w) - x.f.value(x.w_star))


def off(before, after):
    """|w_{t+1} - w_t + grad f(w_t)/L|^2."""
    return before.sq(after.w - before.w + before.mean_vec(before.f.grad(before.w)) / before.L)


def squared(x):
    return x.sq(x.mean_vec(x.f.grad(x.w)))


def below_parabola(x):
    return le(x.e_next, x.e + x.L / 2 * x.off - x.G / (2 * x.L))


OF_A_STEP = {"e": level, "e_next": Following(level, after_a_step), "off": Change(off, after_a_step), "G": squared}
SMOOTH_AT = dict(optimum_of="f", **{k: v for k, v in RANGES.items() if k == "L"})
ANY_STEP = made(
    lambda x: below_parabola(x.at(e=level(x), e_next=level(x.at(w=x.z)), off=off(x, x.at(w=x.z)), G=squared(x))),
    Points(SmoothConvex("L"), at=("w", "z"), **SMOOTH_AT), "draft/any-step",
)  # fmt: skip
THIS_STEP = made(
    lambda x: eq(off(x, x.at(w=x.w - x.mean_vec(x.f.grad(x.w)) * x.eta)), (1 / x.L - x.eta) ** 2 * squared(x)),
    Points(SmoothConvex("L"), **SMOOTH_AT, eta=positive(STEP)), "draft/this-step",
)  # fmt: skip
QUANTITIES = {
    "e": at_least(0, VALUE),
    "e_next": at_least(0, VALUE),
    "off": at_least(0, LENGTH**2),
    "G": at_least(0, GRADIENT**2),
}


def falls(x, share=1):
    return le(x.e_next, x.e - share * x.eta * (1 - x.L * x.eta / 2) * x.G)


def fall(*lemmas, share=1):
    world = Scalars(L=RANGES["L"], eta=RANGES["eta"], **QUANTITIES, given=lemmas)
    return made(lambda x: falls(x, share), world)


ANY = lemma(ANY_STEP, below_parabola, meaning=OF_A_STEP, to={"w": "z"})
THIS = lemma(THIS_STEP, lambda x: eq(x.off, (1 / x.L - x.eta) ** 2 * x.G), meaning=OF_A_STEP)


def test_a_lemma_about_any_step_is_used_at_one():
    """The descent lemma at the step of gradient descent."""
    v = fedtheory.verify(fall(ANY, THIS))
    assert (v.verdict, v.trust) == ("proved", "kernel"), v.reason
    assert decide.verify(fall(ANY, THIS, share=2)).verdict != "proved"
    assert decide.verify(fall(ANY)).verdict != "proved", "of the step itself nothing is known"


def test_a_lemma_about_one_step_is_about_no_other():
    """Without `to` the step is that of the quantities, of which the lemma does not speak; and any point has to be one."""
    v = decide.verify(fall(lemma(ANY_STEP, below_parabola, meaning=OF_A_STEP), THIS))
    assert v.verdict == "unknown" and v.reason
    other = {**OF_A_STEP, "off": Change(off, after_no_step)}
    v = decide.verify(fall(lemma(ANY_STEP, below_parabola, meaning=other, to={"w": "z"}), THIS))
    assert v.verdict == "unknown" and "speaks of another step than" in v.reason
    other = {**OF_A_STEP, "off": Change(lambda before, after: before.sq(after.w - before.w), after_a_step)}
    v = decide.verify(fall(ANY, lemma(THIS_STEP, THIS.says, meaning=other)))
    assert v.verdict == "unknown" and "the quantity off has another meaning" in v.reason
    for end in ("w_star", "y"):
        with pytest.raises(fedtheory.UsageError, match="names no point of the lemma that may be any"):
            lemma(ANY_STEP, below_parabola, meaning=OF_A_STEP, to={"w": end})
    with pytest.raises(fedtheory.UsageError, match="names no point of the lemma that may be any"):
        lemma(SHIFTED, to={"w": "z"})


def leaves_both(x, of):
    """A step that leaves w where it is, and v elsewhere."""
    return of(x.at(v=x.v + x.u))


def test_a_lemma_about_any_step_is_about_the_points_that_it_moves():
    """|z - v|^2 <= 2 |w - v|^2 + 2 |z - w|^2 says nothing of a step that moves v."""

    def apart(x):
        return x.sq(x.w - x.v)

    def way(before, after):
        return before.sq(after.w - before.w)

    meaning = {"q": apart, "q_next": Following(apart, leaves_both), "way": Change(way, leaves_both)}
    triangle = made(
        lambda x: le(x.sq(x.z - x.v), 2 * x.sq(x.w - x.v) + 2 * x.sq(x.z - x.w)),
        Points(None, at=("w", "v", "z")), "draft/triangle",
    )  # fmt: skip
    stays = made(lambda x: eq(way(x, x), 0), Points(None, at=("w", "v", "u")), "draft/stays")
    world = Scalars(
        **{name: at_least(0, LENGTH**2) for name in meaning},
        given=(
            lemma(triangle, lambda x: le(x.q_next, 2 * x.q + 2 * x.way), meaning=meaning, to={"w": "z"}),
            lemma(stays, lambda x: eq(x.way, 0), meaning=meaning),
        ),
    )
    v = decide.verify(made(lambda x: le(x.q_next, 2 * x.q), world))
    assert v.verdict == "unknown" and "no name 'v'" in v.reason


def test_a_lemma_at_two_arguments_has_two_parts_of_the_certificate():
    """That its conditions hold is shown at each."""
    above_one = made(lambda x: le(x.z, x.z**2), Scalars(z=at_least(1)), "draft/above-one")
    twice = tuple(lemma(above_one, at={"z": at}) for at in (lambda x: x.a + 1, lambda x: x.a * x.b))
    world = Scalars(a=at_least(2), b=at_least(3), given=twice)
    v = fedtheory.verify(made(lambda x: le(x.a + 1 + x.a * x.b, (x.a + 1) ** 2 + (x.a * x.b) ** 2), world))
    assert v.verdict == "proved"
    shown = next(e for e in v.evidence if e.engine == "premises")
    assert sum(part["where"].endswith("applies") for part in shown.certificate) == 2


def test_why_they_are_not():
    """The reason is the one that they were planted for."""
    for name, why in {
        "a lemma of another step size": "at chooses eta, on which the quantities of draft/one-step depend",
        "lemmas of two steps": "draft/no-step speaks of another step than draft/one-step",
        "a quantity that is a formula": "D is a quantity of draft/one-step and a formula of the claim's",
        "a logarithm where there is none": "the lemma has a logarithm, which may be undefined where it is used",
        "two meanings of a quantity": "the quantity D has another meaning",
        "two classes of functions": "about different classes of functions",
    }.items():
        v = decide.verify(FALSE[name])
        said = [v.reason, *(e.reason for e in v.evidence)]
        assert v.verdict == "unknown" and any(why in reason for reason in said), (name, said)


def test_what_is_given_a_refuted_lemma_says_so():
    v = fedtheory.verify(FALSE["a false lemma"])
    assert (v.verdict, v.reason) == ("unknown", "it holds given draft/false-step, which is refuted")
    assert v.given == [{"id": "draft/false-step", "verdict": "refuted", "trust": "replayed"}]


def test_a_repair_of_the_lemma_takes_its_place():
    repaired = one_step(id="draft/false-step~repaired")
    assert fedtheory.verify(descent(repaired)).verdict == "proved"


def test_a_claim_that_stands_on_itself_is_refused():
    first = one_step()
    second = descent(first, id="draft/one-step")
    by_id = {c.id: c for c in (first, second)}
    with pytest.raises(UsageError, match="draft/one-step: its lemma draft/one-step is another claim"):
        with_lemmas([second], by_id.__getitem__)
    with pytest.raises(UsageError, match="draft/one-step stands on itself: draft/one-step <- draft/one-step"):
        with_lemmas([second], lambda id: replace(second, body=first.body))


def test_a_verdict_is_no_stronger_than_its_weakest_lemma():
    theorem, first = descent(one_step()), one_step()
    entries = [decide.verify(c).to_json() for c in (theorem, first)]
    for verdict, trust in (("certified", "kernel"), ("supported", "search"), ("proved", "z3")):
        entries[1] |= {"verdict": verdict, "trust": trust, "scope": ["m=1"]}
        done = compose(entries, {theorem.id: theorem, first.id: first})[0]
        assert (done["verdict"], done["trust"]) == (verdict, trust)
        assert done["alone"]["verdict"] == "proved"
        again = compose([done, entries[1]], {theorem.id: theorem, first.id: first})[0]
        assert again == done  # a report that is taken over is composed anew
    undecided = compose(entries[:1], {theorem.id: theorem})[0]
    assert undecided["reason"] == "it holds given draft/one-step, which is unknown"


def test_numbers_that_meet_the_lemmas_are_no_counterexample_to_the_theorem():
    """They may belong to no function and no run."""
    v = fedtheory.verify(
        made(
            lambda x: le(x.D[x.T], x.D[0] / 2),
            descent(one_step()).world,
            control=Control("none", lambda x: le(x.D[0], 0)),
        )
    )
    assert v.verdict == "unknown"
    assert v.reason.startswith("it does not follow from its lemmas")


def test_a_statement_about_a_run_is_what_its_lemma_says():
    """`given`: the statement at the method's own steps, from the theorem about its quantities."""
    first = one_step()
    order = condition("mu < L", lambda x: lt(x.mu, x.L))
    squares = {"before": at_least(0, LENGTH**2), "after": at_least(0, LENGTH**2)}
    means = {"before": away, "after": lambda x: after_a_step(x, away)}
    known = lemma(first, lambda x: le(x.after, (1 - x.eta * x.mu) * x.before), meaning=means)
    doubled = made(
        lambda x: le(2 * x.after, 2 * (1 - x.eta * x.mu) * x.before),
        Scalars(**RANGES, **squares, given=(STEP_SIZE, order, known)), "draft/doubled",
    )  # fmt: skip
    said = lemma(doubled)

    def twice(x, share=2):
        return le(2 * after_a_step(x, away), share * (1 - x.eta * x.mu) * away(x))

    v = fedtheory.verify(made(twice, first.world, "draft/twice", given=(said,)))
    assert (v.verdict, v.scope, v.given[0]["id"]) == ("proved", "all", "draft/doubled"), v.reason
    chosen = fedtheory.verify(
        made(
            lambda x: le(2 * away(x), 0),
            first.world,
            "draft/chosen",
            given=(lemma(doubled, at={"after": away, "before": away}),),
        )
    )
    assert "at chooses after, before, a quantity of the lemma" in " ".join(e.reason for e in chosen.evidence)
    other = fedtheory.verify(made(lambda x: twice(x, 3), first.world, "draft/other", given=(said,)))
    assert "the lemma does not say what is used" in " ".join(e.reason for e in other.evidence)


def test_a_lemma_at_something_else_than_its_scalars_is_refused():
    with pytest.raises(UsageError, match=r"at=\{'D': ...\} names no scalar of the lemma"):
        lemma(one_step(), contracts, at={"D": away})


def run_of(step, length=(1, 2)):
    """Gradient steps of length `step` times eta, and the distance after them."""

    def point(x, t):
        w = x.w
        for _ in range(t):
            w = w - x.mean_vec(x.f.grad(w)) * (x.eta * step)
        return {"w": w}

    world = Points(SmoothStronglyConvex("mu", "L"), optimum_of="f", sizes={"T": length}, given=(STEP_SIZE,), **RANGES)
    theorem = made(lambda x: le(x.D[x.T], (1 - x.eta * x.mu) ** x.T * x.D[0]), descent(one_step()).world, "draft/power")
    return made(
        lambda x: le(away(x.at(**point(x, x.T))), (1 - x.eta * x.mu) ** x.T * away(x)), world, "draft/run",
        given=(lemma(theorem, along=point),),
    )  # fmt: skip


def test_a_run_makes_the_steps_of_its_lemma():
    """With half of the step the rate is another one, and the theorem says nothing of that run."""
    v = fedtheory.verify(run_of(1))
    assert (v.verdict, v.scope) == ("proved", "all"), v.reason
    half = fedtheory.verify(run_of(Fraction(1, 2)))
    assert half.verdict != "proved"
    assert "the run makes other steps than the lemma is about" in " ".join(e.reason for e in half.evidence)


def test_what_is_stated_and_not_proved_stands_in_the_evidence():
    user = made(lambda x: le(x.a, 2), Scalars(a=at_least(0), given=(
        condition("a <= 1", lambda x: le(x.a, 1)), lemma(BOUNDED, at={"J": lambda x: x.a}))))  # fmt: skip
    v = fedtheory.verify(user)
    assert v.verdict == "proved"
    assert {"stated, not proved": ["J <= 1"]}.items() <= v.evidence[1].numbers.items()


def test_a_certificate_of_what_is_not_proved_is_not_written():
    """It shows that the theorem follows from its lemmas."""
    theorem, first = descent(FALSE_STEP, lambda x, t: contracts(x, t, 3)), FALSE_STEP
    entries = [ledger.entry(decide.verify(c)) for c in (theorem, first)]
    assert entries[0]["certificate"]
    done = ledger.finished(entries, {c.id: c for c in (theorem, first)})
    assert done[0]["verdict"] == "unknown" and ledger.certificates(done)["draft"]["claims"] == []
