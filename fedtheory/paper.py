"""One paper as data: its claims, its inventory, its formulas; found through the entry points `fedtheory.papers`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .errors import UsageError

if TYPE_CHECKING:
    from .catalogue import Catalogue
    from .claim import Claim
    from .formats import Document, Json
    from .symbols import Symbols

ID = re.compile(r"^[a-z0-9]+$")
Rows = Mapping[str, Mapping[str, str]]


def nothing() -> Any:
    """What a paper has not."""
    return None


@dataclass(frozen=True)
class Paper:
    """One paper; what is a function runs when it is first needed, so that a paper costs nothing until it is asked for.

    `fedtheory.folder.in_package` makes one of a package that holds a ``paper.toml``.

    Attributes
    ----------
    id, title : str
        The part of a claim's id before the slash, and the head line of its page.
    claims : callable
        To the claims by id.
    authors, reference : str
        Who wrote it, and where it is to be found.
    package : str
        Modules below it hold the claims; their source is what mutants may edit, besides `formulas`.
    formulas : str
        Modules below it hold the paper's formulas, where these stand elsewhere.
    inventory, bindings, certificates : callable
        To rows by id, to what the rows that are no claims are bound to, and to stored certificates by key; a draft has none.
    catalogue, symbols : callable
        To the constants, conditions and bounds for ``fedtheory constants`` and for curves, and to the symbols; or None.
    curves : callable
        To the function that draws the panels of a run, ``(View) -> list[Curve]``; or None.
    evidence : callable
        To what decided each claim, which is re-checked (`referee.shipped`); a draft has none.
    experiments, empirical : callable
        To the settings of its tables and figures by name, and to the tests of its empirical rows; a draft has none.
    figures : callable
        To the figures of the tables that were run in full by name, on which its empirical rows are tested.
    settings, audited : callable
        To printed settings that no table has, as in ``settings.toml``, and to all of them as `fedtheory audit` found them.
    measured : callable
        To the function that measures what the catalogue needs, ``(problem, envelope, start) -> {name: Measured}``; or None.
    rates : callable
        To the explicit bounds of its theorems, ``fedtheory.rates.Rate`` each, and where the tightest settings are sought; or None.

    Raises
    ------
    UsageError
        If the id has other signs than small letters and digits.
    """

    id: str
    title: str
    claims: Callable[[], Mapping[str, Claim]]
    authors: str = ""
    reference: str = ""
    package: str = ""
    formulas: str = ""
    inventory: Callable[[], Rows] = field(default=dict)
    bindings: Callable[[], Rows] = field(default=dict)
    certificates: Callable[[], Json] = field(default=dict)
    evidence: Callable[[], Json] = field(default=dict)
    catalogue: Callable[[], Catalogue | None] = nothing
    symbols: Callable[[], Symbols | None] = nothing
    curves: Callable[[], Any] = nothing
    measured: Callable[[], Any] = nothing
    rates: Callable[[], Any] = nothing
    experiments: Callable[[], Document] = field(default=dict)
    empirical: Callable[[], Document] = field(default=dict)
    figures: Callable[[], Document] = field(default=dict)
    settings: Callable[[], Document] = field(default=dict)
    audited: Callable[[], Document] = field(default=dict)

    def __post_init__(self) -> None:
        if not ID.match(str(self.id)):
            raise UsageError(f"the id of a paper is of small letters and digits, got {self.id!r}")
