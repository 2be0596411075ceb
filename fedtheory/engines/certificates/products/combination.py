"""The linear program of a product certificate: which products of facts, with which weights, contradict a negation.

Sought are non-negative rationals with ``p * sum(d_j Q_j) = sum(c_k F_k)``, where Q_j and F_k are products of facts (and of
squares) of bounded degree. Where the facts are homogeneous, in units or otherwise, only products of the right degrees can
take part. HiGHS proposes a corner of the polytope, and the support is solved for in rationals.

Rests on the lemma of Farkas (1902), in the products as unknowns: weights exist exactly where no linear functional separates.
Complete for its list of products, which is a bounded part of the certificates of Handelman and of Krivine and Stengle.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from ...budget import Products
from .polynomials import Poly, Ring

NOT = "not"
EXTRA = (
    (0, True),
    (0, False),
    (1, True),
    (1, False),
    (2, True),
)  # by how much degrees may exceed those of the goal; in each name?
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
        for extra, capped in EXTRA:
            found = _program(ring, near, p, op, extra, capped)
            if found is not None:
                yield found


def linked(ring: Ring, facts: Sequence[tuple[int, Poly, str]], p: Poly, op: str) -> Iterator[Found]:
    """The same from facts that are linked to the goal by names of either sign, which products of signs cannot cancel."""
    near = _linked(facts, p)
    for extra in (0, 1, 2) if near else ():
        found = _program(ring, near, p, op, extra, capped=False, larger=Products.larger)
        if found is not None:
            yield found


def _linked(facts: Sequence[tuple[int, Poly, str]], p: Poly) -> list[tuple[int, Poly, str]]:
    """Facts with a name of either sign that is met, then those in the names of these, each without its positive factors."""
    short = {min(_names(f)) for _, f, _ in facts if len(f) == 1 and f.total_degree() == 1}
    names, left = _names(p), [f for f in facts if len(f[1]) > 1]
    if names <= short:
        return []
    chosen: list[tuple[int, Poly, str]] = []
    while more := [f for f in left if f not in chosen and _names(f[1]) & (names - short)]:
        chosen += more
        names = names.union(*(_names(f[1]) for f in more))
    inside = [f for f in facts if _names(f[1]) <= names]
    inside.sort(key=lambda f: (f[1].total_degree(), len(f[1])))
    inside = [
        f for k, f in enumerate(inside) if not any(divmod(f[1], g[1])[1] == 0 for g in inside[:k] if len(g[1]) > 1)
    ]
    return inside if len(inside) <= Products.linked else []


def _nearest(facts: Sequence[tuple[int, Poly, str]], p: Poly) -> Iterator[list[tuple[int, Poly, str]]]:
    """The facts in the names of the goal, then those that share names with these."""
    names = _names(p)
    before = -1
    for _ in range(3):
        near = [f for f in facts if _names(f[1]) <= names]
        if len(near) > before and near:
            before = len(near)
            yield sorted(near, key=lambda f: (f[1].total_degree(), len(f[1])))[: Products.facts]
        names = names.union(*(_names(f[1]) for f in facts if _names(f[1]) & names))


def _names(p: Poly) -> set[int]:
    return {k for k, d in enumerate(p.degrees()) if d > 0}


def _program(
    ring: Ring, facts: Sequence[tuple[int, Poly, str]], p: Poly, op: str, extra: int, capped: bool, larger: int = 1
) -> Found | None:
    roots = _roots(ring, p)
    grades = _grades([p, *(f for _, f, _ in facts), *roots])
    found = _exponents(facts, roots, p, extra, grades, capped, larger)
    if found is None:
        return None
    sums, factors = ([_product(ring, facts, roots, row) for row in rows] for rows in found)
    columns = [(q, q.poly) for q in sums] + [(q, -p * q.poly) for q in factors]
    if sum(len(poly) for _, poly in columns) > larger * Products.entries:
        return None
    rows: dict[Any, int] = {}
    for _, poly in columns:
        for monomial in poly.monoms():
            rows.setdefault(tuple(map(int, monomial)), len(rows))
    if len(rows) > larger * Products.rows:
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


def _exponents(
    facts: Sequence[tuple[int, Poly, str]],
    roots: Sequence[Poly],
    p: Poly,
    extra: int,
    grades: Sequence[Sequence[int]],
    capped: bool,
    larger: int,
) -> tuple[np.ndarray, np.ndarray] | None:
    """Powers of facts, and of one square at the most, in the products F and Q, a row each; None where there are too many.

    Their degrees, in all and (if `capped`) in each name, exceed those of the goal by `extra` at the most; their grades fit.
    """
    n = len(facts)
    polys = [f for _, f, _ in facts] + [s * s for s in roots]
    degrees = np.array([[f.total_degree(), *(max(0, int(d)) for d in f.degrees())] for f in (p, *polys)], np.int16)
    found = np.array([_grade(f, grades) for f in (p, *polys)], np.int64).reshape(1 + len(polys), len(grades))
    mixed = np.random.default_rng(0).integers(1, 2**62, len(grades))  # two of one key would cost a column, no more
    keys = found @ mixed
    goal, key, degrees, keys = degrees[0], keys[0], degrees[1:], keys[1:]
    most = goal + extra if capped else np.full(len(goal), goal[0] + extra)
    usable = [k for k in range(len(polys)) if (k >= n or facts[k][2] != "==") and (degrees[k] <= most).all()]
    powers, total = np.zeros((1, len(polys)), np.int16), np.zeros((1, len(goal)), np.int16)
    grade, last = np.zeros(1, np.int64), np.zeros(1, np.int16)
    every = [(powers, total[:, 0], grade)]
    count = 1
    while len(powers) and count <= larger * Products.layers:
        layer = []
        for k in usable:
            chosen = (last <= k) & (last < n) if k >= n else last <= k
            size = total[chosen] + degrees[k]
            fits = (size <= most).all(axis=1)
            more = powers[chosen][fits]
            more[:, k] += 1
            layer.append((more, size[fits], grade[chosen][fits] + keys[k], np.full(len(more), k, np.int16)))
        if not layer:
            break
        powers, total, grade, last = (np.concatenate([part[i] for part in layer]) for i in range(4))
        every.append((powers, total[:, 0], grade))
        count += len(powers)
    powers, degree, grade = (np.concatenate([part[i] for part in every]) for i in range(3))
    factors = (degree <= extra) & ~powers[:, n:].any(axis=1)
    sums = np.isin(grade, grade[factors] + key)
    if not sums.any() or sums.sum() + factors.sum() > larger * Products.products:
        return None
    return powers[sums], powers[factors]


def _product(
    ring: Ring, facts: Sequence[tuple[int, Poly, str]], roots: Sequence[Poly], powers: Sequence[int]
) -> Product:
    """The product of one row of powers."""
    own = {facts[k][0]: int(e) for k, e in enumerate(powers[: len(facts)]) if e}
    squares = tuple(s for s, e in zip(roots, powers[len(facts) :], strict=True) if e)
    poly = ring.constant(1)
    for k, e in enumerate(powers[: len(facts)]):
        poly = poly * facts[k][1] ** int(e) if e else poly
    for s in squares:
        poly = poly * s * s
    strict = not squares and all(facts[k][2] == ">" for k, e in enumerate(powers[: len(facts)]) if e)
    return Product(poly, own, squares, strict)


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
