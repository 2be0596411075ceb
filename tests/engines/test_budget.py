"""What the engines may spend: one record an engine, and a larger budget spends no less."""

import ast
from pathlib import Path

import pytest

import fedtheory
from fedtheory.engines import budget
from fedtheory.engines.budget import BUDGETS, COLUMNS, By, Effort

RECORDS = sorted(Effort.__subclasses__(), key=lambda kind: kind.__name__)
ENGINES = Path(fedtheory.__file__).parent / "engines"
NO_EFFORT = {  # how near, how far and in what numbers floats look
    "BLUR", "CLEAR", "CLOSE", "COARSE", "FINER", "WIDER", "NEAR", "SMALL", "FALL", "REACH", "LEAST", "LARGEST", "PLENTY", "SPREAD",
    "ACCURACY", "DECADES", "FAR", "WIDE", "DIGITS", "ROUNDINGS", "BETWEEN", "SEED", "PROBED",
    "SMALLEST", "TINY", "RANK", "GAP", "SHARE",
}  # fmt: skip
GUARDS = {
    "z3/terms.py: LARGEST_POWER", "z3/terms.py: WAIT", "z3/terms.py: STEPS", "certificates/sdp/cone.py: WAIT",
    "counterexamples/witness.py: LONGEST", "counterexamples/witness.py: LENGTHS",
}  # fmt: skip


def counts_of(kind):
    """Every count of a record by name: a number, a tuple, or three columns."""
    return {name: value for name, value in vars(kind).items() if not name.startswith("_")}


def size(value):
    return len(value) if isinstance(value, tuple) else value


def falls(kind):
    """The counts of a record of which a larger budget has fewer."""
    columns = {n: v.columns for n, v in counts_of(kind).items() if isinstance(v, By)}
    return [n for n, v in columns.items() if not size(v[0]) <= size(v[1]) <= size(v[2])]


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__name__)
def test_a_larger_budget_spends_no_less(kind):
    assert counts_of(kind) and falls(kind) == []


def test_a_record_that_falls_is_seen():
    class Falls(Effort):
        rows = By(2, 3, 1)

    assert falls(Falls) == ["rows"]


def test_a_count_is_read_at_a_budget():
    assert tuple(BUDGETS) == COLUMNS
    assert [BUDGETS[name].of(budget.Coefficients).questions for name in COLUMNS] == [12, 24, 48]
    assert BUDGETS["quick"].cross_check().of(budget.Descent).steps == 600
    with pytest.raises(AttributeError, match=r"Descent has three columns: read it by docket.limits.of\(Descent\)"):
        _ = budget.Descent.steps


def numbers_of(path):
    """The module-level numbers of a file, by name."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
            both = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
            pairs = zip(target.elts, value.elts, strict=True) if both else [(target, value)]
            for name, one in pairs:
                if isinstance(name, ast.Name) and is_number(one):
                    yield name.id


def is_number(node):
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float) and not isinstance(node.value, bool)
    if isinstance(node, ast.BinOp):
        return is_number(node.left) and is_number(node.right)
    return isinstance(node, ast.UnaryOp) and is_number(node.operand)


FILES = sorted(p for p in ENGINES.rglob("*.py") if p.name != "budget.py")


def test_nothing_else_is_called_effort():
    found = {f"{path.relative_to(ENGINES)}: {name}" for path in FILES for name in numbers_of(path)}
    assert {one for one in found if one.split(": ")[1] not in NO_EFFORT} == GUARDS
