"""What of a limit is finite: relations at every t, or at every length, that its rule needs and that a lemma of it may give."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...claim import Claim, everywhere
from ...limits import Limit, element, limits_of
from ...relation import Relation, le, lt


def one_of(value: Any) -> Any:
    """A number, or the one entry of an array."""
    return value.reshape(-1)[0] if isinstance(value, np.ndarray) else value


def _sign(limit: Limit, x: Any, t: Any) -> Any:
    return le(0, limit.at(t), "no term is negative")


def total(limit: Limit, x: Any, T: Any) -> Any:
    """The sum of the terms before T."""
    return x.sum(limit.at, T)


def _within(limit: Limit, x: Any, t: Any) -> Any:
    return le(-limit.to["C"], limit.at(t), "from below"), le(limit.at(t), limit.to["C"], "from above")


def _falls(limit: Limit, x: Any, t: Any) -> Any:
    return le(limit.at(t + 1), limit.at(t), "it does not grow"), le(limit.to["b"], limit.at(t), "it is bounded below")


def _squeezed(limit: Limit, x: Any, t: Any) -> Any:
    gap = limit.at(t) - limit.to.get("b", 0)
    if limit.to.get("square") is not None:
        return le(gap * gap, element(limit.to["square"], t), "the square")
    bound = element(limit.to["B"], t)
    return le(-bound, gap, "from below"), le(gap, bound, "from above")


def _renewed(limit: Limit, x: Any, t: Any) -> Any:
    r = limit.to["refreshed"]
    by, more = element(r.by, t), element(r.more, t)
    return (
        le(0, limit.at(t)),
        le(0, by),
        le(0, r.falls_to),
        le(r.falls_to, r.grows),
        le(limit.at(t + 1), r.grows * limit.at(t) - (r.grows - r.falls_to) * by + more),
    )


EVERY_T: dict[str, Callable[..., Any]] = {
    "summable": _sign, "linear": _sign, "bounded": _within, "converges": _falls, "null": _squeezed, "renewed": _renewed,
}  # fmt: skip


def _below(limit: Limit, x: Any, T: Any) -> Any:
    eps = limit.to["eps"]
    return le(total(limit, x, T), T * eps, "the mean") if limit.to["least"] else le(limit.at(T), eps, "the last")


EVERY_LENGTH: dict[str, Callable[..., Any]] = {
    "summable": lambda one, x, T: le(total(one, x, T), one.to["C"], "the sums"),
    "least": lambda one, x, T: le(total(one, x, T), T * one.to["bound"], "the mean"),
    "linear": lambda one, x, T: le(one.at(T), one.to["q"] ** T * one.at(0), "the power"),
    "below": _below,
    "ratio": lambda one, x, T: (le(0, one.to["q"], "0 <= q"), lt(one.to["q"], 1, "q < 1")),
    "rates": lambda one, x, T: (
        le(one.to["refreshed"].grows, 1, "it does not grow"),
        lt(one.to["refreshed"].falls_to, 1, "it falls"),
    ),
}


def finite_facts(lemma: Claim) -> list[Claim]:
    """What a limit that is a lemma gives of finite statements; at least one, by which its conditions are shown."""
    world: Any = lemma.world
    every = everywhere(partial(_of_t, lemma), world.index, lemma.id)
    return [Claim(lemma.id, body, world, by=lemma.by) for body in (partial(_of_length, lemma, world.index), every)]


def _of_t(lemma: Claim, x: Any, t: Any) -> tuple[Relation, ...]:
    out: list[Relation] = [le(0, 0, lemma.id)]
    for one in limits_of(lemma.body(x)):
        if one.kind in ("summable", "linear", "converges") or (one.kind == "bounded" and one.to["C"] is not None):
            found = EVERY_T[one.kind](one, x, t)
            out += found if isinstance(found, tuple) else (found,)
    return tuple(out)


def _of_length(lemma: Claim, index: str, x: Any) -> tuple[Relation, ...]:
    out: list[Relation] = [le(0, 0, lemma.id)]
    for one in limits_of(lemma.body(x)):
        if one.kind in ("least", "linear") or (one.kind == "summable" and one.to["C"] is not None):
            out.append(EVERY_LENGTH[one.kind](one, x, getattr(x, index)))
    return tuple(out)
