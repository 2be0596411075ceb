"""fedtheory verify --coverage: how many rows of the inventories are bound to a claim or otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import registry

if TYPE_CHECKING:
    from rich.console import Console


def coverage(out: Console, paper: str | None = None) -> int:
    """Print a table of all papers, or of one, the misprints that bindings name, and claims that say less than their rows."""
    from ..show.tables import coverage_table
    from ..wellformed.hollow import listed

    papers = registry.papers() if paper is None else {paper: registry.paper(paper)}
    bound = {id: paper.bindings() for id, paper in papers.items()}
    claims = {name: c for id in papers for name, c in registry.claims(id).items()}
    out.print(coverage_table({id: paper.inventory() for id, paper in papers.items()}, claims, bound))
    for rows in bound.values():
        for id, row in rows.items():
            if "erratum" in row:
                out.print(f"erratum  {id}: {row['erratum']}", highlight=False)
    for id, heading in listed(claims).items():
        out.print(f"hollow   {id}: {heading}", highlight=False, markup=False)
    return 0
