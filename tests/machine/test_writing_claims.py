"""docs/writing_claims.md and docs/examples: every claim has the verdict that stands behind it."""

import os
import re
import subprocess
import sys

import pytest
from written import DOCS, EXAMPLES, PAGE, of_page

from fedtheory import claim, le, verify
from fedtheory.drafts import load
from fedtheory.instance import Instance
from fedtheory.verdict import VERDICTS
from problems import Lojasiewicz, Points, Smooth, SmoothBoundedBelow, SmoothConvex, positive
from problems.worlds.names import OF_ENGINES

IDS = re.findall(r'@claim\(\s*"([\w/.-]+)"', PAGE.read_text(encoding="utf-8"))
LITERATURE = DOCS / "examples" / "literature.py"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The claims of the page."""
    return of_page(tmp_path_factory.mktemp("page"))


def test_every_claim_of_the_page_says_what_is_expected(page):
    """Ids are in the order of the page, and all ten lemmas are there."""
    assert list(page) == IDS and len([i for i in IDS if i.startswith("ten/")]) == 10
    assert all(c.expect in VERDICTS for c in page.values())


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("id", IDS)
def test_a_claim_of_the_page(page, id):
    """The verdict behind expect."""
    v = verify(page[id])
    assert v.verdict == page[id].expect, v


def test_the_names_that_are_taken_are_listed():
    """What every instance has, and what is there beside clients, at points and of the search's own clients."""
    text = PAGE.read_text(encoding="utf-8")
    listed = text.partition("What every instance has is taken:")[2].partition("A scalar of the world")[0]
    classes = (SmoothConvex("L"), Smooth("L"), SmoothBoundedBelow("L"), Lojasiewicz("mu", "L"))
    worlds = [Points(f, optimum_of="f", L=positive(), mu=positive()) for f in classes]
    owned = {name for world in worlds for name, _ in world.owners()} - {"w", "L", "mu"}
    instance = {name for name in dir(Instance) if not name.startswith("_")}
    assert set(re.findall(r"`(\w+)`", listed)) == owned | instance | {*OF_ENGINES}


def test_what_the_page_says_of_theorems_without_their_advice(page):
    """Without D[T] on the left the sum is not proved for every T."""
    telescoped = page["page/telescoped"]
    bare = claim("page/bare", world=telescoped.world, by=telescoped.by)(
        lambda x: le(x.eta * x.sum(lambda t: x.e[t], x.T), x.D[0])
    )
    assert verify(bare).verdict != "proved"


def error_of(x):
    """|g - grad f(w)|^2."""
    return x.sq(x.g - x.mean_vec(x.f.grad(x.w)))


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("file", [p for p in EXAMPLES if "@claim(" in p.read_text()], ids=lambda p: p.stem)
def test_an_example(file):
    """The verdict behind expect, of every claim of a file of docs/examples."""
    for c in load([str(file)]).values():
        assert c.expect in VERDICTS, c.id
        v = verify(c)
        assert v.verdict == c.expect, v


def test_the_other_examples_run(tmp_path):
    """The property tests pass, the experiment leaves its figure; the page lists every file."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(DOCS.parent),
        "PYTEST_ADDOPTS": "",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    for words in (["-m", "pytest", "-q", "-p", "no:cacheprovider", str(DOCS / "examples" / "test_properties.py")],
                  [str(DOCS / "examples" / "experiment.py")]):  # fmt: skip
        done = subprocess.run([sys.executable, *words], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "proved example/am-gm" in done.stdout and (tmp_path / "experiment.svg").stat().st_size > 0
    listed = re.findall(r"^\| \[(\w+\.py)\]", (DOCS / "examples" / "README.md").read_text(encoding="utf-8"), re.M)
    assert sorted(listed) == [p.name for p in EXAMPLES]


def test_the_table_of_the_literature_is_about_the_file():
    """Every lemma of the file has a row with its verdict, and no row is of another."""
    rows = dict(re.findall(r"^\| `([\w/.-]+)` .*\| (\w+) \|[^|]*\|$", PAGE.read_text(encoding="utf-8"), re.M))
    assert rows == {c.id: c.expect for c in load([str(LITERATURE)]).values()}
