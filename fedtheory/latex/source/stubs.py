"""A paper's folder from its source: the inventory, and a claim for every formula that `fedtheory check` reads."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import UsageError
from ..line import Read, conditions, file_of, read_line
from ..nodes import Chain, Name, Node, Power, Product
from ..tree import parse
from .document import read_document
from .rows import Row, Rows

TAKEN = ("symbols", "conditions", "catalogue", "curves", "measured", "rates")  # modules of a paper that are no claims


@dataclass(frozen=True)
class Given:
    """What is said of all lines of a paper: conditions, the class of its functions, its envelopes and its vectors."""

    where: Sequence[str] = ()
    functions: str = ""
    envelope: str = ""
    vectors: Sequence[str] = ()


@dataclass(frozen=True)
class Inventory:
    """What is written of a paper.

    Attributes
    ----------
    title, authors : str
        As its source says; empty where it does not.
    rows : list of Row
    read : dict
        What was read, by the id of the row.
    why : dict
        Why a formula was not read, by the id of the row.
    files : dict
        Text by the name of the file.
    undeclared : list of str
        Kinds of statements that no newtheorem of the source declares.
    """

    title: str
    authors: str
    rows: list[Row]
    read: dict[str, Read]
    why: dict[str, str]
    files: dict[str, str]
    undeclared: list[str]


def inventory(path: Path, paper: str, given: Given, taken: Collection[str]) -> Inventory:
    """A paper from its source.

    Parameters
    ----------
    path : Path
        The main file.
    paper : str
        The part of the ids before the slash.
    given : Given
        What holds of all of its lines.
    taken : collection of str
        Names that belong to every instance.

    Raises
    ------
    Unfit
        Where the source is not understood, with file and line.
    UsageError
        If a file cannot be read, or the source states nothing.
    """
    document = read_document(path)
    rows = Rows(paper).of(document)
    if not rows:
        raise UsageError(f"{path}: no statement, display or line of an algorithm stands in it")
    read: dict[str, Read] = {}
    why: dict[str, str] = {}
    for row in (row for row in rows if row.said):
        try:
            read[row.id] = _read(row, given, taken)
        except UsageError as error:
            why[row.id] = str(error).split("\n")[0]
    files = {"inventory.toml": _toml(rows, path.name, why)} | _claims(rows, read)
    return Inventory(document.title, document.authors, rows, read, why, files, document.undeclared)


def _read(row: Row, given: Given, taken: Collection[str]) -> Read:
    """A formula as a claim: by itself, or about functions of the class that is given.

    Raises
    ------
    UsageError
        If it is not understood, has more than one reading, or may say what a name stands for.
    """
    tree = parse(row.said)
    if isinstance(tree, Chain) and tree.relations == ("=",) and _named(tree.sides[0]):
        raise UsageError("it may say what its left side is")
    names = _names(row.said)
    where: list[str] = []
    candidates = [c for text in (*row.conditions, *given.where) for c in conditions(text)]
    while new := [c for c in candidates if c not in where and _names(c) & names]:
        where += new
        names = names.union(*(_names(c) for c in new))
    options = {
        "where": where,
        "envelope": given.envelope if "F" in names else "",
        "vectors": [v for v in given.vectors if v in names],
        "id": row.id,
        "taken": taken,
    }
    try:
        found = read_line(row.said, **options)  # type: ignore[arg-type]
    except UsageError:
        if not given.functions:
            raise
        found = read_line(row.said, functions=given.functions, **options)  # type: ignore[arg-type]
    if len(found.ids) > 1:
        raise UsageError(f"it has {len(found.ids)} readings, which fedtheory check shows")
    exec(compile(found.python, row.id, "exec"), {"__name__": "stub"})  # what does not load is no claim
    return found


def _named(side: Node) -> bool:
    """Whether a side is a name alone, or an element of a sequence with its index above."""
    if isinstance(side, Product) and len(side.items) == 1:
        return _named(side.items[0][1])
    return isinstance(side, Name) or (isinstance(side, Power) and _named(side.base))


def _names(text: str) -> set[str]:
    """The letters of the names of a line; none where it is not read."""
    try:
        return {n.base for n in parse(text).walk() if isinstance(n, Name)}
    except UsageError:
        return set()


def _toml(rows: Sequence[Row], source: str, why: dict[str, str]) -> str:
    out = [
        f"# {source}: every statement, display and line of an algorithm; a claim takes its formula from the row of its id."
    ]
    for row in rows:
        unread = f"; not read as a claim: {why[row.id]}" if row.id in why else ""
        said = {"id": row.id, "kind": row.kind, "locator": row.locator, "formula": row.formula}
        if row.conditions:
            said["conditions"] = ", ".join(f"${c}$" for c in row.conditions)
        place = "".join(c if c.isprintable() else " " for c in f"{row.at}{unread}")
        lines = [f"{name} = {_quoted(text)}" for name, text in said.items()]
        out.append("\n".join([f"\n# {place}", "[[row]]", *lines]))
    return "\n".join(out) + "\n"


def _quoted(text: str) -> str:
    """A text in TOML, as it stands where it can."""
    plain = "'" not in text and text.isprintable()
    return f"'{text}'" if plain else json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _claims(rows: Sequence[Row], read: dict[str, Read]) -> dict[str, str]:
    """The files of claims by name, one a statement or section."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if row.id in read:
            name = row.group if row.group[:1].isalpha() and row.group not in TAKEN else f"of_{row.group}"
            groups.setdefault(name, []).append(row)
    out = {}
    for name, own in groups.items():
        found = [read[row.id] for row in own]
        texts = [f"# {row.at}\n{text}" for row, one in zip(own, found, strict=True) for text in one.texts]
        title = (
            f"{own[0].locator.rsplit(', (', 1)[0]}: read from the source; look at each reading and at what it assumes."
        )
        out[f"{name}.py"] = file_of(
            title, texts, set().union(*(one.ours for one in found)), set().union(*(one.theirs for one in found))
        )
    return out
