"""`fedtheory table`: settings of every paper, rows beside printed figures, reference points, verdicts of empirical rows."""

import json
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from fedtheory.cli import main
from fedtheory.commands import empirical, plan, tabulate
from fedtheory.errors import UsageError
from fedtheory.measure.curves import Setting
from fedtheory.registry import method, papers
from fedtheory.results import judge
from fedtheory.results.finished import Finished, Plan
from fedtheory.results.groups import Figures, Group
from fedtheory.results.table_figures import Kept, kept
from fedtheory.show import experiments
from fedtheory.trace import Trace
from problems.build import build
from problems.references import NAMES, references

TABLES = sorted(tabulate.all_of_them())
EXPERIMENTS = {
    "fedadmm": [f"fig{k}" for k in (1, 2, 3, 4)], "pfedme": ["table1", "table1_dnn", *(f"fig{k}" for k in range(1, 8)),
               *(f"fig{k}_dnn" for k in range(1, 8))],
    "flame": ["readings", "table2", "table2_networks", "table3", *(f"fig{k}" for k in range(3, 8)),
              *(f"fig{k}_networks" for k in range(3, 8))],
    "dadpfl": ["table1", "table1_mlp", "table1_mlp_100", "table3", "table3_mlp", *(f"fig{k}" for k in (2, 3, 5, 6, 7))],
}  # fmt: skip


def test_every_table_and_figure_has_its_settings():
    assert {id: sorted(papers()[id].experiments()) for id in EXPERIMENTS} == {
        k: sorted(v) for k, v in EXPERIMENTS.items()
    }


@pytest.mark.parametrize("id", TABLES)
@pytest.mark.parametrize("quick", [False, True])
def test_settings_are_plans_whose_rows_name_what_is_run(id, quick):
    """Every hyper-parameter passes its declaration; every row, label and test names runs of the plan."""
    table = tabulate.table_of(id)
    found, _ = tabulate.plan_of(table, quick=quick)
    chosen = plan.specs(found, id)
    methods, problems = ({s.labels[k] for s in chosen} for k in ("method", "problem"))
    for row in table.get("row", []):
        assert row["method"] in methods and row.get("problem", next(iter(problems))) in problems
    for kind, labels in (("problem", problems), ("method", methods)):
        assert set(table.get("quick", {}).get(kind, {})) <= labels
    assert any(s.labels["setting"] in ("as printed", "steps, w_i^t, 10 clients") for s in chosen)


WHOLE = {"title": "Losses", "locator": "Fig. 9", "shows": "curves", "show": {"columns": ["loss"]}, "plan": {}}
CUT = {
    "no shows": ("shows", None, r"no 'shows'; a table must have title, locator, shows, show, plan, got title, locator,"),
    "no plan": ("plan", None, "own/fig9 has no 'plan'"),
    "another kind": ("shows", "curve", "shows must be one of curves, .*, got 'curve'; did you mean curves"),
    "no columns": ("show", {"colums": ["loss"]}, r"must have 'columns' where shows = 'curves' and there is no row, got {'colums'"),
    "figures alone": ("show", {"figures": ["loss"]}, r"\[show\] must have 'columns'"),
}  # fmt: skip


@pytest.mark.parametrize("name", CUT)
def test_a_table_that_lacks_something_is_told_what(name, monkeypatch):
    word, value, said = CUT[name]
    cut = {k: v for k, v in {**WHOLE, word: value}.items() if v is not None}
    monkeypatch.setattr(tabulate, "all_of_them", lambda: {"own/fig9": cut})
    with pytest.raises(UsageError, match=said):
        tabulate.table_of("own/fig9")


def test_rows_of_figures_need_no_columns():
    assert tabulate._figures({"figures": ["loss", "accuracy"]}) == ["loss", "accuracy"]


def printed():
    """Every printed figure of a row with the text of the inventory row that it should stand in."""
    for id in EXPERIMENTS:
        text = " ".join(r["formula"] for r in papers()[id].inventory().values() if r["kind"] == "empirical")
        for name, table in papers()[id].experiments().items():
            for row in table.get("row", []):
                if "printed" in row:
                    yield id, name, row["row"], row["printed"], text


