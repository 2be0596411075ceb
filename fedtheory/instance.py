"""What a body receives: names of the paper, inner products, means, expectations; one class for every number type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from .errors import NotApplicable, UsageError, did_you_mean
from .numbers import Numbers


class Instance:
    """The argument ``x`` of a body.

    Scalars, vectors, problems, states and the algorithm are attributes under the paper's names. Per-client scalars
    are ``(..., m)``, vectors ``(..., m, d)``, a server vector ``(..., 1, d)``; instances of a batch stand in front.
    Every method keeps the client axis, with length 1 where it averages over clients, so that relations broadcast.
    """

    def __init__(
        self,
        numbers: Numbers,
        names: dict[str, Any],
        *,
        draws: Sequence[Any] = (),
        given: Sequence[Any] = (),
        dot: Callable[[Any, Any], Any] | None = None,
    ) -> None:
        self._numbers = numbers
        self._names = dict(names)
        self._draws = tuple(draws)
        self._dot = dot or numbers.dot
        self.given = tuple(given)
        self.kind = numbers.kind
        self.xp = numbers.xp

    def __getattr__(self, name: str) -> Any:
        names = self.__dict__.get("_names", {})
        if name in names:
            return names[name]
        if name.startswith("__"):
            raise AttributeError(name)
        raise UsageError(
            f"this world has no name {name!r} (it has {', '.join(sorted(names))}){did_you_mean(name, names)}"
        )

    def dot(self, u: Any, v: Any) -> Any:
        """Inner product over coordinates, ``(..., m)``: the only way to one."""
        return self._dot(u, v)

    def sq(self, u: Any) -> Any:
        """Squared Euclidean norm, ``(..., m)``."""
        return self._dot(u, u)

    def total(self, s: Any, *, over: Any = None) -> Any:
        """Sum of a ``(..., m)`` scalar over all clients, or over a selection ``(m,)`` of ones and zeros, ``(..., 1)``."""
        return self.xp.sum(s if over is None else s * over, axis=-1, keepdims=True)

    def mean(self, s: Any) -> Any:
        """Mean over clients of a ``(..., m)`` scalar, ``(..., 1)``."""
        return self.total(s) / s.shape[-1]

    def total_vec(self, u: Any, *, over: Any = None) -> Any:
        """Sum of ``(..., m, d)`` over all clients, or over a selection ``(m,)`` of ones and zeros, ``(..., 1, d)``."""
        return self.xp.sum(u if over is None else u * over[:, None], axis=-2, keepdims=True)

    def mean_vec(self, u: Any) -> Any:
        """Mean over clients of ``(..., m, d)``, ``(..., 1, d)``."""
        return self.total_vec(u) / u.shape[-2]

    def E(self, fn: Callable[[Any], Any]) -> Any:
        """Exact expectation of ``fn(draw)`` over this world's equally likely draws."""
        if not self._draws:
            raise NotApplicable("this world has no random draws")
        return reduce(lambda a, b: a + b, [fn(d) for d in self._draws]) / len(self._draws)

    def min(self, s: Any) -> Any:
        """Minimum over clients of a ``(..., m)`` scalar, ``(..., 1)``."""
        return reduce(self.minimum, [s[..., i : i + 1] for i in range(s.shape[-1])])

    def max(self, s: Any) -> Any:
        """Maximum over clients of a ``(..., m)`` scalar, ``(..., 1)``."""
        return reduce(self.maximum, [s[..., i : i + 1] for i in range(s.shape[-1])])

    def minimum(self, a: Any, b: Any) -> Any:
        """Elementwise minimum of two scalars."""
        return self._numbers.minimum(a, b)

    def maximum(self, a: Any, b: Any) -> Any:
        """Elementwise maximum of two scalars."""
        return self._numbers.maximum(a, b)

    def sqrt(self, s: Any) -> Any:
        """Square root; exact engines then work in ball arithmetic."""
        return self._numbers.sqrt(s)

    def exp(self, s: Any) -> Any:
        """Exponential; exact engines then work in ball arithmetic."""
        return self._numbers.exp(s)

    def log(self, s: Any) -> Any:
        """Natural logarithm; exact engines then work in ball arithmetic."""
        return self._numbers.log(s)
