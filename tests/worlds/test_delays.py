"""No verdict is wrong on statements about delays, half of them false: by a hundredth, one delay more, or another who chooses."""

import pytest

from fedtheory import claim, eq, le, verify
from fedtheory.engines.context import Docket
from fedtheory.engines.prove.listed import certify
from fedtheory.errors import UsageError
from fedtheory.fedtheory_check import accepted
from fedtheory.referee.decide import proof
from fedtheory.units import CURVATURE, STEP
from problems import Points, Run, Smooth, SmoothBoundedBelow, SmoothConvex, at_least, between, condition, last, positive

L, ETA = positive(CURVATURE), positive(STEP)
FALSE = {"refuted", "unknown"}
PROVED, DECIDED = {"proved"}, {"proved", "certified"}


def below(p, q=1):
    return condition(f"{p}/{q} eta L <= 1", lambda x: le(p * x.eta * x.L, q))


def loss(x, w):
    return x.mean(x.f.value(w))


def slope(x, z):
    return x.mean_vec(x.f.grad(z))


def length(x):
    return x.sq(slope(x, x.w))


def over(x, name):
    return x.sum(lambda t: getattr(x, name)[t], x.T)


def old(x):
    return (x.w, x.u, x.v, x.y)[x.age]


def late(x):
    return x.where(x.late, x.u, x.w)


REMEMBER = {"u": lambda x: x.w, "v": lambda x: x.u, "y": lambda x: x.v}
BEGIN = dict.fromkeys(REMEMBER, lambda x: x.w)

# points that move anywhere, of which an old one is read


def moves(ages, weights):
    """Ages up to as many as there are weights are paid for by `D`."""
    pairs = (("w", "u"), ("u", "v"), ("v", "y"))
    return Run(
        None, at=("w", "u", "v", "y", "new"), fresh=("new",), either={"age": ages}, sizes={"m": (1,)}, start=BEGIN,
        step={"w": lambda x: x.new, **REMEMBER},
        quantities={
            "D": lambda x: sum(k * x.sq(getattr(x, a) - getattr(x, b)) for k, (a, b) in zip(weights, pairs, strict=False)),
            "away": lambda x: x.sq(x.w - old(x)), "moved": lambda x: x.sq(x.new - x.w),
        },
    )  # fmt: skip


def paid(tau, share=100):
    return lambda x: le(x.next.D + share * x.away / (100 * tau), x.D + tau * x.moved)


ONE, TWO, THREE = (moves(range_, weights) for range_, weights in (
    ((0, 1), (1,)), ((0, 1, 2), (2, 1)), ((0, 1, 2, 3), (3, 2, 1))))  # fmt: skip
PAID_BY_TWO = claim("planted/paid-by-two", world=TWO.one_step)(paid(2))
TWO_FOR_THREE = moves((0, 1, 2, 3), (2, 1))


def sums(x, s=1):
    return le(s * (x.D[x.T] + over(x, "away") / 2), 2 * over(x, "moved"))


def obeying(ages):
    """What is new is the shorter, the older what is read."""
    near = condition("age |u|^2 <= |w|^2", lambda x: le(x.age * x.sq(x.u), x.sq(x.w)))
    return Run(
        None, at=("w", "u"), fresh=("u",), either={"age": ages}, sizes={"m": (1,)}, obeys=(near,),
        step={"w": lambda x: x.w + x.u}, quantities={"M": lambda x: x.sq(x.w)},
    )  # fmt: skip


def grows(by, share=100):
    return lambda x: le(share * x.M[x.T], 100 * by**x.T * x.M[0])


OBEYING = claim("planted/obeying", world=obeying((1, 2)).one_step)(lambda x: le(x.next.M, 4 * x.M))
OBEYING_AT_TWO = claim("planted/obeying-at-two", world=obeying((2,)).one_step)(lambda x: le(x.next.M, 3 * x.M))
OVER_TWO = claim("planted/over-two", world=TWO, by=(PAID_BY_TWO,))(sums)
MOVES = {
    "one old": (ONE.one_step, paid(1), PROVED, ()),
    "two old": (TWO.one_step, paid(2), PROVED, ()),
    "three old": (THREE.one_step, paid(3), PROVED, ()),
    "one old, by a hundredth": (ONE.one_step, paid(1, 101), FALSE, ()),
    "three old, by a hundredth": (THREE.one_step, paid(3, 101), FALSE, ()),
    "two old are paid as one is": (moves((0, 1, 2), (1,)).one_step, paid(1), FALSE, ()),
    "three old are paid as two are": (TWO_FOR_THREE.one_step, paid(2), FALSE, ()),
    "every T": (TWO, sums, PROVED, (PAID_BY_TWO,)),
    "every T, by a hundredth": (TWO, lambda x: sums(x, x.ratio(101, 100)), FALSE, (PAID_BY_TWO,)),
    "a lemma about fewer ages": (TWO_FOR_THREE, sums, FALSE, (PAID_BY_TWO,)),
    "a theorem about fewer ages": (TWO_FOR_THREE, sums, FALSE, (OVER_TWO,)),
    "obeyed at an age": (obeying((1, 2)), grows(4), PROVED, (OBEYING,)),
    "obeyed at an age, by a hundredth": (obeying((1, 2)), grows(4, 101), FALSE, (OBEYING,)),
    "obeyed at older ages alone": (obeying((1, 2)), grows(3), FALSE, (OBEYING_AT_TWO,)),
    "the same age again": (TWO, lambda x, t: eq(x.away[t + 1], x.away[t]), FALSE, ()),
}  # fmt: skip

