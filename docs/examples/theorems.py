"""Theorems for every number of steps, each from a lemma on one step: linear rates, sums of gradients, the smallest one, noise."""

from fedtheory import claim, le, lemma, lt
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP, VALUE
from problems import (
    Lojasiewicz,
    Points,
    Sequences,
    SmoothBoundedBelow,
    SmoothStronglyConvex,
    at_least,
    condition,
    positive,
)

ETA, L, MU = positive(STEP), positive(CURVATURE), positive(CURVATURE)
SHORT = condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1))
ORDERED = condition("mu < L", lambda x: lt(x.mu, x.L))
ONE = {"m": (1,)}  # f is one function


def gap(x):
    """f(w) - inf f."""
    return x.f.value(x.w) - x.f.infimum()


def gradient(x):
    """|grad f(w)|^2."""
    return x.sq(x.f.grad(x.w))


def descend(x, of):
    """A quantity after a gradient step."""
    return of(x.at(w=x.w - x.eta * x.f.grad(x.w)))


# a Polyak-Lojasiewicz function: f(w_T) - inf f falls geometrically


@claim(
    "theorems/pl-step", world=Points(Lojasiewicz("mu", "L"), sizes=ONE, given=(SHORT,), mu=MU, L=L, eta=ETA), expect="proved"
)  # fmt: skip
def pl_step(x):
    return le(descend(x, gap), (1 - x.eta * x.mu) * gap(x))


PL = lemma(pl_step, lambda x, t: le(x.e[t + 1], (1 - x.eta * x.mu) * x.e[t]), meaning={"e": gap}, then=descend)
RATE = Sequences("T", sequences={"e": at_least(0, VALUE)}, every=(PL,), given=(SHORT, ORDERED), mu=MU, L=L, eta=ETA)


@claim("theorems/pl", world=RATE, expect="proved")
def pl(x):
    return le(x.e[x.T], (1 - x.eta * x.mu) ** x.T * x.e[0])


# a smooth function that is not convex: the sum of the squared gradients, with e[T] on the left, and the smallest of them


@claim(
    "theorems/descent", world=Points(SmoothBoundedBelow("L"), sizes=ONE, given=(SHORT,), L=L, eta=ETA), expect="proved"
)  # fmt: skip
def descent(x):
    return le(descend(x, gap) + x.eta / 2 * gradient(x), gap(x))


DESCENT = lemma(
    descent, lambda x, t: le(x.e[t + 1] + x.eta / 2 * x.g[t], x.e[t]), meaning={"e": gap, "g": gradient}, then=descend
)
ROWS = {"e": at_least(0, VALUE), "g": at_least(0, GRADIENT**2)}
SMALLEST = condition(
    "least^2 <= |grad f(w_t)|^2", lambda x, t: le(x.least**2, x.g[t])
)  # a scalar below every one of them


@claim(
    "theorems/sum", world=Sequences("T", sequences=ROWS, every=(DESCENT,), given=(SHORT,), L=L, eta=ETA), expect="proved"
)  # fmt: skip
def gradients(x):
    return le(x.e[x.T] + x.eta / 2 * x.sum(lambda t: x.g[t], x.T), x.e[0])


@claim(
    "theorems/smallest",
    world=Sequences(
        "T", sequences=ROWS, every=(DESCENT, SMALLEST), given=(SHORT,), least=positive(GRADIENT), L=L, eta=ETA
    ),
    expect="proved",
)
def smallest(x):
    return le(x.e[x.T] + x.eta / 2 * x.T * x.least**2, x.e[0])


# stochastic gradients of mean grad f and variance at most sigma^2: the error is +e or -e, and its square a quantity


def away(x):
    """|w - w*|^2."""
    return x.sq(x.w - x.w_star)


def noise(x):
    """|e|^2."""
    return x.sq(x.e)


def sgd(x, of):
    """The mean of a quantity after a step with either error."""
    one, other = (of(x.at(w=x.w - x.eta * (x.mean_vec(x.f.grad(x.w)) + sign * x.e))) for sign in (1, -1))
    return (one + other) / 2


NOISY = Points(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", at=("w", "e"), given=(SHORT,), mu=MU, L=L, eta=ETA
)  # fmt: skip


@claim("theorems/sgd-step", world=NOISY, expect="proved")
def sgd_step(x):
    return le(sgd(x, away), (1 - x.eta * x.mu) * away(x) + x.eta**2 * noise(x))


SGD = lemma(
    sgd_step,
    lambda x, t: le(x.D[t + 1], (1 - x.eta * x.mu) * x.D[t] + x.eta**2 * x.n[t]),
    meaning={"D": away, "n": noise},
    then=sgd,
)
BOUNDED = condition("E|e_t|^2 <= sigma^2", lambda x, t: le(x.n[t], x.sigma**2))
NEIGHBOURHOOD = Sequences(
    "T", sequences={"D": at_least(0, LENGTH**2), "n": at_least(0, GRADIENT**2)}, every=(SGD, BOUNDED),
    given=(SHORT, ORDERED), mu=MU, L=L, eta=ETA, sigma=positive(GRADIENT),
)  # fmt: skip


@claim("theorems/sgd", world=NEIGHBOURHOOD, expect="proved")
def neighbourhood(x):
    return le(x.D[x.T], (1 - x.eta * x.mu) ** x.T * x.D[0] + x.eta * x.sigma**2 / x.mu)
