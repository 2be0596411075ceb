"""What makes the residuals of (4.1) small at k in K, for every number of clients and every selection (Sections 7.4 and 7.5).

w = w^{tau_{k+1}}, with pi_i^k = scale (v_i - (mean of the v_i)) - sigma_i (w_i^k - w) for any vectors v_i: these are all
states with (7.5), which is (3.3) with (3.7). What a client takes for w_i^{k+1} and pi_i^{k+1} may be anything, so that it is
what (3.5) and (3.6) give if it is selected, and what it had if it is not. Each client has its own r_i, sigma_i and alpha_i.
"""

from fedtheory import Control, claim, le, use
from fedtheory.units import CURVATURE
from problems import Points, Run, Smooth, positive

from ..controls import EQUAL_PARTS
from ..iterations import EVERY_CLIENT, OF_ALL, beside, gradient, phi, states
from ..one_client import ONE, own
from ..section7 import eq7_3_c

OF_ONE = own("r", "sigma", "alpha")
STATE = ("W", "v", "W_next", "turned")


def dual(x):
    """pi_i^k, the sum of which is that of -sigma_i (w_i^k - w)."""
    return x.scale * (x.v - x.mean_vec(x.v)) - beside(x.sigma) * (x.W - x.w)


def turn(x):
    """pi_i^{k+1} - pi_i^k."""
    return x.scale * x.turned


def away(x):
    """sigma_i (w_i^{k+1} - w)."""
    return beside(x.sigma) * (x.W_next - x.w)


def move(x):
    """sigma_i (w_i^{k+1} - w_i^k)."""
    return beside(x.sigma) * (x.W_next - x.W)


def dual_next(x):
    """pi_i^{k+1}."""
    return dual(x) + turn(x)


def parts(x):
    """|pi_i^{k+1} - pi_i^k|^2 + sigma_i^2 |w_i^{k+1} - w_i^k|^2 + sigma_i^2 |w_i^{k+1} - w|^2."""
    return x.sq(turn(x)) + x.sq(move(x)) + x.sq(away(x))


def accuracy_next(x):
    """phi_i^{k+1}."""
    return gradient(x, x.W_next) + dual_next(x)


def slope(x):
    """alpha_i (grad f_i(w) - grad f_i(w_i^{k+1})) + sigma_i (w_i^{k+1} - w)."""
    return bend(x, x.W_next) + away(x)


def bend(x, u):
    """alpha_i (grad f_i(w) - grad f_i(u))."""
    return gradient(x, x.w) - gradient(x, u)


def away_weighed(x):
    """(alpha_i r_i + sigma_i)^2 |w_i^{k+1} - w|^2."""
    return (x.alpha * x.r + x.sigma) ** 2 * x.sq(x.W_next - x.w)


IN_K = Run(
    Smooth("r"), at=("w",), clients_at=STATE, fresh=("w", *STATE), step={},
    index="K", sizes={"m": (1, 2, 3), "d": (1, 2)}, scale=positive(CURVATURE),
    **{name: OF_ALL[name] for name in ("r", "sigma", "alpha")},
    quantities={
        "sum_pi": lambda x: x.sq(x.total_vec(dual_next(x))),
        "each": lambda x: x.total(x.sq(turn(x) + move(x) - away(x))),
        "parts": lambda x: x.total(parts(x)),
        "grad": lambda x: x.sq(x.total_vec(gradient(x, x.w))),
        "pieces": lambda x: x.total(x.sq(accuracy_next(x) - turn(x) - move(x) + slope(x))),
        "phi": lambda x: x.total(x.sq(accuracy_next(x))),
        "turns": lambda x: x.total(x.sq(turn(x))),
        "moves": lambda x: x.total(x.sq(move(x))),
        "slopes": lambda x: x.total(x.sq(slope(x))),
        "aways": lambda x: x.total(away_weighed(x)),
        "bends": lambda x: x.total(x.sq(bend(x, x.W_next))),
        "along": lambda x: x.total(2 * x.dot(away(x), bend(x, x.W_next))),
        "bent": lambda x: x.total((x.alpha * x.r) ** 2 * x.sq(x.W_next - x.w)),
        "mixed": lambda x: x.total(2 * x.sigma * x.alpha * x.r * x.sq(x.W_next - x.w)),
    },
)  # fmt: skip