# gradient steps, with a delay for all of the clients that anybody chooses


def steps(ages, *given, f="bounded", **more):
    of = {"bounded": SmoothBoundedBelow("L"), "convex": SmoothConvex("L")}[f]
    optimum = {"optimum_of": "f"} if f == "convex" else {}
    kinds = {
        "bounded": {
            "V": lambda x: loss(x, x.w) - x.mean(x.f.infimum()) + x.eta * x.L**2 / 2 * x.sq(x.w - x.u), "g": length,
        },
        "convex": {"D": lambda x: x.sq(x.w - x.w_star)},
    }  # fmt: skip
    return Run(
        of, at=("w", "u", "v", "y"), either={"age": ages}, L=L, eta=ETA, given=given, start=BEGIN,
        step={"w": lambda x: x.w - x.eta * slope(x, old(x)), **REMEMBER}, quantities=kinds[f], **optimum, **more,
    )  # fmt: skip


def falls(x, s=1):
    return le(s * (x.next.V + x.eta / 2 * x.g), x.V)


def no_further(x):
    return le(x.next.D, x.D)


FALLS = claim("planted/falls", world=steps((0, 1), below(2)).one_step)(falls)
STEPS = {
    "a delay up to one": (steps((0, 1), below(2)).one_step, falls, DECIDED, ()),
    "it is one": (steps((1,), below(2)).one_step, falls, DECIDED, ()),
    "there is none": (steps((0,), below(1)).one_step, lambda x: falls(x, 1), FALSE, ()),  # of any u
    "it is up to two": (steps((0, 1, 2), below(2)).one_step, falls, FALSE, ()),
    "longer steps": (steps((0, 1), below(100, 101)).one_step, falls, FALSE, ()),
    "by a hundredth": (steps((0, 1), below(2)).one_step, lambda x: falls(x, x.ratio(101, 100)), FALSE, ()),
    "every T": (steps((0, 1), below(2)), lambda x: le(x.V[x.T] + x.eta / 2 * over(x, "g"), x.V[0]), DECIDED, (FALLS,)),
    "every T, by a hundredth": (
        steps((0, 1), below(2)), lambda x: le(101 * (x.V[x.T] + x.eta / 2 * over(x, "g")), 100 * x.V[0]), FALSE, (FALLS,)),
    "every T, up to three": (
        steps((0, 1, 2, 3), below(2)), lambda x: le(x.V[x.T] + x.eta / 2 * over(x, "g"), x.V[0]), FALSE, (FALLS,)),
    "not further without a delay": (steps((0,), below(1, 2), f="convex").one_step, no_further, PROVED, ()),
    "not further with one": (steps((0, 1), below(1, 2), f="convex").one_step, no_further, FALSE, ()),
    "not further with short steps": (steps((0, 1), below(100), f="convex").one_step, no_further, FALSE, ()),
}  # fmt: skip

# each client's own: chosen among two, and anywhere within what is known of it

STALE = Points(Smooth("L"), at=("w",), clients_at=("z",), L=L, eta=ETA)
ALONE = Points(Smooth("L"), at=("w",), clients_at=("z",), sizes={"m": (1,)}, L=L, eta=ETA)


def gains(x, s=1, away=None):
    gain = x.eta / 2 * (length(x) + (1 - x.eta * x.L) * x.sq(slope(x, x.z)))
    away = x.mean(x.sq(x.w - x.z)) if away is None else away
    return le(loss(x, x.w - x.eta * slope(x, x.z)) + s * gain, loss(x, x.w) + x.eta * x.L**2 / 2 * away)


def from_the_mean(x):
    return gains(x, away=x.sq(x.w - x.mean_vec(x.z)))


GAINS = claim("planted/gains", world=STALE)(gains)


