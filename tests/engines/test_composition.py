"""Theorems for every length, and theorems that stand on lemmas: true ones are proved, and none is stronger than its lemmas."""

from dataclasses import replace

import pytest

import fedtheory
from fedtheory import assumed, claim, eq, le, lt, use
from fedtheory.engines.context import Docket
from fedtheory.engines.prove.induction import induction
from fedtheory.engines.prove.symbolic import lift
from fedtheory.errors import UsageError
from fedtheory.referee import decide, ledger
from fedtheory.referee.composition import compose, with_lemmas
from fedtheory.show.tables import assumption
from fedtheory.show.verdicts import counts, in_a_line
from fedtheory.units import CURVATURE, STEP
from problems import (
    Points,
    Run,
    Scalars,
    Sequences,
    SmoothConvex,
    SmoothStronglyConvex,
    at_least,
    between,
    condition,
    positive,
)

SHARE = between(0, 1, closed=False)
D = {"D": at_least(0)}
CONTRACTS = condition("D_{t+1} <= q D_t", lambda x, t: le(x.D[t + 1], x.q * x.D[t]))
CONTRACTION = Sequences("T", q=SHARE, sequences=D, every=(CONTRACTS,))
UP_TO_ONE = condition("a <= 1", lambda x: le(x.a, 1))
SMALL = Sequences("T", a=positive(), given=(UP_TO_ONE,))


def made(body, world, id="draft/x", **options):
    return claim(id, world=world, **options)(body)


# a theorem of gradient descent from its one step

SHORT = condition("eta L <= 1", lambda x: le(x.eta * x.L, 1))
ORDER = condition("mu < L", lambda x: lt(x.mu, x.L))
GD = Run(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", step={"w": lambda x: x.w - x.eta * x.mean_vec(x.f.grad(x.w))},
    quantities={"D": lambda x: x.sq(x.w - x.w_star)}, given=(SHORT, ORDER), mu=positive(CURVATURE), L=positive(CURVATURE),
    eta=positive(STEP),
)  # fmt: skip


def one_step(share=1, id="draft/one-step"):
    return made(lambda x: le(x.next.D, (1 - share * x.eta * x.mu) * x.D), GD.one_step, id)


def descent(first, id="draft/descent", share=1, by=None):
    def body(x):
        return le(x.D[x.T], x.exp(-share * x.eta * x.mu * x.T) * x.D[0])

    return made(body, GD, id, by=by or (first,))


def test_a_rate_for_every_number_of_steps_from_one_step():
    v = fedtheory.verify(descent(one_step()))
    assert (v.verdict, v.tier, v.scope) == ("proved", "induction", "all")
    assert v.given == [{"id": "draft/one-step", "verdict": "proved", "trust": "kernel"}]


TRUE = {
    "geometric sum": made(
        lambda x: eq(x.sum(lambda t: x.q**t, x.T), (1 - x.q**x.T) / (1 - x.q)),
        Sequences("T", q=SHARE, first=0, lengths=(0, 1, 2)),
    ),
    "contraction": made(lambda x: le(x.D[x.T], x.q**x.T * x.D[0]), CONTRACTION),
    "bernoulli": made(lambda x: le(1 + x.T * x.a, (1 + x.a) ** x.T), SMALL),
    "exponential": made(lambda x: le((1 - x.a) ** x.T, x.exp(-x.a * x.T)), SMALL),
    "telescoping": made(
        lambda x: le(x.sum(lambda t: x.e[t], x.T) + x.D[x.T], x.D[0]),
        Sequences("T", sequences={**D, "e": at_least(0)}, every=(condition("", lambda x, t: le(x.D[t + 1] + x.e[t], x.D[t])),)),
    ),
    "a window of the sum": made(
        lambda x: le(x.sum(lambda t: x.D[t], x.T - 1), x.sum(lambda t: x.D[t], x.T)), Sequences("T", sequences=D)
    ),
    "exp at numbers": made(lambda x: (le(x.exp(1), 3), le(2 * x.exp(-1), 1)), Scalars(a=positive())),
    "a logarithm": made(lambda x: le(x.log(1 + x.a), x.a), Scalars(a=positive())),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_true_ones_are_proved(name):
    v = fedtheory.verify(TRUE[name])
    assert (v.verdict, v.scope) == ("proved", "all"), v.reason
    assert v.trust == "kernel"


def twice(f):
    """A sum over two indices that both run below the length."""
    return lambda x: x.sum(lambda t: x.sum(lambda s: f(x, t, s), x.T), x.T)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda x, t, s: x.D[t] * x.D[s], lambda x, t, s: x.D[s] * x.D[s]),
        (lambda x, t, s: x.D[t] * x.D[s], lambda x, t, s: x.D[t] * x.D[t]),
        (lambda x, t, s: x.q**t * x.q**s, lambda x, t, s: x.q**s * x.q**s),
        (lambda x, t, s: x.D[t + 1] * x.D[s], lambda x, t, s: x.D[t] * x.D[t + 1]),
        (lambda x, t, s: x.D[t] / (1 + x.D[s]), lambda x, t, s: x.D[s] / (1 + x.D[s])),
    ],
)
def test_a_sum_within_a_sum_has_an_index_of_its_own(one, other):
    """At no length is the square of a sum the sum of squares; what is hidden up to length three is not proved for all."""
    world = Sequences("T", sequences={"D": at_least(0)}, q=SHARE)
    same = made(lambda x: eq(twice(one)(x), twice(one)(x)), world)
    assert fedtheory.verify(same).verdict == "proved"
    lie = made(lambda x: eq(twice(one)(x), twice(other)(x)), world)
    assert induction(lie, Docket()).outcome == "declines" and fedtheory.verify(lie).verdict == "refuted"
    hidden = made(lambda x: eq((x.T - 1) * (x.T - 2) * (x.T - 3) * (twice(one)(x) - twice(other)(x)), 0), world)
    assert induction(hidden, Docket()).outcome == "declines" and fedtheory.verify(hidden).verdict != "proved"


