"""Lemma 1: descent of the augmented Lagrangian in one round (Section 4.4, proof in Appendix C)."""

from fedtheory import Control, claim, le
from fedtheory.theory.flame.conditions import DESCENT
from fedtheory.theory.flame.constants import descent_coefficient, eps_coefficient, lagrangian

from .worlds import flame_steps


def moves(x):
    """|w_i^{t+1} - w_i^t|^2 and |theta_i^{t+1} - theta_i^t|^2, ``(..., m)`` each."""
    return x.sq(x.next.W - x.state.W), x.sq(x.next.Theta - x.state.Theta)


def change(x):
    """L^{t+1} - L^t."""
    return lagrangian(x, x.next) - lagrangian(x, x.state)


def repaired(x, factor=1):
    """Right side with the coefficients that the proof's own steps give; `factor` on the descent (lam alpha_i + rho)/2."""
    dW, dTheta = moves(x)
    a = x.lam * x.alpha
    coupling = 2 * a**2 / x.rho
    in_w = coupling - factor * (a + x.rho) / 2
    in_theta = coupling + x.alpha * (x.L - x.lam) / 2 + a / 4
    return x.total(in_w * dW + in_theta * dTheta + x.eps / a, over=x.selected)


TWICE = Control(
    "the step in w_i lowers the function by exactly (lam alpha_i + rho)/2 |dw_i|^2, which twice that overstates when m >= 2",
    lambda x: le(change(x), repaired(x, 2)),
)


@claim(
    "flame/lemma1",
    world=flame_steps(given=(DESCENT,)),
    control=TWICE,
    repair="flame/lemma1~repaired",
    uses=("flame/eq25",),
    note="The sum over selected clients is read to include the last term; the start satisfies (28).",
)
def lemma1(x):
    dW, dTheta = moves(x)
    return le(change(x), x.total(descent_coefficient(x) * (dW + dTheta) + eps_coefficient(x) * x.eps, over=x.selected))


@claim(
    "flame/lemma1@exact",
    world=flame_steps(given=(DESCENT,), exact=True),
    control=TWICE,
    repair="flame/lemma1~repaired",
    uses=("flame/eq25",),
    note="Subproblems solved exactly, eps = 0: the failure does not hang on the sign of the weight of eps.",
)
def lemma1_exact(x):
    dW, dTheta = moves(x)
    return le(change(x), x.total(descent_coefficient(x) * (dW + dTheta), over=x.selected))


@claim(
    "flame/lemma1~repaired",
    world=flame_steps(),
    control=TWICE,
    uses=("flame/eq25",),
    note="Coefficients (2 lam^2 alpha^2/rho - (lam alpha + rho)/2) of |dw_i|^2, (2 lam^2 alpha^2/rho + alpha (L - lam)/2 + "
    "lam alpha/4) of |dtheta_i|^2 and 1/(lam alpha) of eps_i; no condition on rho is needed for the inequality.",
)
def lemma1_repaired(x):
    return le(change(x), repaired(x))
