"""What all float-array clients share: checks of points and penalties, the prox by Newton, kept constants."""

from __future__ import annotations

import math
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
from array_api_compat import array_namespace

from fedtheory._arrays import to_host
from fedtheory.errors import UsageError
from fedtheory.problem import Constants, Layer, Optimum

from . import newton
from .store import checked_clients, checked_rows


class Clients:
    """Defaults of a `Problem`; a class of clients adds value, gradient, Hessian and its constants."""

    m: int
    d: int
    xp: Any
    device: Any
    n: np.ndarray
    _last: tuple[np.ndarray, Any] | None = None  # the last subset and its problem

    @property
    def floor(self) -> Any:
        """A lower bound on mu_i that costs nothing, a number or ``(m,)`` on the host."""
        return 0.0

    @property
    def layers(self) -> tuple[Layer, ...]:
        """What the d coordinates are: one vector here."""
        return (Layer("w", slice(0, self.d), (self.d,)),)

    def value(self, W: Any) -> Any:
        """f_i(w_i), ``(..., m)``."""
        raise NotImplementedError

    def grad(self, W: Any, rows: Any = None) -> Any:
        """Gradient of f_i at w_i, ``(..., m, d)``; with `rows` that of the minibatch."""
        raise NotImplementedError

    def value_and_grad(self, W: Any) -> tuple[Any, Any]:
        """Both at once, for a class that can share their work."""
        return self.value(W), self.grad(W)

    def hessian_product(self, W: Any, V: Any, rows: Any = None) -> Any:
        """Hessian of f_i at w_i times v_i, ``(..., m, d)``."""
        raise NotImplementedError

    def hessian(self, W: Any) -> Any:
        """Hessian of f_i at w_i, ``(..., m, d, d)``."""
        raise NotImplementedError

    def mean_hessian(self, w: Any) -> Any:
        """Hessian of the mean over clients at one point w ``(1, d)``, ``(d, d)``."""
        return self.xp.mean(self.hessian(w), axis=-3)

    def prox(self, W: Any, lam: Any) -> Any:
        """The minimiser of f_i(theta) + lam_i/2 |theta - w_i|^2, ``(..., m, d)``, by Newton's method to machine precision.

        Raises
        ------
        UsageError
            If a penalty lam_i is not above -mu_i, so that the minimiser would not be unique.
        """
        return newton.prox(self, self.point("prox", W), self.penalty("prox", lam))

    def residual(self, Theta: Any, W: Any, lam: Any) -> Any:
        """|grad f_i(theta_i) + lam_i (theta_i - w_i)|, ``(..., m)``."""
        lam = self.penalty("residual", lam)[:, None]
        Theta, W = self.point("residual", Theta), self.point("residual", W)
        return self.xp.sqrt(self.xp.sum((self.grad(Theta) + lam * (Theta - W)) ** 2, axis=-1))

    def constants(self) -> Constants:
        """L_i and mu_i; computed once."""
        return self._constants

    @cached_property
    def _constants(self) -> Constants:
        raise NotImplementedError

    def optimum(self) -> Optimum:
        """The minimiser of the mean over clients; computed once.

        Raises
        ------
        UsageError
            If there is none, or Newton's method does not find it.
        """
        if isinstance(self._optimum, UsageError):
            raise self._optimum.with_traceback(None)
        return self._optimum

    @cached_property
    def _optimum(self) -> Optimum | UsageError:
        try:
            return newton.optimum(self)
        except UsageError as error:  # also computed once: a run to nowhere takes all of Newton's steps
            return error

    def minibatch(self, rows: Any) -> Any:
        """The problem on gathered samples; these clients have one sample each, so it is the problem itself."""
        checked_rows(f"{self.name}.minibatch", rows, self.n)
        return self

    def subset(self, clients: Any) -> Any:
        """The problem of the selected clients, in the order given; the last one is kept for steps that select it again."""
        clients = checked_clients(f"{self.name}.subset", clients, self.m)
        if self._last is None or not np.array_equal(self._last[0], clients):
            self._last = (clients.copy(), self._select(clients))
        return self._last[1]

    def _select(self, clients: np.ndarray) -> Any:
        raise NotImplementedError

    @property
    def name(self) -> str:
        """The class as typed."""
        return type(self).__name__

    def point(self, call: str, W: Any) -> Any:
        """`W`, which has to be ``(..., m, d)`` or ``(..., 1, d)``."""
        return checked_point(self, call, W)

    def penalty(self, call: str, lam: Any) -> Any:
        """`lam` as an array ``(1,)`` or ``(m,)`` on the device, every entry above -mu_i."""
        return checked_penalty(self, call, lam)


