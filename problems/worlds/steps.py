"""Worlds of one step and of runs: states reached from an allowed start by exact steps, with adversarial inner errors.

The search sees reached states only. The abstract instance takes one step from any state that satisfies the method's
invariants (each of which is a claim), so a certificate covers every step of every run.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

import numpy as np

from fedtheory.errors import NotApplicable
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers

from .function_world import FunctionWorld


class Unseen:
    """What a state has counted or chosen by then, of which a certificate about any one step knows nothing."""

    __array_ufunc__ = None

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, name: str) -> NoReturn:
        raise NotApplicable(f"a certificate is about any step, at which {self.name} of a state is not known")

    __hash__ = object.__hash__


def _refuse(self: Unseen, *_: Any) -> NoReturn:
    raise NotApplicable(f"a certificate is about any step, at which {self.name} of a state is not known")


OPERATIONS = """add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow neg pos abs
    eq ne lt le gt ge bool int float index len iter getitem array round"""
for _op in OPERATIONS.split():
    setattr(Unseen, f"__{_op}__", _refuse)


def _unseen(state: Any) -> dict[str, Unseen]:
    """The fields of a state that are counters, or that nothing has been chosen for."""
    return {k: Unseen(k) for k, v in state._asdict().items() if v is None or isinstance(v, int)}


def unit_directions(axis: Any, xp: Any) -> Any:
    """Rational unit vectors ``(..., d)``: the first basis vector reflected along `axis`."""
    first = axis * 0
    norm_sq = xp.sum(axis * axis, axis=-1, keepdims=True)
    e1 = xp.concat([axis[..., :1] * 0 + 1, first[..., 1:]], axis=-1)
    return e1 - axis * (2 * axis[..., :1] / norm_sq)


@dataclass(frozen=True)
class Steps(FunctionWorld):
    """`steps` steps of a method from an allowed start; the last one is the step looked at.

    Sizes: ``steps``, ``k0`` steps between two communications, and ``select``, the selection of the last step, client i as
    bit i. Names: ``x.alg``, ``x.states`` (all), ``x.state`` (before the last step), ``x.next`` (after it), and
    ``x.each_step(fn)`` for a relation between consecutive states. A body that looks at ``x.states`` has no certificate.
    """

    own_names: ClassVar[tuple[str, ...]] = ("alg", "state", "next", "states")
    counts_steps: ClassVar[bool] = True

    def shapes(self, largest_m: int) -> list[dict[str, int]]:
        """Every size, with every non-empty selection as the bits of ``select``."""
        return [s for s in super().shapes(largest_m) if 1 <= s["select"] < 2 ** s["m"]]

    def draw_vectors(self, rng: np.random.Generator, shape: Mapping[str, int], batch: int) -> dict[str, np.ndarray]:
        """Those of the clients, and one error of every client in every step, as a direction and a relative size."""
        size = (batch, shape["steps"], shape["m"], shape["d"])
        return {
            **super().draw_vectors(rng, shape, batch),
            "error_axis": rng.standard_normal(size),
            "error_reach": signed_reach(rng, (*size[:-1], 1)),
        }

    def masks(self, shape: Mapping[str, int]) -> list[np.ndarray]:
        """Selections ``(m,)`` of the steps.

        The last step selects the bits of ``select``; every communication before it selects the clients one place
        further on, and between communications the selection stays.
        """
        last = np.array([bool(shape["select"] >> i & 1) for i in range(shape["m"])])
        communications = [k // shape["k0"] for k in range(shape["steps"])]
        return [np.roll(last, c - communications[-1]) for c in communications]

    def chosen(self, mask: np.ndarray, numbers: Numbers) -> Any:
        """A selection on the numbers' device."""
        return numbers.xp.asarray(mask, device=getattr(numbers, "device", None)) if numbers.kind == "float" else mask

    def errors(self, x: Any, data: Mapping[str, Any], numbers: Numbers) -> Any:
        """Errors ``(..., steps, m, d)`` of at most ``x.root_eps`` in length."""
        return unit_directions(data["error_axis"], numbers.xp) * data["error_reach"] * x.root_eps[..., None]

    def with_states(self, names: dict[str, Any], alg: Any, states: list[Any], numbers: Numbers, given: Any) -> Instance:
        """The instance with its method and its states."""
        extra: dict[str, Any]
        if numbers.kind == "gram":  # a certificate sees one step and must not be read as one about a run
            extra = {
                "state": states[-2]._replace(**_unseen(states[-2])),
                "next": states[-1]._replace(**_unseen(states[-1])),
            }
        else:
            extra = {"state": states[-2], "next": states[-1], "states": tuple(states)}
        extra["alg"] = alg
        return Instance(numbers, {**names, **extra}, given=given, steps=itertools.pairwise(states))


def min_curvature(x: Any) -> Any:
    """Smallest curvature of each client, ``(..., m)``."""
    out = x.f.curvatures[0][..., 0]
    for c in x.f.curvatures:
        for k in range(c.shape[-1]):
            out = x.minimum(out, c[..., k])
    return out


def signed_reach(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    """Relative sizes of errors in [-1, 1]: the bound itself, zero, or in between; often of one sign in a row."""
    value = rng.choice([-1.0, 1.0, 1.0, 0.0, 0.5], size) * np.where(rng.random(size) < 0.3, rng.random(size), 1.0)
    same = np.broadcast_to(value[:, :1], size)
    return np.where(rng.random((size[0],) + (1,) * (len(size) - 1)) < 0.5, same, value)
