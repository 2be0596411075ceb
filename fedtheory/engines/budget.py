"""Budgets: counts, never seconds, so that the same seed and budget give the same verdicts everywhere."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..errors import UsageError, did_you_mean

BATCH = 600  # instances of an evaluation, where each has its own scalars: it costs half as much again as one of fifty
SHARED = 50  # where they share them, so that many sets of scalars are looked at
CHECKED = 4  # part of the instances that is drawn where a proof is cross-checked


@dataclass(frozen=True)
class Budget:
    """What the engines may spend on one claim.

    Attributes
    ----------
    name : str
        quick, standard or deep.
    simple : int
        Instances in small numbers that are looked at first.
    instances : int
        Drawn and edited at random after them; for the claim, and again for its control.
    shared : int
        The same, where instances share their scalars.
    replays : int
        Instances of least slack that are replayed exactly.
    largest_m : int
        Clients up to which z3 and certificates go; worlds that start above it give their smallest number.
    search_m : int
        Clients up to which the search goes.
    rlimit : int
        z3's own steps a question.
    signs : int
        The same for a question on the sign of a polynomial, of which a claim may have hundreds.
    grid : int
        Rational parameters at which certificates are sought.
    thorough : bool
        Whether to go on after a proof: which conditions it needs, certificates at listed parameters, the best constant;
        and to lift claims of which some sizes can only be listed.
    """

    name: str
    simple: int
    instances: int
    shared: int
    replays: int
    largest_m: int
    search_m: int
    rlimit: int
    signs: int
    grid: int
    thorough: bool = True

    def cross_check(self) -> Budget:
        """To search where there is a proof: briefly, at random, with fewer replays of rounding noise."""
        return replace(self, simple=0, instances=self.instances // CHECKED, shared=self.shared // CHECKED, replays=1)


BUDGETS = {
    "quick": Budget("quick", 500, 24_000, 2_000, 5, 2, 8, 2_000_000, 2_000_000, 2, thorough=False),
    "standard": Budget("standard", 5_000, 300_000, 50_000, 125, 3, 8, 50_000_000, 4_000_000, 4),
    "deep": Budget("deep", 50_000, 4_000_000, 2_000_000, 5_000, 4, 8, 2_000_000_000, 20_000_000, 8),
}


def smaller(than: Budget) -> list[Budget]:
    """The budgets of smaller counts, the largest first."""
    names = list(BUDGETS)
    return [BUDGETS[name] for name in reversed(names[: names.index(than.name)])] if than.name in names else []


def budget_named(name: str, called: str = "budget") -> Budget:
    """The budget called `name`; a complaint calls the argument `called`.

    Raises
    ------
    UsageError
        If there is none.
    """
    if not isinstance(name, str) or name not in BUDGETS:
        raise UsageError(
            f"{called} must be one of {', '.join(BUDGETS)}, got {name!r}{did_you_mean(str(name), BUDGETS)}"
        )
    return BUDGETS[name]
