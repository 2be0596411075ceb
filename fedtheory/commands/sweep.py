"""fedtheory sweep and merge: every run of a plan in several processes or on a cluster, kept, resumed and retried."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..processes import TRIES, cores, each, workers_of
from ..registry import method
from ..results.spec import Spec
from ..runs import store
from . import hours
from .plan import read, specs
from .run import check_folder
from .terminal import INTERRUPTED, bar, consoles
from .work import Outcome, Work, named, problems_of

if TYPE_CHECKING:
    from rich.console import Console

FAILED = 3  # exit status
SHOWN = 5  # failures on the terminal


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the commands."""
    sweep = commands.add_parser("sweep")
    sweep.add_argument("plan", metavar="PLAN.toml", help="problems and methods; every list is an axis of the grid")
    add_arguments(sweep)
    sweep.add_argument("--shard", metavar="i/N", help="the i-th of N parts of the plan, for job arrays")
    sweep.set_defaults(run=main)
    merge = commands.add_parser("merge")
    merge.add_argument("folders", nargs="+", metavar="FOLDER", help="folders of runs")
    merge.add_argument("--out", required=True, metavar="FOLDER", help="where all of them go")
    merge.set_defaults(run=merged)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of many runs."""
    parser.add_argument("--out", default="runs", metavar="FOLDER", help="where runs are kept (default: runs)")
    parser.add_argument("--jobs", type=int, help="processes (default: one a core)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="run on the workers of a dask.distributed scheduler")
    parser.add_argument("--hours", action="store_true", help="how long it takes, by a few rounds of each; runs nothing")
    parser.add_argument("--retry", action="store_true", help="run again what failed before")


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    out, err = consoles()
    chosen = shard(specs(read(o.plan), o.plan), o.shard)
    check(o)
    if o.hours:
        return hours_of(chosen, o, out)
    outcomes, whole = run_all(chosen, o, err)
    tell(outcomes, chosen, o.out, out, err)
    if not whole:
        err.print("interrupted; the same command goes on", highlight=False)
        return INTERRUPTED
    return FAILED if any(x.state == "failed" for x in outcomes.values()) else 0


def merged(o: argparse.Namespace) -> int:
    """Run the command merge."""
    out, _ = consoles()
    check_folder(o.out)
    new = store.merge(o.folders, o.out)
    out.print(f"{new} runs copied to {o.out}, which holds {len(store.runs(o.out))}", highlight=False)
    return 0


def check(o: argparse.Namespace) -> None:
    """Raise UsageError unless the options of many runs can be used."""
    if o.jobs is not None and o.jobs < 1:
        raise UsageError(f"--jobs must be at least 1, got {o.jobs}")
    if o.jobs is not None and o.scheduler:
        raise UsageError("--jobs is of processes here, and --scheduler of workers elsewhere; give one of them")
    check_folder(o.out)


def run_all(chosen: Sequence[Spec], o: argparse.Namespace, err: Console) -> tuple[dict[int, Outcome], bool]:
    """(what became of every run by its position, whether it came to the end).

    Every problem is built once before anything runs, so that what does not fit is refused at once.
    """
    preflight(chosen)
    work = Work(o.out)
    outcomes: dict[int, Outcome] = {}
    for k, spec in enumerate(chosen):
        if not o.retry and store.failure(o.out, named(spec)).is_file():
            outcomes[k] = Outcome("failed", said="failed before; --retry runs it again")
    todo = [k for k in range(len(chosen)) if k not in outcomes]
    costs = [chosen[k].cost(method(chosen[k].method)) for k in todo]

    def died(spec: Spec) -> Outcome:
        return work.fail(spec, RuntimeError(f"{TRIES} worker processes died over this run: killed, or out of memory"))

    items = [chosen[k] for k in todo]
    with workers_of(o.scheduler), bar(err, "sweep", remaining=True) as progress:
        task = progress.add_task("", total=sum(costs))
        done = each(work, items, o.jobs or cores(), died=died, cost=lambda spec: spec.cost(method(spec.method)))
        try:
            with closing(done):
                for k, outcome in done:
                    outcomes[todo[k]] = outcome
                    progress.update(task, advance=costs[k], description=items[k].title())
        except KeyboardInterrupt:
            return outcomes, False
    return outcomes, True


def hours_of(chosen: Sequence[Spec], o: argparse.Namespace, out: Console) -> int:
    """Show how long the runs take that are not at hand."""
    preflight(chosen)
    hours.tell(hours.kinds(chosen, o.out), out)
    return 0


def preflight(chosen: Sequence[Spec]) -> None:
    """Raise UsageError where a problem cannot be built, or a method does not fit it."""
    from .run import check_batch

    seen: set[str] = set()
    for spec in sorted(chosen, key=lambda s: store.key({"problem": s.problem})):  # so that each is built once
        name = store.key({"p": spec.problem, "m": spec.method, "o": spec.options, "b": spec.backend, "d": spec.device})
        if name in seen:
            continue
        seen.add(name)
        setup = problems_of(spec).setup(spec.seed)
        method(spec.method).make(dict(spec.options), setup.problem)
        check_batch(spec.method, spec.options.get("batch"), setup)
        if spec.measure == "accuracy" and setup.test is None:
            raise UsageError(f"{spec.problem['data']}: measure = 'accuracy' needs train, the share for training")


def shard(all_of_them: list[Spec], part: str | None) -> list[Spec]:
    """Every N-th run of a plan, the longest dealt first.

    Raises
    ------
    UsageError
        If the part is not such as 2/8.
    """
    if part is None:
        return all_of_them
    match = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", part)
    if not match or int(match[1]) > int(match[2]):
        raise UsageError(f"--shard must be i/N with 1 <= i <= N, such as 2/8, got {part!r}")
    order = sorted(range(len(all_of_them)), key=lambda k: -all_of_them[k].cost(method(all_of_them[k].method)))
    mine = set(order[int(match[1]) - 1 :: int(match[2])])
    return [spec for k, spec in enumerate(all_of_them) if k in mine]


def tell(outcomes: dict[int, Outcome], chosen: Sequence[Spec], folder: str, out: Console, err: Console) -> None:
    """How many runs there are of each kind, and what failed or was damaged."""
    counts = Counter(x.state for x in outcomes.values())
    left = len(chosen) - len(outcomes)
    said = [
        f"{counts[s]} {word}"
        for s, word in (("run", "run now"), ("loaded", "at hand"), ("failed", "failed"))
        if counts[s]
    ]
    said += [f"{left} not reached"] if left else []
    out.print(f"{len(chosen)} runs in {folder}: {', '.join(said)}", highlight=False, soft_wrap=True)
    for _, outcome in sorted(outcomes.items()):
        if outcome.state != "failed" and outcome.said:
            err.print(f"run again: {outcome.said}", highlight=False, markup=False, soft_wrap=True)
    failed = [(k, x) for k, x in sorted(outcomes.items()) if x.state == "failed"]
    for k, x in failed[:SHOWN]:
        err.print(f"failed: {chosen[k].title()}: {x.said}", highlight=False, markup=False, soft_wrap=True)
    if failed:
        more = f" and {len(failed) - SHOWN} more" if len(failed) > SHOWN else ""
        err.print(
            f"tracebacks in {folder}/*.failed.json{more}; --retry runs them again", highlight=False, soft_wrap=True
        )
