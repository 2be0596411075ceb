"""The local stochastic step that several methods share: minibatches, passes or steps, momentum, weight decay, step decay.

Momentum is Polyak's, z^{h+1} = z^h - eta g_i(z^h) + beta (z^h - z^{h-1}) with z^{-1} = z^0, written with the buffer
v <- beta v + g, z <- z - eta v, which is the same as eta is constant within a round; it starts anew each round. Weight decay
adds weight_decay z to the gradient. Round t = 0, 1, ... has the step size eta decay^t.

What "5 local epochs" are is open: E passes over the samples (`passes`), or E steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

import numpy as np
from array_api_compat import array_namespace

from .._arrays import add_scaled, moved
from ..checks import require_between, require_count, require_flag, require_positive
from ..errors import UsageError
from ..method import Option
from ..problem import Functions
from .participation import BATCH, Participants, require_participation
from .passes import UNITS, draw_batches, steps_of
from .passes import Batches as LocalDraws

if TYPE_CHECKING:
    from ..quantity import Array, Quantity, Values

Direction = Callable[[Functions, "Array"], "Array"]


@dataclass(frozen=True)
class Local:
    """Hyper-parameters of the local steps.

    Parameters
    ----------
    eta : number
        Step size of the first round.
    E : int
        Local steps, or passes over the client's samples.
    passes : bool
        Whether E counts passes.
    batch, replace : int, bool
        Samples of a minibatch (None takes full gradients), in steps drawn with replacement or without.
    momentum, weight_decay : number
        From 0, momentum below 1.
    decay : number
        Of the step size a round, at most 1.

    Examples
    --------
    >>> Local(0.1, 5, momentum=1)
    Traceback (most recent call last):
    fedtheory.errors.UsageError: Local(momentum=...) must be at least 0 and below 1, got 1.
    """

    eta: Quantity
    E: int = 1
    _: KW_ONLY
    passes: bool = False
    batch: int | None = None
    replace: bool = True
    momentum: Quantity = 0
    weight_decay: Quantity = 0
    decay: float = 1

    def __post_init__(self) -> None:
        require_positive("Local(eta=...)", self.eta)
        require_count("Local(E=...)", self.E, 1)
        require_flag("Local(passes=...)", self.passes)
        require_participation("Local", None, self.batch, self.replace)
        require_between("Local(momentum=...)", self.momentum, 0, 1)
        require_between("Local(weight_decay=...)", self.weight_decay, 0, float("inf"))
        require_positive("Local(decay=...)", self.decay)
        if self.decay > 1:
            raise UsageError(f"Local(decay=...) must be at most 1, got {self.decay}.")

    def size(self, t: int) -> Quantity:
        """The step size of round t, counted from 0."""
        return self.eta if self.decay == 1 else self.eta * self.decay**t

    def each(self, problem: Functions) -> np.ndarray:
        """Steps of each client in a round, ``(m,)``."""
        return steps_of(problem, self.E, self.passes, self.batch)

    def draw(self, problem: Functions, stream: np.random.Generator, call: str = "Local") -> LocalDraws:
        """A minibatch for every client and step; of passes, the samples of each client in an order of their own.

        A complaint is about an argument of `call`, which is what was made with it.

        Raises
        ------
        UsageError
            If a client has fewer samples than a minibatch of a pass.
        """
        return draw_batches(stream, call, problem, self.E, self.batch, self.replace, self.passes)

    def gradient(self, f: Functions, Z: Array, direction: Direction | None = None) -> Array:
        """The gradient, or another `direction` ``(f, Z)``, of the samples of f at Z, with weight decay; an array of its own."""
        G = f.grad(Z) if direction is None else direction(f, Z)
        return G + Z * self.weight_decay if self.weight_decay else G

    def run(self, work: Participants, Z: Array, draws: LocalDraws, t: int, direction: Direction | None = None) -> Array:
        """The iterates ``(..., m, d)`` of the clients at work after all local steps of round t, from Z.

        `direction` ``(f, Z)`` takes the place of the gradient: of a problem on a minibatch, at Z, in an array of its own.
        """
        eta, V = self.size(t), None
        for h in range(self.E if draws.rows is None else len(draws.rows)):
            G = self.gradient(work.batch(draws.rows, h), Z, direction)
            waits = draws.active is not None and not draws.active[h].all()  # a client waits with all that it has
            if self.momentum and V is not None:
                G = G + V * self.momentum if waits else add_scaled(G, self.momentum, V)
            if waits:
                own = draws.active[h] if work.index is None else draws.active[h][work.index]
                xp, active = array_namespace(G), moved(own[:, None], G)
                V = G if V is None else xp.where(active, G, V)
                Z = xp.where(active, Z - G * eta, Z)
            else:
                V = G
                Z = Z - G * eta if self.momentum else add_scaled(Z, -eta, G)
        return Z


def local_options(eta: float = 0.1, E: int = 5, momentum: float | None = 0.0) -> dict[str, Option]:
    """The options of the local steps, with the values of DA-DPFL's experiments; without momentum for None."""
    found = {
        "eta": Option("positive", "step size of the first round", eta),
        "decay": Option("share", "factor of the step size a round", 0.998),
        "E": Option("count", "local passes or steps", E),
        "unit": Option("choice", "what E counts, passes over the client's samples or steps", "passes", UNITS),
        "momentum": Option("[0, 1)", "Polyak's momentum of the local steps, from zero each round", momentum),
        "weight-decay": Option("least 0", "weight decay, added to every gradient", 5e-4),
        **BATCH,
    }
    return {name: option for name, option in found.items() if name != "momentum" or momentum is not None}


def local_of(o: Values) -> Local:
    """The local steps of the options."""
    return Local(
        o["eta"], o["E"], passes=o["unit"] == "passes", batch=o["batch"], momentum=o.get("momentum", 0),
        weight_decay=o["weight-decay"], decay=o["decay"],
    )  # fmt: skip
