"""A run within every step: what a theorem says of its end, the false relatives of this, and the checker on edited certificates."""

import copy
from functools import cache
from typing import Any

import mean_runs as own
import pytest
from certified import file_of as certified

from fedtheory import claim, eq, fedtheory_check, le, use, verify
from fedtheory.engines.context import Docket
from fedtheory.engines.lemmas.compose import theorem
from fedtheory.referee.composition import _with_its_lemmas
from fedtheory.referee.decide import proof
from problems import Convex, Run, Smooth, last
from proofs_checks.shelf.theorems.local_steps import ETA, HALF, STEPS, L, local_drift_of_K

pytestmark = pytest.mark.xdist_group("ends")  # so that what it stands on is decided once


def none(x):
    """0."""
    return x.w - x.w


def along(x):
    """K equal local steps and what they differ by, y."""
    return x.y + x.eta * x.K * x.f.grad(x.w)


def rounds(f: Any = None, **more: Any) -> Any:
    """Rounds of K local steps of every client, which average what these come to."""
    return Run(
        f or Smooth("L"), at=("w",), clients_at=("y",), L=L, eta=ETA, sizes={"K": (1, 2), "m": (2, 3)}, given=(HALF,),
        within={"y": last(STEPS, "y", h=none)}, step={"w": lambda x: x.w - x.mean_vec(along(x))},
        quantities={
            "G": lambda x: x.mean(x.sq(x.f.grad(x.w))), "Y": lambda x: x.mean(x.sq(x.y)),
            "D": lambda x: x.sq(x.w), "moved": lambda x: x.sq(x.mean_vec(along(x))),
        }, **more,
    )  # fmt: skip


def drift(x, t, share=1):
    """The mean over the clients of |y|^2, at most a share of 4/3 eta^4 L^2 K^4 mean |grad f_i|^2."""
    return le(x.Y[t], share * 4 * x.eta**4 * x.L**2 * x.K**4 * x.G[t] / 3)


USED = use(local_drift_of_K, h=none)
DRIFT = claim("ends/drift", world=rounds(), by=(USED,))(drift)
AGAIN = claim("ends/again", world=rounds(), by=(DRIFT,))(lambda x, t: drift(x, t, 2))


DECIDED: dict[str, Any] = {}  # in this process


@cache
def file_of(name: str) -> list[dict[str, Any]]:
    """The certificates of a claim and its lemmas, found once."""
    return certified({"drift": DRIFT, "again": AGAIN}[name], DECIDED)


def test_what_is_said_of_the_end_is_said_of_the_mean_over_the_clients():
    assert own.accepts(file_of("drift")) and own.accepts(file_of("again"))


FALSE = {
    "functions of another class": (rounds(Smooth("M"), M=L), USED, 1),
    "functions that are convex, and not smooth": (rounds(Convex()), USED, 1),
    "another step of the run within": (rounds(), use(local_drift_of_K, h=none, eta=lambda x: x.eta / 2), "1/16"),
    "half of it": (rounds(), USED, "1/2"),
    "another point of the run within": (rounds(), use(local_drift_of_K, h=lambda x: x.w), 1),
    "another end": (rounds(), use(local_drift_of_K, h=none, y=lambda x: 2 * x.y), 1),
    "a point of it that is none here": (rounds(), use(local_drift_of_K, h=none, s=lambda x: x.w), 1),
    "another length of it": (rounds(), use(local_drift_of_K, h=none, K=lambda x: 2 * x.K), 1),
    "one step of it": (rounds(), use(local_drift_of_K, h=none, K=lambda x: 1), 1),
    "any length of it": (rounds(), use(local_drift_of_K, h=none, K=lambda x, t: t), 1),
}


@pytest.mark.lies
@pytest.mark.in_turn(3)
@pytest.mark.parametrize("what", FALSE)
def test_a_false_relative_is_not_proved(what):
    world, used, share = FALSE[what]
    by = (used,)
    false = claim("ends/false", world=world, by=by)(lambda x, t: drift(x, t, x.ratio(*ratio(share))))
    v = proof(false, Docket())  # by what proves alone, whatever a search finds
    assert v.verdict == "unknown" and not v.crashed, v.reason


def test_its_own_length_is_no_other_one():
    by = (use(local_drift_of_K, h=none, K=lambda x: x.K),)
    same = claim("ends/same-length", world=rounds(), by=by)(drift)
    assert _with_its_lemmas(same, {}, DECIDED).verdict == "proved"


def ratio(share: Any) -> tuple[int, ...]:
    top, _, below = str(share).partition("/")
    return int(top), int(below or 1)


def the_use(theorem: dict[str, Any]) -> dict[str, Any]:
    (found,) = (one for one in theorem["uses"] if one.get("of") == "within")
    assert isinstance(found, dict)
    return found


def the_run(theorem: dict[str, Any]) -> dict[str, Any]:
    run: dict[str, Any] = theorem["model"]["within"]["y"]
    return run


def at_the_end(theorem: dict[str, Any]) -> dict[str, Any]:
    end: dict[str, Any] = theorem["model"]["states"][0]["within"]["y"]
    return end


def says(value: str) -> Any:
    return lambda theorem: the_use(theorem).update(values=[[">=", value]])


def stands(**at: str) -> Any:
    return lambda theorem: the_use(theorem)["at"].update(at)


def moves(**to: Any) -> Any:
    return lambda theorem: the_run(theorem)["states"][0]["moves"][0]["leaves"].update(to)


def drops(what: str) -> Any:
    return lambda theorem: the_run(theorem)["states"][0].update({what: {}})


