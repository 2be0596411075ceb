"""When models are pruned further (Section IV-C): score (4), vote (5), first round t*, gaps (6) and the set of times."""

from fractions import Fraction
from math import ceil

from fedtheory import Control, claim, eq, le, lt
from fedtheory.algorithms.pruning import pruning_times
from problems import Points, Scalars, at_least, between, condition

TENTHS = {"t_star": (1, 2, 5), "b": (1, 2), "c_tenths": (5, 10, 13, 20), "tau": (1, 2, 3)}
GAPS = Scalars(sizes=TENTHS)
SLOWER = Scalars(sizes={**TENTHS, "c_tenths": (10, 13, 20)})


def gap(t_star, b, c_tenths, tau):
    """I_tau = ceil((t* + b)/c^(tau - 1)), c in tenths."""
    return ceil((int(t_star) + int(b)) / Fraction(int(c_tenths), 10) ** (int(tau) - 1))


def times(t_star, b, c_tenths, T):
    """The set of pruning times, as the method computes it."""
    return pruning_times(int(t_star), int(T), int(b), Fraction(int(c_tenths), 10))


# The first pruning round

FIRST = Points(None, at=(), clients_at=("w", "w_0"), delta_pr=between(0, 1, closed=False))


def changes(x):
    """|Delta_0^1 - Delta_0^0| and |Delta_0^1| of (4), for a client whose model is w after round 1: Delta_0^0 is 0."""
    now, before = x.sq(x.w - x.w_0), x.sq(x.w_0 - x.w_0)
    return now - before, now


@claim(
    "dadpfl/sec4c-s1@round-1",
    latex=r"$\lvert\Delta_0^1(k)-\Delta_0^0(k)\rvert\geq\delta_{pr}\lvert\Delta_0^1(k)\rvert$ and $v_1(k)=0$ for every client",
    world=FIRST,
    control=Control("a client whose score is a half", lambda x: le(changes(x)[0], changes(x)[1] / 2)),
    note="Multiplied out. No client votes in round 1, for every model and every delta_pr <= 1, of which the printed ones "
    "are at most 0.03: the mean vote is 0, below every delta_v > 0, and t* as printed, the first round whose mean "
    "vote is below delta_v, is 1 always. With >= in the place of <, a majority rule, t* is later than round 1 for the "
    "same reason.",
)
def no_vote(x):
    above, below = changes(x)
    return eq(above, below), le(x.delta_pr * below, above)


# The gaps and the times


@claim(
    "dadpfl/sec4c-s4@every-c",
    latex=r"$I_{\tau+1}\leq I_{\tau}$ for every $c>0$",
    world=GAPS,
    control=Control(
        "every gap is shorter than the one before",
        lambda x: lt(gap(x.t_star, x.b, x.c_tenths, x.tau + 1), gap(x.t_star, x.b, x.c_tenths, x.tau)),
    ),
    repair="dadpfl/sec4c-s4~repaired",
    note="Read at its weakest: no gap is longer than the one before. c > 0 is all that is asked of c; below 1 the gaps "
    "grow.",
)
def intensifies(x):
    return le(gap(x.t_star, x.b, x.c_tenths, x.tau + 1), gap(x.t_star, x.b, x.c_tenths, x.tau))


@claim(
    "dadpfl/sec4c-s4~repaired",
    latex=r"$I_{\tau+1}\leq I_{\tau}$ for $c\geq 1$",
    world=SLOWER,
    control=Control(
        "every gap is shorter than the one before",
        lambda x: lt(gap(x.t_star, x.b, x.c_tenths, x.tau + 1), gap(x.t_star, x.b, x.c_tenths, x.tau)),
    ),
    note="For c = 1, 1.3 and 2; for every c >= 1 before it is rounded up, which keeps the order: sec4c-s4@real.",
)
def intensifies_repaired(x):
    return le(gap(x.t_star, x.b, x.c_tenths, x.tau + 1), gap(x.t_star, x.b, x.c_tenths, x.tau))


