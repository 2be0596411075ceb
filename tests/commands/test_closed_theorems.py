"""Certificates of theorems from lemmas: what the engines write is accepted, and no edit of it is, wherever it is made."""

import copy
import runpy
from pathlib import Path
from typing import Any

import pytest
from certified import file_of

from fedtheory import claim, fedtheory_check, le, use
from fedtheory.units import CURVATURE, STEP
from problems import Run, Scalars, Sequences, Smooth, SmoothStronglyConvex, at_least, condition, positive

EXAMPLES = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "examples" / "theorems.py"))

# numbers alone, a theorem used within a theorem, and several clients in the mean

HALF = claim("closed/am-gm", world=Scalars(a=positive(), b=positive()))(lambda x: le(2 * x.a * x.b, x.a**2 + x.b**2))
SQUARES = claim(
    "closed/squares",
    world=Scalars(c=positive(), d=positive()),
    by=(use(HALF, a=lambda x: x.c, b=lambda x: 2 * x.d),),
    expect="proved",
)(lambda x: le(4 * x.c * x.d, x.c**2 + 4 * x.d**2))
FALLING = claim(
    "closed/falling",
    world=Sequences(
        "T", q=positive(), sequences={"D": at_least(0)},
        every=(condition("D_{t+1} <= q D_t", lambda x, t: le(x.D[t + 1], x.q * x.D[t])),),
    ),
)(lambda x: le(x.D[x.T], x.q**x.T * x.D[0]))  # fmt: skip
SMALL = condition("eta L <= 1", lambda x: le(x.eta * x.L, 1))
CLIENTS = Run(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", step={"w": lambda x: x.w - x.eta * x.mean_vec(x.f.grad(x.w))},
    quantities={"D": lambda x: x.sq(x.w - x.w_star)}, given=(SMALL,),
    mu=positive(CURVATURE), L=positive(CURVATURE), eta=positive(STEP),
)  # fmt: skip
CONTRACTS = claim("closed/contracts", world=CLIENTS.one_step)(lambda x: le(x.next.D, (1 - x.eta * x.mu) * x.D))
MANY = claim("closed/many", world=CLIENTS, by=(CONTRACTS,))(lambda x: le(x.D[x.T], (1 - x.eta * x.mu) ** x.T * x.D[0]))
WITHIN = claim("closed/within", world=CLIENTS, by=(CONTRACTS, use(FALLING, q=lambda x: 1 - x.eta * x.mu)))(
    lambda x: le(x.D[x.T], (1 - x.eta * x.mu) ** x.T * x.D[0])
)
DESCENT = Run(
    Smooth("L"), step={"w": lambda x: x.w - x.eta * x.mean_vec(x.f.grad(x.w))},
    quantities={"e": lambda x: x.mean(x.f.value(x.w)), "g": lambda x: x.sq(x.mean_vec(x.f.grad(x.w)))}, given=(SMALL,),
    L=positive(CURVATURE), eta=positive(STEP),
)  # fmt: skip
FALL = claim("closed/fall", world=DESCENT.one_step)(lambda x: le(x.next.e + x.eta / 2 * x.g, x.e))
AT_T = claim("closed/at-t", world=DESCENT, by=(FALL,))(lambda x, t: le(x.e[t + 1], x.e[t]))
NEVER_UP = claim("closed/never-up", world=DESCENT, by=(AT_T,))(lambda x: le(x.e[x.T], x.e[0]))

THEOREMS = [EXAMPLES[name] for name in ("pl", "gradients", "smallest", "neighbourhood")] + [
    SQUARES,
    MANY,
    WITHIN,
    NEVER_UP,
]


@pytest.fixture(scope="module")
def files():
    known: dict[str, Any] = {}
    return {one.id: file_of(one, known) for one in THEOREMS}


def accepts(claims: list[dict[str, Any]]) -> bool:
    """Whether the last of some certificates is accepted after the others."""
    earlier: dict[str, Any] = {}
    said = [fedtheory_check.accepted(one, earlier)[0] for one in claims]
    return said[-1]


def test_what_the_engines_write_is_accepted(files):
    assert len(files) == len(THEOREMS) and all(accepts(claims) for claims in files.values())


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


def changed(claims: list[dict[str, Any]], path: tuple[Any, ...], value: Any) -> list[dict[str, Any]]:
    """The certificates with one entry of the last one changed; None takes it away."""
    out = copy.deepcopy(claims)
    *most, last = path
    inside = at(out[-1], tuple(most))
    if value is None:
        del inside[last]
    else:
        inside[last] = value
    return out


