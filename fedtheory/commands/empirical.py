"""The empirical rows of the inventories: decided from printed numbers, by claims, runs or schedules, or what each still needs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from ..files import write_json, write_text
from ..formats import Document, check
from ..measure.paired import FAILS, HOLDS, INCONCLUSIVE, NEEDS_DATA, Judged
from ..paper import Paper
from ..registry import claims, paper, papers
from ..results import judge
from ..results.table_figures import Kept, kept
from ..show import table_page
from .tabulate import facts_of, plan_of

Rules = dict[str, Document]


def rules_of(id: str, *, quick: bool, setting: str | None, left_out: Collection[str]) -> Rules:
    """The rules of the rows that runs of one table decide.

    Parameters
    ----------
    id : str
        The table.
    quick : bool
        Whether the runs are those of the quick setting.
    setting : str or None
        The one setting that was run; None for all.
    left_out : collection of str
        Problems that were not run, and on which something would be decided.
    """
    name, _, table = id.partition("/")

    def complete(r: Document, test: judge.Test) -> bool:
        ran = setting is None or setting in r.get("readings", (test.get("setting"),))
        return ran and not (left_out and test.get("problem") in (None, *left_out))

    return {
        row: r
        for row, r in paper(name).empirical().items()
        if r.get("table") == table and not (quick and r.get("full")) and all(complete(r, t) for t in r["tests"])
    }


def keep(folder: str, id: str, quick: bool, found: Kept) -> None:
    """Keep the figures that the rules of a table ask for; those that this run did not come to stay."""
    write_json(_path(folder, id, quick), _read(folder, id, quick).joined(found).plain(), "figures")


def beside_shipped(id: str, found: Kept) -> Kept:
    """The figures that the paper has of full runs of a table, and newer those of these runs."""
    name, _, table = id.partition("/")
    return kept(_shipped(paper(name), table)).joined(found)


def verdicts(folder: str, only: Collection[str] | None = None) -> tuple[list[dict[str, str]], list[str]]:
    """(a line of each empirical row with its verdict, a text a paper with how many there are of each), of `only` these papers."""
    lines, said = [], []
    for id, p in ((id, p) for id, p in papers().items() if p.empirical() and (only is None or id in only)):
        counts: Counter[str] = Counter()
        rules = p.empirical()
        for row in (row for row, r in p.inventory().items() if r["kind"] == "empirical"):
            rule = rules.get(row)
            verdict, why = Judged(INCONCLUSIVE, "no rule says how") if rule is None else _of_row(folder, p, rule)
            counts[verdict] += 1
            lines.append({"row": row, "verdict": verdict, "from": why})
        each = ", ".join(f"{n} {verdict}" for verdict, n in counts.most_common())
        said.append(f"{id}: {counts.total()} empirical rows: {each}")
    return lines, said


def renew(page: Path, lines: Sequence[Mapping[str, str]]) -> None:
    """The verdicts and what was learned anew on the pages of tables beside a page of verdicts; their figures stay."""
    for path in sorted(page.parent.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        name, _, table = table_page.table_of(text).partition("/")
        if name not in papers() or table not in papers()[name].experiments():
            continue
        own = {row for row, r in papers()[name].empirical().items() if r.get("table") == table}
        rows = [
            {**line, "from": line["from"].removeprefix(f"{name}/{table}: ")} for line in lines if line["row"] in own
        ]
        learned = papers()[name].experiments()[table].get("learned", [])
        parts = {table_page.LEARNED: learned, table_page.VERDICTS: table_page.rows(rows)}
        write_text(path, table_page.renewed(text, parts))


def _of_row(folder: str, p: Paper, rule: Document) -> Judged:
    """By the print, by claims about it, by schedules, or by the runs of a table."""
    found = judge.from_print(rule)
    if found is None and "claims" in rule:
        found = by_claims(p, rule["claims"])
    elif found is None and "schedule" in rule:
        from ..schedules.judged import on_schedules

        found = on_schedules(rule["schedule"])
    return _of_table(folder, p, rule) if found is None else found


def by_claims(p: Paper, ids: Collection[str]) -> Judged:
    """What claims about printed numbers come to, as they read the row: all have to be proved or certified, a refuted one fails."""
    from ..referee.decide import verify

    own = claims(p.id)
    found = [verify(own[id], stored=dict(p.certificates())) for id in ids]
    why = "; ".join(
        f"{v.id}: {v.verdict}" + (f" ({note.rstrip('.')})" if (note := own[v.id].note) else "") for v in found
    )
    if any(v.verdict == "refuted" for v in found):
        return Judged(FAILS, why)
    decided = all(v.verdict in ("proved", "certified") for v in found)
    return Judged(HOLDS if decided else INCONCLUSIVE, why)


def _of_table(folder: str, p: Paper, rule: Document) -> Judged:
    """What the full runs of a table came to; those of --quick are of another setting than the paper's, and decide nothing."""
    id = f"{p.id}/{rule['table']}"
    real, stand_ins = _asked(p.experiments()[rule["table"]], rule)
    facts = facts_of(p.experiments()[rule["table"]])
    if (full := _whole(folder, id, p, rule, real, facts)) is not None:
        verdict, why = judge.on_runs(rule, full.cells, full.stood_in, facts)
        if verdict != NEEDS_DATA or not real:
            return Judged(verdict, f"{id}: {why}")
    if not real:
        return Judged(NEEDS_DATA, f"{id}: {', '.join(stand_ins)}; on stand-ins: fedtheory table {id}")
    only = f' --problem "{real.pop()}"' if stand_ins and len(real) == 1 else ""
    quick = _read(folder, id, quick=True)
    at = ""
    facts = facts_of(p.experiments()[rule["table"]], quick=True)
    if judge.covers(rule, quick.cells, facts) and not rule.get("full"):
        at = f"; at the quick setting: {judge.on_runs(rule, quick.cells, quick.stood_in, facts).verdict}"
    return Judged(INCONCLUSIVE, f"not run: fedtheory table {id}{only}{at}")


