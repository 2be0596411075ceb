"""Sums of q^(T-1-t) a_t, as a recursion that is unrolled has them: for every T, also where q is zero."""

from fractions import Fraction

import pytest

from fedtheory import claim, eq, le, lt
from fedtheory.engines.context import Docket
from fedtheory.engines.prove.induction import induction
from fedtheory.referee.composition import verify
from problems import Run, Sequences, Smooth, at_least, between, condition, positive

RATE = between(0, 1)
FOLLOWS = condition("D_{t+1} <= q D_t + b_t", lambda x, t: le(x.D[t + 1], x.q * x.D[t] + x.b[t]))
IS = condition("D_{t+1} = q D_t + b_t", lambda x, t: eq(x.D[t + 1], x.q * x.D[t] + x.b[t]))
AT_MOST = condition("b_t <= c", lambda x, t: le(x.b[t], x.c))
STEP = condition(
    "D_{t+1} <= (1 - eta mu) D_t + eta^2 b_t",
    lambda x, t: le(x.D[t + 1], (1 - x.eta * x.mu) * x.D[t] + x.eta**2 * x.b[t]),
)
SHORT = condition("eta mu <= 1", lambda x: le(x.eta * x.mu, 1))
TWO = condition("D_{t+1} <= q D_t + b_t + r e_t", lambda x, t: le(x.D[t + 1], x.q * x.D[t] + x.b[t] + x.r * x.e[t]))


def numbers(*every, given=(), sequences=(), first=1, **scalars):
    names = ("D", "b", *sequences)
    scalars = scalars or {"q": RATE}
    return Sequences(
        "T",
        sequences={name: at_least(0) for name in names},
        every=every,
        given=given,
        first=first,
        lengths=(first, first + 1, first + 2),
        **scalars,
    )


def faded(x, of, q=None, ahead=1):
    """The sum over t < T of q^(T - ahead - t) a_t."""
    q = x.q if q is None else q
    return x.sum(lambda t: q ** (x.T - ahead - t) * of(t), x.T)


def begun(x):
    return x.q**x.T * x.D[0]


UNROLLED = numbers(FOLLOWS)
LEVEL = numbers(FOLLOWS, AT_MOST, q=between(0, 1, closed=False), c=at_least(0))
SHORTER = numbers(STEP, given=(SHORT,), eta=positive(), mu=positive())


def short(x):
    return 1 - x.eta * x.mu


