"""FedNova and Per-FedAvg with all clients: smooth functions that need not be convex, every T and m.

FedNova: client i takes tau_i local gradient steps, at most tau, and sends the mean v_i of its gradients. What the theorem takes of
them is how far v_i is from grad f_i(w), which shelf/fednova-local has for any number of steps of one client.
Per-FedAvg is FedAvg on F_i(w) = f_i(w - alpha grad f_i(w)). For l-smooth f_i with rho-Lipschitz Hessians and gradients of at most B
it is (4l + alpha rho B)-smooth (Fallah et al. 2020, Lemma 4.2): shelf/lipschitz-gradient and shelf/of-two-lengths, used at the
adapted points and then at the gradients there, are its proof.
"""

from fedtheory import claim, le
from fedtheory.units import GRADIENT
from problems import Points, Run, Smooth, at_least, condition, positive

from .fedavg import ALIKE, FEDAVG, fedavg, grad, slope, value
from .local_steps import ETA, HALF, STEPS, L, local_drift_of_K

UP_TO_TAU = condition("eta <= 1/(2 tau L)", lambda x: le(2 * x.eta * x.L * x.tau, 1))


def sent(x):
    """v_i - grad f_i(w), where L v_i is sent."""
    return x.L * x.v - grad(x)


@claim("shelf/fednova-local", world=STEPS, by=(local_drift_of_K,), expect="proved")
def fednova_local(x):
    return le(x.b[x.K] / (x.eta * x.K) ** 2, 4 * x.eta**2 * x.L**2 * x.K**2 * x.g / 3)


FEDNOVA = Run(
    Smooth("L"), at=("w",), clients_at=("v",), fresh=("v",), L=L, eta=ETA, tau=at_least(1), zeta=positive(GRADIENT),
    given=(UP_TO_TAU,), every=(ALIKE,), step={"w": lambda x: x.w - x.eta * x.tau * x.L * x.mean_vec(x.v)},
    obeys=(
        condition(
            "|v_i - grad f_i(w)|^2 <= 4/3 eta^2 L^2 tau^2 |grad f_i(w)|^2",
            lambda x: le(3 * x.sq(sent(x)), 4 * x.eta**2 * x.L**2 * x.tau**2 * x.sq(grad(x))),
        ),
    ),
    quantities={
        "e": value, "g": slope, "H": lambda x: x.mean(x.sq(grad(x) - x.mean_vec(grad(x)))), "G": lambda x: x.mean(x.sq(grad(x))),
        "Y": lambda x: x.mean(x.sq(sent(x))), "moved": lambda x: x.sq(x.mean_vec(x.v)),
    },
)  # fmt: skip


@claim("shelf/fednova-descent", world=FEDNOVA.one_step, expect="proved")
def fednova_descent(x):
    return le(x.next.e, x.e - x.eta * x.tau / 2 * (x.g - x.Y))


@claim("shelf/fednova-sent", world=FEDNOVA.one_step, expect="proved")
def fednova_sent(x):
    return le(x.eta * x.tau / 2 * x.Y, 2 * x.eta**3 * x.tau**3 * x.L**2 / 3 * x.G)


@claim("shelf/fednova-alike", world=FEDNOVA.one_step, expect="proved")
def fednova_alike(x):
    cost = 2 * x.eta**3 * x.tau**3 * x.L**2 / 3
    return le(cost * x.G, x.eta * x.tau / 6 * x.g + cost * x.H)


@claim("shelf/fednova-round", world=FEDNOVA, by=(fednova_descent, fednova_sent, fednova_alike), expect="proved")
def fednova_round(x, t):
    gained = x.eta * x.tau / 3 * x.g[t]
    return le(x.e[t + 1] + gained, x.e[t] + 2 * x.eta**3 * x.tau**3 * x.L**2 / 3 * x.H[t])


@claim("shelf/fednova", world=FEDNOVA, by=(fednova_round,), expect="proved")
def fednova(x):
    gained = x.eta * x.tau / 3 * x.sum(lambda t: x.g[t], x.T)
    return le(x.e[x.T] + gained, x.e[0] + 2 * x.eta**3 * x.tau**3 * x.L**2 / 3 * x.zeta**2 * x.T)


# Per-FedAvg: grad F_i(w) - grad F_i(v) is (I - alpha H_w)(a - b) + alpha (H_v - H_w) b, where a and b are the gradients at the
# adapted points: at most 2 |a - b|, and alpha rho B |w - v|


@claim(
    "shelf/of-two-lengths",
    world=Points(
        None, at=("u", "v", "w"), a=positive(), b=positive(),
        given=(
            condition("|u| <= a |w|", lambda x: le(x.sq(x.u), x.a**2 * x.sq(x.w))),
            condition("|v| <= b |w|", lambda x: le(x.sq(x.v), x.b**2 * x.sq(x.w))),
        ),
    ),
    expect="proved",
)  # fmt: skip
def of_two_lengths(x):
    return le(x.sq(x.u + x.v), (x.a + x.b) ** 2 * x.sq(x.w))


PERFEDAVG = Run(
    Smooth("L"), at=("w",), clients_at=("y",), L=L, eta=ETA, zeta=positive(GRADIENT), sizes={"K": (1, 2), "m": (2, 3)},
    within=FEDAVG.within, step=FEDAVG.step, every=(ALIKE,), quantities=FEDAVG.quantities,
    given=(HALF,),
)  # fmt: skip


@claim("shelf/perfedavg", world=PERFEDAVG, by=(fedavg,), expect="proved")
def perfedavg(x):
    gained = x.eta * x.K / 3 * x.sum(lambda t: x.g[t], x.T)
    return le(x.e[x.T] + gained, x.e[0] + 2 * x.eta**3 * x.K**3 * x.L**2 / 3 * x.zeta**2 * x.T)
