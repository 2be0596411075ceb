"""Measured curves and their bounds: left sides against brute force, bounds where conditions hold, notes where they fail."""

import dataclasses
import functools
import math

import numpy as np
import pytest

from fedtheory.algorithms import FLAME, FedADMM, FedAvg, PFedMe
from fedtheory.catalogue import Parameters, Row
from fedtheory.errors import UsageError
from fedtheory.measure.curves import ONE_DRAW, Setting, curves, describe, running_mean, weighted_mean
from fedtheory.measure.observe import observers_of
from fedtheory.method import Watch
from fedtheory.registry import methods, papers
from fedtheory.runs.loop import run
from fedtheory.theory.fedadmm.catalogue import CATALOGUE as FEDADMM_CATALOGUE
from fedtheory.theory.flame import constants as of_flame
from fedtheory.theory.flame.catalogue import CATALOGUE as FLAME_CATALOGUE
from fedtheory.theory.pfedme import constants as of_pfedme
from fedtheory.theory.pfedme.catalogue import CATALOGUE as PFEDME_CATALOGUE
from fedtheory.trace import Trace
from problems.clients.envelope import Envelope
from problems.clients.quadratic import QuadraticClients
from problems.measured import measured

M, D = 4, 2


def clients(spread=1.0, curvature=(1.0, 1.5, 2.0, 1.2)):
    """Diagonal quadratics with minimisers `spread` apart."""
    rng = np.random.default_rng(1)
    A = np.array([np.diag([h, 1.0]) for h in curvature])
    return QuadraticClients(A, spread * rng.standard_normal((M, D)) + 1)


def values(paper, problem, lam=None):
    """What is measured, as parameters."""
    return {k: v.value for k, v in measured(papers()[paper].measured(), problem, lam=lam).items()}


def drawn(paper, trace, setting):
    """The panels of a paper by name."""
    return {c.name: c for c in curves(papers()[paper].curves(), trace, setting)}


def traced(method, problem, rounds, every=1, envelope=None, **init):
    """A trace with all that the method's curves need."""
    entry, state = methods()[type(method).__name__.lower()], method.init(problem, **init)
    objective = problem if envelope is None else envelope
    watch = Watch(method, problem, objective, state, None if envelope is None else envelope.optimum().w_star)
    return run(
        method, problem, state, rounds=rounds, seed=0, every=every, observers=observers_of(entry, watch),
        folds=entry.folds(watch),
    )  # fmt: skip


@functools.cache
def pfedme(eta=None, rounds=6500, every=1, S=M, beta=1.0, curvature=(1.0, 1.5, 2.0, 1.2)):
    """pFedMe with exact subproblems at lam = 1, by default at almost the largest step of Theorem 1."""
    p, lam = clients(curvature=curvature), 1.0
    F = Envelope(p, lam)
    given = {**values("pfedme", p, lam), "lam": lam, "beta": beta, "R": 1, "S": S, "delta": 0.0}
    if eta is None:
        eta = 0.99 * of_pfedme.eta1_hat(Parameters(given, PFEDME_CATALOGUE.derived)) / beta
    trace = traced(PFedMe(lam, eta, beta, 1, S), p, rounds, every, F)
    setting = Setting(F.optimum().f_star, PFEDME_CATALOGUE, {**given, "eta": eta})
    return trace, setting, drawn("pfedme", trace, setting)


def fedadmm(factor, k0=2, rounds=30, eps0=None, **options):
    """FedADMM with sigma_i = factor r_i/m."""
    p = clients()
    r = p.constants().L_i
    method = FedADMM(factor * r / M, np.full(M, 1 / M), np.full(M, 0.9), k0, **options)
    trace = traced(method, p, rounds, eps0=eps0)
    given = {**values("fedadmm", p), "sigma": method.sigma, "nu": method.nu, "k0": k0, "S": M}
    setting = Setting(p.optimum().f_star, FEDADMM_CATALOGUE, given)
    return trace, setting, drawn("fedadmm", trace, setting)


