"""What a claim stands on, as data: lemmas that are used by substitution, and facts that are assumed and listed.

A lemma is a claim of its own. ``use(lemma, w=lambda x: ..., lam=lambda x: 2*x.L)`` gives what its points, scalars, functions
and sequences are where it is used, each as an expression of the claim's own world; what is not given is what has the same
name there. What the lemma then says is computed from its body and never written a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .bodies import takes_one
from .errors import UsageError, did_you_mean
from .relation import Condition

if TYPE_CHECKING:
    from .quantity import Quantity


@dataclass(frozen=True)
class Use:
    """A lemma at a substitution; `use` makes it.

    Attributes
    ----------
    claim : Claim
        The lemma.
    at : dict of callables
        What its names are where it is used: functions ``(x)`` of the user's instance, or ``(x, t)`` at every t.
    """

    claim: Any
    at: Mapping[str, Callable[..., Any]] = field(default_factory=dict)

    @property
    def at_every_t(self) -> bool:
        """Whether what is given depends on t."""
        return any(not takes_one(fn) for fn in self.at.values())


@dataclass(frozen=True)
class Assumed(Condition):
    """A fact that is taken for granted, why, and which row would prove it; what rests on it says so."""

    would_be: str = ""


@dataclass(frozen=True)
class Printed(Condition):
    """What a paper states of a whole run that never ends; `printed` makes it."""


def use(claim: Any, **at: Callable[..., Any]) -> Use:
    """A lemma at a substitution, for ``claim(..., by=(...))``.

    Parameters
    ----------
    claim : Claim
        The lemma.
    **at : callables
        What its points, scalars, functions and sequences are where it is used, as functions of the user's instance, ``(x)``, or
        of the instance and t. What is not given is what has the same name there.

    Raises
    ------
    UsageError
        If `claim` is no claim, a name is none of the lemma's, or what is given is no function.

    Examples
    --------
    >>> from fedtheory import claim, le, use
    >>> from problems import Scalars, positive
    >>> @claim("draft/am-gm", world=Scalars(a=positive(), b=positive()))
    ... def am_gm(x):
    ...     return le(2*x.a*x.b, x.a**2 + x.b**2)
    >>> @claim("draft/double", world=Scalars(c=positive()), by=(use(am_gm, a=lambda x: x.c, b=lambda x: 2*x.c),))
    ... def double(x):
    ...     return le(4*x.c**2, 5*x.c**2)
    >>> sorted(double.by[0].at)
    ['a', 'b']
    """
    world = getattr(claim, "world", None)
    if world is None:
        raise UsageError(f"use(claim, ...) needs a claim made by @claim(...), got {claim!r}")
    known = names_of_lemma(world)
    for name, fn in at.items():
        if name not in known:
            raise UsageError(
                f"use({claim.id}, {name}=...): the lemma has no {name} (it has {', '.join(known)}){did_you_mean(name, known)}"
            )
        if not callable(fn):
            raise UsageError(f"use({claim.id}, {name}=...) must be a function of the instance, got {fn!r}")
    return Use(claim, at)


def names_of_lemma(world: Any) -> tuple[str, ...]:
    """The names of a lemma's world for which something may be given: all but what it computes from them."""
    points: tuple[str, ...] = ()
    if hasattr(world, "among"):  # there are functions and points
        points = (*world.at, *world.clients_at, *(("f",) if world.f is not None else ()))
        points += ("w_star",) if world.optimum_of else ()
    parts = world.parts()
    points += tuple(parts.mixing)
    scalars = tuple(name for name in world.scalars if name not in parts.listed)
    return (*scalars, *parts.sequences, *((world.index,) if world.index else ()), *points)


def assumed(because: str, relation: Callable[..., Any], *, would_be: str = "") -> Assumed:
    """A fact that is taken for granted where a claim is proved; it is listed wherever the verdict stands.

    Parameters
    ----------
    because : str
        What is assumed and why, as a reader needs it.
    relation : callable
        The fact, a function of the claim's instance, or of the instance and t where it holds at every t.
    would_be : str
        The row that would prove it.

    Raises
    ------
    UsageError
        If there is no reason, or `relation` is no function.
    """
    if not isinstance(because, str) or not because or not callable(relation):
        raise UsageError(f"assumed(why, relation) needs a text and a function, got {because!r} and {relation!r}")
    return Assumed(because, "", relation, would_be)


def printed(text: str, relation: Callable[..., Any], where: str = "") -> Printed:
    """What a paper states of a whole run, such as that every client is selected again and again, for ``claim(..., by=(...))``.

    Parameters
    ----------
    text : str
        As the paper states it.
    relation : callable
        From the claim's instance to ``recurs(...)`` of `fedtheory.limits`.
    where : str
        Its place in the paper.

    Raises
    ------
    UsageError
        If there is no text, or `relation` is no function.
    """
    if not isinstance(text, str) or not text or not callable(relation):
        raise UsageError(f"printed(text, relation) needs a text and a function, got {text!r} and {relation!r}")
    return Printed(text, where, relation)


class Terms:
    """A sequence by a formula of its index, at which a lemma about sequences is used."""

    listed = ()

    def __init__(self, term: Callable[[Quantity], Quantity]) -> None:
        self.term = term

    def __getitem__(self, t: Quantity) -> Quantity:
        return self.term(t)
