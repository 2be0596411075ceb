"""Drafts of users: several files that import each other, in worker processes, judged by mutants; no paper is imported."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fedtheory.cli import main
from fedtheory.drafts import load
from fedtheory.errors import UsageError

ROOT = Path(__file__).parents[2]
HEAD = """
from fedtheory import Control, claim, le
from problems import Scalars, positive
AB = Scalars(a=positive(), b=positive())
"""
HELPERS = "def squares(x, share=1):\n    return x.a**2 + share*x.b**2\n"
BODY = """
@claim("draft/{name}", world=AB, control=Control("a bound of none", lambda x: le(2*x.a*x.b, 0)){more})
def {name}(x):
    return le(2*x.a*x.b, squares(x))
"""


def draft(folder, name, imports="from helpers import squares", more=""):
    """A file with one claim that takes its formula from the file beside it."""
    folder.mkdir(exist_ok=True)
    (folder / "helpers.py").write_text(HELPERS)
    (folder / f"{name}.py").write_text(f"{imports}\n{HEAD}{BODY.format(name=name, more=more)}")
    return str(folder / f"{name}.py")


@pytest.mark.parametrize(
    "imports",
    ["from helpers import squares", "from .helpers import squares", "import helpers\nsquares = helpers.squares",
     "import json, helpers as h\nsquares = h.squares", "from helpers import *"],
)  # fmt: skip
def test_a_file_imports_the_one_beside_it(imports, tmp_path):
    """In each way; sys.path stays, no module of a plain name and no bytecode is left behind."""
    path = list(sys.path)
    found = load([draft(tmp_path, "one", imports)])
    assert list(found) == ["draft/one"] and found["draft/one"].source == f"one.py:{7 + imports.count(chr(10))}"
    assert sys.path == path and "helpers" not in sys.modules and "one" not in sys.modules
    assert not (tmp_path / "__pycache__").exists()


def test_names_do_not_meet(tmp_path):
    """Files of one name in two folders, and one that is called as an installed module is."""
    files = [draft(tmp_path / "a", "one"), draft(tmp_path / "b", "two", "from helpers import squares, mine")]
    (tmp_path / "b" / "helpers.py").write_text(HELPERS + "mine = 1\n")
    (tmp_path / "b" / "json.py").write_text("raise RuntimeError('not the json that is meant')\n")
    (tmp_path / "b" / "random.py").write_text("mine = 2\n")
    Path(files[1]).write_text("import random\nassert random.mine == 2\n" + Path(files[1]).read_text())
    assert set(load(files)) == {"draft/one", "draft/two"}
    import random

    assert not hasattr(random, "mine")


def test_a_draft_may_be_called_as_a_module_that_it_imports(tmp_path):
    """A file does not import itself."""
    (tmp_path / "problems.py").write_text(HELPERS + HEAD + BODY.format(name="one", more=""))
    assert set(load([str(tmp_path / "problems.py")])) == {"draft/one"}


def test_a_changed_file_is_read_again(tmp_path):
    """As in a notebook, or in one process that verifies twice."""
    file = draft(tmp_path, "one")
    load([file])
    (tmp_path / "helpers.py").write_text("raise KeyError('changed')\n")
    with pytest.raises(UsageError, match=r"helpers\.py:1: KeyError"):
        load([file])


def test_a_claim_that_two_files_show_is_one(tmp_path):
    """One file may import another one's claims; two claims of one id are refused with both places."""
    first = draft(tmp_path, "one")
    (tmp_path / "all.py").write_text("from one import one\n")
    assert set(load([first, str(tmp_path / "all.py")])) == {"draft/one"}
    other = draft(tmp_path / "b", "one")
    with pytest.raises(UsageError, match="two claims are called draft/one, here and in"):
        load([first, other])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [("helpers.py", "def (", "helpers.py:1: SyntaxError"), ("helpers.py", "x = 1\ny = x/0\n", "helpers.py:2: ZeroDivisionError"),
     ("helpers.py", "x = 1\n", "one.py:1: ImportError"), ("one.py", "x = 1\n", "one.py: no claim in this file"),
     ("one.py", "import sys\nsys.exit('gone')\n", "one.py:2: SystemExit: gone"),
     ("one.py", "import nosuch\n", "one.py:1: ModuleNotFoundError: No module named 'nosuch'")],
)  # fmt: skip
def test_errors_name_file_and_line(name, text, message, tmp_path, capsys, monkeypatch):
    """As the file was typed, also where it is the file beside it."""
    draft(tmp_path / "d", "one")
    (tmp_path / "d" / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    assert main(["verify", "d/one.py"]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"fedtheory: d/{message}") and len(err.strip().splitlines()) == 1


def verified(tmp_path, *words):
    """(exit status, the entries of the report by id)."""
    status = main(["verify", *words, "--json", str(tmp_path / "r.json")])
    return status, {e["id"]: e for e in json.loads((tmp_path / "r.json").read_text())["claims"]}


def test_worker_processes_load_the_files(tmp_path, capsys, monkeypatch):
    """Two files, two processes, the same report; sources are as typed."""
    draft(tmp_path / "d", "one")
    draft(tmp_path / "d", "two", "from .helpers import squares")
    monkeypatch.chdir(tmp_path)
    two = verified(tmp_path, "d/one.py", "d/two.py", "--jobs", "2")
    one = verified(tmp_path, "d/")
    for entries in (one[1], two[1]):
        for e in entries.values():
            e["seconds"] = 0
    assert one == two and two[0] == 0
    assert {e["verdict"] for e in two[1].values()} == {"proved"} and two[1]["draft/two"]["source"] == "d/two.py:7"
    assert main(["explain", "draft/one", "d/"]) == 0
    assert "source:     d/one.py:7" in capsys.readouterr().out
    assert main(["list", "d/", "--where"]) == 0
    assert "d/two.py:7" in capsys.readouterr().out


def test_a_repair_may_be_published(tmp_path, capsys):
    """A draft's repair is decided with it, from its own paper; one that does not exist is named."""
    file = draft(tmp_path, "one", more=', repair="pfedme/lemma5", uses=["pfedme/lemma1a"]')
    status, entries = verified(tmp_path, file)
    assert status == 0 and set(entries) > {"draft/one", "pfedme/lemma5"}  # and the lemmas of the latter
    assert entries["draft/one"]["repair"]["verdict"] == entries["pfedme/lemma5"]["verdict"]
    capsys.readouterr()
    assert main(["verify", draft(tmp_path, "one", more=', repair="pfedme/lemma55"')]) == 2
    assert "claim draft/one: repair='pfedme/lemma55': no claim is called" in capsys.readouterr().err


def test_mutants_change_the_formulas_of_a_draft(tmp_path, capsys):
    """The functions of the file beside it are edited too."""
    file = draft(tmp_path, "one")
    verified(tmp_path, file)
    out = tmp_path / "m.json"
    assert main(["mutants", str(tmp_path / "r.json"), file, "--jobs", "2", "--json", str(out)]) == 0
    changes = [m["change"] for m in json.loads(out.read_text())["mutants"]]
    assert "x.a ** 2: exponent + 1 in squares, on the right side" in changes
    capsys.readouterr()
    assert main(["mutants", str(tmp_path / "r.json")]) == 2
    assert "those of a draft need its file" in capsys.readouterr().err


def test_replay_of_a_draft(tmp_path, capsys):
    """A witness is replayed with the file, and asked for without."""
    file = draft(tmp_path, "one")
    (tmp_path / "helpers.py").write_text(HELPERS.replace("share=1", "share=0"))
    verified(tmp_path, file)
    assert main(["replay", str(tmp_path / "r.json"), "draft/one", file]) == 0
    capsys.readouterr()
    assert main(["replay", str(tmp_path / "r.json"), "draft/one"]) == 2
    assert "a draft needs its file" in capsys.readouterr().err


def test_no_paper_is_imported_for_a_draft(tmp_path):
    """In a process of its own: the modules of the papers stay out."""
    code = (
        "import sys; from fedtheory.cli import main; status = main(sys.argv[1:]);"
        "print(status, [m for m in sys.modules if m.startswith('proofs_checks.') and m != 'proofs_checks.collection'])"
    )
    for words in (["verify", draft(tmp_path, "one")], ["verify", "flame/eq24"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True, text=True, check=True
        )
        status, _, modules = done.stdout.splitlines()[-1].partition(" ")
        assert status == "0"
        assert modules == "[]" if words[1].endswith(".py") else "flame" in modules and "pfedme" not in modules


def test_a_crash_is_told_without_places_of_this_machine(tmp_path, capsys, monkeypatch):
    """Two machines write the same report, also of what went wrong."""
    from fedtheory.referee import decide

    monkeypatch.setattr(decide, "preflight", lambda claim: 1 / 0)
    status, entries = verified(tmp_path, draft(tmp_path, "one"))
    text = json.dumps(entries)
    assert status == 3 and "ZeroDivisionError" in text
    assert str(ROOT) not in text and str(tmp_path) not in text


def test_certificates_come_back_from_the_workers(tmp_path):
    """What two processes find is stored, one file a paper."""
    world = 'Points(SmoothConvex("L"), optimum_of="f", L=positive(CURVATURE))'
    imports = "from fedtheory.units import CURVATURE\nfrom problems import Points, SmoothConvex\n"
    body = "return le(x.mean(x.sq(x.f.grad(x.w) - x.f.grad(x.w_star))), {share}*x.L*x.mean(x.f.value(x.w) - x.f.value(x.w_star)))"
    for name, share in (("one", 2), ("two", 3)):
        claim = f'@claim("draft/{name}", world={world})\ndef {name}(x):\n    {body.format(share=share)}\n'
        (tmp_path / f"{name}.py").write_text(imports + HEAD + claim)
    out = tmp_path / "certificates"
    files = [str(tmp_path / f"{name}.py") for name in ("one", "two")]
    assert main(["verify", *files, "--jobs", "2", "--write-certificates", str(out)]) == 0
    assert {key.split(" ")[0] for key in json.loads((out / "draft.json").read_text())} == {"draft/one", "draft/two"}


BAD = """
@claim("draft/bad", world=AB, control=Control("a bound of none", lambda x: le(2*x.a*x.b, 0)))
def bad(x):
    return le(x.a, {}["c"])
"""


@pytest.mark.parametrize("options", [(), ("--jobs", "2")])
def test_a_bad_claim_costs_itself_only(options, tmp_path, capsys):
    """The others of its file are decided, the report has them, and the exit status says that one is missing."""
    file = Path(draft(tmp_path, "one"))
    file.write_text(file.read_text() + BAD + BODY.format(name="two", more=""))
    assert main(["verify", str(file), "--json", str(tmp_path / "r.json"), *options]) == 2
    out, err = capsys.readouterr()
    assert err.strip().startswith("fedtheory: error: claim draft/bad: the body raises KeyError at line")
    assert len(err.strip().splitlines()) == 1
    report = json.loads((tmp_path / "r.json").read_text())
    assert [e["id"] for e in report["claims"]] == ["draft/one", "draft/two"] and not report["complete"]
    assert "2 claims: 2 proved" in out


@pytest.mark.parametrize(
    "how", [["-m", "fedtheory", "verify", "--jobs", "2", "pfedme/eq35"], ["-m", "pytest", "-q"], []]
)
def test_a_file_that_is_called_as_our_package_breaks_no_lemma(tmp_path, how):
    """The program, pytest and a script: each has its own problems.py, and ours by `fedtheory.problems`."""
    (tmp_path / "problems.py").write_text("K = 2\n")
    head = HEAD.replace("from problems", "from fedtheory.problems")
    text = "from problems import K\n" + head + HELPERS + BODY.format(name="one", more="").replace("2*x.a", "K*x.a")
    (tmp_path / "one.py").write_text(text)
    done = subprocess.run(
        [sys.executable, *how, "one.py"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
        capture_output=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_is_found_under_both_names():
    """One module of the user's name, one of ours, the same things in both."""
    import fedtheory.problems as ours
    import problems

    public = {name for name in vars(problems) if not name.startswith("_")}
    assert {"Scalars", "Points", "Convex", "positive", "Run"} <= public <= set(vars(ours))
    assert all(getattr(ours, name) is getattr(problems, name) for name in public)


def test_what_is_missing_in_the_file_beside_says_where_it_is(tmp_path):
    """A draft that means ours by the plain name is told the other one."""
    (tmp_path / "problems.py").write_text("K = 2\n")
    with pytest.raises(UsageError, match=r"taken for the package problems: import from fedtheory\.problems"):
        load([draft(tmp_path, "one")])
