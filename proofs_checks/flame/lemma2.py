"""Lemma 2, (25): the dual variable in closed form, the invariant on which one-step claims of FLAME stand (Appendix A)."""

from fedtheory import Control, claim, eq

from .one_client import VIRTUAL, free_update, one_client
from .worlds import flame_steps

NOT_TWICE = Control("the factor is lam alpha_i, not twice that", factor=2)
ANY_DUAL = one_client(at=("theta", "theta_next", "w_i", "w", "p"))
ANY_PI = f"From any pi_i^t = rho p. {VIRTUAL}"


def invariant(x, factor=1):
    """(25) at the end of every round."""

    def residual(state):
        return state.Pi - factor * (state.Theta - state.W) * (x.lam * x.alpha)[..., None]

    return x.each_step(lambda before, after: eq(x.sq(residual(after)), 0, f"t = {after.t}"))


@claim(
    "flame/eq25",
    world=flame_steps(),
    control=NOT_TWICE,
    uses=("flame/eq27-b",),
    note="For every client at every state of a run whose start satisfies (28), as the proof asks; Algorithm 1, l1, alone "
    "leaves pi_i^0 free, flame/eq25@free-start.",
)
def eq25(x, factor=1):
    return invariant(x, factor)


@claim(
    "flame/eq25@free-start",
    world=flame_steps(free_start=True),
    control=NOT_TWICE,
    repair="flame/eq25",
    note="With any pi_i^0, as l1 has it: a client that was never selected keeps its pi_i^0. Clients that were selected once meet "
    "(25) from there on, by (27).",
)
def eq25_free_start(x, factor=1):
    return invariant(x, factor)


@claim(
    "flame/eq26",
    world=ANY_DUAL,
    control=NOT_TWICE,
    step=True,
    note=f"{ANY_PI} The client's actual update outside S^t, none, does not meet it: flame/eq26@unselected.",
)
def eq26(x, factor=1):
    u, a = free_update(x), x.lam * x.alpha
    return eq(x.sq(u.Pi - factor * a * u.theta_next - x.rho * u.w + (a + x.rho) * u.w_i_next), 0)


@claim(
    "flame/eq26@unselected",
    world=flame_steps(steps=(1,), m=(2, 3)),
    control=NOT_TWICE,
    repair="flame/eq26",
    step=True,
    note="For all clients, with the values of t + 1 that Algorithm 1 gives them; l18 keeps those of clients outside S^t.",
)
def eq26_unselected(x, factor=1):
    a = (x.lam * x.alpha)[..., None]
    right = factor * a * x.next.Theta + x.rho * x.state.w - (a + x.rho) * x.next.W
    return eq(x.sq(x.state.Pi - right), 0)


@claim(
    "flame/eq27-a",
    world=ANY_DUAL,
    control=Control("the step is rho, not twice that", factor=2),
    step=True,
    note=f"{ANY_PI} Outside S^t it is flame/eq27-a@unselected.",
)
def eq27_a(x, factor=1):
    u = free_update(x)
    return eq(x.sq(u.turn - factor * x.rho * (u.w_i_next - u.w)), 0)


@claim(
    "flame/eq27-a@unselected",
    world=flame_steps(steps=(1,), m=(2, 3)),
    control=Control("the step is rho, not twice that", factor=2),
    repair="flame/eq27-a",
    step=True,
    note="For all clients, with the values of t + 1 that Algorithm 1 gives them.",
)
def eq27_a_unselected(x, factor=1):
    return eq(x.sq(x.next.Pi - x.state.Pi - factor * x.rho * (x.next.W - x.state.w)), 0)


@claim("flame/eq27-b", world=ANY_DUAL, control=NOT_TWICE, uses=("flame/eq26",), step=True, note=ANY_PI)
def eq27_b(x, factor=1):
    u, a = free_update(x), x.lam * x.alpha
    return eq(x.sq(u.Pi + x.rho * (u.w_i_next - u.w) - factor * a * (u.theta_next - u.w_i_next)), 0)
