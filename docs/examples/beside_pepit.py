"""PEPit's examples beside `fedtheory best`, in one run: the worst case of each, processor seconds, what the user has to write.

    python beside_pepit.py            # all of pepit/lines.toml
    python beside_pepit.py proximal   # those whose name has this in it

PEPit solves a semidefinite program in floats at the parameters that it is given; `best` finds a formula or a number, proves it
for all parameters that its line allows, and is evaluated at PEPit's. Lines: PEPit's function without docstring, comments and
blank lines; here the relation, the class and each condition.
"""

import ast
import contextlib
import importlib
import inspect
import io
import re
import sys
import time
import tomllib
from fractions import Fraction
from pathlib import Path

import sympy

from fedtheory.cli import main
from fedtheory.latex.line import conditions

LINES = Path(__file__).parent / "pepit" / "lines.toml"


def rows():
    """The examples with their lines."""
    return tomllib.loads(LINES.read_text(encoding="utf-8"))["line"]


def found(row):
    """What `best` says of a line: status, output and processor seconds."""
    out, before = io.StringIO(), time.process_time()
    with contextlib.redirect_stdout(out):
        status = main(["best", row["line"], "--class", row["class"], "--where", row["where"]])
    return status, out.getvalue(), time.process_time() - before


def value(constant, at):
    """A constant as it is printed, at parameters."""
    names = {name: sympy.Symbol(name) for name in re.findall(r"[A-Za-z]+", constant)}
    given = {names[name]: sympy.Rational(str(v)) for name, v in at.items() if name in names}
    return Fraction(str(sympy.sympify(constant.replace("^", "**"), names).subs(given)))


def example_of(row):
    """PEPit's function and its arguments."""
    module, _, name = row["pepit"].partition(":")
    arguments = {
        k: [float(Fraction(one)) for one in v] if isinstance(v, list) else v if k == "n" else float(Fraction(v))
        for k, v in row["arguments"].items()
    }
    return getattr(importlib.import_module(f"PEPit.examples.{module}"), name), arguments


def theirs(row):
    """PEPit's value, the one that it calls theoretical, and its processor seconds."""
    function, arguments = example_of(row)
    before = time.process_time()
    tau, theoretical = function(**arguments, verbose=-1)
    return tau, theoretical, time.process_time() - before


def statements(function):
    """How many lines a function has without its docstring, comments and blank lines."""
    (tree,) = ast.parse(inspect.getsource(function)).body
    text = ast.unparse(ast.FunctionDef(tree.name, tree.args, tree.body[1:], [], lineno=1))
    return len(text.splitlines())


def written(row):
    """The relation, the class and the conditions."""
    return 2 + len(conditions(row["where"]))


def table(chosen):
    """The lines of the table, one as soon as it is known."""
    yield "| example | c | there | PEPit | s | PEPit's s | lines | PEPit's lines |"
    yield "|---|---|---|---|---|---|---|---|"
    for row in chosen:
        _, out, seconds = found(row)
        constant = re.match(r"c = (.*?) holds", out)[1]
        ours = value(constant, row.get("at", {})) * Fraction(row.get("times", 1))
        tau, _, pepit_seconds = theirs(row)
        cells = (
            f"`{row['example']}`", f"`{constant}`", f"{float(ours):.6f}", f"{tau:.6f}", f"{seconds:.1f}",
            f"{pepit_seconds:.1f}", written(row), statements(example_of(row)[0]),
        )  # fmt: skip
        yield "| " + " | ".join(map(str, cells)) + " |"


if __name__ == "__main__":
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    for line in table([row for row in rows() if part in row["example"]]):
        print(line, flush=True)
