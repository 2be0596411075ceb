"""Theorem 2 and the inequalities (46) to (51) and (53) to (57) that lead to it, on runs (Section 4.4, Appendix D).

With s = m there is nothing random, every selection strategy is the same, and (17) and (18) are 1, so that c_4 = c_3: a claim for
all s and every strategy includes this case. A refutation there refutes both parts of the theorem; L^{t+1} on the right of the
sums over t = 0 .. T-1 is read as L^T, to which the telescoping leads.
"""

from dataclasses import replace

from fedtheory import Control, claim, le
from fedtheory.theory.flame.conditions import DESCENT, PENALTY
from fedtheory.theory.flame.constants import (
    c1,
    c2,
    c3,
    descent_coefficient,
    eps_coefficient,
    lagrangian,
    lagrangian_gradient_sq,
)
from problems import SmoothBoundedBelow, SmoothConvex, condition, positive

from ..worlds import flame_steps

GIVEN = (DESCENT, PENALTY)
ONE_ROUND = flame_steps(given=GIVEN, steps=(1,), everyone=True)
CONVEX_ROUND = flame_steps(given=GIVEN, steps=(1,), everyone=True, f=SmoothConvex("L"))
EXACT_ROUND = flame_steps(given=GIVEN, steps=(1,), everyone=True, exact=True)
RUNS = flame_steps(given=GIVEN, steps=(1, 2, 3), everyone=True)
EXACT_RUNS = flame_steps(given=GIVEN, steps=(1, 2, 3), everyone=True, exact=True)
BOUNDED_RUNS = flame_steps(given=GIVEN, steps=(1, 2, 3), everyone=True, f=SmoothBoundedBelow("L"))
BOUNDED_EXACT = flame_steps(given=GIVEN, steps=(1, 2, 3), everyone=True, exact=True, f=SmoothBoundedBelow("L"))
EVERYONE = "With everyone selected, s = m, E is over nothing."
STRATEGY = "With everyone selected, s = m, where every strategy has gamma_bar = 1 and c_4 = c_3."
NEGATIVE = "The conditions allow c_0 < 0, which makes the right side negative where nothing moves."
WITHOUT_EPS = "With exact solutions, eps = 0, so that c_0 does not matter: L may rise where the conditions hold."
STATES = "For the states of t = 0 .. T-1, the start included."
RISING = (
    condition("L >= 3/4 lam", lambda x: le(3 * x.lam, 4 * x.L)),
    condition("rho <= 2 lam alpha", lambda x: le(x.rho, 2 * x.lam * x.alpha)),
)
HALVED = Control("nor with half of the decrease", share="1/2")


def decrease(x):
    """L^t - L^{t+1}."""
    return lagrangian(x, x.state) - lagrangian(x, x.next)


def moves(x):
    """|w_i^{t+1} - w_i^t|^2 and |theta_i^{t+1} - theta_i^t|^2."""
    return x.sq(x.next.W - x.state.W), x.sq(x.next.Theta - x.state.Theta)


def ratio(x):
    """c_2/c_1, with the largest weight in c_2."""
    return x.max(c2(x)) / x.min(c1(x))


def errors(x):
    """m c_0 eps_max, with the largest c_0 and the largest accuracy."""
    return x.m * x.max(eps_coefficient(x)) * eps_max(x)


def eps_max(x):
    """The largest accuracy."""
    return x.max(x.eps)


def gradient_in_theta_sq(x, state):
    """|grad L(Theta^t)|^2, the squared norms of the gradients in theta_i."""
    return x.total(x.sq(x.alpha[..., None] * (x.f.grad(state.Theta) + x.lam * (state.Theta - state.W))))


def mean_over_run(x, of):
    """1/(m T) times the sum over t = 0 .. T-1."""
    before = x.states[:-1]
    return sum(of(x, state) for state in before) / (x.m * len(before))


def promised(x, fall, error):
    """1/(s T) c_2/c_1 `fall` + c_3 eps_max, with s = m and eps_max times `error`."""
    return ratio(x) * fall / (x.m * (len(x.states) - 1)) + error * c3(x) * eps_max(x)


def whole_fall(x):
    """L^0 - L^T."""
    return lagrangian(x, x.states[0]) - lagrangian(x, x.states[-1])


