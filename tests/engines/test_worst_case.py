"""Instances read off the semidefinite program: they refute what no search of ours finds, and never what is true."""

import json
from fractions import Fraction

import numpy as np
import pytest

from fedtheory import claim, le, verify
from fedtheory.cli import main
from fedtheory.engines.certificates.sdp.primal import Primal
from fedtheory.engines.context import Docket
from fedtheory.engines.counterexamples.exact import judge
from fedtheory.engines.counterexamples.witness import free_of
from fedtheory.engines.prove.listed import targets_of
from fedtheory.engines.search.worst_case import adversary
from fedtheory.errors import NotApplicable
from fedtheory.numbers import Floats, Fractions
from fedtheory.relation import eq
from fedtheory.units import CURVATURE, GRADIENT, STEP
from fedtheory.world import Free, at_least, between, positive
from problems import (
    Convex,
    Points,
    Smooth,
    SmoothBoundedBelow,
    SmoothConvex,
    SmoothStronglyConvex,
    StronglyConvex,
    WeaklyConvex,
    condition,
)

ONE = {"m": (1,)}
MU_L = {"mu": positive(CURVATURE), "L": positive(CURVATURE)}


def of_one(x, v):
    return x.mean(v)


def gap(x, at):
    return x.mean(x.f.value(at) - x.f.value(x.w_star))


def grad(x, at):
    return x.mean_vec(x.f.grad(at))


RING = Points(None, at=(), clients_at=("v",), sizes={"m": (5,)})


def ring(x, share):
    """Weights 1/3 on a ring of five: the second eigenvalue squared is 0.2909."""
    mixed, mean = (x.v + x.v[..., [1, 2, 3, 4, 0], :] + x.v[..., [4, 0, 1, 2, 3], :]) / 3, x.mean_vec(x.v)
    return le(x.mean(x.sq(mixed - mean)), share * x.mean(x.sq(x.v - mean)))


COMPLETE = Points(None, at=("a", "b", "c"), sizes=ONE)


def three(x, share):
    """|a + b + c|^2 against 3 shares of the sum of squares."""
    return le(x.sq(x.a + x.b + x.c), share * 3 * (x.sq(x.a) + x.sq(x.b) + x.sq(x.c)))


POLYAK = Points(
    Convex(),
    optimum_of="f",
    s=positive(STEP),
    sizes=ONE,
    given=(condition("s |g|^2 = f(w) - f*", lambda x: eq(x.s * x.sq(grad(x, x.w)), gap(x, x.w))),),
)


def polyak(x, share):
    """A step of Polyak's length gains its length times the gap, and no more."""
    after = x.w - x.s * grad(x, x.w) - x.w_star
    return le(x.sq(after), x.sq(x.w - x.w_star) - x.s * gap(x, x.w) / share)


EXACT_LINE = Points(
    SmoothStronglyConvex("mu", "L"),
    at=("w", "z"),
    optimum_of="f",
    sizes=ONE,
    **MU_L,
    given=(
        condition("<grad f(z), z - w> = 0", lambda x: eq(x.dot(grad(x, x.z), x.z - x.w), 0)),
        condition("<grad f(z), grad f(w)> = 0", lambda x: eq(x.dot(grad(x, x.z), grad(x, x.w)), 0)),
    ),
)


def exact_line(x, share):
    """de Klerk, Glineur, Taylor (2017), Theorem 1.2, whose factor is the best one."""
    return le((x.L + x.mu) ** 2 * gap(x, x.z), share * (x.L - x.mu) ** 2 * gap(x, x.w))


INEXACT = Points(
    SmoothConvex("L"),
    at=("w",),
    clients_at=("z",),
    L=positive(CURVATURE),
    lam=positive(CURVATURE),
    gamma=between(0, 1),
    sizes=ONE,
    given=(
        condition(
            "gamma-inexact",
            lambda x: le(x.sq(x.f.grad(x.z) + x.lam * (x.z - x.w)), x.gamma**2 * x.sq(x.f.grad(x.w))),
        ),
    ),
)


def inexact(x, share):
    """How far a gamma-inexact client moves, from FedProx's proof: (1 + gamma)^2."""
    return le(x.lam**2 * x.mean(x.sq(x.z - x.w)), share * (1 + x.gamma) ** 2 * x.mean(x.sq(x.f.grad(x.w))))