def texts(data: Any, path: tuple[Any, ...] = ()):
    """Every polynomial and every number in some data, by where it is."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from texts(value, (*path, key))
    elif isinstance(data, list):
        for k, value in enumerate(data):
            yield from texts(value, (*path, k))
    elif isinstance(data, str):
        yield path, data


def entries(relations):
    """What is read by the sides of relations where these differ: ("leaves", place) and ("values", place)."""
    kinds = {"G": "leaves", "v": "values"}
    keys = {k for r in relations for k in {**r["lhs"], **r["rhs"]} if r["lhs"].get(k) != r["rhs"].get(k)}
    return {(kinds[kind], place) for kind, *places in (key.split(" ") for key in keys if key) for place in places}


def edits(claims):
    """(what, certificates) with one thing changed in a theorem."""
    last = claims[-1]
    theorem = last["theorem"]
    yield "the theorem is about nothing", changed(claims, ("theorem", "statement"), [])
    for k in range(len(theorem["statement"])):
        value = theorem["statement"][k][1]
        text = value if isinstance(value, str) else value[0]
        more = f"{text} - 1" if isinstance(value, str) else [f"{text} - 1", value[1]]
        yield f"statement {k}: one less", changed(claims, ("theorem", "statement", k, 1), more)
        yield f"statement {k}: strict", changed(claims, ("theorem", "statement", k, 0), ">")
    for context in theorem[
        "by"
    ]:  # some parts are not needed where another says the same: without all of them it is no proof
        own = [part for part in last["parts"] if part["context"] != context]
        if len(own) < len(last["parts"]):
            yield f"without {context}", changed(claims, ("parts",), own)
        for other in {"base", "step", "direct", "length", "any"} - {context}:
            moved = [{**p, "context": other} if p["context"] == context else p for p in last["parts"]]
            if moved != last["parts"]:
                yield f"{context} as {other}", changed(claims, ("parts",), moved)
    for by in (["base"], ["step"], ["any"], ["direct"], ["step", "base"], []):
        if by != theorem["by"]:
            yield f"proved by {by}", changed(claims, ("theorem", "by"), by)
    for path, text in texts(theorem["defined"]):
        yield f"defined {path}", changed(claims, ("theorem", "defined", *path), f"2*{text}" if text != "0" else "1")
    for k, use_ in enumerate(theorem["uses"]):
        where = ("theorem", "uses", k)
        if isinstance(use_["lemma"], str):
            yield f"use {k} left out", changed(claims, where, None)
            yield f"use {k}: of another lemma", changed(claims, (*where, "lemma"), "closed/nothing")
            nothing = [*theorem["uses"][:k], {**use_, "lemma": None}, *theorem["uses"][k + 1 :]]
            yield f"use {k}: of no lemma", changed(claims, ("theorem", "uses"), nothing)
        for path, text in texts(use_.get("says", [])):
            if path[-1] != 0 or len(path) > 2:
                yield f"use {k} says {path}", changed(claims, (*where, "says", *path), f"{text} + 7")
        for path, text in texts(use_.get("values", [])):
            if path[-1] != 0 or len(path) > 2:
                yield f"use {k} value {path}", changed(claims, (*where, "values", *path), f"{text} + 7")
        for path, text in texts(use_["at"]):
            yield f"use {k} at {path}", changed(claims, (*where, "at", *path), f"{text} + 7")
        for j, state in enumerate(use_["states"]):
            own = next((c for c in claims if c["id"] == use_["lemma"]), use_["lemma"])
            read = entries(own["parts"][state["part"]]["relations"]) if own and state else set()
            for path, text in texts(state):
                if path[0] == "draws" and (path[2], path[3]) in read:  # another is in no relation
                    yield f"use {k} in state {j}: {path}", changed(claims, (*where, "states", j, *path), f"{text} + 3")
                if path[0] == "rows":
                    yield f"use {k} in state {j}: another row", changed(claims, (*where, "states", j, *path), "none")
    if theorem["model"]:
        for j, state in enumerate(theorem["model"]["states"]):
            where = ("theorem", "model", "states", j)
            yield f"without state {state['where']}", changed(claims, where, None)
            for path, text in texts(state["forms"]):
                yield f"state {j}: {path}", changed(claims, (*where, "forms", *path), f"{text} + 5")
            now = [
                {"lhs": {}, "rhs": form} for name, form in state["forms"].items() if f"{name[:-1]}']" in state["forms"]
            ]
            for path, text in texts(state["moves"] or []):
                if (path[1], path[2]) in entries(now):  # another is in no quantity
                    yield f"state {j} moves: {path}", changed(claims, (*where, "moves", *path), f"{text} + 5")


def test_no_edited_theorem_is_accepted(files):
    """Substitutions, lemmas, sizes, cases, bases, steps, sides: what is changed in one place is rejected."""
    count, passed = 0, []
    for id, claims in files.items():
        for what, edited in edits(claims):
            if edited == claims:
                continue
            count += 1
            if accepts(edited):
                passed.append((id, what))
    assert count >= 300 and not passed, f"{len(passed)} of {count} edits are accepted: {passed[:60]}"