# (world, what is true, the share at which it is false)
PAIRS = {
    "unrolled": (UNROLLED, lambda x, s: le(x.D[x.T], begun(x) + s * faded(x, lambda t: x.b[t]))),
    "from no step on": (numbers(FOLLOWS, first=0), lambda x, s: le(x.D[x.T], begun(x) + s * faded(x, lambda t: x.b[t]))),
    "as an equation": (numbers(IS), lambda x, s: eq(s * x.D[x.T], begun(x) + faded(x, lambda t: x.b[t]))),
    "one power more": (
        numbers(condition("", lambda x, t: le(x.D[t + 1], x.q * (x.D[t] + x.b[t])))),
        lambda x, s: le(x.D[x.T], begun(x) + s * faded(x, lambda t: x.b[t], ahead=0)),
    ),
    "a step that may be the longest": (
        SHORTER, lambda x, s: le(x.D[x.T], short(x) ** x.T * x.D[0] + s * x.eta**2 * faded(x, lambda t: x.b[t], short(x))),
    ),
    "a factor within": (
        SHORTER, lambda x, s: le(x.D[x.T], short(x) ** x.T * x.D[0] + s * faded(x, lambda t: x.eta**2 * x.b[t], short(x))),
    ),
    "two at once": (
        numbers(TWO, sequences=("e",), q=RATE, r=at_least(0)),
        lambda x, s: le(x.D[x.T], begun(x) + s * faded(x, lambda t: x.b[t] + x.r * x.e[t])),
    ),
    "two sums": (
        numbers(TWO, sequences=("e",), q=RATE, r=at_least(0)),
        lambda x, s: le(x.D[x.T], begun(x) + s * faded(x, lambda t: x.b[t]) + s * x.r * faded(x, lambda t: x.e[t])),
    ),
    "a geometric sum": (numbers(q=RATE), lambda x, s: eq((1 - x.q) * s * faded(x, lambda t: 1), 1 - x.q**x.T)),
    "bounded terms": (LEVEL, lambda x, s: le((1 - x.q) * faded(x, lambda t: x.b[t]), s * x.c * (1 - x.q**x.T))),
    "up to T": (
        numbers(FOLLOWS),
        lambda x, s: eq(s * x.sum(lambda t: x.q ** (x.T - t) * x.b[t], x.T + 1), x.q * faded(x, lambda t: x.b[t]) + x.b[x.T]),
    ),
    "a rate of two": (
        numbers(condition("", lambda x, t: le(x.D[t + 1], 2 * x.D[t] + x.b[t]))),
        lambda x, s: le(x.D[x.T], 2**x.T * x.D[0] + s * x.sum(lambda t: 2 ** (x.T - 1 - t) * x.b[t], x.T)),
    ),
    "a half": (
        numbers(condition("", lambda x, t: le(x.D[t + 1], x.D[t] / 2 + x.b[t]))),
        lambda x, s: le(x.D[x.T], x.D[0] / 2**x.T + s * x.sum(lambda t: x.b[t] / 2 ** (x.T - 1 - t), x.T)),
    ),
    "terms of the index": (
        numbers(q=RATE), lambda x, s: eq((1 - x.q) * faded(x, lambda t: t), s * x.T - faded(x, lambda t: 1)),
    ),
    "zero": (
        numbers(condition("", lambda x, t: le(x.D[t + 1], x.b[t])), q=RATE),
        lambda x, s: le(x.D[x.T], s * x.sum(lambda t: (0 * x.q) ** (x.T - 1 - t) * x.b[t], x.T)),
    ),
    "a rate above one": (
        numbers(FOLLOWS, q=at_least(0)), lambda x, s: le(x.D[x.T], begun(x) + s * faded(x, lambda t: x.b[t])),
    ),
}  # fmt: skip


def decided(name, world, body):
    return verify(claim(f"fades/{name.replace(' ', '-')}", world=world)(body))


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_true_is_proved_for_every_length(name):
    """By the kernel, where a rate may be zero as well."""
    world, body = PAIRS[name]
    found = decided(name, world, lambda x: body(x, 1))
    assert (found.verdict, found.trust) == ("proved", "kernel"), found.reason


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_false_by_a_hundredth_is_refuted(name):
    """The same at 99 %."""
    world, body = PAIRS[name]
    assert decided(name, world, lambda x: body(x, Fraction(99, 100))).verdict == "refuted"


