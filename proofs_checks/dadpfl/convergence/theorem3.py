"""Theorem 3: its bound (13), the sign of what it divides by, Remarks 4 and 5, and Appendix E."""

from fedtheory import Control, claim, eq, le, lt
from fedtheory.theory.dadpfl.constants import S1, S2, S3, rate_coefficient, theorem3
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP, VALUE
from problems import Points, Scalars, Sequences, at_least, condition, positive, real

from .worlds import BOUNDS, OF_LEMMA, OF_THEOREM, ROUND, SETTING, STEPS, WHOLE, global_models, local_steps, mean

LARGE = 10**6
CHOSEN = {"M": (2, 5, 10), "E_l": (1, 3, 5, 20)}
REST = (
    "Clients that are alike, f_k(w) = L w^2/2, masks of ones, all models at the minimiser at the start: nothing moves for any K > M, N and schedule, and the left "
    "side is 0 for every T, f(~w^0) = min f. The variances are bounds, which 0 meets; convex, bounded below."
)


@claim(
    "dadpfl/cond-thm3-lemmas",
    world=Scalars(sizes={"M": (2, 3, 10)}, given=(OF_THEOREM[1],), **WHOLE),
    repair="dadpfl/cond-thm3-lemmas~repaired",
    note="That the step of Theorem 3 is one of Lemmas 1, 3 and 4: their limit for eta^2 is M times smaller.",
)
def steps_fit(x):
    return le(12 * x.M * x.L**2 * x.eta**2 * (x.M - 1) * (2 * x.M - 1), 1)


@claim("dadpfl/cond-thm3-lemmas~repaired", world=Scalars(given=OF_LEMMA, **STEPS), control=Control("M times as much", share=3),
       note="The limit of the lemmas meets that of the theorem, for every M > 1.")  # fmt: skip
def steps_fit_repaired(x, share=1):
    return le(share * 12 * x.L**2 * x.eta**2 * (x.M - 1) * (2 * x.M - 1), 1)


AT_REST = Scalars(
    sizes=CHOSEN, T=positive(), given=(OF_THEOREM[1], condition("T is large", lambda x: le(LARGE, x.T))), **WHOLE, **BOUNDS
)


def bound_at_rest(x):
    """The right side of (13) where f(~w^0) = min f: S_3, whatever T is."""
    return S3(x)


@claim(
    "dadpfl/eq13",
    world=AT_REST,
    repair="dadpfl/thm3~repaired",
    note=f"{REST} The right side is S_3 then, the same for every T, and it is negative where eta < 6 S_1 (mu - eta), which the printed step allows, or where eta > mu and "
    "the variances weigh more. M = 2, 5, 10 and E_l = 1, 3, 5, 20, T at least 10^6.",
)
def eq13(x):
    return le(0 * x.sigma_g_sq, bound_at_rest(x))


POSITIVE = condition("the proof divides by a positive number", lambda x: lt(0, rate_coefficient(x)), "(50)")


@claim(
    "dadpfl/eq13@positive-divisor",
    world=Scalars(sizes={"M": (2,), "E_l": (3,)}, given=(OF_LEMMA[1], POSITIVE), **WHOLE, w=positive(LENGTH)),
    note="With a positive divisor and the step of the lemmas: eta may exceed mu where mu is small, and as mu - eta has two units what is divided by is then large. One round "
    f"(T = 1), E_l = 3, all sigma = 0, the right side with all of f(~w^0). {SETTING} No units are kept by (13): scale w, and the printed bound falls below the gradient.",
)
def eq13_positive(x):
    first, _ = global_models(x)
    return le((x.L * first) ** 2, 2 * (x.L * first**2 / 2) / rate_coefficient(x))


@claim(
    "dadpfl/thm3-s3@divisor",
    world=Scalars(sizes=CHOSEN, given=(OF_THEOREM[1],), **WHOLE),
    note="The divisor of (13) and S_3 is eta - 6 S_1 (mu - eta). At the printed step it need not be positive: for mu > eta it is so if and only if "
    "12 eta M (M - 1)(e^... - 1)(mu - eta) < 1, dadpfl/thm3-s3@sign. M = 2, 5, 10, E_l = 1, 3, 5, 20.",
)
def divisor(x):
    return lt(0, rate_coefficient(x))


@claim(
    "dadpfl/thm3-s3@divisor-lemmas",
    world=Scalars(sizes=CHOSEN, given=(OF_LEMMA[1],), **WHOLE),
    note="Nor with the step of the lemmas.",
)
def divisor_lemmas(x):
    return lt(0, rate_coefficient(x))


