"""Polyak-Lojasiewicz functions: membership decided exactly, planted claims, and PEPit's inequalities as an oracle."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from fedtheory import Control, claim, eq, le, verify
from fedtheory.engines.certificates.sdp.program import best_factor
from fedtheory.engines.counterexamples import exact
from fedtheory.engines.counterexamples.witness import free_of
from fedtheory.gram.forms import Space
from fedtheory.numbers import Fractions
from fedtheory.units import CURVATURE
from problems import Lojasiewicz, Points, positive
from problems.exact.evaluate import evaluate
from problems.worlds.abstract import AbstractClients
from problems.worlds.conditions import holds
from problems.worlds.quadratics import Quadratics

MU, L = Fraction(1, 2), Fraction(4)
BOUNDS = {"mu": positive(CURVATURE), "L": positive(CURVATURE)}
ANY = Points(Lojasiewicz("mu", "L"), at=("w", "v"), **BOUNDS)
ONE = Points(Lojasiewicz("mu", "L"), optimum_of="f", sizes={"m": (1,)}, **BOUNDS)


def client(h, k, s, a):
    """``h v^2/2 + s v`` up to |v| = a and the curvature k beyond, in one variable."""
    one = [np.array([[Fraction(v)]], dtype=object) for v in (h, 1, s, 0, k, a)]
    return Quadratics(*one[:4], np.array([Fraction(0)], dtype=object), Fractions(), *one[4:], True)


def by_definition(h, k, s, a):
    """The definition, where the module's proof says that it is decided: knees, stationary points, and far out."""
    if not (abs(h) <= L and 0 <= k <= L) or (k == 0 and abs(s) > h * a):
        return False
    f = client(h, k, s, a)
    at = [a, -a, 10**4, -(10**4)] + ([s / h, -s / h] if h else [])
    at += [side * (a + c / k) for side in (1, -1) for c in (s - h * a, -s - h * a) if k]
    W = np.array([[[Fraction(v)]] for v in at], dtype=object)
    return bool((f.grad(W)[..., 0] ** 2 >= 2 * MU * (f.value(W) - f.infimum())).all())


def test_membership_is_decided_exactly():
    """Members and non-members among random functions with a knee, without any tolerance."""
    rng = np.random.default_rng(0)
    x = SimpleNamespace(mu=MU, L=L)
    seen = {True: 0, False: 0, "concave": 0}
    for _ in range(2000):
        h, k, s, a = (
            Fraction(int(rng.integers(low, high + 1)), 4) for low, high in ((-18, 18), (0, 18), (-12, 12), (1, 8))
        )
        member = all(holds(r).all() for r in Lojasiewicz().membership_of(client(h, k, s, a), x))
        assert member == by_definition(h, k, s, a), (h, k, s, a)
        seen[member] += 1
        seen["concave"] += member and h < 0
    assert min(seen.values()) > 20


def test_search_clients_are_not_only_convex():
    """Concave middles, flat axes and flat minima occur among the draws, in exact members."""
    kinds = {"concave": 0, "flat": 0, "rank-deficient": 0, "curved": 0}
    for shape in ANY.shapes(2):
        for free in ANY.sample(np.random.default_rng(1), shape, 4, 5):
            f = ANY.build(ANY.pick(free, 0).map(Fraction), Fractions()).f
            kinds["concave"] += bool((f.curvature < 0).any())
            kinds["flat"] += bool(((f.curvature == 0) & (f.far > 0)).any())
            kinds["rank-deficient"] += bool(((f.curvature == 0) & (f.far == 0)).any())
            kinds["curved"] += bool((f.curvature > 0).all())
    assert min(kinds.values()) > 0


def gap(x, w):
    """f(w) - inf f of every client."""
    return x.f.value(w) - x.f.infimum()


def step(x, w):
    """A gradient step of 1/L."""
    return w - x.f.grad(w) / x.L


