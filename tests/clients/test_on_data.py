"""Claims on real data: least-squares clients against NumPy, enclosures, outcomes of published and of false claims."""

import sys
from fractions import Fraction

import flint
import numpy as np
import pytest

from fedtheory import Control, claim, eq, le
from fedtheory.errors import UsageError
from fedtheory.theory.pfedme.constants import L_F, mu_F
from fedtheory.units import CURVATURE
from problems import Points, Smooth, SmoothStronglyConvex, StronglyConvex, condition, positive
from problems.build import build
from problems.data.datasets import clients as clients_of
from problems.exact.enclosures import WIDTH, at_least, at_most, enclose
from problems.exact.evaluate import evaluate, exact_clients, not_applicable, outside
from problems.exact.least_squares import LeastSquares
from problems.exact.matrices import matrix
from proofs_checks import claims
from proofs_checks.fedadmm.worlds import fedadmm_steps
from proofs_checks.flame.worlds import flame_steps
from proofs_checks.pfedme.worlds.round import pfedme_round

EPS = np.finfo(float).eps
TRUE = ("pfedme/lemma2a", "pfedme/prop1c", "fedadmm/lemma4.1", "pfedme/lemma3~repaired", "flame/lemma1~repaired")
DATA = {"diabetes": {"partition": "quantiles"}, "breast-cancer": {"features": "mean"}}
LAM = {"diabetes": Fraction(1, 100), "breast-cancer": Fraction(3, 1000)}


@pytest.fixture(scope="module", params=DATA)
def clients(request):
    """Name, float data and exact clients."""
    name = request.param
    return name, clients_of(name, 3, **DATA[name])[0], exact_clients(name, 3, **DATA[name])


def fractions(a):
    """A float array as Fractions."""
    return np.frompyfunc(Fraction, 1, 1)(a)


def points(data, rows, seed=0):
    """Points at the scale of the least-squares solution, ``(rows, d)``, as Fractions."""
    X, y = (np.concatenate(part) for part in zip(*data, strict=True))
    solution = np.linalg.lstsq(X, y, rcond=None)[0]
    return fractions(solution * np.random.default_rng(seed).standard_normal((rows, len(solution))))


# the data


def test_the_data_are_those_of_a_run():
    """One door: the exact clients are the float clients of the same name, partition and seed."""
    f, g = exact_clients("breast-cancer", 3, partition="dirichlet", seed=4), build("breast-cancer", m=3, model="least-squares",
        partition="dirichlet", seed=4).problem  # fmt: skip
    w = np.full((1, f.d), Fraction(1, 2), dtype=object)
    exact, floats = f.grad(w).astype(float), g.grad(w.astype(float))
    assert f.d == 30 and np.allclose(exact, floats, rtol=1e-9, atol=0)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("diabets", 3), {}, "did you mean diabetes"),
        (("diabetes", 0), {}, "`exact_clients(m=...)` must be an integer from 1 to 10, got 0."),
        (("diabetes", 11), {}, "got 11"),
        (("diabetes", 2.0), {}, "got 2.0"),
        (("diabetes", True), {}, "got True"),
        (("diabetes", 3), {"feature": "mean"}, "has no option 'feature'"),
        (("synthetic", 2), {"d": 80}, "synthetic has 80 features; exact arithmetic takes at most 64"),
    ],
)
def test_bad_data_arguments(arguments, options, message):
    with pytest.raises(UsageError) as error:
        exact_clients(*arguments, **options)
    assert message in str(error.value)


def test_without_scikit_learn(monkeypatch):
    """The message names the extra."""
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(UsageError, match=r'pip install "fedtheory\[data\]"'):
        exact_clients("diabetes", 3)


# least squares


def test_values_and_gradients_are_those_of_numpy(clients):
    """Up to rounding of the float sums, relative to the sum of absolute terms."""
    _, data, f = clients
    for rows in (1, 3):
        W = points(data, rows)
        value, grad = f.value(W), f.grad(W)
        for i, (X, y) in enumerate(data):
            w = W[i % rows].astype(float)
            residual = X @ w - y
            n, reach = len(y), np.abs(X) @ np.abs(w) + np.abs(y)
            assert abs(float(value[i]) - residual @ residual / (2 * n)) <= 4 * n * EPS * (reach @ reach)
            assert (abs(grad[i].astype(float) - X.T @ residual / n) <= 4 * n * EPS * (np.abs(X).T @ reach)).all()


