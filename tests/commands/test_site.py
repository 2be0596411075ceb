"""`fedtheory site`: every claim has its page, every link its end, nothing comes from elsewhere, nothing is overwritten."""

import json
import os
import re
from html import unescape

import pytest
import site_pages
from site_pages import DRAFT, complaints, elements

from fedtheory.cli import main
from fedtheory.commands import site as command
from fedtheory.commands.empirical import verdicts
from fedtheory.registry import papers

pytest.importorskip("jinja2")
pytest.importorskip("markdown_it")
formula = pytest.importorskip("fedtheory.show.site.mathematics").formula
region = pytest.importorskip("fedtheory.commands.site_regions").region
DOCS = {
    "guide.md": "# A guide\n\nSee [the other](more/other.md#second-part), [a file](one.py), [ours](papers/draft.md), "
    "[none](gone.md), [web](https://example.org).\n\n#### Too deep\n\n| a | b |\n|---|---|\n| `x|y` | 2 |\n\n"
    "![seen](one.svg) ![not seen](https://example.org/x.png)\n\n## Rates\n\n![the rate](draft-rate.svg)\n",
    "more/other.md": "# Other\n\n## Second part\n\nzebra <b>bold</b>\n\n## Second part\n",
    "papers/draft.md": "# stands in the site already\n",
    "draft_table1.md": "# Accuracy\n\n![accuracy](one.svg)\n", "draft-rate.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
    "one.py": "print(1)\n", "one.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
}  # fmt: skip


@pytest.fixture(scope="module")
def draft(tmp_path_factory):
    """A draft, a report of it, and docs."""
    folder = tmp_path_factory.mktemp("draft")
    (folder / "lemmas.py").write_text(DRAFT, encoding="utf-8")
    for name, text in DOCS.items():
        (folder / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "docs" / name).write_text(text, encoding="utf-8")
    assert main(["verify", str(folder / "lemmas.py"), "--json", str(folder / "report.json")]) == 0
    return folder


@pytest.fixture(scope="module")
def made(draft):
    """A site of the draft, with docs."""
    out = draft / "site"
    assert main(["site", str(out), str(draft / "lemmas.py"), "--docs", str(draft / "docs")]) == 0
    return out


def page(folder, name):
    """The text of a page."""
    return (folder / name).read_text(encoding="utf-8")


def words(text):
    """What is read on a page: its text without tags."""
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def test_every_page_is_in_order(made):
    """HTML by the rules, links that lead somewhere, headings in order, a skip link, no request elsewhere."""
    assert list(complaints(made)) == []


@pytest.mark.parametrize("old, new, said", [
    ('href="search.html"', 'href="lost.html"', "lost.html, which is not there"),
    ('href="site.css"', 'href="https://example.org/site.css"', "loads https://example.org/site.css"),
    ("<h2>Papers</h2>", "<h4>Papers</h4>", "level 4 below one of level 1"),
    ('class="skip" href="#main"', 'href="#find"', "does not begin with a link to its content"),
    ("</h1>", '</h1><img src="icon.svg">', "picture without words"),
])  # fmt: skip
def test_what_is_out_of_order_is_seen(made, tmp_path, old, new, said):
    """The look at the pages can fail."""
    for file in made.rglob("*"):
        if file.is_file():
            (tmp_path / file.relative_to(made)).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file.relative_to(made)).write_bytes(file.read_bytes())
    text = page(tmp_path, "index.html")
    assert old in text
    (tmp_path / "index.html").write_text(text.replace(old, new, 1), encoding="utf-8")
    assert any(said in one for one in complaints(tmp_path))


def test_a_refuted_claim(made):
    """Its statement as mathematics, both sides, the numbers, its repair, who uses it, and the commands."""
    text = page(made, "claims/draft/lemma1.html")
    assert "<mfrac>" in text and "&amp; &lt;more&gt;" in text and "<more>" not in text
    said = words(text)
    assert "refuted replayed" in said and "Counterexample" in said and "fails" in said
    assert 'href="../../claims/draft/lemma1~repaired.html"' in text and "with b squared as well" in said
    assert "fedtheory replay report.json draft/lemma1" in said and "lemmas.py" in said
    assert "return le(x.a*x.b, x.a**2/4)" in said.replace("&amp;", "&")


def test_a_proved_claim(made):
    """Its hypotheses, its proof as mathematics, a file for Coq, and what it stands on."""
    text = page(made, "claims/draft/cocoercive.html")
    said = words(text)
    assert "proved" in said and "mu &lt; L" in said and "kernel" in said
    assert '<div class="proof' in text and "<math" in text.split('<div class="proof')[1]
    assert "Qed." in page(made, "coq/draft/cocoercive.v")
    assert "Stands on" in said and 'href="../../claims/draft/lemma1~repaired.html"' in text
    assert "Used by" in words(page(made, "claims/draft/lemma1~repaired.html"))
    repair = words(page(made, "claims/draft/lemma1~repaired.html"))
    assert "Repair of Lemma 1" in repair and "What it says with b squared as well The row prints" in repair


