"""A lemma about functions at a substitution: its leaves as expressions of a model's leaves, and what it then says.

The lemma runs twice, on leaves of its own and on what is given for these in the model. Both times its functions are asked in
the same order, so that an answer in the lemma stands for one in the model. What it says in the model has to be what it says of
its own leaves with those of the model in their place; and what is known of its leaves, the inequalities of its class and its
conditions at points, has to be known of the model's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from ...bodies import attempt, takes_one
from ...claim import Claim
from ...errors import NotApplicable
from ...gram.forms import GENERIC_SIZES, SIZES, Form, Gap, Rows, Space, gaps
from ...gram.generic import OWN, SELECTED
from ...gram.generic_space import GenericSpace
from ...gram.ratio import nonzero, symbols
from ...instance import Instance, Later
from ...numbers import Count
from ...relation import as_relations
from ...world import Described
from ..certificates.cases import Case, cases_of, counts, one_drawn
from ..prove.induction import NotShown
from .state import State, canonical, value_at

Given = Mapping[str, Callable[..., Any]]
Call = tuple[str, Any, Any]  # of a point: its gradient and its value; of the greatest lower bound, the latter


class Asked:
    """Functions that note the point at which they are asked, by what is known of it: gradient and value."""

    def __init__(self, f: Any, calls: list[Call]) -> None:
        self.f, self.calls = f, calls

    @property
    def m(self) -> Any:
        return self.f.m

    def grad(self, W: Any) -> Any:
        return self._at(W)[0]

    def value(self, W: Any) -> Any:
        known = self._at(W)[1]
        return self.f.value(W) if known is None else known  # which says that there are none

    def infimum(self) -> Any:
        least = self.f.infimum()
        self.calls.append(("infimum", None, least))
        return least

    def prox(self, W: Any, lam: Any) -> Any:
        theta = self.f.prox(W, lam)
        self._at(theta)
        return theta

    def _at(self, W: Any) -> tuple[Any, Any]:
        known = self.f.grad(W), self.f.value(W) if getattr(self.f, "valued", True) else None  # operators have no values
        self.calls.append(("point", *known))
        return known


@dataclass
class Placed:
    """One case of a lemma in one case of a model.

    Attributes
    ----------
    where : str
        The case of the lemma.
    says : list of (operator, Gap)
        Its relations in the model, in the mean over the draws of a random step.
    own : list of (operator, Gap)
        Its relations over its own leaves.
    rows : list of (name, Form, name)
        What is known of its own leaves, with what it is in the model: the name of the inequality there that is the same.
    scalars : dict
        Its scalars and sizes in those of the model.
    """

    where: Case
    space: Space
    says: list[tuple[str, Gap]]
    own: list[tuple[str, Gap]]
    images: Images
    scalars: Mapping[str, Any]
    rows: list[tuple[str, Form, str]] = field(default_factory=list)


@dataclass
class Images:
    """What stands for the leaves and values of a lemma in a model; those of the mean and the selected clients follow."""

    own: Space
    model: Space
    scalars: Mapping[str, Any]
    leaves: dict[int, Any] = field(default_factory=dict)
    values: dict[int, Form] = field(default_factory=dict)

    def vector(self, slot: int) -> Any:
        """The row of the model for a leaf of the lemma."""
        if slot in self.leaves:
            return self.leaves[slot]
        numbers: Any = self.own.numbers
        there: Any = self.model.numbers
        for own, bar in getattr(numbers, "bars", {}).items():
            if bar == slot:
                return _row(there.mean_vec(self.vector(own)[None])).view(Rows)
        for own, chosen in getattr(numbers, "selecteds", {}).items():
            if chosen == slot:
                return _row(there.total_vec(self.vector(own)[None], there.selections(0, 0)[0], None)).view(Rows)
        raise NotShown(f"nothing stands for {self.own.leaves[slot]} in the model")

    def value(self, k: int) -> Form:
        """The form of the model for a value of the lemma."""
        if k in self.values:
            return self.values[k]
        for own, mean in getattr(self.own.numbers, "mean_values", {}).items():
            if mean == k:
                return self._one(self.model.numbers.mean(self._many(self.value(own))))
        raise NotShown(f"nothing stands for {self.own.values[k]} in the model")

    def form(self, form: Form) -> Form:
        """A form over the lemma's leaves, over those of the model."""
        there = self.model.numbers
        total = Form({})
        for key, c in form.clean().items():
            factor = value_at(c, self.scalars)
            if key[:1] == ("v",):
                part = self.value(key[1])
            elif key:
                part = self._one(there.dot(self.vector(key[1])[None], self.vector(key[2])[None]))
                if key[0] == "M":
                    part = self._one(there.mean(self._many(part)))
            else:
                part = Form({(): Fraction(1)})
            total = total + part * factor
        return total

    def _many(self, form: Form) -> Any:
        out = np.empty(1, dtype=object)
        out[0] = form
        return self.model.per_client(out)

    @staticmethod
    def _one(value: Any) -> Form:
        return Form.of(np.asarray(value, dtype=object).view(np.ndarray).reshape(-1)[0])


