"""Files are written whole or not at all; versions of what wrote them; where a line of source stands, on any machine."""

from __future__ import annotations

import json
import os
import platform
import shutil
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Any

from .errors import UsageError

ENVIRONMENT = ("numpy", "scipy", "sympy", "z3-solver", "clarabel", "python-flint", "torch", "cupy")
DRAFT = "fedtheory_draft_"  # begins the packages under which the files of a user's draft are loaded


def version() -> str:
    """Installed version of fedtheory."""
    try:
        return metadata.version("fedtheory")
    except metadata.PackageNotFoundError:
        return "unknown"


def environment() -> dict[str, str]:
    """Versions of Python and of the engines' libraries that are installed."""
    out = {"python": platform.python_version(), "machine": platform.machine()}
    for name in ENVIRONMENT:
        try:
            out[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return out


def check_writable(path: str, option: str = "--json") -> None:
    """Raise UsageError unless a file can be created at `path`."""
    folder = Path(path).resolve().parent
    if Path(path).is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        what = "is a folder" if Path(path).is_dir() else "cannot be written: its folder is missing or read-only"
        raise UsageError(f"{option} {path} {what}")


@contextmanager
def whole(path: str | Path) -> Iterator[Path]:
    """A temporary path beside `path`, to write a file or a folder at; it gets its name at the end and is removed on an error.

    A folder that another process has finished meanwhile stays as it is.
    """
    path = Path(path)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        if not (temporary.is_dir() and path.is_dir()):
            os.replace(temporary, path)
    finally:
        if temporary.is_dir():
            shutil.rmtree(temporary, ignore_errors=True)
        temporary.unlink(missing_ok=True)


def write_text(path: str | Path, text: str) -> None:
    """Write a text, whole or not at all."""
    with whole(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_json(path: str | Path, data: Any) -> None:
    """Write plain data as JSON, whole or not at all."""
    write_text(path, json.dumps(data, indent=1) + "\n")


def relative(path: str, module: str) -> str:
    """A source file's path from its top package on, the same on every machine; of a draft, from its folder on.

    Examples
    --------
    >>> relative("/opt/lib/fedtheory/engines/exact.py", "fedtheory.engines.exact")
    'fedtheory/engines/exact.py'
    """
    parts = Path(path).parts
    depth = module.count(".") + (parts[-1] == "__init__.py") + (not module.startswith(DRAFT)) if parts else 0
    return "/".join(parts[len(parts) - depth :])


def traced(error: BaseException) -> tuple[list[str], str]:
    """(file and line of every frame, outermost first; the whole traceback), with the same text on every machine."""
    places = []
    text = "".join(traceback.format_exception(error))
    for frame, line in traceback.walk_tb(error.__traceback__):
        full = frame.f_code.co_filename
        short = relative(full, frame.f_globals.get("__name__") or "")
        places.append(f"{short}:{line}")
        text = text.replace(f'"{full}"', f'"{short}"')
    return places, text
