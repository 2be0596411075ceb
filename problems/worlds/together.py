"""Several functions and operators in one world, each of a class of its own: f + h, an operator and a set, three operators.

Nothing draws them: a claim is proved or certified by the inequalities of the classes, or refuted by functions that are known
where the body looks, which meet these exactly. Where one of the classes has only necessary inequalities, nothing refutes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from fedtheory.errors import NotApplicable, UsageError
from fedtheory.gram.forms import Rows, Space
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.relation import Relation, eq
from fedtheory.units import GRADIENT
from fedtheory.world import Free, Parts, Scalar

from .abstract import AbstractClients, UnitClients
from .classes.base import FunctionClass, Task
from .function_world import FunctionWorld, unit_vectors
from .region import COUNTS, Given, Region, stated
from .scalars import example_given, sizes_given
from .tabled import DATA, LARGEST_K, SIZE, Tabled, tabled_clients

UNDRAWN = "functions of several classes are known at points alone, and no search draws them"


class InCommon:
    """A space as one function of several sees it: its vectors and values are of no client, and bear its name."""

    def __init__(self, space: Space, name: str) -> None:
        self._space, self._name = space, name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._space, name)

    def client_leaf(self, name: str) -> np.ndarray:
        """A vector of this function."""
        return self._space.leaf(f"{self._name} {name}")

    def client_value(self, name: str) -> Any:
        """A value of this function."""
        return self._space.value(f"{self._name} {name}")

    def per_client(self, s: np.ndarray) -> np.ndarray:
        """As it is."""
        return s


class CommonFunction(AbstractClients):
    """One function of several, wherever a body looks."""

    def where_grad(self, s: np.ndarray, *plus: CommonFunction) -> np.ndarray:
        """A point at which s is a subgradient, of the sum with other functions where they are given, ``(1, size)``.

        It minimises the function less <s, .>: a mirror step, or the extreme point of a set in the direction s.
        """
        return self._where(lambda _: s, plus)

    def prox(self, W: np.ndarray, lam: Any, *plus: CommonFunction) -> np.ndarray:
        """The proximal point of w, ``(1, size)``, of the sum with other functions where they are given."""
        return self._where(lambda y: (W - y) * lam, plus) if plus else super().prox(W, lam)

    def _where(self, s: Any, plus: tuple[CommonFunction, ...]) -> np.ndarray:
        """A point y at which s(y) is a subgradient of the sum."""
        y = self.space.client_leaf(f"y{len(self._points[0])}")[None].view(Rows)
        rest = s(y)
        for other in plus:
            part = other.space.client_leaf(f"g{len(other._points[0])}")[None].view(Rows)
            other.declare(y, part)
            rest = rest - part
        self.declare(y, rest)
        return y


class UnitFunction(UnitClients):
    """One function of several on units."""

    def where_grad(self, s: Any, *plus: Any) -> np.ndarray:
        """A point."""
        for g in np.asarray(s, dtype=object).flat:
            g + GRADIENT
        return unit_vectors(1)

    def prox(self, W: Any, lam: Any, *plus: Any) -> np.ndarray:
        """A point."""
        return super().prox(W, lam)


@dataclass(frozen=True)
class Known(Tabled):
    """One function of several that is known at points alone."""

    def where_grad(self, s: Any, *plus: Known) -> Any:
        """The point at which this is the subgradient of the sum, ``(1, d)``."""
        return self._where(lambda _: s, plus)

    def prox(self, W: Any, lam: Any, *plus: Known) -> Any:
        """The proximal point, ``(1, d)``, of the sum."""
        return self._where(lambda y: (W - y) * lam, plus) if plus else super().prox(W, lam)

    def _where(self, s: Any, plus: tuple[Known, ...]) -> Any:
        for point in self.points:
            if all((f.points == point).all(axis=-1).any() for f in plus):
                total = sum((f.grad(point) for f in plus), self.grad(point))
                if (total == s(point)).all():
                    return point
        raise NotApplicable("a function is looked at where it is not known")


@dataclass(frozen=True)
class TogetherWorld(FunctionWorld):
    """Functions and operators by name, at named points; `Together` builds it.

    Attributes
    ----------
    common : tuple of (name, FunctionClass)
    zero_of : tuple of str
        Functions of which w_star minimises the sum, or operators of which it is a zero; empty for no w_star.
    fixed_of : str
        The map of which w_star is a fixed point, or empty.
    """

    common: tuple[tuple[str, FunctionClass], ...] = ()
    zero_of: tuple[str, ...] = ()
    fixed_of: str = ""

    own_clients: ClassVar[str] = "the claim is about functions of several classes, which no data give"
    scatters: ClassVar[bool] = False  # type: ignore[assignment]

    def parts(self) -> Parts:
        return replace(super().parts(), drawn=False)

    @property
    def stars(self) -> tuple[str, ...]:
        """The name of w_star where there is one."""
        return ("w_star",) if self.zero_of or self.fixed_of else ()

    def owners(self) -> list[tuple[str, str]]:
        """Beside sizes, scalars and points the functions and the minimiser."""
        star = [(name, "the minimiser") for name in self.stars]
        return [*super().owners(), *star, *((name, "a function") for name, _ in self.common)]

    def names(self) -> dict[str, tuple[str, ...]]:
        """Scalars, points and functions."""
        kinds = super().names()
        return {
            **kinds,
            "points": (*kinds["points"], *self.stars),
            "functions": (*kinds["functions"], *(n for n, _ in self.common)),
        }

    @property
    def sufficient(self) -> bool:
        """Where all classes are."""
        return all(c.sufficient for _, c in self.common)

    def implied(self, x: Instance) -> list[Relation]:
        """What the classes ask."""
        return [r for _, c in self.common for r in c.conditions(x)]

    def assumptions(self) -> list[str]:
        """The classes, and what w_star is."""
        out = [f"{name}: {c.name}" for name, c in self.common]
        out += [
            f"of {name} only necessary inequalities are known ({c.source})"
            for name, c in self.common
            if not c.sufficient
        ]
        if any(getattr(c, "zero", False) for _, c in self.common):
            out.append("where an indicator is looked at the point lies in its set")
        if self.zero_of:
            out.append(f"the subgradients, or values, of {' and '.join(self.zero_of)} at w_star sum to zero")
        return [*out, f"w_star is a fixed point of {self.fixed_of}"] if self.fixed_of else out

    # free data: none

    def sample(self, rng: np.random.Generator, shape: dict[str, int], cells: int, batch: int) -> Iterator[Free]:
        """Nothing draws such functions.

        Raises
        ------
        NotApplicable
            Always.
        """
        raise NotApplicable(UNDRAWN)

    def at_scalars(self, *_: Any) -> Free | None:
        """None is drawn."""
        return None

    def twins(self, free: Free) -> list[Free]:
        """None: what is known at points is so in one system of coordinates."""
        return []

    def relatives(self) -> list[Region]:
        """None is drawn."""
        return []

    def known_at_points(self) -> list[Region]:
        """All instances, where every class has sufficient inequalities."""
        if not self.sufficient:
            return []
        sizes = {**self.in_more_dimensions().sizes, SIZE: tuple(range(1, LARGEST_K + 1))}
        return [TabledTogether(self.scalars, (), sizes, at=self.at, common=self.common,
                               zero_of=self.zero_of, fixed_of=self.fixed_of)]  # fmt: skip

    def placed(
        self, space: Space, leaves: np.ndarray, values: np.ndarray, scalars: Mapping[str, Any], shape: Mapping[str, int]
    ) -> Free | None:
        """With functions that are known where the body looks."""
        wide = [d for kind in self.known_at_points() for d in kind.sizes["d"] if d >= leaves.shape[1]]
        if not wide:
            return None
        padded = np.full((len(leaves), min(wide)), leaves.flat[0] * 0)
        padded[:, : leaves.shape[1]] = leaves
        named = dict(zip(space.leaves, padded, strict=True))
        vectors = {name: named[name][None] for name in (*self.at, *self.stars)}
        tables = [clients.table(padded, values) for clients in space.clients]
        k = max(len(table[0]) for table in tables)
        for (name, _), table in zip(self.common, tables, strict=True):
            for what, part in zip(DATA, table, strict=True):
                vectors[f"{name}_{what}"] = part[np.minimum(np.arange(k), len(part) - 1)]
        return Free({**shape, "d": min(wide), SIZE: k}, dict(scalars), vectors)

    def finish(
        self, names: dict[str, Any], given: list[Any], shape: Mapping[str, int], data: dict[str, Any], numbers: Numbers
    ) -> Instance:
        """The functions that are known at points, and w_star."""
        x = Instance(numbers, names)
        functions = {}
        for name, c in self.common:
            if f"{name}_{DATA[0]}" not in data:
                raise NotApplicable(UNDRAWN)
            clients, more = tabled_clients(c, x, {what: data[f"{name}_{what}"] for what in DATA}, numbers, Task())
            functions[name] = Known(clients.points, clients.grads, clients.values, clients.lower)
            given = [*given, *more]
        for name in self.stars:
            star = data[name]
            total: Any = sum(functions[name].grad(star) for name in self.zero_of) if self.zero_of else star * 0
            off = functions[self.fixed_of].grad(star) - star if self.fixed_of else star * 0
            given += [eq(x.sq(total), 0, "w_star is stationary"), eq(x.sq(off), 0, "w_star is a fixed point")]
            names = {**names, name: star}
        return super().finish({**names, **functions}, given, shape, data, numbers)

    # abstract instances and units

    def abstract_finish(self, names: dict[str, Any], x: Instance, shape: dict[str, int], space: Space) -> Instance:
        """The functions wherever the body looks; their subgradients at w_star sum to zero by substitution."""
        own: dict[str, Any] = {name: CommonFunction(InCommon(space, name), 1, c, x) for name, c in self.common}  # type: ignore[arg-type]
        for name in self.stars:
            own[name] = star = space.leaf(name)[None]
        if self.fixed_of:
            own[self.fixed_of].declare(star, star)
        if self.zero_of:
            rest = space.zero()[None].view(Rows)
            for name in self.zero_of[:-1]:
                g = space.leaf(f"{name} at w_star")[None]
                own[name].declare(star, g)
                rest = rest - g
            own[self.zero_of[-1]].declare(star, rest)
        return super().abstract_finish({**names, **own}, x, shape, space)

    def completed(self, x: Instance) -> Instance:
        """Not where a lemma is used.

        Raises
        ------
        NotApplicable
            Always.
        """
        raise NotApplicable("a lemma about functions of several classes is not used in others")

    def unit_finish(self, names: dict[str, Any], shape: dict[str, int], numbers: Numbers, given: Any) -> Instance:
        """The functions on units, and w_star."""
        own: dict[str, Any] = {name: UnitFunction.of(c, 1) for name, c in self.common}
        own |= {name: unit_vectors(1) for name in self.stars}
        return super().unit_finish({**names, **own}, shape, numbers, given)


@dataclass(frozen=True)
class TabledTogether(TogetherWorld):
    """The sizes and free data of instances whose functions are known at points; nothing draws them."""

    def reading(self) -> str:
        kinds = [f"{name}: {c.tabled(bool(self.zero_of))}" for name, c in self.common]  # type: ignore[attr-defined]
        return " ".join(kinds) + " Of the function h the data stand under h_looked_at, h_grad_there, h_value_there."

    def extents(self, shape: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
        k, d = shape[SIZE], shape["d"]
        own: dict[str, tuple[int, ...]] = {name: (1, d) for name in (*self.at, *self.stars)}
        sizes = ((k, 1, d), (k, 1, d), (k, 1))
        return own | {f"{name}_{what}": size for name, _ in self.common for what, size in zip(DATA, sizes, strict=True)}


def Together(
    functions: Mapping[str, FunctionClass],
    *,
    at: tuple[str, ...] = ("w",),
    zero_of: tuple[str, ...] = (),
    fixed_of: str = "",
    given: tuple[Given, ...] = (),
    sizes: Mapping[str, tuple[int, ...]] | None = None,
    example: Mapping[str, Any] | None = None,
    **scalars: Scalar,
) -> TogetherWorld:
    """A world of functions and operators by name, ``{"f": SmoothConvex("L"), "h": Convex()}``, at the points `at`.

    ``zero_of=("f", "h")`` adds ``x.w_star``, which minimises f + h, or at which operators sum to zero; with ``fixed_of="T"`` it is
    a fixed point of the map T.

    Raises
    ------
    UsageError
        If an argument is not one of the stated values, or w_star would be no minimiser.
    """
    if not isinstance(functions, Mapping) or not functions:
        raise UsageError(f"Together(functions) must be classes by name such as {{'f': Convex()}}, got {functions!r}")
    for name, c in functions.items():
        if not isinstance(c, FunctionClass):
            raise UsageError(f"Together({name!r}: ...) must be a function class such as Convex(), got {c!r}")
        if c.bounded_below or getattr(c, "tabled", None) is None:
            raise UsageError(f"Together({name!r}: ...) has no classes of functions with an infimum, got {c.name}")
        for scalar in c.needs:
            if scalar not in scalars:
                raise UsageError(f"Together({name!r}: {c.name}) needs the scalar {scalar}=...")
    for what, names in (("at", at), ("zero_of", zero_of)):
        if isinstance(names, str) or not isinstance(names, Sequence):
            raise UsageError(f"Together({what}=...) must be a tuple of names, got {names!r}")
    for name in zero_of:
        if name not in functions or zero_of.count(name) > 1:
            raise UsageError(f"Together(zero_of=...) must name functions of the world, each once, got {name!r}")
        if getattr(functions[name], "nonconvex", False):
            raise UsageError(f"Together(zero_of=...): {name} is not convex, so that a zero need not be a minimiser")
    if fixed_of and (zero_of or not getattr(functions.get(fixed_of), "maps", False)):
        raise UsageError(
            f"Together(fixed_of=...) must name a map such as Nonexpansive(), without zero_of, got {fixed_of!r}"
        )
    for name, c in functions.items():
        if getattr(c, "maps", False) and name in zero_of:
            raise UsageError(f"Together(zero_of=...): {name} maps points to points; write fixed_of={name!r}")
        if getattr(c, "around_minimiser", False) and zero_of != (name,):
            raise UsageError(f"Together({name!r}: {c.name}) needs zero_of=({name!r},), its own minimiser")
    for name, spec in scalars.items():
        if not isinstance(spec, Scalar) or spec.low is None or spec.per_client:
            raise UsageError(f"Together({name}=...) must be positive(), at_least() or between(), got {spec!r}")
    counts = {**COUNTS, "m": (1,), **sizes_given(sizes)}
    if tuple(counts["m"]) != (1,):
        raise UsageError(f"Together(sizes=...) has no clients, so m is 1, got {counts['m']!r}")
    return TogetherWorld(
        scalars, stated(given), counts, at=at, common=tuple(functions.items()), zero_of=tuple(zero_of), fixed_of=fixed_of,
        example=example_given(example, scalars, counts, "Together"),
    )  # fmt: skip
