"""Theorem 4.1 c) of f along whole runs: grad f(w^{tau_k}) tends to 0 (Section 4.3)."""

from dataclasses import replace

from fedtheory import Control, claim, le, use
from fedtheory.limits import refreshed, tends_to
from fedtheory.units import CURVATURE
from problems import Points, Smooth, positive

from ..controls import EQUAL_PARTS
from ..iterations import EVERY_CLIENT, beside, gradient, residual
from ..lemma4_1.every_m import OF_VECTORS, size
from ..lemma7_1.limits import eq7_8
from ..lemma7_2.limits import eq7_21_limit, lemma7_2_proof_s13_limit, lemma7_2_proof_s14_limit
from ..one_client import ONE, own
from ..section7 import eq7_3_b, eq7_3_c
from ..whole_runs import AVERAGES, HIGHEST, PENALTY, SCHEME, bend, held, jolt, runs

HIGH = {"high": positive(CURVATURE)}


@claim(
    "fedadmm/eq4.6-b@jolt",
    world=Points(None, at=(), clients_at=("move", "turned"), sizes=ONE, given=(HIGHEST,), **own("sigma"), **HIGH),
    control=EQUAL_PARTS[1],
    step=True,
    note="pi_i^{k+1} - pi_i^k is sigma_i times `turned`.",
)
def jolt_within(x, share=1):
    parts = x.high * x.sq(x.move) + x.sigma * x.sq(x.turned)
    return le(x.sq(x.sigma * (x.move + x.turned)), share * 2 * x.high * parts)


@claim(
    "fedadmm/eq4.6-b@rest",
    world=Points(None, at=(), clients_at=("a", "b", "p", "q"), sizes=ONE, **own("sigma")),
    control=EQUAL_PARTS[3],
    step=True,
)
def rest_within(x, three=3):
    return le(x.sq(x.a + x.b + x.sigma * x.p), three * (x.sq(x.a) + x.sq(x.b) + size(x, x.p, x.q)))


@claim(
    "fedadmm/eq4.6-b@bow",
    world=Points(Smooth("r"), at=("w",), clients_at=("W",), sizes=ONE, **own("r", "sigma", "alpha")),
    control=Control("a quadratic of curvature r_i attains it", share="9/10"),
    step=True,
)
def bow_within(x, share=1):
    away = x.sq(x.W - x.w)
    left = x.sq(gradient(x, x.w) - gradient(x, x.W)) + x.sigma**2 * away
    return le(left, share * (x.alpha * x.r) ** 2 * away + x.sigma**2 * away)


@claim(
    "fedadmm/eq4.6-b@pull",
    world=replace(OF_VECTORS, given=(PENALTY, HIGHEST), scalars={**own("r", "sigma", "alpha"), **HIGH}),
    control=Control("near 5 alpha_i r_i/2 = sigma_i = high it is 29/50 of it", share="1/2"),
    step=True,
)
def pull_within(x, share=1):
    return le(((x.alpha * x.r) ** 2 + x.sigma**2) * x.sq(x.v), share * 2 * x.high * x.sigma * x.sq(x.v))


@claim(
    "fedadmm/eq7.24@jolt", step=True, world=runs("server", "moves", "turns", "jolt", "jolts"),
    by=(
        SCHEME, lemma7_2_proof_s13_limit, lemma7_2_proof_s14_limit,
        use(eq7_3_c, W=lambda x: x.where(x.chosen, jolt(x), x.W - x.W)),
        use(jolt_within, move=lambda x: x.W_next - x.W, turned=lambda x: x.W_next - x.w_next),
    ),
    note=f"What the updates of the selected clients add to the sum of sigma_i (w_i^k - w^{{tau_{{k+1}}}}) + pi_i^k. {EVERY_CLIENT}",
)  # fmt: skip
def eq7_24_jolt(x):
    return (
        tends_to(x.jolts, at_most=lambda t: 2 * x.high**2 * x.moves[t] + 2 * x.high * x.turns[t]),
        tends_to(x.jolt, at_most=lambda t: x.m * x.jolts[t]),
    )


@claim(
    "fedadmm/eq7.24@limit", step=True, world=runs("jolt", "jolts"),
    by=(
        SCHEME, AVERAGES, eq7_24_jolt,
        use(eq7_3_b, w_1=residual, w_2=lambda x: x.total_vec(jolt(x), over=x.chosen), t=lambda x: 1),
    ),
    note="The sum of sigma_i (w_i^k - w^{tau_k}) + pi_i^k tends to 0, at every k: it is 0 with w^{tau_{k+1}} for w^{tau_k} "
    f"whenever the server averages, and the updates add what tends to 0. {EVERY_CLIENT}",
)  # fmt: skip
def eq7_24_limit(x):
    added = refreshed(lambda t: x.held[t] - x.left[t], grows=2, more=lambda t: 2 * x.jolt[t])
    return tends_to(x.held, refreshed=added)


@claim(
    "fedadmm/eq7.24@limit-alone", step=True, world=runs(), by=(SCHEME, AVERAGES, eq7_24_limit), note=EVERY_CLIENT,
)  # fmt: skip
def eq7_24_alone(x):
    return tends_to(x.held)


@claim(
    "fedadmm/eq4.6-b",
    world=runs("accuracies", "accuracies_chosen", "server", "moves", "turns", "way", "apart", "apart_chosen", "grad",
               "rest", "rests", "bows", "pulls"),
    by=(
        SCHEME, AVERAGES, eq7_8, eq7_21_limit, eq7_24_alone, bow_within,
        use(rest_within, a=lambda x: gradient(x, x.w) - gradient(x, x.W), b=lambda x: beside(x.sigma) * (x.W - x.w)),
        use(pull_within, v=lambda x: x.W - x.w),
        use(eq7_3_b, w_1=lambda x: -held(x), w_2=lambda x: x.total_vec(bend(x) + beside(x.sigma) * x.p), t=lambda x: 1),
        use(eq7_3_c, W=lambda x: bend(x) + beside(x.sigma) * x.p),
    ),
    uses=("fedadmm/eq7.24", "fedadmm/eq7.25-c", "fedadmm/eq7.25-d", "fedadmm/eq4.6-b@every-K"),
    note="As printed: |grad f(w^{tau_k})|^2 tends to 0, at every k. grad f is minus the sum of sigma_i (w_i^k - w^{tau_k}) + pi_i^k"
    f" and of what |w_i^k - w^{{tau_k}}| and epsilon_i^k make small. {EVERY_CLIENT}",
)  # fmt: skip
def eq4_6_b(x):
    return (
        tends_to(x.rests, at_most=lambda t: 6 * x.high * x.apart[t] + 3 * x.accuracies[t]),
        tends_to(x.rest, at_most=lambda t: x.m * x.rests[t]),
        tends_to(x.grad, at_most=lambda t: 2 * x.held[t] + 2 * x.rest[t]),
    )
