"""Theorem 1 for every T, R, S, N and dimension: (30) from its lemmas, and (32) to (35) by induction over T (Section A.4.3).

The quantities are expectations over the history: a lemma holds at every w_t, and what is linear in its quantities holds for
their expectations (tower rule). D is |w_t - w*|^2 and e is F(w_t) - F(w*).
"""

from fedtheory import Control, claim, le, lemma
from fedtheory.premise import Following, Names
from fedtheory.theory.pfedme.conditions import EQ_31, SAMPLED
from fedtheory.theory.pfedme.constants import (
    L_F,
    diversity,
    drift,
    eta_tilde,
    floor,
    gap,
    kappa_F,
    mu_F,
    sampling,
    sigma_F1_sq,
)
from fedtheory.theory.pfedme.round import bound_23, sampling_error
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem1 import C1, C2, C3_kept, keep
from fedtheory.units import GRADIENT, LENGTH, VALUE
from problems import Points, Scalars, at_least, condition, positive
from problems.worlds.derived import DerivedScalars

from ..lemma3.proof import G
from ..lemma3.rounds import lemma3_mean_over_rounds, mean_of_rounds, off_mean
from ..lemma4.statement import lemma4
from ..lemma5.statement import lemma5
from .one_step import AT_A_POINT, CLIENTS, eq25, eq26, eq29_repaired, eq30_b, second_result, solver, thm1_proof_s2

# the quantities, at w = w_t; G is any vector of every client, for g_i, the mean of its g_{i,r} over r


def distance(x):
    """|w_t - w*|^2."""
    return x.sq(x.w - x.w_star)


def value(x):
    """F(w_t) - F(w*)."""
    return gap(x, x.w)


def global_step(x, of):
    """A quantity after w_{t+1} = w_t - eta_tilde/S times the sum of the sampled clients' mean gradients g_i."""
    return x.E(lambda S: of(x.at(w=x.w - x.total_vec(G(x), over=S) * (x.eta_tilde / x.S))))


def selection(x):
    """E|1/S sum over the sampled of grad F_i(w_t) - grad F(w_t)|^2."""
    return sampling_error(x, x.F.grad(x.w))


def spread(x):
    """Mean of |grad F_i(w_t) - grad F(w_t)|^2."""
    return diversity(x, x.w)


def squares(x):
    """Mean of |grad F_i(w_t)|^2."""
    return x.mean(x.sq(x.F.grad(x.w)))


def off(x):
    """Mean over clients and local rounds of |g_{i,r} - grad F_i(w_t)|^2."""
    return drift(x)


def global_sq(x):
    """E|1/S sum over the sampled of g_i|^2."""
    return x.E(lambda S: x.sq(x.total_vec(G(x), over=S) / x.S))


def off_chosen(x):
    """E|1/S sum over the sampled of g_i - grad F_i(w_t)|^2."""
    return x.E(lambda S: x.sq(x.total_vec(G(x) - x.F.grad(x.w), over=S) / x.S))


def gradient_sq(x):
    """|grad F(w_t)|^2."""
    return x.sq(x.mean_vec(x.F.grad(x.w)))


MEANING: Names = {
    "D": distance,
    "D_next": Following(distance, global_step),
    "e": value,
    "V_mean": off_mean,
    "chosen": selection,
    "spread": spread,
    "grad_sq": squares,
    "gradient_sq": gradient_sq,
    "g_sq": global_sq,
    "V_chosen": off_chosen,
    "V": off,
    "sigma_sq": sigma_F1_sq,
}


WITH_G = Points(**AT_A_POINT, clients_at=("u",), sizes={"S": (1, 2, 3), "d": (1, 2)}, **CLIENTS, **symbols("eta_tilde"))


def step_says(x):
    """(14) to (17)."""
    step, mu = x.eta_tilde, mu_F(x)
    return le(x.D_next, (1 - step * mu / 2) * x.D - 2 * step * x.e + 2 * step / mu * x.V_mean + step**2 * x.g_sq)


def three_says(x):
    """(18), first line."""
    return le(x.g_sq, 3 * (x.V_chosen + x.chosen + x.gradient_sq))


def chosen_says(x):
    """(18), what stands below it."""
    return le(x.V_chosen, x.V_mean)


def smooth_says(x):
    """|grad F(w_t)|^2 <= 2 L_F (F(w_t) - F(w*))."""
    return le(x.gradient_sq, 2 * L_F(x) * x.e)


def meant(x, *names):
    """An instance with the quantities of these names."""
    return x.at(**{name: MEANING[name](x) for name in names})


@claim(
    "pfedme/lemma3@step",
    world=WITH_G,
    control=Control(
        "for an exact step on a quadratic of curvature mu_F it is (1 - eta_tilde mu_F)^2 of the distance", share="1/2"
    ),
    step=True,
    note="Any vectors g_i for the means of the g_{i,r} over r.",
)
def lemma3_step(x, share=1):
    says = step_says(meant(x, "D", "D_next", "e", "V_mean", "g_sq"))
    return le(says.lhs, share * says.rhs)


