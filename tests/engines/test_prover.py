"""Product certificates: what is found, that each is multiplied out before it counts, and what must not be shown."""

from fractions import Fraction

import pytest
from flint import fmpq

from fedtheory import Control, claim, eq, fedtheory_check, le, lt, verify
from fedtheory.engines.budget import Products
from fedtheory.engines.certificates.parts import scalar_parts
from fedtheory.engines.certificates.products.facts import NOT, Fact, Term, read
from fedtheory.engines.certificates.products.polynomials import Quotient, Ring
from fedtheory.engines.certificates.products.prover import Prover
from fedtheory.engines.certificates.products.recall import IN_VAIN, recall
from fedtheory.errors import NotApplicable
from problems import Points, Scalars, at_least, condition, positive

RING = Ring(("a", "b", "c"))
NO = Control("not used here", lambda x: le(1, 0))


def prover(*more, recalled=None, programs=Products.long, names=("a > 0", "b > 0", "c > 0")):
    """A prover of the facts that the names are positive, and more."""
    facts = []
    for said in (*names, *more):
        text, op, _ = said.rsplit(" ", 2)
        facts.append(Fact(read(text, RING), op, "given"))
    return Prover(RING, facts, recalled, programs=programs)


@pytest.mark.parametrize(
    "goal, op, given",
    [
        ("a + 2*b", ">", []),
        ("a^2 - 2*a*b + b^2", ">=", []),
        ("-a^3 + b^3", ">", ["-a + b > 0"]),  # a product of factors
        ("-a*b + a*c", ">=", ["-b*a^2 + a^2*c >= 0"]),  # a fact without its positive factors
        ("a*b - a - b + 1", ">=", ["a - 1 >= 0", "b - 1 >= 0"]),  # the corner of the region
        ("a^2 - a*b + b^2", ">", []),  # a linear program
        ("-a^2 + b", ">", ["-a*c + b*c > 0", "-a + 1 >= 0"]),
        ("-a*b^2 + c^3", ">=", ["-a + c >= 0", "-b + c >= 0"]),  # a bound on one name after the other
        ("a^2*c - 2*a*c + c + b", ">", []),  # the coefficients of a free name
        ("a^2*b - a*c", ">=", ["a*b - c == 0"]),  # an equation
        ("a^3*b - a*c + c - b", ">=", ["a^2*b - c == 0", "c - b >= 0"]),  # and what is not negative
    ],
)
def test_what_is_shown(goal, op, given):
    p = prover(*given)
    m = p.product(read(goal, RING), op)
    assert m is not None and m.c > 0
    value = RING.constant(m.c)
    for i, e in m.facts.items():
        assert p.facts[i].op in (">", ">=") and (op == ">=" or p.facts[i].op == ">")
        value = value * p.facts[i].poly ** e
    assert value == read(goal, RING)
    again = prover(*given, recalled=p.found, programs=0)
    assert again.product(read(goal, RING), op) is not None, "what took a search is recalled without one"


def test_what_a_copy_shows_stays_with_it():
    """And it knows what is known of the hypotheses."""
    first = prover("-b*a^2 + a^2*c >= 0")
    known = len(first.facts)
    one, other = first.again({}), first.again({})
    assert one.product(read("-a*b + a*c", RING), ">=") is not None and one.product(read("a^2 - a*b + b^2", RING), ">")
    assert len(one.facts) > known and len(first.facts) == len(other.facts) == known
    assert first.found == other.found == {} and one.found
    assert other.product(read("-a*b + a*c", RING), ">=") is not None


@pytest.mark.parametrize(
    "goal, op, given",
    [
        ("a - b", ">=", []),
        ("a^2 - 2*a*b + b^2", ">", []),  # zero at a = b
        ("a^2 - 3*a*b + b^2", ">=", []),
        ("-a + b", ">", ["-a + b >= 0"]),
        ("a*b - a - b + 1", ">=", ["a - 1 >= 0"]),
        ("-a*b^2 + c^3", ">=", ["-a + c >= 0"]),
    ],
)
def test_what_is_false_is_not_shown(goal, op, given):
    assert prover(*given).product(read(goal, RING), op) is None


