"""Where a bound that holds at every point is used at a point of its own for every term: Lemma 1 and step (9) of Lemma 2.

Assumption 2 bounds the mean over samples of |grad f~(w; xi) - grad f(w)|^2 at one w; Lemma 1 needs it at theta_tilde, which
solves the problem of the very sample xi. Assumption 3 bounds the mean over clients at one w; (9) uses it at theta_hat_i for
client i. The functions below are on the line, piecewise linear in their gradients, and concentrate their noise there.
"""

from typing import Any

from fedtheory import Control, claim, eq, le, lt
from fedtheory.theory.pfedme.section3 import delta_sq
from fedtheory.units import CURVATURE, GRADIENT, LENGTH
from problems import Scalars, between, condition, positive

# Five equally likely samples, w = 0 and k = lam + mu or lam - L. The gradients of the inner objectives h~ are k T with T
# below; they vanish at a, b, 0, -b, -a and their mean is k theta, so theta_hat = 0. T is odd up to the order of the samples.

PLACES: dict[str, Any] = {
    "b": positive(LENGTH),
    "gap": positive(LENGTH),
}
ORDER = condition("4 b/3 <= a", lambda x: le(x.b, 3 * x.gap))


def a(x):
    """The outer solution b + gap."""
    return x.b + x.gap


def early(x, theta):
    """T at theta > 0 for the three samples that are solved at 0, -b and -a."""
    near = x.minimum(5 * theta / 3, 5 * x.b / 3)
    far = x.minimum(5 * theta / 4, 5 * a(x) / 4)
    return x.maximum(x.maximum(near, far), theta)


def waiting(x, theta, place):
    """T at theta > 0 for the sample that is solved at `place`: zero before it."""
    return x.minimum(5 * x.maximum(theta - place, theta - theta), early(x, theta))


def largest_variance(x):
    """The largest variance of T over all theta, attained at b or at a."""
    return x.maximum(2 * x.b**2 / 3, a(x) ** 2 / 4)


def five_samples(x, most):
    """Mean, variance and monotonicity of T at theta and beyond it; `most` bounds the variance."""
    theta, beyond = x.theta, x.theta + x.more
    at_b, at_a, rest = waiting(x, theta, x.b), waiting(x, theta, a(x)), early(x, theta)
    return (
        eq(3 * rest + at_b + at_a, 5 * theta, "the mean is theta"),
        le((3 * rest**2 + at_b**2 + at_a**2) / 5 - theta**2, most, "variance"),
        le(rest, early(x, beyond), "monotone"),
        le(at_b, waiting(x, beyond, x.b), "monotone"),
        le(at_a, waiting(x, beyond, a(x)), "monotone"),
        eq(waiting(x, x.b, x.b), 0, "solved at b"),
        eq(waiting(x, a(x), a(x)), 0, "solved at a"),
    )


@claim(
    "pfedme/lemma1a@five-samples",
    world=Scalars(theta=positive(LENGTH), more=positive(LENGTH), **PLACES, given=(ORDER,)),
    control=Control(
        "at theta = b the variance is 2 b^2/3 and at theta = a it is a^2/4, so nine tenths of the larger is too little",
        lambda x: five_samples(x, 9 * largest_variance(x) / 10),
    ),
    note="The samples of lemma1a@squared: their mean is mu theta^2/2, their noise k (T - theta) has variance at most "
    "gamma_f^2 at every theta (Assumption 2), and h~ is convex. For theta < 0 exchange the samples with their mirror images.",
)
def five_samples_meet_the_assumptions(x):
    return five_samples(x, largest_variance(x))


def five_solutions(x, k, tenths=10):
    """`tenths` of the bound of Lemma 1 with nu squared; k T is tilted to (1 - tilt) k T + tilt k theta."""
    error_sq = 2 * (x.b**2 + a(x) ** 2) / 5
    gamma_f_sq = (1 - x.tilt) ** 2 * k**2 * largest_variance(x)
    return le(error_sq, tenths * delta_sq(k, gamma_f_sq, x.tilt * k * a(x)) / 10)


TILT: dict[str, Any] = {"tilt": between(0, 1, closed=False), "lam": positive(CURVATURE)}
HALF = "with b and a as far out as the variance allows the squared distance is 11/10 of the bound"


