"""Pages of tables whose runs are no longer there: from the figures of every seed that the paper keeps."""

import re
from pathlib import Path

import numpy as np
import pytest

from fedtheory.cli import main
from fedtheory.commands import plan, tabulate
from fedtheory.commands.without_runs import ROUNDS, without_runs
from fedtheory.errors import UsageError
from fedtheory.results import judge
from fedtheory.results.groups import Figures
from fedtheory.show import experiments

DOCS = Path(__file__).parents[2] / "docs" / "tables"
TABLE3 = "flame/table3"
ON = {"problem": "Synthetic-SVM, 50 clients", "setting": "passes, w^t"}


def chosen(id, **labels):
    """The runs of a table with these labels."""
    found, _ = tabulate.plan_of(tabulate.table_of(id), quick=False)
    return [s for s in plan.specs(found, id) if all(s.labels[k] == v for k, v in labels.items())]


def cell(method, own, **figures):
    """A kept cell of FLAME's Table III, `own` by seed."""
    return Figures(ON["problem"], method, ON["setting"], {}, {"reach accuracy 0.65": own, **figures})


def test_figures_that_are_kept_stand_in_for_runs():
    """In the order of the table, with the rounds of its plan; what is neither there nor kept is told."""
    table, runs = tabulate.table_of(TABLE3), chosen(TABLE3, **ON)
    kept = [cell("FedAvg", {0: 30.0, 1: 61.0}), cell("FLAME", {0: 9.0, 1: 8.0}), cell("nobody's", {0: 1.0})]
    cells, shown, said = without_runs(table, runs, [], kept)
    assert [c.method for c in cells] == ["FLAME", "FedAvg"]
    assert [(s.labels["method"], s.seed) for s in shown] == [(m, k) for m in ("FLAME", "FedAvg") for k in (0, 1)]
    assert cells[0].kept[ROUNDS] == {0: 60.0, 1: 60.0}
    assert said[0].startswith("not run: Synthetic-SVM, 50 clients, FLAME, passes, w^t (3 runs); ")
    flame, fedavg = tabulate.rows_of(table, cells, [], quick=False)
    assert flame["measured"] == 8.5 and flame["seeds"] == 2 and flame["rounds"] == 60
    assert fedavg["measured"] is None and fedavg["note"] == "not at 0.65 after 60 rounds on 1 of 2 seeds"


def test_runs_come_before_figures_of_as_few_seeds():
    table, runs = tabulate.table_of(TABLE3), chosen(TABLE3, **ON)
    here = cell("FLAME", {0: 1.0, 1: 2.0}, communications={0: 60.0, 1: 60.0})  # stands for a group
    for more, taken in (({0: 9.0, 1: 8.0}, 1.5), ({0: 9.0, 1: 8.0, 2: 10.0}, 9.0)):
        cells, _, _ = without_runs(table, runs, [here], [cell("FLAME", more)])
        assert cells[0].mean("accuracy", "reach", 0.65) == taken


def test_curves_are_not_drawn_from_figures():
    """Nor trends of which a panel is not kept."""
    for id in ("flame/fig3", "fedadmm/fig4"):
        runs = chosen(id)
        labels = runs[0].labels
        own = Figures(labels["problem"], labels["method"], labels["setting"], labels["axes"], {ROUNDS: {0: 1.0}})
        with pytest.raises(UsageError, match=f"none of the {len(runs)} runs is there, and no figures are kept"):
            without_runs(tabulate.table_of(id), runs, [], [own])


def test_a_page_is_made_again_without_the_runs(tmp_path, capsys):
    """FedADMM's Figure 4: the lines of its page in the docs, from 900 figures, and the notes on what stands in."""
    page = tmp_path / "page.md"
    assert main(["table", "fedadmm/fig4", "--finished", "--out", str(tmp_path), "--page", str(page)]) == 0
    assert "900 runs (900 of them by the figures that are kept)" in capsys.readouterr().out

    def lines(text):
        return re.findall(r"^(\| Example .*)$", text, re.M)

    text = page.read_text(encoding="utf-8")
    assert len(lines(text)) == 45 and lines(text) == lines((DOCS / "fedadmm_fig4.md").read_text(encoding="utf-8"))
    assert "\n- Example 5.2, sct: features are prepared by unit-columns\n" in text
    assert "\n- Example 5.2, sct: on the stand-in the model is logistic, m = 32 clients of " in text
    assert (tmp_path / "page.svg").is_file()


def test_a_test_may_have_another_column_in_a_reading():
    """pFedMe's personalised model is w_{i,R} with the published draws and theta as printed."""
    cells = [
        Figures("p", "A", setting, {}, {name: dict(enumerate(5 * [value])) for name, value in own.items()})
        for setting, own in (("s", {"x": 1.0, "y": 5.0}), ("t", {"x": 5.0, "z": 1.0}))
    ]
    test = {"method": "A", "column": "y", "printed": 5, "within": 1, "scale": 1}
    rule = {"tests": [{**test, "columns": {"t": "z"}}], "readings": ["s", "t"]}
    assert judge.on_runs(rule, cells)[:] == (
        "reproduced", '"s": p, A, s: 5.00 +- 0.00 of 5 seeds against 5 +- 1; "t": not reproduced',
    )  # fmt: skip
    assert {name for c in judge.figures([rule], cells) for name in c.kept} == {"y", "z"}
    left = {"left": "A", "right": "A", "column": "x", "right-column": "y", "right-columns": {"t": "z"}}
    found = judge.on_runs({"tests": [left], "readings": ["s", "t"], "by": "t"}, cells)
    assert found.verdict == "not reproduced" and found.why.endswith('for the opposite; "s": reproduced')


def test_what_is_not_counted_is_not_kept():
    """Figures of rows are kept with rounds, gradients and bytes; a method that counts no gradients has none."""

    class Counts(Figures):
        def values(self, column, at="last", level=None):
            """None for gradients where the cell has none, as of runs."""
            return super().values(column, at, level) if self.has(column, at, level) else dict.fromkeys(self.seeds())

    own = {name: {0: 3.0, 1: 4.0} for name in ("objective", "communications", "bytes")}
    table = {"shows": "curves", "show": {"columns": ["objective"]}}
    for more in ({}, {"gradients": {0: 5.0, 1: 5.0}}):
        (found,) = tabulate.row_figures(table, [Counts("p", "A", "s", {}, {**own, **more})])
        assert found.kept == {**own, **more}


def test_a_bound_counts_where_it_has_begun():
    """The least value decides whether it is drawn, and not one that it does not have before its first round."""
    assert experiments._least(np.array([np.nan, np.inf, 8.0, 5.0])) == 5.0
    assert experiments._least(np.array([np.nan, np.nan])) == np.inf
