"""Vectors with coordinates: what is true is proved or certified, what is false by a hundredth is refuted."""

import re

import numpy as np
import pytest

from fedtheory import Control, claim, eq, le, lt, verify
from fedtheory.engines.context import Docket
from fedtheory.engines.prove.coordinates import coordinates
from fedtheory.engines.prove.sums import is_sum
from fedtheory.errors import UsageError
from fedtheory.units import LENGTH
from problems import Axes, Points, condition, positive

U, UV, FLAT = Axes(at=("u",)), Axes(at=("u", "v")), Axes(at=("u",), sizes={"d": (2, 3)})
THREE = Axes(at=(), clients_at=("v",), sizes={"m": (3,)})
ON_A_LINE = Axes(at=(), clients_at=("v",), sizes={"m": (3,), "d": (1,)})
SHORT = Axes(at=("u",), tau=positive(LENGTH))
PAIR = Axes(at=("u", "v"), tau=positive(LENGTH))
WITHIN = Axes(at=("u",), given=(condition("|u|_inf <= 1", lambda x: le(x.norm(x.u, "inf"), 1)),))
ADAM = Axes(at=("g",), eps=positive())


def soft(x, u):
    """Soft thresholding, the prox of tau |.|_1."""
    return x.sign(u) * x.maximum(x.absolute(u) - x.tau, 0)


def clipped(x, u):
    return x.maximum(x.minimum(u, x.tau), -x.tau)


EVERY_D = "proved"
LISTED = "certified"
PLANTED = {  # world, body with a factor that makes it false, that factor, verdict of the true one
    "|u|_1 >= |u|": (U, lambda x, s: le(s * x.sq(x.u), x.norm(x.u, 1) ** 2), "101/100", LISTED),
    "|u| >= |u|_inf": (U, lambda x, s: le(s * x.norm(x.u, "inf"), x.norm(x.u)), "101/100", LISTED),
    "|u|_1^2 <= d |u|^2": (U, lambda x, s: le(s * x.norm(x.u, 1) ** 2, x.d * x.sq(x.u)), "101/100", LISTED),
    "<sign u, u>": (U, lambda x, s: le(s * x.norm(x.u, 1), x.dot(x.sign(x.u), x.u)), "101/100", EVERY_D),
    "<sign u, u> is no more": (U, lambda x, s: le(x.dot(x.sign(x.u), x.u), s * x.norm(x.u, 1)), "99/100", EVERY_D),
    "signs": (U, lambda x, s: le(s * x.sq(x.sign(x.u)), x.d * 1), "101/100", EVERY_D),
    "sign descent": (
        UV,
        lambda x, s: le(-x.dot(x.v, x.sign(x.u)), -x.norm(x.v, 1) + s * 2 * x.norm(x.u - x.v, 1)), "99/100", EVERY_D),
    "Hoelder": (
        Axes(at=("u", "v"), sizes={"d": (1, 2)}),
        lambda x, s: le(s * x.dot(x.u, x.v), x.norm(x.u, 1) * x.norm(x.v, "inf")), "101/100", LISTED),
    "triangle": (UV, lambda x, s: le(s * x.norm(x.u + x.v, 1), x.norm(x.u, 1) + x.norm(x.v, 1)), "101/100", EVERY_D),
    "Top-1": (FLAT, lambda x, s: le(x.sq(x.u - x.top(x.u, 1)), (1 - s / x.d) * x.sq(x.u)), "101/100", LISTED),
    "Top-2": (FLAT, lambda x, s: le(x.sq(x.u - x.top(x.u, 2)), (1 - s * 2 / x.d) * x.sq(x.u)), "101/100", LISTED),
    "what Top-1 leaves": (
        FLAT, lambda x, s: le(x.dot(x.u - x.top(x.u, 1), x.top(x.u, 1)), (1 - s) * x.sq(x.u)), "101/100", LISTED),
    "median": (
        ON_A_LINE, lambda x, s: le(s * x.sq(x.median(x.v)), x.max(x.sq(x.v))), "101/100", LISTED),
    "of three the median is what trimming leaves": (
        ON_A_LINE, lambda x, s: eq(x.sq(x.trimmed_mean(x.v, 1) - s * x.median(x.v)), 0), "101/100", LISTED),
    "soft thresholding is near": (SHORT, lambda x, s: le(s * x.sq(soft(x, x.u) - x.u), x.d * x.tau**2), "101/100", EVERY_D),
    "clipping is monotone": (
        PAIR, lambda x, s: le(x.sq(clipped(x, x.u) - clipped(x, x.v)), s * x.sq(x.u - x.v)), "99/100", EVERY_D),
    "clipped length": (SHORT, lambda x, s: le(x.sq(clipped(x, x.u)), s * x.d * x.tau**2), "99/100", EVERY_D),
    "Young": (UV, lambda x, s: le(2 * s * x.norm(x.u * x.v, 1), x.sq(x.u) + x.sq(x.v)), "101/100", EVERY_D),
    "a step of Adam": (
        ADAM, lambda x, s: le(x.norm(x.g / (x.sqrt(x.g * x.g) + x.eps), 1), s * x.d), "99/100", EVERY_D),
    "Adam descends": (
        ADAM, lambda x, s: le(s * x.dot(x.g, x.g / (x.absolute(x.g) + x.eps)), x.norm(x.g, 1)), "101/100", EVERY_D),
    "within a box": (WITHIN, lambda x, s: le(s * x.sq(x.u), x.norm(x.u, 1)), "101/100", LISTED),
    "strict": (ADAM, lambda x, s: lt(x.norm(x.g, 1), x.norm(x.g, 1) + s * x.d * x.eps), "0", EVERY_D),
}  # fmt: skip


