"""The mean of the g_{i,r} over the local rounds, for every R: Proposition 3 by induction over the rounds (below (18))."""

from fedtheory import Control, claim, le, use
from fedtheory.theory.pfedme.round import bound_23
from problems import Points, Run, at_least

from ..lemma5.all_rounds import lemma5_every_R
from ..lemma5.local_step import OF_A_CLIENT, local_gradient, stepped
from ..lemma5.statement import all_rounds


def sum_sq(x):
    """|s|^2."""
    return x.sq(x.s)


def term_sq(x):
    """|v|^2."""
    return x.sq(x.v)


@claim(
    "pfedme/prop3@step",
    world=Points(None, at=(), clients_at=("s", "v"), k=at_least(0)),
    control=Control("s = k v makes both sides equal", share="9/10"),
    step=True,
)
def prop3_step(x, share=1):
    return le(x.k * x.sq(x.s + x.v), share * ((x.k + 1) * sum_sq(x) + x.k * (x.k + 1) * term_sq(x)))


@claim(
    "pfedme/prop3@every-n",
    world=Run(
        None, at=(), clients_at=("s", "v"), fresh=("v",), start={"s": lambda x: x.v - x.v}, step={"s": lambda x: x.s + x.v},
        quantities={"A": sum_sq, "V": term_sq}, index="n", sizes={"m": (1,)},
    ),
    by=(use(prop3_step, k=lambda x, t: t),),
    control=Control("equal vectors make both sides equal", share="9/10"),
    step=True,
    note="For every number n of vectors, one after the other: A is the square of their sum, V that of each.",
)  # fmt: skip
def prop3_every_n(x, share=1):
    return le(x.A[x.n] / x.n**2, share * x.sum(lambda t: x.V[t], x.n) / x.n)


def deviation(x):
    """g_{i,r} - grad F_i(w_t)."""
    return local_gradient(x) - x.F.grad(x.w)


def total_sq(x):
    """|sum over the rounds so far of g_{i,r} - grad F_i(w_t)|^2."""
    return x.sq(x.lam * x.s)


SUMMED = all_rounds(  # s is the sum over the rounds so far of (g_{i,r} - grad F_i(w_t))/lam
    clients_at=("w_r", "e", "s"),
    start={"w_r": lambda x: x.w, "s": lambda x: x.w - x.w},
    step={"w_r": stepped, "s": lambda x: x.s + deviation(x) / x.lam},
    quantities={**OF_A_CLIENT, "s_sq": total_sq},
)


@claim(
    "pfedme/lemma3@mean-over-rounds",
    world=SUMMED,
    by=(use(prop3_every_n, s=lambda x: x.lam * x.s, v=deviation),),
    control=Control("R = 1 makes both sides equal", share="9/10"),
    uses=("pfedme/prop3",),
    step=True,
    note="What Proposition 3 says of the gradients of the local rounds, below (18): for every R and every client.",
)
def lemma3_mean_over_rounds(x, share=1):
    return le(x.s_sq[x.R] / x.R**2, share * x.sum(lambda r: x.V[r], x.R) / x.R)


@claim(
    "pfedme/lemma5@mean-gradient",
    world=SUMMED,
    by=(lemma3_mean_over_rounds, lemma5_every_R),
    control=Control(
        "with R = 1 the left side is lam^2 delta^2, and for small eta the right side twice that", share="2/5"
    ),
    step=True,
    note="Lemma 5 for the mean over the rounds of a client's gradients, which is what the server gets.",
)
def lemma5_mean_gradient(x, share=1):
    return le(x.s_sq[x.R] / x.R**2, share * bound_23(x, x.G_sq))
