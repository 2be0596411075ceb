"""Lemmas 3 and 4: how far the global model goes in a round, and along which direction, (40) to (44)."""

from dataclasses import replace

from fedtheory import Control, claim, eq, le
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from problems import Points, Scalars, Smooth, at_least, condition, positive, real

from .lemma2 import clipped
from .worlds import (
    BOUNDS,
    OF_LEMMA,
    ROUND,
    SETTING,
    WHOLE,
    global_models,
    local_steps,
    mean,
    one_round,
    reordered,
    scheduled,
)

THREE = {f"w{j}": real(LENGTH) for j in (1, 2, 3)}


def two_rounds(x, W):
    """Global models of two rounds without gradients, N = M, under every pair of orders of the three clients."""
    out = []
    for first in reordered(W):
        before, after = one_round(x, first, slope=lambda w: 0 * w)
        out += [(mean(before), mean(one_round(x, then, slope=lambda w: 0 * w)[0])) for then in reordered(after)]
    return out


@claim(
    "dadpfl/lemma3",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Scalars(given=OF_LEMMA, sizes={"M": (2,)}, **WHOLE, **THREE),
    repair="dadpfl/lemma3~repaired",
    note="K = 3, M = N = 2, clients that are 0 everywhere, all sigma = 0, masks of ones and first models that differ: "
    "the right side is 0, but averages that are taken one after the other do not keep the mean of the models. First "
    "round against second, over all orders of the clients. For M < K - 1 it is so with N = 0 as well, as neighbours are "
    "drawn: dadpfl/thm3~repaired-noise has how far the mean then moves. It needs models that differ, of which line 3 of "
    "Algorithm 1 has one a client; with one first model of all no counterexample is known in the first round.",
)
def lemma3(x, share=1):
    return le(
        share * (mean([x.L / 2 * (second - first) ** 2 for first, second in two_rounds(x, [x.w1, x.w2, x.w3])])), 0
    )


@claim(
    "dadpfl/lemma3~repaired",
    world=Points(None, at=("noise",), clients_at=("h",), L=positive(CURVATURE), eta=positive()),
    control=Control("clients that are alike, without noise of mixing, attain half of it", share="1/4"),
    uses=("dadpfl/eq40-b", "dadpfl/eq17~repaired"),
    note="N = 0, dense masks: what the global model moves is the noise of mixing and -eta times the mean of the "
    "clients' sums h_k of gradients. The noise does not vanish with eta; of M uniform neighbours its mean square is "
    "known, dadpfl/thm3~repaired-noise. |eta h_k| is bounded by Lemma 1, repaired.",
)
def lemma3_repaired(x, share=1):
    left = x.L / 2 * x.sq(x.noise - x.eta * x.mean_vec(x.h))
    return le(left, share * x.L * (x.sq(x.noise) + x.eta**2 * x.mean(x.sq(x.h))))


@claim(
    "dadpfl/lemma3-proof-s2",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Scalars(E_l=at_least(1), M=at_least(1), given=OF_LEMMA[:1]),
    repair="dadpfl/lemma3-proof-s2~repaired",
    step=True,
    note="The exponent of Lemma 1 with E_l^* + 1 steps against that of S_1: it is larger by 1/(2M - 2).",
)
def proof_s2(x, share=1):
    return eq(share * ((scheduled(x) + 1) / (2 * x.M - 2)), (3 * x.M + 2) * x.E_l / (4 * (x.M**2 - 1)))


@claim(
    "dadpfl/lemma3-proof-s2~repaired",
    world=Scalars(E_l=at_least(1), M=at_least(1), given=OF_LEMMA[:1]),
    step=True,
    control=Control("of E_l steps", lambda x: eq(x.E_l / (2 * x.M - 2), (3 * x.M + 2) * x.E_l / (4 * (x.M**2 - 1)))),
    note="With E_l^*, every M and E_l.",
)
def proof_s2_repaired(x):
    return eq(scheduled(x) / (2 * x.M - 2), (3 * x.M + 2) * x.E_l / (4 * (x.M**2 - 1)))


@claim(
    "dadpfl/eq40-b",
    world=Points(None, at=(), clients_at=("v",)),
    control=Control("equal models attain it", share="9/10"),
    step=True,
    note="v_k is what the aggregated model of client k moves.",
)
def eq40_b(x, share=1):
    return le(x.sq(x.mean_vec(x.v)), share * x.mean(x.sq(x.v)))


