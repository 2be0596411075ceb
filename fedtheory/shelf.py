"""The shelf: lemmas that the analyses of this field share, proved, ready as premises of a theorem of one's own.

``from fedtheory.shelf import jensen, contraction`` takes them as claims, which stand among the ``by`` of another, as they are or as
``use(jensen, v=...)``. ``fedtheory list --shelf`` has them all, with their sources; `proofs_checks/shelf` is where they stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import registry
from .errors import did_you_mean

if TYPE_CHECKING:
    from .claim import Claim

PAPER = "shelf"


def names() -> list[str]:
    """The names under which the lemmas can be imported."""
    return [id.removeprefix(f"{PAPER}/").replace("-", "_") for id in registry.claims(PAPER)]


def __getattr__(name: str) -> Claim:
    """One lemma.

    Raises
    ------
    AttributeError
        If there is none of the name.
    """
    if name.startswith("__"):
        raise AttributeError(name)
    id = f"{PAPER}/{name.replace('_', '-')}"
    if id not in registry.claims(PAPER):
        raise AttributeError(f"the shelf has no lemma {name!r}{did_you_mean(name, names())}")
    return registry.claim(id)


def __dir__() -> list[str]:
    return [*names(), "names"]
