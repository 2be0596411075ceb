"""Theorem 2, (44): along runs of the method, as it is printed, and one round as it can be repaired (Section A.5)."""

from fedtheory import Control, claim, le, use
from fedtheory.theory.pfedme.conditions import EQ_43, LAM_THEOREM_2, SAMPLED
from fedtheory.theory.pfedme.constants import L_F, eta_tilde, floor, largest_eta2, room, sampling, sigma_F2_sq
from fedtheory.theory.pfedme.round import bound_23
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem2 import C4, C5, C6, C4_brace, C5_brace, C6_brace
from fedtheory.units import GRADIENT
from problems import Points, Scalars, Smooth, at_least, condition, positive
from problems.worlds.derived import formula

from ..worlds.two_clients import L_A_QUARTER, SOLVED_EXACTLY, HuberAndLinear
from .descent import bound_42

BIASED = HuberAndLinear(
    scalars={**symbols("lam", "beta"), "a": positive(GRADIENT)},
    given=(LAM_THEOREM_2, EQ_43),
    sizes={"m": (2,), "d": (1,), "R": (2,), "S": (2,), "T": (1, 2)},
    f=Smooth("L"),
    envelope="lam",
    diversity="sigma_f_sq",
    derived={
        **L_A_QUARTER,
        "eta": formula("eta2_hat/(beta R)", largest_eta2),
        **SOLVED_EXACTLY,
        "eta_tilde": eta_tilde,
    },
)


def eq44_with(x, share, braces=(C4, C5, C6)):
    """(44) with `share` in place of the one half and `braces` for C_4, C_5, C_6; C_5 is 0, since both clients are sampled."""
    variance, (first, second, third) = sigma_F2_sq(x), braces
    gradients = x.expected(lambda state: x.sq(x.mean_vec(x.F.grad(state.w))))[:-1]
    values = x.expected(lambda state: x.mean(x.F.value(state.w)))
    decrease = (values[0] - values[-1]) / (x.eta_tilde * x.T)
    errors = floor(x, x.eta_tilde, first(x, variance), second(x, variance), third(x))
    return le(share * sum(gradients) / x.T, decrease + errors)


TOO_MUCH = (
    "rounds leave a point with grad F > 0 as it is, and lam times its square grows faster in lam than the right side"
)


@claim(
    "pfedme/eq44",
    world=BIASED,
    control=Control(TOO_MUCH, lambda x: eq44_with(x, x.lam)),
    repair="pfedme/eq44~repaired",
    uses=("pfedme/eq42", "pfedme/eq44@from-42"),
    step=True,
    note="The relation itself, along runs of the method, with C_4, C_5, C_6 read without the powers of the step in their "
    "braces. It fails on two clients with different curvatures for large lam: C_4 lacks the factor L_F^2 that (40) lost. "
    "From (42) in every round it does follow, see the reading `from-42`.",
)
def eq44(x):
    return eq44_with(x, x.ratio(1, 2))


BRACES = (
    lambda x, variance: C4_brace(x, x.eta_tilde, variance),
    lambda x, variance: C5_brace(x, x.eta_tilde, variance),
    lambda x: C6_brace(x, x.eta_tilde),
)


@claim(
    "pfedme/eq44@literal",
    world=BIASED,
    control=Control(TOO_MUCH, lambda x: eq44_with(x, x.lam, BRACES)),
    repair="pfedme/eq44~repaired",
    step=True,
    note="Along runs of the method, with C_4, C_5, C_6 as the braces of (42) define them, powers of the step included, so that "
    "(44) has them twice.",
)
def eq44_literal(x):
    return eq44_with(x, x.ratio(1, 2), BRACES)


SHORT_STEP = condition("75 eta_tilde L_F <= 1", lambda x: le(75 * x.eta_tilde * L_F(x), 1))


@claim(
    "pfedme/eq44~split",
    world=Points(
        None,
        at=(),
        clients_at=("u", "v"),
        sizes={"m": (2, 3, 4), "S": (1, 2, 3)},
        **symbols("lam", "eta_tilde"),
        given=(SHORT_STEP,),
    ),
    control=Control(
        "with g_t = 0 the left side is 0 and the drift is |grad F|^2, so half of it is too little", three="5/2"
    ),
    step=True,
    note="In place of (36) and (37): -<a, b> = (|a - b|^2 - |a|^2 - |b|^2)/2 keeps the square that Cauchy-Schwarz drops, for "
    "any gradients.",
)
def eq44_split(x, three=3):
    G, step, curve = x.lam * x.mean_vec(x.u), x.eta_tilde, L_F(x)
    square = x.E(lambda S: x.sq(x.lam * x.total_vec(x.v, over=S) / x.S))
    left = -step * x.dot(G, x.lam * x.mean_vec(x.v)) + step**2 * curve / 2 * square
    drift, spread = x.mean(x.sq(x.lam * (x.v - x.u))), x.mean(x.sq(x.lam * x.u - G))
    right = -21 * step / 40 * x.sq(G) + three * step / 5 * drift
    return le(left, right + 5 * step**2 * curve / 8 * sampling(x) * spread)


