"""The number of steps that each client makes of a run within a step, where it is any number of the client's own.

A theorem about the run is used at each client's own number of steps, so that what it asks is shown of every number up to the
largest; what it says may not read the number, and then it is said of each client and in the mean over them.
"""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import NoReturn

from ...instance import Instance
from ...relation import Relation
from ...theorem import Use
from ..prove.induction import NotShown
from ..z3.terms import Index, Real
from .instance import lacking
from .known import View


class Unread:
    """A number of steps that may stand as the index of a quantity, and nowhere else."""

    __hash__ = object.__hash__

    def __init__(self, why: str) -> None:
        self.why = why


def _refuse(self: Unread, *_: object, **__: object) -> NoReturn:
    raise NotShown(self.why)


OPERATIONS = """add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow neg pos abs
    eq ne lt le gt ge bool int float index len iter getitem array array_ufunc"""
for _op in OPERATIONS.split():
    setattr(Unread, f"__{_op}__", _refuse)


class OwnLength:
    """Each client's own number of steps of a run within a step, in the use of a theorem about this run.

    Attributes
    ----------
    names : tuple of str
        What the number is called in the run: its index, and what counts its steps.
    points : dict
        What stands for the latter in the model, where nothing may read it.
    unread : dict
        What stands for the number in what a theorem says.
    """

    def __init__(self, said: str, index: str, count: str, first: int, up_to: str) -> None:
        self.said, self.first, self.up_to = said, first, up_to
        why = f"{said} reads {index}, which is each client's own number of steps; say it with a number that is at least as large"
        self.names = (index, *([count] if count else []))
        self.points = {k: partial(lacking, why) for k in self.names[1:]}
        self.unread: dict[str, object] = {index: Unread(why), **{k: lacking(why, None) for k in self.names[1:]}}

    def require_not_given(self, one: Use) -> None:
        """Raise NotShown where a theorem is used at a number of steps."""
        for k in one.at.keys() & {*self.names}:
            raise NotShown(f"{self.said}: {k} is the number of steps of each client, and no other number")

    def any_of_them(self, view: View) -> tuple[View, dict[str, object]]:
        """The numbers of a claim with that of any client's steps, from the least to the largest; and this one by its names."""
        symbol = f"{self.names[0]} of a client"  # no identifier, so nothing else is called so
        end = Index(view.x._numbers, symbol)
        n, most = Real(end.term), getattr(view.x, self.up_to)
        least = Relation(self.first, "<=", n, "the least number of steps")
        given = (*view.x.given, least, Relation(n, "<=", most, "the largest number of steps"))
        there: Instance = view.x._but(given=given)
        wider = dataclasses.replace(view, x=there, symbols={**view.symbols, symbol: n.term})
        return wider, {**dict.fromkeys(self.names, n), self.names[0]: end}
