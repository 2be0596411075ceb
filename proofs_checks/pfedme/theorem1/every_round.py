"""Theorem 1 for every T, R, S, N and dimension: one round of the method, (24) to (30) from their lemmas (Section A.4.3).

The run is the method: every round runs R local rounds on every client, whatever its functions and its errors are, and moves w
by the mean gradients of the S sampled clients. The quantities are expectations over the draws so far. D is |w_t - w*|^2 and e
is F(w_t) - F(w*).
"""

from fedtheory import Control, claim, le, use
from fedtheory.theory.pfedme.conditions import EQ_31
from fedtheory.theory.pfedme.constants import (
    L_F,
    diversity,
    eta_tilde,
    floor,
    gap,
    kappa_F,
    mu_F,
    sampling,
    sigma_F1_sq,
)
from fedtheory.theory.pfedme.round import sampling_error
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem1 import C1, C2, C3_kept, bracket, keep
from problems import Points, Run, Scalars, StronglyConvex, at_least, condition, last
from problems.worlds.derived import DerivedScalars

from ..lemma3.proof import G
from ..lemma3.rounds import SUMMED, lemma5_mean_gradient
from ..lemma4.statement import lemma4
from .one_step import (
    AT_A_POINT,
    CLIENTS,
    eq25,
    eq26_numbers,
    eq29_repaired,
    eq30_b,
    second_result,
    solver,
    thm1_proof_s2,
)

# the quantities, at w = w_t; lam u_i is g_i, the mean of the g_{i,r} over r


def distance(x):
    """|w_t - w*|^2."""
    return x.sq(x.w - x.w_star)


def value(x):
    """F(w_t) - F(w*)."""
    return gap(x, x.w)


def selection(x):
    """E|1/S sum over the sampled of grad F_i(w_t) - grad F(w_t)|^2."""
    return sampling_error(x, x.F.grad(x.w))


def spread(x):
    """Mean of |grad F_i(w_t) - grad F(w_t)|^2."""
    return diversity(x, x.w)


def squares(x):
    """Mean of |grad F_i(w_t)|^2."""
    return x.mean(x.sq(x.F.grad(x.w)))


def off_mean(x):
    """Mean over clients of |g_i - grad F_i(w_t)|^2."""
    return x.mean(x.sq(G(x) - x.F.grad(x.w)))


def global_sq(x):
    """E|1/S sum over the sampled of g_i|^2."""
    return x.E(lambda S: x.sq(x.total_vec(G(x), over=S) / x.S))


def off_chosen(x):
    """E|1/S sum over the sampled of g_i - grad F_i(w_t)|^2."""
    return x.E(lambda S: x.sq(x.total_vec(G(x) - x.F.grad(x.w), over=S) / x.S))


def gradient_sq(x):
    """|grad F(w_t)|^2."""
    return x.sq(x.mean_vec(x.F.grad(x.w)))


WITH_G = Points(**AT_A_POINT, clients_at=("u",), sizes={"S": (1, 2, 3), "d": (1, 2)}, **CLIENTS, **symbols("eta_tilde"))


@claim(
    "pfedme/lemma3@step",
    world=WITH_G,
    control=Control(
        "for an exact step on a quadratic of curvature mu_F it is (1 - eta_tilde mu_F)^2 of the distance", share="1/2"
    ),
    step=True,
    note="(14) to (17), for any vectors g_i in the place of the means of the g_{i,r} over r.",
)
def lemma3_step(x, share=1):
    step, mu = x.eta_tilde, mu_F(x)
    after = x.E(lambda S: x.sq(x.w - x.total_vec(G(x), over=S) * (step / x.S) - x.w_star))
    kept = (1 - step * mu / 2) * distance(x) - 2 * step * value(x)
    return le(after, share * (kept + 2 * step / mu * off_mean(x) + step**2 * global_sq(x)))


@claim(
    "pfedme/lemma3@three",
    world=WITH_G,
    control=Control("three equal parts make both sides equal", share="3/5"),
    step=True,
    note="(18), first line.",
)
def lemma3_three(x, share=1):
    return le(global_sq(x), share * 3 * (off_chosen(x) + selection(x) + gradient_sq(x)))


