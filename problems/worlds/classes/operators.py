"""Operators: monotone, strongly monotone, cocoercive, Lipschitz, nonexpansive.

A body writes ``x.f.grad(w)`` for the value of the operator at w and ``x.f.prox(w, lam)`` for the resolvent, the theta with
``theta + A(theta)/lam = w``; with ``optimum_of="f"`` the mean of the operators vanishes at ``x.w_star``. There are no function
values. With ``u = x - y`` and ``v = A x - A y``, for every pair of points,

    mu-strongly monotone:  <v, u> >= mu |u|^2  (mu = 0: monotone),
    beta-cocoercive:       <v, u> >= beta |v|^2,
    L-Lipschitz:           |v|^2 <= L^2 |u|^2  (L = 1: nonexpansive).

Each by itself is necessary and sufficient: a monotone set of pairs lies in a maximal monotone operator (H. Bauschke, P.
Combettes, Convex Analysis and Monotone Operator Theory in Hilbert Spaces, 2nd edition 2017, Theorem 20.21); ``A - mu I`` and
``A^-1 - beta I`` are monotone where A is strongly monotone and cocoercive; and Lipschitz maps extend (M. Kirszbraun, Fundamenta
Mathematicae 22, 1934). Two of them together are only necessary: E. Ryu, A. Taylor, C. Bergeling, P. Giselsson, Operator
splitting performance estimation, SIAM Journal on Optimization 30 (2020), Section 2 (no operator need have both).
The class says so, and no search supports a claim about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedtheory.errors import NotApplicable
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.relation import Relation, eq, le

from ..quadratics import per_client
from ..tabled import DATA, tabled_clients
from ..tabled import READING as TABLED_READING
from .base import FunctionClass, Known, Task
from .turns import Turned, Turns, at_zero, on_circle, turning


@dataclass(frozen=True)
class Operator(Turns):
    """Operators with some of the three bounds; `mu`, `beta` and `L` name scalars, or are whole numbers."""

    name: str
    mu: str | int | None = None
    beta: str | int | None = None
    L: str | int | None = None
    maps: bool = False  # points to points, so that L is a number

    operator: ClassVar[bool] = True
    valued: ClassVar[bool] = False
    bounded_below: ClassVar[bool] = False

    @property
    def sufficient(self) -> bool:
        """Whether there is one bound alone."""
        return sum(bound is not None for bound in (self.mu, self.beta, self.L)) <= 1

    @property
    def source(self) -> str:
        """Where it is shown."""
        if self.sufficient:
            return "Bauschke, Combettes (2017), Theorem 20.21; Kirszbraun (1934)"
        return "Ryu, Taylor, Bergeling, Giselsson (2020), Section 2"

    @property
    def needs(self) -> tuple[str, ...]:
        """The scalars that its bounds name."""
        return tuple(bound for bound in (self.mu, self.beta, self.L) if isinstance(bound, str))

    @property
    def bounded(self) -> bool:
        """Whether the operator is Lipschitz, so that what is drawn is a part of what is allowed."""
        return self.L is not None or self.beta is not None

    def of(self, x: Any) -> tuple[Any, Any, Any]:
        """(mu, beta, L) on the instance's numbers, None where there is none."""
        mu, beta, L = (getattr(x, b) if isinstance(b, str) else b for b in (self.mu, self.beta, self.L))
        return mu, beta, L

    def conditions(self, x: Any) -> list[Relation]:
        """``mu <= L`` and ``beta mu <= 1`` where both are there: else no operator has two different points."""
        mu, beta, L = self.of(x)
        out = [le(mu, L, "mu <= L")] if mu is not None and L is not None else []
        return out + ([le(mu * beta, 1, "mu beta <= 1")] if mu is not None and beta is not None else [])

    def bounds(self, x: Any) -> tuple[Any, Any]:
        """Of what a monotone part adds to the identity in a resolvent, and whether there is one value at a point."""
        mu, beta, L = self.of(x)
        low = mu if mu is not None else -L if L is not None and beta is None else 0
        return low, L if L is not None else beta

    def inequalities(self, x: Any, client: Known) -> Iterator[tuple[str, Any]]:
        """Every bound at every pair of points; monotone where there is none."""
        mu, beta, L = (client.own(bound) for bound in self.of(x))
        for a, (w, g, _) in enumerate(client.points):
            for b, (z, h, _) in enumerate(client.points[:a]):
                u, v = w - z, g - h
                if mu is not None:
                    yield f"{a} {b} monotone", client.dot(v, u) - client.dot(u, u) * mu
                elif beta is None and L is None:
                    yield f"{a} {b} monotone", client.dot(v, u)
                if beta is not None:
                    yield f"{a} {b} cocoercive", client.dot(v, u) - client.dot(v, v) * beta
                if L is not None:
                    yield f"{a} {b} Lipschitz", client.dot(u, u) * (L * L) - client.dot(v, v)

    def clients(self, x: Instance, data: Mapping[str, Any], numbers: Numbers, task: Task) -> tuple[Any, list[Relation]]:
        """Affine operators that stretch and turn, with the exact conditions of membership."""
        if DATA[0] in data:
            return tabled_clients(self, x, data, numbers, task)
        if task.lam is not None or task.diversity:
            raise NotApplicable("operators have no envelopes and no bound on their diversity")
        clients = turning(*self._parts(x, data), data, numbers)
        given = self.membership_of(clients, x)
        if task.optimum_of:
            clients = at_zero(clients, x)
            given.append(eq(x.sq(x.mean_vec(clients.grad(clients.center))), 0, "w_star is a zero"))
        return clients, given

    def _parts(self, x: Any, data: Mapping[str, Any]) -> tuple[Any, Any]:
        """a and b of every client, ``(..., m, 1)``."""
        mu, beta, L = (b if b is None else per_client(b) for b in self.of(x))
        r, t = data["stretch"], data["turn"]
        c, s = on_circle(t)
        if mu is not None and L is not None:
            a = r * (L - mu) + mu
            return a, s * (L - a)
        if beta is not None:
            inverse = 1 / beta if mu is None else 1 / beta - mu
            return (inverse * (1 + r * c) / 2, inverse * (r * s) / 2) if mu is None else (r * inverse + mu, r * 0)
        if L is not None:
            return r * c * L, r * s * L
        return (r, t) if mu is None else ((1 + r) * mu, t * mu)

    def membership_of(self, clients: Turned, x: Any) -> list[Relation]:
        """The conditions, exact on any such client, under which it is in the class."""
        mu, beta, L = (b if b is None else per_client(b) for b in self.of(x))
        a, whole = clients.a, clients.a * clients.a + clients.b * clients.b * clients.area_sq()
        out = []
        if mu is not None or (beta is None and L is None):
            out.append(le(0 if mu is None else mu, a, "monotone"))
        if beta is not None:
            out += [le(whole * beta, a, "cocoercive"), le(a * a * beta, a, "cocoercive")]
        if L is not None:
            out.append(le(whole, L * L, "Lipschitz"))
        return out

    def tabled(self, optimum: bool) -> str:
        """How to read operators that are known at points alone."""
        return (
            TABLED_READING.format(source=self.source) + " They are operators: what is called a gradient is their value."
        )

    # given clients

    def measured(self, problem: Any) -> dict[str, tuple[np.ndarray, Callable[..., Any]]]:
        """Nothing: data give functions."""
        return {}

    def membership(self, x: Any, problem: Any) -> list[Relation]:
        """Nothing, since none are taken."""
        return []

    def refused(self, problem: Any) -> str:
        """Clients that are given by data are functions."""
        return "the claim is about operators"


