"""The symbols of a paper, each once: unit, range and meaning, for claims, catalogues, `constants` and docs/notation.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .errors import UsageError, did_you_mean
from .world import Scalar


@dataclass(frozen=True)
class Symbol:
    """One symbol.

    Attributes
    ----------
    meaning : str
        What it is, in a few words.
    scalar : Scalar
        Its range and unit, as claims take them.
    printed : str
        The paper's letter, where that is another than the name in code.
    whole : bool
        Whether it counts something, so that `fedtheory constants` takes whole numbers only.
    """

    meaning: str
    scalar: Scalar
    printed: str = ""
    whole: bool = False


class Symbols(Mapping[str, Symbol]):
    """The symbols of one paper by their names in code; calling it gives the scalars of a world.

    Examples
    --------
    >>> from fedtheory.units import CURVATURE
    >>> from fedtheory.world import positive
    >>> symbols = Symbols(lam=Symbol("Moreau parameter", positive(CURVATURE), "lambda"))
    >>> list(symbols("lam"))
    ['lam']
    """

    def __init__(self, **symbols: Symbol) -> None:
        self._symbols = symbols

    def __getitem__(self, name: str) -> Symbol:
        if name not in self._symbols:
            raise UsageError(f"the paper has no symbol {name!r}{did_you_mean(name, self._symbols)}")
        return self._symbols[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._symbols)

    def __len__(self) -> int:
        return len(self._symbols)

    def __contains__(self, name: object) -> bool:
        return name in self._symbols

    def __call__(self, *names: str) -> dict[str, Scalar]:
        """The scalars of a world, in the order given: ``Points(..., **symbols("lam", "mu"))``."""
        return {name: self[name].scalar for name in names}

    def meanings(self, *names: str) -> dict[str, str]:
        """What the named symbols mean; all of them if none is named."""
        return {name: self[name].meaning for name in names or self}
