"""The Moreau envelope: Proposition 1 with (4), and what the text says of it (Section 3.4)."""

from fedtheory import Control, claim, le, lt
from fedtheory.theory.flame.conditions import LAM_2L
from fedtheory.theory.flame.symbols import symbols
from fedtheory.units import CURVATURE, LENGTH
from problems import Points, Scalars, Smooth, WeaklyConvex, condition, positive

WEAK = WeaklyConvex("weak")
PAIR = ("w", "v")
LAM_2WEAK = condition("lam > 2 weak", lambda x: lt(2 * x.weak, x.lam))
LAM_WEAK = condition("lam > weak", lambda x: lt(x.weak, x.lam))
CLASS = "f + weak/2 |.|^2 is convex, for any weak > 0, so that the convex functions are among them."
SQUARED = "F has a lam-Lipschitz gradient; both sides squared."
NEARLY_LAM = Control(
    "a function of curvature h has an envelope of curvature lam h/(lam + h), nearly lam", share="81/100"
)


def lipschitz(x, share=1):
    """|grad F(w) - grad F(v)|^2 <= lam^2 |w - v|^2."""
    return le(x.sq(x.F.grad(x.w) - x.F.grad(x.v)), share * x.lam**2 * x.sq(x.w - x.v))


@claim(
    "flame/prop1a",
    world=Points(WEAK, envelope="lam", at=PAIR, **symbols("lam", "weak")),
    control=NEARLY_LAM,
    repair="flame/prop1a~repaired",
    note=f"{SQUARED} {CLASS} No condition on lam is printed for these f. Where lam > weak, without which there is no envelope, "
    "curvature -weak becomes -lam weak/(lam - weak), larger than lam in size for lam < 2 weak.",
)
def prop1a(x, share=1):
    return lipschitz(x, share)


@claim(
    "flame/prop1a~repaired",
    world=Points(WEAK, envelope="lam", at=PAIR, given=(LAM_2WEAK,), **symbols("lam", "weak")),
    control=NEARLY_LAM,
    note=f"With lam > 2 weak, the condition that is printed for L-smooth f. {SQUARED} {CLASS}",
)
def prop1a_repaired(x, share=1):
    return lipschitz(x, share)


@claim(
    "flame/prop1b",
    world=Points(Smooth("L"), envelope="lam", at=PAIR, given=(LAM_2L,), **symbols("lam", "L")),
    control=NEARLY_LAM,
    note=SQUARED,
)
def prop1b(x, share=1):
    return lipschitz(x, share)


# a weakly convex f with lam < weak: its envelope is finite, and has a kink

KINK = {"a": positive(LENGTH), "gap": positive(CURVATURE), "C": positive(CURVATURE), **symbols("lam")}
BENT = (
    "An f on the line with weak = lam + gap, even, -weak/2 theta^2 for |theta| <= a and from there on, with the same slope, of "
    "curvature lam. For w >= 0 its proximal point is a + (gap a + lam w)/(2 lam); at w = 0 it is that or its negative. "
)


def at(x, theta):
    """f(theta) for theta >= a."""
    weak = x.lam + x.gap
    return -weak * x.a**2 / 2 - weak * x.a * (theta - x.a) + x.lam / 2 * (theta - x.a) ** 2


def nearest(x, w):
    """theta_hat(w) for w >= 0."""
    return x.a + (x.gap * x.a + x.lam * w) / (2 * x.lam)


def of_kink(x, w):
    """F(w) = F(-w) for w >= 0."""
    theta = nearest(x, w)
    return at(x, theta) + x.lam / 2 * (theta - w) ** 2


def left_by_gradient(x, v):
    """F(-v) less its expansion at 0 with the gradient lam (0 - theta_hat(0))."""
    return of_kink(x, v) - of_kink(x, 0 * v) - x.lam * nearest(x, 0 * v) * v


def small(x):
    """lam theta_hat(0)/(C + lam)."""
    return x.lam * nearest(x, 0 * x.a) / (x.C + x.lam)


@claim(
    "flame/eq4",
    world=Scalars(v=positive(LENGTH), **KINK),
    control=Control("nor with a million times C", times=10**6),
    repair="flame/eq4~repaired",
    uses=("flame/eq4@every-C",),
    note="By the definition of a derivative: the gradient leaves of F(-v) - F(0) at most C v^2. No condition on lam is printed for "
    f"weakly convex f. {BENT}Either has its gradient fail on one side, and no C serves, flame/eq4@every-C.",
)
def eq4(x, times=1):
    return le(-left_by_gradient(x, x.v), times * x.C * x.v**2)


@claim(
    "flame/eq4@every-C",
    world=Scalars(**KINK),
    control=Control("nor is it five times as much", times=5),
    note=f"For every C, at v = lam theta_hat(0)/(C + lam). {BENT}",
)
def eq4_every_C(x, times=1):
    v = small(x)
    return lt(times * x.C * v**2, -left_by_gradient(x, v))


