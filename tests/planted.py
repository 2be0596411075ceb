"""Planted claims: statements known to be false or true, as fixtures for the referee.

FALSE and HARD must be refuted, TRUE and WRONGED must never be. MISSED are false claims that the search or its worlds
let through today, UNDECIDED true claims that stay unknown today; their tests are strict expected failures, so that a
repair shows. Every row says why it is false or true, and carries a control.
"""

from fractions import Fraction

from fedtheory import Control, claim, eq, le, lt
from fedtheory.theory.fedadmm.constants import lyapunov
from fedtheory.theory.flame.constants import lagrangian
from fedtheory.theory.pfedme.constants import drift
from fedtheory.units import CURVATURE, STEP
from problems import (
    Convex,
    Points,
    Scalars,
    Smooth,
    SmoothConvex,
    SmoothStronglyConvex,
    StronglyConvex,
    WeaklyConvex,
    at_least,
    between,
    condition,
    positive,
    weights,
)
from proofs_checks.fedadmm.worlds import fedadmm_steps
from proofs_checks.flame.worlds import flame_steps
from proofs_checks.pfedme.worlds.minibatch import minibatch
from proofs_checks.pfedme.worlds.round import pfedme_round


def plant(name, world, control, body, why):
    """One planted claim."""
    return claim(f"planted/{name}", world=world, control=control, note=why)(body)


# worlds

MU, L, LAM, RHO = ({name: positive(CURVATURE)} for name in ("mu", "L", "lam", "rho"))
ETA = {"eta": positive(STEP)}
MU_BELOW_L = condition("mu < L", lambda x: lt(x.mu, x.L))
SHORT_STEP = condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1))
TWO_POINTS = {"envelope": "lam", "at": ("w", "v"), **LAM}

RATIO = Scalars(kappa=positive())
PAIR = Scalars(a=positive(), b=positive())
WEIGHTS = Scalars(alpha=weights(), sizes={"m": (1, 2)})
UNEVEN = Scalars(L=positive(CURVATURE, per_client=True), sizes={"m": (1, 2)})
BELOW_3 = Scalars(a=positive(), b=positive(), given=(condition("a + e^b <= 3", lambda x: le(x.a + x.exp(x.b), 3)),))
PRODUCT = Scalars(**ETA, **L, given=(SHORT_STEP,))
STEP_SIZES = Scalars(
    **L, **MU, **ETA, beta=at_least(1),
    given=(SHORT_STEP, condition("eta <= 1/(mu beta)", lambda x: le(x.eta * x.mu * x.beta, 1))),
)  # fmt: skip
WINDOWS = Scalars(
    **MU, **L, **LAM, **RHO,
    given=(
        condition("mu <= L <= 1.05 mu", lambda x: (le(x.mu, x.L), le(20 * x.L, 21 * x.mu))),
        condition("rho <= lam <= 1.05 rho", lambda x: (le(x.rho, x.lam), le(20 * x.lam, 21 * x.rho))),
    ),
)  # fmt: skip
STRONG = Points(SmoothStronglyConvex("mu", "L"), optimum_of="f", **MU, **L, given=(MU_BELOW_L,))
UNORDERED = Points(SmoothStronglyConvex("mu", "L"), optimum_of="f", **MU, **L)
SMOOTH = Points(Smooth("L"), optimum_of="f", **L)
ENVELOPES = Points(Convex(), **TWO_POINTS)
VECTORS = Points(None, at=(), clients_at=("theta",))
WEIGHTED = Points(None, at=(), clients_at=("theta",), alpha=weights())
SUBSETS = Points(Convex(), sizes={"S": (1, 2)})
DIVERSE = Points(Smooth("L"), diversity="sigma_f_sq", at=("w", "v"), **L)
ONE_ROUND = pfedme_round(Convex(), optimum_of=None, R=(1,))
MINIBATCH = minibatch(StronglyConvex("mu"), **MU)
ADMM, ADMM_ONCE = fedadmm_steps(steps=(1, 2)), fedadmm_steps(steps=(1,))
FLAME, FLAME_ONCE = flame_steps(steps=(1, 2)), flame_steps(steps=(1,))


