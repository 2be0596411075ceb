"""The referee: CPU seconds a claim, budgets against each other, instances a second in the search, the list of claims.

A fixed sample: every tenth claim of all papers by id, with the stored certificates, in one process without a cache.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import process_time
from typing import Any

from fedtheory import registry
from fedtheory.engines.counterexamples import hunt
from fedtheory.engines.search import engine
from fedtheory.referee.decide import verify

from .fresh import fresh
from .report import Row

EVERY, QUICK = 10, 100  # of so many claims one is taken
A_CLAIM, BUDGETS, AN_INSTANCE, LIST = 0.15, 5.0, 10.0, 0.5  # the limits: s, times, microseconds, s
REPEATS = 5  # lists, of which the fastest counts


def benchmark(quick: bool, say: Callable[[str], None]) -> list[Row]:
    """Both budgets on the sample, and the list; with `quick` of a tenth of the claims."""
    found = {}
    for budget in ("quick", "standard"):
        say(f"claims at {budget}")
        found[budget] = fresh(sample_point, budget=budget, every=QUICK if quick else EVERY)
    say("the list of claims")
    listed = fresh(list_point, repeats=1 if quick else REPEATS)["cpu"]
    one, more = found["quick"], found["standard"]
    each, ratio = one["cpu"] / one["claims"], more["cpu"] / one["cpu"]
    rows = [
        Row("quick, CPU a claim", each, A_CLAIM, "s", f"{one['cpu']:.2f} s for {one['claims']} claims"),
        Row("standard against quick", ratio, BUDGETS, "x", f"{more['cpu']:.1f} s against {one['cpu']:.1f} s of CPU"),
    ]
    for budget, of in found.items():
        rate = of["instances"] / of["ranking"]
        how = f"{of['instances']:,} in {of['searching']:.2f} s of search, replays among it; floats alone {rate:,.0f} a second"
        rows.append(
            Row(f"an instance of the search, {budget}", 1e6 * of["searching"] / of["instances"], AN_INSTANCE, "us", how)
        )
    return [*rows, Row("fedtheory list, CPU", listed, LIST, "s", f"the fastest of {REPEATS}")]


def sample_point(budget: str, every: int) -> dict[str, Any]:
    """CPU seconds of the decisions on a sample, of the search in them and of its floats, and the instances of the latter."""
    claims = {id: c for p in registry.papers() for id, c in registry.claims(p).items()}
    chosen = sorted(claims)[::every]
    stored: dict[str, dict[str, Any]] = {}
    for p in registry.papers().values():
        for key, certificate in p.certificates().items():
            stored.setdefault(key.split(" ")[0], {})[key] = certificate
    with metered() as meter:
        start = process_time()
        for id in chosen:
            verify(claims[id], budget=budget, stored=dict(stored.get(id, {})))
        return {"claims": len(chosen), "cpu": process_time() - start, **meter}


@contextmanager
def metered() -> Iterator[dict[str, float]]:
    """What the searches within do: ``instances`` evaluated, CPU seconds of ``searching`` and of ``ranking`` in it."""
    meter = {"instances": 0, "searching": 0.0, "ranking": 0.0}
    plain, evaluate = engine.searched, hunt.ranked
    inside = [False]

    def searched(*args: Any) -> Any:
        start, inside[0] = process_time(), True
        try:
            return plain(*args)
        finally:
            meter["searching"] += process_time() - start
            inside[0] = False

    def ranked(*args: Any, **options: Any) -> Any:
        start = process_time()
        batch = evaluate(*args, **options)
        if inside[0]:
            meter["ranking"] += process_time() - start
            meter["instances"] += len(batch.slack)
        return batch

    engine.searched, hunt.ranked = searched, ranked  # type: ignore[assignment]
    try:
        yield meter
    finally:
        engine.searched, hunt.ranked = plain, evaluate


def list_point(repeats: int) -> dict[str, Any]:
    """CPU seconds of ``fedtheory list`` in a process of its own, of the fastest."""
    seconds = []
    for _ in range(repeats + 1):  # the first one may compile
        before = os.times()
        subprocess.run([sys.executable, "-m", "fedtheory", "list"], stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        seconds.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return {"cpu": min(seconds[1:])}
