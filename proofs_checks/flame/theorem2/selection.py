"""The relative skew (17), (18), what is said of it, and the biased selection in (53) to (55) (Section 4.4, Appendix D).

d_i = |theta_i' - theta_i|^2 are any non-negative numbers, since theta_i' is any vector of every client. What is refuted is so
for two clients; what is proved is so for every m and s.
"""

from dataclasses import replace

from fedtheory import Control, claim, eq, le, lt
from fedtheory.theory.flame.conditions import DESCENT, PENALTY
from fedtheory.theory.flame.constants import c1, c2, descent_coefficient, eps_coefficient
from fedtheory.units import GRADIENT, LENGTH, VALUE
from problems import Points, Run, Scalars, at_least, between, condition, positive

from ..one_client import EPS_MAX, NAMES, TERMWISE, own

DISTANCES = {"d_1": at_least(0, LENGTH**2), "d_2": at_least(0, LENGTH**2)}
NOT_ALL_0 = condition("not every d_i is 0", lambda x: lt(0, x.d_1 + x.d_2))


@claim(
    "flame/rem-gamma-unbiased",
    world=Points(None, at=(), clients_at=("theta", "theta_prime"), sizes={"S": (1, 2, 3)}),
    control=Control("a client alone counts for its share", share="1/2"),
    note="Times the denominator of (17), which is 0 where no theta_i' differs from theta_i. s clients drawn uniformly, for every "
    "m, s.",
)
def rem_gamma_unbiased(x, share=1):
    d = x.sq(x.theta_prime - x.theta)
    return eq(x.E(lambda draw: x.total(d, over=draw) / x.S), share * x.mean(d))


def skew(over_S, over_all):
    """(17), of the expected mean of |theta_i' - theta_i|^2 over S^t and of that over all clients."""
    return over_S / over_all


# any strategy: S^t is any set of s clients, and may depend on all that happened


def moved_sq(x):
    """|theta_i' - theta_i|^2 at equal distances, theta_i' = theta_i + v."""
    return x.sq(x.theta + x.v - x.theta)


EQUAL = Run(
    None, at=("v",), clients_at=("theta",), fresh=("v", "theta"), step={}, selection="chosen",
    sizes={"m": (1, 2, 3), "S": (1, 2), "d": (1, 2)}, gamma_bar=positive(),
    quantities={
        "dist": lambda x: x.sq(x.v),
        "over_S": lambda x: x.total(moved_sq(x), over=x.chosen) / x.S,
        "over_all": lambda x: x.mean(moved_sq(x)),
    },
    every=(condition(
        "gamma_bar times the mean of |theta_i' - theta_i|^2 is at most that over S^t",
        lambda x, t: le(x.gamma_bar * x.over_all[t], x.over_S[t]), "(17), (18)",
    ),),
)  # fmt: skip


@claim(
    "flame/eq18@at-most-1",
    world=EQUAL,
    control=Control("uniform selection has 1", share="1/10"),
    note="gamma_bar <= 1 for every strategy, m and s: at theta_i' = theta_i + v all distances are |v|^2, (17) is 1 whoever is "
    "selected, and (18) is a minimum. Times |v|^2.",
)
def eq18_at_most_1(x, t, share=1):
    return le(x.gamma_bar * x.dist[t], share * x.dist[t])


@claim(
    "flame/eq18@box",
    world=Scalars(d=positive(LENGTH**2)),
    control=Control("nor half of it", share="1/2"),
    note="gamma_bar > 0 for the box, here two clients, c = 2, s = 1: the client with the smaller gradient at theta is never "
    "selected, and theta_2' may differ from theta_2 for that client alone. Then (17) is 0, and (20) divides by 0. The same for "
    "every s < c: a client with the smallest of all gradients is never selected, whichever the candidates (g_i on all samples). "
    "For s = c the selection is uniform.",
)  # fmt: skip
def eq18_box(x, share=1):
    selected, left_out = x.d * 0, x.d  # d_1 of the client with the larger gradient, d_2 of the other
    return lt(0, share * 2 * selected / (selected + left_out))


