"""One round of Theorem 2: (36) to (39) (Section A.5).

Where a step is algebra the gradients are any vectors: ``grad F_i(w_t) = lam u_i``, and ``lam v_i`` the mean of the
g_{i,r} over the local rounds.
"""

from fractions import Fraction
from typing import Any

from fedtheory import Control, claim, eq, le, lt
from fedtheory.theory.pfedme.constants import L_F, diversity, sigma_F2_sq
from fedtheory.theory.pfedme.theorem2 import lam_condition, ratio, sampling, step_limit
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from problems import Points, Smooth, at_least, between, condition, positive

PROP_1 = condition("lam > 2 L (Proposition 1)", lambda x: lt(2 * x.L, x.lam))
LEMMA_2 = condition("lam > 2 sqrt(2) L", lambda x: lt(8 * x.L**2, x.lam**2))
LAMBDA = condition("lam >= sqrt(8 L^2 + 1)", lam_condition)
LIMIT = condition("(43)", lambda x: le(x.eta_tilde, step_limit(x)))
SUBSETS = (1, 2, 3)
VECTORS = Points(None, clients_at=("u", "v"), sizes={"S": SUBSETS}, lam=positive(CURVATURE), eta_tilde=positive(STEP))
STEPS: dict[str, Any] = {
    "beta": at_least(1), "delta": at_least(0, LENGTH), "lam": positive(CURVATURE), "eta_tilde": positive(STEP),
}  # fmt: skip
CLIENTS: dict[str, Any] = {
    "f": Smooth("L"),
    "envelope": "lam",
    "diversity": "sigma_f_sq",
    "L": positive(CURVATURE),
    **STEPS,
}
NEAR: dict[str, Any] = {**CLIENTS, "eta_tilde": between(0, Fraction(1, 75), STEP, closed=False)}  # since lam > 1


def smooth(x, curvature):
    """(36), first line, at one outcome of w_{t+1}, with `curvature` in place of L_F."""
    move = x.w_next - x.w
    left = x.mean(x.F.value(x.w_next) - x.F.value(x.w))
    return le(left, x.dot(x.mean_vec(x.F.grad(x.w)), move) + curvature / 2 * x.sq(move))


@claim(
    "pfedme/eq36-a",
    world=Points(
        Smooth("L"), envelope="lam", at=("w", "w_next"), given=(PROP_1,), lam=positive(CURVATURE), L=positive(CURVATURE)
    ),
    control=Control(
        "envelopes of L-smooth clients with lam > 2 L have curvatures above -lam", lambda x: smooth(x, -L_F(x))
    ),
    uses=("pfedme/prop1b",),
    step=True,
    note="At every outcome of w_{t+1}, any point; the expectation is its average.",
)
def eq36_a(x):
    return smooth(x, L_F(x))


def gradients(x):
    """grad F(w_t), g_t as a function of the selection, and eta_tilde^2 L_F/2 E |g_t|^2, from any vectors."""
    G = x.lam * x.mean_vec(x.u)

    def g(S):
        return x.lam * x.total_vec(x.v, over=S) / x.S

    return G, g, x.eta_tilde**2 * L_F(x) / 2 * x.E(lambda S: x.sq(g(S)))


def with_g(x, factor):
    """(36), first equality, with `factor` on the inner product with g_t."""
    G, g, square = gradients(x)

    def move(S):
        return (x.w - x.eta_tilde * g(S)) - x.w

    left = x.E(lambda S: x.dot(G, move(S))) + L_F(x) / 2 * x.E(lambda S: x.sq(move(S)))
    return eq(left, -factor * x.eta_tilde * x.E(lambda S: x.dot(G, g(S))) + square)


@claim(
    "pfedme/eq36-b",
    world=VECTORS,
    control=Control("w_{t+1} - w_t is -eta_tilde g_t, not -2 eta_tilde g_t", lambda x: with_g(x, 2)),
    uses=("pfedme/a41-s4-c",),
    step=True,
    note="With w_{t+1} = w_t - eta_tilde g_t (A.4.1).",
)
def eq36_b(x):
    return with_g(x, 1)


