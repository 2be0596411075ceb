"""Lemma 2: the expected global model of a scheduled round, (27) and (34) to (39)."""

from fedtheory import Control, claim, eq, le
from fedtheory.units import GRADIENT
from problems import Points, Scalars, Sequences, Smooth, at_least, positive, real

from .neighbourhoods import BARS, all_of, average, choices, models
from .worlds import ROUND, SETTING, global_models, local_steps, mean, one_round, scheduled

LINEAR = Scalars(sizes={"K": (3, 4, 5), "M": (2,)}, **BARS)


def delayed(x):
    """The mean of (k - 1) M/((K - 1)(M + 1)) over k."""
    K, M = int(x.K), int(x.M)
    return sum(x.ratio((k - 1) * M, (K - 1) * (M + 1)) for k in range(1, K + 1)) / K


@claim(
    "dadpfl/eq34-b",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=LINEAR,
    repair="dadpfl/eq34-b~repaired",
    step=True,
    note="Clients with one constant gradient, of which E_l sum up to g, dense masks: the first line sums over M + 1 "
    "clients and does not divide by their number, the second has their mean.",
)
def eq34_b(x, share=1):
    a = delayed(x)
    return eq(share * (x.bar - a * x.eta * (x.M + 1) * x.g), x.bar - a * x.eta * x.g)


@claim(
    "dadpfl/eq34-b~repaired",
    world=LINEAR,
    step=True,
    control=Control("half", share="1/2"),
    note="With the sum over M + 1.",
)
def eq34_b_repaired(x, share=1):
    a = delayed(x)
    return eq(x.bar - a * x.eta * (x.M + 1) * x.g / (x.M + 1), x.bar - share * a * x.eta * x.g)


@claim(
    "dadpfl/eq35",
    world=Points(None, at=("bar", "u"), clients_at=("g",), eta=positive()),
    control=Control("half", share="1/2"),
    step=True,
    note="Along any u; g_k is any vector, with its weight and its mask. In print the mask in the last term has an index "
    "k that is no longer summed over.",
)
def eq35(x, share=1):
    left = x.mean_vec(x.bar - x.eta * x.g)
    return eq(x.dot(left, x.u), x.dot(x.bar, x.u) - share * x.eta * x.dot(x.mean_vec(x.g), x.u))


QUADRATIC = Scalars(**ROUND)


def sums(x, w, first, count):
    """The sum of L w_tau over `count` local steps from the step `first` on, started at w."""
    return sum(x.L * local_steps(x, w, E=tau) for tau in range(first, first + count))


CONSTANT = Scalars(g=real(GRADIENT), **ROUND)


def with_slope(x):
    """Global models of two rounds where every local step has the gradient g, and three steps."""
    return global_models(x, slope=lambda w: x.g)


@claim(
    "dadpfl/eq34-a",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=QUADRATIC,
    repair="dadpfl/eq36~repaired",
    step=True,
    note="E_l = 3: the right side sums over M + 1 clients, and what a prior client has got from its own prior clients "
    f"is missing. Any step; dadpfl/eq34-a@small-steps. {SETTING}",
)
def eq34_a(x, share=1):
    return eq(share * (global_models(x)[0]), x.w - x.ratio(1, 3) * x.eta * 3 * sums(x, x.w, 0, 3))


@claim(
    "dadpfl/eq36",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=QUADRATIC,
    repair="dadpfl/eq36~repaired",
    step=True,
    note="E_l = 3: prior clients hand on what they have got from their own prior clients. With a constant gradient the "
    "global model goes 10/27 of E_l steps and not 1/3 of them, dadpfl/eq36@constant. Any step; dadpfl/eq36@small-steps. "
    f"{SETTING}",
)
def eq36(x, share=1):
    return eq(share * (global_models(x)[0]), x.w - x.ratio(1, 3) * x.eta * sums(x, x.w, 0, 3))


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


GRADIENTS = Scalars(
    sizes={"K": (3, 4), "k": (1, 2, 3, 4), "M": (2,)}, **{f"v{j}": real(GRADIENT) for j in (1, 2, 3, 4)}
)


@claim(
    "dadpfl/lemma2-proof-s8@fixed",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=GRADIENTS,
    repair="dadpfl/lemma2-proof-s8~repaired",
    step=True,
    note="For every client k, with its neighbours drawn: client k is always among its own M + 1 clients, and the others "
    "only with probability M/(K - 1). True for M = K - 1, and where k is drawn as well: dadpfl/lemma2-proof-s8~repaired. "
    "The gradients are any numbers, those of linear clients or of quadratics at one model.",
)
def s8(x, share=1):
    k, cases = choices(x)
    v = models(x)
    return eq(share * (all_of(x)), average(x, [v[k] + sum(v[j] for j in N) for N in cases]) / (x.M + 1))


@claim(
    "dadpfl/lemma2-proof-s8~repaired",
    world=Points(None, at=("u",), clients_at=("v",), M=at_least(1)),
    control=Control("without the M", own=0),
    step=True,
    note="In the mean over k, along any u: (g_k + M times the mean of the others)/(M + 1) has the mean of all for every "
    "K and M. That this is the expectation over M neighbours of client k is dadpfl/eq31-h~repaired with a = 1.",
)
def s8_repaired(x, own=1):
    others = (x.m * x.mean_vec(x.v) - x.v) / (x.m - 1)
    mixed = (x.v + own * x.M * others) / (x.M + 1)
    return eq(x.dot(x.mean_vec(mixed), x.u), x.dot(x.mean_vec(x.v), x.u))


