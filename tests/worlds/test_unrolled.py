"""No verdict is wrong on statements about runs of listed lengths without lemmas, half of them false by a hundredth or a step."""

import pytest

from fedtheory import Control, claim, eq, le, verify
from fedtheory.engines.context import Docket
from fedtheory.engines.prove.listed import at_each_size
from fedtheory.fedtheory_check import accepted
from fedtheory.limits import at_most, bounded, smallest, summable
from fedtheory.referee.decide import proof
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from problems import (
    Convex,
    ConvexLipschitz,
    Monotone,
    Run,
    SmoothBoundedBelow,
    SmoothConvex,
    between,
    condition,
    positive,
)  # fmt: skip

L, LAM = positive(CURVATURE), positive(CURVATURE)
ONE = {"m": (1,)}
FALSE, TRUE = {"refuted", "unknown"}, {"proved", "certified"}


def cent(x, n):
    return x.ratio(n, 100)


def slope(x):
    return x.mean_vec(x.f.grad(x.w))


def away(x):
    return x.sq(x.w - x.w_star)


def gap(x):
    return x.mean(x.f.value(x.w) - x.f.value(x.w_star))


def over(x, name):
    return x.sum(lambda t: getattr(x, name)[t], x.T)


# gradient steps, and what is known of a quantity at the first or at the last of them


def steps(*given, f=None, **more):
    return Run(
        f or SmoothConvex("L"), **{"optimum_of": "f", "L": L, "given": given, "step": {"w": lambda x: x.w - slope(x) / x.L},
        "sizes": {"m": (1, 2)}, "quantities": {"D": away, "e": gap}} | more,
    )  # fmt: skip


def rate(x, n=100, of=None):
    return le(cent(x, n) * (4 * x.T + 2) * x.e[x.T], x.L * (x.D[0] if of is None else of))


AT_FIRST = condition("D_0 <= R^2", lambda x: le(x.D[0], x.R**2))
AT_LAST = condition("D_T <= R^2", lambda x: le(x.D[x.T], x.R**2))
FIRST, LAST = (steps(c, R=positive(LENGTH)) for c in (AT_FIRST, AT_LAST))
BELOW = steps(
    f=SmoothBoundedBelow("L"), optimum_of=None,
    quantities={"e": lambda x: x.mean(x.f.value(x.w) - x.f.infimum()), "g": lambda x: x.sq(slope(x))},
)  # fmt: skip
PROX = steps(f=Convex(), L=LAM, sizes=ONE, step={"w": lambda x: x.f.prox(x.w, x.L)})
ENVELOPE = steps(
    f=Convex(), envelope="L", optimum_of="F", step={"w": lambda x: x.w - x.mean_vec(x.F.grad(x.w)) / x.L},
    quantities={"D": away, "e": lambda x: x.mean(x.F.value(x.w) - x.F.value(x.w_star))},
)  # fmt: skip
RESOLVENT = steps(
    f=Monotone(), L=LAM, sizes=ONE, step={"w": lambda x: x.f.prox(x.w, x.L)},
    quantities={"D": away, "r": lambda x: x.sq(x.w - x.f.prox(x.w, x.L))},
)  # fmt: skip
MEAN = {"at": ("w", "bar"), "means": {"bar": ("w", lambda x, t: 1)}}
SUBGRADIENT = Run(
    ConvexLipschitz("M"), optimum_of="f", sizes=ONE, M=positive(GRADIENT), eta=positive(STEP), **MEAN,
    step={"w": lambda x: x.w - x.eta * slope(x)},
    quantities={"D": away, "e": gap, "J": lambda x: x.mean(x.f.value(x.bar) - x.f.value(x.w_star))},
)  # fmt: skip
OWN = steps(
    clients_at=("v",), at=(), step={"v": lambda x: x.v - x.f.grad(x.v) / x.L},
    quantities={"g": lambda x: x.sq(x.f.grad(x.v))},
)  # fmt: skip
LAZY = steps(
    p=between(0, 1, closed=False), outcomes=(0, 1), chances=lambda x: (1 - x.p, x.p), sizes=ONE,
    step={"w": lambda x, moves: x.w - slope(x) / x.L if moves else x.w},
)  # fmt: skip


def falls(x, n=100):
    return le(x.e[x.T] + cent(x, n) * over(x, "g") / (2 * x.L), x.e[0])


