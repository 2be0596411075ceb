"""The claim in Python: world, conditions and body of one reading of a line."""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ..errors import UsageError, did_you_mean
from .kinds import Kinds, iterate
from .tokens import Unread
from .tree import (
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
    plain,
)

PYTHON = {"lambda": "lam"}
OPERATORS = {"<=": "le", "<": "lt", "=": "eq"}
LOW, PRODUCT, TIGHT = 1, 2, 3  # how tightly a piece of Python binds


@dataclass(frozen=True)
class Class:
    """A class of functions with its constants.

    Attributes
    ----------
    name : str
        As it is imported from `problems`.
    constants : tuple of str
        The letters of its constants, in the order that it takes them.
    """

    name: str
    constants: tuple[str, ...]


CLASSES = {  # by what is said of the functions
    frozenset({"convex"}): ("Convex", ()),
    frozenset({"smooth"}): ("Smooth", ("smooth",)),
    frozenset({"smooth", "convex"}): ("SmoothConvex", ("smooth",)),
    frozenset({"strongly"}): ("StronglyConvex", ("strongly",)),
    frozenset({"smooth", "strongly"}): ("SmoothStronglyConvex", ("strongly", "smooth")),
    frozenset({"weakly"}): ("WeaklyConvex", ("weakly",)),
    frozenset({"smooth", "bounded"}): ("SmoothBoundedBelow", ("smooth",)),
    frozenset({"smooth", "pl"}): ("Lojasiewicz", ("pl", "smooth")),
}
USUAL = {"smooth": "L", "strongly": "mu", "weakly": "rho", "pl": "mu"}
WORDS = {"lojasiewicz": "pl", "polyak": "pl", "below": "", "gradient": "", "gradients": "", "and": "", "with": "", "functions": "", "function": ""}


def class_of(text: str) -> Class:
    """The class that is meant by words such as ``smooth convex L`` and ``L-smooth, mu-strongly convex``.

    Raises
    ------
    UsageError
        If a word is not known, or there is no such class.
    """
    words = [w.removeprefix("var") for w in re.findall(r"[A-Za-z]+(?:_\w+)?", text.replace("\\", " "))]
    said: list[str] = []
    constants: dict[str, str] = {}
    loose: list[str] = []
    known = (*USUAL, "convex", "bounded", *WORDS)
    for word in words:
        name = WORDS.get(word.lower(), word.lower())
        if name in USUAL:
            if loose and re.search(rf"\b{re.escape(loose[-1])}\s*\$?\s*-\s*{word}", text):
                constants[name] = loose.pop()
            said.append(name)
        elif name in ("convex", "bounded"):
            said.append(name)
        elif name and len(word) > 2 and word not in ("rho", "lam", "lambda", "beta", "alpha", "gamma", "sigma", "ell", "eta", "tau"):
            raise UsageError(f"--class: {word!r} is not known{did_you_mean(word.lower(), known)}; such as 'smooth convex L'")
        elif name:
            loose.append(word)
    properties = frozenset(said) - ({"convex"} if {"strongly", "weakly"} & set(said) else set())
    if properties not in CLASSES:
        raise UsageError(f"--class {text!r}: such as {', '.join(sorted(' '.join(sorted(c)) for c in CLASSES))}")
    name, needs = CLASSES[properties]
    free = [n for n in needs if n not in constants]
    for letter in loose:
        usual = next((n for n in free if USUAL[n] == letter), None)
        place = usual or next((n for n in dict.fromkeys(said) if n in free), None)
        if place is None:
            raise UsageError(f"--class {text!r}: {letter} is no constant of {name}")
        constants[place] = letter
        free.remove(place)
    return Class(name, tuple(PYTHON.get(constants.get(n, USUAL[n]), constants.get(n, USUAL[n])) for n in needs))


@dataclass
class Ranges:
    """What is said of the signs of numbers."""

    positive: set[Name] = field(default_factory=set)
    at_least: set[Name] = field(default_factory=set)
    between: dict[Name, str] = field(default_factory=dict)