def gradient_step(numerator):
    """Smooth strongly convex clients and a step size of at most numerator/(100 L)."""
    bound = condition(f"eta <= {numerator}/(100 L)", lambda x: le(100 * x.eta * x.L, numerator))
    return Points(SmoothStronglyConvex("mu", "L"), optimum_of="f", **MU, **L, **ETA, given=(MU_BELOW_L, bound))


def weakly(factor, **options):
    """Envelopes of rho-weakly convex clients with lam > factor rho."""
    bound = condition(f"lam > {factor} rho", lambda x: lt(factor * x.rho, x.lam))
    return Points(WeaklyConvex("rho"), **{**TWO_POINTS, **options}, **RHO, given=(bound,))


# parts of bodies


def root4(x, s):
    return x.sqrt(x.sqrt(s))


def cancelled(x):
    """2 a b as a difference of squares, which floats lose when a and b are far apart."""
    return (x.a + x.b) ** 2 - x.a**2 - x.b**2


def both_steps(x):
    return x.sqrt(x.eta * x.L) + x.sqrt(x.eta * x.mu * x.beta)


def gap(x):
    """f(w) - f(w_star), the mean over clients."""
    return x.mean(x.f.value(x.w) - x.f.value(x.w_star))


def slope(x, w=None):
    """Gradient of the mean of the clients."""
    return x.mean_vec(x.f.grad(x.w if w is None else w))


def distance_sq(x):
    return x.sq(x.w - x.w_star)


def stepped_sq(x):
    """|w - eta grad f(w) - w_star|^2."""
    return x.sq(x.w - x.eta * slope(x) - x.w_star)


def forward(x):
    """<grad f(w), w - w_star>."""
    return x.dot(slope(x), x.w - x.w_star)


def moved(x):
    """grad F_i(w) - grad F_i(v), and w - v."""
    return x.F.grad(x.w) - x.F.grad(x.v), x.w - x.v


def lipschitz(x, square):
    """|grad F_i(w) - grad F_i(v)|^2 <= square |w - v|^2."""
    return le(x.sq(moved(x)[0]), square * x.sq(moved(x)[1]))


def gradient_sq(x):
    """mean of |grad f_i|^2."""
    return x.mean(x.sq(x.f.grad(x.w)))


def sampling_error(x):
    G = x.f.grad(x.w)
    return x.E(lambda S: x.sq(x.total_vec(G, over=S) / x.S - x.mean_vec(G)))


def variance(x):
    G = x.f.grad(x.w)
    return x.mean(x.sq(G - x.mean_vec(G)))


def local(x, share=1):
    """w_{i,R} of every client, with the inner errors times `share`."""
    return x.alg.local(x.f, x.w, tuple(e * share for e in x.error))[0][-1]


def inner_error(x):
    """g_{i,0} - grad F_i(w)."""
    return x.alg.local(x.f, x.w, x.error)[1][0] - x.F.grad(x.w)


def after(x):
    """E |w^{t+1} - w_star|^2 of a pFedMe round."""
    return x.E(lambda draw: x.sq(x.alg.step(x.f, x.state, draw).w - x.w_star))


def error_sq(x):
    """E |theta_tilde - theta_hat|^2 over minibatches."""
    return x.E(lambda D: x.sq(x.theta_tilde(D) - x.theta_hat))


def nearest(x):
    """nu^2/(lam + mu)^2."""
    return (x.nu / (x.lam + x.mu)) ** 2


def residual(x):
    """The residual of FedADMM's inner problem after the step."""
    return x.sq(x.f.grad(x.next.W) * x.alpha[..., None] + x.next.Pi)


def inner_slope(x):
    """Gradient of FLAME's inner problem after the step, without its weight alpha."""
    return x.f.grad(x.next.Theta) + (x.next.Theta - x.state.W) * x.lam


def averaged(x):
    """The server's w after the last step is the mean of z before it."""
    return eq(x.sq(x.next.w * x.total(x.sigma)[..., None] - x.total_vec(x.state.Z)), 0)


def dual_step(x):
    """pi^{k+1} = pi^k + sigma (w_i - w) for every client."""
    return eq(x.sq(x.next.Pi - x.state.Pi - (x.next.W - x.next.w) * x.sigma[..., None]), 0)


