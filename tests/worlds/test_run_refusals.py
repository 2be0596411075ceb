"""What is written of a run in another way than it is: told with its name, and how it is written."""

import pytest

from fedtheory import claim, eq, le, verify
from fedtheory.errors import UsageError
from fedtheory.units import CURVATURE, STEP
from problems import Points, Run, Sequences, SmoothConvex, condition, positive

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
