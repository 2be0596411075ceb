"""Lies: statements that are meant to deceive the referee, each with its truth and the sentence that proves it.

Every false one was once believed, or is a relative of one that was; the true ones beside it show a repair that refuses
too much. A row has the truth of the statement as it is written, by the ordinary meaning of its names:

- False: never proved, certified or supported. With ``at`` stands a counterexample in plain numbers.
- True: proved, certified or supported; never refuted, never vacuous.
- "not a statement": a UsageError, or unknown.
- "satisfiable": its conditions can hold, so it is not vacuous; what it claims is true.
- "empty": its conditions cannot hold, so it is vacuous (or unknown).

``answers`` are the answers that a row allows where they are others than its truth's. Claims are built when they are asked
for, since building some of them may rightly be refused.
"""

from __future__ import annotations

import itertools
import math
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from fedtheory import Control, claim, eq, le, lt
from fedtheory.errors import NotApplicable
from fedtheory.units import CURVATURE, STEP
from problems import (
    Convex,
    Points,
    Scalars,
    Smooth,
    SmoothConvex,
    SmoothStronglyConvex,
    StronglyConvex,
    WeaklyConvex,
    at_least,
    between,
    condition,
    positive,
    weights,
)
from problems.worlds.derived import DerivedPoints, DerivedScalars
from proofs_checks.fedadmm.worlds import fedadmm_steps
from proofs_checks.flame.worlds import flame_steps
from proofs_checks.pfedme.worlds.minibatch import minibatch
from proofs_checks.pfedme.worlds.round import pfedme_round

NOT_A_STATEMENT, SATISFIABLE, EMPTY = "not a statement", "satisfiable", "empty"
POSITIVE = ("proved", "certified", "supported")
ANSWERS = {
    False: ("refuted", "unknown", "UsageError"),
    True: POSITIVE,
    NOT_A_STATEMENT: ("UsageError", "unknown"),
    SATISFIABLE: (*POSITIVE, "unknown"),
    EMPTY: ("vacuous", "unknown"),
}
OR_UNKNOWN = (*POSITIVE, "unknown")
OR_REFUSED = (*POSITIVE, "unknown", "UsageError")
REFUTED = ("refuted",)
TIME_LIMIT = 60  # seconds for a row that is marked slow, in a process of its own


class Place(NamedTuple):
    """A world, built when it is asked for, and a statement about it that a search refutes at once."""

    world: Callable[[], Any]
    control: Callable[[Any], Any]


@dataclass(frozen=True)
class Lie:
    """One planted claim; its cause is the first part of its name."""

    name: str
    truth: Any
    why: str
    place: Place
    body: Callable[..., Any]
    at: Mapping[str, Any] | None = None
    answers: tuple[str, ...] = ()
    slow: bool = False
    make: Callable[[], Callable[..., Any]] | None = None

    @property
    def cause(self) -> str:
        return self.name.split("/")[0]

    @property
    def allowed(self) -> tuple[str, ...]:
        return self.answers or ANSWERS[self.truth]

    def build(self) -> Any:
        """The claim; building it may raise UsageError."""
        body = self.make() if self.make else self.body
        control = Control("it says less than nothing", self.place.control)
        return claim(f"lies/{self.name.replace('/', '.')}", world=self.place.world(), control=control, note=self.why)(
            body
        )


LIES: list[Lie] = []


def lie(name, truth, why, place, body, **options):
    """One row."""
    LIES.append(Lie(name, truth, why, place, body, **options))


class Slope(NamedTuple):
    """A function of one variable by its derivative: linear between the knots (u, g), of slopes `left` and `right` outside."""

    knots: tuple[tuple[Any, Any], ...]
    left: Any = 0
    right: Any = 0


# functions of one variable for the counterexamples, of curvature between -1 and 1

LINE = Slope(((0, 1),))  # u
SQUARE = Slope(((0, 0),), 1, 1)  # u^2/2
LEANING = Slope(((0, 0),), Fraction(1, 2), 1)  # u^2/2 on the right, u^2/4 on the left
BUMP = Slope(((-4, 0), (-3, 1), (-1, -1), (1, 1), (3, -1), (4, 0)), 1, 1)  # minima at 0, -4 and 4, maxima at 2 and -2
CLAMP = Slope(((-1, -1), (1, 1)))  # Huber's function
ANTICLAMP = Slope(((-1, 1), (1, -1)))
ZIGZAG = Slope(((0, 1), (Fraction(1, 2), Fraction(1, 2)), (1, 1), (Fraction(3, 2), Fraction(1, 2)), (2, 1)))
FLAT = Slope(((0, 0),))


def huber(delta):
    """u^2/2 up to delta, then linear."""
    return Slope(((-delta, -delta), (delta, delta)))


# places


def scalars(given=(), sizes=None, **named):
    first = next(iter(named))
    return Place(lambda: Scalars(given=given, sizes=sizes, **named), lambda x: le(getattr(x, first), 0))


def derived(formulas, given=(), sizes=None, **named):
    first = next(iter(named))
    return Place(
        lambda: DerivedScalars(formulas, given=given, sizes=sizes, **named), lambda x: le(getattr(x, first), 0)
    )


def clients(u="u", at=(), **options):
    """Vectors of clients alone."""
    return Place(lambda: Points(None, at=at, clients_at=(u,), **options), lambda x: le(x.sq(getattr(x, u)), 0))


def vectors(*at, **options):
    """Server vectors alone."""
    return Place(lambda: Points(None, at=at or ("w",), **options), lambda x: le(x.sq(getattr(x, (at or ("w",))[0])), 0))


def functions(f, /, **options):
    """Clients of a class at w, or at w and v."""
    return Place(lambda: Points(f, **options), lambda x: le(x.sq(x.f.grad(x.w)), 0))


def round_(f=None, R=(1,), optimum_of=None, **options):
    return Place(lambda: pfedme_round(f or Convex(), optimum_of=optimum_of, R=R, **options), lambda x: le(x.sq(x.w), 0))


def admm(**options):
    return Place(lambda: fedadmm_steps(**{"steps": (1,), **options}), lambda x: le(x.sq(x.next.W - x.state.W), 0))


def flame(**options):
    return Place(lambda: flame_steps(**{"steps": (1,), **options}), lambda x: le(x.sq(x.next.W - x.state.W), 0))


def samples(**options):
    return Place(
        lambda: minibatch(StronglyConvex("mu"), mu=positive(CURVATURE), **options),
        lambda x: le(x.sq(x.theta_hat - x.w), 0),
    )


EACH = positive(per_client=True)
BOTH = {"a": positive(), "b": positive()}
MU, L, LAM, RHO = ({name: positive(CURVATURE)} for name in ("mu", "L", "lam", "rho"))
SMALL = {"sizes": {"m": (1, 2), "d": (1, 2)}}
ONE = {"sizes": {"m": (1,), "d": (1, 2)}}
PAIR = scalars(**BOTH)
SUBSETS = {"sizes": {"m": (1, 2, 3, 4), "d": (1, 2), "S": (1, 2)}}
SMOOTH = functions(Smooth("L"), optimum_of="f", **L, **ONE)
SMOOTH_KAPPA = functions(Smooth("L"), optimum_of="f", at=("w", "v"), **L, kappa=positive(), **ONE)
BOWL = functions(SmoothConvex("L"), optimum_of="f", **L, **ONE)
STRONG = functions(SmoothStronglyConvex("mu", "L"), optimum_of="f", **MU, **L, **ONE)


# parts of bodies


def all_of(x):
    return x.sq(x.total_vec(x.u))


def each(x):
    return x.total(x.sq(x.u))


def slope(x, w=None):
    return x.mean_vec(x.f.grad(x.w if w is None else w))


def gap(x, w=None):
    return x.mean(x.f.value(x.w if w is None else w) - x.f.value(x.w_star))


def distance_sq(x):
    return x.sq(x.w - x.w_star)


def forward(x):
    return x.dot(slope(x), x.w - x.w_star)


def descended(x, n):
    """w and its n gradient steps of size 1/L."""
    out = [x.w]
    for _ in range(n):
        out.append(out[-1] - slope(x, out[-1]) / x.L)
    return out


def drawn(x, S):
    return x.total_vec(x.u, over=S)


def determinant(rows):
    """By the first row."""
    if len(rows) == 1:
        return rows[0][0]
    out = 0
    for k, first in enumerate(rows[0]):
        out = out + (-1) ** k * first * determinant([row[:k] + row[k + 1 :] for row in rows[1:]])
    return out


def gram(x, *names):
    """The Gram determinant of vectors."""
    return determinant([[x.dot(getattr(x, a), getattr(x, b)) for b in names] for a in names])


# fmt: off
# 1. names that mean two things

lie("names/size-N", False, "N is 1 as the author says, m = 2, u = (1, 1): 4 <= 2",
    clients(sizes={"N": (1,)}), lambda x: le(all_of(x), x.N * each(x)), at={"N": 1, "u": [[1], [1]]})
lie("names/size-N-is-ten", True, "5 <= 10; or the name is refused", clients(sizes={"N": (10,)}),
    lambda x: le(5 * x.sq(x.u), x.N * x.sq(x.u)), answers=OR_REFUSED, at={"N": 10, "u": [[1]]})
lie("names/size-N-of-samples", False, "N = 3 samples, two clients, u = (1, 0): 3 <= 2",
    clients(sizes={"N": (3,), "m": (2,), "d": (1,)}), lambda x: le(x.N * x.sq(x.u), 2 * each(x)),
    at={"N": 3, "u": [[1], [0]]})
lie("names/scalar-N", False, "m = 1, N = 1/2, w = 1: 1 <= 1/2",
    vectors(N=between(0, 1, closed=False)), lambda x: le(x.m * x.sq(x.w), x.N * x.sq(x.w)),
    at={"N": Fraction(1, 2), "w": [[1]]})
lie("names/scalar-m", False, "one client v = 1, m = 1/2: the sum over the clients is 1 and m times their mean 1/2",
    clients("v", m=between(0, 1, closed=False)), lambda x: le(x.total(x.sq(x.v)), x.m * x.mean(x.sq(x.v))),
    at={"m": Fraction(1, 2), "v": [[1]]})
lie("names/scalar-m-shared", False, "m = 1/2, w = 1: 2 <= 3/2; the number of clients is at least 1",
    vectors("w", m=between(0, 1, closed=False)),
    lambda x: le(2 * x.sq(x.w), (1 + x.m) * x.sq(x.w)), at={"m": Fraction(1, 2), "w": [[1]]})
lie("names/vector-m", True, "a sum of squares; or the name is refused", clients("m", at=("w",)),
    lambda x: le(0, x.total(x.sq(x.m))), answers=OR_REFUSED)
lie("names/vector-m-of-the-server", True, "1 <= 2; or the name is refused", vectors("m"),
    lambda x: le(x.sq(x.m), 2 * x.sq(x.m)), answers=OR_REFUSED)
lie("names/vector-m-mean", False, "m = (1, -1) has the mean 0 and the mean square 1", clients("m"),
    lambda x: le(x.mean(x.sq(x.m)), x.sq(x.mean_vec(x.m))), at={"m": [[1], [-1]]})
lie("names/L0-and-L", False, "L = 1, L0 = 3, w = 1: 3 <= 0",
    vectors("w", sizes={"m": (1,)}, L=EACH, L0=positive()),
    lambda x: le(x.L * x.L0 * x.sq(x.w), 10**12 * (x.L0 - 3 * x.L) ** 2 * x.sq(x.w)), at={"L": [1], "L0": 3, "w": [[1]]})
lie("names/sigma0-and-sigma", False, "sigma = 1, sigma0 = 3: 0 < 0",
    scalars(sigma=EACH, sigma0=positive(), sizes={"m": (1,)}), lambda x: lt(0, (x.sigma0 - 3 * x.sigma) ** 2),
    at={"sigma": [1], "sigma0": 3})
lie("names/a0-a1-and-a", False, "a = (1, 1), a0 = a1 = 2: 4 <= 1",
    scalars(a=EACH, a0=positive(), a1=positive(), sizes={"m": (2,)}), lambda x: le(x.a0 * x.a1, x.max(x.a) ** 2),
    at={"a": [1, 1], "a0": 2, "a1": 2})
lie("names/a1-and-a-equal", False, "a = (1, 1), a1 = 2: 2 = 1",
    scalars(a=EACH, a1=positive(), sizes={"m": (2,)}), lambda x: eq((x.a1 - x.max(x.a)) * (x.a1 - x.min(x.a)), 0),
    at={"a": [1, 1], "a1": 2})
lie("names/L0-L1-smooth", True, "(L0 + L1)(1 + mean L) - L0 - L1 mean L = L0 mean L + L1 > 0",
    scalars(L=EACH, L0=positive(), L1=positive(), sizes={"m": (1, 2)}),
    lambda x: le(x.L0 + x.L1 * x.mean(x.L), (x.L0 + x.L1) * (1 + x.mean(x.L))))
lie("names/L0-L1-smooth-order", SATISFIABLE, "L0 = 1, L = 2: L0 < L_i for every i, so L0 is below the mean",
    scalars(L=EACH, L0=positive(), sizes={"m": (1, 2)}, given=(condition("L0 < L_i", lambda x: lt(x.L0, x.L)),)),
    lambda x: le(x.L0, x.mean(x.L)), at={"L": [2], "L0": 1}, answers=POSITIVE)
lie("names/sigma0-above", SATISFIABLE, "sigma_i < sigma0 for every i, so the largest is; sigma = 1, sigma0 = 2",
    scalars(sigma=EACH, sigma0=positive(), sizes={"m": (1, 2)}, given=(condition("", lambda x: lt(x.sigma, x.sigma0)),)),
    lambda x: lt(x.max(x.sigma), x.sigma0), at={"sigma": [1], "sigma0": 2}, answers=POSITIVE)
lie("names/L0-among-functions", True, "L0 <= L0 + L_i, times a square",
    functions(Smooth("L"), L=positive(CURVATURE, per_client=True), L0=positive(CURVATURE), **SMALL),
    lambda x: le(x.L0 * x.sq(x.f.grad(x.w)), (x.L0 + x.L) * x.sq(x.f.grad(x.w))))
lie("names/L0-bounds-the-gradient", False, "L = 1, L0 = 1/10, f = u^2/2, w = 1: 1 <= 1/100",
    functions(Smooth("L"), optimum_of="f", L=positive(CURVATURE, per_client=True), L0=positive(CURVATURE), **ONE),
    lambda x: le(x.sq(x.f.grad(x.w)), x.L0**2 * distance_sq(x)),
    at={"L": [1], "L0": Fraction(1, 10), "w": [[1]], "w_star": [[0]], "f": [SQUARE]})
lie("names/vector-g0", False, "f = 0, w = 0, g0 = 1: 1 <= 0",
    functions(SmoothConvex("L"), clients_at=("g0",), **L, **ONE), lambda x: le(x.sq(x.g0), 2 * x.sq(x.f.grad(x.w))),
    at={"L": 1, "f": [FLAT], "w": [[0]], "g0": [[1]]})
lie("names/vector-g0-honest", True, "|a + b|^2 <= 2 |a|^2 + 2 |b|^2",
    functions(SmoothConvex("L"), clients_at=("g0",), **L, **SMALL),
    lambda x: le(x.sq(x.g0 + x.f.grad(x.w)), 2 * x.sq(x.g0) + 2 * x.sq(x.f.grad(x.w))), answers=OR_REFUSED)
lie("names/vector-g-star", False, "w_star = 0 of u^2/2, g_star = (1, 1): |2|^2 <= 0",
    functions(SmoothConvex("L"), clients_at=("g_star",), optimum_of="f", **L, **SMALL),
    lambda x: le(x.sq(x.total_vec(x.g_star)), 0 * x.sq(x.w)),
    at={"L": 1, "f": [SQUARE, SQUARE], "w": [[0]], "w_star": [[0]], "g_star": [[1], [1]]})
lie("names/derived-overrides", NOT_A_STATEMENT, "a is drawn and computed",
    derived({"a": lambda x: x.b + x.b}, **BOTH), lambda x: le(x.a, 2 * x.b))
lie("names/derived-overrides-vector", NOT_A_STATEMENT, "w is a vector and a formula",
    Place(lambda: DerivedPoints({"w": lambda x: x.a}, None, at=("w",), a=positive()), lambda x: le(x.a, 0)),
    lambda x: le(0, x.sq(x.w)))
lie("names/derived-m", NOT_A_STATEMENT, "m is the number of clients and a formula",
    derived({"m": lambda x: x.min(x.a) / 2}, a=EACH), lambda x: le(x.m, x.mean(x.a)))
lie("names/derived-N", NOT_A_STATEMENT, "N is the number of clients and a formula",
    Place(lambda: DerivedPoints({"N": lambda x: 1 / x.a}, None, clients_at=("u",), a=positive()), lambda x: le(x.a, 0)),
    lambda x: le(all_of(x), x.N * each(x)))
lie("names/derived-f", NOT_A_STATEMENT, "f are the clients and a formula",
    Place(lambda: DerivedPoints({"f": lambda x: x.L * 2}, SmoothConvex("L"), **L), lambda x: le(x.L, 0)),
    lambda x: le(x.L, x.f))
