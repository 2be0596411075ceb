"""The house: imports go one way, files stay small, library code is silent."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted(p for room in ("fedtheory", "problems", "proofs_checks") for p in (ROOT / room).rglob("*.py"))
ALLOWED = {"fedtheory": {"fedtheory"}, "problems": {"fedtheory", "problems"}}
OURS = {"fedtheory", "problems", "proofs_checks", "tests"}
COMMAND_LINE = {ROOT / "fedtheory" / "cli.py", *(ROOT / "fedtheory" / "commands").glob("*.py")}


def imports(path):
    """Top-level packages that a file imports absolutely."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (a.name.split(".")[0] for a in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield (node.module or "").split(".")[0]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_go_one_way(path):
    """fedtheory <- problems <- proofs_checks; only the command line composes the three."""
    room = path.relative_to(ROOT).parts[0]
    if path in COMMAND_LINE or room == "proofs_checks":
        assert "tests" not in set(imports(path))
        return
    assert set(imports(path)) & OURS <= ALLOWED[room]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_stay_small_and_silent(path):
    """No file above 500 lines, and no print outside the command line."""
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 500
    calls = [n.func.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    assert path in COMMAND_LINE or "print" not in calls
