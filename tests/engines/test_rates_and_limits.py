"""Rates with the constants that O() hides, limits, and steps by formulas with roots: what is true, and what is not by a little."""

from typing import Any

import pytest
from known import holds_false, holds_true

from fedtheory import claim, eq, le, use
from fedtheory.limits import at_most, below, bounded, converges, linear, smallest, summable, tends_to
from fedtheory.units import CURVATURE, GRADIENT, STEP
from problems import ConvexLipschitz, Run, Scalars, Sequences, SmoothConvex, at_least, between, condition, positive

LESS = {  # true ones to which the engines come by less than a proof
    "number of steps, a logarithm": "supported",
    "sums stay, some number": "unknown",
    "the last value, tight": "certified",
}
FALSE: dict[str, Any] = {}
TRUE: dict[str, Any] = {}


def made(name, world, body, *by):
    return claim(f"rates/{name.replace(' ', '-').replace(',', '')}", world=world, by=by)(body)


def true(name, world, body, *by):
    """A statement that holds."""
    TRUE[name] = made(name, world, body, *by), LESS.get(name, "proved")
    return TRUE[name][0]


def false(name, world, body, *by):
    """A neighbour of one that does not."""
    FALSE[name] = made(f"{name}, false", world, body, *by), "refuted"


def limit_of(name, world, body, *by):
    """A limit that is false: of numbers none is refuted."""
    FALSE[name] = made(f"{name}, false", world, body, *by), "unknown"


def cent(x, n):
    """n/100."""
    return x.ratio(n, 100)


# a step eta of T steps in D/(eta T) + eta s^2, where eta <= 1/L

TUNED = Scalars(L=positive(), D=positive(), s=positive(), T=at_least(1))


def bound(x, eta):
    return x.D / (eta * x.T) + eta * x.s**2


def by_root(x):
    """1/(L sqrt(T))."""
    return 1 / (x.L * x.sqrt(x.T))


def best(x):
    return x.sqrt(x.D / (x.s**2 * x.T))


def capped(x):
    return x.minimum(1 / x.L, best(x))


def noise(x):
    return x.s * x.sqrt(x.D / x.T)


true("step by the root", TUNED, lambda x: eq(bound(x, by_root(x)), (x.L * x.D + x.s**2 / x.L) / x.sqrt(x.T)))
false(
    "step by the root",
    TUNED,
    lambda x: le(bound(x, by_root(x)), (x.L * x.D + cent(x, 99) * x.s**2 / x.L) / x.sqrt(x.T)),
)
false(
    "step by the root, of T", TUNED, lambda x: le(bound(x, by_root(x)), x.L * x.D / x.sqrt(x.T) + x.s**2 / (x.L * x.T))
)
true("best step", TUNED, lambda x: eq(bound(x, best(x)), 2 * noise(x)))
false("best step", TUNED, lambda x: le(bound(x, best(x)), cent(x, 199) * noise(x)))
true("no step is better", Scalars(D=positive(), s=positive(), T=at_least(1), eta=positive()),
     lambda x: le(2 * noise(x), bound(x, x.eta)))  # fmt: skip
false("no step is better", Scalars(D=positive(), s=positive(), T=at_least(1), eta=positive()),
      lambda x: le(cent(x, 201) * noise(x), bound(x, x.eta)))  # fmt: skip
true("capped step", TUNED, lambda x: le(bound(x, capped(x)), x.L * x.D / x.T + 2 * noise(x)))
true("capped step, tight", TUNED, lambda x: le(bound(x, capped(x)), x.maximum(x.L * x.D / x.T, noise(x)) + noise(x)))
false("capped step", TUNED, lambda x: le(bound(x, capped(x)), x.L * x.D / x.T + cent(x, 199) * noise(x)))
false("capped step, bias", TUNED, lambda x: le(bound(x, capped(x)), cent(x, 99) * x.L * x.D / x.T + 2 * noise(x)))
false("capped step, largest", TUNED, lambda x: le(bound(x, capped(x)), x.maximum(x.L * x.D / x.T, 2 * noise(x))))
false("capped step, not capped", TUNED, lambda x: le(bound(x, 1 / x.L), x.L * x.D / x.T + 2 * noise(x)))
false("capped step, twice as long", TUNED, lambda x: le(bound(x, 2 * capped(x)), x.L * x.D / x.T + 2 * noise(x)))
true("capped step, below", TUNED, lambda x: le(capped(x) * x.L, 1))