@claim(
    "dadpfl/eq41-a",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Scalars(L=ROUND["L"], **THREE),
    repair="dadpfl/eq41-a~repaired",
    step=True,
    note="The third term is printed as a gradient less itself. K = 3 clients that are alike, f_k(w) = L w^2/2, models "
    "that differ, as masks of ones and different first models have them; convex, bounded below, all sigma = 0. With |grad "
    "f(~w_k) - grad f(~w)|^2 in its place, which may be meant: dadpfl/eq41-a@global.",
)
def eq41_a(x, share=1):
    W = [x.w1, x.w2, x.w3]
    return le(share * (mean([(x.L * w) ** 2 for w in W])), (x.L * mean(W)) ** 2)


@claim(
    "dadpfl/eq41-a@global",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Scalars(L=ROUND["L"], **{f"w{j}": real() for j in (1, 2, 3)}),
    repair="dadpfl/eq41-a~repaired",
    step=True,
    note="With |grad f(~w_k) - grad f(~w)|^2 as the third term, ~w the mean of the ~w_k. K = 3 clients that are alike, a "
    "Huber function with the derivative L w between -1 and 1; convex, bounded below, all sigma = 0. True for quadratics.",
)
def eq41_a_global(x, share=1):
    W = [x.w1, x.w2, x.w3]
    own, whole = [clipped(x, w) for w in W], clipped(x, mean(W))
    return le(share * mean([g**2 for g in own]), whole**2 + mean([(g - whole) ** 2 for g in own]))


@claim(
    "dadpfl/eq41-a~repaired",
    world=Points(Smooth("L"), at=("w", "v"), L=ROUND["L"]),
    control=Control("twice each is needed", share="1/2"),
    step=True,
    note="Of one client's model v and the global model w, f any smooth function: the mean over the clients has the mean "
    "of |~w_k - ~w|^2, the distance between the models, which (13) and Lemma 3 leave out.",
)
def eq41_a_repaired(x, share=1):
    at_v, at_w = (x.sq(x.mean_vec(x.f.grad(u))) for u in (x.v, x.w))
    return le(at_v, share * (2 * at_w + 2 * x.L**2 * x.sq(x.v - x.w)))


def tops(x, K):
    """What each client's derivative has beyond the common one at the models of all: c at its own."""
    return [[x.c * x.maximum(0, 1 - 4 * abs(j - k)) for j in range(K)] for k in range(K)]


@claim(
    "dadpfl/eq41-b",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Scalars(sizes={"K": (3, 4, 5)}, c=positive(GRADIENT)),
    repair="dadpfl/eq41-b~repaired",
    step=True,
    note="(9) speaks of one point and the sum of every client's own. Clients whose derivative is L w/2 and, of client "
    "k, c times a hat of width h around its own model 4 h k as well, c <= L h/2: convex, bounded below, L-smooth. At "
    "every w one hat at most is not 0, so that (9) and, with masks of ones, (10) hold with sigma_g^2 = sigma_p^2 = (K - "
    "1) c^2/K^2. |grad f(~w)|^2 is on both sides. False for K >= 4.",
)
def eq41_b(x, share=1):
    K = int(x.K)
    own = [(at[k] - mean(at)) ** 2 for k, at in enumerate(tops(x, K))]
    return le(share * (mean(own)), 2 * (K - 1) * x.c**2 / K**2)


@claim(
    "dadpfl/eq41-b~repaired",
    world=Points(
        Smooth("L"),
        at=("w",),
        L=ROUND["L"],
        **{k: BOUNDS[k] for k in ("sigma_g_sq", "sigma_p_sq")},
        given=(
            condition(
                "the mean of |grad f_k - grad f|^2 at w is at most sigma_g^2",
                lambda x: le(x.mean(x.sq(x.f.grad(x.w) - x.mean_vec(x.f.grad(x.w)))), x.sigma_g_sq),
                "(9)",
            ),
        ),
    ),
    control=Control("the spread counts", share=0),
    step=True,
    note="Where all clients have one model w; at most (K - 1) sigma_g^2 in general.",
)
def eq41_b_repaired(x, share=1):
    whole = x.sq(x.mean_vec(x.f.grad(x.w)))
    own = x.mean(x.sq(x.f.grad(x.w) - x.mean_vec(x.f.grad(x.w))))
    return le(own + whole, whole + share * (x.sigma_p_sq + x.sigma_g_sq))


