"""Sections 3.2 to 3.4: uploads, the stored messages of clients that are not selected, the subproblem and (3.12)."""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.fedadmm.constants import inner_size, own_lagrangian
from fedtheory.theory.fedadmm.rounds import tau
from fedtheory.theory.fedadmm.symbols import symbols
from fedtheory.units import CURVATURE, GRADIENT, LENGTH
from problems import Convex, Points, Scalars, SmoothBoundedBelow, positive

from .one_client import ONE, one_client
from .worlds import fedadmm_steps, few_clients, kept, outside


@claim(
    "fedadmm/sec3.2-s1",
    world=Scalars(sizes={"k": tuple(range(9)), "k0": (1, 2, 3)}),
    control=Control("k/k_0 rounded down misses the round that has begun", early=1),
    note="Counted: up to step k there were tau_k uploads, and a client selected at one of them updates in the k_0 steps up to "
    "the next one. k up to 8, k_0 up to 3.",
)
def sec3_2_s1(x, early=0):
    k, k0 = int(x.k), int(x.k0)
    uploads = sum(j % k0 == 0 for j in range(k + early))
    updates = sum(tau(j + 1, k0) == tau(k + 1, k0) for j in range(k + 2 * k0))
    return eq(x.ratio(uploads, 1), x.ratio(tau(k, k0), 1), "uploads"), eq(
        x.ratio(updates, 1), x.k0 * x.ratio(1, 1), "updates"
    )


TWO_ROUNDS = {"m": (2, 3), "steps": (1, 2), "k0": (1,)}


@claim(
    "fedadmm/sec3.3-s1",
    world=fedadmm_steps(convex=True, m=(2, 3), steps=(1, 3), k0=(2,)),
    control=Control("clients that are selected do update", lambda x: eq(x.total(x.sq(x.next.W - x.state.W)), 0)),
    repair="fedadmm/sec3.3-s1~repaired",
    note="At k = k_0 = 2, from w_i^2 to w_i^3. Omega^{tau_k} are the clients that upload at step k; those that update from there "
    "on are Omega^{tau_{k+1}}, which the server selects at step k.",
)
def sec3_3_s1(x):
    before, after = x.states[-2:]
    return eq(outside(x, x.sq(after.W - before.W), before.selected), 0)


@claim(
    "fedadmm/sec3.3-s1~repaired",
    world=few_clients(),
    control=Control("clients that are selected do update", lambda x: eq(x.total(x.sq(x.next.W - x.state.W)), 0)),
    note="Clients outside Omega^{tau_{k+1}}.",
)
def sec3_3_s1_repaired(x):
    return x.each_step(lambda before, after: eq(outside(x, x.sq(after.W - before.W), after.selected), 0))


@claim(
    "fedadmm/sec3.3-s2",
    world=few_clients(),
    control=Control("clients that are selected send another z_i", lambda x: eq(x.total(x.sq(x.next.Z - x.state.Z)), 0)),
    note="From t to t + 1, for the clients outside Omega^{tau_{t+1}}; they are in none of the rounds from t = k_i to k.",
)
def sec3_3_s2(x):
    return x.each_step(lambda before, after: eq(outside(x, x.sq(after.Z - before.Z), after.selected), 0))


def average(x, Z, stored, selected):
    """1/sigma times the sum of z_i over the selected clients and of the stored z_i over the others."""
    return kept(x, Z, stored, selected) / x.total(x.sigma)[..., None]


OLD_MESSAGES = "the messages of the round before are old"
ON_RUNS = "On runs with k_0 = 1 at k = 0 and k = 1, where k_i = 0 for a client that was not selected."


@claim(
    "fedadmm/sec3.3-s3",
    world=fedadmm_steps(**TWO_ROUNDS),
    control=Control(OLD_MESSAGES, late=1),
    uses=("fedadmm/sec3.3-s2",),
    note=ON_RUNS,
)
def sec3_3_s3(x, late=0):
    first, second, third = x.states[0], x.states[-2], x.states[-1]
    new = first.Z if late else second.Z
    return eq(x.sq(third.w - average(x, new, first.Z, second.selected)), 0)


@claim(
    "fedadmm/sec3.3-s4",
    world=fedadmm_steps(**TWO_ROUNDS),
    control=Control(OLD_MESSAGES, late=1),
    uses=("fedadmm/sec3.3-s2",),
    note=ON_RUNS,
)
def sec3_3_s4(x, late=0):
    first, second = x.states[0], x.states[-2]
    new = first.Z if late else second.Z
    whole = x.total_vec(second.Z) / x.total(x.sigma)[..., None]
    return eq(x.sq(average(x, new, first.Z, second.selected) - whole), 0)


