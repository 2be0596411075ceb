"""Lemma 1: how far local steps go, (15) to (26)."""

from dataclasses import replace

from fedtheory import Control, claim, eq, le, lt
from fedtheory.theory.dadpfl.conditions import NEIGHBOURS
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from problems import Points, Scalars, Sequences, Smooth, SmoothConvex, at_least, condition, positive, real

from .worlds import (
    LOCAL,
    NOISE,
    OF_LEMMA,
    SPREAD,
    STEPS,
    UNBIASED,
    VARIANCE,
    WHOLE,
    biased,
    growth,
    moved,
    noise,
    own_spread,
    room,
    slope,
)

ONE = {"m": (1,)}
AT = ("w", "w0", "g", "e")


@claim(
    "dadpfl/eq16",
    world=Sequences(
        "E_l",
        eta=positive(STEP),
        sequences={"w": real(LENGTH), "g": real(GRADIENT)},
        mask=at_least(0),
        given=(condition("the mask is 0 or 1", lambda x: eq(x.mask**2, x.mask)),),
        example={"E_l": 1, "eta": 1, "mask": 1, "w": (1, 0), "g": (1, 0)},
        every=(
            condition(
                "w_{tau+1} = w_tau - eta g m", lambda x, t: eq(x.w[t + 1], x.w[t] - x.eta * x.g[t] * x.mask), "(15)"
            ),
        ),
    ),
    step=True,
    control=Control("twice the movement", share=2),
    note="Weight by weight, for every E_l: w_0 - w_{E_l} is the left side by (15), and to mask it once more changes nothing.",
)
def eq16(x, share=1):
    left = x.eta * x.sum(lambda t: x.g[t] * x.mask, x.E_l)
    return eq(left, share * (x.w[0] - x.w[x.E_l]) * x.mask)


@claim(
    "dadpfl/eq18",
    world=Points(Smooth("L"), at=AT, sizes=ONE, L=positive(CURVATURE), eta=positive(STEP)),
    control=Control("without the gradient at w_tau", share=0),
    step=True,
    note="g + e is the masked estimate; what is added is taken away again. For any vectors.",
)
def eq18(x, share=1):
    G, F, f = x.f.grad(x.w), x.f.grad(x.w0), x.L * x.g
    inside = (G + noise(x) - G) + (share * G - f) + (f - F) + F
    return eq(x.sq(biased(x) - x.w0), x.sq(x.w - x.w0 - x.eta * inside))


def a_part(x):
    """a: the local movement with the error of the gradient alone."""
    return x.sq(x.w - x.eta * noise(x) - x.w0)


def b_part(x):
    """b: eta^2 |grad f_k(w)|^2, as its five gradients sum up."""
    return x.eta**2 * x.sq(x.f.grad(x.w))


ANY = Points(
    SmoothConvex("L"), at=("w0",), sizes={"m": (1,), "E_l": (1, 2, 3, 4), "M": (2, 3)}, given=OF_LEMMA, **WHOLE,
)  # fmt: skip


@claim(
    "dadpfl/eq19@every-step",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=ANY,
    repair="dadpfl/eq19~repaired",
    step=True,
    note="On the left the model after all E_l steps, on the right a and b of any step tau, here the first, where a = 0 "
    "without errors. True of the last step, tau = E_l - 1, and of step tau + 1 on the left: dadpfl/eq19~repaired. Convex "
    "clients.",
)
def eq19(x, share=1):
    w = x.w0
    for _ in range(x.E_l):
        w = w - x.eta * x.f.grad(w)
    b = x.eta**2 * x.sq(x.f.grad(x.w0))
    return le(share * (x.sq(w - x.w0)), 2 * x.M * b)