def free(**more):
    return Run(
        SmoothBoundedBelow("L"), clients_at=("z",), fresh=("z",), L=L, eta=ETA,
        step={"w": lambda x: x.w - x.eta * slope(x, x.z)},
        quantities={
            "e": lambda x: loss(x, x.w) - x.mean(x.f.infimum()), "g": length, "away": lambda x: x.mean(x.sq(x.w - x.z)),
            "moved": lambda x: x.sq(x.eta * slope(x, x.z)),
        }, **more,
    )  # fmt: skip


def to_be_gained(x):
    gained = x.eta / 2 * over(x, "g") + (1 - x.eta * x.L) / (2 * x.eta) * over(x, "moved")
    return le(x.e[x.T] + gained, x.e[0] + x.eta * x.L**2 / 2 * over(x, "away"))


SUM = claim("planted/sum", world=free(), by=(GAINS,))(to_be_gained)
SQUARED = claim("planted/squared", world=free())(lambda x: le(0, over(x, "moved")))
NEAR = condition("sum of mean |w - z_i|^2 <= tau^2 sum of the squared moves",
                 lambda x: le(over(x, "away"), x.tau**2 * over(x, "moved")))  # fmt: skip


def short(p, q=1):
    return condition(f"eta L (1 + tau) <= {p}/{q}", lambda x: le(q * x.eta * x.L * (1 + x.tau), p))


def tends_down(x):
    return le(x.e[x.T] + x.eta / 2 * over(x, "g"), x.e[0])


BY = (SUM, SQUARED)


def read(own, ages=(0, 1), **sizes):
    """What the clients read: of each its own, or one for all."""
    choice = {"selection": "late"} if own else {"either": {"age": ages}}
    z = late if own else old
    return Run(
        None, at=("w", "u", "v", "y"), clients_at=("z",), sizes={"m": (1, 2, 3), **sizes}, **choice, step={"z": z},
        quantities={
            "spread": lambda x: x.mean(x.sq(x.z - x.mean_vec(x.z))), "off": lambda x: x.mean(x.sq(x.z - x.w)),
            "ends": lambda x: x.dot(x.mean_vec(x.z) - x.w, x.mean_vec(x.z) - x.u), "two": lambda x: x.sq(x.w - x.u),
        },
    )  # fmt: skip


def is_one(x):
    return eq(x.next.spread, 0)


CHOSEN = Run(
    SmoothBoundedBelow("L"), at=("w", "u"), selection="late", L=L, eta=ETA, given=(below(2),), start={"u": lambda x: x.w},
    step={"w": lambda x: x.w - x.eta * slope(x, late(x)), "u": lambda x: x.w},
    quantities={
        "V": lambda x: loss(x, x.w) - x.mean(x.f.infimum()) + x.eta * x.L**2 / 2 * x.sq(x.w - x.u), "g": length,
    },
)  # fmt: skip
OWN = {
    "any old models": (STALE, gains, PROVED, ()),
    "by a hundredth": (STALE, lambda x: gains(x, x.ratio(101, 100)), FALSE, ()),
    "of one client their mean": (ALONE, from_the_mean, PROVED, ()),
    "of all clients their mean": (STALE, from_the_mean, FALSE, ()),
    "sums": (free(), to_be_gained, PROVED, (GAINS,)),
    "any delays": (free(tau=at_least(0), given=(short(1), NEAR)), tends_down, PROVED, BY),
    "any delays, longer steps": (free(tau=at_least(0), given=(short(101, 100), NEAR)), tends_down, FALSE, BY),
    "anything old": (free(tau=at_least(0), given=(short(1),)), tends_down, FALSE, BY),
    "one model for all": (read(own=False).one_step, is_one, PROVED, ()),
    "own models are one": (read(own=True).one_step, is_one, FALSE, ()),
    "own models of one client": (read(own=True, m=(1,)).one_step, is_one, DECIDED, ()),
    "no further than both": (read(own=True).one_step, lambda x: le(x.next.off, x.two), DECIDED, ()),
    "by a hundredth no further": (read(own=True).one_step, lambda x: le(101 * x.next.off, 100 * x.two), FALSE, ()),
    "all are late": (read(own=True).one_step, lambda x: eq(x.next.off, x.two), FALSE, ()),
    "nobody is": (read(own=True).one_step, lambda x: eq(x.next.off, 0), FALSE, ()),
    "one of two": (read(own=False).one_step, lambda x: eq(x.next.ends, 0), PROVED, ()),
    "one of two, with a third": (read(own=False, ages=(0, 1, 2)).one_step, lambda x: eq(x.next.ends, 0), FALSE, ()),
    "between two": (read(own=True).one_step, lambda x: le(x.next.ends, 0), DECIDED, ()),
    "at the ends": (read(own=True).one_step, lambda x: le(0, x.next.ends), FALSE, ()),
    "two of three": (
        read(own=True, m=(3,), S=(2,)).one_step, lambda x: eq(x.m * x.next.off, x.S * x.two), DECIDED, ()),
    "fewer than two": (
        read(own=True, m=(3,), S=(2,)).one_step, lambda x: le(x.m * x.next.off, (x.S - x.ratio(1, 100)) * x.two), FALSE, ()),
    "a step": (CHOSEN.one_step, falls, DECIDED, ()),
    "a step, by a hundredth": (CHOSEN.one_step, lambda x: falls(x, x.ratio(101, 100)), FALSE, ()),
}  # fmt: skip

