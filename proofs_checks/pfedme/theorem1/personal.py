"""Theorem 1 (b), its proof: the personalised model of one client (end of Section A.4.3).

Their mean at w_T, and its rate, are in `personal_every_T`; the bound on E|w_T - w*|^2 is in `every_T`.
"""

from fedtheory import Control, claim, le
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import LENGTH
from problems import Points, StronglyConvex, at_least, condition

# any w_T, with the error of the inner solver
ANY_W_T = Points(
    StronglyConvex("mu"),
    envelope="lam",
    optimum_of="F",
    clients_at=("error",),
    given=(condition("|theta_tilde_i(w_T) - theta_hat_i(w_T)|^2 <= delta^2", lambda x: le(x.sq(x.error), x.delta**2)),),
    **symbols("lam", "mu", "delta"),
)


@claim(
    "pfedme/thm1b-proof-s1-a",
    world=Points(None, at=("w", "w_star"), clients_at=("theta_tilde", "theta_hat"), sizes={"d": (1, 2)}),
    control=Control("for three equal differences both sides are equal with 3, so 2 is too little", three=2),
    uses=("pfedme/prop3",),
    step=True,
    note="For any vectors.",
)
def thm1b_proof_s1_a(x, three=3):
    parts = x.sq(x.theta_tilde - x.theta_hat) + x.sq(x.theta_hat - x.w) + x.sq(x.w - x.w_star)
    return le(x.sq(x.theta_tilde - x.w_star), three * parts)


@claim(
    "pfedme/thm1b-proof-s1-b",
    world=ANY_W_T,
    control=Control(
        "an error of size delta makes both sides equal, so nine tenths of delta^2 are too little", share="9/10"
    ),
    uses=("pfedme/eq6",),
    step=True,
)
def thm1b_proof_s1_b(x, share=1):
    away = x.sq(x.w - x.w_star)
    left = x.sq(x.error) + x.sq(x.f.prox(x.w, x.lam) - x.w) + away
    return le(3 * left, 3 * (share * x.delta**2 + x.sq(x.F.grad(x.w)) / x.lam**2 + away))


@claim(
    "pfedme/thm1b-proof-s1-c",
    world=Points(
        None,
        at=(),
        clients_at=("u", "u_star"),
        sizes={"d": (1, 2)},
        **symbols("lam"),
        away=at_least(0, LENGTH**2),
        **symbols("delta"),
    ),
    control=Control("for u* = u/2 both sides are equal with 2, so 1 is too little", two=1),
    uses=("pfedme/prop3",),
    step=True,
    note="For any gradients lam u_i and lam u*_i, and `away` for |w_T - w*|^2.",
)
def thm1b_proof_s1_c(x, two=2):
    G, Gs = x.lam * x.u, x.lam * x.u_star
    parts = two / x.lam**2 * (x.sq(G - Gs) + x.sq(Gs))
    return le(3 * (x.delta**2 + x.sq(G) / x.lam**2 + x.away), 3 * (x.delta**2 + parts + x.away))


@claim(
    "pfedme/thm1b-proof-s1-d",
    world=Points(
        StronglyConvex("mu"), envelope="lam", optimum_of="F", sizes={"d": (1, 2)}, **symbols("lam", "mu", "delta")
    ),
    control=Control(
        "for clients of curvature far above lam both sides are nearly equal with 3, so 2 is too little", three=2
    ),
    uses=("pfedme/prop1a",),
    step=True,
)
def thm1b_proof_s1_d(x, three=3):
    G, Gs, away = x.F.grad(x.w), x.F.grad(x.w_star), x.sq(x.w - x.w_star)
    left = x.delta**2 + 2 / x.lam**2 * (x.sq(G - Gs) + x.sq(Gs)) + away
    return le(3 * left, 3 * (x.delta**2 + three * away + 2 / x.lam**2 * x.sq(Gs)))
