"""Certificates as mathematics: what `explain --proof` prints says what was checked."""

import re
import shutil
import subprocess
from fractions import Fraction

import pytest

from fedtheory import registry
from fedtheory.cli import main
from fedtheory.show.proof_names import Names
from fedtheory.show.proofs import Latex, Plain, proof_lines
from fedtheory.show.tables import proofs_in_latex

MEAN = """\
  every m, m >= 2:
    given m - 2 >= 0 (sizes)
    m > 0, for if it were not, (-m) + (m - 2) + 2 = 0
    claim m^2 |mean theta_i|^2 <= m^2 |mean theta_i|^2 + m^2 |spread theta_i|^2
    right - left = m^2 |spread theta_i|^2
"""
YOUNG = """\
    with u0 = mean grad f_i((-1/lam) itself + w)
    with u1 = spread grad f_i((-1/lam) itself + w)
    claim |u1|^2 <= 2 sigma_f_sq + 2 |mean grad f_i(theta)|^2 + 2 |spread grad f_i(theta)|^2 - 4 <u0, mean grad f_i(theta)> \
- 4 <u1, spread grad f_i(theta)> + 2 |u0|^2 + 2 |u1|^2
    right - left = 2 [sigma_f_sq at theta[0]]
                 + 2 |u0 - mean grad f_i(theta)|^2
                 + |u1 - 2 spread grad f_i(theta)|^2
    where [sigma_f_sq at theta[0]] = sigma_f_sq - |spread grad f_i(theta)|^2 >= 0
"""


@pytest.mark.parametrize(("id", "lines"), [("flame/eq24", MEAN), ("pfedme/eq9", YOUNG)])
def test_a_proof_in_text(id, lines, capsys):
    assert main(["explain", id, "--proof"]) == 0
    assert lines in capsys.readouterr().out


def test_a_proof_in_latex(capsys):
    assert main(["explain", "pfedme/lemma2b", "--proof", "--latex"]) == 0
    proof = capsys.readouterr().out
    assert proof.startswith(r"\documentclass") and proof.endswith("\\end{document}\n")
    assert r"\frac{2 \lambda^{2}}{\lambda^{2} - 8 L^{2}} [\text{sigma\_f\_sq at w[0]}]" in proof
    assert "lam^" not in proof and "<=" not in proof
    assert r"\nabla f_{i}(w)" in proof
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


def shipped(paper):
    """The claims of a paper with the certificates that it ships, as `explain --proof` has them."""
    claims = registry.claims(paper)
    return [
        (claims[id], {**one["entry"], "certificate": one["proof"]})
        for id, one in registry.paper(paper).evidence()["claims"].items()
        if id in claims
    ]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX is installed")
@pytest.mark.parametrize("paper", ["pfedme", "fedadmm", "flame", "dadpfl", "shelf"])
def test_every_proof_in_latex_compiles(paper, tmp_path):
    """Printed statement and certificate of every published claim, in one document; an error of LaTeX ends it."""
    found = shipped(paper)
    assert sum(bool(e["certificate"]) for _, e in found) > 50
    (tmp_path / "all.tex").write_text("\n".join(proofs_in_latex(found)))
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0 and (tmp_path / "all.pdf").is_file(), done.stdout[-2000:]


@pytest.mark.parametrize("paper", ["pfedme", "fedadmm", "flame"])
def test_names_tell_vectors_apart(paper):
    """No two vectors of a part have one name, nor has a number that of a parameter; what has none is told."""
    parts = [
        part for _, e in shipped(paper) if e["certificate"] for part in e["certificate"]["parts"] if "leaves" in part
    ]
    assert parts
    for part in parts:
        names = Names(part)
        called = [names.vector(k) for k in part["leaves"]] + [names.number(k) for k in part.get("values", {})]
        assert len(set(called)) == len(called) and not set(called) & set(part["names"])
        assert {c for c in called if re.fullmatch(r"[uv]\d+", c)} >= set(names.told)


def test_names_are_those_of_the_world():
    """A point, its minimiser, a gradient; where a point is defined by its own gradient, that is called u or v."""
    part = {
        "where": "m=1", "names": ["lam"],
        "leaves": {"0": "w", "1": "w_star", "2": "grad f[0](w)", "3": "grad f[0]((-1/lam) itself + w)"},
        "values": {"0": "f[0](w_star)", "1": "f[0]((-1/lam) itself + w)"},
    }  # fmt: skip
    names = Names(part)
    assert [names.vector(k) for k in "0123"] == ["w", "w*", "grad f(w)", "u3"]
    assert [names.number(k) for k in "01"] == ["f(w*)", "v1"]
    assert names.told == {"u3": "grad f((-1/lam) u3 + w)", "v1": "f((-1/lam) u3 + w)"}
