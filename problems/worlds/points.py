"""The world of functions at points: clients of a class to search and decide on, abstract clients to certify on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fedtheory.errors import UsageError
from fedtheory.world import Scalar

from .classes.base import FunctionClass
from .function_world import FunctionWorld
from .mixing import Mixing, require_mixing
from .noise import Variance, require_noise
from .participation import require_participation
from .region import COUNTS, Given, stated
from .scalars import example_given, sizes_given
from .weighted import require_weights

FEW, LARGEST_D = 2, 8  # clients and dimensions up to which a search goes beyond those that are listed


def Points(
    f: FunctionClass | None = None,
    *,
    envelope: str | None = None,
    at: tuple[str, ...] = ("w",),
    clients_at: tuple[str, ...] = (),
    optimum_of: str | None = None,
    diversity: str | None = None,
    participation: str = "",
    noise: Variance | None = None,
    mixing: Mixing | None = None,
    weights: str = "",
    given: tuple[Given, ...] = (),
    sizes: Mapping[str, tuple[int, ...]] | None = None,
    example: Mapping[str, Any] | None = None,
    **scalars: Scalar,
) -> FunctionWorld:
    """A world of functions at points; scalars by keyword, such as ``lam=positive(CURVATURE)``.

    With ``sizes={"S": ...}`` draws are of S clients without replacement, or with ``participation="replacement"``; with
    ``participation="independent"`` each client takes part with the chance p, a scalar, by itself.

    ``noise=lambda x: x.sigma**2`` bounds the variance of an error of each client, of mean zero and independent of the others:
    ``x.E(lambda n: ...)`` averages over the errors n, ``(m, d)``, and ``x.E(lambda draw, n: ...)`` over draws of clients and,
    independent of them, errors, where there are both.

    ``mixing={"W": "lam"}`` has symmetric doubly stochastic matrices: ``x.W(x.v)`` are the client vectors that W makes of v, of
    which the scalar lam bounds all eigenvalues but the one of the mean. In the place of "lam" ``Directed("lam")`` is doubly
    stochastic and need not be symmetric, and lam bounds the other singular values; ``ColumnStochastic()`` keeps the mean alone,
    ``RowStochastic()`` what all clients share. In a `Run` ``Varying(...)`` is another at every step, ``Drawn(...)`` drawn.

    ``weights="pi"`` has weights of the clients, positive ones of sum one, by which ``x.mean`` and ``x.mean_vec`` are, and w_star
    minimises; nothing counts clients then. Of the matrices "lam" is reversible, and ``Directed("lam")`` has rows of sum one and
    leaves the weights as they are, with a bound in the norm by them. What is proved holds for all weights.

    With an `example`, values of all scalars, where draws hardly ever meet the conditions on these.

    Raises
    ------
    UsageError
        If an argument is not one of the stated values.
    """
    require_functions("Points", f, scalars, envelope)
    if optimum_of not in (None, "f", "F"):
        raise UsageError(f"Points(optimum_of=...) must be None, 'f' or 'F', got {optimum_of!r}")
    if optimum_of == "F" and envelope is None:
        raise UsageError("Points(optimum_of='F') needs envelope=..., the name of the scalar lam")
    require_names("Points", at, clients_at, scalars)
    require_participation(participation, scalars, sizes_given(sizes))
    require_noise(noise)
    require_kind("Points", f, envelope, diversity, optimum_of, sizes_given(sizes))
    counting = {"noise": noise, "participation": participation, "diversity": diversity, "S": "S" in sizes_given(sizes)}
    return FunctionWorld(
        scalars,
        stated(given),
        {**COUNTS, **sizes_given(sizes)},
        f,
        envelope,
        at,
        clients_at,
        optimum_of,
        diversity,
        participation=participation,
        noise=noise,
        mixing=require_mixing("Points", mixing or {}, scalars),
        weights=require_weights("Points", weights, scalars, counting),
        example=example_given(example, scalars, {**COUNTS, **sizes_given(sizes)}, "Points"),
    )


def require_functions(call: str, f: object, scalars: Mapping[str, Scalar], envelope: str | None = None) -> None:
    """Refuse what is no function class, and a world without the scalars of one.

    Raises
    ------
    UsageError
        If it is none, or a scalar is not there.
    """
    if f is not None and not isinstance(f, FunctionClass):
        raise UsageError(f"{call}(f=...) must be a function class such as Convex() or Smooth('L'), got {f!r}")
    for name in [*(f.needs if f else ()), *([envelope] if envelope else [])]:
        if name not in scalars:
            raise UsageError(
                f"{call}({f.name if f else ''}) needs the scalar {name}=..., for instance {name}=positive(CURVATURE)"
            )


def require_kind(
    call: str, f: FunctionClass | None, envelope: Any, diversity: Any, optimum_of: str | None, sizes: Mapping[str, Any]
) -> None:
    """Refuse what a class does not have.

    Raises
    ------
    UsageError
        If it has no search clients, no envelopes, or is about a minimiser that the world does not have.
    """
    if f is None:
        return
    if not getattr(f, "drawn", True):
        raise UsageError(f"{call}({f.name}): nothing draws such functions; write Together({{'h': ...}}, ...)")
    around = getattr(f, "around_minimiser", False)
    if around and (optimum_of != "f" or tuple(sizes.get("m", ())) != (1,)):
        raise UsageError(
            f"{call}({f.name}) needs optimum_of='f' and sizes={{'m': (1,)}}: it is about its own minimiser"
        )
    if (getattr(f, "operator", False) or around) and (envelope or diversity):
        raise UsageError(f"{call}({f.name}) has no envelope=... and no diversity=..., got {envelope or diversity!r}")


def require_names(call: str, at: object, clients_at: object, scalars: Mapping[str, Scalar]) -> None:
    """Refuse names of vectors that are no tuple, and scalars that are none or have no sign.

    Raises
    ------
    UsageError
        If there are any.
    """
    for what, names in (("at", at), ("clients_at", clients_at)):
        if isinstance(names, str) or not isinstance(names, Sequence):
            raise UsageError(f"{call}({what}=...) must be a tuple of names such as ('w', 'v'), got {names!r}")
    for name, spec in scalars.items():
        if not isinstance(spec, Scalar):
            raise UsageError(f"{call}({name}=...) must be positive(), at_least(), between() or weights(), got {spec!r}")
        if spec.low is None:
            raise UsageError(
                f"{call}({name}=real()): parameters of functions have a sign; write it as a difference of two"
            )
