"""Whether a body branches on the value of a parameter, of an inner product or of a coordinate, or on a division by zero.

Such a body says one thing on most numbers and another where two of them happen to meet, which no search finds and no
symbol can follow. It runs once on numbers that note who compares them, asks for their truth, or turns them into a text or
a whole number. What our own code asks for, such as the larger of two numbers, is its own business; counts are plain
integers, on which a body may branch.
"""

from __future__ import annotations

import math
import operator
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, ClassVar

from .. import bodies
from ..claim import Body
from ..errors import UsageError
from ..numbers.kinds import Fractions, _elementwise
from ..relation import relations_of
from ..world import Exact, Free

if TYPE_CHECKING:
    from ..quantity import Quantity

OURS = tuple(f"{package}{os.sep}" for package in bodies.PACKAGES)
HANDLED = 300  # divisions of a body with exceptions of its own that are tried as ones by zero
FORMULAS = (f"{bodies.PACKAGES[0] / 'theory'}{os.sep}", str(bodies.PACKAGES[0] / "catalogue.py"))  # parts of bodies
HANDED_ON = tuple(map(str, bodies.ARITHMETIC))  # such as x.E, which calls a part of a body


class Watched:
    """A number that notes the line which reads its value."""

    __slots__ = ("by", "value")
    __array_priority__ = -1

    def __init__(self, value: float, by: Watching) -> None:
        self.value, self.by = value, by

    def _with(self, other: Any, op: Callable[[Any, Any], Any], *, swapped: bool = False) -> Any:
        q = other.value if isinstance(other, Watched) else other
        if not isinstance(q, (int, float)) and not hasattr(q, "numerator"):
            return NotImplemented
        if op is operator.truediv or (op is operator.pow and (self.value if swapped else q) < 0):
            self.by.divides()
        return Watched(op(float(q), self.value) if swapped else op(self.value, float(q)), self.by)

    def __neg__(self) -> Watched:
        return Watched(-self.value, self.by)

    def __pos__(self) -> Watched:
        return self

    def __abs__(self) -> Watched:
        return Watched(abs(self.value), self.by)


def _arithmetic(op: Callable[[Quantity, Quantity], Quantity], swapped: bool) -> object:
    return lambda self, other: self._with(other, op, swapped=swapped)


def _reading(read: Callable[..., object]) -> object:
    """A method that notes where it is asked for; what it answers is that of the plain number."""

    def method(self: Watched, *others: Quantity) -> Any:
        line = _asked()
        if line:
            self.by.lines.append(line)
        return read(self.value, *(o.value if isinstance(o, Watched) else o for o in others))

    return method


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    setattr(Watched, f"__{_name}__", _arithmetic(getattr(operator, _name), False))
    setattr(Watched, f"__r{_name}__", _arithmetic(getattr(operator, _name), True))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(Watched, f"__{_name}__", _reading(getattr(operator, _name)))
READINGS: dict[str, Callable[..., object]] = {
    "bool": bool, "hash": hash, "str": str, "repr": repr, "format": format, "int": int, "float": float, "index": int,
    "round": round, "trunc": math.trunc, "floor": math.floor, "ceil": math.ceil,
}  # fmt: skip
for _name, _read in READINGS.items():
    setattr(Watched, f"__{_name}__", _reading(_read))


def _asked() -> str:
    """The line of a body, a condition or a formula that reads a value; empty where our own code or an object does.

    An object is a world or a method, which may check its parameters and cut its steps.
    """
    frame: FrameType | None = sys._getframe(2)
    line = ""
    while frame is not None:
        code = frame.f_code
        if code.co_filename == bodies.__file__:
            return line
        ours = code.co_filename.startswith(OURS) and not code.co_filename.startswith(FORMULAS)
        if ours and not (line and code.co_filename.startswith(HANDED_ON)):
            return ""
        if not ours and not code.co_filename.startswith(bodies.LIBRARY) and "site-packages" not in code.co_filename:
            if code.co_varnames[:1] == ("self",):
                return ""
            line = line or f"line {frame.f_lineno} of {Path(code.co_filename).name}"
        frame = frame.f_back
    return ""


def _of_the_body() -> list[CodeType]:
    """The functions of a body or a condition that are running, and what these call that is not ours."""
    frame: FrameType | None = sys._getframe(2)
    found = []
    while frame is not None and frame.f_code.co_filename != bodies.__file__:
        if not frame.f_code.co_filename.startswith(OURS) or frame.f_code.co_filename.startswith(FORMULAS):
            found.append(frame.f_code)
        frame = frame.f_back
    return found if frame is not None else []


class Watching(Fractions):
    """Watched numbers; roots, exponentials and logarithms are rounded, since only the reading counts.

    Attributes
    ----------
    lines : list of str
        The lines that read a value.
    divisions : int
        So far, where a body that handles exceptions may handle that of a division by zero.
    zero : int
        Which of these divisions is one by zero.
    """

    kind: ClassVar[str] = "fraction"

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.divisions, self.zero = 0, -1

    def divides(self) -> None:
        """Note a division.

        Raises
        ------
        ZeroDivisionError
            If it is the one by zero.
        """
        if any(code.co_exceptiontable for code in _of_the_body()):
            self.divisions += 1
            if self.divisions == self.zero:
                raise ZeroDivisionError("division by zero")

    def quotient(self, p: int, q: int) -> Quantity:
        self.divides()
        return super().quotient(p, q)

    def scalar(self, s: Any) -> Any:
        return Watched(float(s), self)

    def _rounded(self, fn: Callable[[float], float], s: Any) -> Any:
        return _elementwise(lambda p: self.scalar(fn(p.value if isinstance(p, Watched) else p)), s)

    def sqrt(self, s: Quantity) -> Quantity:
        return self._rounded(math.sqrt, s)

    def exp(self, s: Quantity) -> Quantity:
        return self._rounded(math.exp, s)

    def log(self, s: Quantity) -> Quantity:
        return self._rounded(math.log, s)


def require_no_branch(world: Exact, body: Body, owner: str, free: Free) -> None:
    """Run the body on one instance of watched numbers; what it raises there says nothing.

    Raises
    ------
    UsageError
        If a line reads a value, or if the body goes on after a division by zero, or has too many to tell.
    """
    numbers = Watching()

    def run() -> None:
        relations_of(body, world.build(free, numbers), owner)

    with suppress(Exception):  # a body may look at the kind of a number, and no verdict rests on these
        run()
    goes_on = numbers.divisions > HANDLED
    for k in range(1, min(numbers.divisions, HANDLED) + 1):
        numbers.divisions, numbers.zero = 0, k
        with suppress(Exception):
            run()
            goes_on |= numbers.divisions >= k
    if goes_on:
        raise UsageError(
            f"claim {owner}: the body or a condition goes on after a division by zero; where a side is undefined a claim says "
            "nothing, so state the case as a condition in given=(...)"
        )
    if numbers.lines:
        raise UsageError(
            f"claim {owner}: {numbers.lines[0]} branches on the value of a parameter or of an inner product, which no "
            "search follows; write x.minimum(a, b) or x.maximum(a, b), or state the case as a condition in given=(...)"
        )