@claim(
    "fedadmm/thm4.2a@three",
    world=Points(None, at=(), clients_at=("a", "b", "c"), sizes=ONE),
    control=EQUAL_PARTS[1],
    step=True,
)
def three(x, share=1):
    return le(x.sq(x.a + x.b + x.c), share * 3 * (x.sq(x.a) + x.sq(x.b) + x.sq(x.c)))


@claim(
    "fedadmm/thm4.2a@every-m",
    world=IN_K,
    by=(
        use(eq7_3_c, W=lambda x: turn(x) + move(x) - away(x)),
        use(three, a=turn, b=move, c=lambda x: -away(x)),
    ),
    control=EQUAL_PARTS[1],
    uses=("fedadmm/eq7.5@every-m",),
    note="The third residual of (4.1): |sum pi_i^{k+1}|^2 is at most 3 m times the sum of |pi_i^{k+1} - pi_i^k|^2, "
    "sigma_i^2 |w_i^{k+1} - w_i^k|^2 and sigma_i^2 |w_i^{k+1} - w^{tau_{k+1}}|^2, for k in K. The other "
    "residuals of (4.1) are of one client. "
    f"{EVERY_CLIENT}",
)
def thm4_2a_every_m(x, t, share=1):
    return le(x.sum_pi[t], 3 * share * x.m * x.parts[t])


@claim(
    "fedadmm/eq4.6-b@four",
    world=Points(None, at=(), clients_at=("a", "b", "c", "e"), sizes=ONE),
    control=EQUAL_PARTS[1],
    step=True,
)
def four(x, share=1):
    return le(x.sq(x.a + x.b + x.c + x.e), share * 4 * (x.sq(x.a) + x.sq(x.b) + x.sq(x.c) + x.sq(x.e)))


@claim(
    "fedadmm/eq4.6-b@bend",
    world=Points(Smooth("r"), at=("w",), clients_at=("u",), sizes=ONE, **OF_ONE),
    control=Control("a concave quadratic of curvature -r_i attains it", share="9/10"),
    step=True,
    note="The slope is sigma_i (u - w) + alpha_i (grad f_i(w) - grad f_i(u)): the square of the second part, twice their product.",
)
def bend_bound(x, share=1):
    away_sq, ar = x.sq(x.u - x.w), x.alpha * x.r
    return (
        le(x.sq(bend(x, x.u)), share * ar**2 * away_sq),
        le(2 * x.sigma * x.dot(x.u - x.w, bend(x, x.u)), share * 2 * x.sigma * ar * away_sq),
    )


@claim(
    "fedadmm/eq4.6-b@every-m",
    world=IN_K,
    by=(
        use(eq7_3_c, W=lambda x: accuracy_next(x) - turn(x) - move(x) + slope(x)),
        use(four, a=accuracy_next, b=lambda x: -turn(x), c=lambda x: -move(x), e=slope),
        use(bend_bound, u=lambda x: x.W_next),
    ),
    control=EQUAL_PARTS[1],
    uses=("fedadmm/eq7.5@every-m",),
    note="For k in K, |grad f(w^{tau_{k+1}})|^2 is at most 4 m times the sum of |phi_i^{k+1}|^2, |pi_i^{k+1} - pi_i^k|^2, "
    "sigma_i^2 |w_i^{k+1} - w_i^k|^2 and (alpha_i r_i + sigma_i)^2 |w_i^{k+1} - w^{tau_{k+1}}|^2. "
    f"{EVERY_CLIENT}",
)
def eq4_6_b_every_m(x, t, share=1):
    squares = x.phi[t] + x.turns[t] + x.moves[t] + x.aways[t]
    return le(x.grad[t], 4 * share * x.m * squares)


@claim(
    "fedadmm/eq7.25-d@every-m",
    world=states(
        {
            "sum_phi": lambda x: x.sq(x.total_vec(phi(x))),
            "phi": lambda x: x.total(x.sq(phi(x))),
            "left": lambda x: x.total(x.sq(beside(x.sigma) * x.q)),
        }
    ),
    by=(use(eq7_3_c, W=phi),),
    control=EQUAL_PARTS[1],
    step=True,
    note="|sum of phi_i|^2 is at most m times the sum of the epsilon_i, |phi_i|^2 and what is left of them. "
    f"{EVERY_CLIENT}",
)
def eq7_25_d_every_m(x, t, share=1):
    return le(x.sum_phi[t], share * x.m * (x.phi[t] + x.left[t]))
