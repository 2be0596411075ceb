"""DIANA and MARINA with unbiased compressors that are independent from client to client: every T and m.

A compressor adds an error of mean zero. L n_i or its opposite, equally likely, is one with all that is read of it, its mean square;
L q or its opposite is the mean of m of them, which are independent, by its own: m E|q|^2 is the mean of E|n_i|^2. Nothing here
reads q and n_i in one product, so that nothing else of them matters.
"""

from fedtheory import claim, le
from fedtheory.units import CURVATURE, STEP
from problems import Run, Smooth, SmoothConvex, at_least, between, condition, positive

L, MU, ETA, OMEGA = positive(CURVATURE), positive(CURVATURE), positive(STEP), at_least(0)


def gradient(x):
    """grad f(w)."""
    return x.mean_vec(x.f.grad(x.w))


# DIANA: L h_i is what is remembered of the gradient of client i, the compressed difference is grad f_i(w) - L h_i + L n_i


def difference(x):
    """grad f_i(w) - L h_i."""
    return x.f.grad(x.w) - x.L * x.h


def strong(x):
    """What f is along w and w*."""
    slope = x.dot(gradient(x), x.w - x.w_star)
    return le(x.mean(x.f.value(x.w) - x.f.value(x.w_star)) + x.mu / 2 * x.sq(x.w - x.w_star), slope)


DIANA = Run(
    SmoothConvex("L"), optimum_of="f", at=("w", "q"), clients_at=("h", "n"), fresh=("q", "n"), L=L, mu=MU, eta=ETA, omega=OMEGA,
    alpha=positive(), zeta=positive(), outcomes=(1, -1),
    step={
        "w": lambda x, sign: x.w - x.eta * (gradient(x) + sign * x.L * x.q),
        "h": lambda x, sign: x.h + x.alpha * (difference(x) / x.L + sign * x.n),
    },
    given=(
        condition("alpha <= 1/(1 + omega)", lambda x: le(x.alpha * (1 + x.omega), 1)),
        condition("eta <= 1/((1 + 6 omega/m) L)", lambda x: le(x.eta * x.L * (x.m + 6 * x.omega), x.m)),
        condition("zeta <= min(eta mu, alpha/2)", lambda x: (le(x.zeta, x.eta * x.mu), le(2 * x.zeta, x.alpha))),
    ),
    obeys=(
        condition("f is quasi-strongly convex", strong),
        condition(
            "E|L n_i|^2 <= omega |grad f_i(w) - L h_i|^2", lambda x: le(x.sq(x.L * x.n), x.omega * x.sq(difference(x)))
        ),
        condition("m E|q|^2 <= mean E|n_i|^2", lambda x: le(x.m * x.sq(x.q), x.mean(x.sq(x.n)))),
    ),
    quantities={
        "D": lambda x: x.sq(x.w - x.w_star), "H": lambda x: x.mean(x.sq(x.L * x.h - x.f.grad(x.w_star))),
        "e": lambda x: x.mean(x.f.value(x.w) - x.f.value(x.w_star)), "Q": lambda x: x.sq(x.L * x.q),
    },
)  # fmt: skip


def weight(x):
    """4 omega eta^2, of H where D has m alpha."""
    return 4 * x.omega * x.eta**2


@claim("shelf/diana-model", world=DIANA.one_step, expect="proved")
def diana_model(x):
    kept = (1 - x.eta * x.mu) * x.D - 2 * x.eta * (1 - x.eta * x.L) * x.e
    return le(x.m * x.alpha * x.next.D, x.m * x.alpha * (kept + x.eta**2 * x.Q))


@claim("shelf/diana-noise", world=DIANA.one_step, expect="proved")
def diana_noise(x):
    return le(x.m * x.alpha * x.eta**2 * x.Q, 2 * x.alpha * x.omega * x.eta**2 * (2 * x.L * x.e + x.H))


@claim("shelf/diana-memory", world=DIANA.one_step, expect="proved")
def diana_memory(x):
    return le(weight(x) * x.next.H, weight(x) * ((1 - x.alpha) * x.H + 2 * x.alpha * x.L * x.e))