def made(name, world, body):
    return claim(f"axes/{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}", world=world)(body)


def of(x, share):
    p, _, q = share.partition("/")
    return x.ratio(int(p), int(q or 1))


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("name", PLANTED)
def test_what_is_true_is_decided_and_what_is_false_refuted(name):
    world, body, share, verdict = PLANTED[name]
    true = verify(made(name, world, lambda x: body(x, x.ratio(1, 1))))
    assert true.verdict == verdict, (true.verdict, true.reason)
    false = verify(made(name, world, lambda x: body(x, of(x, share))))
    assert false.verdict == "refuted", (false.verdict, false.reason)


def beyond_three(n):
    """0 at 0, 1, 2 and 3, and positive beyond."""
    return n * (n - 1) * (n - 2) * (n - 3)


def symmetric(x):
    """24 times the sum of all products of four coordinates."""
    u, one = x.u, x.u * 0 + 1
    p1, p2, p3, p4 = x.dot(one, u), x.dot(u, u), x.dot(u, u * u), x.dot(u * u, u * u)
    return p1**4 - 6 * p1**2 * p2 + 3 * p2**2 + 8 * p1 * p3 - 6 * p4


BEYOND = {  # true of three coordinates and fewer
    "their number": (U, lambda x: le(x.maximum(x.d, 3) * x.norm(x.u, 1), 3 * x.norm(x.u, 1))),
    "a multiple": (U, lambda x: le(x.norm(x.u, 1) ** 2, 3 * x.sq(x.u))),
    "a polynomial": (U, lambda x: le((x.d - 1) * (x.d - 2) * (x.d - 3) * x.norm(x.u, 1), 0)),
    "a branch": (U, lambda x: le((2 if x.d > 3 else 1) * x.norm(x.u, 1), x.norm(x.u, 1))),
    "a shape": (U, lambda x: le((2 if x.u.shape[-1] > 3 else 1) * x.norm(x.u, 1), x.norm(x.u, 1))),
    "bytes": (U, lambda x: le((2 if x.u.nbytes > 100 else 1) * x.norm(x.u, 1), x.norm(x.u, 1))),
    "signs of several": (U, lambda x: le(x.sq(x.sign(x.u)) ** 2, 3 * x.sq(x.sign(x.u)))),
    "their number in signs": (U, lambda x: le(beyond_three(x.sq(x.sign(x.u))), 0)),
    "their number in quotients": (U, lambda x: le(beyond_three(x.dot(x.u / x.u, x.u / x.u)), 0)),
    "their number in a sum": (U, lambda x: le(beyond_three(x.norm(x.u * 0 + 1, 1)), 0)),
    "elementary symmetric": (U, lambda x: le(symmetric(x), 0)),
    "an array of NumPy's": (U, lambda x: le(x.norm(x.u[..., 12:], 1), 0 * x.norm(x.u, 1))),
    "a branch of their number": (
        U,
        lambda x: le(x.maximum(x.sq(x.u * 0 + 1), 50) * x.norm(x.u, 1), 50 * x.norm(x.u, 1)),
    ),
    "many clients": (U, lambda x: le(x.maximum(x.m, 40) * x.norm(x.u, 1), 40 * x.norm(x.u, 1))),
}