def flame(lam, rho, rounds=30, S=M):
    """FLAME with exact subproblems."""
    p = clients()
    F = Envelope(p, lam)
    trace = traced(FLAME(lam, rho, np.full(M, 1 / M), S=S), p, rounds, envelope=F)
    given = {**values("flame", p, lam), "lam": lam, "rho": rho, "S": S, "eps": 0.0}
    setting = Setting(F.optimum().f_star, FLAME_CATALOGUE, given)
    return trace, setting, drawn("flame", trace, setting)


def test_means():
    """Against the definitions, with weights that overflow for no T."""
    y = np.random.default_rng(0).standard_normal(40) ** 2
    alpha = 0.9 ** -(np.arange(40) + 1.0)
    for T in (1, 2, 17, 39):
        assert running_mean(y)[T] == pytest.approx(y[:T].mean(), rel=1e-14)
        assert weighted_mean(y, 0.9)[T] == pytest.approx((alpha[:T] * y[:T]).sum() / alpha[:T].sum(), rel=1e-14)
    assert np.isfinite(weighted_mean(np.ones(5000), 0.5)[1:]).all()


def test_theorem_1_of_pfedme_over_its_curves():
    """Conditions hold: (33) over the weighted mean and its distance form, both from T = 2/(eta_tilde mu_F) on."""
    trace, setting, found = pfedme()
    x = Parameters(setting.given, setting.catalogue.derived)
    least = math.ceil(2 / (x.eta * x.mu_F))
    for name, scale in (("objective", 1.0), ("lyapunov", 2 / x.mu_F)):
        c = found[name]
        assert c.outcome == "holds on this trace" and c.notes == ()
        assert np.isnan(c.bound[:least]).all() and np.isfinite(c.bound[least:]).all()
        floor = 256 * 3 * x.sigma_F1_sq * (x.L_F / x.mu_F) * x.eta**2  # R = beta = 1, S = N, delta = 0
        start = x.mu_F * x.Delta_0 * math.exp(-x.eta * x.mu_F * 6400 / 2)
        assert c.bound[6400] == pytest.approx(scale * (start + floor), rel=1e-12)
    gap = trace["objective"] - setting.optimal
    alpha = (1 - x.eta * x.mu_F / 2) ** -(np.arange(3000) + 1.0)
    assert found["objective"].left[3000] == pytest.approx((alpha * gap[:3000]).sum() / alpha.sum(), rel=1e-9)
    assert found["lyapunov"].left is None


def test_a_bound_that_is_not_claimed_yet_or_fails_its_condition_is_not_drawn():
    """Too few rounds, too large a step, beta below 1, gaps between the rounds: each with its note."""
    _, setting, found = pfedme(rounds=50)
    x = Parameters(setting.given, setting.catalogue.derived)
    assert found["lyapunov"].bound is None
    assert found["lyapunov"].notes == (f"claimed from T = {math.ceil(2 / (x.eta * x.mu_F))} on; this run has T = 50",)
    _, _, found = pfedme(eta=0.1, rounds=50)
    assert found["lyapunov"].bound is None and found["lyapunov"].outcome == "no bound"
    assert len(found["lyapunov"].notes) == 1 and found["lyapunov"].notes[0].startswith(
        "eta <= eta1_hat/(beta R) fails: 0.1 <= "
    )
    assert any(
        "beta >= 1 fails: 0.5 >= 1 is off by 0.5, 1 times" in n for n in pfedme(beta=0.5, rounds=9)[2]["lyapunov"].notes
    )
    trace, _, found = pfedme(every=100)
    assert found["objective"].bound is None and "every = 1" in found["objective"].notes[-1]
    assert found["lyapunov"].outcome == "holds on this trace" and len(trace) == 66


def test_a_bound_on_an_expectation_says_that_a_run_is_one_draw():
    """With S < N the note stands beside the bound."""
    _, _, found = pfedme(S=2)
    assert found["lyapunov"].bound is not None and ONE_DRAW in found["lyapunov"].notes


