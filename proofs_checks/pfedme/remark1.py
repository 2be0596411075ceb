"""Remark 1: what the terms of Theorem 1 say (Section 4)."""

from fedtheory import Control, claim, eq, le, use
from fedtheory.theory.pfedme.conditions import EQ_31, LAM_2RHO, LEAST_T
from fedtheory.theory.pfedme.constants import drift, eta1_hat, floor, gap, kappa_F, mu_F, sigma_F1_sq
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem1 import C1, C2, C3_kept, initial, last_term, second_term, third_term
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, VALUE
from problems import Points, Scalars, StronglyConvex, at_least, between, condition, positive
from problems.worlds.derived import DerivedFunctionWorld, DerivedScalars, formula

from .lemma5.all_rounds import (
    BEFORE_R,
    CONSTANTS,
    RUN_FROM_1,
    lemma5_distance,
    lemma5_step_squared,
    lemma5_total,
    noise,
    of_lemma_5,
    p,
    weight,
)
from .lemma5.local_step import LOCAL_STEP, lemma5_gradient
from .lemma5.statement import IN_THE_MEAN
from .theorem1.every_T import eq35_repaired, thm1b_proof_s3_a_repaired
from .theorem1.jensen import averaged
from .theorem1.personal_every_T import MODELS, OF_MODELS, SOLVED, thm1b_proof_s2_a
from .theorem1.rates_every_T import AT_ELL, LOGARITHMIC, start
from .theorem1.worlds import ENVELOPE, ETA_LARGEST, L_BY_SPREAD, LAM_BY_RATIO, NEARBY_SCALARS, long_run
from .worlds.two_clients import SOLVED_EXACTLY

SMALL_CURVATURE = DerivedFunctionWorld(
    scalars={"mu_0": positive(CURVATURE), "lam_over_mu": positive()},
    sizes={"m": (1, 2), "d": (1,)},
    derived={"mu": formula("mu_0/10^12", lambda x: x.mu_0 / 10**12), **LAM_BY_RATIO},
    f=StronglyConvex("mu"),
    envelope="lam",
    optimum_of="F",
)
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
    "1/(1 + eta1_hat mu_F/2). An inequality for every T, of terms that belong to one run each.",
)
def rem1_initial(x, gain=1):
    return le(first_term(x, x.T + 1), first_term(x, x.T) / (1 + gain * exponent(x)))


def near(x, initial_error, C2, C3, constant=16):
    """16 lam^2 delta^2/mu_F, the initial error, and ell^2/T times what is the same for every T."""
    parts = 2 * C2 / x.mu_F + 4 * C3 / (x.beta * x.mu_F) ** 2
    return constant * last_term(x) + initial_error + x.ell**2 / x.T * parts


@claim(
    "pfedme/rem1-neighbourhood@numbers",
    world=Scalars(
        **symbols("lam", "mu_F", "beta", "T", "delta"),
        initial_error=at_least(0, VALUE),
        C2=at_least(0, GRADIENT**2),
        C3=at_least(0, VALUE * CURVATURE**2),
        ell=at_least(1),
        left=at_least(0, VALUE),
        given=(
            condition(
                "left <= initial_error + eta_tilde^2/beta^2 C_3 + eta_tilde C_2 + C_1 at eta_tilde = 2 ell/(mu_F T)",
                lambda x: le(x.left, x.initial_error + floor(x, 2 * x.ell / (x.mu_F * x.T), x.C3, x.C2, C1(x))),
            ),
        ),
    ),
    control=Control("at equality the left side is 16 lam^2 delta^2/mu_F, not 15 times it", constant=15),
    step=True,
    note="Arithmetic of the neighbourhood, of any numbers with this inequality.",
)
def rem1_neighbourhood_numbers(x, constant=16):
    return le(x.left, near(x, x.initial_error, x.C2, x.C3, constant))


OF_35 = {
    "left": lambda x: x.J,
    "initial_error": start,
    "C2": lambda x: C2(x, x.sigma_sq),
    "C3": lambda x: C3_kept(x, x.sigma_sq),
}


