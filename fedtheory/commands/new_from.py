"""fedtheory new paper NAME --from paper.tex: a paper's folder from its LaTeX source."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from string import Template

from .. import files
from ..errors import UsageError
from ..latex.source.stubs import Given, Inventory, inventory
from .check import taken_names

SHOWN = 5  # reasons that are printed


def folder_of(o: argparse.Namespace, template: dict[str, str]) -> tuple[dict[str, str], Inventory]:
    """The files of the package by path, and what they were made from; nothing is written.

    Parameters
    ----------
    o : Namespace
        The options, with ``of_source``, the main file.
    template : dict
        Templates of the files that are the same for every paper, by their paths.

    Raises
    ------
    UsageError
        If the source is not there or is not understood, with file and line.
    """
    path = Path(o.of_source)
    if not path.is_file():
        raise UsageError(f"--from {path}: no such file")
    vectors = [v.strip().lstrip("\\") for v in o.vectors.split(",") if v.strip()]
    found = inventory(path, o.name, Given(o.where, o.of, o.envelope, vectors), taken_names())
    title = found.title or o.name.capitalize()
    words = {"name": o.name, "title": title.replace("\\", "\\\\").replace('"', "'")}
    folder = f"{o.name}/{o.name}_paper"
    paper = {"id": o.name, "title": title, "authors": found.authors or "A. Nobody", "reference": path.name}
    whole = {path.format(name=o.name): Template(text).substitute(words) for path, text in template.items()}
    whole[f"{folder}/paper.toml"] = "".join(f"{k} = {json.dumps(v, ensure_ascii=False)}\n" for k, v in paper.items())
    return whole | {f"{folder}/{name}": text for name, text in found.files.items()}, found


def said_of(found: Inventory) -> list[str]:
    """What was found, in lines."""
    formulas = sum(bool(row.said) for row in found.rows)
    lines = sum(row.kind == "algorithm" for row in found.rows)
    statements = len(found.rows) - formulas - lines
    out = [
        f"{len(found.rows)} rows: {statements} statements, {formulas} formulas, {lines} lines of algorithms",
        f"{len(found.read)} formulas are read as claims; {formulas - len(found.read)} are not, and their rows say why",
    ]
    reasons = Counter(why.split(":")[-1].strip() for why in found.why.values())
    out += [f"    {n} times: {why}" for why, n in reasons.most_common(SHOWN)]
    if found.undeclared:
        out.append(f"no \\newtheorem declares {', '.join(found.undeclared)}: numbered by themselves")
    return out


def check_free(paths: list[str]) -> None:
    """Raise UsageError where one of them is there already."""
    for path in paths:
        if Path(path).exists():
            raise UsageError(f"new paper --from: {path} is there already")


def write(whole: dict[str, str]) -> None:
    """Write the files."""
    for path, text in whole.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        files.write_text(path, text)
        print(f"wrote {path}")
