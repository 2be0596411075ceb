"""A sweep that is killed at any moment and goes on ends with the bytes of one that was never killed.

The killed sweeps are forked from this process and end as if by SIGKILL, before or after every call that changes the folder;
and at twenty random moments. Every round saves a checkpoint, so that most moments lie within a run.
"""

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from test_sweep import tree

from fedtheory.cli import main
from fedtheory.runs import loop, store

PLAN = """
rounds = {rounds}
seeds = [0, 1]
stop = "none"
[[problem]]
data = "breast-cancer"
features = "mean"
standardise = true
l2 = 0.1
m = 3
[[method]]
name = "fedavg"
E = 2
[[method]]
name = "scaffold"
E = 2
"""
MOMENTS = 20
CALLS = (  # everything that changes the folder of a sweep
    (os, "replace"), (os, "mkdir"), (os, "unlink"), (os, "rmdir"), (store, "write_npz"), (Path, "write_text"),
    (Path, "write_bytes"), (store.shutil, "rmtree"),
)  # fmt: skip

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def sweep(folder, rounds=3, *more):
    """The command line of the sweep into a folder; the plan lies beside it."""
    path = folder.parent / "plan.toml"
    path.write_text(PLAN.format(rounds=rounds))
    return ["sweep", str(path), "--out", str(folder), "--jobs", "1", *more]


def forked(work):
    """The process that does `work` and then ends, without any of pytest's own endings."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        try:
            loop.SAVE_SECONDS = loop.SAVE_SHARE = 0.0
            work()
        finally:
            os._exit(0)
    return pid


def count_calls(line, die_at=None):
    """Run a sweep and count the moments before and after every call that changes the folder; die at one of them."""
    moment = 0

    def tick():
        nonlocal moment
        if moment == die_at:
            os.kill(os.getpid(), signal.SIGKILL)
        moment += 1

    def counted(real):
        def call(*args, **kwargs):
            tick()
            out = real(*args, **kwargs)
            tick()
            return out

        return call

    for owner, name in CALLS:
        setattr(owner, name, counted(getattr(owner, name)))
    main(line)
    return moment


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a sweep that was never killed, as bytes."""
    folder = tmp_path_factory.mktemp("whole") / "runs"
    assert main(sweep(folder)) == 0
    return tree(folder)


def moments(line):
    """How many moments a sweep has, counted in a process of its own."""
    read, write = os.pipe()
    os.waitpid(forked(lambda: os.write(write, str(count_calls(line)).encode())), 0)
    return int(os.read(read, 100))


def test_killed_before_and_after_every_write_and_rename(tmp_path, whole, record_property):
    n = moments(sweep(tmp_path / "count"))
    assert n > 100  # four runs with a checkpoint a round
    lost, different = 0, 0
    tried = range(0, n, max(1, n // 120))
    for k in tried:
        folder = tmp_path / f"at{k}"
        _, status = os.waitpid(forked(lambda k=k, folder=folder: count_calls(sweep(folder), k)), 0)
        assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        assert main(sweep(folder)) == 0
        found = tree(folder)
        lost += len(set(whole) - set(found))
        different += found != whole
    record_property("kills", len(tried))
    print(f"kills tried {len(tried)}, files lost {lost}, folders different {different}")
    assert (lost, different) == (0, 0)


def test_killed_at_twenty_random_moments(tmp_path):
    """Long enough runs that the moments fall into them; the same folder is killed until it is finished."""
    whole = tmp_path / "whole"
    began = time.monotonic()
    os.waitpid(forked(lambda: main(sweep(whole, 60))), 0)
    seconds = time.monotonic() - began
    rng, kills = random.Random(1), 0
    for k in range(MOMENTS):
        folder = tmp_path / f"at{k}"
        pid = forked(lambda folder=folder: main(sweep(folder, 60)))
        time.sleep(rng.uniform(0, seconds))
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        kills += os.WIFSIGNALED(status)
        assert main(sweep(folder, 60)) == 0
        assert tree(folder) == tree(whole)
    assert kills >= MOMENTS // 2  # the others were finished before
    print(f"kills tried {kills}, runs lost 0, bytes different 0")


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
    rounds = 400
    assert main(sweep(tmp_path / "whole", rounds)) == 0
    line = [*sweep(tmp_path / "runs", rounds)[:-1], "2"]
    root = Path(__file__).parents[2]
    env = {**os.environ, "PYTHONPATH": str(root)}
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
