"""Lemmas at every t from 0 on, at any t, at sizes and clients that stay what they are, and through theorems about numbers."""

import pytest

import fedtheory
from fedtheory import claim, le, lemma, lt
from fedtheory.engines.docket import Docket
from fedtheory.engines.premises import follows, premises
from fedtheory.units import CURVATURE, GRADIENT, VALUE
from problems import Points, Scalars, Sequences, SmoothConvex, SmoothStronglyConvex, at_least, between, positive
from problems.worlds.derived import DerivedScalars

AMOUNT = {"D": at_least(0)}
L, MU = {"L": positive(CURVATURE)}, {"mu": positive(CURVATURE)}
FALSE: dict = {}
TRUE: dict = {}


def made(id, world, body, given=()):
    return claim(f"draft/argued-{id}", world=world, given=given)(body)


def D(x):
    return x.sq(x.w)


def gap(x):
    return x.mean(x.f.value(x.w) - x.f.value(x.w_star))


def slope(x):
    return x.sq(x.mean_vec(x.f.grad(x.w)))


# at t = 0, and at the length 0

scaled = made("scaled", Points(None, at=("w",), k=between(0, 3)), lambda x: le(x.k * D(x), 3 * D(x)))
shrunk = made("shrunk", Points(None, at=("w",), k=at_least(2)), lambda x: le(2 * D(x), x.k * D(x)))
more = made("more", Scalars(k=at_least(2), c=positive()), lambda x: le(2 * x.c, x.k * x.c))


def at_t(first, says, k):
    return Sequences("T", sequences=AMOUNT, every=(lemma(first, says, meaning={"D": D}, at={"k": k}),))


FALSE["a factor 2 t + 1 of at least 2"] = made(
    "odd", at_t(shrunk, lambda x, t: le(2 * x.D[t], x.k * x.D[t]), lambda x, t: 2 * t + 1), lambda x: le(x.D[0], 0)
)
FALSE["a step 6/(t + 1) of at most 3"] = made(
    "falling", at_t(scaled, lambda x, t: le(x.k * x.D[t], 3 * x.D[t]), lambda x, t: x.ratio(6, 1) / (t + 1)),
    lambda x: le(6 * x.D[0], 3 * x.D[0]),
)  # fmt: skip
FALSE["a number at t"] = made(
    "number", Sequences("T", c=positive(), every=(lemma(more, at={"k": lambda x, t: 2 * t}),)), lambda x: le(x.c, 0)
)
FALSE["a number at the length 0"] = made(
    "no-length",
    Sequences("T", first=0, lengths=(0, 1, 2), c=positive(), given=(lemma(more, at={"k": lambda x: 2 * x.T}),)),
    lambda x: le(x.c, x.T * x.c),
)
TRUE["a factor t + 2 of at least 2"] = made(
    "even", at_t(shrunk, lambda x, t: le(2 * x.D[t], x.k * x.D[t]), lambda x, t: t + 2), lambda x: le(0, x.D[0])
)
TRUE["a number at lengths from 1 on"] = made(
    "a-length", Sequences("T", c=positive(), given=(lemma(more, at={"k": lambda x: 2 * x.T}),)),
    lambda x: le(x.c, x.T * x.c),
)  # fmt: skip

# at any t, not at 0 alone


def tripled(x, of):
    return of(x.at(w=3 * x.w))


grows = made("grows", Points(None, at=("w",)), lambda x: le(tripled(x, D), 9 * D(x)))


def growing(says, **options):
    used = lemma(grows, says, meaning={"D": D}, then=tripled)
    return Sequences("T", sequences=AMOUNT, every=(used,), **options)


FALSE["the first element"] = made(
    "from-0", growing(lambda x, t: le(x.D[t + 1], 9 * x.D[0])), lambda x: le(x.D[x.T], 9 * x.D[0])
)
FALSE["the second element"] = made(
    "at-1", growing(lambda x, t: le(x.D[1], 9 * x.D[t])), lambda x: le(x.D[1], 9 * x.D[x.T - 1])
)
FALSE["t as a factor"] = made(
    "factor",
    growing(lambda x, t: le(x.D[t + 1], 9 * (1 - t) * x.D[t]), first=2, lengths=(2, 3)),
    lambda x: le(x.D[x.T], 0),
)
FALSE["t as a power"] = made(
    "power",
    growing(lambda x, t: le(2**t * x.D[t + 1], 9 * x.D[t])),
    lambda x: le(2 ** (x.T - 1) * x.D[x.T], 9 * x.D[x.T - 1]),
)
at_least_two = made("two", Scalars(a=at_least(2), c=positive()), lambda x: le(2 * x.c, x.a * x.c))
FALSE["t beside a scalar"] = made(
    "beside",
    Sequences(
        "T", a=at_least(2), c=positive(), every=(lemma(at_least_two, lambda x, t: le((t + 2) * x.c, x.a * x.c)),)
    ),
    lambda x: le(x.T * x.c, x.a * x.c),
)
TRUE["t and t + 1"] = made(
    "next", growing(lambda x, t: le(x.D[1 + t], 9 * x.D[t])), lambda x: le(x.D[x.T], 9**x.T * x.D[0])
)

