"""Remarks of Section 3.1: the personalised model (3), the role of lambda, Per-FedAvg (5), bounded gradients."""

from fedtheory import Control, claim, eq, le, lt
from fedtheory.theory.pfedme.conditions import LAM_RHO
from fedtheory.theory.pfedme.section3 import linear_model, one_step, regularised
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from problems import Points, Scalars, Smooth, StronglyConvex, WeaklyConvex, condition, positive


def excess(x):
    """How much worse theta is in (3) than theta_hat, at the w for which theta_hat is stationary."""
    w = x.theta_hat + x.f.grad(x.theta_hat) / x.lam
    return regularised(x, x.theta, w) - regularised(x, x.theta_hat, w)


@claim(
    "pfedme/rem-prox-unique",
    world=Points(Smooth("L"), at=("theta_hat", "theta"), **symbols("lam", "L")),
    control=Control(
        "a flat client has excess lam/2 |theta - theta_hat|^2 and no more",
        lambda x: le(11 * x.lam / 20 * x.sq(x.theta - x.theta_hat), excess(x)),
    ),
    repair="pfedme/rem-prox-unique~repaired",
    note="Printed without a condition on lambda. A unique solution for every w makes every stationary point of (3) a "
    "minimiser; for an L-smooth client and lambda < L it need not be one.",
)
def rem_prox_unique(x):
    return le(0, excess(x))


@claim(
    "pfedme/rem-prox-unique~repaired",
    world=Points(WeaklyConvex("rho"), at=("theta_hat", "theta"), given=(LAM_RHO,), **symbols("lam", "rho")),
    control=Control(
        "a quadratic client of curvature -rho has exactly this excess, so a tenth more is too much", share="11/10"
    ),
    note="lambda > rho for clients with f_i + rho/2 |.|^2 convex: any lambda under Assumption 1(a), lambda > L under 1(b). "
    "The excess is positive at every other point.",
)
def rem_prox_unique_repaired(x, share=1):
    return le(share * (x.lam - x.rho) / 2 * x.sq(x.theta - x.theta_hat), excess(x))


@claim(
    "pfedme/rem-lambda-tradeoff@monotone",
    world=Points(
        WeaklyConvex("rho"),
        envelope="lam",
        given=(condition("lam - less > rho", lambda x: lt(x.rho, x.lam - x.less)),),
        **symbols("lam", "rho"),
        less=positive(CURVATURE),
    ),
    control=Control(
        "where the client is linear the distances are as 1/lam, and these can be as near as one likes", share="10/11"
    ),
    note="The mathematical core of the remark: a larger lambda keeps the personalised model nearer to w, a smaller one "
    "fits the client's own loss better.",
)
def rem_lambda_tradeoff_monotone(x, share=1):
    tight, loose = x.f.prox(x.w, x.lam), x.f.prox(x.w, x.lam - x.less)
    return (
        le(x.sq(tight - x.w), share * x.sq(loose - x.w), "nearer to w"),
        le(x.f.value(loose), x.f.value(tight), "smaller own loss"),
    )


@claim(
    "pfedme/eq5-b",
    world=Points(None, at=("w",), clients_at=("u", "theta"), alpha=positive(STEP)),
    control=Control(
        "a step of 2 alpha is not stationary, so the excess over it is not the squared distance from it", steps=2
    ),
    note="w - alpha grad f_i(w) is the minimiser, and the only one, exactly if every theta is worse by its squared distance "
    "from it over 2 alpha. grad f_i(w) = u/alpha is any vector.",
)
def eq5_b(x, steps=1):
    g = x.u / x.alpha
    best = one_step(x, x.w, steps * g)
    return eq(linear_model(x, x.theta, x.w, g) - linear_model(x, best, x.w, g), x.sq(x.theta - best) / (2 * x.alpha))


@claim(
    "pfedme/rem-perfedavg-first-order",
    world=Points(
        WeaklyConvex("rho"),
        envelope="lam",
        at=("w", "theta"),
        given=(LAM_RHO,),
        **symbols("lam", "rho"),
        alpha=positive(STEP),
    ),
    control=Control(
        "one gradient step with alpha = 1/lam is not the minimiser of (3) for a quadratic client",
        lambda x: le(regularised(x, x.w - x.f.grad(x.w) / x.lam, x.w), regularised(x, x.theta, x.w)),
    ),
    uses=("pfedme/eq5-b", "pfedme/rem-prox-unique~repaired"),
    note="Read as: the model of Per-FedAvg minimises the first-order expansion of f_i at w plus |theta - w|^2/(2 alpha), "
    "that of pFedMe minimises f_i itself plus lam/2 |theta - w|^2; lambda > rho, so that (3) has a solution.",
)
def rem_perfedavg_first_order(x):
    value, g = x.f.value(x.w), x.f.grad(x.w)
    step = one_step(x, x.w, g)
    return (
        le(value + linear_model(x, step, x.w, g), value + linear_model(x, x.theta, x.w, g), "Per-FedAvg"),
        le(regularised(x, x.f.prox(x.w, x.lam), x.w), regularised(x, x.theta, x.w), "pFedMe"),
    )


@claim(
    "pfedme/rem-perfedavg-hessian@quadratic",
    world=Scalars(
        up=positive(CURVATURE),
        down=positive(CURVATURE),
        s=positive(GRADIENT),
        w=positive(LENGTH),
        v=positive(LENGTH),
        alpha=positive(STEP),
    ),
    control=Control("without the Hessian the gradient at theta_i is not that of (4)", hessian=0),
    note="On the line, f_i(w) = h w^2/2 - s w with h = up - down: the derivative of (4), here its exact central difference "
    "over v, is (1 - alpha h) f_i'(theta_i), with the Hessian h, where pFedMe's grad F_i = lam (w - theta_hat_i) has none (6).",
)
def rem_perfedavg_hessian_quadratic(x, hessian=1):
    h = x.up - x.down

    def slope(w):
        return h * w - x.s

    def theta(w):
        return w - x.alpha * slope(w)

    def value(w):
        return h * w**2 / 2 - x.s * w

    difference = value(theta(x.w + x.v)) - value(theta(x.w - x.v))
    return eq(difference / (2 * x.v), (1 - hessian * x.alpha * h) * slope(theta(x.w)))


@claim(
    "pfedme/rem-bounded-gradient",
    world=Points(StronglyConvex("mu"), at=("w", "w_prime"), **symbols("mu")),
    control=Control("mu/2 |.|^2 at opposite points attains it, so a tenth more is too much", share="11/10"),
    uses=("pfedme/prop2b",),
    note="If |grad f_i| <= G everywhere, every two points are at most 2 G/mu apart by this inequality, and R^d is not bounded.",
)
def rem_bounded_gradient(x, share=1):
    norms = x.sq(x.f.grad(x.w)) + x.sq(x.f.grad(x.w_prime))
    return le(share * x.mu**2 * x.sq(x.w - x.w_prime), 2 * norms)
