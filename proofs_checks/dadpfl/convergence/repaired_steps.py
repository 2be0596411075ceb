"""Local steps of the repaired Theorem 3, and what a mask leaves of a client.

One client goes E_l steps of the length a/mu; |grad f_k(w0)|^2 is g, and L u the sum of the gradients so far, each less the
first. A mask that is kept in these steps leaves a function of the weights that it keeps, of the same kind: dadpfl/thm3~common-mask.
"""

from dataclasses import replace

from fedtheory import Control, claim, eq, le, use
from fedtheory.units import CURVATURE
from problems import Points, Run, Scalars, Smooth, SmoothBoundedBelow, at_least, condition, positive

PATH = Run(
    SmoothBoundedBelow("L"),
    index="tau",
    at=("w", "w0", "u"),
    sizes={"m": (1,)},
    lengths=(1, 2),
    step={"w": lambda x: x.w - x.a / x.L * x.f.grad(x.w), "u": lambda x: x.u + (x.f.grad(x.w) - x.f.grad(x.w0)) / x.L},
    quantities={
        "D": lambda x: x.sq(x.L * (x.w - x.w0)),
        "g": lambda x: x.sq(x.f.grad(x.w0)),
        "S": lambda x: x.sq(x.L * x.u),
        "change": lambda x: x.sq(x.f.grad(x.w) - x.f.grad(x.w0)),
        "p": lambda x: x.sq(x.L * (x.w - x.w0) - x.a * (x.f.grad(x.w) - x.f.grad(x.w0))),
    },
    L=positive(CURVATURE),
    a=positive(),
)


@claim(
    "dadpfl/thm3~repaired-step",
    world=replace(PATH, scalars={**PATH.scalars, "s": positive()}).one_step,
    step=True,
    control=Control("a tenth", share="1/10"),
    note="One local step of one client, for any s > 0: p is what it would be without the first gradient.",
)
def local_step(x, share=1):
    return le(x.next.D, share * ((1 + 1 / x.s) * x.p + (1 + x.s) * x.a**2 * x.g))


@claim(
    "dadpfl/thm3~repaired-growth",
    world=PATH.one_step,
    step=True,
    control=Control("a tenth", share="1/10"),
    note="And p by how much the gradient has changed.",
)
def local_growth(x, share=1):
    return le(x.p, share * ((1 + x.a) * x.D + (x.a + x.a**2) * x.change))


@claim(
    "dadpfl/thm3~repaired-change",
    world=PATH.one_step,
    step=True,
    control=Control("half of it", share="1/2"),
    note="Which is bounded by Assumption 1.",
)
def local_change(x, share=1):
    return le(x.change, share * x.D)


STEPS = replace(
    PATH,
    scalars={**PATH.scalars, "n": at_least(1)},
    given=(
        condition("8 mu eta <= 1 for eta = n a/mu", lambda x: le(8 * x.n * x.a, 1)),
        condition("the local steps begin at the aggregated model", lambda x: eq(x.D[0], 0)),
        condition("where nothing is summed", lambda x: eq(x.S[0], 0)),
    ),
    every=(condition("tau < E_l, here n", lambda x, t: le(t + 1, x.n)),),
)


TIMES = {"t": at_least(0), "given": (condition("8 (tau + 1) a <= 1", lambda x: le(8 * (x.t + 1) * x.a, 1)),)}


@claim("dadpfl/thm3~repaired-slower", world=Scalars(a=positive(), D=at_least(0), **TIMES), step=True,
       control=Control("a half", share="1/2"), note="What multiplies the movement, for a short step; t is tau.")  # fmt: skip
def slower(x, share=1):
    return le((x.t + 2) * (1 + x.a) ** 2 * x.D, share * (x.t + x.ratio(13, 5)) * x.D)


@claim(
    "dadpfl/thm3~repaired-moved",
    world=STEPS,
    by=(
        use(local_step, s=lambda x, t: t + 1),
        local_growth,
        local_change,
        use(slower, t=lambda x, t: t, D=lambda x, t: x.D[t]),
    ),
    step=True,
    control=Control("a tenth", share="1/10"),
    note="The three together, for s = tau + 1, times tau + 1.",
)
def moved(x, t, share=1):
    return le((t + 1) * x.D[t + 1], share * ((t + x.ratio(13, 5)) * x.D[t] + (t + 1) * (t + 2) * x.a**2 * x.g))


