"""The verdicts: the same for every seed and backend; refutations replay, controls are refuted; for all ledgers."""

import json

import pytest

from fedtheory import verify
from fedtheory.engines.exact import replay
from fedtheory.witness import free_of
from proofs_checks import PAPERS, bindings, claims, inventory

SEEDS = (0, 1, 2, 3, 4)
KINDS = {"claim", "definition", "assumption", "algorithm", "condition", "empirical", "duplicate", "prose"}


@pytest.fixture(scope="module")
def verdicts(certificates):
    """Verdicts at seed 0 on NumPy."""
    return {id: verify(c, stored=dict(certificates)) for id, c in claims().items()}


def test_every_claim_is_decided(verdicts):
    """No published claim of these ledgers is left open or crashes."""
    assert {id: v.reason for id, v in verdicts.items() if v.verdict in ("unknown",) or v.crashed} == {}


@pytest.mark.parametrize("seed", SEEDS[1:])
def test_same_verdicts_for_every_seed(verdicts, certificates, seed):
    """Five seeds, one ledger."""
    got = {id: verify(c, seed=seed, stored=dict(certificates)).verdict for id, c in claims().items()}
    assert got == {id: v.verdict for id, v in verdicts.items()}


def test_same_verdicts_on_every_backend(verdicts, certificates, backend):
    """NumPy, the strict array API on another device, and torch where it is installed."""
    _, xp, device = backend
    got = {id: verify(c, xp=xp, device=device, stored=dict(certificates)).verdict for id, c in claims().items()}
    assert got == {id: v.verdict for id, v in verdicts.items()}


def test_refutations_replay_from_the_report(verdicts):
    """A witness survives JSON and refutes exactly, with every condition met."""
    refuted = [v for v in verdicts.values() if v.verdict == "refuted"]
    assert refuted
    for v in refuted:
        data = json.loads(json.dumps(v.to_json()))["witness"]
        result = replay(claims()[v.id].body, claims()[v.id].world, free_of(data), v.id)
        assert result.outcome == "refutes"
        assert all(s.truth is True for s in result.given)


def test_refuted_claims_have_a_decided_repair(verdicts):
    """Every false claim names a repair that stands."""
    for v in verdicts.values():
        if v.verdict == "refuted":
            assert verdicts[claims()[v.id].repair].verdict in ("proved", "certified", "supported")


def test_controls_are_refuted(verdicts):
    """The search of every claim that stands has power."""
    for v in verdicts.values():
        if v.verdict in ("proved", "certified", "supported"):
            assert any(e.engine == "control" and e.outcome == "refutes" for e in v.evidence), v.id


def test_enough_is_exact(verdicts):
    """At least seven of the sixteen named claims are proved or certified, on certificates that take at most 50 ms."""
    assert sum(v.verdict in ("proved", "certified") for v in verdicts.values() if "~" not in v.id) >= 7
    times = [e.numbers["median_ms"] for v in verdicts.values() for e in v.evidence if e.numbers.get("median_ms")]
    assert sorted(times)[len(times) // 2] <= 50


@pytest.mark.parametrize("paper", PAPERS)
def test_bindings_point_at_rows_and_at_code(paper):
    """Bindings name inventory rows, once, with a known kind and a target that exists; claims name rows too."""
    import importlib

    rows = inventory(paper)
    own = {id for id in claims() if id.startswith(f"{paper}/") and not set(id) & set("@~")}
    assert own <= set(rows)
    for id, b in bindings(paper).items():
        assert id in rows and id not in own and b["binding"] in KINDS, id
        if b["binding"] == "duplicate":
            assert b["to"] in claims() or b["to"] in rows, id
        elif b["binding"] != "prose":
            module, _, name = b["to"].partition(":")
            target = importlib.import_module(module)
            for part in name.split("."):
                target = getattr(target, part)


def test_inventories_are_complete():
    """The committed inventories hold every row of the four papers."""
    assert {p: len(inventory(p)) for p in PAPERS} == {"pfedme": 319, "fedadmm": 320, "flame": 258, "dadpfl": 303}
