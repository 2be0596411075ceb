"""Theorem 3: its bound (13), the sign of what it divides by, Remarks 4 and 5, and Appendix E."""

from fedtheory import Control, claim, eq, le, lt
from fedtheory.theory.dadpfl.conditions import DIVISOR
from fedtheory.theory.dadpfl.constants import S3, rate_coefficient
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP, VALUE
from problems import Points, Scalars, Sequences, at_least, condition, positive, real
from problems.worlds.derived import DerivedScalars, formula

from .worlds import BOUNDS, OF_LEMMA, OF_THEOREM, SETTING, STEPS, WHOLE, global_models, local_steps, mean

LARGE = 10**6
MANY_ROUNDS = condition("T is large", lambda x: le(LARGE, x.T))
CHOSEN = {"M": (2, 5, 10), "E_l": (1, 3, 5, 20)}
REST = (
    "Clients that are alike, f_k(w) = L w^2/2, masks of ones, all models at the minimiser at the start: nothing moves "
    "for any K > M, N and schedule, and the left side is 0 for every T, f(~w^0) = min f. The variances are bounds, "
    "which 0 meets; convex, bounded below."
)


@claim(
    "dadpfl/cond-thm3-lemmas",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Scalars(sizes={"M": (2, 3, 10)}, given=(OF_THEOREM[1],), **WHOLE),
    repair="dadpfl/cond-thm3-lemmas~repaired",
    note="That the step of Theorem 3 is one of Lemmas 1, 3 and 4: their limit for eta^2 is M times smaller.",
)
def steps_fit(x, share=1):
    return le(share * (12 * x.M * x.L**2 * x.eta**2 * (x.M - 1) * (2 * x.M - 1)), 1)


@claim(
    "dadpfl/cond-thm3-lemmas~repaired",
    world=Scalars(given=OF_LEMMA, **STEPS),
    control=Control("M times as much", share=3),
    note="The limit of the lemmas meets that of the theorem, for every M > 1.",
)
def steps_fit_repaired(x, share=1):
    return le(share * 12 * x.L**2 * x.eta**2 * (x.M - 1) * (2 * x.M - 1), 1)


AT_REST = Scalars(
    sizes=CHOSEN,
    T=positive(),
    given=(OF_THEOREM[1], MANY_ROUNDS),
    **WHOLE,
    **BOUNDS,
)


def bound_at_rest(x):
    """The right side of (13) where f(~w^0) = min f: S_3, whatever T is."""
    return S3(x)


@claim(
    "dadpfl/eq13",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=AT_REST,
    repair="dadpfl/thm3~repaired",
    note=f"{REST} The right side is S_3 then, the same for every T, and it is negative where eta < 6 S_1 (mu - eta), "
    "which the printed step allows, or where eta > mu and the variances weigh more. M = 2, 5, 10 and E_l = 1, 3, 5, 20, "
    "T at least 10^6.",
)
def eq13(x, share=1):
    return le(share * (0 * x.sigma_g_sq), bound_at_rest(x))


@claim(
    "dadpfl/eq13@positive-divisor",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Scalars(sizes={"M": (2,), "E_l": (3,)}, given=(OF_LEMMA[1], DIVISOR), **WHOLE, w=positive(LENGTH)),
    note="With a positive divisor and the step of the lemmas: eta may exceed mu where mu is small, and as mu - eta has "
    "two units what is divided by is then large. One round (T = 1), E_l = 3, all sigma = 0, the right side with all of "
    f"f(~w^0). {SETTING} No units are kept by (13): scale w, and the printed bound falls below the gradient.",
)
def eq13_positive(x, share=1):
    first, _ = global_models(x)
    return le(share * ((x.L * first) ** 2), 2 * (x.L * first**2 / 2) / rate_coefficient(x))


@claim(
    "dadpfl/thm3-s3@divisor",
    control=Control("half of the right side is negative as well", share="1/2"),
    world=Scalars(sizes=CHOSEN, given=(OF_THEOREM[1],), **WHOLE),
    note="The divisor of (13) and S_3 is eta - 6 S_1 (mu - eta). At the printed step it need not be positive: for mu > "
    "eta it is so if and only if 12 eta M (M - 1)(e^... - 1)(mu - eta) < 1, dadpfl/thm3-s3@sign. M = 2, 5, 10, E_l = 1, "
    "3, 5, 20.",
)
def divisor(x, share=1):
    return lt(0, share * (rate_coefficient(x)))


