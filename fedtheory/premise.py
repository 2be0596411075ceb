"""A lemma as a premise: a claim that another one is given, at the arguments at which it uses it.

A claim about quantities, such as E|w_t - w*|^2 for every t, is proved from what lemmas say of them. A lemma is a claim of its
own, about functions, points or a step of a method; `meaning` says what the quantities are there. So its relation is written
once, as a function of quantities: in the lemma's world they are what they mean, where it is checked to be what the lemma
says; in the world of the claim that uses it they are scalars and elements of sequences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .relation import Condition

Names = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True)
class Premise(Condition):
    """A condition that is what a claim says; `fedtheory.lemma` makes it.

    Attributes
    ----------
    claim : Claim
        The lemma.
    says : callable
        Its relation ``(x)``, or ``(x, t)`` for every t, of an instance that has the quantities by name.
    meaning : dict of callables
        The quantities by name, as functions of an instance of the lemma's world; one name means the same in all lemmas.
    names : dict of callables
        Names that `meaning` uses and the lemma's world calls otherwise, such as the point ``w``.
    then : callable or None
        The value after one step of what a quantity means: ``(x, quantity)``, for the elements at t + 1 of sequences.
    at : dict of callables
        Scalars of the lemma at which it is used, as functions of the user's instance (and of t).
    """

    claim: Any = field(kw_only=True)  # a Claim, which is made of conditions
    says: Callable[[Any], Any] = field(kw_only=True)
    meaning: Names = field(kw_only=True)
    names: Names = field(kw_only=True)
    then: Callable[[Any, Callable[[Any], Any]], Any] | None = field(kw_only=True)
    at: Names = field(kw_only=True)
