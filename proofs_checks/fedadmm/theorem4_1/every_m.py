"""What makes the residuals of (4.1) small, for every number of clients, each with its own scalars (Sections 7.4 and 7.5).

The vectors of a client are a sum of few, each bounded by a term of (7.19) for one client; the sums are of any vectors.
"""

from fedtheory import Control, claim, eq, le
from problems import Points

from ..controls import EQUAL_PARTS
from ..iterations import EVERY_CLIENT
from ..one_client import one_client, update


@claim(
    "fedadmm/eq4.6-b@client",
    world=one_client(at=("w", "w_i", "w_i_next", "p", "p_next")),
    control=Control("a concave quadratic of curvature -r_i attains it", share="9/10"),
    step=True,
    note="alpha_i grad f_i(w^{tau_{k+1}}) is the sum of phi_i^{k+1}, pi_i^k - pi_i^{k+1}, sigma_i (w_i^k - w_i^{k+1}), a slope, "
    "and -pi_i^k - sigma_i (w_i^k - w^{tau_{k+1}}), of which the sum over the clients is 0 for k in K by (7.5). The slope is "
    "sigma_i away + bend, away = w_i^{k+1} - w^{tau_{k+1}}: by its three terms |slope|^2 is at most (alpha_i r_i + sigma_i)^2 "
    "|away|^2. For one client, selected or not.",
)
def eq4_6_b_client(x, share=1):
    u = update(x)._replace(w=x.w)
    g, ar = x.alpha * x.f.grad(u.w), x.alpha * x.r
    bend = g - u.g_next
    balanced = 0 - u.Pi - x.sigma * (u.W - u.w)
    rest = g - (u.phi_next - u.turn - x.sigma * u.move + (x.sigma * u.away + bend) + balanced)
    return (
        eq(x.sq(rest), 0, "the sum"),
        le(x.sq(bend), share * ar**2 * x.sq(u.away), "bend"),
        le(x.dot(u.away, bend), share * ar * x.sq(u.away), "bend along away"),
    )


def vectors(*names):
    """Any vectors of any number of clients."""
    return Points(None, at=(), clients_at=names)


def summed(x, *names):
    """(|the sum over the clients of the named vectors|^2, m times the sum of all their squares)."""
    first, *others = (getattr(x, name) for name in names)
    return x.sq(x.total_vec(sum(others, first))), x.m * x.total(sum((x.sq(v) for v in others), x.sq(first)))


@claim(
    "fedadmm/eq4.6-b@every-m",
    world=vectors("phi", "turn", "move", "slope"),
    control=EQUAL_PARTS[1],
    uses=("fedadmm/eq4.6-b@client", "fedadmm/eq7.5@every-m", "fedadmm/eq7.6-b"),
    note="|grad f(w^{tau_{k+1}})|^2 is at most 4 m times the sum of the squares of the four parts of row eq4.6-b@client, any "
    f"four vectors of each client here. {EVERY_CLIENT}",
)
def eq4_6_b_every_m(x, share=1):
    whole, squares = summed(x, "phi", "turn", "move", "slope")
    return le(whole, 4 * share * squares)


@claim(
    "fedadmm/thm4.2a@every-m",
    world=vectors("turn", "move", "away"),
    control=EQUAL_PARTS[1],
    uses=("fedadmm/eq7.5@every-m", "fedadmm/eq7.6-b"),
    note="|sum pi_i^{k+1}|^2 is at most 3 m times the sum of |pi_i^{k+1} - pi_i^k|^2, sigma_i^2 |w_i^{k+1} - w_i^k|^2 and "
    "sigma_i^2 |w_i^{k+1} - w^{tau_{k+1}}|^2: by (7.5) it is the sum of these three vectors for k in K, any three of each client "
    f"here. The other residuals of (4.1) are of one client. {EVERY_CLIENT}",
)
def thm4_2a_every_m(x, share=1):
    whole, squares = summed(x, "turn", "move", "away")
    return le(whole, 3 * share * squares)


@claim(
    "fedadmm/eq7.25-d@every-m",
    world=vectors("phi"),
    control=EQUAL_PARTS[1],
    uses=("fedadmm/eq7.6-b",),
    step=True,
    note="|sum of phi_i|^2 is at most m times the sum of |phi_i|^2, each of which is at most epsilon_i.",
)
def eq7_25_d_every_m(x, share=1):
    whole, squares = summed(x, "phi")
    return le(whole, share * squares)
