"""Steps of the proof of Lemma 5: (19), (20), (22) and the average (Section A.4.2).

The relations between printed expressions are here; what (21), (22), (23) say of the method's iterates is in `lemma5`,
and the facts that the proof uses are in `lemma5_facts`.
"""

from dataclasses import replace
from typing import Any

from fedtheory import Control, claim, eq, le, lt
from fedtheory.theory.pfedme.constants import L_F, eta_tilde
from fedtheory.theory.pfedme.round import bound_22, bound_23
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from problems import Points, Scalars, WeaklyConvex, at_least, condition, positive

from ..worlds.round import pfedme_round

# rho-weakly convex clients with lam > 2 rho: the convex ones of Assumption 1(a) and the L-smooth ones of 1(b), lam > 2 L
PROP_1 = condition("lam > 2 rho (Proposition 1)", lambda x: lt(2 * x.rho, x.lam))
LOCAL: dict[str, Any] = {"lam": positive(CURVATURE), "eta": positive(STEP), "R": at_least(1)}
ROUND: dict[str, Any] = {**LOCAL, "beta": positive()}
SQUARES: dict[str, Any] = {
    "distance_sq": at_least(0, LENGTH**2),
    "G_sq": at_least(0, GRADIENT**2),
    "delta": positive(LENGTH),
}
LIMIT = condition("eta_tilde <= beta/(2 L_F)", lambda x: le(eta_tilde(x), x.beta / (2 * L_F(x))))


def at(*clients_at, **scalars):
    """Clients of Assumption 1(a) or 1(b) at w_t and at any local points."""
    return Points(
        WeaklyConvex("rho"), envelope="lam", clients_at=clients_at, given=(PROP_1,), sizes={"d": (1, 2)},
        rho=positive(CURVATURE), **scalars,
    )  # fmt: skip


METHOD = pfedme_round(WeaklyConvex("rho"), optimum_of=None, given=(PROP_1,), R=(1, 2), rho=positive(CURVATURE))


def limits(x, factor):
    """eta_tilde <= factor beta/(2 L_F) and eta <= 1/(2 R L_F): beta R times the second slack is the first."""
    first = factor * x.beta / (2 * L_F(x)) - eta_tilde(x)
    return eq(first, x.beta * x.R * (1 / (2 * x.R * L_F(x)) - x.eta)), lt(0, x.beta * x.R)


@claim(
    "pfedme/cond-lemma5-equiv",
    world=Scalars(**ROUND),
    control=Control("twice the limit of eta_tilde is not the limit of eta", lambda x: limits(x, 2)),
    note="Stated as: the slacks of the two conditions differ by the positive factor beta R.",
)
def cond_lemma5_equiv(x):
    return limits(x, 1)


def drift_split(x):
    """|g - grad F_i(w_t)|^2 and the first right side of (19), for any vectors."""
    return x.sq(x.g - x.G), 2 * (x.sq(x.g - x.G_r) + x.sq(x.G_r - x.G))


@claim(
    "pfedme/eq19-a",
    world=Points(None, at=(), clients_at=("g", "G_r", "G")),
    control=Control(
        "grad F_i(w_r) half way makes both sides equal", lambda x: le(10 * drift_split(x)[0], 9 * drift_split(x)[1])
    ),
    uses=("pfedme/prop3",),
    step=True,
    note="Any three vectors for g_{i,r}, grad F_i(w_{i,r}) and grad F_i(w_t).",
)
def eq19_a(x):
    return le(*drift_split(x))


def local_gradient(x):
    """g_{i,r} = lam (w_{i,r} - theta_tilde) with theta_tilde = theta_hat + e."""
    return (x.w_r - (x.f.prox(x.w_r, x.lam) + x.e)) * x.lam


def by_proposition_1(x):
    """The first and second right sides of (19)."""
    G_r = x.F.grad(x.w_r)
    first = x.sq(local_gradient(x) - G_r) + x.sq(G_r - x.F.grad(x.w))
    return 2 * first, 2 * (x.lam**2 * x.sq(x.e) + L_F(x) ** 2 * x.sq(x.w_r - x.w))


@claim(
    "pfedme/eq19-b",
    world=at("w_r", "e", lam=positive(CURVATURE)),
    control=Control(
        "at w_r = w_t both sides are 2 lam^2 |e|^2",
        lambda x: le(10 * by_proposition_1(x)[0], 9 * by_proposition_1(x)[1]),
    ),
    uses=("pfedme/eq6", "pfedme/prop1a", "pfedme/prop1b"),
    step=True,
    note="At any local points w_r and errors e = theta_tilde - theta_hat. The paper names Proposition 2; it is the "
    "L_F-smoothness of Proposition 1 that gives it.",
)
def eq19_b(x):
    return le(*by_proposition_1(x))


