"""fedtheory.testing: strategies that find counterexamples to what is false and none to what is true, fast, in small numbers."""

import subprocess
import sys
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st
from written import of_page

from fedtheory import UsageError, eq, le, lt
from fedtheory.algorithms import FedAvg
from fedtheory.testing import assert_holds, clients, given_world, instances, partitions, rationals, scalars, states
from fedtheory.units import CURVATURE
from problems import Points, Scalars, SmoothConvex, SmoothStronglyConvex, between, condition, positive, weights
from problems.data.holdings import Partition
from problems.worlds.quadratics import Quadratics
from proofs_checks import claims

TEN = [f"ten/{n}" for n in ("descent", "three-points", "triangle", "variance", "perturbed", "contraction", "prox", "young",
                            "drift", "compressor")]  # fmt: skip
AB = Scalars(a=positive(), b=positive())
STEP = Points(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", mu=positive(CURVATURE), L=positive(CURVATURE),
    given=(condition("mu < L", lambda x: lt(x.mu, x.L)),),
)  # fmt: skip
ADDITIONS = 4_000  # of fractions, which take longer than an average example, on a machine with other work as well
repeatable = settings(derandomize=True, database=None)  # else the settings are hypothesis' own
unhurried = settings(repeatable, deadline=None, suppress_health_check=[HealthCheck.too_slow])  # for worlds of steps


@pytest.fixture(scope="module")
def ten(tmp_path_factory):
    """The ten lemmas of docs/writing_claims.md."""
    return of_page(tmp_path_factory.mktemp("page"))


def seconds_of(additions):
    """Of the processor, for sums of short fractions."""
    started, total = time.process_time(), Fraction(0)
    for k in range(additions):
        total = (total + Fraction(1, k % 97 + 1)) % 7
    return time.process_time() - started


@pytest.mark.parametrize("id", TEN)
def test_no_counterexample_to_a_true_lemma(ten, id):
    """With a hundred examples, each exact, and fast on average."""
    count = 0

    def test_lemma(x):
        nonlocal count
        count += 1
        return ten[id].body(x)

    check = repeatable(given_world(ten[id].world)(test_lemma))
    check()  # what is loaded at its first use belongs to no example
    count, started = 0, time.process_time()
    check()
    taken = time.process_time() - started
    assert count >= 100
    assert taken / count < seconds_of(ADDITIONS)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("id", TEN)
def test_a_counterexample_to_a_false_lemma(ten, id):
    """The control of each: found, and shrunk to numbers of few digits, at one or two clients where the lemma allows."""
    seen = []

    def test_lemma(x):
        said = ten[id].control.body(x)
        seen.append(x)
        return said

    with pytest.raises(AssertionError, match="fails by"):
        repeatable(given_world(ten[id].world)(test_lemma))()
    shrunk = seen[-1]
    assert shrunk._names.get("m", 1) <= 2 and shrunk._names.get("d", 1) <= 2
    assert len(repr(shrunk)) < 200, shrunk


@given(st.sampled_from(["fraction", "float", "ball"]).flatmap(lambda n: instances(STEP, numbers=n)))
@repeatable
def test_the_lemma_of_the_readme_on_every_number(x):
    """A step of length 1/L contracts."""
    after = x.w - x.mean_vec(x.f.grad(x.w)) / x.L
    assert_holds(le(x.sq(after - x.w_star), (1 - x.mu / x.L) * x.sq(x.w - x.w_star)), ulp=2**20)


def test_it_shrinks_to_the_smallest_instance():
    """The refuted lemma of the README: f(w) = w^2/2 around 0 or 1, L = 2."""

    def test_step(x):
        after = x.w - 2 / x.L * x.mean_vec(x.f.grad(x.w))
        return le(x.sq(after - x.w_star), (1 - x.mu / x.L) * x.sq(x.w - x.w_star))

    with pytest.raises(AssertionError) as error:
        repeatable(given_world(STEP)(test_step))()
    assert str(error.value) == "1 <= 1/2 fails by 1/2"
    assert "Instance(m=1, d=1, mu=1, L=2, " in "".join(error.value.__notes__)


@pytest.mark.parametrize("id", ["pfedme/lemma1a~repaired", "pfedme/lemma2a", "pfedme/prop1a", "flame/lemma1~repaired"])
def test_a_published_claim_that_is_true(id):
    """No counterexample."""
    unhurried(given_world(claims()[id].world)(claims()[id].body))()


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("id", ["pfedme/lemma1a", "pfedme/lemma1a-proof-s3-c", "pfedme/lemma1a-proof-s4-a"])
def test_a_published_claim_that_is_refuted(id):
    """A counterexample."""
    with pytest.raises(AssertionError, match="fails by"):
        unhurried(given_world(claims()[id].world)(claims()[id].body))()


@given(scalars(Scalars(a=between(0, 1), b=positive(per_client=True), alpha=weights()), shape={"m": 2}))
@repeatable
def test_parameters_are_in_their_range(row):
    """Ends as the ranges say; per-client ones are arrays."""
    assert 0 <= row["a"] < 1 and row["b"].shape == (2,) and (row["b"] > 0).all()