lie("names/size-steps", False, "two steps on Huber's function with delta = 1/3 from w = 1: 11/9 <= 1",
    functions(SmoothConvex("L"), optimum_of="f", **L, sizes={"m": (1,), "d": (1,), "steps": (1, 2)}),
    lambda x: le((x.steps**2 + 4 * x.steps - 1) * x.sq(slope(x, descended(x, x.steps)[-1])), x.L**2 * distance_sq(x)),
    at={"steps": 2, "L": 1, "w": [[1]], "w_star": [[0]], "f": [huber(Fraction(1, 3))]})
lie("names/size-R", False, "two steps, as above: (9 + 1)/9 <= 1",
    functions(SmoothConvex("L"), optimum_of="f", **L, sizes={"m": (1,), "d": (1,), "R": (1, 2)}),
    lambda x: le(((x.R + 1) ** 2 + x.R - 1) * x.sq(slope(x, descended(x, x.R)[-1])), x.L**2 * distance_sq(x)),
    at={"R": 2, "L": 1, "w": [[1]], "w_star": [[0]], "f": [huber(Fraction(1, 3))]})
lie("names/size-k0", False, "two steps on Huber's function with delta = 1/5 from w = 1: 11/10 <= 1",
    functions(SmoothConvex("L"), optimum_of="f", **L, sizes={"m": (1,), "d": (1,), "k0": (1, 2)}),
    lambda x: le((4 * x.k0 + 2 + x.k0 - 1) * gap(x, descended(x, x.k0)[-1]), x.L * distance_sq(x)),
    at={"k0": 2, "L": 1, "w": [[1]], "w_star": [[0]], "f": [huber(Fraction(1, 5))]})
lie("names/size-k0-factor", False, "k0 = 3, w = 1: 3 <= 1", vectors("w", sizes={"k0": (1, 3)}),
    lambda x: le(x.k0 * x.sq(x.w), x.sq(x.w)), at={"k0": 3, "w": [[1]]})
lie("names/size-batch-factor", False, "batch = 2, w = 1: 2 <= 1", vectors("w", sizes={"batch": (1, 2)}),
    lambda x: le(x.batch * x.sq(x.w), x.sq(x.w)), at={"batch": 2, "w": [[1]]})
lie("names/size-steps-honest", True, "n is 1 or 2", vectors("w", sizes={"steps": (1, 2), "d": (1,), "m": (1,)}),
    lambda x: le(x.steps * x.sq(x.w), 2 * x.sq(x.w)), answers=OR_REFUSED)
lie("names/size-select-honest", True, "1, 2 and 3 are at most 3",
    vectors("w", sizes={"select": (1, 2, 3), "d": (1,), "m": (1, 2)}),
    lambda x: le(x.select * x.sq(x.w), 3 * x.sq(x.w)), answers=OR_REFUSED)
lie("names/scalar-F", NOT_A_STATEMENT, "F is a number and the envelopes",
    functions(Convex(), envelope="lam", **LAM, F=positive()), lambda x: le(0, x.F))
lie("names/vector-F", NOT_A_STATEMENT, "F is a vector and the envelopes",
    functions(Convex(), envelope="lam", clients_at=("F",), **LAM), lambda x: le(0, x.sq(x.F)))
lie("names/vector-f", NOT_A_STATEMENT, "f is a vector and the clients", functions(Convex(), clients_at=("f",)),
    lambda x: le(0, x.sq(x.f)))
lie("names/vector-E", True, "a square; or the name is refused", vectors("E"), lambda x: le(0, x.sq(x.E)),
    answers=OR_REFUSED)
lie("names/vector-mean", True, "a square; or the name is refused", clients("mean"), lambda x: le(0, x.sq(x.mean)),
    answers=OR_REFUSED)
lie("names/scalar-mean", NOT_A_STATEMENT, "x.mean is a function", scalars(mean=positive()), lambda x: le(0, x.mean),
    answers=("UsageError",))
lie("names/scalar-sq", NOT_A_STATEMENT, "x.sq is a function", vectors("w", sq=positive()), lambda x: le(0, x.sq(x.w)),
    answers=("UsageError",))
lie("names/scalar-d", False, "d = 1/2, w = 1: 1 <= 1/2", vectors("w", d=positive()),
    lambda x: le(x.sq(x.w), x.d * x.sq(x.w)), at={"d": Fraction(1, 2), "w": [[1]]})
lie("names/scalar-w", NOT_A_STATEMENT, "w is a number in the condition and a vector in the body",
    vectors("w", w=positive(), given=(condition("w <= 1", lambda x: le(x.w, 1)),)), lambda x: le(0, x.sq(x.w)))
lie("names/scalar-S", NOT_A_STATEMENT, "S is a number and a size", clients(S=positive(), **SUBSETS),
    lambda x: le(x.S * x.sq(x.u), (1 + x.S) * x.sq(x.u)))
lie("names/scalar-error", NOT_A_STATEMENT, "error is a number and the inner errors", round_(error=positive()),
    lambda x: le(0, x.error))
lie("names/scalar-and-size", NOT_A_STATEMENT, "a is a number and a size", scalars(sizes={"a": (1, 2)}, **BOTH),
    lambda x: le(x.a, 2))
lie("names/a10", False, "eleven clients, a1_i = 3, a_i = 1: the first a1 minus three times the last a is 0",
    scalars(a=EACH, a1=EACH, sizes={"m": (11,)}), lambda x: lt(0, (x.a1[..., :1] - 3 * x.a[..., 10:]) ** 2),
    at={"a": [1] * 11, "a1": [3] * 11})
lie("names/a10-ordered", False, "a1_i = 3, a_i = 1: 3 <= 2", scalars(a=EACH, a1=EACH, sizes={"m": (11,)}),
    lambda x: le(x.a1[..., :1], 2 * x.a[..., 10:]), at={"a": [1] * 11, "a1": [3] * 11})
lie("names/scalar-I", False, "I = 1, w = 1: 1 <= 0; I is no imaginary unit", vectors("w", I=positive()),
    lambda x: le(x.I**2 * x.sq(x.w), 0), at={"I": 1, "w": [[1]]}, answers=REFUTED)
lie("names/scalars-I-and-pi", True, "a square; no constants", vectors("w", I=positive(), pi=positive()),
    lambda x: le(2 * x.I * x.pi * x.sq(x.w), (x.I**2 + x.pi**2) * x.sq(x.w)))
lie("names/bound-Q", True, "|grad f|^2 <= 2 Q gap for Q-smooth f",
    functions(SmoothConvex("Q"), optimum_of="f", Q=positive(CURVATURE), **ONE),
    lambda x: le(x.sq(slope(x)), 2 * x.Q * gap(x)))
lie("names/bound-of-two-words", True, "the same; or the name is refused",
    Place(lambda: Points(SmoothConvex("my L"), optimum_of="f", **{"my L": positive(CURVATURE)}, **ONE),
          lambda x: le(x.sq(slope(x)), 0)),
    lambda x: le(x.sq(slope(x)), 2 * getattr(x, "my L") * gap(x)), answers=OR_REFUSED)
lie("names/scalar-xp", NOT_A_STATEMENT, "x.xp is an array library", vectors("w", xp=positive()),
    lambda x: le(x.sq(x.w), (1 + x.xp) * x.sq(x.w)))
lie("names/size-given", NOT_A_STATEMENT, "x.given are conditions", vectors("w", sizes={"given": (2,)}),
    lambda x: le(x.sq(x.w), (1 + len(x.given * 2)) * x.sq(x.w)))
lie("names/point-and-client", NOT_A_STATEMENT, "w is one vector and one vector a client", clients("w", at=("w",)),
    lambda x: le(x.sq(x.total_vec(x.w)), x.m * x.total(x.sq(x.w))))
lie("names/diversity-and-scalar", NOT_A_STATEMENT, "s is a number of its own and the diversity",
    functions(Smooth("L"), diversity="s", s=positive(), **L), lambda x: le(x.s, x.s + x.L))

# 2. relations of which one is undefined somewhere


def apart(x):
    return (x.a - x.b) ** 2


lie("domain/pole-behind", False, "the first fails at a = b, whatever the second is there",
    PAIR, lambda x: (lt(0, apart(x)), lt(0, 1 / apart(x))), at={"a": 1, "b": 1, "part": 0})
lie("domain/pole-before", False, "the second fails at a = b", PAIR, lambda x: (lt(0, 1 / apart(x)), lt(0, apart(x))),
    at={"a": 1, "b": 1, "part": 1})
lie("domain/pole-of-one", False, "the first fails at a = 2",
    scalars(a=positive()), lambda x: (lt(0, (x.a - 2) ** 2), le(0, 1 / (x.a - 2) ** 2)), at={"a": 2, "part": 0})
lie("domain/pole-on-the-edge", False, "a = 2 is allowed: 2 < 2 fails",
    scalars(a=positive(), given=(condition("a <= 2", lambda x: le(x.a, 2)),)),
    lambda x: (lt(x.a, 2), lt(0, 1 / (2 - x.a))), at={"a": 2, "part": 0})
lie("domain/three-relations", False, "the second fails at a = 3",
    scalars(a=positive()), lambda x: (lt(0, x.a), lt(0, (x.a - 3) ** 2), lt(0, 1 / (x.a - 3) ** 4)),
    at={"a": 3, "part": 1})
lie("domain/m-minus-1", False, "the first fails for one client u = 1: 2 <= 1",
    clients(), lambda x: (le(2 * x.sq(x.u), x.m * each(x)), le(x.mean(x.sq(x.u)), x.m / (x.m - 1) * x.mean(x.sq(x.u)))),
    at={"u": [[1]], "part": 0})
lie("domain/m-minus-1-before", False, "the second fails for one client u = 1: 3 <= 2",
    clients(), lambda x: (le(0, each(x) / (x.m - 1)), le(3 * x.mean(x.sq(x.u)), (x.m + 1) * each(x))),
    at={"u": [[1]], "part": 1})
lie("domain/m-minus-S", False, "the first fails at S = m = 2, u = (1, 1): 2 <= 1",
    clients(sizes={"m": (2,), "d": (1,), "S": (1, 2)}),
    lambda x: (le(x.S * x.mean(x.sq(x.u)), x.mean(x.sq(x.u))), le(0, each(x) / (x.m - x.S))),
    at={"S": 2, "u": [[1], [1]], "part": 0})
lie("domain/R-minus-1", False, "the first fails for one local round, w = 1: 2 <= 1",
    round_(R=(1, 2)), lambda x: (le(2 * x.sq(x.w), x.R * x.sq(x.w)), le(0, x.sq(x.w) / (x.R - 1))))
lie("domain/n-minus-1", False, "the first fails at n = 1, w = 1: 2 <= 1", vectors("w", sizes={"n": (1, 2)}),
    lambda x: (le(2 * x.sq(x.w), x.n * x.sq(x.w)), le(0, x.sq(x.w) / (x.n - 1))), at={"n": 1, "w": [[1]], "part": 0})
lie("domain/pole-everywhere", False, "2 a <= a fails everywhere, and the second is defined nowhere", scalars(a=positive()),
    lambda x: (le(2 * x.a, x.a), le(0, 1 / (x.a - x.a))), at={"a": 1, "part": 0})
lie("domain/pole-everywhere-among-vectors", False, "the first fails at u = 1, and the second is defined nowhere", clients(),
    lambda x: (le(2 * each(x), each(x)), le(0, each(x) / (x.m - x.m))), at={"u": [[1]], "part": 0})
lie("domain/vector-zero", False, "the first fails at v = 0",
    vectors("w", "v"), lambda x: (lt(0, x.sq(x.v)), le(0, x.sq(x.w) / x.sq(x.v))), at={"w": [[1]], "v": [[0]], "part": 0})
lie("domain/root-of-negative", False, "1 <= a fails at a = 1/2, where the root of a - 1 is undefined",
    scalars(a=positive()), lambda x: (le(1, x.a), le(0, x.sqrt(x.a - 1))), at={"a": Fraction(1, 2), "part": 0})
lie("domain/log-of-negative", False, "b <= a fails at a = 1, b = 2, where log(a - b) is undefined",
    PAIR, lambda x: (le(x.b, x.a), le(0, x.log(x.a - x.b) ** 2)), at={"a": 1, "b": 2, "part": 0})
lie("domain/log-zero", False, "log 1 = 0, where its reciprocal is undefined",
    scalars(a=positive()), lambda x: (lt(0, x.log(x.a) ** 2), lt(0, 1 / x.log(x.a) ** 2)),
    at={"a": 1, "part": 0})
lie("domain/pole-between-points", False, "a = b = 1, w = 1: 1 <= 0 (and so it is near a = b)",
    vectors("w", **BOTH, **ONE),
    lambda x: (le(x.sq(x.w), 10**9 * apart(x) * x.sq(x.w)), le(0, x.sq(x.w) / apart(x))),
    at={"a": 1, "b": 1, "w": [[1]], "part": 0})
lie("domain/whole-tuple", True, "2 a b <= a^2 + b^2, and 1/(a + b) is defined and positive",
    PAIR, lambda x: (le(2 * x.a * x.b, x.a**2 + x.b**2), lt(0, 1 / (x.a + x.b))))
lie("domain/pole-alone", True, "a square is positive wherever its reciprocal is defined",
    PAIR, lambda x: lt(0, 1 / apart(x)), answers=OR_UNKNOWN)
lie("domain/m-minus-1-true", True, "Cauchy-Schwarz for every m; m/(m - 1) > 1 wherever it is defined",
    clients(**SMALL), lambda x: (le(all_of(x), x.m * each(x)), le(each(x), x.m / (x.m - 1) * each(x))), answers=OR_UNKNOWN)
lie("domain/quotient-of-squares", True, "Cauchy-Schwarz, wherever v is not 0",
    vectors("w", "v", **ONE), lambda x: le(x.dot(x.w, x.v) ** 2 / x.sq(x.v), x.sq(x.w)), answers=OR_UNKNOWN)
lie("domain/condition-with-pole", True, "1/(a - 1) > 0 asks for a > 1, and is not met at its pole",
    scalars(a=positive(), given=(condition("1/(a - 1) > 0", lambda x: lt(0, 1 / (x.a - 1))),)), lambda x: lt(1, x.a))
lie("domain/condition-with-pole-false", False, "a = 3/2 has 1/(a - 1) = 2 > 0 and is below 2",
    scalars(a=positive(), given=(condition("1/(a - 1) > 0", lambda x: lt(0, 1 / (x.a - 1))),)), lambda x: lt(2, x.a),
    at={"a": Fraction(3, 2)}, answers=REFUTED)
lie("domain/nowhere", NOT_A_STATEMENT, "1/(a - a) is defined nowhere", scalars(a=positive()),
    lambda x: le(0, 1 / (x.a - x.a)), answers=("UsageError", "unknown"))
lie("domain/nowhere-among-vectors", NOT_A_STATEMENT, "1/(m - m) is defined nowhere", vectors("w", **ONE),
    lambda x: le(0, x.sq(x.w) / (x.m - x.m)))
lie("domain/log-nowhere", NOT_A_STATEMENT, "log(-a) is defined nowhere", scalars(a=positive()),
    lambda x: le(0, x.log(-x.a)))

# 3. expectations, selections, slices, one client against all


def late(x):
    """m - S - 1, which is 0 at m = 2, S = 1 and at m = 3, S = 2."""
    return x.m - x.S - 1


def later(x):
    """(m - 2)(m - 3), which is 0 at two and at three clients."""
    return (x.m - 2) * (x.m - 3)


def twice(x):
    """E over two independent selections of the inner product of their sums."""
    return x.E(lambda S: x.E(lambda T: x.dot(drawn(x, S), drawn(x, T))))


def once(x):
    return x.E(lambda S: x.sq(drawn(x, S)))


SELECT = clients(**SUBSETS)
lie("expectation/nested-late", False, "m = 3, S = 1, u = (1, -1, 0): |mean|^2 = 0 against 2/3",
    SELECT, lambda x: eq(late(x) * twice(x), late(x) * once(x)), at={"S": 1, "u": [[1], [-1], [0]]})
lie("expectation/nested-later", False, "m = 4, S = 1, u = (1, -1, 0, 0): 0 against 2 times 1/2",
    SELECT, lambda x: eq(later(x) * twice(x), later(x) * once(x)), at={"S": 1, "u": [[1], [-1], [0], [0]]})
lie("expectation/nested-plain", False, "m = 2, S = 1, u = (1, -1): 0 against 1",
    SELECT, lambda x: eq(twice(x), once(x)), at={"S": 1, "u": [[1], [-1]]}, answers=("refuted", "UsageError"))
lie("expectation/nested-inside", False, "m = 3, S = 1, u = (1, -1, 0): 0 against 2/3", SELECT,
    lambda x: eq(late(x) * x.E(lambda S: x.dot(drawn(x, S), x.E(lambda T: drawn(x, T)))), late(x) * once(x)),
    at={"S": 1, "u": [[1], [-1], [0]]})
