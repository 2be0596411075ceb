"""What is written of a run in another way than it is: told with its name, and how it is written."""

from dataclasses import replace

import pytest

from fedtheory import claim, eq, le, verify
from fedtheory.errors import UsageError
from fedtheory.units import CURVATURE, STEP
from problems import Drawn, Points, Run, Sequences, SmoothConvex, Varying, between, condition, last, positive

RANGES = {"L": positive(CURVATURE), "eta": positive(STEP)}
STEPS = {"w": lambda x: x.w - x.eta * x.mean_vec(x.f.grad(x.w))}
H = {"h": lambda x: x.mean(x.sq(x.f.grad(x.w_star)))}  # reads nothing that moves
D = {"D": lambda x: x.sq(x.w - x.w_star)}


def run(quantities, **more):
    """Gradient descent."""
    return Run(SmoothConvex("L"), optimum_of="f", step=STEPS, quantities=quantities, **{**RANGES, **more})


RUN = run({**D, **H})
OF_ONE = {
    "a quantity at 0": (RUN, lambda x: le(x.D[x.T], x.D[0] + x.eta**2 * x.h[0]), "h"),
    "a quantity at T, after it has been read": (RUN, lambda x: le(x.h + x.h, x.h[x.T]), "h"),
    "a quantity in a sum": (RUN, lambda x: le(x.D[x.T], x.D[0] + x.eta**2 * x.sum(lambda t: x.h[t], x.T)), "h"),
    "a scalar of a run": (RUN, lambda x: le(x.D[x.T], x.D[0] + x.L[0] * x.eta), "L"),
    "a scalar of sequences": (
        Sequences("T", sequences={"D": positive()}, q=positive()),
        lambda x: le(x.D[0], x.sum(lambda t: x.q[t], x.T)),
        "q",
    ),
}


@pytest.mark.parametrize("name", OF_ONE)
def test_what_is_one_number_has_no_elements(name):
    """In floats a number of a batch would be that of another instance."""
    world, body, called = OF_ONE[name]
    with pytest.raises(UsageError, match=rf"x\.{called}\[\d\]: {called} is one number.* written x\.{called}$"):
        verify(claim(f"draft/{called}", world=world)(body))


def test_nor_has_it_in_a_condition_for_every_t():
    small = condition("h_t <= L", lambda x, t: le(x.h[t], x.L))
    one = claim("draft/every", world=run({**D, **H}, every=(small,)))(lambda x: le(x.D[x.T], x.D[0] + x.h))
    with pytest.raises(UsageError, match=r"condition h_t <= L: x\.h\[0\]: h is one number"):
        verify(one)


def test_what_is_written_as_it_is_is_taken():
    """Also a number of each client as a column."""
    assert verify(claim("draft/plain", world=RUN)(lambda x: le(x.h, x.h + x.eta**2 * x.L**2 * x.h))).verdict == "proved"
    assert RUN.units().L[..., None].shape == (1, 1)


def test_a_condition_about_functions_is_said_where_it_goes():
    """Of a name that is nowhere another one is offered, and of one step it is a condition as others."""
    flat = condition("grad f(w) = 0", lambda x: eq(x.sq(x.f.grad(x.w)), 0))
    with pytest.raises(UsageError, match=r"uses x\.f, .* at every step goes to obeys=\(\.\.\.\)$"):
        run(D, given=(flat,))
    assert run(D, obeys=(flat,)).one_step.given == (flat,)
    with pytest.raises(UsageError, match=r"no name 'etta' .*; did you mean eta\?"):
        run(D, given=(condition("eta <= 1", lambda x: le(x.etta, 1)),))


@pytest.mark.parametrize(
    ("quantities", "more", "name"),
    [({"e": D["D"], "e0": D["D"]}, {}, "e0"), ({"e": D["D"]}, {"e12": positive()}, "e12"),
     ({"e": D["D"]}, {"derived": {"e7": lambda x: x.L}}, "e7")],
)  # fmt: skip
def test_what_an_element_is_called_is_no_other_name(quantities, more, name):
    with pytest.raises(UsageError, match=rf"Run: {name} is what an element of a sequence is called, e at {name[1:]};"):
        run(quantities, **more)


def test_what_is_constant_has_no_elements_of_which_a_name_could_be():
    """And a point is none of the numbers of a theorem."""
    assert run({**H, "h0": D["D"]}).constant == {"h"}
    assert Points(SmoothConvex("L"), at=("w", "w0"), **RANGES).at == ("w", "w0")
    assert "D0" in Run(SmoothConvex("L"), optimum_of="f", at=("w", "D0"), step=STEPS, quantities=D, **RANGES).at


WITHOUT = {
    "a quantity": (RUN, lambda x: le(x.D[x.T], x.D)),
    "a sequence": (Sequences("T", sequences={"D": positive(), "G": positive()}), lambda x: le(x.D[x.T], x.G)),
}


