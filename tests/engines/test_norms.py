"""Norms, and products and quotients of inner products, in proofs: what is false by a little has none."""

from fractions import Fraction

import pytest

from fedtheory import claim, le, lt, verify
from fedtheory.engines.context import Docket
from fedtheory.engines.prove.inner_products import inner_products
from fedtheory.engines.prove.listed import certify
from fedtheory.engines.prove.symbolic import lift
from fedtheory.errors import UsageError
from fedtheory.units import CURVATURE, LENGTH, STEP
from problems import (
    Convex,
    Points,
    Smooth,
    SmoothStronglyConvex,
    StronglyConvex,
    Together,
    at_least,
    between,
    condition,
    positive,
)

TWO, THREE, OWN = Points(None, at=("u", "v")), Points(None, at=("u", "v", "w")), Points(None, at=(), clients_at=("v",))
CLIPPED = Points(None, at=("u", "v"), c=positive(LENGTH))
SMOOTH = Points(Smooth("L"), at=("w", "v"), L=positive(CURVATURE))
STEPPED = Points(Smooth("L"), at=("w",), L=positive(CURVATURE), eta=positive(LENGTH))
PROX = Points(Convex(), at=("w", "v"), lam=positive(CURVATURE))
SHORT = condition("eta <= 2/(mu + L)", lambda x: le(x.eta * (x.mu + x.L), 2))
STRONG = Points(SmoothStronglyConvex("mu", "L"), at=("w", "v"), mu=positive(CURVATURE), L=positive(CURVATURE),
                eta=positive(STEP), given=(SHORT,))  # fmt: skip
STAR = Points(SmoothStronglyConvex("mu", "L"), at=("w",), optimum_of="f", mu=positive(CURVATURE), L=positive(CURVATURE))
ERROR = condition("|e| <= eps |g|", lambda x: le(x.norm(x.e), x.eps * x.norm(x.g)))
INEXACT = Points(None, at=("g", "e"), eps=between(0, 1), given=(ERROR,))


def bounded(share=1):
    given = condition("|v_i|^2 <= 1", lambda x: le(x.sq(x.v), x.ratio(*share) if isinstance(share, tuple) else share))
    return Points(None, at=(), clients_at=("v",), given=(given,))


MEAN_BOUNDED = Points(None, at=(), clients_at=("v",),
                      given=(condition("mean |v_i|^2 <= 1", lambda x: le(x.mean(x.sq(x.v)), 1)),))  # fmt: skip


def clip(x, u):
    return x.minimum(1, x.c / x.norm(u))[..., None] * u


def unit(x, u):
    return u / x.norm(u)[..., None]


def moved(x):
    return x.w - x.eta * x.f.grad(x.w) - x.v + x.eta * x.f.grad(x.v)


def proxes(x):
    return x.f.prox(x.w, x.lam) - x.f.prox(x.v, x.lam)


