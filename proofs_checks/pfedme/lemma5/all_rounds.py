"""Lemma 5 for every number of local rounds R: the drift by induction over r, from `local_step` (Section A.4.2, ours)."""

from dataclasses import replace

from fedtheory import Control, claim, le, use
from fedtheory.theory.pfedme.conditions import LAM_2RHO
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import GRADIENT, LENGTH
from problems import Scalars, Sequences, at_least, condition, real

from .local_step import LOCAL_STEP, growth, lemma5_gradient, lemma5_local_step, local_run

# all of them, by induction over r: two facts on sequences, and the numbers of the drift


@claim(
    "pfedme/lemma5@recursion",
    world=Sequences(
        "n",
        first=0,
        lengths=(0, 1, 2, 3),
        sequences={"A": at_least(0, LENGTH**2), "c": at_least(0), "d": at_least(0), "q": at_least(0)},
        every=(
            condition("A_{t+1} <= c_t A_t + d_t X", lambda x, t: le(x.A[t + 1], x.c[t] * x.A[t] + x.d[t] * x.X)),
            condition("c_t q_t + d_t <= q_{t+1}", lambda x, t: le(x.c[t] * x.q[t] + x.d[t], x.q[t + 1])),
        ),
        given=(condition("A_0 <= q_0 X", lambda x: le(x.A[0], x.q[0] * x.X)),),
        X=at_least(0, LENGTH**2),
    ),
    control=Control("where all hold with equality it is q_n X", share="1/2"),
    step=True,
)
def lemma5_recursion(x, share=1):
    return le(x.A[x.n], share * x.q[x.n] * x.X)


@claim(
    "pfedme/lemma5@total",
    world=Sequences(
        "n",
        first=0,
        lengths=(0, 1, 2, 3),
        sequences={"V": at_least(0, GRADIENT**2), "q": at_least(0), "P": real()},
        every=(
            condition("V_t <= a + b q_t", lambda x, t: le(x.V[t], x.a + x.b * x.q[t])),
            condition("q_t <= P_{t+1} - P_t", lambda x, t: le(x.q[t], x.P[t + 1] - x.P[t])),
        ),
        a=at_least(0, GRADIENT**2),
        b=at_least(0, GRADIENT**2),
    ),
    control=Control("where all hold with equality it is n a + b (P_n - P_0)", share="1/2"),
    step=True,
)
def lemma5_total(x, share=1):
    return le(x.sum(lambda t: x.V[t], x.n), share * (x.n * x.a + x.b * (x.P[x.n] - x.P[0])))


def p(x, r):
    """p_r = r + r^2/(3R), with |w_{i,r} - w_t| <= p_r eta (|grad F_i| + lam delta)."""
    return r + r**2 / (3 * x.R)


def tau(x, t):
    """1/((1 + 1/(2R)) p_t + 1/(2R)), in Young's inequality for the local step at t."""
    return 1 / ((1 + 1 / (2 * x.R)) * p(x, t) + 1 / (2 * x.R))


def reach(x):
    """eta^2 (9 |grad F_i|^2 + 9/8 lam^2 delta^2), which is eta^2 (|grad F_i| + lam delta)^2 at least."""
    return x.eta**2 * (9 * x.G_sq + 9 * x.lam**2 * x.delta**2 / 8)


def summed_squares(x, n):
    """n^3/3 + n^4/(6R) + n^5/(45R^2), the sum of p_r^2 for r < n at least."""
    return n**3 / 3 + n**4 / (6 * x.R) + n**5 / (45 * x.R**2)


UP_TO_R = condition("n <= R", lambda x: le(x.n, x.R))
BEFORE_R = condition("t + 1 <= R", lambda x: le(x.t + 1, x.R))


@claim(
    "pfedme/lemma5@coefficients",
    world=Scalars(t=at_least(0), **symbols("R"), given=(BEFORE_R,)),
    control=Control("for t = 0 and R = 1 the sides differ by less than 4/5 of the right one", share="1/5"),
    step=True,
)
def lemma5_coefficients(x, share=1):
    c, d = (1 + tau(x, x.t)) * growth(x), 1 + 1 / tau(x, x.t)
    return le(c * p(x, x.t) ** 2 + d, share * p(x, x.t + 1) ** 2)


