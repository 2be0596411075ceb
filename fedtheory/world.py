"""What a world promises: one derivation of an instance for every number type."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Rational, Real
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from .errors import UsageError
from .instance import Instance
from .numbers import Numbers
from .relation import Condition, Relation
from .units import NUMBER, Unit

if TYPE_CHECKING:
    from .gram.forms import Space
    from .quantity import ByName, Quantity, Values


@dataclass(frozen=True)
class Free:
    """Free data of a batch of instances: what a search draws, edits and shrinks.

    Attributes
    ----------
    shape : dict of int
        Sizes: clients m, dimension d, local steps R, selected clients S, ...
    scalars : dict
        Shared by the batch: numbers, or ``(m,)`` per client; in a world of scalars, and in a scattered batch, of every
        instance ``(batch, 1)``, and ``(batch, m)``.
    vectors : dict
        Arrays with the batch in front.
    """

    shape: dict[str, int]
    scalars: ByName
    vectors: dict[str, np.ndarray] = field(default_factory=dict)

    def replace(self, **parts: Any) -> Free:
        return Free(**{"shape": self.shape, "scalars": self.scalars, "vectors": self.vectors, **parts})

    def map(self, fn: Callable[[Any], Any]) -> Free:
        """Apply `fn` to every entry (elementwise on arrays)."""
        each = np.frompyfunc(fn, 1, 1)

        def apply(a: object) -> Any:
            return each(a) if isinstance(a, np.ndarray) else fn(a)

        return self.replace(
            scalars={k: apply(v) for k, v in self.scalars.items()},
            vectors={k: apply(v) for k, v in self.vectors.items()},
        )


@dataclass(frozen=True)
class Parts:
    """What a world is made of beside its scalars, sizes and conditions; what it has not is empty.

    Attributes
    ----------
    derived : dict of formulas
        Scalars that are computed from others, in order.
    sequences : dict of Scalar
        Range of the elements of every sequence.
    listed : set of str
        The names of the elements of sequences that are listed among the scalars.
    first : int
        The least length; 0 where there is none.
    every, obeys : tuple of Condition
        What holds at every t, and what holds of the points of each client at every step.
    f : function class or None
        Of every client.
    envelope, diversity : str or None
        The scalars of the Moreau envelopes, and of a bound on the variance of the gradients.
    at, clients_at : tuple of str
        Points of the server, and of each client.
    optimum_of : None, "f" or "F"
        What ``x.w_star`` minimises.
    own_names : tuple of str
        What a world adds to its instances, such as the states of a method.
    step, start : dict of callables
        Where the points of a run go, and where they begin.
    quantities : dict of callables or None
        What is followed along a run or over a step; None of a world that takes no step.
    outcomes : tuple
        Draws of a step, equally likely ones where there are no chances.
    chances : callable or None
        The chances of the outcomes, a function of the scalars.
    within, means : dict
        Points that are what a run of its own comes to, and means over the steps.
    participation : str
        How clients are drawn, where not S of them without replacement.
    noise : callable or None
        A bound on the variance of the errors of the clients.
    mixing : dict
        Mixing matrices, with their kinds.
    weights : str
        How the weights of the clients are called, by which means are; empty where these are plain. What is known of a generic
        client is then known for any weights, and what is known of several explicit ones for equal weights alone.
    drawn : bool
        Whether instances are drawn; where not, they are known at points alone.
    """

    derived: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    sequences: Mapping[str, Scalar] = field(default_factory=dict)
    listed: frozenset[str] = frozenset()
    first: int = 0
    every: tuple[Condition, ...] = ()
    obeys: tuple[Condition, ...] = ()
    f: Any = None
    envelope: str | None = None
    diversity: str | None = None
    at: tuple[str, ...] = ()
    clients_at: tuple[str, ...] = ()
    optimum_of: str | None = None
    own_names: tuple[str, ...] = ()
    step: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    start: Mapping[str, Callable[..., object]] = field(default_factory=dict)
    quantities: Mapping[str, Callable[..., object]] | None = None
    outcomes: tuple[object, ...] = ()
    chances: Any = None
    within: Values = field(default_factory=dict)
    means: Values = field(default_factory=dict)
    participation: str = ""
    noise: Callable[..., object] | None = None
    mixing: Mapping[str, object] = field(default_factory=dict)
    weights: str = ""
    drawn: bool = True


class Described(Protocol):
    """What a claim quantifies over: names, ranges, conditions and sizes, and what people read of them."""

    @property
    def scalars(self) -> Mapping[str, Scalar]:
        """Parameters by the paper's name; their order is the order of the draws."""

    @property
    def given(self) -> tuple[Condition, ...]:
        """What the paper states of them, and of points."""

    @property
    def at_points(self) -> tuple[Condition, ...]:
        """Those of them that name points or functions: they hold of instances, not of scalars."""

    @property
    def sizes(self) -> Mapping[str, tuple[int, ...]]:
        """Structural integers (m, d, R, S ...) and the values to look at."""

    @property
    def batched_scalars(self) -> bool:
        """Whether every instance of a batch has its own scalars: so it is where there are no vectors."""

    @property
    def index(self) -> str:
        """The size that may be any whole number, in a world of sequences; empty in any other."""

    @property
    def own_clients(self) -> str:
        """Why clients that are given, such as those of a data set, cannot stand in for this world's; empty where they can."""

    def parts(self) -> Parts:
        """What it is made of beside these."""

    def hypotheses(self) -> list[str]:
        """Everything that is assumed, a line each: ranges, classes, stated conditions."""

    def reading(self) -> str:
        """How to read the free data of a witness, in a paragraph; empty where they are scalars."""

    def legible(self, vectors: Mapping[str, object]) -> ByName:
        """The parts of a witness's vectors that say something; all of them are in the report."""

    def shapes(self, largest_m: int) -> list[dict[str, int]]:
        """The sizes to look at, with at most `largest_m` clients."""

    def beyond(self, largest_m: int) -> list[dict[str, int]]:
        """Sizes that the world has, too, and of which no instance is looked at."""

    @property
    def partly(self) -> str:
        """What of its instances a search has only in part, in words; empty where it has some of each kind."""

    def to_choose(self, shape: Mapping[str, int], *, generic: bool = False) -> list[dict[str, int]]:
        """All that may be chosen at a step of these sizes, by name; of a `generic` client but the selection, which may be any."""

    def extents(self, shape: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
        """The shape of every array among the free vectors of one instance."""

    def only(self, shape: Mapping[str, int]) -> World:
        """This world at one shape."""

    def at_sizes(self, sizes: Mapping[str, tuple[int, ...]]) -> World:
        """This world at other sizes."""

    def without(self, stated: Condition) -> World:
        """This world without one of its stated conditions."""

    def scope(self, scalars: Mapping[str, object], shape: Mapping[str, int], numbers: Numbers) -> Instance:
        """An instance that has the scalars alone; its `given` are the stated conditions on them."""

    def units(self) -> Instance:
        """The instance on units."""


class Drawn(Described, Protocol):
    """Instances as floats in batches, which a search draws and edits."""

    @property
    def scatters(self) -> bool:
        """Whether instances with vectors can be drawn with scalars of their own."""

    def sample(self, rng: np.random.Generator, shape: dict[str, int], cells: int, batch: int) -> Iterator[Free]:
        """Free data: `cells` draws of the scalars with `batch` instances each."""

    def draw_scalars(self, rng: np.random.Generator, shape: dict[str, int], count: int) -> dict[str, np.ndarray]:
        """Rows of scalars ``(count, 1)``, ``(count, m)`` per client, that meet the conditions on them."""

    def scattered(self, rng: np.random.Generator, shape: dict[str, int], count: int) -> Free:
        """A batch in which every instance has its own scalars, ``(count, 1)`` each; for worlds that can."""

    def at_scalars(self, rng: np.random.Generator, shape: dict[str, int], scalars: ByName, batch: int) -> Free | None:
        """A batch at given scalars; None where no draw of the vectors meets the conditions at points."""

    def pick(self, free: Free, index: int) -> Free:
        """One instance of a batch."""

    def mutate(self, rng: np.random.Generator, free: Free, batch: int) -> Free:
        """A batch of edits of one instance's free data."""

    def nudged(self, rng: np.random.Generator, free: Free, batch: int, scale: float) -> Free:
        """A batch of small edits of one instance's vectors, relative to their size; for worlds that have vectors."""

    def admit(self, name: str, v: np.ndarray) -> np.ndarray:
        """Free data that were edited, brought back into their range; for worlds that have vectors."""

    def edited(self, rng: np.random.Generator, starts: Sequence[Free], batch: int) -> Free:
        """So many edits of each of some instances of one size, with scalars of their own; for worlds that can."""

    def far(self, free: Free, power: int, scale: float) -> Free:
        """A batch moved far out: scalars to a power, points to a multiple."""

    def relatives(self) -> Sequence[World]:
        """Worlds whose instances, of another kind or size, are instances of this one as well."""


class Exact(Described, Protocol):
    """Instances on any numbers, on which a replay decides."""

    def build(self, free: Free, numbers: Numbers) -> Instance:
        """The instance on these numbers; meets the assumptions by construction and lists them in `given`."""

    def twins(self, free: Free) -> list[Free]:
        """One instance without errors of inner solvers, and the same one in other coordinates; empty where it has none.

        A claim says the same of all of them: coordinates are permuted and reflected, or there is one more that is zero.
        """

    def breaks(self, x: Instance) -> str:
        """Which inequality of a class of one's own its clients break, where a body has looked at them; empty if none."""

    def known_at_points(self) -> Sequence[World]:
        """Worlds of instances of this one that inner products, gradients and values at points make; they are never drawn."""

    def placed(
        self,
        space: Space,
        leaves: np.ndarray,
        values: np.ndarray,
        scalars: Mapping[str, object],
        shape: Mapping[str, int],
    ) -> Free | None:
        """The instance of `known_at_points` with these leaves ``(n, d)`` and values of an abstract one; None if there is none."""

    def ordinary(self, free: Free) -> bool:
        """Whether the functions of an instance are known to be convex and bounded below; true where there are none."""

    def convex_part(self) -> tuple[World, Callable[[Free], Free]] | None:
        """This world with the convex functions of its class alone, and its instances as those of this one."""


class Abstract(Described, Protocol):
    """Instances on symbols and abstract leaves, at parameters of a list or at all, on which proofs stand."""

    @property
    def sufficient(self) -> bool:
        """Whether the inequalities of the function class are sufficient for interpolation; where they are only necessary, the
        value of a program that certifies is an upper bound and no measure of tightness.
        """

    @property
    def exchangeable(self) -> bool:
        """Whether one generic client may stand for any number of them."""

    @property
    def axes(self) -> bool:
        """Whether a body may read the coordinates of vectors."""

    @property
    def counts_steps(self) -> bool:
        """Whether the sizes ``steps`` and ``k0`` count steps of a run, of which a certificate takes one."""

    @property
    def local_steps(self) -> str:
        """The size that counts local steps, for which certificates are sought up to a bound; empty where there is none."""

    def implied(self, x: Instance) -> list[Relation]:
        """What a function class asks of its scalars, such as mu < L; the last of what `scope` gives."""

    def grid(self, shape: dict[str, int], count: int) -> list[ByName]:
        """Rational parameters at which certificates are sought."""

    def general(self, shape: dict[str, int], count: int) -> list[ByName]:
        """Rational parameters in general position: no two equal, none a small multiple of another."""

    def abstract(self, scalars: Mapping[str, object], shape: dict[str, int], space: Space) -> Instance:
        """The instance over the abstract leaves of `space`, which collects its inequalities."""


class World(Drawn, Exact, Abstract, Protocol):
    """The interface between a claim and the engines; who needs one part of it asks for no more."""


@dataclass(frozen=True)
class Scalar:
    """Range, unit and kind of one scalar.

    Attributes
    ----------
    low, high : number or None
        Ends of the range; None is no end, and without a low one the scalar is of either sign.
    closed : bool
        Whether `low` itself is allowed (`high` never is).
    per_client : bool
        ``(m,)`` values, one a client.
    weight : bool
        Positive per-client weights that sum to one.
    """

    unit: Unit = NUMBER
    low: int | Fraction | None = 0
    high: int | Fraction | None = None
    closed: bool = False
    per_client: bool = False
    weight: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.unit, Unit):
            raise UsageError(f"a scalar's unit must be a unit such as CURVATURE of fedtheory.units, got {self.unit!r}")
        for what in ("low", "high"):
            value = getattr(self, what)
            if value is not None and not (
                isinstance(value, Real) and (isinstance(value, Rational) or math.isfinite(value))
            ):
                raise UsageError(f"a scalar's {what}=... must be a finite number, got {value!r}")
            if isinstance(value, Real) and not isinstance(value, Rational):
                near = Fraction(float(value)).limit_denominator(10**6)
                raise UsageError(
                    f"a scalar's {what}={value!r} is a float, which is not exact; write Fraction({str(near).replace('/', ', ')})"
                )
        if self.low is None:
            if self.high is not None or self.closed or self.weight:
                raise UsageError(
                    f"a scalar without a low end has no end at all and is no weight, got high={self.high!r}"
                )
            return
        if self.high is not None and not self.low < self.high:
            raise UsageError(f"a scalar needs low < high, got low={self.low!r} and high={self.high!r}")
        if self.low < 0:
            raise UsageError(f"a scalar's low=... must be at least 0, got {self.low!r}; real() is of either sign")

    def relations(self, name: str, value: Quantity) -> list[Relation]:
        """The range as relations on `value`; none of a scalar of either sign."""
        if self.low is None:
            return []
        out = [Relation(self.low, "<=" if self.closed else "<", value, f"{name} range")]
        if self.high is not None:
            out.append(Relation(value, "<", self.high, f"{name} range"))
        return out


def positive(unit: Unit = NUMBER, *, per_client: bool = False) -> Scalar:
    """A positive scalar, searched over eighteen decades."""
    return Scalar(unit, per_client=per_client)


def at_least(low: int | Fraction, unit: Unit = NUMBER, *, per_client: bool = False) -> Scalar:
    """A scalar with ``low <= value``."""
    return Scalar(unit, low=low, closed=True, per_client=per_client)


def between(
    low: int | Fraction, high: int | Fraction, unit: Unit = NUMBER, *, closed: bool = True, per_client: bool = False
) -> Scalar:
    """A scalar with ``low <= value < high`` (``low < value`` if not closed)."""
    return Scalar(unit, low=low, high=high, closed=closed, per_client=per_client)


def real(unit: Unit = NUMBER, *, per_client: bool = False) -> Scalar:
    """A scalar of either sign, for claims about numbers."""
    return Scalar(unit, low=None, per_client=per_client)


def weights() -> Scalar:
    """Positive client weights that sum to one."""
    return Scalar(per_client=True, weight=True)
