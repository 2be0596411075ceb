"""What a body and its conditions read from outside is what it was when the claim was made."""

from fractions import Fraction

import pytest

import fedtheory
from fedtheory import claim, le, use
from fedtheory.cli import main
from fedtheory.errors import UsageError
from problems import Scalars, Sequences, at_least, condition, positive

ONE = {"a": positive()}


def in_a_file(tmp_path, text):
    (tmp_path / "draft_of_mine.py").write_text(f"from fedtheory import claim, le\nfrom problems import *\n{text}")
    return tmp_path / "draft_of_mine.py"


LOOP = """
for k in (1, 5):
    @claim(f"mine/a{k}", world=Scalars(a=positive(), given=(condition(f"a <= {k}", lambda x: le(x.a, k)),)))
    def bounded(x): return le(x.a, 5)
"""
BODIES = """
for k in (1, 5):
    @claim(f"mine/b{k}", world=Scalars(a=positive()))
    def bounded(x): return le(x.a, (1 + k)*x.a)
"""
AGAIN = """
def bound(x): return 2*x.a
@claim("mine/again", world=Scalars(a=positive()))
def again(x): return le(3*x.a, bound(x))
def bound(x): return 4*x.a
"""
LATER = """
@claim("mine/later", world=Scalars(a=positive()))
def later(x): return le(3*x.a, bound(x))
def bound(x): return 4*x.a
for a in (1, 2): pass
"""


@pytest.mark.parametrize(
    ("text", "says"), [(LOOP, "reads k, which was 1 and is 5 now"), (AGAIN, "reads bound, which is another one now")]
)
@pytest.mark.parametrize("relative", [False, True])
def test_a_name_that_is_used_again(tmp_path, capsys, monkeypatch, text, says, relative):
    file = in_a_file(tmp_path, text)
    monkeypatch.chdir(tmp_path)
    assert main(["verify", file.name if relative else str(file), "--jobs", "1"]) == 2
    assert says in " ".join(capsys.readouterr().err.split())


def test_a_helper_that_comes_later_is_no_other_one(tmp_path, capsys):
    assert main(["verify", str(in_a_file(tmp_path, LATER)), "--jobs", "1"]) == 0
    assert "1 proved" in capsys.readouterr().out


def made_in_a_loop(hand_over):
    out = []
    for k in (Fraction(1), Fraction(2)):
        if hand_over:
            out.append(claim(f"draft/k{k}", world=Scalars(**ONE))(lambda x, k=k: le(x.a, (1 + k) * x.a)))
        else:
            out.append(claim(f"draft/k{k}", world=Scalars(**ONE))(lambda x: le(x.a, (1 + k) * x.a)))  # noqa: B023
    return out


def test_closures_of_a_loop():
    first, last = made_in_a_loop(hand_over=False)
    with pytest.raises(UsageError, match=r"reads k, which was Fraction\(1, 1\) and is Fraction\(2, 1\) now"):
        fedtheory.verify(first)
    assert fedtheory.verify(last).verdict == "proved"
    assert [fedtheory.verify(c).verdict for c in made_in_a_loop(hand_over=True)] == ["proved", "proved"]


def test_conditions_for_every_t():
    def worlds():
        for q in (1, 2):
            falls = condition("D_{t+1} <= q D_t", lambda x, t: le(x.D[t + 1], q * x.D[t]))  # noqa: B023
            yield Sequences("T", sequences={"D": at_least(0)}, every=(falls,))

    first, last = list(worlds())
    with pytest.raises(UsageError, match="reads q, which was 1 and is 2 now"):
        fedtheory.verify(claim("draft/every", world=first)(lambda x: le(x.D[1], 2 * x.D[0])))
    assert fedtheory.verify(claim("draft/every", world=last)(lambda x: le(x.D[1], 2 * x.D[0]))).verdict != "refuted"


HELPERS = """
K = 1
def bound(x): return K*x.a
@claim("mine/helper", world=Scalars(a=positive()))
def helped(x): return le(bound(x), x.a)
K = 5
"""
CELL = """
def bound(x): return 2*x.a
@claim("mine/cell", world=Scalars(a=positive()))
def first(x): return le(x.a, bound(x))
def bound(x): return 2*x.a
L = 1
@claim("mine/own", world=Scalars(L=positive()))
def own(x):
    L = x.L
    return le(L, sum([L*k for k in (1, 2)]))
L = 2
"""


