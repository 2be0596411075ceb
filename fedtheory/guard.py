"""Guards: what ends a call that does not end by itself.

Counts bound what the engines do, and a guard stands outside of them, for the calls that a count does not bound. It is wide: it
fires where something is wrong, and what it ends gives no answer. No verdict that is kept or shipped depends on one; the report
says where one has fired.
"""

from __future__ import annotations

import functools
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

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
    clock = _clock()
    call = _Call(f"{what} gave no answer in {seconds:g} s", clock, clock() + seconds, _until.get(), _fired.get(), stop)
    try:
        _watch().begin(call)
        yield
    finally:
        _watch().end(call)


@dataclass(eq=False)
class _Call:
    """A call that is guarded: what to say and to do where it does not end by itself, and when."""

    complaint: str
    clock: Callable[[], float]
    end: float  # of its clock
    until: float  # of the clock on the wall
    fired: list[str] | None
    stop: Callable[[], None]
    over: bool = False
    told: bool = False

    def left(self) -> float:
        """Seconds for which nothing is to be done: at least so many pass on the wall."""
        left = min(self.end - self.clock(), self.until - time.monotonic())
        return max(left, AGAIN) if self.told else left

    def tell(self) -> None:
        """End it; that it was ended is entered once."""
        if self.fired is not None and not self.told:
            self.fired.append(self.complaint)
        self.told = True
        self.stop()


class _Watch:
    """A thread that sees to the calls that are guarded, of which a claim has thousands that end at once.

    It sleeps until the first of them may be over time, also where that one has ended long ago: a call that begins or ends wakes
    it only where it would sleep too long.
    """

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.calls: list[_Call] = []
        self.wakes = float("inf")  # of the clock on the wall
        threading.Thread(target=self._see, daemon=True).start()

    def begin(self, call: _Call) -> None:
        """Guard it from now on."""
        with self.changed:
            self.calls.append(call)
            if time.monotonic() + call.left() < self.wakes:
                self.changed.notify()

    def end(self, call: _Call) -> None:
        """Leave it alone: once this returns it is not told to stop any more, or a late stop would end the next call."""
        call.over = True
        with self.changed:  # not while it is being told
            return

    def _see(self) -> None:
        with self.changed:
            while True:
                self.calls = [call for call in self.calls if not call.over]
                left = min((call.left() for call in self.calls), default=float("inf"))
                self.wakes = time.monotonic() + left
                self.changed.wait(None if left == float("inf") else min(left, threading.TIMEOUT_MAX))
                for call in self.calls:
                    if not call.over and (call.told or call.left() <= 0):
                        call.tell()


@functools.cache
def _watch() -> _Watch:
    """The one of this process."""
    return _Watch()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_watch.cache_clear)  # a copy of a process has none of its threads


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
