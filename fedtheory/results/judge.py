"""The empirical rows of a paper's inventory: each by the rule that its ``empirical.toml`` states, on the runs of a table.

A rule is a table with one of

- ``needs``, ``setting``, ``vague``: what is missing here; what the row describes without a claim; why no measure decides it;
- ``descending``, ``most``, ``largest``, ``mean`` with ``is``: printed numbers, as text;
- ``claims``: ids of claims about printed numbers, which the referee decides;
- ``schedule``: tests on the measures of scheduled rounds (`fedtheory.schedules.judged`);
- ``table`` and ``tests``: comparisons on the runs of a table or figure, in full alone where ``full`` is set. All have to hold.

``readings`` are the settings of the table in which the tests can be read: the row is reproduced where it is in one of them, and
not reproduced only where every one of them has been run. One has been run where all those values of an axis have been
that a test looks at. Where ``by`` names one of them, the one in which the paper's printed
figures come, it decides alone on what the text says of curves. ``columns`` and ``right-columns`` of a test name its columns
in readings where they are others. ``unprinted`` names what the paper does not print and the tests
hang on: they then decide nothing. On how many of the paper's data sets something was decided is computed (`Facts`).

A test has ``column``, and ``at`` and ``level`` as in `Group.values`; ``problem``, ``setting`` and ``where`` choose groups. It is

- ``{left, right}``: the figure of one method below that of another, whose column may be ``right-column``;
- ``{method, falls}`` or ``{method, rises}``: lower or higher at the last value of an axis than at the first;
- ``{method, printed, within}``, or with left and right: the figure, or right less left, within a distance of a printed one,
  after it is multiplied by ``scale`` (100 where none is given, for percents). ``highest`` or ``lowest`` names an axis that the
  paper tunes: its value with the highest or lowest mean figure counts. ``either`` names one that the paper does not print: it
  is enough that one of its values agrees.

A run that ends at its largest number of rounds has measured no rounds: it counts as later than everything, and two such runs as
not compared, but where ``capped`` says that the test is about that number itself.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..errors import UsageError, did_you_mean
from ..formats import Document
from ..measure import paired
from ..measure.paired import INCONCLUSIVE, NEEDS_DATA, SETTING, Judged
from .groups import Cell, Figures, figure

WORDS = (
    "left", "right", "right-column", "method", "column", "falls", "rises", "printed", "within", "at", "level", "problem",
    "setting", "where", "scale", "highest", "lowest", "either", "capped", "columns", "right-columns",
)  # fmt: skip
ENDS = ("falls", "rises")  # words that name an axis of which a test compares the ends
ALL_OF = ("highest", "lowest", "either")  # and of which it looks at every value
Test = Document


def from_print(rule: Document) -> Judged | None:
    """What needs no run: decided from printed numbers, or not to be decided here; None where runs decide."""
    for word, verdict in (("needs", NEEDS_DATA), ("setting", SETTING), ("vague", INCONCLUSIVE)):
        if word in rule:
            return Judged(verdict, str(rule[word]))
    if "descending" in rule:
        return paired.descending(rule["descending"])
    if "most" in rule:
        return paired.most(rule["most"])
    if "largest" in rule:
        return paired.largest(rule["largest"])
    if "mean" in rule:
        return paired.mean_is(rule["mean"], rule["is"])
    return None


@dataclass(frozen=True)
class Facts:
    """What the rules of a table have to know of it.

    Attributes
    ----------
    data : mapping
        The data set of every problem, by its label.
    sets : int
        On how many data sets the paper has this table or figure.
    rounds : mapping
        The largest number of rounds of a method in a setting.
    planned : mapping
        By problem, method and setting the axes of every cell that the plan asks for.
    """

    data: Mapping[str, str] = field(default_factory=dict)
    sets: int = 0
    rounds: Mapping[tuple[str, str], int] = field(default_factory=dict)
    planned: Mapping[tuple[str, str, str], Sequence[Document]] = field(default_factory=dict)

    def part(self, problems: Iterable[str]) -> str:
        """Which part of the paper's data sets these problems are, in words; empty where it is all.

        Examples
        --------
        >>> Facts({"A": "a", "B": "b"}, 4).part(["A"])
        'on A: 1 of 4 data sets'
        """
        own = list(dict.fromkeys(problems))
        n = len({self.data.get(p, p) for p in own})
        return f"on {' and '.join(own)}: {n} of {self.sets} data sets" if n < self.sets else ""

    def values(self, g: Cell, column: str, test: Test) -> dict[int, float]:
        """A figure of every seed; rounds that were not measured are infinite."""
        at, level = _what(test)
        found, most = g.values(column, at, level), self.rounds.get((g.method, g.setting))
        if most is None or test.get("capped"):
            return found
        if at == "reach":
            return {s: math.inf if v > most else v for s, v in found.items()}
        if at == "last" and column == "communications":
            return {s: math.inf if v >= most else v for s, v in found.items()}
        return found

    def whole(self, axis: str, cells: Sequence[Cell], ends: bool) -> bool:
        """Whether of every line of cells along an axis each value, or each end, is there that the plan asks for."""
        for line in _lines(cells, axis):
            c, rest = line[0], _line(line[0], line[0].axes, axis)
            planned = [axes for axes in self.planned.get((c.problem, c.method, c.setting), ()) if axis in axes]
            asked = [axes[axis] for axes in planned if _line(c, axes, axis) == rest]
            asked = [min(asked), max(asked)] if ends and asked else asked
            if not all(any(g.axes.get(axis) == value for g in line) for value in asked):
                return False
        return True


NO_FACTS = Facts()


def on_runs(rule: Document, groups: Sequence[Cell], stood_in: Sequence[str] = (), facts: Facts = NO_FACTS) -> Judged:
    """The verdict of a rule on the groups of its table; `stood_in` are problems whose data are not those of the paper.

    What is measured on stand-ins alone decides nothing, and is told.

    Raises
    ------
    UsageError
        If a test has an unknown word, or names no runs.
    """
    for word in (w for test in rule["tests"] for w in test if w not in WORDS):
        raise UsageError(f"a test has no {word!r}, only {', '.join(WORDS)}{did_you_mean(word, WORDS)}")
    if "readings" in rule:
        each = {name: _tests(rule, name) for name in rule["readings"]}
        found = {
            n: _in_one(t, groups, stood_in, facts) if _covered(t, groups, facts) else None for n, t in each.items()
        }
        if not any(_covered(t, groups, NO_FACTS) for t in each.values()):
            raise UsageError(f"the tests name no runs: {rule['tests']}")
        verdict, why = paired.readings(found, rule.get("by"))
    else:
        verdict, why = _in_one(rule["tests"], groups, stood_in, facts)
    if "unprinted" in rule and verdict in (paired.REPRODUCED, paired.NOT_REPRODUCED):
        return Judged(INCONCLUSIVE, f"hangs on {rule['unprinted']}, which is not printed: {verdict} with ours, {why}")
    return Judged(verdict, why)


def _in_one(tests: Sequence[Test], groups: Sequence[Cell], stood_in: Sequence[str], facts: Facts) -> Judged:
    """The verdict of tests in one reading, all of which have to hold."""
    parts: dict[bool, list[Judged]] = {True: [], False: []}
    problems: list[str] = []
    for test in tests:
        chosen = [g for g in groups if _chosen(g, test)]
        for real in (True, False):
            own = [g for g in chosen if (g.problem not in stood_in) == real]
            if judged := _judged(test, own, facts):
                parts[real] += judged
                problems += [g.problem for g in own if real]
    if not parts[True] and not parts[False]:
        raise UsageError(f"the tests name no runs: {tests}")
    stand_ins = paired.every(parts[False]) if parts[False] else None
    if not parts[True]:
        return Judged(NEEDS_DATA, f"on stand-ins {stand_ins.verdict}: {stand_ins.why}" if stand_ins else "")
    verdict, why = paired.every(parts[True])
    part = facts.part(problems)
    besides = f"{part}{f'; on stand-ins {stand_ins.verdict}' if stand_ins else ''}" if part else ""
    return Judged(verdict, f"{why} ({besides})" if besides else why)


def _tests(rule: Document, reading: str) -> list[Test]:
    """The tests of a rule in one of its readings, with the columns that they have there."""
    found: list[Test] = []
    for test in rule["tests"]:
        own = {
            name: test[f"{name}s"][reading]
            for name in ("column", "right-column")
            if reading in test.get(f"{name}s", {})
        }
        found.append({**test, **own, "setting": reading})
    return found


def _every_test(rule: Document) -> list[Test]:
    """The tests of a rule in all of its readings."""
    return [t for name in rule["readings"] for t in _tests(rule, name)] if "readings" in rule else list(rule["tests"])


def covers(rule: Document, cells: Sequence[Cell], facts: Facts = NO_FACTS) -> bool:
    """Whether every test of a rule finds what it compares, in one of its readings."""
    if "readings" in rule:
        return any(_covered(_tests(rule, name), cells, facts) for name in rule["readings"])
    return _covered(rule["tests"], cells, facts)


def _covered(tests: Sequence[Test], cells: Sequence[Cell], facts: Facts) -> bool:
    """Whether every test finds what it compares, at all values of an axis that it looks at."""
    for test in tests:
        chosen = [c for c in cells if _chosen(c, test)]
        own = [c for c in chosen if next(_columns(test, c), None)]
        if not all(facts.whole(test[word], own, word in ENDS) for word in (*ENDS, *ALL_OF) if word in test):
            return False
        asked = [(c, figure(name, *_what(test))) for c in chosen for name in _columns(test, c)]
        if not all(name in c.kept for c, name in asked if isinstance(c, Figures)) or not _judged(test, chosen):
            return False
    return True


def figures(rules: Iterable[Mapping[str, object]], cells: Sequence[Cell]) -> list[Figures]:
    """What the tests of rules ask of cells, by seed, so that it can be judged again without the runs."""
    found: dict[int, dict[str, dict[int, float]]] = {}
    for test in (test for rule in rules for test in _every_test(rule)):
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


def _judged(test: Test, groups: Sequence[Cell], facts: Facts = NO_FACTS) -> list[Judged]:
    """The comparisons of one test."""
    column, scale = test["column"], float(test.get("scale", 100))
    if "left" in test:
        found = []
        for g, h in _pairs(test, groups):
            said = f"{g.problem}, {g.label()} and {h.label()}: "
            left, right = (
                facts.values(g, column, test), facts.values(h, test.get("right-column", column), test)
            )  # fmt: skip
            if "printed" in test:
                apart = [scale * (right[s] - left[s]) for s in left if s in right]
                found.append(paired.near(apart, test["printed"], test["within"], said))
            else:
                found.append(paired.less(left, right, said))
        return found
    own = [g for g in groups if g.method == test["method"]]
    if "printed" in test:
        own = _tuned(test, own, facts)
        open_axis = test.get("either")
        lines = [[g] for g in own] if open_axis is None else _lines(own, open_axis)
        return [paired.either([_near(g, test, scale, facts) for g in line]) for line in lines]
    axis = test.get("falls", test.get("rises"))
    return [_along(axis, line, test, facts) for line in _lines([g for g in own if axis in g.axes], axis)]


def _near(g: Cell, test: Test, scale: float, facts: Facts) -> Judged:
    values = [scale * v for v in facts.values(g, test["column"], test).values()]
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
    """The groups that differ in one axis alone, in the order of it; one that has no such axis stands alone."""
    lines: dict[str, list[Cell]] = {}
    for g in groups:
        lines.setdefault(_line(g, g.axes, axis), []).append(g)
    return [sorted(line, key=lambda g: g.axes.get(axis, 0)) for line in lines.values()]


def _line(c: Cell, axes: Document, axis: str) -> str:
    """Which line along an axis the cell with these axes would stand on, beside a cell."""
    rest = sorted((k, str(v)) for k, v in axes.items() if k != axis)
    return f"{c.problem} {c.method} {c.setting} {rest}"


def _tuned(test: Test, groups: Sequence[Cell], facts: Facts) -> list[Cell]:
    """The groups at the best values of an axis that the paper tunes; all of them where it tunes none."""
    axis = test.get("highest", test.get("lowest"))
    if axis is None:
        return list(groups)
    best = max if "highest" in test else min
    return [
        best(line, key=lambda g: statistics.fmean(facts.values(g, test["column"], test).values()))
        for line in _lines(groups, axis)
    ]


def _along(axis: str, line: Sequence[Cell], test: Test, facts: Facts) -> Judged:
    first, last = line[0], line[-1]
    low, high = (first, last) if "rises" in test else (last, first)
    said = f"{low.problem}, {low.label(axis)}, at {axis} = {low.axes[axis]} and {high.axes[axis]}: "
    lower, upper = (facts.values(g, test["column"], test) for g in (low, high))
    return paired.less(lower, upper, said)
