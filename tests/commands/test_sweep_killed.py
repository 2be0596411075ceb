"""A sweep that is killed at any moment and goes on ends with the bytes of one that was never killed.

`benchmarks.kills` forks the killed sweeps, which end as if by SIGKILL, before or after every call that changes the folder, and at
twenty random moments. Every round saves a checkpoint, so that most moments lie within a run.
"""

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from fedtheory.cli import main
from fedtheory.runs import store

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT))  # last, so that installed packages come before this checkout's

from benchmarks import kills  # noqa: E402
from benchmarks.kills import count_calls, forked, sweep, tree  # noqa: E402

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a sweep that was never killed, as bytes."""
    folder = tmp_path_factory.mktemp("whole") / "runs"
    assert main(sweep(folder)) == 0
    return tree(folder)


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("part", range(4))
def test_killed_before_and_after_every_write_and_rename(tmp_path, part):
    """A quarter of the moments, in turn."""
    count = kills.at_calls(tmp_path, kills.AT_CALLS, part, 4)
    assert count.kills >= 25 and (count.lost, count.different) == (0, 0)


def test_killed_at_twenty_random_moments(tmp_path):
    """Long enough runs that the moments fall into them; some end before they are killed."""
    count = kills.at_random(tmp_path, kills.AT_RANDOM)
    assert count.kills >= kills.AT_RANDOM // 2 and (count.lost, count.different) == (0, 0)


def test_what_is_lost_and_what_differs_is_counted():
    """A file less, a byte more, a bit in another place, a file that should not be there."""
    whole = {"a": b"123", "b": b"1234", "c": b""}
    count = kills.Count()
    count.add(True, whole, {"a": b"123", "b": b"1254", "d": b"12"})
    assert count == kills.Count(1, 1, 3)
    count.add(False, whole, whole | {"b": b"12345"})
    assert count == kills.Count(1, 1, 4)


def test_a_full_disk(tmp_path, whole, monkeypatch):
    """What could not be written is told, and is there after a retry."""
    folder = tmp_path / "runs"
    real = store.write_npz

    def full(path, arrays):
        if "w" not in arrays and len(list(folder.glob("*/run.json"))) >= 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(path, arrays)

    with monkeypatch.context() as m:
        m.setattr(store, "write_npz", full)
        assert main(sweep(folder)) == 3
    assert len(list(folder.glob("*.failed.json"))) == 2 and not list(folder.glob("*.tmp"))
    assert main(sweep(folder, 3, "--retry")) == 0
    assert tree(folder) == whole


@pytest.mark.parametrize("name", ["run.json", "trace.npz"])
def test_a_truncated_file_is_run_again(name, tmp_path, whole, capsys):
    folder = tmp_path / "runs"
    assert main(sweep(folder)) == 0
    file = sorted(folder.glob(f"*/{name}"))[1]
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    capsys.readouterr()
    assert main(sweep(folder)) == 0
    said = capsys.readouterr()
    assert "1 run now, 3 at hand" in said.out and f"run again: {file.parent}" in said.err
    assert tree(folder) == whole


def test_a_truncated_checkpoint_is_begun_again(tmp_path, whole):
    folder = tmp_path / "runs"
    left = []
    for moment in range(8, 40):
        os.waitpid(forked(lambda moment=moment: count_calls(sweep(folder), moment)), 0)
        if left := list(folder.glob("*.partial/checkpoint.npz")):
            break
    left[0].write_bytes(left[0].read_bytes()[:100])
    assert main(sweep(folder)) == 0
    assert tree(folder) == whole


def test_a_worker_that_is_killed_costs_nothing(tmp_path):
    """One of two worker processes gets SIGKILL at its work; its run is tried again by another."""
    rounds = 200
    assert main(sweep(tmp_path / "whole", rounds)) == 0
    line = [*sweep(tmp_path / "runs", rounds)[:-1], "2"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "fedtheory", *line]
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    killed = 0
    until = time.monotonic() + 60
    while not killed and process.poll() is None and time.monotonic() < until:
        if list((tmp_path / "runs").glob("*")):  # at work
            for pid in workers(process.pid)[:1]:
                os.kill(pid, signal.SIGKILL)
                killed += 1
        time.sleep(0.01)
    said, complaints = process.communicate(timeout=120)
    assert killed == 1 and process.returncode == 0, complaints
    assert "4 run now" in said or "at hand" in said
    assert tree(tmp_path / "runs") == tree(tmp_path / "whole")
    shutil.rmtree(tmp_path / "whole")


def workers(pid):
    """The spawned children of a process."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    found = [int(p) for p in children.read_text().split()] if children.exists() else []
    return [p for p in found if b"spawn_main" in Path(f"/proc/{p}/cmdline").read_bytes()]


def test_the_kills_would_show_a_run_that_is_not_the_same(tmp_path, whole):
    """A file more, a file less and a bit in another place are all seen."""
    folder = tmp_path / "runs"
    assert main(sweep(folder)) == 0
    trace = next(folder.glob("*/trace.npz"))
    content = bytearray(trace.read_bytes())
    content[len(content) // 2] ^= 1
    trace.write_bytes(bytes(content))
    assert tree(folder) != whole
    assert np.array_equal(sorted(tree(folder)), sorted(whole))
