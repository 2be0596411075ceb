"""The proof of Lemma 2 (b): the chain (9) to (13) and its last line (Section A.3).

A mean over all pairs (i, j) is written out: of |u_i - u_j|^2 by expanding the square, of s_i + s_j as twice the mean.
"""

from typing import Any

from fedtheory import Control, claim, eq, le
from fedtheory.theory.pfedme.constants import diversity
from fedtheory.units import CURVATURE, GRADIENT
from problems import Points, Scalars, Smooth, condition, positive

from ..lemma1.proof import short
from .proof import CASE_B, LAM_ABOVE, at_prox, deviation_sq

BOUND: dict[str, Any] = {"sigma_f_sq": positive(GRADIENT**2)}


def apart(x):
    """mean |grad f_j(theta) - grad f_j(theta_hat_j(w))|^2 at one point theta."""
    return x.mean(x.sq(x.f.grad(x.theta) - at_prox(x)))


@claim(
    "pfedme/eq9",
    world=Points(Smooth("L"), envelope="lam", at=("w", "theta"), diversity="sigma_f_sq", **CASE_B),
    control=Control(
        "linear clients have diversity sigma_f^2 and nothing else on the right, so two fifths of the bound is too little",
        lambda x: le(5 * diversity(x, x.w), 4 * x.sigma_f_sq + 4 * apart(x)),
    ),
    uses=("pfedme/lemma2b-proof-s1-b",),
    step=True,
    note="The inequality at one point theta for all clients; (9) is its average over theta = theta_hat_i(w). Assumption 3 is "
    "used at theta for all clients at once, and the mean of the A_j is the point nearest to them all. The stated reason "
    "uses it at another point theta_hat_i for every client and fails, see eq9@reason.",
)
def eq9(x):
    return le(diversity(x, x.w), 2 * x.sigma_f_sq + 2 * apart(x))


def eq10_at(x):
    """2 sigma_f^2 + 2 mean |grad f_j(theta) - grad f_j(theta_hat_j)|^2, and with L^2 |theta - theta_hat_j|^2."""
    change = x.mean(x.sq(x.f.grad(x.theta) - x.f.grad(x.theta_hat)))
    return 2 * x.sigma_f_sq + 2 * change, 2 * x.sigma_f_sq + 2 * x.L**2 * x.mean(x.sq(x.theta - x.theta_hat))


@claim(
    "pfedme/eq10",
    world=Points(Smooth("L"), at=("theta",), clients_at=("theta_hat",), **BOUND, **CASE_B),
    control=Control("quadratic clients of curvature L attain it", short(eq10_at)),
    step=True,
    note="At one point theta for all clients and any theta_hat_j; (10) is the average over theta = theta_hat_i(w).",
)
def eq10(x):
    return le(*eq10_at(x))


def pairs_sq(x, U):
    """Mean over all pairs (i, j) of |u_i - u_j|^2, by expanding the square."""
    return 2 * x.mean(x.sq(U)) - 2 * x.sq(x.mean_vec(U))


def both(s):
    """Mean over all pairs (i, j) of s_i + s_j, from the mean of the s_i."""
    return s + s


def eq11_at(x):
    """The two sides of (11)."""
    spread = 2 * both(x.mean(x.sq(x.theta_hat - x.w)))
    return 2 * x.sigma_f_sq + 2 * x.L**2 * pairs_sq(x, x.theta_hat), 2 * x.sigma_f_sq + 2 * x.L**2 * spread


@claim(
    "pfedme/eq11",
    world=Points(None, at=("w",), clients_at=("theta_hat",), **BOUND, **CASE_B),
    control=Control(
        "where the mean of the models is w the mean over pairs is half of its bound, and not less",
        lambda x: le(10 * pairs_sq(x, x.theta_hat), 9 * both(x.mean(x.sq(x.theta_hat - x.w)))),
    ),
    uses=("pfedme/prop3",),
    step=True,
    note="For any vectors in place of theta_hat.",
)
def eq11(x):
    return le(*eq11_at(x))


def eq12_at(x):
    """The two sides of (12)."""
    distance, grad_sq = x.sq(x.f.prox(x.w, x.lam) - x.w), x.sq(x.F.grad(x.w))
    return (
        2 * x.sigma_f_sq + 2 * x.L**2 * 2 * both(x.mean(distance)),
        2 * x.sigma_f_sq + 2 * x.L**2 * 2 / x.lam**2 * both(x.mean(grad_sq)),
    )


