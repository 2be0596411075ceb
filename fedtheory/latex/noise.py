"""Expectations over noise: the mean over outcomes, of which there are any number, of the vectors that are random.

A vector is random that stands within expectations alone, as far as the claim goes, and that a condition does not say what it is
by others that are not. A point at which a function is taken is given, and so are minimisers. A condition in which something
random stands outside of an expectation is one on each outcome. A mean of any number of outcomes is any expectation over finitely
many with rational probabilities; those refute, and in their limit what is proved holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from .kinds import Kinds, indices
from .nodes import OUTCOME, Applied, Chain, Expectation, Gradient, Least, Member, Name, Node, Total, plain
from .tokens import Unread

ASKS = "an expectation is one over a drawn set, \\sum_{i \\in S}, or over vectors that stand in it alone: what is random?"


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
        If nothing is random, something is random and given, or clients stand beside the expectation.
    """
    over = [n for tree in trees for n in tree.walk() if isinstance(n, Expectation)]
    if not over or kinds.drawn:
        return list(trees)
    if kinds.clients or any(isinstance(n, Total) for tree in trees for n in tree.walk()):
        raise Unread(kinds.line, over[0].at, f"{ASKS} Noise beside sums or clients is written in Python")
    said = {c.sides[0]: c.sides[1] for c in trees[1:] if isinstance(c, Chain) and c.relations == ("=",)}
    given = set(_outside(trees[0])) | set(_points(trees))
    inside = {n for one in over for n in one.walk() if isinstance(n, Name)} & kinds.vectors
    random = {n for n in inside - given if "*" not in n.mark and n not in said}
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