# what is true: world, body, verdict, trust
TRUE = {
    "triangle": (TWO, lambda x: le(x.norm(x.u + x.v), x.norm(x.u) + x.norm(x.v)), "proved", "kernel"),
    "reverse triangle": (TWO, lambda x: le(x.norm(x.u) - x.norm(x.v), x.norm(x.u - x.v)), "proved", "kernel"),
    "three": (THREE, lambda x: le(x.norm(x.u + x.v + x.w), x.norm(x.u) + x.norm(x.v) + x.norm(x.w)), "proved", "z3"),
    "Cauchy-Schwarz": (TWO, lambda x: le(x.dot(x.u, x.v), x.norm(x.u) * x.norm(x.v)), "proved", "kernel"),
    "its square": (TWO, lambda x: le(x.dot(x.u, x.v) ** 2, x.sq(x.u) * x.sq(x.v)), "proved", "kernel"),
    "parallelogram": (TWO, lambda x: le(x.norm(x.u + x.v) * x.norm(x.u - x.v), x.sq(x.u) + x.sq(x.v)), "proved", "kernel"),
    "clipped length": (CLIPPED, lambda x: le(x.norm(clip(x, x.u)), x.c), "proved", "kernel"),
    "clipping": (CLIPPED, lambda x: le(x.norm(clip(x, x.u) - clip(x, x.v)), x.norm(x.u - x.v)), "proved", "z3"),
    "clipped length of each": (
        Points(None, at=(), clients_at=("v",), c=positive(LENGTH)), lambda x: le(x.norm(clip(x, x.v)), x.c), "proved", "kernel"),
    "normalised": (TWO, lambda x: le(-x.dot(x.v, unit(x, x.u)), -x.norm(x.v) + 2 * x.norm(x.u - x.v)), "proved", "z3"),
    "Lipschitz": (SMOOTH, lambda x: le(x.norm(x.f.grad(x.w) - x.f.grad(x.v)), x.L * x.norm(x.w - x.v)), "proved", "kernel"),
    "gradient elsewhere": (
        SMOOTH, lambda x: le(x.norm(x.f.grad(x.v)), x.norm(x.f.grad(x.w)) + x.L * x.norm(x.v - x.w)), "proved", "z3"),
    "nonexpansive": (PROX, lambda x: le(x.norm(proxes(x)), x.norm(x.w - x.v)), "proved", "kernel"),
    "contraction": (STRONG, lambda x: le(x.norm(moved(x)), (1 - x.eta * x.mu) * x.norm(x.w - x.v)), "proved", "z3"),
    "contraction by a root": (
        STRONG, lambda x: le(x.norm(moved(x)), x.sqrt(1 - 2 * x.eta * x.mu * x.L / (x.mu + x.L)) * x.norm(x.w - x.v)),
        "proved", "kernel"),
    "inexact": (INEXACT, lambda x: le((1 - x.eps) * x.norm(x.g), x.norm(x.g + x.e)), "proved", "kernel"),
    "normalised step": (
        STEPPED,
        lambda x: le(x.f.value(x.w - x.eta * unit(x, x.f.grad(x.w))),
                     x.f.value(x.w) - x.eta * x.norm(x.f.grad(x.w)) + x.L * x.eta**2 / 2),
        "proved", "kernel"),
    "cube": (bounded(), lambda x: le(x.norm(x.v) ** 3, x.norm(x.v)), "proved", "kernel"),
    "root of the mean": (OWN, lambda x: le(x.norm(x.mean_vec(x.v)), x.sqrt(x.mean(x.sq(x.v)))), "proved", "kernel"),
    "mean of norms": (OWN, lambda x: le(x.norm(x.mean_vec(x.v)), x.mean(x.norm(x.v))), "certified", "kernel"),
    "sharp": (STAR, lambda x: le(x.mu * x.norm(x.w - x.w_star), x.norm(x.mean_vec(x.f.grad(x.w)))), "proved", "kernel"),
}  # fmt: skip

