"""Where a bound that holds at every point is used at a point of its own for every term: Lemma 1 and step (9) of Lemma 2.

Assumption 2 bounds the mean over samples of |grad f~(w; xi) - grad f(w)|^2 at one w; Lemma 1 needs it at theta_tilde, which
solves the problem of the very sample xi. Assumption 3 bounds the mean over clients at one w; (9) uses it at theta_hat_i for
client i. The functions below are on the line, piecewise linear in their gradients, and concentrate their noise there.
"""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.pfedme.conditions import LAM_L
from fedtheory.theory.pfedme.section3 import delta_sq, delta_sq_printed
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import GRADIENT, LENGTH
from problems import Scalars, between, condition, positive

# Five equally likely samples, w = 0 and k = lam + mu or lam - L. The gradients of the inner objectives h~ are k T with T
# below; they vanish at a, b, 0, -b, -a and their mean is k theta, so theta_hat = 0. T is odd up to the order of the samples.

PLACES = {"b": positive(LENGTH), "gap": positive(LENGTH)}
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
    return x.minimum(5 * x.maximum(theta - place, 0), early(x, theta))


def largest_variance(x):
    """The largest variance of T over all theta, attained at b or at a."""
    return x.maximum(2 * x.b**2 / 3, a(x) ** 2 / 4)


@claim(
    "pfedme/lemma1a@five-samples",
    world=Scalars(theta=positive(LENGTH), more=positive(LENGTH), **PLACES, given=(ORDER,)),
    control=Control(
        "at theta = b the variance is 2 b^2/3 and at theta = a it is a^2/4, so nine tenths of the larger is too little",
        share="9/10",
    ),
    note="The samples of lemma1a@squared: their mean is mu theta^2/2, their noise k (T - theta) has variance at most "
    "gamma_f^2 at every theta (Assumption 2), and h~ is convex. For theta < 0 exchange the samples with their mirror images.",
)
def five_samples_meet_the_assumptions(x, share=1):
    theta, beyond = x.theta, x.theta + x.more
    at_b, at_a, rest = waiting(x, theta, x.b), waiting(x, theta, a(x)), early(x, theta)
    variance = (3 * rest**2 + at_b**2 + at_a**2) / 5 - theta**2
    return (
        eq(3 * rest + at_b + at_a, 5 * theta, "the mean is theta"),
        le(variance, share * largest_variance(x), "variance"),
        le(rest, early(x, beyond), "monotone"),
        le(at_b, waiting(x, beyond, x.b), "monotone"),
        le(at_a, waiting(x, beyond, a(x)), "monotone"),
        eq(waiting(x, x.b, x.b), 0, "solved at b"),
        eq(waiting(x, a(x), a(x)), 0, "solved at a"),
    )


TILTED = {"tilt": between(0, 1, closed=False), **symbols("lam"), **PLACES}
NINE_TENTHS = Control(
    "with b and a as far out as the variance allows the squared distance is 11/10 of the bound", share="9/10"
)


def five_solutions(x, k, share):
    """A share of the bound of Lemma 1 with nu squared, for both cases; k T is tilted to (1 - tilt) k T + tilt k theta."""
    error_sq = 2 * (x.b**2 + a(x) ** 2) / 5
    gamma_f_sq = (1 - x.tilt) ** 2 * k**2 * largest_variance(x)
    return le(error_sq, share * delta_sq(k, gamma_f_sq, x.tilt * k * a(x)))


@claim(
    "pfedme/lemma1a@squared",
    world=Scalars(**symbols("mu"), **TILTED, given=(ORDER,)),
    control=NINE_TENTHS,
    repair="pfedme/lemma1a~repaired",
    uses=("pfedme/lemma1a@five-samples",),
    note="Lemma 1 (a) with nu squared and f_i alone strongly convex, as Assumption 1(a) has it; |D| = 1. Every h~ is strongly "
    "convex (tilt), theta_tilde = a, b, 0, -b, -a meets (8) with nu = tilt (lam + mu) a.",
)
def lemma1a_squared(x, share=1):
    return five_solutions(x, x.lam + x.mu, share)


