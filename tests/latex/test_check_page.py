"""docs/check.md says what is so: its commands run, and its first output is what comes out."""

import re
import shlex
from pathlib import Path

from fedtheory.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "check.md"


def test_the_commands_of_the_page_run(capsys):
    block = re.search(r"^```sh\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)[1].replace("\\\n", "")
    for line in block.splitlines():
        _, *arguments = shlex.split(line)
        assert main(arguments) == 0, line
        assert " proved " in capsys.readouterr().out, line


def test_the_first_output_is_what_comes_out(capsys):
    shown = re.findall(r"^```\n(read as.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)[0].splitlines()
    main(["check", r"\frac{2}{\lambda+\mu} \le \frac{1}{\mu}", "--where", r"\lambda > \mu > 0"])
    out = capsys.readouterr().out.splitlines()
    untimed = [re.sub(r"\d+\.\d\ds", "", line) for line in shown]
    assert [re.sub(r"\d+\.\d\ds", "", line) for line in out[: len(shown)]] == untimed


def test_the_page_counts_the_lines(capsys):
    text = PAGE.with_name("check.md").read_text(encoding="utf-8")
    lines = (Path(__file__).parent / "lines.toml").read_text(encoding="utf-8").count("[[line]]")
    assert f"has {lines} lines of papers" in text
