"""Entries of claims for what is written about them: evidence that papers ship is re-checked, the rest is decided."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any

from ..claim import Claim
from ..errors import UsageError
from ..processes import cores
from ..referee import ledger
from ..referee.shipped import Shipped
from .known import Known
from .terminal import bar

AS_SHIPPED: dict[str, Any] = {"budget": "quick", "seed": 0, "backend": "numpy"}


def decided(
    known: Known, selected: Sequence[Claim], err: Any, title: str, jobs: int | None = None
) -> list[dict[str, Any]]:
    """The entries of claims in their order, with their certificates.

    Parameters
    ----------
    title : str
        What the bar on `err` is called.
    jobs : int, optional
        Processes; one a core where there are many claims.

    Raises
    ------
    UsageError
        If a claim cannot be decided as it is written.
    """
    jobs = jobs or (cores() if len(selected) > ledger.MANY else 1)
    stored = known.certificates(selected)
    shipped = Shipped(known.evidence(selected), AS_SHIPPED, ledger.by_claim(stored))
    found: dict[str, dict[str, Any]] = {}
    with bar(err, title) as progress:
        task = progress.add_task("", total=len(selected))
        answers = ledger.run(selected, known.claim, **AS_SHIPPED, stored=stored, jobs=jobs, shipped=shipped)
        with closing(answers):
            for e in answers:
                if "error" in e:
                    raise UsageError(e["error"])
                found[e["id"]] = e
                progress.update(task, description=e["id"], advance=1)
    return ledger.finished((found[c.id] for c in selected), {c.id: c for c in selected})
