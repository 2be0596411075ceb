"""Lemma 3: the augmented Lagrangian stays above the minimum of (6) (Appendix A)."""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.flame.conditions import PENALTY
from fedtheory.theory.flame.constants import lagrangian, own_lagrangian
from problems import Points, SmoothBoundedBelow

from .one_client import TERMWISE, one_client
from .section4_1 import relaxed
from .worlds import flame_steps

STATE = one_client(at=("theta", "w_i", "w"))
UNDER_PENALTY = one_client(at=("theta", "w_i", "w"), given=(PENALTY,))
ANY_STATE = "(25) and any theta_i, w_i and w, which covers every state of every run."
NOT_TWICE = "a number that need not be 0 is not twice itself"


def dual(x):
    """pi_i of (25)."""
    return x.lam * x.alpha * (x.theta - x.w_i)


def gap_sq(x):
    """|w_i - w|^2."""
    return x.sq(x.w_i - x.w)


def first_line(x):
    """alpha_i (f_i + lam/2 |theta_i - w_i|^2) + <pi_i, w_i - w> + rho/2 |w_i - w|^2."""
    return relaxed(x, x.theta, x.w_i) + x.dot(dual(x), x.w_i - x.w) + x.rho / 2 * gap_sq(x)


def cross(x):
    """lam alpha_i/2 <2 theta_i - w_i - w, w_i - w>."""
    return x.lam * x.alpha / 2 * x.dot(2 * x.theta - x.w_i - x.w, x.w_i - x.w)


def third_line(x):
    """The third expression of (30)."""
    return relaxed(x, x.theta, x.w) - cross(x) + x.dot(dual(x), x.w_i - x.w) + x.rho / 2 * gap_sq(x)


def fourth_line(x, half=1):
    """The fourth one."""
    return relaxed(x, x.theta, x.w) + half * (x.rho - x.lam * x.alpha) / 2 * gap_sq(x)


@claim(
    "flame/lemma3",
    world=UNDER_PENALTY,
    control=Control("f = 0 and rho near lam alpha leave no more than that", more=1),
    uses=("flame/eq25", "flame/eq30-c", "flame/eq30-d", "flame/eq30-f"),
    note="L_i is at least the summand of (6) at (theta_i, w), so that L is at least the value of (6) there, and F* its least one. "
    f"{TERMWISE} {ANY_STATE} F* has to exist, for which Assumption 1 does not suffice. Without (28) it is flame/lemma3@free-start.",
)
def lemma3(x, more=0):
    L = own_lagrangian(x, x.theta, x.w_i, dual(x), x.w)
    return le(relaxed(x, x.theta, x.w) + more * x.rho / 2 * gap_sq(x), L)


@claim(
    "flame/lemma3@free-start",
    world=flame_steps(free_start=True, given=(PENALTY,), m=(2, 3), f=SmoothBoundedBelow("L")),
    control=Control("nor is it a length of a dual variable above it", more=1),
    repair="flame/lemma3",
    note="With any pi_i^0, as l1 has it: a client that was not selected yet may have a long pi_i^0. The sum of alpha_i inf f_i "
    "stands for F*, which is no smaller.",
)
def lemma3_free_start(x, more=0):
    least = x.total(x.alpha * x.f.infimum() + more * x.sq(x.next.Pi) / x.rho)
    return le(least, lagrangian(x, x.next))


@claim(
    "flame/eq30-a",
    world=STATE,
    control=Control(NOT_TWICE, times=2),
    step=True,
    note=f"{TERMWISE} {ANY_STATE}",
)
def eq30_a(x, times=1):
    return eq(own_lagrangian(x, x.theta, x.w_i, dual(x), x.w), times * first_line(x))


@claim("flame/eq30-b", world=STATE, control=Control(NOT_TWICE, times=2), step=True, note=f"{TERMWISE} {ANY_STATE}")
def eq30_b(x, times=1):
    return eq(first_line(x), times * (first_line(x) + cross(x) - cross(x)))


@claim(
    "flame/eq30-c",
    world=STATE,
    control=Control(NOT_TWICE, times=2),
    uses=("flame/eq25", "flame/lemma3-proof-s1"),
    step=True,
    note=f"{TERMWISE} {ANY_STATE}",
)
def eq30_c(x, times=1):
    return eq(first_line(x) + cross(x) - cross(x), times * third_line(x))


@claim(
    "flame/eq30-d",
    world=STATE,
    control=Control("the square of the difference has the weight a half", half=2),
    step=True,
    note=f"{TERMWISE} {ANY_STATE}",
)
def eq30_d(x, half=1):
    return eq(third_line(x), fourth_line(x, half))


LOWEST = one_client(at=("theta", "w_i", "w", "theta_star", "v"))


def above(x):
    """The summand of (6) at (theta_i, w) less that at (theta_i^*, w^*), whose sum over i is not negative."""
    return relaxed(x, x.theta, x.w) - relaxed(x, x.theta_star, x.v)


@claim(
    "flame/eq30-e",
    world=LOWEST,
    control=Control(NOT_TWICE, times=2),
    step=True,
    note="The two sides differ by the value of (6) at (Theta^{t+1}, w^{t+1}) less its least value F*, which is not negative by the "
    f"definition of F*; that difference is the statement here. {TERMWISE}",
)
def eq30_e(x, times=1):
    penalty = (x.rho - x.lam * x.alpha) / 2 * gap_sq(x)
    least = relaxed(x, x.theta_star, x.v)
    return eq(fourth_line(x) - (least + penalty), times * above(x))


@claim(
    "flame/eq30-f",
    world=UNDER_PENALTY,
    control=Control("for rho = lam alpha nothing is left", more=1),
    uses=("flame/cond-rho",),
    step=True,
    note=f"{TERMWISE} The reason is rho >= lam alpha_i, not the optimal condition, which is that of the line before.",
)
def eq30_f(x, more=0):
    return le(more * x.rho / 2 * gap_sq(x), (x.rho - x.lam * x.alpha) / 2 * gap_sq(x))


@claim(
    "flame/lemma3-proof-s1",
    world=Points(None, at=("a", "b", "c")),
    control=Control(NOT_TWICE, times=2),
    step=True,
)
def lemma3_proof_s1(x, times=1):
    return eq(x.sq(x.a - x.b) - x.sq(x.a - x.c), times * x.dot(2 * x.a - x.b - x.c, x.c - x.b))