def decreasing(x):
    """The Lyapunov function along a run of FedADMM."""
    return tuple(le(lyapunov(x, b), lyapunov(x, a)) for a, b in zip(x.states, x.states[1:], strict=False))


def invariants(x):
    """The method's invariants at every state of a run."""
    return tuple(r for state in x.states for r in x.alg.invariants(x, state))


def telescoped(x):
    """|sum of pi|^2 against its start and what the clients moved since then."""
    since = x.rho**2 * x.sq(x.total_vec(x.next.W - x.states[0].W))
    return le(x.sq(x.total_vec(x.next.Pi)), x.sq(x.total_vec(x.states[0].Pi)) + since)


def server_moves(x):
    """The server's way over a run of FLAME against its first step, the clients' way and the errors."""
    start = x.states[0]
    clients = x.total(x.sq(x.next.Theta - start.Theta) + x.sq(start.Theta - start.W))
    return le(x.sq(x.next.w - start.w), 4 * x.sq(x.states[1].w - start.w) + 100 * clients + x.total(x.eps))


# controls

SLOW_ROOT = Control("a root outgrows a logarithm", lambda x: le(root4(x, x.kappa), x.log(1 + x.kappa)))
LOG_ONE = Control("a weight may be below 1/e", lambda x: le(-x.log(x.min(x.alpha)), 1))
EVEN = Control("a maximum exceeds a mean", lambda x: le(x.max(x.L), x.mean(x.L)))
HALF_STEP = Control("1/2 < eta L is allowed", lambda x: lt(2 * x.eta * x.L, 1))
BOTH = Control("eta L and eta mu beta may both be 1", lambda x: le(both_steps(x), 1))
ROOM = Control("the sum may be any number below 3", lambda x: le(x.a + x.exp(x.b), 2))
CURVED = Control("a quadratic of curvature mu", lambda x: le(2 * x.sq(slope(x)), x.mu**2 * distance_sq(x)))
STEEP = Control("a quadratic of curvature L", lambda x: le(x.sq(slope(x)), x.L * gap(x)))
STAY = Control("a tiny step contracts by nothing", lambda x: le(2 * stepped_sq(x), distance_sq(x)))
FREE = Control("w and v are any points", lambda x: le(x.sq(x.w - x.v), 0))
QUARTER = Control("envelopes may be curved by nearly lam", lambda x: lipschitz(x, x.lam**2 / 4))
EQUAL = Control("equal vectors give equality", lambda x: le(2 * x.sq(x.mean_vec(x.theta)), x.mean(x.sq(x.theta))))
ALONE = Control("S = 1 gives the whole variance", lambda x: le(2 * sampling_error(x), variance(x)))
NO_ERROR = Control("g differs from grad F by up to lam delta", lambda x: le(4 * drift(x), (x.lam * x.delta) ** 2))
EXACT = Control("without noise the error is up to nu/(lam + mu)", lambda x: le(2 * error_sq(x), nearest(x)))
STILL = Control("selected clients move", lambda x: eq(x.sq(x.next.W - x.state.W), 0))
IDLE = Control("the server averages at k = 0", lambda x: eq(x.sq(x.next.w - x.state.w), 0))
AT_ONCE = Control("w is no minimiser", lambda x: le(2 * gap(x), 0))
SHARP = Control(
    "averaging lowers the function by sigma/2 |dw|^2, not by twice that",
    lambda x: le(lyapunov(x, x.next), lyapunov(x, x.state) - x.total(x.sigma) * x.sq(x.next.w - x.state.w)),
)

