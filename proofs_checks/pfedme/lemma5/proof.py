"""Steps of the proof of Lemma 5: (19), (20), (22) and the average (Section A.4.2).

The relations between printed expressions are here; what (21), (22), (23) say of the method's iterates is in `statement`,
and the facts that the proof uses are in `facts`.
"""

from typing import Any

from fedtheory import Control, claim, eq, le, lt
from fedtheory.theory.pfedme.conditions import LAM_2RHO, STEP_LEMMA_5
from fedtheory.theory.pfedme.constants import L_F, eta_tilde
from fedtheory.theory.pfedme.round import bound_21, bound_22, bound_23, local_rounds
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import GRADIENT, LENGTH
from problems import Points, Scalars, Sequences, WeaklyConvex, at_least, condition, positive

from ..worlds.round import pfedme_round
from .facts import lemma5_proof_s4_a, lemma5_proof_s4_b, lemma5_proof_s4_c, powers
from .local_step import unrolling
from .statement import OF_A_CLIENT

# the server relaxation beta is any positive number here, below 1 as well
ROUND: dict[str, Any] = {**symbols("lam", "eta", "R"), "beta": positive()}
SQUARES: dict[str, Any] = {
    "distance_sq": at_least(0, LENGTH**2),
    "G_sq": at_least(0, GRADIENT**2),
    "delta": positive(LENGTH),
}


def near_w(*clients_at, **scalars):
    """Clients with rho = 0, Assumption 1(a), or rho = L, Assumption 1(b), at w_t and at any local points."""
    return Points(
        WeaklyConvex("rho"),
        envelope="lam",
        clients_at=clients_at,
        given=(LAM_2RHO,),
        sizes={"d": (1, 2)},
        **symbols("rho"),
        **scalars,
    )


@claim(
    "pfedme/cond-lemma5-equiv",
    world=Scalars(**ROUND),
    control=Control("twice the limit of eta_tilde is not the limit of eta", factor=2),
    note="Stated as: the slacks of the two conditions differ by the positive factor beta R.",
)
def cond_lemma5_equiv(x, factor=1):
    slack_of_eta_tilde = factor * x.beta / (2 * L_F(x)) - eta_tilde(x)
    slack_of_eta = 1 / (2 * x.R * L_F(x)) - x.eta
    return eq(slack_of_eta_tilde, x.beta * x.R * slack_of_eta), lt(0, x.beta * x.R)


@claim(
    "pfedme/eq19-a",
    world=Points(None, at=(), clients_at=("g", "G_r", "G")),
    control=Control("grad F_i(w_r) half way makes both sides equal", share="9/10"),
    uses=("pfedme/prop3",),
    step=True,
    note="Any three vectors for g_{i,r}, grad F_i(w_{i,r}) and grad F_i(w_t).",
)
def eq19_a(x, share=1):
    return le(x.sq(x.g - x.G), share * 2 * (x.sq(x.g - x.G_r) + x.sq(x.G_r - x.G)))


def local_gradient(x):
    """g_{i,r} = lam (w_{i,r} - theta_tilde) with theta_tilde = theta_hat + e."""
    return (x.w_r - (x.f.prox(x.w_r, x.lam) + x.e)) * x.lam


@claim(
    "pfedme/eq19-b",
    world=near_w("w_r", "e", **symbols("lam")),
    control=Control("at w_r = w_t both sides are 2 lam^2 |e|^2", share="9/10"),
    uses=("pfedme/eq6", "pfedme/prop1a", "pfedme/prop1b"),
    step=True,
    note="At any local points w_r and errors e = theta_tilde - theta_hat. The paper names Proposition 2; it is the "
    "L_F-smoothness of Proposition 1 that gives it.",
)
def eq19_b(x, share=1):
    G_r = x.F.grad(x.w_r)
    left = 2 * (x.sq(local_gradient(x) - G_r) + x.sq(G_r - x.F.grad(x.w)))
    return le(left, share * 2 * (x.lam**2 * x.sq(x.e) + L_F(x) ** 2 * x.sq(x.w_r - x.w)))


ERROR: dict[str, Any] = {**symbols("lam"), "delta": positive(LENGTH), "distance_sq": at_least(0, LENGTH**2)}
OF_SIZE_DELTA = Control("an error of size delta makes both sides equal", share="9/10")


def with_delta(x, error_sq, distance_sq, share):
    """The last inequality of (19) with `error_sq` for E |theta_tilde - theta_hat|^2, under either reading of delta."""
    rest = L_F(x) ** 2 * distance_sq
    return le(2 * (x.lam**2 * error_sq + rest), share * 2 * (x.lam**2 * x.delta**2 + rest))


@claim(
    "pfedme/eq19-c",
    world=OF_A_CLIENT,
    control=OF_SIZE_DELTA,
    uses=("pfedme/sec32-s2",),
    step=True,
    note="At every local round of any client. It is what delta means, times 2 lam^2: a bound on the second moment of the error, as "
    "in Lemma 1; Section 3.2 prints the first moment.",
)
def eq19_c(x, r, share=1):
    return with_delta(x, x.e_sq[r], x.A[r], share)


@claim(
    "pfedme/eq19-c@first-moment",
    world=Scalars(
        **ERROR,
        low=at_least(0, LENGTH),
        high=at_least(0, LENGTH),
        given=(condition("E |theta_tilde - theta_hat| <= delta", lambda x: le((x.low + x.high) / 2, x.delta)),),
    ),
    control=OF_SIZE_DELTA,
    repair="pfedme/eq19-c",
    step=True,
    note="With the delta-approximation as Section 3.2 prints it, E |theta_tilde - theta_hat| <= delta; the error is `low` or "
    "`high` with equal chances. One that is 0 or 2 delta has the second moment 2 delta^2.",
)
def eq19_c_first_moment(x, share=1):
    return with_delta(x, (x.low**2 + x.high**2) / 2, x.distance_sq, share)


