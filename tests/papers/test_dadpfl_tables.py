"""DA-DPFL's tables of runs: printed cells by another way, paired differences, costs, pictures, how long they take."""

import json
import re
import runpy
import tomllib
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from fedtheory.cli import main
from fedtheory.commands import hours, plan, tabulate
from fedtheory.commands.empirical import _of_row
from fedtheory.errors import UsageError
from fedtheory.measure import paired
from fedtheory.measure.cost import of_run
from fedtheory.registry import method, papers
from fedtheory.results.finished import Finished, Plan, Setting
from fedtheory.results.groups import Group
from fedtheory.results.table_figures import kept
from fedtheory.show import experiments, table_cost
from fedtheory.trace import Trace

PAPER = papers()["dadpfl"]
FOLDER = resources.files("proofs_checks.dadpfl")
TABLES = {
    "table1": "table1",
    "table1_mlp": "table1",
    "table1_mlp_100": "table1",
    "table3": "table3",
    "table3_mlp": "table3",
}
COLUMNS = {"HAM10000, Dir(0.5)": "ham10000-dir", "CIFAR10, Dir(0.3)": "cifar10-dir", "CIFAR10, Pat(2)": "cifar10-pat"}


def cells_of_the_inventory():
    """Every printed accuracy with its deviation, by the words of the inventory's file alone: no module of the paper is read."""
    found = {}
    text = FOLDER.joinpath("inventory.toml").read_text(encoding="utf-8")
    for row in tomllib.loads(text)["row"]:
        name = row["id"].rpartition("exp-")[2]
        if not name.startswith(("table1-", "table3-")):
            continue
        for entry in row["formula"].split(":", 1)[1].split(";"):
            words = entry.replace("(Ours)", "").split()
            assert words[2] == "+-", entry
            found[name, words[0]] = words[1], words[3]
    assert len(found) == 54 + 12
    return found


@pytest.mark.parametrize("name", TABLES)
def test_printed_cells_of_the_tables(name):
    """Each row of a table against the inventory, and no cell of the columns that are run is left out."""
    cells, seen = cells_of_the_inventory(), set()
    for row in tomllib.loads(FOLDER.joinpath(f"experiments/{name}.toml").read_text(encoding="utf-8"))["row"]:
        if "printed" not in row:
            assert name.startswith("table3") and row["problem"] == "CIFAR10, Pat(2)"  # no column of the paper
            continue
        graph, _, who = row["method"].rpartition(": ")
        column = {"Ring": "ring", "FC": "fc", "": COLUMNS[row["problem"]]}[graph]
        key = f"{TABLES[name]}-{column}", who
        value, deviation = cells[key]
        assert f"{row['printed']:.2f}" == value and f"{row['deviation']:.1f}" == deviation, row
        seen.add(key)
    columns = {c for c, _ in seen}
    assert seen == {key for key in cells if key[0] in columns} and len(columns) == (3 if "1" in name else 2)


def test_all_nine_methods_run_where_must_be():
    """Dirichlet and two classes; random, ring and full graphs; without a server six, with one three; three seeds at least."""
    for one, three in (("table1", "table3"), ("table1_mlp", "table3_mlp")):
        found = {}
        for name in (one, three):
            for spec in plan.specs(tabulate.plan_of(tabulate.table_of(f"dadpfl/{name}"), quick=False)[0], name):
                graph, _, who = spec.labels["method"].rpartition(": ")
                found.setdefault((spec.labels["problem"], graph), {}).setdefault(who, set()).add(spec.seed)
        for problem in ("CIFAR10, Dir(0.3)", "CIFAR10, Pat(2)"):
            assert len(found[problem, ""]) == 9 and len(found[problem, "Ring"]) == len(found[problem, "FC"]) == 6
            assert all(seeds >= {0, 1, 2} for graph in ("", "Ring", "FC") for seeds in found[problem, graph].values())


