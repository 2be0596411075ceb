"""z3's terms as trees: which divisors and which symbols stand in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

from ...errors import NotApplicable

Term = Any  # a z3 expression; z3 has no types


def z3_module() -> ModuleType:
    """z3, where it is installed.

    Raises
    ------
    NotApplicable
        If it is not.
    """
    try:
        import z3
    except ImportError as error:
        raise NotApplicable(f"no z3: {error}") from None
    return z3


def denominators(terms: Iterable[Term]) -> list[Term]:
    """Every divisor that is not a numeral, or is zero."""
    z3, tree = z3_module(), Tree()
    found: dict[int, Term] = {}
    for ast, parts in tree.nodes(terms):
        if len(parts) == 2 and tree.kind(ast) == z3.Z3_OP_DIV and tree.numeral(parts[1]) in (None, "0"):
            found[tree.key(parts[1])] = z3.ArithRef(parts[1])
    return list(found.values())


def constants(terms: Iterable[Term]) -> set[str]:
    """The names of the symbols in some terms."""
    z3, tree = z3_module(), Tree()
    leaves = (ast for ast, parts in tree.nodes(terms) if not parts and tree.numeral(ast) is None)
    return {tree.name(ast) for ast in leaves if tree.kind(ast) == z3.Z3_OP_UNINTERPRETED}


class Tree:
    """A walk over z3's terms by their handles; an object for every node costs several times as much.

    The handles are those of z3's C interface. They live as long as the term to which they belong.
    """

    def __init__(self) -> None:
        z3 = z3_module()
        self.core, self.context = z3.z3core, z3.main_ctx().ref()
        self._numeral = z3.Z3_NUMERAL_AST
        self._applied = z3.Z3_APP_AST

    def nodes(self, terms: Iterable[Term]) -> Iterator[tuple[Term, list[Term]]]:
        """Every node of some terms once, with what it is applied to."""
        seen: set[int] = set()
        stack = [t.as_ast() for t in terms]
        while stack:
            ast = stack.pop()
            if (key := self.key(ast)) not in seen:
                seen.add(key)
                parts = self.parts(ast)
                stack += parts
                yield ast, parts

    def key(self, ast: object) -> int:
        """A number of its own for every term."""
        return int(self.core.Z3_get_ast_id(self.context, ast))

    def numeral(self, ast: object) -> str | None:
        """The digits ``p`` or ``p/q`` of a numeral; None for any other term."""
        if self.core.Z3_get_ast_kind(self.context, ast) != self._numeral:
            return None
        return str(self.core.Z3_get_numeral_string(self.context, ast))

    def parts(self, ast: object) -> list[Term]:
        """What a function is applied to."""
        if self.core.Z3_get_ast_kind(self.context, ast) != self._applied:
            return []
        count = self.core.Z3_get_app_num_args(self.context, ast)
        return [self.core.Z3_get_app_arg(self.context, ast, i) for i in range(count)]

    def kind(self, ast: object) -> int:
        """Which function is applied."""
        return int(self.core.Z3_get_decl_kind(self.context, self.core.Z3_get_app_decl(self.context, ast)))

    def name(self, ast: object) -> str:
        """What the function is called."""
        declared = self.core.Z3_get_decl_name(self.context, self.core.Z3_get_app_decl(self.context, ast))
        return str(self.core.Z3_get_symbol_string(self.context, declared))