def test_printed_figures_are_those_of_the_inventory():
    found = list(printed())
    assert len(found) == 8 + 24 + 8 + 8 + 24 + 7 + 27 + 2 * (27 + 12)
    for id, name, row, value, text in found:
        said = f"{value:.2f}" if isinstance(value, float) else f"{value}"
        assert said in text, (id, name, row)


@pytest.mark.parametrize("id", EXPERIMENTS)
def test_every_empirical_row_has_a_rule_that_can_be_applied(id):
    """Each row once; a rule decides by itself or names a table of the paper; its printed numbers stand in the row's text."""
    paper = papers()[id]
    rows = {row: r for row, r in paper.inventory().items() if r["kind"] == "empirical"}
    rules = paper.empirical()
    assert set(rules) == set(rows)
    for row, rule in rules.items():
        if judge.from_print(rule) is None and not {"claims", "schedule"} & set(rule):
            assert rule["table"] in paper.experiments() and rule["tests"] and "part" not in rule, row
            plan_ = tabulate.table_of(f"{id}/{rule['table']}")["plan"]["method"]
            assert set(rule.get("readings", ())) <= {m.get("setting") for m in plan_}, row
            assert rule.get("by", (rule.get("readings") or [None])[0]) in rule.get("readings", [None]), row
            for test in rule["tests"]:
                assert set(test) <= set(judge.WORDS), row


def test_the_list_names_every_table(capsys):
    assert main(["table", "--list"]) == 0
    said = capsys.readouterr().out
    assert all(id in said for id in TABLES)


@pytest.mark.parametrize(
    "line, said",
    [
        (["flame/tabel2"], "no table is called 'flame/tabel2'; did you mean flame/table2"), ([], "a table is needed"),
        (["flame/table2", "--write", "x.txt"], "ends in .json, .csv, .tex"),
        (["flame/table2", "--quick", "--setting", "as codde"], "got 'as codde'; did you mean as coded"),
        (["flame/table2", "--quick", "--problem", "Mnist-MLR"], "--problem must be one of 'Synthetic-SVM, 50 clients', "),
        (["flame/table2", "--plot", "x.txt"], "--plot FILE must end in"),
        (["flame/table2", "--page", "x.txt"], "--page FILE must end in .md, got 'x.txt'"),
        (["--verdicts", "--page", "no/such/x.md"], "--page no/such/x.md cannot be written"),
        (["--verdicts", "--problem", "x"], "--problem has no meaning with --verdicts"),
        (["--verdicts", "flame/table2"], "flame/table2 has no meaning with --verdicts"),
        (["--list", "--quick"], "--quick has no meaning with --list"), (["--list", "--verdicts"], "--verdicts has no meaning"),
    ],
)  # fmt: skip
def test_what_is_no_table_is_refused(line, said, capsys):
    assert main(["table", *line]) == 2
    assert said in capsys.readouterr().err


SMALL = """
title = "accuracy of two methods"
learned = ["A constant predictor does as well."]
locator = "Table 9"
shows = "accuracy"
[show]
column = "accuracy"
[plan]
rounds = 4
seeds = "0-5"
measure = "accuracy"
stop = "none"
[[plan.problem]]
label = "cancer"
data = "mnist"
m = 4
l2 = 0.1
train = 0.7
instead = {data = "breast-cancer", features = "mean", standardise = true}
[[plan.method]]
label = "A"
setting = "as printed"
name = "fedavg"
eta = 0.5
E = 3
[[plan.method]]
label = "pFedMe"
setting = "as printed"
name = "pfedme"
R = 2
lam = 15
inner = "gradient"
inner-steps = 2
inner-eta = 0.01
[[row]]
row = "A"
method = "A"
column = "accuracy"
printed = 93.0
deviation = 0.5
[[row]]
row = "PM"
method = "pFedMe"
column = "personal_accuracy"
at = "best"
[quick]
seeds = [0, 1]
"""