lie("expectation/two-selections-agree", False, "m = 3, S = 1, u = (1, 0, 0): the two selections differ", SELECT,
    lambda x: le(late(x) * x.E(lambda S: x.E(lambda T: x.sq(drawn(x, S) - drawn(x, T)))), 0),
    at={"S": 1, "u": [[1], [0], [0]]})
lie("expectation/square-of-a-sum", False, "m = 4, S = 1, u = (1, 0, 0, 0): 2/4 = 2/16", SELECT,
    lambda x: eq(later(x) * x.E(lambda S: x.total(x.sq(x.u), over=S) ** 2),
                 later(x) * x.E(lambda S: x.total(x.sq(x.u), over=S)) ** 2),
    at={"S": 1, "u": [[1], [0], [0], [0]]})
lie("expectation/product-of-two", False, "m = 4, S = 1, u = (1, -1, 0, 0): 1 = 0", SELECT,
    lambda x: eq(later(x) * once(x), later(x) * x.dot(x.E(lambda S: drawn(x, S)), x.E(lambda T: drawn(x, T)))),
    at={"S": 1, "u": [[1], [-1], [0], [0]]})
lie("expectation/kept-selection", NOT_A_STATEMENT, "the inner sum keeps the outer body's selection in a list", SELECT,
    None, make=lambda: (lambda kept: lambda x: eq(
        later(x) * x.E(lambda S: (kept.append(S), x.sq(drawn(x, kept[0])))[1]), later(x) * once(x)))([]),
    answers=("UsageError", "unknown", "refuted"))
lie("expectation/nested-true", True, "independent selections: E E <u_S, u_T> = |E u_S|^2 = S^2 |mean|^2",
    SELECT, lambda x: eq(twice(x), x.S**2 * x.sq(x.mean_vec(x.u))), answers=OR_UNKNOWN)
lie("expectation/nested-distance", True, "E E |u_S - u_T|^2 = 2 E |u_S|^2 - 2 S^2 |mean|^2", SELECT,
    lambda x: eq(x.E(lambda S: x.E(lambda T: x.sq(drawn(x, S) - drawn(x, T)))),
                 2 * once(x) - 2 * x.S**2 * x.sq(x.mean_vec(x.u))), answers=OR_UNKNOWN)
lie("expectation/jensen", True, "the square of the mean is at most the mean square", SELECT,
    lambda x: le(x.S**2 * x.sq(x.mean_vec(x.u)), once(x)))
lie("expectation/sampling", True, "E |u_S/S - mean|^2 = (m - S)/(S (m - 1)) of the variance, times S (m - 1)", SELECT,
    lambda x: eq(x.S * (x.m - 1) * x.E(lambda S: x.sq(drawn(x, S) / x.S - x.mean_vec(x.u))),
                 (x.m - x.S) * x.mean(x.sq(x.u - x.mean_vec(x.u)))))
lie("expectation/sampling-late", False, "m = 3, S = 1, u = (1, 0, 0): the factor is m - S = 2, not 3", SELECT,
    lambda x: eq(x.S * (x.m - 1) * x.E(lambda S: x.sq(drawn(x, S) / x.S - x.mean_vec(x.u))),
                 (x.m - x.S + late(x)) * x.mean(x.sq(x.u - x.mean_vec(x.u)))), at={"S": 1, "u": [[1], [0], [0]]})
lie("expectation/selected-squares", True, "every client is drawn with probability S/m", SELECT,
    lambda x: eq(x.E(lambda S: x.total(x.sq(x.u), over=S)), x.S * x.mean(x.sq(x.u))))
lie("expectation/of-a-round", False, "two clients f_i = u and -u, S = 1, no error: two independent rounds do not agree",
    round_(), lambda x: eq(
        x.E(lambda a: x.E(lambda b: x.dot(x.alg.step(x.f, x.state, a).w - x.w, x.alg.step(x.f, x.state, b).w - x.w))),
        x.E(lambda a: x.sq(x.alg.step(x.f, x.state, a).w - x.w))))
lie("expectation/of-minibatches", False, "two samples of different slopes: two independent minibatches differ",
    samples(), lambda x: le(x.E(lambda D: x.E(lambda C: x.sq(x.theta_tilde(D) - x.theta_tilde(C)))), 0),
    answers=("refuted", "UsageError"))
lie("expectation/first-client-later", False, "m = 4, u = (1, 0, 0, 0): the first client has 2, the second 0",
    clients(), lambda x: le(later(x) * x.sq(x.u[..., :1, :]), later(x) * x.sq(x.u)), at={"u": [[1], [0], [0], [0]]})
lie("expectation/last-client-later", False, "m = 4, u = (0, 0, 0, 1): 6 <= 3/2", clients(),
    lambda x: le((x.m - 1) * later(x) * x.sq(x.u)[..., -1:], (x.m - 1) * later(x) * x.mean(x.sq(x.u))),
    at={"u": [[0], [0], [0], [1]]})
lie("expectation/first-client-mean", False, "m = 2, u = (1, 0): 1 <= 1/2", clients(),
    lambda x: le(x.sq(x.u)[..., :1], x.mean(x.sq(x.u))), at={"u": [[1], [0]]})
lie("expectation/first-client-total", True, "one term of a sum of squares", clients(**SMALL),
    lambda x: le(x.sq(x.u)[..., :1], each(x)), answers=OR_REFUSED)
lie("expectation/total-of-a-slice", True, "the sum of one term is the term; or a sum over one entry is refused",
    clients(), lambda x: le(x.total(x.sq(x.u)[..., :1]), each(x)), answers=OR_REFUSED)
lie("expectation/total-of-two", True, "|u_1 + u_2|^2 <= 2 |u_1|^2 + 2 |u_2|^2", clients(sizes={"d": (1,)}),
    lambda x: le(x.sq(x.total_vec(x.u[..., :2, :])), 2 * each(x)), answers=OR_REFUSED)
lie("expectation/total-of-two-later", False, "m = 4, u = (1, 1, 0, 0): 2 times 4 <= 2 times 2", clients(sizes={"d": (1,)}),
    lambda x: le(later(x) * x.sq(x.total_vec(x.u[..., :2, :])), later(x) * each(x)), at={"u": [[1], [1], [0], [0]]})
lie("expectation/mean-of-two-later", False, "m = 4, u = (1, 1, 0, 0): 2 <= 1", clients(sizes={"d": (1,)}),
    lambda x: le(later(x) * x.mean(x.sq(x.u[..., :2, :])), later(x) * x.mean(x.sq(x.u))), at={"u": [[1], [1], [0], [0]]})
lie("expectation/one-against-mean-late", False, "m = 3, u = (1, 0, 0): 2 <= 2/3", clients(),
    lambda x: le((x.m - 1) * (x.m - 2) * x.sq(x.u), (x.m - 1) * (x.m - 2) * x.mean(x.sq(x.u))),
    at={"u": [[1], [0], [0]]})
lie("expectation/one-against-all", True, "one term of a sum of squares", clients(), lambda x: le(x.sq(x.u), each(x)))
lie("expectation/weights-along-coordinates", NOT_A_STATEMENT, "alpha_i has to multiply a vector as alpha[..., None]",
    clients(alpha=weights(), **SMALL), lambda x: le(x.sq(x.total_vec(x.alpha * x.u)), x.total(x.alpha * x.sq(x.u))))
lie("expectation/weights-along-coordinates-run", NOT_A_STATEMENT, "the same after a step of FedADMM", admm(),
    lambda x: le(x.sq(x.total_vec(x.alpha * x.next.W)), x.total(x.alpha * x.sq(x.next.W))))
lie("expectation/weighted-jensen", True, "the square of a weighted mean is at most the weighted mean square",
    clients(alpha=weights(), **SMALL),
    lambda x: le(x.sq(x.total_vec(x.alpha[..., None] * x.u)), x.total(x.alpha * x.sq(x.u))))
lie("expectation/weighted-jensen-run", True, "the same after a round of FLAME", flame(),
    lambda x: le(x.sq(x.total_vec(x.alpha[..., None] * x.next.W)), x.total(x.alpha * x.sq(x.next.W))))
lie("expectation/weights-forgotten", False, "alpha = (9/10, 1/10), u = (1, 0): 81/100 <= 1/2",
    clients(alpha=weights(), **SMALL),
    lambda x: le(x.sq(x.total_vec(x.alpha[..., None] * x.u)), x.mean(x.sq(x.u))),
    at={"alpha": [Fraction(9, 10), Fraction(1, 10)], "u": [[1], [0]]}, answers=REFUTED)
lie("expectation/max-inside", False, "u = (1, 0), S = 1: E max over the drawn one is 1/2", clients(**SUBSETS),
    lambda x: le(x.max(x.sq(x.u)), x.E(lambda S: x.total(x.sq(x.u), over=S))), at={"S": 1, "u": [[1], [0]]},
    answers=REFUTED)

# 4. bodies that read what no statement can speak of


def kinds_of(x, s):
    return type(np.asarray(s, dtype=object).flat[0])


def flips():
    calls = []

    def body(x):
        calls.append(1)
        return le(len(calls) % 2 * x.sq(x.w), 0)

    return body


def third_call():
    count = itertools.count()
    return lambda x: le(x.sq(x.w), 0) if next(count) == 2 else le(0, x.sq(x.w))


def moves_w(x):
    after = x.w
    after -= x.v
    return le(0, x.sq(after))


def doubles_s(x):
    s = x.sq(x.u)
    s += x.sq(x.u)
    return le(x.sq(x.u), s)


def doubles_a(x):
    a = x.a
    a *= 2
    return le(a, 2 * x.a)


def without_d(x):
    try:
        d = x.d
    except NotApplicable:
        return le(0, x.sq(x.w))
    return le(0, (3 - d) * x.sq(x.w))


def without_states(x):
    try:
        return le(x.sq(x.states[-1].w), 0)
    except NotApplicable:
        return le(0, x.sq(x.next.w))


def by_hand(x, k):
    """The sum over clients by a loop over the rows."""
    return sum(x.u[..., i : i + 1, :] for i in range(k))


W_V = vectors("w", "v", sizes={"m": (1,), "d": (1, 2)})
lie("reading/last-coordinate", NOT_A_STATEMENT, "a coordinate of w", vectors("w"), lambda x: le(x.w[..., -1], 10**40))
lie("reading/first-coordinate", NOT_A_STATEMENT, "a coordinate of w", vectors("w"), lambda x: le(0, x.w[..., 0] ** 2))
lie("reading/einsum", False, "w = v = 1: 1 <= 0", W_V, lambda x: le(np.einsum("...i,...i->...", x.w, x.v), 0),
    at={"w": [[1]], "v": [[1]]})
lie("reading/einsum-of-slopes", False, "f = u^2/2, w = 1: 1 <= 1/2",
    functions(Smooth("L"), optimum_of="f", **L, **ONE),
    lambda x: le(np.einsum("...i,...i->...", slope(x), x.w - x.w_star), x.L * distance_sq(x) / 2),
    at={"L": 1, "f": [SQUARE], "w": [[1]], "w_star": [[0]]})
lie("reading/axis-tuple", False, "a sum of coordinates; w = 1, v = 0: 1 <= 0", W_V,
    lambda x: le(np.sum(x.w - x.v, axis=(-1,)), 0), at={"w": [[1]], "v": [[0]]})
lie("reading/sum-of-products", False, "w = v = 1: 1 <= 0", W_V, lambda x: le((x.w * x.v).sum(axis=-1), 0),
    at={"w": [[1]], "v": [[1]]})
lie("reading/matmul", False, "w = v = 1: 1 <= 0", W_V,
    lambda x: le(np.matmul(x.w, np.swapaxes(x.v, -1, -2))[..., 0], 0), at={"w": [[1]], "v": [[1]]})
lie("reading/numpy-dot", False, "w = v = 1: 1 <= 0", vectors("w", "v", sizes={"m": (1,), "d": (1,)}),
    lambda x: le(np.dot(x.w[..., 0, :], x.v[..., 0, 0]), 0), at={"w": [[1]], "v": [[1]]})
lie("reading/vdot", False, "w = v = 1: 1 <= 0", W_V, lambda x: le(np.vdot(x.w, x.v), 0), at={"w": [[1]], "v": [[1]]})
lie("reading/roll", False, "w = (1, 1): 2 <= 0", W_V, lambda x: le(x.dot(x.w, np.roll(x.w, 1, axis=-1)), 0),
    at={"w": [[1, 1]], "v": [[0, 0]]})
lie("reading/reversed-coordinates", False, "w = (1, 1): 2 <= 0", W_V, lambda x: le(x.dot(x.w, x.w[..., ::-1]), 0),
    at={"w": [[1, 1]], "v": [[0, 0]]})
lie("reading/elementwise-product", False, "w = v = 1: 1 <= 0", W_V, lambda x: le(x.sq(x.w * x.v), 0),
    at={"w": [[1]], "v": [[1]]})
lie("reading/absolute-value", False, "w = -1: |1 + 1|^2 <= 0", W_V, lambda x: le(x.sq(abs(x.w) - x.w), 0),
    at={"w": [[-1]], "v": [[0]]})
lie("reading/numpy-maximum", False, "w = -1: 1 <= 0", W_V, lambda x: le(x.sq(np.maximum(x.w, 0) - x.w), 0),
    at={"w": [[-1]], "v": [[0]]})
lie("reading/cumsum", False, "w = (1, 1): |(1, 2)|^2 = 5 <= 2", W_V, lambda x: le(x.sq(np.cumsum(x.w, axis=-1)), x.sq(x.w)),
    at={"w": [[1, 1]], "v": [[0, 0]]})
lie("reading/plus-one", False, "w = (1, 1): 8 <= 2 times 2 + 2", W_V, lambda x: le(x.sq(x.w + 1), 2 * x.sq(x.w) + 2),
    at={"w": [[1, 1]], "v": [[0, 0]]})
lie("reading/concatenated", False, "w = v = 1: 2 <= 1", W_V,
    lambda x: le(x.sq(np.concatenate([x.w, x.v], axis=-1)), x.sq(x.w)), at={"w": [[1]], "v": [[1]]})
lie("reading/shape-of-clients", False, "m = 4, equal u = 1: 4 <= 3", clients(),
    lambda x: le(max(3, x.u.shape[-2]) * x.sq(x.mean_vec(x.u)), 3 * x.mean(x.sq(x.u))), at={"u": [[1]] * 4})
lie("reading/shape-of-values", False, "m = 4, equal u = 1: 4 <= 3", clients(),
    lambda x: le(max(3, x.sq(x.u).shape[-1]) * x.sq(x.mean_vec(x.u)), 3 * x.mean(x.sq(x.u))), at={"u": [[1]] * 4})
lie("reading/len-of-clients", False, "m = 4, equal u = 1: 4 <= 3", clients(sizes={"d": (1,)}),
    lambda x: le(max(3, np.size(x.sq(x.u)[..., :, None], -2)) * x.sq(x.mean_vec(x.u)), 3 * x.mean(x.sq(x.u))),
    at={"u": [[1]] * 4})
lie("reading/shape-of-w", False, "d = 4, |w|^2 = 4: 8 <= 4", vectors("w", sizes={"m": (1,), "d": (1, 4)}),
    lambda x: le(2 * x.sq(x.w), (x.w.shape[-1] - 5) ** 2 * x.sq(x.w)), at={"w": [[1, 1, 1, 1]]})
lie("reading/dimension", False, "d = 4, |w|^2 = 4: 8 <= 4; x.d itself is allowed",
    vectors("w", sizes={"m": (1,), "d": (1, 4)}), lambda x: le(2 * x.sq(x.w), (x.d - 5) ** 2 * x.sq(x.w)),
    at={"w": [[1, 1, 1, 1]]}, answers=REFUTED)
lie("reading/without-d", False, "d = 4, w = 1: 0 <= -1; where x.d is refused the body says something else",
    vectors("w", sizes={"m": (1,), "d": (1, 4)}), without_d, at={"w": [[1, 0, 0, 0]]})
lie("reading/without-states", False, "w after a step need not be 0; where x.states is refused the body says something else",
    flame(), without_states)
lie("reading/kind-of-number", NOT_A_STATEMENT, "it says one thing of Fractions and another of floats", vectors("w"),
    lambda x: le(0, x.sq(x.w)) if kinds_of(x, x.sq(x.w)) in (Fraction, float) else le(x.sq(x.w), 0))
lie("reading/true-of-z3", False, "a = 1: 1 <= 0 for numbers, and something true for symbols", scalars(a=positive()),
    lambda x: le(x.a, 0) if kinds_of(x, x.a) in (Fraction, float) else le(0, x.a), at={"a": 1})
lie("reading/true-of-floats", NOT_A_STATEMENT, "1 <= 0 at a = 1 for Fractions alone", scalars(a=positive()),
    lambda x: le(x.a, 0) if kinds_of(x, x.a) is Fraction else le(0, x.a), answers=ANSWERS[False])
lie("reading/true-of-fractions", NOT_A_STATEMENT, "|w|^2 <= 0 for floats alone", vectors("w"),
    lambda x: le(x.sq(x.w) if kinds_of(x, x.sq(x.w)) is float else 0 * x.sq(x.w), 0))