@claim(
    "dadpfl/eq19~repaired",
    world=Points(Smooth("L"), at=AT, sizes=ONE, given=OF_LEMMA, **STEPS),
    control=Control("both are needed where w - w0 is -eta grad f_k (2M - 1)", share="1/2"),
    step=True,
    note="With the model after step tau + 1 on the left, which is the printed one for tau = E_l - 1. Errors of any kind, "
    "any point w.",
)
def eq19_repaired(x, share=1):
    return le(x.sq(biased(x) - x.w0), share * ((1 + 1 / (2 * x.M - 1)) * a_part(x) + 2 * x.M * b_part(x)))


NOISY = Points(None, at=("w", "w0", "e"), L=positive(CURVATURE), eta=positive(STEP), given=(VARIANCE,), **NOISE)


@claim(
    "dadpfl/eq20-a@any-errors",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Points(None, at=("w", "w0", "e"), L=positive(CURVATURE), eta=positive(STEP)),
    repair="dadpfl/eq20-a~repaired",
    step=True,
    note="(8) bounds the mean square of the error and not its mean, and the triangle inequality gives no sum of squares: an "
    "error that points away from w - w0 every time. Dense masks, linear clients among others.",
)
def eq20_a(x, share=1):
    return le(share * (a_part(x)), x.sq(x.w - x.w0) + x.eta**2 * x.sq(noise(x)))


@claim(
    "dadpfl/eq20-a~repaired",
    world=Points(None, at=("w", "w0", "e"), L=positive(CURVATURE), eta=positive(STEP)),
    control=Control("the error counts", share=0),
    step=True,
    note=f"An equality. {UNBIASED}",
)
def eq20_a_repaired(x, share=1):
    one, other = (x.sq(x.w - x.w0 - sign * x.eta * noise(x)) for sign in (1, -1))
    return eq((one + other) / 2, x.sq(x.w - x.w0) + share * x.eta**2 * x.sq(noise(x)))


@claim(
    "dadpfl/eq20-b",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=NOISY,
    repair="dadpfl/eq20-b~repaired",
    step=True,
    note="sigma_l^2 is a bound, with which exact gradients have no equality.",
)
def eq20_b(x, share=1):
    return eq(share * (x.sq(x.w - x.w0) + x.eta**2 * x.sq(noise(x))), x.sq(x.w - x.w0) + x.eta**2 * x.sigma_l_sq)


@claim("dadpfl/eq20-b~repaired", world=NOISY, step=True, control=Control("half of the variance", share="1/2"),
       note="With <=, for masks of ones, with which the left error is that of (8).")  # fmt: skip
def eq20_b_repaired(x, share=1):
    return le(x.sq(x.w - x.w0) + x.eta**2 * x.sq(noise(x)), x.sq(x.w - x.w0) + share * x.eta**2 * x.sigma_l_sq)


@claim(
    "dadpfl/eq20-b@masked",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Scalars(sizes={"mask": (0, 1)}, slope=real(GRADIENT), **NOISE),
    step=True,
    note="With <= and a mask, exact gradients and one weight: the mask takes the gradient of a pruned weight away, and what is "
    "missing is the whole of it, whatever sigma_l is.",
)
def eq20_b_masked(x, share=1):
    return le(share * ((x.slope * x.mask - x.slope) ** 2), x.sigma_l_sq)


def three(x):
    """The three gradients of (21)."""
    return x.sq(x.f.grad(x.w) - x.f.grad(x.w0)), slope(x), own_spread(x)


@claim(
    "dadpfl/eq21-a",
    world=Points(Smooth("L"), at=("w", "w0", "g"), sizes=ONE, L=positive(CURVATURE), eta=positive(STEP)),
    control=Control("three equal ones attain it", share="2/3"),
    step=True,
)
def eq21_a(x, share=1):
    return le(b_part(x), share * 3 * x.eta**2 * sum(three(x)))


MODELS = {"u": real(LENGTH), "v": real(LENGTH)}  # of the client, and the global one
SAME = Points(SmoothConvex("L"), at=("u", "v"), sizes={"m": (1, 2, 3)}, L=positive(CURVATURE))


