"""That a quantity which is a mean over the clients is not negative: what it is the mean of is none, at every client."""

from __future__ import annotations

import dataclasses
from typing import Any

from ...gram.forms import Form
from ..budget import Products
from ..certificates.parts import Part
from ..certificates.slack import lifted_part
from .placement import Data
from .recorded import Model, plain_use
from .state import State


def least_of_all(model: Model, name: str) -> Data:
    """The use of a lemma that is proved here: squares of vectors of the state itself, with weights that are not negative.

    Raises
    ------
    NotApplicable
        If no such proof was found.
    """
    parts: list[Part] = []
    states = []
    for k, (state, place) in enumerate(zip(model.states, model.placements, strict=True)):
        form = place.mean(state.now[name])
        parts.append({"where": state.name or "all", **_part(model, state, form)})
        leaves = {str(i): {str(i): "1"} for key in form.clean() if key[:1] == ("G",) for i in key[1:]}
        states.append({"part": k, "draws": [{"leaves": leaves, "values": {}}], "rows": [{}], "mean": False})
    says = [[">=", {model.element(name): "1"}]]
    used = plain_use({"parts": parts}, says=says, states=states, of="forms", over="all")
    return used


def _part(model: Model, state: State, form: Form) -> Part:
    """The part of a certificate that a form of a client is a sum of squares."""
    from problems import at_least  # a selection is 1 or 0

    world = state.world.one_step
    own = {k: dataclasses.replace(spec, per_client=False, weight=False) for k, spec in world.scalars.items()}
    if state.generic and model.run.selection:
        own[model.run.selection] = at_least(0)
    world = dataclasses.replace(world, scalars=own, given=world.on_scalars, selection="")
    names = [*own, *state.case.sizes]
    target: Any = ("<=", ({}, form.clean()), {}, {})
    part, _ = lifted_part(world, state.case.shape, names, state.case.sizes, [target], {}, programs=Products.short)
    return part
