"""What is installed: papers and methods, each found through the entry points of a package, each imported when asked for.

A package of claims says in its pyproject.toml::

    [project.entry-points."fedtheory.papers"]
    ditto = "ditto_claims:papers"

    [project.entry-points."fedtheory.methods"]
    ditto = "ditto_claims.method:methods"

where `papers` and `methods` take nothing and return an iterable of `Paper` and of `Method`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from typing import Any

from .claim import Claim
from .errors import UsageError, did_you_mean
from .method import Method
from .paper import Paper

PAPERS, METHODS = "fedtheory.papers", "fedtheory.methods"
OURS = "builtin"  # the entry point that stays when FEDTHEORY_NO_PLUGINS is set


@cache
def papers() -> Mapping[str, Paper]:
    """Every installed paper by id, in the order in which the packages give them, ours first.

    Raises
    ------
    UsageError
        If a package cannot be loaded, or two packages have a paper of one id.
    """
    return _found(PAPERS, Paper, "paper", lambda p: p.id)


@cache
def methods() -> Mapping[str, Method]:
    """Every installed method by name, ours first.

    Raises
    ------
    UsageError
        If a package cannot be loaded, or two packages have a method of one name.
    """
    return _found(METHODS, Method, "method", lambda m: m.name)


def paper(id: str, option: str = "--paper") -> Paper:
    """The paper called `id`.

    Raises
    ------
    UsageError
        If none is installed under this id.
    """
    known = papers()
    if id not in known:
        raise UsageError(f"{option} must be one of {', '.join(known)}, got {id!r}{did_you_mean(id, known)}")
    return known[id]


def method(name: str) -> Method:
    """The method called `name`.

    Raises
    ------
    UsageError
        If none is installed under this name.
    """
    known = methods()
    if name not in known:
        raise UsageError(f"run METHOD must be one of {', '.join(known)}, got {name!r}{did_you_mean(name, known)}")
    return known[name]


def claim(id: str) -> Claim:
    """One published claim; only its own paper is imported, so that a worker process finds any claim here.

    Raises
    ------
    UsageError
        If there is none.
    """
    known = paper(id.split("/")[0]).claims()
    if id not in known:
        raise UsageError(f"no claim is called {id!r}{did_you_mean(id, known)} (fedtheory list shows all)")
    return known[id]


def _found(group: str, kind: type, word: str, name_of: Any) -> dict[str, Any]:
    out: dict[str, Any] = {}
    whose: dict[str, str] = {}
    for entry in sorted(metadata.entry_points(group=group), key=lambda e: (e.name != OURS, e.name)):
        if entry.name != OURS and os.environ.get("FEDTHEORY_NO_PLUGINS"):
            continue
        try:
            given = tuple(entry.load()())
        except Exception as error:  # somebody else's package: say whose, whatever it raises
            raise UsageError(
                f"the {word}s of {entry.value} ({_owner(entry)}) cannot be loaded: {type(error).__name__}: {error}"
            ) from error
        for one in given:
            if not isinstance(one, kind):
                raise UsageError(f"{entry.value} ({_owner(entry)}) must give {kind.__name__} records, got {one!r}")
            name = name_of(one)
            if name in out:
                raise UsageError(
                    f"two installed packages have a {word} {name!r}, {whose[name]} and {_owner(entry)}; remove one of them"
                )
            out[name], whose[name] = one, _owner(entry)
    if not out:
        raise UsageError(
            f'no {word} is installed under the entry points "{group}"; install fedtheory (pip install .) and try again'
        )
    return out


def _owner(entry: metadata.EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else "an unknown distribution"
