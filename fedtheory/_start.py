"""How the program starts; imported before all else, and nothing happens where fedtheory is imported by another program.

Ctrl-C while it is being imported says one line and exit status 130, as afterwards. Python does not look for circles of objects
once more when it ends, for which it took a seventh of the time that the papers' claims take.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # signal itself takes ten times as long to import
import atexit
import gc
import os
import sys

INTERRUPTED = 130  # exit status


def _stop(number: int, frame: object) -> None:
    """End at once: nothing has been begun, and an exception might be lost in the midst of an import."""
    os.write(2, b"fedtheory: interrupted\n")
    os._exit(INTERRUPTED)


def _program() -> bool:
    """Whether this process is ``fedtheory`` or ``python -m fedtheory``; a worker process of either is not."""
    name, words = sys.argv[0] if sys.argv else "", sys.orig_argv
    if name == "-m":  # as it is until the module that is asked for is found
        return words[words.index("-m") + 1].split(".")[0] == __package__ if "-m" in words[:-1] else False
    return name in words and os.path.splitext(os.path.basename(name))[0] == __package__


if _program():
    signal.signal(signal.SIGINT, _stop)
    atexit.register(gc.freeze)
