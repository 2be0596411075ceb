"""The parts of a line, and each as plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class Node:
    """A part of a line."""

    def parts(self) -> Iterator[Node]:
        """The parts below."""
        for f in fields(self):
            value = getattr(self, f.name)
            for one in value if isinstance(value, tuple) else (value,):
                if isinstance(one, Node):
                    yield one
                elif isinstance(one, tuple):
                    yield from (n for n in one if isinstance(n, Node))

    def walk(self) -> Iterator[Node]:
        """The part and all below."""
        yield self
        for one in self.parts():
            yield from one.walk()

    def map(self, fn: Callable[[Node], Node]) -> Node:
        """The same with `fn` applied to the parts below."""

        def of(value: object) -> Any:
            if isinstance(value, Node):
                return fn(value)
            return tuple(of(one) for one in value) if isinstance(value, tuple) else value

        return replace(self, **{f.name: of(getattr(self, f.name)) for f in fields(self)})


@dataclass(frozen=True)
class Number(Node):
    value: Fraction


@dataclass(frozen=True)
class Name(Node):
    """A letter with its index, its star and its primes: w_i, f^*, D_{t+1}."""

    base: str
    sub: str = ""
    mark: str = ""  # *, ', (t), and [w] of a map at w
    at: int = 0
    bold: bool = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Name) and (self.base, self.sub, self.mark) == (other.base, other.sub, other.mark)

    def __hash__(self) -> int:
        return hash((self.base, self.sub, self.mark))


@dataclass(frozen=True)
class Parens(Node):
    inside: Node
    braces: bool = False  # {w}, which groups and is not seen


@dataclass(frozen=True)
class Sum(Node):
    """Terms with their signs."""

    terms: tuple[tuple[int, Node], ...]


@dataclass(frozen=True)
class Product(Node):
    """Factors as they stand, each with what joins it to those before: ``beside``, ``times`` or ``over``."""

    items: tuple[tuple[str, Node], ...]


@dataclass(frozen=True)
class Times(Node):
    factors: tuple[Node, ...]


@dataclass(frozen=True)
class Over(Node):
    above: Node
    below: Node


@dataclass(frozen=True)
class Power(Node):
    base: Node
    exponent: Node


@dataclass(frozen=True)
class Transposed(Node):
    of: Node


@dataclass(frozen=True)
class Norm(Node):
    of: Node
    at: int = 0


@dataclass(frozen=True)
class Absolute(Node):
    of: Node
    at: int = 0


@dataclass(frozen=True)
class Inner(Node):
    left: Node
    right: Node


@dataclass(frozen=True)
class Call(Node):
    """sqrt, exp, log, min or max."""

    name: str
    arguments: tuple[Node, ...]
    bare: bool = False  # \log x, without brackets


@dataclass(frozen=True)
class Gradient(Node):
    of: Name


@dataclass(frozen=True)
class Prox(Node):
    sub: Node
    at: int = 0


@dataclass(frozen=True)
class Applied(Node):
    """A function, its gradient or a prox at a point."""

    function: Node
    point: Node


@dataclass(frozen=True)
class Least(Node):
    """inf f, min f, and over what it was written, min_w f(w)."""

    of: Name
    over: str = ""


@dataclass(frozen=True)
class Bounds(Node):
    index: str
    low: Node | None = None
    high: Node | None = None
    members: str = ""  # of a drawn set


@dataclass(frozen=True)
class Total(Node):
    """A sum, or a product over an index of time."""

    bounds: Bounds
    of: Node
    at: int = 0
    product: bool = False


@dataclass(frozen=True)
class Expectation(Node):
    of: Node
    at: int = 0
    over: str = ""  # the letter below it


@dataclass(frozen=True)
class Chain(Node):
    """Sides with the relations between them, ``<=``, ``<`` or ``=`` after those of ``>=`` are turned."""

    sides: tuple[Node, ...]
    relations: tuple[str, ...]


@dataclass(frozen=True)
class Member(Node):
    """A name in an interval; without one, a whole number of at least 1."""

    name: Name
    low: Node | None
    high: Node | None
    fences: str


OUTCOME = "outcome"  # the index of what is random
LEVELS = {Chain: 0, Sum: 1, Product: 2, Times: 2, Over: 2, Total: 2, Expectation: 2, Power: 4, Transposed: 4}


def factors_of(side: Node) -> tuple[Node, ...]:
    """The factors of a product, or the one that it is."""
    return side.factors if isinstance(side, Times) else (side,)


def one_more(of: Node) -> Node:
    """One more: T for T - 1."""
    one = Number(Fraction(1))
    if isinstance(of, Sum) and of.terms[-1] == (-1, one):
        return of.terms[0][1] if len(of.terms) == 2 and of.terms[0][0] > 0 else Sum(of.terms[:-1])
    return Sum(((1, of), (1, one)))


def plain(of: object, level: int = 0) -> str:
    """A part of a line as plain text, which is read back as the same."""
    text = _plain(of)
    binds = 2 if isinstance(of, Number) and of.value.denominator != 1 else LEVELS.get(type(of), 9)
    return f"({text})" if binds < level else text


def _script(of: Node) -> str:
    text = plain(of)
    return text if text.isalnum() else f"{{{text}}}"


def _plain(of: object) -> str:
    match of:
        case Number(value):
            return str(value)
        case Name(base, sub, mark):
            sub = ",".join(s for s in sub.split(",") if s != OUTCOME)
            index = f"_{sub}" if sub.isalnum() else f"_{{{sub}}}" if sub else ""
            mark, _, point = mark.partition("[")
            at = f"({point[:-1]})" if point else ""
            return f"{base}{index}{'^' if mark and mark != chr(39) else ''}{mark}{at}"
        case Parens(inside):
            return f"({plain(inside)})"
        case Sum(terms):
            out = ""
            for sign, term in terms:
                joint = (" - " if out else "-") if sign < 0 else (" + " if out else "")
                out += joint + plain(term, 2)
            return out
        case Product(items):
            joints = {"beside": " ", "times": "*", "over": "/"}
            return "".join((joints[how] if k else "") + plain(one, 3) for k, (how, one) in enumerate(items))
        case Times(factors):
            shown = [
                plain(one, 3 if isinstance(one, (Over, Total, Expectation)) and one is not factors[-1] else 2)
                for one in factors
            ]
            return shown[0] + "".join(f"*{one}" if one[0].isdigit() else f" {one}" for one in shown[1:])
        case Over(above, below):
            return f"{plain(above, 3)}/{plain(below, 3)}"
        case Power(base, exponent):
            return f"{plain(base, 5)}^{_script(exponent)}"
        case Transposed(inside):
            return f"{plain(inside, 5)}^T"
        case Norm(inside):
            return f"|{plain(inside)}|"
        case Absolute(inside):
            text = plain(inside)
            return f"| {text} |" if "|" in (text[0], text[-1]) else f"|{text}|"
        case Inner(left, right):
            return f"<{plain(left)}, {plain(right)}>"
        case Call(name, arguments):
            short = {"minimum": "min", "maximum": "max"}.get(name, name)
            return f"{short}({', '.join(plain(one) for one in arguments)})"
        case Gradient(inside):
            return f"grad {plain(inside)}"
        case Prox(sub):
            return f"prox_{{{plain(sub)}}}"
        case Applied(function, point):
            return f"{plain(function)}({plain(point)})"
        case Least(inside):
            return f"inf {plain(inside)}"
        case Total(bounds, inside, _, product):
            low = (
                f" = {plain(bounds.low)}"
                if bounds.low is not None
                else f" in {bounds.members}"
                if bounds.members
                else ""
            )
            high = f"^{_script(bounds.high)}" if bounds.high is not None else ""
            return f"{'prod' if product else 'sum'}_{{{bounds.index}{low}}}{high} {plain(inside, 3 if product else 2)}"
        case Expectation(inside):
            return f"E[{plain(inside)}]"
        case Chain(sides, relations):
            return plain(sides[0]) + "".join(f" {r} {plain(s)}" for r, s in zip(relations, sides[1:], strict=True))
        case Member(name, low, high, fences):
            if not fences:
                return f"{plain(name)} in naturals"
            return f"{plain(name)} in {fences[0]}{plain(low)}, {plain(high)}{fences[1]}"
    return str(of)
