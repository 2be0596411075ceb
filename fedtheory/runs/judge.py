"""The empirical rows of a paper's inventory: each by the rule that its ``empirical.toml`` states, on the runs of a table.

A rule is a table with one of

- ``needs``: what is missing here, in words;
- ``descending``, ``most``, ``mean`` with ``is``: printed numbers, as text;
- ``table`` and ``tests``: comparisons on the runs of a table or figure. A test is ``{left, right, column}``, the figure of one
  method below that of another; ``{method, column, falls}`` or ``{..., rises}``, its figure at the last value of an axis below
  or above that at the first; or ``{method, column, printed, within}``. ``at`` and ``level`` are as in `Group.values`,
  ``problem``, ``setting`` and ``where`` choose groups. All comparisons have to hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import UsageError
from ..measure import paired
from ..measure.paired import NEEDS_DATA, Judged
from .groups import Group

PRINTED = ("descending", "most", "mean")
WORDS = {
    "left", "right", "method", "column", "falls", "rises", "printed", "within", "at", "level", "problem", "setting", "where",
    "scale",
}  # fmt: skip


def from_print(rule: Mapping[str, Any]) -> Judged | None:
    """What needs no run: decided from printed numbers, or for want of data; None where runs decide."""
    if "needs" in rule:
        return Judged(NEEDS_DATA, str(rule["needs"]))
    if "descending" in rule:
        return paired.descending(rule["descending"])
    if "most" in rule:
        return paired.most(rule["most"])
    if "mean" in rule:
        return paired.mean_is(rule["mean"], rule["is"])
    return None


def on_runs(rule: Mapping[str, Any], groups: Sequence[Group]) -> Judged:
    """The verdict of a rule on the groups of its table.

    Raises
    ------
    UsageError
        If a test has an unknown word, or names no runs.
    """
    parts: list[Judged] = []
    for test in rule["tests"]:
        if unknown := set(test) - WORDS:
            raise UsageError(f"a test has no {min(unknown)!r}, only {', '.join(sorted(WORDS))}")
        found = _test(test, [g for g in groups if _chosen(g, test)])
        if not found:
            raise UsageError(f"a test names no runs: {dict(test)}")
        parts += found
    return paired.every(parts)


def _chosen(g: Group, test: Mapping[str, Any]) -> bool:
    return all(
        (
            test.get("problem", g.problem) == g.problem,
            test.get("setting", g.setting) == g.setting,
            all(g.axes.get(k) == v for k, v in test.get("where", {}).items()),
        )
    )


def _test(test: Mapping[str, Any], groups: Sequence[Group]) -> list[Judged]:
    what = (test["column"], test.get("at", "last"), test.get("level"))
    own = [g for g in groups if g.method == test.get("method")]
    if "printed" in test:
        scale = float(test.get("scale", 100))
        return [
            paired.near(
                [scale * v for v in g.values(*what).values()], test["printed"], test["within"], f"{g.label()}: "
            )
            for g in own
        ]
    if "falls" in test or "rises" in test:
        axis = test.get("falls", test.get("rises"))
        return [_along(axis, line, what, rises="rises" in test) for line in _lines(own, axis)]
    pairs = [
        (g, h)
        for g in groups if g.method == test["left"]
        for h in groups if h.method == test["right"] and (g.problem, g.setting, g.axes) == (h.problem, h.setting, h.axes)
    ]  # fmt: skip
    return [
        paired.less(g.values(*what), h.values(*what), f"{g.problem}, {g.label()} and {h.label()}: ") for g, h in pairs
    ]


def _lines(groups: Sequence[Group], axis: str) -> list[list[Group]]:
    """The groups that differ in one axis alone, in the order of it."""
    lines: dict[str, list[Group]] = {}
    for g in (g for g in groups if axis in g.axes):
        rest = {k: v for k, v in g.axes.items() if k != axis}
        lines.setdefault(f"{g.problem} {g.setting} {rest}", []).append(g)
    return [sorted(line, key=lambda g: g.axes[axis]) for line in lines.values()]


def _along(axis: str, line: Sequence[Group], what: tuple[Any, ...], *, rises: bool) -> Judged:
    first, last = line[0], line[-1]
    said = f"{first.problem}, {first.label(axis)}, from {axis} = {first.axes[axis]} to {last.axes[axis]}: "
    a, b = first.values(*what), last.values(*what)
    return paired.less(a, b, said) if rises else paired.less(b, a, said)
