"""False theorems that a mean over the steps, or one over the clients, would prove if less were asked of it."""

import copy
import json
from typing import Any

import mean_runs as own
import pytest
from certified import file_of

from fedtheory import claim, eq, fedtheory_check, le, use, verify
from fedtheory.referee.composition import in_order
from fedtheory.units import GRADIENT, STEP
from problems import ConvexLipschitz, Run, condition, positive

# over the steps: with f = 0 nothing moves, with f = w^2/2 and eta = 1 the first step is the last one that moves


def weights_to(x, n):
    return x.sum(lambda t: own.weight(x, t), n)


SQUARED = own.run(quantities={**own.QUANTITIES, "K": lambda x: x.sq(x.w_bar - x.w_star)})
OTHER = own.run(b=positive())
ALONG_IT = {**own.QUANTITIES, "pull": lambda x: x.dot(x.mean_vec(x.f.grad(x.w_bar)), x.mean_vec(x.f.grad(x.w)))}
NOISY = own.run(own.drawn, outcomes=(1, -1), at=("w", "w_bar", "noise"), quantities=ALONG_IT)


@claim("lies/squares", world=SQUARED, by=(own.SUMS,))
def squares(x):
    """The mean of squares is not the square of the mean."""
    return le(x.sum(lambda t: own.weight(x, t) * x.D[t], x.T), x.K * weights_to(x, x.T))


@claim("lies/reversed", world=own.RUN, by=(own.TANGENT, own.SUMS))
def reversed_(x):
    """A convex function is not above its tangent from below."""
    return le(x.sum(lambda t: own.weight(x, t) * x.e[t], x.T), x.J * weights_to(x, x.T))


@claim("lies/other-weights", world=OTHER, by=(own.tangent_of(OTHER, "other-tangent"), own.SUMS))
def other_weights(x):
    """w_bar has the weights a^t, and not b^t."""
    return le(x.J * x.sum(lambda t: x.b**t, x.T), x.sum(lambda t: x.b**t * x.e[t], x.T))


@claim("lies/last", world=own.RUN, by=(own.JENSEN,))
def last(x):
    """The value at w_bar may be above that at the last iterate."""
    return le(x.J, x.e[x.T])


@claim("lies/prefix", world=own.RUN, by=(use(own.JENSEN, T=lambda x, t: t + 1),))
def prefix(x, t):
    """w_bar is no mean of the first t iterates."""
    return le(x.J * weights_to(x, t + 1), x.sum(lambda s: own.weight(x, s) * x.e[s], t + 1))


@claim("lies/no-slope", world=own.RUN, by=(own.TANGENT, own.SUMS))
def no_slope(x, t):
    """The slopes are 0 in the mean over the steps, and not at each."""
    return le(x.tilt[t], 0)


@claim("lies/next-mean", world=own.RUN, by=(own.TANGENT, own.SUMS))
def next_mean(x):
    """What is true of T steps for w_bar is not so of T + 1: the slope of the last iterate is none of its sum."""
    return le(x.sum(lambda t: own.weight(x, t) * x.tilt[t], x.T) + own.weight(x, x.T) * x.tilt[x.T], 0)


SLOPE = claim("lies/slope", world=NOISY.one_step)(lambda x: le(x.next.tilt, x.tilt - x.eta * x.pull))


@claim("lies/drawn", world=NOISY, by=(SLOPE,))
def drawn_slope(x, t):
    """w_bar has the noise of a step in it, which the mean over the draws of that step does not see."""
    return le(x.tilt[t + 1], x.tilt[t] - x.eta * x.pull[t])


STEPS = [squares, reversed_, other_weights, last, prefix, no_slope, next_mean, drawn_slope]

# over the clients


def states(quantities, m, **options: Any):
    """Any vectors of clients."""
    return Run(
        None, at=(), clients_at=("u",), fresh=("u",), step={}, quantities=quantities, sizes={"m": m, "d": (1, 2)}, **options
    )  # fmt: skip


SIZE = {"U": lambda x: x.sq(x.u)}
MEAN = {"U": lambda x: x.mean(x.sq(x.u))}
APART = condition("U >= 1 or U = 0", lambda x, t: le(x.U[t], x.U[t] ** 2))
PRODUCT = claim("lies/product", world=states(SIZE, (1,), every=(APART,)))(lambda x, t: le(x.U[t], x.U[t] ** 2))
EACH = {"V": lambda x: x.sq(x.u), **MEAN}
APART_EACH = condition("V >= 1 or V = 0", lambda x, t: le(x.V[t], x.V[t] ** 2))


@claim("lies/clients-product", world=states(EACH, (1, 2), every=(APART_EACH,)), by=(PRODUCT,))
def of_products(x, t):
    """Of 0 and 1 the mean is neither 0 nor at least 1."""
    return le(x.U[t], x.U[t] ** 2)


