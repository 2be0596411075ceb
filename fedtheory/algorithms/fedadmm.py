"""FedADMM: federated learning via inexact ADMM.

Reference: S. Zhou, G. Y. Li, Federated Learning via Inexact ADMM, Algorithm 1. Not the FedADMM of Gong et al. (2022).

Symbols: sigma_i penalty, alpha_i client weight, r_i Lipschitz constant of the gradient of f_i, nu_i in [1/2, 1), eps_i
accuracy, tau_k = ceil(k/k_0) (Section 2.1 defines the paper's floor bracket as the largest integer below t + 1, with
the example that the bracket of 1.1 is 2), so that w^{tau_{k+1}} is new exactly when k is a multiple of k_0. Then the
server also selects Omega^{tau_{k+1}}, which the state carries until the next time.

The subproblem of (3.5) is solved exactly, with an error, or by (3.12) with at most `inner_steps` = kappa + 1 gradients.
The accuracy is tested at the points where a gradient is taken anyway, so that the last point is not tested and one step
means one gradient; the first step, l = 0, is always taken. Section 5.2 starts from pi_i^0 = 0 where Algorithm 1 has
pi_i^0 = -g_i^0; `init` takes the first as Pi0.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from array_api_compat import array_namespace

from .._arrays import column, numbers_like
from ..checks import initial, require_between, require_count, require_flag, require_one_a_client, require_positive
from ..errors import UsageError
from ..instance import Instance
from ..method import Method, Option, Options
from ..problem import Functions, Problem
from ..relation import Relation, eq, le
from ..theory.fedadmm import observe
from .participation import (
    SELECTION,
    Participants,
    cover,
    how_many,
    participants,
    require_clients,
    require_participation,
    select,
)
from .subproblem import descend, inner, inner_of, of_length

if TYPE_CHECKING:
    from ..quantity import Array, Quantity


class FedADMMState(NamedTuple):
    """State at iteration k."""

    w: Array  # (..., 1, d) w^{tau_k}
    W: Array  # (..., m, d)
    Pi: Array  # (..., m, d)
    Z: Any  # (..., m, d)
    eps: Array  # (..., m)
    k: int = 0
    communications: int = 0
    selected: Array | None = None  # (m,) bool, Omega^{tau_k}; None before the first selection
    unseen: Any = None  # (m,) bool, clients that this cycle of Scheme 4.1 has not selected; None without the scheme


class FedADMMDraws(NamedTuple):
    """Selection and inexactness of one iteration."""

    selected: Array | None  # (m,) bool, used where k is a multiple of k_0; None with Scheme 4.1
    error: Quantity  # (..., m, d) left-hand side of (3.5) before its norm, |error_i|^2 <= eps_i^{k+1}, or its direction alone
    tighten: Quantity = 1  # eps^{k+1} = tighten nu eps^k, tighten <= 1
    order: Any = None  # (m,) random permutation of the clients for Scheme 4.1


@dataclass(frozen=True)
class FedADMM:
    """Hyper-parameters.

    Parameters
    ----------
    sigma, alpha, nu : number or array (m,)
        Penalties, weights (summing to one) and accuracy factors in [1/2, 1) of the clients.
    k0 : int
        Iterations between communications.
    S, s0 : int or None
        Selected clients, None is all; uniform and independent, or with `s0` by Scheme 4.1: every s0 selections together
        reach all clients.
    r, inner_steps : number or array (m,), int
        Solve (3.5) by at most `inner_steps` of the steps (3.12) with these r_i; without them exactly.
    adversarial : bool
        Whether an exact solution gets an error that meets (3.5) with equality, along ``draws.error``.

    Examples
    --------
    >>> FedADMM(sigma=0.2, alpha=0.5, nu=0.95, k0=5, S=2, r=1.0, inner_steps=3).k0
    5
    """

    sigma: Any
    alpha: Quantity
    nu: Quantity
    k0: int = 1
    _: KW_ONLY
    S: int | None = None
    s0: int | None = None
    r: Quantity | None = None
    inner_steps: int | None = None
    adversarial: bool = False

    def __post_init__(self) -> None:
        for name in ("sigma", "alpha", "nu"):
            require_positive(f"FedADMM({name}=...)", getattr(self, name))
        require_between("FedADMM(nu=...)", self.nu, 0.5, 1)
        require_count("FedADMM(k0=...)", self.k0, 1)
        require_participation("FedADMM", self.S)
        require_flag("FedADMM(adversarial=...)", self.adversarial)
        if self.s0 is not None:
            require_count("FedADMM(s0=...)", self.s0, 1)
        if (self.r is None) != (self.inner_steps is None):
            raise UsageError(
                f"FedADMM(r=..., inner_steps=...) go together, got r={self.r!r} and inner_steps={self.inner_steps!r}."
            )
        if self.inner_steps is not None:
            require_positive("FedADMM(r=...)", self.r)
            require_count("FedADMM(inner_steps=...)", self.inner_steps, 1)
            if self.adversarial:
                raise UsageError("FedADMM(adversarial=True) is about exact solutions and excludes inner_steps=....")

    def init(
        self,
        problem: Functions,
        w0: Array | None = None,
        W0: Array | None = None,
        eps0: Quantity | None = None,
        *,
        Pi0: Array | None = None,
    ) -> FedADMMState:
        """Any W^0 (zero by default), pi_i^0 = -g_i^0, z_i^0 = sigma_i w_i^0 + pi_i^0; eps_i^0 = k_0^2 by default (Section 5.2).

        w^{tau_0} is not used by the method. With another Pi0, (7.6) holds for a client from its first selection on.
        """
        m = problem.m
        require_clients("FedADMM", problem, self.S, sigma=self.sigma, alpha=self.alpha, nu=self.nu, r=self.r)
        if self.s0 is not None:
            require_count("FedADMM(s0=...)", self.s0, -(-m // (self.S or m)))
        w0 = initial("FedADMM.init(w0=...)", w0, problem, 1)
        W0 = initial("FedADMM.init(W0=...)", W0, problem, m)
        eps0 = self.k0**2 if eps0 is None else eps0
        require_positive("FedADMM.init(eps0=...)", eps0)
        require_one_a_client("FedADMM.init(eps0=...)", eps0, m)
        eps = numbers_like(eps0, W0) if getattr(eps0, "ndim", 0) else W0[..., 0] * 0 + eps0
        Pi = None if Pi0 is None else initial("FedADMM.init(Pi0=...)", Pi0, problem, m)
        Pi = problem.grad(W0) * column(self.alpha, W0) * -1 if Pi is None else Pi
        unseen = None if self.s0 is None else np.ones(m, dtype=bool)
        return FedADMMState(w0, W0, Pi, W0 * column(self.sigma, W0) + Pi, eps, unseen=unseen)

    def draw(self, problem: Problem, stream: np.random.Generator) -> FedADMMDraws:
        """The selection, or what Scheme 4.1 needs for it; then a direction of the error if it is adversarial."""
        selected = select(stream, "FedADMM", problem.m, self.S) if self.s0 is None else None
        order = None if self.s0 is None else stream.permutation(problem.m)
        error = stream.standard_normal((problem.m, problem.d)) if self.adversarial else 0
        return FedADMMDraws(selected, error, order=order)

    def step(self, problem: Functions, state: FedADMMState, draws: FedADMMDraws) -> FedADMMState:
        """One iteration k -> k + 1."""
        xp = array_namespace(state.W)
        w, averaging = state.w, state.k % self.k0 == 0
        selected, unseen = self._select(state, draws, averaging)
        work = participants(problem, selected)
        sigma, Pi, eps = work.column(self.sigma, w), work.rows(state.Pi), work.entries(state.eps, w)
        if averaging:
            w = xp.sum(state.Z, axis=-2, keepdims=True) / self._total(self.sigma, state.W)  # (3.3)
        eps = eps * work.entries(self.nu, w) * draws.tighten  # (3.4)
        W = self._solve(work, w, Pi, eps, draws.error)  # (3.5)
        Pi = Pi + (W - w) * sigma  # (3.6)
        Z = W * sigma + Pi  # (3.7)
        return FedADMMState(
            w,
            work.put(W, state.W),  # (3.8) for the clients that are not selected
            work.put(Pi, state.Pi),
            work.put(Z, state.Z),
            work.put_entries(eps, state.eps),
            state.k + 1,
            state.communications + averaging,
            selected,
            unseen,
        )

    def _select(self, state: FedADMMState, draws: FedADMMDraws, averaging: bool) -> tuple[Array | None, Array | None]:
        """Omega^{tau_{k+1}}, new where the server averages, and the clients not seen in this cycle of Scheme 4.1."""
        if not averaging and state.selected is not None:
            return state.selected, state.unseen
        if self.s0 is None:
            return draws.selected, None
        place = state.communications % self.s0
        unseen = state.unseen if place else np.ones_like(state.unseen)
        selected = cover(draws.order, unseen, self.s0 - place, self.S or len(unseen))
        return selected, unseen & ~selected

    def _solve(self, work: Participants, w: Array, Pi: Array, eps: Any, error: Quantity) -> Array:
        """w_i^{k+1} with |g_i + pi_i + sigma_i (w_i - w)|^2 <= eps_i (3.5).

        (3.12) is the step of size 1/(alpha_i r_i + sigma_i) along what (3.5) takes the norm of.
        """
        sigma, alpha = work.entries(self.sigma, w), work.entries(self.alpha, w)
        error = work.error(error, w)
        if self.inner_steps is None:
            if self.adversarial:
                error = of_length(error, array_namespace(eps).sqrt(eps), w)
            return work.problem.prox(w - (Pi - error) / column(sigma, w), sigma / alpha)
        a, s = column(alpha, w), column(sigma, w)

        def residual(V: Array, step: int) -> Array:  # the left-hand side of (3.5); v^0 = w
            return work.problem.grad(V) * a + (Pi if step == 0 else Pi + (V - w) * s)

        weight = 1 / (a * work.column(self.r, w) + s)
        return descend(residual, w, weight, steps=self.inner_steps, bound_sq=eps, least=1)  # (3.12)

    def _total(self, sigma: Quantity, W: Array) -> Quantity:
        """sigma = sum of sigma_i."""
        sigma = numbers_like(sigma, W)
        return array_namespace(W).sum(sigma) if getattr(sigma, "ndim", 0) else sigma * W.shape[-2]

    def invariants(self, x: Instance, state: FedADMMState) -> tuple[Relation, ...]:
        """Lemma 7.1: (3.7) for every client, and |g_i + pi_i|^2 <= eps_i (7.6), where (3.5) was met in every step."""
        phi = x.f.grad(state.W) * column(self.alpha, state.W) + state.Pi
        return (
            eq(x.sq(state.Z - state.W * column(self.sigma, state.W) - state.Pi), 0, "(3.7)"),
            le(x.sq(phi), state.eps, "(7.6)"),
        )


def make(o: Options, problem: Problem) -> tuple[FedADMM, FedADMMState]:
    """The method of the options, with equal weights, and its first state."""
    m = problem.m
    way, r = inner_of(o, "inner-steps"), problem.constants().L_i
    if not np.isfinite(r).all():
        raise UsageError("fedadmm needs Lipschitz gradients for r_i, and this model has none; smooth it (--smoothing)")
    if o["sigma"] is not None and o["sigma0"] is not None:
        raise UsageError("--sigma and --sigma0 exclude each other; give one of them")
    if o["rho"] is not None and o["participation"] is not None:
        raise UsageError("--rho of fedadmm is --participation; give one of them")
    share = o["participation"] if o["rho"] is None else o["rho"]
    factor = 0.2 if o["sigma0"] is None else o["sigma0"]
    method = FedADMM(
        factor * r / m if o["sigma"] is None else np.full(m, o["sigma"]), np.full(m, 1 / m), np.full(m, o["nu"]), o["k0"],
        S=how_many({**o, "participation": share}, m), s0=o["s0"], r=r if way == "gradient" else None,
        inner_steps=o["inner-steps"], adversarial=way == "adversarial",
    )  # fmt: skip
    zero = initial("--dual zero", None, problem, m, model=False) if o["dual"] == "zero" else None
    return method, method.init(problem, eps0=o["eps0"], Pi0=zero)


METHOD = Method(
    name="fedadmm",
    title="FedADMM (Zhou and Li, inexact ADMM), Algorithm 1",
    make=make,
    options={
        "sigma0": Option("positive", "penalties sigma_i = sigma0 r_i/m (default: 0.2)"),
        "sigma": Option("positive", "one penalty for all clients, in place of --sigma0"),
        "nu": Option("[1/2, 1)", "accuracy factor nu_i of every client", 0.95),
        "k0": Option("count", "iterations between communications", 10),
        "rho": Option("share", "the paper's letter for --participation"),
        "s0": Option("count", "selection cycle of Scheme 4.1 (default: independent selections)"),
        "eps0": Option("positive", "first accuracy (default: k0^2)"),
        "dual": Option(
            "choice", "first dual variables, -g_i (Algorithm 1) or 0 (Section 5.2)", "gradient", ("gradient", "zero")
        ),
        **inner("how (3.5) is solved", "kappa + 1, most gradient steps (3.12) of --inner gradient"),
        **SELECTION,
    },
    paper="fedadmm",
    stop="5.1",
    rules=(observe.RULE_5_1,),
    observers=observe.observers,
    folds=observe.folds,
    given=observe.given,
    gradients=lambda method: None if method.inner_steps is None else method.k0 * method.inner_steps,
)