@claim(
    "dadpfl/thm3-s3@divisor-lemmas",
    control=Control("half of the right side is negative as well", share="1/2"),
    world=Scalars(sizes=CHOSEN, given=(OF_LEMMA[1],), **WHOLE),
    note="Nor with the step of the lemmas.",
)
def divisor_lemmas(x, share=1):
    return lt(0, share * (rate_coefficient(x)))


FACTOR = {"rise": positive(), "M": at_least(1), **WHOLE}


def divided(x):
    """eta - 6 S_1 (mu - eta), where `rise` is the exponential less 1."""
    return x.eta - 12 * x.eta**2 * x.M * (x.M - 1) * x.rise * (x.L - x.eta)


POSITIVE = condition("the divisor is positive", lambda x: lt(0, divided(x)), "(50)")


@claim(
    "dadpfl/thm3-s3@sign",
    world=Scalars(
        given=(
            condition(
                "12 eta M (M - 1)(e^... - 1)(mu - eta) < 1",
                lambda x: lt(12 * x.eta * x.M * (x.M - 1) * x.rise * (x.L - x.eta), 1),
            ),
        ),
        **FACTOR,
    ),
    control=Control("nor with half of eta", share="1/2"),
    note="The divisor is positive then; `rise` is the exponential less 1, any positive number. That it is not else: "
    "dadpfl/thm3-s3@sign-needed.",
)
def sign(x, share=1):
    return lt((1 - share) * x.eta, divided(x))


@claim(
    "dadpfl/thm3-s3@sign-needed",
    world=Scalars(given=(POSITIVE,), **FACTOR),
    control=Control("nor with half of the bound", share=2),
    note="And the other way round: eta (mu - eta) is bounded, which is a bound on a step of another unit than the printed one.",
)
def sign_needed(x, share=1):
    return lt(share * 12 * x.eta * x.M * (x.M - 1) * x.rise * (x.L - x.eta), 1)


@claim(
    "dadpfl/thm3-s3@experiment",
    control=Control("half of the right side is negative as well", share="1/2"),
    world=DerivedScalars(
        {"eta": formula("1/10", lambda x: x.ratio(1, 10))},
        sizes={"M": (10,), "E_l": (5,)},
        L=positive(CURVATURE),
        given=(OF_THEOREM[1],),
    ),
    note="At the setting of Section VI-A, M = 10, E_l = 5, eta = 0.1, whatever mu the step condition allows: it asks mu "
    "<= 0.22, and the divisor is positive only up to mu = 0.118 or so.",
)
def divisor_experiment(x, share=1):
    return lt(0, share * (rate_coefficient(x)))


# Appendix E

EQUAL = Scalars(sizes={"M": (2,), "E_l": (3,)}, given=(OF_LEMMA[1],), w=positive(LENGTH), **WHOLE)
ALL_ZERO = f"E_l = 3, M = 2, all sigma = 0. {SETTING}"


def path(x, w, count):
    """g^: the sum of L w_tau over the first local steps."""
    return sum(x.L * local_steps(x, w, E=tau) for tau in range(count))


def round_of(x):
    """f(second) - f(first) and the gradient at the first global model, and g^ of E_l^* + 1 = 5 steps."""
    first, second = global_models(x)
    return mean([x.L * (v**2 - first**2) / 2 for v in second]), x.L * first, path(x, first, 5), first, second


def coefficient(x):
    """(6 S_1 (mu - eta) - eta)/2."""
    return -rate_coefficient(x) / 2


@claim(
    "dadpfl/eq46",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=EQUAL,
    repair="dadpfl/eq46~repaired",
    step=True,
    note="|~w^{t+1} - ~w^t|^2 is eta^2 |g^|^2 at most, and (46) takes |g^|^2: mu - eta is a difference of a curvature "
    f"and a step. {ALL_ZERO}",
)
def eq46(x, share=1):
    _change, slope, g, first, second = round_of(x)
    left = mean([x.L / 2 * (v - first) ** 2 + slope * (v - first) for v in second])
    return eq(share * (left), -x.eta / 2 * slope**2 + (x.L - x.eta) / 2 * g**2)


@claim(
    "dadpfl/eq46~repaired",
    world=Points(None, at=("F", "g"), L=positive(CURVATURE), eta=positive(STEP)),
    control=Control("half", share="1/2"),
    step=True,
    note="For a round that goes -eta g: with (eta/2)(mu eta - 1) in the place of (mu - eta)/2 and the third term of "
    "(43). Any vectors.",
)
def eq46_repaired(x, share=1):
    left = x.L / 2 * x.sq(x.eta * x.g) - x.eta * x.dot(x.F, x.g)
    return eq(
        left, share * (-x.eta / 2 * x.sq(x.F) - x.eta / 2 * (1 - x.L * x.eta) * x.sq(x.g) + x.eta / 2 * x.sq(x.F - x.g))
    )


