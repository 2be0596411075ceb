"""The proof of Lemma 2: case (a), and the second display of case (b) (Section A.3)."""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.pfedme.conditions import LAM_8L_SQ
from fedtheory.theory.pfedme.constants import L_F, gap
from fedtheory.theory.pfedme.symbols import symbols
from problems import Points, Smooth, StronglyConvex

# case (a)


@claim(
    "pfedme/lemma2a-proof-s1-a",
    world=Points(None, at=(), clients_at=("G", "G_star")),
    control=Control("G* = G/2 attains it", share="9/10"),
    uses=("pfedme/prop3",),
    step=True,
    note="G and G_star are the gradients of the F_i at w and at w*; any vectors.",
)
def lemma2a_s1a(x, share=1):
    return le(x.mean(x.sq(x.G)), share * x.mean(2 * (x.sq(x.G - x.G_star) + x.sq(x.G_star))))


@claim(
    "pfedme/lemma2a-proof-s1-b",
    world=Points(StronglyConvex("mu"), envelope="lam", optimum_of="F", **symbols("lam", "mu")),
    control=Control(
        "clients of large curvature have envelopes of curvature near L_F, which nearly attain it", share="9/10"
    ),
    uses=("pfedme/prop2a", "pfedme/prop1a"),
    step=True,
)
def lemma2a_s1b(x, share=1):
    G, G_star = x.F.grad(x.w), x.F.grad(x.w_star)
    left = x.mean(2 * (x.sq(G - G_star) + x.sq(G_star)))
    return le(left, share * (4 * L_F(x) * gap(x, x.w) + 2 * x.mean(x.sq(G_star))))


# case (b)

ENVELOPES = Points(Smooth("L"), envelope="lam", given=(LAM_8L_SQ,), **symbols("lam", "L"))
NOT_ZERO = "the sides are not zero unless all gradients are equal"


def deviation_sq(x, G):
    """|G_i - mean of the G_j|^2, ``(..., m)``."""
    return x.sq(G - x.mean_vec(G))


def from_prox(x):
    """lam (w - theta_hat_i(w))."""
    return (x.w - x.f.prox(x.w, x.lam)) * x.lam


def at_prox(x):
    """grad f_i(theta_hat_i(w))."""
    return x.f.grad(x.f.prox(x.w, x.lam))


@claim(
    "pfedme/lemma2b-proof-s1-a",
    world=ENVELOPES,
    control=Control(NOT_ZERO, share="9/10"),
    uses=("pfedme/eq6",),
    step=True,
    note="grad F_i by (6), which is a claim of its own.",
)
def lemma2b_s1a(x, share=1):
    return eq(deviation_sq(x, x.F.grad(x.w)), share * deviation_sq(x, from_prox(x)))


@claim(
    "pfedme/lemma2b-proof-s1-b",
    world=ENVELOPES,
    control=Control(NOT_ZERO, share="9/10"),
    uses=("pfedme/lemma2b-proof-s2",),
    step=True,
)
def lemma2b_s1b(x, share=1):
    return eq(deviation_sq(x, from_prox(x)), share * deviation_sq(x, at_prox(x)))


@claim(
    "pfedme/lemma2b-proof-s2",
    world=ENVELOPES,
    control=Control(
        "with the gradient at w in place of theta_hat the difference is that of two gradients, zero for linear clients only",
        lambda x: eq(x.sq(x.f.grad(x.w) - from_prox(x)), 0),
    ),
    step=True,
)
def lemma2b_s2(x):
    return eq(x.sq(at_prox(x) - from_prox(x)), 0)


@claim(
    "pfedme/lemma2b-proof-s1-c",
    world=Points(
        Smooth("L"),
        envelope="lam",
        diversity="sigma_f_sq",
        sizes={"m": (2, 3), "S": (1,), "d": (1, 2)},
        given=(LAM_8L_SQ,),
        **symbols("lam", "L"),
    ),
    control=Control("for linear clients of different slopes the left side is the first square itself", factor=3),
    repair="pfedme/lemma2b-proof-s1-c~repaired",
    uses=("pfedme/prop3",),
    step=True,
    note="Averaged over i, which the printed equality for every i implies.",
)
def lemma2b_s1c(x, factor=2):
    theta, own = x.f.prox(x.w, x.lam), at_prox(x)
    centre = x.mean_vec(own)

    def mine(i):
        return x.total_vec(own, over=i)

    def of_f(i):
        return x.mean_vec(x.f.grad(x.total_vec(theta, over=i)))

    to_f, from_f = x.E(lambda i: x.sq(mine(i) - of_f(i))), x.E(lambda i: x.sq(of_f(i) - centre))
    return eq(x.E(lambda i: x.sq(mine(i) - centre)), factor * to_f + factor * from_f)


@claim(
    "pfedme/lemma2b-proof-s1-c~repaired",
    world=Points(None, at=("C",), clients_at=("A", "B")),
    control=Control("B halfway between A and C attains it", share="9/10"),
    uses=("pfedme/prop3",),
    step=True,
    note="<= in place of =. A_i = grad f_i(theta_hat_i), B_i = grad f(theta_hat_i), C is the mean of the A_j; any vectors.",
)
def lemma2b_s1c_repaired(x, share=1):
    return le(x.sq(x.A - x.C), share * (2 * x.sq(x.A - x.B) + 2 * x.sq(x.B - x.C)))
