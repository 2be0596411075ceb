"""A published table or figure from its settings: the plan of its runs, and the rows that stand beside the printed ones."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..catalogue import Catalogue, evaluate
from ..errors import UsageError, did_you_mean
from ..formats import Document, Json
from ..measure.curves import describe
from ..registry import method, paper, papers
from ..results import judge
from ..results.groups import Cell, Figures, Group, figure
from ..results.spec import Spec
from ..runs import store
from ..show import table_cost
from .options import listed
from .plan import specs
from .work import problems_of

WORDS = ("title", "locator", "shows", "show", "plan", "quick", "row", "note", "learned", "sets")
ASKED = ("title", "locator", "shows", "show", "plan")  # that every table must have
SHOWN = {
    "curves": ("columns",),
    "trend": ("columns", "x"),
    "accuracy": (),
    "rounds": (),
    "cost": (),
}  # what [show] must have
PREPARED = ("standardise", "unit-columns", "per-pixel")  # what is done to features before they are used
CALLED = {"mnist5k": "5,000 digits of MNIST"}
RUNS = 100  # rounds of a plan that names none
COSTS = ("gradients", "bytes", "seconds")
ENDS = ("density", "time")  # of a run of a method that has them: what models keep, and units of training time
POINT = 1.0  # in percent: nearer than this a printed accuracy counts as met


def all_of_them() -> dict[str, Document | None]:
    """Every table and figure of the installed papers, by ``paper/name``; none where it is not read before it is asked for."""
    return {f"{id}/{name}": None for id, p in papers().items() for name in p.experiments()}


def table_of(id: str) -> Document:
    """The settings of one table or figure.

    Raises
    ------
    UsageError
        If there is none of this id, or its file has an unknown word or lacks one.
    """
    known = all_of_them()
    if id not in known:
        raise UsageError(f"no table is called {id!r}{did_you_mean(id, known)} (fedtheory table --list shows all)")
    found = known[id] or paper(id.split("/")[0]).experiments()[id.split("/", 1)[1]]
    for name in found:
        if name not in WORDS:
            raise UsageError(f"{id} has no {name!r}, only {', '.join(WORDS)}{did_you_mean(name, WORDS)}")
    for name in (name for name in ASKED if name not in found):
        raise UsageError(f"{id} has no {name!r}; a table must have {', '.join(ASKED)}, got {', '.join(found)}")
    shows, show = found["shows"], found["show"]
    if shows not in SHOWN:
        raise UsageError(
            f"{id}: shows must be one of {', '.join(SHOWN)}, got {shows!r}{did_you_mean(str(shows), SHOWN)}"
        )
    of_rows = () if "row" in found or shows == "cost" else ("columns",)
    for name in (name for name in dict.fromkeys((*SHOWN[shows], *of_rows)) if name not in show):
        raise UsageError(
            f"{id}: [show] must have {name!r} where shows = {shows!r}{' and there is no row' * bool(of_rows)}, got {show}"
        )
    return found


def plan_of(table: Document, *, quick: bool) -> tuple[Json, list[str]]:
    """(the plan, what stands in for what).

    Data that are not here give way to what their problem names ``instead``, of several to the first that is here; so do options of
    the methods on them.
    """
    from problems.data.datasets import status

    here = {row.name for row in status() if row.present}
    less = table.get("quick", {}) if quick else {}
    plan = dict(table["plan"]) | {k: v for k, v in less.items() if k not in ("problem", "method")}
    notes: dict[str, str] = {}
    for kind in ("problem", "method"):
        plan[kind] = []
        for one in listed(table["plan"][kind]):
            own = dict(one) | less.get(kind, {}).get(one.get("label", ""), {})
            instead = own.pop("instead", {})
            if instead and kind == "problem" and own["data"] not in here:
                instead = next((x for x in listed(instead) if x["data"] in here), listed(instead)[-1])
                called = CALLED.get(instead["data"], instead["data"])
                notes[own["label"]] = f"{called} in place of {own['data']}, which is not here"
                own |= instead
            elif instead and kind == "method" and set(listed(own.get("on", []))) & set(notes):
                own |= instead
            plan[kind].append(own)
    return plan, [f"{label}: {note}" for label, note in notes.items()]


def prepared_notes(plan: Mapping[str, object]) -> list[str]:
    """What is done to the features of a problem, a line each, whether or not the paper says so."""
    said: dict[str, None] = {}
    for p in listed(plan["problem"]):
        done = [k for k in PREPARED if p.get(k, p.get(k.replace("-", "_")))]
        if done:
            said[f"{p.get('label', p['data'])}: features are prepared by {', '.join(done)}"] = None
    return list(said)


def model_notes(chosen: Sequence[Spec], stood_in: Sequence[str]) -> list[str]:
    """What the model on a stand-in is, a line a problem."""
    first: dict[str, Spec] = {}
    for spec in (spec for spec in chosen if spec.labels["problem"] in stood_in):
        first.setdefault(spec.labels["problem"], spec)
    return [
        f"{label}: on the stand-in the model is {problems_of(spec).setup(spec.seed).describe()}"
        for label, spec in first.items()
    ]


def facts_of(table: Document, *, quick: bool = False) -> judge.Facts:
    """What rules have to know of a table: its data sets, on how many of them it is in the paper, its largest rounds, its cells."""
    plan, _ = plan_of(table, quick=quick)
    data = {str(p.get("label", p["data"])): str(p["data"]) for p in listed(table["plan"]["problem"])}
    rounds: dict[tuple[str, str], int] = {}
    for m in listed(plan["method"]):
        for setting in listed(m.get("setting", "")):
            rounds[str(m.get("label", m["name"])), str(setting)] = int(m.get("rounds", plan.get("rounds", RUNS)))
    planned: dict[tuple[str, str, str], list[Document]] = {}
    for spec in specs(plan, "the table"):
        called = spec.labels
        planned.setdefault((called["problem"], called["method"], called["setting"]), []).append(called["axes"])
    return judge.Facts(data, int(table.get("sets", len(set(data.values())))), rounds, planned)


def rows_of(
    table: Document,
    groups: Sequence[Cell],
    stood_in: Sequence[str],
    *,
    quick: bool,
    beside: Sequence[Mapping[str, object]] = (),
) -> list[Json]:
    """A line of each row and setting: printed and measured, what it took, and what it is `beside` its reference points."""
    lines = []
    column = table["show"].get("column", "accuracy")
    if table["shows"] == "cost":
        return list(table_cost.lines_of(table["show"], [g for g in groups if isinstance(g, Group)]))
    for g in groups:
        own = [r for r in _rows_of(table, g) if g.has(*_what(r, g))]
        other = any(note.startswith(f"{g.problem}: ") for note in stood_in)
        for r in own:
            line = _line(r, g, "other data" if other else "the full setting" if quick else "")
            lines.append(line | (paired_with(r, g, beside, column) if beside else {}))
    return lines


def row_figures(table: Mapping[str, object], groups: Sequence[Group]) -> list[Figures]:
    """What the rows of a table show, by seed, so that its page can be made again without the runs."""
    found = []
    for g in groups if table["shows"] != "cost" else ():
        kept = {}
        for r in _rows_of(table, g):
            kept[figure(*_what(r, g))] = g.values(*_what(r, g))
        if kept:
            counted = {figure(n): g.values(n) for n in ("communications", *COSTS[:2])}
            kept |= {name: own for name, own in counted.items() if None not in own.values()}  # some count no gradients
            found.append(Figures(g.problem, g.method, g.setting, g.axes, kept))
    return found


def _rows_of(table: Document, g: Cell) -> list[dict[str, object]]:
    """The rows that a table declares for a group; where it declares none, a row a column that it shows."""
    if "row" in table:
        return [r for r in table["row"] if r["method"] == g.method and r.get("problem", g.problem) == g.problem]
    by = table["show"].get("by", {})
    asked = [by.get(c, {}).get(g.method, c) for c in _figures(table["show"])]
    return [{"row": g.method, "column": c} for c in asked if g.has(c)]


def _what(r: Document, g: Cell) -> tuple[str, str, float | None]:
    """Which figure of a group a row is: column, at and level."""
    return str(r.get("columns", {}).get(g.setting, r.get("column"))), r.get("at", "last"), r.get("level")


def _figures(show: Document) -> list[str]:
    return list(show["figures"] if "figures" in show else show["columns"][:1])


def _line(r: Mapping[str, object], g: Cell, other: str) -> dict[str, object]:
    what = column, at, _ = _what(r, g)
    scale = 100.0 if "accuracy" in column and at != "reach" else 1.0
    mean, deviation = g.mean(*what), g.deviation(*what)
    missed = _missed(g, what)
    measured = None if mean is None or missed else scale * mean
    return {
        "problem": g.problem, "setting": g.setting, "row": r["row"], **{k: str(v) for k, v in g.axes.items()},
        "figure": column if at == "last" else f"{at} {column}",
        "printed": r.get("printed"), "printed deviation": r.get("deviation"), "measured": measured,
        "deviation": None if deviation is None or missed else scale * deviation, "seeds": len(g.seeds()),
        "rounds": g.mean("communications"), **{n: g.mean(n) for n in (*COSTS, *ENDS) if g.has(n)},
        "note": _note(r, measured, what, other, g), "axes": list(g.axes),
    }  # fmt: skip


def _missed(g: Cell, what: tuple[Any, ...]) -> int:
    """On how many seeds a level is not reached: a cap is no measurement."""
    if what[1] != "reach":
        return 0
    ends = g.values("communications")
    return sum(v > ends[s] for s, v in g.values(*what).items())


def _note(r: Document, measured: float | None, what: tuple[Any, ...], other: str, g: Cell) -> str:
    printed = r.get("printed")
    said = []
    if missed := _missed(g, what):
        most = int(max(g.values("communications").values()))
        said.append(f"not at {what[2]:g} after {most} rounds on {missed} of {len(g.seeds())} seeds")
    if printed is not None and other:
        said.append(f"printed for {other}")
    elif printed is not None and measured is not None and what[1] != "reach" and abs(measured - printed) > POINT:
        said.append(f"{abs(measured - printed):.1f} {'below' if measured < printed else 'above'} the printed")
    return ", ".join(said)


class References:
    """What a worker does for the reference points of an accuracy table: a file beside the runs, written once."""

    def __init__(self, folder: str, majority_alone: bool = False) -> None:
        self.folder, self.majority_alone = folder, majority_alone

    def __call__(self, spec: Spec) -> Json:
        """Accuracies of the majority label, of local models and of a centralised one, and what to call them."""
        labels = {**spec.labels, "seed": spec.seed}
        if self.majority_alone:
            from problems.references import majority

            return {**labels, "found": majority(problems_of(spec).setup(spec.seed))}
        return {**labels, "found": problems_of(spec).references(spec.problem, spec.seed, self.folder)}


def reference_specs(chosen: Sequence[Spec]) -> list[tuple[Spec, list[str]]]:
    """One run of each problem and seed of the rows, so that both are of the same draws, and the settings that have this problem."""
    found: dict[str, tuple[Spec, list[str]]] = {}
    for spec in chosen:
        key = f"{store.key({'problem': spec.problem})} {spec.seed} {spec.data_seed}"
        found.setdefault(key, (spec, []))[1].append(spec.labels["setting"])
    return list(found.values())


def paired_with(r: Document, g: Cell, found: Sequence[Document], column: str) -> dict[str, str]:
    """By how many points an accuracy is above each reference point on the same seeds: mean and deviation of the differences."""
    name, at = r.get("columns", {}).get(g.setting, r.get("column")), r.get("at", "last")
    of = [f for f in found if f["problem"] == g.problem]
    of = [f for f in of if g.setting in f.get("settings", (f["setting"],))] or of
    beside = {f["seed"]: f["found"] for f in of}
    one = len(beside) == len(of)  # else the label is that of several problems
    if not one or not name.endswith(column) or at not in ("last", "best") or not set(g.seeds()) <= set(beside):
        return {}
    own, said = g.values(name, at), {}
    for point in next(iter(beside.values())):
        apart = [100 * (own[seed] - beside[seed][point][column]) for seed in own]
        spread = f" +- {statistics.stdev(apart):.1f}" if len(apart) > 1 else ""
        said[f"less {point}"] = f"{statistics.fmean(apart):+.1f}{spread}"
    return said


def reference_cells(found: Sequence[Document]) -> list[Figures]:
    """The accuracies of the reference points by seed, as cells of the table."""
    cells: dict[tuple[str, str, str], Figures] = {}
    for f in found:
        for name, accuracies in f["found"].items():
            kept = cells.setdefault(
                (f["problem"], f["setting"], name), Figures(f["problem"], name, f["setting"], {}, {})
            ).kept
            for column, value in accuracies.items():
                for at in ("last", "best"):
                    own = dict(kept.get(figure(column, at), {})) | {f["seed"]: value}
                    kept[figure(column, at)] = own  # type: ignore[index]
    return list(cells.values())


def reference_rows(cells: Sequence[Figures], column: str) -> list[Json]:
    """The lines of the reference points; `column` is ``accuracy`` or ``accuracy_pooled``."""
    lines = []
    for c in cells:
        values = [100 * v for v in c.values(column).values()]
        lines.append(
            {
                "problem": c.problem, "setting": c.setting, "row": c.method, "figure": column,
                "measured": statistics.fmean(values),
                "deviation": statistics.stdev(values) if len(values) > 1 else None, "seeds": len(values),
            }
        )  # fmt: skip
    return lines


def parameters_of(spec: Spec, catalogue: Catalogue) -> Json:
    """What a run's conditions need: constants of its clients and hyper-parameters, by the names of the catalogue."""
    problem = problems_of(spec).setup(spec.seed).problem
    algorithm = method(spec.method).make(dict(spec.options), problem)[0]
    c = problem.constants()
    given = {
        "m": problem.m, "L": c.L, "mu": c.mu, "r": c.L_i, "s": np.maximum(-c.mu_i, 0.0), "T": spec.rounds,
        "alpha": 1 / problem.m,
    }  # fmt: skip
    given |= {k: v for k, v in vars(algorithm).items() if v is not None and k not in ("r",)}
    given.setdefault("S", problem.m)
    options = {k: v for k, v in spec.options.items() if k in catalogue.parameters and v is not None}  # as printed
    replaced = {catalogue.stands_for[k] for k in options if k in catalogue.stands_for}  # derived from what is printed
    given = {k: v for k, v in (given | options).items() if k not in replaced}
    return {k: v for k, v in given.items() if k in catalogue.parameters or k in catalogue.derived}


def violated(chosen: Sequence[Spec]) -> list[str]:
    """Conditions of the methods' own papers that the settings break, a line each."""
    said: dict[str, None] = {}
    seen: set[str] = set()
    for spec in chosen:
        entry = method(spec.method)
        name = str([spec.labels.get(k) for k in ("problem", "method", "setting")])
        if not entry.paper or name in seen:
            continue
        seen.add(name)
        catalogue = paper(entry.paper).catalogue()
        if catalogue is None:
            continue
        called = ", ".join(
            x for x in (spec.labels["method"], spec.labels.get("setting", ""), spec.labels["problem"]) if x
        )
        estimated = "an estimate" in problems_of(spec).setup(spec.seed).problem.constants().how
        at = " (L and mu estimated at the start)" if estimated else ""
        for row in evaluate(catalogue, parameters_of(spec, catalogue)):
            if row.holds is False:
                said[f"{called}: {row.where}: {describe(row)}{at}"] = None
    return list(said)
