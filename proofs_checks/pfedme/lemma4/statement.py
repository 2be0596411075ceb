"""Lemma 4: diversity under client sampling (Section A.4.2)."""

from fedtheory import Control, claim, le
from fedtheory.units import CURVATURE
from problems import Convex, Points, positive


def sampling_error(x):
    """E over subsets of |mean over S of grad F_i - grad F|^2."""
    G = x.F.grad(x.w)
    return x.E(lambda S: x.sq(x.total_vec(G, over=S) / x.S - x.mean_vec(G)))


def variance(x):
    """Mean over clients of |grad F_i - grad F|^2."""
    G = x.F.grad(x.w)
    return x.mean(x.sq(G - x.mean_vec(G)))


@claim(
    "pfedme/lemma4",
    world=Points(Convex(), envelope="lam", lam=positive(CURVATURE), sizes={"S": (1, 2, 3, 4)}),
    control=Control(
        "S = 1 gives the whole variance on the left, so half of the printed factor is too small",
        lambda x: le(sampling_error(x), (x.N / x.S - 1) / (x.N - 1) / 2 * variance(x)),
    ),
    note="N = 1 makes the printed factor 0/0. Any gradients are those of envelopes of convex clients.",
)
def lemma4(x):
    return le(sampling_error(x), (x.N / x.S - 1) / (x.N - 1) * variance(x))
