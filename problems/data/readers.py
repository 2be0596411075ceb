"""Readers of data files: idx, csv, npz. Whatever is wrong with a file is one line with its name and the place in it."""

from __future__ import annotations

import csv
import gzip
import math
import operator
import struct
import zipfile
import zlib
from array import array
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fedtheory.errors import UsageError, did_you_mean

IDX_TYPES = {0x08: "u1", 0x09: "i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}
MOST_LABELS = 20
"""Integers with at most so many distinct values are labels, unless the caller says what they are."""


class Columns(NamedTuple):
    """A table from a file: X ``(n, p)`` float64, targets as typed, the line of each row, names and clients where there are."""

    X: np.ndarray
    y: list[str]
    lines: Sequence[int]
    names: tuple[str, ...] | None = None
    client: list[str] | None = None
    by: str = ""


def read_idx(path: Path, shape: tuple[int | None, ...] | None = None) -> np.ndarray:
    """The array in an idx file, plain or gzip; `shape` is what it has to have, None for any extent.

    Raises
    ------
    UsageError
        If the file is damaged, truncated, no idx file, or of another shape.
    """
    raw = _bytes(path)
    if len(raw) < 4 or raw[:2] != b"\0\0" or raw[2] not in IDX_TYPES:
        raise UsageError(f"{path} is no idx file: it must begin with two zero bytes and a type, got {raw[:4].hex()!r}.")
    dtype, ndim = np.dtype(IDX_TYPES[raw[2]]), raw[3]
    start = 4 + 4 * ndim
    if len(raw) < start:
        raise UsageError(f"{path} is truncated: its header has {ndim} extents, the file ends after {len(raw)} bytes.")
    found = struct.unpack(f">{ndim}I", raw[4:start])
    expected = math.prod(found) * dtype.itemsize
    if len(raw) - start != expected:
        wrong = "is truncated" if len(raw) - start < expected else "is too long"
        raise UsageError(f"{path} {wrong}: shape {found} needs {expected} bytes of data, got {len(raw) - start}.")
    check_shape(str(path), found, shape)
    values = np.frombuffer(raw, dtype=dtype, offset=start).reshape(found)
    return values.astype(dtype.newbyteorder("="))


def read_csv(
    path: Path,
    *,
    target: int | str = -1,
    drop: int | str | Iterable[int | str] = (),
    client: int | str | None = None,
    header: bool | None = None,
    delimiter: str = ",",
) -> Columns:
    """Numbers of a csv file, plain or gzip, and one column of targets as text.

    Parameters
    ----------
    path : Path
        The file, in UTF-8.
    target : int or str
        The column of targets: a position, from 0 or from the end with -1, or a name from the header.
    drop : int, str, or iterable of them
        Columns to leave out.
    client : int or str, optional
        The column that says whose the sample is.
    header : bool, optional
        Whether the first line has the names; by default when none of its fields is a number.
    delimiter : str
        The character between fields.

    Raises
    ------
    UsageError
        If a row has another number of fields, a field is empty, no number, nan or infinite, or a column is not there.
    """
    if not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in '\r\n"':
        raise UsageError(
            f"`read_csv(delimiter=...)` must be one character, not a quote or an end of line, got {delimiter!r}."
        )
    if header not in (None, True, False):
        raise UsageError(f"`read_csv(header=...)` must be True, False or None, got {header!r}.")
    values, y, lines, whose = array("d"), [], array("q"), []
    with _text(path) as stream:
        reader = csv.reader(stream, delimiter=delimiter, strict=True)
        rows = (row for row in reader if row)
        try:
            first = next(rows, None)
            if first is None:
                raise UsageError(f"{path} is empty.")
            names = first if (not any(map(is_number, first)) if header is None else header) else None
            width, dropped = len(first), [drop] if isinstance(drop, (str, int)) else drop
            at, owner, keep = _roles(path, width, names, target=target, drop=dropped, client=client)
            if not keep:
                raise UsageError(
                    f"{path} has {width} columns and none is left for the features; is {delimiter!r} right?"
                )
            pick = _picker(keep)
            for row in _chain(first, rows) if names is None else rows:
                if len(row) != width:
                    raise UsageError(f"{path}, line {reader.line_num}: {len(row)} fields, the first row has {width}.")
                fields = pick(row)
                try:
                    values.extend(map(float, fields))
                except ValueError:
                    raise _bad_field(path, reader.line_num, keep, fields, names) from None
                if "_" in "".join(fields):  # float() would read 1_0 as 10
                    raise _bad_field(path, reader.line_num, keep, fields, names)
                y.append(row[at].strip())
                if owner is not None:
                    whose.append(row[owner].strip())
                lines.append(reader.line_num)
        except csv.Error as error:
            raise UsageError(f"{path}, line {reader.line_num}: {error}.") from None
        except UnicodeDecodeError:
            raise UsageError(f"{path}, after line {reader.line_num}: not UTF-8 text.") from None
        except (OSError, EOFError, zlib.error) as error:
            raise _damaged(path, error) from None
    if not y:
        raise UsageError(f"{path} has a header and no rows.")
    X = np.frombuffer(values, dtype=np.float64).reshape(len(y), len(keep))
    finite = np.isfinite(X)
    if not finite.all():
        i, j = np.argwhere(~finite)[0]
        raise UsageError(f"{path}, line {lines[i]}: {_column(keep[j], names)} must be finite, got {X[i, j]}.")
    by = "" if owner is None else names[owner] if names else f"column {owner}"
    return Columns(X, y, lines, tuple(names) if names else None, None if owner is None else whose, by)


def read_npz(path: Path, keys: Sequence[str]) -> list[np.ndarray]:
    """The arrays `keys` of an npz file; numbers must be finite, pickled objects are refused.

    Raises
    ------
    UsageError
        If the file is damaged or no npz file, a key is missing, or an array holds objects, nan or infinity.
    """
    try:
        with zipfile.ZipFile(path) as members:
            known = [n.removesuffix(".npy") for n in members.namelist()]
        with np.load(path, allow_pickle=False) as stored:
            for key in keys:
                if key not in known:
                    raise UsageError(
                        f"{path} has no array {key!r}, only {', '.join(known) or 'none'}{did_you_mean(str(key), known)}."
                    )
            out = [stored[key] for key in keys]
    except UsageError:
        raise
    except zipfile.BadZipFile as error:
        raise UsageError(f"{path} is no npz file or is truncated ({error}).") from None
    except ValueError as error:  # pickled objects, or a damaged header
        raise UsageError(f"{path} cannot be read: {_first_line(error)}.") from None
    except (OSError, EOFError, zlib.error, KeyError, SyntaxError) as error:
        raise _damaged(path, error) from None
    for key, values in zip(keys, out, strict=True):
        if not isinstance(values, np.ndarray):  # a member of the archive that is no array
            raise UsageError(f"{path}, array {key!r}: cannot be read, it is no array of NumPy.")
        check_numbers(f"{path}, array {key!r}", values)
    return out


def check_numbers(where: str, values: np.ndarray) -> None:
    """Refuse nan and infinity with their position, and entries that are neither numbers nor text."""
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        at = tuple(int(k) for k in np.argwhere(~np.isfinite(values))[0])
        raise UsageError(f"{where}: entry {at} must be finite, got {values[at]}.")
    if values.dtype.kind not in "biufU":
        raise UsageError(f"{where} must hold real numbers, got {values.dtype}.")


def check_shape(where: str, found: tuple[int, ...], expected: tuple[int | None, ...] | None) -> None:
    """Refuse a shape that is not the expected one; None stands for any extent."""
    if expected is None:
        return
    same = len(found) == len(expected) and all(b is None or a == b for a, b in zip(found, expected, strict=True))
    if not same:
        extents = ["any" if b is None else str(b) for b in expected]
        said = f"({extents[0]},)" if len(extents) == 1 else f"({', '.join(extents)})"
        raise UsageError(f"{where} must have shape {said}, got {found}.")


def targets_of(
    raw: Sequence[str], path: Path, lines: Sequence[int | str], task: str = "auto"
) -> tuple[np.ndarray, tuple[str, ...] | None]:
    """Targets from a column of text: (y, names of the labels, or None for real targets).

    Labels become 0, 1, ... in numerical or else alphabetical order of their names. By ``task="auto"`` text is labels, so are
    at most 20 distinct integers, and other numbers are targets.

    Raises
    ------
    UsageError
        If an entry is empty, or no finite number where targets are asked for, or there is a single label.
    """
    for k, text in enumerate(raw):
        if not text or text.lower() == "nan":
            raise UsageError(f"{path}, line {lines[k]}: the target is missing, got {text!r}.")
    numeric = all(map(is_number, raw))
    if task == "targets" and not numeric:
        k = next(k for k, text in enumerate(raw) if not is_number(text))
        raise UsageError(f"{path}, line {lines[k]}: the target must be a number, got {raw[k]!r}.")
    if not numeric:
        return _codes(np.array(raw), str(path))
    y = np.array([float(text) for text in raw])
    if not np.isfinite(y).all():
        k = int(np.argmin(np.isfinite(y)))
        raise UsageError(f"{path}, line {lines[k]}: the target must be finite, got {raw[k]!r}.")
    few = bool((y == np.floor(y)).all()) and len(np.unique(y)) <= MOST_LABELS
    return _codes(y, str(path)) if task == "labels" or (task == "auto" and few) else (y, None)


def targets_in(y: np.ndarray, where: str, task: str = "auto") -> tuple[np.ndarray, tuple[str, ...] | None]:
    """Targets from an array: by ``task="auto"`` text and integer types are labels, floats are targets."""
    if y.dtype.kind == "U" and task == "targets":
        raise UsageError(f"{where} must hold numbers, got text.")
    if task == "labels" or (task == "auto" and y.dtype.kind != "f"):
        return _codes(y, where)
    return y.astype(np.float64), None


def _codes(y: np.ndarray, where: str) -> tuple[np.ndarray, tuple[str, ...]]:
    names, codes = np.unique(y, return_inverse=True)
    if len(y) < 2:
        raise UsageError(
            f"{where}: there is one sample; labels need two at least, and --with task=targets takes real targets."
        )
    if len(names) < 2:
        raise UsageError(f"{where}: all targets are the one label {names[0]}; a classification needs two.")
    return codes.astype(np.int64), tuple(f"{n:g}" if y.dtype.kind == "f" else str(n) for n in names)


def _bytes(path: Path) -> bytes:
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as stream:
            return bytes(stream.read())
    except (OSError, EOFError, zlib.error) as error:
        raise _damaged(path, error) from None


def _text(path: Path) -> Any:
    """An open text file, plain or gzip, without a byte order mark."""
    try:
        opened: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
        return opened(path, "rt", encoding="utf-8-sig", newline="")
    except OSError as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, error: Exception) -> UsageError:
    return UsageError(f"{path} cannot be read, it is truncated or damaged: {_first_line(error)}.")


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def _position(path: Path, option: str, column: int | str, width: int, names: list[str] | None) -> int:
    if isinstance(column, str):
        if names is None:
            raise UsageError(
                f"`{option}={column!r}`: {path} has no header, so columns have positions 0 to {width - 1} only."
            )
        if names.count(column) != 1:
            said = "two columns" if column in names else "no column"
            raise UsageError(f"`{option}=...`: {path} has {said} called {column!r}{did_you_mean(column, names)}.")
        return names.index(column)
    try:
        at = operator.index(column)
    except TypeError:
        raise UsageError(f"`{option}=...` must be a column's position or name, got {column!r}.") from None
    if not -width <= at < width:
        raise UsageError(f"`{option}={at}`: {path} has {width} columns.")
    return at % width


