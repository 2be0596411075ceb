"""The empirical rows of a paper's inventory: each by the rule that its ``empirical.toml`` states, on the runs of a table.

A rule is a table with one of

- ``needs``, ``setting``, ``vague``: what is missing here; what the row describes without a claim; why no measure decides it;
- ``descending``, ``most``, ``mean`` with ``is``: printed numbers, as text;
- ``claims``: ids of claims about printed numbers, which the referee decides;
- ``schedule``: tests on the measures of scheduled rounds (`fedtheory.schedules.judged`);
- ``table`` and ``tests``: comparisons on the runs of a table or figure, in full alone where ``full`` is set. All have to hold.

``part`` says which part of the row they are about, where it is not all of it.

A test has ``column``, and ``at`` and ``level`` as in `Group.values`; ``problem``, ``setting`` and ``where`` choose groups. It is

- ``{left, right}``: the figure of one method below that of another, whose column may be ``right-column``;
- ``{method, falls}`` or ``{method, rises}``: lower or higher at the last value of an axis than at the first;
- ``{method, printed, within}``, or with left and right: the figure, or right less left, within a distance of a printed one,
  after it is multiplied by ``scale`` (100 where none is given, for percents). ``highest`` or ``lowest`` names an axis that the
  paper tunes: its value with the highest or lowest mean figure counts. ``either`` names one that the paper does not print: it
  is enough that one of its values agrees.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..errors import UsageError, did_you_mean
from ..measure import paired
from ..measure.paired import INCONCLUSIVE, NEEDS_DATA, SETTING, Judged
from .groups import Cell, Figures, figure

WORDS = (
    "left", "right", "right-column", "method", "column", "falls", "rises", "printed", "within", "at", "level", "problem",
    "setting", "where", "scale", "highest", "lowest", "either",
)  # fmt: skip
Test = Mapping[str, Any]


def from_print(rule: Mapping[str, Any]) -> Judged | None:
    """What needs no run: decided from printed numbers, or not to be decided here; None where runs decide."""
    for word, verdict in (("needs", NEEDS_DATA), ("setting", SETTING), ("vague", INCONCLUSIVE)):
        if word in rule:
            return Judged(verdict, str(rule[word]))
    if "descending" in rule:
        return paired.descending(rule["descending"])
    if "most" in rule:
        return paired.most(rule["most"])
    if "mean" in rule:
        return paired.mean_is(rule["mean"], rule["is"])
    return None


def on_runs(rule: Mapping[str, Any], groups: Sequence[Cell], stood_in: Sequence[str] = ()) -> Judged:
    """The verdict of a rule on the groups of its table; `stood_in` are problems whose data are not those of the paper.

    What is measured on stand-ins alone decides nothing, and is told.

    Raises
    ------
    UsageError
        If a test has an unknown word, or names no runs.
    """
    parts: dict[bool, list[Judged]] = {True: [], False: []}
    for test in rule["tests"]:
        for word in (w for w in test if w not in WORDS):
            raise UsageError(f"a test has no {word!r}, only {', '.join(WORDS)}{did_you_mean(word, WORDS)}")
        chosen = [g for g in groups if _chosen(g, test)]
        for real in (True, False):
            parts[real] += _judged(test, [g for g in chosen if (g.problem not in stood_in) == real])
    if not parts[True] and not parts[False]:
        raise UsageError(f"the tests name no runs: {rule['tests']}")
    if not parts[True]:
        verdict, why = paired.every(parts[False])
        return Judged(NEEDS_DATA, f"on stand-ins {verdict}: {why}")
    verdict, why = paired.every(parts[True])
    return Judged(verdict, f"{why} ({rule['part']})" if "part" in rule else why)


def covers(rule: Mapping[str, Any], cells: Sequence[Figures]) -> bool:
    """Whether every test of a rule finds what it compares."""
    for test in rule["tests"]:
        chosen = [c for c in cells if _chosen(c, test)]
        asked = [(c, figure(name, *_what(test))) for c in chosen for name in _columns(test, c)]
        if not all(name in c.kept for c, name in asked) or not _judged(test, chosen):
            return False
    return True


def figures(rules: Iterable[Mapping[str, Any]], cells: Sequence[Cell]) -> list[Figures]:
    """What the tests of rules ask of cells, by seed, so that it can be judged again without the runs."""
    found: dict[int, dict[str, dict[int, float]]] = {}
    for test in (test for rule in rules for test in rule["tests"]):
        what = _what(test)
        for k, cell in enumerate(cells):
            for column in _columns(test, cell) if _chosen(cell, test) else ():
                found.setdefault(k, {})[figure(column, *what)] = cell.values(column, *what)
    return [Figures(c.problem, c.method, c.setting, c.axes, found[k]) for k, c in enumerate(cells) if k in found]


def _what(test: Test) -> tuple[str, float | None]:
    """Which figure of a column a test is about."""
    return test.get("at", "last"), test.get("level")


def _columns(test: Test, cell: Cell) -> Iterator[str]:
    """The columns that a test reads of the runs of a method."""
    if cell.method in (test.get("left"), test.get("method")):
        yield test["column"]
    if cell.method == test.get("right"):
        yield test.get("right-column", test["column"])


def _chosen(g: Cell, test: Test) -> bool:
    named = test.get("problem", g.problem) == g.problem and test.get("setting", g.setting) == g.setting
    return named and all(g.axes.get(k) == v for k, v in test.get("where", {}).items())


def _judged(test: Test, groups: Sequence[Cell]) -> list[Judged]:
    """The comparisons of one test."""
    what = _what(test)
    column, scale = test["column"], float(test.get("scale", 100))
    if "left" in test:
        found = []
        for g, h in _pairs(test, groups):
            said = f"{g.problem}, {g.label()} and {h.label()}: "
            left, right = g.values(column, *what), h.values(test.get("right-column", column), *what)
            if "printed" in test:
                apart = [scale * (right[s] - left[s]) for s in left if s in right]
                found.append(paired.near(apart, test["printed"], test["within"], said))
            else:
                found.append(paired.less(left, right, said))
        return found
    own = [g for g in groups if g.method == test["method"]]
    if "printed" in test:
        own = _tuned(test, own)
        open_axis = test.get("either")
        lines = [[g] for g in own] if open_axis is None else _lines(own, open_axis)
        return [paired.either([_near(g, test, scale) for g in line]) for line in lines]
    axis = test.get("falls", test.get("rises"))
    return [_along(axis, line, (column, *what), rises="rises" in test) for line in _lines(own, axis)]


def _near(g: Cell, test: Test, scale: float) -> Judged:
    values = [scale * v for v in g.values(test["column"], *_what(test)).values()]
    return paired.near(values, test["printed"], test["within"], f"{g.problem}, {g.label()}: ")


def _pairs(test: Test, groups: Sequence[Cell]) -> list[tuple[Cell, Cell]]:
    """The groups of two methods on the same problem; with the same axes where both have them."""
    return [
        (g, h)
        for g in groups if g.method == test["left"]
        for h in groups if h.method == test["right"] and (g.problem, g.setting) == (h.problem, h.setting)
        and all(g.axes[k] == h.axes[k] for k in {*g.axes} & {*h.axes})
    ]  # fmt: skip


def _lines(groups: Sequence[Cell], axis: str) -> list[list[Cell]]:
    """The groups that differ in one axis alone, in the order of it."""
    lines: dict[str, list[Cell]] = {}
    for g in (g for g in groups if axis in g.axes):
        rest = {k: v for k, v in g.axes.items() if k != axis}
        lines.setdefault(f"{g.problem} {g.setting} {rest}", []).append(g)
    return [sorted(line, key=lambda g: g.axes[axis]) for line in lines.values()]


def _tuned(test: Test, groups: Sequence[Cell]) -> list[Cell]:
    """The groups at the best values of an axis that the paper tunes; all of them where it tunes none."""
    axis = test.get("highest", test.get("lowest"))
    if axis is None:
        return list(groups)
    best = max if "highest" in test else min
    return [
        best(line, key=lambda g: statistics.fmean(g.values(test["column"], *_what(test)).values()))
        for line in _lines(groups, axis)
    ]


def _along(axis: str, line: Sequence[Cell], what: tuple[Any, ...], *, rises: bool) -> Judged:
    first, last = line[0], line[-1]
    low, high = (first, last) if rises else (last, first)
    said = f"{low.problem}, {low.label(axis)}, at {axis} = {low.axes[axis]} and {high.axes[axis]}: "
    return paired.less(low.values(*what), high.values(*what), said)