@claim(
    "dadpfl/sec4c-s4@real",
    latex=r"$A/c^{n}\leq A/c^{n-1}$ for $c\geq 1$, $A=t^*+b$",
    world=Scalars(t_star=at_least(1), b=at_least(0), c=at_least(1), sizes={"tau": (1, 2, 3)}),
    control=Control(
        "half of it", lambda x: le((x.t_star + x.b) / x.c**x.tau, (x.t_star + x.b) / x.c ** (x.tau - 1) / 2)
    ),
    step=True,
)
def every_c(x):
    return le((x.t_star + x.b) / x.c**x.tau, (x.t_star + x.b) / x.c ** (x.tau - 1))


@claim(
    "dadpfl/sec4c-s4@settings",
    latex=r"the last gap is shorter than the first one",
    world=Scalars(sizes={"T": (300, 500)}),
    control=Control("by more than one", by=1),
    repair="dadpfl/sec4c-s4",
    uses=("dadpfl/sec4c-s1@round-1",),
    note="At the values of Section VI-A4, b = 0 and c = 1.3, and t* = 1, which it always is as printed: all gaps are 1. "
    "The rounds are those of the experiments.",
)
def settings_gaps(x, by=0):
    found = times(1, 0, 13, x.T)
    return lt(found[-1] - found[-2] + by, found[0] - 1)


@claim(
    "dadpfl/sec4c-s4",
    world=Scalars(sizes={"T": (300, 500), "t_star": (3, 10, 100)}),
    control=Control("for t* = 1 they are equal", t_star=1),
    note="It permits it: at the b = 0 and c = 1.3 of Section VI-A4 the last gap is shorter than the first one from t* = 3 "
    "on, where t* is that of a majority of votes. As printed t* is 1, sec4c-s4@settings, and for c below 1 gaps grow, "
    "sec4c-s4@every-c.",
)
def later_gaps(x, t_star=0):
    found = times(t_star or x.t_star, 0, 13, x.T)
    return lt(found[-1] - found[-2], gap(t_star or x.t_star, 0, 13, 1))


@claim(
    "dadpfl/sec4c-s3@settings",
    latex=r"$\mathcal{T}=\{2,3,\ldots,T-1\}$ for $t^*=1$, $b=0$, $c=1.3$",
    world=Scalars(sizes={"T": (4, 10, 300, 500)}),
    control=Control("t* = 3", t_star=3),
    uses=("dadpfl/sec4c-s1@round-1",),
    note="What is printed prunes in every round from the second one on, in the method's own code for the printed gaps.",
)
def every_round(x, t_star=1):
    found = times(t_star, 0, 13, x.T)
    return eq(len(found), x.T - 2), eq(sum(found), sum(range(2, int(x.T))))


AFTER = Scalars(sizes={"t_star": (1, 2, 5), "c_tenths": (5, 10, 13, 20)})


@claim(
    "dadpfl/sec4c-s2@after",
    latex=r"$t_p>t^*$ for every $p\geq 1$",
    world=Scalars(sizes={**AFTER.sizes, "b": (1, 2)}),
    control=Control("b = 0", b=0),
    note="Under the printed b > 0. The gaps are counted from round 0 and not from t*.",
)
def after(x, b=-1):
    return lt(x.t_star, gap(x.t_star, x.b if b < 0 else b, x.c_tenths, 1))


@claim(
    "dadpfl/sec4c-s2@settings",
    latex=r"$t_p>t^*$ for every $p\geq 1$, with $b=0$",
    world=AFTER,
    control=Control("by more than one", lambda x: lt(x.t_star + 1, gap(x.t_star, 0, x.c_tenths, 1))),
    repair="dadpfl/sec4c-s2@second",
    note="At the b = 0 of Section VI-A4: the first pruning time is t* itself, which the set leaves out.",
)
def after_settings(x):
    return lt(x.t_star, gap(x.t_star, 0, x.c_tenths, 1))


