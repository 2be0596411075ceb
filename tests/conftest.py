"""Shared fixtures: the published claims, the array backends, stored certificates; which tests are dear, slow or parts of claims."""

import gc
import importlib.util
import itertools
import json
import os
import pickle
import zlib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import valid

from fedtheory.referee.decide import verify
from fedtheory.referee.shipped import Shipped
from fedtheory.verdict import Evidence, Verdict
from proofs_checks import claims, papers

QUICK = {"budget": "quick", "seed": 0, "backend": "numpy"}
TURN = int(
    os.environ.get("FEDTHEORY_TURN", "0")
)  # which cases of a test are looked at, where it is one of n; CI counts

DEAR = frozenset(
    (Path(__file__).parent / "dear.txt").read_text(encoding="utf-8").split()
)  # tests of which a case takes a while

gc.set_threshold(
    100_000, 20, 20
)  # tests are many objects that stay, and Python's 700 looks through them again and again


@pytest.hookimpl(tryfirst=True)  # before xdist, which reads the groups
def pytest_collection_modifyitems(items):
    """Marks by what a test needs: what is set up for many goes to one process, which does it once; what is not in turn is slow."""
    cases = Counter()
    for item in items:
        names, test = getattr(item, "fixturenames", ()), item.nodeid.split("[")[0]
        if test in DEAR:
            item.add_marker(pytest.mark.dear)
        if "verdicts" in names:
            item.add_marker(pytest.mark.ledger)
        if group := _shared(item, names):
            item.add_marker(pytest.mark.xdist_group(group))
        if mark := item.get_closest_marker("in_turn"):
            cases[test] += 1
            if (zlib.crc32(test.encode()) + cases[test] + TURN) % mark.args[0]:  # not the same cases in every test
                item.add_marker(pytest.mark.slow)
        if "published" in names:
            item.add_marker(pytest.mark.published)
        if item.path.name in ("test_lies.py", "test_planted.py"):
            item.add_marker(pytest.mark.lies)


def _shared(item, names):
    """The group of tests that have a setup in common, the ledger's or their module's; none for the others and for what has one."""
    if item.get_closest_marker("xdist_group"):
        return None
    if "verdicts" in names:
        return "ledger"
    found = item._fixtureinfo.name2fixturedefs if names else {}
    return item.path.stem if any(one.scope == "module" for defs in found.values() for one in defs) else None


@pytest.fixture(scope="session", autouse=True)
def caches(tmp_path_factory):
    """No test reads or writes a user's cache."""
    folder = tmp_path_factory.mktemp("caches")
    os.environ["FEDTHEORY_CACHE"] = str(folder / "session")
    return folder, itertools.count()


@pytest.fixture(autouse=True)
def own_cache(caches, monkeypatch):
    """Every test has an empty cache of its own."""
    folder, count = caches
    monkeypatch.setenv("FEDTHEORY_CACHE", str(folder / str(next(count))))


@pytest.fixture(scope="session", autouse=True)
def schemas():
    """Every file that a test writes in this process is valid under its published schema, by another library as well."""
    with valid.watched():
        yield


@pytest.fixture(scope="session")
def certificates():
    """Certificates that come with the package."""
    return {key: found for paper in papers() for key, found in paper.certificates().items()}


@pytest.fixture(scope="session")
def verdicts(certificates, tmp_path_factory):
    """Verdicts at seed 0 on NumPy, decided once, whichever process asks first.

    FEDTHEORY_LEDGER is a folder that ``fedtheory verify --afresh --write-evidence`` has filled just now: what decided each claim
    is re-checked, and what is not in it has no verdict.
    """
    if folder := os.environ.get("FEDTHEORY_LEDGER"):
        files = [json.loads(file.read_text(encoding="utf-8")) for file in Path(folder).glob("*.json")]
        return {id: _verdict(id, e) for id, e in ((id, _held(c, files)) for id, c in claims().items())}
    from filelock import FileLock

    base = tmp_path_factory.getbasetemp()
    kept = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "verdicts.pickle"
    with FileLock(f"{kept}.lock"):
        if not kept.exists():
            decided = {id: verify(c, stored=dict(certificates)) for id, c in claims().items()}
            kept.write_bytes(pickle.dumps(decided))
        return pickle.loads(kept.read_bytes())


def _held(claim, files):
    """The entry of a claim from what was just decided: that it stands under its hash is enough here."""
    for file in files:
        if claim.id in file["claims"] and Shipped([file], QUICK).stands(claim):
            return file["claims"][claim.id]
    return {}


def _verdict(id, held):
    entry = held.get("entry", {})
    evidence = [Evidence(**e) for e in entry.get("evidence", ())]
    return Verdict(id, **{**entry, "evidence": evidence}, certificate=held.get("proof"))


def backends():
    """(name, namespace, device) of every array backend that is installed; strict stands on a non-default device."""
    import array_api_strict

    out = [("numpy", None, None), ("strict", array_api_strict, array_api_strict.Device("device1"))]
    if importlib.util.find_spec("torch"):
        import array_api_compat.torch as torch

        out.append(("torch", torch, None))
    return out


@pytest.fixture(params=backends(), ids=lambda b: b[0])
def backend(request):
    """One array backend."""
    return request.param


@pytest.fixture(scope="session")
def every_backend():
    """All of them, for a test that does the same work on each."""
    return backends()


@pytest.fixture(params=sorted(claims()))
def published(request):
    """One published claim."""
    return claims()[request.param]


@pytest.fixture
def rng():
    """A fixed generator."""
    return np.random.default_rng(7)
