"""Theorem 1: the gradient tells how far the personalised model will move (Section 4.3, proof in Appendix B)."""

from fractions import Fraction

from fedtheory import Control, claim, eq, le, lt
from fedtheory.units import CURVATURE, GRADIENT
from problems import Points, Scalars, Smooth, between, condition, positive
from problems.worlds.classes.curvature import Curvature

from .one_client import LEAST_EPS, least_eps, one_client, own, residual
from .worlds import flame_steps

POINTS = ("theta", "theta_next", "w_i")
NOT_TWICE = "a number that need not be 0 is not twice itself"


def both(x):
    """The gradients of L_i in theta_i at theta_i^{t+1} and at theta_i^t."""
    return residual(x, x.theta_next), residual(x, x.theta)


def slope(x):
    """<difference of the gradients of L_i, theta_i^{t+1} - theta_i^t>."""
    after, before = both(x)
    return x.dot(after - before, x.theta_next - x.theta)


def move_sq(x):
    """|theta_i^{t+1} - theta_i^t|^2."""
    return x.sq(x.theta_next - x.theta)


STRONG = condition("L_i is mu-strongly convex in theta_i, at the two points", lambda x: le(x.mu * move_sq(x), slope(x)))
NAMES = ("L", "lam", "alpha")
FREE = one_client(at=POINTS, names=NAMES)
BELOW = Curvature("smooth, with curvature at least -s", lower="-s", upper="L")
CONVEX_ENOUGH = (
    condition("s <= L", lambda x: le(x.s, x.L)),
    condition("s < lam", lambda x: lt(x.s, x.lam)),
)
LITERAL = one_client(
    at=("theta", "theta_next"), given=CONVEX_ENOUGH, f=BELOW, names=NAMES, s=positive(CURVATURE), kappa=between(0, Fraction(1, 10)),
)  # fmt: skip
RESIDUAL = (
    "Without 'approximately', with the eps << of the proof read as a hundredth: the residual of (13) is {}kappa times the "
    "gradient at theta_i^t, kappa < 1/10, for the w_i^t that makes it so, and eps its square."
)


def difference(x):
    """The difference of the gradients of L_i in theta_i at theta_i^{t+1} and theta_i^t, whatever w_i^t is."""
    return x.alpha * (x.f.grad(x.theta_next) - x.f.grad(x.theta) + x.lam * (x.theta_next - x.theta))


APPROXIMATELY = (
    "'Approximately bounded' is read as: up to the accuracy eps of (13), here for every t > 0 up to the factor 1 + t and "
    "(1 + 1/t) eps, so that (14) holds without them for eps = 0. The printed relation alone, with eps > 0, is"
)


def below(x, share=1):
    """2 alpha_i^2 (L^2 + lam^2) |theta_i^{t+1} - theta_i^t|^2."""
    return share * 2 * x.alpha**2 * (x.L**2 + x.lam**2) * move_sq(x)


def first(x, share):
    """The first inequality of (14) with errors, times 2 alpha_i^2 (L^2 + lam^2)."""
    _, before = both(x)
    return le(x.sq(before), share * ((1 + x.t) * below(x) + (1 + 1 / x.t) * least_eps(x)))


def second(x, share):
    """The second one, times mu^2."""
    _, before = both(x)
    return le(x.mu**2 * move_sq(x), share * ((1 + x.t) * x.sq(before) + (1 + 1 / x.t) * least_eps(x)))


@claim(
    "flame/eq14-a",
    world=one_client(at=POINTS, names=NAMES, t=positive()),
    control=Control("f with curvature L = lam attains it for an exact solution", share="9/10"),
    uses=("flame/eq31-c",),
    note=f"{APPROXIMATELY} flame/eq14-a@literal. {LEAST_EPS} Times the denominator of the left side. Needs no strong convexity.",
)
def eq14_a(x, share=1):
    return first(x, share)


@claim(
    "flame/eq14-a@literal",
    world=LITERAL,
    control=Control("nor does half of it", share="1/2"),
    repair="flame/eq14-a",
    note=RESIDUAL.format("") + " f with curvature L = lam leaves no room for any.",
)
def eq14_a_literal(x, share=1):
    return le(x.sq(difference(x)) / (1 - x.kappa) ** 2, below(x, share))


@claim(
    "flame/eq14-b",
    world=one_client(at=POINTS, given=(STRONG,), names=(*NAMES, "mu"), t=positive()),
    control=Control("f = 0 attains it with mu = alpha lam for an exact solution", share="9/10"),
    uses=("flame/eq32",),
    note=f"{APPROXIMATELY} flame/eq14-b@literal. {LEAST_EPS} Times mu^2.",
)
def eq14_b(x, share=1):
    return second(x, share)


@claim(
    "flame/eq14-b@literal",
    world=LITERAL,
    control=Control("nor does half of it", share="1/2"),
    repair="flame/eq14-b",
    note=RESIDUAL.format("minus ")
    + " mu = alpha_i (lam - s) for f with curvature at least -s; such an error makes the move longer.",
)
def eq14_b_literal(x, share=1):
    return le((x.alpha * (x.lam - x.s)) ** 2 * move_sq(x), share * x.sq(difference(x)) / (1 + x.kappa) ** 2)