@claim(
    "pfedme/lemma3@three",
    world=WITH_G,
    control=Control("three equal parts make both sides equal", share="3/5"),
    step=True,
)
def lemma3_three(x, share=1):
    says = three_says(meant(x, "g_sq", "V_chosen", "chosen", "gradient_sq"))
    return le(says.lhs, share * says.rhs)


@claim(
    "pfedme/lemma3@chosen",
    world=WITH_G,
    control=Control("S = 1 makes both sides equal", share="9/10"),
    step=True,
)
def lemma3_chosen(x, share=1):
    says = chosen_says(meant(x, "V_chosen", "V_mean"))
    return le(says.lhs, share * says.rhs)


@claim(
    "pfedme/lemma2@gradients",
    world=Points(**AT_A_POINT, sizes={"d": (1, 2)}, **CLIENTS),
    control=Control("at w = w* both sides are multiples of sigma_{F,1}^2, 1 and 2", share="2/5"),
    step=True,
)
def lemma2_gradients(x, share=1):
    return le(squares(x), share * (4 * L_F(x) * value(x) + 2 * sigma_F1_sq(x)))


# (30), for every R, S, N and dimension


def UNITS(*names):
    """Quantities, none of them negative."""
    lengths = {name: at_least(0, LENGTH**2) for name in ("D", "D_next")}
    values = {"e": at_least(0, VALUE)}
    known = {**lengths, **values}
    return {name: known.get(name, at_least(0, GRADIENT**2)) for name in names}


ROUND = {**CLIENTS, **symbols("eta", "beta", "R"), "delta": positive(LENGTH)}
CLIENT_COUNTS = {"N": at_least(2), **symbols("S")}
DERIVED = {"L_F": L_F, "mu_F": mu_F, "eta_tilde": eta_tilde}


def lemma5_says(x):
    return le(x.V, bound_23(x, x.grad_sq))


def lemma4_says(x):
    return le(x.chosen, sampling(x) * x.spread)


def eq25_says(x):
    return le(sampling(x) * x.spread, sampling(x) * (4 * L_F(x) * x.e + 2 * x.sigma_sq))


def gradients_says(x):
    return le(x.grad_sq, 4 * L_F(x) * x.e + 2 * x.sigma_sq)


def mean_says(x):
    return le(x.V_mean, x.V)


def mean_over_rounds(rho):
    """Proposition 3 for the local rounds, with `rho` as a function of the instance."""
    return lemma(
        lemma3_mean_over_rounds,
        mean_says,
        meaning={name: MEANING[name] for name in ("V", "V_mean")},
        names={"w": lambda x: x.state.w, "u": mean_of_rounds},
        at={"rho": rho},
    )


CONVEX_ROUNDS = mean_over_rounds(lambda x: x.lam / 4)


@claim(
    "pfedme/lemma3@every-R",
    world=DerivedScalars(
        {"eta_tilde": eta_tilde},
        **ROUND,
        **UNITS("D", "D_next", "e", "V_mean", "V", "g_sq", "V_chosen", "chosen", "gradient_sq"),
        given=(
            CONVEX_ROUNDS,
            lemma(lemma3_step, step_says, meaning=MEANING),
            lemma(lemma3_three, three_says, meaning=MEANING),
            lemma(lemma3_chosen, chosen_says, meaning=MEANING),
            lemma(thm1_proof_s2, smooth_says, meaning=MEANING),
        ),
    ),
    control=Control("without errors, for small eta_tilde, both sides are nearly |w_t - w*|^2", share="1/2"),
    note="Lemma 3 under Assumption 1(a), for every R, S, N and dimension.",
)
def lemma3_every_R(x, share=1):
    step, mu = x.eta_tilde, mu_F(x)
    kept = (1 - step * mu / 2) * x.D - step * (2 - 6 * L_F(x) * step) * x.e
    return le(x.D_next, share * (kept + step * (3 * step + 2 / mu) * x.V + 3 * step**2 * x.chosen))


def explicit_floor(x):
    """C_1 + eta_tilde C_2 + eta_tilde^2/beta^2 C_3 with the L_F of (28)."""
    return floor(x, x.eta_tilde, C3_kept(x, x.sigma_sq), C2(x, x.sigma_sq), C1(x))


def numbers(*names):
    """Any numbers of at least 0."""
    return {name: at_least(0) for name in names}


@claim(
    "pfedme/eq29@chain",
    world=Scalars(
        **numbers("left", "p", "k", "G", "g", "right"),
        given=(
            condition("left <= p + k G", lambda x: le(x.left, x.p + x.k * x.G)),
            condition("G <= g", lambda x: le(x.G, x.g)),
            condition("p + k g <= right", lambda x: le(x.p + x.k * x.g, x.right)),
        ),
    ),
    control=Control("all of them may hold with equality", share="1/2"),
    step=True,
)
def eq29_chain(x, share=1):
    return le(x.left, share * x.right)


def right_29(x):
    """Right side of (29) with the L_F of (28)."""
    middle = x.eta_tilde**2 / x.beta * 768 * kappa_F(x) * x.L_F * x.e
    return x.eta_tilde * C1(x) + middle + x.eta_tilde**3 / x.beta**2 * C3_kept(x, x.sigma_sq)