@claim(
    "flame/rem-gamma-larger",
    world=Scalars(**DISTANCES, given=(NOT_ALL_0,)),
    control=Control("nor is it more than half as much again", share="3/2"),
    repair="flame/rem-gamma-larger~repaired",
    note="Two clients, s = 1, the one with the larger d_i = |theta_i' - theta_i|^2 selected: gamma_bar would be larger than the "
    "1 of uniform selection if (17) were at all d_1, d_2. At equal ones it is 1, and so is the minimum (18).",
)
def rem_gamma_larger(x, share=1):
    return lt(share, 2 * x.maximum(x.d_1, x.d_2) / (x.d_1 + x.d_2))


LARGEST = {"picked": at_least(0, LENGTH**2), "c": at_least(0, LENGTH**2), "s": at_least(1)}
OF_LARGEST = "`picked` is the sum of the s largest d_i and c the least of these."


@claim(
    "flame/rem-gamma-larger~repaired",
    world=Scalars(
        **LARGEST, others=at_least(0), gone=at_least(0, LENGTH**2), came=at_least(0, LENGTH**2), over_all=positive(LENGTH**2),
        given=(
            condition("those that it leaves out are at least c", lambda x: le(x.others * x.c, x.gone)),
            condition("those that it takes instead are at most c", lambda x: le(x.came, x.others * x.c)),
        ),
    ),
    control=Control("at equal distances (17) is 1 for both", share="11/10"),
    note="'No smaller': selecting the s clients with the largest d_i has a (17) no smaller than any other strategy, and so a "
    f"gamma_bar, for every m and s. {OF_LARGEST} Another selection of s clients leaves out `others` of them, which sum up to "
    "`gone`, and takes as many of the rest, which sum up to `came`; `over_all` is the mean of all d_i.",
)  # fmt: skip
def rem_gamma_larger_repaired(x, share=1):
    other = x.picked - x.gone + x.came
    return le(share * other / x.s / x.over_all, x.picked / x.s / x.over_all)


@claim(
    "flame/rem-biased-magnitude",
    world=Scalars(
        **LARGEST, rest=at_least(0, LENGTH**2), m=at_least(1),
        given=(
            condition("s <= m", lambda x: le(x.s, x.m)),
            condition("each of the s is at least c", lambda x: le(x.s * x.c, x.picked)),
            condition("each of the m - s others is at most c", lambda x: le(x.rest, (x.m - x.s) * x.c)),
        ),
    ),
    control=Control("equal moves are selected for their share", share="11/10"),
    uses=("flame/lemma1~repaired",),
    note="What bounds the decrease of L in a round is the sum of |theta_i^{t+1} - theta_i^t|^2 over S^t (with the local "
    "models'): with the s largest of these, for every m and s, it is no smaller than in the mean over uniform selections. "
    f"{OF_LARGEST} `rest` is the sum of the others. It is a bound on one round and says nothing of the rounds after it; (20) "
    "promises no speed-up, flame/rem-intro-biased.",
)  # fmt: skip
def rem_biased_magnitude(x, share=1):
    return le(share * x.s / x.m * (x.picked + x.rest), x.picked)


BOUND = Scalars(**own(*NAMES), fall=positive(VALUE), given=(DESCENT,))


@claim(
    "flame/rem-intro-biased",
    world=BOUND,
    control=Control("nor is it half of it", share="1/2"),
    repair="flame/rem-biased-magnitude",
    uses=("flame/eq18@at-most-1", "flame/rem-intro-biased@never"),
    note="'Theoretically demonstrate' is read as: some strategy has a bound (20) below the bound (19) of the unbiased one. They "
    "differ by 1/gamma_bar (equal weights, eps = 0), and no strategy has a gamma_bar above 1, which is taken here. The box has "
    "0: flame/eq18@box.",
)
def rem_intro_biased(x, share=1):
    best, unbiased = 1, c2(x) * x.fall / c1(x)
    return lt(unbiased / best, share * unbiased)


