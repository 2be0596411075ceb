"""Papers from their LaTeX: what is printed where, in the styles of four places; what is not understood is said with its line."""

import re
import tomllib
from pathlib import Path

import pytest

from fedtheory.commands.check import taken_names
from fedtheory.errors import UsageError
from fedtheory.latex.source.algorithms import steps
from fedtheory.latex.source.displays import clean, relations, right_side
from fedtheory.latex.source.document import read_document
from fedtheory.latex.source.files import Unfit
from fedtheory.latex.source.rows import Rows, kind_of
from fedtheory.latex.source.stubs import Given, inventory
from proofs_checks import papers

PAPERS = Path(__file__).with_name("papers")
EXPECTED = tomllib.loads((PAPERS / "rows.toml").read_text(encoding="utf-8"))


def rows_of(text, tmp_path, **others):
    """The rows of a source; other files beside it by their names."""
    for name, other in others.items():
        (tmp_path / f"{name}.tex").write_text(other, encoding="utf-8")
    path = tmp_path / "paper.tex"
    path.write_text(text, encoding="utf-8")
    return {row.id.split("/")[1]: row for row in Rows("p").of(read_document(path))}


def body(text, preamble="", of="article"):
    """A source; in it <a> is a numbered equation, and <<lemma>> a statement."""
    text = re.sub(r"<<(\w+)>>", r"\\begin{\1}x\\end{\1}", text)
    text = re.sub(r"<(\w)>", r"\\begin{equation}\1=1\\end{equation}", text)
    return f"\\documentclass{{{of}}}\n{preamble}\\begin{{document}}\n{text}\n\\end{{document}}\n"


@pytest.mark.parametrize("style", list(EXPECTED))
def test_the_rows_of_a_style_are_those_of_its_printed_version(style):
    found = Rows(style).of(read_document(PAPERS / f"{style}.tex"))
    assert [[row.id.split("/")[1], row.locator] for row in found] == EXPECTED[style]


@pytest.mark.parametrize(
    ("style", "id", "formula", "at"),
    [
        ("neurips", "lemma1-proof-s1", r"0 \le \left\lVert \sqrt{\gamma} a - \frac{1}{\sqrt{\gamma}} b \right\rVert^2 .", 34),
        ("neurips", "eq4-b", "2 x y \\ge x y - |x y| + x y .", 60),
        ("icml", "def2.1", r"The envelope of $f$ is $F(w) = \min_u f(u) + \frac{\lambda}{2}\left\| u - w \right\|^{2}$.", 23),
        ("icml", "eq3", "(a + b)^2 = a^2 + 2 a b + b^2", 54),
        ("icml", "alg1-l4", r"$u_i \leftarrow \operatorname{prox}_{f_i/\lambda}(w_t)$", 30),
        ("ieee", "secii-a-s1", r"x + y \leq \lvert x \rvert + \lvert y \rvert", 19),
        ("ieee", "eq4-b", r"\tau (1 - \tau) \geq 0 .", 41),
        ("arxiv", "eq1.1", r"\sum_{t=0}^{T-1} q^t = \frac{1 - q^T}{1 - q} .", 3),
        ("arxiv", "eq2.1", r"a + b \le \frac{1}{2}(a + b) + \frac{1}{2} (a + b)", 22),
    ],
)  # fmt: skip
def test_a_formula_is_as_printed_with_its_macros_put_in(style, id, formula, at):
    (row,) = (r for r in Rows(style).of(read_document(PAPERS / f"{style}.tex")) if r.id == f"{style}/{id}")
    assert row.formula.strip("$") == formula.strip("$") and row.at.endswith(f".tex:{at}")


def test_appendices_of_flame_are_the_rows_of_its_inventory():
    """Each id and each formula; what the repository has besides is no display."""
    by_hand = papers()[[p.id for p in papers()].index("flame")].inventory()
    made = {row.id: row for row in Rows("flame").of(read_document(PAPERS / "flame.tex")) if row.id != "flame/thm1"}
    ids = list(by_hand)
    part = ids[ids.index("flame/eq21") : ids.index("flame/eq33-b") + 1]
    assert len(made) == 29 and set(part) - set(made) == {"flame/lemma3-s1"} and not set(made) - set(part)
    for id, row in made.items():
        if row.said and id != "flame/thm1-proof-s1-b":  # there the repository explains the sign \ll
            assert plain(by_hand[id]["formula"]).startswith(plain(row.formula)), id
            assert row.locator.split(",")[0] == by_hand[id]["locator"].split(",")[0]
    kinds = [id for id, row in made.items() if row.said and row.kind != by_hand[id]["kind"]]
    assert kinds == ["flame/eq28", "flame/eq29"]  # a start, which is a condition; an identity with t >= 0 behind it


def plain(formula):
    return re.sub(r"[\s$.,]", "", formula.replace(r"\Vert", r"\|")).replace(r"\quad", "")


