"""Lemma 2, (25): the dual variable in closed form, the invariant on which one-step claims of FLAME stand (Appendix A)."""

from fedtheory import Control, claim, eq

from .worlds import flame_steps


@claim(
    "flame/eq25",
    world=flame_steps(),
    control=Control("the factor is lam alpha_i, not twice that", factor=2),
    note="For every client at every state of a run whose start satisfies (28), as the proof asks; Algorithm 1, l1, alone "
    "leaves pi_i^0 free.",
)
def eq25(x, factor=1):
    def residual(state):
        return state.Pi - factor * (state.Theta - state.W) * (x.lam * x.alpha)[..., None]

    return x.each_step(lambda before, after: eq(x.sq(residual(after)), 0, f"t = {after.t}"))
