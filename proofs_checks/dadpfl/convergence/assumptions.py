"""Whom the assumptions of Section V leave: dense models by Assumption 3, bounded gradients by (10)."""

from fedtheory import Control, claim, eq, le, lt
from fedtheory.units import CURVATURE, GRADIENT, LENGTH
from problems import Scalars, at_least, condition, positive, real

SUMMED = Scalars(
    kept=at_least(0), M=at_least(1), held=real(LENGTH),
    given=(
        condition("the neighbours' weights do not cancel", lambda x: lt(0, x.held**2)),
        condition("dividing by the masks is dividing by M", lambda x: eq(x.held / x.kept, x.held / x.M), "(11)"),
    ),
    example={"kept": 2, "M": 2, "held": 1},
)  # fmt: skip


@claim(
    "dadpfl/eq11-b@dense",
    world=SUMMED,
    control=Control("one less", more=1),
    note="Whom Assumption 3 is about: of a weight that client k keeps, and whose sum over the neighbours is not 0, all "
    "M neighbours keep it: `kept` is the sum of their masks. As neighbourhoods are drawn anew, every two clients have "
    "the same mask wherever weights are not 0: one model size for all, and with pruned weights equal for all (11) is "
    "that of dense models with fewer weights.",
)
def dense(x, more=0):
    return eq(x.kept + more, x.M)


MASKS = Scalars(sizes={"m1": (0, 1), "m2": (0, 1)}, w1=real(LENGTH), w2=real(LENGTH))


@claim(
    "dadpfl/eq11-b@sparse",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=MASKS,
    note="(11) for sparse models omega_j = omega_j m_j, M = 2, one weight that client k keeps: where one neighbour has "
    "pruned it, the average over those that keep it is twice the one over M.",
)
def sparse(x, share=1):
    total = x.w1 * x.m1 + x.w2 * x.m2
    return eq(share * (total / (x.m1 + x.m2)), total / 2)


@claim(
    "dadpfl/eq11-b@own-model",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Scalars(w1=real(LENGTH), w2=real(LENGTH), own=real(LENGTH)),
    note="(11) goes over the M neighbours and (7), (28) over these and client k: for dense models, M = 2, they are not "
    "the same average.",
)
def own_model(x, share=1):
    return eq(share * ((x.w1 + x.w2) / 2), (x.w1 + x.w2 + x.own) / 3)


@claim(
    "dadpfl/eq10@pruned-quadratics",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Scalars(L=positive(CURVATURE), w=real(LENGTH), sigma_p_sq=positive(GRADIENT**2)),
    note="(10) at every w, for clients that are alike with f(w) = L |w|^2/2 and one weight that all have pruned, f~_k = "
    "f_k: the masked gradient does not see w and grad f is L w in this weight, so that no sigma_p is large enough. With "
    "pruned weights (10) asks for gradients that are bounded along them, which no strongly convex client has.",
)
def pruned(x, share=1):
    return le(share * ((0 * x.L * x.w - x.L * x.w) ** 2), x.sigma_p_sq)
