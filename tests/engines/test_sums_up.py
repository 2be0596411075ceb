"""Sums up to a length whose terms depend on it, and roots and logarithms of it: what is true is proved, what is false is not."""

import pytest

from fedtheory import claim, eq, le, verify
from fedtheory.engines.context import Docket
from fedtheory.engines.prove.induction import induction
from problems import Sequences, at_least, between, positive

NUMBERS = Sequences("T", first=1)
ANY = Sequences("T", first=0, lengths=(0, 1, 2, 3))
STEPS = Sequences("T", first=1, c=positive(), q=between(0, 1, closed=False), sequences={"D": at_least(0)})


def up(x, term):
    return x.sum(term, x.T)


def beside(x, of):
    """T times the sum of squares is at most the square of the sum, with the former as a sum in a sum over its index."""
    total = up(x, of)
    return le(up(x, lambda t: of(t) * up(x, lambda s: of(t))), up(x, lambda t: of(t) * total))


TRUE = {
    "harmonic": (NUMBERS, lambda x: le(up(x, lambda t: 1 / (t + 1)), 1 + x.log(x.T))),
    "harmonic, below": (NUMBERS, lambda x: le(x.log(x.T + 1), up(x, lambda t: 1 / (t + 1)))),
    "harmonic, a share": (STEPS, lambda x: le(up(x, lambda t: x.c / (t + 1)), x.c * (1 + x.log(x.T)))),
    "roots": (NUMBERS, lambda x: le(up(x, lambda t: 1 / x.sqrt(t + 1)), 2 * x.sqrt(x.T) - 1)),
    "roots, below": (NUMBERS, lambda x: le(2 * x.sqrt(x.T + 1) - 2, up(x, lambda t: 1 / x.sqrt(t + 1)))),
    "steps of c over a root": (STEPS, lambda x: le(up(x, lambda t: x.c / x.sqrt(t + 1)), 2 * x.c * x.sqrt(x.T))),
    "squares": (NUMBERS, lambda x: le(up(x, lambda t: 1 / (t + 1) ** 2), 2 - 1 / x.T)),
    "decay": (NUMBERS, lambda x: eq(up(x, lambda t: 1 - t / x.T), (x.T + 1) / 2)),
    "warm-up": (NUMBERS, lambda x: eq(up(x, lambda t: (t + 1) ** 2 / x.T**2), (x.T + 1) * (2 * x.T + 1) / (6 * x.T))),
    "cubes": (NUMBERS, lambda x: eq(up(x, lambda t: (t / x.T) ** 3), (x.T - 1) ** 2 / (4 * x.T))),
    "of one number": (NUMBERS, lambda x: eq(up(x, lambda t: 1 / x.T), 1)),
    "of a root": (NUMBERS, lambda x: eq(up(x, lambda t: 1 / x.sqrt(x.T)), x.sqrt(x.T))),
    "of a logarithm": (NUMBERS, lambda x: eq(up(x, lambda t: x.log(x.T)), x.T * x.log(x.T))),
    "of the last element": (STEPS, lambda x: eq(up(x, lambda t: x.D[x.T]), x.T * x.D[x.T])),
    "of the last power": (STEPS, lambda x: eq(up(x, lambda t: x.q**x.T), x.T * x.q**x.T)),
    "a sum in a sum": (NUMBERS, lambda x: eq(up(x, lambda t: t / x.T * up(x, lambda s: s / x.T)), (x.T - 1) ** 2 / 4)),
    "averages": (STEPS, lambda x: eq(up(x, lambda t: x.D[t] / x.T), up(x, lambda t: x.D[t]) / x.T)),
    "constant steps": (STEPS, lambda x: eq(up(x, lambda t: x.c / x.sqrt(x.T)), x.c * x.sqrt(x.T))),
}  # fmt: skip

FALSE = {
    "harmonic": (NUMBERS, lambda x: le(up(x, lambda t: 1 / (t + 1)), x.ratio(99, 100) + x.log(x.T))),
    "harmonic, late": (NUMBERS, lambda x: le(up(x, lambda t: 1 / (t + 1)), x.ratio(1, 2) + x.ratio(99, 100) * x.log(x.T))),
    "harmonic, below": (NUMBERS, lambda x: le(x.ratio(1, 100) + x.log(x.T + 1), up(x, lambda t: 1 / (t + 1)) - x.ratio(1, 2))),
    "roots": (NUMBERS, lambda x: le(up(x, lambda t: 1 / x.sqrt(t + 1)), 2 * x.sqrt(x.T) - x.ratio(101, 100))),
    "roots, less": (NUMBERS, lambda x: le(up(x, lambda t: 1 / x.sqrt(t + 1)), x.ratio(3, 2) * x.sqrt(x.T))),
    "decay": (NUMBERS, lambda x: eq(up(x, lambda t: 1 - t / x.T), x.T / 2)),
    "warm-up": (
        NUMBERS, lambda x: le(up(x, lambda t: (t + 1) ** 2 / x.T**2), x.ratio(99, 600) * (x.T + 1) * (2 * x.T + 1) / x.T)),
    "of one number": (NUMBERS, lambda x: eq(up(x, lambda t: 1 / x.T), x.T)),
    "of one number, at none": (ANY, lambda x: eq(up(x, lambda t: 1 / x.T), 1)),
    "of a root, at none": (ANY, lambda x: le(1, up(x, lambda t: 1 / x.sqrt(x.T)) + 1 - 1 / (x.T + 1))),
    "of the elements": (STEPS, lambda x: eq(up(x, lambda t: x.D[t]), x.T * x.D[x.T])),
    "of the powers": (STEPS, lambda x: eq(up(x, lambda t: x.q**t), x.T * x.q**x.T)),
    "of the logarithms": (NUMBERS, lambda x: eq(up(x, lambda t: x.log(t + 1)), x.T * x.log(x.T))),
    "a sum in a sum": (NUMBERS, lambda x: eq(up(x, lambda t: t / x.T * up(x, lambda s: s / x.T)), (x.T - 1) ** 2 / 2)),
    "the index of the outer sum": (NUMBERS, lambda x: eq(up(x, lambda t: up(x, lambda s: t / x.T)), x.T * (x.T - 1))),
    "averages": (STEPS, lambda x: le(up(x, lambda t: x.D[t] / x.T), x.D[0])),
    "the outer index within": (NUMBERS, lambda x: beside(x, lambda t: t)),
    "the outer element within": (STEPS, lambda x: beside(x, lambda t: x.D[t])),
}  # fmt: skip


def made(name, world, body):
    return claim(f"sums/{name.replace(' ', '-').replace(',', '')}", world=world)(body)


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_proved(name):
    assert verify(made(name, *TRUE[name])).verdict == "proved"


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_not(name):
    c = made(name, *FALSE[name])
    assert induction(c, Docket()).outcome == "declines"
    assert verify(c).verdict in ("refuted", "unknown")
