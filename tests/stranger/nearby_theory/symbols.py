"""Symbols of the paper: unit, range, meaning."""

from fedtheory.symbols import Symbol, Symbols
from fedtheory.units import CURVATURE, STEP
from fedtheory.world import at_least, positive

symbols = Symbols(
    eta=Symbol("step size", positive(STEP)),
    lam=Symbol("pull towards the common model", positive(CURVATURE), "lambda"),
    mu=Symbol("strong convexity", positive(CURVATURE)),
    excess=Symbol("L - mu", at_least(0, CURVATURE)),
)
