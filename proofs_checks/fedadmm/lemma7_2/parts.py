"""One client of a run that never ends: what makes its dual variable and its distance from the server small."""

from dataclasses import replace

from fedtheory import Control, claim, le
from fedtheory.theory.fedadmm.conditions import PENALTY
from fedtheory.theory.fedadmm.constants import eps_weight
from fedtheory.units import CURVATURE
from problems import Points, Smooth, positive

from ..controls import EQUAL_PARTS
from ..iterations import gradient
from ..lemma4_1.every_m import OF_VECTORS, size
from ..lemma7_1.limits import ACCURACIES
from ..one_client import ONE, own
from ..whole_runs import HIGHEST, LOWEST


@claim(
    "fedadmm/lemma7.2c@turn",
    world=Points(Smooth("r"), at=(), clients_at=("W", "W_next", "p", "p_next"), sizes=ONE, **own("r", "sigma", "alpha")),
    control=Control("a quadratic of curvature r_i attains it", share="9/10"),
    step=True,
    note="(7.7) over sigma_i, with what is small: phi_i^{k+1} - phi_i^k.",
)  # fmt: skip
def turn_within(x, share=1):
    change = x.sigma * (x.p_next - x.p)
    turned = x.sq(change - gradient(x, x.W_next) + gradient(x, x.W)) / x.sigma
    bend = 5 * (x.alpha * x.r) ** 2 / (4 * x.sigma) * x.sq(x.W_next - x.W)
    return le(turned, share * (bend + 5 * x.sigma * x.sq(x.p_next - x.p))), le(0, turned)


@claim(
    "fedadmm/lemma7.2c@bent",
    world=replace(OF_VECTORS, given=(PENALTY, HIGHEST), scalars={**own("r", "sigma", "alpha"), "high": positive(CURVATURE)}),
    control=Control("near 5 alpha_i r_i/2 = sigma_i = high it is 4/5 of it", share="1/2"),
    step=True,
)  # fmt: skip
def bent_within(x, share=1):
    return le((x.alpha * x.r) ** 2 / x.sigma * x.sq(x.v), share * x.high / 5 * x.sq(x.v))


@claim(
    "fedadmm/lemma7.2c@swing",
    world=ACCURACIES,
    control=Control("phi_i may turn around: for nu_i = 1/2 it is (1 + sqrt(1/2))^2 of 30", share="1/100"),
    step=True,
)
def swing_within(x, share=1):
    return le(x.sigma * x.sq(x.p_next - x.p), share * eps_weight(x) * size(x, x.p, x.q))


@claim(
    "fedadmm/lemma7.2c@drift",
    world=Points(None, at=("w", "w_next"), clients_at=("W",), sizes=ONE, **own("sigma")),
    control=EQUAL_PARTS[1],
    step=True,
    note="(7.21) for one step in which the client is not selected.",
)
def drift_within(x, share=1):
    parts = x.sigma * x.sq(x.W - x.w) + x.sigma * x.sq(x.w_next - x.w)
    return le(x.sigma * x.sq(x.W - x.w_next), share * 2 * parts), le(0, x.sigma * x.sq(x.W - x.w))


SIZES = {"low": positive(CURVATURE), "high": positive(CURVATURE)}
SIZED = Points(None, at=(), clients_at=("v",), sizes=ONE, given=(LOWEST, HIGHEST), **own("sigma"), **SIZES)


@claim("fedadmm/lemma7.2c@low", world=SIZED, control=Control("sigma_i may be low", times=2), step=True)
def low_within(x, times=1):
    return le(times * x.low * x.sq(x.v), x.sigma * x.sq(x.v)), le(0, x.sigma * x.sq(x.v))


@claim("fedadmm/lemma7.2c@high", world=SIZED, control=Control("sigma_i may be high", share="1/2"), step=True)
def high_within(x, share=1):
    return le(x.sq(x.v), share * x.high / x.sigma * x.sq(x.v)), le(0, x.sq(x.v))
