"""Files of the user's own that say which client holds which sample: a column, an array, or a file a client."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fedtheory.errors import UsageError

from .holdings import Partition, divided
from .readers import Columns, is_number

SHOWN = 5  # names of clients in the name of a partition


class Owners(NamedTuple):
    """Who holds what: the column or folder that says so, the names of the clients, and the client of each sample ``(n,)``."""

    by: str
    names: tuple[str, ...]
    codes: np.ndarray

    def partition(self, y: np.ndarray) -> Partition:
        """The table of it; `y` has the targets."""
        shown = self.names if len(self.names) <= SHOWN else (*self.names[: SHOWN - 1], "...", self.names[-1])
        parts = [np.flatnonzero(self.codes == i) for i in range(len(self.names))]
        return divided(f"by {self.by}: {', '.join(shown)}", parts, y)


def owners_of(by: str, raw: Sequence[str], where: str, lines: Sequence[int] | None = None) -> Owners:
    """Clients from a column of text: in the order of numbers where all are numbers, else of text.

    Examples
    --------
    >>> owners_of("site", ["10", "9", "10"], "t.csv").names
    ('9', '10')

    Raises
    ------
    UsageError
        If an entry is empty.
    """
    for k, text in enumerate(raw):
        if not text:
            place = where if lines is None else f"{where}, line {lines[k]}"
            raise UsageError(f"{place}: the client is missing, got {text!r}.")
    names = sorted(set(raw), key=float) if all(map(is_number, raw)) else sorted(set(raw))
    at = {name: i for i, name in enumerate(names)}
    return Owners(by, tuple(names), np.array([at[text] for text in raw], dtype=np.int64))


def files_in(folder: Path, suffixes: Sequence[str]) -> list[Path]:
    """The data files of a folder, one a client, in the order of the numbers in their names.

    Raises
    ------
    UsageError
        If there is none, or some are tables and some are arrays.
    """

    def order(path: Path) -> list[tuple[bool, int, str]]:
        return [(not t.isdigit(), int(t) if t.isdigit() else 0, t) for t in re.split(r"(\d+)", path.name)]

    found = sorted((p for p in folder.iterdir() if p.is_file() and p.name.endswith(tuple(suffixes))), key=order)
    if not found:
        raise UsageError(f"{folder} has no file that ends with {', '.join(suffixes)}, one a client.")
    kinds = sorted({"arrays (.npz)" if p.suffix == ".npz" else "tables (.csv)" for p in found})
    if len(kinds) > 1:
        raise UsageError(f"{folder} has {' and '.join(kinds)}; the files of the clients must be of one kind.")
    return found


def same_columns(files: Sequence[Path], tables: Iterable[Columns]) -> None:
    """Refuse files whose columns are not those of the first."""
    first: Columns | None = None
    for file, table in zip(files, tables, strict=True):
        first = first or table
        if table.names != first.names:
            raise UsageError(f"{file} has the columns {_said(table)}, and {files[0].name} has {_said(first)}.")
        if table.X.shape[1] != first.X.shape[1]:
            raise UsageError(f"{file} has {table.X.shape[1]} features, and {files[0].name} has {first.X.shape[1]}.")


def _said(table: Columns) -> str:
    return ", ".join(table.names) if table.names else "no names"


def of_files(folder: Path, files: Sequence[Path], sizes: Sequence[int]) -> Owners:
    """A file a client: its name without the suffix."""
    names = tuple(re.sub(r"\.(csv|csv\.gz|npz)$", "", file.name) for file in files)
    return Owners(f"file of {folder.name}", names, np.repeat(np.arange(len(files)), sizes))