@claim(
    "pfedme/rem1-neighbourhood",
    world=averaged(
        given=(EQ_31, LOGARITHMIC),
        ell=at_least(1),
        example=AT_ELL,
    ),
    by=(eq35_repaired, use(rem1_neighbourhood_numbers, **OF_35)),
    control=Control("errors that do not change leave lam^2 delta^2/(2 mu_F)", constant="1/4"),
    uses=("pfedme/rem1-neighbourhood@at-rest",),
    note="Read as: with the step 2 ell/(mu_F T) E[F(w_bar_T)] - F(w*) is at most 16 lam^2 delta^2/mu_F, mu_F Delta_0 e^{-ell}, and "
    "ell^2/T times what does not depend on T; with ell >= ln T it tends to 16 lam^2 delta^2/mu_F at most, a neighbourhood in "
    "function value; for every eps from which T on is rem1-neighbourhood@eps, and in points "
    "rem1-neighbourhood@points. For every T, R, S, N and dimension, with the C_3 that has L_F. A ball around w* is rem1-ball.",
)
def rem1_neighbourhood(x, constant=16):
    return le(x.J, near(x, start(x), C2(x, x.sigma_sq), C3_kept(x, x.sigma_sq), constant))


HALF = condition("ell >= ln(2 mu_F Delta_0/eps): 2 mu_F Delta_0 e^{-ell} <= eps", lambda x: le(2 * start(x), x.eps))


def lasting(x):
    """ell^2 times what rem1-neighbourhood divides by T."""
    return x.ell**2 * (2 * C2(x, x.sigma_sq) / x.mu_F + 4 * C3_kept(x, x.sigma_sq) / (x.beta * x.mu_F) ** 2)


LATE = condition("T >= 2 ell^2/eps (2 C_2/mu_F + 4 C_3/(beta mu_F)^2)", lambda x: le(2 * lasting(x), x.eps * x.T))
NEARER = {"ell": at_least(1), "eps": positive(VALUE)}
FINALLY = "For every eps > 0 and every T from the printed one on, with the step 2 ell/(mu_F T); for every R, S, N and dimension."


@claim(
    "pfedme/rem1-neighbourhood@late",
    world=Scalars(
        T=positive(),
        eps=positive(VALUE),
        left=at_least(0, VALUE),
        level=at_least(0, VALUE),
        first=at_least(0, VALUE),
        lasting=at_least(0, VALUE),
        given=(
            condition("left <= level + first + lasting/T", lambda x: le(x.left, x.level + x.first + x.lasting / x.T)),
            condition("2 first <= eps", lambda x: le(2 * x.first, x.eps)),
            condition("2 lasting <= eps T", lambda x: le(2 * x.lasting, x.eps * x.T)),
        ),
    ),
    control=Control("at equality both halves of eps are needed", share="9/10"),
    step=True,
    note="Arithmetic of the two conditions on T and ell, each of which leaves half of eps; any numbers.",
)
def rem1_neighbourhood_late(x, share=1):
    return le(x.left, x.level + share * x.eps)


AT_LATE = {"left": lambda x: x.J, "level": lambda x: 16 * last_term(x), "first": start, "lasting": lasting}


@claim(
    "pfedme/rem1-neighbourhood@eps",
    world=averaged(given=(EQ_31, LOGARITHMIC, HALF, LATE), example={**AT_ELL, "eps": 10**12}, **NEARER),
    by=(rem1_neighbourhood, use(rem1_neighbourhood_late, **AT_LATE)),
    control=Control("errors that do not change leave lam^2 delta^2/(2 mu_F)", constant="1/4"),
    uses=("pfedme/rem1-neighbourhood@at-rest",),
    note=f"{FINALLY} E[F(w_bar_T)] - F(w*) is at most 16 lam^2 delta^2/mu_F + eps. T is fixed beforehand and the step made for "
    "it, so that the runs for two T are two runs: an inequality for every T, and no limit of one run.",
)
def rem1_neighbourhood_eps(x, constant=16):
    return le(x.J, constant * last_term(x) + x.eps)


@claim(
    "pfedme/rem1-neighbourhood@at-rest",
    world=Points(StronglyConvex("mu"), envelope="lam", optimum_of="F", **symbols("lam", "mu")),
    control=Control("quadratic clients of curvature mu attain it", share="9/10"),
    note="A point where the method rests with R = 1, S = N and one error |e| = delta for all clients, grad F(w) = lam e, is at "
    "most lam^2 delta^2/(2 mu_F) above F(w*).",
)
def rem1_neighbourhood_at_rest(x, share=1):
    error_sq = x.sq(x.mean_vec(x.F.grad(x.w))) / x.lam**2
    return le(gap(x, x.w), share * x.lam**2 * error_sq / (2 * mu_F(x)))