@pytest.fixture
def small(monkeypatch):
    """One small accuracy table in place of all, whose data are not here."""
    monkeypatch.setattr(tabulate, "all_of_them", lambda: {"pfedme/small": tomllib.loads(SMALL)})
    rules = {
        "pfedme/a": {"table": "small", "tests": [{"left": "pFedMe", "right": "A", "column": "objective"}]},
        "pfedme/b": {
            "table": "small",
            "full": True,
            "tests": [{"left": "A", "right": "pFedMe", "column": "objective"}],
        },
    }
    monkeypatch.setattr(
        "fedtheory.commands.empirical.paper", lambda id: type("P", (), {"empirical": lambda: rules, "figures": dict})
    )


def test_a_table_has_printed_and_measured_figures_references_and_broken_hypotheses(small, tmp_path, capsys):
    files = {s: tmp_path / f"t{s}" for s in (".json", ".csv", ".tex", ".svg", ".pdf")}
    out = ["--out", str(tmp_path / "runs"), "--jobs", "1"]
    for s, f in files.items():
        out += ["--plot" if s in (".svg", ".pdf") else "--write", str(f)]
    assert main(["table", "pfedme/small", *out]) == 0
    said = capsys.readouterr().out
    rows = json.loads(files[".json"].read_text())
    assert [r["row"] for r in rows] == ["A", "PM", "majority label", "local only", "centralised"]
    assert rows[0]["printed"] == 93.0 and 80 < rows[0]["measured"] <= 100 and rows[0]["seeds"] == 6
    assert rows[0]["note"] == "printed for other data" and rows[0]["bytes"] == 4 * 2 * 8 * 10 * 4
    assert rows[0]["gradients"] == 4 * 3 * 4 and rows[0]["rounds"] == 4 and rows[0]["seconds"] > 0
    assert (
        rows[2]["measured"] < rows[3]["measured"]
        and rows[2]["seeds"] == rows[0]["seeds"]
        and rows[0]["less majority label"].count("+-") == 1
    )
    assert "cancer: breast-cancer in place of mnist, which is not here" in said
    assert "Theorem 1: eta <= eta1_hat/(beta R) fails" in said
    assert "pfedme/a: needs data that is not here: on stand-ins" in said and "pfedme/b: " in said
    assert all(f.stat().st_size > 500 for f in files.values()) and "<svg" in files[".svg"].read_text()
    again = files[".svg"].read_bytes()
    assert main(["table", "pfedme/small", *out]) == 0
    assert "12 at hand" in capsys.readouterr().err and files[".svg"].read_bytes() == again
    assert main(["table", "pfedme/small", "--seeds", "1-2", *out]) == 0
    assert json.loads(files[".json"].read_text())[0]["seeds"] == 2
    capsys.readouterr()
    assert main(["table", "pfedme/small", "--quick", *out]) == 0
    said = capsys.readouterr().out
    assert "pfedme/a: at the quick setting needs data" in said and "pfedme/b: " not in said


FIG2 = "fedadmm/exp-k0-fewer-cr"  # of all three methods, on any problem


def figures(*methods, falls, stood_in=()):
    """What is kept of a run of Figure 2 on Example 5.1 and on a stand-in, with communications that fall with k0, or do not."""
    cells = [
        Figures(problem, method, "as printed", {"k0": k0}, {"communications": {s: s + sign * k0 for s in range(5)}})
        for method in methods
        for problem, sign in (("Example 5.1", -1 if falls else 1), ("Example 5.2, qot", 1))
        for k0 in (1, 20)
    ]
    return Kept(cells, ["Example 5.2, qot", *stood_in]).plain()


def row_of(folder, row=FIG2):
    """(verdict, from) of a row of the inventories."""
    (line,) = (line for line in empirical.verdicts(str(folder), [row.split("/")[0]])[0] if line["row"] == row)
    return line["verdict"], line["from"]


