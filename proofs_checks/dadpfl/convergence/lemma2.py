"""Lemma 2: the expected global model of a scheduled round, (27) to (39)."""

from fractions import Fraction
from itertools import combinations

from fedtheory import Control, claim, eq, le
from fedtheory.units import GRADIENT, LENGTH
from problems import Points, Scalars, Smooth, at_least, condition, positive, real

from .worlds import ROUND, SETTING, global_models, local_steps, mean, one_round

# masks, one weight: (28) and (29)

MASKED = Scalars(
    sizes={"m1": (0, 1), "m2": (0, 1), "mk": (1,)}, w1=real(LENGTH), w2=real(LENGTH), wk=real(LENGTH),
    given=(
        condition("all models are sparse", lambda x: (eq(x.w1 * x.m1, x.w1), eq(x.w2 * x.m2, x.w2), eq(x.wk * x.mk, x.wk))),
        condition(
            "over the M neighbours the masks sum up to M",
            lambda x: eq((x.w1 + x.w2) / (x.m1 + x.m2) * x.mk, (x.w1 + x.w2) / 2 * x.mk),
            "(11)",
        ),
    ),
)  # fmt: skip


def with_own(x):
    """(28) for M = 2 and one weight that client k keeps."""
    return (x.w1 + x.w2 + x.wk) / (x.m1 + x.m2 + x.mk) * x.mk


@claim(
    "dadpfl/eq29",
    world=MASKED,
    repair="dadpfl/eq29~repaired",
    step=True,
    note="Masked or dense models, M = 2, one weight. (11) is about the quotient and not about the masks: where one neighbour has pruned the "
    "weight and the other keeps it at 0, both sides of (11) are 0, and (29) is wrong. Else (11) leaves dense models only, dadpfl/eq11-b@dense.",
)
def eq29(x):
    return eq(with_own(x), (x.w1 + x.w2 + x.wk) / 3 * x.mk)


@claim(
    "dadpfl/eq29~repaired",
    world=Scalars(sizes={"m1": (1,), "m2": (1,), "mk": (0, 1)}, w1=real(LENGTH), w2=real(LENGTH), wk=real(LENGTH)),
    control=Control("over M", less=1),
    step=True,
    note="Where every neighbour keeps the weight and so does client k, or where client k has pruned it (then with its mask in the sum, M + m_k).",
)
def eq29_repaired(x, less=0):
    return eq(with_own(x), (x.w1 + x.w2 + x.wk) / (2 + x.mk - less) * x.mk)


# expectations over the neighbourhoods of client k, for models omega_1 .. omega_K that do not depend on it

MODELS = {f"v{j}": real(LENGTH) for j in (1, 2, 3, 4)}
SETS = Scalars(sizes={"K": (3, 4), "k": (1, 2, 3, 4), "M": (2,)}, **MODELS)
DRAWN = (
    "Over every choice of M = 2 neighbours of client k among K - 1 others, K = 3 or 4; the models are any numbers. (31) writes them as fixed "
    "numbers, with indices as they are: of quadratics with minimisers of their own they are arbitrary."
)


def models(x):
    """The models by index, from 1."""
    return {j: getattr(x, f"v{j}") for j in range(1, int(x.K) + 1)}


def choices(x):
    """k and all its neighbourhoods, as sets of indices."""
    K = int(x.K)
    k = min(int(x.k), K)
    return k, list(combinations([j for j in range(1, K + 1) if j != k], int(x.M)))


def prior(k, N):
    """N_(a)k."""
    return [j for j in N if j < k]


def behind(k, N):
    """N_(b)k+."""
    return [j for j in N if j > k] + [k]


def average(x, values):
    """A mean over equally likely cases."""
    return sum(values) * x.ratio(1, len(values))


def conditional(cases, of, given):
    """P(of | given) by the value of `given`."""
    out = {}
    for value in {given(N) for N in cases}:
        inside = [N for N in cases if given(N) == value]
        out[value] = Fraction(sum(map(of, inside)), len(inside))
    return out


def part_31(x):
    """The expressions of (31) by their letters; the first is the one before a."""
    return expressions(x, prior, lambda k, N: list(N), 0)


def part_32(x):
    """The expressions of (32)."""
    return expressions(x, behind, lambda k, N: [*N, k], 1)


