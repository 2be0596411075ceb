"""A table that a narrow terminal shows without breaking a word or a number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.table import Column, Table
from rich.text import Text

GAP = 2  # columns between two of the table
INDENT = "    "


class Fitted(Table):
    """A table without a frame; where its longest words do not fit beside each other, every row is a paragraph.

    Cells of columns that do not wrap stay in one line as long as there is room for them.
    """

    def __init__(self) -> None:
        super().__init__(box=None, pad_edge=False, header_style="bold")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Any]:
        width = options.max_width
        full = [max(_longest([str(c.header)]), _longest(_plain(c))) for c in self.columns]
        words = [max(_longest(str(c.header).split()), _longest(_words(c))) for c in self.columns]
        whole = [
            max(size, _longest(_plain(c))) if c.no_wrap else size for c, size in zip(self.columns, words, strict=True)
        ]
        least = next((sizes for sizes in (whole, words) if _together(sizes) <= width), None)
        if _together(full) > width and least is None:
            yield from self._paragraphs(console, width)
            return
        if _together(full) > width and least is not None:
            for column, size in zip(self.columns, _shared(least, full, width), strict=True):
                column.width, column.no_wrap = size, False
        yield from super().__rich_console__(console, options)

    def _paragraphs(self, console: Console, width: int) -> Iterator[Text]:
        """The first cell of each row, below it the others by the names of their columns."""
        names = [str(c.header) for c in self.columns]
        for first, *cells in zip(*([_text(cell) for cell in c._cells] for c in self.columns), strict=True):
            yield from first.wrap(console, width)
            named = zip(names[1:], cells, strict=True)
            parts = [Text.assemble(f"{name}: " if name else "", cell) for name, cell in named if cell.plain]
            for line in _packed(parts, console, width - len(INDENT)):
                yield Text(INDENT) + line


def _packed(parts: Iterable[Text], console: Console, width: int) -> Iterator[Text]:
    """Texts one after the other, with semicolons between them; what does not fit begins a line of its own."""
    at: Text | None = None
    for part in parts:
        if at is not None and cell_len(at.plain) + cell_len(part.plain) + 3 <= width:  # and another semicolon
            at = at + "; " + part
            continue
        if at is not None:
            yield at + ";"
        *above, at = part.wrap(console, width - 1)
        yield from above
    if at is not None:
        yield at


def _shared(least: Sequence[int], full: Sequence[int], width: int) -> list[int]:
    """Widths of at least `least`: what is left goes, one by one, to the column that has to break its longest cell most."""
    widths = list(least)
    for _ in range(width - _together(widths)):
        widths[max(range(len(widths)), key=lambda k: full[k] / widths[k])] += 1
    return widths


def _together(widths: Sequence[int]) -> int:
    """What a table takes whose columns have these widths."""
    return sum(widths) + GAP * (len(widths) - 1)


def _longest(texts: Iterable[str]) -> int:
    return max(map(cell_len, texts), default=1) or 1


def _plain(column: Column) -> list[str]:
    return [_text(cell).plain for cell in column._cells]


def _words(column: Column) -> list[str]:
    return [word for cell in _plain(column) for word in cell.split()]


def _text(cell: object) -> Text:
    return cell if isinstance(cell, Text) else Text(str(cell))
