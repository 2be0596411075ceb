"""Certificates along runs with draws, runs within a step and gossip: what is derived, and what is false by a hundredth."""

import pytest

from fedtheory import UsageError, claim, eq, le, verify
from fedtheory.engines.budget import BUDGETS
from fedtheory.engines.context import Docket
from fedtheory.engines.prove.lengths import lengths
from fedtheory.engines.prove.listed import at_each_size
from fedtheory.referee.decide import proof
from fedtheory.units import LENGTH
from problems import Directed, Run, between, condition, last, positive

ONE = {"m": (1,)}
FALSE, TRUE = {"refuted", "unknown"}, {"proved", "certified"}
OPEN = between(0, 1, closed=False)
MEAN = {"at": ("w", "bar"), "means": {"bar": ("w", lambda x, t: 1)}}
SHORT = condition("|e| <= eps", lambda x: le(x.sq(x.e), x.eps**2))


def cent(x, n):
    return x.ratio(n, 100)


def apart(x, v):
    return x.mean(x.sq(v - x.mean_vec(v)))


# draws: means along them, and what is new after them

DRAWN = {
    "clients_at": ("v",), **MEAN, "quantities": {
        "A": lambda x: x.sq(x.w), "i": lambda x: x.dot(x.w, x.mean_vec(x.v)), "M": lambda x: x.sq(x.mean_vec(x.v)),
        "V": lambda x: apart(x, x.v), "B": lambda x: x.sq(x.bar), "j": lambda x: x.dot(x.bar, x.mean_vec(x.v)),
    },
}  # fmt: skip
AGAIN = Run(
    None, **DRAWN, sizes={"m": (2,), "S": (2,)}, participation="replacement",
    step={"w": lambda x, draw: x.w + x.total_vec(x.v, over=draw) / x.S},
)  # fmt: skip
EACH = Run(
    None, **DRAWN, sizes={"m": (1, 2)}, participation="independent", p=OPEN,
    step={"w": lambda x, draw: x.w + x.total_vec(x.v, over=draw) / x.m},
)  # fmt: skip
SIGNED = {"outcomes": (1, -1), "fresh": ("e",), "sizes": ONE}
ERRORS = Run(
    None, at=("w", "e"), **SIGNED, eps=positive(LENGTH), obeys=(SHORT,), step={"w": lambda x, sign: x.w + sign * x.e},
    quantities={"A": lambda x: x.sq(x.w)},
)  # fmt: skip
FOLLOWS = Run(
    None, at=("w", "u", "n", "e"), **SIGNED, obeys=(condition("|e| <= |n|", lambda x: le(x.sq(x.e), x.sq(x.n))),),
    start={"w": lambda x: 0 * x.n, "u": lambda x: 0 * x.n}, step={"w": lambda x, sign: x.w + sign * x.n, "u": lambda x: x.u + x.e},
    quantities={"P": lambda x: x.dot(x.u, x.w), "n2": lambda x: x.sq(x.n)},
)  # fmt: skip

# runs within a step

HALVED = Run(
    None, at=("w", "v"), sizes=ONE, step={"v": lambda x: x.v / 2}, start={"v": lambda x: x.w},
    quantities={"q": lambda x: x.sq(x.v)}, index="K",
)  # fmt: skip
LOCAL = {"within": {"v": last(HALVED, "v")}, "sizes": {**ONE, "K": (1, 2)}}
ROUNDS = Run(None, at=("w", "v"), **LOCAL, step={"w": lambda x: x.v}, quantities={"A": lambda x: x.sq(x.w)})
NOISY = Run(
    None, at=("w", "v", "n"), **LOCAL, outcomes=(1, -1), step={"w": lambda x, sign: x.v + sign * x.n},
    quantities={"A": lambda x: x.sq(x.w), "n2": lambda x: x.sq(x.n)},
)  # fmt: skip

# gossip

PAIR = {
    "at": (), "clients_at": ("a", "b", "v", "u"), "sizes": {"m": (1, 2, 3)}, "lam": OPEN,
    "start": {"v": lambda x: x.a, "u": lambda x: x.b}, "step": {"v": lambda x: x.W(x.v), "u": lambda x: x.W(x.u)},
    "quantities": {"P": lambda x: x.mean(x.dot(x.a, x.u)), "Q": lambda x: x.mean(x.dot(x.b, x.v))},
}  # fmt: skip
COIN = Run(
    None, at=(), clients_at=("v",), mixing={"W": "lam"}, lam=OPEN, p=OPEN, outcomes=(0, 1), chances=lambda x: (1 - x.p, x.p),
    sizes={"m": (1, 2)}, step={"v": lambda x, mixes: x.W(x.v) if mixes else x.v}, quantities={"V": lambda x: apart(x, x.v)},
)  # fmt: skip


def of_the_mean(x, n=100):
    spread = cent(x, n) * x.V / x.S * (x.T - 1) * (2 * x.T - 1) / (6 * x.T)
    return eq(x.B, x.A[0] + (x.T - 1) * x.i[0] + (x.T - 1) ** 2 * x.M / 4 + spread)


def in_each_round(x, n=100):
    keep = x.ratio(1, 4) ** x.K
    return eq(x.A[x.T], keep**x.T * x.A[0] + cent(x, n) * x.n2 * x.sum(lambda t: keep**t, x.T))


def mixed(x, n=100):
    return le(x.V[x.T], cent(x, n) * (1 - x.p + x.p * x.lam**2) ** x.T * x.V[0])


def adjoint(x):
    return eq(x.P[x.T], x.Q[x.T])


