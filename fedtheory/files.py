"""Files are written whole or not at all; versions of what wrote them."""

from __future__ import annotations

import json
import os
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

from .errors import UsageError

ENVIRONMENT = ("numpy", "scipy", "sympy", "z3-solver", "clarabel", "python-flint", "torch", "cupy")


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


def write_json(path: str, data: Any) -> None:
    """Write plain data as JSON, whole or not at all."""
    write_text(path, json.dumps(data, indent=1) + "\n")


def write_text(path: str, text: str) -> None:
    """Write to a temporary name beside `path` and rename, so that nothing is ever half-written."""
    temporary = Path(f"{path}.{os.getpid()}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
