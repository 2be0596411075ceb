"""Classes of one's own: which search clients are made for them, and whether those of a witness are of the class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fedtheory.errors import NotApplicable

from .base import FunctionClass, Known

OWN = ("clients", "inequalities")  # what makes a class another one


def ours(f: FunctionClass) -> bool:
    """Whether a class is one of these files, whose clients are of it by what they say."""
    return type(f).__module__.startswith("problems.")


def made_for(f: Any, kind: str) -> Callable[[], FunctionClass] | None:
    """How a class makes another one with more search clients; None where one below it has clients or inequalities of its own."""
    for c in type(f).__mro__:
        if kind in vars(c):
            return getattr(f, kind)  # type: ignore[no-any-return]
        if any(name in vars(c) for name in OWN):
            return None
    return None


class Looked:
    """Clients that note where a body looks at them."""

    def __init__(self, problem: Any) -> None:
        self._problem, self._at = problem, []  # type: ignore[var-annotated]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._problem, name)

    def value(self, W: Any) -> Any:
        """As the clients have it."""
        self._at.append(W)
        return self._problem.value(W)

    def grad(self, W: Any) -> Any:
        """As the clients have it."""
        self._at.append(W)
        return self._problem.grad(W)

    def breaks(self, world: Any, x: Any) -> str:
        """The first inequality of the class that a client does not meet at these points and at those of the world, by its name."""
        f = self._problem
        points = [*self._at, *(getattr(x, k) for k in (*world.at, *world.clients_at))]
        points += [x.w_star] if world.optimum_of else []
        valued = getattr(world.f, "valued", True)  # operators have no values
        values = [
            np.ravel(f.value(W)) if valued else np.zeros(len(np.atleast_2d(f.grad(W))), dtype=object) for W in points
        ]
        whole = [(np.atleast_2d(W), np.atleast_2d(f.grad(W)), v) for W, v in zip(points, values, strict=True)]
        infimum = np.ravel(f.infimum()) if world.f.bounded_below else None
        for i in range(len(whole[0][2]) if whole else 0):
            known = [tuple(part[i if len(part) > 1 else 0] for part in one) for one in whole]
            client = Known(i, known, None if infimum is None else infimum[i], lambda u, v: x.dot(u[None], v[None])[0])
            try:
                for label, form in world.f.inequalities(x, client):
                    if _negative(form):
                        return label
            except NotApplicable:  # such as a form that asks for multipliers
                return ""
        return ""


def _negative(form: Any) -> bool:
    """Whether an exact number, or every number of a ball, is below 0."""
    return bool(np.ravel(np.asarray(form, dtype=object))[0] < 0)
