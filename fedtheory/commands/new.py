"""fedtheory new: a claim, a class of functions, a paper, a method or a table to start from, which passes as it is written."""

from __future__ import annotations

import argparse
import keyword
import re
from importlib.resources import files as resources
from importlib.util import find_spec
from pathlib import Path
from string import Template

from .. import files, registry
from ..errors import UsageError, did_you_mean
from . import check

WORD = re.compile(r"[a-z][a-z0-9_]*")
LAYOUT = {  # the files of each kind by their template
    "claim": {"claim.txt": "{name}.py"},
    "class": {"class.txt": "{name}.py"},
    "paper": {
        "paper/pyproject.toml.txt": "{name}/pyproject.toml",
        "paper/workflow.yml.txt": "{name}/.github/workflows/fedtheory.yml",
        "paper/pre-commit.yaml.txt": "{name}/.pre-commit-config.yaml",
        **{f"paper/{file}.txt": f"{{name}}/{{name}}_paper/{file}" for file in (
            "__init__.py", "paper.toml", "inventory.toml", "symbols.py", "conditions.py", "catalogue.py", "lemma1.py",
        )},
    },
    "method": {
        "method/pyproject.toml.txt": "{name}/pyproject.toml",
        "method/method.py.txt": "{name}/{name}_method.py",
        "method/test.py.txt": "{name}/test_{name}.py",
    },
    "table": {"table.toml.txt": "{folder}/experiments/{name}.toml"},
}  # fmt: skip
NEXT = {
    "claim": ("fedtheory verify {name}.py", "pytest {name}.py"),
    "class": ("fedtheory verify {name}.py", "pytest {name}.py"),
    "paper": ("pip install ./{name}", "fedtheory verify --paper {name}"),
    "method": (
        "pip install ./{name}", "fedtheory run {name} --data breast-cancer --standardise --l2 0.01", "pytest {name}",
    ),
    "table": ("fedtheory table {paper}/{name} --quick",),
}  # fmt: skip


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("new")
    parser.add_argument(
        "kind",
        choices=tuple(LAYOUT),
        help="a file with a lemma or a class of functions, a package, or a table of a paper",
    )
    parser.add_argument(
        "name", metavar="NAME", help="of the file or package: small letters, digits and _; for a table PAPER/NAME"
    )
    parser.add_argument("--latex", default="", metavar="LINE", help="new claim: the claim that this line says")
    parser.add_argument(
        "--from", dest="of_source", default="", metavar="PAPER.tex",
        help="new paper: its inventory from its LaTeX source, and a claim for every formula that fedtheory check reads",
    )  # fmt: skip
    check.add_reading(parser)
    parser.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    paper, slash, name = o.name.rpartition("/") if o.kind == "table" else ("", "", o.name)
    name = name.removesuffix(".py" if o.kind in ("claim", "class") else ".toml" if o.kind == "table" else "")
    if o.kind == "table" and not (paper and slash):
        raise UsageError(f"new table NAME must be PAPER/NAME, such as lsgd/table1, got {o.name!r}")
    _check(o.kind, name)
    if o.of_source:
        return _from_source(o)
    if o.latex or o.where or o.of or o.envelope or o.vectors:
        if o.kind != "claim" or not o.latex:
            raise UsageError(
                f"new {o.kind} {o.name}: --where, --class and the like go with new claim NAME --latex LINE"
            )
        o.line, o.name = o.latex, name.replace("_", "-")
        return check.written(f"{name}.py", check.read_of(o))
    words = {"name": name, "id": name.replace("_", "-"), "title": name.replace("_", " ").capitalize(), "paper": paper}
    words["klass"] = "".join(word.capitalize() for word in name.split("_"))  # a template's class, and no name of Python
    at = {"name": name, "paper": paper, "folder": _folder_of(paper) if paper else ""}
    whole = {to.format(**at): Template(_template(of)).substitute(words) for of, to in LAYOUT[o.kind].items()}
    for path in (next(iter(whole)), name) if o.kind in ("paper", "method") else whole:
        if Path(path).exists():
            raise UsageError(f"new {o.kind} {o.name}: {path} is there already")
    for path, text in whole.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        files.write_text(path, text)
        print(f"wrote {path}")
    for command in NEXT[o.kind]:
        print(f"next: {command.format(**at)}")
    return 0


def _from_source(o: argparse.Namespace) -> int:
    """Write a paper's folder from its LaTeX source."""
    from .new_from import check_free, folder_of, said_of, write

    if o.kind != "paper" or o.latex:
        raise UsageError(f"new {o.kind} {o.name}: --from goes with new paper NAME")
    check_free([o.name])
    kept = ("pyproject.toml", "workflow.yml", "pre-commit.yaml", "__init__.py")
    templates = {LAYOUT["paper"][f"paper/{file}.txt"]: _template(f"paper/{file}.txt") for file in kept}
    whole, found = folder_of(o, templates)
    write(whole)
    for line in said_of(found):
        print(line)
    for command in (*NEXT["paper"], "fedtheory verify --coverage --paper {name}"):
        print(f"next: {command.format(name=o.name)}")
    return 0


def _folder_of(paper: str) -> str:
    """The folder of a paper: that which `new paper` has written here, else that of the installed one.

    Raises
    ------
    UsageError
        If there is neither.
    """
    here = Path(paper) / f"{paper}_paper"
    if here.is_dir():
        return str(here)
    known = registry.papers()
    if paper not in known:
        raise UsageError(
            f"new table PAPER/NAME: PAPER must be a folder that fedtheory new paper has written here, or one of "
            f"{', '.join(known)}, got {paper!r}{did_you_mean(paper, known)}"
        )
    found = find_spec(known[paper].package) if known[paper].package else None
    if found is None or not found.submodule_search_locations:
        raise UsageError(f"new table {paper}/...: the paper {paper} has no folder to write to")
    return str(next(iter(found.submodule_search_locations)))


def _check(kind: str, name: str) -> None:
    """Raise UsageError unless a module may be called so, and no installed paper or method is."""
    if not WORD.fullmatch(name) or keyword.iskeyword(name) or (kind == "paper" and "_" in name):
        rule = "small letters and digits" + ("" if kind == "paper" else " and _")
        raise UsageError(
            f"new {kind} NAME must be of {rule}, begin with a letter, and be no word of Python, got {name!r}"
        )
    known = {"paper": registry.papers, "method": registry.methods}
    if kind in known and name in known[kind]():
        raise UsageError(f"new {kind} {name}: an installed {kind} is called so; choose another name")


def _template(file: str) -> str:
    return resources("fedtheory").joinpath("templates", *file.split("/")).read_text(encoding="utf-8")
