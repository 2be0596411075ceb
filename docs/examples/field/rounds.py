"""K local steps inside T rounds: drift, rounds of FedAvg, SCAFFOLD, FedProx and their like, for every T where a step is a lemma."""

from fedtheory import eq, le, use
from problems import Convex, ConvexLipschitz, Points, Run, Smooth, SmoothConvex, SmoothStronglyConvex, condition, last

from .pair import ETA, MU, SHORT, G, L, pair

LOCAL = {"sizes": {"K": (1, 2, 3)}}
ROUNDS = {"sizes": {"K": (1, 2), "T": (1, 2)}}
AGREE = condition("grad f_i(w*) = 0", lambda x: eq(x.sq(x.f.grad(x.w_star)), 0))


def local(x, w, shift=0):
    """K gradient steps of every client from w."""
    for _ in range(x.K):
        w = w - x.eta * (x.f.grad(w) - shift)
    return w


def rounds(x, w):
    """T rounds of K steps each."""
    for _ in range(x.T):
        w = x.mean_vec(local(x, w))
    return w


@pair("convex-drift", Points(SmoothConvex("L"), L=L, eta=ETA, given=(SHORT,), **LOCAL), expect="certified")
def convex_drift(x, s=1):
    """Khaled, Mishchenko, Richtarik (2020): K local steps of convex clients lead at most K eta |grad f_i|."""
    return le(s * x.mean(x.sq(local(x, x.w) - x.w)), x.K**2 * x.eta**2 * x.mean(x.sq(x.f.grad(x.w))))


@pair("smooth-drift", Points(Smooth("L"), L=L, eta=ETA, sizes={"K": (1, 2)}), expect="certified")
def smooth_drift(x, s=1):
    """Reddi et al. (2021): the drift of clients that are not convex is ((1 + eta L)^K - 1)/L |grad f_i|."""
    growth = ((1 + x.eta * x.L) ** x.K - 1) / x.L
    return le(s * x.sq(local(x, x.w) - x.w), growth**2 * x.sq(x.f.grad(x.w)))


@pair("consensus-of-locals", Points(ConvexLipschitz("M"), M=G, eta=ETA, **LOCAL), expect="certified")
def consensus_of_locals(x, s=1):
    """Stich (2019), Lemma 3.3, with full gradients: between two communications models are at most eta K M from their mean."""
    models = local(x, x.w)
    return le(s * x.mean(x.sq(models - x.mean_vec(models))), x.eta**2 * x.K**2 * x.M**2)


@pair("scaffnew-local", Points(SmoothStronglyConvex("mu", "L"), optimum_of="f", clients_at=("W",), at=(), mu=MU, L=L, eta=ETA,
                               given=(SHORT,), **LOCAL), expect="certified")  # fmt: skip
def scaffnew_local(x, s=1):
    """Mishchenko, Malinovsky, Stich, Richtarik (2022), Scaffnew: K local steps with the optimal shifts contract."""
    shift = x.f.grad(x.w_star)
    left = x.mean(x.sq(local(x, x.W, shift) - x.w_star))
    return le(s * left, (1 - x.eta * x.mu) ** x.K * x.mean(x.sq(x.W - x.w_star)))


INTERPOLATION = Points(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", mu=MU, L=L, eta=ETA, given=(SHORT, AGREE), **ROUNDS
)


@pair("local-gd-rounds", INTERPOLATION, expect="certified")
def local_gd_rounds(x, s=1):
    """Qu, Lin, Li, Zhou (2021), FedAvg with overparametrised clients: T rounds of K steps each contract K T times."""
    left = x.sq(rounds(x, x.w) - x.w_star)
    return le(s * left, (1 - x.eta * x.mu) ** (x.K * x.T) * x.sq(x.w - x.w_star))


# K local steps with the shifts grad f_i(z), every K; then T rounds of them with z = w*, every T

CONTRACTING = {"mu": MU, "L": L, "eta": ETA}
LOCALLY = Run(
    SmoothStronglyConvex("mu", "L"), at=("w", "z"), clients_at=("y",), index="K", given=(SHORT,), sizes={"m": (1,)},
    start={"y": lambda x: x.w}, step={"y": lambda x: x.y - x.eta * (x.f.grad(x.y) - x.f.grad(x.z))},
    quantities={"B": lambda x: x.sq(x.y - x.z), "D": lambda x: x.sq(x.w - x.z)}, **CONTRACTING,
)  # fmt: skip


@pair("shifted-step", LOCALLY.one_step)
def shifted_step(x, s=1):
    """Mishchenko, Malinovsky, Stich, Richtarik (2022), Scaffnew: a local step with the shift of z contracts towards z."""
    return le(s * x.next.B, (1 - x.eta * x.mu) * x.B)


