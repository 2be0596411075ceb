"""Maps of regions against the conditions themselves at random points, and their pictures."""

import random
import xml.etree.ElementTree as ET
from fractions import Fraction as F

import pytest

from fedtheory import Condition, le
from fedtheory.catalogue import Catalogue, Parameters
from fedtheory.cli import main
from fedtheory.regions.forms import forms
from fedtheory.regions.maps import Window, draw, leaning, positions, window
from fedtheory.registry import paper
from fedtheory.symbols import Symbol, Symbols
from fedtheory.world import positive

MAPS = {
    "pfedme": ("Theorem 2", "lam", "eta", {"L": 1, "mu": "1/2", "beta": 1, "R": 20, "S": 5, "m": 20}, (0.1, 1e3), (1e-9, 1)),
    "fedadmm": ("Theorem 4.1", "sigma0", "nu", {"r": 1, "m": 64, "S": 32}, (0.01, 100), (0.01, 10)),
    "flame": ("Theorem 2", "lam", "rho", {"L": 1, "m": 50, "S": 10}, (1e-3, 1e3), (1e-3, 50)),
    "dadpfl": ("Theorem 3", "M", "eta", {"L": 1, "m": 100, "E_l": 5}, (0.02, 1e3), (1e-4, 10)),
}  # fmt: skip


def mapped(id):
    theorem, x, y, given, *sides = MAPS[id]
    catalogue = paper(id).catalogue()
    t = next(t for t in catalogue.theorems if t.name == theorem)
    own = {k: F(v) for k, v in given.items()}
    stated, proof = (forms(catalogue, c, own, x, y) for c in (t.conditions, t.proof))
    return catalogue, t, own, draw(t.name, stated, proof, x, y, own, Window(*sides))


def holds(condition, x):
    r = condition.relation(x)
    return r.lhs <= r.rhs if r.op == "<=" else r.lhs < r.rhs


def answer(condition, catalogue, given):
    """Whether it holds; None where it is undefined."""
    try:
        return holds(condition, Parameters(given, catalogue.derived))
    except ZeroDivisionError:
        return None


@pytest.mark.parametrize("id", MAPS)
def test_the_region_and_its_boundaries_agree_with_the_conditions_at_1000_random_points(id):
    """Points of random columns are inside as every condition says; each line has the condition's two answers on its two sides."""
    catalogue, t, given, m = mapped(id)
    out = {f.condition.printed for f in m.undecided}
    rng = random.Random(id)
    inside = 0
    for _ in range(1000):
        k = rng.randrange(len(m.columns))
        y = F(m.window.y[0] * (m.window.y[1] / m.window.y[0]) ** rng.random())
        x = Parameters({**given, m.x: m.columns[k], m.y: y}, catalogue.derived)
        stated = all(holds(c, x) for c in t.conditions if c.printed not in out)
        proved = stated and all(holds(c, x) for c in t.proof if c.printed not in out)
        assert any(y in i for i in m.stated[k]) == stated and any(y in i for i in m.proved[k]) == proved
        inside += stated
    assert 0 < inside < 1000
    lines = [(b, line) for b in m.boundaries for line in b.lines]
    assert {b.form.condition.printed for b, _ in lines} >= {b.form.condition.printed for b in m.boundaries if b.lines}
    for _ in range(1000):
        b, line = rng.choice(lines)
        k, s = rng.randrange(len(line) - 1), rng.random()
        at = [line[k][j] * (line[k + 1][j] / line[k][j]) ** s for j in (0, 1)]

        answers = []
        for width in (1.02, 1.005, 1.001, 1.0001, 1.00001):  # two boundaries may be near to each other
            beside = [(at[0] * width, at[1]), (at[0] / width, at[1]), (at[0], at[1] * width), (at[0], at[1] / width)]
            answers.append({answer(b.form.condition, catalogue, {**given, m.x: F(u), m.y: F(v)}) for u, v in beside})
        assert any({True, False} <= found for found in answers), (b.form.condition.printed, at)


def test_columns_are_short_numbers_from_end_to_end():
    """160 of them, evenly in the logarithm; a window leaves a decade and a half around what is marked."""
    found = positions((0.001, 1000.0))
    assert len(found) == 160 and found[0] == F(1, 1000) and found[-1] == 1000 and list(found) == sorted(found)
    assert window([1.0, 100.0], []).x == (10**-1.5, 100 * 10**1.5)