def _whole(folder: str, id: str, p: Paper, rule: Document, real: set[str], facts: judge.Facts) -> Kept | None:
    """Figures of full runs on all problems of a rule that are not stood in for: the paper's, and newer those of the folder."""
    shipped = kept(_shipped(p, rule["table"]))
    for found in (shipped.joined(_read(folder, id, quick=False)), shipped):
        if real <= {c.problem for c in found.cells} and judge.covers(rule, found.cells, facts):
            return found
    return None


def _shipped(p: Paper, table: str) -> Mapping[str, object]:
    """The figures that a paper has of the full runs of a table; empty without."""
    return p.figures().get(table, {})


def _asked(table: Mapping[str, object], rule: Document) -> tuple[set[str], list[str]]:
    """(the problems of a rule that have the paper's own data, what stands in for what on the others)."""
    plan, notes = plan_of(table, quick=False)
    stands = {label: why for label, _, why in (note.partition(": ") for note in notes)}
    every = [p.get("label", p["data"]) for p in plan["problem"]]
    asked = {label for t in rule["tests"] for label in ([t["problem"]] if "problem" in t else every)}
    return asked - set(stands), sorted({stands[label] for label in asked & set(stands)})


def _path(folder: str, id: str, quick: bool) -> Path:
    return Path(folder) / f"{id.replace('/', '.')}{'.quick' if quick else ''}.figures.json"


def _read(folder: str, id: str, quick: bool) -> Kept:
    """What is kept of earlier runs of a table; nothing where there is no file, or one that is no JSON."""
    path = _path(folder, id, quick)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return Kept()
    check(data, "figures", str(path))
    return kept(data)


def judged(rules: Rules, found: Kept, facts: judge.Facts, *, quick: bool) -> list[dict[str, str]]:
    """A line of each row that the runs of a table decide.

    Raises
    ------
    UsageError
        If a rule names no runs.
    """
    at = "at the quick setting " if quick else ""
    return [
        {"row": row, "verdict": f"{at}{verdict}", "from": why}
        for row, (verdict, why) in (
            (row, judge.on_runs(r, found.cells, found.stood_in, facts)) for row, r in rules.items()
        )
    ]
