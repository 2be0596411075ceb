"""The readings of a line: what two readers may read in two ways, each way with what it is.

A product behind a slash (``1/2 L``), the factors behind a logarithm without brackets (``log a b``), a word of plain text whose
letters are names of the line (``ab`` beside a and b), and e with a power, Euler's number or a name. All else has one reading.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from .nodes import (
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
    Parens,
    Power,
    Product,
    Prox,
    Sum,
    Times,
    Total,
    Transposed,
    plain,
)
from .tokens import ACCENTS, GREEK, Unread, is_latex

INDICES = frozenset("ktsrnjl")  # letters that papers count rounds and steps with
MOST = 8  # readings of one line
FUNCTIONS = ("f", "F")
ABOVE = (Norm, Inner, Applied, Total, Expectation)  # mu/2 |w|^2 is half of mu |w|^2 to everybody


@dataclass(frozen=True)
class Context:
    """What a line is read with.

    Attributes
    ----------
    line : str
        The line, for complaints.
    functions : frozenset of str
        The letters that are functions.
    letters : frozenset of str
        The letters that are names in the line or in its conditions.
    """

    line: str
    functions: frozenset[str]
    letters: frozenset[str]


def functions_of(trees: Collection[Node], classed: bool) -> frozenset[str]:
    """The letters that are functions: those with a gradient, a prox or a least value, and f and F where a class is given."""
    named = {n.of.base for tree in trees for n in tree.walk() if isinstance(n, (Gradient, Least))}
    of_prox = {
        n.base
        for tree in trees
        for p in tree.walk()
        if isinstance(p, Prox)
        for n in p.sub.walk()
        if isinstance(n, Name) and n.base in FUNCTIONS
    }
    return frozenset(named | of_prox | (set(FUNCTIONS) if classed else set()))


def letters_of(trees: Collection[Node]) -> frozenset[str]:
    """The letters of the names of some trees."""
    return frozenset(n.base for tree in trees for n in tree.walk() if isinstance(n, Name) and len(n.base) == 1)


def readings(tree: Chain | Member, context: Context) -> list[Chain | Member]:
    """Every reading of a line, the usual one first; without `Product`, `Parens` and words.

    Raises
    ------
    Unread
        Where a function stands without a point, or there are too many readings.
    """
    found: list[Chain | Member] = []
    for one in itertools.islice(_read(tree, context), MOST + 1):
        if one not in found:
            assert isinstance(one, (Chain, Member))
            found.append(one)
    if len(found) > MOST:
        raise Unread(context.line, 0, f"more than {MOST} readings; set brackets")
    return found


def _read(node: Node, context: Context) -> Iterator[Node]:
    match node:
        case Product(items):
            yield from _product(items, context)
        case Parens(inside):
            yield from _read(inside, context)
        case Prox(sub):
            yield from (replace(node, sub=one) for one in _read(sub, replace(context, functions=frozenset())))
        case Name():
            yield from _name(node, context)
        case Gradient():
            raise Unread(context.line, node.of.at, f"the gradient of {node.of.base} stands without a point")
        case Power(Name("e", "", ""), exponent):
            for one in _read(exponent, context):
                yield Call("exp", (one,))
                if _may_be_whole(one):  # a name with any number as its power is nobody's e
                    yield Power(node.base, one)
        case Call("log" | "exp", (Power(Parens(inside, braces=False), exponent),), True):
            # log(x)^2, the square of a logarithm or the logarithm of a square; exp(x)^2 is the square to everybody
            for one, power in itertools.product(list(_read(inside, context)), list(_read(exponent, context))):
                yield Power(Call(node.name, (one,)), power)
                if node.name == "log":
                    yield Call(node.name, (Power(one, power),))
        case Sum(terms):
            for parts in itertools.product(*(list(_read(t, context)) for _, t in terms)):
                flat: list[tuple[int, Node]] = []
                for (sign, _), part in zip(terms, parts, strict=True):
                    flat += [(sign * s, t) for s, t in part.terms] if isinstance(part, Sum) else [(sign, part)]
                yield Sum(tuple(flat)) if len(flat) > 1 or flat[0][0] < 0 else flat[0][1]
        case _:
            parts_of = list(node.parts())
            for chosen in itertools.product(
                *(list(_read(p, context)) if not _kept(node, p) else [p] for p in parts_of)
            ):
                queue = iter(chosen)
                yield node.map(lambda _part, queue=queue: next(queue))  # type: ignore[misc]


def _kept(node: Node, part: Node) -> bool:
    """Whether a part is a name of something, which is not read by itself."""
    return (isinstance(node, (Gradient, Least)) and part is node.of) or (isinstance(node, Member) and part is node.name)


def _name(node: Name, context: Context) -> Iterator[Node]:
    if node.base in context.functions and "*" not in node.mark:
        raise Unread(context.line, node.at, f"{node.base} is a function and stands without a point")
    yield node
    letters = node.base
    if (
        not is_latex(context.line)
        and letters.isalpha()
        and 1 < len(letters) <= 3
        and set(letters) <= context.letters
        and not node.mark
    ):
        last = replace(node, base=letters[-1])
        yield Times((*(Name(one, at=node.at) for one in letters[:-1]), last))


def _product(items: tuple[tuple[str, Node], ...], context: Context) -> Iterator[Node]:
    merged = list(_applied(items, context))
    for parts in itertools.product(
        *(list(_read(one, context)) if not _done(one) else list(_inside(one, context)) for _, one in merged)
    ):
        yield from _grouped([(how, part) for (how, _), part in zip(merged, parts, strict=True)])


def _done(node: Node) -> bool:
    return isinstance(node, Applied) or (
        (isinstance(node, Power) and isinstance(node.base, Applied))
        or (isinstance(node, Transposed) and isinstance(node.of, Applied))
    )


def _inside(node: Node, context: Context) -> Iterator[Node]:
    """The readings of a function at a point, whose function is no name by itself."""
    if isinstance(node, Power):
        for base, exponent in itertools.product(list(_inside(node.base, context)), list(_read(node.exponent, context))):
            yield Power(base, exponent)
        return
    if isinstance(node, Transposed):
        yield from (Transposed(one) for one in _inside(node.of, context))
        return
    assert isinstance(node, Applied)
    functions = list(_read(node.function, context)) if isinstance(node.function, Prox) else [node.function]
    for function, point in itertools.product(functions, list(_read(node.point, context))):
        yield Applied(function, point)


def _applied(items: tuple[tuple[str, Node], ...], context: Context) -> Iterator[tuple[str, Node]]:
    """The factors, with functions and what follows in brackets as one."""
    k = 0
    while k < len(items):
        how, one = items[k]
        function = isinstance(one, (Gradient, Prox, Least)) or (
            isinstance(one, Name) and one.base in context.functions and "*" not in one.mark
        )
        behind = items[k + 1] if k + 1 < len(items) else ("", one)
        if isinstance(one, Name) and isinstance(behind[1], Parens) and _is_map(one, behind[0], behind[1]):
            yield how, replace(one, mark=f"{one.mark}[{plain(behind[1].inside)}]")
            k += 2
            continue
        _no_product(one, behind, function, context)
        if function and behind[0] == "beside" and isinstance(behind[1], Parens):
            if isinstance(one, Least) and (
                not isinstance(behind[1].inside, Name) or one.over not in ("", plain(behind[1].inside))
            ):
                raise Unread(context.line, one.of.at, "a least value is one over all points, \\min_w f(w)")
            yield how, one if isinstance(one, Least) else Applied(one, behind[1].inside)
            k += 2
        elif function and behind[0] == "beside" and isinstance(behind[1], Power) and isinstance(behind[1].base, Parens):
            yield how, Power(Applied(one, behind[1].base.inside), behind[1].exponent)
            k += 2
        elif (
            function
            and behind[0] == "beside"
            and isinstance(behind[1], Transposed)
            and isinstance(behind[1].of, Parens)
        ):
            yield how, Transposed(Applied(one, behind[1].of.inside))
            k += 2
        else:
            if (
                isinstance(one, Name)
                and one.base in FUNCTIONS
                and behind[0] == "beside"
                and isinstance(behind[1], Parens)
            ):
                raise Unread(
                    context.line,
                    one.at,
                    f"{one.base} is a function here: --class says of which, such as --class 'smooth convex L'",
                )
            yield how, one
            k += 1


ACCENTED = tuple(f"_{accent}" for accent in dict.fromkeys(ACCENTS.values()))
CONSTANT = ("O", "o", "Theta", "Omega", "O_tilde", "Omega_tilde", "Theta_tilde")
CALLED = ("g", "h", "phi", "psi", "ell", "Phi", "Psi", "Gamma", "E", "P")  # letters that before brackets are functions


def _is_map(one: Name, joint: str, bracket: Parens) -> bool:
    r"""Whether an accented letter stands in front of a point in brackets, \hat\theta_i(w): it is what a map has there."""
    if not one.base.endswith(ACCENTED) or joint != "beside" or bracket.braces:
        return False
    point = bracket.inside.base if isinstance(bracket.inside, Power) else bracket.inside
    return isinstance(point, Name) and point.base.split("_")[0] not in GREEK


def _no_product(one: Node, behind: tuple[str, Node], function: bool, context: Context) -> None:
    """Refuse what would be read as a product and is none: g(w), O(1/T), 0 (1), u^T v."""
    at = next((n.at for n in one.walk() if isinstance(n, Name)), 0)
    if behind[0] == "over" and isinstance(one, Power) and one.exponent == Number(Fraction(1)):
        raise Unread(context.line, at, f"{plain(one)}/{plain(behind[1])}: a power of a fraction has brackets, ^{{1/2}}")
    if behind[0] != "beside":
        return
    if isinstance(one, Name) and isinstance(behind[1], Name) and _word(one) and _word(behind[1]):
        raise Unread(
            context.line,
            one.at,
            f"{one.base} {behind[1].base}: words are not read; a product of two names has a sign, *",
        )
    if isinstance(one, Number) and one.value in (0, 1) and not isinstance(behind[1], Over):
        raise Unread(
            context.line,
            at,
            f"{plain(one)} stands in front of {plain(behind[1])}: a product has a sign, {plain(one)} \\cdot",
        )
    if (
        isinstance(one, Number)
        and isinstance(behind[1], Over)
        and {type(behind[1].above), type(behind[1].below)} == {Number}
    ):
        raise Unread(context.line, at, f"{plain(one)} {plain(behind[1])} is a sum to some, and a product to others")
    bracket = (
        behind[1].base
        if isinstance(behind[1], Power)
        else behind[1].of
        if isinstance(behind[1], Transposed)
        else behind[1]
    )
    if function or not isinstance(bracket, Parens) or bracket.braces:
        return
    if isinstance(one, (Number, Parens)) and isinstance(bracket.inside, Number):
        raise Unread(
            context.line, at, f"({plain(bracket.inside)}): a number of an equation is a \\tag, a product has a sign"
        )
    if not isinstance(one, Name) or one.base in FUNCTIONS:
        return
    if one.base in CONSTANT:
        raise Unread(context.line, one.at, f"{plain(one)}({plain(bracket.inside)}) hides a constant")
    if (
        isinstance(bracket.inside, (Name, Number))
        or one.base in CALLED
        or (len(one.base.split("_")[0]) > 1 and one.base.split("_")[0] not in GREEK)
    ):
        raise Unread(
            context.line, one.at,
            f"{plain(one)}({plain(bracket.inside)}): functions are called f and F; a product has a sign, {plain(one)} * (...)",
        )  # fmt: skip


def _word(n: Name) -> bool:
    return n.base.isalpha() and len(n.base) > 1 and n.base not in GREEK and not n.sub


def _grouped(items: list[tuple[str, Node]]) -> Iterator[Node]:
    """A product from left to right; where factors stand beside each other behind a slash, also with all of them below it."""
    for k, (how, one) in enumerate(items):
        if isinstance(one, Call) and one.bare and k + 1 < len(items) and items[k + 1][0] != "times":
            end = k + 1
            if items[end][0] == "over":  # log a/b
                yield from _grouped([*items[:k], (how, replace(one, bare=False)), *items[k + 1 :]])
                yield from _grouped(
                    [*items[:k], (how, Call(one.name, (Over(one.arguments[0], items[end][1]),))), *items[end + 1 :]]
                )
                return
            while end < len(items) and items[end][0] == "beside":
                end += 1
            yield from _grouped([*items[:k], (how, replace(one, bare=False)), *items[k + 1 :]])
            inside = Times((one.arguments[0], *(n for _, n in items[k + 1 : end])))
            yield from _grouped([*items[:k], (how, Call(one.name, (inside,))), *items[end:]])
            return
    slash = next((k for k, (how, _) in enumerate(items) if how == "over"), None)
    if slash is None:
        yield _times([one for _, one in items])
        return
    end = slash + 1
    while end < len(items) and items[end][0] == "beside" and not _stays_above(items[end][1]):
        end += 1
    above = _times([one for _, one in items[:slash]])
    for cut in dict.fromkeys((slash + 1, end)):
        below = _times([one for _, one in items[slash:cut]])
        rest = [
            ("times", one) if k == 0 and how == "beside" else (how, one) for k, (how, one) in enumerate(items[cut:])
        ]
        yield from _grouped([("beside", Over(above, below)), *rest])


def indexed(trees: Sequence[Node], summed: frozenset[str]) -> Iterator[list[Node]]:
    """The trees with a superscript such as k or t + 1 as a power, and as an index; of one letter everywhere the same.

    Parameters
    ----------
    trees : sequence of Node
        Trees in which vectors with an upper index are names.
    summed : frozenset of str
        Letters that sums go over: a power of these is one.
    """
    bases = sorted({
        n.base.base for tree in trees for n in tree.walk()
        if isinstance(n, Power) and isinstance(n.base, Name) and _may_be_index(n.exponent, summed)
    })  # fmt: skip
    sure = _surely_indexed(trees, summed)
    bases = [base for base in bases if base not in sure]
    for choice in itertools.product((False, True), repeat=len(bases)):
        chosen = sure | {base for base, one in zip(bases, choice, strict=True) if one}
        yield [_with_index(tree, chosen, summed) for tree in trees]


def _surely_indexed(trees: Sequence[Node], summed: frozenset[str]) -> set[str]:
    """Letters of which there is a change, \\triangle, and what an equation says alone, e^t = ..., where others have that index."""
    names = {n for tree in trees for n in tree.walk() if isinstance(n, Name)}
    known = {s.split(" ")[0] for n in names for s in n.sub.split(",")}
    sides = [s for tree in trees if isinstance(tree, Chain) and tree.relations == ("=",) for s in tree.sides]
    said = {
        s.base.base for s in sides
        if isinstance(s, Power) and isinstance(s.base, Name) and _may_be_index(s.exponent, summed)
        and plain(s.exponent).split(" ")[0] in known - {"0"}
    }  # fmt: skip
    every = {n.base for n in names}
    return said | {base for base in every if base.endswith("_change") or f"{base}_change" in every}


def _with_index(of: Node, bases: set[str], summed: frozenset[str]) -> Node:
    if (
        isinstance(of, Power)
        and isinstance(of.base, Name)
        and of.base.base in bases
        and _may_be_index(of.exponent, summed)
    ):
        said = plain(of.exponent)
        return replace(of.base, sub=f"{of.base.sub},{said}" if of.base.sub else said)
    if isinstance(of, (Gradient, Least)):
        return of
    return of.map(lambda part: _with_index(part, bases, summed))


def _may_be_whole(of: Node) -> bool:
    """Whether a power may be a whole number: of numbers and of letters that count."""
    names = [n for n in of.walk() if isinstance(n, Name)]
    numbers = [n for n in of.walk() if isinstance(n, Number)]
    return all(n.base.lower() in INDICES for n in names) and all(n.value.denominator == 1 for n in numbers)


def _may_be_index(of: Node, summed: frozenset[str]) -> bool:
    if of == Number(Fraction(0)):
        return True  # x^0, 1 or where x begins
    letter = of.terms[0][1] if isinstance(of, Sum) and len(of.terms) == 2 and isinstance(of.terms[1][1], Number) else of
    return isinstance(letter, Name) and not letter.sub and letter.base in INDICES - summed


def _stays_above(of: Node) -> bool:
    return isinstance(of, ABOVE) or (isinstance(of, Power) and _stays_above(of.base))


def _times(factors: list[Node]) -> Node:
    flat = [one for f in factors for one in (f.factors if isinstance(f, Times) else (f,))]
    return flat[0] if len(flat) == 1 else Times(tuple(flat))
