"""Corollary 1: what beta does to the third term of Theorem 1 (a) when every client is sampled (Section 4).

With S = N the second term is 0; the third one is the only one that beta, R and N shrink. A rate is read with a constant
in which sigma_{F,1}, delta, lam and mu_F may stand, but not T, R and N.
"""

from fedtheory import Control, claim, le, lt
from fedtheory.theory.pfedme.conditions import BETA_1, LEAST_T, MU_F_BELOW_L_F
from fedtheory.theory.pfedme.constants import gap, kappa_F, mu_F
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem1 import last_term, third_term
from fedtheory.units import CURVATURE, GRADIENT, LENGTH
from problems import Points, StronglyConvex, at_least, condition, positive
from problems.worlds.derived import DerivedScalars, formula

from .theorem1.statement import FAR_ENOUGH, lowest
from .theorem1.worlds import ENVELOPE
from .worlds.two_clients import SOLVED_EXACTLY

PROBLEM = {**symbols("L_F", "mu_F", "delta"), "sigma_sq": at_least(0, GRADIENT**2)}
MASSIVE = condition("sqrt(N) >= T", lambda x: le(x.T, x.root_N))
OTHERWISE = condition("sqrt(N) < T", lambda x: lt(x.root_N, x.T))
LAM = {"lam": lambda x: x.L_F}
N_BY_ROOT = {"N": lambda x: x.root_N * x.root_N}
FIRST_BETA = {**LAM, **N_BY_ROOT, "beta": lambda x: x.root_N / x.T}
SECOND_BETA = {**LAM, **N_BY_ROOT, "R": lambda x: x.root_R * x.root_R, "beta": lambda x: x.N * x.root_R}


def without_counts(x):
    """kappa_F (sigma_{F,1}^2 + delta^2 lam^2)/mu_F^2, what the third term is for T = R = beta = 1."""
    return (x.sigma_sq + x.delta**2 * x.lam**2) * kappa_F(x) / x.mu_F**2


@claim(
    "pfedme/cor1a",
    world=DerivedScalars(
        FIRST_BETA,
        given=(MU_F_BELOW_L_F, BETA_1, MASSIVE),
        sizes={"T": (10**4,), "R": (10**3,), "root_N": (10**4,)},
        **PROBLEM,
    ),
    control=Control(
        "beta cancels T: for delta = 0 the third term is kappa_F sigma_{F,1}^2/(mu_F^2 N), without T and R", constant=1
    ),
    repair="pfedme/cor1a~repaired",
    uses=("pfedme/thm1a-b",),
    note="On the third term, with the constant 10^6; at T = sqrt(N) = 10^4 and R = 10^3. The ratio grows like T R, for "
    "sigma_{F,1} = 0 like T.",
)
def cor1a(x, constant=10**6):
    return le(third_term(x, x.sigma_sq), constant * without_counts(x) / (x.T * x.R * x.N))


@claim(
    "pfedme/cor1a~repaired",
    world=DerivedScalars(
        {**LAM, "N": lambda x: x.beta**2 * x.T}, given=(MU_F_BELOW_L_F,), **symbols("T", "R", "beta"), **PROBLEM
    ),
    control=Control("for delta = 0 both sides are equal, so nine tenths are too little", share="9/10"),
    uses=("pfedme/thm1a-b",),
    note="beta = sqrt(N/T), at least 1 for N >= T, gives O(1/(TN)); R helps the part with delta alone.",
)
def cor1a_repaired(x, share=1):
    return le(third_term(x, x.sigma_sq), share * without_counts(x) / (x.T * x.N))