@claim(
    "flame/rem-intro-biased@never",
    world=replace(EQUAL, given=(DESCENT,), scalars={**EQUAL.scalars, **own(*NAMES), "fall": positive(VALUE)}),
    by=(eq18_at_most_1,),
    control=Control("gamma_bar = 1 has the same bound", share="11/10"),
    note="For every strategy the bound (20) is at least that of (19), where they are comparable: equal weights, eps = 0. Times "
    "|v|^2 of row eq18@at-most-1.",
)
def rem_intro_biased_never(x, t, share=1):
    unbiased = c2(x) * x.fall / c1(x)
    return le(share * unbiased * x.dist[t], unbiased / x.gamma_bar * x.dist[t])


@claim(
    "flame/rem-thm2-gamma@positive",
    world=Scalars(
        **{name: positive() for name in ("c_0", "c_1", "c_2", "gamma", "more", "fall")},
        eps=at_least(0),
        m=at_least(1),
        s=at_least(1),
    ),
    control=Control("nor is it half of it", share="1/2"),
    note="Where c_0 > 0 and L falls, neither of which is said: the right side of (20) does not grow with gamma_bar, for any c_1, "
    "c_2 > 0; which strategies have a larger one is another matter: none has more than 1, flame/eq18@at-most-1. T = 1, gamma_bar "
    "and gamma_bar + more.",
)
def rem_thm2_gamma_positive(x, share=1):
    def bound(gamma):
        c4 = 2 + x.m * x.c_0 * x.c_2 / (x.s * x.c_1 * gamma)
        return x.c_2 * x.fall / (x.s * x.c_1 * gamma) + c4 * x.eps

    return le(bound(x.gamma + x.more), share * bound(x.gamma))


# (53) and (54)


@claim(
    "flame/eq53-b",
    world=Scalars(
        **own("lam", "rho", "alpha"), dw_sq=at_least(0, LENGTH**2), dtheta_sq=at_least(0, LENGTH**2), given=(DESCENT,)
    ),
    control=Control("w_i need not move", share="11/10"),
    uses=("flame/thm2-c1@positive",),
    step=True,
    note=f"{TERMWISE} The terms in eps are the same.",
)
def eq53_b(x, share=1):
    k = descent_coefficient(x)
    return le(k * (x.dw_sq + x.dtheta_sq), share * k * x.dtheta_sq)


@claim(
    "flame/eq54-a@weights",
    world=Scalars(**DISTANCES, k_1=positive(), k_2=positive(), given=(NOT_ALL_0,)),
    control=Control("nor with half of the decrease", share="1/2"),
    repair="flame/eq54-a@equal",
    step=True,
    note="Two clients, s = 1, the first one selected, with the coefficients -k_1, -k_2 of (16) and exact solutions: the left "
    "side is -k_1 d_1. (17) weighs the d_i alike, so that a client of small alpha_i and k_i pays less than it is counted for.",
)
def eq54_a_weights(x, share=1):
    gamma = 2 * x.d_1 / (x.d_1 + x.d_2)
    return le(-x.k_1 * x.d_1, -share * gamma / 2 * (x.k_1 * x.d_1 + x.k_2 * x.d_2))


@claim(
    "flame/eq54-a@equal",
    world=Scalars(
        over_S=at_least(0, LENGTH**2), over_all=positive(LENGTH**2), k=positive(), s=at_least(1), m=at_least(1),
    ),
    control=Control("nor is it twice as much", times=2),
    step=True,
    note="With equal coefficients -k, for every m, s and strategy: an equality, by (17). `over_S` is the expectation of the mean "
    "of |theta_i^{t+1} - theta_i^t|^2 over S^t, `over_all` the sum over all clients.",
)  # fmt: skip
def eq54_a_equal(x, times=1):
    gamma = skew(x.over_S, x.over_all / x.m)
    return eq(-x.k * x.s * x.over_S, -times * x.s * gamma / x.m * x.k * x.over_all)


