"""Functions and points with a step and quantities: what runs and single steps have in common, and single steps."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from fedtheory._arrays import to_host
from fedtheory.bodies import attempt, takes_one
from fedtheory.errors import NotApplicable, UnitsMismatch, UsageError
from fedtheory.gram.forms import Form, Space
from fedtheory.gram.generic_space import GenericSpace
from fedtheory.instance import Instance, Later
from fedtheory.numbers import Draws, Numbers, OfMatrices
from fedtheory.relation import Condition
from fedtheory.units import OfOne, Unit
from fedtheory.world import Free, Parts

from .conditions import names_of
from .derived import DerivedFunctionWorld
from .participation import takings
from .tabled import KnownAtPoints
from .within import OF, Within, more_steps

ROUNDS = 8  # how often a score of 1 has been through the values
CHOICES = 16  # values at a step, of all names together, up to which a search comes to each


@dataclass(frozen=True)
class Stepping(DerivedFunctionWorld):
    """Functions and points with a step and quantities; `RunWorld` and `OneStep` are its two uses.

    Attributes
    ----------
    step : dict of callables
        Where the points that move are after a step: functions of an instance, or of an instance and a draw.
    start : dict of callables
        Where points that move begin, as functions of those that are not listed; these begin anywhere.
    fresh : tuple of str
        Points that are new, and may be any vectors, at every step.
    reach : dict of callables
        How far from zero a search draws them, where a condition bounds them.
    quantities : dict of callables
        What is followed, by name: functions of an instance at one state.
    outcomes : tuple
        Draws of a step, where these are not the selections of S clients; equally likely ones, unless there are
    chances : callable or None
        of each of them, a function of the scalars: numbers, none negative, whose sum is one.
    within : dict of Within
        Points that are what a run of its own, within the step, comes to; for one step they are any vectors.
    means : dict of (point, weight)
        Points that do not move and are means of one that does, over the steps, with weights ``(x, t)``.
    selection : str
        The name of a selection that is new at every step, and may be any: of S clients where S is a size, else of any number.
    either : dict of tuple
        Names that at every step are any of some values.
    obeys : tuple of Condition
        What holds of the points, of each client, at every step.
    """

    step: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    start: Mapping[str, OF] = field(default_factory=dict)
    fresh: tuple[str, ...] = ()
    reach: Mapping[str, OF] = field(default_factory=dict)
    quantities: Mapping[str, OF] = field(default_factory=dict)
    outcomes: tuple[int, ...] = ()
    chances: OF | None = None
    within: Mapping[str, Within] = field(default_factory=dict)
    means: Mapping[str, tuple[str, Callable[..., Any]]] = field(default_factory=dict)
    selection: str = ""
    either: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    obeys: tuple[Condition, ...] = ()

    exchangeable: ClassVar[bool] = True

    def parts(self) -> Parts:
        return replace(
            super().parts(), obeys=self.obeys, step=self.step, start=self.start, quantities=self.quantities,
            outcomes=self.outcomes, chances=self.chances, within=self.within, means=self.means,
        )  # fmt: skip

    def owners(self) -> list[tuple[str, str]]:
        chosen = [(name, "what is chosen at every step") for name in self.chosen]
        return [*super().owners(), *((name, "a quantity") for name in self.quantities), *chosen]

    def reading(self) -> str:
        """As for points; a matrix that changes has data for every step of a run."""
        own = [f"{name} at a step of a run is made of its own rows of these." for name in self.varying]
        return " ".join([super().reading(), *own])

    @property
    def varying(self) -> tuple[str, ...]:
        """The names of the matrices that are others at every step."""
        return tuple(name for name, kind in self.mixing.items() if kind.varying)

    @property
    def graph(self) -> str:
        """The name of the matrix that is drawn at every step, which is what the step takes; empty where none is."""
        return next((name for name, kind in self.mixing.items() if kind.random), "")

    @property
    def chosen(self) -> tuple[str, ...]:
        """The names of what is chosen at every step."""
        return (*((self.selection,) if self.selection else ()), *self.either)

    @property
    def scatters(self) -> bool:
        """Not where points are moved to what they obey, which is done for scalars that they share."""
        return not self.obeys and super().scatters

    def fewest_new(self) -> list[Condition]:
        """What the points obey, first what is about few of those that are new at every step: the others are moved to it later."""
        return sorted(self.obeys, key=lambda c: sum(name in self.fresh for name in names_of(c)))

    def unknown_choices(self) -> dict[str, Any]:
        """What is chosen at another step, of which nothing is known."""
        return self._unknown(self.chosen)

    def _unknown(self, names: Iterable[str]) -> dict[str, Any]:
        return {name: Later(partial(_refused, f"what x.{name} is at the next step is not known")) for name in names}

    @property
    def partly(self) -> str:
        count = math.prod(map(len, self.either.values()))
        if self.graph:
            return f"{self.graph} is one of two matrices at every step of the search"
        return f"of {count} choices at a step the search has only some" if count > CHOICES else super().partly

    def choices(self, data: Mapping[str, Any], numbers: Numbers, shape: Mapping[str, int], *t: int) -> dict[str, Any]:
        """What is chosen, at t where there are several steps, from scores among the free data."""
        out: dict[str, Any] = {}
        for name in self.chosen:
            if name in shape:
                continue
            where: Any = (..., *t, slice(None), 0)
            scores = np.asarray(to_host(data[_score(name)]), dtype=float)[where]
            if name == self.selection:
                best = np.argsort(np.argsort(-scores, axis=-1), axis=-1) < shape["S"] if "S" in shape else scores > 0
                out[name] = numbers.array(best.astype(object) * 1)
            else:
                values = self.either[name]
                place = int(abs(scores.reshape(-1)[0]) * ROUNDS * len(values)) % len(values)
                out[name] = numbers.count(values[place])
        return out

    def scores_of(self, shape: Mapping[str, int]) -> dict[str, np.ndarray]:
        """Scores at one step, of which what is chosen in `shape` comes."""
        out: dict[str, np.ndarray] = {}
        for name in self.chosen:
            if name == self.selection:
                scores = [Fraction(2 * (shape[name] >> i & 1) - 1) for i in range(shape["m"])]
            else:
                values = self.either[name]
                scores = [Fraction(2 * values.index(shape[name]) + 1, 2 * ROUNDS * len(values))]
            out[_score(name)] = np.array(scores, dtype=object)[:, None]
        return out

    def scope(self, scalars: Mapping[str, Any], shape: Mapping[str, int], numbers: Numbers) -> Instance:
        """With the clients of a selection that is given by its bits."""
        x = super().scope(scalars, shape, numbers)
        if self.selection not in shape:
            return x
        bits = [Fraction(shape[self.selection] >> i & 1) for i in range(shape["m"])]
        return x._but(names={self.selection: numbers.array(np.array(bits, dtype=object))})

    def score_vectors(
        self, rng: np.random.Generator, batch: int, m: int, times: tuple[int, ...]
    ) -> dict[str, np.ndarray]:
        """Scores of the clients, and of what is chosen, which is one for a batch."""
        out = {}
        for name in self.chosen:
            rows = batch if name == self.selection else 1
            scores = rng.standard_normal((rows, *times, m if name == self.selection else 1, 1))
            out[_score(name)] = np.repeat(scores, batch // rows, axis=0)
        return out

    def admit(self, name: str, v: np.ndarray) -> np.ndarray:
        """Scores of what is one choice for a batch are those of its first instance."""
        if name in (*map(_score, self.either), *map(more_steps, self.own_lengths)):
            return np.broadcast_to(v[:1], v.shape).copy()
        return super().admit(name, v)

    def draws(self, shape: Mapping[str, int], numbers: Numbers, names: Mapping[str, Any]) -> tuple[Any, ...]:
        """The draws of one step, with their chances where these differ; none where it is not random."""
        if self.graph:
            return OfMatrices(getattr(names[self.graph], "draws", lambda: (names[self.graph],) * 2)())  # or of units
        if self.chances is not None:
            return Draws(self.outcomes, self.chances_at(names, numbers))
        return self.outcomes or takings(self.participation, shape, numbers, names)

    def chances_at(self, names: Mapping[str, Any], numbers: Numbers) -> tuple[Any, ...]:
        """The chances of the outcomes at some scalars; they read nothing else."""
        own = {k: names[k] for k, s in self.scalars.items() if not (s.per_client or s.weight)}
        assert self.chances is not None
        return tuple(attempt(self.chances, Instance(numbers, own), "chances"))

    @property
    def random(self) -> bool:
        """Whether the step takes a draw."""
        return any(not takes_one(fn) for fn in self.step.values())

    def draws_at(self, x: Instance, draws: Sequence[Any]) -> Sequence[Any]:
        """Those of a step from x, which are the same at all states unless it is a matrix that is drawn."""
        if not self.random:
            return (None,)
        return self.draws({}, x._numbers, x._names) if self.graph else draws

    def moved(self, x: Instance, draw: Any, fresh: Mapping[str, Any]) -> Instance:
        """The instance after a step from x, where new points are these; a matrix that changes is not known there."""
        after = {
            name: attempt(fn if takes_one(fn) else partial(_with_draw, fn, draw), x, f"step of {name}")
            for name, fn in self.step.items()
        }
        return x.at(**after, **fresh, **self._unknown(self.varying))

    def begun(self, x: Instance) -> Instance:
        """The instance at the start of a run."""
        return x.at(**{name: attempt(fn, x, f"start of {name}") for name, fn in self.start.items()})

    def quantity(self, name: str, x: Instance) -> Any:
        """What a quantity is at one state."""
        return attempt(self.quantities[name], x, f"quantity {name}")

    def unit_of_constant(self, name: str, x: Instance) -> Any:
        """The unit of a quantity that is one number."""
        found = np.asarray(self.quantity(name, x), dtype=object)
        return OfOne(Unit.of(found.item()), name) if found.size == 1 else found

    def after(
        self,
        name: str,
        x: Instance,
        draws: Sequence[Any],
        fresh: Mapping[str, Any],
        chosen: Mapping[str, Any] | None = None,
    ) -> Any:
        """What a quantity is after a step from x, in the mean over the draws of a random one; see `after_draw`."""
        if not self.random:
            return self.after_draw(name, x, None, fresh, chosen)
        if self.graph:
            return self._of_second_moments(x, draws, lambda draw: self.after_draw(name, x, draw, fresh, chosen))
        return x._numbers.expectation(lambda draw: self.after_draw(name, x, draw, fresh, chosen), draws)

    def _of_second_moments(self, x: Instance, draws: Sequence[Any], of: Callable[[Any], Any]) -> Any:
        """The mean over the draws of a matrix, of what is linear in inner products, where these are all that is known."""
        found = x._numbers.expectation(of, draws)
        plain = np.asarray(found, dtype=object).view(np.ndarray).reshape(-1)
        if x._numbers.kind == "gram" and not all(isinstance(one, Form) for one in plain):
            raise NotApplicable("what a matrix that is drawn makes is known by its second moments alone")
        return found

    def after_draw(
        self, name: str, x: Instance, draw: Any, fresh: Mapping[str, Any], chosen: Mapping[str, Any] | None = None
    ) -> Any:
        """What a quantity is after a step from x with a draw.

        Raises
        ------
        NotApplicable
            If it reads what is chosen there, which is not what is chosen at x, where nothing is given for it; or after a draw
            what is new there, which may be another vector after another draw.
        """
        unknown = (*self.chosen, *(self.new if self.random else ()))
        others = self._unknown(unknown) if chosen is None else chosen
        return self.quantity(name, self._moved_once(x, draw, fresh).at(**others))

    def _moved_once(self, x: Instance, draw: Any, fresh: Mapping[str, Any]) -> Instance:
        """The instance after a step from x, made once for all quantities there."""
        kept: dict[Any, Any] = x.__dict__.setdefault("_moved", {})
        made_of = (
            self.step,
            draw,
            *fresh.values(),
        )  # which live as long as the instance, so that their ids stay theirs
        key = (*map(id, made_of), *fresh)
        if key not in kept:
            kept[key] = self.moved(x, draw, fresh), made_of
        return kept[key][0]  # type: ignore[no-any-return]

    @cached_property
    def constant(self) -> frozenset[str]:
        """The quantities that read nothing that moves: numbers, not sequences."""
        plain = {f.name: getattr(self, f.name) for f in fields(DerivedFunctionWorld)}
        plain["given"] = ()  # which may be about quantities
        still = DerivedFunctionWorld(**plain).units().without({*self.step, *self.new, *self.varying})
        out = set()
        for name, fn in self.quantities.items():
            try:
                fn(still)
            except (UsageError, UnitsMismatch, NotApplicable, ZeroDivisionError, TypeError, AttributeError):
                continue
            out.add(name)
        return frozenset(out)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of what a theorem has numbers for."""
        return (*self.scalars, *self.sizes, *self.derived, *self.quantities)

    def new_names(self) -> dict[str, str]:
        """What the points that are new after a step are called, by their names before it."""
        return {name: f"{name}_after" for name in self.new}

    @property
    def new(self) -> tuple[str, ...]:
        """The points that are new at every step."""
        return (*self.fresh, *self.within)

    def unit_choices(self, shape: Mapping[str, int]) -> dict[str, Any]:
        """Choices for the units: all clients, and the first of several values."""
        everyone = np.ones(shape.get("m", 1), dtype=object)
        return ({self.selection: everyone} if self.selection else {}) | {k: v[0] for k, v in self.either.items()}

    @property
    def counts(self) -> tuple[str, ...]:
        """The lengths of the runs within a step: sizes of a run, and any numbers of at least 1 for what is proved of it."""
        return tuple(dict.fromkeys(w.length for w in self.within.values()))

    @property
    def own_lengths(self) -> dict[str, str]:
        """The points that are where every client is after a number of steps of its own, each with the first of those of one run."""
        own = {name: w for name, w in self.within.items() if w.up_to}
        same = {n: [k for k, v in own.items() if (v.run, v.up_to) == (w.run, w.up_to)] for n, w in own.items()}
        return {name: names[0] for name, names in same.items()}