# what is false: by a hundredth, for two clients, where something vanishes
FALSE = {
    "triangle": (TWO, lambda x: le(x.norm(x.u + x.v), x.norm(x.u) + x.ratio(99, 100) * x.norm(x.v))),
    "reverse triangle": (TWO, lambda x: le(x.norm(x.u) - x.norm(x.v), x.ratio(99, 100) * x.norm(x.u - x.v))),
    "three": (THREE, lambda x: le(x.norm(x.u + x.v + x.w), x.norm(x.u) + x.norm(x.v) + x.ratio(99, 100) * x.norm(x.w))),
    "Cauchy-Schwarz": (TWO, lambda x: le(x.dot(x.u, x.v), x.ratio(99, 100) * x.norm(x.u) * x.norm(x.v))),
    "its square": (TWO, lambda x: le(x.ratio(101, 100) * x.dot(x.u, x.v) ** 2, x.sq(x.u) * x.sq(x.v))),
    "parallelogram": (
        TWO, lambda x: le(x.norm(x.u + x.v) * x.norm(x.u - x.v), x.ratio(99, 100) * (x.sq(x.u) + x.sq(x.v)))),
    "clipped length": (CLIPPED, lambda x: le(x.norm(clip(x, x.u)), x.ratio(99, 100) * x.c)),
    "clipping": (
        CLIPPED, lambda x: le(x.norm(clip(x, x.u) - clip(x, x.v)), x.ratio(99, 100) * x.norm(x.u - x.v))),
    "normalised": (
        TWO, lambda x: le(-x.dot(x.v, unit(x, x.u)), -x.norm(x.v) + x.ratio(99, 100) * x.norm(x.u - x.v))),
    "Lipschitz": (
        SMOOTH, lambda x: le(x.norm(x.f.grad(x.w) - x.f.grad(x.v)), x.ratio(99, 100) * x.L * x.norm(x.w - x.v))),
    "gradient elsewhere": (
        SMOOTH, lambda x: le(x.norm(x.f.grad(x.v)), x.norm(x.f.grad(x.w)) + x.ratio(99, 100) * x.L * x.norm(x.v - x.w))),
    "nonexpansive": (PROX, lambda x: le(x.norm(proxes(x)), x.ratio(99, 100) * x.norm(x.w - x.v))),
    "contraction": (STRONG, lambda x: le(x.norm(moved(x)), (1 - x.ratio(101, 100) * x.eta * x.mu) * x.norm(x.w - x.v))),
    "inexact": (INEXACT, lambda x: le((1 - x.ratio(9, 10) * x.eps) * x.norm(x.g), x.norm(x.g + x.e))),
    "normalised step": (
        STEPPED,
        lambda x: le(x.f.value(x.w - x.eta * unit(x, x.f.grad(x.w))),
                     x.f.value(x.w) - x.eta * x.norm(x.f.grad(x.w)) + x.L * x.eta**2 / 3)),
    "cube": (bounded((101, 100)), lambda x: le(x.norm(x.v) ** 3, x.norm(x.v))),
    "of one client, the mean being bounded": (MEAN_BOUNDED, lambda x: le(x.norm(x.v), 1)),
    "of one client, and of one alone": (OWN, lambda x: le(x.norm(x.v), x.norm(x.mean_vec(x.v)))),
    "the largest of one alone": (OWN, lambda x: le(x.max(x.norm(x.v)), x.norm(x.v))),
    "the sum of one alone": (OWN, lambda x: le(x.norm(x.total_vec(x.v)), x.norm(x.v))),
    "mean of norms": (OWN, lambda x: le(x.mean(x.norm(x.v)), x.norm(x.mean_vec(x.v)))),
    "sharp at one client": (STAR, lambda x: le(x.mu * x.norm(x.w - x.w_star), x.norm(x.f.grad(x.w)))),
    "from four clients on": (OWN, lambda x: le((x.m - 1) * (x.m - 2) * (x.m - 3) * x.norm(x.v) ** 3, 0)),
    "positive": (TWO, lambda x: lt(0, x.norm(x.u))),
    # the other relation is undefined where this one fails
    "beside a root": (
        TWO, lambda x: (le(x.sqrt(x.dot(x.u, x.v)), x.norm(x.u) + x.norm(x.v)), le(0, x.dot(x.u, x.v) * x.sq(x.u)))),
    "beside a quotient": (TWO, lambda x: (le(x.minimum(1, 1 / x.norm(x.u)), 1), lt(0, x.sq(x.u)))),
    "beside a unit vector": (
        STEPPED,
        lambda x: (le(x.f.value(x.w - x.eta * unit(x, x.f.grad(x.w))),
                      x.f.value(x.w) - x.eta * x.norm(x.f.grad(x.w)) + x.L * x.eta**2 / 2),
                   lt(0, x.sq(x.f.grad(x.w))))),
    "a larger side that is negative": (TWO, lambda x: le(x.norm(x.u), -x.norm(x.u))),
}  # fmt: skip

