"""Claims for Coq: what is written says what the certificate says, and coqc accepts it, but nothing that is damaged."""

import copy
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from fedtheory import fedtheory_check, verify
from fedtheory.cli import main
from fedtheory.show.coq import PREAMBLE, coq_file
from proofs_checks import claims

SAMPLE = [  # an identity, rows and squares for every m, facts by contradiction, a draw, a repair
    "pfedme/rem1-sampling-zero", "pfedme/lemma4", "pfedme/lemma4-proof-s1-c", "pfedme/lemma2a", "pfedme/lemma2b",
    "pfedme/lemma1a-proof-s3-c~repaired", "flame/eq24",
]  # fmt: skip
AXIOMS = {
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "functional_extensionality_dep",
}
COQC = shutil.which("coqc")
needs_coq = pytest.mark.skipif(COQC is None, reason="coqc is not installed")
SCALARS = {
    "id": "made/one", "verdict": "proved", "scope": "all",
    "parts": [{
        "where": {"m": 3}, "names": ["S", "a[0]", "a_0", "sin"],
        "facts": [
            {"says": "S - 1 > 0", "from": "a comment *) with an end"},
            {"says": "S > 0", "by": [["1", {"not": 1}], ["1", {"0": 1}], ["1", {}]]},
            {"says": "a[0]^2 - 2*a[0]*a_0 + a_0^2 >= 0", "by": [["1", {"not": 1}], ["1", {}, ["a[0] - a_0"]]]},
            {"says": "sin != 0", "from": "sin is not zero"},
            {"says": "sin - a_0 == 0", "from": "they are equal"},
            {"says": "a_0 != 0", "by": [["-sin - a_0", {"4": 1}], ["-1", {"not": 2}], ["1", {"3": 2}]]},
        ],
        "relations": [
            {"lhs": {}, "op": "<", "rhs": {"": ["1/2", {"1": 2}]}, "pieces": [{"times": ["1/2", {"1": -2}]}]},
            {"lhs": {"G 0 1": "2*S"}, "op": "<=", "rhs": {"G 0 0": "S^2", "G 1 1": "1", "v 0": ["1", {"5": 2}]},
             "pieces": [{"times": ["1", {}], "square": {"0": "S", "1": "-1"}}, {"times": ["1", {"5": -2}], "row": "r"}],
             "rows": {"r": {"v 0": "1"}}},
            {"lhs": {"G 0 1": "S"}, "op": "==", "rhs": {"G 1 0": ["S^2", {"1": 1}]}, "pieces": []},
        ],
    }],
}  # fmt: skip


@pytest.fixture(scope="module")
def exported(certificates):
    """Certificates of a sample of the published claims."""
    return {id: verify(claims()[id], stored=dict(certificates)).certificate for id in SAMPLE}


