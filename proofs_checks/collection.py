"""The papers of this package: one a folder that holds a ``paper.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fedtheory.claim import Claim
from fedtheory.folder import in_package
from fedtheory.paper import Paper


def papers() -> list[Paper]:
    """One record a paper; no paper is imported for it."""
    here = Path(__file__).parent
    return [in_package(f"{__package__}.{found.parent.name}") for found in sorted(here.glob("*/paper.toml"))]


def claims() -> Mapping[str, Claim]:
    """Every claim of these papers by id."""
    return {id: c for paper in papers() for id, c in paper.claims().items()}
