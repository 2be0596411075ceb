"""Runs of pFedMe: every history, the fixed point, affine rounds, scalars given by formulas; Theorem 1's functions on them."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from fedtheory import le
from fedtheory.algorithms import FedAvg, PFedMe
from fedtheory.algorithms.fedavg import FedAvgDraws
from fedtheory.algorithms.pfedme import PFedMeDraws, PFedMeState
from fedtheory.engines.counterexamples.exact import replay
from fedtheory.instance import Instance
from fedtheory.numbers import Floats, Fractions
from fedtheory.theory.pfedme import theorem1 as theory
from fedtheory.theory.pfedme.conditions import CASE_1_OF_THEOREM_1, CASE_2_OF_THEOREM_1
from fedtheory.theory.pfedme.constants import eta1_hat
from fedtheory.units import CURVATURE
from problems import StronglyConvex, condition, positive
from problems.worlds.derived import DerivedScalars, formula
from problems.worlds.quadratics import Quadratics
from proofs_checks.pfedme.theorem1.statement import lowest
from proofs_checks.pfedme.worlds.runs import pfedme_runs

MU = {"mu": positive(CURVATURE)}
RUNS = pfedme_runs(StronglyConvex("mu"), optimum_of="F", rounds=(1, 2, 3), m=(1, 2, 3), S=(1, 2), **MU)
AFFINE = pfedme_runs(StronglyConvex("mu"), optimum_of="F", rounds=(4,), m=(2,), S=(1, 2), affine=True, **MU)


def instances(world, shape, count=3, seed=0):
    """Instances in Fractions, at moderate parameters."""
    rng = np.random.default_rng(seed)
    free = next(iter(world.sample(rng, shape, 1, count)))
    scalars = world.grid(shape, 1)[0]
    for k in range(count):
        yield world.pick(free.replace(scalars=scalars), k).map(Fraction)


@pytest.mark.parametrize("shape", [s for s in RUNS.shapes(3) if s["R"] == 2], ids=str)
def test_every_history_once(shape):
    """Histories are all sequences of selections, and their states those of the method's own rounds."""
    x = RUNS.build(next(instances(RUNS, shape, 1)), Fractions())
    masks = Fractions().selections(shape["m"], shape["S"])
    histories = list(itertools.product(masks, repeat=shape["T"]))
    want = 0
    for history in histories:
        state = PFedMeState(x.w)
        for t, mask in enumerate(history):
            state = x.alg.step(x.f, state, PFedMeDraws(mask, x.errors(t)))
        want = want + x.sq(state.w) / Fraction(len(histories))
    assert (x.E(lambda h: x.sq(h.states[-1].w)) == want).all()
    assert (x.expected(lambda s: x.sq(s.w))[-1] == want).all()
    assert len(x.expected(lambda s: x.sq(s.w), x.T - 1)) == shape["T"]


def test_too_many_histories_are_no_shape():
    """Two of four clients over three rounds are 216 histories."""
    world = pfedme_runs(StronglyConvex("mu"), optimum_of="F", rounds=(2, 3), m=(4,), S=(2,), **MU)
    assert {s["T"] for s in world.shapes(4)} == {2}


@pytest.mark.parametrize("R", [1, 2])
def test_a_settled_start_stays(R):
    """With one dimension, quadratic clients and every client sampled the fixed point is exact."""
    world = pfedme_runs(StronglyConvex("mu"), optimum_of="F", rounds=(2,), R=(R,), m=(2,), S=(2,), affine=True, **MU)
    moved = 0
    for free in instances(world, world.shapes(2)[0], 5):
        settled = free.replace(vectors={**free.vectors, "settled": free.vectors["settled"] * 0 + 1})
        x = world.build(settled, Fractions())
        w = x.expected(lambda state: state.w)
        assert (w[0] == w[1]).all() and (w[1] == w[2]).all()
        moved += int((w[0] != x.w_star).any())
    assert moved


