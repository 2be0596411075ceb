"""Steps of the proof of Lemma 7.2 a) and b) (Section 7.3)."""

from fedtheory import Control, claim, eq, le, lt
from fedtheory.theory.fedadmm.conditions import PENALTY
from fedtheory.theory.fedadmm.constants import decrease, eps_weight, own_lagrangian
from problems import Scalars

from ..controls import PLUS, USED_UP
from ..lemma4_1.clients import from_p2
from ..one_client import ACCURATE_NOW, TERMWISE, one_client, own
from ..section2 import WEIGHTED, WEIGHTED_NOTE, f_at
from ..worlds import fedadmm_steps

STATE = one_client(
    at=("w", "w_i", "p"),
    given=(ACCURATE_NOW,),
    names=("r", "sigma", "alpha", "nu", "eps"),
)
EVERY_STATE = "For one client at any state with (7.6)."


def state(x):
    """(w_i^k - w^{tau_k}, g_i^k, phi_i^k, pi_i^k) of the client."""
    g, phi = x.alpha * x.f.grad(x.w_i), x.sigma * x.p
    return x.w_i - x.w, g, phi, phi - g


@claim(
    "fedadmm/lemma7.2-proof-s1",
    world=Scalars(**own("r", "sigma", "alpha"), given=(PENALTY,)),
    control=Control("just above 5 alpha_i r_i/2 it is nearly 0", lambda x: lt(x.sigma / 100, decrease(x))),
    step=True,
    note="Every entry of the minimum c is positive; then Lemma 4.1 has a non-negative right side.",
)
def lemma7_2_proof_s1(x):
    return lt(0, decrease(x))


def lower(x, W, w):
    """alpha_i f_i(w^{tau_k}) - alpha_i f_i(w_i^k)."""
    return x.alpha * (x.f.value(w) - x.f.value(W))


def bent(x, W, w, quarter=2):
    """quarter alpha_i r_i/4 |w_i^k - w^{tau_k}|^2."""
    return quarter * x.alpha * x.r / 4 * x.sq(W - w)


AFTER_ONE = fedadmm_steps(convex=True, given=(PENALTY,), steps=(1,), m=(2,))
SIGN = "the difference in (7.1) is w^{tau_k} - w_i^k, the opposite of the printed one"


def first_bound(x, sign):
    """(7.1) at k = 1 with `sign` in front of the inner product."""
    W, w = x.next.W, x.next.w
    g = x.alpha[..., None] * x.f.grad(W)
    return le(lower(x, W, w), sign * x.dot(W - w, g) + bent(x, W, w))


@claim(
    "fedadmm/lemma7.2-proof-s2",
    world=AFTER_ONE,
    control=Control("nor without any inner product", sign=0),
    repair="fedadmm/lemma7.2-proof-s2~repaired",
    uses=("fedadmm/eq7.1-b",),
    step=True,
    note=f"{SIGN[0].upper()}{SIGN[1:]}. At k = 1.",
)
def lemma7_2_proof_s2(x, sign=1):
    return first_bound(x, sign)


@claim(
    "fedadmm/lemma7.2-proof-s2~repaired",
    world=STATE,
    control=PLUS,
    uses=("fedadmm/eq7.1-b",),
    step=True,
    note=f"With - in front of the inner product. {EVERY_STATE}",
)
def lemma7_2_proof_s2_repaired(x, sign=-1):
    away, g, _, _ = state(x)
    return le(lower(x, x.w_i, x.w), sign * x.dot(away, g) + bent(x, x.w_i, x.w))


@claim(
    "fedadmm/lemma7.2-proof-s3",
    world=AFTER_ONE,
    control=Control("nor with twice the gradient", times=2),
    repair="fedadmm/lemma7.2-proof-s3~repaired",
    uses=("fedadmm/eq7.6-b",),
    step=True,
    note="From (7.6) g_i^k is phi_i^k - pi_i^k, not pi_i^k + phi_i^k. At k = 1.",
)
def lemma7_2_proof_s3(x, times=1):
    W, w = x.next.W, x.next.w
    g = x.alpha[..., None] * x.f.grad(W)
    bend = bent(x, W, w)
    return eq(times * x.dot(W - w, g) + bend, x.dot(W - w, x.next.Pi + (g + x.next.Pi)) + bend)


@claim(
    "fedadmm/lemma7.2-proof-s3~repaired",
    world=STATE,
    control=Control("phi_i^k enters with the other sign", sign=1),
    step=True,
    note=f"-<.., g_i^k> = <.., pi_i^k - phi_i^k>. {EVERY_STATE}",
)
def lemma7_2_proof_s3_repaired(x, sign=-1):
    away, g, phi, Pi = state(x)
    return eq(-x.dot(away, g), x.dot(away, Pi + sign * phi))


