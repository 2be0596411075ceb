"""What a draft reads while its files are read: modules, files, folders and the environment, so that a kept verdict is of these.

An audit hook of Python (PEP 578) sees files, folders, imports, processes and sockets; it stays for the life of the process
and does nothing unless a draft is read or a claim is decided. The environment has no such event: for as long as a draft is
read, the table behind ``os.environ`` is one that notes what is looked up. Sizes and dates of files, clocks, chance and the
like are seen by neither: a draft that names one of them anywhere is called unseen, and so is one that reads something while
its claims are decided. What is unseen is never kept.
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import source_from_cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from ..files import DRAFT
from ..formats import Json
from .source_names import DYNAMIC, HIDDEN, LATER, VERSIONED, covered, installed, known, places, plain, tree_of

IMPORTER = "<frozen importlib"  # begins the names of the files of Python's own importer
OUTSIDE = (
    "subprocess", "os.system", "os.exec", "os.spawn", "os.posix_spawn", "os.fork", "os.startfile", "pty.", "socket.", "urllib.",
    "http.", "ftplib.", "smtplib.", "imaplib.", "poplib.", "nntplib.", "telnetlib.", "ctypes.", "sqlite3.", "builtins.input",
    "winreg.", "os.getxattr", "os.listxattr", "_winapi.",
)  # fmt: skip  # events that ask what is not a file


class Reads:
    """What was read while one draft was read.

    Attributes
    ----------
    files : set of str
        Paths of files that were opened, or looked for.
    folders : set of str
        Those whose names were asked for.
    environment : set of str
        Names that were looked up there; "*" where all were.
    missing : set of str
        Modules that were asked for and are not there.
    modules : set of str
        Those that came.
    unseen : set of str
        What was done that cannot be seen.
    """

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.folders: set[str] = set()
        self.environment: set[str] = set()
        self.missing: set[str] = set()
        self.modules: set[str] = set()
        self.unseen: set[str] = set()

    def add(self, other: Reads) -> None:
        """Take over what another one has."""
        for name, found in vars(other).items():
            getattr(self, name).update(found)


READING: list[Reads] = []  # the drafts that are being read, the innermost last
DECIDING: list[None] = []  # the claims that are being decided
BEFORE: dict[str, Reads] = {}  # by module that came with a draft, what was read with it
OF: dict[str, Reads] = {}  # by package of a draft
LATE: set[str] = set()  # packages of drafts that have read something while claims were decided, in this process
LOCK = threading.RLock()


@contextmanager
def reading(package: str) -> Iterator[None]:
    """Note what is read meanwhile, for the draft whose files are modules of `package`."""
    _hook()
    with LOCK:
        here = OF.setdefault(package, Reads())
        before = set(sys.modules)
        READING.append(here)
        try:
            with _environment(here):
                yield
        finally:
            READING.remove(here)
            came = {name for name in set(sys.modules) - before if not name.startswith(DRAFT)}
            here.missing = {n for n in here.missing if n not in sys.modules}
            here.modules |= came
            for name in came:
                BEFORE.setdefault(name, here)


@contextmanager
def deciding() -> Iterator[None]:
    """Note whether a draft reads anything meanwhile."""
    if not OF:  # none is there
        yield
        return
    DECIDING.append(None)
    try:
        yield
    finally:
        DECIDING.pop()


def late(package: str) -> bool:
    """Whether a draft has read something while its claims were decided in this process: what was read may be kept in it."""
    return package in LATE


def record(package: str, root: Path) -> Json | None:
    """What a draft has read, as plain data with the contents of files, paths from `root` on; None where something is unseen."""
    found = Reads()
    found.add(OF.get(package, Reads()))
    own = [m for n, m in list(sys.modules.items()) if n.startswith(f"{package}.")]
    todo, seen = own, set()
    while todo:
        module = todo.pop()
        name = module.__name__
        if name in seen:
            continue
        seen.add(name)
        theirs = installed(module)
        tree = None if theirs else tree_of(module)
        if not theirs and (tree is None or tree.names & HIDDEN or tree.later & LATER):
            return None
        if tree is not None and tree.names & DYNAMIC:
            for other in list(BEFORE.values()):
                found.add(other)
        for wanted in {*(tree.imports if tree is not None else ()), *found.modules} - seen:
            one = sys.modules.get(wanted)
            if one is None or not isinstance(one, ModuleType) or known(wanted, one):
                continue
            if wanted in BEFORE:
                found.add(BEFORE[wanted])
                todo.append(one)
            elif (files := plain(wanted)) is None:  # it was there before anybody looked
                return None
            else:
                found.files |= files
    if found.unseen:
        return None
    try:
        return {
            "files": {_from(root, p): _content(p) for p in sorted(found.files)},
            "folders": {_from(root, p): sorted(os.listdir(p)) if os.path.isdir(p) else None for p in sorted(found.folders)},
            "environment": _looked_up(found.environment),
            "missing": sorted(found.missing),
            "modules": {n: _file_content(sys.modules[n]) for n in sorted(seen) if not n.startswith(DRAFT)},
        }  # fmt: skip
    except (OSError, _Special):
        return None


# -- the hook ---------------------------------------------------------------------------------------------------------


@cache
def _hook() -> None:
    """Look from now on, for the life of the process."""
    places()
    sys.addaudithook(_heard)


def _heard(event: str, args: tuple[object, ...]) -> None:
    if not READING and not DECIDING:
        return
    kind = _kind(event)
    if not kind:
        return
    frame: FrameType | None = sys._getframe(1)
    if READING:
        _note(READING[-1], kind, event, args, frame)
    elif (
        event.startswith("ctypes.") and frame is not None and str(frame.f_globals.get("__name__", "")).startswith("z3")
    ):
        return  # z3 asks its own library
    elif _reaches(kind, args, frame):
        LATE.update(_asked(frame))


def _reaches(kind: str, args: tuple[object, ...], frame: FrameType | None) -> bool:
    """Whether it is neither Python's own nor of the engines what is asked for."""
    if kind == "import":
        head = str(args[0]).partition(".")[0]
        return head not in sys.stdlib_module_names and head not in VERSIONED
    if kind == "open":
        return bool(args) and not isinstance(args[0], int) and not covered(_path(args[0]))
    return kind == "outside" or not (frame is not None and frame.f_code.co_filename.startswith(IMPORTER))