def split(x, factor):
    """(36), second equality, with `factor` on |grad F|^2."""
    G, g, square = gradients(x)
    left = -x.eta_tilde * x.E(lambda S: x.dot(G, g(S))) + square
    right = -factor * x.eta_tilde * x.sq(G) - x.eta_tilde * x.E(lambda S: x.dot(G, g(S) - G)) + square
    return eq(left, right)


@claim(
    "pfedme/eq36-c",
    world=VECTORS,
    control=Control("|grad F|^2 is subtracted once, not twice", lambda x: split(x, 2)),
    step=True,
)
def eq36_c(x):
    return split(x, 1)


def cauchy(x, share):
    """(36), last line, with `share` for both halves."""
    G, g, square = gradients(x)
    left = -x.eta_tilde * x.sq(G) - x.eta_tilde * x.E(lambda S: x.dot(G, g(S) - G)) + square
    error = x.sq(x.lam * x.mean_vec(x.v - x.u))
    return le(left, -x.eta_tilde * x.sq(G) + share * x.eta_tilde * (x.sq(G) + error) + square)


@claim(
    "pfedme/eq36-d",
    world=VECTORS,
    control=Control(
        "with g_t = 0 the inner product is |grad F|^2 and both squares are, so a third of them is too little",
        lambda x: cauchy(x, ratio(x, 1, 3)),
    ),
    step=True,
)
def eq36_d(x):
    return cauchy(x, ratio(x, 1, 2))


def three_terms(x, three):
    """(37) with `three` in place of 3; `spread` is the variance of g_{i,r} over the local rounds, averaged over clients."""
    G, (mean, _, square), step = x.lam * x.u, gradients(x), x.eta_tilde
    error = x.lam * (x.v - x.u)
    left = -step * x.sq(mean) + step / 2 * x.sq(mean) + step / 2 * x.sq(x.mean_vec(error)) + square
    sampled = x.E(lambda S: x.sq(x.total_vec(G, over=S) / x.S - mean))
    right = (
        -step / 2 * x.sq(mean)
        + three * L_F(x) * step**2 / 2 * sampled
        + step * (1 + three * L_F(x) * step) / 2 * (x.mean(x.sq(error)) + x.spread)
        + three * step**2 * L_F(x) / 2 * x.sq(mean)
    )
    return le(left, right)


@claim(
    "pfedme/eq37",
    world=Points(
        None, at=(), clients_at=("u", "v"), sizes={"S": SUBSETS}, lam=positive(CURVATURE), eta_tilde=positive(STEP),
        spread=at_least(0, GRADIENT**2),
    ),
    control=Control(
        "with g_{i,r} = grad F_i and all clients sampled |g_t|^2 is |grad F|^2, so the third half must be at least one half",
        lambda x: three_terms(x, ratio(x, 1, 2)),
    ),
    uses=("pfedme/eq18-a", "pfedme/eq18-b"),
    step=True,
    note="The g_{i,r} enter by their mean and their variance over the R local rounds, any R. (18) up to its last "
    "inequality, which bounds |grad F|^2 by function values and is not used here.",
)  # fmt: skip
def eq37(x):
    return three_terms(x, 3)


def line38(x, G, squares):
    """Right side of (38) for the gradients G, with `squares` for the mean of |grad F_i|^2."""
    step, mean, error = x.eta_tilde, x.mean_vec(G), x.lam**2 * x.delta**2
    local = 16 * step**2 * L_F(x) ** 2 / x.beta**2 * (2 * error / x.R + 3 * squares)
    return (
        -step * (1 - 3 * L_F(x) * step) / 2 * x.sq(mean)
        + 3 * L_F(x) * step**2 / 2 * sampling(x) * x.mean(x.sq(G - mean))
        + step * (1 + 3 * L_F(x) * step) / 2 * (2 * error + local)
    )


