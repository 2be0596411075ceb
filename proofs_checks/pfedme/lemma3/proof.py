"""Steps of the proof of Lemma 3: (14) to (17) (Section A.4.2).

Where a step is algebra the gradients are any vectors: grad F_i(w_t) = lam u_i, and the average of g_{i,r} over the R
local rounds is lam v_i; by (6) and line 8 of Algorithm 1 the method's own are of this form. The sums over r enter
through this average and through the average of squares, 1/R sum_r |g_{i,r} - a|^2 = |lam v_i - a|^2 + lam^2 |s_i|^2,
whose spread may be any number. So these steps are shown for every R.
"""

from fedtheory import Control, claim, eq, le, lt
from fedtheory.theory.pfedme.constants import eta_tilde
from fedtheory.theory.pfedme.round import clients_in, same, sampled, together
from fedtheory.units import CURVATURE, STEP
from problems import Points, Scalars, Smooth, StronglyConvex, WeaklyConvex, condition, positive

from ..worlds.round import pfedme_round

SIZES = {"S": (1, 2, 3)}
CLIENTS = ("u", "v", "s")
VECTORS = Points(
    None, at=("w", "w_star"), clients_at=CLIENTS[:2], sizes=SIZES, lam=positive(CURVATURE), step=positive(STEP)
)
GRADIENTS = Points(None, at=(), clients_at=CLIENTS, sizes=SIZES, lam=positive(CURVATURE))
ROUND = pfedme_round(
    WeaklyConvex("rho"), optimum_of="F", R=(2,), rho=positive(CURVATURE),
    given=(condition("lam > 2 rho (Proposition 1)", lambda x: lt(2 * x.rho, x.lam)),),
)  # fmt: skip
SELECTIONS = Scalars(sizes={"S": (1, 2, 3), "rest": (0, 1, 2, 3)})
ASSUMPTION_1B = (
    condition("lam > 2 L (Proposition 1)", lambda x: lt(2 * x.L, x.lam)),
    condition("mu <= L", lambda x: le(x.mu, x.L)),
)


def G(x):
    """grad F_i(w_t), any vectors."""
    return x.lam * x.u


def local_mean(x):
    """1/R sum_r g_{i,r}, any vectors."""
    return x.lam * x.v


def g_of(x, S):
    """g_t = 1/(SR) sum over the selection S and r of g_{i,r}."""
    return x.total_vec(local_mean(x), over=S) / x.S


def squared_errors(x):
    """1/R sum_r |g_{i,r} - grad F_i|^2."""
    return x.sq(local_mean(x) - G(x)) + x.lam**2 * x.sq(x.s)


def local_gradients(x):
    """g_{i,r} of the method's R local rounds."""
    return x.alg.local(x.f, x.state.w, x.error)[1]


def method_g(x, draw):
    """g_t as the method moves by it, (w_t - w_{t+1})/eta_tilde."""
    return (x.state.w - x.alg.step(x.f, x.state, draw).w) / eta_tilde(x)


def distances(x):
    """|w_t - w*|^2 after the method's step, and after the step eta_tilde g_t, in expectation over the selection."""
    after = x.E(lambda draw: x.sq(x.alg.step(x.f, x.state, draw).w - x.w_star))
    g = local_gradients(x)
    return after, x.E(lambda draw: x.sq(x.state.w - eta_tilde(x) * sampled(x, g, draw.selected) - x.w_star))


@claim(
    "pfedme/eq14-a",
    world=ROUND,
    control=Control("a distance is not twice itself", lambda x: eq(2 * distances(x)[0], distances(x)[1])),
    uses=("pfedme/a41-s4-c",),
    step=True,
)
def eq14_a(x):
    return eq(*distances(x))


def expanded(x, cross):
    """The left side of (14), and the right side with the factor `cross` on the inner product; x.step is eta_tilde."""
    away = x.w - x.w_star
    left = x.E(lambda S: x.sq(x.w - x.step * g_of(x, S) - x.w_star))
    inner = x.E(lambda S: x.dot(g_of(x, S), away))
    return left, x.sq(away) - cross * x.step * inner + x.step**2 * x.E(lambda S: x.sq(g_of(x, S)))


@claim(
    "pfedme/eq14-b",
    world=VECTORS,
    control=Control("the inner product enters twice, not three times", lambda x: eq(*expanded(x, 3))),
    step=True,
)
def eq14_b(x):
    return eq(*expanded(x, 2))


def inner_products(x):
    """-E<g_t, w_t - w*>, -<E g_t, w_t - w*>, and the right side of (15)."""
    away = x.w - x.w_star
    split = x.mean(x.dot(local_mean(x) - G(x), away) + x.dot(G(x), away))
    return -x.E(lambda S: x.dot(g_of(x, S), away)), -x.dot(x.E(lambda S: g_of(x, S)), away), -split


@claim(
    "pfedme/eq15-a",
    world=VECTORS,
    control=Control(
        "twice the inner product is another number", lambda x: eq(2 * inner_products(x)[0], inner_products(x)[1])
    ),
    step=True,
)
def eq15_a(x):
    return eq(*inner_products(x)[:2])


