"""When and how much DA-DPFL prunes: detection score and vote, pruning times, pruning by the PQ index.

References: DA-DPFL, Section IV-C and Algorithm 2; E. Diao et al., Pruning Deep Neural Networks from a Sparsity Perspective, ICLR
2023, arXiv:2302.05601 (the PQ index and the bound on what is kept).

Readings, the printed one first; the default is the first that runs and does not contradict the text:

- vote ``below``: t* is the first round in which the mean vote is below delta_v, which is round 1 always, as every score of round 1
  is 1; ``at-least``: the first one in which it is not below.
- delta ``squared``: Delta_0^t = |omega^t - omega^0|^2, (4); ``plain``: the length itself, as coded.
- intervals ``printed``: (6); ``coded``: every interval from the rounded one before.
- exponent ``printed``: (1/d)^(1/q - 1/p), for which the index is about -10^6 and nothing is ever pruned; ``usual``: d^(1/q - 1/p).
- bound ``printed``: (1 - I)^(p/(q - p)); ``derived``: (1 - I)^(p q/(q - p)), the same at the paper's q = 1.
- zeros ``kept``: s_k of line 18 is the share of weights that are not zero, as Section III says, and pruning goes on the longer the
  less is left; ``zero``: the share of zeros, as the tables have it.

The print asks for p <= 1 < q and takes q = 1; any 0 < p < q is taken here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from array_api_compat import array_namespace

from ..checks import require_between, require_one_of, require_positive
from ..errors import UsageError
from ..method import Option
from ..problem import Layer
from .masks import by_layer, kept, masked, prune, sparsity, whole_part

if TYPE_CHECKING:
    from ..quantity import Array, Values

VOTES = ("below", "at-least")
DELTAS = ("squared", "plain")
INTERVALS = ("printed", "coded")
EXPONENTS = ("printed", "usual")
BOUNDS = ("printed", "derived")
SHARES = ("kept", "zero")


@dataclass(frozen=True, kw_only=True)
class Pruning:
    """Hyper-parameters of the further pruning, with the values of Section VI-A4.

    Parameters
    ----------
    delta_pr, delta_v : number
        A client votes where its score is below delta_pr; delta_v is the share of votes that decides.
    b, c : number
        Delay and factor of the intervals (6).
    p, q, eta_c, gamma, beta : number
        Of Algorithm 2; beta is not printed, 0.9 is coded.
    target : number
        Nothing is pruned once s_k has reached s*; 0.8 is that of Section VI-D1.
    vote, delta, intervals, exponent, bound, share : str
        Readings, see above.

    Examples
    --------
    >>> Pruning(p=1.0, q=1.0)
    Traceback (most recent call last):
    fedtheory.errors.UsageError: Pruning(q=...) must be above p = 1.0, got 1.0.
    """

    delta_pr: float = 0.02
    delta_v: float = 0.5
    b: float = 0
    c: float = 1.3
    p: float = 0.5
    q: float = 1.0
    eta_c: float = 1.0
    gamma: float = 0.9
    beta: float = 0.9
    target: float = 0.8
    vote: str = "at-least"
    delta: str = "squared"
    intervals: str = "printed"
    exponent: str = "usual"
    bound: str = "printed"
    share: str = "zero"

    def __post_init__(self) -> None:
        for name in ("delta_pr", "delta_v", "c", "p", "q", "gamma", "beta", "target"):
            require_positive(f"Pruning({name}=...)", getattr(self, name))
        for name in ("b", "eta_c"):
            require_between(f"Pruning({name}=...)", getattr(self, name), 0, math.inf)
        for name in ("delta_v", "gamma", "beta", "target"):
            if getattr(self, name) > 1:
                raise UsageError(f"Pruning({name}=...) must be at most 1, got {getattr(self, name)}.")
        if not self.p < self.q:
            raise UsageError(f"Pruning(q=...) must be above p = {self.p}, got {self.q}.")
        for name, known in READINGS.items():
            require_one_of(f"Pruning({name}=...)", getattr(self, name), known)

    def distance(self, W: Array, W0: Array) -> Array:
        """Delta_0^t of every client, ``(m,)``, (4)."""
        xp = array_namespace(W)
        found = xp.sum((W - W0) ** 2, axis=-1)
        return found if self.delta == "squared" else xp.sqrt(found)

    def votes(self, now: np.ndarray, before: np.ndarray, first: np.ndarray) -> np.ndarray:
        """The votes (5) from Delta_0^t, Delta_0^(t-1) and Delta_0^1, ``(m,)`` bool; who has never moved does not vote."""
        return np.abs(now - before) < self.delta_pr * np.abs(first)

    def score(self, now: np.ndarray, before: np.ndarray, first: np.ndarray) -> float:
        """The mean over clients of the detection scores (4); of who has never moved 0."""
        return float(np.mean(np.abs(now - before) / np.where(first != 0, np.abs(first), math.inf)))

    def decides(self, votes: np.ndarray) -> bool:
        """Whether a round with these votes is t*, if it is the first one."""
        enough = bool(np.mean(votes) >= self.delta_v)
        return enough if self.vote == "at-least" else not enough

    def due(self, t: int, first: int, T: int) -> bool:
        """Whether round t is a pruning time after t* = `first`, which is 0 as long as there is none."""
        return bool(first) and t in pruning_times(first, T, self.b, self.c, self.intervals)

    def pruned(self, layers: Sequence[Layer], W: Array, mask: Array) -> Array:
        """The masks after Algorithm 2; those of clients with s_k >= s* as they are."""

        def of_layer(own: Array, w: Array) -> Array:
            drop = pq_drop(
                w, own, p=self.p, q=self.q, eta_c=self.eta_c, gamma=self.gamma, beta=self.beta,
                exponent=self.exponent, bound=self.bound,
            )  # fmt: skip
            return prune(w, own, drop)

        s = sparsity(mask, layers)
        open_ = (s if self.share == "zero" else 1 - s) < self.target  # Alg. 1, line 18
        return array_namespace(mask).where(open_, by_layer(layers, of_layer, mask, W), mask)


READINGS = {
    "vote": VOTES, "delta": DELTAS, "intervals": INTERVALS, "exponent": EXPONENTS, "bound": BOUNDS, "share": SHARES,
}  # fmt: skip


def pq_index(W: Array, mask: Array, p: float, q: float, exponent: str = "usual") -> Array:
    """I = 1 - d^e |w|_p/|w|_q of the d kept coordinates of every row, ``(m, 1)``; 0 for a row of zeros.

    The usual exponent is e = 1/q - 1/p, for which 0 <= I < 1; Algorithm 2 of DA-DPFL prints (1/d)^(1/q - 1/p), which is
    e = 1/p - 1/q.

    Examples
    --------
    >>> W, mask = np.array([[1.0, 1.0, 0.0]]), np.array([[True, True, False]])
    >>> pq_index(W, mask, 0.5, 1).round(3).tolist(), pq_index(W, mask, 0.5, 1, "printed").round(3).tolist()
    ([[0.0]], [[-3.0]])
    """
    xp = array_namespace(W)
    size = xp.abs(masked(W, mask))
    top = xp.max(size, axis=-1, keepdims=True)
    size = size / xp.where(top > 0, top, xp.ones_like(top))  # the index does not depend on the scale
    d = xp.astype(kept(mask), W.dtype)
    norms = [xp.sum(size**r, axis=-1, keepdims=True) ** (1 / r) for r in (p, q)]
    e = 1 / q - 1 / p if exponent == "usual" else 1 / p - 1 / q
    some = top > 0
    ratio = norms[0] / xp.where(some, norms[1], xp.ones_like(top))
    return xp.where(some, 1 - xp.where(some, d, xp.ones_like(d)) ** e * ratio, xp.zeros_like(top))


def pq_drop(
    W: Array,
    mask: Array,
    *,
    p: float,
    q: float,
    eta_c: float,
    gamma: float,
    beta: float,
    exponent: str = "usual",
    bound: str = "printed",
) -> Array:
    """How many coordinates Algorithm 2 of DA-DPFL prunes of a layer, ``(m, 1)``: its lines 5 to 9.

    The bound r on the kept ones is d (1 + eta_c)^(-q/(q - p)) (1 - I)^(p/(q - p)) as printed; Hoelder's inequality gives the power
    p q/(q - p), the same at q = 1. Where r is above d, nothing is pruned.
    """
    xp = array_namespace(W)
    d = xp.astype(kept(mask), W.dtype)  # line 5
    index = pq_index(W, mask, p, q, exponent)  # line 6
    power = p / (q - p) if bound == "printed" else p * q / (q - p)
    share = (1 + eta_c) ** (-q / (q - p)) * (1 - index) ** power  # line 7: r/d
    least = xp.minimum(gamma * (1 - share), xp.full_like(share, beta))  # line 9
    return xp.maximum(whole_part(d * least), xp.zeros_like(kept(mask)))


@cache
def pruning_times(first: int, T: int, b: object, c: object, intervals: str = "printed") -> tuple[int, ...]:
    """The rounds after t* = `first` and before T in which Algorithm 2 is called.

    "printed": t_p = I_1 + ... + I_p with I_tau = ceil((t* + b)/c^(tau - 1)), eq. (6). "coded": after t* every interval is the
    one before, increased by b, divided by c, rounded, and at least 1; the first has t* before it.

    Examples
    --------
    >>> pruning_times(10, 40, 0, 1.3), pruning_times(10, 40, 0, 1.3, "coded")
    ((18, 24, 29, 33, 36, 39), (18, 24, 29, 33, 36, 38))
    """
    found, t, interval = [], 0, 0
    if intervals == "coded":
        t, interval = first, first
    b, c = Fraction(str(b)), Fraction(str(c))  # a ceiling of floats is one too many where a quotient is whole
    for tau in range(1, T + 1):
        if intervals == "coded":
            interval = max(1, math.floor((interval + b) / c + Fraction(1, 2)))
        elif interval != 1 or c < 1:  # once it is 1 it stays 1
            interval = math.ceil((first + b) / c ** (tau - 1))
        t += interval
        if t >= T:
            break
        if t > first:
            found.append(t)
    return tuple(found)


def pruning_options() -> dict[str, Option]:
    """The options of the further pruning."""
    d = Pruning()
    found = {
        "delta-pr": Option("positive", "a client votes where its detection score (4) is below it", d.delta_pr),
        "delta-v": Option("share", "share of the votes that decides", d.delta_v),
        "vote": Option("choice", "t* is the first round with a share of votes below delta-v, or of at least it", d.vote, VOTES),
        "delta": Option("choice", "Delta of (4): the squared or the plain length", d.delta, DELTAS),
        "b": Option("least 0", "delay b of the intervals (6)", d.b),
        "c": Option("positive", "factor c of the intervals (6)", d.c),
        "intervals": Option("choice", "intervals of (6), or each from the rounded one before", d.intervals, INTERVALS),
        "p": Option("positive", "p of the PQ index", d.p),
        "q": Option("positive", "q of the PQ index", d.q),
        "exponent": Option("choice", "exponent of the PQ index; as printed nothing is pruned", d.exponent, EXPONENTS),
        "bound": Option("choice", "power of 1 - I in the bound on what is kept; they differ for other q than 1", d.bound, BOUNDS),
        "eta-c": Option("least 0", "eta_c of Algorithm 2", d.eta_c),
        "gamma": Option("share", "gamma of Algorithm 2", d.gamma),
        "beta": Option("share", "largest share of a layer that is pruned at once", d.beta),
        "target": Option("share", "sparsity s* at which pruning ends", d.target),
        "share": Option("choice", "what s_k is the share of, weights that are kept or zero", d.share, SHARES),
    }  # fmt: skip
    flag = Option("flag", "whether masks are pruned further; without it the density stays", True)
    return {"further": flag, **{name: option._replace(only_with="further") for name, option in found.items()}}


def pruning_of(o: Values) -> Pruning | None:
    """The further pruning of the options; None where there is none."""
    if not o["further"]:
        return None
    names = ("delta-pr", "delta-v", "b", "c", "p", "q", "eta-c", "gamma", "beta", "target", *READINGS)
    return Pruning(**{name.replace("-", "_"): o[name] for name in names})
