"""No verdict is wrong on statements about mixings and about roots, half of them false by a hundredth; all are decided."""

import pytest

from fedtheory import claim, le, verify
from fedtheory.units import CURVATURE
from problems import Convex, Points, Scalars, Smooth, SmoothStronglyConvex, between, condition, positive

# a mixing keeps the mean and makes the spread at most r^2 of what it was: any gossip matrix with that second singular value


def spread(x, v):
    return x.mean(x.sq(v - x.mean_vec(v)))


def mixed(x, z="z", v=None):
    v = x.v if v is None else v
    z = getattr(x, z)
    return x.mean_vec(v) + z - x.mean_vec(z)


def of_spreads(name, of):
    return condition(f"spread of {name} at most r^2 of that of {of}", lambda x: le(
        spread(x, getattr(x, name)), x.r**2 * spread(x, getattr(x, of))))  # fmt: skip


def across(x):
    mean = x.mean_vec(x.v)
    return x.mean(x.dot(mixed(x) - mean, x.v - mean))


R = {"r": between(0, 1, closed=False)}
ONE = Points(None, at=("u",), clients_at=("v", "z", "g"), tau=positive(), given=(of_spreads("z", "v"),), **R)
TWICE = Points(None, at=(), clients_at=("v", "z", "y"), given=(of_spreads("z", "v"), of_spreads("y", "z")), **R)
MIXINGS = {
    "spread": (ONE, lambda x, s: le(spread(x, mixed(x)), s * x.r**2 * spread(x, x.v))),
    "mean": (ONE, lambda x, s: le(x.sq(x.mean_vec(mixed(x))), s * x.sq(x.mean_vec(x.v)))),
    "no longer": (ONE, lambda x, s: le(x.mean(x.sq(mixed(x))), s * x.mean(x.sq(x.v)))),
    "length": (ONE, lambda x, s: le(x.mean(x.sq(mixed(x))), s * (x.sq(x.mean_vec(x.v)) + x.r**2 * spread(x, x.v)))),
    "moves at most": (ONE, lambda x, s: le(x.mean(x.sq(mixed(x) - x.v)), s * (1 + x.r) ** 2 * spread(x, x.v))),
    "moves at least": (ONE, lambda x, s: le((1 - x.r) ** 2 * spread(x, x.v), s * x.mean(x.sq(mixed(x) - x.v)))),
    "and a step": (ONE, lambda x, s: le(
        spread(x, mixed(x) + x.g), s * ((1 + x.tau) * x.r**2 * spread(x, x.v) + (1 + 1 / x.tau) * spread(x, x.g)))),
    "lazy": (ONE, lambda x, s: le(4 * spread(x, x.v + mixed(x)), 4 * s * (1 + x.r) ** 2 * spread(x, x.v))),
    "along": (ONE, lambda x, s: le(across(x), s * x.r * spread(x, x.v))),
    "against": (ONE, lambda x, s: le(-across(x), s * x.r * spread(x, x.v))),
    "to a point": (ONE, lambda x, s: le(x.mean(x.sq(mixed(x) - x.u)), s * x.mean(x.sq(x.v - x.u)))),
    "beyond": (ONE, lambda x, s: le(spread(x, 2 * mixed(x) - x.v), s * (1 + 2 * x.r) ** 2 * spread(x, x.v))),
    "twice": (TWICE, lambda x, s: le(spread(x, mixed(x, "y")), s * x.r**4 * spread(x, x.v))),
    "twice, length": (TWICE, lambda x, s: le(x.mean(x.sq(mixed(x, "y"))), s * x.mean(x.sq(x.v)))),
    "total": (ONE, lambda x, s: le(x.sq(x.total_vec(mixed(x))), s * x.m * x.m * x.sq(x.mean_vec(x.v)))),
    "tracks": (ONE, lambda x, s: le(x.sq(x.mean_vec(mixed(x) + x.g)), s * x.sq(x.mean_vec(x.v + x.g)))),
}  # fmt: skip


