"""Gossip with one matrix of a kind, mostly symmetric and doubly stochastic, for every number of clients."""

from fedtheory import eq, le
from problems import (
    ColumnStochastic,
    ConvexLipschitz,
    Directed,
    Drawn,
    Points,
    RowStochastic,
    Run,
    Smooth,
    Varying,
    between,
    condition,
    positive,
)

from .pair import ETA, G, L, pair

LAM = between(0, 1, closed=False)
VECTORS = {"mixing": {"W": "lam"}, "lam": LAM}
ONE = Points(None, at=(), clients_at=("v", "u"), **VECTORS)
STEP = {"L": L, "eta": ETA, "tau": positive(), **VECTORS}
DSGD = Points(Smooth("L"), at=(), clients_at=("v",), **STEP)
TRACKED = Points(Smooth("L"), at=(), clients_at=("v", "s"), **STEP)


def dev(x, v):
    """The mean squared distance from the mean."""
    return x.mean(x.sq(v - x.mean_vec(v)))


def young(x, one, other):
    return (1 + x.tau) * one + (1 + 1 / x.tau) * other


@pair("consensus-rounds", ONE)
def consensus_rounds(x, s=1):
    """Xiao, Boyd (2004): three rounds of gossip contract by lam^6."""
    return le(s * dev(x, x.W(x.W(x.W(x.v)))), x.lam**6 * dev(x, x.v))


@pair("lazy-gossip", Points(None, at=(), clients_at=("v",), gamma=between(0, 1, closed=False), **VECTORS))
def lazy_gossip(x, s=1):
    """Koloskova, Stich, Jaggi (2019), CHOCO-gossip with exact messages: a step of size gamma contracts by 1 - gamma (1 - lam)."""
    after = x.v + x.gamma * (x.W(x.v) - x.v)
    return le(s * dev(x, after), (1 - x.gamma * (1 - x.lam)) ** 2 * dev(x, x.v))


@pair("chebyshev-gossip", ONE)
def chebyshev_gossip(x, s=1):
    """Scaman, Bach, Bubeck, Lee, Massoulie (2017): the second Chebyshev polynomial of W/lam is bounded by one."""
    return le(s * dev(x, 2 * x.W(x.W(x.v)) - x.lam**2 * x.v), x.lam**4 * dev(x, x.v))


@pair("dsgd-consensus", DSGD)
def dsgd_consensus(x, s=1):
    """Koloskova et al. (2020), D-SGD: a step and gossip leave lam^2 of the consensus distance, and of the gradients'."""
    g = x.f.grad(x.v)
    return le(s * dev(x, x.W(x.v - x.eta * g)), x.lam**2 * young(x, dev(x, x.v), x.eta**2 * dev(x, g)))


@pair("dsgd-mean", DSGD)
def dsgd_mean(x, s=1):
    """Nedic, Ozdaglar (2009); Lian et al. (2017): the mean of the models takes a step along the mean of the gradients."""
    g = x.f.grad(x.v)
    after = x.mean_vec(x.W(x.v) - x.eta * g)
    return eq(x.sq(after - x.mean_vec(x.v) + s * x.eta * x.mean_vec(g)), 0)


@pair("tracker-mean", TRACKED)
def tracker_mean(x, s=1):
    """Di Lorenzo, Scutari (2016); Nedic, Olshevsky, Shi (2017): the mean of the trackers follows that of the gradients."""
    after = x.W(x.v - x.eta * x.s)
    new, moved = x.W(x.s) + x.f.grad(after) - x.f.grad(x.v), x.f.grad(after) - x.f.grad(x.v)
    return eq(x.sq(x.mean_vec(new) - x.mean_vec(x.s) - s * x.mean_vec(moved)), 0)


@pair("tracker-consensus", TRACKED)
def tracker_consensus(x, s=1):
    """Qu, Li (2018); Pu, Nedic (2021): trackers are lam^2 of what they were apart, and what the gradients moved."""
    after = x.W(x.v - x.eta * x.s)
    new = x.W(x.s) + x.f.grad(after) - x.f.grad(x.v)
    return le(s * dev(x, new), young(x, x.lam**2 * dev(x, x.s), x.L**2 * x.mean(x.sq(after - x.v))))


@pair("gradient-at-the-mean", Points(Smooth("L"), at=("w",), clients_at=("v",), L=L, **VECTORS, given=(
    condition("w is the mean of the v_i", lambda x: eq(x.sq(x.w - x.mean_vec(x.v)), 0)),)))  # fmt: skip
