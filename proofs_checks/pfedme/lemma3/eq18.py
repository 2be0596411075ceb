"""(18) in the proof of Lemma 3, the display below it, and how (14) to (18) combine (Section A.4.2).

The g_{i,r} are any vectors, as in `proof`.
"""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.pfedme.conditions import LAM_2L
from fedtheory.theory.pfedme.round import g_t, sampling_error
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import GRADIENT, LENGTH, STEP, VALUE
from problems import Points, Scalars, Smooth, SmoothStronglyConvex, at_least, positive

from .proof import GRADIENTS, ROUND, SELECTED, G, g_of, local_mean, method_g, squared_errors


@claim(
    "pfedme/eq18-a",
    world=ROUND,
    control=Control("a square is not twice itself", factor=2),
    uses=("pfedme/a41-s4-c",),
    step=True,
    note="True by the definition of g_t; checked with the g_t that the method moves by, (w_t - w_{t+1})/eta_tilde.",
)
def eq18_a(x, factor=1):
    g = g_t(x)
    return eq(x.E(lambda draw: x.sq(method_g(x, draw))), factor * x.E(lambda draw: x.sq(g(draw))))


def drift_term(x):
    """E |1/(SR) sum over the selected of (g_{i,r} - grad F_i)|^2."""
    return x.E(lambda S: x.sq(x.total_vec(local_mean(x) - G(x), over=S) / x.S))


@claim(
    "pfedme/eq18-b",
    world=GRADIENTS,
    control=Control(
        "for S = N, equal clients and g = 2 grad F_i the left side is twice the sum, so a factor of 3/2 is too small",
        factor="3/2",
    ),
    uses=("pfedme/prop3",),
    step=True,
    note="grad F_i(w_t) is read under the sum over i and r; outside of it its index i would be free.",
)
def eq18_b(x, factor=3):
    square = x.E(lambda S: x.sq(g_of(x, S)))
    return le(square, factor * (drift_term(x) + sampling_error(x, G(x)) + x.sq(x.mean_vec(G(x)))))


def by_smoothness(x, F, L_F, factor):
    """The second inequality of (18) for the functions F of either assumption, `factor` in place of the 6 of its last term.

    The g_{i,r} are any vectors: L_F v_i is their average over r and L_F^2 |s_i|^2 their spread.
    """
    G, g = F.grad(x.w), L_F * x.v
    sampling = sampling_error(x, G)
    left = x.E(lambda S: x.sq(x.total_vec(g - G, over=S) / x.S)) + sampling + x.sq(x.mean_vec(G))
    errors = x.mean(x.sq(g - G) + L_F**2 * x.sq(x.s))
    gap = x.mean(F.value(x.w) - F.value(x.w_star))
    return le(3 * left, 3 * errors + 3 * sampling + factor * L_F * gap)


@claim(
    "pfedme/eq18-c",
    world=Points(
        SmoothStronglyConvex("mu_F", "L_F"),
        clients_at=("v", "s"),
        optimum_of="f",
        sizes=SELECTED,
        **symbols("mu_F", "L_F"),
    ),
    control=Control(
        "for g = grad F_i, equal clients and curvature L_F both sides are equal, so 5 L_F is too small", factor=5
    ),
    uses=("pfedme/prop2a", "pfedme/lemma3-proof-s3-a", "pfedme/lemma3-proof-s3-b", "pfedme/lemma3-proof-s3-c"),
    step=True,
    note="Under the hypotheses of its stated reason, Proposition 2: L_F-smooth and mu_F-strongly convex F_i.",
)
def eq18_c(x, factor=6):
    return by_smoothness(x, x.f, x.L_F, factor)


