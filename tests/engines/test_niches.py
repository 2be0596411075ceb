"""Every stage of the order earns its place: a planted claim each that is answered wrongly, or not at all, without it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
import test_composition as composed
import test_worst_case as worst
from lies import LIES
from limit_claims import SMOOTH, gradients, stated, sums
from theorems import pl

from fedtheory import claim, le
from fedtheory.limits import summable
from fedtheory.referee import order
from fedtheory.referee.decide import verify
from fedtheory.units import CURVATURE
from problems import Axes, Points, Run, Scalars, Sequences, SmoothConvex, at_least, between, condition, positive
from proofs_checks import claims

ROWS = {row.name: row.build for row in LIES}
SHRINKS = condition("D_{t+1} <= r D_t", lambda x, t: le(x.D[t + 1], x.r * x.D[t]))
SHRINKING = Sequences("T", sequences={"D": at_least(0)}, r=between(0, 1), every=(SHRINKS,))
NOWHERE = condition("|grad f(w_t)|^2 + L^2 <= 0", lambda x, t: le(x.g[t] + x.L**2, 0))

DESCENT = Run(
    SmoothConvex("L"), optimum_of="f", L=positive(CURVATURE), sizes={"m": (1,)},
    step={"w": lambda x: x.w - x.mean_vec(x.f.grad(x.w)) / x.L},
    quantities={"D": lambda x: x.sq(x.w - x.w_star), "gap": lambda x: x.mean(x.f.value(x.w) - x.f.value(x.w_star))},
)  # fmt: skip


def verdict(v):
    return v.verdict


def said(engine, figure=None):
    """What is in a report beside the verdict: the outcome of an engine, or a figure of it."""
    return lambda v: next((e.numbers[figure] if figure else e.outcome for e in v.evidence if e.engine == engine), None)


class Niche(NamedTuple):
    """A claim, what is looked at in its verdict, and that with and without the stage; `among` these stages, if not all."""

    claim: Callable[[], Any]
    right: Any
    wrong: Any
    look: Callable[[Any], Any] = verdict
    budget: str = "quick"
    among: tuple[str, ...] = ()


def made(body, world):
    return lambda: claim("draft/niche", world=world)(body)


def assumes():
    """The distance falls to a quarter in a step, which is false of gradient descent."""
    return composed.made(lambda x: le(x.D[x.T], x.D[0]), composed.GD, "draft/rests", by=(composed.FASTER,))


def never():
    """A limit of a run whose conditions no run meets."""
    return stated("never", replace(SMOOTH, every=(NOWHERE,)), gradients)(lambda x: summable(x.g, 2 * x.e[0] / x.eta))


NICHES = {
    "units": Niche(made(lambda x: le(x.L, x.L + 1), Scalars(L=positive(CURVATURE))), "declines", None, said("units")),
    "assumed": Niche(assumes, "unknown", "proved"),
    "theorem": Niche(lambda: pl, "proved", "certified"),
    "induction": Niche(made(lambda x: le(x.D[x.T], x.r**x.T * x.D[0]), SHRINKING), "proved", "certified"),
    "scalars": Niche(ROWS["scalars/empty-order"], "vacuous", "unknown"),
    "symbolic": Niche(ROWS["scalars/needs-three"], "proved", "supported"),
    "inner_products": Niche(
        made(lambda x: le(x.norm(x.u + x.v), x.norm(x.u) + x.norm(x.v)), Points(None, at=("u", "v"))), "proved", "supported"
    ),
    "coordinates": Niche(
        made(lambda x: le(2 * x.norm(x.u * x.v, 1), x.sq(x.u) + x.sq(x.v)), Axes(at=("u", "v"))), "proved", "supported"
    ),
    "search": Niche(ROWS["search/far-square"], "refuted", "unknown"),
    "coefficients": Niche(ROWS["irrational/among-vectors"], "refuted", "certified"),
    "listed": Niche(ROWS["lucky/largest-parameter"], "certified", "supported", among=("search", "listed", "power")),
    "smaller_budget": Niche(
        lambda: claims()["pfedme/lemma1b~repaired"], "certified", "unknown", budget="standard", among=("listed", "smaller_budget")
    ),
    "worst_case": Niche(
        lambda: worst.made("least gradient", worst.CLAIMS["least gradient"][3]), "refuted", "supported",
        among=("search", "worst_case", "power"),
    ),
    "relatives": Niche(ROWS["search/log-of-huge"], "refuted", "supported"),
    "magnitudes": Niche(
        made(lambda x: le(x.m * x.a, 50 * x.a), Scalars(a=positive(), sizes={"m": (1, 2)})), "unknown", "certified"
    ),
    "parameters": Niche(ROWS["irrational/among-vectors-strict"], "unknown", "supported"),
    "descent": Niche(ROWS["irrational/logarithm-meets"], "unknown", "supported"),
    "lengths": Niche(made(lambda x: le((4 * x.T + 2) * x.gap[x.T], x.L * x.D[0]), DESCENT), "certified", "supported"),
    "feasible": Niche(ROWS["scalars/needs-ten"], "unknown", "proved"),
    "tightness": Niche(made(lambda x: le(x.a, 3 * (x.a + 1)), Scalars(a=positive())), "1/3", None, said("tight", "at most")),
    "best_constant": Niche(
        made(lambda x: le(x.sq(x.mean_vec(x.u)), 10 * x.mean(x.sq(x.u))), Points(None, at=(), clients_at=("u",))),
        "1/10", None, said("best", "constant"), "standard",
    ),
    "power": Niche(ROWS["irrational/exponential-true"], "supported", "unknown"),
    "limits": Niche(lambda: sums, "proved", "unknown"),
    "at_rest": Niche(lambda: claims()["flame/rem-thm2-rate-p"], "refuted", "unknown"),
    "met": Niche(never, "unknown", "proved"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def order_anew(monkeypatch):
    """The order of another test is none of ours."""
    yield
    monkeypatch.undo()
    order.with_installed.cache_clear()


def test_every_stage_has_one():
    assert set(NICHES) == {stage.name for stage in (*order.ORDER, *order.OF_LIMITS)}
    assert all(niche.right != niche.wrong for niche in NICHES.values())


@pytest.mark.parametrize("without", [False, True], ids=["with", "without"])
@pytest.mark.parametrize("stage", NICHES)
def test_who_is_left_out_is_missed(stage, without, monkeypatch):
    niche = NICHES[stage]
    for name in ("ORDER", "OF_LIMITS"):
        kept = (s for s in getattr(order, name) if not niche.among or s.name in niche.among)
        monkeypatch.setattr(order, name, tuple(s for s in kept if not (without and s.name == stage)))
    v = verify(niche.claim(), budget=niche.budget)
    assert not v.crashed and niche.look(v) == (niche.wrong if without else niche.right), v.reason
