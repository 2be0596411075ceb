"""Limits that follow from finite statements, each by its rule, and the sequences and runs that they are about."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from fedtheory import claim, le, printed
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
from fedtheory.of_clients import OfClients
from problems import Points, Run, Sequences, at_least, condition, positive, real

sys.path.insert(0, str(Path(__file__).parents[1] / "docs/examples"))
from theorems import PL, SMOOTH, descent, gradients, pl


def stated(name, world, *by, **options):
    """A claim of this file."""
    return claim(f"limits/{name}", world=world, by=by, **options)


@stated("sum", SMOOTH, gradients)
def sums(x):
    return summable(x.g, 2 * x.e[0] / x.eta)


@stated("null", SMOOTH, sums)
def vanishing(x):
    return tends_to(x.g)


@stated("linear", PL, pl)
def geometric(x):
    return linear(x.e, 1 - x.eta * x.mu)


@stated("smallest", SMOOTH, gradients)
def rate(x):
    return at_most(smallest(x.g), 2 * x.e[0] / (x.eta * x.T))


@stated("falls", SMOOTH, descent)
def falling(x):
    return converges(x.e, at_least=0)


@stated("stationary", SMOOTH, vanishing)
def at_points(x):
    return stationary("w", x.g)


@stated("null-of-linear", PL, geometric)
def gap_vanishes(x):
    return tends_to(x.e)


@stated("several", SMOOTH, gradients, descent)
def several(x):
    return summable(x.g, 2 * x.e[0] / x.eta), converges(x.e, at_least=0)


EPS = {"eps": positive()}
PRECISE = replace(SMOOTH, scalars={**SMOOTH.scalars, **EPS})
LINEARLY = replace(PL, scalars={**PL.scalars, **EPS})


@stated("index", PRECISE, gradients)
def from_index(x):
    return below(smallest(x.g), x.eps, after=2 * x.e[0] / (x.eta * x.eps))


@stated("logarithm", LINEARLY, geometric)
def from_logarithm(x):
    return below(x.e, x.eps, after=x.log(x.e[0] / x.eps) / (x.eta * x.mu))


NUMBERS = {
    "sequences": {"a": at_least(0), "b": at_least(0), "c": at_least(0), "u": real(), "r": at_least(0)},
    "C": at_least(0), "k": at_least(0), "q": at_least(0), "S": at_least(1),
}  # fmt: skip


def numbers(*every, given=(), **more):
    return Sequences(
        "T", every=tuple(condition(f"stated {k}", fn) for k, fn in enumerate(every)), given=given, **NUMBERS, **more
    )


def total(x):
    return le(x.sum(lambda t: x.a[t], x.T), x.C)


def total_of_b(x):
    return le(x.sum(lambda t: x.b[t], x.T), x.C)


SUMMED = numbers(given=(condition("sum a", total), condition("sum b", total_of_b)))


@stated("a", SUMMED)
def a_sums(x):
    return summable(x.a, x.C)


@stated("b", SUMMED)
def b_sums(x):
    return summable(x.b, x.C)


@stated("closed", SUMMED, a_sums, b_sums)
def closed(x):
    return tends_to(lambda t: x.k * x.a[t] + 3 * x.b[t + 1] ** 2 - x.a[t] * x.b[t])


TIED = numbers(
    lambda x, t: le(x.u[t] ** 2, x.a[t] + x.k * x.b[t]), lambda x, t: le(x.c[t], x.C), *(), given=SUMMED.given
)


@stated("root", TIED, a_sums, b_sums)
def root(x):
    return tends_to(x.u, square_at_most=lambda t: x.a[t] + x.k * x.b[t])


@stated("c", TIED)
def c_stays(x):
    return bounded(x.c, x.C)


@stated("product", TIED, a_sums, c_stays)
def product(x):
    return tends_to(lambda t: x.c[t] * x.a[t])


SQUEEZED = numbers(lambda x, t: le(x.u[t], x.k * x.a[t]), lambda x, t: le(-x.k * x.a[t], x.u[t]), given=SUMMED.given)


@stated("squeezed", SQUEEZED, a_sums)
def squeezed(x):
    return tends_to(x.u, at_most=lambda t: x.k * x.a[t])


@stated("on-the-first", SQUEEZED, a_sums)
def on_the_first(x):
    return tends_to(x.u, at_most=lambda t: x.k * x.a[t]), tends_to(lambda t: 3 * x.u[t])


RENEWED = numbers(lambda x, t: le(x.c[t + 1], 2 * x.c[t] - 2 * x.r[t] + x.a[t]), given=SUMMED.given)
OFTEN = printed("c is renewed in each S steps", lambda x: recurs(x.r, x.c, within=x.S))


@stated("renewed", RENEWED, a_sums, OFTEN)
def renewed(x):
    return tends_to(x.c, refreshed=refreshed(x.r, grows=2, more=x.a))


SHRINKING = numbers(
    lambda x, t: le(x.c[t + 1], x.c[t] - (1 - x.q) * x.r[t]), given=(condition("q < 1", lambda x: le(2 * x.q, 1)),)
)


@stated("shrinking", SHRINKING, OFTEN)
def shrinking(x):
    return tends_to(x.c, refreshed=refreshed(x.r, falls_to=x.q))


LEVEL = numbers(
    lambda x, t: le(x.c[t + 1], x.c[t]), lambda x, t: le(x.u[t] - x.c[t], x.a[t]), lambda x, t: le(x.c[t] - x.u[t], x.a[t]),
    given=SUMMED.given,
)  # fmt: skip


@stated("c-falls", LEVEL)
def c_falls(x):
    return converges(x.c, at_least=0)


@stated("near", LEVEL, a_sums)
def near(x):
    return tends_to(lambda t: x.u[t] - x.c[t], at_most=x.a)


@stated("together", LEVEL, c_falls, near)
def meet(x):
    return together(x.u, x.c)


WITHIN = numbers(
    lambda x, t: le(x.c[t], x.C),
    lambda x, t: le(x.u[t], 2 * x.c[t] + x.a[t]),
    lambda x, t: le(-x.c[t], x.u[t]),
    given=SUMMED.given,
)


@stated("within-c", WITHIN)
def within_c(x):
    return bounded(x.c, x.C)


@stated("within", WITHIN, a_sums, within_c)
def stays_within(x):
    return bounded(x.u, at_most=lambda t: 2 * x.c[t] + x.a[t])


@stated("polynomial", WITHIN, a_sums, within_c)
def stays_polynomial(x):
    return bounded(lambda t: x.k * x.c[t] ** 2 - 3 * x.a[t])


@stated("one-after-the-other", WITHIN, a_sums, within_c)
def one_after_the_other(x):
    return tends_to(lambda t: x.k * x.a[t]), bounded(x.u, at_most=lambda t: 2 * x.c[t] + x.a[t])


def young(x, t):
    return le(x.u[t] ** 2, x.a[t] * x.c[t])


ANY_S = {"s": positive()}
YOUNG = numbers(young, lambda x, t: le(x.c[t], x.C), given=SUMMED.given, **ANY_S)


@stated("young-c", YOUNG)
def young_c(x):
    return bounded(x.c, x.C)


def for_any(x, t):
    return x.s * x.c[t] + x.a[t] / x.s


@stated("for-every", YOUNG, a_sums, young_c)
def small_for_every(x):
    return tends_to(x.u, at_most=lambda t: for_any(x, t), for_every=x.s)


LINEAR = numbers(
    lambda x, t: le(x.u[t], x.a[t]), lambda x, t: le(-x.a[t], x.u[t]), lambda x, t: le(x.c[t], x.C), given=SUMMED.given, **ANY_S
)  # fmt: skip


@stated("linear-c", LINEAR)
def linear_c(x):
    return bounded(x.c, x.C)


@stated("for-every-linear", LINEAR, a_sums, linear_c)
def linear_for_every(x):
    return tends_to(x.u, at_most=lambda t: x.s * x.c[t] + x.a[t], for_every=x.s)


CLIENTS = Run(
    None, at=(), clients_at=("W", "Z"), fresh=("Z",), selection="chosen", sizes={"m": (1, 2), "d": (1,)},
    step={"W": lambda x: x.where(x.chosen, x.Z, x.W)}, rounds=at_least(1),
    obeys=(condition("it halves", lambda x: le(2 * x.sq(x.Z), x.sq(x.W))),),
    quantities={
        "q": OfClients(lambda x: x.sq(x.W)), "r": OfClients(lambda x: x.sq(x.W), "chosen"),
        "n": OfClients(lambda x: x.sq(x.Z)), "o": lambda x: x.total(x.sq(x.W)), "p": lambda x: x.sq(x.total_vec(x.W)),
        "e": OfClients(lambda x: x.sq(x.Z), "chosen"),
    },
)  # fmt: skip
AGAIN = printed("each is selected again", lambda x: chosen_again(within=x.rounds))


@stated("half", Points(None, at=(), clients_at=("W", "Z"), sizes={"m": (1,)}, given=CLIENTS.obeys))
def half(x):
    return le(2 * x.sq(x.Z), x.sq(x.W))


@stated("each", CLIENTS, AGAIN, half)
def each_client(x):
    return tends_to(x.q, refreshed=refreshed(x.r, falls_to=x.ratio(1, 2))), tends_to(x.r)


# each client with a number of its own: of the same run fewer quantities, or more, are followed

NU = replace(positive(), low=Fraction(1, 2), high=1, closed=False)
SHRINKS = condition("it shrinks", lambda x: le(x.sq(x.Z), x.nu * x.sq(x.W)))
OF_OWN = CLIENTS.quantities | {"s": OfClients(lambda x: (1 - x.nu) * x.sq(x.W), "chosen")}
OWN = replace(CLIENTS, scalars={**CLIENTS.scalars, "nu": replace(NU, per_client=True)}, obeys=(SHRINKS,))


def followed(names):
    """The same run with a few of its quantities."""
    return replace(OWN, quantities={name: OF_OWN[name] for name in names})


@stated("shrinks", Points(None, at=(), clients_at=("W", "Z"), sizes={"m": (1,)}, given=(SHRINKS,), nu=NU))
def shrinks(x):
    return le(x.sq(x.Z), x.nu * x.sq(x.W)), le(0, x.sq(x.W))


@stated("each-of-its-own", followed("qrs"), AGAIN, shrinks)
def each_of_its_own(x):
    return tends_to(x.q, refreshed=refreshed(x.r, falls_to=x.nu)), tends_to(x.r)


@stated("each-alone", followed("qrs"), AGAIN, each_of_its_own)
def each_alone(x):
    return tends_to(x.q)


@stated("each-of-fewer", followed("qn"), AGAIN, each_alone)
def each_of_fewer(x):
    return tends_to(lambda t: 3 * x.q[t])


@stated("each-of-more", followed("qrse"), AGAIN, each_of_its_own, shrinks)
def each_of_more(x):
    return tends_to(x.e, at_most=x.r)


KERNEL = {
    "each client": each_client, "each of its own": each_of_its_own, "each of fewer": each_of_fewer,
    "each of more": each_of_more,
    "bounded by a sequence": stays_within, "a bounded polynomial": stays_polynomial, "one after the other": one_after_the_other,
    "on the first": on_the_first,
    "for every s": linear_for_every,
    "sum": sums, "null": vanishing, "linear": geometric, "least": rate, "falls": falling, "stationary": at_points,
    "null of a linear rate": gap_vanishes, "two": several, "a sum": a_sums, "closed": closed, "root": root, "bounded": c_stays,
    "product": product, "squeezed": squeezed, "near": near, "renewed": renewed, "shrinking": shrinking, "together": meet,
    "an index": from_index, "a logarithm": from_logarithm,
}  # fmt: skip
LEGAL = KERNEL | {
    "for every s, by products": small_for_every,
}  # fmt: skip
