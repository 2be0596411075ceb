"""Lemma 7.1 b), (7.6), and (3.7): the invariants of FedADMM on which one-step claims stand (Section 7.2)."""

from fedtheory import Control, claim, eq, le

from .worlds import fedadmm_steps


def phi_sq(x, state):
    """|g_i + pi_i|^2 at a state, ``(..., m)``."""
    return x.sq(x.f.grad(state.W) * x.alpha[..., None] + state.Pi)


@claim(
    "fedadmm/eq7.6-b",
    world=fedadmm_steps(),
    control=Control("a client may use up its accuracy, so a quarter of it is not enough", share="1/4"),
    note="At every state k + 1 of a run, selected clients and the others; the certificate is the step of the induction.",
)
def eq7_6_b(x, share=1):
    return x.each_step(lambda before, after: le(phi_sq(x, after), share * after.eps, f"k + 1 = {after.k}"))


@claim(
    "fedadmm/lemma7.1-proof-s7",
    world=fedadmm_steps(),
    control=Control("the message is sigma_i w_i + pi_i, not 2 sigma_i w_i + pi_i", factor=2),
    step=True,
    note="(3.7) at every state of a run.",
)
def lemma7_1_proof_s7(x, factor=1):
    def residual(state):
        return state.Z - factor * state.W * x.sigma[..., None] - state.Pi

    return x.each_step(lambda before, after: eq(x.sq(residual(after)), 0, f"k + 1 = {after.k}"))
