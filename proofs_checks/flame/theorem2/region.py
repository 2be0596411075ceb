"""Where the hypotheses of Theorem 2 hold, with the c_0 > 0 that its proof needs (Section 4.4).

A client enters through lam alpha_i, rho and L alpha_i. The conditions add rho to 1, so that numbers in units of one's own decide.
"""

from fractions import Fraction
from functools import lru_cache
from itertools import product

from fedtheory import Control, claim, eq, le, lt, use
from fedtheory.theory.flame.conditions import DESCENT, PENALTY
from fedtheory.theory.flame.constants import c1, eps_coefficient, spring
from fedtheory.units import CURVATURE
from problems import Scalars, between, condition, positive

from ..one_client import NAMES, own


def outside(printed, relation):
    """Numbers that meet the first condition, and with it both, but not a bound."""
    return Scalars(**own(*NAMES), given=(DESCENT, condition(printed, relation)))


def bracket_negative(x, a, b, times=1):
    """The bracket of c_0 is negative, `times` its first term, at a = lam alpha_i and b = L alpha_i."""
    return lt(times * (1 / x.rho**2 - 1) * a**2, (b + x.rho) / 2)


def negative(x, times=1):
    """c_0 < 0: the bracket, `times` its first term."""
    return bracket_negative(x, spring(x), x.L * x.alpha, times)


LIMIT = "(sqrt(17) - 3)/4, about 0.281"


def descent(x):
    """lam^2 alpha_i^2 (1 + rho)/rho^2 < (lam alpha_i + rho)/2."""
    return DESCENT.relation(x)


@claim(
    "flame/rem-thm2-assumptions",
    world=Scalars(**own("lam", "rho", "alpha")),
    control=Control("nor with half of the left side", lambda x: lt(DESCENT.relation(x).lhs / 2, DESCENT.relation(x).rhs)),
    repair="flame/cond-lemma1@sufficient",
    note="'Solely under Assumption 1': the theorem also asks for the condition of Lemma 1, judged here for every lam, alpha_i, "
    "rho > 0, for rho >= lam alpha_i, and its proof for c_0 > 0, a start that meets (28), f bounded from below and a solution of "
    "(9).",
)  # fmt: skip
def rem_thm2_assumptions(x):
    return descent(x)


def in_spring(x):
    """The first condition in a = lam alpha_i."""
    return lt(x.a**2 * (1 + x.rho) / x.rho**2, (x.a + x.rho) / 2)


IN_SPRING = condition("a^2 (1 + rho)/rho^2 < (a + rho)/2", in_spring)


@claim(
    "flame/cond-rho@spring",
    world=Scalars(a=positive(CURVATURE), **own("rho"), given=(IN_SPRING,)),
    control=Control("rho may be as near to a as one likes", share="11/10"),
    step=True,
    note="a = lam alpha_i.",
)
def cond_rho_spring(x, share=1):
    return lt(share * x.a, x.rho)


@claim(
    "flame/cond-rho@implied",
    world=Scalars(**own("lam", "rho", "alpha"), given=(DESCENT,)),
    by=(use(cond_rho_spring, a=spring),),
    control=Control("rho may be as near to lam alpha as one likes", share="11/10"),
    note="The second condition of Theorem 2 follows from the first one, strictly.",
)
def cond_rho_implied(x, share=1):
    return lt(share * x.lam * x.alpha, x.rho)


@claim(
    "flame/cond-lemma1@sufficient",
    world=Scalars(
        **own("lam", "rho", "alpha"),
        given=(condition("rho >= lam alpha + 2/3", lambda x: le(x.lam * x.alpha + x.ratio(2, 3), x.rho)),),
    ),
    control=Control("rho = 2/3 is the border for small lam alpha, and one third of it is too little", lambda x: lt(
        4 * DESCENT.relation(x).lhs, DESCENT.relation(x).rhs
    )),
    note="rho >= lam alpha_i + 2/3 is enough for the first condition, and so for both. 2/3 cannot be replaced by 3/5: "
    "flame/cond-lemma1@more.",
)  # fmt: skip
def cond_lemma1_sufficient(x):
    return descent(x)


