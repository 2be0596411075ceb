"""`fedtheory errata`: what is wrong and nothing else, in LaTeX that compiles."""

import json
import shutil

import pytest
from pylatexenc.latexwalker import LatexWalker
from site_pages import DRAFT, compiles

from fedtheory.cli import main
from fedtheory.registry import claims, papers
from fedtheory.show.errata import errata

WITH_LATEX = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")


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


NOTE, APPENDIX = ("errata",), ("explain", "--proof", "--latex")


@pytest.mark.parametrize("words", [NOTE, APPENDIX])
def test_its_latex_is_in_order(words, draft, capsys):
    """The note and the appendix of a draft are read by a parser that forgives nothing, where no LaTeX is installed."""
    assert main([words[0], str(draft), *words[1:]]) == 0
    text = capsys.readouterr().out
    nodes, _, length = LatexWalker(text, tolerant_parsing=False).get_latex_nodes()
    assert nodes and length == len(text) and text.count("{") == text.count("}")


@WITH_LATEX
@pytest.mark.parametrize("words", [NOTE, APPENDIX])
def test_of_a_draft_compiles(words, draft, tmp_path, capsys):
    """The note and the appendix, each by itself, with what a basic installation has."""
    assert main([words[0], str(draft), *words[1:]]) == 0
    compiles(tmp_path, capsys.readouterr().out)


@WITH_LATEX
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
