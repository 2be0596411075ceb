"""Theorem 1, the weights alpha_t and the telescoping: second line of (32), and (33) (Section A.4.3).

The identities are checked with alpha_t and A_T written out, for the listed T. The inequalities use A_T only through its
closed form, so there `power` stands for (1 - eta_tilde mu_F/2)^T and the proofs hold for every T.
"""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.pfedme.conditions import LONG_ENOUGH, STEP_BELOW_2
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem1 import A_T, alpha, keep
from fedtheory.units import LENGTH, VALUE
from problems import Scalars, at_least, between, condition, positive
from problems.worlds.derived import DerivedScalars

STEP = symbols("eta_tilde", "mu_F")
FEW_ROUNDS = Scalars(**STEP, given=(STEP_BELOW_2,), sizes={"T": (1, 2, 3)})
MANY_ROUNDS = Scalars(**STEP, given=(STEP_BELOW_2, LONG_ENOUGH), sizes={"T": (2, 3, 8, 64)})
UP_TO_HALF = condition("(1 - eta_tilde mu_F/2)^T <= 1/2", lambda x: le(2 * x.power, 1))
POWER = {**STEP, "power": between(0, 1, closed=False)}
ANY_ROUNDS = Scalars(**POWER, given=(STEP_BELOW_2, UP_TO_HALF))
DISTANCES = {f"D{t}": at_least(0, LENGTH**2) for t in range(4)}
ANY_DISTANCES = Scalars(**STEP, **DISTANCES, floor=at_least(0, VALUE), given=(STEP_BELOW_2,), sizes={"T": (1, 2, 3)})


def recursive(x):
    """alpha_{-1} = 1, alpha_0 .. alpha_{T-1} from (1 - eta_tilde mu_F/2) alpha_t = alpha_{t-1}."""
    out = [x.ratio(1, 1)]
    for _ in range(x.T):
        out.append(out[-1] / keep(x))
    return out


@claim(
    "pfedme/thm1-proof-s7",
    world=FEW_ROUNDS,
    control=Control("without the + 1 in the exponent alpha_0 is 1, not 1/(1 - eta_tilde mu_F/2)", late=2),
    uses=("pfedme/thm1-proof-s6",),
    step=True,
    note="With alpha_{-1} = 1, which the recursion leaves open and (33) needs.",
)
def thm1_proof_s7(x, late=1):
    return eq(recursive(x)[-1], alpha(x, x.T - late))


@claim(
    "pfedme/thm1-proof-s8-a",
    world=FEW_ROUNDS,
    control=Control("the sum has T terms, each above 1", first=2),
    uses=("pfedme/thm1-proof-s7",),
    step=True,
)
def thm1_proof_s8_a(x, first=1):
    return eq(sum(recursive(x)[first:]), A_T(x))


def powers(x):
    """Sum of (1 - eta_tilde mu_F/2)^t for t = 0 .. T-1."""
    return sum(keep(x) ** t for t in range(x.T))


@claim(
    "pfedme/thm1-proof-s8-b",
    world=FEW_ROUNDS,
    control=Control("with the power T - 1 in front the two sums differ by the factor 1 - eta_tilde mu_F/2", fewer=1),
    step=True,
)
def thm1_proof_s8_b(x, fewer=0):
    return eq(A_T(x), powers(x) / keep(x) ** (x.T - fewer))


@claim(
    "pfedme/thm1-proof-s8-c",
    world=FEW_ROUNDS,
    control=Control("eta_tilde mu_F without its half in the denominator gives half the sum", two=1),
    step=True,
    note="a_{T-1} is read as alpha_{T-1}.",
)
def thm1_proof_s8_c(x, two=2):
    closed = alpha(x, x.T - 1) * (1 - keep(x) ** x.T) / (x.eta_tilde * x.mu_F / two)
    return eq(powers(x) / keep(x) ** x.T, closed)


def last(x):
    """alpha_{T-1} = (1 - eta_tilde mu_F/2)^{-T}."""
    return 1 / x.power


