"""The tree of a line, and how it is read off the grammar."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput, UnexpectedToken, v_args

from .tokens import Tokens, Unread


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

        def of(value: Any) -> Any:
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
    mark: str = ""  # *, ', (t)
    at: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Name) and (self.base, self.sub, self.mark) == (other.base, other.sub, other.mark)

    def __hash__(self) -> int:
        return hash((self.base, self.sub, self.mark))


@dataclass(frozen=True)
class Parens(Node):
    inside: Node


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
    """inf f, min f."""

    of: Name


@dataclass(frozen=True)
class Bounds(Node):
    index: str
    low: Node | None = None
    high: Node | None = None
    members: str = ""  # of a drawn set


@dataclass(frozen=True)
class Total(Node):
    bounds: Bounds
    of: Node
    at: int = 0


@dataclass(frozen=True)
class Expectation(Node):
    of: Node
    at: int = 0


@dataclass(frozen=True)
class Chain(Node):
    """Sides with the relations between them, ``<=``, ``<`` or ``=`` after those of ``>=`` are turned."""

    sides: tuple[Node, ...]
    relations: tuple[str, ...]


@dataclass(frozen=True)
class Member(Node):
    """A name in an interval."""

    name: Name
    low: Node
    high: Node
    fences: str


@dataclass(frozen=True)
class Script(Node):
    kind: str
    content: Any
    at: int = 0


class Star(str):
    """A star or a transposition as the content of a script."""


@v_args(inline=True)
class _Reader(Transformer[Token, Any]):
    """The tree of a line from that of the grammar."""

    def start(self, one: Node) -> Node:
        return one

    def chain(self, *parts: Any) -> Node:
        return Chain(parts[::2], tuple(str(r) for r in parts[1::2]))

    def membership(self, name: Node, sign: Token, left: Token, low: Node, _comma: Token, high: Node, right: Token) -> Node:
        if not isinstance(name, Name):
            raise _At(sign.start_pos or 0, "one name lies in an interval")
        return Member(name, low, high, f"{left}{right}")

    def negative(self, _sign: Token, of: Node) -> Node:
        return Sum(((-1, of),))

    def same(self, _sign: Token, of: Node) -> Node:
        return of

    def plus(self, left: Node, _sign: Token, right: Node) -> Node:
        return Sum((*_terms(left), (1, right)))

    def minus(self, left: Node, _sign: Token, right: Node) -> Node:
        return Sum((*_terms(left), (-1, right)))

    def product(self, first: Node, *rest: tuple[str, Node]) -> Node:
        return Product((("beside", first), *rest)) if rest else first

    def beside(self, factor: Node) -> tuple[str, Node]:
        return "beside", factor

    def times(self, _sign: Token, factor: Node) -> tuple[str, Node]:
        return "times", factor

    def over(self, _sign: Token, factor: Node) -> tuple[str, Node]:
        return "over", factor

    def number(self, token: Token) -> Node:
        return Number(Fraction(str(token)))

    def name(self, token: Token) -> Node:
        return Name(str(token), at=token.start_pos or 0)

    def parens(self, _open: Token, inside: Node, _close: Token) -> Node:
        return Parens(inside)

    def norm(self, sign: Token, of: Node, _close: Token) -> Node:
        return Norm(of, sign.start_pos or 0)

    def absolute(self, sign: Token, of: Node, _close: Token) -> Node:
        return Absolute(of, sign.start_pos or 0)

    def inner(self, _open: Token, left: Node, _comma: Token, right: Node, _close: Token) -> Node:
        return Inner(left, right)

    def fraction(self, _sign: Token, above: Node, below: Node) -> Node:
        return Over(_bare(above), _bare(below))

    def root(self, _sign: Token, of: Node) -> Node:
        return Call("sqrt", (_bare(of),))

    def exponential(self, _sign: Token, of: Node) -> Node:
        return Call("exp", (_bare(of),))

    def extreme(self, sign: Token, _open: Token, *rest: Any) -> Node:
        return Call("minimum" if sign == "min" else "maximum", tuple(one for one in rest if isinstance(one, Node)))

    def log(self, sign: Token, *rest: Any) -> Node:
        if len(rest) > 1:
            raise _At(sign.start_pos or 0, "a logarithm to a base is not read")
        return Call("log", (_bare(rest[-1]),), bare=not isinstance(rest[-1], Parens))

    def gradient(self, _sign: Token, of: Name) -> Node:
        return Gradient(of)

    def proximal(self, sign: Token, *scripts: Script) -> Node:
        if len(scripts) != 1 or scripts[0].kind != "sub" or not isinstance(scripts[0].content, Node):
            raise _At(sign.start_pos or 0, "a prox has the function below it, prox_{f/\\lambda}")
        return Prox(scripts[0].content, sign.start_pos or 0)

    def least(self, _sign: Token, *rest: Any) -> Node:
        return Least(rest[-1])

    def sup(self, sign: Token, content: Any) -> Script:
        return Script("sup", content, sign.start_pos or 0)

    def sub(self, sign: Token, content: Any) -> Script:
        return Script("sub", content, sign.start_pos or 0)

    def prime(self, sign: Token) -> Script:
        return Script("sup", Star("'"), sign.start_pos or 0)

    def star(self, _token: Token) -> Star:
        return Star("*")

    def transpose(self, _token: Token) -> Star:
        return Star("T")

    def content(self, *parts: Any) -> Any:
        return parts[1] if len(parts) == 3 else parts[0]

    def bound(self, name: Node, sign: Token, value: Node) -> Any:
        return ("bound", name, str(sign), value)

    def member(self, name: Token, _in: Token, of: Token) -> Any:
        return ("member", str(name), str(of))

    def scripted_name(self, token: Token, *scripts: Script) -> Node:
        read = _scripted(Name(str(token), at=token.start_pos or 0), scripts)
        if not isinstance(read, Name):
            raise _At(token.start_pos or 0, "a function or a parameter, without a power, stands here")
        return read

    def scripted(self, of: Node, *scripts: Script) -> Node:
        return _scripted(of, scripts)

    def total(self, sign: Token, *rest: Any) -> Node:
        return Total(_bounds(rest[:-1], sign.start_pos or 0), rest[-1], sign.start_pos or 0)

    def expectation(self, sign: Token, *rest: Any) -> Node:
        return Expectation(rest[-1], sign.start_pos or 0)


class _At(Exception):
    """What is wrong, and where."""

    def __init__(self, at: int, why: str) -> None:
        super().__init__(why)
        self.at, self.why = at, why


def _terms(of: Node) -> tuple[tuple[int, Node], ...]:
    return of.terms if isinstance(of, Sum) else ((1, of),)


def _bare(of: Node) -> Node:
    return of.inside if isinstance(of, Parens) else of


def _scripted(of: Node, scripts: tuple[Script, ...]) -> Node:
    """A name with its index and marks, or a power; the power goes outside."""
    power: Node | None = None
    transposed = False
    for script in scripts:
        content = script.content
        if isinstance(content, tuple):
            raise _At(script.at, "an index is a letter, a number or a letter with a number, t + 1")
        if script.kind == "sub":
            if not isinstance(of, Name) or of.sub or power is not None:
                raise _At(script.at, "an index stands on one letter, once")
            of = replace(of, sub=plain(content) if isinstance(content, Node) else str(content))
            if of.sub == "*":
                of = replace(of, sub="", mark=of.mark + "*")
        elif isinstance(content, Star) and content == "T":
            transposed = True
        elif isinstance(content, Star):
            if not isinstance(of, Name):
                raise _At(script.at, "a star or a prime stands on one letter")
            of = replace(of, mark=of.mark + content)
        elif isinstance(content, Parens) and isinstance(of, Name):
            of = replace(of, mark=f"({plain(content.inside)})")
        elif power is not None:
            raise _At(script.at, "two powers")
        else:
            power = content
    out = of if power is None else Power(of, power)
    return Transposed(out) if transposed else out


def _bounds(scripts: tuple[Script, ...], at: int) -> Bounds:
    """What a sum goes over: i, i = 1 to N, t = 0 to T - 1, i in S."""
    out: Bounds | None = None
    high: Node | None = None
    for script in scripts:
        content = script.content
        if script.kind == "sup":
            high = content
        elif isinstance(content, Name) and not content.sub:
            out = Bounds(content.base)
        elif isinstance(content, tuple) and content[0] == "member":
            out = Bounds(content[1], members=content[2])
        elif isinstance(content, tuple) and content[2] == "=" and isinstance(content[1], Name):
            out = Bounds(content[1].base, low=content[3])
    if out is None or (high is not None and not isinstance(high, Node)):
        raise _At(at, "a sum says over what: \\sum_i, \\sum_{i=1}^N, \\sum_{t=0}^{T-1}, \\sum_{i \\in S}")
    return replace(out, high=high)


@cache
def _grammar() -> Lark:
    text = files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer=Tokens)


def parse(line: str) -> Chain | Member:
    """The tree of a line, with products as they stand.

    Raises
    ------
    Unread
        Where the line is no relation that the grammar knows, with the place.
    """
    from lark.exceptions import VisitError

    try:
        read = _Reader().transform(_grammar().parse(line))
    except UnexpectedToken as error:
        token = error.token
        if token.type == "$END":
            raise Unread(line, len(line), _expected(error, "the line ends too early")) from None
        raise Unread(line, token.start_pos or 0, _expected(error, f"{token!s} cannot stand here")) from None
    except UnexpectedInput as error:
        raise Unread(line, error.pos_in_stream or 0, "this cannot stand here") from None
    except VisitError as error:
        if isinstance(error.orig_exc, _At):
            raise Unread(line, error.orig_exc.at, error.orig_exc.why) from None
        raise
    return _turned(read, line)


def _expected(error: UnexpectedToken, what: str) -> str:
    wanted = set(error.expected)
    if "REL" in wanted and "RPAR" not in wanted and error.token.type == "$END":
        return "there is no relation: write <=, >=, <, > or ="
    return what


def _turned(read: Chain | Member, line: str) -> Chain | Member:
    """The same with every relation from left to right; a chain has one direction."""
    if isinstance(read, Member) or not any(">" in r for r in read.relations):
        return read
    if any("<" in r for r in read.relations):
        raise Unread(line, 0, "a chain has relations of one direction")
    turned = tuple(r.replace(">", "<") for r in reversed(read.relations))
    return Chain(tuple(reversed(read.sides)), turned)


LEVELS = {Chain: 0, Sum: 1, Product: 2, Times: 2, Over: 2, Total: 2, Expectation: 2, Power: 4, Transposed: 4}


def plain(of: Any, level: int = 0) -> str:
    """A part of a line as plain text, which is read back as the same."""
    text = _plain(of)
    return f"({text})" if LEVELS.get(type(of), 9) < level else text


def _plain(of: Any) -> str:
    match of:
        case Number(value):
            return str(value)
        case Name(base, sub, mark):
            index = f"_{sub}" if sub.isalnum() else f"_{{{sub}}}" if sub else ""
            return f"{base}{index}{'^' if mark and mark != chr(39) else ''}{mark}"
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
            return " ".join(plain(one, 3 if isinstance(one, (Over, Total, Expectation)) and one is not factors[-1] else 2) for one in factors)
        case Over(above, below):
            return f"{plain(above, 3)}/{plain(below, 3)}"
        case Power(base, exponent):
            return f"{plain(base, 5)}^{plain(exponent, 5)}"
        case Transposed(inside):
            return f"{plain(inside, 5)}^T"
        case Norm(inside):
            return f"|{plain(inside)}|"
        case Absolute(inside):
            return f"|{plain(inside)}|"
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
        case Total(bounds, inside):
            low = f" = {plain(bounds.low)}" if bounds.low is not None else f" in {bounds.members}" if bounds.members else ""
            high = f"^{plain(bounds.high, 5)}" if bounds.high is not None else ""
            return f"sum_{{{bounds.index}{low}}}{high} {plain(inside, 2)}"
        case Expectation(inside):
            return f"E[{plain(inside)}]"
        case Chain(sides, relations):
            return plain(sides[0]) + "".join(f" {r} {plain(s)}" for r, s in zip(relations, sides[1:], strict=True))
        case Member(name, low, high, fences):
            return f"{plain(name)} in {fences[0]}{plain(low)}, {plain(high)}{fences[1]}"
    return str(of)