def follows(x, n=100):
    return le(x.P[x.T], cent(x, n) * (x.T - 1) * x.n2)


PLANTED = {
    "a mean, with replacement": (AGAIN, of_the_mean, AGAIN, lambda x: of_the_mean(x, 133)),
    "a mean, each by itself": (
        EACH, lambda x: eq(2 * x.j, 2 * x.i[0] + x.p * (x.T - 1) * x.M), EACH,
        lambda x: eq(2 * x.j, 2 * x.i[0] + (x.T - 1) * x.M / 2)),
    "new after draws": (
        ERRORS, lambda x: le(x.A[x.T], x.A[0] + x.T * x.eps**2), ERRORS,
        lambda x: le(x.A[x.T], x.A[0] + cent(x, 99) * x.T * x.eps**2)),
    "what follows the draws": (FOLLOWS, follows, FOLLOWS, lambda x: follows(x, 99)),
    "every step of every round": (
        ROUNDS, lambda x: eq(x.ratio(4, 1) ** (x.K * x.T) * x.A[x.T], x.A[0]), ROUNDS, lambda x: eq(4**x.T * x.A[x.T], x.A[0])),
    "draws around local steps": (NOISY, in_each_round, NOISY, lambda x: in_each_round(x, 99)),
    "symmetric alone": (Run(None, mixing={"W": "lam"}, **PAIR), adjoint, Run(None, mixing={"W": Directed("lam")}, **PAIR), adjoint),
    "gossip by a coin": (COIN, mixed, COIN, lambda x: mixed(x, 99)),
}  # fmt: skip


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("name", PLANTED)
def test_what_is_true_is_certified(name):
    """Where no search is as wide as what may be new, the certificate is there by itself."""
    one = claim("planted/draws", world=PLANTED[name][0])(PLANTED[name][1])
    v = verify(one)
    if name == "what follows the draws":
        assert v.verdict != "refuted" and at_each_size(one, Docket()).outcome == "certifies"
    else:
        assert v.verdict in TRUE, (v.verdict, v.reason)


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("name", PLANTED)
def test_what_is_false_is_not(name):
    one = claim("planted/draws", world=PLANTED[name][2])(PLANTED[name][3])
    v = verify(one)
    assert v.verdict in FALSE, (v.verdict, v.reason)
    assert proof(one, Docket()).verdict == "unknown"
    assert at_each_size(one, Docket()).outcome != "certifies"


INNER = {
    "at": ("w", "v"),
    "sizes": ONE,
    "start": {"v": lambda x: x.w},
    "quantities": {"q": lambda x: x.sq(x.v)},
    "index": "K",
}


def test_a_run_within_a_step_has_no_draws():
    drawn = Run(None, **INNER, outcomes=(0, 1), step={"v": lambda x, moves: x.v + x.w if moves else x.v})
    with pytest.raises(UsageError, match="must be without draws"):
        last(drawn, "v")


def test_a_run_within_a_step_has_none_within_its_own():
    """It would take where that one ends from the outermost run, where it is any vector."""
    with pytest.raises(UsageError, match="must be without a run within"):
        last(ROUNDS, "w")


@pytest.mark.parametrize("place", ["obeys", "every"])
def test_what_holds_at_every_step_of_a_run_within_is_no_news(place):
    """A search refutes nothing by a run within a step that does not do what is stated of it."""
    stated = {
        "obeys": (condition("|v| <= r", lambda x: le(x.sq(x.v), x.r**2)),),
        "every": (condition("q_t <= r^2", lambda x, t: le(x.q[t], x.r**2)),),
    }
    inner = Run(None, **INNER, r=positive(LENGTH), step={"v": lambda x: x.v / 2}, **{place: stated[place]})
    outer = Run(
        None, at=("w", "v"), within={"v": last(inner, "v")}, sizes={**ONE, "K": (1, 2)}, r=positive(LENGTH),
        step={"w": lambda x: x.v}, quantities={"A": lambda x: x.sq(x.w)},
    )  # fmt: skip
    assert verify(claim("planted/within", world=outer)(lambda x: le(x.A[0], x.r**2))).verdict != "refuted"
    assert verify(claim("planted/within", world=outer)(lambda x: le(2 * x.A[0], x.r**2))).verdict == "refuted"


def test_no_step_reads_a_mean_over_all_steps():
    for table in (
        {"step": {"w": lambda x: x.w / 2 + x.bar}},
        {"step": {"w": lambda x: x.w}, "start": {"w": lambda x: x.bar}},
    ):
        with pytest.raises(UsageError, match="known after the last"):
            Run(None, **MEAN, sizes=ONE, quantities={"A": lambda x: x.sq(x.w)}, **table)


def test_no_certificate_of_fewer_clients_where_more_have_too_many_histories():
    """What is false at three clients and three steps alone is looked at by no search: there are 216 histories."""
    of = {k: v for k, v in DRAWN["quantities"].items() if k not in "Bj"}
    world = Run(
        None, clients_at=("v",), sizes={"m": (2, 3), "S": (2,)}, participation="replacement", quantities=of,
        step={"w": lambda x, draw: x.w + x.total_vec(x.v, over=draw) / x.S},
    )  # fmt: skip

    def second(x):
        wrong = (x.m - 2) * (x.T - 1) * (x.T - 2) / x.ratio(100, 1)
        return eq(x.A[x.T], x.A[0] + 2 * x.T * x.i[0] + x.T**2 * x.M + x.T * x.V / x.S * (1 + wrong))

    one = claim("planted/beyond", world=world)(second)
    assert lengths(one, Docket(limits=BUDGETS["standard"])).outcome == "declines"
