"""The problems (5) to (7), the steps (9) to (12) of ADMM, and how many gradient steps (13) takes (Sections 4.1 and 4.2)."""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.flame.constants import own_lagrangian
from fedtheory.theory.flame.symbols import symbols
from fedtheory.units import CURVATURE, GRADIENT, LENGTH
from problems import Points, Scalars, SmoothStronglyConvex, at_least, condition, positive
from problems.worlds.derived import DerivedScalars, formula

from .one_client import ONE, TERMWISE, one_client, own, residual
from .section3 import CLASS, LAM_WEAK, PAIR, TWO_LAMBDAS, WEAK

CLIENT = Points(WEAK, envelope="lam", at=PAIR, given=(LAM_WEAK,), sizes=ONE, **own("lam", "weak", "alpha"))


def relaxed(x, theta, w):
    """A client's summand of (6). Unit E."""
    return x.alpha * (x.f.value(theta) + x.lam / 2 * x.sq(theta - w))


@claim(
    "flame/rem-lambda-tradeoff@monotone",
    world=TWO_LAMBDAS,
    control=Control("where the client is linear the distances are as 1/lam, as near as one likes", share="10/11"),
    note="The mathematical core of the remark: a larger lambda keeps the personalised model nearer to w, a smaller one fits the "
    f"client's own loss better. {CLASS}",
)
def rem_lambda_tradeoff_monotone(x, share=1):
    tight, loose = x.f.prox(x.w, x.lam), x.f.prox(x.w, x.lam - x.less)
    return (
        le(x.sq(tight - x.w), share * x.sq(loose - x.w), "nearer to w"),
        le(x.f.value(loose), x.f.value(tight), "smaller own loss"),
    )


NEAREST = condition(
    "theta minimises f + lam/2 |. - w|^2, as (5) has it",
    lambda x: le(x.f.value(x.theta) + x.lam / 2 * x.sq(x.theta - x.w), x.f.value(x.v) + x.lam / 2 * x.sq(x.v - x.w)),
)
ANY_LAM = Points(WEAK, at=("theta", "v", "w"), given=(NEAREST,), sizes=ONE, **own("lam", "weak", "alpha"))


@claim(
    "flame/rem-lambda-limits",
    world=ANY_LAM,
    control=Control("a linear f has |theta_hat - w| = |grad f(w)|/lam", share="9/10"),
    note="f(theta) <= f(v) + lam/2 |v - w|^2 for every v and lam, so that as lam tends to 0 theta fits the own loss alone, "
    "whatever w is. For lam = weak + lam', |theta_hat(w) - w| is at most |grad f(w)|/lam', which tends to 0 as lam' grows, so that "
    f"theta is w. {CLASS}",
)
def rem_lambda_limits(x, share=1):
    best = x.f.prox(x.w, x.weak + x.lam)
    return (
        le(x.f.value(x.theta), x.f.value(x.v) + x.lam / 2 * x.sq(x.v - x.w), "no FL"),
        le(x.sq(best - x.w), share * x.sq(x.f.grad(x.w)) / x.lam**2, "no PFL"),
    )


@claim(
    "flame/rem-eq6-lower",
    world=ANY_LAM,
    control=Control("nor is there more room", more=2),
    note="At every w the theta_i of (5) give (6) a value that is no larger than what any v gives (5), so that the minimum of (6) "
    f"is at most that of (5); it is no less either, flame/rem-eq6-lower@equal. For every lam. {TERMWISE} {CLASS}",
)
def rem_eq6_lower(x, more=1):
    above = (more - 1) * x.alpha * x.lam / 2 * x.sq(x.w - x.theta)
    return le(relaxed(x, x.theta, x.w) + above, x.alpha * (x.f.value(x.v) + x.lam / 2 * x.sq(x.v - x.w)))


