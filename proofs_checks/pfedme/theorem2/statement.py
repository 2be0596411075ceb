"""Theorem 2 as Section 4 states it: (a) the rate of the gradient, (b) the personalised models.

As printed both hold for every eta <= eta2_hat/(beta R), with one hidden constant.
"""

from fedtheory import Control, claim, le
from fedtheory.theory.pfedme.conditions import EQ_43, LAM_THEOREM_2, SAMPLED
from fedtheory.theory.pfedme.constants import eta2_hat, sigma_F2_sq
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem2 import C4, Delta_F
from fedtheory.units import CURVATURE, GRADIENT
from problems import Points, Scalars, at_least, positive
from problems.worlds.derived import DerivedScalars

from .personal import ANY_ERRORS, AT_W, delta_sq, personal_distance_sq
from .rates import A_AND_B, BETA, TERMS, displayed, first_term, orders, right_44

# (a)


@claim(
    "pfedme/thm2a-b@numbers",
    world=DerivedScalars(BETA, given=(SAMPLED,), **symbols("T"), **A_AND_B, **TERMS),
    control=Control("2 C_6 is four times lam^2 delta^2, so three times it is too little", K=3),
    step=True,
    note="Arithmetic of the last step of (a), with L_F^{2/3} in its third term and beta^{2/3} for beta^{4/3}: the right side of "
    "(44) at min{a, b, eta2_hat} against its terms, then these against the O-form term by term, common factors left out, "
    "L_F^2 among them; the hidden constant is 20 at most.",
)
def thm2a_b_numbers(x, K=20):
    step = x.minimum(x.minimum(x.a, x.b), x.eta2_hat)
    drift = C4(x, 2 * x.variance) * 8  # the two terms of s6 come twice
    return (
        le(right_44(x, step), displayed(x, times=2, first=first_term(x)), "(44) at the chosen step"),
        *orders(x, K, drift, 8 * x.variance),
    )


def on_the_slope(x, distance):
    """Delta_F of one Huber client of slope g and curvature L, `distance` before the end of the slope of its envelope."""
    start = x.g / x.L + x.g / x.lam + distance  # here F(w) = g (w - g/(2 lam) - g/(2 L)), and F* = 0
    return Delta_F(x.g * (start - x.g / (2 * x.lam) - x.g / (2 * x.L)), 0)


def first_on_the_slope(x):
    """Delta_F/(eta2_hat T) where T rounds of the step eta_tilde stay on the slope; the other terms of (a) are zero."""
    return on_the_slope(x, x.T * x.eta_tilde * x.g) / (eta2_hat(x) * x.T)


# one client, exact, N = S = R = beta = 1: Huber's function started where T rounds stay on its slope, grad F(w_t) = g
ON_THE_SLOPE = Scalars(
    given=(LAM_THEOREM_2, EQ_43),
    sizes={"T": (1, 10**6, 10**12)},
    **symbols("lam", "L"),
    g=positive(GRADIENT),
    **symbols("eta_tilde"),
)


@claim(
    "pfedme/thm2a-b",
    world=ON_THE_SLOPE,
    control=Control(
        "the largest step leaves g^2 for as many rounds as one likes, so half of it is too little", constant="1/2"
    ),
    repair="pfedme/thm2a-b~repaired",
    uses=("pfedme/thm2-proof-s8-c@step",),
    note="As printed, for every eta <= eta2_hat/(beta R), with the constant 1000 (the proof has 8). A smaller eta slows the "
    "method and leaves the bound as it is: one client on a slope of Huber's function. Whatever the constant, a small eta and "
    "a large T exceed it. The reading `exists` lets eta be chosen.",
)
def thm2a_b(x, constant=1000):
    return le(x.g**2, constant * first_on_the_slope(x))


