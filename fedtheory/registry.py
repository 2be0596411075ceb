"""What is installed: papers, methods and engines, each found through the entry points of a package, each imported when asked for.

A package of claims says in its pyproject.toml::

    [project.entry-points."fedtheory.papers"]
    ditto = "ditto_claims:papers"

    [project.entry-points."fedtheory.methods"]
    ditto = "ditto_claims.method:methods"

    [project.entry-points."fedtheory.engines"]
    ditto = "ditto_claims.engine:engines"

where `papers`, `methods` and `engines` take nothing and return an iterable of `Paper`, of `Method` and of `Stage`. With
FEDTHEORY_NO_PLUGINS set in the environment there are only our own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from typing import TYPE_CHECKING, Any

from .claim import Claim, made
from .errors import UsageError, did_you_mean
from .method import Method
from .paper import Paper

if TYPE_CHECKING:
    from .engines.context import Stage
    from .formats import Json

PAPERS, METHODS, ENGINES = "fedtheory.papers", "fedtheory.methods", "fedtheory.engines"
OURS = "fedtheory"  # the distribution that stays when FEDTHEORY_NO_PLUGINS is set
HINT = "FEDTHEORY_NO_PLUGINS=1 goes on without packages of others"


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


@cache
def engines() -> Mapping[str, Stage]:
    """The engines of other packages by the name of their stage; ours are `fedtheory.referee.order.ORDER`.

    Raises
    ------
    UsageError
        If a package cannot be loaded, or two packages have an engine of one name.
    """
    from .engines.context import Stage  # which stands on claims, as this does

    return _found(ENGINES, Stage, "engine", lambda s: s.name)


def packages_of_engines() -> tuple[str, ...]:
    """The packages of others that decide claims, by which results are kept as by our own sources."""
    return tuple(sorted({stage.engine.__module__.partition(".")[0] for stage in engines().values()}))


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


@cache
def claims(id: str) -> Mapping[str, Claim]:
    """The claims of one paper by id; its modules are imported.

    Raises
    ------
    UsageError
        If there is no such paper, its modules cannot be imported, or what they hold are no claims of it.
    """
    one = paper(id)
    whose = f"paper {id} ({one.package or 'of an unknown package'})"
    token = made.set(None)  # a draft that imports a lemma of a paper makes none of the paper's claims
    try:
        found = dict(one.claims())
    except (Exception, SystemExit) as error:  # whatever somebody else's package raises: say whose
        raise UsageError(f"the claims of {whose} cannot be loaded: {_said(error)}") from error
    finally:
        made.reset(token)
    for name, c in found.items():
        if not isinstance(c, Claim) or c.id != name or not name.startswith(f"{id}/"):
            raise UsageError(f"{whose} must give its claims by their ids, {id}/..., got {name!r}: {str(c)[:60]}")
    return found


def claim(id: str) -> Claim:
    """One published claim; only its own paper is imported.

    Raises
    ------
    UsageError
        If there is none.
    """
    prefix = id.split("/")[0]
    known = claims(prefix) if prefix in papers() else {}
    if id not in known:
        near = did_you_mean(id, known or (f"{p}/" for p in papers()))
        raise UsageError(f"no claim is called {id!r}{near} (fedtheory list shows all)")
    return known[id]


def _found(group: str, kind: type, word: str, name_of: Any) -> Json:
    out: Json = {}
    whose: dict[str, str] = {}
    for entry in sorted(metadata.entry_points(group=group), key=lambda e: (_owner(e) != OURS, e.name, e.value)):
        if _owner(entry) != OURS and os.environ.get("FEDTHEORY_NO_PLUGINS"):
            continue
        who = f"{entry.value} ({_owner(entry)})"
        hint = f"; {HINT}" if _owner(entry) != OURS else ""
        try:
            given = tuple(entry.load()())
        except (Exception, SystemExit) as error:  # somebody else's package: say whose, whatever it raises
            raise UsageError(f"the {word}s of {who} cannot be loaded: {_said(error)}{hint}") from error
        for one in given:
            if not isinstance(one, kind):
                raise UsageError(f"{who} must give {kind.__name__} records, got {one!r}{hint}")
            name = name_of(one)
            if name in out:
                raise UsageError(
                    f"two installed packages have a {word} {name!r}, {whose[name]} and {_owner(entry)}; remove one of them"
                )
            out[name], whose[name] = one, _owner(entry)
    if not out and group != ENGINES:  # ours are no entry points
        raise UsageError(
            f'no {word} is installed under the entry points "{group}"; install fedtheory (pip install .) and try again'
        )
    return out


def _said(error: BaseException) -> str:
    """What an error says, in one line."""
    text = " ".join(str(error).split())
    return text if isinstance(error, UsageError) else f"{type(error).__name__}: {text}"


def _owner(entry: metadata.EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else "an unknown distribution"
