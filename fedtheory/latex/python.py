"""The claim in Python: world, conditions and body of one reading of a line."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from fractions import Fraction

from .classes import LETTERS, PYTHON
from .example import example
from .expressions import OPERATORS, Expressions
from .kinds import Kinds, Ranges, indices
from .nodes import (
    Absolute,
    Applied,
    Call,
    Chain,
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
    Sum,
    Times,
    Total,
    factors_of,
    plain,
)
from .tokens import Unread


@dataclass
class _Quantities:
    """What the world of a line has, each by its name in Python: ranges of numbers, their names, ranges of sequences, points."""

    scalars: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, Name] = field(default_factory=dict)
    sequences: dict[str, str] = field(default_factory=dict)
    at: dict[str, None] = field(default_factory=dict)
    clients_at: dict[str, None] = field(default_factory=dict)


class Writer(Expressions):
    """One reading of a line as a claim in Python."""

    def relation(self, c: Chain) -> str:
        """A chain in Python; where both sides of an inequality are products with a norm, the squares of both."""
        out = []
        for left, sign, right in zip(c.sides, c.relations, c.sides[1:], strict=False):
            if self.kinds.is_vector(left) or self.kinds.is_vector(right):
                if sign != "=":
                    raise Unread(
                        self.kinds.line,
                        0,
                        "a vector is compared with a number, or with <=; functions are called f and F",
                    )
                self.imports.add("eq")
                out.append(f"eq(x.sq({self.text(Sum(((1, left), (-1, right))))}), 0)")
                continue
            self.imports.add(OPERATORS[sign])
            squares = self._squares(left), self._squares(right)
            normed = any(isinstance(f, (Norm, Absolute)) for f in (*factors_of(left), *factors_of(right)))
            if squares[0] is not None and squares[1] is not None and normed:
                self.notes.append("both sides are at least 0, and their squares are compared")
                left, right = squares[0][0], squares[1][0]
                self.under_roots += [*squares[0][1], *squares[1][1]]
            elif squares[0] is not None and normed and (signed := self._signed(right)) is not None:
                self.notes.append("it says that the right side is at least 0, and compares the squares")
                self.imports.add(OPERATORS["<" if sign == "<" else "<="])
                out.append(f"{OPERATORS['<' if sign == '<' else '<=']}(0, {self.text(signed[0])})")
                left, right = squares[0][0], signed[1]
                self.under_roots += squares[0][1]
            out.append(f"{OPERATORS[sign]}({self.text(left)}, {self.text(right)})")
        return ", ".join(out)

    def _squares(self, side: Node) -> tuple[Node, list[Node]] | None:
        """The square of a product of norms, roots and numbers that are at least 0, and what stands under the roots; else None."""
        squares: list[Node] = []
        roots: list[Node] = []
        for f in factors_of(side):
            if isinstance(f, Call) and f.name == "sqrt":
                roots.append(f.arguments[0])
                squares.append(f.arguments[0])
                continue
            inside = f.below if isinstance(f, Over) else f
            above = f.above if isinstance(f, Over) else Number(Fraction(1))
            for one in (inside, above):
                vector = isinstance(one, Norm) or (isinstance(one, Absolute) and self.kinds.is_vector(one.of))
                number = isinstance(one, Number) and one.value >= 0
                signed = isinstance(one, Name) and (
                    one in self.ranges.positive | self.ranges.at_least
                    or one in self.ranges.between
                    or self._constant(one)
                )
                if not (vector or number or signed):
                    return None
            squares.append(Over(_square(f.above), _square(f.below)) if isinstance(f, Over) else _square(f))
        return (squares[0] if len(squares) == 1 else Times(tuple(squares))), roots

    def _signed(self, side: Node) -> tuple[Node, Node] | None:
        """Of a product of one norm and numbers what has its sign, without a root, and its square; None where it is none."""
        norms = [f for f in factors_of(side) if isinstance(f, Norm)]
        rest = [f for f in factors_of(side) if not isinstance(f, Norm)]
        if len(norms) != 1 or any(
            isinstance(n, (Norm, Absolute, Inner, Applied, Call)) for f in rest for n in f.walk()
        ):
            return None
        square = _square(norms[0])
        return Times((*rest, square)), Times((*(_square(f) for f in rest), square))

    def _constant(self, n: Name) -> bool:
        return self.of_class is not None and self._python(n) in self.of_class.constants

    def _defined(self, local: dict[Name, Node]) -> list[str]:
        """That what stood under roots is at least 0, as a condition: elsewhere the line says nothing."""
        out = []
        known = self.ranges.positive | self.ranges.at_least
        for e in dict.fromkeys(e for e in self.under_roots if e not in known and not isinstance(e, Number)):
            self.imports.add("le")
            self.notes.append(f"it is about {plain(e)} >= 0, which stands under a root")
            out.append(f'condition("0 <= {plain(e)}", lambda x: le(0, {self.text(_substituted(e, local))}))')
        return out

    def claim_text(self, id: str, title: str, latex: str) -> tuple[set[str], set[str], str]:
        """What is imported from fedtheory and from problems, and world and claim."""
        function = re.sub(r"\W", "_", id.split("/")[1])
        body_t = self._free_time()
        self.times = {body_t: body_t} if body_t else {}
        lines = [f"    {self._python(n)} = {self.text(value)}" for n, value in self._ordered()]
        body = self.relation(self.claim)
        self.times = {}
        given, every = self._conditions()
        world, of_problems = self._world(given, every)
        arguments = f"x, {body_t}" if body_t else "x"
        notes = "".join(f"\n    {n}." for n in dict.fromkeys(self.notes))
        said = f'"""{title}\n{notes}\n    """' if notes else f'"""{title}"""'
        text = f'@claim("{id}", world={world}, latex=r"""{latex}""")\ndef {function}({arguments}):\n    {said}\n'
        text += "".join(line + "\n" for line in lines) + f"    return {body}\n"
        return self.imports, of_problems, text

    def _ordered(self) -> list[tuple[Name, Node]]:
        """The definitions, each after those that it uses."""
        left, out = dict(self.local), []
        while left:
            ready = [n for n, v in left.items() if not any(one in left for one in v.walk() if isinstance(one, Name))]
            if not ready:
                raise Unread(
                    self.kinds.line, 0, "definitions that need each other: " + ", ".join(plain(n) for n in left)
                )
            out += [(n, left.pop(n)) for n in ready]
        return out

    def _free_time(self) -> str:
        bound = {n.bounds.index for n in self.claim.walk() if isinstance(n, Total)}
        used = {n.sub.split(" ")[0] for n in self.claim.walk() if isinstance(n, Name) and n.sub} | {
            n.base for n in self.claim.walk() if isinstance(n, Name)
        }
        free = (self.kinds.times & used) - bound
        if len(free) > 1:
            raise Unread(self.kinds.line, 0, "more than one free index of time")
        return next(iter(free), "")

    def _conditions(self) -> tuple[list[str], list[str]]:
        """The conditions that are no ranges; those at every t apart."""
        given: list[str] = []
        every: list[str] = []
        local, self.local = self.local, {}
        try:
            for c in self.given:
                c = _substituted(c, local)  # type: ignore[assignment]
                chain = _as_chain(c, self.ranges) if isinstance(c, Member) else _beyond(c, self.ranges)
                if chain is None:
                    continue
                used = {n.sub.split(" ")[0] for n in chain.walk() if isinstance(n, Name)} | {
                    n.base for n in chain.walk() if isinstance(n, Name)
                }
                bound = {n.bounds.index for n in chain.walk() if isinstance(n, Total)}
                free = sorted((self.kinds.times & used) - bound)
                self.times = {free[0]: free[0]} if free else {}
                said = self.relation(chain)
                said = f"({said})" if len(chain.relations) > 1 else said
                text = f'condition("{plain(c)}", lambda x{", " + free[0] if free else ""}: {said})'
                (every if free else given).append(text)
                shifted = (
                    any(isinstance(n, Name) and n.sub.startswith(f"{free[0]} +") for n in chain.walk())
                    if free
                    else True
                )
                if not shifted and self._reaches_the_end():
                    self.times = dict.fromkeys(free, f"x.{self._python(Name(self.kinds.length))}")  # every t < T, and T
                    said = self.relation(chain)
                    said = f"({said})" if len(chain.relations) > 1 else said
                    given.append(f'condition("{plain(c)} at {self.kinds.length}", lambda x: {said})')
                self.times = {}
            given += self._defined(local)
        finally:
            self.local = local
        return given, every

    def _reaches_the_end(self) -> bool:
        """Whether the element at T matters, which a condition at every t < T says nothing of."""
        length = self.kinds.length
        for n in (n for tree in (self.claim, *self.given) for n in tree.walk()):
            if isinstance(n, Name) and n.sub and (n.sub.split(" ")[0] == length or " + " in n.sub):
                return True
            if isinstance(n, Total) and n.bounds.high is not None and plain(n.bounds.high) != f"{length} - 1":
                return True
        return False

    def _world(self, given: list[str], every: list[str]) -> tuple[str, set[str]]:
        """The world of the claim, and what it takes from problems."""
        problems = {"condition"} if given or every else set()
        stated = (*self.given, *self.expected, *self.expected.values())
        trees = [self.claim, *(_substituted(c, self.local) for c in stated), *self.local.values()]
        found = self._quantities(trees, problems)
        if self.envelope and self.with_functions and PYTHON.get(self.envelope, self.envelope) not in found.scalars:
            raise Unread(self.kinds.line, 0, f"what sign has {self.envelope}? --where '{self.envelope} > 0' says so")
        if self.with_functions:
            kind, parts = "Points", self._points(trees, found, problems)
        elif self.sequences or self.kinds.length:
            kind, parts = "Sequences", [f'"{self._python(Name(self.kinds.length))}"']
            if found.sequences:
                parts.append("sequences={" + ", ".join(f'"{n}": {r}' for n, r in found.sequences.items()) + "}")
            if every:
                parts.append(f"every=({', '.join(every)},)")
        else:
            kind, parts = "Scalars", []
        problems.add(kind)
        parts += [f"{name}={said}" for name, said in found.scalars.items()]
        if given:
            parts.append(f"given=({', '.join(given)},)")
        if shown := self._example(found.numbers) if kind != "Sequences" else "":
            parts.append(f"example={{{shown}}}")
        return f"{kind}({', '.join(parts)})", problems

    def _quantities(self, trees: list[Node], problems: set[str]) -> _Quantities:
        """What the names of the trees are in the world; the ranges that it takes are added to `problems`."""
        k, found = self.kinds, _Quantities()
        constants = self.of_class.constants if self.of_class else ()
        for n in (n for tree in trees for n in _named(tree, k)):
            if (
                n in self.local
                or n.base in k.functions
                or (not n.sub and n.base in (*k.count, *k.drawn, *k.times, k.length))
            ):
                continue
            name = self._python(n)
            if n in k.vectors:
                if n.mark == "*" and self.of_class is not None:
                    continue
                (found.clients_at if self._per_client(n) else found.at)[name] = None
            elif n.base in self.sequences and self._timed(n):
                known = (*self.ranges.positive, *self.ranges.at_least, *self.ranges.between)
                said = next((one for one in known if one.base == n.base and one.sub), n)
                found.sequences[self._python(Name(n.base))] = self._range(said, problems)
            elif self._of_either_sign(n):
                found.scalars[f"{name}_above"] = found.scalars[f"{name}_below"] = "at_least(0)"
                problems.add("at_least")
                self.notes.append(f"{plain(n)} is any number")
            elif name not in constants:
                found.scalars[name], found.numbers[name] = self._range(n, problems), n
        for c in dict.fromkeys(constants):
            found.scalars[c], found.numbers[c] = "positive()", Name(LETTERS.get(c, c))
            problems.add("positive")
        return found

    def _points(self, trees: list[Node], found: _Quantities, problems: set[str]) -> list[str]:
        """The arguments of a world of functions and points, but for its scalars and conditions."""
        parts: list[str] = []
        if self.of_class is not None:
            problems.add(self.of_class.name)
            arguments = ", ".join(f'"{c}"' for c in self.of_class.constants)
            parts.append(f"{self.of_class.name}({arguments})")
        elif any(isinstance(n, (Applied, Least)) for tree in trees for n in tree.walk()):
            said = "a function stands here: --class says of which, such as --class 'smooth convex L'"
            raise Unread(self.kinds.line, 0, said)
        if self.envelope:
            parts.append(f'envelope="{PYTHON.get(self.envelope, self.envelope)}"')
        parts.append(f"at={_tuple(found.at)}")
        if found.clients_at:
            parts.append(f"clients_at={_tuple(found.clients_at)}")
        if self.optimum:
            parts.append(f'optimum_of="{self.optimum}"')
        sizes: dict[str, tuple[int, ...]] = {"m": (1,)} if self.single and self.of_class else {}
        sizes |= {"S": (1, 2, 3)} if self.kinds.drawn else {}
        return [*parts, f"sizes={sizes!r}".replace("'", '"')] if sizes else parts

    def _example(self, numbers: dict[str, Name]) -> str:
        """Values at which the conditions hold, where one of them is an equation, which draws hardly ever meet."""
        own = [numbers[c] for c in self.of_class.constants] if self.of_class else []
        zero, below = Number(Fraction(0)), ("<",)
        said = [*(Chain((zero, n), below) for n in own), *(Chain(pair, below) for pair in itertools.pairwise(own))]
        given = [c for c in (_substituted(c, self.local) for c in self.given) if isinstance(c, (Chain, Member))]
        found = example(list(numbers.values()), given, said)
        return ", ".join(f'"{name}": "{found[n]}"' for name, n in numbers.items()) if found else ""

    def _range(self, n: Name, problems: set[str]) -> str:
        """The range of a number; in a world of functions every number has a sign."""
        own = ["per_client=True"] if self._per_client(n) else []
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
        if not n.sub and any(n.base in indices(one) for one in self._names()):
            raise Unread(
                self.kinds.line,
                n.at,
                f"{plain(n)} is an index, and a number: --where '{plain(n)} \\ge 0' says of which kind",
            )
        problems.add("real")
        self.notes.append(
            f"{plain(Name(n.base)) if self._timed(n) and n.base in self.sequences else plain(n)} is any number"
        )
        return f"real({', '.join(own)})"


def _square(of: Node) -> Node:
    return Number(of.value**2) if isinstance(of, Number) else Power(of, Number(Fraction(2)))


def _named(tree: Node, kinds: Kinds) -> list[Name]:
    """The names of a tree; a vector with an upper index is one."""
    out: list[Name] = []
    if isinstance(tree, Name):
        return [tree]
    for part in tree.parts():
        out += _named(part, kinds)
    return out


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
    if m.name in ranges.between or m.low is None or m.high is None:
        return None
    chain = Chain((m.low, m.name, m.high), ("<" if m.fences[0] == "(" else "<=", "<" if m.fences[1] == ")" else "<="))
    return _beyond(chain, ranges)


def _tuple(names: Collection[str]) -> str:
    return "(" + ", ".join(f'"{n}"' for n in names) + ("," if len(names) == 1 else "") + ")"
