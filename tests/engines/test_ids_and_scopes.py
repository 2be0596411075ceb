"""Lemmas of one id, scopes of lemmas that are certified, and lemmas that contradict the conditions."""

import json

import pytest

import fedtheory
from fedtheory import claim, le, lemma
from fedtheory.errors import UsageError
from fedtheory.referee.composition import with_lemmas
from fedtheory.show.page import scope_text
from fedtheory.show.points import points_of
from fedtheory.show.verdicts import scope_line
from problems import Points, Scalars, Sequences, at_least, condition, positive

ONE = Scalars(a=positive())


def made(body, world=ONE, id="draft/x", **options):
    return claim(id, world=world, **options)(body)


def standing_on(*lemmas, body=lambda x: le(x.a, 3), id="draft/user", world=Scalars, **scalars):
    return made(body, world(**(scalars or {"a": positive()}), given=tuple(map(lemma, lemmas))), id)


L = {"true": made(lambda x: le(x.a, 3 * x.a), id="draft/l"), "false": made(lambda x: le(x.a, 3), id="draft/l")}


@pytest.mark.parametrize("lemmas", [(L["false"], L["true"]), (L["true"], L["false"])])
def test_two_lemmas_of_one_id(lemmas):
    with pytest.raises(UsageError, match="two different claims have the id draft/l"):
        fedtheory.verify(standing_on(*lemmas))


def test_two_lemmas_of_one_id_below_others():
    between = (
        standing_on(L["false"], id="draft/between"),
        standing_on(L["true"], body=L["true"].body, id="draft/beside"),
    )
    with pytest.raises(UsageError, match="the id draft/l"):
        fedtheory.verify(standing_on(*between))


def test_two_claims_of_one_id_in_a_list():
    wider = made(L["true"].body, Scalars(a=positive(), b=positive()), L["true"].id)
    with pytest.raises(UsageError, match="the id draft/l"):
        with_lemmas([L["true"], wider])


def test_one_lemma_twice_and_equal_ones():
    again = made(L["true"].body, id=L["true"].id)
    double = standing_on(L["true"], again, L["true"], body=lambda x: le(2 * x.a, 6 * x.a))
    v = fedtheory.verify(double)
    assert v.verdict == "proved" and [one["id"] for one in v.given] == ["draft/l"]
    assert with_lemmas([double, L["true"], again]) == [double, L["true"]]


def built(k):
    return made(lambda x: le(x.a, k * x.a), id="draft/built")


def test_a_lemma_that_a_function_makes_twice():
    doubled = standing_on(built(2), built(2), body=lambda x: le(2 * x.a, 4 * x.a))
    assert fedtheory.verify(doubled).verdict == "proved"
    with pytest.raises(UsageError, match="the id draft/built"):
        fedtheory.verify(standing_on(built(2), built(3), body=lambda x: le(2 * x.a, 4 * x.a)))


def spread(x):
    return 20 * x.m * x.sq(x.w)


def room(x):
    return (x.m**2 + 99) * x.sq(x.w)


def false_for_ten_clients(id="draft/clients"):
    return made(lambda x: le(spread(x), room(x)), Points(None, at=("w",)), id)


def quantities(first, body, id="draft/theorem", **sizes):
    known = lemma(first, lambda x: le(x.P, x.Q), meaning={"P": spread, "Q": room})
    return made(body, Scalars(P=at_least(0), Q=at_least(0), given=(known,), **sizes), id)


def test_the_scope_of_a_certified_lemma_stands_beside_that_of_the_theorem():
    theorem = quantities(false_for_ten_clients(), lambda x: le(x.R * x.P, (x.R + 1) * x.Q), sizes={"R": (1, 2, 3)})
    v = fedtheory.verify(theorem)
    assert v.verdict == "certified" and "given draft/clients, which is certified" in v.reason
    entry = json.loads(json.dumps(v.to_json()))
    parts = [{k: p[k] for k in p if k != "d"} for p in entry["scope"]]
    assert {"of lemma": "draft/clients", "m": 2} in parts and {"R": 2} in parts
    assert scope_line(entry) == "R <= 3; given draft/clients: m <= 2"
    assert scope_text(entry) == "R <= 3; given `clients`: m <= 2"
    assert "given draft/clients: m <= 2" in repr(v)


def test_lemmas_of_different_scope_are_all_shown():
    first, second = false_for_ten_clients(), false_for_ten_clients("draft/others")
    known = [lemma(one, lambda x: le(x.P, x.Q), meaning={"P": spread, "Q": room}) for one in (first, second)]
    world = Scalars(P=at_least(0), Q=at_least(0), given=tuple(known))
    said = repr(fedtheory.verify(made(lambda x: le(3 * x.P, 3 * x.Q), world)))
    assert "given draft/clients: m <= 2" in said and "given draft/others: m <= 2" in said


def test_a_theorem_for_all_parameters_has_the_scope_of_its_lemma():
    v = fedtheory.verify(quantities(false_for_ten_clients(), lambda x: le(4 * x.P, 4 * x.Q)))
    assert (v.verdict, scope_line(v.to_json())) == ("certified", "m <= 2")


def test_points_of_a_lemma_say_so():
    scope = [{"m": 1, "L": "2"}, {"of lemma": "draft/step", "m": 2, "eta": "1/3"}]
    assert points_of({"verdict": "certified", "scope": scope}) == "L = 2; given draft/step: eta = 1/3"


BELOW = {4: made(lambda x: le(x.a, 4), id="draft/below-four")}
SEVEN = condition("a >= 7", lambda x: le(7, x.a))
SATISFIABLE = {
    "scalars": made(lambda x: le(x.a, 2 * x.a), Scalars(a=positive(), given=(SEVEN, lemma(BELOW[4])))),
    "sizes": made(lambda x: le(x.a, x.R * x.a), Scalars(a=positive(), sizes={"R": (1, 2)}, given=(lemma(BELOW[4]), SEVEN))),
    "every length": made(lambda x: le(0, x.T * x.a), Sequences("T", a=positive(), given=(SEVEN, lemma(BELOW[4])))),
    "points": made(lambda x: le(0, x.a * x.sq(x.w)), Points(None, at=("w",), a=positive(), given=(SEVEN, lemma(BELOW[4])))),
}  # fmt: skip


@pytest.mark.parametrize("name", SATISFIABLE)
def test_a_lemma_makes_no_claim_vacuous(name):
    v = fedtheory.verify(SATISFIABLE[name])
    assert v.verdict == "unknown" and "draft/below-four" in v.reason, (v.verdict, v.reason)


def test_lemmas_that_contradict_each_other_are_named():
    beyond = made(lambda x: le(5, x.a), id="draft/beyond")
    v = fedtheory.verify(standing_on(BELOW[4], beyond))
    assert (v.verdict, v.reason) == (
        "unknown",
        "the conditions contradict the lemmas draft/below-four, draft/beyond",
    )


def test_conditions_that_contradict_each_other_are_vacuous_with_a_lemma_as_well():
    small = condition("a <= 1", lambda x: le(x.a, 1))
    for world in (Scalars, lambda **given: Sequences("T", **given)):
        for lemmas in ((), (lemma(L["true"]),), (lemma(BELOW[4]),)):
            v = fedtheory.verify(made(lambda x: le(x.a, 2 * x.a), world(a=positive(), given=(SEVEN, small, *lemmas))))
            assert v.verdict == "vacuous"
