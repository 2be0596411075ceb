"""What a lemma says in its own world: at any t, and of each client alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..claim import Claim
from ..instance import Instance, Later
from ..numbers import Floats
from ..premise import Premise, every_of
from ..relation import as_relations
from .induction import NotShown


def meant(p: Premise, x: Instance, of: Callable[[Instance], Any], sequence: bool) -> Any:
    """What a quantity means in the lemma's world; for a sequence now, and after a step where the lemma knows of one."""
    if not sequence:
        return of(x)
    return AtT([of(x), p.then_here(x, of)] if p.then_here else [of(x)])


class AnyT:
    """The t of a lemma in its own world, where nothing but elements at t and at t + 1 has a meaning."""

    def __init__(self, where: str, after: int = 0) -> None:
        self.where, self.after = where, after

    def __add__(self, other: Any) -> AnyT:
        if other != 1 or self.after:
            self._refused()
        return AnyT(self.where, 1)

    __radd__ = __add__

    def _refused(self, *_: Any) -> Any:
        raise NotShown(
            f"{self.where}: what is used reads t otherwise than as x.D[t] and x.D[t + 1]; a scalar of the lemma may be t by "
            "at={'k': lambda x, t: t}"
        )

    __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __neg__ = _refused
    __lt__ = __le__ = __gt__ = __ge__ = __index__ = __int__ = __float__ = __bool__ = _refused


class AtT:
    """A sequence in the world of a lemma: what it means at t, and at t + 1."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = values

    def __getitem__(self, t: Any) -> Any:
        if not isinstance(t, AnyT):
            raise NotShown(
                "an element of a sequence by a number of its own: a lemma for every t speaks of those at t and t + 1"
            )
        if t.after >= len(self.values):
            raise NotShown(f"{t.where}: then=... says what there is at t + 1")
        return self.values[t.after]


def require_as_many(where: str, claim: Claim, p: Premise) -> None:
    """Raise NotShown unless what is one number a client in the lemma, and one number here, is used for each client alone.

    A mean over the clients of what is one number would be that number.
    """
    world: Any = claim.world
    specs = {**world.scalars, **getattr(world, "sequences", {})}
    several = [s for s in p.claim.world.shapes(2) if s.get("m", 1) > 1]
    rng = np.random.default_rng(20200605)
    free = next((f for s in several[:1] for f in p.claim.world.sample(rng, s, 1, 1)), None)
    if free is None:
        return
    x = p.claim.world.build(free, Floats())
    here = x.at(**{name: fn(x) for name, fn in p.names.items()})
    place = (AnyT(where),) if p in every_of(world) else ()

    def said(one: Callable[[Any], Any]) -> list[Any]:
        def single(name: str, of: Callable[[Instance], Any]) -> Any:
            value = meant(p, here, of, name in getattr(world, "sequences", {}))
            if name in specs and specs[name].per_client:
                if np.shape(value)[-1:] != (x.m,):
                    raise NotShown(f"{where}: {name} is one number a client here, and one number in the lemma")
                return value
            return AtT([one(v) for v in value.values]) if isinstance(value, AtT) else one(value)

        names = {name: Later(partial(single, name, of)) for name, of in p.meaning_here.items()}
        return [side for r in as_relations(p.says(here.at(**names), *place), where) for side in (r.lhs, r.rhs)]

    def of_client(i: int, v: Any) -> Any:
        return v[..., i : i + 1] if np.shape(v)[-1:] == (x.m,) else v

    with np.errstate(all="ignore"):
        whole = said(lambda v: v)
        for i in range(x.m):
            alone = said(partial(of_client, i))
            for a, b in zip(whole, alone, strict=True):
                if not np.allclose(
                    np.asarray(of_client(i, a), dtype=float), np.asarray(b, dtype=float), equal_nan=True
                ):
                    raise NotShown(
                        f"{where}: a quantity that is one number here is one a client in the lemma, which says another thing of "
                        "them together than of each"
                    )
