"""Drafts: claims in files of a user, which may import each other and belong to no installed package.

The files of one folder are loaded as modules of a package of their own, under a name that no installed package has, so that
two files of one name in two folders, or a file that is called as an installed module is, do not meet. A plain ``import
helpers`` or ``from helpers import lost`` in a draft means the file beside it where there is one, just as ``from .helpers
import lost`` does; sys.path stays as it is, and nothing is written beside the files.
"""

from __future__ import annotations

import ast
import dataclasses
import itertools
import os
import re
import sys
import traceback
from collections.abc import Iterable
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NoReturn

from .. import registry
from ..claim import Claim, made
from ..errors import UsageError
from ..files import DRAFT
from .reading import reading

MADE = "__fedtheory_claims__"  # in a module of a draft: the claims that were made while it was read
OURS = ("fedtheory", "problems", "proofs_checks")
COUNT = itertools.count(1)  # of the folders that this process has loaded from


class NoClaim(UsageError):
    """A file or folder that holds none."""


def is_draft(word: str) -> bool:
    """Whether a word of the command line is a file, ``my_lemma.py``, or a folder, ``drafts/``, rather than an id."""
    return word.endswith((".py", "/", os.sep))


def package_of(claim: Claim) -> str:
    """The package under which the files beside the claim's own were loaded; empty for a claim that is no draft's."""
    package = str(getattr(claim.body, "__module__", "")).partition(".")[0]
    return package if package.startswith(DRAFT) else ""


def load(words: Iterable[str]) -> dict[str, Claim]:
    """The claims of files and of folders of files, by id.

    Raises
    ------
    UsageError
        If a file cannot be read or raises, with file and line, if it holds no claim, or if two claims have one id.
    """
    packages: dict[Path, str] = {}
    found: dict[str, tuple[Claim, str]] = {}
    for word in words:
        claims = [(c, file) for file in _files(word) for c in _claims(file, packages)]
        if not claims:
            where = "in this file" if word.endswith(".py") else "in the files of this folder"
            raise NoClaim(f"{word}: no claim {where}; decorate a function with @claim(...)")
        for c, file in claims:
            before, place = found.setdefault(c.id, (c, file))
            if before is not c:
                raise UsageError(f"{file}: two claims are called {c.id}, here and in {place}")
    return {id: _typed(c, file) for id, (c, file) in found.items()}


def made_by(file: str, claims: Iterable[Claim]) -> tuple[ModuleType, list[Claim]]:
    """The module that a file of a draft was loaded as, and those of the draft's `claims` that it makes itself."""
    own = list(claims)
    modules = (sys.modules.get(f"{package_of(c)}.{Path(file).stem.replace('.', '-')}") for c in own)
    module = next(m for m in modules if m is not None)
    made_here = {(c.id, c.body) for c in getattr(module, MADE)}
    return module, [c for c in own if (c.id, c.body) in made_here]


def _files(word: str) -> list[str]:
    if word.endswith(".py"):
        if not Path(word).is_file():
            raise UsageError(f"{word}: no such file")
        return [word]
    if not Path(word).is_dir():
        raise UsageError(f"{word}: no such folder")
    return [os.path.join(word, name) for name in sorted(os.listdir(word)) if name.endswith(".py")]


def _typed(c: Claim, file: str) -> Claim:
    """The claim with its source as the user typed it; relative to the draft's folder where that was typed absolutely."""
    folder = os.path.dirname(file)
    if not package_of(c) or os.path.isabs(folder):
        return c
    return dataclasses.replace(c, source=os.path.join(folder, c.source))