def total(x):
    """A_T in its closed form, row thm1-proof-s8."""
    return last(x) * (1 - x.power) / (x.eta_tilde * x.mu_F / 2)


@claim(
    "pfedme/thm1-proof-s9-a",
    world=ANY_ROUNDS,
    control=Control("where the power is 1/2 both sides are equal, so 11/10 of the left one is too much", share="11/10"),
    uses=("pfedme/thm1-proof-s8-c", "pfedme/thm1-proof-s10-c"),
    step=True,
    note="a_{T-1} is read as alpha_{T-1}; A_T in its closed form, for every T.",
)
def thm1_proof_s9_a(x, share=1):
    return le(share * last(x) / (x.eta_tilde * x.mu_F), total(x))


@claim(
    "pfedme/thm1-proof-s9-b",
    world=ANY_ROUNDS,
    control=Control("for a small power the two sides are nearly equal, so nine tenths are too little", share="9/10"),
    uses=("pfedme/thm1-proof-s8-c", "pfedme/thm1-proof-s11"),
    step=True,
    note="a_{T-1} is read as alpha_{T-1}; A_T in its closed form, for every T.",
)
def thm1_proof_s9_b(x, share=1):
    return le(total(x), share * 2 * last(x) / (x.eta_tilde * x.mu_F))


def decay(x):
    """e^{-eta_tilde mu_F T/2}."""
    return x.exp(-(x.eta_tilde * x.mu_F * x.T / 2))


@claim(
    "pfedme/thm1-proof-s10-a",
    world=MANY_ROUNDS,
    control=Control(
        "for many rounds and eta_tilde mu_F T = 2 both sides are near 1/e, so four fifths of the right one are too little",
        share="4/5",
    ),
    step=True,
)
def thm1_proof_s10_a(x, share=1):
    return le(keep(x) ** x.T, share * decay(x))


@claim(
    "pfedme/thm1-proof-s10-b",
    world=DerivedScalars(
        {"eta_tilde": lambda x: 2 * (1 + x.excess) / (x.mu_F * x.T)},
        **symbols("mu_F", "T"),
        excess=positive(),
        given=(LONG_ENOUGH,),
    ),
    control=Control(
        "for eta_tilde mu_F T near 2 both sides are nearly equal, so nine tenths of the right one are too little",
        share="9/10",
    ),
    step=True,
    note="At eta_tilde T = 2/mu_F the two sides are one; searched above it.",
)
def thm1_proof_s10_b(x, share=1):
    return le(decay(x), share * x.exp(x.ratio(-1, 1)))


@claim(
    "pfedme/thm1-proof-s10-c",
    world=Scalars(sizes={"T": (1,)}),
    control=Control("e is 2.718..., so 1/e is above 1/3", two=3),
    step=True,
    note="Numbers only; one round.",
)
def thm1_proof_s10_c(x, two=2):
    return le(two * x.exp(x.ratio(-1, 1)), 1)


@claim(
    "pfedme/thm1-proof-s11",
    world=FEW_ROUNDS,
    control=Control("for eta_tilde mu_F near 2 the left side is near 1, above 1/2", one="1/2"),
    step=True,
)
def thm1_proof_s11(x, one=1):
    return le(1 - keep(x) ** x.T, one)


@claim(
    "pfedme/thm1-proof-s12-a",
    world=ANY_ROUNDS,
    control=Control("for a small power the two sides are nearly equal, so 11/10 of mu_F/2 is too much", share="11/10"),
    uses=("pfedme/thm1-proof-s9-b",),
    step=True,
    note="A_T in its closed form, for every T.",
)
def thm1_proof_s12_a(x, share=1):
    return le(share * x.mu_F / 2, last(x) / (x.eta_tilde * total(x)))


