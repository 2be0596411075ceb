"""docs/pepit.md: PEPit's examples have the verdicts of the table, with their rates and with 99 % of them."""

import re
from pathlib import Path

import pytest

from fedtheory import verify
from fedtheory.drafts import load

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
