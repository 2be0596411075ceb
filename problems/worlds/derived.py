"""Scalars given by formulas: a world draws few free ones, the others follow, so that a narrow region is met by construction.

A step size drawn freely meets eta <= eta1_hat/(beta R) and T >= 2/(eta mu_F) once in many thousand draws; as a formula of
its distance to the bound it meets both always. The stated conditions are evaluated all the same, on what follows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

from fedtheory.bodies import attempt
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.relation import Relation
from fedtheory.world import Parts, Scalar

from .function_world import FunctionWorld
from .points import Points
from .region import Given, Region, stated
from .scalars import Scalars


@dataclass(frozen=True)
class Formula:
    """A formula as it is to be read; witnesses list the value under ``name = printed``."""

    printed: str
    fn: Callable[[Instance], Any]

    def __call__(self, x: Instance) -> Any:
        return self.fn(x)


Derived = Mapping[str, Formula | Callable[[Instance], Any]]


def formula(printed: str, fn: Callable[[Instance], Any]) -> Callable[[Instance], Any]:
    """A formula with its printed form; a plain function stands under its own name."""
    return Formula(printed, fn)


def printed(name: str, fn: Any) -> str:
    """How the formula of a scalar reads; empty where that says no more than the scalar's name."""
    text = fn.printed if isinstance(fn, Formula) else fn.__name__
    return "" if text in (name, "<lambda>") else text


@dataclass(frozen=True)
class DerivedRegion(Region):
    """Scalars, of which those in `derived` are computed in order, each from the instance so far; then the conditions."""

    derived: Derived = field(default_factory=dict)

    def parts(self) -> Parts:
        return replace(super().parts(), derived=self.derived)

    def owners(self) -> list[tuple[str, str]]:
        return [*super().owners(), *((name, "a formula") for name in self.derived)]

    def names(self) -> dict[str, tuple[str, ...]]:
        kinds = super().names()
        return {**kinds, "scalars": (*kinds["scalars"], *self.derived)}

    def scope(self, scalars: Mapping[str, Any], shape: Mapping[str, int], numbers: Numbers) -> Instance:
        drawn = Region(self.scalars).scope(scalars, shape, numbers)
        names = {**drawn._names, **self.marks()}
        for name, fn in self.derived.items():
            names[name] = attempt(fn, Instance(numbers, names), f"formula of {name}")
        x = Instance(numbers, names)
        stated = [r for condition in self.on_scalars for r in condition.relations(x)]
        return Instance(numbers, names, given=[*drawn.given, *self._shown(names, numbers), *stated])

    def _shown(self, names: Mapping[str, Any], numbers: Numbers) -> list[Relation]:
        """Values of the named formulas, as equations that hold, so that a witness has them in its conditions."""
        if numbers.kind != "fraction":
            return []
        shown = {name: printed(name, fn) for name, fn in self.derived.items()}
        return [Relation(names[name], "==", names[name], f"{name} = {text}") for name, text in shown.items() if text]

    def ranges(self) -> list[str]:
        shown = {name: printed(name, fn) for name, fn in self.derived.items()}
        return [*super().ranges(), *[f"{name} = {text}" for name, text in shown.items() if text]]


@dataclass(frozen=True)
class DerivedFunctionWorld(FunctionWorld, DerivedRegion):
    """A world of functions at points with formulas; `DerivedPoints` builds it."""

    exchangeable: ClassVar[bool] = True


def DerivedScalars(
    derived: Derived,
    *,
    given: tuple[Given, ...] = (),
    sizes: Mapping[str, tuple[int, ...]] | None = None,
    **scalars: Scalar,
) -> DerivedRegion:
    """`Scalars`, with formulas: ``DerivedScalars({"kappa": lambda x: x.L/x.mu}, L=positive(), mu=positive())``.

    Raises
    ------
    UsageError
        If a scalar is not a `Scalar`.

    Examples
    --------
    >>> from fedtheory.numbers import Fractions
    >>> from problems import positive
    >>> world = DerivedScalars({"kappa": lambda x: x.L / x.mu}, L=positive(), mu=positive())
    >>> str(world.scope({"L": Fractions().scalar(3), "mu": Fractions().scalar(2)}, {}, Fractions()).kappa)
    '3/2'
    """
    plain = Scalars(given=(), sizes=sizes, example=None, **scalars)  # the conditions may name what is derived
    return DerivedRegion(plain.scalars, stated(given), plain.sizes, derived=dict(derived))


def DerivedPoints(derived: Derived, *args: Any, given: tuple[Given, ...] = (), **options: Any) -> DerivedFunctionWorld:
    """`Points`, with formulas; bounds of the function class and lam are given as scalars."""
    plain = Points(*args, **options)
    parts = {f.name: getattr(plain, f.name) for f in fields(plain)}
    return DerivedFunctionWorld(**{**parts, "given": stated(given)}, derived=dict(derived))
