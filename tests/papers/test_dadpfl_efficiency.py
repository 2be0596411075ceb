"""DA-DPFL's Table II: the cells as the inventory has them, what the text says of them, and Figures 3 and 4."""

import re
import runpy
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from fedtheory import UsageError
from fedtheory.cli import main
from fedtheory.commands.experiment import kept
from fedtheory.registry import papers
from fedtheory.theory.dadpfl import efficiency as table

WAIT = 17.066  # of K = 100, M = N = 10


def test_every_cell_is_as_printed():
    """Sixty cells against the rows of the inventory, as text."""
    rows = papers()["dadpfl"].inventory()
    seen = 0
    for dataset in table.DATASETS:
        for column, name in enumerate(("com", "flop")):
            text = rows[f"dadpfl/exp-table2-{dataset.lower()}-{name}"]["formula"].partition("):" if column else ":")[2]
            found = dict(re.findall(r"([\w-]+) (\d+(?:\.\d+)?)(?:;|$)", text))
            assert found == {m: cells[table.DATASETS.index(dataset)][column] for m, cells in table.TABLE_II.items()}
            seen += len(found)
    assert seen == 60
    sparsity = rows["dadpfl/exp-final-sparsity"]["formula"]
    for dataset, (dirichlet, pathological) in table.SPARSITY.items():
        assert f"({dirichlet},{pathological})$ for {dataset}" in sparsity


def test_a_printed_number_is_an_interval():
    """Half a unit of the last digit to either side; a ratio has the least and the largest."""
    assert table.printed("3.6") == (Fraction(18, 5), Fraction(71, 20), Fraction(73, 20))
    assert table.quotient(table.printed("2"), table.printed("4")) == (Fraction(1, 2), Fraction(1, 3), Fraction(5, 7))


def test_the_relations_of_the_text():
    """Half the communication but on CIFAR10; 1 - s everywhere; lower than DisPFL but for HAM10000's FLOP, which rounding hides."""
    found = {(r.what, r.dataset): r.outcome for r in table.relations()}
    assert len(found) == 12 + 6 + 12
    for (what, dataset), outcome in found.items():
        if what.startswith("half"):
            assert outcome == ("differs" if dataset == "CIFAR10" else "agrees"), (what, dataset)
        elif what.startswith("communication of"):
            assert outcome == "agrees", (what, dataset)
        else:
            assert outcome == ("open" if "FLOP" in what and dataset == "HAM10000" else "agrees"), (what, dataset)
    ratio = next(r for r in table.relations() if r.dataset == "CIFAR10" and "half" in r.what).found.value
    assert ratio == Fraction(2231, 4263)


def test_the_costs_by_hand():
    """DA-DPFL_Dir on CIFAR10: 500 rounds of 5 x 4.1e12/80e12 s and 149.1 MB; FedAvg's with 1 % and 10 % of its cells."""
    ours = table.of_method("DA-DPFL_Dir", "CIFAR10", wait=WAIT)
    one = 5 * 4.1e12 / 80e12 + 149.1 * 2**20 * 8 / 1e9
    assert ours.seconds == pytest.approx(500 * one * (1 + WAIT), rel=1e-12)
    assert ours.joules == pytest.approx(500 * (450 * 5 * 4.1e12 / 80e12 + 149.1 * 2**20 * 8 / 1e9), rel=1e-12)
    central = table.of_method("FedAvg", "CIFAR10", wait=WAIT)
    assert central.waiting == 0 and central.computing == pytest.approx(500 * 5 * 0.83e12 / 80e12)
    assert central.sending == pytest.approx(500 * 4.263 * 2**20 * 8 / 1e9)
    million = table.of_method("FedAvg", "CIFAR10", rounds=1, megabyte=10**6)
    assert million.sending == pytest.approx(4.263e6 * 8 / 1e9)