FACTOR = {"rise": positive(), "M": at_least(1), **WHOLE}


def divided(x):
    """eta - 6 S_1 (mu - eta), where `rise` is the exponential less 1."""
    return x.eta - 12 * x.eta**2 * x.M * (x.M - 1) * x.rise * (x.L - x.eta)


@claim(
    "dadpfl/thm3-s3@sign",
    world=Scalars(
        given=(condition("12 eta M (M - 1)(e^... - 1)(mu - eta) < 1", lambda x: lt(12 * x.eta * x.M * (x.M - 1) * x.rise * (x.L - x.eta), 1)),), **FACTOR
    ),
    control=Control("nor with half of eta", share="1/2"),
    note="The divisor is positive then; `rise` is the exponential less 1, any positive number. That it is not else: dadpfl/thm3-s3@sign-needed.",
)
def sign(x, share=1):
    return lt((1 - share) * x.eta, divided(x))


@claim(
    "dadpfl/thm3-s3@sign-needed",
    world=Scalars(given=(condition("the divisor is positive", lambda x: lt(0, divided(x))),), **FACTOR),
    control=Control("nor with half of the bound", share=2),
    note="And the other way round: eta (mu - eta) is bounded, which is a bound on a step of another unit than the printed one.",
)
def sign_needed(x, share=1):
    return lt(share * 12 * x.eta * x.M * (x.M - 1) * x.rise * (x.L - x.eta), 1)


@claim(
    "dadpfl/thm3-s3@experiment",
    world=Scalars(
        sizes={"M": (10,), "E_l": (5,)}, L=positive(CURVATURE), eta=positive(STEP), given=(condition("eta = 1/10", lambda x: eq(10 * x.eta, 1)), OF_THEOREM[1])
    ),
    note="At the setting of Section VI-A, M = 10, E_l = 5, eta = 0.1, whatever mu the step condition allows: it asks mu <= 0.22, and the divisor is positive only up to "
    "mu = 0.118 or so.",
)
def divisor_experiment(x):
    return lt(0, rate_coefficient(x))


# Remark 4 and the end of the proof, as statements about the right side

ASYMPTOTIC = {"root": at_least(1), "c": positive(), "rise": positive(), "M": at_least(1), "L": positive()}
# eta = 1/(mu root) with root = sqrt(T); a = 2 M (M - 1) rise, so that S_1 = a eta^2


def step(x):
    """eta = 1/(mu sqrt(T))."""
    return 1 / (x.L * x.root)


def amount(x):
    """a = S_1/eta^2."""
    return 2 * x.M * (x.M - 1) * x.rise


LONG = condition("T is large: sqrt(T) >= 12 S_1/eta^2", lambda x: le(12 * amount(x), x.root))
VALUES = {"root": at_least(1), "rise": positive(), "M": at_least(1), "L": positive()}
MANY = condition("M > 1", lambda x: lt(1, x.M))


@claim(
    "dadpfl/thm3-proof-s4",
    world=Scalars(given=(MANY, LONG), **VALUES),
    control=Control("nor three quarters", share="3/2"),
    step=True,
    note="Of the right side alone, for eta = 1/(mu sqrt(T)): the divisor is at least eta/2 as soon as sqrt(T) >= 24 M (M - 1)(e^... - 1). `root` is sqrt(T), `rise` the "
    "exponential less 1. For a fixed eta it does not depend on T.",
)
def proof_s4(x, share=1):
    eta = step(x)
    return le(share * eta / 2, eta - 6 * amount(x) * eta**2 * (x.L - eta))


SIGMAS = {"own": at_least(0), "shared": at_least(0), "E_l": at_least(1)}


def third(x, eta, divisor):
    """S_3 with the variances S_2 (`shared`) and sigma_l^2 + sigma_g^2 (`own`)."""
    drift = 3 * x.L**2 * eta**3 * (3 * x.M + 2) * x.E_l / (2 * (x.M + 1) * x.M) * x.own
    return 2 / divisor * ((x.L - eta) * amount(x) * eta**2 * x.shared + drift)


