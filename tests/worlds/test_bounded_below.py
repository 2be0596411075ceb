"""Smooth functions that are bounded below: membership and infimum exact, planted claims, closed forms as an oracle."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from fedtheory import Control, claim, le, verify
from fedtheory.engines.certificates.sdp.program import best_factor
from fedtheory.engines.counterexamples import exact
from fedtheory.engines.counterexamples.witness import free_of
from fedtheory.gram.forms import Space
from fedtheory.numbers import Fractions
from fedtheory.units import CURVATURE, GRADIENT
from problems import Points, SmoothBoundedBelow, condition, positive
from problems.exact.evaluate import evaluate
from problems.exact.least_squares import LeastSquares
from problems.worlds.abstract import AbstractClients
from problems.worlds.classes.curvature import interpolation
from problems.worlds.conditions import holds
from problems.worlds.quadratics import Quadratics

L = Fraction(2)
SMOOTH = {"L": positive(CURVATURE)}
ANY = Points(SmoothBoundedBelow("L"), at=("w", "v"), **SMOOTH)
BEST = Points(SmoothBoundedBelow("L"), optimum_of="f", **SMOOTH)


def client(h, k, s, a):
    """``h v^2/2 + s v`` up to |v| = a and the curvature k beyond, in one variable."""
    one = [np.array([[Fraction(v)]], dtype=object) for v in (h, 1, s, 0, k, a)]
    return Quadratics(*one[:4], np.array([Fraction(0)], dtype=object), Fractions(), *one[4:], True)


def test_membership_and_infimum_are_exact():
    """A function is refused when it is unbounded or not smooth; else its infimum is attained and nowhere undercut."""
    rng = np.random.default_rng(0)
    x = SimpleNamespace(L=L)
    line = np.array([[[Fraction(j, 4)]] for j in range(-48, 49)], dtype=object)
    seen = {"member": 0, "W": 0, "unbounded": 0, "steep": 0}
    for _ in range(300):
        h, k, s, a = (
            Fraction(int(rng.integers(low, high + 1)), 4) for low, high in ((-10, 10), (0, 10), (-9, 9), (1, 6))
        )
        f = client(h, k, s, a)
        smooth, bounded = abs(h) <= L and k <= L, k > 0 or abs(s) <= h * a
        assert all(holds(r).all() for r in SmoothBoundedBelow().membership_of(f, x)) == (smooth and bounded)
        seen["unbounded"] += not bounded
        seen["steep"] += not smooth
        if not (smooth and bounded):
            continue
        seen["member"] += 1
        seen["W"] += h < 0 and abs(s) < -h * a
        assert (f.grad(f.minimiser()) == 0).all() and f.value(f.minimiser())[0] == f.infimum()[0]
        assert f.value(line).min() >= f.infimum()[0]
    assert min(seen.values()) > 10


def test_the_interpolating_function_of_the_theorem():
    """Points that meet the inequalities are those of the theorem's function, which has this infimum.

    Two points of ``L/2 |y - z|^2 + ...`` with the minimum over one weight in closed form, at rational data.
    """
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(400):
        x, g = (np.array([Fraction(int(v), 4) for v in rng.integers(-8, 9, 2)], dtype=object) for _ in range(2))
        f = np.array([Fraction(int(v), 8) for v in rng.integers(-16, 17, 2)], dtype=object)
        points = [(x[i : i + 1], g[i : i + 1], f[i]) for i in range(2)]
        if any(interpolation(-L, L, lambda u, v: np.sum(u * v), *pair) < 0 for pair in (points, points[::-1])):
            continue
        found += 1
        z, phi = x - g / L, f - g * g / (2 * L)

        def value(y, z=z, phi=phi):
            # L/2 (y - z_bar)^2 + L/4 (mean z^2 - z_bar^2) + mean phi is quadratic in the weight t of the second point
            dz, dphi = z[1] - z[0], phi[1] - phi[0]
            at = lambda t: (  # noqa: E731
                L / 2 * (y - z[0] - t * dz) ** 2 + L / 4 * t * (1 - t) * dz**2 + phi[0] + t * dphi
            )
            t = (L * (y - z[0]) * dz - L / 4 * dz**2 - dphi) / (L / 2 * dz**2) if dz else Fraction(0)
            return min(at(c) for c in (Fraction(0), Fraction(1), min(max(t, Fraction(0)), Fraction(1))))

        assert [value(p) for p in x] == list(f)
        least = min(phi)
        assert value(z[int(np.argmin(phi))]) == least
        assert min(value(Fraction(j, 4)) for j in range(-40, 41)) >= least
    assert found > 30


def gap(x, w):
    """f(w) - inf f of every client."""
    return x.f.value(w) - x.f.infimum()


def iterates(x, T):
    """T iterates of gradient descent with the step 1/L, from w."""
    out = [x.w]
    for _ in range(T - 1):
        out.append(out[-1] - x.f.grad(out[-1]) / x.L)
    return out


def least(x, T):
    """The least squared gradient norm of T iterates."""
    norms = [x.sq(x.f.grad(w)) for w in iterates(x, T)]
    out = norms[0]
    for s in norms[1:]:
        out = x.minimum(out, s)
    return out


def bounding(T):
    """A world with a scalar eps below every squared gradient norm of T iterates: a minimum as a condition at points."""
    below = condition("eps <= |grad f(w_t)|^2", lambda x: tuple(le(x.eps, x.sq(x.f.grad(w))) for w in iterates(x, T)))
    return Points(SmoothBoundedBelow("L"), given=(below,), eps=positive(GRADIENT**2), **SMOOTH)


TRUE = {
    "descent-to-the-infimum": (ANY, lambda x: le(x.sq(x.f.grad(x.w)), 2 * x.L * gap(x, x.w))),
    "sum-of-2": (ANY, lambda x: le(sum(x.sq(x.f.grad(w)) for w in iterates(x, 2)), 2 * x.L * gap(x, x.w))),
    "sum-of-3": (ANY, lambda x: le(sum(x.sq(x.f.grad(w)) for w in iterates(x, 3)), 2 * x.L * gap(x, x.w))),
    "least-of-2": (bounding(2), lambda x: le(2 * x.eps, 2 * x.L * gap(x, x.w))),
    "least-of-3": (bounding(3), lambda x: le(3 * x.eps, 2 * x.L * gap(x, x.w))),
    "minimum-is-above": (BEST, lambda x: le(x.mean(x.f.infimum()), x.mean(x.f.value(x.w_star)))),
}
FALSE = {
    "descent-twice-as-good": (ANY, lambda x: le(x.sq(x.f.grad(x.w)), x.L * gap(x, x.w))),
    "convex": (ANY, lambda x: le(0, x.dot(x.f.grad(x.w) - x.f.grad(x.v), x.w - x.v))),
    "Polyak-Lojasiewicz": (ANY, lambda x: le(x.L / 100 * gap(x, x.w), x.sq(x.f.grad(x.w)))),
    "least-of-2-halved": (bounding(2), lambda x: le(4 * x.eps, 2 * x.L * gap(x, x.w))),
    "clients-share-a-minimiser": (BEST, lambda x: le(x.mean(x.f.value(x.w_star)), x.mean(x.f.infimum()))),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_claims_are_proved(name):
    """For all L, any number of clients, any dimension."""
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


def test_a_minimum_over_iterates_is_proved():
    """A minimum is no affine form; as numbers both of its cases are, and the search refutes the control."""
    control = Control(
        "a quadratic of curvature L reaches its minimiser in one step", lambda x: le(2 * least(x, 1), bound(x))
    )
    v = verify(claim("planted/minimum", world=ANY, control=control)(lambda x: le(2 * least(x, 2), bound(x))))
    assert v.verdict == "proved", v.reason


def bound(x):
    """2 L (f(w) - inf f)."""
    return 2 * x.L * gap(x, x.w)


@pytest.mark.parametrize("h", [Fraction(1, 2), Fraction(1), Fraction(3, 2)], ids=["h=0.5", "h=1", "h=1.5"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_gradient_norm_against_the_closed_form(n, h):
    """The least |grad f(x_k)|^2 of n steps h/L is at most 4 L (f(x_0) - inf f)/(n min(4 h - h^3, 4 h - h^2) + 2).

    H. Abbaszadehpeivasti, E. de Klerk, M. Zamani, The exact worst-case convergence rate of the gradient method with
    fixed step lengths for L-smooth functions, Optimization Letters 16 (2022); exact, so the inequalities suffice.
    """
    space = Space(16)
    f = AbstractClients(space, 1, SmoothBoundedBelow(), SimpleNamespace(L=L))
    lowest, x = space.value("least"), space.leaf("x0")[None]
    before = f.value(x)[0] - f.infimum()[0]
    for k in range(n + 1):
        x = x - h / L * f.grad(x) if k else x
        space.nonnegative(f"least {k}", space.numbers.dot(f.grad(x), f.grad(x)) - lowest)
    space.close()
    ours = best_factor(lowest, before, space)
    assert ours == pytest.approx(float(4 * L / (n * min(4 * h - h**3, 4 * h - h**2) + 2)), rel=1e-6, abs=0)


def test_infimum_of_least_squares():
    """The value at a minimiser, exactly, also for features of deficient rank."""
    rng = np.random.default_rng(2)
    data = [(rng.standard_normal((8, 3)), rng.standard_normal(8)) for _ in range(3)]
    singly = [LeastSquares([one]) for one in data]
    assert list(LeastSquares(data).infimum()) == [f.value(f.optimum())[0] for f in singly]
    deficient = LeastSquares([(np.array([[1.0, 2.0], [2.0, 4.0]]), np.array([1.0, 0.0]))])
    assert deficient.infimum()[0] == Fraction(1, 5)  # (|y|^2 - (y'u)^2)/4 with u = (1, 2)/sqrt(5)


def test_on_data():
    """The descent lemma holds on real data, and twice its bound does not."""
    for name, outcomes in (("descent-to-the-infimum", {"holds"}), ("sum-of-2", {"holds"})):
        c = claim(f"planted/{name}", world=ANY)(TRUE[name][1])
        assert {r.outcome for r in evaluate(c, "diabetes", instances=2)} == outcomes
