"""Repairs of Theorem 2: one round of s of the m clients, for every m, s and dimension, with equal weights.

Under lam >= 2 L and rho >= 5 lam alpha an update lowers the client's part of L by multiples of its squared gradients. theta_i^{t+1}
of every client is the one it would get if it were selected; a uniform selection of s of them is averaged over.
"""

from fedtheory import Control, claim, eq, le
from fedtheory.premise import Following, Names
from fedtheory.theory.flame.constants import own_lagrangian, spring
from problems import Points, SmoothBoundedBelow, condition

from ..one_client import NAMES, own

LAM_2L = condition("lam >= 2 L", lambda x: le(2 * x.L, x.lam))
RHO_5A = condition("rho >= 5 lam alpha", lambda x: le(5 * spring(x), x.rho))
SAFE = (LAM_2L, RHO_5A)
EQUAL = "Equal weights alpha_i = alpha."
CLIENTS = ("Theta", "W", "Theta_next")


def dual(x):
    """pi_i^t of (25)."""
    return spring(x) * (x.Theta - x.W)


def server(x):
    """w^t of (12)."""
    return x.mean_vec(x.W + dual(x) / x.rho)


def updated(x):
    """w_i^{t+1} of l14 and pi_i^{t+1} of l15."""
    W = (spring(x) * x.Theta_next + x.rho * x.w - dual(x)) / (spring(x) + x.rho)
    return W, dual(x) + x.rho * (W - x.w)


def residual(x, Theta):
    """The gradients of L_i in theta_i at Theta and w_i^t."""
    return x.alpha * (x.f.grad(Theta) + x.lam * (Theta - x.W))


def own_change(x):
    """L_i after the update less L_i before it, at w^t."""
    W, Pi = updated(x)
    return own_lagrangian(x, x.Theta_next, W, Pi, x.w) - own_lagrangian(x, x.Theta, x.W, dual(x), x.w)


# the quantities


def error(x):
    """Mean over clients of the left side of (13)."""
    return x.mean(x.sq(residual(x, x.Theta_next)))


def gain(x):
    """50 times the error over lam alpha, less the mean over clients of the change of L_i."""
    return 50 * error(x) / spring(x) - x.mean(own_change(x))


def theta_sq(x):
    """Mean over clients of |grad_{theta_i} L|^2 at t."""
    return x.mean(x.sq(residual(x, x.Theta)))


def local_sq(x):
    """Mean over clients of |grad_{w_i} L|^2 = rho^2 |w_i - w|^2 at t, by (25) and (43)."""
    return x.mean(x.sq(x.rho * (x.W - x.w)))


def message(x, W, Pi):
    """z_i."""
    return W + Pi / x.rho


def of_a_client(x, Theta, W, Pi):
    """What a client adds to L where w is the mean of the messages (12): all but -rho/(2 m) |sum of z_i|^2."""
    loss = x.alpha * (x.f.value(Theta) + x.lam / 2 * x.sq(Theta - W))
    return loss - x.sq(Pi) / (2 * x.rho) + x.rho / 2 * x.sq(message(x, W, Pi))


def after(x, draw):
    """L^{t+1} where the clients of `draw` are updated and the others stay (l18); None is L^t."""
    old, messages = of_a_client(x, x.Theta, x.W, dual(x)), message(x, x.W, dual(x))
    total, whole = x.total(old), x.total_vec(messages)
    if draw is not None:
        W, Pi = updated(x)
        total = total + x.total(of_a_client(x, x.Theta_next, W, Pi) - old, over=draw)
        whole = whole + x.total_vec(message(x, W, Pi) - messages, over=draw)
    return total - x.rho / (2 * x.m) * x.sq(whole)


def height(x):
    """L^t less the sum of alpha inf f_i; L^{t+1} where `chosen` is not None, the clients that were updated."""
    return after(x, x.chosen) - x.total(x.alpha * x.f.infimum())


