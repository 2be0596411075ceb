"""Theorem 2, the descent of one round collected: (40) to (42) and what they use (Section A.5).

Scalars only: `grad_sq` is E|grad F(w_t)|^2 and `variance` sigma_{F,2}^2.
"""

from fedtheory import Control, claim, eq, le, use
from fedtheory.theory.pfedme.conditions import EQ_43, LAM_8L_SQ, LAM_THEOREM_2, SAMPLED, STEP_TILDE_LEMMA_5
from fedtheory.theory.pfedme.constants import L_F, eta2_hat, room, sampling
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem2 import C4, C5, C6, bound_39
from fedtheory.units import CURVATURE, GRADIENT
from problems import Points, Scalars, at_least, condition, positive, real

from .step_size import cond_eq43_implies_a, cond_eq43_implies_b, sum_of_three, thm2_proof_s4_a, thm2_proof_s4_b

ROUND = {
    **symbols("lam", "L", "beta", "eta_tilde", "delta"),
    "variance": at_least(0, GRADIENT**2),
    "grad_sq": at_least(0, GRADIENT**2),
}
REAL_COUNTS = {**ROUND, "N": at_least(2), **symbols("S", "R")}  # true for real N, S and R too
WHOLE_COUNTS = {"m": (2,), "S": (1, 2), "R": (1, 2)}


def errors(x, curvature_sq=1):
    """The terms of (40) and (41) without the gradient; `curvature_sq` times the first, 1 as printed."""
    return grown(x, growth(x), curvature_sq) + x.eta_tilde**2 * C5(x, x.variance)


def growth(x):
    """1 + 3 L_F eta_tilde."""
    return 1 + 3 * L_F(x) * x.eta_tilde


def grown(x, growth, curvature_sq=1):
    """Of the errors the two with the factor 1 + 3 L_F eta_tilde."""
    step = x.eta_tilde
    drift = step**3 / x.beta**2 * growth * 8 * (3 * x.R * x.variance + 2 * x.delta**2 * x.lam**2) / x.R
    return curvature_sq * drift + step * growth * x.lam**2 * x.delta**2


def bound_40(x, curvature_sq=1):
    """Right side of (40)."""
    step, curve = x.eta_tilde, L_F(x)
    inner = 12 * x.L**2 / room(x) * sampling(x)
    inner = inner + 24 * step * (1 + 3 * curve * step) * x.lam**2 * curve / (x.beta**2 * room(x))
    gradient = -step * (1 - 3 * curve * step) / 2 * x.grad_sq + step**2 * curve * inner * x.grad_sq
    return gradient + errors(x, curvature_sq)


def bound_41(x, whole, curvature_sq=1):
    """Right side of (41), with `whole` in place of the 1 in its bracket."""
    gradient = -x.eta_tilde * (whole - x.eta_tilde * L_F(x) * sum_of_three(x, x.lam**2, room(x))) * x.grad_sq
    return gradient + errors(x, curvature_sq)


def bound_42(x, share, curvature_sq=1, factor=1):
    """Right side of (42), with `share` in place of the one half and `factor` times sigma_{F,2}^2."""
    step, variance = x.eta_tilde, factor * x.variance
    drift = curvature_sq * C4(x, variance)
    return -share * step * x.grad_sq + step**3 / x.beta**2 * drift + step**2 * C5(x, variance) + step * C6(x)


NOT_A_SIDE = Control("nine tenths of a side are not the other", share="9/10")


@claim(
    "pfedme/eq40",
    world=Scalars(given=(LAM_THEOREM_2, EQ_43), sizes=WHOLE_COUNTS, **ROUND),
    control=NOT_A_SIDE,
    repair="pfedme/eq40~repaired",
    step=True,
    note="The factor L_F^2 of Lemma 5 is lost in the third term, and with it its unit. L_F = lam.",
)
def eq40(x, share=1):
    return eq(share * bound_39(x, x.grad_sq, x.variance), bound_40(x))


@claim(
    "pfedme/eq40~repaired",
    world=Scalars(given=(SAMPLED,), **REAL_COUNTS),
    control=NOT_A_SIDE,
    step=True,
    note="L_F^2 in front of the third term.",
)
def eq40_repaired(x, share=1):
    return eq(share * bound_39(x, x.grad_sq, x.variance), bound_40(x, L_F(x) ** 2))


@claim(
    "pfedme/eq41",
    world=Scalars(given=(LAM_THEOREM_2, EQ_43), sizes=WHOLE_COUNTS, **ROUND),
    control=Control("for small steps the left side has -eta_tilde/2 of |grad F|^2, above -2 eta_tilde", whole=2),
    repair="pfedme/eq41~repaired",
    uses=("pfedme/thm2-proof-s2-a", "pfedme/thm2-proof-s2-b"),
    step=True,
    note="The half in front of |grad F|^2 in (40) is lost: the bracket prints 1 for 1/2.",
)
def eq41(x, whole=1):
    return le(bound_40(x), bound_41(x, whole))