FALSE = [
    # scalars
    plant("kappa-root", RATIO, SLOW_ROOT, lambda x: le(root4(x, x.kappa), 2 * x.log(1 + x.kappa) + 5),
          "only for kappa above 1.2e6"),
    plant("kappa-root-far", RATIO, SLOW_ROOT, lambda x: le(root4(x, x.kappa), 30 * (1 + x.log(1 + x.kappa))),
          "only for kappa above 5e11, beyond the eighteen decades that are drawn: the search has to walk there"),
    plant("lightest-client", WEIGHTS, LOG_ONE, lambda x: le(-x.log(x.min(x.alpha)), 12),
          "only when one client weighs less than exp(-12) = 6e-6"),
    plant("harmonic-mean", UNEVEN, EVEN, lambda x: le(x.mean(x.L) * x.mean(1 / x.L), 10**6),
          "only for two clients whose L_i differ by a factor above 4e6; rational, so that z3 decides it too"),
    plant("jensen-reversed", UNEVEN, EVEN, lambda x: le(x.sqrt(x.mean(x.L)), x.mean(x.sqrt(x.L))),
          "only for heterogeneous clients: Jensen's inequality the wrong way round"),
    plant("closed-end", Scalars(beta=at_least(1)), Control("log 2 < 1", lambda x: lt(1, x.log(x.beta))),
          lambda x: lt(0, x.log(x.beta)), "only strictly on the boundary, at the allowed beta = 1"),
    plant("closed-product", PRODUCT, HALF_STEP, lambda x: lt(x.eta * x.L, 1),
          "only strictly on the boundary eta L = 1; rational, so that z3 decides it"),
    plant("near-boundary", BELOW_3, ROOM, lambda x: le(10**6 * (x.a + x.exp(x.b)), 3 * 10**6 - 1),
          "only within a millionth of the boundary a + e^b = 3"),
    plant("two-step-sizes", STEP_SIZES, BOTH, lambda x: le(4 * both_steps(x), 7),
          "only where both conditions are tight to a quarter"),
    # functions and vectors at points
    plant("condition-number", STRONG, CURVED, lambda x: le(x.sq(slope(x)), 2 * 10**5 * x.mu * gap(x)),
          "only for L/mu above 1e5: |grad f|^2 <= 2 L (f - f*) is sharp"),
    plant("condition-number-distance", STRONG, CURVED, lambda x: le(x.L**2 * distance_sq(x), 10**10 * x.sq(slope(x))),
          "only for L/mu above 1e5, at a client of curvature mu"),
    plant("long-step", gradient_step(201), STAY, lambda x: le(stepped_sq(x), distance_sq(x)),
          "only for 2 < eta L <= 2.01, near the boundary"),
    plant("weakly-convex", weakly(1), QUARTER, lambda x: lipschitz(x, x.lam**2),
          "only for rho < lam < 2 rho: the condition lam > 2 rho was weakened"),
    plant("weakly-convex-constant", weakly(2), QUARTER, lambda x: le(-100 * x.dot(*moved(x)), 99 * x.lam * x.sq(x.w - x.v)),
          "only for 2 rho < lam < 2.011 rho, near the boundary: lam rho/(lam - rho) stays below lam"),
    plant("envelope-keeps-mu", Points(StronglyConvex("mu"), **TWO_POINTS, **MU), FREE,
          lambda x: le(x.mu * x.sq(x.w - x.v), 10**6 * x.dot(*moved(x))),
          "only for mu/lam above 1e6: mu_F = lam mu/(lam + mu) saturates"),
    plant("same-minimiser", Points(Convex(), envelope="lam", optimum_of="F", **LAM),
          Control("w is not stationary", lambda x: eq(x.sq(x.mean_vec(x.F.grad(x.w))), 0)),
          lambda x: eq(x.sq(slope(x, x.w_star)), 0), "only for heterogeneous clients, m >= 2"),
    plant("diversity", DIVERSE, FREE, lambda x: le(gradient_sq(x), x.sigma_f_sq + x.sq(slope(x)) / 2),
          "equal Hessians give sigma_f^2 + |grad f|^2"),
    plant("jensen-without-m", VECTORS, EQUAL, lambda x: le(x.sq(x.total_vec(x.theta)), x.total(x.sq(x.theta))),
          "only for m >= 2 clients that point one way"),
    plant("light-client", WEIGHTED, EQUAL, lambda x: le(x.mean(x.sq(x.theta)), 10**5 * x.total(x.alpha * x.sq(x.theta))),
          "only when a client of weight below 5e-6 carries nearly all of the mean"),
    plant("sampling-factor", SUBSETS, ALONE, lambda x: le(sampling_error(x), (x.m / x.S - 1) / x.m * variance(x)),
          "only for heterogeneous clients with S < m: the divisor is m - 1"),
    # one step
    plant("inner-error", ONE_ROUND, NO_ERROR, lambda x: le(100 * drift(x), 99 * (x.lam * x.delta) ** 2),
          "only for adversarial errors, on all clients within half a percent of delta"),
    plant("second-local-round", pfedme_round(Convex(), optimum_of=None, R=(1, 2)), NO_ERROR,
          lambda x: le(drift(x), (x.lam * x.delta) ** 2), "only from the second local round on: there is client drift"),
    plant("aligned-errors",
          pfedme_round(Convex(), optimum_of=None, R=(2, 3),
                       given=(condition("eta <= 1/lam", lambda x: le(x.eta * x.lam, 1)),)), NO_ERROR,
          lambda x: le(10 * x.sq(x.mean_vec(local(x) - local(x, 0))), 9 * (x.R * x.eta * x.lam * x.delta) ** 2),
          "only for adversarial errors that point one way in all local rounds, and clients of little curvature"),
    plant("no-cross-term",
          pfedme_round(StronglyConvex("mu"), optimum_of="F", R=(1,), **MU,
                       given=(condition("eta beta <= 1/lam", lambda x: le(x.eta * x.beta * x.lam, 1)),)),
          Control("a tiny step contracts by nothing", lambda x: le(2 * after(x), distance_sq(x))),
          lambda x: le(after(x), distance_sq(x) + x.delta**2), "only for errors that point away from w_star"),
    plant("dual-of-all", ADMM_ONCE, STILL, dual_step, "only for clients that are not selected"),
    plant("accuracy-of-all", FLAME_ONCE, STILL, lambda x: le(x.sq(inner_slope(x) * x.alpha[..., None]), x.eps),
          "only for clients that are not selected"),
    plant("accuracy-of-light-clients", FLAME_ONCE, STILL, lambda x: le(x.sq(inner_slope(x)) * x.selected, 10**10 * x.eps),
          "only for a selected client of weight below 1e-5 with an adversarial error: alpha_i stands inside (13)"),
    plant("no-sampling-noise", MINIBATCH, EXACT, lambda x: le(error_sq(x), nearest(x)),
          "only for samples that differ: gamma_f^2 is missing"),
    plant("noise-without-cross-term", MINIBATCH, EXACT,
          lambda x: le(error_sq(x), nearest(x) + x.gamma_f_sq / x.batch / (x.lam + x.mu) ** 2),
          "only for errors that follow the noise of their own minibatch: the factor 2 is missing"),
    # runs
    plant("always-averages", ADMM, IDLE, averaged, "only in the second step with k0 = 2, when the server keeps w"),
    plant("tolerance-halves-once", ADMM, STILL, lambda x: le(x.states[0].eps, 2 * x.next.eps),
          "only after two steps: eps falls by nu >= 1/2 in each"),
    plant("lyapunov-any-sigma", ADMM, SHARP, decreasing, "the decrease needs sigma_i > 5 alpha_i r_i/2"),
    plant("unconditional-descent", FLAME, STILL,
          lambda x: le(lagrangian(x, x.next), lagrangian(x, x.state) + x.total(x.eps / x.alpha) / x.lam),
          "the augmented Lagrangian rises when rho is small against lam alpha"),
    plant("dual-telescopes", FLAME, STILL, telescoped, "the duals add up what moved in every round, not since the start"),
]  # fmt: skip

