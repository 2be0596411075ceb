"""Empirical rows in several readings, what is no measurement, and pages against the figures that are kept."""

import re
from pathlib import Path

import numpy as np
import pytest
from test_table import group

from fedtheory.commands import tabulate
from fedtheory.commands.table import COLUMNS, TAKEN
from fedtheory.errors import UsageError
from fedtheory.measure import paired
from fedtheory.registry import papers
from fedtheory.results import judge
from fedtheory.results.groups import Figures
from fedtheory.results.table_figures import kept
from fedtheory.show import table_page

PAGES = [
    page for page in sorted((Path(__file__).parents[2] / "docs" / "tables").glob("*.md")) if page.stem != "verdicts"
]


def test_a_row_is_judged_in_every_reading():
    """Reproduced where one has the figure; not reproduced only where all were run; `by` decides on what is said of curves."""
    rule = {"tests": [{"method": "A", "column": "x", "rises": "k"}], "readings": ["steps", "passes"]}
    steps, passes = (
        [group("A", np.arange(5) + sign * k, axes={"k": k}, setting=name) for k in (1, 2)]
        for name, sign in (("steps", 1), ("passes", -1))
    )
    assert judge.on_runs(rule, [*steps, *passes]).verdict == "reproduced"
    assert judge.on_runs(rule, passes)[:] == (
        "inconclusive", 'not run as "steps"; "passes": not reproduced, ' + judge.on_runs(
            {"tests": [{**rule["tests"][0], "setting": "passes"}]}, passes).why,
    )  # fmt: skip
    found = judge.on_runs({**rule, "by": "passes"}, [*steps, *passes])
    assert found.verdict == "not reproduced" and found.why.endswith('"steps": reproduced')
    assert judge.on_runs({**rule, "by": "passes"}, steps).verdict == "inconclusive"
    kept_ = judge.figures([rule], [*steps, *passes])
    assert {c.setting for c in kept_} == {"steps", "passes"} and judge.covers(rule, kept_)
    found = judge.on_runs({**rule, "unprinted": "a weight"}, [*steps, *passes])
    assert found.verdict == "inconclusive" and found.why.startswith(
        "hangs on a weight, which is not printed: reproduced"
    )


def test_a_part_of_a_grid_is_no_reading_that_was_run():
    """The best of a list of rates is known where all were run; a trend where both ends were."""
    cells = {k: group("A", np.full(5, 0.5 + k / 10), axes={"k": k}, setting="s") for k in (1, 2, 3)}
    facts = judge.Facts(planned={("p", "A", "s"): [{"k": k} for k in cells]})
    for word, needed in (("highest", (1, 2, 3)), ("either", (1, 2, 3)), ("rises", (1, 3))):
        within = {} if word == "rises" else {"printed": 80.0, "within": 1.0}
        rule = {"tests": [{"method": "A", "column": "x", word: "k", **within}], "readings": ["s"]}
        for run in ((1,), (1, 2), (2, 3), (1, 3), (1, 2, 3)):
            found = [cells[k] for k in run]
            covered = set(needed) <= set(run)
            assert judge.covers(rule, found, facts) == covered and judge.covers(rule, found)
            judged = judge.on_runs(rule, found, facts=facts)
            assert judged[:] == ("inconclusive", 'not run as "s"') or (covered and judged.verdict == "reproduced")
    low = group("A", np.full(5, 0.1), axes={"k": 1}, setting="other")
    rule = {"tests": [{"method": "A", "column": "x", "highest": "k", "printed": 80.0, "within": 1.0}]}
    both = {**rule, "readings": ["s", "other"]}
    facts = judge.Facts(planned={**facts.planned, ("p", "A", "other"): [{"k": k} for k in cells]})
    found = judge.on_runs(both, [*(cells[k] for k in (1, 2)), low], facts=facts)
    assert found[:] == ("inconclusive", 'not run as "s" and "other"')


def test_a_cap_is_no_measurement():
    """Runs that end at their largest number of rounds are later than everything, and two of them are not compared."""
    facts = judge.Facts(rounds={("A", "s"): 9, ("B", "s"): 9})
    name = {"column": "communications"}

    def cells(a, b):
        return [Figures("p", m, "s", {}, {"communications": dict(enumerate(v))}) for m, v in (("A", a), ("B", b))]

    below = {"left": "A", "right": "B", **name}
    rule = {"tests": [below]}
    assert judge.on_runs(rule, cells([9.0] * 5, [9.0] * 5), facts=facts).verdict == "inconclusive"
    assert (
        judge.on_runs(rule, cells([9.0] * 5, [9.0] * 5)).verdict == "not reproduced"
    )  # without the cap they are equal
    assert judge.on_runs(rule, cells([5.0] * 5, [9.0] * 5), facts=facts).verdict == "reproduced"
    one = {"tests": [{"method": "A", **name, "printed": 9, "within": 0.5, "scale": 1}]}
    assert judge.on_runs(one, cells([9.0] * 5, [1.0] * 5), facts=facts).verdict == "not reproduced"
    capped = {"tests": [{**one["tests"][0], "capped": True}]}
    assert judge.on_runs(capped, cells([9.0] * 5, [1.0] * 5), facts=facts).verdict == "reproduced"


