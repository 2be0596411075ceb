"""Factors of polynomials by python-flint, behind a guard.

Its C code heeds no interrupt, so that a large polynomial is factored in a process of its own, which the system can end.
"""

from __future__ import annotations

import json
import os
import signal
import warnings
from typing import Any

import flint

from ..guard import note

SHORT = 60  # terms, and degrees of all names together, up to which flint is asked at once
SECONDS = 60  # of processor time that a large one may take
MOST = 20_000  # polynomials of which the factors are kept: the same divisors stand in many coefficients
KEPT: dict[tuple[object, ...], tuple[Any, list[tuple[flint.fmpq_mpoly, int]]]] = {}


def factored(poly: flint.fmpq_mpoly) -> tuple[flint.fmpq, list[tuple[flint.fmpq_mpoly, int]]]:
    """(constant, [(polynomial, exponent)]): irreducible factors; the polynomial as it is where flint gave no answer in time.

    Examples
    --------
    >>> import flint
    >>> a, b = flint.fmpq_mpoly_ctx.get(("a", "b"), "lex").gens()
    >>> factored(2 * a**3 - 2 * a * b**2)[0]
    2
    """
    if len(poly) == 1 and poly.is_constant():  # as most denominators are
        return poly.leading_coefficient(), []
    if (len(poly) <= SHORT and sum(poly.degrees()) <= SHORT) or not hasattr(os, "fork"):  # not on Windows
        key = poly.context(), str(poly)
        if key not in KEPT:
            if len(KEPT) >= MOST:
                KEPT.clear()
            KEPT[key] = poly.factor()
        lead, parts = KEPT[key]
        return lead, list(parts)
    said = _elsewhere(poly)
    if said is None:
        note(f"flint gave no factors in {SECONDS:g} s")
        return flint.fmpq(1), [(poly, 1)]
    lead, *parts = said
    of = poly.context().from_dict
    return _rational(lead), [(of({tuple(at): _rational(c) for at, c in terms}), int(e)) for terms, e in parts]


def _elsewhere(poly: flint.fmpq_mpoly) -> Any:
    """The factors as plain data, found in a process of its own that the system ends when its time is over; None if it was ended."""
    reads, writes = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of other threads, for none of which the child waits
        child = os.fork()
    if not child:
        _find(poly, writes)
    os.close(writes)
    try:
        with os.fdopen(reads, "rb") as stream:
            text = stream.read()
    except BaseException:  # such as a claim that is over time
        os.kill(child, signal.SIGKILL)
        raise
    finally:
        status = os.waitpid(child, 0)[1]
    return None if os.WIFSIGNALED(status) else json.loads(text)


def _find(poly: flint.fmpq_mpoly, writes: int) -> None:
    """Write the factors and end this process, whatever happens in it."""
    try:
        import resource

        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        lead, parts = poly.factor()
        plain = [[[[*map(int, at)], str(c)] for at, c in f.to_dict().items()] for f, _ in parts]
        said = [str(lead), *zip(plain, (int(e) for _, e in parts), strict=True)]
        with os.fdopen(writes, "wb") as stream:
            stream.write(json.dumps(said).encode())
    finally:
        os._exit(0)


def _rational(text: str) -> flint.fmpq:
    top, _, below = text.partition("/")
    return flint.fmpq(int(top), int(below or 1))