def _kind(event: str) -> str:
    if event in ("open", "import"):
        return event
    if event in ("os.listdir", "os.scandir"):
        return "folder"
    return "outside" if event.startswith(OUTSIDE) else ""


def _note(here: Reads, kind: str, event: str, args: tuple[object, ...], frame: FrameType | None) -> None:
    """Enter what was heard while a draft is read."""
    importer = frame is not None and frame.f_code.co_filename.startswith(IMPORTER)
    if kind == "import":
        here.missing.add(str(args[0]))  # until it is there
    elif kind == "outside":
        if not _installs(frame):
            here.unseen.add(event)
    elif not args or isinstance(args[0], int):  # a descriptor: the file was opened before
        return
    elif kind == "folder":
        if not importer:
            here.folders.add(_path(args[0] or "."))
    elif not _written(args):
        path = _path(args[0])
        if not covered(path):
            here.files.add(_source(path))


def _written(args: tuple[object, ...]) -> bool:
    """Whether a file was opened to be written anew."""
    mode = args[1] if len(args) > 1 and isinstance(args[1], str) else ""
    return bool(mode) and mode[0] in "wax" and "+" not in mode


def _path(raw: Any) -> str:
    return os.path.abspath(os.fsdecode(raw))


def _source(path: str) -> str:
    """The source of a file of bytecode, where it is there."""
    if path.endswith(".pyc"):
        try:
            source = source_from_cache(path)
        except ValueError:
            return path
        return source if os.path.isfile(source) else path
    return path


def _asked(frame: FrameType | None) -> Iterator[str]:
    """The draft whose function asks, itself or through others; none where a module of somebody else is being imported for it."""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and covered(frame.f_code.co_filename):
            return
        head = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if head.startswith(DRAFT):
            yield head
            return
        frame = frame.f_back


def _installs(frame: FrameType | None) -> bool:
    """Whether Python's own modules or the engines ask while they are imported."""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and covered(frame.f_code.co_filename):
            return True
        if str(frame.f_globals.get("__name__", "")).startswith(DRAFT):
            return False
        frame = frame.f_back
    return False


# -- the environment --------------------------------------------------------------------------------------------------


class _Table(dict):  # type: ignore[type-arg]
    """The table behind os.environ, which notes what is looked up in it."""

    def __init__(self, of: dict[bytes, bytes] | dict[str, str], here: Reads) -> None:
        super().__init__(of)
        self._here = here

    def _note(self, key: object) -> object:
        self._here.environment.add(os.fsdecode(key) if isinstance(key, (bytes, str)) else "*")
        return key

    def __getitem__(self, key: object) -> Any:
        return super().__getitem__(self._note(key))

    def __contains__(self, key: object) -> bool:
        return super().__contains__(self._note(key))

    def get(self, key: object, default: object = None) -> Any:
        return super().get(self._note(key), default)

    def __iter__(self) -> Iterator[object]:
        self._note(None)
        return super().__iter__()

    def __len__(self) -> int:
        self._note(None)
        return super().__len__()

    def keys(self) -> Any:
        self._note(None)
        return super().keys()

    def items(self) -> Any:
        self._note(None)
        return super().items()

    def values(self) -> Any:
        self._note(None)
        return super().values()

    def copy(self) -> Any:
        self._note(None)
        return super().copy()


@contextmanager
def _environment(here: Reads) -> Iterator[None]:
    """Note what is looked up in the environment; what is set meanwhile stays."""
    tables = [e for e in (os.environ, getattr(os, "environb", None)) if e is not None]
    before = os.environ._data  # type: ignore[attr-defined]
    noting = _Table(before, here)
    for e in tables:
        e._data = noting  # type: ignore[union-attr]
    try:
        yield
    finally:
        for e in tables:
            e._data = before  # type: ignore[union-attr]
        plain = dict(dict.items(noting))
        for key in before.keys() - plain.keys():
            del before[key]
        before.update(plain)


def _looked_up(names: set[str]) -> dict[str, str | None]:
    return dict(sorted(os.environ.items())) if "*" in names else {n: os.environ.get(n) for n in sorted(names)}  # type: ignore[arg-type]


# -- contents ---------------------------------------------------------------------------------------------------------


class _Special(Exception):
    """A file that is none: a device, a pipe, a folder."""


def _content(path: str) -> str | None:
    """A digest of a file; None where there is none."""
    if not os.path.exists(path):
        return None
    if not os.path.isfile(path) or path.startswith(("/proc/", "/sys/", "/dev/")):
        raise _Special(path)
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _file_content(module: ModuleType) -> str | None:
    file = getattr(module, "__file__", None)
    return _content(file) if file and os.path.isfile(file) else None


def _from(root: Path, path: str) -> str:
    """A path from the draft's folder on, so that a folder that is moved as a whole is the same."""
    return os.path.relpath(path, root)
