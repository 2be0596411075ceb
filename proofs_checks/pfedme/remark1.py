"""Remark 1: what the terms of Theorem 1 say (Section 4)."""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.pfedme.constants import drift, eta1_hat, mu_F, sigma_F1_sq
from fedtheory.theory.pfedme.theorem1 import initial, last_term, second_term, third_term
from fedtheory.units import CURVATURE, GRADIENT, LENGTH
from problems import Points, Scalars, StronglyConvex, at_least, between, condition, positive
from problems.worlds.derived import DerivedFunctionWorld, DerivedScalars, formula

from .theorem1.worlds import NAMES, RATIO
from .worlds.runs import pfedme_runs

LAM_MU = {"lam": positive(CURVATURE), "mu": positive(CURVATURE)}
START = {"beta": at_least(1), "T": at_least(1), "Delta_0": positive(LENGTH**2)}
SAMPLING = {"mu_F": positive(CURVATURE), "T": at_least(1), "N": at_least(1), "sigma_sq": positive(GRADIENT**2)}


def first(x, rounds):
    """The first term of Theorem 1 (a) after T + `rounds` rounds."""
    return initial(x, eta1_hat(x) * (x.T + rounds) / x.T, x.Delta_0)


def rate(x):
    """eta1_hat mu_F/2, the exponent of a round."""
    return eta1_hat(x) * x.mu_F / 2


@claim(
    "pfedme/rem1-initial",
    world=DerivedScalars(NAMES, **LAM_MU, **START),
    control=Control(
        "a round gains eta1_hat mu_F/2 in the exponent, not twice that",
        lambda x: le(first(x, 1), first(x, 0) / (1 + 2 * rate(x))),
    ),
    note="Linearly: every round multiplies the first term by the same factor below one, here at most "
    "1/(1 + eta1_hat mu_F/2).",
)
def rem1_initial(x):
    return le(first(x, 1), first(x, 0) / (1 + rate(x)))


def beyond(x):
    """T times what stands beside the last term, at most, for any T >= 1."""
    start = x.mu_F * x.Delta_0 / rate(x)
    return start + x.T * second_term(x, x.sigma_sq, x.S) + x.T**2 * third_term(x, x.sigma_sq)


def vanishing(x, share):
    """The four terms of Theorem 1 (a) against the last one and a `share` of a constant over T."""
    terms = first(x, 0) + second_term(x, x.sigma_sq, x.S) + third_term(x, x.sigma_sq) + last_term(x)
    return le(terms, last_term(x) + share * beyond(x) / x.T)


@claim(
    "pfedme/rem1-neighbourhood",
    world=DerivedScalars(
        NAMES, **LAM_MU, **START, R=at_least(1), N=at_least(1), S=at_least(1), delta=positive(LENGTH),
        sigma_sq=positive(GRADIENT**2), given=(condition("S <= N", lambda x: le(x.S, x.N)),),
    ),
    control=Control(
        "where client sampling leads, the left side has all of its part of the constant, not half of it",
        lambda x: vanishing(x, x.T / (2 * x.T)),
    ),
    uses=("pfedme/thm1a-b",),
    note="The right side of Theorem 1 (a), without its logarithms, tends to lam^2 delta^2/mu_F like 1/T: a neighbourhood "
    "in function value.",
)  # fmt: skip
def rem1_neighbourhood(x):
    return vanishing(x, 1)


@claim(
    "pfedme/rem1-sampling-zero",
    world=Scalars(**SAMPLING),
    control=Control("for S = N/2 the term is sigma^2/(mu_F T N)", lambda x: eq(second_term(x, x.sigma_sq, x.N / 2), 0)),
)
def rem1_sampling_zero(x):
    return eq(second_term(x, x.sigma_sq, x.N), 0)


def fixed_ratio(x, power):
    """The second term for S = ratio N against its constant over T N^power."""
    left = second_term(x, x.sigma_sq, x.share * x.N)
    return le(left, (1 / x.share - 1) * x.sigma_sq / (x.mu_F * x.T * x.N**power))


@claim(
    "pfedme/rem1-sampling-ratio",
    world=Scalars(**SAMPLING, share=between(0, 1, closed=False)),
    control=Control("both sides are equal, so 1/(T N^2) is too small for N > 1", lambda x: fixed_ratio(x, 2)),
)
def rem1_sampling_ratio(x):
    return fixed_ratio(x, 1)


