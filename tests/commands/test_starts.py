"""How the program starts: what it asks of Python stays in its own process."""

import subprocess
import sys

import pytest

SAID = "#!{}\nimport gc\nimport fedtheory\nprint(*gc.get_threshold(), gc.get_freeze_count())\n"
LAST = "import atexit, gc\natexit.register(lambda: print(gc.get_freeze_count()))\nimport fedtheory\n"


def lines(path, text):
    """What a script prints."""
    path.write_text(text)
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.mark.parametrize(("name", "threshold"), [("fedtheory", 100_000), ("another.py", 700)])
def test_circles_are_looked_for_seldom_by_the_program_alone(tmp_path, name, threshold):
    """A program that imports us keeps what Python does."""
    assert lines(tmp_path / name, SAID)[0].split()[0] == str(threshold)


@pytest.mark.parametrize(("name", "some"), [("fedtheory", True), ("another.py", False)])
def test_nothing_is_looked_through_once_more_at_the_end(tmp_path, name, some):
    """What is registered first is called last, when all that there is has been set aside."""
    assert (int(lines(tmp_path / name, LAST)[-1]) > 1000) is some