TWO = Points(SmoothConvex("L"), at=("w", "v"), L=positive(CURVATURE), sizes=ONE)


def monotone(x, share):
    """Baillon and Haddad: |g - h|^2 <= L <g - h, w - v>."""
    step = x.f.grad(x.w) - x.f.grad(x.v)
    return le(x.mean(x.sq(step)), share * x.L * x.mean(x.dot(step, x.w - x.v)))


ENVELOPE = Points(
    StronglyConvex("mu"), envelope="lam", at=("w", "v"), mu=positive(CURVATURE), lam=positive(CURVATURE), sizes=ONE
)


def contraction(x, share):
    """The prox of a mu-strongly convex function contracts by lam/(lam + mu)."""
    step = x.f.prox(x.w, x.lam) - x.f.prox(x.v, x.lam)
    return le((x.lam + x.mu) ** 2 * x.mean(x.sq(step)), share * x.lam**2 * x.sq(x.w - x.v))


WEAK = Points(WeaklyConvex("rho"), at=("w", "v"), rho=positive(CURVATURE), sizes=ONE)


def hypomonotone(x, share):
    """<g - h, w - v> >= -rho |w - v|^2."""
    inner = x.mean(x.dot(x.f.grad(x.w) - x.f.grad(x.v), x.w - x.v))
    return le(-inner, share * x.rho * x.sq(x.w - x.v))


NONCONVEX = Points(Smooth("L"), at=("w", "v"), L=positive(CURVATURE), sizes=ONE)


def descent(x, share):
    """f(w) <= f(v) + <grad f(v), w - v> + L/2 |w - v|^2."""
    rest = x.f.value(x.w) - x.f.value(x.v) - x.dot(x.f.grad(x.v), x.w - x.v)
    return le(2 * x.mean(rest), share * x.L * x.sq(x.w - x.v))


BELOW = Points(SmoothBoundedBelow("L"), at=("w", "v"), L=positive(CURVATURE), sizes=ONE)


def above_the_infimum(x, share):
    """|grad f(w)|^2 <= 2 L (f(w) - inf f), at two points."""
    return le(
        x.mean(x.sq(x.f.grad(x.w)) + x.sq(x.f.grad(x.v))),
        share * 2 * x.L * x.mean(x.f.value(x.w) + x.f.value(x.v) - 2 * x.f.infimum()),
    )


def steps_of(x, count):
    """The iterates of gradient descent with the step 1/L from w."""
    out = [x.w]
    for _ in range(count):
        out.append(out[-1] - grad(x, out[-1]) / x.L)
    return out


LEAST_GRADIENT = Points(
    Smooth("L"),
    L=positive(CURVATURE),
    G=positive(GRADIENT**2),
    sizes=ONE,
    given=tuple(
        condition(f"G <= |g_{k}|^2", lambda x, k=k: le(x.G, x.sq(grad(x, steps_of(x, 2)[k])))) for k in range(3)
    ),
)


def least_gradient(x, share):
    """Two steps on smooth non-convex functions: the least gradient squared is at most 2 L/3 times the descent."""
    w, _, last = steps_of(x, 2)
    return le(3 * x.G, share * 2 * x.L * x.mean(x.f.value(w) - x.f.value(last)))


DESCENT = Points(SmoothConvex("L"), optimum_of="f", L=positive(CURVATURE), sizes=ONE)


def last_gap(x, share):
    """Two steps on smooth convex functions: f(w_2) - f* <= L |w_0 - w*|^2/10 (Drori and Teboulle 2014), by Huber functions."""
    *_, last = steps_of(x, 2)
    return le(10 * gap(x, last), share * x.L * x.sq(x.w - x.w_star))


def last_gradient(x, share):
    """|grad f(w_2)|^2 <= 2 L/5 (f(w_0) - f*), by Huber functions."""
    *_, last = steps_of(x, 2)
    return le(5 * x.sq(grad(x, last)), share * 2 * x.L * gap(x, x.w))