def clipped(x, w):
    """The derivative of a Huber function: L w between -1 and 1."""
    return x.L * x.maximum(-1, x.minimum(1, w))


HUBER = Scalars(L=ROUND["L"], eta=ROUND["eta"], w=real())


@claim(
    "dadpfl/eq38-b",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=HUBER,
    repair="dadpfl/eq38-b~repaired",
    step=True,
    note="K = 3, M = 2, N = M, E_l = 3, one first model and one Huber function for all clients, which is convex and "
    "bounded below, sigma_g = 0: the clients start their local steps at models of their own, and the mean of their "
    "gradients is not the gradient at the mean. Any step; dadpfl/eq38-b@small-steps.",
)
def eq38_b(x, share=1):
    before, after = one_round(x, [x.w] * 3, slope=lambda w: clipped(x, w))
    whole = mean(before)
    return eq(share * (mean(after)), local_steps(x, whole, slope=lambda w: clipped(x, w)))


@claim("dadpfl/eq38-b~repaired", world=HUBER, step=True, control=Control("without the steps", share=0),
       note="With the gradients of every client at its own models; K = 3, N = M, E_l = 3.")  # fmt: skip
def eq38_b_repaired(x, share=1):
    before, after = one_round(x, [x.w] * 3, slope=lambda w: clipped(x, w))
    gone = mean([w - local_steps(x, w, slope=lambda w: clipped(x, w)) for w in before])
    return eq(mean(after), mean(before) - share * gone)


@claim(
    "dadpfl/eq39",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=QUADRATIC,
    repair="dadpfl/eq39~repaired",
    step=True,
    note="E_l = 3, M = 2, E_l^* = 4, clients that are alike with f(w) = L w^2/2: on the left M/(2(M + 1)) = 1/3 of E_l "
    "more steps, on the right one more step. Equal for constant gradients. Any step; dadpfl/eq39@small-steps.",
)
def eq39(x, share=1):
    left = sums(x, x.w, 0, 3) + x.ratio(1, 3) * sums(x, x.w, 3, 3)
    return eq(share * (x.w - x.eta * left), x.w - x.eta * sums(x, x.w, 0, 4))


@claim("dadpfl/eq39~repaired", world=Scalars(g=real(GRADIENT), M=at_least(1), E_l=at_least(1)), step=True,
       control=Control("E_l steps", share=0), note="For constant gradients g, every M and E_l.")  # fmt: skip
def eq39_repaired(x, share=1):
    return eq(x.E_l * x.g + share * x.M / (2 * (x.M + 1)) * x.E_l * x.g, scheduled(x) * x.g)


@claim(
    "dadpfl/lemma2-proof-s12",
    world=Sequences("n", M=at_least(1)),
    control=Control("half of it", share="1/2"),
    step=True,
    note="For every K = n + 1 and M.",
)
def s12(x, share=1):
    total = x.sum(lambda t: t, x.n) + x.n  # of k - 1 over the n + 1 clients
    return eq(total * x.M / (x.n * (x.M + 1)) / (x.n + 1), share * x.M / (2 * (x.M + 1)))


@claim(
    "dadpfl/eq27",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=QUADRATIC,
    repair="dadpfl/eq27~repaired",
    note="E_l = 3, so that E_l^* = 4 is whole: the expected global model of the second round against four local steps "
    f"from that of the first. Any step; dadpfl/eq27@small-steps. {SETTING}",
)
def eq27(x, share=1):
    first, second = global_models(x)
    return eq(share * (mean(second)), first - x.eta * sums(x, first, 0, 4))


@claim(
    "dadpfl/eq27@parallel",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=QUADRATIC,
    note="N = 0, with which nobody waits: then a round is E_l steps and not E_l^*. K = 3, M = 2, E_l = 3; clients as in "
    "dadpfl/eq27.",
)
def eq27_parallel(x, share=1):
    first, second = global_models(x, N=0)
    return eq(share * (mean(second)), first - x.eta * sums(x, first, 0, 4))


@claim(
    "dadpfl/eq27@constant",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=CONSTANT,
    note="Constant gradients, linear clients that are alike: a round goes (1 + 10/27) E_l steps and not (1 + 1/3) E_l, "
    "in dadpfl/eq36 as well.",
)
def eq27_constant(x, share=1):
    first, second = with_slope(x)
    return eq(share * (mean(second)), first - x.eta * 4 * x.g)


@claim(
    "dadpfl/eq27~repaired",
    world=Points(None, at=(), clients_at=("v", "h"), M=at_least(1), eta=positive()),
    control=Control("without the step", share=0),
    note="N = 0, dense masks, for every K, M and E_l: the expected global model is the last one less eta times the mean "
    "of the sums h_k of E_l gradients of the clients, each at its own models v_k; what follows is mixed, which keeps "
    "the mean in expectation, dadpfl/lemma2-proof-s8~repaired.",
)
def eq27_repaired(x, share=1):
    trained = x.v - x.eta * x.h
    others = (x.m * x.mean_vec(trained) - trained) / (x.m - 1)
    after = x.mean_vec((trained + x.M * others) / (x.M + 1))
    return eq(x.sq(after - x.mean_vec(x.v)), share * x.sq(x.eta * x.mean_vec(x.h)))
