"""From (38) to Theorem 2 where c_0 > 0, which Proposition 3 needs and the paper does not ask, for convex f (Section 4.4).

Thirty equal clients, with strongly convex f, which are bounded below, in equal states, everyone selected, alpha_i = 1/30,
lam = 7/50, rho = 1/29, L < 3/50: both conditions hold, and c_0 > 0. They stay equal, every sum over them is thirty times one of
them, and the mean in (12) is that of one.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from fedtheory import Control, claim, le, lt
from fedtheory.theory.flame.conditions import DESCENT, PENALTY, PROPOSITION_3
from fedtheory.theory.flame.constants import c1, c2, descent_coefficient, eps_coefficient, own_lagrangian
from fedtheory.units import CURVATURE
from problems import Smooth, SmoothStronglyConvex, between, condition, positive
from problems.worlds.derived import DerivedPoints, formula

from .lemma1.proof import by_residual, by_young
from .one_client import ONE, Update, least_eps, residual, updated

DERIVED = {
    "lam": formula("7/50", lambda x: x.ratio(7, 50)),
    "rho": formula("1/29", lambda x: x.ratio(1, 29)),
    "alpha": formula("1/30", lambda x: x.ratio(1, 30)),
}
WORLD = DerivedPoints(
    DERIVED, SmoothStronglyConvex("mu", "L"), at=("theta", "theta_next", "w_i"), sizes=ONE, optimum_of="f",
    given=(DESCENT, PENALTY, PROPOSITION_3, condition("mu < L", lambda x: lt(x.mu, x.L))),
    L=between(0, Fraction(3, 50), CURVATURE, closed=False), mu=positive(CURVATURE),
)  # fmt: skip
SMOOTH = replace(
    WORLD,
    f=Smooth("L"),
    optimum_of=None,
    given=WORLD.given[:-1],
    scalars={k: v for k, v in WORLD.scalars.items() if k != "mu"},
)
CLIENTS = (
    "thirty equal clients in equal states, everyone selected, alpha_i = 1/30, lam = 7/50, rho = 1/29, L < 3/50, start by (28), eps "
    "as large as (13) makes it. For one of them."
)
SETTING = f"With c_0 > 0 and strongly convex f: {CLIENTS}"
HALVED = Control("nor with half of the weight of eps", share="1/2")


class AtOwn:
    """The instance with the w^t of (12), which for equal clients is the message of one."""

    def __init__(self, x: Any) -> None:
        self._x = x
        self.w = x.w_i + x.lam * x.alpha * (x.theta - x.w_i) / x.rho

    def __getattr__(self, name: str) -> Any:
        return getattr(self._x, name)


def update(x: Any) -> Update:
    """The update of every one of them."""
    return updated(AtOwn(x), x.lam * x.alpha * (x.theta - x.w_i))


def server(x: Any, u: Update) -> Any:
    """w^{t+1} of (12)."""
    return u.w_i_next + u.Pi_next / x.rho


def fall(x: Any, u: Update) -> Any:
    """L_i at t less L_i at t + 1."""
    w_next = server(x, u)
    before = own_lagrangian(x, u.theta, u.w_i, u.Pi, u.w)
    return before - own_lagrangian(x, u.theta_next, u.w_i_next, u.Pi_next, w_next)


@claim(
    "flame/eq38-d@positive",
    world=WORLD,
    control=HALVED,
    repair="flame/eq38-d~repaired",
    uses=("flame/eq22",),
    step=True,
    note=f"{SETTING} By (22) the weight of eps is 1/(2 k), a quarter of the inverse of the bracket; alpha_i^2 over the bracket "
    "is less than that as soon as alpha_i < 1/2, as with three equal clients.",
)
def eq38_d_positive(x, share=1):
    u = update(x)
    return le(by_residual(x, u), by_young(x, u, share * eps_coefficient(x), least_eps(x)))


@claim(
    "flame/eq39-c",
    world=WORLD,
    control=HALVED,
    repair="flame/eq39-c~repaired",
    uses=("flame/lemma1-proof-s1",),
    step=True,
    note=f"From alpha_i in the last numerator back to alpha_i^2, which for alpha_i < 1 and a positive bracket is less. {SETTING}",
)
def eq39_c(x, share=1):
    u = update(x)
    moves = descent_coefficient(x) * (x.sq(u.local) + x.sq(u.moved))
    gained = -x.rho / 2 * x.sq(server(x, u) - u.w)
    weight = eps_coefficient(x)
    return le(gained + moves + weight / x.alpha * least_eps(x), moves + share * weight * least_eps(x))


@claim(
    "flame/lemma1@positive",
    world=WORLD,
    control=HALVED,
    repair="flame/lemma1~repaired",
    uses=("flame/eq38-d@positive",),
    note=SETTING,
)
def lemma1_positive(x, share=1):
    u = update(x)
    moves = x.sq(u.local) + x.sq(u.moved)
    return le(-fall(x, u), descent_coefficient(x) * moves + share * eps_coefficient(x) * least_eps(x))


@claim(
    "flame/eq19@positive",
    world=WORLD,
    control=Control("nor for twice the gradient", times=2),
    repair="flame/thm2a~repaired",
    uses=("flame/lemma1@positive", "flame/eq45-b@virtual"),
    note=f"{SETTING} T = 1.",
)
def eq19_positive(x, times=1):
    u = update(x)
    measure = x.sq(residual(x, u.theta)) + (x.rho**2 + 1) * x.sq(u.w_i - u.w)
    c3 = 2 + c2(x) * eps_coefficient(x) / c1(x)
    return le(times * measure, c2(x) / c1(x) * fall(x, u) + c3 * least_eps(x))


@claim(
    "flame/eq19@positive-exact",
    world=SMOOTH,
    control=Control("not for any multiple of the gradient", times=10000),
    uses=("flame/lemma1~repaired-printed", "flame/eq52-b@exact", "flame/eq45-b~repaired"),
    note=f"With c_0 > 0: {CLIENTS} T = 1, with the residual of (13) taken off on both sides, so that it is (19) "
    "for exact solutions.",
)
def eq19_positive_exact(x, times=1):
    u = update(x)
    error = residual(x, u.theta_next)
    measure = x.sq(residual(x, u.theta) - error) + (x.rho**2 + 1) * x.sq(u.w_i - u.w)
    return le(times * measure, c2(x) / c1(x) * (fall(x, u) + x.dot(error, u.moved)))


# the inequalities between Lemma 1 and Theorem 2, T = 1


def one_round(x: Any, share: Any = 1) -> Any:
    """(16) for one of the equal clients."""
    u = update(x)
    moves = x.sq(u.local) + x.sq(u.moved)
    return le(-fall(x, u), descent_coefficient(x) * moves + share * eps_coefficient(x) * least_eps(x))


def measure(x: Any, u: Update) -> Any:
    """What the client adds to |grad L(P^t)|^2 (40), of which the gradient in w is 0 by (12)."""
    return x.sq(residual(x, u.theta)) + (x.rho**2 + 1) * x.sq(u.w_i - u.w)


def promised(x: Any, lost: Any) -> Any:
    """c_2/c_1 `lost` + c_3 eps_max."""
    return c2(x) / c1(x) * lost + (2 + c2(x) * eps_coefficient(x) / c1(x)) * least_eps(x)


@claim(
    "flame/eq39-a@positive",
    world=WORLD,
    control=HALVED,
    repair="flame/lemma1~repaired",
    uses=("flame/eq38-d@positive",),
    step=True,
    note=SETTING,
)
def eq39_a_positive(x, share=1):
    u, a = update(x), x.lam * x.alpha
    young = a**2 * (1 + x.rho) / x.rho * (x.sq(u.moved) + x.sq(u.local) / x.rho)
    personal = ((1 - x.rho**2) / x.rho**2 * a**2 - (a + x.rho) / 2) * x.sq(u.moved)
    parts = -x.rho / 2 * x.sq(server(x, u) - u.w) + young - (a + x.rho) / 2 * x.sq(u.local) + personal
    return le(-fall(x, u), parts + share * eps_coefficient(x) * least_eps(x))


@claim(
    "flame/eq46@positive",
    world=WORLD,
    control=HALVED,
    repair="flame/thm2a~repaired-round",
    uses=("flame/lemma1@positive",),
    step=True,
    note=SETTING,
)
def eq46_positive(x, share=1):
    return one_round(x, share)


@claim(
    "flame/eq47@positive",
    world=WORLD,
    control=HALVED,
    repair="flame/thm2a~repaired-round",
    uses=("flame/eq46@positive",),
    step=True,
    note=f"{SETTING} All clients have the largest c_0 and eps.",
)
def eq47_positive(x, share=1):
    return one_round(x, share)


@claim(
    "flame/eq48@positive",
    world=WORLD,
    control=Control("nor for twice the moves", times=2),
    repair="flame/thm2a~repaired-round",
    uses=("flame/eq47@positive",),
    step=True,
    note=SETTING,
)
def eq48_positive(x, times=1):
    u = update(x)
    lost = fall(x, u) + eps_coefficient(x) * least_eps(x)
    return le(times * (x.sq(u.local) + x.sq(u.moved)), lost / c1(x))


@claim(
    "flame/eq49@positive",
    world=WORLD,
    control=Control("nor for twice the gradient", times=2),
    repair="flame/thm2a~repaired-round",
    uses=("flame/eq48@positive",),
    step=True,
    note=SETTING,
)
def eq49_positive(x, times=1):
    u = update(x)
    return le(times * measure(x, u), promised(x, fall(x, u)))


@claim(
    "flame/eq51@positive",
    world=WORLD,
    control=Control("not for any multiple of the gradient", times=10**5),
    uses=("flame/lemma3",),
    step=True,
    note=f"{SETTING} It holds here, since L^0 - F* is more than what L falls by. F* is 30 alpha_i f(w*), as the clients are equal: "
    "its theta_i and w are w*. T = 1.",
)
def eq51_positive(x, times=1):
    u = update(x)
    start = own_lagrangian(x, u.theta, u.w_i, u.Pi, u.w)
    return le(times * measure(x, u), promised(x, start - x.alpha * x.f.value(x.w_star)))


@claim(
    "flame/eq54-a@positive",
    world=WORLD,
    control=HALVED,
    repair="flame/thm2b~repaired-round",
    uses=("flame/eq46@positive",),
    step=True,
    note=SETTING,
)
def eq54_a_positive(x, share=1):
    u = update(x)
    return le(-fall(x, u), descent_coefficient(x) * x.sq(u.moved) + share * eps_coefficient(x) * least_eps(x))


@claim(
    "flame/eq55@positive",
    world=WORLD,
    control=Control("nor for twice the moves", times=2),
    repair="flame/thm2b~repaired-round",
    uses=("flame/eq54-a@positive",),
    step=True,
    note=SETTING,
)
def eq55_positive(x, times=1):
    u = update(x)
    return le(times * x.sq(u.moved), (fall(x, u) + eps_coefficient(x) * least_eps(x)) / c1(x))


@claim(
    "flame/eq56@positive",
    world=WORLD,
    control=Control("nor for twice the gradient", times=2),
    repair="flame/thm2b~repaired-round",
    uses=("flame/eq55@positive",),
    step=True,
    note=SETTING,
)
def eq56_positive(x, times=1):
    u = update(x)
    return le(times * measure(x, u), promised(x, fall(x, u)))


@claim(
    "flame/eq57@positive",
    world=WORLD,
    control=Control("nor for twice the gradient", times=2),
    repair="flame/thm2b~repaired",
    uses=("flame/eq56@positive",),
    step=True,
    note=f"{SETTING} T = 1; the left side is printed for P^t.",
)
def eq57_positive(x, times=1):
    u = update(x)
    return le(times * measure(x, u), promised(x, fall(x, u)))


@claim(
    "flame/eq20@positive",
    world=WORLD,
    control=Control("nor for twice the gradient", times=2),
    repair="flame/thm2b~repaired",
    uses=("flame/eq56@positive",),
    note=f"{SETTING} With everyone selected gamma_bar = 1 and c_4 = c_3. T = 1.",
)
def eq20_positive(x, times=1):
    u = update(x)
    return le(times * x.sq(residual(x, u.theta)), promised(x, fall(x, u)))
