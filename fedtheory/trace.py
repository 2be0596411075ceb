"""What a run recorded: columns of one length, on disk as npz without pickle and with the same bytes every time."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .errors import UsageError

EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest date of a zip entry; a real one would change the bytes


@dataclass(frozen=True)
class Trace:
    """Columns of a run, one entry an observation.

    Attributes
    ----------
    columns : mapping of str to ndarray (rows,)
        ``t`` steps of the method, ``communications``, and one column a quantity.
    stopped : str
        Why the run ended: ``rounds``, ``rule``, or a sentence about a value that is not finite.
    state : NamedTuple or None
        The last state; None for a trace that was read from disk.

    Raises
    ------
    UsageError
        If the columns differ in length.

    Examples
    --------
    >>> trace = Trace({"t": np.arange(3), "objective": np.array([1.0, 0.5, 0.25])}, "rounds")
    >>> len(trace), float(trace["objective"][-1])
    (3, 0.25)
    """

    columns: Mapping[str, np.ndarray]
    stopped: str
    state: Any = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        lengths = {name: len(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) > 1:
            raise UsageError(f"`Trace(columns=...)` must hold columns of one length, got {lengths}.")

    def __getitem__(self, name: str) -> np.ndarray:
        return self.columns[name]

    def get(self, name: str) -> np.ndarray | None:
        """A column, or None if there is none of this name."""
        return self.columns.get(name)

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def as_lists(self) -> dict[str, list[float]]:
        """The columns as lists, of which the schema of traces speaks."""
        return {name: column.tolist() for name, column in self.columns.items()}

    def last(self) -> dict[str, float]:
        """The last entry of every column."""
        return {name: column[-1].item() for name, column in self.columns.items()}


def write_npz(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Write arrays by name, uncompressed, in the order of the names, without dates and without pickle."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(arrays):
            with archive.open(zipfile.ZipInfo(f"{name}.npy", EPOCH), "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, np.asanyarray(arrays[name]), allow_pickle=False)


def read_npz(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a file by name.

    Raises
    ------
    UsageError
        If the file is missing, damaged, or holds Python objects.
    """
    try:
        if path.is_file() and not zipfile.is_zipfile(path):
            raise UsageError(f"{path}: cannot be read: it is no npz file, or is truncated")
        with np.load(path, allow_pickle=False) as archive:
            found = {name: archive[name] for name in archive.files}
    except UsageError:
        raise
    except (OSError, ValueError, KeyError, EOFError, SyntaxError, zlib.error, zipfile.BadZipFile) as error:
        raise UsageError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    for name, array in found.items():
        if not isinstance(array, np.ndarray):
            raise UsageError(f"{path}: cannot be read: {name} is no array")
    return found
