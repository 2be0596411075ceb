"""What the names of a line are: vectors, numbers, functions, indices of clients and of time.

A vector is what a norm, an inner product or a function takes, and what is added to one; of a product of a vector one factor is one.
Where that leaves a doubt, the line asks back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from .nodes import (
    OUTCOME,
    Absolute,
    Applied,
    Bounds,
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
    Power,
    Prox,
    Sum,
    Times,
    Total,
    Transposed,
    factors_of,
    plain,
)
from .tokens import GREEK, Unread

COUNTS = ("N", "m", "n", "M", "K")  # how many clients there are, where a sum over them ends there
CLIENT = ("i", "j")


@dataclass
class Kinds:
    """What the names are.

    Attributes
    ----------
    functions : frozenset of str
        Letters that are functions.
    clients : set of str
        Indices that go over clients.
    count : set of str
        Letters that are the number of clients.
    drawn : set of str
        Letters that are a drawn set of clients, and its size.
    times : set of str
        Indices that go over time, and free ones.
    length : str
        The letter that is the length of a run; empty where there is none.
    vectors : set of Name
        Names that are vectors.
    """

    line: str
    functions: frozenset[str]
    clients: set[str] = field(default_factory=set)
    count: set[str] = field(default_factory=set)
    drawn: set[str] = field(default_factory=set)
    times: set[str] = field(default_factory=set)
    length: str = ""
    vectors: set[Name] = field(default_factory=set)

    def is_vector(self, of: Node) -> bool:
        """Whether a part of the line is a vector, as far as is known."""
        match of:
            case Name():
                return of in self.vectors
            case Applied(function):
                return isinstance(function, (Gradient, Prox))
            case Sum(terms):
                return any(self.is_vector(t) for _, t in terms)
            case Times(factors):
                return any(self.is_vector(f) for f in factors) and not self.is_inner(of)
            case Over(above):
                return self.is_vector(above)
            case Total() | Expectation():
                return self.is_vector(of.of)
            case Power(Name() as base, exponent):
                return iterate(base, exponent) in self.vectors
        return False

    def is_inner(self, of: Node) -> bool:
        """Whether a product is one of a transposed vector and a vector."""
        return isinstance(of, Times) and any(_transposed(f, self) for f in of.factors)


def _transposed(of: Node, kinds: Kinds) -> bool:
    return isinstance(of, Transposed) or (
        isinstance(of, Power) and of.exponent == Name("T") and kinds.is_vector(of.base)
    )


@dataclass
class Ranges:
    """What is said of the signs of numbers."""

    positive: set[Name] = field(default_factory=set)
    at_least: set[Name] = field(default_factory=set)
    between: dict[Name, str] = field(default_factory=dict)


def ranges_of(given: Sequence[Chain | Member], sequences: Collection[str], kinds: Kinds) -> Ranges:
    """The signs: of constants of the class, and what the conditions say or make plain."""

    def whole(n: Name) -> bool:
        """Whether what is said of an element of a sequence is said of all: D_t >= 0, and not D_0 >= 0."""
        return n.base not in sequences or not n.sub or n.sub in kinds.times

    out = Ranges()
    chains = [c for c in given if isinstance(c, Chain)]
    for _ in range(len(chains) + 1):
        for c in chains:
            for left, sign, right in zip(c.sides, c.relations, c.sides[1:], strict=False):
                if isinstance(right, Name) and sign != "=" and whole(right):
                    least = left.value if isinstance(left, Number) else None
                    strict = (least is not None and (least > 0 or (least == 0 and sign == "<"))) or left in out.positive
                    strict = strict or (sign == "<" and left in out.at_least)
                    if strict:
                        out.positive.add(right)
                    elif least == 0 or left in out.at_least:
                        out.at_least.add(right)
    for m in given:
        if isinstance(m, Member) and m.fences and whole(m.name):
            low, high = m.low, m.high
            if low is None or not (isinstance(low, Number) and isinstance(high, Number)):
                if isinstance(low, Number) and low.value >= 0:
                    (out.positive if low.value > 0 or m.fences[0] == "(" else out.at_least).add(m.name)
                continue
            own = ", per_client=True" if any(s in kinds.clients for s in indices(m.name)) else ""
            if m.fences[1] == ")":
                out.between[m.name] = (
                    f"between({low.value}, {high.value}{', closed=False' if m.fences[0] == '(' else ''}{own})"
                )
            elif low.value >= 0:
                (out.positive if low.value > 0 or m.fences[0] == "(" else out.at_least).add(m.name)
    return out


def indices(n: Name) -> list[str]:
    """The indices of a name, w_i^{t+1} has two."""
    return n.sub.split(",")


def settled(of: Node, kinds: Kinds) -> Node:
    """A tree in which vectors with an upper index are names."""
    if isinstance(of, Power) and isinstance(of.base, Name) and iterate(of.base, of.exponent) in kinds.vectors:
        return iterate(of.base, of.exponent)
    if isinstance(of, Power) and of.exponent == Name("T") and kinds.is_vector(of.base):
        return Transposed(settled(of.base, kinds))
    if isinstance(of, (Gradient, Least)):
        return of
    return of.map(lambda part: settled(part, kinds))


def _bold_index(exponent: Node) -> bool:
    """Whether an upper index stands on a bold letter, which has no powers."""
    return exponent != Name("T") and (not isinstance(exponent, Number) or exponent.value == 0)


def iterate(base: Name, exponent: Node) -> Name:
    """A vector with an upper index, w^{t+1}, as one with a lower."""
    said = plain(exponent).strip("()")
    return replace(base, sub=f"{base.sub},{said}" if base.sub else said)


def kinds_of(
    line: str,
    trees: Sequence[Chain | Member],
    functions: frozenset[str],
    scalars: Iterable[str],
    vectors: Iterable[str],
) -> Kinds:
    """What the names of some lines are; `scalars` are letters that are known as numbers, `vectors` those that are known as vectors.

    Raises
    ------
    Unread
        Where that is not clear.
    """
    kinds = Kinds(line, functions)
    _indices(trees, kinds)
    known = set(scalars)
    named = {n for tree in trees for n in tree.walk() if isinstance(n, Name)}
    signed = {s for c in trees[1:] if isinstance(c, Chain) and c.relations != ("=",) for s in c.sides}
    kinds.vectors = {n for n in named if n.base in vectors or (n.bold and n not in signed)} | {
        iterate(p.base, p.exponent)
        for tree in trees
        for p in tree.walk()
        if isinstance(p, Power) and isinstance(p.base, Name) and p.base.bold and _bold_index(p.exponent)
    }
    before = -1
    while before != len(kinds.vectors):
        before = len(kinds.vectors)
        for tree in trees:
            _visit(tree, kinds, known)
    _doubts(trees, kinds, known)
    return kinds


def _indices(trees: Sequence[Node], kinds: Kinds) -> None:
    """The indices: those of functions and of sums over clients, and those of time."""
    nodes = [n for tree in trees for n in tree.walk()]
    for m in trees:
        if isinstance(m, Member) and not m.fences:
            if kinds.length not in ("", m.name.base):
                raise Unread(
                    kinds.line, m.name.at, f"{m.name.base} beside {kinds.length}: one whole number is read in a line"
                )
            kinds.length = m.name.base
    of_functions = {
        n.sub
        for n in nodes
        if isinstance(n, Name) and n.base in kinds.functions and n.sub.isalpha() and len(n.sub) == 1
    }
    kinds.clients |= of_functions
    if any(isinstance(n, Name) and OUTCOME in indices(n) for n in nodes):
        kinds.clients.add(OUTCOME)
    with_functions = any(isinstance(n, (Applied, Norm, Inner)) for n in nodes)
    totals = [n for n in nodes if isinstance(n, Total)]
    around: dict[int, set[str]] = {}  # the indices of the sums within which a sum stands
    for outer in totals:
        for one in outer.of.walk():
            around.setdefault(id(one), set()).add(outer.bounds.index)
    for total in totals:
        b = total.bounds
        if total.product and (b.members or _over_clients(b, kinds, with_functions)):
            raise Unread(
                kinds.line, total.at, f"a product over {b.index} is read over time alone, \\prod_{{t=0}}^{{T-1}}"
            )
        if b.members:
            kinds.clients.add(b.index)
            kinds.drawn.add(b.members)
            if len(kinds.drawn) > 1:
                raise Unread(kinds.line, total.at, "two drawn sets in one line are not read")
        elif _over_clients(b, kinds, with_functions):
            kinds.clients.add(b.index)
            if isinstance(b.high, Name):
                kinds.count.add(b.high.base)
                if len(kinds.count) > 1:
                    raise Unread(
                        kinds.line,
                        total.at,
                        f"sums to {' and '.join(sorted(kinds.count))}: there is one number of clients",
                    )
        else:
            kinds.times.add(b.index)
            lengths = [n.base for n in (b.high.walk() if b.high is not None else ()) if isinstance(n, Name)]
            if any(isinstance(n, (Over, Power, Times)) for n in (b.high.walk() if b.high is not None else ())):
                raise Unread(kinds.line, total.at, "a sum over time ends at a whole number, as in \\sum_{t=0}^{T-1}")
            if b.index in lengths:
                raise Unread(kinds.line, total.at, f"a sum over {b.index} that ends at {b.index}")
            if len(lengths) == 1 and lengths[0] in around.get(id(total), set()) & kinds.times:
                continue
            if len(lengths) != 1 or kinds.length not in ("", lengths[0]):
                raise Unread(kinds.line, total.at, "a sum over time ends at one length, as in \\sum_{t=0}^{T-1}")
            kinds.length = lengths[0]
    if kinds.clients and not kinds.count:
        kinds.count |= _shares(nodes, kinds)
    if not with_functions:
        _times(nodes, kinds)


def _times(nodes: Sequence[Node], kinds: Kinds) -> None:
    """The indices of time that no sum shows: t of D_t beside D_T, and of D_{t + 1}."""
    names = [n for n in nodes if isinstance(n, Name)]
    for base, sub in sorted({(n.base, n.sub) for n in names if len(n.sub) == 1 and n.sub.islower()}):
        if Name(base, sub.upper()) in nodes and sub not in kinds.clients and kinds.length in ("", sub.upper()):
            kinds.times.add(sub)
            kinds.length = sub.upper()
    shifted = {n.sub.split(" ")[0] for n in names if " + " in n.sub and n.sub[0].islower()}
    kinds.times |= {t for t in shifted if t.isalpha() and len(t) == 1 and t != kinds.length} - kinds.clients
    if kinds.times and not kinds.length:
        ends = {n.sub[0] for n in names if n.sub[:1].isupper() and n.sub[1:2] in ("", " ")}
        kinds.length = next(iter(ends)) if len(ends) == 1 else "T"


def _shares(nodes: Sequence[Node], kinds: Kinds) -> set[str]:
    """N of 1/N \\sum_i, where no sum says how many clients there are."""
    bare = {"N"} if Name("N") in nodes else set()
    return bare | {
        n.base
        for one in nodes
        if isinstance(one, Times) and any(isinstance(f, Total) and f.bounds.index in kinds.clients for f in one.factors)
        for f in one.factors
        if isinstance(f, Over)
        for n in f.below.walk()
        if isinstance(n, Name) and not n.sub and n.base in (COUNTS[:1] if kinds.drawn else COUNTS)
    }


def _over_clients(b: Bounds, kinds: Kinds, with_functions: bool) -> bool:
    if b.index in kinds.clients or (b.high is None and b.low is None):
        return True
    if not isinstance(b.high, Name) or b.low != Number(Fraction(1)):
        return False
    several = b.high.base in COUNTS
    return (several and (b.index in CLIENT or with_functions)) or (b.index in CLIENT and with_functions)


def _visit(of: Node, kinds: Kinds, scalars: set[str]) -> None:
    match of:
        case Norm(inside):
            _need(inside, kinds, scalars)
        case Inner(left, right):
            _need(left, kinds, scalars)
            _need(right, kinds, scalars)
        case Applied(_, point):
            _need(point, kinds, scalars)
        case Transposed(inside):
            _need(inside, kinds, scalars)
        case Absolute(inside) if kinds.is_vector(inside):
            _need(inside, kinds, scalars)
        case Sum() if kinds.is_vector(of):
            _need(of, kinds, scalars)
        case Chain(sides) if any(kinds.is_vector(s) for s in sides):
            for side in sides:
                _need(side, kinds, scalars)
        case Times(factors) if kinds.is_inner(of):
            for one in factors[-2:]:
                _need(
                    one.base if isinstance(one, Power) else one.of if isinstance(one, Transposed) else one,
                    kinds,
                    scalars,
                )
    for part in of.parts():
        _visit(part, kinds, scalars)


def _need(of: Node, kinds: Kinds, scalars: set[str]) -> None:
    """A vector has to stand here."""
    match of:
        case Name(base) if base in scalars and not of.mark:
            raise Unread(kinds.line, of.at, f"{plain(of)} is a number elsewhere, and a vector has to stand here")
        case Name():
            kinds.vectors.add(of)
        case Power(Name() as base, exponent):
            kinds.vectors.add(iterate(base, exponent))
        case Sum(terms):
            for _, term in terms:
                _need(term, kinds, scalars)
        case Over(above):
            _need(above, kinds, scalars)
        case Total() | Expectation():
            _need(of.of, kinds, scalars)
        case Times(factors):
            sure = [f for f in factors if kinds.is_vector(f)]
            maybe = sure or [f for f in factors if _may_be_vector(f, scalars)]
            if len(maybe) == 1:
                _need(maybe[0], kinds, scalars)


def _may_be_vector(of: Node, scalars: set[str]) -> bool:
    if isinstance(of, Name):
        return of.base not in scalars and of.base.split("_")[0] not in GREEK and not of.base[0].isupper()
    return isinstance(of, (Sum, Total, Expectation, Applied))


def _doubts(trees: Sequence[Node], kinds: Kinds, scalars: set[str]) -> None:
    """Refuse what is neither clearly a vector nor clearly a number."""

    def seen(of: Node, vector: bool) -> None:
        if vector and isinstance(of, Times):
            vectors = [f for f in of.factors if kinds.is_vector(f)]
            if len(vectors) != 1:
                names = ", ".join(plain(f) for f in of.factors)
                at = next((n.at for n in of.walk() if isinstance(n, Name)), 0)
                raise Unread(kinds.line, at, f"which of {names} is a vector? --vectors says so")
        if vector and isinstance(of, (Number, Norm, Inner)) and of != Number(0):  # type: ignore[arg-type]
            raise Unread(kinds.line, getattr(of, "at", 0), f"{plain(of)} is a number, and a vector has to stand here")
        for part in of.parts():
            seen(part, False)

    def visit(of: Node) -> None:
        inside = of.of if isinstance(of, Norm) else of.point if isinstance(of, Applied) else None
        if inside is not None:
            seen(inside, True)
            for one in inside.terms if isinstance(inside, Sum) else ():
                seen(one[1], True)
        for part in of.parts():
            visit(part)

    for tree in trees:
        visit(tree)


def without(of: Node, name: Name, at: int, line: str) -> Node:
    """A product without one factor."""
    rest = [f for f in factors_of(of) if f != name]
    if len(rest) != len(factors_of(of)) - 1 or not rest:
        raise Unread(line, at, "a prox is one of gamma f or of f/lambda")
    return rest[0] if len(rest) == 1 else Times(tuple(rest))