def test_theorem_2_needs_equal_hessians():
    """Assumption 3 fails for quadratics with different Hessians, with the reason; with equal ones (44) is drawn."""
    _, _, found = pfedme(rounds=9)
    assert any("sigma_f^2 < inf (Assumption 3) fails: inf < inf" in n for n in found["stationarity"].notes)
    p, lam = clients(curvature=(1.0,) * M), 4.0
    F = Envelope(p, lam)
    given = {
        **values("pfedme", p, lam),
        "lam": lam,
        "beta": 1.0,
        "R": 2,
        "S": M,
        "delta": 0.0,
        "eta": 1 / (75 * lam**3) / 2,
    }
    trace = traced(PFedMe(lam, given["eta"], 1.0, 2, M), p, 40, envelope=F)
    setting = Setting(F.optimum().f_star, PFEDME_CATALOGUE, given)
    c = drawn("pfedme", trace, setting)["stationarity"]
    assert c.outcome == "holds on this trace" and c.notes == ()
    step = 2 * given["eta"]
    factor = lam**2 / (lam**2 - 8 * 1.0)
    right = 2 * (given["Delta_F"] / (step * 40) + step**2 * 16 * 3 * factor * given["sigma_f_sq"])
    assert c.bound[40] == pytest.approx(right, rel=1e-12)
    assert c.left[40] == pytest.approx(trace["stationarity"][:40].mean(), rel=1e-12)


def test_lemma_4_1_of_fedadmm_over_its_curves():
    """sigma_i = 3 r_i/m is above 5 r_i/2m: the summed lemma bounds L_tilde and f, and the moves are at most (L_tilde^0 - f*)/k."""
    trace, setting, found = fedadmm(3.0)
    assert {n: c.outcome for n, c in found.items()} == {
        "objective": "holds on this trace", "stationarity": "no bound", "error": "no bound",
        "lyapunov": "holds on this trace", "moves": "holds on this trace",
    }  # fmt: skip
    start = trace["lyapunov"][0] - setting.optimal
    assert np.allclose(found["lyapunov"].bound, start - trace["moves"], rtol=1e-14)
    assert found["moves"].bound[7] == pytest.approx(start / trace["t"][7], rel=1e-14)
    assert found["stationarity"].notes == ("Theorem 4.1 c) states the limit 0 and no rate",)
    x = Parameters(setting.given, setting.catalogue.derived)
    assert x.gap == pytest.approx(start, rel=1e-12)  # measured before the run
    assert found["error"].threshold == pytest.approx(5 * D / (1e4 * M))


def test_fedadmm_at_the_papers_penalty_has_no_bound():
    """sigma_i = r_i/5m: sigma_i > 5 alpha_i r_i/2 fails by 23/2 of it for every client."""
    _, _, found = fedadmm(0.2)
    for name in ("objective", "lyapunov", "moves"):
        assert found[name].bound is None and len(found[name].notes) == 1
        assert "sigma_i > 5 alpha_i r_i/2 fails for client" in found[name].notes[0]
        assert found[name].notes[0].endswith("11.5 times the left side")


def test_fedadmm_with_too_few_inner_steps_does_not_meet_3_5():
    """The lemma needs (3.5); the note says by how much it is missed."""
    p = clients()
    _, _, found = fedadmm(3.0, r=p.constants().L_i, inner_steps=1, eps0=1e-6)
    assert found["lyapunov"].bound is None
    assert any(n.startswith("(3.5) fails: |g_i + pi_i|^2 reaches ") for n in found["lyapunov"].notes)
    assert fedadmm(3.0, r=p.constants().L_i, inner_steps=99, eps0=1e-6)[2]["lyapunov"].outcome == "holds on this trace"


def test_flame_where_its_conditions_hold_and_where_not():
    """Lemma 1's summed inequality fails on a trace at rho = 40; at the printed setting there is no bound."""
    trace, setting, found = flame(1.0, 40.0)
    assert found["stationarity"].outcome == "holds on this trace"
    c = Parameters({**setting.given, "alpha": 1 / M}, setting.catalogue.derived)
    start = trace["lyapunov"][0] - setting.optimal
    assert found["stationarity"].bound[10] == pytest.approx(
        of_flame.c2(c) * start / (M * 10 * of_flame.c1(c)), rel=1e-12
    )
    assert found["stationarity"].left[10] == pytest.approx(trace["stationarity"][:10].mean() / M, rel=1e-12)
    assert np.isnan(found["stationarity"].bound[0])
    assert found["lyapunov"].outcome.startswith("fails on this trace at communication ")
    for n in ("lyapunov", "stationarity"):
        assert "not stated by the theorem but used by its proof: c_0 > 0" in found[n].notes[0]
    _, _, found = flame(5.0, 0.01)
    assert found["stationarity"].bound is None and found["lyapunov"].bound is None
    assert any(
        "rho >= lam alpha fails: 0.01 >= 1.25 is off by 1.24, 124 times" in n for n in found["stationarity"].notes
    )