@pytest.mark.parametrize("shape", AFFINE.shapes(2), ids=str)
def test_affine_rounds_are_the_methods_own(shape):
    """Reading a round off two points gives the states that the method itself takes."""
    plain = pfedme_runs(StronglyConvex("mu"), optimum_of="F", rounds=(4,), m=(2,), S=(1, 2), **MU)
    for free in instances(AFFINE, shape):
        repeated = {
            k: np.tile(free.vectors[k], (3, 1, 1)) for k in ("error_axis", "error_reach")
        }  # the plain world has errors of its own in three rounds
        fast = AFFINE.build(free, Fractions())
        slow = plain.build(free.replace(vectors={**free.vectors, **repeated}), Fractions())
        for a, b in zip(fast.expected(lambda s: s.w), slow.expected(lambda s: s.w), strict=True):
            assert (a == b).all()


MOMENTS = {"rounds": (3,), "m": (2, 3), "S": (1, 2)}
AFFINE_MOMENTS = pfedme_runs(StronglyConvex("mu"), optimum_of="F", affine=True, **MOMENTS, **MU)


@pytest.mark.parametrize("shape", AFFINE_MOMENTS.shapes(3), ids=str)
def test_moments_are_those_of_all_histories(shape):
    """Mean and variance of sampled affine rounds give the expectations over every history, of w_t and of weighted means."""
    plain = pfedme_runs(StronglyConvex("mu"), optimum_of="F", **MOMENTS, **MU)

    def means(x):
        weights = [Fraction(t + 1, 6) for t in range(x.T)]
        return [*x.expected(lambda s: x.sq(s.w - x.w_star)), x.averaged(weights, lambda s: x.mean(x.F.value(s.w)))]

    for free in instances(AFFINE_MOMENTS, shape):
        repeated = {k: np.tile(free.vectors[k], (3, 1, 1)) for k in ("error_axis", "error_reach")}
        fast = means(AFFINE_MOMENTS.build(free, Fractions()))
        slow = means(plain.build(free.replace(vectors={**free.vectors, **repeated}), Fractions()))
        assert all((a == b).all() for a, b in zip(fast, slow, strict=True))


def test_affine_rounds_refuse_a_knee():
    """A client with a knee is outside the world, not silently a quadratic."""
    shape = AFFINE.shapes(2)[0]
    free = next(instances(AFFINE, shape))
    bent = free.replace(vectors={**free.vectors, "kinked": free.vectors["kinked"] + 1})
    result = replay(lambda x: le(0 * x.mu, x.sq(x.w)), AFFINE, bent)
    assert result.outcome == "outside" and "quadratic" in result.reason


def test_formulas_meet_the_conditions():
    """A derived scalar enters the conditions, and a witness lists its value under its formula."""
    world = DerivedScalars(
        {"b": formula("a/2", lambda x: x.a / 2)}, a=positive(), given=(condition("b < a", lambda x: le(x.b, x.a)),)
    )
    assert world.feasible({"a": np.ones((3, 1))}, {}).all()
    names = {r.name: r for r in world.scope({"a": Fraction(3)}, {}, Fractions()).given}
    assert names["b = a/2"].lhs == Fraction(3, 2) and "b < a" in names
    assert "b = a/2" not in {r.name for r in world.scope({"a": 3.0}, {}, Floats()).given}
    wrong = DerivedScalars({"b": lambda x: 2 * x.a}, a=positive(), given=(lambda x: le(x.b, x.a),))
    assert not wrong.feasible({"a": np.ones((3, 1))}, {}).any()