@claim(
    "dadpfl/thm3-proof-s5",
    world=Scalars(
        given=(MANY, condition("the divisor is at least eta/2", lambda x: le(step(x) / 2, x.divisor))), divisor=positive(), **VALUES, **SIGMAS,
    ),
    by=(),
    control=Control("a tenth", share="1/10"),
    step=True,
    note="Of S_3 alone, for eta = 1/(mu sqrt(T)) and the divisor of dadpfl/thm3-proof-s4: it is at most 4 a S_2/sqrt(T) + 6 (3M + 2) E_l/((M + 1) M T) (sigma_l^2 + sigma_g^2) and tends "
    "to 0. `root` is sqrt(T), a is 2 M (M - 1)(e^... - 1).",
)  # fmt: skip
def proof_s5(x, share=1):
    bound = 4 * amount(x) * x.shared / x.root + 6 * (3 * x.M + 2) * x.E_l / ((x.M + 1) * x.M * x.root**2) * x.own
    return le(third(x, step(x), x.divisor), share * bound)


@claim(
    "dadpfl/rem4-b",
    world=Scalars(
        given=(MANY, condition("the divisor is at least eta/2", lambda x: le(step(x) / 2, x.divisor))), divisor=positive(), gap=at_least(0), **VALUES, **SIGMAS,
    ),
    control=Control("a tenth", share="1/10"),
    uses=("dadpfl/thm3-proof-s4", "dadpfl/thm3-proof-s5", "dadpfl/eq13"),
    note="Of the right side of (13) alone, which is no bound: dadpfl/eq13. For eta = 1/(mu sqrt(T)) and the divisor of dadpfl/thm3-proof-s4 it has the printed rate, "
    "4 mu gap/sqrt(T) + 4 a S_2/sqrt(T) + 6 (3M + 2) E_l (sigma_l^2 + sigma_g^2)/((M + 1) M T).",
)  # fmt: skip
def rem4_b(x, share=1):
    eta = step(x)
    left = 2 / (x.root**2 * x.divisor) * x.gap + third(x, eta, x.divisor)
    rate = 4 * x.L * x.gap / x.root + 4 * amount(x) * x.shared / x.root + 6 * (3 * x.M + 2) * x.E_l / ((x.M + 1) * x.M * x.root**2) * x.own
    return le(left, share * rate)


@claim(
    "dadpfl/rem4-a",
    world=Scalars(
        sizes={"M": (2, 10), "E_l": (1, 5)}, given=(OF_THEOREM[1], POSITIVE, condition("T is large", lambda x: le(LARGE, x.T)), condition("mu > eta", lambda x: lt(x.eta, x.L))),
        T=positive(), gap=at_least(0, VALUE), **WHOLE, **BOUNDS,
    ),
    repair="dadpfl/rem4-b",
    note="Of the right side of (13), with a positive divisor, at a step that does not depend on T: S_3 stays, here against a thousandth of the largest variance at T of at least 10^6. "
    "With eta = 1/(mu sqrt(T)) it vanishes: dadpfl/rem4-b.",
)  # fmt: skip
def rem4_a(x):
    return le(theorem3(x, x.T), x.maximum(x.sigma_l_sq, x.sigma_g_sq, x.sigma_p_sq) / 1000 + 1000 * x.gap / x.T)


# Remark 5


@claim(
    "dadpfl/rem5-a",
    world=Scalars(
        rise=positive(), plain=positive(), M=at_least(1), T=positive(), gap=positive(), L=positive(), eta=positive(), shared=at_least(0), own=at_least(0), E_l=at_least(1),
        given=(
            MANY, condition("mu > eta", lambda x: lt(x.eta, x.L)), condition("E_l^* > E_l: the exponential is larger", lambda x: lt(x.plain, x.rise)),
            condition("the divisor is positive", lambda x: lt(0, divided(x))),
        ),
    ),
    repair="dadpfl/rem5-a~repaired",
    note="By Theorem 3, as printed: the same right side with E_l^* local steps (`rise`, the scheduled one) and with E_l (`plain`), where its divisor is positive and mu > eta. "
    "S_1 grows with the steps, and with it the bound.",
)  # fmt: skip
def rem5_a(x):
    return le(whole(x, x.rise), whole(x, x.plain))


def whole(x, rise):
    """The right side of (13) without the drift's term, as it is over the divisor, for one exponential less 1."""
    s = 2 * x.eta**2 * x.M * (x.M - 1) * rise
    return 2 / (x.eta - 6 * s * (x.L - x.eta)) * (x.gap / x.T + (x.L - x.eta) * s * x.shared)