def Monotone() -> FunctionClass:
    """Maximal monotone."""
    return Operator("monotone operators")


def StronglyMonotone(mu: str = "mu") -> FunctionClass:
    """Maximal and mu-strongly monotone."""
    return Operator("strongly monotone operators", mu=mu)


def Cocoercive(beta: str = "beta") -> FunctionClass:
    """beta-cocoercive, so 1/beta-Lipschitz and monotone."""
    return Operator("cocoercive operators", beta=beta)


def LipschitzOperator(L: str = "L") -> FunctionClass:
    """L-Lipschitz."""
    return Operator("Lipschitz operators", L=L)


def LipschitzMap(L: str = "L") -> FunctionClass:
    """L-Lipschitz maps of points to points, contractions where L < 1."""
    return Operator("Lipschitz maps", L=L, maps=True)


def Nonexpansive() -> FunctionClass:
    """1-Lipschitz maps of points to points."""
    return Operator("nonexpansive maps", L=1, maps=True)


def LipschitzStronglyMonotone(mu: str = "mu", L: str = "L") -> FunctionClass:
    """mu-strongly monotone and L-Lipschitz; only necessary inequalities are known."""
    return Operator("Lipschitz strongly monotone operators", mu=mu, L=L)


def LipschitzMonotone(L: str = "L") -> FunctionClass:
    """Monotone and L-Lipschitz; only necessary inequalities are known."""
    return Operator("Lipschitz monotone operators", mu=0, L=L)


def CocoerciveStronglyMonotone(mu: str = "mu", beta: str = "beta") -> FunctionClass:
    """mu-strongly monotone and beta-cocoercive; only necessary inequalities are known."""
    return Operator("cocoercive strongly monotone operators", mu=mu, beta=beta)