def expressions(x, part, whole, own):
    """The seven expressions of a chain: `part` of the neighbours, all of them, and what the number of them is lowered by."""
    k, cases = choices(x)
    v, M = models(x), int(x.M)
    size = {N: len(part(k, N)) for N in cases}
    plain = average(x, [sum(v[j] for j in part(k, N)) for N in cases])
    inside = {j: conditional(cases, lambda N, j=j: j in part(k, N), size.get) for j in v}
    rated = average(x, [sum(v[j] * x.ratio(*inside[j][size[N]].as_integer_ratio()) for j in whole(k, N)) for N in cases])
    shared = average(x, [sum(v[j] for j in whole(k, N)) * x.ratio(size[N] - own, M) for N in cases])
    number = average(x, [x.ratio(n - own, 1) for n in size.values()])
    apart = number * average(x, [sum(v[j] for j in whole(k, N)) for N in cases]) / M
    return plain, rated, shared, apart


def by_size(x, part):
    """E(E(sum over the part | its size)), counted by size."""
    k, cases = choices(x)
    v, out = models(x), 0
    for n in sorted({len(part(k, N)) for N in cases}):
        inside = [N for N in cases if len(part(k, N)) == n]
        out = out + x.ratio(len(inside), len(cases)) * average(x, [sum(v[j] for j in part(k, N)) for N in inside])
    return out


def indicated(x, part, whole):
    """The same with an indicator, over all neighbours."""
    k, cases = choices(x)
    v = models(x)
    return average(x, [sum(v[j] * int(j in part(k, N)) for j in whole(k, N)) for N in cases])


TRUE = {"control": Control("half of it", share="1/2"), "world": SETS, "step": True}
EXACT = {"repair": "dadpfl/eq31-h~repaired", "world": SETS, "step": True}
BEHIND = {"repair": "dadpfl/eq32-h~repaired", "world": SETS, "step": True}


@claim("dadpfl/eq31-a", note=DRAWN, **TRUE)
def eq31_a(x, share=1):
    return eq(part_31(x)[0], share * by_size(x, prior))


@claim("dadpfl/eq31-b", note=DRAWN, **TRUE)
def eq31_b(x, share=1):
    return eq(by_size(x, prior), share * indicated(x, prior, lambda k, N: N))


@claim(
    "dadpfl/eq31-d",
    note="False unless M = K - 1: the sum goes over the neighbours that are drawn, and an indicator that knows only how many of them are prior "
    f"no longer knows that these were drawn. {DRAWN}",
    **EXACT,
)
def eq31_d(x):
    return eq(indicated(x, prior, lambda k, N: N), part_31(x)[1])


@claim(
    "dadpfl/eq31-f",
    note="Whether a neighbour is prior is known from its index: for K = 3, k = 2 client 1 is and client 3 is not, and one half is neither. True if "
    f"the models are exchangeable, which those of a scheduled round are not: who is earlier has less progress. {DRAWN}",
    **EXACT,
)
def eq31_f(x):
    plain, rated, shared, apart = part_31(x)
    return eq(rated, shared)


@claim("dadpfl/eq31-g", note=f"The number of prior neighbours depends on who they are, unless M = K - 1. {DRAWN}", **EXACT)
def eq31_g(x):
    plain, rated, shared, apart = part_31(x)
    return eq(shared, apart)


def all_of(x):
    """The mean of all K models."""
    return sum(models(x).values()) / x.K


@claim("dadpfl/eq31-h", note=f"The mean over the neighbours leaves out client k. {DRAWN}", **EXACT)
def eq31_h(x):
    k, _ = choices(x)
    return eq(part_31(x)[3], x.ratio((k - 1) * int(x.M), int(x.K) - 1) * all_of(x))


OTHERS = Points(None, at=(), clients_at=("v",), sizes={"S": (1, 2, 3)}, a=at_least(0, per_client=True))


@claim(
    "dadpfl/eq31-h~repaired",
    world=OTHERS,
    control=Control("half of it", share="1/2"),
    step=True,
    note="E of the sum over the prior neighbours is M/(K - 1) times the sum over all earlier clients: here m = K - 1 others, S = M of them are "
    "drawn, and a_j is 1 for the prior ones and 0 for the others (any weights). For every K, M and k; with a_j = 1 for the later ones it is (32).",
)
def eq31_h_repaired(x, share=1):
    weighted = x.a[..., None] * x.v
    return eq(x.dot(x.E(lambda draw: x.total_vec(weighted, over=draw)) - share * x.S * x.mean_vec(weighted), x.total_vec(x.v)), 0)


