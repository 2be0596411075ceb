"""What a lemma says, written in the quantities of a model: linear equations between forms, solved exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ...gram.forms import CONSTANT, Form, Key
from ...gram.ratio import Ratio, nonzero, text

Columns = Mapping[str, Form]


class Basis:
    """The forms of quantities in echelon form, so that another form is written in them where that can be done.

    Quantities that are combinations of those before them are no part of the basis; `identities` says which. Those with a plain
    number among their coefficients come first, as what is divided by such is defined everywhere.
    """

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.rows: list[tuple[Key, dict[Key, Any], dict[str, Any]]] = []  # pivot, form, combination
        self.identities: dict[str, dict[str, Any]] = {}
        for name, form in sorted(columns.items(), key=lambda column: not _plain_keys(column[1].clean())):
            rest, by = self._reduced(form)
            if rest:
                pivot = min(_plain_keys(rest) or rest, key=repr)
                lead = rest[pivot]
                combination = {name: Fraction(1)} | {k: -c for k, c in by.items()}
                self.rows.append(
                    (pivot, {k: c / lead for k, c in rest.items()}, {k: c / lead for k, c in combination.items()})
                )
            else:
                self.identities[name] = by

    def vanishes(self, by: Mapping[str, Any]) -> bool:
        """Whether a combination of quantities (and of 1) is 0."""
        total: dict[Key, Any] = {}
        for name, c in by.items():
            _add(total, self.columns[name].clean() if name else {CONSTANT: Fraction(1)}, c)
        return not total

    def _reduced(self, form: Form) -> tuple[dict[Key, Any], dict[str, Any]]:
        """What is left of a form, and the combination of quantities (and of 1) that was taken from it."""
        rest = form.clean()
        by: dict[str, Any] = {}
        constant = rest.pop(CONSTANT, None)
        for pivot, row, combination in self.rows:
            c = rest.get(pivot)
            if c is None:
                continue
            _add(rest, row, -c)
            _add(by, combination, c)
        own = rest.pop(CONSTANT, None)
        total = (constant if constant is not None else Fraction(0)) + (own if own is not None else Fraction(0))
        if nonzero(total):
            _add(by, {"": Fraction(1)}, total)
        return rest, by

    def written(self, form: Form) -> tuple[dict[str, Any], dict[Key, Any]]:
        """(coefficients by quantity, "" for the constant; what cannot be written so), as short as identities make it."""
        rest, by = self._reduced(form)
        return by if rest else self._shortest(by), rest

    def _shortest(self, by: dict[str, Any]) -> dict[str, Any]:
        """The same combination with one quantity after the other replaced by an identity, as long as it becomes shorter."""
        null = [{**identity, name: Fraction(-1)} for name, identity in self.identities.items()]
        while True:
            shorter = min((other for row in null for other in _replaced(by, row)), key=_length, default=by)
            if _length(shorter) >= _length(by):
                return by
            by = shorter


def _plain_keys(entries: Mapping[Key, Any]) -> list[Key]:
    """The entries whose coefficient is a number, and so never zero."""
    return [k for k, c in entries.items() if k != CONSTANT and not isinstance(c, Ratio)]


def _add(total: dict[Any, Any], other: Mapping[Any, Any], factor: Any) -> None:
    for k, c in other.items():
        value = total[k] + c * factor if k in total else c * factor
        if nonzero(value):
            total[k] = value
        else:
            total.pop(k, None)


def _replaced(by: Mapping[str, Any], null: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A combination with each of its quantities replaced by an identity: a combination that is 0."""
    for name, c in null.items():
        if name and name in by:
            out = dict(by)
            _add(out, null, -by[name] / c)
            yield out


def _length(by: Mapping[str, Any]) -> int:
    return sum(len(text(c)) + 4 for c in by.values())


def described(rest: Mapping[Key, Any], leaves: Sequence[str], values: Sequence[str]) -> str:
    """The entries of a form as people read them."""

    def entry(key: Key) -> str:
        if key == CONSTANT:
            return "a number"
        if key[:1] == ("v",):
            return values[key[1]]
        return (
            f"<{leaves[key[1]]}, {leaves[key[2]]}>"
            if key[0] == "G"
            else f"mean of <{leaves[key[1]]}, {leaves[key[2]]}>"
        )

    return ", ".join(entry(k) for k in list(rest)[:4]) + (" ..." if len(rest) > 4 else "")
