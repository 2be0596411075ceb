"""How long the runs of a plan take, before any of them begins: a few rounds of each kind, and how many runs there are of it.

Runs that differ in their seeds alone are of one kind. A kind is run for one round, once more, and for a few, in folders that are
thrown away, and what a round takes is the difference of the last two; a run that ends early takes less.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ..errors import UsageError
from ..results.spec import Spec
from ..runs import store
from ..show.runs import table
from .work import Work, plan_of, problems_of

if TYPE_CHECKING:
    from rich.console import Console

ROUNDS = 4  # of the longer of the two runs
HOUR = 3600.0


class Kind(NamedTuple):
    """The runs that differ in their seeds alone.

    Attributes
    ----------
    of : Spec
        One of them.
    runs, left : int
        How many there are, and how many are not at hand.
    seconds : float
        Of processor time a run; 0 where all are at hand.
    """

    of: Spec
    runs: int
    left: int
    seconds: float


def cell(spec: Spec) -> str:
    """What runs that differ in their seeds alone are called."""
    labels = spec.labels
    words = [str(labels.get(k, "")) for k in ("problem", "method", "setting")]
    axes = [f"{k} = {v}" for k, v in dict(labels.get("axes") or {}).items()]
    return ", ".join([*(word for word in words if word), *axes])


def kinds(chosen: Sequence[Spec], folder: str) -> list[Kind]:
    """The kinds of runs of a plan, with the seconds that each run takes."""
    together: dict[str, list[Spec]] = {}
    for spec in chosen:
        together.setdefault(store.key(replace(spec, seed=0).inputs("")), []).append(spec)
    found = []
    for own in together.values():
        left = [spec for spec in own if store.load(folder, plan_of(spec, problems_of(spec)).inputs()) is None]
        found.append(Kind(own[0], len(own), len(left), _seconds(left[0]) if left else 0.0))
    return found


def _seconds(spec: Spec) -> float:
    """Processor time of a whole run, its problem at hand."""
    problems_of(spec).setup(spec.seed)
    few = min(ROUNDS, spec.rounds)
    first, short, longer = (_took(replace(spec, rounds=n)) for n in (1, 1, few))
    each = max(0.0, longer - short) / max(1, few - 1)
    return min(first, short) + each * (spec.rounds - 1)


def _took(spec: Spec) -> float:
    with tempfile.TemporaryDirectory() as folder:
        began = time.process_time()
        outcome = Work(folder)(spec)
        took = time.process_time() - began
    if outcome.state == "failed":
        raise UsageError(f"{spec.title()}: {outcome.said}")
    return took


def tell(found: Sequence[Kind], out: Console) -> None:
    """Show a line a kind, and the sum of all."""
    shown = table("problem", "method", "runs", "left", "seconds a run", right=("runs", "left", "seconds a run"))
    for kind in found:
        called, axes = kind.of.labels, kind.of.labels["axes"]
        words = [called["method"], called["setting"], *(f"{k} = {v}" for k, v in axes.items())]
        seconds = f"{kind.seconds:.3g}" if kind.left else "-"
        shown.add_row(called["problem"], ", ".join(w for w in words if w), str(kind.runs), str(kind.left), seconds)
    out.print(shown)
    runs, left = (sum(getattr(kind, name) for kind in found) for name in ("runs", "left"))
    hours = sum(kind.left * kind.seconds for kind in found) / HOUR
    out.print(f"{runs} runs, {left} of them to be run: {hours:.2g} hours of processor time", highlight=False)