@claim("dadpfl/eq32-a", note=DRAWN, **TRUE)
def eq32_a(x, share=1):
    return eq(part_32(x)[0], share * by_size(x, behind))


@claim("dadpfl/eq32-b", note=DRAWN, **TRUE)
def eq32_b(x, share=1):
    return eq(by_size(x, behind), share * indicated(x, behind, lambda k, N: [*N, k]))


@claim("dadpfl/eq32-d", note=f"As eq31-d. {DRAWN}", **BEHIND)
def eq32_d(x):
    return eq(indicated(x, behind, lambda k, N: [*N, k]), part_32(x)[1])


@claim("dadpfl/eq32-f", note=f"As eq31-f; client k itself is among them for certain. {DRAWN}", **BEHIND)
def eq32_f(x):
    plain, rated, shared, apart = part_32(x)
    return eq(rated, shared)


@claim("dadpfl/eq32-g", note=f"As eq31-g. {DRAWN}", **BEHIND)
def eq32_g(x):
    plain, rated, shared, apart = part_32(x)
    return eq(shared, apart)


@claim(
    "dadpfl/eq32-h",
    note=f"True for M = K - 1. Else client k counts as one of M + 1 models and not with its share of all K. {DRAWN}",
    **BEHIND,
)
def eq32_h(x):
    k, _ = choices(x)
    K, M = int(x.K), int(x.M)
    return eq(part_32(x)[3], x.ratio((K - k) * (M + 1), K - 1) * all_of(x))


@claim(
    "dadpfl/eq32-h~repaired",
    world=SETS,
    control=Control("without client k", own=0),
    step=True,
    note=f"omega_k + M/(K - 1) times the sum over all later clients. For every K, M and k: dadpfl/eq31-h~repaired. {DRAWN}",
)
def eq32_h_repaired(x, own=1):
    k, _ = choices(x)
    v = models(x)
    later = sum(v[j] for j in v if j > k)
    return eq(part_32(x)[0], own * v[k] + x.ratio(int(x.M), int(x.K) - 1) * later)


# (33): the expected aggregated model of client k

TWO = Scalars(sizes={"K": (3, 4), "k": (1, 2, 3, 4), "M": (2,)}, **MODELS, **{f"u{j}": real(LENGTH) for j in (1, 2, 3, 4)})


def aggregated(x):
    """E of (29): prior neighbours with their trained models u, the others and client k with v."""
    k, cases = choices(x)
    v, u = models(x), {j: getattr(x, f"u{j}") for j in range(1, int(x.K) + 1)}
    return average(x, [sum(u[j] for j in prior(k, N)) + sum(v[j] for j in behind(k, N)) for N in cases]) / (x.M + 1)


def shares(x):
    """The two weights of (33)."""
    k, _ = choices(x)
    K, M = int(x.K), int(x.M)
    return x.ratio((k - 1) * M, (K - 1) * (M + 1)), x.ratio(K - k, K - 1)


TRAINED = "u are the models after training and v before; dense masks."


@claim(
    "dadpfl/eq33-a",
    world=TWO,
    repair="dadpfl/eq33-a~repaired",
    step=True,
    note=f"The weights do not sum up to 1 for k > 1: without any gradient, all models equal, the average is 1/(M + 1) short for k = K. {TRAINED} {DRAWN}",
)
def eq33_a(x):
    K = int(x.K)
    a, b = shares(x)
    return eq(aggregated(x), a * sum(getattr(x, f"u{j}") for j in range(1, K + 1)) / K + b * all_of(x))


@claim(
    "dadpfl/eq33-a~repaired",
    world=TWO,
    control=Control("without client k", own=0),
    step=True,
    note=f"[omega_k + M/(K - 1) (all earlier ones after training + all later ones before it)]/(M + 1). {TRAINED} {DRAWN}",
)
def eq33_a_repaired(x, own=1):
    k, _ = choices(x)
    K, M = int(x.K), int(x.M)
    others = sum(getattr(x, f"u{j}") for j in range(1, k)) + sum(getattr(x, f"v{j}") for j in range(k + 1, K + 1))
    return eq(aggregated(x), (own * getattr(x, f"v{k}") + x.ratio(M, K - 1) * others) / (M + 1))


