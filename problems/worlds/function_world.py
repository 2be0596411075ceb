"""The world of functions at points: clients of a class to search and decide on, abstract clients to certify on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

import numpy as np

from fedtheory.errors import NotApplicable, UsageError
from fedtheory.gram.forms import Space
from fedtheory.instance import WEIGHTS, Instance
from fedtheory.numbers import Numbers
from fedtheory.numbers.per_row import PerRow
from fedtheory.relation import Relation
from fedtheory.world import Free, Parts

from . import matrices, mixing, noise, told, vanishing, weighted
from .abstract import AbstractClients
from .balls import Pull, pulled, stated_pulls
from .classes.base import FunctionClass, Task
from .classes.bends import Bends
from .classes.knees import vectors
from .classes.own import Looked, made_for, ours
from .conditions import SPARE, TRIES, inside, met, names_of, one_row, premises, retreated
from .matrices import Stochastic
from .names import with_functions
from .noise import NOISE, Variance
from .participation import takings
from .quadratics import Moreau
from .region import COUNTS, Region
from .tabled import LARGEST_K, SIZE, KnownAtPoints, placed_in
from .twins import twins_of
from .values import entries_edited, near, repeated
from .without_numbers import abstract_instance, unit_instance
from .without_numbers import unit_vectors as unit_vectors

HELD = 6  # points that conditions hold together up to which a search comes near all that is attained
FEW, LARGEST_D = 2, 8  # clients and dimensions up to which a search goes beyond those that are listed


@dataclass(frozen=True)
class FunctionWorld(Region):
    """Clients of one function class at named points; `Points` builds it.

    Attributes
    ----------
    f : FunctionClass or None
        Class of every client; None for vectors alone.
    envelope : str or None
        Scalar lam of the Moreau envelopes ``x.F``.
    at, clients_at : tuple of str
        Server vectors ``(..., 1, d)`` and per-client vectors ``(..., m, d)``.
    optimum_of : None, "f" or "F"
        Puts ``x.w_star``, a minimiser of the mean, by substitution.
    diversity : str or None
        Scalar of Assumption 3: a bound on the mean of |grad f_i - grad f|^2 at every point.
    participation : str
        How clients are drawn: S without replacement where it is empty, "replacement", or "independent" with the chance p.
    noise : callable or None
        A bound on the variance of an error of each client, over which ``x.E`` averages.
    mixing : mapping
        Mixing matrices by name, each with its kind.
    weights : str
        How the weights of the clients are called, by which means are; empty where these are plain.
    """

    f: FunctionClass | None = None
    envelope: str | None = None
    at: tuple[str, ...] = ("w",)
    clients_at: tuple[str, ...] = ()
    optimum_of: str | None = None
    diversity: str | None = None
    participation: str = field(default="", kw_only=True)
    noise: Variance | None = field(default=None, kw_only=True)
    mixing: Mapping[str, Stochastic] = field(default_factory=dict, kw_only=True)
    weights: str = field(default="", kw_only=True)  # type: ignore[misc]

    batched_scalars: ClassVar[bool] = False
    exchangeable: ClassVar[bool] = True
    bendable: ClassVar[bool] = True  # a subclass with a `finish` of its own has to say so for itself
    own_names: ClassVar[tuple[str, ...]] = ()  # what a subclass adds to its instances, such as states
    still: ClassVar[tuple[str, ...]] = ("error_reach",)  # free data of a subclass that depend on coordinates, unless 0

    def parts(self) -> Parts:
        return with_functions(super().parts(), self)

    @property
    def must_have(self) -> tuple[str, ...]:
        return (*super().must_have, "m")

    @property
    def own_clients(self) -> str:  # type: ignore[override]
        return weighted.OWN if self.weights else ""

    def owners(self) -> list[tuple[str, str]]:
        """Beside sizes and scalars: vectors, functions, the diversity, what a subclass adds, and what clients are drawn from."""
        out = super().owners()
        out += [(name, "a server vector") for name in self.at] + [(name, "a client vector") for name in self.clients_at]
        out += [("w_star", "the minimiser")] if self.optimum_of else []
        out += [(NOISE, "the errors of the clients")] if self.noise else []
        out += mixing.owners(self.mixing)
        out += [(self.weights, "the weights of the clients")] if self.weights else []
        if self.f is not None:
            out += [(name, "free data of the clients") for name in self.f.data if name not in self.scalars]
            out += [("f", "the clients"), ("F", "the envelopes")]
            out += [(self.diversity, "the diversity")] if self.diversity else []
        return [*out, *((name, f"a part of every {type(self).__name__}") for name in self.own_names)]

    def names(self) -> dict[str, tuple[str, ...]]:
        """Scalars, points and functions."""
        star = ("w_star",) if self.optimum_of else ()
        functions = ("f", *(("F",) if self.envelope else ())) if self.f is not None else ()
        functions += tuple(self.mixing)
        kinds = {
            **super().names(),
            "points": (*self.at, *self.clients_at, *star),
            "functions": (*functions, *((self.diversity,) if self.diversity else ())),
        }
        return {**kinds, "others": self.own_names} if self.own_names else kinds

    def takes_conditions_at_points(self) -> bool:
        """So it is where clients are built as here."""
        return type(self).build is FunctionWorld.build

    @property
    def sufficient(self) -> bool:
        """As the class says."""
        return self.f is None or self.f.sufficient

    def scope(self, scalars: Mapping[str, Any], shape: Mapping[str, int], numbers: Numbers) -> Instance:
        """The scalars, with what the class asks of them, such as mu < L."""
        x = super().scope(scalars, shape, numbers)
        return x.assuming(self.implied(x))

    def implied(self, x: Instance) -> list[Relation]:
        """What the class of the clients asks."""
        return [] if self.f is None else list(self.f.conditions(x))

    def assumptions(self) -> list[str]:
        """The class of the clients, and what is known of w_star."""
        return told.assumed(self.parts(), self.mixing)

    def reading(self) -> str:
        """How the search clients are given, and the matrices."""
        return told.read(self.parts(), self.mixing)

    def legible(self, vectors: Mapping[str, Any]) -> dict[str, Any]:
        """What says something of the clients, and all else."""
        return self.f.legible(vectors) if self.f is not None else dict(vectors)

    # free data

    def sample(self, rng: np.random.Generator, shape: dict[str, int], cells: int, batch: int) -> Iterator[Free]:
        """`cells` batches; the scalars of a batch are shared.

        With conditions at points, every batch is filled with instances that meet them, from up to `TRIES` batches of
        draws and no more than `SPARE` times as many as asked for; a batch without any is left out.
        """
        rows = self.draw_scalars(rng, shape, cells)
        if not rows and not self.draw_vectors(rng, shape, 1):
            yield Free(shape, {})  # nothing to draw: the sizes are the whole instance
            return
        left = TRIES + SPARE * cells
        for c in range(cells):
            scalars = {k: v[c] if self.scalars[k].per_client else float(v[c, 0]) for k, v in rows.items()}
            if left > 0:
                found, used = self._near(rng, shape, scalars, batch, min(TRIES, left))
                left -= used
                if found is not None:
                    yield found

    def _near(
        self, rng: np.random.Generator, shape: dict[str, int], scalars: dict[str, Any], batch: int, tries: int
    ) -> tuple[Free | None, int]:
        """(A batch at these scalars or None, the batches drawn for it within conditions at points)."""

        def draw(*, move: bool = True) -> Free:
            free = Free(shape, scalars, self.draw_vectors(rng, shape, batch))
            return pulled(rng, free, self.pulls(shape)) if move else free

        return inside(self, rng, draw, batch, tries) if self.at_points else (draw(), 0)

    def pulls(self, shape: Mapping[str, int]) -> list[Pull]:
        """The conditions at points, and the bound on errors, with the points that are free."""
        points = (*self.at, *self.clients_at)
        out = stated_pulls(self.at_points, self.build, points) if self.takes_conditions_at_points() else []
        return [*out, noise.pull(self.build)] if self.noise else out

    def at_scalars(
        self, rng: np.random.Generator, shape: dict[str, int], scalars: dict[str, Any], batch: int
    ) -> Free | None:
        """Instances at given scalars; None where no draw of the vectors meets the conditions at points."""
        return self._near(rng, shape, scalars, batch, TRIES)[0]

    def relatives(self) -> list[Region]:
        """Clients with several bends, on a line and along two axes, where the class has them; and as many dimensions as vectors."""
        out: list[Region] = []
        bent, ridged = (made_for(self.f, kind) for kind in ("bent", "ridged"))
        plain = type(self).finish is FunctionWorld.finish or "bendable" in type(self).__dict__
        if bent is not None and plain and 1 in self.sizes.get("d", ()):
            out.append(replace(self, f=bent(), sizes={**self.sizes, "d": (1,)}))
        wide = tuple(d for d in self.sizes.get("d", ()) if d > 1)[:1]
        few = tuple(m for m in self.sizes["m"] if m <= FEW) or self.sizes["m"][:1]
        if ridged is not None and plain and wide:
            out.append(replace(self, f=ridged(), sizes={**self.sizes, "m": few, "d": wide}))
        if self.sizes.get("d") == COUNTS["d"]:  # no others are asked for than for any claim
            own = len(self.clients_at) + (0 if self.f is None else len(self.at))
            most = min(len(self.at) + own * max(few) + bool(self.optimum_of), LARGEST_D)
            if most > max(COUNTS["d"]):
                out.append(replace(self, sizes={**self.sizes, "m": few, "d": (most,)}))
        return out

    def known_at_points(self) -> list[Region]:
        """Where the inequalities of the class, and of what is declared beside it, are sufficient for interpolation."""
        cls, plain = type(self), FunctionWorld
        own = (cls.build, cls.finish, cls.abstract, cls.abstract_finish, cls.abstract_optimum)
        as_here = own == (plain.build, plain.finish, plain.abstract, plain.abstract_finish, plain.abstract_optimum)
        return self.at_points_of(TabledWorld) if as_here else []

    def at_points_of(self, kind: type) -> list[Region]:
        """This world with clients that are known at points, of a subclass for them; none where that says not enough of them."""
        if self.mixing or self.diversity:
            return []
        wide = self.in_more_dimensions()
        if self.f is None:
            return [wide]
        tabled = getattr(self.f, "tabled", None)
        taken = SIZE in {name for name, _ in self.owners()}
        if taken or tabled is None or not tabled(bool(self.optimum_of)):
            return []
        parts = {one.name: getattr(self, one.name) for one in fields(kind)}
        return [kind(**{**parts, "given": (), "sizes": {**wide.sizes, SIZE: tuple(range(1, LARGEST_K + 1))}})]

    def placed(
        self, space: Space, leaves: np.ndarray, values: np.ndarray, scalars: Mapping[str, Any], shape: Mapping[str, int]
    ) -> Free | None:
        """With as many dimensions as suffice, and with clients that are known where the body looks."""
        return placed_in(self, space, leaves, values, scalars, shape)

    def far(self, free: Free, power: int, scale: float) -> Free:
        """Beside the scalars, the points that are not the functions' own."""
        out = super().far(free, power, scale)
        names = (*self.at, *self.clients_at)
        return out.replace(vectors={k: v * scale if k in names else v for k, v in free.vectors.items()})

    def draw_vectors(self, rng: np.random.Generator, shape: Mapping[str, int], batch: int) -> dict[str, np.ndarray]:
        """Free vectors of a batch, over many magnitudes, aligned, sparse, equal and heterogeneous clients."""
        m, d = shape.get("m", 1), shape.get("d", 1)
        free = {name: vectors(rng, batch, 1, d) for name in self.at} | {
            name: vectors(rng, batch, m, d) for name in self.clients_at
        }
        if self.noise is not None:
            free[NOISE] = vectors(rng, batch, m, d)
        mixed = matrices.drawn(rng, self.mixing, batch, m)
        mixed |= {self.weights: weighted.drawn(rng, batch, m)} if self.weights else {}
        if self.f is None:
            return free | mixed
        drawn = self.f.draw(rng, batch, m, d)
        if drawn.keys() != set(self.f.data):
            raise UsageError(
                f"clients {self.f.name} must draw {', '.join(self.f.data)}, as `data` has it, got {', '.join(drawn)}"
            )
        free |= drawn
        return (self.f.settle(rng, free) if isinstance(self.f, Bends) else free) | mixed

    def twins(self, free: Free) -> list[Free]:
        """Points and data of the class in other coordinates, the latter as the class says."""
        spatial = {*self.at, *self.clients_at, *(self.f.spatial if self.f is not None else ()), *self.more_vectors()}
        spectral = dict(self.f.spectral) if self.f is not None else {}
        base = free.replace(vectors={k: v * 0 if k in self.still else v for k, v in free.vectors.items()})
        return twins_of(base, spatial | {k for k in free.vectors if k.endswith("axis")}, spectral)

    def more_vectors(self) -> tuple[str, ...]:
        """Free vectors beside the points."""
        return (NOISE,) if self.noise else ()

    def extents(self, shape: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
        """The shape of every free array of one instance."""
        return {k: v.shape[1:] for k, v in self.draw_vectors(np.random.default_rng(0), shape, 1).items()}

    @property
    def partly(self) -> str:
        """Of many points that conditions hold together, as these are attained at few of their positions."""
        held = {*self.at, *self.clients_at} & {name for c in self.at_points for name in names_of(c)}
        many = f"conditions hold {len(held)} points together, of which the search has only some"
        return many if len(held) > HELD else super().partly

    @property
    def scatters(self) -> bool:
        """Where clients are built as here, all scalars are shared by the clients, and there are no conditions at points."""
        per_client = any(s.per_client for s in self.scalars.values())
        bounded = self.at_points or self.noise or self.mixing or self.weights
        return bool(self.scalars) and not per_client and not bounded and self.takes_conditions_at_points()

    def scattered(self, rng: np.random.Generator, shape: dict[str, int], count: int) -> Free:
        return Free(shape, self.draw_scalars(rng, shape, count), self.draw_vectors(rng, shape, count))

    def convert(self, scalars: Mapping[str, Any], numbers: Numbers) -> dict[str, Any]:
        """Host scalars as this number type; those of every instance of a scattered batch stay together."""
        values = super().convert(scalars, numbers)
        return {k: PerRow(v) if getattr(v, "ndim", 0) == 2 else v for k, v in values.items()}

    def pick(self, free: Free, index: int) -> Free:
        scalars = {k: v[index, 0] if np.ndim(v) == 2 else v for k, v in free.scalars.items()}
        return free.replace(scalars=scalars, vectors={k: v[index] for k, v in free.vectors.items()})

    def mutate(self, rng: np.random.Generator, free: Free, batch: int) -> Free:
        """Edit a few entries of one instance's vectors in every row, and its scalars now and then."""
        edited = self._moved(rng, [free], batch)
        scalars = free.scalars
        if rng.random() < 0.5:
            row = super().mutate(rng, Free(free.shape, scalars), 1).scalars
            scalars = {k: v[0] if self.scalars[k].per_client else float(v[0, 0]) for k, v in row.items()}
        edits = free.replace(vectors=edited, scalars=scalars)
        if not self.at_points:
            return pulled(rng, edits, self.pulls(free.shape)) if self.noise else edits
        if scalars is not free.scalars and not met(self, one_row(edits, free)).all():
            edits = edits.replace(scalars=free.scalars)  # the instance itself would leave the conditions
        return retreated(self, free, edits, self.admit)

    def edited(self, rng: np.random.Generator, starts: Sequence[Free], batch: int) -> Free:
        """Edit a few entries of every instance's vectors in each of its rows, and its scalars in half of them."""
        vectors = self._moved(rng, starts, batch)
        moved = super().edited(rng, [Free(free.shape, free.scalars) for free in starts], batch).scalars
        same = rng.random((len(starts) * batch, 1)) < 0.5
        kept = repeated([free.scalars for free in starts], batch)
        scalars = {k: np.where(same, kept[k], v) for k, v in moved.items()}
        return starts[0].replace(vectors=vectors, scalars=scalars)

    def _moved(self, rng: np.random.Generator, starts: Sequence[Free], batch: int) -> dict[str, np.ndarray]:
        """The vectors of each instance in so many rows, with a few entries edited in each."""
        vectors = {name: [free.vectors[name] for free in starts] for name in starts[0].vectors}
        return {name: self.admit(name, entries_edited(rng, v, batch)) for name, v in vectors.items()}

    def nudged(self, rng: np.random.Generator, free: Free, batch: int, scale: float) -> Free:
        return free.replace(vectors={k: self.admit(k, near(rng, v, batch, scale)) for k, v in free.vectors.items()})

    def admit(self, name: str, v: np.ndarray) -> np.ndarray:
        """Bring edited free data back into its range."""
        if name.endswith("axis"):
            return np.where(np.all(v == 0, axis=-1, keepdims=True), 1.0, v)
        if name.endswith("reach"):
            return np.clip(v, -1.0, 1.0)
        return v if self.f is None else self.f.admit(name, v)

    # instances on numbers

    def build(self, free: Free, numbers: Numbers) -> Instance:
        names, given, data = self.prepared(free, numbers)
        out = self.finish(names, given, free.shape, data, numbers)
        looked_at = self.at_points and numbers.kind != "float"  # what is drawn in floats is kept where it meets them
        return out.assuming(self.stated_of(out)) if looked_at else out

    def prepared(self, free: Free, numbers: Numbers) -> tuple[dict[str, Any], list[Any], dict[str, Any]]:
        """(Names, what holds of them, the free data) of an instance, which a subclass finishes."""
        x = self.scope(self.convert(free.scalars, numbers), free.shape, numbers)
        data = {k: numbers.array(v) for k, v in free.vectors.items()}
        if self.weights:
            x = x._but(names={WEIGHTS: weighted.shares(numbers, data[self.weights], free.shape.get("m", 1))})
        names = {k: data[k] for k in (*self.at, *self.clients_at)}
        given = list(x.given)
        mixed, within = matrices.matrices(self.mixing, x, numbers, data, free.shape.get("m", 1))
        names |= mixed
        given += within
        if self.f is not None:
            lam = getattr(x, self.envelope) if self.envelope else None
            task = Task(lam, self.optimum_of, self.diversity is not None)
            problem, more = self.f.clients(x, data, numbers, task)
            if numbers.kind in ("fraction", "arb") and not ours(self.f):
                problem = Looked(problem)  # type: ignore[assignment]
            names |= {"f": problem} | ({"w_star": data["center"]} if self.optimum_of else {})
            given += more
            if self.envelope:
                names["F"] = Moreau(problem, lam, x.sq)
            if self.diversity:
                names[self.diversity] = problem.diversity(x)
        return {**x._names, **names}, given, data

    def breaks(self, x: Instance) -> str:
        """What its clients break of the inequalities of a class of one's own, where a body has looked at them; empty if nothing."""
        f = x._names.get("f")  # which an instance of a run does not have
        return f.breaks(self, x) if self.f is not None and isinstance(f, Looked) else ""

    def stated_of(self, x: Instance) -> list[Relation]:
        """The conditions at points, on one instance."""
        return [r for c in self.at_points for r in c.relations(x)]

    def finish(
        self, names: dict[str, Any], given: list[Any], shape: Mapping[str, int], data: dict[str, Any], numbers: Numbers
    ) -> Instance:
        """Add what a subclass computes from the instance; here the draws of clients, or their errors."""
        draws = takings(self.participation, shape, numbers, names)
        if self.noise is not None:
            given = [*given, noise.bounded(self.noise, Instance(numbers, names), data[NOISE])]
            draws = noise.beside(draws, numbers.noisy(data[NOISE], shape.get("m", 1)))
        return Instance(numbers, names, given=given, draws=draws)

    # abstract instances and units

    def abstract(self, scalars: Mapping[str, Any], shape: dict[str, int], space: Space) -> Instance:
        known = vanishing.Equations()
        if self.at_points and self._solvable and space.solves:
            known = vanishing.equations(self, scalars, shape, space)
        if known.solved:
            try:
                abstract_instance(self, scalars, shape, space.fresh(), known)
            except (KeyError, ValueError, RecursionError, NotApplicable):  # a circle: they stay inequalities
                known = vanishing.Equations()
        out = abstract_instance(self, scalars, shape, space, known)
        return out.assuming(premises(space, out, self.at_points)) if self.at_points else out

    def unsolved(self, scalars: Mapping[str, Any], shape: dict[str, int], space: Space) -> Instance:
        """An abstract instance in which no condition at points holds, and the gradients at w_star are any vectors."""
        return abstract_instance(self, scalars, shape, space, None)

    @property
    def _solvable(self) -> bool:
        """Whether conditions that are equations of vectors are solved: where abstract instances are made as here."""
        cls, plain = type(self), FunctionWorld
        own = (cls.abstract, cls.abstract_finish, cls.abstract_optimum)
        here = own == (plain.abstract, plain.abstract_finish, plain.abstract_optimum)
        return here and not self.diversity and self.optimum_of != "F"

    def abstract_optimum(self, space: Space, problem: AbstractClients, x: Instance, m: int) -> np.ndarray | None:
        """w_star with gradients that sum to zero, by substitution."""
        if not self.optimum_of:
            return None
        w_star = space.leaf("w_star")[None]
        G = space.centered_for("g_star", m)
        if self.optimum_of == "F":
            problem.declare_prox(w_star, getattr(x, str(self.envelope)), G)
        else:
            problem.declare(w_star, G)
        return w_star

    def abstract_finish(self, names: dict[str, Any], x: Instance, shape: dict[str, int], space: Space) -> Instance:
        draws = takings(self.participation, shape, space.numbers, x._names)
        y = Instance(space.numbers, {**x._names, **names}, draws=draws)
        if self.noise is None:
            return y
        m = shape.get("m", 1)
        errors = space.leaves_for(NOISE, m)
        space.nonnegative(NOISE, self.noise(y) - y.sq(errors))
        return Instance(space.numbers, y._names, draws=noise.beside(draws, space.numbers.noisy(errors, m)))

    def among(
        self, given: Mapping[str, Any], shape: Mapping[str, int], numbers: Numbers, draws: Sequence[Any] = ()
    ) -> Instance:
        """The instance on scalars, points and functions that are given by name, as a lemma has them where it is used.

        Raises
        ------
        NotApplicable
            If this world has states of a method, which nothing can be given for.
        """
        x = replace(self, given=()).scope({k: given[k] for k in self.scalars}, shape, numbers)
        names = {**x._names, **{k: given[k] for k in (*self.at, *self.clients_at, *self.mixing)}}
        if self.f is not None:
            names["f"] = given["f"]
            names |= {"w_star": given["w_star"]} if self.optimum_of else {}
            names |= {"F": Moreau(given["f"], getattr(x, self.envelope), x.sq)} if self.envelope else {}
            names |= {self.diversity: given[self.diversity]} if self.diversity else {}
        return self.completed(Instance(numbers, names, draws=draws))

    def of_two_points(self, x: Instance, space: Space) -> list[tuple[str, Any]]:
        """What the class says of any two points, over new leaves of a space of one client; with x for its scalars."""
        if self.f is None:
            return []
        clients = AbstractClients(space, 1, self.f, x)
        for name in ("one point", "another point"):
            clients.grad(space.client_leaf(name)[None])
        before = len(space.inequalities)
        clients.interpolate(space, "class")
        return space.inequalities[before:]

    def completed(self, x: Instance) -> Instance:
        """The instance `among` what is given, with what a subclass computes from it."""
        if type(self).finish is not FunctionWorld.finish:
            raise NotApplicable(f"{type(self).__name__} has states of a method, for which nothing can be given")
        return x

    def units(self) -> Instance:
        out = unit_instance(self)
        return out.assuming(self.stated_of(out)) if self.at_points else out

    def unit_finish(self, names: dict[str, Any], shape: dict[str, int], numbers: Numbers, given: Any) -> Instance:
        draws = takings(self.participation, shape, numbers, names)
        if self.noise is not None:
            draws = noise.beside(draws, (noise.unit_errors(self.noise, Instance(numbers, names), shape),))
        return Instance(numbers, names, draws=draws, given=given)


class TabledWorld(KnownAtPoints, FunctionWorld):
    """Clients at named points that are known at points alone."""
