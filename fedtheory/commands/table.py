"""fedtheory table: a published table or figure again, printed and measured side by side."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from ..errors import UsageError, did_you_mean
from ..files import check_writable, write_json
from ..processes import each, workers_of
from ..registry import paper, papers
from ..runs import judge, store
from ..runs.groups import Group, grouped
from ..runs.spec import Spec
from ..show import experiments
from ..show.export import FORMATS, format_of, write
from ..show.plots import FORMATS as PICTURES
from ..show.plots import check_format
from ..show.runs import table as columns_of
from .experiment import kept
from .plan import specs
from .sweep import FAILED, add_arguments, check, run_all, tell
from .tabulate import References, all_of_them, plan_of, reference_rows, reference_specs, rows_of, table_of, violated
from .terminal import INTERRUPTED, bar, consoles
from .verify import cores

NOT_RUN = "not run in full"
COLUMNS = ("problem", "setting", "row", "figure", "printed", "printed deviation", "measured", "deviation", "seeds")
TAKEN = ("rounds", "gradients", "bytes", "seconds", "note")


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser("table")
    parser.add_argument("id", nargs="?", metavar="PAPER/NAME", help="see --list")
    parser.add_argument("--list", action="store_true", help="the tables and figures, and how many runs each takes")
    parser.add_argument(
        "--verdicts", action="store_true", help="every empirical row of the inventories, as far as decided"
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds, seeds and values; minutes at most")
    parser.add_argument("--seeds", metavar="FIRST-LAST", help="other seeds than those of the table, such as 0-2")
    parser.add_argument("--setting", metavar="NAME", help='one setting alone, such as "as coded"')
    add_arguments(parser)
    parser.add_argument("--write", action="append", default=[], metavar="FILE", help="the rows (.json, .csv or .tex)")
    parser.add_argument("--plot", action="append", default=[], metavar="FILE", help="the picture (svg, png or pdf)")
    parser.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    out, err = consoles(*o.write)
    if o.list:
        return _list(out)
    if o.verdicts:
        return _verdicts(o, out)
    if o.id is None:
        raise UsageError("a table is needed, such as those that fedtheory table --list shows")
    found = table_of(o.id)
    for path in o.write:
        format_of(path)
        check_writable(path, "--write")
    for path in o.plot:
        check_format(path)
    check(o)
    return _table(o, found, out, err)


def _table(o: argparse.Namespace, found: Mapping[str, Any], out: Any, err: Any) -> int:
    began = time.monotonic()
    plan, notes = plan_of(found, quick=o.quick)
    chosen = _of_setting(specs(plan | ({"seeds": o.seeds} if o.seeds else {}), o.id), o.setting)
    outcomes, whole = run_all(chosen, o, err)
    tell(outcomes, chosen, o.out, err, err)
    if not whole:
        err.print("interrupted; the same command goes on", highlight=False)
        return INTERRUPTED
    keys = {k: x.key for k, x in outcomes.items() if x.key}
    groups = grouped((chosen[k].labels, kept(o.out, key)) for k, key in sorted(keys.items()))
    lines = rows_of(found, groups, notes, quick=o.quick)
    if found["shows"] == "accuracy":
        lines += reference_rows(_references(chosen, o, err), found["show"]["column"])
    out.print(f"{found['title']} ({found['locator']}){', quick' if o.quick else ''}", highlight=False, soft_wrap=True)
    _show(lines, out)
    said = [*notes, *([found["note"]] if "note" in found else []), *violated(chosen)]
    judged = _judged(o.id, groups, notes, quick=o.quick, whole=o.setting is None)
    at = "at the quick setting " if o.quick else ""
    said += [f"{id}: {at}{verdict}: {why}" for id, (verdict, why) in judged.items()]
    for line in said:
        out.print(line, highlight=False, markup=False, soft_wrap=True)
    out.print(f"{len(keys)} runs, {time.monotonic() - began:.0f} seconds in all", highlight=False)
    _keep(_kept(o.out, o.id, o.quick), judged)
    names = list(dict.fromkeys(name for line in lines for name in line))
    for path in o.write:
        write(path, names, [{name: line.get(name) for name in names} for line in lines], "table")
    titles = {label: f"{label} ({why.partition(',')[0]})" for label, _, why in (n.partition(": ") for n in notes)}
    for path in o.plot:
        caption = f"{o.id}{', quick' if o.quick else ''}"
        experiments.draw(found, groups, lines, path, caption, titles=titles)
    return FAILED if any(x.state == "failed" for x in outcomes.values()) else 0


def _of_setting(chosen: list[Spec], setting: str | None) -> list[Spec]:
    """The runs of one setting; all of them for None."""
    known = list(dict.fromkeys(spec.labels["setting"] for spec in chosen))
    if setting is not None and setting not in known:
        raise UsageError(f"--setting must be one of {', '.join(known)}, got {setting!r}{did_you_mean(setting, known)}")
    return [spec for spec in chosen if setting in (None, spec.labels["setting"])]


def _show(lines: Sequence[Mapping[str, Any]], out: Any) -> None:
    """The rows on the terminal; columns without an entry are left out."""
    axes = [n for n in dict.fromkeys(k for line in lines for k in line) if n not in (*COLUMNS, *TAKEN)]
    names = [
        n for n in (*COLUMNS[:3], *axes, *COLUMNS[3:], *TAKEN) if any(line.get(n) not in (None, "") for line in lines)
    ]
    shown = columns_of(*names, right=[n for n in names if n not in ("problem", "setting", "row", "figure", "note")])
    for line in lines:
        shown.add_row(*(_cell(n, line.get(n)) for n in names))
    out.print(shown)


def _cell(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3g}" if name in ("gradients", "bytes", "seconds", "rounds") else f"{value:.5g}"
    return str(value)


def _references(chosen: Sequence[Spec], o: argparse.Namespace, err: Any) -> list[dict[str, Any]]:
    todo = reference_specs(chosen)
    with workers_of(o.scheduler), bar(err, "reference points") as progress:
        task = progress.add_task("", total=len(todo))
        found: dict[int, dict[str, Any]] = {}
        with closing(each(References(o.out), todo, o.jobs or cores())) as done:
            for k, one in done:
                found[k] = one
                progress.update(task, advance=1)
    return [found[k] for k in sorted(found)]


def _judged(
    id: str, groups: Sequence[Group], notes: Sequence[str], *, quick: bool, whole: bool
) -> dict[str, tuple[str, str]]:
    """The empirical rows that the runs of one table decide; of one setting those whose tests are all of it."""
    name, _, table = id.partition("/")
    rules = {row: rule for row, rule in paper(name).empirical().items() if rule.get("table") == table}
    here = {g.setting for g in groups}
    rules = {row: r for row, r in rules.items() if whole or {t.get("setting") for t in r["tests"]} <= here}
    stood_in = [note.partition(": ")[0] for note in notes]
    return {
        row: judge.on_runs(rule, groups, stood_in) for row, rule in rules.items() if not (quick and rule.get("full"))
    }


def _kept(folder: str, id: str, quick: bool) -> Path:
    return Path(folder) / f"{id.replace('/', '.')}{'.quick' if quick else ''}.verdicts.json"


def _keep(path: Path, judged: Mapping[str, tuple[str, str]]) -> None:
    """Keep the verdicts of a table; those that this run did not come to stay."""
    before = (store.read_json(path, "verdicts") or {"verdicts": {}})["verdicts"]
    write_json(path, {"verdicts": before | {k: list(v) for k, v in judged.items()}}, "verdicts")


def _verdicts(o: argparse.Namespace, out: Any) -> int:
    """Every empirical row: from printed numbers, for want of data, or what the runs of a table came to."""
    shown = columns_of("row", "verdict", "from")
    counts: dict[str, Counter[str]] = {}
    for id, p in ((id, p) for id, p in papers().items() if p.empirical()):
        rules = p.empirical()
        for row in (row for row, r in p.inventory().items() if r["kind"] == "empirical"):
            if row not in rules:
                verdict, why = NOT_RUN, "no rule"
            elif (found := judge.from_print(rules[row])) is not None:
                verdict, why = found
            else:
                verdict, why = _of_table(o, f"{id}/{rules[row]['table']}", row)
            counts.setdefault(id, Counter())[verdict] += 1
            shown.add_row(row, verdict, why)
    out.print(shown)
    for id, count in counts.items():
        said = ", ".join(f"{n} {verdict}" for verdict, n in count.most_common())
        out.print(f"{id}: {count.total()} empirical rows: {said}", highlight=False, soft_wrap=True)
    return 0


def _of_table(o: argparse.Namespace, id: str, row: str) -> tuple[str, str]:
    """What the runs of a table came to; those of --quick are of another setting than the paper's, and decide nothing."""
    full, quick = (store.read_json(_kept(o.out, id, q), "verdicts") or {"verdicts": {}} for q in (False, True))
    if row in full["verdicts"]:
        verdict, why = full["verdicts"][row]
        return verdict, f"{id}: {why}"
    said = " ".join(quick["verdicts"].get(row, [])[:1])
    return NOT_RUN, f"fedtheory table {id} decides it{f'; at the quick setting: {said}' if said else ''}"


def _list(out: Any) -> int:
    shown = columns_of("table", "runs", "quick", "in the paper", "what", right=("runs", "quick"))
    for id in all_of_them():
        found = table_of(id)
        runs = [str(len(specs(plan_of(found, quick=quick)[0], id))) for quick in (False, True)]
        shown.add_row(id, *runs, found["locator"], found["title"])
    out.print(shown)
    out.print(f"rows go to {', '.join(FORMATS[:3])}, pictures to {', '.join(PICTURES)}", highlight=False)
    return 0
