"""Theorem 1: the convexity of F between w_bar_T and the iterates of which it is the mean, for every T (below (33))."""

from fedtheory import Control, claim, le
from fedtheory.theory.pfedme.conditions import EQ_31, STEP_BELOW_2
from fedtheory.theory.pfedme.constants import gap
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem1 import alpha
from fedtheory.units import VALUE
from problems import Points, Sequences, StronglyConvex, condition, real

from .every_round import rounds, value
from .sums import closed, thm1_proof_s8_every_T, thm1_proof_s8_power, weighted


def value_of_mean(x):
    """F(w_bar_T) - F(w*)."""
    return gap(x, x.w_bar)


def slope(x):
    """<grad F(w_bar_T), w_t - w_bar_T>."""
    return x.dot(x.mean_vec(x.F.grad(x.w_bar)), x.w - x.w_bar)


@claim(
    "pfedme/thm1@tangent",
    world=Points(
        StronglyConvex("mu"),
        envelope="lam",
        optimum_of="F",
        at=("w", "w_bar"),
        sizes={"d": (1, 2)},
        **symbols("lam", "mu"),
    ),
    control=Control("at w = w_bar both sides are equal", share="9/10"),
    step=True,
    note="F is convex: it lies above its tangent at w_bar.",
)
def thm1_tangent(x, share=1):
    return le(value_of_mean(x) + slope(x), share * value(x))


def slopes(x):
    """Sum of alpha_t <grad F(w_bar_T), w_t - w_bar_T> for t = 0 .. T-1."""
    return x.sum(lambda t: alpha(x, t) * x.tilt[t], x.T)


@claim(
    "pfedme/thm1@tangents",
    world=Sequences(
        "T",
        **symbols("eta_tilde", "mu_F"),
        J=real(VALUE),
        sequences={"e": real(VALUE), "tilt": real(VALUE)},
        every=(condition("J + tilt_t <= e_t", lambda x, t: le(x.J + x.tilt[t], x.e[t])),),
        given=(STEP_BELOW_2,),
    ),
    by=(thm1_proof_s8_power,),
    control=Control("for a linear F both sides are equal", share="1/2"),
    step=True,
    note="Arithmetic of the sum with the weights alpha_t, for any numbers.",
)
def thm1_tangents(x, share=1):
    return le(x.J * x.sum(lambda t: alpha(x, t), x.T) + slopes(x), share * weighted(x))


# rounds of the method with the mean of their iterates


def averaged(quantities=None, given=(EQ_31,), at=("w", "w_bar"), **options):
    """Rounds with w_bar_T, the mean of the iterates with the weights alpha_t."""
    return rounds(
        {"J": value_of_mean, "tilt": slope, **(quantities or {})},
        given,
        at=at,
        means={"w_bar": ("w", alpha)},
        **options,
    )


@claim(
    "pfedme/thm1@jensen",
    world=averaged(),
    by=(thm1_tangent, thm1_tangents, thm1_proof_s8_every_T),
    control=Control("for equal iterates both sides are equal", share="9/10"),
    step=True,
    note="A_T (F(w_bar_T) - F(w*)) <= sum of alpha_t (F(w_t) - F(w*)), for every T.",
)
def thm1_jensen(x, share=1):
    return le(x.J * closed(x), share * weighted(x))
