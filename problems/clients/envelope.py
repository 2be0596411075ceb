"""Moreau envelopes of a problem's clients: ``F_i(w) = min_theta f_i(theta) + lam_i/2 |theta - w|^2``.

Source: C. T. Dinh, N. H. Tran, T. D. Nguyen, pFedMe, arXiv:2006.08848, (3) and Proposition 1.

With theta = prox(w) the gradient is lam (w - theta), and the Hessian is lam H (H + lam)^{-1}, H the Hessian of f_i at
theta. That is an increasing function of H, and every theta is the prox of w = theta + grad f_i(theta)/lam. So curvature
mu_i to L_i of f_i becomes exactly lam mu_i/(lam + mu_i) to lam L_i/(lam + L_i), attained where the ends of f_i are.
Proposition 1 has L_F = lam, the limit L_i = inf.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from fedtheory._arrays import to_host
from fedtheory.problem import Constants, Problem

from . import newton
from .base import Clients, checked_penalty, floor_of, name_of
from .spectra import hessian_block

INNER = 1e-13  # relative residual of an inner solve by conjugate gradients


class Envelope(Clients):
    """The Moreau envelope of every client; a problem itself.

    Parameters
    ----------
    problem : Problem
        With prox.
    lam : float or array (m,)
        Penalty, above -mu_i.

    Raises
    ------
    UsageError
        If a penalty is not above -mu_i, so that the prox would not be unique.

    Examples
    --------
    >>> from problems.clients.quadratic import QuadraticClients
    >>> F = Envelope(QuadraticClients([[[1.0]], [[3.0]]], [[0.0], [0.0]]), 3.0)
    >>> F.constants().L_i, F.constants().mu
    (array([0.75, 1.5 ]), 0.75)
    """

    def __init__(self, problem: Problem, lam: Any) -> None:
        self.problem = problem
        self.xp, self.device, self.m, self.d, self.n = problem.xp, problem.device, problem.m, problem.d, problem.n
        checked = checked_penalty(problem, "prox", lam)
        self._last: tuple[Any, Any] | None = None
        self.lam = checked + self.xp.zeros((self.m,), dtype=checked.dtype, device=self.device)

    @property
    def name(self) -> str:
        """The class as typed."""
        return f"Envelope({name_of(self.problem)})"

    @property
    def floor(self) -> Any:
        """A lower bound on mu_F that costs nothing."""
        lam = to_host(self.lam)
        mu = np.asarray(floor_of(self.problem))
        mu = mu if (lam + mu > 0).all() else self.problem.constants().mu_i
        return lam * mu / (lam + mu)

    def _prox(self, W: Any) -> Any:
        """The prox of every client; the last one is kept, for value, gradient and Hessian are asked for at one point."""
        if self._last is None or self._last[0].shape != W.shape or not bool(self.xp.all(self._last[0] == W)):
            self._last = (W + 0, self.problem.prox(W, self.lam))  # a copy: the caller may write into its own
        return self._last[1]

    def value_and_grad(self, W: Any) -> tuple[Any, Any]:
        """F_i(w_i) and lam (w_i - prox(w_i))."""
        Theta = self._prox(W)
        G = (W - Theta) * self.lam[:, None]
        return self.problem.value(Theta) + self.xp.sum(G * G, axis=-1) / (2 * self.lam), G

    def value(self, W: Any) -> Any:
        """F_i(w_i), ``(..., m)``."""
        return self.value_and_grad(self.point("value", W))[0]

    def grad(self, W: Any, rows: Any = None) -> Any:
        """lam (w_i - prox(w_i)), ``(..., m, d)``; with `rows` of the envelope of the minibatch."""
        if rows is not None:
            return self.minibatch(rows).grad(W)
        return (W - self._prox(self.point("grad", W))) * self.lam[:, None]

    def hessian_product(self, W: Any, V: Any, rows: Any = None) -> Any:
        """lam H (H + lam)^{-1} v_i with H the Hessian of f_i at prox(w_i), ``(..., m, d)``."""
        if rows is not None:
            return self.minibatch(rows).hessian_product(W, V)
        Theta, shift = self._prox(self.point("hessian_product", W)), self.lam[:, None]
        V = self.point("hessian_product", V) + self.xp.zeros_like(Theta)
        return shift * self.problem.hessian_product(Theta, newton.solve(self.problem, Theta, shift, V, forcing=INNER))

    def hessian(self, W: Any) -> Any:
        """lam H (H + lam)^{-1}, ``(..., m, d, d)``."""
        xp = self.xp
        H = self.problem.hessian(self._prox(self.point("hessian", W)))
        lam = self.lam[:, None, None]
        out = lam * xp.linalg.solve(H + lam * xp.eye(self.d, dtype=H.dtype, device=self.device), H)
        return (out + out.mT) / 2

    def mean_hessian(self, w: Any) -> Any:
        """Hessian of the mean over clients at one point w ``(1, d)``, ``(d, d)``; a block of clients at a time."""
        xp, size = self.xp, hessian_block(self.d)
        out = xp.zeros((self.d, self.d), dtype=w.dtype, device=self.device)
        for lo in range(0, self.m, size):
            some = self if size >= self.m else self.subset(np.arange(lo, min(lo + size, self.m)))
            out = out + xp.sum(some.hessian(w), axis=0)
        return out / self.m

    def prox(self, W: Any, lam: Any) -> Any:
        """The minimiser of F_i(u) + lam/2 |u - w_i|^2, ``(..., m, d)``: one prox of f_i with the two penalties in series."""
        W, outer = self.point("prox", W), self.penalty("prox", lam)
        both = self.lam + outer
        Theta = self.problem.prox(W, self.lam * outer / both)
        return (Theta * self.lam[:, None] + W * outer[:, None]) / both[:, None]

    def minibatch(self, rows: Any) -> Envelope:
        """The envelope of the minibatch; `rows` is ``(m, b)``."""
        return Envelope(self.problem.minibatch(rows), self.lam)

    def _select(self, clients: np.ndarray) -> Envelope:
        chosen = self.xp.take(self.lam, self.xp.asarray(clients, device=self.device), axis=0)
        return Envelope(self.problem.subset(clients), chosen)

    @cached_property
    def _constants(self) -> Constants:
        of, lam = self.problem.constants(), to_host(self.lam)
        mu_i = lam * of.mu_i / (lam + of.mu_i)
        upper = np.where(np.isinf(of.L_i), lam, lam / (1 + lam / np.where(of.L_i == 0, 1, of.L_i)))
        upper = np.where(of.L_i == 0, 0, upper)
        how = f"lam L_i/(lam + L_i) and lam mu_i/(lam + mu_i), attained as those of f_i: {of.how}"
        return Constants(np.maximum(upper, -mu_i), mu_i, how)
