"""Names of a world: each has one meaning, so that nothing of an instance is overwritten by something else; and its parts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from keyword import iskeyword
from typing import Any

from fedtheory.errors import UsageError
from fedtheory.instance import Instance
from fedtheory.world import Parts

OF_ENGINES = ("given", "xp", "kind")  # attributes of an instance that are no names of a paper


def require_one_meaning(owners: Iterable[tuple[str, str]], world: str) -> None:
    """Refuse a world in which a name means two things.

    Parameters
    ----------
    owners : iterable of (name, meaning)
        Every name of the world's instances with what it is, such as ``("L", "a scalar")``.
    world : str
        How the world is called in the message.

    Raises
    ------
    UsageError
        If a name is no identifier, belongs to every instance, or stands twice.
    """
    seen: dict[str, str] = {}
    for name, meaning in owners:
        if not isinstance(name, str) or not name.isidentifier() or iskeyword(name):
            raise UsageError(f"{world}: {meaning} cannot be called {name!r}: a name is an identifier, such as L0")
        if hasattr(Instance, name) or name in OF_ENGINES or name.startswith("_"):
            raise UsageError(f"{world}: {meaning} cannot be called {name!r}: x.{name} belongs to every instance")
        if name in seen:
            raise UsageError(f"{world}: the name {name!r} means two things, {seen[name]} and {meaning}")
        seen[name] = meaning


def with_functions(parts: Parts, world: Any) -> Parts:
    """What a world is made of that has functions at points."""
    return replace(
        parts, f=world.f, envelope=world.envelope, diversity=world.diversity, at=world.at, clients_at=world.clients_at,
        optimum_of=world.optimum_of, own_names=world.own_names, participation=world.participation, noise=world.noise,
        mixing=world.mixing, weights=world.weights,
    )  # fmt: skip