AT_29 = {
    "left": lambda x: x.eta_tilde * (3 * x.eta_tilde + 2 / x.mu_F) * x.V,
    "p": lambda x: second_result(x, solver(x)),
    "k": lambda x: 384 * x.eta_tilde**3 / x.beta**2 * L_F(x) ** 2 / mu_F(x),
    "G": lambda x: x.grad_sq,
    "g": lambda x: 4 * L_F(x) * x.e + 2 * x.sigma_sq,
    "right": right_29,
}


@claim(
    "pfedme/eq29@every-R",
    world=DerivedScalars(
        DERIVED,
        **ROUND,
        **UNITS("e", "V", "grad_sq", "sigma_sq"),
        given=(
            EQ_31,
            lemma(
                lemma5, lemma5_says, meaning=MEANING, names={"w": lambda x: x.state.w}, at={"rho": lambda x: x.lam / 4}
            ),
            lemma(lemma2_gradients, gradients_says, meaning=MEANING),
            lemma(eq26, at={"drift": lambda x: x.V}),
            lemma(eq29_repaired, at={"distance": lambda x: x.e}),
            lemma(eq29_chain, at=AT_29),
        ),
    ),
    control=Control(
        "without gradients and for small eta_tilde the right side is 16 eta_tilde delta^2 lam^2/mu_F", share="1/20"
    ),
    step=True,
    note="The second auxiliary result, (26) to (29), for every R and N.",
)
def eq29_every_R(x, share=1):
    return le(x.eta_tilde * (3 * x.eta_tilde + 2 / x.mu_F) * x.V, share * right_29(x))


@claim(
    "pfedme/eq25@every-S",
    world=Scalars(
        **symbols("lam", "mu"),
        **CLIENT_COUNTS,
        **UNITS("e", "chosen", "spread", "sigma_sq"),
        given=(
            SAMPLED,
            lemma(lemma4, lemma4_says, meaning=MEANING),
            lemma(eq25, eq25_says, meaning=MEANING),
        ),
    ),
    control=Control("at w = w* the right side is 2 sampling sigma_{F,1}^2, twice the left one", share="2/5"),
    step=True,
    note="The first auxiliary result, (24) and (25), for every S and N.",
)
def eq25_every_S(x, share=1):
    return le(x.chosen, share * sampling(x) * (4 * L_F(x) * x.e + 2 * x.sigma_sq))


@claim(
    "pfedme/eq30@chain",
    world=Scalars(
        **numbers("after", "gone", "kept", "W", "U", "v", "c", "C"),
        given=(
            condition("after + gone <= kept + W + v c", lambda x: le(x.after + x.gone, x.kept + x.W + x.v * x.c)),
            condition("W <= U", lambda x: le(x.W, x.U)),
            condition("c <= C", lambda x: le(x.c, x.C)),
        ),
    ),
    control=Control("all of them may hold with equality", share="1/2"),
    step=True,
)
def eq30_chain(x, share=1):
    return le(x.after + x.gone, share * (x.kept + x.U + x.v * x.C))


AT_30 = {
    "after": lambda x: x.D_next,
    "gone": lambda x: x.eta_tilde * (2 - 6 * x.L_F * x.eta_tilde) * x.e,
    "kept": lambda x: keep(x) * x.D,
    "W": AT_29["left"],
    "U": right_29,
    "v": lambda x: 3 * x.eta_tilde**2,
    "c": lambda x: x.chosen,
    "C": lambda x: sampling(x) * (4 * L_F(x) * x.e + 2 * x.sigma_sq),
}


@claim(
    "pfedme/eq31@short",
    world=DerivedScalars({"L_F": L_F, "mu_F": mu_F}, **CLIENTS, **symbols("eta_tilde", "beta"), given=(EQ_31,)),
    control=Control("for a large beta the largest step is nearly 1/(18 L_F)", share="9/10"),
    step=True,
    note="(31) says that 18 eta_tilde L_F <= 1.",
)
def eq31_short(x, share=1):
    return le(18 * x.eta_tilde * x.L_F, share)


@claim(
    "pfedme/eq30@every-R",
    world=DerivedScalars(
        DERIVED,
        **ROUND,
        **CLIENT_COUNTS,
        **UNITS("D", "D_next", "e", "V", "V_mean", "chosen", "sigma_sq"),
        given=(
            EQ_31,
            SAMPLED,
            CONVEX_ROUNDS,
            lemma(eq31_short),
            lemma(lemma3_every_R),
            lemma(eq25_every_S),
            lemma(eq29_every_R),
            lemma(eq30_b, at={"distance": lambda x: x.e, "Delta": lambda x: x.D}),
            lemma(eq30_chain, at=AT_30),
        ),
    ),
    control=Control("for small eta_tilde and no errors both sides are nearly |w_t - w*|^2", share="1/2"),
    step=True,
    note="(30) under Assumption 1(a), for every R, S, N and dimension, with the L_F of (28) in C_3.",
)
def eq30_every_R(x, share=1):
    return le(x.D_next, share * (keep(x) * x.D - x.eta_tilde * x.e + x.eta_tilde * explicit_floor(x)))