lie("reading/state", NOT_A_STATEMENT, "every second call says |w|^2 <= 0", vectors("w"), None, make=flips)
lie("reading/state-once", NOT_A_STATEMENT, "the third call says |w|^2 <= 0", vectors("w"), None, make=third_call)
lie("reading/random", NOT_A_STATEMENT, "a random factor", vectors("w"),
    lambda x: le(random.randint(2, 10**9) * x.sq(x.w), x.sq(x.w)))
lie("reading/numpy-random", NOT_A_STATEMENT, "a random factor", scalars(a=positive()),
    lambda x: le(0, (int(np.random.default_rng().integers(10**9)) + 1) * x.a))
lie("reading/clock", NOT_A_STATEMENT, "the time of the day", scalars(a=positive()), lambda x: le(0, time.time_ns() * x.a))
lie("reading/in-place-vector", NOT_A_STATEMENT, "it changes x.w", W_V, moves_w)
lie("reading/in-place-scalar", NOT_A_STATEMENT, "in floats it changes x.a", scalars(a=EACH, sizes={"m": (1, 2)}), doubles_a)
lie("reading/in-place-own", True, "|u|^2 <= 2 |u|^2; its own array is the body's to change", clients(**SMALL), doubles_s,
    answers=OR_REFUSED)
lie("reading/loop-to-m", True, "Cauchy-Schwarz, with the sum over clients as a loop", clients(**SMALL),
    lambda x: le(x.sq(by_hand(x, x.m)), x.m * each(x)), answers=OR_REFUSED)
lie("reading/loop-over-rows", False, "m = 3, u = (1, 1, 1): 9 <= 6", clients(sizes={"m": (1, 2, 3), "d": (1,)}),
    lambda x: le(x.sq(by_hand(x, x.u.shape[-2])), 2 * each(x)), at={"u": [[1], [1], [1]]})
lie("reading/loop-to-two", False, "m = 3, u = (1, -1, 1): 1 <= 0", clients(sizes={"m": (2, 3), "d": (1,)}),
    lambda x: le(all_of(x), x.sq(by_hand(x, 2))), at={"u": [[1], [-1], [1]]})
lie("reading/reversed-clients", True, "the sum does not depend on the order of the clients", clients(**SMALL),
    lambda x: eq(x.sq(x.total_vec(x.u[..., ::-1, :])), all_of(x)), answers=OR_REFUSED)
lie("reading/reversed-pairs", False, "u = (1, 0): 1/2 <= 0", clients(**SMALL),
    lambda x: le(x.mean(x.sq(x.u)), x.mean(x.dot(x.u, x.u[..., ::-1, :]))), at={"u": [[1], [0]]})
lie("reading/rolled-clients", False, "u = (1, 0): 1/2 <= 0", clients(**SMALL),
    lambda x: le(x.mean(x.sq(x.u)), x.mean(x.dot(x.u, np.roll(x.u, 1, axis=-2)))), at={"u": [[1], [0]]})
lie("reading/sorted-clients", False, "u = (1, 0): the larger minus the smaller is 1", clients(**SMALL),
    lambda x: le(np.sort(x.sq(x.u), axis=-1)[..., -1:], np.sort(x.sq(x.u), axis=-1)[..., :1]), at={"u": [[1], [0]]})
def counted(x):
    """Ten times as much where four selections or more are looked at."""
    calls = []
    v = x.E(lambda S: calls.append(S) or x.total(x.sq(x.u), over=S))
    return le((10 if len(calls) > 3 else 1) * v, 2 * v)


def caught(x, name, v):
    """Ten times as much above 3, where somebody answers whether it is."""
    try:
        late = bool(getattr(x, name) > 3)
    except Exception:
        late = False
    return le((10 if late else 1) * v, 2 * v)


def ten_if(late, v):
    return le((10 if late else 1) * v, 2 * v)


FOUR = {"u": [[1], [0], [0], [0]]}
W_A = vectors("w", a=positive())
lie("reading/branch-m", False, "m = 4: 10 <= 2", clients(), lambda x: ten_if(x.m == 4, each(x)), at=FOUR)
lie("reading/branch-m-among", False, "m = 4: 10 <= 2", clients(), lambda x: ten_if(x.m in (4, 5), each(x)), at=FOUR)
lie("reading/branch-m-truth", False, "m = 4: 10 <= 2", clients(), lambda x: ten_if(not (x.m - 4), each(x)), at=FOUR)
lie("reading/branch-m-whole", False, "m = 4: 10 <= 2; a symbol is no int", clients(),
    lambda x: ten_if(isinstance(x.m, int) and x.m > 3, each(x)), at=FOUR)
lie("reading/branch-m-text", False, "m = 4: 10 <= 2; a symbol reads m", clients(),
    lambda x: ten_if(str(x.m) == "4", each(x)), at=FOUR)
lie("reading/branch-m-caught", False, "m = 4: 10 <= 2; a symbol raises", clients(), lambda x: caught(x, "m", each(x)), at=FOUR)
lie("reading/branch-m-true", True, "1 and 2 are at most 2", clients(**SMALL),
    lambda x: le((1 if x.m == 1 else 2) * each(x), 2 * each(x)), answers=OR_REFUSED)
lie("reading/branch-S", False, "S = 3: 10 <= 2", clients(sizes={"m": (1, 2, 3, 4), "d": (1,), "S": (1, 2, 3)}),
    lambda x: ten_if(x.S == 3, each(x)), at={"S": 3, **FOUR})
lie("reading/branch-a", False, "a = 3: 30 <= 6", scalars(a=positive()), lambda x: ten_if(np.all(x.a == 3), x.a), at={"a": 3})
lie("reading/branch-a-among-vectors", False, "a = 3, w = 1: 10 <= 2", W_A, lambda x: ten_if(x.a == 3, x.sq(x.w)),
    at={"a": 3, "w": [[1]]})
lie("reading/branch-a-text", False, "a = 3, w = 1: 10 <= 2", W_A, lambda x: ten_if(str(x.a) == "3", x.sq(x.w)),
    at={"a": 3, "w": [[1]]})
lie("reading/branch-a-caught", False, "a = 4, w = 1: 10 <= 2; a symbol raises", W_A, lambda x: caught(x, "a", x.sq(x.w)),
    at={"a": 4, "w": [[1]]})
lie("reading/branch-a-caught-scalars", False, "a = 4: 40 <= 8; a symbol raises", scalars(a=positive()),
    lambda x: caught(x, "a", x.a),
    at={"a": 4})
lie("reading/branch-a-counts", False, "a = 3, w = 1: 1 <= 1/2", W_A,
    lambda x: le(2 * x.sq(x.w), (1 + 2 * (x.a != 3)) * x.sq(x.w)), at={"a": 3, "w": [[1]]})
lie("reading/branch-slopes", False, "f = 0, w = 1: equal slopes, 10 <= 2",
    functions(SmoothConvex("L"), at=("w", "v"), **L, sizes={"m": (1,), "d": (1,)}),
    lambda x: ten_if(np.all(x.f.grad(x.w) == x.f.grad(x.v)), x.sq(x.w)), at={"L": 1, "f": [FLAT], "w": [[1]], "v": [[0]]})
lie("reading/branch-equal", False, "a = b = 1, w = 1: 10 <= 2", vectors("w", **BOTH),
    lambda x: ten_if(bool(x.a == x.b), x.sq(x.w)), at={"a": 1, "b": 1, "w": [[1]]})
lie("reading/branch-table", False, "a = 3: 30 <= 6", scalars(a=positive()),
    lambda x: le({3: 10}.get(np.ravel(x.a)[0], 1) * x.a, 2 * x.a), at={"a": 3})
lie("reading/branch-expected", False, "a = 3, S = 1, u = (1, 0): 5 <= 1", clients(a=positive(), **SUBSETS),
    lambda x: le(x.E(lambda S: x.total(x.sq(x.u), over=S) * (10 if x.a == 3 else 1)), 2 * once(x)),
    at={"a": 3, "S": 1, "u": [[1], [0]]})
lie("reading/branch-condition", False, "a = 3 meets the condition: 3 <= 2", scalars(a=positive(),
    given=(condition("a <= 1, or a = 3", lambda x: le(0 if np.all(x.a == 3) else x.a, 1)),)), lambda x: le(x.a, 2),
    at={"a": 3})
lie("reading/branch-minimum", True, "min(a, 1) <= 1, without a branch", W_A,
    lambda x: le(x.minimum(x.a, 1) * x.sq(x.w), x.sq(x.w)))
lie("reading/branch-counts", True, "1 and 2 selected are at most 2; a branch on a size is none on a value", SELECT,
    lambda x: le((1 if x.S == 1 else 2) * each(x), 2 * each(x)))
lie("reading/size-of-clients", False, "m = 4, equal u = 1: 4 <= 3", clients(),
    lambda x: le(max(3, x.sq(x.u).size) * x.sq(x.mean_vec(x.u)), 3 * x.mean(x.sq(x.u))), at={"u": [[1]] * 4})
lie("reading/iterated-clients", False, "m = 4, equal u = 1: 4 <= 3", clients(sizes={"d": (1,)}),
    lambda x: le(max(3, sum(1 for _ in np.moveaxis(x.u, -2, 0))) * x.sq(x.mean_vec(x.u)), 3 * x.mean(x.sq(x.u))),
    at={"u": [[1]] * 4})
lie("reading/counted-draws", False, "four selections of one of four clients: 10 <= 2", clients(**SUBSETS), counted,
    at={"S": 1, **FOUR})
lie("reading/counted-conditions", NOT_A_STATEMENT, "how many conditions an engine lists is no part of a statement", W_A,
    lambda x: le(len(x.given) * x.sq(x.w), 0), answers=ANSWERS[False])
lie("reading/array-library", NOT_A_STATEMENT, "it says one thing of NumPy and another of any other library", vectors("w"),
    lambda x: le(x.sq(x.w), 2 * x.sq(x.w)) if x.xp is np else le(2 * x.sq(x.w), x.sq(x.w)))
lie("reading/plain-vectors", True, "|w + v|^2 <= 2 |w|^2 + 2 |v|^2", W_V,
    lambda x: le(x.sq(x.w + x.v), 2 * x.sq(x.w) + 2 * x.sq(x.v)))
lie("reading/ones-like", False, "w = (1, 1): |(1, 1)|^2 = 2 <= 1", W_V,
    lambda x: le(x.sq(np.ones_like(x.w)), 1 + 0 * x.sq(x.w)),
    at={"w": [[1, 1]], "v": [[0, 0]]})

# 5. certified at parameters or sizes that happen to be kind


def window(x, p, q):
    """Negative for p/q in (0.30, 0.31) only."""
    return (10 * p - 3 * q) * (100 * p - 31 * q)


SEVERAL = {"sizes": {"m": (1, 2, 3, 4, 5), "d": (1,)}}
lie("lucky/kappa-4", False, "kappa = 1/2, slope falling by 1 from w = 3/2 to 5/2: -1/2 <= -1", SMOOTH_KAPPA,
    lambda x: le(-x.kappa * x.L * x.sq(x.w - x.v), x.dot(slope(x) - slope(x, x.v), x.w - x.v)),
    at={"kappa": Fraction(1, 2), "L": 1, "f": [BUMP], "w": [[Fraction(5, 2)]], "v": [[Fraction(3, 2)]], "w_star": [[0]]})
lie("lucky/kappa-from-1", True, "kappa >= 1, and the curvature is at least -L",
    functions(Smooth("L"), optimum_of="f", at=("w", "v"), **L, kappa=at_least(1), **ONE),
    lambda x: le(-x.kappa * x.L * x.sq(x.w - x.v), x.dot(slope(x) - slope(x, x.v), x.w - x.v)))
lie("lucky/kappa-from-half", False, "kappa = 1/2, as above",
    functions(Smooth("L"), at=("w", "v"), **L, kappa=at_least(Fraction(1, 2)), **ONE),
    lambda x: le(-x.kappa * x.L * x.sq(x.w - x.v), x.dot(slope(x) - slope(x, x.v), x.w - x.v)),
    at={"kappa": Fraction(1, 2), "L": 1, "f": [BUMP], "w": [[Fraction(5, 2)]], "v": [[Fraction(3, 2)]]}, answers=REFUTED)
lie("lucky/gap-kappa", False, "kappa = 1/10, at the maximum u = 2 of slope 0: 1 <= 4/10", SMOOTH_KAPPA,
    lambda x: le(gap(x), forward(x) + x.kappa * x.L * distance_sq(x)),
    at={"kappa": Fraction(1, 10), "L": 1, "f": [BUMP], "w": [[2]], "v": [[0]], "w_star": [[0]]})
lie("lucky/diversity-kappa", False, "f_1' = -f_2' from 1 to -1, w = 1, v = -1, kappa = 1: 4 <= 1",
    functions(Smooth("L"), diversity="sigma_sq", at=("w", "v"), **L, kappa=positive(), sizes={"m": (1, 2), "d": (1,)}),
    lambda x: le(x.mean(x.sq(x.f.grad(x.w) - x.f.grad(x.v) - slope(x) + slope(x, x.v))), x.kappa * x.sigma_sq),
    at={"kappa": 1, "L": 1, "sigma_sq": 1, "f": [CLAMP, ANTICLAMP], "w": [[1]], "v": [[-1]]})
lie("lucky/diversity-4", True, "the deviations at w and at v have the mean square sigma^2 each, their difference 4 of it",
    functions(Smooth("L"), diversity="sigma_sq", at=("w", "v"), **L, sizes={"m": (1, 2), "d": (1,)}),
    lambda x: le(x.mean(x.sq(x.f.grad(x.w) - x.f.grad(x.v) - slope(x) + slope(x, x.v))), 4 * x.sigma_sq))
lie("lucky/near-3", False, "a = 3, b = 1: 36000036 <= 36000000", vectors("w", **BOTH, **ONE),
    lambda x: le(12000012 * x.a * x.b * x.sq(x.w), 10**6 * (x.a + 3 * x.b) ** 2 * x.sq(x.w)),
    at={"a": 3, "b": 1, "w": [[1]]})
lie("lucky/near-3-true", True, "12 a b <= (a + 3 b)^2, since the difference is (a - 3 b)^2", vectors("w", **BOTH, **ONE),
    lambda x: le(12 * x.a * x.b * x.sq(x.w), (x.a + 3 * x.b) ** 2 * x.sq(x.w)))
lie("lucky/near-1", False, "a = b = 1: 4000004 <= 4000000", vectors("w", **BOTH, **ONE),
    lambda x: le(4000004 * x.a * x.b * x.sq(x.w), 10**6 * (x.a + x.b) ** 2 * x.sq(x.w)), at={"a": 1, "b": 1, "w": [[1]]})
lie("lucky/near-7-fifths", False, "a = 7, b = 5: 4900 (10^6 + 1) <= 4900 10^6",
    vectors("w", **BOTH, **ONE),
    lambda x: le(140 * (10**6 + 1) * x.a * x.b * x.sq(x.w), 10**6 * (5 * x.a + 7 * x.b) ** 2 * x.sq(x.w)),
    at={"a": 7, "b": 5, "w": [[1]]})
lie("lucky/above-2", False, "t = 2 + 10^-10: 10^-10 <= 10^-11", vectors("w", t=positive(), **ONE),
    lambda x: le((x.t - 2) * x.sq(x.w), 10**9 * (x.t - 2) ** 2 * x.sq(x.w)), at={"t": 2 + Fraction(1, 10**10), "w": [[1]]})
lie("lucky/above-2-true", True, "2 (t - 2) <= 1 + (t - 2)^2", vectors("w", t=positive(), **ONE),
    lambda x: le(2 * (x.t - 2) * x.sq(x.w), (1 + (x.t - 2) ** 2) * x.sq(x.w)))
lie("lucky/far-1e25", False, "a = 10^26, b = 1", vectors("w", **BOTH, **ONE),
    lambda x: le(x.a * x.sq(x.w), 10**25 * x.b * x.sq(x.w)), at={"a": 10**26, "b": 1, "w": [[1]]})
lie("lucky/far-1e9", False, "a = 2, b = 10^-10: 2 <= 11/10", vectors("w", **BOTH, **ONE),
    lambda x: le(x.a * x.sq(x.w), (1 + 10**9 * x.b) * x.sq(x.w)), at={"a": 2, "b": Fraction(1, 10**10), "w": [[1]]})
lie("lucky/far-true", True, "a <= a + 10^25 b", vectors("w", **BOTH, **ONE),
    lambda x: le(x.a * x.sq(x.w), (x.a + 10**25 * x.b) * x.sq(x.w)))
lie("lucky/window", False, "mu/L = 61/200", STRONG, lambda x: le(0, window(x, x.mu, x.L) / x.L**2 * distance_sq(x)),
    at={"mu": 61, "L": 200, "f": [Slope(((0, 0),), 61, 61)], "w": [[1]], "w_star": [[0]]})
lie("lucky/window-scalars", False, "a/b = 61/200", PAIR, lambda x: le(0, window(x, x.a, x.b)), at={"a": 61, "b": 200},
    answers=REFUTED)
