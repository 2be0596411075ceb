"""fedtheory best: the smallest constant with which a bound holds, and an instance that comes near below it."""

from __future__ import annotations

import argparse
import dataclasses
import os
import tempfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from ..claim import Claim
from ..drafts import load
from ..engines.budget import budget_named
from ..errors import UsageError
from ..latex.behind import apart
from ..latex.line import conditions
from ..latex.nodes import Name
from ..latex.smallest import Best, Constant, number, smallest, varies
from ..latex.tree import parse
from ..referee.decide import verify
from ..referee.ledger import entry
from ..relation import Relation
from ..show import tables
from ..show.verdicts import witness_line
from . import check
from .known import Known
from .terminal import consoles

if TYPE_CHECKING:
    from ..instance import Instance
    from ..quantity import Quantity

SQUARED = "their squares are compared"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("best")
    parser.add_argument(
        "line", metavar="LINE|ID", help="a relation with an unknown constant c, in LaTeX or as plain text; or a claim"
    )
    parser.add_argument(
        "files", nargs="*", default=[], metavar="FILE.py", help="where the claim stands, for one of a draft"
    )
    check.add_reading(parser)
    parser.add_argument("--constant", default="c", metavar="LETTER", help="the unknown constant of a LINE (default: c)")
    parser.add_argument("--write", metavar="FILE.py", help="write the claim with the constant in Python")
    parser.add_argument(
        "--proof", action="store_true", help="and the certificate at the constant as mathematics, with its multipliers"
    )
    parser.add_argument("--budget", help="quick, standard or deep (default: quick)")
    parser.add_argument("--seed", type=int, help="seed of the search (default: 0)")
    parser.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command; 1 where no constant was found."""
    o.budget, o.seed = o.budget or "quick", o.seed or 0
    budget_named(o.budget, "--budget")
    if o.seed < 0:
        raise UsageError(f"--seed must be at least 0, got {o.seed}")
    if o.files or is_claim(o.line):
        return _of_claim(o)
    return _of_line(o)


def is_claim(word: str) -> bool:
    """Whether a word is the id of a claim and no line."""
    head, slash, rest = word.partition("/")
    return bool(slash and head.isidentifier() and rest and not set(rest) & set("<>=\\ ^{}"))


def _of_claim(o: argparse.Namespace) -> int:
    if o.where or o.of or o.envelope or o.vectors or o.write:
        raise UsageError(f"best {o.line}: --where, --class, --write and the like are for a LINE, not for a claim")
    claim = Known(o.files).claim(o.line)
    found = smallest(no_equation(claim), budget=o.budget, seed=o.seed)
    shown = claim.latex or claim.id
    print(f"{claim.id}: c times the right side of {shown}")
    status = said(found, "c", largest=False)
    _print_proof(o, found)
    return status


def no_equation(claim: Claim) -> Claim:
    """The claim with a body that is looked at, whether it is an equation.

    Raises
    ------
    UsageError
        If it is.
    """

    def body(x: Instance, *time: object) -> tuple[Relation, ...]:
        relations = claim.relations(x)
        if any(r.op == "==" for r in relations):
            raise UsageError(f"best {claim.id}: it is an equation, which has no constant to be made smaller")
        return relations

    return dataclasses.replace(claim, body=body)


def _of_line(o: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as folder:
        line = Line(o, folder)
        base, largest = line.base()
        found = smallest(base, budget=o.budget, seed=o.seed)
        status = said(found, o.constant, largest)
        _print_proof(o, found)
        if found.constant is None:
            return status
        where = line.where(found.constant, largest)
    done = argparse.Namespace(**{**vars(o), "where": where, "name": "line"})
    if o.write:
        return max(status, check.written(o.write, check.read_of(done)))
    return max(status, check.main(done))


class Line:
    """A line with an unknown constant: its claims at numbers.

    Parameters
    ----------
    o : Namespace
        The options of the command.
    folder : str
        Where the claims are written to be loaded.
    """

    def __init__(self, o: argparse.Namespace, folder: str) -> None:
        self.o, self.folder = o, Path(folder)
        self.squared = False

    def where(self, c: Constant, inverse: bool) -> list[str]:
        """The conditions, with what the constant is."""
        return [*self.o.where, f"{self.o.constant} = {c.inverse if inverse else c.text}", f"{self.o.constant} > 0"]

    def at(self, c: Constant) -> Claim:
        """The claim at a constant.

        Raises
        ------
        UsageError
            If the line is not understood, or has more than one reading.
        """
        read = check.read_of(argparse.Namespace(**{**vars(self.o), "where": self.where(c, False), "name": "line"}))
        if len(read.ids) > 1:
            raise UsageError(f"the line has {len(read.ids)} readings; brackets choose: {'; '.join(read.readings)}")
        if self.o.constant not in letters_of(self.o.line):
            raise UsageError(f"--constant {self.o.constant}: no such letter stands in the line")
        self.squared = SQUARED in read.python
        path = self.folder / f"at{len(list(self.folder.iterdir()))}.py"
        path.write_text(read.python, encoding="utf-8")
        (claim,) = load([os.fspath(path)]).values()
        return claim

    def base(self) -> tuple[Claim, bool]:
        """The line as ``A <= c B``, and whether it asks for the largest constant, when it is ``A <= B/c``.

        Raises
        ------
        UsageError
            If the constant does not enter as a factor.
        """
        one, two, three = (no_equation(claim) for claim in (self.at(number(Fraction(n))) for n in (1, 2, 3)))

        def parts(x: Instance) -> tuple[Quantity, Quantity, Quantity]:
            g1, g2, g3 = (_gap(c, x) for c in (one, two, three))
            slope = g2 - g1
            return slope - g1, slope, g1 + 2 * slope - g3

        def claim(name: str, relation: Callable[..., Relation]) -> Claim:
            return dataclasses.replace(one, id=f"draft/{name}", body=lambda x: (relation(*parts(x)),), control=None)

        if verify(claim("linear", lambda a, b, odd: Relation(odd, "==", 0 * odd))).verdict == "refuted":
            raise UsageError(
                "best: square both sides; a constant beside norms alone is one of their squares, c^2"
                if self.squared
                else f"best: {self.o.constant} does not stand in the line as a factor alone, as in A <= {self.o.constant} B"
            )
        if verify(claim("sign", lambda a, b, odd: Relation(0 * b, "<=", b))).verdict != "refuted":
            return claim("base", lambda a, b, odd: Relation(a, "<=", b)), False
        if verify(claim("sign", lambda a, b, odd: Relation(0 * b, "<=", -b))).verdict != "refuted":
            return claim("base", lambda a, b, odd: Relation(-b, "<=", -a)), True
        raise UsageError(
            f"best: what {self.o.constant} is a factor of has no sign, so that neither a small nor a large one is best"
        )


def letters_of(line: str) -> set[str]:
    """The letters of the names of a line."""
    return {n.base for n in parse(apart(line, conditions)[0]).walk() if isinstance(n, Name)}


def _gap(claim: Claim, x: Instance) -> Quantity:
    r, *more = claim.relations(x)
    if more:
        raise UsageError("best: a chain has no one constant; take one of its relations")
    return r.rhs - r.lhs


def _print_proof(o: argparse.Namespace, found: Best) -> None:
    """The certificate at the constant, where it is asked for."""
    if o.proof and found.verdict is not None:
        tables.proof(entry(found.verdict), consoles()[0])


def _print_seen(found: Best, name: str, largest: bool) -> None:
    """What the search and the semidefinite program say of the constant."""
    for scalars, value in found.seen:
        at = ", ".join(f"{k} = {v}" for k, v in scalars.items())
        print(
            f"    the semidefinite program says {name} = {1 / value if largest else value:.6g}"
            + (f" at {at}" if at else "")
        )
    if found.low and not found.seen:
        low = float(1 / found.low if largest else found.low)
        print(f"    an instance asks for {name} {'<=' if largest else '>='} {low:.6g}")


def said(found: Best, name: str, largest: bool) -> int:
    """Print what was found; 1 where nothing was."""
    which = "largest" if largest else "smallest"
    c = found.constant
    if c is None:
        print(f"no closed form and no number {name} was proved to be one with which it holds")
        _print_seen(found, name, largest)
        if not found.seen and found.failed is not None and found.failed.witness:
            print(f"    the last that was tried fails: {witness_line(found.failed.witness)}")
        return 1
    assert found.verdict is not None
    text = c.inverse if largest else c.text
    trust = f", {found.verdict.trust}" if found.verdict.trust else ""
    holds = f"{name} = {text} holds ({found.verdict.verdict}{trust})"
    if found.witness is None or found.share is None:
        print(f"{holds}; whether a {'larger' if largest else 'smaller'} one does is not known")
        _print_seen(found, name, largest)
        return 0
    times = 1 / found.share if largest else found.share
    at = ", ".join(f"{k} = {v}" for k, v in found.witness["scalars"].items())
    formula = not text.replace("/", "").replace("sqrt", "").strip("()").isdigit()
    if not found.attained:
        print(f"{holds}, and {times} of it does not")
        if formula:
            print(f"    the semidefinite program has it at {len(found.seen)} parameters, to 6 digits")
    elif formula:
        print(f"{holds}; both sides are equal at an instance with {at}, where it is the {which}")
        print(f"    the semidefinite program has it at {len(found.seen)} other parameters, to 6 digits")
    else:
        print(f"{holds}; both sides are equal at an instance, so that it is the {which}")
    if not formula and varies(found.seen):
        print(f"    as one number for all parameters; a formula in them is {'larger' if largest else 'smaller'}:")
        _print_seen(found, name, largest)
    print(f"    with {times} of it {witness_line(found.witness)}")
    return 0
