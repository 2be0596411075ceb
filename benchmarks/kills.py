"""Sweeps that are killed and go on: how many kills were tried, and what of the results was lost or is not the same."""

from __future__ import annotations

import io
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from fedtheory.cli import main
from fedtheory.errors import UsageError
from fedtheory.runs import loop, store

from .report import Row

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
SHORT, LONG = 3, 60  # rounds of a sweep that is killed at its calls, and at random moments
AT_CALLS, AT_RANDOM = 120, 20  # kills of each kind, about
CALLS = (  # everything that changes the folder of a sweep
    (os, "replace"), (os, "mkdir"), (os, "unlink"), (os, "rmdir"), (store, "write_npz"), (Path, "write_text"),
    (Path, "write_bytes"), (store.shutil, "rmtree"),
)  # fmt: skip


@dataclass
class Count:
    """What became of killed sweeps that went on.

    Attributes
    ----------
    kills : int
        Processes that ended by SIGKILL.
    lost : int
        Files of finished runs that are not there.
    different : int
        Bytes that are not the same, in files that are there or should not be.
    """

    kills: int = 0
    lost: int = 0
    different: int = 0

    def add(self, killed: bool, whole: Mapping[str, bytes], found: Mapping[str, bytes]) -> None:
        """One more sweep beside one that was never killed."""
        self.kills += killed
        self.lost += len(set(whole) - set(found))
        for name, content in found.items():
            other = whole.get(name, b"")
            self.different += sum(a != b for a, b in zip(content, other, strict=False)) + abs(len(content) - len(other))


def possible() -> bool:
    """Whether processes can be forked here."""
    return hasattr(os, "fork")


def benchmark(quick: bool, say: Callable[[str], None]) -> list[Row]:
    """Kill sweeps before and after the calls that change their folder, and at random moments.

    Raises
    ------
    UsageError
        Where processes cannot be forked.
    """
    if not possible():
        raise UsageError("kills needs os.fork, which this system has not")
    part = 10 if quick else 1
    rows = []
    with tempfile.TemporaryDirectory() as at:
        for what, count, most in (
            ("before and after the calls that change the folder", at_calls, AT_CALLS), ("at random moments", at_random, AT_RANDOM),
        ):  # fmt: skip
            folder = Path(at) / count.__name__
            folder.mkdir()
            say(what)
            found = count(folder, most // part)
            how = f"{found.kills} kills {what}"
            rows += [Row("files lost", found.lost, 0, "", how), Row("bytes different", found.different, 0, "", how)]
    return rows


def at_calls(folder: Path, most: int, part: int = 0, of: int = 1) -> Count:
    """Kill a sweep before and after every call that changes its folder, or at `most` of these moments, evenly; a part of them."""
    whole = unkilled(folder / "whole", SHORT)
    line = sweep(folder / "count", SHORT)
    read, write = os.pipe()
    os.waitpid(forked(lambda: os.write(write, str(count_calls(line)).encode())), 0)
    n = int(os.read(read, 100))
    count = Count()
    for k in range(0, n, max(1, n // most))[part::of]:
        own = folder / f"at{k}"
        _, status = os.waitpid(forked(partial(count_calls, sweep(own, SHORT), k)), 0)
        quietly(sweep(own, SHORT))
        count.add(os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, whole, tree(own))
    return count


def at_random(folder: Path, most: int) -> Count:
    """Kill a sweep of long runs, which save a checkpoint every round, at random moments."""
    began = time.monotonic()
    whole = unkilled(folder / "whole", LONG)
    seconds = time.monotonic() - began
    rng, count = random.Random(1), Count()
    for k in range(most):
        own = folder / f"at{k}"
        pid = forked(partial(main, sweep(own, LONG)))
        time.sleep(rng.uniform(0, seconds))
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        quietly(sweep(own, LONG))
        count.add(os.WIFSIGNALED(status), whole, tree(own))
    return count


def sweep(folder: Path, rounds: int = SHORT, *more: str) -> list[str]:
    """The command line of the sweep into a folder; the plan lies beside it."""
    path = folder.parent / "plan.toml"
    path.write_text(PLAN.format(rounds=rounds))
    return ["sweep", str(path), "--out", str(folder), "--jobs", "1", *more]


def unkilled(folder: Path, rounds: int) -> dict[str, bytes]:
    """The files of a sweep that was never killed."""
    quietly(sweep(folder, rounds))
    return tree(folder)


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of a folder by its name, with its bytes; of times only that they are there."""
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    return {str(p.relative_to(folder)): b"" if p.name == "timing.json" else p.read_bytes() for p in files}


def quietly(line: list[str]) -> None:
    """Run a command to its end, without its output; what it builds the killed ones have as well."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        main(line)


def forked(work: Callable[[], Any]) -> int:
    """The process that does `work` and then ends, without the endings of this one; a checkpoint is saved every round."""
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


def count_calls(line: list[str], die_at: int | None = None) -> int:
    """Run a sweep and count the moments before and after every call that changes the folder; die at one of them."""
    moment = 0

    def tick() -> None:
        nonlocal moment
        if moment == die_at:
            os.kill(os.getpid(), signal.SIGKILL)
        moment += 1

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            tick()
            out = real(*args, **kwargs)
            tick()
            return out

        return call

    for owner, name in CALLS:
        setattr(owner, name, counted(getattr(owner, name)))
    main(line)
    return moment
