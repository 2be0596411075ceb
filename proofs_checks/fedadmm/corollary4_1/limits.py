"""Corollary 4.1 a) as printed, along whole runs with a convex f (Section 4.3)."""

from dataclasses import replace

from fedtheory import claim, le, use
from fedtheory.limits import bounded, tends_to
from problems import Points, condition, positive

from ..controls import EQUAL_PARTS
from ..iterations import EVERY_CLIENT, gradient
from ..lemma7_2.limits import eq7_21_limit
from ..lemma7_2.parts import low_within
from ..lemma7_2.sums import least
from ..one_client import ONE
from ..theorem4_1.limits import BOUNDED, thm4_1a, with_s
from ..theorem4_1.vanishing import eq4_6_b
from ..whole_runs import AVERAGES, COERCIVE_RUNS, SCHEME, runs

SUPPORTED = condition(
    "f(w^{tau_k}) + <grad f(w^{tau_k}), w* - w^{tau_k}> <= f*, as f is convex and f* its value at w*, which is o",
    lambda x, t: le(x.loss[t] - x.slant[t], least(x)),
    "Corollary 4.1",
)
CONVEX_RUNS = with_s(
    replace(COERCIVE_RUNS, every=(*COERCIVE_RUNS.every, SUPPORTED), example={**COERCIVE_RUNS.example, "f_minus": 0})
)
FOLLOWED = ("loss", "balance", "left", "held", "norms", "L", "slant", "grad", "away", "aways")


@claim(
    "fedadmm/eq4.7-c@young",
    world=Points(None, at=("a", "b"), sizes=ONE, s=positive()),
    control=EQUAL_PARTS[1],
    step=True,
)
def young_within(x, share=1):
    return le(2 * x.dot(x.a, x.b), share * (x.s * x.sq(x.a) + x.sq(x.b) / x.s))


def convex_runs(*names):
    """The runs of a convex f with a few of their quantities."""
    return replace(CONVEX_RUNS, quantities=runs(*FOLLOWED, *names).quantities)


@claim(
    "fedadmm/eq4.7-c@way",
    world=Points(None, at=("w", "o"), clients_at=("W",), sizes=ONE),
    control=EQUAL_PARTS[1],
    step=True,
)
def way_within(x, share=1):
    return le(x.sq(x.w - x.o), share * 2 * (x.sq(x.W - x.o) + x.sq(x.W - x.w)))


@claim(
    "fedadmm/eq4.7-c@away", world=convex_runs(*BOUNDED, "gaps"), step=True,
    by=(SCHEME, thm4_1a, eq7_21_limit, way_within, use(low_within, v=lambda x: x.W - x.w)),
    note=f"|w^{{tau_k}} - w*| stays bounded, by Theorem 4.1 a). {EVERY_CLIENT}",
)  # fmt: skip
def eq4_7_c_away(x):
    return (
        tends_to(x.gaps, at_most=lambda t: x.apart[t] / x.low),
        bounded(x.away, at_most=lambda t: 2 * (x.spans_sq[t] + x.gaps[t]) / x.m),
    )


@claim(
    "fedadmm/eq4.7-c",
    world=convex_runs(*BOUNDED, "gaps", "rest", "rests", "bows", "pulls"),
    by=(
        SCHEME, AVERAGES, eq4_7_c_away, eq4_6_b,
        use(young_within, a=lambda x: x.w - x.o, b=lambda x: x.total_vec(gradient(x, x.w))),
    ),
    uses=("fedadmm/eq7.26-b",),
    note="As printed: f(w^{tau_k}) tends to f*. It is at most s/2 |w^{tau_k} - w*|^2 and |grad f(w^{tau_k})|^2/(2 s) above it, for "
    f"every s > 0. {EVERY_CLIENT}",
)  # fmt: skip
def eq4_7_c(x):
    def within(t):
        return x.s / 2 * x.away[t] + x.grad[t] / (2 * x.s)

    return tends_to(lambda t: x.loss[t] - least(x), at_most=within, for_every=x.s)
