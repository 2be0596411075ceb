"""Work in several processes, with its results in order."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_work: Callable[[Any], Any]  # in a worker process: what it was started for


def each(work: Callable[[Item], Result], items: Sequence[Item], jobs: int) -> Generator[Result, None, None]:
    """``work(item)`` of every item, in order; in this process if there is one job or one item.

    `work` goes to each process once, by its import path, so that what it loads there is loaded once a process. What has
    not begun when the iteration is left is not begun any more.
    """
    if jobs == 1 or len(items) < 2:
        yield from map(work, items)
        return
    pool = ProcessPoolExecutor(min(jobs, len(items)), get_context("spawn"), initializer=_start, initargs=(work,))
    try:
        for future in [pool.submit(_one, item) for item in items]:
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _start(work: Callable[[Any], Any]) -> None:
    global _work
    _work = work


def _one(item: Any) -> Any:
    return _work(item)
