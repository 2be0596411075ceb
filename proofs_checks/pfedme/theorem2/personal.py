"""Theorem 2 (b) and its proof, (45) (Sections 4 and A.5)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from fedtheory import Control, claim, eq, le, lt
from fedtheory.errors import NotApplicable
from fedtheory.instance import Instance
from fedtheory.theory.pfedme.constants import diversity, sigma_F2_sq
from fedtheory.theory.pfedme.theorem2 import ratio, step_limit
from fedtheory.units import CURVATURE, GRADIENT, LENGTH
from problems import Points, Smooth, at_least, positive
from problems.worlds.derived import DerivedFunctionWorld
from problems.worlds.points import unit_vectors
from problems.worlds.quadratics import Moreau, Quadratics

from .descent import LAMBDA, LEMMA_2, PROP_1
from .rates import SLOPE, on_the_slope

AT_W: dict[str, Any] = {
    "f": Smooth("L"), "envelope": "lam", "diversity": "sigma_f_sq", "lam": positive(CURVATURE), "L": positive(CURVATURE),
}  # fmt: skip


ERRORS: dict[str, Any] = {
    "clients_at": ("error",),
    "unused": at_least(0, LENGTH**2),
}  # theta_tilde_i - theta_hat_i, delta^2 less their mean


def delta_sq(x):
    """delta^2: any number that is at least the mean of |theta_tilde_i - theta_hat_i|^2, as Lemma 1 makes it."""
    return x.mean(x.sq(x.error)) + x.unused


def right45(x, delta_sq, variance):
    """Right side of (45), with `variance` in place of sigma_{F,2}^2."""
    gradient = 2 / (x.lam**2 - 8 * x.L**2) * x.sq(x.mean_vec(x.F.grad(x.w)))
    return 2 * delta_sq + gradient + 2 * variance / x.lam**2


def two_terms(x, two):
    """First inequality of (45) with `two` in place of 2."""
    return le(
        x.mean(x.sq(x.theta_tilde - x.w)),
        two * x.mean(x.sq(x.theta_tilde - x.theta_hat) + x.sq(x.theta_hat - x.w)),
    )


@claim(
    "pfedme/eq45-a",
    world=Points(None, clients_at=("theta_tilde", "theta_hat")),
    control=Control("for theta_hat half way the left side is twice the mean", lambda x: two_terms(x, 1)),
    uses=("pfedme/prop3",),
    step=True,
    note="Any vectors.",
)
def eq45_a(x):
    return two_terms(x, 2)


def exact_and_error(x, share):
    """Second inequality of (45) with `share` of delta^2."""
    left = 2 * x.mean(x.sq(x.error) + x.sq(x.f.prox(x.w, x.lam) - x.w))
    return le(left, share * 2 * delta_sq(x) + 2 * x.mean(x.sq(x.F.grad(x.w))) / x.lam**2)


@claim(
    "pfedme/eq45-b",
    world=Points(
        Smooth("L"), envelope="lam", given=(PROP_1,), lam=positive(CURVATURE), L=positive(CURVATURE), **ERRORS
    ),
    control=Control("errors of size delta make both sides equal", lambda x: exact_and_error(x, ratio(x, 1, 2))),
    uses=("pfedme/eq6", "pfedme/lemma1b"),
    step=True,
    note="By E|theta_tilde - theta_hat|^2 <= delta^2 (Lemma 1) and (6).",
)
def eq45_b(x):
    return exact_and_error(x, 1)


def third(x, variance):
    """Third inequality of (45)."""
    left = 2 * x.delta**2 + 2 * x.mean(x.sq(x.F.grad(x.w))) / x.lam**2
    return le(left, right45(x, x.delta**2, variance))


LINEAR = "for linear clients whose slopes sum to zero the diversity is sigma_f^2, which two fifths of it cannot hold"


@claim(
    "pfedme/eq45-c",
    world=Points(given=(LAMBDA,), delta=at_least(0, LENGTH), **AT_W),
    control=Control(LINEAR, lambda x: third(x, 2 * x.sigma_f_sq / 5)),
    repair="pfedme/eq45-c~repaired",
    uses=("pfedme/lemma2b", "pfedme/lemma2b-proof-s3", "pfedme/thm2b-proof-s1-b"),
    step=True,
    note="Lemma 2 (b) has 2 sigma_{F,2}^2, with sigma_{F,2}^2 as its brace defines it.",
)
def eq45_c(x):
    return third(x, sigma_F2_sq(x))


@claim(
    "pfedme/eq45-c~repaired",
    world=Points(given=(LEMMA_2,), delta=at_least(0, LENGTH), **AT_W),
    control=Control(LINEAR, lambda x: third(x, 2 * x.sigma_f_sq / 5)),
    uses=("pfedme/lemma2b", "pfedme/lemma2b-proof-s3", "pfedme/thm2b-proof-s1-b~repaired"),
    step=True,
    note="2 sigma_{F,2}^2 for sigma_{F,2}^2.",
)
def eq45_c_repaired(x):
    return third(x, 2 * sigma_F2_sq(x))


def squares(x, share):
    """Mean of |G_i|^2 against variance plus `share` of the squared mean."""
    mean = x.mean_vec(x.G)
    return eq(x.mean(x.sq(x.G)), x.mean(x.sq(x.G - mean) + share * x.sq(mean)))


@claim(
    "pfedme/thm2b-proof-s1-a",
    world=Points(None, at=(), clients_at=("G",)),
    control=Control("equal gradients have no variance", lambda x: squares(x, 2)),
    uses=("pfedme/lemma2b-proof-s3",),
    step=True,
    note="Any gradients.",
)
def thm2b_proof_s1_a(x):
    return squares(x, 1)


def second_moment(x, variance):
    """Last inequality of the display below (45), with `variance` in place of sigma_{F,2}^2."""
    mean_sq = x.sq(x.mean_vec(x.F.grad(x.w)))
    return le(diversity(x, x.w) + mean_sq, variance + x.lam**2 / (x.lam**2 - 8 * x.L**2) * mean_sq)


@claim(
    "pfedme/thm2b-proof-s1-b",
    world=Points(given=(LAMBDA,), **AT_W),
    control=Control(LINEAR, lambda x: second_moment(x, 2 * x.sigma_f_sq / 5)),
    repair="pfedme/thm2b-proof-s1-b~repaired",
    uses=("pfedme/lemma2b",),
    step=True,
    note="Lemma 2 (b) has 2 sigma_{F,2}^2, with sigma_{F,2}^2 as its brace defines it.",
)
def thm2b_proof_s1_b(x):
    return second_moment(x, sigma_F2_sq(x))


@claim(
    "pfedme/thm2b-proof-s1-b~repaired",
    world=Points(given=(LEMMA_2,), **AT_W),
    control=Control(LINEAR, lambda x: second_moment(x, 2 * x.sigma_f_sq / 5)),
    uses=("pfedme/lemma2b",),
    step=True,
    note="2 sigma_{F,2}^2 for sigma_{F,2}^2.",
)
def thm2b_proof_s1_b_repaired(x):
    return second_moment(x, 2 * sigma_F2_sq(x))


def distance_sq(x, error):
    """Mean of |theta_tilde_i(w_t) - w_t|^2 for theta_tilde_i - theta_hat_i = error."""
    return x.mean(x.sq(x.f.prox(x.w, x.lam) + error - x.w))


def averaged(x, error, delta_sq, variance):
    """The last display of A.5, one round."""
    return le(distance_sq(x, error), right45(x, delta_sq, variance))


@dataclass(frozen=True)
class Opposed(DerivedFunctionWorld):
    """Two concave clients -L/2 theta^2 +- slope theta on a line, seen from w where grad F = 0, with errors away from w.

    Their Hessians are equal, so that Assumption 3 holds with sigma_f = slope everywhere. The errors are as long as
    theta_hat_i - w.
    """

    def draw_vectors(self, rng, shape, batch):
        return {"w": rng.standard_normal((batch, 1, 1))}

    def build(self, free, numbers):
        x = self.scope(self.convert(free.scalars, numbers), free.shape, numbers)
        w, signs = numbers.array(free.vectors["w"]), numbers.array(np.array([[1], [-1]], dtype=object))
        zero = w * 0 + signs * 0
        f = Quadratics(zero - x.L, zero + 1, x.slope * signs + zero, w, zero[..., 0], numbers)
        names = {"w": w, "f": f, "F": Moreau(f, x.lam, x.sq), "sigma_f_sq": x.slope**2 + w[..., 0] * 0}
        given = [*x.given, lt(x.L, x.lam, "the inner problem is strongly convex")]
        return Instance(numbers, {**x._names, **names, "error": -x.delta * signs + zero}, given=given)

    def unit_finish(self, names, shape, numbers, given):
        return Instance(numbers, {**names, "error": unit_vectors(shape["m"])}, given=given)

    def abstract(self, scalars, shape, scale=1):
        raise NotApplicable("two listed clients are no class of functions")


@claim(
    "pfedme/thm2b-proof-s2",
    world=Opposed(
        scalars={"L": positive(CURVATURE), "rise": positive(CURVATURE), "slope": positive(GRADIENT)},
        derived={"lam": lambda x: 3 * x.L + x.rise, "delta": lambda x: x.slope / (x.lam - x.L)},
        given=(LAMBDA,), sizes={"m": (2,), "d": (1,)},
        f=Smooth("L"), envelope="lam", diversity="sigma_f_sq",
    ),
    control=Control(
        "the errors have the size delta themselves, so half of the first term is too little",
        lambda x: averaged(x, x.error, x.delta**2 / 2, sigma_F2_sq(x)),
    ),
    repair="pfedme/thm2b-proof-s2~repaired",
    uses=("pfedme/eq45-a", "pfedme/eq45-b", "pfedme/eq45-c"),
    step=True,
    note="T = 1, started where two concave clients pull in opposite directions. The printed outer index i = 0 is t.",
)  # fmt: skip
def thm2b_proof_s2(x):
    return averaged(x, x.error, x.delta**2, sigma_F2_sq(x))


@claim(
    "pfedme/thm2b-proof-s2~repaired",
    world=Points(given=(LEMMA_2,), **ERRORS, **AT_W),
    control=Control(
        "at errors that lead away from w, as long as theta_hat_i - w, both sides are equal up to the diversity term",
        lambda x: averaged(x, x.error, delta_sq(x) / 2, 2 * sigma_F2_sq(x)),
    ),
    uses=("pfedme/eq45-a", "pfedme/eq45-b", "pfedme/eq45-c~repaired"),
    step=True,
    note="2 sigma_{F,2}^2 for sigma_{F,2}^2. Any errors of mean square at most delta^2; in every round, so for the mean over "
    "rounds.",
)
def thm2b_proof_s2_repaired(x):
    return averaged(x, x.error, delta_sq(x), 2 * sigma_F2_sq(x))


def personal(x, first, second):
    """Theorem 2 (b) with these hidden constants."""
    gradient = x.sq(x.mean_vec(x.F.grad(x.w)))
    return le(distance_sq(x, x.error), first * gradient + second * (sigma_F2_sq(x) / x.lam**2 + delta_sq(x)))


def on_every_step(x, constant):
    """g^2/lam^2, the left side in all T rounds, against `constant` times the first term that (a) displays; the others are zero."""
    distance = x.T * x.eta_tilde * x.g
    return le((x.g / x.lam) ** 2, constant * on_the_slope(x, distance) / (step_limit(x) * x.T))


@claim(
    "pfedme/thm2b",
    world=SLOPE,
    control=Control(
        "the largest step leaves g^2 of the term for as many rounds as one likes, and g^2/(2 lam^3) < g^2/lam^2 since lam > 1",
        lambda x: on_every_step(x, ratio(x, 1, 2) / x.lam**3),
    ),
    repair="pfedme/thm2b@multiple",
    uses=("pfedme/thm2a-b",),
    note="With the terms that (a) displays, as Theorem 1 (b) is read, for every eta <= eta2_hat/(beta R) and with the constant "
    "1000. The client of thm2a-b: Huber's function, started where T rounds stay on its slope g, N = S = R = beta = 1, exact: "
    "theta_tilde = w - g/lam, and sigma_f = delta = 0. Whatever the constant, a small eta and a large T exceed it.",
)
def thm2b(x):
    return on_every_step(x, 1000)


@claim(
    "pfedme/thm2b@multiple",
    world=Points(given=(LAMBDA,), **ERRORS, **AT_W),
    control=Control(
        "errors of size delta alone make the left side delta^2, so half of it is too little",
        lambda x: personal(x, 2, ratio(x, 1, 2)),
    ),
    uses=("pfedme/thm2b-proof-s2~repaired", "pfedme/thm2-proof-s8-a"),
    note="The hidden constants are 2 and 4. w_{t*}^* is not defined; (45) has w_{t*}. At every state, so at t*. "
    "O(E|grad F|^2) is read as a multiple of E|grad F(w_{t*})|^2; with what (a) displays for it the claim is thm2b.",
)
def thm2b_multiple(x):
    return personal(x, 2, 4)
