"""An end of an interval as a formula in the other parameters, where its equation is of degree one or two, or is a pure power."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..gram.ratio import Polynomial, Ratio, factors, reduced
from ..numbers import ball
from .forms import Form, names_in
from .intervals import clients, in_one
from .roots import BITS, Root, enclosed

if TYPE_CHECKING:
    from ..quantity import Quantity

LONGEST = 120  # signs of a formula that is shown
NO_FORM = "the root of an equation of degree"


def closed_form(form: Form, name: str, root: Root, given: Mapping[str, Quantity]) -> str:
    """The end as a formula, or the degree of its equation where this has none.

    Parameters
    ----------
    form : Form
        A condition, at whose boundary the end lies.
    name : str
        The parameter.
    root : Root
        The end.
    given : mapping
        Numbers for the other parameters; a condition on clients is written for one of them.
    """
    for values in clients({n: given[n] for n in form.depends_on() if n != name}):
        for part in (*(gap for _, gap in form.pieces), *form.divisors):
            for poly, _ in factors(part)[1] if isinstance(part, Ratio) else ():
                if name in names_in(poly) and _has(poly, name, values, root):
                    said = _solved(poly, name, root, values, form.exponents)
                    return said if len(said) <= LONGEST else f"a formula of {len(said)} signs"
    return ""


def _has(poly: Polynomial, name: str, values: Mapping[str, Fraction], root: Root) -> bool:
    """Whether the polynomial is zero at the root."""
    in_name = in_one(reduced(poly, poly.context().constant(1)), name, values)
    return isinstance(in_name, Ratio) and in_name.top.gcd(root.poly).degrees()[0] > 0


def _solved(
    poly: Polynomial, name: str, root: Root, values: Mapping[str, Fraction], exponents: Mapping[str, object]
) -> str:
    c = coefficients_in(poly, name)
    if len(c) == 2:
        return written(reduced(-c[0], c[1]), exponents)
    if not any(c[1:-1]):
        radicand = written(reduced(-c[0], c[-1]), exponents)
        return f"sqrt({radicand})" if len(c) == 3 else f"({radicand})^(1/{len(c) - 1})"
    if len(c) > 3:
        return f"{NO_FORM} {len(c) - 1}"
    middle, under = reduced(-c[1], 2 * c[2]), reduced(c[1] * c[1] - 4 * c[0] * c[2], 4 * c[2] * c[2])
    sign = _side(root, middle, values, exponents)
    return f"{written(middle, exponents)} {sign} sqrt({written(under, exponents)})"


def _side(root: Root, middle: Any, values: Mapping[str, Fraction], exponents: Mapping[str, object]) -> str:
    """On which side of the middle between both roots this one lies."""
    powers = {n: in_one(e, "", values) for n, e in exponents.items()}
    centre = in_one(middle, "", values)
    if isinstance(centre, Ratio):  # in exponentials
        balls = enclosed(powers)
        names = centre.top.context().names()
        at = [balls.get(n, ball(0)) for n in names]
        centre = _at(centre.top, at) / _at(centre.bottom, at)
    return "+" if root.ball(BITS[0]) > ball(centre) else "-"


def _at(poly: Polynomial, at: list[Any]) -> Any:
    total = ball(0)
    for powers, c in poly.terms():
        term = ball(c)
        for base, power in zip(at, powers, strict=True):
            term = term * base ** int(power)
        total = total + term
    return total


def coefficients_in(poly: Polynomial, name: str) -> list[Polynomial]:
    """The coefficients of the powers of one name, polynomials in the others."""
    context = poly.context()
    at = context.names().index(name)
    terms: list[dict[tuple[int, ...], Any]] = [{} for _ in range(int(poly.degrees()[at]) + 1)]
    for powers, c in poly.terms():
        rest = [int(e) for e in powers]
        k, rest[at] = rest[at], 0
        terms[k][tuple(rest)] = c
    return [context.from_dict(t) for t in terms]


def written(value: object, exponents: Mapping[str, object] | None = None) -> str:
    """A rational function as a product of its factors, with exponentials in full.

    Examples
    --------
    >>> from fedtheory.gram.ratio import symbols
    >>> x = symbols(("lam", "mu"))
    >>> written((x["lam"] + x["mu"]) / (6 * x["lam"]))
    '(lam + mu)/(6*lam)'
    """
    constant, parts = factors(value)
    top = [_power(p, e) for p, e in parts if e > 0]
    bottom = [_power(p, -e) for p, e in parts if e < 0]
    if constant.denominator != 1:
        bottom.insert(0, str(constant.denominator))
    if abs(constant.numerator) != 1 or not top:
        top.insert(0, str(abs(constant.numerator)))
    sign = "-" if constant < 0 else ""
    if not bottom:
        out = "*".join(top)[1:-1] if len(top) == 1 and top[0][0] == "(" and not sign else "*".join(top)
    else:
        out = f"{'*'.join(top)}/{bottom[0] if len(bottom) == 1 else '(' + '*'.join(bottom) + ')'}"
    for name, exponent in (exponents or {}).items():
        out = out.replace(name, f"exp({written(exponent)})")
    return sign + out


def _power(p: Polynomial, exponent: int) -> str:
    base = str(p).replace("**", "^")
    base = f"({base})" if len(p) > 1 else base
    return base if exponent == 1 else f"{base}^{exponent}"
