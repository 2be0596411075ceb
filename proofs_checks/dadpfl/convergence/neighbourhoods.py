"""Lemma 2: masks and expectations over the neighbourhoods of one client, (28) to (33)."""

from fractions import Fraction
from itertools import combinations

from fedtheory import Control, claim, eq, le
from fedtheory.units import GRADIENT, LENGTH
from problems import Points, Scalars, condition, real

from .worlds import ROUND

# masks, one weight: (28) and (29)


def with_own(x, first, second, own):
    """(28) for M = 2 and one weight: three models, each with its mask."""
    models, masks = zip(first, second, own, strict=True)
    return sum(models) / sum(masks) * own[1]


FOUR = (1, 2, 3, 4)
ROUND_OF_FOUR = {1: (2, 3), 2: (1, 4), 3: (1, 2), 4: (1, 2)}  # whom each of the four clients hears
WEIGHTED = {f"w{j}": real(LENGTH) for j in FOUR}


def sums(x, j, over):
    """Of client j's mask times: the sum of the models and of the masks of some clients."""
    kept = {i: int(i > x.pruned) for i in FOUR}  # the first ones have pruned it
    return kept[j] * sum(kept[i] * getattr(x, f"w{i}") for i in over), kept[j] * sum(kept[i] for i in over), kept[j]


def divided(heard):
    """(11) of every client and whom it hears, multiplied out; and no quotient is 0/0."""

    def alike(x):
        found = [sums(x, j, over) for j, over in heard]
        return *(eq(2 * w, m * w) for w, m, _ in found), *(le(keeps, m) for _, m, keeps in found)

    return condition("dividing by the masks is dividing by M, for every client, and never 0/0", alike, "(11)")


def eq29_of(x, heard, share=1):
    """(29) of every client and whom it hears, multiplied out."""
    own = [(*sums(x, j, (*over, j)), over) for j, over in heard]
    return tuple(eq(share * 3 * w * keeps, m * w * keeps) for w, m, keeps, _ in own)


@claim(
    "dadpfl/eq29",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Scalars(
        sizes={"pruned": (1,)}, **WEIGHTED, given=(divided(tuple(ROUND_OF_FOUR.items())),),
        example={"pruned": 1, "w1": 0, "w2": 0, "w3": 1, "w4": 0},
    ),
    repair="dadpfl/eq29~repaired",
    step=True,
    note="K = 4, M = 2, one weight, a round in which client 1 hears 2 and 3, client 2 hears 1 and 4, and 3 and 4 hear 1 and "
    "2: (11) is met by every client where client 3 alone has a weight that is not 0 and client 1 has pruned it, as both "
    "sides are 0 then or masked, and (29) is wrong for client 3: (11) is about the quotient and not about the masks. If "
    "(11) is asked for every choice of neighbours, it is true: dadpfl/eq29@every-choice.",
)  # fmt: skip
def eq29(x, share=1):
    return eq29_of(x, tuple(ROUND_OF_FOUR.items()), share)


EVERY = tuple((j, over) for j in FOUR for over in combinations([i for i in FOUR if i != j], 2))
WITH_OWN = tuple((j, (*over, j)) for j, over in EVERY)


def same_quotient(x, heard, times):
    """Of every client that keeps the weights: dividing the sum of the models by the masks is dividing it by `times`."""
    found = [sums(x, j, over) for j, over in heard]
    return tuple(le(x.sq((times - m) * w), 0) for w, m, keeps in found if keeps)


@claim(
    "dadpfl/eq29@every-choice",
    control=Control("four times the left side", share=4),
    world=Points(
        None, at=tuple(WEIGHTED), sizes={"pruned": (0, 1), "m": (1,)},
        given=(
            condition(
                "dividing by the masks is dividing by M, for every client and choice of neighbours",
                lambda x: same_quotient(x, EVERY, 2), "(11)",
            ),
        ),
    ),
    step=True,
    note="Where (11) holds for every client and every choice of its M neighbours, as these are drawn: then all clients keep the "
    "weights, or they are 0 in all. K = 4, M = 2, the weights that nobody or one client has pruned, as vectors; where two "
    "have, those who keep them may hear these two, which is 0/0.",
)  # fmt: skip
def eq29_every(x, share=1):
    return same_quotient(x, WITH_OWN, share * 3)


@claim(
    "dadpfl/eq29~repaired",
    world=Scalars(sizes={"m1": (1,), "m2": (1,), "mk": (0, 1)}, w1=real(LENGTH), w2=real(LENGTH), wk=real(LENGTH)),
    control=Control("over M", less=1),
    step=True,
    note="Where every neighbour keeps the weight and so does client k, or where client k has pruned it (then with its "
    "mask in the sum, M + m_k).",
)
def eq29_repaired(x, less=0):
    return eq(with_own(x, (x.w1, x.m1), (x.w2, x.m2), (x.wk, x.mk)), (x.w1 + x.w2 + x.wk) / (2 + x.mk - less) * x.mk)


# expectations over the neighbourhoods of client k, for models omega_1 .. omega_K that do not depend on it

MODELS = {f"v{j}": real(LENGTH) for j in (1, 2, 3, 4)}
SETS = Scalars(sizes={"K": (3, 4), "k": (1, 2, 3, 4), "M": (2,)}, **MODELS)
DRAWN = (
    "Over every choice of M = 2 neighbours of client k among K - 1 others, K = 3 or 4, with indices as they are; the models "
    "are any numbers. Where the indices are drawn as well: the claims @drawn."
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
    rated = average(
        x, [sum(v[j] * x.ratio(*inside[j][size[N]].as_integer_ratio()) for j in whole(k, N)) for N in cases]
    )
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
    "dadpfl/eq31-d@fixed",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    note="False unless M = K - 1: the sum goes over the neighbours that are drawn, and an indicator that knows only how "
    f"many of them are prior no longer knows that these were drawn. {DRAWN}",
    **EXACT,
)
def eq31_d(x, share=1):
    return eq(share * (indicated(x, prior, lambda k, N: N)), part_31(x)[1])


