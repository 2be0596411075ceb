"""Corollary 4.1 b) and c) as printed, along whole runs with a convex or strongly convex f (Section 4.3)."""

from dataclasses import replace

from fedtheory import Control, claim, le, use
from fedtheory.limits import stationary, tends_to
from fedtheory.of_clients import OfClients
from fedtheory.theory.fedadmm.conditions import PENALTY
from fedtheory.units import CURVATURE
from problems import Points, Smooth, condition, positive

from ..controls import EQUAL_PARTS
from ..iterations import EVERY_CLIENT, dual, gradient
from ..lemma4_1.every_m import size
from ..lemma7_1.limits import eq7_8
from ..lemma7_2.limits import eq7_21_limit
from ..lemma7_2.parts import low_within
from ..lemma7_2.sums import least
from ..one_client import ONE, own
from ..theorem4_1.vanishing import eq4_6_b
from ..theorem4_2_points import thm4_2a_rows
from ..whole_runs import AVERAGES, HIGHEST, OF_RUNS, SCHEME, WHOLE
from .limits import convex_runs, eq4_7_c

# b)

AT_END = ("gaps", "phis", "sum_pi")
ROWS = (
    "accuracies", "accuracies_chosen", "server", "moves", "turns", "way", "apart", "apart_chosen", "pull", "pulls_sq", *AT_END,
)  # fmt: skip


def above(x):
    """f(w^{tau_k}) - f*."""
    return x.total(x.alpha * x.f.value(x.w)) - least(x)


def with_above(world):
    """The runs with f(w^{tau_k}) - f* as a quantity."""
    return replace(world, quantities={**world.quantities, "above": above})


@claim(
    "fedadmm/cor4.1b@value",
    world=with_above(convex_runs()),
    by=(SCHEME, AVERAGES, eq4_7_c),
    step=True,
    note=f"(4.7) of f(w^{{tau_k}}) - f*, a function of w^{{tau_k}} alone. {EVERY_CLIENT}",
)
def cor4_1b_value(x):
    return tends_to(x.above, at_most=lambda t: x.loss[t] - least(x))


@claim(
    "fedadmm/cor4.1b",
    world=with_above(convex_runs(*ROWS)),
    by=(SCHEME, AVERAGES, cor4_1b_value, thm4_2a_rows),
    uses=("fedadmm/thm4.2a", "fedadmm/cor4.1-proof-s4"),
    note="As printed: at every accumulation point of w^{tau_k}, W^k and p, which is that of Pi^k, f(w) = f*, so that w is optimal "
    "for (2.3); w_i = w, so that (w, W) is optimal for (3.1), with the multipliers pi_i, as alpha_i grad f_i(w_i) + pi_i and the "
    f"sum of the pi_i are 0. {EVERY_CLIENT}",
)
def cor4_1b(x):
    return stationary(("w", "W", "p"), x.above, x.gaps, x.phis, x.sum_pi)


# c)

SUPPORTED = condition(
    "f(w^{tau_k}) + <grad f(w^{tau_k}), w* - w^{tau_k}> + mu/2 |w^{tau_k} - w*|^2 <= f*, as f is mu-strongly convex and f* its "
    "value at w*, which is o",
    lambda x, t: le(x.loss[t] - x.slant[t] + x.mu / 2 * x.away[t], least(x)),
    "Corollary 4.1 c)",
)
STRONG_RUNS = replace(
    WHOLE,
    every=(*WHOLE.every, SUPPORTED),
    scalars={**WHOLE.scalars, "mu": positive(CURVATURE)},
    example={**WHOLE.example, "f_minus": 0, "mu": 1},
)
QUANTITIES = {
    **OF_RUNS,
    "aims": OfClients(lambda x: x.sq(x.w - x.o)),
    "errors": OfClients(lambda x: x.sq(dual(x) + gradient(x, x.o))),
}
FOLLOWED = ("loss", "balance", "left", "held", "slant", "grad", "away")


def strong_runs(*names):
    """The runs of a strongly convex f with a few of their quantities."""
    return replace(STRONG_RUNS, quantities={name: QUANTITIES[name] for name in dict.fromkeys((*FOLLOWED, *names))})