@claim("shelf/diana-round", world=DIANA, by=(diana_model, diana_noise, diana_memory), expect="proved")
def diana_round(x, t):
    kept = x.m * x.alpha * (1 - x.eta * x.mu) * x.D[t] + (1 - x.alpha / 2) * weight(x) * x.H[t]
    return le(x.m * x.alpha * x.D[t + 1] + weight(x) * x.H[t + 1], kept)


@claim("shelf/diana-step", world=DIANA, by=(diana_round,), expect="proved")
def diana_step(x, t):
    kept = (1 - x.zeta) * (x.m * x.alpha * x.D[t] + weight(x) * x.H[t])
    return le(x.m * x.alpha * x.D[t + 1] + weight(x) * x.H[t + 1], kept)


@claim("shelf/diana", world=DIANA, by=(diana_step,), expect="proved")
def diana(x):
    kept = (1 - x.zeta) ** x.T * (x.m * x.alpha * x.D[0] + weight(x) * x.H[0])
    return le(x.m * x.alpha * x.D[x.T] + weight(x) * x.H[x.T], kept)


# MARINA: L g is what the server knows of the gradient, which is exact where all send it, with chance p


def moved(x):
    """w after a step."""
    return x.w - x.eta * x.L * x.g


def change(x):
    """grad f_i(w_{t+1}) - grad f_i(w_t)."""
    return x.f.grad(moved(x)) - x.f.grad(x.w)


def known(x, sign):
    """g after a step."""
    return x.g + x.mean_vec(change(x)) / x.L + sign * x.q if sign else x.mean_vec(x.f.grad(moved(x))) / x.L


MARINA = Run(
    Smooth("L"), at=("w", "g", "q"), fresh=("q",), L=L, eta=ETA, omega=OMEGA, p=between(0, 1, closed=False),
    outcomes=(0, 1, -1), chances=lambda x: (x.p, (1 - x.p) / 2, (1 - x.p) / 2),
    step={"w": lambda x: moved(x), "g": known},
    given=(
        condition(
            "eta L + (1 - p) omega eta^2 L^2/(p m) <= 1",
            lambda x: le(x.eta * x.L * x.p * x.m + (1 - x.p) * x.omega * x.eta**2 * x.L**2, x.p * x.m),
        ),
    ),
    obeys=(
        condition(
            "m E|L q|^2 <= omega mean |grad f_i(w_{t+1}) - grad f_i(w_t)|^2",
            lambda x: le(x.m * x.sq(x.L * x.q), x.omega * x.mean(x.sq(change(x)))),
        ),
    ),
    quantities={
        "e": lambda x: x.mean(x.f.value(x.w)), "s": lambda x: x.sq(gradient(x)), "M": lambda x: x.sq(x.L * x.g),
        "G": lambda x: x.sq(x.L * x.g - gradient(x)),
    },
)  # fmt: skip


@claim("shelf/marina-descent", world=MARINA.one_step, expect="proved")
def marina_descent(x):
    gained = x.s + (1 - x.eta * x.L) * x.M - x.G
    return le(2 * x.p * x.m * x.next.e, 2 * x.p * x.m * x.e - x.p * x.m * x.eta * gained)


@claim("shelf/marina-error", world=MARINA.one_step, expect="proved")
def marina_error(x):
    bound = x.m * x.G + x.omega * x.eta**2 * x.L**2 * x.M
    return le(x.eta * x.m * x.next.G, x.eta * (1 - x.p) * bound)


@claim("shelf/marina-step", world=MARINA, by=(marina_descent, marina_error), expect="proved")
def marina_step(x, t):
    left = 2 * x.p * x.m * x.e[t + 1] + x.m * x.eta * (x.G[t + 1] + x.p * x.s[t])
    return le(left, 2 * x.p * x.m * x.e[t] + x.m * x.eta * x.G[t])


@claim("shelf/marina", world=MARINA, by=(marina_step,), expect="proved")
def marina(x):
    left = 2 * x.p * x.m * x.e[x.T] + x.m * x.eta * (x.G[x.T] + x.p * x.sum(lambda t: x.s[t], x.T))
    return le(left, 2 * x.p * x.m * x.e[0] + x.m * x.eta * x.G[0])
