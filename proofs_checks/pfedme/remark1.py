"""Remark 1: what the terms of Theorem 1 say (Section 4)."""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.pfedme.conditions import SAMPLED
from fedtheory.theory.pfedme.constants import drift, eta1_hat, mu_F, sigma_F1_sq
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem1 import initial, last_term, second_term, third_term
from fedtheory.units import CURVATURE, GRADIENT, LENGTH
from problems import Points, Scalars, StronglyConvex, at_least, between, positive
from problems.worlds.derived import DerivedFunctionWorld, DerivedScalars, formula

from .theorem1.worlds import ENVELOPE, LAM_BY_RATIO
from .worlds.runs import pfedme_runs

START = {**symbols("lam", "mu", "beta", "T"), "Delta_0": positive(LENGTH**2)}
SAMPLING = {**symbols("mu_F", "T", "N"), "sigma_sq": positive(GRADIENT**2)}


def first_term(x, T):
    """mu_F Delta_0 e^{-eta1_hat mu_F T/2}, the first term of Theorem 1 (a)."""
    return initial(x, eta1_hat(x), x.Delta_0, T)


def exponent(x):
    """eta1_hat mu_F/2, the exponent of a round."""
    return eta1_hat(x) * x.mu_F / 2


@claim(
    "pfedme/rem1-initial",
    world=DerivedScalars(ENVELOPE, **START),
    control=Control("a round gains eta1_hat mu_F/2 in the exponent, not twice that", gain=2),
    note="Linearly: every round multiplies the first term by the same factor below one, here at most "
    "1/(1 + eta1_hat mu_F/2).",
)
def rem1_initial(x, gain=1):
    return le(first_term(x, x.T + 1), first_term(x, x.T) / (1 + gain * exponent(x)))


@claim(
    "pfedme/rem1-neighbourhood",
    world=DerivedScalars(
        ENVELOPE,
        **START,
        **symbols("R", "N", "S"),
        delta=positive(LENGTH),
        sigma_sq=positive(GRADIENT**2),
        given=(SAMPLED,),
    ),
    control=Control(
        "where client sampling leads, the left side has all of its part of the constant, not half of it", share="1/2"
    ),
    uses=("pfedme/thm1a-b",),
    note="The right side of Theorem 1 (a), without its logarithms, tends to lam^2 delta^2/mu_F like 1/T: a neighbourhood "
    "in function value.",
)
def rem1_neighbourhood(x, share=1):
    second, third = second_term(x, x.sigma_sq, x.S), third_term(x, x.sigma_sq)
    constant = x.mu_F * x.Delta_0 / exponent(x) + x.T * second + x.T**2 * third  # the same for every T >= 1
    return le(first_term(x, x.T) + second + third + last_term(x), last_term(x) + share * constant / x.T)


@claim(
    "pfedme/rem1-sampling-zero",
    world=Scalars(**SAMPLING),
    control=Control("for S = N/2 the term is sigma^2/(mu_F T N)", share="1/2"),
)
def rem1_sampling_zero(x, share=1):
    return eq(second_term(x, x.sigma_sq, share * x.N), 0)


@claim(
    "pfedme/rem1-sampling-ratio",
    world=Scalars(**SAMPLING, share=between(0, 1, closed=False)),
    control=Control("both sides are equal, so 1/(T N^2) is too small for N > 1", power=2),
)
def rem1_sampling_ratio(x, power=1):
    left = second_term(x, x.sigma_sq, x.share * x.N)
    return le(left, (1 / x.share - 1) * x.sigma_sq / (x.mu_F * x.T * x.N**power))


@claim(
    "pfedme/rem1-drift@one-local-round",
    world=pfedme_runs(StronglyConvex("mu"), optimum_of=None, rounds=(1,), R=(1,), S=(1,), d=(1, 2), **symbols("mu")),
    control=Control("half of the solver's error is not all of the drift", share="1/2"),
    uses=("pfedme/lemma5",),
    note="Without multiple local updates (R = 1) the drift that Lemma 5 bounds, and from which the third term "
    "comes, is the error of the inner solver alone.",
)
def rem1_drift_one_local_round(x, share=1):
    return eq(drift(x), share * x.lam**2 * x.mean(x.sq(x.error[0])))


