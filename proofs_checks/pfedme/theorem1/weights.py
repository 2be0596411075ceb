"""Theorem 1, the weights alpha_t and the telescoping (32), (33) (Section A.4.3).

The identities are checked with alpha_t and A_T written out, for the listed T. The inequalities use A_T only through its
closed form, so there `power` stands for (1 - eta_tilde mu_F/2)^T and the proofs hold for every T.
"""

from fedtheory import Control, claim, eq, le, lt
from fedtheory.theory.pfedme.theorem1 import A_T, alpha, keep, long_enough
from fedtheory.units import CURVATURE, LENGTH, STEP, VALUE
from problems import Scalars, at_least, between, condition, positive
from problems.worlds.derived import DerivedScalars

STEPS = {"eta_tilde": positive(STEP), "mu_F": positive(CURVATURE)}
BELOW_2 = condition("eta_tilde mu_F < 2, from (31)", lambda x: lt(x.eta_tilde * x.mu_F, 2))
ROUNDS = Scalars(**STEPS, given=(BELOW_2,), sizes={"T": (1, 2, 3)})
HALF = condition("(1 - eta_tilde mu_F/2)^T <= 1/2 (row thm1-proof-s10)", lambda x: le(2 * x.power, 1))
POWER = {**STEPS, "power": between(0, 1, closed=False)}
CLOSED = Scalars(**POWER, given=(BELOW_2, HALF))
DISTANCES = {f"D{t}": at_least(0, LENGTH**2) for t in range(4)}
SUMS = Scalars(**STEPS, **DISTANCES, floor=at_least(0, VALUE), given=(BELOW_2,), sizes={"T": (1, 2, 3)})


def D(x):
    """Delta_0 .. Delta_3, any numbers."""
    return [x.D0, x.D1, x.D2, x.D3]


def recursive(x):
    """alpha_{-1} = 1, alpha_0 .. alpha_{T-1} from (1 - eta_tilde mu_F/2) alpha_t = alpha_{t-1}."""
    out = [keep(x) / keep(x)]
    for _ in range(x.T):
        out.append(out[-1] / keep(x))
    return out


@claim(
    "pfedme/thm1-proof-s7",
    world=ROUNDS,
    control=Control(
        "without the + 1 in the exponent alpha_0 is 1, not 1/(1 - eta_tilde mu_F/2)",
        lambda x: eq(recursive(x)[-1], alpha(x, x.T - 2)),
    ),
    uses=("pfedme/thm1-proof-s6",),
    step=True,
    note="With alpha_{-1} = 1, which the recursion leaves open and (33) needs.",
)
def thm1_proof_s7(x):
    return eq(recursive(x)[-1], alpha(x, x.T - 1))


@claim(
    "pfedme/thm1-proof-s8-a",
    world=ROUNDS,
    control=Control("the sum has T terms, each above 1", lambda x: eq(sum(recursive(x)[1:]), A_T(x) - alpha(x, 0))),
    uses=("pfedme/thm1-proof-s7",),
    step=True,
)
def thm1_proof_s8_a(x):
    return eq(sum(recursive(x)[1:]), A_T(x))


def powers(x):
    """Sum of (1 - eta_tilde mu_F/2)^t for t = 0 .. T-1."""
    return sum(keep(x) ** t for t in range(x.T))


@claim(
    "pfedme/thm1-proof-s8-b",
    world=ROUNDS,
    control=Control(
        "with the power T - 1 in front the two sums differ by the factor 1 - eta_tilde mu_F/2",
        lambda x: eq(A_T(x), powers(x) / keep(x) ** (x.T - 1)),
    ),
    step=True,
)
def thm1_proof_s8_b(x):
    return eq(A_T(x), powers(x) / keep(x) ** x.T)


def closed(x, rate):
    """alpha_{T-1} (1 - (1 - eta_tilde mu_F/2)^T)/rate."""
    return alpha(x, x.T - 1) * (1 - keep(x) ** x.T) / rate


@claim(
    "pfedme/thm1-proof-s8-c",
    world=ROUNDS,
    control=Control(
        "eta_tilde mu_F without its half in the denominator gives half the sum",
        lambda x: eq(powers(x) / keep(x) ** x.T, closed(x, x.eta_tilde * x.mu_F)),
    ),
    step=True,
    note="a_{T-1} is read as alpha_{T-1}.",
)
def thm1_proof_s8_c(x):
    return eq(powers(x) / keep(x) ** x.T, closed(x, x.eta_tilde * x.mu_F / 2))


def last(x):
    """alpha_{T-1} = (1 - eta_tilde mu_F/2)^{-T}."""
    return 1 / x.power


