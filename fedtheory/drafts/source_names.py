"""What the text of source files tells: names in them that reach beyond them, the modules that they import, whose they are."""

from __future__ import annotations

import ast
import os
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from ..files import DRAFT

OURS = ("fedtheory", "problems")  # the packages whose modules decide
VERSIONED = {*OURS, "numpy", "scipy", "sympy", "z3", "clarabel", "flint", "torch", "cupy", "array_api_compat"}
HIDDEN = {
    # sizes, dates and places of files
    "stat", "lstat", "fstat", "statvfs", "st_size", "st_mtime", "getsize", "getmtime", "getatime", "getctime", "exists",
    "lexists", "isfile", "isdir", "islink", "ismount", "is_file", "is_dir", "is_symlink", "readlink", "disk_usage",
    "samefile", "getcwd", "cwd", "dir_fd", "find_spec", "find_loader", "find_library", "which",
    # clocks, chance, the machine and the process
    "time", "time_ns", "perf_counter", "monotonic", "process_time", "localtime", "gmtime", "ctime", "strftime", "now", "today",
    "utcnow", "urandom", "secrets", "SystemRandom", "uuid1", "uuid4", "getpid", "getppid", "getuid", "getlogin", "gethostname",
    "uname", "platform", "cpu_count", "getloadavg", "get_terminal_size", "argv", "orig_argv", "stdin",
    "input", "getrusage", "getrlimit", "_getframe", "tempfile",
    # other processes, C, and what reads files by itself
    "multiprocessing", "ProcessPoolExecutor", "shared_memory", "SharedMemory", "fork", "posix", "nt", "_posixsubprocess",
    "ctypes", "cffi", "mmread", "mminfo", "hb_read", "from_file", "read_from_file", "parse_smt2_file", "dbm", "shelve",
    "addaudithook", "settrace", "setprofile",
}  # fmt: skip  # names of what no event tells
LATER = {
    "open", "fdopen", "read_text", "read_bytes", "environ", "environb", "getenv", "getenvb", "expandvars", "load", "loads",
    "loadtxt", "genfromtxt", "fromfile", "memmap", "reader", "listdir", "scandir", "iterdir", "glob", "iglob", "rglob", "walk",
    "import_module", "__import__", "run_path", "run_module", "exec", "eval", "reload", "importlib", "runpy",
}  # fmt: skip  # which a function may call once its claim is decided, or has been
DYNAMIC = {
    "importlib", "import_module", "__import__", "modules", "exec", "eval", "__main__", "builtins", "runpy", "reload",
}  # fmt: skip
# with which a module is reached whose name is made then


def plain(module: str) -> set[str] | None:
    """The sources of a module's whole package, where no name in them reaches beyond them; else None."""
    files = files_of(module.partition(".")[0])
    return {str(f) for f in files} if files and not any(names_of(f) for f in files) else None


@cache
def files_of(package: str) -> tuple[Path, ...]:
    """The source files of a package or module, imported or not; none where there is no such file."""
    try:
        spec = find_spec(package)
    except (ModuleNotFoundError, ValueError):
        return ()
    if spec is None:
        return ()
    if not spec.submodule_search_locations:
        return (Path(spec.origin),) if spec.origin and spec.origin.endswith(".py") else ()
    return tuple(p for folder in spec.submodule_search_locations for p in sorted(Path(folder).rglob("*.py")))


class Names:
    """The names that a source file has: all, those in its functions, and the modules that it imports."""

    def __init__(self, tree: ast.AST, module: str, is_package: bool) -> None:
        self.names: set[str] = set()
        self.later: set[str] = set()
        self.imports: set[str] = set()
        package = module if is_package else module.rpartition(".")[0]
        self._walk(tree, False, package)

    def _walk(self, node: ast.AST, within: bool, package: str) -> None:
        said = set(_said(node))
        self.names |= said
        if within:
            self.later |= said
        if isinstance(node, ast.Import):
            for one in node.names:
                self._imports(one.name)
        elif isinstance(node, ast.ImportFrom) and (package or not node.level):
            up = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*up, *([node.module] if node.module else [])])
            self._imports(base)
            for one in node.names:
                self.imports.add(f"{base}.{one.name}")
        within = within or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for child in ast.iter_child_nodes(node):
            self._walk(child, within, package)

    def _imports(self, name: str) -> None:
        parts = name.split(".")
        self.imports |= {".".join(parts[: k + 1]) for k in range(len(parts))}


