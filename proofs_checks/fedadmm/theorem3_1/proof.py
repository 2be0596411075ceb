"""Steps of the proof of Theorem 3.1 (Section 7.1)."""

from fedtheory import Control, claim, eq, le, use
from fedtheory.theory.fedadmm.conditions import INNER
from fedtheory.theory.fedadmm.constants import inner_size
from fedtheory.units import LENGTH
from problems import Run, Scalars, at_least, condition, positive

from ..controls import MINUS
from ..one_client import ONE, own
from ..section7 import eq7_3_b
from .inner import (
    CLASS,
    FIRST,
    GIVEN,
    NAMES,
    SETTING,
    at_start,
    distance_sq,
    following,
    inner,
    inner_world,
    residual_sq,
)

ANYWHERE = inner_world("v")
WHOLE = "both sides are one number, which is not twice itself"


@claim(
    "fedadmm/thm3.1-proof-s1",
    world=ANYWHERE,
    control=Control("without the step's own term the sum is not 0", last=0),
    step=True,
    note=SETTING,
)
def s1(x, last=1):
    c = inner(x)
    after = following(x, c, x.v)
    own_step = last * x.alpha * x.r * (after - x.v)
    return eq(x.sq(x.alpha * x.f.grad(x.v) + c.Pi + x.sigma * (after - c.w) + own_step), 0)


def pulled(x, c, v, after):
    """-sigma_i (v^{l+1} - v*) - alpha_i r_i (v^{l+1} - v^l)."""
    return -x.sigma * (after - c.star) - x.alpha * x.r * (after - v)


@claim(
    "fedadmm/thm3.1-proof-s2",
    world=ANYWHERE,
    control=Control(WHOLE, times=2),
    uses=("fedadmm/thm3.1-proof-s1", "fedadmm/eq3.11"),
    step=True,
    note=SETTING,
)
def s2(x, times=1):
    c = inner(x)
    right = x.alpha * x.f.grad(x.v) - c.g_star
    return eq(x.sq(pulled(x, c, x.v, following(x, c, x.v)) - times * right), 0)


@claim("fedadmm/thm3.1-proof-s3", world=ANYWHERE, control=Control(WHOLE, times=2), step=True, note=SETTING)
def s3(x, times=1):
    c = inner(x)
    g, g_after = x.alpha * x.f.grad(x.v), x.alpha * x.f.grad(following(x, c, x.v))
    return eq(x.sq(times * (g - c.g_star) - (g - g_after + g_after - c.g_star)), 0)


def slope(x, c, after):
    """<v^{l+1} - v*, alpha_i (grad f_i(v^{l+1}) - grad f_i(v*))>."""
    return x.dot(after - c.star, x.alpha * x.f.grad(after) - c.g_star)


@claim(
    "fedadmm/thm3.1-proof-s4",
    world=ANYWHERE,
    control=Control("the concave quadratic of curvature -s_i attains it", share="9/10"),
    uses=("fedadmm/eq7.2-b",),
    step=True,
    note=SETTING,
)
def s4(x, share=1):
    c = inner(x)
    after = following(x, c, x.v)
    return le(-share * x.alpha * x.s * distance_sq(x, c, after), slope(x, c, after))


def taken_apart(x, c, v, after):
    """Second line of the third display."""
    turn = x.alpha * (x.f.grad(after) - x.f.grad(v))
    return x.dot(after - c.star, pulled(x, c, v, after)) + x.dot(after - c.star, turn)


@claim(
    "fedadmm/thm3.1-proof-s5",
    world=ANYWHERE,
    control=Control(WHOLE, times=2),
    uses=("fedadmm/thm3.1-proof-s2", "fedadmm/thm3.1-proof-s3"),
    step=True,
    note=SETTING,
)
def s5(x, times=1):
    c = inner(x)
    after = following(x, c, x.v)
    gap, turn = after - c.star, x.alpha * (x.f.grad(after) - x.f.grad(x.v))
    return eq(times * slope(x, c, after) - x.dot(gap, turn), x.dot(gap, pulled(x, c, x.v, after)))


def bounded(x, c, v, after):
    """Third line of the third display."""
    ar = x.alpha * x.r
    mixed = ar * x.dot(after - c.star, c.star - v)
    return -(x.sigma + ar) * distance_sq(x, c, after) - mixed + ar / 2 * (distance_sq(x, c, after) + x.sq(after - v))


@claim(
    "fedadmm/thm3.1-proof-s6",
    world=inner_world("v", "after"),
    control=Control("without the last bracket a gradient that turns by r_i is not bounded", keep=0),
    uses=("fedadmm/eq7.3-a",),
    step=True,
    note=f"For any v_i^{{l+1}}. {SETTING}",
)
def s6(x, keep=1):
    c = inner(x)
    bracket = x.alpha * x.r / 2 * (distance_sq(x, c, x.after) + x.sq(x.after - x.v))
    return le(taken_apart(x, c, x.v, x.after), bounded(x, c, x.v, x.after) - (1 - keep) * bracket)


def collected(x, c, v, after, sign):
    """-sigma_i |v^{l+1} - v*|^2 + sign alpha_i r_i/2 |v^l - v*|^2, the fourth line with sign -1."""
    return -x.sigma * distance_sq(x, c, after) + sign * x.alpha * x.r / 2 * distance_sq(x, c, v)


@claim(
    "fedadmm/thm3.1-proof-s7",
    world=FIRST,
    control=Control(WHOLE, sign=0),
    repair="fedadmm/thm3.1-proof-s7~repaired",
    step=True,
    note="At the first inner step of k = 0, from v_i^0 = w^{tau_1}: one strongly convex client, m = 1, alpha_1 = 1. The left side "
    "is larger by alpha_i r_i |v_i^l - v_i^*|^2.",
)
def s7(x, sign=-1):
    y, c = at_start(x)
    after = following(y, c, c.w)
    return eq(bounded(y, c, c.w, after), collected(y, c, c.w, after, sign))