# a number of steps

true(
    "number of steps",
    Scalars(
        D=positive(),
        s=positive(),
        eps=positive(),
        T=at_least(1),
        given=(condition("T >= 4 D s^2/eps^2", lambda x: le(4 * x.D * x.s**2 / x.eps**2, x.T)),),
    ),
    lambda x: le(2 * noise(x), x.eps),
)
false(
    "number of steps",
    Scalars(
        D=positive(),
        s=positive(),
        eps=positive(),
        T=at_least(1),
        given=(condition("T >= 3.96 D s^2/eps^2", lambda x: le(x.ratio(396, 100) * x.D * x.s**2 / x.eps**2, x.T)),),
    ),
    lambda x: le(2 * noise(x), x.eps),
)
true(
    "number of steps, a logarithm",
    Scalars(
        q=between(0, 1, closed=False),
        D=positive(),
        eps=positive(),
        T=at_least(1),
        given=(condition("T >= log(D/eps)/q", lambda x: le(x.log(x.D / x.eps) / x.q, x.T)),),
    ),
    lambda x: le(x.exp(-x.q * x.T) * x.D, x.eps),
)
false(
    "number of steps, a logarithm",
    Scalars(
        q=between(0, 1, closed=False),
        D=positive(),
        eps=positive(),
        T=at_least(1),
        given=(condition("T >= 0.99 log(D/eps)/q", lambda x: le(cent(x, 99) * x.log(x.D / x.eps) / x.q, x.T)),),
    ),
    lambda x: le(x.exp(-x.q * x.T) * x.D, x.eps),
)

# sums up to T and the steps that they divide by

NUMBERS = Sequences("T", first=1)


def up(x, term):
    return x.sum(term, x.T)


true("mean of roots", NUMBERS, lambda x: le(x.sqrt(x.T), up(x, lambda t: 1 / x.sqrt(t + 1))))
false("mean of roots", NUMBERS, lambda x: le(cent(x, 101) * x.sqrt(x.T), up(x, lambda t: 1 / x.sqrt(t + 1))))
true("roots, twice", NUMBERS, lambda x: le(up(x, lambda t: 1 / x.sqrt(t + 1)), 2 * x.sqrt(x.T) - 1))
false(
    "roots, twice", NUMBERS, lambda x: le(up(x, lambda t: 1 / x.sqrt(t + 1)), cent(x, 195) * x.sqrt(x.T))
)  # from T = 850 on
false("harmonic, no one", NUMBERS, lambda x: le(up(x, lambda t: 1 / (t + 1)), cent(x, 58) + x.log(x.T)))
false(
    "harmonic, less", NUMBERS, lambda x: le(up(x, lambda t: 1 / (t + 1)), 1 + cent(x, 90) * x.log(x.T))
)  # from T = 69 on

# sequences: falls by q, by g, by a decreasing step

E = {"sequences": {"e": at_least(0), "g": at_least(0)}}
FALLS = Sequences(
    "T", **E, every=(condition("e falls by g", lambda x, t: le(x.e[t + 1] + x.g[t], x.e[t])),), eps=positive()
)
RATE = Sequences("T", q=between(0, 1, closed=False), eps=positive(), sequences={"e": at_least(0)},
                 every=(condition("e falls", lambda x, t: le(x.e[t + 1], x.q * x.e[t])),))  # fmt: skip
NOISY = Sequences("T", first=0, lengths=(0, 1, 2, 3), q=between(0, 1, closed=False), s=positive(), sequences={"e": at_least(0)},
                  every=(condition("e falls", lambda x, t: le(x.e[t + 1], x.q * x.e[t] + x.s)),))  # fmt: skip
