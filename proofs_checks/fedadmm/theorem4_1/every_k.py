"""Theorem 4.1 for every number of iterations: explicit bounds, and a rate that the print does not state (Sections 4.3 and 7.4)."""

from fedtheory import Control, claim, le, lt
from fedtheory.units import GRADIENT, LENGTH, VALUE
from problems import Sequences, at_least, condition, positive

from ..iterations import EVERY_CLIENT, iterations
from ..lemma7_2.bounded import margin
from ..lemma7_2.every_m import AWAY, lemma7_2b_client, lemma7_2b_spread
from ..lemma7_2.sums import lemma7_2a_every_k
from ..one_client import own

STAYS = Control("L_tilde may stay where it is", share="9/10")


@claim(
    "fedadmm/thm4.1-proof-s1",
    world=iterations(given=(AWAY,)),
    by=(lemma7_2a_every_k, lemma7_2b_client, lemma7_2b_spread),
    control=STAYS,
    step=True,
    note="f(w^{tau_k}) <= L_tilde^0 for every k >= 1, from which coerciveness bounds w^{tau_k}; printed are L_tilde^1, the same "
    f"from k = 1 on, and w_i^{{k+1}}, of which the next row speaks. {EVERY_CLIENT}",
)
def thm4_1_proof_s1(x, share=1):
    return le(x.loss[x.K] + (1 - share) * x.L[0], x.L[0])


FALLS = condition("L_tilde^{k+1} <= L_tilde^k", lambda x, t: le(x.L[t + 1], x.L[t]))
VALUES = {"L": at_least(0, VALUE)}


@claim("fedadmm/lemma7.2a@values", world=Sequences("k", sequences=VALUES, every=(FALLS,)), control=STAYS, step=True)
def lemma7_2a_values(x, share=1):
    return le(x.L[x.k], share * x.L[0])


@claim(
    "fedadmm/thm4.1-proof-s8",
    world=Sequences(
        "K",
        sequences={"L": at_least(0, VALUE), "hit": at_least(0)},
        every=(condition("a fall of delta", lambda x, t: le(x.delta * x.hit[t], x.L[t] - x.L[t + 1])),),
        delta=positive(VALUE),
    ),
    control=Control("they may use up the whole", times=2),
    uses=("fedadmm/lemma7.2a@every-k", "fedadmm/lemma7.2b-s1@every-m"),
    step=True,
    note="For every delta > 0 and every K, at most (L_tilde^0 - f*)/delta of the K iterations lower L_tilde by delta or more: hit "
    "is 1 for these and 0 for the others, and L is L_tilde^k - f*.",
)
def thm4_1_proof_s8(x, times=1):
    return le(times * x.delta * x.sum(lambda t: x.hit[t], x.K), x.L[0] - x.L[x.K])


SQUARES = {
    "away": at_least(0, LENGTH**2),
    "w_sq": at_least(0, LENGTH**2),
    "W_sq": at_least(0, LENGTH**2),
    "Pi_sq": at_least(0, GRADIENT**2),
}


def since_start(x, W_sq):
    """epsilon_i^0 + 2 alpha_i^2 r_i^2 (W_sq + |w_i^0|^2) + |g_i^0|^2."""
    return x.eps_0 + 2 * (x.alpha * x.r) ** 2 * (W_sq + x.W_0) + x.g_0


