"""fedtheory check: a verdict on a line, the claim in Python, and what stops it."""

import pytest

from fedtheory.cli import main

TRUE = r"\frac{2}{\lambda+\mu} \le \frac{1}{\mu}"


def test_a_true_line_is_proved_and_shown_in_python(capsys):
    assert main(["check", TRUE, "--where", r"\lambda > \mu > 0"]) == 0
    out = capsys.readouterr().out
    assert "read as 2/(lambda + mu) <= 1/mu, where 0 < mu < lambda" in out
    assert "draft/line  proved   kernel" in out and "return le(2/(x.lam + x.mu), 1/x.mu)" in out


def test_a_false_line_has_its_witness(capsys):
    assert main(["check", r"\|\nabla f(w)\|^2 \le L (f(w) - f^*)", "--class", "smooth convex L"]) == 0
    assert "refuted" in (out := capsys.readouterr().out) and "fails at m=1 L=1" in out


def test_each_reading_has_its_own_verdict(capsys):
    assert main(["check", "1/2 L <= L/2", "--where", "L > 0"]) == 0
    out = capsys.readouterr().out
    assert "reading 1 of 2: (1/2) L <= L/2" in out and "reading 2 of 2: 1/(2 L) <= L/2" in out
    assert out.count("draft/line@reading-1  proved") == out.count("draft/line@reading-2  refuted") == 1


def test_it_writes_the_claim_and_overwrites_none(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["check", TRUE, "--where", r"\lambda > \mu > 0", "--write", "my.py", "--name", "my-lemma"]) == 0
    assert '@claim("draft/my-lemma"' in (tmp_path / "my.py").read_text()
    assert main(["check", TRUE, "--where", r"\lambda > \mu > 0", "--write", "my.py"]) == 2
    assert "is there already" in capsys.readouterr().err
    assert main(["new", "claim", "other", "--latex", TRUE, "--where", r"\lambda > \mu > 0"]) == 0
    assert main(["verify", "other.py", "--no-cache"]) == 0
    assert "draft/other  proved" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "a"], "there is no relation"),
        (["check", "a <= b", "--envelope", "1"], "--envelope must be the letter"),
        (["check", "a <= b", "--envelope", "lambda"], "no F stands in the line"),
        (["check", "a <= b", "--vectors", "zzz"], "no such letter stands in the line"),
        (["rates", "shelf"], "shelf: no explicit bounds; papers that have some: dadpfl, fedadmm, flame, pfedme"),
        (["check", "a <= b", "--budget", "huge"], "--budget must be one of"),
        (["check", "a <= b", "--seed", "-2"], "--seed must be at least 0"),
        (["table", "flame/table2", "--hours", "--finished"], "one of the two"),
        (["check", "a <= b", "--name", "My Lemma"], "--name must be"),
        (["check", "a <= b", "--write", "my.txt"], "must be a file of Python"),
        (["check", "f(w) <= 1", "--class", "smoth L"], "did you mean smooth?"),
        (["new", "table", "flame/x", "--latex", "a <= b"], "go with new claim"),
        (["new", "claim", "x", "--where", "a > 0"], "go with new claim"),
    ],
)
def test_what_is_wrong_is_told(arguments, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert said in capsys.readouterr().err and not list(tmp_path.iterdir())