TRUE = [
    # scalars
    plant("log", RATIO, Control("log falls behind", lambda x: le(x.kappa, 2 * x.log(1 + x.kappa))),
          lambda x: le(x.log(1 + x.kappa), x.kappa), "the sides agree to rounding for small kappa"),
    plant("exp-above", RATIO, Control("exp is convex", lambda x: le(x.exp(x.kappa), 1 + x.kappa)),
          lambda x: lt(1 + x.kappa, x.exp(x.kappa)), "strict; floats round it away near zero and overflow far out"),
    plant("exp-positive", RATIO, Control("e^-1 < 1/2", lambda x: lt(1, 2 * x.exp(-x.kappa))),
          lambda x: lt(0, x.exp(-x.kappa)), "strict; floats underflow to zero"),
    plant("cancellation", PAIR, Control("2 a b is not zero", lambda x: le(cancelled(x), 0)),
          lambda x: le(cancelled(x), 2 * x.a * x.b + x.log(1 + x.a)), "an identity with a slack that floats lose"),
    plant("gradient-step-factor", Scalars(**ETA, **MU, **L, given=(MU_BELOW_L, SHORT_STEP)), HALF_STEP,
          lambda x: le((1 - x.eta * x.mu) ** 2, 1 - x.eta * x.mu), "0 <= 1 - eta mu <= 1"),
    plant("geometric-sum", Scalars(q=between(0, 1, closed=False), sizes={"R": (1, 2, 3, 8)}),
          Control("q is positive", lambda x: eq(1 - x.q, 1)),
          lambda x: eq((1 - x.q) * sum(x.q**r for r in range(x.R)), 1 - x.q**x.R), "an identity"),
    # functions and vectors at points
    plant("descent-lemma", Points(Smooth("L"), at=("w", "v"), **L), FREE,
          lambda x: le(x.f.value(x.w) - x.f.value(x.v), x.dot(x.f.grad(x.v), x.w - x.v) + x.L / 2 * x.sq(x.w - x.v)),
          "the descent lemma, convex or not"),
    plant("pl", STRONG, CURVED, lambda x: (le(2 * x.mu * gap(x), x.sq(slope(x))), le(x.sq(slope(x)), 2 * x.L * gap(x))),
          "2 mu (f - f*) <= |grad f|^2 <= 2 L (f - f*), at any condition number"),
    plant("smooth-gap", SMOOTH, STEEP, lambda x: le(x.sq(slope(x)), 2 * x.L * gap(x)), "needs a minimiser, no convexity"),
    plant("short-step", gradient_step(200), STAY, lambda x: le(stepped_sq(x), distance_sq(x)), "eta <= 2/L"),
    plant("weakly-convex-minimum", weakly(1, at=("w",), optimum_of="F"),
          Control("w is no minimiser", lambda x: le(x.mean(x.F.value(x.w)), x.mean(x.F.value(x.w_star)))),
          lambda x: le(x.mean(x.F.value(x.w_star)), x.mean(x.F.value(x.w))), "w_star is a minimiser by promise"),
    plant("weakly-convex-smooth", weakly(2), QUARTER, lambda x: lipschitz(x, x.lam**2), "Proposition 1 of pFedMe"),
    plant("firm", ENVELOPES, QUARTER, lambda x: le(x.sq(moved(x)[0]), x.lam * x.dot(*moved(x))), "grad F_i is cocoercive"),
    plant("envelope-below", ENVELOPES, FREE, lambda x: le(x.F.value(x.w), x.f.value(x.w)), "a minimum is below a value"),
    plant("diversity-split", DIVERSE, FREE, lambda x: le(gradient_sq(x), x.sigma_f_sq + x.sq(slope(x))),
          "a mean square is a variance plus a squared mean"),
    plant("variance", VECTORS, EQUAL,
          lambda x: eq(x.mean(x.sq(x.theta - x.mean_vec(x.theta))), x.mean(x.sq(x.theta)) - x.sq(x.mean_vec(x.theta))),
          "an identity"),
    plant("weighted-jensen", WEIGHTED, EQUAL,
          lambda x: le(x.sq(x.total_vec(x.alpha[..., None] * x.theta)), x.total(x.alpha * x.sq(x.theta))),
          "Jensen's inequality, however small a weight is"),
    plant("cauchy-schwarz", Points(None, at=("w", "v")), FREE, lambda x: le(x.dot(x.w, x.v) ** 2, x.sq(x.w) * x.sq(x.v)),
          "a product of inner products, which no certificate takes"),
    plant("sampling", SUBSETS, ALONE, lambda x: le(sampling_error(x), variance(x) / x.S), "no worse than with replacement"),
    # one step and runs
    plant("one-local-round", ONE_ROUND, NO_ERROR, lambda x: le(drift(x), (x.lam * x.delta) ** 2), "the error's own bound"),
    plant("averages-first", ADMM_ONCE, IDLE, averaged, "k = 0 is a multiple of every k0"),
    plant("fedadmm-invariants", ADMM, STILL, invariants, "Lemma 7.1 at every state, selected or not"),
    plant("tolerance", ADMM, STILL, lambda x: (le(x.states[0].eps, 4 * x.next.eps), le(x.next.eps, x.states[0].eps)),
          "1/2 <= nu < 1, twice"),
    plant("flame-invariants", FLAME, STILL, invariants, "Lemma 2 and line 16 at every state, selected or not"),
    plant("accuracy-of-selected", FLAME, STILL, lambda x: le(x.sq(inner_slope(x) * x.alpha[..., None]) * x.selected, x.eps),
          "(13), with errors up to the bound"),
    plant("minibatch", minibatch(StronglyConvex("mu"), each_sample=True, **MU), EXACT,
          lambda x: le(error_sq(x), 2 * (x.gamma_f_sq / x.batch + x.nu**2) / (x.lam + x.mu) ** 2),
          "Lemma 1 (a) with nu squared, every sample function strongly convex"),
]  # fmt: skip

