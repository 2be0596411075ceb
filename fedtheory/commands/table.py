"""fedtheory table: a published table or figure again, printed and measured side by side."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError, did_you_mean
from ..files import check_writable, write_text
from ..processes import cores, each, workers_of
from ..results import judge
from ..results.groups import Cell, Group, grouped
from ..results.spec import Spec
from ..results.table_figures import Kept
from ..show import experiments, table_page
from ..show.export import FORMATS, format_of, write
from ..show.plots import FORMATS as PICTURES
from ..show.plots import check_format
from ..show.runs import table as columns_of
from .empirical import beside_shipped, judged, keep, renew, rules_of, verdicts
from .experiment import kept
from .plan import specs
from .sweep import FAILED, add_arguments, check, hours_of, run_all, tell
from .tabulate import (
    References,
    all_of_them,
    facts_of,
    model_notes,
    plan_of,
    prepared_notes,
    reference_cells,
    reference_rows,
    reference_specs,
    row_figures,
    rows_of,
    table_of,
    violated,
)
from .terminal import INTERRUPTED, bar, consoles
from .without_runs import with_runs, without_runs

if TYPE_CHECKING:
    from rich.console import Console

    from ..formats import Document, Json

COLUMNS = (
    "problem", "setting", "row", "figure", "printed", "printed deviation", "measured", "deviation", "seeds",
)  # fmt: skip
UNUSABLE = 2  # exit status
PAIRED = tuple(f"less {name}" for name in ("majority label", "local only", "centralised"))
TAKEN = (*PAIRED, "rounds", "gradients", "bytes", "seconds", "density", "time", "note")
HIDDEN = ("axes",)  # for the picture alone


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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
    parser.add_argument("--problem", metavar="NAME", help='one problem alone, such as "Synthetic"')
    parser.add_argument("--finished", action="store_true", help="the runs that are kept already; runs none")
    add_arguments(parser)
    parser.add_argument("--write", action="append", default=[], metavar="FILE", help="the rows (.json, .csv or .tex)")
    parser.add_argument("--plot", action="append", default=[], metavar="FILE", help="the picture (svg, png or pdf)")
    parser.add_argument(
        "--page",
        metavar="FILE.md",
        help="a page with the picture, an svg beside it, and all that is said; with --verdicts, "
        "what is decided and learned anew on the pages of tables beside it as well",
    )
    parser.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    out, err = consoles(*o.write)
    _require_no_runs(o)
    if o.list:
        return _list(out, err)
    for path in o.write:
        format_of(path)
        check_writable(path, "--write")
    if o.page:
        check_writable(o.page, "--page")
        if Path(o.page).suffix != ".md":
            raise UsageError(f"--page FILE must end in .md, got {o.page!r}")
    if o.verdicts:
        return _verdicts(o, out)
    if o.id is None:
        raise UsageError("a table is needed, such as those that fedtheory table --list shows")
    if o.hours and o.finished:
        raise UsageError("--hours is about runs to come and --finished about those that are kept: one of the two")
    found = table_of(o.id)
    for path in o.plot:
        check_format(path)
    check(o)
    return _table(o, found, out, err)


def _require_no_runs(o: argparse.Namespace) -> None:
    """Refuse what is about the runs of one table beside an option that runs none."""
    alone = "--list" if o.list else "--verdicts" if o.verdicts else ""
    names = [
        "quick",
        "hours",
        "seeds",
        "setting",
        "problem",
        "plot",
        "finished",
        *(["verdicts", "write", "page"] if o.list else []),
    ]
    given = [f"--{name}" for name in names if getattr(o, name)]
    if alone and (given or o.id):
        raise UsageError(f"{given[0] if given else o.id} has no meaning with {alone}, which runs no table")


@dataclass
class Result:
    """What the runs of a table came to.

    Attributes
    ----------
    title : str
    groups : list of Cell
        Its runs, or the figures that are kept of them.
    lines : list of dict
        Printed beside measured figures.
    notes, broken, learned : sequence of str
        What stands in for what and what is not printed; conditions that the settings break; what the figures mean.
    rows : list of dict
        The verdicts on rows of the inventory.
    planned : int
        Runs of the plan, with those that are not there.
    """

    title: str
    groups: list[Cell]
    lines: list[Json]
    notes: Sequence[str]
    broken: Sequence[str]
    learned: Sequence[str]
    rows: list[dict[str, str]]
    planned: int

    def runs(self) -> str:
        """How many there are, of how many where some are not."""
        found = sum(len(g.seeds()) for g in self.groups)
        kept = sum(len(g.seeds()) for g in self.groups if not isinstance(g, Group))
        said = f"{found} runs" if found >= self.planned else f"{found} of {self.planned} runs"
        return f"{said} ({kept} of them by the figures that are kept)" if kept else said

    def seconds(self) -> str:
        """What the runs that are there took."""
        took = sum(f.seconds or 0.0 for g in self.groups if isinstance(g, Group) for f in g.runs.values())
        return f" of {took:.0f} seconds together" if took else ""

    def columns(self) -> list[str]:
        """The columns that have an entry, hyper-parameters after the row."""
        axes = [
            n for n in dict.fromkeys(k for line in self.lines for k in line) if n not in (*COLUMNS, *TAKEN, *HIDDEN)
        ]
        every = [*COLUMNS[:3], *axes, *COLUMNS[3:], *TAKEN]
        return [n for n in every if any(line.get(n) not in (None, "") for line in self.lines)]


def _table(o: argparse.Namespace, found: Document, out: Console, err: Console) -> int:
    began = time.monotonic()
    plan, notes = plan_of(found, quick=o.quick)
    every = specs(plan | ({"seeds": o.seeds} if o.seeds else {}), o.id)
    chosen = _only(every, setting=o.setting, problem=o.problem)
    if o.hours:
        return hours_of(chosen, o, out)
    planned = chosen
    if o.finished:
        chosen = with_runs(chosen, o.out)
    outcomes, whole = run_all(chosen, o, err)
    if outcomes:
        tell(outcomes, chosen, o.out, err, err)
    if not whole:
        err.print("interrupted; the same command goes on", highlight=False)
        return INTERRUPTED
    keys = {k: x.key for k, x in outcomes.items() if x.key}
    groups = grouped((chosen[k].labels, kept(o.out, key)) for k, key in sorted(keys.items()))
    cells, left_undone = list[Cell](groups), list[str]()
    if o.finished:
        cells, chosen, left_undone = without_runs(
            found, planned, groups, [] if o.quick else beside_shipped(o.id, Kept()).cells
        )
    points = _references(found, chosen, o, err) if found["shows"] == "accuracy" else []
    beside, column = reference_cells(points), found["show"].get("column", "accuracy")
    lines = rows_of(found, cells, notes, quick=o.quick, beside=points)
    lines += reference_rows(beside, column)
    stood_in = [note.partition(": ")[0] for note in notes]
    left_out = {spec.labels["problem"] for spec in every} - {spec.labels["problem"] for spec in chosen}
    rules = rules_of(o.id, quick=o.quick, setting=o.setting, left_out=left_out - set(stood_in))
    facts = facts_of(found, quick=o.quick)
    if o.finished:
        rules = {row: r for row, r in rules.items() if judge.covers(r, cells, facts)}
    tested = Kept(judge.figures(rules.values(), [*groups, *beside]), stood_in)
    tested = tested.joined(Kept([*row_figures(found, groups), *beside], stood_in))
    keep(o.out, o.id, o.quick, tested)
    tested = tested if o.quick else beside_shipped(o.id, tested)
    if o.finished:  # a cell of which more seeds are kept than run counts by what is kept
        tested = tested.joined(Kept(judge.figures(rules.values(), cells), stood_in))
    result = Result(
        f"{found['title']} ({found['locator']}){', quick' if o.quick else ''}", cells, lines,
        [*left_undone, *notes, *model_notes(chosen, stood_in), *prepared_notes(plan), *_noted(found)],
        violated(chosen), found.get("learned", []), judged(rules, tested, facts, quick=o.quick),
        len(planned),
    )  # fmt: skip
    _print(result, out)
    out.print(f"{result.runs()}, {time.monotonic() - began:.0f} seconds in all", highlight=False)
    _write(
        o, found, result, {label: why.partition(", which")[0] for label, _, why in (n.partition(": ") for n in notes)}
    )
    return FAILED if any(x.state == "failed" for x in outcomes.values()) else 0


def _noted(found: Document) -> list[str]:
    return [found["note"]] if "note" in found else []


def _print(result: Result, out: Console) -> None:
    out.print(result.title, highlight=False, soft_wrap=True)
    names = result.columns()
    shown = columns_of(*names, right=[n for n in names if n not in ("problem", "setting", "row", "figure", "note")])
    for line in result.lines:
        shown.add_row(*(_cell(n, line.get(n)) for n in names))
    out.print(shown)
    rows = (f"{r['row']}: {r['verdict']}: {r['from']}" for r in result.rows)
    for text in (*result.notes, *result.broken, *rows, *result.learned):
        out.print(text, highlight=False, markup=False, soft_wrap=True)


def _write(o: argparse.Namespace, found: Mapping[str, object], result: Result, stood_in: Mapping[str, str]) -> None:
    """The rows, the pictures and the page; `stood_in` says by problem what stands in for its data."""
    columns = [n for n in dict.fromkeys(name for line in result.lines for name in line) if n not in HIDDEN]
    for path in o.write:
        write(path, columns, [{name: line.get(name) for name in columns} for line in result.lines], "table")
    picture = [str(Path(o.page).with_suffix(".svg"))] if o.page else []
    titles = {label: f"{label} ({why})" for label, why in stood_in.items()}
    for path in (*o.plot, *picture):
        caption = f"{o.id}{', quick' if o.quick else ''}"
        experiments.draw(found, result.groups, result.lines, path, caption, titles=titles)
    if o.page:
        names = result.columns()
        cells = [[_cell(n, line.get(n)) for n in names] for line in result.lines]
        ran = f"{result.runs()}{result.seconds()}"
        text = table_page.page(
            result.title, _typed(o), Path(picture[0]).name, ran, table_page.table(names, cells), result.notes,
            {table_page.VERDICTS: table_page.rows(result.rows), table_page.CONDITIONS: result.broken},
            result.learned,
        )  # fmt: skip
        write_text(o.page, text)


def _only(chosen: list[Spec], **words: str | None) -> list[Spec]:
    """The runs of one setting, one problem; all of them for None.

    Raises
    ------
    UsageError
        If there is none of this name, or none that is of both.
    """
    for kind, word in words.items():
        known = list(dict.fromkeys(spec.labels[kind] for spec in chosen))
        if word is not None and word not in known:
            raise UsageError(
                f"--{kind} must be one of {', '.join(map(repr, known))}, got {word!r}{did_you_mean(word, known)}"
            )
        chosen = [spec for spec in chosen if word in (None, spec.labels[kind])]
    return chosen


def _typed(o: argparse.Namespace) -> str:
    """The command that writes the page, with the options that say what is run."""
    words = ["fedtheory table", "--verdicts" if o.verdicts else o.id, *(["--quick"] if o.quick else [])]
    words += ["--finished"] if getattr(o, "finished", False) else []
    words += [f'--{kind} "{word}"' for kind in ("setting", "problem") if (word := getattr(o, kind))]
    words += [f"--seeds {o.seeds}"] if o.seeds else []
    return " ".join([*words, "--page FILE.md"])


def _cell(name: str, value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3g}" if name in ("gradients", "bytes", "seconds", "rounds") else f"{value:.5g}"
    return str(value)


def _references(
    found: Document, chosen: Sequence[Spec], o: argparse.Namespace, err: Console
) -> list[dict[str, object]]:
    specs_of = reference_specs(chosen)
    todo = [spec for spec, _ in specs_of]
    with workers_of(o.scheduler), bar(err, "reference points") as progress:
        task = progress.add_task("", total=len(todo))
        points: dict[int, Json] = {}
        with closing(
            each(References(o.out, found["show"].get("references") == "majority"), todo, o.jobs or cores())
        ) as done:
            for k, one in done:
                points[k] = {**one, "settings": specs_of[k][1]}
                progress.update(task, advance=1)
    return [points[k] for k in sorted(points)]


def _verdicts(o: argparse.Namespace, out: Console) -> int:
    """Every empirical row: from printed numbers, for want of data, or what the runs of a table came to."""
    lines, said = verdicts(o.out)
    shown = columns_of(*lines[0])
    for line in lines:
        shown.add_row(*line.values())
    out.print(shown)
    for text in said:
        out.print(text, highlight=False, soft_wrap=True)
    for path in o.write:
        write(path, list(lines[0]), lines, "verdicts")
    if o.page:
        write_text(o.page, table_page.verdicts(lines, said, _typed(o)))
        renew(Path(o.page), lines)
    return 0


def _list(out: Console, err: Console) -> int:
    shown = columns_of("table", "runs", "quick", "in the paper", "what", right=("runs", "quick"))
    broken = []
    for id in all_of_them():
        try:
            found = table_of(id)
            runs = [str(len(specs(plan_of(found, quick=quick)[0], id))) for quick in (False, True)]
        except UsageError as error:
            broken.append(str(error))
            continue
        shown.add_row(id, *runs, found["locator"], found["title"])
    out.print(shown)
    out.print(f"rows go to {', '.join(FORMATS[:3])}, pictures to {', '.join(PICTURES)}", highlight=False)
    for said in broken:
        err.print(f"fedtheory: {said}", highlight=False, markup=False, soft_wrap=True)
    return UNUSABLE if broken else 0