def test_a_number_that_a_helper_reads(tmp_path, capsys):
    assert main(["verify", str(in_a_file(tmp_path, HELPERS)), "--jobs", "1"]) == 2
    assert "reads bound.K, which was 1 and is 5 now" in " ".join(capsys.readouterr().err.split())


def test_a_cell_that_runs_again_and_names_of_its_own(tmp_path, capsys):
    assert main(["verify", str(in_a_file(tmp_path, CELL)), "--jobs", "1"]) == 0
    assert "2 proved" in capsys.readouterr().out


ROW = """
from collections import namedtuple
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
import numpy as np
def named(name, k):
    return f"mine/{name}{'small' if k < 1 else 'large'}"
HALF = Fraction(1, 2)
"""
READS = {
    "a dict": "for row in ({'k': HALF}, {'k': 3}):\n    k, said = row['k'], lambda x: le(x.a, row['k']*x.a)",
    "a list": "for row in ([HALF], [3]):\n    k, said = row[0], lambda x: le(x.a, row[0]*x.a)",
    "a tuple": "for row in ((HALF, 'w'), (3, 'v')):\n    k, said = row[0], lambda x: le(x.a, row[0]*x.a)",
    "a text": "for sign in ('-', '+'):\n    k, said = 1 - (sign == '-'), lambda x: le(x.a, (1 + int(sign + '1'))*x.a)",
    "a set": "for row in ({HALF}, {3}):\n    k, said = min(row), lambda x: le(x.a, min(row)*x.a)",
    "no value": "for row in (None, 3):\n    k, said = row or 0, lambda x: le(x.a, (0 if row is None else row)*x.a)",
    "nested": "for row in ({'c': [{'k': (HALF,)}]}, {'c': [{'k': (3,)}]}):\n"
    "    k, said = row['c'][0]['k'][0], lambda x: le(x.a, row['c'][0]['k'][0]*x.a)",
    "a table that grows": "rows = []\nfor k in (HALF, 3):\n    rows.append(k)\n    said = lambda x: le(x.a, rows[-1]*x.a)",
    "a table that is handed over": "table = {}\nfor k in (HALF, 3):\n    table['k'] = k\n"
    "    said = lambda x, table=table: le(x.a, table['k']*x.a)",
    "an attribute of a class": "class Row: pass\nfor k in (HALF, 3):\n    Row.k = k\n    said = lambda x: le(x.a, Row.k*x.a)",
    "a class": "for k in (HALF, 3):\n    class Row:\n        share = k\n    said = lambda x: le(x.a, Row.share*x.a)",
    "an object": "for row in (SimpleNamespace(k=HALF), SimpleNamespace(k=3)):\n    k, said = row.k, lambda x: le(x.a, row.k*x.a)",
    "a record": "@dataclass\nclass Row:\n    k: object\nfor row in (Row(HALF), Row(3)):\n"
    "    k, said = row.k, lambda x: le(x.a, row.k*x.a)",
    "records": "@dataclass\nclass Row:\n    k: object\nfor rows in ([Row(HALF)], [Row(3)]):\n"
    "    k, said = rows[0].k, lambda x: le(x.a, rows[0].k*x.a)",
    "slots": "class Row:\n    __slots__ = ('k',)\nrow = Row()\nfor k in (HALF, 3):\n    row.k = k\n"
    "    said = lambda x: le(x.a, row.k*x.a)",
    "a named tuple": "Row = namedtuple('Row', 'k')\nfor row in (Row(HALF), Row(3)):\n"
    "    k, said = row.k, lambda x: le(x.a, row.k*x.a)",
    "a constant of a module": "import constants_of_mine as c\nfor k in (HALF, 3):\n    c.K = k\n"
    "    said = lambda x: le(x.a, c.K*x.a)",
    "an array": "for row in (np.array([HALF]), np.array([Fraction(3)])):\n    k, said = row[0], lambda x: le(x.a, row[0]*x.a)",
    "a function in a table": "for table in ({'f': lambda x: x.a/2}, {'f': lambda x: 3*x.a}):\n"
    "    k, said = 2 if table['f'].__code__.co_consts[-1] == 3 else 0, lambda x: le(x.a, table['f'](x))",
    "a helper of another name": "for name in 'ab':\n    k = 2 if name == 'b' else 0\n"
    "    if k:\n        def helper(x): return x.b\n    else:\n        def helper(x): return x.a\n"
    "    said = lambda x: le(2*x.a, helper(x))",
    "a row that a helper reads": "def helper(x): return row['k']*x.a\nfor row in ({'k': HALF}, {'k': 3}):\n"
    "    k, said = row['k'], lambda x: le(x.a, helper(x))",
}  # fmt: skip
MAKES = """
    vars()[f"made_{k > 1}"] = claim(named("k", k), world=Scalars(a=positive(), b=positive()))(said)
"""


