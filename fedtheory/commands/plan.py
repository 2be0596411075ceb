"""The plan of a sweep: a TOML file with problems and methods, in which every list is an axis of a grid.

Hyper-parameters are checked by the declarations of their methods, as those of ``fedtheory run`` are.
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..errors import UsageError, did_you_mean
from ..formats import Document, Json, check
from ..registry import method
from ..results.spec import Spec
from .options import count, grid, listed, number, positive, rules
from .problem import CLIENTS, clients_in

if TYPE_CHECKING:
    from ..quantity import Quantity

MEASURES = ("bounds", "accuracy", "estimates")
RUN = {"rounds": 100, "every": 1, "stop": None}  # of the whole plan, and of one method alone
WHOLE = (*RUN, "seeds", "data-seed", "measure", "backend", "device", "problem", "method")
MOST = 100_000


def read(path: str) -> Json:
    """The plan of a file, of the format of plans.

    Raises
    ------
    UsageError
        If it cannot be read, is no TOML, or a value of it is of another kind.
    """
    try:
        plan = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}") from None
    check(plan, "plan", path)
    return plan


def specs(plan: Mapping[str, object], where: str) -> list[Spec]:
    """Every run of a plan.

    Parameters
    ----------
    plan : mapping
        ``rounds``, ``every``, ``seeds`` (a list, or text such as "0-19"), ``data-seed``, ``stop``, ``measure``, ``backend``,
        ``device``; tables ``problem`` with the options of a problem and ``method`` with ``name`` and hyper-parameters. A
        method may have its own ``rounds``, ``every`` and ``stop``, a ``label``, and the labels of the problems that it runs
        on as ``on``; a problem may have a ``label``. Where a method and a problem both have a ``setting``, they go together only
        where it is the same, or is what the method has as ``posed``.
    where : str
        The file, for what is refused.

    Raises
    ------
    UsageError
        If a name is unknown, a value out of range, or there is nothing to run.
    """
    try:
        return _specs(plan)
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None


class Posed(NamedTuple):
    """One problem of a plan: its options, and what it is called."""

    options: Json
    label: str
    setting: str
    axes: Json  # the options in which the problems of one table differ


def _specs(plan: Document) -> list[Spec]:
    _known("the plan", plan, WHOLE)
    problems = [p for table in _tables(plan, "problem") for p in _problems(table)]
    labels = [p.label for p in problems]
    common: Json = {
        "measure": _word("measure", plan.get("measure", MEASURES[0]), MEASURES),
        "data_seed": None if "data-seed" not in plan else _count("data-seed", plan["data-seed"], 0),
        "backend": str(plan.get("backend", "numpy")),
        "device": str(plan.get("device", "")),
    }
    found = []
    for table in _tables(plan, "method"):
        on, setting = listed(table.get("on", labels)), str(table.get("setting", ""))
        posed = str(table.get("posed", setting))
        for label in (label for label in on if label not in labels):
            raise UsageError(f"on names no problem: {label!r}{did_you_mean(str(label), labels)}")
        run = {k: table.get(k, plan.get(k, default)) for k, default in RUN.items()}
        rounds, every = _count("rounds", run["rounds"], 1), _count("every", run["every"], 0)
        for (name, options), problem, seed in itertools.product(_methods(table), problems, _seeds(plan)):
            if problem.label not in on or (posed and problem.setting not in ("", posed)):
                continue
            axes = {k: v for k, v in options.items() if isinstance(table.get(k), list) and len(table[k]) > 1}
            called = {
                "problem": problem.label, "method": str(table.get("label", name)), "setting": setting or problem.setting,
                "axes": problem.axes | axes,
            }  # fmt: skip
            stop = method(name).stop if run["stop"] is None else _stop(str(run["stop"]))
            found.append(Spec(problem.options, name, options, rounds, every, seed, stop, **common, labels=called))
    if not found:
        raise UsageError("there is nothing to run: no method is on any of the problems")
    if len(found) > MOST:
        raise UsageError(f"the plan asks for {len(found)} runs; at most {MOST} at a time")
    return found


OF_PROBLEM = ("label", "setting")
OF_METHOD = ("name", "label", "on", "setting", "posed", *RUN)


def _methods(table: Mapping[str, object]) -> list[tuple[str, Json]]:
    """Every method of a table with every combination of its hyper-parameters."""
    if "name" not in table:
        raise UsageError("a [[method]] has no name")
    given = {k: ",".join(_text(v) for v in listed(value)) for k, value in table.items() if k not in OF_METHOD}
    return grid([str(n) for n in listed(table["name"])], given, most=MOST)


def _problems(table: Mapping[str, object]) -> list[Posed]:
    """Every combination of the values of a table; a list in a list is one value."""
    if "data" not in table:
        raise UsageError("a [[problem]] has no data; fedtheory data status lists the names")
    lists = {k.replace("-", "_"): listed(v) for k, v in table.items() if k not in OF_PROBLEM}
    found = []
    for values in itertools.product(*lists.values()):
        p = dict(zip(lists, values, strict=True))
        p["m"] = clients_in(p, _count("m", p["m"], 1) if "m" in p else None, CLIENTS)
        for name, zero in (("l2", True), ("smoothing", False)):
            if name in p:
                p[name] = positive(name, _text(p[name]), zero=zero)
        if "train" in p:
            p["train"] = number("train", _text(p["train"]))
        axes = {k: v for k, v in p.items() if len(lists.get(k, ())) > 1}  # m may come from the data
        found.append(Posed(p, str(table.get("label", p["data"])), str(table.get("setting", "")), axes))
    return found


def _seeds(plan: Mapping[str, object]) -> list[int]:
    seeds = plan.get("seeds", [0])
    if isinstance(seeds, str):
        first, sign, last = seeds.partition("-")
        least = _count("seeds", first, 0)
        return list(range(least, _count("seeds", last, least) + 1)) if sign else [least]
    found = [_count("seeds", s, 0) for s in listed(seeds)]
    if len(set(found)) < len(found) or not found:
        raise UsageError(f"seeds must be different numbers, got {seeds}")
    return found


def _tables(plan: Mapping[str, object], name: str) -> list[Document]:
    found = listed(plan.get(name, []))
    if not found or not all(isinstance(t, Mapping) for t in found):
        raise UsageError(f"the plan has no table [[{name}]]")
    return found


def _known(what: str, given: Mapping[str, Quantity], known: tuple[str, ...]) -> None:
    for name in given:
        if name not in known:
            raise UsageError(f"{what} has no {name!r}, only {', '.join(known)}{did_you_mean(name, known)}")


def _word(name: str, value: object, known: tuple[str, ...]) -> str:
    if value not in known:
        raise UsageError(f"{name} must be one of {', '.join(known)}, got {value!r}{did_you_mean(str(value), known)}")
    return str(value)


def _stop(word: str) -> str:
    known = ("none", *rules())
    if word not in known:
        try:
            positive("stop", word)
        except UsageError as error:
            raise UsageError(f"{error}; or {' or '.join(known)}") from None
    return word


def _text(value: object) -> str:
    """A value of TOML as the word of the command line that stands for it."""
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def _count(name: str, value: object, least: int) -> int:
    return count(name, _text(value), least)