def test_steep_and_flat_parts_of_a_line_are_told_apart():
    """A corner: the first pass keeps its level leg, the second one its upright leg."""
    corner = [(1.0, 1.0), (10.0, 1.0), (10.0, 10.0)]
    part = Window((1.0, 10.0), (1.0, 10.0))
    assert leaning(corner, part, steep=False) == [corner[:2]] and leaning(corner, part, steep=True) == [corner[1:]]


def test_an_empty_region_is_said_in_the_picture(tmp_path, capsys):
    """FLAME's Theorem 2 with what its proof uses, on the command line; every condition is listed, the numbers on the lines too."""
    path = tmp_path / "map.svg"
    words = f"--L 1 --m 50 --S 10 --lam 5 --rho 1 --map lam rho --plot {path}".split()
    assert main(["constants", "flame", *words]) == 0
    assert "Theorem 2: not empty at 160 of 160 columns, with what its proof uses at 0" in capsys.readouterr().out
    parts = [t.text or "" for t in ET.parse(path).iter() if t.tag.endswith("text") or t.tag.endswith("tspan")]
    text = " ".join(" ".join(parts).split())
    assert "with what the proof uses: empty in this window: no point meets 1 and 5 together" in text, text[-900:]
    assert "given" in text and "paper, Section 5.2.1" in text and "[proof only]" in text
    assert "1: lam^2 alpha^2 (1 + rho)/rho^2" in text


def test_the_conditions_that_empty_a_region_are_those_that_cannot_be_spared():
    """a <= 1 and a >= 2 in a window in which b >= 1 may hold; a >= 100 alone, beyond it; none where there is a point."""

    def of(*bounds):
        conditions = [Condition(f"c{k}", "", body) for k, body in enumerate(bounds)]
        names = Symbols(a=Symbol("a", positive()), b=Symbol("b", positive()))
        catalogue = Catalogue(names, ("a", "b"), (), tuple(conditions), {})
        own = [forms(catalogue, (c,), {}, "a", "b")[0] for c in conditions]
        return [
            f.condition.printed for f in draw("", own[:2], own[2:], "a", "b", {}, Window((0.1, 10), (0.1, 10))).empties
        ]

    def low(x):
        return le(1, x.b)

    assert of(lambda x: le(x.a, 1), low, lambda x: le(2, x.a)) == ["c0", "c2"]
    assert of(lambda x: le(100, x.a), low, lambda x: le(2, x.a)) == ["c0"]
    assert of(lambda x: le(x.a, 1), low, lambda x: le(x.a, 2)) == []


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("given, label", [
    ("--lam 5 --rho 1", ">given<"), ("--lam 5", ">given, rho assumed as in the paper<"), ("", "no mark"),
])  # fmt: skip
def test_a_mark_says_what_is_assumed(tmp_path, given, label):
    """On data what nobody gave is the paper's; where both are, that is the mark of the paper alone."""
    path = tmp_path / "map.svg"
    words = f"--data diabetes --m 3 --standardise --l2 0.1 {given} --map lam rho --plot {path}".split()
    assert main(["constants", "flame", *words]) == 0
    text = path.read_text()
    assert (label in text) if given else "given" not in text.split("</metadata>")[1]
    assert ">paper, Section 5.2.1<" in text


def test_a_boundary_on_one_axis_alone_is_a_straight_line():
    """a <= 2 in a and b: one upright line; in b and a: one level line."""
    condition = Condition("a <= 2", "", lambda x: le(x.a, 2))
    catalogue = Catalogue(
        Symbols(a=Symbol("a", positive()), b=Symbol("b", positive())), ("a", "b"), (), (condition,), {}
    )
    (f,) = forms(catalogue, (condition,), {}, "a", "b")
    part = Window((0.1, 10.0), (0.1, 10.0))
    (upright,) = draw("", [f], [], "a", "b", {}, part).boundaries[0].lines
    assert upright == [(2.0, 0.1), (2.0, 10.0)]
    (level,) = draw("", [f], [], "b", "a", {}, part).boundaries[0].lines
    assert {y for _, y in level} == {2.0} and len(level) == 160


def test_a_column_in_which_a_condition_is_undefined_holds_nowhere():
    """b/(a - 1) <= 5 at the first column a = 1."""
    condition = Condition("c", "", lambda x: le(x.b / (x.a - 1), 5))
    catalogue = Catalogue(
        Symbols(a=Symbol("a", positive()), b=Symbol("b", positive())), ("a", "b"), (), (condition,), {}
    )
    (f,) = forms(catalogue, (condition,), {}, "a", "b")
    m = draw("", [f], [], "a", "b", {}, Window((1.0, 10.0), (0.1, 10.0)))
    assert m.columns[0] == 1 and m.stated[0] == () and all(m.stated[1:])
