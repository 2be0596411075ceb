"""Expectations over noise: the mean over outcomes, of which there are any number, of the vectors that are random.

A vector is random that stands within expectations alone, as far as the claim goes, and that a condition does not say what it is
by others that are not; where the letter below a sign of expectation is a vector of the line, that one alone. A point at which a
function is taken is given, and so are minimisers and what is the expectation of something. A condition in which something random
stands outside of an expectation is one on each outcome. A mean of any number of outcomes is any expectation over finitely many with
rational probabilities; those refute, and in their limit what is proved holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from .kinds import Kinds, indices
from .nodes import OUTCOME, Applied, Chain, Expectation, Gradient, Least, Member, Name, Node, Total, plain
from .tokens import Unread

ASKS = "an expectation is one over a drawn set, \\sum_{i \\in S}, or over vectors that stand in it alone: what else is random?"


def with_outcomes(trees: Sequence[Chain | Member], kinds: Kinds) -> list[Chain | Member]:
    """The trees with an index of outcomes on what is random; as they are where no expectation is over noise.

    Parameters
    ----------
    trees : sequence of Chain or Member
        The claim and its conditions, with vectors that have an upper index as names.
    kinds : Kinds
        What the names are.

    Raises
    ------
    Unread
        If nothing is random, or something is random and given.
    """
    over = [n for tree in trees for n in tree.walk() if isinstance(n, Expectation)]
    if not over or kinds.drawn or kinds.clients or any(isinstance(n, Total) for tree in trees for n in tree.walk()):
        return list(trees)  # noise beside sums or clients is asked for, where it is written
    said = {c.sides[0]: c.sides[1] for c in trees[1:] if isinstance(c, Chain) and c.relations == ("=",)}
    given = set(_outside(trees[0])) | set(_points(trees)) | set(_expected(trees[1:]))
    inside = {n for one in over for n in one.walk() if isinstance(n, Name)}
    for _ in said:
        inside |= {m for n in inside & {*said} for m in said[n].walk() if isinstance(m, Name)}
    random = {n for n in (inside & kinds.vectors) - given if "*" not in n.mark and n not in said}
    below = {one.over for one in over}
    random = {n for n in random if plain(n) in below} or random  # E_xi is over xi, where that stands in the line
    for _ in said:  # what is defined by something random is random
        random |= {
            n for n, value in said.items() if isinstance(n, Name) and n in kinds.vectors and random & set(value.walk())
        }
    if not random:
        raise Unread(kinds.line, over[0].at, ASKS)
    if random & given:
        n = next(n for n in said if n in random & given)
        where = "is a point of a function" if n in set(_points(trees)) else "stands outside of an expectation"
        raise Unread(kinds.line, getattr(n, "at", 0), f"{plain(n)} is random and {where}, which is not read")
    kinds.vectors -= random
    return [_marked(tree, random) for tree in trees]  # type: ignore[misc]


def random_of(trees: Sequence[Node]) -> str:
    """The names that are random, as they are printed; empty where none is."""
    names = (n for tree in trees for n in tree.walk() if isinstance(n, Name) and OUTCOME in indices(n))
    return ", ".join(dict.fromkeys(plain(n) for n in names))


def expectation_said(one: Chain | Member) -> tuple[Name, Node] | None:
    """What a condition says of the expectation of something random, E g = grad f(w)."""
    if not (isinstance(one, Chain) and one.relations == ("=",) and isinstance(one.sides[0], Expectation)):
        return None
    of, value = one.sides[0].of, one.sides[1]
    random = isinstance(of, Name) and OUTCOME in indices(of)
    free = not any(isinstance(n, Name) and OUTCOME in indices(n) for n in value.walk())
    return (of, value) if random and free and isinstance(of, Name) else None


def _expected(conditions: Sequence[Chain | Member]) -> Iterator[Name]:
    """The names of what something random has as its expectation, E g = h."""
    for c in conditions:
        if isinstance(c, Chain) and c.relations == ("=",) and any(isinstance(side, Expectation) for side in c.sides):
            yield from (n for side in c.sides for n in _outside(side))


def _outside(of: Node) -> Iterator[Name]:
    """The names that stand outside of expectations."""
    if isinstance(of, Name):
        yield of
    if not isinstance(of, Expectation):
        for part in of.parts():
            yield from _outside(part)


def _points(trees: Sequence[Node]) -> Iterator[Name]:
    """The names at which a function is taken."""
    for n in (n for tree in trees for n in tree.walk() if isinstance(n, Applied)):
        yield from (one for one in n.point.walk() if isinstance(one, Name))


def _marked(of: Node, random: set[Name]) -> Node:
    if isinstance(of, Name):
        return replace(of, sub=f"{of.sub},{OUTCOME}" if of.sub else OUTCOME) if of in random else of
    if isinstance(of, (Gradient, Least)):
        return of
    return of.map(lambda part: _marked(part, random))
