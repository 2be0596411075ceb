"""A line and its conditions as a file of claims, one a reading."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..errors import UsageError, did_you_mean
from .behind import apart, says_nothing
from .checks import checked
from .classes import Class, class_of
from .kinds import Kinds, kinds_of, settled
from .nodes import Chain, Member, Name, Node, Total, plain
from .noise import random_of, with_outcomes
from .python import Writer
from .readings import MOST, Context, functions_of, indexed, letters_of, readings
from .tokens import DEFINES, Unread, unfenced
from .tree import parse

SHARED = re.compile(r"\s*(?:\\?[A-Za-z]+(?:[_^](?:[\w*]|\{[^}]*\}))*)(?P<rest>.*)$", re.DOTALL)
SAYS = re.compile(r"[<>=≤≥∈]|\\(?:l|g)(?:e|t|eq|eqslant)\b|\\in\b|\bin\b")
LESS = r"(?:<=?|≤|\\l(?:e|t|eq|eqslant)(?![A-Za-z]))"
LETTERS = r"(?:\\?[A-Za-z]+(?:_(?:\w|\{[^}]*\}))?)"
LEFT = re.compile(rf"\s*-?[\d.]+\s*{LESS}\s*{LETTERS}\s*")
RIGHT = re.compile(rf"\s*{LETTERS}\s*{LESS}")


@dataclass(frozen=True)
class Read:
    """A line as it was read.

    Attributes
    ----------
    readings : tuple of str
        Each reading in plain text, with its conditions.
    ids : tuple of str
        The claims, one a reading.
    python : str
        The file.
    texts : tuple of str
        The claims by themselves.
    ours, theirs : frozenset of str
        What they import from fedtheory and from problems.
    """

    readings: tuple[str, ...]
    ids: tuple[str, ...]
    python: str
    texts: tuple[str, ...]
    ours: frozenset[str]
    theirs: frozenset[str]


def read_line(
    line: str, *, where: Sequence[str] = (), functions: str = "", envelope: str = "", vectors: Collection[str] = (),
    id: str = "draft/line", taken: Collection[str] = (),
) -> Read:  # fmt: skip
    """A line of LaTeX or plain text as claims in Python.

    Parameters
    ----------
    line : str
        A relation, or a chain of them.
    where : sequence of str
        Conditions, several in one text with commas between them.
    functions : str
        The class of the functions: ``smooth convex L``, ``L-smooth, mu-strongly convex``.
    envelope : str
        The parameter of F as the Moreau envelopes of f.
    vectors : collection of str
        Letters that are vectors where the line leaves that open.
    id : str
        The id of the claim.
    taken : collection of str
        Names that belong to every instance.

    Raises
    ------
    Unread
        Where the line or a condition is not understood, with the place.
    UsageError
        If the class is not known.
    """
    try:
        return _read_line(line, where, functions, envelope, vectors, id, taken)
    except RecursionError:
        raise Unread(line, 0, "too many brackets within each other") from None


def _read_line(
    line: str, where: Sequence[str], functions: str, envelope: str, vectors: Collection[str], id: str,
    taken: Collection[str],
) -> Read:  # fmt: skip
    defines = DEFINES.search(unfenced(line))
    if defines is not None:
        raise Unread(line, defines.start(), "a definition is nothing to be decided; it goes to --where")
    claimed, behind = apart(line, conditions)
    claim = parse(claimed)
    if not isinstance(claim, Chain):
        raise Unread(line, 0, "a claim is a relation; an interval is for --where")
    texts_of = [apart(text, conditions) for one in where for text in conditions(one)]
    said_of = [*behind, *(text for first, more in texts_of for text in (first, *more))]
    stated = [(text, parse(text)) for text in said_of if not says_nothing(text)]
    of_class = class_of(functions) if functions else None
    trees: list[Node] = [claim, *(tree for _, tree in stated)]
    letters, named = letters_of(trees), functions_of(trees, of_class is not None)
    envelope = envelope.strip().lstrip("\\")
    _require_an_effect({n.base for tree in trees for n in tree.walk() if isinstance(n, Name)}, envelope, vectors)
    scalars = _numbers(of_class, envelope)
    choices = [readings(tree, Context(text, named, letters)) for text, tree in [(line, claim), *stated]]
    whole = line
    for k, (text, _) in enumerate(stated, 1):  # places in a condition are shown in the line with its conditions
        whole += ", where " if k == 1 else ", "
        choices[k] = [_shifted(one, len(whole)) for one in choices[k]]
        whole += text
    every = _every(whole, itertools.product(*choices), lambda one: kinds_of(whole, one, named, scalars, vectors))
    said, ids, texts = [], [], []
    ours: set[str] = set()
    theirs: set[str] = set()
    for number, trees_of in enumerate(every, 1):
        own = f"{id}@reading-{number}" if len(every) > 1 else id
        first, *rest = with_outcomes(trees_of, kinds_of(whole, trees_of, named, scalars, vectors))
        assert isinstance(first, Chain)
        kinds = kinds_of(whole, [first, *rest], named, scalars, vectors)
        checked([first, *rest], kinds, of_class is not None, bool(envelope))
        writer = Writer(first, rest, kinds, of_class, envelope, taken)
        if noise := random_of([first, *rest]):
            writer.notes.append(f"the expectation is over {noise}, all else is given")
        mine, problems, text = writer.claim_text(own, _title(first), _raw(line))
        shown = plain(first) + ("" if not rest else f", where {', '.join(plain(c) for c in rest)}")
        ours, theirs = ours | mine, theirs | problems
        said.append("; ".join([shown, *dict.fromkeys(writer.notes)]))
        ids.append(own)
        texts.append(text)
    python = file_of(plain_line(line), texts, ours, theirs)
    return Read(tuple(said), tuple(ids), python, tuple(texts), frozenset(ours), frozenset(theirs))


def file_of(title: str, texts: Iterable[str], ours: Collection[str], theirs: Collection[str]) -> str:
    """Claims as a file, with what they import from fedtheory and from problems."""
    head = f'"""{_escaped(title)}"""\n\n'
    head += f"from fedtheory import {', '.join(sorted(ours))}\nfrom problems import {', '.join(sorted(theirs))}\n"
    return head + "".join(f"\n\n{text}" for text in texts)


def _require_an_effect(names: Collection[str], envelope: str, vectors: Collection[str]) -> None:
    """Raise UsageError where an option is about what the line does not have."""
    if envelope and not envelope.isalpha():
        raise UsageError(f"--envelope must be the letter of a parameter, such as \\lambda, got {envelope!r}")
    if envelope and "F" not in names:
        raise UsageError(f"--envelope {envelope}: no F stands in the line, which would be the envelope of f")
    for letter in vectors:
        if letter not in names:
            raise UsageError(f"--vectors {letter}: no such letter stands in the line{did_you_mean(letter, names)}")


def _every(line: str, choices: Iterable[Sequence[Chain | Member]], kinds: Callable[[Any], Kinds]) -> list[list[Any]]:
    """Every reading of a line with its conditions, once."""
    out: list[list[Any]] = []
    for one in choices:
        known = kinds(one)
        trees = [settled(tree, known) for tree in one]
        summed = frozenset(n.bounds.index for tree in trees for n in tree.walk() if isinstance(n, Total))
        for found in indexed(trees, summed):
            if found not in out:
                out.append(found)
            if len(out) > MOST:
                raise Unread(line, 0, f"more than {MOST} readings with those of the conditions; set brackets")
    return out


def conditions(text: str) -> list[str]:
    """The conditions of one text, which commas outside of brackets, semicolons or "and" divide."""
    parts, start = [], 0
    fences: list[str] = []
    for k, letter in enumerate(text):
        before = text[:k].rstrip()[-1:]
        if text.startswith("\\langle", k):
            fences.append("\\langle")
        elif fences and text.startswith("\\rangle", k) and fences[-1] == "\\langle":
            fences.pop()
        elif letter in "([{" or (letter == "<" and text[k + 1 : k + 2] != "=" and (not before or before in "<=+-(,*/")):
            fences.append(letter)
        elif fences and (letter in ")]}" or (letter == ">" and fences[-1] == "<")):
            fences.pop()
        elif letter in ",;" and not fences and text[k - 1 : k] != "\\":
            parts.append(text[start:k])
            start = k + 1
    parts.append(text[start:])
    for left, right in itertools.pairwise(parts):
        if LEFT.fullmatch(left) and RIGHT.match(right):
            raise Unread(text, text.index(right), "is each between both? Say so of each: 0 <= a <= 1, 0 <= b <= 1")
    joined = [one for part in parts for one in re.split(r"\\text\{\s*and\s*\}|\band\b|\\q?quad\b", part)]
    out: list[str] = []
    waiting: list[str] = []  # a, b > 0 is said of both
    for one in (one for one in joined if one.strip(" $.")):
        if not SAYS.search(one):
            waiting.append(one)
            continue
        found = SHARED.match(one)
        out += [name.rstrip() + " " + found["rest"] for name in waiting] if found else waiting
        waiting = []
        out.append(one)
    return out + waiting


def _numbers(of_class: Class | None, envelope: str) -> set[str]:
    return {
        *(of_class.constants if of_class else ()),
        *({"lambda"} if of_class and "lam" in of_class.constants else ()),
        *([envelope] if envelope else []),
    }


def _shifted(of: Any, by: int) -> Any:
    """A tree whose places are so many letters further."""
    moved = of.map(lambda part: _shifted(part, by))
    return replace(moved, at=moved.at + by) if hasattr(moved, "at") else moved


def _title(claim: Chain) -> str:
    return _escaped(plain(claim))


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', "'''")


def plain_line(line: str) -> str:
    """A line as it was typed, in one line."""
    return " ".join(line.split())


def _raw(line: str) -> str:
    """A line within a raw string of three quotes."""
    text = plain_line(line)
    if text.endswith(("\\", '"')) or '"""' in text:
        raise UsageError(f"a line that ends in a backslash or a quote, or has three quotes, is not read: {text}")
    return text
