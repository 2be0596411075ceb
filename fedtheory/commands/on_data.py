"""fedtheory verify --on DATA: claims evaluated exactly on real clients."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from ..claim import Claim
from ..errors import UsageError
from ..show.on_data import NOT_APPLICABLE, Columns, summary
from ..show.verdicts import FEW
from .problem import clients_in, data_of
from .terminal import INTERRUPTED, bar

if TYPE_CHECKING:
    from rich.console import Console

    from problems.exact.least_squares import LeastSquares

    from ..formats import Json

CLIENTS = 3
UNUSABLE, CRASHED = 2, 3  # exit status


def on_data(o: argparse.Namespace, selected: list[Claim], own: Collection[str], out: Console, err: Console) -> int:
    """Print the clients, and what every claim comes to on them as soon as it is known; ``--json`` writes it.

    Parameters
    ----------
    o : Namespace
        The options.
    selected : list of Claim
        What is evaluated; one that cannot be used costs itself alone.
    own : collection of str
        Ids of the claims of drafts, which are audited as `verify` does.
    out, err : Console
        For tables and for complaints.
    """
    from problems.exact.evaluate import LARGEST_M, exact_clients

    from .. import files
    from ..engines.counterexamples.witness import text
    from ..referee import ledger

    options = options_of(o)
    o.m = clients_in({"data": o.on, **options}, o.m, CLIENTS)
    if not 1 <= o.m <= LARGEST_M:
        raise UsageError(f"--m must be from 1 to {LARGEST_M} with --on, got {o.m}")
    problem = exact_clients(o.on, o.m, seed=o.seed, **options)
    constants = problem.constants()
    out.print(f"on {o.on}, m = {o.m}", style="bold", highlight=False, markup=False, soft_wrap=True)
    for i, k in enumerate(constants):
        L, mu = (f"[{float(a):.10g}, {float(b):.10g}]" for a, b in ((k.L_lower, k.L_upper), (k.mu_lower, k.mu_upper)))
        out.print(f"client {i}: L in {L}, mu in {mu}", highlight=False)
    columns = Columns([c.id for c in selected], out.width)
    every = o.all or len(selected) <= FEW
    rows: list[Json] = []
    status = 0
    out.print(columns.title(), soft_wrap=True)
    try:
        with bar(err, "verify", shown=not out.is_terminal) as progress:  # where rows come there is no need of one
            task = progress.add_task("", total=len(selected))
            for c, row, complaint in _rows(selected, own, problem, o):
                progress.update(task, description=c.id, advance=1)
                if row is None:
                    err.print(f"fedtheory: {complaint}", highlight=False, markup=False, soft_wrap=True)
                    status = max(status, UNUSABLE if complaint.startswith("error: ") else CRASHED)
                    continue
                rows.append(row)
                if every or row["outcome"] != NOT_APPLICABLE:
                    for line in columns.lines(row):
                        out.print(line, soft_wrap=True)
    except KeyboardInterrupt:
        err.print(f"interrupted; {len(rows)} of {len(selected)} claims were evaluated", highlight=False)
        status = INTERRUPTED
    for line in summary(rows, every):
        out.print(line, soft_wrap=True)
    names = ("L_lower", "L_upper", "mu_lower", "mu_upper")
    clients = [{n: text(getattr(k, n)) for n in names} for k in constants]
    data = {"schema": ledger.SCHEMA, "on": o.on, "m": o.m, "seed": o.seed, "clients": clients, "results": rows}
    data["complete"] = not status
    if o.json and (failed := files.tried(lambda: files.write_json(o.json, data, "on_data"))):
        raise UsageError(failed)
    return status


def _rows(
    selected: list[Claim], own: Collection[str], problem: LeastSquares, o: argparse.Namespace
) -> Iterator[tuple[Claim, dict[str, object] | None, str]]:
    """Every claim with its row as it comes, or with why it has none."""
    from ..files import traced
    from ..wellformed.evaluated_twice import audit
    from ..wellformed.shapes import preflight

    for c in selected:
        try:
            if c.id in own:
                preflight(c)
                audit(c)
            yield c, _row(c, problem, o), ""
        except UsageError as error:
            yield c, None, f"error: {error}"
        except SystemExit as error:
            yield c, None, f"error: claim {c.id}: the body ends the program: SystemExit: {error}"
        except Exception as error:
            yield c, None, f"{c.id}: it cannot be evaluated: {type(error).__name__}: {error} ({traced(error)[0][-1]})"


def _row(c: Claim, problem: LeastSquares, o: argparse.Namespace) -> dict[str, object]:
    """What one claim comes to: the worst of its instances."""
    from problems.exact.evaluate import evaluate

    results = evaluate(c, problem, seed=o.seed, name=o.on)
    outcomes = [r.outcome for r in results]
    worst = "refutes" if "refutes" in outcomes else "holds" if "holds" in outcomes else outcomes[0]
    said = {"holds": "holds on these data", "refutes": "fails on these data"}.get(worst, worst)
    slacks = [r.slack for r in results if r.slack is not None]
    note = next((r.reason for r in results if r.reason), "")
    return {"id": c.id, "outcome": said, "instances": outcomes, "slacks": slacks, "note": note}


def options_of(o: argparse.Namespace) -> Json:
    """The partition, the scalings and ``--with``, where they are given."""
    given = {"partition": o.partition, "root": o.root}
    return {k: v for k, v in given.items() if v is not None} | data_of(o, {**given, "m": o.m})
