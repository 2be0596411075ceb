"""Asynchronous gradient steps: delays that are chosen at every step, drawn, or each client's own."""

from fedtheory import le, use
from problems import Points, Run, Smooth, SmoothBoundedBelow, at_least, between, condition

from .pair import ETA, L, pair


def below(steps):
    return condition(f"{steps} eta L <= 1", lambda x: le(steps * x.eta * x.L, 1))


def loss(x, w):
    return x.mean(x.f.value(w))


def length(x):
    return x.sq(x.mean_vec(x.f.grad(x.w)))


def slope(x, z):
    return x.mean_vec(x.f.grad(z))


def over(x, name):
    return x.sum(lambda t: getattr(x, name)[t], x.T)


# a step along gradients at old models, of each client its own


@pair("stale-models", Points(Smooth("L"), at=("w",), clients_at=("z",), L=L, eta=ETA))
def stale_models(x, s=1):
    """Mania et al. (2017), any z_i: a step gains eta/2 (|grad f|^2 + (1 - eta L) |G|^2), up to eta L^2/2 mean |w - z_i|^2."""
    gain = x.eta / 2 * (length(x) + (1 - x.eta * x.L) * x.sq(slope(x, x.z)))
    return le(
        loss(x, x.w - x.eta * slope(x, x.z)) + s * gain, loss(x, x.w) + x.eta * x.L**2 / 2 * x.mean(x.sq(x.w - x.z))
    )


# any sequence of points, of which one that is at most three steps old is chosen at every step


def chosen(x):
    return (x.w, x.u, x.v, x.y)[x.age]


OLD = {"u": lambda x: x.w, "v": lambda x: x.u, "y": lambda x: x.v}  # where the points that remember are after a step
MOVES = Run(
    None, at=("w", "u", "v", "y", "new"), fresh=("new",), either={"age": (0, 1, 2, 3)}, sizes={"m": (1,)},
    start=dict.fromkeys(OLD, lambda x: x.w), step={"w": lambda x: x.new, **OLD},
    quantities={
        "D": lambda x: 3 * x.sq(x.w - x.u) + 2 * x.sq(x.u - x.v) + x.sq(x.v - x.y),
        "away": lambda x: x.sq(x.w - chosen(x)), "moved": lambda x: x.sq(x.new - x.w),
    },
)  # fmt: skip


@pair("chosen-age-step", MOVES.one_step)
def chosen_age_step(x, s=1):
    """Lian, Huang, Li, Liu (2015): what any age up to three costs is paid by the last three moves, D."""
    return le(x.next.D + s * x.away / 3, x.D + 3 * x.moved)


@pair("chosen-age-every-T", MOVES, by=(chosen_age_step,))
def chosen_age_every_T(x, s=1):
    """Lian, Huang, Li, Liu (2015): T steps have |w - z|^2 of at most 9 times the squared moves, with any ages up to three."""
    return le(s * (x.D[x.T] + over(x, "away") / 3), 3 * over(x, "moved"))


# a delay for all clients: up to three, chosen at every step; up to one, drawn


def after(x):
    return x.w - x.eta * slope(x, chosen(x))


DELAYS = Run(
    SmoothBoundedBelow("L"), at=("w", "u", "v", "y"), either=MOVES.either, L=L, eta=ETA, given=(below(4),), start=MOVES.start,
    step={"w": after, **OLD},
    quantities={
        **MOVES.quantities, "e": lambda x: loss(x, x.w) - x.mean(x.f.infimum()), "g": length,
        "moved": lambda x: x.sq(x.eta * slope(x, chosen(x))),
    },
)  # fmt: skip


@pair("chosen-delays-every-T", DELAYS, by=(use(stale_models, z=chosen), use(chosen_age_step, new=after)))
def chosen_delays_every_T(x, s=1):
    """Agarwal, Duchi (2011), with full gradients: delays up to three, chosen at every step by anybody, for every T and m."""
    return le(s * (x.e[x.T] + 3 * x.eta * x.L**2 / 2 * x.D[x.T] + x.eta / 2 * over(x, "g")), x.e[0])


DRAWN = Run(
    SmoothBoundedBelow("L"), at=("w", "u"), outcomes=(0, 1), chances=lambda x: (1 - x.p, x.p), p=between(0, 1), L=L, eta=ETA,
    given=(below(2),), start={"u": lambda x: x.w},
    step={"w": lambda x, late: x.w - x.eta * slope(x, x.u if late else x.w), "u": lambda x, late: x.w},
    quantities={
        "V": lambda x: loss(x, x.w) - x.mean(x.f.infimum()) + x.p * x.eta * x.L**2 / 2 * x.sq(x.w - x.u), "g": length,
    },
)  # fmt: skip


