"""Certificates: exact checks that can fail, stored ones that need no solver."""

import dataclasses
import sys
from fractions import Fraction

import numpy as np
import pytest

from fedtheory import Control, claim, eq, le, verify
from fedtheory.engines.certificates.sdp.check import check, gram_matrix
from fedtheory.engines.certificates.sdp.program import Program
from fedtheory.engines.certificates.sdp.propose import propose
from fedtheory.engines.context import Docket
from fedtheory.engines.prove.listed import certify
from fedtheory.engines.search.worst_case import adversary
from fedtheory.errors import NotApplicable
from fedtheory.gram.forms import Form, Space
from fedtheory.gram.ldl import semidefinite
from fedtheory.gram.ratio import ZERO
from fedtheory.referee import order
from fedtheory.verdict import contradicts, weaker
from problems import Points, condition, positive
from proofs_checks import claims


def square(a, b, c):
    """a |u|^2 + b <u, v> + c |v|^2 as Gram coefficients."""
    return {("G", 0, 0): Fraction(a), ("G", 0, 1): Fraction(b), ("G", 1, 1): Fraction(c)}


@pytest.mark.parametrize(
    ("form", "psd"),
    [(square(1, 2, 1), True), (square(1, "2001/1000", 1), False), (square(0, 1, 5), False), (square(0, 0, 5), True),
     (square(-1, 0, 1), False), (square(1, 2, "999/1000"), False), ({}, True)],
)  # fmt: skip
def test_semidefinite_is_exact(form, psd):
    """The boundary of the cone is decided, not approximated."""
    assert semidefinite(gram_matrix({k: c for k, c in form.items() if c})) is psd


def test_the_zero_of_a_row_is_exact():
    """It gives way to what it is added to, never becomes an integer, and 0/0 stays an error."""
    half = Fraction(1, 2)
    assert (ZERO + half, half + ZERO, half - ZERO, ZERO - half) == (half, half, half, -half)
    assert ZERO * half is ZERO and half * ZERO is ZERO and -ZERO is ZERO and ZERO / half is ZERO and not ZERO
    assert ZERO + 0 is ZERO and 0 + ZERO is ZERO and isinstance(ZERO + 2, Fraction) and ZERO - 2 == -2
    assert ZERO + 0.5 == 0.5, "a float stays one, so that it is found out"
    with pytest.raises(ZeroDivisionError):
        ZERO / 0
    row = Space(4).leaf("u").view(np.ndarray)
    assert [v is ZERO for v in row * half] == [False, True, True, True]
    assert sum(row) == 1


def test_check_rejects_a_wrong_certificate():
    """Negative, missing and too large multipliers are refused."""
    space = Space()
    u = space.leaf("u")
    a = space.value("a")
    space.nonnegative("a >= |u|^2", a - space.numbers.dot(u, u)[()])
    target = Form.of(a * 2).clean()
    assert check(target, space, {"a >= |u|^2": Fraction(2)})
    assert not check(target, space, {"a >= |u|^2": Fraction(1)})
    assert not check(target, space, {"a >= |u|^2": Fraction(3)})
    assert not check({k: -c for k, c in target.items()}, space, {"a >= |u|^2": Fraction(-2)})
    assert not check(target, space, {"no such": Fraction(2)})


def test_propose_finds_and_declines():
    """A true inequality gets a certificate, a false one none."""
    space = Space()
    u, v = space.leaf("u"), space.leaf("v")
    dot = space.numbers.dot
    uu, uv, vv = (Form.of(dot(a, b)[()]) for a, b in ((u, u), (u, v), (v, v)))
    assert propose((uu + vv - uv * 2).clean(), space) is not None
    assert propose((uu + vv - uv * 3).clean(), space) is None
    space.nonnegative("|v|^2 <= |u|^2", uu - vv)
    assert propose((uu * 2 - uv * 2).clean(), space) is not None
    assert propose((uu * 2 - uv * 3).clean(), space) is None


def test_products_of_inner_products_are_declined():
    """A body with a product of two inner products is not affine and the engine says so."""
    space = Space()
    u = space.leaf("u")
    f = space.numbers.dot(u, u)[()]
    with pytest.raises(NotApplicable, match="product of two inner products"):
        f * f
    with pytest.raises(NotApplicable, match="quotient"):
        1 / f