class Writer:
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

    def __init__(self, claim: Chain, where: Sequence[Chain | Member], kinds: Kinds, functions: Class | None, envelope: str, taken: Collection[str]) -> None:
        self.claim, self.kinds, self.of_class, self.envelope, self.taken = claim, kinds, functions, envelope, taken
        self.notes: list[str] = []
        self.imports = {"claim"}
        self.time = ""
        self.draw = ""
        self.optimum = ""
        self.local: dict[Name, Node] = {}
        self.names: dict[str, Name] = {}
        nodes = [n for tree in (claim, *where) for n in tree.walk()]
        self.with_functions = any(isinstance(n, (Applied, Norm, Inner, Least)) for n in nodes) or bool(kinds.vectors)
        self.single = not kinds.clients
        self.sequences = {n.base for n in nodes if isinstance(n, Name) and self._timed(n)} if kinds.length and not self.with_functions else set()
        if self.with_functions and kinds.times:
            raise Unread(kinds.line, 0, "sums over the steps of a run of functions are written in Python: docs/writing_claims.md, Theorems for every T")
        self.given: list[Chain | Member] = []
        for one in where:
            if isinstance(one, Chain) and self._defines(one, nodes):
                assert isinstance(one.sides[0], Name)
                self.local[one.sides[0]] = one.sides[1]
            else:
                self.given.append(one)
        self.ranges = self._ranges()

    # what is said

    def _timed(self, n: Name) -> bool:
        return bool(n.sub) and (n.sub.split(" ")[0] in (*self.kinds.times, self.kinds.length) or n.sub.isdigit())

    def _defines(self, one: Chain, nodes: Sequence[Node]) -> bool:
        """Whether a condition says what a name is that has no other meaning: eta = 1/L, w_{t+1} = w_t - eta grad f(w_t)."""
        left = one.sides[0]
        if one.relations != ("=",) or not isinstance(left, Name) or "*" in left.mark or self._timed(left) and self.sequences:
            return False
        if self.of_class and self._python(left) in self.of_class.constants:
            return False
        used = sum(1 for n in nodes if n == left)
        return used > 1 and left not in set(one.sides[1].walk())

    def _ranges(self) -> Ranges:
        """The signs: of constants of the class, and what the conditions say or make plain."""
        out = Ranges()
        chains = [c for c in self.given if isinstance(c, Chain)]
        for _ in range(len(chains) + 1):
            for c in chains:
                for left, sign, right in zip(c.sides, c.relations, c.sides[1:], strict=False):
                    if isinstance(right, Name) and sign != "=":
                        low = left.value if isinstance(left, Number) else None
                        strict = (low is not None and (low > 0 or (low == 0 and sign == "<"))) or left in out.positive
                        strict = strict or (sign == "<" and left in out.at_least)
                        if strict:
                            out.positive.add(right)
                        elif low == 0 or left in out.at_least:
                            out.at_least.add(right)
        for m in self.given:
            if isinstance(m, Member):
                low, high = m.low, m.high
                if not (isinstance(low, Number) and isinstance(high, Number)):
                    if isinstance(low, Number) and low.value >= 0:
                        (out.positive if low.value > 0 or m.fences[0] == "(" else out.at_least).add(m.name)
                    continue
                if m.fences[1] == ")":
                    out.between[m.name] = f"between({low.value}, {high.value}{', closed=False' if m.fences[0] == '(' else ''})"
                elif low.value >= 0:
                    (out.positive if low.value > 0 or m.fences[0] == "(" else out.at_least).add(m.name)
        return out

    # names

    def _python(self, n: Name) -> str:
        base = "_".join(PYTHON.get(p, p) for p in n.base.split("_"))
        sub = "" if n.sub in self.kinds.clients else re.sub(r"\W+", "", n.sub.replace(" + ", "p").replace(" - ", "m"))
        mark = {"*": "star", "'": "prime"}.get(n.mark, re.sub(r"\W+", "", n.mark))
        name = "_".join(p for p in (base, sub, mark) if p)
        if (name in self.taken and name != "w_star") or keyword.iskeyword(name):
            name += "_"
        before = self.names.setdefault(name, n)
        if (before.base, before.sub, before.mark) != (n.base, n.sub, n.mark):
            raise Unread(self.kinds.line, n.at, f"{plain(before)} and {plain(n)} would have one name in Python")
        return name

    def _name(self, n: Name) -> tuple[str, int]:
        k = self.kinds
        if n in self.local:
            return self._python(n), TIGHT
        if n.base in k.drawn and not n.sub:
            return "x.S", TIGHT
        if n.base in k.count and not n.sub and not n.mark:
            return "x.m", TIGHT
        if n.base in k.functions:
            return self._least(n)
        if not n.sub and not n.mark and n.base == k.length:
            return f"x.{n.base}", TIGHT
        if not n.sub and n.base in k.times:
            return self.time or n.base, TIGHT
        if n.sub and self._timed(n) and n.base in self.sequences:
            return f"x.{self._python(Name(n.base))}[{self._index(n)}]", TIGHT
        if n in k.vectors and n.mark == "*":
            return self._star(n), TIGHT
        if n.base in k.clients and not n.sub:
            raise Unread(k.line, n.at, f"the index {n.base} stands as a number")
        return f"x.{self._python(n)}", TIGHT

    def _index(self, n: Name) -> str:
        """The index of an element of a sequence: t, t + 1, T, 0; one less where the sum began at 1."""
        first, _, rest = n.sub.partition(" ")
        where = self.time if first in self.kinds.times and self.time else f"x.{first}" if first == self.kinds.length else first
        return f"{where} {rest}".strip()

    def _star(self, n: Name) -> str:
        if self.of_class is None:
            return f"x.{self._python(n)}"
        which = "F" if self.envelope and any(one.base == "F" for one in self._nodes(Name)) else "f"
        if self.optimum not in ("", which):
            raise Unread(self.kinds.line, n.at, "minimisers of f and of F in one line")
        if not self.optimum:
            self.notes.append(f"{plain(n)} minimises {which}")
        self.optimum = which
        return "x.w_star"

    def _nodes(self, kind: type) -> list[Name]:
        return [n for tree in (self.claim, *self.given) for n in tree.walk() if isinstance(n, kind)]

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
            raise Unread(self.kinds.line, n.at, f"the least value of each client is said of classes that are bounded below, not of {name}")
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

    def _own(self, f: Node) -> bool:
        """Whether a number is one of each client, so that it takes an axis more to multiply vectors."""
        return any(isinstance(n, (Applied, Norm, Inner)) or (isinstance(n, Name) and n.sub in self.kinds.clients) for n in f.walk())

    def _mean(self, factors: tuple[Node, ...]) -> tuple[str, int] | None:
        """1/N sum_i, a mean over the clients, with what else it is multiplied by."""
        total = next((k for k, f in enumerate(factors) if isinstance(f, Total) and f.bounds.index in self.kinds.clients and not f.bounds.members), None)
        if total is None:
            return None
        share = next((k for k, f in enumerate(factors) if k < total and isinstance(f, Over) and isinstance(f.below, Name) and f.below.base in self.kinds.count), None)
        if share is None:
            return None
        over = factors[share]
        assert isinstance(over, Over)
        rest = [f for k, f in enumerate(factors) if k not in (share, total)]
        rest = rest if over.above == Number(Fraction(1)) else [over.above, *rest]
        mean, binds = self._total(factors[total], True)
        return ("*".join([*(self.text(f, PRODUCT) for f in rest), mean]), PRODUCT if rest else binds)

    def _over(self, above: Node, below: Node) -> tuple[str, int]:
        if isinstance(above, Number) and isinstance(below, Number):
            if not below.value:
                raise Unread(self.kinds.line, 0, f"{plain(Over(above, below))} divides by zero")
            return _number(above.value / below.value)
        if isinstance(above, Total) and isinstance(below, Name) and below.base in self.kinds.count and above.bounds.index in self.kinds.clients and not above.bounds.members:
            return self._total(above, True)
        return f"{self.text(above, PRODUCT)}/{self.text(below, TIGHT)}", PRODUCT

    def _power(self, base: Node, exponent: Node) -> tuple[str, int]:
        if isinstance(base, Name) and iterate(base, exponent) in self.kinds.vectors:
            return self._name(iterate(base, exponent))
        square = isinstance(base, Norm) or (isinstance(base, Absolute) and self.kinds.is_vector(base.of))
        if square and isinstance(exponent, Number) and exponent.value.denominator == 1 and exponent.value % 2 == 0:
            assert isinstance(base, (Norm, Absolute))
            half = int(exponent.value) // 2
            return self._square(base.of) + (f"**{half}" if half != 1 else ""), TIGHT
        if isinstance(exponent, Number) and exponent.value == Fraction(1, 2):
            return f"x.sqrt({self.text(base)})", TIGHT
        if isinstance(base, Number) and not isinstance(exponent, Number):
            return f"x.ratio({base.value.numerator}, {base.value.denominator})**{self.text(exponent, TIGHT)}", TIGHT
        if self.kinds.is_vector(base):
            raise Unread(self.kinds.line, 0, f"{plain(base)} is a vector and has no power; |{plain(base)}|^2 is its square")
        if isinstance(exponent, Number) and exponent.value.denominator != 1:
            raise Unread(self.kinds.line, 0, f"the power {plain(exponent)} is not read; a root is \\sqrt")
        if isinstance(exponent, Sum) and len(exponent.terms) == 1 and exponent.terms[0][0] < 0:
            return self._over(Number(Fraction(1)), Power(base, exponent.terms[0][1]))
        return f"{self.text(base, TIGHT)}**{self.text(exponent, TIGHT)}", TIGHT

    def _applied(self, function: Node, point: Node) -> tuple[str, int]:
        at = self.text(point)
        if isinstance(function, Prox):
            return self._prox(function, at)
        name = function.of if isinstance(function, Gradient) else function
        assert isinstance(name, Name)
        if name.mark:
            raise Unread(self.kinds.line, name.at, f"{plain(name)} at a point is not read")
        which = "F" if name.base == "F" and self.envelope else "f"
        what = "grad" if isinstance(function, Gradient) else "value"
        text = f"x.{which}.{what}({at})"
        if self.single or name.sub in self.kinds.clients:
            return text, TIGHT
        if name.sub:
            raise Unread(self.kinds.line, name.at, f"{plain(name)}: a single client by its number is not read")
        self.notes.append(f"{name.base} is the mean of the {name.base}_i")
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
                lam = Over(below, _without(above, names[0], function.at, self.kinds.line))
            case Times() as times:
                lam = Over(Number(Fraction(1)), _without(times, names[0], function.at, self.kinds.line))
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
        if self.time:
            raise Unread(self.kinds.line, of.at, "a sum over time within another is not read")
        first = b.low.value if isinstance(b.low, Number) else Fraction(-1)
        if first not in (0, 1) or b.high is None:
            raise Unread(self.kinds.line, of.at, "a sum over time begins at 0 or 1 and has an end")
        self.time = b.index if first == 0 else f"({b.index} + 1)"
        body = self.text(of.of)
        self.time = ""
        length = self.text(_next(b.high) if first == 0 else b.high)
        return f"x.sum(lambda {b.index}: {body}, {length})", TIGHT

    def _expectation(self, inside: Node, at: int) -> tuple[str, int]:
        if not any(isinstance(n, Total) and n.bounds.members for n in inside.walk()):
            raise Unread(self.kinds.line, at, "an expectation is one over a drawn set, \\sum_{i \\in S}: what else is random?")
        if self.draw:
            raise Unread(self.kinds.line, at, "an expectation within another is not read")
        self.draw = "draw"
        body = self.text(inside)
        self.draw = ""
        return f"x.E(lambda draw: {body})", TIGHT

    # the claim

    def relation(self, c: Chain) -> str:
        """A chain in Python; where both sides of an inequality are products with a norm, the squares of both."""
        out = []
        for left, sign, right in zip(c.sides, c.relations, c.sides[1:], strict=False):
            if self.kinds.is_vector(left) or self.kinds.is_vector(right):
                if sign != "=":
                    raise Unread(self.kinds.line, 0, "vectors are equal or not; <= is for numbers")
                self.imports.add("eq")
                out.append(f"eq(x.sq({self.text(Sum(((1, left), (-1, right))))}), 0)")
                continue
            self.imports.add(OPERATORS[sign])
            squares = self._squares(left), self._squares(right)
            if squares[0] is not None and squares[1] is not None and any(isinstance(f, (Norm, Absolute)) for f in (*_factors(left), *_factors(right))):
                self.notes.append("both sides are at least 0, and their squares are compared")
                left, right = squares[0], squares[1]
            out.append(f"{OPERATORS[sign]}({self.text(left)}, {self.text(right)})")
        return ", ".join(out)

    def _squares(self, side: Node) -> Node | None:
        """The square of a product of norms and of numbers that are at least 0; None where it is no such product."""
        squares: list[Node] = []
        for f in _factors(side):
            inside = f.below if isinstance(f, Over) else f
            above = f.above if isinstance(f, Over) else Number(Fraction(1))
            for one in (inside, above):
                vector = isinstance(one, Norm) or (isinstance(one, Absolute) and self.kinds.is_vector(one.of))
                number = isinstance(one, Number) and one.value >= 0
                signed = isinstance(one, Name) and (one in self.ranges.positive | self.ranges.at_least or one in self.ranges.between or self._constant(one))
                if not (vector or number or signed):
                    return None
            two = Number(Fraction(2))
            if isinstance(f, Over):
                squares.append(Over(Power(f.above, two), Power(f.below, two)))
            else:
                squares.append(Power(f, two))
        return squares[0] if len(squares) == 1 else Times(tuple(squares))

    def _constant(self, n: Name) -> bool:
        return self.of_class is not None and self._python(n) in self.of_class.constants

    def claim_text(self, id: str, title: str, latex: str) -> tuple[set[str], set[str], str]:
        """What is imported from fedtheory and from problems, and world and claim."""
        function = re.sub(r"\W", "_", id.split("/")[1])
        body_t = self._free_time()
        self.time = body_t
        lines = [f"    {self._python(n)} = {self.text(value)}" for n, value in self._ordered()]
        body = self.relation(self.claim)
        self.time = ""
        given, every = self._conditions()
        world, of_problems = self._world(given, every)
        arguments = f"x, {body_t}" if body_t else "x"
        notes = "".join(f"\n    {n}." for n in dict.fromkeys(self.notes))
        text = (
            f'@claim("{id}", world={world}, latex=r"""{latex}""")\ndef {function}({arguments}):\n    """{title}{notes and chr(10) + notes}\n    """\n'
            if notes
            else f'@claim("{id}", world={world}, latex=r"""{latex}""")\ndef {function}({arguments}):\n    """{title}"""\n'
        )
        text += "".join(line + "\n" for line in lines) + f"    return {body}\n"
        return self.imports, of_problems, text

    def _ordered(self) -> list[tuple[Name, Node]]:
        """The definitions, each after those that it uses."""
        left, out = dict(self.local), []
        while left:
            ready = [n for n, v in left.items() if not any(one in left for one in v.walk() if isinstance(one, Name))]
            if not ready:
                raise Unread(self.kinds.line, 0, "definitions that need each other: " + ", ".join(plain(n) for n in left))
            out += [(n, left.pop(n)) for n in ready]
        return out

    def _free_time(self) -> str:
        bound = {n.bounds.index for n in self.claim.walk() if isinstance(n, Total)}
        used = {n.sub.split(" ")[0] for n in self.claim.walk() if isinstance(n, Name) and n.sub} | {n.base for n in self.claim.walk() if isinstance(n, Name)}
        free = (self.kinds.times & used) - bound
        if len(free) > 1:
            raise Unread(self.kinds.line, 0, "more than one free index of time")
        return next(iter(free), "")

    def _conditions(self) -> tuple[list[str], list[str]]:
        """The conditions that are no ranges; those at every t apart."""
        given, every = [], []
        local, self.local = self.local, {}
        try:
            for c in self.given:
                c = _substituted(c, local)  # type: ignore[assignment]
                chain = _as_chain(c, self.ranges) if isinstance(c, Member) else _beyond(c, self.ranges)
                if chain is None:
                    continue
                used = {n.sub.split(" ")[0] for n in chain.walk() if isinstance(n, Name)} | {n.base for n in chain.walk() if isinstance(n, Name)}
                bound = {n.bounds.index for n in chain.walk() if isinstance(n, Total)}
                free = sorted((self.kinds.times & used) - bound)
                self.time = free[0] if free else ""
                said = self.relation(chain)
                said = f"({said})" if len(chain.relations) > 1 else said
                text = f'condition("{plain(c)}", lambda x{", " + free[0] if free else ""}: {said})'
                (every if free else given).append(text)
                self.time = ""
        finally:
            self.local = local
        return given, every

    def _world(self, given: list[str], every: list[str]) -> tuple[str, set[str]]:
        k, problems = self.kinds, {"condition"} if given or every else set()
        scalars: dict[str, str] = {}
        sequences: dict[str, str] = {}
        at: dict[str, None] = {}
        clients_at: dict[str, None] = {}
        constants = self.of_class.constants if self.of_class else ()
        trees = [self.claim, *(_substituted(c, self.local) for c in self.given), *self.local.values()]
        for n in (n for tree in trees for n in _named(tree, k)):
            if n in self.local or n.base in k.functions or (not n.sub and n.base in (*k.count, *k.drawn, *k.times, k.length)):
                continue
            name = self._python(n)
            if n in k.vectors:
                if n.mark == "*" and self.of_class is not None:
                    continue
                (clients_at if n.sub in k.clients else at)[name] = None
            elif n.base in self.sequences and self._timed(n):
                sequences[self._python(Name(n.base))] = self._range(n, problems)
            elif name not in constants:
                scalars[name] = self._range(n, problems)
        for c in dict.fromkeys(constants):
            scalars[c] = "positive()"
            problems.add("positive")
        parts: list[str] = []
        if self.with_functions:
            kind = "Points"
            if self.of_class is not None:
                problems.add(self.of_class.name)
                arguments = ", ".join(f'"{c}"' for c in self.of_class.constants)
                parts.append(f"{self.of_class.name}({arguments})")
            elif any(isinstance(n, (Applied, Least)) for tree in trees for n in tree.walk()):
                raise Unread(k.line, 0, "a function stands here: --class says of which, such as --class 'smooth convex L'")
            if self.envelope:
                parts.append(f'envelope="{PYTHON.get(self.envelope, self.envelope)}"')
            parts.append(f"at={_tuple(at)}")
            if clients_at:
                parts.append(f"clients_at={_tuple(clients_at)}")
            if self.optimum:
                parts.append(f'optimum_of="{self.optimum}"')
            sizes = {**({"m": (1,)} if self.single and self.of_class else {}), **({"S": (1, 2, 3)} if k.drawn else {})}
            if sizes:
                parts.append(f"sizes={sizes!r}".replace("'", '"'))
        elif self.sequences or k.length:
            kind = "Sequences"
            parts.append(f'"{k.length}"')
            if sequences:
                parts.append("sequences={" + ", ".join(f'"{n}": {r}' for n, r in sequences.items()) + "}")
            if every:
                parts.append(f"every=({', '.join(every)},)")
        else:
            kind = "Scalars"
        problems.add(kind)
        parts += [f"{name}={said}" for name, said in scalars.items()]
        if given:
            parts.append(f"given=({', '.join(given)},)")
        return f"{kind}({', '.join(parts)})", problems

    def _range(self, n: Name, problems: set[str]) -> str:
        """The range of a number; in a world of functions every number has a sign."""
        own = ["per_client=True"] if n.sub in self.kinds.clients else []
        if n in self.ranges.between:
            problems.add("between")
            return self.ranges.between[n]
        if n in self.ranges.positive:
            problems.add("positive")
            return f"positive({', '.join(own)})"
        if n in self.ranges.at_least:
            problems.add("at_least")
            return f"at_least({', '.join(['0', *own])})"
        if self.with_functions:
            raise Unread(self.kinds.line, n.at, f"what sign has {plain(n)}? --where '{plain(n)} > 0' says so")
        problems.add("real")
        return f"real({', '.join(own)})"


