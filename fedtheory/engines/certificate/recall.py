"""Proofs of lemmas as text, by which they are stored, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from .facts import NOT, Term, read


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
                Fraction(c),
                {_place(name, prover): int(e) for name, e in facts.items()},
                tuple(read(q, prover.ring) for q in qs),
            )
            for c, facts, qs in json.loads(text)
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _place(name: str, prover: Any) -> Any:
    """The place of the fact that says this of a polynomial; it is shown where it is easily shown."""
    if name == NOT:
        return NOT
    for _ in range(2):
        for i, fact in enumerate(prover.facts):
            if str(fact.poly) == name and fact.op != "!=":
                return i
        poly = read(name, prover.ring)
        prover.sign(poly) or prover.product(poly, ">=")
    raise KeyError(name)
