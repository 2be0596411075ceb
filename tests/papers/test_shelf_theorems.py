"""The theorems of the shelf: each stands on its lemmas, for every length, and a false one near it is not proved from them."""

from dataclasses import replace

import pytest

from fedtheory import le, verify
from fedtheory._arrays import backend
from fedtheory.engines.budget import budget_named
from fedtheory.engines.context import Docket
from fedtheory.referee.decide import proof
from fedtheory.registry import claims, paper

SHELF = claims("shelf")


def gained(x, share, by):
    """Steps times what they gain: a share of the step, a quantity."""
    return share * x.sum(lambda t: getattr(x, by)[t], x.T)


FALSE = {  # without what clients that differ cost, without where it begins, or with too large a gain
    "fedavg": lambda x: le(x.e[x.T] + gained(x, x.eta * x.K / 3, "g"), x.e[0]),
    "scaffold": lambda x: le(x.e[x.T] + gained(x, x.eta * x.K / 4, "g"), x.e[0]),
    "fedprox": lambda x: le(x.D[x.T] + 4 / x.lam * x.T * x.e[x.T], x.D[0]),
    "fedprox-strong": lambda x: le(x.D[x.T], ((x.lam / (x.lam + 2 * x.mu)) ** 2) ** x.T * x.D[0]),
    "feddyn": lambda x: le(x.D[x.T] + gained(x, x.ratio(11, 10), "r"), x.D[0]),
    "fedsgd": lambda x: le(x.D[x.T], (1 - x.eta * x.mu) ** x.T * x.D[0]),
    "ef21-rounds": lambda x: le(x.e[x.T] + gained(x, x.eta / 2, "g"), x.e[0]),
    "feedback-rounds": lambda x: le(x.e[x.T] + gained(x, x.eta / 4, "g"), x.e[0]),
    "dsgd": lambda x: le(x.e[x.T] + gained(x, x.eta / 2, "g"), x.e[0]),
    "gradient-tracking": lambda x: le(x.e[x.T] + gained(x, x.eta / 2, "g"), x.e[0]),
    "proxskip": lambda x: le(
        x.D[x.T] + x.eta**2 / x.p**2 * x.H[x.T], ((1 - x.zeta) ** 2) ** x.T * (x.D[0] + x.eta**2 / x.p**2 * x.H[0])
    ),
    "diana": lambda x: le(x.D[x.T], (1 - x.zeta) ** x.T * x.D[0]),
    "marina": lambda x: le(x.e[x.T] + gained(x, x.eta / 2, "s"), x.e[0]),
    "fednova": lambda x: le(x.e[x.T] + gained(x, x.eta * x.tau / 3, "g"), x.e[0]),
    "perfedavg": lambda x: le(x.e[x.T] + gained(x, x.eta * x.K / 3, "g"), x.e[0]),
    "local-sgd": lambda x: le(
        x.D[x.T], (1 - x.eta * x.mu) ** x.T * x.D[0] + 2 * x.B * x.eta**2 * x.sigma**2 * x.L / x.mu
    ),
}


def proved(claim):
    """What the engines that prove say, without a search."""
    return proof(claim, Docket(budget_named("quick"), 0, backend("numpy")))


def test_each_rate_is_a_theorem_for_every_length(verdicts):
    rates = {id for id, row in paper("shelf").inventory().items() if row["kind"] == "rate"}
    assert rates >= {f"shelf/{name}" for name in FALSE}
    for id in rates:
        assert SHELF[id].world.index and (verdicts[id].verdict, verdicts[id].scope) == ("proved", "all"), id


def test_each_theorem_stands_on_lemmas_of_the_shelf():
    for name in FALSE:
        below, left = set(), [SHELF[f"shelf/{name}"]]
        while left:
            new = {one.id: one for one in left.pop().lemmas}
            below |= set(new)
            left += new.values()
        assert below and below <= set(SHELF), name


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("name", FALSE)
def test_a_false_theorem_is_not_proved(name):
    """From the same lemmas, from which the true one is."""
    claim = SHELF[f"shelf/{name}"]
    assert proved(claim).verdict == "proved"
    assert proved(replace(claim, body=FALSE[name], id="draft/false", expect=None)).verdict != "proved"


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("name", FALSE)
def test_a_theorem_is_not_proved_without_its_lemmas(name):
    claim = SHELF[f"shelf/{name}"]
    assert proved(replace(claim, by=(), id="draft/alone", expect=None)).verdict != "proved"


def test_half_of_the_noise_is_refuted():
    """Of two clients with errors of opposite sign at one point the models are eta sigma from their mean after one step."""

    def half(x):
        return le(x.V[x.n_steps], x.V[0] + x.n_steps * x.eta**2 * x.sigma**2 / 2)

    assert verify(replace(SHELF["shelf/identical-drift"], body=half, by=())).verdict == "refuted"


def test_a_search_that_met_the_conditions_with_one_client_alone_has_no_power():
    """FedNova with one round less of what clients that differ cost, which one client that does not differ cannot show."""
    claim = SHELF["shelf/fednova"]

    def less(x):
        cost = 2 * x.eta**3 * x.tau**3 * x.L**2 / 3 * x.zeta**2 * (x.T - 1)
        return le(x.e[x.T] + gained(x, x.eta * x.tau / 3, "g"), x.e[0] + cost)

    false = verify(replace(claim, id="draft/less", body=less, by=(), control=None))
    assert (false.verdict, "no instance of several clients met" in false.reason) in [
        ("unknown", True),
        ("refuted", False),
    ]