def test_what_a_quick_run_says_decides_nothing(tmp_path, capsys, monkeypatch):
    """Fewer rounds are another setting than the paper's: such a verdict is told, and counts as none."""
    monkeypatch.setattr(empirical, "_shipped", lambda paper, table: {})
    methods = ("FedADMM", "FedAvg", "FedProx")
    (tmp_path / "fedadmm.fig2.quick.figures.json").write_text(json.dumps(figures(*methods, falls=False)))
    assert row_of(tmp_path) == (
        "inconclusive", 'not run: fedtheory table fedadmm/fig2 --problem "Example 5.1"; at the quick setting: not reproduced'
    )  # fmt: skip
    file = tmp_path / "fedadmm.fig2.figures.json"
    file.write_text(json.dumps(figures("FedADMM", "FedAvg", falls=True)))
    assert row_of(tmp_path)[1].startswith("not run: ")  # of FedProx there is nothing
    elsewhere = figures(*methods, falls=True)
    elsewhere["cells"] = [c for c in elsewhere["cells"] if c["problem"] != "Example 5.1"]
    file.write_text(json.dumps(elsewhere))
    assert row_of(tmp_path)[1].startswith("not run: ")  # nor on stand-ins alone
    file.write_text(json.dumps(figures(*methods, falls=True)))
    verdict, why = row_of(tmp_path)
    assert verdict == "reproduced" and "below on 5, above on 0 of 5 seeds" in why
    file.write_text(json.dumps(figures(*methods, falls=False)))
    assert row_of(tmp_path)[0] == "not reproduced"
    file.write_text(json.dumps(figures(*methods, falls=True) | {"cells": 3}))
    assert main(["table", "--verdicts", "--out", str(tmp_path)]) == 2
    assert "expected an array, got 3 at cells" in capsys.readouterr().err


def test_a_table_has_a_page(small, tmp_path, capsys):
    """The page and its picture hold what the terminal says; the line that it names writes the same page again."""
    out = ["--out", str(tmp_path / "runs"), "--jobs", "1", "--setting", "as printed", "--seeds", "0-1"]
    page = tmp_path / "small.md"
    assert main(["table", "pfedme/small", *out, "--page", str(page)]) == 0
    said, text = capsys.readouterr().out, page.read_text()
    assert text.startswith("# Accuracy of two methods (Table 9)\n\nWritten by `fedtheory table pfedme/small ")
    assert '--setting "as printed" --seeds 0-1 --page FILE.md`; 4 runs of ' in text
    assert "](small.svg)" in text and "<svg" in (tmp_path / "small.svg").read_text()
    for line in ("cancer: breast-cancer in place of mnist, which is not here", "A constant predictor does as well."):
        assert line in said and f"\n- {line}\n" in text
    assert "| cancer | as printed | A | accuracy | 93 | 0.5 |" in text and "| majority label |" in text
    assert "## Conditions that settings break\n\n- pFedMe, as printed, cancer: Theorem 1: " in text
    assert main(["table", "pfedme/small", *out, "--page", str(page)]) == 0
    assert page.read_text() == text
    assert main(["table", "pfedme/small", *out[:-2], "--seeds", "0-3", "--finished", "--page", str(page)]) == 0
    assert "; 4 of 8 runs of " in page.read_text() and "not run: cancer, A, as printed (2 runs); " in page.read_text()


def test_one_problem_decides_the_rows_that_others_cannot(monkeypatch):
    """Without a problem on which something would be decided, a test that is about all of them decides nothing."""
    rules = {
        "a/all": {"table": "t", "tests": [{"method": "A", "column": "x", "falls": "k"}]},
        "a/one": {"table": "t", "tests": [{"method": "A", "problem": "p", "setting": "s", "column": "x", "falls": "k"}]},
        "a/full": {"table": "t", "full": True, "tests": []}, "a/other": {"table": "u", "tests": []},
        "a/print": {"descending": [["2", "1"]]},
    }  # fmt: skip
    monkeypatch.setattr(empirical, "paper", lambda id: type("P", (), {"empirical": lambda: rules}))

    def decided(quick=False, setting=None, left_out=()):
        return set(empirical.rules_of("a/t", quick=quick, setting=setting, left_out=left_out))

    assert decided() == {"a/all", "a/one", "a/full"} and decided(quick=True) == {"a/all", "a/one"}
    assert decided(left_out={"q"}) == {"a/one", "a/full"} and decided(left_out={"p"}) == {"a/full"}
    assert decided(setting="s") == {"a/one", "a/full"} and decided(setting="as coded") == {"a/full"}


