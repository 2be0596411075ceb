"""A worst case of PEPit's list as two claims: with its rate, and with 99 % of it, which is false."""

from fractions import Fraction

from fedtheory import claim, eq
from problems import condition


def pair(name, world):
    """Make both claims of a body with the keyword `share`, by which its right side is multiplied."""

    def make(body):
        claim(f"pepit/{name}", world=world)(body)
        claim(f"pepit/{name}-99", world=world, expect="refuted")(lambda x: body(x, share=x.ratio(99, 100)))
        return body

    return make


def listed(**values):
    """PEPit's own parameters as conditions of a world, ``**listed(mu="1/10", L=1)``."""
    exact = {name: Fraction(value) for name, value in values.items()}

    def equal(name, value):
        return condition(f"{name} = {value}", lambda x: eq(getattr(x, name) * value.denominator, value.numerator))

    return {"given": tuple(equal(name, value) for name, value in exact.items()), "example": exact}
