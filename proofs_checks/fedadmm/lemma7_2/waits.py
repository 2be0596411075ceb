"""(7.21) for a wait of any number of rounds, from the last selection of a client on (Section 7.3)."""

from fedtheory import Control, claim, le, use
from fedtheory.units import CURVATURE
from problems import Points, Run, at_least, positive

from ..one_client import ONE


def along(x):
    """|w^tau - w^{tau_{k_i+1}}|^2, the way of the server since the selection."""
    return x.sq(x.w - x.w_old)


@claim(
    "fedadmm/eq7.21-d@step",
    world=Points(None, at=("u", "v"), sizes=ONE, k=at_least(0)),
    control=Control("u = k v makes both sides equal", share="9/10"),
    step=True,
)
def eq7_21_d_step(x, share=1):
    return le(x.k * x.sq(x.u + x.v), share * ((x.k + 1) * x.sq(x.u) + x.k * (x.k + 1) * x.sq(x.v)))


WAIT = Run(
    None, at=("w", "w_next", "w_old"), clients_at=("w_i",), fresh=("w_next",), start={"w": lambda x: x.w_old},
    step={"w": lambda x: x.w_next}, index="n", sizes={"d": (1, 2), **ONE}, sigma=positive(CURVATURE),
    quantities={
        "away": lambda x: x.sq(x.w_i - x.w),
        "turn": lambda x: x.sq(x.sigma * (x.w_i - x.w_old)),
        "way": along,
        "move": lambda x: x.sq(x.w_next - x.w),
    },
)  # fmt: skip


@claim(
    "fedadmm/eq7.21-d@way",
    world=WAIT,
    by=(use(eq7_21_d_step, u=lambda x: x.w - x.w_old, v=lambda x: x.w_next - x.w, k=lambda x, t: t),),
    control=Control("equal moves make both sides equal", share="9/10"),
    step=True,
    note="After n rounds, for every n: the square of the way is at most n times the sum of the squared moves.",
)
def eq7_21_d_way(x, share=1):
    return le(x.way[x.n] / x.n, share * x.sum(lambda t: x.move[t], x.n))


@claim(
    "fedadmm/eq7.21-d@two",
    world=Points(None, at=("w", "w_old"), clients_at=("w_i",), sizes=ONE, sigma=positive(CURVATURE)),
    control=Control("equal parts make both sides equal", share="9/10"),
    uses=("fedadmm/eq7.21-b", "fedadmm/eq7.21-c"),
    step=True,
)
def eq7_21_d_two(x, share=1):
    turn = x.sigma * (x.w_i - x.w_old)
    return le(x.sq(x.w_i - x.w), share * (2 / x.sigma**2 * x.sq(turn) + 2 * along(x)))


@claim(
    "fedadmm/eq7.21-d@every-wait",
    world=WAIT,
    by=(eq7_21_d_way, eq7_21_d_two),
    control=Control("equal moves and an equal turn make both sides equal for one round", share="9/10"),
    note="n rounds after the last selection of the client, for every n and dimension: with pi_i^{k_i+1} - pi_i^{k_i} by (3.6), and "
    "2 n in the place of 4 s_0, which is no less as n is at most 2 s_0.",
)
def eq7_21_every_wait(x, share=1):
    moves = 2 * x.n * x.sum(lambda t: x.move[t], x.n)
    return le(x.away[x.n], share * (2 / x.sigma**2 * x.turn + moves))