def norm(x, u):
    return x.sqrt(x.sq(u))


def slopes(x):
    return x.f.grad(x.w) - x.f.grad(x.v)


PAIR = Points(None, at=("u", "v"))
EACH = Points(None, at=(), clients_at=("v",))
NUMBERS = Scalars(a=positive(), b=positive())
STEEP = Points(SmoothStronglyConvex("mu", "L"), at=("w", "v"), sizes={"m": (1,)}, mu=positive(CURVATURE), L=positive(CURVATURE),
               given=(condition("mu <= L", lambda x: le(x.mu, x.L)),))  # fmt: skip
SMOOTH = Points(Smooth("L"), at=("w", "v"), sizes={"m": (1,)}, L=positive(CURVATURE))
PROX = Points(Convex(), at=("w", "v"), sizes={"m": (1,)}, lam=positive(CURVATURE))
ROOTS = {
    "triangle": (PAIR, lambda x, s: le(norm(x, x.u + x.v), s * (norm(x, x.u) + norm(x, x.v)))),
    "difference": (PAIR, lambda x, s: le(norm(x, x.u - x.v), s * (norm(x, x.u) + norm(x, x.v)))),
    "below": (PAIR, lambda x, s: le(norm(x, x.u), s * (norm(x, x.u - x.v) + norm(x, x.v)))),
    "Cauchy, Schwarz": (PAIR, lambda x, s: le(x.dot(x.u, x.v), s * norm(x, x.u) * norm(x, x.v))),
    "its other side": (PAIR, lambda x, s: le(-x.dot(x.u, x.v), s * norm(x, x.u) * norm(x, x.v))),
    "twice": (PAIR, lambda x, s: le(norm(x, 2 * x.u), 2 * s * norm(x, x.u))),
    "of a mean": (EACH, lambda x, s: le(norm(x, x.mean_vec(x.v)), s * x.mean(norm(x, x.v)))),
    "of squares": (EACH, lambda x, s: le(x.mean(norm(x, x.v)) ** 2, s * x.mean(x.sq(x.v)))),
    "gradients": (SMOOTH, lambda x, s: le(norm(x, slopes(x)), s * x.L * norm(x, x.w - x.v))),
    "strongly": (STEEP, lambda x, s: le(x.mu * norm(x, x.w - x.v), s * norm(x, slopes(x)))),
    "steep": (STEEP, lambda x, s: le(norm(x, slopes(x)), s * x.L * norm(x, x.w - x.v))),
    "prox": (PROX, lambda x, s: le(norm(x, x.f.prox(x.w, x.lam) - x.f.prox(x.v, x.lam)), s * norm(x, x.w - x.v))),
    "two means": (NUMBERS, lambda x, s: le(2 * x.sqrt(x.a * x.b), s * (x.a + x.b))),
    "Pythagoras": (NUMBERS, lambda x, s: le(x.sqrt(x.a**2 + x.b**2), s * (x.a + x.b))),
    "and back": (NUMBERS, lambda x, s: le(x.a + x.b, s * x.sqrt(2 * (x.a**2 + x.b**2)))),
    "tuned": (NUMBERS, lambda x, s: le(2 * x.sqrt(x.a), s * (x.a / x.b + x.b))),
}
PLANTED = {"mixings": MIXINGS, "roots": ROOTS}


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("row", [(kind, name) for kind, rows in PLANTED.items() for name in rows], ids="/".join)
def test_no_verdict_is_wrong(row):
    """The true one is proved or certified, the false one is refuted."""
    world, body = PLANTED[row[0]][row[1]]
    true = verify(claim("planted/true", world=world)(lambda x: body(x, x.ratio(1, 1))))
    false = verify(claim("planted/false", world=world)(lambda x: body(x, x.ratio(99, 100))))
    assert true.verdict in ("proved", "certified"), (true.verdict, true.reason)
    assert false.verdict == "refuted", (false.verdict, false.reason)
