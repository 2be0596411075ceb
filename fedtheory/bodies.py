"""A user's function on one number type: what it raises is an answer about that function, never a crash of an engine.

Bodies, conditions and formulas are called here and nowhere else. On floats and Fractions an error is the user's, told in
one line with its place and what to write instead; on other numbers (symbols, Gram arrays, units, balls) it says that
this engine cannot take the function. What our own code raises beneath it goes through and is a crash.
"""

from __future__ import annotations

import inspect
import re
import traceback
from collections.abc import Callable
from inspect import unwrap
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from .errors import NotApplicable, UnitsMismatch, UsageError, did_you_mean

if TYPE_CHECKING:
    from .quantity import Named

PACKAGES = tuple(Path(__file__).parents[1] / name for name in ("fedtheory", "problems"))
ARITHMETIC = tuple(
    PACKAGES[0] / name for name in ("numbers/kinds.py", "units.py", "instance.py", "relation.py", "gram")
)
KINDS = {
    "z3": "z3 terms", "gram": "Gram arrays", "coordinates": "coordinates as symbols", "units": "units", "arb": "ball arithmetic",
}  # fmt: skip
OFFERED = ("grad", "infimum", "m", "prox", "value")  # what the clients x.f of any world have
ADVICE = (  # what a message says, and what to write instead
    (r"no callable (sqrt|exp|log) method", r"np.\1(s): write x.\1(s)"),
    (r"no callable (\w+) method", r"np.\1 knows no exact numbers: the functions are x.sqrt, x.exp and x.log"),
    (
        r"can be converted to (a )?(Python )?(integer )?scalar",
        "for math.sqrt(s) write x.sqrt(s), and so x.exp and x.log",
    ),
    (r"read-only", "the body changes an array of x in place: write after = before + ..."),
    (r"truth value of an array", "for a branch on a value write x.minimum(a, b) or x.maximum(a, b)"),
    (r"could not be broadcast", "a number of every client multiplies vectors as s[..., None]"),
    (
        r"not subscriptable",
        "clients have no numbers: x.f.value(x.w) and x.f.grad(x.w) have all of them along an axis, and x.mean, x.total and a "
        "scalar of weights() combine them",
    ),
    (r"takes 0 positional arguments but 1 was given", "x.E hands over the draw: x.E(lambda draw: ...)"),
)


def attempt(fn: Callable[[Any], object], x: Named, who: str) -> Any:
    """What `fn` returns on one instance; `who` stands in front of a message, such as ``claim draft/step``.

    Raises
    ------
    UsageError
        If the function itself is wrong, in one line.
    NotApplicable
        If it asks for what this kind of number does not have.
    """
    try:
        return fn(x)
    except (NotApplicable, UnitsMismatch, ZeroDivisionError):
        raise
    except UsageError as error:
        raise UsageError(told(str(error), who)) from None
    except Exception as error:
        kind = getattr(getattr(x, "_numbers", None), "kind", "float")
        if isinstance(error, OverflowError) and kind in ("float", "fraction", "arb"):
            raise  # a number too large at these parameters: a matter of the domain
        if kind != "float" and _ours(error):
            raise
        if kind in KINDS:
            raise NotApplicable(f"the body does what {KINDS[kind]} cannot: {said(error, fn)}") from None
        raise UsageError(told(f"the body raises {said(error, fn)}{_sizes(x)}", who)) from None


def told(message: str, who: str) -> str:
    """A message in one line that says whom it is about."""
    line = " ".join(message.split())
    return line if who.split(" (")[0] in line else f"{who}: {line}"


def said(error: BaseException, fn: Any) -> str:
    """An error with its line in the file of the function, and what to write instead where that is known."""
    code = getattr(unwrap(fn), "__code__", None)
    frames = traceback.extract_tb(error.__traceback__)
    line = next((f.lineno for f in reversed(frames) if code is not None and f.filename == code.co_filename), None)
    text = " ".join(str(error).split())
    advice = next((m.expand(to) for pattern, to in ADVICE if (m := re.search(pattern, text))), "") or _names(error)
    at = f" at line {line}" if line else ""
    return f"{type(error).__name__}{at}: {text}{f' ({advice})' if advice else ''}"


def _names(error: BaseException) -> str:
    """The names that there are, of what was asked for another one."""
    if not isinstance(error, AttributeError) or error.obj is None:
        return ""
    fields = list(getattr(error.obj, "_fields", ())) or [n for n in OFFERED if hasattr(error.obj, n)]
    fields = fields or list(getattr(error.obj, "__dataclass_fields__", ()))
    return f"it has {', '.join(fields)}{did_you_mean(error.name or '', fields)}" if fields else ""


def _sizes(x: Named) -> str:
    names = getattr(x, "_names", {})
    known = [f"{k}={int(names[k])}" for k in ("m", "d", "S", "R", "n") if isinstance(names.get(k), int)]
    return f" ({', '.join(known)})" if known else ""


def _ours(error: BaseException) -> bool:
    """Whether the last frame that is no library's is our own code, other than the arithmetic that a body calls."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path == Path(__file__):
            return False
        if any(path.is_relative_to(package) for package in PACKAGES):
            return not any(path.is_relative_to(part) for part in ARITHMETIC)
        if not _of_a_library(frame.filename):
            return False
    return False


LIBRARY = str(Path(re.__file__).parents[1])  # of Python itself
LIBRARIES = (
    "numpy", "scipy", "sympy", "mpmath", "z3", "flint", "clarabel", "torch", "cupy", "array_api_strict",
)  # fmt: skip  # that we call


def _of_a_library(file: str) -> bool:
    """Whether a file is of Python or of a library that we call; an installed paper is none."""
    parts = Path(file).parts
    if "site-packages" in parts:
        return parts[parts.index("site-packages") + 1].split(".")[0] in LIBRARIES
    return file.startswith(LIBRARY)


def takes_one(fn: Callable[..., object]) -> bool:
    """Whether a function can be called with one argument, as far as Python tells."""
    if type(fn) is FunctionType and not vars(
        fn
    ):  # its own code says it; `inspect` takes long for what is asked at every state
        code, optional = fn.__code__, len(fn.__defaults__ or ())
        named = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
        takes = code.co_argcount >= 1 or bool(code.co_flags & inspect.CO_VARARGS)
        return takes and code.co_argcount - optional <= 1 and set(named) <= set(fn.__kwdefaults__ or ())
    return takes_arguments(fn, 1)


def takes_arguments(fn: Callable[..., object], count: int) -> bool:
    """Whether a function can be called with so many arguments, as far as Python tells."""
    try:
        inspect.signature(fn).bind(*[None] * count)
    except TypeError:
        return False
    except ValueError:
        return True
    return True