BETWEEN = Sequences("T", sequences={"e": at_least(0)}, every=(condition("e <= e_0", lambda x, t: le(x.e[t], x.e[0])),))

summed = true("summable", FALLS, lambda x: le(x.e[x.T] + up(x, lambda t: x.g[t]), x.e[0]))
stay = true("sums stay", FALLS, lambda x: summable(x.g, x.e[0]), summed)
true("sums stay, some number", FALLS, lambda x: summable(x.g), stay)
true("terms vanish", FALLS, lambda x: (tends_to(x.g), tends_to(lambda t: 3 * x.g[t] - x.g[t + 1] ** 2)), stay)
limit_of("sums stay", FALLS, lambda x: summable(x.g, cent(x, 99) * x.e[0]), summed)
limit_of("sums stay, of another", FALLS, lambda x: summable(x.e), stay)
limit_of("terms vanish, of another", FALLS, lambda x: tends_to(x.e), summed, stay)
limit_of(
    "terms vanish, times t", FALLS, lambda x: tends_to(lambda t: (t + 1) * x.g[t]), stay
)  # a root of g, were it summable
limit_of("terms vanish, by a root", FALLS, lambda x: summable(lambda t: x.sqrt(x.g[t]), x.e[0]), stay)
true("least", FALLS, lambda x: at_most(smallest(x.g), x.e[0] / x.T), summed)
limit_of("least", FALLS, lambda x: at_most(smallest(x.g), cent(x, 99) * x.e[0] / x.T), summed)
limit_of("least, of one more", FALLS, lambda x: at_most(smallest(x.g), x.e[0] / (x.T + 1)), summed)
false("the last as the least", FALLS, lambda x: le(x.g[x.T], x.e[0] / x.T), summed)
false("the last but one as the least", FALLS, lambda x: le(x.T * x.g[x.T - 1], x.e[0]), summed)
true("the mean", FALLS, lambda x: le(up(x, lambda t: x.g[t]) / x.T, x.e[0] / x.T), summed)
false("the sum to T", FALLS, lambda x: le(x.sum(lambda t: x.g[t], x.T + 1), x.e[0]), summed)
true("from an index on", FALLS, lambda x: below(smallest(x.g), x.eps, after=x.e[0] / x.eps), summed)
limit_of("from an index on", FALLS, lambda x: below(smallest(x.g), x.eps, after=x.e[0] / x.eps - 1), summed)
limit_of(
    "from an index on, by its root", FALLS, lambda x: below(smallest(x.g), x.eps, after=x.sqrt(x.e[0] / x.eps)), summed
)
limit_of("from an index on, the last", FALLS, lambda x: below(x.g, x.eps, after=x.e[0] / x.eps), summed)
true("the values converge", FALLS, lambda x: converges(x.e, at_least=0), summed)
limit_of("the values converge, to less", FALLS, lambda x: converges(x.e, at_least=x.eps), summed)

power = true("linear", RATE, lambda x: le(x.e[x.T], x.q**x.T * x.e[0]))
linearly = true("linear rate", RATE, lambda x: linear(x.e, x.q), power)
true("linear rate, its limit", RATE, lambda x: tends_to(x.e), linearly)
limit_of("linear rate", RATE, lambda x: linear(x.e, cent(x, 99) * x.q), power)
limit_of("linear rate, squared", RATE, lambda x: linear(x.e, x.q**2), power)
false("linear rate, of one more", RATE, lambda x: le(x.e[x.T], x.q ** (x.T + 1) * x.e[0]), power)
true("linear rate, a logarithm", RATE, lambda x: below(x.e, x.eps, after=x.log(x.e[0] / x.eps) / (1 - x.q)), linearly)
limit_of(
    "linear rate, a logarithm",
    RATE,
    lambda x: below(x.e, x.eps, after=cent(x, 99) * x.log(x.e[0] / x.eps) / (1 - x.q)),
    linearly,
)
limit_of(
    "linear rate, one sooner", RATE, lambda x: below(x.e, x.eps, after=x.log(x.e[0] / x.eps) / (1 - x.q) - 1), linearly
)
limit_of("linear rate, no logarithm", RATE, lambda x: below(x.e, x.eps, after=1 / (1 - x.q)), linearly)
sums = true("sum of a linear rate", RATE, lambda x: le(x.e[x.T] + (1 - x.q) * up(x, lambda t: x.e[t]), x.e[0]))
true("sum of a linear rate, bounded", RATE, lambda x: summable(x.e, x.e[0] / (1 - x.q)), sums)
limit_of("sum of a linear rate, bounded", RATE, lambda x: summable(x.e, x.q * x.e[0] / (1 - x.q)), sums)
false("sum of a linear rate", RATE, lambda x: le(x.e[x.T] + (cent(x, 101) - x.q) * up(x, lambda t: x.e[t]), x.e[0]))

