"""The exact check of a certificate: rational multipliers, and an LDL^T of what they leave. It needs no solver.

For a relation ``lhs <= rhs`` whose slack is an affine form, a certificate is a set of multipliers, non-negative on the
inequalities of the space, such that ``slack - sum(multiplier * inequality)`` has no function values, a non-negative
constant and a positive semidefinite Gram matrix.

Rests on weak duality and on the law of inertia (Sylvester): L D L^T is positive semidefinite exactly where D is. Complete: it
accepts what is a certificate and nothing else.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import fmpq

from ....gram.forms import CONSTANT, Key, Space
from ....gram.ldl import semidefinite


def check(target: dict[Key, Fraction], space: Space, multipliers: dict[str, Fraction]) -> bool:
    """Decide exactly whether the multipliers certify ``target >= 0`` on the space."""
    known = {name for name, _ in space.inequalities}
    equal = {name for name, _ in space.equalities}
    if any(name not in known | equal or (name in known and f < 0) for name, f in multipliers.items()):
        return False
    rest = residual(target, space, multipliers)
    if any(key[0] == "v" for key in rest if key) or rest.get(CONSTANT, 0) < 0:
        return False
    return semidefinite(gram_matrix(rest))


def residual(target: dict[Key, Fraction], space: Space, multipliers: dict[str, Fraction]) -> dict[Key, Fraction]:
    """``target - sum(multiplier * form)``, without zero coefficients."""
    out = dict(target)
    forms = dict(space.inequalities) | dict(space.equalities)
    for name, factor in multipliers.items():
        for key, coefficient in forms[name].clean().items():
            out[key] = out.get(key, Fraction(0)) - factor * coefficient
    return {k: c for k, c in out.items() if c}


def gram_matrix(form: dict[Key, Fraction]) -> list[list[Any]]:
    """The symmetric matrix of a form's Gram entries, over the leaves that occur in them, as `fmpq`."""
    entries = {key[1:]: fmpq(c.numerator, c.denominator) for key, c in form.items() if key and key[0] == "G"}
    leaves = sorted({leaf for pair in entries for leaf in pair})
    at = {leaf: k for k, leaf in enumerate(leaves)}
    M = [[fmpq(0)] * len(leaves) for _ in leaves]
    for (i, j), value in entries.items():
        M[at[i]][at[j]] = M[at[j]][at[i]] = value if i == j else value / 2
    return M
