"""Classes of one's own: what refutes is a client of the class, and a claim that is true of the class is not refuted by another."""

import re
import sys
import types
from dataclasses import dataclass
from pathlib import Path

import pytest

import fedtheory
from fedtheory import Control, claim, le
from fedtheory.units import CURVATURE, GRADIENT
from problems import Points, positive
from problems.worlds.classes.curvature import Curvature

PAGE = Path(__file__).parents[2] / "docs" / "adding.md"


@dataclass(frozen=True)
class Short(Curvature):
    """Convex, smooth, |grad f| <= G; its search clients are those of all convex functions."""

    G: str = "G"
    sufficient = False
    source = "by definition"

    @property
    def needs(self):
        return (*super().needs, self.G)

    def inequalities(self, x, client):
        yield from super().inequalities(x, client)
        for a, (_, g, _) in enumerate(client.points):
            yield f"{a} bounded", client.own(getattr(x, self.G)) ** 2 - client.dot(g, g)


def bounded_gradients():
    """The class of the page."""
    text = PAGE.read_text(encoding="utf-8")
    module = types.ModuleType("own_class_of_the_page")
    sys.modules[module.__name__] = module
    exec(re.search(r"^`bounded.py`:\n\n```python\n(.*?)^```", text, re.S | re.M).group(1), module.__dict__)
    return module.BoundedGradients


SCALARS = {"L": positive(CURVATURE), "G": positive(GRADIENT)}
TRUE = {
    "root": lambda x: le(x.sqrt(x.sq(x.f.grad(x.v))), x.G),
    "square": lambda x: le(x.sq(x.f.grad(x.v)), x.G**2),
    "difference": lambda x: le(x.sq(x.f.grad(x.v) - x.f.grad(x.w)), 4 * x.G**2),
    "values": lambda x: le((x.f.value(x.v) - x.f.value(x.w)) ** 2, x.G**2 * x.sq(x.v - x.w)),
    "after a step": lambda x: le(x.sq(x.f.grad(x.v - x.f.grad(x.v) / x.L)), x.G**2),
}
FALSE = {
    "root": lambda x: le(x.sqrt(x.sq(x.f.grad(x.v))), 9 * x.G / 10),
    "difference": lambda x: le(x.sq(x.f.grad(x.v) - x.f.grad(x.w)), 2 * x.G**2),
    "values": lambda x: le((x.f.value(x.v) - x.f.value(x.w)) ** 2, x.G**2 * x.sq(x.v - x.w) / 2),
}


@pytest.mark.parametrize("kind", ["without clients", "of the page"])
@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_of_the_class_is_not_refuted(name, kind):
    """Neither by clients of the class above it, nor by an engine that crashes over data that the class does not know."""
    f = Short("b", upper="L") if kind == "without clients" else bounded_gradients()("b", upper="L")
    world = Points(f, at=("w", "v"), **SCALARS)
    v = fedtheory.verify(
        claim("draft/own", world=world, control=Control("0 is less", lambda x: le(x.G, 0)))(TRUE[name])
    )
    assert v.verdict not in ("refuted", "vacuous") and not v.crashed, (v.verdict, v.reason)
    outside = [e.reason for e in v.evidence if "of its class" in e.reason]
    assert bool(outside) <= (kind == "without clients"), outside


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_of_the_class_is_refuted_by_its_own_clients(name):
    world = Points(bounded_gradients()("b", upper="L"), at=("w", "v"), **SCALARS)
    v = fedtheory.verify(claim("draft/own", world=world)(FALSE[name]))
    assert v.verdict == "refuted", v.reason