@given(scalars(STEP), scalars(STEP, numbers="float"))
@repeatable
def test_parameters_meet_the_conditions(exact, floats):
    """And are the number type that is asked for."""
    assert 0 < exact["mu"] < exact["L"] and isinstance(exact["L"], Fraction)
    assert 0 < floats["mu"] < floats["L"] and isinstance(floats["L"], float)


def test_parameters_that_do_not_exist():
    """In one line, when the strategy is made."""
    with pytest.raises(UsageError, match="no rational parameters were found that meet a < a"):
        instances(Scalars(a=positive(), given=(condition("a < a", lambda x: lt(x.a, x.a)),)))
    with pytest.raises(
        UsageError, match=r"a condition of this world is not rational|no rational parameters were found"
    ):
        instances(claims()["pfedme/thm1-proof-s14-a"].world)


@pytest.mark.parametrize(
    "call, message",
    [(lambda: instances(3), "a world such as Scalars"), (lambda: instances(AB, numbers="floats"), "did you mean float"),
     (lambda: rationals(2, 1), "needs low < high, got 2 and 1"),
     (lambda: assert_holds(3), "must return le"), (lambda: given_world(AB)(lambda x: le(x.sqrt(x.a), x.a))(), "numbers='ball'")],
)  # fmt: skip
def test_wrong_arguments(call, message):
    """In one line."""
    with pytest.raises(UsageError, match=message):
        call()


@given(rationals(), rationals(0), rationals(Fraction(1, 3), Fraction(1, 2)), rationals(None, -7))
@repeatable
def test_rationals(q, positive_one, between_ends, negative):
    """Within their ends."""
    assert (
        isinstance(q, Fraction)
        and positive_one > 0
        and Fraction(1, 3) < between_ends < Fraction(1, 2)
        and negative < -7
    )


@given(clients(SmoothConvex("L"), L=positive()))
@repeatable
def test_clients_belong_to_their_class(f):
    """Convex along the line between two points."""
    u, v = (np.full((1, f.d), Fraction(k), dtype=object) for k in (-1, 3))
    assert (2 * f.value((u + v) / 2) <= f.value(u) + f.value(v)).all()


@given(states(FedAvg(Fraction(1, 3), 2, alpha=1), clients(SmoothConvex("L"), L=positive()), steps=2))
@repeatable
def test_states_are_reached_by_exact_steps(run):
    """The last state counts its steps; all of them are rational."""
    assert [s.t for s in run.states] == list(range(len(run.states))) and len(run.states) <= 3
    assert all(isinstance(q, Fraction | int) for s in run.states for q in np.ravel(s.w))


@given(partitions(largest_m=4))
@repeatable
def test_partitions_are_partitions(p):
    """Every sample once, every client with one at least."""
    assert sorted(np.concatenate(p.rows)) == list(range(p.sizes.sum())) and (p.sizes >= 1).all() and p.m <= 4


@pytest.mark.parametrize(
    "relation, message",
    [(le(Fraction(1), Fraction(1, 2), "(7)"), r"\(7\): 1 <= 1/2 fails by 1/2"),
     (lt(Fraction(1), Fraction(1)), "1 < 1 fails by 0"), (eq(1, 2), "1 == 2 fails by 1"),
     (le(np.array([0.0, 2.0]), 1.0), r"2.0 <= 1.0 fails by 1, 2.25e\+15 units .* \(64 are allowed\) \(entry 2 of 2\)"),
     (le(float("nan"), 1.0), "nan <= 1.0 fails"), ((le(0, 1), le(1, 0)), "1 <= 0 fails by 1")],
)  # fmt: skip
def test_a_failing_relation_shows_both_sides(relation, message):
    """Exact ones exactly, floats with their distance in units in the last place."""
    with pytest.raises(AssertionError, match=message):
        assert_holds(relation)


def test_relations_that_hold():
    """Floats may fail by a few units in the last place, and by no more than is allowed."""
    assert_holds((le(0.1 + 0.2, 0.3), eq(0.1 + 0.2, 0.3), le(Fraction(1), Fraction(1)), le(1 + 60 * 2.0**-52, 1.0)))
    for relation, ulp in ((le(0.1 + 0.2, 0.3), 0), (le(1 + 70 * 2.0**-52, 1.0), 64), (eq(1.0, 1 + 70 * 2.0**-52), 64)):
        with pytest.raises(AssertionError):
            assert_holds(relation, ulp=ulp)


def test_undefined_sides_are_no_counterexample():
    """A quotient by zero leaves the instance out."""
    repeatable(given_world(AB)(lambda x: le(x.a / (x.a - x.b), x.a / (x.a - x.b))))()


def test_types_are_registered_whichever_is_imported_first():
    """from_type of two classes; and hypothesis alone imports nothing of ours but the hook."""
    assert find(st.from_type(Partition), lambda p: p.m == 2).m == 2
    assert find(st.from_type(Quadratics), lambda f: f.m == 2).m == 2
    code = (
        "import sys, fedtheory.hypothesis_types as hook, hypothesis; hook.register(); assert 'numpy' not in sys.modules; "
        "import problems; from hypothesis import strategies as st; from problems.data.holdings import Partition; "
        "print(hypothesis.find(st.from_type(Partition), lambda p: True).m)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "1\n", done.stderr