@pytest.mark.parametrize("share", [Fraction(1, 100), Fraction(1, 4), Fraction(1)])
@pytest.mark.parametrize("T", [1, 32])
def test_the_lower_bound_behind_theorem_1a(share, T):
    """`lowest` is below F(w_bar) - F(w*) for w_0 .. w_{T-1} of the method, whatever the step; attained up to a factor."""
    q, one = Fraction, np.array([[Fraction(1)], [Fraction(1)]], dtype=object)
    mu, s, w0, beta = q(2), q(3), q(4), q(5)
    names = {"mu": mu, "s": s, "w0": w0, "beta": beta, "T": T, "L_F": mu, "mu_F": mu / 2}
    x = Instance(Fractions(), names)
    eta = share * eta1_hat(x) / (beta * 2)
    slope = one * s
    slope[1] = -slope[1]  # gradients of the envelopes at 0; f_i has them at 0 - F_i'(0)/lam, whose slope at 0 is below
    curvature = np.array([[3 * mu], [mu]], dtype=object)
    f = Quadratics(curvature, one, slope + curvature * slope / mu, one[:1] * 0, one[:, 0] * 0, Fractions())
    alg, state = PFedMe(mu, eta, beta, 2, 2), PFedMeState(one[:1] * w0)
    draw = PFedMeDraws(one[:, 0], (0, 0))
    states = []
    for _ in range(T):
        states.append(state.w[0, 0])
        state = alg.step(f, state, draw)
    gradients = (one * 0 - f.prox(one * 0, mu)) * mu
    assert (gradients == slope).all()
    h = (3 * mu / 4 + mu / 2) / 2
    for w in (min(states), sum(states) / T):
        assert lowest(x) <= h / 2 * w**2


def test_braces_hold_the_powers_of_the_step():
    """C_i as braced are C_i times what (30) multiplies in once more; case distinctions are complementary."""
    q = Fraction
    names = {
        "eta_tilde": q(1, 7), "beta": q(3), "R": q(2), "N": q(5), "S": q(2), "delta": q(1, 2), "lam": q(4), "L_F": q(4),
        "mu_F": q(2), "eta1_hat": q(1), "eta_prime": q(1, 2),
    }  # fmt: skip
    x = Instance(Fractions(), names)
    step = names["eta_tilde"]
    assert theory.C1_brace(x) == step * theory.C1(x)
    assert theory.C2_brace(x, q(3)) == step**2 * theory.C2(x, q(3))
    assert theory.C3_brace(x, q(3)) == step**3 / 9 * theory.C3(x, q(3))
    assert theory.C3_kept(x, q(3)) == 4 * theory.C3(x, q(3))
    (first,), (second,) = CASE_1_OF_THEOREM_1.relations(x), CASE_2_OF_THEOREM_1[1].relations(x)
    assert (first.lhs, first.rhs) == (second.rhs, second.lhs)


@pytest.mark.parametrize(("Delta_0", "factor"), [(1e-3, 1.0), (1e6, np.log(1e6))])
def test_eta_prime(Delta_0, factor):
    """eta' = 2 max{ln(mu_F^2 Delta_0 T/(2 C_2)), 1}/(mu_F T)."""
    x = Instance(Floats(), {"mu_F": 2.0, "T": 10, "Delta_0": Delta_0})
    assert float(theory.eta_prime(x, 20.0)) == pytest.approx(2 / 20 * factor, rel=1e-12)


def test_a_local_round_takes_k_gradients_where_fedavg_takes_one(monkeypatch):
    """What Section 3.2 says of the complexity of a client, as a count in the methods themselves (row rem-k-fedavg)."""
    x = RUNS.build(next(instances(RUNS, {"m": 2, "d": 1, "R": 2, "S": 2, "T": 1}, 1)), Fractions())
    everyone, calls, own = Fractions().selections(2, 2)[0], [], Quadratics.grad
    monkeypatch.setattr(Quadratics, "grad", lambda self, at: calls.append(1) or own(self, at))

    def counted(alg, draws):
        calls.clear()
        alg.step(x.f, type(alg.init(x.f, x.w))(x.w), draws)
        return len(calls)

    for K, rounds in itertools.product((1, 3, 5), (1, 4)):
        pfedme = counted(
            PFedMe(lam=3, eta=1, beta=1, R=rounds, S=2, K=K, inner_eta=1), PFedMeDraws(everyone, (0,) * rounds)
        )
        assert pfedme == K * counted(FedAvg(1, rounds, S=2, alpha=1), FedAvgDraws(everyone)) == K * rounds
