"""Theorem 3 repaired: gradient descent of clients that mix with random neighbours, dense masks, nobody waits (N = 0).

Of a round: client k has omega_k, w is the mean of all, V the mean of |omega_k - w|^2. Averaging with M of the others, uniformly
chosen, gives w + rho (omega_k - w) + r_k with rho = (K - 1 - M)/((M + 1)(K - 1)) and errors r_k of mean zero; then it goes
-eta (grad f_k + L q_k), where eta is E_l times the step size and L q_k the mean over its E_l local gradients less the first.
"""

from dataclasses import replace
from itertools import combinations

from fedtheory import Control, claim, eq, le, use
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from problems import Points, Run, Scalars, SmoothBoundedBelow, at_least, condition, positive, real

SHORT = condition("8 eta mu <= 1", lambda x: le(8 * x.eta * x.L, 1))
NEIGHBOURS = condition("3 rho <= 1: M is at least 2", lambda x: le(3 * x.rho, 1))


def centre(x):
    """w."""
    return x.mean_vec(x.W)


def mixed(x, sign):
    """The aggregated models."""
    w = centre(x)
    return w + x.rho * (x.W - w) + sign * x.r


def trained(x, sign):
    """And after the local steps."""
    at = mixed(x, sign)
    return at - x.eta * (x.f.grad(at) + x.L * x.q)


def apart(x):
    """V."""
    return x.mean(x.sq(x.W - centre(x)))


def height(x):
    """f(w) less the mean of the infima of the clients."""
    return x.mean(x.f.value(centre(x)) - x.f.infimum())


def slope(x):
    """|grad f(w)|^2."""
    return x.sq(x.mean_vec(x.f.grad(centre(x))))


def spread(x):
    """The left side of (9) at w."""
    return x.mean(x.sq(x.f.grad(centre(x)) - x.mean_vec(x.f.grad(centre(x)))))


def missed(x):
    """E of the squared distance between the mean gradient of the round and grad f(w)."""
    F = x.mean_vec(x.f.grad(centre(x)))
    return sum(x.sq(x.mean_vec(x.f.grad(mixed(x, sign)) + x.L * x.q) - F) for sign in (1, -1)) / 2


def first(x):
    """E of the mean of |grad f_k|^2 at the aggregated models, where the local steps begin."""
    return sum(x.mean(x.sq(x.f.grad(mixed(x, sign)))) for sign in (1, -1)) / 2


ROUNDS = Run(
    SmoothBoundedBelow("L"), at=(), clients_at=("W", "r", "q"), fresh=("r", "q"), outcomes=(1, -1),
    step={"W": trained}, given=(SHORT, NEIGHBOURS), lengths=(1, 2),
    quantities={
        "V": apart, "H": height, "G": slope, "spread": spread,
        "miss": missed,
        "first": first,
        "noise": lambda x: x.mean(x.sq(x.r)), "shift": lambda x: x.sq(x.mean_vec(x.r)), "drift": lambda x: x.mean(x.sq(x.L * x.q)),
    },
    sizes={"m": (1, 2, 3), "d": (1, 2)}, L=positive(CURVATURE), eta=positive(STEP), rho=positive(),
)  # fmt: skip


SETTING = (
    "Dense masks, N = 0, any first models, uniform neighbourhoods of M >= 2 of K >= 3 clients, drawn anew in every "
    "round; any clients with an L-smooth f_k that is bounded below; exact gradients, 8 mu eta E_l <= 1. The errors r_k "
    "of mixing are +r and -r with equal chances, of which only the mean square counts; q_k is the same for both."
)


@claim(
    "dadpfl/thm3~repaired-consensus", world=ROUNDS.one_step, step=True, control=Control("a tenth", share="1/10"),
    note=f"How far the models are apart after a round. {SETTING}",
)  # fmt: skip
def consensus(x, share=1):
    mixing = x.rho**2 * x.V + x.noise
    return le(x.next.V, share * ((2 + 6 * x.eta**2 * x.L**2) * mixing + 6 * x.eta**2 * (x.spread + x.drift)))


@claim(
    "dadpfl/thm3~repaired-descent", world=ROUNDS.one_step, step=True, control=Control("three times the fall", share=3),
    note=f"What f at the mean of the models loses in a round. {SETTING}",
)  # fmt: skip
def descent(x, share=1):
    return le(x.next.H + share * x.eta / 2 * x.G, x.H + x.eta / 2 * x.miss + x.L * x.shift)


