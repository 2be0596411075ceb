"""Steps of the proof of Theorem 4.1 a) and of the first part of b) (Section 7.4)."""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.fedadmm.constants import eps_weight, own_lagrangian
from fedtheory.units import GRADIENT, LENGTH
from problems import Points, Scalars, condition, positive

from ..controls import EQUAL_PARTS, NOT_TWICE
from ..lemma7_2.bounded import EVERY_STATE, STATE, state
from ..lemma7_2.small import ACCURACY
from ..one_client import ACCURATE_NOW, ONE, TERMWISE, one_client, own
from .worlds import NEAR, NEARBY, both, vanishing


@claim(
    "fedadmm/thm4.1-proof-s2",
    world=Points(None, at=("w", "away"), sizes=ONE),
    control=EQUAL_PARTS[1],
    uses=("fedadmm/thm4.1-proof-s1", "fedadmm/eq7.21-e"),
    step=True,
    note="|w_i|^2 is at most twice |w|^2 + |w_i - w|^2.",
)
def thm4_1_proof_s2(x, share=1):
    return le(x.sq(x.w + x.away), share * 2 * (x.sq(x.w) + x.sq(x.away)))


@claim(
    "fedadmm/thm4.1-proof-s3",
    world=STATE,
    control=NOT_TWICE,
    uses=("fedadmm/eq7.6-b",),
    step=True,
    note=f"Of the squares. {EVERY_STATE}",
)
def thm4_1_proof_s3(x, times=1):
    _, g, phi, Pi = state(x)
    return eq(x.sq(Pi), times * x.sq(phi - g))


@claim(
    "fedadmm/thm4.1-proof-s4",
    world=Points(
        None, at=("phi", "turn", "start"), sizes=ONE, a=positive(LENGTH), b=positive(LENGTH), c=positive(LENGTH),
        given=(
            condition("|phi| <= a", lambda x: le(x.sq(x.phi), x.a**2)),
            condition("|turn| <= b", lambda x: le(x.sq(x.turn), x.b**2)),
            condition("|start| <= c", lambda x: le(x.sq(x.start), x.c**2)),
        ),
    ),
    control=Control("parallel vectors of these lengths attain it", share="1/4"),
    step=True,
    note="The square: for any three vectors phi_i, g_i - g_i^0 = turn, g_i^0 = start and any bounds of their lengths.",
)  # fmt: skip
def thm4_1_proof_s4(x, share=1):
    return le(x.sq(x.phi - x.turn - x.start), share * (x.a + x.b + x.c) ** 2)


SINCE_START = one_client(
    at=("w_0", "w_i", "p"),
    given=(ACCURATE_NOW,),
    names=("r", "sigma", "alpha", "eps"),
)


def since_start(x):
    """(phi_i, g_i, g_i^0)."""
    return x.sigma * x.p, x.alpha * x.f.grad(x.w_i), x.alpha * x.f.grad(x.w_0)


@claim(
    "fedadmm/thm4.1-proof-s5",
    world=SINCE_START,
    control=Control("quadratics of curvature r_i and accuracies that are used up attain it", share="9/10"),
    uses=("fedadmm/eq7.6-b",),
    step=True,
    note=f"Term by term, of the squares. {EVERY_STATE}",
)
def thm4_1_proof_s5(x, share=1):
    phi, g, g_0 = since_start(x)
    return le(x.sq(phi), share * x.eps), le(x.sq(g - g_0), share * (x.alpha * x.r) ** 2 * x.sq(x.w_i - x.w_0))


@claim(
    "fedadmm/thm4.1-proof-s7",
    world=SINCE_START,
    control=EQUAL_PARTS[3],
    uses=("fedadmm/thm4.1-proof-s2", "fedadmm/thm4.1-proof-s5"),
    step=True,
    note=f"|pi_i|^2 is at most three times epsilon_i + alpha_i^2 r_i^2 |w_i - w_i^0|^2 + |g_i^0|^2. {EVERY_STATE}",
)
def thm4_1_proof_s7(x, three=3):
    phi, g, g_0 = since_start(x)
    parts = x.eps + (x.alpha * x.r) ** 2 * x.sq(x.w_i - x.w_0) + x.sq(g_0)
    return le(x.sq(phi - g), three * parts)


