"""Bounds on the minimum of the mean of the envelopes: they hold where that is known, and are near it."""

import math

import numpy as np
import pytest

from fedtheory.catalogue import promise
from fedtheory.commands.audit_runs import at_setting
from fedtheory.commands.plan import specs
from fedtheory.registry import paper
from problems.build import build
from problems.clients.envelope import Envelope
from problems.clients.one_variable import HuberClients
from problems.joint import near


def problem(model="logistic", l2=0.1):
    data = "digits" if model == "softmax" else "breast-cancer"
    return build(data, m=4, model=model, l2=l2, standardise=True).problem


@pytest.mark.parametrize(("model", "lam"), [
    ("logistic", 0.01), ("logistic", 1.0), ("logistic", 30.0), ("softmax", 0.01),
    pytest.param("softmax", 1.0, marks=pytest.mark.slow), pytest.param("softmax", 30.0, marks=pytest.mark.slow),
])  # fmt: skip
def test_bounds_hold_and_are_near(model, lam):
    """Against Newton's method on the envelopes, which takes their proximal points to machine precision."""
    f = problem(model)
    start = np.full((1, f.d), 0.1)
    F = Envelope(f, lam)
    best = F.optimum()
    G = F.grad(best.w_star)
    true = (
        f.value(start).mean() - best.f_star, np.sum((start - best.w_star) ** 2), np.sum(G**2, axis=-1).mean(),
    )  # fmt: skip
    found = near(f, lam, start)
    for bound, value in zip((found.gap, found.distance_sq, found.at_optimum_sq), true, strict=True):
        assert bound.label == "bound" and bound.value >= value * (1 - 1e-12)
    assert found.gap.value <= 2 * true[0] and found.distance_sq.value <= 16 * true[1]


def test_without_strong_convexity_only_the_gap_of_losses_is_bounded():
    """f(w_0) itself, since no loss is negative; of other functions nothing is known."""
    f = problem(l2=0.0)
    start = np.full((1, f.d), 0.1)
    found = near(f, 1.0, start)
    assert found.gap.value == pytest.approx(f.value(start).mean(), rel=1e-15)
    assert found.distance_sq.value is None and found.at_optimum_sq.value is None
    flat = near(HuberClients([1.0, -1.0], [1.0, 1.0], [1.0, 1.0]), 1.0, np.zeros((1, 1)))
    assert flat.gap.value is None and flat.gap.label == "unknown"


def test_an_audited_run_says_what_its_theorem_promises():
    """The rounds of (35) at the bounds, which are at least those at the measured constants, and not many times more."""
    of = paper("pfedme")
    catalogue = of.catalogue()
    (bound, *_) = catalogue.bounds
    data = {"data": "breast-cancer", "m": 4, "model": "logistic", "l2": 0.1, "standardise": True}
    f = build(**data).problem
    lam, R = 1.0, 2
    c = f.constants()
    values = {"m": 4, "L": c.L, "mu": c.mu, "lam": lam, "beta": 1.0, "R": R, "S": 4, "eta": 1e-7}
    method = {
        "name": "pfedme",
        "lam": lam,
        "eta": 1e-7,
        "beta": 1,
        "R": R,
        "S": 4,
        "inner": "gradient",
        "inner-steps": 2,
    }
    (spec,) = specs({"rounds": 2, "problem": [data], "method": [{**method, "inner-eta": 0.1}]}, "here")
    said = at_setting(spec, catalogue, catalogue.bounds, values).promised
    assert " rounds to a tenth of the gap by Theorem 1 (a), (35), which is " in said, said
    F = Envelope(f, lam)
    best = F.optimum()
    start = np.zeros((1, f.d))
    known = {
        **values, "delta": 0, "Delta_0": np.sum(best.w_star**2), "Delta_F": F.value(start).mean() - best.f_star,
        "sigma_F1_sq": np.sum(F.grad(best.w_star) ** 2, axis=-1).mean(),
    }  # fmt: skip
    gap = f.value(start).mean() - best.f_star
    least = promise(catalogue, bound, known, accuracy=0.1 * gap).rounds
    assert least is not None and 1 < least < math.inf
    assert 0.9 * least <= float(said.split()[0]) <= 5 * least
    refused = at_setting(spec, catalogue, catalogue.bounds, {**values, "eta": 1.0}).promised
    assert refused == "nothing: eta <= eta1_hat/(beta R) fails"