@claim(
    "dadpfl/thm3~repaired-direction", world=ROUNDS.one_step, step=True, control=Control("a quarter", share="1/4"),
    note=f"The mean gradient of a round against that at the mean of the models. {SETTING}",
)  # fmt: skip
def direction(x, share=1):
    return le(x.miss, share * 2 * (x.L**2 * (x.rho**2 * x.V + x.noise) + x.drift))


# the moments of uniform neighbourhoods

OTHERS = Points(None, at=(), clients_at=("v",), sizes={"S": (1, 2, 3)})


@claim(
    "dadpfl/thm3~repaired-moments",
    world=OTHERS,
    control=Control("half", share="1/2"),
    step=True,
    note="One client with the deviation o from the mean of all K models and the others with v_j, of which S = M are "
    "drawn, m = K - 1, so that o is minus the sum of the v_j: E|o + sum v_j|^2. Over (M + 1)^2 and in the mean over the "
    "clients it is rho V. For every K, M and dimension.",
)
def moments(x, share=1):
    own = -x.total_vec(x.v)
    pairs = x.S * (x.S - 1) / (x.m * (x.m - 1))
    right = x.sq(own) * (1 - 2 * x.S / x.m + pairs) + (x.S / x.m - pairs) * x.total(x.sq(x.v))
    return eq(x.E(lambda draw: x.sq(own + x.total_vec(x.v, over=draw))), share * right)


MODELS = {f"v{j}": real(LENGTH) for j in (1, 2, 3, 4, 5)}


@claim(
    "dadpfl/thm3~repaired-noise",
    world=Scalars(sizes={"K": (3, 4, 5), "M": (2, 3)}, **MODELS),
    control=Control("half of each", share="1/2"),
    step=True,
    uses=("dadpfl/thm3~repaired-moments",),
    note="Over every choice of M < K neighbours of each client, independent of each other, K = 3, 4, 5, M = 2, 3 (M = 2 "
    "where K = 3): with rho = (K - 1 - M)/((M + 1)(K - 1)) the mean of E|~w_k - w|^2 is rho V, that of |E ~w_k - w|^2 "
    "is rho^2 V, and E|~w - w|^2 is (rho - rho^2) V/K. For every K the first is dadpfl/thm3~repaired-moments.",
)
def noise(x, share=1):
    K = int(x.K)
    M = min(int(x.M), K - 1)
    v = [getattr(x, f"v{j}") for j in range(1, K + 1)]
    w = sum(v) / K
    rho = x.ratio(K - 1 - M, (M + 1) * (K - 1))
    second, first = [], []
    for k in range(K):
        cases = [(v[k] + sum(v[j] for j in N)) / (M + 1) - w for N in combinations([j for j in range(K) if j != k], M)]
        second.append(sum(c**2 for c in cases) / len(cases))
        first.append(sum(cases) / len(cases))
    V = sum((one - w) ** 2 for one in v) / K
    whole = sum(s - f**2 for s, f in zip(second, first, strict=True)) / K**2 + (sum(first) / K) ** 2
    return (
        eq(sum(second) / K, share * rho * V),
        eq(sum(f**2 for f in first) / K, share * rho**2 * V),
        eq(whole, share * (rho - rho**2) * V / K),
    )


MIXING = (
    condition(
        "M uniform neighbours: the errors of mixing have the mean square (rho - rho^2) V",
        lambda x, t: le(x.noise[t], (x.rho - x.rho**2) * x.V[t]),
    ),
    condition(
        "K >= 3 independent ones: their mean has at most a third of it",
        lambda x, t: le(3 * x.shift[t], (x.rho - x.rho**2) * x.V[t]),
    ),
)
MIXED = replace(ROUNDS, every=MIXING)
FACTS = (
    "The errors of mixing are hypotheses here: that those of uniform neighbourhoods have this mean square is "
    "dadpfl/thm3~repaired-moments for every K, and that their mean has a third of it at most dadpfl/thm3~repaired-noise up to "
    "K = 5, beyond which it is not decided. Masks: dadpfl/thm3~common-mask and, for masks that differ, dadpfl/thm3~masks."
)


