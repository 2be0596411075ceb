"""Corollary 4.1 and Remark 4.2: convex objectives (Sections 4.3 and 7.6)."""

from fedtheory import Control, claim, eq, le, lemma
from fedtheory.theory.fedadmm.conditions import PENALTY
from fedtheory.theory.fedadmm.symbols import symbols
from fedtheory.units import CURVATURE, STEP, VALUE
from problems import Convex, Points, Scalars, Sequences, SmoothConvex, StronglyConvex, at_least, between, positive

from .lemma7_2.bounded import EVERY_STATE, STATE, state
from .one_client import ONE, own
from .theorem4_1.statement import BY_7_19
from .worlds import fedadmm_steps

F_ITSELF = "The one client of this world is f itself: no single f_i need be convex."
CONVEX = Points(SmoothConvex("L"), optimum_of="f", sizes=ONE, L=positive(CURVATURE), t=positive(STEP))
STRONG = Points(StronglyConvex("mu"), optimum_of="f", sizes=ONE, mu=positive(CURVATURE))
ATTAINED = "quadratics of curvature mu attain it"


@claim(
    "fedadmm/eq4.7-c",
    world=CONVEX,
    control=Control("a quadratic needs half of it for one t", share="9/20"),
    uses=("fedadmm/eq7.26-b", "fedadmm/eq4.6-b", "fedadmm/thm4.1a"),
    note="For every t > 0, f(w) - f* is at most |grad f(w)|^2/(2 t') + t'/2 |w - w*|^2 with t' = 1/t, so at most "
    f"|grad f(w)| |w - w*|: it tends to 0 as the gradient does while w stays bounded. {F_ITSELF}",
)
def eq4_7_c(x, share=1):
    gap = x.f.value(x.w) - x.f.value(x.w_star)
    return le(gap, share * (x.t * x.sq(x.f.grad(x.w)) + x.sq(x.w - x.w_star) / x.t) / 2)


@claim(
    "fedadmm/cor4.1b",
    world=Points(SmoothConvex("L"), optimum_of="f", sizes=ONE, L=positive(CURVATURE)),
    control=Control("a linear bound leaves nothing over", lambda x: le(
        x.f.value(x.w_star) + x.sq(x.f.grad(x.w)) / x.L, x.f.value(x.w)
    )),
    uses=("fedadmm/thm4.2a", "fedadmm/cor4.1-proof-s4"),
    note=f"A stationary point of f, which an accumulating point is by Theorem 4.2 a), is a minimiser. {F_ITSELF}",
)  # fmt: skip
def cor4_1b(x):
    return le(x.f.value(x.w_star), x.f.value(x.w))


@claim(
    "fedadmm/cor4.1c",
    world=STRONG,
    control=Control(ATTAINED, share="9/10"),
    uses=("fedadmm/cor4.1-proof-s5", "fedadmm/cor4.1-proof-s8", "fedadmm/cor4.1-proof-s11", "fedadmm/eq4.7-c"),
    note="|w^{tau_k} - w*|^2 is at most 2 (f(w^{tau_k}) - f*)/mu, which tends to 0 by a); this also makes w* unique, and "
    f"with it w_i* = w* and pi_i* = -alpha_i grad f_i(w*). {F_ITSELF}",
)
def cor4_1c(x, share=1):
    return le(x.sq(x.w - x.w_star), share * 2 / x.mu * (x.f.value(x.w) - x.f.value(x.w_star)))


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
    control=Control("equal parts attain it", two="9/5"),
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
    control=Control("the printed sign", sign=1),
    uses=("fedadmm/eq7.6-b",),
    step=True,
    note=f"With phi_i^k - g_i^k + alpha_i grad f_i(w*). {EVERY_STATE}",
)
def cor4_1_proof_s9_repaired(x, sign=-1):
    return eq(dual_gap_sq(x), phi_and_slope_sq(x, sign))


@claim(
    "fedadmm/cor4.1-proof-s10",
    world=STATE,
    control=Control("equal parts attain it", two="9/5"),
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
    control=Control("equal parts attain it", two="9/5"),
    uses=("fedadmm/cor4.1-proof-s8", "fedadmm/cor4.1-proof-s9~repaired", "fedadmm/cor4.1-proof-s10", "fedadmm/eq7.8"),
    step=True,
    note=f"|pi_i^k - pi_i^*|^2 is at most 2 alpha_i^2 r_i^2 |w_i^k - w*|^2 + 2 epsilon_i^k. {EVERY_STATE}",
)
def cor4_1_proof_s11(x, two=2):
    return le(dual_gap_sq(x), two * ((x.alpha * x.r) ** 2 * x.sq(x.w_i - x.w) + x.eps))


