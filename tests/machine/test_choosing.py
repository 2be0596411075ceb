"""docs/choosing.md: its files are written as they stand, every line of it runs and prints what it says."""

import os
import re
import runpy
import shlex

import pytest
from forked import forked
from written import DOCS, PART, agrees

from fedtheory.cli import main

ROOT = DOCS.parent
TEXT = (DOCS / "choosing.md").read_text(encoding="utf-8")
SECTIONS = {part.split("\n", 1)[0]: part for part in TEXT.split("\n## ")[1:]}
CONSOLES = [block for _, kind, text in PART.findall(TEXT) if kind == "console" for block in text.split("$ ")[1:]]


@pytest.mark.in_turn(len(SECTIONS))
@pytest.mark.parametrize("title", SECTIONS)
def test_every_command_prints_what_the_page_says(title, tmp_path):
    """As far as it is shown; blocks with a name are files, the others run."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", "OPENBLAS_NUM_THREADS": "1"}
    for name, kind, text in PART.findall(SECTIONS[title]):
        if kind != "console":
            (tmp_path / (name or "block.py")).write_text(text)
            done = None if name else forked(lambda: not runpy.run_path("block.py"), cwd=tmp_path, env=environment)
            assert name or done.returncode == 0, done.stderr
            continue
        for block in text.split("$ ")[1:]:
            line, _, shown = block.partition("\n")
            program, *words = shlex.split(line)
            done = forked(lambda words=words: main(words), cwd=tmp_path, env=environment)
            assert program == "fedtheory" and done.returncode == 0, done.stderr
            assert agrees(shown, done.stdout), f"{line}\n{done.stdout}"


def test_the_numbers_of_the_text_are_those_that_are_printed():
    """The promised rounds of the text; the legal value of the second command is inside the region of the first one."""
    assert len(CONSOLES) == 9
    assert "So 69,349 iterations" in TEXT and any(re.search(r" 69349$", block, re.M) for block in CONSOLES)
    first = next(block for block in CONSOLES if "--solve sigma0" in block)
    low = float(re.search(r"^Theorem 4\.1 +([\d.]+) < sigma0", first, re.M)[1])
    assert low < 3 and "--sigma0 3" in TEXT


def test_its_pictures_exist():
    """Every picture that the page shows."""
    for target in re.findall(r"!\[[^]]*\]\(([^)]+)\)", TEXT):
        assert (DOCS / target).is_file()