MIXING_ERRORS = (
    condition("the errors of mixing", lambda x: le(x.noise, (x.rho - x.rho**2) * x.V)),
    condition("and their mean", lambda x: le(3 * x.shift, (x.rho - x.rho**2) * x.V)),
)


def spare(x, mixing):
    """What is kept of mu V for the drift of local steps."""
    return 21 * x.L**4 * x.eta**3 * mixing


@claim(
    "dadpfl/thm3~repaired-weights",
    world=Scalars(
        L=positive(CURVATURE), eta=positive(STEP), rho=positive(), V=at_least(0, LENGTH**2), noise=at_least(0, LENGTH**2),
        shift=at_least(0, LENGTH**2), drift=at_least(0, GRADIENT**2),
        given=(SHORT, NEIGHBOURS, *MIXING_ERRORS),
    ),
    control=Control("a tenth of V", share="1/10"),
    step=True,
    note="Why mu V is enough of the distance between the models, and what the drift adds up to.",
)  # fmt: skip
def weighed(x, share=1):
    mixing = x.rho**2 * x.V + x.noise
    left = x.L * (2 + 6 * x.eta**2 * x.L**2) * mixing + x.eta * x.L**2 * mixing + x.L * x.shift + spare(x, mixing)
    return le(left, share * x.L * x.V), le(6 * x.L * x.eta**2 * x.drift, x.ratio(3, 4) * x.eta * x.drift)


AT_T = use(
    weighed,
    V=lambda x, t: x.V[t],
    noise=lambda x, t: x.noise[t],
    shift=lambda x, t: x.shift[t],
    drift=lambda x, t: x.drift[t],
)


@claim(
    "dadpfl/thm3~repaired-near",
    world=MIXED,
    by=(consensus,),
    control=Control("a tenth", share="1/10"),
    step=True,
    note=f"mu times how far the models are apart after a round. {SETTING}",
)
def near(x, t, share=1):
    mixing = x.rho**2 * x.V[t] + x.noise[t]
    rest = x.L * (2 + 6 * x.eta**2 * x.L**2) * mixing + 6 * x.L * x.eta**2 * (x.spread[t] + x.drift[t])
    return le(x.L * x.V[t + 1], share * rest)


@claim(
    "dadpfl/thm3~repaired-fall",
    world=MIXED,
    by=(descent, direction),
    control=Control("three times the fall", share=3),
    step=True,
    note=f"What f at the mean of the models loses, without the mean gradient. {SETTING}",
)
def fall(x, t, share=1):
    mixing = x.rho**2 * x.V[t] + x.noise[t]
    rest = x.eta * x.L**2 * mixing + x.eta * x.drift[t] + x.L * x.shift[t]
    return le(x.H[t + 1] + share * x.eta / 2 * x.G[t], x.H[t] + rest)


@claim(
    "dadpfl/thm3~repaired-round",
    world=MIXED,
    by=(near, fall, AT_T),
    uses=("dadpfl/thm3~repaired-noise", "dadpfl/thm3~repaired-moments"),
    control=Control("a tenth of what (9) allows", share="1/10"),
    step=True,
    note="One round lowers f(w) + mu V by eta/2 |grad f(w)|^2, up to the spread of the clients and the drift of their "
    f"local steps. {SETTING} {FACTS}",
)
def one_round(x, t, share=1):
    before, after = x.H[t] + x.L * x.V[t], x.H[t + 1] + x.L * x.V[t + 1]
    allowed = 6 * x.L * x.eta**2 * x.spread[t] + x.ratio(7, 4) * x.eta * x.drift[t]
    kept = spare(x, x.rho**2 * x.V[t] + x.noise[t])
    return le(after + x.eta / 2 * x.G[t] + kept, before + share * allowed)


@claim(
    "dadpfl/thm3~repaired-rounds",
    world=MIXED,
    by=(one_round,),
    control=Control("a tenth of what (9) allows", share="1/10"),
    step=True,
    note=f"The sum over T rounds, for every T. {SETTING}",
)
def rounds(x, share=1):
    allowed = x.sum(lambda t: 6 * x.L * x.eta**2 * x.spread[t] + x.ratio(7, 4) * x.eta * x.drift[t], x.T)
    falls = x.eta / 2 * x.sum(lambda t: x.G[t], x.T)
    return le(x.H[x.T] + x.L * x.V[x.T] + falls, x.H[0] + x.L * x.V[0] + share * allowed)