def to_global(x):
    """|grad f_k(u) - grad f(v)|^2 and |grad f(u) - grad f(v)|^2: u is the client's model, v the global one."""
    own, at_u, at_v = x.f.grad(x.u), x.mean_vec(x.f.grad(x.u)), x.mean_vec(x.f.grad(x.v))
    return x.sq(own - at_v), x.sq(at_u - at_v), x.sq(own - at_u)


def falling(x, w):
    """A derivative between -2c and 0: L (w - h) where it is between."""
    return -x.maximum(0, x.minimum(2 * x.c, x.L * (x.h - w)))


@claim(
    "dadpfl/eq21-b",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Scalars(sizes={"K": (3, 4, 10)}, L=positive(CURVATURE), c=positive(GRADIENT), h=real(LENGTH), **MODELS),
    repair="dadpfl/eq21-b~repaired",
    step=True,
    note="What differs: |p - q|^2 <= |p|^2 + |q|^2 for p = grad f_k(u) - grad f(v), q = grad f(u) - grad f(v), at the "
    "model u of client k and the global model v, which is wrong where p = -q. Client k is 0 everywhere, and the K - 1 "
    "others are alike with a derivative that is L (w - h) between -2c and 0 and constant beyond: convex, bounded below, "
    "L-smooth; (9) holds with sigma_g^2 = 4 c^2 (K - 1)/K^2, masks of ones.",
)
def eq21_b(x, share=1):
    part = x.ratio(int(x.K) - 1, int(x.K))
    at_u, at_v = part * falling(x, x.u), part * falling(x, x.v)
    return le(share * at_u**2, at_v**2 + (at_u - at_v) ** 2)


@claim(
    "dadpfl/eq21-b~repaired",
    world=replace(SAME, f=Smooth("L")),
    control=Control("p = -q attains it", share="1/2"),
    step=True,
)
def eq21_b_repaired(x, share=1):
    p, q, both = to_global(x)
    return le(both, share * 2 * (p + q))


@claim(
    "dadpfl/eq21-c",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Scalars(L=positive(CURVATURE), **MODELS),
    repair="dadpfl/eq21-c~repaired",
    step=True,
    note="tau = 0, where the local steps begin and the first gradients of both sides are 0: what is left are the last "
    "two gradients of the bound against sigma_g^2. (9) compares gradients at one point, and these are at two: K clients "
    "that are alike, f_k(w) = L w^2/2, have sigma_g = 0, for any K > M, and both are L (u - v), where the model u of "
    "client k is not the global one v.",
)
def eq21_c(x, share=1):
    p = q = x.L * (x.u - x.v)
    return le(share * (p**2 + q**2), 0)


@claim(
    "dadpfl/eq21-c~repaired",
    world=Points(
        Smooth("L"), at=("w", "w0", "g"), sizes=ONE, L=positive(CURVATURE), **SPREAD,
        given=(condition("|grad f_k - grad f|^2 <= sigma_g^2 at w0", lambda x: le(own_spread(x), x.sigma_g_sq)),),
    ),
    control=Control("half of the first", share="1/2"),
    step=True,
    note="The first line of (21) at one model w0, where (9) speaks of it; sigma_g^2 bounds the spread of this client.",
)  # fmt: skip
def eq21_c_repaired(x, share=1):
    return le(sum(three(x)), share * x.L**2 * moved(x) + slope(x) + x.sigma_g_sq)


# the recursion of one step

STILL = Scalars(c=positive(GRADIENT), sizes={"M": (2, 3), "tau": (0, 1, 2)}, given=OF_LEMMA, **WHOLE)
BIAS = (
    "The error may point the same way in every step: (8) does not say that it vanishes in the mean, and a of (20) does "
    "not hold without that. K > M clients that are 0 everywhere, with one first model, masks of ones and an estimate of "
    "the gradient that is c every time: sigma_l^2 = c^2, the other sigma are 0."
)