def test_lemma_1_of_flame_holds_where_its_proof_does():
    """c_0 > 0, which needs L alpha of about 1/100: the summed inequality holds, as Proposition 3 then applies."""
    p = QuadraticClients(np.full((M, 1, 1), 0.004), np.arange(M, dtype=float)[:, None] / 100)
    lam, rho = 0.33 * 0.2 * M, 0.2
    F = Envelope(p, lam)
    trace = traced(FLAME(lam, rho, np.full(M, 1 / M)), p, 50, envelope=F)
    given = {**values("flame", p, lam), "lam": lam, "rho": rho, "S": M, "eps": 0.0}
    found = drawn("flame", trace, Setting(F.optimum().f_star, FLAME_CATALOGUE, given))
    assert found["lyapunov"].outcome == "holds on this trace" and found["lyapunov"].notes == ()
    assert found["stationarity"].outcome == "holds on this trace" and found["stationarity"].notes == ()


@pytest.mark.parametrize("name", ["objective", "lyapunov", "stationarity", "moves"])
def test_a_trace_above_its_bound_is_found(name):
    """The control of every `holds`: the same curves on a trace whose measured values are multiplied."""
    method, run_of = ("fedadmm", lambda: fedadmm(3.0)) if name in ("moves",) else ("pfedme", pfedme)
    if name == "stationarity":
        method, run_of = "flame", lambda: flame(1.0, 40.0)
    trace, setting, found = run_of()
    assert found[name].outcome == "holds on this trace"
    column = trace[name]
    larger = setting.optimal + (column - setting.optimal) * 1e6 if name == "objective" else column * 1e6
    worse = dataclasses.replace(trace, columns={**trace.columns, name: larger})
    again = drawn(method, worse, setting)[name]
    assert again.outcome.startswith("fails on this trace at communication ")


def test_without_an_optimal_value_there_is_no_gap_and_no_bound():
    """The reason is that of the optimum; a method without a theorem says so."""
    trace, setting, _ = fedadmm(3.0)
    bare = Setting(None, setting.catalogue, setting.given, {"optimum": "the data are separable"})
    found = drawn("fedadmm", trace, bare)
    assert found["objective"].title == "objective f(w)" and (found["objective"].y == trace["objective"]).all()
    assert found["lyapunov"].notes == ("the optimal value is not known: the data are separable",)
    p = clients()
    trace = traced(FedAvg(0.1, 2), p, 3)
    found = curves(None, trace, Setting(p.optimum().f_star))
    assert [c.name for c in found] == ["objective", "error"]
    assert all("no installed paper" in c.notes[0] for c in found)
    with pytest.raises(UsageError, match="must have an objective"):
        curves(None, Trace({"t": np.arange(2)}, "rounds"), Setting())


def test_a_condition_is_described_with_its_client_and_its_reason():
    """Undecided, without a margin, and on a client."""
    row = Row("condition", "a < b", "Theorem 9", None, 3, "<", 2, False, -0.5, "", 7)
    assert describe(row) == "a < b fails for client 7: 3 < 2 is off by 1, 0.5 times the right side"
    row = Row("condition", "sigma_f^2 < inf", "Theorem 9", None, math.inf, "<", math.inf, False, None)
    assert describe(row, {"sigma_f_sq": "it drifts"}) == "sigma_f^2 < inf fails: inf < inf (it drifts)"
    row = Row("condition", "a < b", "Theorem 9", missing="needs gap")
    assert describe(row) == "a < b is not decided: needs gap"
    assert describe(row, {"gap": "no minimiser"}) == "a < b is not decided: no minimiser"
