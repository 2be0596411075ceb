"""Constants of the proof of Theorem 2: (40) to (43) and what is said below them (Section A.5)."""

from typing import Any

from fedtheory import Control, claim, eq, le
from fedtheory.theory.pfedme.constants import L_F, eta2_hat
from fedtheory.theory.pfedme.theorem2 import C4, C5, C6, ratio, sampling, step_limit
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from problems import Points, Scalars, at_least, condition, positive

from .descent import LAMBDA, LEMMA_2, LIMIT

LEMMA_5 = condition("eta_tilde <= beta/(2 L_F)", lambda x: le(x.eta_tilde, x.beta / (2 * L_F(x))))
SELECTION = condition("S <= N", lambda x: le(x.S, x.N))
ENVELOPE: dict[str, Any] = {"lam": positive(CURVATURE), "L": positive(CURVATURE)}
CLIENTS: dict[str, Any] = {"N": at_least(2), "S": at_least(1)}
CHAIN: dict[str, Any] = {
    **ENVELOPE, "beta": at_least(1), "eta_tilde": positive(STEP), "delta": at_least(0, LENGTH),
    "variance": at_least(0, GRADIENT**2), "grad_sq": at_least(0, GRADIENT**2),
}  # fmt: skip
REAL: dict[str, Any] = {**CHAIN, **CLIENTS, "R": at_least(1)}  # true for real N, S and R too
WHOLE = {"m": (2,), "S": (1, 2), "R": (1, 2)}


def room(x):
    """lam^2 - 8 L^2."""
    return x.lam**2 - 8 * x.L**2


def line39(x):
    """Right side of (39); grad_sq is E|grad F(w_t)|^2 and variance sigma_{F,2}^2."""
    step, noise, curve = x.eta_tilde, x.lam**2 * x.delta**2, L_F(x)
    local = 2 * noise / x.R + 3 * x.variance + 3 * x.lam**2 / room(x) * x.grad_sq
    return (
        -step * (1 - 3 * curve * step) / 2 * x.grad_sq
        + 3 * curve * step**2 / 2 * sampling(x) * (x.variance + 8 * x.L**2 / room(x) * x.grad_sq)
        + step * (1 + 3 * curve * step) / 2 * (2 * noise + 16 * step**2 * curve**2 / x.beta**2 * local)
    )


def errors(x, curvature_sq=1):
    """The terms of (40) and (41) without the gradient; `curvature_sq` times the first, 1 as printed."""
    step, growth = x.eta_tilde, 1 + 3 * L_F(x) * x.eta_tilde
    drift = step**3 / x.beta**2 * growth * 8 * (3 * x.R * x.variance + 2 * x.delta**2 * x.lam**2) / x.R
    return curvature_sq * drift + step**2 * C5(x, x.variance) + step * growth * x.lam**2 * x.delta**2


def line40(x, curvature_sq=1):
    """Right side of (40)."""
    step, curve = x.eta_tilde, L_F(x)
    inner = 12 * x.L**2 / room(x) * sampling(x)
    inner = inner + 24 * step * (1 + 3 * curve * step) * x.lam**2 * curve / (x.beta**2 * room(x))
    gradient = -step * (1 - 3 * curve * step) / 2 * x.grad_sq + step**2 * curve * inner * x.grad_sq
    return gradient + errors(x, curvature_sq)


def sum_of_three(x):
    """3/2 + 12 L^2/(lam^2 - 8 L^2) (N/S - 1)/(N - 1) + 36 lam^2/(lam^2 - 8 L^2)."""
    return ratio(x, 3, 2) + 12 * x.L**2 / room(x) * sampling(x) + 36 * x.lam**2 / room(x)


def line41(x, whole, curvature_sq=1):
    """Right side of (41), with `whole` in place of the 1 in its bracket."""
    gradient = -x.eta_tilde * (whole - x.eta_tilde * L_F(x) * sum_of_three(x)) * x.grad_sq
    return gradient + errors(x, curvature_sq)