true("a ball", NOISY, lambda x: le(x.e[x.T], x.q**x.T * x.e[0] + x.s * (1 - x.q**x.T) / (1 - x.q)))
ball = true("a ball, larger", NOISY, lambda x: le(x.e[x.T], x.q**x.T * x.e[0] + x.s / (1 - x.q)))
inside = true("a ball, at every T", NOISY, lambda x: le(x.e[x.T], x.e[0] + x.s / (1 - x.q)))
false(
    "a ball", NOISY, lambda x: le(x.e[x.T], x.q**x.T * x.e[0] + cent(x, 99) * x.s / (1 - x.q))
)  # for q near 1, or large T
true("in a ball", NOISY, lambda x: bounded(x.e, x.e[0] + x.s / (1 - x.q)), use(inside, T=lambda x, t: t))
limit_of("in a ball", NOISY, lambda x: bounded(x.e, x.maximum(x.e[0], x.s)), inside)
limit_of("in a ball, nearer", NOISY, lambda x: bounded(x.e, x.e[0] + x.s), inside)
limit_of("to a point in a ball", NOISY, lambda x: tends_to(x.e), ball)
limit_of("a ball, linear", NOISY, lambda x: linear(x.e, x.q), ball)
true("what is bounded", BETWEEN, lambda x: bounded(x.e, x.e[0]))
limit_of("what is bounded has a limit", BETWEEN, lambda x: converges(x.e, at_least=0))
limit_of("what is bounded vanishes", BETWEEN, lambda x: tends_to(x.e))
limit_of("what is bounded is summable", BETWEEN, lambda x: summable(x.e))
limit_of("what is bounded has a small mean", BETWEEN, lambda x: at_most(smallest(x.e), x.e[0] / x.T))

# decreasing steps 2/(mu (t + 2)): D_T is at most 4 c/(T + 1), and tends to 4 c/T

DECREASING = Sequences("T", first=1, c=positive(), sequences={"D": at_least(0)}, every=(
    condition("a step", lambda x, t: le(x.D[t + 1], (1 - 2 / (t + 2)) * x.D[t] + 4 * x.c / (t + 2) ** 2)),))  # fmt: skip
true("decreasing steps", DECREASING, lambda x: le(x.D[x.T], 4 * x.c / (x.T + 1)))
false(
    "decreasing steps", DECREASING, lambda x: le(x.D[x.T], x.ratio(396, 100) * x.c / (x.T + 1))
)  # from T of about 650 on
false("decreasing steps, a quarter less", DECREASING, lambda x: le(x.D[x.T], 3 * x.c / (x.T + 1)))  # from T = 12 on
false("decreasing steps, squared", DECREASING, lambda x: le(x.D[x.T], 8 * x.c / (x.T + 1) ** 2))

# steps c/sqrt(T) for a horizon that is known

STEPS = {"c": positive(), "D": positive(), "eta": positive(), "sequences": {"e": at_least(0), "g": at_least(0)}, "every": (
    condition("a step", lambda x, t: le(x.e[t + 1] + x.eta * x.g[t], x.e[t] + x.eta**2 * x.D)),)}  # fmt: skip
