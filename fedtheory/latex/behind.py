"""What stands behind a relation: "for all t >= 0", "if", "where", "with", and sets that say nothing of a name."""

from __future__ import annotations

import re
from collections.abc import Callable

from .tokens import EVERYTHING, MEMBERS, Unread

WORDS = r"for\s+(?:all|any|every|each)|for|if|where|when(?:ever)?|with|provided(?:\s+that)?|given"
GAP = r"(?:[\s,;]|\\[,;:!> ]|\\q?quad(?![A-Za-z])|~)*"
IN_TEXT = rf"\\(?:text|textrm|mathrm|mbox)\s*\{{\s*,?\s*(?:{WORDS})\s*\}}"
BEHIND = re.compile(rf"{GAP}(?:{IN_TEXT}|\\forall(?![A-Za-z])|(?<=\s)(?:{WORDS})(?=[\s\\$]))")
NAMES = r"\\?[A-Za-z]+(?:[_^](?:\w|\{[^}]*\}))*'*"
SEVERAL = rf"{NAMES}(?:\s*,\s*{NAMES})*"
IN_ALL = re.compile(
    rf"(?:{GAP}[,\s]|\\q?quad){GAP}{SEVERAL}\s*(?:\\in(?![A-Za-z])|∈)\s*(?:{EVERYTHING.pattern})[\s.$]*$"
)
DOTS = r"(?:\\[lc]?dots|\.\.\.)"
ONLY_NAMES = re.compile(
    rf"[\s$]*(?:{SEVERAL}|[ij]\s*=\s*1\s*,\s*{DOTS}\s*,\s*\w|[tkr]\s*=\s*0\s*,\s*1?\s*,?\s*{DOTS}\s*,?\s*(?:\w\s*-\s*1)?)[\s.$]*"
)


def apart(line: str, conditions: Callable[[str], list[str]]) -> tuple[str, list[str]]:
    """A relation, and the conditions that stand behind it.

    Parameters
    ----------
    line : str
        The line, or a condition.
    conditions : callable
        The conditions of one text, by commas.

    Raises
    ------
    Unread
        If words stand behind the relation that are no conditions.
    """
    found = BEHIND.search(line)
    if found is None or not line[: found.start()].strip():
        everything = IN_ALL.search(line)
        head = line[: everything.start()] if everything else ""
        return (head if head.strip() else line), []
    rest = line[found.end() :]
    if not rest.strip(" .$"):
        raise Unread(line, found.start(), "words stand behind the relation, and no condition behind them")
    if ONLY_NAMES.fullmatch(rest) and "for" in found.group():
        return line[: found.start()], []
    head, said = apart(rest, conditions)
    parts = [one.strip(" .$") for one in conditions(head) if not says_nothing(one)]
    return line[: found.start()], [*parts, *said]


def says_nothing(one: str) -> bool:
    """Whether a condition puts a name into a set of everything."""
    member = MEMBERS.search(one)
    return member is not None and EVERYTHING.fullmatch(member[1].strip(" .$")) is not None
