"""Whether conditions contradict each other for all parameters: z3's word on their polynomials."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from ..engines.terms import rational, solve, z3_module
from ..errors import NotApplicable
from ..gram.ratio import Polynomial, Ratio
from .forms import Form

RLIMIT = 2_000_000


def contradictory(
    forms: Sequence[Form], whole: Iterable[str], zero: Iterable[str], rlimit: int = RLIMIT
) -> bool | None:
    """Whether no parameters at all meet the conditions together; None where z3 does not say, or a condition is no polynomial.

    Parameters
    ----------
    whole, zero : iterable of str
        Parameters that are at least 1, and those that may be 0; all others are positive. Exponentials may be any number.
    """
    if any(f.missing for f in forms):
        return None
    try:
        z3 = z3_module()
    except NotApplicable:
        return None
    whole, zero = set(whole), set(zero)
    names = {n for f in forms for n in f.depends_on()}
    terms: list[Any] = []
    for n in sorted(names):
        terms.append(z3.Real(n) >= 1 if n in whole else z3.Real(n) >= 0 if n in zero else z3.Real(n) > 0)
    for f in forms:
        for d in f.divisors:
            terms.append(_quotient(d)[0] != 0)
        for op, gap in f.pieces:
            if isinstance(gap, bool):
                terms.append(z3.BoolVal(gap))
                continue
            top, bottom = _quotient(gap)
            signed = top * bottom  # the sign of the quotient
            terms += [bottom != 0, signed >= 0 if op == "<=" else signed > 0 if op == "<" else top == 0]
    answer = solve(terms, rlimit)[0]
    return None if answer is None else not answer


def _quotient(part: Any) -> tuple[Any, Any]:
    if isinstance(part, Ratio):
        return _term(part.top), _term(part.bottom)
    return rational(part), rational(1)


def _term(p: Polynomial) -> Any:
    """A polynomial as a term of z3."""
    z3 = z3_module()
    names = p.context().names()
    total: Any = rational(0)
    for powers, c in p.terms():
        term: Any = rational(Fraction(int(c.p), int(c.q)))
        for n, power in zip(names, powers, strict=True):
            for _ in range(int(power)):
                term = term * z3.Real(n)
        total = total + term
    return total
