"""What the claims of the convergence theory share: symbols, printed conditions, one client, and rounds of three clients by hand."""

from typing import Any

from fedtheory import le
from fedtheory.theory.dadpfl.conditions import NEIGHBOURS, STEP_3, STEP_LEMMAS
from fedtheory.theory.dadpfl.constants import scheduled as scheduled
from fedtheory.theory.dadpfl.symbols import symbols
from fedtheory.units import CURVATURE, LENGTH, STEP
from problems import Run, Smooth, at_least, condition, positive, real

# M is any number of at least 1: whole numbers are among them, and a proof is one for these
OF_LEMMA = (NEIGHBOURS, STEP_LEMMAS)
OF_THEOREM = (NEIGHBOURS, STEP_3)
AT_TWO = condition(
    "eta^2 <= 1/(12 M mu^2 (M-1)(2M-1)) at M = 2", lambda x: le(72 * x.L**2 * x.eta**2, 1), "Lemmas 1, 3"
)
STEPS = {"M": at_least(1), "L": positive(CURVATURE), "eta": positive(STEP)}
WHOLE = {"L": STEPS["L"], "eta": STEPS["eta"]}  # where M is one of a few whole numbers
NOISE = {"sigma_l_sq": symbols["sigma_l_sq"].scalar}
SPREAD = {"sigma_g_sq": symbols["sigma_g_sq"].scalar}
BOUNDS = {**NOISE, **SPREAD, "sigma_p_sq": symbols["sigma_p_sq"].scalar}
VARIANCE = condition("E|grad f^_k - grad f_k|^2 <= sigma_l^2", lambda x: le(x.sq(noise(x)), x.sigma_l_sq), "(8)")


def noise(x):
    """An error of the gradient: L e, so that e has the unit of a model."""
    return x.L * x.e


def growth(x):
    """A of the proof of Lemma 1."""
    return 1 + 1 / (2 * x.M - 2)


def exponential(x, share=1):
    """e^(1/(2M - 2)), as the square of e to half of that, which says how far it is above 1 + 1/(2M - 2)."""
    return x.exp(1 / (2 * share * (2 * x.M - 2))) ** 2


def room(x, spread, slope):
    """B + C of the proof of Lemma 1."""
    return (1 + 1 / (2 * x.M - 1)) * x.eta**2 * x.sigma_l_sq + 6 * x.M * x.eta**2 * (spread + slope)


# a client that starts its local steps at `w0`; grad f at w0, of all clients, is any vector L g


def own_spread(x):
    """|grad f_k(w0) - grad f(w0)|^2."""
    return x.sq(x.f.grad(x.w0) - x.L * x.g)


def slope(x):
    """|grad f(w0)|^2."""
    return x.sq(x.L * x.g)


def moved(x):
    """|w - w0|^2."""
    return x.sq(x.w - x.w0)


def biased(x):
    """A local step with an error that need not vanish in the mean."""
    return x.w - x.eta * (x.f.grad(x.w) + noise(x))


LOCAL = Run(
    Smooth("L"),
    index="tau",
    at=("w", "w0", "g", "e"),
    fresh=("e",),
    outcomes=(1, -1),
    sizes={"m": (1,)},
    step={"w": lambda x, sign: x.w - x.eta * (x.f.grad(x.w) + sign * noise(x))},
    lengths=(1, 2),
    quantities={
        "D": moved,
        "spread": own_spread,
        "rise": slope,
        "steep": lambda x: x.sq(x.f.grad(x.w)),
        "noise": lambda x: x.sq(noise(x)),
    },
    given=OF_LEMMA,
    every=(condition("E|grad f^_k - grad f_k|^2 <= sigma_l^2", lambda x, t: le(x.noise[t], x.sigma_l_sq), "(8)"),),
    **STEPS,
    **NOISE,
)
UNBIASED = "Errors of mean zero, which (8) does not say: with equal chances +e and -e, another e in every step."


# three clients with the function f_k(w) = L |w|^2/2 in one dimension, dense masks, M = 2: everybody hears everybody

ROUND = {"L": positive(CURVATURE), "eta": positive(STEP), "w": real(LENGTH)}
THREE = 3


def local_steps(x, w, E=3, slope=None):
    """w after E local steps, with L w or another derivative."""
    for _ in range(E):
        w = w - x.eta * (x.L * w if slope is None else slope(w))
    return w


def one_round(x, W, N=2, **steps):
    """The aggregated and the trained models of three clients in the order of their indices, of which at most N are awaited."""
    before: list[Any] = []
    after: list[Any] = []
    for k in range(THREE):
        prior = after[max(0, k - N) :] if N else []
        old = [W[j] for j in range(THREE) if j >= k or j < k - len(prior)]
        before.append((sum(prior) + sum(old)) / THREE)
        after.append(local_steps(x, before[-1], **steps))
    return before, after


def reordered(W):
    """The models under every order of the three clients: indices are drawn anew in every round."""
    orders = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
    return [[W[j] for j in order] for order in orders]


def global_models(x, N=2, **steps):
    """Global models of the first round and, under every order of the clients, of the second; all start at w."""
    first, after = one_round(x, [x.w] * THREE, N=N, **steps)
    second = [sum(one_round(x, W, N=N, **steps)[0]) / THREE for W in reordered(after)]
    return sum(first) / THREE, second


def mean(values):
    """The mean of a list."""
    return sum(values) / len(values)


SETTING = (
    "K = 3, M = 2, so that (28) averages all models; indices anew in every round, N = M (everybody waits for all prior "
    "clients). The clients are alike, f_k(w) = L w^2/2 with exact gradients, masks of ones, one first model: convex, "
    "bounded below, and (8) to (11) hold with every sigma."
)