@claim(
    "pfedme/eq44@gradient",
    world=Scalars(
        given=(LAM_THEOREM_2, EQ_43, SAMPLED),
        **symbols("lam", "L", "beta"),
        N=at_least(2),
        **symbols("S", "eta_tilde"),
    ),
    control=Control("for beta = 1, lam near 1 and the largest step the left side is above 144/28125", small=200),
    step=True,
    note="What the drift and the sampling add to |grad F(w_t)|^2 is made good by the fortieth that `eq44~split` keeps.",
)
def eq44_gradient(x, small=40):
    drift = x.ratio(144, 5) * x.eta_tilde**2 * L_F(x) ** 2 / x.beta**2 * x.lam**2 / room(x)
    return le(small * (drift + 5 * x.eta_tilde * L_F(x) * sampling(x) * x.L**2 / room(x)), 1)


def terms(x, more=1):
    """`eq44~split` at the bounds of Lemmas 2 (b) and 5 against (42), divided by eta_tilde."""
    spread = 2 * x.variance + 8 * x.c * x.grad_sq
    drift = 2 * x.noise + 16 * x.A * (3 * (spread + x.grad_sq) + 2 * x.noise / x.R)
    left = -21 * x.grad_sq / 40 + 3 * drift / 5 + 5 * x.B / 8 * spread
    errors = x.A * 16 * (6 * x.R * x.variance + 2 * x.noise) / x.R + 3 * x.B * x.variance + 2 * x.noise
    return le(left, errors - more * x.grad_sq / 2)


@claim(
    "pfedme/eq44@terms",
    world=Scalars(
        **{name: at_least(0) for name in ("A", "B", "c", "variance", "grad_sq", "noise")},
        R=at_least(1),
        given=(
            condition(
                "40 (144/5 A (1 + 8 c) + 5 B c) <= 1",
                lambda x: le(40 * (x.ratio(144, 5) * x.A * (1 + 8 * x.c) + 5 * x.B * x.c), 1),
            ),
        ),
    ),
    control=Control("without errors the left side is near -21/40 of |grad F|^2, so 11/20 is too much", more="11/10"),
    step=True,
    note="For A = eta_tilde^2 L_F^2/beta^2, B = eta_tilde L_F (N/S - 1)/(N - 1), c = L^2/(lam^2 - 8 L^2).",
)
def eq44_terms(x, more=1):
    return terms(x, more)


AT_TERMS = {
    "A": lambda x: (x.eta_tilde * L_F(x) / x.beta) ** 2,
    "B": lambda x: x.eta_tilde * L_F(x) * sampling(x),
    "c": lambda x: x.L**2 / room(x),
    "noise": lambda x: (x.lam * x.delta) ** 2,
}


@claim(
    "pfedme/eq42@bounds",
    world=Scalars(
        given=(LAM_THEOREM_2, EQ_43, SAMPLED),
        **symbols("lam", "L", "beta"),
        N=at_least(2),
        **symbols("S", "R", "eta_tilde", "delta"),
        variance=at_least(0, GRADIENT**2),
        grad_sq=at_least(0, GRADIENT**2),
    ),
    by=(eq44_gradient, use(eq44_terms, **AT_TERMS)),
    control=Control("without errors the left side is near -21/40 of |grad F|^2, so 11/20 is too much", more="11/10"),
    step=True,
    note="Arithmetic of (42), of any numbers: `eq44~split` at the bounds of Lemmas 2 (b) and 5, with L_F^2 C_4 for C_4 and 2 "
    "sigma_{F,2}^2 for sigma_{F,2}^2. The one half and (43) stay, since `eq44~split` makes good the half that (41) loses.",
)
def eq42_bounds(x, more=1):
    step, curve = x.eta_tilde, L_F(x)
    spread = 2 * x.variance + 8 * x.L**2 / room(x) * x.grad_sq
    drift = bound_23(x, spread + x.grad_sq, step)
    left = -21 * step / 40 * x.grad_sq + 3 * step / 5 * drift + 5 * step**2 * curve / 8 * sampling(x) * spread
    return le(left, bound_42(x, more * x.ratio(1, 2), curve**2, factor=2))
