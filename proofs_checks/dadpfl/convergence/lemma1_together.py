"""Lemma 1 where all clients begin at one model, as after an aggregation like FedAvg's, and errors have mean zero: (17) holds."""

from dataclasses import replace

from fedtheory import Control, claim, le
from fedtheory.units import GRADIENT
from problems import Run, Smooth, condition, positive

from .lemma1 import factor
from .lemma1_statement import s8
from .worlds import NOISE, OF_LEMMA, STEPS, exponential, growth, noise, room

TOGETHER = Run(
    Smooth("L"),
    index="tau",
    at=("w0",),
    clients_at=("w", "e"),
    fresh=("e",),
    outcomes=(1, -1),
    sizes={"m": (1, 2, 3)},
    step={"w": lambda x, sign: x.w - x.eta * (x.f.grad(x.w) + sign * noise(x))},
    lengths=(1, 2),
    quantities={
        "D": lambda x: x.mean(x.sq(x.w - x.w0)),
        "spread": lambda x: x.mean(x.sq(x.f.grad(x.w0) - x.mean_vec(x.f.grad(x.w0)))),
        "rise": lambda x: x.sq(x.mean_vec(x.f.grad(x.w0))),
        "steep": lambda x: x.mean(x.sq(x.f.grad(x.w))),
        "noise": lambda x: x.mean(x.sq(noise(x))),
    },
    given=OF_LEMMA,
    every=(condition("E|grad f^_k - grad f_k|^2 <= sigma_l^2", lambda x, t: le(x.noise[t], x.sigma_l_sq), "(8)"),),
    **STEPS,
    **NOISE,
)
SETTING = (
    "In the mean over any number of clients that begin their local steps at one model; dense masks, errors of mean zero, which "
    "are +e and -e with equal chances, another e in every step."
)


@claim("dadpfl/eq17@one-model-movement", world=TOGETHER.one_step, step=True, control=Control("half", share="1/2"),
       note=f"(19) and (20). {SETTING}")  # fmt: skip
def movement(x, share=1):
    first = (1 + 1 / (2 * x.M - 1)) * (x.D + x.eta**2 * x.noise)
    return le(x.next.D, share * (first + 2 * x.M * x.eta**2 * x.steep))


@claim("dadpfl/eq17@one-model-gradient", world=TOGETHER.one_step, step=True, control=Control("half", share="1/2"),
       note=f"(21), with (9) at the one model. {SETTING}")  # fmt: skip
def gradient(x, share=1):
    return le(x.steep, share * 3 * (x.L**2 * x.D + x.spread + x.rise))


@claim("dadpfl/eq17@one-model-recursion", world=TOGETHER, by=(movement, gradient), step=True,
       control=Control("a tenth", share="1/10"), note=f"(22). {SETTING}")  # fmt: skip
def recursion(x, t, share=1):
    return le(x.D[t + 1], factor(x) * x.D[t] + share * room(x, x.spread, x.rise))


@claim("dadpfl/eq17@one-model-growth", world=TOGETHER, by=(recursion,), step=True,
       control=Control("a tenth", share="1/10"), note=f"(23). {SETTING}")  # fmt: skip
def grown(x, t, share=1):
    return le(x.D[t + 1], growth(x) * x.D[t] + share * room(x, x.spread, x.rise))


STATED = replace(
    TOGETHER,
    given=(
        *TOGETHER.given,
        condition("the local steps begin at the aggregated model", lambda x: le(x.D[0], 0)),
        condition(
            "the mean of |grad f_k - grad f|^2 is at most sigma_g^2", lambda x: le(x.spread, x.sigma_g_sq), "(9)"
        ),
    ),
    scalars={**TOGETHER.scalars, "sigma_g_sq": positive(GRADIENT**2)},
)


@claim("dadpfl/eq17@one-model-powers", world=STATED, by=(grown,), step=True, control=Control("a tenth", share="1/10"),
       note=f"Before the exponential takes the place of A^E_l. {SETTING}")  # fmt: skip
def powers(x, share=1):
    return le(x.D[x.tau], share * (growth(x) ** x.tau - 1) * (2 * x.M - 2) * room(x, x.sigma_g_sq, x.rise))


@claim(
    "dadpfl/eq17@one-model",
    world=STATED,
    by=(powers, s8),
    control=Control("a tenth", share="1/10"),
    note="The statement with its constants, for every E_l, here tau, every M > 1 and every number of clients. Models that "
    f"differ: dadpfl/eq17@unbiased. {SETTING}",
)
def one_model(x, share=1):
    return le(x.D[x.tau], share * (exponential(x) ** x.tau - 1) * (2 * x.M - 2) * room(x, x.sigma_g_sq, x.rise))