def total(x):
    """A_T in its closed form, row thm1-proof-s8."""
    return last(x) * (1 - x.power) / (x.eta_tilde * x.mu_F / 2)


@claim(
    "pfedme/thm1-proof-s9-a",
    world=CLOSED,
    control=Control(
        "where the power is 1/2 both sides are equal, so 11/10 of the left one is too much",
        lambda x: le(11 * last(x) / (10 * x.eta_tilde * x.mu_F), total(x)),
    ),
    uses=("pfedme/thm1-proof-s8-c", "pfedme/thm1-proof-s10-c"),
    step=True,
    note="a_{T-1} is read as alpha_{T-1}; A_T in its closed form, for every T.",
)
def thm1_proof_s9_a(x):
    return le(last(x) / (x.eta_tilde * x.mu_F), total(x))


@claim(
    "pfedme/thm1-proof-s9-b",
    world=CLOSED,
    control=Control(
        "for a small power the two sides are nearly equal, so nine tenths are too little",
        lambda x: le(total(x), 9 * last(x) / (5 * x.eta_tilde * x.mu_F)),
    ),
    uses=("pfedme/thm1-proof-s8-c", "pfedme/thm1-proof-s11"),
    step=True,
    note="a_{T-1} is read as alpha_{T-1}; A_T in its closed form, for every T.",
)
def thm1_proof_s9_b(x):
    return le(total(x), 2 * last(x) / (x.eta_tilde * x.mu_F))


LONG = Scalars(**STEPS, given=(BELOW_2, condition("eta_tilde T >= 2/mu_F", long_enough)), sizes={"T": (2, 3, 8, 64)})


def exponent(x):
    """eta_tilde mu_F T/2."""
    return x.eta_tilde * x.mu_F * x.T / 2


@claim(
    "pfedme/thm1-proof-s10-a",
    world=LONG,
    control=Control(
        "for many rounds and eta_tilde mu_F T = 2 both sides are near 1/e, so four fifths of the right one are too little",
        lambda x: le(keep(x) ** x.T, 4 * x.exp(-exponent(x)) / 5),
    ),
    step=True,
)
def thm1_proof_s10_a(x):
    return le(keep(x) ** x.T, x.exp(-exponent(x)))


@claim(
    "pfedme/thm1-proof-s10-b",
    world=DerivedScalars(
        {"eta_tilde": lambda x: 2 * (1 + x.excess) / (x.mu_F * x.T)},
        mu_F=positive(CURVATURE), T=at_least(1), excess=positive(),
        given=(condition("eta_tilde T >= 2/mu_F", long_enough),),
    ),
    control=Control(
        "for eta_tilde mu_F T near 2 both sides are nearly equal, so nine tenths of the right one are too little",
        lambda x: le(x.exp(-exponent(x)), 9 * x.exp(-(x.T / x.T)) / 10),
    ),
    step=True,
    note="At eta_tilde T = 2/mu_F the two sides are one; searched above it.",
)  # fmt: skip
def thm1_proof_s10_b(x):
    return le(x.exp(-exponent(x)), x.exp(-(x.T / x.T)))


@claim(
    "pfedme/thm1-proof-s10-c",
    world=Scalars(sizes={"T": (1,)}),
    control=Control("e is 2.718..., so 1/e is above 1/3", lambda x: le(3 * x.exp(-(x.T / x.T)), 1)),
    step=True,
    note="Numbers only; one round.",
)
def thm1_proof_s10_c(x):
    return le(2 * x.exp(-(x.T / x.T)), 1)


@claim(
    "pfedme/thm1-proof-s11",
    world=ROUNDS,
    control=Control(
        "for eta_tilde mu_F near 2 the left side is near 1, above 1/2", lambda x: le(2 * (1 - keep(x) ** x.T), 1)
    ),
    step=True,
)
def thm1_proof_s11(x):
    return le(1 - keep(x) ** x.T, 1)


@claim(
    "pfedme/thm1-proof-s12-a",
    world=CLOSED,
    control=Control(
        "for a small power the two sides are nearly equal, so 11/10 of mu_F/2 is too much",
        lambda x: le(11 * x.mu_F / 20, last(x) / (x.eta_tilde * total(x))),
    ),
    uses=("pfedme/thm1-proof-s9-b",),
    step=True,
    note="A_T in its closed form, for every T.",
)
def thm1_proof_s12_a(x):
    return le(x.mu_F / 2, last(x) / (x.eta_tilde * total(x)))