def test_figures_are_kept_beside_those_of_other_settings(tmp_path):
    """A run of one setting leaves the others as they are, and replaces its own figures; numbers that are not finite survive."""
    a, b = (Figures("p", name, "s", {"k": 1}, {"x": {0: 1.0}, "best x": {0: float("inf")}}) for name in "AB")
    newer = Figures("p", "A", "s", {"k": 1}, {"x": {0: 2.0}})

    def after(stood_in):
        empirical.keep(str(tmp_path), "p/t", False, Kept([newer], stood_in))
        return kept(json.loads((tmp_path / "p.t.figures.json").read_text()))

    empirical.keep(str(tmp_path), "p/t", False, Kept([a, b], ["p"]))
    found = after(["p"])
    assert [c.values("x") for c in found.cells] == [{0: 2.0}, {0: 1.0}] and found.stood_in == ["p"]
    assert found.cells[0].values("x", "best") == {0: float("inf")}
    with pytest.raises(UsageError, match="no 'best y' was kept of A, s, k = 1; did you mean best x"):
        found.cells[0].values("y", "best")
    found = after([])  # its data are here now, and what was measured on others is none of theirs
    assert [c.method for c in found.cells] == ["A"] and found.stood_in == []


def test_the_row_of_a_table_sees_the_readings_that_the_paper_has(monkeypatch):
    """A run of one reading is judged beside the figures that are kept of the others; its own are the newer ones."""
    old = Kept([Figures("p", "A", s, {}, {"x": {0: 1.0}}) for s in ("steps", "passes")])
    monkeypatch.setattr(empirical, "paper", lambda id: type("P", (), {"figures": lambda: {"t": old.plain()}}))
    found = empirical.beside_shipped("p/t", Kept([Figures("p", "A", "passes", {}, {"x": {0: 3.0}})]))
    assert {c.setting: c.values("x")[0] for c in found.cells} == {"steps": 1.0, "passes": 3.0}


def test_a_run_of_fewer_seeds_takes_the_place_of_these_alone():
    """Two of five seeds that are run again are not all that is known of a figure."""
    old, new = (Kept([Figures("p", "A", "s", {}, {"x": seeds})]) for seeds in ({0: 1.0, 1: 2.0, 2: 3.0}, {1: 5.0}))
    assert [c.values("x") for c in old.joined(new).cells] == [{0: 1.0, 1: 5.0, 2: 3.0}]


def test_figures_that_a_paper_has_are_of_runs_of_its_tables():
    """Every cell names a problem, method and setting of the full plan, of five seeds or all planned; some row is decided."""
    shipped = [(id, name, data) for id in EXPERIMENTS for name, data in papers()[id].figures().items()]
    assert ("pfedme", "table1") in {(id, name) for id, name, _ in shipped}
    for id, name, data in shipped:
        cells = kept(data).cells
        plan_, _ = tabulate.plan_of(tabulate.table_of(f"{id}/{name}"), quick=False)
        labels = [s.labels for s in plan.specs(plan_, f"{id}/{name}")]
        known = {(x["problem"], x["method"], x["setting"]) for x in labels}
        beside = {(p, name, s) for p, _, s in known for name in NAMES}
        assert {(c.problem, c.method, c.setting) for c in cells} <= known | beside
        planned = len({s.seed for s in plan.specs(plan_, f"{id}/{name}")})
        assert min(len(own) for c in cells for own in c.kept.values()) >= min(5, planned)
        rules = [r for r in papers()[id].empirical().values() if r.get("table") == name]
        assert not rules or any(judge.covers(r, cells) for r in rules)


def test_a_row_whose_data_are_not_here_needs_no_run(tmp_path, monkeypatch):
    """All problems of pFedMe's Figure 1 are stand-ins; as soon as the data are here the row has not been run."""
    monkeypatch.setattr(empirical, "_shipped", lambda *_: {})  # no figures are kept
    verdict, why = row_of(tmp_path, "pfedme/exp-r-faster")
    assert verdict == "needs data that is not here" and "digits in place of mnist" in why
    from problems.data import datasets

    rows = [row._replace(present=True) if row.name == "mnist" else row for row in datasets.status()]
    monkeypatch.setattr(datasets, "status", lambda: rows)
    assert row_of(tmp_path, "pfedme/exp-r-faster") == ("inconclusive", "not run: fedtheory table pfedme/fig1")