# Lemma 4

QUADRATIC = Scalars(given=OF_LEMMA, sizes={"M": (2,)}, **ROUND)


def path(x, w, count):
    """The sum of L w_tau over the first local steps from w."""
    return sum(x.L * local_steps(x, w, E=tau) for tau in range(count))


def product_of(x, N=2):
    """The inner product of Lemma 4, the gradient at the first global model, and g^ of E_l^* + 1 = 5 steps."""
    first, second = global_models(x, N=N)
    slope = x.L * first
    return slope * (mean(second) - first), slope, path(x, first, 5)


@claim(
    "dadpfl/eq42",
    control=Control("half of the left side, which is negative and not low enough", share="1/2"),
    world=QUADRATIC,
    repair="dadpfl/eq42~repaired",
    note=f"E_l = 3, E_l^* = 4, all sigma = 0. {SETTING} g^ sums E_l^* + 1 gradients, each near grad f, so that its "
    "square is about 25 times that of grad f and the inner product -4. The identity behind it, dadpfl/eq43, has |grad f "
    "- g^|^2 left, which is large and not small.",
)
def eq42(x, share=1):
    inner, slope, g = product_of(x)
    return le(share * (inner), -x.eta / 2 * slope**2 - x.eta / 2 * g**2)


@claim(
    "dadpfl/eq42@parallel",
    control=Control("half of the left side, which is negative and not low enough", share="1/2"),
    world=QUADRATIC,
    note="The same for N = 0, with E_l = 3 steps a round and g^ of these 3.",
)
def eq42_parallel(x, share=1):
    first, second = global_models(x, N=0)
    slope = x.L * first
    g = path(x, first, 3)
    return le(share * (slope * (mean(second) - first)), -x.eta / 2 * slope**2 - x.eta / 2 * g**2)


@claim(
    "dadpfl/eq42~repaired",
    world=Points(
        None,
        at=("g", "F"),
        E_l=at_least(1),
        L=positive(CURVATURE),
        eta=positive(STEP),
        q=at_least(0, LENGTH**2),
        given=(condition("the mean gradient of a step is as near as that", lambda x: le(x.sq(x.g - x.F), x.q)),),
    ),
    control=Control("half of the drift", share="1/2"),
    note="With the mean g of the E_l gradients of a round in the place of their sum, for a round that goes -eta E_l g: "
    "F is grad f, and q a bound on |grad f - g|^2, the drift of the local steps and the distance of the models, "
    "dadpfl/thm3~repaired-direction. Any vectors, every E_l.",
)
def eq42_repaired(x, share=1):
    half = x.eta * x.E_l / 2
    return le(-x.eta * x.E_l * x.dot(x.F, x.g), -half * x.sq(x.F) - half * x.sq(x.g) + share * half * x.q)


@claim(
    "dadpfl/lemma4-proof-s2",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=QUADRATIC,
    repair="dadpfl/eq42~repaired",
    step=True,
    note=f"g^ has tau = 0 .. E_l^*, a step more than (27), and (27) fails. E_l = 3, E_l^* = 4. {SETTING}",
)
def lemma4_s2(x, share=1):
    inner, slope, g = product_of(x)
    return eq(share * (inner), -x.eta * slope * g)


RANDOM = Points(None, at=("F", "g", "e"))


@claim(
    "dadpfl/eq43",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=RANDOM,
    repair="dadpfl/eq43~repaired",
    step=True,
    note="E|g^|^2 is not |E g^|^2: g^ is g + e or g - e. Equal where g^ does not vary.",
)
def eq43(x, share=1):
    second = (x.sq(x.g + x.e) + x.sq(x.g - x.e)) / 2
    return eq(share * (-x.dot(x.F, x.g)), -x.sq(x.F) / 2 - second / 2 + x.sq(x.F - x.g) / 2)


