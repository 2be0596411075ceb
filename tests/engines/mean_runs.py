"""Runs with a mean over the steps, and runs of one client with those of all: legal theorems, their certificates, and edits."""

import copy
from typing import Any

from fedtheory import claim, fedtheory_check, le, use
from fedtheory.units import CURVATURE, STEP
from problems import Convex, Points, Run, Sequences, Smooth, condition, positive, real

# a mean over the steps


def weight(x, t):
    """a^t."""
    return x.a**t


def distance(x):
    return x.sq(x.w - x.w_star)


def value(x):
    """f(w_t) - f(w*)."""
    return x.mean(x.f.value(x.w) - x.f.value(x.w_star))


def value_of_mean(x):
    """f(w_bar) - f(w*)."""
    return x.mean(x.f.value(x.w_bar) - x.f.value(x.w_star))


def slope(x):
    """<grad f(w_bar), w_t - w_bar>."""
    return x.dot(x.mean_vec(x.f.grad(x.w_bar)), x.w - x.w_bar)


def moved(x):
    return x.w - x.eta * x.mean_vec(x.f.grad(x.w))


def drawn(x, sign):
    """A step with noise that is 0 in the mean over the draws."""
    return moved(x) + sign * x.noise


QUANTITIES = {"D": distance, "e": value, "J": value_of_mean, "tilt": slope}
SIZES = {"m": (1, 2), "d": (1, 2)}


def run(step=moved, quantities=None, outcomes=(), at=("w", "w_bar"), means=None, **options: Any):
    means = {"w_bar": ("w", weight)} if means is None else means
    return Run(
        Convex(), optimum_of="f", at=at, step={"w": step}, outcomes=outcomes, quantities=quantities or QUANTITIES, sizes=SIZES,
        means=means, a=positive(), eta=positive(STEP), **options,
    )  # fmt: skip


RUN = run()
NOISY = run(drawn, outcomes=(1, -1), at=("w", "w_bar", "noise"))


def tangent_of(runs, id):
    return claim(f"means/{id}", world=runs.one_step)(lambda x: le(x.J + x.tilt, x.e))


SUMS = claim(
    "means/sums",
    world=Sequences(
        "T", first=1, a=positive(), J=real(), sequences={"e": real(), "tilt": real()},
        every=(condition("J + tilt_t <= e_t", lambda x, t: le(x.J + x.tilt[t], x.e[t])),),
    ),
)(
    lambda x: le(
        x.J * x.sum(lambda t: weight(x, t), x.T) + x.sum(lambda t: weight(x, t) * x.tilt[t], x.T),
        x.sum(lambda t: weight(x, t) * x.e[t], x.T),
    )
)  # fmt: skip


def jensen_body(x, share=1):
    """A_T (f(w_bar) - f(w*)) <= sum of a^t (f(w_t) - f(w*))."""
    return le(x.J * x.sum(lambda t: weight(x, t), x.T), share * x.sum(lambda t: weight(x, t) * x.e[t], x.T))


TANGENT, NOISY_TANGENT = tangent_of(RUN, "tangent"), tangent_of(NOISY, "noisy-tangent")
JENSEN = claim("means/jensen", world=RUN, by=(TANGENT, SUMS))(jensen_body)
NOISY_JENSEN = claim("means/noisy-jensen", world=NOISY, by=(NOISY_TANGENT, SUMS))(jensen_body)
AGAIN = claim("means/again", world=RUN, by=(JENSEN,))(
    lambda x: le(x.J * x.sum(lambda t: weight(x, t), x.T), x.sum(lambda t: weight(x, t) * x.e[t], x.T) + 1)
)

# one client, and all of them in the mean


def off(x):
    """|x_i - w|^2 of a client."""
    return x.sq(x.x - x.w)


def gradient_sq(x):
    """|grad f_i(w)|^2 of a client."""
    return x.sq(x.f.grad(x.w))


def along(x):
    """<x_i - w, grad f_i(w)> of a client."""
    return x.dot(x.x - x.w, x.f.grad(x.w))


def stepped(x):
    return x.x - x.eta * x.f.grad(x.w)


def mean_of(fn):
    return lambda x: x.mean(fn(x))


