"""What a body receives: names of the paper, inner products, means, expectations; one class for every number type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, SupportsIndex

from .bodies import takes_arguments, takes_one
from .errors import NotApplicable, UsageError, did_you_mean
from .numbers import Both, Numbers, OfMatrices, Repeated
from .numbers.by_coordinate import absolute, largest_size, sign, sum_of_sizes, top
from .relation import Relation

if TYPE_CHECKING:
    from .quantity import Array, ByName, Quantity

OPERATIONS = (
    "dot", "sq", "norm", "sqrt", "exp", "log", "maximum", "minimum", "max", "min", "mean", "mean_vec", "total", "total_vec",
    "ratio", "E", "absolute", "sign", "top", "median", "trimmed_mean", "sum", "product", "where", "each_step",
)  # fmt: skip
WEIGHTS = "weights of the clients"  # among the names of an instance, for no body to read: ``(..., m)``, or None of any
COUNTED = "clients have weights in this world, and no number of them: means are x.mean and x.mean_vec, by the weights"
NEAR = {
    "abs": "; |a| is x.maximum(a, -a), and of coordinates x.absolute(u)",
}


class Later:
    """A name of an instance whose value is made where it is asked for."""

    def __init__(self, make: Callable[[], object]) -> None:
        self.make = make

    def __call__(self) -> Any:
        return self.make()


class Instance:
    """The argument ``x`` of a body.

    Scalars, vectors, problems, states and the algorithm are attributes under the paper's names. Per-client scalars
    are ``(..., m)``, vectors ``(..., m, d)``, a server vector ``(..., 1, d)``; instances of a batch stand in front.
    Every method keeps the client axis, with length 1 where it averages over clients, so that relations broadcast.
    """

    def __init__(
        self,
        numbers: Numbers,
        names: ByName,
        *,
        draws: Sequence[Any] = (),
        given: Sequence[Relation] = (),
        dot: Callable[[Array, Array], Array] | None = None,
        steps: Iterable[tuple[Any, Any]] = (),
    ) -> None:
        self._numbers = numbers
        self._names = dict(names)
        self._draws = draws if isinstance(draws, tuple) else tuple(draws)
        self._dot = dot or numbers.dot
        self._steps = tuple(steps)
        self.given = tuple(given)
        self.xp = numbers.xp
        self.__dict__.update(self._names)
        hidden = [k for k, v in self._names.items() if type(v) is Later]
        hidden += ["d"] * (numbers.kind == "gram") + ["m", "N", WEIGHTS] * self._weighted
        for k in hidden:
            self.__dict__.pop(k, None)

    def __getattr__(self, name: str) -> Any:
        names = self.__dict__.get("_names", {})
        if name == "d" and getattr(self.__dict__.get("_numbers"), "kind", "") == "gram":
            raise NotApplicable("a certificate holds in any dimension and has no x.d")
        if isinstance(names.get(name), Later):
            return names[name]()
        if name in ("m", "N") and WEIGHTS in names:
            raise UsageError(f"x.{name}: {COUNTED}")
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "states" and "next" in names:
            raise NotApplicable("a certificate takes one step and cannot look at x.states; use x.each_step")
        own = sorted({*names} - ({"m", "N", WEIGHTS} if WEIGHTS in names else set()))
        near = NEAR.get(name) or did_you_mean(name, [*own, *OPERATIONS])
        raise UsageError(
            f"this world has no name {name!r} (it has {', '.join(own)}; "
            f"everywhere there are {', '.join(OPERATIONS)}){near}"
        )

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._names})

    def assuming(self, relations: Iterable[Relation]) -> Instance:
        """This instance with more conditions in `given`."""
        given = (*self.given, *relations)
        return Instance(self._numbers, self._names, draws=self._draws, given=given, dot=self._dot, steps=self._steps)

    def _but(self, *, names: ByName | None = None, **parts: Any) -> Instance:
        """This instance with other names, conditions or draws, for an audit of what a body reads."""
        kept = {"draws": self._draws, "given": self.given, "dot": self._dot, "steps": self._steps}
        return Instance(self._numbers, {**self._names, **(names or {})}, **{**kept, **parts})

    def ratio(self, p: int, q: int) -> Quantity:
        """The exact quotient p/q of two whole numbers, as a number of the engine; in Python p/q would be a float."""
        p, q = (int(n) if isinstance(n, Integral) else n for n in (p, q))  # those of NumPy are none of Python's
        if not isinstance(p, (Real, str)) or not isinstance(q, (Real, str)):  # a size that is a symbol
            return p / q
        return self._numbers.quotient(p, q)

    def dot(self, u: Array, v: Array) -> Array:
        """Inner product over coordinates, ``(..., m)``: the only way to one."""
        return self._dot(u, v)

    def sq(self, u: Array) -> Array:
        """Squared Euclidean norm, ``(..., m)``."""
        return self._dot(u, u)

    def norm(self, u: Array, p: int | str = 2) -> Quantity:
        """Euclidean norm, ``(..., m)``; in a world of `Axes` also that of ``p=1``, the sum, or ``p="inf"``, the largest |u_j|.

        Raises
        ------
        UsageError
            If p is none of these.
        """
        if p == 2:
            return self._numbers.sqrt(self._dot(u, u))
        if p not in (1, "inf"):
            raise UsageError(f'x.norm(u, p) must have p = 1, 2 or "inf", got {p!r}')
        return (sum_of_sizes if p == 1 else largest_size)(self._numbers, u)

    # by coordinates, in a world of `Axes`

    def absolute(self, u: Array) -> Array:
        """|u_j| of every coordinate, ``(..., m, d)``."""
        return absolute(self._numbers, u)

    def sign(self, u: Array) -> Array:
        """-1, 0 or 1 of every coordinate, ``(..., m, d)``."""
        return sign(self._numbers, u)

    def top(self, u: Array, k: int) -> Array:
        """Top-k: the k entries of largest magnitude, of equal ones the first, and 0 in place of the others, ``(..., m, d)``.

        Raises
        ------
        UsageError
            If k is no whole number, or negative.
        """
        return top(self._numbers, u, _count("x.top(u, k)", "k", k))

    def median(self, u: Array) -> Array:
        """Median over clients of every coordinate, the mean of the middle two of an even number, ``(..., 1, d)``."""
        ordered = self._numbers.in_order(u)
        m = len(ordered)
        return (ordered[(m - 1) // 2] + ordered[m // 2]) * self._numbers.quotient(1, 2)

    def trimmed_mean(self, u: Array, b: int) -> Array:
        """Mean over clients of every coordinate without its b least and its b largest entries, ``(..., 1, d)``.

        Raises
        ------
        UsageError
            If b is no whole number, negative, or nothing is left.
        """
        b, ordered = _count("x.trimmed_mean(u, b)", "b", b), self._numbers.in_order(u)
        m = len(ordered)
        if 2 * b >= m:
            raise UsageError(f"x.trimmed_mean(u, b) must leave some of the {m} clients, got b = {b}")
        return reduce(lambda p, q: p + q, ordered[b : m - b]) * self._numbers.quotient(1, m - 2 * b)

    @property
    def _m(self) -> Quantity:
        return self._names.get("m", 1)

    @property
    def _weighted(self) -> bool:
        """Whether clients have weights, by which means are."""
        return WEIGHTS in self._names

    def total(self, s: Quantity, *, over: Array | None = None) -> Quantity:
        """Sum of a ``(..., m)`` scalar over all clients, or over a selection ``(m,)`` of ones and zeros, ``(..., 1)``."""
        self._require_counted("x.total")
        return self._numbers.total(s, over, self._m)

    def mean(self, s: Quantity) -> Quantity:
        """Mean over clients of a ``(..., m)`` scalar, ``(..., 1)``; by their weights where they have any."""
        share = self._names.get(WEIGHTS)
        if share is None or not hasattr(s, "shape") or s.shape[-1] == 1:
            return self._numbers.mean(s)
        return self._numbers.total(_beside(share, len(s.shape)) * s, None, self._m)

    def total_vec(self, u: Array, *, over: Array | None = None) -> Array:
        """Sum of ``(..., m, d)`` over all clients, or over a selection ``(m,)`` of ones and zeros, ``(..., 1, d)``."""
        self._require_counted("x.total_vec")
        return self._numbers.total_vec(u, over, self._m)

    def mean_vec(self, u: Array) -> Array:
        """Mean over clients of ``(..., m, d)``, ``(..., 1, d)``; by their weights where they have any."""
        share = self._names.get(WEIGHTS)
        if share is None or u.shape[-2] == 1:
            return self._numbers.mean_vec(u)
        return self._numbers.total_vec(_beside(share, u.ndim - 1)[..., None] * u, None, self._m)

    def _require_counted(self, call: str) -> None:
        if self._weighted:
            raise UsageError(f"{call}: {COUNTED}")

    def where(self, draw: Array, new: Array, old: Array) -> Array:
        """Vectors ``(..., m, d)`` that are `new` for the clients of a selection ``(m,)`` and `old` for the others."""
        if isinstance(self._draws.clients if isinstance(self._draws, Both) else self._draws, Repeated):
            raise UsageError(
                "x.where(draw, ...) takes a selection, and with replacement a client may be drawn twice; a sum over those that "
                "are drawn is x.total_vec(..., over=draw)"
            )
        return self._numbers.where(draw, new, old)

    def sum(self, term: Callable[[Quantity], Quantity], n: Quantity) -> Quantity:
        """Sum of ``term(t)`` for t = 0 .. n-1, such as rounds; `n` is a whole number, or the index of a claim for all n.

        Raises
        ------
        UsageError
            If `term` is no function of the index.
        """
        return self._numbers.sum_up(_term("sum", term), n)

    def product(self, term: Callable[[Quantity], Quantity], n: SupportsIndex, first: SupportsIndex = 0) -> Quantity:
        """Product of ``term(t)`` for t = first .. n-1, one where there is none; within a sum over t it may begin at t + 1.

        Raises
        ------
        UsageError
            If `term` is no function of the index.
        """
        return self._numbers.product_up(_term("product", term), n, first)

    def at(self, **names: Any) -> Instance:
        """This instance with other names, as a lemma has them at the arguments at which it is used."""
        return self._but(names={name: value for name, value in names.items() if name != WEIGHTS})

    def without(self, names: Iterable[str]) -> Instance:
        """This instance, which has not these names."""
        hidden = {*names} - {WEIGHTS}
        kept = {name: value for name, value in self._names.items() if name not in hidden}
        parts: ByName = {"draws": self._draws, "given": self.given, "dot": self._dot, "steps": self._steps}
        return Instance(self._numbers, kept, **parts)

    def E(self, fn: Callable[..., Quantity]) -> Quantity:
        """Exact expectation of ``fn(draw)`` over this world's draws; of ``fn(draw, errors)`` where clients and errors are drawn."""
        if not self._draws:
            raise NotApplicable("this world has no random draws")
        if isinstance(self._draws, OfMatrices):
            raise NotApplicable(
                "what is drawn is a matrix; what becomes of its second moments is said of quantities after the step"
            )
        mean = self._numbers.expectation
        if isinstance(self._draws, Both):
            if not takes_arguments(fn, 2):
                raise UsageError(
                    "x.E(fn) hands the draw of clients and the errors to fn, so write x.E(lambda draw, n: ...)"
                )
            both = self._draws
            return mean(lambda n: mean(lambda draw: fn(draw, n), both.clients), both.errors)
        if not takes_one(fn):
            raise UsageError("x.E(fn) hands the draw to fn, so write x.E(lambda draw: ...)")
        return mean(fn, self._draws)

    def each_step(self, fn: Callable[[Any, Any], Relation]) -> tuple[Relation, ...]:
        """The relations ``fn(before, after)`` of every two consecutive states of a run."""
        return tuple(fn(before, after) for before, after in self._steps)

    def min(self, s: Quantity) -> Any:
        """Minimum over clients of a ``(..., m)`` scalar, ``(..., 1)``."""
        return self._numbers.over_clients(s, self.minimum)

    def max(self, s: Quantity) -> Any:
        """Maximum over clients of a ``(..., m)`` scalar, ``(..., 1)``."""
        return self._numbers.over_clients(s, self.maximum)

    def minimum(self, first: Quantity, *others: Quantity) -> Quantity:
        """Elementwise minimum of any number of scalars."""
        return reduce(self._numbers.minimum, others, first)

    def maximum(self, first: Quantity, *others: Quantity) -> Quantity:
        """Elementwise maximum of any number of scalars."""
        return reduce(self._numbers.maximum, others, first)

    def sqrt(self, s: Quantity) -> Quantity:
        """Square root; exact engines then work in ball arithmetic."""
        return self._numbers.sqrt(s)

    def exp(self, s: Quantity) -> Quantity:
        """Exponential; exact engines then work in ball arithmetic."""
        return self._numbers.exp(s)

    def log(self, s: Quantity) -> Quantity:
        """Natural logarithm; exact engines then work in ball arithmetic."""
        return self._numbers.log(s)


def _term(name: str, term: Callable[[Quantity], Quantity]) -> Callable[[Quantity], Quantity]:
    """What is summed or multiplied, a function of the index.

    Raises
    ------
    UsageError
        If it is none.
    """
    if not (callable(term) and takes_one(term)):
        said = "a function of more or fewer arguments" if callable(term) else f"a {type(term).__name__}"
        over = "; a sum over clients is x.total(s)" if name == "sum" else ""
        raise UsageError(
            f"x.{name}(term, n) hands every t < n to term, so write x.{name}(lambda t: x.a[t], n); got {said}{over}"
        )
    return term


def _beside(share: Array, ndim: int) -> Array:
    """Weights ``(..., m)`` beside an array of so many axes, some of which may stand between those of a batch and of clients."""
    return share[(..., *(None,) * (ndim - share.ndim), slice(None))]


def _count(call: str, name: str, value: object) -> int:
    """A whole number that is not negative.

    Raises
    ------
    UsageError
        If it is none.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 0:
        raise UsageError(f"{call} must have a whole number {name} >= 0, got {value!r}")
    return int(value)
