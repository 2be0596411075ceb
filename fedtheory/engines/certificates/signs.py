"""Signs of rational functions on the region that a claim states: by factors, by product certificates, last by z3.

Rests on product certificates (`products.prover`) and on the elimination of quantifiers (`prove.scalars`). Incomplete up to
the counts of both.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...errors import NotApplicable
from ...gram.ratio import Polynomial, Ratio, factors
from ...quantity import ByName
from ...world import World
from ..budget import Questions
from ..z3 import terms
from .products.polynomials import Ring
from .products.prover import Prover
from .slack import region_facts


class Signs:
    """Decides signs for all parameters that meet the conditions of a world at one shape.

    Parameters
    ----------
    world : World
        Its scalars and stated conditions.
    shape : dict of int
        Structural integers.
    sizes : tuple of str
        Sizes that are symbols here (``m`` with m >= 2, ``S`` with 1 <= S <= m).
    rlimit : int
        z3's own steps a question; after `Questions.unanswered` questions that it has no answer to, it is asked no more.
    recalled : mapping, optional
        Stored proofs of signs, see `Prover`.
    """

    def __init__(
        self, world: World, shape: Mapping[str, int], sizes: tuple[str, ...], rlimit: int,
        recalled: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        self.rlimit, self.unanswered = rlimit, 0
        self.positive_names = {
            n for n, s in world.scalars.items() if s.low is not None and (s.low > 0 or not s.closed)
        } | set(sizes)
        self._answers: dict[tuple[str, str], bool] = {}
        self._region: list[object] | None = None
        self._symbols: ByName = {}
        self._context = (world, dict(shape), sizes)
        self._recalled = recalled or {}
        self._provers: dict[tuple[str, ...], Prover | None] = {}

    def positive(self, value: object) -> bool:
        """Whether the value is positive wherever it is defined."""
        return self._decide(value, strict=True)

    def nonnegative(self, value: object) -> bool:
        """Whether the value is at least zero wherever it is defined."""
        return self._decide(value, strict=False)

    def defined(self, value: object) -> bool:
        """Whether the denominator vanishes nowhere in the region."""
        return all(self._sign(p) != 0 for p, e in factors(value)[1] if e < 0)

    def _decide(self, value: object, *, strict: bool) -> bool:
        constant, parts = factors(value)
        if not isinstance(value, Ratio):
            return constant > 0 if strict else constant >= 0
        sign = 1 if constant > 0 else -1
        for p, e in parts:
            s = self._sign(p)
            if e % 2 == 0:
                if s == 0 and strict and e > 0:
                    break
                continue
            if s == 0:
                break
            sign *= s
        else:
            return sign > 0
        return self._ask(value.sign, ">" if strict else ">=")

    def _sign(self, p: Polynomial) -> int:
        """1 or -1 if the polynomial has this sign, strictly, on the whole region, else 0."""
        plain = self._by_coefficients(p)
        if plain:
            return plain
        return 1 if self._ask(p, ">") else -1 if self._ask(-p, ">") else 0

    def _by_coefficients(self, p: Polynomial) -> int:
        """1 or -1 if all coefficients have this sign and all names are positive, else 0."""
        signs = {c > 0 for c in p.coeffs()}
        places = [k for k, degree in enumerate(p.degrees()) if degree]
        names = p.context().names()
        if len(signs) != 1 or not all(names[k].partition("[")[0] in self.positive_names for k in places):
            return 0
        return 1 if signs.pop() else -1

    def _ask(self, p: Polynomial, op: str) -> bool:
        key = (str(p), op)
        if key not in self._answers:
            self._answers[key] = self._product(p, op) or self._unsat(p, op)
        return self._answers[key]

    def _product(self, p: Polynomial, op: str) -> bool:
        """Whether a product certificate is at hand, without a search for one."""
        names = tuple(p.context().names())
        if names not in self._provers:
            ring = Ring(names)
            try:
                facts = region_facts(ring, *self._context)
                self._provers[names] = Prover(ring, facts, self._recalled, programs=0)
            except (NotApplicable, ZeroDivisionError):
                self._provers[names] = None
        prover = self._provers[names]
        return prover is not None and prover.product(prover.ring.polynomial(p), op) is not None

    def negative_at(self, value: Ratio) -> dict[str, Fraction] | None:
        """Rational parameters of the region at which the value is negative, None if z3 finds none."""
        if self._by_coefficients(value.sign) > 0:
            return None
        term = self._term(value.sign)
        found, model = self._solve(term < 0)
        if not found or model is None:
            return None
        values = {name: terms.rational_value(model, symbol) for name, symbol in self._symbols.items()}
        return None if None in values.values() else {n: v for n, v in values.items() if v is not None}

    def _unsat(self, p: Polynomial, op: str) -> bool:
        term = self._term(p)
        return self._solve(term <= 0 if op == ">" else term < 0)[0] is False

    def _solve(self, sought: object) -> tuple[bool | None, object]:
        """z3's answer to whether something holds somewhere in the region; None where it has none."""
        assert self._region is not None
        if self.unanswered == Questions.unanswered:
            return None, None
        found, model = terms.solve([*self._region, sought], self.rlimit)
        self.unanswered += found is None
        return found, model

    def _term(self, p: Polynomial) -> terms.Term:
        """A polynomial as a z3 term."""
        if self._region is None:
            self._region, self._symbols = terms.region(*self._context)
        if max(p.degrees(), default=0) > terms.LARGEST_POWER:
            raise NotApplicable(f"z3: a power of {max(p.degrees())}; at most {terms.LARGEST_POWER}")
        names = p.context().names()
        term: Any = terms.rational(0)
        for powers, c in p.terms():
            product: Any = terms.rational(c)
            for name, e in zip(names, powers, strict=True):
                if e and name not in self._symbols:
                    raise NotApplicable(f"z3 has no symbol {name}")
                for _ in range(e):
                    product = product * self._symbols[name]
            term = term + product
        return term
