"""Proposition 1: smoothness and strong convexity of the Moreau envelope (Section 3.1)."""

from fedtheory import Control, claim, le, lt
from fedtheory.theory.pfedme.constants import L_F, mu_F
from fedtheory.units import CURVATURE
from problems import Convex, Points, Smooth, StronglyConvex, WeaklyConvex, condition, positive

TWO_POINTS = ("w", "w_prime")


def smooth(x, L):
    """The squared Lipschitz condition of grad F_i with constant L at two points."""
    return le(x.sq(x.F.grad(x.w) - x.F.grad(x.w_prime)), L**2 * x.sq(x.w - x.w_prime))


def strongly_convex(x, mu):
    """The first-order inequality of mu-strong convexity of F_i."""
    linear = x.F.value(x.w_prime) + x.dot(x.F.grad(x.w_prime), x.w - x.w_prime)
    return le(linear + mu / 2 * x.sq(x.w - x.w_prime), x.F.value(x.w))


NINE_TENTHS = Control(
    "clients of curvature h have envelopes of curvature lam h/(lam + h), which comes as near to lam in size as one likes",
    lambda x: smooth(x, 9 * L_F(x) / 10),
)


@claim(
    "pfedme/prop1a",
    world=Points(Convex(), envelope="lam", at=TWO_POINTS, lam=positive(CURVATURE)),
    control=NINE_TENTHS,
    note="'grad F_i is L_F-smooth' is read as: F_i has an L_F-Lipschitz gradient.",
)
def prop1a(x):
    return smooth(x, L_F(x))


@claim(
    "pfedme/prop1b",
    world=Points(
        Smooth("L"), envelope="lam", at=TWO_POINTS, lam=positive(CURVATURE), L=positive(CURVATURE),
        given=(condition("lam > 2 L", lambda x: lt(2 * x.L, x.lam)),),
    ),
    control=NINE_TENTHS,
    note="'grad F_i is L_F-smooth' is read as: F_i has an L_F-Lipschitz gradient.",
)  # fmt: skip
def prop1b(x):
    return smooth(x, L_F(x))


def derivative(x, G):
    """F_i(w') - F_i(w) - <G_i, w' - w> is at most L_F/2 |w' - w|^2 in size, so that G_i is the gradient of F_i at w."""
    rest = x.F.value(x.w_prime) - x.F.value(x.w) - x.dot(G, x.w_prime - x.w)
    bound = L_F(x) / 2 * x.sq(x.w_prime - x.w)
    return le(rest, bound, "from above"), le(-rest, bound, "from below")


def eq6_gradient(x):
    """lam (w - theta_hat_i(w))."""
    return (x.w - x.f.prox(x.w, x.lam)) * x.lam


@claim(
    "pfedme/eq6",
    world=Points(
        WeaklyConvex("rho"), envelope="lam", at=TWO_POINTS, lam=positive(CURVATURE), rho=positive(CURVATURE),
        given=(condition("lam > 2 rho", lambda x: lt(2 * x.rho, x.lam)),),
    ),
    control=Control(
        "nine tenths of the gradient leave a linear remainder, which no square bounds near w",
        lambda x: derivative(x, 9 * eq6_gradient(x) / 10),
    ),
    note="By the definition of a derivative, from the values of F_i alone. Clients with f_i + rho/2 |.|^2 convex are the "
    "convex ones and, with rho = L, the L-smooth ones.",
)  # fmt: skip
def eq6(x):
    return derivative(x, eq6_gradient(x))


@claim(
    "pfedme/prop1c",
    world=Points(StronglyConvex("mu"), envelope="lam", at=TWO_POINTS, lam=positive(CURVATURE), mu=positive(CURVATURE)),
    control=Control(
        "a quadratic client of curvature mu has an envelope of curvature exactly lam mu/(lam + mu)",
        lambda x: strongly_convex(x, 11 * mu_F(x) / 10),
    ),
)
def prop1c(x):
    return strongly_convex(x, mu_F(x))
