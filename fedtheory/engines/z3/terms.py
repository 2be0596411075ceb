"""Conditions and bodies as z3 terms over the reals, and z3's answer within a count of its own steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np

from ...claim import Claim
from ...errors import NotApplicable
from ...gram.ratio import entry, no_attribute
from ...guard import guarded
from ...instance import Instance
from ...numbers import Numbers, fraction, long
from ...relation import Relation
from ...world import Abstract, Described
from .trees import constants, denominators, z3_module

if TYPE_CHECKING:
    from ...quantity import Quantity
    from ...world import Scalar

Term = Any  # a z3 expression; z3 has no types
Called = dict[tuple[Any, ...], tuple[Any, ...]]  # (name, what is within it, ...) of symbols by what they stand for
LARGEST_POWER = 256  # that z3 is handed
WAIT = 30.0  # seconds after which a question to z3 is ended, besides those in which it takes its steps
STEPS = 100_000  # z3's steps a second; it takes ten times as many, and some of its computations are in none


class Real:
    """A z3 term of which a body sees nothing but its arithmetic: asked what it is, it declines."""

    __slots__ = ("term",)
    __array_priority__ = -1

    def __init__(self, term: Term) -> None:
        self.term = term

    def _with(self, other: Quantity, op: Callable[[Term, Term], Term]) -> Any:
        if isinstance(other, Real):
            return Real(op(self.term, other.term))
        if isinstance(other, (int, Fraction, np.integer)):
            return Real(op(self.term, rational(other)))
        return NotImplemented

    def __add__(self, other: Quantity) -> Real:
        return self._with(other, lambda a, b: a + b)

    def __radd__(self, other: Quantity) -> Real:
        return self._with(other, lambda a, b: b + a)

    def __sub__(self, other: Quantity) -> Quantity:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Quantity) -> Real:
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other: Quantity) -> Real:
        return self._with(other, lambda a, b: a * b)

    def __rmul__(self, other: Quantity) -> Quantity:
        return self._with(other, lambda a, b: b * a)

    def __truediv__(self, other: Quantity) -> Real:
        return self._with(other, lambda a, b: a / b)

    def __rtruediv__(self, other: Quantity) -> Real:
        return self._with(other, lambda a, b: b / a)

    def __neg__(self) -> Real:
        return Real(-self.term)

    def __pos__(self) -> Real:
        return self

    def __pow__(self, power: Quantity) -> Real:
        if isinstance(power, (np.ndarray, Index, Gap)):
            return NotImplemented
        if not isinstance(power, (int, np.integer)):
            raise NotApplicable("z3: a power that is no whole number")
        if abs(int(power)) > LARGEST_POWER:
            raise NotApplicable(
                f"z3: a power of {int(power)}, which it may not come back from; at most {LARGEST_POWER}"
            )
        return Real(self.term ** int(power)) if power >= 0 else 1 / Real(self.term ** -int(power))

    def _no_branch(self, *_: Any) -> NoReturn:
        raise NotApplicable("a branch on the value of a parameter")

    def _no_remainder(self, *_: object) -> NoReturn:
        raise NotApplicable("z3: a remainder or a floor of a parameter")

    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __bool__ = __abs__ = _no_branch  # type: ignore[assignment]
    __float__ = __int__ = __index__ = __complex__ = __trunc__ = __rpow__ = __hash__ = _no_branch
    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __round__ = __floor__ = __ceil__ = _no_remainder
    __repr__ = __str__ = __format__ = _no_branch

    def __getattr__(self, name: str) -> Any:
        return no_attribute(name)


class Index(Real):
    """A whole number n + k that is not known: k is. What is raised to it, summed up to it or listed at it is a symbol."""

    __slots__ = ("name", "numbers", "offset")

    def __init__(self, numbers: Any, name: str, offset: int = 0) -> None:
        super().__init__(numbers.z3.Real(name) + offset if offset else numbers.z3.Real(name))
        self.numbers, self.name, self.offset = numbers, name, offset

    def __add__(self, other: Quantity) -> Real:
        if isinstance(other, int):
            return Index(self.numbers, self.name, self.offset + int(other))
        return super().__add__(other)

    __radd__ = __add__

    def __sub__(self, other: Quantity) -> Quantity:
        if isinstance(other, Index):
            same = self.name == other.name
            return self.offset - other.offset if same else Gap(self, other)
        return self + (-int(other)) if isinstance(other, int) else super().__sub__(other)

    def __rpow__(self, base: Quantity) -> Any:
        return self.numbers.power(_exact(base), self)

    def element(self, sequence: str, spec: Scalar) -> Any:
        """What a sequence has at it."""
        return self.numbers.element(sequence, spec, self)

    def _no_loop(self, *_: object) -> NoReturn:
        raise NotApplicable(
            f"a loop over {self.name}, which may be any number; write x.sum(lambda t: ..., x.{self.name})"
        )

    __index__ = __iter__ = _no_loop


class Gap(Real):
    """A whole number n - t + k, for two that are not known: what is raised to it is a symbol."""

    __slots__ = ("above", "below")

    def __init__(self, above: Index, below: Index) -> None:
        super().__init__(above.term - below.term)
        self.above, self.below = above, below

    def __add__(self, other: Quantity) -> Real:
        above = self.above
        if isinstance(other, int):
            return Gap(Index(above.numbers, above.name, above.offset + int(other)), self.below)
        return super().__add__(other)

    __radd__ = __add__

    def __sub__(self, other: Quantity) -> Quantity:
        return self + (-int(other)) if isinstance(other, int) else super().__sub__(other)

    def __rpow__(self, base: Quantity) -> Any:
        return self.above.numbers.fading(_exact(base), self)


def _exact(base: Quantity) -> Quantity:
    if isinstance(base, float):
        raise NotApplicable("a float to an unknown power, as Python makes of Fraction(1, 2)**T: write 1/2**T")
    return base


def bare(value: Quantity) -> Term:
    """The z3 term of a symbol or of an exact number.

    Raises
    ------
    NotApplicable
        If it is neither.
    """
    if isinstance(value, Real):
        return value.term
    if isinstance(value, (int, Fraction, np.integer)):
        return rational(value)
    raise NotApplicable(f"z3 cannot take a {type(value).__name__}")


def term_of(value: Any) -> Term:
    """The z3 term of one number, or of an array of one."""
    return bare(value.reshape(-1)[0] if hasattr(value, "reshape") else value)


class Reals(Numbers):
    """z3 terms as symbols; `sizes` has the terms that stand for structural integers."""

    kind: ClassVar[str] = "z3"

    def __init__(self, sizes: Mapping[str, Term] | None = None, called: Called | None = None) -> None:
        self.z3 = z3_module()
        self.sizes = sizes or {}
        self.called: Called = {} if called is None else called
        self.transcendental: dict[
            tuple[str, int], tuple[Term, Term]
        ] = {}  # what stands for e^u, log u or a root, with u
        self.stating = False  # while conditions are evaluated

    def size(self, name: str, n: int) -> Any:
        return Real(self.sizes[name]) if name in self.sizes else self.count(n)

    def scalar(self, s: Quantity) -> Quantity:
        return s

    def array(self, a: Any) -> Any:
        return a

    def quotient(self, p: int, q: int) -> Quantity:
        return np.array([Real(rational(p) / rational(q) if q == 0 else rational(Fraction(p, q)))], dtype=object)

    def minimum(self, a: Quantity, b: Quantity) -> Quantity:
        return np.frompyfunc(lambda p, q: self._if(p, q, p, q), 2, 1)(a, b)

    def maximum(self, a: Quantity, b: Quantity) -> Quantity:
        return np.frompyfunc(lambda p, q: self._if(p, q, q, p), 2, 1)(a, b)

    def exp(self, s: Quantity) -> Quantity:
        return self._each("exp", s)

    def log(self, s: Quantity) -> Quantity:
        return self._each("log", s)

    def sqrt(self, s: Quantity) -> Quantity:
        return self._each("sqrt", s)

    def _each(self, name: str, s: Quantity) -> Quantity:
        return np.frompyfunc(lambda u: Real(self._symbol(name, bare(u))), 1, 1)(s)

    def _symbol(self, name: str, u: Term) -> Term:
        """The symbol that stands for e^u, or for the logarithm or the root of u.

        Raises
        ------
        NotApplicable
            In a condition of `scope`: what is known of the symbol does not say whether the condition can be met.
        """
        if self.stating:
            raise NotApplicable(f"z3: a condition with {name}")
        u = self.z3.simplify(u, som=True)
        return self.transcendental.setdefault((name, u.get_id()), (u, self.symbol_of(name, u)))[1]

    def symbol_of(self, kind: str, inside: Term, *to: Term) -> Term:
        """The symbol for a power, a sum, an exponential or a logarithm; the same for the same in all that share `called`."""
        key = (kind, inside.sexpr(), *to)
        alike = ("exp", "log") if kind in ("exp", "log") else (kind,)
        others = sum(1 for other in self.called if other[0] in alike)
        name, *_ = self.called.setdefault(key, (f"{kind}:{others}", inside, *to))  # no scalar is called so
        return self.z3.Real(name)

    def behind(self) -> dict[str, Term]:
        """What is evaluated where a symbol is, by its name."""
        return {str(E): u for u, E in self.transcendental.values()}

    def evaluated(self, terms: Iterable[Term]) -> list[Term]:
        """The terms, and what is evaluated with the symbols in them."""
        out, behind = list(terms), self.behind()
        for term in out:  # which grows
            out += [behind.pop(name) for name in sorted(constants([term]) & behind.keys())]
        return out

    def logarithms(self, terms: Iterable[Term]) -> dict[str, Term]:
        """What stands in the logarithms and roots that are evaluated with the terms, by the symbol."""
        own = {str(L): v for (name, _), (v, L) in self.transcendental.items() if name in ("log", "sqrt")}
        found = constants(self.evaluated(terms)) if own else set()
        return {name: v for name, v in own.items() if name in found}

    def partial(self) -> set[str]:
        """The symbols of what is not defined everywhere."""
        return {name for name, u in self.behind().items() if self._may_be_undefined(name, u)}

    def _may_be_undefined(self, name: str, u: Term) -> bool:
        return bool(name.startswith(("log:", "sqrt:")) or denominators(self.evaluated([u])) or self.logarithms([u]))

    def unused(self, terms: Iterable[Term]) -> set[str]:
        """The symbols of which nothing is known where the terms are defined."""
        partial = self.partial()
        return partial - constants(self.evaluated(terms)) if partial else partial

    def elementary(self, terms: Iterable[Term]) -> list[Relation]:
        """What is used of exponentials, logarithms and roots where some terms are defined: signs, tangents and squares.

        e^v > 0 and e^v >= e^u (1 + v - u); log v <= log u + (v - u)/u wherever they are defined. u = 0, u = 1 and v = 1 are among
        the points of the tangents, and the logarithms, as e^{log u} = u; of a number v > 0 it is used as well that
        e^{v/8} (1 - v/8) <= 1.
        """
        zero, one, unused = rational(0), rational(1), self.unused(terms)
        known = [(name, found) for (name, _), found in self.transcendental.items() if str(found[1]) not in unused]
        powers, logs, roots = ([found for name, found in known if name == kind] for kind in ("exp", "log", "sqrt"))
        out = []
        for v, root in roots:
            out.append(Relation(0, "<=", Real(root), f"sqrt({v}) >= 0"))
            out.append(Relation(Real(root * root), "==", Real(v), f"sqrt({v})^2 = {v}"))
        for v, E in powers:
            out.append(Relation(0, "<", Real(E), f"e^({v}) > 0"))
            for u, other in [(zero, one), *powers]:
                if u is not v:
                    tangent = f"e^({v}) >= e^({u}) (1 + ({v}) - ({u}))"
                    out.append(Relation(Real(other * (1 + v - u)), "<=", Real(E), tangent))
            out.append(Relation(Real(E * (1 - v)), "<=", 1, f"1 >= e^({v}) (1 - ({v}))"))
            if self.z3.is_rational_value(v) and 0 < (q := Fraction(str(v.as_fraction()))) < 8:
                out.append(Relation(Real(E), "<=", (8 / (8 - q)) ** 8, f"e^({v}/8) (1 - {v}/8) <= 1"))
        for v, L in logs:
            out.append(Relation(0, "<", Real(v), f"log({v}) is defined"))
            out.append(Relation(Real(one - 1 / v), "<=", Real(L), f"0 <= log({v}) + 1/({v}) - 1"))
            for u, E in powers:
                out.append(Relation(Real(v * (1 + u - L)), "<=", Real(E), f"e^({u}) >= ({v}) (1 + ({u}) - log({v}))"))
                out.append(Relation(Real(E * (1 + L - u)), "<=", Real(v), f"({v}) >= e^({u}) (1 + log({v}) - ({u}))"))
            for u, other in [(one, zero), *logs]:
                if u is not v:
                    tangent = f"log({v}) <= log({u}) + ({v})/({u}) - 1"
                    out.append(Relation(Real(L), "<=", Real(other + v / u - 1), tangent))
        return out

    def counted(self) -> list[Relation]:
        """What is known of an index; here there is none."""
        return []

    def positive_powers(self, terms: Iterable[Term], given: Sequence[Term]) -> list[Term]:
        """Of the powers to whole numbers in some terms, that those of numbers which are positive are; here there are none."""
        return []

    def _if(self, a: Quantity, b: Quantity, first: Quantity, second: Quantity) -> Real:
        """The first where a <= b, else the second."""
        return Real(self.z3.If(bare(a) <= bare(b), bare(first), bare(second)))


def scope(
    world: Described, shape: Mapping[str, int], sizes: Mapping[str, Term] | None = None
) -> tuple[Instance, dict[str, np.ndarray]]:
    """The instance of a world's scalars as symbols, and these: ``(m,)`` for a per-client scalar, else ``(1,)``."""
    numbers = Reals(sizes)
    numbers.stating = True
    out = on(numbers, world, shape)
    numbers.stating = False
    return out