@claim(
    "pfedme/lemma3@chosen",
    world=WITH_G,
    control=Control("S = 1 makes both sides equal", share="9/10"),
    step=True,
    note="(18), what stands below it.",
)
def lemma3_chosen(x, share=1):
    return le(off_chosen(x), share * off_mean(x))


@claim(
    "pfedme/lemma2@gradients",
    world=Points(**AT_A_POINT, sizes={"d": (1, 2)}, **CLIENTS),
    control=Control("at w = w* both sides are multiples of sigma_{F,1}^2, 1 and 2", share="2/5"),
    step=True,
)
def lemma2_gradients(x, share=1):
    return le(squares(x), share * (4 * L_F(x) * value(x) + 2 * sigma_F1_sq(x)))


# the method, for every R, S, N and dimension


def mean_gradient(x):
    """g_i, from the sum s_i over the local rounds of (g_{i,r} - grad F_i(w_t))/lam."""
    return x.lam * x.s / x.R + x.F.grad(x.w)


def u(x):
    """g_i/lam."""
    return mean_gradient(x) / x.lam


def of_u(quantity):
    """A quantity of `WITH_G` at the method's mean gradients."""
    return lambda x: quantity(x.at(u=u(x)))


def sampled_step(x, S):
    """w_{t+1} of the sampled clients."""
    return x.w - x.total_vec(mean_gradient(x), over=S) * (x.eta_tilde / x.S)


def round_of(f, quantities, given=(), at=("w",), clients_at=(), **options):
    """Global rounds of the method on clients of a class."""
    of_method = {"S": (1, 2), "R": (1, 2), "d": (1, 2), "m": (2, 3)}
    return Run(
        f, envelope="lam", at=at, clients_at=("s", *clients_at), within={"s": last(SUMMED, "s")}, sizes=of_method,
        step={"w": sampled_step},
        quantities=quantities, given=given, **symbols("lam", "eta", "beta", "delta"), **options,
    )  # fmt: skip


OF_A_ROUND = {
    "V_mean": of_u(off_mean), "g_sq": of_u(global_sq), "V_chosen": of_u(off_chosen),
    "chosen": selection, "spread": spread, "grad_sq": squares, "gradient_sq": gradient_sq,
}  # fmt: skip
DERIVED = {"L_F": L_F, "mu_F": mu_F, "eta_tilde": eta_tilde}


def rounds(quantities=None, given=(EQ_31,), derived=None, **options):
    """Rounds under Assumption 1(a)."""
    own = {"D": distance, "e": value, "sigma_sq": sigma_F1_sq, **OF_A_ROUND, **(quantities or {})}
    return round_of(
        StronglyConvex("mu"),
        own,
        given,
        optimum_of="F",
        derived={**DERIVED, **(derived or {})},
        **symbols("mu"),
        **options,
    )


ROUNDS = rounds()
ANY_STEP = rounds(given=())


@claim(
    "pfedme/lemma3@every-R",
    world=ANY_STEP,
    by=(
        use(lemma3_step, u=u),
        use(lemma3_three, u=u),
        use(lemma3_chosen, u=u),
        thm1_proof_s2,
    ),
    control=Control("without errors, for small eta_tilde, both sides are nearly |w_t - w*|^2", share="1/2"),
    note="Lemma 3 under Assumption 1(a), for every R, S, N and dimension, with |g_i - grad F_i|^2 for the mean over r of "
    "|g_{i,r} - grad F_i|^2, which is no less: row lemma3@mean-over-rounds.",
)
def lemma3_every_R(x, t, share=1):
    step, mu = x.eta_tilde, mu_F(x)
    kept = (1 - step * mu / 2) * x.D[t] - step * (2 - 6 * L_F(x) * step) * x.e[t]
    return le(x.D[t + 1], share * (kept + step * (3 * step + 2 / mu) * x.V_mean[t] + 3 * step**2 * x.chosen[t]))


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


def right_29(x, e):
    """Right side of (29) with the L_F of (28)."""
    middle = x.eta_tilde**2 / x.beta * 768 * kappa_F(x) * x.L_F * e
    return x.eta_tilde * C1(x) + middle + x.eta_tilde**3 / x.beta**2 * C3_kept(x, x.sigma_sq)


def left_29(x, t):
    """What the drift adds."""
    return x.eta_tilde * (3 * x.eta_tilde + 2 / x.mu_F) * x.V_mean[t]