BESIDE = Points(
    StronglyConvex("mu"),
    at=("w", "u"),
    mu=positive(CURVATURE),
    given=(condition("|w| >= 1", lambda x: le(1, x.sq(x.w))),),
)
ON_AVERAGE = condition("mean <u_i, v_i> <= 0", lambda x: le(x.mean(x.dot(x.u, x.v)), 0))
AT = 123457  # thousandths: where few look


def near(x, of):
    """Positive where |of|^2 is between two numbers that are close to each other."""
    s, a = x.sq(of), x.ratio(AT, 1000)
    return x.maximum((s - a) * (a + x.ratio(1, 10**7) - s), 0)


def sign(x, q):
    return q / x.maximum(q, -q)


def thin(x, of):
    """Positive where |of|^2 is between the same numbers."""
    s, a = x.sq(of), x.ratio(AT, 1000)
    return (s - a) * (a + x.ratio(1, 10**7) - s)


def turned(x):
    """w with a sign of each client."""
    return x.w * sign(x, thin(x, x.v))[..., None]


def beyond_zero(x):
    y = x.w / (x.a * x.a - 2)
    below = le(x.dot(x.f.grad(x.w), y - x.w), x.f.value(y) - x.f.value(x.w))
    return below, lt(0, (x.a**2 - 2) ** 2 * x.norm(x.w) ** 3)


def renumbered(x):
    s, q = x.sq(x.u), -thin(x, x.u)
    x.norm(x.u)
    t = x.sqrt(x.minimum(s, x.sqrt(q)))  # a root that was there, or a new one
    n, w = x.norm(x.v), x.norm(x.u + x.v)
    return le(0, t), le(0, q * (x.maximum(n, w) - x.minimum(w, n)))


def renamed(x):
    q = -thin(x, x.u)
    c = x.minimum(1, x.sqrt(q))
    x.f.grad(x.u)
    t = x.f.grad(x.u * c[..., None])  # at a point that was there, or at a new one
    return le(0, x.norm(t) ** 3), le(0, q * x.sq(x.f.grad(x.v)))


def float_of_integers(x):
    n, c = x.norm(x.u), 1 + sign(x, thin(x, x.u))
    return le(c * (x.minimum(1, n) / x.minimum(3, n)), c * x.ratio(6004799503160661, 18014398509481984))


def at_quotient(x):
    y = x.w / x.sq(x.u)[..., None]
    return le(x.dot(x.f.grad(x.w), y - x.w), x.f.value(y) - x.f.value(x.w)), lt(0, x.sq(x.u))


def unread_point(x):
    x.f.grad(x.w / x.sq(x.u)[..., None])
    return lt(0, x.sq(x.u))


def unread_root(x):
    s, a = x.sq(x.u), x.ratio(AT, 1000)
    q = (s - a) * (s - a - x.ratio(1, 10**7)) * (1 + x.sq(x.v))
    x.maximum(1, x.sqrt(q))
    return le(0, q * s)