def lemmas(x, share):
    """(38) with (37) at the bound of Lemma 5, and `share` of |grad F|^2 in the decomposition of the mean square."""
    G, step, error = x.lam * x.u, x.eta_tilde, x.lam**2 * x.delta**2
    mean = x.mean_vec(G)
    spread = x.E(lambda S: x.sq(x.total_vec(G, over=S) / x.S - mean))
    drift = 2 * error + 16 * step**2 * L_F(x) ** 2 / x.beta**2 * (3 * x.mean(x.sq(G)) + 2 * error / x.R)
    left = (
        -step / 2 * x.sq(mean)
        + 3 * L_F(x) * step**2 / 2 * spread
        + step * (1 + 3 * L_F(x) * step) / 2 * drift
        + 3 * step**2 * L_F(x) / 2 * x.sq(mean)
    )
    return le(left, line38(x, G, x.mean(x.sq(G - mean)) + share * x.sq(mean)))


@claim(
    "pfedme/eq38",
    world=Points(None, at=(), clients_at=("u",), sizes={"m": (2, 3, 4), "S": SUBSETS}, R=at_least(1), **STEPS),
    control=Control(
        "equal gradients have no variance, so the mean square is |grad F|^2 and not half of it",
        lambda x: lemmas(x, ratio(x, 1, 2)),
    ),
    uses=("pfedme/lemma4", "pfedme/lemma5", "pfedme/thm2-proof-s1~repaired", "pfedme/cond-eta2"),
    step=True,
    note="By its stated reasons: any gradients, and the drift as large as Lemma 5 allows. N = 1 makes the factor 0/0.",
)
def eq38(x):
    return lemmas(x, 1)


def line39(x, variance):
    """Right side of (39), with `variance` in place of sigma_{F,2}^2."""
    step, mean_sq, error = x.eta_tilde, x.sq(x.mean_vec(x.F.grad(x.w))), x.lam**2 * x.delta**2
    room = x.lam**2 - 8 * x.L**2
    local = 2 * error / x.R + 3 * variance + 3 * x.lam**2 / room * mean_sq
    return (
        -step * (1 - 3 * L_F(x) * step) / 2 * mean_sq
        + 3 * L_F(x) * step**2 / 2 * sampling(x) * (variance + 8 * x.L**2 / room * mean_sq)
        + step * (1 + 3 * L_F(x) * step) / 2 * (2 * error + 16 * step**2 * L_F(x) ** 2 / x.beta**2 * local)
    )


def lemma2(x, variance):
    """(39) with `variance` in place of sigma_{F,2}^2."""
    G = x.F.grad(x.w)
    return le(line38(x, G, diversity(x, x.w) + x.sq(x.mean_vec(G))), line39(x, variance))


LINEAR = Control(
    "for linear clients whose slopes sum to zero the diversity is sigma_f^2, which two fifths of it cannot hold",
    lambda x: lemma2(x, 2 * x.sigma_f_sq / 5),
)


@claim(
    "pfedme/eq39",
    world=Points(sizes={"m": (2, 3), "S": SUBSETS, "d": (1, 2), "R": (1, 2)}, given=(LAMBDA, LIMIT), **NEAR),
    control=LINEAR,
    repair="pfedme/eq39~repaired",
    uses=("pfedme/lemma2b",),
    step=True,
    note="Lemma 2 (b) bounds the diversity by 2 sigma_{F,2}^2 + ..., with sigma_{F,2}^2 as its brace defines it; (39) "
    "has sigma_{F,2}^2.",
)
def eq39(x):
    return lemma2(x, sigma_F2_sq(x))


@claim(
    "pfedme/eq39~repaired",
    world=Points(sizes={"m": (2, 3), "S": SUBSETS, "d": (1, 2)}, given=(LEMMA_2,), R=at_least(1), **CLIENTS),
    control=LINEAR,
    uses=("pfedme/lemma2b",),
    step=True,
    note="2 sigma_{F,2}^2 in both places; under the condition of Lemma 2 alone, for any real R >= 1.",
)
def eq39_repaired(x):
    return lemma2(x, 2 * sigma_F2_sq(x))
