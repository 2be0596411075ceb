"""Steps of the proof of Lemma 4, and (24) (Sections A.4.2 and A.4.3).

The gradients grad F_i(w_t) are any vectors u_i; those of linear clients are. A sum over i != j is the sum over all
pairs less the sum over i = j.
"""

from itertools import permutations
from typing import Any

from fedtheory import Control, claim, eq, le
from fedtheory.theory.pfedme.round import clients_in, pairs, share_with_one, share_with_two, together
from fedtheory.units import GRADIENT
from problems import Points, Scalars, at_least, condition, positive

VECTORS = Points(None, at=(), clients_at=("u",), sizes={"S": (1, 2, 3, 4)})
SELECTIONS = Scalars(sizes={"S": (1, 2, 3), "rest": (0, 1, 2, 3)})
UNDEFINED = "For N = 1 a factor is 0/0."


def D(x):
    """grad F_i(w_t) - grad F(w_t)."""
    return x.u - x.mean_vec(x.u)


def sampling_error(x, u):
    """E |1/S sum over the selected of u_i - mean of u|^2."""
    return x.E(lambda S: x.sq(x.total_vec(u, over=S) / x.S - x.mean_vec(u)))


def total_sq(x):
    """Sum over clients of |grad F_i - grad F|^2."""
    return x.total(x.sq(D(x)))


def in_one_sum(x):
    """1/S^2 E |sum over clients of I_i (grad F_i - grad F)|^2."""
    return x.E(lambda S: x.sq(x.total_vec(D(x), over=S))) / x.S**2


def with_expectations(x):
    """The same square expanded, with the expectations of the indicators and of their products."""
    alone = x.E(lambda S: x.total(x.sq(D(x)), over=S))
    return (alone + x.E(lambda S: pairs(x, D(x), D(x), S))) / x.S**2


def with_probabilities(x):
    """The expanded square with S/N and S(S - 1)/(N(N - 1)) for the expectations."""
    return total_sq(x) / (x.S * x.N) + (x.S - 1) / (x.S * x.N * (x.N - 1)) * pairs(x, D(x), D(x))


def without_pairs(x):
    """1/(SN) (1 - (S - 1)/(N - 1)) sum |grad F_i - grad F|^2."""
    return (1 - (x.S - 1) / (x.N - 1)) / (x.S * x.N) * total_sq(x)


@claim(
    "pfedme/lemma4-proof-s1-a",
    world=VECTORS,
    control=Control("the expectation is not twice itself", lambda x: eq(2 * sampling_error(x, x.u), in_one_sum(x))),
    step=True,
)
def lemma4_proof_s1_a(x):
    return eq(sampling_error(x, x.u), in_one_sum(x))


@claim(
    "pfedme/lemma4-proof-s1-b",
    world=VECTORS,
    control=Control("the expectation is not twice itself", lambda x: eq(2 * in_one_sum(x), with_expectations(x))),
    step=True,
    note="The expectations of the indicators stand outside of the sums over i and over i != j.",
)
def lemma4_proof_s1_b(x):
    return eq(in_one_sum(x), with_expectations(x))


@claim(
    "pfedme/lemma4-proof-s1-c",
    world=VECTORS,
    control=Control("the sum is not twice itself", lambda x: eq(2 * with_expectations(x), with_probabilities(x))),
    uses=(
        "pfedme/lemma4-proof-s2-a",
        "pfedme/lemma4-proof-s2-b",
        "pfedme/lemma4-proof-s3-a",
        "pfedme/lemma4-proof-s3-b",
    ),
    step=True,
    note=UNDEFINED,
)
def lemma4_proof_s1_c(x):
    return eq(with_expectations(x), with_probabilities(x))


@claim(
    "pfedme/lemma4-proof-s1-d",
    world=VECTORS,
    control=Control("the sum is not twice itself", lambda x: eq(2 * with_probabilities(x), without_pairs(x))),
    uses=("pfedme/lemma4-proof-s4",),
    step=True,
    note=UNDEFINED,
)
def lemma4_proof_s1_d(x):
    return eq(with_probabilities(x), without_pairs(x))


def factors(x):
    """The last two expressions of the proof, with V for the sum of squares."""
    return (1 - (x.S - 1) / (x.N - 1)) / (x.S * x.N) * x.V, (x.N / x.S - 1) / (x.N - 1) * x.V / x.N