@claim(
    "pfedme/thm1-proof-s12-b",
    world=ANY_ROUNDS,
    control=Control(
        "where the power is 1/2 both sides are equal, so nine tenths of the right one are too little", share="9/10"
    ),
    uses=("pfedme/thm1-proof-s9-a",),
    step=True,
    note="A_T in its closed form, for every T.",
)
def thm1_proof_s12_b(x, share=1):
    return le(1 / (x.eta_tilde * total(x)), share * x.mu_F * x.power)


@claim(
    "pfedme/thm1-proof-s12-c",
    world=MANY_ROUNDS,
    control=Control(
        "for many rounds and eta_tilde mu_F T = 2 both sides are near mu_F/e, so four fifths of the right one are too little",
        share="4/5",
    ),
    uses=("pfedme/thm1-proof-s10-a",),
    step=True,
)
def thm1_proof_s12_c(x, share=1):
    return le(x.mu_F * keep(x) ** x.T, share * x.mu_F * decay(x))


def telescoping(x, before):
    """Sum of (before(t) Delta_t - alpha_t Delta_{t+1})/(eta_tilde A_T) for t = 0 .. T-1, plus the floor."""
    D = (x.D0, x.D1, x.D2, x.D3)
    terms = (before(t) * D[t] - alpha(x, t) * D[t + 1] for t in range(x.T))
    return sum(terms) / (x.eta_tilde * A_T(x)) + x.floor


@claim(
    "pfedme/eq32-b",
    world=ANY_DISTANCES,
    control=Control("with half of alpha_{t-1} on the right the left side is larger wherever Delta_t > 0", share="1/2"),
    uses=("pfedme/thm1-proof-s6",),
    step=True,
    note="Any Delta_t, and `floor` for eta_tilde^2/beta^2 C_3 + eta_tilde C_2 + C_1; both sides are equal.",
)
def eq32_b(x, share=1):
    return le(
        telescoping(x, lambda t: keep(x) * alpha(x, t)),
        telescoping(x, lambda t: share * alpha(x, t - 1)),
    )


@claim(
    "pfedme/eq33-a",
    world=ANY_DISTANCES,
    control=Control("alpha_0 in place of alpha_{-1} = 1 in front of Delta_0 is larger", first=0),
    uses=("pfedme/thm1-proof-s7",),
    step=True,
    note="Any Delta_t, and `floor` for eta_tilde^2/beta^2 C_3 + eta_tilde C_2 + C_1.",
)
def eq33_a(x, first=-1):
    D = (x.D0, x.D1, x.D2, x.D3)
    ends = alpha(x, first) * D[0] - alpha(x, x.T - 1) * D[x.T]
    return eq(telescoping(x, lambda t: alpha(x, t - 1)), ends / (x.eta_tilde * A_T(x)) + x.floor)


@claim(
    "pfedme/eq33-b",
    world=Scalars(
        **POWER,
        decay=between(0, 1, closed=False),
        **symbols("Delta_0"),
        Delta_T=at_least(0, LENGTH**2),
        floor=at_least(0, VALUE),
        given=(
            STEP_BELOW_2,
            UP_TO_HALF,
            condition("(1 - eta_tilde mu_F/2)^T <= decay", lambda x: le(x.power, x.decay)),
        ),
    ),
    control=Control(
        "where the power is 1/2 and equal to the decay both sides are equal for Delta_T = 0, so nine tenths are too little",
        share="9/10",
    ),
    uses=("pfedme/thm1-proof-s10-a", "pfedme/thm1-proof-s12-a", "pfedme/thm1-proof-s12-b"),
    step=True,
    note="A_T in its closed form, for every T; `decay` for e^{-eta_tilde mu_F T/2}, `floor` for "
    "eta_tilde^2/beta^2 C_3 + eta_tilde C_2 + C_1.",
)
def eq33_b(x, share=1):
    weight = x.eta_tilde * total(x)
    return le(
        x.Delta_0 / weight - last(x) / weight * x.Delta_T + x.floor,
        x.mu_F * share * x.decay * x.Delta_0 - x.mu_F / 2 * x.Delta_T + x.floor,
    )