def test_prox_is_stationary_exactly(clients):
    """grad f_i(theta) + lam_i (theta - w_i) = 0, with one lam and with one a client."""
    name, data, f = clients
    W, lam = points(data, 3), LAM[name]
    for s in (lam, lam * np.array([Fraction(1, 3), Fraction(2), Fraction(5)], dtype=object)):
        theta = f.prox(W, s)
        residual = f.grad(theta) + (theta - W) * (s[:, None] if isinstance(s, np.ndarray) else s)
        assert (residual == 0).all()


def test_optima_are_stationary_exactly(clients):
    """The mean gradient of f, and of its Moreau envelope, vanishes; the first agrees with numpy."""
    name, data, f = clients
    assert (f.grad(f.optimum()).sum(axis=0) == 0).all()
    w = f.optimum_of_envelope(LAM[name])
    assert ((w - f.prox(w, LAM[name])).sum(axis=0) == 0).all()
    X = np.concatenate([X / np.sqrt(len(y)) for X, y in data])
    y = np.concatenate([y / np.sqrt(len(y)) for _, y in data])
    solution = np.linalg.lstsq(X, y, rcond=None)[0]
    error = np.linalg.norm(f.optimum()[0].astype(float) - solution)
    condition_number = np.linalg.cond(X)
    reach = np.linalg.norm(solution) + condition_number * np.linalg.norm(y - X @ solution) / np.linalg.norm(X, 2)
    assert error <= 100 * EPS * condition_number * reach


def test_balls_contain_the_exact_answers(clients):
    """The same methods on balls, for bodies with roots."""
    name, data, f = clients
    W, lam = points(data, 3), LAM[name]
    ball = np.frompyfunc(lambda q: flint.arb(flint.fmpq(q.numerator, q.denominator)), 1, 1)
    for a, b in (
        (f.value(W), f.value(ball(W))),
        (f.grad(W), f.grad(ball(W))),
        (f.prox(W, lam), f.prox(ball(W), ball(lam))),
        (f.prox(W[:1], lam), f.prox(ball(W[:1]), lam)),
    ):
        assert all(s.overlaps(r) for s, r in zip(b.flat, ball(a).flat, strict=True))
        assert all(s.rel_accuracy_bits() > 0 for s in b.flat)


def test_enclosures_are_tight_and_right(clients):
    """NumPy's eigenvalues lie inside; the exact tests hold on one side of an eigenvalue and fail on the other."""
    _, data, f = clients
    for (X, y), A, e in zip(data, f.A, f.constants(), strict=True):
        s = np.linalg.svd(X, compute_uv=False) / np.sqrt(len(y))
        error = 8 * len(y) * EPS * s[0]
        assert (s[-1] - error) ** 2 <= e.mu_upper and e.mu_lower <= (s[-1] + error) ** 2
        assert (s[0] - error) ** 2 <= e.L_upper and e.L_lower <= (s[0] + error) ** 2
        assert at_least(A, e.mu_lower) and not at_least(A, e.mu_upper)
        assert at_most(A, e.L_upper) and not at_most(A, e.L_lower)
        for lower, upper in ((e.mu_lower, e.mu_upper), (e.L_lower, e.L_upper)):
            assert 0 < lower < upper <= lower * (1 + WIDTH)
    assert f.enclosure(1) == f.constants()[1]


@pytest.mark.parametrize("guess", [(1e-12, 1e12), (1e12, 1e-12), (0.0, 0.0), (2.0, 7.0)])
def test_a_bad_guess_costs_nothing_but_time(guess):
    """Eigenvalues 2 and 7 from any start."""
    e = enclose(matrix(np.array([[3.0, 2.0], [2.0, 6.0]])), *guess)
    assert e.mu_lower <= 2 <= e.mu_upper <= e.mu_lower * (1 + WIDTH)
    assert e.L_lower <= 7 <= e.L_upper <= e.L_lower * (1 + WIDTH)


def test_rank_deficient_data():
    """mu is exactly 0, the optimum is refused, and a strongly convex claim is outside."""
    f = LeastSquares([(np.array([[1.0, 2.0]]), np.array([1.0])), (np.array([[2.0, 4.0]]), np.array([0.0]))])
    assert [e.mu_upper for e in f.constants()] == [0, 0]
    assert at_most(f.A[0], Fraction(5)) and f.constants()[0].L_lower < 5 <= f.constants()[0].L_upper
    with pytest.raises(ValueError, match="not unique"):
        f.optimum()
    assert "client 0" in outside(Points(StronglyConvex("mu"), mu=positive(CURVATURE)), f)
    assert outside(Points(Smooth("L"), L=positive(CURVATURE)), f) == ""


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "got none"),
        ([(np.ones((3, 2)), np.ones(2))], r"got \(3, 2\) and \(2,\) for client 0"),
        ([(np.ones((3, 2)), np.ones(3)), (np.ones((3, 1)), np.ones(3))], "for client 1"),
        ([(np.full((1, 1), np.nan), np.ones(1))], "finite numbers"),
    ],
)
def test_bad_least_squares(data, message):
    with pytest.raises(UsageError, match=message):
        LeastSquares(data)


