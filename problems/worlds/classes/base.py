"""What a function class owns: inequalities, scalars, search clients, and what data say of it.

A new class is one file beside this one. `FunctionWorld` asks a class for everything and knows none of them by name;
`classes.knees` has search clients that a class may take over, in whole or in part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol, runtime_checkable

import numpy as np

from fedtheory.errors import UsageError
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.relation import Relation

if TYPE_CHECKING:
    from ..quadratics import Quadratics

Triple = tuple[Any, Any, Any]


@dataclass(frozen=True)
class Known:
    """What is known of one client where a body has looked at it; which one it is nothing may read but `own`.

    Attributes
    ----------
    points : sequence of (point, gradient, value)
        In the order in which they were looked at.
    infimum : number or None
        Greatest lower bound of the client; None where the class has none.
    dot : callable
        The inner product of two vectors, a single number.
    """

    _i: int
    points: Sequence[Triple]
    infimum: Any
    dot: Callable[[Any, Any], Any]

    def own(self, scalar: Any) -> Any:
        """A scalar of this client: the entry of a per-client one ``(m,)``, a shared one as it is."""
        return scalar[self._i] if isinstance(scalar, np.ndarray) else scalar

    @property
    def i(self) -> NoReturn:
        """Refused: one client stands for all, whatever their number."""
        raise UsageError(
            "a class says the same of every client, so that there is no client.i; write client.own(x.G) for x.G[i]"
        )


class Task(NamedTuple):
    """What a world asks of its search clients beside membership in their class.

    Attributes
    ----------
    lam : number, array (..., m) or None
        Parameter of the Moreau envelopes, which then have to exist.
    optimum_of : None, "f" or "F"
        The mean of what has its minimiser at the vector ``center`` of the free data.
    diversity : bool
        Whether the gradients of two clients differ by the same vector everywhere.
    """

    lam: Any = None
    optimum_of: str | None = None
    diversity: bool = False


@runtime_checkable
class FunctionClass(Protocol):
    """A class of functions, one for every client.

    Attributes
    ----------
    name : str
        As it stands in the hypotheses of a claim, after "clients".
    needs : tuple of str
        Scalars that the world must have.
    sufficient : bool
        Whether the inequalities are sufficient for interpolation as well as necessary. Where they are only necessary a
        certificate is still a proof, but a program without one says nothing, its value is only an upper bound, and no
        point of it is a function.
    source : str
        The theorem behind `sufficient`, with its locator.
    bounded_below : bool
        Whether bodies have ``x.f.infimum()``.
    data : tuple of str
        Names of the free data of the search clients.
    spatial : tuple of str
        Those of the free data that are vectors: they follow when coordinates are permuted and reflected.
    spectral : dict
        Those with one number an axis, which follow a permutation only, each with what it is along an axis more that
        nothing else uses.
    reading : str
        How to read them in a witness, a paragraph.
    """

    @property
    def name(self) -> str: ...

    @property
    def needs(self) -> tuple[str, ...]: ...

    @property
    def sufficient(self) -> bool: ...

    @property
    def source(self) -> str: ...

    @property
    def bounded_below(self) -> bool: ...

    @property
    def data(self) -> tuple[str, ...]: ...

    @property
    def reading(self) -> str: ...

    @property
    def spatial(self) -> tuple[str, ...]: ...

    @property
    def spectral(self) -> Mapping[str, int]: ...

    def conditions(self, x: Any) -> list[Relation]:
        """What the definition of the class asks of its scalars, such as ``mu < L``."""

    def inequalities(self, x: Any, client: Known) -> Iterator[tuple[str, Any]]:
        """(label, form that is non-negative) for every pair of points, point, and quantity of one client.

        `x` has the scalars, per-client ones as ``(m,)``; a label is unique within the client.
        """

    def draw(self, rng: np.random.Generator, batch: int, m: int, d: int) -> dict[str, np.ndarray]:
        """Free data of a batch of clients, by the names in `data`."""

    def admit(self, name: str, v: np.ndarray) -> np.ndarray:
        """Edited free data, or any other vector of the world, brought back into their range."""

    def legible(self, vectors: Mapping[str, Any]) -> dict[str, Any]:
        """The parts of a witness's vectors that say something."""

    def clients(
        self, x: Instance, data: Mapping[str, Any], numbers: Numbers, task: Task
    ) -> tuple[Quadratics, list[Relation]]:
        """The search clients on these numbers, and the exact conditions under which they are what is asked for."""

    def measured(self, problem: Any) -> dict[str, tuple[np.ndarray, Callable[..., Any]]]:
        """Scalars that given clients fix: the value of every client ``(m,)``, and ``max`` or ``min`` for a shared one."""

    def membership(self, x: Any, problem: Any) -> list[Relation]:
        """The conditions on the scalars of `x` under which given clients belong to the class."""

    def refused(self, problem: Any) -> str:
        """Which hypothesis given clients cannot meet whatever the scalars, or an empty string."""