@claim(
    "pfedme/eq20-a",
    world=pfedme_round(
        WeaklyConvex("rho"), optimum_of=None, given=(LAM_2RHO,), R=(1, 2), S=(1,), beta=positive(), **symbols("rho")
    ),
    control=Control("the local step is eta, not 2 eta", factor=2),
    step=True,
    note="For every local round r = 1 .. R of the method.",
)
def eq20_a(x, factor=1):
    W, g = local_rounds(x)
    w = x.state.w
    return tuple(
        eq(x.sq(W[r] - w), x.sq(W[r - 1] - w - factor * x.eta * g[r - 1]), f"r = {r}") for r in range(1, x.R + 1)
    )


@claim(
    "pfedme/eq20-b",
    world=Points(None, at=(), clients_at=("a", "u", "v"), **symbols("lam", "eta")),
    control=Control("a = eta (2 G - g) makes both sides equal", share="9/10"),
    uses=("pfedme/prop3",),
    step=True,
    note="Any vectors a = w_{i,r-1} - w_t, g_{i,r-1} = lam u and G = grad F_i(w_t) = lam v.",
)
def eq20_b(x, share=1):
    g, G = x.lam * x.u, x.lam * x.v
    return le(x.sq(x.a - x.eta * g), share * 2 * (x.sq(x.a - x.eta * G) + x.eta**2 * x.sq(g - G)))


def lines(x, distance_sq, G_sq, noise_sq):
    """The right sides of (20), third to fifth line, with `noise_sq` for delta^2."""
    L = L_F(x)
    rest = 2 * (1 + 2 * x.R) * x.eta**2 * G_sq
    noise = 4 * x.eta**2 * x.lam**2 * noise_sq
    third = 2 * (1 + 1 / (2 * x.R)) * distance_sq + rest + 4 * x.eta**2 * (x.lam**2 * noise_sq + L**2 * distance_sq)
    fourth = 2 * (1 + 1 / (2 * x.R) + 2 * x.eta**2 * L**2) * distance_sq + rest + noise
    return third, fourth, unrolling(x, distance_sq, G_sq, noise_sq)


@claim(
    "pfedme/eq20-c",
    world=near_w("w_r", "e", **symbols("lam", "eta", "R")),
    control=Control("for small eta and large R both sides come near 2 |w_r - w_t|^2", share="9/10"),
    uses=("pfedme/eq19-a", "pfedme/eq19-b", "pfedme/eq19-c"),
    step=True,
    note="At any local points w_r and errors e; delta enters the right side only, so |e| stands for the least delta.",
)
def eq20_c(x, share=1):
    G, a = x.F.grad(x.w), x.w_r - x.w
    second = 2 * (x.sq(a - x.eta * G) + x.eta**2 * x.sq(local_gradient(x) - G))
    return le(second, share * lines(x, x.sq(a), x.sq(G), x.sq(x.e))[0])


@claim(
    "pfedme/eq20-d",
    world=Scalars(**symbols("lam", "eta", "R"), **SQUARES),
    control=Control("the sum is not twice itself", factor=2),
    step=True,
)
def eq20_d(x, factor=1):
    third, fourth, _ = lines(x, x.distance_sq, x.G_sq, x.delta**2)
    return eq(third, factor * fourth)


@claim(
    "pfedme/eq20-e",
    world=Scalars(**ROUND, **SQUARES, given=(STEP_LEMMA_5,)),
    control=Control(
        "for R = 1 at the limit of the step size both sides are equal if only the distance counts", share="9/10"
    ),
    uses=("pfedme/lemma5-proof-s1-a", "pfedme/lemma5-proof-s1-b", "pfedme/lemma5-proof-s1-c"),
    step=True,
)
def eq20_e(x, share=1):
    _, fourth, fifth = lines(x, x.distance_sq, x.G_sq, x.delta**2)
    return le(fourth, share * fifth)


@claim(
    "pfedme/eq22",
    world=Sequences("R", **symbols("lam", "eta", "delta"), beta=positive(), G_sq=at_least(0, GRADIENT**2)),
    by=(lemma5_proof_s4_a, lemma5_proof_s4_b, lemma5_proof_s4_c),
    control=Control("for R = 1 the left side is half of the right", share="2/5"),
    step=True,
    note="Between the printed right sides of (21) and (22), for every R; what it says of the iterates, with (21), is the reading "
    "`iterates`.",
)
def eq22(x, share=1):
    return le(bound_21(x, x.G_sq, 2 * powers(x)), share * bound_22(x, x.G_sq))


@claim(
    "pfedme/lemma5-proof-s7",
    world=Points(None, at=(), clients_at=("u", "s"), **ROUND, delta=positive(LENGTH)),
    control=Control("without slack the average of (23) is the bound of Lemma 5", share="9/10"),
    step=True,
    note="grad F_i(w_t) = lam u_i for any vectors; the left sides of (23) are any numbers below the right ones, in the mean "
    "over r by lam^2 |s_i|^2.",
)
def lemma5_proof_s7(x, share=1):
    left = bound_23(x, x.lam**2 * x.sq(x.u)) - x.lam**2 * x.sq(x.s)
    return le(x.mean(left), share * bound_23(x, x.mean(x.lam**2 * x.sq(x.u))))
