"""PEPit's examples beside `fedtheory best`, in one run: the worst case of each, processor seconds, what the user has to write.

    python beside_pepit.py                     # all of pepit/lines.toml
    python beside_pepit.py proximal            # those whose name has this in it
    python beside_pepit.py --claims proximal   # the same beside `fedtheory verify`, with the claims of pepit/beside.toml

PEPit solves a semidefinite program in floats at the parameters that it is given; `best` finds a formula or a number, proves it
for all parameters that its line allows, and is evaluated at PEPit's. Lines: PEPit's function without docstring, comments and
blank lines; here the relation, the class and each condition.

A claim has its bound already: it is read off the claim, in exact arithmetic, and the claim is decided. Lines of a claim: its
body, its world and all of its file that these name, without docstrings, comments, blank lines and imports.
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

from fedtheory import le, verify
from fedtheory.cli import main
from fedtheory.drafts import load, package_of
from fedtheory.engines.prove.listed import abstract_shapes
from fedtheory.gram.forms import CONSTANT, SIZES, Space, gaps, with_room
from fedtheory.latex.line import conditions

FOLDER = Path(__file__).parent / "pepit"
LINES = FOLDER / "lines.toml"
CLAIMS = FOLDER / "beside.toml"


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
    given = {k: argument(v) for k, v in row["arguments"].items()}
    return getattr(importlib.import_module(f"PEPit.examples.{module}"), name), given


def argument(v):
    """An argument as PEPit takes it: quotients are texts."""
    if isinstance(v, list):
        return [argument(one) for one in v]
    return None if v == "none" else float(Fraction(v)) if isinstance(v, str) else v


def theirs(row):
    """PEPit's value, the one that it calls theoretical, and its processor seconds."""
    function, arguments = example_of(row)
    before = time.process_time()
    tau, theoretical = function(**arguments, verbose=-1)
    return tau, theoretical, time.process_time() - before


def statements(function):
    """How many lines a function has without its docstring, comments and blank lines."""
    return lines(*ast.parse(inspect.getsource(function)).body)


def lines(statement):
    """The same of a statement."""
    for node in ast.walk(statement):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
            del node.body[0]
    return sum(bool(line) for line in ast.unparse(statement).splitlines())


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


# claims


def examples():
    """The examples that are claims."""
    return tomllib.loads(CLAIMS.read_text(encoding="utf-8"))["example"]


def claims():
    """The claims of the folder, by the name of the example."""
    return {id.removeprefix("pepit/"): claim for id, claim in load([str(FOLDER)]).items()}


def starts(row):
    """The names of what PEPit sets to one."""
    start = row.get("start", "distance")
    return [start] if isinstance(start, str) else start


def form(quantity):
    """An inner product, a value or a number as an affine form."""
    (gap,) = gaps(le(0, quantity))
    return gap.rhs


def bound(claim, row):
    """The claim's bound of what PEPit measures where what PEPit sets to one is one: exact, read off the claim on abstract vectors.

    Raises
    ------
    ValueError
        If there is more in it than what PEPit sets to one, and a number.
    """
    named, times = vars(sys.modules[f"{package_of(claim)}.starts"]), Fraction(row.get("times", 1))

    def at(size):
        shape, scalars = abstract_shapes(claim.world, 2)[-1], {name: Fraction(v) for name, v in row["at"].items()}
        x = claim.world.abstract(scalars, shape, Space(size))
        (gap,) = (gap for relation in claim.relations(x) for gap in gaps(relation))
        measured = (
            -gap if "difference" in row else form(named[row["measure"]](x)) if "measure" in row else times * gap.lhs
        )
        rest, total = measured + times * gap, Fraction(0)
        for name in () if "difference" in row else starts(row):
            one = gap.rhs if name == "right side" else form(named[name](x))
            key = next(iter(one.clean()))
            share = rest.clean().get(key, 0) / one.clean()[key]
            rest, total = rest - share * one, total + share
        if set(rest.clean()) - {CONSTANT}:
            raise ValueError(f"{row['example']}: the bound is no multiple of {starts(row)}")
        return total + rest.clean().get(CONSTANT, 0)

    return with_room(at, SIZES)


def decided(claim):
    """The verdict and processor seconds."""
    before = time.process_time()
    return verify(claim).verdict, time.process_time() - before


def said(example):
    """The statements of a claim: its own, its world and all of its file that these name."""
    trees = (ast.parse(file.read_text(encoding="utf-8")) for file in sorted(FOLDER.glob("*.py")))
    tree, own = next((tree, s) for tree in trees for s in tree.body if makes(s, example))
    named = {name: s for s in tree.body for name in given(s)}
    out = [own]
    for s in out:
        used = {n.id for n in ast.walk(s) if isinstance(n, ast.Name)}
        out += [one for one in dict.fromkeys(named[name] for name in sorted(used & set(named))) if one not in out]
    return out


def makes(statement, example):
    """Whether it makes the claims of an example: pair("its name", ...)."""
    calls = (n for n in ast.walk(statement) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name))
    return any(n.func.id == "pair" and getattr(n.args[0], "value", "") == example for n in calls)


def given(statement):
    """The names that a statement of a file gives."""
    if isinstance(statement, ast.FunctionDef):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)]


def table_of_claims(chosen):
    """The lines of the table, one as soon as it is known."""
    known = claims()
    for row in chosen[:1]:  # so that what is imported on the way is in nobody's seconds
        verify(known[f"{row['example']}-99"]), theirs(row)
    yield "| example | at | PEPit | claim | apart | s | PEPit's s | lines | PEPit's lines |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for row in chosen:
        name, claim = row["example"], known[row["example"]]
        ours, (_, seconds), (tau, _, pepit_seconds) = float(bound(claim, row)), decided(claim), theirs(row)
        cells = (
            f"`{name}`", arguments(row), f"{tau:.6f}", f"{ours:.6f}", f"{abs(ours - tau) / (abs(ours) or 1):.1e}",
            f"{seconds:.2f}", f"{pepit_seconds:.2f}", sum(map(lines, said(name))), statements(example_of(row)[0]),
        )  # fmt: skip
        yield "| " + " | ".join(map(str, cells)) + " |"


def arguments(row):
    """PEPit's arguments as they are printed."""
    shown = {k: ", ".join(v) if isinstance(v, list) else v for k, v in row["arguments"].items()}
    return ", ".join(f"{k} = {v}" for k, v in shown.items())


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--claims"]
    part = words[0] if words else ""
    of_all, print_one = (examples(), table_of_claims) if "--claims" in sys.argv else (rows(), table)
    for line in print_one([row for row in of_all if part in row["example"]]):
        print(line, flush=True)