@claim(
    "pfedme/eq15-b",
    world=VECTORS,
    control=Control(
        "twice the inner product is another number", lambda x: eq(2 * inner_products(x)[1], inner_products(x)[2])
    ),
    uses=("pfedme/lemma3-proof-s1-c",),
    step=True,
)
def eq15_b(x):
    return eq(*inner_products(x)[1:])


def mean_g(x, factor):
    """E g_t of the method is `factor` times the expected average over the selected clients."""
    g = local_gradients(x)
    average = x.E(lambda draw: sampled(x, g, draw.selected))
    return same(x, x.E(lambda draw: method_g(x, draw)), factor * average)


@claim(
    "pfedme/lemma3-proof-s1-a",
    world=ROUND,
    control=Control("g_t is the average, not twice it", lambda x: mean_g(x, 2)),
    uses=("pfedme/a41-s4-c",),
    step=True,
    note="True by the definition of g_t; checked with the g_t that the method moves by, (w_t - w_{t+1})/eta_tilde.",
)
def lemma3_proof_s1_a(x):
    return mean_g(x, 1)


def with_indicators(x):
    """1/(SR) sum over all clients and rounds of g_{i,r} E[I_{i in S_t}]."""
    return x.total_vec(local_mean(x), over=x.E(lambda S: S)) / x.S


@claim(
    "pfedme/lemma3-proof-s1-b",
    world=GRADIENTS,
    control=Control(
        "twice the average is another vector",
        lambda x: same(x, 2 * x.E(lambda S: g_of(x, S)), with_indicators(x)),
    ),
    step=True,
)
def lemma3_proof_s1_b(x):
    return same(x, x.E(lambda S: g_of(x, S)), with_indicators(x))


@claim(
    "pfedme/lemma3-proof-s1-c",
    world=GRADIENTS,
    control=Control(
        "twice the average is another vector",
        lambda x: same(x, 2 * with_indicators(x), x.mean_vec(local_mean(x))),
    ),
    uses=("pfedme/lemma3-proof-s2",),
    step=True,
)
def lemma3_proof_s1_c(x):
    return same(x, with_indicators(x), x.mean_vec(local_mean(x)))


def every_chance(x, right):
    """E[I_{i in S_t}] = `right` for every client i."""
    return tuple(eq(together(x, [i]), right, f"i = {i}") for i in range(clients_in(x)))


@claim(
    "pfedme/lemma3-proof-s2",
    world=SELECTIONS,
    control=Control(
        "each client has the chance S/N, not S/(N + 1)", lambda x: every_chance(x, x.S / (clients_in(x) + 1))
    ),
    step=True,
    note="For every client, over all selections of S of N = S + rest clients.",
)
def lemma3_proof_s2(x):
    return every_chance(x, x.S / clients_in(x))


def strong(x, F, mu):
    """(16) for the functions F with the constant mu."""
    away = x.w - x.w_star
    return le(-x.mean(x.dot(F.grad(x.w), away)), x.mean(F.value(x.w_star) - F.value(x.w)) - mu / 2 * x.sq(away))


@claim(
    "pfedme/eq16",
    world=Points(StronglyConvex("mu_F"), optimum_of="f", mu_F=positive(CURVATURE)),
    control=Control(
        "for quadratics of curvature mu_F both sides are equal, so 11/10 of mu_F is too much",
        lambda x: strong(x, x.f, 11 * x.mu_F / 10),
    ),
    uses=("pfedme/prop1c",),
    step=True,
    note="Under its stated reason, mu_F-strongly convex F_i, which Assumption 1(a) gives and Assumption 1(b) does not.",
)
def eq16(x):
    return strong(x, x.f, x.mu_F)


@claim(
    "pfedme/eq16@assumption1b",
    world=Points(
        Smooth("L"), envelope="lam", optimum_of="F", given=ASSUMPTION_1B,
        lam=positive(CURVATURE), L=positive(CURVATURE), mu=positive(CURVATURE),
    ),
    control=Control(
        "a client of curvature L has F_i of curvature lam L/(lam + L), so mu_F = L fails at mu = L",
        lambda x: strong(x, x.F, x.L),
    ),
    repair="pfedme/eq16",
    step=True,
    note="Under Assumption 1(b), as Lemma 3 prints it, with mu_F = lam mu/(lam + mu) for any mu <= L.",
)  # fmt: skip
def eq16_assumption1b(x):
    return strong(x, x.F, x.lam * x.mu / (x.lam + x.mu))


def peter_paul(x):
    """Both sides of (17)."""
    away = x.w - x.w_star
    left = -2 * x.mean(x.dot(local_mean(x) - G(x), away))
    return left, x.mean(2 / x.mu_F * squared_errors(x) + x.mu_F / 2 * x.sq(away))


@claim(
    "pfedme/eq17",
    world=Points(
        None, at=("w", "w_star"), clients_at=CLIENTS, lam=positive(CURVATURE), mu_F=positive(CURVATURE),
    ),
    control=Control(
        "g - grad F_i = -mu_F (w_t - w*)/2 makes both sides equal",
        lambda x: le(10 * peter_paul(x)[0], 9 * peter_paul(x)[1]),
    ),
    step=True,
)  # fmt: skip
def eq17(x):
    return le(*peter_paul(x))
