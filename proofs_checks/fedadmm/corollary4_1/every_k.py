"""Corollary 4.1 for every number of communications: what is summable (Section 4.3)."""

from fedtheory import Control, claim, le
from fedtheory.units import GRADIENT, LENGTH, VALUE
from problems import Run, Sequences, at_least, condition

from .statement import ATTAINED, F_ITSELF, STRONG

OF_GRADIENTS = {
    "sequences": {"grad": at_least(0, GRADIENT**2), "dist": at_least(0, LENGTH**2), "gap": at_least(0, VALUE)},
}


@claim(
    "fedadmm/eq4.7-c@sum",
    world=Sequences(
        "K",
        **OF_GRADIENTS,
        radius=at_least(0, LENGTH**2),
        every=(
            condition(
                "(f(w^{tau_k}) - f*)^2 <= |grad f(w^{tau_k})|^2 |w^{tau_k} - w*|^2",
                lambda x, t: le(x.gap[t] ** 2, x.grad[t] * x.dist[t]),
            ),
            condition("|w^{tau_k} - w*|^2 <= radius", lambda x, t: le(x.dist[t], x.radius)),
        ),
    ),
    control=Control("a quadratic with one distance attains it", times=2),
    uses=("fedadmm/eq7.26-b", "fedadmm/thm4.1a@every-k", "fedadmm/eq4.6-b@every-K"),
    note="For every K, (f(w^{tau_k}) - f*)^2 over K communications sums up to at most the squared radius of the iterates around w* "
    "times the sum of |grad f(w^{tau_k})|^2, which row eq4.6-b@every-K bounds: it tends to 0.",
)
def eq4_7_c_sum(x, times=1):
    return le(times * x.sum(lambda t: x.gap[t] ** 2, x.K), x.radius * x.sum(lambda t: x.grad[t], x.K))


def away(x):
    """|w - w*|^2."""
    return x.sq(x.w - x.w_star)


def gradient_sq(x):
    """|grad f(w)|^2."""
    return x.sq(x.f.grad(x.w))


@claim(
    "fedadmm/cor4.1c@gradient",
    world=STRONG,
    control=Control(ATTAINED, share="9/10"),
    note=f"|grad f(w)| is at least mu |w - w*|. {F_ITSELF}",
)
def cor4_1c_gradient(x, share=1):
    return le(x.mu**2 * away(x), share * gradient_sq(x))


@claim(
    "fedadmm/cor4.1c@sum",
    world=Run(
        STRONG.f, at=("w",), fresh=("w",), step={}, optimum_of=STRONG.optimum_of, sizes=STRONG.sizes, index="K",
        quantities={"dist": away, "grad": gradient_sq}, **STRONG.scalars,
    ),
    by=(cor4_1c_gradient,),
    control=Control(ATTAINED, share="9/10"),
    uses=("fedadmm/eq4.6-b@every-K",),
    note="For any K points w^{tau_k}, every K: |w^{tau_k} - w*|^2 sums up to at most the sum of |grad f(w^{tau_k})|^2 over mu^2, "
    "which row eq4.6-b@every-K bounds: it tends to 0.",
)  # fmt: skip
def cor4_1c_sum(x, share=1):
    return le(x.mu**2 * x.sum(lambda t: x.dist[t], x.K), share * x.sum(lambda t: x.grad[t], x.K))