@claim(
    "pfedme/cor1b@third-term",
    world=DerivedScalars(
        SECOND_BETA,
        given=(MU_F_BELOW_L_F, BETA_1, OTHERWISE),
        **symbols("T"),
        root_R=at_least(1),
        root_N=at_least(1),
        **PROBLEM,
    ),
    control=Control(
        "for T near 1 and delta = 0 both sides are nearly equal, so nine tenths are too little", share="9/10"
    ),
    uses=("pfedme/thm1a-b",),
    note="The third term of Theorem 1 (a) alone, without the last one, which no beta shrinks; it is even O(1/(T^2 R N^2)).",
)
def cor1b_third_term(x, share=1):
    return le(third_term(x, x.sigma_sq), share * without_counts(x) / (x.T * x.R * x.N**2))


@claim(
    "pfedme/cor1b",
    world=DerivedScalars(
        SECOND_BETA,
        given=(MU_F_BELOW_L_F, BETA_1, OTHERWISE),
        sizes={"T": (1000,), "root_R": (10,), "root_N": (10,)},
        **PROBLEM,
    ),
    control=Control("the last term does not depend on T, R and N", constant=1),
    repair="pfedme/cor1b@third-term",
    uses=("pfedme/thm1a-b",),
    note="As a rate for the right side of Theorem 1 (a) with S = N, with the constant 10^6: lam^2 delta^2/mu_F stays. The "
    "first term, which does not depend on R and N either, is left out. At T = 1000, R = 100, N = 100.",
)
def cor1b(x, constant=10**6):
    left = third_term(x, x.sigma_sq) + last_term(x)
    return le(left, constant * (without_counts(x) + last_term(x)) / (x.T * x.R * x.N**2))


# the same of the method itself: what holds at every step, and where it rests


@claim(
    "pfedme/cor1a@every-step",
    world=DerivedScalars(
        {
            "lam": formula("mu", lambda x: x.mu),
            **ENVELOPE,
            **SOLVED_EXACTLY,
            "root_N": formula("T", lambda x: x.T),
            **N_BY_ROOT,
            "beta": FIRST_BETA["beta"],
            "sigma_sq": formula("s^2", lambda x: x.s**2),
        },
        given=(LEAST_T, BETA_1, MASSIVE, FAR_ENOUGH),
        sizes={"T": (10**9,), "R": (2,)},
        mu=positive(CURVATURE),
        s=positive(GRADIENT),
        w0=positive(LENGTH),
    ),
    control=Control("with the constant 10^-6 the bound is a millionth of a millionth", constant="1/1000000"),
    repair="pfedme/cor1a~repaired",
    uses=("pfedme/thm1a-b",),
    note="Of the method, not of the bound: the two clients of thm1a-b, each N/2 times, N = T^2, all sampled, with beta = 1 = "
    "sqrt(N)/T. At every step up to eta1_hat E[F(w_bar_T)] - F(w*) is at least a multiple of 1/N, which 10^4/(TRN) is not for a "
    "large T.",
)
def cor1a_every_step(x, constant=10**4):
    return le(lowest(x), constant * x.L_F * without_counts(x) / x.T / x.R / x.N)


@claim(
    "pfedme/cor1b@at-rest",
    world=Points(
        StronglyConvex("mu"), envelope="lam", optimum_of="F", sizes={"m": (1,), "d": (1,)}, **symbols("lam", "mu")
    ),
    control=Control("the last term does not depend on T, R and N", constant=1),
    repair="pfedme/cor1b@third-term",
    uses=("pfedme/rem1-neighbourhood@at-rest",),
    note="Of the method, not of the bound: 100 equal clients, of which f is one, with one error |e| = delta where grad F(w) is "
    "lam e. There g_{i,r} = 0, and w stays for every T, R, beta and eta; F(w) - F(w*) is no O(1/(TRN^2)). At T = 1000, R = 100, "
    "N = 100 with the constant 10^6 and the third and the last term at T = R = beta = 1, the third with L_F.",
)
def cor1b_at_rest(x, constant=10**6):
    squared, mu = x.sq(x.mean_vec(x.F.grad(x.w))) / x.lam**2, mu_F(x)  # delta^2
    floor = x.lam**2 * squared / mu
    return le(gap(x, x.w), constant * ((x.lam / mu) ** 2 * floor + floor) / (1000 * 100 * 100**2))
