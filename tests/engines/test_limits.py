"""Limits: what is proved by a rule from finite statements, what must not be, and what a state at which nothing moves refutes."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest
from limit_claims import (
    AGAIN,
    ANY_S,
    CLIENTS,
    KERNEL,
    LEGAL,
    LEVEL,
    LINEARLY,
    OFTEN,
    PL,
    PRECISE,
    RENEWED,
    SMOOTH,
    SQUEEZED,
    SUMMED,
    TIED,
    WITHIN,
    YOUNG,
    a_sums,
    b_sums,
    c_falls,
    c_stays,
    each_client,
    falling,
    for_any,
    geometric,
    gradients,
    half,
    near,
    numbers,
    pl,
    stated,
    sums,
    vanishing,
    within_c,
    young_c,
)
from theorems import SGD, neighbourhood  # whose folder limit_claims has added

from fedtheory import Control, UsageError, claim, eq, le, printed, use, verify
from fedtheory.engines.context import Docket
from fedtheory.engines.lemmas.limits import limits
from fedtheory.limits import (
    at_most,
    below,
    bounded,
    chosen_again,
    converges,
    linear,
    recurs,
    refreshed,
    smallest,
    stationary,
    summable,
    tends_to,
    together,
)
from fedtheory.units import CURVATURE
from problems import Run, SmoothBoundedBelow, condition, positive


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("what", LEGAL)
def test_what_follows_is_proved(what):
    v = verify(LEGAL[what])
    assert (v.verdict, v.reason) == ("proved", "")
    assert v.trust == ("kernel" if what in KERNEL else "z3")


def test_a_limit_has_no_control():
    """None would be looked at."""
    idle = claim("limits/idle", world=SUMMED, control=Control("none", lambda x: summable(x.a, 0)))(
        lambda x: summable(x.a, x.C)
    )
    with pytest.raises(UsageError, match="would never be looked at"):
        verify(idle)


# what does not follow


LOOSE = numbers(lambda x, t: le(x.c[t + 1], x.c[t]), given=SUMMED.given)
PLAIN = numbers()


@stated("c-falls-loosely", LOOSE)
def c_falls_loosely(x):
    return converges(x.c, at_least=0)


TIMED = numbers(lambda x, t: eq(x.c[t], x.ratio(1, 1) * t))


@stated("within-a-number", numbers(lambda x, t: le(x.c[t], x.C)))
def within(x):
    return bounded(x.c, x.C)


def moved(x):
    return x.w - x.eta * x.f.grad(x.w)


OTHER = replace(SMOOTH, step={"w": lambda x: x.w + x.eta * x.f.grad(x.w)})
TWO = Run(
    SmoothBoundedBelow("L"), at=("w", "v", "z"), fresh=("z",), sizes={"m": (1,)}, given=SMOOTH.given,
    step={"w": moved, "v": lambda x: x.v - x.z},
    quantities={**SMOOTH.quantities, "n": lambda x: x.sq(x.z), "gap": lambda x: x.sq(x.v - x.w)},
    L=positive(CURVATURE), eta=SMOOTH.scalars["eta"],
)  # fmt: skip


@stated("two-step", TWO.one_step)
def two_step(x):
    return le(x.next.e + x.eta / 2 * x.g, x.e)


@stated("two-sum", TWO, two_step)
def two_sum(x):
    return le(x.e[x.T] + x.eta / 2 * x.sum(lambda t: x.g[t], x.T), x.e[0])


@stated("two", TWO, two_sum)
def two(x):
    return summable(x.g, 2 * x.e[0] / x.eta)


SMALL = replace(TWO, every=(condition("n is summed", lambda x, t: le(x.n[t] + x.gap[t], x.g[t])),))


@stated("small", SMALL, two)
def small(x):
    return tends_to(x.n, at_most=x.g), tends_to(x.gap, at_most=x.g)


def sent(body, world, *by):
    """A false limit: its verdict is asked for, not expected."""
    return claim("limits/false", world=world, by=by)(body)


def false_limits():
    eta_T = replace(SMOOTH, given=(condition("eta T <= 1/L", lambda x: le(x.eta * x.L * x.T, 1)),))
    read = replace(PRECISE, given=(*PRECISE.given, condition("eps >= 1/L", lambda x: le(1, x.eps * x.L))))
    longer = use(a_sums, T=lambda x: x.T + 1)
    yield "a bound that reads T", lambda x: summable(x.a, x.C + x.T), SUMMED, ()
    yield "a bound that reads the last element", lambda x: summable(x.a, x.C + x.b[x.T]), SUMMED, ()
    yield "sums that need not be bounded", lambda x: summable(x.c, x.C), SUMMED, ()
    yield "no bound is given", lambda x: summable(x.a), SUMMED, ()
    yield (
        "terms of either sign",
        lambda x: summable(x.u, x.C),
        numbers(given=(condition("sum u", lambda x: le(x.sum(lambda t: x.u[t], x.T), x.C)),)),
        (),
    )
    yield "a rate of 1", lambda x: linear(x.e, 1), PL, (pl,)
    yield "a rate that is too fast", lambda x: linear(x.e, 1 - 2 * x.eta * x.mu), PL, (pl,)
    yield "a rate of T^2", lambda x: at_most(smallest(x.g), 2 * x.e[0] / (x.eta * x.T**2)), SMOOTH, (gradients,)
    yield "a rate that reads an element", lambda x: at_most(smallest(x.g), x.g[x.T]), SMOOTH, (gradients,)
    yield "half of the constant", lambda x: at_most(smallest(x.g), x.e[0] / (x.eta * x.T)), SMOOTH, (gradients,)
    yield "a sequence of which nothing is known", lambda x: tends_to(x.c), SUMMED, (a_sums,)
    yield "another value", lambda x: tends_to(x.a, 1), SUMMED, (a_sums,)
    yield "bounded, not small", lambda x: tends_to(x.c), TIED, (c_stays,)
    yield "a product with what may grow", lambda x: tends_to(lambda t: x.a[t] * x.c[t]), SUMMED, (a_sums,)
    yield "a product with t", lambda x: tends_to(lambda t: t * x.a[t]), SUMMED, (a_sums,)
    yield "a quotient of two", lambda x: tends_to(lambda t: x.a[t] / x.b[t]), SUMMED, (a_sums, b_sums)
    yield "a number is added", lambda x: tends_to(lambda t: x.a[t] + x.k), SUMMED, (a_sums,)
    yield (
        "squeezed from one side",
        lambda x: tends_to(x.u, at_most=lambda t: x.k * x.a[t]),
        numbers(lambda x, t: le(x.u[t], x.k * x.a[t]), given=SUMMED.given),
        (a_sums,),
    )
    yield "a bound that does not hold", lambda x: tends_to(x.c, at_most=x.a), SUMMED, (a_sums,)
    yield (
        "a bound that is undefined where k is 0",
        lambda x: tends_to(x.c, at_most=lambda t: x.a[t] / x.k),
        numbers(lambda x, t: le(x.k * x.c[t], x.a[t]), given=SUMMED.given),
        (a_sums,),
    )
    yield "not bounded below", lambda x: converges(x.u, at_least=-x.C), numbers(lambda x, t: le(x.u[t + 1], x.u[t])), ()
    yield "below an element", lambda x: converges(x.c, at_least=x.b[x.T]), LOOSE, ()
    yield "it may grow", lambda x: converges(x.c, at_least=0), PLAIN, ()
    yield "what falls need not tend to 0", lambda x: tends_to(x.c), LOOSE, (c_falls_loosely,)
    yield "two that need not meet", lambda x: together(x.c, x.u), LEVEL, (c_falls,)
    yield "none of them converges", lambda x: together(x.u, x.c), LEVEL, (a_sums, near)
    yield (
        "renewed, as nobody says",
        lambda x: tends_to(x.c, refreshed=refreshed(x.r, grows=2, more=x.a)),
        RENEWED,
        (a_sums,),
    )
    yield (
        "another one is renewed",
        lambda x: tends_to(x.c, refreshed=refreshed(x.r, grows=2, more=x.a)),
        RENEWED,
        (a_sums, printed("a is renewed", lambda x: recurs(x.r, x.a, within=x.S))),
    )
    yield (
        "renewed within T steps",
        lambda x: tends_to(x.c, refreshed=refreshed(x.r, grows=2, more=x.a)),
        RENEWED,
        (a_sums, printed("within T", lambda x: recurs(x.r, x.c, within=x.T))),
    )
    yield (
        "what is added need not be small",
        lambda x: tends_to(x.c, refreshed=refreshed(x.r, grows=2, more=x.a)),
        RENEWED,
        (OFTEN,),
    )
    yield (
        "renewed by nothing",
        lambda x: tends_to(x.c, refreshed=refreshed(x.r, falls_to=1)),
        numbers(lambda x, t: le(x.c[t + 1], x.c[t])),
        (OFTEN,),
    )
    yield (
        "it grows more than it falls",
        lambda x: tends_to(x.c, refreshed=refreshed(x.r, grows=4, falls_to=x.ratio(1, 2))),
        numbers(lambda x, t: le(x.c[t + 1], 4 * x.c[t] - 7 * x.r[t] / 2)),
        (OFTEN,),
    )
    yield "the conclusion is stated", lambda x: tends_to(x.c), PLAIN, (printed("it vanishes", lambda x: tends_to(x.c)),)
    yield "a hypothesis is no conclusion", lambda x: recurs(x.r, x.c, within=x.S), RENEWED, (OFTEN,)
    yield (
        "within a number that is the length",
        lambda x: bounded(lambda t: 2 * x.c[t]),
        TIMED,
        (use(within, C=lambda x: x.T),),
    )
    yield (
        "within a number that is the last element",
        lambda x: bounded(lambda t: 2 * x.c[t]),
        TIMED,
        (use(within, C=lambda x: x.c[x.T]),),
    )
    yield (
        "a sequence that the length divides",
        lambda x: bounded(lambda t: 2 * x.b[t] / (x.T + 1)),
        numbers(lambda x, t: le(x.b[t], x.k * (t + 1))),
        (use(within, c=lambda x, t: x.b[t] / (x.T + 1), C=lambda x: x.k),),
    )
    yield "at twice the length", lambda x: tends_to(x.a), SUMMED, (longer,)
    yield (
        "an index half as large",
        lambda x: below(smallest(x.g), x.eps, after=x.e[0] / (x.eta * x.eps)),
        PRECISE,
        (gradients,),
    )
    yield "an index that reads T", lambda x: below(smallest(x.g), x.eps, after=x.T), PRECISE, (gradients,)
    yield (
        "the last one in place of the least",
        lambda x: below(x.g, x.eps, after=2 * x.e[0] / (x.eta * x.eps)),
        PRECISE,
        (gradients,),
    )
    yield (
        "an eps that is not free",
        lambda x: below(smallest(x.g), x.eps, after=2 * x.e[0] / (x.eta * x.eps)),
        read,
        (gradients,),
    )
    yield "eps is no scalar", lambda x: below(smallest(x.g), x.eta, after=2 * x.e[0]), PRECISE, (gradients,)
    yield (
        "half of the logarithm",
        lambda x: below(x.e, x.eps, after=x.log(x.e[0] / x.eps) / (2 * x.eta * x.mu)),
        LINEARLY,
        (geometric,),
    )
    yield "another logarithm", lambda x: below(x.e, x.eps, after=x.log(x.eps) / (x.eta * x.mu)), LINEARLY, (geometric,)
    yield "a step that reads the length", lambda x: summable(x.g, 2 * x.e[0] / x.eta), eta_T, (gradients,)
    yield "another run", lambda x: tends_to(x.g), OTHER, (sums,)
    yield "values do not vanish", lambda x: tends_to(x.e), SMOOTH, (vanishing, falling)
    yield "noise does not vanish", lambda x: tends_to(x.D), SGD, (neighbourhood,)
    yield "another point", lambda x: stationary("v", x.g), TWO, (two,)
    yield "a point that does not move", lambda x: stationary("u", x.g), TWO, (two,)
    yield "a new vector at every step", lambda x: stationary("w", x.n), SMALL, (two, small)
    yield "a quantity of two points", lambda x: stationary("w", x.gap), SMALL, (two, small)
    yield "bounded by what may grow", lambda x: bounded(x.u, at_most=lambda t: 2 * x.c[t] + x.a[t]), WITHIN, (a_sums,)
    yield "a polynomial of what may grow", lambda x: bounded(lambda t: x.k * x.c[t] * x.b[t]), WITHIN, (within_c,)
    yield "half of a bound", lambda x: bounded(x.u, at_most=lambda t: x.c[t] + x.a[t]), WITHIN, (a_sums, within_c)
    yield (
        "for every s, and what may grow",
        lambda x: tends_to(x.u, at_most=lambda t: for_any(x, t), for_every=x.s),
        YOUNG,
        (a_sums,),
    )
    yield (
        "for every s, both bounded",
        lambda x: tends_to(x.c, at_most=lambda t: x.s * x.c[t] + x.c[t] / x.s, for_every=x.s),
        YOUNG,
        (a_sums, young_c),
    )
    yield (
        "for one s alone",
        lambda x: tends_to(x.u, at_most=lambda t: x.s * x.c[t] + x.a[t], for_every=x.s),
        numbers(
            lambda x, t: le(x.u[t], x.s * x.c[t]),
            lambda x, t: le(-x.s * x.c[t], x.u[t]),
            lambda x, t: le(x.c[t], x.C),
            given=SUMMED.given,
            **ANY_S,
        ),
        (a_sums, young_c),
    )
    yield (
        "for every s, of which a condition speaks by another name",
        lambda x: tends_to(x.u, at_most=lambda t: x.s + x.a[t], for_every=x.s),
        numbers(
            lambda x, t: le(x.u[t], x.D),
            lambda x, t: le(-x.D, x.u[t]),
            given=SUMMED.given,
            derived={"D": lambda x: x.s},
            **ANY_S,
        ),
        (a_sums,),
    )
    yield (
        "for every s, a multiple of what grows",
        lambda x: tends_to(x.u, at_most=lambda t: x.s * x.b[t], for_every=x.s),
        YOUNG,
        (),
    )
    yield (
        "for every k, which a condition reads",
        lambda x: tends_to(x.u, at_most=lambda t: x.k * x.a[t], for_every=x.k),
        SQUEEZED,
        (),
    )
    yield (
        "bounded, from above alone",
        lambda x: bounded(x.u, at_most=x.a),
        numbers(lambda x, t: le(x.u[t], x.a[t])),
        (a_sums,),
    )
    yield (
        "bounded by the time",
        lambda x: bounded(x.u, at_most=lambda t: 2 * x.c[t] + t * x.a[t]),
        WITHIN,
        (a_sums, within_c),
    )
    yield "bounded by the last", lambda x: bounded(x.u, at_most=lambda t: x.c[x.T] + x.a[t]), WITHIN, (a_sums, within_c)
    halved = {"refreshed": lambda x: refreshed(x.r, falls_to=x.ratio(1, 2))}["refreshed"]
    yield "no client is selected again", lambda x: tends_to(x.q, refreshed=halved(x)), CLIENTS, (half,)
    yield (
        "falls to a quarter",
        lambda x: tends_to(x.q, refreshed=refreshed(x.r, falls_to=x.ratio(1, 4))),
        CLIENTS,
        (AGAIN, half),
    )
    yield "no sum over clients", lambda x: tends_to(x.o, refreshed=halved(x)), CLIENTS, (AGAIN, half)
    yield "the square of a sum", lambda x: tends_to(x.p, refreshed=halved(x)), CLIENTS, (AGAIN, half)
    yield (
        "renewed by another number",
        lambda x: tends_to(x.q, refreshed=refreshed(x.e, falls_to=x.ratio(1, 2))),
        CLIENTS,
        (AGAIN, half),
    )
    yield "without what a step says", lambda x: tends_to(x.q, refreshed=halved(x)), replace(CLIENTS, obeys=()), (AGAIN,)
    mean = {"W": lambda x: x.where(x.chosen, x.mean_vec(x.Z), x.W)}
    yield (
        "a step that depends on all",
        lambda x: tends_to(x.q, refreshed=halved(x)),
        replace(CLIENTS, step=mean),
        (AGAIN, half),
    )
    yield (
        "selected again within T steps",
        lambda x: tends_to(x.q, refreshed=halved(x)),
        CLIENTS,
        (printed("within T", lambda x: chosen_again(within=x.T)), half),
    )
    yield (
        "it stays where it is",
        lambda x: tends_to(x.q, refreshed=refreshed(x.r, falls_to=1)),
        CLIENTS,
        (AGAIN, half),
    )
    yield "what is selected is no sum over all", lambda x: tends_to(x.r, refreshed=halved(x)), CLIENTS, (AGAIN, half)
    yield "what a lemma rests on is not stated", lambda x: tends_to(lambda t: 2 * x.q[t]), CLIENTS, (each_client,)
    yield "a selection is no conclusion", lambda x: chosen_again(within=x.rounds), CLIENTS, (AGAIN,)
    yield "a residual that need not vanish", lambda x: stationary("w", x.e), SMOOTH, (vanishing,)


FALSE = {what: rest for what, *rest in false_limits()}


@pytest.mark.lies
@pytest.mark.in_turn(4)
@pytest.mark.parametrize("what", FALSE)
def test_what_does_not_follow_is_not_proved(what):
    body, world, by = FALSE[what]
    assert verify(sent(body, world, *by)).verdict in ("unknown", "refuted")


def test_a_quantity_of_both_points_vanishes_where_both_are_followed():
    assert verify(sent(lambda x: stationary(("w", "v"), x.gap), SMALL, two, small)).verdict == "proved"
    assert verify(sent(lambda x: stationary(("w", "v", "z"), x.gap, x.n), SMALL, two, small)).verdict == "proved"


# rows of the papers


@pytest.mark.parametrize(
    ("points", "names"),
    [(("w", "W"), ("phis",)), (("w", "p"), ("gaps",)), (("W", "p"), ("gaps",)), (("w", "W", "p"), ("accuracies",)),
     (("w", "W", "p"), ("phis", "held", "turns")), (("W", "p"), ("grad",))],
)  # fmt: skip
def test_accumulation_points_of_fedadmm_need_every_point_that_is_read(points, names):
    from proofs_checks.fedadmm.theorem4_2_points import thm4_2a

    assert limits(thm4_2a, Docket()).outcome == "proves"
    false = replace(thm4_2a, body=lambda x: stationary(points, *(getattr(x, name) for name in names)))
    assert limits(false, Docket()).outcome == "declines"


def test_the_rate_of_flame_is_refuted_by_a_run_in_which_nothing_moves():
    from fedtheory.engines.counterexamples.exact import replay
    from fedtheory.engines.counterexamples.witness import free_of
    from fedtheory.engines.search.at_rest import replayed
    from proofs_checks.flame.theorem2.rates import rem_thm2_rate_p

    v = verify(rem_thm2_rate_p)
    assert (v.verdict, v.trust) == ("refuted", "replayed")
    again = replayed(rem_thm2_rate_p)
    found = replay(again.body, again.world, free_of(v.witness, again.world))
    assert found.outcome == "refutes"
    assert {"Theta stays", "W stays"} <= {side.name for side in found.given if side.truth}
    assert found.worst is not None and found.worst.lhs > 0
    moved = copy.deepcopy(v.witness)
    moved["free"]["Theta_next"] = [["2"]]
    assert replay(again.body, again.world, free_of(moved, again.world)).outcome == "outside"


def test_the_lyapunov_function_of_fedadmm_converges():
    from proofs_checks.fedadmm.lemma7_2.limits import thm4_1_proof_s8_limit

    assert verify(thm4_1_proof_s8_limit).verdict == "proved"