# drawn, beside noise, and chosen with an eye on the draw


def drawn(step, **more):
    return Run(None, at=("w", "u", "n"), fresh=("n",), sizes={"m": (1,)}, step={"w": step}, quantities={
        "A": lambda x: x.sq(x.w), "B": lambda x: x.sq(x.u), "C": lambda x: x.sq(x.n),
    }, **more)  # fmt: skip


BEFORE = drawn(lambda x, sign: (x.w, x.u)[x.age] + sign * x.n, outcomes=(1, -1), either={"age": (0, 1)})
AFTER = drawn(
    lambda x, sign: (x.w, x.u)[x.age if sign > 0 else x.other] + sign * x.n, outcomes=(1, -1),
    either={"age": (0, 1), "other": (0, 1)},
)  # fmt: skip
CHANCE = {"outcomes": (0, 1), "chances": lambda x: (1 - x.p, x.p), "p": between(0, 1)}
DRAWN = drawn(lambda x, age: (x.w, x.u)[age], **CHANCE)
TAKEN = drawn(lambda x, age: (x.w, x.u)[x.age], either={"age": (0, 1)}, **CHANCE)


def noisy(x, s=1):
    return le(s * x.next.A, x.A + x.B + x.C)


def in_the_mean(x):
    return eq(x.next.A, (1 - x.p) * x.A + x.p * x.B)


DRAWS = {
    "chosen before the draw": (BEFORE.one_step, noisy, PROVED, ()),
    "chosen after the draw": (AFTER.one_step, noisy, FALSE, ()),
    "before, by a hundredth": (BEFORE.one_step, lambda x: noisy(x, x.ratio(101, 100)), FALSE, ()),
    "drawn": (DRAWN.one_step, in_the_mean, PROVED, ()),
    "drawn, of every T": (DRAWN, lambda x, t: eq(x.A[t + 1], (1 - x.p) * x.A[t] + x.p * x.B), PROVED, ()),
    "chosen, and not drawn": (TAKEN.one_step, in_the_mean, FALSE, ()),
    "chosen, of every T": (TAKEN, lambda x, t: eq(x.A[t + 1], (1 - x.p) * x.A[t] + x.p * x.B), FALSE, ()),
    "chosen, at most both": (TAKEN.one_step, lambda x: le(x.next.A, x.A + x.B), PROVED, ()),
}
PLANTED = {"moves": MOVES, "steps": STEPS, "own": OWN, "draws": DRAWS}


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("row", [(kind, name) for kind, rows in PLANTED.items() for name in rows], ids="/".join)
def test_no_verdict_is_wrong(row):
    """What is true is proved, or certified where that is all that can be; what is false is neither, nor supported."""
    world, body, expected, by = PLANTED[row[0]][row[1]]
    planted = claim("planted/delays", world=world, by=by)(body)
    v = verify(planted)
    assert v.verdict in expected, (v.verdict, v.reason)
    if expected is FALSE:  # and what proves says so by itself, without what a search refutes
        assert proof(planted, Docket()).verdict == "unknown"
        assert certify(planted, Docket()).outcome != "certifies"


def test_the_checker_wants_all_that_may_be_chosen():
    """A certificate without one of the ages is none, nor one with fewer of them."""
    v = verify(claim("planted/all-ages", world=TWO.one_step)(paid(2)))
    assert v.trust == "kernel" and accepted(v.certificate)[0]
    assert not accepted({**v.certificate, "parts": v.certificate["parts"][1:]})[0]
    assert not accepted({**v.certificate, "choices": [*v.certificate["choices"], "age=3"]})[0]
    assert not accepted({**v.certificate, "choices": []})[0]


def test_a_run_within_a_step_has_no_choices():
    with pytest.raises(UsageError, match="must be without choices"):
        last(TWO, "w")


def test_choices_are_a_mapping():
    with pytest.raises(UsageError, match="must map names to whole numbers"):
        Run(None, at=("w",), either=(0, 1), step={"w": lambda x: x.w}, quantities={"D": lambda x: x.sq(x.w)})


def test_half_of_them_are_false():
    rows = [expected is FALSE for kind in PLANTED.values() for _, _, expected, _ in kind.values()]
    assert len(rows) > 50 and len(rows) / 3 < sum(rows) < 2 * len(rows) / 3
