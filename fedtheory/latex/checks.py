"""What a reading must not say in silence: two functions that would be one, an index that belongs to another sum, and the like."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from .kinds import CLIENT, Kinds, indices
from .nodes import (
    OUTCOME,
    Call,
    Chain,
    Inner,
    Least,
    Member,
    Name,
    Node,
    Norm,
    Number,
    Over,
    Power,
    Sum,
    Times,
    Total,
    Transposed,
    plain,
)
from .tokens import Unread


def checked(trees: Sequence[Chain | Member], kinds: Kinds, classed: bool, envelope: bool) -> None:
    """Refuse a reading in which two things would have one meaning.

    Parameters
    ----------
    trees : sequence of Chain or Member
        The claim and its conditions.
    kinds : Kinds
        What the names are.
    classed : bool
        Whether a class of functions is given.
    envelope : bool
        Whether F is the Moreau envelope of f.

    Raises
    ------
    Unread
        Where that is so, with the place.
    """
    names = [n for tree in trees for n in tree.walk() if isinstance(n, Name)]
    _functions(names, kinds, envelope)
    _maps(names, kinds)
    if classed:
        _minimisers(names, kinds)
    for tree in trees:
        for side in tree.sides if isinstance(tree, Chain) else ():
            _reach(side, kinds)
        _clients(tree, kinds)
        _least(tree, kinds)
        for n in tree.walk():
            _vectors(n, kinds)
    _elements(names, kinds)
    _known(trees, kinds)


def _known(trees: Sequence[Node], kinds: Kinds) -> None:
    """e and pi without a power and a condition are the numbers to most, and a name that may be any number to nobody."""
    said = {n for tree in trees[1:] for n in tree.walk() if isinstance(n, Name)}
    bases = [p.base for p in trees[0].walk() if isinstance(p, Power)]
    for n in trees[0].walk():
        if (
            isinstance(n, Name)
            and n in (Name("e"), Name("pi"))
            and not any(n is base for base in bases)
            and n not in said | kinds.vectors
        ):
            how = "\\exp(1)" if n.base == "e" else "not read"
            raise Unread(kinds.line, n.at, f"{n.base}: the number is {how}; of a name --where says the sign")


def _functions(names: Sequence[Name], kinds: Kinds, envelope: bool) -> None:
    """One function, or one of each client and their mean."""
    found = {(n.base, n.sub): n for n in names if n.base in kinds.functions}
    own = {base for base, sub in found if sub in kinds.clients}
    for (base, sub), n in found.items():
        first_base, first_sub = next(iter(found))
        if kinds.clients and sub not in kinds.clients and sub:
            raise Unread(kinds.line, n.at, f"{plain(n)}: a single client by its number is not read")
        other = next((one for one in found if one[0] != base and not (envelope and {one[0], base} == {"f", "F"})), None)
        if other is not None and not (
            len(own) == 1 and all(b in own or not s for b, s in found) and _apart(found, own)
        ):
            raise Unread(kinds.line, n.at, f"{base} beside {other[0]}: functions of one line are those of one letter")
        if not kinds.clients and sub != first_sub:
            raise Unread(
                kinds.line, n.at, f"{plain(n)} beside {first_base}_{first_sub}: two functions in one line are not read"
            )


def _maps(names: Sequence[Name], kinds: Kinds) -> None:
    """A map at one point alone may be any vector; at two they would be two of them, at the same point as well."""
    at = {(n.base, n.sub): n for n in names if "[" in n.mark}
    for n in names:
        other = at.get((n.base, n.sub))
        if other is not None and n != other:
            raise Unread(
                kinds.line,
                n.at,
                f"{plain(n)} beside {plain(other)}: a map is read at one point; --where says what it is",
            )


def _apart(found: dict[tuple[str, str], Name], own: set[str]) -> bool:
    """Whether the clients' functions and their mean have one letter each: F is the mean of the f_i."""
    return all(bool(sub) == (base in own) for base, sub in found) and len({base for base, _ in found}) == 2


def _minimisers(names: Sequence[Name], kinds: Kinds) -> None:
    stars = [n for n in names if "*" in n.mark and n.base not in kinds.functions]
    for n in stars:
        if n not in kinds.vectors:
            raise Unread(kinds.line, n.at, f"is {plain(n)} a minimiser? --vectors {n.base} says so")
        if n.sub:
            raise Unread(kinds.line, n.at, f"{plain(n)}: only the minimiser of the whole function is read, w^*")
        if n != stars[0]:
            raise Unread(kinds.line, n.at, f"{plain(n)} beside {plain(stars[0])}: one minimiser is read in a line")


def _clients(tree: Node, kinds: Kinds) -> None:
    """An index of clients is that of the innermost sum over them, or the one that no sum has."""
    free: list[Name] = []

    def visit(of: Node, index: str) -> None:
        if isinstance(of, Total) and of.bounds.index in kinds.clients:
            index = of.bounds.index
            if not any(isinstance(n, Name) and index in indices(n) for n in of.of.walk()):
                raise Unread(kinds.line, of.at, f"a sum over {index} of what has no index {index}")
        if isinstance(of, Name):
            for one in (one for one in indices(of) if one in kinds.clients):
                if index and one != index:
                    raise Unread(kinds.line, of.at, f"{plain(of)} stands in a sum over {index}")
                if not index and free and one not in indices(free[0]):
                    raise Unread(
                        kinds.line,
                        of.at,
                        f"{plain(of)} beside {plain(free[0])}: two free indices of clients are not read",
                    )
                if not index:
                    free.append(of)
        for part in of.parts():
            visit(part, index)

    visit(tree, "")