@claim(
    "flame/cond-lemma1@more",
    world=Scalars(
        **own("lam", "rho", "alpha"),
        given=(condition("rho >= lam alpha + 3/5", lambda x: le(x.lam * x.alpha + x.ratio(3, 5), x.rho)),),
    ),
    control=Control("nor with twice the left side", lambda x: lt(2 * DESCENT.relation(x).lhs, DESCENT.relation(x).rhs)),
    repair="flame/cond-lemma1@sufficient",
    note="For large lam alpha_i the border is lam alpha_i + 2/3 but for a small part, the other side of "
    "flame/cond-lemma1@sufficient.",
)
def cond_lemma1_more(x):
    return descent(x)


@claim(
    "flame/thm2-c1@positive",
    world=Scalars(**own("lam", "rho", "alpha"), given=(DESCENT,)),
    control=Control("it may be as small as one likes", lambda x: lt(x.rho / 4, c1(x))),
    note="c_1 > 0, which is the first condition.",
)
def thm2_c1_positive(x):
    return lt(0, c1(x))


@claim(
    "flame/thm2-c0@positive",
    world=Scalars(**own(*NAMES), given=(DESCENT, PENALTY)),
    control=Control("nor above 1", lambda x: lt(1, eps_coefficient(x))),
    note="c_0 > 0 is what (38) needs of k in (22), and without it a larger eps would make the bound smaller. The conditions of "
    "Theorem 2 do not give it, and with rho >= 1 it cannot be.",
)
def thm2_c0_positive(x):
    return lt(0, eps_coefficient(x))


def large_rho(x):
    """2 rho^2 + 3 rho >= 1."""
    return le(1, 2 * x.rho**2 + 3 * x.rho)


@claim(
    "flame/thm2-c0@springs",
    world=Scalars(
        a=positive(CURVATURE),
        b=positive(CURVATURE),
        **own("rho"),
        given=(IN_SPRING, condition("2 rho^2 + 3 rho >= 1", large_rho)),
    ),
    control=Control("four times the first term may be more", times=4),
    step=True,
    note="a = lam alpha_i and b = L alpha_i.",
)
def thm2_c0_springs(x, times=1):
    return bracket_negative(x, x.a, x.b, times)


@claim(
    "flame/thm2-c0@largest-rho",
    world=outside("2 rho^2 + 3 rho >= 1", large_rho),
    by=(use(thm2_c0_springs, a=spring, b=lambda x: x.L * x.alpha),),
    control=Control("twice the first term may be more", times=4),
    note=f"Otherwise c_0 < 0: where all hypotheses hold and c_0 > 0, 2 rho^2 + 3 rho < 1, that is, rho is below {LIMIT}; no more "
    "can be said, flame/thm2-c0@rho-attained.",
)
def thm2_c0_largest_rho(x, times=1):
    return negative(x, times)


BORDER = Scalars(
    u=between(0, 1, closed=False),
    given=(condition("4 u^2 + u < 1", lambda x: lt(4 * x.u**2 + x.u, 1)),),
)


@claim(
    "flame/thm2-c0@rho-attained",
    world=BORDER,
    control=Control("near the limit the bracket is nearly 0", lambda x: lt(
        border(x), 2 * x.u**2 * (1 - border(x)**2) * x.ratio(9, 10)
    )),
    note="On the border of the first condition, with lam alpha_i = u rho and rho = 2 u^2/((1 - u)(1 + 2 u)), the bracket of c_0 is "
    "positive for small L and every u below (sqrt(17) - 1)/8, where rho comes to the limit; a little more of rho is inside. The "
    "first relation is the border, the second one the bracket times 2 for L = 0.",
)  # fmt: skip
def thm2_c0_rho_attained(x):
    rho = border(x)
    a = x.u * rho
    return (
        eq(2 * a**2 * (1 + rho), rho**2 * (a + rho), "border"),
        lt(rho, 2 * (1 / rho**2 - 1) * a**2, "c_0 > 0"),
    )


def border(x):
    """The rho at which the first condition is an equality for lam alpha_i = u rho."""
    return 2 * x.u**2 / ((1 - x.u) * (1 + 2 * x.u))


@claim(
    "flame/thm2-c0@largest-lam",
    world=outside(
        "4 (lam alpha)^2 + lam alpha rho >= rho^2",
        lambda x: le(x.rho**2, 4 * (x.lam * x.alpha) ** 2 + x.lam * x.alpha * x.rho),
    ),
    control=Control("twice the first term may be more", times=4),
    note="Otherwise c_0 < 0: where all hypotheses hold and c_0 > 0, 4 (lam alpha_i)^2 + lam alpha_i rho < rho^2: lam alpha_i is "
    "below (sqrt(17) - 1)/8 of rho, about 0.39. The same border as in flame/thm2-c0@rho-attained shows that no less will do.",
)
def thm2_c0_largest_lam(x, times=1):
    return negative(x, times)