def _score(name: str) -> str:
    return f"{name}_score"


def _refused(why: str) -> Any:
    raise NotApplicable(why)


def _with_draw(fn: Callable[..., Any], draw: Any, x: Instance) -> Any:
    return fn(x, draw)


@dataclass(frozen=True)
class OneStep(Stepping):
    """One step from any state: the quantities before it by name, and after it as ``x.next``."""

    exchangeable: ClassVar[bool] = True
    bendable: ClassVar[bool] = True
    own_names: ClassVar[tuple[str, ...]] = ("next",)

    def names(self) -> dict[str, tuple[str, ...]]:
        kinds = {**super().names(), "quantities": tuple(self.quantities)}
        return {**kinds, "choices": self.chosen} if self.chosen else kinds

    def _stepping(self, x: Instance, draws: Sequence[Any]) -> Instance:
        """The instance with its quantities, and with those after the step."""
        now = {name: Later(partial(self.quantity, name, x)) for name in self.quantities}
        return x._but(names={**now, "next": Later(partial(self._next, x, draws))}, draws=draws)

    def _next(self, x: Instance, draws: Sequence[Any]) -> Instance:
        """The instance after the step, with the quantities alone where that is random."""
        fresh = {name: x._names[new] for name, new in self.new_names().items()}
        later = {name: Later(partial(self.after, name, x, draws, fresh)) for name in self.quantities}
        scalars = {k: v for k, v in x._names.items() if k not in (*self.at, *self.clients_at)}
        after = {**scalars, **later} if self.random else {**self._moved_once(x, None, fresh)._names, **later}
        return Instance(x._numbers, {**after, **self.unknown_choices()})

    def completed(self, x: Instance) -> Instance:
        lacking = next((name for name in self.chosen if name not in x._names), None)
        if lacking:
            raise NotApplicable(f"a lemma about one step at which x.{lacking} is chosen is used in no theorem")
        return self._stepping(x, x._draws)

    def finish(
        self, names: dict[str, Any], given: list[Any], shape: Mapping[str, int], data: dict[str, Any], numbers: Numbers
    ) -> Instance:
        draws = self.draws(shape, numbers, names)
        names = {**names, **self.choices(data, numbers, shape)}
        return self._stepping(Instance(numbers, names, draws=draws, given=given), draws)

    def to_choose(self, shape: Mapping[str, int], *, generic: bool = False) -> list[dict[str, int]]:
        """Every value, and every selection of the clients by its bits, all of them first."""
        out: dict[str, Iterable[int]] = dict(self.either)
        if self.selection and not generic:
            out[self.selection] = [
                k for k in range(2 ** shape["m"])[::-1] if k.bit_count() == shape.get("S", k.bit_count())
            ]
        return [dict(zip(out, values, strict=True)) for values in itertools.product(*out.values())]

    def known_at_points(self) -> list[Any]:
        """Where what is known of the functions suffices; where a run within a step ends may be anywhere."""
        return self.at_points_of(TabledStep)

    def placed(
        self, space: Space, leaves: np.ndarray, values: np.ndarray, scalars: Mapping[str, Any], shape: Mapping[str, int]
    ) -> Free | None:
        """With scores of which what is chosen in `shape` comes."""
        free = super().placed(space, leaves, values, scalars, {k: n for k, n in shape.items() if k not in self.chosen})
        return free and free.replace(vectors={**free.vectors, **self.scores_of(shape)})

    def draw_vectors(self, rng: np.random.Generator, shape: Mapping[str, int], batch: int) -> dict[str, np.ndarray]:
        """As for points, with scores for what is chosen."""
        return super().draw_vectors(rng, shape, batch) | self.score_vectors(rng, batch, shape.get("m", 1), ())

    def abstract_finish(self, names: dict[str, Any], x: Instance, shape: dict[str, int], space: Space) -> Instance:
        draws = self.draws(shape, space.numbers, {**x._names, **names})
        own = {}
        for name in self.chosen:
            if name not in shape:
                if name != self.selection or not isinstance(space, GenericSpace):
                    raise NotApplicable(f"what x.{name} is at the step is not said")
                own[name] = space.numbers.selections(shape["m"], 0)[0]  # any of them
        return self._stepping(Instance(space.numbers, {**x._names, **names, **own}, draws=draws), draws)

    def unit_finish(self, names: dict[str, Any], shape: dict[str, int], numbers: Numbers, given: Any) -> Instance:
        draws = self.draws(shape, numbers, names)
        names = {**names, **self.unit_choices(shape)}
        return self._stepping(Instance(numbers, names, draws=draws, given=given), draws)


class TabledStep(KnownAtPoints, OneStep):
    """One step with clients that are known at points alone."""