@pytest.mark.parametrize("name", READS)
def test_rows_of_a_table_in_a_loop(tmp_path, capsys, monkeypatch, name):
    (tmp_path / "constants_of_mine.py").write_text("K = 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    text = ROW + READS[name] + MAKES
    assert main(["verify", str(in_a_file(tmp_path, text)), "--jobs", "1"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "claim mine/ksmall: the body reads" in said and "after it was made; hand it over" in said


def test_a_lemma_that_reads_a_row(tmp_path):
    first = claim("draft/l", world=Scalars(P=positive(), Q=positive()))(lambda x: le(x.P, x.P + x.Q))
    out = []
    for row in ({"k": 1}, {"k": 2}):
        known = use(first, Q=lambda x: row["k"] * x.Q)  # noqa: B023
        out.append(claim("draft/user", world=first.world, by=(known,))(lambda x: le(x.P, x.P + 3 * x.Q)))
    with pytest.raises(UsageError, match=r"use\(draft/l, Q=\.\.\.\) reads row, which is another one now"):
        fedtheory.verify(out[0])


CONSTANT = {
    "a table that stays": "row = {'k': 2}\n@claim('mine/a', world=W)\ndef a(x): return le(x.a, row['k']*x.a)\nother = {'k': 3}",
    "the same again": "row = {'k': 2}\n@claim('mine/a', world=W)\ndef a(x): return le(x.a, row['k']*x.a)\nrow = {'k': 2}",
    "handed over": "for row in ({'k': 2}, {'k': 3}):\n    n = row['k']\n"
    "    @claim(f'mine/a{n}', world=W)\n    def a(x, row=row): return le(x.a, row['k']*x.a)",
    "a table that keeps what was computed": "seen = {}\ndef helper(x, k):\n    if k not in seen: seen[k] = k + 1\n"
    "    return seen[k]*x.a\n"
    "for n in (1, 2):\n    @claim(f'mine/a{n}', world=W)\n    def a(x): return le(x.a, helper(x, 4))",
    "a list in itself": "row = [2]\nrow.append(row)\n@claim('mine/a', world=W)\ndef a(x): return le(x.a, row[0]*x.a)",
    "a large table": "row = [[k, k] for k in range(2, 90000)]\n@claim('mine/a', world=W)\ndef a(x): return le(x.a, row[0][1]*x.a)",
    "a name of its own": "@claim('mine/a', world=W)\ndef a(x):\n    row = {'k': 2}\n    return le(x.a, row['k']*x.a)\n"
    "row = {'k': 5}",
    "a table of claims": "made = {}\nfor n in (2, 3):\n    @claim(f'mine/a{n}', world=W)\n"
    "    def a(x, n=n): return le(x.a, n*x.a)\n"
    "    made[n] = a",
}  # fmt: skip


@pytest.mark.parametrize("name", CONSTANT)
def test_tables_that_stay_are_read(tmp_path, capsys, name):
    text = "W = Scalars(a=positive())\n" + CONSTANT[name]
    assert main(["verify", str(in_a_file(tmp_path, text)), "--jobs", "1", "--no-cache"]) == 0
    out = capsys.readouterr().out
    assert "proved" in out and "refuted" not in out