def coqc(folder, text):
    """(exit status, what coqc says) of a file."""
    (folder / "claims.v").write_text(text, encoding="utf-8")
    done = subprocess.run([COQC, "-q", "claims.v"], cwd=folder, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def test_a_statement():
    """Names, comments, hypotheses and relations; what has a proof is no hypothesis."""
    lines = coq_file([SCALARS]).splitlines()
    assert "Module claim_made_one." in lines and "(* m=3 *)" in lines
    assert lines.count("  (f0 : 0 < (p_S - 1)) (* a comment * ) with an end *)") == 3
    assert lines.count("  (f3 : p_sin <> 0) (* sin is not zero *)") == 3
    assert lines.count("  (f4 : (p_sin - p_a_0'2) = 0) (* they are equal *)") == 3
    assert "Lemma part_1_relation_1 (V : space) (p_S p_a_0 p_a_0'2 p_sin : R)" in lines
    assert "  : 0 < (1/2) * / p_S^2 * 1." in lines
    assert "  : (2 * p_S) * ip u0 u1 <= p_S^2 * ip u0 u0 + 1 * ip u1 u1 + 1 * / p_a_0'2^2 * v0." in lines
    assert not any(line.startswith(("  (f1 ", "  (f2 ", "  (f5 ")) for line in lines)


def test_nothing_is_assumed_or_left_open(exported):
    text = coq_file(exported.values())
    assert not re.search(r"\b(Axiom|Parameter|Admitted|admit|Hypothesis|Conjecture)\b", text)
    assert text.count("\nModule ") == text.count("\nEnd claim_") == len(SAMPLE)
    own = text.removeprefix(PREAMBLE.read_text())
    assert own.count("\nQed.") == own.count("\nLemma part_")


def test_a_case_is_a_hypothesis():
    leaf = {
        "names": ["a"], "facts": [{"says": "a - 1 >= 0", "from": "case"}],
        "relations": [{"lhs": {}, "op": "<", "rhs": {"": "1"}, "pieces": [{"times": ["1", {}]}]}],
    }  # fmt: skip
    other = {**leaf, "facts": [{"says": "-a + 1 > 0", "from": "case"}]}
    part = {"where": "", "names": ["a"], "split": "a - 1", "yes": leaf, "no": {"each": [other]}}
    text = coq_file([{"id": "made/cases", "verdict": "proved", "scope": "all", "parts": [part]}])
    for name, says in (("yes", "0 <= (p_a - 1)"), ("no_1", "0 < (- p_a + 1)")):
        assert f"Lemma part_1_{name}_relation_1 (V : space) (p_a : R)\n  (f0 : {says}) (* case *)" in text


def test_the_command_writes_a_file_and_names_what_is_left_out(tmp_path, capsys):
    file = tmp_path / "out.v"
    assert main(["export", "--coq", str(file), "pfedme/lemma4", "pfedme/lemma1a"]) == 0
    left = "1 of 3 claims are left out, without a certificate that a checker accepts: pfedme/lemma1a"
    assert left in capsys.readouterr().err.splitlines()
    text = file.read_text()
    assert text.startswith(PREAMBLE.read_text()) and "(* pfedme/lemma4: proved *)" in text
    assert "(* pfedme/lemma1a~repaired: certified *)" in text
    assert main(["export", "--coq", "-", "pfedme/lemma4"]) == 0
    assert "Module claim_pfedme_lemma4." in capsys.readouterr().out


def test_what_holds_given_a_refuted_lemma_is_left_out(tmp_path, monkeypatch, capsys):
    """And the others stand in the order of the claims."""
    monkeypatch.chdir(tmp_path)
    Path("draft.py").write_text(
        """
from fedtheory import claim, le
from problems import Scalars, positive

AB = Scalars(a=positive(), b=positive())
step = claim("draft/step", world=AB)(lambda x: le(x.b, 2*x.a))
theorem = claim("draft/theorem", world=AB, by=(step,))(lambda x: le(0, 3*x.a))
first = claim("draft/first", world=AB)(lambda x: le(x.a, x.a + x.b))
second = claim("draft/second", world=AB)(lambda x: le(x.b, x.a + x.b))
"""
    )
    assert main(["export", "--coq", "out.v", "draft.py"]) == 0
    assert "2 of 4 claims are left out" in capsys.readouterr().err
    text = Path("out.v").read_text()
    assert "theorem" not in text and text.index("draft_first") < text.index("draft_second")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--coq", "folder/out.v", "pfedme/lemma4"], "--coq folder/out.v cannot be written"),
        (["--coq", ".", "pfedme/lemma4"], "--coq . is a folder"),
        (["--coq", "", "pfedme/lemma4"], "--coq needs a value"),
        (["pfedme/lemma4"], "the following arguments are required: --coq"),
        (["--coq", "out.v", "pfedme/lemma44"], "pfedme/lemma44"),
        (["--coq", "out.v", "missing.py"], "missing.py"),
        (
            ["--coq", "out.v", "pfedme/eq18-c@assumption1b"],
            "there is no certificate that a checker accepts of pfedme/eq18-c@assumption1b",
        ),
    ],
)
def test_bad_words(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["export", *words]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1 and said in lines[0] and not list(tmp_path.iterdir())


@needs_coq
def test_coq_accepts_the_sample(exported, tmp_path):
    """And all that it rests on are the axioms of Coq's real numbers."""
    text = coq_file([*exported.values(), SCALARS])
    lemmas = []
    for line in text.splitlines():
        if line.startswith("Module "):
            module = line.removeprefix("Module ").rstrip(".")
        elif line.startswith("Lemma part_"):
            lemmas.append(f"{module}.{line.split()[1]}")
    assert fedtheory_check.accepted(SCALARS)[0]
    status, said = coqc(tmp_path, text + "".join(f"Print Assumptions {name}.\n" for name in lemmas))
    assert status == 0, said
    assert len(lemmas) > len(SAMPLE) and set(re.findall(r"^(\S+) ?:", said, re.MULTILINE)) - {"Axioms"} <= AXIOMS


def weight(part):
    part["relations"][0]["pieces"][0]["times"][0] = "5"


def negative(part):
    part["relations"][0]["pieces"][-1]["times"][0] = "-1"


def lemma(part):
    next(f for f in part["facts"] if "by" in f)["by"][0][0] = "2"


def strict(part):
    part["relations"][0]["op"] = "<"


def hypothesis(part):
    """The condition on lam in the other direction."""
    part["facts"][2]["says"] = "-lam^2 + 8*L^2 > 0"


def vector(part):
    part["relations"][0]["pieces"][-1]["square"]["3"] = "2"


@needs_coq
@pytest.mark.parametrize("damage", [weight, negative, lemma, strict, hypothesis, vector], ids=lambda d: d.__name__)
def test_coq_rejects_what_is_damaged(damage, exported, tmp_path):
    bad = copy.deepcopy(exported["pfedme/lemma2b"])
    damage(bad["parts"][1])
    status, said = coqc(tmp_path, coq_file([bad]))
    assert status != 0 and "Error" in said
