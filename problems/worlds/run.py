"""Runs of a method: one model of functions, points, a step and quantities, about which theorems for every length speak.

``Run(f, step={"w": ...}, quantities={"D": ...}, ...)`` has the quantities along a run, ``x.D[t]`` for t = 0 .. T, and
``run.one_step`` is the world of one step from any state, with ``x.D`` before and ``x.next.D`` after it. What a lemma says
of one step is evaluated on the very leaves of the run, so that no name means anything else in one than in the other.
Searches look at runs of the listed lengths, exactly averaged over every history of draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from fedtheory.errors import NotApplicable, UsageError
from fedtheory.gram.forms import SIZES, Space
from fedtheory.gram.ratio import symbols
from fedtheory.instance import Instance, Later
from fedtheory.numbers import Draws, Floats, Numbers
from fedtheory.relation import Condition, Relation, as_relations, le
from fedtheory.world import Free, Parts, at_least, real

from . import matrices, refused
from .along import HISTORIES, Along, placed_along, unrolled, with_means
from .balls import Pull, pulled
from .chances import none_negative
from .conditions import AT_EVERY_STEP, names_of
from .derived import Derived
from .each_time import anywhere, drawn
from .mixing import at_one_step
from .participation import ways_to_take_part
from .points import Points
from .region import Given, Region, stated
from .scalars import example_given
from .sequences import LENGTHS, LONGER, SequenceRegion, Sequences
from .sequences import Sequence as Listed
from .stepping import CHOICES, OneStep, Stepping
from .tabled import KnownAtPoints
from .within import OF, Inside, Within, more_steps

New = Callable[[int, int], Mapping[str, Any]]  # what is new at a step, at t and after a history of draws
FAR = 100  # steps of a run of the fewest clients, in the fewest dimensions
ALONE = 4  # times as many histories at one length
AFTER_DRAWS = "{} may depend on the draws before, and is searched the same after all of them"


@dataclass(frozen=True)
class RunWorld(Stepping):
    """Runs of every length; `Run` builds it.

    Attributes
    ----------
    index : str
        The size that may be any number of at least `first`.
    every : tuple of Condition
        What is stated of the quantities at every t < T, as relations ``(x, t)``.
    """

    index: str = "T"  # type: ignore[misc]
    first: int = 1
    every: tuple[Condition, ...] = ()

    exchangeable: ClassVar[bool] = True
    bendable: ClassVar[bool] = True

    def parts(self) -> Parts:
        return replace(super().parts(), first=self.first, every=self.every)

    def names(self) -> dict[str, tuple[str, ...]]:
        kinds = super().names()
        hidden = (*kinds.pop("points"), *kinds.pop("functions"))
        return {**kinds, "quantities": tuple(self.quantities), AT_EVERY_STEP: hidden}

    @property
    def at_points(self) -> tuple[Condition, ...]:
        """The conditions on quantities, and those for every t."""
        return (*super().at_points, *(Condition(c.printed, c.where, partial(self.everywhere, c)) for c in self.every))

    def everywhere(self, c: Condition, x: Instance) -> tuple[Relation, ...]:
        times = map(x._numbers.count, range(getattr(x, self.index)))
        found = [r for t in times for r in as_relations(c.relation(x, t), c.printed)]
        return tuple(found) or (Relation(0, "<=", 0, c.printed),)

    def shapes(self, largest_m: int) -> list[dict[str, int]]:
        """Every size with at most `HISTORIES` histories of draws."""
        return [s for s in super().shapes(largest_m) if self.histories(s) <= self.most]

    @property
    def most(self) -> int:
        """Histories that are averaged over; more where one length is looked at alone."""
        return HISTORIES * (1 if len(self.sizes[self.index]) > 1 else ALONE)

    def beyond(self, largest_m: int) -> list[dict[str, int]]:
        return [s for s in super().shapes(largest_m) if self.histories(s) > self.most]

    @property
    def new_within(self) -> tuple[str, ...]:
        """The points that are new at every step of a run within a step."""
        return tuple(one for inner in self.within.values() for one in inner.run.fresh)

    @property
    def partly(self) -> str:
        new = (*self.chosen, *self.own_lengths, *self.fresh, *self.new_within, *self.varying)
        own = {of: self.within[of].choices(self.sizes) for of in self.own_lengths.values()}
        if (count := math.prod(own.values()) ** max(self.sizes[self.index])) > CHOICES:
            return f"of {count} choices of the clients' own numbers of steps the search has only some"
        return super().partly or (AFTER_DRAWS.format(", ".join(new)) if self.random and new else "")

    def relatives(self) -> list[Region]:
        """As for points; and longer runs, and more steps within each, as what is claimed is claimed for every number of them."""
        out = super().relatives()
        for k in (self.index, *(k for k in self.counts if self.sizes[k] != (1,))):
            longer = [replace(self, sizes={**self.sizes, k: (max(self.sizes[k]) + more,)}) for more in LONGER]
            out += [w for w in longer if w.shapes(max(w.sizes["m"]))][-2:]
        few = {k: v[:1] for k, v in self.sizes.items() if k in ("m", "d", *self.counts)}
        far = replace(self, sizes={**self.sizes, **few, self.index: (FAR,)})
        return [*out, far] if max(self.sizes[self.index]) < FAR and far.shapes(max(self.sizes["m"])) else out

    def at_example(self) -> RunWorld:
        """The same at the sizes of the example, with its scalars in every draw."""
        own = {k: (int(self.example[k]),) for k in self.sizes if k in self.example}
        return replace(self, sizes={**self.sizes, **own}) if own else self

    def draw_scalars(self, rng: np.random.Generator, shape: dict[str, int], count: int) -> dict[str, np.ndarray]:
        """As for points; those of the example at its sizes."""
        sizes = {k: v for k, v in self.example.items() if k in self.sizes}
        if sizes and all(self.sizes[k] == (v,) for k, v in sizes.items()):
            m = shape.get("m", 1)
            wide = {k: (count, m if spec.per_client else 1) for k, spec in self.scalars.items()}
            return {k: np.full(wide[k], float(Fraction(self.example[k]))) for k in self.scalars}
        return super().draw_scalars(rng, shape, count)

    def histories(self, shape: Mapping[str, int]) -> int:
        """How many histories of draws there are at a size."""
        if not self.random:
            return 1
        ways: int = len(self.outcomes) or ways_to_take_part(self.participation, shape)
        return ways ** shape[self.index]

    def draw_vectors(self, rng: np.random.Generator, shape: Mapping[str, int], batch: int) -> dict[str, np.ndarray]:
        """As for points; one that is new at every step has a vector for each of them."""
        out = super().draw_vectors(rng, shape, batch)
        times, m, d = shape[self.index] + 1, shape.get("m", 1), shape.get("d", 1)
        for name in self.fresh:
            del out[name]
            out |= anywhere(rng, name, (batch, times, m if name in self.clients_at else 1, d), name in self.reach)
        for name in self.means:
            del out[name]
        out |= self.score_vectors(rng, batch, m, (times,))
        for of in dict.fromkeys(self.own_lengths.values()):
            out[more_steps(of)] = np.repeat(self.within[of].drawn(rng, times, m, shape)[None], batch, axis=0)
        out |= matrices.drawn_at_every_step(rng, {k: self.mixing[k] for k in self.varying}, batch, times, m)
        for name, inner in self.within.items():
            del out[name]
            for own in inner.run.fresh:
                size = (batch, times, shape[inner.length], m if own in inner.run.clients_at else 1, d)
                out |= anywhere(rng, f"{name} {own}", size, own in inner.run.reach)
        return out

    def build(self, free: Free, numbers: Numbers) -> Instance:
        """As for points; what is drawn within a reach, or computed, is no free vector of its own."""
        return super().build(self._held(free), numbers)

    def _held(self, free: Free) -> Free:
        """With something in the place of what is no free vector of its own."""
        lacking = dict.fromkeys((*self.reach, *self.within, *self.means), np.asarray(0))
        return free.replace(vectors={**lacking, **free.vectors})

    def pulls(self, shape: Mapping[str, int]) -> list[Pull]:
        """What holds at every step, with the points that are new at it, and at the first one those that begin anywhere."""
        computed = {*self.start, *self.reach, *self.within, *self.means}
        free = [k for k in (*self.at, *self.clients_at) if k not in computed]
        moves = {*self.step, *self.within, *self.means, *self.chosen}

        def of(c: Condition, t: int) -> Pull:
            names = names_of(c)
            new = tuple((n, (t,)) for n in names if n in self.fresh and n in free)
            begin = tuple((n, ()) for n in names if n in free and n not in self.fresh) if t == 0 else ()
            states = partial(self._states, t=t, still=not moves & set(names))
            return Pull(lambda batch: [r for x in states(batch) for r in c.relations(x)], (*new, *begin))

        return [of(c, t) for t in range(shape[self.index]) for c in self.fewest_new()]

    def _states(self, free: Free, t: int, *, still: bool) -> list[Instance]:
        """The states of a batch after t steps; one of them for what is `still`, as it reads nothing that moves."""
        names, _, data = self.prepared(self._held(free), numbers := Floats())
        draws = self.draws(free.shape, numbers, names)
        x = Instance(numbers, names, draws=draws)
        new = self._new(x, data)
        return [x.at(**new(t, 0))] if still else self._levels(x, t, new, data, draws)[t]

    def mutate(self, rng: np.random.Generator, free: Free, batch: int) -> Free:
        """As for points; edits that leave what holds at every step are brought back to it."""
        return pulled(rng, super().mutate(rng, free, batch), self.pulls(free.shape))

    def more_vectors(self) -> tuple[str, ...]:
        return tuple(f"{name} {own}" for name, inner in self.within.items() for own in inner.run.fresh)

    def takes_conditions_at_points(self) -> bool:
        return True

    @property
    def still(self) -> tuple[str, ...]:  # type: ignore[override]
        """The free data that depend on coordinates, unless they are 0."""
        inner = [f"{name} {own}_reach" for name, w in self.within.items() for own in w.run.reach]
        return (*(f"{name}_reach" for name in self.reach), *inner)

    def finish(
        self, names: dict[str, Any], given: list[Any], shape: Mapping[str, int], data: dict[str, Any], numbers: Numbers
    ) -> Instance:
        base = Instance(numbers, names, draws=self.draws(shape, numbers, names))
        run = self.along(base, int(shape[self.index]), self._new(base, data), data)
        if self.obeys:
            steps = [x for level in run.levels()[: int(shape[self.index])] for x in level]
            given.extend(r for c in self.obeys for x in steps for r in c.relations(x))
        given.extend(run.stated_within() if any(w.stated for w in self.within.values()) else ())
        return self.told(base, run, int(shape[self.index]), given)

    def _new(self, x: Instance, data: Mapping[str, Any]) -> New:
        """The vectors at every step of the points that are new at each, and the matrices, the same after all draws."""
        new = {name: drawn(name, x, data, self.reach.get(name)) for name in self.fresh}
        mixed = {name: x._names[name] for name in self.varying}
        return lambda t, _: {n: v[..., t, :, :] for n, v in new.items()} | {n: W.at(t) for n, W in mixed.items()}

    def along(self, x: Instance, T: int, new: New, data: Mapping[str, Any]) -> Along:
        """The run from x with these vectors in the place of points that are new at every step."""
        inside: Inside = []
        levels = partial(self._levels, x, T, new, data, x._draws, inside)
        return Along(lambda: with_means(self.means, levels()), self, x._numbers, inside)

    def told(self, x: Instance, run: Along, T: int, given: Sequence[Relation]) -> Instance:
        """The quantities along a run from x, in an instance of what a theorem names."""
        values = {
            name: Later(partial(run.at, name, 0)) if name in self.constant else run.sequence(name, T)
            for name in self.quantities
        }
        return Instance(x._numbers, {**self._kept(x._names), **values}, given=given)

    def _kept(self, names: Mapping[str, Any]) -> dict[str, Any]:
        """The names of a theorem: scalars and sizes."""
        hidden = {*self.at, *self.clients_at, *self.mixing, "f", "F", "w_star"}
        return {k: v for k, v in names.items() if k not in hidden}

    def _levels(
        self, x: Instance, T: int, new: New, data: Mapping[str, Any], draws: Sequence[Any], inside: Inside | None = None
    ) -> list[list[Instance]]:
        """The states after t steps, for t = 0 .. T, equally likely or with their chances; `inside` takes those of runs within."""
        shape = {"S": int(x.S)} if self.selection and "S" in x._names else {}

        def later(y: Instance, t: int, history: int) -> Instance:
            chosen = self.choices(data, y._numbers, shape, t) if self.chosen else {}
            return y.at(**new(t, history), **chosen)

        def whole(y: Instance, t: int) -> Instance:
            own = self.own_lengths
            return y.at(**{k: w.end(k, y, t, data, own.get(k), inside) for k, w in self.within.items()})

        levels: list[Any] = [[whole(self.begun(later(x, 0, 0)), 0)]]
        for t in range(1, T + 1):
            after = [self.moved(y, draw, {}) for y in levels[-1] for draw in self.draws_at(y, draws)]
            states = [whole(later(y, t, history), t) for history, y in enumerate(after)]
            both = [a * b for a in getattr(levels[-1], "chances", (1,)) for b in getattr(draws, "chances", ())]
            levels.append(Draws(states, both) if both else states)
        return levels

    def unit_finish(self, names: dict[str, Any], shape: dict[str, int], numbers: Numbers, given: Any) -> Instance:
        draws = self.draws(shape, numbers, names)
        x = Instance(numbers, {**names, **self.unit_choices(shape)}, draws=draws, given=given)
        T = int(shape[self.index])
        values = {
            name: Later(partial(self.unit_of_constant, name, x))
            if name in self.constant
            else Later(partial(self._unit_sequence, name, x, draws, T))
            for name in self.quantities
        }
        return Instance(numbers, {**self._kept(names), **values}, given=given)

    def _unit_sequence(self, name: str, x: Instance, draws: Sequence[Any], T: int) -> Listed:
        now = self.quantity(name, x)
        fresh, chosen = ({k: x._names[k] for k in names} for names in (self.new, (*self.chosen, *self.varying)))
        self.after(name, x, draws, fresh, chosen)  # a step in units that do not match
        return Listed(name, real(), [now] * (T + 1))

    def abstract_finish(self, names: dict[str, Any], x: Instance, shape: dict[str, int], space: Space) -> Instance:
        return unrolled(self, Instance(space.numbers, {**x._names, **names}), shape, space)

    def known_at_points(self) -> list[Region]:
        """Of the listed lengths, where what is known of the functions suffices, with vectors as they are, also beyond a reach."""
        as_drawn = self.chosen or self.own_lengths or self.new_within or (self.random and self.fresh)
        return [] if as_drawn else replace(self, reach={}).at_points_of(TabledRun)

    def placed(
        self, space: Space, leaves: np.ndarray, values: np.ndarray, scalars: Mapping[str, Any], shape: Mapping[str, int]
    ) -> Free | None:
        """With a vector for every step of a point that is new at each."""
        return placed_along(self, super().placed(space, leaves, values, scalars, shape), space, leaves, shape)

    def in_numbers(self, least: Iterable[str]) -> SequenceRegion:
        """The quantities as any numbers, those in `least` not negative, under what is stated; m and S are numbers as well."""
        of = {name: at_least(0) if name in least else real() for name in self.quantities}
        counts: Any = {k: at_least(min(v)) for k, v in self.sizes.items() if k not in ("d", self.index) and v != (1,)}
        ones: dict[str, OF] = {
            k: lambda x: x.ratio(1, 1) for k, v in self.sizes.items() if v == (1,) and k not in ("d", self.index)
        }
        clients = {"N": lambda x: x.m} if "m" in self.sizes else {}
        both = (Condition("S <= m", "", lambda x: le(x.S, x.m)),) if {"m", "S"} <= counts.keys() else ()
        asked = () if self.f is None else (Condition(f"clients {self.f.name}", "", self._of_class),)
        return Sequences(
            self.index, first=self.first, lengths=self.sizes[self.index], every=self.every, given=(*both, *asked, *self.given),
            derived={**ones, **clients, **self.derived},
            sequences={k: s for k, s in of.items() if k not in self.constant},
            example=None,
            **{k: replace(s, per_client=False, weight=False) for k, s in self.scalars.items()},
            **counts, **{k: s for k, s in of.items() if k in self.constant},
        )  # fmt: skip

    def _of_class(self, x: Instance) -> tuple[Relation, ...]:
        """What the class of the functions asks of its scalars."""
        return tuple(self.implied(x)) or (Relation(0, "<=", 0, ""),)

    def assumptions(self) -> list[str]:
        every = (*self.obeys, *self.every)
        out = [*super().assumptions(), *(f"{c.printed}, for every t < {self.index}" for c in every)]
        out += [f"{name} begins {fn.__doc__ or 'where it is stated'}" for name, fn in self.start.items()]
        out += [f"{name} is the weighted mean of {of} over t < {self.index}" for name, (of, _) in self.means.items()]
        out += [f"{name}, which is new at every step" for name in (*self.fresh, *self.varying)]
        for name, inner in self.within.items():
            out += [inner.assumed(name), *inner.run.assumptions()]
        return out

    @cached_property
    def one_step(self) -> OneStep:
        """The world of one step from any state."""
        at, clients_at = (
            (*names, *(new for name, new in self.new_names().items() if name in names))
            for names in (self.at, self.clients_at)
        )
        sizes = {k: v for k, v in self.sizes.items() if k != self.index}
        taken = {f.name: getattr(self, f.name) for f in fields(Stepping)}
        for name in self.counts:
            del sizes[name]
        scalars = {**self.scalars, **{name: at_least(1) for name in self.counts}}
        plain = {"scalars": scalars, "given": (), "sizes": sizes, "at": at, "clients_at": clients_at}
        world = OneStep(**{**taken, **plain, "start": {}})
        return replace(world, given=(*(c for c in self.on_scalars if self._is_of_one_step(c, world)), *self.obeys))

    def _is_of_one_step(self, c: Condition, world: OneStep) -> bool:
        """Whether a condition on scalars does not read the length, and is one between rational functions."""
        if self.index in names_of(c):
            return False
        shape = world.shapes(2)[-1]
        try:
            c.relations(world.scope(symbols(world.scalars), shape, Space(SIZES[0]).numbers))
        except NotApplicable:
            return False
        return True


class TabledRun(KnownAtPoints, RunWorld):
    """Runs with clients that are known at points alone."""


def Run(
    f: Any = None,
    *,
    step: Mapping[str, Callable[..., Any]],
    quantities: Mapping[str, OF],
    start: Mapping[str, OF] | None = None,
    fresh: Iterable[str] = (),
    reach: Mapping[str, OF] | None = None,
    outcomes: Iterable[int] = (),
    chances: OF | None = None,
    within: Mapping[str, Within] | None = None,
    means: Mapping[str, tuple[str, Callable[..., Any]]] | None = None,
    selection: str = "",
    either: Mapping[str, tuple[int, ...]] | None = None,
    obeys: Iterable[Condition] = (),
    index: str = "T",
    first: int = 1,
    lengths: tuple[int, ...] = LENGTHS,
    every: Iterable[Condition] = (),
    derived: Derived | None = None,
    at: tuple[str, ...] = ("w",),
    clients_at: tuple[str, ...] = (),
    given: tuple[Given, ...] = (),
    sizes: Mapping[str, tuple[int, ...]] | None = None,
    example: Mapping[str, Any] | None = None,
    **options: Any,
) -> RunWorld:
    """A run of a method, about which theorems for every length speak; functions, points and scalars as in `Points`.

    Parameters
    ----------
    step : dict of callables
        Where the points that move are after a step, ``{"w": lambda x: x.w - x.eta*x.f.grad(x.w)}``; ``(x, draw)`` where the step
        is random: the draw is one of `outcomes`, or the selection of S clients where ``sizes`` has S.
    chances : callable
        Of the outcomes, ``lambda x: (x.p, 1 - x.p)``, by scalars alone; equal without it. That none is negative is a condition.
    quantities : dict of callables
        What is followed, ``{"D": lambda x: x.sq(x.w - x.w_star)}``; one that reads nothing that moves is a number.
    start : dict of callables
        Where points that move begin; what is not listed begins anywhere.
    fresh : names
        Points that are new at every step, and may be any vectors, such as errors.
    reach : dict of callables
        How far from zero searches draw them, ``{"e": lambda x: x.delta}``, where a condition bounds them; it is no condition.
    within : dict of Within
        Points that are where another run ends, ``{"s": last(local, "s")}``: a run within every step, whose length is a size.
    means : dict of (point, weight)
        Points that are means of one that moves over t < T, ``{"w_bar": ("w", lambda x, t: x.a**t)}``; they do not move.
    selection : str
        A name for the clients of a step where these may be any: S of them where S is a size, ``step={"w": lambda x:
        x.where(x.chosen, x.v, x.w)}``.
    either : dict of tuple
        Names that at every step are any of some whole numbers, ``{"averages": (0, 1)}``.
    obeys : conditions
        What holds of the points, of each client, at every step: ``condition("|e| <= eps", lambda x: le(x.sq(x.e), x.eps**2))``.
    every : conditions
        What is stated of the quantities at every t < T: ``condition("|e_t|^2 <= eps^2", lambda x, t: le(x.n[t], x.eps**2))``.
    example : dict
        Sizes, and every scalar, at which some runs meet the conditions: where draws hardly ever do a proof needs it, as one that
        may be about nothing does not count.

    Raises
    ------
    UsageError
        If a name is unknown or stands twice, a step, a start or a quantity is no function, or a condition takes something else.

    Examples
    --------
    >>> from fedtheory.units import CURVATURE
    >>> from problems import SmoothConvex, positive
    >>> run = Run(SmoothConvex("L"), optimum_of="f", L=positive(CURVATURE),
    ...           step={"w": lambda x: x.w - x.mean_vec(x.f.grad(x.w))/x.L}, quantities={"D": lambda x: x.sq(x.w - x.w_star)})
    >>> sorted(run.constant), run.index
    ([], 'T')
    """
    fresh, begins = tuple(fresh), dict(start or {})
    named = {"step": step, "start": begins, "fresh": fresh, "reach": reach or {}, "within": within or {}}
    refused.require_points((*at, *clients_at), named)
    refused.require_functions({"step": step, "start": begins, "quantities": quantities})
    refused.require_no_later_mean({"step": step, "start": begins}, means or {})
    if not (isinstance(lengths, tuple) and lengths and min(lengths) == first):
        raise UsageError(f"Run(lengths={lengths!r}) must begin with first={first}")
    at_every = refused.taking_two(stated(every, "every"))
    if "noise" in options:
        raise UsageError("Run(noise=...): errors of a run are points that are new at every step, fresh=('n',)")
    mixing, varying = at_one_step(options.pop("mixing", None))
    plain = Points(f, at=at, clients_at=clients_at, sizes=sizes, mixing=mixing, **options)
    refused.require_lengths(within or {}, plain.sizes, plain.scalars, clients_at)
    parts = {one.name: getattr(plain, one.name) for one in fields(plain) if one.name != "example"}
    if chances is not None:
        given = (*given, none_negative(chances, tuple(outcomes), plain.scalars, bool(means)))
    shown = example_given(example, plain.scalars, {**plain.sizes, index: lengths}, "Run")
    if shown and index not in shown:
        raise UsageError(f"Run: example needs the length {index} as well")
    world = RunWorld(
        **{**parts, "given": stated(given), "sizes": {**plain.sizes, index: lengths}, "mixing": {**plain.mixing, **varying}},
        derived=dict(derived or {}), step=dict(step), start=begins, fresh=fresh, reach=dict(reach or {}),
        quantities=dict(quantities), within=dict(within or {}), means=dict(means or {}),
        outcomes=tuple(outcomes), chances=chances, selection=selection, either=refused.require_whole(either),
        obeys=stated(obeys, "obeys"),
        index=index, first=first, every=at_every,
        example=shown,
    )  # fmt: skip
    refused.require_no_element("Run", world.numbers, quantities, lambda: world.constant)
    return refused.drawing_alone(world)


def last(run: RunWorld, point: str, *, up_to: str = "", count: str = "", **at: OF) -> Within:
    """Where a point of a run is after its last step, for the `within` of another run.

    Parameters
    ----------
    run : RunWorld
        The run; what holds at its every step does so within the steps of the other one, of which all else that is given is asked.
    point : str
        One of the points that it moves.
    up_to : str
        A size of the other run, where every client makes a number of steps of its own, from the `first` of the run to this size:
        any, of each client, at every step of the other run anew; the same for all points of this run.
    count : str
        A scalar of the run, where it is this number of each client.
    **at : callables
        Its points that do not move, as functions of an instance of the other run; what is not given has the same name.

    Raises
    ------
    UsageError
        If the run does not move the point, or something is chosen or drawn at its steps, or another run goes on within them; or if
        clients have numbers of their own and the run is not one of a single client.
    """
    refused.require_to_end(run if isinstance(run, RunWorld) else None, point)
    refused.require_own_lengths(run, point, up_to, count)
    return Within(run, point, dict(at), up_to, count)