def regret(x, values, n=100):
    return le(2 * x.eta * x.T * values + x.D[x.T], x.D[0] + cent(x, n) * x.T * x.eta**2 * x.M**2)


FUNCTIONS = {
    "rate": (steps(), rate, lambda x: rate(x, 101)),
    "from a distance": (FIRST, lambda x: rate(x, of=x.R**2), lambda x: rate(x, 101, x.R**2)),
    "to a distance": (LAST, lambda x: le(2 * x.e[x.T], x.L * x.R**2), lambda x: rate(x, of=x.R**2)),
    "bounded below": (BELOW, falls, lambda x: falls(x, 101)),
    "proximal points": (
        PROX, lambda x: le(4 * x.T * x.e[x.T], x.L * x.D[0]), lambda x: le(cent(x, 404) * x.T * x.e[x.T], x.L * x.D[0])),
    "envelopes": (ENVELOPE, rate, lambda x: rate(x, 101)),
    "resolvents": (
        RESOLVENT, lambda x: le((x.T + 1) ** (x.T + 1) * x.r[x.T], x.T**x.T * x.D[0]),
        lambda x: le(cent(x, 101) * (x.T + 1) ** (x.T + 1) * x.r[x.T], x.T**x.T * x.D[0])),
    "a mean, not the last": (SUBGRADIENT, lambda x: regret(x, x.J), lambda x: regret(x, x.e[x.T])),
    "each client": (OWN, lambda x: le(x.g[x.T], x.g[0]), lambda x: le(x.g[x.T], x.mean(x.g[0]))),
    "lazy": (LAZY, lambda x: le(2 * x.e[x.T], x.L * x.D[0]), rate),
}  # fmt: skip

# what is new at every step, and holds before the last one

SHORT = condition("|e| <= eps", lambda x: le(x.sq(x.e), x.eps**2))


def errors(**more):
    return Run(
        None, **{"at": ("w", "e"), "fresh": ("e",), "sizes": ONE, "step": {"w": lambda x: x.w + x.e}, "eps": positive(LENGTH),
        "quantities": {"A": lambda x: x.sq(x.w), "n": lambda x: x.sq(x.e)}} | more,
    )  # fmt: skip


def added(x, n=100):
    return le(x.A[x.T], 2 * x.A[0] + cent(x, 2 * n) * x.T**2 * x.eps**2)


EVERY = condition("n_t <= eps^2", lambda x, t: le(x.n[t], x.eps**2))
OBEYED, STATED = errors(obeys=(SHORT,)), errors(every=(EVERY,))
REACHED = errors(obeys=(SHORT,), reach={"e": lambda x: x.eps})
BEGUN = errors(start={"w": lambda x: x.e}, eps=positive(LENGTH))
CLIENTS = errors(
    at=("w",), clients_at=("e",), obeys=(SHORT,), sizes={"m": (1, 2)}, step={"w": lambda x: x.w + x.mean_vec(x.e)},
    quantities={"A": lambda x: x.sq(x.w)},
)  # fmt: skip
ROUGH = steps(
    at=("w", "e"), fresh=("e",), sizes=ONE, obeys=(condition("|e| <= |g|", lambda x: le(x.norm(x.e), x.norm(slope(x)))),),
    quantities={"n": lambda x: x.sq(x.e), "g": lambda x: x.sq(slope(x))}, step={"w": lambda x: x.w - (slope(x) + x.e) / x.L},
)  # fmt: skip
NEW = {
    "before the last": (OBEYED, lambda x, t: le(x.n[t], x.eps**2), lambda x: le(x.n[x.T], x.eps**2)),
    "added": (OBEYED, added, lambda x: added(x, 99)),
    "stated at every step": (STATED, added, lambda x: le(x.n[x.T], x.eps**2)),
    "within a reach": (REACHED, added, lambda x: le(x.n[x.T], x.eps**2)),
    "a start": (BEGUN, lambda x: eq(x.A[1], 4 * x.n[0]), lambda x: eq(x.A[x.T], 4 * x.n[0])),
    "lengths": (ROUGH, lambda x, t: le(x.n[t], x.g[t]), lambda x: le(x.n[x.T], x.g[x.T])),
    "of clients": (CLIENTS, added, lambda x: le(x.A[x.T], 2 * x.A[0] + 2 * x.T**2 * x.eps**2 / x.m)),
}

