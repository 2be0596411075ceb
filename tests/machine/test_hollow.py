"""Claims that say less than their row are found, and honest ones are not."""

import pytest

import fedtheory
from fedtheory import assumed, claim, eq, le, lt, registry
from fedtheory.cli import main
from fedtheory.show.page import page
from fedtheory.units import CURVATURE
from fedtheory.wellformed.hollow import bare, hollow, restates
from problems import Points, Run, Scalars, Sequences, Smooth, SmoothConvex, at_least, condition, positive, real
from proofs_checks import claims

SMALL = condition("a <= b", lambda x: le(x.a, x.b))
NUMBERS = {"a": positive(), "b": positive(), "c": positive()}
NEAR = condition("|w|^2 <= |v|^2", lambda x: le(x.sq(x.w), x.sq(x.v)))
FALLS = condition("falls", lambda x, t: le(x.D[t + 1], x.D[t]))
CLOSE = condition("small", lambda x: le(x.sq(x.f.grad(x.w)), x.eps))
GRADIENT_AT = Points(Smooth("L"), given=(CLOSE,), L=positive(CURVATURE), eps=positive())
MEAN_ZERO = condition("the mean is zero", lambda x: eq(x.sq(x.mean_vec(x.W)), 0))
SQUARES = Points(SmoothConvex("L"), optimum_of="f", L=positive(CURVATURE))

RUN = Run(
    Smooth("L"), step={"w": lambda x: x.w - x.f.grad(x.w)/x.L}, quantities={"D": lambda x: x.sq(x.w)}, every=(FALLS,),
    L=positive(CURVATURE),
)  # fmt: skip

HOLLOW = {
    "verbatim": (Scalars(given=(SMALL,), **NUMBERS), lambda x: le(x.a, x.b)),
    "times a positive number": (Scalars(given=(SMALL,), **NUMBERS), lambda x: le(x.c * x.a + x.a, (1 + x.c) * x.b)),
    "divided": (Scalars(given=(SMALL,), **NUMBERS), lambda x: le(x.a / x.b, 1)),
    "squared": (Scalars(given=(SMALL,), **NUMBERS), lambda x: le(x.a**2, x.b**2)),
    "both sides moved": (Scalars(given=(SMALL,), **NUMBERS), lambda x: le(x.a + x.c**2, x.b + x.c**2)),
    "weaker than a strict one": (
        Scalars(given=(condition("a < b", lambda x: lt(x.a, x.b)),), **NUMBERS), lambda x: le(x.a, x.b),
    ),
    "vectors": (Points(None, at=("w", "v"), given=(NEAR,)), lambda x: le(x.sq(x.w - x.v), 2*x.sq(x.v) - 2*x.dot(x.w, x.v))),
    "a gradient": (GRADIENT_AT, lambda x: le(x.sq(3*x.f.grad(x.w)), 9*x.eps)),
    "an equation": (Points(None, at=(), clients_at=("W",), given=(MEAN_ZERO,)), lambda x: eq(x.sq(x.total_vec(x.W)), 0)),
    "at some t": (Sequences("T", sequences={"D": at_least(0)}, every=(FALLS,)), lambda x: le(x.D[1], x.D[0])),
    "of a run": (RUN, lambda x: le(2 * x.L * x.D[1], 2 * x.L * x.D[0])),
    "of a run, at every t": (RUN, lambda x, t: le(x.D[t + 1], x.D[t])),
    "the minimiser": (SQUARES, lambda x: eq(x.sq(x.mean_vec(x.f.grad(x.w_star))), 0)),
}  # fmt: skip
HONEST = {
    "no hypothesis": (Scalars(**NUMBERS), lambda x: le(2*x.a*x.b, x.a**2 + x.b**2)),
    "an identity": (Scalars(given=(SMALL,), **NUMBERS), lambda x: eq((x.a + x.b)**2, x.a**2 + 2*x.a*x.b + x.b**2)),
    "with room": (Scalars(given=(SMALL,), **NUMBERS), lambda x: le(x.a * x.b, x.b**2 + x.c)),
    "a sum of two": (Scalars(given=(SMALL, condition("b <= c", lambda x: le(x.b, x.c))), **NUMBERS), lambda x: le(x.a, x.c)),
    "the other way": (Scalars(given=(SMALL,), **NUMBERS), lambda x: le(x.b, x.a)),
    "by a number of either sign": (
        Scalars(a=positive(), b=positive(), c=real(), given=(SMALL,)), lambda x: le(x.c*x.a, x.c*x.b),
    ),
    "by a difference": (Scalars(given=(SMALL,), **NUMBERS), lambda x: le((x.b - x.c)*x.a, (x.b - x.c)*x.b)),
    "an equation of other numbers": (
        Scalars(given=(condition("a = b", lambda x: eq(x.a, x.b)),), **NUMBERS),
        lambda x: le(x.c, 2 * x.c),
    ),
    "a sign": (
        Scalars(a=at_least(0), b=positive(), given=(condition("0 <= a", lambda x: le(0, x.a)),)),
        lambda x: le(0, x.a + x.b),
    ),
    "of a run, telescoped": (RUN, lambda x: le(x.D[x.T], x.D[0])),
    "stricter": (Scalars(given=(SMALL,), **NUMBERS), lambda x: lt(x.a, x.b)),
    "vectors": (Points(None, at=("w", "v"), given=(NEAR,)), lambda x: le(x.dot(x.w, x.v), x.sq(x.v))),
    "a mean of clients": (GRADIENT_AT, lambda x: le(x.sq(x.mean_vec(x.f.grad(x.w))), x.eps)),
    "a telescoping sum": (Sequences("T", sequences={"D": at_least(0)}, every=(FALLS,)), lambda x: le(x.D[x.T], x.D[0])),
    "at the minimiser": (SQUARES, lambda x: eq(x.dot(x.total_vec(x.f.grad(x.w_star)), x.w), 0)),
}  # fmt: skip