@pytest.mark.parametrize("name", ["j", "t", "k", "index"])
def test_no_name_of_the_length_is_that_of_an_index_of_a_sum(name):
    """The sum of D[t] is not n D[n]."""
    world = Sequences(name, sequences={"D": at_least(0)})

    def body(x):
        n = getattr(x, name)
        return eq(x.sum(lambda t: x.D[t], n), x.sum(lambda t: x.D[n], n))

    lie = made(body, world)
    assert induction(lie, Docket()).outcome == "declines" and fedtheory.verify(lie).verdict == "refuted"


LONG = (condition("a T >= 50", lambda x: le(50, x.a * x.T)), UP_TO_ONE)


@pytest.mark.parametrize(
    ("example", "verdict"), [(None, "unknown"), ({"T": 64, "a": 1}, "proved"), ({"T": 4, "a": 1}, "unknown")]
)
def test_a_proof_may_not_be_about_nothing(example, verdict):
    """Conditions that the lengths at hand do not meet need an example, which meets them."""
    v = fedtheory.verify(
        made(lambda x: le(50 * x.a, x.a * x.T), Sequences("T", a=positive(), given=LONG, example=example))
    )
    assert v.verdict == verdict and ("proof would be about nothing" in v.reason) is (verdict == "unknown")


def test_conditions_that_contradict_each_other_are_vacuous_at_every_length():
    above = condition("a >= 2", lambda x: le(2, x.a))
    assert (
        fedtheory.verify(made(lambda x: le(x.a, x.T), Sequences("T", a=positive(), given=(UP_TO_ONE, above)))).verdict
        == "vacuous"
    )


@pytest.mark.parametrize(
    ("example", "said"),
    [
        ({"T": 4, "b": 1}, "example has 'b', no scalar or sequence"),
        ({"a": 1}, "example needs a length T of at least 1, got None"),
    ],
)
def test_an_example_names_what_is_there(example, said):
    with pytest.raises(fedtheory.UsageError, match=said):
        Sequences("T", a=positive(), example=example)


# what stands on lemmas

FALSE = {"step": one_step(3, "draft/false-step")}


def test_what_is_given_a_refuted_lemma_says_so():
    """And nothing false is proved from it."""
    assert fedtheory.verify(descent(FALSE["step"], share=3)).verdict in ("refuted", "unknown")
    true = fedtheory.verify(descent(FALSE["step"]))
    assert (true.verdict, true.reason) == ("unknown", "it holds given draft/false-step, which is refuted")
    assert true.given == [{"id": "draft/false-step", "verdict": "refuted", "trust": "replayed"}]


def test_a_repair_of_the_lemma_takes_its_place():
    assert fedtheory.verify(descent(one_step(id="draft/false-step~repaired"))).verdict == "proved"


def test_a_claim_that_stands_on_itself_is_refused():
    first = one_step()
    second = descent(first, id="draft/one-step")
    by_id = {c.id: c for c in (first, second)}
    with pytest.raises(UsageError, match="draft/one-step: its lemma draft/one-step is another claim"):
        with_lemmas([second], by_id.__getitem__)
    with pytest.raises(UsageError, match="draft/one-step stands on itself: draft/one-step <- draft/one-step"):
        with_lemmas([second], lambda id: replace(second, body=first.body))


