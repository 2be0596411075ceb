"""The claims and certificates that come with the package, and those of users' files."""

from __future__ import annotations

from typing import Any

from ..claim import Claim
from ..registry import papers


def published(id: str) -> Claim:
    """One of the papers' claims; a worker process finds its claim here."""
    from proofs_checks import claims

    return claims()[id]


def chosen_claims(what: list[str], paper: str | None) -> tuple[list[Claim], dict[str, Claim], bool]:
    """(selected claims, all known claims, whether they all are the papers')."""
    from proofs_checks import claims

    from ..referee.ledger import load_file, select

    files = [w for w in what if w.endswith(".py")]
    patterns = [w for w in what if not w.endswith(".py")]
    own: dict[str, Claim] = {}
    for f in files:
        own |= load_file(f)
    known = own if files and not patterns else {**claims(), **own}
    return select(known, patterns, paper), {**claims(), **own}, not files


def stored_certificates() -> dict[str, Any]:
    """Certificates that come with the papers."""
    out: dict[str, Any] = {}
    for paper in papers().values():
        out |= paper.certificates()
    return out
