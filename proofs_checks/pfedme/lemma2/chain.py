"""The proof of Lemma 2 (b): the chain (9) to (13) and its last line (Section A.3).

A mean over all pairs (i, j) is written out: of |u_i - u_j|^2 by expanding the square, of s_i + s_j as twice the mean.
"""

from typing import Any

from fedtheory import Control, claim, eq, le
from fedtheory.theory.pfedme.conditions import LAM_8L_SQ
from fedtheory.theory.pfedme.constants import diversity
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import GRADIENT
from problems import Points, Scalars, Smooth, condition, positive

from .proof import at_prox, deviation_sq

CASE_B: dict[str, Any] = {"given": (LAM_8L_SQ,), **symbols("lam", "L")}
BOUNDED: dict[str, Any] = {"sigma_f_sq": positive(GRADIENT**2), **CASE_B}


@claim(
    "pfedme/eq9",
    world=Points(Smooth("L"), envelope="lam", at=("w", "theta"), diversity="sigma_f_sq", **CASE_B),
    control=Control(
        "linear clients have diversity sigma_f^2 and nothing else on the right, so two fifths of the bound is too little",
        share="2/5",
    ),
    uses=("pfedme/lemma2b-proof-s1-b",),
    step=True,
    note="The inequality at one point theta for all clients; (9) is its average over theta = theta_hat_i(w). Assumption 3 is "
    "used at theta for all clients at once, and the mean of the A_j is the point nearest to them all. The stated reason "
    "fails, see eq9@reason.",
)
def eq9(x, share=1):
    apart = x.mean(x.sq(x.f.grad(x.theta) - at_prox(x)))
    return le(diversity(x, x.w), share * (2 * x.sigma_f_sq + 2 * apart))


@claim(
    "pfedme/eq10",
    world=Points(Smooth("L"), at=("theta",), clients_at=("theta_hat",), **BOUNDED),
    control=Control("quadratic clients of curvature L attain it", share="9/10"),
    step=True,
    note="At one point theta for all clients and any theta_hat_j; (10) is the average over theta = theta_hat_i(w).",
)
def eq10(x, share=1):
    change_sq = x.mean(x.sq(x.f.grad(x.theta) - x.f.grad(x.theta_hat)))
    right = 2 * x.sigma_f_sq + 2 * x.L**2 * x.mean(x.sq(x.theta - x.theta_hat))
    return le(2 * x.sigma_f_sq + 2 * change_sq, share * right)


def pairs_sq(x, U):
    """Mean over all pairs (i, j) of |u_i - u_j|^2, by expanding the square."""
    return 2 * x.mean(x.sq(U)) - 2 * x.sq(x.mean_vec(U))


def both(s):
    """Mean over all pairs (i, j) of s_i + s_j, from the mean of the s_i."""
    return s + s


@claim(
    "pfedme/eq11",
    world=Points(None, at=("w",), clients_at=("theta_hat",), **BOUNDED),
    control=Control(
        "where the mean of the models is w the mean over pairs is half of its bound, and not less", share="9/20"
    ),
    uses=("pfedme/prop3",),
    step=True,
    note="For any vectors in place of theta_hat.",
)
def eq11(x, share=1):
    spread = 2 * both(x.mean(x.sq(x.theta_hat - x.w)))
    left = 2 * x.sigma_f_sq + 2 * x.L**2 * pairs_sq(x, x.theta_hat)
    return le(left, 2 * x.sigma_f_sq + share * 2 * x.L**2 * spread)


@claim(
    "pfedme/eq12",
    world=Points(Smooth("L"), envelope="lam", **BOUNDED),
    control=Control("(6) makes it an equality", share="9/10"),
    uses=("pfedme/eq6",),
    step=True,
    note="Equality holds.",
)
def eq12(x, share=1):
    distance_sq, grad_sq = x.sq(x.f.prox(x.w, x.lam) - x.w), x.sq(x.F.grad(x.w))
    left = 2 * x.sigma_f_sq + 2 * x.L**2 * 2 * both(x.mean(distance_sq))
    return le(left, share * (2 * x.sigma_f_sq + 2 * x.L**2 * 2 / x.lam**2 * both(x.mean(grad_sq))))


# (13) for any gradients G_i = lam U_i of the F_i; U_i stands for w - theta_hat_i(w)
ANY_GRADIENTS = Points(None, at=(), clients_at=("U",), **BOUNDED)


