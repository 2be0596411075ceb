"""What a run may not be given: names of no point, what is no function or number, conditions at every step of one argument."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from fedtheory.bodies import takes_one
from fedtheory.errors import UsageError, did_you_mean
from fedtheory.relation import Condition

from .conditions import names_of


def require_points(points: tuple[str, ...], named: Mapping[str, Iterable[str]]) -> None:
    """Refuse what names no point of the run, and points that move in two ways or in none."""
    for what, names in named.items():
        for name in names:
            if name not in points:
                raise UsageError(f"Run({what}=...): {name!r} is no point of the run{did_you_mean(str(name), points)}")
    for name in named["fresh"]:
        if name in named["step"]:
            raise UsageError(f"Run: {name} is new at every step, so it has no step")
    for name in named["start"]:
        if name not in named["step"]:
            raise UsageError(f"Run: {name} does not move, so it begins nowhere")


def require_functions(tables: Mapping[str, Any]) -> None:
    """Refuse what maps names to anything but functions."""
    for what, table in tables.items():
        if not isinstance(table, Mapping) or not all(map(callable, table.values())):
            raise UsageError(f"Run({what}=...) must map names to functions, got {table!r}")


def require_known(
    step: Mapping[str, Any], start: Mapping[str, Any], means: Iterable[str], within: Iterable[str]
) -> None:
    """Refuse a step or a start that reads a mean over the steps to come, and a start that reads what is there after it alone."""
    of_means = dict.fromkeys(means, "a mean over all steps, which is known after the last")
    ends = dict.fromkeys(within, "where a run within the step ends, which is known after the start")
    for name, fn in step.items():
        _require_unread("step", name, fn, of_means)
    for name, fn in start.items():
        begun = {other: "a point that begins elsewhere; write out where" for other in start if other != name}
        _require_unread("start", name, fn, {**begun, **ends, **of_means})


def _require_unread(what: str, name: str, fn: Any, unknown: Mapping[str, str]) -> None:
    read = names_of(Condition(name, "", fn if takes_one(fn) else partial(_at_a_draw, fn)))
    for other in sorted({*read} & {*unknown}):
        raise UsageError(f"Run({what}=...): {name} reads {other}, {unknown[other]}")


def _at_a_draw(fn: Callable[..., Any], x: Any) -> Any:
    return fn(x, 1)


def require_lengths(
    within: Mapping[str, Any], sizes: Mapping[str, tuple[int, ...]], scalars: Iterable[str], clients_at: Iterable[str]
) -> None:
    """Refuse a run within a step of which no length is among the sizes, and lengths of each client's own that are none."""
    for name, inner in within.items():
        if (length := inner.length) not in sizes:
            raise UsageError(
                f"Run(within=...): the length {length} of the run of {name} is a size: sizes={{{length!r}: (1, 2)}}"
            )
        if not inner.up_to:
            continue
        if length in ("m", "d", "S"):
            raise UsageError(
                f"Run(within=...): {length} is no number of steps of the run of {name}; choose another size"
            )
        if name not in clients_at:
            raise UsageError(
                f"Run(within=...): {name} is a point of each client, as each makes its own number of steps"
            )
        if min(sizes[length]) < inner.run.first:
            raise UsageError(
                f"Run(within=...): clients make at least {inner.run.first} steps of the run of {name}, and {length} is less"
            )
        if inner.count in (*sizes, *scalars, "N"):
            raise UsageError(
                f"Run(within=...): {inner.count} counts the steps of each client of {name}, and stands for another number"
            )


def require_same_matrices(within: Mapping[str, Any], mixing: Mapping[str, Any]) -> None:
    """Refuse a run within a step whose matrices are none of the run, as their names stand for the same matrices in both."""
    for name, inner in within.items():
        for matrix, kind in inner.run.mixing.items():
            if mixing.get(matrix) != kind:
                raise UsageError(
                    f"Run(within=...): the run of {name} has the matrix {matrix}, {kind!r}, which this one must have as well, "
                    f"mixing={{{matrix!r}: ...}}, got {mixing.get(matrix, 'none')!r}"
                )


