"""Theorem 2 for every T, R, S, N and dimension: (42) from its lemmas, and (44) by induction over T (Section A.5).

The quantities are expectations over the history, as in `theorem1.every_round`: a lemma holds at every w_t, (36) at every
w_{t+1} as well, and what is linear in its quantities holds for their expectations. e is F(w_t) - F*.
"""

from dataclasses import replace
from typing import Any

from fedtheory import Control, claim, eq, le, lemma
from fedtheory.premise import Change, Following, Inherent, Names
from fedtheory.theory.pfedme.conditions import EQ_43, LAM_8L_SQ, LAM_THEOREM_2, SAMPLED
from fedtheory.theory.pfedme.constants import (
    L_F,
    eta_tilde,
    floor,
    room,
    sampling,
    sigma_F2_sq,
)
from fedtheory.theory.pfedme.round import bound_23
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem2 import C4, C5, C6
from fedtheory.units import GRADIENT, LENGTH, VALUE
from problems import Points, Scalars, Smooth, at_least, condition, positive
from problems.worlds.derived import DerivedScalars

from ..lemma2.statement import lemma2b
from ..lemma5.statement import lemma5
from ..theorem1.every_round import CLIENT_COUNTS, global_step, lemma4_says, lemma5_says, mean_over_rounds, numbers
from ..theorem1.every_round import MEANING as OF_A_ROUND
from .along_runs import SHORT_STEP, eq44_repaired
from .one_step import eq36_a

CLIENTS: dict[str, Any] = symbols("lam", "L")
WITH_G = Points(
    Smooth("L"),
    envelope="lam",
    clients_at=("u",),
    sizes={"S": (1, 2, 3), "d": (1, 2)},
    given=(LAM_8L_SQ,),
    **CLIENTS,
    **symbols("eta_tilde"),
)


def value(x):
    """F(w_t), less any number."""
    return x.mean(x.F.value(x.w))


def mean_gradient(x):
    return x.mean_vec(x.F.grad(x.w))


def off_sq(before, after):
    """|w_{t+1} - w_t + grad F(w_t)/L_F|^2, how far w_{t+1} is from where the bound of (36) is least."""
    return before.sq(after.w - before.w + mean_gradient(before) / L_F(before))


MEANING: Names = {
    **{name: OF_A_ROUND[name] for name in ("V", "V_mean", "chosen", "spread", "grad_sq", "gradient_sq")},
    "e": value,
    "e_next": Following(value, global_step),
    "off_sq": Change(off_sq, global_step),
    "variance": sigma_F2_sq,
}


def meant(x, *names):
    """An instance with the quantities of these names."""
    return x.at(**{name: MEANING[name](x) for name in names})


def change_36(x):
    """<grad F(w_t), w_{t+1} - w_t> + L_F/2 |w_{t+1} - w_t|^2."""
    return L_F(x) / 2 * x.off_sq - x.gradient_sq / (2 * L_F(x))


def descent_says(x):
    """(36), first line."""
    return le(x.e_next - x.e, change_36(x))


def split_says(x, three=3):
    """As `eq44~split`, before Lemma 4."""
    step = x.eta_tilde
    return le(
        change_36(x),
        -21 * step / 40 * x.gradient_sq + three * step / 5 * x.V_mean + 5 * step**2 * L_F(x) / 8 * x.chosen,
    )


def squares_say(x, once=1):
    """The mean of squares by mean and variance."""
    return eq(x.grad_sq, x.spread + once * x.gradient_sq)


def lemma2b_says(x):
    return le(x.spread, 2 * x.variance + 8 * x.L**2 / room(x) * x.gradient_sq)


@claim(
    "pfedme/eq42@step",
    world=replace(WITH_G, given=(LAM_8L_SQ, SHORT_STEP)),
    control=Control(
        "with g_t = 0 the left side is 0 and the drift is |grad F|^2, so half of it is too little", three="5/2"
    ),
    step=True,
    note="`eq44~split` with g_i, any vectors, for the means of the g_{i,r} over r.",
)
def eq42_step(x, three=3):
    return split_says(meant(x, "off_sq", "gradient_sq", "V_mean", "chosen"), three)


@claim(
    "pfedme/eq42@squares",
    world=Points(Smooth("L"), envelope="lam", given=(LAM_8L_SQ,), **CLIENTS),
    control=Control("equal gradients have no variance, and twice their square is too much", once=2),
    step=True,
)
def eq42_squares(x, once=1):
    return squares_say(meant(x, "grad_sq", "spread", "gradient_sq"), once)