def line42(x, share, curvature_sq=1):
    """Right side of (42), with `share` in place of the one half."""
    step, drift = x.eta_tilde, curvature_sq * C4(x, x.variance)
    return -share * step * x.grad_sq + step**3 / x.beta**2 * drift + step**2 * C5(x, x.variance) + step * C6(x)


@claim(
    "pfedme/eq40",
    world=Scalars(given=(LAMBDA, LIMIT), sizes=WHOLE, **CHAIN),
    control=Control("nine tenths of a side are not the other", lambda x: eq(9 * line39(x), 10 * line40(x))),
    repair="pfedme/eq40~repaired",
    step=True,
    note="The factor L_F^2 of Lemma 5 is lost in the third term, and with it its unit. L_F = lam.",
)
def eq40(x):
    return eq(line39(x), line40(x))


@claim(
    "pfedme/eq40~repaired",
    world=Scalars(given=(SELECTION,), **REAL),
    control=Control(
        "nine tenths of a side are not the other", lambda x: eq(9 * line39(x), 10 * line40(x, L_F(x) ** 2))
    ),
    step=True,
    note="L_F^2 in front of the third term.",
)
def eq40_repaired(x):
    return eq(line39(x), line40(x, L_F(x) ** 2))


@claim(
    "pfedme/eq41",
    world=Scalars(given=(LAMBDA, LIMIT), sizes=WHOLE, **CHAIN),
    control=Control(
        "for small steps the left side has -eta_tilde/2 of |grad F|^2, above -2 eta_tilde",
        lambda x: le(line40(x), line41(x, 2)),
    ),
    repair="pfedme/eq41~repaired",
    uses=("pfedme/thm2-proof-s2-a", "pfedme/thm2-proof-s2-b"),
    step=True,
    note="The half in front of |grad F|^2 in (40) is lost: the bracket prints 1 for 1/2.",
)
def eq41(x):
    return le(line40(x), line41(x, 1))


@claim(
    "pfedme/eq41~repaired",
    world=Scalars(given=(LEMMA_5, LEMMA_2, SELECTION), **REAL),
    control=Control(
        "for small steps the left side has -eta_tilde/2 of |grad F|^2, above -eta_tilde",
        lambda x: le(line40(x, L_F(x) ** 2), line41(x, 1, L_F(x) ** 2)),
    ),
    uses=("pfedme/thm2-proof-s2-a", "pfedme/thm2-proof-s2-b"),
    step=True,
    note="1/2 in the bracket, from the repaired (40), under the stated step size. (43) then leaves nothing of the bracket, "
    "and half of (43) a quarter.",
)
def eq41_repaired(x):
    return le(line40(x, L_F(x) ** 2), line41(x, ratio(x, 1, 2), L_F(x) ** 2))


@claim(
    "pfedme/eq42",
    world=Scalars(given=(LAMBDA, LIMIT, SELECTION), **REAL),
    control=Control(
        "the bracket is below 1, so without errors 1 is too much", lambda x: le(line41(x, 1), line42(x, 1)),
    ),
    uses=("pfedme/thm2-proof-s3-a", "pfedme/thm2-proof-s3-b", "pfedme/thm2-proof-s4-a", "pfedme/thm2-proof-s4-b",
          "pfedme/cond-eq43-implies-a", "pfedme/cond-eq43-implies-b", "pfedme/thm1-proof-s3"),
    step=True,
    note="From the right side of (41) as printed, which is not an upper bound of (40). |grad F(w_t)|^2 in expectation.",
)  # fmt: skip
def eq42(x):
    return le(line41(x, 1), line42(x, ratio(x, 1, 2)))


def halved(x):
    """Right side of the repaired (41)."""
    return line41(x, ratio(x, 1, 2), L_F(x) ** 2)


