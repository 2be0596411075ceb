"""Work on the workers of a dask.distributed scheduler, with the promises of `fedtheory.processes`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

from ..errors import UsageError
from .pool import Died

Item = TypeVar("Item")
Result = TypeVar("Result")

SECONDS = 10  # to find the scheduler in


def each(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    scheduler: str,
    *,
    died: Callable[[Item], Result] | None = None,
    cost: Callable[[Item], float] = lambda item: 0.0,
) -> Generator[tuple[int, Result], None, None]:
    """``(position, work(item))`` of every item as it comes from the workers.

    Parameters
    ----------
    work, items, died, cost
        As in `fedtheory.processes.each`. Where `work` reads or writes files, every worker must see them.
    scheduler : str
        Address such as ``tcp://10.0.0.1:8786``. Its workers need fedtheory, of this version.

    Raises
    ------
    UsageError
        If dask.distributed is not installed, or there is no scheduler at the address.
    Died
        If workers died over an item and there is no `died`.
    Exception
        What `work` raises.
    """
    try:
        from distributed import Client, KilledWorker, as_completed
    except ImportError:
        raise UsageError('--scheduler needs dask.distributed; pip install "fedtheory[cluster]"') from None
    try:
        client = Client(scheduler, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"--scheduler {scheduler} cannot be reached: {' '.join(str(error).split())}") from None
    with client:
        order = sorted(range(len(items)), key=lambda k: -cost(items[k]))
        futures = {client.submit(work, items[k], pure=False, priority=-rank): k for rank, k in enumerate(order)}
        try:
            for future in as_completed(list(futures), loop=client.loop):
                k, raised = futures[future], future.exception()
                if isinstance(raised, KilledWorker) and died is not None:
                    yield k, died(items[k])
                elif isinstance(raised, KilledWorker):
                    raise Died("workers of the cluster died over one piece of work")
                elif raised is not None:
                    raise raised
                else:
                    yield k, future.result()
        finally:
            client.cancel(list(futures))