@claim(
    "fedadmm/lemma7.2-proof-s4",
    world=STATE,
    control=Control("for phi_i along the difference Young's inequality is attained", share="9/10"),
    uses=("fedadmm/eq7.3-a",),
    step=True,
    note=f"As printed, with + in front of phi_i^k, and with - as the row before needs it. {EVERY_STATE}",
)
def lemma7_2_proof_s4(x, share=1):
    away, _, phi, Pi = state(x)
    right = x.dot(away, Pi) + bent(x, x.w_i, x.w, 3) + share * x.sq(phi) / (x.alpha * x.r)
    return tuple(le(x.dot(away, Pi + sign * phi) + bent(x, x.w_i, x.w), right) for sign in (1, -1))


@claim(
    "fedadmm/lemma7.2-proof-s5",
    world=STATE,
    control=USED_UP["9/10"],
    uses=("fedadmm/eq7.6-b",),
    step=True,
    note=EVERY_STATE,
)
def lemma7_2_proof_s5(x, share=1):
    away, _, phi, Pi = state(x)
    common = x.dot(away, Pi) + bent(x, x.w_i, x.w, 3)
    ar = x.alpha * x.r
    return le(common + x.sq(phi) / ar, common + share * x.eps / ar)


@claim(
    "fedadmm/lemma7.2-proof-s6",
    world=STATE,
    control=Control("what is left out is 30/sigma_i times epsilon_i for nu_i = 1/2, not 40", times=5),
    step=True,
    note=f"{TERMWISE} {EVERY_STATE}",
)
def lemma7_2_proof_s6(x, times=1):
    _, _, _, Pi = state(x)
    own_part = own_lagrangian(x, x.w, x.w_i, Pi)
    return le(own_part + (from_p2(x) + (times - 1) * 10 / x.sigma) * x.eps, own_part + eps_weight(x) * x.eps)


@claim(
    "fedadmm/lemma7.2-proof-s7",
    world=STATE,
    control=Control("for nu_i = 1/2 both sides are equal", times=2),
    step=True,
    note=f"{TERMWISE} {EVERY_STATE}",
)
def lemma7_2_proof_s7(x, times=1):
    away, _, _, Pi = state(x)
    spelled = x.alpha * x.f.value(x.w_i) + x.dot(away, Pi) + x.sigma / 2 * x.sq(away)
    own_part = own_lagrangian(x, x.w, x.w_i, Pi)
    return le(spelled + times * x.eps / (x.alpha * x.r), own_part + from_p2(x) * x.eps)


def margin(x, times=1):
    """(2 sigma_i - 3 alpha_i r_i)/4."""
    return (2 * times * x.sigma - 3 * x.alpha * x.r) / 4


@claim(
    "fedadmm/lemma7.2-proof-s8",
    world=STATE,
    control=Control("the penalty gives sigma_i/2, not sigma_i", times=2),
    uses=("fedadmm/lemma7.2-proof-s2~repaired", "fedadmm/lemma7.2-proof-s3~repaired", "fedadmm/lemma7.2-proof-s4",
          "fedadmm/lemma7.2-proof-s5"),
    step=True,
    note=f"{TERMWISE} {EVERY_STATE} The two slips in the first display cancel.",
)  # fmt: skip
def lemma7_2_proof_s8(x, times=1):
    away, _, _, Pi = state(x)
    spelled = x.alpha * x.f.value(x.w_i) + x.dot(away, Pi) + x.sigma / 2 * x.sq(away)
    right = x.alpha * x.f.value(x.w) + margin(x, times) * x.sq(away)
    return le(right, spelled + x.eps / (x.alpha * x.r))


@claim(
    "fedadmm/lemma7.2-proof-s9",
    world=one_client(at=("w", "w_i"), given=(PENALTY,)),
    control=Control("at half of the penalty the bracket is negative", times="1/2"),
    step=True,
    note=TERMWISE,
)
def lemma7_2_proof_s9(x, times=1):
    return le(x.alpha * x.f.value(x.w), x.alpha * x.f.value(x.w) + margin(x, times) * x.sq(x.w_i - x.w))


@claim(
    "fedadmm/lemma7.2-proof-s10",
    world=WEIGHTED,
    control=Control("the sum is f, not twice f", times=2),
    step=True,
    note=f"By the definition of f. {WEIGHTED_NOTE}",
)
def lemma7_2_proof_s10(x, times=1):
    return eq(x.total(x.f.value(x.w)), times * f_at(x, x.w))