def require_to_end(run: Any, point: str) -> None:
    """Refuse for the `last` of a run, None where it is none, what no other run can have within its steps."""
    if run is None:
        raise UsageError(f"last(run, {point!r}): the first argument must be a Run")
    if point not in run.step:
        raise UsageError(f"last(run, {point!r}): the run does not move {point}{did_you_mean(str(point), run.step)}")
    parts = {
        "choices": run.chosen,
        "draws": run.random,
        "a run within its own steps": run.within,
        "matrices that change": run.varying,
        "weights of its clients": run.weights,
    }
    for what, has in parts.items():
        if has:
            raise UsageError(f"last(run, {point!r}): a run within a step must be without {what}")


def require_own_lengths(run: Any, point: str, up_to: str, count: str) -> None:
    """Refuse for the `last` of a run what each client cannot have its own number of steps of."""
    call = f"last(run, {point!r}, up_to={up_to!r}, count={count!r})"
    if not isinstance(up_to, str) or not isinstance(count, str):
        raise UsageError(f"{call}: up_to and count are names, of a size of the other run and of a scalar of this one")
    if count and not up_to:
        raise UsageError(f"{call}: what counts the steps of each client needs up_to=...")
    if up_to and run.sizes.get("m") != (1,):
        raise UsageError(f"{call}: each client makes its own number of steps of a run of one: sizes={{'m': (1,)}}")
    if count and (count not in run.scalars or run.scalars[count].per_client):
        raise UsageError(f"{call}: {count} is no number of the run{did_you_mean(count, run.scalars)}")
    if count and (run.fresh or run.obeys or run.every):
        raise UsageError(f"{call}: steps at which points are new, or of which something is stated, are not counted")


def drawing_alone(run: Any) -> Any:
    """A run, with two outcomes where a matrix is drawn; refused where something else is drawn or chosen beside it."""
    if run.weights and run.selection:
        raise UsageError(f"Run(weights={run.weights!r}): means are by weights, beside which there is no selection=...")
    if run.weights and any(inner.run.sizes.get("m") != (1,) for inner in run.within.values()):
        raise UsageError(
            f"Run(weights={run.weights!r}): means are by weights, and a run within a step is of one client: sizes={{'m': (1,)}}"
        )
    names = [name for name, kind in run.mixing.items() if kind.random]
    if not names:
        return run
    asked = ("outcomes", "chances", "selection", "either", "within", "means", "participation")
    others = [*names[1:], *(k for k in asked if getattr(run, k)), *(k for k in ("S",) if k in run.sizes)]
    if others:
        raise UsageError(
            f"Run: {names[0]} is drawn at every step, beside which nothing is drawn or chosen: {', '.join(others)}"
        )
    return replace(run, outcomes=(1, -1))


def require_whole(either: Mapping[str, Any] | None) -> dict[str, tuple[int, ...]]:
    """What is chosen at a step; refused where it is anything but one of some whole numbers."""
    if not isinstance(either or {}, Mapping):
        raise UsageError(f"Run(either=...) must map names to whole numbers, such as {{'age': (0, 1)}}, got {either!r}")
    for name, values in (either or {}).items():
        whole = isinstance(values, tuple) and values and all(type(value) is int for value in values)
        if not whole or len(set(values)) < len(values):
            raise UsageError(
                f"Run(either=...): {name} must be any of some whole numbers, each named once, such as (0, 1, 2), got {values!r}"
            )
    return dict(either or {})


def require_no_element(
    call: str, names: Iterable[str], rows: Iterable[str], constant: Callable[[], Iterable[str]] = tuple
) -> None:
    """Refuse a name that an element of a sequence has, such as e0 beside a sequence e; a quantity that is constant is none."""
    for row, name in itertools.product(rows, names):
        if name.startswith(row) and (at := name[len(row) :]).isdigit() and row not in constant():
            raise UsageError(
                f"{call}: {name} is what an element of a sequence is called, {row} at {at}; choose another name"
            )


def taking_two(every: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """The conditions, each of x and t."""
    for c in every:
        _takes_two(c)
    return every


def _takes_two(c: Condition) -> None:
    signature = inspect.signature(c.relation)
    try:
        signature.bind(None, None)
    except TypeError:
        raise UsageError(
            f"Run: {c.printed!r} in every=(...) takes (x, t) and holds for every t < T, got {signature}; one of x alone goes to "
            "given=(...)"
        ) from None