def fall_to_least(x):
    """L^0 less the sum of alpha_i inf f_i, which is at least L^0 - F*."""
    return lagrangian(x, x.states[0]) - x.total(x.alpha * x.f.infimum())


# one round


@claim(
    "flame/eq46",
    world=ONE_ROUND,
    control=HALVED,
    repair="flame/thm2a~repaired-round",
    uses=("flame/lemma1",),
    step=True,
    note=f"{EVERYONE} {NEGATIVE}",
)
def eq46(x, share=1):
    dW, dTheta = moves(x)
    return le(-decrease(x), x.total(descent_coefficient(x) * (dW + dTheta) + share * eps_coefficient(x) * x.eps))


@claim(
    "flame/eq47",
    world=ONE_ROUND,
    control=HALVED,
    repair="flame/thm2a~repaired-round",
    uses=("flame/eq46",),
    step=True,
    note=f"{EVERYONE} {NEGATIVE}",
)
def eq47(x, share=1):
    dW, dTheta = moves(x)
    return le(-decrease(x), x.total(descent_coefficient(x) * (dW + dTheta)) + share * errors(x))


@claim(
    "flame/eq47@exact",
    world=EXACT_ROUND,
    control=Control("nor with twice the moves", times=2),
    repair="flame/thm2a~repaired-round",
    uses=("flame/lemma1@exact",),
    step=True,
    note=f"{EVERYONE} {WITHOUT_EPS}",
)
def eq47_exact(x, times=1):
    dW, dTheta = moves(x)
    return le(-decrease(x), times * x.total(descent_coefficient(x) * (dW + dTheta)))


@claim(
    "flame/eq48",
    world=ONE_ROUND,
    control=Control("nor for twice the moves", times=2),
    repair="flame/thm2a~repaired-round",
    uses=("flame/eq47",),
    step=True,
    note=f"{EVERYONE} {NEGATIVE}",
)
def eq48(x, times=1):
    dW, dTheta = moves(x)
    return le(times * x.total(dW + dTheta), (decrease(x) + errors(x)) / x.min(c1(x)))


@claim(
    "flame/eq49",
    world=ONE_ROUND,
    control=Control("nor for twice the gradient", times=2),
    repair="flame/thm2a~repaired-round",
    uses=("flame/eq45-c", "flame/eq48"),
    step=True,
    note=f"{EVERYONE} {NEGATIVE}",
)
def eq49(x, times=1):
    return le(times * lagrangian_gradient_sq(x, x.state), ratio(x) * decrease(x) + x.m * c3(x) * eps_max(x))


@claim(
    "flame/eq55",
    world=ONE_ROUND,
    control=Control("nor for twice the moves", times=2),
    repair="flame/thm2b~repaired-round",
    uses=("flame/eq54-b",),
    step=True,
    note=f"{STRATEGY} {NEGATIVE}",
)
def eq55(x, times=1):
    _, dTheta = moves(x)
    return le(times * x.total(dTheta), (decrease(x) + errors(x)) / x.min(c1(x)))


@claim(
    "flame/eq54-a",
    world=ONE_ROUND,
    control=HALVED,
    repair="flame/thm2b~repaired-round",
    uses=("flame/eq46", "flame/eq17"),
    step=True,
    note=f"{STRATEGY} {NEGATIVE} The second reason is flame/eq54-a@weights: (17) is about |theta_i^{{t+1}} - theta_i^t|^2, not "
    "about these times a coefficient of the client.",
)
def eq54_a(x, share=1):
    _, dTheta = moves(x)
    return le(-decrease(x), x.total(descent_coefficient(x) * dTheta + share * eps_coefficient(x) * x.eps))


@claim(
    "flame/eq56",
    world=ONE_ROUND,
    control=Control("nor for twice the gradient", times=2),
    repair="flame/thm2b~repaired-round",
    uses=("flame/eq52-b", "flame/eq55"),
    step=True,
    note=f"{STRATEGY} {NEGATIVE} The left side is printed for P^t, of which (55) and (52) bound the part of Theta^t alone.",
)
def eq56(x, times=1):
    return le(times * lagrangian_gradient_sq(x, x.state), ratio(x) * decrease(x) + x.m * c3(x) * eps_max(x))


