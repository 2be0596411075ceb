"""Steps of the proof of Corollary 4.1 (Section 7.6)."""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.fedadmm.conditions import PENALTY
from problems import Convex, Points

from ..controls import EQUAL_PARTS, PLUS
from ..lemma7_2.bounded import EVERY_STATE, STATE, state
from ..one_client import ONE
from ..theorem4_1.statement import BY_7_19
from ..worlds import fedadmm_steps
from .statement import ATTAINED, CONVEX, F_ITSELF, STRONG


@claim(
    "fedadmm/eq7.26-a",
    world=Points(Convex(), optimum_of="f", sizes=ONE),
    control=Control("at w* itself there is nothing between", lambda x: le(
        x.f.value(x.w_star) + x.sq(x.w - x.w_star), x.f.value(x.w)
    )),
    step=True,
    note=F_ITSELF,
)  # fmt: skip
def eq7_26_a(x):
    return le(x.f.value(x.w_star), x.f.value(x.w))


@claim(
    "fedadmm/eq7.26-b",
    world=Points(Convex(), optimum_of="f", sizes=ONE),
    control=Control("the tangent reaches w*, not twice as far", times="1/2"),
    step=True,
    note=F_ITSELF,
)
def eq7_26_b(x, times=1):
    tangent = x.f.value(x.w) + times * x.dot(x.f.grad(x.w), x.w_star - x.w)
    return le(tangent, x.f.value(x.w_star))


@claim(
    "fedadmm/cor4.1-proof-s4",
    world=CONVEX,
    control=Control("half of the slope is too much for a quadratic", share=2),
    uses=("fedadmm/eq7.26-b", "fedadmm/sec4.1-s1"),
    step=True,
    note="Both directions: f(w) - f* is at least |grad f(w)|^2/(2 L), so that a minimiser is stationary, and at most <grad f(w), "
    f"w - w*>, so that a stationary point is a minimiser. {F_ITSELF}",
)
def cor4_1_proof_s4(x, share=1):
    gap, g = x.f.value(x.w) - x.f.value(x.w_star), x.f.grad(x.w)
    return le(share * x.sq(g) / (2 * x.L), gap), le(gap, x.dot(g, x.w - x.w_star))


@claim("fedadmm/cor4.1-proof-s5", world=STRONG, control=Control(ATTAINED, half=2), step=True, note=F_ITSELF)
def cor4_1_proof_s5(x, half=1):
    d = x.w - x.w_star
    right = x.dot(x.f.grad(x.w_star), d) + half * x.mu / 2 * x.sq(d)
    return le(right, x.f.value(x.w) - x.f.value(x.w_star))


@claim(
    "fedadmm/cor4.1-proof-s6",
    world=STRONG,
    control=Control("the square has the factor a half", half=2),
    uses=("fedadmm/eq4.2-c",),
    step=True,
    note=F_ITSELF,
)
def cor4_1_proof_s6(x, half=1):
    d = x.w - x.w_star
    return eq(x.dot(x.f.grad(x.w_star), d) + x.mu / 2 * x.sq(d), half * x.mu / 2 * x.sq(d))


@claim(
    "fedadmm/cor4.1-proof-s8",
    world=Points(None, at=("w_i", "w", "star"), sizes=ONE),
    control=EQUAL_PARTS[2],
    uses=("fedadmm/cor4.1c", *BY_7_19),
    step=True,
    note="|w_i^k - w*|^2 is at most twice |w_i^k - w^{tau_k}|^2 + |w^{tau_k} - w*|^2.",
)
def cor4_1_proof_s8(x, two=2):
    return le(x.sq(x.w_i - x.star), two * (x.sq(x.w_i - x.w) + x.sq(x.w - x.star)))


def dual_gap_sq(x):
    """|pi_i^k - pi_i^*|^2 with w for w* and pi_i^* = -alpha_i grad f_i(w*)."""
    _, _, _, Pi = state(x)
    return x.sq(Pi + x.alpha * x.f.grad(x.w))


def phi_and_slope_sq(x, sign):
    """|phi_i^k + sign (g_i^k - alpha_i grad f_i(w*))|^2."""
    _, g, phi, _ = state(x)
    return x.sq(phi + sign * (g - x.alpha * x.f.grad(x.w)))


AT_1 = fedadmm_steps(convex=True, given=(PENALTY,), steps=(1,), m=(1,), optimum_of="f")


@claim(
    "fedadmm/cor4.1-proof-s9",
    world=AT_1,
    control=Control("nor with twice the right side", times=2),
    repair="fedadmm/cor4.1-proof-s9~repaired",
    uses=("fedadmm/eq7.6-b",),
    step=True,
    note="From (7.6) and (4.1) the difference is phi_i^k - (g_i^k - alpha_i grad f_i(w*)). At k = 1, one strongly convex client.",
)
def cor4_1_proof_s9(x, times=1):
    g_star, g = x.alpha * x.f.grad(x.w_star), x.alpha * x.f.grad(x.next.W)
    phi = g + x.next.Pi
    return eq(x.sq(x.next.Pi + g_star), times * x.sq(phi + g - g_star))


@claim(
    "fedadmm/cor4.1-proof-s9~repaired",
    world=STATE,
    control=PLUS,
    uses=("fedadmm/eq7.6-b",),
    step=True,
    note=f"With phi_i^k - g_i^k + alpha_i grad f_i(w*). {EVERY_STATE}",
)
def cor4_1_proof_s9_repaired(x, sign=-1):
    return eq(dual_gap_sq(x), phi_and_slope_sq(x, sign))


@claim(
    "fedadmm/cor4.1-proof-s10",
    world=STATE,
    control=EQUAL_PARTS[2],
    uses=("fedadmm/eq7.3-b", "fedadmm/eq7.6-b"),
    step=True,
    note=f"As printed, with + in front of g_i^k, and with the - that the row before needs. {EVERY_STATE}",
)
def cor4_1_proof_s10(x, two=2):
    right = two * ((x.alpha * x.r) ** 2 * x.sq(x.w_i - x.w) + x.eps)
    return tuple(le(phi_and_slope_sq(x, sign), right) for sign in (1, -1))


@claim(
    "fedadmm/cor4.1-proof-s11",
    world=STATE,
    control=EQUAL_PARTS[2],
    uses=("fedadmm/cor4.1-proof-s8", "fedadmm/cor4.1-proof-s9~repaired", "fedadmm/cor4.1-proof-s10", "fedadmm/eq7.8"),
    step=True,
    note=f"|pi_i^k - pi_i^*|^2 is at most 2 alpha_i^2 r_i^2 |w_i^k - w*|^2 + 2 epsilon_i^k. {EVERY_STATE}",
)
def cor4_1_proof_s11(x, two=2):
    return le(dual_gap_sq(x), two * ((x.alpha * x.r) ** 2 * x.sq(x.w_i - x.w) + x.eps))