@claim(
    "flame/eq4~repaired",
    world=Points(WEAK, envelope="lam", at=PAIR, given=(LAM_WEAK,), **symbols("lam", "weak")),
    control=Control("nine tenths of the gradient leave a linear remainder, which no square bounds", share="9/10"),
    note="With lam > weak. By the definition of a derivative, from the values of F alone: what the gradient leaves of F(v) - F(w) "
    f"is at most a multiple of |v - w|^2. {CLASS} With weak = L they are the L-smooth ones as well.",
)
def eq4_repaired(x, share=1):
    gradient = share * x.lam * (x.w - x.f.prox(x.w, x.lam))
    rest = x.F.value(x.v) - x.F.value(x.w) - x.dot(gradient, x.v - x.w)
    bound = (x.lam + x.lam * x.weak / (x.lam - x.weak)) / 2 * x.sq(x.v - x.w)
    return le(rest, bound, "from above"), le(-rest, bound, "from below")


@claim(
    "flame/rem-moreau-smooth",
    world=Scalars(v=positive(LENGTH), **KINK),
    control=Control("nor with a million times C", times=10**6),
    repair="flame/rem-moreau-smooth~repaired",
    uses=("flame/rem-moreau-smooth@every-C",),
    note="A smooth F has F(v) + F(-v) - 2 F(0) at least -2 C v^2 for some C. "
    f"{BENT}No C serves, flame/rem-moreau-smooth@every-C.",
)
def rem_moreau_smooth(x, times=1):
    return le(-2 * times * x.C * x.v**2, 2 * of_kink(x, x.v) - 2 * of_kink(x, 0 * x.v))


@claim(
    "flame/rem-moreau-smooth@every-C",
    world=Scalars(**KINK),
    control=Control("nor is it five times as much", times=5),
    note=f"For every C, at v = lam theta_hat(0)/(C + lam). {BENT}",
)
def rem_moreau_smooth_every_C(x, times=1):
    v = small(x)
    return lt(2 * of_kink(x, v) - 2 * of_kink(x, 0 * v), -2 * times * x.C * v**2)


@claim(
    "flame/rem-moreau-smooth~repaired",
    world=Points(WEAK, envelope="lam", at=PAIR, given=(LAM_2WEAK,), **symbols("lam", "weak")),
    control=Control("a function of curvature h has an envelope of curvature lam h/(lam + h), nearly lam", share="9/10"),
    uses=("flame/prop1a~repaired", "flame/eq4~repaired"),
    note="With lam > 2 weak, as in Proposition 1: it lies within lam/2 |v - w|^2 of its tangents, below f, and above f - "
    f"|grad f|^2/(2 (lam - weak)). {CLASS}",
)
def rem_moreau_smooth_repaired(x, share=1):
    F, f = x.F.value(x.w), x.f.value(x.w)
    tangent = F + x.dot(x.F.grad(x.w), x.v - x.w)
    bend = share * x.lam / 2 * x.sq(x.v - x.w)
    return (
        le(x.F.value(x.v), tangent + bend, "smooth, from above"),
        le(tangent - bend, x.F.value(x.v), "smooth, from below"),
        le(F, f, "below f"),
        le(f - x.sq(x.f.grad(x.w)) / (2 * (x.lam - x.weak)), F, "near f"),
    )


def envelope(x, lam):
    """F(w) of (2) with this lambda. Unit E."""
    best = x.f.prox(x.w, lam)
    return x.f.value(best) + lam / 2 * x.sq(x.w - best)


TWO_LAMBDAS = Points(
    WEAK,
    given=(condition("lam - less > weak", lambda x: lt(x.weak, x.lam - x.less)),),
    **symbols("lam", "weak"),
    less=positive(CURVATURE),
)


@claim(
    "flame/rem-moreau-limit",
    world=TWO_LAMBDAS,
    control=Control("a linear f has F = f - |grad f|^2/(2 lam) for every lam", lambda x: le(
        x.f.value(x.w) - envelope(x, x.lam), x.ratio(1, 2) * (x.f.value(x.w) - envelope(x, x.lam))
    )),
    repair="flame/rem-moreau-limit~repaired",
    note=f"Read as: the smaller lambda of two has the envelope nearer to f, at every w. {CLASS} The opposite holds: with (2) the "
    "envelope rises with lambda, up to f; for lambda near 0 it is near inf f.",
)  # fmt: skip
def rem_moreau_limit(x):
    f = x.f.value(x.w)
    return le(f - envelope(x, x.lam - x.less), f - envelope(x, x.lam))


@claim(
    "flame/rem-moreau-limit~repaired",
    world=TWO_LAMBDAS,
    control=Control("a linear f has f - F = |grad f|^2/(2 lam)", share="9/10"),
    note="As lambda becomes larger: the larger lambda has the envelope nearer to f, which is at most |grad f|^2/(2 (lam - weak)) "
    f"above it. {CLASS}",
)
def rem_moreau_limit_repaired(x, share=1):
    f = x.f.value(x.w)
    near = x.sq(x.f.grad(x.w)) / (2 * (x.lam - x.weak))
    return (
        le(f - envelope(x, x.lam), f - envelope(x, x.lam - x.less), "nearer"),
        le(f - envelope(x, x.lam), share * near, "as near as one likes"),
    )