@claim(
    "pfedme/lemma1a@squared",
    world=Scalars(mu=positive(CURVATURE), **TILT, **PLACES, given=(ORDER,)),
    control=Control(HALF, lambda x: five_solutions(x, x.lam + x.mu, 9)),
    repair="pfedme/lemma1a~repaired",
    uses=("pfedme/lemma1a@five-samples",),
    note="Lemma 1 (a) with nu squared and f_i alone strongly convex, as Assumption 1(a) has it; |D| = 1. Every h~ is strongly "
    "convex (tilt), theta_tilde = a, b, 0, -b, -a meets (8) with nu = tilt (lam + mu) a.",
)
def lemma1a_squared(x):
    return five_solutions(x, x.lam + x.mu)


@claim(
    "pfedme/lemma1b@squared",
    world=Scalars(
        L=positive(CURVATURE), **TILT, **PLACES, given=(ORDER, condition("lam > L", lambda x: lt(x.L, x.lam)))
    ),
    control=Control(HALF, lambda x: five_solutions(x, x.lam - x.L, 9)),
    repair="pfedme/lemma1b~repaired",
    uses=("pfedme/lemma1a@five-samples",),
    note="Lemma 1 (b) with nu squared and f_i = -L/2 theta^2, the mean of the same five samples with k = lam - L.",
)
def lemma1b_squared(x):
    return five_solutions(x, x.lam - x.L)


# Three clients with gradients 3 g, -g (1 + psi), -g (2 - psi) and w = 0; psi is a tent of height p over theta_hat_2.

CLIENTS: dict[str, Any] = {
    "lam": positive(CURVATURE),
    "g": positive(GRADIENT),
    "p": between(0, 1, closed=False),
}
SLOPE = condition("L = lam/4 bounds the slopes", lambda x: le(x.p, (1 - x.p) / 4))


def theta_2(x):
    """theta_hat_2(0), the top of the tent."""
    return x.g * (1 + x.p) / x.lam


def psi(x, theta):
    """The tent; it vanishes from theta_hat_3(0) = 2 g/lam on."""
    away = x.maximum(theta - theta_2(x), theta_2(x) - theta)
    height = x.p - away * x.lam * x.p / (x.g * (1 - x.p))
    return x.maximum(height, height - height)


def three(x, theta):
    """The gradients of the three clients at theta."""
    return 3 * x.g, -x.g * (1 + psi(x, theta)), -x.g * (2 - psi(x, theta))


def three_clients(x, most):
    """Mean and diversity at theta, Lipschitz gradients, and the three stationarity conditions lam theta + grad = 0."""
    theta, other = x.ahead - x.behind, x.ahead
    change = psi(x, theta) - psi(x, other)
    return (
        eq(sum(three(x, theta)), 0, "grad f = 0"),
        le(sum(d**2 for d in three(x, theta)) / 3, most, "diversity"),
        le(x.g**2 * change**2, x.lam**2 / 16 * (theta - other) ** 2, "lam/4-Lipschitz"),
        eq(x.lam * theta_2(x) + three(x, theta_2(x))[1], 0, "theta_hat_2"),
        eq(2 * x.g + three(x, 2 * x.g / x.lam)[2], 0, "theta_hat_3"),
    )


@claim(
    "pfedme/eq9@three-clients",
    world=Scalars(ahead=positive(LENGTH), behind=positive(LENGTH), **CLIENTS, given=(SLOPE,)),
    control=Control(
        "far from the tent the diversity is 14 g^2/3",
        lambda x: three_clients(x, 9 * 14 * x.g**2 / 30),
    ),
    step=True,
    note="The clients of eq9@reason, with L = lam/4 < lam/(2 sqrt(2)): sigma_f^2 = 14 g^2/3 bounds their diversity at every "
    "theta (Assumption 3), the difference of ahead and behind. theta_hat_1 = -3 g/lam.",
)
def three_clients_meet_the_assumptions(x):
    return three_clients(x, 14 * x.g**2 / 3)


@claim(
    "pfedme/eq9@reason",
    world=Scalars(**CLIENTS, given=(SLOPE,)),
    control=Control(
        "without the tent the mean is sigma_f^2 itself",
        lambda x: le((9 + (1 + x.p) ** 2 + 4) / 3 * x.g**2, 9 * 14 * x.g**2 / 30),
    ),
    repair="pfedme/eq9",
    uses=("pfedme/eq9@three-clients",),
    step=True,
    note="The stated reason of (9): Assumption 3 for the mean over i of |grad f_i(theta_hat_i) - grad f(theta_hat_i)|^2, at "
    "another point for every client. (9) itself is true by another argument.",
)
def eq9_reason(x):
    own = three(x, -3 * x.g / x.lam)[0] ** 2 + three(x, theta_2(x))[1] ** 2 + three(x, 2 * x.g / x.lam)[2] ** 2
    return le(own / 3, 14 * x.g**2 / 3)