@pytest.mark.parametrize("name", BEYOND)
def test_what_is_true_of_few_is_not_proved(name):
    world, body = BEYOND[name]
    c = made(name, world, body)
    assert not is_sum(c)
    said = coordinates(c, Docket())
    assert said.scope != "all" and said.outcome in ("certifies", "declines")


OF_ONE = {  # and of one coordinate alone
    "a neighbour": (U, lambda x: le(0, x.dot(x.sign(x.u), x.xp.roll(x.sign(x.u), 1, axis=-1)))),
    "a product": (UV, lambda x: le(x.norm(x.u, 1) * x.norm(x.v, 1), x.norm(x.u * x.v, 1))),
    "a root": (U, lambda x: le(x.norm(x.u, 1), x.norm(x.u))),
    "the largest": (U, lambda x: le(x.norm(x.u, 1), x.norm(x.u, "inf"))),
    "Top-1": (U, lambda x: le(x.norm(x.u, 1), x.norm(x.top(x.u, 1), 1))),
    "a condition": (
        Axes(at=("u",), k=positive(), given=(condition("k <= d", lambda x: le(x.k, x.d)),)),
        lambda x: le(x.k * x.norm(x.u, 1), x.norm(x.u, 1)),
    ),
    "a number beside": (U, lambda x: le(x.sq(x.sign(x.u)), 1)),
}


@pytest.mark.parametrize("name", OF_ONE)
def test_what_is_true_of_one_coordinate_alone_is_refuted(name):
    world, body = OF_ONE[name]
    assert not is_sum(made(name, world, body))
    assert verify(made(name, world, body)).verdict == "refuted"


def test_a_condition_of_points_is_none_of_each_coordinate():
    balanced = condition("|u|_1 <= <1, u> + 1", lambda x: le(x.norm(x.u, 1), x.dot(x.u, x.u * 0 + 1) + 1))
    assert not is_sum(made("balanced", Axes(at=("u",), given=(balanced,)), lambda x: le(-x.norm(x.u, 1), 1)))


def thin(x, v):
    a = x.ratio(3, 7)
    return x.maximum((v - a) * (a + x.ratio(1, 10**7) - v), 0)


def three_classes(x):
    """A product of sums over three classes of coordinates, of which two coordinates are of two."""
    s, w = x.sign(x.u - x.ratio(1234567, 987654)), x.v * x.v
    return x.dot(s * s + s, w) * x.dot(1 - s * s, w) * x.dot(s * s - s, w)


def rows_of_two_lengths(x):
    w = thin(x, x.u)
    t = x.dot(w * 0 + 1, w)
    return le(t * t, x.norm(t[..., None]) * x.norm(w))


def test_what_few_look_at_is_not_proved():
    assert not is_sum(made("three", UV, lambda x: le(three_classes(x), 0)))
    few = Axes(at=("u",), sizes={"d": (2, 3), "m": (1,)})
    assert verify(made("lengths", few, rows_of_two_lengths)).verdict not in ("proved", "certified")
    for named in (lambda x: x.d, lambda x: x.m):
        over = condition("tau n >= 1", lambda x, named=named: le(1, x.tau * named(x)))
        world = Axes(at=("u",), tau=positive(), given=(over,))
        c = made("over", world, lambda x: le(x.norm(thin(x, x.u), 1), x.tau * x.norm(thin(x, x.u), 1)))
        assert not is_sum(c) and verify(c).verdict != "proved"


def test_where_a_coordinate_is_undefined_nothing_is_refuted():
    for fn in ("log", "sqrt"):
        true = made(fn, U, lambda x, fn=fn: le(0, x.sq(x.sign(getattr(x, fn)(x.u))) + x.dot(x.u, x.u * 0 + 1)))
        assert verify(true).verdict != "refuted"


def test_bare_arrays_are_refused():
    for bare in (lambda x: np.asarray(x.u), lambda x: x.u.view(np.ndarray), lambda x: np.array(x.u)):
        with pytest.raises(UsageError, match="by which the entries of an array are counted"):
            verify(made("bare", U, lambda x, bare=bare: le(x.norm(bare(x)[..., 12:], 1), 0 * x.norm(x.u, 1))))
        with pytest.raises(UsageError, match="by which the entries of an array are counted"):
            verify(made("bare", Points(None, at=("u",)), lambda x, bare=bare: le(x.sq(bare(x)), x.sq(x.u))))


def _m(x):
    return x.ratio(2, 1)