lie("lucky/window-excluded", True, "outside of [0.30, 0.31] both factors have one sign",
    vectors("w", **BOTH, **ONE, given=(condition("3 a >= b", lambda x: le(x.b, 3 * x.a)),)),
    lambda x: le(0, window(x, x.a, x.b) * x.sq(x.w)))
lie("lucky/window-round", False, "eta lam = 61/200, w = 1", round_(), lambda x: le(0, window(x, x.eta * x.lam, 1) * x.sq(x.w)))
lie("lucky/window-admm", False, "nu = 121/200, W0 = 1", admm(),
    lambda x: le(0, (10 * x.nu - 6) * (100 * x.nu - 61) * x.sq(x.state.W)))
lie("lucky/window-flame", False, "rho/lam = 61/200, W0 = 1", flame(),
    lambda x: le(0, window(x, x.rho, x.lam) * x.sq(x.state.W)))
lie("lucky/window-samples", False, "mu/lam = 61/200, w = 1", samples(), lambda x: le(0, window(x, x.mu, x.lam) * x.sq(x.w)))
lie("lucky/window-samples-narrow", False, "mu/lam = 3005/10000, w = 1", samples(),
    lambda x: le(0, (10 * x.mu - 3 * x.lam) * (1000 * x.mu - 301 * x.lam) * x.sq(x.w)))
lie("lucky/window-samples-excluded", True, "outside of [0.30, 0.31] both factors have one sign",
    samples(given=(condition("3 mu >= lam", lambda x: le(x.lam, 3 * x.mu)),)),
    lambda x: le(0, window(x, x.mu, x.lam) * x.sq(x.w)), answers=OR_UNKNOWN)
lie("lucky/derived-ratio", False, "a = 3, b = 1, r = 3: 36000036 <= 36000000",
    Place(lambda: DerivedPoints({"r": lambda x: x.a / x.b}, None, **BOTH, **ONE), lambda x: le(x.sq(x.w), 0)),
    lambda x: le(12000012 * x.r * x.sq(x.w), 10**6 * (x.r + 3) ** 2 * x.sq(x.w)), at={"a": 3, "b": 1, "r": 3, "w": [[1]]})
lie("lucky/derived-ratio-true", True, "4 r <= (r + 1)^2",
    Place(lambda: DerivedPoints({"r": lambda x: x.a / x.b}, None, **BOTH, **ONE), lambda x: le(x.sq(x.w), 0)),
    lambda x: le(4 * x.r * x.sq(x.w), (x.r + 1) ** 2 * x.sq(x.w)))
LONG_STEP = condition("eta <= 1.01 2/(mu + L)", lambda x: le(100 * x.eta * (x.mu + x.L), 202))
SHORT_STEP = condition("eta <= 2/(mu + L)", lambda x: le(x.eta * (x.mu + x.L), 2))


def contracted(x, share=1):
    return le(share * x.sq(x.w - x.eta * slope(x) - x.w_star), (1 - x.eta * x.mu) ** 2 * distance_sq(x))


lie("lucky/step-a-percent-longer", False, "mu = 1/100, L = 1, eta = 2, f = u^2/2, w = 1: 1 <= (49/50)^2",
    functions(SmoothStronglyConvex("mu", "L"), optimum_of="f", **MU, **L, eta=positive(STEP), given=(LONG_STEP,), **ONE),
    contracted, at={"mu": Fraction(1, 100), "L": 1, "eta": 2, "f": [SQUARE], "w": [[1]], "w_star": [[0]]})
lie("lucky/step-in-bounds", True, "|1 - eta h| <= 1 - eta mu for mu <= h <= L",
    functions(SmoothStronglyConvex("mu", "L"), optimum_of="f", **MU, **L, eta=positive(STEP), given=(SHORT_STEP,), **ONE),
    contracted)
lie("lucky/equal-parameters", False, "a = (2, 1), u = (1, 0): 1 <= 3/4 (equality for equal a)", clients(a=EACH, **SMALL),
    lambda x: le(x.mean(x.a * x.sq(x.u)), x.mean(x.a) * x.mean(x.sq(x.u))), at={"a": [2, 1], "u": [[1], [0]]})
lie("lucky/largest-parameter", True, "a mean is at most the largest times the mean of the other factor",
    clients(a=EACH, **SMALL),
    lambda x: le(x.mean(x.a * x.sq(x.u)), x.max(x.a) * x.mean(x.sq(x.u))))
lie("lucky/equal-weights", False, "alpha = (2/3, 1/3), u = (1, 0): 2/3 <= 1/2", clients(alpha=weights(), **SMALL),
    lambda x: le(x.total(x.alpha * x.sq(x.u)), x.mean(x.sq(x.u))),
    at={"alpha": [Fraction(2, 3), Fraction(1, 3)], "u": [[1], [0]]}, answers=REFUTED)
for k in (2, 3, 4):
    lie(f"lucky/sum-of-{k}", False, f"{k + 1} equal clients: {(k + 1) ** 2} <= {k * (k + 1)}", clients(**SEVERAL),
        lambda x, k=k: le(all_of(x), k * each(x)), at={"u": [[1]] * (k + 1)})
    lie(f"lucky/sum-of-{k}-parameters", False, f"{k + 1} equal parameters: {(k + 1) ** 2} <= {k * (k + 1)}",
        scalars(a=EACH, sizes={"m": (1, 2, 3, 4, 5)}), lambda x, k=k: le(x.total(x.a) ** 2, k * x.total(x.a**2)),
        at={"a": [1] * (k + 1)})
lie("lucky/sum-of-4-unlisted", False, "five equal clients, which the world does not list: 25 <= 20", clients(),
    lambda x: le(all_of(x), 4 * each(x)), at={"u": [[1]] * 5}, answers=("certified", "refuted", "unknown"))
lie("lucky/sum-of-5-true", True, "Cauchy-Schwarz for at most five clients", clients(**SEVERAL),
    lambda x: le(all_of(x), 5 * each(x)), answers=OR_UNKNOWN)
lie("lucky/sum-of-m-true", True, "Cauchy-Schwarz", clients(**SEVERAL), lambda x: le(all_of(x), x.m * each(x)))
lie("lucky/sum-of-m-parameters", True, "Cauchy-Schwarz", scalars(a=EACH, sizes={"m": (1, 2, 3)}),
    lambda x: le(x.total(x.a) ** 2, x.m * x.total(x.a**2)))
lie("lucky/one-of-three", False, "u = (1, 0, 0): 1 <= 2/3", clients(), lambda x: le(x.sq(x.u), 2 * x.mean(x.sq(x.u))),
    at={"u": [[1], [0], [0]]})
lie("lucky/one-of-four-deviates", False, "u = (1, 0, 0, 0): 9/16 <= 6/16", clients(),
    lambda x: le(x.sq(x.u - x.mean_vec(x.u)), 2 * x.mean(x.sq(x.u - x.mean_vec(x.u)))),
    at={"u": [[1], [0], [0], [0]]})
lie("lucky/one-of-m-deviates", True, "the others deviate by -d in sum: m mean >= d^2 (1 + 1/(m - 1)), so d^2 <= (m - 1) mean",
    clients(), lambda x: le(x.sq(x.u - x.mean_vec(x.u)), (x.m - 1) * x.mean(x.sq(x.u - x.mean_vec(x.u)))))
lie("lucky/sum-for-mean", False, "three clients u^2/2, w = 1: (1 - 3)^2 <= 1",
    functions(SmoothConvex("L"), optimum_of="f", **L, sizes={"m": (1, 2, 3), "d": (1,)}),
    lambda x: le(x.sq(x.w - x.total_vec(x.f.grad(x.w)) / x.L - x.w_star), distance_sq(x)),
    at={"L": 1, "f": [SQUARE] * 3, "w": [[1]], "w_star": [[0]]})
lie("lucky/sum-for-mean-of-envelopes", False, "three envelopes with lam = 1 of steep u^2/2 1000: w = 1: nearly (1 - 3)^2 <= 1",
    functions(Convex(), envelope="lam", optimum_of="F", **LAM, sizes={"m": (1, 2, 3), "d": (1,)}),
    lambda x: le(x.sq(x.w - x.total_vec(x.F.grad(x.w)) / x.lam - x.w_star), distance_sq(x)),
    at={"lam": 1, "f": [Slope(((0, 0),), 1000, 1000)] * 3, "w": [[1]], "w_star": [[0]]})
lie("lucky/third-step", False, "n = 3, w = 1: 2 <= 0", vectors("w", sizes={"n": (1, 2, 3), "m": (1,), "d": (1,)}),
    lambda x: le((x.n - 1) * (x.n - 2) * x.sq(x.w), 0), at={"n": 3, "w": [[1]]})
lie("lucky/fourth-local-round", False, "R = 4, w = 1: 6 <= 0", round_(R=(1, 2, 3, 4)),
    lambda x: le((x.R - 1) * (x.R - 2) * (x.R - 3) * x.sq(x.w), 0))
lie("lucky/third-local-round", False, "linear clients, R = 3, no errors: 9 eta^2 |g|^2 <= 4 eta^2 |g|^2",
    round_(R=(1, 2, 3), given=(condition("eta lam <= 1", lambda x: le(x.eta * x.lam, 1)),)),
    lambda x: le(x.sq(x.alg.local(x.f, x.w, tuple(e * 0 for e in x.error))[0][-1] - x.w), 4 * x.eta**2 * x.sq(x.F.grad(x.w))))
lie("lucky/two-local-rounds-true", True, "gradients of steps of at most 1/lam do not grow: R eta |g| at most",
    round_(R=(1, 2), given=(condition("eta lam <= 1", lambda x: le(x.eta * x.lam, 1)),)),
    lambda x: le(x.sq(x.alg.local(x.f, x.w, tuple(e * 0 for e in x.error))[0][-1] - x.w),
                 x.R**2 * x.eta**2 * x.sq(x.F.grad(x.w))), answers=OR_UNKNOWN)
lie("lucky/third-step-of-flame", False, "steps = 3, W0 = 1: 2 <= 0", flame(steps=(1, 2, 3)),
    lambda x: le((x.steps - 1) * (x.steps - 2) * x.sq(x.state.W), 0))
lie("lucky/third-step-of-admm", False, "steps = 3, W0 = 1: 2 <= 0", admm(steps=(1, 2, 3)),
    lambda x: le((x.steps - 1) * (x.steps - 2) * x.sq(x.state.W), 0))
lie("lucky/steps-true", True, "steps is 1 or 2", flame(steps=(1, 2)),
    lambda x: le(x.steps * x.sq(x.next.W), 2 * x.sq(x.next.W)), answers=OR_UNKNOWN)

# 6. parameters in worlds of functions, sizes far out, conditions that can or cannot hold


def under(printed, relation):
    return (condition(printed, relation),)


U_GIVEN = {"sizes": {"d": (1,)}}
lie("scalars/far-among-vectors", False, "a = 10^26, b = 1", vectors("w", **BOTH), lambda x: le(x.a, 10**25 * x.b),
    at={"a": 10**26, "b": 1, "w": [[0]]})
lie("scalars/near-among-vectors", False, "a = b = 1: 0 < 0", vectors("w", **BOTH), lambda x: lt(0, (x.a - x.b) ** 2),
    at={"a": 1, "b": 1, "w": [[0]]})
lie("scalars/window-among-vectors", False, "a/b = 61/200", vectors("w", **BOTH), lambda x: le(0, window(x, x.a, x.b)),
    at={"a": 61, "b": 200, "w": [[0]]})
lie("scalars/among-vectors-true", True, "a square", vectors("w", **BOTH), lambda x: le(2 * x.a * x.b, x.a**2 + x.b**2))
lie("scalars/among-functions", False, "mu = 1, lam = 1/2: 1 <= 3/4", functions(Convex(), envelope="lam", **LAM, **MU, **ONE),
    lambda x: le(2 * x.lam * x.mu, x.lam * (x.lam + x.mu)), at={"mu": 1, "lam": Fraction(1, 2), "w": [[0]], "f": [FLAT]},
    answers=REFUTED)
lie("scalars/among-functions-true", True, "a square", functions(WeaklyConvex("rho"), envelope="lam", **LAM, **RHO, **ONE,
    given=under("rho < lam", lambda x: lt(x.rho, x.lam))), lambda x: le(4 * x.lam * x.rho, (x.lam + x.rho) ** 2))
lie("scalars/round-true", True, "a square", round_(), lambda x: le(2 * x.eta * x.lam, 1 + (x.eta * x.lam) ** 2))
lie("scalars/round-boundary", False, "eta = lam = R = 1 is allowed",
    round_(given=under("eta lam R <= 1", lambda x: le(x.eta * x.lam * x.R, 1))), lambda x: lt(x.eta * x.lam * x.R, 1))
lie("scalars/round-beta", False, "beta = 1 is allowed", round_(), lambda x: lt(1, x.beta), answers=REFUTED)
lie("scalars/flame-far", False, "rho = 10^13, lam = 1", flame(), lambda x: le(x.rho, 10**12 * x.lam))
lie("scalars/flame-true", True, "a square", flame(), lambda x: le(4 * x.lam * x.rho, (x.lam + x.rho) ** 2), answers=OR_UNKNOWN)
lie("scalars/flame-weights", False, "m = 2, alpha = (2/3, 1/3): 2/3 <= 1/2", flame(),
    lambda x: le(x.m * x.alpha, 1), answers=REFUTED)
lie("scalars/admm-true", True, "a square for every client", admm(), lambda x: le(4 * x.sigma * x.r, (x.sigma + x.r) ** 2),
    answers=OR_UNKNOWN)
lie("scalars/admm-nu", False, "nu = 1/2 is allowed", admm(), lambda x: lt(1, 2 * x.nu), answers=REFUTED)
lie("scalars/samples-true", True, "a square", samples(), lambda x: le(4 * x.lam * x.mu, (x.lam + x.mu) ** 2),
    answers=OR_UNKNOWN)
lie("scalars/samples-far", False, "nu = 1, lam = mu = 1/10: 100 <= 25", samples(),
    lambda x: le((x.nu / x.lam) ** 2, (x.nu / (2 * x.mu)) ** 2))
lie("scalars/eight-clients", False, "eight equal clients: 64 <= 56", clients(sizes={"m": (8,), "d": (1,)}),
    lambda x: le(all_of(x), 7 * each(x)), at={"u": [[1]] * 8})
lie("scalars/eight-clients-true", True, "Cauchy-Schwarz", clients(sizes={"m": (8,), "d": (1,)}),
    lambda x: le(all_of(x), 8 * each(x)))
lie("scalars/three-of-four", False, "equal clients: 9 <= 6", clients(sizes={"m": (4,), "d": (1,), "S": (3,)}),
    lambda x: le(once(x), 2 * x.E(lambda S: x.total(x.sq(x.u), over=S))), at={"S": 3, "u": [[1]] * 4})
lie("scalars/three-of-four-true", True, "Cauchy-Schwarz over the three", clients(sizes={"m": (4,), "d": (1,), "S": (3,)}),
    lambda x: le(once(x), 3 * x.E(lambda S: x.total(x.sq(x.u), over=S))))
lie("scalars/needs-three", SATISFIABLE, "m = 3, u = (1, 1, 1): 9 <= 9", clients(given=under("m >= 3",
    lambda x: le(3, x.m)), **U_GIVEN),
    lambda x: le(all_of(x), x.m * each(x)), at={"u": [[1], [1], [1]]})
lie("scalars/needs-three-false", False, "m = 3, u = (1, 1, 1): 9 <= 6", clients(given=under("m >= 3",
    lambda x: le(3, x.m)), **U_GIVEN),
    lambda x: le(all_of(x), 2 * each(x)), at={"u": [[1], [1], [1]]})
lie("scalars/needs-ten", SATISFIABLE, "m = 10, equal clients; the world lists four sizes and is not only these",
    clients(given=under("m >= 10", lambda x: le(10, x.m)), **U_GIVEN), lambda x: le(all_of(x), x.m * each(x)),
    at={"u": [[1]] * 10})
lie("scalars/needs-four-dimensions", SATISFIABLE, "d = 4; the world lists three dimensions and is not only these",
    vectors("w", given=under("d >= 4", lambda x: le(4, x.d))), lambda x: le(0, x.sq(x.w)), at={"w": [[1, 0, 0, 0]]})
lie("scalars/needs-three-selected", SATISFIABLE, "S = 3 of m = 4",
    clients(sizes={"m": (1, 2, 3, 4), "d": (1,), "S": (1, 2, 3)}, given=under("S >= 3", lambda x: le(3, x.S))),
    lambda x: le(x.S**2 * x.sq(x.mean_vec(x.u)), once(x)), at={"S": 3, "u": [[1]] * 4})
lie("scalars/needs-less-than-all", SATISFIABLE, "S = 1 of m = 2",
    clients(sizes={"m": (1, 2), "d": (1,), "S": (1, 2)}, given=under("S < m", lambda x: lt(x.S, x.m))),
    lambda x: le(x.S**2 * x.sq(x.mean_vec(x.u)), once(x)), at={"S": 1, "u": [[1]] * 2})
