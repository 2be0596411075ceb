"""fedtheory constants --solve and --map: where the conditions of a paper hold."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ..catalogue import OUT_OF_RANGE, Catalogue, Theorem
from ..errors import UsageError, did_you_mean
from ..paper import Paper
from ..regions.advice import fewest, suggestion
from ..regions.closed import closed_form
from ..regions.empty import certificate_at, emptiness
from ..regions.forms import Form, forms
from ..regions.intervals import Solution, solve
from ..regions.maps import Map, draw, window
from ..relation import Condition
from ..show.maps import Mark, maps
from ..show.regions import Line, conditions_table, theorems_table
from ..show.runs import spread

if TYPE_CHECKING:
    from rich.console import Console

    from ..formats import Document, Json
    from ..quantity import Quantity

ALL = "every condition"
CERTIFICATE = "a product certificate (kernel)"
TRUST_OF = {"kernel": "a product certificate, kernel", "z3": "z3"}


def named(catalogue: Catalogue, word: str, option: str) -> str:
    """A parameter of the catalogue by its name or the paper's letter.

    Raises
    ------
    UsageError
        If there is none of this name.
    """
    name = catalogue.letters.get(word.lstrip("-"), word.lstrip("-"))
    if name not in catalogue.parameters:
        names = ", ".join(catalogue.parameters)
        raise UsageError(
            f"{option} needs a parameter, got {word!r}{did_you_mean(name, catalogue.parameters)}; it takes {names}"
        )
    return name


def theorems_of(catalogue: Catalogue) -> list[Theorem]:
    """The theorems of a paper; of one that names none its bounds, or all of its conditions as one."""
    if catalogue.theorems:
        return list(catalogue.theorems)
    found = {b.conditions: Theorem(b.where, b.conditions, b.unstated, (b,)) for b in catalogue.bounds}
    return list(found.values()) or [Theorem(ALL, catalogue.conditions)]


def conditions_of(catalogue: Catalogue) -> list[Condition]:
    """Every condition of the catalogue and of its theorems, once."""
    own = [c for t in theorems_of(catalogue) for c in (*t.conditions, *t.proof)]
    return list({c.printed: c for c in (*catalogue.conditions, *own)}.values())


def exactly(given: Document) -> Json:
    """Numbers as Fractions, infinite ones and arrays as they are."""
    return {
        k: v if isinstance(v, np.ndarray) or (isinstance(v, float) and np.isinf(v)) else Fraction(v)
        for k, v in given.items()
    }


def solve_for(
    of: Paper, catalogue: Catalogue, given: Document, name: str, accuracy: float | None, why: str, out: Console
) -> None:
    """Print where every condition on one parameter holds, and where those of each theorem hold together.

    Parameters
    ----------
    why : str
        Why rounds are not counted, where they cannot be; or empty.

    Raises
    ------
    UsageError
        If a parameter that stands in no condition is sought.
    """
    own = given.get(name)
    given = exactly({k: v for k, v in given.items() if k != name})
    whole, zero = catalogue.symbols[name].whole, name in catalogue.zero
    every = {f.condition.printed: f for f in forms(catalogue, conditions_of(catalogue), given, name)}
    about = [f for f in every.values() if f.missing or name in f.depends_on()]
    if not any(name in f.depends_on() for f in about):
        needed = sorted({f.missing.removeprefix("needs ") for f in about if f.missing.startswith("needs ")})
        missing = f" with these numbers; not given: {', '.join('--' + n for n in needed)}" if needed else ""
        raise UsageError(f"--solve {name}: no condition of {of.id} is about {name}{missing}")
    rows = []
    undecided = []
    for f in about:
        s = solve([f], name, given, zero=zero)
        if s.undecided:
            undecided.append(s.undecided[0])
        else:
            rows.append((f.condition.printed, f.condition.where, s, list(_ends(f, s, given)), whole))
    out.print(conditions_table(rows))
    for f in undecided:
        out.print(f"{f.condition.printed}: not decided: {f.missing}", highlight=False, markup=False)
    found = list(_theorems(catalogue, every, given, name, accuracy, why))
    value = None  # nor is one number a client, or an infinite one, inside or outside
    if own is not None and not isinstance(own, np.ndarray) and not (isinstance(own, float) and np.isinf(own)):
        value = Fraction(own)
    out.print(theorems_table([line for line, _ in found], accuracy, value, whole=whole))
    for text in _said(catalogue, given, found):
        out.print(text, highlight=False, markup=False)


def _ends(f: Form, s: Solution, given: Mapping[str, Quantity]) -> Iterator[str]:
    ends = [e for i in s.intervals for e in (i.low, i.high) if e is not None and e.value != 0]
    for k, e in enumerate(ends):
        if not any(e.same(other) for other in ends[:k]):
            form = closed_form(f, s.name, e, given)
            if form and form != str(e.value):
                yield form


def _theorems(
    catalogue: Catalogue,
    every: Mapping[str, Form],
    given: Mapping[str, Quantity],
    name: str,
    accuracy: float | None,
    why: str,
) -> Iterator[tuple[Line, list[Form]]]:
    """Every theorem as it is stated, and with what its proof uses."""
    whole, zero = catalogue.symbols[name].whole, name in catalogue.zero
    for t in theorems_of(catalogue):
        for title, conditions in ((t.name, t.conditions), (f"{t.name}, with its proof", (*t.conditions, *t.proof))):
            if title != t.name and not t.proof:
                continue
            own = [every[c.printed] for c in conditions]
            s = solve(own, name, given, zero=zero)
            value = suggestion(s.intervals[0], whole=whole) if s.intervals else None
            said = why if t.bounds else "no rate"
            best = None
            if accuracy is not None and not said and s.intervals:
                try:
                    best = fewest(catalogue, t.bounds, given, name, s.intervals, accuracy)
                except OverflowError:
                    said = OUT_OF_RANGE
            yield Line(title, s, best.value if best else value, best, said), own


def _said(
    catalogue: Catalogue, given: Mapping[str, Quantity], found: Sequence[tuple[Line, list[Form]]]
) -> Iterator[str]:
    """What is to be said below the table: what is left out, and why a region is empty."""
    whole = [n for n in catalogue.names if catalogue.symbols[n].whole]
    left: dict[str, list[str]] = {}
    for line, _ in found:
        for f in line.solution.undecided:
            left.setdefault(f"{f.condition.printed} is left out: {f.missing}", []).append(line.theorem)
    yield from (f"{'; '.join(theorems)}: {text}" for text, theorems in left.items())
    empty: dict[tuple[str, ...], list[str]] = {}
    for line, _ in found:
        if line.solution.conflict:
            empty.setdefault(line.solution.conflict, []).append(line.theorem)
    every = {f.condition.printed: f for _, forms_ in found for f in forms_}
    for conflict, theorems in empty.items():
        name = found[0][0].solution.name
        clash = [every[c] for c in conflict]
        alone = name not in {n for f in clash for n in f.depends_on()}
        proof = f"fails whatever {name} is" if alone else f"no {name} meets them, by exact signs between all ends"
        # whatever a given number has decided, such as one that is infinite, is asked of all numbers
        free = forms(catalogue, [f.condition for f in clash], dict.fromkeys(given, 1), name)
        for_all = emptiness(free, whole, catalogue.zero)
        if for_all.trust != "kernel" and certificate_at(clash, name, given, whole, catalogue.zero) is not None:
            proof += f"{', by' if alone else ' and'} {CERTIFICATE}"
        other = {True: "; nor do any parameters at all", False: "; other numbers may", None: ""}[for_all.empty]
        by = f" ({TRUST_OF[for_all.trust]})" if other else ""
        yield f"{'; '.join(theorems)}: empty: {' and '.join(conflict)}: {proof}{other}{by}"


def map_of(
    of: Paper, catalogue: Catalogue, given: Mapping[str, Quantity], typed: Collection[str], x: str, y: str, theorem: str, path: str,
    estimates: Sequence[str], out: Console,
) -> None:  # fmt: skip
    """Draw where the conditions of theorems hold in two parameters.

    Parameters
    ----------
    typed : collection of str
        Those of the given that stand on the command line; the others are measured, or assumed as in the paper.
    x, y : str
        The parameters.
    theorem : str
        One theorem alone, or empty for those that promise a rate, or for all where none does.
    estimates : sequence of str
        Parameters whose numbers are estimates; the picture says so.

    Raises
    ------
    UsageError
        If no condition of a theorem is about the parameters, or there is no theorem of this name.
    """
    known = theorems_of(catalogue)
    if theorem and theorem not in (names := [t.name for t in known]):
        raise UsageError(f"--theorem must be one of {', '.join(names)}, got {theorem!r}{did_you_mean(theorem, names)}")
    chosen = [t for t in known if t.name == theorem] or promising(catalogue)
    own = exactly({k: v for k, v in given.items() if k not in (x, y)})
    every, groups = about(catalogue, chosen, own, x, y)
    if not groups:
        raise UsageError(f"--map {x} {y}: no condition of {', '.join(t.name for t in chosen)} is about these")
    marks = _marks(catalogue, given, typed, x, y)
    drawn = mapped(every, groups, own, marks, x, y)
    numbers = numbers_in(every, own, estimates)
    maps(drawn, marks, path, f"{of.id}: {numbers}" if numbers else of.id)
    for m in drawn:
        for line in said_of(m):
            out.print(line, highlight=False, markup=False)
    out.print(f"drawn in {path}", highlight=False, markup=False)


Groups = Mapping[tuple[Condition, ...], Sequence[Theorem]]


def promising(catalogue: Catalogue) -> list[Theorem]:
    """The theorems that promise a rate; all where none does."""
    known = theorems_of(catalogue)
    return [t for t in known if t.bounds] or known


def about(
    catalogue: Catalogue, chosen: Sequence[Theorem], own: Mapping[str, object], x: str, y: str
) -> tuple[dict[str, Form], Groups]:
    """(all conditions by what is printed, by the conditions of a theorem about `x` or `y` the theorems that have these)."""
    every = {f.condition.printed: f for f in forms(catalogue, conditions_of(catalogue), own, x, y)}
    groups: dict[tuple[Condition, ...], list[Theorem]] = {}
    for t in chosen:
        if any({x, y} & every[c.printed].depends_on() for c in (*t.conditions, *t.proof)):
            groups.setdefault((*t.conditions, *t.proof), []).append(t)
    return every, groups


def mapped(
    every: Mapping[str, Form], groups: Groups, own: Mapping[str, object], marks: Sequence[Mark], x: str, y: str
) -> list[Map]:
    """The map of each group of theorems, in one window around the marks."""
    of_them = [every[c.printed] for conditions in groups for c in conditions]
    part = window(*(_looked_at(of_them, n, other, own, marks, k) for k, (n, other) in enumerate(((x, y), (y, x)))))
    drawn = []
    for same in groups.values():
        stated, used = ([every[c.printed] for c in cs] for cs in (same[0].conditions, same[0].proof))
        drawn.append(draw("; ".join(t.name for t in same), stated, used, x, y, own, part))
    return drawn


def numbers_in(every: Mapping[str, Form], own: Mapping[str, object], estimates: Sequence[str] = ()) -> str:
    """The numbers that the conditions have, in words."""
    about_these = {n for f in every.values() for n in f.depends_on()}
    said = {k: f"{k} = {spread(v)}{' (an estimate)' if k in estimates else ''}" for k, v in own.items()}
    return ", ".join(text for k, text in said.items() if k in about_these)


def said_of(m: Map) -> Iterator[str]:
    """How much of a map is not empty, and what it leaves out."""
    size = f"not empty at {sum(map(bool, m.stated))} of {len(m.columns)} columns"
    proof = "" if m.proved is m.stated else f", with what its proof uses at {sum(map(bool, m.proved))}"
    yield f"{m.title}: {size}{proof}"
    for f in m.undecided:
        yield f"{m.title}: {f.condition.printed} is left out: {f.missing}"


def _marks(catalogue: Catalogue, given: Mapping[str, Quantity], typed: Collection[str], x: str, y: str) -> list[Mark]:
    """The user's point and the paper's own setting, where both parameters are known; what is assumed is called so.

    Raises
    ------
    UsageError
        If a number is out of the range of floats, in which pictures are drawn.
    """
    out = []
    assumed = [n for n in (x, y) if n not in typed and n in catalogue.settings]
    named = "given" + (f", {assumed[0]} assumed as in the paper" if assumed else "")
    known = [(given, named)] if len(assumed) < 2 else []
    for values, what in (*known, (catalogue.settings, f"paper, {catalogue.setting}")):
        if x not in values or y not in values or any(isinstance(values[n], np.ndarray) for n in (x, y)):
            continue
        try:
            at = float(values[x]), float(values[y])
        except OverflowError:
            at = math.inf, math.inf
        if not all(0 < v < math.inf for v in at):
            raise UsageError(f"--map {x} {y}: {what}, one of them is 0 or out of the range of floats")
        out.append(Mark(*at, what))
    return out


def _looked_at(
    found: Iterable[Form], name: str, other: str, given: Mapping[str, object], marks: Sequence[Mark], axis: int
) -> list[float]:
    """What is to be in sight on one axis: the marks, and where conditions turn at the marks' values of the other one."""
    out = [float(mark[axis]) for mark in marks]
    for f in found:
        if name not in f.depends_on() or f.missing:
            continue
        for value in {mark[1 - axis] for mark in marks} or {1.0}:
            s = solve([f], name, {**given, other: Fraction(value)}, conflict=False)
            ends = [e for i in s.intervals for e in (i.low, i.high) if e is not None and e.value != 0]
            out += [float(e) for e in ends if all(1e-8 <= float(e) / v <= 1e8 for v in out[:1])]
    return out