@claim(
    "pfedme/eq41~repaired",
    world=Scalars(given=(STEP_TILDE_LEMMA_5, LAM_8L_SQ, SAMPLED), **REAL_COUNTS),
    control=Control("for small steps the left side has -eta_tilde/2 of |grad F|^2, above -eta_tilde", halves=2),
    uses=("pfedme/thm2-proof-s2-a", "pfedme/thm2-proof-s2-b"),
    step=True,
    note="1/2 in the bracket, from the repaired (40), under the stated step size. (43) then leaves nothing of the bracket, "
    "and half of (43) a quarter.",
)
def eq41_repaired(x, halves=1):
    return le(bound_40(x, L_F(x) ** 2), bound_41(x, halves * x.ratio(1, 2), L_F(x) ** 2))


@claim(
    "pfedme/eq42@collected",
    world=Scalars(
        **ROUND, **symbols("R"), growth=at_least(1), left=real(), half=positive(), curvature_sq=positive(CURVATURE**2),
        given=(
            condition("growth <= 2", lambda x: le(x.growth, 2)),
            condition("half <= left", lambda x: le(x.half, x.left)),
        ),
    ),
    control=Control("for growth = 2 and left = half both sides are equal", more="11/10"),
    step=True,
    note="The sides of (42) without C_5: the bracket is at least `half`, and 1 + 3 L_F eta_tilde at most 2.",
)  # fmt: skip
def collected(x, more=1):
    step = x.eta_tilde
    right = step**3 / x.beta**2 * x.curvature_sq * C4(x, x.variance) + step * C6(x)
    return le(
        -step * x.left * x.grad_sq + more * grown(x, x.growth, x.curvature_sq), right - more * x.half * step * x.grad_sq
    )


def in_42(whole, half, curvature_sq):
    """`collected` with the bracket of (41), and what stands in (42) for it."""
    return use(
        collected, growth=growth, half=lambda x: x.ratio(1, half), curvature_sq=curvature_sq,
        left=lambda x: whole(x) - x.eta_tilde * L_F(x) * sum_of_three(x, x.lam**2, room(x)),
    )  # fmt: skip


@claim(
    "pfedme/eq42",
    world=Scalars(given=(LAM_THEOREM_2, EQ_43, SAMPLED), **REAL_COUNTS),
    by=(
        thm2_proof_s4_a,
        thm2_proof_s4_b,
        cond_eq43_implies_a,
        cond_eq43_implies_b,
        in_42(lambda x: 1, 2, lambda x: 1),
    ),
    control=Control("the bracket is below 1, so without errors 1 is too much", halves=2),
    uses=("pfedme/thm1-proof-s3",),
    step=True,
    note="From the right side of (41) as printed, which is not an upper bound of (40). |grad F(w_t)|^2 in expectation.",
)
def eq42(x, halves=1):
    return le(bound_41(x, 1), bound_42(x, halves * x.ratio(1, 2)))


def twice(x):
    """Twice the step."""
    return 2 * x.eta_tilde


@claim(
    "pfedme/eq42~repaired",
    world=Scalars(
        given=(LAM_THEOREM_2, condition("half of (43)", lambda x: le(twice(x), eta2_hat(x))), SAMPLED),
        **REAL_COUNTS,
    ),
    by=(
        use(thm2_proof_s4_a, eta_tilde=twice),
        use(thm2_proof_s4_b, eta_tilde=twice),
        cond_eq43_implies_a,
        cond_eq43_implies_b,
        in_42(lambda x: x.ratio(1, 2), 4, lambda x: L_F(x) ** 2),
    ),
    control=Control("the bracket is below 1/2, so without errors 1/2 is too much", quarters=2),
    uses=("pfedme/eq41~repaired",),
    step=True,
    note="From the repaired (41), with half of the printed step size: a quarter in place of one half.",
)
def eq42_repaired(x, quarters=1):
    return le(bound_41(x, x.ratio(1, 2), L_F(x) ** 2), bound_42(x, quarters * x.ratio(1, 4), L_F(x) ** 2))


@claim(
    "pfedme/thm2-proof-s1",
    world=Points(None, at=(), clients_at=("X",)),
    control=Control("a constant X has no variance, so twice its square is not its square", once=2),
    repair="pfedme/thm2-proof-s1~repaired",
    step=True,
    note="X takes the clients' vectors with equal chances. |E X|^2 is meant, as below (13) and (45).",
)
def thm2_proof_s1(x, once=1):
    return eq(x.mean(x.sq(x.X)), x.mean(x.sq(x.X - x.mean_vec(x.X))) + once * x.mean(x.sq(x.X)))


@claim(
    "pfedme/thm2-proof-s1~repaired",
    world=Points(None, at=(), clients_at=("X",)),
    control=Control("a constant X has no variance, so twice its square is not its square", once=2),
    step=True,
    note="|E X|^2 in place of E|X|^2.",
)
def thm2_proof_s1_repaired(x, once=1):
    return eq(x.mean(x.sq(x.X)), x.mean(x.sq(x.X - x.mean_vec(x.X))) + once * x.sq(x.mean_vec(x.X)))
