"""docs/choosing.md: its files are written as they stand, every line of it runs and prints what it says."""

import os
import re
import shlex
import subprocess
import sys

import pytest
from written import DOCS, PART, agrees

ROOT = DOCS.parent
TEXT = (DOCS / "choosing.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """(line, what the page shows, what it prints) of every command, in the order of the page."""
    folder = tmp_path_factory.mktemp("choosing")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", "OPENBLAS_NUM_THREADS": "1"}

    def run(words):
        ran = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    found = []
    for name, kind, text in PART.findall(TEXT):
        if kind != "console":
            (folder / (name or "block.py")).write_text(text)
            if not name:
                run([sys.executable, "block.py"])
            continue
        for block in text.split("$ ")[1:]:
            line, _, shown = block.partition("\n")
            found.append((line, shown, run([sys.executable, "-m", *shlex.split(line)])))
    return found


def test_every_command_prints_what_the_page_says(done):
    """As far as it is shown."""
    for line, shown, printed in done:
        assert agrees(shown, printed), f"{line}\n{printed}"
    assert len(done) == 9


def test_the_numbers_of_the_text_are_those_that_are_printed(done):
    """The promised rounds of the text; the legal value of the second command is inside the region of the first one."""
    printed = {line: out for line, _, out in done}
    assert "So 69,349 iterations" in TEXT and any(re.search(r" 69349$", out, re.M) for out in printed.values())
    first = next(out for line, out in printed.items() if "--solve sigma0" in line)
    low = float(re.search(r"^Theorem 4\.1 +([\d.]+) < sigma0", first, re.M)[1])
    assert low < 3 and "--sigma0 3" in TEXT


def test_its_pictures_exist():
    """Every picture that the page shows."""
    for target in re.findall(r"!\[[^]]*\]\(([^)]+)\)", TEXT):
        assert (DOCS / target).is_file()
