"""A statement of the literature as two claims: as it is, and off by a little, which is false."""

from fractions import Fraction
from inspect import signature

from fedtheory import claim, le
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from problems import condition, positive

L, MU, ETA = positive(CURVATURE), positive(CURVATURE), positive(STEP)
G, R = positive(GRADIENT), positive(LENGTH)
SHORT = condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1))


def pair(name, world, expect="proved", false="refuted", off="101/100", by=()):
    """Make both claims of a body with the keyword `s`: 1 in the statement, `off` in its false neighbour."""
    off = Fraction(off)

    def share(x):
        return x.ratio(off.numerator, off.denominator)

    def make(body):
        of_t = "t" in signature(body).parameters
        near = (lambda x, t: body(x, t, s=share(x))) if of_t else (lambda x: body(x, s=share(x)))
        claim(f"field/{name}-false", world=world, expect=false, by=by)(near)
        return claim(f"field/{name}", world=world, expect=expect, by=by)(body)

    return make