def test_reference_points():
    """By hand: the majority label; the local fit beats the pooled one where clients disagree, and only there."""
    rng = np.random.default_rng(0)
    rows = [rng.standard_normal((60, 2)) for _ in range(2)]
    labels = [(rows[0][:, 0] > 0).astype(int), (rows[1][:, 0] < 0).astype(int)]
    from problems.build import Setup, digest
    from problems.clients.softmax import SoftmaxClients
    from problems.data.partitions import as_they_come

    parts = list(zip(rows, labels, strict=True))
    f = SoftmaxClients(parts, classes=2)
    found = references(Setup(f, "softmax", as_they_come(parts), digest(parts), f))
    most = np.mean([max(np.mean(y), 1 - np.mean(y)) for y in labels])
    assert found["majority label"]["accuracy"] == pytest.approx(most, abs=1e-12)
    assert found["local only"]["accuracy"] > 0.95 and found["centralised"]["accuracy"] < 0.75
    with pytest.raises(UsageError, match="give train"):
        references(build("digits", m=3))
    with pytest.raises(UsageError, match="has targets"):
        references(build("diabetes", m=3, train=0.5))


def test_accuracies_by_hand():
    """Logistic, softmax and margin clients label by their scores; padded samples do not count."""
    for data, model in (("breast-cancer", "logistic"), ("digits", "softmax"), ("digits", "margin")):
        setup = build(data, m=3, model=model, train=0.6, partition="power-law", standardise=True)
        assert setup.test is not None and len(set(setup.test.n)) == 3
        W = np.random.default_rng(1).standard_normal((3, setup.problem.d))
        store = setup.test.store
        for i in range(3):
            X = store.X[store.start[i] : store.start[i] + store.n[i]]
            y = store.y[store.start[i] : store.start[i] + store.n[i]]
            scores = X @ W[i].reshape(-1, X.shape[1]).T
            right = (np.sign(scores[:, 0]) == y) if model == "logistic" else (scores.argmax(axis=1) == y)
            assert setup.test.accuracy(W)[i] == pytest.approx(right.mean(), abs=1e-12)
    with pytest.raises(UsageError, match="needs labels"):
        build("diabetes", m=2).problem.accuracy(np.zeros((1, 10)))


def group(name, values, *, problem="p", axes=None, column="x", setting="as printed"):
    """A group with one figure a seed, reached in two steps."""
    found = Group(problem, name, setting, axes or {})
    for seed, v in enumerate(values):
        trace = Trace(
            {"t": np.arange(3), "communications": np.arange(3), "objective": np.ones(3), column: np.array([0, 1, v])},
            "rounds",
        )
        held = Plan("fedavg", {}, 2, 1, seed, "none", {"data": "d", "m": 2}, "numpy", "", "accuracy")
        results = {"gradients": 4, "bytes": 8, "no_optimum": ""}
        found.runs[seed] = Finished(held, method("fedavg"), trace, Setting(None, None, {}), results, Path(), 1.0)
    return found


def test_figures_of_a_group():
    g = group("A", [2.0, 4.0, 0.5])
    assert g.mean("x") == pytest.approx(6.5 / 3) and g.deviation("x") == pytest.approx(np.std([2, 4, 0.5], ddof=1))
    assert g.values("x", "best") == {0: 2.0, 1: 4.0, 2: 1.0}
    assert g.values("x", "mean") == {0: 1.0, 1: 5 / 3, 2: 0.5}
    assert g.values("x", "reach", 1.5) == {0: 2.0, 1: 2.0, 2: 3.0}  # one more than there were
    assert g.mean("gradients") == 4 and g.label() == "A, as printed"
    with pytest.raises(UsageError, match="did you mean objective"):
        g.values("objectiv")


def test_the_bar_of_a_group_stays_within_what_its_seeds_had():
    assert experiments._bar(group("A", [1, 2, 3, 4, 5]), "x") == pytest.approx((np.sqrt(2.5), np.sqrt(2.5)))
    low, high = experiments._bar(group("A", [1, 1, 1, 1, 96]), "x")
    assert (low, high) == (19, pytest.approx(np.std([1, 1, 1, 1, 96], ddof=1)))
    assert experiments._bar(group("A", [7]), "x") == (0, 0)