# sums of vectors: drawn, weighted and mixed


def sums(**more):
    """w moves by what some clients have."""
    of = {
        "A": lambda x: x.sq(x.w), "M": lambda x: x.sq(x.mean_vec(x.v)), "U": lambda x: x.mean(x.sq(x.v)),
        "V": lambda x: x.mean(x.sq(x.v - x.mean_vec(x.v))), "i": lambda x: x.dot(x.w, x.mean_vec(x.v)),
    }  # fmt: skip
    drawn = {"w": lambda x, draw: x.w + x.total_vec(x.v, over=draw) / x.S}
    return Run(
        None, **{"clients_at": ("v",), "sizes": {"m": (1, 2, 3), "S": (1, 2)}, "step": drawn, "quantities": of} | more
    )


def second(x, spread):
    return x.A[0] + 2 * x.T * x.i[0] + x.T**2 * x.M + x.T * spread


AGAIN, APART = sums(participation="replacement"), sums()
EACH = sums(
    participation="independent", p=between(0, 1, closed=False), sizes={"m": (1, 2)},
    step={"w": lambda x, draw: x.w + x.total_vec(x.v, over=draw) / (x.p * x.m)},
)  # fmt: skip
SIGNED = Run(
    None, **MEAN | {"at": ("w", "n", "bar")}, outcomes=(1, -1), step={"w": lambda x, sign: x.w + sign * x.n}, sizes=ONE,
    quantities={"A": lambda x: x.sq(x.w), "B": lambda x: x.sq(x.bar), "n2": lambda x: x.sq(x.n)},
)  # fmt: skip
GEOMETRIC = Run(
    None, at=("w", "n", "bar"), means={"bar": ("w", lambda x, t: x.a**t)}, a=positive(), step={"w": lambda x: x.w + x.n},
    sizes=ONE, quantities={"A": lambda x: x.sq(x.w), "B": lambda x: x.sq(x.bar)},
)  # fmt: skip
GOSSIP = Run(
    None, at=(), clients_at=("v",), mixing={"W": "lam"}, lam=between(0, 1, closed=False), step={"v": lambda x: x.W(x.v)},
    sizes={"m": (1, 2)}, quantities={"V": lambda x: x.mean(x.sq(x.v - x.mean_vec(x.v)))},
)  # fmt: skip


def independent(x, n=100):
    return eq(x.A[x.T], second(x, cent(x, n) * (1 - x.p) / (x.p * x.m) * x.U))


def of_the_mean(x, n=100):
    return eq(x.B, x.A[0] + cent(x, n) * x.n2 * (x.T - 1) * (2 * x.T - 1) / (6 * x.T))


def by_weight(x, later=0):
    total, squares = (x.sum(fn, x.T) for fn in (lambda t: x.a**t, lambda t: x.a**t * x.A[t + later]))
    return le(x.B * total, squares)


VECTORS = {
    "with replacement": (
        AGAIN, lambda x: eq(x.A[x.T], second(x, x.V / x.S)), lambda x: eq(x.A[x.T], second(x, cent(x, 99) * x.V / x.S))),
    "without": (
        APART, lambda x: le(x.A[x.T], second(x, x.V / x.S)), lambda x: eq(x.A[x.T], second(x, x.V / x.S))),
    "each by itself": (EACH, independent, lambda x: independent(x, 99)),
    "a mean along draws": (SIGNED, of_the_mean, lambda x: of_the_mean(x, 99)),
    "a weighted mean": (GEOMETRIC, by_weight, lambda x: by_weight(x, 1)),
    "gossip": (
        GOSSIP, lambda x: le(x.V[x.T], x.lam ** (2 * x.T) * x.V[0]),
        lambda x: le(x.V[x.T], cent(x, 99) * x.lam ** (2 * x.T) * x.V[0])),
}  # fmt: skip

