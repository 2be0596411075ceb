"""The PQ index, the bound on what is kept and how many weights are pruned (Algorithm 2), for one layer of d kept weights.

At the p = 1/2 and q = 1 of Section VI-A4 with |w_i| = u_i^2 the norms are |w|_p = (u_1 + .. + u_d)^2 and |w|_q = u_1^2 + .. +
u_d^2, so that all is rational. Algorithm 2 prints the exponent of 1/d that the index of its source, Diao et al., has on d:
there the index is 1 - d^(1/q - 1/p) |w|_p/|w|_q, the repair here.
"""

from fedtheory import Control, claim, eq, le, lt
from problems import Scalars, Sequences, at_least, between, positive

WEIGHTS = Scalars(u=positive(per_client=True))
LAYER = Sequences("d", sequences={"u": positive()})  # the roots of |w_1|, .. , |w_d|


def quotient(x):
    """|w|_p/|w|_q at p = 1/2, q = 1."""
    return x.total(x.u) ** 2 / x.total(x.u**2)


def norms(x):
    """|w|_p and |w|_q at p = 1/2, q = 1, of any number of weights."""
    return x.sum(lambda t: x.u[t], x.d) ** 2, x.sum(lambda t: x.u[t] ** 2, x.d)


def printed(x):
    """The index with the printed exponent, (1/d)^(1/q - 1/p) = d."""
    return 1 - x.m * quotient(x)


def usual(x):
    """With the exponent on the other side, d^(1/q - 1/p) = 1/d."""
    return 1 - quotient(x) / x.m


@claim(
    "dadpfl/alg2-l6@range",
    latex=r"$0\leq I(\tilde{\omega})$ at $p=\frac12$, $q=1$",
    world=WEIGHTS,
    control=Control("it is at least a half", lambda x: le(x.ratio(1, 2), printed(x))),
    repair="dadpfl/alg2-l6~repaired",
    note="With the printed exponent the index is 1 - d |w|_p/|w|_q, between 1 - d^2 and 1 - d: negative for every layer of "
    "two weights or more. An index of compressibility lies in [0, 1] in the paper's source [31].",
)
def index_range(x):
    return le(0, printed(x))


@claim(
    "dadpfl/alg2-l6~repaired",
    latex=r"$0\leq 1-d^{\frac1q-\frac1p}\frac{\Vert w\Vert_p}{\Vert w\Vert_q}\leq 1-\frac1d$ at $p=\frac12$, $q=1$",
    world=WEIGHTS,
    control=Control(
        "for equal weights the index is 0, for one large one nearly 1 - 1/d",
        lambda x: (le(0, usual(x)), le(usual(x), (1 - 1 / x.m) / 2)),
    ),
    note="With d^(1/q - 1/p) in the place of (1/d)^(1/q - 1/p).",
)
def index_repaired(x):
    return le(0, usual(x)), le(usual(x), 1 - 1 / x.m)


@claim(
    "dadpfl/alg2-l6@one-to-d",
    latex=r"$1\leq\frac{\Vert w\Vert_{1/2}}{\Vert w\Vert_1}$",
    world=LAYER,
    control=Control("several weights have a larger quotient", lambda x: eq(*norms(x))),
    step=True,
    note="For a layer of any number of weights; multiplied out.",
)
def at_least_one(x):
    p, q = norms(x)
    return le(0, x.sum(lambda t: x.u[t], x.d)), le(q, p)


@claim(
    "dadpfl/alg2-l6@at-most-d",
    latex=r"$\frac{\Vert w\Vert_{1/2}}{\Vert w\Vert_1}\leq d$",
    world=LAYER,
    control=Control("equal weights reach d", lambda x: le(norms(x)[0], x.d * norms(x)[1] / 2)),
    step=True,
    note="For a layer of any number of weights; multiplied out.",
)
def at_most_d(x):
    p, q = norms(x)
    return le(p, x.d * q)


@claim(
    "dadpfl/alg2-l9@number",
    latex=r"$0\leq d\,\gamma(1-r/d)$: the number of parameters to prune is none below 0",
    world=Scalars(u=positive(per_client=True), gamma=between(0, 1, closed=False), eta_c=at_least(0)),
    control=Control("some go", lambda x: lt(0, x.gamma * (1 - (1 - printed(x)) / (1 + x.eta_c) ** 2))),
    repair="dadpfl/alg2-l9~repaired",
    note="As printed, at p = 1/2 and q = 1, where r/d = (1 - I)/(1 + eta_c)^2.",
)
def number(x):
    return le(0, x.gamma * (1 - (1 - printed(x)) / (1 + x.eta_c) ** 2))


@claim(
    "dadpfl/alg2-l9~repaired",
    latex=r"$0\leq\gamma(1-r/d)\leq 1$ with $d^{\frac1q-\frac1p}$ in the index, at $p=\frac12$, $q=1$",
    world=Scalars(u=positive(per_client=True), gamma=between(0, 1, closed=False), eta_c=at_least(0)),
    control=Control(
        "more than half can go", lambda x: le(x.gamma * (1 - (1 - usual(x)) / (1 + x.eta_c) ** 2), x.ratio(1, 2))
    ),
    note="A share of the weights.",
)
def number_repaired(x):
    share = x.gamma * (1 - (1 - usual(x)) / (1 + x.eta_c) ** 2)
    return le(0, share), le(share, 1)


@claim(
    "dadpfl/alg2-l9@never",
    latex=r"$d\,\gamma(1-r/d)\leq 0.9$ and $c_t^l\leq 0$ for every layer at $p=\frac12$, $q=1$, $\gamma=0.9$, $\eta_c=1$",
    world=Scalars(d=at_least(1), quotient=at_least(1)),
    control=Control(
        "with the exponent on the other side weights are pruned",
        lambda x: le(x.d * x.ratio(9, 10) * (1 - x.quotient / x.d / 4), x.ratio(9, 10)),
    ),
    uses=("dadpfl/alg2-l6@one-to-d",),
    note="As printed, at the values of Section VI-A4, for every |w|_p/|w|_q >= 1: its floor is at most 0, and nothing is "
    "ever pruned, whatever the weights; the threshold beta can only make it less.",
)
def never(x):
    return le(x.d * x.ratio(9, 10) * (1 - x.d * x.quotient / 4), x.ratio(9, 10))
