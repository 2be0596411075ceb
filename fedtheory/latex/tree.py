"""The tree of a line, as it is read off the grammar."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput, UnexpectedToken, v_args

from .nodes import (
    Absolute,
    Bounds,
    Call,
    Chain,
    Expectation,
    Gradient,
    Inner,
    Least,
    Member,
    Name,
    Node,
    Norm,
    Number,
    Over,
    Parens,
    Power,
    Product,
    Prox,
    Sum,
    Total,
    Transposed,
    plain,
)
from .tokens import Bold, Tokens, Unread


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

    def membership(self, name: Node, sign: Token, left: Token, *rest: Any) -> Node:
        if not isinstance(name, Name):
            raise _At(sign.start_pos or 0, "one name lies in an interval")
        if not rest:
            return Member(name, None, None, "")
        if "{" in left or "}" in rest[3]:
            raise _At(left.start_pos or 0, "a set of values is not read; an interval is [0, 1]")
        return Member(name, rest[0], rest[2], f"{left}{rest[3]}")

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
        return Name(str(token), at=token.start_pos or 0, bold=isinstance(token, Bold))

    def parens(self, sign: Token, inside: Node, close: Token) -> Node:
        if f"{sign}{close}" not in ("()", "[]", "{}", "\\{\\}"):
            raise _At(close.start_pos or 0, f"{close} closes {sign}")
        return Parens(inside, braces=sign.type == "LBRACE")

    def norm(self, sign: Token, of: Node, _close: Token) -> Node:
        return Norm(of, sign.start_pos or 0)

    def absolute(self, sign: Token, of: Node, _close: Token) -> Node:
        return Absolute(of, sign.start_pos or 0)

    def inner(self, _open: Token, left: Node, _comma: Token, right: Node, _close: Token) -> Node:
        return Inner(left, right)

    def fraction(self, _sign: Token, above: Node, below: Node) -> Node:
        return Over(_bare(above), _bare(below))

    def root(self, sign: Token, of: Node) -> Node:
        return Call("sqrt", (_bare(of),), bare=sign != "\\sqrt" and not isinstance(of, Parens))

    def exponential(self, _sign: Token, of: Node) -> Node:
        return Call("exp", (_bare(of),), bare=not isinstance(of, Parens))

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

    def least(self, sign: Token, *rest: Any) -> Node:
        below = [script.content for script in rest[:-1]]
        if below and (len(below) > 1 or rest[0].kind != "sub" or not isinstance(below[0], Name)):
            raise _At(sign.start_pos or 0, "a least value is one over all points, \\min_w f(w)")
        return Least(rest[-1], plain(below[0]) if below else "")

    def sup(self, sign: Token, content: object) -> Script:
        return Script("sup", content, sign.start_pos or 0)

    def sub(self, sign: Token, content: object) -> Script:
        return Script("sub", content, sign.start_pos or 0)

    def prime(self, sign: Token) -> Script:
        return Script("sup", Star("'"), sign.start_pos or 0)

    def star(self, _token: Token) -> Star:
        return Star("*")

    def transpose(self, _token: Token) -> Star:
        return Star("T")

    def bare(self, _open: Token, inside: Node, _close: Token) -> Node:
        return inside

    def content(self, *parts: object) -> object:
        return parts[1] if len(parts) == 3 else parts[0]

    def bound(self, name: Node, sign: Token, value: Node) -> object:
        return ("bound", name, str(sign), value)

    def several(self, *parts: object) -> object:
        return Star(",".join(plain(one) for one in parts if isinstance(one, Node)))

    def member(self, name: Token, _in: Token, of: Token) -> object:
        return ("member", str(name), str(of))

    def scripted_name(self, token: Token, *scripts: Script) -> Node:
        read = _scripted(self.name(token), scripts)
        if not isinstance(read, Name):
            raise _At(token.start_pos or 0, "a function or a parameter, without a power, stands here")
        return read

    def scripted(self, of: Node, *scripts: Script) -> Node:
        return _scripted(of, scripts)

    def total(self, sign: Token, *rest: Any) -> Node:
        at, product = sign.start_pos or 0, "sum" not in sign and sign != "∑"
        if product and isinstance(rest[-1], Product):
            raise _At(at, "how far does the product go? Brackets say so: \\prod_t (a_t b_t), or b \\prod_t a_t")
        return Total(_bounds(rest[:-1], at), rest[-1], at, product)

    def expectation(self, sign: Token, *rest: Any) -> Node:
        drawn = {n.bounds.members for n in rest[-1].walk() if isinstance(n, Total)}
        said = ""
        for script in rest[:-1]:
            said = plain(script.content) if isinstance(script.content, Node) else ""
            if script.kind != "sub" or (drawn and said not in drawn | {"t", "k", "r"}):
                raise _At(script.at, "an expectation is one over a drawn set; a power of it stands behind brackets")
        at, of = sign.start_pos or 0, rest[-1]
        first, *more = of.items if isinstance(of, Product) else (("beside", of),)
        if isinstance(first[1], Power) and isinstance(first[1].base, Parens):
            raise _At(at, "E[...]^2: the square of the mean, (E[...])^2, or the mean of the square, E[(...)^2]?")
        if more and isinstance(first[1], Parens):  # E[a] b
            return Product((("beside", Expectation(first[1], at, said)), *more))
        return Expectation(of, at, said)


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
    if isinstance(of, Parens) and of.braces and isinstance(of.inside, Name):
        of = of.inside
    if isinstance(of, Norm) and scripts[0].kind == "sub":
        if plain(scripts[0].content) != "2":
            raise _At(scripts[0].at, "of norms only the Euclidean one is read")
        scripts = scripts[1:]
    for script in scripts:
        content = script.content
        if isinstance(content, tuple):
            raise _At(script.at, "an index is a letter, a number or a letter with a number, t + 1")
        if script.kind == "sub":
            if not isinstance(of, Name) or of.sub:
                raise _At(script.at, "an index stands on one letter, once")
            of = replace(of, sub=plain(content) if isinstance(content, Node) else str(content))
            if of.sub == "*" or (of.base in ("f", "F") and of.sub in ("inf", "min")):
                of = replace(of, sub="", mark=of.mark + "*")
        elif isinstance(content, Star) and content == "T":
            transposed = True
        elif isinstance(content, Star):
            if not isinstance(of, Name) or "," in content:
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
    except RecursionError:
        raise Unread(line, 0, "too many brackets within each other") from None
    except UnexpectedInput as error:
        raise Unread(line, error.pos_in_stream or 0, "this cannot stand here") from None
    except VisitError as error:
        if isinstance(error.orig_exc, _At):
            raise Unread(line, error.orig_exc.at, error.orig_exc.why) from None
        if isinstance(error.orig_exc, RecursionError):
            raise Unread(line, 0, "too many brackets within each other") from None
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