def placed(claim: Claim, at: Given, state: State, where: str) -> list[Placed]:
    """The lemma in one case of a model, once for each draw of a random step.

    Raises
    ------
    NotShown
        If something does not fit.
    """
    world: Any = claim.world
    require_form(claim, where)
    require_same_means(f"{where}: {claim.id}", world, state.world)
    at = {**_after_a_step(at, world, state), **at}
    case = _case_of(claim, state, where)
    space, own, own_calls, given = _alone(claim, case)
    images_of = []
    draws = state.x._draws if state.world.random else (None,)
    for draw in draws:
        there = moved(state, draw)
        calls: list[Call] = []
        scalars, names = _names(claim, at, there, state, calls, where)
        numbers = state.space.numbers
        shape = {**case.shape, **{k: v for k, v in state.case.shape.items() if k in case.shape}}
        y = world.among(names, shape, numbers, _draws(world, state, names, where))
        star = _asked_by_class(world, y)
        if star is not None and any(nonzero(c) for c in _row(numbers.mean_vec(star))):
            raise NotShown(
                f"{where}: {claim.id} is about a minimiser, and w_star is none of these functions in the model"
            )
        says = [(r.op, gap) for r in as_relations(claim.body(y), claim.id) for gap in gaps(r)]
        if [op for op, _ in says] != [op for op, _ in own]:
            raise NotShown(f"{where}: {claim.id} says other relations in the model than by itself")
        images = Images(space, state.space, scalars)
        _match(images, world, given, names, own_calls, calls, where)
        for (_, theirs), (_, mine) in zip(says, own, strict=True):
            for a, b in ((theirs.lhs, mine.lhs), (theirs.rhs, mine.rhs)):
                if canonical(a) != canonical(images.form(b)):
                    raise NotShown(
                        f"{where}: {claim.id} says another thing in the model than with the model in its place"
                    )
        images_of.append(Placed(case, space, says, own, images, scalars))
    return images_of


def _after_a_step(at: Given, world: Any, state: State) -> dict[str, Callable[..., Any]]:
    """What stands after a step for the points of a lemma that are new at every step, and so may be any vectors.

    What stands for them at the next state, or at this one where the next is an expectation or not known.
    """
    new = world.new_names() if hasattr(world, "new_names") else {}
    stand = {name: at.get(name, partial(of_name, name)) for name in new}
    own = {name for name, after in new.items() if name not in at and after in state.x._names}
    return {new[name]: partial(_at_next, fn, state.world.random) for name, fn in stand.items() if name not in own}


def of_name(name: str, x: Instance) -> Any:
    """What has a name in an instance."""
    return getattr(x, name)