@claim(
    "pfedme/thm2a-b@exists",
    world=DerivedScalars(
        {"lam": lambda x: 3 * x.L},
        given=(LAM_THEOREM_2,),
        sizes={"b": (0, 2), "t": (1, 6)},
        L=at_least(1, CURVATURE),
        g=positive(GRADIENT),
    ),
    control=Control(
        "a quarter of the left side is all that the first term makes up, and the third one decays with beta", K=100
    ),
    repair="pfedme/thm2a-b~repaired",
    uses=("pfedme/thm2-proof-s8-c@step",),
    note="For the best eta <= eta2_hat/(beta R), with the constant 1000 (the proof has 8); beta = 10^{6b}, T = 10^{6t}. It "
    "fails for large lam, since the third term lacks L_F^{2/3}, and at every lam for large beta, since the drift decays with "
    "beta^{2/3} and not with beta^{4/3}. Any constant is exceeded.",
)
def thm2a_b_exists(x, K=1000):
    """A lower bound on the mean of |grad F(w_t)|^2 for every step against the O-form, on two clients in two dimensions.

    First coordinate: both clients Huber's function with the slope g; at the step eta_tilde the slope lasts for T rounds or
    for distance/(eta_tilde g) of them. Second one: f_1 with slopes from 0 to 2G that rise with curvature L around prox(w),
    f_2 with the slope -G; since client 1 takes the smaller steps, |grad F| stays above q eta_tilde G/(8 beta). R = 2,
    S = N = 2, solved exactly. The distance lets the two meet at g^2. Cubed, so that the third term is rational.
    """
    million = x.ratio(10**6, 1)
    beta, T = million**x.b, million**x.t
    q = x.lam * x.L / (x.lam + x.L)  # curvature of F_1
    G = 2400 * K * beta * x.lam**3 / q * x.g
    distance = 8 * beta * x.g**2 * T / (q * G)
    local = eta2_hat(x) / (2 * beta)
    behind = local * G / (2 - local * q)  # the start: where a round with the largest step leaves the second coordinate
    gap = on_the_slope(x, distance) + q * behind**2 / 4
    variance = sigma_F2_sq(x, (3 * G / 2) ** 2)
    rest = x.g**2 - K * gap / (eta2_hat(x) * T)
    return le(rest**3, K**3 * gap**2 * variance / (beta**4 * T**2))


# (b)


@claim(
    "pfedme/thm2b",
    world=ON_THE_SLOPE,
    control=Control(
        "the largest step leaves g^2 of the term for as many rounds as one likes, and g^2/(2 lam^3) < g^2/lam^2 since lam > 1",
        lambda x: le((x.g / x.lam) ** 2, first_on_the_slope(x) / (2 * x.lam**3)),
    ),
    repair="pfedme/thm2b@multiple",
    uses=("pfedme/thm2a-b",),
    note="With the terms that (a) displays, as Theorem 1 (b) is read, for every eta <= eta2_hat/(beta R) and with the constant "
    "1000. The client of thm2a-b: theta_tilde = w - g/lam, and sigma_f = delta = 0. Whatever the constant, a small eta and a "
    "large T exceed it.",
)
def thm2b(x):
    return le((x.g / x.lam) ** 2, 1000 * first_on_the_slope(x))


@claim(
    "pfedme/thm2b@multiple",
    world=Points(given=(LAM_THEOREM_2,), **ANY_ERRORS, **AT_W),
    control=Control("errors of size delta alone make the left side delta^2, so half of it is too little", four="1/2"),
    uses=("pfedme/thm2b-proof-s2~repaired", "pfedme/thm2-proof-s8-a"),
    note="The hidden constants are 2 and 4. w_{t*}^* is not defined; (45) has w_{t*}. At every state, so at t*. "
    "O(E|grad F|^2) is read as a multiple of E|grad F(w_{t*})|^2; with what (a) displays for it the claim is thm2b.",
)
def thm2b_multiple(x, four=4):
    gradient = x.sq(x.mean_vec(x.F.grad(x.w)))
    return le(personal_distance_sq(x), 2 * gradient + four * (sigma_F2_sq(x) / x.lam**2 + delta_sq(x)))
