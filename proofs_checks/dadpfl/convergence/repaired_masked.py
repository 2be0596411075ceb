"""Theorem 3 repaired for masks that differ: what they do to a round stands on the right side, with its constants.

Of a round with masks: client k begins at the masked average (7), which is away by b_k from the average w + rho (omega_k - w) + r_k
of the same models without masks, and goes -eta (grad f_k - L n_k + L q_k): L n_k is what its mask takes from the gradient, L q_k
the mean over its local gradients less the first, both masked. Nothing is asked of b_k and n_k, which are the same for both signs of
the errors of mixing; without masks they are 0.
"""

from dataclasses import replace

from fedtheory import Control, claim, le, use
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from problems import Run, Scalars, SmoothBoundedBelow, at_least, condition, positive

from .repaired import BOUNDED, MIXING, MIXING_ERRORS, NEIGHBOURS, apart, centre, height, mixed, slope, spread

SHORTER = condition("16 eta mu <= 1", lambda x: le(16 * x.eta * x.L, 1))


def begun(x, sign):
    """The masked averages."""
    return mixed(x, sign) + x.b


def direction(x, sign):
    """Where a round goes from there, over -eta."""
    return x.f.grad(begun(x, sign)) + x.L * (x.q - x.n)


def over_signs(x, fn):
    """The mean over the errors of mixing."""
    return sum(fn(sign) for sign in (1, -1)) / 2


def missed(x, sign):
    """The squared distance between how the mean moves, but for the errors of mixing, over -eta, and grad f(w)."""
    moves = x.mean_vec(direction(x, sign)) - x.mean_vec(x.b) / x.eta
    return x.sq(moves - x.mean_vec(x.f.grad(centre(x))))


ROUNDS = Run(
    SmoothBoundedBelow("L"), at=(), clients_at=("W", "r", "q", "b", "n"), fresh=("r", "q", "b", "n"), outcomes=(1, -1),
    step={"W": lambda x, sign: begun(x, sign) - x.eta * direction(x, sign)}, given=(SHORTER, NEIGHBOURS), lengths=(1,),
    quantities={
        "V": apart, "H": height, "G": slope, "spread": spread,
        "A": lambda x: over_signs(x, lambda sign: x.mean(x.sq(begun(x, sign) - centre(x)))),
        "miss": lambda x: over_signs(x, lambda sign: missed(x, sign)),
        "first": lambda x: over_signs(x, lambda sign: x.mean(x.sq(x.f.grad(begun(x, sign))))),
        "noise": lambda x: x.mean(x.sq(x.r)), "shift": lambda x: x.sq(x.mean_vec(x.r)), "drift": lambda x: x.mean(x.sq(x.L * x.q)),
        "moved": lambda x: x.mean(x.sq(x.b)), "cut": lambda x: x.mean(x.sq(x.L * x.n)),
    },
    sizes={"m": (1, 2), "d": (1,)}, L=positive(CURVATURE), eta=positive(STEP), rho=positive(),
)  # fmt: skip
SETTING = (
    "Masks of any kind, other ones for every client and round; N = 0, any first models, uniform neighbourhoods of M >= 2 of K >= 3 "
    "clients, drawn anew in every round; any clients with an L-smooth f_k that is bounded below; exact gradients, 16 mu eta E_l "
    "<= 1. What masks and local steps do, b_k, n_k and q_k, is the same for both signs of the errors of mixing. "
    "`moved` is the mean of |b_k|^2, what the masks move the averages, `cut` that of |L n_k|^2, what they take from the gradients."
)


@claim("dadpfl/thm3~masks-reach", world=ROUNDS.one_step, step=True, control=Control("a tenth", share="1/10"),
       note=f"How far from the mean of the models the local steps begin. {SETTING}")  # fmt: skip
def reach(x, share=1):
    return le(x.A, share * (x.ratio(7, 6) * (x.rho**2 * x.V + x.noise) + 7 * x.moved))


@claim("dadpfl/thm3~masks-consensus", world=ROUNDS.one_step, step=True, control=Control("a tenth", share="1/10"),
       note=f"How far the models are apart after a round. {SETTING}")  # fmt: skip
def consensus(x, share=1):
    near = (2 + 6 * x.eta**2 * x.L**2) * x.A
    return le(x.next.V, share * (near + 6 * x.eta**2 * (x.spread + 2 * x.drift + 2 * x.cut)))


@claim("dadpfl/thm3~masks-descent", world=ROUNDS.one_step, step=True, control=Control("three times the fall", share=3),
       note=f"What f at the mean of the models loses in a round. {SETTING}")  # fmt: skip
def descent(x, share=1):
    return le(x.next.H + share * x.eta / 2 * x.G, x.H + x.eta / 2 * x.miss + x.L * x.shift)


@claim("dadpfl/thm3~masks-direction", world=ROUNDS.one_step, step=True, control=Control("a quarter", share="1/4"),
       note=f"How the mean of the models moves, against the gradient there. {SETTING}")  # fmt: skip