@claim(
    "pfedme/eq18-c@assumption1b",
    world=Points(
        Smooth("L"),
        envelope="lam",
        clients_at=("v", "s"),
        optimum_of="F",
        sizes=SELECTED,
        given=(LAM_2L,),
        **symbols("lam", "L"),
    ),
    control=Control(
        "for g = grad F_i and equal clients of curvature L the ratio of the sides is L/(lam + L), so L_F/5 is too small",
        lambda x: by_smoothness(x, x.F, x.lam, x.L / x.lam),
    ),
    uses=("pfedme/prop1b",),
    step=True,
    note="Under Assumption 1(b), as Lemma 3 prints it: Proposition 2 does not apply, but |grad F|^2 <= 2 L_F (F - F*) "
    "needs no convexity.",
)
def eq18_c_assumption1b(x):
    return by_smoothness(x, x.F, x.lam, 6)


def errors_of_selected(x):
    """1/(SR) E of the sum of |g_{i,r} - grad F_i|^2 over the selected."""
    return x.E(lambda S: x.total(squared_errors(x), over=S)) / x.S


def errors_with_indicators(x):
    """1/(SR) sum over all clients and rounds of |g_{i,r} - grad F_i|^2 E[I_{i in S_t}]."""
    return x.total(squared_errors(x), over=x.E(lambda S: S)) / x.S


@claim(
    "pfedme/lemma3-proof-s3-a",
    world=GRADIENTS,
    control=Control("for S = 1 and equal g over the rounds both sides are equal", share="9/10"),
    uses=("pfedme/prop3",),
    step=True,
    note="grad F_i(w_t) is read under the sum over i and r, as in (18).",
)
def lemma3_proof_s3_a(x, share=1):
    return le(drift_term(x), share * errors_of_selected(x))


@claim(
    "pfedme/lemma3-proof-s3-b",
    world=GRADIENTS,
    control=Control("a sum is not twice itself", factor=2),
    step=True,
)
def lemma3_proof_s3_b(x, factor=1):
    return eq(errors_of_selected(x), factor * errors_with_indicators(x))


@claim(
    "pfedme/lemma3-proof-s3-c",
    world=GRADIENTS,
    control=Control("a sum is not twice itself", factor=2),
    uses=("pfedme/lemma3-proof-s2",),
    step=True,
)
def lemma3_proof_s3_c(x, factor=1):
    return eq(errors_with_indicators(x), factor * x.mean(squared_errors(x)))


@claim(
    "pfedme/lemma3-proof-s4",
    world=Scalars(
        step=positive(STEP),
        **symbols("mu_F", "L_F"),
        distance_sq=at_least(0, LENGTH**2),
        gap=at_least(0, VALUE),
        drift=at_least(0, GRADIENT**2),
        sampling=at_least(0, GRADIENT**2),
        slack_16=at_least(0, VALUE),
        slack_17=at_least(0, VALUE),
        slack_18=at_least(0, GRADIENT**2),
    ),
    control=Control(
        "without slack both sides are equal, so three fifths of eta_tilde mu_F in place of a half is too much",
        rate="6/5",
    ),
    uses=tuple(f"pfedme/eq{n}" for n in ("14-a", "14-b", "15-a", "15-b", "16", "17", "18-a", "18-b", "18-c")),
    step=True,
    note="(14) with (15), and (16), (17), (18) each met with a slack of its own, give Lemma 3. The expectations of (14) to (18) "
    "are numbers here; x.step is eta_tilde.",
)
def lemma3_proof_s4(x, rate=1):
    inner = -x.gap - x.mu_F / 2 * x.distance_sq - x.slack_16
    cross = 2 / x.mu_F * x.drift + x.mu_F / 2 * x.distance_sq - x.slack_17
    square = 3 * x.drift + 3 * x.sampling + 6 * x.L_F * x.gap - x.slack_18
    return le(
        x.distance_sq + x.step * (2 * inner + cross) + x.step**2 * square,
        (1 - rate * x.step * x.mu_F / 2) * x.distance_sq
        - x.step * (2 - 6 * x.L_F * x.step) * x.gap
        + x.step * (3 * x.step + 2 / x.mu_F) * x.drift
        + 3 * x.step**2 * x.sampling,
    )