ANY_STEP = Sequences("T", first=1, **STEPS)
HORIZON = Sequences("T", first=1, given=(condition("eta^2 T = c^2", lambda x: eq(x.eta**2 * x.T, x.c**2)),), **STEPS)
any_step = true(
    "any step", ANY_STEP, lambda x: le(x.e[x.T] + x.eta * up(x, lambda t: x.g[t]), x.e[0] + x.eta**2 * x.D * x.T)
)


def mean_of(x):
    return up(x, lambda t: x.g[t]) / x.T


true("a horizon", HORIZON, lambda x: le(x.eta * x.T * mean_of(x), x.e[0] + x.c**2 * x.D), any_step)
false("a horizon", HORIZON, lambda x: le(x.eta * x.T * mean_of(x), x.e[0] + cent(x, 99) * x.c**2 * x.D), any_step)
false("a horizon, as T", HORIZON, lambda x: le(x.T * mean_of(x), x.e[0] / x.c + x.c * x.D), any_step)
false("a horizon, its last", HORIZON, lambda x: le(x.g[x.T - 1], (x.e[0] / x.c + x.c * x.D) / x.sqrt(x.T)), any_step)
KNOWN = Scalars(c=positive(), eta=positive(), T=at_least(1), given=(HORIZON.given[0],))
true("a horizon, its step", KNOWN, lambda x: eq(1 / (x.eta * x.T), 1 / (x.c * x.sqrt(x.T))))
false("a horizon, its step", KNOWN, lambda x: le(1 / (x.eta * x.T), 1 / (x.c * x.T)))
limit_of("no horizon has a limit", ANY_STEP, lambda x: summable(x.g), any_step)
limit_of(
    "no horizon has a limit, of the least", ANY_STEP, lambda x: at_most(smallest(x.g), x.e[0] / (x.eta * x.T)), any_step
)

# gradient descent: the last value, the mean of the values, and where it goes

GD = {"L": positive(CURVATURE), "eta": positive(STEP)}
SHORT = condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1))
LONG = condition("eta <= 2/L", lambda x: le(x.eta * x.L, 2))


FOLLOWED = {"e": lambda x: x.f.value(x.w) - x.f.value(x.w_star), "D": lambda x: x.sq(x.w - x.w_star)}


def moved(x):
    return x.w - x.eta * x.f.grad(x.w)


def descent(given):
    quantities = {**FOLLOWED, "g": lambda x: x.sq(x.f.grad(x.w))}
    return Run(
        SmoothConvex("L"),
        optimum_of="f",
        sizes={"m": (1,)},
        given=(given,),
        step={"w": moved},
        quantities=quantities,
        **GD,
    )


CONVEX, TOO_LONG = descent(SHORT), descent(LONG)
nearer = true("nearer by a step", CONVEX.one_step, lambda x: le(x.next.D + 2 * x.eta * x.e, x.D))
lower = true("lower by a step", CONVEX.one_step, lambda x: le(x.next.e + x.eta / 2 * x.g, x.e))
false("nearer by a step", CONVEX.one_step, lambda x: le(x.next.D + cent(x, 202) * x.eta * x.e, x.D))
false("nearer by a long step", TOO_LONG.one_step, lambda x: le(x.next.D + 2 * x.eta * x.e, x.D))
true("lower by a long step", TOO_LONG.one_step, lambda x: le(x.next.e, x.e))
LONGER = condition("eta <= 2.02/L", lambda x: le(x.eta * x.L, cent(x, 202)))
false("lower by a longer step", descent(LONGER).one_step, lambda x: le(x.next.e, x.e))
last = true("the last value", CONVEX, lambda x: le(2 * x.eta * x.T * x.e[x.T] + x.D[x.T], x.D[0]), nearer, lower)
true("the last value, tight", CONVEX, lambda x: le((4 * x.eta * x.T + 2 / x.L) * x.e[x.T], x.D[0]))
false("the last value, tight", CONVEX, lambda x: le((4 * x.eta * x.T + cent(x, 202) / x.L) * x.e[x.T], x.D[0]), last)
false(
    "the last value, squared", CONVEX, lambda x: le(2 * x.eta * x.L * x.T**2 * x.e[x.T], x.L * x.D[0] * 9), last
)  # from T of about 19 on
convex_sums = true(
    "sum of the values", CONVEX, lambda x: le(x.D[x.T] + 2 * x.eta * up(x, lambda t: x.e[t]), x.D[0]), nearer
)
false(
    "sum of the values, to T",
    CONVEX,
    lambda x: le(x.D[x.T] + 2 * x.eta * x.sum(lambda t: x.e[t], x.T + 1), x.D[0]),
    nearer,
)
convex_stay = true("values are summable", CONVEX, lambda x: summable(x.e, x.D[0] / (2 * x.eta)), convex_sums)
true("values vanish", CONVEX, lambda x: tends_to(x.e), convex_stay)
limit_of("values are summable", CONVEX, lambda x: summable(x.e, x.D[0] / (4 * x.eta)), convex_sums)
limit_of("to the minimiser", CONVEX, lambda x: tends_to(x.D), convex_sums)  # which is one of many
limit_of("linearly to the minimiser", CONVEX, lambda x: linear(x.D, cent(x, 99)), convex_sums)
limit_of("linearly to the least value", CONVEX, lambda x: linear(x.e, 1 - x.eta * x.L), convex_sums)