def test_four_panels_fold_and_short_axes_have_plain_numbers(tmp_path):
    """Two by two where there is one problem alone; 50 and not 5 x 10^1 on a logarithmic axis of less than three decades."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    def size(columns, *groups):
        table = {"title": "t", "shows": "curves", "show": {"columns": columns}}
        experiments.draw(table, groups, [], str(tmp_path / "x.svg"), "c")
        found = re.search(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"', (tmp_path / "x.svg").read_text())
        return float(found[1]) / float(found[2])

    low, high = group("A", [2.0, 3.0]), group("B", [2.0, 3.0])
    elsewhere = group("A", [2.0, 3.0], problem="q")
    assert size(["x"] * 4, low, high) < 2 < min(size(["x"] * 4, low, elsewhere), size(["x"] * 3, low))
    for top, plain in ((50.0, True), (5e4, False)):
        fig, ax = plt.subplots()
        ax.plot([0, 1], [1.0, top])
        experiments._log(ax, "rounds")
        assert (ax.yaxis.get_major_formatter()(50.0) == "50") == plain
        plt.close(fig)


def test_a_curve_that_diverges_leaves_the_others_in_the_picture():
    """The axis is that of the others, and says how far it goes; a bound far away stays, and so do curves that all diverge."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    def axis(*curves, bound=None):
        fig, ax = plt.subplots()
        for name, y in curves:
            ax.plot([0, 1, 2], y, marker="o", label=name)
        if bound is not None:
            ax.plot([0, 1, 2], [bound] * 3)
        experiments._log(ax, "objective")
        plt.close(fig)
        return ax.get_ylim(), [t.get_text() for t in ax.texts], ax.get_yscale()

    calm, wild = ("calm", [2.0, 1.5, 1.0]), ("wild", [2.0, 1e5, 3e20])
    (low, high), said, scale = axis(calm, wild)
    assert 0.8 < low < 1 and 2 < high < 3 and said == ["wild: up to 3e+20"] and scale == "linear"
    assert axis(wild)[1:] == ([], "log")
    assert axis(calm, bound=1e9)[1:] == ([], "log")
    (low, high), said, _ = axis(("below zero", [1.0, 0.0, -1.0]), wild)
    assert -1.5 < low < -1 and said == ["wild: up to 3e+20"]


def test_all_verdicts_are_counted(tmp_path, capsys):
    """By paper, on the page and in the file, which has a line of each."""
    page, file = tmp_path / "verdicts.md", tmp_path / "v.json"
    assert main(["table", "--verdicts", "--out", str(tmp_path), "--page", str(page), "--write", str(file)]) == 0
    own = [row for row in json.loads(file.read_text()) if row["row"].startswith("fedadmm/")]
    assert own == empirical.verdicts(str(tmp_path), ["fedadmm"])[0] and len(own) == 16
    said = capsys.readouterr().out
    for id, n in (("fedadmm", 16), ("pfedme", 38), ("flame", 62), ("dadpfl", 57)):
        (line,) = (x for x in said.splitlines() if x.startswith(f"{id}: {n} empirical rows: "))
        assert f"\n- {line}\n" in page.read_text() and page.read_text().count(f"\n| {id}/") == n


@pytest.mark.parametrize("id", [id for id in TABLES if tabulate.table_of(id)["plan"].get("backend") != "torch"])
def test_every_table_has_its_page_in_the_docs(id):
    """Written by its command, with its picture beside it, and in the list."""
    folder, name = Path(__file__).parents[2] / "docs", id.replace("/", "_")
    page = (folder / "tables" / f"{name}.md").read_text(encoding="utf-8")
    assert f"Written by `fedtheory table {id} " in page and f"]({name}.svg)" in page
    assert (folder / "tables" / f"{name}.svg").is_file()
    assert f"(tables/{name}.md)" in (folder / "tables.md").read_text(encoding="utf-8")
    assert all(f"\n- {line}\n" in page for line in tabulate.table_of(id).get("learned", []))