@pair("drawn-delays-step", DRAWN.one_step, expect="certified")
def drawn_delays_step(x, s=1):
    """A delay of one with the chance p, drawn at every step: p eta L^2/2 |w - u|^2 pays for it."""
    return le(s * (x.next.V + x.eta / 2 * x.g), x.V)


@pair("drawn-delays-every-T", DRAWN, by=(drawn_delays_step,), expect="certified")
def drawn_delays_every_T(x, s=1):
    """A delay of one with the chance p, drawn at every step, for every T and m."""
    return le(s * (x.V[x.T] + x.eta / 2 * over(x, "g")), x.V[0])


# delays of each client's own: z is new at every step, and it is known how far away it may be

OWN = {
    "e": lambda x: loss(x, x.w) - x.mean(x.f.infimum()), "g": length, "moved": lambda x: x.sq(x.eta * slope(x, x.z)),
    "away": lambda x: x.mean(x.sq(x.w - x.z)),
}  # fmt: skip
STEP = {"w": lambda x: x.w - x.eta * slope(x, x.z)}


def own(**more):
    return Run(
        SmoothBoundedBelow("L"), clients_at=("z",), fresh=("z",), L=L, eta=ETA, step=STEP, quantities=OWN, **more
    )


ANY = own()


@pair("own-delays-sum", ANY, by=(stale_models,))
def own_delays_sum(x, s=1):
    """Mania et al. (2017): T steps with gradients of client i at any z_i gain the gradients and the moves, up to the distances."""
    gained = x.eta / 2 * over(x, "g") + (1 - x.eta * x.L) / (2 * x.eta) * over(x, "moved")
    gap = x.e[0] + x.eta * x.L**2 / 2 * over(x, "away")
    return le(s * (x.e[x.T] + gained), gap), le(0, over(x, "moved"))


BOUNDED = own(tau=at_least(0), given=(
    condition("eta L (1 + tau) <= 1", lambda x: le(x.eta * x.L * (1 + x.tau), 1)),
    condition("sum of mean |w - z_i|^2 <= tau^2 sum of the squared moves",
              lambda x: le(over(x, "away"), x.tau**2 * over(x, "moved")))))  # fmt: skip


@pair("own-delays-every-T", BOUNDED, by=(own_delays_sum,))
def own_delays_every_T(x, s=1):
    """Stich, Karimireddy (2020), full gradients: delays up to any tau, each client's own, eta L (1 + tau) <= 1, every T and m."""
    return le(s * (x.e[x.T] + x.eta / 2 * over(x, "g")), x.e[0])


# the same where z_i is no further than two moves lead, and where it is one of two models, as each client likes

NEAR = condition("|w - z_i|^2 <= 2 (|w - u|^2 + |u - v|^2)", lambda x: le(
    x.sq(x.w - x.z), 2 * (x.sq(x.w - x.u) + x.sq(x.u - x.v))))  # fmt: skip
WINDOW = Run(
    SmoothBoundedBelow("L"), at=("w", "u", "v"), clients_at=("z",), fresh=("z",), obeys=(NEAR,), L=L, eta=ETA, given=(below(3),),
    start={"u": lambda x: x.w, "v": lambda x: x.w}, step={**STEP, "u": lambda x: x.w, "v": lambda x: x.u},
    quantities={**OWN, "D": lambda x: 2 * x.sq(x.w - x.u) + x.sq(x.u - x.v)},
)  # fmt: skip


@pair("own-window-step", WINDOW.one_step)
def own_window_step(x, s=1):
    """Lian, Huang, Li, Liu (2015): models that are no further than two moves lead are paid by these moves."""
    return le(x.next.D + s * x.away / 2, x.D + 2 * x.moved)


@pair("own-window-every-T", WINDOW, by=(stale_models, own_window_step))
def own_window_every_T(x, s=1):
    """Lian, Huang, Li, Liu (2015), full gradients: each client's own ages up to two, by distances alone, for every T and m."""
    return le(s * (x.e[x.T] + x.eta * x.L**2 * x.D[x.T] + x.eta / 2 * over(x, "g")), x.e[0])


LATE = Run(
    SmoothBoundedBelow("L"), at=("w", "u"), selection="late", L=L, eta=ETA, given=(below(2),), start={"u": lambda x: x.w},
    step={"w": lambda x: x.w - x.eta * slope(x, x.where(x.late, x.u, x.w)), "u": lambda x: x.w},
    quantities={
        "V": lambda x: loss(x, x.w) - x.mean(x.f.infimum()) + x.eta * x.L**2 / 2 * x.sq(x.w - x.u), "g": length,
    },
)  # fmt: skip


@pair("own-choice-step", LATE.one_step, expect="certified")
def own_choice_step(x, s=1):
    """Each client reads the model or the one before, as it likes: eta L^2/2 |w - u|^2 pays for it."""
    return le(s * (x.next.V + x.eta / 2 * x.g), x.V)