def twice_25(x, t):
    """4 L_F (F(w_t) - F(w*)) + 2 sigma_{F,1}^2."""
    return 4 * L_F(x) * x.e[t] + 2 * x.sigma_sq


@claim(
    "pfedme/eq29@every-R",
    world=ROUNDS,
    by=(
        use(lemma5_mean_gradient, rho=lambda x: x.lam / 4),
        lemma2_gradients,
        use(eq26_numbers, drift=lambda x, t: x.V_mean[t], grad_sq=lambda x, t: x.grad_sq[t]),
        use(eq29_repaired, distance=lambda x, t: x.e[t]),
        use(
            eq29_chain,
            left=left_29,
            p=lambda x: second_result(x, solver(x)),
            k=lambda x: 384 * x.eta_tilde**3 / x.beta**2 * L_F(x) ** 2 / mu_F(x),
            G=lambda x, t: x.grad_sq[t],
            g=twice_25,
            right=lambda x, t: right_29(x, x.e[t]),
        ),
    ),
    control=Control(
        "without gradients and for small eta_tilde the right side is 16 eta_tilde delta^2 lam^2/mu_F", share="1/20"
    ),
    step=True,
    note="The second auxiliary result, (26) to (29), for every R and N.",
)
def eq29_every_R(x, t, share=1):
    return le(left_29(x, t), share * right_29(x, x.e[t]))


@claim(
    "pfedme/eq24",
    world=ANY_STEP,
    by=(use(lemma4, rho=lambda x: x.lam / 4),),
    control=Control(
        "S = 1 gives the whole variance on the left, so nine tenths of the factor are too small", share="9/10"
    ),
    note="At every t of the method, in expectation over the selections before t; for every R, S, N and dimension.",
)
def eq24(x, t, share=1):
    return le(x.chosen[t], share * sampling(x) * x.spread[t])


@claim(
    "pfedme/eq25@every-S",
    world=ANY_STEP,
    by=(eq24, eq25),
    control=Control("at w = w* the right side is 2 sampling sigma_{F,1}^2, twice the left one", share="2/5"),
    step=True,
    note="The first auxiliary result, (24) and (25), for every S and N.",
)
def eq25_every_S(x, t, share=1):
    return le(x.chosen[t], share * sampling(x) * twice_25(x, t))


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
    world=ROUNDS,
    by=(
        eq31_short,
        lemma3_every_R,
        eq25_every_S,
        eq29_every_R,
        use(eq30_b, distance=lambda x, t: x.e[t], Delta=lambda x, t: x.D[t]),
        use(
            eq30_chain,
            after=lambda x, t: x.D[t + 1],
            gone=lambda x, t: x.eta_tilde * (2 - 6 * x.L_F * x.eta_tilde) * x.e[t],
            kept=lambda x, t: keep(x) * x.D[t],
            W=left_29,
            U=lambda x, t: right_29(x, x.e[t]),
            v=lambda x: 3 * x.eta_tilde**2,
            c=lambda x, t: x.chosen[t],
            C=lambda x, t: sampling(x) * twice_25(x, t),
        ),
    ),
    control=Control("for small eta_tilde and no errors both sides are nearly |w_t - w*|^2", share="1/2"),
    step=True,
    note="(30) under Assumption 1(a), for every R, S, N and dimension, with the L_F of (28) in C_3.",
)
def eq30_every_R(x, t, share=1):
    return le(x.D[t + 1], share * (keep(x) * x.D[t] - x.eta_tilde * x.e[t] + x.eta_tilde * explicit_floor(x)))


@claim(
    "pfedme/eq30-a~repaired",
    world=ROUNDS,
    by=(lemma3_every_R, eq25_every_S, eq29_every_R),
    control=Control("for small eta_tilde and no errors both sides are nearly |w_t - w*|^2", share="1/2"),
    uses=("pfedme/lemma3~repaired", "pfedme/eq25", "pfedme/eq29~repaired"),
    step=True,
    note="256 L_F kappa_F in place of 256 kappa_F in the third brace. For every R, S, N and dimension.",
)
def eq30_a_repaired(x, t, share=1):
    kept = keep(x) * x.D[t] - x.eta_tilde * bracket(x) * x.e[t]
    return le(x.D[t + 1], share * (kept + x.eta_tilde * explicit_floor(x)))
