"""verify --format github: an annotation a claim that falls, at its line, in the words of GitHub's workflow commands."""

import re
from types import SimpleNamespace

from fedtheory.cli import main
from fedtheory.show.github import annotated, message, place, value

FILE = '''"""Two claims."""

from fedtheory import claim, le
from problems import Scalars, real

WORLD = Scalars(a=real(), b=real())


@claim("draft/true", world=WORLD)
def true(x):
    return le(2 * x.a * x.b, x.a**2 + x.b**2)


@claim("draft/false", world=WORLD)
def false(x):
    return le(2 * x.a * x.b, x.a**2)
'''


def test_what_is_refuted_is_an_error_at_its_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lemmas").mkdir()
    (tmp_path / "lemmas" / "two.py").write_text(FILE)
    assert main(["verify", "lemmas/two.py", "--format", "github", "--no-cache"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("::")]
    (said,) = lines
    found = re.fullmatch(r"::error file=lemmas/two\.py,line=(\d+),title=draft/false::refuted .* fails at a=.*", said)
    assert found and "draft/false" in FILE.splitlines()[int(found[1]) - 1]
    assert main(["verify", "lemmas/two.py", "--no-cache", "--fail-on", "refuted", "--format", "github"]) == 1
    assert main(["verify", "--coverage", "--format", "github"]) == 2


def test_signs_that_end_a_command_are_written_otherwise():
    assert message("100 %\nof it") == "100 %25%0Aof it" and value("a:b,c") == "a%3Ab%2Cc"


def test_what_is_not_decided_is_a_warning_and_a_crash_an_error():
    one = SimpleNamespace(body=lambda x: x)
    entry = {"id": "p/a", "source": "elsewhere/a.py:7", "reason": "out of time", "domain": "", "witness": None}
    entries = [
        {**entry, "verdict": "unknown"}, {**entry, "verdict": "unknown", "crashed": True}, {**entry, "verdict": "vacuous"},
        {**entry, "verdict": "proved"},
    ]  # fmt: skip
    levels = [line.split(" ")[0] for line in annotated(entries, {"p/a": one})]
    assert levels == ["::warning", "::error", "::error"]


def test_a_file_that_stands_elsewhere_has_the_name_that_reports_have(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert place(SimpleNamespace(body=message), "elsewhere/a.py:7") == ("elsewhere/a.py", "7")
