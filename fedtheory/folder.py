"""A paper from a package that holds a ``paper.toml``, with whatever lies beside it.

``paper.toml`` has ``id`` and ``title``, and may have ``authors``, ``reference`` and ``formulas``, the package of the paper's
formulas where they stand elsewhere. In either package a file ``catalogue.py`` may define ``CATALOGUE``, ``symbols.py``
``symbols``, ``curves.py`` ``curves``, ``measured.py`` ``measured`` and ``rates.py`` ``RATES``. ``inventory.toml``,
``bindings.toml``, ``certificates.json``, ``evidence.json``, ``empirical.toml``, ``settings.toml``, ``audited.json``,
``experiments/*.toml`` and ``experiments/*.json`` are read where there are any. Claims may stand in any module below the package;
these are imported when the claims are asked for.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import pkgutil
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .claim import Claim
from .errors import UsageError, did_you_mean
from .formats import Document, Json, check
from .paper import Paper, Rows

NEEDED = ("id", "title")
WORDS = (*NEEDED, "authors", "reference", "formulas")
PARTS = {"catalogue": "CATALOGUE", "symbols": "symbols", "curves": "curves", "measured": "measured", "rates": "RATES"}


def in_package(package: str) -> Paper:
    """The paper of a package; of the package itself only ``paper.toml`` is read.

    Parameters
    ----------
    package : str
        Its dotted name, such as ``ditto_claims``.

    Raises
    ------
    UsageError
        If there is no such package, or its ``paper.toml`` is missing, has an unknown word or lacks a needed one.
    """
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise UsageError(f"{package} is no package that can be imported")
    folder = Path(next(iter(spec.submodule_search_locations)))
    if not (folder / "paper.toml").is_file():
        raise UsageError(f"{package} has no paper.toml")
    words: Json = toml(folder / "paper.toml")
    for name, value in words.items():
        if name not in WORDS or not isinstance(value, str):
            raise UsageError(
                f"paper.toml of {package} holds texts called {', '.join(WORDS)}, got {name} = {value!r}"
                f"{did_you_mean(name, WORDS)}"
            )
    missing = [name for name in NEEDED if name not in words]
    if missing:
        raise UsageError(f"paper.toml of {package} has no {' and no '.join(missing)}")
    packages = (words["formulas"], package) if "formulas" in words else (package,)
    parts: Json = {name: partial(part, packages, name) for name in PARTS}
    return Paper(
        **words,
        **parts,
        package=package,
        claims=partial(claims, package, folder),
        inventory=partial(inventory, folder),
        bindings=partial(bindings, folder),
        certificates=partial(certificates, folder),
        evidence=partial(evidence, folder),
        experiments=partial(experiments, folder / "experiments"),
        empirical=partial(empirical, folder),
        figures=partial(figures, folder / "experiments"),
        settings=partial(settings, folder),
        audited=partial(audited, folder),
    )


@cache
def toml(path: Path) -> Json:
    """A TOML file; empty if there is none.

    Raises
    ------
    UsageError
        If it is no TOML.
    """
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}") from None


@cache
def inventory(folder: Path) -> Rows:
    """Rows of a paper by id: kind, locator, formula, conditions.

    Raises
    ------
    UsageError
        If a row has no id, kind, locator or formula, a word of it is no text, or two rows have one id.
    """
    path = folder / "inventory.toml"
    data = _toml(path, "inventory")
    rows: dict[str, dict[str, str]] = {}
    for row in data.get("row", []):
        if row["id"] in rows:
            raise UsageError(f"{path}: the row {row['id']!r} is there twice")
        rows[row["id"]] = row
    return rows


@cache
def experiments(folder: Path) -> Document:
    """The tables and figures of a paper: a TOML file each, by its name."""
    return Tables(folder)


class Tables(Document):
    """The tables of a folder, each read when it is asked for, so that a broken one costs itself alone.

    Raises
    ------
    UsageError
        Where one is asked for that is no TOML, or has something else in place of its title, its plan or a row.
    """

    def __init__(self, folder: Path) -> None:
        self._paths = {path.stem: path for path in sorted(folder.glob("*.toml"))}
        self._read: Json = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._read:
            path = self._paths[name]
            table = _toml(path, "experiment")
            check(table["plan"], "plan", f"{path}: its plan")
            self._read[name] = table
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


@cache
def empirical(folder: Path) -> Json:
    """How each empirical row of a paper is decided, by its id.

    Raises
    ------
    UsageError
        If the file is no TOML, or a rule of it is of another kind.
    """
    return _toml(folder / "empirical.toml", "empirical")


@cache
def figures(folder: Path) -> Document:
    """What was kept of the tables that were run in full: a JSON file each, by its name.

    Raises
    ------
    UsageError
        If a file is no JSON, or holds something else.
    """
    return {path.stem: _json(path, "figures") for path in sorted(folder.glob("*.json"))}


def bindings(folder: Path) -> Rows:
    """What the rows of a paper that are no claims are bound to, by id.

    Raises
    ------
    UsageError
        If a row has no binding, or a word of it is no text.
    """
    return _toml(folder / "bindings.toml", "bindings")


@cache
def certificates(folder: Path) -> Json:
    """Stored certificates of a paper by key.

    Raises
    ------
    UsageError
        If the file is no JSON, or holds something else.
    """
    return _json(folder / "certificates.json", "stored_certificates")


def evidence(folder: Path) -> Json:
    """What decided each claim of a paper, for `referee.shipped`; empty where it ships none.

    Raises
    ------
    UsageError
        If the file is no JSON, or holds something else.
    """
    return _json(folder / "evidence.json", "evidence")


@cache
def settings(folder: Path) -> Json:
    """Printed settings of a paper that no table has.

    Raises
    ------
    UsageError
        If one has no label, locator or values.
    """
    return _toml(folder / "settings.toml", "settings")


@cache
def audited(folder: Path) -> Json:
    """The printed settings of a paper with the constants of their problems, as `fedtheory audit` wrote them.

    Raises
    ------
    UsageError
        If the file is no JSON, or holds something else.
    """
    return _json(folder / "audited.json", "audited")


def _toml(path: Path, kind: str) -> Json:
    """A TOML file of a format; empty if there is none."""
    data = toml(path)
    if path.is_file():
        check(data, kind, str(path))
    return data


def _json(path: Path, kind: str) -> dict[str, object]:
    """A JSON file of a format; empty if there is none."""
    if not path.is_file():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    check(data, kind, str(path))
    return data


def part(packages: tuple[str, ...], name: str) -> Any:
    """What the first of the packages that has a file `name` defines in it; None where there is no such file.

    Raises
    ------
    UsageError
        If a package cannot be found, or the file does not define what it is there for.
    """
    for package in packages:
        try:
            spec = find_spec(f"{package}.{name}")
        except ModuleNotFoundError as error:
            raise UsageError(f"{package} is no package that can be imported: {error}") from None
        if spec is not None:
            module = importlib.import_module(spec.name)
            if not hasattr(module, PARTS[name]):
                raise UsageError(f"{spec.origin} does not define {PARTS[name]}")
            return getattr(module, PARTS[name])
    return None


@cache
def claims(package: str, folder: Path) -> Mapping[str, Claim]:
    """The claims of every module of a package by id, with formula, locator and kind from the inventory.

    Raises
    ------
    UsageError
        If two claims have one id.
    """
    rows = inventory(folder)
    found: dict[str, Claim] = {}
    whole = importlib.import_module(package)
    modules = [package, *(info.name for info in pkgutil.walk_packages(whole.__path__, f"{package}."))]
    seen: set[int] = set()
    for name in modules:
        for c in vars(importlib.import_module(name)).values():
            if isinstance(c, Claim) and id(c) not in seen:  # a module may import another one's claim
                seen.add(id(c))
                if c.id in found:
                    raise UsageError(f"two claims are called {c.id}: {found[c.id].source} and {c.source}")
                found[c.id] = joined(c, rows)
    return found


def joined(c: Claim, rows: Rows) -> Claim:
    """The claim with what its inventory row says."""
    base = re.split(r"[@~]", c.id)[0]
    row = rows.get(base, {})
    same = re.search(r"i\.e\. row (\w+)", row.get("formula", ""))  # a statement that is one displayed formula
    if same and (other := f"{base.split('/')[0]}/{same[1]}") in rows:
        row = {**row, "formula": rows[other]["formula"]}
    return dataclasses.replace(
        c,
        latex=c.latex or row.get("formula", ""),
        locator=c.locator or row.get("locator", ""),
        kind=c.kind or row.get("kind", ""),
    )
