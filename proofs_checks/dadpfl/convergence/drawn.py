"""Lemma 2: the chains (31) and (32) where the indices are drawn, so that every client may be k and any of the earlier ones.

The models are fixed numbers that do not depend on the index of their client, as those before the round do not, (32), and those
after it do not where nobody waits, (31). Every order of the clients and every choice of neighbours is equally likely.
"""

from fractions import Fraction
from itertools import permutations

from fedtheory import Control, claim, eq
from fedtheory.units import GRADIENT, LENGTH, STEP
from problems import Scalars, positive, real

from .neighbourhoods import SETS, all_of, average, behind, choices, conditional, models, prior

SETTING = (
    "Over every order of K = 3 or 4 clients and every choice of M = 2 neighbours of the one with index k; the models are any "
    "numbers, whatever the indices are."
)
TRUE = {"control": Control("half of it", share="1/2"), "world": SETS, "step": True}


def outcomes(x):
    """(k, its neighbours as indices, the clients in the order of their indices), all of them."""
    k, cases = choices(x)
    return [(k, N, order) for order in permutations(models(x)) for N in cases]


def of_prior(outcome):
    """N_(a)k and N_k, as clients."""
    k, N, order = outcome
    return [order[i - 1] for i in prior(k, N)], [order[i - 1] for i in N]


def of_behind(outcome):
    """N_(b)k+ and N_k+, as clients."""
    k, N, order = outcome
    return [order[i - 1] for i in behind(k, N)], [order[i - 1] for i in (*N, k)]


def expressions(x, split, own):
    """The sum over a part of the neighbours, by a probability given their number, by a share, by the mean number; in the mean."""
    v, M = models(x), int(x.M)
    found = [split(outcome) for outcome in outcomes(x)]
    inside = {
        j: conditional(
            [pair for pair in found if j in pair[1]], lambda pair, j=j: j in pair[0], lambda pair: len(pair[0])
        )
        for j in v
    }
    plain = average(x, [sum(v[j] for j in part) for part, _ in found])
    rated = average(
        x, [sum(v[j] * x.ratio(*inside[j][len(part)].as_integer_ratio()) for j in whole) for part, whole in found]
    )
    shared = average(x, [sum(v[j] for j in whole) * x.ratio(len(part) - own, M) for part, whole in found])
    number = average(x, [x.ratio(len(part) - own, 1) for part, _ in found])
    return plain, rated, shared, number * average(x, [sum(v[j] for j in whole) for _, whole in found]) / M


@claim("dadpfl/eq31-d@drawn", note=SETTING, **TRUE)
def eq31_d(x, share=1):
    plain, rated, *_ = expressions(x, of_prior, 0)
    return eq(plain, share * rated)


# how many times E_l steps each of three clients has gone that hear each other and wait for those before them
AHEAD = (Fraction(1), Fraction(4, 3), Fraction(16, 9))


@claim(
    "dadpfl/eq31-d@scheduled",
    world=Scalars(sizes={"K": (3,), "k": (2,), "M": (2,)}, w=real(LENGTH), g=real(GRADIENT), eta=positive(STEP)),
    control=Control("half of it", share="1/2"),
    repair="dadpfl/eq31-h~repaired",
    step=True,
    note="The indices are drawn, and the models are those after a round in which clients wait, N = M: who is earlier has less "
    "progress. K = 3, M = 2, client 2, which waits for client 1 and not for client 3; clients that are alike with a constant "
    "gradient, of which E_l steps sum up to g, so that the model depends on the index alone and each client is as likely to "
    "have either.",
)
def eq31_d_scheduled(x, share=1):
    first, _, last = (x.w - x.eta * x.ratio(a.numerator, a.denominator) * x.g for a in AHEAD)
    return eq(share * first, (first + last) / 2)


@claim("dadpfl/eq31-f@drawn", note=SETTING, **TRUE)
def eq31_f(x, share=1):
    _, rated, shared, _apart = expressions(x, of_prior, 0)
    return eq(rated, share * shared)


@claim("dadpfl/eq31-g@drawn", note=SETTING, **TRUE)
def eq31_g(x, share=1):
    *_, shared, apart = expressions(x, of_prior, 0)
    return eq(shared, share * apart)


@claim("dadpfl/eq31-h@drawn", note=SETTING, **TRUE)
def eq31_h(x, share=1):
    k, _ = choices(x)
    return eq(expressions(x, of_prior, 0)[3], share * x.ratio((k - 1) * int(x.M), int(x.K) - 1) * all_of(x))


@claim("dadpfl/eq32-d@drawn", note=SETTING, **TRUE)
def eq32_d(x, share=1):
    plain, rated, *_ = expressions(x, of_behind, 1)
    return eq(plain, share * rated)


@claim(
    "dadpfl/eq32-f@drawn",
    world=SETS,
    control=Control("twice the left side, which is too large or wrong already", share=2),
    repair="dadpfl/eq32-h~repaired",
    step=True,
    note=f"Of n + 1 in M + 1 with client k, the probability is (n + 1)/(M + 1) and not n/M. {SETTING}",
)
def eq32_f(x, share=1):
    _, rated, shared, _apart = expressions(x, of_behind, 1)
    return eq(share * rated, shared)


@claim("dadpfl/eq32-g@drawn", note=SETTING, **TRUE)
def eq32_g(x, share=1):
    *_, shared, apart = expressions(x, of_behind, 1)
    return eq(shared, share * apart)


@claim("dadpfl/eq32-h@drawn", note=SETTING, **TRUE)
def eq32_h(x, share=1):
    k, _ = choices(x)
    K, M = int(x.K), int(x.M)
    return eq(expressions(x, of_behind, 1)[3], share * x.ratio((K - k) * (M + 1), K - 1) * all_of(x))