def on(numbers: Reals, world: Described, shape: Mapping[str, int]) -> tuple[Instance, dict[str, np.ndarray]]:
    """What `scope` returns, on these terms."""
    symbols: dict[str, np.ndarray] = {}
    for name, spec in world.scalars.items():
        names = [entry(name, i) for i in range(shape.get("m", 1))] if spec.per_client else [name]
        symbols[name] = np.array([Real(numbers.z3.Real(n)) for n in names], dtype=object)
    return world.scope(symbols, shape, numbers), symbols


def elementary(x: Instance, terms: Iterable[Term]) -> list[Relation]:
    """The facts on exponentials and logarithms where some terms on an instance are defined and its conditions hold."""
    numbers = x._numbers
    return numbers.elementary([*formulas(x.given), *terms]) if isinstance(numbers, Reals) else []


def own_names(x: Instance) -> list[str]:
    """The symbols besides the scalars' that stand in what has been evaluated on an instance of terms."""
    return [str(E) for _, E in x._numbers.transcendental.values()] if isinstance(x._numbers, Reals) else []


def names_of(world: Described, symbols: Mapping[str, np.ndarray]) -> dict[str, Term]:
    """The symbols of `scope` by name: ``sigma[0]`` for client 0 of a per-client scalar."""
    named: dict[str, Term] = {}
    for name, entries in symbols.items():
        per_client = world.scalars[name].per_client
        named |= {entry(name, i) if per_client else name: e.term for i, e in enumerate(entries)}
    return named


