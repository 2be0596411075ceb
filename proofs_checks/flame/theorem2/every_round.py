"""Repairs of Theorem 2: one round of s of the m clients, for every m, s and dimension, each client with its own weight alpha_i.

Under lam >= 2 L and rho >= 5 lam alpha_i an update lowers the client's part of L by multiples of its squared gradients.
theta_i^{t+1} of every client is the one it would get if it were selected; a uniform selection of s of them is averaged over.
"""

from fedtheory import Control, claim, le, use
from fedtheory.theory.flame.constants import own_lagrangian, spring
from fedtheory.theory.flame.symbols import symbols
from problems import Points, Run, SmoothBoundedBelow, condition, positive

from ..one_client import NAMES, ONE, own

LAM_2L = condition("lam >= 2 L", lambda x: le(2 * x.L, x.lam))
RHO_5A = condition("rho >= 5 lam alpha_i", lambda x: le(5 * spring(x), x.rho))
SAFE = (LAM_2L, RHO_5A)
WEIGHTS = (
    condition("a_min <= alpha_i", lambda x: le(x.a_min, x.alpha)),
    condition("alpha_i <= a_max", lambda x: le(x.alpha, x.a_max)),
)
BOUNDS = {"a_min": positive(), "a_max": positive()}
SETTING = (
    "Any weights alpha_i, a_min and a_max bounds of them; L-smooth f_i that are bounded below, lam >= 2 L, rho >= 5 lam alpha_i, a "
    "start by (28); nothing is asked of c_0."
)
CLIENTS = ("Theta", "W", "Theta_next")


def beside(scalar):
    """A scalar of each client beside vectors."""
    return scalar[..., None] if getattr(scalar, "ndim", 0) else scalar


def dual(x):
    """pi_i^t of (25)."""
    return beside(spring(x)) * (x.Theta - x.W)


def message(x):
    """z_i^t."""
    return x.W + dual(x) / x.rho


def server(x):
    """w^t of (12)."""
    return x.mean_vec(message(x))


def local(x):
    """w_i^{t+1} of l14."""
    a = beside(spring(x))
    return (a * x.Theta_next + x.rho * x.w - dual(x)) / (a + x.rho)


def residual(x, Theta):
    """The gradients of L_i in theta_i at Theta and w_i^t."""
    return beside(x.alpha) * (x.f.grad(Theta) + x.lam * (Theta - x.W))


def own_change(x):
    """L_i after the update less L_i before it, at w^t."""
    W = local(x)
    Pi = dual(x) + x.rho * (W - x.w)  # l15
    return own_lagrangian(x, x.Theta_next, W, Pi, x.w) - own_lagrangian(x, x.Theta, x.W, dual(x), x.w)


# of one client, at any w


def error(x):
    """The left side of (13)."""
    return x.sq(residual(x, x.Theta_next))


def theta_sq(x):
    """|grad_{theta_i} L|^2 at t."""
    return x.sq(residual(x, x.Theta))


def local_sq(x):
    """|grad_{w_i} L|^2 = rho^2 |w_i - w|^2 at t, by (25) and (43)."""
    return x.sq(x.rho * (x.W - x.w))


def room(x):
    """50 times the error over lam a_min, less the change of L_i."""
    return 50 * error(x) / (x.lam * x.a_min) - own_change(x)


ANY_W = Points(
    SmoothBoundedBelow("L"), at=("w",), clients_at=CLIENTS, given=(*SAFE, *WEIGHTS), sizes={"d": (1, 2), **ONE},
    **own(*NAMES), **BOUNDS,
)  # fmt: skip


@claim(
    "flame/thm2b~repaired-client",
    world=ANY_W,
    control=Control("f = 0 and exact solutions have at most half of the square over lam alpha", share=10),
    uses=("flame/lemma1~repaired-sharp",),
    step=True,
    note="An update lowers L_i by |grad_{theta_i} L|^2/(10 lam a_max), up to 50 times its error over lam a_min. For one client.",
)
def theta_gain(x, share=1):
    return le(share * theta_sq(x) / (10 * x.lam * x.a_max), room(x))


