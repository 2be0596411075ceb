"""What a Python session and a notebook show."""

import pydoc
import subprocess
import sys

import numpy as np
import pytest

import fedtheory
from fedtheory import Control, UsageError, claim, le, lt, verify
from fedtheory.units import CURVATURE
from fedtheory.verdict import Verdict
from problems import Points, SmoothStronglyConvex, condition, positive


@claim(
    "draft/step",
    world=Points(
        SmoothStronglyConvex("mu", "L"), optimum_of="f", mu=positive(CURVATURE), L=positive(CURVATURE),
        given=(condition("mu < L", lambda x: lt(x.mu, x.L)),),
    ),
    control=Control("no step reaches w* from everywhere", lambda x: le(x.sq(x.w - x.w_star), 0)),
    expect="refuted",
)  # fmt: skip
def step(x):
    """The lemma of the README."""
    after = x.w - 2 / x.L * x.mean_vec(x.f.grad(x.w))
    return le(x.sq(after - x.w_star), (1 - x.mu / x.L) * x.sq(x.w - x.w_star))


def test_a_verdict_is_a_line_and_has_no_truth_value():
    """The repr has id, verdict and witness; `assert verify(...)` does not pass."""
    v = verify(step)
    assert repr(v) == "refuted draft/step: 1 <= 1/2 fails at m=1 mu=1 L=2" and v.holds is False
    with pytest.raises(TypeError, match=r"no truth value; use \.holds of the verdict on draft/step"):
        assert v
    html = v._repr_html_()
    assert html.startswith("<div><b") and "1 &lt;= 1/2 fails" in html and "falsify refutes" in html


@pytest.mark.parametrize(
    ("verdict", "holds"),
    [("proved", True), ("certified", True), ("supported", True), ("refuted", False), ("vacuous", False), ("unknown", None)],
)  # fmt: skip
def test_holds(verdict, holds):
    """True, false or not decided, and a line without a witness."""
    v = Verdict("a/b", verdict=verdict, reason="because")
    assert v.holds is holds and repr(v).startswith(f"{verdict} a/b") and verdict in v._repr_html_()


def test_the_package_introduces_itself():
    """A version, names, a help text with a line a function, types."""
    text = pydoc.render_doc(fedtheory, renderer=pydoc.plaintext)
    assert all(name in text for name in ("verify(claim)", "le(a, b)", "FUNCTIONS", "decorator that makes a claim"))
    assert set(fedtheory.__all__) <= set(dir(fedtheory)) and fedtheory.__version__
    from importlib.resources import files

    assert all(files(name).joinpath("py.typed").is_file() for name in ("fedtheory", "problems", "proofs_checks"))
    said = subprocess.run([sys.executable, "-m", "fedtheory", "--version"], capture_output=True, text=True, check=True)
    assert said.stdout == f"fedtheory {fedtheory.__version__}\n"


@pytest.mark.parametrize("wrong", [{"budget": "quik"}, {"backend": "numpie"}, {"seed": -1}])
def test_complaints_name_arguments(wrong):
    """No command-line option in a Python message."""
    with pytest.raises(UsageError, match=next(iter(wrong))) as told:
        verify(step, **wrong)
    assert "--" not in str(told.value)


def test_a_seed_may_be_a_number_of_numpy():
    same = [verify(step, seed=seed).to_json()["min_slack"] for seed in (3, np.int64(3), np.uint8(3))]
    assert same[0] == same[1] == same[2]
