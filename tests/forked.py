"""A command in a process of its own that is a copy of this one: it is isolated, and what it imports has been imported."""

import gc
import importlib
import os
import sys
import tempfile
import traceback
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Done:
    """What a process leaves, as that of ``subprocess.run`` with text."""

    returncode: int
    stdout: str
    stderr: str


# what most commands import
NEEDED = (
    "fedtheory.commands.verify", "fedtheory.referee.decide", "fedtheory.engines.search.engine", "scipy.optimize", "sympy",
    "z3",
)  # fmt: skip


def forked(call, *, cwd, env=None):
    """Call a function of no arguments in a copy of this process, in a folder, with the environment of a new one.

    Its status is what the function returns, 1 where it raises. For what depends on a start of Python (what is imported, what
    is installed, signals, encodings) take ``subprocess``.
    """
    for name in NEEDED:  # once, and not in every copy
        importlib.import_module(name)
    env = {**os.environ} if env is None else env
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, open(os.devnull) as nothing:
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if not pid:
            gc.freeze()  # what is here already is no garbage of the command
            _ends_with(call, Path(cwd), env, (nothing, out, err))
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return Done(status, *(_text(stream) for stream in (out, err)))


def _ends_with(call, cwd, env, streams):
    """The rest of the copy."""
    status = 1
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream.fileno(), number)
        sys.stdin, sys.stdout, sys.stderr = (os.fdopen(n, mode, encoding="utf-8") for n, mode in enumerate("rww"))
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(env)
        sys.path[:0] = ["", *filter(None, env.get("PYTHONPATH", "").split(os.pathsep))]
        importlib.invalidate_caches()
        status = int(call())
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(status)


def _text(stream):
    stream.seek(0)
    return stream.read().decode()