def test_energy_is_a_fifth_at_best():
    """ "Up to 5 times": DFedSAM against DA-DPFL_Pat on CIFAR100, 132.3 J and 26.1 J a round; nowhere more."""
    others = [m for m in table.TABLE_II if m not in (*table.OURS, *table.CENTRAL)]
    ratios = {(o, m, d): table.energy_ratio(o, m, d) for o in table.OURS for m in others for d in table.DATASETS}
    best = max(ratios, key=ratios.get)
    assert best == ("DA-DPFL_Pat", "DFedSAM", "CIFAR100")
    by_hand = (450 * 5 * 4.6 / 80 + 353.3 * 2**20 * 8 / 1e9) / (450 * 5 * 0.9 / 80 + 94.8 * 2**20 * 8 / 1e9)
    assert ratios[best] == pytest.approx(by_hand) and 5.0 < by_hand < 5.1


def test_where_the_curves_cross():
    """Beyond 0.2 on CIFAR10, where clients wait for whole rounds; on CIFAR100 only beyond 0.4; soon, where for trainings alone."""
    theta = np.linspace(0, 1, 1001)
    for dataset, ours, first in (("CIFAR10", "Dir", 0.227), ("CIFAR10", "Pat", 0.172), ("CIFAR100", "Dir", 0.476)):
        mine = f"DA-DPFL_{ours}"
        crossing = max(table.crossings(mine, dataset, wait=WAIT).values())
        assert crossing == pytest.approx(first, abs=5e-4)
        drawn = table.curves(dataset, theta, wait=WAIT)
        cheapest = np.min([v for m, v in drawn.items() if m not in (*table.OURS, *table.CENTRAL)], axis=0)
        assert 0 <= theta[np.argmax(drawn[mine] <= cheapest)] - crossing <= 1e-3  # the next point of the grid
        assert drawn[mine][0] > drawn["DFedSAM"][0]  # at theta = 0 the dearest of all
        assert max(table.crossings(mine, dataset, wait=WAIT, waits="training").values()) < 0.05


def test_unknown_names_are_refused():
    """With what is near."""
    with pytest.raises(UsageError, match="got 'DisPFl'; did you mean DisPFL"):
        table.of_method("DisPFl", "CIFAR10")
    with pytest.raises(UsageError, match="Table II has HAM10000, CIFAR10, CIFAR100, got 'cifar'"):
        table.cell("DisPFL", "cifar", 0)


def test_the_example_draws_the_figures(tmp_path, capsys):
    """docs/examples/cost.py."""
    example = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "examples" / "cost.py"))
    example["main"](str(tmp_path / "c.svg"))
    said = capsys.readouterr().out
    assert said.count("\nagrees") + said.startswith("agrees") == 24 and "no dearer from theta = 0.227 on" in said
    picture = (tmp_path / "c.svg").read_text()
    for text in ("Figure 4, CIFAR100", "GossipFL / DFedAvgM / BEER", "C_total [USD]"):
        assert text in picture, text


def test_the_example_draws_our_runs(tmp_path, capsys):
    """docs/examples/cost.py with a folder: FedAvg's gradients and bytes by hand; twice the local steps take more energy."""
    words = [
        "run",
        "fedavg",
        "--E",
        "2,4",
        "--eta",
        "0.01",
        "--batch",
        "10",
        "--data",
        "diabetes",
        "--m",
        "5",
        "--rounds",
        "3",
    ]
    assert main([*words, "--out", str(tmp_path / "runs")]) == 0
    example = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "examples" / "cost.py"))
    found = sorted(
        (
            example["cost_of"](kept(tmp_path / "runs", path.parent.name), "round")
            for path in (tmp_path / "runs").glob("*/run.json")
        ),
        key=lambda c: float(np.sum(c.joules)),
    )
    for E, c in zip((2, 4), found, strict=True):
        d = 10
        assert c.computing.shape == (3,) and c.computing == pytest.approx([5 * 4 * d * E * 10 / 80e12] * 3)
        assert c.sending == pytest.approx(
            [8 * 5 * 2 * d * 8 / 1e9] * 3
        )  # the server: 5 models of 8 bytes a number, twice
    capsys.readouterr()
    example["runs"](str(tmp_path / "r.svg"), str(tmp_path / "runs"))
    assert capsys.readouterr().out.count("fedavg") == 4 and (tmp_path / "r.svg").stat().st_size > 1000
    whole = kept(tmp_path / "runs", next((tmp_path / "runs").glob("*/run.json")).parent.name)
    seldom = replace(whole, plan=replace(whole.plan, every=2))
    with pytest.raises(UsageError, match="needs every = 1"):
        example["cost_of"](seldom, "round")
