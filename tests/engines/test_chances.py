"""Outcomes with chances: what is true is proved, what is false by a hundredth is not, and no lie about a chance is accepted."""

import copy

import pytest

from fedtheory import claim, eq, le, verify
from fedtheory.errors import UsageError
from fedtheory.fedtheory_check import accepted
from problems import Run, SmoothStronglyConvex, between, condition, positive

COIN = {"p": between(0, 1, closed=False)}
TWO = {"p": positive(), "q": positive()}


def coin(x):
    return x.p, 1 - x.p


# (chances, what a vector is multiplied by, the mean of the squares, scalars)
SCALED = {
    "kept": (coin, (1, 0), lambda x: x.p, COIN),
    "lost": (coin, (0, 1), lambda x: 1 - x.p, COIN),
    "doubled": (coin, (2, 1), lambda x: 1 + 3 * x.p, COIN),
    "turned": (coin, (1, -1), lambda x: x.p / x.p, COIN),
    "squared chance": (lambda x: (x.p**2, 1 - x.p**2), (0, 1), lambda x: 1 - x.p**2, COIN),
    "three": (lambda x: (x.p / 2, x.p / 2, 1 - x.p), (1, -1, 0), lambda x: x.p, COIN),
    "numbers": (lambda x: (x.ratio(1, 3), x.ratio(2, 3)), (0, 3), lambda x: 6 * x.p / x.p, COIN),
    "quotients": (lambda x: (x.p / (1 + x.p), 1 / (1 + x.p)), (0, 1), lambda x: 1 / (1 + x.p), {"p": positive()}),
    "two scalars": (lambda x: (x.p, x.q, 1 - x.p - x.q), (1, 0, 2), lambda x: 4 - 3 * x.p - 4 * x.q, TWO),
    "one is certain": (lambda x: (1 - x.p + x.p, x.p - x.p), (3, 5), lambda x: 9 * x.p / x.p, COIN),
}
LENGTHS = (1, 2, 3)


def scaled(name):
    """A vector that is multiplied by one of several numbers, and the mean of its square."""
    chances, by, factor, scalars = SCALED[name]
    run = Run(
        None, at=("w",), lengths=LENGTHS, outcomes=by, chances=chances, step={"w": lambda x, draw: draw * x.w},
        quantities={"D": lambda x: x.sq(x.w)}, **scalars,
    )  # fmt: skip
    return run, factor


def clients(step, quantity):
    return Run(
        None,
        at=(),
        clients_at=("v",),
        outcomes=(1, 0),
        chances=coin,
        step={"v": step},
        quantities={"D": quantity},
        **COIN,
    )


def spread(x):
    return x.mean(x.sq(x.v - x.mean_vec(x.v)))


OF_CLIENTS = {
    "averaged": (clients(lambda x, talks: x.mean_vec(x.v) if talks else x.v, spread), lambda x: 1 - x.p),
    "half averaged": (
        clients(lambda x, talks: (x.v + x.mean_vec(x.v)) / 2 if talks else x.v, spread),
        lambda x: 1 - 3 * x.p / 4,
    ),
    "all kept or all lost": (
        clients(lambda x, talks: talks * x.v, lambda x: x.mean(x.sq(x.v))),
        lambda x: x.p,
    ),
    "the mean stays": (
        clients(lambda x, talks: x.mean_vec(x.v) if talks else x.v, lambda x: x.sq(x.mean_vec(x.v))),
        lambda x: x.p / x.p,
    ),
    "a larger coin": (clients(lambda x, talks: x.v if talks else 2 * x.v, spread), lambda x: 4 - 3 * x.p),
}
ALL = {**{name: scaled(name) for name in SCALED}, **OF_CLIENTS}


def statements(name):
    """(true, false) of one step, and of every length."""
    run, factor = ALL[name]
    near = lambda x: x.ratio(99, 100)  # noqa: E731
    step = claim("planted/step", world=run.one_step)(lambda x: eq(x.next.D, factor(x) * x.D))
    less = claim("planted/less", world=run.one_step)(lambda x: le(x.next.D, near(x) * factor(x) * x.D))
    every = claim("planted/every", world=run, by=(step,))(lambda x: eq(x.D[x.T], factor(x) ** x.T * x.D[0]))
    lower = claim("planted/lower", world=run, by=(step,))(lambda x: le(x.D[x.T], (near(x) * factor(x)) ** x.T * x.D[0]))
    return [(step, less), (every, lower)]


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("name", ALL)
def test_no_verdict_is_wrong(name):
    """Of one step and of every length; in all sixty statements, half of them false."""
    for true, false in statements(name):
        said = verify(true)
        assert said.verdict == "proved", (true.id, said.verdict, said.reason)
        said = verify(false)
        assert said.verdict == "refuted", (false.id, said.verdict, said.reason)


