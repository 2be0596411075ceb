"""The symbols of papers as Markdown: docs/notation.md holds what this prints."""

from __future__ import annotations

from collections.abc import Iterable

from ..paper import Paper
from ..symbols import Symbol

HEAD = ("| name in code | printed | unit | range | meaning |", "|---|---|---|---|---|")


def symbol_tables(papers: Iterable[Paper]) -> str:
    """One table a paper that has symbols; a name stands as printed where nothing else is said, `-` is no letter of the paper."""
    parts: list[str] = []
    for paper in papers:
        symbols = paper.symbols()
        if symbols:
            rows = [_row(name, symbol) for name, symbol in symbols.items()]
            parts.append("\n".join([f"### {paper.title}", "", *HEAD, *rows]))
    return "\n\n".join(parts)


def _row(name: str, symbol: Symbol) -> str:
    s = symbol.scalar
    index = "_i" if s.per_client else ""
    if s.weight:
        span = "positive, sum 1"
    else:
        low = f"{s.low} {'<=' if s.closed else '<'} {name}{index}"
        span = low + (f" < {s.high}" if s.high is not None else "")
    cells = (
        f"`{name}`",
        f"`{symbol.printed or name}`" if symbol.printed != "-" else "-",
        str(s.unit),
        span,
        symbol.meaning,
    )
    return "| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |"
