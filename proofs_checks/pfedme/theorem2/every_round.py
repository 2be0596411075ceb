"""Theorem 2 for every T, R, S, N and dimension: (42) from its lemmas, on the run of the method (Section A.5).

The run is that of `theorem1.every_round` on smooth clients of bounded diversity. e is F(w_t) - F*, with F_star for F*: any
number, as functions are known up to a constant, and so one that is at least 0.
"""

from dataclasses import replace
from typing import Any

from fedtheory import Control, claim, eq, le, use
from fedtheory.theory.pfedme.conditions import EQ_43, LAM_8L_SQ, LAM_THEOREM_2
from fedtheory.theory.pfedme.constants import L_F, eta_tilde, floor, room, sampling, sigma_F2_sq
from fedtheory.theory.pfedme.round import bound_23
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem2 import C4, C5, C6
from fedtheory.units import VALUE
from problems import Points, Scalars, Smooth, at_least, condition, real

from ..lemma2.statement import lemma2b
from ..lemma3.rounds import lemma5_mean_gradient
from ..lemma4.statement import lemma4
from ..theorem1.every_round import (
    OF_A_ROUND,
    gradient_sq,
    mean_gradient,
    numbers,
    off_mean,
    round_of,
    selection,
    spread,
    squares,
    u,
)
from .along_runs import SHORT_STEP, eq42_bounds
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
    """F(w_t) - F*."""
    return x.mean(x.F.value(x.w)) - x.F_star


def change(x, move):
    """|move|^2 of how far a move from w_t is from where the bound of (36) is least, -grad F(w_t)/L_F."""
    return x.sq(move + x.mean_vec(x.F.grad(x.w)) / L_F(x))


def off_sq(x, gradients):
    """E|w_{t+1} - w_t + grad F(w_t)/L_F|^2 for a round with these g_i."""
    return x.E(lambda S: change(x, -x.total_vec(gradients, over=S) * (x.eta_tilde / x.S)))


def change_36(x, off_sq):
    """E[<grad F(w_t), w_{t+1} - w_t> + L_F/2 |w_{t+1} - w_t|^2]."""
    return L_F(x) / 2 * off_sq - gradient_sq(x) / (2 * L_F(x))


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
    step = x.eta_tilde
    drift, chosen = three * step / 5 * off_mean(x), 5 * step**2 * L_F(x) / 8 * selection(x)
    return le(change_36(x, off_sq(x, x.lam * x.u)), -21 * step / 40 * gradient_sq(x) + drift + chosen)


@claim(
    "pfedme/eq42@squares",
    world=Points(Smooth("L"), envelope="lam", given=(LAM_8L_SQ,), **CLIENTS),
    control=Control("equal gradients have no variance, and twice their square is too much", once=2),
    step=True,
    note="The mean of squares by mean and variance.",
)
def eq42_squares(x, once=1):
    return eq(squares(x), spread(x) + once * gradient_sq(x))


@claim(
    "pfedme/eq42@chain",
    world=Scalars(
        after=real(),
        before=real(),
        **numbers("gone", "B", "C", "V", "c", "p", "k", "s", "g", "q", "u"),
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


OF_THE_METHOD = {"e": value, "variance": sigma_F2_sq, "off_sq": lambda x: off_sq(x, mean_gradient(x)), **OF_A_ROUND}


def rounds(quantities=None, given=(EQ_43,), derived=None, **options):
    """Rounds under Assumptions 1(b) and 3, with Theorem 2's lam."""
    own = {**OF_THE_METHOD, **(quantities or {})}
    formulas = {"eta_tilde": eta_tilde, **(derived or {})}
    scalars = {**symbols("L"), "F_star": at_least(0, VALUE)}
    conditions = (LAM_THEOREM_2, *given)
    return round_of(Smooth("L"), own, conditions, diversity="sigma_f_sq", derived=formulas, **scalars, **options)


def errors_44(x):
    """eta_tilde^2/beta^2 L_F^2 C_4 + eta_tilde C_5 + C_6, with 2 sigma_{F,2}^2."""
    return floor(x, x.eta_tilde, L_F(x) ** 2 * C4(x, 2 * x.variance), C5(x, 2 * x.variance), C6(x))


AT_42 = {
    "after": lambda x, t: x.e[t + 1],
    "before": lambda x, t: x.e[t],
    "gone": lambda x, t: 21 * x.eta_tilde / 40 * x.gradient_sq[t],
    "B": lambda x: 3 * x.eta_tilde / 5,
    "C": lambda x: 5 * x.eta_tilde**2 * L_F(x) / 8,
    "V": lambda x, t: x.V_mean[t],
    "c": lambda x, t: x.chosen[t],
    "p": lambda x: bound_23(x, 0),
    "k": lambda x: 48 * x.eta_tilde**2 * L_F(x) ** 2 / x.beta**2,
    "s": lambda x, t: x.spread[t],
    "g": lambda x, t: x.gradient_sq[t],
    "q": sampling,
    "u": lambda x, t: 2 * x.variance + 8 * x.L**2 / room(x) * x.gradient_sq[t],
}


@claim(
    "pfedme/eq42@every-R",
    world=rounds(),
    by=(
        use(eq36_a, w_next=lambda x: x.next.w),
        use(eq42_step, u=u),
        use(lemma4, rho=lambda x: x.L),
        lemma2b,
        eq42_squares,
        use(lemma5_mean_gradient, rho=lambda x: x.L),
        use(eq42_chain, **AT_42),
        use(eq42_bounds, grad_sq=lambda x, t: x.gradient_sq[t]),
    ),
    control=Control("without errors and for small eta_tilde F falls by nearly eta_tilde |grad F|^2", halves=3),
    step=True,
    note="(42) for every R, S, N and dimension, with L_F^2 C_4 for C_4 and 2 sigma_{F,2}^2 for sigma_{F,2}^2.",
)
def eq42_every_R(x, t, halves=1):
    return le(x.e[t + 1], x.e[t] - halves * x.eta_tilde / 2 * x.gradient_sq[t] + x.eta_tilde * errors_44(x))