@claim(
    "fedadmm/thm4.1-proof-s9",
    world=Scalars(
        **own("r", "sigma", "alpha", "nu", "eps"), level=positive(GRADIENT**2),
        given=(ACCURACY,),
    ),
    control=Control("the accuracy may be that large", share="9/10"),
    uses=("fedadmm/eq7.8",),
    step=True,
    note="The summand of L_tilde - L of a client is positive and at most its weight in (4.4) times level.",
)  # fmt: skip
def thm4_1_proof_s9(x, share=1):
    apart = eps_weight(x) * x.eps
    return le(0, apart), le(apart, share * eps_weight(x) * x.level)


@claim(
    "fedadmm/eq7.22-a",
    world=STATE,
    control=Control("the penalty has the weight a half", half=2),
    step=True,
    note=f"{TERMWISE} {EVERY_STATE}",
)
def eq7_22_a(x, half=1):
    away, _, _, Pi = state(x)
    left = own_lagrangian(x, x.w, x.w_i, Pi) - x.alpha * x.f.value(x.w_i)
    return eq(left, x.dot(away, Pi) + half * x.sigma / 2 * x.sq(away))


def apart(x):
    """<w_i - w, pi_i> + sigma_i/2 |w_i - w|^2."""
    return x.dot(x.away, x.sigma * x.p) + x.sigma / 2 * x.sq(x.away)


@claim(
    "fedadmm/eq7.22-b",
    world=NEARBY,
    control=Control("a dual variable along the difference attains it", share="9/10"),
    uses=("fedadmm/eq7.21-e", "fedadmm/lemma7.2-proof-s16", "fedadmm/thm4.1-proof-s7"),
    step=True,
    note=f"Its size, {NEAR}",
)
def eq7_22_b(x, share=1):
    return both(apart(x), share * vanishing(x, dual=1, bend=x.sigma))


@claim(
    "fedadmm/thm4.1-proof-s11",
    world=NEARBY,
    control=Control("a quadratic of curvature r_i bends by r_i/2 of the square", half="9/10"),
    uses=("fedadmm/thm4.1-proof-s2",),
    step=True,
    note=f"The size of f_i(w_i) - f_i(w), {NEAR}",
)
def thm4_1_proof_s11(x, half=1):
    gap = x.f.value(x.w + x.away) - x.f.value(x.w)
    return both(gap, half * vanishing(x, slope=1, bend=x.r))


def summand(x):
    """alpha_i f_i(w_i) - alpha_i f_i(w) + <w_i - w, pi_i> + sigma_i/2 |w_i - w|^2."""
    return x.alpha * (x.f.value(x.w + x.away) - x.f.value(x.w)) + apart(x)


@claim(
    "fedadmm/thm4.1-proof-s12",
    world=one_client(at=("w", "away", "p")),
    control=NOT_TWICE,
    step=True,
    note=TERMWISE,
)
def thm4_1_proof_s12(x, times=1):
    left = own_lagrangian(x, x.w, x.w + x.away, x.sigma * x.p) - x.alpha * x.f.value(x.w)
    return eq(left, times * summand(x))


@claim(
    "fedadmm/thm4.1-proof-s13",
    world=NEARBY,
    control=Control("a quadratic of curvature r_i and a dual variable along the difference attain it", share="9/10"),
    uses=("fedadmm/thm4.1-proof-s11", "fedadmm/eq7.22-b"),
    step=True,
    note=f"Its size, {NEAR}",
)
def thm4_1_proof_s13(x, share=1):
    return both(summand(x), share * vanishing(x, dual=1, slope=x.alpha, bend=x.alpha * x.r + x.sigma))
