"""Corollary 2: what beta and T do to the first and third term of Theorem 2 (a) when every client is sampled (Section 4)."""

from fedtheory import Control, claim, le, lt
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import GRADIENT
from problems import Scalars, condition, positive

DRIFT = {**symbols("lam", "delta"), "variance": positive(GRADIENT**2)}
LAM_ABOVE_1 = condition("lam^2 > 1, from lam >= sqrt(8 L^2 + 1)", lambda x: lt(1, x.lam**2))


def speed_up(x, K, N, R, relax):
    """First and third term of (a), cubed and without the factors that N, R, T leave alone, against K/(TRN)^2.

    T^{1/3} = (NR)^{2/3}, and `relax` the power of beta in the cube of the third term.
    """
    T = (N * R) ** 2
    errors = x.variance + x.lam**2 * x.delta**2
    third = (R * x.variance + x.lam**2 * x.delta**2) / (relax * R * T**2)
    target = (T * R * N) ** 2
    return le(target / T**3, K, "first term"), le(third, K * errors / target, "third term")


@claim(
    "pfedme/cor2",
    world=Scalars(given=(LAM_ABOVE_1,), sizes={"n": (1, 10), "r": (1, 10, 10**4)}, **DRIFT),
    control=Control("for N = R = 1 the terms are their own multiples, so half of them is too little", K="1/2"),
    repair="pfedme/cor2~repaired",
    uses=("pfedme/thm2a-b",),
    note="With the printed beta in the printed form of (a): N = n^2, R = r^4, beta = n r, T = (NR)^2, S = N; the constant is "
    "10^4, cubed. sigma_{F,2}^2 comes with 1/(beta^{4/3} T^{2/3}), which lacks R^{1/3}. lam^2 delta^2, which does not decay, "
    "is left out.",
)
def cor2(x, K=10**12):
    n, r = x.ratio(x.n, 1), x.ratio(x.r, 1)
    return speed_up(x, K, n**2, r**4, (n * r) ** 4)


@claim(
    "pfedme/cor2~repaired",
    world=Scalars(given=(LAM_ABOVE_1,), **symbols("N", "R"), **DRIFT),
    control=Control("for N = R = 1 the terms are their own multiples, so half of them is too little", K="1/2"),
    uses=("pfedme/thm2a-b~repaired",),
    note="beta = NR in the repaired form of (a), which has beta^{2/3}; T as printed; up to the floor lam^2 delta^2.",
)
def cor2_repaired(x, K=1):
    return speed_up(x, K, x.N, x.R, (x.N * x.R) ** 2)