def a_round(x, of):
    """The mean of a quantity over the uniform selections of s clients, after their updates."""
    return x.E(lambda draw: of(x.at(chosen=draw)))


MEANING: Names = {
    "D": height,
    "D_next": Following(height, a_round),
    "gain": gain,
    "error": error,
    "P": theta_sq,
    "Q": local_sq,
}
AT_T = {"w": server, "chosen": lambda x: None}


def at_t(x):
    """The instance at t: with w^t of (12), and nobody updated yet."""
    return x.at(**{name: of(x) for name, of in AT_T.items()})


def meant(x, *names):
    """An instance with the quantities of these names."""
    return x.at(**{name: MEANING[name](x) for name in names})


ANY_W = Points(
    SmoothBoundedBelow("L"),
    at=("w",),
    clients_at=CLIENTS,
    given=SAFE,
    sizes={"d": (1, 2)},
    **own(*NAMES),
)
STATE = Points(SmoothBoundedBelow("L"), at=(), clients_at=CLIENTS, sizes={"S": (1, 2, 3), "d": (1, 2)}, **own(*NAMES))


@claim(
    "flame/thm2b~repaired-client",
    world=ANY_W,
    control=Control("f = 0 and exact solutions have at most half of the square over lam alpha", share=10),
    uses=("flame/lemma1~repaired-sharp",),
    step=True,
    note=f"An update lowers L_i by |grad_{{theta_i}} L|^2/(10 lam alpha), up to 50 times its error over lam alpha; in the mean "
    f"over any number of clients. {EQUAL}",
)
def theta_gain(x, share=1):
    return le(share * theta_sq(x) / (10 * spring(x)), gain(x))


@claim(
    "flame/thm2a~repaired-client",
    world=ANY_W,
    control=Control("for exact solutions the step in w_i lowers L_i by no more than the square over rho", share=20),
    uses=("flame/lemma1~repaired-sharp",),
    step=True,
    note=f"And by |grad_{{w_i}} L|^2/(20 rho). {EQUAL}",
)
def local_gain(x, share=1):
    return le(share * local_sq(x) / (20 * x.rho), gain(x))


@claim(
    "flame/thm2a~repaired-value",
    world=STATE,
    control=Control("it is not twice that", times=2),
    uses=("flame/eq12-b", "flame/eq25"),
    step=True,
    note=f"L^t of (8) with w^t of (12), in the form in which a round is taken. {EQUAL}",
)
def value(x, times=1):
    at = x.at(w=server(x))
    return eq(after(at, None), times * x.total(own_lagrangian(x, x.Theta, x.W, dual(x), at.w)))


@claim(
    "flame/thm2a~repaired-server",
    world=STATE,
    control=Control("nor is it half of that with the whole gain", share="11/10"),
    uses=("flame/eq34-b", "flame/eq35-c"),
    step=True,
    note=f"E L^{{t+1}} is at most L^t with the mean change of an update for s clients, since the server's step only lowers L "
    f"(35). {EQUAL}",
)
def server_round(x, share=1):
    x = at_t(x)
    says = round_says(meant(x, "D", "D_next", "gain", "error"), share)
    return le(says.lhs, says.rhs)


def round_says(x, share=1):
    """E D^{t+1} + s gain <= D^t + s 50 error/(lam alpha)."""
    return le(x.D_next + share * x.S * x.gain, x.D + 50 * x.S * x.error / spring(x))


@claim(
    "flame/thm2a~repaired-height",
    world=Points(
        SmoothBoundedBelow("L"), at=(), clients_at=CLIENTS, given=(RHO_5A,), sizes={"d": (1, 2)}, **own(*NAMES)
    ),
    control=Control("f = 0 and theta_i = w leave nothing", more=1),
    uses=("flame/lemma3",),
    step=True,
    note=f"L^t is at least the sum of alpha inf f_i, by Lemma 3. {EQUAL}",
)
def above_least(x, more=0):
    x = at_t(x)
    return le(more * x.rho * x.mean(x.sq(x.Theta - x.w)), height(x))