@claim(
    "dadpfl/thm3~repaired-first",
    world=ROUNDS.one_step,
    step=True,
    control=Control("a quarter", share="1/4"),
    note=f"The gradients at the aggregated models. {SETTING}",
)
def at_first(x, share=1):
    return le(x.first, share * 3 * (x.L**2 * (x.rho**2 * x.V + x.noise) + x.spread + x.G))


NEAR = condition(
    "E_l local steps of length eta/E_l: their mean gradient is within 2 mu eta |grad f_k| of the first one",
    lambda x, t: le(x.drift[t], 4 * x.L**2 * x.eta**2 * x.first[t]),
)
LOCAL = replace(MIXED, every=(*MIXED.every, NEAR))


@claim(
    "dadpfl/thm3~repaired-local-drift",
    world=LOCAL,
    by=(at_first,),
    uses=("dadpfl/thm3~repaired-mean-gradient",),
    control=Control("a tenth", share="1/10"),
    step=True,
    note=f"The drift of a round by what the aggregated models have. {SETTING}",
)
def local_drift(x, t, share=1):
    near_w = x.L**2 * (x.rho**2 * x.V[t] + x.noise[t]) + x.spread[t] + x.G[t]
    return le(x.drift[t], share * 12 * x.L**2 * x.eta**2 * near_w)


@claim(
    "dadpfl/thm3~repaired-left",
    world=Scalars(L=positive(CURVATURE), eta=positive(STEP), G=at_least(0, GRADIENT**2), given=(SHORT,)),
    control=Control("for the longest step little more is left", share=2),
    step=True,
    note="What the drift leaves of the fall of f.",
)
def left_over(x, share=1):
    return le(share * x.eta / 8 * x.G + 21 * x.L**2 * x.eta**3 * x.G, x.eta / 2 * x.G)


@claim(
    "dadpfl/thm3~repaired-local-round",
    world=LOCAL,
    by=(one_round, local_drift, use(left_over, G=lambda x, t: x.G[t])),
    uses=("dadpfl/thm3~repaired-mean-gradient",),
    control=Control("a tenth of what (9) allows", share="1/10"),
    step=True,
    note=f"A round with any number of local steps. That they stay so near is dadpfl/thm3~repaired-mean-gradient. {SETTING} {FACTS}",
)
def local_round(x, t, share=1):
    before, after = x.H[t] + x.L * x.V[t], x.H[t + 1] + x.L * x.V[t + 1]
    return le(after + x.eta / 8 * x.G[t], before + share * (6 * x.L * x.eta**2 + 21 * x.L**2 * x.eta**3) * x.spread[t])


BOUNDED = (
    condition(
        "the mean of |grad f_k - grad f|^2 is at most sigma_g^2", lambda x, t: le(x.spread[t], x.sigma_g_sq), "(9)"
    ),
)


@claim(
    "dadpfl/thm3~repaired",
    world=replace(
        LOCAL, every=(*LOCAL.every, *BOUNDED), scalars={**ROUNDS.scalars, "sigma_g_sq": positive(GRADIENT**2)}
    ),
    by=(local_round,),
    uses=("dadpfl/thm3~repaired-mean-gradient", "dadpfl/thm3~repaired-moments", "dadpfl/thm3~repaired-noise"),
    control=Control("a tenth of what (9) allows", share="1/10"),
    note="Under Assumption 1 and (9): the mean over T rounds of E|grad f(w)|^2 is at most 8 (f(w^0) - f(w^T) + mu "
    "V^0)/(eta T) + (48 mu eta + 168 mu^2 eta^2) sigma_g^2 at the mean w of the models, eta = E_l times the step size, "
    f"for every T, E_l, K > M >= 2, dimension and any first models: O(1/sqrt(T)) for eta of 1/(mu sqrt(T)). {SETTING} "
    f"{FACTS} So is it that local steps stay near, which is dadpfl/thm3~repaired-mean-gradient. Beside (13): dadpfl/eq13@larger.",
)
def thm3_repaired(x, share=1):
    falls = x.eta / 8 * x.sum(lambda t: x.G[t], x.T)
    allowed = x.T * (6 * x.L * x.eta**2 + 21 * x.L**2 * x.eta**3) * x.sigma_g_sq
    return le(x.H[x.T] + x.L * x.V[x.T] + falls, x.H[0] + x.L * x.V[0] + share * allowed)
