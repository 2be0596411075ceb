"""docs/pepit.md: PEPit's examples have the verdicts of the table, with their rates and with 99 % of them, and stand beside it."""

import importlib.util
import re
from fractions import Fraction
from pathlib import Path

import pytest

from fedtheory import claim, verify
from fedtheory.drafts import load
from fedtheory.engines.certificates.sdp.propose import propose
from fedtheory.engines.prove.listed import abstract_shapes, targets_of

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "pepit.md").read_text(encoding="utf-8")
ROWS = {
    m[0]: m[1:] for m in re.findall(r"^\| \[`([\w-]+)`\]\(examples/pepit/\w+\.py\) \| (\w+) \| (\w+) \|$", PAGE, re.M)
}
NOT_REFUTED = {  # only necessary inequalities; a bound that is not tight
    "operator-douglas_rachford_splitting",
    "optimistic_gradient",
    "past_extragradient",
    "epsilon_subgradient_method",
}
CELLS = r"(\S+) \| (\S+) \| (\S+) \| \S+ \| \S+ \| (\d+) \| \d+"
BESIDE = {m[0]: m[1:] for m in re.findall(rf"^\| `([\w-]+)` \| (.*?) \| {CELLS} \|$", PAGE, re.M)}
APART = {
    "low-dimensional-frank_wolfe",
    "epsilon_subgradient_method",
    "improved_interior_algorithm",
}  # the page says why


def beside():
    """The script that sets PEPit beside."""
    spec = importlib.util.spec_from_file_location("beside_pepit", DOCS / "examples" / "beside_pepit.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = beside()
EXAMPLES = {row["example"]: row for row in SCRIPT.examples()}


@pytest.fixture(scope="module")
def claims():
    """All claims of the folder."""
    return load([str(DOCS / "examples" / "pepit")])


def test_the_table_is_about_the_files(claims):
    """Every example is written with its rate and with 99 % of it; the counts of the page are theirs."""
    assert set(claims) == {f"pepit/{name}{tail}" for name in ROWS for tail in ("", "-99")}
    assert f" {len(ROWS)} of them are claims here" in PAGE.replace("\n", " ")
    missing = re.findall(r"^\| (`.*`) \| [\w ]", PAGE.partition("Not written")[2], re.M)
    assert len(ROWS) + sum(line.count("`") // 2 for line in missing) == 96
    assert all(true in ("proved", "certified") for true, _ in ROWS.values())
    assert {name for name, (_, false) in ROWS.items() if false != "refuted"} == NOT_REFUTED


@pytest.mark.in_turn(6)
@pytest.mark.parametrize("name", ROWS)
def test_the_verdicts(name, claims):
    """As the table has them."""
    found = tuple(verify(claims[f"pepit/{name}{tail}"]).verdict for tail in ("", "-99"))
    assert found == ROWS[name], found


def test_every_example_is_here():
    """PEPit's folder of examples has those of the page, and no others."""
    package = pytest.importorskip("PEPit")
    files = [p.stem for p in (Path(package.__file__).parent / "examples").rglob("*.py")]
    theirs = sorted(f for f in files if f not in ("__init__", "example_template"))
    prefixes = ("operator-", "low-dimensional-", "potential-", "nonconvex-")
    ours = [next((name.removeprefix(p) for p in prefixes if name.startswith(p)), name) for name in ROWS]
    rest = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*`) \| [\w ]", PAGE.partition("Not written")[2], re.M)))
    assert sorted([*ours, *rest]) == theirs


def test_every_example_stands_beside_pepit(claims):
    """The data are about the examples of the page, in its order, and at scalars of their worlds."""
    assert list(ROWS) == list(EXAMPLES) == list(BESIDE) and len(SCRIPT.examples()) == len(ROWS)
    for name, row in EXAMPLES.items():
        assert set(row["at"]) == set(claims[f"pepit/{name}"].world.scalars), name


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_bound_beside_pepit_is_the_claims(name, claims):
    """Read off the claim as the page has it, and 99 % of it off the false one; the other columns follow."""
    row, (at, theirs, ours, apart, lines) = EXAMPLES[name], BESIDE[name]
    bound = SCRIPT.bound(claims[f"pepit/{name}"], row)
    assert (at, ours) == (SCRIPT.arguments(row), f"{float(bound):.6f}")
    assert int(lines) == sum(map(SCRIPT.lines, SCRIPT.said(name)))
    assert float(apart) == pytest.approx(abs(float(theirs) / (float(bound) or 1) - bool(bound)), abs=2e-5, rel=0.05)
    assert (float(apart) > 1e-3) is (name in APART)
    if "measure" not in row and row.get("start") != "right side":
        assert SCRIPT.bound(claims[f"pepit/{name}-99"], row) == Fraction(99, 100) * bound


def test_the_sums():
    """Of seconds and lines of the table, as the page says them."""
    rows = re.findall(r"^\| `[\w-]+` (?:\| [^|]+ ){4}\| (\S+) \| (\S+) \| (\d+) \| (\d+) \|$", PAGE, re.M)
    here, there, ours, theirs = (sum(map(float, column)) for column in zip(*rows, strict=True))
    assert len(rows) == len(ROWS)
    assert (
        f"{here:.0f} s here and {there:.0f} s there" in PAGE and f"{ours:.0f} lines here and {theirs:.0f} there" in PAGE
    )


def test_another_start_is_refused(claims):
    """What PEPit sets to one is checked, not believed."""
    with pytest.raises(ValueError, match="no multiple of"):
        SCRIPT.bound(claims["pepit/gradient_descent"], {**EXAMPLES["gradient_descent"], "start": "gap"})


@pytest.mark.parametrize("name", [name for name, (true, _) in ROWS.items() if true == "certified"])
def test_certified_claims_are_so_at_pepits_parameters(name, claims):
    one = claims[f"pepit/{name}"]
    scalars = {k: Fraction(v) for k, v in EXAMPLES[name]["at"].items()}
    targets, space, *_ = targets_of(one, one.world, scalars, abstract_shapes(one.world, 2)[-1])
    assert targets and all(op == "<=" and propose(form, space) is not None for op, form in targets)


def test_less_than_pepits_clarabel_and_more_than_its_scs_is_refuted(claims):
    """Of improved_interior_algorithm."""
    one = claims["pepit/improved_interior_algorithm"]
    assert float(BESIDE["improved_interior_algorithm"][1]) < 0.499
    less = claim("draft/less", world=one.world)(lambda x: one.body(x, share=x.ratio(998, 1000)))
    assert SCRIPT.bound(one, EXAMPLES["improved_interior_algorithm"]) * Fraction(998, 1000) == Fraction(499, 1000)
    assert verify(less).verdict == "refuted"


@pytest.mark.in_turn(6)
@pytest.mark.parametrize("name", EXAMPLES)
def test_pepit_has_the_value_beside(name):
    """To the accuracy of its solver, whose digits differ between releases."""
    pytest.importorskip("PEPit")
    assert SCRIPT.theirs(EXAMPLES[name])[0] == pytest.approx(float(BESIDE[name][1]), rel=5e-3, abs=1e-5)