def ball(x, constant, scale):
    """Theorem 1 (b) where the method rests with R = 1, S = N and one error, with `scale` under lam^2 delta^2.

    With the same error e = grad F(w)/lam for all clients the mean of g_i = grad F_i(w) - lam e is 0, so that w stays for
    every T, eta and beta; delta = |e| is the least for which it does.
    """
    error = x.mean_vec(x.F.grad(x.w)) / x.lam
    delta_sq = x.sq(error)
    radius_sq = x.lam**2 * delta_sq / scale + sigma_F1_sq(x) / x.lam**2 + delta_sq
    return le(x.mean(x.sq(x.f.prox(x.w, x.lam) + error - x.w_star)), constant * radius_sq)


TOO_SMALL = (
    "equal clients of curvature mu far below lam rest at lam delta/mu_F from w*, so a tenth of its square is too little"
)


@claim(
    "pfedme/rem1-ball",
    world=DerivedFunctionWorld(
        scalars={"mu_0": positive(CURVATURE), "lam_over_mu": positive()},
        sizes={"m": (1, 2), "d": (1,)},
        derived={"mu": formula("mu_0/10^12", lambda x: x.mu_0 / 10**12), **LAM_BY_RATIO},
        f=StronglyConvex("mu"),
        envelope="lam",
        optimum_of="F",
    ),
    control=Control(TOO_SMALL, lambda x: ball(x, x.ratio(1, 10), mu_F(x) ** 2)),
    repair="pfedme/rem1-ball~repaired",
    uses=("pfedme/thm1b",),
    note="Where the method rests. The radius is read as a bound on the mean squared distance, as in (b), with the constant 10^6. "
    "(b) divides lam^2 delta^2/mu_F by mu_F once more; without that the bound fails for mu_F < 10^-6 and lam > 10^3 mu_F.",
)
def rem1_ball(x):
    return ball(x, 10**6, mu_F(x))


@claim(
    "pfedme/rem1-ball~repaired",
    world=Points(StronglyConvex("mu"), envelope="lam", optimum_of="F", sizes={"d": (1,)}, **symbols("lam", "mu")),
    control=Control(TOO_SMALL, constant="1/10"),
    uses=("pfedme/thm1b",),
    note="lam^2 delta^2/mu_F^2 in place of lam^2 delta^2/mu_F, with the constant 9, where the method rests.",
)
def rem1_ball_repaired(x, constant=9):
    return ball(x, constant, mu_F(x) ** 2)


def trade_off(x, small, large):
    """Both parts of the radius at two values of lam."""

    def solver(lam):
        return lam**2 * x.delta**2 / mu_F(x, lam)

    return (
        le(x.sigma_sq / large**2, x.sigma_sq / small**2, "sigma_{F,1}"),
        le(solver(small), solver(large), "delta"),
    )


@claim(
    "pfedme/rem1-lambda",
    world=DerivedScalars(
        ENVELOPE,
        **symbols("lam", "mu"),
        more=at_least(1),
        delta=positive(LENGTH),
        sigma_sq=positive(GRADIENT**2),
    ),
    control=Control(
        "lam^2 delta^2/mu_F grows with lam, it does not fall", lambda x: trade_off(x, x.lam * x.more, x.lam)
    ),
    uses=("pfedme/rem1-ball",),
    note="Read as: for given delta and sigma_{F,1} a larger lam shrinks sigma_{F,1}^2/lam^2 and enlarges lam^2 delta^2/mu_F, "
    "mu_F = lam mu/(lam + mu).",
)
def rem1_lambda(x):
    return trade_off(x, x.lam, x.lam * x.more)
