"""The verdicts: the same for every seed and backend; refutations replay, controls are refuted; for all ledgers."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.errors import Unsatisfiable

from fedtheory import UsageError, fedtheory_check
from fedtheory.claim import default_controls
from fedtheory.engines.context import Docket
from fedtheory.engines.counterexamples.exact import replay
from fedtheory.engines.counterexamples.witness import free_of
from fedtheory.engines.search.at_rest import replayed
from fedtheory.engines.search.engine import searched
from fedtheory.referee import ledger
from fedtheory.referee.decide import verify
from fedtheory.show import theorems
from fedtheory.show.tables import binding, with_readings
from fedtheory.testing import given_world
from proofs_checks import claims, papers

SEEDS = (0, 1, 2, 3, 4)
SHARES = {
    "decided": ("proved", "certified", "supported", "refuted", "vacuous"),
    "exact": ("proved", "certified", "refuted", "vacuous"),
    "proved": ("proved",),
}
PAPERS = {p.id: p for p in papers()}
KINDS = {"claim", "definition", "assumption", "algorithm", "condition", "empirical", "duplicate", "prose"}


def test_every_claim_is_decided(verdicts):
    """No published claim of these ledgers is left open or crashes."""
    assert {id: v.reason for id, v in verdicts.items() if v.verdict in ("unknown",) or v.crashed} == {}


def test_a_claim_that_is_given_lemmas_is_proved(verdicts):
    """It is not searched for its control, so nothing less will do."""
    assert {id: v.verdict for id, v in verdicts.items() if claims()[id].lemmas and v.verdict != "proved"} == {}


@pytest.mark.in_turn(80)
@pytest.mark.parametrize("part", range(80))
def test_same_verdicts_for_another_seed(verdicts, certificates, part):
    """A part of the claims, in turn: of what rests on a search as of all others."""
    searched = [c for c in claims().values() if verdicts[c.id].trust == "search"]
    others = [c for c in claims().values() if verdicts[c.id].trust != "search"]
    chosen = others[part::80] + searched[part % len(searched) :: 80]
    got = {c.id: verify(c, seed=1, stored=dict(certificates)).verdict for c in chosen}
    assert got == {c.id: verdicts[c.id].verdict for c in chosen}


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS[1:])
def test_same_verdicts_for_every_seed(verdicts, certificates, seed):
    """Five seeds, one ledger: every claim at seed 0 and at one other seed."""
    chosen = [c for k, c in enumerate(claims().values()) if 1 + k % 4 == seed]
    got = {c.id: verify(c, seed=seed, stored=dict(certificates)).verdict for c in chosen}
    assert got == {c.id: verdicts[c.id].verdict for c in chosen}


@pytest.mark.parametrize("of", [60, pytest.param(3, marks=pytest.mark.slow)])
def test_same_verdicts_on_every_backend(verdicts, certificates, backend, of):
    """The strict array API on another device, and torch where it is installed: a part of the claims on each of them."""
    name, xp, device = backend
    if name == "numpy":
        assert all(v.verdict != "unknown" for v in verdicts.values())
        return
    chosen = [c for k, c in enumerate(claims().values()) if k % of == ("strict", "torch").index(name)]
    got = {c.id: verify(c, xp=xp, device=device, stored=dict(certificates)).verdict for c in chosen}
    assert got == {c.id: verdicts[c.id].verdict for c in chosen}


def test_refutations_replay_from_the_report(verdicts):
    """A witness survives JSON and refutes exactly, with every condition met."""
    refuted = [v for v in verdicts.values() if v.verdict == "refuted"]
    assert refuted
    for v in refuted:
        data = json.loads(json.dumps(v.to_json()))["witness"]
        c = replayed(claims()[v.id])
        result = replay(c.body, c.world, free_of(data, c.world), v.id)
        assert result.outcome == "refutes"
        assert all(s.truth is True for s in result.given)


def test_refuted_claims_have_a_decided_repair(verdicts):
    """Every claim that is false as printed names a repair that stands; a reading may name that of its claim."""
    for v in verdicts.values():
        if v.verdict == "refuted" and "@" not in v.id:
            assert verdicts[claims()[v.id].repair].verdict in ("proved", "certified", "supported"), v.id


VACUOUS = {"dadpfl/rem2-d"}  # conditions that cannot hold together, so that there is nothing to search


def test_what_is_vacuous(verdicts):
    """No other published claim is."""
    assert {id for id, v in verdicts.items() if v.verdict == "vacuous"} == VACUOUS


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("part", range(15))
def test_controls_are_refuted(part):
    """The search of every claim that stands has power; what a verdict rests on was asked when it was decided."""
    for c in [c for c in claims().values() if not c.limits][part::15]:  # no search supports a limit
        assert c.control is not None or c.id.startswith("shelf/"), c.id
        if c.lemmas:  # what meets all that it needs is hardly ever drawn, and such a claim is proved or unknown
            continue
        if c.id in VACUOUS:
            continue
        controls = (c.control,) if c.control else default_controls(c.body, c.id)
        assert any(searched(c, one.body, Docket()).refutes for one in controls), c.id


NAMED = re.compile(r"\brows?\b|\b(Lemma|Theorem|Corollary|Proposition|Remark)\s+\d|^\s*\(\d+(\.\d+)?[a-z]?\)")


def test_no_condition_is_named_after_a_row():
    """A condition says what it asks; what is needed of a row is a lemma, or is assumed."""
    for c in claims().values():
        for stated in (*c.world.given, *getattr(c.world, "every", ()), *getattr(c.world, "obeys", ())):
            assert stated in c.assumed or not NAMED.search(stated.printed), (c.id, stated.printed)


def test_uses_name_claims_or_rows():
    """What a claim stands on exists, and so does the row that would prove what it takes for granted."""
    for c in claims().values():
        for id in (*c.uses, *(one.would_be for one in c.assumed if one.would_be)):
            assert id in claims() or id in PAPERS[id.split("/")[0]].inventory(), (c.id, id)


@pytest.mark.parametrize(
    ("paper", "exact", "proved"), [("pfedme", 0.4, 0.15), ("fedadmm", 0.6, 0.3), ("flame", 0.6, 0.3)]
)
def test_a_whole_paper_is_judged(verdicts, paper, exact, proved):
    """Nine in ten claim rows decided, four or six in ten exactly, and a share of them proved."""
    judged = [verdicts[id].verdict for id in PAPERS[paper].inventory() if id in claims()]
    share = {name: sum(v in kinds for v in judged) / len(judged) for name, kinds in SHARES.items()}
    assert share["decided"] >= 0.9 and share["exact"] >= exact and share["proved"] >= proved, share


@pytest.mark.parametrize("paper", PAPERS)
def test_every_row_is_bound(paper):
    """To a claim, to readings of it, or by what it is; at most a tenth of the theory is prose."""
    rows, bindings = PAPERS[paper].inventory(), PAPERS[paper].bindings()
    read = with_readings(claims())
    assert [id for id in rows if not binding(id, claims(), bindings, read)] == []
    theory = [id for id, row in rows.items() if row["kind"] != "empirical"]
    prose = [id for id in theory if bindings.get(id, {}).get("binding") == "prose"]
    assert len(prose) <= 0.1 * len(theory), prose


@pytest.mark.parametrize("paper", PAPERS)
def test_bindings_point_at_rows_and_at_code(paper):
    """Bindings name inventory rows, once, with a known kind and a target that exists; claims name rows too."""
    import importlib

    rows = PAPERS[paper].inventory()
    own = {id for id in claims() if id.startswith(f"{paper}/") and not set(id) & set("@~")}
    assert own <= set(rows)
    for id, b in PAPERS[paper].bindings().items():
        assert id in rows and id not in own and b["binding"] in KINDS, id
        if b["binding"] == "duplicate":
            assert b["to"] in claims() or b["to"] in rows, id
        elif b["binding"] != "prose":
            module, _, name = b["to"].partition(":")
            target = importlib.import_module(module)
            for part in name.split("."):
                target = getattr(target, part)


def test_inventories_are_complete():
    """The committed inventories hold every row of the four papers and the shelf."""
    assert {id: len(p.inventory()) for id, p in PAPERS.items()} == {
        "pfedme": 319,
        "fedadmm": 320,
        "flame": 258,
        "dadpfl": 303,
        "shelf": 167,
    }


@pytest.fixture(scope="module")
def composed(verdicts):
    """The entries of a report: theorems with the verdicts on their lemmas."""
    entries = [v.to_json() | {"certificate": v.certificate} for v in verdicts.values()]
    return ledger.finished(entries, claims())


def test_the_checker_accepts_what_verdicts_rest_on(composed, tmp_path):
    """All that is certified and all that is proved but for five proofs, in half a minute of a core, in a Python without packages.

    Those rest on cases by signs at listed sizes, on a quotient by what may be zero, and on one that the search for products leaves.
    """
    trusted = {word: [e for e in composed if e["verdict"] == word] for word in ("certified", "proved")}
    assert {e["trust"] for e in trusted["certified"]} == {"kernel"}
    assert len([e for e in trusted["proved"] if e["trust"] == "z3"]) <= 5
    held = [e for e in composed if e["trust"] == "kernel"]
    files = [tmp_path / f"{paper}.json" for paper in ledger.certificates(held)]
    for file, data in zip(files, ledger.certificates(held).values(), strict=True):
        file.write_text(ledger.in_lines(data), encoding="utf-8")
    run = [sys.executable, "-I", "-S", fedtheory_check.__file__, *map(str, files)]
    before = os.times().children_user
    done = subprocess.run(run, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and len(done.stdout.splitlines()) == len(held)
    assert os.times().children_user - before < 30


def test_every_verdict_says_what_it_rests_on(composed):
    """A refutation on its witness, what is supported on a search, a proof on a certificate, on z3 or on what is assumed."""
    rests = {(e["verdict"], e["trust"]) for e in composed}
    assert rests <= {
        ("refuted", "replayed"), ("supported", "search"), ("proved", "kernel"), ("certified", "kernel"), ("proved", "z3"),
        ("vacuous", "z3"), ("proved", "assumed"),
    }  # fmt: skip
    assert all(bool(e["assumed"]) == (e["trust"] == "assumed") for e in composed)


def test_the_verdicts_that_have_changed_are_those_of_the_record(verdicts):
    """docs/decisions/11-one-model.md says of each what it was and what it is."""
    text = (Path(__file__).parents[2] / "docs/decisions/11-one-model.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+/[^`]+)` \| (\w+) \| (\w+) \| [^|]+ \|$", text, re.M)
    assert len(rows) == len({id for id, *_ in rows}) == 37
    assert [row for row in rows if row[1] == row[2] or verdicts[row[0]].verdict != row[2]] == []


def taken_for_granted(c):
    """What a claim or a lemma below it assumes, from the claims alone."""
    return {a.printed for a in c.assumed} | {why for one in c.lemmas for why in taken_for_granted(one)}


def test_no_theorem_as_printed_is_proved_from_what_nobody_lists(composed):
    """In the table of theorems what is proved from something assumed says what, and that its trust is that."""
    known, entries = claims(), {e["id"]: e for e in composed}
    rows = []
    for name, p in PAPERS.items():
        own = {i: c for i, c in known.items() if i.startswith(f"{name}/")}
        rows += theorems.stated(p.inventory(), p.bindings(), own, entries)
    proved = [row for row in rows if row.verdict in ("proved", "certified")]
    assert len(proved) > 100
    for row in proved:
        assert set(row.assumed) == taken_for_granted(known[row.id]), row
        assert (row.trust == "assumed") == bool(row.assumed), row
    assert [row.id for row in proved if row.assumed and not set("@~") & set(row.id)] == []


EXAMPLES = {"refuted": 100}  # of the others 5
DRAWN, FOUND = (
    0.9,
    0.75,
)  # shares of a paper's claims that hypothesis has instances of, and of the refuted ones that it refutes


def as_property_test(c, examples):
    """What hypothesis finds: "holds", "fails", or "declines" where it has no instances of the world."""
    check = settings(
        derandomize=True, database=None, deadline=None, max_examples=examples, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    for numbers in ("fraction", "ball"):
        try:
            check(given_world(c.world, numbers=numbers)(c.body))()
        except (UsageError, Unsatisfiable):
            continue
        except AssertionError:
            return "fails"
        return "holds"
    return "declines"


OF_PAPERS = pytest.mark.parametrize("paper", [id for id in PAPERS if id not in ("dadpfl", "shelf")])


def property_tests(verdicts, paper, part, of):
    """(the verdict, what hypothesis finds) of a part of the claims of a paper, by id; no true claim has a counterexample."""
    chosen = [
        c for c in claims().values() if c.id.startswith(f"{paper}/") and not c.lemmas
    ]  # of the others few are drawn
    own = {c.id: verdicts[c.id].verdict for c in chosen[part::of]}
    found = {id: as_property_test(claims()[id], EXAMPLES.get(verdict, 5)) for id, verdict in own.items()}
    assert [id for id, said in found.items() if said == "fails" and own[id] != "refuted"] == []
    return {id: (own[id], said) for id, said in found.items() if said != "declines"}, len(own)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("part", range(5))
@OF_PAPERS
def test_property_tests_contradict_no_verdict(verdicts, paper, part):
    """No counterexample to a true claim, and one to some that are refuted."""
    drawn, _ = property_tests(verdicts, paper, part, 5)
    assert ("refuted", "fails") in drawn.values()


@pytest.mark.slow
@OF_PAPERS
def test_property_tests_agree_with_every_verdict(verdicts, paper):
    """No counterexample to a true claim, and one to most of the refuted ones, of nearly all claims of a paper."""
    drawn, count = property_tests(verdicts, paper, 0, 1)
    false = [said for own, said in drawn.values() if own == "refuted"]
    assert len(drawn) >= DRAWN * count
    assert false.count("fails") >= FOUND * len(false)
