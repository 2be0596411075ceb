"""Workers that die, raise, hang or outlive their parent; signals; what comes first."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from fedtheory.processes import Died, each

ROOT = Path(__file__).parents[2]


def lost(item):
    """What stands for an item over which workers died."""
    return f"{item} lost"


def fatal_once(folder, item):
    """Kill the process over item 3, the first time only."""
    mark = Path(folder) / "mark"
    if item == 3 and not mark.exists():
        mark.write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    return -item


def fatal(item):
    """Kill the process over item 3, always."""
    if item == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return -item


class Unsendable(Exception):
    """Cannot be made from what it was made of."""

    def __init__(self, one, two):
        super().__init__("unsendable")


def raising(item):
    """Raise what another process cannot read."""
    raise Unsendable(1, 2)


class Stillborn:
    """Work that ends the process that loads it."""

    def __reduce__(self):
        return os._exit, (1,)


def paced(item):
    """Stay with an item for so many hundredths of a second."""
    time.sleep(item / 100)
    return item


def test_every_item_has_its_result():
    """In this process in order, in others as it comes; what a worker raises is raised here."""
    assert list(each(abs, [-3, 2, -1], 1)) == [(0, 3), (1, 2), (2, 1)]
    assert sorted(each(abs, [-3, 2, -1], 2)) == [(0, 3), (1, 2), (2, 1)]
    with pytest.raises(TypeError):
        list(each(abs, [1, "a", 2], 2))
    with pytest.raises(RuntimeError, match="Unsendable: unsendable"):
        list(each(raising, [1, 2], 2))


def test_the_longest_begin_first():
    """One worker after another would show the order of the costs."""
    found = [item for _, item in each(paced, [1, 2, 80, 3, 4], 2, cost=float)]
    assert found == [4, 3, 2, 1, 80]


def test_a_killed_worker_costs_its_item_a_second_try(tmp_path):
    """The others are not done again, and nothing is missing."""
    found = dict(each(partial(fatal_once, str(tmp_path)), range(1, 7), 2))
    assert found == {k: -k - 1 for k in range(6)}


def test_an_item_that_kills_every_worker_is_told():
    """By its own result where there is one to give, else by an error."""
    assert dict(each(fatal, [1, 3, 2], 2, died=lost)) == {0: -1, 1: "3 lost", 2: -2}
    with pytest.raises(Died, match="2 worker processes died over one piece of work"):
        list(each(fatal, [1, 3, 2], 2))


def test_workers_that_cannot_start_are_an_error():
    """Not an endless row of new ones."""
    with pytest.raises(Died, match="died before they began"):
        list(each(Stillborn(), [1, 2], 2))


SCRIPT = """
import sys, time
from fedtheory.commands.terminal import stoppable
from fedtheory.processes import each
if __name__ == "__main__":
    try:
        with stoppable(program=True):
            for k, _ in each(time.sleep, [0, 0, 60, 60], 2):
                print(k, flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        sys.exit(130)
"""


def family(pid):
    """Processes of the group that a process leads, those that have ended left out."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, group = entry.read_text().rpartition(")")[2].split()[:3]
        except (OSError, ValueError):
            continue
        if int(group) == pid and state != "Z":
            found.append(int(entry.parent.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads the processes of Linux")
@pytest.mark.parametrize(
    "signals",
    [(signal.SIGINT,), (signal.SIGINT, signal.SIGINT), (signal.SIGTERM,), (signal.SIGTERM, signal.SIGINT), (signal.SIGKILL,)],
    ids=lambda s: "-".join(x.name for x in s),
)  # fmt: skip
@pytest.mark.parametrize("whole_group", [False, True])
def test_no_process_outlives_a_signal(signals, whole_group, tmp_path):
    """Within two seconds, alike for all of them; a terminal sends Ctrl-C to workers as well."""
    (tmp_path / "script.py").write_text(SCRIPT)
    parent = subprocess.Popen(
        [sys.executable, str(tmp_path / "script.py")], env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert sorted([parent.stdout.readline(), parent.stdout.readline()]) == ["0\n", "1\n"]
    time.sleep(0.2)
    assert len(family(parent.pid)) >= 3
    began = time.monotonic()
    for number in signals:
        (os.killpg if whole_group else os.kill)(parent.pid, number)
        time.sleep(0.1)
    out, err = parent.communicate(timeout=30)
    while family(parent.pid) and time.monotonic() - began < 20:
        time.sleep(0.05)
    assert not family(parent.pid) and time.monotonic() - began < 2 + 4  # six: the machine may be busy
    if signals[0] != signal.SIGKILL:
        assert (parent.returncode, out, err) == (130, "interrupted\n", "")
