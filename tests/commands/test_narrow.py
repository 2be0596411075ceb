"""`fedtheory constants` on 80 columns, in a pipe and in an ASCII locale: nothing is cut, and no word or number is broken."""

import io
import os
import pty
import subprocess
import sys

import pytest
from rich.console import Console

from fedtheory.cli import main
from fedtheory.commands import constants
from fedtheory.show.fitted import Fitted

DATA = ["--data", "breast-cancer", "--standardise", "--l2", "0.01", "--m", "3"]
ASKED = {
    "pfedme": ["pfedme", "--L", "1", "--lam", "10", "--m", "20"],
    "pfedme, an accuracy": ["pfedme", *DATA, "--accuracy", "1e-3"],
    "pfedme, solved": ["pfedme", "--L", "1", "--m", "20", "--mu", "1/3", "--solve", "lam"],
    "pfedme, a map": ["pfedme", "--L", "1", "--m", "20", "--map", "lam", "eta"],
    "fedadmm": ["fedadmm", *DATA],
    "fedadmm, solved": ["fedadmm", "--m", "32", "--r", "10", "--nu", "0.95", "--k0", "10", "--S", "32", "--solve", "sigma0"],
    "fedadmm, a map": ["fedadmm", "--m", "32", "--S", "32", "--map", "sigma0", "r"],
    "flame": ["flame", "--m", "50", "--lam", "5", "--rho", "0.01", "--L", "1"],
    "flame, solved": ["flame", "--m", "50", "--lam", "5", "--L", "1", "--solve", "rho", "--accuracy", "1e-2"],
    "flame, a map": ["flame", "--m", "50", "--L", "1", "--map", "lam", "rho"],
    "dadpfl": ["dadpfl", "--L", "3"],
    "dadpfl, solved": ["dadpfl", "--L", "3", "--M", "5", "--solve", "eta"],
    "dadpfl, a map": ["dadpfl", "--M", "5", "--map", "L", "eta"],
}  # fmt: skip


def words(text):
    """The words of a text, without the signs that stand between cells."""
    return {word.rstrip(";:") for word in text.split()} - {""}


class Both:
    """Terminals of several widths, each of which gets what is printed."""

    def __init__(self, *widths):
        self.each = [Console(file=io.StringIO(), width=w, force_terminal=False, color_system=None) for w in widths]

    def print(self, *parts, **options):
        for out in self.each:
            out.print(*parts, **options)


@pytest.fixture
def printed(monkeypatch, tmp_path):
    """What a command prints on terminals of so many columns."""
    monkeypatch.chdir(tmp_path)

    def run(arguments, *widths):
        out = Both(*widths)
        monkeypatch.setattr(constants, "consoles", lambda *_: (out, out))
        assert main(["constants", *arguments]) == 0
        return [one.file.getvalue() for one in out.each]

    return run


@pytest.mark.parametrize("name", ASKED)
def test_80_columns_say_what_a_pipe_says(name, printed):
    """Every word and number of the whole lines, in lines that fit."""
    whole, narrow = printed(ASKED[name], 100_000, 80)
    assert max(map(len, narrow.splitlines())) <= 80
    assert len(whole.splitlines()) > 1 and words(whole) <= words(narrow)


@pytest.mark.parametrize("width", [30, 40, 50, 80, 200])
def test_a_table_of_any_width(width):
    """Columns beside each other where their words fit, else a paragraph a row; numbers are never broken."""
    table = Fitted()
    for name, right in (("a name of a column", False), ("value", True), ("", False), ("what is said of it", False)):
        table.add_column(name, justify="right" if right else "left", no_wrap=right, overflow="fold")
    for k in range(3):
        table.add_row(f"sigma_{k} <= eta1_hat/(beta R)", f"{10**k}.123456 .. 20.654321", "<=", "long words " * k)
    out = Console(file=io.StringIO(), width=width, color_system=None)
    out.print(table)
    text = out.file.getvalue()
    assert max(len(line.rstrip()) for line in text.splitlines()) <= width
    assert {"sigma_2", "eta1_hat/(beta", "100.123456", "20.654321", "words"} <= words(text)
    assert ("value: 1.123456" in text) == (width == 30)
    assert ("1.123456 .. 20.654321" in text) == (width >= 50)


def test_an_ascii_terminal_and_a_pipe():
    """The command itself, once on a terminal of 80 columns without Unicode and once in a pipe."""
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "COLUMNS": "80", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "fedtheory", "constants", *ASKED["flame, solved"]]
    piped = subprocess.run(command, env=env, capture_output=True, check=True).stdout.decode("ascii")
    here, there = pty.openpty()
    with subprocess.Popen(command, env=env, stdout=there, stderr=subprocess.DEVNULL) as child:
        os.close(there)
        text = b""
        while True:
            try:
                text += os.read(here, 65536)
            except OSError:  # the other end is closed
                break
        assert child.wait() == 0
    os.close(here)
    shown = text.decode("ascii").replace("\r\n", "\n")
    assert max(map(len, shown.splitlines())) <= 80 < max(map(len, piped.splitlines()))
    assert words(piped) <= words(shown)