@claim(
    "pfedme/rem1-drift@one-local-round",
    world=pfedme_runs(
        StronglyConvex("mu"), optimum_of=None, rounds=(1,), R=(1,), S=(1,), d=(1, 2), mu=positive(CURVATURE)
    ),
    control=Control(
        "half of the solver's error is not all of the drift",
        lambda x: eq(drift(x), x.lam**2 * x.mean(x.sq(x.error[0])) / 2),
    ),
    uses=("pfedme/lemma5",),
    note="Without multiple local updates (R = 1) the drift that Lemma 5 bounds, and from which the third term "
    "comes, is the error of the inner solver alone.",
)
def rem1_drift_one_local_round(x):
    return eq(drift(x), x.lam**2 * x.mean(x.sq(x.error[0])))


def resting(x):
    """(mean |theta_tilde_i - w*|^2, least delta^2) where the method rests with R = 1, S = N and one error.

    With the same error e = grad F(w)/lam for all clients the mean of g_i = grad F_i(w) - lam e is 0, so that w stays for
    every T, eta and beta.
    """
    error = x.mean_vec(x.F.grad(x.w)) / x.lam
    return x.mean(x.sq(x.f.prox(x.w, x.lam) + error - x.w_star)), x.sq(error)


def ball(x, constant, scale):
    """The mean squared distance at rest against `constant` times the radius, with `scale` under lam^2 delta^2."""
    away, delta_sq = resting(x)
    return le(away, constant * (x.lam**2 * delta_sq / scale + sigma_F1_sq(x) / x.lam**2 + delta_sq))


TOO_SMALL = Control(
    "equal clients of curvature mu far below lam rest at lam delta/mu_F from w*, so a tenth of its square is too little",
    lambda x: ball(x, x.lam / (10 * x.lam), mu_F(x) ** 2),
)


@claim(
    "pfedme/rem1-ball",
    world=DerivedFunctionWorld(
        scalars={"mu_0": positive(CURVATURE), "lam_over_mu": positive()},
        sizes={"m": (1, 2), "d": (1,)},
        derived={"mu": formula("mu_0/10^12", lambda x: x.mu_0 / 10**12), **RATIO},
        f=StronglyConvex("mu"),
        envelope="lam",
        optimum_of="F",
    ),
    control=TOO_SMALL,
    repair="pfedme/rem1-ball~repaired",
    uses=("pfedme/thm1b",),
    note="Where the method rests, with an error of size delta = |grad F(w)|/lam, the least for which it does. The radius is "
    "read as a bound on the mean squared distance, as in (b), with the constant 10^6. (b) divides "
    "lam^2 delta^2/mu_F by mu_F once more; without that the bound fails for mu_F < 10^-6 and lam > 10^3 mu_F.",
)
def rem1_ball(x):
    return ball(x, 10**6, mu_F(x))


@claim(
    "pfedme/rem1-ball~repaired",
    world=Points(StronglyConvex("mu"), envelope="lam", optimum_of="F", sizes={"d": (1,)}, **LAM_MU),
    control=TOO_SMALL,
    uses=("pfedme/thm1b",),
    note="lam^2 delta^2/mu_F^2 in place of lam^2 delta^2/mu_F, with the constant 9, where the method rests.",
)
def rem1_ball_repaired(x):
    return ball(x, 9, mu_F(x) ** 2)


@claim(
    "pfedme/rem1-lambda",
    world=DerivedScalars(
        NAMES, **LAM_MU, more=at_least(1), delta=positive(LENGTH), sigma_sq=positive(GRADIENT**2),
    ),
    control=Control(
        "lam^2 delta^2/mu_F grows with lam, it does not fall",
        lambda x: trade_off(x, x.lam * x.more, x.lam),
    ),
    uses=("pfedme/rem1-ball",),
    note="Read as: for given delta and sigma_{F,1} a larger lam shrinks sigma_{F,1}^2/lam^2 and enlarges lam^2 delta^2/mu_F, "
    "mu_F = lam mu/(lam + mu).",
)  # fmt: skip
def rem1_lambda(x):
    return trade_off(x, x.lam, x.lam * x.more)


def trade_off(x, small, large):
    """Both parts of the radius at two values of lam."""

    def solver(lam):
        return lam**2 * x.delta**2 / (lam * x.mu / (lam + x.mu))

    return (
        le(x.sigma_sq / large**2, x.sigma_sq / small**2, "sigma_{F,1}"),
        le(solver(small), solver(large), "delta"),
    )