@claim(
    "pfedme/eq42~repaired",
    world=Scalars(
        given=(LAMBDA, condition("half of (43)", lambda x: le(2 * x.eta_tilde, step_limit(x))), SELECTION), **REAL
    ),
    control=Control(
        "the bracket is below 1/2, so without errors 1/2 is too much",
        lambda x: le(halved(x), line42(x, ratio(x, 1, 2), L_F(x) ** 2)),
    ),
    uses=("pfedme/eq41~repaired",),
    step=True,
    note="From the repaired (41), with half of the printed step size: a quarter in place of one half.",
)
def eq42_repaired(x):
    return le(halved(x), line42(x, ratio(x, 1, 4), L_F(x) ** 2))


@claim(
    "pfedme/thm2-proof-s1",
    world=Points(None, at=(), clients_at=("X",)),
    control=Control(
        "a constant X has no variance, so twice its square is not its square",
        lambda x: eq(x.mean(x.sq(x.X)), x.mean(x.sq(x.X - x.mean_vec(x.X))) + 2 * x.mean(x.sq(x.X))),
    ),
    repair="pfedme/thm2-proof-s1~repaired",
    step=True,
    note="X takes the clients' vectors with equal chances. |E X|^2 is meant, as below (13) and (45).",
)
def thm2_proof_s1(x):
    return eq(x.mean(x.sq(x.X)), x.mean(x.sq(x.X - x.mean_vec(x.X))) + x.mean(x.sq(x.X)))


@claim(
    "pfedme/thm2-proof-s1~repaired",
    world=Points(None, at=(), clients_at=("X",)),
    control=Control(
        "a constant X has no variance, so twice its square is not its square",
        lambda x: eq(x.mean(x.sq(x.X)), x.mean(x.sq(x.X - x.mean_vec(x.X))) + 2 * x.sq(x.mean_vec(x.X))),
    ),
    step=True,
    note="|E X|^2 in place of E|X|^2.",
)
def thm2_proof_s1_repaired(x):
    return eq(x.mean(x.sq(x.X)), x.mean(x.sq(x.X - x.mean_vec(x.X))) + x.sq(x.mean_vec(x.X)))


@claim(
    "pfedme/thm2-proof-s2-a",
    world=Scalars(
        given=(LEMMA_5,), lam=positive(CURVATURE), eta_tilde=positive(STEP), beta=at_least(1)
    ),
    control=Control(
        "at the largest step of Lemma 5 both sides are equal",
        lambda x: le(1 + 3 * L_F(x) * x.eta_tilde, 1 + 4 * x.beta / 3),
    ),
    step=True,
)  # fmt: skip
def thm2_proof_s2_a(x):
    return le(1 + 3 * L_F(x) * x.eta_tilde, 1 + 3 * x.beta / 2)


@claim(
    "pfedme/thm2-proof-s2-b",
    world=Scalars(beta=at_least(1)),
    control=Control("for beta = 1 the left side is 5/2, above 2", lambda x: le(1 + 3 * x.beta / 2, 2 * x.beta)),
    step=True,
)
def thm2_proof_s2_b(x):
    return le(1 + 3 * x.beta / 2, 3 * x.beta)


def s3_a(x, factor):
    """First inequality of the display below (42), with `factor` in place of 72; lam^2 = 8 L^2 + room."""
    lam_sq = 8 * x.L**2 + x.room
    three = x.room / x.room * 3 / 2 + 12 * x.L**2 / x.room * sampling(x) + 36 * lam_sq / x.room
    return le(x.L_F * three, x.L_F / 2 * (3 + 24 * x.L**2 + factor * lam_sq))


@claim(
    "pfedme/thm2-proof-s3-a",
    world=Scalars(
        given=(SELECTION,), L=positive(CURVATURE), room=at_least(1, CURVATURE**2), L_F=positive(CURVATURE), **CLIENTS
    ),
    control=Control(
        "for lam^2 - 8 L^2 = 1 and S = 1 both sides are equal, so 70 for 72 is too little", lambda x: s3_a(x, 70)
    ),
    uses=("pfedme/thm1-proof-s3",),
    step=True,
    note="room is lam^2 - 8 L^2 >= 1; numbers are added to squares of curvatures, as that condition has it. For every L_F.",
)  # fmt: skip
def thm2_proof_s3_a(x):
    return s3_a(x, 72)


