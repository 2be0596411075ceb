"""Theorem 4.2: accumulating points are stationary (Sections 4.3 and 7.5).

The residuals of (4.1) are continuous, so that they vanish at an accumulating point where they tend to 0 along the sequence.
"""

from fedtheory import Control, claim, le
from fedtheory.units import CURVATURE
from problems import Points, Smooth, positive

from .controls import EQUAL_PARTS, USED_UP
from .lemma7_2.bounded import EVERY_STATE, STATE, state
from .one_client import ACCURATE_NOW, ONE, one_client
from .section2 import WEIGHTED_NOTE
from .theorem4_1.statement import BY_7_19
from .worlds import few_clients


@claim(
    "fedadmm/thm4.2a@bound",
    world=few_clients(steps=(1, 3)),
    control=USED_UP["1/4"],
    uses=("fedadmm/thm4.2-proof-s1", "fedadmm/thm4.2-proof-s3", *BY_7_19),
    note="The residuals of (4.1) at k + 1, k in K, are small with the terms of (7.19). |alpha_i grad f_i(w_i) + pi_i|^2 "
    "<= epsilon_i; |sum pi_i|^2 <= 3 m times the sum of |pi_i^{k+1} - pi_i^k|^2, sigma_i^2 |w_i^{k+1} - w_i^k|^2 and sigma_i^2 "
    "|w_i^{k+1} - w^{tau_{k+1}}|^2, and the last of these is the second residual. For the k between two of K with (7.24).",
)
def thm4_2a_bound(x, share=1):
    before, after = x.state, x.next
    phi = x.alpha[..., None] * x.f.grad(after.W) + after.Pi
    parts = x.sq(after.Pi - before.Pi) + x.sigma**2 * (x.sq(after.W - before.W) + x.sq(after.W - after.w))
    return (
        le(x.sq(phi), share * after.eps, "first row"),
        le(x.sq(x.total_vec(after.Pi)), share * 3 * x.m * x.total(parts), "third row"),
    )


NEAR_LIMIT = one_client(at=("w_i", "w", "limit_i", "limit", "p"), names=("r", "sigma", "alpha"))
AT_LIMIT = one_client(
    at=("w_i", "limit_i", "p", "p_limit"), given=(ACCURATE_NOW,), names=("r", "sigma", "alpha", "eps")
)


@claim(
    "fedadmm/thm4.2-proof-s1",
    world=AT_LIMIT,
    control=Control("equal parts need three times as much", three=1),
    uses=("fedadmm/eq7.6-b", "fedadmm/eq7.8"),
    step=True,
    note="At most three times epsilon_i^k, which tends to 0 by (7.8), not (7.7), and the squared distances of pi_i^k and of "
    f"alpha_i grad f_i(w_i^k) to their limits; pi_i^inf = sigma_i p_limit. {EVERY_STATE}",
)
def thm4_2_proof_s1(x, three=3):
    g, limit, Pi_limit = x.alpha * x.f.grad(x.w_i), x.alpha * x.f.grad(x.limit_i), x.sigma * x.p_limit
    apart = x.sq(x.sigma * x.p - g - Pi_limit) + (x.alpha * x.r) ** 2 * x.sq(x.w_i - x.limit_i)
    return le(x.sq(limit + Pi_limit), three * (x.eps + apart))


CLOSE = "At most three times the squared distances of w_i^k and w^{tau_k} to their limits and of each other."


@claim(
    "fedadmm/thm4.2-proof-s2",
    world=NEAR_LIMIT,
    control=EQUAL_PARTS[3],
    uses=("fedadmm/eq7.21-e", "fedadmm/lemma7.2-proof-s16"),
    step=True,
    note=f"{CLOSE} Of |w_i^inf - w^inf|^2.",
)
def thm4_2_proof_s2(x, three=3):
    parts = x.sq(x.limit_i - x.w_i) + x.sq(x.w_i - x.w) + x.sq(x.w - x.limit)
    return le(x.sq(x.limit_i - x.limit), three * parts)


@claim(
    "fedadmm/thm4.2-proof-s3",
    world=Points(None, at=(), clients_at=("limit", "Pi"), r=positive(CURVATURE)),
    control=EQUAL_PARTS[2],
    uses=("fedadmm/eq7.24",),
    step=True,
    note="|sum pi_i^inf|^2 is at most 2 |sum pi_i^k|^2, which tends to 0 by (7.24), and 2 m times the sum of |pi_i^inf - "
    "pi_i^k|^2.",
)
def thm4_2_proof_s3(x, two=2):
    apart = two * x.m * x.total(x.sq(x.limit - x.Pi))
    return le(x.sq(x.total_vec(x.limit)), two * x.sq(x.total_vec(x.Pi)) + apart)


@claim(
    "fedadmm/thm4.2-proof-s4",
    world=Points(Smooth("L"), clients_at=("W", "P"), L=positive(CURVATURE)),
    control=EQUAL_PARTS[3],
    uses=("fedadmm/thm4.2-proof-s1", "fedadmm/thm4.2-proof-s2", "fedadmm/thm4.2-proof-s3"),
    step=True,
    note="The three rows of (4.1) make (w, W, Pi) a stationary point of (3.1). For (2.3): |grad f(w)|^2 is at most three times the "
    "squares of the residuals of the rows, |sum pi_i|^2 and m times the sums of |alpha_i grad f_i(w_i) + pi_i|^2 and of "
    f"L^2 |w_i - w|^2, so that it is 0 where they are. pi_i = L P_i. {WEIGHTED_NOTE}",
)
def thm4_2_proof_s4(x, three=3):
    Pi = x.L * x.P
    first, second = x.total(x.sq(x.f.grad(x.W) + Pi)), x.L**2 * x.total(x.sq(x.W - x.w))
    whole = x.sq(x.total_vec(x.f.grad(x.w)))
    return le(whole, three * (x.sq(x.total_vec(Pi)) + x.m * (first + second)))


@claim(
    "fedadmm/thm4.2-proof-s6",
    world=Points(None, at=("w_i", "w", "limit"), sizes=ONE),
    control=EQUAL_PARTS[2],
    uses=("fedadmm/eq7.21-e", "fedadmm/lemma7.2-proof-s16"),
    step=True,
    note="|w_i^k - w^inf|^2 is at most twice |w_i^k - w^{tau_k}|^2 + |w^{tau_k} - w^inf|^2.",
)
def thm4_2_proof_s6(x, two=2):
    return le(x.sq(x.w_i - x.limit), two * (x.sq(x.w_i - x.w) + x.sq(x.w - x.limit)))


@claim(
    "fedadmm/thm4.2-proof-s7",
    world=STATE,
    control=EQUAL_PARTS[2],
    uses=("fedadmm/thm4.2-proof-s1", "fedadmm/thm4.2-proof-s6"),
    step=True,
    note="With pi_i^inf = -alpha_i grad f_i(w^inf), |pi_i^k - pi_i^inf|^2 is at most 2 epsilon_i^k + 2 alpha_i^2 r_i^2 "
    f"|w_i^k - w^inf|^2 (w = w^inf here). {EVERY_STATE}",
)
def thm4_2_proof_s7(x, two=2):
    _, _, _, Pi = state(x)
    limit = -x.alpha * x.f.grad(x.w)
    return le(x.sq(Pi - limit), two * (x.eps + (x.alpha * x.r) ** 2 * x.sq(x.w_i - x.w)))