@claim(
    "pfedme/eq13-a",
    world=ANY_GRADIENTS,
    control=Control("the factor is 2 times 2 times 2, not 4", factor=4),
    step=True,
    note="For any gradients of the F_i.",
)
def eq13_a(x, factor=8):
    grad_sq = x.mean(x.sq(x.U * x.lam))
    left = 2 * x.sigma_f_sq + 2 * x.L**2 * 2 / x.lam**2 * both(grad_sq)
    return eq(left, 2 * x.sigma_f_sq + factor * x.L**2 / x.lam**2 * grad_sq)


@claim(
    "pfedme/eq13-b",
    world=ANY_GRADIENTS,
    control=Control("equal gradients have no spread, so the square of the mean counts once", times=2),
    uses=("pfedme/lemma2b-proof-s3",),
    step=True,
    note="For any gradients of the F_i.",
)
def eq13_b(x, times=1):
    G, scale = x.U * x.lam, 8 * x.L**2 / x.lam**2
    spread = x.mean(deviation_sq(x, G)) + times * x.sq(x.mean_vec(G))
    return eq(2 * x.sigma_f_sq + scale * x.mean(x.sq(G)), 2 * x.sigma_f_sq + scale * spread)


@claim(
    "pfedme/lemma2b-proof-s3",
    world=Points(None, at=(), clients_at=("X",)),
    control=Control("a constant has no variance, so the square of the mean counts once", times=2),
    step=True,
    note="X is uniform on m vectors, which may be equal: any rational probabilities.",
)
def lemma2b_s3(x, times=1):
    return eq(x.mean(x.sq(x.X)), x.mean(deviation_sq(x, x.X)) + times * x.sq(x.mean_vec(x.X)))


DIVERSE = Points(Smooth("L"), envelope="lam", diversity="sigma_f_sq", **CASE_B)


@claim(
    "pfedme/eq13@from-9",
    world=DIVERSE,
    control=Control("linear clients have diversity sigma_f^2 and no gradient of F", share="2/5"),
    step=True,
    note="(9) to (13) in one: what (13) says of the left side of (9).",
)
def eq13_from_9(x, share=1):
    V, M = diversity(x, x.w), x.sq(x.mean_vec(x.F.grad(x.w)))
    return le(V, share * (2 * x.sigma_f_sq + 8 * x.L**2 / x.lam**2 * (V + M)))


@claim(
    "pfedme/lemma2b-proof-s4@rearranged",
    world=Scalars(
        V=positive(GRADIENT**2),
        M=positive(GRADIENT**2),
        **symbols("lam", "L"),
        sigma_f_sq=positive(GRADIENT**2),
        given=(
            LAM_8L_SQ,
            condition(
                "V <= 2 sigma_f^2 + 8 L^2/lam^2 (V + M)",
                lambda x: le(x.V, 2 * x.sigma_f_sq + 8 * x.L**2 / x.lam**2 * (x.V + x.M)),
            ),
        ),
    ),
    control=Control("equality there gives equality here", share="9/10"),
    step=True,
    note="Arithmetic of the rearrangement, of any numbers V and M with the inequality of eq13@from-9.",
)
def lemma2b_s4_rearranged(x, share=1):
    below = x.lam**2 - 8 * x.L**2
    return le(x.V, share * (2 * x.lam**2 / below * x.sigma_f_sq + 8 * x.L**2 / below * x.M))


@claim(
    "pfedme/lemma2b-proof-s4",
    world=DIVERSE,
    control=Control(
        "for linear clients whose slopes sum to zero the left side is sigma_f^2 and the right side about twice that",
        share="2/5",
    ),
    uses=(
        *(f"pfedme/{id}" for id in ("eq9", "eq10", "eq11", "eq12", "eq13-a", "eq13-b", "eq13@from-9")),
        "pfedme/lemma2b-proof-s4@rearranged",
    ),
    step=True,
    note="The inequality itself, which is that of Lemma 2 (b), from the class of the clients and Assumption 3 at w.",
)
def lemma2b_s4(x, share=1):
    below = x.lam**2 - 8 * x.L**2
    gradient = 8 * x.L**2 / below * x.sq(x.mean_vec(x.F.grad(x.w)))
    return le(diversity(x, x.w), share * (2 * x.lam**2 / below * x.sigma_f_sq + gradient))