def near_in_points(x, constant, scale):
    """|w - w*|^2 within a multiple of lam^2 delta^2/scale where grad F(w) = lam e, times `scale`."""
    return le(scale * x.sq(x.w - x.w_star), constant * x.sq(x.mean_vec(x.F.grad(x.w))))


FAR = "equal clients of curvature mu rest at lam delta/mu_F from w*, so a tenth of its square is too little"


@claim(
    "pfedme/rem1-neighbourhood@points",
    world=SMALL_CURVATURE,
    control=Control(FAR, lambda x: near_in_points(x, x.ratio(1, 10), mu_F(x) ** 2)),
    repair="pfedme/rem1-neighbourhood~points",
    uses=("pfedme/rem1-neighbourhood@at-rest",),
    note="A neighbourhood of w* read as one of points: in the end |w_t - w*|^2 is at most 10^6 lam^2 delta^2/mu_F. False where the "
    "method rests, for mu_F < 10^-6: a squared length has mu_F once more below it.",
)
def rem1_neighbourhood_points(x):
    return near_in_points(x, 10**6, mu_F(x))


def half_distance(x):
    """mu_F/2 |w_T - w*|^2."""
    return x.mu_F / 2 * x.D[x.T]


@claim(
    "pfedme/rem1-neighbourhood~points",
    world=averaged(given=(EQ_31, LOGARITHMIC, HALF, LATE), example={**AT_ELL, "eps": 10**12}, **NEARER),
    by=(
        thm1b_proof_s3_a_repaired,
        use(rem1_neighbourhood_numbers, **{**OF_35, "left": half_distance}),
        use(rem1_neighbourhood_late, **{**AT_LATE, "left": half_distance}),
    ),
    control=Control("errors that do not change leave lam^2 delta^2/mu_F^2", constant="1/4"),
    note=f"{FINALLY} E|w_T - w*|^2 is at most 2/mu_F times 16 lam^2 delta^2/mu_F + eps, with mu_F^2 in place of mu_F.",
)
def rem1_neighbourhood_points_repaired(x, constant=16):
    return le(x.D[x.T], 2 / x.mu_F * (constant * last_term(x) + x.eps))


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
    note="An identity: the second term with S = share N, written out.",
)
def rem1_sampling_ratio(x, power=1):
    left = second_term(x, x.sigma_sq, x.share * x.N)
    return le(left, (1 / x.share - 1) * x.sigma_sq / (x.mu_F * x.T * x.N**power))


@claim(
    "pfedme/rem1-drift",
    world=long_run(
        ETA_LARGEST, (EQ_31, LEAST_T), {**L_BY_SPREAD, **SOLVED_EXACTLY}, sizes={"R": (1,)}, **NEARBY_SCALARS
    ),
    control=Control("the drift is 0 there, and so is every multiple of it", times=1),
    repair="pfedme/rem1-drift~repaired",
    uses=("pfedme/lemma5",),
    note="Without multiple local updates (R = 1) and with exact inner solutions g_i = grad F_i(w_t), and there is no drift. "
    "The third term is not zero there: it stays sigma_{F,1}^2 kappa_F/(T beta mu_F)^2. Read as: it is at most 10^6 "
    "kappa_F/mu_F^2 times the drift; on runs of two quadratic clients inside the conditions of Theorem 1, at the start.",
)
def rem1_drift(x, times=10**6):
    return le(third_term(x, sigma_F1_sq(x)), times * kappa_F(x) / x.mu_F**2 * drift(x))


def squares_before(n):
    """16/9 times the sum of t^2 for t < n."""
    return 16 * (n - 1) * n * (2 * n - 1) / 54


@claim(
    "pfedme/rem1-drift@squares",
    world=Scalars(t=at_least(0), **symbols("R"), given=(BEFORE_R,)),
    control=Control("for t = R the two sides are equal", share="1/2"),
    step=True,
)
def rem1_drift_squares(x, share=1):
    return le(p(x, x.t) ** 2, share * (squares_before(x.t + 1) - squares_before(x.t)))