@claim(
    "dadpfl/eq31-f@fixed",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    note="Whether a neighbour is prior is known from its index: for K = 3, k = 2 client 1 is and client 3 is not, and "
    "one half is neither. True if the models are exchangeable, which those of a scheduled round are not: who is earlier "
    f"has less progress. {DRAWN}",
    **EXACT,
)
def eq31_f(x, share=1):
    _, rated, shared, _apart = part_31(x)
    return eq(share * (rated), shared)


@claim(
    "dadpfl/eq31-g@fixed",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    note=f"The number of prior neighbours depends on who they are, unless M = K - 1. {DRAWN}",
    **EXACT,
)
def eq31_g(x, share=1):
    _, _rated, shared, apart = part_31(x)
    return eq(share * (shared), apart)


def all_of(x):
    """The mean of all K models."""
    return sum(models(x).values()) / x.K


@claim(
    "dadpfl/eq31-h@fixed",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    note=f"The mean over the neighbours leaves out client k. {DRAWN}",
    **EXACT,
)
def eq31_h(x, share=1):
    k, _ = choices(x)
    return eq(share * (part_31(x)[3]), x.ratio((k - 1) * int(x.M), int(x.K) - 1) * all_of(x))


OTHERS = Points(None, at=("u",), clients_at=("v",), sizes={"S": (1, 2, 3)})


@claim(
    "dadpfl/eq31-h~repaired",
    world=OTHERS,
    control=Control("half of it", share="1/2"),
    step=True,
    note="E of the sum over the prior neighbours is M/(K - 1) times the sum over all earlier clients: here m = K - 1 "
    "others, of which S = M are drawn, v_j is the model of an earlier client and 0 of a later one, and u any vector. "
    "For every K, M and k; the other way round it is (32).",
)
def eq31_h_repaired(x, share=1):
    return eq(x.dot(x.E(lambda draw: x.total_vec(x.v, over=draw)), x.u), share * x.S * x.dot(x.mean_vec(x.v), x.u))


@claim("dadpfl/eq32-a", note=DRAWN, **TRUE)
def eq32_a(x, share=1):
    return eq(part_32(x)[0], share * by_size(x, behind))


@claim("dadpfl/eq32-b", note=DRAWN, **TRUE)
def eq32_b(x, share=1):
    return eq(by_size(x, behind), share * indicated(x, behind, lambda k, N: [*N, k]))


@claim(
    "dadpfl/eq32-d@fixed",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    note=f"As eq31-d. {DRAWN}",
    **BEHIND,
)
def eq32_d(x, share=1):
    return eq(share * (indicated(x, behind, lambda k, N: [*N, k])), part_32(x)[1])


@claim(
    "dadpfl/eq32-f",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    note=f"As eq31-f, and client k itself is among them for certain, whoever it is: dadpfl/eq32-f@drawn. {DRAWN}",
    **BEHIND,
)
def eq32_f(x, share=1):
    _, rated, shared, _apart = part_32(x)
    return eq(share * (rated), shared)


@claim(
    "dadpfl/eq32-g@fixed",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    note=f"As eq31-g. {DRAWN}",
    **BEHIND,
)
def eq32_g(x, share=1):
    _, _rated, shared, apart = part_32(x)
    return eq(share * (shared), apart)


@claim(
    "dadpfl/eq32-h@fixed",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    note=f"True for M = K - 1. Else client k counts as one of M + 1 models and not with its share of all K. {DRAWN}",
    **BEHIND,
)
def eq32_h(x, share=1):
    k, _ = choices(x)
    K, M = int(x.K), int(x.M)
    return eq(share * (part_32(x)[3]), x.ratio((K - k) * (M + 1), K - 1) * all_of(x))


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

TWO = Scalars(
    sizes={"K": (3, 4), "k": (1, 2, 3, 4), "M": (2,)}, **MODELS, **{f"u{j}": real(LENGTH) for j in (1, 2, 3, 4)}
)


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
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Scalars(sizes={"K": (3, 4), "k": (1, 2, 3, 4), "M": (2,)}, before=real(LENGTH), after=real(LENGTH)),
    repair="dadpfl/eq33-a~repaired",
    step=True,
    note="The weights do not sum up to 1 for k > 1: without any gradient the average is 1/(M + 1) short for k = K. All "
    "clients have one model before training and one after it, so that it does not matter whose index is whose. Over every "
    "choice of M = 2 neighbours, K = 3 or 4; dense masks.",
)
def eq33_a(x, share=1):
    k, cases = choices(x)
    a, b = shares(x)
    mixed = average(x, [len(prior(k, N)) * x.after + len(behind(k, N)) * x.before for N in cases]) / (x.M + 1)
    return eq(share * mixed, a * x.after + b * x.before)


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
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=WEIGHTS,
    repair="dadpfl/eq33-b~repaired",
    step=True,
    note="With E bar^{t+1} = E bar^t - eta g, g the mean of the local sums of gradients: the left side is short of "
    "bar^t, since its weights do not sum up to 1.",
)
def eq33_b(x, share=1):
    a, b = shares(x)
    return eq(share * (a * (x.bar - x.eta * x.g) + b * x.bar), x.bar - a * x.eta * x.g)


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
    _k, cases = choices(x)
    v = models(x)
    return eq(aggregated(x), share * average(x, [v[1] + sum(v[j] for j in N) for N in cases]) / (x.M + 1))