CLAIMS = {  # the right side is the best one; the share makes it too small by little
    "ring": (RING, ring, Fraction(3, 10), Fraction(29, 100)),
    "three vectors": (COMPLETE, three, 1, Fraction(999, 1000)),
    "Polyak's step": (POLYAK, polyak, 1, Fraction(4, 5)),
    "exact line search": (EXACT_LINE, exact_line, 1, Fraction(99, 100)),
    "inexact move": (INEXACT, inexact, 1, Fraction(4, 5)),
    "monotone gradients": (TWO, monotone, 1, Fraction(99, 100)),
    "prox": (ENVELOPE, contraction, 1, Fraction(99, 100)),
    "weakly convex": (WEAK, hypomonotone, 1, Fraction(99, 100)),
    "least gradient": (LEAST_GRADIENT, least_gradient, 1, Fraction(9, 10)),
    "last gap": (DESCENT, last_gap, 1, Fraction(99, 100)),
    "last gradient": (DESCENT, last_gradient, 1, Fraction(99, 100)),
    "infimum": (BELOW, above_the_infimum, 1, Fraction(99, 100)),
    "descent": (NONCONVEX, descent, 1, Fraction(99, 100)),
}


def made(name, share, id="draft/a"):
    world, body, *_ = CLAIMS[name]
    return claim(id, world=world)(lambda x: body(x, share))


@pytest.mark.parametrize("name", CLAIMS)
def test_what_is_true_by_little_is_not_refuted(name):
    assert adversary(made(name, CLAIMS[name][2]), Docket()).outcome == "silent"


@pytest.mark.parametrize("name", CLAIMS)
def test_what_is_false_by_little_is_refuted_with_an_instance_that_replays(name):
    draft = made(name, CLAIMS[name][3])
    found = adversary(draft, Docket())
    assert found.outcome == "refutes"
    again = free_of(json.loads(json.dumps(found.witness)), draft.world)
    assert judge(draft.body, draft.world, again).outcome == "refutes"
    assert judge(made(name, CLAIMS[name][2]).body, draft.world, again).outcome == "holds"


def test_the_command_replays_a_witness_of_clients_that_are_known_at_points(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "draft.py").write_text(
        """
from fractions import Fraction
from fedtheory import claim, eq, le
from fedtheory.units import CURVATURE
from problems import Points, SmoothStronglyConvex, condition, positive

WORLD = Points(SmoothStronglyConvex("mu", "L"), at=("w", "z"), optimum_of="f", sizes={"m": (1,)},
    mu=positive(CURVATURE), L=positive(CURVATURE), given=(
    condition("a", lambda x: eq(x.dot(x.mean_vec(x.f.grad(x.z)), x.z - x.w), 0)),
    condition("b", lambda x: eq(x.dot(x.mean_vec(x.f.grad(x.z)), x.mean_vec(x.f.grad(x.w))), 0))))

@claim("draft/line", world=WORLD)
def line(x):
    after, before = (x.mean(x.f.value(p) - x.f.value(x.w_star)) for p in (x.z, x.w))
    return le((x.L + x.mu)**2*after, Fraction(9, 10)*(x.L - x.mu)**2*before)
"""
    )
    assert main(["verify", "draft.py", "--no-cache", "--json", "r.json"]) == 0
    capsys.readouterr()
    assert main(["replay", "r.json", "draft/line", "draft.py"]) == 0
    said = capsys.readouterr().out
    assert "interpolation of client 1 at 1 and 2" in said and "refuted, exactly" in said
    report = json.loads((tmp_path / "r.json").read_text())
    report["claims"][0]["witness"]["free"]["value_there"][0][0] = "1000000"
    (tmp_path / "r.json").write_text(json.dumps(report))
    assert main(["replay", "r.json", "draft/line", "draft.py"]) == 1
    assert "interpolation of client" in capsys.readouterr().out


# clients that are known at points


def parabola(scale=1):
    """w^2/2 of one client at -1, 0 and 2, the values `scale` times as large."""
    points = np.array([[[Fraction(p)]] for p in (-1, 0, 2)], dtype=object)
    values = np.array([[Fraction(p * p * scale, 2)] for p in (-1, 0, 2)], dtype=object)
    return {"looked_at": points, "grad_there": points, "value_there": values}


def at(*values):
    return np.array([[Fraction(v) for v in values]], dtype=object)