def _roles(
    path: Path,
    width: int,
    names: list[str] | None,
    *,
    target: int | str,
    drop: Iterable[int | str],
    client: int | str | None,
) -> tuple[int, int | None, list[int]]:
    """The columns of the target and of the client, if one is named, and those that are left for the features."""
    at = _position(path, "target", target, width, names)
    out = {_position(path, "drop", c, width, names) for c in drop} | {at}
    owner = None if client is None else _position(path, "client", client, width, names)
    if owner is not None and owner in out:
        what = "the target" if owner == at else "left out"
        raise UsageError(f"`client={client!r}`: {path}, {_column(owner, names)} is {what}; name another with target=.")
    return at, owner, [k for k in range(width) if k not in out | {owner}]


def _picker(keep: list[int]) -> Callable[[list[str]], Sequence[str]]:
    """The kept fields of a row: a slice where they are neighbours, which is several times faster."""
    if keep[-1] - keep[0] + 1 == len(keep):
        return operator.itemgetter(slice(keep[0], keep[-1] + 1))
    return operator.itemgetter(*keep)


def _chain(first: list[str], rows: Iterable[list[str]]) -> Iterable[list[str]]:
    yield first
    yield from rows


def _column(k: int, names: list[str] | None) -> str:
    return f"column {k}" + (f" ({names[k]})" if names else "")


def _bad_field(path: Path, line: int, keep: list[int], fields: Sequence[str], names: list[str] | None) -> UsageError:
    k, text = next((k, text) for k, text in zip(keep, fields, strict=True) if not is_number(text))
    return UsageError(f"{path}, line {line}: {_column(k, names)} must be a number, got {text!r}.")
