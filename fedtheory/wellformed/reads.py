"""What a claim's functions read from outside: floats, and what is another thing than when the claim was made."""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType

import numpy as np

from ..claim import Claim
from ..errors import UsageError
from ..instance import Instance
from ..outside import NUMBERS, changed, codes, names
from ..relation import Condition

SHOWN = (*NUMBERS, str)
BARE = frozenset(
    (
        "asarray",
        "asanyarray",
        "ascontiguousarray",
        "asfortranarray",
        "array",
        "frombuffer",
        "fromiter",
        "nditer",
        "ndarray",
        "view",
        "asarray_chkfinite",
        "masked_array",
        "matrix",
        "broadcast",
        "frompyfunc",
        "vectorize",
        "memoryview",
    )
)
OURS = ("fedtheory", "problems", "numpy")
PRIVATE = frozenset(("_numbers", "_names", "_draws", "_dot", "_steps", "__dict__")) | {
    name for name in vars(Instance) if name.startswith("_") and not name.startswith("__")
}
ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")


def floats_in(claim: Claim) -> Iterator[tuple[str, object]]:
    """(where it stands, the float) for the body, its control, the stated conditions and the formulas of the world."""
    for what, fn in _functions(claim).items():
        yield from _read(fn, what, set())


def require_unchanged(claim: Claim) -> None:
    """That what the body, the control and the conditions read from outside is what it was when the claim was made.

    Raises
    ------
    UsageError
        If a number, a text, what a container holds, or a function is another one since.
    """
    for what, fn in _functions(claim).items():
        known = next((c.bound for c in stated_of(claim) if c.relation is fn), {})
        before = claim.bound if fn is claim.body else claim.held.get(what, known)
        for name, was, now in changed(fn, before):
            said = (
                f"was {was!r} and is {now!r} now"
                if isinstance(was, SHOWN) and isinstance(now, SHOWN)
                else "is another one now"
            )
            raise UsageError(
                f"claim {claim.id}: {what} reads {name}, which {said}, after it was made; hand it over at once, as in "
                "lambda x, k=k: ..., or do not use the name again"
            )


def require_own_arrays(claim: Claim) -> None:
    """That the body, the control and the conditions leave x and its arrays to the engines, which say what can be asked of them.

    Raises
    ------
    UsageError
        If one of them, or a helper of its package, has the name of what makes bare arrays of NumPy, or reads what is x's own.
    """
    for what, fn in _functions(claim).items():
        named = _attributes(fn, set())
        for name in sorted(named & PRIVATE):
            raise UsageError(
                f"claim {claim.id}: {what} reads x.{name}, which is another thing for every engine; a body has the names of its "
                "world and the operations of x alone"
            )
        for name in sorted(named & BARE if what not in claim.parts else ()):
            raise UsageError(
                f"claim {claim.id}: {what} has {name!r}, by which the entries of an array are counted and taken one by one; "
                "combine the arrays of x as they are, and write x.ratio(p, q) for a number"
            )


def _attributes(fn: object, seen: set[int]) -> frozenset[str]:
    """The names in a function and in its helpers, of the same package; those of x's own where a user's function asks for them."""
    fn = getattr(fn, "fn", fn)
    if not isinstance(fn, FunctionType) or id(fn) in seen:
        return frozenset()
    seen.add(id(fn))
    own = frozenset(n for code in codes(fn.__code__) for n in code.co_names)
    if own & PRIVATE:
        read = {i.argval for c in codes(fn.__code__) for i in dis.get_instructions(c) if i.opname in ATTRIBUTES}
        written_in = fn.__globals__["__name__"].partition(".")[0]  # of what wraps a user's function, ours
        own = own - PRIVATE | (own & PRIVATE & read if written_in not in OURS else frozenset())
    given = (*names(fn).values(), *(fn.__defaults__ or ()), *(fn.__kwdefaults__ or {}).values())
    helpers = [v for v in given if isinstance(v, FunctionType) and _beside(v, fn)]
    return own.union(*(_attributes(v, seen) for v in helpers))


def stated_of(claim: Claim) -> list[Condition]:
    """The conditions of a claim, those at every step and what is assumed among them."""
    parts = claim.world.parts()
    return [*claim.world.given, *parts.every, *parts.obeys]


def _functions(claim: Claim) -> dict[str, Callable[..., object]]:
    """The body, its control, the stated conditions, and what makes the world and its lemmas' arguments."""
    parts: dict[str, Callable[..., object]] = {"the body": claim.body}
    if claim.control is not None:
        parts["the control"] = claim.control.body
    parts |= {f"the condition {c.printed!r}": c.relation for c in stated_of(claim)}
    return parts | claim.parts


def _read(fn: object, what: str, seen: set[int]) -> Iterator[tuple[str, object]]:
    """Floats among the names that a function reads, and within its helpers, functions of the same package."""
    fn = getattr(fn, "fn", fn)  # a formula with its printed form
    if not isinstance(fn, FunctionType) or id(fn) in seen:
        return
    seen.add(id(fn))
    for name, value in names(fn).items():
        if isinstance(value, (float, complex, np.inexact)):
            yield f"{what} reads {name} =", value
        if isinstance(value, FunctionType) and _beside(value, fn):
            helper = f"the helper {value.__name__} of {what}"
            for constant in (*_constants(value.__code__), *(value.__defaults__ or ())):
                if isinstance(constant, (float, complex)):
                    yield f"{helper} holds", constant
            yield from _read(value, helper if what.count("helper") == 0 else what, seen)


def _beside(helper: FunctionType, fn: FunctionType) -> bool:
    """Whether a helper is the user's: of the package of the function that calls it, and none of ours."""
    top = (helper.__module__ or "").partition(".")[0]
    return top not in OURS and (top == (fn.__module__ or "").partition(".")[0] or fn.__module__ == "fedtheory.claim")


def _constants(code: CodeType) -> Iterator[object]:
    for one in codes(code):
        yield from (v for v in one.co_consts if not isinstance(v, CodeType))