@claim(
    "fedadmm/thm3.1-proof-s7~repaired",
    world=ANYWHERE,
    control=MINUS,
    step=True,
    note=f"With + in front of alpha_i r_i/2 |v_i^l - v_i^*|^2. {SETTING}",
)
def s7_repaired(x, sign=1):
    c = inner(x)
    after = following(x, c, x.v)
    return eq(bounded(x, c, x.v, after), collected(x, c, x.v, after, sign))


def under_condition(x, c, v, after, sign, share=1):
    """The last line of the third display."""
    least = share * (x.alpha * x.s + x.rho * x.alpha * x.r / 2)
    return -least * distance_sq(x, c, after) + sign * x.alpha * x.r / 2 * distance_sq(x, c, v)


@claim(
    "fedadmm/thm3.1-proof-s8",
    world=ANYWHERE,
    control=Control("sigma_i may be as small as the condition allows", share="11/10"),
    step=True,
    note=f"As printed; with + in front of the last term on both sides it is the same statement. {SETTING}",
)
def s8(x, share=1):
    c = inner(x)
    after = following(x, c, x.v)
    return le(collected(x, c, x.v, after, -1), under_condition(x, c, x.v, after, -1, share))


@claim(
    "fedadmm/thm3.1-proof-s9",
    world=ANYWHERE,
    control=Control("for s_i = r_i and rho = 4 the distance is halved exactly", share="9/10"),
    uses=("fedadmm/thm3.1-proof-s4", "fedadmm/thm3.1-proof-s5", "fedadmm/thm3.1-proof-s6",
          "fedadmm/thm3.1-proof-s7~repaired", "fedadmm/thm3.1-proof-s8"),
    step=True,
    note=f"For every v_i^kappa, varrho = rho. With the sign of row thm3.1-proof-s7 repaired. {SETTING}",
)  # fmt: skip
def s9(x, share=1):
    c = inner(x)
    return le(distance_sq(x, c, following(x, c, x.v)), share * distance_sq(x, c, x.v) / x.rho)


@claim(
    "fedadmm/thm3.1-proof-s10",
    world=ANYWHERE,
    control=Control("for s_i = r_i and rho = 4 the distance is halved exactly", share="9/10"),
    uses=("fedadmm/thm3.1-proof-s9",),
    step=True,
    note=f"For every v_i^{{kappa-1}}. {SETTING}",
)
def s10(x, share=1):
    c = inner(x)
    return le(distance_sq(x, c, following(x, c, x.v)) / x.rho, share * distance_sq(x, c, x.v) / x.rho**2)


@claim(
    "fedadmm/thm3.1-proof-s12",
    world=ANYWHERE,
    control=Control(WHOLE, times=2),
    uses=("fedadmm/eq3.11",),
    step=True,
    note=f"For every w_i^{{k+1}} = v. {SETTING}",
)
def s12(x, times=1):
    c = inner(x)
    right = x.sq(x.alpha * x.f.grad(x.v) - c.g_star + x.sigma * (x.v - c.star))
    return eq(residual_sq(x, c, x.v), times * right)


def turned(x):
    """alpha_i (grad f_i(v) - grad f_i(v*))."""
    return x.alpha * x.f.grad(x.v) - x.alpha * x.f.grad(x.star)


@claim(
    "fedadmm/thm3.1-proof-s13@gradient",
    world=ANYWHERE,
    control=Control("a quadratic of curvature r_i attains it", share="9/10"),
    step=True,
    note="Curvatures from -s_i to r_i with s_i <= r_i make the gradient r_i-Lipschitz.",
)
def s13_gradient(x, share=1):
    return le(x.sq(turned(x)), share * (x.alpha * x.r) ** 2 * x.sq(x.v - x.star))


@claim(
    "fedadmm/thm3.1-proof-s13",
    world=Run(
        CLASS, at=("star", "w", "v"), fresh=("star", "w", "v"), step={}, given=GIVEN, index="K", sizes={"d": (1, 2), **ONE},
        quantities={
            "whole": lambda x: x.sq(turned(x) + x.sigma * (x.v - x.star)),
            "turned": lambda x: x.sq(turned(x)),
            "dist": lambda x: distance_sq(x, inner(x), x.v),
        },
        **own(*NAMES),
    ),
    by=(s13_gradient, use(eq7_3_b, w_1=turned, w_2=lambda x: x.sigma * (x.v - x.star), t=lambda x: 1)),
    control=Control("for a quadratic of curvature r_i = sigma_i the left side is 4 sigma_i^2 times the distance", share="9/10"),
    step=True,
    note=f"For every w_i^{{k+1}} = v. {SETTING}",
)  # fmt: skip
def s13(x, t, share=1):
    return le(x.whole[t], share * inner_size(x) * x.dist[t])


@claim(
    "fedadmm/thm3.1-proof-s15",
    world=Scalars(
        **own("r", "s", "sigma", "alpha", "rho", "eps"),
        dist_sq=positive(LENGTH**2),
        power=at_least(1),
        given=(
            INNER,
            condition("power = varrho^{kappa+1}, at least what is in the bracket", lambda x: le(
                inner_size(x) * x.dist_sq / x.eps, x.power
            )),
        ),
    ),
    control=Control("the bracket may be attained", share="9/10"),
    step=True,
    note="With kappa of (3.13), a real number: varrho^{kappa+1} is the bracket, which with Section 2.1 rounds up.",
)  # fmt: skip
def s15(x, share=1):
    return le(inner_size(x) / x.power * x.dist_sq, share * x.eps)