# false ones that once slipped through: boundaries of many sizes, corners, exact equality, rounding noise, clients with a kink
HARD = [
    plant("boundary-of-a-round",
          pfedme_round(Convex(), optimum_of=None, R=(1, 2, 3),
                       given=(condition("eta R <= 1/(2 lam)", lambda x: le(2 * x.eta * x.R * x.lam, 1)),)), NO_ERROR,
          lambda x: le(100 * x.lam**2 * x.sq(local(x, 0) - x.w), 24 * x.sq(x.F.grad(x.w))),
          "only within two percent of the boundary, where linear clients give 25"),
    plant("boundary-of-a-run",
          flame_steps(steps=(1, 2), given=(condition("rho >= 2 lam", lambda x: le(2 * x.lam, x.rho)),)), STILL,
          lambda x: le(100 * x.lam * x.sq(x.next.W - x.state.W), 49 * x.rho * x.sq(x.next.W - x.state.W)),
          "only within two percent of the boundary rho = 2 lam"),
    plant("corner", STEP_SIZES, BOTH, lambda x: le(100 * both_steps(x), 199),
          "only where two conditions are tight to a percent"),
    plant("closed-product-root", PRODUCT, HALF_STEP, lambda x: lt(x.sqrt(x.eta * x.L), 1),
          "only strictly on the boundary eta L = 1, which random floats do not meet"),
    plant("windows", WINDOWS, Control("they are wider", lambda x: le(x.sqrt(x.L * x.lam), x.sqrt(x.mu * x.rho))),
          lambda x: le(100 * x.sqrt(x.L * x.lam), 103 * x.sqrt(x.mu * x.rho)),
          "two ratios up to 1.05; no draw over eighteen decades falls into both windows"),
    plant("lyapunov-small-sigma",
          fedadmm_steps(steps=(1, 2), given=(condition("sigma_i > alpha_i r_i", lambda x: lt(x.alpha * x.r, x.sigma)),)),
          SHARP, decreasing, "only for sigma_i below 5 alpha_i r_i/2, a narrow range among eighteen decades"),
    plant("overflow", RATIO, SLOW_ROOT, lambda x: le(x.exp(x.kappa), (2 + x.kappa) ** 100),
          "only for kappa above 648, where floats soon are infinite"),
    plant("noise", Scalars(a=positive(), b=positive(), c=positive()),
          Control("2 a b is not zero", lambda x: le(x.log(1 + cancelled(x)), 0)),
          lambda x: le(1000 * cancelled(x), 2 * x.a * x.b * (999 + 1000 * x.log(x.a) ** 2 + 100 * x.log(x.c) ** 2)),
          "only near a = c = 1; elsewhere it holds, but floats lose the left side and noise fills the exact replays"),
    plant("norm-of-error", ONE_ROUND, NO_ERROR, lambda x: le(2 * x.sqrt(x.sq(inner_error(x))), x.lam * x.delta),
          "only for adversarial errors; the root sends their own bound to balls, where equality is not decided"),
    plant("half-gap", Points(SmoothConvex("L"), optimum_of="f", **L), STEEP, lambda x: le(2 * gap(x), forward(x)),
          "an equality for quadratics; false for the Huber function, where 2 (u - 1/2) > u for u > 1"),
    plant("trapezoid", Points(SmoothConvex("L"), at=("w", "v"), **L), FREE,
          lambda x: le(2 * (x.f.value(x.w) - x.f.value(x.v)), x.dot(x.f.grad(x.w) + x.f.grad(x.v), x.w - x.v)),
          "an equality for quadratics; false for the Huber function at v = 0, w = 2: 3 > 2"),
    plant("tolerance-reached",
          fedadmm_steps(steps=(1, 2), given=(condition("nu >= 99/100", lambda x: le(99, 100 * x.nu)),)), STILL,
          lambda x: le(2 * residual(x), x.next.eps),
          "(3.5) may hold with equality"),
    plant("scalars-among-vectors", Points(Convex(), envelope="lam", **LAM, **MU), Control("lam > 0", lambda x: le(x.lam, 0)),
          lambda x: le(2 * x.lam * x.mu, x.lam * (x.lam + x.mu)),
          "only for mu > lam; a relation between scalars in a world of vectors"),
    plant("star-convex", SMOOTH, STEEP, lambda x: le(gap(x), forward(x)),
          "quadratics with a minimiser are convex; false for 1 - cos u at u = pi, and for a well beyond a hill"),
    plant("equal-hessians", DIVERSE, FREE,
          lambda x: eq(x.mean(x.sq(x.f.grad(x.w) - x.f.grad(x.v))), x.sq(slope(x) - slope(x, x.v))),
          "quadratics of bounded diversity have equal Hessians; false for f_1 = -f_2 = sin u, and for slopes that level off"),
]  # fmt: skip