def test_a_long_proof_has_a_page_of_its_own(draft, tmp_path, monkeypatch):
    """To which the claim's page leads."""
    monkeypatch.setattr("fedtheory.show.site.build.LONG", 1)
    assert main(["site", str(tmp_path / "s"), str(draft / "lemmas.py")]) == 0
    assert "<math" in page(tmp_path, "s/claims/draft/cocoercive.proof.html").split('<div class="proof')[1]
    assert 'href="../../claims/draft/cocoercive.proof.html"' in page(tmp_path, "s/claims/draft/cocoercive.html")
    assert list(complaints(tmp_path / "s")) == []


def test_the_search_knows_every_claim_and_section(made):
    """A row of the table and words of the index for each claim, an entry for each section of the docs."""
    ids = [f"draft/{name}" for name in ("lemma1", "lemma1~repaired", "cocoercive")]
    tree = dict(site_pages.trees(made))[made / "search.html"]
    rows = [r for r in elements(tree, "tr") if r.get("data-verdict")]
    listed = [elements(r, "a")[0].text for r in rows]
    assert sorted(listed) == sorted(ids)
    index = json.loads(re.search(r"siteIndex = (.*);", page(made, "index.js"))[1])
    assert len(index["claims"]) == len(rows) and all(i in w for i, w in zip(listed, index["claims"], strict=True))
    sections = {url: text for url, _, text in index["sections"]}
    assert "zebra" in sections["docs/more/other.html#second-part"] and "docs/more/other.html#second-part-1" in sections


def test_docs_under_one_navigation(made):
    """Links between files are links between pages; what is not in the site is no link, and no markup gets in."""
    text = page(made, "docs/guide.html")
    assert 'href="../docs/more/other.html#second-part"' in text and 'href="../papers/draft.html"' in text
    assert "gone.md" not in text and 'href="https://example.org"' in text and "x.png" not in text
    assert '<h2 id="too-deep">' in text and 'src="../docs/one.svg"' in text and (made / "docs" / "one.svg").is_file()
    assert "<b>" not in page(made, "docs/more/other.html") and not (made / "docs" / "papers" / "draft.html").exists()
    assert 'href="docs.html"' in page(made, "index.html")


def test_tables_figures_and_rates_stand_on_the_page_of_their_paper(made):
    """Pages and pictures whose names begin with its id; a picture leads to itself in full."""
    text = page(made, "papers/draft.html")
    assert 'href="../docs/draft_table1.html"' in text and 'href="../docs/guide.html#rates"' in text
    assert 'src="../docs/draft-rate.svg"' in text and text.count('src="../docs/one.svg"') == 1
    assert 'class="picture" href="../docs/one.svg"' in page(made, "docs/draft_table1.html")
    assert '<span class="quiet">draft</span> <a href="docs/draft_table1.html">Accuracy</a>' in page(made, "docs.html")


def test_a_note_for_the_authors_is_linked(made):
    """From the overview and from the paper's page; it has the counterexample."""
    assert 'href="../errata/draft.tex"' in page(made, "papers/draft.html")
    assert 'href="errata/draft.tex"' in page(made, "index.html")
    note = page(made, "errata/draft.tex")
    assert note.startswith(r"\documentclass") and "right side 1/4" in note and "cocoercive" not in note


def test_the_regions_of_a_paper(tmp_path, capsys):
    """A map in the two parameters that a user sets first, at the printed settings; the command below it says the same of them."""
    found = region(papers()["flame"])
    assert found.axes == ("rho", "lam") and "Mnist-MLR" in found.problem
    assert found.said == ["Theorem 2: not empty at 160 of 160 columns, with what its proof uses at 0"]
    assert found.svg.lstrip().startswith("<?xml") and "the paper's settings" in found.svg
    assert "constants flame" in found.command and "--L 7.17119" in found.command and "--mu" not in found.command
    assert region(papers()["shelf"]) is None
    assert main(found.command.replace("FILE.svg", str(tmp_path / "map.svg")).split()[1:]) == 0
    assert capsys.readouterr().out.splitlines()[0] == found.said[0]


def test_empirical_rows_have_their_verdicts():
    """Of the papers that are asked for alone, from what these ship."""
    lines, said = verdicts(os.devnull, ["fedadmm"])
    assert {line["row"].split("/")[0] for line in lines} == {"fedadmm"} and len(said) == 1
    assert "reproduced" in {line["verdict"] for line in lines}