def _at_next(fn: Callable[..., Any], random: bool, x: Instance) -> Any:
    with suppress(NotApplicable):  # such as what is chosen there, which is not known
        return fn(x if random else x.next)
    return fn(x)


def require_form(claim: Claim, where: str) -> None:
    """Raise NotShown unless a lemma is about functions at points, or one step."""
    world: Any = claim.world
    if world.batched_scalars or world.index or not hasattr(world, "among"):
        raise NotShown(f"{where}: {claim.id} is not about functions")
    if any(s.per_client for s in world.scalars.values()):
        raise NotShown(f"{where}: {claim.id} has scalars of each client")


def require_same_means(said: str, world: Described, model: Described) -> None:
    """Raise NotShown where means are by weights in one of two worlds of several clients, and plain in the other."""
    if bool(world.parts().weights) != bool(model.parts().weights) and max(world.sizes.get("m", (1,))) > 1:
        raise NotShown(f"{said} has other means over the clients, by weights or plain")


def _case_of(claim: Claim, state: State, where: str) -> Case:
    """The case of the lemma that serves one of the model: the same one, or one client for each of several."""
    cases, complete = cases_of(claim.world)
    if not complete:
        raise NotShown(f"{where}: {claim.id} is about sizes that are listed ({', '.join(c.name for c in cases)})")
    if state.case.sizes == ("m",) and state.drawn and one_drawn(claim.world, cases):
        cases = one_drawn(claim.world, cases)
    here = {name: n for name, n in state.case.shape.items() if name in state.world.chosen}
    cases = [c for c in cases if all(c.shape.get(name, n) == n for name, n in here.items())]
    same = [c for c in cases if bool(c.sizes) is state.generic]
    if same:
        return same[0]
    alone = [c for c in cases if not c.sizes]
    if alone and max(claim.world.sizes.get("m", (1,))) == 1:  # about one function, and so about that of any client
        return alone[0]
    raise NotShown(f"{where}: {claim.id} is not about {state.case.name or 'these clients'}")


def _alone(claim: Claim, case: Case) -> tuple[Space, list[tuple[str, Gap]], list[Any], Instance]:
    """The lemma over leaves of its own: its space, its relations, the answers of its functions, and its instance."""
    world: Any = claim.world
    params = symbols([*world.scalars, *case.sizes])
    space = GenericSpace(counts(case, params), GENERIC_SIZES[-1]) if case.sizes else Space(SIZES[-1])
    x = world.abstract({name: params[name] for name in world.scalars}, case.shape, space)
    calls: list[Call] = []
    given = {**x._names, **({"f": Asked(x._names["f"], calls)} if "f" in x._names else {})}
    y = world.among(given, case.shape, space.numbers, x._draws)
    _asked_by_class(world, y)
    own = [(r.op, gap) for r in as_relations(claim.body(y), claim.id) for gap in gaps(r)]
    space.close()
    return space, own, calls, x


def _asked_by_class(world: Any, y: Instance) -> Any:
    """The gradients at w_star, so that it is among the points at which the functions are known; None where there is none.

    Where the diversity is bounded, so are those at the points of the server at which it is; and a class that is bounded below is
    asked for the bounds.
    """
    if world.f is not None and world.f.bounded_below:
        y.f.infimum()
    if world.diversity:
        for name in world.at:
            if not isinstance(y._names[name], Later):
                y.f.grad(y._names[name])
    return (y.F if world.optimum_of == "F" else y.f).grad(y.w_star) if world.optimum_of else None


def moved(state: State, draw: Any) -> Instance:
    """The instance of the model, with the points after a step of this draw as its next."""
    if not state.world.random:
        return state.x
    world = state.world.one_step
    fresh = {name: state.x._names[new] for name, new in world.new_names().items()}
    return state.x.at(next=world.moved(state.x, draw, fresh))