@pytest.mark.parametrize(
    "private", [lambda x: x._m, lambda x: x._names["m"], lambda x: x._numbers.count(1), lambda x: x.__dict__["m"]]
)
def test_what_is_private_to_an_instance_is_refused(private):
    world = Points(None, clients_at=("v",))
    with pytest.raises(UsageError, match="is another thing for every engine"):
        verify(made("private", world, lambda x: le(x.mean(x.sq(x.v)), private(x) * x.mean(x.sq(x.v)))))
    own = made("own", world, lambda x: le(x.mean(x.sq(x.v)), _m(x) * x.mean(x.sq(x.v))))  # a helper may be called so
    assert verify(own).verdict == "proved"


def test_the_number_of_coordinates_in_a_ratio():
    assert (
        verify(made("ratio", U, lambda x: le(x.norm(x.u, 1) ** 2 * x.ratio(1, x.d), x.sq(x.u)))).verdict == "certified"
    )


def test_what_is_computed():
    from fedtheory.instance import Instance
    from fedtheory.numbers import Floats, Fractions

    u = [[3, -5, 0], [-1, 2, 4], [2, 2, -6]]
    for numbers in (Floats(), Fractions()):
        x = Instance(numbers, {"v": numbers.array(np.array(u))})
        assert x.norm(x.v, 1).tolist() == [8, 7, 10] and x.norm(x.v, "inf").tolist() == [5, 4, 6]
        assert x.sign(x.v).tolist() == np.sign(u).tolist() and x.absolute(x.v).tolist() == np.abs(u).tolist()
        assert x.top(x.v, 1).tolist() == [[0, -5, 0], [0, 0, 4], [0, 0, -6]]
        assert x.top(x.v, 2).tolist() == [[3, -5, 0], [0, 2, 4], [2, 0, -6]]  # of equal ones the first
        assert x.top(x.v, 0).tolist() == np.zeros((3, 3)).tolist() and x.top(x.v, 9).tolist() == u
        assert x.median(x.v).tolist() == x.trimmed_mean(x.v, 1).tolist() == [[2, 2, 0]]
        assert (3 * x.trimmed_mean(x.v, 0)).tolist() == [pytest.approx([4, -1, -2])]
        assert x.median(x.v[:2]).tolist() == [[1, -1.5, 2]]


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda x: x.norm(x.u, 3), 'p = 1, 2 or "inf", got 3'),
        (lambda x: x.sq(x.top(x.u, -1)), "k >= 0, got -1"),
        (lambda x: x.sq(x.top(x.u, 1.5)), "k >= 0, got 1.5"),
        (lambda x: x.sq(x.trimmed_mean(x.u, 1)), "must leave some of the 1 clients, got b = 1"),
    ],
)
def test_what_is_refused(ask, said):
    with pytest.raises(UsageError, match=said):
        verify(made("refused", U, lambda x: le(ask(x), ask(x))))


def test_in_other_worlds_coordinates_are_not_read():
    body = lambda x: le(x.norm(x.u, "inf"), x.norm(x.u, 1) - 0 * x.norm(x.top(x.u, 1), 1))  # noqa: E731
    assert verify(made("axes", U, body)).verdict == "certified"
    turned = claim("axes/none", world=Points(None, at=("u",)))(
        lambda x: le(x.sq(x.u), x.norm(x.u * x.u + x.u, 1) + 100)
    )
    with pytest.raises(UsageError, match="reads coordinates"):
        verify(turned)


def test_a_control_of_axes_is_refuted_by_the_search():
    control = Control("equal entries attain it", lambda x: le(x.norm(x.u, 1) ** 2, x.ratio(99, 100) * x.d * x.sq(x.u)))
    c = claim("axes/power", world=Axes(at=("u",), sizes={"d": (5,)}), control=control)
    assert verify(c(lambda x: le(x.norm(x.u, 1) ** 2, x.d * x.sq(x.u)))).verdict == "supported"


ROUNDED = {
    "d >> 1": lambda x: x.d >> 1,
    "d & 6": lambda x: x.d & 6,
    "1 << d": lambda x: 1 << x.d,
}


@pytest.mark.parametrize("name", ROUNDED)
def test_other_operators_on_the_dimension_are_for_listed_ones(name):
    """What is no multiple of d is proved for no d that is not listed, and what is false is refuted."""
    rounded = ROUNDED[name]
    assert verify(claim("draft/above", world=U)(lambda x: le(0, rounded(x)))).verdict == "certified"
    assert verify(claim("draft/below", world=U)(lambda x: le(x.sq(x.u), rounded(x)))).verdict == "refuted"
