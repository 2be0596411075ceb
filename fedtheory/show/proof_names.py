"""Names of the vectors and numbers of a certificate: ``w``, ``w*``, ``grad f(w)`` where these are short, else u0, v0 and a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ..formats import Document

SHORT = re.compile(r"((mean|spread|deviation) )?(grad )?[A-Za-z]\w*\*?(\([A-Za-z]\w*\*?\))?")
OF_SEVERAL = ("mean ", "spread ", "deviation ")


class Names:
    """What the vectors u k and the numbers v k of one part of a certificate are called.

    Examples
    --------
    >>> names = Names({"where": "m=1", "names": ["lam"], "leaves": {"0": "w_star", "1": "grad f[0]((-1/lam) itself + w_star)"}})
    >>> names.vector("0"), names.vector("1"), names.vector("2"), names.told
    ('w*', 'u1', 'u2', {'u1': 'grad f((-1/lam) u1 + w*)'})
    """

    def __init__(self, part: Document) -> None:
        self.one = str(part.get("where", "")).startswith("m=1")
        self.told: dict[str, str] = {}
        taken = set(part.get("names", ()))
        leaves, values = part.get("leaves") or {}, part.get("values") or {}
        own = {k: f"u{k}" for k in leaves} if self.one else {}
        self._vectors = self._called("u", leaves, taken, own)
        at = {name: f"u{k}" for k, name in leaves.items()} if self.one else {}
        gradients = {k: at[f"grad {name}"] for k, name in values.items() if f"grad {name}" in at}
        self._numbers = self._called("v", values, taken, gradients)

    def vector(self, k: str) -> str:
        """Of the vector u k."""
        return self._vectors.get(k, f"u{k}")

    def number(self, k: str) -> str:
        """Of the number v k."""
        return self._numbers.get(k, f"v{k}")

    def _called(
        self, letter: str, named: Mapping[str, str], taken: set[str], gradients: Mapping[str, str]
    ) -> dict[str, str]:
        """Short names; `gradients` are what stands within a point as itself."""
        found: dict[str, str] = {}
        for k, name in named.items():
            said, own = self._plain(name), f"{letter}{k}"
            if SHORT.fullmatch(said) and said not in taken:
                found[k] = said
                taken.add(said)
            elif said != own:
                self.told[own] = re.sub(r"\bitself\b", gradients.get(k, "itself"), said)
        return found

    def _plain(self, name: str) -> str:
        """Without what only tells places apart: the generic client is i, and a shared vector is its own mean."""
        if name.startswith("mean mean ") or (name.startswith("mean ") and "[" not in name):
            name = name.removeprefix("mean ")
        name = name.replace("[0]", "" if self.one else "_i")
        return re.sub(r"_star\b", "*", name)

    def lines(self) -> Iterator[str]:
        """Those that have no short name, a line each: what they are."""
        yield from (f"{own} = {said}" for own, said in self.told.items())
