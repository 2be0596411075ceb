"""Logarithms, limits, delays, tails by their moments and what else of earlier lists can be said."""

from fedtheory import claim, le
from fedtheory.limits import at_most, smallest, summable, tends_to
from problems import (
    Points,
    Run,
    Scalars,
    Smooth,
    SmoothBoundedBelow,
    SmoothConvex,
    at_least,
    between,
    condition,
    positive,
)  # fmt: skip

from .pair import ETA, SHORT, L, pair

# logarithms and exponentials


@pair("adagrad-logarithm", Scalars(a=positive(), S=positive()))
def adagrad_logarithm(x, s=1):
    """Ward, Wu, Bottou (2019): a/(S + a) is at most log(S + a) - log(S)."""
    return le(s * x.a / (x.S + x.a), x.log(x.S + x.a) - x.log(x.S))


@pair("number-of-rounds", Scalars(q=between(0, 1, closed=False)))
def number_of_rounds(x, s=1):
    """What turns a linear rate into a number of rounds: 1 - q is at most exp(-q)."""
    return le(s * (1 - x.q), x.exp(-x.q))


@pair("gibbs", Scalars(a=positive(), b=positive()))
def log_ratio(x, s=1):
    """Gibbs: log(a/b) >= 1 - b/a, by which Kullback-Leibler divergences are not negative."""
    return le(1 - x.b / x.a, (x.log(x.a) - x.log(x.b)) / s)


# limits: gradient descent, Polyak-Lojasiewicz or not

DESCENT = Run(
    SmoothBoundedBelow("L"), sizes={"m": (1,)}, given=(SHORT,), L=L, eta=ETA, step={"w": lambda x: x.w - x.eta * x.f.grad(x.w)},
    quantities={"e": lambda x: x.f.value(x.w) - x.f.infimum(), "g": lambda x: x.sq(x.f.grad(x.w))},
)  # fmt: skip


@pair("descent-step", DESCENT.one_step)
def descent_step(x, s=1):
    """Nesterov (2004), Section 1.2.3: a gradient step with eta <= 1/L gains half of eta |g|^2."""
    return le(s * (x.next.e + x.eta / 2 * x.g), x.e)


@pair("descent-every-T", DESCENT, by=(descent_step,))
def descent_every_T(x, s=1):
    """Nesterov (2004), Section 1.2.3: the sum of the squared gradients of T steps."""
    return le(s * (x.e[x.T] + x.eta / 2 * x.sum(lambda t: x.g[t], x.T)), x.e[0])


@claim("field/gradients-vanish", world=DESCENT, by=(descent_every_T,), expect="proved")
def gradients_vanish(x):
    """Nesterov (2004), Section 1.2.3: the gradients tend to zero, and the smallest one by time T as 1/T."""
    return summable(x.g, 2 * x.e[0] / x.eta), tends_to(x.g), at_most(smallest(x.g), 2 * x.e[0] / (x.eta * x.T))


@claim("field/gradients-vanish-false", world=DESCENT, by=(descent_every_T,), expect="refuted")
def values_vanish(x):
    """The false neighbour, no constant: that the values tend to the infimum."""
    return tends_to(x.e)


# delays: of one step as a distance, of a run whose steps are written out

DELAYED = Points(Smooth("L"), at=("w", "v"), L=L, eta=ETA, given=(SHORT,))


@pair("delayed-gradient", DELAYED, expect="certified")
def delayed_gradient(x, s=1):
    """Mania et al. (2017): a step along the gradient at an earlier v gains half of eta |g|^2, up to eta L^2/2 |w - v|^2."""
    after = x.f.value(x.w - x.eta * x.f.grad(x.v))
    return le(after + s * x.eta / 2 * x.sq(x.f.grad(x.w)), x.f.value(x.w) + x.eta * x.L**2 / 2 * x.sq(x.w - x.v))


HALF = condition("eta <= 1/(2 L)", lambda x: le(2 * x.eta * x.L, 1))
LATE = Run(
    SmoothBoundedBelow("L"), at=("w", "u"), sizes={"m": (1,)}, given=(HALF,), L=L, eta=ETA, start={"u": lambda x: x.w},
    step={"w": lambda x: x.w - x.eta * x.f.grad(x.u), "u": lambda x: x.w},
    quantities={
        "V": lambda x: x.f.value(x.w) - x.f.infimum() + x.eta * x.L**2 / 2 * x.sq(x.w - x.u),
        "g": lambda x: x.sq(x.f.grad(x.w)),
    },
)  # fmt: skip


@pair("late-step", LATE.one_step)
def late_step(x, s=1):
    """Stich, Karimireddy (2020), a delay of one: f - f* + eta L^2/2 |w - u|^2 falls by half of eta |g|^2."""
    return le(s * (x.next.V + x.eta / 2 * x.g), x.V)