@claim(
    "pfedme/lemma4-proof-s1-e",
    world=Scalars(
        N=at_least(1), S=at_least(1), V=positive(GRADIENT**2), given=(condition("S <= N", lambda x: le(x.S, x.N)),)
    ),
    control=Control("the factor is not twice itself", lambda x: eq(2 * factors(x)[0], factors(x)[1])),
    step=True,
    note=f"V is the sum of squares; any real N and S. {UNDEFINED}",
)
def lemma4_proof_s1_e(x):
    return eq(*factors(x))


def everyone(x, size, right):
    """For all `size` different clients: the expectation of the product of their indicators equals `right`."""
    return tuple(eq(together(x, c), right, f"{c}") for c in permutations(range(clients_in(x)), size))


@claim(
    "pfedme/lemma4-proof-s2-a",
    world=SELECTIONS,
    control=Control(
        "the probability is not twice itself", lambda x: everyone(x, 1, 2 * share_with_one(clients_in(x), x.S))
    ),
    step=True,
    note="For every client; the probability is counted by binomial coefficients, the expectation over the selections.",
)
def lemma4_proof_s2_a(x):
    return everyone(x, 1, share_with_one(clients_in(x), x.S))


REAL_N: dict[str, Any] = {"sizes": {"S": (1, 2, 3, 4)}, "given": (condition("S <= N", lambda x: le(x.S, x.N)),)}


@claim(
    "pfedme/lemma4-proof-s2-b",
    world=Scalars(N=at_least(1), **REAL_N),
    control=Control("the probability is S/N, not S/(N + 1)", lambda x: eq(share_with_one(x.N, x.S), x.S / (x.N + 1))),
    step=True,
    note="The probability counted by binomial coefficients, as polynomials in a real N.",
)
def lemma4_proof_s2_b(x):
    return eq(share_with_one(x.N, x.S), x.S / x.N)


@claim(
    "pfedme/lemma4-proof-s3-a",
    world=Scalars(sizes={"S": (1, 2, 3), "rest": (1, 2, 3)}),
    control=Control(
        "two clients are together less often than one is there",
        lambda x: everyone(x, 2, share_with_one(clients_in(x), x.S)),
    ),
    step=True,
    note="For every i != j; the probability is counted by binomial coefficients, the expectation over the selections.",
)
def lemma4_proof_s3_a(x):
    return everyone(x, 2, share_with_two(clients_in(x), x.S))


@claim(
    "pfedme/lemma4-proof-s3-b",
    world=Scalars(N=at_least(2), **REAL_N),
    control=Control(
        "sampling without replacement: not (S/N)^2", lambda x: eq(share_with_two(x.N, x.S), (x.S / x.N) ** 2)
    ),
    step=True,
    note="The probability counted by binomial coefficients, as polynomials in a real N >= 2.",
)
def lemma4_proof_s3_b(x):
    return eq(share_with_two(x.N, x.S), x.S * (x.S - 1) / (x.N * (x.N - 1)))


@claim(
    "pfedme/lemma4-proof-s4",
    world=Points(None, at=(), clients_at=("u",)),
    control=Control("for two different clients the squares alone are positive", lambda x: eq(total_sq(x), 0)),
    step=True,
)
def lemma4_proof_s4(x):
    return eq(total_sq(x) + pairs(x, D(x), D(x)), 0)


def both_histories(x, factor):
    """(24) with two equally likely histories, under which the gradients are u_i or v_i; `factor` times its right side."""
    left = (sampling_error(x, x.u) + sampling_error(x, x.v)) / 2
    spread = x.mean(x.sq(x.u - x.mean_vec(x.u)) + x.sq(x.v - x.mean_vec(x.v))) / 2
    return le(left, factor * (x.N / x.S - 1) / (x.N - 1) * spread)


@claim(
    "pfedme/eq24",
    world=Points(None, at=(), clients_at=("u", "v"), sizes={"S": (1, 2, 3, 4)}),
    control=Control(
        "S = 1 gives the whole variance on the left, so nine tenths of the factor are too small",
        lambda x: both_histories(x, x.N / x.N * 9 / 10),
    ),
    uses=("pfedme/lemma4",),
    note=f"The expectation over the history is over two equally likely sets of gradients. {UNDEFINED}",
)
def eq24(x):
    return both_histories(x, 1)