@claim(
    "flame/rem-eq6-lower@equal",
    world=CLIENT,
    control=Control("nor are they apart by the distance of theta from theta_hat", more=2),
    note="No theta_i give (6) a smaller value than (5) has: the two minima are equal, and (6) relaxes nothing.",
)
def rem_eq6_lower_equal(x, more=1):
    best = x.f.prox(x.w, x.lam)
    above = (more - 1) * x.alpha * x.lam * x.sq(x.v - best)
    return le(x.alpha * x.F.value(x.w) + above, relaxed(x, x.v, x.w))


def separable(x, theta, w_i):
    """A client's summand of (7). Unit E."""
    return x.alpha * (x.f.value(theta) + x.lam / 2 * x.sq(theta - w_i))


@claim(
    "flame/rem-eq7-equivalent",
    world=one_client(at=("theta", "w"), names=("L", "lam", "alpha")),
    control=Control("(7) adds the clients up once, not twice", times=2),
    note=f"The feasible points of (7) are those of (6) with w_i = w, and there the objectives agree. {TERMWISE}",
)
def rem_eq7_equivalent(x, times=1):
    return eq(times * separable(x, x.theta, x.w), relaxed(x, x.theta, x.w))


@claim(
    "flame/eq10-b",
    world=one_client(at=("theta", "w_i", "w", "p")),
    control=Control("pi_i is subtracted, not added", sign=-1),
    note="No other w_i has a smaller L_i(theta_i^{t+1}, w_i, pi_i^t, w^t); pi_i = rho p.",
)
def eq10_b(x, sign=1):
    a, Pi = x.lam * x.alpha, x.rho * x.p
    best = (a * x.theta + x.rho * x.w - sign * Pi) / (a + x.rho)
    excess = own_lagrangian(x, x.theta, x.w_i, Pi, x.w) - own_lagrangian(x, x.theta, best, Pi, x.w)
    return le((a + x.rho) / 2 * x.sq(x.w_i - best), excess)


@claim(
    "flame/eq12-b",
    world=Points(None, at=("w",), clients_at=("W", "P"), **symbols("rho")),
    control=Control("pi_i moves w towards w_i + pi_i/rho, not away from it", sign=-1),
    note="No other w has a smaller L(Theta^{t+1}, W^{t+1}, w, Pi^{t+1}); what depends on w is <pi_i, w_i - w> + rho/2 |w_i - w|^2, "
    "with pi_i = rho P_i.",
)
def eq12_b(x, sign=1):
    Pi = x.rho * x.P
    best = x.mean_vec(x.W + sign * Pi / x.rho)

    def part(w):
        return x.mean(x.dot(Pi, x.W - w) + x.rho / 2 * x.sq(x.W - w))

    return le(part(best) + x.rho / 2 * x.sq(x.w - best), part(x.w))


@claim(
    "flame/eq13-a",
    world=one_client(at=("theta", "v", "w_i", "w", "p")),
    control=Control("half of the gradient leaves a linear remainder", share="1/2"),
    note="By the definition of a derivative: what this vector leaves of L_i(v, ...) - L_i(theta, ...) is at most "
    "alpha_i (L + lam)/2 |v - theta|^2. For any pi_i^t = rho p. A bracket is missing in print.",
)
def eq13_a(x, share=1):
    Pi, move = x.rho * x.p, x.v - x.theta
    gain = own_lagrangian(x, x.v, x.w_i, Pi, x.w) - own_lagrangian(x, x.theta, x.w_i, Pi, x.w)
    rest = gain - share * x.dot(residual(x, x.theta), move)
    bound = x.alpha * (x.L + x.lam) / 2 * x.sq(move)
    return le(rest, bound, "from above"), le(-rest, bound, "from below")


# (9) divided by alpha_i has the objective f_i + lam/2 |. - w_i|^2 with curvatures mu to nu mu; d is the diameter

SEARCH_SPACE = {"mu_0": positive(CURVATURE), "d": positive(LENGTH), "eps": positive(GRADIENT**2), "alpha": positive()}
LARGE_CURVATURE = {"mu": formula("10^70 mu_0", lambda x: x.ratio(10**70, 1) * x.mu_0)}
TWICE = condition("d >= 2 eps", lambda x: le(2 * x.eps, x.d))