@claim(
    "dadpfl/rem5-a~repaired",
    world=Scalars(
        more=at_least(1), s=positive(), gap=positive(), kept=positive(), shared=at_least(0), eta=positive(), given=(
            condition("the divisor with more local steps is positive", lambda x: lt(0, x.eta - 6 * x.s * x.more * x.kept)),
        ),
    ),
    control=Control("twice the bound", share=2),
    note="The other way round: where the divisor is positive and mu > eta, the right side of (13) with scheduling is at least the one without, and so is the number of rounds that it "
    "promises. s is S_1 without scheduling, more s with it, `kept` is mu - eta, `gap` the gap over T.",
)  # fmt: skip
def rem5_a_repaired(x, share=1):
    def right(s):
        return 2 / (x.eta - 6 * s * x.kept) * (x.gap + x.kept * s * x.shared)

    return le(share * right(x.s), right(x.more * x.s))


SHORT = Scalars(sizes={"M": (2, 5, 10), "E_l": (1, 3, 5)}, given=(OF_THEOREM[1],), **WHOLE)


@claim(
    "dadpfl/rem5-b",
    world=SHORT,
    repair="dadpfl/rem5-b~repaired",
    note="S_1 has the factor 2 eta^2 M (M - 1), by which it is small for a small step, and a unit that the right side lacks. M = 2, 5, 10 and E_l = 1, 3, 5.",
)
def rem5_b(x):
    return lt(x.exp(x.E_l / (2 * x.M - 2)) - 1, S1(x))


@claim("dadpfl/rem5-b~repaired", world=Scalars(M=at_least(1), E_l=at_least(1), given=(MANY,)), control=Control("of twice E_l", times=2),
       note="Of the exponents, for every M > 1: the exponential of S_1 is larger than that without scheduling.")  # fmt: skip
def rem5_b_repaired(x, times=1):
    return lt(times * x.E_l / (2 * x.M - 2), (3 * x.M + 2) * x.E_l / (4 * (x.M**2 - 1)))


RATIO = Scalars(M=at_least(1))


def ratio(M):
    """E_l^*/E_l."""
    return (3 * M + 2) / (2 * M + 2)


@claim("dadpfl/rem5-d", world=Scalars(M=at_least(1), E_l=at_least(1)), control=Control("of M + 1 more", more=1),
       note="Of local steps, E_l^* = E_l + M/(2(M + 1)) E_l over E_l; of no part of (13).")  # fmt: skip
def rem5_d(x, more=0):
    star = x.E_l + x.M / (2 * (x.M + 1 + more)) * x.E_l
    return eq(star / x.E_l, ratio(x.M))


@claim("dadpfl/rem5-e", world=Scalars(sizes={"M": (2,)}), control=Control("it is not 3/2", lambda x: eq(ratio(x.M), x.ratio(3, 2))))
def rem5_e(x):
    return eq(ratio(x.M), x.ratio(4, 3))


@claim("dadpfl/rem5-f", world=RATIO, control=Control("half as near", share="1/2"), note="It is below 3/2 by 1/(2M + 2), for every M.")
def rem5_f(x, share=1):
    return lt(ratio(x.M), x.ratio(3, 2)), eq(x.ratio(3, 2) - ratio(x.M), share / (2 * x.M + 2) if share == 1 else x.ratio(1, 2) / (2 * x.M + 2))


@claim(
    "dadpfl/rem5-g",
    world=RATIO,
    control=Control("the next step is not twice as small", lambda x: le(2 * (ratio(x.M + 2) - ratio(x.M + 1)), ratio(x.M + 1) - ratio(x.M))),
    note="Of the ratio: it grows with M, by less and less. That a larger one lowers the bound (13) is false: dadpfl/rem5-a.",
)
def rem5_g(x):
    first, second = ratio(x.M + 1) - ratio(x.M), ratio(x.M + 2) - ratio(x.M + 1)
    return lt(0, first), lt(second, first)


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
    world=EQUAL,
    repair="dadpfl/eq46~repaired",
    step=True,
    note=f"|~w^{{t+1}} - ~w^t|^2 is eta^2 |g^|^2 at most, and (46) takes |g^|^2: mu - eta is a difference of a curvature and a step. {ALL_ZERO}",
)
def eq46(x):
    change, slope, g, first, second = round_of(x)
    left = mean([x.L / 2 * (v - first) ** 2 + slope * (v - first) for v in second])
    return eq(left, -x.eta / 2 * slope**2 + (x.L - x.eta) / 2 * g**2)


