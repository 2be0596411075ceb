"""Lemma 5 for every number of local rounds R: what one local step does (Section A.4.2, ours).

(21) loses that errors of one sign add up, so the proof for every R is another one. With a_r = |w_{i,r} - w_t| and
G = |grad F_i(w_t)| a local step says a_{r+1} <= (1 + 1/(2R)) a_r + eta (G + lam delta), so that a_r <= p_r eta (G + lam delta)
with p_r = r + r^2/(3R). In squares: (G + lam delta)^2 <= 9 G^2 + 9/8 lam^2 delta^2.
"""

from fedtheory import Control, claim, le
from fedtheory.theory.pfedme.conditions import LAM_2RHO
from fedtheory.theory.pfedme.symbols import symbols
from problems import Points, Run, WeaklyConvex, condition, positive

LOCAL_STEP = condition("eta <= 1/(2 R L_F)", lambda x: le(2 * x.R * x.lam * x.eta, 1), "Lemma 5")


def near_w(*given, **scalars):
    """Any local point w_r of any client, and any error e of its inner solver."""
    return Points(
        WeaklyConvex("rho"), envelope="lam", clients_at=("w_r", "e"), given=(LAM_2RHO, *given), sizes={"d": (1, 2)},
        **symbols("rho", "lam"), **scalars,
    )  # fmt: skip


def local_gradient(x):
    """g_{i,r} = lam (w_{i,r} - theta_tilde) with theta_tilde = theta_hat + e."""
    return (x.w_r - (x.f.prox(x.w_r, x.lam) + x.e)) * x.lam


def stepped(x):
    """w_{i,r+1}."""
    return x.w_r - local_gradient(x) * x.eta


# the quantities, of every client i


def away(x):
    """|w_{i,r} - w_t|^2."""
    return x.sq(x.w_r - x.w)


def moved(x):
    """|w_{i,r} - w_t - eta (grad F_i(w_{i,r}) - grad F_i(w_t))|^2."""
    return x.sq(x.w_r - x.w - (x.F.grad(x.w_r) - x.F.grad(x.w)) * x.eta)


def change_sq(x):
    """|grad F_i(w_{i,r}) - grad F_i(w_t)|^2."""
    return x.sq(x.F.grad(x.w_r) - x.F.grad(x.w))


def pushed(x):
    """|grad F_i(w_t) - lam e|^2."""
    return x.sq(x.F.grad(x.w) - x.e * x.lam)


def off(x):
    """|g_{i,r} - grad F_i(w_t)|^2."""
    return x.sq(local_gradient(x) - x.F.grad(x.w))


def error_sq(x):
    """|theta_tilde - theta_hat|^2."""
    return x.sq(x.e)


def grad_sq(x):
    """|grad F_i(w_t)|^2."""
    return x.sq(x.F.grad(x.w))


REACH = {"e": lambda x: x.delta}


OF_A_CLIENT = {
    "A": away, "moved": moved, "change_sq": change_sq, "pushed": pushed, "V": off, "e_sq": error_sq, "G_sq": grad_sq,
}  # fmt: skip


def local_run(*given, every=(), m=(1,), more_sizes=None, **options):
    """The local rounds of one client, any of them, from w_t on: n of them, with any errors of its inner solver."""
    of_a_client = {
        "clients_at": ("w_r", "e"), "start": {"w_r": lambda x: x.w}, "step": {"w_r": stepped}, "quantities": OF_A_CLIENT,
        "index": "n", "first": 0, "lengths": (0, 1, 2, 3), "reach": REACH if "delta" in options else {},
    }  # fmt: skip
    sizes = {"m": m, "d": (1, 2), **(more_sizes or {})}
    return Run(
        WeaklyConvex("rho"), envelope="lam", at=("w",), fresh=("e",), sizes=sizes, every=every,
        given=(LAM_2RHO, *given), **symbols("rho", "lam", "eta"), **{**of_a_client, **options},
    )  # fmt: skip


# what a local step does to them


@claim(
    "pfedme/lemma5@young",
    world=near_w(**symbols("eta"), tau=positive()),
    control=Control("without errors and gradients both sides are |w_r - w_t|^2 for eta = 0 and small tau", share="1/2"),
    step=True,
    note="At any local points and errors, for any tau > 0.",
)
def lemma5_young(x, share=1):
    after = x.sq(stepped(x) - x.w)
    return le(after, share * ((1 + x.tau) * moved(x) + (1 + 1 / x.tau) * x.eta**2 * pushed(x)))