SUM = Points(
    StronglyConvex("mu"),
    at=("w", "v"),
    sizes={"m": (2,)},
    mu=at_least(0, CURVATURE, per_client=True),
    **symbols("alpha"),
)


@claim(
    "fedadmm/rem4.2-b",
    world=SUM,
    control=Control("quadratics of these curvatures attain it", share="11/10"),
    note="Where f_i is mu_i-strongly convex, mu_i >= 0, f is strongly convex with the sum of alpha_i mu_i, which is "
    "positive if one mu_i is. For m = 2; every m in row rem4.2-b@every-m.",
)
def rem4_2_b(x, share=1):
    d = x.w - x.v
    slope = x.total(x.alpha * x.dot(x.f.grad(x.w) - x.f.grad(x.v), d))
    return le(share * x.total(x.alpha * x.mu) * x.sq(d), slope)


ONE_OF_SUM = Points(StronglyConvex("mu"), at=("w", "v"), sizes=ONE, mu=at_least(0, CURVATURE), **own("alpha"))
PARTS = {"slope": at_least(0, VALUE), "modulus": at_least(0, VALUE)}


def slope(x):
    """alpha_i <grad f_i(w) - grad f_i(v), w - v>."""
    return x.alpha * x.dot(x.f.grad(x.w) - x.f.grad(x.v), x.w - x.v)


def modulus(x):
    """alpha_i mu_i |w - v|^2."""
    return x.alpha * x.mu * x.sq(x.w - x.v)


@claim("fedadmm/rem4.2-b@client", world=ONE_OF_SUM, control=Control(ATTAINED, share="11/10"))
def rem4_2_b_client(x, share=1):
    return le(share * modulus(x), slope(x))


OF_PARTS = lemma(
    rem4_2_b_client,
    lambda x: le(x.modulus, x.slope),
    meaning={"slope": slope, "modulus": modulus, "alpha": lambda x: x.alpha, "mu": lambda x: x.mu},
)


@claim(
    "fedadmm/rem4.2-b@numbers",
    world=Scalars(mu=at_least(0, CURVATURE), **own("alpha"), **PARTS, given=(OF_PARTS,)),
    control=Control(ATTAINED, share="11/10"),
)
def rem4_2_b_numbers(x, share=1):
    return le(share * x.modulus, x.slope)


@claim(
    "fedadmm/rem4.2-b@every-m",
    world=Sequences("m", sequences=PARTS, every=(lemma(rem4_2_b_numbers),)),
    control=Control(ATTAINED, share="11/10"),
    note="For every m, each client with its own mu_i >= 0: by the sums of alpha_i mu_i |w - v|^2 and of alpha_i <grad f_i(w) - "
    "grad f_i(v), w - v>.",
)
def rem4_2_b_every_m(x, share=1):
    return le(share * x.sum(lambda i: x.modulus[i], x.m), x.sum(lambda i: x.slope[i], x.m))


@claim(
    "fedadmm/rem4.2-a",
    world=Scalars(mu=positive(CURVATURE), alpha=between(0, 1, closed=False), a=at_least(0), b=at_least(0)),
    control=Control("f is not mu-strongly convex with the weights", share=2),
    note="By an example in the plane: f_1 = mu a^2/2 and f_2 = mu b^2/2 at w = (a, b), with weights alpha, 1 - alpha. Neither is "
    "strongly convex, since f_1 does not change with b nor f_2 with a; f has the modulus mu min(alpha, 1 - alpha).",
)
def rem4_2_a(x, share=1):
    f = x.alpha * x.mu * x.a**2 / 2 + (1 - x.alpha) * x.mu * x.b**2 / 2
    return le(share * x.mu * x.minimum(x.alpha, 1 - x.alpha) / 2 * (x.a**2 + x.b**2), f)


@claim(
    "fedadmm/rem4.2-c",
    world=STRONG,
    control=Control(ATTAINED, half=2),
    note=f"f(w) is at least f* + mu/2 |w - w*|^2, which grows without bound. {F_ITSELF}",
)
def rem4_2_c(x, half=1):
    return le(x.f.value(x.w_star) + half * x.mu / 2 * x.sq(x.w - x.w_star), x.f.value(x.w))
