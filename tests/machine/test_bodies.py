"""Every published body is one function that runs on every number type."""

import functools
import inspect
from collections import Counter

import numpy as np
import pytest

from fedtheory import bodies, claim, le
from fedtheory._arrays import to_host
from fedtheory.engines.counterexamples.exact import replay
from fedtheory.engines.prove import scalars as smt
from fedtheory.engines.prove.listed import abstract_shapes, targets_of
from fedtheory.errors import NotApplicable, UnitsMismatch, UsageError
from fedtheory.gram.forms import Form
from fedtheory.numbers import Floats, Fractions
from fedtheory.units import Unit
from problems import Scalars, positive
from proofs_checks import claims

FLAME = """
cond-lemma1@more cond-lemma1@sufficient cond-rho@implied cond-rho@spring eq19 eq19@exact eq19@positive
eq19@positive-exact eq20 eq20@exact eq36-e eq38-d eq38-d@positive eq38-e eq39-a eq39-b eq39-b~repaired eq39-c
eq39-c~repaired eq41-a eq43-d eq43-e eq45-b eq45-b@local eq45-b@virtual eq45-b~repaired eq45-b~repaired-constants
eq45-b~repaired-weights eq45-c eq46 eq47 eq47@exact eq48 eq49 eq51 eq53-b eq54-a eq54-b eq54-b~repaired eq55 eq56
eq57 lemma1 lemma1@exact lemma1@positive lemma1~repaired-printed lemma1~repaired-constants
rem-inner-iterations rem-intro-biased rem-intro-biased@never rem-thm2-assumptions thm2-c0@largest-L
thm2-c0@largest-lam thm2-c0@largest-rho thm2-c0@positive thm2-c0@springs thm2-c1@positive thm2a~repaired
thm2a~repaired-measure thm2a~repaired-printed-round thm2a~repaired-client-constants thm2a~repaired-constants
thm2a~repaired-round-constants eq20@positive eq39-a@positive eq46@positive eq47@positive eq48@positive eq49@positive
eq51@positive eq54-a@positive eq55@positive eq56@positive eq57@positive rem-thm2-gamma eq52-b~repaired-weights
thm2b~repaired-client-constants thm2b~repaired-least-c1 thm2b~repaired-positive-c1 thm2b~repaired-least-k
thm2b~repaired-falls thm2b~repaired-skewed thm2b~repaired-round-constants thm2b~repaired-constants
"""  # with 1 + rho, or |w_i - w|^2 beside squared gradients

DADPFL = """
eq13 eq13@larger eq13@positive-divisor eq46 eq47 eq48 eq48@apart eq49 eq50 rem4-a@fixed-step rem5-b
thm3-s3@divisor thm3-s3@divisor-lemmas
thm3-s3@experiment
thm3-s3@sign thm3-s3@sign-needed thm3-proof-s4
"""  # with mu - eta

INHOMOGENEOUS = {
    *(f"dadpfl/{id}" for id in DADPFL.split()),
    *(f"flame/{id}" for id in FLAME.split()),
    "flame/rem-thm2-rate-p~repaired-sum",
    *(
        f"shelf/{id}"
        for id in ("consensus-step", "error-feedback", "inexact-step", "noisy-descent", "feedback-each", "mixed-moved")
    ),  # vectors for gradients
    *(f"shelf/{id}" for id in ("ef21-descent", "ef21-round", "ef21-rounds", "feddyn", "feddyn-step")),  # and in a run
    "pfedme/rem1-neighbourhood@points",  # a radius in values, as printed
    "fedadmm/eq7.6-b@section5.2",
    "fedadmm/lemma4.1@section5.2",
    "fedadmm/eq4.6-b@rest",  # of any vectors, which are lengths here and duals where it is used
    "fedadmm/thm4.1b@young",
    "fedadmm/cor4.1c@slant",  # a is a gradient where it is used
    "fedadmm/lemma7.1-proof-s8",
    "fedadmm/lemma7.1-proof-s9",
    "pfedme/cond-eq43-implies-a",
    "pfedme/cond-eq43-implies-b",
    "pfedme/cond-eta2",
    "pfedme/cor1b",
    "pfedme/eq29",
    "pfedme/eq30-a",
    "pfedme/eq30-b",
    "pfedme/eq30-b@literal",
    "pfedme/eq32-a",
    "pfedme/eq34",
    "pfedme/eq35",
    "pfedme/eq40",
    "pfedme/eq41",
    "pfedme/eq42",
    "pfedme/eq44",
    "pfedme/eq44@literal",
    "pfedme/lemma1a",
    "pfedme/lemma1a-proof-s3-c",
    "pfedme/lemma1a-proof-s3-d",
    "pfedme/lemma1a-proof-s4-a",
    "pfedme/lemma1a-proof-s4-b",
    "pfedme/lemma1a-proof-s4-b@own-minibatch",
    "pfedme/lemma1b",
    "pfedme/rem1-ball",
    "pfedme/thm1-proof-s15",
    "pfedme/rem-k-gd",
    "pfedme/rem-k-nesterov",
    "pfedme/thm1-proof-s14-a",
    "pfedme/thm1-proof-s16-b@step",
    "pfedme/thm1b",
    "pfedme/thm1b@long-runs",
    "pfedme/thm2-proof-s6",
    "pfedme/thm2-proof-s7",
    "pfedme/thm2b@multiple",
    "pfedme/thm1a-b",
    "pfedme/thm1b-proof-s3-a",
    "pfedme/thm1b-proof-s3-b",
    "pfedme/thm2-proof-s3-a",
    "pfedme/thm2-proof-s3-b",
    "pfedme/thm2-proof-s4-a",
    "pfedme/thm2-proof-s4-b",
    "pfedme/thm2a-b~repaired",
    "pfedme/thm2b@every-T",
    "pfedme/thm2a-b",
    "pfedme/thm2a-b@exists",
    "pfedme/thm2b",
}


