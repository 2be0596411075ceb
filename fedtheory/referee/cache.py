"""Results that are kept between runs, one small file each, by the hash of all that they depend on.

The folder is FEDTHEORY_CACHE, else ``fedtheory`` in XDG_CACHE_HOME or ``~/.cache``. A file that is damaged, or not what its
name says, counts as none and is written anew. The whole may be removed at any time.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ..claim import Claim
from ..drafts import package_of
from ..drafts.reading import record
from ..drafts.source_names import OURS, VERSIONED, files_of, imports_of, names_of
from ..errors import UsageError
from ..files import environment, write_bytes
from ..registry import packages_of_engines
from .statement import statement

SCHEMA = 2
MOST_BYTES = 200 * 2**20
STATED = ("id", "latex", "locator", "kind", "step", "note", "source", "uses", "repair")  # of a claim, by its inventory
SECONDS = "seconds.json"


def place() -> Path:
    """The folder of the cache."""
    own = os.environ.get("FEDTHEORY_CACHE")
    return Path(own) if own else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fedtheory"


def digest(value: object) -> str:
    """Hash of plain data, as a file gives them back: with keys that are text."""
    return digest_of_json(json.loads(json.dumps(value)))


def digest_of_json(value: object) -> str:
    """The same hash of data that a file gave back."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:40]


def loaded_files(package: str) -> tuple[Path, ...]:
    """The source files of a package that have been imported."""
    modules = [m for name, m in sys.modules.items() if name.partition(".")[0] == package]
    return tuple(sorted({Path(f) for m in modules if (f := getattr(m, "__file__", None))}))


@cache
def imported(files: tuple[Path, ...]) -> tuple[str, ...]:
    """The packages that source files import from elsewhere, and those that these import: not Python's, not the engines'."""
    found: set[str] = set()
    todo = list(files)
    while todo:
        heads = {name.partition(".")[0] for name in imports_of(todo.pop())}
        heads -= VERSIONED | sys.stdlib_module_names | found | {""}
        found |= heads
        todo += [f for head in heads for f in files_of(head)]
    return tuple(sorted(found))


@cache
def reads(files: tuple[Path, ...]) -> bool:
    """Whether a source file may read what is not seen: files, the environment, a module under a name that is made then."""
    return any(names_of(file) for file in files)


class Sources:
    """The source files that decide claims, each read once, and whether they have changed since."""

    def __init__(self) -> None:
        self._seen: dict[Path, tuple[int, int]] = {}
        self._digests: dict[tuple[Path, ...], str] = {}

    def digest(self, files: tuple[Path, ...]) -> str:
        """Hash of the contents of files, and of their names in their folder."""
        if files not in self._digests:
            root = Path(os.path.commonpath([f.parent for f in files]))
            for file in files:
                self._seen.setdefault(file, _state(file))
            contents = {str(f.relative_to(root)): hashlib.sha256(f.read_bytes()).hexdigest() for f in files}
            self._digests[files] = digest(contents)
        return self._digests[files]

    def changed(self) -> bool:
        """Whether a file is no longer what it was when it was read."""
        return any(_state(file) != state for file, state in self._seen.items())


def _state(file: Path) -> tuple[int, int]:
    try:
        s = file.stat()
    except FileNotFoundError:
        return 0, 0
    return s.st_mtime_ns, s.st_size


def key(
    claim: Claim, files: tuple[Path, ...], sources: Sources, stored: Mapping[str, str], options: object
) -> str | None:
    """The hash of all that a result on a claim depends on; None where its source cannot be read, or reads what is not seen.

    Parameters
    ----------
    files : tuple of Path
        The sources of the claim's own package or draft.
    stored : mapping
        The hashes of its stored certificates, and of its lemmas'.
    options : plain data
        Budget, seed, backend.
    """
    package = package_of(claim)
    if not files or (not package and reads(files)):
        return None
    read = record(package, files[0].parent) if package else None
    if package and read is None:
        return None
    packages = (
        *OURS,
        *packages_of_engines(),
        *(() if package else imported(files)),
    )  # what a draft imports is in its record
    others = {name: sources.digest(files_of(name)) for name in packages if files_of(name)}
    versions = {name: v for name, v in environment().items() if name != "machine"}
    stated = {name: getattr(claim, name) for name in STATED}
    said = [stated, statement(claim)]
    return digest([SCHEMA, said, others, sources.digest(files), read, dict(stored), versions, options])


class Cache:
    """Results on disk by key.

    Parameters
    ----------
    folder : Path
    sources : Sources
        What the keys were made of: nothing is kept once one of these files has changed.

    Attributes
    ----------
    trouble : str
        Why results cannot be kept; empty if they can.
    """

    def __init__(self, folder: Path, sources: Sources) -> None:
        self.folder, self.sources, self.trouble = folder, sources, ""
        self._written = False

    def _file(self, key: str) -> Path:
        return self.folder / "results" / key[:2] / f"{key}.json"

    def get(self, key: str | None) -> Any:
        """The result under a key, or None."""
        if key is None:
            return None
        file = self._file(key)
        try:
            data = json.loads(file.read_bytes())
            if data["key"] != key or data["check"] != digest(data["result"]):
                return None
            os.utime(file)  # the oldest are removed first
        except (OSError, ValueError, KeyError, TypeError):  # none, damaged, or somebody else's
            return None
        return data["result"]

    def put(self, key: str | None, result: object) -> None:
        """Keep a result."""
        if key is not None and not self.trouble and not self.sources.changed():
            self._write(self._file(key), {"key": key, "check": digest(result), "result": result})

    def seconds(self) -> dict[str, float]:
        """What each piece of work took the last time, by a name of it."""
        try:
            found = json.loads((self.folder / SECONDS).read_bytes())
            return {str(k): float(v) for k, v in found.items()}
        except (OSError, ValueError, TypeError, AttributeError):  # none or damaged
            return {}

    def close(self, seconds: Mapping[str, float]) -> None:
        """Keep what each piece of work took, and remove the oldest results where there are too many."""
        if seconds and not self.trouble:
            self._write(self.folder / SECONDS, self.seconds() | dict(seconds))
        if self._written:
            self._shrink()

    def _write(self, file: Path, data: object) -> None:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(file, json.dumps(data).encode())
            self._written = True
        except (OSError, UsageError) as error:
            self.trouble = f"nothing is kept in the cache: {error}"

    def _shrink(self) -> None:
        found = []
        for file in (self.folder / "results").rglob("*"):
            try:
                if file.is_file():
                    found.append((file.stat().st_mtime, file.stat().st_size, file))
            except FileNotFoundError:  # another process has removed it
                continue
        size = sum(n for _, n, _ in found)
        for _, n, file in sorted(found):
            if size <= MOST_BYTES:
                return
            file.unlink(missing_ok=True)
            size -= n
