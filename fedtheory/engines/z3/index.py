"""z3 terms in which one size is an index n that may be any whole number: powers, sums and sequences up to it are symbols.

Of a power q^(n+k) the symbol is q^n, times q^k; of a sum over t < n+k it is the sum over t < n, and the k terms after it. Two
sums are the same where their terms are. An exponential of something affine in n is e^a (e^b)^n.

A sum of q^(n-1-t) a_t over t < n is a sequence too: it begins with 0, and of what it is at n the next element is q times that,
and a_n besides. So it is whatever q is, zero as well, and where q has a value q_s at every step and the power is the product of
those from t + 1 on. A sum up to the index t of a sum around it, of terms that read neither t nor the length, is what such a
sequence has at t.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from ...errors import NotApplicable
from ...relation import Relation
from ...world import Scalar
from ..budget import Questions
from .sums import apart, sum_of_powers
from .terms import Called, Gap, Index, Real, Reals, Term, bare, rational, solve
from .trees import constants, denominators

if TYPE_CHECKING:
    from ...quantity import Quantity

PRIME = "'"  # D[T'] is what stands at T + 1, D['T] at T - 1
OWN = "own:faded"  # in the next element of a sum that fades, what it is before
ANY = "sum:index"  # of the terms of a sum, with how many sums it is within; no name of a claim has a colon


FADING = "fading:"  # what a power to a difference of indices is called within a sum


def _fades(name: str) -> bool:
    return name.startswith(FADING)


class Counted(Reals):
    """Terms in which the size `index` is n + `ahead`; what is seen of n stays in the tables, for `ahead` = 0 and 1 alike.

    Attributes
    ----------
    first : int
        The least n.
    powers : dict
        (base, symbol of its power) by the base, as z3 numbers its terms, and the index to which it is raised.
    before : dict
        (symbol of q^n, symbol of q^(n-k), base, k) of powers to less than n, by base and exponent.
    elements : dict
        (symbol, its range) of the elements of sequences, by name.
    sums : dict
        (term, symbol of the sum up to n) by the term, and by how many sums it is within where it goes over the index of one;
        of a sum that fades the term has q times `OWN`; of one up to the index of a sum the second number is negative.
    products : dict
        (factor, symbol of the product up to n) by the factor, as with sums.
    faded : dict
        (q, r, symbol of r times the product of q from t + 1 to n - 1) within a sum over t, by both and the name of t; no such
        symbol is in the sum.
    asked : list of str
        The symbols of powers and sums in the order in which a body asked for them.
    apart : dict
        The indices of sums whose terms had factors that depend on the length, by the symbols of the sums.
    closed : bool
        Whether sums of powers of the index alone are known in closed form as well, for which else there is an induction.
    """

    def __init__(self, index: str, first: int = 0, called: Called | None = None) -> None:
        super().__init__(called=called)
        self.index, self.first, self.ahead = index, first, 0
        self._limits: list[str] = []  # up to which the sums go that are being taken, the outermost first
        self.powers: dict[tuple[int, str], tuple[Term, Term]] = {}
        self.before: dict[tuple[int, int], tuple[Term, Term, Term, int]] = {}
        self.elements: dict[str, tuple[Term, Scalar]] = {}
        self.sums: dict[tuple[int, int], tuple[Term, Term]] = {}
        self.products: dict[tuple[int, int], tuple[Term, Term]] = {}
        self.faded: dict[tuple[int, int, str], tuple[Term, Term, Term]] = {}
        self.up_to: dict[
            str, str
        ] = {}  # the index up to which a sum goes, by its symbol, where that is the index of a sum
        self.asked: list[str] = []
        self.apart: dict[str, str] = {}
        self.closed = False

    def size(self, name: str, n: int) -> Any:
        return Index(self, name, self.ahead) if name == self.index else super().size(name, n)

    def element(self, sequence: str, spec: Scalar, at: Index) -> Any:
        """The element of a sequence at n + k."""
        name = f"{sequence}[{PRIME * -at.offset}{at.name}{PRIME * at.offset}]"
        symbol = self.z3.Real(name)
        self.elements[name] = (symbol, spec)
        return np.array([Real(symbol)], dtype=object)

    def power(self, base: Quantity, to: Index) -> Quantity:
        """base^(n+k); q^(n-k) is no q^n over q^k where q may be zero, so it has a symbol of its own."""
        if isinstance(base, np.ndarray):
            return np.frompyfunc(lambda b: self.power(b, to), 1, 1)(base)
        q = self.z3.simplify(bare(base), som=True)
        _, symbol = self.powers.setdefault((q.get_id(), to.name), (q, self.symbol_of("power", q, to.name)))
        self.asked.append(str(symbol))
        if to.offset >= 0:
            return Real(symbol) * Real(q) ** to.offset if to.offset else Real(symbol)  # to z3 0^0 is any number
        self._require_whole(to, "a power")
        lower = self.symbol_of("before", q, to.offset)
        return Real(self.before.setdefault((q.get_id(), to.offset), (symbol, lower, q, -to.offset))[1])

    def fading(self, base: Quantity, to: Gap) -> Quantity:
        """base^(n-1-t+k) within a sum over t < n, for k >= 0 and a base that is one number."""
        if isinstance(base, np.ndarray):
            return np.frompyfunc(lambda b: self.fading(b, to), 1, 1)(base)
        q, k = self.z3.simplify(bare(base), som=True), to.above.offset - to.below.offset + 1
        if not self._limits or (to.above.name, to.below.name) != (self._limits[-1], self._innermost):
            raise NotApplicable(
                "a power to a difference of indices that is not taken in a sum over the second up to the first"
            )
        if k < 0:
            raise NotApplicable(f"a power to {to.above.name} - t - {1 - k}, which is negative for the last t of a sum")
        if self._reads([q], lambda name: ANY in name or self._at(name) != "" or self._moves(name)):
            raise NotApplicable("a power to a difference of indices, of what changes with one of them")
        return self._faded(q, self.z3.simplify(q**k, som=True) if k else rational(1))  # to z3 0^0 is any number

    def _faded(self, q: Term, more: Term) -> Real:
        key, symbol = (q.get_id(), more.get_id(), self._innermost), self.z3.Real(f"{FADING}{len(self.faded)}")
        return Real(self.faded.setdefault(key, (q, more, symbol))[2])

    def _require_whole(self, to: Index, what: str) -> None:
        """Refuse n - k where n may be less than k: the power is undefined there, and the sum is empty."""
        least = self.first if to.name == self.index else 0
        if least + to.offset < 0:
            raise NotApplicable(f"{what} to {to.name} - {-to.offset}, which is negative for {to.name} = {least}")

    def sum_up(self, term: Callable[[Quantity], Quantity], n: Any) -> Quantity:
        if not isinstance(n, Index):
            return super().sum_up(term, n)
        if n.name not in (self.index, self._innermost):
            raise NotApplicable("a sum up to an index that is not that of the sum around it")
        self._require_whole(n, "a sum up")
        self._limits.append(n.name)  # a sum within a sum has an index of its own
        try:
            total = self._total(term(Index(self, self._innermost)))
        finally:
            self._limits.pop()
        for k in range(n.offset):
            total = total + term(Index(self, n.name, k))
        for k in range(n.offset, 0):
            last = term(Index(self, n.name, k))
            if self._undefined_somewhere(last):
                raise NotApplicable(f"a sum up to {n.name} - {-n.offset} of what may be undefined after it")
            total = total - last
        return total

    def product_up(self, term: Callable[[Quantity], Quantity], n: SupportsIndex, first: SupportsIndex = 0) -> Quantity:
        if isinstance(first, Index):
            return self._tail(term, n, first)
        if not isinstance(n, Index):
            return super().product_up(term, n, first)
        if least := int(first):
            return self.product_up(lambda s: term(s + least), Index(self, n.name, n.offset - least))
        if n.name not in (self.index, self._innermost) or n.offset < 0:
            raise NotApplicable(
                "a product up to less than the length, or to an index that is not that of the sum around it"
            )
        self._limits.append(n.name)
        try:
            total = self._each_entry(self._product, term(Index(self, self._innermost)))
        finally:
            self._limits.pop()
        return self._times(total, term, n, range(n.offset))

    def _times(self, value: Quantity, term: Callable[[Quantity], Quantity], n: Index, places: range) -> Quantity:
        """A value times what a term is at n + k for every k."""
        for k in places:
            value = value * term(Index(self, n.name, k))
        return value

    @staticmethod
    def _each_entry(of: Callable[[Quantity], Quantity], value: Quantity) -> Quantity:
        return np.frompyfunc(of, 1, 1)(value) if isinstance(value, np.ndarray) else of(value)

    def _tail(self, term: Callable[[Quantity], Quantity], n: SupportsIndex, first: Index) -> Quantity:
        """The product from an index on, which is that of the sum around it, or of the same index as the end."""
        if isinstance(n, Index) and n.name == first.name:
            return self._times(1, term, n, range(first.offset, n.offset))
        if not self._limits or not isinstance(n, Index) or (n.name, first.name) != (self._limits[-1], self._innermost):
            raise NotApplicable("a product from an index on, outside of a sum over that index up to the same end")
        if first.offset > 1 or n.offset < 0:
            raise NotApplicable("a product from t + 2 on, or up to less than the length")
        more = self._times(Real(rational(1)), term, n, range(n.offset))
        value = self._each_entry(lambda q: self._tail_of(q, more), term(Index(self, self._innermost)))
        return self._times(value, term, first, range(first.offset, 1))

    def _tail_of(self, q: Quantity, more: Quantity) -> Real:
        factor = self._factor(bare(q))
        if self._undefined_somewhere(Real(factor)):
            raise NotApplicable("a product from an index on, of what may be undefined")
        more = more.reshape(-1)[0] if isinstance(more, np.ndarray) else more
        return self._faded(factor, self.z3.simplify(bare(more), som=True))

    def _factor(self, term: Term) -> Term:
        """A factor of a product, which reads no index but its own, and not the length."""
        term = self.z3.simplify(term, som=True)
        if self._reads(
            [term], lambda name: _fades(name) or self._outer(name) or (self._moves(name) and not self._bound(name))
        ):
            raise NotApplicable("a product of what depends on the length, or on the index of a sum")
        return term

    def _product(self, value: Quantity) -> Real:
        """The product of a factor up to the length, or up to the index of the sum around it, has a symbol."""
        factor, inner = self._factor(bare(value)), self._limits[-1] != self.index
        if inner and self._undefined_somewhere(Real(factor)):
            raise NotApplicable("a product up to the index of a sum, of what may be undefined")
        key = factor.get_id(), -len(self._limits) if inner else 0
        return Real(self.products.setdefault(key, (factor, self._sequence("product", factor)))[1])

    def _sequence(self, kind: str, term: Term) -> Term:
        """The symbol of what a sequence of sums or products has at the end of the innermost one that is being taken."""
        if self._limits[-1] == self.index:
            symbol = self.symbol_of(kind, term, self._innermost)
        else:
            symbol = self.symbol_of("upto", term, self._innermost, self._limits[-1], kind)
            self.up_to[str(symbol)] = self._limits[-1]
        self.asked.append(str(symbol))
        return symbol

    @property
    def _innermost(self) -> str:
        """The index of the innermost sum that is being taken."""
        return f"{ANY}:{len(self._limits)}"

    def _undefined_somewhere(self, value: Quantity) -> bool:
        evaluated = self.evaluated([bare(v) for v in np.asarray(value, dtype=object).flat])
        return bool(denominators(evaluated) or self.logarithms(evaluated))

    def behind(self) -> dict[str, Term]:
        """What is evaluated where a symbol is; the terms of a sum only where it has one for every n."""
        powers = {str(symbol): q for q, symbol in self.powers.values()}
        lower = {str(down): q for _, down, q, _ in self.before.values()}
        ups = (*self.sums.values(), *self.products.values()) if self.first > 0 else ()
        sums = {str(total): term for term, total in ups}
        return {**super().behind(), **powers, **lower, **sums}

    def _total(self, term: Term) -> Term:
        if isinstance(term, np.ndarray):
            return self._each_entry(self._total, term)
        term = self.z3.simplify(bare(term), som=True)
        if self._reads([term], _fades):
            return self._fading_total(term)
        if self._limits[-1] != self.index:
            return self._sum_up_to_an_index(term, "sum")
        if self.first > 0 and self._reads([term], self._moves):  # there is a term, with all of its factors
            parts = apart(term, lambda p: self._reads([p], self._moves) and not self._reads([p], self._bound))
            if not any(self._reads([rest], self._moves) for _, rest in parts.values()):
                totals = [(factor, bare(self._own_sum(rest))) for factor, rest in parts.values()]
                self.apart |= {str(total): self._innermost for _, total in totals}
                return Real(self.z3.simplify(self.z3.Sum([factor * own for factor, own in totals]), som=True))
        return self._own_sum(term)

    def _fading_total(self, term: Term) -> Term:
        """The sum of a term that has powers q^(n-1-t+k): q^k times a sequence of which q times each element is in the next."""
        own, one = {}, rational(1)
        for (_, _, t), (q, more, symbol) in self.faded.items():
            if t == self._innermost:
                own[symbol.sexpr()] = q, more
                if self.z3.is_rational_value(q) and q.as_fraction():
                    own[self.z3.simplify(one / symbol, som=True).sexpr()] = self.z3.simplify(one / q), one / more
        total: Quantity = Real(rational(0))
        for factor, rest in apart(term, lambda p: self._reads([p], _fades)).values():
            if self.z3.is_rational_value(factor):
                total = total + self._total(Real(factor * rest))
            elif factor.sexpr() not in own:
                raise NotApplicable("a sum of products, quotients or sums of powers to a difference of indices")
            elif self._reads([rest], lambda name: self._moves(name) and not self._bound(name)):
                raise NotApplicable("a sum of powers to a difference of indices, times what depends on the length")
            else:
                q, more = own[factor.sexpr()]
                step = self.z3.simplify(rest + q * self.z3.Real(OWN), som=True)
                inner = self._limits[-1] != self.index
                sum_of = self._sum_up_to_an_index if inner else self._own_sum
                total = total + sum_of(step, "faded") * Real(more)
        return Real(self.z3.simplify(bare(total), som=True))

    def _reads(self, terms: Sequence[Term], what: Callable[[str], bool]) -> bool:
        """Whether one of the names in some terms, or in what stands behind these, is such."""
        behind, stack = self.behind(), [*constants(terms)]
        for name in stack:  # which grows
            if what(name):
                return True
            if name in behind:
                stack += constants([behind.pop(name)])
        return False

    def _bound(self, name: str) -> bool:
        """Whether a name is of the index of the innermost sum."""
        return self._innermost in name or self._at(name) == self._innermost

    def _outer(self, name: str) -> bool:
        """Whether a name is of the index of a sum around the innermost one."""
        at = self._at(name)
        return any(f"{ANY}:{k}" in name for k in range(1, len(self._limits))) or (bool(at) and at != self._innermost)

    def _at(self, name: str) -> str:
        """The index of a sum to which a power is raised, or a sum goes up; empty for other names."""
        raised = (to for (_, to), (_, power) in self.powers.items() if to.startswith(ANY) and str(power) == name)
        return self.up_to.get(name) or next(raised, "")

    def _moves(self, name: str) -> bool:
        """Whether a name is of the length, and of no index of a sum."""
        if ANY in name:
            return False
        return (
            name == self.index
            or "[" in name
            or name.startswith(("power:", "before:", "sum:", "faded:", "product:", FADING))
        )

    def _own_sum(self, term: Term, kind: str = "sum") -> Term:
        """The sum of a term, which has a symbol; one within a sum over whose index the term goes is no sum up to the same term."""
        level = len(self._limits) if self._reads([term], self._outer) else 0
        return Real(self.sums.setdefault((term.get_id(), level), (term, self._sequence(kind, term)))[1])

    def _sum_up_to_an_index(self, term: Term, kind: str) -> Term:
        """What the sequence of sums of a term has at the index of the sum around it.

        Of a term that has neither that index nor the length; nor a divisor or a logarithm, as there need not be a term.
        """
        if self._reads([term], lambda name: self._outer(name) or (self._moves(name) and not self._bound(name))):
            raise NotApplicable("a sum up to the index of a sum, of what depends on that index or on the length")
        if self._undefined_somewhere(Real(term)):
            raise NotApplicable("a sum up to the index of a sum, of what may be undefined")
        return Real(self.sums.setdefault((term.get_id(), -len(self._limits)), (term, self._sequence(kind, term)))[1])

    def _symbol(self, name: str, u: Term) -> Term:
        if name != "exp" or not self._holds_index(u):
            return super()._symbol(name, u)
        start, growth = (self.z3.simplify(t, som=True) for t in (self._put(u, 0), self._put(u, 1) - self._put(u, 0)))
        whole, affine = (self.z3.simplify(t, som=True) for t in (u, start + growth * self.z3.Real(self.index)))
        if not self.z3.eq(self.z3.simplify(whole - affine, som=True), rational(0)):
            raise NotApplicable(f"an exponential of something that is not affine in {self.index}")
        up = bare(self.power(Real(super()._symbol(name, growth)), Index(self, self.index)))
        return up if self.z3.eq(start, rational(0)) else super()._symbol(name, start) * up

    def _put(self, u: Term, value: int) -> Term:
        return self.z3.substitute(u, (self.z3.Real(self.index), rational(value)))

    def _holds_index(self, u: Term) -> bool:
        return not self.z3.eq(self._put(u, 0), self._put(u, 1))

    def elementary(self, terms: Iterable[Term]) -> list[Relation]:
        """What is used of exponentials and logarithms, and that powers of exponentials are positive."""
        terms = list(terms)
        unused = self.unused(terms)
        exponentials = {E.get_id() for (name, _), (_, E) in self.transcendental.items() if name == "exp"}
        powers = [(q, symbol) for q, symbol in self.powers.values() if q.get_id() in exponentials]
        lower = [
            Relation(Real(up), "==", Real(down) * Real(q) ** k, f"({q})^n = ({q})^(n-{k}) ({q})^{k}")
            for up, down, q, k in self.before.values()
            if str(down) not in unused
        ]
        read, n, sums = constants(terms), self.z3.Real(self.index), []
        for term, total in (found for (_, level), found in self.sums.items() if level == 0):
            own = self.apart.get(str(total), f"{ANY}:1" if self.closed else "") if str(total) in read else ""
            closed = sum_of_powers(term, own, n) if own else None
            sums += [] if closed is None else [Relation(Real(total), "==", Real(closed), f"the sum of {term}")]
        return [
            *super().elementary(terms),
            *(Relation(0, "<", Real(E), f"({q})^n > 0") for q, E in powers),
            *lower,
            *sums,
        ]

    def counted(self) -> list[Relation]:
        return [Relation(self.first, "<=", Real(self.z3.Real(self.index)), f"{self.index} >= {self.first}")]

    def positive_powers(self, terms: Iterable[Term], given: Sequence[Term]) -> list[Term]:
        mentioned = constants(terms)
        own = [(q, E) for q, E in self.powers.values() if str(E) in mentioned]
        return [E > 0 for q, E in own if solve([*given, q <= 0], Questions.defined)[0] is False]

    def ranges(self) -> list[Relation]:
        """The ranges of the elements of sequences."""
        return [r for name, (symbol, spec) in self.elements.items() for r in spec.relations(name, Real(symbol))]

    def raised(self) -> list[tuple[Term, Term]]:
        """(base, symbol) of the n-th powers."""
        return [found for (_, to), found in self.powers.items() if to == self.index]

    def symbols(self) -> list[str]:
        """The names of all symbols of the tables."""
        found = [
            E
            for _, E in (
                *self.transcendental.values(),
                *self.powers.values(),
                *self.sums.values(),
                *self.products.values(),
            )
        ]
        found += [down for _, down, _, _ in self.before.values()]
        return [str(E) for E in (*found, *(E for E, _ in self.elements.values()))]