VACUOUS = {"dadpfl/rem2-d"}  # its conditions cannot hold together
NONE_DECIDED = {"pfedme/thm1-proof-s14-a@initial"}  # both sides are equal at the instances, where enclosures overlap


def instances(claim, batch=3):
    """A few instances of every shape up to two clients, at moderate parameters, where floats keep their digits."""
    rng = np.random.default_rng(3)
    world = claim.world
    for shape in world.shapes(2)[:6]:
        try:
            point = next(iter(world.grid(shape, 1)), {}) if world.scalars else {}
        except NotApplicable:  # conditions with a logarithm have no rational point
            point = {}
        try:
            drawn = at_point(world, rng, shape, point, batch) or list(world.sample(rng, shape, 1, batch))
        except NotApplicable:
            assert claim.lemmas or claim.world.example or claim.id in VACUOUS, "no draw meets the conditions"
            continue
        for free in drawn:
            if world.batched_scalars:
                rows = {k: np.tile(np.reshape(v, (1, -1)), (batch, 1)).astype(float) for k, v in point.items()}
                yield free.replace(scalars=rows or free.scalars)
            else:
                at = {k: np.asarray(v, dtype=float) if np.ndim(v) else float(v) for k, v in point.items()}
                if at or all(_moderate(v) for v in free.scalars.values()):
                    yield free.replace(scalars=at or free.scalars)


def at_point(world, rng, shape, point, batch):
    """Instances at a point where conditions on points depend on the scalars; none where they do not, or no draw meets them."""
    if not (point and world.at_points and hasattr(world, "at_scalars")):
        return []
    found = world.at_scalars(
        rng, shape, {k: np.asarray(v, dtype=float) if np.ndim(v) else float(v) for k, v in point.items()}, batch
    )
    return [] if found is None else [found]


def _moderate(value):
    """Whether a parameter is 0 or within two decades of 1."""
    size = np.abs(np.asarray(value, dtype=float))
    return bool(np.all((size == 0) | ((size > 1e-2) & (size < 1e2))))


@pytest.mark.in_turn(10)
def test_backends_agree_with_fractions(published, every_backend):
    """float64 on every backend against Fractions at the same instances."""
    if published.limits:
        pytest.skip("a limit is no relation of numbers")
    checked = Counter()
    for free in instances(published):
        exact = published.world.pick(free, 0).map(Fractions().scalar)
        result = replay(published.body, published.world, exact)
        for name, xp, device in every_backend:
            with np.errstate(all="ignore"):
                try:
                    relations = published.relations(published.world.build(free, Floats(xp, device)))
                except ZeroDivisionError:
                    continue
            if result.outcome in ("holds", "refutes"):
                close(relations, result.relations, free)
                checked[name] += 1
    assert (
        set(checked) == {name for name, _, _ in every_backend}
        or published.lemmas
        or published.id in VACUOUS | NONE_DECIDED
    )


def close(relations, exact, free):
    """Both sides of the first instance of a batch are those of fractions."""
    for side in ("lhs", "rhs"):
        got = np.concatenate([_first(getattr(r, side), relations[0]) for r in relations])
        want = np.array([float(getattr(s, side)) for s in exact])
        size = np.array([float(abs(s.lhs) + abs(s.rhs)) for s in exact])
        # a side that is exactly zero is left with a product of data and of rounding where it is an inner product
        noise = np.finfo(float).eps * _largest(free) ** 2
        assert np.all(np.abs(np.resize(got, want.shape) - want) <= 1e-6 * size + noise)


def _largest(free):
    """Largest magnitude in the free data, at least one."""
    return max([1.0, *(float(np.max(np.abs(v))) for v in (*free.vectors.values(), *free.scalars.values()))])


