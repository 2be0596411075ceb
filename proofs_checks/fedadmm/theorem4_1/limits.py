"""Theorem 4.1 a) and b) as printed, along whole runs (Section 4.3)."""

from dataclasses import replace

from fedtheory import Control, claim, le, use
from fedtheory.limits import bounded, tends_to, together
from problems import positive

from ..iterations import EVERY_CLIENT, dual
from ..lemma7_1.limits import eq7_8_weighed, eq7_8_weighed_alone
from ..lemma7_2.every_m import lemma7_2b_client, lemma7_2b_spread
from ..lemma7_2.limits import (
    LEMMA_4_1,
    eq7_21_apart,
    eq7_21_limit,
    lemma4_1_whole,
    thm4_1_proof_s8_limit,
)
from ..lemma7_2.parts import high_within, low_within
from ..lemma7_2.sums import least
from ..whole_runs import COERCIVE_RUNS, SCHEME, UNBOUNDED, level, runs
from .parts import duals_within, far_within, radius_within, rise_within, steep_within, young_within

COERCE = (
    "Assumption 4.2: for every level there is a radius such that f is at least the level farther than that from o, and it is f* at "
    "least within it, so that (f - f*) |w - o|^2 >= (level - f*) (|w - o|^2 - radius), which is all that is used; here the level "
    "is any number above L_tilde^0."
)


@claim(
    "fedadmm/lemma7.2a@whole", world=runs(*LEMMA_4_1, of=UNBOUNDED), by=(lemma4_1_whole,), step=True,
    control=Control("nothing need move", share="9/10"), note=f"L_tilde^k <= L_tilde^0 for every k. {EVERY_CLIENT}",
)  # fmt: skip
def lemma7_2a_whole(x, share=1):
    return le(x.L[x.K], share * x.L[0])


@claim(
    "fedadmm/thm4.1a@values", world=runs(*LEMMA_4_1, of=UNBOUNDED), by=(lemma7_2a_whole, lemma7_2b_client, lemma7_2b_spread),
    step=True, control=Control("nothing need move", share="9/10"), note=f"f(w^{{tau_k}}) <= L_tilde^0 for every k. {EVERY_CLIENT}",
)  # fmt: skip
def thm4_1a_values(x, share=1):
    return le(x.loss[x.K], share * x.L[0])


@claim(
    "fedadmm/thm4.1a@server", world=runs(*LEMMA_4_1, of=COERCIVE_RUNS), step=True,
    by=(
        thm4_1a_values,
        use(
            radius_within, N=lambda x: x.norms[x.K], rise=lambda x: level(x) - least(x), value=lambda x: x.loss[x.K] - least(x),
            most=lambda x: x.L[0] - least(x),
        ),
    ),
    note=f"w^{{tau_k}} stays near o: sigma |w^{{tau_k}} - o|^2 <= radius (level - f*)/(level - L_tilde^0). {COERCE} {EVERY_CLIENT}",
)  # fmt: skip
def thm4_1a_server(x):
    return bounded(x.norms, at_most=lambda t: (level(x) - least(x)) * x.radius / (level(x) - x.L[0]))


BOUNDED = (
    "eps", "eps_chosen", "server", "way", "turns", "moves", "apart", "apart_chosen", "norms", "spans", "spans_sq", "steep",
    "steep_o", "duals", "duals_sq",
)  # fmt: skip


@claim(
    "fedadmm/thm4.1a", world=runs(*BOUNDED, of=COERCIVE_RUNS),
    by=(
        SCHEME, thm4_1a_server, eq7_8_weighed, eq7_21_limit, far_within, steep_within,
        duals_within, use(low_within, v=lambda x: x.W - x.o), use(high_within, v=dual),
    ),
    uses=("fedadmm/thm4.1a@every-k",),
    note="As printed: the squared distances of w^{tau_k}, times sigma, and of the w_i^k from any point o, and "
    "|pi_i^k|^2, summed over the clients, "
    f"stay below numbers that do not depend on k. {COERCE} {EVERY_CLIENT}",
)  # fmt: skip
def thm4_1a(x):
    return (
        bounded(x.norms),
        bounded(x.spans, at_most=lambda t: 2 * x.apart[t] + 2 * x.norms[t]),
        bounded(x.spans_sq, at_most=lambda t: x.spans[t] / x.low),
        bounded(x.steep, at_most=lambda t: 2 * x.spans[t] + 2 * x.steep_o),
        bounded(x.duals, at_most=lambda t: 2 * x.eps[t] + 2 * x.steep[t]),
        bounded(x.duals_sq, at_most=lambda t: x.high * x.duals[t]),
    )


@claim(
    "fedadmm/thm4.1a@duals-bounded", world=runs(*BOUNDED, of=COERCIVE_RUNS), by=(SCHEME, thm4_1a), step=True,
    note=f"Of these bounds the two that (7.22) and the row below it need. {EVERY_CLIENT}",
)  # fmt: skip
def thm4_1a_duals_bounded(x):
    return bounded(x.steep), bounded(x.duals)


VALUES = runs("L", "Lag", "F_W", "cross", "slopes", "apart", "eps", "steep", "steep_o", "duals", of=COERCIVE_RUNS)


def with_s(world):
    """Any positive number beside a run, which does not read it."""
    return replace(world, scalars={**world.scalars, "s": positive()}, example={**world.example, "s": 1})


@claim(
    "fedadmm/thm4.1b@apart", world=with_s(VALUES), step=True,
    by=(
        SCHEME, thm4_1a_duals_bounded, eq7_8_weighed_alone, eq7_21_apart, use(young_within, a=lambda x: x.W - x.w, b=dual),
        use(young_within, a=lambda x: x.W - x.w, b=lambda x: x.alpha[..., None] * x.f.grad(x.W)), rise_within,
    ),
    note="L_tilde^k - L^k, L^k - F(W^k) and F(W^k) - f(w^{tau_k}) tend to 0: the first is what is added in (4.4), and the others "
    "are "
    "at most s times what is bounded and a multiple of the sum of sigma_i |w_i^k - w^{tau_k}|^2, for every s > 0. "
    f"{EVERY_CLIENT}",
)  # fmt: skip
def thm4_1b_apart(x):
    def within(bounding):
        return lambda t: x.s / 2 * getattr(x, bounding)[t] + x.apart[t] / (2 * x.s) + x.apart[t] / 2

    return (
        tends_to(lambda t: x.L[t] - x.Lag[t], at_most=lambda t: x.eps[t]),
        tends_to(lambda t: x.Lag[t] - x.F_W[t], at_most=within("duals"), for_every=x.s),
        tends_to(lambda t: x.F_W[t] - x.loss[t], at_most=within("steep"), for_every=x.s),
    )


@claim(
    "fedadmm/thm4.1b", world=with_s(runs(*LEMMA_4_1, "Lag", "F_W", of=COERCIVE_RUNS)),
    by=(SCHEME, thm4_1b_apart, thm4_1_proof_s8_limit),
    uses=("fedadmm/thm4.1-proof-s8", "fedadmm/thm4.1-proof-s9", "fedadmm/thm4.1-proof-s13", "fedadmm/eq4.5-a"),
    note=f"As printed: L^k, F(W^k) and f(w^{{tau_k}}) converge to one value, that of L_tilde^k. {EVERY_CLIENT}",
)  # fmt: skip
def thm4_1b(x):
    return together(x.Lag, x.F_W, x.loss)
