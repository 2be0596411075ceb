"""Theorem 2, one round: (36) to (39) (Section A.5).

Where a step is algebra the gradients are any vectors: ``grad F_i(w_t) = lam u_i``, and ``lam v_i`` the mean of the
g_{i,r} over the local rounds.
"""

from fractions import Fraction
from typing import Any

from fedtheory import Control, claim, eq, le, use
from fedtheory.theory.pfedme.conditions import EQ_43, LAM_2L, LAM_8L_SQ, LAM_THEOREM_2, SAMPLED
from fedtheory.theory.pfedme.constants import L_F, diversity, eta_tilde, sampling, sigma_F2_sq
from fedtheory.theory.pfedme.round import bound_23, sampling_error
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem2 import bound_38, bound_39
from fedtheory.units import GRADIENT, STEP
from problems import Points, Scalars, Smooth, at_least, between, condition, positive, real

from ..lemma4.statement import lemma4
from ..lemma5.statement import OF_ALL_CLIENTS, all_rounds, drift, lemma5
from .descent import thm2_proof_s1_repaired

SUBSETS = {"S": (1, 2, 3)}
ANY_GRADIENTS = {"clients_at": ("u", "v"), "sizes": SUBSETS, **symbols("lam", "eta_tilde")}
SMOOTH: dict[str, Any] = {"f": Smooth("L"), "envelope": "lam", "diversity": "sigma_f_sq"}


@claim(
    "pfedme/eq36-a",
    world=Points(Smooth("L"), envelope="lam", at=("w", "w_next"), given=(LAM_2L,), **symbols("lam", "L")),
    control=Control("envelopes of L-smooth clients with lam > 2 L have curvatures above -lam", sign=-1),
    uses=("pfedme/prop1b",),
    step=True,
    note="At every outcome of w_{t+1}, any point; the expectation is its average.",
)
def eq36_a(x, sign=1):
    move = x.w_next - x.w
    left = x.mean(x.F.value(x.w_next) - x.F.value(x.w))
    return le(left, x.dot(x.mean_vec(x.F.grad(x.w)), move) + sign * L_F(x) / 2 * x.sq(move))


def gradients(x):
    """grad F(w_t), g_t as a function of the selection, and eta_tilde^2 L_F/2 E |g_t|^2, from any vectors."""
    G = x.lam * x.mean_vec(x.u)

    def g(S):
        return x.lam * x.total_vec(x.v, over=S) / x.S

    return G, g, x.eta_tilde**2 * L_F(x) / 2 * x.E(lambda S: x.sq(g(S)))


@claim(
    "pfedme/eq36-b",
    world=Points(None, **ANY_GRADIENTS),
    control=Control("w_{t+1} - w_t is -eta_tilde g_t, not -2 eta_tilde g_t", factor=2),
    uses=("pfedme/a41-s4-c",),
    step=True,
    note="With w_{t+1} = w_t - eta_tilde g_t (A.4.1).",
)
def eq36_b(x, factor=1):
    G, g, square = gradients(x)

    def move(S):
        return (x.w - x.eta_tilde * g(S)) - x.w

    left = x.E(lambda S: x.dot(G, move(S))) + L_F(x) / 2 * x.E(lambda S: x.sq(move(S)))
    return eq(left, -factor * x.eta_tilde * x.E(lambda S: x.dot(G, g(S))) + square)


@claim(
    "pfedme/eq36-c",
    world=Points(None, **ANY_GRADIENTS),
    control=Control("|grad F|^2 is subtracted once, not twice", once=2),
    step=True,
)
def eq36_c(x, once=1):
    G, g, square = gradients(x)
    left = -x.eta_tilde * x.E(lambda S: x.dot(G, g(S))) + square
    right = -once * x.eta_tilde * x.sq(G) - x.eta_tilde * x.E(lambda S: x.dot(G, g(S) - G)) + square
    return eq(left, right)


@claim(
    "pfedme/eq36-d",
    world=Points(None, **ANY_GRADIENTS),
    control=Control(
        "with g_t = 0 the inner product is |grad F|^2 and both squares are, so a third of them is too little",
        share="2/3",
    ),
    step=True,
)
def eq36_d(x, share=1):
    G, g, square = gradients(x)
    left = -x.eta_tilde * x.sq(G) - x.eta_tilde * x.E(lambda S: x.dot(G, g(S) - G)) + square
    halves = x.eta_tilde / 2 * (x.sq(G) + x.sq(x.lam * x.mean_vec(x.v - x.u)))
    return le(left, -x.eta_tilde * x.sq(G) + share * halves + square)


@claim(
    "pfedme/eq37",
    world=Points(None, at=(), **ANY_GRADIENTS, spread=at_least(0, GRADIENT**2)),
    control=Control(
        "with g_{i,r} = grad F_i and all clients sampled |g_t|^2 is |grad F|^2, so the third half must be at least one half",
        three="1/2",
    ),
    uses=("pfedme/eq18-a", "pfedme/eq18-b"),
    step=True,
    note="The g_{i,r} enter by their mean and by `spread`, the mean over clients of their variance over the R local rounds, "
    "any R. (18) up to its last inequality, which bounds |grad F|^2 by function values and is not used here.",
)
def eq37(x, three=3):
    G, (mean, _, square), step = x.lam * x.u, gradients(x), x.eta_tilde
    error = x.lam * (x.v - x.u)
    left = -step * x.sq(mean) + step / 2 * x.sq(mean) + step / 2 * x.sq(x.mean_vec(error)) + square
    sampled = x.E(lambda S: x.sq(x.total_vec(G, over=S) / x.S - mean))
    right = (
        -step / 2 * x.sq(mean)
        + three * L_F(x) * step**2 / 2 * sampled
        + step * (1 + three * L_F(x) * step) / 2 * (x.mean(x.sq(error)) + x.spread)
        + three * step**2 * L_F(x) / 2 * x.sq(mean)
    )
    return le(left, right)