@claim("dadpfl/eq43~repaired", world=RANDOM, step=True, control=Control("half", share="1/2"), note="With |E g^|^2.")
def eq43_repaired(x, share=1):
    return eq(-x.dot(x.F, x.g), share * (-x.sq(x.F) / 2 - x.sq(x.g) / 2 + x.sq(x.F - x.g) / 2))


@claim("dadpfl/lemma4-proof-s3", world=Points(None, at=("a", "b")), step=True, control=Control("half", share="1/2"))
def lemma4_s3(x, share=1):
    return eq(x.dot(x.a, x.b), share * (x.sq(x.a) + x.sq(x.b) - x.sq(x.a - x.b)) / 2)


@claim(
    "dadpfl/eq44-a",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=QUADRATIC,
    repair="dadpfl/eq44-a~repaired",
    step=True,
    note="g^ is a sum of E_l^* + 1 gradients and grad f is one: clients that are alike with one model, f_k(w) = L "
    "w^2/2, N = 0, E_l = 3 have 0 on the right.",
)
def eq44_a(x, share=1):
    return le(share * ((x.L * x.w - path(x, x.w, 5)) ** 2 / 2), 0)


@claim(
    "dadpfl/eq44-a~repaired",
    world=Points(Smooth("L"), at=("w",), clients_at=("W",), L=ROUND["L"]),
    control=Control("a half of the curvature", share="1/4"),
    step=True,
    note="With one gradient of every client at its own model W_k.",
)
def eq44_a_repaired(x, share=1):
    left = x.sq(x.mean_vec(x.f.grad(x.w)) - x.mean_vec(x.f.grad(x.W)))
    return le(left, share * x.L**2 * x.mean(x.sq(x.w - x.W)))


SPLIT = Points(None, at=(), clients_at=("G", "H"))
SUMS = Points(None, at=(), clients_at=("start", "G"), sizes={"m": (3, 4)}, eta=positive(), L=positive(CURVATURE))
READ = "G_k is what is printed behind E_P for client k, the sum of its estimates; P_{t,k} is printed as a probability and as a set."


@claim(
    "dadpfl/eq44-b",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=SUMS,
    repair="dadpfl/eq44-b~repaired",
    step=True,
    note=f"~w_k = start_k - eta G_k: every client is taken to have the global model at the start of the round. {READ}",
)
def eq44_b(x, share=1):
    models = x.start - x.eta * x.G
    return eq(share * (x.mean(x.sq(x.mean_vec(models) - models))), x.mean(x.sq(x.eta * x.G - x.eta * x.mean_vec(x.G))))


@claim(
    "dadpfl/eq44-b~repaired",
    world=Points(None, at=("start",), clients_at=("G",), eta=positive(), L=positive(CURVATURE)),
    step=True,
    control=Control("half", share="1/2"),
    note=f"With one model of all at the start. {READ}",
)
def eq44_b_repaired(x, share=1):
    models = x.start - x.eta * x.G
    return eq(x.mean(x.sq(x.mean_vec(models) - models)), share * x.mean(x.sq(x.eta * x.G - x.eta * x.mean_vec(x.G))))


@claim(
    "dadpfl/eq44-c", world=replace(SUMS, sizes=SPLIT.sizes), step=True, control=Control("half", share="1/2"), note=READ
)
def eq44_c(x, share=1):
    left = x.mean(x.sq(x.eta * x.G - x.eta * x.mean_vec(x.G)))
    return eq(left, share * x.eta**2 * x.mean(x.sq(x.G - x.mean_vec(x.G))))


SPLIT_NOTE = f"H_k is the same of the exact gradients. {READ}"


def parts(x):
    """Error of client k and H_k less the mean of all."""
    noise = x.G - x.H
    return noise, x.H - x.mean_vec(x.H)


@claim("dadpfl/eq44-d", world=SPLIT, step=True, control=Control("half", share="1/2"), note=SPLIT_NOTE)
def eq44_d(x, share=1):
    noise, apart = parts(x)
    return eq(x.mean(x.sq(x.G - x.mean_vec(x.G))), share * x.mean(x.sq(noise - x.mean_vec(noise) + apart)))


