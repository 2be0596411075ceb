"""Proposition 1: smoothness (a, b) and strong convexity (c) of the Moreau envelope, and its gradient (6) (Section 3.1)."""

from fedtheory import Control, claim, le
from fedtheory.theory.pfedme.conditions import LAM_2L, LAM_2RHO
from fedtheory.theory.pfedme.constants import L_F, mu_F
from fedtheory.theory.pfedme.symbols import symbols
from problems import Convex, Points, Smooth, StronglyConvex, WeaklyConvex

TWO_POINTS = ("w", "w_prime")
NINE_TENTHS = Control(
    "clients of curvature h have envelopes of curvature lam h/(lam + h), which comes as near to lam in size as one likes",
    share="81/100",
)


@claim(
    "pfedme/prop1a",
    world=Points(Convex(), envelope="lam", at=TWO_POINTS, **symbols("lam")),
    control=NINE_TENTHS,
    note="'grad F_i is L_F-smooth' is read as: F_i has an L_F-Lipschitz gradient. Both sides squared.",
)
def prop1a(x, share=1):
    return le(x.sq(x.F.grad(x.w) - x.F.grad(x.w_prime)), share * L_F(x) ** 2 * x.sq(x.w - x.w_prime))


@claim(
    "pfedme/prop1b",
    world=Points(Smooth("L"), envelope="lam", at=TWO_POINTS, given=(LAM_2L,), **symbols("lam", "L")),
    control=NINE_TENTHS,
    note="'grad F_i is L_F-smooth' is read as: F_i has an L_F-Lipschitz gradient. Both sides squared.",
)
def prop1b(x, share=1):
    return le(x.sq(x.F.grad(x.w) - x.F.grad(x.w_prime)), share * L_F(x) ** 2 * x.sq(x.w - x.w_prime))


@claim(
    "pfedme/eq6",
    world=Points(WeaklyConvex("rho"), envelope="lam", at=TWO_POINTS, given=(LAM_2RHO,), **symbols("lam", "rho")),
    control=Control(
        "nine tenths of the gradient leave a linear remainder, which no square bounds near w", share="9/10"
    ),
    note="By the definition of a derivative, from the values of F_i alone: what the gradient leaves of F_i(w') - F_i(w) is at "
    "most L_F/2 |w' - w|^2. Clients with f_i + rho/2 |.|^2 convex are the convex ones and, with rho = L, the L-smooth ones.",
)
def eq6(x, share=1):
    gradient = share * x.lam * (x.w - x.f.prox(x.w, x.lam))
    rest = x.F.value(x.w_prime) - x.F.value(x.w) - x.dot(gradient, x.w_prime - x.w)
    bound = L_F(x) / 2 * x.sq(x.w_prime - x.w)
    return le(rest, bound, "from above"), le(-rest, bound, "from below")


@claim(
    "pfedme/prop1c",
    world=Points(StronglyConvex("mu"), envelope="lam", at=TWO_POINTS, **symbols("lam", "mu")),
    control=Control(
        "a quadratic client of curvature mu has an envelope of curvature exactly lam mu/(lam + mu)", share="11/10"
    ),
)
def prop1c(x, share=1):
    linear = x.F.value(x.w_prime) + x.dot(x.F.grad(x.w_prime), x.w - x.w_prime)
    return le(linear + share * mu_F(x) / 2 * x.sq(x.w - x.w_prime), x.F.value(x.w))