lie("scalars/needs-one-client", SATISFIABLE, "m = 1", clients(given=under("m <= 1", lambda x: le(x.m, 1)), **U_GIVEN),
    lambda x: eq(all_of(x), each(x)), at={"u": [[1]]})
lie("scalars/needs-one-client-false", False, "m = 1, u = 1: 2 <= 1", clients(given=under("m <= 1",
    lambda x: le(x.m, 1)), **U_GIVEN),
    lambda x: le(2 * all_of(x), each(x)), at={"u": [[1]]})
lie("scalars/needs-even", SATISFIABLE, "m = 4", scalars(a=EACH, given=under("m = 4", lambda x: eq(x.m, 4))),
    lambda x: le(x.total(x.a), 4 * x.max(x.a)), at={"a": [1, 1, 1, 1]})
lie("scalars/needs-R", SATISFIABLE, "R = 4; the world lists two numbers of local rounds and is not only these",
    round_(R=(1, 2), given=under("R >= 4", lambda x: le(4, x.R))), lambda x: le(0, x.sq(x.w)))
lie("scalars/needs-second-step", SATISFIABLE, "steps = 2", flame(steps=(1, 2), given=under("steps >= 2",
    lambda x: le(2, x.steps))),
    lambda x: le(0, x.sq(x.next.w)))
lie("scalars/needs-uneven", SATISFIABLE, "m = 2, a = (1, 3)",
    scalars(a=EACH, sizes={"m": (1, 2)}, given=under("2 min < max", lambda x: lt(2 * x.min(x.a), x.max(x.a)))),
    lambda x: lt(x.min(x.a), x.mean(x.a)), at={"a": [1, 3]}, answers=POSITIVE)
lie("scalars/needs-equality", SATISFIABLE, "mu = 1, L = 4", functions(SmoothStronglyConvex("mu", "L"), **MU, **L, **ONE,
    given=under("L = 4 mu", lambda x: eq(4 * x.mu, x.L))), lambda x: le(2 * x.mu, x.L),
    at={"mu": 1, "L": 4, "f": [SQUARE], "w": [[0]]})
lie("scalars/equality-false", False, "a = 2, b = 1", scalars(**BOTH, given=under("a = 2 b", lambda x: eq(x.a, 2 * x.b))),
    lambda x: le(x.a, x.b), at={"a": 2, "b": 1}, answers=REFUTED)
lie("scalars/mu-equals-L", SATISFIABLE, "f = u^2/2 with mu = L = 1",
    functions(SmoothStronglyConvex("mu", "L"), optimum_of="f", **MU, **L, **ONE, given=under("mu = L",
    lambda x: eq(x.mu, x.L))),
    lambda x: le(x.sq(slope(x)), x.L**2 * distance_sq(x)),
    at={"mu": 1, "L": 1, "f": [SQUARE], "w": [[1]], "w_star": [[0]]})
lie("scalars/very-far", SATISFIABLE, "a = 10^30 + 1/2",
    scalars(a=positive(), given=under("10^30 < a < 10^30 + 1", lambda x: (lt(10**30, x.a), lt(x.a, 10**30 + 1)))),
    lambda x: lt(10**29, x.a), at={"a": 10**30 + Fraction(1, 2)}, answers=POSITIVE)
lie("scalars/weights-above-half", SATISFIABLE, "one client has the weight 1",
    clients(alpha=weights(), given=under("alpha_i > 1/2", lambda x: lt(1, 2 * x.alpha)), **SMALL),
    lambda x: le(each(x), 2 * x.total(x.alpha * x.sq(x.u))), at={"alpha": [1], "u": [[1]]})
lie("scalars/empty-weights", EMPTY, "two weights above 1/2 sum to more than 1",
    clients(alpha=weights(), sizes={"m": (2,), "d": (1,)}, given=under("alpha_i > 1/2", lambda x: lt(1, 2 * x.alpha))),
    lambda x: le(2 * each(x), each(x)))
lie("scalars/empty-order", EMPTY, "a < b < c < a",
    scalars(**BOTH, c=positive(), given=under("a < b < c < a", lambda x: (lt(x.a, x.b), lt(x.b, x.c), lt(x.c, x.a)))),
    lambda x: le(x.a, 0), answers=("vacuous",))
lie("scalars/empty-range", EMPTY, "a < 1 and a > 2", scalars(a=between(0, 1), given=under("a > 2", lambda x: lt(2, x.a))),
    lambda x: le(x.a, 0), answers=("vacuous",))
lie("scalars/empty-square", EMPTY, "a square is not -1", scalars(a=positive(), given=under("a^2 = -1",
    lambda x: eq(x.a**2, -1))),
    lambda x: le(x.a, 0), answers=("vacuous",))
lie("scalars/empty-exponential", EMPTY, "e^a > 1 for a > 0", scalars(a=positive(), given=under("e^a < 1",
    lambda x: lt(x.exp(x.a), 1))),
    lambda x: le(x.a, 0))
lie("scalars/empty-m", EMPTY, "there is a client", clients(given=under("m <= 0", lambda x: le(x.m, 0)), **U_GIVEN),
    lambda x: le(2 * each(x), each(x)))
lie("scalars/empty-half-a-client", EMPTY, "m = 3/2 is no number of clients", clients(given=under("2 m = 3",
    lambda x: eq(2 * x.m, 3)), **U_GIVEN),
    lambda x: le(2 * each(x), each(x)))
lie("scalars/empty-between-sizes", EMPTY, "no whole number is between 1 and 2",
    clients(given=under("1 < m < 2", lambda x: (lt(1, x.m), lt(x.m, 2))), **U_GIVEN), lambda x: le(2 * each(x), each(x)))
lie("scalars/empty-selection", EMPTY, "no more than m clients are drawn",
    clients(sizes={"m": (1, 2), "d": (1,), "S": (1, 2)}, given=under("m < S", lambda x: lt(x.m, x.S))),
    lambda x: le(2 * each(x), each(x)))
lie("scalars/empty-class", EMPTY, "no function has mu > L",
    functions(SmoothStronglyConvex("mu", "L"), **MU, **L, **ONE, given=under("L < mu", lambda x: lt(x.L, x.mu))),
    lambda x: le(2 * x.sq(x.w), x.sq(x.w)))
lie("scalars/empty-round", EMPTY, "beta >= 1", round_(given=under("beta < 1", lambda x: lt(x.beta, 1))),
    lambda x: le(2 * x.sq(x.w), x.sq(x.w)), answers=("vacuous",))
lie("scalars/empty-admm", EMPTY, "nu < 1", admm(given=under("nu >= 1", lambda x: le(1, x.nu))),
    lambda x: le(2 * x.sq(x.w), x.sq(x.w)), answers=("vacuous",))
lie("scalars/empty-derived", EMPTY, "a/(a + b) < 1", derived({"q": lambda x: x.a / (x.a + x.b)}, **BOTH,
    given=under("q >= 1", lambda x: le(1, x.q))), lambda x: le(x.a, 0))
lie("scalars/derived-edge", SATISFIABLE, "a = 1, b = 10^-9: q = 10^9/(10^9 + 1)", derived({"q":
    lambda x: x.a / (x.a + x.b)}, **BOTH,
    given=under("q >= 1 - 10^-8", lambda x: le(10**8 - 1, 10**8 * x.q))), lambda x: lt(x.b, x.a),
    at={"a": 1, "b": Fraction(1, 10**9), "q": Fraction(10**9, 10**9 + 1)})

# 7. counterexamples that no quotient is, equality, strict and non-strict

ROOT = scalars(a=positive())
UNDECIDED = ("refuted", "unknown")
lie("irrational/root-2", False, "a^2 = 2: 0 < 0", ROOT, lambda x: lt(0, (x.a**2 - 2) ** 2), answers=UNDECIDED)
lie("irrational/root-2-true", True, "a sum with 10^-6 is positive", ROOT,
    lambda x: lt(0, (x.a**2 - 2) ** 2 + x.ratio(1, 10**6)))
lie("irrational/cubic", False, "a^3 = 2: 0 < 0", ROOT, lambda x: lt(0, (x.a**3 - 2) ** 2), answers=UNDECIDED)
lie("irrational/golden", False, "a = (1 + sqrt 5)/2: 0 < 0", ROOT, lambda x: lt(0, (x.a**2 - x.a - 1) ** 2), answers=UNDECIDED)
lie("irrational/golden-true", True, "a^2 + a + 1 > 0", ROOT, lambda x: lt(0, (x.a**2 + x.a + 1) ** 2))
INSIDE = scalars(a=between(0, 1, closed=False))
lie("irrational/cubic-maximum", False, "a = 1/sqrt 3: a - a^3 = 2/(3 sqrt 3), 27 times its square is 4", INSIDE,
    lambda x: lt(27 * (x.a - x.a**3) ** 2, 4), answers=UNDECIDED)
lie("irrational/cubic-maximum-true", True, "its maximum over (0, 1) is 4", INSIDE, lambda x: le(27 * (x.a - x.a**3) ** 2, 4))
lie("irrational/cubic-maximum-below", False, "a = 0.577: the maximum is 4, at least 3.99", INSIDE,
    lambda x: le(2700 * (x.a - x.a**3) ** 2, 399), at={"a": Fraction(577, 1000)}, answers=REFUTED)
lie("irrational/line", False, "a = sqrt 2 b: 0 < 0", PAIR, lambda x: lt(0, (x.a**2 - 2 * x.b**2) ** 2), answers=UNDECIDED)
lie("irrational/point", False, "(sqrt 2, 1): 0 < 0", PAIR, lambda x: lt(0, (x.a**2 - 2) ** 2 + (x.b - 1) ** 2),
    answers=UNDECIDED)
lie("irrational/one-client", False, "m = 1, a = sqrt 2: 0 < 0", scalars(a=EACH, sizes={"m": (1,)}),
    lambda x: lt(0, (x.a**2 - 2) ** 2), answers=UNDECIDED)
lie("irrational/some-client", False, "a = (sqrt 2, 1): 0 < 0 for the first", scalars(a=EACH, sizes={"m": (2,)}),
    lambda x: lt(0, x.min((x.a**2 - 2) ** 2)), answers=UNDECIDED)
lie("irrational/derived", False, "a = sqrt 2, k = 2: 0 < 0", derived({"k": lambda x: x.a**2}, a=positive()),
    lambda x: lt(0, (x.k - 2) ** 2), answers=UNDECIDED)
lie("irrational/among-vectors", False, "a = 1.41421356, w = 1: 1 <= 10^9 10^-17 or so", vectors("w", a=positive(), **ONE),
    lambda x: le(x.sq(x.w), 10**9 * (x.a**2 - 2) ** 2 * x.sq(x.w)), at={"a": Fraction(141421356, 10**8), "w": [[1]]})
lie("irrational/among-vectors-strict", False, "a = sqrt 2: 0 < 0, a relation of parameters", vectors("w", a=positive(), **ONE),
    lambda x: lt(0, (x.a**2 - 2) ** 2), answers=UNDECIDED)
lie("irrational/condition", False, "a = sqrt 2 > 14/10", scalars(a=positive(), given=under("a^2 = 2", lambda x: eq(x.a**2, 2))),
    lambda x: le(10 * x.a, 14), answers=UNDECIDED)
lie("irrational/condition-true", SATISFIABLE, "a = sqrt 2 > 14/10", scalars(a=positive(), given=under("a^2 = 2",
    lambda x: eq(x.a**2, 2))),
    lambda x: lt(14, 10 * x.a), answers=POSITIVE)
lie("irrational/edge", False, "a = sqrt 2: 2 < 2", scalars(a=positive(), given=under("a^2 <= 2", lambda x: le(x.a**2, 2))),
    lambda x: lt(x.a**2, 2), answers=UNDECIDED)
lie("irrational/edge-true", True, "a <= sqrt 2 < 3/2", scalars(a=positive(), given=under("a^2 <= 2", lambda x: le(x.a**2, 2))),
    lambda x: lt(2 * x.a, 3))
lie("irrational/roots-meet", False, "a = 3, b = 1: sqrt 3 - sqrt 3 = 0", PAIR,
    lambda x: lt(0, (x.sqrt(x.a) - x.sqrt(3 * x.b)) ** 2), answers=UNDECIDED)
lie("irrational/roots-meet-true", True, "sqrt(a + 1) is above sqrt a", PAIR,
    lambda x: lt(0, (x.sqrt(x.a) - x.sqrt(x.a + 1)) ** 2))
lie("irrational/roots-multiply", False, "a = 1, b = 4: 1 times 2 is 2", PAIR,
    lambda x: lt(0, (x.sqrt(x.a) * x.sqrt(x.b) - 2) ** 2), answers=UNDECIDED)
lie("irrational/roots-nested", False, "a = 9: sqrt(1 + 3) = 2", ROOT,
    lambda x: lt(0, (x.sqrt(1 + x.sqrt(x.a)) - 2) ** 2), answers=UNDECIDED)
lie("irrational/roots-of-differences", True, "sqrt(a - b) is defined where a >= b, and sqrt a is not below it", PAIR,
    lambda x: le(x.sqrt(x.a - x.b), x.sqrt(x.a)), answers=OR_UNKNOWN)
lie("irrational/cubic-among-vectors", False, "b = 1, a^3 = 2: 0 < 0", vectors("w", **BOTH, **ONE),
    lambda x: lt(0, (x.a**3 - 2 * x.b**3) ** 2), answers=UNDECIDED)
lie("irrational/among-vectors-strict-true", True, "a sum with 10^-6 is positive", vectors("w", a=positive(), **ONE),
    lambda x: lt(0, (x.a**2 - 2) ** 2 + x.ratio(1, 10**6)))
lie("irrational/logs-meet", False, "a = 3, b = 1: log 3 - log 3 = 0", PAIR,
    lambda x: lt(0, (x.log(x.a) - x.log(3 * x.b)) ** 2), answers=UNDECIDED)
lie("irrational/exponentials-meet", False, "a = 7, b = 1: e^7 - e^7 = 0", PAIR,
    lambda x: lt(0, (x.exp(x.a) - x.exp(7 * x.b)) ** 2), answers=UNDECIDED)
lie("irrational/exponential-meets-a-line", False, "e^a = 4 a at a = 0.357: 0 < 0", ROOT,
    lambda x: lt(0, (x.exp(x.a) - 4 * x.a) ** 2), answers=UNDECIDED)
lie("irrational/exponential-above-a-line", True, "e^a >= 1 + a", ROOT, lambda x: lt(0, (x.exp(x.a) - x.a) ** 2),
    answers=OR_UNKNOWN)
lie("irrational/logarithm-meets", False, "log a = 1/a at a = 1.763: 0 < 0", ROOT,
    lambda x: lt(0, (x.a * x.log(x.a) - 1) ** 2), answers=UNDECIDED)
lie("irrational/three-meet", False, "a = 1, b = 1, c = e^2: e e - c = 0", scalars(a=positive(), b=positive(), c=positive()),
    lambda x: lt(0, (x.exp(x.a) * x.exp(x.b) - x.c) ** 2), answers=UNDECIDED)
lie("irrational/exponentials-meet-true", True, "e^(a + b) is above e^a", PAIR, lambda x: lt(x.exp(x.a), x.exp(x.a + x.b)))
lie("irrational/logs-grow", True, "the logarithm is concave, and 2 sqrt(a b) <= a + b", PAIR,
    lambda x: le(x.log(x.a) + x.log(x.b), 2 * x.log((x.a + x.b) / 2)), answers=OR_UNKNOWN)
lie("irrational/geometric-mean", False, "a = b = 1: 2 < 2", PAIR, lambda x: lt(2 * x.sqrt(x.a * x.b), x.a + x.b),
    answers=UNDECIDED)
lie("irrational/geometric-mean-true", True, "a + b - 2 sqrt(ab) is a square", PAIR,
    lambda x: le(2 * x.sqrt(x.a * x.b), x.a + x.b), answers=OR_UNKNOWN)
lie("irrational/am-gm-strict", False, "a = b = 1: 2 < 2", PAIR, lambda x: lt(2 * x.a * x.b, x.a**2 + x.b**2),
    at={"a": 1, "b": 1}, answers=REFUTED)
lie("irrational/am-gm-true", True, "a square", PAIR, lambda x: le(2 * x.a * x.b, x.a**2 + x.b**2))
lie("irrational/am-gm-three", False, "a^3 + b^3 + 1 = 3 a b at a = b = 1", PAIR,
    lambda x: lt(3 * x.a * x.b, x.a**3 + x.b**3 + 1), at={"a": 1, "b": 1}, answers=REFUTED)
lie("irrational/am-gm-other", False, "a = b = 1.26: 60.3 <= 60.1", PAIR,
    lambda x: le(38 * x.a * x.b, 10 * (x.a**3 + x.b**3 + 2)), at={"a": Fraction(126, 100), "b": Fraction(126, 100)})
lie("irrational/shifted-square", False, "b = 1: a < a", PAIR, lambda x: lt(x.a, x.a + x.b**2 - 2 * x.b + 1),
    at={"a": 1, "b": 1}, answers=REFUTED)