def with_delta(x, error_sq, factor):
    """The last inequality of (19), `factor` times its right side, with `error_sq` for E |theta_tilde - theta_hat|^2."""
    rest = L_F(x) ** 2 * x.distance_sq
    return le(2 * (x.lam**2 * error_sq + rest), factor * 2 * (x.lam**2 * x.delta**2 + rest))


DELTA: dict[str, Any] = {"lam": positive(CURVATURE), "delta": positive(LENGTH), "distance_sq": at_least(0, LENGTH**2)}


@claim(
    "pfedme/eq19-c",
    world=Scalars(
        **DELTA, error_sq=at_least(0, LENGTH**2),
        given=(condition("E |theta_tilde - theta_hat|^2 <= delta^2", lambda x: le(x.error_sq, x.delta**2)),),
    ),
    control=Control(
        "an error of size delta makes both sides equal", lambda x: with_delta(x, x.error_sq, x.lam / x.lam * 9 / 10)
    ),
    uses=("pfedme/sec32-s2",),
    step=True,
    note="delta bounds the second moment of the error, as in Lemma 1; Section 3.2 prints the first moment.",
)  # fmt: skip
def eq19_c(x):
    return with_delta(x, x.error_sq, 1)


def two_errors(x, factor):
    """(19) with an error that is `low` or `high` with equal chances."""
    return with_delta(x, (x.low**2 + x.high**2) / 2, factor)


@claim(
    "pfedme/eq19-c@first-moment",
    world=Scalars(
        **DELTA, low=at_least(0, LENGTH), high=at_least(0, LENGTH),
        given=(condition("E |theta_tilde - theta_hat| <= delta", lambda x: le((x.low + x.high) / 2, x.delta)),),
    ),
    control=Control(
        "an error of size delta makes both sides equal", lambda x: two_errors(x, x.lam / x.lam * 9 / 10)
    ),
    repair="pfedme/eq19-c",
    step=True,
    note="With the delta-approximation as Section 3.2 prints it, E |theta_tilde - theta_hat| <= delta: an error that is 0 "
    "or 2 delta has the second moment 2 delta^2.",
)  # fmt: skip
def eq19_c_first_moment(x):
    return two_errors(x, 1)


def one_local_step(x, share):
    """|w_{i,r} - w_t|^2 of the method and |w_{i,r-1} - w_t - eta g_{i,r-1}|^2 with `share` of eta, r = 1 .. R."""
    iterates, gradients = x.alg.local(x.f, x.state.w, x.error)
    w = x.state.w
    before = [x.sq(W - w - share * x.eta * g) for W, g in zip(iterates[:-1], gradients, strict=True)]
    return tuple(eq(x.sq(W - w), b, f"r = {r + 1}") for r, (W, b) in enumerate(zip(iterates[1:], before, strict=True)))


@claim(
    "pfedme/eq20-a",
    world=replace(METHOD, sizes={**METHOD.sizes, "S": (1,)}),
    control=Control("the local step is eta, not 2 eta", lambda x: one_local_step(x, 2)),
    step=True,
)
def eq20_a(x):
    return one_local_step(x, 1)


def step_split(x):
    """|a - eta g|^2 and 2 |a - eta G|^2 + 2 eta^2 |g - G|^2 for any a = w_{i,r-1} - w_t, g = lam u and G = lam v."""
    g, G = x.lam * x.u, x.lam * x.v
    return x.sq(x.a - x.eta * g), 2 * (x.sq(x.a - x.eta * G) + x.eta**2 * x.sq(g - G))


@claim(
    "pfedme/eq20-b",
    world=Points(None, at=(), clients_at=("a", "u", "v"), lam=positive(CURVATURE), eta=positive(STEP)),
    control=Control(
        "a = eta (2 G - g) makes both sides equal", lambda x: le(10 * step_split(x)[0], 9 * step_split(x)[1])
    ),
    uses=("pfedme/prop3",),
    step=True,
    note="Any vectors for w_{i,r-1} - w_t, g_{i,r-1} and grad F_i(w_t).",
)
def eq20_b(x):
    return le(*step_split(x))