BELOW = condition("|u_i|^2 <= c_i", lambda x: le(x.sq(x.u), x.c))
OWN_BOUND = claim("lies/own-bound", world=states(SIZE, (1,), obeys=(BELOW,), c=positive()))(
    lambda x, t: le(x.U[t], x.c)
)


@claim(
    "lies/clients-own-bound", world=states(MEAN, (1, 2), obeys=(BELOW,), c=positive(per_client=True)), by=(OWN_BOUND,)
)
def of_own_bounds(x, t):
    """The mean is below the mean of the bounds, and not below that of each client."""
    return le(x.U[t], x.c)


def of_run(**options: Any):
    return own.clients({"A": own.mean_of(own.off), "G": own.mean_of(own.gradient_sq)}, (1, 2), **options)


def drift(share: Any = 1):
    return lambda x: le(share * x.A[x.n], x.n**2 * x.eta**2 * x.G)


UPHILL = own.clients(
    {"B": own.mean_of(own.along), "G": own.mean_of(own.gradient_sq)}, (1, 2), step=lambda x: x.x + x.eta * x.f.grad(x.w)
)
FALLS = claim("lies/falls", world=own.ONE.one_step)(lambda x: le(x.next.B, x.B - x.eta * x.G))
BELOW_0 = claim("lies/below-0", world=own.ONE, by=(FALLS,))(lambda x: le(x.B[x.n], -x.n * x.eta * x.G))


@claim("lies/clients-uphill", world=UPHILL, by=(BELOW_0,))
def uphill(x):
    """The clients move the other way."""
    return le(x.B[x.n], -x.n * x.eta * x.G)


anywhere = claim("lies/clients-anywhere", world=of_run(start=None), by=(own.FAR,))(drift())
half = claim("lies/clients-half", world=of_run(), by=(own.FAR,))(drift(2))
TOGETHER = own.clients(
    {"B": own.mean_of(own.along), "G": own.mean_of(own.gradient_sq)}, (1, 2),
    step=lambda x: x.x - x.eta * x.mean_vec(x.f.grad(x.w)),
)  # fmt: skip


@claim("lies/clients-together", world=TOGETHER, by=(BELOW_0,))
def together(x):
    """All clients move by the mean gradient, which is shorter than theirs."""
    return le(x.B[x.n], -x.n * x.eta * x.G)


TWO = {"A": own.off, "G": own.mean_of(own.gradient_sq)}


@claim("lies/clients-one-of-all", world=own.clients(TWO, (1, 2)), by=(own.FAR,))
def one_of_all(x):
    """One client may have moved further than the mean gradient."""
    return le(x.A[x.n], x.n**2 * x.eta**2 * x.G)


CLIENTS = [of_products, of_own_bounds, uphill, anywhere, half, together, one_of_all]


@pytest.mark.lies
@pytest.mark.in_turn(3)
@pytest.mark.parametrize("lie", [*STEPS, *CLIENTS], ids=lambda c: c.id)
def test_a_false_theorem_is_not_proved(lie):
    v = verify(lie)
    assert v.verdict in ("refuted", "unknown"), f"{lie.id}: {v.verdict} {v.trust} {v.scope}"


# a run of another, of which something is said without what makes it true


def descent(quantities, **options: Any):
    return Run(
        ConvexLipschitz("M"), optimum_of="f", at=("w", "w_0"), start={"w": lambda x: x.w_0}, quantities=quantities,
        step={"w": lambda x: x.w - x.eta * x.f.grad(x.w)}, sizes={"d": (1, 2), "m": (1,)}, M=positive(GRADIENT), eta=positive(STEP),
        **options,
    )  # fmt: skip


VALUES = {"e": own.value, "C": lambda x: x.sq(x.w_0 - x.w_star)}
BY_DISTANCE = descent({"D": own.distance, **VALUES})
FALL = claim("descent/fall", world=BY_DISTANCE.one_step)(
    lambda x: le(x.next.D + 2 * x.eta * x.e, x.D + x.eta**2 * x.M**2)
)


def values(x):
    """2 eta sum of f(w_t) - f(w*), at most |w_0 - w*|^2 + T eta^2 M^2."""
    return 2 * x.eta * x.sum(lambda t: x.e[t], x.T), x.C + x.T * x.eta**2 * x.M**2


WHOLE = claim("descent/whole", world=BY_DISTANCE, by=(FALL,))(lambda x: le(values(x)[0] + x.D[x.T], values(x)[1]))
VALUED = claim("descent/valued", world=BY_DISTANCE, by=(WHOLE,))(lambda x: le(*values(x)))
ELSEWHERE = claim("descent/elsewhere", world=descent(VALUES), by=(VALUED,))(lambda x: le(*values(x)))


