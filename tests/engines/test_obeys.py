"""What points obey at every step of a run: it is used and needed, every instance meets it; what is impossible proves nothing."""

from dataclasses import replace

import pytest

import fedtheory
from fedtheory import claim, le, use
from fedtheory.engines.context import Docket
from fedtheory.engines.lemmas.compose import theorem
from fedtheory.fedtheory_check import accepted
from fedtheory.units import LENGTH
from problems import Points, Run, Smooth, at_least, condition, positive
from problems.worlds.function_world import FunctionWorld

SHORTER = condition("|v|^2 <= |w|^2", lambda x: le(x.sq(x.v), x.sq(x.w)))
FREE = Run(
    None, at=("w", "v"), fresh=("v",), step={"w": lambda x: x.v}, quantities={"D": lambda x: x.sq(x.w)},
    sizes={"m": (1,), "d": (1, 2)},
)  # fmt: skip
HELD = replace(FREE, obeys=(SHORTER,))


def made(body, world, id="draft/x", **options):
    return claim(id, world=world, **options)(body)


OF_TWO = Points(None, at=("w", "v"), sizes={"m": (1,)}, given=(SHORTER,))
STEP = {"lemma": made(lambda x: le(x.sq(x.v), x.sq(x.w)), OF_TWO, "draft/step")}
ALONG = {"lemma": made(lambda x: le(x.D[x.T], x.D[0]), HELD, "draft/along", by=(STEP["lemma"],))}


def falls(x):
    return le(x.D[x.T], x.D[0])


def test_a_lemma_under_what_the_points_obey():
    assert isinstance(HELD.one_step, FunctionWorld) and HELD.one_step.given == (SHORTER,)
    assert fedtheory.verify(made(falls, HELD, by=(STEP["lemma"],))).verdict == "proved"


@pytest.mark.parametrize("by", [STEP["lemma"], ALONG["lemma"]], ids=["of a step", "along a run"])
def test_it_is_of_no_use_to_points_that_do_not(by):
    v = fedtheory.verify(made(falls, FREE, by=(by,)))
    assert v.verdict == "refuted"
    assert not any(e.engine in ("theorem", "induction") and e.outcome == "proves" for e in v.evidence)


def test_every_instance_meets_it():
    """What is true of all that obey it is not refuted, what is not is."""
    assert fedtheory.verify(made(lambda x: le(x.D[1], x.D[0]), HELD)).verdict != "refuted"
    assert fedtheory.verify(made(lambda x: le(2 * x.D[x.T], x.D[0]), HELD)).verdict == "refuted"


def test_what_is_impossible_proves_nothing():
    never = condition("|v|^2 <= -lam^2", lambda x: le(x.sq(x.v) + x.lam**2, 0))
    world = replace(FREE, obeys=(never,), scalars={**FREE.scalars, "lam": positive(LENGTH)})
    alone = replace(OF_TWO, given=(never,), scalars=world.scalars)
    lemma = made(lambda x: le(x.lam**2, 0), alone, "draft/never")
    assert fedtheory.verify(made(lambda x: le(x.lam**2, 0), world, by=(lemma,))).verdict not in ("proved", "certified")


def test_it_is_stated_among_the_assumptions():
    assert "|v|^2 <= |w|^2, for every t < T" in HELD.assumptions()


# clients that have scalars of their own, some of them selected


def beside(scalar):
    return scalar[..., None] if getattr(scalar, "ndim", 0) else scalar


OWN = {"a": at_least(0, per_client=True), "r": positive(per_client=True)}
LESS = condition("a |v|^2 <= a |u|^2", lambda x: le(x.a * x.sq(x.v), x.a * x.sq(x.u)))
SOME = Run(
    Smooth("r"), at=("w",), clients_at=("u", "v"), fresh=("v",), selection="chosen", obeys=(LESS,),
    step={"u": lambda x: x.where(x.chosen, x.v, x.u)}, sizes={"m": (1, 2, 3), "d": (1, 2)},
    quantities={"A": lambda x: x.total(x.a * x.sq(x.u)), "U": lambda x: x.total(x.sq(x.u))}, **OWN,
)  # fmt: skip
OF_ONE = Points(None, at=(), clients_at=("u", "v"), sizes={"m": (1,)}, a=at_least(0), given=(LESS,))
ONE = {"lemma": made(lambda x: le(x.a * x.sq(x.v), x.a * x.sq(x.u)), OF_ONE, "draft/one")}


def test_any_selection_of_clients_with_scalars_of_their_own():
    kept = replace(
        SOME, quantities={**SOME.quantities, "S": lambda x: x.total(x.a * (x.sq(x.v) - x.sq(x.u)), over=x.chosen)}
    )
    v = fedtheory.verify(made(lambda x, t: le(x.A[t + 1], x.A[t]), kept, by=(ONE["lemma"],)))
    assert v.verdict == "proved"


def test_what_is_true_with_a_factor_of_each_client_is_not_without():
    v = fedtheory.verify(made(lambda x, t: le(x.U[t + 1], x.U[t]), SOME, by=(use(ONE["lemma"]),)))
    assert v.verdict in ("refuted", "unknown")


def test_the_checker_says_it_of_no_last_state():
    kept = replace(
        FREE, at=("w",), fresh=(), step={"w": lambda x: 2 * x.w}, scalars={**FREE.scalars, "c": positive(LENGTH)},
        obeys=(condition("|w|^2 <= c^2", lambda x: le(x.sq(x.w), x.c**2)),),
    )  # fmt: skip
    within = made(lambda x: le(x.D, x.c**2), kept.one_step, "draft/within")
    parts = fedtheory.verify(within).certificate
    along = theorem(made(lambda x, t: le(x.D[t], x.c**2), kept, by=(within,)), Docket()).theorem
    at_the_end = {
        "where": "every T", "context": "direct", "names": ["c", "D[T]"], "facts": [{"says": "c^2 - D[T] >= 0", "from": "it"}],
        "relations": [{"lhs": {"": "D[T]"}, "op": "<=", "rhs": {"": "c^2"}, "pieces": [{"times": ["1", {"0": 1}]}]}],
    }  # fmt: skip
    entry = {"id": "draft/x", "verdict": "proved", "scope": "all", "parts": [at_the_end]}
    along |= {"by": ["direct"], "statement": [[">=", "-D[T] + c^2"]]}

    def said(states):
        model = {**along["model"], "states": states}
        earlier: dict = {}
        assert accepted(parts, earlier)[0]
        return accepted({**entry, "theorem": {**along, "model": model}}, earlier)

    states = along["model"]["states"]
    always = [{**state, "obeyed": []} for state in states]
    assert said(always)[0]  # of what holds in every state
    assert said(states) == (False, "c^2 - D[T] >= 0 is not known there")
    assert all(state["obeyed"] for state in states)
