"""A quantity of a run that is a sum over its clients, so that a limit of it may be shown client by client."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .instance import Instance
    from .quantity import Quantity


@dataclass(frozen=True)
class OfClients:
    """The sum over the clients, or over those of a selection, of a number that each of them has.

    Attributes
    ----------
    of : callable
        From an instance to a number of every client, which reads what is this client's own or shared by all.
    over : str
        The name of a selection; all clients where it is empty.

    Examples
    --------
    >>> from problems import Points
    >>> world = Points(None, at=("w",), clients_at=("W",))
    >>> apart = OfClients(lambda x: x.sq(x.W - x.w))
    >>> apart.over
    ''
    """

    of: Callable[[Any], Quantity]
    over: str = ""

    def __call__(self, x: Instance) -> Quantity:
        return x.total(self.of(x), over=getattr(x, self.over)) if self.over else x.total(self.of(x))