@claim(
    "pfedme/lemma5@squares",
    world=Scalars(t=at_least(0), **symbols("R"), given=(BEFORE_R,)),
    control=Control("for large t = R - 1 the two sides are nearly equal", share="9/10"),
    step=True,
)
def lemma5_squares(x, share=1):
    return le(p(x, x.t) ** 2, share * (summed_squares(x, x.t + 1) - summed_squares(x, x.t)))


WITHIN_DELTA = condition("|theta_tilde - theta_hat|^2 <= delta^2", lambda x, t: le(x.e_sq[t], x.delta**2))
DELTA = symbols("delta")
RUN = local_run(LOCAL_STEP, UP_TO_R, every=(WITHIN_DELTA,), **symbols("R"), **DELTA)
RUN_FROM_1 = replace(RUN, first=1, sizes={**RUN.sizes, "n": (1, 2, 3)})
CONSTANTS = {**symbols("lam", "rho", "eta", "R"), **DELTA, "G_sq": at_least(0, GRADIENT**2)}
AT_T = {"t": lambda x, t: t}


@claim(
    "pfedme/lemma5@distance",
    world=RUN,
    by=(
        use(lemma5_local_step, tau=tau),
        use(lemma5_coefficients, **AT_T),
        use(
            lemma5_recursion, X=reach,
            c=lambda x, t: (1 + tau(x, t)) * growth(x), d=lambda x, t: 1 + 1 / tau(x, t), q=lambda x, t: p(x, t) ** 2,
        ),
    ),
    control=Control("errors of one sign add up to a third of it", share="1/10"),
    step=True,
    note="For every n <= R and every R: A is |w_{i,n} - w_t|^2, of any client.",
)  # fmt: skip
def lemma5_distance(x, share=1):
    return le(x.A[x.n], share * p(x, x.n) ** 2 * reach(x))


def noise(x):
    """7/5 lam^2 delta^2."""
    return 7 * x.lam**2 * x.delta**2 / 5


def weight(x):
    """7/2 lam^2 times the reach."""
    return 7 * x.lam**2 * reach(x) / 2


@claim(
    "pfedme/lemma5@gradients",
    world=RUN,
    by=(
        use(lemma5_gradient, tau=lambda x: x.ratio(2, 5)),
        use(lemma5_distance, n=lambda x, t: t),
        use(lemma5_squares, **AT_T),
        use(
            lemma5_total, a=noise, b=weight, q=lambda x, t: p(x, t) ** 2, P=lambda x, t: summed_squares(x, t),
        ),
    ),
    control=Control("with an error of size delta every term is lam^2 delta^2, and the bound 7/5 of it", share="1/2"),
    step=True,
    note="For every n <= R and every R: V is |g_{i,r} - grad F_i(w_t)|^2, of any client.",
)  # fmt: skip
def lemma5_gradients(x, share=1):
    return le(x.sum(lambda r: x.V[r], x.n), share * (x.n * noise(x) + weight(x) * summed_squares(x, x.n)))


# what follows for every client: Lemma 5, and (22) and (23) with a noise that does not fall with R


@claim(
    "pfedme/lemma5@sum-of-squares",
    world=Scalars(n=at_least(0), **symbols("R"), given=(UP_TO_R,)),
    control=Control("for n = R both sides are 47/90 R^3", share="9/10"),
    step=True,
)
def lemma5_sum_of_squares(x, share=1):
    return le(summed_squares(x, x.n), share * 47 * x.n * x.R**2 / 90)


@claim(
    "pfedme/lemma5@step-squared",
    world=Scalars(**symbols("lam", "eta", "R"), given=(LOCAL_STEP,)),
    control=Control("at the limit of the step size both sides are 1/4", share="9/10"),
    step=True,
)
def lemma5_step_squared(x, share=1):
    return le(x.lam**2 * x.eta**2 * x.R**2, share * x.ratio(1, 4))


