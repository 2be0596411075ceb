"""Proofs of lemmas as text, by which they are stored, and back; what a search found or sought in vain is not sought again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ....errors import NotApplicable
from ....formats import Json
from ...context import Stored
from ...z3.trees import z3_module
from .facts import NOT, Term, read

IN_VAIN = "searches in vain"  # stored where so many linear programs, and all beside them, led to no proof
Search = Callable[[Mapping[str, str]], "tuple[dict[str, Any], dict[str, str]]"]


def sought(stored: Stored, key: str, programs: int, search: Search) -> Json | None:
    """The part of a certificate that a search finds, which is told the proofs stored under a key; None if it finds none.

    New proofs are stored, and so is a search of so many linear programs that was in vain, which is not made again.
    """
    recalled = stored.get(key, [{}])[0]
    if 0 < programs <= int(recalled.get(IN_VAIN, 0)):
        return None
    try:
        part, found = search(recalled)
    except (NotApplicable, ZeroDivisionError, z3_module().Z3Exception):
        if programs:
            stored[key] = [{IN_VAIN: str(programs)}]
        return None
    if found:
        stored[key] = [found]
    return part


def remember(proof: Sequence[Term], prover: Any) -> str:
    """The terms of a proof as text, facts by what they say."""
    said = [
        [
            str(t.c),
            {i if i == NOT else str(prover.facts[i].poly): e for i, e in t.facts.items()},
            [str(q) for q in t.squares],
        ]
        for t in proof
    ]
    return json.dumps(said)


def recall(text: str, prover: Any) -> tuple[Term, ...] | None:
    """The terms of a stored proof; None where it speaks of facts that are not at hand."""
    try:
        return tuple(
            Term(
                _weight(c, prover),
                {_place(name, prover): int(e) for name, e in facts.items()},
                tuple(read(q, prover.ring) for q in qs),
            )
            for c, facts, qs in json.loads(text)
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _weight(text: str, prover: Any) -> Any:
    """A rational, or the polynomial before an equation."""
    try:
        return Fraction(text)
    except ValueError:
        return read(text, prover.ring)


def _place(name: str, prover: Any) -> Any:
    """The place of the fact that says this of a polynomial; it is shown where it is stored or easily shown."""
    if name == NOT:
        return NOT
    for _ in range(2):
        for i, fact in enumerate(prover.facts):
            if str(fact.poly) == name and fact.op != "!=":
                return i
        prover.show_again(read(name, prover.ring))
    raise KeyError(name)