def test_a_lemma_is_the_claim_of_its_id():
    """In the same world as well."""
    ab = {"a": positive(), "b": positive()}
    below = made(
        lambda x: le(x.a, x.b), Scalars(**ab, given=(condition("a <= b", lambda x: le(x.a, x.b)),)), "draft/below"
    )
    user = made(lambda x: le(x.a, x.b), Scalars(**ab), "draft/user", by=(replace(below, world=Scalars(**ab)),))
    with pytest.raises(UsageError, match="is another claim than the one of that id"):
        with_lemmas([below, user], {"draft/below": below}.get)


def test_a_verdict_is_no_stronger_than_its_weakest_lemma():
    theorem, first = descent(one_step()), one_step()
    entries = [ledger.entry(decide.verify(c)) for c in (theorem, first)]
    for verdict, trust in (("certified", "kernel"), ("supported", "search"), ("proved", "z3")):
        entries[1] |= {"verdict": verdict, "trust": trust, "scope": ["m=1"]}
        done = compose(entries, {theorem.id: theorem, first.id: first})[0]
        assert (done["verdict"], done["trust"]) == (verdict, trust)
        assert done.get("alone", done)["verdict"] == "proved"  # "alone" stands where something is changed
        again = compose([done, entries[1]], {theorem.id: theorem, first.id: first})[0]
        assert again == done  # a report that is taken over is composed anew
    undecided = compose(entries[:1], {theorem.id: theorem})[0]
    assert undecided["reason"] == "it holds given draft/one-step, which is unknown"


def test_a_certificate_of_what_is_not_proved_is_not_written():
    """It shows that the theorem follows from its lemmas."""
    theorem = descent(FALSE["step"])
    entries = [ledger.entry(decide.verify(c)) for c in (theorem, FALSE["step"])]
    done = ledger.finished(entries, {c.id: c for c in (theorem, FALSE["step"])})
    assert done[0]["verdict"] == "unknown" and ledger.certificates(done)["draft"]["claims"] == []


# what is taken for granted

FASTER = assumed("a faster step", lambda x, t: le(x.D[t + 1], x.D[t] / 4), would_be="draft/faster")
NUMBERS = Sequences("T", sequences=D)


def test_what_is_assumed_stands_wherever_the_verdict_does():
    theorem = made(lambda x: le(x.D[x.T], x.D[0]), NUMBERS, "draft/rests", by=(FASTER,))
    v = fedtheory.verify(theorem)
    fact = {"why": "a faster step", "row": "draft/faster", "by": "draft/rests"}
    assert (v.verdict, v.trust, v.assumed, v.certificate) == ("proved", "assumed", [fact], None)
    assert "assumed: a faster step" in in_a_line(v.to_json())
    assert counts([v.to_json()]) == "1 proved (1 from what is assumed)"
    assert assumption(fact) == "a faster step, which draft/faster would prove (draft/rests)"


def half(x):
    return le(x.D[x.T] / 2, x.D[0])


def test_what_a_lemma_assumes_is_shown_where_it_is_used():
    """So that a theorem that meets it does not rest on it, and one that does not has nothing of the lemma."""
    first = made(lambda x: le(x.D[x.T], x.D[0]), NUMBERS, "draft/rests", by=(FASTER,))
    met = condition("five times", lambda x, t: le(5 * x.D[t + 1], x.D[t]))
    shown = fedtheory.verify(made(half, replace(NUMBERS, every=(met,)), "draft/user", by=(first,)))
    assert (shown.verdict, shown.assumed) == ("proved", []) and shown.trust in ("kernel", "z3")
    assert shown.given == [{"id": "draft/rests", "verdict": "proved", "trust": "assumed"}]
    assert fedtheory.verify(made(half, NUMBERS, "draft/user", by=(first,))).verdict != "proved"


def test_what_is_assumed_of_a_run_and_is_false_is_found_out():
    v = fedtheory.verify(made(lambda x: le(x.D[x.T], x.D[0]), GD, "draft/rests", by=(FASTER,)))
    assert (v.verdict, v.reason) == ("unknown", "what is assumed is false: a faster step")


def test_what_is_assumed_and_holds_is_no_kernel_proof():
    fact = assumed("it does not grow", lambda x, t: le(x.D[t + 1], x.D[t]))
    v = fedtheory.verify(made(lambda x: le(x.D[x.T], x.D[0]), GD, "draft/rests", by=(fact,)))
    assert (v.verdict, v.trust) == ("proved", "assumed")


def test_an_assumption_at_every_t_needs_an_index():
    with pytest.raises(UsageError, match="takes t, and the world has no index"):
        made(lambda x: le(0, x.a), Scalars(a=positive()), by=(assumed("nothing", lambda x, t: le(0, x.a)),))


