"""Guards: what ends a call that does not end by itself.

Counts bound what the engines do, and a guard stands outside of them, for the calls that a count does not bound. It is wide: it
fires where something is wrong, and what it ends gives no answer. No verdict that is kept or shipped depends on one; the report
says where one has fired.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

CLAIM = 3600.0  # seconds that one claim may take, unless a command says otherwise
AGAIN = 1.0  # seconds after which what was to end is told so once more

_fired: ContextVar[list[str] | None] = ContextVar("fired", default=None)
_until: ContextVar[float] = ContextVar("until", default=float("inf"))  # of the clock on the wall


class OverTime(BaseException):
    """A claim takes longer than it may; not an Exception, so that no engine takes it for one of its own."""


@contextmanager
def noting() -> Iterator[list[str]]:
    """What was ended within, in words."""
    fired: list[str] = []
    token = _fired.set(fired)
    try:
        yield fired
    finally:
        _fired.reset(token)


def note(what: str) -> None:
    """Enter that a guard has fired."""
    if (fired := _fired.get()) is not None:
        fired.append(what)


@contextmanager
def guarded(what: str, seconds: float, stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop`, from another thread, once this one has computed for so many seconds within, or its claim is over time.

    The seconds are those of this thread's processor time, so that a busy machine changes nothing.
    """
    done, fired = threading.Event(), _fired.get()
    clock, until = _clock(), _until.get()
    end = clock() + seconds

    def watch() -> None:
        while (left := min(end - clock(), until - time.monotonic())) > 0:
            if done.wait(min(left, threading.TIMEOUT_MAX)):
                return
        if fired is not None and not done.is_set():
            fired.append(f"{what} gave no answer in {seconds:g} s")
        while not done.is_set():
            stop()
            done.wait(AGAIN)

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        done.set()
        watching.join()  # or a late stop would end the next call


def overtime(what: str, seconds: float) -> Callable[..., bool]:
    """What a loop of a library's asks at each of its steps: whether this thread has computed for so many seconds since, or its
    claim is over time. That a guard has fired is entered once.
    """
    clock, until = _clock(), _until.get()
    end, told = clock() + seconds, False

    def over(*_: object) -> bool:
        nonlocal told
        late = clock() >= end or time.monotonic() >= until
        if late and not told:
            told = True
            note(f"{what} gave no answer in {seconds:g} s")
        return late

    return over


def _clock() -> Callable[[], float]:
    """The processor time of the thread that asks; the time on the wall where there is no such clock."""
    if not hasattr(time, "pthread_getcpuclockid"):  # not on Windows
        return time.monotonic
    own = time.pthread_getcpuclockid(threading.get_ident())
    return lambda: time.clock_gettime(own)


@contextmanager
def limited(seconds: float | None) -> Iterator[None]:
    """Raise OverTime within once so many seconds have passed: at the next step of Python, or of a solver that is guarded.

    Only the main thread of a process can be ended so, and none on Windows; elsewhere solvers alone are ended.
    """
    if seconds is None:
        yield
        return
    token = _until.set(time.monotonic() + seconds)
    alarms = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()

    def over(*_: object) -> None:
        raise OverTime

    try:
        if alarms:
            before = signal.signal(signal.SIGALRM, over)
            signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)  # again, as a body may catch all that is raised
        yield
    finally:
        if alarms:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        _until.reset(token)