# subgradients of at most M: what the mean of the values has, the last one has not

SUBGRADIENTS = Run(
    ConvexLipschitz("M"), optimum_of="f", sizes={"m": (1,)}, M=positive(GRADIENT), eta=positive(STEP), step={"w": moved},
    quantities=FOLLOWED,
)  # fmt: skip
near = true(
    "nearer by a subgradient", SUBGRADIENTS.one_step, lambda x: le(x.next.D + 2 * x.eta * x.e, x.D + x.eta**2 * x.M**2)
)
false(
    "nearer by a subgradient",
    SUBGRADIENTS.one_step,
    lambda x: le(x.next.D + 2 * x.eta * x.e, x.D + cent(x, 99) * x.eta**2 * x.M**2),
)
true("mean by subgradients", SUBGRADIENTS, lambda x: le(
    x.D[x.T] + 2 * x.eta * up(x, lambda t: x.e[t]), x.D[0] + x.T * x.eta**2 * x.M**2), near)  # fmt: skip
false("last by subgradients", SUBGRADIENTS, lambda x: le(
    2 * x.eta * x.T * x.e[x.T - 1], x.D[0] + x.T * x.eta**2 * x.M**2), near)  # fmt: skip
false("mean by subgradients, to T", SUBGRADIENTS, lambda x: le(
    2 * x.eta * x.sum(lambda t: x.e[t], x.T + 1), x.D[0] + x.T * x.eta**2 * x.M**2), near)  # fmt: skip
limit_of("subgradients vanish", SUBGRADIENTS, lambda x: tends_to(x.e), near)

# errors that fall as 1/(t + 3)

ERRORS = Run(
    None, at=("w", "n"), fresh=("n",), s=positive(), step={"w": lambda x: x.w + x.n}, quantities={"q": lambda x: x.sq(x.n)},
    every=(condition("|n_t|^2 <= s^2/(t + 3)", lambda x, t: le(x.q[t], 1 / (t + 3) * x.s**2)),),
)  # fmt: skip
true("errors that fall", ERRORS, lambda x: le(up(x, lambda t: x.q[t]), x.s**2 * up(x, lambda t: 1 / (t + 3))))
false("errors that fall", ERRORS, lambda x: le(up(x, lambda t: x.q[t]), x.s**2 * up(x, lambda t: 1 / (t + 4))))
false(
    "errors that fall, as squares", ERRORS, lambda x: le(up(x, lambda t: x.q[t]), x.s**2 * cent(x, 99))
)  # from T = 5 on

# the tests


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_held(name):
    holds_true(*TRUE[name])


@pytest.mark.lies
@pytest.mark.in_turn(4)
@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_not(name):
    holds_false(*FALSE[name])