lie("irrational/shifted-square-true", True, "(b - 1)^2 + 1 > 0", PAIR, lambda x: lt(x.a, x.a + x.b**2 - 2 * x.b + 2))
EDGE = {"eta": positive(STEP), **L}
lie("irrational/strict-on-the-edge", False, "eta L = 1 is allowed", scalars(**EDGE, given=under("eta L <= 1",
    lambda x: le(x.eta * x.L, 1))),
    lambda x: lt(x.eta * x.L, 1), at={"eta": 1, "L": 1}, answers=REFUTED)
lie("irrational/strict-inside", True, "the condition is strict", scalars(**EDGE, given=under("eta L < 1",
    lambda x: lt(x.eta * x.L, 1))),
    lambda x: lt(x.eta * x.L, 1))
lie("irrational/exponential", False, "a = 2: e^2 > 7", ROOT, lambda x: lt(x.exp(x.a), 1 + x.a + x.a**2), answers=REFUTED)
lie("irrational/exponential-true", True, "e^a > 1 + a for a > 0", ROOT, lambda x: lt(1 + x.a, x.exp(x.a)), answers=OR_UNKNOWN)
lie("irrational/vectors-strict", False, "w = 0: 0 < 0", vectors("w"), lambda x: lt(0, x.sq(x.w)), at={"w": [[0]]})
lie("irrational/contraction-strict", False, "w = w_star: 0 < 0", BOWL,
    lambda x: lt(x.sq(x.w - slope(x) / (2 * x.L) - x.w_star), distance_sq(x)),
    at={"L": 1, "f": [SQUARE], "w": [[0]], "w_star": [[0]]})

# 8. counterexamples that a search among quadratics and Huber functions does not draw

for n, d in ((2, 2), (3, 3), (4, 4), (5, 5)):
    NAMES = ("w", "v", "u", "z", "y")[:n]
    SPACE = {"m": (1,), "d": tuple(range(1, d + 1))}
    lie(f"search/determinant-{n}", False, f"the {n} unit vectors in {d} dimensions: 1 <= 0", vectors(*NAMES, sizes=SPACE),
        lambda x, names=NAMES: le(gram(x, *names), 0),
        at={name: [[int(i == k) for i in range(d)]] for k, name in enumerate(NAMES)})
lie("search/determinant-4-unlisted", False, "four unit vectors in four dimensions, which the world does not list: 1 <= 0",
    vectors("w", "v", "u", "z"), lambda x: le(gram(x, "w", "v", "u", "z"), 0),
    at={name: [[int(i == k) for i in range(4)]] for k, name in enumerate("wvuz")})
lie("search/determinant-clients", False, "unit vectors in four dimensions",
    clients("u", at=("w", "v", "z"), sizes={"m": (1,), "d": (1, 4)}),
    lambda x: le(gram(x, "w", "v", "u", "z"), 0), at={name: [[int(i == k) for i in range(4)]] for k, name in enumerate("wvuz")})
lie("search/determinant-true", True, "a Gram determinant is not negative",
    vectors("w", "v", "u", sizes={"m": (1,), "d": (1, 2, 3)}),
    lambda x: le(0, gram(x, "w", "v", "u")), answers=OR_UNKNOWN)
lie("search/hadamard", True, "Hadamard's inequality", vectors("w", "v", sizes={"m": (1,), "d": (1, 2)}),
    lambda x: le(gram(x, "w", "v"), x.sq(x.w) * x.sq(x.v)), answers=OR_UNKNOWN)


def mirrored(x):
    return 2 * x.w_star - x.w


lie("search/mirror-value", False, "f = u^2/2 on the right, u^2/4 on the left, w = -1: 1/2 <= 1/4", BOWL,
    lambda x: le(x.mean(x.f.value(mirrored(x))), x.mean(x.f.value(x.w))),
    at={"L": 1, "f": [LEANING], "w": [[-1]], "w_star": [[0]]})
lie("search/mirror-slope", False, "the same: 1 <= 1/4", BOWL, lambda x: le(x.sq(slope(x, mirrored(x))), x.sq(slope(x))),
    at={"L": 1, "f": [LEANING], "w": [[-1]], "w_star": [[0]]})
lie("search/mirror-odd", False, "the same: the slopes 1 and -1/2 do not sum to 0", BOWL,
    lambda x: eq(x.sq(slope(x, mirrored(x)) + slope(x)), 0), at={"L": 1, "f": [LEANING], "w": [[-1]], "w_star": [[0]]})
lie("search/mirror-strong", False, "the same with mu = 1/4: 1/2 <= 1/4", STRONG, lambda x: le(gap(x, mirrored(x)), gap(x)),
    at={"mu": Fraction(1, 4), "L": 1, "f": [LEANING], "w": [[-1]], "w_star": [[0]]})
lie("search/mirror-smooth", False, "the same among smooth functions", SMOOTH, lambda x: le(gap(x, mirrored(x)), gap(x)),
    at={"L": 1, "f": [LEANING], "w": [[-1]], "w_star": [[0]]})
lie("search/mirror-envelope", False, "envelopes u^2/4 on the right and u^2/6 on the left, w = -1: 1/4 <= 1/6",
    functions(Convex(), envelope="lam", optimum_of="F", **LAM, **ONE),
    lambda x: le(x.mean(x.F.value(mirrored(x))), x.mean(x.F.value(x.w))),
    at={"lam": 1, "f": [LEANING], "w": [[-1]], "w_star": [[0]]})
lie("search/mirror-mean", False, "two such clients",
    functions(SmoothConvex("L"), optimum_of="f", **L, sizes={"m": (2,), "d": (1,)}),
    lambda x: le(gap(x, mirrored(x)), gap(x)), at={"L": 1, "f": [LEANING, LEANING], "w": [[-1]], "w_star": [[0]]})
lie("search/mirror-round", False, "two clients u^2/2 and u^2/4 on the left, w = w_star - 1, as mirror-value, before a round",
    round_(SmoothConvex("L"), optimum_of="F", **L), lambda x: le(x.mean(x.F.value(mirrored(x))), x.mean(x.F.value(x.w))))
lie("search/mirror-bounded", True, "f(2 w_star - w) - f_star <= L/2 |w - w_star|^2", BOWL,
    lambda x: le(gap(x, mirrored(x)), x.L / 2 * distance_sq(x)))
lie("search/star", False, "f = BUMP, at the maximum u = 2: 1 <= 0", SMOOTH, lambda x: le(gap(x), 2 * forward(x)),
    at={"L": 1, "f": [BUMP], "w": [[2]], "w_star": [[0]]})
lie("search/star-weakly", False, "the same: 1 <= 0", functions(WeaklyConvex("rho"), optimum_of="f", **RHO, **ONE),
    lambda x: le(gap(x), forward(x)), at={"rho": 1, "f": [BUMP], "w": [[2]], "w_star": [[0]]})
lie("search/star-monotone", False, "BUMP has the slope -1/2 at 5/2: 0 <= -5/4", SMOOTH, lambda x: le(0, forward(x)),
    at={"L": 1, "f": [BUMP], "w": [[Fraction(5, 2)]], "w_star": [[0]]})
lie("search/star-cocoercive", False, "BUMP at 5/2: 1/4 <= -5/4", SMOOTH, lambda x: le(x.sq(slope(x)), x.L * forward(x)),
    at={"L": 1, "f": [BUMP], "w": [[Fraction(5, 2)]], "w_star": [[0]]})
lie("search/star-gradient-dominated", False, "BUMP at 2: 1 <= 0", SMOOTH, lambda x: le(x.L * gap(x), 10**6 * x.sq(slope(x))),
    at={"L": 1, "f": [BUMP], "w": [[2]], "w_star": [[0]]})
lie("search/star-distance", False, "BUMP at its other minimiser 4: 16 <= 0", SMOOTH,
    lambda x: le(distance_sq(x) * x.L, 10**6 * (gap(x) + x.sq(slope(x)) / x.L)),
    at={"L": 1, "f": [BUMP], "w": [[4]], "w_star": [[0]]})
lie("search/star-true", True, "convexity", BOWL, lambda x: le(gap(x), forward(x)))
DIVERSE = functions(Smooth("L"), diversity="sigma_sq", at=("w", "v"), **L, sizes={"m": (1, 2), "d": (1,)})
DIVERSE_CONVEX = functions(SmoothConvex("L"), diversity="sigma_sq", at=("w", "v"), **L, sizes={"m": (1, 2), "d": (1,)})


def changes(x):
    return x.mean(x.sq(x.f.grad(x.w) - x.f.grad(x.v)))


lie("search/diversity-changes", False, "f_1' = -f_2' from 1 to -1, w = 1, v = -1: 4 <= 0", DIVERSE,
    lambda x: le(changes(x), 100 * x.sq(slope(x) - slope(x, x.v))),
    at={"L": 1, "sigma_sq": 1, "f": [CLAMP, ANTICLAMP], "w": [[1]], "v": [[-1]]})
lie("search/diversity-convex", False, "f_1 = Huber, f_2 = 0: 2 <= 1", DIVERSE_CONVEX,
    lambda x: le(changes(x), x.sq(slope(x) - slope(x, x.v))),
    at={"L": 1, "sigma_sq": Fraction(1, 4), "f": [CLAMP, FLAT], "w": [[1]], "v": [[-1]]})
lie("search/diversity-true", True, "a mean square of changes is at least the square of the mean", DIVERSE,
    lambda x: le(x.sq(slope(x) - slope(x, x.v)), changes(x)))
for n, share in ((1, 30), (2, 60)):
    KEEP = {"sizes": {"m": (1,), "d": (1,)}}
    lie(f"search/least-slope-{n}", False,
        f"slope 1, falling to 1/2 and back between the {n + 1} points: f falls by {3 * n}/4, and {share} <= {27 * n}",
        functions(Smooth("L"), **L, **KEEP),
        lambda x, n=n, share=share: le(
            share * least_slope(x, n), 36 * x.L * (x.mean(x.f.value(x.w)) - x.mean(x.f.value(descended(x, n)[-1])))),
        at={"L": 1, "f": [ZIGZAG], "w": [[2]]})
    lie(f"search/least-slope-{n}-true", True, "4/(3 n) is the sharp constant (Abbaszadehpeivasti, de Klerk, Zamani 2022)",
        functions(Smooth("L"), **L, **KEEP),
        lambda x, n=n: le(
            3 * n * least_slope(x, n), 4 * x.L * (x.mean(x.f.value(x.w)) - x.mean(x.f.value(descended(x, n)[-1])))),
        answers=OR_UNKNOWN)


def least_slope(x, n):
    """The least squared gradient at w and at its n gradient steps."""
    slopes = [x.sq(slope(x, w)) for w in descended(x, n)]
    out = slopes[0]
    for s in slopes[1:]:
        out = x.minimum(out, s)
    return out


LEVEL = Slope(((0, 0),), 0, 1)  # 0 on the left, u^2/2 on the right
lie("search/mirror-by-far", False, "f = 0 on the left, u^2/2 on the right, w = -1: 1/2 <= 0", BOWL,
    lambda x: le(gap(x, mirrored(x)), 100 * gap(x)), at={"L": 1, "f": [LEVEL], "w": [[-1]], "w_star": [[0]]})
lie("search/mirror-by-condition", True, "mu times L/2 |d|^2 on the left at most, L times mu/2 |d|^2 on the right at least", STRONG,
    lambda x: le(x.mu * gap(x, mirrored(x)), x.L * gap(x)))
lie("search/half-way", False, "BUMP is 1 at 2 and 0 at 4: 1 <= 0", SMOOTH,
    lambda x: le(gap(x, (x.w + x.w_star) / 2), gap(x)), at={"L": 1, "f": [BUMP], "w": [[4]], "w_star": [[0]]})
lie("search/half-way-true", True, "a convex function is at most the mean of its ends half way", BOWL,
    lambda x: le(2 * gap(x, (x.w + x.w_star) / 2), gap(x)))
lie("search/above-the-minimum", True, "|grad f|^2 <= 2 L (f - f_star), by a step of length 1/L, without convexity", SMOOTH,
    lambda x: le(x.sq(slope(x)), 2 * x.L * gap(x)), answers=OR_UNKNOWN)
lie("search/above-the-minimum-of-two", True, "the same of a mean of two", functions(Smooth("L"), optimum_of="f", **L,
    sizes={"m": (1, 2), "d": (1,)}), lambda x: le(x.sq(slope(x)), 2 * x.L * gap(x)), answers=OR_UNKNOWN)
lie("search/above-the-minimum-by-less", False, "f = u^2/2, w = 1: 2 <= 19/10", SMOOTH,
    lambda x: le(2 * x.sq(slope(x)), x.ratio(38, 10) * x.L * gap(x)), at={"L": 1, "f": [SQUARE], "w": [[1]], "w_star": [[0]]})
lie("search/diversity-half-way", True, "the bound holds at every point", DIVERSE,
    lambda x: le(x.mean(x.sq(x.f.grad((x.w + x.v) / 2) - slope(x, (x.w + x.v) / 2))), x.sigma_sq), answers=OR_UNKNOWN)
lie("search/one-sided-round", False, "two clients as LEVEL, w = -1 before the round, 1 mirrored: slopes 0 and not 0",
    round_(SmoothConvex("L"), optimum_of="F", **L),
    lambda x: le(x.sq(x.mean_vec(x.F.grad(mirrored(x)))), 10**6 * x.sq(x.mean_vec(x.F.grad(x.w)))))
lie("search/determinant-5-unlisted", False, "five unit vectors in five dimensions, which the world does not list: 1 <= 0",
    vectors("w", "v", "u", "z", "y"), lambda x: le(gram(x, "w", "v", "u", "z", "y"), 0),
    at={name: [[int(i == k) for i in range(5)]] for k, name in enumerate("wvuzy")})
lie("search/determinant-4-unlisted-true", True, "a Gram determinant is not negative", vectors("w", "v", "u", "z"),
    lambda x: le(0, gram(x, "w", "v", "u", "z")), answers=OR_UNKNOWN)
lie("search/last-slope", False, "Huber with delta = 1/3, w = 1: 10 times 1/9 <= 9/9 times 1", BOWL,
    lambda x: le(10 * x.sq(slope(x, descended(x, 2)[-1])), x.L**2 * distance_sq(x)),
    at={"L": 1, "f": [huber(Fraction(1, 3))], "w": [[1]], "w_star": [[0]]})
lie("search/last-gap", False, "Huber with delta = 1/5, w = 1: 11/10 <= 1", BOWL,
    lambda x: le(11 * gap(x, descended(x, 2)[-1]), x.L * distance_sq(x)),
    at={"L": 1, "f": [huber(Fraction(1, 5))], "w": [[1]], "w_star": [[0]]})
lie("search/largest-of-three", False, "u = (1, 0, 0): 1 <= 2/3", clients(sizes={"m": (3,), "d": (1,)}),
    lambda x: le(x.max(x.sq(x.u)), 2 * x.mean(x.sq(x.u))), at={"u": [[1], [0], [0]]})
lie("search/largest-of-four", False, "u = (1, 0, 0, 0): 1 <= 3/4", clients(sizes={"m": (4,), "d": (1,)}),
    lambda x: le(x.max(x.sq(x.u)), 3 * x.mean(x.sq(x.u))), at={"u": [[1], [0], [0], [0]]})
lie("search/largest-of-four-true", True, "one of four is at most the sum", clients(sizes={"m": (4,), "d": (1,)}),
    lambda x: le(x.max(x.sq(x.u)), 4 * x.mean(x.sq(x.u))))
lie("search/uneven-parameters", False, "a = (10^13, 1)", scalars(a=EACH, sizes={"m": (2,)}),
    lambda x: le(x.max(x.a), 10**12 * x.min(x.a)),
    at={"a": [10**13, 1]}, answers=REFUTED)
lie("search/log-of-tiny", False, "a = e^-101: 101 <= 100", ROOT, lambda x: le(-x.log(x.a), 100))
lie("search/log-of-tiny-true", True, "log(1/a) <= 1/a", ROOT, lambda x: le(-x.log(x.a), 1 / x.a))
lie("search/log-of-huge", False, "a = e^301: 301 <= 300", ROOT, lambda x: le(x.log(x.a), 300))
lie("search/far-square-true", True, "2 |w|^2 <= 1 + |w|^4", vectors("w", **ONE), lambda x: le(2 * x.sq(x.w), 1 + x.sq(x.w) ** 2),
    answers=OR_UNKNOWN)
lie("search/near-square", False, "w = 1/10^21: 1 <= 1/100 + 1/100", vectors("w", **ONE),
    lambda x: le(100, 1 + 10**42 * x.sq(x.w)), at={"w": [[Fraction(1, 10**21)]]})
lie("search/far-square", False, "w = 10^21", vectors("w", **ONE), lambda x: le(x.sq(x.w), 10**40), at={"w": [[10**21]]})

# 9. honest and dishonest input on which engines fall over

TENTH = 0.1
HALF = 0.5


def half_of(s):
    return HALF * s


def endless(x):
    return endless(x)


