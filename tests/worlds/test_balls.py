"""Draws are moved to where conditions hold, so that a search sees several clients, and refutes what only one of them keeps."""

import numpy as np
import pytest

from fedtheory import claim, le, verify
from fedtheory.numbers import Floats
from problems import Points, condition, positive
from problems.worlds.conditions import holds
from proofs_checks.shelf.theorems.compressed import EF21
from proofs_checks.shelf.theorems.normalised import FEDNOVA
from proofs_checks.shelf.theorems.unbiased import DIANA, MARINA

# name: a run, what is false of it, and the fewest clients for which it is
FALSE = {
    "FedNova, dissimilarity": (FEDNOVA, lambda x: le(x.G[0], x.g[0]), 2),
    "FedNova, what is sent": (FEDNOVA, lambda x: le(2 * x.L**2 * x.moved[0], 5 * x.g[0]), 2),
    "FedNova, later": (FEDNOVA, lambda x: le(x.G[x.T], x.g[x.T]), 2),
    "DIANA, memory": (DIANA, lambda x: le(x.H[1], (1 - x.alpha) * x.H[0] + x.alpha * x.L * x.e[0]), 1),
    "MARINA, no noise": (MARINA, lambda x: le(x.G[1], (1 - x.p) * x.G[0]), 1),
}
RUNS = {"FedNova": (FEDNOVA, 0.4), "MARINA": (MARINA, 0.9), "EF21": (EF21, 0.5)}


def share(world, shape, seed=3):
    """Of the draws of a shape, how many meet all that is stated."""
    rng = np.random.default_rng(seed)
    ok, count = 0, 0
    for free in world.sample(rng, shape, 6, 20):
        x, rows = world.build(free, Floats()), 20
        good = np.ones(rows, bool)
        with np.errstate(all="ignore"):
            for r in (*x.given, *(r for c in world.at_points for r in c.relations(x))):
                truth = holds(r)
                good &= truth.reshape(rows, -1).all(axis=1) if truth.ndim > 1 else bool(truth.all())
        ok, count = ok + int(good.sum()), count + rows
    return ok / max(count, 1)


@pytest.mark.parametrize("name", RUNS)
def test_runs_meet_what_holds_at_every_step(name):
    run, least = RUNS[name]
    assert all(share(run, {"m": m, "d": d, "T": 2}) >= least for m in (2, 3) for d in (1, 2))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_of_runs_are_refuted(name):
    run, body, fewest = FALSE[name]
    found = verify(claim("false/test", world=run)(body))
    assert found.verdict == "refuted" and found.witness["shape"]["m"] >= fewest


NEAR = condition("|v_i - w| <= r", lambda x: le(x.sq(x.v - x.w), x.r**2))


def test_a_point_is_moved_into_its_ball():
    world = Points(None, at=("w",), clients_at=("v",), r=positive(), given=(NEAR,))
    for free in world.sample(np.random.default_rng(0), {"m": 3, "d": 2}, 3, 30):
        x = world.build(free, Floats())
        share = np.sqrt(x.sq(x.v - x.w)) / x.r
        assert (share <= 1).all() and (share > 1 - 1e-6).any()