def test_what_is_said_of_descent_is_not_said_of_ascent():
    """The distance is no quantity of the other run; without it nothing but the step tells the two apart."""
    claims = file_of(ELSEWHERE)
    assert own.accepts(claims)

    def ascend(theorem: dict[str, Any]) -> None:
        for state in theorem["model"]["states"]:
            for vector in (v for draw in state["moves"] for v in draw["leaves"].values()):
                vector.update({k: c.removeprefix("-") for k, c in vector.items()})

    assert not own.accepts(own.edited(claims, ascend))


def test_a_theorem_of_one_model_rests_on_inequalities_of_it():
    """The functions of the run that uses it may be others, with the same quantities."""
    again = claim("descent/again", world=BY_DISTANCE, by=(WHOLE,))(lambda x: le(values(x)[0], values(x)[1] + 1))
    claims = file_of(again)
    assert own.accepts(claims)

    def any_functions(theorem: dict[str, Any]) -> None:
        for state in theorem["model"]["states"]:
            state["rows"] = {}

    assert not own.accepts(own.edited(claims, any_functions))


def test_an_identity_says_nothing_of_what_it_is_divided_by():
    """D = D over a number that may be 0 is no reason for that not to be 0."""
    twice = descent({"D": own.distance, "same": own.distance, **VALUES})
    equal = claim("descent/equal", world=twice)(lambda x, t: le(x.D[t], x.same[t]))
    v = verify(equal)
    assert (v.verdict, v.trust) == ("proved", "kernel"), v.reason
    claims = json.loads(json.dumps(in_order([{"id": equal.id, "certificate": v.certificate}], {})))
    assert own.accepts(claims)

    def divided(theorem: dict[str, Any]) -> None:
        (one,) = (
            u
            for u in theorem["uses"]
            if u["lemma"] is None and "D[t:any]" in u["says"][0][1] and "same[t:any]" in u["says"][0][1]
        )
        one["says"][0][1] = {name: [c, [["M - 1", 1]]] for name, c in one["says"][0][1].items()}

    edited = copy.deepcopy(claims)
    divided(edited[-1]["theorem"])
    good, why = fedtheory_check.accepted(edited[-1], {})
    assert (good, why) == (False, "an identity: a divisor may vanish")


def test_a_mean_over_the_steps_depends_on_every_draw():
    """E<w_t, w_bar> is not constant: a step that is zero in the mean is not so beside w_bar."""
    fewer = Run(
        None, at=("w", "w_bar"), clients_at=("q",), sizes={"S": (1, 2)}, means={"w_bar": ("w", lambda x, t: 1)},
        first=7, lengths=(7, 8),
        step={"w": lambda x, drawn: x.w + x.total_vec(x.q, over=drawn) / x.S - x.mean_vec(x.q)},
        quantities={"P": lambda x: x.dot(x.w, x.w_bar)},
    )  # fmt: skip
    signs = Run(
        None, at=("w", "w_bar", "s"), outcomes=(1, -1), means={"w_bar": ("w", lambda x, t: 1)},
        step={"w": lambda x, sign: x.w + sign * x.s}, quantities={"P": lambda x: x.dot(x.w, x.w_bar)},
    )  # fmt: skip
    for world, verdict in ((fewer, "unknown"), (signs, "refuted")):
        c = claim("lies/constant", world=world)(lambda x, t: eq(x.P[t + 1], x.P[t]))
        assert verify(c).verdict == verdict


def test_a_search_of_all_clients_supports_nothing_of_a_selection():
    """Of two clients one is drawn, and seven rounds have more histories than are looked at: of both alone it is true."""
    run = Run(
        None, at=("w",), clients_at=("q",), sizes={"S": (1, 2)}, first=7, lengths=(7, 8),
        step={"w": lambda x, drawn: x.w + x.total_vec(x.q, over=drawn) / x.S - x.mean_vec(x.q)},
        quantities={"P": lambda x: x.sq(x.w)},
    )  # fmt: skip
    v = verify(claim("lies/selection", world=run)(lambda x: le(x.P[x.T], x.P[0])))
    assert v.verdict == "unknown" and "all clients take part" in v.reason


def test_a_mean_that_no_quantity_reads_is_no_crash():
    run = Run(
        None, at=("v", "v_bar"), means={"v_bar": ("v", lambda x, t: 1)}, outcomes=(1, -1), step={"v": lambda x, s: s * x.v},
        quantities={"P": lambda x: x.sq(x.v)},
    )  # fmt: skip
    for times, verdict in ((1, "proved"), (2, "refuted")):
        kept = claim("lies/unread", world=run)(lambda x, t, times=times: eq(times * x.P[t + 1], x.P[t]))
        assert verify(kept).verdict == verdict