@claim(
    "pfedme/lemma5@weakened",
    world=Scalars(
        a=at_least(0, GRADIENT**2),
        b=at_least(0, GRADIENT**2),
        F=at_least(0),
        k=at_least(0),
        given=(condition("F <= k", lambda x: le(x.F, x.k)),),
    ),
    control=Control("for F = k both sides are equal", share="1/2"),
    step=True,
)
def lemma5_weakened(x, share=1):
    return le(x.a + x.b * x.F, share * (x.a + x.b * x.k))


AT_LENGTH = {
    "a": lambda x: x.n * noise(x),
    "b": weight,
    "F": lambda x: summed_squares(x, x.n),
    "k": lambda x: 47 * x.n * x.R**2 / 90,
}


def of_lemma_5(x):
    """The bound of Lemma 5 for one client."""
    noise = x.lam**2 * x.delta**2
    return 2 * noise + 16 * x.eta**2 * x.R**2 * x.lam**2 * (3 * x.G_sq + 2 * noise / x.R)


@claim(
    "pfedme/lemma5@constants",
    world=Scalars(
        **CONSTANTS,
        n=at_least(0),
        given=(LAM_2RHO, LOCAL_STEP),
    ),
    by=(lemma5_step_squared,),
    control=Control(
        "without gradients, for a large R at the limit of the step size, both sides are near 2 lam^2 delta^2",
        share="4/5",
    ),
    step=True,
)
def lemma5_constants(x, share=1):
    return le(AT_LENGTH["a"](x) + AT_LENGTH["b"](x) * AT_LENGTH["k"](x), share * x.n * of_lemma_5(x))


@claim(
    "pfedme/lemma5@drift",
    world=Scalars(
        **CONSTANTS,
        n=at_least(0),
        given=(LAM_2RHO, LOCAL_STEP, UP_TO_R),
    ),
    control=Control(
        "without gradients, for n = R large at the limit of the step size, the sides are nearly equal", share="7/10"
    ),
    step=True,
)
def lemma5_drift(x, share=1):
    return le(AT_LENGTH["a"](x) + AT_LENGTH["b"](x) * AT_LENGTH["F"](x), share * x.n * of_lemma_5(x))


@claim(
    "pfedme/lemma5@every-R",
    world=RUN_FROM_1,
    by=(lemma5_gradients, use(lemma5_drift, n=lambda x: x.n)),
    control=Control(
        "an error of size delta makes the left side lam^2 delta^2, for small eta half of the right", share="2/5"
    ),
    note="For every n <= R, every R and every client; Lemma 5 is its mean over the clients for n = R.",
)
def lemma5_every_R(x, share=1):
    return le(x.sum(lambda r: x.V[r], x.n) / x.n, share * of_lemma_5(x))


def without_decay(x):
    """3 |grad F_i(w_t)|^2 + lam^2 delta^2/4: the bracket of (22) and (23) whose noise does not fall with R."""
    return 3 * x.G_sq + x.lam**2 * x.delta**2 / 4


@claim(
    "pfedme/eq22@every-R",
    world=RUN,
    by=(lemma5_distance,),
    control=Control(
        "for R = 1 and n = 1 the distance is eta^2 |grad F_i - lam e|^2, which a hundredth of it cannot hold",
        share="1/100",
    ),
    step=True,
    note="The repaired (22) for every n <= R and every R.",
)
def eq22_every_R(x, share=1):
    return le(x.A[x.n], share * 8 * x.eta**2 * x.R**2 * without_decay(x))


@claim(
    "pfedme/eq23@every-R",
    world=RUN_FROM_1,
    by=(use(eq22_every_R, n=lambda x, t: t), use(lemma5_gradient, tau=lambda x: x.ratio(1, 1))),
    control=Control(
        "with an error of size delta the left side is lam^2 delta^2, and for small eta the right twice that",
        share="2/5",
    ),
    step=True,
    note="The repaired (23) for every r = n - 1 < R and every R.",
)
def eq23_every_R(x, share=1):
    bound = 2 * x.lam**2 * x.delta**2 + 16 * x.eta**2 * x.R**2 * x.lam**2 * without_decay(x)
    return le(x.V[x.n - 1], share * bound)
