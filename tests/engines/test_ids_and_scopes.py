"""Lemmas of one id, scopes of what is certified, and lemmas that contradict the conditions."""

import pytest

import fedtheory
from fedtheory import claim, le
from fedtheory.errors import UsageError
from fedtheory.referee.composition import with_lemmas
from fedtheory.show.points import points_of
from problems import Scalars, Sequences, condition, positive

ONE = Scalars(a=positive())


def made(body, world=ONE, id="draft/x", **options):
    return claim(id, world=world, **options)(body)


def standing_on(*lemmas, body=lambda x: le(x.a, 3), id="draft/user", world=Scalars, **scalars):
    return made(body, world(**(scalars or {"a": positive()})), id, by=lemmas)


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


def test_points_of_a_lemma_say_so():
    scope = [{"m": 1, "L": "2"}, {"of lemma": "draft/step", "m": 2, "eta": "1/3"}]
    assert points_of({"verdict": "certified", "scope": scope}) == "L = 2; given draft/step: eta = 1/3"


BELOW = {4: made(lambda x: le(x.a, 4), id="draft/below-four")}
SEVEN = condition("a >= 7", lambda x: le(7, x.a))
FALSE_LEMMA = {
    "scalars": made(lambda x: le(x.a, 2 * x.a), Scalars(a=positive(), given=(SEVEN,)), by=(BELOW[4],)),
    "sizes": made(
        lambda x: le(x.a, x.R * x.a), Scalars(a=positive(), sizes={"R": (1, 2)}, given=(SEVEN,)), by=(BELOW[4],)
    ),
    "every length": made(lambda x: le(0, x.T * x.a), Sequences("T", a=positive(), given=(SEVEN,)), by=(BELOW[4],)),
}


@pytest.mark.parametrize("name", FALSE_LEMMA)
def test_a_lemma_makes_no_claim_vacuous(name):
    """It is false, and contradicts the conditions."""
    v = fedtheory.verify(FALSE_LEMMA[name])
    assert v.verdict == "unknown" and "draft/below-four" in v.reason, (v.verdict, v.reason)


def test_conditions_that_contradict_each_other_are_vacuous_with_a_lemma_as_well():
    small = condition("a <= 1", lambda x: le(x.a, 1))
    for world in (Scalars, lambda **given: Sequences("T", **given)):
        for lemmas in ((), (L["true"],), (BELOW[4],)):
            v = fedtheory.verify(made(lambda x: le(x.a, 2 * x.a), world(a=positive(), given=(SEVEN, small)), by=lemmas))
            assert v.verdict == "vacuous"
