"""What runs when: marks of the loop and of .ci/run are declared and told, what is dear is there, and turns leave nothing out."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CI = (ROOT / ".ci/run").read_text(encoding="utf-8")
DECLARED = [
    line.split(":")[0].split("(")[0]
    for line in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"][
        "markers"
    ]
]
DEAR = (ROOT / "tests/dear.txt").read_text(encoding="utf-8").splitlines()


def test_the_loop_leaves_out_what_contributing_says():
    """Its marks are declared, and every mark that is declared is told of."""
    (loop,) = re.findall(r'^pytest -n 2 --dist loadgroup -m "not \(([\w ]+)\)" +# the loop$', PAGE, re.M)
    assert loop.split(" or ") == ["slow", "ledger", "lies", "published", "dear"] and set(loop.split(" or ")) <= set(
        DECLARED
    )
    assert [mark for mark in DECLARED if mark != "xdist_group" and f"`{mark}" not in PAGE] == []


def test_ci_leaves_out_what_is_slow_and_nothing_else():
    """It is the README's command but for that."""
    (command,) = re.findall(r"^pytest .*$", CI, re.M)
    readme = re.search(r"&& (pytest -n 2 --dist loadgroup)$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)[1]
    assert command.startswith(f'{readme} -m "not slow" ') and f'`{readme} -m "not slow"`' in PAGE
    assert re.findall(r"^\W*fresh \w+ (\S+)", CI, re.M) == ["data", "data,test"]  # the extras of its two installs


@cache
def functions(file):
    """The names of the tests of a file."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_what_is_dear_is_there():
    """Every line of tests/dear.txt is a test, once, in order."""
    assert sorted(set(DEAR)) == DEAR
    assert [line for line in DEAR if line.split("::")[1] not in functions(line.split("::")[0])] == []


class Item:
    """A case of a test, as far as the marks look at it."""

    def __init__(self, case, *, n):
        self.nodeid, self.path, self.fixturenames = f"tests/test_x.py::test_x[{case}]", Path("test_x.py"), ()
        self.turn, self.marks = pytest.mark.in_turn(n).mark, set()

    def get_closest_marker(self, name):
        return self.turn if name == "in_turn" else None

    def add_marker(self, mark):
        self.marks.add(mark.name)


@pytest.mark.parametrize("n", [2, 3, 40])
def test_every_case_has_its_turn(request, monkeypatch, n):
    """Of n commits in a row each case is looked at by one, and no commit looks at much more than its part."""
    conftest = request.config.pluginmanager.get_plugin(str(ROOT / "tests/conftest.py"))
    seen = []
    for turn in range(5, 5 + n):
        monkeypatch.setattr(conftest, "TURN", turn)
        items = [Item(k, n=n) for k in range(45)]
        conftest.pytest_collection_modifyitems(items)
        looked = [item.nodeid for item in items if "slow" not in item.marks]
        assert len(looked) in (45 // n, 45 // n + 1)
        seen += looked
    assert sorted(seen) == sorted(Item(k, n=n).nodeid for k in range(45))