EDITS = {
    "it says less": (says("G[t:any]*K^4*L^2*eta^4 - Y[t:any]"), "says something else"),
    "of half of it": (stands(**{"b[K]": "1/2*Y[t:any]"}), "is something else at the end"),
    "of another number of it": (stands(g="1/2*G[t:any]"), "is something else at the end"),
    "of the state before the end": (stands(**{"b[0]": "Y[t:any]"}), "it is not about the end"),
    "of a shorter step": (stands(eta="1/2*eta"), "a number of the run is another one"),
    "of another length": (lambda t: the_run(t).update(index="L"), "it is of another length"),
    "of no run within a step": (lambda t: t["model"].pop("within"), "no run within a step"),
    "of a run that moves otherwise": (moves(**{"2": {"2": "1"}}), "is something else after the step"),
    "of a run that moves from where it is not": (
        lambda t: at_the_end(t)["leaves"].update({"1": {"0": "1"}}),
        "something stands for what moves",
    ),
    "of a run that begins elsewhere": (
        lambda t: the_run(t)["states"][0]["starts"]["leaves"].update({"2": {"3": "1"}}),
        "begins elsewhere",
    ),
    "of a run of which nothing is known": (drops("rows"), "which is not known of the run within a step"),
    "where another vector ends": (
        lambda t: at_the_end(t)["leaves"].update({"2": {"2": "2"}}),
        "is something else at the end",
    ),
    "of names that stand for others": (lambda t: t["names"].update(eta="L"), ""),
}


@pytest.mark.parametrize("what", EDITS)
def test_an_edited_certificate_is_rejected(what):
    """Each of these would prove something that is false of some rounds."""
    edit, why = EDITS[what]
    earlier: dict[str, Any] = {}
    *lemmas, last_one = own.edited(file_of("drift"), edit)
    assert all(fedtheory_check.accepted(one, earlier)[0] for one in lemmas)
    good, said = fedtheory_check.accepted(last_one, earlier)
    assert not good and why in said, said


def test_a_theorem_that_rests_on_an_end_is_used_of_the_same_end_alone():
    """The quantities are the same in both; without what ends there the theorem says nothing of them."""
    claims = file_of("again")

    def elsewhere(theorem: dict[str, Any]) -> None:
        del theorem["model"]["within"]
        del theorem["model"]["states"][0]["within"]

    def another(theorem: dict[str, Any]) -> None:
        the_run(theorem)["states"][0]["rows"] = {}

    for edit in (elsewhere, another):
        assert not own.accepts(own.edited(claims, edit))


def the_last_use(theorem: dict[str, Any], value: str, **at: str) -> None:
    theorem["uses"][-1].update(at=at, values=[[">=", value]])


def without_rows(claims: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same, of which the two last rest on no inequalities but those of the run within a step."""
    claims = copy.deepcopy(claims)
    for one in claims[-2:]:
        for state in one["theorem"]["model"]["states"]:
            state.update(names=[], rows={})
        for used in one["theorem"]["uses"]:
            for run in used.get("run", ()):
                run["rows"] = {}
    return claims


def of_a_smaller_number(theorem: dict[str, Any]) -> None:
    """L/4 stands for the L of the run within a step."""
    theorem["stated"].append(["given", ">=", "-1/2*K*L*eta + 1", "eta <= 2/(K L)"])
    the_last_use(theorem, "1/12*G[t:any]*K^4*L^2*eta^4 - Y[t:any]", L="1/4*L")


def of_another_name(theorem: dict[str, Any]) -> None:
    """What is called L here is M, and what is called N is the L of the theorem that is used."""
    theorem["names"].update(L="M", N="L")
    theorem["stated"] = [[a, b, value.replace("L", "N"), why] for a, b, value, why in theorem["stated"]]
    the_last_use(theorem, "4/3*G[t:any]*K^4*N^2*eta^4 - Y[t:any]")


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (of_a_smaller_number, "a number of a run within a step is another one"),
        (of_another_name, "a name stands for something else there"),
    ],
)
def test_a_theorem_that_rests_on_an_end_is_used_with_the_numbers_of_its_run(edit, why):
    """No inequality of the state reads them, so that they are those of the run within a step alone."""
    claims = without_rows(file_of("again"))
    assert own.accepts(claims)
    earlier: dict[str, Any] = {}
    *lemmas, last_one = own.edited(claims, edit)
    assert all(fedtheory_check.accepted(one, earlier)[0] for one in lemmas)
    good, said = fedtheory_check.accepted(last_one, earlier)
    assert not good and why in said, said


def test_a_run_within_a_step_that_averages_is_none_of_one_client():
    alone = Run(
        None, at=(), clients_at=("y",), index="K", sizes={"m": (1,)}, step={"y": lambda x: x.y - x.mean_vec(x.y)},
        quantities={"Q": lambda x: x.sq(x.y)},
    )  # fmt: skip
    gone = claim("ends/gone", world=alone)(lambda x: eq(x.Q[x.K], 0))
    assert verify(gone).verdict == "proved"
    kept = Run(
        None, at=(), clients_at=("v", "z"), within={"z": last(alone, "y", y=lambda x: x.v)}, step={"v": lambda x: x.z},
        sizes={"K": (1, 2), "m": (2, 3)}, quantities={"Z": lambda x: x.mean(x.sq(x.z))},
    )  # fmt: skip
    said = theorem(claim("ends/kept", world=kept, by=(gone,))(lambda x, t: eq(x.Z[t], 0)), Docket())
    assert (said.outcome, "a step or a start of it says another thing" in said.reason) == ("declines", True)
