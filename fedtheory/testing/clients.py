"""Strategies for clients of a function class, states that a method reaches on them, and divisions of samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from problems.data.holdings import Partition, divided
from problems.worlds.classes.base import FunctionClass
from problems.worlds.points import Points

from ..runs.loop import draws_of
from ..world import Scalar
from .instances import LARGEST_M, instances, rationals

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

    from ..problem import Problem

STEPS, SEEDS, SAMPLES = 3, 2**16 - 1, 20


class Reached(NamedTuple):
    """A run of a method.

    Attributes
    ----------
    problem : Problem
        The clients.
    states : tuple of NamedTuple
        The first state and those after every step; the last is the one that is reached.
    """

    problem: Problem
    states: tuple[Any, ...]


def clients(
    f: FunctionClass, *, numbers: str = "fraction", largest_m: int = LARGEST_M, **scalars: Scalar
) -> st.SearchStrategy[Any]:
    """Clients of a function class, with ``value``, ``grad`` and ``prox``, on the numbers that are asked for.

    Parameters
    ----------
    f : FunctionClass
        Such as ``SmoothConvex("L")``.
    numbers, largest_m
        As in `instances`.
    scalars : Scalar
        Those that the class needs, such as ``L=positive()``.

    Raises
    ------
    UsageError
        As `Points` and `instances` do.

    Examples
    --------
    >>> from hypothesis import find
    >>> from problems import SmoothConvex, positive
    >>> find(clients(SmoothConvex("L"), L=positive()), lambda f: f.m == 2).m
    2
    """
    return instances(Points(f, at=(), **dict[str, Any](scalars)), numbers=numbers, largest_m=largest_m).map(
        lambda x: x.f
    )


def states(
    algorithm: Any, problems: st.SearchStrategy[Any], *, steps: int = STEPS, init: Callable[[Any], Any] | None = None
) -> st.SearchStrategy[Reached]:
    """Runs of a method on drawn clients, from a drawn start: states that it reaches, and no others.

    Parameters
    ----------
    algorithm : Algorithm
        Hyper-parameters, such as ``FedAvg(Fraction(1, 3), 2, alpha=1)``; the seed of its draws is drawn.
    problems : strategy
        Such as ``clients(SmoothConvex("L"), L=positive())``; on Fractions a rational method stays exact.
    steps : int
        At most; a run without steps is the first state alone.
    init : callable, optional
        From the clients to the first state; by default ``algorithm.init(problem, w0)`` with a drawn server vector.
    """

    def start(draw: DrawFn, problem: Problem) -> Any:
        w0 = np.array([draw(st.lists(rationals(), min_size=problem.d, max_size=problem.d))], dtype=object)
        return problem.numbers.array(w0) if hasattr(problem, "numbers") else problem.xp.asarray(w0.astype(float))

    @st.composite
    def runs(draw: Any) -> Reached:
        problem, seed = draw(problems), draw(st.integers(0, SEEDS))
        reached = [algorithm.init(problem, start(draw, problem)) if init is None else init(problem)]
        for _ in range(draw(st.integers(0, steps))):
            drawn = draws_of(algorithm, problem, reached[-1], seed)
            reached.append(algorithm.step(problem, reached[-1], drawn))
        return Reached(problem, tuple(reached))

    return runs()


def partitions(*, largest_m: int = LARGEST_M, samples: int = SAMPLES, labels: int = 3) -> st.SearchStrategy[Partition]:
    """Divisions of labelled samples among clients, each of whom has one at least.

    Parameters
    ----------
    largest_m, samples, labels : int
        Clients, samples and labels, at most.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(partitions(), lambda p: p.m == 2).rows
    (array([0]), array([1]))
    """

    @st.composite
    def divisions(draw: DrawFn) -> Partition:
        m = draw(st.integers(1, largest_m))
        owners = [*range(m), *draw(st.lists(st.integers(0, m - 1), max_size=samples - m))]
        y = np.array(draw(st.lists(st.integers(0, labels - 1), min_size=len(owners), max_size=len(owners))))
        return divided("drawn", [np.flatnonzero(np.array(owners) == i) for i in range(m)], y)

    return divisions()
