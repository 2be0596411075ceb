"""Theorems for every number of steps, each from a lemma on one step: linear rates, sums of gradients, the smallest one, noise."""

from fedtheory import claim, le
from fedtheory.units import CURVATURE, GRADIENT, STEP
from problems import Lojasiewicz, Run, SmoothBoundedBelow, SmoothStronglyConvex, condition, positive

CONSTANTS = {
    "L": positive(CURVATURE),
    "eta": positive(STEP),
    "given": (condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1)),),
}


def gap(x):
    """f(w) - inf f."""
    return x.f.value(x.w) - x.f.infimum()


def descend(x):
    """A gradient step of one function."""
    return x.w - x.eta * x.f.grad(x.w)


def gradient_descent(f, every=(), **scalars):
    """Gradient descent on one function."""
    quantities = {"e": gap, "g": lambda x: x.sq(x.f.grad(x.w))}
    return Run(f, sizes={"m": (1,)}, step={"w": descend}, quantities=quantities, every=every, **CONSTANTS, **scalars)


# a Polyak-Lojasiewicz function: f(w_T) - inf f falls geometrically

PL = gradient_descent(Lojasiewicz("mu", "L"), mu=positive(CURVATURE))


@claim("theorems/pl-step", world=PL.one_step, expect="proved")
def pl_step(x):
    return le(x.next.e, (1 - x.eta * x.mu) * x.e)


@claim("theorems/pl", world=PL, by=(pl_step,), expect="proved")
def pl(x):
    return le(x.e[x.T], (1 - x.eta * x.mu) ** x.T * x.e[0])


# a smooth function that is not convex: the sum of the squared gradients, with e[T] on the left, and the smallest of them

SMOOTH = gradient_descent(SmoothBoundedBelow("L"))


@claim("theorems/descent", world=SMOOTH.one_step, expect="proved")
def descent(x):
    return le(x.next.e + x.eta / 2 * x.g, x.e)


@claim("theorems/sum", world=SMOOTH, by=(descent,), expect="proved")
def gradients(x):
    return le(x.e[x.T] + x.eta / 2 * x.sum(lambda t: x.g[t], x.T), x.e[0])


BELOW = condition("least^2 <= |grad f(w_t)|^2", lambda x, t: le(x.least**2, x.g[t]))  # a number below every one of them


@claim(
    "theorems/smallest",
    world=gradient_descent(SmoothBoundedBelow("L"), every=(BELOW,), least=positive(GRADIENT)),
    by=(descent,),
    expect="proved",
)
def smallest(x):
    return le(x.e[x.T] + x.eta / 2 * x.T * x.least**2, x.e[0])


# stochastic gradients of mean grad f and variance at most sigma^2: the error is +e or -e, and its square a quantity

SGD = Run(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", at=("w", "e"), fresh=("e",), outcomes=(1, -1),
    step={"w": lambda x, sign: x.w - x.eta * (x.mean_vec(x.f.grad(x.w)) + sign * x.e)},
    quantities={"D": lambda x: x.sq(x.w - x.w_star), "n": lambda x: x.sq(x.e)},
    every=(condition("E|e_t|^2 <= sigma^2", lambda x, t: le(x.n[t], x.sigma**2)),),
    sigma=positive(GRADIENT), mu=positive(CURVATURE), **CONSTANTS,
)  # fmt: skip


@claim("theorems/sgd-step", world=SGD.one_step, expect="proved")
def sgd_step(x):
    return le(x.next.D, (1 - x.eta * x.mu) * x.D + x.eta**2 * x.n)


@claim("theorems/sgd", world=SGD, by=(sgd_step,), expect="proved")
def neighbourhood(x):
    return le(x.D[x.T], (1 - x.eta * x.mu) ** x.T * x.D[0] + x.eta * x.sigma**2 / x.mu)
