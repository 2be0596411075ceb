"""Lemma 7.1: (7.5) to (7.8) (Section 7.2)."""

from fedtheory import Control, claim, eq, le
from fedtheory.units import CURVATURE, GRADIENT
from problems import Points, Sequences, SmoothStronglyConvex, at_least, condition, positive

from ..controls import USED_UP
from ..lemma4_1.clients import from_p3
from ..one_client import EVERY_UPDATE, drop, one_update, own, update
from ..worlds import fedadmm_steps, few_clients
from .proof import young


@claim(
    "fedadmm/eq7.5",
    world=few_clients(steps=(1, 3)),
    control=Control("w^{tau_{k+1}} weighs pi_i as well", dual=0),
    uses=("fedadmm/lemma7.1-proof-s7",),
    note="At k = 0 and k = 2, of K for k_0 = 1 and 2.",
)
def eq7_5(x, dual=1):
    gap = x.sigma[..., None] * (x.state.W - x.next.w) + dual * x.state.Pi
    return eq(x.sq(x.total_vec(gap)), 0)


def phi_sq(x, state):
    """|g_i + pi_i|^2 at a state, ``(..., m)``."""
    return x.sq(x.f.grad(state.W) * x.alpha[..., None] + state.Pi)


@claim(
    "fedadmm/eq7.6-b",
    world=fedadmm_steps(m=(1, 2, 3)),
    control=Control("a client may use up its accuracy, so a quarter of it is not enough", share="1/4"),
    note="At every state k + 1 of a run, selected clients and the others; the certificate is the step of the induction.",
)
def eq7_6_b(x, share=1):
    return x.each_step(lambda before, after: le(phi_sq(x, after), share * after.eps, f"k + 1 = {after.k}"))


@claim(
    "fedadmm/eq7.6-b@section5.2",
    world=Points(
        SmoothStronglyConvex("mu", "r"), at=("zero",), sizes={"m": (2, 3), "k0": (1, 2)},
        mu=positive(CURVATURE), r=positive(CURVATURE),
    ),
    control=Control("gradients are not bounded by any number", times=10**6),
    repair="fedadmm/eq7.6-b",
    note="From the start of Section 5.2, w_i^0 = pi_i^0 = 0 and epsilon_i^0 = k_0^2, alpha_i = 1/m. A client that is not selected "
    "at k = 0 has phi_i^1 = g_i^0 = alpha_i grad f_i(0), whatever its length. Algorithm 1 has pi_i^0 = -g_i^0. (`zero` is the "
    "origin: the clients are anywhere.)",
)  # fmt: skip
def eq7_6_b_section5_2(x, times=1):
    return le(x.sq(x.f.grad(x.zero) / x.m), times * x.k0**2)


@claim(
    "fedadmm/eq7.7",
    world=one_update(),
    control=Control("the first term with the constant one is too small for an exact update", five=3),
    uses=("fedadmm/eq7.6-b", "fedadmm/lemma7.1-proof-s14", "fedadmm/lemma7.1-proof-s15", "fedadmm/lemma7.1-proof-s16"),
    note=f"{EVERY_UPDATE} With the difference pi_i^{{k+1}} - pi_i^k, of which (7.4) misprints the second term. Of a client that is "
    "not selected both sides are 0.",
)
def eq7_7(x, five=5):
    u = update(x)
    room = 10 * (1 + x.nu) / (1 - x.nu) * drop(x)
    return le(x.sq(u.turn), x.ratio(five, 4) * (x.alpha * x.r) ** 2 * x.sq(u.move) - room)


@claim(
    "fedadmm/eq7.7@parts",
    world=one_update(),
    control=Control("the first term with the constant one is too small for an exact update", five=3),
    uses=("fedadmm/lemma7.1-proof-s14", "fedadmm/lemma7.1-proof-s15", "fedadmm/lemma7.1-proof-s16"),
    note=f"(7.7) for all parameters: the first part, and sigma_i times the second, add up to it. {EVERY_UPDATE}",
)
def eq7_7_parts(x, five=5):
    u = update(x)
    turned = 5 * x.sq(u.phi_next - u.phi)
    return (
        le(x.sq(u.turn), young(x, u, five) + turned, "what g_i and phi_i turn"),
        le(turned / x.sigma, -from_p3(x) * drop(x), "over sigma_i"),
    )


@claim(
    "fedadmm/eq7.8@updates",
    world=Sequences(
        "n",
        **own("nu"),
        sequences={"eps": at_least(0, GRADIENT**2)},
        every=(condition("eps_{t+1} <= nu eps_t", lambda x, t: le(x.eps[t + 1], x.nu * x.eps[t]), "(3.4)"),),
    ),
    control=USED_UP["9/10"],
    uses=("fedadmm/lemma7.1-proof-s19~repaired",),
    note="After n updates epsilon_i is at most nu_i^n epsilon_i^0, and the epsilon_i of all updates sum up to at most "
    "epsilon_i^0/(1 - nu_i), for every n; by row lemma7.1-proof-s19~repaired n grows without bound.",
)
def eq7_8_updates(x, share=1):
    falls = le(x.eps[x.n], share * x.nu**x.n * x.eps[0])
    return falls, le((1 - x.nu) * x.sum(lambda t: x.eps[t], x.n), share * (x.eps[0] - x.eps[x.n]))