@claim(
    "pfedme/thm2-proof-s3-b",
    world=Scalars(given=(LAMBDA,), lam=positive(CURVATURE), L=positive(CURVATURE)),
    control=Control(
        "for lam^2 - 8 L^2 = 1 both sides are equal, so 74 for 75 is too little",
        lambda x: le(L_F(x) / 2 * (3 + 24 * x.L**2 + 72 * x.lam**2), L_F(x) / 2 * (74 * x.lam**2)),
    ),
    step=True,
)
def thm2_proof_s3_b(x):
    return le(L_F(x) / 2 * (3 + 24 * x.L**2 + 72 * x.lam**2), L_F(x) / 2 * (75 * x.lam**2))


@claim(
    "pfedme/thm2-proof-s4-a",
    world=Scalars(given=(LAMBDA, LIMIT, SELECTION), eta_tilde=positive(STEP), **ENVELOPE, **CLIENTS),
    control=Control(
        "for small L and S = N the three terms are near 75/2 lam^2, so 70 for 75 is too little",
        lambda x: le(1 - 70 * x.eta_tilde * L_F(x) * x.lam**2 / 2, 1 - x.eta_tilde * L_F(x) * sum_of_three(x)),
    ),
    uses=("pfedme/thm2-proof-s3-a", "pfedme/thm2-proof-s3-b"),
    step=True,
)
def thm2_proof_s4_a(x):
    return le(1 - 75 * x.eta_tilde * L_F(x) * x.lam**2 / 2, 1 - x.eta_tilde * L_F(x) * sum_of_three(x))


@claim(
    "pfedme/thm2-proof-s4-b",
    world=Scalars(given=(LIMIT,), eta_tilde=positive(STEP), lam=positive(CURVATURE)),
    control=Control(
        "at equality in (43) the left side is exactly one half",
        lambda x: le(3, 5 * (1 - 75 * x.eta_tilde * x.lam**3 / 2)),
    ),
    step=True,
)
def thm2_proof_s4_b(x):
    return le(1, 2 * (1 - 75 * x.eta_tilde * L_F(x) * x.lam**2 / 2))


@claim(
    "pfedme/cond-eq43-implies-a",
    world=Scalars(given=(LAMBDA, LIMIT), eta_tilde=positive(STEP), lam=positive(CURVATURE), L=positive(CURVATURE)),
    control=Control(
        "at equality in (43) both sides are equal",
        lambda x: le(1 + 3 * L_F(x) * x.eta_tilde, 1 + 1 / (26 * x.lam**2)),
    ),
    step=True,
)
def cond_eq43_implies_a(x):
    return le(1 + 3 * L_F(x) * x.eta_tilde, 1 + 1 / (25 * x.lam**2))


@claim(
    "pfedme/cond-eq43-implies-b",
    world=Scalars(given=(LAMBDA,), lam=positive(CURVATURE), L=positive(CURVATURE)),
    control=Control(
        "for lam = 1, the limit of small L, the left side is 26/25, above 51/50",
        lambda x: le(50 + 50 / (25 * x.lam**2), 51),
    ),
    step=True,
    note="By lam^2 >= 8 L^2 + 1, the standing condition; (43) alone does not bound lam from below.",
)
def cond_eq43_implies_b(x):
    return le(1 + 1 / (25 * x.lam**2), 2)


@claim(
    "pfedme/cond-eta2",
    world=Scalars(
        given=(LAMBDA,), lam=positive(CURVATURE), L=positive(CURVATURE), L_F=positive(CURVATURE), beta=at_least(1)
    ),
    control=Control(
        "for lam near 1 and beta = 1 the left side is 1/(75 L_F), above 1/(80 L_F)",
        lambda x: le(eta2_hat(x), x.beta / (80 * x.L_F)),
    ),
    uses=("pfedme/cond-thm2-lambda",),
    step=True,
    note="By lam^2 >= 8 L^2 + 1, the standing condition; beta >= 1 alone does not give it. For every L_F.",
)
def cond_eta2(x):
    return le(eta2_hat(x), x.beta / (2 * x.L_F))
