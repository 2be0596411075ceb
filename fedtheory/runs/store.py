"""Runs on disk: one folder a run, named by the hash of its inputs, and a checkpoint while it is not finished.

A finished run is ``FOLDER/HASH/`` with ``run.json`` (inputs and results), ``trace.npz`` and ``timing.json``; the first two
hold no dates and no times, so that equal inputs give equal bytes on one machine. They are written whole or not
at all. An unfinished run is ``FOLDER/HASH.partial/checkpoint.npz``, replaced as a whole.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._arrays import to_host
from ..errors import UsageError
from ..files import whole
from ..formats import Document, Json, check
from ..problem import Problem
from ..trace import Trace, read_npz, write_npz
from .loop import Checkpoint

if TYPE_CHECKING:
    from types import ModuleType


SCHEMA = 1
HOST = ".host"


def key(inputs: Mapping[str, object]) -> str:
    """Sixteen hexadecimal digits that name a run.

    Examples
    --------
    >>> key({"rounds": 9, "seed": 0}) == key({"seed": 0, "rounds": 9})
    True
    """
    text = json.dumps(plain(inputs), sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def plain(value: object) -> Any:
    """JSON values: arrays and tuples as lists, numbers that are not finite as text."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def load(folder: str | Path, inputs: Mapping[str, object]) -> tuple[Trace, Json] | None:
    """The trace and the results of a finished run, or None if there is none.

    Raises
    ------
    UsageError
        If the folder of the run is damaged or holds another run.
    """
    path = Path(folder) / key(inputs)
    if not path.is_dir():
        return None
    try:
        data = json.loads((path / "run.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        said = getattr(error, "strerror", None) or error
        raise UsageError(f"{path}/run.json: cannot be read: {said}; remove the folder to run again") from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA or data.get("inputs") != plain(inputs):
        raise UsageError(f"{path}/run.json: not this run of schema {SCHEMA}; remove the folder to run again")
    if not isinstance(data.get("stopped"), str) or not isinstance(data.get("results"), dict):
        raise UsageError(f"{path}/run.json: its results are missing; remove the folder to run again")
    try:
        return Trace(read_npz(path / "trace.npz"), data["stopped"]), data["results"]
    except UsageError as error:
        at = "" if str(path) in str(error) else f"{path}/trace.npz: "
        raise UsageError(f"{at}{error}; remove the folder to run again") from None


def save(
    folder: str | Path,
    inputs: Mapping[str, object],
    trace: Trace,
    results: Mapping[str, object],
    timing: Mapping[str, object],
) -> Path:
    """Write a finished run and remove its checkpoint; a run that another process has finished meanwhile stays."""
    path = Path(folder) / key(inputs)
    data = {"schema": SCHEMA, "inputs": plain(inputs), "stopped": trace.stopped, "results": plain(results)}
    with whole(path) as temporary:
        temporary.mkdir(parents=True)
        write_npz(temporary / "trace.npz", trace.columns)
        for name, content in (("run.json", data), ("timing.json", plain(timing))):
            (temporary / name).write_text(json.dumps(content, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    shutil.rmtree(partial(folder, inputs), ignore_errors=True)
    return path


def partial(folder: str | Path, inputs: Mapping[str, object]) -> Path:
    """Where the checkpoint of an unfinished run lies."""
    return Path(folder) / f"{key(inputs)}.partial"


def save_checkpoint(folder: str | Path, inputs: Mapping[str, object], checkpoint: Checkpoint) -> None:
    """Replace the checkpoint of a run."""
    path = partial(folder, inputs)
    path.mkdir(parents=True, exist_ok=True)
    rows = checkpoint.rows
    arrays = {f"row.{name}": np.array([row[name] for row in rows]) for name in rows[0]}
    arrays |= {f"fold.{name}": to_host(value) for name, value in _numbers(checkpoint.folded).items()}
    arrays |= flatten(checkpoint.state, "state")
    with whole(path / "checkpoint.npz") as temporary:
        write_npz(temporary, arrays)


def load_checkpoint(
    folder: str | Path, inputs: Mapping[str, object], like: object, problem: Problem
) -> Checkpoint | None:
    """The checkpoint of a run on the problem's device, or None; `like` is the initial state, which has its structure.

    Raises
    ------
    UsageError
        If the file is damaged or of another structure.
    """
    path = partial(folder, inputs) / "checkpoint.npz"
    if not path.is_file():
        return None
    try:
        arrays = read_npz(path)
    except UsageError as error:
        raise UsageError(f"{error}; remove it to start again") from None
    try:
        columns = {name[4:]: a for name, a in arrays.items() if name.startswith("row.")}
        rows = [{name: column[k].item() for name, column in columns.items()} for k in range(len(columns["t"]))]
        folded = {name[5:]: a.item() for name, a in arrays.items() if name.startswith("fold.")}
        state = unflatten(like, arrays, "state", problem.xp, problem.device)
    except (KeyError, ValueError, IndexError) as error:
        raise UsageError(f"{path}: not a checkpoint of this run ({error!r}); remove it to start again") from None
    return Checkpoint(state, folded, rows)


def tidy(folder: str | Path, inputs: Mapping[str, object]) -> str:
    """Remove what a killed process has left of a run: temporaries, a checkpoint that is not needed or is damaged.

    A finished run that is damaged is removed as well, to be run again. Nobody else may be at work on this run.

    Returns
    -------
    str
        What was damaged, in a line; empty where nothing was.
    """
    path, unfinished = Path(folder) / key(inputs), partial(folder, inputs)
    for left in (*path.parent.glob(f"{path.name}*.tmp"), *unfinished.glob("*.tmp")):
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    try:
        finished = load(folder, inputs) is not None
    except UsageError as error:
        shutil.rmtree(path)
        return str(error)
    checkpoint = unfinished / "checkpoint.npz"
    try:
        if checkpoint.is_file():
            read_npz(checkpoint)
    except UsageError as error:
        shutil.rmtree(unfinished)
        return str(error)
    if finished:
        shutil.rmtree(unfinished, ignore_errors=True)
    return ""


def failure(folder: str | Path, named: str) -> Path:
    """Where the traceback of a run that failed is kept; `named` is the key of what names it before its data are read."""
    return Path(folder) / f"{named}.failed.json"


def runs(folder: str | Path) -> dict[str, Json]:
    """What ``run.json`` says of every finished run of a folder, by its key.

    Raises
    ------
    UsageError
        If there is no such folder, or a run is damaged.
    """
    root = Path(folder)
    if not root.is_dir():
        raise UsageError(f"{folder} is no folder of runs")
    found = {}
    for path in sorted(root.glob("*/run.json")):
        if path.parent.suffix:
            continue
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            check(data, "run", str(path))
        except UsageError as error:
            raise UsageError(f"{error}; remove the folder to run again") from None
        except (OSError, ValueError, RecursionError) as error:
            raise UsageError(f"{path}: cannot be read: {error}; remove the folder to run again") from None
        found[path.parent.name] = {**data["inputs"], **data["results"], "stopped": data["stopped"]}
    return found


def read_json(path: Path, kind: str) -> Any:
    """What a JSON file of a format holds; None where there is none, or it is damaged and will be written anew."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        check(data, kind, str(path))
    except (OSError, ValueError, RecursionError):  # a UsageError is a ValueError
        return None
    return data


def by_key(folder: str | Path, named: str) -> tuple[Json, Trace, Json, float | None]:
    """(inputs, trace, results, seconds) of a finished run.

    Raises
    ------
    UsageError
        If it is not there or is damaged.
    """
    path = Path(folder) / named
    try:
        data = json.loads((path / "run.json").read_text(encoding="utf-8"))
        timing = json.loads((path / "timing.json").read_text(encoding="utf-8"))
        check(data, "run", f"{path}/run.json")
        check(timing, "timing", f"{path}/timing.json")
        trace = Trace(read_npz(path / "trace.npz"), data["stopped"])
        check(trace.as_lists(), "trace", f"{path}/trace.npz")
    except UsageError as error:
        raise UsageError(f"{error}; remove the folder to run again") from None
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{path}: cannot be read: {error}; remove the folder to run again") from None
    return data["inputs"], trace, data["results"], timing["seconds"]


def merge(folders: Sequence[str | Path], out: str | Path) -> int:
    """Copy the finished runs of several folders into one; how many were new.

    Raises
    ------
    UsageError
        If a folder is missing, or two folders hold one run with different bytes.
    """
    new = 0
    for folder in folders:
        for name in runs(folder):
            source, target = Path(folder) / name, Path(out) / name
            if target.is_dir():
                for part in ("run.json", "trace.npz"):
                    if (source / part).read_bytes() != (target / part).read_bytes():
                        raise UsageError(f"{source / part} and {target / part} differ; a run is the same everywhere")
                continue
            Path(out).mkdir(parents=True, exist_ok=True)
            with whole(target) as temporary:
                shutil.copytree(source, temporary)
            new += 1
    return new


def flatten(value: object, name: str) -> dict[str, np.ndarray]:
    """Host arrays by dotted name of everything in a state: arrays, numbers, tuples of them; None is left out."""
    if value is None:
        return {}
    if isinstance(value, tuple):
        names = getattr(value, "_fields", range(len(value)))
        return {k: a for n, v in zip(names, value, strict=True) for k, a in flatten(v, f"{name}.{n}").items()}
    array = to_host(value) if hasattr(value, "shape") else np.asarray(value)
    if array.dtype == object:
        raise UsageError(f"a checkpoint holds numbers of a fixed size only, and {name} holds {type(value).__name__}")
    return {f"{name}{HOST}" if isinstance(value, np.ndarray) else name: array}


def unflatten(like: object, arrays: Mapping[str, np.ndarray], name: str, xp: ModuleType, device: str) -> Any:
    """The state of which `flatten` gave the arrays; what was an array is one again, on the device."""
    if isinstance(like, tuple):
        fields = getattr(like, "_fields", range(len(like)))
        parts = [unflatten(v, arrays, f"{name}.{n}", xp, device) for n, v in zip(fields, like, strict=True)]
        return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)
    if name + HOST in arrays:  # a host array of a state on a device, such as a selection, stays on the host
        return arrays[name + HOST]
    if name not in arrays:
        return None
    if isinstance(like, (bool, int, float)):
        return type(like)(arrays[name].item())
    return xp.asarray(arrays[name], device=device)


def _numbers(folded: Document) -> Json:
    return {name: np.asarray(float(to_host(v).item() if hasattr(v, "shape") else v)) for name, v in folded.items()}