def _said(node: ast.AST) -> Iterator[str]:
    """The names that a node of a syntax tree has."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.keyword) and node.arg:
        yield node.arg
    elif isinstance(node, ast.alias):
        yield from node.name.split(".")
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield from node.module.split(".")


def stamp(file: str) -> tuple[int, int]:
    """When a file was written, and how long it is: a draft changes between two looks of one process."""
    try:
        found = os.stat(file)
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


@cache
def tree_of_file(file: str, stamp: tuple[int, int]) -> ast.Module:
    """The syntax tree of a source file, as it was written then.

    Raises
    ------
    OSError, SyntaxError, ValueError
        If it cannot be read, or is not Python.
    """
    return ast.parse(Path(file).read_bytes())


@cache
def _parsed(path: Path, module: str) -> Names | None:
    try:
        tree = tree_of_file(str(path), stamp(str(path)))
    except (SyntaxError, ValueError):  # nobody imports it
        return None
    return Names(tree, module, path.name == "__init__.py")


def names_of(path: Path, module: str = "") -> set[str]:
    """The names in a source file that may reach beyond it, now or later."""
    found = _parsed(path, module)
    return set() if found is None else found.names & (HIDDEN | LATER)


def imports_of(path: Path, module: str = "") -> set[str]:
    """The modules that a source file names in its import statements, absolute ones where `module` is not given."""
    found = _parsed(path, module)
    return set() if found is None else found.imports


def tree_of(module: ModuleType) -> Names | None:
    """The names of a module's source; None where it has none in Python."""
    try:
        file = getattr(module, "__file__", None)
        if file is None:  # a folder without __init__.py, which says nothing by itself
            return Names(ast.parse(b""), module.__name__, True) if hasattr(module, "__path__") else None
        if file.endswith(".py") and os.path.isfile(file):
            tree = tree_of_file(file, stamp(file))
        else:
            loader = module.__spec__.loader if module.__spec__ is not None else None
            source = loader.get_source(module.__name__)  # type: ignore[union-attr]
            if source is None:
                return None
            tree = ast.parse(source.encode())
        return Names(tree, module.__name__, hasattr(module, "__path__"))
    except (OSError, SyntaxError, ValueError, AttributeError, ImportError):
        return None


def installed(module: ModuleType) -> bool:
    """Whether a module stands where packages are installed, and not in a folder of the user's."""
    file = getattr(module, "__file__", None)
    return file is not None and file.startswith(places()[1])


def known(name: str, module: ModuleType) -> bool:
    """Whether a module is Python's own or of the engines, whose versions and sources are looked at by themselves."""
    head = name.partition(".")[0]
    if head in sys.stdlib_module_names:
        file = getattr(module, "__file__", None)
        return file is None or str(file).startswith("<") or covered(str(file))
    return head in VERSIONED or head.startswith(DRAFT)


@cache
def places() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Folders of Python and of the engines; and those in which packages of anybody are installed."""
    whole = {sysconfig.get_path(n) for n in ("stdlib", "platstdlib")}
    whole |= {os.path.dirname(f) for package in OURS for f in map(str, files_of(package)) if f.endswith("__init__.py")}
    shared = {sysconfig.get_path(n) for n in ("purelib", "platlib")}
    shared |= {os.path.join(p, "site-packages") for p in whole} | {os.path.join(p, "dist-packages") for p in whole}
    kept = tuple(sorted(os.path.join(p, "") for p in whole if p))
    return kept, tuple(sorted(os.path.join(p, "") for p in shared if p))


def covered(path: str) -> bool:
    """Whether a file is Python's own or of the engines."""
    if path.startswith("<frozen"):
        return True
    whole, shared = places()
    for folder in shared:
        if path.startswith(folder):
            return path[len(folder) :].partition(os.sep)[0].partition("-")[0].removesuffix(".py") in VERSIONED
    return path.startswith(whole)