def region(world: Described, shape: Mapping[str, int], sizes: Sequence[str] = ()) -> tuple[list[Term], dict[str, Term]]:
    """The stated conditions as terms, and the symbols by name (``sigma[0]`` for client 0 of a per-client scalar).

    Sizes named in `sizes` are real symbols: m >= 2, and 1 <= S <= m.
    """
    z3 = z3_module()
    integers = {name: z3.Real(name) for name in sizes}
    try:
        x, symbols = scope(world, shape, integers)
        given = formulas(x.given)
    except z3.Z3Exception as error:
        raise NotApplicable(f"z3: {error}") from None
    if "m" in integers:
        given.append(integers["m"] >= 2)
    if "S" in integers:
        given += [integers["S"] >= 1, integers["S"] <= integers["m"]]
    return defined(given), {**integers, **names_of(world, symbols)}


def formulas(relations: Iterable[Relation]) -> list[Term]:
    """Every component of every relation."""
    out = []
    for r in relations:
        lhs, rhs = np.broadcast_arrays(np.asarray(r.lhs, dtype=object), np.asarray(r.rhs, dtype=object))
        for a, b in zip(lhs.flat, rhs.flat, strict=True):
            out.append(_formula(a, r.op, b))
    return out


def _formula(lhs: Quantity, op: str, rhs: Quantity) -> Term:
    a, b = bare(lhs), bare(rhs)
    return a <= b if op == "<=" else a < b if op == "<" else a == b