BAD = {
    "whose sum is 1": lambda x: (x.p, x.p),
    "one chance for each": lambda x: (x.p, 1 - x.p, x.p - x.p),
    "rational functions": lambda x: (x.sqrt(x.p), 1 - x.sqrt(x.p)),
    "no name 'w'": lambda x: (x.sq(x.w), 1 - x.sq(x.w)),
    "no name 'T'": lambda x: (1 / x.T, 1 - 1 / x.T),
}


@pytest.mark.parametrize("why", BAD)
def test_what_are_no_chances_is_refused(why):
    with pytest.raises(UsageError, match=why):
        Run(None, at=("w",), outcomes=(1, 0), chances=BAD[why], step={"w": lambda x, d: d * x.w},
            quantities={"D": lambda x: x.sq(x.w)}, **COIN)  # fmt: skip


def test_no_chance_is_negative():
    """It is a condition: with p in (0, 2) and a chance of 1 - p nothing is said of p > 1."""
    run = Run(None, at=("w",), outcomes=(0, 1), chances=lambda x: (1 - x.p, x.p), p=between(0, 2, closed=False),
              step={"w": lambda x, d: d * x.w}, quantities={"D": lambda x: x.sq(x.w)})  # fmt: skip
    assert verify(claim("planted/least", world=run.one_step)(lambda x: le(x.next.D, x.D))).verdict == "proved"
    assert "no chance is negative" in [c.printed for c in run.given]


# lies about chances in a certificate that is accepted

PROX = Run(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", mu=positive(), L=positive(), eta=positive(), **COIN,
    given=(condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1)),), outcomes=(1, 0), chances=coin,
    step={"w": lambda x, moves: x.w - moves * x.eta * x.mean_vec(x.f.grad(x.w))}, quantities={"D": lambda x: x.sq(x.w - x.w_star)},
)  # fmt: skip
LESS = claim("planted/less-away", world=PROX.one_step)(lambda x: le(x.next.D, (1 - x.p * x.eta * x.mu) * x.D))
EVERY = claim("planted/away", world=PROX, by=(LESS,))(lambda x: le(x.D[x.T], (1 - x.p * x.eta * x.mu) ** x.T * x.D[0]))
LIES = {
    "exchanged": ["-p + 1", "p"],
    "a larger one": ["1", "p"],
    "the sum is two": ["p + 1", "-p + 1"],
    "maybe negative": ["2*p", "-2*p + 1"],
    "of another scalar": ["eta", "-eta + 1"],
    "of the quantity": ["D[t:any]", "-D[t:any] + 1"],
    "of the length": ["T", "-T + 1"],
    "certain": ["1", "0"],
    "equally likely": [None, None],
    "one alone": ["p", None],
    "one half": ["1/2", "1/2"],
}


@pytest.fixture(scope="module")
def certificates():
    said = [verify(one) for one in (LESS, EVERY)]
    assert [v.verdict for v in said] == ["proved", "proved"]
    return [v.certificate for v in said]


def told(certificates, where, chances):
    """The certificate of the theorem with other chances, of the step, of the uses of lemmas, or of both."""
    out = copy.deepcopy(certificates[1])
    lists = [state["moves"] for state in out["theorem"]["model"]["states"]] if where != "uses" else []
    uses = [own["draws"] for use in out["theorem"]["uses"] for own in use["states"] if len(own.get("draws", ())) == 2]
    changed = 0
    for draws in lists + (uses if where != "step" else []):
        for draw, chance in zip(draws, chances, strict=True):
            changed += draw.pop("chance") != chance
            draw |= {} if chance is None else {"chance": chance}
    assert changed
    return out


def checked(first, second):
    earlier = {}
    return accepted(first, earlier)[0] and accepted(second, earlier)[0]


def test_the_true_certificate_is_accepted(certificates):
    assert checked(*certificates)
    assert {d["chance"] for s in certificates[1]["theorem"]["model"]["states"] for d in s["moves"]} == {"p", "-p + 1"}


HARMLESS = (
    "certain",
    "equally likely",
    "one half",
)  # of a lemma that says the same after every draw: shares, none negative


@pytest.mark.parametrize("where", ["step", "uses", "both"])
@pytest.mark.parametrize("lie", LIES)
def test_a_lie_about_a_chance_is_rejected(certificates, where, lie):
    if where == "uses" and lie in (*HARMLESS, "exchanged"):
        assert checked(certificates[0], told(certificates, where, LIES[lie]))
        return
    assert not checked(certificates[0], told(certificates, where, LIES[lie]))
