"""fedtheory constants --solve and --map: where the conditions of a paper hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ..errors import UsageError, did_you_mean
from ..paper import Paper
from ..regions.advice import fewest, suggestion
from ..regions.closed import closed_form
from ..regions.empty import contradictory
from ..regions.forms import Form, forms
from ..regions.intervals import Solution, solve
from ..relation import Condition
from ..show.regions import Line, conditions_table, theorems_table
from ..theory.catalogue import Catalogue, Theorem

ALL = "every condition"


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


def exactly(given: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers as Fractions, infinite ones and arrays as they are."""
    return {
        k: v if isinstance(v, np.ndarray) or (isinstance(v, float) and np.isinf(v)) else Fraction(v)
        for k, v in given.items()
    }


def solve_for(
    of: Paper, catalogue: Catalogue, given: Mapping[str, Any], name: str, accuracy: float | None, why: str, out: Any
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
        out.print(f"{f.condition.printed}: not decided: {f.missing}", highlight=False, soft_wrap=True)
    found = list(_theorems(catalogue, every, given, name, accuracy, why))
    value = None if own is None or isinstance(own, np.ndarray) else Fraction(own)
    out.print(theorems_table([line for line, _ in found], accuracy, value, whole=whole))
    for text in _said(catalogue, found):
        out.print(text, highlight=False, soft_wrap=True)


def _ends(f: Form, s: Solution, given: Mapping[str, Any]) -> Iterator[str]:
    ends = [e for i in s.intervals for e in (i.low, i.high) if e is not None and e.value != 0]
    for k, e in enumerate(ends):
        if not any(e.same(other) for other in ends[:k]):
            form = closed_form(f, s.name, e, given)
            if form and form != str(e.value):
                yield form


def _theorems(
    catalogue: Catalogue,
    every: Mapping[str, Form],
    given: Mapping[str, Any],
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
                best = fewest(catalogue, t.bounds, given, name, s.intervals, accuracy)
            yield Line(title, s, best.value if best else value, best, said), own


def _said(catalogue: Catalogue, found: Sequence[tuple[Line, list[Form]]]) -> Iterator[str]:
    """What is to be said below the table: what is left out, and why a region is empty."""
    whole = [n for n in catalogue.names if catalogue.symbols[n].whole]
    left: dict[str, list[str]] = {}
    for line, _ in found:
        for f in line.solution.undecided:
            left.setdefault(f"{f.condition.printed} is left out: {f.missing}", []).append(line.theorem)
    yield from (f"{'; '.join(theorems)}: {text}" for text, theorems in left.items())
    empty: dict[tuple[str, ...], list[str]] = {}
    for line, _ in found:
        if not line.solution.intervals:
            empty.setdefault(line.solution.conflict, []).append(line.theorem)
    every = {f.condition.printed: f for _, forms_ in found for f in forms_}
    for conflict, theorems in empty.items():
        name = found[0][0].solution.name
        clash = [every[c] for c in conflict]
        alone = name not in {n for f in clash for n in f.depends_on()}
        proof = f"fails whatever {name} is" if alone else f"no {name} meets them, by exact signs between all ends"
        for_all = contradictory(clash, whole, catalogue.zero)
        other = {True: "; nor do any parameters at all (z3)", False: "; other numbers may (z3)", None: ""}[for_all]
        yield f"{'; '.join(theorems)}: empty: {' and '.join(conflict)}: {proof}{other}"
