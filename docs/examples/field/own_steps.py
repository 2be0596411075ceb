"""Local steps of each client's own number, any from 1 to K at every round anew: stragglers, FedProx's variable work, FedNova."""

from fedtheory import eq, le, shelf, use
from problems import Points, Run, Smooth, SmoothStronglyConvex, at_least, condition, last, positive

from .pair import ETA, MU, SHORT, G, L, pair

HALF = condition("eta <= 1/(2 K L)", lambda x: le(2 * x.eta * x.L * x.K, 1))
RANGES = {"mu": MU, "L": L, "eta": ETA}
EACH = {"sizes": {"K": (1, 2), "m": (1, 2)}}  # up to K steps, of each of m clients

# one client: k local steps with the shift of z, every k; then rounds in which client i makes tau_i of them

LOCAL = Run(
    SmoothStronglyConvex("mu", "L"), at=("w", "z"), clients_at=("y",), index="k", given=(SHORT,), sizes={"m": (1,)},
    start={"y": lambda x: x.w}, step={"y": lambda x: x.y - x.eta * (x.f.grad(x.y) - x.f.grad(x.z))},
    quantities={"B": lambda x: x.sq(x.y - x.z), "D": lambda x: x.sq(x.w - x.z)}, **RANGES,
)  # fmt: skip


@pair("own-local-step", LOCAL.one_step)
def own_local_step(x, s=1):
    """Mishchenko, Malinovsky, Stich, Richtarik (2022), Scaffnew: a local step with the shift of z contracts towards z."""
    return le(s * x.next.B, (1 - x.eta * x.mu) * x.B)


@pair("own-local-steps", LOCAL, by=(own_local_step,))
def own_local_steps(x, s=1):
    """Any number k of local steps, of at least one, contracts as one does."""
    return le(s * x.B[x.k], (1 - x.eta * x.mu) * x.D)


STRAGGLERS = Run(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", at=("w",), clients_at=("y",), given=(SHORT,), **EACH,
    within={"y": last(LOCAL, "y", up_to="K", z=lambda x: x.w_star)}, step={"w": lambda x: x.mean_vec(x.y)},
    quantities={"D": lambda x: x.sq(x.w - x.w_star), "B": lambda x: x.mean(x.sq(x.y - x.w_star))}, **RANGES,
)  # fmt: skip


@pair("stragglers-locals", STRAGGLERS, by=(own_local_steps,))
def stragglers_locals(x, t, s=1):
    """Where the models of a round end, with the optimal shifts and tau_i local steps of client i, any of 1 to K."""
    return le(s * x.B[t], (1 - x.eta * x.mu) * x.D[t])


@pair("stragglers-mean", Points(None, at=("z",), clients_at=("y",)))
def stragglers_mean(x, s=1):
    """Jensen: the mean of the models is no further from z than they are in the mean."""
    return le(s * x.sq(x.mean_vec(x.y) - x.z), x.mean(x.sq(x.y - x.z)))


@pair("stragglers-round", STRAGGLERS, by=(stragglers_locals, use(stragglers_mean, z=lambda x: x.w_star)))
def stragglers_round(x, t, s=1):
    """A round in which client i makes tau_i local steps with the optimal shifts, any of 1 to K."""
    return le(s * x.D[t + 1], (1 - x.eta * x.mu) * x.D[t])


@pair("stragglers-every-T", STRAGGLERS, by=(stragglers_round,))
def stragglers_every_T(x, s=1):
    """T such rounds, the tau_i at every one anew, for every T, K and m."""
    return le(s * x.D[x.T], x.exp(-x.eta * x.mu * x.T) * x.D[0])


# FedNova: client i sends the mean of the gradients of its tau_i steps, which is grad f_i(w) + L u_i


def now(x):
    """The gradient of a local step."""
    return x.f.grad(x.w - x.s)


def drifted(x):
    """The drift of tau equal steps."""
    return x.eta * x.L * x.tau * x.u


def none(x):
    """0."""
    return x.w - x.w


