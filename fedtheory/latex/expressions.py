"""Parts of a line in Python."""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection, Sequence
from fractions import Fraction

from .classes import MEANS, PYTHON, Class
from .kinds import Kinds, indices, ranges_of, without
from .nodes import (
    OUTCOME,
    Absolute,
    Applied,
    Call,
    Chain,
    Expectation,
    Gradient,
    Inner,
    Least,
    Member,
    Name,
    Node,
    Norm,
    Number,
    Over,
    Power,
    Prox,
    Sum,
    Times,
    Total,
    Transposed,
    one_more,
    plain,
)
from .noise import ASKS, expectation_said
from .tokens import Unread

OPERATORS = {"<=": "le", "<": "lt", "=": "eq"}
MOST = 1000  # in a power
SHADOWED = ("x", "t", *OPERATORS.values(), "claim")  # what a body has by itself
LOW, PRODUCT, TIGHT = 1, 2, 3  # how tightly a piece of Python binds


class Expressions:
    """One reading of a line as a claim in Python.

    Parameters
    ----------
    claim : Chain
        What is claimed.
    where : sequence of Chain or Member
        What is given.
    kinds : Kinds
        What the names are.
    functions : Class or None
        The class of the functions.
    envelope : str
        The letter of the parameter of Moreau envelopes, F; empty where F is no envelope.
    taken : collection of str
        Names that belong to every instance.
    """

    def __init__(
        self,
        claim: Chain,
        where: Sequence[Chain | Member],
        kinds: Kinds,
        functions: Class | None,
        envelope: str,
        taken: Collection[str],
    ) -> None:
        self.claim, self.kinds, self.of_class, self.envelope, self.taken = claim, kinds, functions, envelope, taken
        self.notes: list[str] = []
        self.imports = {"claim"}
        self.times: dict[str, str] = {}  # indices of time in Python, those that are free and
        self.summed: set[str] = set()  # those of the sums around
        self.draw = ""
        self.optimum = ""
        self.local: dict[Name, Node] = {}
        self.under_roots: list[Node] = []  # in what is compared by squares
        self.expected: dict[Name, Node] = {}  # what is random with its expectation
        self.names: dict[str, Name] = {}
        self.shared: set[str] = set()
        nodes = [n for tree in (claim, *where) for n in tree.walk()]
        self.with_functions = any(isinstance(n, (Applied, Norm, Inner, Least)) for n in nodes) or bool(kinds.vectors)
        self.single = not kinds.clients
        self.sequences = (
            {n.base for n in nodes if isinstance(n, Name) and self._timed(n)}
            if kinds.length and not self.with_functions
            else set()
        )
        if self.with_functions and kinds.times:
            raise Unread(
                kinds.line,
                0,
                "sums over the steps of a run of functions are written in Python: docs/writing_claims.md, Theorems for every T",
            )
        self.given: list[Chain | Member] = []
        for one in where:
            if (unbiased := expectation_said(one)) is not None:
                self.expected[unbiased[0]] = unbiased[1]
            elif isinstance(one, Chain) and one.sides[0] not in self.local and self._defines(one, nodes):
                assert isinstance(one.sides[0], Name)
                self.local[one.sides[0]] = one.sides[1]
            else:
                self.given.append(one)
        self.ranges = ranges_of(self.given, self.sequences, kinds)
        self.shared = {
            self._python(n)
            for n in nodes
            if isinstance(n, Name) and not self._per_client(n) and n.base not in kinds.functions
        }

    # what is said

    def _timed(self, n: Name) -> bool:
        return (
            bool(n.sub)
            and n.base not in self.kinds.times
            and (n.sub.split(" ")[0] in (*self.kinds.times, self.kinds.length) or n.sub.isdigit())
        )

    def _defines(self, one: Chain, nodes: Sequence[Node]) -> bool:
        """Whether a condition says what a name is that has no other meaning: eta = 1/L, w_{t+1} = w_t - eta grad f(w_t)."""
        left = one.sides[0]
        if (
            one.relations != ("=",)
            or not isinstance(left, Name)
            or "*" in left.mark
            or (self._timed(left) and self.sequences)
        ):
            return False
        if self.of_class and self._python(left) in self.of_class.constants:
            return False
        used = sum(1 for n in nodes if n == left)
        return used > 1 and left not in set(one.sides[1].walk())

    # names

    def _python(self, n: Name) -> str:
        base = "_".join(PYTHON.get(p, p) for p in n.base.split("_"))
        shown = [s for s in indices(n) if s not in self.kinds.clients]
        sub = re.sub(r"\W+", "", "".join(shown).replace(" + ", "").replace(" - ", "m"))
        mark = {"*": "star", "'": "prime"}.get(n.mark, re.sub(r"\W+", "", n.mark))
        name = "_".join(p for p in (base, sub, mark) if p)
        if (
            (name in self.taken and name != "w_star")
            or keyword.iskeyword(name)
            or (name in SHADOWED and n in self.local)
        ):
            name += "_"
        if self._per_client(n) and name in self.shared:
            name = f"{name}_of"  # w_i beside w
        before = self.names.setdefault(name, n)
        if (before.base, before.sub, before.mark) != (n.base, n.sub, n.mark):
            raise Unread(self.kinds.line, n.at, f"{plain(before)} and {plain(n)} would have one name in Python")
        return name

    def _name(self, n: Name) -> tuple[str, int]:
        k = self.kinds
        if n in self.local:
            return self._python(n), TIGHT
        if n in self.expected:  # its expectation, and any vector less that one's
            free = f"x.{self._python(n)}"
            return f"{self.text(self.expected[n])} + {free} - x.mean_vec({free})", LOW
        if n.base in k.drawn and not n.sub:
            return "x.S", TIGHT
        if n.base in k.count and not n.sub and not n.mark:
            return "x.m", TIGHT
        if n.base in k.functions:
            return self._least(n)
        if not n.sub and not n.mark and n.base == k.length:
            return f"x.{self._python(n)}", TIGHT
        if not n.sub and n.base in k.times:
            return self._moment(n.base, n), TIGHT
        if n.sub and self._timed(n) and n.base in self.sequences:
            return f"x.{self._python(Name(n.base))}[{self._index(n)}]", TIGHT
        if n in k.vectors and n.mark == "*":
            return self._star(n), TIGHT
        if n.base in k.clients and not n.sub:
            raise Unread(k.line, n.at, f"the index {n.base} stands as a number")
        name = f"x.{self._python(n)}"
        return (f"{name}_above - {name}_below", LOW) if self._of_either_sign(n) else (name, TIGHT)

    def _of_either_sign(self, n: Name) -> bool:
        """Whether an equation about functions says what a number is, alone on a side, whose sign nothing says."""
        known = {*self.ranges.positive, *self.ranges.at_least, *self.ranges.between, *self.kinds.vectors, *self.local}
        said = self.claim.relations == ("=",) and n in self.claim.sides and n not in known
        return self.with_functions and said and not self._per_client(n)

    def _index(self, n: Name) -> str:
        """The index of an element of a sequence: t, t + 1, T, 0; one less where the sum began at 1."""
        first, _, rest = n.sub.partition(" ")
        beyond = rest.startswith("+") and (first == self.kinds.length or rest != "+ 1")
        if beyond and first in (*self.kinds.times, self.kinds.length):
            raise Unread(self.kinds.line, n.at, f"{plain(n)} is beyond the last element")
        own = self._moment(first, n) if first in self.kinds.times else ""
        if rest.startswith("-") and first in self.kinds.times and not (own.startswith("(") and rest == "- 1"):
            raise Unread(
                self.kinds.line, n.at, f"{plain(n)} has no meaning at {first} = 0: from t to t + 1, or a sum from 1"
            )
        where = own or (f"x.{first}" if first == self.kinds.length else first)
        return f"{where} {rest}".strip()

    def _moment(self, t: str, n: Name) -> str:
        """An index of time in Python, where it is one of a sum around or free."""
        if t not in self.times:
            raise Unread(self.kinds.line, n.at, f"{plain(n)} stands in no sum over {t}")
        return self.times[t]

    def _star(self, n: Name) -> str:
        if self.of_class is None:
            return f"x.{self._python(n)}"
        which = "F" if self.envelope and any(one.base == "F" for one in self._names()) else "f"
        if self.optimum not in ("", which):
            raise Unread(self.kinds.line, n.at, "minimisers of f and of F in one line")
        if not self.optimum:
            self.notes.append(f"{plain(n)} minimises {which}")
        self.optimum = which
        return "x.w_star"

    def _names(self) -> list[Name]:
        return [n for tree in (self.claim, *self.given) for n in tree.walk() if isinstance(n, Name)]

    def _least(self, n: Name) -> tuple[str, int]:
        """f^*, the least value of f; f_i^*, that of a client."""
        name = self.of_class.name if self.of_class else ""
        own = self.single or n.sub in self.kinds.clients
        if n.base == "F" and self.envelope:
            self._star(Name("w", mark="*"))
            value = "x.F.value(x.w_star)"
            return (value if own else f"x.mean({value})"), TIGHT
        if name == "Smooth":
            self.of_class = Class("SmoothBoundedBelow", self.of_class.constants if self.of_class else ())
            self.notes.append("f is bounded below")
            name = "SmoothBoundedBelow"
        if name in ("SmoothBoundedBelow", "Lojasiewicz") and own:
            return "x.f.infimum()", TIGHT
        if n.sub in self.kinds.clients:
            raise Unread(
                self.kinds.line,
                n.at,
                f"the least value of each client is said of classes that are bounded below, not of {name}",
            )
        if name in ("SmoothBoundedBelow", "WeaklyConvex", "Lojasiewicz"):
            raise Unread(self.kinds.line, n.at, f"the least value of a mean of clients is not said of {name}")
        self._star(Name("w", mark="*"))
        return ("x.f.value(x.w_star)" if self.single else "x.mean(x.f.value(x.w_star))"), TIGHT

    # expressions

    def text(self, of: Node, level: int = 0) -> str:
        """A part of the line in Python."""
        text, binds = self._text(of)
        return f"({text})" if binds < level else text

    def _text(self, of: Node) -> tuple[str, int]:
        match of:
            case Number(value):
                return _number(value)
            case Name():
                return self._name(of)
            case Sum(terms):
                out = ""
                for sign, term in terms:
                    joint = (" - " if out else "-") if sign < 0 else (" + " if out else "")
                    out += joint + self.text(term, PRODUCT if sign > 0 or out else TIGHT)
                return out, LOW
            case Times(factors):
                return self._times(factors, of)
            case Over(above, below):
                return self._over(above, below)
            case Power(base, exponent):
                return self._power(base, exponent)
            case Norm(inside):
                return f"x.sqrt({self._square(inside)})", TIGHT
            case Absolute(inside):
                if isinstance(inside, Name) and inside.base in self.kinds.drawn:
                    return "x.S", TIGHT
                if self.kinds.is_vector(inside):
                    return f"x.sqrt({self._square(inside)})", TIGHT
                return f"x.maximum({self.text(inside)}, {self.text(Sum(((-1, inside),)))})", TIGHT
            case Inner(left, right):
                return f"x.dot({self.text(left)}, {self.text(right)})", TIGHT
            case Call(name, arguments):
                return f"x.{name}({', '.join(self.text(a) for a in arguments)})", TIGHT
            case Applied(function, point):
                return self._applied(function, point)
            case Least(name):
                return self._least(name)
            case Total():
                return self._total(of, False)
            case Expectation(inside):
                return self._expectation(inside, of.at)
        raise Unread(self.kinds.line, 0, f"{plain(of)} is not understood")

    def _square(self, of: Node) -> str:
        return f"x.sq({self.text(of)})"

    def _times(self, factors: tuple[Node, ...], of: Times) -> tuple[str, int]:
        if self.kinds.is_inner(of):
            left, right = factors[-2:]
            inside = left.of if isinstance(left, Transposed) else left.base if isinstance(left, Power) else left
            rest = [self.text(f, PRODUCT) for f in factors[:-2]]
            return "*".join([*rest, f"x.dot({self.text(inside)}, {self.text(right)})"]), PRODUCT
        mean = self._mean(factors)
        if mean is not None:
            return mean
        vector = next((f for f in factors if self.kinds.is_vector(f)), None)
        pieces = []
        for f in factors:
            wide = vector is not None and f is not vector and self._own(f)
            pieces.append(self.text(f, TIGHT) + "[..., None]" if wide else self.text(f, PRODUCT))
        text = pieces[0]
        for f, piece in zip(factors[1:], pieces[1:], strict=True):
            text += f"*({piece})" if isinstance(f, Over) else f"*{piece}"
        return text, PRODUCT

    def _per_client(self, n: Name) -> bool:
        return any(s in self.kinds.clients for s in indices(n))

    def _own(self, f: Node) -> bool:
        """Whether a number is one of each client, so that it takes an axis more to multiply vectors."""
        return any(
            isinstance(n, (Applied, Norm, Inner)) or (isinstance(n, Name) and self._per_client(n)) for n in f.walk()
        )

    def _mean(self, factors: tuple[Node, ...]) -> tuple[str, int] | None:
        """1/N sum_i, a mean over the clients, with what else it is multiplied by."""
        total = next(
            (
                k
                for k, f in enumerate(factors)
                if isinstance(f, Total) and f.bounds.index in self.kinds.clients and not f.bounds.members
            ),
            None,
        )
        if total is None:
            return None
        share = next(
            (
                k
                for k, f in enumerate(factors)
                if k < total and isinstance(f, Over) and isinstance(f.below, Name) and f.below.base in self.kinds.count
            ),
            None,
        )
        if share is None:
            return None
        over = factors[share]
        assert isinstance(over, Over)
        rest = [f for k, f in enumerate(factors) if k not in (share, total)]
        rest = rest if over.above == Number(Fraction(1)) else [over.above, *rest]
        mean, binds = self._total(factors[total], True)
        return ("*".join([*(self.text(f, PRODUCT) for f in rest), mean]), PRODUCT if rest else binds)

    def _over(self, above: Node, below: Node) -> tuple[str, int]:
        if below == Number(Fraction(0)):
            raise Unread(self.kinds.line, 0, f"{plain(Over(above, below))} divides by zero")
        if isinstance(above, Number) and isinstance(below, Number):
            return _number(above.value / below.value)
        if (
            isinstance(above, Total)
            and isinstance(below, Name)
            and below.base in self.kinds.count
            and above.bounds.index in self.kinds.clients
            and not above.bounds.members
        ):
            return self._total(above, True)
        wide = "[..., None]" if self.kinds.is_vector(above) and self._own(below) else ""
        return f"{self.text(above, PRODUCT)}/{self.text(below, TIGHT)}{wide}", PRODUCT

    def _power(self, base: Node, exponent: Node) -> tuple[str, int]:
        if any(isinstance(n, Number) and abs(n.value) > MOST for n in exponent.walk()) or (
            isinstance(base, Number)
            and isinstance(exponent, Power)
            and isinstance(exponent.base, Number)
            and isinstance(exponent.exponent, (Number, Power))
        ):
            raise Unread(self.kinds.line, 0, f"{plain(Power(base, exponent))}: the power is too large")
        square = isinstance(base, Norm) or (isinstance(base, Absolute) and self.kinds.is_vector(base.of))
        if square and isinstance(exponent, Number) and exponent.value.denominator == 1 and exponent.value % 2 == 0:
            assert isinstance(base, (Norm, Absolute))
            half = int(exponent.value) // 2
            return self._square(base.of) + (f"**{half}" if half != 1 else ""), TIGHT
        if isinstance(exponent, Number) and exponent.value == Fraction(1, 2):
            return f"x.sqrt({self.text(base)})", TIGHT
        if isinstance(base, Number) and base.value >= 0 and not isinstance(exponent, Number):
            return f"x.ratio({base.value.numerator}, {base.value.denominator})**{self.text(exponent, TIGHT)}", TIGHT
        if self.kinds.is_vector(base):
            raise Unread(
                self.kinds.line, 0, f"{plain(base)} is a vector and has no power; |{plain(base)}|^2 is its square"
            )
        if isinstance(exponent, Number) and exponent.value.denominator != 1:
            raise Unread(self.kinds.line, 0, f"the power {plain(exponent)} is not read; a root is \\sqrt")
        if isinstance(exponent, Sum) and len(exponent.terms) == 1 and exponent.terms[0][0] < 0:
            positive = exponent.terms[0][1]
            return self._over(Number(Fraction(1)), base if positive == Number(Fraction(1)) else Power(base, positive))
        return f"{self._base(base)}**{self.text(exponent, TIGHT)}", TIGHT

    def _base(self, base: Node) -> str:
        """What a power goes over: Python has a**b**c as a**(b**c)."""
        text = self.text(base, TIGHT)
        return f"({text})" if isinstance(base, Power) else text

    def _applied(self, function: Node, point: Node) -> tuple[str, int]:
        at = self.text(point)
        if point == Number(Fraction(0)):
            raise Unread(self.kinds.line, 0, f"{plain(function)}(0): the origin is 0 * w")
        if isinstance(function, Prox):
            return self._prox(function, at)
        name = function.of if isinstance(function, Gradient) else function
        assert isinstance(name, Name)
        if name.mark:
            raise Unread(self.kinds.line, name.at, f"{plain(name)} at a point is not read")
        which = "F" if name.base == "F" and self.envelope else "f"
        what = "grad" if isinstance(function, Gradient) else "value"
        text = f"x.{which}.{what}({at})"
        of_clients = any(self._per_client(n) for n in point.walk() if isinstance(n, Name))
        if of_clients and not self.single and name.sub not in self.kinds.clients:
            raise Unread(
                self.kinds.line, name.at,
                f"{name.base} without an index at a point of each client is not read; {name.base}_i is each client's own",
            )  # fmt: skip
        if self.single or name.sub in self.kinds.clients:
            return text, TIGHT
        if name.sub:
            raise Unread(self.kinds.line, name.at, f"{plain(name)}: a single client by its number is not read")
        own = next((n.base for n in self._names() if n.base in self.kinds.functions and n.sub), name.base)
        if OUTCOME not in self.kinds.clients:
            self.notes.append(f"{name.base} is the mean of the {own}_i")
        elif self.envelope or self.of_class is None or self.of_class.name not in MEANS:
            raise Unread(self.kinds.line, name.at, "noise is read beside functions of a class that has all its means")
        return f"x.mean{'_vec' if what == 'grad' else ''}({text})", TIGHT

    def _prox(self, function: Prox, at: str) -> tuple[str, int]:
        """prox_{f/lam} or prox_{gamma f}: the minimiser of f + lam/2 |. - w|^2 with lam = 1/gamma."""
        names = [n for n in function.sub.walk() if isinstance(n, Name) and n.base in self.kinds.functions]
        if len(names) != 1 or not (self.single or names[0].sub in self.kinds.clients):
            raise Unread(self.kinds.line, function.at, "a prox is one of a client's function")
        match function.sub:
            case Name():
                lam: Node = Number(Fraction(1))
            case Over(Name() as f, below) if f == names[0]:
                lam = below
            case Over(above, below) if names[0] in above.walk():
                lam = Over(below, without(above, names[0], function.at, self.kinds.line))
            case Times() as times:
                lam = Over(Number(Fraction(1)), without(times, names[0], function.at, self.kinds.line))
            case _:
                raise Unread(self.kinds.line, function.at, "a prox is one of gamma f or of f/lambda")
        return f"x.f.prox({at}, {self.text(lam)})", TIGHT

    def _total(self, of: Node, mean: bool) -> tuple[str, int]:
        assert isinstance(of, Total)
        b, vector = of.bounds, "_vec" if self.kinds.is_vector(of.of) else ""
        if b.members:
            if not self.draw:
                raise Unread(self.kinds.line, of.at, f"a sum over a drawn set {b.members} stands within an expectation")
            return f"x.total{vector}({self.text(of.of)}, over={self.draw})", TIGHT
        if b.index in self.kinds.clients:
            return f"x.{'mean' if mean else 'total'}{vector}({self.text(of.of)})", TIGHT
        if b.index in self.times or self.times.keys() - self.summed:
            free = "one over the same" if b.index in self.summed else "what has a free index of time"
            raise Unread(self.kinds.line, of.at, f"a sum over {b.index} within {free} is not read")
        first = b.low.value if isinstance(b.low, Number) else Fraction(-1)
        later = of.product and b.low is not None and {*b.low.walk()} & {Name(t) for t in self.summed}  # from t + 1 on
        if (first not in (0, 1) and not later) or b.high is None:
            raise Unread(self.kinds.line, of.at, "a sum over time begins at 0 or 1 and has an end")
        length = self.text(b.high if first == 1 else one_more(b.high))
        begins = f", {self.text(b.low)}" if later and b.low is not None else ""
        around = self.times, self.summed
        self.times, self.summed = (
            {**self.times, b.index: f"({b.index} + 1)" if first == 1 else b.index},
            {*self.summed, b.index},
        )
        body = self.text(of.of)
        self.times, self.summed = around
        return f"x.{'product' if of.product else 'sum'}(lambda {b.index}: {body}, {length}{begins})", TIGHT

    def _expectation(self, inside: Node, at: int) -> tuple[str, int]:
        if OUTCOME in self.kinds.clients:
            return f"x.mean{'_vec' if self.kinds.is_vector(inside) else ''}({self.text(inside)})", TIGHT
        if not any(isinstance(n, Total) and n.bounds.members for n in inside.walk()):
            beside = "noise beside sums or clients is written in Python: docs/writing_claims.md"
            raise Unread(self.kinds.line, at, beside if self.kinds.clients and not self.kinds.drawn else ASKS)
        if self.draw:
            raise Unread(self.kinds.line, at, "an expectation within another is not read")
        self.draw = "draw"
        body = self.text(inside)
        self.draw = ""
        return f"x.E(lambda draw: {body})", TIGHT


def _number(value: Fraction) -> tuple[str, int]:
    if value.denominator == 1:
        return str(value), TIGHT if value >= 0 else LOW
    return f"x.ratio({value.numerator}, {value.denominator})", TIGHT
