"""(38), (39), Lemma 1 and Theorem 2 where c_0 > 0, which Proposition 3 needs and the paper does not ask (Section 4.4).

Thirty equal clients in equal states, everyone selected, alpha_i = 1/30, lam = 7/50, rho = 1/29, L < 3/50: both conditions hold, and
c_0 > 0. They stay equal, every sum over them is thirty times one of them, and the mean in (12) is that of one.
"""

from fractions import Fraction
from typing import Any

from fedtheory import Control, claim, le
from fedtheory.theory.flame.conditions import DESCENT, PENALTY, PROPOSITION_3
from fedtheory.theory.flame.constants import c1, c2, descent_coefficient, eps_coefficient, own_lagrangian
from fedtheory.units import CURVATURE
from problems import Smooth, between
from problems.worlds.derived import DerivedPoints, formula

from .lemma1.proof import by_residual, by_young
from .one_client import ONE, Update, least_eps, residual, updated

DERIVED = {
    "lam": formula("7/50", lambda x: x.ratio(7, 50)),
    "rho": formula("1/29", lambda x: x.ratio(1, 29)),
    "alpha": formula("1/30", lambda x: x.ratio(1, 30)),
}
WORLD = DerivedPoints(
    DERIVED, Smooth("L"), at=("theta", "theta_next", "w_i"), sizes=ONE, given=(DESCENT, PENALTY, PROPOSITION_3),
    L=between(0, Fraction(3, 50), CURVATURE, closed=False),
)  # fmt: skip
SETTING = (
    "With c_0 > 0: thirty equal clients in equal states, everyone selected, alpha_i = 1/30, lam = 7/50, rho = 1/29, L < 3/50, "
    "start by (28), eps as large as (13) makes it. For one of them."
)
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
    world=WORLD,
    control=Control("not for any multiple of the gradient", times=10000),
    uses=("flame/lemma1~repaired-printed", "flame/eq52-b@exact", "flame/eq45-b~repaired"),
    note=f"{SETTING} T = 1, with the residual of (13) taken off on both sides, so that it is (19) for exact solutions.",
)
def eq19_positive_exact(x, times=1):
    u = update(x)
    error = residual(x, u.theta_next)
    measure = x.sq(residual(x, u.theta) - error) + (x.rho**2 + 1) * x.sq(u.w_i - u.w)
    return le(times * measure, c2(x) / c1(x) * (fall(x, u) + x.dot(error, u.moved)))
