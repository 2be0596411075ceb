"""What was used for a theorem, as data of its certificate: each lemma with what its names are where it is used."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...claim import Claim
from ...gram.described import Described, placed_leaves
from ...gram.forms import Form
from ...gram.generic_space import GenericSpace, of_one_client
from ...gram.ratio import symbols
from ..certificates.parts import Part
from ..certificates.theorems import ANY_TIME, OP, NotClosed, ratio_text
from ..prove.induction import NotShown
from .averages import marks, unsaid
from .placement import Data, OfAll, Placement, RowsOf, form_data, is_of_all, vector_data
from .readback import ratio
from .said import AFTER
from .state import State, after_draw, canonical, is_obeyed, looked_at, selected_name, single, slots, value_at


def plain_use(id: Any, **more: Any) -> Data:
    """The data of a use, with nothing in it yet."""
    return {"lemma": id, "at": {}, "sequences": {}, "place": ["", 0], "states": [], "parts": [], **more}


# lemmas about functions in the states of a run


class Model:
    """The states of a run as data of a certificate."""

    def __init__(self, run: Any, states: Sequence[State], expected: Any) -> None:
        self.run, self.states, self._expected = run, states, expected
        self._rows = [RowsOf() for _ in states]
        self.placements: list[Any] = []  # a Placement, or an OfAll, of each
        self.data: list[Data] = []
        for state in states:
            self._state(state)

    @property
    def of_all(self) -> bool:
        """Whether its quantities are means over clients with scalars of their own, or over selected ones."""
        return any(isinstance(place, OfAll) for place in self.placements)

    def element(self, name: str, at: str = ANY_TIME) -> str:
        """What a quantity is called, at t or after a step; one that is one number by its name."""
        own = name.removesuffix(AFTER)
        return own if own in self.run.constant else f"{own}[{at}{AFTER if name != own else ''}]"

    def _state(self, state: State) -> None:
        numbers: Any = state.space.numbers
        later = self._later(state)
        forms = self._written(state, later)
        of_all = is_of_all(state, forms.values())
        if of_all and state.world.random:
            forms |= {n + AFTER: form for n, form in after_draw(state, state.x).items() if n in later}
        single = state.generic and any(of_one_client(form, numbers) for form in forms.values())
        place: Any = OfAll(state) if of_all else Placement(state, single=single)
        self.placements.append(place)
        sizes = []
        if state.generic:
            sizes = ["m - 2"] if "S" not in state.case.sizes else ["m - 2", "S - 1", "m - S"]
        at = {} if state.generic or "m" not in self.run.sizes or self.run.sizes["m"] == (1,) else {"m": "1", "S": "1"}
        chosen = selected_name(self.run)
        if self.run.selection and not state.generic:
            at[chosen] = str(Fraction(np.asarray(state.x._names[self.run.selection]).reshape(-1)[0]))
        said = _forms_data(place, forms)
        self.data.append(
            {
                "where": state.name, "sizes": sizes, "at": at, "moves": None,
                "each": sorted(k for k, s in self.run.scalars.items() if s.per_client and state.generic),
                "forms": {self.element(name): data for name, data in said.items()},
                "begun": {self._at_start(name): data for name, data in self._begun(state, place, later, said).items()},
                **({"chosen": chosen} if self.run.selection else {}),
            }
        )  # fmt: skip

    def _later(self, state: State) -> list[str]:
        """The quantities of a state that are known after a step."""
        return [
            n for n in state.after if n not in self.run.constant and not unsaid(state, state.now[n], state.after[n])
        ]

    def _written(self, state: State, later: Sequence[str]) -> dict[str, Form]:
        """The forms of the quantities before and after a step."""
        return {**state.now, **{n + AFTER: self._expected(state, state.after[n]) for n in later}}

    def _begun(self, state: State, place: Any, later: Sequence[str], said: Mapping[str, Data]) -> Mapping[str, Data]:
        """The quantities at the start, and after the first step from it; what is `said` of any state where it begins anywhere."""
        if not self.run.start:
            return said
        forms = dict(state.begun)
        forms |= {n + AFTER: self._expected(state, f) for n, f in state.begun_after.items() if n in later}
        if isinstance(place, OfAll) and state.world.random:
            drawn = after_draw(state, self.run.begun(state.x)).items()
            forms |= {n + AFTER: form for n, form in drawn if n in later}
        return _forms_data(place, forms)

    def follow(self, quantities: Mapping[str, Any]) -> None:
        """Write quantities of theorems about the same run as well.

        Raises
        ------
        NotClosed
            If one has the name of another one here, or is of a random run or one with means.
        """
        run = self.run
        if any(run.quantities[name] != fn for name, fn in quantities.items() if name in run.quantities):
            raise NotClosed("a quantity of a theorem about the run has the name of another one here")
        more = [name for name in quantities if name not in run.quantities]
        if more and (run.random or run.means or run.within):
            raise NotClosed("a theorem about other quantities of a random run, of one within a step or with means")
        self.run = replace(run, quantities={**run.quantities, **quantities})
        for state, place, data in zip(self.states, self.placements, self.data, strict=True) if more else ():
            own = State(self.run, state.case, state.params, state.space, state.x)
            later = self._later(looked_at(own, more))
            said = _forms_data(place, self._written(own, later))
            data["forms"] |= {self.element(name): form for name, form in said.items()}
            begun = self._begun(own, place, later, said)
            data["begun"] |= {self._at_start(name): form for name, form in begun.items()}

    def rows(self, k: int) -> RowsOf:
        """The inequalities of a state over ordinary leaves."""
        place = self.placements[k]
        of_all = isinstance(place, OfAll)
        self._rows[k].look(place, (self.states[k].space if of_all else self.states[k]).inequalities)
        return self._rows[k]

    def _at_start(self, name: str) -> str:
        own = name.removesuffix(AFTER)
        return own if own in self.run.constant else f"{own}[{1 if name != own else 0}]"

    def finished(self) -> Data:
        """The model, with what came to it: leaves by their names, deviations and their spreads."""
        out = []
        for k, (place, data) in enumerate(zip(self.placements, self.data, strict=True)):
            data = {**data, "rows": dict(self.rows(k).data)}
            obeyed = [name for name in data["rows"] if is_obeyed(place.state, name)]
            data |= {"obeyed": obeyed} if obeyed else {}
            index = place.index if place.generic else None
            own, means = {}, {}
            data |= place.of_draws() if isinstance(place, Placement) else {}
            if isinstance(place, OfAll):
                data["clients"] = place.clients()
            elif place.generic:
                apart = {slot: k for (kind, slot), k in list(place.index.items()) if kind == "deviation"}
                own = {str(k): place.place("spread", slot) for slot, k in apart.items()}
                means = {str(k): mean for k, mean in place.numbers.mean_values.items()}
            used, of = sorted({name for name in _names_of(data)}), Described(place.state.space)
            out.append(
                {**data, "names": used, "own": own, "means": means, "leaves": placed_leaves(place.state.space, index)}
                | {"values": {v: of.value(v) for v in range(len(place.state.space.values))}}
                | marks(place.state, index, data["moves"] or ())
            )
        return {"states": out, "quantities": sorted(self.run.quantities)}


def _forms_data(place: Any, forms: Mapping[str, Form]) -> dict[str, Data]:
    """Forms as plain data; of all clients, without those of quantities after a step that have no place there."""
    out = {}
    for name, form in forms.items():
        try:
            out[name] = form_data(place.mean(form))
        except NotClosed:
            if not (isinstance(place, OfAll) and AFTER in name):
                raise
    return out


def _names_of(data: Data) -> set[str]:
    """The parameters in the forms of a state."""
    chances = [move.get("chance", "") for move in data["moves"] or ()]
    return _words([data["forms"], data["begun"], data["rows"], data.get("clients", {}).get("sums"), chances]) - {
        "G",
        "v",
    }


def _words(data: Any) -> set[str]:
    """The names in some data."""
    return {w for w in re.split(r"[^\w:']+", json.dumps(data)) if w and w[0].isalpha()}


def of_forms(
    model: Model, lemma: Claim, found: Sequence[tuple[State, list[Any]]], relations: Sequence[tuple[str, Mapping[str, Any]]],
    way: str, given: Mapping[str, Any], parts: Sequence[Part] | None, only: Sequence[int] | None = None,
) -> Data:  # fmt: skip
    """A lemma about functions, with the parts of its certificate, in every state; `only` some of its relations, or all.

    It is used itself, or in the mean over the clients, or in the sum over the selected ones, as `way` says.
    """
    if not parts:
        raise NotClosed("a lemma without a certificate")
    some: Data = {}
    if only is not None and len(only) < len(relations):
        relations, some = [relations[k] for k in only], {"only": list(only)}
        parts = [{**part, "relations": [part["relations"][k] for k in only]} for part in parts]
    states = []
    by_state = {id(state): placed for state, placed in found}
    for k, state in enumerate(model.states):
        states.append(_in_state(model, k, lemma, parts, by_state[id(state)], way))
    says = [[OP["<=" if op != "==" else op], _combination(model, by)] for op, by in relations]
    over = {"itself": "", "mean": "all", "selected": "selected"}[way] or _of_each(model, parts, states, given)
    if not model.of_all and over == "all":
        over = ""
    return plain_use(
        lemma.id, says=says, states=states, of="forms", at=dict(given), **({"over": over} if over else {}), **some
    )


def _of_each(model: Model, parts: Sequence[Part], states: Sequence[Data], given: Mapping[str, Any]) -> str:
    """Whether what is said of all clients is so of each by itself: where it has scalars of each."""
    for own, data in zip(states, model.data, strict=True):
        read = _words([given.get(name, name) for name in parts[own["part"]]["names"]])
        if model.of_all and read & set(data["each"]):
            return "all"
    return ""


def _combination(model: Model, by: Mapping[str, Any], at: str = ANY_TIME) -> Data:
    return {model.element(name, at) if name else "": ratio_text(c) for name, c in by.items()}


def identity(model: Model, by: Mapping[str, Any], *, start: bool) -> Data:
    """A combination of quantities that is zero, at any t or at the start."""
    said = {model._at_start(n) if n else "": ratio_text(c) for n, c in by.items()} if start else _combination(model, by)
    return plain_use(None, says=[["==", said]], states=[{} for _ in model.states], of="begun" if start else "forms")


def _in_state(model: Model, k: int, lemma: Claim, parts: Sequence[Part], placed: Sequence[Any], way: str) -> Data:
    """The lemma in one state: the part of its certificate, and what stands for leaves, values and rows."""
    place = model.placements[k]
    where = placed[0].where.name or "all"
    number, part = next(((n, p) for n, p in enumerate(parts) if p["where"] == where), (0, None))
    if part is None:
        raise NotClosed("no part of the certificate for this case")
    of_means = not any(name.startswith("deviation ") for name in part["leaves"].values())
    whole = place.whole() if of_means and isinstance(place, Placement) else {}
    draws, rows = [], []
    for one, share in zip(placed, chances_of(model.states[k], len(placed)), strict=True):
        of = Described(one.space)
        leaves = {of.leaf(slot): slot for slot in range(len(one.space.leaves))}
        values = {of.value(v): v for v in range(len(one.space.values))}
        vectors: dict[str, dict[int, Any]] = {}
        for key, name in part["leaves"].items():
            kind, slot = _kind_of(name, leaves, isinstance(one.space, GenericSpace))
            vectors[key] = place.vector(one.images.vector(slot), kind)
        heights = {key: place.value(one.images.value(values[name])) for key, name in part["values"].items()}
        for form in heights.values():
            if any(key[:1] != ("v",) for key in form.clean()):
                raise NotClosed("a value that is no combination of values")
        draws.append(
            {
                "leaves": {key: vector_data(v) for key, v in vectors.items()},
                "values": {key: form_data(f) for key, f in heights.items()},
                **share,
            }
        )
        of_all = isinstance(place, OfAll)
        named = (
            _rows_of_all(part, one)
            if of_all
            else _rows(model.rows(k), part, vectors, heights, one.scalars, whole, place.others)
        )
        rows.append(named)
    mean = way == "mean" and place.generic and not of_all
    return {"part": number, "draws": draws, "rows": rows, "mean": mean, "whole": bool(whole)}


def _rows_of_all(part: Part, one: Any) -> Data:
    """Which inequality of the state each row of a part is there, of a client and so in the mean."""
    known = {name: same.removeprefix("mean of ") for name, _, same in one.rows}
    out = {}
    for name in {name for relation in part["relations"] for name in relation.get("rows", {})}:
        same = known.get(name.removeprefix("mean of "))
        if not same:
            raise NotClosed(f"a row that is none of the model ({name})")
        out[name] = same
    return out


def moves_in_state(model: Model, k: int, placed: Sequence[Any]) -> list[Data]:
    """What stands for the leaves and values of a state after a step, for every draw."""
    place, mine = model.placements[k], model.finished()["states"][k]
    out = []
    shares = chances_of(model.states[k], len(placed))
    for one, share in zip(placed, shares, strict=True):
        of, named = Described(one.space), Described(model.states[k].space)
        leaves = {of.leaf(slot): slot for slot in range(len(one.space.leaves))}
        values = {of.value(v): v for v in range(len(one.space.values))}
        vectors, heights = {}, {}
        for key, name in mine["leaves"].items():
            kind, own = ("", name) if not place.generic else (name.partition(" ")[0], name.partition(" ")[2])
            if own in leaves:
                with suppress(NotShown):
                    vectors[str(key)] = vector_data(place.vector(one.images.vector(leaves[own]), kind))
        for v in range(len(model.states[k].space.values)):
            if named.value(v) in values:
                with suppress(NotShown):
                    heights[str(v)] = form_data(one.images.value(values[named.value(v)]))
        out.append({"leaves": vectors, "values": heights, **share})
    return out


def moves_of_clients(model: Model, k: int) -> list[Data]:
    """What stands for the leaves and values of all clients after a step, and for their selected and their other points.

    Raises
    ------
    NotClosed
        If one that a quantity known after a step reads is new there, or of functions of which there are several.
    """
    state, place = model.states[k], model.placements[k]
    x, run = state.x, state.world
    if not isinstance(place, OfAll) or len(state.space.clients) > 1:
        raise NotClosed("no state of clients, or several functions of each")
    world = run.one_step
    rows: dict[int, Any] = {}
    for name in (*world.at, *world.clients_at):
        if name not in world.new_names().values():
            rows |= {slot: x.next._names[name] for slot in slots(x._names[name])}
    data = model.data[k]
    forms = [
        f
        for name, f in data["forms"].items()
        if name.endswith(f"[{ANY_TIME}]") and f"{name[:-1]}{AFTER}]" in data["forms"]
    ]
    forms += [f for name, f in data["forms"].items() if "[" not in name]
    read = {kind: {int(p) for f in forms for key in f for p in key.split(" ")[1:] if key[0] == kind} for kind in "Gv"}
    heights: Data = {}
    for _ in range(2):  # a gradient may be at a point that reads another one
        for each in (points for clients in state.space.clients for points in clients._points):
            for point, gradient, value in each:
                (own,), (height,) = slots(gradient) - slots(point), (key[1] for key in value.terms if key[:1] == ("v",))
                wanted = {place.index.get(("client", own))} & _below(place, read["G"]) or height in read["v"]
                if wanted and own not in rows and slots(point) <= rows.keys():
                    moved = _moved_row(point, rows)
                    rows[own] = x.f.grad(moved)
                    heights[str(height)] = form_data(place.form(single(x.f.value(moved))))
    leaves = {}
    for at in sorted(_below(place, read["G"])):
        slot = next(slot for (_, slot), k in place.index.items() if k == at)
        if slot not in rows:
            raise NotClosed(f"nothing stands for {state.space.leaves[slot]} after a step")
        leaves[str(at)] = vector_data(place.vector(rows[slot]))
    return [{"leaves": leaves, "values": heights}]


def _below(place: OfAll, places: set[int]) -> set[int]:
    """The places that are no means, with those of which means are among them."""
    out: set[int] = set()
    left = [*places]
    while left:
        at = left.pop()
        left += [k for _, k in place.sums.get(at, ())]
        out |= set() if at in place.sums else {at}
    return out


def _moved_row(row: Any, to: Mapping[int, Any]) -> Any:
    """A vector with others in the place of its leaves."""
    plain = np.asarray(row, dtype=object).view(np.ndarray)
    return sum(plain.reshape(-1, plain.shape[-1])[0][slot] * to[slot] for slot in sorted(slots(row)))


def chances_of(state: State, draws: int) -> list[Data]:
    """The chance of every draw of a step, where they are not equally likely."""
    chances = getattr(state.x._draws, "chances", None) if state.world.random else None
    return [{} for _ in range(draws)] if chances is None else [{"chance": ratio_text(c)} for c in chances]


def itself_in_state(model: Model, k: int, other: Model) -> Data:
    """The same run in one state: every leaf and value is the one of its name, every inequality the same."""
    mine, theirs = model.finished()["states"][k], other.finished()["states"][k]
    place = {name: key for key, name in mine["leaves"].items()}
    named = [Described(m.states[k].space) for m in (model, other)]
    heights = {named[0].value(v): v for v in range(len(model.states[k].space.values))}
    values = {v: heights.get(named[1].value(v)) for v in range(len(other.states[k].space.values))}
    return {
        "state": k,
        "leaves": {str(key): {str(place[n]): "1"} for key, n in theirs["leaves"].items() if n in place},
        "values": {str(v): {f"v {own}": "1"} for v, own in values.items() if own is not None},
        "rows": {name: name for name in theirs["rows"] if name in mine["rows"]},
    }


def run_in_state(model: Model, k: int, other: Model, placed: Sequence[Any]) -> Data:
    """Another run in one state: what stands for the leaves, values and inequalities of its model."""
    place, (one, *more) = model.placements[k], placed
    if more:
        raise NotClosed("another run with draws")
    cases = [state.case.name for state in other.states]
    where = one.where.name
    if where not in cases:
        raise NotClosed("no state of the other run for this case")
    j = cases.index(where)
    theirs = other.finished()["states"][j]
    of = Described(one.space)
    leaves = {of.leaf(slot): slot for slot in range(len(one.space.leaves))}
    values = {of.value(v): v for v in range(len(one.space.values))}
    generic = isinstance(one.space, GenericSpace)
    vectors: dict[str, dict[int, Any]] = {}
    for key, name in theirs["leaves"].items():
        kind, own = ("", name) if not generic else (name.partition(" ")[0], name.partition(" ")[2])
        if own in leaves:
            with suppress(NotShown):
                vectors[str(key)] = place.vector(one.images.vector(leaves[own]), kind)
    space = other.states[j].space
    named = Described(space)
    heights: dict[str, Form] = {}
    for v in range(len(space.values)):
        if named.value(v) in values:
            with suppress(NotShown):
                heights[str(v)] = one.images.value(values[named.value(v)])
    part = {"facts": [], "names": theirs["names"], "relations": [{"rows": {n: r}} for n, r in theirs["rows"].items()]}
    rows: Data = {}
    for relation in part["relations"]:
        with suppress(NotClosed, KeyError):
            rows |= _rows(model.rows(k), {**part, "relations": [relation]}, vectors, heights, one.scalars, {}, 1)
    return {
        "state": j, "leaves": {key: vector_data(v) for key, v in vectors.items()},
        "values": {key: form_data(f) for key, f in heights.items()}, "rows": rows,
    }  # fmt: skip


def _kind_of(name: str, leaves: Mapping[str, int], generic: bool) -> tuple[str, int]:
    if not generic:
        return "", leaves[name]
    kind, _, own = name.partition(" ")
    return kind, leaves[own]


def _rows(
    known: RowsOf, part: Part, vectors: Mapping[str, Mapping[int, Any]], heights: Mapping[str, Form],
    scalars: Mapping[str, Any], whole: Mapping[int, int], others: Any,
) -> Data:  # fmt: skip
    """Which inequality of the state each row of a part is there; `whole` as `Placement.whole` has it for `others` clients."""
    said = known.named()
    facts = [fact["says"].rsplit(" ", 2)[0] for fact in part["facts"]]
    names = symbols(part["names"])
    out = {}
    for relation in part["relations"]:
        for name, row in relation.get("rows", {}).items():
            total = Form({})
            for key, c in row.items():
                factor = value_at(ratio(c, facts, names), scalars)
                kind, *places = key.split(" ")
                if kind == "v":
                    total = total + heights[places[0]] * factor
                elif kind == "G":
                    terms: dict[Any, Any] = {}
                    for i, a in vectors[places[0]].items():
                        for j, b in vectors[places[1]].items():
                            both = [(i, j)] + ([(whole[i], whole[j])] if i in whole and j in whole else [])
                            for share, (k, l) in enumerate(both):
                                at, c = ("G", min(k, l), max(k, l)), a * b * factor
                                terms[at] = terms.get(at, 0) + (c / others if share else c)
                    total = total + Form(terms)
                else:
                    total = total + factor
            same = said.get(canonical(total))
            if same is None:
                raise NotClosed(f"a row that is none of the model ({name})")
            out[name] = same
    return out
