"""Multipliers as rational functions of the parameters: solved for where function values fix them, else by trial."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ....errors import NotApplicable
from ....gram.forms import Form, Space, Terms
from ....gram.linear import linear_solution
from ....gram.ratio import Ratio, at, factors, generators, polynomial, text
from ....quantity import Quantity, Values
from ...budget import Programs
from ..signs import Signs
from .check import check
from .positivity import Multipliers, proves

Samples = Sequence[tuple[Mapping[str, Fraction], Multipliers]]


def solved(
    target: Terms, rows: Mapping[str, Terms], active: Sequence[str], samples: Samples, signs: Signs,
    sides: Sequence[Terms] = (),
) -> Multipliers | None:  # fmt: skip
    """Multipliers of the active inequalities: those that the function values fix, the others by trial.

    A loose one is tried as what the samples fit, and as what makes an entry of the residual vanish, or twice or half
    of that; a trial has to hold exactly at every sample before it is looked at for all parameters.
    """
    values = sorted({k for form in (target, *(rows[n] for n in active)) for k in form if k and k[0] == "v"})
    A = [[rows[n].get(key, Fraction(0)) for n in active] for key in values]
    b = [target.get(key, Fraction(0)) for key in values]
    loose = linear_solution(A, b, len(active))[1]
    trials = [_trials(active[c], target, rows, active, samples, sides) for c in loose]
    bound = [n for c, n in enumerate(active) if c not in loose]
    inner = [[row[c] for c in range(len(active)) if c not in loose] for row in A]
    for chosen in itertools.islice(itertools.product(*trials), Programs.trials):
        right = list(b)
        for c, multiplier in zip(loose, chosen, strict=True):
            right = [r - multiplier * row[c] for r, row in zip(right, A, strict=True)]
        solution = linear_solution(inner, right, len(bound))[0]
        if solution is None:
            return None
        found = {
            **dict(zip((active[c] for c in loose), chosen, strict=True)),
            **dict(zip(bound, solution, strict=True)),
        }
        if all(_holds_at(point, target, rows, found) for point, _ in samples) and proves(target, rows, found, signs):
            return found
    return None


def of_few(target: Terms, rows: Mapping[str, Terms], samples: Samples, signs: Signs) -> Multipliers | None:
    """Multipliers of few of the inequalities of which the target is the sum, with nothing left; of more where samples have them."""
    points = [point for point, _ in samples[:1]]
    active = [n for n in rows if any(n in found for _, found in samples)]
    for size in range(1, Programs.few + 2):
        for names in itertools.combinations(rows if size <= Programs.few else active, size):
            if all(_sum_of(_valued(target, p), [_valued(rows[n], p) for n in names]) for p in points):
                times = _sum_of(target, [rows[n] for n in names])
                found = dict(zip(names, times, strict=True)) if times else None
                if found and proves(target, rows, found, signs):
                    return found
    return None


def _sum_of(target: Terms, rows: Sequence[Terms]) -> list[Any] | None:
    """The only multiples of rows that add up to a target, none of which is a negative number."""
    keys = {*target, *(k for row in rows for k in row)}
    A = [[row.get(key, Fraction(0)) for row in rows] for key in keys]
    x, loose = linear_solution(A, [target.get(key, Fraction(0)) for key in keys], len(rows))
    return None if x is None or loose or any(isinstance(c, Fraction) and c < 0 for c in x) else x


def _valued(form: Terms, point: Mapping[str, Fraction]) -> Terms:
    """A form at a point; empty where it is undefined."""
    try:
        return {k: at(c, point) for k, c in form.items()}
    except ZeroDivisionError:
        return {}


def _holds_at(
    point: Mapping[str, Fraction], target: Terms, rows: Mapping[str, Terms], multipliers: Multipliers
) -> bool:
    try:
        numeric = Space()
        numeric.inequalities = [(n, Form({k: at(c, point) for k, c in rows[n].items()})) for n in multipliers]
        goal = {k: v for k, c in target.items() if (v := at(c, point))}
        return check(goal, numeric, {name: at(factor, point) for name, factor in multipliers.items()})
    except ZeroDivisionError:
        return False


def _trials(
    name: str, target: Terms, rows: Mapping[str, Terms], active: Sequence[str], samples: Samples, sides: Sequence[Terms]
) -> list[object]:
    fitted = _fitted(name, [*sides, target, *(rows[n] for n in active)], samples)
    fitted = _of_two(name, rows, samples) if fitted is None else fitted
    out = [] if fitted is None else [fitted]
    seen = {text(multiplier) for multiplier in out}
    for factor in (Fraction(1), Fraction(2), Fraction(1, 2)):
        for key, c in rows[name].items():
            if key and key[0] == "G" and key in target:
                multiplier = target[key] / c * factor
                if text(multiplier) not in seen:
                    seen.add(text(multiplier))
                    out.append(multiplier)
    return out + [multiplier for multiplier in _near(name, rows, samples) if text(multiplier) not in seen]


def _near(name: str, rows: Mapping[str, Terms], samples: Samples) -> list[Any]:
    """Monomials in the parameters, times a power of two, within a factor of sixteen of every sample."""
    atoms = next((generators(c) for c in rows[name].values() if isinstance(c, Ratio)), [])[:4]
    seen = [(point, found[name]) for point, found in samples if found.get(name, 0) > 0]
    if any(at(a, point) <= 0 for a in atoms for point, _ in seen):
        return []
    logs = np.array([[np.log2(float(at(a, point))) for a in atoms] for point, _ in seen])
    goal = np.array([np.log2(float(v)) for _, v in seen])
    out = []
    for e in sorted(itertools.product((0, 1, -1, 2, -2), repeat=len(atoms)), key=lambda e: sum(map(abs, e))):
        rest = goal - logs @ np.array(e, dtype=float) if atoms else goal
        for k in (0, 1, 2, -1, 3, -2):
            if len(rest) and np.abs(rest - k).max() <= 4:
                multiplier: Any = Fraction(2) ** k
                for atom, p in zip(atoms, e, strict=True):
                    multiplier = multiplier * atom**p if p else multiplier
                out.append(multiplier)
    return out


def _fitted(name: str, forms: Sequence[Terms], samples: Samples) -> object:
    """The shortest monomial in the parameters and in the factors of the coefficients of some forms that meets every sample."""
    seen = [(point, found[name]) for point, found in samples if found.get(name, 0) > 0]
    if len(seen) < 3 or len(seen) < len(samples):
        return None
    coefficients = [c for form in forms for c in form.values() if isinstance(c, Ratio)]
    if not coefficients:
        return None
    atoms = generators(coefficients[0])
    shown = {text(a) for a in atoms}
    for c in coefficients:
        for p, _ in factors(c)[1]:
            atom = polynomial(p)
            if isinstance(atom, Ratio) and text(atom) not in shown:
                shown.add(text(atom))
                atoms.append(atom)
    atoms = atoms[: Programs.atoms]
    logs = np.array([[float(np.log(abs(float(at(a, point))) or 1.0)) for a in atoms] for point, _ in seen])
    goal = np.array([np.log(float(v)) for _, v in seen])
    powers = sorted(itertools.product((0, 1, -1, 2, -2), repeat=len(atoms)), key=lambda e: sum(map(abs, e)))
    rest = goal - np.array(powers, dtype=float) @ logs.T
    for e in (powers[row] for row in np.flatnonzero(np.ptp(rest, axis=1) <= 1e-9)):
        candidate: Any = Fraction(1)
        for atom, k in zip(atoms, e, strict=True):
            candidate = candidate * atom**k if k else candidate
        ratios = {v / at(candidate, point) for point, v in seen}
        if len(ratios) == 1:
            return candidate * ratios.pop()
    return None


def _of_two(name: str, rows: Mapping[str, Terms], samples: Samples) -> object:
    """The shortest sum of multiples of two monomials in the parameters that meets every sample, of which there are more."""
    seen = [(point, found[name]) for point, found in samples if found.get(name, 0) > 0]
    atoms = next((generators(c) for c in rows[name].values() if isinstance(c, Ratio)), [])[:5]
    if (
        len(seen) < 4
        or len(seen) < len(samples)
        or not atoms
        or any(at(a, point) == 0 for a in atoms for point, _ in seen)
    ):
        return None
    powers = [e for e in itertools.product((0, 1, -1, 2, -2), repeat=len(atoms)) if sum(map(abs, e)) <= Programs.degree]
    powers.sort(key=lambda e: sum(map(abs, e)))
    exact = [[_monomial([at(a, point) for a in atoms], e) for e in powers] for point, _ in seen]
    values, goal = np.array(exact, dtype=float), np.array([float(v) for _, v in seen])
    first, second = values[0], values[1]
    det = np.outer(first, second) - np.outer(second, first)  # of the multiples of i and of j at two samples
    with np.errstate(all="ignore"):
        of_i = (goal[0] * second[None, :] - goal[1] * first[None, :]) / det
        left = [
            np.abs((of_i * row[:, None] + of_i.T * row[None, :]) / v - 1) for row, v in zip(values, goal, strict=True)
        ]
    fits = np.triu(np.max(left, axis=0) <= 1e-9, 1)
    for i, j in sorted(zip(*np.nonzero(fits), strict=True), key=sum):
        (a, b), (c, d) = ((exact[k][i], exact[k][j]) for k in range(2))
        (u, v), whole = (seen[0][1], seen[1][1]), a * d - b * c
        times = ((u * d - v * b) / whole, (v * a - u * c) / whole) if whole else (0, 0)
        if all(times[0] * row[i] + times[1] * row[j] == v for row, (_, v) in zip(exact, seen, strict=True)):
            return times[0] * _monomial(atoms, powers[i]) + times[1] * _monomial(atoms, powers[j])
    return None


def _monomial(of: Sequence[Quantity], powers: Sequence[int]) -> Quantity:
    out: Quantity = Fraction(1)
    for a, k in zip(of, powers, strict=True):
        out = out * a**k if k else out
    return out


def parse(text: str, params: Values) -> Any:
    """A rational function from its text: numbers, parameters, ``+ - * / **`` and brackets, nothing else.

    Raises
    ------
    NotApplicable
        If the text holds anything else.
    """

    def value(node: ast.AST) -> Any:
        if isinstance(node, ast.Expression):
            return value(node.body)
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return Fraction(node.value)
        if isinstance(node, ast.Name) and node.id in params:
            return params[node.id]
        if isinstance(node, ast.Subscript) and ast.unparse(node) in params:
            return params[ast.unparse(node)]  # one client of a per-client scalar
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if isinstance(node, ast.BinOp):
            a, b = value(node.left), value(node.right)
            if isinstance(node.op, ast.Add):
                return a + b
            if isinstance(node.op, ast.Sub):
                return a - b
            if isinstance(node.op, ast.Mult):
                return a * b
            if isinstance(node.op, ast.Div):
                return a / b
            if isinstance(node.op, ast.Pow) and isinstance(b, Fraction) and b.denominator == 1:
                return a ** int(b)
        raise NotApplicable(f"not a rational function of the parameters: {text[:80]!r}")

    try:
        return value(ast.parse(text, mode="eval"))
    except SyntaxError:
        raise NotApplicable(f"not a rational function of the parameters: {text[:80]!r}") from None