def gradient_at_the_mean(x, s=1):
    """Lian et al. (2017): gradients at mixed models are off by L^2 lam^2 times the consensus distance."""
    apart = x.mean(x.sq(x.f.grad(x.W(x.v)) - x.f.grad(x.w)))
    return le(s * apart, x.L**2 * x.lam**2 * dev(x, x.v))


@pair("nids-half-step", ONE)
def nids_half_step(x, s=1):
    """Li, Shi, Yan (2019), NIDS; Yuan et al. (2019), exact diffusion: (I + W)/2 contracts by (1 + lam)/2."""
    return le(4 * s * dev(x, x.v + x.W(x.v)), 4 * (1 + x.lam) ** 2 * dev(x, x.v))


@pair("extra-dual", ONE)
def extra_dual(x, s=1):
    """Shi, Ling, Wu, Yin (2015), EXTRA: the dual moves by (I - W) v/2, whose mean is zero and whose length at most (1 + lam)/2."""
    moved = (x.v - x.W(x.v)) / 2
    return eq(x.sq(x.mean_vec(moved)), 0), le(4 * s * x.mean(x.sq(moved)), (1 + x.lam) ** 2 * dev(x, x.v))


@pair("extra-monotone", ONE)
def extra_monotone(x, s=1):
    """Shi, Ling, Wu, Yin (2015), EXTRA: <v, (I - W) v> is at least 1 - lam times the consensus distance."""
    return le(s * (1 - x.lam) * dev(x, x.v), x.mean(x.dot(x.v, x.v - x.W(x.v))))


@pair("heavy-ball-gossip", Points(None, at=(), clients_at=("v", "u"), tau=positive(), beta=between(0, 1), **VECTORS))
def heavy_ball(x, s=1):
    """Ghadimi, Feyzmahdavian, Johansson (2015): gossip with a momentum beta, split by Young's inequality."""
    after = (1 + x.beta) * x.W(x.v) - x.beta * x.u
    return le(s * dev(x, after), young(x, (1 + x.beta) ** 2 * x.lam**2 * dev(x, x.v), x.beta**2 * dev(x, x.u)))


# along a run of any length, with one matrix

DECENTRALISED = Run(
    ConvexLipschitz("M"), at=("u",), clients_at=("v",), M=G, eta=ETA, **VECTORS,
    step={"v": lambda x: x.W(x.v - x.eta * x.f.grad(x.v))},
    quantities={
        "V": lambda x: dev(x, x.v), "D": lambda x: x.sq(x.mean_vec(x.v) - x.u),
        "e": lambda x: x.mean(x.f.value(x.mean_vec(x.v)) - x.f.value(x.u)),
    },
)  # fmt: skip


@pair("consensus-step", DECENTRALISED.one_step, off="1/100")
def consensus_step(x, s=1):
    """Nedic, Ozdaglar (2009): a step of decentralised subgradients brings the models together, but for eta^2 M^2."""
    return le(x.next.V, x.lam * x.V + s * x.lam**2 / (1 - x.lam) * x.eta**2 * x.M**2)


@pair("consensus-every-T", DECENTRALISED, by=(consensus_step,), off="1/100")
def consensus_every_T(x, s=1):
    """Nedic, Ozdaglar (2009): after T steps the models are apart by lam eta M/(1 - lam), and by what is left of the start."""
    return le(x.V[x.T], x.lam**x.T * x.V[0] + s * (x.lam * x.eta * x.M / (1 - x.lam)) ** 2)


@pair("decentralised-step", DECENTRALISED.one_step, off="1/10")
def decentralised_step(x, s=1):
    """Nedic, Ozdaglar (2009): the mean of the models steps as a subgradient does, but for how far they are apart."""
    return le(x.next.D + 2 * x.eta * x.e, x.D + 3 * s * x.eta**2 * x.M**2 + 2 * x.V)


@pair("decentralised-every-T", DECENTRALISED, by=(consensus_step, decentralised_step), off="1/10")
def decentralised_every_T(x, s=1):
    """Nedic, Ozdaglar (2009): the gaps at the mean of the models of T steps, for every matrix and T."""
    c, noise = 2 / (1 - x.lam), 3 + 2 * (x.lam / (1 - x.lam)) ** 2
    gaps = 2 * x.eta * x.sum(lambda t: x.e[t], x.T)
    return le(x.D[x.T] + c * x.V[x.T] + gaps, x.D[0] + c * x.V[0] + s * noise * x.T * x.eta**2 * x.M**2)


# on graphs that change: another matrix at every step