def along(x, share=1):
    return le(x.miss, share * 3 * (x.L**2 * x.A + 2 * x.drift + 2 * x.cut + x.moved / x.eta**2))


@claim("dadpfl/thm3~masks-first", world=ROUNDS.one_step, step=True, control=Control("a quarter", share="1/4"),
       note=f"The gradients where the local steps begin. {SETTING}")  # fmt: skip
def at_first(x, share=1):
    return le(x.first, share * 3 * (x.L**2 * x.A + x.spread + x.G))


MIXED = replace(ROUNDS, every=MIXING)
MASKED = replace(
    MIXED,
    every=(
        *MIXED.every,
        condition(
            "E_l masked local steps of length eta/E_l: their mean gradient is within 2 mu eta |grad f_k| of the first one",
            lambda x, t: le(x.drift[t], 4 * x.L**2 * x.eta**2 * x.first[t]),
        ),
    ),
)


def spare(x, A):
    """What is kept of mu V for the drift of local steps."""
    return 48 * x.L**4 * x.eta**3 * A


def bent(x, A):
    """What multiplies A in how far the models are apart after a round."""
    return x.L * (2 + 6 * x.eta**2 * x.L**2) * A


def cost(x, drift, cut, moved):
    """What drift and masks add to a round."""
    return 4 * x.eta * (drift + cut) + 3 * moved / x.eta


SQUARE = at_least(0, LENGTH**2)


@claim(
    "dadpfl/thm3~masks-apart",
    world=Scalars(
        L=positive(CURVATURE), rho=positive(), V=SQUARE, A=SQUARE, noise=SQUARE, shift=SQUARE, moved=SQUARE,
        given=(
            NEIGHBOURS, *MIXING_ERRORS,
            condition("how far the steps begin", lambda x: le(x.A, x.ratio(7, 6) * (x.rho**2 * x.V + x.noise) + 7 * x.moved)),
        ),
    ),
    control=Control("a tenth of V", share="1/10"),
    step=True,
    note="How far the local steps begin, and the errors of the mean, by how far the models are apart; times mu.",
)  # fmt: skip
def by_apart(x, share=1):
    return le(x.L * x.A, share * x.ratio(7, 18) * x.L * x.V + 7 * x.L * x.moved), le(
        9 * x.L * x.shift, share * x.L * x.V
    )


@claim(
    "dadpfl/thm3~masks-weights",
    world=Scalars(
        L=positive(CURVATURE), eta=positive(STEP), A=SQUARE, both=at_least(0, GRADIENT**2), moved=SQUARE, given=(SHORTER,),
    ),
    control=Control("a tenth", share="1/10"),
    step=True,
    note="What multiplies A, and what drift and masks add up to; `both` is the sum of `drift` and `cut`.",
)  # fmt: skip
def weighed(x, share=1):
    of_begin = bent(x, x.A) + x.ratio(3, 2) * x.eta * x.L**2 * x.A + spare(x, x.A)
    return (
        le(of_begin, share * x.ratio(32, 15) * x.L * x.A),
        le(12 * x.L * x.eta**2 * x.both, share * x.eta * x.both),
        le(16 * x.L * x.moved, share * x.moved / x.eta),
    )


def at_t(*names):
    """Leaves that are quantities of the same name."""
    return {name: lambda x, t, name=name: getattr(x, name)[t] for name in names}


AT_T = (
    use(by_apart, **at_t("V", "A", "noise", "shift", "moved")),
    use(weighed, both=lambda x, t: x.drift[t] + x.cut[t], **at_t("A", "moved")),
)


@claim("dadpfl/thm3~masks-near", world=MIXED, by=(consensus,), step=True, control=Control("a tenth", share="1/10"),
       note=f"mu times how far the models are apart after a round. {SETTING}")  # fmt: skip
def near(x, t, share=1):
    rest = 6 * x.L * x.eta**2 * x.spread[t] + 12 * x.L * x.eta**2 * (x.drift[t] + x.cut[t])
    return le(x.L * x.V[t + 1], share * (bent(x, x.A[t]) + rest))


@claim("dadpfl/thm3~masks-fall", world=MIXED, by=(descent, along), step=True, control=Control("three times the fall", share=3),
       note=f"What f at the mean of the models loses, without the mean gradient. {SETTING}")  # fmt: skip
def fall(x, t, share=1):
    of_masks = 3 * x.eta * (x.drift[t] + x.cut[t]) + x.ratio(3, 2) * x.moved[t] / x.eta
    rest = x.ratio(3, 2) * x.eta * x.L**2 * x.A[t] + x.L * x.shift[t] + of_masks
    return le(x.H[t + 1] + share * x.eta / 2 * x.G[t], x.H[t] + rest)