def planted(world, body, **row):
    return claim("draft/planted", world=world, **row)(body)


@pytest.mark.parametrize("name", HOLLOW)
def test_a_conclusion_that_is_a_hypothesis_is_found(name):
    said = restates(planted(*HOLLOW[name]))
    assert said.startswith("its conclusion is "), said


@pytest.mark.parametrize("name", HONEST)
def test_no_honest_conclusion_is_taken_for_a_hypothesis(name):
    assert restates(planted(*HONEST[name])) == ""


def test_a_part_of_a_conclusion_is_named_as_one():
    world = Scalars(given=(SMALL,), **NUMBERS)
    said = restates(planted(world, lambda x: (le(x.a, x.b), le(x.a, x.b + x.c))))
    assert said == "a part of its conclusion is the hypothesis a <= b"


def test_what_is_assumed_is_a_hypothesis_as_well():
    known = assumed("a is small", lambda x: le(x.a, x.b))
    said = restates(planted(Scalars(**NUMBERS), lambda x: le(x.a, x.b), by=(known,)))
    assert said == "its conclusion is the hypothesis a is small"


def jensen(x):
    return le(x.sq(x.total_vec(x.u)), x.m*x.total(x.sq(x.u)))  # fmt: skip


ITERATES = {"kind": "implication", "latex": r"$\lim_{k \to \infty} \nabla f(w^k) = 0$"}
VECTORS = Points(None, at=(), clients_at=("u",))


def test_a_world_without_the_method_is_found_where_the_row_speaks_of_it():
    assert bare(planted(VECTORS, jensen, **ITERATES)) == "arithmetic of any vectors"
    assert bare(planted(Scalars(a=positive()), lambda x: le(0, x.a), **ITERATES)) == "arithmetic of any numbers"
    many = Sequences("T", sequences={"D": at_least(0)})
    assert bare(planted(many, lambda x: le(0, x.D[0]), **ITERATES)) == "arithmetic of any sequences of numbers"


def test_a_row_about_vectors_is_none():
    printed = {"kind": "inequality", "latex": r"$2 \langle w_1, w_2 \rangle \leq t \|w_1\|^2 + \|w_2\|^2/t$"}
    assert bare(planted(VECTORS, jensen, **printed)) == ""


def test_functions_a_step_or_a_lemma_are_something_of_the_method():
    functions = Points(Smooth("L"), L=positive(CURVATURE))
    own = planted(functions, lambda x: le(0, x.sq(x.f.grad(x.w))), **ITERATES)
    run = Run(
        Smooth("L"), step={"w": lambda x: x.w - x.f.grad(x.w)/x.L}, quantities={"D": lambda x: x.sq(x.w)}, L=positive(CURVATURE),
    )  # fmt: skip
    for honest in (
        own,
        planted(run.one_step, lambda x: le(0, x.D), **ITERATES),
        planted(run, lambda x: le(0, x.D[x.T]), **ITERATES),
    ):
        assert bare(honest) == ""
    lemma = planted(Scalars(a=positive()), lambda x: le(0, x.a))
    assert bare(planted(Scalars(a=positive()), lambda x: le(0, x.a), by=(lemma,), **ITERATES)) == ""


@pytest.mark.parametrize("name", ["fedadmm/eq7.10-c", "fedadmm/lemma7.2-proof-s5", "fedadmm/lemma4.1-proof-s9"])
def test_published_claims_that_restate_a_hypothesis_are_found(name):
    assert restates(claims()[name]).startswith("its conclusion is ")


@pytest.mark.parametrize(
    "name", ["fedadmm/lemma4.1", "fedadmm/eq7.7", "flame/lemma1~repaired", "flame/eq49", "pfedme/lemma2a"]
)
def test_published_claims_about_the_method_are_not(name):
    assert hollow(claims()[name]) == ""


def test_the_verdict_carries_the_heading_and_stays():
    v = fedtheory.verify(planted(Scalars(given=(SMALL,), **NUMBERS), HOLLOW["divided"][1]))
    assert (v.verdict, v.hollow) == ("proved", "its conclusion is a multiple of the hypothesis a <= b")
    assert v.to_json()["hollow"] == v.hollow and "a multiple of the hypothesis" in repr(v)
    assert fedtheory.verify(planted(VECTORS, jensen)).hollow == ""


def test_what_is_shown_is_headed_as_what_it_is(capsys):
    """`explain`, the table and the page: the printed text stands beside the claim, and is not what was proved."""
    assert main(["explain", "fedadmm/eq4.6-b@four"]) == 0
    out = capsys.readouterr().out
    assert "this is:    arithmetic of any vectors" in out and "of the row:" in out and "printed:" not in out
    assert main(["verify", "fedadmm/eq4.6-b@four"]) == 0
    assert "arithmetic of any vectors" in capsys.readouterr().out
    one = claims()["fedadmm/eq7.10-c"]
    report = {"claims": [fedtheory.verify(one).to_json()], "budget": "quick", "seed": 0}
    text = page(registry.paper("fedadmm"), {one.id: one}, report)
    row = next(line for line in text.splitlines() if line.startswith("| `eq7.10-c`"))
    assert "| *its conclusion is the hypothesis |phi_i^{k+1}".replace("|phi", "\\|phi") in row and "(of the row " in row


def test_an_honest_claim_is_shown_as_printed(capsys):
    assert main(["explain", "fedadmm/eq7.3-c"]) == 0
    out = capsys.readouterr().out
    assert "printed:" in out and "this is:" not in out