def clients(quantities, m, step=stepped, start=lambda x: x.w, **options: Any):
    """Every client moves by its gradient at w, from w on."""
    return Run(
        Smooth("L"), at=("w",), clients_at=("x",), step={"x": step}, start={"x": start} if start else {}, index="n", first=0,
        lengths=(0, 1, 2), quantities=quantities, sizes={"m": m, "d": (1, 2)}, L=positive(CURVATURE), eta=positive(STEP), **options,
    )  # fmt: skip


SMALL = condition("|grad f_i(w)|^2 <= M^2", lambda x: le(x.G, x.M**2))
ONE = clients({"A": off, "B": along, "G": gradient_sq}, (1,))
ALL = clients({"A": mean_of(off), "B": mean_of(along), "G": mean_of(gradient_sq)}, (1, 2))
WITHOUT_B = clients({"A": mean_of(off), "G": mean_of(gradient_sq)}, (1, 2))
ALONG = claim("clients/along", world=ONE.one_step)(lambda x: le(x.next.A, x.A - 2 * x.eta * x.B + x.eta**2 * x.G))
BACK = claim("clients/back", world=ONE)(lambda x: le(-x.B[x.n], x.n * x.eta * x.G))
FAR = claim("clients/far", world=ONE, by=(use(BACK, n=lambda x, t: t), ALONG))(
    lambda x: le(x.A[x.n], x.n**2 * x.eta**2 * x.G)
)
OF_ALL = claim("clients/of-all", world=WITHOUT_B, by=(FAR,))(lambda x: le(x.A[x.n], x.n**2 * x.eta**2 * x.G))
TWICE = claim("clients/twice", world=ALL, by=(FAR,))(lambda x: le(x.A[x.n], 2 * x.n**2 * x.eta**2 * x.G))


def summed(x, share=1):
    """A_n <= sum of eta^2 G - 2 eta B_t."""
    return le(share * x.A[x.n], x.sum(lambda t: x.eta**2 * x.G - 2 * x.eta * x.B[t], x.n))


SUMMED = claim("clients/summed", world=ONE, by=(ALONG,))(summed)
SUMMED_OF_ALL = claim("clients/summed-of-all", world=ALL, by=(SUMMED,))(summed)

# one client with a scalar of its own, at any state


def weighed(fn):
    """c_i^2 times the square of a vector of a client."""
    return lambda x: x.sq(scaled(x, fn(x)))


def scaled(x, vector):
    return vector * (x.c[..., None] if getattr(x.c, "ndim", 0) else x.c)


PARTS = {"U": weighed(lambda x: x.u + x.v), "V": weighed(lambda x: x.u), "W": weighed(lambda x: x.v)}


def vectors(m, quantities, per_client):
    return Run(
        None, at=(), clients_at=("u", "v"), fresh=("u", "v"), step={}, quantities=quantities, sizes={"m": m, "d": (1, 2)},
        c=positive(per_client=per_client),
    )  # fmt: skip


HALVES = claim(
    "clients/halves", world=Points(None, at=(), clients_at=("u", "v"), sizes={"m": (1,), "d": (1, 2)}, c=positive())
)(lambda x: le(weighed(lambda y: y.u + y.v)(x), 2 * weighed(lambda y: y.u)(x) + 2 * weighed(lambda y: y.v)(x)))
SPLIT = claim("clients/split", world=vectors((1,), PARTS, False), by=(HALVES,))(
    lambda x, t: le(x.U[t], 2 * x.V[t] + 2 * x.W[t])
)
WEIGHED = claim(
    "clients/weighed", world=vectors((1, 2), {k: mean_of(fn) for k, fn in PARTS.items()}, True), by=(SPLIT,)
)(lambda x, t: le(x.U[t], 2 * x.V[t] + 2 * x.W[t]))

LEGAL = [JENSEN, NOISY_JENSEN, AGAIN, OF_ALL, TWICE, SUMMED_OF_ALL, WEIGHED]


def accepts(claims: list[dict[str, Any]]) -> bool:
    """Whether the last of some certificates is accepted after the others, which are."""
    earlier: dict[str, Any] = {}
    said = [fedtheory_check.accepted(one, earlier)[0] for one in claims]
    assert all(said[:-1])
    return said[-1]


def edited(claims: list[dict[str, Any]], edit: Any) -> list[dict[str, Any]]:
    """The certificates with the last one changed."""
    out = copy.deepcopy(claims)
    edit(out[-1]["theorem"])
    assert out != claims, "the edit changes nothing"
    return out