# constants of functions that a theorem about numbers chooses

smooth = made("smooth", Points(SmoothConvex("L"), optimum_of="f", **L), lambda x: le(slope(x), 2 * x.L * gap(x)))
NUMBERS = {"G": at_least(0, GRADIENT**2), "e": at_least(0, VALUE)}


def chosen(id, of, **scalars):
    used = lemma(smooth, lambda x: le(x.G, 2 * x.L * x.e), meaning={"G": slope, "e": gap}, at=of)
    return made(
        id, Scalars(**NUMBERS, **scalars, given=(used,)), lambda x: le(x.G, 2 * (of["L"](x) if of else x.L) * x.e)
    )


third = chosen("third", {"L": lambda x: x.L / 3}, **L)
least = chosen("least", {"L": lambda x: x.mu}, **MU)
same = chosen("same", {}, **L)
FALSE["a third of L"] = made(
    "of-third", Points(SmoothConvex("L"), optimum_of="f", **L),
    lambda x: le(slope(x), 2 * (x.L / 3) * gap(x)), given=(lemma(third),),
)  # fmt: skip
FALSE["mu for L"] = made(
    "of-least", Points(SmoothStronglyConvex("mu", "L"), optimum_of="f", **MU, **L),
    lambda x: le(slope(x), 2 * x.mu * gap(x)), given=(lemma(least),),
)  # fmt: skip
TRUE["L itself"] = made(
    "of-same", Points(SmoothConvex("L"), optimum_of="f", **L),
    lambda x: le(slope(x), 2 * x.L * gap(x)), given=(lemma(same),),
)  # fmt: skip

# sizes

spread = made(
    "spread",
    Points(None, at=(), clients_at=("v",)),
    lambda x: le(x.sq(x.total_vec(x.v)), x.m * x.total(x.sq(x.v))),
)
PARTS = {"M": lambda x: x.sq(x.total_vec(x.v)), "A": lambda x: x.total(x.sq(x.v))}
ANY = {"M": at_least(0), "A": at_least(0)}


def of_size(x):
    return le(x.M, x.m * x.A)


FALSE["clients that may be half a one"] = made(
    "half", Scalars(**ANY, m=positive(), given=(lemma(spread, of_size, meaning=PARTS),)), of_size
)
FALSE["clients by a formula"] = made(
    "formula", DerivedScalars({"m": lambda x: x.a / 2}, **ANY, a=positive(), given=(lemma(spread, of_size, meaning=PARTS),)),
    of_size,
)  # fmt: skip
listed = made("listed", Scalars(a=positive(), sizes={"K": (1, 3)}), lambda x: le((x.K - 1) * (x.K - 3) * x.a, 0))
FALSE["a size that is listed"] = made(
    "unlisted",
    Scalars(a=positive(), K=at_least(1), given=(lemma(listed),)),
    lambda x: le((x.K - 1) * (x.K - 3) * x.a, 0),
)
long = made("long", Sequences("T", a=positive()), lambda x: lt(0, x.T * x.a))
FALSE["a length that is chosen"] = made(
    "chosen-length", Points(None, at=("w",), a=positive()), lambda x: lt(0, (x.a**2 - 3) ** 2 * x.a),
    given=(lemma(long, at={"T": lambda x: (x.a**2 - 3) ** 2}),),
)  # fmt: skip
TRUE["at least one client"] = made(
    "from-one", Scalars(**ANY, m=at_least(1), given=(lemma(spread, of_size, meaning=PARTS),)), of_size
)

# one number a client, and one number


def of_mean(x):
    return x.sq(x.mean_vec(x.v))


def each(x):
    return x.sq(x.v)


CLIENTS = Points(None, at=(), clients_at=("v",))
convex = made("convex", CLIENTS, lambda x: le(of_mean(x), x.mean(each(x))))
below = made("below", CLIENTS, lambda x: le(each(x), x.total(each(x))))
QUANTITIES = {"M": at_least(0), "q": at_least(0)}
FALSE["the mean of one"] = made(
    "of-one",
    Scalars(**QUANTITIES, given=(lemma(convex, lambda x: le(x.M, x.mean(x.q)), meaning={"M": of_mean, "q": each}),)),
    lambda x: le(x.M, x.q),
)
moved = made("moved", CLIENTS, lambda x: le(x.sq(2 * x.v), 4 * each(x)))
TRUE["of each alone"] = made(
    "alone",
    Scalars(
        **QUANTITIES,
        given=(lemma(moved, lambda x: le(x.M, 4 * x.q), meaning={"M": lambda x: x.sq(2 * x.v), "q": each}),),
    ),
    lambda x: le(x.M, 5 * x.q),
)