def test_a_point_of_the_wrong_shape():
    with pytest.raises(UsageError, match=r"a point must be \(1, 2\) or \(1, 2\), got \(2,\)"):
        LeastSquares([(np.eye(2), np.ones(2))]).grad(fractions(np.ones(2)))


# claims


@pytest.mark.parametrize("id", TRUE)
@pytest.mark.parametrize("name", DATA)
def test_published_claims_hold(id, name):
    """Every instance is a decision, in the conditions, and the same one every time."""
    data = exact_clients(name, 3, **DATA[name])
    results = evaluate(claims()[id], data, instances=4)
    assert [r.outcome for r in results] == ["holds"] * 4
    assert all(r.shape["m"] == 3 and r.shape["d"] == 10 and r.slack >= 0 for r in results)
    assert all(side.truth for r in results for side in r.replay.given)
    assert results[:2] == evaluate(claims()[id], data, instances=2)
    assert results != evaluate(claims()[id], data, instances=4, seed=1)


@pytest.fixture(scope="module")
def diabetes():
    """Exact clients that all claims share."""
    return exact_clients("diabetes", 3)


@pytest.mark.in_turn(5)
def test_every_published_claim_says_something(published, diabetes):
    """Of every claim that is listed: an outcome, or why there is none."""
    (result,) = evaluate(published, diabetes, instances=1)
    assert result.outcome in ("holds", "refutes") or result.reason


@pytest.mark.parametrize("m", [1, 2, 10])
def test_other_numbers_of_clients(m):
    for id in ("pfedme/prop1c", "flame/lemma1~repaired"):
        (result,) = evaluate(claims()[id], "diabetes", m=m, instances=1)
        assert result.outcome == "holds" and result.shape["m"] == m


@pytest.mark.parametrize("of", ["f", "F"])
def test_w_star_is_the_optimum_of_the_claim(of):
    """The mean gradient of the function that the world names is zero there, exactly."""
    world = Points(Smooth("L"), envelope="lam", optimum_of=of, L=positive(CURVATURE), lam=positive(CURVATURE))

    @claim("draft/stationary", world=world)
    def stationary(x):
        return eq(x.sq(x.mean_vec(getattr(x, of).grad(x.w_star))), 0)

    assert {r.outcome for r in evaluate(stationary, "diabetes", instances=2)} == {"holds"}


def false(body, world, because):
    """A claim that is false for a stated reason."""
    return claim("draft/false", world=world, control=Control(because, body))(body)


TWO = Points(StronglyConvex("mu"), envelope="lam", at=("w", "v"), lam=positive(CURVATURE), mu=positive(CURVATURE))
CLASS = Points(SmoothStronglyConvex(), at=("w", "v"), mu=positive(CURVATURE), L=positive(CURVATURE))


def moved(x, p):
    """|grad p_i(w) - grad p_i(v)|^2 and |w - v|^2."""
    return x.sq(p.grad(x.w) - p.grad(x.v)), x.sq(x.w - x.v)


def bregman(x, p):
    """p_i(w) - p_i(v) - <grad p_i(v), w - v>."""
    return p.value(x.w) - p.value(x.v) - x.dot(p.grad(x.v), x.w - x.v)


FALSE = {
    "a gradient cannot vary less than strong convexity asks": (
        lambda x: le(4 * moved(x, x.F)[0], mu_F(x) ** 2 * moved(x, x.F)[1]), TWO),
    "an envelope cannot curve more than its smoothness": (
        lambda x: le(L_F(x) * moved(x, x.F)[1], bregman(x, x.F)), TWO),
    "a client cannot curve more than L": (lambda x: le(x.L * moved(x, x.f)[1], bregman(x, x.f)), CLASS),
    "a client cannot curve less than mu": (lambda x: le(bregman(x, x.f), x.mu / 4 * moved(x, x.f)[1]), CLASS),
}  # fmt: skip


@pytest.mark.parametrize("because", FALSE)
def test_false_claims_fail(because):
    """At every pair of different points."""
    for r in evaluate(false(*FALSE[because], because), "diabetes", instances=6):
        assert r.outcome == "refutes" and r.slack < 0, r


