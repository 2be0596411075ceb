"""Steps of the proof of Lemma 3: (14) to (17) and the displays between them (Section A.4.2).

Where a step is algebra the gradients are any vectors: grad F_i(w_t) = lam u_i, and the average of g_{i,r} over the R
local rounds is lam v_i; by (6) and line 8 of Algorithm 1 the method's own are of this form. The sums over r enter
through this average and through the average of squares, 1/R sum_r |g_{i,r} - a|^2 = |lam v_i - a|^2 + lam^2 |s_i|^2,
whose spread may be any number. So these steps are shown for every R.
"""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.pfedme.conditions import LAM_2L, LAM_2RHO, MU_UP_TO_L
from fedtheory.theory.pfedme.constants import eta_tilde, mu_F
from fedtheory.theory.pfedme.round import clients_in, g_t, same, together
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import STEP
from problems import Points, Scalars, Smooth, StronglyConvex, WeaklyConvex, positive

from ..worlds.round import pfedme_round

ROUND = pfedme_round(WeaklyConvex("rho"), optimum_of="F", R=(2,), given=(LAM_2RHO,), beta=positive(), **symbols("rho"))
SELECTED = {"S": (1, 2, 3)}
GRADIENTS = Points(None, at=(), clients_at=("u", "v", "s"), sizes=SELECTED, **symbols("lam"))
DISTANCES = Points(  # x.step is eta_tilde
    None, at=("w", "w_star"), clients_at=("u", "v"), sizes=SELECTED, **symbols("lam"), step=positive(STEP)
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


def method_g(x, draw):
    """g_t as the method moves by it, (w_t - w_{t+1})/eta_tilde."""
    return (x.state.w - x.alg.step(x.f, x.state, draw).w) / eta_tilde(x)


@claim(
    "pfedme/eq14-a",
    world=ROUND,
    control=Control("a distance is not twice itself", factor=2),
    uses=("pfedme/a41-s4-c",),
    step=True,
)
def eq14_a(x, factor=1):
    by_method = x.E(lambda draw: x.sq(x.alg.step(x.f, x.state, draw).w - x.w_star))
    g = g_t(x)
    return eq(by_method, factor * x.E(lambda draw: x.sq(x.state.w - eta_tilde(x) * g(draw) - x.w_star)))


@claim(
    "pfedme/eq14-b",
    world=DISTANCES,
    control=Control("the inner product enters twice, not three times", times=3),
    step=True,
)
def eq14_b(x, times=2):
    away = x.w - x.w_star
    left = x.E(lambda S: x.sq(x.w - x.step * g_of(x, S) - x.w_star))
    inner, square = x.E(lambda S: x.dot(g_of(x, S), away)), x.E(lambda S: x.sq(g_of(x, S)))
    return eq(left, x.sq(away) - times * x.step * inner + x.step**2 * square)


@claim(
    "pfedme/eq15-a",
    world=DISTANCES,
    control=Control("twice the inner product is another number", factor=2),
    step=True,
)
def eq15_a(x, factor=1):
    away = x.w - x.w_star
    return eq(-x.E(lambda S: x.dot(g_of(x, S), away)), -factor * x.dot(x.E(lambda S: g_of(x, S)), away))


@claim(
    "pfedme/eq15-b",
    world=DISTANCES,
    control=Control("twice the inner product is another number", factor=2),
    uses=("pfedme/lemma3-proof-s1-c",),
    step=True,
)
def eq15_b(x, factor=1):
    away = x.w - x.w_star
    in_two = x.mean(x.dot(local_mean(x) - G(x), away) + x.dot(G(x), away))
    return eq(-x.dot(x.E(lambda S: g_of(x, S)), away), -factor * in_two)


@claim(
    "pfedme/lemma3-proof-s1-a",
    world=ROUND,
    control=Control("g_t is the average, not twice it", factor=2),
    uses=("pfedme/a41-s4-c",),
    step=True,
    note="True by the definition of g_t; checked with the g_t that the method moves by, (w_t - w_{t+1})/eta_tilde.",
)
def lemma3_proof_s1_a(x, factor=1):
    return same(x, x.E(lambda draw: method_g(x, draw)), factor * x.E(g_t(x)))


def with_indicators(x):
    """1/(SR) sum over all clients and rounds of g_{i,r} E[I_{i in S_t}]."""
    return x.total_vec(local_mean(x), over=x.E(lambda S: S)) / x.S


@claim(
    "pfedme/lemma3-proof-s1-b",
    world=GRADIENTS,
    control=Control("twice the average is another vector", factor=2),
    step=True,
)
def lemma3_proof_s1_b(x, factor=1):
    return same(x, x.E(lambda S: g_of(x, S)), factor * with_indicators(x))


@claim(
    "pfedme/lemma3-proof-s1-c",
    world=GRADIENTS,
    control=Control("twice the average is another vector", factor=2),
    uses=("pfedme/lemma3-proof-s2",),
    step=True,
)
def lemma3_proof_s1_c(x, factor=1):
    return same(x, with_indicators(x), factor * x.mean_vec(local_mean(x)))


@claim(
    "pfedme/lemma3-proof-s2",
    world=Scalars(sizes={"S": (1, 2, 3), "rest": (0, 1, 2, 3)}),
    control=Control("each client has the chance S/N, not twice that", factor=2),
    step=True,
    note="For every client, over all selections of S of N = S + rest clients.",
)
def lemma3_proof_s2(x, factor=1):
    N = clients_in(x)
    return tuple(eq(together(x, [i]), factor * x.S / N, f"i = {i}") for i in range(N))


def strongly_convex(x, F, mu):
    """(16) for the functions F with the constant mu, under either assumption."""
    away = x.w - x.w_star
    return le(-x.mean(x.dot(F.grad(x.w), away)), x.mean(F.value(x.w_star) - F.value(x.w)) - mu / 2 * x.sq(away))


@claim(
    "pfedme/eq16",
    world=Points(StronglyConvex("mu_F"), optimum_of="f", **symbols("mu_F")),
    control=Control(
        "for quadratics of curvature mu_F both sides are equal, so 11/10 of mu_F is too much", share="11/10"
    ),
    uses=("pfedme/prop1c",),
    step=True,
    note="Under its stated reason, mu_F-strongly convex F_i, which Assumption 1(a) gives and Assumption 1(b) does not.",
)
def eq16(x, share=1):
    return strongly_convex(x, x.f, share * x.mu_F)


@claim(
    "pfedme/eq16@assumption1b",
    world=Points(Smooth("L"), envelope="lam", optimum_of="F", given=(LAM_2L, MU_UP_TO_L), **symbols("lam", "L", "mu")),
    control=Control(
        "a client of curvature L has F_i of curvature lam L/(lam + L), so mu_F = L fails at mu = L",
        lambda x: strongly_convex(x, x.F, x.L),
    ),
    repair="pfedme/eq16",
    step=True,
    note="Under Assumption 1(b), as Lemma 3 prints it, with mu_F = lam mu/(lam + mu) for any mu <= L.",
)
def eq16_assumption1b(x):
    return strongly_convex(x, x.F, mu_F(x))


@claim(
    "pfedme/eq17",
    world=Points(None, at=("w", "w_star"), clients_at=("u", "v", "s"), **symbols("lam", "mu_F")),
    control=Control("g - grad F_i = -mu_F (w_t - w*)/2 makes both sides equal", share="9/10"),
    step=True,
)
def eq17(x, share=1):
    away = x.w - x.w_star
    left = -2 * x.mean(x.dot(local_mean(x) - G(x), away))
    return le(left, share * x.mean(2 / x.mu_F * squared_errors(x) + x.mu_F / 2 * x.sq(away)))