@claim(
    "pfedme/lemma1a-proof-s4-b@own-minibatch",
    world=Scalars(
        **symbols("mu", "nu"),
        **TILTED,
        given=(ORDER, condition("|grad h_i| <= nu", lambda x: le(x.tilt * (x.lam + x.mu) * a(x), x.nu), "(8)")),
    ),
    control=Control(
        "with b and a as far out as the variance allows the noise is twice gamma_f^2, so nine tenths of it are too little",
        share="9/10",
    ),
    repair="pfedme/lemma1a-proof-s4-b",
    uses=("pfedme/lemma1a@five-samples",),
    step=True,
    note="At theta_tilde(D), the model that the sample itself made, as Lemma 1 and row lemma1a-proof-s4-a need it; |D| = 1. The "
    "samples are those of lemma1a@squared, with f_i alone strongly convex: their noise at a, b, 0, -b, -a is up to twice "
    "gamma_f^2.",
)
def lemma1a_s4b_own_minibatch(x, share=1):
    k, variance = x.lam + x.mu, (1 - x.tilt) ** 2 * (x.lam + x.mu) ** 2
    own = variance * 2 * (x.b**2 + a(x) ** 2) / 5
    return le(delta_sq_printed(k, own, x.nu), delta_sq_printed(k, share * variance * largest_variance(x), x.nu))


@claim(
    "pfedme/lemma1b@squared",
    world=Scalars(**symbols("L"), **TILTED, given=(ORDER, LAM_L)),
    control=NINE_TENTHS,
    repair="pfedme/lemma1b~repaired",
    uses=("pfedme/lemma1a@five-samples",),
    note="Lemma 1 (b) with nu squared and f_i = -L/2 theta^2, the mean of the same five samples with k = lam - L.",
)
def lemma1b_squared(x, share=1):
    return five_solutions(x, x.lam - x.L, share)


# Three clients with gradients 3 g, -g (1 + psi), -g (2 - psi) and w = 0; psi is a tent of height p over theta_hat_2. They are
# smooth with L = lam/4 < lam/(2 sqrt(2)), and sigma_f^2 = 14 g^2/3 bounds their diversity (Assumption 3).

TENT = {**symbols("lam"), "g": positive(GRADIENT), "p": between(0, 1, closed=False)}
SLOPE = condition("L = lam/4 bounds the slopes", lambda x: le(x.p, (1 - x.p) / 4))


def theta_1(x):
    """theta_hat_1(0)."""
    return -3 * x.g / x.lam


def theta_2(x):
    """theta_hat_2(0), the top of the tent."""
    return x.g * (1 + x.p) / x.lam


def theta_3(x):
    """theta_hat_3(0), from where on the tent is zero."""
    return 2 * x.g / x.lam


def psi(x, theta):
    """The tent."""
    away = x.maximum(theta - theta_2(x), theta_2(x) - theta)
    return x.maximum(x.p - away * x.lam * x.p / (x.g * (1 - x.p)), 0)


def gradients(x, theta):
    """The gradients of the three clients at theta."""
    return 3 * x.g, -x.g * (1 + psi(x, theta)), -x.g * (2 - psi(x, theta))


@claim(
    "pfedme/eq9@three-clients",
    world=Scalars(ahead=positive(LENGTH), behind=positive(LENGTH), **TENT, given=(SLOPE,)),
    control=Control("far from the tent the diversity is 14 g^2/3", share="9/10"),
    step=True,
    note="The clients of eq9@reason at any theta, the difference of ahead and behind.",
)
def three_clients_meet_the_assumptions(x, share=1):
    theta, other = x.ahead - x.behind, x.ahead
    change = psi(x, theta) - psi(x, other)
    return (
        eq(sum(gradients(x, theta)), 0, "grad f = 0"),
        le(sum(d**2 for d in gradients(x, theta)) / 3, share * 14 * x.g**2 / 3, "diversity"),
        le(x.g**2 * change**2, x.lam**2 / 16 * (theta - other) ** 2, "lam/4-Lipschitz"),
        eq(x.lam * theta_2(x) + gradients(x, theta_2(x))[1], 0, "theta_hat_2"),
        eq(x.lam * theta_3(x) + gradients(x, theta_3(x))[2], 0, "theta_hat_3"),
    )


@claim(
    "pfedme/eq9@reason",
    world=Scalars(**TENT, given=(SLOPE,)),
    control=Control("without the tent the mean is sigma_f^2 itself", share="9/10"),
    repair="pfedme/eq9",
    uses=("pfedme/eq9@three-clients",),
    step=True,
    note="The stated reason of (9): Assumption 3 for the mean over i of |grad f_i(theta_hat_i) - grad f(theta_hat_i)|^2, at "
    "another point for every client. (9) itself is true by another argument.",
)
def eq9_reason(x, share=1):
    own = [gradients(x, theta(x))[i] for i, theta in enumerate((theta_1, theta_2, theta_3))]
    return le(sum(g**2 for g in own) / 3, share * 14 * x.g**2 / 3)
