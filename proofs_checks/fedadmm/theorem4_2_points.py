"""Theorem 4.2 a) as printed: accumulation points of whole runs are stationary (Section 4.3)."""

from fedtheory import Control, claim, le, use
from fedtheory.limits import stationary, tends_to
from fedtheory.units import CURVATURE
from problems import Points, positive

from .iterations import EVERY_CLIENT, beside
from .lemma4_1.every_m import size
from .lemma7_1.limits import eq7_8
from .lemma7_2.limits import eq7_21_limit
from .lemma7_2.parts import low_within
from .one_client import ONE, own
from .section7 import eq7_3_b, eq7_3_c
from .theorem4_1.vanishing import eq4_6_b, eq7_24_alone
from .whole_runs import AVERAGES, HIGHEST, SCHEME, held, runs


@claim(
    "fedadmm/thm4.2a@phi", world=Points(None, at=(), clients_at=("p", "q"), sizes=ONE, **own("sigma")), step=True,
    control=Control("without q it is all of it", share="9/10"),
)  # fmt: skip
def phi_within(x, share=1):
    return le(x.sq(x.sigma * x.p), share * size(x, x.p, x.q))


@claim(
    "fedadmm/thm4.2a@pull", step=True, control=Control("sigma_i may be high", share="9/10"),
    world=Points(None, at=(), clients_at=("v",), sizes=ONE, given=(HIGHEST,), **own("sigma"), high=positive(CURVATURE)),
)  # fmt: skip
def pull_within(x, share=1):
    return le(x.sigma**2 * x.sq(x.v), share * x.high * x.sigma * x.sq(x.v))


FOLLOWED = (
    "accuracies", "accuracies_chosen", "server", "moves", "turns", "way", "apart", "apart_chosen", "pull", "pulls_sq", "phis",
    "gaps", "sum_pi",
)  # fmt: skip


@claim(
    "fedadmm/thm4.2a@rows", step=True,
    world=runs(*FOLLOWED),
    by=(
        SCHEME, AVERAGES, eq7_8, eq7_21_limit, eq7_24_alone, phi_within, use(low_within, v=lambda x: x.W - x.w),
        use(pull_within, v=lambda x: x.W - x.w), use(eq7_3_c, W=lambda x: beside(x.sigma) * (x.W - x.w)),
        use(eq7_3_b, w_1=held, w_2=lambda x: -x.total_vec(beside(x.sigma) * (x.W - x.w)), t=lambda x: 1),
    ),
    note=f"The squares of the residuals of (4.1), summed over the clients, tend to 0 at every k. {EVERY_CLIENT}",
)  # fmt: skip
def thm4_2a_rows(x):
    return (
        tends_to(x.phis, at_most=x.accuracies),
        tends_to(x.gaps, at_most=lambda t: x.apart[t] / x.low),
        tends_to(x.pulls_sq, at_most=lambda t: x.high * x.apart[t]),
        tends_to(x.pull, at_most=lambda t: x.m * x.pulls_sq[t]),
        tends_to(x.sum_pi, at_most=lambda t: 2 * x.held[t] + 2 * x.pull[t]),
    )


@claim(
    "fedadmm/thm4.2a",
    world=runs(*FOLLOWED, "grad", "rest", "rests", "bows", "pulls"),
    by=(SCHEME, AVERAGES, thm4_2a_rows, eq4_6_b),
    uses=("fedadmm/thm4.2-proof-s1", "fedadmm/thm4.2-proof-s3"),
    note="As printed: at every accumulation point of w^{tau_k}, W^k and p, which is that of Pi^k, as pi_i^k = sigma_i p - "
    "alpha_i grad f_i(w_i^k), the three rows of (4.1) hold and so does (2.3): alpha_i grad f_i(w_i) + pi_i = sigma_i p, w_i - w, "
    f"the sum of the pi_i and grad f(w) are 0. {EVERY_CLIENT}",
)  # fmt: skip
def thm4_2a(x):
    return stationary(("w", "W", "p"), x.phis, x.gaps, x.sum_pi, x.grad)