def recursion(x, distance_sq, G_sq, noise_sq):
    """The right sides of (20), third to fifth line, with `noise_sq` for delta^2."""
    L = L_F(x)
    rest = 2 * (1 + 2 * x.R) * x.eta**2 * G_sq
    noise = 4 * x.eta**2 * x.lam**2 * noise_sq
    third = 2 * (1 + 1 / (2 * x.R)) * distance_sq + rest + 4 * x.eta**2 * (x.lam**2 * noise_sq + L**2 * distance_sq)
    fourth = 2 * (1 + 1 / (2 * x.R) + 2 * x.eta**2 * L**2) * distance_sq + rest + noise
    return third, fourth, 2 * (1 + 1 / x.R) * distance_sq + rest + noise


def by_young(x):
    """The second and third lines of (20) at any local point w_r, with the error itself for delta."""
    G, a = x.F.grad(x.w), x.w_r - x.w
    left = 2 * (x.sq(a - x.eta * G) + x.eta**2 * x.sq(local_gradient(x) - G))
    return left, recursion(x, x.sq(a), x.sq(G), x.sq(x.e))[0]


@claim(
    "pfedme/eq20-c",
    world=at("w_r", "e", **LOCAL),
    control=Control(
        "for small eta and large R both sides come near 2 |w_r - w_t|^2",
        lambda x: le(10 * by_young(x)[0], 9 * by_young(x)[1]),
    ),
    uses=("pfedme/eq19-a", "pfedme/eq19-b", "pfedme/eq19-c"),
    step=True,
    note="At any local points w_r and errors e; delta enters the right side only, so |e| stands for the least delta.",
)
def eq20_c(x):
    return le(*by_young(x))


def lines(x):
    """The last three right sides of (20) as numbers."""
    return recursion(x, x.distance_sq, x.G_sq, x.delta**2)


@claim(
    "pfedme/eq20-d",
    world=Scalars(**LOCAL, **SQUARES),
    control=Control("the sum is not twice itself", lambda x: eq(2 * lines(x)[0], lines(x)[1])),
    step=True,
)
def eq20_d(x):
    return eq(*lines(x)[:2])


@claim(
    "pfedme/eq20-e",
    world=Scalars(**ROUND, **SQUARES, given=(LIMIT,)),
    control=Control(
        "for R = 1 at the limit of the step size both sides are equal if only the distance counts",
        lambda x: le(10 * lines(x)[1], 9 * lines(x)[2]),
    ),
    uses=("pfedme/lemma5-proof-s1-a", "pfedme/lemma5-proof-s1-b", "pfedme/lemma5-proof-s1-c"),
    step=True,
)
def eq20_e(x):
    return le(*lines(x)[1:])


def both_sides_22(x, factor):
    """(21) and (22), the two printed right sides, with `factor` on (22)."""
    step_sq = eta_tilde(x) ** 2
    noise = x.lam**2 * x.delta**2
    left = 6 * step_sq / (x.beta**2 * x.R) * x.G_sq + 4 * step_sq * noise / (x.beta**2 * x.R**2)
    return le(left * sum(2 * (1 + 1 / x.R) ** r for r in range(x.R)), factor * bound_22(x, x.G_sq))


@claim(
    "pfedme/eq22",
    world=Scalars(
        lam=positive(CURVATURE), eta=positive(STEP), beta=positive(), delta=positive(LENGTH),
        G_sq=at_least(0, GRADIENT**2), sizes={"R": (1, 2, 3, 8, 20)},
    ),
    control=Control("for R = 1 the left side is half of the right", lambda x: both_sides_22(x, x.beta / x.beta * 2 / 5)),
    uses=("pfedme/lemma5-proof-s4-a", "pfedme/lemma5-proof-s4-b", "pfedme/lemma5-proof-s4-c"),
    step=True,
    note="Between the two printed expressions; what it says of the iterates, with (21), is the reading `iterates`.",
)  # fmt: skip
def eq22(x):
    return both_sides_22(x, 1)


def averaged(x, factor):
    """The average over clients and rounds of numbers below (23), in the mean over r by lam^2 |s_i|^2, against Lemma 5."""
    below = bound_23(x, x.lam**2 * x.sq(x.u)) - x.lam**2 * x.sq(x.s)
    return le(x.mean(below), factor * bound_23(x, x.mean(x.lam**2 * x.sq(x.u))))


@claim(
    "pfedme/lemma5-proof-s7",
    world=Points(None, at=(), clients_at=("u", "s"), **ROUND, delta=positive(LENGTH)),
    control=Control(
        "without slack the average of (23) is the bound of Lemma 5", lambda x: averaged(x, x.beta / x.beta * 9 / 10)
    ),
    step=True,
    note="grad F_i(w_t) = lam u_i for any vectors; the left sides of (23) are any numbers below the right ones.",
)
def lemma5_proof_s7(x):
    return averaged(x, 1)