@claim("dadpfl/thm3~masks-begin", world=MIXED, by=(reach, *AT_T), step=True, control=Control("a tenth", share="1/10"),
       note=f"What comes of where the local steps begin is at most mu V, and what the masks move. {SETTING}")  # fmt: skip
def begin(x, t, share=1):
    left = bent(x, x.A[t]) + x.ratio(3, 2) * x.eta * x.L**2 * x.A[t] + x.L * x.shift[t] + spare(x, x.A[t])
    return le(left, share * (x.L * x.V[t] + x.ratio(3, 2) * x.moved[t] / x.eta))


@claim("dadpfl/thm3~masks-round", world=MIXED, by=(near, fall, begin, AT_T[1]), step=True,
       uses=("dadpfl/thm3~repaired-noise", "dadpfl/thm3~repaired-moments"),
       control=Control("a tenth of what (9) allows", share="1/10"),
       note=f"One round lowers f(w) + mu V by eta/2 |grad f(w)|^2, up to the spread of the clients, the drift of their local steps "
       f"and what masks do. {SETTING}")  # fmt: skip
def one_round(x, t, share=1):
    before, after = x.H[t] + x.L * x.V[t], x.H[t + 1] + x.L * x.V[t + 1]
    allowed = 6 * x.L * x.eta**2 * x.spread[t] + cost(x, x.drift[t], x.cut[t], x.moved[t])
    return le(after + x.eta / 2 * x.G[t] + spare(x, x.A[t]), before + share * allowed)


@claim("dadpfl/thm3~masks-local-drift", world=MASKED, by=(at_first,), step=True, control=Control("a tenth", share="1/10"),
       uses=("dadpfl/thm3~repaired-mean-gradient",),
       note=f"The drift of a round by what there is where it begins. {SETTING}")  # fmt: skip
def local_drift(x, t, share=1):
    return le(x.drift[t], share * 12 * x.L**2 * x.eta**2 * (x.L**2 * x.A[t] + x.spread[t] + x.G[t]))


@claim("dadpfl/thm3~masks-left", step=True, control=Control("for the longest step little more is left", share=2),
       world=Scalars(L=positive(CURVATURE), eta=positive(STEP), G=at_least(0, GRADIENT**2), given=(SHORTER,)),
       note="What the drift leaves of the fall of f.")  # fmt: skip
def left_over(x, share=1):
    return le(share * x.eta / 4 * x.G + 48 * x.L**2 * x.eta**3 * x.G, x.eta / 2 * x.G)


@claim("dadpfl/thm3~masks-local-round", world=MASKED, by=(one_round, local_drift, use(left_over, G=lambda x, t: x.G[t])), step=True,
       control=Control("a tenth of what (9) allows", share="1/10"),
       note=f"A round with any number of local steps. {SETTING}")  # fmt: skip
def local_round(x, t, share=1):
    before, after = x.H[t] + x.L * x.V[t], x.H[t + 1] + x.L * x.V[t + 1]
    allowed = (6 * x.L * x.eta**2 + 48 * x.L**2 * x.eta**3) * x.spread[t] + cost(x, 0, x.cut[t], x.moved[t])
    return le(after + x.eta / 4 * x.G[t], before + share * allowed)


@claim(
    "dadpfl/thm3~masks",
    world=replace(
        MASKED, every=(*MASKED.every, *BOUNDED), scalars={**ROUNDS.scalars, "sigma_g_sq": positive(GRADIENT**2)}
    ),
    by=(local_round,),
    uses=("dadpfl/thm3~repaired-mean-gradient", "dadpfl/thm3~repaired-moments", "dadpfl/thm3~repaired-noise"),
    control=Control("a tenth of what (9) allows", share="1/10"),
    note="Under Assumption 1 and (9), with masks: the mean over T rounds of E|grad f(w)|^2 is at most 4 (f(w^0) - f(w^T) + mu V^0)"
    "/(eta T) + (24 mu eta + 192 mu^2 eta^2) sigma_g^2 + 16 times the mean of `cut` + 12/eta^2 times "
    "that of `moved`, at the mean w "
    f"of the models, eta = E_l times the step size, for every T, E_l, K > M >= 2 and dimension. {SETTING} "
    f"Where gradients of pruned "
    "weights do not vanish nothing less is true: f does not fall along weights that nobody keeps. One mask of all clients: "
    "dadpfl/thm3~common-mask, with which the last two are 0.",
)
def thm3_masks(x, share=1):
    falls = x.eta / 4 * x.sum(lambda t: x.G[t], x.T)
    of_masks = x.sum(lambda t: cost(x, 0, x.cut[t], x.moved[t]), x.T)
    allowed = x.T * (6 * x.L * x.eta**2 + 48 * x.L**2 * x.eta**3) * x.sigma_g_sq
    return le(x.H[x.T] + x.L * x.V[x.T] + falls, x.H[0] + x.L * x.V[0] + of_masks + share * allowed)
