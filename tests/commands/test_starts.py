"""How the program starts and ends: what it asks of Python stays in its own process, and of thresholds while it decides claims."""

import gc
import subprocess
import sys

import pytest

from fedtheory.garbage import SELDOM, seldom_looked_for

LAST = "import atexit, gc\natexit.register(lambda: print(gc.get_freeze_count()))\nimport fedtheory\n"


@pytest.mark.parametrize(("name", "some"), [("fedtheory", True), ("another.py", False)])
def test_nothing_is_looked_through_once_more_at_the_end(tmp_path, name, some):
    """What is registered first is called last, when all has been set aside; a program that imports us keeps what is."""
    (tmp_path / name).write_text(LAST)
    done = subprocess.run([sys.executable, tmp_path / name], capture_output=True, text=True, check=True)
    assert (int(done.stdout.splitlines()[-1]) > 1000) is some


@pytest.mark.parametrize("before", [(700, 10, 10), (200_000, 5, 5)])
def test_circles_are_looked_for_seldom_within_alone(before):
    """More seldom still where somebody asked for that; afterwards as before."""
    ours = gc.get_threshold()
    gc.set_threshold(*before)
    try:
        with seldom_looked_for():
            assert gc.get_threshold() == tuple(map(max, SELDOM, before))
        assert gc.get_threshold() == before
    finally:
        gc.set_threshold(*ours)