def gone(x, steps):
    """The squared way of so many steps along c."""
    return (steps * x.eta * x.c) ** 2


def of_errors(x):
    """B + C, where the variance is c^2 and clients have no gradients."""
    return (1 + 1 / (2 * x.M - 1)) * x.eta**2 * x.c**2


def factor(x):
    """The coefficient before the step size limit is used."""
    return 1 + 1 / (2 * x.M - 1) + 6 * x.M * x.eta**2 * x.L**2


@claim(
    "dadpfl/eq22-a@any-errors", control=Control("twice the left side, which is too large or wrong already", share=2),
    world=STILL, repair="dadpfl/eq22-a~repaired", step=True, note=BIAS,
)  # fmt: skip
def eq22_a(x, share=1):
    return le(share * gone(x, x.tau + 1), factor(x) * gone(x, x.tau) + of_errors(x))


@claim(
    "dadpfl/eq22-a@each-client",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Scalars(sizes={"K": (3, 13, 14, 20), "M": (2,)}, c=positive(GRADIENT), given=OF_LEMMA, **WHOLE),
    step=True,
    note="Exact gradients. (9) bounds the mean over the clients and (22) is about each: linear clients with the slopes "
    "(K - 1) c and -c for all others have grad f = 0 and sigma_g^2 = (K - 1) c^2, and the first goes (K - 1)^2 eta^2 "
    "c^2 in its first step. For K - 1 > 6 M, here M = 2, that is too far. Flat far away they are convex and bounded below.",
)
def eq22_a_each(x, share=1):
    K = x.K
    return le(share * ((x.eta * (K - 1) * x.c) ** 2), 6 * x.M * x.eta**2 * (K - 1) * x.c**2)


@claim(
    "dadpfl/eq22-a~repaired-movement", world=LOCAL.one_step, step=True, control=Control("half of the movement", share="1/2"),
    note=f"(19) and (20) of one step. {UNBIASED}",
)  # fmt: skip
def movement(x, share=1):
    first = (1 + 1 / (2 * x.M - 1)) * (x.D + x.eta**2 * x.noise)
    return le(x.next.D, share * (first + 2 * x.M * x.eta**2 * x.steep))


@claim("dadpfl/eq22-a~repaired-gradient", world=LOCAL.one_step, step=True, control=Control("three equal ones", share="1/2"),
       note="(21) at the first model of the local steps, of one client.")  # fmt: skip
def gradient(x, share=1):
    return le(x.steep, share * 3 * (x.L**2 * x.D + x.spread + x.rise))


@claim(
    "dadpfl/eq22-a~repaired",
    world=LOCAL,
    by=(movement, gradient),
    control=Control("linear clients go as far", share="1/10"),
    step=True,
    note=f"{UNBIASED} One client with the spread of its own. Masks: dadpfl/eq22-a@masked.",
)
def eq22_a_repaired(x, t, share=1):
    return le(x.D[t + 1], factor(x) * x.D[t] + share * room(x, x.spread, x.rise))


@claim(
    "dadpfl/eq22-a@masked",
    world=Points(
        Smooth("L"), at=("w", "w0", "g", "e", "p"), sizes=ONE, **STEPS,
        given=(*OF_LEMMA, condition("a mask makes no vector longer", lambda x: le(x.sq(x.L * x.p), x.sq(x.f.grad(x.w))))),
    ),
    control=Control("linear clients go as far", share="1/10"),
    step=True,
    note=f"With a mask, that of the client in all its steps: L p is the masked gradient and L e the masked error. {UNBIASED}",
)  # fmt: skip
def eq22_a_masked(x, share=1):
    one, other = (x.sq(x.w - x.eta * (x.L * x.p + sign * noise(x)) - x.w0) for sign in (1, -1))
    bound = (1 + 1 / (2 * x.M - 1)) * x.eta**2 * x.sq(noise(x)) + 6 * x.M * x.eta**2 * (own_spread(x) + slope(x))
    return le((one + other) / 2, factor(x) * moved(x) + share * bound)