def test_what_the_grammar_takes_are_claims_and_the_rest_says_why():
    found = inventory(PAPERS / "flame.tex", "flame", Given([r"\lambda, L > 0"], "smooth L"), taken_names())
    assert set(found.read) == {f"flame/{id}" for id in ("eq21", "eq22", "eq23", "eq24", "lemma3-proof-s1")}
    assert "le(2*x.dot(x.theta_1, x.theta_2), x.k*x.sq(x.theta_1) + 1/x.k*x.sq(x.theta_2))" in found.files["prop3.py"]
    assert found.why["flame/eq25"] == "it may say what its left side is" and "readings" in found.why["flame/eq27-b"]
    rows = tomllib.loads(found.files["inventory.toml"])["row"]
    assert [row["id"] for row in rows] == [row.id for row in found.rows]
    assert set(found.why) | set(found.read) == {row.id for row in found.rows if row.said}


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("\\begin{lemma} a\n\\end{proof}", 4, "closing environment"),
        ("a\n$b", 4, "is not closed before its paragraph ends"),
        ("a\n\\input{gone}", 4, "there is no gone beside it"),
        ("\\newcommand{\\a}{\\b}\\newcommand{\\b}{\\a}\n$\\a$", 4, "stands in itself"),
        ("\\newcommand{\\n}[2]{#1#2}\n{\\n{a}}", 4, "needs 2 arguments, and has 1"),
        ("\n\\newtheorem{lemma}[nothing]{Lemma}", 4, "no counter is called nothing"),
        ("\\setcounter{equation}{\\foo}", 3, "its value is not understood"),
        ("\\def\\a#1/#2{b}", 3, "with signs between them"),
        ("a } b", 3, "closing brace"),
    ],
)
def test_what_is_not_understood_is_said_with_its_line(tmp_path, text, line, why):
    with pytest.raises(Unfit) as told:
        rows_of(body(text), tmp_path)
    assert re.match(rf"paper\.tex:{line}: ", str(told.value)) and why in str(told.value)


def test_the_file_of_an_error_is_the_one_that_it_stands_in(tmp_path):
    with pytest.raises(Unfit, match=r"^part\.tex:2: "):
        rows_of(body("\\input{part}"), tmp_path, part="a\n\\end{lemma}")
    with pytest.raises(Unfit, match=r"^part\.tex:1: .*takes in itself"):
        rows_of(body("\\input{part}"), tmp_path, part="\\input{part}")


@pytest.mark.parametrize(
    ("preamble", "text", "numbers"),
    [
        ("", r"\[a=1\]<b>\begin{equation*}c=1\end{equation*}", ["", "1", ""]),
        ("", r"\begin{equation}a=1\tag{X}\end{equation}<b>", ["X", "1"]),
        ("", r"\begin{align*}a&=1\tag{7}\\b&=1\end{align*}", ["7", ""]),
        ("\\numberwithin{equation}{section}", r"\section{A}<a>\section{B}<b>", ["1.1", "2.1"]),
        ("\\renewcommand{\\theequation}{\\Alph{section}-\\roman{equation}}", r"\section{A}<a>", ["A-i"]),
        ("", r"\begin{align}a&=1\\b&=1\nonumber\\c&=1\end{align}", ["1", "", "2"]),
        ("", r"\begin{subequations}\begin{align}a&=1\\b&=1\end{align}\end{subequations}<c>", ["1a", "1b", "2"]),
        ("", r"\appendix\section{A}\renewcommand{\theequation}{A.\arabic{equation}}\setcounter{equation}{0}<a>", ["A.1"]),
        ("", r"\stepcounter{equation}<a>", ["2"]),
    ],
)  # fmt: skip
def test_the_printed_numbers(tmp_path, preamble, text, numbers):
    path = tmp_path / "paper.tex"
    path.write_text(body(text, preamble), encoding="utf-8")
    assert [item.shown.number for item in read_document(path).items] == numbers


@pytest.mark.parametrize(
    ("preamble", "text", "called"),
    [
        (r"\newtheorem{a}{Lemma}\newtheorem{b}[a]{Claim}", r"<<a>><<b>>", ["Lemma 1", "Claim 2"]),
        (r"\newtheorem{a}{Lemma}[section]\newtheorem*{b}{Claim}", r"\section{A}<<a>><<b>>", ["Lemma 1.1", "Claim"]),
        (r"\newtheorem{theorem}{Theorem}\newaliascnt{lemma}{theorem}\newtheorem{lemma}[lemma]{Lemma}",
         r"<<theorem>><<lemma>>", ["Theorem 1", "Lemma 2"]),
        (r"\declaretheorem[name=Satz]{s}\declaretheorem[sibling=s, name=Hilfssatz]{h}", r"<<s>><<h>>", ["Satz 1", "Hilfssatz 2"]),
        ("", r"<<theorem>><<lemma>>", ["Theorem 1", "Lemma 1"]),
        (r"\spnewtheorem{prop}{Proposition}{\bfseries}{\itshape}", r"<<prop>>", ["Proposition 1"]),
    ],
)  # fmt: skip
def test_statements_share_counters_as_they_are_declared(tmp_path, preamble, text, called):
    path = tmp_path / "paper.tex"
    path.write_text(body(text, preamble), encoding="utf-8")
    found = read_document(path)
    assert [item.called for item in found.items] == called
    assert found.undeclared == (["theorem", "lemma"] if not preamble else [])


