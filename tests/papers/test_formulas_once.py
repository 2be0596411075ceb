"""Every formula of a paper is written once: what has the same values at three random points is one formula."""

import functools
import importlib
import itertools
import math
import pkgutil
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import pytest

import proofs_checks
from fedtheory import le
from fedtheory.catalogue import Catalogue
from fedtheory.claim import Claim
from fedtheory.registry import papers
from fedtheory.relation import Condition
from problems.worlds.derived import Formula

POINTS = (1, 2, 3)
DIGITS = 10  # to which the values of one formula agree, however they were rounded

ALLOWED = {  # pairs that coincide, and why each stands
    frozenset({"theory.pfedme.conditions:STEP_LEMMA_5", "theory.pfedme.conditions:STEP_TILDE_LEMMA_5"}): (
        "eta_tilde is eta beta R in the worlds of rounds, and a parameter of its own in the proofs of the theorems"
    ),
    frozenset({"theory.pfedme.conditions:STEP_26", "theorem1.one_step:SHORT_26"}): (
        "eta_tilde is eta beta R in the worlds of rounds, and a parameter of its own in the proofs of the theorems"
    ),
}


class Point:
    """Parameters of a paper: a name has the value of the formula of that name, or else a pseudo-random one of its own."""

    def __init__(self, seed: int, derived: dict[str, Callable[[Any], Any]] | None = None) -> None:
        self._seed, self._derived = seed, derived or {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._derived:
            return self._derived[name](self)
        return Fraction(random.Random(f"{self._seed} {name}").randrange(2, 10**4), 997)

    def ratio(self, p: int, q: int) -> Fraction:
        return Fraction(p, q)

    def minimum(self, a: Any, b: Any) -> Any:
        return min(a, b)

    def maximum(self, a: Any, b: Any) -> Any:
        return max(a, b)

    def min(self, s: Any) -> Any:
        return s

    max = mean = min

    def total(self, s: Any) -> Any:
        return s * self.m

    def sqrt(self, s: Any) -> float:
        return math.sqrt(s)

    def exp(self, s: Any) -> float:
        return math.exp(s)

    def log(self, s: Any) -> float:
        return math.log(s)


@dataclass(frozen=True)
class Found:
    """One formula: where it stands, its function, its values at the three points, whether it is a condition's side."""

    where: str
    fn: Callable[[Any], Any]
    values: tuple[Any, ...]
    side: bool = False


def number(value: Any) -> tuple[str, ...]:
    """Numbers to `DIGITS` digits: of a number, of a relation its sides and sign, of a tuple its entries."""
    if isinstance(value, tuple):
        return tuple(itertools.chain.from_iterable(map(number, value)))
    if hasattr(value, "op"):
        return (*number(value.lhs), value.op, *number(value.rhs))
    return (f"{float(value):.{DIGITS}e}",)


def values(fn: Callable[[Any], Any], derived: Any) -> tuple[Any, ...] | None:
    """Values at the three points; None of a formula of vectors, of whole numbers, or of more than one argument."""
    out = []
    for seed in POINTS:
        try:
            out.append(number(fn(Point(seed, derived))))
        except (TypeError, AttributeError, ValueError, OverflowError, ZeroDivisionError, RecursionError, KeyError):
            return None
    return tuple(out)


def trivial(fn: Callable[[Any], Any], found: tuple[Any, ...], derived: Any) -> bool:
    """Whether the formula is one parameter by its name, or a number: nothing that could be written twice."""
    if all(v == found[0] for v in found):
        return True
    names = {n for f in reached(fn) for n in f.__code__.co_names}
    return any(found == tuple(number(getattr(Point(seed, derived), n)) for seed in POINTS)
               for n in names if n not in dir(Point) and not n.startswith("_"))  # fmt: skip


def reached(fn: Any) -> list[FunctionType]:
    """The functions of Python that a formula calls by name, itself first."""
    out: list[FunctionType] = []
    stack = [fn]
    while stack:
        f = plain(stack.pop())
        f = f.body if isinstance(f, Claim) else f
        if not isinstance(f, FunctionType) or f in out:
            continue
        out.append(f)
        stack += [f.__globals__.get(n) for n in f.__code__.co_names]
        stack += [c.cell_contents for c in f.__closure__ or ()] + list(f.__defaults__ or ())
    return out


def plain(given: Any) -> Any:
    """The function of a condition or of a formula with its printed form."""
    return given.relation if isinstance(given, Condition) else given.fn if isinstance(given, Formula) else given


def formulas(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Functions, formulas and conditions that a module itself writes, and what its catalogue has."""
    for name, value in vars(module).items():
        for v in value if isinstance(value, tuple) else (value,):
            if isinstance(plain(v), FunctionType) and plain(v).__module__ == module.__name__:
                yield name, v
        if isinstance(value, Catalogue):
            for c in value.constants:
                yield f"{name} {c.name}", c.formula
            for bound in value.bounds:
                yield f"{name} {bound.curve}, least", bound.least
                if bound.free is not None:
                    yield f"{name} {bound.curve}, {bound.free[0]}", bound.free[1]


def of_worlds(paper: str) -> Iterator[tuple[str, Any]]:
    """The stated conditions of a paper's claims, and the scalars that follow from others in their worlds."""
    for c in papers()[paper].claims().values():
        for stated in c.world.given:
            yield f"{c.id} given {stated.printed}", stated
        for name, fn in getattr(c.world, "derived", {}).items():
            yield f"{c.id} derived {name}", fn


def modules(package: str) -> Iterator[ModuleType]:
    """The modules of a package, with those of its folders."""
    root = importlib.import_module(package)
    for info in pkgutil.walk_packages(root.__path__, f"{package}."):
        yield importlib.import_module(info.name)


def sides(relation: Callable[[Any], Any]) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """The two sides of a condition that is one relation, as formulas."""
    yield "left side", lambda x: relation(x).lhs
    yield "right side", lambda x: relation(x).rhs


def collected(candidates: list[tuple[str, Any]], derived: Any = None) -> list[Found]:
    """One record for each function among the candidates that has values and is not trivial, and for conditions' sides."""
    out: list[Found] = []
    seen: set[int] = set()
    for where, given in candidates:
        fn = plain(given)
        if id(fn) in seen or not callable(fn):
            continue
        seen.add(id(fn))
        parts = sides(fn) if isinstance(given, Condition) else ()
        for name, part in (("", fn), *parts):
            found = values(part, derived)
            if found is not None and not trivial(fn, found, derived):
                out.append(Found(f"{where} {name}".strip(), fn, found, bool(name)))
    return out


def twice(found: list[Found]) -> list[tuple[str, str]]:
    """Pairs of equal values of which neither calls the other; two conditions may have a side in common."""
    groups: dict[Any, list[Found]] = {}
    for f in found:
        groups.setdefault(f.values, []).append(f)
    return [
        (a.where, b.where)
        for group in groups.values()
        for a, b in itertools.combinations(group, 2)
        if not (a.side and b.side) and a.fn not in reached(b.fn) and b.fn not in reached(a.fn)
    ]


def of_symbols(theory: list[ModuleType]) -> dict[str, Callable[[Any], Any]]:
    """The formulas of the symbols that have one, by the symbol's name."""
    (catalogue,) = (m.CATALOGUE for m in theory if hasattr(m, "CATALOGUE"))
    named = {name: getattr(m, name) for m in theory for name in catalogue.symbols if hasattr(m, name)}
    return {**{name: fn for name, fn in named.items() if values(fn, {}) is not None}, **catalogue.derived}


def of_paper(paper: str) -> list[Found]:
    """Every formula of one paper: of its theory, its catalogue, the helpers of its proofs and its conditions."""
    candidates: list[tuple[str, Any]] = []
    theory = f"fedtheory.theory.{paper}"
    written = sorted(modules(theory), key=lambda m: m.__name__.endswith("catalogue"))  # named by where they are written
    for module in (*written, *modules(f"{proofs_checks.__name__}.{paper}")):
        short = module.__name__.removeprefix("fedtheory.").removeprefix(f"{proofs_checks.__name__}.{paper}.")
        candidates += [(f"{short}:{name}", value) for name, value in formulas(module)]
    return collected([*candidates, *of_worlds(paper)], of_symbols(written))


PAPERS = [id for id in papers() if id != "shelf"]  # which has no formulas in fedtheory/theory


@functools.cache
def twice_in(paper):
    """The pairs of one paper, for the two tests that ask for them."""
    return twice(of_paper(paper))


@pytest.mark.xdist_group("formulas")
@pytest.mark.parametrize("paper", PAPERS)
def test_every_formula_of_a_paper_is_written_once(paper):
    """No two functions, constants or conditions of one paper have the same values, but for those that call each other."""
    found = [pair for pair in twice_in(paper) if frozenset(pair) not in ALLOWED]
    assert not found, "\n".join(f"{a} and {b} are one formula; write it once" for a, b in found)


def test_the_formulas_are_found():
    """The search sees constants, helpers of proofs, formulas of worlds and conditions."""
    found = {f.where for f in of_paper("pfedme")}
    assert {"theory.pfedme.theorem1:C3", "theorem2.descent:bound_40", "theorem1.worlds:ETA_BETWEEN"} <= found
    assert any(" given " in where for where in found) and len(found) > 80


@pytest.mark.xdist_group("formulas")
def test_allowed_pairs_do_coincide():
    """No pair is excused that needs no excuse."""
    pairs = {frozenset(pair) for paper in PAPERS for pair in twice_in(paper)}
    assert set(ALLOWED) <= pairs


def planted_first(x):
    """The largest step of Theorem 2."""
    return 1 / (75 * x.lam**3)


def planted_second(x):
    """The same, written another way, of the smoothness that the paper derives."""
    return 1 / (75 * x.L_F * x.lam**2)


def planted_caller(x):
    """The first one, by its name."""
    return planted_first(x)


def test_two_planted_functions_are_found():
    """One formula in two places is found, also through a derived name; a call, an alias and another formula are not."""
    derived = {"L_F": lambda x: x.lam}
    planted = SimpleNamespace(one=planted_first, two=planted_second, caller=planted_caller, alias=planted_first)
    found = collected([*vars(planted).items(), ("other", lambda x: 1 / (74 * x.lam**3))], derived)
    assert [f.where for f in found] == ["one", "two", "caller", "other"]
    assert twice(found) == [("one", "two"), ("two", "caller")]
    stated = [("here", Condition("lam > 2 L", "", lambda x: le(2 * x.L, x.lam)))]
    again = [("there", Condition("lam/2 > L", "", lambda x: le(x.L + x.L, x.lam)))]
    assert twice(collected([*stated, *again])) == [("here", "there")]
    inline = [("step", Condition("eta <= eta2_hat", "", lambda x: le(x.eta, 1 / (75 * x.lam**3))))]
    assert twice(collected([("one", planted_first), *inline])) == [("one", "step right side")]