@pair("shifted-steps-every-K", LOCALLY, by=(shifted_step,))
def shifted_steps(x, s=1):
    """Mishchenko et al. (2022), Scaffnew: any number K of local steps with the shift of z."""
    return le(s * x.B[x.K], x.exp(-x.eta * x.mu * x.K) * x.D)


SHIFTED = Run(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", at=("w",), clients_at=("y",), given=(SHORT,), sizes={"K": (1, 2), "m": (1, 2)},
    within={"y": last(LOCALLY, "y", z=lambda x: x.w_star)}, step={"w": lambda x: x.mean_vec(x.y)},
    quantities={"D": lambda x: x.sq(x.w - x.w_star), "B": lambda x: x.mean(x.sq(x.y - x.w_star))}, **CONTRACTING,
)  # fmt: skip


@pair("mean-of-models", Points(None, at=("z",), clients_at=("y",)))
def mean_of_models(x, s=1):
    """Jensen: the mean of the models is no further from z than they are in the mean."""
    return le(s * x.sq(x.mean_vec(x.y) - x.z), x.mean(x.sq(x.y - x.z)))


@pair("shifted-locals", SHIFTED, by=(shifted_steps,))
def shifted_locals(x, t, s=1):
    """Mishchenko et al. (2022), Scaffnew: where the local models of a round end, with the optimal shifts."""
    return le(s * x.B[t], x.exp(-x.eta * x.mu * x.K) * x.D[t])


@pair("shifted-mean", SHIFTED, by=(use(mean_of_models, z=lambda x: x.w_star),))
def shifted_mean(x, t, s=1):
    """Mishchenko et al. (2022), Scaffnew: what averaging makes of them."""
    return le(s * x.D[t + 1], x.B[t])


@pair("shifted-round", SHIFTED, by=(shifted_locals, shifted_mean))
def shifted_round(x, t, s=1):
    """Mishchenko et al. (2022), Scaffnew: a round of K local steps with the optimal shifts, and a mean."""
    return le(s * x.D[t + 1], x.exp(-x.eta * x.mu * x.K) * x.D[t])


@pair("shifted-every-T", SHIFTED, by=(shifted_round,))
def shifted_every_T(x, s=1):
    """Mishchenko et al. (2022), Scaffnew: T rounds of K local steps with the optimal shifts, for every T and K."""
    return le(s * x.D[x.T], x.exp(-x.eta * x.mu * x.K * x.T) * x.D[0])


def proximal(x, w):
    return x.mean_vec(x.f.prox(w, x.lam))


FEDPROX = Run(
    Convex(), at=("w", "v"), lam=L, step={"w": lambda x: proximal(x, x.w), "v": lambda x: proximal(x, x.v)},
    quantities={"D": lambda x: x.sq(x.w - x.v), "P": lambda x: x.sq(x.w - x.v - proximal(x, x.w) + proximal(x, x.v))},
)  # fmt: skip


@pair("fedprox-round", FEDPROX.one_step)
def fedprox_round(x, s=1):
    """Li et al. (2020), FedProx; Pathak, Wainwright (2020): a round of exact proximal points is firmly nonexpansive."""
    return le(s * x.next.D + s * x.P, x.D)


@pair("fedprox-every-T", FEDPROX, by=(fedprox_round,))
def fedprox_every_T(x, s=1):
    """Li et al. (2020), FedProx: two runs of any number of rounds come together."""
    return le(s * x.D[x.T] + x.sum(lambda t: x.P[t], x.T), x.D[0])


SUBGRADIENTS = Points(ConvexLipschitz("M"), M=G, eta=ETA, **ROUNDS)


@pair("model-moves", SUBGRADIENTS, expect="certified")
def model_moves(x, s=1):
    """Li, Huang, Yang, Wang, Zhang (2020): T rounds of K local steps with bounded gradients lead at most eta K T M."""
    return le(s * x.sq(rounds(x, x.w) - x.w), (x.eta * x.K * x.T * x.M) ** 2)


@pair("scaffold-drift", Points(SmoothConvex("L"), at=("w", "c"), clients_at=("h",), L=L, eta=ETA, given=(SHORT,), **LOCAL),
      expect="certified")  # fmt: skip
def scaffold_drift(x, s=1):
    """Karimireddy et al. (2020), SCAFFOLD: K corrected steps lead at most K times the first one."""
    direction = x.f.grad(x.w) - x.h + x.c
    return le(s * x.mean(x.sq(local(x, x.w, x.h - x.c) - x.w)), x.K**2 * x.eta**2 * x.mean(x.sq(direction)))
