"""Scalars of a claim: ranges, stated conditions, sampling over eighteen decades and on the boundary of the region."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fedtheory.errors import UsageError
from fedtheory.gram.forms import Space
from fedtheory.instance import WEIGHTS, Instance
from fedtheory.numbers import Floats, Numbers, Units
from fedtheory.relation import Condition, Relation
from fedtheory.units import OfOne
from fedtheory.world import Free, Parts, Scalar

from .conditions import holds, sorted_out
from .draws import EDIT_CUTS, related, towards, within
from .grids import in_general_position, near_the_example, small_rationals
from .names import require_one_meaning
from .ordinary import convex_part, is_ordinary
from .values import jumped, repeated

MOST_D = 12  # dimensions of clients that are known at points alone
COUNTS = {"m": (1, 2, 3, 4, 5, 8), "d": (1, 2, 3)}  # few clients to certify, more to search
Given = Condition | Callable[[Instance], Any]


def condition(printed: str, relation: Callable[..., Any], where: str = "") -> Condition:
    """A stated condition as the paper prints it, with its locator where that is another than the claim's."""
    return Condition(printed, where, relation)


def stated(given: Iterable[Given], called: str = "given") -> tuple[Condition, ...]:
    """What is given, as conditions; `called` is the name of the argument.

    Raises
    ------
    UsageError
        If it is no tuple of conditions.
    """
    if isinstance(given, Condition) or not isinstance(given, Iterable):
        raise UsageError(
            f"{called}=(...) must be a tuple of conditions, such as (condition('mu < L', ...),), got {given!r}"
        )
    return tuple(Condition.of(g) for g in given)