def sample(of):
    """A part of the published claims; not those on lemmas, each of which would be decided again."""
    return [c for c in list(claims().values())[::of] if not c.lemmas]


PARTS = pytest.mark.parametrize("of", [40, pytest.param(5, marks=pytest.mark.slow)])


@PARTS
def test_stored_certificates_need_no_solver(monkeypatch, certificates, verdicts, of):
    """Without Clarabel every stored certificate is re-checked and no verdict weakens."""
    expected = {c.id: verdicts[c.id].verdict for c in sample(of)}
    monkeypatch.setitem(sys.modules, "clarabel", None)
    with pytest.raises(NotApplicable, match="no semidefinite solver"):
        Program({("G", 0, 0): Fraction(-1)}, Space()).solve(1.0)
    got = {c.id: verify(c, stored=dict(certificates)).verdict for c in sample(of)}
    assert got == expected
    assert sum(v in ("certified", "proved") for v in got.values()) >= 400 / of


def test_a_tampered_store_is_not_believed(certificates, monkeypatch):
    """A stored certificate that does not check exactly is worth nothing without a solver."""
    monkeypatch.setitem(sys.modules, "clarabel", None)
    broken = {k: [{n: "0" for n in entry} for entry in entries] for k, entries in certificates.items()}
    assert verify(claims()["pfedme/lemma2a"], stored=broken).verdict == "supported"


@PARTS
def test_without_z3_verdicts_weaken_and_none_flips(monkeypatch, certificates, verdicts, of):
    """Claims that rest on z3 become supported with a note, or stay where signs follow from factors; none flips."""
    expected = {c.id: verdicts[c.id].verdict for c in sample(of)}
    monkeypatch.setitem(sys.modules, "z3", None)
    weakened = 0
    for c in sample(of):
        v = verify(c, stored=dict(certificates))
        assert not contradicts(expected[c.id], v.verdict), c.id
        if v.verdict != expected[c.id]:
            weakened += 1
            assert weaker(expected[c.id], v.verdict) and any("no z3" in e.reason for e in v.evidence), c.id
    assert weakened


def test_a_certificate_in_every_size_up_to_two_clients():
    """And the least factor of the bound at the largest one."""
    e = certify(claims()["pfedme/lemma2a"], Docket())
    assert (e.engine, e.outcome) == ("gram", "certifies") and {s["m"] for s in e.scope} == {1, 2}
    assert 0 < e.numbers["sdp_tightness"] <= 1 + 1e-6 and e.numbers["certificates"] == len(e.scope)


def test_claims_about_scalars_have_no_certificates():
    world = next(c for c in claims().values() if c.world.batched_scalars)
    assert certify(world, Docket()).outcome == "silent"


AT_POINTS = Points(
    None, at=("a", "b"), s=positive(),
    given=(condition("<a, b> = s |a|^2", lambda x: eq(x.dot(x.a, x.b), x.s * x.sq(x.a))),
           condition("|a| = |b|", lambda x: eq(x.sq(x.a), x.sq(x.b)))),
)  # fmt: skip
DRIFTED = Control("s = 1 makes it 3 <= 1", lambda x: le(3 * x.s * x.sq(x.a), x.sq(x.a)))


@pytest.mark.parametrize("control", [None, DRIFTED])
def test_listed_parameters_do_not_certify_what_the_search_cannot_see(control, monkeypatch):
    """For a = b it is 2 <= 1; at the listed s there is no such instance, or only a = b = 0. The adversary finds one."""
    twice = claim("draft/twice", world=AT_POINTS, control=control)(lambda x: le(2 * x.s * x.sq(x.a), x.sq(x.a)))
    assert verify(twice).verdict == "refuted"
    monkeypatch.setattr(order, "ORDER", tuple(stage for stage in order.ORDER if stage.engine is not adversary))
    v = verify(twice)
    assert v.verdict == "unknown" and "between them no power" in v.reason


def test_listed_parameters_certify_where_the_search_has_power(certificates):
    """Theorem 1 of FLAME has conditions at points, and a control that the search refutes."""
    v = verify(claims()["flame/thm1"], stored=dict(certificates))
    assert v.verdict == "certified" and claims()["flame/thm1"].world.at_points
    weak = dataclasses.replace(
        claims()["flame/thm1"], control=Control("it is no other statement", claims()["flame/thm1"].body)
    )
    assert verify(weak, stored=dict(certificates)).verdict == "unknown"
