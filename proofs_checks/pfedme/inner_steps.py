"""How many gradients of h_i reach (8): for every nu there is a K, an expression of kappa, L, d and nu (Section 3.2).

x.f is the inner objective (7), `slow` is 1/kappa, and `diameter`, d in the paper, bounds the distance of the start from its
minimiser. The logarithm is that of L d/nu, a number without a unit, where the paper prints that of d/nu.
"""

from dataclasses import replace

from fedtheory import Control, claim, eq, le, use
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import GRADIENT, LENGTH
from problems import Run, Scalars, SmoothStronglyConvex, at_least, between, condition, positive

from .section3_2 import Conditioned, energy, rem_k_gd_step, rem_k_nesterov_step, w_next, z_next
from .theorem1.weights import DECAYS, thm1_proof_s10_a

ACCURATE = {"diameter": positive(LENGTH), "nu": positive(GRADIENT)}
NEAR = condition("|w_0 - w*| <= d", lambda x: le(x.D[0], x.diameter**2))
ENOUGH = condition(
    "K >= kappa ln(L d/nu): L d e^{-K/kappa} <= nu", lambda x: le(x.L * x.diameter * x.exp(-(x.slow * x.K)), x.nu)
)
KAPPA = condition("kappa = L/mu", lambda x: eq(x.slow * x.L, x.mu))
AT_K = {"T": lambda x: x.K, "mu_F": lambda x: x.slow, "eta_tilde": lambda x: 2}

DESCENT = Run(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", index="K", sizes={"m": (1,)}, step={"w": lambda x: x.w - x.f.grad(x.w) / x.L},
    quantities={"D": lambda x: x.sq(x.w - x.w_star), "g": lambda x: x.sq(x.f.grad(x.w))}, given=(KAPPA,),
    slow=between(0, 1, closed=False), **symbols("mu", "L"), **ACCURATE,
    example={"K": 4, "m": 1, "d": 1, "diameter": 1, "slow": "1/2", "mu": 1, "L": 2, "nu": 1},
)  # fmt: skip


@claim(
    "pfedme/rem-k-gd~repaired-distance",
    world=DESCENT,
    by=(rem_k_gd_step,),
    step=True,
    control=Control("a quadratic of curvature mu contracts by exactly 1 - 1/kappa a step", share="1/2"),
)
def rem_k_gd_distance(x, share=1):
    return le(x.D[x.K], share * ((1 - x.slow) ** x.K) ** 2 * x.D[0])


@claim(
    "pfedme/rem-k-gd~repaired-gradient",
    world=DESCENT,
    by=(rem_k_gd_step,),
    step=True,
    control=Control("a quadratic of curvature L attains it", share="1/2"),
)
def rem_k_gd_gradient(x, share=1):
    return le(x.g[x.K], share * x.L**2 * x.D[x.K])


WITHIN = condition("D_0 <= d^2", lambda x: le(x.D_0, x.d**2))


@claim(
    "pfedme/rem-k-gd@chain",
    world=Scalars(
        **{name: at_least(0) for name in ("g", "D", "power", "decay", "D_0", "L", "d", "nu")},
        given=(
            condition("g <= L^2 D", lambda x: le(x.g, x.L**2 * x.D)),
            condition("D <= power^2 D_0", lambda x: le(x.D, x.power**2 * x.D_0)),
            WITHIN,
            DECAYS,
            condition("L d decay <= nu", lambda x: le(x.L * x.d * x.decay, x.nu)),
        ),
    ),
    control=Control("all may hold with equality", share="1/2"),
    step=True,
    note="Arithmetic of any numbers with these inequalities.",
)
def rem_k_gd_chain(x, share=1):
    return le(x.g, share * x.nu**2)


GD_CHAIN = {
    "g": lambda x: x.g[x.K],
    "D": lambda x: x.D[x.K],
    "power": lambda x: (1 - x.slow) ** x.K,
    "decay": lambda x: x.exp(-(x.slow * x.K)),
    "D_0": lambda x: x.D[0],
    "d": lambda x: x.diameter,
}


@claim(
    "pfedme/rem-k-gd~repaired",
    world=replace(DESCENT, given=(*DESCENT.given, NEAR, ENOUGH)),
    by=(rem_k_gd_gradient, rem_k_gd_distance, use(thm1_proof_s10_a, **AT_K), use(rem_k_gd_chain, **GD_CHAIN)),
    control=Control(
        "for kappa = 2 a step of a quadratic of curvature mu leaves mu d/2, two fifths of nu at K = 1", share="1/10"
    ),
    uses=("pfedme/rem-k-gd@count",),
    note="For every nu > 0 and every K >= kappa ln(L d/nu) (8) holds: |grad h(w_K)| <= nu, from any start within d of w*, by steps "
    "of 1/L, kappa > 1; in any dimension. L d/nu in place of d/nu, the logarithm of a quantity with a unit.",
)
def rem_k_gd_repaired(x, share=1):
    return le(x.g[x.K], share * x.nu**2)


