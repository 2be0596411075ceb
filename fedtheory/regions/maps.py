"""The region of a theorem in two parameters: exact intervals in columns, and the boundary of every condition as lines."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..errors import NotApplicable
from .advice import short
from .forms import Form
from .intervals import Interval, solve

COLUMNS = 160
DIGITS = 6  # of the position of a column
OVERLAP = 1.2  # of the sizes of a step in both directions, up to which it is drawn twice
MARGIN = 1.5  # decades around what is marked
Line = list[tuple[float, float]]


@dataclass(frozen=True)
class Window:
    """A part of the plane, both axes logarithmic; the ends are positive."""

    x: tuple[float, float]
    y: tuple[float, float]


@dataclass(frozen=True)
class Boundary:
    """Where one condition turns, as lines of points; none where it does so nowhere in the window.

    Attributes
    ----------
    form : Form
    stated : bool
        Whether the theorem states it; else its proof uses it.
    lines : tuple of list of (x, y)
    """

    form: Form
    stated: bool
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Map:
    """The region of one theorem.

    Attributes
    ----------
    title : str
    x, y : str
        The parameters.
    window : Window
    columns : tuple of Fraction
        Values of x, evenly in the logarithm.
    stated, proved : tuple of tuple of Interval
        At every column the y for which the stated conditions hold, and those of the proof as well.
    boundaries : tuple of Boundary
    undecided : tuple of Form
        Conditions that are left out, with the reason.
    empties : tuple of Form
        Where the region, with what the proof uses, is empty: conditions that no point of the columns meets together, none of
        which can be spared.
    """

    title: str
    x: str
    y: str
    window: Window
    columns: tuple[Fraction, ...]
    stated: tuple[tuple[Interval, ...], ...]
    proved: tuple[tuple[Interval, ...], ...]
    boundaries: tuple[Boundary, ...]
    undecided: tuple[Form, ...]
    empties: tuple[Form, ...] = ()


def window(x: Sequence[float], y: Sequence[float]) -> Window:
    """A window around positive numbers; around 1 where there are none.

    Examples
    --------
    >>> window([1.0], [])
    Window(x=(0.03162277660168379, 31.622776601683793), y=(0.03162277660168379, 31.622776601683793))
    """

    def side(values: Sequence[float]) -> tuple[float, float]:
        own = [v for v in values if 0 < v < math.inf] or [1.0]
        return min(own) / 10**MARGIN, max(own) * 10**MARGIN

    return Window(side(x), side(y))


def positions(side: tuple[float, float], count: int = COLUMNS) -> tuple[Fraction, ...]:
    """Short positive rationals from end to end, evenly in the logarithm."""
    low, high = side
    return tuple(short(Fraction(low * (high / low) ** (k / (count - 1))), DIGITS) for k in range(count))


def draw(
    title: str, stated: Sequence[Form], proof: Sequence[Form], x: str, y: str, given: Mapping[str, object], part: Window
) -> Map:
    """The region of a theorem in a window.

    Parameters
    ----------
    stated, proof : sequence of Form
        What the theorem states, and what its proof uses besides; with `x` and `y` among their symbols.
    given : mapping
        Numbers for the other parameters.
    """
    given = {k: v for k, v in given.items() if k not in (x, y)}
    columns, rows = positions(part.x), positions(part.y)
    middle = {**given, x: columns[len(columns) // 2]}
    undecided = solve([*stated, *proof], y, middle, conflict=False).undecided
    out = {f.condition.printed for f in undecided}
    kept = [[f for f in own if f.condition.printed not in out] for own in (stated, proof)]

    def at(own: Sequence[Form]) -> tuple[tuple[Interval, ...], ...]:
        found = (solve(own, y, {**given, x: c}, conflict=False) for c in columns)
        return tuple(
            () if s.undecided else s.intervals for s in found
        )  # what is undefined in a column holds nowhere there

    both = [*kept[0], *kept[1]]
    boundaries = tuple(
        Boundary(f, k < len(kept[0]), tuple(_lines(f, x, y, given, columns, rows, part))) for k, f in enumerate(both)
    )
    first = at(kept[0])
    last = at(both) if proof else first
    empties = [] if any(last) else kept[0] if not any(first) else both
    for f in tuple(empties):
        others = [g for g in empties if g is not f]
        if others and not any(at(others)):
            empties = others
    return Map(title, x, y, part, columns, first, last, boundaries, undecided, tuple(empties))


def ends(form: Form, name: str, given: Mapping[str, object], side: tuple[float, float]) -> list[float]:
    """The ends of where a condition holds that lie in a part of the axis."""
    found = [e for i in solve([form], name, given, conflict=False).intervals for e in (i.low, i.high) if e is not None]
    return [v for e in found if e.value != 0 and side[0] <= (v := float(e)) <= side[1]]


def _lines(
    form: Form,
    x: str,
    y: str,
    given: Mapping[str, object],
    columns: Sequence[Fraction],
    rows: Sequence[Fraction],
    part: Window,
) -> list[Line]:
    """The boundary column by column, and row by row where it is steep."""
    about = form.depends_on()
    if x not in about and y not in about:
        return []
    if y not in about:
        return [[(v, part.y[0]), (v, part.y[1])] for v in ends(form, x, given, part.x)]
    try:
        across = joined([(float(c), ends(form, y, {**given, x: c}, part.y)) for c in columns])
        if x not in about:
            return across
        down = joined([(float(r), ends(form, x, {**given, y: r}, part.x)) for r in rows])
    except NotApplicable:
        return []
    if not down:  # as where x stands in an exponential
        return across
    turned = [[(v, at) for at, v in line] for line in down]
    return [
        *(own for line in across for own in leaning(line, part, steep=False)),
        *(own for line in turned for own in leaning(line, part, steep=True)),
    ]


def leaning(line: Line, part: Window, *, steep: bool) -> list[Line]:
    """The parts of a line that are steep in the picture, or those that are not; one step of both where it changes gently."""

    def across(a: float, b: float, side: tuple[float, float]) -> float:
        return abs(math.log(b / a) / math.log(side[1] / side[0]))

    steps = list(itertools.pairwise(line))
    sizes = [(across(p[0], q[0], part.x), across(p[1], q[1], part.y)) for p, q in steps]
    own = [steep == (run < rise) for run, rise in sizes]
    out: list[Line] = []
    open_: Line = []
    for k, (p, q) in enumerate(steps):
        diagonal = max(sizes[k]) <= OVERLAP * min(sizes[k])
        if own[k] or (diagonal and any(own[max(0, k - 1) : k + 2])):
            open_ = open_ or [p]
            open_.append(q)
        elif open_:
            out.append(open_)
            open_ = []
    return [*out, open_] if open_ else out


def joined(found: Sequence[tuple[float, Sequence[float]]]) -> list[Line]:
    """Points one after another, the k-th of a column to the k-th of the next one as long as there are as many.

    Examples
    --------
    >>> joined([(1.0, [5.0]), (2.0, [6.0]), (3.0, [])])
    [[(1.0, 5.0), (2.0, 6.0)]]
    """
    out: list[Line] = []
    open_: list[Line] = []
    for at, values in found:
        if len(values) != len(open_):
            out += open_
            open_ = [[] for _ in values]
        for line, v in zip(open_, sorted(values), strict=True):
            line.append((at, v))
    return [line for line in (*out, *open_) if len(line) > 1]
