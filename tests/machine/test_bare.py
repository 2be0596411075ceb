"""The README's install is enough for the README's steps: an environment with what it brings and nothing else."""

import os
import re
import subprocess

import pytest
from bare import PROJECT, ROOT, bare, documented, needed

README = (ROOT / "README.md").read_text(encoding="utf-8")


def runner(python, folder):
    """Runs words in the environment; what was printed, and the status."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}

    def run(*words):
        done = subprocess.run(
            [python, "-m", *words], cwd=folder, env=environment | {"COLUMNS": "100"}, capture_output=True, text=True
        )
        return done.returncode, done.stdout + done.stderr

    return run


@pytest.fixture
def run(tmp_path):
    """With the extras of the README."""
    return runner(bare(tmp_path / "environment", documented()), tmp_path)


def test_the_steps_of_the_readme(run, tmp_path):
    """A published claim, the lemma of one's own as a verdict and as a test, what `new claim` writes, data, a run."""
    assert "pytest" in needed(documented()) and "torch" not in needed(documented())
    assert run("torch")[0] == 1  # the environment is bare
    (tmp_path / "my_lemma.py").write_text(re.search(r"```python\n(.*?)```", README, re.S)[1])
    for words, status, said in (
        ("fedtheory verify pfedme/lemma2a", 0, "1 proved"),
        ("fedtheory verify my_lemma.py", 0, "refuted"),
        ("pytest my_lemma.py", 1, "1 failed"),
        ("fedtheory new claim rate", 0, "next: pytest rate.py"),
        ("fedtheory verify rate.py", 0, "proved"),
        ("pytest rate.py", 0, "2 passed"),
        ("fedtheory verify rate.py --on diabetes", 0, "1 hold"),
        ("fedtheory new class short", 0, "next: pytest short.py"),
        ("fedtheory verify short.py", 0, "1 proved, 1 supported"),
        ("pytest short.py", 0, "2 passed"),
        ("fedtheory run fedadmm --data breast-cancer --standardise --l2 0.01 --rounds 5 --plot run.svg", 0, "fedadmm"),
    ):
        code, text = run(*words.split())
        assert code == status and said in text, f"{words}\n{text}"


def test_an_extra_that_is_missing_is_named(tmp_path):
    """With no extras what needs one says which."""
    run = runner(bare(tmp_path / "environment", ()), tmp_path)
    assert run("fedtheory", "new", "claim", "rate")[0] == 0
    code, text = run("fedtheory", "verify", "rate.py")
    assert code == 2 and 'install it with pip install "fedtheory[testing]"' in text
    code, text = run("fedtheory", "run", "fedavg", "--data", "diabetes")
    assert code == 2 and 'install it with pip install "fedtheory[data]"' in text
    assert {"data", "testing"} <= set(PROJECT["optional-dependencies"])