def test_two_classes_a_client():
    from problems.build import build

    setup = build("digits", m=100, partition="power-law", labels_per_client=2, steepness=0, train=0.75)
    assert ((setup.partition.counts > 0).sum(axis=1) == 2).all()


def test_rows_that_need_other_data_are_never_inconclusive(tmp_path):
    """A verdict on digits is told in the words behind it, and decides nothing."""
    rows = {id: rule for id, rule in PAPER.empirical().items() if "table" in rule}
    assert len(rows) == 11
    for rule in rows.values():
        verdict, why = _of_row(str(tmp_path), PAPER, rule)
        assert verdict == paired.NEEDS_DATA and why.startswith(f"dadpfl/{rule['table']}: ")
        assert "on stand-ins" in why


def test_figures_of_the_pages_are_those_of_the_seeds():
    """Means of the kept figures against what stands on the pages."""
    checked = 0
    for name, data in PAPER.figures().items():
        page = (Path(__file__).parents[2] / f"docs/tables/dadpfl_{name}.md").read_text(encoding="utf-8")
        lines = [[c.strip() for c in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("| ")]
        head = lines[0]
        for cell in kept(data).cells:
            for figure, values in cell.kept.items():
                mean = 100 * np.mean(list(values.values()))
                for line in (dict(zip(head, line, strict=False)) for line in lines[1:]):
                    asked = {"problem": cell.problem, "setting": cell.setting, "row": cell.method, "figure": figure}
                    asked |= {k: str(v) for k, v in cell.axes.items()}
                    if all(line.get(k) == v for k, v in asked.items()):
                        assert line["measured"] == f"{mean:.5g}", (name, cell.label(), figure)
                        checked += 1
    assert checked >= 27


def group(name, values, *, seeds=None, **trace):
    """A group of FedAvg's runs on ten clients of five to eight samples with d = 6, in two rounds, with one figure a seed."""
    found = Group("p", name, "s", {})
    for seed, v in zip(seeds or range(len(values)), values, strict=True):
        columns = {
            "t": np.arange(3),
            "communications": np.arange(3),
            "objective": np.ones(3),
            "own_accuracy": np.array([0, v, v]),
            **trace,
        }
        held = Plan("fedavg", {}, 2, 1, seed, "none", {"data": "d", "m": 10}, "numpy", "", "accuracy")
        text = "softmax, m = 10 clients of 5 to 8 training samples (x), d = 6"
        results = {"gradients": 40, "bytes": 1000, "problem": text, "last": {"communications": 2}, "no_optimum": ""}
        found.runs[seed] = Finished(
            held, method("fedavg"), Trace(columns, "rounds"), Setting(None, None, {}), results, Path(), 1.0
        )
    return found


def test_differences_are_of_the_same_seeds():
    """An easy seed is easy for both: the difference says 10 +- 0, whatever the spread of the means."""
    g = group("A", [0.5, 0.9], seeds=[3, 7])
    beside = [
        {"problem": "p", "setting": "s", "seed": seed, "found": {"local only": {"accuracy": v}}}
        for seed, v in ((7, 0.8), (3, 0.4), (1, 0.0))
    ]
    row = {"row": "A", "method": "A", "column": "own_accuracy"}
    assert tabulate.paired_with(row, g, beside, "accuracy") == {"less local only": "+10.0 +- 0.0"}
    assert tabulate.paired_with(row, g, beside[1:], "accuracy") == {}  # none of seed 7
    assert tabulate.paired_with(row, g, [*beside, beside[0]], "accuracy") == {}  # two problems of one label
    assert tabulate.paired_with(row | {"at": "reach"}, g, beside, "accuracy") == {}
    # another setting has a problem of this label too, and the one of the row is posed under a third
    posed = [{**f, "setting": "t", "settings": ["t", "s"]} for f in beside]
    other = [{**f, "setting": "u", "settings": ["u"]} for f in beside]
    assert tabulate.paired_with(row, g, [*posed, *other], "accuracy") == {"less local only": "+10.0 +- 0.0"}


def test_costs_of_runs_by_hand():
    """Bytes and gradients in equal shares, densities and waiting by round; from which theta on less energy pays for a wait."""
    slow = group("ours", [1, 1], density=np.array([1, 0.5, 0.25]), time=np.array([0, 3, 4]))
    fast = group("A", [1, 1])
    for f in slow.runs.values():
        f.results["bytes"] = 400
    want = of_run(
        gradients=40, transferred=400, clients=10, weights=6, samples=8, density=[0.5, 0.25], units=[3, 1], per_use=4
    )
    found = table_cost.cost_in_mean(slow, "round")
    assert found.seconds == pytest.approx(np.sum(want.seconds)) and found.joules == pytest.approx(np.sum(want.joules))
    lines = list(table_cost.lines_of({"ours": "ours"}, [slow, fast]))
    said = {(line["row"], line["figure"]): line["measured"] for line in lines}
    assert said["ours", "C_energy, J"] == pytest.approx(found.joules)
    theta = said["ours", "least theta, waits for whole rounds"]
    other = table_cost.cost_in_mean(fast, "round")
    mine, theirs = ((1 - theta) * c.seconds + theta * c.joules for c in (found, other))
    assert 0 <= theta < 1 and (theta == 0 or mine == pytest.approx(theirs))
    assert ("A", "least theta, waits for whole rounds") not in said
    (one,) = list(fast.runs.values())[:1]
    object.__setattr__(one.plan, "every", 2)
    with pytest.raises(UsageError, match="needs every = 1"):
        table_cost.cost_of(one, "round")


def test_pictures(tmp_path):
    """A panel whose column is another one of each method; what has no axis is a line across; total costs."""
    a, b = group("A", [0.5, 0.7]), group("B", [0.8, 0.9], accuracy=np.array([0.1, 0.2, 0.3]))
    path = tmp_path / "x.svg"

    def drawn(shows, show, *groups):
        experiments.draw({"title": "t", "shows": shows, "show": show}, groups, [], str(path), "c")
        return path.read_text()

    by = {"test_accuracy": {"A": "own_accuracy", "B": "accuracy"}}
    text = drawn("curves", {"columns": ["test_accuracy"], "by": by}, a, b)
    assert ">A, s<" in text and ">B, s<" in text
    assert ">B, s<" not in drawn("curves", {"columns": ["own_accuracy", "test_accuracy"], "by": by}, a)
    along = [Group("p", "A", "s", {"k": k}, a.runs) for k in (1, 2)]
    text = drawn("trend", {"columns": ["own_accuracy"], "x": "k"}, *along, b)
    assert ">A, s<" in text and ">B, s<" in text
    text = drawn("cost", {"dotted": ["A"], "ours": "B"}, a, b)
    assert "waits for whole rounds" in text and "C_total [USD]" in text


def test_how_long_it_takes_is_said_before(tmp_path, capsys, monkeypatch):
    """Kinds, runs and hours; nothing is kept; what is at hand costs nothing."""
    out = ["--out", str(tmp_path / "runs"), "--jobs", "1"]
    small = tomllib.loads(
        'title = "t"\nlocator = "l"\nshows = "curves"\nshow = {columns = ["objective"]}\n[plan]\nrounds = 9\nseeds = "0-1"\n'
        'stop = "none"\nmeasure = "accuracy"\n[[plan.problem]]\ndata = "breast-cancer"\nm = 4\ntrain = 0.7\n'
        '[[plan.method]]\nlabel = "A"\nsetting = "as printed"\nname = "fedavg"\nE = [1, 2]\n'
    )
    monkeypatch.setattr(tabulate, "all_of_them", lambda: {"dadpfl/small": small})
    monkeypatch.setattr(
        "fedtheory.commands.empirical.paper", lambda id: type("P", (), {"empirical": dict, "figures": dict})
    )
    assert main(["table", "dadpfl/small", "--hours", *out]) == 0
    said = capsys.readouterr().out
    assert (
        re.search(r"4 runs, 4 of them to be run: [\d.e-]+ hours of processor time", said)
        and "A, as printed, E = 2" in said
    )
    assert not (tmp_path / "runs").exists() or not list((tmp_path / "runs").iterdir())
    assert main(["table", "dadpfl/small", "--seeds", "0", *out]) == 0
    chosen = plan.specs(small["plan"], "x")
    found = hours.kinds(chosen, str(tmp_path / "runs"))
    assert [(k.runs, k.left) for k in found] == [(2, 1), (2, 1)] and all(k.seconds > 0 for k in found)
    assert main(["table", "--list", "--hours"]) == 2 and "--hours has no meaning with --list" in capsys.readouterr().err


def test_the_cost_of_a_round_is_measured_and_drawn(tmp_path, capsys):
    """docs/examples/cost_linear.py in small: bytes are lines in M and d, by their definition."""
    example = runpy.run_path(str(Path(__file__).parents[2] / "docs/examples/cost_linear.py"))
    example["main"](str(tmp_path / "c.svg"), small="--small")
    said = capsys.readouterr().out
    assert len(said.splitlines()) == 6 and re.search(r"parameters d +bytes .* off by 0\.0 %", said)
    text = (tmp_path / "c.svg").read_text()
    for label in ("processor time [ms]", "bytes of the busiest node [MB]", "clients K", "neighbours M", "parameters d"):
        assert label in text, label


def test_every_method_ends_at_the_minimum_and_with_masks_at_the_masked_one(tmp_path, capsys):
    """docs/examples/converge.py in small: to rounding but for DFedSAM, whose rho is 1e-6; a decaying step is not there yet, and far
    below a constant one, whose bias stays."""
    example = runpy.run_path(str(Path(__file__).parents[2] / "docs/examples/converge.py"))
    example["main"](str(tmp_path / "c.svg"), small="--small")
    lines = [re.fullmatch(r"(.{27}) (.{35}) +(\S+) -> (\S+)", line) for line in capsys.readouterr().out.splitlines()]
    ends = {(m[1].strip(), m[2].strip()): float(m[4]) for m in lines}
    constant = {k: ends.pop(k) for k in list(ends) if k[1].endswith(", constant") and not k[1].startswith("BEER")}
    falling = {
        (title, name.removesuffix(", constant")): ends.pop((title, name.removesuffix(", constant")))
        for title, name in constant
    }
    assert {n.split(",")[0] for _, n in ends} == {
        "FedAvg",
        "Ditto",
        "DFedAvgM",
        "DFedSAM",
        "BEER",
        "DisPFL",
        "DA-DPFL",
        "FedDST",
    }
    assert all(end <= (1e-12 if "DFedSAM" in name else 1e-16) for (_, name), end in ends.items())
    assert {n.split(",")[0] for _, n in falling} == {"GossipFL", "DFedAvgM", "DFedSAM", "DA-DPFL"} and len(falling) == 5
    assert all(falling[t, k.removesuffix(", constant")] < end / 5 for (t, k), end in constant.items())
    text = (tmp_path / "c.svg").read_text()
    assert "masks: from the masked minimum" in text and "DA-DPFL, ring, pruned" in text


def test_quick_tables_run(tmp_path, capsys):
    """Figure 7 in small, with its rows, levels and verdicts."""
    file = tmp_path / "r.json"
    line = ["table", "dadpfl/fig7", "--quick", "--seeds", "0", "--problem", "CIFAR10, Dir(0.3)", "--jobs", "1"]
    assert main([*line, "--out", str(tmp_path / "runs"), "--write", str(file), "--plot", str(tmp_path / "p.svg")]) == 0
    rows = json.loads(file.read_text())
    assert [r["wait"] for r in rows if r["row"] == "DA-DPFL" and r["figure"] == "time"] == ["0", "2", "5", "10"]
    assert all(r["density"] > 0 for r in rows) and "digits in place of CIFAR10 with ResNet18" in capsys.readouterr().out