def _claims(file: str, packages: dict[Path, str]) -> list[Claim]:
    folder = Path(file).resolve().parent
    if folder not in packages:
        packages[folder] = _package(folder)
    try:
        with reading(packages[folder]):
            module = _module(Path(file).resolve(), packages[folder])
    except SyntaxError as error:
        line = f":{error.lineno}" if error.lineno else ""  # none where the file as a whole is not Python
        raise UsageError(f"{_beside(file, error.filename)}{line}: SyntaxError: {error.msg}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        ours = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).is_relative_to(folder)]
        at = f"{_beside(file, ours[-1].filename)}:{ours[-1].lineno}" if ours else file
        said = re.sub(rf"{DRAFT}\d+\.?", "", " ".join(str(error).split()))
        said += _hidden(error, folder)
        kind = "" if isinstance(error, UsageError) else type(error).__name__
        raise UsageError(f"{at}: {': '.join(filter(None, (kind, said)))}") from None
    named = [c for c in vars(module).values() if isinstance(c, Claim) and not _published(c)]
    known = {(c.id, c.body) for c in named}  # a claim may stand under its name with a note added, say
    lost = [c for c in getattr(module, MADE, ()) if (c.id, c.body) not in known]
    return list({id(c): c for c in (*lost, *named)}.values())


def _published(c: Claim) -> bool:
    """Whether a claim of a module is one of an installed paper, which it has imported to stand on."""
    head = c.id.split("/")[0]
    return not package_of(c) and head in registry.papers() and registry.claims(head).get(c.id) is c


def _hidden(error: BaseException, folder: Path) -> str:
    """Where a file beside the draft is taken in place of a package of ours: that it has to be called otherwise."""
    name = getattr(error, "name", None) if isinstance(error, ImportError) else None
    head = re.sub(rf"^{DRAFT}\d+\.", "", name or "").partition(".")[0]
    mend = "import from fedtheory.problems" if head == "problems" else "give that file another name"
    if head in OURS and (folder / f"{head}.py").is_file():
        return f"; {head}.py beside it is taken for the package {head}: {mend}"
    return ""


def _beside(file: str, other: str | None) -> str:
    """A file of the draft's folder as the user would type it."""
    path = Path(other or file)
    folder = Path(file).resolve().parent
    return os.path.join(os.path.dirname(file), path.relative_to(folder)) if path.is_relative_to(folder) else str(path)


def _package(folder: Path) -> str:
    """A new package whose modules are the files of a folder."""
    if _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)
    package = ModuleType(f"{DRAFT}{next(COUNT)}")
    package.__path__ = [str(folder)]
    sys.modules[package.__name__] = package
    return package.__name__


def _module(path: Path, package: str) -> ModuleType:
    name = f"{package}.{path.stem.replace('.', '-')}"
    if name in sys.modules:  # another file has imported it
        return sys.modules[name]
    spec = spec_from_file_location(name, path, loader=_Loader(name, str(path)))
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


class _Finder:
    """Finds the files of drafts for the import statement, and nothing else."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: object = None) -> ModuleSpec | None:
        if path is None or not name.startswith(DRAFT):
            return None
        return FileFinder(next(iter(path)), (_Loader, [".py"])).find_spec(name)


class _Loader(SourceFileLoader):
    """Reads a file of a draft, with the plain imports of the files beside it made relative, and keeps the claims that it makes,
    also those whose name another one takes later."""

    def exec_module(self, module: ModuleType) -> None:
        found: list[Claim] = []
        token = made.set(found)
        try:
            super().exec_module(module)
        finally:
            made.reset(token)
        setattr(module, MADE, tuple(found))

    def path_stats(self, path: str) -> NoReturn:
        raise OSError("a draft changes all the time, and its folder is the user's: no bytecode is kept")

    def source_to_code(self, data: Any, path: str, *, _optimization: int = -1) -> CodeType:  # type: ignore[override]
        tree = _Relative(self.name, self.is_package(self.name)).visit(ast.parse(data, path))
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)


class _Relative(ast.NodeTransformer):
    """``import helpers`` to ``from . import helpers``, and ``from helpers import x`` to ``from .helpers import x``."""

    def __init__(self, name: str, is_package: bool) -> None:
        package, _, self.own = name.partition(".")
        self.folder = Path(sys.modules[package].__path__[0])
        self.level = name.count(".") + is_package

    def beside(self, name: str | None) -> bool:
        """Whether a file of the draft is called so; a file does not import itself."""
        head = (name or "").partition(".")[0]
        file, folder = self.folder / f"{head}.py", self.folder / head / "__init__.py"
        return bool(head) and head != self.own and (file.is_file() or folder.is_file())

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        if node.level == 0 and self.beside(node.module):
            node.level = self.level
        return node

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        statements: list[ast.stmt] = []
        for one in node.names:
            if "." not in one.name and self.beside(one.name):
                statements.append(ast.ImportFrom(None, [one], self.level))
            else:
                statements.append(ast.Import([one]))
        return [ast.copy_location(s, node) for s in statements]
