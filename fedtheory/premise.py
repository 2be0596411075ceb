"""A lemma as a premise: a claim that another one is given, at the arguments at which it uses it.

A claim about quantities, such as E|w_t - w*|^2 for every t, is proved from what lemmas say of them. A lemma is a claim of its
own, about functions, points or a step of a method; `meaning` says what the quantities are there. So its relation is written
once, as a function of quantities: in the lemma's world they are what they mean, where it is checked to be what the lemma
says; in the world of the claim that uses it they are scalars and elements of sequences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from .relation import Condition, as_relations

Names = Mapping[str, Callable[..., Any]]
TAKEN = "stated, not proved"  # what evidence calls the conditions that are `Inherent`


@dataclass(frozen=True)
class Inherent(Condition):
    """A condition that quantities meet by what they mean, such as that an infimum is below every value; it is stated, not proved.

    Who uses a lemma with such a condition takes it over where it is about the lemma's quantities alone, and has to meet it
    where it is about what the user chooses.
    """


@dataclass(frozen=True)
class Change:
    """A quantity of a step, such as <grad f(w_t), w_{t+1} - w_t>: `of` is ``(before, after)``, `step` as a lemma's `then`."""

    of: Callable[..., Any]
    step: Callable[[Any, Callable[[Any], Any]], Any]

    def __call__(self, x: Any) -> Any:
        return self.step(x, partial(self.of, x))


class Following(Change):
    """What a quantity is after one step: `of` is a function of the instance after it."""

    def __call__(self, x: Any) -> Any:
        return self.step(x, self.of)


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
    to : dict of str
        Points at which a step ends, by those that it moves, where the lemma holds for any step: ``{"w": "w_next"}``.
    at : dict of callables
        Scalars of the lemma at which it is used, as functions of the user's instance (and of t).
    along : callable or None
        ``(x, t)``: the points of a run at t by the names that `meaning` uses, where a claim about runs is what the lemma says.
    over : callable or None
        The whole numbers t for which it is used, as a function of the user's instance.
    """

    claim: Any = field(kw_only=True)  # a Claim, which is made of conditions
    says: Callable[..., Any] = field(kw_only=True)
    meaning: Names = field(kw_only=True)
    names: Names = field(kw_only=True)
    then: Callable[[Any, Callable[[Any], Any]], Any] | None = field(kw_only=True)
    to: Mapping[str, str] = field(kw_only=True, default_factory=dict)
    at: Names = field(kw_only=True)
    along: Callable[[Any, Any], Mapping[str, Any]] | None = field(kw_only=True, default=None)
    over: Callable[[Any], Any] | None = field(kw_only=True, default=None)

    @property
    def meaning_here(self) -> Names:
        """`meaning` in the lemma's own world, where a step may end at any point."""
        return {
            name: replace(fn, step=self._any_step) if self.to and isinstance(fn, Change) else fn
            for name, fn in self.meaning.items()
        }

    @property
    def then_here(self) -> Callable[[Any, Callable[[Any], Any]], Any] | None:
        """`then` in the lemma's own world."""
        return self._any_step if self.to else self.then

    def _any_step(self, x: Any, of: Callable[[Any], Any]) -> Any:
        ends = {name: getattr(x, end) for name, end in self.to.items()}
        moved = any(name != end for name, end in self.to.items())
        world = self.claim.world
        still = {*world.at, *world.clients_at, *world.own_names, *self.names} if moved else set()
        return of(x.without(still - self.to.keys()).at(**ends))  # the step itself may move what is left out too

    def views(self, x: Any) -> list[Any]:
        """A run's instance as the lemma sees it, at every t for which it is used: the quantities are those of the run."""
        from .instance import Later  # with which numbers come; a claim alone needs none

        means, sequences = quantities(self.claim), getattr(self.claim.world, "sequences", ())
        own = {
            name: Along(x, self.along, of) if name in sequences else Later(partial(_at_start, x, self.along, of))
            for name, of in means.items()
        }
        places = [(t,) for t in self.over(x)] if self.over else [()]
        return [x.at(**own, **{name: fn(x, *t) for name, fn in self.at.items()}) for t in places]

    def all_of(self, x: Any) -> list[Any]:
        """Its relations on one instance of a run, at every t for which it is used."""
        return [r for view in self.views(x) for r in as_relations(self.says(view), self.printed)]


def lemmas_of(world: Any) -> list[Premise]:
    """The lemmas among the conditions of a world."""
    return [c for c in (*world.given, *every_of(world)) if isinstance(c, Premise)]


def without_lemmas(world: Any) -> Any:
    """A world with the conditions alone that it states itself."""
    stated = {"given": world.given, **({"every": every} if (every := every_of(world)) else {})}
    own = {name: tuple(c for c in them if not isinstance(c, Premise)) for name, them in stated.items()}
    return replace(world, **own)


def every_of(world: Any) -> tuple[Condition, ...]:
    """What holds for every t in a world of sequences."""
    return getattr(world, "every", ())


class Along:
    """A quantity along a run: what it means at the run's points."""

    def __init__(self, x: Any, along: Callable[[Any, Any], Mapping[str, Any]] | None, of: Callable[[Any], Any]) -> None:
        self.x, self.along, self.of = x, along, of

    def __getitem__(self, t: Any) -> Any:
        return self.of(self.x.at(**self.along(self.x, t)) if self.along else self.x)


def _at_start(x: Any, along: Callable[[Any, Any], Mapping[str, Any]] | None, of: Callable[[Any], Any]) -> Any:
    return Along(x, along, of)[0]


def quantities(claim: Any) -> dict[str, Callable[[Any], Any]]:
    """What the scalars and sequences of a claim mean that lemmas speak of, by name; the others are any numbers."""
    own = (*claim.world.scalars, *getattr(claim.world, "sequences", ()))
    out: dict[str, Callable[[Any], Any]] = {}
    for p in claim.premises:
        for name, fn in (p.meaning or quantities(p.claim)).items():
            if name in own and name not in p.at:
                out.setdefault(name, fn)
    return out


class Terms:
    """A sequence of an instance by a formula of its index, at which a lemma about sequences may be used."""

    def __init__(self, x: Any, term: Callable[[Any], Any]) -> None:
        self.x, self.term = x, term

    def __getitem__(self, t: Any) -> Any:
        return self.term(self.x.ratio(int(t), 1) if isinstance(t, int) else t)


def at_t(claim: Any, x: Any, t: Any) -> Any:
    """An instance with sequences, as a lemma sees it at t: one about a length at that length, one about quantities at t.

    What follows a quantity stands at t + 1.
    """
    if claim.world.index:
        return x.at(**{claim.world.index: t})
    means = quantities(claim)
    place = {id(fn): name for name, fn in means.items()}
    names = {}
    for name, fn in means.items():
        source = place.get(id(fn.of), name) if isinstance(fn, Following) else name
        if source not in x._names:  # it occurs in the lemma's proof alone
            continue
        sequence = getattr(x, source)
        names[name] = (
            sequence[t + 1] if isinstance(fn, Following) else sequence[t] if hasattr(sequence, "listed") else sequence
        )
    return x.at(**names)
