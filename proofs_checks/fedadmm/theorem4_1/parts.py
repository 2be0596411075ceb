"""One client of a run that never ends: what bounds its vectors, and how far its values are from each other (Section 7.4)."""

from dataclasses import replace

from fedtheory import Control, claim, le, lt
from fedtheory.theory.fedadmm.conditions import PENALTY
from fedtheory.theory.fedadmm.constants import eps_weight
from fedtheory.units import VALUE
from problems import Points, Scalars, Smooth, at_least, condition, positive, real

from ..controls import EQUAL_PARTS
from ..iterations import gradient, one_client
from ..lemma4_1.every_m import size
from ..one_client import ONE, own

OWN = own("r", "sigma", "alpha")
AT_O = Points(Smooth("r"), at=("w", "o"), clients_at=("W",), sizes=ONE, given=(PENALTY,), **OWN)


@claim(
    "fedadmm/thm4.1a@far",
    world=replace(AT_O, f=None, given=(), scalars=own("sigma")),
    control=EQUAL_PARTS[1],
    step=True,
)
def far_within(x, share=1):
    parts = x.sigma * x.sq(x.W - x.w) + x.sigma * x.sq(x.w - x.o)
    return le(x.sigma * x.sq(x.W - x.o), share * 2 * parts), le(0, x.sigma * x.sq(x.W - x.o))


@claim(
    "fedadmm/thm4.1a@steep", world=replace(AT_O, at=("o",)), step=True,
    control=Control("a quadratic of curvature r_i with 5 alpha_i r_i/2 near sigma_i", share="1/10"),
)  # fmt: skip
def steep_within(x, share=1):
    slope_o = x.sq(gradient(x, x.o)) / x.sigma
    slope = x.sq(gradient(x, x.W)) / x.sigma
    return le(slope, share * (2 * x.sigma * x.sq(x.W - x.o) + 2 * slope_o)), le(0, slope)


@claim(
    "fedadmm/thm4.1a@duals",
    world=one_client(at=(), clients_at=("W", "p", "q")),
    control=Control("where phi_i is 0 it is half of it", share="1/4"),
    step=True,
)
def duals_within(x, share=1):
    g = gradient(x, x.W)
    whole = x.sq(x.sigma * x.p - g) / x.sigma
    return le(whole, share * (2 * eps_weight(x) * size(x, x.p, x.q) + 2 * x.sq(g) / x.sigma)), le(0, whole)


RISES = Scalars(
    N=at_least(0, VALUE), radius=at_least(0, VALUE), rise=real(VALUE), value=real(VALUE), most=real(VALUE),
    given=(
        condition(
            "(level - f*) (|w - o|^2 - radius) <= (f(w) - f*) |w - o|^2", lambda x: le(x.rise * (x.N - x.radius), x.value * x.N),
        ),
        condition("f* <= f(w)", lambda x: le(0, x.value)),
        condition("f(w) <= L_tilde^0", lambda x: le(x.value, x.most)),
        condition("L_tilde^0 < level", lambda x: lt(x.most, x.rise)),
    ),
)  # fmt: skip


@claim(
    "fedadmm/thm4.1a@radius", world=RISES, step=True, control=Control("f is constant, and the level any", share="9/10"),
    note="N is sigma |w - o|^2; the values are those above f*.",
)  # fmt: skip
def radius_within(x, share=1):
    bound = x.rise * x.radius / (x.rise - x.most)
    return le(x.N, share * bound), le(-bound, x.N)


@claim(
    "fedadmm/thm4.1b@young",
    world=Points(None, at=(), clients_at=("a", "b"), sizes=ONE, **own("sigma"), s=positive()),
    control=EQUAL_PARTS[1],
    step=True,
)
def young_within(x, share=1):
    both = share * (x.s * x.sq(x.b) / x.sigma + x.sigma * x.sq(x.a) / x.s) / 2
    return le(x.dot(x.a, x.b), both), le(-x.dot(x.a, x.b), both)


@claim(
    "fedadmm/thm4.1b@rise", world=replace(AT_O, at=("w",)), step=True,
    control=Control("a quadratic of curvature r_i with 5 alpha_i r_i/2 near sigma_i", share="1/10"),
)  # fmt: skip
def rise_within(x, share=1):
    rise = x.alpha * (x.f.value(x.W) - x.f.value(x.w)) - x.dot(x.W - x.w, gradient(x, x.W))
    room = share * x.sigma / 2 * x.sq(x.W - x.w)
    return le(rise, room), le(-rise, room)