@pair("late-every-T", LATE, by=(late_step,))
def late_every_T(x, s=1):
    """Stich, Karimireddy (2020), a delay of one: the sum of the squared gradients of T steps, for every T."""
    return le(s * (x.V[x.T] + x.eta / 2 * x.sum(lambda t: x.g[t], x.T)), x.V[0])


@pair("delay-of-steps", Points(None, at=(), clients_at=("g",), eta=ETA, sizes={"m": (1, 2, 3, 4)}))
def delay_of_steps(x, s=1):
    """Lian, Huang, Li, Liu (2015), asynchronous SGD: the squared length of m steps is at most m times the sum of their squares."""
    return le(s * x.sq(x.eta * x.total_vec(x.g)), x.eta**2 * x.m * x.total(x.sq(x.g)))


@pair(
    "delayed-descent",
    Points(SmoothConvex("L"), optimum_of="f", at=("w",), L=L, sizes={"m": (1,), "T": (1, 2)}),
    expect="certified",
)
def delayed_descent(x, s=1):
    """Arjevani, Shamir, Srebro (2020) have quadratics: with a constant delay of one, steps 1/(2 L) do not lead away from w*."""
    before = now = x.w
    for _ in range(x.T):
        before, now = now, now - x.f.grad(before) / (2 * x.L)
    return le(s * x.sq(now - x.w_star), x.sq(x.w - x.w_star))


# selection by scores: what is known of Krum's choice u, of n updates of which f are anybody's, is that its score is the least

CHOSEN = condition("|u - c|^2 is at most the sum of |v_j - v_i|^2, for every i", lambda x: le(
    x.sq(x.u - x.c), x.total(x.sq(x.v)) - 2 * x.dot(x.v, x.total_vec(x.v)) + x.m * x.sq(x.v)))  # fmt: skip
CORRECT = condition("|c - mean v|^2 is at most the sum of |v_i - mean v|^2, as c is a v_i",
                    lambda x: le(x.sq(x.c - x.mean_vec(x.v)), x.total(x.sq(x.v - x.mean_vec(x.v)))))  # fmt: skip


@pair("krum-choice", Points(None, at=("u", "c"), clients_at=("v",), given=(CHOSEN,)))
def krum_choice(x, s=1):
    """Blanchard et al. (2017), Krum: next to its choice u lies a correct c, within twice the sum of the squared deviations."""
    return le(s * x.sq(x.u - x.c), 2 * x.total(x.sq(x.v - x.mean_vec(x.v))))


@pair("krum-error", Points(None, at=("u", "c"), clients_at=("v",), given=(CHOSEN, CORRECT)), off="11/10")
def krum_error(x, s=1):
    """Blanchard et al. (2017), Krum: the squared error is at most 6 of these sums; (1 + sqrt(2))^2, that is 5.83, is best."""
    return le(s * x.sq(x.u - x.mean_vec(x.v)), 6 * x.total(x.sq(x.v - x.mean_vec(x.v))))


# tails by their moments


@pair("chebyshev-tail", Scalars(p=between(0, 1, closed=False), t=positive(), low=at_least(0), sigma=positive(), given=(
    condition("p of the squares are t^2 or more", lambda x: le(x.p * x.t**2 + (1 - x.p) * x.low**2, x.sigma**2)),)))  # fmt: skip
def chebyshev_tail(x, s=1):
    """Chebyshev: what has the variance sigma^2 is t or more away with a chance of at most sigma^2/t^2."""
    return le(s * x.p, x.sigma**2 / x.t**2)


@pair("third-moment", Points(None, at=(), clients_at=("v",), sizes={"m": (1, 2)}), expect="certified")
def moments(x, s=1):
    """Lyapunov: the second moment is at most the root of the product of the first and the third."""
    return le(s * x.mean(x.norm(x.v) ** 2) ** 2, x.mean(x.norm(x.v)) * x.mean(x.norm(x.v) ** 3))


# accumulated errors


@pair("strong-growth", Points(SmoothConvex("L"), optimum_of="f", L=L, rho=at_least(1), given=(
    condition("mean |grad f_i|^2 <= rho |grad f|^2",
              lambda x: le(x.mean(x.sq(x.f.grad(x.w))), x.rho * x.sq(x.mean_vec(x.f.grad(x.w))))),)))  # fmt: skip
def strong_growth(x, s=1):
    """Vaswani, Bach, Schmidt (2019): under strong growth stochastic gradients vanish with the gap."""
    gap = x.mean(x.f.value(x.w) - x.f.value(x.w_star))
    return le(s * x.mean(x.sq(x.f.grad(x.w))), 2 * x.rho * x.L * gap)
