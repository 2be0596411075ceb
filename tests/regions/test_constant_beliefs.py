"""What ``constants`` may say where a condition fails: no value of a constant that has none, and nothing of numbers not given."""

import pytest

from fedtheory.catalogue import evaluate
from fedtheory.cli import main
from fedtheory.regions.empty import emptiness
from fedtheory.regions.forms import forms
from fedtheory.registry import paper

DEAD = ("mu_F", "kappa_F", "eta1_hat", "largest eta of Theorem 1", "least T of Theorem 1", "C_1", "C_3")
GIVEN = {"L": 1.0, "lam": 15.0, "R": 5, "S": 3, "m": 6, "beta": 1.0, "eta": 0.005, "delta": 0.1, "sigma_f_sq": 1.0, "T": 10,
         "sigma_F1_sq": 1.0, "Delta_0": 1.0}  # fmt: skip


@pytest.mark.parametrize("mu", [-0.365, -1e-9, 0.0])
def test_no_constant_of_theorem_1_without_strong_convexity(mu):
    """A least T that is the product of two negative numbers is no answer."""
    rows = {r.name: r for r in evaluate(paper("pfedme").catalogue(), {**GIVEN, "mu": mu})}
    for name in DEAD:
        assert rows[name].value is None and rows[name].missing, name
    assert rows["eta2_hat"].value is not None
    convex = {r.name: r for r in evaluate(paper("pfedme").catalogue(), {**GIVEN, "mu": 0.1})}
    assert all(convex[name].value is not None for name in DEAD)


def test_what_a_measured_number_decides_is_not_said_of_all(capsys):
    """sigma_f^2 is infinite on least squares; Theorem 2 has parameters all the same."""
    words = ["--data", "diabetes", "--standardise", "--l2", "0.1", "--m", "4", "--lam", "20", "--R", "5", "--S", "4"]
    assert main(["constants", "pfedme", *words, "--solve", "eta"]) == 0
    out = capsys.readouterr().out
    (line,) = (line for line in out.splitlines() if line.startswith("Theorem 2; Theorem 2, repaired: empty: sigma_f^2"))
    assert "nor do any parameters" not in line and "other numbers may" in line


@pytest.mark.parametrize("infinite", ["L", "sigma_f_sq", "sigma_F1_sq", "Delta_0"])
def test_an_infinite_number_leaves_the_question_open(infinite):
    """Whatever it decides by itself."""
    catalogue = paper("pfedme").catalogue()
    whole = [n for n in catalogue.names if catalogue.symbols[n].whole]
    for theorem in catalogue.theorems:
        given = {**GIVEN, "mu": 0.1, infinite: float("inf")}
        free = forms(catalogue, theorem.conditions, dict.fromkeys(given, 1), "eta")
        assert emptiness(free, whole, catalogue.zero).empty is not True, theorem.name


def test_a_network_solves_no_subproblem_exactly(capsys):
    """No accuracy of 0 is assumed for it, and its constants of Theorem 1 have no value where mu < 0."""
    pytest.importorskip("torch")
    words = [
        "--data",
        "digits",
        "--m",
        "6",
        "--backend",
        "torch",
        "--model",
        "mlp",
        "--with",
        "hidden=8",
        "--lam",
        "15",
    ]
    assert main(["constants", "pfedme", *words, "--R", "5", "--S", "3", "--beta", "1", "--eta", "0.005"]) == 0
    out = capsys.readouterr().out
    assert "subproblems solved exactly" not in out
    line = next(row for row in out.splitlines() if row.startswith("least T of Theorem 1"))
    assert "mu > 0" in line and "fails" in line
