"""Clients with weights: means by them, and matrices that leave them as they are, as rows do and push-sum at rest."""

from fedtheory import eq, le
from problems import (
    ConvexLipschitz,
    Directed,
    Drawn,
    Points,
    Run,
    Smooth,
    SmoothConvex,
    SmoothStronglyConvex,
    Varying,
    between,
    positive,
)

from .pair import ETA, MU, SHORT, G, L, pair

LAM = between(0, 1, closed=False)
ROWS = {"mixing": {"A": Directed("lam")}, "lam": LAM, "weights": "pi"}
REVERSIBLE = {**ROWS, "mixing": {"A": "lam"}}


def dev(x, v):
    """The mean squared distance from the mean, both by the weights."""
    return x.mean(x.sq(v - x.mean_vec(v)))


# means by weights

STRONG = Points(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", mu=MU, L=L, eta=ETA, given=(SHORT,), weights="p"
)  # fmt: skip
CONVEX = Points(SmoothConvex("L"), optimum_of="f", L=L, weights="p")


@pair("weighted-step", STRONG)
def weighted_step(x, s=1):
    """Li, Huang, Yang, Wang, Zhang (2020), FedAvg with weights p_k: a step along the mean by them contracts to its minimiser."""
    after = x.w - x.eta * x.mean_vec(x.f.grad(x.w))
    return le(s * x.sq(after - x.w_star), (1 - x.eta * x.mu) ** 2 * x.sq(x.w - x.w_star))


@pair("weighted-jensen", Points(Smooth("L"), at=(), clients_at=("v",), L=L, weights="p"))
def weighted_jensen(x, s=1):
    """Wang, Liu, Liang, Joshi, Poor (2020), FedNova, any weights: gradients at local models are near those at their mean."""
    g = x.f.grad(x.mean_vec(x.v))
    return le(s * x.sq(x.mean_vec(x.f.grad(x.v)) - x.mean_vec(g)), x.L**2 * dev(x, x.v))


@pair("weighted-gradients", CONVEX)
def weighted_gradients(x, s=1):
    """Mohri, Sivek, Suresh (2019), a mixture of the clients: gradients at its minimiser are known up to 2 L times the gap."""
    moved = x.f.grad(x.w) - x.f.grad(x.w_star)
    return le(s * x.mean(x.sq(moved)), 2 * x.L * x.mean(x.f.value(x.w) - x.f.value(x.w_star)))


# matrices that leave the weights as they are

ROUNDS = Run(
    None, at=(), clients_at=("v",), **ROWS, step={"v": lambda x: x.A(x.v)},
    quantities={"V": lambda x: dev(x, x.v), "Q": lambda x: x.sq(x.mean_vec(x.v))},
)  # fmt: skip
SUBGRADIENTS = Run(
    ConvexLipschitz("M"), at=("u",), clients_at=("v",), M=G, eta=ETA, **{**ROWS, "mixing": {"A": Varying(Directed("lam"))}},
    step={"v": lambda x: x.A(x.v - x.eta * x.f.grad(x.v))},
    quantities={
        "V": lambda x: dev(x, x.v), "D": lambda x: x.sq(x.mean_vec(x.v) - x.u),
        "e": lambda x: x.mean(x.f.value(x.mean_vec(x.v)) - x.f.value(x.u)),
    },
)  # fmt: skip


@pair("row-stochastic-step", ROUNDS.one_step)
def row_stochastic_step(x, s=1):
    """Saadatniaki, Xin, Khan (2020): rows that sum to one contract towards the mean by their stationary weights, in that norm."""
    return le(s * x.next.V, x.lam**2 * x.V)


@pair("row-stochastic-every-T", ROUNDS, by=(row_stochastic_step,))
def row_stochastic_every_T(x, s=1):
    """Saadatniaki, Xin, Khan (2020): T rounds contract by lam^(2 T), in the norm by the weights."""
    return le(s * x.V[x.T], (x.lam**2) ** x.T * x.V[0])


@pair("row-stochastic-mean", ROUNDS)
def row_stochastic_mean(x, s=1):
    """Xi, Mai, Xin, Abed, Khan (2018): T rounds leave the mean by the stationary weights where it is."""
    return eq(s * x.Q[x.T], x.Q[0])


@pair("reversible-rounds", Points(None, at=(), clients_at=("v",), **REVERSIBLE))
def reversible_rounds(x, s=1):
    """Levin, Peres, Wilmer (2009), reversible chains: the Dirichlet form <v, (I - A) v> is at least 1 - lam times the variance."""
    return le(s * (1 - x.lam) * dev(x, x.v), x.mean(x.dot(x.v, x.v - x.A(x.v))))