def rational(q: Quantity) -> Term:
    """A z3 numeral; of digits that Python writes out, which is how z3 reads it."""
    q = fraction(int(q) if isinstance(q, np.integer) else q)
    if long(q):
        raise NotApplicable("z3: a number of thousands of digits")
    return _numeral(q)


@cache
def _numeral(q: Fraction) -> Term:
    """A numeral, which takes z3 a while to make."""
    return z3_module().RealVal(q)


def rational_value(model: Any, term: Term) -> Fraction | None:
    """The value of a term in a model; None if it is irrational."""
    v = model.eval(term, model_completion=True)
    return Fraction(v.numerator_as_long(), v.denominator_as_long()) if z3_module().is_rational_value(v) else None


def satisfiable(world: Described, shape: dict[str, int], *, rlimit: int, claim: Claim | None = None) -> bool | None:
    """Whether the stated conditions on the scalars can hold together, where a claim is defined; None if z3 does not say."""
    try:
        z3 = z3_module()
    except NotApplicable:
        return None
    try:
        x, _ = scope(world, shape)
        stated = () if claim is None else claim.relations(x)
        said = formulas(stated)
        given = formulas([*x.given, *elementary(x, said)])
        return solve(defined(given, said), rlimit)[0]
    except (NotApplicable, ZeroDivisionError, z3.Z3Exception):
        return None


