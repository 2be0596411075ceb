"""fedtheory new: what it writes passes at once."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from installed import installed

from fedtheory.cli import main

ROOT = Path(__file__).parents[2]


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: main(["new", *words])


def failing(*words, path):
    """Status and complaints of a Python process in the folder of the test."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*map(str, path), str(ROOT)])}
    done = subprocess.run([sys.executable, "-m", *words], env=environment, capture_output=True, text=True)
    return done.returncode, done.stderr


def python(*words, path):
    """A Python process in the folder of the test; what it printed."""
    environment = {
        **os.environ, "PYTHONPATH": os.pathsep.join([*map(str, path), str(ROOT)]), "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "200",
    }  # fmt: skip
    done = subprocess.run([sys.executable, "-m", *words], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def install(folder):
    """As `pip install ./NAME` would."""
    installed(folder, tomllib.loads((folder / "pyproject.toml").read_text())["project"])


def test_a_claim(run, capsys):
    """A file whose claim is proved, and whose test passes; every command that is named works."""
    assert run("claim", "my_lemma") == 0
    assert "next: fedtheory verify my_lemma.py" in capsys.readouterr().out
    assert main(["verify", "my_lemma.py"]) == 0
    assert "draft/my-lemma  proved" in capsys.readouterr().out
    assert "2 passed" in python("pytest", "-p", "fedtheory.commands.pytest_plugin", "my_lemma.py", path=["."])


def test_a_class(run, capsys):
    """A file whose class is searched; what is false of its functions one of them refutes, and no function outside it."""
    assert run("class", "short_steps") == 0
    assert "next: fedtheory verify short_steps.py" in capsys.readouterr().out
    assert "2 passed" in python("pytest", "-p", "fedtheory.commands.pytest_plugin", "short_steps.py", path=["."])
    text = Path("short_steps.py").read_text()

    def edited(*edits):
        out = text
        for old, new in edits:
            assert text.count(old) == 1
            out = out.replace(old, new)
        Path("edited.py").write_text(out)
        assert main(["verify", "edited.py", "--no-cache"]) == 0
        return capsys.readouterr().out

    assert re.search(r"short-steps +refuted +replayed", edited(("le(up,", "le(x.ratio(3, 2) * up,")))
    assert re.search(r"short-steps-step +refuted +replayed", edited(("- 2 * x.eta * gap", "- 3 * x.eta * gap")))
    too_steep = edited(("le(steepest(problem), G,", "le(steepest(problem), 2 * G,"), ("G / (1", "2 * G / (1"))
    assert "refuted" not in too_steep and "of its class" in too_steep, too_steep


def test_a_paper(run, tmp_path):
    """A package whose claim is proved once it is installed; constants and page work as well."""
    assert run("paper", "ditto") == 0
    install(tmp_path / "ditto")
    here = [tmp_path / "ditto"]
    assert "fedtheory verify --paper ditto --format github" in Path("ditto/.github/workflows/fedtheory.yml").read_text()
    hook = Path("ditto/.pre-commit-config.yaml").read_text()
    assert re.search(r"entry: fedtheory (verify --paper ditto --changed --fail-on refuted)\n", hook)
    files = re.search(r"files: (.*)", hook)[1]
    assert re.match(files, "ditto_paper/lemma1.py") and not re.match(files, "README.md")
    assert "ditto/lemma1  proved" in python("fedtheory", "verify", "--paper", "ditto", "--page", "ditto.md", path=here)
    assert "lemma1" in Path("ditto.md").read_text()
    assert "largest step" in python("fedtheory", "constants", "ditto", "--L", "4", "--eta", "1", path=here)


SOURCE = r"""\documentclass{article}
\newtheorem{lemma}{Lemma}
\title{Squares}
\begin{document}
\section{All}
\begin{lemma}\label{l} For all $a > 0$ and $b > 0$, \begin{equation} 2 a b \le a^2 + b^2 . \end{equation} \end{lemma}
\begin{proof} As \[ a^2 - 2 a b + b^2 = (a - b)^2 \ge 0 \quad \text{it follows} . \] \end{proof}
\end{document}
"""


def test_a_paper_from_its_source(run, tmp_path, capsys):
    """Its inventory counts before anything is bound; the claims that were read are decided; nothing half is written."""
    Path("squares.tex").write_text(SOURCE)
    assert run("paper", "squares", "--from", "squares.tex") == 0
    said = capsys.readouterr().out
    assert "3 rows: 1 statements, 2 formulas, 0 lines of algorithms\n1 formulas are read as claims; 1 are not" in said
    install(tmp_path / "squares")
    here = [tmp_path / "squares"]
    assert "squares/eq1  proved" in python("fedtheory", "verify", "--paper", "squares", "--all", path=here)
    counted = python("fedtheory", "verify", "--coverage", "--paper", "squares", path=here)
    assert re.search(r"squares\s+all\s+3\s+1\s+0\s+0\s+2\n", counted)
    Path("broken.tex").write_text(SOURCE.replace(r"\end{proof}", r"\end{lemma}"))
    assert run("paper", "broken", "--from", "broken.tex") == 2 and not Path("broken").exists()
    assert re.search(r"broken\.tex:7: .*closing environment", capsys.readouterr().err)
    for words in (
        ["claim", "a", "--from", "squares.tex"],
        ["paper", "b", "--from", "gone.tex"],
        ["paper", "squares", "--from", "squares.tex"],
    ):
        assert run(*words) == 2


def test_a_file_of_an_installed_paper_is_its_claims(run, tmp_path):
    """Where the package is installed as it stands; a copy of the file elsewhere is another claim of that id."""
    assert run("paper", "ditto") == 0
    install(tmp_path / "ditto")
    here = [tmp_path / "ditto"]
    shown = python("fedtheory", "verify", "ditto/ditto_paper/lemma1.py", path=here)
    assert "ditto/lemma1  proved" in shown and "1 claim: 1 proved" in shown
    assert "Section 2, Lemma 1" in python("fedtheory", "explain", "ditto/ditto_paper/lemma1.py", path=here)
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("lemma1", "conditions", "symbols"):
        (copy / f"{name}.py").write_text((tmp_path / "ditto" / "ditto_paper" / f"{name}.py").read_text())
    status, said = failing("fedtheory", "verify", "copy/lemma1.py", path=here)
    assert status == 2 and "ditto/lemma1 is a published claim of the installed paper ditto" in said
    assert f"in {tmp_path / 'ditto' / 'ditto_paper' / 'lemma1.py'}; give the draft another id" in said


def test_a_page_of_a_claim_without_a_row_has_its_docstring(run, tmp_path):
    """No empty quotation, and no full stop of a place that there is not."""
    assert run("paper", "ditto") == 0
    install(tmp_path / "ditto")
    file = tmp_path / "ditto" / "ditto_paper" / "more.py"
    text = (tmp_path / "ditto" / "ditto_paper" / "lemma1.py").read_text()
    body = '''def lemma1(x, share=1):
    """A step goes half of the way.

    More of it.
    """'''
    text = text.replace("def lemma1(x, share=1):", body).replace("share * x.sq", "x.ratio(1, 4) * x.sq")
    file.write_text(text.replace("ditto/lemma1", "ditto/lemma9").replace('expect="proved"', 'expect="refuted"'))
    python("fedtheory", "verify", "--paper", "ditto", "--page", "ditto.md", path=[tmp_path / "ditto"])
    assert "### ditto/lemma9\n\n> A step goes half of the way.\n\n" in Path("ditto.md").read_text()


def test_a_table(run, tmp_path):
    """Of a paper that is written beside it: it is listed and runs; one that is broken costs itself alone."""
    assert run("paper", "ditto") == 0
    assert run("table", "ditto/table1") == 0
    install(tmp_path / "ditto")
    here = [tmp_path / "ditto"]
    shown = python("fedtheory", "table", "ditto/table1", "--quick", "--jobs", "1", "--out", "runs", path=here)
    assert "FedAvg" in shown and "printed for the full setting" in shown and "mu-prox" in shown
    assert run("table", "ditto/table2") == 0
    file = tmp_path / "ditto" / "ditto_paper" / "experiments" / "table2.toml"
    file.write_text(file.read_text().replace('shows = "accuracy"', 'shows = "accuracies"'))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*map(str, here), str(ROOT)])}
    done = subprocess.run(
        [sys.executable, "-m", "fedtheory", "table", "--list"], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 2 and "ditto/table1" in done.stdout and "pfedme/table1" in done.stdout
    assert "table2.toml" in done.stderr and "accuracies" in done.stderr


def test_a_method(run, tmp_path):
    """A method that runs once it is installed, and whose test passes."""
    assert run("method", "heavy_ball") == 0
    folder = tmp_path / "heavy_ball"
    install(folder)
    words = ("--data", "breast-cancer", "--standardise", "--l2", "0.01", "--m", "5", "--rounds", "3")
    assert "heavy_ball" in python("fedtheory", "run", "heavy_ball", *words, path=[folder])
    assert "1 passed" in python("pytest", "-p", "no:cacheprovider", str(folder), path=[folder])


@pytest.mark.parametrize(
    "words, said",
    [(("claim", "Lemma"), "must be of small letters and digits and _"), (("claim", "class"), "no word of Python"),
     (("paper", "a_b"), "small letters and digits, begin"), (("claim", "../x"), "got '../x'"),
     (("method", "fedavg"), "an installed method is called so"), (("paper", "pfedme"), "an installed paper is called so"),
     (("lemma", "x"), "invalid choice"), (("table", "table1"), "must be PAPER/NAME, such as lsgd/table1, got 'table1'"),
     (("table", "pfedm/x"), "got 'pfedm'; did you mean pfedme"), (("table", "pfedme/X"), "must be of small letters")],
)  # fmt: skip
def test_names_that_cannot_be(run, capsys, tmp_path, words, said):
    """One line, and nothing is written."""
    assert run(*words) == 2
    assert said in capsys.readouterr().err and not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", ["claim", "class", "paper", "method"])
def test_nothing_is_overwritten(run, capsys, kind):
    """What is there already stays."""
    assert run(kind, "mine") == 0
    assert run(kind, "mine") == 2
    assert "is there already" in capsys.readouterr().err