def _reach(side: Node, kinds: Kinds) -> None:
    """An index of clients that is summed over and free in one side may be meant to be within the sum."""
    summed = {n.bounds.index for n in side.walk() if isinstance(n, Total) and n.bounds.index in kinds.clients}

    def visit(of: Node, bound: frozenset[str]) -> None:
        if isinstance(of, Total):
            bound = bound | {of.bounds.index}
        if isinstance(of, Name):
            for one in (one for one in indices(of) if one in summed - bound):
                raise Unread(
                    kinds.line, of.at, f"{plain(of)} beside a sum over {one}: how far does the sum go? Brackets say so"
                )
        for part in of.parts():
            visit(part, bound)

    if summed:
        visit(side, frozenset())


def _elements(names: Sequence[Name], kinds: Kinds) -> None:
    """a_1 or a_j beside a_i of each client, and w_T beside w_t, would be other letters."""
    own = {n.base: n for n in names if any(s in kinds.clients for s in indices(n))}
    for n in names:
        if any(
            s in kinds.clients
            for one in indices(n)
            if len(one) > 1 and one != OUTCOME
            for s in one.replace("+", " ").replace("-", " ").split()
        ):
            raise Unread(kinds.line, n.at, f"{plain(n)}: an index of clients stands alone, or with a comma")
        single = (n.sub.isdigit() and n.sub != "0") or n.sub in (*CLIENT, *kinds.count)
        if n.base in own and single and n.sub not in kinds.clients:
            raise Unread(kinds.line, n.at, f"{plain(n)} beside {plain(own[n.base])}: a single client is not read")
    for n in names if not any(isinstance(v, Name) for v in kinds.vectors) else ():
        first = n.sub.split(" ")[0]
        timed = {o.base for o in names if o.sub.split(" ")[0] in kinds.times}
        lone = len(n.sub) == 1 and n.sub.islower() and n.base in timed and n.sub not in kinds.clients
        if first not in {*kinds.times, kinds.length} and (set(re.findall(r"[A-Za-z]+", n.sub)) & kinds.times or lone):
            raise Unread(kinds.line, n.at, f"{plain(n)}: an index of a sequence is t, t + 1 or T - 1")
    subs = {(n.base, s) for n in names for s in indices(n)}
    for n in names:
        if (
            len(n.sub) == 1
            and n.sub.islower()
            and (n.base, n.sub.upper()) in subs
            and n.sub not in {*kinds.times, *kinds.clients}
        ):
            raise Unread(
                kinds.line, n.at, f"{plain(n)} beside {n.base}_{n.sub.upper()}: runs of functions are written in Python"
            )


def _least(tree: Node, kinds: Kinds) -> None:
    for side in tree.parts():
        for one in (n for n in side.walk() if isinstance(n, Least) and n.over):
            if any(isinstance(n, Name) and n == Name(one.over) for n in side.walk()):
                raise Unread(
                    kinds.line,
                    one.of.at,
                    f"a least value over {one.over} of {plain(one.of)} alone, or of more? brackets say so",
                )


def _vectors(of: Node, kinds: Kinds) -> None:
    """A number is no vector, and u^T v without a vector is a power to nobody."""
    parts: tuple[Node, ...] = ()  # where a number has to stand
    if isinstance(of, Over):
        parts = (of.below,)
    elif isinstance(of, Call):
        parts = of.arguments
    elif isinstance(of, Power):
        parts = (of.exponent,)
    elif isinstance(of, Member):
        parts = (of.name,)
    elif isinstance(of, Chain) and any(r != "=" for r in of.relations):
        parts = of.sides
    for part in parts:
        if kinds.is_vector(part):
            raise Unread(
                kinds.line, getattr(part, "at", 0), f"{plain(part)} is a vector, and a number has to stand here"
            )
    if isinstance(of, Inner):
        sides: tuple[Node, ...] = (of.left, of.right)
    elif isinstance(of, Times) and kinds.is_inner(of):
        sides = tuple(f.of if isinstance(f, Transposed) else f for f in of.factors[-2:])
    elif isinstance(of, Chain) and any(kinds.is_vector(s) for s in of.sides):
        sides = tuple(s for s in of.sides if s != Number(Fraction(0)))
    elif isinstance(of, Sum) and kinds.is_vector(of):
        sides = tuple(s for _, s in of.terms if s != Number(Fraction(0)))
    else:
        sides = ()
        for left, right in zip(of.factors, of.factors[1:], strict=False) if isinstance(of, Times) else ():
            if (
                isinstance(left, Power)
                and isinstance(left.base, Name)
                and left.exponent == Name("T")
                and _letter(left.base)
                and _letter(right)
                and not kinds.length
            ):
                raise Unread(
                    kinds.line,
                    left.base.at,
                    f"{plain(left)}: transposed, which is ^\\top, or a power, T \\in \\mathbb N?",
                )
    for side in sides:
        if isinstance(side, (Number, Norm, Inner)):
            raise Unread(kinds.line, 0, f"{plain(side)} is a number, and a vector has to stand here")


def _letter(of: Node) -> bool:
    return isinstance(of, Name) and len(of.base) == 1 and of.base.islower()