@claim(
    "flame/thm1",
    world=one_client(at=POINTS, given=(STRONG,), names=(*NAMES, "mu"), t=positive()),
    control=Control("f = 0 attains the second one with mu = alpha lam for an exact solution", share="9/10"),
    uses=("flame/eq14-a", "flame/eq14-b"),
    note=f"{APPROXIMATELY} refuted on either side, flame/eq14-a@literal and flame/eq14-b@literal.",
)
def thm1(x, share=1):
    return first(x, share), second(x, share)


@claim("flame/eq31-a", world=FREE, control=Control(NOT_TWICE, times=2), step=True)
def eq31_a(x, times=1):
    after, before = both(x)
    bend = x.f.grad(x.theta_next) - x.f.grad(x.theta)
    parts = x.alpha * bend + x.alpha * x.lam * (x.theta_next - x.theta)
    return eq(x.sq(after - before), times * x.sq(parts))


@claim(
    "flame/eq31-b",
    world=FREE,
    control=Control("equal parts attain it", two="9/5"),
    uses=("flame/eq24",),
    step=True,
)
def eq31_b(x, two=2):
    bend, move = x.f.grad(x.theta_next) - x.f.grad(x.theta), x.theta_next - x.theta
    left = x.sq(x.alpha * bend + x.alpha * x.lam * move)
    return le(left, two * x.alpha**2 * (x.sq(bend) + x.lam**2 * x.sq(move)))


@claim("flame/eq31-c", world=FREE, control=Control("a quadratic of curvature L attains it", share="9/10"), step=True)
def eq31_c(x, share=1):
    bend = x.f.grad(x.theta_next) - x.f.grad(x.theta)
    return le(2 * x.alpha**2 * x.sq(bend) + 2 * x.alpha**2 * x.lam**2 * move_sq(x), below(x, share))


@claim(
    "flame/eq32",
    world=one_client(at=POINTS, given=(STRONG,), names=(*NAMES, "mu")),
    control=Control("f = 0 attains it with mu = alpha lam", share="9/10"),
    step=True,
    note="Times mu^2.",
)
def eq32(x, share=1):
    after, before = both(x)
    return le(x.mu**2 * move_sq(x), share * x.sq(after - before))


@claim(
    "flame/thm1-proof-s1-b",
    world=flame_steps(steps=(1,)),
    control=Control("nor is it below half of it", share="1/2"),
    repair="flame/eq14-a",
    step=True,
    note="Read as <=, the least that << can mean, for the selected clients. Nothing in Algorithm 1 relates eps_i^t to the gradient "
    "at theta_i^t, which may be 0: at the start, at a client whose model fits, or at a solution.",
)
def thm1_proof_s1_b(x, share=1):
    before = x.sq(x.alpha[..., None] * (x.f.grad(x.state.Theta) + x.lam * (x.state.Theta - x.state.W)))
    return le(x.xp.where(x.next.selected, x.eps, x.eps * 0), share * before)


SAMPLES = {"sizes": {"m": (1, 2, 3), "S": (1, 2)}, "alpha": between(0, 1, closed=False), **own("L", "lam")}


def batch_gradient(x, draw):
    """g_i of l24 on a minibatch; the clients of this world are the samples of one client."""
    return x.total_vec(x.f.grad(x.theta), over=draw) / x.S + x.lam * (x.theta - x.w_i)


def full_gradient(x):
    """The gradient of L_i in theta_i."""
    return x.alpha * (x.mean_vec(x.f.grad(x.theta)) + x.lam * (x.theta - x.w_i))


@claim(
    "flame/sec43-s1",
    world=Points(Smooth("L"), at=("theta", "w_i", "v"), **SAMPLES),
    control=Control("nor is it twice the gradient", times=2),
    repair="flame/sec43-s1~repaired",
    note="In the direction of any v, for minibatches of S of the m samples of one client without replacement. g_i of l24 lacks the "
    "weight alpha_i, so that E g_i is the gradient of L_i over alpha_i.",
)
def sec43_s1(x, times=1):
    return eq(x.E(lambda D: x.dot(batch_gradient(x, D), x.v)), times * x.dot(full_gradient(x), x.v))


@claim(
    "flame/sec43-s1~repaired",
    world=Points(Smooth("L"), at=("theta", "w_i", "v"), **SAMPLES),
    control=Control("nor is it twice the gradient", times=2),
    note="E[alpha_i g_i]. With equal weights the ranking of l25 is the same.",
)
def sec43_s1_repaired(x, times=1):
    return eq(x.E(lambda D: x.alpha * x.dot(batch_gradient(x, D), x.v)), times * x.dot(full_gradient(x), x.v))


TWO = Scalars(
    h_1=positive(CURVATURE), h_2=positive(CURVATURE), g_1=positive(GRADIENT), g_2=positive(GRADIENT), **own("lam"),
    given=(condition("g_1 >= g_2", lambda x: le(x.g_2, x.g_1)),),
)  # fmt: skip


@claim(
    "flame/rem-thm1-estimate@ranking",
    world=TWO,
    control=Control("nor as far as half of it", share="1/2"),
    repair="flame/thm1",
    note="The ranking of l25: of two clients with equal weights and exact solutions, that with the larger gradient need not move "
    "farther. On the line, f_i with curvature h_i and slope g_i at theta_i^t = w_i^t, which moves by g_i/(h_i + lam). (14) leaves "
    "the factor 2 alpha^2 (L^2 + lam^2)/mu^2 between the two; curvature decides within it.",
)
def rem_thm1_estimate_ranking(x, share=1):
    return le(share * x.g_2 / (x.h_2 + x.lam), x.g_1 / (x.h_1 + x.lam))