# Nesterov's method, root = sqrt(kappa): `left` is 1/root

SLOWER = condition("left = 1/root", lambda x: eq(x.left * x.root, 1))
ENOUGH_SQUARED = condition(
    "K >= sqrt(kappa) ln(2 L^2 d^2/nu^2): 2 L^2 d^2 e^{-K/sqrt(kappa)} <= nu^2",
    lambda x: le(2 * (x.mu * x.root**2 * x.diameter) ** 2 * x.exp(-(x.left * x.K)), x.nu**2),
)
MOMENTUM = Run(
    Conditioned("smooth strongly convex", lower="mu", upper="mu root^2"), at=("w", "z"), optimum_of="f", index="K",
    sizes={"m": (1,)}, step={"w": w_next, "z": z_next}, start={"z": lambda x: x.w},
    quantities={"D": lambda x: x.sq(x.w - x.w_star), "V": lambda x: energy(x, x.w, x.z), "g": lambda x: x.sq(x.f.grad(x.w)),
                "V_w": lambda x: energy(x, x.w, x.w)},
    given=(SLOWER,), left=between(0, 1, closed=False), root=at_least(1), **symbols("mu"), **ACCURATE,
    example={"K": 4, "m": 1, "d": 1, "diameter": 1, "left": "1/2", "root": 2, "mu": 1, "nu": 4},
)  # fmt: skip


@claim(
    "pfedme/rem-k-nesterov~repaired-energy",
    world=MOMENTUM,
    by=(rem_k_nesterov_step,),
    step=True,
    control=Control(
        "a step of a quadratic of curvature mu leaves more than a quarter of (1 - 1/root) of it", share="1/16"
    ),
)
def rem_k_nesterov_energy(x, share=1):
    return le(x.V[x.K], share * (1 - x.left) ** x.K * x.mu * x.root**2 * x.D[0])


@claim(
    "pfedme/rem-k-nesterov~repaired-gradient",
    world=MOMENTUM,
    by=(rem_k_nesterov_step,),
    step=True,
    control=Control("a quadratic of curvature L attains it but for the part with mu", share="1/8"),
)
def rem_k_nesterov_gradient(x, share=1):
    return le(x.g[x.K], share * 2 * x.mu * x.root**2 * x.V[x.K])


@claim(
    "pfedme/rem-k-nesterov@chain",
    world=Scalars(
        **{name: at_least(0) for name in ("g", "V", "power", "decay", "D_0", "L", "d", "nu")},
        given=(
            condition("g <= 2 L V", lambda x: le(x.g, 2 * x.L * x.V)),
            condition("V <= power L D_0", lambda x: le(x.V, x.power * x.L * x.D_0)),
            WITHIN,
            DECAYS,
            condition("2 L^2 d^2 decay <= nu^2", lambda x: le(2 * x.L**2 * x.d**2 * x.decay, x.nu**2)),
        ),
    ),
    control=Control("all may hold with equality", share="1/2"),
    step=True,
    note="Arithmetic of any numbers with these inequalities.",
)
def rem_k_nesterov_chain(x, share=1):
    return le(x.g, share * x.nu**2)


CHAIN = {
    "g": lambda x: x.g[x.K],
    "V": lambda x: x.V[x.K],
    "power": lambda x: (1 - x.left) ** x.K,
    "decay": lambda x: x.exp(-(x.left * x.K)),
    "D_0": lambda x: x.D[0],
    "L": lambda x: x.mu * x.root**2,
    "d": lambda x: x.diameter,
}


@claim(
    "pfedme/rem-k-nesterov~repaired",
    world=replace(MOMENTUM, given=(*MOMENTUM.given, NEAR, ENOUGH_SQUARED)),
    by=(
        rem_k_nesterov_gradient,
        rem_k_nesterov_energy,
        use(thm1_proof_s10_a, **{**AT_K, "mu_F": lambda x: x.left}),
        use(rem_k_nesterov_chain, **CHAIN),
    ),
    control=Control("for root = 3/2 a step of a quadratic of curvature mu leaves more, at K = 1", share="1/20"),
    uses=("pfedme/rem-k-nesterov@slowest",),
    note="For every nu > 0 and every K >= 2 sqrt(kappa) ln(sqrt(2) L d/nu) (8) holds: |grad h(w_K)| <= nu, from any start within d "
    "of w*, root = sqrt(kappa) > 1; in any dimension. L d/nu in place of d/nu.",
)
def rem_k_nesterov_repaired(x, share=1):
    return le(x.g[x.K], share * x.nu**2)