NO_CRASH = (*POSITIVE, "unknown", "UsageError")
FALSE_OR_REFUSED = ANSWERS[False]
PAIR_OF_W = vectors("w", **ONE)
lie("crash/floor-of-a", True, "the floor of a is at most a", ROOT, lambda x: le(x.a // 1, x.a), answers=NO_CRASH)
lie("crash/floor-of-m", True, "2 floor(m/2) <= m", clients(**SMALL),
    lambda x: le(x.m // 2 * 2 * each(x), x.m * each(x)), answers=NO_CRASH)
lie("crash/floor-of-m-false", False, "m = 3: 3 <= 2", clients(sizes={"m": (1, 2, 3), "d": (1,)}),
    lambda x: le(x.m * each(x), (x.m // 2 * 2 + x.m % 2 * 0 + (x.m == 1)) * each(x)),
    at={"u": [[1], [0], [0]]})
lie("crash/rest-of-m", True, "m mod 2 is 0 or 1", clients(**SMALL), lambda x: le(x.m % 2 * each(x), each(x)), answers=NO_CRASH)
lie("crash/rest-of-a", True, "a mod 1 < 1", ROOT, lambda x: lt(x.a % 1, 1), answers=NO_CRASH)
lie("crash/power-m", True, "(1 - a)^m <= 1 for 0 < a < 1", scalars(a=between(0, 1, closed=False), b=EACH, sizes={"m": (1, 2)}),
    lambda x: le((1 - x.a) ** x.m, 1), answers=NO_CRASH)
lie("crash/power-m-among-vectors", True, "the same times a square", clients(a=between(0, 1, closed=False), **SMALL),
    lambda x: le((1 - x.a) ** x.m * each(x), each(x)), answers=NO_CRASH)
lie("crash/power-m-false", False, "m = 2, a = 1/2: 1/2 <= 1/4", clients(a=between(0, 1, closed=False), **SMALL),
    lambda x: le((1 - x.a) * each(x), (1 - x.a) ** x.m * each(x)), at={"a": Fraction(1, 2), "u": [[1], [0]]})
lie("crash/power-b", True, "a power of a positive number is positive", PAIR, lambda x: lt(0, x.a**x.b), answers=NO_CRASH)
lie("crash/power-b-false", False, "a = 3, b = 2: 9 <= 7", PAIR, lambda x: le(x.a**x.b, 1 + x.a * x.b), answers=FALSE_OR_REFUSED)
lie("crash/power-of-m", True, "m^a >= 1", clients(a=positive(), **SMALL), lambda x: le(each(x), x.m**x.a * each(x)),
    answers=NO_CRASH)
lie("crash/power-half", True, "sqrt a <= 1 + a", ROOT, lambda x: le(x.a ** x.ratio(1, 2), 1 + x.a), answers=NO_CRASH)
lie("crash/power-negative", True, "a^-2 > 0", ROOT, lambda x: lt(0, x.a**-2))
lie("crash/numpy-root", True, "sqrt a <= 1 + a", ROOT, lambda x: le(np.sqrt(x.a), 1 + x.a), answers=NO_CRASH)
lie("crash/numpy-root-false", False, "a = 4: 2 <= 1", ROOT, lambda x: le(np.sqrt(x.a), 1), answers=FALSE_OR_REFUSED)
lie("crash/numpy-log", True, "log a < a", ROOT, lambda x: lt(np.log(x.a), x.a), answers=NO_CRASH)
lie("crash/math-root", True, "sqrt a <= 1 + a", ROOT, lambda x: le(math.sqrt(x.a), 1 + x.a), answers=NO_CRASH)
lie("crash/absolute", True, "|a - b| <= a + b", PAIR, lambda x: le(abs(x.a - x.b), x.a + x.b), answers=NO_CRASH)
lie("crash/python-max", True, "max(a, b) <= a + b", PAIR, lambda x: le(max(x.a, x.b), x.a + x.b), answers=NO_CRASH)
lie("crash/maximum", True, "max(a, b) <= a + b", PAIR, lambda x: le(x.maximum(x.a, x.b), x.a + x.b))
lie("crash/branch", True, "1 <= max(a, 1)", ROOT, lambda x: le(1, x.a if x.a > 1 else 1), answers=NO_CRASH)
lie("crash/whole-part", True, "int(a) <= a", ROOT, lambda x: le(int(x.a), x.a), answers=NO_CRASH)
lie("crash/rounded", True, "|round(a) - a| <= 1", ROOT, lambda x: le(round(x.a), x.a + 1), answers=NO_CRASH)
lie("crash/float-global", True, "1/2 <= 1; a float is refused", PAIR_OF_W, lambda x: le(HALF * x.sq(x.w), x.sq(x.w)),
    answers=NO_CRASH)
lie("crash/float-helper", True, "1/2 <= 1; a float is refused", PAIR_OF_W,
    lambda x: le(half_of(x.sq(x.w)), x.sq(x.w)), answers=NO_CRASH)
lie("crash/float-tenth", True, "10 times 1/10 is 1; the float 0.1 is another number", PAIR_OF_W,
    lambda x: eq(10 * TENTH * x.sq(x.w), x.sq(x.w)), answers=NO_CRASH)
lie("crash/float-tenth-of-a", True, "a/10 <= a; a float is refused", ROOT, lambda x: le(TENTH * x.a, x.a), answers=NO_CRASH)
lie("crash/float-32", True, "w/2 is shorter than w; a float is refused", PAIR_OF_W,
    lambda x: le(x.sq(np.float32(0.5 if x is None else HALF) * x.w), x.sq(x.w)), answers=NO_CRASH)
lie("crash/float-formula", True, "k = a/10; a float is refused", derived({"k": lambda x: TENTH * x.a}, a=positive()),
    lambda x: le(x.k, x.a), answers=NO_CRASH)
lie("crash/float-condition", True, "a <= 1/2 < 1; a float is refused", scalars(a=positive(), given=under("a <= 1/2",
    lambda x: le(x.a, HALF))),
    lambda x: lt(x.a, 1), answers=NO_CRASH)
lie("crash/complex", NOT_A_STATEMENT, "no order of complex numbers", ROOT, lambda x: le(x.a * 1j, x.a), answers=("UsageError",))


def sympy_half(x):
    import sympy

    return le(sympy.Rational(1, 2) * x.sq(x.w), x.sq(x.w))


lie("crash/sympy-constant", True, "1/2 <= 1", PAIR_OF_W, sympy_half, answers=NO_CRASH)
lie("crash/empty-slice", True, "the sum of the others: |.|^2 <= (m - 1) times their squares", clients(**SMALL),
    lambda x: le(x.sq(x.total_vec(x.u[..., 1:, :])), x.m * each(x)), answers=NO_CRASH)
lie("crash/empty-slice-of-values", True, "a mean of squares of the others; without others it is undefined", clients(**SMALL),
    lambda x: le(x.mean(x.sq(x.u)[..., 1:]), 2 * each(x)), answers=NO_CRASH)
lie("crash/second-value", True, "f_2(w) - f_2(v) >= <g_2(v), w - v>, convexity of the second client",
    functions(SmoothConvex("L"), at=("w", "v"), **L, sizes={"m": (2,), "d": (1,)}),
    lambda x: le(x.dot(x.f.grad(x.v)[..., 1:2, :], x.w - x.v), x.f.value(x.w)[..., 1:2] - x.f.value(x.v)[..., 1:2]),
    answers=NO_CRASH)
lie("crash/second-value-false", False, "f_2 = u, w = 1, v = 0: 1 <= 0",
    functions(SmoothConvex("L"), at=("w", "v"), **L, sizes={"m": (2,), "d": (1,)}),
    lambda x: le(x.f.value(x.w)[..., 1:2], x.f.value(x.v)[..., 1:2]), at={"L": 1, "f": [LINE, LINE], "w": [[1]], "v": [[0]]})
lie("crash/no-size", EMPTY, "nobody draws five of at most four clients", clients(sizes={"m": (1, 2, 3, 4), "S": (5,)}),
    lambda x: le(0, once(x)), answers=("vacuous", "unknown", "UsageError"))
lie("crash/no-size-of-a-round", EMPTY, "nobody draws five of at most four clients",
    Place(lambda: pfedme_round(Convex(), optimum_of=None, R=()), lambda x: le(x.sq(x.w), 0)), lambda x: le(0, x.sq(x.w)),
    answers=("vacuous", "unknown", "UsageError"))
lie("crash/size-zero", EMPTY, "there is a client", clients(sizes={"m": (0,)}), lambda x: le(0, each(x)),
    answers=("vacuous", "unknown", "UsageError"))
lie("crash/huge", True, "a <= a + 10^400", ROOT, lambda x: le(x.a, x.a + 10**400), answers=NO_CRASH)
lie("crash/huge-false", False, "a = 10^401", ROOT, lambda x: le(x.a, 10**400), at={"a": 10**401})
lie("crash/huge-among-vectors", True, "a square is at least -10^400", PAIR_OF_W, lambda x: le(-(10**400), x.sq(x.w)),
    answers=NO_CRASH)
lie("crash/huge-among-vectors-false", False, "w = 1: 1 <= 10^-400", PAIR_OF_W, lambda x: le(x.sq(x.w) * 10**400, x.sq(x.w)),
    at={"w": [[1]]}, answers=("refuted", "unknown", "UsageError"))
lie("crash/huge-quotient", True, "10^-400 is positive", PAIR_OF_W, lambda x: le(0, x.sq(x.w) / 10**400), answers=NO_CRASH)
lie("crash/huge-condition", SATISFIABLE, "a = 10^401", scalars(a=positive(), given=under("a > 10^400",
    lambda x: lt(10**400, x.a))),
    lambda x: lt(1, x.a), at={"a": 10**401}, answers=NO_CRASH)
lie("crash/between-tenth", True, "a < 1/10; or the float is refused", Place(lambda: Scalars(a=between(0, 0.1)),
    lambda x: lt(0, x.a)),
    lambda x: le(x.a, 1), answers=NO_CRASH)
lie("crash/between-tenth-among-vectors", True, "the same",
    Place(lambda: Points(None, a=between(0, 0.1), **ONE), lambda x: le(x.sq(x.w), 0)), lambda x: le(x.a * x.sq(x.w), x.sq(x.w)),
    answers=NO_CRASH)
lie("crash/at-least-tenth", True, "0 < 1/10 <= a", Place(lambda: Scalars(a=at_least(0.1)), lambda x: le(x.a, 0)),
    lambda x: lt(0, x.a), answers=NO_CRASH)
lie("crash/own-lam", True, "w_star minimises the mean of the envelopes",
    functions(Convex(), envelope="lam", optimum_of="F", lam=positive(CURVATURE, per_client=True), **SMALL),
    lambda x: le(x.mean(x.F.value(x.w_star)), x.mean(x.F.value(x.w))), answers=OR_UNKNOWN)
lie("crash/own-lam-false", False, "f = u^2/2, lam = 1, w = 1: 1/4 <= 0",
    functions(Convex(), envelope="lam", optimum_of="F", lam=positive(CURVATURE, per_client=True), **SMALL),
    lambda x: le(x.mean(x.F.value(x.w)), x.mean(x.F.value(x.w_star))),
    at={"lam": [1], "f": [SQUARE], "w": [[1]], "w_star": [[0]]},
    answers=REFUTED)
lie("crash/table-by-m", True, "1, 4, 9, 16 are m^2", clients(**SMALL),
    lambda x: le({1: 1, 2: 4, 3: 9, 4: 16}[x.m] * each(x), x.m**2 * each(x)), answers=NO_CRASH)
lie("crash/table-without-3", NOT_A_STATEMENT, "it has no entry for three clients", clients(sizes={"m": (1, 2, 3), "d": (1,)}),
    lambda x: le({1: 1, 2: 4}[x.m] * each(x), x.m**2 * each(x)))
lie("crash/range-m", True, "the sum of 1 to m is m (m + 1)/2", clients(**SMALL),
    lambda x: eq(2 * sum(range(1, x.m + 1)) * each(x), x.m * (x.m + 1) * each(x)), answers=NO_CRASH)
lie("crash/a-boolean", NOT_A_STATEMENT, "it returns a truth value", PAIR, lambda x: x.a <= x.b, answers=("UsageError",))
lie("crash/nothing", NOT_A_STATEMENT, "it returns nothing", PAIR, lambda x: None, answers=("UsageError",))
lie("crash/no-relation", NOT_A_STATEMENT, "it returns no relation", PAIR, lambda x: (), answers=("UsageError",))
lie("crash/a-list", NOT_A_STATEMENT, "it returns a list", PAIR, lambda x: [le(x.a, x.a)], answers=("UsageError", *POSITIVE))
lie("crash/a-text", NOT_A_STATEMENT, "a side is a text", PAIR, lambda x: le(x.a, "x.b"), answers=("UsageError",))
lie("crash/no-side", NOT_A_STATEMENT, "a side is None", PAIR, lambda x: le(x.a, None), answers=("UsageError",))
lie("crash/vector-side", NOT_A_STATEMENT, "a side is a vector", vectors("w", sizes={"m": (1,), "d": (2,)}),
    lambda x: le(x.w, 2 * x.w),
    answers=("UsageError",))
lie("crash/endless-recursion", NOT_A_STATEMENT, "it calls itself", PAIR, endless, answers=("UsageError",))
lie("crash/unknown-name", NOT_A_STATEMENT, "there is no c", PAIR, lambda x: le(x.a, x.c), answers=("UsageError",))
lie("crash/raises", NOT_A_STATEMENT, "it raises KeyError", PAIR, lambda x: le(x.a, {}["b"]), answers=("UsageError",))
lie("crash/am-gm-100", True, "2 A B <= A^2 + B^2 with A = a^100", PAIR,
    lambda x: le(2 * x.a**100 * x.b**100, x.a**200 + x.b**200), answers=NO_CRASH, slow=True)
lie("crash/am-gm-120", True, "the same times a square, with exponent 120", vectors("w", **BOTH, **ONE),
    lambda x: le(2 * x.a**120 * x.b**120 * x.sq(x.w), (x.a**240 + x.b**240) * x.sq(x.w)), answers=NO_CRASH, slow=True)
FIVE = {name: positive() for name in "abceg"}
lie("crash/sum-to-the-100", True, "a power of a positive number", scalars(**FIVE),
    lambda x: lt(0, (x.a + x.b + x.c + x.e + x.g) ** 100),
    answers=NO_CRASH, slow=True)
lie("crash/sum-to-the-200-among-vectors", True, "the same times a square", vectors("w", **FIVE, **ONE),
    lambda x: le(0, (x.a + x.b + x.c + x.e + x.g) ** 200 * x.sq(x.w)), answers=NO_CRASH, slow=True)
lie("crash/power-of-a-million", True, "a power of a positive number", ROOT, lambda x: lt(0, x.a ** (10**6)),
    answers=NO_CRASH, slow=True)
lie("crash/tower", True, "e^t > t three times", ROOT, lambda x: lt(x.a, x.exp(x.exp(x.exp(x.a)))), answers=NO_CRASH, slow=True)
lie("crash/five-of-ten", True, "Jensen over 252 selections",
    clients(sizes={"m": (10,), "d": (1,), "S": (5,)}), lambda x: le(25 * x.sq(x.mean_vec(x.u)), once(x)),
    answers=NO_CRASH, slow=True)
lie("crash/forty-clients", True, "Cauchy-Schwarz", clients(sizes={"m": (40,), "d": (1,)}),
    lambda x: le(all_of(x), x.m * each(x)),
    answers=NO_CRASH, slow=True)
lie("crash/shape-of-selection", True, "a selection has one entry a client: m E = S total",
    clients(**SUBSETS), lambda x: eq(x.E(lambda S: x.total(x.sq(x.u), over=S) * S.shape[0]), x.S * each(x)), answers=NO_CRASH)
lie("crash/expected-constant", True, "the mean of 1 is 1", clients(**SUBSETS),
    lambda x: eq(x.E(lambda S: 1) * each(x), each(x)), answers=NO_CRASH)
lie("crash/infinity", True, "a square is finite", PAIR_OF_W, lambda x: le(x.sq(x.w), math.inf), answers=NO_CRASH)
lie("crash/infinity-false", False, "a is finite", ROOT, lambda x: le(math.inf, x.a))
lie("crash/not-a-number", NOT_A_STATEMENT, "a bound that is no number", PAIR_OF_W, lambda x: le(x.sq(x.w), math.nan))
lie("crash/undefined-condition", True, "log(a - 2) <= 10 asks for a > 2",
    scalars(a=positive(), given=under("log(a - 2) <= 10", lambda x: le(x.log(x.a - 2), 10))), lambda x: lt(2, x.a),
    answers=NO_CRASH)
lie("crash/keyword-constant", True, "2 a b <= a^2 + b^2, with the factor as a keyword constant", PAIR,
    lambda x, share=2: le(share * x.a * x.b, x.a**2 + x.b**2))
lie("crash/keyword-quotient", True, "a b/2 <= a^2 + b^2, with x.ratio", PAIR,
    lambda x: le(x.ratio(1, 2) * x.a * x.b, x.a**2 + x.b**2))
lie("crash/keyword-quotient-false", False, "a = b = 1: 21/10 <= 2", PAIR,
    lambda x: le(x.ratio(21, 10) * x.a * x.b, x.a**2 + x.b**2),
    at={"a": 1, "b": 1}, answers=REFUTED)