BARS = {"bar": real(LENGTH), "g": real(GRADIENT), "eta": ROUND["eta"]}
WEIGHTS = Scalars(sizes={"K": (3, 4), "k": (1, 2, 3, 4), "M": (2,)}, **BARS)


@claim(
    "dadpfl/eq33-b",
    world=WEIGHTS,
    repair="dadpfl/eq33-b~repaired",
    step=True,
    note="With E bar^{t+1} = E bar^t - eta g, g the mean of the local sums of gradients: the left side is short of bar^t, since its weights do "
    "not sum up to 1.",
)
def eq33_b(x):
    a, b = shares(x)
    return eq(a * (x.bar - x.eta * x.g) + b * x.bar, x.bar - a * x.eta * x.g)


@claim("dadpfl/eq33-b~repaired", world=WEIGHTS, step=True, control=Control("nor is it less", share=2),
       note="With the weight 1 - a of bar^t in the place of (K - k)/(K - 1).")  # fmt: skip
def eq33_b_repaired(x, share=1):
    a, _ = shares(x)
    return eq(a * (x.bar - x.eta * x.g) + (1 - a) * x.bar, x.bar - share * a * x.eta * x.g)


@claim(
    "dadpfl/lemma2-proof-s4",
    world=Scalars(sizes={"K": (3, 4), "k": (1,), "M": (2,)}, **MODELS, **{f"u{j}": real(LENGTH) for j in (1, 2, 3, 4)}),
    control=Control("half of it", share="1/2"),
    step=True,
    note=f"Client 1 has no prior neighbour and hears models before training only. {TRAINED} {DRAWN}",
)
def s4(x, share=1):
    k, cases = choices(x)
    v = models(x)
    return eq(aggregated(x), share * average(x, [v[1] + sum(v[j] for j in N) for N in cases]) / (x.M + 1))


LINEAR = Scalars(sizes={"K": (3, 4, 5), "M": (2,)}, **BARS)


def delayed(x):
    """The mean of (k - 1) M/((K - 1)(M + 1)) over k."""
    K, M = int(x.K), int(x.M)
    return sum(x.ratio((k - 1) * M, (K - 1) * (M + 1)) for k in range(1, K + 1)) / K


@claim(
    "dadpfl/eq34-b",
    world=LINEAR,
    repair="dadpfl/eq34-b~repaired",
    step=True,
    note="Clients with one constant gradient, of which E_l sum up to g, dense masks: the first line sums over M + 1 clients and does not divide by "
    "their number, the second has their mean.",
)
def eq34_b(x):
    a = delayed(x)
    return eq(x.bar - a * x.eta * (x.M + 1) * x.g, x.bar - a * x.eta * x.g)


@claim("dadpfl/eq34-b~repaired", world=LINEAR, step=True, control=Control("half", share="1/2"), note="With the sum over M + 1.")
def eq34_b_repaired(x, share=1):
    a = delayed(x)
    return eq(x.bar - a * x.eta * (x.M + 1) * x.g / (x.M + 1), x.bar - share * a * x.eta * x.g)


@claim(
    "dadpfl/eq35",
    world=Points(None, at=("bar",), clients_at=("g",), a=at_least(0, per_client=True), eta=ROUND["eta"]),
    control=Control("half", share="1/2"),
    step=True,
    note="Any vectors; the masks are in g. In print the mask in the last term has an index k that is no longer summed over.",
)
def eq35(x, share=1):
    left = x.mean_vec(x.bar - x.eta * x.a[..., None] * x.g)
    return eq(x.sq(left - x.bar), share * x.sq(x.eta * x.mean_vec(x.a[..., None] * x.g)))


CONSTANT = Scalars(g=real(GRADIENT), **ROUND)


def with_slope(x):
    """Global models of two rounds where every local step has the gradient g, and three steps."""
    return global_models(x, slope=lambda w: x.g)