MISSED = [
    plant("two-rounds", FLAME, STILL, server_moves,
          "only after two rounds with rho small against lam"),
]  # fmt: skip

# points at which hard plants fail exactly
WITNESSES = {
    "planted/corner": {"L": 1, "mu": 1, "eta": 1, "beta": 1},
    "planted/closed-product-root": {"eta": 1, "L": 1},
    "planted/windows": {"mu": 1, "L": Fraction(26, 25), "rho": 1, "lam": Fraction(26, 25)},
    "planted/overflow": {"kappa": 700},
    "planted/noise": {"a": 1, "b": 1, "c": 1},
}

# true ones that are easily refuted by mistake: floats made of integers, an empty class
WRONGED = [
    plant("run-time-float", PAIR, Control("a is positive", lambda x: le(x.a, 0)),
          lambda x: eq(x.a * sum(1 / r for r in range(1, 7)), 49 * x.a / 20),
          "1 + 1/2 + ... + 1/6 = 49/20; integer quotients are floats"),
    plant("run-time-float-vectors", Points(None), Control("w is any point", lambda x: le(x.sq(x.w), 0)),
          lambda x: tuple(eq(x.sq(x.w) * (1 / r) * r, x.sq(x.w)) for r in (3, 11, 49)), "1/r times r is 1"),
    plant("lower-curvature", UNORDERED, STEEP, lambda x: le(x.mu / 2 * distance_sq(x), gap(x)),
          "mu-strong convexity itself"),
    plant("upper-curvature", UNORDERED, CURVED, lambda x: le(gap(x), x.L / 2 * distance_sq(x)),
          "L-smoothness itself"),
    plant("jensen", UNEVEN, EVEN, lambda x: le(x.mean(x.sqrt(x.L)), x.sqrt(x.mean(x.L))),
          "equality for one client, where enclosures overlap"),
    plant("fraction-in-balls", RATIO, SLOW_ROOT, lambda x: le(Fraction(1, 3) * x.sqrt(x.kappa), x.sqrt(x.kappa)),
          "1/3 <= 1; a Fraction times an enclosure stops the replay"),
]  # fmt: skip

UNDECIDED = [
    plant("exponential-of-a-sum", RATIO, Control("the other one is larger", lambda x: le(x.exp(2 * x.kappa), x.exp(x.kappa))),
          lambda x: le(x.exp(x.kappa) * x.exp(x.kappa), x.exp(2 * x.kappa)), "both sides are equal, where enclosures overlap"),
]  # fmt: skip
