"""Enclosures of extreme eigenvalues: rationals of few digits, decided exactly by the inertia of a shifted matrix."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import flint

from fedtheory.gram.ldl import semidefinite

from .matrices import identity, number

WIDTH = Fraction(1, 10**9)  # relative width of an enclosure
TINY = 1e-300  # where a search starts that has no better guess


class Enclosure(NamedTuple):
    """Rationals around the extreme eigenvalues of one client: ``mu_lower <= mu <= mu_upper``, and L likewise."""

    mu_lower: Fraction
    mu_upper: Fraction
    L_lower: Fraction
    L_upper: Fraction


def enclose(A: flint.fmpq_mat, least: float, greatest: float) -> Enclosure:
    """The extreme eigenvalues of a symmetric positive semidefinite A, to a relative width of 1e-9.

    Parameters
    ----------
    A : fmpq_mat (d, d)
        Symmetric and positive semidefinite.
    least, greatest : float
        Guesses; a bad one costs time, never correctness.
    """
    zero = (Fraction(0), Fraction(0))
    L = _bracket(lambda c: not at_most(A, c), max(greatest, TINY)) if any(A.entries()) else zero
    mu = _bracket(lambda c: at_least(A, c), max(least, TINY)) if A.det() != 0 else zero
    return Enclosure(*mu, *L)


def at_least(A: flint.fmpq_mat, c: Fraction) -> bool:
    """Whether every eigenvalue of the symmetric A is at least c: inertia of A - c I by an exact LDL^T."""
    return semidefinite((A - identity(A.nrows()) * number(c)).tolist())


def at_most(A: flint.fmpq_mat, c: Fraction) -> bool:
    """Whether every eigenvalue of the symmetric A is at most c: inertia of c I - A by an exact LDL^T."""
    return semidefinite((identity(A.nrows()) * number(c) - A).tolist())


def _bracket(reached: Callable[[Fraction], bool], guess: float) -> tuple[Fraction, Fraction]:
    """Rationals lo, hi of few digits with ``reached(lo)`` and not ``reached(hi)``, of relative width at most WIDTH."""
    low = high = guess
    step = 3e-10
    while not reached(lo := _digits(low * (1 - step))):
        low, step = float(lo), min(0.9, 10 * step)
    step = 3e-10
    while reached(hi := _digits(high * (1 + step))):
        high, step = float(hi), 10 * step
    while hi - lo > WIDTH * lo:
        middle = _digits(float(lo + hi) / 2) or (lo + hi) / 2
        lo, hi = (middle, hi) if reached(middle) else (lo, middle)
    return lo, hi


def _digits(v: float) -> Fraction:
    return Fraction(f"{v:.12g}")