@claim(
    "dadpfl/eq34-a",
    world=CONSTANT,
    repair="dadpfl/eq36~repaired",
    step=True,
    note="K = 3, M = 2, N = M, E_l = 3, one first model and linear clients that are alike: the right side sums over M + 1 clients, and what a prior "
    "client has got from its own prior clients is missing.",
)
def eq34_a(x):
    return eq(with_slope(x)[0], x.w - x.ratio(1, 3) * x.eta * 9 * x.g)


@claim(
    "dadpfl/eq36",
    world=CONSTANT,
    repair="dadpfl/eq36~repaired",
    step=True,
    note="K = 3, M = 2, N = M, E_l = 3, one first model, linear clients that are alike: the global model goes 10/27 of E_l steps and not 1/3 of them, "
    "since prior clients hand on what they have got from their own prior clients. By quadratics, bounded below: dadpfl/eq27.",
)
def eq36(x):
    return eq(with_slope(x)[0], x.w - x.ratio(1, 3) * x.eta * 3 * x.g)


@claim("dadpfl/eq36~repaired", world=CONSTANT, step=True, control=Control("a third of E_l steps", more=0),
       note="For K = 3, M = 2, N = M, E_l = 3 and constant gradients: (1/3 + 1/27) E_l steps.")  # fmt: skip
def eq36_repaired(x, more=1):
    return eq(with_slope(x)[0], x.w - (x.ratio(1, 3) + more * x.ratio(1, 27)) * x.eta * 3 * x.g)


# from one round to the next

DENSE = Points(Smooth("L"), at=("w", "v"), L=ROUND["L"])


@claim(
    "dadpfl/eq37",
    world=DENSE,
    control=Control("L/2 |w|^2 attains it", share="9/10"),
    step=True,
    note="f(grad w) is read as grad f(w), without which the inner product is one of a number and a vector. Any two models.",
)
def eq37(x, share=1):
    rest = x.dot(x.mean_vec(x.f.grad(x.w)), x.v - x.w) + share * x.L / 2 * x.sq(x.v - x.w)
    return le(x.mean(x.f.value(x.v)) - x.mean(x.f.value(x.w)), rest)


GRADIENTS = Scalars(sizes={"K": (3, 4), "k": (1, 2, 3, 4), "M": (2,)}, **{f"v{j}": real(GRADIENT) for j in (1, 2, 3, 4)})


@claim(
    "dadpfl/lemma2-proof-s8",
    world=GRADIENTS,
    repair="dadpfl/lemma2-proof-s8~repaired",
    step=True,
    note="For every k: client k is always among its own M + 1 clients, and the others only with probability M/(K - 1). True for M = K - 1, and in the mean over "
    "k. The gradients are any numbers, those of linear clients or of quadratics at one model.",
)
def s8(x):
    k, cases = choices(x)
    v = models(x)
    return eq(all_of(x), average(x, [v[k] + sum(v[j] for j in N) for N in cases]) / (x.M + 1))


@claim(
    "dadpfl/lemma2-proof-s8~repaired",
    world=Points(None, at=(), clients_at=("v",), M=at_least(1), given=(condition("1 < K", lambda x: le(2, x.m)),)),
    control=Control("without the M", own=0),
    step=True,
    note="In the mean over k: (g_k + M times the mean of the others)/(M + 1) has the mean of all for every K and M. That this is the expectation over M "
    "neighbours of client k is dadpfl/eq31-h~repaired with a = 1.",
)
def s8_repaired(x, own=1):
    others = (x.m * x.mean_vec(x.v) - x.v) / (x.m - 1)
    mixed = (x.v + own * x.M * others) / (x.M + 1)
    return eq(x.sq(x.mean_vec(mixed) - x.mean_vec(x.v)), 0), eq(x.dot(x.mean_vec(mixed), x.mean_vec(x.v)), x.sq(x.mean_vec(x.v)))


def clipped(x, w):
    """The derivative of a Huber function: L w between -1 and 1."""
    return x.L * x.maximum(-1, x.minimum(1, w))


HUBER = Scalars(L=ROUND["L"], eta=ROUND["eta"], w=real())


@claim(
    "dadpfl/eq38-b",
    world=HUBER,
    repair="dadpfl/eq38-b~repaired",
    step=True,
    note="K = 3, M = 2, N = M, E_l = 3, one first model and one Huber function for all clients, which is convex and bounded below, sigma_g = 0: the clients "
    "start their local steps at models of their own, and the mean of their gradients is not the gradient at the mean.",
)
def eq38_b(x):
    before, after = one_round(x, [x.w] * 3, slope=lambda w: clipped(x, w))
    whole = mean(before)
    return eq(mean(after), local_steps(x, whole, slope=lambda w: clipped(x, w)))