@pytest.mark.parametrize("latex, signs", [
    ("a = b + c", ["a", "=b", "+c"]), ("(a + b) = c", ["(a+b)", "=c"]), (r"\|a + b\|^2 - c", ["\u2016a+b\u20162", "\u2212c"]),
    (r"\langle a, b - c \rangle \le d", ["\u27e8a,b\u2212c\u27e9", "\u2264d"]), ("-a", ["\u2212a"]),
])  # fmt: skip
def test_a_long_formula_may_end_its_lines_before_relations_and_sums(latex, signs):
    """Not within brackets and norms."""
    assert [words(part).replace(" ", "") for part in unescape(formula(latex, breaks=True)).split("<wbr>")] == signs


def test_words_in_a_formula_keep_their_signs():
    """Names of hypotheses, which have signs that TeX needs escaped."""
    found = formula(r"[\text{|w\_i\^{}2| \textless{}= \{k\}}] \ge 0 := \arg\min_x f")
    assert "<mtext>|w_i^2| &lt;= {k}</mtext>" in found and "argmin" in found and "\u2254" in unescape(found)


def test_dark_mode_and_phones(made):
    """The style has both schemes and one for narrow screens; every page says how wide it is."""
    style = page(made, "site.css")
    assert "prefers-color-scheme: dark" in style and "max-width: 40rem" in style and "url(" not in style
    for path in made.rglob("*.html"):
        assert 'name="viewport" content="width=device-width' in path.read_text(encoding="utf-8")


def test_of_a_report(draft, tmp_path):
    """The verdicts of a report without its source, and with it; one that was edited is refused."""
    report = str(draft / "report.json")
    assert main(["site", str(tmp_path / "bare"), "--from", report]) == 0
    text = page(tmp_path, "bare/claims/draft/lemma1.html")
    assert "source of this claim is not at hand" in text and "nothing was re-checked" in text and "fails" in text
    assert list(complaints(tmp_path / "bare")) == []
    assert main(["site", str(tmp_path / "whole"), str(draft / "lemmas.py"), "--from", report]) == 0
    assert "not at hand" not in page(tmp_path, "whole/claims/draft/lemma1.html")
    found = json.loads((draft / "report.json").read_text(encoding="utf-8"))
    found["claims"][0]["verdict"] = "proved"
    (tmp_path / "edited.json").write_text(json.dumps(found), encoding="utf-8")
    assert main(["site", str(tmp_path / "no"), "--from", str(tmp_path / "edited.json")]) == 2
    assert not (tmp_path / "no").exists()


def test_a_claim_that_says_something_else_now(draft, tmp_path):
    """The page of a report's verdict does not show the body of another claim."""
    (tmp_path / "lemmas.py").write_text(DRAFT.replace("x.a**2/4", "x.a**2/5"), encoding="utf-8")
    assert main(["site", str(tmp_path / "s"), str(tmp_path / "lemmas.py"), "--from", str(draft / "report.json")]) == 0
    text = page(tmp_path, "s/claims/draft/lemma1.html")
    assert "says something else now" in text and "x.a**2/5" not in text


def test_what_is_there_stays(draft, tmp_path, capsys, monkeypatch):
    """A folder with something else in it is refused; a site is replaced whole, and stays where writing fails."""
    out, report = tmp_path / "out", str(draft / "report.json")
    out.mkdir()
    (out / "thesis.tex").write_text("years", encoding="utf-8")
    assert main(["site", str(out), "--from", report]) == 2
    assert "must be a folder that is empty" in capsys.readouterr().err and [p.name for p in out.iterdir()] == [
        "thesis.tex"
    ]
    (out / "thesis.tex").unlink()
    assert main(["site", str(out), "--from", report]) == 0
    (out / "claims" / "draft" / "old.html").write_text("old", encoding="utf-8")
    assert main(["site", str(out), "--from", report]) == 0
    assert not (out / "claims" / "draft" / "old.html").exists()
    before = page(out, "index.html")
    monkeypatch.setattr(command.json, "dumps", lambda *_: 1 / 0)
    assert main(["site", str(out), "--from", report]) == 3
    assert page(out, "index.html") == before and [p.name for p in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("words, said", [
    (["--docs", "nowhere"], "--docs nowhere must be a folder"), (["--paper", "no"], "no"),
    (["--jobs", "0"], "--jobs must be at least 1"),
])  # fmt: skip
def test_what_cannot_be_is_said(words, said, tmp_path, capsys):
    """One line, status 2, nothing written."""
    assert main(["site", str(tmp_path / "s"), *words]) == 2
    assert said in capsys.readouterr().err and not (tmp_path / "s").exists()