HIDDEN = {  # false where a search hardly looks
    "many clients by the length of an array": (
        OWN, lambda x: le(x.sq(x.v) * (2 if len(x.sq(x.v)) > 40 else 1), x.sq(x.v))),
    "many clients by the length of vectors": (
        OWN, lambda x: le(x.norm(x.v) ** 3 * (2 if len(x.v) > 40 else 1), x.norm(x.v) ** 3)),
    "many clients by a size": (OWN, lambda x: le(x.norm(x.v) ** 3 * (2 if x.sq(x.v).size > 40 else 1), x.norm(x.v) ** 3)),
    "many clients by a list": (
        OWN, lambda x: le(x.norm(x.v) ** 3 * (2 if len(x.norm(x.v).tolist()) > 40 else 1), x.norm(x.v) ** 3)),
    "many clients by their number": (OWN, lambda x: le(x.maximum(x.m, 40) * x.norm(x.v), 40 * x.norm(x.v))),
    "many clients by a branch": (OWN, lambda x: le(x.norm(x.v) ** 3 * (1 if x.m != 40 else 2), x.norm(x.v) ** 3)),
    "many clients by a key": (OWN, lambda x: le(x.norm(x.v) ** 3 * {40: 2}.get(x.m, 1), x.norm(x.v) ** 3)),
    "many clients by a shape": (
        OWN, lambda x: le(x.norm(x.v) ** 3 * (2 if int(x.norm(x.v).shape[-1]) > 40 else 1), x.norm(x.v) ** 3)),
    "many clients by bytes": (
        OWN, lambda x: le(x.sq(x.v) * (2 if x.sq(x.v).nbytes > 400 else 1), x.sq(x.v))),
    "many clients by what they share": (
        Points(None, at=(), clients_at=("v",), a=positive()),
        lambda x: le(x.maximum(x.total(x.a) / x.a, 40) * x.norm(x.v), 40 * x.norm(x.v))),
    "many clients by their draws": (
        Points(None, at=(), clients_at=("v",), p=between(0, 1), participation="independent"),
        lambda x: le(x.maximum(x.E(lambda S: x.total(1, over=S)) / x.p, 40) * x.norm(x.v), 40 * x.norm(x.v))),
    "entries that are rolled": (
        Points(None, at=("w",), clients_at=("v",)),
        lambda x: le(0, x.norm(x.v) * x.dot(turned(x), x.xp.roll(turned(x), 1, axis=-2)))),
    "the other value of a minimum": (
        Points(None, at=("w",), clients_at=("v",)),
        lambda x: le(near(x, x.w) * x.mean(x.norm(x.v)), near(x, x.w) * x.norm(x.mean_vec(x.v)))),
    "at a point that another relation reads": (BESIDE, at_quotient),
    "at a point that nothing reads": (BESIDE, unread_point),
    "under a root that nothing reads": (TWO, unread_root),
    "divided by what a parameter can make 0": (
        Points(StronglyConvex("mu"), at=("w",), mu=positive(CURVATURE), a=at_least(0), sizes={"m": (1,)},
               given=(condition("|w| >= 1", lambda x: le(1, x.sq(x.w))),)), beyond_zero),
    "another root of the same number": (TWO, renumbered),
    "another gradient of the same number": (Together({"f": Convex(), "h": Convex()}, at=("u", "v", "w")), renamed),
    "a quotient of integers": (Points(None, at=("u",)), float_of_integers),
    "an entry of a vector in a condition": (
        Points(None, at=("w", "u"), given=(condition("w_1 = 0", lambda x: le(x.sq(x.w.take([0], axis=-1)), 0)),)),
        lambda x: le(x.norm(x.w) ** 3 * x.maximum(thin(x, x.u), 0), 0)),
    "an entry of a vector": (
        TWO, lambda x: le(x.maximum(thin(x, x.u), 0) * x.norm(x.u) * x.sq(x.v.take([0], axis=-1)), 0)),
    "few clients that are not allowed": (
        Points(None, at=(), clients_at=("v",), sizes={"m": (5,)}),
        lambda x: le(x.norm(x.total_vec(x.v)), x.norm(x.v) * 100 + 2 * x.mean(x.norm(x.v)))),
    "a root of another client": (
        Points(None, at=(), clients_at=("u", "v"), given=(ON_AVERAGE,)),
        lambda x: le(x.maximum(x.sqrt(x.dot(x.u, x.v)), 0), 0)),
}  # fmt: skip
NOWHERE = {
    "a root of what is below 0": (TWO, lambda x: le(x.sqrt(-1 - x.sq(x.u)), 0)),
    "a root in a maximum": (TWO, lambda x: le(x.maximum(1, x.sqrt(-1 - x.sq(x.u))), 0)),
    "beyond Cauchy and Schwarz": (TWO, lambda x: le(1 + x.sqrt(x.dot(x.u, x.v) ** 2 - x.sq(x.u) * x.sq(x.v) - 1), 0)),
    "a root of a number below 0": (OWN, lambda x: le(x.sqrt(-1) * x.norm(x.v), 0)),
    "of a parameter": (CLIPPED, lambda x: le(x.sqrt(-x.c) * x.norm(x.v), 0)),
    "beside a norm": (CLIPPED, lambda x: le(x.sqrt(-x.c) * x.norm(x.v) + x.norm(x.u), x.maximum(0, 1 - x.norm(x.u)))),
}


