"""A claim that does not hold, in plain text: formula, hypotheses, body, witness with both sides, and how to replay it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console

from ..claim import Claim
from . import tables
from .verdicts import scope_line

if TYPE_CHECKING:
    from ..engines.counterexamples.exact import Side
    from ..formats import Document

WIDTH = 120


def sides(claim: Claim, entry: Document) -> Sequence[Side]:
    """Both sides of every relation at the witness of a report entry, replayed exactly; none without a witness.

    Raises
    ------
    UsageError
        If the witness is none of the claim's world.
    """
    from ..engines.counterexamples.exact import replay
    from ..engines.counterexamples.witness import free_of
    from ..engines.search.at_rest import replayed

    if not entry["witness"]:
        return []
    claim = replayed(claim)
    return replay(claim.body, claim.world, free_of(entry["witness"], claim.world), claim.id).relations


def failure(claim: Claim, entry: Mapping[str, object], words: Sequence[str]) -> str:
    """What `fedtheory explain` prints, then the commands that replay the witness.

    Parameters
    ----------
    words : sequence of str
        How the command line names the claim: the file of its draft, or its id; none if it cannot be named.
    """
    text = StringIO()
    console = Console(file=text, width=WIDTH, highlight=False)
    tables.explain(claim, dict(entry), sides(claim, entry), console, scope_line(entry))
    if entry["witness"] and words:
        where = " ".join(words)
        file = "" if claim.id in words else f" {where}"
        text.write(f"replay:     fedtheory verify {where} --json report.json\n")
        text.write(f"            fedtheory replay report.json {claim.id}{file}\n")
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())