@dataclass(frozen=True)
class Region:
    """Scalars with their ranges and the conditions under which the paper claims.

    Attributes
    ----------
    scalars : dict of Scalar
        By the paper's name.
    given : tuple of Condition
        Stated conditions; a plain function stands under its own name. Those that name scalars only bound the region,
        `on_scalars`; those that name points or functions are met by the instances, `at_points`.
    sizes : dict of tuple of int
        Structural integers (m, d, R, S ...) and the values to look at; selected clients ``S``, ``S1`` ... never exceed ``m``.
    example : dict
        Scalars, and sizes, at which the conditions hold, where draws hardly ever meet them.
    """

    scalars: Mapping[str, Scalar] = field(default_factory=dict)
    given: tuple[Condition, ...] = ()
    sizes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    example: Mapping[str, Any] = field(default_factory=dict, kw_only=True)

    batched_scalars: ClassVar[bool] = True
    exchangeable: ClassVar[bool] = False
    counts_steps: ClassVar[bool] = False
    local_steps: ClassVar[str] = ""
    index: ClassVar[str] = ""
    axes: ClassVar[bool] = False
    weights: ClassVar[str] = ""
    own_clients: ClassVar[str] = "the claim is about scalars alone"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.exchangeable = bool(cls.__dict__.get("exchangeable", False))  # a subclass has to say so for itself

    def parts(self) -> Parts:
        return Parts()

    def __post_init__(self) -> None:
        object.__setattr__(self, "given", stated(self.given))
        for name, values in self.sizes.items():
            least = 1 if name in ("m", "d") or _counts_selected(name) else 0
            if (
                not values
                or isinstance(values, str)
                or not isinstance(values, Sequence)
                or not all(isinstance(v, int) and not isinstance(v, bool) and v >= least for v in values)
            ):
                raise UsageError(f"sizes={{{name!r}: ...}} needs whole numbers of at least {least}, got {values!r}")
        for name in (k for k in self.must_have if k not in self.sizes):
            raise UsageError(
                f"{type(self).__name__}: sizes must have {', '.join(self.must_have)}, such as {{{name!r}: (1, 2)}}, and has no "
                f"{name}, got {dict(self.sizes)}"
            )
        require_one_meaning(self.owners(), type(self).__name__)
        if self.at_points and not self.takes_conditions_at_points():
            printed = ", ".join(repr(c.printed) for c in self.at_points)
            raise UsageError(f"{type(self).__name__} takes conditions on its scalars only, got {printed}")

    @property
    def must_have(self) -> tuple[str, ...]:
        """The sizes that are asked for by name: the length, where it may be any number."""
        return (self.index,) if self.index else ()

    def owners(self) -> list[tuple[str, str]]:
        """Every name of an instance with what it is; none may stand twice."""
        sizes = [(name, "a size") for name in self.sizes] + (
            [("N", "the number of clients")] if "m" in self.sizes else []
        )
        return [*sizes, *((name, "a scalar") for name in self.scalars)]

    def names(self) -> dict[str, tuple[str, ...]]:
        """The names that a condition may use, by kind; scalars are known before there are any points."""
        return {"scalars": (*self.sizes, *(("N",) if "m" in self.sizes else ()), *self.scalars)}

    @cached_property
    def _sorted(self) -> tuple[tuple[Condition, ...], tuple[Condition, ...]]:
        return sorted_out(self.given, self.names())

    @property
    def on_scalars(self) -> tuple[Condition, ...]:
        """The stated conditions that name scalars only."""
        return self._sorted[0]

    @property
    def at_points(self) -> tuple[Condition, ...]:
        """The stated conditions that name points or functions."""
        return self._sorted[1]

    @property
    def scatters(self) -> bool:
        """There are no vectors."""
        return False

    @property
    def sufficient(self) -> bool:
        """There is no function class."""
        return True

    def takes_conditions_at_points(self) -> bool:
        """Whether instances are drawn, built and made abstract within conditions at points."""
        return False

    def hypotheses(self) -> list[str]:
        """Ranges, what is assumed of functions and points, and the stated conditions, a line each."""
        return [*self.ranges(), *self.assumptions(), *(c.printed for c in self.given)]

    def ranges(self) -> list[str]:
        """The ranges of the scalars."""
        return [line(name, s) for name, s in self.scalars.items()]

    def assumptions(self) -> list[str]:
        """What is assumed besides; nothing where there are scalars alone."""
        return []

    def reading(self) -> str:
        """Scalars need no explanation."""
        return ""

    def legible(self, vectors: Mapping[str, Any]) -> dict[str, Any]:
        """All of them."""
        return dict(vectors)

    def shapes(self, largest_m: int) -> list[dict[str, int]]:
        """Every combination of sizes with m <= largest_m and S, S1 ... <= m."""
        names = list(self.sizes)
        shapes = [dict(zip(names, values, strict=True)) for values in itertools.product(*self.sizes.values())]
        selections = [k for k in names if _counts_selected(k)]
        shapes = [s for s in shapes if "m" not in s or all(s[k] <= s["m"] for k in selections)]
        least = min((s.get("m", 1) for s in shapes), default=1)
        return [s for s in shapes if s.get("m", 1) <= max(largest_m, least)]

    def beyond(self, largest_m: int) -> list[dict[str, int]]:
        """Other combinations that the world has, of which no instance is looked at."""
        return []

    @property
    def partly(self) -> str:
        """What of its instances a search has only in part: nothing."""
        return ""

    def to_choose(self, shape: Mapping[str, int], *, generic: bool = False) -> list[dict[str, int]]:
        """Nothing is."""
        return [{}]

    def only(self, shape: Mapping[str, int]) -> Region:
        """This world at one shape."""
        return self.at_sizes({k: (v,) for k, v in shape.items()})

    def at_sizes(self, sizes: Mapping[str, tuple[int, ...]]) -> Region:
        """This world at other sizes; parameters that are found for one of the two serve both."""
        other = dataclasses.replace(self, sizes=dict(sizes))
        other.__dict__.update(_grids=self._grids, _generals=self._generals)
        return other

    def breaks(self, x: Instance) -> str:
        """There is no function class."""
        return ""

    def relatives(self) -> list[Region]:
        """This world with instances of other kinds."""
        return []

    def known_at_points(self) -> list[Region]:
        """Worlds whose instances are this one's and are given by inner products, gradients and values."""
        return []

    def in_more_dimensions(self) -> Region:
        """This world, with vectors of more dimensions than a search draws unless it says which."""
        d = tuple(range(1, MOST_D + 1)) if self.sizes.get("d") == COUNTS["d"] else self.sizes["d"]
        return dataclasses.replace(self, sizes={**self.sizes, "d": d})

    def placed(self, *_: Any) -> Free | None:
        """There are no vectors."""
        return None

    ordinary = is_ordinary
    convex_part = convex_part

    def far(self, free: Free, power: int, scale: float) -> Free:
        """A batch with every scalar that has no upper end a power as far from its lower one, and points `scale` times as far."""

        def moved(v: Any, spec: Scalar) -> Any:
            low = float(spec.low or 0)
            with np.errstate(over="ignore"):
                out = low + np.sign(v - low) * np.power(np.abs(v - low), float(power))
            out = np.where(np.isfinite(out), out, v)
            return out if np.ndim(v) else float(out)

        bounded = {k for k, s in self.scalars.items() if s.weight or s.high is not None}
        return free.replace(
            scalars={k: v if k in bounded else moved(v, self.scalars[k]) for k, v in free.scalars.items()}
        )

    def without(self, stated: Condition) -> Region:
        """This world without one of its stated conditions."""
        return dataclasses.replace(self, given=tuple(c for c in self.given if c is not stated))

    def scope(self, scalars: Mapping[str, Any], shape: Mapping[str, int], numbers: Numbers) -> Instance:
        """Scalars alone, with weights normalised, and the conditions on them as `given`."""
        names: dict[str, Any] = {k: numbers.size(k, v) for k, v in shape.items()}
        if "m" in names:
            names["N"] = names["m"]
        names |= self.marks()
        for name, spec in self.scalars.items():
            value = scalars[name]
            names[name] = value / _total(value, numbers) if spec.weight else value
        x = Instance(numbers, names)
        given = [r for name, spec in self.scalars.items() for r in spec.relations(name, scalars[name])]
        given += [r for c in self.on_scalars for r in c.relations(x)]
        return Instance(numbers, names, given=given)

    def marks(self) -> dict[str, Any]:
        """What every instance has beside its names: that clients have weights, where they have."""
        return {WEIGHTS: None} if self.weights else {}

    def twins(self, free: Free) -> list[Free]:
        """There are no coordinates."""
        return []

    def implied(self, x: Instance) -> list[Relation]:
        """There is no function class."""
        return []

    def extents(self, shape: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
        """There are no vectors."""
        return {}

    def convert(self, scalars: Mapping[str, Any], numbers: Numbers) -> dict[str, Any]:
        """Host scalars as this number type."""
        return {k: numbers.array(v) if getattr(v, "ndim", 0) else numbers.scalar(v) for k, v in scalars.items()}

    def feasible(self, scalars: Mapping[str, Any], shape: Mapping[str, int]) -> np.ndarray:
        """Which rows of a batch of scalars ``(n, 1)`` or ``(n, m)`` meet every condition."""
        n = max((np.shape(v)[0] for v in scalars.values()), default=1)
        ok = np.ones(n, dtype=bool)
        with np.errstate(all="ignore"):
            for r in self.scope(scalars, shape, Floats()).given:
                met = holds(r)
                ok &= met.all(axis=-1) if met.ndim > 1 else met.all()
        return ok

    def draw_scalars(self, rng: np.random.Generator, shape: dict[str, int], count: int) -> dict[str, np.ndarray]:
        """`count` rows that meet the conditions, two fifths of them on the boundary of the region.

        Raises
        ------
        NotApplicable
            If the conditions are met by none of 40,000 draws.
        """
        return within(self, rng, shape, count)

    def related(self, rng: np.random.Generator, raw: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Some rows of draws with scalars that belong together."""
        return related(self.scalars, rng, raw)

    def sample(self, rng: np.random.Generator, shape: dict[str, int], cells: int, batch: int) -> Iterator[Free]:
        """One batch with ``cells * batch`` rows of scalars."""
        yield Free(shape, self.draw_scalars(rng, shape, cells * batch))

    def scattered(self, rng: np.random.Generator, shape: dict[str, int], count: int) -> Free:
        """As `sample` has it."""
        return next(self.sample(rng, shape, 1, count))

    def at_scalars(
        self, rng: np.random.Generator, shape: dict[str, int], scalars: dict[str, Any], batch: int
    ) -> Free | None:
        """The scalars are the whole instance."""
        return Free(shape, scalars)

    def pick(self, free: Free, index: int) -> Free:
        """Row `index`: shared scalars become numbers, per-client ones ``(m,)``."""
        row = {k: v[index] if self.scalars[k].per_client else v[index, 0] for k, v in free.scalars.items()}
        return free.replace(scalars=row)

    def mutate(self, rng: np.random.Generator, free: Free, batch: int) -> Free:
        """A batch of edits of the scalars of one instance, inside the conditions."""
        return self.edited(rng, [free], batch)

    def nudged(self, rng: np.random.Generator, free: Free, batch: int, scale: float) -> Free:
        """There are no vectors."""
        return free

    def admit(self, name: str, v: np.ndarray) -> np.ndarray:
        """There are no vectors."""
        return v

    def edited(self, rng: np.random.Generator, starts: Sequence[Free], batch: int) -> Free:
        """So many edits of the scalars of each instance, inside the conditions."""
        start = repeated([free.scalars for free in starts], batch)
        rows = {k: jumped(rng, self.scalars[k], v) for k, v in start.items()}
        return starts[0].replace(scalars=towards(self, start, rows, starts[0].shape, EDIT_CUTS))

    def build(self, free: Free, numbers: Numbers) -> Instance:
        """The instance is its scalars."""
        return self.scope(self.convert(free.scalars, numbers), free.shape, numbers)

    def grid(self, shape: dict[str, int], count: int) -> list[dict[str, Any]]:
        """Up to `count` rational parameter sets that meet the conditions; the same ones every time."""
        found, more = self._grids.setdefault(tuple(sorted(shape.items())), ([], small_rationals(self, shape)))
        found += itertools.islice(more, max(0, count - len(found)))
        if not found:
            found += near_the_example(self, shape, count)
        return [dict(row) for row in found[:count]]

    @cached_property
    def _grids(self) -> dict[tuple[Any, ...], tuple[list[dict[str, Any]], Iterator[dict[str, Any]]]]:
        """What `grid` has found so far, by size, and where it goes on."""
        return {}

    def general(self, shape: dict[str, int], count: int) -> list[dict[str, Any]]:
        """Up to `count` rational parameter sets in general position; every scalar is small, middling and large in turn.

        No scalar equals another or a small multiple of it, unless the conditions ask for it: where no draw meets them,
        every scalar of a set of `grid` is moved as far as they allow.
        """
        key = (*sorted(shape.items()), count)
        if key not in self._generals:
            self._generals[key] = in_general_position(self, shape, count)
        return [dict(row) for row in self._generals[key]]

    @cached_property
    def _generals(self) -> dict[tuple[Any, ...], list[dict[str, Any]]]:
        """What `general` has found so far, by size and count."""
        return {}

    def abstract(self, scalars: Mapping[str, Any], shape: dict[str, int], space: Space) -> Instance:
        """The scalars alone, on the space's numbers."""
        return self.scope(self.convert(scalars, space.numbers), shape, space.numbers)

    def unit_names(self, shape: Mapping[str, int]) -> dict[str, Any]:
        """Every scalar as its unit."""
        return {
            k: np.full(shape.get("m", 1), s.unit, dtype=object) if s.per_client else OfOne(s.unit, k)
            for k, s in self.scalars.items()
        }

    def units(self) -> Instance:
        """The scalars on units; the stated conditions are in `given`."""
        shape = self.shapes(2)[-1] if self.sizes else {}
        return self.scope(self.unit_names(shape), shape, Units())


def line(name: str, s: Scalar) -> str:
    """The range of a scalar as people read it."""
    if s.weight:
        return f"{name} positive weights that sum to 1"
    own = name + ("_i" if s.per_client else "")
    if s.low is None:
        return f"{own} of either sign"
    low = f"{s.low} {'<=' if s.closed else '<'} {own}"
    return low + (f" < {s.high}" if s.high is not None else "")


def _counts_selected(name: str) -> bool:
    """Whether a size is a number of selected clients, S, S1 ..."""
    return str(name)[:1] == "S" and (len(name) == 1 or name[1:].isdigit())


def _total(value: Any, numbers: Numbers) -> Any:
    return numbers.sum(value, axis=-1, keepdims=True)
