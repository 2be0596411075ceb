"""The mean of the g_{i,r} over the local rounds, for every R: Proposition 3 by induction over the rounds (below (18))."""

from fedtheory import Control, claim, le, lemma
from fedtheory.theory.pfedme.conditions import LAM_2RHO
from fedtheory.theory.pfedme.constants import drift
from fedtheory.theory.pfedme.round import local_rounds
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import GRADIENT
from problems import Points, Sequences, WeaklyConvex, at_least, condition

from ..worlds.round import pfedme_round
from .proof import G


def sum_sq(x):
    """|s|^2."""
    return x.sq(x.s)


def term_sq(x):
    """|v|^2."""
    return x.sq(x.v)


def added(x, of):
    """A quantity after v has been added to the sum s."""
    return of(x.at(s=x.s + x.v))


@claim(
    "pfedme/prop3@step",
    world=Points(None, at=(), clients_at=("s", "v"), k=at_least(0)),
    control=Control("s = k v makes both sides equal", share="9/10"),
    step=True,
)
def prop3_step(x, share=1):
    return le(x.k * added(x, sum_sq), share * ((x.k + 1) * sum_sq(x) + x.k * (x.k + 1) * term_sq(x)))


def step_says(x, t):
    """Row prop3@step for the sum of t vectors."""
    return le(x.k * x.A[t + 1], (x.k + 1) * x.A[t] + x.k * (x.k + 1) * x.V[t])


ADDED = lemma(prop3_step, step_says, meaning={"A": sum_sq, "V": term_sq}, then=added, at={"k": lambda x, t: t})


@claim(
    "pfedme/prop3@every-n",
    world=Sequences(
        "n",
        sequences={name: at_least(0, GRADIENT**2) for name in ("A", "V")},
        every=(ADDED,),
        given=(condition("s_1 = v_0", lambda x: le(x.A[1], x.V[0])),),
    ),
    control=Control("equal vectors make both sides equal", share="9/10"),
    step=True,
    note="For every number n of vectors, one after the other: A is the square of their sum, V that of each.",
)
def prop3_every_n(x, share=1):
    return le(x.A[x.n] / x.n**2, share * x.sum(lambda t: x.V[t], x.n) / x.n)


def mean_of_rounds(x):
    """The mean over r of g_{i,r}, as lam u_i."""
    return sum(local_rounds(x)[1]) / (x.R * x.lam)


def deviations(x, t):
    """g_{i,t} - grad F_i(w_t) as v, and the sum of those before it as s."""
    at_w = x.F.grad(x.state.w)
    off = [g - at_w for g in local_rounds(x)[1]]
    return {"s": sum(off[:t], at_w - at_w), **({"v": off[t]} if t < x.R else {})}


def off_mean(x):
    """Mean over clients of |g_i - grad F_i(w_t)|^2, g_i = lam u_i the mean of the g_{i,r} over r."""
    return x.mean(x.sq(G(x) - x.F.grad(x.w)))


@claim(
    "pfedme/lemma3@mean-over-rounds",
    world=pfedme_round(WeaklyConvex("rho"), optimum_of=None, given=(LAM_2RHO,), R=(1, 2, 3), S=(1,), **symbols("rho")),
    control=Control("R = 1 makes both sides equal", share="9/10"),
    uses=("pfedme/prop3",),
    given=(lemma(prop3_every_n, along=deviations, at={"n": lambda x: x.R}),),
    step=True,
    note="What Proposition 3 says of the gradients of the local rounds, below (18): for every R and N.",
)
def lemma3_mean_over_rounds(x, share=1):
    return le(off_mean(x.at(w=x.state.w, u=mean_of_rounds(x))), share * drift(x))