def left_38(x, grad_sq, sampled, drift):
    """Left side of (38): |grad F|^2, the error of the sampling and the mean drift by number."""
    step = x.eta_tilde
    squares = -step / 2 * grad_sq + 3 * L_F(x) * step**2 / 2 * sampled + 3 * step**2 * L_F(x) / 2 * grad_sq
    return squares + step * (1 + 3 * L_F(x) * step) / 2 * drift


EQUAL_GRADIENTS = Control(
    "equal gradients have no variance, so the mean square is |grad F|^2 and not half of it", share="1/2"
)


@claim(
    "pfedme/eq38@numbers",
    world=Scalars(
        **symbols("R", "delta", "lam", "eta_tilde", "S"),
        beta=positive(),
        N=at_least(2),
        **{name: real(GRADIENT**2) for name in ("grad_sq", "spread", "sampled", "drift", "squares")},
        given=(
            SAMPLED,
            condition("sampled <= (N/S - 1)/(N - 1) spread", lambda x: le(x.sampled, sampling(x) * x.spread)),
            condition(
                "drift <= 2 lam^2 delta^2 + 16 L_F^2 eta_tilde^2/beta^2 (3 squares + 2 lam^2 delta^2/R)",
                lambda x: le(x.drift, bound_23(x, x.squares, x.eta_tilde)),
            ),
            condition("squares = spread + grad_sq", lambda x: eq(x.squares, x.spread + x.grad_sq)),
        ),
    ),
    control=EQUAL_GRADIENTS,
    step=True,
    note="Arithmetic of (38), of any numbers with these relations.",
)
def eq38_numbers(x, share=1):
    left = left_38(x, x.grad_sq, x.sampled, x.drift)
    return le(left, bound_38(x, x.grad_sq, x.spread, x.spread + share * x.grad_sq))


AT_38 = {
    "eta_tilde": eta_tilde,
    "grad_sq": lambda x: x.gradient_sq,
    "spread": lambda x: x.spread,
    "sampled": lambda x: x.sampled,
    "squares": lambda x: x.G_sq,
    "drift": drift,
}


@claim(
    "pfedme/eq38",
    world=all_rounds(
        m=(2, 3),
        more_sizes=SUBSETS,
        quantities={
            **OF_ALL_CLIENTS,
            "gradient_sq": lambda x: x.sq(x.mean_vec(x.F.grad(x.w))),
            "spread": lambda x: diversity(x, x.w),
            "sampled": lambda x: sampling_error(x, x.F.grad(x.w)),
        },
    ),
    by=(
        lemma5,
        lemma4,
        use(thm2_proof_s1_repaired, X=lambda x: x.F.grad(x.w)),
        use(eq38_numbers, **AT_38),
    ),
    control=EQUAL_GRADIENTS,
    uses=("pfedme/cond-eta2",),
    step=True,
    note="From Lemmas 4 and 5 at the method's local rounds, for every R, S and N, under the step size of Lemma 5, which (43) "
    "implies. N = 1 makes the factor 0/0.",
)
def eq38(x, share=1):
    y = x.at(eta_tilde=eta_tilde(x))
    left = left_38(y, x.gradient_sq, x.sampled, drift(x))
    return le(left, bound_38(y, x.gradient_sq, x.spread, x.spread + share * x.gradient_sq))


def eq39_with(x, variance):
    """(39) with `variance` in place of sigma_{F,2}^2."""
    grad_sq, spread = x.sq(x.mean_vec(x.F.grad(x.w))), diversity(x, x.w)
    return le(bound_38(x, grad_sq, spread, spread + grad_sq), bound_39(x, grad_sq, variance))


LINEAR = "for linear clients whose slopes sum to zero the diversity is sigma_f^2, which two fifths of it cannot hold"


@claim(
    "pfedme/eq39",
    world=Points(
        **SMOOTH,
        sizes={"m": (2, 3), **SUBSETS, "d": (1, 2), "R": (1, 2)},
        given=(LAM_THEOREM_2, EQ_43),
        **symbols("L", "beta", "delta", "lam"),
        eta_tilde=between(0, Fraction(1, 75), STEP, closed=False),  # since lam > 1
    ),
    control=Control(LINEAR, share="2/5"),
    repair="pfedme/eq39~repaired",
    uses=("pfedme/lemma2b",),
    step=True,
    note="Lemma 2 (b) bounds the diversity by 2 sigma_{F,2}^2 + ..., with sigma_{F,2}^2 as its brace defines it; (39) "
    "has sigma_{F,2}^2.",
)
def eq39(x, share=1):
    return eq39_with(x, share * sigma_F2_sq(x))


@claim(
    "pfedme/eq39~repaired",
    world=Points(
        **SMOOTH,
        sizes={"m": (2, 3), **SUBSETS, "d": (1, 2)},
        given=(LAM_8L_SQ,),
        **symbols("R", "L", "beta", "delta", "lam", "eta_tilde"),
    ),
    control=Control(LINEAR, twice="2/5"),
    uses=("pfedme/lemma2b",),
    step=True,
    note="2 sigma_{F,2}^2 in both places; under the condition of Lemma 2 alone, for any real R >= 1.",
)
def eq39_repaired(x, twice=2):
    return eq39_with(x, twice * sigma_F2_sq(x))
