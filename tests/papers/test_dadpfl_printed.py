"""DA-DPFL: printed tables as the inventory has them, verdicts on them at both ends of the rounding, rules of the empirical rows."""

import re
from fractions import Fraction

import pytest

from fedtheory import claim, lt
from fedtheory.commands import empirical
from fedtheory.measure import paired
from fedtheory.registry import papers
from problems import Scalars, positive
from proofs_checks.dadpfl import tables
from proofs_checks.dadpfl.printed import COLUMNS_I, COLUMNS_III, TABLE_I, TABLE_III, TEXT

PAPER = papers()["dadpfl"]
HALF = Fraction(1, 200)  # half a unit of the last digit of an accuracy
BOTH = 2 * HALF  # of a difference of two of them


def test_every_number_is_as_printed():
    """Tables I and III against the rows of the inventory."""
    rows, seen = PAPER.inventory(), 0
    for k, column in enumerate(COLUMNS_I):
        data, part = column.rstrip(".").lower().split()
        text = rows[f"dadpfl/exp-table1-{data}-{part}"]["formula"]
        found = dict(re.findall(r"([\w-]+)(?: \(Ours\))? (\d+\.\d+) \+-", text))
        assert found == {name: row[k] for name, row in TABLE_I.items()}
        seen += len(found)
    for k, topology in ((0, "ring"), (2, "fc")):
        text = rows[f"dadpfl/exp-table3-{topology}"]["formula"]
        found = {name: (a, s) for name, a, s in re.findall(r"([\w-]+) (\d+\.\d+) \+- [\d.]+ \(s=([\d.]+)\)", text)}
        assert found == {name: row[k : k + 2] for name, row in TABLE_III.items()}
        seen += 2 * len(found)
    assert seen == 54 + 24 and len(COLUMNS_III) == 4
    for number, row in (("2-3", "margin"), (TEXT["shortfall"][0], "shortfall")):
        assert number in rows[f"dadpfl/exp-acc-{row}"]["formula"]
    assert TEXT["margin, least"][0] + "-" + TEXT["margin, largest"][0] == "2-3"
    for data in ("CIFAR10", "CIFAR100"):
        assert TEXT[f"gain on {data}"][0] in rows[f"dadpfl/exp-n-gain-{data.lower()}"]["formula"]
    assert f"${TEXT['energy'][0]}$ times" in rows["dadpfl/exp-abstract-energy"]["formula"]


def test_table_1_before_it_was_rounded():
    """What is said of Table I, true or false, is so at both ends of the rounding of every cell."""
    margins = {k: tables.margin(k) for k in tables.WON}
    assert margins[0] == Fraction("2.58") and margins[2] == Fraction("3.23") and margins[3] == Fraction("1.42")
    assert all(tables.margin(k, tables.BASELINES) > BOTH for k in tables.WON)
    assert tables.margin(tables.LOST, tables.BASELINES) < -BOTH
    assert margins[2] - BOTH > 3 and margins[3] + BOTH < Fraction(3, 2)
    assert 100 * (margins[2] - BOTH) / Fraction("85.86") > Fraction(7, 2)
    assert Fraction(14, 10) <= min(margins.values()) - BOTH and max(margins.values()) + BOTH <= Fraction(33, 10)
    assert 2 + BOTH < sum(margins.values()) / 5 < 3 - BOTH
    assert tables.best(("DFedSAM",), 0) - tables.best(("DisPFL", "GossipFL"), 0) > BOTH
    for k in tables.WON[1:]:
        others = [name for name in tables.DFL if name != "DisPFL"]
        assert tables.best(("DisPFL",), k) - tables.best(others, k) > BOTH
    short = -(tables.margin(tables.LOST, ("DFedAvgM",)))
    assert abs(short - Fraction(1, 2)) + BOTH < Fraction(1, 20)
    above = sorted(n for n in tables.BASELINES if tables.ACCURACY[n][1] - tables.ACCURACY["DA-DPFL"][1] > BOTH)
    assert above == ["BEER", "DFedAvgM", "DFedSAM"]


