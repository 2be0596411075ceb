"""Coefficients of a certificate as numbers again, and numbers of a model as its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...gram.ratio import Ratio
from ..certificates.theorems import ratio_text
from ..z3.terms import Real


def ratio(data: Any, facts: Sequence[str], names: Mapping[str, Any]) -> Any:
    text, below = (data, {}) if isinstance(data, str) else data
    if isinstance(below, list):  # of a model, in words
        value = polynomial(text, names)
        for other, n in below:
            value = value / polynomial(other, names) ** int(n)
        return value
    value = polynomial(text, names)
    for place, n in below.items():
        value = value / polynomial(facts[int(place)], names) ** int(n)
    return value


def polynomial(text: str, names: Mapping[str, Any]) -> Any:
    total: Any = Fraction(0)
    for term in text.replace(" - ", " + -").split(" + "):
        value: Any = Fraction(-1 if term.startswith("-") else 1)
        for factor in term.removeprefix("-").split("*"):
            name, _, n = factor.partition("^")
            value = value * (names[name] ** int(n or 1) if name in names else Fraction(name))
        total = total + value
    return total


def number_text(value: Any) -> Any:
    """A number of a model where a lemma is used, as plain data."""
    if isinstance(value, np.ndarray):
        value = value.reshape(-1)[0]
    return ratio_text(value) if isinstance(value, Ratio) or not isinstance(value, Real) else None
