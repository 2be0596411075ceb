"""Remark 4.2: when f is strongly convex (Section 4.3)."""

from dataclasses import replace

from fedtheory import Control, claim, le
from fedtheory.theory.fedadmm.symbols import symbols
from fedtheory.units import CURVATURE
from problems import Points, Run, Scalars, StronglyConvex, at_least, between, positive

from .corollary4_1.statement import ATTAINED, F_ITSELF, STRONG
from .one_client import ONE, own

SUM = Points(
    StronglyConvex("mu"),
    at=("w", "v"),
    sizes={"m": (2,)},
    mu=at_least(0, CURVATURE, per_client=True),
    **symbols("alpha"),
)


@claim(
    "fedadmm/rem4.2-b",
    world=SUM,
    control=Control("quadratics of these curvatures attain it", share="11/10"),
    note="Where f_i is mu_i-strongly convex, mu_i >= 0, f is strongly convex with the sum of alpha_i mu_i, which is "
    "positive if one mu_i is. For m = 2; every m in row rem4.2-b@every-m.",
)
def rem4_2_b(x, share=1):
    d = x.w - x.v
    slope = x.total(x.alpha * x.dot(x.f.grad(x.w) - x.f.grad(x.v), d))
    return le(share * x.total(x.alpha * x.mu) * x.sq(d), slope)


def slope(x):
    """alpha_i <grad f_i(w) - grad f_i(v), w - v>."""
    return x.alpha * x.dot(x.f.grad(x.w) - x.f.grad(x.v), x.w - x.v)


def modulus(x):
    """alpha_i mu_i |w - v|^2."""
    return x.alpha * x.mu * x.sq(x.w - x.v)


@claim(
    "fedadmm/rem4.2-b@client",
    world=Points(StronglyConvex("mu"), at=("w", "v"), sizes=ONE, mu=at_least(0, CURVATURE), **own("alpha")),
    control=Control(ATTAINED, share="11/10"),
)
def rem4_2_b_client(x, share=1):
    return le(share * modulus(x), slope(x))


@claim(
    "fedadmm/rem4.2-b@every-m",
    world=Run(
        StronglyConvex("mu"), at=("w", "v"), fresh=("w", "v"), step={}, sizes={"m": (1, 2, 3), "d": (1, 2)},
        quantities={"along": lambda x: x.total(slope(x)), "moduli": lambda x: x.total(modulus(x))},
        mu=at_least(0, CURVATURE, per_client=True), alpha=replace(symbols("alpha")["alpha"], weight=False),
    ),
    by=(rem4_2_b_client,),
    control=Control(ATTAINED, share="11/10"),
    note="For every m and any two points w and v, each client with its own mu_i >= 0: the slope of f between them, and the sum of "
    "alpha_i mu_i times |w - v|^2.",
)  # fmt: skip
def rem4_2_b_every_m(x, t, share=1):
    return le(share * x.moduli[t], x.along[t])


@claim(
    "fedadmm/rem4.2-a",
    world=Scalars(mu=positive(CURVATURE), alpha=between(0, 1, closed=False), a=at_least(0), b=at_least(0)),
    control=Control("f is not mu-strongly convex with the weights", share=2),
    note="By an example in the plane: f_1 = mu a^2/2 and f_2 = mu b^2/2 at w = (a, b), with weights alpha, 1 - alpha. Neither is "
    "strongly convex, since f_1 does not change with b nor f_2 with a; f has the modulus mu min(alpha, 1 - alpha).",
)
def rem4_2_a(x, share=1):
    f = x.alpha * x.mu * x.a**2 / 2 + (1 - x.alpha) * x.mu * x.b**2 / 2
    return le(share * x.mu * x.minimum(x.alpha, 1 - x.alpha) / 2 * (x.a**2 + x.b**2), f)


@claim(
    "fedadmm/rem4.2-c",
    world=STRONG,
    control=Control(ATTAINED, half=2),
    note=f"f(w) is at least f* + mu/2 |w - w*|^2, which grows without bound. {F_ITSELF}",
)
def rem4_2_c(x, half=1):
    return le(x.f.value(x.w_star) + half * x.mu / 2 * x.sq(x.w - x.w_star), x.f.value(x.w))
