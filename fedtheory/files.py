"""Files are written whole or not at all; versions of what wrote them; where a line of source stands, on any machine."""

from __future__ import annotations

import json
import os
import platform
import shutil
import stat
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from pathlib import Path

from .errors import UsageError

ENVIRONMENT = ("numpy", "scipy", "sympy", "z3-solver", "clarabel", "python-flint", "torch", "cupy")
STDOUT = "-"  # of an option that names a file
DRAFT = "fedtheory_draft_"  # begins the packages under which the files of a user's draft are loaded


def version() -> str:
    """Installed version of fedtheory."""
    try:
        return metadata.version("fedtheory")
    except metadata.PackageNotFoundError:
        return "unknown"


@cache
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
    """Raise UsageError unless a file can be written at `path`; ``-`` is stdout."""
    if path == STDOUT:
        return
    at = Path(os.path.realpath(path))
    if os.path.isdir(path):
        raise UsageError(f"{option} {path} is a folder")
    if special(path):
        if not os.access(path, os.W_OK):
            raise UsageError(f"{option} {path} cannot be written")
    elif not _takes_files(at.parent):
        raise UsageError(f"{option} {path} cannot be written: its folder is missing or read-only")


def check_folder(path: str, option: str) -> None:
    """Raise UsageError unless files can be written in the folder `path`, which may be one level that does not exist yet."""
    at = Path(os.path.realpath(path))
    if at.exists() and not at.is_dir():
        raise UsageError(f"{option} {path} is a file")
    held = at if at.is_dir() else at.parent
    if not _takes_files(held):
        raise UsageError(f"{option} {path} cannot be written: its folder is missing or read-only")


def _takes_files(folder: Path) -> bool:
    """Whether a file can be made in a folder, which is tried: what the permissions say is not all (/proc, a full disk)."""
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        return False
    probe = folder / f".fedtheory.{os.getpid()}.tmp"
    try:
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    return True


def on_stdout(path: str | None) -> bool:
    """Whether what is written at `path` goes to stdout: ``-``, or another name of the same file."""
    if path is None or path == STDOUT:
        return path == STDOUT
    try:
        return os.path.samestat(os.stat(path), os.fstat(1))
    except OSError:  # there is no such file, or no stdout
        return False


def special(path: str | Path) -> bool:
    """Whether there is something at `path` that must not be replaced by a file: a device, a pipe, what stdout goes to."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) or on_stdout(str(path))


@contextmanager
def whole(path: str | Path) -> Iterator[Path]:
    """A temporary path beside `path`, to write a file or a folder at; it gets its name at the end and is removed on an error.

    Of a link the target is written, not the link. A folder that another process has finished meanwhile stays as it is.

    Raises
    ------
    UsageError
        If it cannot be written: a full disk, a read-only folder.
    """
    at = Path(os.path.realpath(path))
    temporary = at.with_name(f"{at.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        if not (temporary.is_dir() and at.is_dir()):
            os.replace(temporary, at)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        if temporary.is_dir():
            shutil.rmtree(temporary, ignore_errors=True)
        elif os.path.exists(temporary):
            temporary.unlink()


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a file, whole or not at all; ``-``, devices and pipes get the content as it is.

    Raises
    ------
    UsageError
        If it cannot be written.
    """
    if str(path) == STDOUT or on_stdout(str(path)):
        sys.stdout.write(content.decode())
        sys.stdout.flush()
    elif special(path):
        try:
            with open(path, "wb") as file:
                file.write(content)
        except BrokenPipeError:  # nobody reads it any more
            return
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror or error}") from error
    else:
        with whole(path) as temporary:
            temporary.write_bytes(content)


def write_text(path: str | Path, text: str) -> None:
    """Write a text, whole or not at all."""
    write_bytes(path, text.encode())


def write_json(path: str | Path, data: object, kind: str) -> None:
    """Write plain data of a format of `fedtheory.formats` as JSON, whole or not at all.

    Raises
    ------
    UsageError
        If it cannot be written.
    AssertionError
        If what was written is not valid under the schema of its format.
    """
    from .formats import require  # when it is needed

    write_text(path, json.dumps(data, indent=1) + "\n")
    require(data, kind, path)


def tried(write: Callable[[], object]) -> str:
    """Write; what hinders it in words, or nothing: to be raised once the results are shown."""
    try:
        write()
    except UsageError as error:
        return str(error)
    except OSError as error:  # a folder, or stdout
        return f"{error.filename or 'stdout'} cannot be written: {error.strerror or error}"
    return ""


def relative(path: str, module: str) -> str:
    """A source file's path from its top package on, the same on every machine; of a draft, from its folder on.

    Examples
    --------
    >>> relative("/opt/lib/fedtheory/engines/counterexamples/exact.py", "fedtheory.engines.counterexamples.exact")
    'fedtheory/engines/counterexamples/exact.py'
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