def made(name, world, body):
    return claim(f"norms/{name.replace(' ', '-').replace(',', '')}", world=world)(body)


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_proved(name):
    world, body, verdict, trust = TRUE[name]
    found = verify(made(name, world, body))
    assert (found.verdict, found.trust) == (verdict, trust), found.reason


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_by_a_little_has_no_proof(name):
    c = made(name, *FALSE[name])
    for engine in (inner_products, lift, certify):
        said = engine(c, Docket())
        assert said.outcome in ("declines", "silent") or (name == "from four clients on" and said.scope != "all"), (
            engine
        )
    assert verify(c).verdict == "refuted"


@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_false_where_few_look_has_no_proof(name):
    found = verify(made(name, *HIDDEN[name]))
    assert found.verdict != "proved", found.scope
    assert found.verdict != "certified" or name.startswith("many clients by")  # true of few


@pytest.mark.parametrize("name", NOWHERE)
def test_what_is_defined_nowhere_has_no_proof(name):
    assert verify(made(name, *NOWHERE[name])).verdict == "unknown"


def test_a_body_that_asks_more_of_numbers_is_declined():
    def body(x):
        if isinstance(x.c, Fraction):
            x.minimum(1, 2 * x.norm(x.u))
        return le(x.minimum(1, x.norm(x.u)) * x.norm(x.v), x.norm(x.u) * x.norm(x.v))

    said = inner_products(made("stop", CLIPPED, body), Docket())
    assert said.outcome == "declines" and "more of numbers than of symbols" in said.reason


def test_a_side_without_entries_is_refused():
    with pytest.raises(UsageError, match="without entries"):
        verify(made("none", TWO, lambda x: le(x.norm(x.u)[0:0], 0)))


def test_a_condition_on_norms_is_one_on_their_squares():
    within = condition("|u| <= 2 |v|", lambda x: le(x.norm(x.u), 2 * x.norm(x.v)))
    world = Points(None, at=("u", "v"), given=(within,))
    assert verify(made("squares", world, lambda x: le(x.sq(x.u), 4 * x.sq(x.v)))).verdict == "proved"
    assert verify(made("less", world, lambda x: le(x.sq(x.u), x.ratio(39, 10) * x.sq(x.v)))).verdict == "refuted"


def test_of_two_clients_it_is_said():
    found = verify(made("two", *TRUE["mean of norms"][:2]))
    assert found.scope == [{"parameters": "all", "sizes": "m=1"}, {"parameters": "all", "sizes": "m=2"}]


def test_a_false_claim_under_a_condition_on_norms_of_gradients_is_refuted():
    """Inexactness relative to a norm: roots in a condition stand where the counterexample is made simpler."""
    error = condition("|e| <= eps |grad f(w)|", lambda x: le(x.norm(x.e), x.eps * x.norm(x.f.grad(x.w))))
    world = Points(Smooth("L"), at=("w", "e"), L=positive(CURVATURE), eps=between(0, 1), given=(error,))

    def descent(x, share):
        g = x.f.grad(x.w)
        after = x.w - (g + x.e) / x.L
        return le(x.f.value(after) + share * (1 - x.eps**2) / (2 * x.L) * x.sq(g), x.f.value(x.w))

    assert verify(claim("norms/inexact", world=world)(lambda x: descent(x, 1))).verdict == "proved"
    false = claim("norms/inexact-false", world=world)(lambda x: descent(x, x.ratio(101, 100)))
    assert verify(false).verdict == "refuted"