@claim(
    "fedadmm/thm4.1a@every-k",
    world=Sequences(
        "k",
        **own("r", "sigma", "alpha"),
        radius=at_least(0, LENGTH**2),
        W_0=at_least(0, LENGTH**2),
        eps_0=at_least(0, GRADIENT**2),
        g_0=at_least(0, GRADIENT**2),
        sequences=VALUES | SQUARES,
        every=(
            FALLS,
            condition(
                "(2 sigma_i - 3 alpha_i r_i)/4 |w_i^k - w^{tau_k}|^2 <= L_tilde^k - f*",
                lambda x, t: le(margin(x) * x.away[t + 1], x.L[t + 1]),
            ),
            condition("|w^{tau_k}|^2 <= radius", lambda x, t: le(x.w_sq[t + 1], x.radius)),
            condition(
                "|w_i|^2 <= 2(|w|^2 + |w_i - w|^2)", lambda x, t: le(x.W_sq[t + 1], 2 * (x.w_sq[t + 1] + x.away[t + 1]))
            ),
            condition(
                "|pi_i|^2 within 3 times what it began with and the way since",
                lambda x, t: le(x.Pi_sq[t + 1], 3 * since_start(x, x.W_sq[t + 1])),
            ),
        ),
        given=(condition("2 sigma_i > 3 alpha_i r_i", lambda x: lt(0, margin(x))),),
    ),
    by=(lemma7_2a_values,),
    control=STAYS,
    uses=("fedadmm/thm4.1-proof-s1",),
    note="Explicit bounds of |w_i^k - w^{tau_k}|^2, |w_i^k|^2 and |pi_i^k|^2 for every k >= 1, with the margin (2 sigma_i - "
    "3 alpha_i r_i)/4 and the squared radius of the set f <= L_tilde^0, which is bounded as f is coercive; eps_0, W_0 and g_0 are "
    "epsilon_i^0, |w_i^0|^2 and |g_i^0|^2.",
)
def thm4_1a_every_k(x, share=1):
    room, ar_sq = margin(x), (x.alpha * x.r) ** 2
    return (
        le(room * x.away[x.k], share * x.L[0], "w_i - w"),
        le(room * x.W_sq[x.k], 2 * (room * x.radius + share * x.L[0]), "w_i"),
        le(room * x.Pi_sq[x.k], 3 * room * since_start(x, 2 * x.radius) + 12 * ar_sq * share * x.L[0], "pi_i"),
    )


PARTS = ("accuracy", "turns", "moves", "aways")


def sums(x, *names):
    """The sums of sequences over the first K communications."""
    return sum(x.sum(lambda t, name=name: getattr(x, name)[t], x.K) for name in names)


COMMUNICATIONS = {
    "sequences": {name: at_least(0, GRADIENT**2) for name in ("grad", *PARTS)},
    "every": (
        condition("|grad f|^2 <= 4 m times the four parts", lambda x, t: le(
            x.grad[t], 4 * x.m * (x.accuracy[t] + x.turns[t] + x.moves[t] + x.aways[t])
        )),
        condition("least", lambda x, t: le(x.least, x.grad[t])),
    ),
    "m": at_least(1),
    "least": at_least(0, GRADIENT**2),
}  # fmt: skip
ALL = Control("the four parts may share the whole", times=2)


@claim("fedadmm/eq4.6-b@sum", world=Sequences("K", **COMMUNICATIONS), control=ALL, step=True)
def eq4_6_b_sum(x, times=1):
    whole = sums(x, "grad")
    return le(times * whole, 4 * x.m * sums(x, *PARTS)), le(x.K * x.least, whole)


@claim(
    "fedadmm/eq4.6-b@every-K",
    world=Sequences(
        "K",
        **COMMUNICATIONS,
        bound=at_least(0, GRADIENT**2),
        given=(condition("what the four parts sum up to", lambda x: le(sums(x, *PARTS), x.bound)),),
    ),
    by=(eq4_6_b_sum,),
    control=ALL,
    uses=("fedadmm/eq7.8", "fedadmm/lemma7.2-proof-s13", "fedadmm/lemma7.2-proof-s14", "fedadmm/lemma7.2-proof-s16",
          "fedadmm/eq7.21-e", "fedadmm/lemma7.1-proof-s19~repaired"),
    note="Over the first K communications |grad f(w^{tau_{k+1}})|^2 sums up to at most 4 m times what its four parts do, which by "
    "(7.8), (7.20), (7.7) and (7.21) has a bound that does not depend on K: it tends to 0, and the least of the K is at most 4 m "
    "bound/K, a rate that the paper does not state.",
)  # fmt: skip
def eq4_6_b_every_K(x, times=1):
    limit = 4 * x.m * x.bound
    return le(times * sums(x, "grad"), limit), le(times * x.K * x.least, limit)