def name_of(problem: Any) -> str:
    """A problem as it is called in messages."""
    return getattr(problem, "name", type(problem).__name__)


def floor_of(problem: Any) -> Any:
    """A lower bound on mu_i, a number or ``(m,)`` on the host; mu_i itself for a problem that states no cheaper one."""
    return problem.floor if hasattr(problem, "floor") else problem.constants().mu_i


def checked_point(problem: Any, call: str, W: Any) -> Any:
    """`W`, which has to be ``(..., m, d)`` or ``(..., 1, d)``.

    Raises
    ------
    UsageError
        If it has another shape.
    """
    shape: tuple[int, ...] = getattr(W, "shape", ())
    if len(shape) < 2 or shape[-1] != problem.d or shape[-2] not in (1, problem.m):
        rule = f"must be (..., {problem.m}, {problem.d}) or (..., 1, {problem.d})"
        raise UsageError(f"`{name_of(problem)}.{call}(W)` {rule}, got {tuple(shape)}.")
    return W


def checked_penalty(problem: Any, call: str, lam: Any) -> Any:
    """`lam` as an array ``(1,)`` or ``(m,)`` on the problem's device, every entry above -mu_i.

    Raises
    ------
    UsageError
        If it has another shape, is not finite, or leaves a minimiser that is not unique.
    """
    where, m = f"`{name_of(problem)}.{call}(lam=...)`", problem.m
    try:
        host = np.atleast_1d(np.asarray(float(lam) if isinstance(lam, Real) else to_host(lam), dtype=np.float64))
    except (TypeError, ValueError):
        raise UsageError(f"{where} must be a number or ({m},) numbers, got {lam!r}.") from None
    if host.shape not in ((1,), (m,)):
        raise UsageError(f"{where} must be a number or ({m},), got shape {host.shape}.")
    if not np.isfinite(host).all():
        raise UsageError(f"{where} must be finite, got {host[~np.isfinite(host)][0]}.")
    if not (host + floor_of(problem) > 0).all():
        mu_i = problem.constants().mu_i
        least = host + mu_i
        if not (least > 0).all():
            i = int(np.argmin(least))
            got = f"{float(np.broadcast_to(host, least.shape)[i])} where mu_i is {mu_i[i]}"
            raise UsageError(f"{where} must exceed -mu_i, so that the minimiser is unique, got {got}.")
    return problem.xp.asarray(host, device=problem.device)


def curvature_penalty(name: str, l2: Any) -> float:
    """`l2`, finite and not negative."""
    if not isinstance(l2, Real) or isinstance(l2, bool) or not math.isfinite(l2) or l2 < 0:
        raise UsageError(f"`{name}(l2=...)` must be finite and at least 0, got {l2!r}.")
    return float(l2)


def namespace(xp: Any) -> Any:
    """The array_api_compat namespace of `xp`; NumPy's if None."""
    return array_namespace((np if xp is None else xp).asarray([0.0]))


def reached(which: np.ndarray, exact: str, what: str) -> str:
    """In words, for which clients a constant is exact.

    Examples
    --------
    >>> reached(np.array([True, True]), "attained at w = 0", "one label")
    'attained at w = 0, since every client has one label'
    >>> reached(np.array([True, False]), "attained at w = 0", "one label")
    'attained at w = 0 for the 1 of 2 clients with one label, else a bound'
    """
    k, m = int(which.sum()), len(which)
    if k == m:
        return f"{exact}, since every client has {what}"
    return (
        f"{exact} for the {k} of {m} clients with {what}, else a bound"
        if k
        else f"only a bound, as no client has {what}"
    )