@claim(
    "flame/thm2-c0@largest-L",
    world=outside("L rho >= lam (rho - 2 lam alpha)", lambda x: le(x.lam * (x.rho - 2 * x.lam * x.alpha), x.L * x.rho)),
    control=Control("twice the first term may be more", times=4),
    note="Otherwise c_0 < 0: where all hypotheses hold and c_0 > 0, L < lam (1 - 2 lam alpha_i/rho): the subproblems are "
    "strongly convex without asking it.",
)
def thm2_c0_largest_L(x, times=1):
    return negative(x, times)


SETTINGS = {  # the numbers of the figures: lam, m and 1/rho
    "3": (5, 50, 100), "4, lam = 1": (1, 50, 100), "4, lam = 3": (3, 50, 100), "6, rho = 0.05": (5, 50, 20),
    "6, rho = 0.1": (5, 50, 10), "7": (5, 100, 100),
}  # fmt: skip
NUMBERED = dict(enumerate(SETTINGS.values()))


def setting(x):
    """lam alpha_i and rho of one of the printed settings of Section 5, with alpha_i = 1/m."""
    lam, m, over_rho = NUMBERED[int(x.setting)]
    return x.ratio(lam, m), x.ratio(1, over_rho)


PRINTED = Scalars(sizes={"setting": tuple(range(len(SETTINGS)))})
IN_SECTION_5 = (
    "The settings of Section 5: lam = 5, rho = 0.01, m = 50 (Figure 3), lam = 1 and 3 (Figure 4), rho = 0.05 and 0.1 (Figure 6), "
    "m = 100 (Figure 7); alpha_i = 1/m, and m = 50 where none is printed."
)


@claim(
    "flame/cond-rho@section5",
    world=PRINTED,
    control=Control("nor is rho above half of it", lambda x: lt(setting(x)[0] / 2, setting(x)[1])),
    note=f"{IN_SECTION_5} In the first one lam alpha_i = 0.1 and rho = 0.01.",
)
def cond_rho_section5(x):
    a, rho = setting(x)
    return le(a, rho)


@claim(
    "flame/cond-lemma1@section5",
    world=PRINTED,
    control=Control("nor is it met ten times over", lambda x: lt(100 * setting(x)[0]**2 * (1 + setting(x)[1]), setting(x)[1]**2)),
    note=f"In no setting of the paper's experiments does the first condition hold: its opposite. {IN_SECTION_5}",
)  # fmt: skip
def cond_lemma1_section5(x):
    a, rho = setting(x)
    return le((a + rho) / 2, a**2 * (1 + rho) / rho**2)


BOX = tuple(Fraction(2) ** k for k in range(-10, 11))


@lru_cache
def inside(with_c0: bool) -> tuple[int, int]:
    """How many of the points of the box meet the conditions, with L alpha_i also c_0 > 0, and how many there are."""
    points = list(product(BOX, repeat=3 if with_c0 else 2))
    met = [2 * a**2 * (1 + rho) < rho**2 * (a + rho) for a, rho, *_ in points]
    if with_c0:
        positive = [2 * a**2 * (1 - rho**2) > rho**2 * (La + rho) for a, rho, La in points]
        met = [one and two for one, two in zip(met, positive, strict=True)]
    return sum(met), len(points)


@claim(
    "flame/cond-lemma1@share",
    world=Scalars(),
    control=Control("nor in a quarter", low=30, high=25),
    note="The two conditions of Theorem 2 hold in 43 to 44 % of a box, log-uniform in lam alpha_i and rho from 2^-10 to 2^10, "
    "counted at its powers of two.",
)
def cond_lemma1_share(x, low=43, high=44):
    share = x.ratio(*inside(False))
    return le(x.ratio(low, 100), share), le(share, x.ratio(high, 100))


@claim(
    "flame/thm2-c0@share",
    world=Scalars(),
    control=Control("it is less, not more", low=1),
    note="With c_0 > 0 as well, at less than a thousandth of the 9,261 powers of two of the box, log-uniform in lam alpha_i, rho "
    "and L alpha_i from 2^-10 to 2^10, in fact at none; 10 of 200,000 random points of the box were inside.",
)
def thm2_c0_share(x, low=0):
    share, bound = x.ratio(*inside(True)), x.ratio(1, 1000)
    return le(bound, share) if low else le(share, bound)
