"""That a quantity which is a mean over the clients is not negative: what it is the mean of is none, at every client."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np

from ...gram.forms import Form, Gap
from ...gram.generic_space import virtual
from ..certificates.parts import Open, Part
from ..certificates.products.prover import SHORT
from ..certificates.slack import lifted_part
from .placement import Data, vector_data
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
        try:
            form = place.mean(state.now[name])
            part = _part(model, state, form)
            leaves = {str(i): {str(i): "1"} for key in form.clean() if key[:1] == ("G",) for i in key[1:]}
        except Open:
            if not state.generic:
                raise
            part, leaves = _in_spreads(model, state, place, name)
        parts.append({"where": state.name or "all", **part})
        states.append({"part": k, "draws": [{"leaves": leaves, "values": {}}], "rows": [{}], "mean": False})
    says = [[">=", {model.element(name): "1"}]]
    return plain_use({"parts": parts}, says=says, states=states, of="forms", over="all")


def _in_spreads(model: Model, state: State, place: Any, name: str) -> tuple[Part, dict[str, Data]]:
    """The same of what a vector of each client is less its mean, and of means: the part, and what stands for its leaves."""
    index: dict[tuple[str, int], int] = {}
    numbers: Any = state.space.numbers
    gap, _ = virtual(Gap(Form({}), state.now[name]), [], numbers, index)
    leaves = {}
    for (kind, slot), k in index.items():
        row = np.array([Fraction(j == slot) for j in range(state.space.size)], dtype=object)
        leaves[str(k)] = vector_data(place.vector(row, kind))
    return _part(model, state, Form(gap.terms)), leaves


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
    part, _ = lifted_part(world, state.case.shape, names, state.case.sizes, [target], {}, programs=SHORT)
    return part
