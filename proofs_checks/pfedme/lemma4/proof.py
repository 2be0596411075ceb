"""Steps of the proof of Lemma 4 (Section A.4.2).

The gradients grad F_i(w_t) are any vectors u_i; those of linear clients are. A sum over i != j is the sum over all
pairs less the sum over i = j.
"""

from itertools import permutations

from fedtheory import Control, claim, eq
from fedtheory.theory.pfedme.conditions import SAMPLED
from fedtheory.theory.pfedme.constants import sampling
from fedtheory.theory.pfedme.round import clients_in, pairs, sampling_error, share_with_one, share_with_two, together
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import GRADIENT
from problems import Points, Scalars, at_least, positive

UP_TO_FOUR = {"S": (1, 2, 3, 4)}
VECTORS = Points(None, at=(), clients_at=("u",), sizes=UP_TO_FOUR)
UNDEFINED = "For N = 1 a factor is 0/0."


def D(x):
    """grad F_i(w_t) - grad F(w_t)."""
    return x.u - x.mean_vec(x.u)


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
    control=Control("the expectation is not twice itself", factor=2),
    step=True,
)
def lemma4_proof_s1_a(x, factor=1):
    return eq(sampling_error(x, x.u), factor * in_one_sum(x))


@claim(
    "pfedme/lemma4-proof-s1-b",
    world=VECTORS,
    control=Control("the expectation is not twice itself", factor=2),
    step=True,
    note="The expectations of the indicators stand outside of the sums over i and over i != j.",
)
def lemma4_proof_s1_b(x, factor=1):
    return eq(in_one_sum(x), factor * with_expectations(x))


@claim(
    "pfedme/lemma4-proof-s1-c",
    world=VECTORS,
    control=Control("the sum is not twice itself", factor=2),
    uses=tuple(f"pfedme/lemma4-proof-{step}" for step in ("s2-a", "s2-b", "s3-a", "s3-b")),
    step=True,
    note=UNDEFINED,
)
def lemma4_proof_s1_c(x, factor=1):
    return eq(with_expectations(x), factor * with_probabilities(x))


@claim(
    "pfedme/lemma4-proof-s1-d",
    world=VECTORS,
    control=Control("the sum is not twice itself", factor=2),
    uses=("pfedme/lemma4-proof-s4",),
    step=True,
    note=UNDEFINED,
)
def lemma4_proof_s1_d(x, factor=1):
    return eq(with_probabilities(x), factor * without_pairs(x))


@claim(
    "pfedme/lemma4-proof-s1-e",
    world=Scalars(**symbols("N", "S"), V=positive(GRADIENT**2), given=(SAMPLED,)),
    control=Control("the factor is not twice itself", factor=2),
    step=True,
    note=f"V is the sum of squares; any real N and S. {UNDEFINED}",
)
def lemma4_proof_s1_e(x, factor=1):
    left = (1 - (x.S - 1) / (x.N - 1)) / (x.S * x.N) * x.V
    return eq(left, factor * sampling(x) * x.V / x.N)


def everyone(x, size, chance):
    """For all `size` different clients: the expectation of the product of their indicators equals `chance`."""
    return tuple(eq(together(x, c), chance, f"{c}") for c in permutations(range(clients_in(x)), size))


@claim(
    "pfedme/lemma4-proof-s2-a",
    world=Scalars(sizes={"S": (1, 2, 3), "rest": (0, 1, 2, 3)}),
    control=Control("the probability is not twice itself", factor=2),
    step=True,
    note="For every client; the probability is counted by binomial coefficients, the expectation over the selections.",
)
def lemma4_proof_s2_a(x, factor=1):
    return everyone(x, 1, factor * share_with_one(clients_in(x), x.S))


@claim(
    "pfedme/lemma4-proof-s2-b",
    world=Scalars(**symbols("N"), sizes=UP_TO_FOUR, given=(SAMPLED,)),
    control=Control(
        "the probability is S/N, not S/(N + 1)",
        lambda x: eq(share_with_one(x.N, x.S), x.S / (x.N + 1)),
    ),
    step=True,
    note="The probability counted by binomial coefficients, as polynomials in a real N.",
)
def lemma4_proof_s2_b(x):
    return eq(share_with_one(x.N, x.S), x.S / x.N)


@claim(
    "pfedme/lemma4-proof-s3-a",
    world=Scalars(sizes={"S": (1, 2, 3, 4, 5), "rest": (1, 2, 3, 4, 5)}),
    control=Control(
        "two clients are together less often than one is there",
        lambda x: everyone(x, 2, share_with_one(clients_in(x), x.S)),
    ),
    step=True,
    note="What a probability is: for every i != j it is counted by binomial coefficients, the expectation over the selections; "
    "up to ten clients, five of them sampled.",
)
def lemma4_proof_s3_a(x):
    return everyone(x, 2, share_with_two(clients_in(x), x.S))


@claim(
    "pfedme/lemma4-proof-s3-b",
    world=Scalars(N=at_least(2), sizes=UP_TO_FOUR, given=(SAMPLED,)),
    control=Control(
        "sampling without replacement: not (S/N)^2",
        lambda x: eq(share_with_two(x.N, x.S), (x.S / x.N) ** 2),
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
