"""The parameter points that a certified verdict covers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..formats import Document
from ..verdict import LEMMA
from ..world import World

MOST = 6  # points that are written out


def points_of(entry: Document, weights: Collection[str] = ()) -> str:
    """The points of a certified claim; empty where it is none or holds for all parameters.

    Parameters
    ----------
    entry : dict
        Of a report.
    weights : collection of str
        Scalars of each client that are shown as they are used: divided by their sum.

    Examples
    --------
    >>> points_of({"verdict": "certified", "scope": [{"m": 1, "L": "2", "mu": "1/3"}, {"m": 1, "L": "5", "mu": "1/2"}]})
    '(L, mu) in {(2, 1/3), (5, 1/2)}'
    >>> points_of({"verdict": "certified", "scope": [{"m": 2, "a": ["1", "3"]}]}, ["a"])
    'a = (1/4, 3/4)'
    """
    if entry["verdict"] != "certified" or not isinstance(entry["scope"], list):
        return ""
    return "; ".join(
        given(id, said) for id, scope in by_lemma(entry["scope"]).items() if (said := _points(scope, weights))
    )


def by_lemma(scope: Sequence[Document]) -> dict[str, list[Any]]:
    """The parts of a scope by the lemma that is limited to them; the claim's own are under no id.

    Examples
    --------
    >>> by_lemma([{"K": 1}, {"of lemma": "draft/step", "m": 2}])
    {'': [{'K': 1}], 'draft/step': [{'m': 2}]}
    """
    out: dict[str, list[Any]] = {}
    for point in scope:
        own = not (isinstance(point, Mapping) and LEMMA in point)
        part = point if own else {k: v for k, v in point.items() if k != LEMMA}
        out.setdefault("" if own else point[LEMMA], []).append(part)
    return out


def given(id: str, said: str) -> str:
    """What is said of the scope of a lemma, or of the claim itself where there is no id."""
    return f"given {id}: {said}" if id else said


def _points(scope: Sequence[Document], weights: Collection[str]) -> str:
    if at_sizes(scope):
        return ""
    points: dict[tuple[str, ...], dict[str, None]] = {}
    for point in scope:
        values = {k: _value(v, k in weights) for k, v in point.items() if isinstance(v, (str, list))}
        if values:
            points.setdefault(tuple(values), {})[_tuple(list(values.values()))] = None
    return "; ".join(_listed(_tuple(list(names)), list(found)) for names, found in points.items())


def at_sizes(scope: Sequence[object]) -> str:
    """Of a claim that holds for all parameters at listed sizes: which; empty of any other.

    Examples
    --------
    >>> at_sizes([{"parameters": "all", "sizes": "R = 1"}, {"parameters": "all", "sizes": "R = 2"}])
    'all parameters, at R = 1, R = 2'
    """
    sizes = [str(s["sizes"]) for s in scope if isinstance(s, Mapping) and "parameters" in s]
    return f"all parameters, at {', '.join(sizes)}" if sizes else ""


def _listed(names: str, found: list[str]) -> str:
    if len(found) == 1:
        return f"{names} = {found[0]}"
    more = f" and {len(found) - MOST} more" if len(found) > MOST else ""
    return f"{names} in {{{', '.join(found[:MOST])}}}{more}"


def _tuple(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def _value(v: Any, weight: bool) -> str:
    if isinstance(v, str):
        return v
    numbers = [Fraction(e) for e in v]
    whole = sum(numbers) if weight else 1
    return f"({', '.join(str(n / whole) for n in numbers)})"


def scalars_of(w: Document, world: World) -> Document:
    """The scalars of a witness, those of a sequence up to its length there: elements beyond it are listed and read by nothing."""
    n = w["shape"].get(world.index)
    beyond = {k for s in world.parts().sequences for k in w["scalars"] if k.startswith(s) and _number(k[len(s) :], n)}
    return {k: v for k, v in w["scalars"].items() if k not in beyond}


def _number(text: str, above: int | None) -> bool:
    return above is not None and text.isdigit() and int(text) > above


def sizes_of(w: Document) -> Document:
    """The sizes of a witness that say something: not the number of a draw, nor a dimension of one."""
    return {k: v for k, v in w["shape"].items() if k != "select" and (k, v) != ("d", 1)}