@claim(
    "fedadmm/cor4.1c@slant",
    world=Points(None, at=("a", "b"), sizes=ONE, mu=positive(CURVATURE)),
    control=Control("for a = mu b/2 both sides are equal", share="9/10"),
    step=True,
    note="<a, b> is at most mu/4 |b|^2 + |a|^2/mu.",
)
def slant_within(x, share=1):
    return le(x.dot(x.a, x.b), share * (x.mu / 4 * x.sq(x.b) + x.sq(x.a) / x.mu))


@claim(
    "fedadmm/cor4.1c@way",
    world=Points(None, at=("w", "o"), clients_at=("W",), sizes=ONE),
    control=EQUAL_PARTS[1],
    step=True,
)
def way_within_o(x, share=1):
    return le(x.sq(x.W - x.o), share * 2 * (x.sq(x.W - x.w) + x.sq(x.w - x.o))), le(0, x.sq(x.W - x.o))


@claim(
    "fedadmm/cor4.1c@server",
    world=strong_runs("rest", "rests", "bows", "pulls"),
    by=(
        SCHEME, AVERAGES, eq4_6_b,
        use(slant_within, a=lambda x: x.total_vec(gradient(x, x.w)), b=lambda x: x.w - x.o),
    ),
    step=True,
    note=f"w^{{tau_k}} tends to w*: |w^{{tau_k}} - w*|^2 <= 4 |grad f(w^{{tau_k}})|^2/mu^2. {EVERY_CLIENT}",
)  # fmt: skip
def cor4_1c_server(x):
    return tends_to(x.away, at_most=lambda t: 4 * x.grad[t] / x.mu**2)


@claim(
    "fedadmm/cor4.1c@clients",
    world=strong_runs("way", "apart", "apart_chosen", "gaps", "aims", "spans_sq"),
    by=(
        SCHEME, AVERAGES, cor4_1c_server, eq7_21_limit, use(low_within, v=lambda x: x.W - x.w), way_within_o,
    ),
    step=True,
    note=f"W^k tends to W*, of which every w_i* is w*. {EVERY_CLIENT}",
)  # fmt: skip
def cor4_1c_clients(x):
    return (
        tends_to(x.gaps, at_most=lambda t: x.apart[t] / x.low),
        tends_to(x.aims, at_most=lambda t: x.m * x.away[t]),
        tends_to(x.spans_sq, at_most=lambda t: 2 * x.gaps[t] + 2 * x.aims[t]),
    )


@claim(
    "fedadmm/cor4.1c@spans",
    world=strong_runs("gaps", "aims", "spans_sq"),
    by=(SCHEME, AVERAGES, cor4_1c_clients),
    step=True,
    note=f"Of these limits that of W^k alone. {EVERY_CLIENT}",
)
def cor4_1c_spans(x):
    return tends_to(x.spans_sq)


@claim(
    "fedadmm/cor4.1c@dual",
    world=Points(
        Smooth("r"), at=("o",), clients_at=("W", "p", "q"), sizes=ONE, given=(PENALTY, HIGHEST),
        **own("r", "sigma", "alpha"), high=positive(CURVATURE),
    ),
    control=Control("a quadratic of curvature r_i, where p and q are 0, has (2/5)^2 of it", share="1/20"),
    step=True,
    note="pi_i is sigma_i p - alpha_i grad f_i(w_i), and alpha_i r_i <= 2 sigma_i/5.",
)  # fmt: skip
def dual_within(x, share=1):
    whole = x.sq(x.sigma * x.p - gradient(x, x.W) + gradient(x, x.o))
    return le(whole, share * (2 * size(x, x.p, x.q) + 2 * x.high**2 * x.sq(x.W - x.o))), le(0, whole)


@claim(
    "fedadmm/cor4.1c",
    world=strong_runs("accuracies", "accuracies_chosen", "spans_sq", "errors"),
    by=(SCHEME, AVERAGES, cor4_1c_server, cor4_1c_spans, eq7_8, dual_within),
    uses=("fedadmm/cor4.1c@gap", "fedadmm/cor4.1c@clients"),
    note="As printed: w^{tau_k} tends to w*, every w_i^k to w_i* = w* and every pi_i^k to pi_i* = -alpha_i grad f_i(w*), in "
    "squares, summed over the clients. That w* is unique is cor4.1c@gap. f need not be coercive, as Remark 4.2 says. "
    f"{EVERY_CLIENT}",
)
def cor4_1c(x):
    return (
        tends_to(x.away),
        tends_to(x.spans_sq),
        tends_to(x.errors, at_most=lambda t: 2 * x.accuracies[t] + 2 * x.high**2 * x.spans_sq[t]),
    )