def _first(value, relation):
    """Components of the first instance of a batch."""
    value = to_host(value) if hasattr(value, "shape") else np.asarray(float(value))
    value = np.asarray(value, dtype=float)
    if value.ndim == 2:
        return value[0]
    other = max(np.ndim(relation.lhs), np.ndim(relation.rhs))
    return value.reshape(-1)[:1] if other == 2 and value.size == 3 else value.reshape(-1)


def of_one_unit(claim):
    """Whether both sides carry one unit."""
    try:
        return all(
            Unit.of(a).same(Unit.of(b))
            for r in claim.relations(claim.world.units())
            for a, b in np.broadcast(np.asarray(r.lhs, dtype=object), np.asarray(r.rhs, dtype=object))
        )
    except UnitsMismatch:
        return False


@pytest.mark.published
@pytest.mark.parametrize("paper", sorted({id.split("/")[0] for id in claims()}))
def test_units(paper):
    """Both sides carry one unit, except where the print itself mixes units; a limit is no relation of numbers."""
    own = {id for id, c in claims().items() if id.startswith(f"{paper}/") and not c.limits}
    assert own and {id for id in own if not of_one_unit(claims()[id])} == INHOMOGENEOUS & own


def symbolic(c):
    """Whether z3 decides the body, or Gram arrays take it as affine forms."""
    world = c.world
    if world.batched_scalars:
        shape = (world.shapes(2) or [{}])[0]
        try:
            return smt.decide(c.body, world, shape, rlimit=2_000_000).outcome in ("proves", "refutes")
        except NotApplicable:
            return False
    shape = abstract_shapes(world, 2)[-1]
    try:
        scalars = next(iter(world.grid(shape, 1)), None) if world.scalars else {}
        if scalars is None:
            return False
        targets, space, _, _ = targets_of(c, world, scalars, shape)
    except (NotApplicable, ZeroDivisionError):
        return False
    assert targets and all(isinstance(t, dict) for _, t in targets)
    assert all(isinstance(f, Form) for _, f in space.inequalities)
    return True


@pytest.mark.parametrize("of", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_gram_or_z3(of):
    """The same bodies give affine forms on Gram arrays or terms that z3 decides, but for exponentials and runs.

    What follows from lemmas for every length is for neither of them.
    """
    chosen = [c for c in claims().values() if not (c.limits or c.lemmas or c.world.index)][::of]
    took = [symbolic(c) for c in chosen]
    assert sum(took) >= 0.85 * len(took)


def test_a_ratio_stands_on_either_side_of_a_parameter():
    """z3's symbols are arrays, and a quotient in front of one is no parser error."""
    world = Scalars(a=positive())
    for body in (lambda x: le(x.ratio(1, 2) * x.a, x.a), lambda x: le(x.a * x.ratio(1, 2), x.ratio(2, 3) + x.a)):
        assert smt.decide(body, world, {}, rlimit=2_000_000).outcome == "proves"


def test_a_float_literal_is_refused():
    """A body with 0.5 cannot be exact and is refused when it is declared."""
    with pytest.raises(UsageError, match=r"float 0\.5"):
        claim("draft/half", world=Scalars(a=positive()))(lambda x: le(0.5 * x.a, x.a))


@pytest.mark.parametrize(
    ("file", "library"),
    [
        ("numpy/core.py", True),
        ("z3/z3.py", True),
        ("proofs_checks/flame/lemma3.py", False),
        ("a_paper/claims.py", False),
    ],
)
def test_an_installed_paper_is_no_library(file, library):
    """What its bodies cannot do with symbols is no crash of ours."""
    assert bodies._of_a_library(f"/usr/lib/python3/site-packages/{file}") is library


def wrapped(fn):
    """A function that says the signature of another."""
    return functools.wraps(fn)(lambda *a, **k: fn(*a, **k))


@pytest.mark.parametrize(
    "fn",
    [
        lambda: 0, lambda x: 0, lambda x, t: 0, lambda x, t=0: 0, lambda x, *, k: 0, lambda x, *, k=0: 0, lambda *a: 0,
        lambda x, *a: 0, lambda x, y, *a: 0, 
        lambda **k: 0, lambda x, /: 0, lambda x, y, /: 0, wrapped(lambda x: 0), wrapped(lambda x, t: 0),
        functools.partial(lambda x, t: 0, 1), functools.partial(lambda x, t: 0), abs, pow, dict.get,
    ],
)  # fmt: skip
def test_whether_one_argument_will_do_is_what_python_says(fn):
    """By the code of a plain function as by its signature."""
    try:
        inspect.signature(fn).bind(None)
        wanted = True
    except TypeError:
        wanted = False
    assert bodies.takes_one(fn) is wanted
