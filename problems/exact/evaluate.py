"""Claims about functions at points and about steps of a method, evaluated exactly on real data.

The clients are least-squares problems instead of random quadratics. Scalars that bound the class come from the data (L
and r_i from above, mu from below, both proved); the others, and the points, are drawn around the units of the data.
Every number is a rational, so a result is a decision at that instance, not an estimate, and says nothing about others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np

from fedtheory.checks import whole
from fedtheory.claim import Claim
from fedtheory.engines.counterexamples import exact
from fedtheory.errors import NotApplicable, UsageError

from ..data.datasets import clients as clients_of
from ..worlds.function_world import FunctionWorld
from .least_squares import LeastSquares
from .world import DataWorld

LARGEST_M, LARGEST_D = 10, 64  # the cost of exact arithmetic grows with the clients and with the cube of the dimension


@dataclass(frozen=True)
class OnData:
    """What one claim says at one instance of one data set.

    Attributes
    ----------
    claim, data : str
        Id of the claim and name of the data set.
    outcome : str
        ``holds`` or ``refutes``; ``outside`` (the data or this instance do not meet a hypothesis), ``domain`` (a side
        is undefined), ``undecided`` (enclosures overlap) or ``not applicable``, each with a `reason`.
    shape : dict of int
        Sizes of the instance.
    scalars : dict
        Its scalars, Fractions or tuples of m of them.
    slack : float or None
        Least (rhs - lhs)/(|lhs| + |rhs|) over the relations of the claim.
    replay : Replay or None
        Conditions and relations with both sides.
    """

    claim: str
    data: str
    outcome: str
    reason: str = ""
    shape: dict[str, int] = field(default_factory=dict)
    scalars: dict[str, Any] = field(default_factory=dict)
    slack: float | None = None
    replay: exact.Replay | None = field(default=None, repr=False, compare=False)


def exact_clients(name: str | PathLike[str], m: int, *, seed: int = 0, **options: Any) -> LeastSquares:
    """Least-squares clients of a data set in exact arithmetic; labels count as targets.

    Parameters
    ----------
    name : str or path
        As in `problems.data.datasets.load`: the same name is the same data as in ``fedtheory run``.
    m : int
        Clients, from 1 to 10.
    seed, options
        As in `problems.data.datasets.clients`: partition, scaling, and what the data set takes, such as ``features="mean"``.

    Raises
    ------
    UsageError
        If the data cannot be had, an option is unknown, or there are too many clients or features.

    Examples
    --------
    >>> f = exact_clients("breast-cancer", 3, features="mean")
    >>> f.m, f.d
    (3, 10)
    """
    whole("exact_clients(m=...)", m, 1, LARGEST_M)
    parts, _ = clients_of(name, m, seed=seed, **options)
    d = parts[0][0].shape[1]
    if d > LARGEST_D:
        raise UsageError(f"{name} has {d} features; exact arithmetic takes at most {LARGEST_D}")
    return LeastSquares(parts)


def evaluate(
    claim: Claim, data: str | LeastSquares, *, m: int = 3, seed: int = 0, instances: int = 8, name: str = ""
) -> list[OnData]:
    """Evaluate a claim exactly on the least-squares clients of a data set.

    Parameters
    ----------
    claim : Claim
        Of a world of functions at points or of steps.
    data : str or LeastSquares
        A data set by its name, divided among `m` clients, or clients made by `exact_clients`.
    seed : int
        Of the partition where a name is given; the k-th instance depends on the seed and on k alone.
    instances : int
        How many to draw.
    name : str
        What clients that are given are called.

    Returns
    -------
    list of OnData
        One a drawn instance; a single one, with the reason, where the claim or the data admit none.

    Raises
    ------
    UsageError
        If an argument breaks its rule, or scikit-learn is not installed.

    Examples
    --------
    >>> from fedtheory import claim, le
    >>> from fedtheory.units import CURVATURE
    >>> from problems import Points, Smooth, positive
    >>> @claim("draft/smooth", world=Points(Smooth("L"), at=("w", "v"), L=positive(CURVATURE)))
    ... def smooth(x):
    ...     return le(x.sq(x.f.grad(x.w) - x.f.grad(x.v)), x.L**2*x.sq(x.w - x.v))
    >>> [result.outcome for result in evaluate(smooth, "diabetes", instances=2)]
    ['holds', 'holds']
    """
    if not isinstance(claim, Claim):
        raise UsageError(f"evaluate(claim=...) must be a claim made by @claim(...), got {type(claim).__name__}")
    for key, value, least in (("seed", seed, 0), ("instances", instances, 1)):
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise UsageError(f"evaluate({key}=...) must be an integer of at least {least}, got {value!r}")
    problem, name = (data, name) if isinstance(data, LeastSquares) else (exact_clients(data, m, seed=seed), data)
    reason = not_applicable(claim.world, problem.m)
    if reason:
        return [OnData(claim.id, name, "not applicable", reason)]
    world = DataWorld(claim.world, problem)  # type: ignore[arg-type]
    reason = outside(world.world, problem)
    if reason:
        return [OnData(claim.id, name, "outside", reason)]
    return [_one(claim, name, world, np.random.default_rng([seed, k])) for k in range(instances)]


def _one(claim: Claim, name: str, world: DataWorld, rng: np.random.Generator) -> OnData:
    try:
        free = world.draw(rng)
    except NotApplicable as error:
        return OnData(claim.id, name, "outside", str(error))
    found = exact.replay(claim.body, world, free, claim.id)  # type: ignore[arg-type]
    slack = min((exact.slack(side) + 0.0 for side in found.relations), default=None)  # no minus zero
    scalars = {k: tuple(v) if isinstance(v, np.ndarray) else v for k, v in free.scalars.items()}
    return OnData(claim.id, name, found.outcome, found.reason, free.shape, scalars, slack, found)


def not_applicable(world: Any, m: int) -> str:
    """Why a claim of this world says nothing about `m` given clients, or an empty string."""
    if world.own_clients:
        return str(world.own_clients)
    if world.f is None:
        return f"the claim is about {'vectors' if world.at or world.clients_at else 'selections'} alone"
    if type(world).build is not FunctionWorld.build:
        return f"{type(world).__name__} makes clients of its own"
    sizes = world.sizes.get("m", (m,))
    several = max(sizes) >= 3  # worlds list some sizes of a claim about any number of clients
    if m in sizes or (several and m >= min(sizes)):
        return ""
    return f"the claim is stated for m in {', '.join(str(s) for s in sizes)}, got m = {m}"


def outside(world: FunctionWorld, problem: LeastSquares) -> str:
    """Which hypothesis no instance of these data can meet, or an empty string."""
    refused = world.f.refused(problem) if world.f else ""
    if refused:
        return refused
    if world.diversity and any(problem.A[0] != A for A in problem.A):
        return f"{world.diversity} must bound the diversity at every w; none does where clients have different Hessians"
    return ""
