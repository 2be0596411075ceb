"""Proposition 2: smoothness and strong convexity in gradients (Section A.1, from Nesterov's Theorems 2.1.5 and 2.1.10)."""

from fedtheory import Control, claim, le
from fedtheory.units import CURVATURE
from problems import Points, SmoothStronglyConvex, positive

WORLD = Points(
    SmoothStronglyConvex("mu_F", "L_F"),
    at=("w", "w_prime"),
    mu_F=positive(CURVATURE),
    L_F=positive(CURVATURE),
)


def change_sq(x):
    """|grad F_i(w) - grad F_i(w')|^2; F_i is the client x.f of this world."""
    return x.sq(x.f.grad(x.w) - x.f.grad(x.w_prime))


def bregman(x):
    """F_i(w) - F_i(w') - <grad F_i(w'), w - w'>."""
    return x.f.value(x.w) - x.f.value(x.w_prime) - x.dot(x.f.grad(x.w_prime), x.w - x.w_prime)


@claim(
    "pfedme/prop2a",
    world=WORLD,
    control=Control(
        "a quadratic of curvature L_F attains it, so nine tenths of the bound is too little",
        lambda x: le(change_sq(x), 18 * x.L_F / 10 * bregman(x)),
    ),
)
def prop2a(x):
    return le(change_sq(x), 2 * x.L_F * bregman(x))


@claim(
    "pfedme/prop2b",
    world=WORLD,
    control=Control(
        "a quadratic of curvature mu_F attains it, so a tenth more is too much",
        lambda x: le(11 * x.mu_F**2 / 10 * x.sq(x.w - x.w_prime), change_sq(x)),
    ),
    note="Both sides squared.",
)
def prop2b(x):
    return le(x.mu_F**2 * x.sq(x.w - x.w_prime), change_sq(x))