@claim(
    "pfedme/thm1-proof-s12-b",
    world=CLOSED,
    control=Control(
        "where the power is 1/2 both sides are equal, so nine tenths of the right one are too little",
        lambda x: le(1 / (x.eta_tilde * total(x)), 9 * x.mu_F * x.power / 10),
    ),
    uses=("pfedme/thm1-proof-s9-a",),
    step=True,
    note="A_T in its closed form, for every T.",
)
def thm1_proof_s12_b(x):
    return le(1 / (x.eta_tilde * total(x)), x.mu_F * x.power)


@claim(
    "pfedme/thm1-proof-s12-c",
    world=LONG,
    control=Control(
        "for many rounds and eta_tilde mu_F T = 2 both sides are near mu_F/e, so four fifths of the right one are too little",
        lambda x: le(x.mu_F * keep(x) ** x.T, 4 * x.mu_F * x.exp(-exponent(x)) / 5),
    ),
    uses=("pfedme/thm1-proof-s10-a",),
    step=True,
)
def thm1_proof_s12_c(x):
    return le(x.mu_F * keep(x) ** x.T, x.mu_F * x.exp(-exponent(x)))


def telescoping(x, before):
    """Sum of (before(t) Delta_t - alpha_t Delta_{t+1})/(eta_tilde A_T) for t = 0 .. T-1, plus the floor."""
    terms = (before(t) * D(x)[t] - alpha(x, t) * D(x)[t + 1] for t in range(x.T))
    return sum(terms) / (x.eta_tilde * A_T(x)) + x.floor


@claim(
    "pfedme/eq32-b",
    world=SUMS,
    control=Control(
        "with half of alpha_{t-1} on the right the left side is larger wherever Delta_t > 0",
        lambda x: le(telescoping(x, lambda t: keep(x) * alpha(x, t)), telescoping(x, lambda t: alpha(x, t - 1) / 2)),
    ),
    uses=("pfedme/thm1-proof-s6",),
    step=True,
    note="Any Delta_t, and `floor` for eta_tilde^2/beta^2 C_3 + eta_tilde C_2 + C_1; both sides are equal.",
)
def eq32_b(x):
    return le(telescoping(x, lambda t: keep(x) * alpha(x, t)), telescoping(x, lambda t: alpha(x, t - 1)))


def telescoped(x, start):
    """Right side of the first equality of (33)."""
    ends = start * D(x)[0] - alpha(x, x.T - 1) * D(x)[x.T]
    return ends / (x.eta_tilde * A_T(x)) + x.floor


@claim(
    "pfedme/eq33-a",
    world=SUMS,
    control=Control(
        "alpha_0 in place of alpha_{-1} = 1 in front of Delta_0 is larger",
        lambda x: eq(telescoping(x, lambda t: alpha(x, t - 1)), telescoped(x, alpha(x, 0))),
    ),
    uses=("pfedme/thm1-proof-s7",),
    step=True,
    note="Any Delta_t, and `floor` for eta_tilde^2/beta^2 C_3 + eta_tilde C_2 + C_1.",
)
def eq33_a(x):
    return eq(telescoping(x, lambda t: alpha(x, t - 1)), telescoped(x, 1))


def eq33(x, decay):
    """The inequality of (33), with `decay` for e^{-eta_tilde mu_F T/2}."""
    weight = x.eta_tilde * total(x)
    return le(
        x.Delta_0 / weight - last(x) / weight * x.Delta_T + x.floor,
        x.mu_F * decay * x.Delta_0 - x.mu_F / 2 * x.Delta_T + x.floor,
    )


@claim(
    "pfedme/eq33-b",
    world=Scalars(
        **POWER, decay=between(0, 1, closed=False), Delta_0=at_least(0, LENGTH**2), Delta_T=at_least(0, LENGTH**2),
        floor=at_least(0, VALUE),
        given=(
            BELOW_2, HALF,
            condition("(1 - eta_tilde mu_F/2)^T <= e^{-eta_tilde mu_F T/2} (row thm1-proof-s10-a)",
                      lambda x: le(x.power, x.decay)),
        ),
    ),
    control=Control(
        "where the power is 1/2 and equal to the decay both sides are equal for Delta_T = 0, so nine tenths are too little",
        lambda x: eq33(x, 9 * x.decay / 10),
    ),
    uses=("pfedme/thm1-proof-s10-a", "pfedme/thm1-proof-s12-a", "pfedme/thm1-proof-s12-b"),
    step=True,
    note="A_T in its closed form, for every T; `decay` for e^{-eta_tilde mu_F T/2}, `floor` for "
    "eta_tilde^2/beta^2 C_3 + eta_tilde C_2 + C_1.",
)  # fmt: skip
def eq33_b(x):
    return eq33(x, x.decay)