CHANGING = {**VECTORS, "mixing": {"W": Varying("lam")}}
ROUNDS = Run(
    None, at=(), clients_at=("v",), **CHANGING, step={"v": lambda x: x.W(x.v)},
    quantities={"V": lambda x: dev(x, x.v), "R": lambda x: x.mean(x.sq(x.v - x.W(x.v)))},
)  # fmt: skip
SUBGRADIENTS = Run(
    ConvexLipschitz("M"), at=("u",), clients_at=("v",), M=G, eta=ETA, **CHANGING, step=DECENTRALISED.step,
    quantities=DECENTRALISED.quantities,
)  # fmt: skip


@pair("changing-step", ROUNDS.one_step)
def changing_step(x, s=1):
    """Nedic, Olshevsky, Ozdaglar, Tsitsiklis (2009), graphs that change: what a step moves is paid by the consensus distance."""
    return le(x.next.V + s * (1 - x.lam) / (1 + x.lam) * x.R, x.V)


@pair("changing-every-T", ROUNDS, by=(changing_step,))
def changing_every_T(x, s=1):
    """Nedic, Olshevsky, Ozdaglar, Tsitsiklis (2009): T steps move clients by no more, with another matrix at each of them."""
    return le(x.V[x.T] + s * (1 - x.lam) / (1 + x.lam) * x.sum(lambda t: x.R[t], x.T), x.V[0])


@pair("changing-consensus-step", SUBGRADIENTS.one_step, off="1/100")
def changing_consensus_step(x, s=1):
    """Nedic, Ozdaglar (2009): a step of decentralised subgradients on any one of the graphs."""
    return consensus_step.body(x, s)


@pair("changing-consensus", SUBGRADIENTS, by=(changing_consensus_step,), off="1/100")
def changing_consensus(x, s=1):
    """Nedic, Ozdaglar (2009), graphs that change: models are apart by lam eta M/(1 - lam), and by what is left of the start."""
    return consensus_every_T.body(x, s)


def digging_models(x):
    return x.W(x.v) - x.eta * x.y


DIGGING = Run(
    Smooth("L"), at=(), clients_at=("v", "y"), L=L, eta=ETA, lam=LAM, mixing={"W": Varying(Directed("lam"))},
    step={"v": digging_models, "y": lambda x: x.W(x.y) + x.f.grad(digging_models(x)) - x.f.grad(x.v)},
    quantities={"B": lambda x: x.sq(x.mean_vec(x.y) - x.mean_vec(x.f.grad(x.v)))},
)  # fmt: skip


@pair("changing-trackers", DIGGING)
def changing_trackers(x, s=1):
    """Nedic, Olshevsky, Shi (2017), DIGing on graphs that change: the mean of the trackers stays that of the gradients."""
    return eq(s * x.B[x.T], x.B[0])


# on random graphs: a matrix that is drawn at every step, with a bound in the mean

RANDOM = {**VECTORS, "mixing": {"W": Drawn("lam")}}
DRAWN = Run(
    None, at=(), clients_at=("v",), **RANDOM, step={"v": lambda x, W: W(x.v)}, quantities={"V": lambda x: dev(x, x.v)},
)  # fmt: skip
DRAWN_SUBGRADIENTS = Run(
    ConvexLipschitz("M"), at=("u",), clients_at=("v",), M=G, eta=ETA, **RANDOM,
    step={"v": lambda x, W: W(x.v - x.eta * x.f.grad(x.v))}, quantities=DECENTRALISED.quantities,
)  # fmt: skip


@pair("random-step", DRAWN.one_step)
def random_step(x, s=1):
    """Boyd, Ghosh, Prabhakar, Shah (2006), randomised gossip: a step contracts by lam^2 in the mean."""
    return le(s * x.next.V, x.lam**2 * x.V)


@pair("random-every-T", DRAWN, by=(random_step,))
def random_every_T(x, s=1):
    """Boyd, Ghosh, Prabhakar, Shah (2006): T steps, each with a matrix of its own draw, contract by lam^(2 T) in the mean."""
    return le(s * x.V[x.T], (x.lam**2) ** x.T * x.V[0])


@pair("random-consensus-step", DRAWN_SUBGRADIENTS.one_step, off="1/100")
def random_consensus_step(x, s=1):
    """Koloskova et al. (2020), an expected consensus rate, with subgradients of at most M: the consensus distance after a step."""
    return consensus_step.body(x, s)


@pair("random-decentralised-step", DRAWN_SUBGRADIENTS.one_step, off="1/10")
def random_decentralised_step(x, s=1):
    """Koloskova et al. (2020), in that proof, with subgradients of at most M: the mean of the models steps as on one graph."""
    return decentralised_step.body(x, s)


