"""Constants and conditions: against values worked out by hand, and bad input."""

import importlib
from fractions import Fraction

import pytest

from fedtheory.cli import main
from fedtheory.theory.catalogue import evaluate

F = Fraction


def rows(paper, **given):
    """Evaluated rows of one paper by name."""
    catalogue = importlib.import_module(f"fedtheory.theory.{paper}").CATALOGUE
    return {r.name: r for r in evaluate(catalogue, {k: F(v) for k, v in given.items()})}


def test_flame_at_its_printed_setting():
    """m = 50, lam = 5, rho = 1/100, L = 1: a = lam/m = 1/10 and both conditions of Theorem 2 fail."""
    got = rows("flame", m=50, lam=5, rho="1/100", L=1)
    condition = got["lam^2 alpha^2 (1 + rho)/rho^2 < (lam alpha + rho)/2"]
    assert (condition.lhs, condition.rhs, condition.holds) == (101, F(11, 200), False)
    assert got["c_1"].value == F(11, 200) - 101
    assert got["c_0"].value == F(1, 2500) / (9999 * F(1, 100) - F(3, 200))
    assert got["c_2"].value == 4 * F(1, 100) * 10001 + F(2, 2500) * 51 + F(2, 10000) + 2
    assert got["rho >= lam alpha"].margin == -9
    assert got["rounds for the target"].missing == "needs gap"


def test_pfedme_step_size_limits():
    """lam = 15, mu = 1/10: kappa_F = 151 and eta1_hat = 1/(90 (3 + 128*151))."""
    got = rows("pfedme", L=1, mu="1/10", lam=15, eta="1/200", beta=1, R=20, S=5, m=20, T=800)
    assert got["kappa_F"].value == 151
    assert got["eta1_hat"].value == F(1, 90 * (3 + 128 * 151))
    assert got["eta <= eta1_hat/(beta R)"].holds is False
    assert got["eta_tilde <= beta/(2 L_F)"].margin == (F(1, 30) - F(1, 10)) * 30
    assert got["sampling factor (N/S - 1)/(N - 1)"].value == F(3, 19)
    assert got["eta2_hat"].value == F(1, 75 * 15**3)


def test_fedadmm_and_dadpfl():
    """sigma = r/5m is below 5 r/2m; Theorem 3 allows M times the squared step of its own lemmas."""
    got = rows("fedadmm", m=64, r=1, sigma="1/320", nu="19/20", S="288/5", s0=5)
    assert got["sigma_i > 5 alpha_i r_i/2"].holds is False
    assert got["c of the client"].value == (F(1, 320) + F(1, 64)) * (F(2, 320) - F(5, 64)) * 320
    assert got["probability of a selection in s0 rounds"].value == 1 - F(1, 10) ** 5
    got = rows("dadpfl", m=10, M=3, L=2, eta=1, E_l=5)
    assert got["largest eta^2 of Theorem 3"].value == F(1, 12 * 4 * 2 * 5)
    assert got["largest eta^2 of Lemmas 1 and 3"].value * 3 == got["largest eta^2 of Theorem 3"].value
    assert got["E_l^* = (3M + 2)/(2(M + 1)) E_l"].value == F(55, 8)
    assert rows("dadpfl", M=1, L=1)["largest eta^2 of Theorem 3"].missing == "division by zero"


CASES = {
    "unknown paper": (["pfedm"], "constants PAPER must be one of pfedme, fedadmm, flame, dadpfl, got 'pfedm'"),
    "unknown parameter": (["flame", "--lamb", "5"], "constants has no parameter '--lamb'; did you mean lam?"),
    "parameter of another paper": (["flame", "--beta", "5"], "constants has no parameter '--beta'"),
    "no dashes": (["flame", "lam", "5"], "constants has no parameter 'lam'"),
    "no value": (["flame", "--lam"], "--lam needs a number such as 0.01 or 1/3, got ''"),
    "no number": (["flame", "--lam", "five"], "--lam needs a number such as 0.01 or 1/3, got 'five'"),
    "nan": (["flame", "--lam", "nan"], "--lam needs a number such as 0.01 or 1/3, got 'nan'"),
    "infinite": (["flame", "--lam", "inf"], "--lam needs a number such as 0.01 or 1/3, got 'inf'"),
    "a quotient by zero": (["flame", "--lam", "1/0"], "--lam needs a number such as 0.01 or 1/3, got '1/0'"),
    "negative": (["flame", "--rho", "-0.1"], "--rho must be positive, got -0.1"),
    "zero": (["pfedme", "--mu", "0"], "--mu must be positive, got 0"),
    "twice": (["flame", "--lam", "1", "--lam", "2"], "--lam is given twice"),
    "twice by alias": (["pfedme", "--N", "3", "--m", "2"], "--m is given twice"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input(case, capsys):
    """One line, exit status 2."""
    arguments, message = CASES[case]
    assert main(["constants", *arguments]) == 2
    err = capsys.readouterr().err
    assert message in err and len(err.strip().splitlines()) == 1


def test_the_command_says_what_fails_and_what_is_missing(capsys):
    """The printed setting of FLAME at the command line."""
    assert main(["constants", "flame", "--m", "50", "--lam", "5", "--rho", "0.01", "--L", "1"]) == 0
    out = capsys.readouterr().out
    assert "2 conditions fail; not given: --S, --gap" in out and "fails" in out and "-1.84e+03" in out
