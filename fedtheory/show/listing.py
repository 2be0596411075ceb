"""What `fedtheory list` prints: claims in columns, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

LEAST = 20  # columns that the last cell has at least, or an optional column before it goes
OPTIONAL = ("kind", "locator")  # columns that a narrow terminal does without, in this order


def columns(rows: Sequence[Mapping[str, str]], width: int) -> Iterator[str]:
    """Lines of at most `width` columns, the names of the columns first.

    Parameters
    ----------
    rows : list of dict
        The cells of each line by the names of the columns, the same in all of them. The first column is always whole, one
        called ``where`` as well; others are cut where a line is too long, and marked so.
    width : int
        Columns of the terminal.

    Examples
    --------
    >>> for line in columns([{"id": "draft/step", "kind": "lemma", "printed": "|w - w^*| <= |v - w^*|"}], 32):
    ...     print(line)
    id          printed
    draft/step  |w - w^*| <= |v - w…
    """
    names = list(rows[0])
    size = {n: max(len(n), *(len(row[n]) for row in rows)) for n in names}
    first, last = names[0], names[-1]
    least = size[last] if last == "where" else min(size[last], LEAST)
    if "locator" in size:
        size["locator"] = min(size["locator"], max((width - size[first]) // 3, LEAST))
    for name in OPTIONAL:
        if name in names and sum(size[n] + 2 for n in names[:-1]) + least > width:
            names.remove(name)
    left = max(width - sum(size[n] + 2 for n in names[:-1]), least)
    size[last] = min(size[last], left)
    for row in ({n: n for n in names}, *rows):
        yield "  ".join(_cell(row[n], size[n]) for n in names).rstrip()


def _cell(text: str, size: int) -> str:
    """A text on so many columns, cut with a mark where it is longer."""
    return text.ljust(size) if len(text) <= size else text[: size - 1] + "\u2026"
