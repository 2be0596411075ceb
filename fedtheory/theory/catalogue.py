"""Named constants and conditions of a paper, evaluated from whatever parameters are at hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..claim import Relation


class MissingParameter(KeyError):
    """A formula asks for a parameter that was not given."""


class Parameters:
    """Parameters by the paper's name, with constants that stand in for parameters that were not given."""

    def __init__(self, given: Mapping[str, Any], derived: Mapping[str, Callable[[Any], Any]] | None = None) -> None:
        self._given = dict(given)
        self._derived = dict(derived or {})

    def __getattr__(self, name: str) -> Any:
        given = self.__dict__.get("_given", {})
        if name in given:
            return given[name]
        if name in self.__dict__.get("_derived", {}):
            return self._derived[name](self)
        raise MissingParameter(name)


@dataclass(frozen=True)
class Constant:
    """A constant: name, locator in the paper, and the formula."""

    name: str
    where: str
    formula: Callable[[Any], Any]


@dataclass(frozen=True)
class Condition:
    """A condition: as printed, locator in the paper, and the relation."""

    printed: str
    where: str
    relation: Callable[[Any], Relation]


@dataclass(frozen=True)
class Catalogue:
    """What a paper's theorems need: the parameters with their meaning, constants and conditions."""

    parameters: Mapping[str, str]
    constants: tuple[Constant, ...]
    conditions: tuple[Condition, ...]
    derived: Mapping[str, Callable[[Any], Any]]


@dataclass(frozen=True)
class Row:
    """One evaluated line.

    Attributes
    ----------
    kind : "constant" or "condition"
    name, where : str
    value : Fraction or None
        Of a constant.
    lhs, op, rhs, holds, margin
        Of a condition; margin is (rhs - lhs)/|rhs|, None where rhs = 0.
    missing : str
        The parameter that is needed, or why the formula has no value.
    """

    kind: str
    name: str
    where: str
    value: Any = None
    lhs: Any = None
    op: str = ""
    rhs: Any = None
    holds: bool | None = None
    margin: Any = None
    missing: str = ""


def evaluate(catalogue: Catalogue, given: Mapping[str, Fraction]) -> Iterator[Row]:
    """Every constant and condition at the given parameters, exactly; what cannot be evaluated says why."""
    x = Parameters(given, catalogue.derived)
    for c in catalogue.constants:
        try:
            yield Row("constant", c.name, c.where, value=c.formula(x))
        except MissingParameter as name:
            yield Row("constant", c.name, c.where, missing=f"needs {name.args[0]}")
        except ZeroDivisionError:
            yield Row("constant", c.name, c.where, missing="division by zero")
    for k in catalogue.conditions:
        try:
            r = k.relation(x)
            holds = r.lhs <= r.rhs if r.op == "<=" else r.lhs < r.rhs
            margin = (r.rhs - r.lhs) / abs(r.rhs) if r.rhs else None
            yield Row("condition", k.printed, k.where, None, r.lhs, r.op, r.rhs, bool(holds), margin)
        except MissingParameter as name:
            yield Row("condition", k.printed, k.where, missing=f"needs {name.args[0]}")
        except ZeroDivisionError:
            yield Row("condition", k.printed, k.where, missing="division by zero")
