"""Quantities of one global round of pFedMe as functions of an instance (arXiv:2006.08848, Section A.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ...relation import Relation, eq
from .constants import L_F, eta_tilde

if TYPE_CHECKING:
    from ...instance import Instance
    from ...quantity import Array, Named, Quantity


def same(x: Instance, u: Array, v: Array, name: str = "") -> Relation:
    """u = v as vectors, stated as |u - v|^2 = 0."""
    return eq(x.sq(u - v), 0, name)


def sampled(x: Named, gradients: Sequence[Any], selected: Array) -> Quantity:
    """1/(SR) times the sum of g_{i,r} over the selected clients and the R local rounds, ``(..., 1, d)`` (A.4.1)."""
    return x.total_vec(sum(gradients), over=selected) / (x.S * x.R)


def local_rounds(x: Named) -> tuple[Any, Any]:
    """The R + 1 iterates w_{i,r} and the R gradients g_{i,r} of the method's local rounds, ``(..., m, d)`` each."""
    return x.alg.local(x.f, x.state.w, x.error)


def g_t(x: Named) -> Callable[[Named], Quantity]:
    """From a draw to the approximate gradient g_t of the global update (A.4.1), ``(..., 1, d)``. Unit E/M."""
    gradients = local_rounds(x)[1]
    return lambda draw: sampled(x, gradients, draw.selected)


def sampling_error(x: Instance, u: Array) -> Quantity:
    """E |1/S sum over the selected of u_i - mean of u|^2 over selections of S clients, left side of Lemma 4, ``(..., 1)``."""
    return x.E(lambda S: x.sq(x.total_vec(u, over=S) / x.S - x.mean_vec(u)))


def bound_21(x: Named, G_sq: Quantity, total: Quantity) -> Quantity:
    """Right side of (21) for every R, with `total` for its sum over r: 2 (1 + 1/R)^r as printed. Unit M^2.

    (6 eta_tilde^2/(beta^2 R) |grad F_i(w_t)|^2 + 4 eta_tilde^2 lam^2 delta^2/(beta^2 R^2)) times the sum.
    """
    step_sq, noise = eta_tilde(x) ** 2, x.lam**2 * x.delta**2
    return (6 * step_sq / (x.beta**2 * x.R) * G_sq + 4 * step_sq * noise / (x.beta**2 * x.R**2)) * total


def bound_22(x: Named, G_sq: Quantity) -> Quantity:
    """Right side of (22), 8 eta_tilde^2/beta^2 (3 |grad F_i(w_t)|^2 + 2 lam^2 delta^2/R). Unit M^2."""
    return 8 * eta_tilde(x) ** 2 / x.beta**2 * (3 * G_sq + 2 * x.lam**2 * x.delta**2 / x.R)


def bound_23(x: Named, G_sq: Quantity, step: Quantity | None = None) -> Quantity:
    """Right side of (23) for G_sq = |grad F_i(w_t)|^2, and of Lemma 5 for its mean over clients. Unit (E/M)^2.

    2 lam^2 delta^2 + 16 L_F^2 eta_tilde^2/beta^2 (3 G_sq + 2 lam^2 delta^2/R). `step` stands for eta_tilde where that is no
    eta beta R of the instance.
    """
    step = eta_tilde(x) if step is None else step
    noise = x.lam**2 * x.delta**2
    return 2 * noise + 16 * step**2 * L_F(x) ** 2 / x.beta**2 * (3 * G_sq + 2 * noise / x.R)


def pairs(x: Instance, u: Array, v: Array, selected: Array | None = None) -> Quantity:
    """Sum over i != j of <u_i, v_j>, of all clients or of a selection, ``(..., 1)``: all pairs less the pairs i = j."""
    everyone = x.dot(x.total_vec(u, over=selected), x.total_vec(v, over=selected))
    return everyone - x.total(x.dot(u, v), over=selected)


def together(x: Instance, clients: Iterable[int]) -> Any:
    """E of the product of the indicators of `clients`, averaged over all selections of S of N clients."""
    selections = list(combinations(range(clients_in(x)), x.S))
    return x.ratio(sum(set(clients) <= set(S) for S in selections), len(selections))


def clients_in(x: Named) -> Any:
    """N as the sum of the sizes S and `rest`."""
    return x.S + x.rest


def binomial(n: Quantity, k: int) -> Quantity:
    """The polynomial n (n - 1) ... (n - k + 1)/k! of the engine's numbers."""
    out: Quantity = 1
    for j in range(k):
        out = out * (n - j) / (j + 1)
    return out


def share_with_one(N: Quantity, S: int) -> Quantity:
    """P(i in S_t) for a selection of S of N clients: the selections less those that leave i out, over all of them."""
    return (binomial(N, S) - binomial(N - 1, S)) / binomial(N, S)


def share_with_two(N: Quantity, S: int) -> Quantity:
    """P(i, j in S_t) for i != j, by inclusion and exclusion of the selections that leave i or j out."""
    return (binomial(N, S) - 2 * binomial(N - 1, S) + binomial(N - 2, S)) / binomial(N, S)