def test_table_3_before_it_was_rounded():
    mine = tables.TOPOLOGY["DA-DPFL"]
    for k in range(4):
        assert mine[k] - max(row[k] for name, row in tables.TOPOLOGY.items() if name != "DA-DPFL") > BOTH


def test_table_2_before_it_was_rounded():
    """Energies with a twentieth of 1e12 FLOP to either side: one tie on HAM10000 alone is open, and the claims say so."""
    room = Fraction(1, 20)

    def energy(name, data, off):
        com, flop = tables.COSTS[name][data]
        return 450 * 5 * (flop + off) / 80 + (com + off) * 2**20 * 8 / 10**9

    largest = energy("DFedSAM", 2, room) / energy("DA-DPFL_Pat", 2, -room)
    least = energy("DFedSAM", 2, -room) / energy("DA-DPFL_Pat", 2, room)
    assert Fraction(9, 2) < least < largest < Fraction(11, 2)
    flop = {(o, d): (tables.COSTS[o][d][1], tables.COSTS["DisPFL"][d][1]) for o in tables.OURS for d in range(3)}
    open_ = {(o, d) for (o, d), (mine, other) in flop.items() if mine + room > other - room}
    assert open_ == {("DA-DPFL_Pat", 0)}
    assert "hides" in tables.no_more_flop.note and "rounding" in tables.least_of_dfl.note
    com = {d: tables.COSTS["DisPFL"][d][0] / tables.COSTS["FedAvg"][d][0] for d in range(3)}
    assert com[1] - Fraction(1, 1000) > Fraction(101, 200) and abs(com[0] - Fraction(1, 2)) < Fraction(1, 1000)


def test_every_empirical_row_has_a_rule():
    rows = {id for id, row in PAPER.inventory().items() if row["kind"] == "empirical"}
    rules = PAPER.empirical()
    assert set(rules) == rows and len(rows) == 57
    for rule in rules.values():
        assert len({"needs", "vague", "setting", "claims", "schedule", "table"} & set(rule)) == 1
        assert all(id in PAPER.claims() for id in rule.get("claims", ()))


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        ("exp-acc-five-of-six", paired.HOLDS),
        ("exp-acc-margin", paired.FAILS),
        ("exp-topology", paired.HOLDS),
        ("exp-intro-efficiency", paired.FAILS),
        ("exp-parallelism-m", paired.REPRODUCED),
        ("exp-table3-fc", paired.NEEDS_DATA),
        ("exp-n-redundancy", paired.INCONCLUSIVE),
    ],
)
def test_rows_are_decided_by_their_rules(row, verdict, tmp_path):
    """The print through its claims, which say how they read it, and schedules by their measures, which are named."""
    rule = PAPER.empirical()[f"dadpfl/{row}"]
    found = empirical._of_row(str(tmp_path), PAPER, rule)
    assert found.verdict == verdict
    notes = [PAPER.claims()[id].note.rstrip(".") for id in rule.get("claims", ())]
    assert all(f"({note})" in found.why for note in notes if note)
    assert found.why.endswith("(the share of clients that start at once, K = 100)") == ("schedule" in rule)


def test_what_is_not_proved_decides_nothing(monkeypatch):
    """One refuted claim fails; what a search alone supports leaves a row open."""

    @claim("dadpfl/open", world=Scalars(a=positive()))
    def open_(x):
        return lt(0, x.exp(x.a) - x.a**2 / 2 - x.a / 2)

    known = {**PAPER.claims(), "dadpfl/open": open_}
    monkeypatch.setattr(empirical, "claims", lambda _: known)
    five, margin = "dadpfl/exp-acc-five-of-six@print", "dadpfl/exp-acc-margin@print"
    assert empirical.by_claims(PAPER, [five]).verdict == paired.HOLDS
    assert empirical.by_claims(PAPER, [five, margin]).verdict == paired.FAILS
    assert empirical.by_claims(PAPER, [five, "dadpfl/open"]).verdict == paired.INCONCLUSIVE
