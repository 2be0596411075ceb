"""One explicit bound of a theorem as it is put to the test: where a legal setting is sought, and what is played there.

A paper lists its own in a file ``rates.py`` with ``RATES``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..catalogue import Parameters, Row, row_of
from ..claim import Claim
from ..method import Algorithm, State
from ..relation import Condition
from ..runs.loop import draws_of

if TYPE_CHECKING:
    from ..problem import Problem
    from ..quantity import ByName, Named, Quantity

Setting = Mapping[str, Fraction]
POWER, EXPONENTIAL = "power", "exponential"
LONGEST = 800  # rounds that are played, at most


@dataclass(frozen=True)
class Played:
    """A run at a setting, both sides of the bound at every horizon at which it is claimed.

    Attributes
    ----------
    T : ndarray (n,)
        Horizons, in the steps that the theorem counts.
    left, right : ndarray (n,)
        The left side of the theorem, as measured, and its bound.
    start : float
        What is known of the left side without a run: its value before the first step.
    error : ndarray (n,) or None
        Standard error of `left`, where an expectation is a mean over runs.
    promised : float
        The exponent that the theorem promises: p of T^-p, or the fall of the logarithm a step.
    """

    T: np.ndarray
    left: np.ndarray
    right: np.ndarray
    start: float
    promised: float
    error: np.ndarray | None = None

    @property
    def ratio(self) -> np.ndarray:
        """Measured over bound; inf above a bound that is not positive."""
        with np.errstate(divide="ignore", invalid="ignore"):
            quotient = self.left / self.right
        above = np.where(self.left > self.right, np.inf, np.where(self.left == self.right, 1.0, 0.0))
        return np.where(self.right > 0, quotient, above)

    @property
    def says(self) -> bool:
        """Whether the bound is anywhere below what is known without a run."""
        return bool((self.right < self.start).any())


@dataclass(frozen=True)
class Rate:
    """One bound.

    Attributes
    ----------
    id : str
        Of its picture, unique within the paper.
    theorem, kind : str
        As the paper calls it, with its locator; ``as printed``, ``repaired`` or which reading.
    left, printed, unit : str
        Both sides in words and letters, and the unit of the left one.
    claims : tuple of str
        Ids of the claims that say it; the verdict on it is the weakest of theirs.
    promise : str
        The rate as it is promised, in letters.
    law : "power" or "exponential"
        Of the rate.
    conditions : tuple of Condition
        All that the theorem asks of a setting.
    axes : mapping of str to tuple of Fraction
        Where settings are sought, every axis in order.
    clients : str
        Who they are.
    constants : callable
        From a setting to what the conditions need, by the paper's names, exactly.
    play : callable
        From a setting and its constants to both sides along a run; None for a run of more than `LONGEST` rounds.
    remark : str
        What is to be known of it.
    program : callable or None
        From a setting and T to a claim on T rounds, with its parameters, that the performance-estimation program can solve.
    over : str
        Whose worst it seeks, and where its right side is another one.
    steps : str
        What is counted.
    derived : mapping
        Constants that stand in for parameters, of the paper's catalogue.
    aim : "end" or "anywhere"
        Where measured/bound is to be large: at the end of the run, or at one horizon, as for a counterexample.
    """

    id: str
    theorem: str
    kind: str
    left: str
    printed: str
    unit: str
    claims: tuple[str, ...]
    promise: str
    law: str
    conditions: tuple[Condition, ...]
    axes: Mapping[str, tuple[Fraction, ...]]
    clients: str
    constants: Callable[[Setting], ByName]
    play: Callable[[Setting, dict[str, Quantity]], Played | None]
    remark: str = ""
    program: Callable[[Setting, int], tuple[Claim, dict[str, Quantity]]] | None = None
    over: str = ""
    steps: str = "rounds"
    derived: Mapping[str, Callable[[Named], Quantity]] = field(default_factory=dict)
    aim: str = "end"

    def aimed(self, played: Played) -> float:
        """What the search makes large."""
        return float(played.ratio[-1] if self.aim == "end" else played.ratio.max())

    def rows(self, setting: Setting) -> list[Row]:
        """Every condition of the theorem at a setting, on Fractions."""
        x = Parameters(self.constants(setting), self.derived)
        return [row_of(c, x) for c in self.conditions]

    def legal(self, setting: Setting) -> bool:
        """Whether all of them hold."""
        return all(r.holds is True for r in self.rows(setting))


def numbers(*values: int | str) -> tuple[Fraction, ...]:
    """An axis.

    Examples
    --------
    >>> numbers("1/3", 2)
    (Fraction(1, 3), Fraction(2, 1))
    """
    return tuple(Fraction(v) for v in values)


def once(run: Callable[[Setting, dict[str, Quantity]], object]) -> Callable[[Setting, dict[str, Quantity]], Any]:
    """A run from a setting and its constants, kept: several bounds stand over one run."""
    kept: dict[tuple[object, ...], object] = {}

    def found(s: Setting, x: dict[str, Quantity]) -> Any:
        key = tuple(sorted(s.items()))
        if key not in kept:
            kept[key] = run(s, x)
        return kept[key]

    return found


def path(method: Algorithm, problem: Problem, first: State, rounds: int, seed: int = 0) -> Iterator[Any]:
    """The states of a run, the first one included."""
    state = first
    yield state
    for _ in range(rounds):
        state = method.step(problem, state, draws_of(method, problem, state, seed))
        yield state


def stacked(states: list[Any]) -> Any:
    """One state whose arrays are those of all of them, with time in front; what is no array is that of the last."""
    last = states[-1]
    columns = {
        name: np.stack([getattr(s, name) for s in states])
        for name in last._fields
        if isinstance(getattr(last, name), np.ndarray) and all(getattr(s, name) is not None for s in states)
    }
    return last._replace(**columns)
