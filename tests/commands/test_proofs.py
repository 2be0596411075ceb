"""Certificates as mathematics: what `explain --proof` prints says what was checked."""

import re
from fractions import Fraction

import pytest

from fedtheory.cli import main
from fedtheory.show.proofs import Latex, Plain, proof_lines

MEAN = """\
  every m, m >= 2:
    given m - 2 >= 0 (sizes)
    m > 0, for if it were not, (-m) + (m - 2) + 2 = 0
    claim m^2 |u0|^2 <= m^2 |u0|^2 + m^2 |u1|^2
    right - left = m^2 |u1|^2
"""
YOUNG = """\
    claim |u1|^2 <= 2 v0 + 2 |u2|^2 + 2 |u3|^2 - 4 <u0, u2> - 4 <u1, u3> + 2 |u0|^2 + 2 |u1|^2
    right - left = 2 [sigma_f_sq at theta[0]]
                 + 2 |u0 - u2|^2
                 + |u1 - 2 u3|^2
    where [sigma_f_sq at theta[0]] = v0 - |u3|^2 >= 0
"""


@pytest.mark.parametrize(("id", "lines"), [("flame/eq24", MEAN), ("pfedme/eq9", YOUNG)])
def test_a_proof_in_text(id, lines, capsys):
    assert main(["explain", id, "--proof"]) == 0
    assert lines in capsys.readouterr().out


def test_a_proof_in_latex(capsys):
    assert main(["explain", "pfedme/lemma2b", "--proof", "--latex"]) == 0
    out = capsys.readouterr().out
    proof = out[out.index("proof:") :]
    assert r"\frac{2 \lambda^{2}}{\lambda^{2} - 8 L^{2}} [\text{sigma\_f\_sq at w[0]}]" in proof
    assert "lam^" not in proof and "*" not in proof and "<=" not in proof
    for line in proof.splitlines():
        assert line.count("{") == line.count("}"), line


def value(text, **names):
    """A printed product or sum of numbers and names, evaluated exactly."""
    text = re.sub(r"(?<=[\w)]) (?=[\w(])", "*", text).replace("^", "**")
    return eval(re.sub(r"(?<![\w*])(\d+)", r"Fraction(\1)", text), {"Fraction": Fraction, **names})


@pytest.mark.parametrize("id", ["pfedme/cond-eta2", "pfedme/lemma4-proof-s1-c", "pfedme/lemma2b"])
def test_a_printed_lemma_adds_up_to_zero(id, capsys):
    """At numbers that no hypothesis singles out, as an identity has to."""
    assert main(["explain", id, "--proof"]) == 0
    sums = re.findall(r"for if it were not, (.*) = 0$", capsys.readouterr().out, re.MULTILINE)
    names = {name: Fraction(k + 2, 7) for k, name in enumerate(("lam", "L", "L_F", "beta", "m", "S"))}
    assert sums and all(value(one, **names) == 0 for one in sums)


def test_a_verdict_without_a_certificate_says_so(capsys):
    assert main(["explain", "pfedme/lemma1a", "--proof"]) == 0
    assert "proof:      none that a checker accepts; the verdict rests on replayed" in capsys.readouterr().out


def test_latex_needs_a_proof(capsys):
    assert main(["explain", "pfedme/eq9", "--latex"]) == 2
    assert capsys.readouterr().err == "fedtheory: --latex goes with --proof\n"


def test_cases_are_told_apart():
    leaf = {
        "names": [],
        "facts": [],
        "relations": [{"lhs": {}, "op": "<", "rhs": {"": "1"}, "pieces": [{"times": ["1", {}]}]}],
    }
    part = {"where": {"m": 3}, "names": ["a"], "split": "a - 1", "yes": leaf, "no": {"each": [leaf]}}
    assert list(proof_lines({"parts": [part]})) == [
        "m=3:", "  where a - 1 >= 0:", "    claim 0 < 1", "    right - left = 1",
        "  where a - 1 < 0:", "    claim 0 < 1", "    right - left = 1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("c", "factors", "text", "latex"),
    [
        ("3/2", [("a", 2)], "3/2 a^2", r"\frac{3}{2} a^2"),
        ("-1", [("a + b", 1), ("lam", -1)], "-(a + b)/lam", r"\frac{-(a + b)}{\lambda}"),
        ("1", [("a", -1), ("b", -2)], "1/(a b^2)", r"\frac{1}{a b^2}"),
        ("1", [], "1", "1"),
        ("2", [("L_F", 1)], "2 L_F", "2 L_{F}"),
    ],
)
def test_products(c, factors, text, latex):
    assert (Plain().product(c, factors), Latex().product(c, factors)) == (text, latex)