@claim(
    "pfedme/rem1-drift@every-n",
    world=RUN_FROM_1,
    by=(
        use(lemma5_gradient, tau=lambda x: x.ratio(2, 5)),
        use(lemma5_distance, n=lambda x, t: t),
        use(rem1_drift_squares, t=lambda x, t: t),
        use(lemma5_total, a=noise, b=weight, q=lambda x, t: p(x, t) ** 2, P=lambda x, t: squares_before(t)),
    ),
    control=Control("with an error of size delta every term is lam^2 delta^2, and the bound 7/5 of it", share="1/2"),
    step=True,
    note="As lemma5@gradients, with a sum that is 0 for n = 1.",
)
def rem1_drift_every_n(x, share=1):
    return le(x.sum(lambda r: x.V[r], x.n), share * (x.n * noise(x) + weight(x) * squares_before(x.n)))


def without_first(x):
    """Lemma 5 with its second term times 1 - 1/R."""
    solver = 2 * x.lam**2 * x.delta**2
    return solver + (1 - 1 / x.R) * (of_lemma_5(x) - solver)


@claim(
    "pfedme/rem1-drift@constants",
    world=Scalars(**CONSTANTS, given=(LAM_2RHO, LOCAL_STEP)),
    by=(lemma5_step_squared,),
    control=Control("with R = 1 the left side is 7/5 lam^2 delta^2, and the right one 2", share="3/5"),
    step=True,
)
def rem1_drift_constants(x, share=1):
    return le(x.R * noise(x) + weight(x) * squares_before(x.R), share * x.R * without_first(x))


@claim(
    "pfedme/rem1-drift~repaired",
    world=IN_THE_MEAN,
    by=(rem1_drift_every_n, rem1_drift_constants),
    control=Control("with R = 1 the left side is lam^2 delta^2, and the right side twice that", share="2/5"),
    uses=("pfedme/lemma5",),
    note="Lemma 5 with its second term times 1 - 1/R, which a third term due to multiple local updates alone would have from "
    "it: for R = 1 the error of the inner solver is left. For every R and every number of clients.",
)
def rem1_drift_repaired(x, share=1):
    return le(x.sum(lambda r: x.V[r], x.R) / x.R, share * without_first(x))


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
    world=SMALL_CURVATURE,
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
    world=Points(StronglyConvex("mu"), envelope="lam", optimum_of="F", **symbols("lam", "mu")),
    control=Control(TOO_SMALL, constant="1/10"),
    uses=("pfedme/thm1b",),
    note="lam^2 delta^2/mu_F^2 in place of lam^2 delta^2/mu_F, with the constant 9, where the method rests.",
)
def rem1_ball_repaired(x, constant=9):
    return ball(x, constant, mu_F(x) ** 2)


@claim(
    "pfedme/rem1-ball~repaired-eps",
    world=averaged(
        MODELS, (EQ_31, LOGARITHMIC, HALF, LATE, SOLVED), example={**AT_ELL, "eps": 10**12}, **NEARER, **OF_MODELS
    ),
    by=(rem1_neighbourhood_points_repaired, thm1b_proof_s2_a),
    control=Control(
        "exact steps and errors of size delta at the end alone are delta^2, for mu far above lam half of the radius",
        constant="1/4",
    ),
    uses=("pfedme/rem1-ball~repaired",),
    note=f"{FINALLY} The mean over the clients of E|theta_tilde_i(w_T) - w*|^2 is at most 288 times lam^2 delta^2/mu_F^2 + "
    "sigma_{F,1}^2/lam^2 + delta^2, and 18 eps/mu_F.",
)
def rem1_ball_eps(x, constant=288):
    radius_sq = (x.lam * x.delta / x.mu_F) ** 2 + x.sigma_sq / x.lam**2 + x.delta**2
    return le(x.P[x.T], constant * radius_sq + 18 * x.eps / x.mu_F)


def trade_off(x, small, large):
    """Both parts of the radius at two values of lam."""

    def solver(lam):
        return lam**2 * x.delta**2 / mu_F(x, lam)

    return (
        le(x.sigma_sq / large**2, x.sigma_sq / small**2, "sigma_{F,1}"),
        le(solver(small), solver(large), "delta"),
    )


@claim(
    "pfedme/rem1-lambda@fixed",
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
    note="For given delta and sigma_{F,1}, which move with lam as well, a larger lam shrinks sigma_{F,1}^2/lam^2 and enlarges "
    "lam^2 delta^2/mu_F, mu_F = lam mu/(lam + mu).",
)
def rem1_lambda_fixed(x):
    return trade_off(x, x.lam, x.lam * x.more)