@claim(
    "dadpfl/eq47",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=EQUAL,
    repair="dadpfl/thm3~repaired-round",
    step=True,
    note="Lemma 3 bounds mu/2 times the movement, and here it bounds g^, which has no factor eta^2: for a small step "
    f"the left side does not vanish. {ALL_ZERO}",
)
def eq47(x, share=1):
    _, slope, g, _, _ = round_of(x)
    return le(share * (-x.eta / 2 * slope**2 + (x.L - x.eta) / 2 * g**2), coefficient(x) * slope**2)


FALLS = (
    "For mu < eta, which the step condition allows where mu is small, the coefficient of |grad f|^2 is far below -eta, "
    "and f would have to fall by more than it is above its minimum."
)


@claim(
    "dadpfl/eq48",
    control=Control("half of the left side, which is negative and not low enough", share="1/2"),
    world=EQUAL,
    repair="dadpfl/thm3~repaired-round",
    step=True,
    note=f"{FALLS} {ALL_ZERO}",
)
def eq48(x, share=1):
    change, slope, _, _, _ = round_of(x)
    return le(share * (change), coefficient(x) * slope**2)


@claim(
    "dadpfl/eq49",
    control=Control("half of the left side, which is negative and not low enough", share="1/2"),
    world=EQUAL,
    repair="dadpfl/thm3~repaired-rounds",
    step=True,
    note=f"T = 1. {FALLS} {ALL_ZERO}",
)
def eq49(x, share=1):
    change, slope, _, _, _ = round_of(x)
    return le(share * (change), coefficient(x) * slope**2)


@claim(
    "dadpfl/eq50",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=EQUAL,
    repair="dadpfl/thm3~repaired-rounds",
    step=True,
    note="T = 1; the divisor may be negative, and dividing by it turns the inequality; where it is positive and mu < "
    f"eta, (49) fails. {ALL_ZERO}",
)
def eq50(x, share=1):
    change, slope, _, _, _ = round_of(x)
    return le(share * (slope**2), -2 / rate_coefficient(x) * change)


DESCENT = Sequences(
    "T",
    sequences={"F": real(VALUE), "g": at_least(0, GRADIENT**2)},
    c=real(VALUE / GRADIENT**2),
    rest=at_least(0, VALUE),
    every=(
        condition(
            "F_{t+1} - F_t <= (6 S_1 (mu - eta) - eta)/2 g_t + rest",
            lambda x, t: le(x.F[t + 1] - x.F[t], -x.c / 2 * x.g[t] + x.rest),
            "(47)",
        ),
    ),
)


@claim(
    "dadpfl/thm3-proof-s1",
    world=Sequences(
        "T",
        sequences={"g": at_least(0)},
        least=at_least(0),
        every=(condition("the minimum is below every one", lambda x, t: le(x.least, x.g[t])),),
    ),
    step=True,
    control=Control("half of the mean", share="1/2"),
    note="`least` is the minimum; for every T, times T.",
)
def proof_s1(x, share=1):
    return le(x.T * x.least, share * x.sum(lambda t: x.g[t], x.T))


@claim(
    "dadpfl/thm3-proof-s2",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=DESCENT,
    repair="dadpfl/thm3-proof-s2~repaired",
    step=True,
    note="From (47) at every t to (50), for a divisor c = eta - 6 S_1 (mu - eta) of any sign: with a negative one the "
    "sum of squares would be bounded by a negative number.",
)
def proof_s2(x, share=1):
    return le(share * (x.sum(lambda t: x.g[t], x.T)), 2 / x.c * (x.F[0] - x.F[x.T]) + 2 / x.c * x.T * x.rest)


@claim(
    "dadpfl/thm3-proof-s2~repaired",
    world=DESCENT,
    control=Control("half of the sum", share="1/2"),
    step=True,
    note="Multiplied by c/2, which keeps the inequality for either sign; (50) follows where c > 0. Any F, g and rest "
    "that meet (47), for every T.",
)
def proof_s2_repaired(x, share=1):
    return le(x.F[x.T] - x.F[0] + x.c / 2 * x.sum(lambda t: x.g[t], x.T), share * x.T * x.rest)