MOVING = numbers(FOLLOWS, sequences=("r",), q=RATE)
FALSE = {
    "a power too few": (UNROLLED, lambda x: le(x.D[x.T], begun(x) + faded(x, lambda t: x.b[t], ahead=0))),
    "a power too many above one": (
        numbers(FOLLOWS, q=at_least(1)), lambda x: le(x.q * x.D[x.T], begun(x) + faded(x, lambda t: x.b[t])),
    ),
    "another rate": (
        numbers(FOLLOWS, q=RATE, p=RATE), lambda x: le(x.D[x.T], begun(x) + faded(x, lambda t: x.b[t], x.p)),
    ),
    "the other end": (UNROLLED, lambda x: le(x.D[x.T], begun(x) + x.sum(lambda t: x.q**t * x.b[t], x.T))),
    "a rate that knows the length": (
        numbers(condition("", lambda x, t: le(x.D[t + 1], x.D[t] + x.b[t]))),
        lambda x: le(x.D[x.T], x.D[0] + x.sum(lambda t: (1 - 1 / (x.T + 1)) ** (x.T - 1 - t) * x.b[t], x.T)),
    ),
    "a rate of the index": (
        MOVING, lambda x: le(x.D[x.T], begun(x) + x.sum(lambda t: x.r[t] ** (x.T - 1 - t) * x.b[t], x.T)),
    ),
    "a rate of the last element": (
        MOVING, lambda x: le(x.D[x.T], begun(x) + x.sum(lambda t: x.r[x.T] ** (x.T - 1 - t) * x.b[t], x.T)),
    ),
    "products of two": (
        UNROLLED, lambda x: le(x.D[x.T], begun(x) + x.sum(lambda t: x.q ** (x.T - 1 - t) * x.q ** (x.T - 1 - t) * x.b[t], x.T)),
    ),
    "a square": (UNROLLED, lambda x: le(x.D[x.T], begun(x) + x.sum(lambda t: (x.q ** (x.T - 1 - t)) ** 2 * x.b[t], x.T))),
    "the length beside it": (
        UNROLLED, lambda x: le(x.D[x.T], begun(x) + x.sum(lambda t: x.q ** (x.T - 1 - t) * x.b[t] / x.T, x.T)),
    ),
    "never less than its last term": (UNROLLED, lambda x: lt(faded(x, lambda t: x.b[t]), x.D[0] + 1)),
    "at zero it is nothing": (
        numbers(FOLLOWS), lambda x: eq(x.sum(lambda t: (0 * x.q) ** (x.T - 1 - t) * x.b[t], x.T), 0),
    ),
    "one more at the end": (
        UNROLLED, lambda x: le(x.sum(lambda t: x.q ** (x.T - t) * x.b[t], x.T + 1), faded(x, lambda t: x.b[t])),
    ),
    "before the last": (
        numbers(FOLLOWS, first=2), lambda x: le(x.D[x.T], begun(x) + x.sum(lambda t: x.q ** (x.T - 1 - t) * x.b[t], x.T - 1)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_never_proved(name):
    """Powers that are no such sums, sums with another end, rates that change."""
    assert decided(name, *FALSE[name]).verdict in ("refuted", "unknown")


TRUE_YET = {
    "a quotient": lambda x: le(x.sum(lambda t: x.b[t] / (1 + x.q) ** (x.T - 1 - t), x.T), x.sum(lambda t: x.b[t], x.T)),
    "a product": lambda x: le(0, x.sum(lambda t: x.q ** (x.T - 1 - t) * x.q ** (x.T - 1 - t) * x.b[t], x.T)),
    "the length beside it": lambda x: le(0, x.sum(lambda t: x.q ** (x.T - 1 - t) * x.b[t] / x.T, x.T)),
    "within another": lambda x: le(0, x.sum(lambda t: x.sum(lambda s: x.q ** (x.T - 1 - t) * x.b[s], x.T), x.T)),
}


@pytest.mark.parametrize("name", TRUE_YET)
def test_what_is_true_is_not_refuted(name):
    """Where the engines do not see it."""
    assert decided(name, UNROLLED, TRUE_YET[name]).verdict != "refuted"


def total_before(x, t):
    return x.sum(lambda s: x.b[s], t)


def rates_before(x, t):
    return x.product(lambda s: x.c[s], t)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("rate", [total_before, rates_before])
def test_a_rate_that_goes_up_to_the_index_is_not_one_rate(rate, first):
    """Of one rate the ratio of both sums is the rate; of sums or products up to t it is false from three steps on."""
    world = numbers(sequences=("c",), first=first, q=RATE)

    def total(x, of, k):
        return x.sum(lambda t: rate(x, t) ** (x.T - k - t) * of[t], x.T)

    def body(x):
        return eq(total(x, x.D, 0) * total(x, x.b, 1), total(x, x.D, 1) * total(x, x.b, 0))

    one = claim("fades/many-rates", world=world)(body)
    assert induction(one, Docket()).outcome != "proves"
    assert verify(one).verdict != "proved"


# along runs: lemmas of one step, draws, a theorem that another one uses

DESCENT = Run(
    Smooth("L"), sizes={"m": (1,)}, L=positive(), eta=positive(), q=at_least(0), step={"w": lambda x: x.w - x.eta * x.f.grad(x.w)},
    quantities={"D": lambda x: x.sq(x.w), "g": lambda x: x.sq(x.f.grad(x.w))},
)  # fmt: skip
NOISY = Run(
    None, at=("w", "n"), fresh=("n",), a=between(0, 1), outcomes=(1, -1), step={"w": lambda x, sign: x.a * x.w + sign * x.n},
    quantities={"D": lambda x: x.sq(x.w), "V": lambda x: x.sq(x.n)},
)  # fmt: skip


@claim("fades/step", world=DESCENT.one_step)
def step(x):
    return le(x.q * x.next.D, (1 + x.q) * (x.q * x.D + x.eta**2 * x.g))


@claim("fades/run", world=DESCENT, by=(step,))
def run(x):
    total = x.sum(lambda t: (1 + x.q) ** (x.T - 1 - t) * x.g[t], x.T)
    return le(x.q * x.D[x.T], (1 + x.q) ** x.T * x.q * x.D[0] + (1 + x.q) * x.eta**2 * total)


@claim("fades/less", world=DESCENT, by=(run,))
def less(x):
    total = x.sum(lambda t: (1 + x.q) ** (x.T - 1 - t) * x.g[t], x.T)
    return le(x.q * x.D[x.T], (1 + x.q) ** x.T * x.q * x.D[0] + (1 + x.q) * x.eta**2 * 2 * total)


@claim("fades/noise-step", world=NOISY.one_step)
def noise_step(x):
    return eq(x.next.D, x.a**2 * x.D + x.V)


@claim("fades/noise", world=NOISY, by=(noise_step,))
def noise(x):
    return eq(x.D[x.T], (x.a**2) ** x.T * x.D[0] + x.sum(lambda t: (x.a**2) ** (x.T - 1 - t) * x.V[t], x.T))


@claim("fades/noise-false", world=NOISY, by=(noise_step,))
def noise_false(x):
    return eq(x.D[x.T], (x.a**2) ** x.T * x.D[0] + x.sum(lambda t: x.a ** (x.T - 1 - t) * x.V[t], x.T))


@pytest.mark.parametrize(
    ("one", "verdict"),
    [(run, "proved"), (noise, "proved"), (noise_false, "refuted")],
    ids=["descent", "noise", "another rate"],
)
def test_along_runs(one, verdict):
    """From a lemma of one step, and in the mean over draws."""
    found = verify(one)
    assert found.verdict == verdict and (verdict == "refuted" or found.trust == "kernel"), found.reason


def test_a_theorem_with_such_a_sum_is_a_lemma():
    """Its sum is the one of the run that uses it."""
    assert verify(less).verdict in ("proved", "certified")


# sums within sums, up to the index of the outer one


def up_to(x, n, of, q=None):
    """The sum over s < n of q^(n-1-s) a_s."""
    q = x.q if q is None else q
    return x.sum(lambda s: q ** (n - 1 - s) * of(s), n)


BOTH = {"q": RATE, "p": RATE}
WITHIN = {
    "what is kept and what is lost": (
        numbers(**BOTH),
        lambda x, s: eq((1 - x.q) * x.sum(lambda t: up_to(x, t, lambda r: x.b[r]), x.T) + s * up_to(x, x.T, lambda r: x.b[r]),
                        x.sum(lambda t: x.b[t], x.T)),
    ),
    "from no step on": (
        numbers(first=0, **BOTH),
        lambda x, s: eq((1 - x.q) * x.sum(lambda t: up_to(x, t, lambda r: x.b[r]), x.T) + s * up_to(x, x.T, lambda r: x.b[r]),
                        x.sum(lambda t: x.b[t], x.T)),
    ),
    "with the last one": (
        numbers(**BOTH),
        lambda x, s: le((1 - x.q) * x.sum(lambda t: up_to(x, t + 1, lambda r: x.b[r]), x.T) + x.q * up_to(x, x.T, lambda r: x.b[r]),
                        s * x.sum(lambda t: x.b[t], x.T)),
    ),
    "terms counted": (
        numbers(**BOTH),
        lambda x, s: eq(x.sum(lambda t: x.sum(lambda r: x.b[r], t), x.T) + s * x.sum(lambda t: (t + 1) * x.b[t], x.T),
                        x.T * x.sum(lambda t: x.b[t], x.T)),
    ),
    "two rates": (
        numbers(**BOTH),
        lambda x, s: eq((x.p - x.q) * x.sum(lambda t: x.p ** (x.T - 1 - t) * up_to(x, t, lambda r: x.b[r]), x.T),
                        s * up_to(x, x.T, lambda r: x.b[r], x.p) - up_to(x, x.T, lambda r: x.b[r])),
    ),
    "three": (
        numbers(**BOTH),
        lambda x, s: eq(x.sum(lambda t: x.sum(lambda r: x.sum(lambda k: x.b[k], r), t), x.T)
                        + s * x.sum(lambda t: (t + 1) * x.sum(lambda r: x.b[r], t), x.T),
                        x.T * x.sum(lambda t: x.sum(lambda r: x.b[r], t), x.T)),
    ),
}  # fmt: skip
NEVER = {
    "the outer index in the inner sum": lambda x: eq(
        x.sum(lambda t: x.sum(lambda r: x.b[t], t), x.T), x.sum(lambda t: x.sum(lambda r: x.b[r], t), x.T)
    ),
    "the length in the inner sum": lambda x: eq(
        x.sum(lambda t: x.sum(lambda r: x.b[x.T], t), x.T), x.sum(lambda t: x.sum(lambda r: x.b[r], t), x.T)
    ),
    "powers of the other index": lambda x: eq(
        x.sum(lambda t: x.sum(lambda r: x.q ** (x.T - 1 - r) * x.b[r], t), x.T),
        x.sum(lambda t: x.sum(lambda r: x.q ** (t - 1 - r) * x.b[r], t), x.T),
    ),
    "up to the length": lambda x: eq(
        x.sum(lambda t: x.sum(lambda r: x.b[r], x.T), x.T), x.sum(lambda t: x.sum(lambda r: x.b[r], t), x.T)
    ),
    "one more": lambda x: eq(
        x.sum(lambda t: x.sum(lambda r: x.b[r], t + 1), x.T), x.sum(lambda t: x.sum(lambda r: x.b[r], t), x.T)
    ),
    "counted by another": lambda x: eq(
        x.sum(lambda t: x.sum(lambda r: r, t), x.T), x.sum(lambda t: x.sum(lambda r: t, t), x.T) - x.T * x.T
    ),
}


@pytest.mark.parametrize("name", WITHIN)
def test_sums_within_sums_are_proved(name):
    """A sum up to the index of the one around it is a sequence at that index."""
    world, body = WITHIN[name]
    found = decided(name, world, lambda x: body(x, 1))
    assert (found.verdict, found.trust) == ("proved", "kernel"), found.reason
    assert decided(name, world, lambda x: body(x, Fraction(99, 100))).verdict == "refuted"


@pytest.mark.parametrize("name", NEVER)
def test_other_sums_within_sums_are_not(name):
    """What the inner one may not read, and other ends."""
    assert decided(name, numbers(**BOTH), NEVER[name]).verdict in ("refuted", "unknown")


def test_an_inner_sum_need_not_have_a_term():
    """At one step there is none, so that its divisors say nothing there."""
    world = Sequences("T", sequences={"b": at_least(0), "D": at_least(0)}, lengths=(1, 2, 3))
    found = decided(
        "empty", world, lambda x: lt(x.D[0], x.D[0] + x.b[0] + x.sum(lambda t: x.sum(lambda r: 1 / x.b[r], t), x.T))
    )
    assert found.verdict == "refuted"


# products: rates that change from step to step

CHANGES = condition("D_{t+1} <= c_t D_t + b_t", lambda x, t: le(x.D[t + 1], x.c[t] * x.D[t] + x.b[t]))
CHANGING = numbers(CHANGES, sequences=("c",), q=RATE)


def rates(x, n, first=0):
    return x.product(lambda s: x.c[s], n, first)


def left(x, n):
    """The sum over t < n of what is left of b_t then."""
    return x.sum(lambda t: rates(x, n, t + 1) * x.b[t], n)


PRODUCTS = {
    "unrolled": lambda x, s: le(x.D[x.T], rates(x, x.T) * x.D[0] + s * left(x, x.T)),
    "from the first on": lambda x, s: eq(rates(x, x.T + 1), s * x.c[0] * x.product(lambda r: x.c[r], x.T + 1, 1)),
    "what is lost": lambda x, s: eq(s * x.sum(lambda t: rates(x, x.T, t + 1) * (1 - x.c[t]), x.T), 1 - rates(x, x.T)),
    "two tails": lambda x, s: eq(
        x.sum(lambda t: s * rates(x, x.T, t + 1) - rates(x, x.T, t), x.T), s - rates(x, x.T) + (s - 1) * x.T
    ),
    "up to an index": lambda x, s: eq(x.sum(lambda t: (1 - x.c[t]) * rates(x, t), x.T), 1 - s * rates(x, x.T)),
    "tails up to an index": lambda x, s: eq(
        x.sum(lambda t: (1 - x.c[t]) * left(x, t), x.T) + s * left(x, x.T), x.sum(lambda t: x.b[t], x.T)
    ),
    "one rate": lambda x, s: eq(x.product(lambda t: x.q, x.T), s * x.q**x.T),
    "not negative": lambda x, s: le(s - 1, rates(x, x.T)),
    "as many as steps": lambda x, s: le(x.T, s * x.product(lambda t: t + 1, x.T)),
}
NO_PRODUCTS = {
    "a rate too many": lambda x: le(x.D[x.T], rates(x, x.T) * x.D[0] + x.sum(lambda t: rates(x, x.T, t) * x.b[t], x.T)),
    "the rates before": lambda x: le(x.D[x.T], rates(x, x.T) * x.D[0] + x.sum(lambda t: rates(x, t) * x.b[t], x.T)),
    "a sum": lambda x: eq(x.sum(lambda t: x.c[t], x.T), rates(x, x.T)),
    "nothing faded": lambda x: eq(x.sum(lambda t: 0 * x.b[t] * rates(x, x.T, t + 1), x.T), rates(x, x.T)),
    "the last rate alone": lambda x: eq(x.product(lambda s: x.c[x.T], x.T), rates(x, x.T)),
    "the outer index": lambda x: eq(
        x.sum(lambda t: x.product(lambda s: x.c[t], x.T), x.T), x.sum(lambda t: rates(x, x.T), x.T)
    ),
    "one more within": lambda x: eq(x.sum(lambda t: (1 - x.c[t]) * rates(x, t + 1), x.T), 1 - rates(x, x.T)),
    "never above one": lambda x: le(rates(x, x.T), 1),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_are_known_for_every_length(name):
    """What is true is proved; off by a hundredth it is refuted, where that makes it false."""
    body = PRODUCTS[name]
    found = decided(name, CHANGING, lambda x: body(x, 1))
    assert (found.verdict, found.trust) == ("proved", "kernel"), found.reason
    if name != "not negative":
        assert decided(name, CHANGING, lambda x: body(x, Fraction(99, 100))).verdict == "refuted"


@pytest.mark.parametrize("name", NO_PRODUCTS)
def test_other_products_are_refuted(name):
    """Other ends, other rates, sums."""
    assert decided(name, CHANGING, NO_PRODUCTS[name]).verdict == "refuted"


def test_a_tail_without_a_factor_has_no_divisor():
    """At one step there is none."""
    found = decided(
        "empty",
        CHANGING,
        lambda x: lt(x.b[0], x.b[0] + x.sum(lambda t: x.product(lambda s: 1 / x.b[s], x.T, t + 1) * x.b[t], x.T)),
    )
    assert found.verdict == "refuted"