def nowhere(world: Abstract, rlimit: int) -> bool:
    """Whether the conditions on scalars contradict each other at every size, with all sizes as whole numbers from 1 on.

    False where z3 does not say so. Of conditions on scalars of one client each those on a client alone are taken: the
    others ask for a number of clients.
    """
    own = any(s.per_client for s in world.scalars.values())
    return all(_contradictory(world, m, rlimit) for m in ((2, 3) if own else (1,)))


def _contradictory(world: Abstract, m: int, rlimit: int) -> bool:
    """Whether the conditions that name no client but the first contradict each other, all sizes being whole numbers."""
    z3 = z3_module()
    whole = {name: z3.Int(name) for name in world.sizes}
    shape = {name: m if name == "m" else values[0] for name, values in world.sizes.items()}
    try:
        x, symbols = scope(world, shape, {name: z3.ToReal(n) for name, n in whole.items()})
        others = [e.term for name, entries in symbols.items() if world.scalars[name].per_client for e in entries[1:]]
        fresh = [(e, z3.Real(f"other {k}")) for k, e in enumerate(others)]
        given = defined([t for t in formulas(_of_paper(world, x)) if z3.eq(z3.substitute(t, *fresh), t)])
    except (NotApplicable, ZeroDivisionError, z3.Z3Exception):
        return False
    given += [n >= 1 for n in whole.values()]
    if {"m", "S"} <= set(whole):
        given.append(whole["S"] <= whole["m"])
    return solve(given, rlimit)[0] is False


def _of_paper(world: Abstract, x: Instance) -> tuple[Relation, ...]:
    """The ranges and the stated conditions, without what a function class asks of its scalars."""
    return x.given[: len(x.given) - len(world.implied(x))]


def defined(terms: list[Term], by: Iterable[Term] = ()) -> list[Term]:
    """The terms, and that no divisor in them (or in `by`) is zero."""
    return [*terms, *[d != 0 for d in denominators([*terms, *by])]]


def solve(terms: list[Term], rlimit: int) -> tuple[bool | None, Any]:
    """Whether the terms can hold together (None: no answer within `rlimit` steps, or a guard ended it), and a model.

    All that the engines ask of z3 is asked here, so that every question comes back.
    """
    z3 = z3_module()
    solver = z3.Solver()
    solver.set("rlimit", rlimit)
    solver.set("random_seed", 0)
    solver.add(*terms)
    with guarded("z3", WAIT + rlimit / STEPS, z3.main_ctx().interrupt):
        answer = solver.check()
    if answer == z3.sat:
        return True, solver.model()
    return (False, None) if answer == z3.unsat else (None, None)