@claim(
    "flame/rem-inner-iterations",
    world=DerivedScalars(LARGE_CURVATURE, given=(TWICE,), sizes={"nu": (2, 10, 100)}, **SEARCH_SPACE),
    control=Control("no step at all leaves half of (alpha mu d)^2", steps=0),
    repair="flame/rem-inner-iterations~repaired",
    note="H = 100 nu log(d/eps), for d >= 2 eps. A quadratic with the curvatures mu and nu mu and equal parts of both: with any "
    "fixed step one of them shrinks by (nu - 1)/(nu + 1) a step at most. log(d/eps), of a quantity with a unit, knows nothing of "
    "the size of the gradient, alpha mu d at the start: no constant serves all problems. For one problem and eps small enough it "
    "is true, flame/rem-inner-iterations@small-eps.",
)
def rem_inner_iterations(x, steps=100):
    nu = x.ratio(x.nu, 1)
    left_sq = (x.alpha * x.mu * x.d) ** 2 / 2
    return le(left_sq * x.exp(2 * steps * nu * x.log(x.d / x.eps) * x.log((nu - 1) / (nu + 1))), x.eps)


COUNT = {"surplus": positive(), "ell": at_least(0)}
SURPLUS = "nu = 1 + surplus, the curvatures at most L_i = alpha_i (L + lam), the distance from the solution at most d."


def left_over(x, H):
    """(1 - 1/nu)^{2 H}, what H steps leave of a square, for nu = 1 + surplus."""
    return x.exp(2 * H * x.log(x.surplus / (1 + x.surplus)))


@claim(
    "flame/rem-inner-iterations@small-eps",
    world=Scalars(
        **COUNT, scaled=positive(), given=(condition("L_i^2 eps <= 1", lambda x: le(x.scaled, 1)),),
    ),
    control=Control("a tenth of the steps leaves too much where nu is large", share="1/10"),
    note=f"H = nu log(d/eps), with the constant 1, as soon as eps is below d and 1/L_i^2 (numbers in units of one's own). "
    f"{SURPLUS} By flame/rem-inner-iterations~repaired H steps leave L_i^2 d^2 (1 - 1/nu)^{{2 H}}, here over d^2/eps; `ell` is "
    "log(d/eps) and `scaled` L_i^2 eps.",
)  # fmt: skip
def rem_inner_iterations_small_eps(x, share=1):
    return le(x.scaled * left_over(x, share * (1 + x.surplus) * x.ell), x.exp(-2 * x.ell))


@claim(
    "flame/rem-inner-iterations~repaired",
    world=Points(SmoothStronglyConvex("mu", "L"), optimum_of="f", sizes={**ONE, "d": (1, 2)}, **own("mu", "L")),
    control=Control("a quadratic of curvature mu contracts by exactly 1 - 1/nu a step", share="9/10"),
    uses=("flame/rem-inner-iterations@count",),
    note="H = nu/2 log(L_i^2 d^2/eps), with a logarithm of a number without a unit. The client of this world is the objective "
    "of (9), with curvatures from mu to L (L_i in the other rows): a step contracts by 1 - mu/L, and |grad|^2 <= L^2 d^2.",
)
def rem_inner_iterations_repaired(x, share=1):
    g, contraction = x.f.grad(x.w), share * (1 - x.mu / x.L)
    return (
        le(x.sq(x.w - g / x.L - x.w_star), contraction**2 * x.sq(x.w - x.w_star), "one step"),
        le(x.sq(g), x.L**2 * x.sq(x.w - x.w_star), "gradient"),
    )


@claim(
    "flame/rem-inner-iterations@count",
    world=Scalars(**COUNT),
    control=Control("(1 - 1/nu)^nu comes as near to 1/e as one likes, so half the steps leave too much", share="1/2"),
    note=f"H = nu/2 log(L_i^2 d^2/eps) steps meet (13). {SURPLUS} Both sides over L_i^2 d^2; `ell` is log(L_i^2 d^2/eps).",
)
def rem_inner_iterations_count(x, share=1):
    return le(left_over(x, share * (1 + x.surplus) / 2 * x.ell), x.exp(-x.ell))