SUBPROBLEM = one_client(at=("v", "w", "p"))


def dual(x):
    """pi_i^k, any vector."""
    return x.sigma * x.p


@claim(
    "fedadmm/eq3.11",
    world=SUBPROBLEM,
    control=Control("a quadratic of curvature r gains exactly this", share=2),
    note="From any v a step of length 1/(alpha_i r_i + sigma_i) along the left side lowers L(w, v, pi_i) by its squared "
    "norm over 2 (alpha_i r_i + sigma_i), so that it vanishes at a minimiser. For r_i-smooth f_i; pi_i^k for the printed pi^k.",
)
def eq3_11(x, share=1):
    left = x.alpha * x.f.grad(x.v) + dual(x) + x.sigma * (x.v - x.w)
    whole = x.alpha * x.r + x.sigma
    gain = own_lagrangian(x, x.w, x.v, dual(x)) - own_lagrangian(x, x.w, x.v - left / whole, dual(x))
    return le(share * x.sq(left) / (2 * whole), gain)


@claim(
    "fedadmm/sec3.4-s1",
    world=one_client(at=("v", "w", "p"), f=SmoothBoundedBelow("r")),
    control=Control("for f_i = 0 and pi_i = -sigma_i (v - w) the bound is attained at a quarter", share=2),
    uses=("fedadmm/eq3.11",),
    note="L(w, v, pi_i) >= alpha_i inf f_i + sigma_i/4 |v - w|^2 - |pi_i|^2/sigma_i, so that it has a minimiser, at "
    "which the left side of (3.5) is 0 by (3.11). (3.4) has to keep eps_i from becoming negative, which it does not print.",
)
def sec3_4_s1(x, share=1):
    least = x.alpha * x.f.infimum() + share * x.sigma / 4 * x.sq(x.v - x.w) - x.sq(dual(x)) / x.sigma
    return le(least, own_lagrangian(x, x.w, x.v, dual(x)))


def model(x, u):
    """What (3.12) minimises, at u, with v_i^l = v. Unit E."""
    linear = x.f.value(x.v) + x.dot(x.f.grad(x.v), u - x.v) + x.r / 2 * x.sq(u - x.v)
    return x.dot(u - x.w, dual(x)) + x.sigma / 2 * x.sq(u - x.w) + x.alpha * linear


@claim(
    "fedadmm/eq3.12-b",
    world=one_client(at=("v", "w", "p", "u")),
    control=Control("pi_i is subtracted, not added", sign=-1),
    note="No other u has a smaller value.",
)
def eq3_12_b(x, sign=1):
    slope = x.alpha * x.f.grad(x.v) + sign * dual(x)
    best = (x.alpha * x.r * x.v + x.sigma * x.w - slope) / (x.alpha * x.r + x.sigma)
    return le(model(x, best), model(x, x.u))


@claim(
    "fedadmm/sec3.4-s2",
    world=Points(Convex(), at=("w_1", "w_2"), sizes=ONE),
    control=Control("a linear function has equal gradients everywhere", lambda x: le(
        x.sq(x.w_1 - x.w_2), x.dot(x.f.grad(x.w_1) - x.f.grad(x.w_2), x.w_1 - x.w_2)
    )),
    note="That all convex functions meet it with s_i = 0: their gradients are monotone, which is what the proof takes from the "
    "condition. 'Plentiful' is not judged; every function of Assumption 4.1 meets it with s_i = r_i.",
)  # fmt: skip
def sec3_4_s2(x):
    return le(0, x.dot(x.f.grad(x.w_1) - x.f.grad(x.w_2), x.w_1 - x.w_2))


def kappa(x, eps):
    """kappa of (3.13) without its bracket, for varrho = rho."""
    return x.log(inner_size(x) * x.dist_sq / eps) / x.log(x.rho) - 1


@claim(
    "fedadmm/sec3.4-s3",
    world=Scalars(
        alpha=positive(), r=positive(CURVATURE), sigma=positive(CURVATURE), eps=positive(GRADIENT**2),
        dist_sq=positive(LENGTH**2), rho=symbols["rho"].scalar, more=positive(),
    ),
    control=Control("kappa falls with the accuracy", lambda x: le(kappa(x, x.eps), kappa(x, x.eps * (1 + x.more)) )),
    note="A larger epsilon_i^{k+1} makes kappa of (3.13) no larger.",
)  # fmt: skip
def sec3_4_s3(x):
    return le(kappa(x, x.eps * (1 + x.more)), kappa(x, x.eps))