# runs


@claim(
    "flame/eq19",
    world=RUNS,
    control=Control("nor for twice the gradient", times=2),
    repair="flame/thm2a~repaired",
    uses=("flame/eq49", "flame/lemma1"),
    note=f"{EVERYONE} {STATES} {NEGATIVE} Without errors of the solutions: flame/eq19@exact.",
)
def eq19(x, times=1):
    return le(times * mean_over_run(x, lagrangian_gradient_sq), promised(x, whole_fall(x), 1))


@claim(
    "flame/eq19@exact",
    world=EXACT_RUNS,
    control=Control("nor for twice the gradient", times=2),
    repair="flame/thm2a~repaired",
    uses=("flame/lemma1@exact",),
    note=f"{EVERYONE} {STATES} {WITHOUT_EPS}",
)
def eq19_exact(x, times=1):
    return le(times * mean_over_run(x, lagrangian_gradient_sq), promised(x, whole_fall(x), 0))


@claim(
    "flame/eq51",
    world=BOUNDED_RUNS,
    control=Control("nor for twice the gradient", times=2),
    repair="flame/thm2a~repaired",
    uses=("flame/eq19", "flame/lemma3"),
    step=True,
    note=f"{EVERYONE} {STATES} {NEGATIVE} The sum of alpha_i inf f_i stands for F*, which is no smaller, so that the right side "
    "is no smaller than the printed one.",
)
def eq51(x, times=1):
    return le(times * mean_over_run(x, lagrangian_gradient_sq), promised(x, fall_to_least(x), 1))


@claim(
    "flame/eq20",
    world=RUNS,
    control=Control("nor for twice the gradient", times=2),
    repair="flame/thm2b~repaired",
    uses=("flame/eq56", "flame/lemma1"),
    note=f"{STRATEGY} {STATES} {NEGATIVE} Without errors of the solutions: flame/eq20@exact. For s < m the gamma_bar of the box "
    "is 0: flame/eq18@box.",
)
def eq20(x, times=1):
    return le(times * mean_over_run(x, gradient_in_theta_sq), promised(x, whole_fall(x), 1))


@claim(
    "flame/eq20@exact",
    world=flame_steps(given=(*GIVEN, *RISING), steps=(1,), m=(1,), everyone=True, exact=True),
    control=Control("nor for twice the gradient", times=2),
    repair="flame/thm2b~repaired",
    uses=("flame/lemma1@exact",),
    note=f"{STRATEGY} {STATES} {WITHOUT_EPS} Here for L >= 3/4 lam and rho <= 2 lam alpha_i, one client and T = 1.",
)
def eq20_exact(x, times=1):
    return le(times * mean_over_run(x, gradient_in_theta_sq), promised(x, whole_fall(x), 0))


@claim(
    "flame/eq57",
    world=RUNS,
    control=Control("nor for twice the gradient", times=2),
    repair="flame/thm2b~repaired",
    uses=("flame/eq56",),
    step=True,
    note=f"{STRATEGY} {STATES} {NEGATIVE} The left side is printed for P^t, where (20) has Theta^t.",
)
def eq57(x, times=1):
    return le(times * mean_over_run(x, lagrangian_gradient_sq), promised(x, whole_fall(x), 1))


@claim(
    "flame/rem-thm2-gamma",
    world=replace(CONVEX_ROUND, scalars={**CONVEX_ROUND.scalars, "gamma": positive(), "more": positive()}),
    control=Control("nor is it half of it", share="1/2"),
    repair="flame/rem-thm2-gamma@positive",
    uses=("flame/eq20",),
    note="The right side of (20) on a round, for gamma_bar and for gamma_bar + more: a faster rate is a smaller bound. Where c_0 "
    "< 0, which the conditions allow, or L rises, it is larger, for convex clients as well. With everyone selected, s = m.",
)
def rem_thm2_gamma(x, share=1):
    def bound(gamma):
        return ratio(x) / gamma * (whole_fall(x) / x.m + x.max(eps_coefficient(x)) * eps_max(x)) + 2 * eps_max(x)

    return le(bound(x.gamma + x.more), share * bound(x.gamma))