@claim(
    "pfedme/eq42@selection",
    world=Points(Smooth("L"), envelope="lam", given=(LAM_8L_SQ,), sizes={"S": (1, 2, 3, 4)}, **CLIENTS),
    control=Control(
        "S = 1 gives the whole variance on the left, so half of the printed factor is too small", share="1/2"
    ),
    step=True,
    note="Lemma 4 for the clients of Theorem 2.",
)
def eq42_selection(x, share=1):
    says = lemma4_says(meant(x, "chosen", "spread"))
    return le(says.lhs, share * says.rhs)


@claim(
    "pfedme/eq42@chain",
    world=Scalars(
        **numbers("after", "before", "gone", "B", "C", "V", "c", "p", "k", "s", "g", "q", "u"),
        given=(
            condition(
                "after + gone <= before + B V + C c", lambda x: le(x.after + x.gone, x.before + x.B * x.V + x.C * x.c)
            ),
            condition("V <= p + k (s + g)", lambda x: le(x.V, x.p + x.k * (x.s + x.g))),
            condition("c <= q s", lambda x: le(x.c, x.q * x.s)),
            condition("s <= u", lambda x: le(x.s, x.u)),
        ),
    ),
    control=Control("all of them may hold with equality", share="1/2"),
    step=True,
)
def eq42_chain(x, share=1):
    return le(x.after + x.gone, share * (x.before + x.B * (x.p + x.k * (x.u + x.g)) + x.C * x.q * x.u))


AT_42 = {
    "after": lambda x: x.e_next,
    "before": lambda x: x.e,
    "gone": lambda x: 21 * x.eta_tilde / 40 * x.gradient_sq,
    "B": lambda x: 3 * x.eta_tilde / 5,
    "C": lambda x: 5 * x.eta_tilde**2 * L_F(x) / 8,
    "V": lambda x: x.V_mean,
    "c": lambda x: x.chosen,
    "p": lambda x: bound_23(x, 0),
    "k": lambda x: 48 * x.eta_tilde**2 * L_F(x) ** 2 / x.beta**2,
    "s": lambda x: x.spread,
    "g": lambda x: x.gradient_sq,
    "q": sampling,
    "u": lambda x: 2 * x.variance + 8 * x.L**2 / room(x) * x.gradient_sq,
}
ROUND = {
    **CLIENTS,
    **symbols("eta", "beta", "R"),
    "delta": positive(LENGTH),
    **CLIENT_COUNTS,
    "variance": at_least(0, GRADIENT**2),
}
IN_ROUND = {
    **{name: at_least(0, GRADIENT**2) for name in ("V", "V_mean", "chosen", "spread", "grad_sq", "gradient_sq")},
    **{name: at_least(0, VALUE) for name in ("e", "e_next")},
    "off_sq": at_least(0, LENGTH**2),
}
ABOVE = Inherent("F* <= F(w_t), the infimum", "Theorem 2", lambda x: (le(0, x.e), le(0, x.e_next)))


def errors_44(x):
    """eta_tilde^2/beta^2 L_F^2 C_4 + eta_tilde C_5 + C_6, with 2 sigma_{F,2}^2."""
    return floor(x, x.eta_tilde, L_F(x) ** 2 * C4(x, 2 * x.variance), C5(x, 2 * x.variance), C6(x))


@claim(
    "pfedme/eq42@every-R",
    world=DerivedScalars(
        {"eta_tilde": eta_tilde},
        **ROUND,
        **IN_ROUND,
        given=(
            LAM_THEOREM_2,
            EQ_43,
            SAMPLED,
            mean_over_rounds(lambda x: x.L),
            ABOVE,
            lemma(eq36_a, descent_says, meaning=MEANING, to={"w": "w_next"}),
            lemma(eq42_step, split_says, meaning=MEANING),
            lemma(eq42_selection, lemma4_says, meaning=MEANING),
            lemma(lemma2b, lemma2b_says, meaning=MEANING),
            lemma(eq42_squares, squares_say, meaning=MEANING),
            lemma(lemma5, lemma5_says, meaning=MEANING, names={"w": lambda x: x.state.w}, at={"rho": lambda x: x.L}),
            lemma(eq42_chain, at=AT_42),
            lemma(eq44_repaired, at={"grad_sq": lambda x: x.gradient_sq}),
        ),
    ),
    control=Control("without errors and for small eta_tilde F falls by nearly eta_tilde |grad F|^2", halves=3),
    step=True,
    note="(42) for every R, S, N and dimension, with L_F^2 C_4 for C_4 and 2 sigma_{F,2}^2 for sigma_{F,2}^2.",
)
def eq42_every_R(x, halves=1):
    return le(x.e_next, x.e - halves * x.eta_tilde / 2 * x.gradient_sq + x.eta_tilde * errors_44(x))