# one number for every t


def halved(x, of):
    return of(x.at(w=x.w / 2, u=x.u))


falls = made("falls", Points(None, at=("w", "u")), lambda x: le(4 * halved(x, D), 4 * D(x) - 2 * D(x)))
drifts = made("drifts", Points(None, at=("w", "u")), lambda x: le(4 * halved(x, D), 2 * D(x) + x.sq(x.u)))


def along(first, right, G):
    used = lemma(first, lambda x, t: le(4 * x.D[t + 1], right(x, t)), meaning={"D": D, "G": G}, then=halved)
    return Sequences("T", sequences=AMOUNT, G=at_least(0), every=(used,))


FALSE["a number that moves"] = made(
    "moves",
    along(falls, lambda x, t: 4 * x.D[t] - 2 * x.G, D),
    lambda x: le(4 * x.D[x.T], 4 * x.D[0] - 2 * x.T * x.G),
)
TRUE["a number that stays"] = made(
    "stays",
    along(drifts, lambda x, t: 2 * x.D[t] + x.G, lambda x: x.sq(x.u)),
    lambda x: le(2 * x.D[x.T], 2 * x.D[0] + x.T * x.G),
)

# what a lemma's world is built with, through a theorem about numbers


def through(id, first, world, says, meaning, ranges, body, **scalars):
    numbers = made(f"{id}-numbers", Scalars(**ranges, **scalars, given=(lemma(first, says, meaning=meaning),)), says)
    return made(id, world, body, given=(lemma(numbers),))


def noise(x):
    return x.mean(x.sq(x.f.grad(x.w_star)))


alone = made("one", Points(SmoothConvex("L"), optimum_of="f", sizes={"m": (1,)}, **L), lambda x: le(noise(x), slope(x)))
MEANS, RANGES = {"V": noise, "G": slope}, {"V": at_least(0, GRADIENT**2), "G": at_least(0, GRADIENT**2)}
FALSE["one client"] = through(
    "clients", alone, Points(SmoothConvex("L"), optimum_of="f", **L), lambda x: le(x.V, x.G), MEANS, RANGES,
    lambda x: le(noise(x), slope(x)), **L,
)  # fmt: skip
away = {"V": slope, "G": lambda x: x.L**2 * x.sq(x.w - x.w_star)}
best = made("best", Points(SmoothConvex("L"), optimum_of="f", **L), lambda x: le(slope(x), away["G"](x)))
FALSE["a minimiser"] = through(
    "any-point", best, Points(SmoothConvex("L"), at=("w", "w_star"), **L), lambda x: le(x.V, x.G), away, RANGES,
    lambda x: le(slope(x), away["G"](x)), **L,
)  # fmt: skip
TRUE["any clients"] = through(
    "any-clients", best, Points(SmoothConvex("L"), optimum_of="f", **L), lambda x: le(x.V, x.G), away, RANGES,
    lambda x: le(slope(x), away["G"](x)), **L,
)  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_what_does_not_follow_is_not_proved(name):
    c = FALSE[name]
    said = (follows if c.given else premises)(c, Docket())
    assert said.outcome == "declines" and said.doubt and said.reason
    v = fedtheory.verify(c)
    assert v.verdict in ("unknown", "refuted") and not v.crashed


@pytest.mark.parametrize("name", TRUE)
def test_what_follows_is_proved(name):
    v = fedtheory.verify(TRUE[name])
    assert v.verdict in ("proved", "certified"), v.reason


def test_a_size_that_is_a_parameter_is_said_to_be_a_whole_number():
    said = premises(TRUE["at least one client"], Docket())
    assert said.numbers["stated, not proved"] == ["m is a whole number, a size of draft/argued-spread"]


@pytest.mark.parametrize("sizes", [{"T": (1,)}, {"R": (2,)}])
def test_one_listed_size_is_not_every_size(sizes):
    (name,) = sizes
    least = sizes[name][0]
    v = fedtheory.verify(
        made("listed", Points(None, sizes=sizes), lambda x: le(getattr(x, name) * x.sq(x.w), least * x.sq(x.w)))
    )
    assert v.verdict == "certified" and all(where[name] == least for where in v.scope)