def test_a_tight_claim_fails_when_tightened():
    """At w near w* the diversity of Lemma 2 (a) is half of its bound, so 4/5 of that half is too little somewhere."""
    lemma = claims()["pfedme/lemma2a"]
    tightened = false(lemma.control.body, lemma.world, lemma.control.because)
    assert "refutes" in {r.outcome for r in evaluate(tightened, "diabetes", instances=20)}


def roots(x):
    """Lipschitz condition of grad f_i with its roots: every engine but balls declines it."""
    dg, dw = (x.sqrt(s) for s in moved(x, x.f))
    return le(dg, x.L * dw)


def test_bodies_with_roots_are_decided_by_balls():
    """True as stated, false with half of mu in place of L."""
    hold = claim("draft/roots", world=CLASS)(roots)
    fail = claim("draft/no-roots", world=CLASS)(
        lambda x: le(2 * x.sqrt(moved(x, x.f)[0]), x.mu * x.sqrt(moved(x, x.f)[1]))
    )
    assert {r.outcome for r in evaluate(hold, "diabetes", instances=4)} == {"holds"}
    assert {r.outcome for r in evaluate(fail, "diabetes", instances=4)} == {"refutes"}


ROUND = pfedme_round(StronglyConvex("mu"), optimum_of="F", mu=positive(CURVATURE))


@pytest.mark.parametrize("world", [fedadmm_steps(), flame_steps(), ROUND])
def test_steps_on_balls(world):
    """A root is positive, and not negative; conditions that hold with equality stay decided."""

    def root(x):
        return x.sqrt(1 + x.sq(x.state.w - (x.w_star if world is ROUND else x.next.w)))

    hold = claim("draft/root", world=world)(lambda x: le(1, 2 * root(x)))
    fail = claim("draft/no-root", world=world)(lambda x: le(2 * root(x), 1))
    assert {r.outcome for r in evaluate(hold, exact_clients("breast-cancer", 3, features="mean"), instances=3)} == {
        "holds"
    }
    assert {r.outcome for r in evaluate(fail, exact_clients("breast-cancer", 3, features="mean"), instances=3)} == {
        "refutes"
    }


def test_conditions_that_the_data_cannot_meet():
    """mu of these clients is far below L, so mu > L/2 has no instance; the reason names both."""
    world = Points(
        SmoothStronglyConvex(), mu=positive(CURVATURE), L=positive(CURVATURE),
        given=(condition("mu > L/2", lambda x: le(x.L, 2 * x.mu)),),
    )  # fmt: skip
    (result,) = evaluate(claim("draft/never", world=world)(lambda x: le(0, 1)), "diabetes", instances=1)
    assert result.outcome == "outside" and "mu = " in result.reason and "L = " in result.reason


def test_diversity():
    """Assumption 3 is met by one client, whose gradient is the mean, and by none that differ in their Hessians."""
    lemma = claims()["pfedme/lemma2b"]
    (several,) = evaluate(lemma, "diabetes", m=2)
    assert several.outcome == "outside" and "different Hessians" in several.reason
    assert {r.outcome for r in evaluate(lemma, "diabetes", m=1, instances=2)} == {"holds"}


@pytest.mark.parametrize("id", ["pfedme/lemma1a", "flame/eq24", "fedadmm/rem4.1-c", "pfedme/cond-eta1-a"])
def test_claims_about_something_else(id):
    (result,) = evaluate(claims()[id], "diabetes")
    assert result.outcome == "not applicable" and result.reason


def test_a_claim_about_one_client_stays_there():
    """Worlds list small sizes of claims about any number of clients; one that stops at m = 1 means it."""
    assert not_applicable(CLASS, 7) == ""
    assert "m = 3" in not_applicable(Points(Smooth("L"), L=positive(CURVATURE), sizes={"m": (1,)}), 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"instances": 0}, r"evaluate\(instances=...\) must be an integer of at least 1, got 0"),
        ({"seed": -1}, r"evaluate\(seed=...\) must be an integer of at least 0, got -1"),
        ({"seed": 1.5}, "got 1.5"),
        ({"m": 11}, "got 11"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(UsageError, match=message):
        evaluate(claims()["pfedme/prop1c"], "diabetes", **options)


def test_what_is_evaluated_must_be_a_claim():
    with pytest.raises(UsageError, match="must be a claim made by @claim"):
        evaluate("pfedme/prop1c", "diabetes")
