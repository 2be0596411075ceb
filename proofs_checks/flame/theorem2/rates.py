"""The rates that Section 4.4 reads off Theorem 2: the sum of the squared gradients over t < T, over T, vanishes like 1/T.

It does so if the sums over t < T of the expectations stay below one number for all T. eps_i bounds the accuracies eps_i^t of
(13), of which Theorem 2 takes the largest; nothing is printed that makes them small.
"""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

from fedtheory import Control, claim, le, use
from fedtheory.limits import at_most, smallest, summable
from fedtheory.theory.flame.constants import lagrangian_gradient_sq
from fedtheory.units import GRADIENT
from problems import condition, positive

from .along_runs import GIVEN
from .every_round import OF_ALL, ROUNDS, SETTING, above_least, allowance, dual, error, in_the_mean, server, theta_sq
from .every_T import measure, printed_round


class Point(NamedTuple):
    """P^t of (40) and (41)."""

    Theta: object
    W: object
    Pi: object
    w: object


def whole_gradient_sq(x):
    """|grad L(P^t)|^2 over m, with w^t of (12) and pi_i^t of (25)."""
    point = Point(x.Theta, x.W, dual(x), server(x))
    return lagrangian_gradient_sq(x, point) / x.m


ACCURATE = condition(
    "every client meets its accuracy in every round, also where it is not selected",
    lambda x: le(error(x), x.eps),
    "(13)",
)
PRINTED = replace(
    ROUNDS, given=GIVEN, obeys=(ACCURATE,), scalars={**OF_ALL, "eps": positive(GRADIENT**2, per_client=True)},
    quantities={"P": whole_gradient_sq, "Theta_part": in_the_mean(theta_sq)},
)  # fmt: skip
AT_REST = (
    "The sums of E|grad L|^2 over t < T stay bounded, so that over T they vanish like 1/T. False where nothing moves: at the "
    "witness theta_i^{t+1} = theta_i^t meets (13), all other vectors stay as well, and the gradient is the same for ever. "
    "No bound of Theorem 2 is used; any weights, m and s."
)


@claim(
    "flame/rem-thm2-rate-p",
    world=PRINTED,
    repair="flame/rem-thm2-rate-p~repaired",
    uses=("flame/eq19",),
    note=f"At P^t. {AT_REST}",
)
def rem_thm2_rate_p(x):
    return summable(x.P)


@claim(
    "flame/rem-thm2-rate-theta", world=PRINTED, repair="flame/thm2b~repaired", uses=("flame/eq20",),
    note=f"At Theta^t. {AT_REST}",
)  # fmt: skip
def rem_thm2_rate_theta(x):
    return summable(x.Theta_part)


def all_errors(x):
    """The sum of the mean errors over the run."""
    return x.sum(lambda t: x.error[t], x.T)


SUMMED = replace(
    ROUNDS, given=(*ROUNDS.given, condition("the errors sum up to at most eps", lambda x: le(all_errors(x), x.eps))),
    scalars={**ROUNDS.scalars, "eps": positive(GRADIENT**2)},
)  # fmt: skip
SUMMABLE = f"With accuracies that are summable, the mean over the clients of the errors in (13). {SETTING}"


def at_t(x, t):
    """|grad L(P^t)|^2 over m and the constant of `measure`."""
    return measure(x, x.P[t], x.Q[t])


@claim(
    "flame/rem-thm2-rate-p~repaired-sum", world=ROUNDS, by=(printed_round,), step=True,
    control=Control("nor a hundredth of what L loses", share=100), note=f"For every T. {SETTING}",
)  # fmt: skip
def summed(x, share=1):
    left = x.D[x.T] + share * x.S * x.sum(partial(at_t, x), x.T)
    return le(left, x.D[0] + x.S * allowance(x, all_errors(x)))


@claim(
    "flame/rem-thm2-rate-p~repaired", world=SUMMED, by=(summed, use(above_least, w=server)),
    note="m times measure is |grad L(P^t)|^2 over 20 lam a_max + 40 (rho + 1/rho): its expectations are summable, so that their "
    f"mean over t < T vanishes like 1/T, and so does the least. {SUMMABLE}",
)  # fmt: skip
def rem_thm2_rate_p_repaired(x):
    whole = partial(at_t, x)
    bound = x.D[0] / x.S + allowance(x, x.eps)
    return summable(whole, bound), at_most(smallest(whole), bound / x.T)
