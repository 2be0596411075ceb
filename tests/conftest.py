"""Shared fixtures: the published claims, the array backends, stored certificates."""

import importlib.util
import itertools
import os

import numpy as np
import pytest
import valid

from proofs_checks import claims, papers


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


@pytest.fixture(params=sorted(claims()))
def published(request):
    """One published claim."""
    return claims()[request.param]


@pytest.fixture
def rng():
    """A fixed generator."""
    return np.random.default_rng(7)