@claim("dadpfl/thm3~repaired-sum", world=replace(PATH, scalars={**PATH.scalars, "r": positive()}).one_step, step=True,
       control=Control("a tenth", share="1/10"), note="One gradient more in the sum, for any r > 0.")  # fmt: skip
def one_more(x, share=1):
    return le(x.next.S, share * ((1 + 1 / x.r) * x.S + (1 + x.r) * x.change))


@claim("dadpfl/thm3~repaired-summed", world=STEPS, by=(use(one_more, r=lambda x, t: t + 1), local_change), step=True,
       control=Control("a tenth", share="1/10"), note="For r = tau + 1, times tau + 1.")  # fmt: skip
def summed(x, t, share=1):
    return le((t + 1) * x.S[t + 1], share * ((t + 2) * x.S[t] + (t + 1) * (t + 2) * x.D[t]))


@claim(
    "dadpfl/thm3~repaired-grown",
    world=Scalars(t=at_least(0), c=at_least(0)),
    step=True,
    control=Control("a tenth", share="1/10"),
    note="Why 2 tau and 2 tau^2 are enough; t is tau and c is a^2 |grad f_k(w0)|^2.",
)
def grown(x, share=1):
    t = x.t
    return (
        le((4 * t**2 * (t + x.ratio(13, 5)) + (t + 1) * (t + 2)) * x.c, share * 4 * (t + 1) ** 3 * x.c),
        le((4 * t**4 * (t + 2) + 4 * t**2 * (t + 1) * (t + 2)) * x.c, share * 4 * (t + 1) ** 5 * x.c),
    )


@claim(
    "dadpfl/thm3~repaired-mean-gradient",
    world=STEPS,
    by=(moved, summed, use(grown, t=lambda x, t: t, c=lambda x, t: x.a**2 * x.g)),
    control=Control("a tenth", share="1/10"),
    step=True,
    note="After tau <= E_l local steps of one client, E_l = n, the model has moved by at most 2 tau a/mu |grad f_k(w0)|, and the "
    "sum of the tau gradients, each less the first, is at most 2 tau^2 a |grad f_k(w0)|: after E_l steps their mean is within "
    "2 mu eta |grad f_k(w0)| of the first, eta = n a/mu. For every E_l. The mean of that over the clients is what "
    "dadpfl/thm3~repaired and dadpfl/thm3~masks ask of a round.",
)
def mean_gradient(x, share=1):
    return (
        le(x.D[x.tau], share * 4 * x.tau**2 * x.a**2 * x.g),
        le(x.S[x.tau], share * 4 * x.tau**4 * x.a**2 * x.g),
    )


KEPT = Points(
    Smooth("L"), at=("w", "v", "p"), sizes={"m": (1,)}, L=positive(CURVATURE),
    given=(
        condition(
            "<L p, grad f(w) - grad f(v) - L p> >= 0: it is 0, as L p is what the mask keeps of the difference",
            lambda x: le(0, x.dot(x.L * x.p, x.f.grad(x.w) - x.f.grad(x.v) - x.L * x.p)),
        ),
    ),
)  # fmt: skip


@claim(
    "dadpfl/thm3~common-mask",
    world=KEPT,
    step=True,
    control=Control("where the mask keeps all nothing less will do", share="1/2"),
    note="At models inside of a mask the gradient inside of it is L-Lipschitz, and f is bounded below there "
    "by what bounds it below: f "
    "as a function of the kept weights meets Assumption 1, and masked local steps (15) are local steps of it. With one mask of all "
    "clients (7) is the mean of all neighbours inside of it, so that dadpfl/thm3~repaired, which is for "
    "every dimension, is about masked, "
    "mixed, local-step gradient descent, with the masked gradient of f on its left side.",
)
def common_mask(x, share=1):
    return le(x.sq(x.L * x.p), share * x.L**2 * x.sq(x.w - x.v))
