"""Recursions that are unrolled: sums of q^(T-1-t) a_t, and sums of such sums, for every T."""

from fedtheory import eq, le
from problems import Run, Sequences, SmoothStronglyConvex, at_least, between, condition, real

from .pair import ETA, MU, SHORT, L, pair

RATE = between(0, 1)
NUMBERS = {"sequences": {"D": at_least(0), "b": at_least(0)}, "q": at_least(0)}
FOLLOWS = condition("D_{t+1} <= q D_t + b_t", lambda x, t: le(x.D[t + 1], x.q * x.D[t] + x.b[t]))
FADING = Sequences("T", sequences={"b": at_least(0)}, q=RATE)
MOMENTUM = Sequences(
    "T", sequences={"v": real(), "g": real()}, beta=RATE,
    every=(condition("v_{t+1} = beta v_t + (1 - beta) g_t", lambda x, t: eq(x.v[t + 1], x.beta * x.v[t] + (1 - x.beta) * x.g[t])),),
)  # fmt: skip
CHANGING = Sequences(
    "T", sequences={"D": at_least(0), "eta": at_least(0), "b": at_least(0)}, mu=MU,
    every=(
        condition("eta_t mu <= 1", lambda x, t: le(x.eta[t] * x.mu, 1)),
        condition("D_{t+1} <= (1 - eta_t mu) D_t + eta_t^2 b_t", lambda x, t: le(
            x.D[t + 1], (1 - x.eta[t] * x.mu) * x.D[t] + x.eta[t] ** 2 * x.b[t])),
    ),
)  # fmt: skip
GROWS = Sequences(
    "T", sequences={"D": at_least(0), "a": at_least(0), "b": at_least(0)},
    every=(condition("D_{t+1} <= (1 + a_t) D_t + b_t", lambda x, t: le(x.D[t + 1], (1 + x.a[t]) * x.D[t] + x.b[t])),),
)  # fmt: skip
SGD = Run(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", at=("w", "n"), fresh=("n",), outcomes=(1, -1), sizes={"m": (1,)},
    mu=MU, L=L, eta=ETA, given=(SHORT,), step={"w": lambda x, sign: x.w - x.eta * (x.f.grad(x.w) + sign * x.n)},
    quantities={"D": lambda x: x.sq(x.w - x.w_star), "V": lambda x: x.sq(x.n)},
)  # fmt: skip


def faded(x, n, q, of):
    """The sum over s < n of q^(n-1-s) a_s."""
    return x.sum(lambda s: q ** (n - 1 - s) * of(s), n)


@pair("unrolled", Sequences("T", every=(FOLLOWS,), **NUMBERS))
def unrolled(x, s=1):
    """Polyak (1987), Section 2.2: what falls by q at every step, up to b_t, is at most q^T D_0 and the sum of q^(T-1-t) b_t."""
    return le(s * x.D[x.T], x.q**x.T * x.D[0] + faded(x, x.T, x.q, lambda t: x.b[t]))


@pair("momentum-unrolled", MOMENTUM)
def momentum_unrolled(x, s=1):
    """Liu, Gao, Yin (2020): momentum is what is left of its start, and the past gradients with weights (1 - beta) beta^(T-1-t)."""
    past = (1 - x.beta) * faded(x, x.T, x.beta, lambda t: x.g[t])
    return eq(s * x.v[x.T], x.beta**x.T * x.v[0] + past)


@pair("bias-correction", Sequences("T", beta=RATE))
def bias_correction(x, s=1):
    """Kingma, Ba (2015), Adam, Section 3: the weights of the past gradients sum to 1 - beta^T."""
    return eq(s * (1 - x.beta) * faded(x, x.T, x.beta, lambda t: 1), 1 - x.beta**x.T)


@pair("changing-steps-unrolled", CHANGING)
def changing_steps(x, s=1):
    """Moulines, Bach (2011), in the proof of Theorem 1: steps that change, with the product of what each of them leaves."""
    left = x.product(lambda t: 1 - x.eta[t] * x.mu, x.T)
    noise = x.sum(lambda t: x.product(lambda r: 1 - x.eta[r] * x.mu, x.T, t + 1) * x.eta[t] ** 2 * x.b[t], x.T)
    return le(s * x.D[x.T], left * x.D[0] + noise)


@pair("growth-at-least", Sequences("T", sequences={"a": at_least(0)}))
def growth_at_least(x, s=1):
    """Clark (1987), in that proof: a product of factors of at least 1 is at least 1."""
    return le(s, x.product(lambda t: 1 + x.a[t], x.T))


@pair("gronwall-changing", GROWS, by=(growth_at_least,))
def gronwall_changing(x, s=1):
    """Clark (1987), the discrete Gronwall inequality: what grows by 1 + a_t and b_t at every step."""
    return le(s * x.D[x.T], x.product(lambda t: 1 + x.a[t], x.T) * (x.D[0] + x.sum(lambda t: x.b[t], x.T)))


@pair("summed-twice", FADING)
def summed_twice(x, s=1):
    """Lian et al. (2017), D-PSGD, proof of Theorem 1: what fades at every step, summed over the steps, is the sum over 1 - q."""
    total = x.sum(lambda t: faded(x, t, x.q, lambda r: x.b[r]), x.T)
    return le(s * ((1 - x.q) * total + faded(x, x.T, x.q, lambda r: x.b[r])), x.sum(lambda t: x.b[t], x.T))


@pair("sgd-noisy-step", SGD.one_step)
def sgd_noisy_step(x, s=1):
    """Needell, Srebro, Ward (2016), a step with an error of mean zero: (1 - eta mu)^2 of the squared distance, and eta^2 |n|^2."""
    return le(s * x.next.D, (1 - x.eta * x.mu) ** 2 * x.D + x.eta**2 * x.V)


@pair("sgd-unrolled-every-T", SGD, by=(sgd_noisy_step,))
def sgd_unrolled(x, s=1):
    """Bottou, Curtis, Nocedal (2018), Section 4.2, with a variance of its own at every step: T steps of SGD, for every T."""
    rate = (1 - x.eta * x.mu) ** 2
    return le(s * x.D[x.T], rate**x.T * x.D[0] + x.eta**2 * faded(x, x.T, rate, lambda t: x.V[t]))