@claim(
    "dadpfl/eq44-e",
    world=SPLIT,
    control=Control("a third of it", share="1/3"),
    step=True,
    note="As printed, with H_j and not its error in the second term, which is not needed: the errors less their mean "
    f"have no larger mean square. The expectations outside the squares follow by convexity. {SPLIT_NOTE}",
)
def eq44_e(x, share=1):
    noise, apart = parts(x)
    left = x.mean(x.sq(noise - x.mean_vec(noise) + apart))
    return le(left, share * 3 * (x.mean(x.sq(noise)) + x.mean(x.sq(x.H)) + x.mean(x.sq(apart))))


@claim(
    "dadpfl/eq44-f",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=QUADRATIC,
    repair="dadpfl/eq44-f~repaired",
    step=True,
    note="Clients that are alike with exact gradients, f_k(w) = L w^2/2, one model, N = 0: all sigma = 0, and the "
    "second term is the sum of their gradients. The factor 3 mu^2 eta^2/2 of both sides is left out.",
)
def eq44_f(x, share=1):
    return le(share * (path(x, x.w, 5) ** 2), 0)


@claim(
    "dadpfl/eq44-f~repaired",
    world=Points(
        Smooth("L"),
        at=("w",),
        clients_at=("e",),
        L=ROUND["L"],
        n=at_least(1),
        **{k: BOUNDS[k] for k in ("sigma_g_sq", "sigma_l_sq")},
        given=(
            condition(
                "the mean of |grad f_k - grad f|^2 at w is at most sigma_g^2",
                lambda x: le(x.mean(x.sq(x.f.grad(x.w) - x.mean_vec(x.f.grad(x.w)))), x.sigma_g_sq),
                "(9)",
            ),
            condition(
                "the mean of the squared errors is at most sigma_l^2",
                lambda x: le(x.mean(x.sq(x.L * x.e)), x.sigma_l_sq),
                "(8)",
            ),
        ),
    ),
    control=Control("a tenth", share="1/10"),
    step=True,
    note="For n gradients at one model w and their errors, worst case: sums over n steps grow with n^2, and the term of "
    "all gradients is not among them.",
)
def eq44_f_repaired(x, share=1):
    apart = x.n * (x.f.grad(x.w) - x.mean_vec(x.f.grad(x.w)))
    return le(x.mean(x.sq(x.n * x.L * x.e)) + x.mean(x.sq(apart)), share * x.n**2 * (x.sigma_l_sq + x.sigma_g_sq))


WHOLE_SUM = Scalars(
    given=(condition("M < K", lambda x: le(x.M + 1, x.K), "Section IV-B"),),
    K=at_least(1),
    star=at_least(1),
    M=at_least(2),
    eta=positive(STEP),
    L=positive(CURVATURE),
    **{k: BOUNDS[k] for k in ("sigma_l_sq", "sigma_g_sq")},
)


def bracket(x):
    """The left side of the last line of (44); star is E_l^*."""
    each = x.star / x.M * x.sigma_l_sq + x.star * x.K * x.sigma_l_sq / (x.K * x.M)
    other = x.star / x.M * x.sigma_g_sq + x.star * x.K * x.sigma_g_sq / (x.K * x.M)
    return 3 * x.L**2 * x.eta**2 / (2 * x.K) * (each + other)


@claim(
    "dadpfl/eq44-g",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=WHOLE_SUM,
    repair="dadpfl/eq44-g~repaired",
    step=True,
    note="The left side has a factor 1/K that the right one lacks. K, M, E_l^* any numbers of at least 1, 1 < M < K.",
)
def eq44_g(x, share=1):
    return eq(share * (bracket(x)), 3 * x.L**2 * x.eta**2 * x.star / x.M * (x.sigma_l_sq + x.sigma_g_sq))


@claim("dadpfl/eq44-g~repaired", world=WHOLE_SUM, step=True, control=Control("half", share="1/2"), note="With 1/K.")
def eq44_g_repaired(x, share=1):
    return eq(bracket(x), share * 3 * x.L**2 * x.eta**2 * x.star / (x.K * x.M) * (x.sigma_l_sq + x.sigma_g_sq))


@claim(
    "dadpfl/lemma4-proof-s5",
    world=Points(None, at=("a", "b", "c")),
    step=True,
    control=Control("equal ones attain it", share="2/3"),
)
def lemma4_s5(x, share=1):
    return le(x.sq(x.a + x.b + x.c), share * 3 * (x.sq(x.a) + x.sq(x.b) + x.sq(x.c)))
