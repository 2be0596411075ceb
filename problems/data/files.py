"""Where a user's data files lie, whether they are there, and whether they are the right ones.

A file of the set NAME lies in ROOT/NAME, where ROOT is the argument `root`, else the environment's ``FEDTHEORY_DATA``, else
``fedtheory`` in the user's cache folder (``XDG_CACHE_HOME`` or ``~/.cache``). Nothing is downloaded.

SHA-256 digests come from these published lists: ``tensorflow_datasets/url_checksums/mnist.txt`` and ``fashion_mnist.txt`` of
tensorflow/datasets (the gzip files), ``keras/src/datasets/mnist.py`` of keras-team/keras (``mnist.npz``). None is published
for the QSAR and Santander files: they are "not pinned", and their shapes are checked. A user who trusts a copy of any file
can pin it: ``sha256sum FILE > FILE.sha256`` beside it, and the digest in there is checked from then on.
"""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from fedtheory.errors import UsageError

ENVIRONMENT = "FEDTHEORY_DATA"
CHUNK = 1 << 20
DIGEST = r"[0-9a-fA-F]{64}"


@dataclass(frozen=True)
class File:
    """One file of a data set: its name, where it comes from, and its published SHA-256 or None.

    `how` says what to do with what the `url` gives, when that is not the file itself.
    """

    name: str
    url: str
    sha256: str | None = None
    how: str = ""

    def advice(self) -> str:
        """One clause: how to get the file."""
        return f"get it from {self.url}" + (f" ({self.how})" if self.how else "")


def data_root(root: str | os.PathLike[str] | None = None) -> Path:
    """The folder of all data sets; it need not exist.

    Raises
    ------
    UsageError
        If it exists and is not a folder.
    """
    if root is not None:
        chosen, said = Path(root).expanduser(), "root=..."
    elif os.environ.get(ENVIRONMENT):
        chosen, said = Path(os.environ[ENVIRONMENT]).expanduser(), ENVIRONMENT
    else:
        cache = os.environ.get("XDG_CACHE_HOME", "")
        chosen = (Path(cache) if os.path.isabs(cache) else Path.home() / ".cache") / "fedtheory"
        said = "the cache folder"
    if chosen.exists() and not chosen.is_dir():
        raise UsageError(f"{said} must be a folder with one folder a data set, got the file {chosen}.")
    return chosen


def located(name: str, file: File, root: str | os.PathLike[str] | None) -> Path:
    """The path of a file of the set `name`; a missing file is a `UsageError` that says how to get it."""
    path = data_root(root) / name / file.name
    if not path.is_file():
        raise UsageError(
            f"{name} needs the file {file.name}, which is not in {path.parent}; {file.advice()} and put it there, "
            f"or name the folder above {name} with root=... or {ENVIRONMENT}."
        )
    return path


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            while block := stream.read(CHUNK):
                digest.update(block)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    return digest.hexdigest()


def expected_digest(path: Path, published: str | None) -> tuple[str | None, str]:
    """(the digest that the file should have or None, where that comes from)."""
    if published is not None:
        if not re.fullmatch(DIGEST, str(published)):
            raise UsageError(f"`load(sha256=...)` must be 64 hexadecimal digits, got {published!r}.")
        return published.lower(), "the digest expected"
    beside = path.with_name(path.name + ".sha256")
    if not beside.is_file():
        return None, "not pinned"
    words = beside.read_text(encoding="utf-8", errors="replace").split()
    if not words or not re.fullmatch(DIGEST, words[0]):
        raise UsageError(f"{beside} must begin with the 64 hexadecimal digits of a SHA-256; sha256sum writes it so.")
    return words[0].lower(), beside.name


def digest_state(path: Path, published: str | None) -> str:
    """``"ok"``, ``"wrong"``, ``"not pinned"``, ``"absent"`` (no file) or ``"unreadable"`` (it, or the digest beside it)."""
    if not path.is_file():
        return "absent"
    try:
        expected, _ = expected_digest(path, published)
        return "not pinned" if expected is None else "ok" if sha256(path) == expected else "wrong"
    except UsageError:
        return "unreadable"


def check_digest(path: Path, published: str | None, advice: str = "") -> str:
    """Compare with the published digest or the one beside the file; returns what to say of it in a source line.

    Raises
    ------
    UsageError
        If there is a digest and the file has another.
    """
    expected, said = expected_digest(path, published)
    if expected is None:
        return said
    found = sha256(path)
    if found != expected:
        again = f"; {advice}" if advice else ""
        raise UsageError(f"{path} has SHA-256 {found}, not {expected} ({said}): damaged, or another file{again}.")
    return "SHA-256 ok"
