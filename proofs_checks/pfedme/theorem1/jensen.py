"""Theorem 1: the convexity of F between w_bar_T and the iterates of which it is the mean, for every T (below (33))."""

from fedtheory import Control, claim, eq, le, lemma
from fedtheory.theory.pfedme.conditions import STEP_BELOW_2
from fedtheory.theory.pfedme.constants import L_F, gap
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem1 import alpha
from fedtheory.units import LENGTH, VALUE
from problems import Points, Sequences, StronglyConvex, at_least, condition

from .every_round import value
from .sums import closed, thm1_proof_s8_every_T, thm1_proof_s8_power, weighted


def value_of_mean(x):
    """F(w_bar_T) - F(w*)."""
    return gap(x, x.w_bar)


def shifted_sq(sign):
    """|w_t - w_bar_T + grad F(w_bar_T)/L_F|^2, or with - for +."""

    def quantity(x):
        return x.sq(x.w - x.w_bar + sign * x.mean_vec(x.F.grad(x.w_bar)) / L_F(x))

    return quantity


ahead, behind = shifted_sq(1), shifted_sq(-1)


def slope(x, ahead, behind):
    """<grad F(w_bar_T), w_t - w_bar_T>, from the two squares."""
    return L_F(x) / 4 * (ahead - behind)


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
    return le(value_of_mean(x) + slope(x, ahead(x), behind(x)), share * value(x))


def tangent_says(x, t):
    """Row thm1@tangent at w_t."""
    return le(x.J + slope(x, x.ahead[t], x.behind[t]), x.e[t])


@claim(
    "pfedme/thm1@mean",
    world=Sequences("T", sequences={"alpha": at_least(0), "along": at_least(0)}, centre=at_least(0)),
    control=Control("the deviations from half of the mean add up to more", share="1/2"),
    step=True,
    note="For every T and any weights, with `along` for <g, w_t> and `centre` for <g, w_bar_T>, g any vector: the right side is 0 "
    "by the definition of w_bar_T. That all are at least 0 is no restriction, they may be moved by the same number.",
)
def thm1_mean(x, share=1):
    deviations = x.sum(lambda t: x.alpha[t] * (x.along[t] - share * x.centre), x.T)
    return eq(deviations, x.sum(lambda t: x.alpha[t] * x.along[t], x.T) - x.centre * x.sum(lambda t: x.alpha[t], x.T))


TANGENT = lemma(thm1_tangent, tangent_says, meaning={"J": value_of_mean, "e": value, "ahead": ahead, "behind": behind})


def slopes(x):
    """Sum of alpha_t <grad F(w_bar_T), w_t - w_bar_T> for t = 0 .. T-1."""
    return x.sum(lambda t: alpha(x, t) * slope(x, x.ahead[t], x.behind[t]), x.T)


MEAN = condition(  # the sum is 0, by row thm1@mean
    "w_bar_T = sum of alpha_t w_t/A_T, so that 0 <= sum of alpha_t <grad F(w_bar_T), w_t - w_bar_T>",
    lambda x: le(0, slopes(x)),
    "Theorem 1",
)
OF_MEAN = {"ahead": at_least(0, LENGTH**2), "behind": at_least(0, LENGTH**2)}
WORLD = {
    **symbols("lam", "mu", "eta_tilde", "mu_F"),
    "J": at_least(0, VALUE),
    "sequences": {"e": at_least(0, VALUE), **OF_MEAN},
    "every": (TANGENT,),
}


@claim(
    "pfedme/thm1@tangents",
    world=Sequences("T", **WORLD, given=(STEP_BELOW_2, lemma(thm1_proof_s8_power))),
    control=Control("for a linear F both sides are equal", share="1/2"),
    step=True,
)
def thm1_tangents(x, share=1):
    return le(x.J * x.sum(lambda t: alpha(x, t), x.T) + slopes(x), share * weighted(x))


@claim(
    "pfedme/thm1@jensen",
    world=Sequences(
        "T",
        **WORLD,
        given=(STEP_BELOW_2, MEAN, lemma(thm1_proof_s8_power), lemma(thm1_proof_s8_every_T), lemma(thm1_tangents)),
    ),
    control=Control("for equal iterates both sides are equal", share="9/10"),
    uses=("pfedme/thm1@mean",),
    step=True,
    note="A_T (F(w_bar_T) - F(w*)) <= sum of alpha_t (F(w_t) - F(w*)), for every T.",
)
def thm1_jensen(x, share=1):
    return le(x.J * closed(x), share * weighted(x))
