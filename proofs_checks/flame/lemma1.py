"""Lemma 1: descent of the augmented Lagrangian in one round (Section 4.4, proof in Appendix C)."""

from fedtheory import Control, claim, le, lt
from fedtheory.theory.flame.constants import condition_lemma1, descent_coefficient, eps_coefficient, lagrangian
from problems import condition

from .worlds import flame_steps


def moves(x):
    """|w_i^{t+1} - w_i^t|^2 and |theta_i^{t+1} - theta_i^t|^2, ``(..., m)`` each."""
    return x.sq(x.next.W - x.state.W), x.sq(x.next.Theta - x.state.Theta)


def descent(x):
    """L^{t+1} - L^t."""
    return lagrangian(x, x.next) - lagrangian(x, x.state)


def repaired(x, share):
    """Right side with the coefficients that the proof's own steps give; share 2 of (lam alpha_i + rho)."""
    dW, dTheta = moves(x)
    a = x.lam * x.alpha
    coupling = 2 * a**2 / x.rho
    theta = coupling + x.alpha * (x.L - x.lam) / 2 + a / 4
    return x.total((coupling - (a + x.rho) / share) * dW + theta * dTheta + x.eps / a, over=x.selected)


CONTROL = Control(
    "the step in w_i lowers the function by exactly (lam alpha_i + rho)/2 |dw_i|^2, which twice that overstates when m >= 2",
    lambda x: le(descent(x), repaired(x, 1)),
)


@claim(
    "flame/lemma1",
    world=flame_steps(
        given=(condition("lam^2 alpha^2 (1 + rho)/rho^2 < (lam alpha + rho)/2", lambda x: lt(*condition_lemma1(x))),)
    ),
    control=CONTROL,
    repair="flame/lemma1~repaired",
    uses=("flame/eq25",),
    note="The sum over selected clients is read to include the last term; the start satisfies (28).",
)
def lemma1(x):
    dW, dTheta = moves(x)
    return le(descent(x), x.total(descent_coefficient(x) * (dW + dTheta) + eps_coefficient(x) * x.eps, over=x.selected))


@claim(
    "flame/lemma1@exact",
    world=flame_steps(
        given=(condition("lam^2 alpha^2 (1 + rho)/rho^2 < (lam alpha + rho)/2", lambda x: lt(*condition_lemma1(x))),),
        exact=True,
    ),
    control=CONTROL,
    repair="flame/lemma1~repaired",
    uses=("flame/eq25",),
    note="Subproblems solved exactly, eps = 0: the failure does not hang on the sign of the weight of eps.",
)
def lemma1_exact(x):
    dW, dTheta = moves(x)
    return le(descent(x), x.total(descent_coefficient(x) * (dW + dTheta), over=x.selected))


@claim(
    "flame/lemma1~repaired",
    world=flame_steps(),
    control=CONTROL,
    uses=("flame/eq25",),
    note="Coefficients (2 lam^2 alpha^2/rho - (lam alpha + rho)/2) of |dw_i|^2, (2 lam^2 alpha^2/rho + alpha (L - lam)/2 + "
    "lam alpha/4) of |dtheta_i|^2 and 1/(lam alpha) of eps_i; no condition on rho is needed for the inequality.",
)
def lemma1_repaired(x):
    return le(descent(x), repaired(x, 2))
