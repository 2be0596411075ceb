"""The linear program of a product certificate: which products of facts, with which weights, contradict a negation.

Sought are non-negative rationals with ``p * sum(d_j Q_j) = sum(c_k F_k)``, where Q_j and F_k are products of facts (and of
squares) of bounded degree. Where the facts are homogeneous, in units or otherwise, only products of the right degrees can
take part. HiGHS proposes a corner of the polytope, and the support is solved for in rationals.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from ..polynomials import Poly, Ring

NOT = "not"
EXTRA = (0, 1, 2)  # by how much the degree of the products may exceed that of the goal
LARGEST_PRODUCTS = 1_200
LARGEST_FACTS = 14
LARGEST_ROWS = 900  # monomials
LARGEST_ENTRIES = 60_000
SMALLEST = 1e-9  # relative size below which a weight is taken for zero
Found = list[tuple[Fraction, dict[Any, int], tuple[Poly, ...]]]


@dataclass(frozen=True)
class Product:
    """A product of facts, by their place, and of squares."""

    poly: Poly
    facts: Mapping[int, int]
    squares: tuple[Poly, ...]
    strict: bool

    @property
    def cost(self) -> float:
        return 1.0 + 0.1 * sum(self.facts.values()) + 0.2 * len(self.squares)


def combined(ring: Ring, facts: Sequence[tuple[int, Poly, str]], p: Poly, op: str) -> Iterator[Found]:
    """Proofs of ``p op 0`` as terms (weight, facts, squares), to be checked; few facts and low degrees first."""
    for near in _nearest(facts, p):
        for extra in EXTRA:
            found = _program(ring, near, p, op, extra)
            if found is not None:
                yield found


def _nearest(facts: Sequence[tuple[int, Poly, str]], p: Poly) -> Iterator[list[tuple[int, Poly, str]]]:
    """The facts in the names of the goal, then those that share names with these."""
    names = _names(p)
    before = -1
    for _ in range(3):
        near = [f for f in facts if _names(f[1]) <= names]
        if len(near) > before and near:
            before = len(near)
            yield sorted(near, key=lambda f: (f[1].total_degree(), len(f[1])))[:LARGEST_FACTS]
        names = names.union(*(_names(f[1]) for f in facts if _names(f[1]) & names))


def _names(p: Poly) -> set[int]:
    return {k for k, d in enumerate(p.degrees()) if d > 0}


def _program(ring: Ring, facts: Sequence[tuple[int, Poly, str]], p: Poly, op: str, extra: int) -> Found | None:
    degree = p.total_degree() + extra
    grades = _grades([p, *(f for _, f, _ in facts)])
    goal = _grade(p, grades)
    most = [d + extra for d in p.degrees()]  # in each name
    products = _products(ring, facts, degree, p, most)
    factors = [q for q in products if q.poly.total_degree() <= extra and not q.squares]
    allowed = {tuple(a + b for a, b in zip(_grade(q.poly, grades), goal, strict=True)) for q in factors}
    sums = [q for q in products if _grade(q.poly, grades) in allowed]
    if not sums or len(sums) + len(factors) > LARGEST_PRODUCTS:
        return None
    columns = [(q, q.poly) for q in sums] + [(q, -p * q.poly) for q in factors]
    if sum(len(poly) for _, poly in columns) > LARGEST_ENTRIES:
        return None
    rows: dict[Any, int] = {}
    for _, poly in columns:
        for monomial in poly.monoms():
            rows.setdefault(tuple(map(int, monomial)), len(rows))
    if len(rows) > LARGEST_ROWS:
        return None
    strict = [k >= len(sums) and q.strict for k, (q, _) in enumerate(columns)]
    if op == ">":
        strict = [k < len(sums) and q.strict for k, (q, _) in enumerate(columns)]
    weights = _solve([poly for _, poly in columns], [q.cost for q, _ in columns], strict, rows)
    if weights is None:
        return None
    out: Found = []
    for k, c in weights.items():
        q = columns[k][0]
        out.append((c, {**({NOT: 1} if k >= len(sums) else {}), **q.facts}, q.squares))
    return sorted(out, key=lambda t: NOT not in t[1])


def _products(
    ring: Ring, facts: Sequence[tuple[int, Poly, str]], degree: int, p: Poly, most: Sequence[int]
) -> list[Product]:
    """Every product of facts up to a degree, and up to one in each name, with at most one square."""

    def fits(*polys: Poly) -> bool:
        return sum(q.total_degree() for q in polys) <= degree and all(
            sum(max(d, 0) for d in each) <= n for *each, n in zip(*(q.degrees() for q in polys), most, strict=True)
        )

    layer = [Product(ring.constant(1), {}, (), True)]
    out = [*layer]
    chosen: list[list[int]] = [[]]
    while layer:
        following: list[Product] = []
        further: list[list[int]] = []
        for q, last in zip(layer, chosen, strict=True):
            for k in range(last[-1] if last else 0, len(facts)):
                i, f, op = facts[k]
                if op != "==" and len(out) + len(following) < 4 * LARGEST_PRODUCTS and fits(q.poly, f):
                    powers = {**q.facts, i: q.facts.get(i, 0) + 1}
                    following.append(Product(q.poly * f, powers, (), q.strict and op == ">"))
                    further.append([*last, k])
        out += following
        layer, chosen = following, further
    squared = [
        Product(q.poly * s * s, q.facts, (s,), False) for s in _roots(ring, p) for q in out if fits(q.poly, s, s)
    ]
    return out + squared


def _roots(ring: Ring, p: Poly) -> list[Poly]:
    """Differences of two monomials whose squares may help: those that complete a negative term of the goal."""
    terms = {tuple(map(int, m)): Fraction(int(c.numerator), int(c.denominator)) for m, c in p.terms()}
    out: dict[str, Poly] = {}
    even = [m for m, c in terms.items() if c > 0]
    for a, b in itertools.combinations(even, 2):
        middle = tuple(x + y for x, y in zip(a, b, strict=True))
        if any(x % 2 for x in middle):
            continue
        middle = tuple(x // 2 for x in middle)
        if terms.get(middle, 0) >= 0:
            continue
        common = tuple(min(x, y) for x, y in zip(a, b, strict=True))
        u, v = (tuple((x - y) for x, y in zip(m, common, strict=True)) for m in (a, b))
        if any(x % 2 for x in (*u, *v)):
            continue
        first, second = (ring.context.from_dict({tuple(x // 2 for x in m): fmpq(1)}) for m in (u, v))
        for r in {Fraction(1), -terms[middle] / (2 * terms[b]), -2 * terms[a] / terms[middle]}:
            s = first - second * ring.constant(r)
            out.setdefault(str(s), s)
    return list(out.values())[:12]


def _grades(polys: Sequence[Poly]) -> list[list[int]]:
    """A basis of the weights of the names for which every polynomial is homogeneous."""
    differences = []
    for p in polys:
        first, *others = [tuple(map(int, m)) for m in p.monoms()] or [()]
        differences += [[a - b for a, b in zip(m, first, strict=True)] for m in others]
    n = len(polys[0].degrees())
    if not differences:
        return [[int(i == j) for j in range(n)] for i in range(n)]
    R, rank = fmpq_mat([[fmpq(v) for v in row] for row in differences]).rref()
    pivots = [next(c for c in range(n) if R[r, c] != 0) for r in range(rank)]
    out = []
    for free in (c for c in range(n) if c not in pivots):
        w = [Fraction(0)] * n
        w[free] = Fraction(1)
        for r, c in enumerate(pivots):
            w[c] = -Fraction(int(R[r, free].p), int(R[r, free].q))
        scale = np.lcm.reduce([v.denominator for v in w])
        out.append([int(v * int(scale)) for v in w])
    return out


def _grade(p: Poly, grades: Sequence[Sequence[int]]) -> tuple[int, ...]:
    first = next(iter(p.monoms()), None)
    return tuple(0 if first is None else sum(int(e) * w for e, w in zip(first, g, strict=True)) for g in grades)


def _float(c: Any) -> float:
    return float(Fraction(int(c.numerator), int(c.denominator)))


def _solve(
    polys: Sequence[Poly], cost: Sequence[float], strict: Sequence[bool], rows: Mapping[Any, int]
) -> dict[int, Fraction] | None:
    """Non-negative weights of least cost with a sum of zero, those of the strict ones summing to one."""
    if not any(strict):
        return None
    from scipy import optimize, sparse

    size = [max((abs(_float(c)) for c in p.coeffs()), default=1.0) for p in polys]
    cells = [(rows[tuple(map(int, m))], k, _float(c) / size[k]) for k, p in enumerate(polys) for m, c in p.terms()]
    cells += [(len(rows), k, 1.0) for k, s in enumerate(strict) if s]
    at, columns, data = zip(*cells, strict=True)
    A = sparse.csr_matrix((data, (at, columns)), shape=(len(rows) + 1, len(polys)))
    b = np.append(np.zeros(len(rows)), 1.0)
    answer = optimize.linprog(
        cost, A_eq=A, b_eq=b, method="highs-ds", options={"simplex_dual_edge_weight_strategy": "devex"}
    )
    if answer.x is None or answer.status != 0:
        return None
    least = SMALLEST * float(np.max(answer.x))
    support = [k for k, v in enumerate(answer.x) if v > least]
    return _exactly(polys, strict, support, answer.x, size)


def _exactly(
    polys: Sequence[Poly], strict: Sequence[bool], support: Sequence[int], near: Any, size: Sequence[float]
) -> dict[int, Fraction] | None:
    """The weights of the support in rationals; None where they are none or not all positive."""
    order = sorted(support, key=lambda k: -near[k] / size[k])
    at: dict[Any, int] = {}
    table: list[dict[int, Any]] = []
    for column, k in enumerate(order):
        for m, c in polys[k].terms():
            r = at.setdefault(tuple(map(int, m)), len(table))
            if r == len(table):
                table.append({})
            table[r][column] = c
    n = len(order)
    dense = [[row.get(c, fmpq(0)) for c in range(n)] + [fmpq(0)] for row in table]
    dense.append([fmpq(1 if strict[k] else 0) for k in order] + [fmpq(1)])
    R, rank = fmpq_mat(dense).rref()
    x = [fmpq(0)] * n
    pivots = {}
    for r in range(rank):
        c = next(c for c in range(n + 1) if R[r, c] != 0)
        if c == n:
            return None
        pivots[c] = r
    for c in range(n):
        if c not in pivots:
            guess = Fraction(float(near[order[c]] / size[order[c]])).limit_denominator(1000)
            x[c] = fmpq(guess.numerator, guess.denominator)
    for c, r in pivots.items():
        x[c] = R[r, n] - sum((R[r, k] * x[k] for k in range(n) if k not in pivots and R[r, k] != 0), fmpq(0))
    weights = {order[c]: Fraction(int(v.p), int(v.q)) for c, v in enumerate(x) if v != 0}
    return weights if weights and all(w > 0 for w in weights.values()) else None
