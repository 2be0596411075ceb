"""The proof of Lemma 2: case (a), and the second display of case (b) (Section A.3)."""

from typing import Any

from fedtheory import Control, claim, eq, le, lt
from fedtheory.theory.pfedme.constants import L_F, gap
from fedtheory.units import CURVATURE
from problems import Points, Smooth, StronglyConvex, condition, positive

from ..lemma1.proof import short

LAM_ABOVE = condition("lam > 2 sqrt(2) L", lambda x: lt(8 * x.L**2, x.lam**2))
CASE_A: dict[str, Any] = {"envelope": "lam", "lam": positive(CURVATURE), "mu": positive(CURVATURE)}
CASE_B: dict[str, Any] = {"lam": positive(CURVATURE), "L": positive(CURVATURE), "given": (LAM_ABOVE,)}


# case (a)


def around_the_optimum(x):
    """mean |G_i|^2 and mean 2 (|G_i - G*_i|^2 + |G*_i|^2)."""
    return x.mean(x.sq(x.G)), x.mean(2 * (x.sq(x.G - x.G_star) + x.sq(x.G_star)))


@claim(
    "pfedme/lemma2a-proof-s1-a",
    world=Points(None, at=(), clients_at=("G", "G_star")),
    control=Control("G* = G/2 attains it", short(around_the_optimum)),
    uses=("pfedme/prop3",),
    step=True,
    note="G and G_star are the gradients of the F_i at w and at w*; any vectors.",
)
def lemma2a_s1a(x):
    return le(*around_the_optimum(x))


def by_proposition_2(x):
    """mean 2 (|grad F_i(w) - grad F_i(w*)|^2 + |grad F_i(w*)|^2) and 4 L_F (F(w) - F(w*)) + 2 sigma_{F,1}^2."""
    Gs = x.F.grad(x.w_star)
    left = x.mean(2 * (x.sq(x.F.grad(x.w) - Gs) + x.sq(Gs)))
    return left, 4 * L_F(x) * gap(x, x.w) + 2 * x.mean(x.sq(Gs))


@claim(
    "pfedme/lemma2a-proof-s1-b",
    world=Points(StronglyConvex("mu"), optimum_of="F", **CASE_A),
    control=Control(
        "clients of large curvature have envelopes of curvature near L_F, which nearly attain it",
        short(by_proposition_2),
    ),
    uses=("pfedme/prop2a", "pfedme/prop1a"),
    step=True,
)
def lemma2a_s1b(x):
    return le(*by_proposition_2(x))


# case (b)


def deviation_sq(x, G):
    """|G_i - mean of the G_j|^2, ``(..., m)``."""
    return x.sq(G - x.mean_vec(G))


def from_prox(x):
    """lam (w - theta_hat_i(w))."""
    return (x.w - x.f.prox(x.w, x.lam)) * x.lam


def at_prox(x):
    """grad f_i(theta_hat_i(w))."""
    return x.f.grad(x.f.prox(x.w, x.lam))


TENTH = "the sides are not zero unless all gradients are equal"


def by_eq6(x):
    """|grad F_i - grad F|^2, and the same from lam (w - theta_hat)."""
    return deviation_sq(x, x.F.grad(x.w)), deviation_sq(x, from_prox(x))


def by_first_order(x):
    """The same from lam (w - theta_hat), and from grad f_i(theta_hat_i)."""
    return deviation_sq(x, from_prox(x)), deviation_sq(x, at_prox(x))


@claim(
    "pfedme/lemma2b-proof-s1-a",
    world=Points(Smooth("L"), envelope="lam", **CASE_B),
    control=Control(TENTH, short(by_eq6, eq)),
    uses=("pfedme/eq6",),
    step=True,
    note="grad F_i by (6), which is a claim of its own.",
)
def lemma2b_s1a(x):
    return eq(*by_eq6(x))


@claim(
    "pfedme/lemma2b-proof-s1-b",
    world=Points(Smooth("L"), envelope="lam", **CASE_B),
    control=Control(TENTH, short(by_first_order, eq)),
    uses=("pfedme/lemma2b-proof-s2",),
    step=True,
)
def lemma2b_s1b(x):
    return eq(*by_first_order(x))


@claim(
    "pfedme/lemma2b-proof-s2",
    world=Points(Smooth("L"), envelope="lam", **CASE_B),
    control=Control(
        "with the gradient at w in place of theta_hat the difference is that of two gradients, zero for linear clients only",
        lambda x: eq(x.sq(x.f.grad(x.w) - from_prox(x)), 0),
    ),
    step=True,
)
def lemma2b_s2(x):
    return eq(x.sq(at_prox(x) - from_prox(x)), 0)


def through_f(x):
    """Means over i of the three squares of the display: own to own, own to f and f to own, with f at theta_hat_i."""
    theta, own = x.f.prox(x.w, x.lam), at_prox(x)

    def squares(i):
        of_f = x.mean_vec(x.f.grad(x.total_vec(theta, over=i)))
        mine = x.total_vec(own, over=i)
        return x.sq(mine - x.mean_vec(own)), x.sq(mine - of_f), x.sq(of_f - x.mean_vec(own))

    return tuple(x.E(lambda i, k=k: squares(i)[k]) for k in range(3))


@claim(
    "pfedme/lemma2b-proof-s1-c",
    world=Points(
        Smooth("L"), envelope="lam", diversity="sigma_f_sq", sizes={"m": (2, 3), "S": (1,), "d": (1, 2)}, **CASE_B
    ),
    control=Control(
        "for linear clients of different slopes the left side is the first square itself",
        lambda x: eq(through_f(x)[0], 3 * through_f(x)[1] + 3 * through_f(x)[2]),
    ),
    repair="pfedme/lemma2b-proof-s1-c~repaired",
    uses=("pfedme/prop3",),
    step=True,
    note="Averaged over i, which the printed equality for every i implies.",
)
def lemma2b_s1c(x):
    left, to_f, from_f = through_f(x)
    return eq(left, 2 * to_f + 2 * from_f)


def young(x):
    """|A_i - C|^2 and 2 |A_i - B_i|^2 + 2 |B_i - C|^2."""
    return x.sq(x.A - x.C), 2 * x.sq(x.A - x.B) + 2 * x.sq(x.B - x.C)


@claim(
    "pfedme/lemma2b-proof-s1-c~repaired",
    world=Points(None, at=("C",), clients_at=("A", "B")),
    control=Control("B halfway between A and C attains it", short(young)),
    uses=("pfedme/prop3",),
    step=True,
    note="<= in place of =. A_i = grad f_i(theta_hat_i), B_i = grad f(theta_hat_i), C is the mean of the A_j; any vectors.",
)
def lemma2b_s1c_repaired(x):
    return le(*young(x))