SKEWED = {
    "eps": at_least(0, GRADIENT**2), "eps_max": positive(GRADIENT**2), "gamma": positive(), "more": at_least(0),
    "d": at_least(0, LENGTH**2),
}  # fmt: skip


def skewed(x, k, weight, share):
    """(54), its two last lines for one client: gamma = gamma_bar + more, k and the weight of eps those of (16)."""
    left = (x.gamma + x.more) * k * x.d + weight * x.eps
    return le(left, x.gamma * k * x.d + share * weight * x.eps_max)


@claim(
    "flame/eq54-b",
    world=Scalars(**own(*NAMES), **SKEWED, given=(DESCENT, PENALTY, EPS_MAX)),
    control=Control("nor with less of eps", share="1/2"),
    repair="flame/eq54-b~repaired",
    uses=("flame/thm2-c1@positive",),
    step=True,
    note="One client, m = s = 1. For c_0 < 0, which the conditions allow, an accuracy below the largest one makes the left side "
    "larger.",
)
def eq54_b(x, share=1):
    return skewed(x, descent_coefficient(x), eps_coefficient(x), share)


@claim(
    "flame/eq54-b~repaired",
    world=Scalars(**SKEWED, k=positive(), weight=positive(), given=(EPS_MAX,)),
    control=Control("an accuracy may be the largest one", share="9/10"),
    uses=("flame/thm2-c1@positive",),
    step=True,
    note=f"For every positive weight of eps, and any coefficient -k < 0 of the moves. {TERMWISE} s of the m clients are at most m.",
)
def eq54_b_repaired(x, share=1):
    return skewed(x, -x.k, x.weight, share)


# which models meet Assumption 1


@claim(
    "flame/rem-assump1-models",
    world=Scalars(L=positive(), t=positive(), given=(condition("t > 1", lambda x: lt(1, x.t)),)),
    control=Control("nor for half of the change", share="1/2"),
    repair="flame/rem-assump1-models~repaired",
    uses=("flame/rem-assump1-models@every-L",),
    note="An MLP with one hidden ReLU unit, f(u, v) = (v max(u, 0))^2/2, the square loss of the sample x = 1, y = 0. Between (t, "
    "t) and (1, 1) the gradient (u v^2, u^2 v) changes by t^2 + t + 1 times the distance: no L serves, "
    "flame/rem-assump1-models@every-L. A hinge loss, the usual SVM, is not even differentiable. 'Generally' is not judged.",
)
def rem_assump1_models(x, share=1):
    return le(share * (x.t**2 + x.t + 1), x.L)


@claim(
    "flame/rem-assump1-models@every-L",
    world=Scalars(L=positive()),
    control=Control("of t = 1 + L, the whole square is too much", lambda x: lt(4 * x.L, (x.L + 1) ** 2)),
    note="At t = 1 + L the change is more than L times the distance, for every L.",
)
def rem_assump1_models_every_L(x):
    t = 1 + x.L
    return lt(x.L, t**2 + t + 1)


@claim(
    "flame/rem-assump1-models~repaired",
    world=Scalars(
        **{name: between(0, 1) for name in ("u_1", "v_1", "u_2", "v_2")}, B=positive(),
    ),
    control=Control("between (1, 1) and (t, t), t near 1, three times the distance is attained", share="9/10"),
    note="On a bounded set: for 0 <= u, v <= B the gradient of that f is Lipschitz with 3 B^2; both sides squared, u and v over B.",
)  # fmt: skip
def rem_assump1_models_repaired(x, share=1):
    in_u = x.u_1 * x.v_1**2 - x.u_2 * x.v_2**2
    in_v = x.u_1**2 * x.v_1 - x.u_2**2 * x.v_2
    distance_sq = (x.u_1 - x.u_2) ** 2 + (x.v_1 - x.v_2) ** 2
    return le(in_u**2 + in_v**2, share * 9 * distance_sq)