@claim(
    "dadpfl/eq46~repaired",
    world=Points(None, at=("F", "g"), L=positive(CURVATURE), eta=positive(STEP)),
    control=Control("half", share="1/2"),
    step=True,
    note="For a round that goes -eta g: with (eta/2)(mu eta - 1) in the place of (mu - eta)/2 and the third term of (43). Any vectors.",
)
def eq46_repaired(x, share=1):
    left = x.L / 2 * x.sq(x.eta * x.g) - x.eta * x.dot(x.F, x.g)
    return eq(left, share * (-x.eta / 2 * x.sq(x.F) - x.eta / 2 * (1 - x.L * x.eta) * x.sq(x.g) + x.eta / 2 * x.sq(x.F - x.g)))


@claim(
    "dadpfl/eq47",
    world=EQUAL,
    repair="dadpfl/thm3~repaired-round",
    step=True,
    note=f"Lemma 3 bounds mu/2 times the movement, and here it bounds g^, which has no factor eta^2: for a small step the left side does not vanish. {ALL_ZERO}",
)
def eq47(x):
    _, slope, g, _, _ = round_of(x)
    return le(-x.eta / 2 * slope**2 + (x.L - x.eta) / 2 * g**2, coefficient(x) * slope**2)


FALLS = (
    "For mu < eta, which the step condition allows where mu is small, the coefficient of |grad f|^2 is far below -eta, and f would have to fall by more than it is above its minimum."
)


@claim("dadpfl/eq48", world=EQUAL, repair="dadpfl/thm3~repaired-round", step=True, note=f"{FALLS} {ALL_ZERO}")
def eq48(x):
    change, slope, _, _, _ = round_of(x)
    return le(change, coefficient(x) * slope**2)


@claim("dadpfl/eq49", world=EQUAL, repair="dadpfl/thm3~repaired-rounds", step=True, note=f"T = 1. {FALLS} {ALL_ZERO}")
def eq49(x):
    change, slope, _, _, _ = round_of(x)
    return le(change, coefficient(x) * slope**2)


@claim(
    "dadpfl/eq50",
    world=EQUAL,
    repair="dadpfl/thm3~repaired-rounds",
    step=True,
    note=f"T = 1; the divisor may be negative, and dividing by it turns the inequality; where it is positive and mu < eta, (49) fails. {ALL_ZERO}",
)
def eq50(x):
    change, slope, _, _, _ = round_of(x)
    return le(slope**2, -2 / rate_coefficient(x) * change)


DESCENT = Sequences(
    "T",
    sequences={"F": real(VALUE), "g": at_least(0, GRADIENT**2)},
    c=real(VALUE / GRADIENT**2),
    rest=at_least(0, VALUE),
    every=(condition("F_{t+1} - F_t <= (6 S_1 (mu - eta) - eta)/2 g_t + rest", lambda x, t: le(x.F[t + 1] - x.F[t], -x.c / 2 * x.g[t] + x.rest), "(47)"),),
)


@claim("dadpfl/thm3-proof-s1", world=Sequences("T", sequences={"g": at_least(0)}, least=at_least(0), every=(
    condition("the minimum is below every one", lambda x, t: le(x.least, x.g[t])),)), step=True, control=Control("half of the mean", share="1/2"),
    note="`least` is the minimum; for every T, times T.")  # fmt: skip
def proof_s1(x, share=1):
    return le(x.T * x.least, share * x.sum(lambda t: x.g[t], x.T))


@claim(
    "dadpfl/thm3-proof-s2",
    world=DESCENT,
    repair="dadpfl/thm3-proof-s2~repaired",
    step=True,
    note="From (47) at every t to (50), for a divisor c = eta - 6 S_1 (mu - eta) of any sign: with a negative one the sum of squares would be bounded by a negative number.",
)
def proof_s2(x):
    return le(x.sum(lambda t: x.g[t], x.T), 2 / x.c * (x.F[0] - x.F[x.T]) + 2 / x.c * x.T * x.rest)


@claim(
    "dadpfl/thm3-proof-s2~repaired",
    world=DESCENT,
    control=Control("half of the sum", share="1/2"),
    step=True,
    note="Multiplied by c/2, which keeps the inequality for either sign; (50) follows where c > 0. Any F, g and rest that meet (47), for every T.",
)
def proof_s2_repaired(x, share=1):
    return le(x.F[x.T] - x.F[0] + x.c / 2 * x.sum(lambda t: x.g[t], x.T), share * x.T * x.rest)
