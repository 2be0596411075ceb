"""(21) repaired, for every number of local rounds R: (20) unrolled by induction over r (Section A.4.2)."""

from dataclasses import replace

from fedtheory import Control, claim, le, lt, use
from fedtheory.units import LENGTH
from problems import Scalars, Sequences, at_least, condition

from .all_rounds import RUN
from .local_step import eq20_local_step, unrolling

ABOVE_1 = condition("f > 1", lambda x: lt(1, x.f))


def geometric(f, n):
    """1 + f + ... + f^(n-1) in its closed form."""
    return (f**n - 1) / (f - 1)


@claim(
    "pfedme/eq21@powers",
    world=Sequences("n", first=0, lengths=(0, 1, 2, 3), f=at_least(1), given=(ABOVE_1,)),
    control=Control("for n = 1 both sides are 1", share="9/10"),
    step=True,
    note="For every n, by induction.",
)
def eq21_powers(x, share=1):
    return le(geometric(x.f, x.n), share * x.sum(lambda k: x.f**k, x.n))


@claim(
    "pfedme/eq21@positive",
    world=Sequences("n", first=0, lengths=(0, 1, 2, 3), f=at_least(1), given=(ABOVE_1,)),
    control=Control("for n = 1 the right side is 1", less=2),
    step=True,
)
def eq21_positive(x, less=0):
    return le(less, geometric(x.f, x.n))


def one_more(f, n):
    """f (1 + ... + f^(n-1)) + 1, which is 1 + ... + f^n, in its closed form."""
    return f * geometric(f, n) + 1


@claim(
    "pfedme/eq21@one-more",
    world=Sequences("n", first=0, lengths=(0, 1, 2), f=at_least(1), given=(ABOVE_1,)),
    by=(eq21_powers,),
    control=Control("for n = 0 both sides are 1", share="9/10"),
    step=True,
)
def eq21_one_more(x, share=1):
    return le(one_more(x.f, x.n), share * x.sum(lambda k: x.f**k, x.n + 1))


@claim(
    "pfedme/eq21@recursion",
    world=Sequences(
        "n",
        first=0,
        lengths=(0, 1, 2, 3),
        sequences={"A": at_least(0, LENGTH**2)},
        every=(condition("A_{t+1} <= f A_t + b", lambda x, t: le(x.A[t + 1], x.f * x.A[t] + x.b)),),
        given=(ABOVE_1, condition("A_0 = 0", lambda x: le(x.A[0], 0))),
        f=at_least(1),
        b=at_least(0, LENGTH**2),
    ),
    control=Control("where all hold with equality so does it", share="9/10"),
    step=True,
)
def eq21_recursion(x, share=1):
    return le(x.A[x.n], share * x.b * geometric(x.f, x.n))


def factor(x):
    """2(1 + 1/R)."""
    return 2 * (1 + 1 / x.R)


def pushed(x):
    """What a line of (20) adds, 2(1 + 2R) eta^2 |grad F_i|^2 + 4 eta^2 lam^2 delta^2."""
    return unrolling(x, 0, x.G_sq, x.delta**2)


@claim(
    "pfedme/eq21@distance",
    world=RUN,
    by=(eq20_local_step, use(eq21_recursion, f=factor, b=pushed)),
    control=Control("(20) with equality for every round makes both sides equal", share="9/10"),
    step=True,
    note="For every n <= R and every R: A is |w_{i,n} - w_t|^2, of any client.",
)
def eq21_distance(x, share=1):
    return le(x.A[x.n], share * pushed(x) * geometric(factor(x), x.n))


@claim(
    "pfedme/eq21@chain",
    world=Scalars(
        **{name: at_least(0) for name in ("A", "S", "f", "b", "B", "whole")},
        given=(
            condition("A <= b S", lambda x: le(x.A, x.b * x.S)),
            condition("f S + 1 <= whole", lambda x: le(x.f * x.S + 1, x.whole)),
            condition("b <= B", lambda x: le(x.b, x.B)),
        ),
    ),
    control=Control("all of them may hold with equality", share="1/2"),
    step=True,
)
def eq21_chain(x, share=1):
    return le(x.f * x.A + x.b, share * x.B * x.whole)


def bracket(x):
    """6 R eta^2 |grad F_i|^2 + 4 eta^2 lam^2 delta^2, the bracket of (21)."""
    return 6 * x.R * x.eta**2 * x.G_sq + 4 * x.eta**2 * x.lam**2 * x.delta**2


AT_R = {
    "A": lambda x: x.A[x.n],
    "S": lambda x: geometric(factor(x), x.n),
    "f": factor,
    "b": pushed,
    "B": bracket,
    "whole": lambda x: x.whole,
}


@claim(
    "pfedme/eq21@every-R",
    world=replace(
        RUN,
        scalars={**RUN.scalars, "whole": at_least(0)},
        given=(
            *RUN.given,
            condition(
                "f (1 + ... + f^(n-1)) + 1 <= whole, f = 2(1 + 1/R)", lambda x: le(one_more(factor(x), x.n), x.whole)
            ),
        ),
    ),
    by=(
        use(eq21_positive, f=factor),
        eq21_distance,
        use(eq21_chain, **AT_R),
    ),
    control=Control("for n = 0 and R = 1 the sides are the same in delta", share="9/10"),
    step=True,
    note="The repaired (21) for every r = n + 1 <= R and every R; `whole` is any number that the sum of the first r "
    "powers does not exceed.",
)
def eq21_every_R(x, share=1):
    return le(unrolling(x, x.A[x.n], x.G_sq, x.delta**2), share * bracket(x) * x.whole)