@claim("dadpfl/eq38-b~repaired", world=HUBER, step=True, control=Control("without the steps", share=0),
       note="With the gradients of every client at its own models; K = 3, N = M, E_l = 3.")  # fmt: skip
def eq38_b_repaired(x, share=1):
    before, after = one_round(x, [x.w] * 3, slope=lambda w: clipped(x, w))
    gone = mean([w - local_steps(x, w, slope=lambda w: clipped(x, w)) for w in before])
    return eq(mean(after), mean(before) - share * gone)


QUADRATIC = Scalars(**ROUND)


def sums(x, w, first, count):
    """The sum of L w_tau over `count` local steps from the step `first` on, started at w."""
    return sum(x.L * local_steps(x, w, E=tau) for tau in range(first, first + count))


@claim(
    "dadpfl/eq39",
    world=QUADRATIC,
    repair="dadpfl/eq39~repaired",
    step=True,
    note="E_l = 3, M = 2, E_l^* = 4, clients that are alike with f(w) = L w^2/2: on the left M/(2(M + 1)) = 1/3 of E_l more steps, on the right one more "
    "step. Equal for constant gradients.",
)
def eq39(x):
    left = sums(x, x.w, 0, 3) + x.ratio(1, 3) * sums(x, x.w, 3, 3)
    return eq(x.w - x.eta * left, x.w - x.eta * sums(x, x.w, 0, 4))


@claim("dadpfl/eq39~repaired", world=Scalars(g=real(GRADIENT), M=at_least(1), E_l=at_least(1)), step=True,
       control=Control("E_l steps", share=0), note="For constant gradients g, every M and E_l.")  # fmt: skip
def eq39_repaired(x, share=1):
    star = (3 * x.M + 2) / (2 * (x.M + 1)) * x.E_l
    return eq(x.E_l * x.g + share * x.M / (2 * (x.M + 1)) * x.E_l * x.g, star * x.g)


@claim(
    "dadpfl/eq27",
    world=QUADRATIC,
    repair="dadpfl/eq27~repaired",
    note=f"E_l = 3, so that E_l^* = 4 is whole: the expected global model of the second round against four local steps from that of the first. {SETTING}",
)
def eq27(x):
    first, second = global_models(x)
    return eq(mean(second), first - x.eta * sums(x, first, 0, 4))


@claim(
    "dadpfl/eq27@parallel",
    world=QUADRATIC,
    note="N = 0, with which nobody waits: then a round is E_l steps and not E_l^*. K = 3, M = 2, E_l = 3; clients as in dadpfl/eq27.",
)
def eq27_parallel(x):
    first, second = global_models(x, N=0)
    return eq(mean(second), first - x.eta * sums(x, first, 0, 4))


@claim(
    "dadpfl/eq27@constant",
    world=CONSTANT,
    note="Constant gradients, linear clients that are alike: a round goes (1 + 10/27) E_l steps and not (1 + 1/3) E_l, in dadpfl/eq36 as well.",
)
def eq27_constant(x):
    first, second = with_slope(x)
    return eq(mean(second), first - x.eta * 4 * x.g)


@claim(
    "dadpfl/eq27~repaired",
    world=Points(None, at=(), clients_at=("v", "h"), M=at_least(1), eta=positive(), given=(condition("1 < K", lambda x: le(2, x.m)),)),
    control=Control("without the step", share=0),
    note="N = 0, dense masks, for every K, M and E_l: the expected global model is the last one less eta times the mean of the sums h_k of E_l gradients of the "
    "clients, each at its own models v_k; what follows is mixed, which keeps the mean in expectation, dadpfl/lemma2-proof-s8~repaired.",
)
def eq27_repaired(x, share=1):
    trained = x.v - x.eta * x.h
    others = (x.m * x.mean_vec(trained) - trained) / (x.m - 1)
    after = x.mean_vec((trained + x.M * others) / (x.M + 1))
    return eq(x.sq(after - x.mean_vec(x.v)), share * x.sq(x.eta * x.mean_vec(x.h)))
