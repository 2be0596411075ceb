"""Numbers in decimals, for messages and tables."""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from fractions import Fraction
from typing import Any


def decimal(value: Any, digits: int = 5) -> str:
    """A number in decimals; a rational however large or small it is.

    Examples
    --------
    >>> decimal(Fraction(1, 3)), decimal(Fraction("1e400"), 3), decimal(0.25)
    ('0.33333', '1e+400', '0.25')
    """
    if not isinstance(value, Fraction):
        return f"{float(value):.{digits}g}"
    q = value
    try:
        near = float(q)
    except OverflowError:
        near = 0.0
    if not q or 1e-300 < abs(near) < 1e300:
        return f"{near:.{digits}g}"
    with localcontext(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN):
        found = (Decimal(q.numerator) / Decimal(q.denominator)).normalize()
    return str(found).replace("E", "e")
