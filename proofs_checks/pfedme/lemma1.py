"""Lemma 1: how far the delta-approximate personalised model is from the exact one (Section 3.2, proof A.2)."""

from fedtheory import Control, claim, le
from fedtheory.theory.pfedme import delta_sq_lemma1a
from fedtheory.units import CURVATURE
from problems import StronglyConvex, positive
from problems.steps import minibatch


def error_sq(x):
    """E |theta_tilde - theta_hat|^2 over minibatches."""
    return x.E(lambda D: x.sq(x.theta_tilde(D) - x.theta_hat))


def repaired_delta_sq(x):
    """Lemma 1 (a) with nu squared."""
    return 2 / (x.lam + x.mu) ** 2 * (x.gamma_f_sq / x.batch + x.nu**2)


CONTROL = Control(
    "without sampling noise the distance is nu/(lam + mu) for a client of curvature mu, so a quarter of the bound fails",
    lambda x: le(error_sq(x), repaired_delta_sq(x) / 4),
)


@claim(
    "pfedme/lemma1a",
    world=minibatch(StronglyConvex("mu"), mu=positive(CURVATURE)),
    control=CONTROL,
    repair="pfedme/lemma1a~repaired",
    note="(8) bounds the norm of the gradient by nu, the lemma adds nu to a squared norm. The minibatch that defines "
    "theta_tilde is the one whose noise is averaged, as in Algorithm 1, line 7.",
)
def lemma1a(x):
    return le(error_sq(x), delta_sq_lemma1a(x))


@claim(
    "pfedme/lemma1a~repaired",
    world=minibatch(StronglyConvex("mu"), mu=positive(CURVATURE), each_sample=True),
    control=CONTROL,
    note="nu squared, and every sample function mu-strongly convex: the noise is then compared at theta_hat, which does "
    "not depend on the minibatch.",
)
def lemma1a_repaired(x):
    return le(error_sq(x), repaired_delta_sq(x))
