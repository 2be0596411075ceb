"""The check before: the body and its control run on one small batch, and their relations have shapes that can be decided."""

from __future__ import annotations

import traceback
from typing import Any

import numpy as np

from ..claim import Body, Claim
from ..errors import NotApplicable, UsageError, did_you_mean
from ..instance import Instance
from ..numbers import Floats
from ..relation import relations_of

INSTANCES = 3
OFFERED = ("grad", "infimum", "m", "prox", "value")  # what the clients x.f of any world have


def preflight(claim: Claim) -> None:
    """Run the body on one small batch and check the shapes of its relations.

    Raises
    ------
    UsageError
        If a side is neither ``(..., 1)`` nor ``(..., m)``, or the body itself raises.
    """
    world = claim.world
    shape = (world.shapes(2) or [{}])[-1]
    try:
        free = next(iter(world.sample(np.random.default_rng(0), shape, 1, INSTANCES)), None)
    except NotApplicable:
        return
    if free is None:
        return
    with np.errstate(all="ignore"):
        x = world.build(free, Floats())
        bodies = {"": claim.body} | ({" (control)": claim.control.body} if claim.control else {})
        for what, body in bodies.items():
            for side, value in _sides(claim, body, x, what):
                if hasattr(value, "shape") and (
                    value.ndim > 2 or (value.ndim and value.shape[-1] not in (1, shape.get("m", 1)))
                ):
                    raise UsageError(
                        f"claim {claim.id}{what}: the {side} has shape {tuple(value.shape)} for {INSTANCES} instances with "
                        f"m={shape.get('m', 1)}; a side must be (..., 1) or (..., m), so take x.sq, x.dot, x.mean or x.total"
                    )


def _sides(claim: Claim, body: Body, x: Instance, what: str) -> list[tuple[str, Any]]:
    try:
        relations = relations_of(body, x, claim.id + what)
    except NotApplicable as error:
        raise UsageError(f"claim {claim.id}{what}: {error}") from None
    except UsageError:
        raise
    except ZeroDivisionError:  # a side is undefined at these sizes; the search and the replay say so
        return []
    except (Exception, SystemExit) as error:
        line = next(
            (f.lineno for f in reversed(traceback.extract_tb(error.__traceback__)) if f.filename == _file(body)), None
        )
        at = f" at line {line}" if line else ""
        said = f"the body raises {type(error).__name__}{at}: {error}{_advice(error)}"
        raise UsageError(f"claim {claim.id}{what}: {said}") from None
    return [(side, getattr(r, side)) for r in relations for side in ("lhs", "rhs")]


ADVICE = {
    "broadcast": "a scalar per client (..., m) multiplies vectors (..., m, d) as x.alpha[..., None]",
    "not subscriptable": "clients have no numbers: x.f.value(x.w) and x.f.grad(x.w) have all of them along an axis, and "
    "x.mean, x.total and a scalar of weights() combine them",
    "truth value of an array": "a body says the same of every instance; use x.minimum and x.maximum instead of if",
}


def _advice(error: BaseException) -> str:
    """What to write instead, or the names that there are."""
    if isinstance(error, AttributeError) and error.obj is not None:
        fields = list(getattr(error.obj, "_fields", ())) or [n for n in OFFERED if hasattr(error.obj, n)]
        fields = fields or list(getattr(error.obj, "__dataclass_fields__", ()))
        near = did_you_mean(error.name or "", fields)
        return f" (it has {', '.join(fields)}){near}" if fields else ""
    return next((f"; {said}" for sign, said in ADVICE.items() if sign in str(error)), "")


def _file(body: Body) -> str:
    code = getattr(body, "__code__", None)
    return code.co_filename if code else ""