def _names(
    claim: Claim, at: Given, x: Instance, state: State, calls: list[Any], where: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """(the lemma's scalars and sizes, all that is given for it) in the model."""
    world: Any = claim.world

    def of(name: str, kind: str) -> Any:
        if name in at:
            return expression(at[name], x, state, f"{where}: {claim.id}, {name}")
        if name not in x._names:
            raise NotShown(f"{where}: {claim.id} has {kind} {name}, which is nothing in the model; give {name}=...")
        return x._names[name]

    scalars: dict[str, Any] = {}
    for name in world.scalars:
        try:
            scalars[name] = _number(of(name, "a scalar"), f"{where}: {claim.id}, {name}")
        except NotApplicable as error:  # no rational function of the model's parameters, so no part of a form
            scalars[name] = lacking(f"{where}: {claim.id}, {name}: {error}", None)
    sizes = counts(state.case, state.params)
    names: dict[str, Any] = dict(scalars)
    many = state.generic and max(world.sizes.get("m", (1,))) > 1  # or it is about one function, that of any client
    for name in world.at:
        names[name] = _vector(of(name, "a point"), state, many, f"{where}: {claim.id}, {name}")
    for name in world.clients_at:
        names[name] = _vector(of(name, "a point"), state, False, f"{where}: {claim.id}, {name}")
    for name, kind in world.parts().mixing.items():
        names[name] = of(name, "a mixing matrix")
        own = getattr(names[name], "kind", None)
        if not isinstance(own, type(kind)) or own.random != kind.random:
            raise NotShown(f"{where}: {claim.id}, {name} is a mixing matrix in the lemma, and none of its kind here")
    if world.f is not None:
        if "f" not in x._names:
            raise NotShown(f"{where}: {claim.id} is about functions, and the model has none")
        names["f"] = Asked(of("f", "functions"), calls)
        if world.optimum_of:
            names["w_star"] = _vector(of("w_star", "the minimiser"), state, many, f"{where}: {claim.id}, w_star")
        if world.diversity:
            names[world.diversity] = of(world.diversity, "a diversity")
    return {**scalars, **sizes}, names


def lacking(why: str, x: Any) -> Any:
    """A quantity of a theorem that the claim's run does not have; it is an error only where it is read."""

    def refuse() -> Any:
        raise NotShown(why)

    return Later(refuse)


def expression(fn: Callable[..., Any], x: Instance, state: State, where: str) -> Any:
    """What is given for a name, in the model."""
    return attempt(lambda y: given_by(fn, y, state.params["t"]), x, where)


def _number(value: Any, where: str) -> Any:
    if isinstance(value, np.ndarray):
        if value.view(np.ndarray).size != 1:
            raise NotShown(f"{where} is one number in the lemma, and one a client here")
        value = value.reshape(-1)[0]
    if isinstance(value, Form):
        raise NotShown(f"{where} depends on the state, and a lemma is used at numbers that do not")
    return value


def _vector(value: Any, state: State, shared: bool, where: str) -> Any:
    """A vector of the server or of the clients."""
    if isinstance(value, Later):  # nothing is known of it
        return value
    if not isinstance(value, Rows):
        raise NotShown(f"{where} is a point in the lemma, and no vector here")
    kinds = getattr(state.space.numbers, "kinds", [])
    row = value.view(np.ndarray).reshape(-1, value.view(np.ndarray).shape[-1])[0]
    if shared and any(kinds[k] == OWN for k, c in enumerate(row) if k < len(kinds) and nonzero(c)):
        raise NotShown(f"{where} is a vector of the server in the lemma, and one of each client here")
    return value


def _draws(world: Any, state: State, names: Mapping[str, Any], where: str) -> Any:
    """The draws of a lemma: its outcomes, or the selection of S clients that the model has."""
    mine, theirs = (one.parts().participation for one in (state.world, world))
    if world.parts().noise is not None:
        raise NotShown(f"{where}: the lemma is about errors, and the model has points in their place")
    if mine != theirs and (theirs or "S" in world.sizes):
        raise NotShown(f"{where}: clients take part in the lemma otherwise than in the model")
    if theirs and "S" not in world.sizes:
        return state.x._draws
    if "S" not in world.sizes:
        parts = world.parts()
        told = parts.chances is not None or any(kind.random for kind in parts.mixing.values())
        return world.draws({}, state.space.numbers, names) if told else parts.outcomes
    if "S" not in state.world.sizes:
        raise NotShown(f"{where}: the lemma draws S clients, and the model draws none")
    if world.sizes["S"] == (1,) != state.world.sizes["S"]:
        raise NotShown(f"{where}: the lemma draws one client, and the model other numbers of them")
    return state.x._draws


def _match(
    images: Images, world: Any, x: Instance, names: Mapping[str, Any], own: list[Any], there: list[Any], where: str
) -> None:
    """Enter what stands for the named points, and for what the functions answered."""
    if [what for what, *_ in own] != [what for what, *_ in there]:
        raise NotShown(f"{where}: the lemma asks its functions other things in the model")
    for name in (*world.at, *world.clients_at, *(("w_star",) if world.optimum_of else ())):
        _enter(images, x._names[name], names[name], where)
    if world.diversity:
        _enter_value(images, x._names[world.diversity], names[world.diversity], where)
    for (what, gradient, value), (_, other, height) in zip(own, there, strict=True):
        if what == "point":
            _enter(images, gradient, other, where)
        if value is not None and height is not None:
            _enter_value(images, value, height, where)
    made = []
    for name in world.parts().mixing:
        mine, other = x._names[name], names[name]
        made += [(u, mixed, other.beside_mean) for u, mixed in mine.mixed]
        made += [(u, off, other.beside_draws) for u, off in getattr(mine, "off", ())]
    _enter_mixed(images, made, where)


def _enter_mixed(
    images: Images, made: list[tuple[np.ndarray, np.ndarray, Callable[[np.ndarray], np.ndarray]]], where: str
) -> None:
    """Enter what stands for what matrices make of vectors, each after those of which it is made."""
    while made:
        left = []
        for u, mixed, of in made:
            try:
                row = sum((images.vector(k) * c for k, c in enumerate(_row(u)) if nonzero(c)), images.model.zero())
            except NotShown:
                left.append((u, mixed, of))
                if len(left) == len(made):
                    raise
            else:
                _enter(images, mixed, of(row[None].view(Rows)), where)
        made = left


def _row(value: Any) -> np.ndarray:
    plain = np.asarray(value, dtype=object).view(np.ndarray)
    return plain.reshape(-1, plain.shape[-1])[0]


def _enter(images: Images, mine: Any, other: Any, where: str) -> None:
    """The row of the model stands for the leaf of which a row of the lemma consists, less its mean where that is centred."""
    if isinstance(other, Later):
        return
    row, target = _row(mine), _row(other).view(Rows)
    used = [k for k, c in enumerate(row) if nonzero(c)]
    kinds = getattr(images.own.numbers, "kinds", None)
    free = [k for k in used if k not in images.leaves and (kinds is None or kinds[k] not in ("bar", SELECTED))]
    if not used:
        return
    if len(free) == 1 and len(used) <= 2:
        images.leaves.setdefault(free[0], target if row[free[0]] == 1 else target * (1 / row[free[0]]))


def _enter_value(images: Images, mine: Any, other: Any, where: str) -> None:
    form, target = Images._one(mine), Images._one(other)
    ((key, c),) = form.clean().items()
    if key[:1] != ("v",) or c != 1:
        raise NotShown(f"{where}: a value of the lemma is no value of its own")
    images.values.setdefault(key[1], target)


def given_by(fn: Callable[..., Any], x: Instance, *t: Any) -> Any:
    """What a function of an instance, or of one and t, gives; a whole number as an exact one."""
    value = fn(x) if takes_one(fn) else fn(x, *t)
    return x.ratio(value, 1) if isinstance(value, int) and not isinstance(value, (bool, Count)) else value
