"""Proposition 2: smoothness and strong convexity in gradients (Section A.1, from Nesterov's Theorems 2.1.5 and 2.1.10)."""

from fedtheory import Control, claim, le
from fedtheory.theory.pfedme.symbols import symbols
from problems import Points, SmoothStronglyConvex

# F_i of the proposition is the client x.f of this world
WORLD = Points(SmoothStronglyConvex("mu_F", "L_F"), at=("w", "w_prime"), **symbols("mu_F", "L_F"))


@claim(
    "pfedme/prop2a",
    world=WORLD,
    control=Control("a quadratic of curvature L_F attains it, so nine tenths of the bound is too little", share="9/10"),
)
def prop2a(x, share=1):
    bregman = x.f.value(x.w) - x.f.value(x.w_prime) - x.dot(x.f.grad(x.w_prime), x.w - x.w_prime)
    return le(x.sq(x.f.grad(x.w) - x.f.grad(x.w_prime)), share * 2 * x.L_F * bregman)


@claim(
    "pfedme/prop2b",
    world=WORLD,
    control=Control("a quadratic of curvature mu_F attains it, so a tenth more is too much", share="11/10"),
    note="Both sides squared.",
)
def prop2b(x, share=1):
    return le(share * x.mu_F**2 * x.sq(x.w - x.w_prime), x.sq(x.f.grad(x.w) - x.f.grad(x.w_prime)))
