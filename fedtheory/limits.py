"""What is said of a whole run, as data: limits, rates and what holds at accumulation points; nobody has decided them yet.

A body in a world with an index may return such statements in the place of relations. They are about a run that never ends: the
conditions of the world hold at every length. `engines.lemmas.limits` proves them from finite statements for every length,
`engines.search.at_rest` refutes them by a state at which the method stays.

Examples
--------
>>> from fedtheory.limits import tends_to
>>> print(tends_to(lambda t: 0, at_most=lambda t: 0))
tends to 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .errors import NotApplicable, UsageError
from .relation import Relation, eq, le, lt

if TYPE_CHECKING:
    from typing import NoReturn

    from .formats import Document
    from .instance import Instance
    from .quantity import Indexed, Quantity

    Terms = Indexed | Callable[[Any], Quantity] | Quantity  # a sequence, a function of t, or one number at every t

FAR = (1, 10**3, 10**6, 10**12)  # lengths at which a rate is looked at where nothing moves


@dataclass(frozen=True)
class Limit:
    """A statement about sequences that never end.

    Attributes
    ----------
    kind : str
        Which one: a name of `SAID`.
    of : tuple
        The sequences it is about: ``x.g``, or functions of t such as ``lambda t: x.a[t] + x.b[t]``.
    to : dict
        The numbers and bounds that it names.
    """

    kind: str
    of: tuple[Terms, ...]
    to: Document = field(default_factory=dict)

    def __str__(self) -> str:
        return SAID[self.kind].format(**{k: v for k, v in self.to.items() if isinstance(v, (str, int, tuple))})

    def __bool__(self) -> NoReturn:
        raise UsageError("a limit has no truth value of its own (and, or, not, if): return several as a tuple")

    def at(self, t: Any, k: int = 0) -> Any:
        """Its sequence of that place, at t."""
        return element(self.of[k], t)


SAID = {
    "summable": "no term is negative, and the sums stay bounded",
    "null": "tends to {b}",
    "converges": "does not grow and is bounded below, so that it converges",
    "least": "the least of the first T terms is within a bound",
    "linear": "falls at a linear rate",
    "bounded": "stays within a constant",
    "below": "is below eps from an index on that is an expression",
    "stationary": "vanishes at every accumulation point of {points}",
    "together": "all converge to one value",
    "recurs": "one is the other at least once in so many steps that follow each other",
    "chosen": "every client is selected at least once in so many steps that follow each other",
}


@dataclass(frozen=True)
class Smallest:
    """The least of the first T terms of a sequence."""

    of: Terms


@dataclass(frozen=True)
class Refreshed:
    """How a sequence falls that is renewed now and then: see `tends_to`."""

    by: Terms
    falls_to: Terms
    grows: Terms
    more: Terms


def element(a: Any, t: Any) -> Any:
    """A sequence, or a function of t, at t; a number is the same at every t."""
    if hasattr(a, "listed") or isinstance(a, Stub):
        return a[t]
    return a(t) if callable(a) else a


def summable(a: Terms, at_most: Terms | None = None) -> Limit:
    """0 <= a[t] at every t, and a[0] + .. + a[T-1] <= `at_most` for every T: a number that reads no length.

    Without a bound: for some such number, as a paper says it with O(1).
    """
    return Limit("summable", (_sequence(a),), {"C": at_most})


def tends_to(
    a: Terms,
    b: Terms = 0,
    *,
    at_most: Terms | None = None,
    square_at_most: Terms | None = None,
    refreshed: Refreshed | None = None,
    for_every: Quantity | None = None,
) -> Limit:
    """a[t] -> b, where b is a number.

    Parameters
    ----------
    at_most, square_at_most : sequence, optional
        What ``|a - b|``, or its square, is at most: a sum of products of which each has a factor that tends to 0.
    refreshed : Refreshed, optional
        a[t+1] <= grows a[t] - (grows - falls_to) by[t] + more[t], where ``recurs(by, a, within=...)`` is stated; or where
        ``chosen_again(within=...)`` is and a and by are `OfClients`, of all and of the selected ones, so for each client alone.
    for_every : scalar, optional
        A positive scalar of the world in which nothing but the claim reads it: `at_most` holds for every value of it, and is a sum
        of what tends to 0 whatever it is and of multiples of it by what stays bounded.
    """
    to = {"b": b, "B": at_most, "square": square_at_most, "refreshed": refreshed, "for_every": for_every}
    return Limit("null", (_sequence(a),), to)


def refreshed(by: Terms, *, falls_to: Terms = 0, grows: Terms = 1, more: Terms = 0) -> Refreshed:
    """How a sequence falls whenever `by` is all of it, for `tends_to`."""
    return Refreshed(by, falls_to, grows, more)


def converges(a: Terms, *, at_least: Terms) -> Limit:
    """a[t+1] <= a[t] and `at_least` <= a[t] at every t, so that a converges."""
    return Limit("converges", (_sequence(a),), {"b": at_least})


def smallest(a: Terms) -> Smallest:
    """min over t < T of a[t], for `at_most` and `below`."""
    return Smallest(_sequence(a))


def at_most(what: Smallest, bound: Terms) -> Limit:
    """min over t < T of a[t] <= `bound` for every T; the bound reads T and numbers, such as ``C/x.T``.

    Raises
    ------
    UsageError
        If `what` is not ``smallest(a)``.
    """
    if not isinstance(what, Smallest):
        raise UsageError(f"at_most(smallest(x.g), C/x.T) needs smallest(...), got {what!r}; for one t write le(a, b)")
    return Limit("least", (what.of,), {"bound": bound})


def linear(a: Terms, q: Terms) -> Limit:
    """a[T] <= q^T a[0] for every T with 0 <= q < 1 and a[t] >= 0, so that a[t] -> 0."""
    return Limit("linear", (_sequence(a),), {"q": q})


def bounded(a: Terms, by: Terms | None = None, *, at_most: Terms | None = None) -> Limit:
    """-`by` <= a[t] <= `by` at every t, where `by` is a number.

    Without one: for some such number, as `at_most`, a sum of products of sequences that stay bounded, bounds |a|; or as a is such
    a sum itself.
    """
    return Limit("bounded", (_sequence(a),), {"C": by, "B": at_most})


def below(a: Any, eps: Quantity, *, after: Terms) -> Limit:
    """For all eps > 0 and every T >= `after`: a[T] <= eps, or the least of the first T terms where a is ``smallest(a)``.

    `eps` is a positive scalar of the world in which nothing but the claim reads it, `after` an expression of it and of numbers.
    """
    least = isinstance(a, Smallest)
    return Limit("below", (a.of if least else _sequence(a),), {"eps": eps, "after": after, "least": least})


def stationary(points: str | tuple[str, ...], *residuals: Terms) -> Limit:
    """At every accumulation point of the named points of a run these quantities, functions of the points, are 0."""
    names = (points,) if isinstance(points, str) else tuple(points)
    return Limit("stationary", tuple(map(_sequence, residuals)), {"points": names})


def together(*sequences: Terms) -> Limit:
    """All of them converge, and to the same value."""
    return Limit("together", tuple(map(_sequence, sequences)))


def recurs(a: Terms, b: Terms, *, within: Quantity) -> Limit:
    """a[t] = b[t] for at least one t of any `within` that follow each other: what a paper states, for `stated`."""
    return Limit("recurs", (_sequence(a), _sequence(b)), {"S": within})


def chosen_again(*, within: Quantity) -> Limit:
    """Every client is selected at least once in any `within` steps that follow each other: for `printed`."""
    return Limit("chosen", (), {"S": within})


def _sequence(a: object) -> Any:
    if not (hasattr(a, "listed") or callable(a) or isinstance(a, Stub)):
        raise UsageError(
            f"a limit is one of a sequence such as x.g, or of a function such as lambda t: x.g[t], got {a!r}"
        )
    return a


def at_rest(limit: Limit, x: Instance, index: str, body: Callable[[Any], object], place: int) -> tuple[Relation, ...]:
    """What a limit says where nothing ever moves, as relations between numbers.

    Raises
    ------
    NotApplicable
        If that is not known of its kind.
    """
    if not limit.of:
        raise NotApplicable(f"what '{limit}' says where nothing moves")
    a, to, t = limit.at(0), limit.to, 0
    if limit.kind == "summable":
        return le(0, a), le(a, 0, "the sums stay bounded")
    if limit.kind == "null":
        return (eq(a, to["b"], "the limit"),)
    if limit.kind == "converges":
        return (le(to["b"], a),)
    if limit.kind == "least":
        lengths = ((n, limits_of(body(x.at(**{index: x._numbers.count(n)})))[place]) for n in FAR)
        return tuple(le(one.at(0), one.to["bound"], f"{index} = {n}") for n, one in lengths)
    if limit.kind == "linear":
        return le(0, a), le(0, to["q"]), lt(to["q"], 1), le(a, to["q"] * a, f"{index} = 1")
    if limit.kind == "bounded":
        if to["C"] is None:
            return (le(0, 0, "what does not move stays bounded"),)
        return le(a, to["C"]), le(-to["C"], a)
    if limit.kind == "below":
        return (le(a, to["eps"]),)
    if limit.kind == "stationary":
        return tuple(eq(limit.at(t, k), 0, "at the accumulation point") for k in range(len(limit.of)))
    if limit.kind == "together":
        return tuple(eq(limit.at(t, k), a, "the same value") for k in range(1, len(limit.of)))
    raise NotApplicable(f"what '{limit}' says where nothing moves")


def limits_of(result: object) -> tuple[Limit, ...]:
    """What a body returned, where that is limits and nothing else; else nothing."""
    found = result if isinstance(result, tuple) else (result,)
    return found if found and all(isinstance(one, Limit) for one in found) else ()


class Stub:
    """Stands for everything of an instance, to see what kind of statement a body returns."""

    def _same(self, *_: object, **__: object) -> Stub:
        return self

    def __getattr__(self, name: str) -> Stub:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    __call__ = __getitem__ = __neg__ = __pos__ = _same
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _same
    __truediv__ = __rtruediv__ = __pow__ = __rpow__ = _same

    def __bool__(self) -> bool:
        raise NotApplicable("a branch")

    def __iter__(self) -> Iterator[object]:
        raise NotApplicable("a loop")


def says_limits(body: Callable[[Any], object]) -> bool:
    """Whether a body returns limits."""
    try:
        return bool(limits_of(body(Stub())))
    except Exception:
        return False