@claim(
    "pfedme/lemma5@shift",
    world=near_w(**symbols("eta")),
    control=Control("for eta near 0 both sides are |w_r - w_t|^2", share="9/10"),
    step=True,
)
def lemma5_shift(x, share=1):
    right = (1 + x.eta * x.lam) * away(x) + (1 + 1 / (x.eta * x.lam)) * x.eta**2 * change_sq(x)
    return le(moved(x), share * right)


@claim(
    "pfedme/lemma5@lipschitz",
    world=near_w(),
    control=Control("for clients whose envelopes have nearly the curvature lam both sides are equal", share="9/10"),
    step=True,
    note="The lam-smoothness of F_i (Proposition 1).",
)
def lemma5_lipschitz(x, share=1):
    return le(change_sq(x), share * x.lam**2 * away(x))


@claim(
    "pfedme/lemma5@split",
    world=near_w(),
    control=Control("for lam e = -8 grad F_i both sides are 81 |grad F_i|^2", share="9/10"),
    step=True,
)
def lemma5_split(x, share=1):
    return le(pushed(x), share * (9 * grad_sq(x) + 9 * x.lam**2 * error_sq(x) / 8))


@claim(
    "pfedme/lemma5@gradient",
    world=near_w(tau=positive()),
    control=Control("for w_r = w_t both sides are multiples of lam^2 |e|^2, 1 and 1 + tau", share="1/2"),
    step=True,
    note="(19) with any tau > 0 in Young's inequality, which has 1 there.",
)
def lemma5_gradient(x, share=1):
    return le(off(x), share * x.lam**2 * ((1 + x.tau) * error_sq(x) + (1 + 1 / x.tau) * away(x)))


def unrolling(x, distance_sq, G_sq, noise_sq):
    """The last line of (20), 2(1 + 1/R) a + 2(1 + 2R) eta^2 G + 4 eta^2 lam^2 delta^2, with `noise_sq` for delta^2."""
    return 2 * (1 + 1 / x.R) * distance_sq + 2 * (1 + 2 * x.R) * x.eta**2 * G_sq + 4 * x.eta**2 * x.lam**2 * noise_sq


def growth(x):
    """(1 + 1/(2R))^2."""
    return (1 + 1 / (2 * x.R)) ** 2


@claim(
    "pfedme/lemma5@moved",
    world=local_run(LOCAL_STEP, **symbols("R")),
    by=(lemma5_shift, lemma5_lipschitz),
    control=Control("for a large R both sides are nearly A", share="1/2"),
    step=True,
)
def lemma5_moved(x, t, share=1):
    return le(x.moved[t], share * growth(x) * x.A[t])


@claim(
    "pfedme/lemma5@local-step",
    world=local_run(LOCAL_STEP, **symbols("R"), tau=positive()),
    by=(lemma5_young, lemma5_moved, lemma5_split),
    control=Control(
        "without errors and gradients, for a large R and a small tau, both sides are nearly A", share="1/2"
    ),
    step=True,
    note="Every local step of a run: A is |w_{i,r} - w_t|^2, of any client.",
)
def lemma5_local_step(x, t, share=1):
    gradients = (1 + 1 / x.tau) * x.eta**2 * (9 * x.G_sq + 9 * x.lam**2 * x.e_sq[t] / 8)
    return le(x.A[t + 1], share * ((1 + x.tau) * growth(x) * x.A[t] + gradients))


@claim(
    "pfedme/eq20@local-step",
    world=near_w(LOCAL_STEP, **symbols("eta", "R")),
    control=Control("for small eta and large R the left side comes near |w_r - w_t|^2, half of the right", share="2/5"),
    uses=("pfedme/eq20-b", "pfedme/eq20-c", "pfedme/eq20-e"),
    step=True,
    note="(20), first to last line, of any client, at any local point and error.",
)
def eq20_local_step(x, share=1):
    return le(x.sq(stepped(x) - x.w), share * unrolling(x, away(x), grad_sq(x), error_sq(x)))