@claim(
    "flame/thm2a~repaired-client",
    world=ANY_W,
    control=Control("for exact solutions the step in w_i lowers L_i by no more than the square over rho", share=20),
    uses=("flame/lemma1~repaired-sharp",),
    step=True,
    note="And by |grad_{w_i} L|^2/(20 rho). For one client.",
)
def local_gain(x, share=1):
    return le(share * local_sq(x) / (20 * x.rho), room(x))


@claim(
    "flame/thm2a~repaired-height",
    world=Points(
        SmoothBoundedBelow("L"), at=("w",), clients_at=("Theta", "W"), given=(RHO_5A,), sizes={"d": (1, 2), **ONE},
        **own(*NAMES),
    ),
    control=Control("f = 0 and theta_i = w leave nothing", more=1),
    uses=("flame/lemma3",),
    step=True,
    note="L_i is at least alpha_i inf f_i, by Lemma 3. For one client.",
)  # fmt: skip
def above_least(x, more=0):
    own_height = own_lagrangian(x, x.Theta, x.W, dual(x), x.w) - x.alpha * x.f.infimum()
    return le(more * x.rho * x.sq(x.Theta - x.w), own_height)


@claim(
    "flame/thm2a~repaired-average",
    world=Points(None, at=("v",), clients_at=("z",)),
    control=Control("at the mean both sides are equal", share="1/2"),
    uses=("flame/eq34-b", "flame/eq35-c"),
    step=True,
    note="The server's step only lowers L (35): no point is nearer to all z_i than their mean. Any vectors.",
)
def nearest(x, share=1):
    return le(x.total(x.sq(x.z - x.mean_vec(x.z))), share * x.total(x.sq(x.z - x.v)))


# the method


def at_server(quantity):
    """A quantity at w^t of (12)."""
    return lambda x: quantity(x.at(w=server(x)))


def in_the_mean(quantity):
    """Of a client's quantity the mean over the clients, at w^t of (12)."""
    return at_server(lambda x: x.mean(quantity(x)))


def height(x):
    """L^t less the sum of alpha_i inf f_i."""
    return x.total(own_lagrangian(x, x.Theta, x.W, dual(x), x.w) - x.alpha * x.f.infimum())


QUANTITIES = {
    "D": at_server(height),
    "change": in_the_mean(own_change),
    "P": in_the_mean(theta_sq),
    "Q": in_the_mean(local_sq),
    "error": in_the_mean(error),
}
OF_ALL = {name: symbols(name)[name] for name in ("L", "lam", "rho", "alpha")}


def moved(x, S):
    """w_i^{t+1} of the clients that are selected."""
    return x.where(S, local(x.at(w=server(x))), x.W)


ROUNDS = Run(
    SmoothBoundedBelow("L"), at=(), clients_at=CLIENTS, fresh=("Theta_next",), given=SAFE + WEIGHTS,
    step={"Theta": lambda x, S: x.where(S, x.Theta_next, x.Theta), "W": moved},
    quantities=QUANTITIES, sizes={"m": (1, 2, 3), "S": (1, 2), "d": (1, 2)}, **OF_ALL, **BOUNDS,
)  # fmt: skip


@claim(
    "flame/thm2a~repaired-server",
    world=ROUNDS,
    by=(use(nearest, z=lambda x: message(x.next), v=server),),
    control=Control("nor is it half of that", share="1/2"),
    uses=("flame/eq34-b", "flame/eq35-c"),
    step=True,
    note="E L^{t+1} is at most L^t with the mean change of an update for s clients, since the server's step only lowers L (35).",
)
def server_round(x, t, share=1):
    return le(x.D[t + 1], x.D[t] + share * x.S * x.change[t])


@claim(
    "flame/thm2a~repaired-round",
    world=ROUNDS,
    by=(use(theta_gain, w=server), use(local_gain, w=server), server_round),
    control=Control("ten times the gradients are too much", share=100),
    step=True,
    note=f"One round of unbiased selection in expectation, for every m, s and dimension. {SETTING}",
)
def round_of_all(x, t, share=1):
    return le(x.D[t + 1] + share * x.S * fall(x, x.P[t], x.Q[t]), x.D[t] + x.S * allowance(x, x.error[t]))


def fall(x, P, Q):
    """P/(20 lam a_max) + Q/(40 rho)."""
    return P / (20 * x.lam * x.a_max) + Q / (40 * x.rho)


def allowance(x, error):
    """50 error/(lam a_min)."""
    return 50 * error / (x.lam * x.a_min)
