"""Whether no parameters meet conditions together: by a product certificate, or on z3's word about their polynomials."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..engines.budget import Products
from ..engines.certificates.parts import parts_of
from ..engines.z3.terms import rational, solve
from ..engines.z3.trees import z3_module
from ..errors import NotApplicable
from ..gram.ratio import Polynomial, Ratio
from .forms import EXPONENTIALS, Form, names_in
from .intervals import pieces_of

if TYPE_CHECKING:
    from ..formats import Document
    from ..quantity import Quantity, Values

RLIMIT = 2_000_000
MOST = 40  # relations of one certificate
Piece = tuple[str, Any, str]  # operator and gap of 0 op gap, and the condition that it is of
NEGATED = {"<=": "<", "<": "<="}  # of 0 op gap what the gap is to zero where it does not hold


@dataclass(frozen=True)
class Emptiness:
    """Whether no parameters at all meet conditions.

    Attributes
    ----------
    empty : bool or None
        None where nothing says.
    trust : str
        ``kernel``, a certificate that the stand-alone checker accepts; ``z3``, a solver's word; or empty.
    certificate : mapping or None
        The claim of a certificate file, as `fedtheory_check` reads it.
    """

    empty: bool | None
    trust: str = ""
    certificate: Document | None = None


def emptiness(forms: Sequence[Form], whole: Iterable[str], zero: Iterable[str], rlimit: int = RLIMIT) -> Emptiness:
    """Whether no parameters at all meet the conditions together; not decided where a condition is no polynomial.

    Parameters
    ----------
    whole, zero : iterable of str
        Parameters that are at least 1, and those that may be 0; all others are positive. Exponentials may be any number.
    """
    if any(f.missing for f in forms):
        return Emptiness(None)
    whole, zero = set(whole), set(zero)
    said = contradictory(forms, whole, zero, rlimit)
    if said is not False:
        claim = _certificate([(op, gap, f.condition.printed) for f in forms for op, gap in f.pieces], whole, zero)
        if claim is not None:
            return Emptiness(True, "kernel", claim)
    return Emptiness(said, "" if said is None else "z3")


def certificate_at(
    forms: Sequence[Form], name: str, given: Mapping[str, Quantity], whole: Iterable[str], zero: Iterable[str]
) -> Values | None:
    """A certificate that no value of `name` meets the conditions, the other parameters given; None where none is found."""
    try:
        pieces = [(p.op, p.gap, f.condition.printed) for f in forms for p in pieces_of(f, name, given)]
    except NotApplicable:
        return None
    return _certificate(pieces, set(whole), set(zero)) if len(pieces) <= MOST else None


def _certificate(pieces: Sequence[Piece], whole: set[str], zero: set[str]) -> Mapping[str, object] | None:
    """The negation of one condition from the others, as a product certificate that the checker accepts; None without."""
    from ..fedtheory_check import accepted  # not at the top, since that file runs by itself as well

    try:
        z3 = z3_module()
    except NotApplicable:
        return None
    if any(isinstance(gap, bool) for _, gap, _ in pieces):
        return None
    nothing = rational(0)
    names = sorted({n for _, gap, _ in pieces for n in names_in(gap)})
    ranges = [_range(z3.Real(n), n, whole, zero) for n in names if n not in EXPONENTIALS]
    stated = [(nothing, op, _signed(gap), name) for op, gap, name in pieces]
    for k, (_, op, signed, name) in enumerate(stated):
        if op not in NEGATED:
            continue
        given = [*ranges, *stated[:k], *stated[k + 1 :]]
        try:
            part, _ = parts_of(names, given, [(signed, NEGATED[op], nothing, name)], {}, programs=Products.short)
        except NotApplicable:
            continue
        claim = {"id": f"not {name}", "verdict": "proved", "scope": "all", "parts": [{"where": "all", **part}]}
        if accepted(claim)[0]:
            return claim
    return None


def _range(symbol: Quantity, name: str, whole: set[str], zero: set[str]) -> tuple[Any, str, Any, str]:
    """The range of a parameter as (left, operator, right, name)."""
    if name in whole:
        return rational(1), "<=", symbol, f"{name} is a whole number"
    return rational(0), "<=" if name in zero else "<", symbol, f"range of {name}"


def contradictory(
    forms: Sequence[Form], whole: Iterable[str], zero: Iterable[str], rlimit: int = RLIMIT
) -> bool | None:
    """What z3 says of `emptiness`; None where it does not say, or a condition is no polynomial."""
    if any(f.missing for f in forms):
        return None
    try:
        z3 = z3_module()
    except NotApplicable:
        return None
    whole, zero = set(whole), set(zero)
    terms: list[Any] = []
    for n in sorted({n for f in forms for n in f.depends_on()}):
        low, op, symbol, _ = _range(z3.Real(n), n, whole, zero)
        terms.append(low <= symbol if op == "<=" else low < symbol)
    for f in forms:
        for d in f.divisors:
            terms.append(_quotient(d)[0] != 0)
        for op, gap in f.pieces:
            if isinstance(gap, bool):
                terms.append(z3.BoolVal(gap))
                continue
            signed = _signed(gap)
            terms += [_quotient(gap)[1] != 0, signed >= 0 if op == "<=" else signed > 0 if op == "<" else signed == 0]
    answer = solve(terms, rlimit)[0]
    return None if answer is None else not answer


def _signed(gap: Quantity) -> Any:
    """A term with the sign of a quotient."""
    top, bottom = _quotient(gap)
    return top * bottom


def _quotient(part: Quantity) -> tuple[Quantity, Quantity]:
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
