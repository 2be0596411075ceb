"""What a page shows of runs that are no longer there: the figures of every seed that the paper keeps of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..errors import UsageError
from ..formats import Document
from ..results.groups import Cell, Figures, Group, figure
from ..results.spec import Spec
from .hours import cell
from .work import by_problem, is_kept

SHOWS = ("trend", "accuracy", "rounds")  # pictures of figures; curves and costs need the runs
ROUNDS = figure("communications")


def with_runs(chosen: Sequence[Spec], folder: str) -> list[Spec]:
    """Those whose runs are in a folder, finished."""
    there = {id(spec) for spec in by_problem(chosen) if is_kept(folder, spec)}
    return [spec for spec in chosen if id(spec) in there]


def without_runs(
    table: Document, chosen: Sequence[Spec], groups: Sequence[Group], kept: Sequence[Figures]
) -> tuple[list[Cell], list[Spec], list[str]]:
    """The cells of a page that runs nothing.

    Parameters
    ----------
    table : mapping
        Its settings.
    chosen : sequence of Spec
        Its runs.
    groups : sequence of Group
        Those that are there.
    kept : sequence of Figures
        What is kept of others. It counts where it has more seeds than the runs.

    Returns
    -------
    tuple
        The cells in the order of the table; a spec of each run of them; a line that says what is not run.

    Raises
    ------
    UsageError
        If there is no cell.
    """
    plans: dict[str, list[Spec]] = {}
    for spec in chosen:
        plans.setdefault(_name(spec.labels), []).append(spec)
    here: dict[str, Cell] = {_name(vars(g)): g for g in groups}
    for c in kept if table["shows"] in SHOWS else ():
        name = _name(vars(c))
        whole = table["shows"] != "trend" or all(map(c.has, table["show"]["columns"]))
        if whole and name in plans and len(c.seeds()) > len(here[name].seeds() if name in here else ()):
            rounds = {spec.seed: float(spec.rounds) for spec in plans[name] if spec.seed in c.seeds()}
            here[name] = Figures(c.problem, c.method, c.setting, c.axes, {ROUNDS: rounds, **c.kept})
    if not here:
        raise UsageError(f"--finished: none of the {len(chosen)} runs is there, and no figures are kept of them")
    cells = [here[name] for name in plans if name in here]
    shown = [s for name in plans if name in here for s in plans[name] if s.seed in here[name].seeds()]
    some = Counter(map(cell, shown))
    left = {c: n - some[c] for c, n in Counter(map(cell, chosen)).items() if n > some[c]}
    said = [f"not run: {'; '.join(f'{c} ({n} runs)' for c, n in left.items())}"] if left else []
    return cells, shown, said


def _name(labels: Document) -> str:
    axes = sorted(dict(labels.get("axes") or {}).items())
    return str([labels["problem"], labels["method"], labels.get("setting", ""), axes])