TRUE = {
    "gradient-descent": (ANY, lambda x: le(gap(x, step(x, x.w)), (1 - x.mu / x.L) * gap(x, x.w))),
    "sharper-rate": (ANY, lambda x: le((2 * x.L + x.mu) * gap(x, step(x, x.w)), 2 * (x.L - x.mu) * gap(x, x.w))),
    "definition": (ANY, lambda x: le(2 * x.mu * gap(x, x.w), x.sq(x.f.grad(x.w)))),
    "from-above": (ANY, lambda x: le(x.sq(x.f.grad(x.w)), 2 * x.L * gap(x, x.w))),
    "stationary-is-least": (ONE, lambda x: le(gap(x, x.w_star), gap(x, x.w))),
}
FALSE = {
    "too-fast": (ANY, lambda x: le(gap(x, step(x, x.w)), (1 - x.mu / x.L) ** 3 * gap(x, x.w))),
    "strongly-convex": (
        ANY, lambda x: le(x.mu * x.sq(x.w - x.v), x.dot(x.f.grad(x.w) - x.f.grad(x.v), x.w - x.v))
    ),
    "convex": (ANY, lambda x: le(0, x.dot(x.f.grad(x.w) - x.f.grad(x.v), x.w - x.v))),
    "one-minimiser": (ONE, lambda x: le(x.mu * x.sq(x.w - x.w_star), 2 * gap(x, x.w))),
    "constant-2-mu": (ANY, lambda x: le(4 * x.mu * gap(x, x.w), x.sq(x.f.grad(x.w)))),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_true_claims_are_proved(name):
    """For all mu < L, any number of clients, any dimension."""
    world, body = TRUE[name]
    v = verify(claim(f"planted/{name}", world=world)(body))
    assert (v.verdict, v.scope) == ("proved", "all"), v.reason


@pytest.mark.parametrize("name", FALSE)
def test_false_claims_are_refuted_and_replayed(name):
    """The witness meets every condition exactly and replays."""
    world, body = FALSE[name]
    v = verify(claim(f"planted/{name}", world=world)(body))
    assert v.verdict == "refuted", v.reason
    again = exact.replay(body, world, free_of(v.witness, world))
    assert again.outcome == "refutes" and all(side.truth for side in again.given)


def test_a_failed_program_says_nothing():
    """(1 - mu/L)^2 holds on the search clients and has no certificate: no verdict, no tightness, and no best constant."""
    too_good = lambda x: le(gap(x, step(x, x.w)), (1 - x.mu / x.L) ** 2 * gap(x, x.w))  # noqa: E731
    no_power = Control("it is true", lambda x: le(0 * gap(x, x.w), gap(x, x.w)))
    v = verify(claim("planted/open", world=ANY, control=no_power)(too_good))
    assert v.verdict == "unknown"
    rate = lambda x: le(gap(x, step(x, x.w)), (1 - x.mu / x.L) * gap(x, x.w))  # noqa: E731
    v = verify(claim("planted/rate", world=ANY)(rate), budget="standard")
    best = next(e for e in v.evidence if e.engine == "best")
    gram = next(e for e in v.evidence if e.engine == "gram")
    assert best.outcome == "declines" and "necessary" in best.reason
    assert gram.outcome == "certifies" and gram.numbers["sdp_tightness"] is None


def test_the_control_of_an_averaged_claim():
    """A claim without certificates is supported when its control is refuted."""
    c = claim(
        "planted/supported", world=ANY,
        control=Control("a quadratic of curvature mu contracts by 1 - mu/L", lambda x: eq(x.sq(x.f.grad(x.w)), 0)),
    )(lambda x: le(x.minimum(x.mu, x.L) * gap(x, x.w), x.sq(x.f.grad(x.w))))  # fmt: skip
    assert verify(c).verdict in ("proved", "certified", "supported")


@pytest.mark.filterwarnings("error:Solution may be inaccurate")
@pytest.mark.parametrize("h", [Fraction(1, 2), Fraction(1), Fraction(3, 2)], ids=["1 over 2L", "1 over L", "3 over 2L"])
@pytest.mark.parametrize("n", [1, 2])
def test_gradient_descent_against_pepit(n, h):
    """PEPit's `SmoothQuadraticLojasiewiczFunctionCheap` has the same inequalities and gives the same factor."""
    PEPit = pytest.importorskip("PEPit")
    kind = pytest.importorskip("PEPit.functions").SmoothQuadraticLojasiewiczFunctionCheap
    mu, smooth = Fraction(1, 10), Fraction(3)
    space = Space(16)
    f = AbstractClients(space, 1, Lojasiewicz(), SimpleNamespace(mu=mu, L=smooth))
    x = x0 = space.leaf("x0")[None]
    for _ in range(n):
        x = x - h / smooth * f.grad(x)
    after, before = (f.value(x) - f.infimum())[0], (f.value(x0) - f.infimum())[0]
    space.close()
    ours = best_factor(after, before, space)

    pep = PEPit.PEP()
    g = pep.declare_function(kind, mu=float(mu), L=float(smooth))
    y_star, y = g.stationary_point(), pep.set_initial_point()
    pep.set_initial_condition(g(y) - g(y_star) <= 1)
    for _ in range(n):
        y = y - float(h / smooth) * g.gradient(y)
    pep.set_performance_metric(g(y) - g(y_star))
    theirs = pep.solve(verbose=0, wrapper="cvxpy", solver="SCS", eps_abs=1e-8, eps_rel=1e-8)
    assert ours == pytest.approx(theirs, rel=1e-6, abs=0)
    if (n, h) == (1, 1):
        assert ours == pytest.approx(float(2 * (smooth - mu) / (2 * smooth + mu)), rel=1e-6, abs=0)


def test_on_data():
    """Least-squares clients of full rank are members with their proved constants; a false claim is refuted on them."""
    true = claim("planted/on-data", world=ANY)(TRUE["gradient-descent"][1])
    assert {r.outcome for r in evaluate(true, "diabetes", instances=2)} == {"holds"}
    false = claim("planted/on-data-false", world=ANY)(lambda x: le(x.sq(x.f.grad(x.w)), x.mu * gap(x, x.w)))
    assert "refutes" in {r.outcome for r in evaluate(false, "diabetes", instances=2)}