def table(world, extra, data=None, **scalars):
    free = Free(
        {"m": 1, "d": 1, "points": 3}, {k: Fraction(v) for k, v in scalars.items()}, {**extra, **(data or parabola())}
    )
    return world.build(free, Fractions())


def test_they_answer_where_they_are_known_and_nowhere_else():
    x = table(TWO, {"w": at(2), "v": at(0)}, L=1)
    assert x.f.value(x.w)[0] == 2 and x.f.grad(x.w)[0, 0] == 2 and x.f.prox(x.w * 2, Fraction(1))[0, 0] == 2
    assert all((r.lhs <= r.rhs) is True for r in x.given if "interpolation" in r.name)
    with pytest.raises(NotApplicable, match="where it is not known"):
        x.f.value(x.w + 1)
    with pytest.raises(NotApplicable, match="exact numbers"):
        TWO.build(Free({"m": 1, "d": 1, "points": 3}, {"L": 1.0}, {"w": at(2), "v": at(0), **parabola()}), Floats())


def test_their_values_meet_the_inequalities_of_the_class():
    for scale, L in ((2, 1), (1, Fraction(9, 10))):
        x = table(TWO, {"w": at(2), "v": at(0)}, parabola(scale), L=L)
        assert not all(r.lhs <= r.rhs for r in x.given if "interpolation" in r.name)


def test_a_kink_is_no_gradient():
    """|w| at -1 and 1, with the gradient 1 at the kink: convex, and not the gradient of a differentiable function there."""
    points = np.array([[[Fraction(p)]] for p in (-1, 0, 1)], dtype=object)
    grads = np.array([[[Fraction(p)]] for p in (-1, 1, 1)], dtype=object)
    values = np.array([[Fraction(p)] for p in (1, 0, 1)], dtype=object)
    world = Points(Convex(), at=("w",), sizes=ONE)
    x = table(world, {"w": at(1)}, {"looked_at": points, "grad_there": grads, "value_there": values})
    strict = [r for r in x.given if r.op == "<" and "interpolation" in r.name]
    assert strict and not all(r.lhs < r.rhs for r in strict)


def test_an_indefinite_prox_is_refused():
    x = table(NONCONVEX, {"w": at(2), "v": at(0)}, L=1)
    assert x.f.prox(x.w * Fraction(3, 2), Fraction(2))[0, 0] == 2
    with pytest.raises(ValueError, match="indefinite"):
        x.f.prox(x.w * 2, Fraction(1))


def test_what_a_world_declares_beside_them_must_be_sufficient():
    L = positive(CURVATURE)
    for world in (
        Points(SmoothConvex("L"), diversity="sigma", L=L),
        Points(Smooth("L"), optimum_of="f", L=L),
        Points(SmoothBoundedBelow("L"), optimum_of="f", L=L),
        Points(SmoothConvex("L"), L=L, points=at_least(1)),
    ):
        assert world.known_at_points() == []
    assert len(Points(SmoothConvex("L"), optimum_of="f", L=L).known_at_points()) == 1


# the program


def test_the_margin_of_a_target_without_a_certificate_is_positive():
    """And where there is a certificate there is no instance."""
    for share, found in ((Fraction(29, 100), True), (Fraction(3, 10), False)):
        targets, space, *_ = targets_of(made("ring", share), RING, {}, {"m": 5, "d": 1})
        solutions = list(Primal(targets[0][1], space).solutions())
        assert bool(solutions) is found
        assert all(s.leaves.shape[1] <= 2 for s in solutions)


def test_a_certified_claim_that_is_false_elsewhere_is_refuted():
    """Certificates at two parameters, where the conditions leave nothing of which the claim could be false."""
    world = Points(
        None, at=("a", "b"), s=positive(), given=(
            condition("<a, b> >= s |a|^2", lambda x: le(x.s * x.sq(x.a), x.dot(x.a, x.b))),
            condition("|b| <= |a|", lambda x: le(x.sq(x.b), x.sq(x.a))),
        ),
    )  # fmt: skip
    v = verify(claim("draft/b", world=world)(lambda x: le(2 * x.s * x.sq(x.a), x.sq(x.a))))
    assert v.verdict == "refuted" and v.trust == "replayed"