@pair("push-sum-subgradients", SUBGRADIENTS.one_step, off="1/2")
def push_sum_subgradients(x, s=1):
    """Nedic, Olshevsky (2015), subgradient-push with its weights at rest: how far the quotients are apart after a step."""
    return le(x.next.V, x.lam * x.V + s * x.lam**2 / (1 - x.lam) * x.eta**2 * x.M**2)


@pair("push-sum-consensus", SUBGRADIENTS, by=(push_sum_subgradients,), off="1/2")
def push_sum_consensus(x, s=1):
    """Nedic, Olshevsky (2015), weights at rest: after T steps quotients are apart by lam eta M/(1 - lam), and what is left."""
    return le(x.V[x.T], x.lam**x.T * x.V[0] + s * (x.lam * x.eta * x.M / (1 - x.lam)) ** 2)


@pair("push-sum-mean", SUBGRADIENTS.one_step, off="1/10")
def push_sum_mean(x, s=1):
    """Nedic, Olshevsky (2015), weights at rest: the mean of the quotients steps as a subgradient does, but for what is apart."""
    return le(x.next.D + 2 * x.eta * x.e, x.D + 3 * s * x.eta**2 * x.M**2 + 2 * x.V)


@pair("push-sum-every-T", SUBGRADIENTS, by=(push_sum_subgradients, push_sum_mean), off="1/10")
def push_sum_every_T(x, s=1):
    """Nedic, Olshevsky (2015), weights at rest: the gaps at the mean of the quotients of T steps, for all weights and matrices."""
    c, noise = 2 / (1 - x.lam), 3 + 2 * (x.lam / (1 - x.lam)) ** 2
    gaps = 2 * x.eta * x.sum(lambda t: x.e[t], x.T)
    return le(x.D[x.T] + c * x.V[x.T] + gaps, x.D[0] + c * x.V[0] + s * noise * x.T * x.eta**2 * x.M**2)


def tracked_models(x):
    return x.A(x.v) - x.eta * x.y


TRACKING = Run(
    Smooth("L"), at=(), clients_at=("v", "y"), L=L, eta=ETA, **ROWS,
    step={"v": tracked_models, "y": lambda x: x.A(x.y) + x.f.grad(tracked_models(x)) - x.f.grad(x.v)},
    quantities={"B": lambda x: x.sq(x.mean_vec(x.y) - x.mean_vec(x.f.grad(x.v)))},
)  # fmt: skip
TRACKED = Points(Smooth("L"), at=(), clients_at=("v", "y"), L=L, eta=ETA, tau=positive(), **ROWS)
RANDOM = Run(
    None, at=(), clients_at=("v",), **{**ROWS, "mixing": {"A": Drawn(Directed("lam"))}}, step={"v": lambda x, A: A(x.v)},
    quantities={"V": lambda x: dev(x, x.v)},
)  # fmt: skip


@pair("row-stochastic-trackers", TRACKING)
def row_stochastic_trackers(x, s=1):
    """Xin, Xi, Khan (2019), FROST with its eigenvector known, clients f_i/pi_i: trackers keep the mean of the gradients."""
    return eq(s * x.B[x.T], x.B[0])


@pair("row-stochastic-tracker", TRACKED)
def row_stochastic_tracker(x, s=1):
    """Xin, Xi, Khan (2019), FROST with its eigenvector known, clients f_i/pi_i: how far trackers are apart after a step."""
    after = tracked_models(x)
    new = x.A(x.y) + x.f.grad(after) - x.f.grad(x.v)
    moved = (1 + 1 / x.tau) * x.L**2 * x.mean(x.sq(after - x.v))
    return le(s * dev(x, new), (1 + x.tau) * x.lam**2 * dev(x, x.y) + moved)


@pair("random-rows-step", RANDOM.one_step)
def random_rows_step(x, s=1):
    """Boyd, Ghosh, Prabhakar, Shah (2006), with weights that every draw leaves as they are: a step contracts in the mean."""
    return le(s * x.next.V, x.lam**2 * x.V)


@pair("random-rows-every-T", RANDOM, by=(random_rows_step,))
def random_rows_every_T(x, s=1):
    """Boyd, Ghosh, Prabhakar, Shah (2006), with such weights: T steps, each with a matrix of its own draw."""
    return le(s * x.V[x.T], (x.lam**2) ** x.T * x.V[0])