OLDER = {  # pages of runs whose figures were not all kept: what was is compared
    *(f"dadpfl/{n}" for n in ("fig2", "fig3", "fig5", "fig6", "fig7", "table1", "table1_mlp", "table3", "table3_mlp")),
    "pfedme/table1", "pfedme/table1_dnn",
    *(f"flame/fig{k}" for k in range(3, 8)), *(f"pfedme/fig{k}" for k in range(1, 7)),
}  # fmt: skip
BESIDE = {*COLUMNS, *TAKEN}


def lines_of(text):
    """The lines of the first table of a page, by its head."""
    rows = [x[2:-2].split(" | ") for x in text.splitlines() if x.startswith("| ")]
    return [dict(zip(rows[0], x, strict=True)) for x in rows[1:] if len(x) == len(rows[0])]


def kept_of(line, cells, method_):
    """The figure of every seed behind a line of a page, of a cell that is kept; None where none is."""
    axes = {k: v for k, v in line.items() if k not in BESIDE and v not in ("-", "")}
    named = (line["problem"], line.get("setting", ""), method_, axes)
    same = [c for c in cells if (c.problem, c.setting, c.method, {k: str(v) for k, v in c.axes.items()}) == named]
    name = line["figure"]
    found = [
        v
        for c in same
        for k, v in c.kept.items()
        if k == name or (name.startswith("reach") and k.startswith(f"{name} "))
    ]
    return found[0] if len(found) == 1 and int(line["seeds"]) == len(found[0]) else None


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_pages_show_the_means_of_the_figures_that_are_kept(page):
    """Every measured cell of a page from the figures of its seeds; of older pages those cells whose seeds are kept."""
    text = page.read_text(encoding="utf-8")
    id = re.search(r"Written by `fedtheory table (\S+) ", text)[1]
    paper, name = id.split("/")
    cells = kept(papers()[paper].figures().get(name, {})).cells
    declared = {r["row"]: r["method"] for r in tabulate.table_of(id).get("row", [])}
    compared = left = 0
    for line in (x for x in lines_of(text) if x["measured"] != "-"):
        own = kept_of(line, cells, declared.get(line["row"], line["row"]))
        if own is None:
            left += 1
            continue
        scale = 100 if "accuracy" in line["figure"] and not line["figure"].startswith("reach") else 1
        assert float(line["measured"]) == pytest.approx(scale * np.mean(list(own.values())), rel=2e-4), line
        if line.get("deviation", "-") not in ("-", ""):
            assert float(line["deviation"]) == pytest.approx(
                scale * np.std(list(own.values()), ddof=1), rel=2e-4, abs=1e-9
            )
        compared += 1
    older = id in OLDER and not page.stem.endswith(("_passes", "_local"))
    assert compared >= 1 or older, page.stem
    assert left == 0 or older, f"of {left} cells of {page.stem} the seeds are not kept"


