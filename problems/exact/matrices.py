"""Matrices of rationals or balls in python-flint, and the way between them and object arrays."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from fedtheory.numbers.partial import fraction as defined


def matrix(a: np.ndarray) -> flint.fmpq_mat:
    """A float array ``(n, p)`` as the rationals that the floats are."""
    n, p = a.shape
    return flint.fmpq_mat(n, p, [flint.fmpq(*float(v).as_integer_ratio()) for v in a.flat])


def column(row: np.ndarray) -> Any:
    """Entries ``(d,)`` as a column: of balls if one of them is a ball, of rationals otherwise."""
    entries = [number(v) for v in row]
    if any(isinstance(v, flint.arb) for v in entries):
        return flint.arb_mat(len(entries), 1, [flint.arb(v) for v in entries])
    return flint.fmpq_mat(len(entries), 1, entries)


def like(M: Any, u: Any) -> Any:
    """M on balls if u is a matrix of balls, M itself otherwise."""
    return flint.arb_mat(M) if isinstance(u, flint.arb_mat) else M


def identity(d: int) -> flint.fmpq_mat:
    """The unit matrix ``(d, d)``."""
    return flint.fmpq_mat(d, d, [int(i == j) for i in range(d) for j in range(d)])


def particular(A: flint.fmpq_mat, b: flint.fmpq_mat) -> flint.fmpq_mat:
    """One solution ``(d, 1)`` of a solvable system ``A w = b``, A ``(d, d)`` of any rank."""
    d = A.nrows()
    rows, rank = flint.fmpq_mat(d, d + 1, [v for r in range(d) for v in (*(A[r, c] for c in range(d)), b[r, 0])]).rref()
    w = [flint.fmpq(0)] * d
    for r in range(rank):
        w[next(c for c in range(d) if rows[r, c] != 0)] = rows[r, d]
    return flint.fmpq_mat(d, 1, w)


def total(parts: Sequence[Any]) -> Any:
    """Sum of one or more matrices."""
    return sum(parts[1:], start=parts[0])


def number(v: Any) -> Any:
    """An integer or a Fraction as an fmpq; a ball as it is.

    Raises
    ------
    ZeroDivisionError
        If it is undefined, where a body is evaluated relation by relation.
    """
    if isinstance(v, flint.arb):
        return v
    v = defined(v)
    return flint.fmpq(int(v.numerator), int(v.denominator))


def fraction(v: Any) -> Any:
    """An fmpq as a Fraction; a ball as it is."""
    return v if isinstance(v, flint.arb) else Fraction(int(v.p), int(v.q))
