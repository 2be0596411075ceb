"""Work in several processes: one item at a time for each, and a process that dies costs one item's time.

Workers leave signals to their parent, and end by themselves when it has ended, however it did.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from os import _exit  # of this process, whatever a body makes of os._exit
from typing import Any, TypeVar

from ..own_packages import ours_first

Item = TypeVar("Item")
Result = TypeVar("Result")

TRIES = 2  # workers that one item may cost
CHECKED = 1.0  # seconds between looks at how long a worker takes
STARTS = 5  # workers in a row that may die before their first item


_scheduler: ContextVar[str | None] = ContextVar("scheduler", default=None)


class Died(Exception):
    """Worker processes died."""


@contextmanager
def workers_of(scheduler: str | None) -> Iterator[None]:
    """What `each` is asked for within goes to the workers of a dask.distributed scheduler; None is processes here."""
    token = _scheduler.set(scheduler)
    try:
        yield
    finally:
        _scheduler.reset(token)


def each(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    jobs: int,
    *,
    died: Callable[[Item], Result] | None = None,
    cost: Callable[[Item], float] = lambda item: 0.0,
    limit: float | None = None,
    late: Callable[[Item], Result] | None = None,
) -> Generator[tuple[int, Result], None, None]:
    """``(position, work(item))`` of every item as it comes; in this process, in order, if there is one job or one item.

    Workers end when the iteration is left. Within `workers_of` a scheduler, its workers do all of it.

    Parameters
    ----------
    work : callable
        Goes to each process once, by its import path, so that what it loads there is loaded once a process.
    items : sequence
    jobs : int
        Processes.
    died : callable, optional
        Gives the result of an item whose worker died, and then the worker that tried it again.
    cost : callable
        The items of the largest cost begin first.
    limit, late : float and callable, optional
        A worker is killed that takes more than so many seconds over one item, and `late` gives its result; where there is no
        worker, nothing is.

    Raises
    ------
    Died
        If workers died over an item and there is no `died`, or workers cannot be started.
    Exception
        What `work` raises.
    """
    if (scheduler := _scheduler.get()) is not None:
        from .cluster import each as on_cluster  # not at the top: it stands on this module

        yield from on_cluster(work, items, scheduler, died=died, cost=cost)
        return
    if jobs == 1 or len(items) < 2:
        yield from ((k, work(item)) for k, item in enumerate(items))
        return
    yield from _by_workers(work, items, jobs, died, cost, limit, late)


def _by_workers(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    jobs: int,
    died: Callable[[Item], Result] | None,
    cost: Callable[[Item], float],
    limit: float | None,
    late: Callable[[Item], Result] | None,
) -> Generator[tuple[int, Result], None, None]:
    """`each` by worker processes of this one."""
    waiting = deque(sorted(range(len(items)), key=lambda k: -cost(items[k])))
    tries, left, stillborn = [0] * len(items), len(items), 0
    workers: list[_Worker] = []
    try:
        while left:
            while len(workers) < min(jobs, left):
                workers.append(_Worker(work))
            for worker in workers:
                if worker.ready and worker.at is None and waiting:
                    worker.at, worker.since = waiting.popleft(), time.monotonic()
                    tries[worker.at] += 1
                    worker.send(items[worker.at])
            for worker in _over(workers, limit) if late is not None else ():
                at = worker.at
                workers.remove(worker)
                worker.end()
                assert at is not None and late is not None
                left -= 1
                yield at, late(items[at])
            for worker in _with_news(workers, None if limit is None else CHECKED):
                said, at, worker.at = worker.receive(), worker.at, None
                if said is None:
                    workers.remove(worker)
                    worker.end()
                    stillborn += not worker.ready
                    if stillborn > STARTS:
                        raise Died(f"{stillborn} worker processes in a row died before they began")
                    if at is None:
                        continue
                    if tries[at] < TRIES:
                        waiting.appendleft(at)
                        continue
                    if died is None:
                        raise Died(f"{TRIES} worker processes died over one piece of work")
                    result = died(items[at])
                elif at is None:
                    worker.ready, stillborn = True, 0
                    continue
                else:
                    fine, result = said
                    if not fine:
                        raise result
                left -= 1
                yield at, result
    finally:
        for worker in workers:
            worker.end()


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Worker:
    """A process and the pipe to it; it says that it is ready, then one answer an item."""

    def __init__(self, work: Callable[[Any], object]) -> None:
        context = get_context("spawn")
        self.ready = False
        self.at: int | None = None  # the item at hand
        self.since = 0.0  # when it got it
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_worker, args=(theirs,), daemon=True)
        with _signals_later():
            self.process.start()
        theirs.close()  # so that the pipe ends with the process
        self.send(work)

    def send(self, what: object) -> None:
        """Send; a process that has died is found out by `receive`."""
        with suppress(BrokenPipeError):
            self.pipe.send(what)

    def receive(self) -> Any:
        """What the process says, or None if it has died."""
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            return None

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _over(workers: list[_Worker], limit: float | None) -> list[_Worker]:
    """The workers that take longer over an item than they may, and have not said anything."""
    now = time.monotonic()
    return [
        w for w in workers if limit is not None and w.at is not None and now - w.since > limit and not w.pipe.poll()
    ]


def _with_news(workers: list[_Worker], seconds: float | None) -> list[_Worker]:
    """The workers that have said something or died, once there is one or so many seconds have passed."""
    news = wait([w.pipe for w in workers], seconds)
    return [w for w in workers if w.pipe in news]


@contextmanager
def _signals_later() -> Iterator[None]:
    """Block the signals that end a command: a process that is started here never gets them, this one gets them afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # not on Windows
        yield
        return
    resource_tracker.ensure_running()  # when it starts by itself, it unblocks them
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _worker(pipe: Connection) -> None:
    """What a worker process does: it gets its work, then items, and answers each with (True, result) or (False, error)."""
    ours_first()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        work = pipe.recv()
        pipe.send("ready")
        while True:
            item = pipe.recv()
            try:
                answer = (True, work(item))
            except Exception as error:
                answer = (False, _sendable(error))
            pipe.send(answer)
    except (EOFError, BrokenPipeError):  # the parent has ended
        return


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    _exit(1)


def _sendable(error: Exception) -> Exception:
    """The error, or what it says where it cannot be sent to another process."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # whatever somebody else's error does when it is copied
        return RuntimeError("".join(traceback.format_exception(error)))
    return error
