"""Runs that differ in their seeds alone, and the figures that a table shows of them: from the runs, or kept without them."""

from __future__ import annotations

import statistics
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import UsageError, did_you_mean
from ..formats import Document
from .finished import Finished

DERIVED = ("seconds", "gradients", "bytes")  # of the whole run, not of its trace


@dataclass
class Cell(ABC):
    """One curve of a figure, or one cell of a table.

    Attributes
    ----------
    problem, method, setting : str
        What its runs are called.
    axes : mapping
        Hyper-parameters and options of the problem in which runs of one name differ.
    """

    problem: str
    method: str
    setting: str
    axes: Document

    def label(self, *without: str) -> str:
        """Method, setting and axes in a line."""
        axes = [f"{k} = {v}" for k, v in self.axes.items() if k not in without]
        return ", ".join([self.method, *([self.setting] if self.setting else []), *axes])

    @abstractmethod
    def values(self, column: str, at: str = "last", level: float | None = None) -> dict[int, float]:
        """A figure of every seed.

        Parameters
        ----------
        column : str
            Of the trace, or ``seconds``, ``gradients``, ``bytes``.
        at : str
            "last", "best" (the largest over the run), "mean" (over the run: what falls sooner is less), or "reach":
            communications until the column is at least `level`; a run that does not reach it counts one more than it had.
        level : float, optional

        Raises
        ------
        UsageError
            If there is no such column.
        """

    @abstractmethod
    def seeds(self) -> list[int]:
        """Of which seeds there are figures."""

    @abstractmethod
    def has(self, column: str, at: str = "last", level: float | None = None) -> bool:
        """Whether there is a figure that `values` is asked for."""

    def mean(self, *of: Any) -> float | None:
        """Mean over seeds of `values`; None where one is not known."""
        found = list(self.values(*of).values())
        return None if any(v is None for v in found) else statistics.fmean(found)

    def deviation(self, *of: Any) -> float | None:
        """Standard deviation over seeds of `values`; None for one seed."""
        found = list(self.values(*of).values())
        return statistics.stdev(found) if len(found) > 1 and None not in found else None


@dataclass
class Figures(Cell):
    """A cell without its runs: the figures of every seed that were kept.

    Attributes
    ----------
    kept : mapping
        By `figure` the value of every seed.
    """

    kept: Mapping[str, Mapping[int, float]]

    def values(self, column: str, at: str = "last", level: float | None = None) -> dict[int, float]:
        """A figure of every seed, as of `Cell`."""
        name = figure(column, at, level)
        if name not in self.kept:
            raise UsageError(f"no {name!r} was kept of {self.label()}{did_you_mean(name, self.kept)}")
        return dict(self.kept[name])

    def seeds(self) -> list[int]:
        """Of which seeds every figure is kept."""
        every = [set(own) for own in self.kept.values()]
        return sorted(set.intersection(*every)) if every else []

    def has(self, column: str, at: str = "last", level: float | None = None) -> bool:
        """Whether a figure is kept."""
        return figure(column, at, level) in self.kept


def figure(column: str, at: str = "last", level: float | None = None) -> str:
    """What a figure is called.

    Examples
    --------
    >>> figure("objective"), figure("accuracy", "best"), figure("accuracy", "reach", 0.65)
    ('objective', 'best accuracy', 'reach accuracy 0.65')
    """
    return column if at == "last" else f"{at} {column}" + ("" if level is None else f" {level:g}")


@dataclass
class Group(Cell):
    """A cell with its runs by seed."""

    runs: dict[int, Finished] = field(default_factory=dict)

    def seeds(self) -> list[int]:
        """Of which seeds there are runs."""
        return sorted(self.runs)

    def has(self, column: str, at: str = "last", level: float | None = None) -> bool:
        """Whether the runs have a figure."""
        return column in DERIVED or all(column in f.trace for f in self.runs.values())

    def values(self, column: str, at: str = "last", level: float | None = None) -> dict[int, float]:
        """A figure of every seed, as of `Cell`."""
        return {seed: _value(f, column, at, level) for seed, f in self.runs.items()}


def _value(f: Finished, column: str, at: str, level: float | None) -> Any:
    if column == "seconds":
        return f.seconds
    if column in ("gradients", "bytes"):
        return f.results[column]
    if column not in f.trace:
        known = [*f.trace.columns, *DERIVED]
        raise UsageError(f"no column {column!r} in the runs of {f.plan.method}{did_you_mean(column, known)}")
    y = f.trace[column]
    if at == "best":
        return float(np.max(y))
    if at == "mean":
        return float(np.mean(y))
    if at == "reach":
        hit = np.flatnonzero(y >= level)
        return float(f.trace["communications"][hit[0]] if len(hit) else f.trace["communications"][-1] + 1)
    return float(y[-1])


def grouped(found: Iterable[tuple[Document, Finished]]) -> list[Group]:
    """Groups of runs by what they are called, in the order in which they come."""
    groups: dict[str, Group] = {}
    for labels, f in found:
        name = str(sorted(labels.items(), key=lambda item: item[0]))
        group = groups.setdefault(
            name, Group(labels["problem"], labels["method"], labels.get("setting", ""), labels.get("axes", {}))
        )
        group.runs[f.plan.seed] = f
    return list(groups.values())