def _named(tree: Node, kinds: Kinds) -> list[Name]:
    """The names of a tree; a vector with an upper index is one."""
    out: list[Name] = []
    if isinstance(tree, Power) and isinstance(tree.base, Name) and iterate(tree.base, tree.exponent) in kinds.vectors:
        return [iterate(tree.base, tree.exponent)]
    if isinstance(tree, Name):
        return [tree]
    for part in tree.parts():
        out += _named(part, kinds)
    return out


def _number(value: Fraction) -> tuple[str, int]:
    if value.denominator == 1:
        return str(value), TIGHT if value >= 0 else LOW
    return f"x.ratio({value.numerator}, {value.denominator})", TIGHT


def _next(of: Node) -> Node:
    """One more: T for T - 1."""
    one = Number(Fraction(1))
    if isinstance(of, Sum) and of.terms[-1] == (-1, one):
        return of.terms[0][1] if len(of.terms) == 2 and of.terms[0][0] > 0 else Sum(of.terms[:-1])
    return Sum(((1, of), (1, one)))


def _factors(side: Node) -> tuple[Node, ...]:
    return side.factors if isinstance(side, Times) else (side,)


def _without(of: Node, name: Name, at: int, line: str) -> Node:
    """A product without one factor."""
    rest = [f for f in _factors(of) if f != name]
    if len(rest) != len(_factors(of)) - 1 or not rest:
        raise Unread(line, at, "a prox is one of gamma f or of f/lambda")
    return rest[0] if len(rest) == 1 else Times(tuple(rest))


