"""What is shown of regions: where each condition holds in one parameter, what is left of each theorem, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from ..figures import decimal
from ..regions.advice import Fewest
from ..regions.intervals import Interval, Solution, whole_numbers
from ..regions.roots import Root
from .runs import table

if TYPE_CHECKING:
    from rich.table import Table

LONGEST = 12  # digits of a fraction that is shown in full


def conditions_table(rows: Iterable[tuple[str, str, Solution, Sequence[str], bool]]) -> Table:
    """One line a condition: its printed form, its locator, where it holds, the ends as formulas, whether whole numbers count."""
    out = table("condition", "holds for", "ends", "in the paper")
    for printed, where, solution, ends, whole in rows:
        style = "" if solution.intervals else "bold red"
        out.add_row(Text(printed), Text(region(solution, whole=whole), style), Text("; ".join(ends)), Text(where))
    return out


class Line(NamedTuple):
    """What one theorem comes to in one parameter.

    Attributes
    ----------
    theorem : str
    solution : Solution
    value : Fraction or None
        The suggestion.
    fewest : Fewest or None
        The fewest rounds that were found.
    why : str
        Why they are not counted, or empty.
    """

    theorem: str
    solution: Solution
    value: Fraction | None
    fewest: Fewest | None
    why: str


def theorems_table(lines: Sequence[Line], accuracy: float | None, own: Fraction | None, *, whole: bool) -> Table:
    """One line a theorem: where its conditions hold together, what binds at either end, a value inside, the fewest rounds.

    `own` is the value that was given, of which is said whether it is inside.
    """
    given = [] if own is None else [f"{lines[0].solution.name} = {plain(own)}"]
    asked = [] if accuracy is None else [f"fewest T for {accuracy:g}"]
    out = table("theorem", "region", "fails below", "fails above", *given, "suggestion", *asked)
    for line in lines:
        s = line.solution
        mine = [] if own is None else [Text("inside", "green") if own in s else Text("outside", "bold red")]
        if not s.intervals:
            clash = Text(" and ".join(s.conflict))
            empty = Text("empty", "bold red") if s.conflict else Text("not decided", "yellow")
            out.add_row(Text(line.theorem), empty, clash, "", *mine, "-", *["-" for _ in asked])
            continue
        below = "; ".join(dict.fromkeys(n for i in s.intervals for n in i.below))
        above = "; ".join(dict.fromkeys(n for i in s.intervals for n in i.above))
        best = [Text(line.why or rounds(s.name, line.fewest)) for _ in asked]
        said = "-" if line.value is None else f"{s.name} = {plain(line.value)}"
        texts = (line.theorem, region(s, whole=whole), below, above)
        out.add_row(*map(Text, texts), *mine, Text(said), *best)
    return out


def rounds(name: str, fewest: Fewest | None) -> str:
    """The fewest rounds and where they are promised."""
    if fewest is None:
        return "never"
    return f"{fewest.rounds:.6g} at {name} = {decimal(fewest.value, 4)} ({fewest.bound.where})"


def region(solution: Solution, *, whole: bool = False) -> str:
    """Where conditions hold, such as ``0 < eta <= 0.01``; of whole numbers the least and the largest.

    Examples
    --------
    >>> from fedtheory.regions.roots import ZERO
    >>> region(Solution("eta", (Interval(ZERO, None),)))
    '0 < eta'
    """
    if solution.undecided and not solution.intervals and not solution.conflict:
        return "not decided"
    said = [s for i in solution.intervals if (s := _interval(solution.name, i, whole))]
    return " or ".join(said) or "nowhere"


def _interval(name: str, i: Interval, whole: bool) -> str:
    if whole:
        low, high = whole_numbers(i)
        if high is None:
            return f"{low} <= {name}"
        return f"{low} <= {name} <= {high}" if low < high else f"{name} = {low}" if low == high else ""
    if i.high is not None and i.high.same(i.low):
        return f"{name} = {end(i.low)}"
    left = f"{end(i.low)} {'<=' if i.low_closed else '<'} {name}"
    return left if i.high is None else f"{left} {'<=' if i.high_closed else '<'} {end(i.high)}"


def end(root: Root) -> str:
    """An end in decimals; a short fraction in full."""
    if root.value is not None:
        return plain(root.value)
    low, high = root.between()
    return decimal((low + high) / 2, 6)


def plain(value: Fraction) -> str:
    """A rational in decimals, in full where these are few."""
    short = decimal(value, 6)
    try:
        whole = Fraction(short) == value
    except ValueError:
        whole = False
    return short if whole or len(str(value)) > LONGEST else f"{short} = {value}"