def test_a_proof_is_of_what_it_names_else_of_the_statement_before(tmp_path):
    text = (
        r"\begin{theorem}\label{t}x\end{theorem}\begin{lemma}\label{l}x\end{lemma}\begin{proof}\[a=1\]\end{proof}"
        r"\begin{proof}[Proof of Theorem~\ref{t}]\[b=1\]\end{proof}\begin{proof}[Proof of Lemma 1]\[c=1\]\end{proof}"
        r"\section{Proof of Theorem \ref{t}}\[d=1\]"
    )
    found = rows_of(body(text), tmp_path)
    assert [id for id in found if "proof" in id] == [
        "lemma1-proof-s1",
        "thm1-proof-s1",
        "lemma1-proof-s2",
        "thm1-proof-s2",
    ]


def test_chains_and_systems_are_rows_a_relation(tmp_path):
    text = (
        r"\[ a = b \le c. \] \[ a \le b, \quad b = c \] \[ \begin{cases} a = b, \\ = c, \\ d = e. \end{cases} \]"
        r"\[ f = \begin{cases} 1 & x = 2 \\ 0 \end{cases} \] \begin{equation} \sum_{i=1}^N a_i := b(c = d) \end{equation}"
    )
    found = {id: row.said for id, row in rows_of(body(text), tmp_path).items()}
    assert found == {
        "sec0-s1-a": "a = b", "sec0-s1-b": r"b \le c.", "sec0-s2": r"a \le b, \quad b = c",
        "sec0-s3-a": "a = b,", "sec0-s3-b": "b = c,", "sec0-s3-c": "d = e.",
        "sec0-s4": r"f = \begin{cases} 1 x = 2 \\ 0 \end{cases}", "eq1": r"\sum_{i=1}^N a_i := b(c = d)",
    }  # fmt: skip


def test_a_dollar_that_is_not_closed_is_told_where_it_stands(tmp_path):
    with pytest.raises(Unfit, match=r"^paper\.tex:5: the formula that begins here is not closed"):
        rows_of(body("a\n\nb $c\n\n$d$"), tmp_path)
    rows_of(body("b $c\n% a comment ends no paragraph\n= d$ \\[ e = f \\]"), tmp_path)


def test_what_is_assumed_stands_behind_its_words_and_not_behind_then(tmp_path):
    text = r"\begin{lemma} Let $a > 0$, $b > 0$ and $c > 0$. If $a \le b$, then $d \ge 0$ and, "
    text += r"for any $e < 1$, \[a e \le b\]\end{lemma}"
    assert rows_of(body(text), tmp_path)["lemma1-s1"].conditions == ("a > 0", "b > 0", "c > 0", r"a \le b", "e < 1")


def test_lines_of_algorithms():
    text = r"\Require $a$ \State $b$ \If{$c$} \State d \Comment{so} \Else \State e \EndIf \State \Return f"
    assert [(s.number, s.latex) for s in steps(text, 0, len(text))] == [
        ("", "require: $a$"), ("1", "$b$"), ("2", "if $c$"), ("3", "d"), ("4", "else"), ("5", "e"),
        ("7", "return f"),
    ]  # fmt: skip
    text = r"\KwIn{x} a\; \While{$b$}{c\; \uIf{d}{e\;} \Else{f\;}} g\;"
    lined = [(s.number, s.latex) for s in steps(text, 0, len(text))]
    assert [n for n, _ in lined] == ["", "1", "2", "3", "4", "5", "6", "7", "10"] and lined[-1][1] == "g"
    drawn = r"\usepackage[ruled,vlined]{algorithm2e}" + text
    assert steps(drawn, len(drawn) - len(text), len(drawn))[-1].number == "8"


def test_relations_stand_outside_of_braces_and_brackets():
    assert [m[0] for m in relations(r"\sum_{i=1}^N a \le f(x = 1) \{b < c\} = d")] == [r"\le", "="]
    assert right_side(r"a \le b = c, \qquad d > 0,") == "c" or right_side(r"a = b,") == "b"
    assert clean(r"a \stackrel{(i)}{\le} b \label{x} \nonumber") == r"a \le b"
    assert [kind_of(f) for f in ("a := b", r"a \le b", "a = b", "a + b")] == [
        "definition",
        "inequality",
        "identity",
        "formula",
    ]


def test_what_no_source_is_is_refused(tmp_path):
    path = tmp_path / "paper.tex"
    path.write_text(body("words alone"), encoding="utf-8")
    with pytest.raises(UsageError, match="no statement, display or line"):
        inventory(path, "p", Given(), taken_names())
    path.write_bytes(b"\x00\x01")
    with pytest.raises(UsageError, match="is no LaTeX"):
        inventory(path, "p", Given(), taken_names())