def _substituted(tree: Node, local: dict[Name, Node]) -> Node:
    """A tree with definitions put in."""
    if isinstance(tree, Name) and tree in local:
        return _substituted(local[tree], local)
    if isinstance(tree, (Gradient, Least)):
        return tree
    return tree.map(lambda part: _substituted(part, local)) if local else tree


def _beyond(c: Chain, ranges: Ranges) -> Chain | None:
    """What a chain says beyond the signs that are ranges: None where that is all."""
    sides, relations = list(c.sides), list(c.relations)
    while relations and sides[0] == Number(Fraction(0)) and isinstance(sides[1], Name):
        kept = ranges.positive if relations[0] == "<" else ranges.positive | ranges.at_least
        if relations[0] == "=" or sides[1] not in kept:
            break
        sides, relations = sides[1:], relations[1:]
    return Chain(tuple(sides), tuple(relations)) if relations else None


def _as_chain(m: Member, ranges: Ranges) -> Chain | None:
    """An interval that no range says."""
    if m.name in ranges.between:
        return None
    chain = Chain((m.low, m.name, m.high), ("<" if m.fences[0] == "(" else "<=", "<" if m.fences[1] == ")" else "<="))
    return _beyond(chain, ranges)


def _tuple(names: Collection[str]) -> str:
    return "(" + ", ".join(f'"{n}"' for n in names) + ("," if len(names) == 1 else "") + ")"
