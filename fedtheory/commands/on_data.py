"""fedtheory verify --on DATA: claims evaluated exactly on real clients."""

from __future__ import annotations

import argparse
from typing import Any

from ..claim import Claim
from ..errors import UsageError
from .problem import data_of
from .terminal import INTERRUPTED


def on_data(o: argparse.Namespace, selected: list[Claim], out: Any, err: Any) -> int:
    """Print the clients and what every claim comes to on them; ``--json`` writes it."""
    from rich.progress import track
    from rich.table import Table

    from problems.exact.evaluate import evaluate, exact_clients

    from .. import files
    from ..referee import ledger
    from ..referee.witness import text

    problem = exact_clients(o.on, o.m, seed=o.seed, **options_of(o))
    constants = problem.constants()
    for i, k in enumerate(constants):
        L, mu = (f"[{float(a):.10g}, {float(b):.10g}]" for a, b in ((k.L_lower, k.L_upper), (k.mu_lower, k.mu_upper)))
        out.print(f"client {i}: L in {L}, mu in {mu}", highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("id", f"on {o.on}, m = {o.m}", "instances", "least slack", "note"):
        table.add_column(name)
    rows = []
    complete = False
    try:
        for c in track(selected, "verify", console=err, transient=True, disable=not err.is_terminal):
            results = evaluate(c, problem, seed=o.seed, name=o.on)
            outcomes = [r.outcome for r in results]
            worst = "refutes" if "refutes" in outcomes else "holds" if "holds" in outcomes else outcomes[0]
            slacks = [r.slack for r in results if r.slack is not None]
            note = next((r.reason for r in results if r.reason), "")
            said = {"holds": "holds on these data", "refutes": "fails on these data"}.get(worst, worst)
            table.add_row(c.id, said, str(len(results)), f"{min(slacks):.3g}" if slacks else "-", note)
            rows.append({"id": c.id, "outcome": said, "instances": outcomes, "slacks": slacks, "note": note})
        complete = True
    except KeyboardInterrupt:
        err.print("interrupted; what follows are the claims so far")
    names = ("L_lower", "L_upper", "mu_lower", "mu_upper")
    clients = [{n: text(getattr(k, n)) for n in names} for k in constants]
    data = {"schema": ledger.SCHEMA, "on": o.on, "m": o.m, "seed": o.seed, "clients": clients, "results": rows}
    failed = files.tried(lambda: files.write_json(o.json, data | {"complete": complete})) if o.json else ""
    out.print(table)
    if failed:
        raise UsageError(failed)
    return 0 if complete else INTERRUPTED


def options_of(o: argparse.Namespace) -> dict[str, Any]:
    """The partition, the scalings and ``--with``, where they are given."""
    given = {"partition": o.partition, "root": o.root}
    return {k: v for k, v in given.items() if v is not None} | data_of(o, given)