@claim(
    "pfedme/eq12",
    world=Points(Smooth("L"), envelope="lam", **BOUND, **CASE_B),
    control=Control("(6) makes it an equality", short(eq12_at)),
    uses=("pfedme/eq6",),
    step=True,
    note="Equality holds.",
)
def eq12(x):
    return le(*eq12_at(x))


def any_gradients(x):
    """The gradients lam (w - theta_hat_i(w)) of the F_i, for any distances U_i in place of w - theta_hat_i(w)."""
    return x.U * x.lam


def eq13a_at(x, factor):
    """(13), first line, with `factor` for 8."""
    grad_sq = x.mean(x.sq(any_gradients(x)))
    left = 2 * x.sigma_f_sq + 2 * x.L**2 * 2 / x.lam**2 * both(grad_sq)
    return eq(left, 2 * x.sigma_f_sq + factor * x.L**2 / x.lam**2 * grad_sq)


@claim(
    "pfedme/eq13-a",
    world=Points(None, at=(), clients_at=("U",), **BOUND, **CASE_B),
    control=Control("the factor is 2 times 2 times 2, not 4", lambda x: eq13a_at(x, 4)),
    step=True,
    note="For any gradients of the F_i.",
)
def eq13_a(x):
    return eq13a_at(x, 8)


def eq13b_at(x, weight):
    """(13), second line, with `weight` on the square of the mean."""
    G = any_gradients(x)
    spread = x.mean(deviation_sq(x, G)) + weight * x.sq(x.mean_vec(G))
    scale = 8 * x.L**2 / x.lam**2
    return eq(2 * x.sigma_f_sq + scale * x.mean(x.sq(G)), 2 * x.sigma_f_sq + scale * spread)


@claim(
    "pfedme/eq13-b",
    world=Points(None, at=(), clients_at=("U",), **BOUND, **CASE_B),
    control=Control("equal gradients have no spread, so the square of the mean counts once", lambda x: eq13b_at(x, 2)),
    uses=("pfedme/lemma2b-proof-s3",),
    step=True,
    note="For any gradients of the F_i.",
)
def eq13_b(x):
    return eq13b_at(x, 1)


def second_moment(x, weight):
    """E|X|^2 = E|X - E X|^2 + weight |E X|^2 for X uniform on m vectors."""
    return eq(x.mean(x.sq(x.X)), x.mean(deviation_sq(x, x.X)) + weight * x.sq(x.mean_vec(x.X)))


@claim(
    "pfedme/lemma2b-proof-s3",
    world=Points(None, at=(), clients_at=("X",)),
    control=Control("a constant has no variance, so the square of the mean counts once", lambda x: second_moment(x, 2)),
    step=True,
    note="X is uniform on m vectors, which may be equal: any rational probabilities.",
)
def lemma2b_s3(x):
    return second_moment(x, 1)


@claim(
    "pfedme/lemma2b-proof-s4",
    world=Scalars(
        V=positive(GRADIENT**2), M=positive(GRADIENT**2), lam=positive(CURVATURE), L=positive(CURVATURE), **BOUND,
        given=(LAM_ABOVE, condition("(13)", lambda x: le(x.V, 2 * x.sigma_f_sq + 8 * x.L**2 / x.lam**2 * (x.V + x.M)))),
    ),
    control=Control("equality in (13) gives equality here", short(lambda x: (x.V, rearranged(x)))),
    uses=("pfedme/eq9", "pfedme/eq10", "pfedme/eq11", "pfedme/eq12", "pfedme/eq13-a", "pfedme/eq13-b"),
    step=True,
    note="V is the left side of the lemma, M = |grad F(w)|^2.",
)  # fmt: skip
def lemma2b_s4(x):
    return le(x.V, rearranged(x))


def rearranged(x):
    """(2 lam^2 sigma_f^2 + 8 L^2 M)/(lam^2 - 8 L^2)."""
    below = x.lam**2 - 8 * x.L**2
    return 2 * x.lam**2 / below * x.sigma_f_sq + 8 * x.L**2 / below * x.M
