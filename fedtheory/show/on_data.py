"""What `fedtheory verify --on` prints: a row a claim, as it comes, and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.text import Text

from ..formats import Document
from .verdicts import wrapped

Row = Document
NOT_APPLICABLE = "not applicable"
WORDS = {"holds on these data": "hold", "fails on these data": "fail"}  # in counts
COLOURS = {"holds on these data": "green", "fails on these data": "bold red", "undecided": "yellow", "domain": "yellow"}
OUTCOME = max(map(len, COLOURS))  # columns
ROOM = 30  # columns that a note needs beside its row


class Columns:
    """Columns of a width that is known before the rows are.

    Parameters
    ----------
    ids : sequence of str
        Of all rows that may come.
    width : int
        Columns of the terminal; what does not fit beside a row stands below it.
    """

    def __init__(self, ids: Sequence[str], width: int) -> None:
        self.id, self.width = max(map(len, ids), default=2), width
        self.figures = self.id + OUTCOME + 28 <= width

    def title(self) -> Text:
        """The line above the rows.

        Examples
        --------
        >>> Columns(["flame/lemma1"], 100).title().plain
        'id            outcome              instances  least slack  note'
        """
        return Text(self._line("id", "outcome", "instances", "least slack", "note" if self._room() else ""), "bold")

    def lines(self, row: Row) -> Iterator[Text]:
        """One claim, its note beside it or below it."""
        slack = f"{min(row['slacks']):.3g}" if row["slacks"] else "-"
        note = row["note"]
        beside = len(note) <= self._room()
        text = Text(self._line(row["id"], row["outcome"], str(len(row["instances"])), slack, note if beside else ""))
        text.stylize(COLOURS.get(row["outcome"], ""), self.id + 2, self.id + 2 + len(row["outcome"]))
        yield text
        if not beside:
            yield from wrapped("    " + note, "    ", self.width)

    def _room(self) -> int:
        room = self.width - self.id - OUTCOME - (30 if self.figures else 4)
        return room if room >= ROOM else 0

    def _line(self, id: str, outcome: str, instances: str, slack: str, note: str) -> str:
        figures = f"  {instances:>9}  {slack:>11}" if self.figures else ""
        return f"{id:{self.id}}  {outcome:{OUTCOME}}{figures}  {note}".rstrip()


def summary(rows: Sequence[Row], every: bool) -> Iterator[Text]:
    """Counts; and where not every row was printed, of how many claims the data say nothing.

    Examples
    --------
    >>> [line.plain for line in summary([{"outcome": "holds on these data"}, {"outcome": "outside"}], True)]
    ['2 claims: 1 hold, 1 outside']
    """
    found = Counter(row["outcome"] for row in rows)
    if found[NOT_APPLICABLE] and not every:
        yield Text(f"{found[NOT_APPLICABLE]} more are not about the functions of clients: --all prints every row")
    order = [*COLOURS, *sorted(found.keys() - COLOURS.keys())]
    counts = ", ".join(f"{found[k]} {WORDS.get(k, k)}" for k in order if found[k]) or "none evaluated"
    yield Text(f"{len(rows)} claim{'' if len(rows) == 1 else 's'}: {counts}")