@claim(
    "dadpfl/sec4c-s2@second",
    latex=r"$t_p>t^*$ for every $p\geq 2$, with $b\geq 0$",
    world=Scalars(sizes={**AFTER.sizes, "b": (0, 1)}),
    control=Control("t_1 as well, where b = 0", lambda x: lt(x.t_star, gap(x.t_star, 0, x.c_tenths, 1))),
)
def after_second(x):
    return lt(x.t_star, gap(x.t_star, x.b, x.c_tenths, 1) + gap(x.t_star, x.b, x.c_tenths, 2))


# What is asked of the parameters against what the experiments take

PRINTED = {"p": Fraction(1, 2), "q": Fraction(1), "b": Fraction(0), "c": Fraction(13, 10)}  # Section VI-A4


def value(x, name):
    """A hyper-parameter of the experiments."""
    return x.ratio(PRINTED[name].numerator, PRINTED[name].denominator)


@claim(
    "dadpfl/cond-alg2-pq@settings",
    latex=r"$0<p\leq 1<q$ at $\{p,q\}=\{0.5,1\}$",
    world=Scalars(),
    control=Control("q > 2", lambda x: lt(2, value(x, "q"))),
    repair="dadpfl/cond-alg2-pq~repaired",
    note="The condition of Algorithm 2 at the values of Section VI-A4: 1 < 1.",
)
def pq_settings(x):
    return lt(0, value(x, "p")), le(value(x, "p"), 1), lt(1, value(x, "q"))


@claim(
    "dadpfl/cond-alg2-pq~repaired",
    latex=r"$0<p<q$ at $\{p,q\}=\{0.5,1\}$",
    world=Scalars(),
    control=Control("q < 1", lambda x: lt(value(x, "q"), 1)),
    uses=("dadpfl/alg2-l6~repaired", "dadpfl/alg2-l7~repaired"),
    note="All that the index and the bound ask for; they are right at these values.",
)
def pq_repaired(x):
    return lt(0, value(x, "p")), lt(value(x, "p"), value(x, "q"))


@claim(
    "dadpfl/cond-b-c@settings",
    latex=r"$b>0$ and $c>0$ at $b=0$, $c=1.3$",
    world=Scalars(),
    control=Control("b > 1", lambda x: lt(1, value(x, "b"))),
    repair="dadpfl/cond-b-c~repaired",
    note="The ranges below (6) at the values of Section VI-A4: 0 < 0.",
)
def bc_settings(x):
    return lt(0, value(x, "b")), lt(0, value(x, "c"))


@claim(
    "dadpfl/cond-b-c~repaired",
    latex=r"$b\geq 0$ and $c\geq 1$ at $b=0$, $c=1.3$",
    world=Scalars(),
    control=Control("c > 2", lambda x: lt(2, value(x, "c"))),
    uses=("dadpfl/sec4c-s2@second", "dadpfl/sec4c-s4~repaired"),
    note="With b >= 0 every pruning time but the first is after t*; with c >= 1 no gap is longer than the one before.",
)
def bc_repaired(x):
    return le(0, value(x, "b")), le(1, value(x, "c"))


@claim(
    "dadpfl/alg1-l18@never-ends",
    latex=r"$s_k<s^*$ stays true when a model is pruned",
    world=Scalars(
        s=between(0, 1),
        target=between(0, 1),
        cut=at_least(0),
        given=(condition("s_k < s^*", lambda x: lt(x.s, x.target)),),
    ),
    control=Control("one cut of a tenth", lambda x: lt(x.s, x.target - x.cut - x.ratio(1, 10))),
    note="With s_k as Section III has it, the share of weights that are not zero: pruning lowers it, and line 18 never "
    "ends it. With the share of zeros, as in the tables, it ends where s^* is reached.",
)
def never_ends(x):
    return lt(x.s - x.cut, x.target)
