"""A measurement in a fresh process with one thread: its time and its memory belong to nothing else.

``python -m benchmarks.fresh MODULE:FUNCTION JSON`` calls the function with the arguments of the JSON object and prints
what it returns as JSON, with the ``baseline``: the peak memory of the interpreter after the imports.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
THREADS = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
)  # fmt: skip


class Failed(Exception):
    """A measurement that ended without a result."""


def fresh(function: Callable[..., dict[str, Any]], **arguments: Any) -> dict[str, Any]:
    """What a module's function returns in a process of its own, whose BLAS has one thread from the start.

    Raises
    ------
    Failed
        If the process ends with an error.
    """
    call = [
        sys.executable,
        "-m",
        "benchmarks.fresh",
        f"{function.__module__}:{function.__name__}",
        json.dumps(arguments),
    ]
    env = {**os.environ, **dict.fromkeys(THREADS, "1")}
    done = subprocess.run(call, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise Failed(f"{function.__name__}({arguments}) ended with status {done.returncode}")
    return dict(json.loads(done.stdout))


def peak() -> int:
    """Largest resident memory of this process so far, in bytes.

    Linux hands the ru_maxrss of a process down to what it starts, so there the process's own high-water mark is read.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return next(1024 * int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main(target: str, arguments: str) -> None:
    """Call `target` and print its result."""
    module, _, name = target.partition(":")
    function = getattr(importlib.import_module(module), name)
    baseline = peak()
    print(json.dumps({"baseline": baseline, **function(**json.loads(arguments))}))


if __name__ == "__main__":
    main(*sys.argv[1:])