CHOSEN = steps(
    at=(), clients_at=("v",), selection="own", step={"v": lambda x: x.where(x.own, x.v - x.f.grad(x.v) / x.L, x.v)},
    quantities={"e": lambda x: x.mean(x.f.value(x.v)), "D": lambda x: x.mean(x.sq(x.v - x.w_star))},
)  # fmt: skip
LONG = steps(
    either={"k": (1, 2)}, step={"w": lambda x: x.w - slope(x) / (x.k * x.L)}, quantities={"D": away, "e": gap},
)  # fmt: skip
CHOICES = {
    "who steps": (CHOSEN.one_step, lambda x: le(x.next.e, x.e), lambda x: le(x.next.D, x.D)),
    "how far": (
        LONG.one_step, lambda x: le(4 * x.next.e, x.L * x.D), lambda x: le(cent(x, 404) * x.next.e, x.L * x.D)),
}  # fmt: skip
PLANTED = {"functions": FUNCTIONS, "new": NEW, "vectors": VECTORS, "choices": CHOICES}
ROWS = [(kind, name) for kind, rows in PLANTED.items() for name in rows]


def planted(row, place):
    world, *bodies = PLANTED[row[0]][row[1]]
    return claim("planted/unrolled", world=world)(bodies[place])


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("row", ROWS, ids="/".join)
def test_what_is_true_is_certified(row):
    v = verify(planted(row, 0))
    assert v.verdict in TRUE, (v.verdict, v.reason)
    assert v.trust != "kernel" or accepted(v.certificate)[0]


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("row", ROWS, ids="/".join)
def test_what_is_false_is_not(row):
    """Nor does what proves say so by itself, without what a search refutes."""
    one = planted(row, 1)
    v = verify(one)
    assert v.verdict in FALSE, (v.verdict, v.reason)
    assert proof(one, Docket()).verdict == "unknown"
    assert at_each_size(one, Docket()).outcome != "certifies"


def test_what_is_drawn_within_a_reach_may_be_anywhere():
    """A reach is no condition: without one the worst errors are longer than any that a search draws."""
    v = verify(claim("planted/reach", world=errors(reach={"e": lambda x: x.eps}))(added))
    assert v.verdict == "refuted"


# a run that grows by a tenth at every step, of which a few are short

GROWS = Run(
    None, a=positive(LENGTH), sizes=ONE, step={"w": lambda x: x.ratio(11, 10) * x.w}, quantities={"D": lambda x: x.sq(x.w)},
    given=(condition("D_0 <= a^2", lambda x: le(x.D[0], x.a**2)),),
)  # fmt: skip
MANY = 10**12


def stays(x, share=1):
    return le(over(x, "D"), share * MANY * x.D[0])


def stays_within(x, t, share=1):
    return le(x.D[t], share * MANY * x.D[0])


SAID = {
    "summable": (stays, lambda x: summable(x.D, MANY * x.D[0])),
    "smallest": (stays, lambda x: at_most(smallest(x.D), MANY * x.D[0] / x.T)),
    "bounded": (stays_within, lambda x: bounded(x.D, MANY * x.D[0])),
}


@pytest.mark.parametrize("name", SAID)
def test_no_limit_follows_from_listed_lengths(name):
    """At the listed lengths the sums stay, and no limit follows from that."""
    said, limit = SAID[name]
    control = Control("the first is larger", share=f"1/{10 * MANY}")
    finite = claim("planted/grows", world=GROWS, control=control)(said)
    v = verify(claim("planted/limit", world=GROWS, by=(finite,))(limit))
    assert verify(finite).verdict == "certified" and v.verdict == "unknown", (v.verdict, v.reason)


def test_a_longer_list_says_no_less():
    """At four or five steps rounding fails, and what is known at fewer stands."""
    steps = Run(
        SmoothConvex("L"), optimum_of="f", L=positive(CURVATURE), sizes={"m": (1, 2)}, lengths=(1, 2, 3, 4, 5),
        step={"w": lambda x: x.w - x.mean_vec(x.f.grad(x.w)) / x.L},
        quantities={"D": lambda x: x.sq(x.w - x.w_star), "e": lambda x: x.mean(x.f.value(x.w) - x.f.value(x.w_star))},
    )  # fmt: skip
    v = verify(claim("planted/longer-list", world=steps)(lambda x: le((4 * x.T + 2) * x.e[x.T], x.L * x.D[0])))
    found = {where["T"] for where in v.scope}
    (said,) = (e for e in v.evidence if e.outcome == "certifies")
    assert v.verdict == "certified" and {1, 2} <= found, v.scope
    assert ("none was found at T = " in said.reason) == (found < {1, 2, 3, 4, 5})