NOVA_STEPS = Run(
    Smooth("L"), at=("w",), clients_at=("s", "u"), L=L, eta=ETA, K=at_least(1), tau=at_least(1), index="k", sizes={"m": (1,)},
    given=(HALF, condition("k <= K", lambda x: le(x.k, x.K)), condition("tau = k", lambda x: eq(x.tau, x.k))),
    start={"s": none, "u": none},
    step={"s": lambda x: x.s + x.eta * now(x), "u": lambda x: x.u + (now(x) - x.f.grad(x.w)) / (x.L * x.tau)},
    quantities={"c": lambda x: x.sq(x.L * x.u), "g": lambda x: x.sq(x.f.grad(x.w))},
)  # fmt: skip


@pair("nova-local", NOVA_STEPS, by=(use(shelf.local_drift, n=lambda x: x.k, y=drifted, h=none),))
def nova_local(x, s=1):
    """Wang, Liu, Liang, Joshi, Poor (2020), FedNova: how far the mean of the gradients of tau steps is from the first."""
    return le(x.c[x.k] + (s - 1) * x.g, 4 * x.eta**2 * x.L**2 * x.K**2 * x.g / 3)


def slope(x):
    return x.mean_vec(x.f.grad(x.w))


def sent(x):
    """The mean of the normalised directions."""
    return slope(x) + x.L * x.mean_vec(x.u)


ALIKE = condition("mean |grad f_i - grad f|^2 <= zeta^2", lambda x, t: le(x.H[t], x.zeta**2))
NOVA = Run(
    Smooth("L"), at=("w",), clients_at=("u",), L=L, eta=ETA, zeta=G, tau_eff=positive(), given=(HALF, condition(
        "tau_eff <= K", lambda x: le(x.tau_eff, x.K))), every=(ALIKE,), **EACH,
    within={"u": last(NOVA_STEPS, "u", up_to="K", count="tau")}, step={"w": lambda x: x.w - x.eta * x.tau_eff * sent(x)},
    quantities={"e": lambda x: x.mean(x.f.value(x.w)), "g": lambda x: x.sq(slope(x)), "Y": lambda x: x.mean(x.sq(x.L * x.u)),
                "G": lambda x: x.mean(x.sq(x.f.grad(x.w))), "H": lambda x: x.mean(x.sq(x.f.grad(x.w) - slope(x)))},
)  # fmt: skip


@pair("nova-descent", Points(Smooth("L"), at=("w",), clients_at=("u",), L=L, step=ETA, given=(condition(
    "step <= 1/L", lambda x: le(x.step * x.L, 1)),)))  # fmt: skip
def nova_descent(x, s=1):
    """FedNova, one round of any normalised directions: half of the squared gradient is gained, but for their mean drift."""
    after = x.mean(x.f.value(x.w - x.step * sent(x)))
    return le(after + s * x.step / 2 * x.sq(slope(x)), x.mean(x.f.value(x.w)) + x.step / 2 * x.mean(x.sq(x.L * x.u)))


@pair("nova-drift", NOVA, by=(nova_local,))
def nova_drift(x, t, s=1):
    """FedNova: the drift of a round in which client i makes tau_i steps, any of 1 to K."""
    return le(x.Y[t] + (s - 1) * x.G[t], 4 * x.eta**2 * x.L**2 * x.K**2 * x.G[t] / 3)


@pair("nova-spread", NOVA.one_step)
def nova_spread(x, s=1):
    """The mean of the squared gradients is the square of their mean, and their spread."""
    return eq(s * x.G, x.g + x.H)


WORK = {"step": lambda x: x.eta * x.tau_eff}


@pair("nova-round", NOVA, by=(use(nova_descent, **WORK), nova_drift, nova_spread))
def nova_round(x, t, s=1):
    """FedNova, one round: what is gained with any tau_eff up to K, but for the spread of the gradients."""
    step = x.eta * x.tau_eff
    return le(s * (x.e[t + 1] + step / 3 * x.g[t]), x.e[t] + 2 * step * x.eta**2 * x.L**2 * x.K**2 * x.H[t] / 3)


@pair("nova-every-T", NOVA, by=(nova_round,))
def nova_every_T(x, s=1):
    """FedNova, T rounds in which client i makes tau_i steps, any of 1 to K, at every one anew, for every T, K and m."""
    step = x.eta * x.tau_eff
    left = x.e[x.T] + step / 3 * x.sum(lambda t: x.g[t], x.T)
    return le(s * left, x.e[0] + 2 * step * x.eta**2 * x.L**2 * x.K**2 * x.zeta**2 * x.T / 3)
