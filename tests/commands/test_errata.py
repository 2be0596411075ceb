"""`fedtheory errata`: what is wrong and nothing else, in LaTeX that compiles."""

import json
import re
import shutil
import subprocess

import pytest
from site_pages import DRAFT

from fedtheory.cli import main
from fedtheory.registry import claims, papers
from fedtheory.show.errata import errata

PDFLATEX = shutil.which("pdflatex")


def compiles(folder, text):
    """Whether pdflatex takes a document."""
    (folder / "note.tex").write_text(text, encoding="utf-8")
    words = [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "note.tex"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace", timeout=120)
    assert done.returncode == 0, re.findall(r"(?m)^!.*\n.*\n.*", done.stdout)


@pytest.fixture
def draft(tmp_path):
    """The file of a draft with one refuted lemma."""
    path = tmp_path / "lemmas.py"
    path.write_text(DRAFT.replace("& <more>", "for 5 % of_them"), encoding="utf-8")
    return path


def test_a_draft(draft, tmp_path, capsys):
    """Place, formula, numbers, both sides, repair of what is refuted; of what holds nothing."""
    assert main(["errata", str(draft)]) == 0
    text = capsys.readouterr().out
    assert text.count(r"\item") == 1 and "Section 2, Lemma 1" in text and "cocoercive" not in text
    assert r"$a b \le \frac{a^2}{4}$ for 5 \% of\_them" in text
    assert r"$a$ = 1, $b$ = 1" in text and r"left side 1, right side 1/4, so that $\le$ fails" in text
    assert r"\emph{What holds instead} (proved): with b squared as well" in text
    assert text.count("{") == text.count("}") and text.rstrip().endswith(r"\end{document}")


def test_of_a_report(draft, tmp_path, capsys):
    """The same from a report, without the source, which says that nothing was re-checked."""
    report = tmp_path / "report.json"
    assert main(["verify", str(draft), "--json", str(report)]) == 0
    capsys.readouterr()
    assert main(["errata", "--from", str(report), "--write", str(tmp_path / "n.tex")]) == 0
    text = (tmp_path / "n.tex").read_text(encoding="utf-8")
    assert "nothing was re-checked" in text and "right side 1/4" in text
    found = json.loads(report.read_text(encoding="utf-8"))
    assert sum(e["verdict"] == "refuted" for e in found["claims"]) == text.count(r"\item")


def test_all_of_it_is_not_asked_for_by_nothing(capsys):
    """A note is of something."""
    assert main(["errata"]) == 2
    assert "errata needs --paper PAPER" in capsys.readouterr().err


@pytest.mark.skipif(PDFLATEX is None, reason="pdflatex is not installed")
def test_the_note_of_a_draft_compiles(draft, tmp_path, capsys):
    """By itself, with what a basic installation has."""
    assert main(["errata", str(draft)]) == 0
    compiles(tmp_path, capsys.readouterr().out)


@pytest.mark.skipif(PDFLATEX is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("id", papers())
def test_every_printed_statement_compiles(id, tmp_path):
    """As if all of a paper were wrong."""
    entries = [
        {"id": c.id, "verdict": "refuted", "witness": None, "reason": "a_b & c", "repair": None, "kind": c.kind,
         "step": c.step, "locator": c.locator, "latex": c.latex, "note": c.note}
        for c in claims(id).values()
    ]  # fmt: skip
    text = "\n".join(errata([papers()[id]], entries, {}, "said"))
    assert text.count(r"\item") >= sum("~" not in e["id"] for e in entries)
    compiles(tmp_path, text)