def test_pages_say_what_the_page_of_verdicts_says():
    """Every verdict on a page of a table in full, with its reason, and every row of the table; what was learned is the table's."""
    pages = Path(__file__).parents[2] / "docs" / "tables"
    lines = [x.strip("| ").split(" | ") for x in (pages / "verdicts.md").read_text(encoding="utf-8").splitlines()]
    said = {x[0]: x[1:] for x in lines if len(x) == 3}
    compared = 0
    for page in sorted(pages.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if not (id := table_page.table_of(text)):
            continue
        paper, name = id.split("/")
        learned = papers()[paper].experiments()[name].get("learned", [])
        assert all(f"\n- {line}\n" in text for line in learned), page.name
        for row, verdict_, why in re.findall(r"^- `(\S+/exp-\S+)`: \*\*(.*?)\*\*: (.*)$", text, re.M):
            assert [verdict_, f"{id}: {why}"] in (
                [said[row][0], said[row][1]],
                [said[row][0], f"{id}: {said[row][1]}"],
            ), row
            compared += 1
    assert compared >= 50


def test_the_counts_of_the_page_are_those_of_the_verdicts():
    """docs/tables.md, every paper and every verdict of its head line."""
    docs = Path(__file__).parents[2] / "docs"
    found = re.findall(r"^\| (\w+)/\S+ \| (.*?) \|", (docs / "tables" / "verdicts.md").read_text("utf-8"), re.M)
    lines = [x.strip("| ").split(" | ") for x in (docs / "tables.md").read_text("utf-8").splitlines()]
    head = next(x for x in lines if x[:2] == ["paper", "rows"])
    for line in lines[lines.index(head) + 2 :][:4]:
        own = [verdict_ for id, verdict_ in found if id == line[0].lower().replace("-", "")]
        assert [int(n) for n in line[1:]] == [len(own), *(own.count(verdict_) for verdict_ in head[2:])], line


def test_the_reading_that_decides_is_the_one_that_gives_table_2():
    """The accuracy of FLAME's global model nearest to the printed one among all readings; where theta starts is of no effect."""
    cells = [c for c in kept(papers()["flame"].figures()["readings"]).cells if c.method == "FLAME"]
    apart = {c.setting: abs(100 * np.mean(list(c.values("accuracy", "best").values())) - 81.9) for c in cells}
    nearest = {name for name, far in apart.items() if far < min(apart.values()) + 0.01}
    assert len(apart) == 7 and nearest == {"passes, w^t, all clients", "passes, w^t, all, zero start"}
    assert min(far for name, far in apart.items() if name not in nearest) > 10
    assert {r["by"] for r in papers()["flame"].empirical().values() if "by" in r} == {"passes, w^t"}


def verdict(test, *groups, stood_in=()):
    return judge.on_runs({"tests": [test]}, groups, stood_in).verdict


def test_rules_on_runs():
    """A sign test of five seeds, in either direction; trends; printed figures; stand-ins decide nothing."""
    low, high, mixed = group("A", [1, 2, 3, 4, 5]), group("B", [2, 3, 4, 5, 6]), group("C", [2, 3, 2, 3, 6])
    below = {"left": "A", "right": "B", "column": "x"}
    assert verdict(below, low, high) == "reproduced"
    assert verdict({**below, "left": "B", "right": "A"}, low, high) == "not reproduced"
    assert verdict({**below, "right": "C"}, low, mixed) == "inconclusive"
    assert verdict({**below, "right": "D"}, low, group("D", [1, 2, 3, 4, 5])) == "not reproduced"
    assert verdict(below, low, high, stood_in=["p"]) == "needs data that is not here"
    line = [group("A", np.arange(5) + k, axes={"k": k}) for k in (3, 1, 2)]
    assert verdict({"method": "A", "column": "x", "rises": "k"}, *line) == "reproduced"
    assert verdict({"method": "A", "column": "x", "falls": "k"}, *line) == "not reproduced"
    near = {"method": "A", "column": "x", "printed": 300, "within": 1}
    assert verdict({**near, "within": 500}, low) == "reproduced"
    assert verdict(near, low) == "inconclusive" and verdict({**near, "printed": 900}, low) == "not reproduced"
    assert verdict({**below, "printed": 100, "within": 1}, low, high) == "reproduced"
    tuned = [group("A", [k, k, k], axes={"eta": k}) for k in (1, 3, 2)]  # only the best value of an axis counts
    for best, printed in (("highest", 300), ("lowest", 100)):
        assert verdict({**near, "printed": printed, best: "eta"}, *tuned) == "reproduced"
        assert verdict({**near, "printed": 200, best: "eta"}, *tuned) == "not reproduced"
    for printed, said in ((200, "reproduced"), (400, "not reproduced")):  # what is not printed may be either
        assert verdict({**near, "printed": printed, "either": "eta"}, *tuned) == said
    assert (
        verdict({**near, "printed": 400, "either": "eta"}, *tuned, group("A", [3, 5], axes={"eta": 4}))
        == "inconclusive"
    )
    half = judge.on_runs({"tests": [below]}, [low, high], facts=judge.Facts({"p": "a", "q": "b"}, 4))
    assert half.verdict == "reproduced" and half.why.endswith("(on p: 1 of 4 data sets)")
    other = [group(name, values, problem="q") for name, values in (("A", [2, 3, 4, 5, 6]), ("B", [1, 2, 3, 4, 5]))]
    both = judge.on_runs({"tests": [below]}, [low, high, *other], ["q"], judge.Facts({"p": "a", "q": "b"}, 2))
    assert both.verdict == "reproduced" and both.why.endswith("1 of 2 data sets; on stand-ins not reproduced)")
    with pytest.raises(UsageError, match="did you mean column"):
        verdict({**below, "colunm": "x"}, low, high)
    with pytest.raises(UsageError, match="name no runs"):
        verdict({**below, "right": "E"}, low, high)


def test_rules_on_printed_numbers():
    """FLAME's tables: 3.75 is the mean of the factors to FedAvg, and not of those to all baselines."""
    assert paired.mean_is(["7.0", "4.5", "2.0", "1.5"], "3.76").verdict == paired.FAILS
    rules = papers()["flame"].empirical()
    found = {row.split("/")[1]: judge.from_print(rule) for row, rule in rules.items()}
    assert found["exp-summary-acceleration"].verdict == paired.HOLDS
    assert found["exp-abstract-speedup"].verdict == found["exp-intro-speedup"].verdict == paired.FAILS
    assert "2.39" in found["exp-abstract-speedup"].why
    assert found["exp-tab2-most"] == (paired.HOLDS, "the largest in 13 of 16")
    assert found["exp-tab3-fewest-flame"].verdict == paired.INCONCLUSIVE  # a tie with FedADMM on Mmnist
    for row in ("exp-abstract-outperforms", "exp-summary-heterogeneous"):  # they do not say "in most"
        assert found[row] == (paired.FAILS, "the largest in 13 of 16")
    assert paired.most([["2", "2"], ["3", "1"]]) == (paired.FAILS, "the largest in 1 of 2, one of several in 1")