@pytest.mark.parametrize("name", WITHOUT)
def test_a_sequence_is_no_side(name):
    world, body = WITHOUT[name]
    with pytest.raises(UsageError, match=r"the rhs is no number; of a sequence.* write an element, x\.A\[t\]"):
        verify(claim("draft/without", world=world)(body))


TERMS = Sequences("T", sequences={"q": positive()}, r=positive())


@pytest.mark.parametrize("name", ["sum", "product"])
def test_a_sum_is_of_a_function_of_the_index(name):
    said = (
        rf"x\.{name}\(term, n\) hands every t < n to term, so write x\.{name}\(lambda t: x\.a\[t\], n\); got a Sequence"
    )
    with pytest.raises(UsageError, match=said):
        verify(claim(f"draft/{name}", world=TERMS)(lambda x: le(0, getattr(x, name)(x.q, x.T))))
    with pytest.raises(UsageError, match="got a function of more or fewer arguments"):
        verify(claim(f"draft/{name}-of-two", world=TERMS)(lambda x: le(0, getattr(x, name)(lambda t, s: x.q[t], x.T))))


def test_a_misspelt_operation_is_told_where_it_stands():
    with pytest.raises(
        UsageError, match=r"no name 'prodct' .* sum, product, where, each_step\); did you mean product\?"
    ):
        verify(claim("draft/prodct", world=TERMS)(lambda x: le(0, x.prodct(lambda t: x.q[t], x.T))))
    with pytest.raises(UsageError, match=r"uses x\.meen, .* did you mean mean, median\?"):
        run(D, given=(condition("small", lambda x: le(x.meen(x.L), 1)),))


@pytest.mark.parametrize("kind", [Varying, Drawn])
@pytest.mark.parametrize("changing", [Varying("lam"), Drawn("lam")])
def test_what_changes_at_every_step_does_not_change_twice(kind, changing):
    with pytest.raises(
        UsageError, match=rf"^{kind.__name__}\(kind\) needs a kind of matrix that is the same at every step, got "
    ):
        kind(changing)


@pytest.mark.parametrize(
    ("world", "sizes", "lacks"), [(RUN, {"m": (1,)}, "T"), (RUN, {"T": (1,)}, "m"), (TERMS, {}, "T")]
)
def test_sizes_have_the_length_and_the_clients(world, sizes, lacks):
    with pytest.raises(UsageError, match=rf"sizes must have .*, such as .*, and has no {lacks}, got "):
        replace(world, sizes=sizes)


LOCAL = Run(None, at=("w",), clients_at=("v",), index="R", start={"v": lambda x: x.w}, step={"v": lambda x: 2 * x.v}, quantities={
    "V": lambda x: x.mean(x.sq(x.v))})  # fmt: skip
MIXED = Run(None, at=(), clients_at=("v",), index="R", lam=between(0, 1), mixing={"W": "lam"}, step={"v": lambda x: x.W(x.v)},
            quantities={"V": lambda x: x.mean(x.sq(x.v))})  # fmt: skip


def around(inner, **more):
    step = {"w": lambda x: x.mean_vec(x.v), "u": lambda x: x.u, "s": lambda x: x.s}
    plain = {"at": ("w", "u", "s"), "clients_at": ("v",), "sizes": {"R": (1, 2)}, "step": step, "quantities": SIZE}
    return Run(None, within={"v": last(inner, "v")}, **plain, **more)


SIZE = {"D": lambda x: x.sq(x.u - x.w)}


def test_a_start_reads_what_is_there_at_the_start():
    """In place of a point that begins elsewhere it would read any vector, and what is true would be refuted."""
    with pytest.raises(
        UsageError, match=r"Run\(start=\.\.\.\): w reads v, where a run within the step ends, .* after the start"
    ):
        around(LOCAL, start={"w": lambda x: x.mean_vec(x.v)})
    with pytest.raises(
        UsageError, match=r"Run\(start=\.\.\.\): u reads s, a point that begins elsewhere; write out where"
    ):
        around(LOCAL, start={"u": lambda x: x.s, "s": lambda x: x.w})
    written = around(LOCAL, start={"u": lambda x: x.w, "s": lambda x: x.w})
    assert verify(claim("draft/written", world=written)(lambda x: le(x.D[0], 0))).verdict != "refuted"


def test_matrices_of_a_run_within_a_step_are_those_of_the_run():
    with pytest.raises(
        UsageError, match=r"Run\(within=\.\.\.\): the run of v has the matrix W, Symmetric\(.* got 'none'$"
    ):
        around(MIXED, lam=between(0, 1))
    with pytest.raises(UsageError, match=r"must have as well, mixing=\{'W': \.\.\.\}, got Symmetric\(.*bound='rho'\)$"):
        around(MIXED, lam=between(0, 1), rho=between(0, 1), mixing={"W": "rho"})
    assert around(MIXED, lam=between(0, 1), mixing={"W": "lam"}).within["v"].run is MIXED