REAL = {"D": at_least(0, LENGTH**2), "rise": at_least(0, GRADIENT**2)}
COEFFICIENTS = Scalars(given=OF_LEMMA, **STEPS, **NOISE, **SPREAD, **REAL)


@claim("dadpfl/eq22-b", world=COEFFICIENTS, step=True, control=Control("with half of the growth", share=2),
       note="For every M > 1, whole or not; at the limit of eta both sides are equal.")  # fmt: skip
def eq22_b(x, share=1):
    rest = room(x, x.sigma_g_sq, x.rise)
    return le(factor(x) * x.D + rest, (1 + 1 / (share * (2 * x.M - 2))) * x.D + rest)


@claim(
    "dadpfl/cond-lemma1-stepsize@needed",
    world=Scalars(
        **STEPS,
        given=(
            NEIGHBOURS,
            condition("the recursion grows by A at most", lambda x: le(factor(x), growth(x))),
        ),
    ),
    control=Control("of half of the limit", share=2),
    note="The other direction: the coefficient of (22) is at most A = 1 + 1/(2M - 2) only where eta^2 <= 1/(12 M mu^2 "
    "(M - 1)(2M - 1)). The condition is the exact one for the recursion; Theorem 3 asks M times less, "
    "dadpfl/cond-thm3-lemmas.",
)
def step_needed(x, share=1):
    return le(share * 12 * x.M * x.L**2 * x.eta**2 * (x.M - 1) * (2 * x.M - 1), 1)


@claim(
    "dadpfl/eq23@any-errors",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=STILL,
    repair="dadpfl/eq23~repaired",
    step=True,
    note=BIAS,
)
def eq23(x, share=1):
    return le(share * gone(x, x.tau + 1), growth(x) * gone(x, x.tau) + of_errors(x))


@claim("dadpfl/eq23~repaired", world=LOCAL, by=(eq22_a_repaired,), step=True, control=Control("a tenth", share="1/10"),
       note=f"{UNBIASED} One client with the spread of its own.")  # fmt: skip
def eq23_repaired(x, t, share=1):
    return le(x.D[t + 1], growth(x) * x.D[t] + share * room(x, x.spread, x.rise))


# the sum of the recursion

GROWS = condition("A > 1", lambda x: lt(1, x.A))
RECURSION = Sequences(
    "tau",
    sequences={"D": at_least(0)},
    A=at_least(1),
    B=at_least(0),
    C=at_least(0),
    given=(GROWS,),
    every=(condition("D_{tau+1} <= A D_tau + B + C", lambda x, t: le(x.D[t + 1], x.A * x.D[t] + x.B + x.C), "(23)"),),
)
START = condition("the local steps begin at the aggregated model", lambda x: eq(x.D[0], 0))


@claim(
    "dadpfl/eq24", world=RECURSION, step=True, control=Control("without B", share=0), note="For every E_l, here tau."
)
def eq24(x, share=1):
    powers = x.sum(lambda j: x.A**j, x.tau)
    return le(x.D[x.tau], x.A**x.tau * x.D[0] + share * x.B * powers + x.C * powers)


@claim("dadpfl/eq25", world=Sequences("tau", A=at_least(1), given=(GROWS,)), step=True,
       control=Control("half of it", share="1/2"))  # fmt: skip
def eq25(x, share=1):
    return eq(x.sum(lambda j: x.A**j, x.tau), share * (1 - x.A**x.tau) / (1 - x.A))


@claim(
    "dadpfl/eq26",
    world=replace(RECURSION, given=(*RECURSION.given, START)),
    step=True,
    control=Control("half", share="1/2"),
)
def eq26(x, share=1):
    return le(x.D[x.tau], share * (x.B + x.C) * (x.A**x.tau - 1) / (x.A - 1))