@pair("random-decentralised", DRAWN_SUBGRADIENTS, by=(random_consensus_step, random_decentralised_step), off="1/10")
def random_decentralised(x, s=1):
    """Koloskova et al. (2020), with subgradients of at most M: the gaps at the mean of the models of T steps on random graphs."""
    return decentralised_every_T.body(x, s)


# on directed graphs: with balanced weights, or with columns (push) and rows (pull) that sum to one

BALANCED = {**VECTORS, "mixing": {"W": Directed("lam")}}
MODELS = Points(Smooth("L"), at=(), clients_at=("v", "s"), **{**STEP, **BALANCED})


@pair("balanced-rounds", Points(None, at=(), clients_at=("v",), **BALANCED))
def balanced_rounds(x, s=1):
    """Olfati-Saber, Murray (2004), balanced digraphs: three rounds contract by the third power of a singular value."""
    return le(s * dev(x, x.W(x.W(x.W(x.v)))), x.lam**6 * dev(x, x.v))


@pair("balanced-dsgd", MODELS)
def balanced_dsgd(x, s=1):
    """Ying et al. (2021), D-SGD on exponential graphs: the consensus distance after gossip and a step."""
    g = x.f.grad(x.v)
    return le(s * dev(x, x.W(x.v) - x.eta * g), young(x, x.lam**2 * dev(x, x.v), x.eta**2 * dev(x, g)))


@pair("balanced-tracker", MODELS)
def balanced_tracker(x, s=1):
    """Nedic, Olshevsky, Shi (2017), DIGing, with balanced weights: how far trackers are apart after a step."""
    after = x.W(x.v) - x.eta * x.s
    new = x.W(x.s) + x.f.grad(after) - x.f.grad(x.v)
    return le(s * dev(x, new), young(x, x.lam**2 * dev(x, x.s), x.L**2 * x.mean(x.sq(after - x.v))))


PUSHED = Points(Smooth("L"), at=(), clients_at=("v", "z"), mixing={"A": ColumnStochastic()}, L=L, eta=ETA)
SENT = Run(
    None, at=(), clients_at=("v",), mixing={"A": ColumnStochastic()}, step={"v": lambda x: x.A(x.v)},
    quantities={"Q": lambda x: x.sq(x.mean_vec(x.v))},
)  # fmt: skip


@pair("push-sum", SENT)
def push_sum(x, s=1):
    """Kempe, Dobra, Gehrke (2003), push-sum: mass is conserved, the mean of what is held stays as long as it was."""
    return eq(s * x.Q[x.T], x.Q[0])


@pair("subgradient-push", PUSHED)
def subgradient_push(x, s=1):
    """Nedic, Olshevsky (2015); Assran et al. (2019): the mean takes a step along the mean of the gradients, at any z."""
    after = x.mean_vec(x.A(x.v - x.eta * x.f.grad(x.z)))
    return eq(x.sq(after - x.mean_vec(x.v) + s * x.eta * x.mean_vec(x.f.grad(x.z))), 0)


def push_pull_models(x):
    return x.R(x.v - x.eta * x.y)


PUSH_PULL = Run(
    Smooth("L"), at=(), clients_at=("v", "y"), mixing={"R": RowStochastic(), "C": ColumnStochastic()}, L=L, eta=ETA,
    step={"v": push_pull_models, "y": lambda x: x.C(x.y) + x.f.grad(push_pull_models(x)) - x.f.grad(x.v)},
    quantities={"B": lambda x: x.sq(x.mean_vec(x.y) - x.mean_vec(x.f.grad(x.v)))},
)  # fmt: skip


@pair("push-pull", PUSH_PULL)
def push_pull(x, s=1):
    """Pu, Shi, Xu, Nedic (2021); Xin, Khan (2018), push-pull: the mean of the trackers stays that of the gradients."""
    return eq(s * x.B[x.T], x.B[0])


@pair("pull-consensus", Points(None, at=("w",), clients_at=("v",), mixing={"R": RowStochastic()}))
def pull_consensus(x, s=1):
    """Xi, Mai, Xin, Abed, Khan (2018), row-stochastic weights: clients that agree stay, and none goes beyond all others."""
    apart = x.sq(x.R(x.v) - x.mean_vec(x.v))
    return eq(x.mean(x.sq(x.R(x.v + x.w) - x.R(x.v) - s * x.w)), 0), le(s * apart, (x.m - 1) * dev(x, x.v))
