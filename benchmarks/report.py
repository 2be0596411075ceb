"""What was measured beside its limit."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One figure.

    Attributes
    ----------
    what : str
    value, limit : float
        The figure, and the most that it may be; an infinite limit is none.
    unit : str
        Of both; "x" for a ratio.
    how : str
        What the figure comes from.
    """

    what: str
    value: float
    limit: float
    unit: str
    how: str = ""

    @property
    def passed(self) -> bool:
        """Whether the limit is kept; a figure that is not a number does not keep it."""
        return self.value <= self.limit


def show(title: str, rows: Sequence[Row]) -> None:
    """Print the table."""
    from rich.table import Table

    from fedtheory.commands.terminal import consoles

    table = Table(box=None, pad_edge=False, title=title, title_justify="left")
    for name, side in (("what", "left"), ("value", "right"), ("limit", "right"), ("", "left"), ("from", "left")):
        table.add_column(name, justify=side)  # type: ignore[arg-type]
    for r in rows:
        limit = "" if math.isinf(r.limit) else f"{r.limit:g} {r.unit}"
        result = "[bold]BROKEN[/bold]" if not r.passed else "pass" if limit else ""
        table.add_row(r.what, f"{r.value:.3g} {r.unit}", limit, result, r.how)
    consoles()[0].print(table)


def load() -> str:
    """The load of the last minute, which a reader of the times should know."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