def test_a_closed_range_is_not_strict():
    p = prover(names=("a >= 0", "b > 0", "c > 0"))
    a = RING.gens["a"]
    assert p.product(a, ">=") is not None and p.product(a, ">") is None and p.nonzero(a) is None
    assert p.product(a + RING.gens["b"], ">") is not None


def test_a_divisor_is_not_zero_and_has_no_sign():
    p = prover("a^2 - b^2 != 0")
    difference = read("a - b", RING)
    assert p.nonzero(difference) is not None and p.sign(difference) is None
    assert p.product(difference, ">=") is None and p.product(difference * difference, ">") is not None


BAD = {
    "a negative weight": ("a - b > 0", [Term(Fraction(1), {NOT: 1}), Term(Fraction(1), {0: 1}), Term(Fraction(-1), {1: 1})]),
    "no cancellation": ("a + b > 0", [Term(Fraction(1), {NOT: 1}), Term(Fraction(1), {0: 1})]),
    "nothing strict": ("-a + b > 0", [Term(Fraction(1), {NOT: 1}), Term(Fraction(1), {3: 1})]),
    "a negative power": ("a + b > 0", [Term(Fraction(1), {NOT: -1})]),
    "an odd power of what is not zero": ("c > 0", [Term(Fraction(1), {NOT: 1}), Term(Fraction(1), {4: 1})]),
    "nothing": ("a - b > 0", []),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_wrong_proof_does_not_count(name):
    p = prover("-a + b >= 0", "c != 0")
    text, op, _ = BAD[name][0].rsplit(" ", 2)
    assert p._prove(read(text, RING), op, tuple(BAD[name][1])) is None


@pytest.mark.parametrize(
    "text", ["", "[1]", '[["1", {"d": 1}, []]]', '[["x", {}, []]]', "{}", '[["1", {"a - 9*b": 1}, []]]']
)
def test_stored_proofs_are_read_with_care(text):
    p = prover()
    found = recall(text, p)
    assert not found or not p._holds(read("a - b", RING), ">=", found)


def test_quotients_are_in_lowest_terms():
    a, b, _ = RING.context.gens()
    q = Quotient.of(a * a - b * b, -2 * a + 2 * b)
    assert (str(q.num), str(q.den)) == ("-1/2*a - 1/2*b", "1") and not q - q
    with pytest.raises(ZeroDivisionError):
        Quotient.of(a, a - a)


def part(body, *given, sizes=None, programs=Products.long, **scalars):
    """The part of a claim about scalars."""
    world = Scalars(**{"a": positive(), "b": positive(), **scalars}, given=given, sizes=sizes or {})
    return scalar_parts(body, world, {}, "draft/x", {}, programs=programs)[0]


def accepted(found):
    """What the checker says of a part."""
    return fedtheory_check.accepted(
        {"id": "x", "verdict": "proved", "scope": "all", "parts": [{"where": "all", **found}]}
    )


BELOW = condition("a <= b", lambda x: le(x.a, x.b))


@pytest.mark.parametrize(
    "body",
    [
        lambda x: le(1 / x.b, 1 / x.a),
        lambda x: eq((x.a + x.b) ** 2, x.a**2 + 2 * x.a * x.b + x.b**2),
        lambda x: lt(x.a**2, x.b**2 + 1),
        lambda x: le(x.minimum(x.a, x.b), x.b),
        lambda x: (le(x.a, x.b), le(x.a**2 / x.b, x.b)),
        lambda x: le(x.a * x.maximum(x.a, 1) / x.b, x.maximum(x.b, 1)),
        lambda x: le(0, (x.a - 1) / (x.a - 1)),  # only where it is defined
    ],
)
def test_parts_of_scalars_are_accepted(body):
    good, why = accepted(part(body, BELOW))
    assert good, why


@pytest.mark.parametrize("body", [lambda x: le(x.a**2 * x.c, x.b * x.c), lambda x: le(x.b * x.c, x.a**2 * x.c)])
def test_an_equation_is_used_both_ways(body):
    same = condition("a^2 = b", lambda x: eq(x.a**2, x.b))
    good, why = accepted(part(body, same, c=positive()))
    assert good, why


def test_an_identity_of_forms_is_claimed_where_it_is_defined():
    """Not where the divisor of another relation is not zero."""
    world = Points(None, at=("u",), a=positive(), b=positive())

    def body(x):
        return eq(x.sq(x.u) / (x.a - x.b), x.a * x.sq(x.u) / (x.a**2 - x.a * x.b))

    one = claim("draft/one", world=world, control=NO)(body)
    assert (verify(one).verdict, verify(one).trust) == ("proved", "kernel")
    two = claim("draft/two", world=world, control=NO)(lambda x: (body(x), lt(0, (x.a - x.b) ** 2 + 0 * x.sq(x.u))))
    assert verify(two).verdict == "refuted"


def test_what_one_relation_asks_says_nothing_of_the_others():
    """The first has an exception at a = 1, where the second divides by zero."""

    def body(x):
        return lt(0, (x.a - 1) ** 2), le(0, 1 / (x.a - 1) ** 2)

    with pytest.raises(NotApplicable):
        part(body)
    assert verify(claim("draft/x", world=Scalars(a=positive()), control=NO)(body)).verdict == "refuted"


@pytest.mark.parametrize(
    "body",
    [
        lambda x: le(x.b, x.a),
        lambda x: lt(x.a, x.b),
        lambda x: eq(x.a, x.b),
        lambda x: le(x.b, x.minimum(x.a, x.b)),
        lambda x: le(0, 1 / (x.a - 1)),
    ],
)
def test_what_does_not_hold_has_no_part(body):
    with pytest.raises(NotApplicable):
        part(body, BELOW)


def test_a_verdict_says_what_it_rests_on():
    def made(body, **scalars):
        return verify(claim("draft/x", world=Scalars(a=positive(), **scalars), control=NO)(body))

    v = made(lambda x: le(2 * x.a, x.a**2 + 1))
    assert (v.verdict, v.trust, v.to_json()["trust"]) == ("proved", "kernel", "kernel")
    assert fedtheory_check.accepted(v.certificate)[0] and "certificate" not in v.to_json()
    v = made(lambda x: le(x.a, 1))
    assert (v.verdict, v.trust, v.certificate) == ("refuted", "replayed", None)
    v = made(lambda x: le(1 + x.a + x.a**2 / 2, x.exp(x.a)))
    assert v.trust == {"supported": "search", "unknown": ""}[v.verdict]
    v = made(lambda x: le(x.c, x.c * x.a), c=at_least(1), b=at_least(2))
    assert v.trust == "replayed"


def test_without_a_certificate_the_word_of_the_solver_remains(monkeypatch):
    def none(*_, **__):
        raise NotApplicable("none")

    monkeypatch.setattr("fedtheory.engines.prove.scalars.scalar_parts", none)
    v = verify(claim("draft/x", world=Scalars(a=positive()), control=NO)(lambda x: le(2 * x.a, x.a**2 + 1)))
    assert (v.verdict, v.trust) == ("proved", "z3")


def test_stored_proofs_that_need_each_other_end():
    """Facts that contradict each other show anything, and a lemma that is recalled may ask for the one that asks for it."""
    loop = {
        "a - c > 0": '[["1", {"not": 1}], ["1", {"b - c": 1}]]',
        "b - c > 0": '[["1", {"not": 1}], ["1", {"a - c": 1}]]',
    }
    p = prover("a - 1 >= 0", "-a + 1/2 >= 0", recalled=loop, programs=0)
    assert p.product(read("a - c", RING), ">") is None


def test_a_search_ends():
    p = prover("-a^2*b + c >= 0", "-b^2*c + a >= 0", "-a*c + b^3 >= 0", programs=2)
    assert p.product(read("a^5 - 7*a^3*b^2*c + 3*b^4*c - c^5 + 1", RING), ">=") is None and not p.attempts


def test_what_fails_at_a_point_of_the_region_is_not_sought():
    """At b = 2 a + 1, which meets the hypothesis, a - b is negative; a point outside of the region says nothing."""
    facts = [Fact(read(said, RING), ">", "given") for said in ("a", "b", "c", "b - a")]
    inside, outside = (fmpq(1), fmpq(3), fmpq(1)), (fmpq(3), fmpq(1), fmpq(1))
    p = Prover(RING, facts, programs=Products.long, points=[outside, inside])
    assert p.points == [inside]
    before = p.attempts, p.programs
    assert p.fails(read("a - b", RING), ">=") and p.product(read("a - b", RING), ">=") is None
    assert (p.attempts, p.programs) == (before[0] - 1, before[1])
    assert not p.fails(read("b - a", RING), ">") and p.product(read("b^2 - a^2", RING), ">") is not None


def test_a_search_in_vain_is_stored_and_not_made_again(monkeypatch):
    """Where no product certificate is found z3 decides, and the second time nothing is sought."""
    asked = []

    def none(*_, programs, **__):
        asked.append(programs)
        raise NotApplicable("none")

    monkeypatch.setattr("fedtheory.engines.prove.scalars.scalar_parts", none)
    c = claim("draft/x", world=Scalars(a=positive()), control=NO)(lambda x: le(2 * x.a, x.a**2 + 1))
    stored = {}
    verdicts = [verify(c, stored=stored) for _ in range(2)]
    assert [(v.verdict, v.trust) for v in verdicts] == [("proved", "z3")] * 2
    assert stored == {"draft/x products": [{IN_VAIN: str(Products.short)}]} and asked == [0, Products.short, 0]
    assert verify(c, stored=stored, budget="standard").verdict == "proved"
    assert asked[-1] == Products.long and stored == {"draft/x products": [{IN_VAIN: str(Products.long)}]}


def test_equations_carry_names_of_any_sign():
    """And what they do not carry has no proof."""
    ring = Ring(("w", "v", "g", "s"))
    facts = [Fact(read("w - v - s*g", ring), "==", "given"), Fact(read("s^2 - s", ring), "==", "given")]
    p = Prover(ring, facts)
    for goal in ("s*w - s*v - s*g", "-s*w + s*v + s*g", "s^3*g - s*g"):
        assert p.product(read(goal, ring), ">=") is not None
    for goal in ("w - v", "s*w - v - s*g", "s*w - s*v - 2*s*g"):
        assert p.product(read(goal, ring), ">=") is None


def test_facts_are_linked_by_names_of_either_sign():
    """As a change that is at most what lies between, each factor of which has a bound of its own."""
    ring = Ring(("k", "c", "X", "e", "C", "A", "F"))
    said = ["k > 0", "c > 0", "X >= 0", "e >= 0", "F >= 0", "-C - F + A >= 0", "-c*X + F >= 0", "k^2*X - k*A + e >= 0"]
    facts = [Fact(read(text, ring), op, "given") for text, op, _ in (one.rsplit(" ", 2) for one in said)]
    goal = "-c*k*X - k*C + e + k^2*X"
    p = Prover(ring, facts)
    m = p.product(read(goal, ring), ">=")
    assert m is not None
    (place,) = m.facts
    assert p._holds(p.facts[place].poly, ">=", p.facts[place].proof)
    assert Prover(ring, facts[:-1]).product(read(goal, ring), ">=") is None
    assert Prover(ring, facts).product(read(f"{goal} - F", ring), ">=") is None