def test_the_arguments_of_a_use_hold_no_float_and_do_not_change():
    step = made(lambda x: le(0, x.a), Scalars(a=positive()), "draft/step")
    with pytest.raises(UsageError, match=r"float 0\.5"):
        made(lambda x: le(0, x.b), Scalars(b=positive()), by=(use(step, a=lambda x: 0.5 * x.b),))


# lengths


LENGTHS = {
    "one length": (Sequences("T", a=positive(), lengths=(1,)), lambda x: le(x.T * x.a, x.a)),
    "no step": (Sequences("T", a=positive(), first=0, lengths=(0,)), lambda x: le(x.T * x.a, 0)),
    "elements": (
        Sequences("T", sequences={"D": at_least(0)}, lengths=(1,), every=(condition("", lambda x, t: le(x.D[t + 1], 3 * x.D[t])),)),
        lambda x: le(x.D[x.T], 3 * x.D[0]),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LENGTHS)
def test_the_lengths_that_are_listed_are_not_all(name):
    """Only a proof for a symbolic length is one for every length."""
    world, body = LENGTHS[name]
    c = made(body, world)
    assert lift(c, Docket()).outcome != "proves" and fedtheory.verify(c).verdict != "proved"


EVEN = condition("3 eta L = 1", lambda x: eq(3 * x.eta * x.L, 1))
SHORTER = {
    "a sum that ends before it begins": lambda x: le(
        x.sum(lambda t: x.D[t], x.T - 3) + 3, x.sum(lambda t: x.D[t], x.T)
    ),
    "a power of zero": lambda x: le(x.T - 1, (x.eta - x.eta) ** (x.T - 1)),
    "a power that may be of zero": lambda x: lt(
        0, (3 * x.eta * x.L - 1) ** 2 + ((3 * x.eta * x.L - 1) ** (x.T - 1)) ** 2
    ),
    "a negative power": lambda x: le((x.D[0] - 1) ** (x.T - 2) * (x.D[0] - 1) ** 2, (x.D[0] - 1) ** x.T),
}


@pytest.mark.parametrize("name", SHORTER)
def test_what_is_shorter_than_the_length_may_be_nothing(name):
    """At lengths of one and two: sums are empty, and 0^0 is one."""
    world = Sequences("T", sequences={"D": at_least(1)}, eta=positive(STEP), L=positive(CURVATURE), given=(EVEN,))
    assert fedtheory.verify(made(SHORTER[name], world)).verdict != "proved"


def test_powers_below_the_length_are_proved_where_they_are_powers():
    world = Sequences("T", q=positive())
    v = fedtheory.verify(made(lambda x: eq(x.q ** (x.T - 1) * x.q, x.q**x.T), world))
    assert v.verdict == "proved", v.reason


def test_a_proof_is_searched_where_draws_do_not_meet_an_equation():
    """Small rationals do, such as c = 1/2."""
    world = Points(None, at=("v",), a=positive(), c=positive(), given=(condition("4 c = 2", lambda x: eq(4 * x.c, 2)),))
    v = fedtheory.verify(made(lambda x: le(x.a * x.sq(x.v), 2 * x.c * x.a * x.sq(x.v)), world))
    assert v.verdict == "proved" and v.trials > 0


def test_a_lemma_about_a_vector_that_is_zero_is_told_where_it_is_used():
    """The lemma has it solved, and a run that obeys the same does not: what it rests on is not known there."""
    flat = condition("grad f_i(s_i) = 0", lambda x: eq(x.sq(x.f.grad(x.s)), 0))
    known = {"clients_at": ("s",), "L": positive(CURVATURE)}

    def slope(x):
        return x.mean(x.sq(x.f.grad(x.w)))

    def gap(x):
        return x.mean(x.f.value(x.w) - x.f.value(x.s))

    below = claim("draft/below", world=Points(SmoothConvex("L"), given=(flat,), **known))(
        lambda x: le(slope(x), 2 * x.L * gap(x))
    )
    steps = Run(SmoothConvex("L"), obeys=(flat,), step={"w": lambda x: x.w - x.mean_vec(x.f.grad(x.w)) / x.L},
                quantities={"G": slope, "H": gap}, **known)  # fmt: skip
    c = claim("draft/sum", world=steps, by=(below,))(lambda x: le(x.G[0], 2 * x.L * x.H[0]))
    v = decide.proof(c, Docket())
    assert v.verdict == "unknown" and v.reason.startswith("draft/sum: draft/below rests on interpolation")
    assert "where 'given 0.0[0] grad f_i(s_i) = 0' is not solved for a vector" in v.reason
