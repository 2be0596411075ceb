"""Theorem 3.1 and (3.13) (Section 3.4)."""

from fedtheory import Control, claim, le

from .inner import FIRST, at_start, promised, residual_sq, steps


@claim(
    "fedadmm/thm3.1",
    world=FIRST,
    control=Control("one step fewer than the steps l = 0, ..., kappa is fewer still", n=0),
    repair="fedadmm/thm3.1~repaired",
    uses=("fedadmm/thm3.1-proof-s13", "fedadmm/thm3.1-proof-s11"),
    note="kappa is the logarithm of a whole number less one and need not be whole. Literally: of the steps l = 0, 1, ... those "
    "with l <= kappa are taken. At k = 0 with m = 1, alpha_1 = 1, s_1 = 0, and the eps_1^1 for which the bracket is rho^2 - 1, so "
    "that 0 <= kappa < 1 for rho >= 2 (were the bracket rounded, it would stay below rho^2): one step is taken, and two are "
    "needed.",
)
def thm3_1(x, n=1):
    y, c = at_start(x)
    return le(residual_sq(y, c, steps(y, c, n)), promised(y, c) / (x.rho**2 - 1))
