"""What fedtheory constants --solve prints: regions, what binds, the fewest rounds, what is left out, why a region is empty."""

import io
from shlex import split

import pytest
from rich.console import Console

from fedtheory import Condition, lt
from fedtheory.catalogue import Catalogue
from fedtheory.cli import main
from fedtheory.commands.regions import solve_for
from fedtheory.paper import Paper
from fedtheory.symbols import Symbol, Symbols
from fedtheory.world import positive

PFEDME = split("--L 1 --mu 1/2 --lam 15 --beta 1 --R 20 --S 5 --m 20 --delta 0 --sigma_F1_sq 1 --Delta_0 1 --Delta_F 1")


def said(capsys, *words):
    assert main(["constants", *words]) == 0
    return capsys.readouterr().out


def row(out, start):
    return next(line for line in out.splitlines() if line.startswith(start))


def test_a_step_size_with_its_rounds(capsys):
    """Closed forms, what binds above, whether the given step is inside, a short legal one, and what is left out."""
    out = said(capsys, "pfedme", *PFEDME, "--eta", "1/600", "--accuracy", "0.1", "--solve", "eta")
    assert "0 < eta <= 1.39903e-07 = 1/7147800" in row(out, "eta <= eta1_hat") and "mu/(6*R*lam*" in out
    assert "1/(75*R*beta*lam^3)" in row(out, "eta <= eta2_hat/(beta R)")
    assert "inside" in row(out, "Lemma 5") and "outside" in row(out, "Theorem 1 ")  # 1/600 is the closed end of Lemma 5
    assert "no rate" in row(out, "Lemma 5") and "e+06 at eta = 1.39e-07 (Theorem 1 (a), (35))" in row(out, "Theorem 1 ")
    assert row(out, "Theorem 1 ").count("eta <= eta1_hat/(beta R)") == 1 and "eta = 1.39e-07" in row(out, "Theorem 1 ")
    assert "Theorem 1; Theorem 1, repaired: T >= 2/(eta1_hat mu_F) is left out: needs T" in out
    assert "Theorem 2; Theorem 2, repaired: sigma_f^2 < inf (Assumption 3) is left out: needs sigma_f_sq" in out


def test_a_whole_number_and_the_letter_of_the_paper(capsys):
    """Clients from S on, asked for as N; the suggestion is a whole number."""
    out = said(capsys, "pfedme", "--S", "5", "--solve", "N")
    assert "5 <= m" in row(out, "S <= N") and "m = 5" in row(out, "Theorem 1 ")


def test_what_stands_in_an_exponential_is_not_decided(capsys):
    """Once, with the reason; the other conditions of the theorem are."""
    words = split("--m 100 --M 5 --L 1 --eta 0.001 --solve E_l")
    out = said(capsys, "dadpfl", *words)
    assert out.count("(the proof divides by it): not decided: E_l stands in an exponential") == 1
    assert "Theorem 3, with its proof: eta - 6 S_1 (mu - eta) > 0 (the proof divides by it) is left out" in out
    assert not any(line.startswith("eta - 6") and "holds for" in line for line in out.splitlines())


def test_an_empty_region_names_its_conflict_and_what_proves_it(capsys):
    """FLAME's Theorem 2 with what its proof uses; and a condition that fails whatever the parameter is."""
    out = said(capsys, "flame", *split("--L 1 --lam 5 --m 50 --S 10 --solve rho"))
    clash = "lam^2 alpha^2 (1 + rho)/rho^2 < (lam alpha + rho)/2 and c_0 > 0, with which k > 0"
    assert clash in row(out, "Theorem 2, with its proof") and "empty" in row(out, "Theorem 2, with its proof")
    proof = "by exact signs between all ends and a product certificate (kernel); other numbers may (z3)"
    assert f"{clash}: no rho meets them, {proof}" in out
    out = said(capsys, "pfedme", *PFEDME, "--eta", "1", "--solve", "mu")
    assert "eta <= eta2_hat/(beta R): fails whatever mu is, by a product certificate (kernel); other numbers may" in out


def test_an_empty_region_for_all_parameters_is_said_to_be_so():
    """a < b and b < a, by a certificate."""
    conditions = (Condition("a < b", "1", lambda x: lt(x.a, x.b)), Condition("b < a", "2", lambda x: lt(x.b, x.a)))
    symbols = Symbols(a=Symbol("a", positive()), b=Symbol("b", positive()))
    catalogue = Catalogue(symbols, ("a", "b"), (), conditions, {})
    console = Console(file=io.StringIO(), width=200)
    solve_for(Paper("toy", "T", claims=dict), catalogue, {"b": 1}, "a", None, "", console)
    assert "nor do any parameters at all (a product certificate, kernel)" in console.file.getvalue()


def test_numbers_out_of_the_range_of_floats_are_solved_exactly(capsys):
    """lam = 1e400; the rounds, which are counted in floats, are not."""
    words = split("--L 1e-400 --lam 1e400 --mu 1 --beta 1 --R 1 --S 2 --m 2 --delta 0 --Delta_F 1 --sigma_f_sq 0")
    out = said(capsys, "pfedme", *words, "--accuracy", "1", "--solve", "eta")
    assert "0 < eta <= 1.33333e-1202" in row(out, "eta <= eta2_hat") and "out of the range" in row(out, "Theorem 2 ")


def test_an_infinite_constant_is_solved_for_as_well(capsys):
    """L of a hinge, which no value inside has."""
    words = split("--data breast-cancer --model margin --m 2 --lam 5 --S 2 --solve L")
    out = said(capsys, "flame", *words)
    assert "0 < L < 2.5" in row(out, "lam > 2 L") and "infinite" in out and "outside" not in out


def test_rounds_at_constants_of_one_lam_are_not_promised_for_others(capsys):
    """From data, for lam itself."""
    words = split("--data breast-cancer --standardise --l2 0.1 --m 2 --eta 1e-7 --accuracy 0.1 --solve lam")
    out = said(capsys, "pfedme", *words)
    assert "the constants were measured at one lam" in row(out, "Theorem 2 ")


@pytest.mark.parametrize("words", ["--help", "-h"])
def test_the_help_of_a_paper_has_the_questions(words, capsys):
    """--solve and --map are in it."""
    out = said(capsys, "flame", words)
    assert "--solve NAME" in out and "--map X Y" in out
