"""Lemma 2: the dual variable in closed form, the invariant on which one-step claims of FLAME stand (Appendix A)."""

from fedtheory import Control, claim, eq

from .worlds import flame_steps


def residual_sq(x, state, factor):
    """|pi_i - factor lam alpha_i (theta_i - w_i)|^2 at a state, ``(..., m)``."""
    return x.sq(state.Pi - factor * (state.Theta - state.W) * (x.lam * x.alpha)[..., None])


@claim(
    "flame/eq25",
    world=flame_steps(),
    control=Control("the factor is lam alpha_i, not twice that", lambda x: eq(residual_sq(x, x.next, 2), 0)),
    note="For every client at every state of a run whose start satisfies (28), as the proof asks; Algorithm 1, l1, alone "
    "leaves pi_i^0 free.",
)
def eq25(x):
    return x.each_step(lambda before, after: eq(residual_sq(x, after, 1), 0, f"t = {after.t}"))
